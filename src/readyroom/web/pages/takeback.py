"""Takeback requests: who asks, and what would be reverted, in terms all players may read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from readyroom.engine.record.format import Entry, Undo
from readyroom.engine.text import count_noun
from readyroom.store import MatchSummary, Store, TakebackRequest


@dataclass(frozen=True)
class TakebackPrompt:
    """A pending takeback request: who asks, its description, and how many decisions it reverts."""

    asked: TakebackRequest
    name: str
    side: str
    sentence: str
    decisions: int


def takeback_prompt(store: Store, summary: MatchSummary) -> TakebackPrompt | None:
    """Return the pending takeback request of a match, if there is one."""
    asked = store.matches.takeback_request(summary.id)
    if asked is None:
        return None
    asker = next(seat for seat in summary.seats if seat.key == asked.seat)
    phase, turn, decisions = _way(store, summary.id, asked.revision, asked.position)
    when = f"of turn {turn}" if turn else "before the first turn"
    undone = count_noun(decisions, "decision")
    sentence = f"{asker.name} requests a takeback to before its decision in {phase} {when}; {undone} would be undone."
    return TakebackPrompt(asked, asker.name, asker.side, sentence, decisions)


@lru_cache(maxsize=64)
def _way(store: Store, id: str, revision: int, position: int) -> tuple[str, int, int]:
    """Return the phase and turn a match would return to, and how many decisions it would revert."""
    match = store.records.match_at(id, revision)
    active: dict[int, Entry] = {}
    for entry in match.record_entries():
        if isinstance(entry, Undo):
            for n in entry.undo:
                active.pop(n, None)
        elif isinstance(entry, Entry):
            active[entry.n] = entry
    first = list(active)[position - match.decision_count]
    before = store.records.match_at(id, first - 1)
    at = before.state.at
    return before.game.phase(at.phase).title, at.turn, match.decision_count - position
