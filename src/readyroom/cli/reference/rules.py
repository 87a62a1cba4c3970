"""`readyroom rules`: the rules in our words, and the code and tests of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from readyroom.cli.arguments import AsJson, CommandError, GameName, find_game
from readyroom.cli.paper import print_json, show
from readyroom.engine.books import Rule, Ruling
from readyroom.engine.game import Game
from readyroom.engine.text import count_noun, join_list


def rules(
    game: GameName,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="NUMBER|WORDS", help="The number of a rule or ruling, or words to search for."),
    ] = None,
    coverage: Annotated[bool, typer.Option("--coverage", help="Show which code and tests cite each rule.")] = False,
    code: Annotated[bool, typer.Option("--code", help="Show the functions that implement the rule.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the rules in plain words, one rule with its subsections and rulings, or the rules that contain all words."""
    number = " ".join(words) if words else None
    playing = find_game(game, fits=lambda each: each.rulebook.find(number) if number is not None else None)
    if number is not None and number not in playing.rulebook.numbers:
        if code or coverage:
            raise CommandError(f"{playing.title} has no rule {number!r}. {_chapters(playing)}")
        _search(playing, number, as_json)
        return
    if code:
        if number is None or coverage:
            raise CommandError("--code needs a rule number, and cannot be combined with --coverage.")
        _code(playing, number, as_json)
        return
    if coverage:
        _coverage(playing, number, as_json)
        return
    rules = chosen(playing, number)
    if as_json:
        print_json({"rules": [_facts(one) for one in rules]})
    else:
        show(*_render(rules))


def chosen(game: Game[Any, Any], number: str | None) -> list[Rule | Ruling]:
    """Return the rule of this number with its subsections and rulings, or the whole rulebook."""
    book = game.rulebook
    return book.subsections(number) if number is not None else [*book.rule, *book.ruling]


def render_rule(game: Game[Any, Any], number: str) -> Iterator[RenderableType]:
    """Yield a rule with its subsections and rulings, for people; raise `UnknownRule` if there is none."""
    yield from _render(chosen(game, number))


def _render(result: Sequence[Rule | Ruling]) -> Iterator[RenderableType]:
    for one in result:
        yield Text(f"{_number(one)} {one.title}", "bold")
        yield Padding(Text(one.text.strip()), (0, 0, 0, 2))
        if isinstance(one, Ruling):
            option = f" Option: {one.option}." if one.option else ""
            yield Padding(Text(f"Ruling on {one.rule}: {one.reason.strip()}{option}", "dim"), (0, 0, 0, 2))


def _number(one: Rule | Ruling) -> str:
    return one.id if isinstance(one, Ruling) else one.number


def _facts(one: Rule | Ruling) -> dict[str, str]:
    facts = {"rule": _number(one), "title": one.title, "text": one.text}
    if isinstance(one, Ruling):
        facts |= {"on": one.rule, "reason": one.reason, "option": one.option}
    return facts


def _code(game: Game[Any, Any], number: str, as_json: bool) -> None:
    from readyroom.testing.coverage import code_of_rule

    functions = code_of_rule(game, number)
    if as_json:
        print_json({"rule": number, "code": [each._asdict() for each in functions]})
    elif functions:
        typer.echo("\n".join(f"{each.place}  {each.name}: {each.summary}" for each in functions))
    else:
        typer.echo(
            f"No docstring cites {number}. `readyroom rules {game.key} {number} --coverage` lists other citations."
        )


def _search(game: Game[Any, Any], word: str, as_json: bool) -> None:
    """Print the numbers and titles of the rules that contain a word; raise `CommandError` if there are none."""
    matches = game.rulebook.search(word)
    if not matches:
        raise CommandError(f"{game.title} has no rule {word!r}, and no rule contains this text. {_chapters(game)}")
    if as_json:
        print_json({"rules": [_facts(one) for one in matches]})
    else:
        for one in matches:
            first_sentence = one.text.strip().partition(". ")[0].rstrip(".")
            show(Text(f"{_number(one)} {one.title}: {first_sentence}."))


def _chapters(game: Game[Any, Any]) -> str:
    chapters = list(dict.fromkeys(rule.number.partition(".")[0] for rule in game.rulebook.rule))
    is_range = len(chapters) > 2 and all(map(str.isdecimal, chapters))
    known = f"{chapters[0]} to {chapters[-1]}" if is_range else join_list(chapters)
    return f"Its chapters are {known}."


def _coverage(game: Game[Any, Any], number: str | None, as_json: bool) -> None:
    """Print the code and tests of each rule, or of one section; exit with 1 if a rule lacks one of them."""
    from readyroom.testing.coverage import coverage

    numbers = {_number(one) for one in chosen(game, number)}
    rows = [row for row in coverage(game) if row["rule"] in numbers]
    bare = [row["rule"] for row in rows if not (row["code"] and row["tests"])]
    if as_json:
        print_json({"rules": rows})
    else:
        typer.echo("\n".join(_covered(rows)))
        empty = f"{len(bare)} lack code or tests: {', '.join(bare)}" if bare else "all have code and tests"
        typer.echo(f"{count_noun(len(rows), 'rule')}; {empty}.")
    if bare:
        raise typer.Exit(1)


def _covered(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield each rule, and below it its code and its tests."""
    for row in rows:
        yield f"{row['rule']} {row['title']}"
        for kind, places in (("code", row["code"]), ("test", row["tests"])):
            yield from (f"  {kind}  {place}" for place in places or ["none"])
