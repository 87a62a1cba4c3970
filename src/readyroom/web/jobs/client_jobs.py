"""Jobs of clients: those that a request waits for, and those that a page shows until they are over."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock
from typing import Any, Generic, Protocol, TypeVar

from litestar.concurrency import sync_to_thread
from markupsafe import Markup

from readyroom.campaign.record import is_war
from readyroom.engine.errors import ReadyRoomError
from readyroom.store import Player
from readyroom.store.limits import check_text
from readyroom.study.daily.challenge import Challenge
from readyroom.study.daily.results import Baseline
from readyroom.study.review import pages
from readyroom.study.review.review import EFFORT, Review
from readyroom.study.studyfile import Study, checked, parse_study
from readyroom.web.jobs import tasks
from readyroom.web.jobs.workers import (
    BOT_RUNS,
    IMPORT,
    NOTEBOOK,
    REVIEW,
    STUDY,
    TRIAL,
    WHAT_IF,
    Job,
    JobKind,
    WorkerPool,
)
from readyroom.web.rendering import AppRequest
from readyroom.web.security import client

LOGGER = logging.getLogger("readyroom.web")
KEPT = 50
"""The number of results of each kind that are kept."""
MOST_MATCHES = 400
"""The most matches of a study, all cases together."""
MOST_NOTEBOOK_MATCHES = 600
"""The same for a notebook, without the matches in which its mixes are solved."""
LONGER = 4
"""How many times as many samples a longer review has."""
PAIRS, MOST_PAIRS = 60, 240
"""The number of pairs of continuations of a what-if at first, and the most."""
SECONDS = 3.0
"""Seconds for `PAIRS` of them."""
AT_ONCE = 3.0
"""Seconds after which an import that is not finished gets a page of its own."""


async def run_for(
    request: AppRequest, workers: WorkerPool, kind: JobKind, function: Callable[..., Any], *args: Any
) -> Any:
    """Run a job for a request and return its result; it is cancelled if the client disconnects."""
    return await finish_for(request, workers.submit(client(request), kind, function, *args))


async def finish_for(request: AppRequest, job: Job) -> Any:
    """Return the result of a job that a request waits for; it is cancelled if the client disconnects."""
    watching = asyncio.create_task(_cancel_on_disconnect(request, job))
    try:
        return await job.wait()
    except asyncio.CancelledError:
        job.cancel()
        raise
    finally:
        watching.cancel()


async def _cancel_on_disconnect(request: AppRequest, job: Job) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    job.cancel()


# -- jobs with a page ------------------------------------------------------------------------------------------------


class NotYourJob(ReadyRoomError):
    """Another client started the job."""

    def __init__(self) -> None:
        super().__init__("Someone else started this. Only they can cancel it.")


class NoSuchStudy(ReadyRoomError):
    """No such study is remembered."""

    def __init__(self) -> None:
        super().__init__("Study not found. Only the most recent studies are kept.")


class NoSuchImport(ReadyRoomError):
    """No such import of this player is remembered."""

    def __init__(self) -> None:
        super().__init__("Import not found. If it has finished, the match is on your profile page.")


class TooLarge(ReadyRoomError):
    """The study has more matches than allowed here."""

    def __init__(self, asked: int, most: int = MOST_MATCHES) -> None:
        super().__init__(f"A study here can have at most {most} matches in total; this one would have {asked:,}.")


class HasJob(Protocol):
    """What is kept about a job."""

    @property
    def job(self) -> Job:
        """The job."""


@dataclass(frozen=True)
class ReviewJob:
    """A match review; `before` is the finished one that it is to replace with a longer one, if there is one."""

    job: Job
    before: Job | None = None

    @property
    def result(self) -> Review | None:
        """The longest review that is finished."""
        done = next((job for job in (self.job, self.before) if job is not None and job.state == "done"), None)
        result: Review | None = done.result() if done is not None else None
        return result

    def may_be_replaced(self, *, longer: bool) -> bool:
        """Return whether a first review, or one that is longer than the finished one, can start."""
        if self.result is None:
            return not longer and bool(self.job.trouble)
        return longer and (self.before is None or bool(self.job.trouble))


@dataclass(frozen=True)
class WhatIfJob:
    """A what-if: the match, the decision as data for its page, the answer that is compared, and the number of pairs."""

    key: str
    match: str
    decision: dict[str, Any]
    keys: Sequence[str]
    pairs: int
    job: Job


@dataclass(frozen=True)
class StudyJob:
    """A study, and its text."""

    id: str
    text: str
    study: Study
    job: Job

    @property
    def all_matches(self) -> int:
        """The number of matches."""
        return self.study.matches * len(self.study.cases)

    @property
    def report(self) -> tasks.StudyReport | None:
        """The report; None if the study has not succeeded."""
        return self.job.result() if self.job.state == "done" else None


@dataclass(frozen=True)
class NotebookJob:
    """The run of a notebook, of this id; `kept` is set once its result is saved, or there is none."""

    notebook: str
    job: Job
    kept: Event

    @property
    def over(self) -> bool:
        """Whether the run has ended, and the page can show its result."""
        return self.job.over and self.kept.is_set()


@dataclass(frozen=True)
class TrialJob:
    """The trial of a scenario, of this id; `kept` is set once its result is saved, or there is none."""

    scenario: str
    job: Job
    kept: Event

    @property
    def over(self) -> bool:
        """Whether the trial has ended, and the page can show its result."""
        return self.job.over and self.kept.is_set()


@dataclass(frozen=True)
class BaselineJob:
    """The bot runs that results of a challenge are compared with."""

    job: Job


@dataclass
class ImportJob:
    """An import for a player: a worker reads the record, then the match is written, whose address is `written`.

    `wrong` is the reason if it failed. `job` is None at the end, so that its data is freed.
    """

    id: str
    player: Player
    job: Job | None
    written: str = ""
    wrong: str = ""

    async def finish(self, job: Job, write: Callable[[Any, Player], str]) -> None:
        """Wait for the worker, and write the match or campaign; `write` returns its address."""
        try:
            self.written = await sync_to_thread(write, await job.wait(), self.player)
        except ReadyRoomError as error:
            self.wrong = str(error)
        except Exception:
            LOGGER.exception("an import failed")
            self.wrong = "Something went wrong. The error was logged."
        finally:
            self.job = None


J = TypeVar("J", bound=HasJob)


def cancel(work: HasJob, by: str) -> None:
    """Cancel the job of a client; raise `NotYourJob` for other clients."""
    if work.job.client != by:
        raise NotYourJob
    work.job.cancel()


class RecentJobs(Generic[J]):
    """The running and the last finished jobs of a kind by key."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, J] = OrderedDict()
        self._lock = Lock()

    def find(self, key: str) -> J | None:
        """Return the job of this key, if it is known."""
        return self._jobs.get(key)

    def unfinished(self) -> list[J]:
        """Return the jobs that are running or waiting."""
        with self._lock:
            return [one for one in self._jobs.values() if not one.job.over]

    def latest(self, fits: Callable[[J], bool]) -> J | None:
        """Return the job that began last of those that fit."""
        with self._lock:
            return next((one for one in reversed(self._jobs.values()) if fits(one)), None)

    def begin(
        self,
        key: str,
        start: Callable[[], J],
        may_replace: Callable[[J], bool] = lambda known: bool(known.job.trouble),
    ) -> J:
        """Start a job unless there is one of this key that it may not replace: one that runs or has succeeded."""
        with self._lock:
            known = self._jobs.get(key)
            if known is not None and not may_replace(known):
                return known
            started = self._jobs[key] = start()
            self._jobs.move_to_end(key)
            over = [key for key, one in self._jobs.items() if one.job.over]
            for old in over[: max(0, len(self._jobs) - KEPT)]:
                del self._jobs[old]
            return started


def _keep_result(job: Job, keep: Callable[[bytes], None]) -> Event:
    """Give the result of a job to a function once there is one; return what is set after that, or after a failure."""
    kept = Event()

    def finish(job: Job) -> None:
        try:
            if job.state == "done":
                keep(job.result())
        except ReadyRoomError:
            LOGGER.exception("the result of a job was not saved")
        finally:
            kept.set()

    job.add_done_callback(finish)
    return kept


class ClientJobs:
    """The reviews, what-ifs and studies that clients have requested here."""

    def __init__(self, workers: WorkerPool) -> None:
        self._workers = workers
        self.reviews = RecentJobs[ReviewJob]()
        self.what_ifs = RecentJobs[WhatIfJob]()
        self.studies = RecentJobs[StudyJob]()
        self.notebooks = RecentJobs[NotebookJob]()
        self.baselines = RecentJobs[BaselineJob]()
        self.trials = RecentJobs[TrialJob]()
        self._imports = OrderedDict[str, ImportJob]()
        self._writing = set[asyncio.Task[None]]()

    def review(self, client: str, id: str, record: str, *, longer: bool = False) -> ReviewJob:
        """Start the review of a match, or one that replaces it by a longer one, or return that; raise `Busy`."""

        def start() -> ReviewJob:
            known = self.reviews.find(id)
            before = (known.before or known.job) if known is not None and longer else None
            samples = LONGER * before.result().samples if before is not None else None
            return ReviewJob(self._workers.submit(client, REVIEW, tasks.review_record, record, EFFORT, samples), before)

        return self.reviews.begin(id, start, lambda known: known.may_be_replaced(longer=longer))

    async def import_record(
        self,
        client: str,
        player: Player,
        record: str,
        secret: bytes | None,
        write: Callable[[Any, Player], str],
    ) -> ImportJob:
        """Import a record of a match or campaign, and write it; return when that is done, or after a moment.

        Raises `ImportRejected` if the record is too large to be read, or `Busy`.
        """
        check_text(record)
        call = (tasks.read_war, record) if is_war(record) else (tasks.read_import, record, secret)
        job = self._workers.submit(client, IMPORT, *call)
        started = ImportJob(job.id, player, job)
        for old in [one.id for one in self._imports.values() if one.job is None][:-KEPT]:
            del self._imports[old]
        self._imports[job.id] = started
        writing = asyncio.create_task(started.finish(job, write))
        self._writing.add(writing)
        writing.add_done_callback(self._writing.discard)
        await asyncio.wait({writing}, timeout=AT_ONCE)
        return started

    def find_import(self, id: str, player: Player | None) -> ImportJob:
        """Return a player's import; raise `NoSuchImport`."""
        found = self._imports.get(id)
        if found is None or player is None or found.player.id != player.id:
            raise NoSuchImport
        return found

    def finished_review(self, id: str) -> Review | None:
        """Return the review of a match, if it is finished."""
        known = self.reviews.find(id)
        return known.result if known is not None else None

    def review_part(self, id: str) -> Markup | None:
        """Return the review of a match as HTML, if it is finished."""
        found = self.finished_review(id)
        return Markup(pages.review_part(found, f"/m/{id}")) if found is not None else None

    def what_if(
        self, client: str, id: str, record: str, decision: dict[str, Any], keys: Sequence[str], pairs: int
    ) -> WhatIfJob:
        """Start a what-if, or return the one that compares the same; raise `Busy`."""
        at = decision["at"]
        key = blake2b(repr((id, at, list(keys), pairs)).encode(), digest_size=9).hexdigest()
        seconds = SECONDS * pairs / PAIRS

        def start() -> WhatIfJob:
            job = self._workers.submit(client, WHAT_IF, tasks.compare_answers, record, at, list(keys), pairs, seconds)
            return WhatIfJob(key, id, decision, keys, pairs, job)

        return self.what_ifs.begin(key, start)

    def study(self, client: str, text: str) -> StudyJob:
        """Start a study from its text.

        Raises `InvalidData` or `Unknown` if the text is no valid study, `TooLarge` or `Busy` if it cannot run here now.
        """
        study = checked(parse_study(text.encode(), tasks.STUDY_FILE), tasks.STUDY_FILE)
        if study.matches * len(study.cases) > MOST_MATCHES:
            raise TooLarge(study.matches * len(study.cases))

        def start() -> StudyJob:
            return StudyJob(number, text, study, self._play(client, STUDY, tasks.play_study, text))

        number = secrets.token_urlsafe(9)
        return self.studies.begin(number, start)

    def _play(self, client: str, kind: JobKind, task: Callable[[str, Path], Any], text: str) -> Job:
        """Play a study in a folder that is deleted when it is over; raise `Busy`."""
        kept = TemporaryDirectory(prefix="study-", ignore_cleanup_errors=True)
        try:
            job = self._workers.submit(client, kind, task, text, Path(kept.name) / "study")
        except ReadyRoomError:
            kept.cleanup()
            raise
        job.add_done_callback(lambda _: kept.cleanup())
        return job

    def notebook(self, client: str, id: str, text: str, study: Study, keep: Callable[[bytes], None]) -> NotebookJob:
        """Run the study of a notebook, whose text is `text`; `keep` is given the packed report at the end.

        Raises `TooLarge` or `Busy` if it cannot run here now.
        """
        if study.matches * len(study.cases) > MOST_NOTEBOOK_MATCHES:
            raise TooLarge(study.matches * len(study.cases), MOST_NOTEBOOK_MATCHES)

        def start() -> NotebookJob:
            job = self._play(client, NOTEBOOK, tasks.play_notebook, text)
            return NotebookJob(id, job, _keep_result(job, keep))

        return self.notebooks.begin(secrets.token_urlsafe(9), start)

    def notebook_job(self, id: str) -> NotebookJob | None:
        """Return the last run of a notebook that this process knows."""
        return self.notebooks.latest(lambda one: one.notebook == id)

    def trial(self, client: str, id: str, game: str, text: str, keep: Callable[[bytes], None]) -> TrialJob:
        """Try a scenario of this id; `keep` is given the packed result at the end. Raises `Busy`."""

        def start() -> TrialJob:
            job = self._workers.submit(client, TRIAL, tasks.try_scenario, game, text)
            return TrialJob(id, job, _keep_result(job, keep))

        return self.trials.begin(secrets.token_urlsafe(9), start)

    def trial_job(self, id: str) -> TrialJob | None:
        """Return the last trial of a scenario that this process knows."""
        return self.trials.latest(lambda one: one.scenario == id)

    def baseline(self, client: str, challenge: Challenge, keep: Callable[[Challenge, Baseline], None]) -> BaselineJob:
        """Play the bot runs of a challenge, or return the job that does; `keep` is given the result. Raises `Busy`."""

        def finish(job: Job) -> None:
            try:
                if job.state == "done":
                    keep(challenge, job.result())
            except ReadyRoomError:
                LOGGER.exception("the bot runs of a challenge were not saved")

        def start() -> BaselineJob:
            job = self._workers.submit(client, BOT_RUNS, tasks.play_bot_runs, challenge.day)
            job.add_done_callback(finish)
            return BaselineJob(job)

        return self.baselines.begin(challenge.slot.key, start)

    def baseline_job(self, slot: str) -> BaselineJob | None:
        """Return the last job that played the bot runs of a slot here."""
        return self.baselines.find(slot)

    def running_study(self, client: str) -> StudyJob | None:
        """Return a study of the client that is running or waiting, if there is one."""
        return next((one for one in self.studies.unfinished() if one.job.client == client), None)

    def find_study(self, id: str) -> StudyJob:
        """Return the study of this id; raise `NoSuchStudy`."""
        found = self.studies.find(id)
        if found is None:
            raise NoSuchStudy
        return found
