"""`readyroom odds`: exact odds, never sampled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from readyroom.cli.arguments import AsJson, DataFolder, GameName, find_game, parse_pairs
from readyroom.cli.paper import print_json, show, table
from readyroom.cli.story import render_log
from readyroom.engine.files import save
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.rules.checks import exact, percent, signed
from readyroom.engine.rules.forms import CLOSE, ROLL, FormField, ModifierEffect, OddsQuery, OddsResult, groups
from readyroom.engine.text import capitalize_first

FEW = 6
"""More figures than these are not listed in a line."""


def odds(
    game: GameName,
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="An odds query, or a chart read with dice.")
    ] = None,
    values: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Its inputs.")] = None,
    data: DataFolder = None,
    figures: Annotated[bool, typer.Option("--figures", help="List the inputs of the question instead.")] = False,
    roll: Annotated[bool, typer.Option("--roll", help="Also roll it, with verifiable dice.")] = False,
    save_as: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Save the record of the roll, for `verify`.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the exact odds of an attack, a check or a chart; without QUESTION, list what can be calculated."""
    playing = find_game(game, data, lambda each: each.question(question) if question is not None else None)
    if question is None:
        _list(playing, as_json)
        return
    if figures:
        _list_figures(playing.question(question), as_json)
        return
    odds = answer(playing, question, values or [])
    rolled = _throw(playing, question, values or []) if roll or save_as else None
    if rolled and save_as:
        save(save_as, rolled.record())
    if as_json:
        print_json(odds_data(odds) | ({"throw": _roll_data(rolled)} if rolled else {}))
        return
    show(render_odds(odds))
    if rolled:
        kept = f"`readyroom verify {save_as}` verifies the roll." if save_as else "Add --save FILE to verify it later."
        show(*render_log(rolled.full_log, rolled.log_heading), Text(kept))


def _throw(game: Game[Any, Any], question: str, values: Sequence[str]) -> Match[Any, Any]:
    """Return a match in which just this is rolled once; raise `InvalidQuery` if it can only be calculated."""
    inputs = parse_pairs(values, "An input", "dive=20")
    text = game.question(question).roll_scenario_text(inputs, where=f"the odds of {question}")
    match = Match(game, game.own_scenario(text.encode(), f"{question}.toml"))
    for answer in (ROLL, CLOSE):
        for seat in match.pending:
            match.decide(seat, answer)
    return match


def _roll_data(match: Match[Any, Any]) -> dict[str, Any]:
    """Return a roll for programs: its log, its dice seed hash and its dice key."""
    lines = [line.plain() for line in match.full_log]
    return {"log": lines, "fingerprint": match.fingerprint, "secret": match.published_secret}


def _list_figures(question: OddsQuery, as_json: bool) -> None:
    """Print the inputs of a question and their defaults."""
    if as_json:
        known = {
            name: {"label": one.label, "value": one.value, "choices": dict(one.choices), "range": one.whole}
            for name, one in question.form_fields.items()
        }
        print_json({"title": question.title, "figures": known})
        return
    show(Text(question.title, "bold"), Text(question.about))
    for heading, blanks in groups(question.form_fields):
        rows = [(name, one.value, one.label, _range(one)) for name, one in blanks.items()]
        show(table(["input", "default", "meaning", "values"], rows, heading))


def _range(blank: FormField) -> str:
    if blank.whole:
        return f"{blank.whole[0]} to {blank.whole[1]}"
    return ", ".join(blank.choices) or "any text"


def _list(game: Game[Any, Any], as_json: bool) -> None:
    if as_json:
        known = game.questions.items()
        rows = [{"name": name, "title": one.title, "parameters": one.parameters} for name, one in known]
        print_json({"questions": rows})
        return
    if not game.questions:
        show(Text("This game offers no odds to calculate."))
        return
    heading = Text(f"Odds that can be calculated for {game.title}:", "bold")
    show(heading, *(Text(f"  {line}") for line in questions(game)))


def questions(game: Game[Any, Any]) -> Iterator[str]:
    """Describe each question of odds and its result; long lists are left to `--figures`."""
    for name, question in game.questions.items():
        if len(question.form_fields) > FEW:
            yield f"odds {name} …: {question.title} (--figures lists the inputs)"
            continue
        values = [f"{key}={value}" if value else f"[{key}=…]" for key, value in question.parameters.items()]
        yield f"odds {' '.join([name, *values])}: {question.title}"


def answer(game: Game[Any, Any], question: str, values: Sequence[str]) -> OddsResult:
    """Return the exact answer to a question, with inputs given as NAME=VALUE."""
    query = game.question(question)
    return query.evaluate(parse_pairs(values, "An input", "dive=20"), where=f"the odds of {question}")


def render_odds(odds: OddsResult) -> RenderableType:
    """Return an answer for people: arithmetic, chances, expected values, and the effect of each modifier."""
    parts: list[RenderableType] = [Text(f"{odds.title} [{odds.rule}]", "bold")]
    if odds.net is not None:
        lines = [(what, signed(value)) for what, value in odds.net]
        parts.append(table(["modifier", ""], [*lines, ("total", signed(odds.total))]))
    if odds.rows:
        rows = [(what, percent(chance), exact(chance)) for what, chance in odds.rows]
        parts.append(table(["", "chance", "exact"], rows))
    parts += [Text(f"Expected: {float(odds.mean):.3f}")] if odds.mean is not None else []
    parts += [Text(f"Expected {what}: {float(mean):.3f}") for what, mean in odds.expected]
    parts += [Text(f"{capitalize_first(odds.note)}.")] if odds.note else []
    parts += [render_odds(part) for part in odds.parts]
    if odds.effects:
        parts.append(Text("Effect of each modifier, all else equal (* in effect now):", "bold"))
        parts += [
            Text(f"{'*' if one.counts else ' '} {signed(one.value)} {one.what}: {_changes(one)}")
            for one in odds.effects
        ]
    return Group(*parts)


def _changes(one: ModifierEffect) -> str:
    """Describe how a modifier changes the expected values."""
    changes = [f"{what} {signed(float(by), 2)}" for what, by in one.changes if by]
    return ", ".join(changes) or "no change"


def odds_data(odds: OddsResult) -> dict[str, Any]:
    """Return an answer for programs: chances and means as numbers and exact fractions."""
    plain: dict[str, Any] = {
        "title": odds.title,
        "rule": odds.rule,
        "rows": [{"what": what, "chance": float(chance), "exact": str(chance)} for what, chance in odds.rows],
        "mean": None if odds.mean is None else float(odds.mean),
        "note": odds.note,
    }
    if odds.net is not None:
        plain["net"] = {"lines": [{"what": what, "value": value} for what, value in odds.net], "total": odds.total}
    if odds.expected:
        plain["expected"] = [{"what": what, "mean": float(mean), "exact": str(mean)} for what, mean in odds.expected]
    if odds.effects:
        plain["worth"] = [
            {"what": w.what, "value": w.value, "counts": w.counts, "changes": {n: float(by) for n, by in w.changes}}
            for w in odds.effects
        ]
    if odds.parts:
        plain["parts"] = [odds_data(part) for part in odds.parts]
    return plain
