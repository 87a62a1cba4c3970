"""A Sphinx extension: a line `% rulebook: midway` in a page becomes that game's rules, options and charts.

They are read from the installed game at each build, so that page and program agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from sphinx.application import Sphinx

from readyroom import games
from readyroom.engine.books import Rule, Ruling
from readyroom.engine.game import Game
from readyroom.engine.rules.charts import Chart

AnyGame: TypeAlias = Game[Any, Any]
MARK = re.compile(r"^% rulebook: ([\w-]+)$", re.MULTILINE)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", _fill_in)
    app.connect("env-get-outdated", _always_read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _fill_in(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = MARK.sub(lambda mark: describe(games.load(mark[1])), source[0])


def _always_read(app: Sphinx, *_: Any) -> list[str]:
    """Return the pages with a rulebook, which are rebuilt even if unchanged."""
    pages = app.env.found_docs
    return [page for page in pages if MARK.search(app.env.doc2path(page).read_text(encoding="utf-8"))]


def describe(game: AnyGame) -> str:
    """Return a game's rules, rulings, options and charts as Markdown."""
    book = game.rulebook
    parts = [
        "## The rules\n",
        *(_rule(game, rule, [ruling.id for ruling in book.ruling if ruling.rule == rule.number]) for rule in book.rule),
        "## The rulings\n",
        *(_ruling(game, ruling) for ruling in book.ruling),
        "## The options\n",
        *_options(game),
        "## The scenarios\n",
        *(
            f"`{scenario.key}`\n: **{scenario.title}.** {scenario.summary}\n"
            for scenario in game.rules.scenarios(game.data)
        ),
        "## The charts\n",
        *(line for chart in game.presentation.charts(game.data) for line in _chart(game, chart)),
    ]
    return "\n".join(parts)


def _anchor(game: AnyGame, number: str) -> str:
    """Return the anchor of a rule, unique among the games."""
    return f"{game.key}-rule-{number.lower().replace('.', '-')}"


def _link(game: AnyGame, number: str) -> str:
    return f"[{number}](#{_anchor(game, number)})"


def _rule(game: AnyGame, rule: Rule, rulings: Sequence[str]) -> str:
    """Return a rule: a heading for a section, a paragraph for a subsection."""
    also = f" *See {', '.join(_link(game, ruling) for ruling in rulings)}.*" if rulings else ""
    head = f"**{rule.number} {rule.title}.** " if "." in rule.number else f"### {rule.number} {rule.title}\n\n"
    return f"({_anchor(game, rule.number)})=\n{head}{rule.text}{also}\n"


def _ruling(game: AnyGame, ruling: Ruling) -> str:
    option = f" *Option:* `{ruling.option}`." if ruling.option else ""
    return (
        f"({_anchor(game, ruling.id)})=\n**{ruling.id} {ruling.title}** (on {_link(game, ruling.rule)}). {ruling.text} "
        f"*Why:* {ruling.reason}{option}\n"
    )


def _options(game: AnyGame) -> Iterator[str]:
    yield "| option | what it is | choice | what it means | ruling |\n| --- | --- | --- | --- | --- |"
    for option in game.options:
        for number, (choice, meaning) in enumerate(option.choices.items()):
            name = (f"`{option.key}`", option.title) if number == 0 else ("", "")
            text = f"**`{choice}`**" if choice == option.default else f"`{choice}`"
            rule = _link(game, option.rule) if number == 0 else ""
            yield f"| {name[0]} | {name[1]} | {text} | {meaning} | {rule} |"
    yield "\nThe choice in bold is the one that counts unless you name another.\n"


def _chart(game: AnyGame, chart: Chart) -> Iterator[str]:
    yield f"### {chart.title}\n"
    yield f"Chart `{chart.id}`, for {_link(game, chart.rule)}. Source: {chart.source}; {chart.origin}.\n"
    yield f"| {chart.dice} | {' | '.join(chart.columns)} |"
    yield "| --- " * (len(chart.columns) + 1) + "|"
    yield from (f"| {row} | {' | '.join(cells)} |" for row, cells in chart.rows.items())
    yield ""
