"""The analysis service of the server: a worker analyzes a copy of the match, and the client sees its progress."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from litestar.concurrency import sync_to_thread

from readyroom.bots.analysis import FEWEST, DecisionAnalysis, RatedAnswer, analysis_seed, error_text, range_text
from readyroom.bots.search import Limit
from readyroom.engine.errors import IllegalChoice
from readyroom.engine.match.snapshot import Saved
from readyroom.store import MatchSummary, Store
from readyroom.web.jobs.client_jobs import finish_for
from readyroom.web.jobs.tasks import analyze_saved
from readyroom.web.jobs.workers import ANALYSIS, LONG_ANALYSIS, Job, WorkerPool
from readyroom.web.rendering import AppRequest
from readyroom.web.security import client

LIMIT, LONGER = Limit(8.0, 4 * FEWEST), Limit(30.0, 16 * FEWEST)
"""The limits of an analysis, and of a longer one: enough rounds for percentages, if there is time."""
ANSWERS_SHOWN = 6
"""The number of answers shown on a page, best first."""


class AnalysisService:
    """Analyzes decisions in the worker processes; `limit` and `longer` are those of an analysis and of a longer one."""

    def __init__(self, workers: WorkerPool, limit: Limit = LIMIT, longer: Limit = LONGER) -> None:
        self.workers, self.limit, self.longer = workers, limit, longer
        self._running: dict[tuple[str, str, str], Job] = {}

    async def analyze(
        self,
        request: AppRequest,
        store: Store,
        summary: MatchSummary,
        seat: str,
        *,
        longer: bool = False,
        keys: Sequence[str] = (),
    ) -> DecisionAnalysis:
        """Analyze a seat's decision; the match is held only while it is copied.

        `keys` are the options that the player has selected; they are tried, too, if they are a legal answer.
        A longer analysis begins with the rollouts of a shorter one, which have the same dice. Raises `Busy` or
        `JobFailed`, what `MatchSummary.check_help` raises, or `NotYourDecision` or `MatchOver` if the seat has no
        pending decision.
        """
        await sync_to_thread(store.matches.use_help, summary)
        kind, limit = (LONG_ANALYSIS, self.longer) if longer else (ANALYSIS, self.limit)
        self.workers.check_room(client(request), kind)
        saved, seed, revision, selected = await sync_to_thread(_copy, store, summary, seat, keys)
        job = self.workers.submit(client(request), kind, analyze_saved, saved, seat, limit, seed, selected)
        key = (client(request), summary.id, seat)
        self._running[key] = job
        try:
            analysis: DecisionAnalysis = await finish_for(request, job)
        finally:
            if self._running.get(key) is job:
                del self._running[key]
        return msgspec.structs.replace(analysis, revision=revision)

    def progress(self, client: str, match_id: str, seat: str) -> Progress:
        """Return the progress of a client's analysis; no rollouts if there is none."""
        job = self._running.get((client, match_id, seat))
        if job is None or job.over:
            return Progress(0, 0, 0)
        done, total = job.counts if job.state == "running" else (0, 0)
        return Progress(int(done), int(total) if total > 1 else 0, job.place)


class Progress(NamedTuple):
    """The rollouts of an analysis so far and at most, and its place in the queue: 0 once it has started."""

    done: int
    total: int
    place: int


def _copy(
    store: Store, summary: MatchSummary, seat: str, keys: Sequence[str]
) -> tuple[Saved, str, int, tuple[str, ...] | None]:
    """Return the match, the seed, the revision of the decision as its seat counts, and the keys if they are legal."""
    with store.matches.open(summary.id, summary.true_revision) as match:
        decision = match.decision_for(seat)
        saved = match.saved().with_data(match.game.data_fingerprint)
        selected = None
        with suppress(IllegalChoice):
            selected = decision.accept(list(keys))[0] if keys else None
        return saved, analysis_seed(match, decision), match.revision_for(seat, decision.revision), selected


def page_data(advice: DecisionAnalysis, *, longer: bool = False) -> dict[str, Any]:
    """Return an analysis for the page: ranked answers with their bars and error ranges in percent, and the others.

    `can_continue` says whether a longer analysis can find more.
    """
    best = advice.rated[:ANSWERS_SHOWN]
    shown = [*best, *(rated for rated in advice.rated[ANSWERS_SHOWN:] if rated.is_selected)]
    return {
        "advice": advice,
        "ranked": [_bar(rated, advice.chances) for rated in shown if rated.is_ranked],
        "selected": " ".join(next((rated.keys for rated in advice.rated if rated.is_selected), ())),
        "others": [rated for rated in shown if not rated.is_ranked],
        "more": len(advice.rated) - len(shown),
        "fewest": FEWEST,
        "can_continue": not longer and len(advice.rated) > 1,
    }


def _bar(rated: RatedAnswer, chances: bool) -> dict[str, Any]:
    least, most = max(0.0, rated.utility - rated.error), min(1.0, rated.utility + rated.error)
    ends = {"end": rated.utility, "least": least, "most": most}
    shares = {name: round(100 * share, 1) for name, share in ends.items()}
    errors = {
        "range": range_text(rated.utility, rated.error, chances),
        "advantage_error": error_text(rated.advantage_error, chances=False),
    }
    return {"rated": rated, **shares, **errors}
