"""`readyroom rules`: the rules in our words, and which of them the code cites and the tests exercise."""

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


def rules(
    game: GameName,
    number: Annotated[str | None, typer.Argument(metavar="NUMBER", help="A rule's or ruling's number.")] = None,
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Which code cites each rule, and which tests exercise it."),
    ] = False,
    code: Annotated[
        bool,
        typer.Option("--code", help="Where the code of the rule is: the functions whose docstrings cite it."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """The rules in plain words; with a number, that rule with its parts and rulings."""
    playing = find_game(game, fits=lambda each: each.rulebook.find(number) if number is not None else None)
    if code:
        if number is None or coverage:
            raise CommandError("--code needs the number of a rule and no --coverage.")
        _code(playing, number, as_json)
        return
    if coverage:
        if number is not None:
            raise CommandError("--coverage is asked of all rules at once; leave the number out.")
        _coverage(playing, as_json)
        return
    rules = chosen(playing, number)
    if as_json:
        print_json({"rules": [_facts(one) for one in rules]})
    else:
        show(*_drawn(rules))


def chosen(game: Game[Any, Any], number: str | None) -> list[Rule | Ruling]:
    """The rule of this number with its parts and rulings, or the whole rulebook."""
    book = game.rulebook
    return book.subsections(number) if number is not None else [*book.rule, *book.ruling]


def render_rule(game: Game[Any, Any], number: str) -> Iterator[RenderableType]:
    """A rule with its parts and rulings, for people; `UnknownRule` if there is none."""
    yield from _drawn(chosen(game, number))


def _drawn(result: Sequence[Rule | Ruling]) -> Iterator[RenderableType]:
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
    """Print the functions that implement a rule."""
    from readyroom.testing.coverage import code_of_rule

    functions = code_of_rule(game, number)
    if as_json:
        print_json({"rule": number, "code": [each._asdict() for each in functions]})
    elif functions:
        typer.echo("\n".join(f"{each.place}  {each.name}: {each.summary}" for each in functions))
    else:
        typer.echo(f"No docstring cites {number}. `readyroom rules {game.key} --coverage` lists all other citations.")


def _coverage(game: Game[Any, Any], as_json: bool) -> None:
    """Print what covers each rule; leave with exit code 1 if a rule has no code or no test."""
    from readyroom.testing.coverage import coverage

    rows = coverage(game)
    bare = [row["rule"] for row in rows if not (row["code"] and row["tests"])]
    if as_json:
        print_json({"rules": rows})
    else:
        typer.echo("\n".join(_covered(rows)))
        empty = f"{len(bare)} of them lack code or tests: {', '.join(bare)}" if bare else "none lacks code or tests"
        typer.echo(f"{len(rows)} rules; {empty}.")
    if bare:
        raise typer.Exit(1)


def _covered(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Each rule, and under it the code that cites it and the tests that exercise it; names are not broken."""
    for row in rows:
        yield f"{row['rule']} {row['title']}"
        for kind, places in (("code", row["code"]), ("test", row["tests"])):
            yield from (f"  {kind}  {place}" for place in places or ["none"])
