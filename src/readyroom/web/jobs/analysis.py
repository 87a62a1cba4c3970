"""The analysis service of the server: a worker analyzes a copy of the match, and the client waits for it."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar.concurrency import sync_to_thread

from readyroom.bots.analysis import DecisionAnalysis, RatedAnswer, analysis_seed
from readyroom.bots.search import Limit
from readyroom.engine.match.snapshot import Saved
from readyroom.store import MatchSummary, Store
from readyroom.web.jobs.client_jobs import run_for
from readyroom.web.jobs.tasks import analyze_saved
from readyroom.web.jobs.workers import ANALYSIS, WorkerPool
from readyroom.web.rendering import AppRequest
from readyroom.web.security import client

LIMIT = Limit(1.5)
"""The limit of one analysis."""
ANSWERS_SHOWN = 6
"""The number of answers shown on a page, best first."""


class AnalysisService:
    """Analyzes decisions in the worker processes; `limit` is that of one analysis."""

    def __init__(self, workers: WorkerPool, limit: Limit = LIMIT) -> None:
        self.workers, self.limit = workers, limit

    async def analyze(self, request: AppRequest, store: Store, summary: MatchSummary, seat: str) -> DecisionAnalysis:
        """Analyze a seat's decision; the match is held only while it is copied.

        Raises `Busy` or `JobFailed`, or `NotYourDecision` or `MatchOver` if the seat has no pending decision.
        """
        self.workers.check_room(client(request), ANALYSIS)
        saved, seed, revision = await sync_to_thread(_copy, store, summary, seat)
        analysis: DecisionAnalysis = await run_for(
            request, self.workers, ANALYSIS, analyze_saved, saved, seat, self.limit, seed
        )
        return msgspec.structs.replace(analysis, revision=revision)


def _copy(store: Store, summary: MatchSummary, seat: str) -> tuple[Saved, str, int]:
    """Return the match, the seed of the seat's analysis, and the revision of its decision as the seat counts it."""
    with store.matches.open(summary.id, summary.true_revision) as match:
        decision = match.decision_for(seat)
        saved = match.saved().with_data(match.game.data_fingerprint)
        return saved, analysis_seed(match, decision), match.revision_for(seat, decision.revision)


def page_data(advice: DecisionAnalysis) -> dict[str, Any]:
    """Return an analysis for the page: each answer with its bar and error range in percent."""
    return {"advice": advice, "bars": [_bar(rated) for rated in advice.rated[:ANSWERS_SHOWN]]}


def _bar(rated: RatedAnswer) -> dict[str, Any]:
    least, most = max(0.0, rated.utility - rated.error), min(1.0, rated.utility + rated.error)
    ends = {"end": rated.utility, "least": least, "most": most}
    return {"rated": rated, **{name: round(100 * share, 1) for name, share in ends.items()}}
