"""What a game has to keep to, as checks that anybody can run over his own game.

`conform` plays a game at random, over every scenario and option, and says what it found. `examine` looks at one such
playout again, and `playout` gives the match itself, so that a fault can be stood before. `run` runs a rule by itself,
with answers that a test has written down.
"""

from readyroom.testing.conform import conform, examine, variants
from readyroom.testing.findings import Fault, Findings, Promise
from readyroom.testing.playouts import Endless, playout, transcript
from readyroom.testing.running import run

__all__ = [
    "Endless",
    "Fault",
    "Findings",
    "Promise",
    "conform",
    "examine",
    "playout",
    "run",
    "transcript",
    "variants",
]
