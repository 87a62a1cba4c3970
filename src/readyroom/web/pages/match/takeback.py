"""Takeback requests: who asks, and what would be reverted, in terms all players may read."""

from __future__ import annotations

from dataclasses import dataclass

from readyroom.engine.match.observers import SPECTATOR
from readyroom.engine.text import count_noun
from readyroom.store import MatchSummary, Store, TakebackRequest


@dataclass(frozen=True)
class TakebackPrompt:
    """A pending takeback request: who asks, its description, and how many public decisions it reverts."""

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
    with store.matches.open(summary.id, summary.true_revision) as match:
        undone = [entry.n for entry in match.decisions_since(asked.position)]
        if not undone:
            return None
        decisions = max(1, sum(SPECTATOR not in match.unseen.get(n, ()) for n in undone))
        at = match.before(asked.position)
        phase = match.game.phase(at.phase).title
    when = f"turn {at.turn}" if at.turn else "the start"
    counted = count_noun(decisions, "decision")
    sentence = f"{asker.name} requests a takeback to {when} ({phase}); {counted} would be undone."
    return TakebackPrompt(asked, asker.name, asker.side, sentence, decisions)
