"""The analysis service of the server: a limited number of analyses at a time, run without holding the match."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Any

import msgspec

from readyroom.bots.analysis import DecisionAnalysis, RatedAnswer, analyze, chance_of
from readyroom.bots.search import Limit
from readyroom.engine.errors import ReadyRoomError
from readyroom.store import MatchSummary, Store

LIMIT = Limit(1.5)
"""The limit of one analysis."""
AT_ONCE = 2
"""The number of analyses at a time."""
ANSWERS_SHOWN = 6
"""The number of answers shown on a page, best first."""


class Busy(ReadyRoomError):
    """All analysis slots are in use."""


class AnalysisService:
    """Analyzes a decision at once, or rejects the request while it is busy with `at_once` others."""

    def __init__(self, limit: Limit = LIMIT, at_once: int = AT_ONCE) -> None:
        self.limit = limit
        self._free = BoundedSemaphore(at_once)

    def analyze(self, store: Store, summary: MatchSummary, seat: str) -> DecisionAnalysis:
        """Analyze a seat's decision; the match is held only while a position is sampled.

        Raises `Busy`, or `NotYourDecision` or `MatchOver` if the seat has no pending decision.
        """
        if not self._free.acquire(blocking=False):
            raise Busy("The server is busy with another analysis. Try again in a moment.")
        try:
            with store.matches.open(summary.id, summary.true_revision) as match:
                decision = match.decision_for(seat)
                chance, revision = chance_of(match, decision), match.revision_for(seat, decision.revision)
                imagined = match.imagine(seat, chance)
            return msgspec.structs.replace(analyze(imagined, seat, self.limit, chance), revision=revision)
        finally:
            self._free.release()


def page_data(advice: DecisionAnalysis) -> dict[str, Any]:
    """Return an analysis for the page: each answer with its bar and error range in percent."""
    return {"advice": advice, "bars": [_bar(rated) for rated in advice.rated[:ANSWERS_SHOWN]]}


def _bar(rated: RatedAnswer) -> dict[str, Any]:
    least, most = max(0.0, rated.utility - rated.error), min(1.0, rated.utility + rated.error)
    ends = {"end": rated.utility, "least": least, "most": most}
    return {"rated": rated, **{name: round(100 * share, 1) for name, share in ends.items()}}
