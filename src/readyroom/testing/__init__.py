"""The conformance kit: checks that you can run on your own game.

`check_game` plays a game at random over every scenario and option, and reports what it found. `check_playout` repeats
one such playout, and `playout` returns its match for debugging. `run` runs one rule with given answers. `coverage`
reports which rules the game's code cites and its tests exercise; `lint` finds in its source what no type checker sees,
above all a missing `yield from`.
"""

from readyroom.testing.conform import check_game, check_interference, check_playout, variants
from readyroom.testing.coverage import coverage
from readyroom.testing.findings import CheckReport, Invariant, Violation
from readyroom.testing.lint import lint
from readyroom.testing.playouts import PlayoutTooLong, playout, transcript
from readyroom.testing.running import run

__all__ = [
    "CheckReport",
    "Invariant",
    "PlayoutTooLong",
    "Violation",
    "check_game",
    "check_interference",
    "check_playout",
    "coverage",
    "lint",
    "playout",
    "run",
    "transcript",
    "variants",
]
