"""Checkpoints of a match, and a match saved to be resumed later."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from readyroom.engine.record import format as records


class Checkpoint(msgspec.Struct, frozen=True, gc=False):
    """A phase boundary: the number of decisions, log lines and secret blocks before it, and the state."""

    position: int
    lines: int
    blocks: int
    state: Any  # bytes, or a state that is never changed


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """A match after a number of decisions and undos: its last checkpoint, and how many decisions are final."""

    revision: int
    barrier: int
    checkpoint: Checkpoint


class ResumePoint(NamedTuple):
    """Where to resume: a checkpoint (state as bytes), how many decisions are final, and a MAC over both."""

    checkpoint: Checkpoint
    barrier: int
    state_mac: str


class Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match saved at its last checkpoint, as plain data: header, record entries, and the state.

    `entries` and `undos` are the lines of its record, `active_entries` the numbers of the decisions not undone: the
    first `position` of them are before the checkpoint, the first `barrier` can no longer be undone. `sealed` is a
    scenario that is hidden until the match is over. It contains the secret behind the dice: it is for the server, never
    for a seat.
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
    sealed: records.Sealed | None = None

    def with_data(self, fingerprint: str) -> Saved:
        """Return it as if it had been played with the game data of this fingerprint, so that it can be resumed."""
        return replace(self, header=replace(self.header, data=fingerprint))


def compute_mac(secret: bytes, state: bytes, place: tuple[int, ...]) -> str:
    """Return the message authentication code of a saved state and its position; only the secret's owner can make it."""
    mac = blake2b(msgspec.msgpack.encode(place), key=secret[:64], digest_size=16)
    mac.update(state)
    return mac.hexdigest()
