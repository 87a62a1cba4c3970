"""A Sphinx extension: `% credits` in a page becomes the games' credits and the sources of their figures.

Both are read from the installed games at each build.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

from readyroom import games
from readyroom.engine.credits import DISCLAIMER, SOURCES
from readyroom.engine.game import Game

MARK = re.compile(r"^% credits$", re.MULTILINE)
GAMES = ("midway", "tora", "war", "pearl", "picket", "doolittle")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", _fill_in)
    app.connect("env-get-outdated", lambda *_: ["credits"])
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _fill_in(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = MARK.sub(lambda _: "\n".join(credits_lines()), source[0])


def credits_lines() -> Iterator[str]:
    """Return a section for each game, with a table of its figures by source."""
    result = [games.load(name) for name in GAMES]
    for game in result:
        yield from _attribution(game)
    yield "## Where the figures are from\n"
    yield from _counted(result)
    yield f"\n{DISCLAIMER}"


def _attribution(game: Game[Any, Any]) -> Iterator[str]:
    result = game.credits
    assert result is not None, f"{game.key} has no credits"
    yield f"### {game.title}\n\n**{result.attribution}.** {result.text}\n\n**Ours:** {result.ours}\n"


def _counted(games: list[Game[Any, Any]]) -> Iterator[str]:
    """Yield a row for each game: tables and figures by source."""
    yield f"| | {' | '.join(SOURCES.values())} |\n| --- {'| ---: ' * len(SOURCES)}|"
    for game in games:
        tallies = [game.sources.get(source) for source in SOURCES]
        cells = [f"{tally.tables:,} / {tally.figures:,}" if tally else "–" for tally in tallies]
        yield f"| *{game.title}* | {' | '.join(cells)} |"
