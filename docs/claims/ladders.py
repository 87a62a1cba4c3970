"""Strength of each game's bots, from ladders."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from docs.claims.parts import GAMES, TITLES, head, row

from readyroom import bots
from readyroom.engine.game import load_game
from readyroom.study.ladder import run_ladder

INTRODUCTION = """\
{matches} matches of each pair on each side, with the same dice. Elo points: the mean of a game's bots is 1000, and 400
more mean ten wins to one. Bots that look ahead take hours and are left out; see {{doc}}`ladder`.
"""


def lines(matches: int) -> Iterator[str]:
    """Yield a row for each bot of each game, the strongest first."""
    yield INTRODUCTION.format(matches=matches)
    yield head("game", "bot", "Elo points", "95 %", words=2)
    for name in GAMES:
        game = load_game(name)
        veteran = [bots.VETERAN] if bots.can_play(game, bots.VETERAN) else []
        with tempfile.TemporaryDirectory() as folder:
            names = [*game.analysis.bots, *veteran, bots.RANDOM]
            ladder = run_ladder(name, names, folder=Path(folder), matches=matches)
        for rung in ladder.rungs:
            yield row(TITLES[name], f"`{rung.bot}`", f"{rung.elo:.0f}", f"{rung.low:.0f} to {rung.high:.0f}")
