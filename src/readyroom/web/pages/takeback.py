"""Takeback requests: who asks, and what would be reverted, in terms all players may read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

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
    when = f"turn {turn}" if turn else "the start"
    undone = count_noun(decisions, "decision")
    sentence = f"{asker.name} requests a takeback to {when} ({phase}); {undone} would be undone."
    return TakebackPrompt(asked, asker.name, asker.side, sentence, decisions)


@lru_cache(maxsize=64)
def _way(store: Store, id: str, revision: int, position: int) -> tuple[str, int, int]:
    """Return the phase and turn that a match at this revision would return to, and how many decisions it would undo."""
    with store.matches.open(id, revision) as match:
        at = match.before(position)
        return match.game.phase(at.phase).title, at.turn, match.decision_count - position
