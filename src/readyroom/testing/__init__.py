"""What a game has to keep to, as checks that anybody can run over his own game.

`conform` plays a game at random, over every scenario and option, and says what it found. `examine` looks at one such
playout again, and `playout` gives the match itself, so that a fault can be stood before. `run` runs a rule by itself,
with answers that a test has written down. `coverage` says which rules the game's code cites and its tests exercise;
`slips` finds in its source what no type checker sees, a forgotten `yield from` above all.
"""

from readyroom.testing.conform import check_game, check_playout, variants
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
    "check_playout",
    "coverage",
    "lint",
    "playout",
    "run",
    "transcript",
    "variants",
]
