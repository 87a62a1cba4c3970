"""The analysis service: it runs analyses for players in the background, one at a time."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Any

import msgspec

from readyroom.bots.analysis import Analysis, RatedAnswer, analyze, chance_of
from readyroom.bots.search import Limit
from readyroom.engine.errors import ReadyRoomError
from readyroom.store import MatchSummary, Store

SECONDS = 1.5
"""How long it thinks about a question."""
AT_ONCE = 2
"""The number of analyses at a time."""
SHOWN = 6
"""The number of answers shown on a page, best first."""
LIMIT = Limit(SECONDS)


class Busy(ReadyRoomError):
    """The service is running as many analyses as it can."""


class AnalysisService:
    """Analyze at once, or raise that others are being served.

    Args:
        limit: how long it thinks about a question.
        at_once: about how many questions at a time.
    """

    def __init__(self, limit: Limit = LIMIT, at_once: int = AT_ONCE) -> None:
        self.limit = limit
        self._free = BoundedSemaphore(at_once)

    def analyze(self, store: Store, card: MatchSummary, seat: str) -> Analysis:
        """What a seat is advised. The match is held only while a position is imagined from which to think on.

        Raises:
            Busy.
            NotYourDecision, MatchOver: the seat is asked nothing.
        """
        if not self._free.acquire(blocking=False):
            raise Busy("The server is busy with another analysis. Try again in a moment.")
        try:
            with store.match(card.id, card.revision) as match:
                decision = match.decision_for(seat)
                chance, revision = chance_of(match, decision), decision.revision
                imagined = match.imagine(seat, chance)
            return msgspec.structs.replace(analyze(imagined, seat, self.limit, chance), revision=revision)
        finally:
            self._free.release()


def shown(advice: Analysis) -> dict[str, Any]:
    """Advice as the page draws it: for each answer where its bar ends and where its error begins and ends, of 100."""
    return {"advice": advice, "bars": [_bar(rated) for rated in advice.rated[:SHOWN]]}


def _bar(rated: RatedAnswer) -> dict[str, Any]:
    least, most = max(0.0, rated.utility - rated.error), min(1.0, rated.utility + rated.error)
    ends = {"end": rated.utility, "least": least, "most": most}
    return {"rated": rated, **{name: round(100 * share, 1) for name, share in ends.items()}}
