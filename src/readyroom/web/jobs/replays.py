"""Positions of past play: indexes and verifications of matches, made in workers if that takes long, and remembered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from time import monotonic, thread_time
from typing import Any, Generic, TypeAlias, TypeVar

from readyroom.campaign.record import verify_war
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import load_game
from readyroom.engine.match.snapshot import Snapshot
from readyroom.engine.record.fact_moments import FactMoment, find_fact_moments
from readyroom.engine.record.format import Parsed
from readyroom.engine.record.highlights import Highlights, find_highlights, rules_hash
from readyroom.engine.record.positions import Reached, ReplayIndex, build_index
from readyroom.engine.record.replay import verify
from readyroom.engine.record.turning_points import KeyMoment, ScorePoint
from readyroom.engine.text import count_noun
from readyroom.store import MatchSummary, Store
from readyroom.web.jobs.workers import REPLAY, VERIFY, Busy, Job, JobFailed, JobKind, WorkerPool, report_progress

INLINE_ENTRIES, INLINE_SECONDS = 400, 0.02
"""The most entries of a record that is replayed in the request, and the most seconds; others go to a worker."""
INDEX_BYTES = 8 * 1024 * 1024
"""The most bytes of all indexes in memory."""
PLAYBACK_BYTES = 4 * 1024 * 1024
"""The most bytes of all playbacks in memory."""
MOMENTS = 200
"""The number of matches of which the moments of their facts are remembered."""
VERIFICATIONS = 500
"""The number of verifications remembered."""
RETRY = 60.0
"""Seconds after which a job that has failed is tried again."""

IndexParts: TypeAlias = tuple[list[Snapshot], list[Reached], list[KeyMoment], list[ScorePoint], dict[int, int]]
"""What a worker returns of an index."""

V = TypeVar("V")


@dataclass(frozen=True)
class Verification:
    """The result of verifying a record: whether it is valid (None: not known yet), a message, and the dice key.

    `checks` has the game's own integrity checks with their results.
    """

    holds: bool | None
    words: str
    secret: str
    checks: Sequence[tuple[str, bool]] = ()


class SizedCache(Generic[V]):
    """A least-recently-used cache with a limit of the sizes of its values."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._kept = OrderedDict[str, tuple[V, int]]()

    def get(self, key: str) -> V | None:
        """Return the value of a key, if it is there."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def put(self, key: str, value: V, size: int = 1) -> None:
        """Keep a value, and drop those that were not used for longest. One that is too large alone is kept alone."""
        with self._lock:
            self._kept[key] = value, size
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self.size > self._most:
                self._kept.popitem(last=False)

    @property
    def size(self) -> int:
        """The size of all values."""
        return sum(size for _, size in self._kept.values())


class JobsByKey:
    """The running jobs by key, so that none runs twice, and those that failed a moment ago."""

    def __init__(self) -> None:
        self._jobs: dict[str, tuple[Job, float]] = {}
        self._lock = Lock()

    def running(self, key: str) -> Job | None:
        """Return the running job of a key; raise its error if it failed a moment ago."""
        with self._lock:
            job, until = self._jobs.get(key, (None, 0.0))
            if job is None or (job.over and monotonic() > until):
                self._jobs.pop(key, None)
                return None
        if job.over and job.error is not None:
            raise job.error
        return job

    def start(self, key: str, submit: Callable[[], Job], done: Callable[[Any], object]) -> Job:
        """Submit a job unless one runs already, and pass on its result."""
        with self._lock:
            known = self._jobs.get(key)
            if known is not None and not known[0].over:
                return known[0]
            job = submit()
            self._jobs = {one: kept for one, kept in self._jobs.items() if not kept[0].over or monotonic() < kept[1]}
            self._jobs[key] = job, monotonic() + job.kind.seconds + RETRY

        def finish(job: Job) -> None:
            if job.error is None:
                done(job.result())
                with self._lock:
                    self._jobs.pop(key, None)

        job.add_done_callback(finish)
        return job


class Replays:
    """The indexes, verifications and playbacks of matches."""

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        self._store, self._workers = store, workers
        self._indexes = SizedCache[ReplayIndex](INDEX_BYTES)
        self._verifications = SizedCache[Verification](VERIFICATIONS)
        self._moments = SizedCache[Mapping[str, FactMoment]](MOMENTS)
        self._jobs = JobsByKey()
        self.playbacks = SizedCache[bytes](PLAYBACK_BYTES)

    def index(self, summary: MatchSummary, client: str) -> ReplayIndex | Job:
        """Return the index of a match up to its present revision, or the job that makes it for this client.

        Raises `NotStarted`, `InvalidRecord`, `Busy` or `JobFailed`.
        """
        known = self._indexes.get(summary.id)
        if known is not None and known.revision >= summary.true_revision:
            return known
        key = f"replay {summary.id}"
        if (job := self._jobs.running(key)) is not None:
            return job
        source = self._store.records.source(summary.id)
        if known is not None and known.parsed.header != source.parsed.header:
            known = None
        # As spectators count: whether the page has to wait must not depend on hidden decisions.
        if known is not None or summary.revision <= INLINE_ENTRIES:
            with suppress(TookTooLong):
                index = build_index(source.parsed, source.game, source.secret, known, progress=Deadline())
                return self._keep(summary.id, index)

        def keep(made: IndexParts) -> None:
            self._keep(summary.id, ReplayIndex(source.parsed, source.secret, *made))

        call = (client, REPLAY, make_index, source.game.key, source.parsed, source.secret, known)
        return self._start(key, call, keep)

    def highlights(self, summary: MatchSummary, client: str) -> Highlights | Job:
        """Return the highlights of a finished match, or the job that finds them. They are found once and then stored.

        Raises as `index`.
        """
        game = self._store.games(summary.game)
        rules = rules_hash(game)
        known = self._store.highlights.find(summary.id, summary.true_revision, rules)
        if known is not None:
            return known
        index = self.index(summary, client)
        if isinstance(index, Job):
            return index
        found = find_highlights(index, game)
        self._store.highlights.keep(summary.id, summary.true_revision, rules, found)
        return found

    def fact_moments(self, summary: MatchSummary, client: str) -> Mapping[str, FactMoment] | Job:
        """Return when the facts of a finished match came about, or the job that finds it; raises as `index`."""
        known = self._moments.get(summary.id)
        if known is not None:
            return known
        key = f"facts {summary.id}"
        if (job := self._jobs.running(key)) is not None:
            return job
        source = self._store.records.source(summary.id)
        if summary.true_revision <= INLINE_ENTRIES:
            with suppress(TookTooLong):
                found = find_fact_moments(source.parsed, source.game, source.secret, Deadline())
                self._moments.put(summary.id, found)
                return found

        def keep(found: Mapping[str, FactMoment]) -> None:
            self._moments.put(summary.id, found)

        return self._start(key, (client, REPLAY, make_moments, source.game.key, source.parsed, source.secret), keep)

    def war_verification(self, id: str, revision: int, text: str, client: str) -> Verification | Job:
        """Return the verification of a campaign's record, or the job that makes it; raises `Busy` or `JobFailed`."""
        key = f"war {id} {revision}"
        known = self._verifications.get(key)
        if known is not None:
            return known
        if (job := self._jobs.running(key)) is not None:
            return job

        def keep(made: Verification) -> None:
            self._verifications.put(key, made)

        job = self._start(key, (client, VERIFY, make_war_verification, text), keep)
        return self._verifications.get(key) or job

    def _keep(self, id: str, index: ReplayIndex) -> ReplayIndex:
        self._indexes.put(id, index, index.size)
        return index

    def verification(self, summary: MatchSummary, client: str, index: ReplayIndex) -> Verification:
        """Return the verification of a finished match; `holds` is None while a worker makes it for this client."""
        known = self._verifications.get(summary.id)
        if known is not None:
            return known
        ending = index.parsed.ending
        secret = ending.secrets[-1] or "" if ending is not None else ""
        try:
            made = self._verify(summary, client, secret)
        except (Busy, JobFailed) as error:
            return Verification(None, f"Not verified. {error}", secret)
        if isinstance(made, Job):
            return Verification(
                None, f"Being verified: {100 * made.share:.0f} % done. Reload to see the result.", secret
            )
        self._verifications.put(summary.id, made)
        return made

    def _verify(self, summary: MatchSummary, client: str, secret: str) -> Verification | Job:
        key = f"verify {summary.id}"
        if (job := self._jobs.running(key)) is not None:
            return job
        call = (summary.game, self._store.records.text(summary.id), secret)
        if summary.true_revision <= INLINE_ENTRIES:
            with suppress(TookTooLong):
                return make_verification(*call, progress=Deadline())

        def keep(made: Verification) -> None:
            self._verifications.put(summary.id, made)

        return self._start(key, (client, VERIFY, make_verification, *call), keep)

    def _start(
        self, key: str, call: tuple[str, JobKind, Callable[..., Any], *tuple[Any, ...]], keep: Callable[[Any], object]
    ) -> Job:
        return self._jobs.start(key, lambda: self._workers.submit(*call), keep)


def make_moments(game: str, parsed: Parsed, secret: bytes) -> Mapping[str, FactMoment]:
    """Return when the facts of a match came about."""
    return find_fact_moments(parsed, load_game(game), secret, report_progress)


def make_war_verification(text: str) -> Verification:
    """Verify the record of a campaign: every match, every link between them, and every quantity of the ledger."""
    try:
        war = verify_war(text)
    except ReadyRoomError as error:
        return Verification(False, f"Not verified: {error}", "")
    lines, matches = text.count("\n"), len(war.records)
    return Verification(
        True,
        f"Verified: {lines} lines in one hash chain, {count_noun(matches, 'match', 'matches')} replayed, and the same "
        "facts and ledger.",
        "",
    )


class TookTooLong(Exception):
    """Something took longer than a request may."""


class Deadline:
    """Raises `TookTooLong` once this thread has worked for `INLINE_SECONDS`."""

    def __init__(self) -> None:
        self._end = thread_time() + INLINE_SECONDS

    def __call__(self, share: float) -> None:
        """Check the time; the finished share does not matter."""
        if thread_time() > self._end:
            raise TookTooLong


def make_index(
    game: str,
    parsed: Parsed,
    secret: bytes,
    known: ReplayIndex | None,
) -> IndexParts:
    """Return the snapshots, phases, key moments, scores and lengths of the log of a record."""
    index = build_index(parsed, load_game(game), secret, known, progress=report_progress)
    return index.snapshots, index.reached, index.moments, index.scores, index.log_ends


def make_verification(
    game: str, text: str, secret: str, progress: Callable[[float], object] = report_progress
) -> Verification:
    """Verify the record of a finished match: replay every decision with dice from the key."""
    found = load_game(game)
    try:
        match = verify(text, found, progress=progress)
    except ReadyRoomError as error:
        return Verification(False, str(error), secret)
    lines = text.count("\n")
    message = (
        f"Verified: {lines} lines in one hash chain, {match.decision_count} decisions replayed "
        "with the dice derived from the key, and the same outcome."
    )
    if signer := match.header.signer:
        message += f" Signed with the key {signer}."
    return Verification(True, message, secret, list(found.rules.integrity_checks(match.state)))
