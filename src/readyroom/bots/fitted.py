"""What is fitted to many matches of a game, and the file in its package that keeps it.

`readyroom values GAME --fit` writes the file. It applies to one version of the game's rules and figures; with others a
game has no fitted values, until the command is run again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from readyroom.engine.game import Game

FILE = "values.npz"
ABOUT = "about"
Array: TypeAlias = NDArray[Any]


class ValueCheck(msgspec.Struct, frozen=True, kw_only=True):
    """How well values predict new matches.

    Attributes:
        view: whose numbers: a side's, or empty for the whole state.
        policies: who played before the position: policies as in the fit (`known`), or others (`unseen`).
        turns: the first and the last turn of the positions; None: all turns.
        positions, matches: how many there were.
        brier, brier_error: the mean squared error, and half of the width of its 95 % CI.
        constant: the Brier score of the best constant.
        log_loss: the mean negative log-likelihood.
        calibration: how far outcomes are from the value in ten bands of values, as a weighted mean.
    """

    view: str
    policies: str
    turns: tuple[int, int] | None
    positions: int
    matches: int
    brier: float
    brier_error: float
    constant: float
    log_loss: float
    calibration: float


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """A band of a calibration table: positions with values from `low` to `high`, their mean value and mean utility."""

    view: str
    low: float
    high: float
    positions: int
    value: float
    utility: float


class BeliefCheck(msgspec.Struct, frozen=True, kw_only=True):
    """How well a side's estimates of a hidden quantity agree with new matches, in root mean squared errors.

    `resample` is that of a random consistent state, `mean` that of the mean of the turn and phase, `belief` that of the
    estimate; `covered` is the share of positions within the 95 % interval.
    """

    side: str
    policies: str
    quantity: str
    positions: int
    resample: float
    mean: float
    belief: float
    covered: float


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a file of fitted values applies to, how it was made, and how well it predicts.

    `figures` is the fingerprint of the game's figures, `scenarios` are those that were played, and `phases` the phases
    that a library of positions names.
    """

    game: str
    version: str
    figures: str
    command: str
    matches: int
    sides: list[str]
    scenarios: list[str]
    phases: list[str]
    values: list[ValueCheck] = []
    bands: list[Band] = []
    beliefs: list[BeliefCheck] = []


class Net(NamedTuple):
    """A neural net with one hidden layer; its outputs are chances, or numbers without limits."""

    mean: Array
    scale: Array
    first: Array
    first_bias: Array
    second: Array
    second_bias: Array

    def __call__(self, rows: ArrayLike, *, chances: bool) -> Array:
        """Return the outputs of each row."""
        inputs = (np.asarray(rows, np.float32) - self.mean) / self.scale
        outputs: Array = np.tanh(inputs @ self.first + self.first_bias) @ self.second + self.second_bias
        return 1 / (1 + np.exp(-outputs)) if chances else outputs


class Fitted(NamedTuple):
    """The contents of a file: what it is about, and arrays by name."""

    about: About
    arrays: Mapping[str, Array]

    def net(self, name: str) -> Net | None:
        """Return a net by its name; None if there is none."""
        names = [f"{name}/{field}" for field in Net._fields]
        return Net(*(self.arrays[each] for each in names)) if names[0] in self.arrays else None

    def to_bytes(self) -> bytes:
        """Return the contents of the file."""
        about = np.frombuffer(msgspec.json.encode(self.about), np.uint8)
        written = BytesIO()
        arrays: dict[str, Any] = {ABOUT: about, **self.arrays}
        np.savez_compressed(written, **arrays)
        return written.getvalue()


def net_arrays(name: str, net: Net) -> dict[str, Array]:
    """Return the arrays of a net, as a file has them."""
    return {f"{name}/{field}": each for field, each in zip(Net._fields, net, strict=True)}


def from_bytes(content: bytes) -> Fitted:
    """Return what a file contains."""
    with np.load(BytesIO(content), allow_pickle=False) as opened:
        arrays = {name: opened[name] for name in opened.files}
    return Fitted(msgspec.json.decode(arrays.pop(ABOUT).tobytes(), type=About), arrays)


@lru_cache(maxsize=16)
def packaged(package: str) -> Fitted | None:
    """Return what the file in a game's package contains; None if it has none."""
    file = files(package).joinpath(FILE)
    return from_bytes(file.read_bytes()) if file.is_file() else None


def fitted(game: Game[Any, Any]) -> Fitted | None:
    """Return what is fitted to a game as it is; None if there is no file, or it is of other rules or figures."""
    found = packaged(game.package)
    return found if found is not None and applies(found.about, game) else None


def applies(about: About, game: Game[Any, Any]) -> bool:
    """Return whether a file is of a game's rules and figures."""
    return (about.game, about.version, about.figures) == (game.key, game.version, game.data_fingerprint)


def column(values: Sequence[float]) -> Array:
    """Return numbers as a row for a net."""
    return np.asarray(values, np.float32)[None, :]
