"""`readyroom rules`: the rules in our words, and the code and tests of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from readyroom.cli.arguments import AsJson, CommandError, GameName
from readyroom.cli.paper import print_json, show
from readyroom.engine.books import Rule, Ruling
from readyroom.engine.game import Game, load_game


def rules(
    game: GameName,
    number: Annotated[str | None, typer.Argument(metavar="NUMBER", help="A rule's or ruling's number.")] = None,
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Show which code and tests cite each rule."),
    ] = False,
    code: Annotated[
        bool,
        typer.Option("--code", help="Show the functions that implement the rule."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the rules in plain words, or one rule with its subsections and rulings."""
    playing = load_game(game)
    if code:
        if number is None or coverage:
            raise CommandError("--code needs a rule number, and cannot be combined with --coverage.")
        _code(playing, number, as_json)
        return
    if coverage:
        if number is not None:
            raise CommandError("--coverage covers all rules; leave out the number.")
        _coverage(playing, as_json)
        return
    rules = chosen(playing, number)
    if as_json:
        print_json({"rules": [_facts(one) for one in rules]})
    else:
        show(*_drawn(rules))


def chosen(game: Game[Any, Any], number: str | None) -> list[Rule | Ruling]:
    """Return the rule of this number with its subsections and rulings, or the whole rulebook."""
    book = game.rulebook
    return book.subsections(number) if number is not None else [*book.rule, *book.ruling]


def render_rule(game: Game[Any, Any], number: str) -> Iterator[RenderableType]:
    """Yield a rule with its subsections and rulings, for people; raise `UnknownRule` if there is none."""
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
    """Print the code and tests of each rule; exit with 1 if a rule lacks one of them."""
    from readyroom.testing.coverage import coverage

    rows = coverage(game)
    bare = [row["rule"] for row in rows if not (row["code"] and row["tests"])]
    if as_json:
        print_json({"rules": rows})
    else:
        typer.echo("\n".join(_covered(rows)))
        empty = f"{len(bare)} lack code or tests: {', '.join(bare)}" if bare else "all have code and tests"
        typer.echo(f"{len(rows)} rules; {empty}.")
    if bare:
        raise typer.Exit(1)


def _covered(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield each rule, and below it its code and its tests."""
    for row in rows:
        yield f"{row['rule']} {row['title']}"
        for kind, places in (("code", row["code"]), ("test", row["tests"])):
            yield from (f"  {kind}  {place}" for place in places or ["none"])
