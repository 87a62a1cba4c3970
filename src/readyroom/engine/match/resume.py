"""Resume a saved match from its last checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readyroom.engine.errors import InvalidData, ReadyRoomError
from readyroom.engine.game import Game
from readyroom.engine.match.history import History
from readyroom.engine.match.match import Match, Start
from readyroom.engine.match.snapshot import Saved, compute_mac
from readyroom.engine.record.format import Parsed, RecordEntry
from readyroom.engine.record.replay import match_from_header
from readyroom.engine.rules.table import D, LogLine, S

REPLAY_ERRORS = (
    ReadyRoomError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""Errors that newer code may raise when it replays answers given under older code."""


def resume(
    saved: Saved, game: Game[S, D] | None = None, *, stand: bool = False, log: Sequence[LogLine] = ()
) -> Match[S, D]:
    """Resume a saved match from its last checkpoint.

    Only the decisions since the checkpoint are replayed, so it works with newer code of the game; for the same
    reason the log starts there, unless `log` gives the earlier lines. If a decision since the checkpoint is no
    longer legal, it raises; with `stand` the match stops before that decision and records the rest as undone.

    Raises:
        InvalidData: the saved state was changed by hand, or is not a state.
        ReadyRoomError: a decision since the checkpoint is no longer legal.
    """
    place = (saved.revision, saved.position, saved.blocks, saved.barrier, *saved.active_entries)
    if saved.state_mac != compute_mac(saved.secret, saved.state, place):
        raise InvalidData("the saved match", "state", "the state as saved", "a modified state")
    active = saved.entries
    entries: list[RecordEntry] = [*saved.entries, *saved.undos]
    if saved.undos:
        numbers = set(saved.active_entries)
        active = [entry for entry in saved.entries if entry.n in numbers]
        entries.sort(key=lambda entry: entry.n)
    history = History(active[: saved.position], entries, saved.revision, saved.barrier)
    typed = saved.entries if saved.header.dice == "told" else []
    parsed = Parsed(saved.header, list(enumerate(typed)), None, False, saved.sealed)
    start = Start(saved.state, saved.position, saved.blocks, history, log)
    match: Match[Any, Any] = match_from_header(parsed, game, saved.secret, start)
    match.repeat(active[saved.position :], REPLAY_ERRORS if stand else ())
    history.barrier = min(saved.barrier, len(history.active))
    return match
