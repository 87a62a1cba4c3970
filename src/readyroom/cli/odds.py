"""`readyroom odds`: exact odds, never sampled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from readyroom.cli.arguments import AsJson, DataFolder, GameName, pairs
from readyroom.cli.paper import print_json, show, table
from readyroom.engine.charts import Chart
from readyroom.engine.checks import percent
from readyroom.engine.errors import UnknownChart, UnknownOption
from readyroom.engine.game import Game, OddsAnswer, load_game


def odds(
    game: GameName,
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="A question of odds, or a chart that is read with dice.")
    ] = None,
    values: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Its figures.")] = None,
    data: DataFolder = None,
    as_json: AsJson = False,
) -> None:
    """Exact odds: of an attack, a check, or a chart. Without a question: what may be asked."""
    playing = load_game(game, data)
    if question is None:
        _list(playing, as_json)
        return
    found = answer(playing, question, values or [])
    if as_json:
        print_json(told(found))
    else:
        show(drawn(found))


def _list(game: Game[Any, Any], as_json: bool) -> None:
    if as_json:
        asked = game.odds(game.data)
        print_json(
            {
                "questions": [
                    {"name": name, "title": question.title, "parameters": dict(question.parameters)}
                    for name, question in asked.items()
                ],
                "charts": [{"id": chart.id, "title": chart.title} for chart in _rolled(game)],
            }
        )
        return
    show(Text(f"What may be asked of {game.title}:", "bold"), *(Text(f"  {line}") for line in questions(game)))


def questions(game: Game[Any, Any]) -> Iterator[str]:
    """How each question of odds is asked, and what it tells."""
    for name, question in game.odds(game.data).items():
        values = [f"{key}={value}" if value else f"[{key}=…]" for key, value in question.parameters.items()]
        yield f"odds {' '.join([name, *values])}: {question.title}"
    for chart in _rolled(game):
        yield f"odds {chart.id}: {chart.title}"


def _rolled(game: Game[Any, Any]) -> list[Chart]:
    """The charts that are read with dice."""
    return [chart for chart in game.charts(game.data) if chart.dice]


def answer(game: Game[Any, Any], question: str, values: Sequence[str]) -> OddsAnswer:
    """The exact answer to a question or about a chart, its figures told as NAME=VALUE.

    Raises:
        UnknownChart: the game has no such question.
        UnknownOption: the question has no such figure, or cannot take it.
    """
    figures = pairs(values, "A figure", "dive=20")
    asked, charts = game.odds(game.data), {chart.id: chart for chart in _rolled(game)}
    if question not in asked and question not in charts:
        raise UnknownChart(question, [*asked, *charts], where=f"{game.key}'s odds")
    parameters = asked[question].parameters if question in asked else {}
    for name in figures:
        if name not in parameters:
            raise UnknownOption(name, parameters, where=f"the odds of {question}")
    return asked[question].answer({**parameters, **figures}) if question in asked else _of_chart(charts[question])


def _of_chart(chart: Chart) -> OddsAnswer:
    several = len(chart.columns) > 1
    rows = [
        (f"{column}: {cell}" if several else cell, chance)
        for column in chart.columns
        for cell, chance in chart.odds(column).items()
    ]
    return OddsAnswer(f"{chart.title} ({chart.dice})", chart.rule, rows)


def drawn(found: OddsAnswer) -> RenderableType:
    """An answer for people."""
    below = [f"Expected: {float(found.mean):.3f}"] if found.mean is not None else []
    below += [f"{found.note[0].upper()}{found.note[1:]}."] if found.note else []
    rows = [(what, percent(chance), _exact(chance)) for what, chance in found.rows]
    grid = table(["", "chance", "exactly"], rows)
    return Group(Text(f"{found.title} [{found.rule}]", "bold"), grid, *map(Text, below))


def _exact(chance: Fraction) -> str:
    """The chance as a fraction where that can be read, else to ten digits."""
    short = f"{chance.numerator}/{chance.denominator}"
    return short if len(short) <= 20 else f"{float(chance):.10f}"


def told(found: OddsAnswer) -> dict[str, Any]:
    """An answer for programs: chances as numbers and as exact fractions."""
    return {
        "title": found.title,
        "rule": found.rule,
        "rows": [{"what": what, "chance": float(chance), "exact": str(chance)} for what, chance in found.rows],
        "mean": None if found.mean is None else float(found.mean),
        "note": found.note,
    }
