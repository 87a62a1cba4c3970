"""What is kept of a match between decisions: checkpoints, and a match put down to be resumed."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from readyroom.engine import record as records
from readyroom.engine.errors import ReadyRoomError

MISFITS = (ReadyRoomError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""How code that has changed shows that it cannot go on with what older code has kept."""


class Checkpoint(msgspec.Struct, frozen=True, gc=False):
    """A phase boundary: how many decisions and log lines lie before it, and the state as the game keeps it."""

    position: int
    lines: int
    blocks: int
    state: Any  # bytes, or a state that nobody changes


class Imagined(NamedTuple):
    """What was imagined in a match: at how many decisions, by which seat, and where its generator stood."""

    position: int
    seat: str
    random_state: tuple[Any, ...]


class ResumePoint(NamedTuple):
    """Where a match is taken up again: a checkpoint, how many decisions can no longer be undone, and a seal on both.

    The state of this checkpoint is written down: it is bytes.
    """

    checkpoint: Checkpoint
    barrier: int
    state_mac: str


class Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match put down at its last checkpoint, as plain data: what it is, what was told, and the state there.

    `entries` and `undos` are the lines of its record, `standing` the numbers of the decisions that were not undone;
    the first `position` of these lie before the checkpoint, and the first `barrier` can no longer be undone. It holds
    the secret behind the dice: it is for whoever keeps the match, never for a seat.
    """

    header: records.Header
    secret: bytes
    revision: int
    entries: list[records.Entry]
    undos: list[records.Undo]
    active_entries: list[int]
    position: int
    blocks: int
    barrier: int
    state: bytes
    state_mac: str


def compute_mac(secret: bytes, state: bytes, place: tuple[int, ...]) -> str:
    """What only the keeper of the secret can write under a saved state and the place where it stands."""
    sealed = blake2b(msgspec.msgpack.encode(place), key=secret[:64], digest_size=16)
    sealed.update(state)
    return sealed.hexdigest()
