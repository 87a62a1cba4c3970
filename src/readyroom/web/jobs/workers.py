"""Worker processes for everything that can take long, with a fair queue and budgets of time and memory.

Request threads never wait for such work: they submit a job, and a handler awaits it or a page shows its progress. A job
that exceeds its budget is killed with its worker, and the worker is replaced. Workers start with the first job.
"""

from __future__ import annotations

import asyncio
import logging
import math
import multiprocessing
import os
import pickle
import secrets
import signal
import sys
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import count
from threading import Condition, Thread
from typing import Any, Literal, NamedTuple, TypeAlias

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.text import capitalize_first
from readyroom.web import affinity

LOGGER = logging.getLogger("readyroom.web")
MB = 1024 * 1024
MOST_WAITING = 100
"""The number of jobs of all clients that can wait."""
BEHIND = 10
"""The niceness of workers: how far they give way to the server."""
JOBS_PER_WORKER = 50
"""The number of jobs after which a worker is replaced, so that its memory is returned."""
PRELOADED = "readyroom.web.jobs.preload"
"""The module that loads all that jobs need, usually in the process from which workers are forked."""
OUT_OF_MEMORY = 77
"""The exit code of a worker that ran out of memory."""
PROGRESS_SLOTS = 1024
GRACE = 5.0
"""Seconds after its wall limit at which a job counts as lost, together with all workers."""

State: TypeAlias = Literal["waiting", "running", "done", "failed", "cancelled"]
Reason: TypeAlias = Literal["time", "memory", "stopped", "crashed"]


# -- kinds of jobs ---------------------------------------------------------------------------------------------------


class JobKind(NamedTuple):
    """A kind of job and its budget.

    `cpu_seconds` and `seconds` limit processor and elapsed time from the start, `memory` the bytes of data on top of
    what the worker has then; `per_client` jobs can run and wait at a time for one client. Jobs that are `long` never
    occupy all workers. `hint` says what to do if the budget is too small.
    """

    name: str
    title: str
    cpu_seconds: int
    seconds: float
    memory: int
    per_client: int
    long: bool = False
    hint: str = "Try again later."


BOTS = JobKind("bots", "bots", 20, 60.0, 512 * MB, 4)
IMPORT = JobKind("import", "import", 20, 60.0, 512 * MB, 1, hint="View it with `readyroom replay` instead.")
REPLAY = JobKind("replay", "replay", 10, 30.0, 512 * MB, 2, hint="Save the record and use `readyroom replay`.")
VERIFY = JobKind("verify", "verification", 20, 60.0, 512 * MB, 1, hint="Save the record and use `readyroom verify`.")
ANALYSIS = JobKind("analysis", "analysis", 20, 40.0, 512 * MB, 2)
LONG_ANALYSIS = JobKind("long-analysis", "long analysis", 40, 90.0, 512 * MB, 1, long=True)
WHAT_IF = JobKind(
    "what-if", "what-if", 30, 90.0, 512 * MB, 1, long=True, hint="Save the record and use `readyroom what-if`."
)
REVIEW = JobKind(
    "review", "match review", 600, 900.0, 1024 * MB, 1, long=True, hint="Save the record and use `readyroom review`."
)
STUDY = JobKind(
    "study",
    "study",
    90,
    180.0,
    1024 * MB,
    1,
    long=True,
    hint="Run fewer matches, or download it and use `readyroom study`.",
)
NOTEBOOK = JobKind(
    "notebook",
    "notebook's study",
    180,
    360.0,
    1024 * MB,
    1,
    long=True,
    hint="Run fewer matches, or download it and use `readyroom study`.",
)
OPENING = JobKind("opening", "opening position", 8, 15.0, 256 * MB, 2, hint="Use fewer pieces.")
TRIAL = JobKind("trial", "trial", 120, 180.0, 512 * MB, 1, long=True, hint="Download it and use `readyroom simulate`.")
BOT_RUNS = JobKind("bot-runs", "run of bots", 180, 360.0, 512 * MB, 1, long=True)
KINDS = (
    BOTS,
    IMPORT,
    REPLAY,
    VERIFY,
    ANALYSIS,
    LONG_ANALYSIS,
    WHAT_IF,
    REVIEW,
    STUDY,
    NOTEBOOK,
    OPENING,
    TRIAL,
    BOT_RUNS,
)


class Busy(ReadyRoomError):
    """The queue or the client's share of it is full; `retry_after` is the estimated wait in seconds."""

    def __init__(self, sentence: str, retry_after: int) -> None:
        self.retry_after = retry_after
        unit = "second" if retry_after == 1 else "seconds"
        super().__init__(f"{sentence} Try again in {retry_after} {unit}.")


class JobFailed(ReadyRoomError):
    """A job ran out of time or memory, was stopped, or its worker crashed; `reason` says which."""

    def __init__(self, kind: JobKind, reason: Reason) -> None:
        self.kind, self.reason = kind.name, reason
        subject = capitalize_first(f"the {kind.title}")
        super().__init__(
            {
                "time": f"{subject} took longer than this server allows and was stopped. {kind.hint}",
                "memory": f"{subject} needed more memory than this server allows. {kind.hint}",
                "stopped": f"{subject} was stopped. Start it again if you still need it.",
                "crashed": f"{subject} was interrupted by an error on the server. Try again.",
            }[reason]
        )


# -- in a worker -----------------------------------------------------------------------------------------------------

_progress: Any = None
_slot: int | None = None


def report_progress(done: float, total: float = 1.0) -> None:
    """Report how much of the job that this worker is running is done; ignored elsewhere."""
    if _slot is not None:
        _progress[2 * _slot], _progress[2 * _slot + 1] = done, total


def _set_up(progress: Any, processors: frozenset[int]) -> None:
    """Set up a worker: all processors, low priority, no core dumps, killed when asked to end, exit with the server.

    Everything is loaded before the first job, so that no job's budget pays for it.
    """
    global _progress
    _progress = progress
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    affinity.allow(0, processors)
    if hasattr(os, "nice"):
        os.nice(BEHIND)
    _limit("RLIMIT_CORE", 0)
    Thread(target=_end_with_the_server, daemon=True).start()
    import_module(PRELOADED)


def _end_with_the_server() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _perform(kind: JobKind, slot: int, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Run a job within its budget; raise only errors that can be sent to the server."""
    global _slot
    _slot = slot
    try:
        with _budget(kind):
            return function(*args)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            raise RuntimeError(f"{type(error).__name__}: {error}") from error
        raise
    finally:
        _slot = None


@contextmanager
def _budget(kind: JobKind) -> Iterator[None]:
    """Limit processor time and memory: the first kills this process, the second raises `MemoryError`.

    Memory is private data, not address space: libraries and thread pools reserve far more of that than they use.
    """
    _limit("RLIMIT_CPU", math.ceil(time.process_time()) + kind.cpu_seconds)
    held = _data_size()
    if held:
        _limit("RLIMIT_DATA", held + kind.memory)
    try:
        yield
    finally:
        _limit("RLIMIT_CPU", None)
        _limit("RLIMIT_DATA", None)


def _limit(name: str, soft: int | None) -> None:
    """Set a soft limit of this process (None: the hard one) where the system has it."""
    try:
        import resource

        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        resource.setrlimit(which, (hard if soft is None else soft, hard))
    except (ImportError, AttributeError, ValueError, OSError):
        return


def _data_size() -> int:
    """Return the bytes of private writable memory that this process has; 0 if unknown."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


# -- in the server ---------------------------------------------------------------------------------------------------


class Job:
    """A submitted job. Its methods can be called from any thread."""

    def __init__(self, pool: WorkerPool, client: str, kind: JobKind, call: tuple[Callable[..., Any], Any]) -> None:
        self.id = secrets.token_urlsafe(9)
        self.client, self.kind = client, kind
        self.state: State = "waiting"
        self._pool, self._call = pool, call
        self._future: Future[Any] = Future()
        self._task: ProcessFuture[Any] | None = None
        self._slot, self._started = 0, 0.0

    @property
    def share(self) -> float:
        """The finished share, from 0 to 1."""
        if self.state == "running":
            done, total = self.counts
            return float(min(1.0, max(0.0, done / total)))
        return 1.0 if self.state == "done" else 0.0

    @property
    def counts(self) -> tuple[float, float]:
        """How much of the running job is done, and how much there is at most."""
        done, total = self._pool.progress[2 * self._slot : 2 * self._slot + 2]
        return done, total or 1.0

    @property
    def place(self) -> int:
        """The place in the queue: 1 is next; 0 once it has started."""
        return self._pool.place_of(self)

    @property
    def over(self) -> bool:
        """Whether the job has ended, in whatever way."""
        return self._future.done()

    @property
    def error(self) -> BaseException | None:
        """The error of a job that is over; None if it succeeded or is not over."""
        return self._future.exception() if self._future.done() else None

    @property
    def trouble(self) -> str:
        """Why a job that is over has no result, as a sentence; empty otherwise."""
        error = self.error
        if error is None or isinstance(error, ReadyRoomError):
            return str(error or "")
        return "Something went wrong. The error was logged."

    def result(self, seconds: float | None = None) -> Any:
        """Wait in this thread and return the result, or raise the error."""
        return self._future.result(seconds)

    async def wait(self) -> Any:
        """Wait without a thread and return the result, or raise the error. Other waiters are independent."""
        loop, over = asyncio.get_running_loop(), asyncio.Event()

        def wake(job: Job) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(over.set)

        self.add_done_callback(wake)
        await over.wait()
        return self._future.result()

    def add_done_callback(self, call: Callable[[Job], object]) -> None:
        """Call a function with this job when it is over, in any thread; at once if it is over."""
        self._future.add_done_callback(lambda _: call(self))

    def cancel(self) -> None:
        """Stop the job and kill its worker if it is running; its waiters get `JobFailed`."""
        self._pool.cancel(self)


class WorkerPool:
    """A number of worker processes, and a queue in which clients take turns."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = max(2, workers or default_workers())
        self.killed: Counter[tuple[str, Reason]] = Counter()
        self._context = _context()
        self.progress: Any = [0.0] * (2 * PROGRESS_SLOTS)
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()
        self._running: list[Job] = []
        self._durations: dict[str, float] = {}
        self._changed = Condition()
        self._numbers = count()
        self._thread: Thread | None = None
        self._processes: ProcessPool | None = None
        self._closed = False

    def submit(self, client: str, kind: JobKind, function: Callable[..., Any], *args: Any) -> Job:
        """Queue a call of a module's function for a client and return at once; raise `Busy` if there is no room."""
        job = Job(self, client, kind, (function, args))
        with self._changed:
            if self._closed:
                raise JobFailed(kind, "stopped")
            self._check_room(client, kind)
            self._queues.setdefault(client, deque()).append(job)
            if self._thread is None:
                self._thread = Thread(target=self._dispatch, name="workers", daemon=True)
                self._thread.start()
            self._changed.notify()
        return job

    def check_room(self, client: str, kind: JobKind) -> None:
        """Raise `Busy` if `submit` would, before anything is prepared for the job."""
        with self._changed:
            self._check_room(client, kind)

    async def run(self, client: str, kind: JobKind, function: Callable[..., Any], *args: Any) -> Any:
        """Submit a call and return its result; the job is cancelled if the task that waits for it is."""
        job = self.submit(client, kind, function, *args)
        try:
            return await job.wait()
        except asyncio.CancelledError:
            job.cancel()
            raise

    def cancel(self, job: Job) -> None:
        """Stop a job."""
        with self._changed:
            task = job._task
            if job.state == "waiting":
                self._remove(job)
            elif job.state != "running":
                return
            job.state = "cancelled"
        if task is not None:
            task.cancel()  # its callback ends the job
        elif job not in self._running:
            self._end(job, error=JobFailed(job.kind, "stopped"))

    def place_of(self, job: Job) -> int:
        """Return a job's place in the queue if no other client joins: 1 is next; 0 if it does not wait."""
        with self._changed:
            own = self._queues.get(job.client, deque())
            if job.state != "waiting" or job not in own:
                return 0
            before, clients = own.index(job), list(self._queues)
            turn = clients.index(job.client)
            others = (
                min(len(queue), before + (i < turn)) for i, queue in enumerate(self._queues.values()) if i != turn
            )
            return 1 + before + sum(others)

    def counts(self) -> dict[tuple[str, str], int]:
        """Return the number of jobs by kind and state (waiting or running)."""
        with self._changed:
            jobs = [*self._running, *(job for queue in self._queues.values() for job in queue)]
        found = Counter((job.kind.name, "waiting" if job.state == "waiting" else "running") for job in jobs)
        return {(kind.name, state): found[kind.name, state] for kind in KINDS for state in ("waiting", "running")}

    def close(self) -> None:
        """Stop all jobs and workers; takes a fraction of a second."""
        with self._changed:
            self._closed = True
            jobs = [*self._running, *(job for queue in self._queues.values() for job in queue)]
            self._changed.notify_all()
        for job in jobs:
            job.cancel()
        if self._thread is not None:
            self._thread.join()

    # -- the queue -----------------------------------------------------------------------------------------------------

    def _check_room(self, client: str, kind: JobKind) -> None:
        queued = self._queues.get(client, ())
        own = [job for job in (*self._running, *queued) if job.client == client and job.kind.name == kind.name]
        if len(own) >= kind.per_client:
            what = f"{len(own)} of your jobs ({kind.title}) are" if len(own) > 1 else f"Your last {kind.title} is"
            raise Busy(f"{what} still running or waiting.", min(map(self._seconds_left, own)))
        waiting = sum(map(len, self._queues.values()))
        if waiting >= MOST_WAITING:
            seconds = waiting * self._typical(kind) / self.workers
            raise Busy(f"The server is busy: {waiting} jobs are waiting.", _whole_seconds(seconds))

    def _typical(self, kind: JobKind) -> float:
        """Return the typical duration of a kind of job here in seconds."""
        return self._durations.get(kind.name, kind.seconds / 10)

    def _seconds_left(self, job: Job) -> int:
        """Return an estimate of the seconds until a job ends."""
        typical = self._typical(job.kind)
        if job.state == "running":
            return _whole_seconds(typical - (time.monotonic() - job._started))
        running = sum(max(0.0, self._typical(one.kind) - time.monotonic() + one._started) for one in self._running)
        ahead = sum(self._typical(one.kind) for queue in self._queues.values() for one in queue if one is not job)
        return _whole_seconds((running + ahead) / self.workers + typical)

    def _next(self) -> Job | None:
        """Return the job to start now: of the client with the fewest running jobs, in turn."""
        if len(self._running) >= self.workers:
            return None
        long_allowed = sum(job.kind.long for job in self._running) < self.workers - 1
        running = Counter(job.client for job in self._running)
        first = [
            next((job for job in queue if long_allowed or not job.kind.long), None) for queue in self._queues.values()
        ]
        return min((job for job in first if job is not None), key=lambda job: running[job.client], default=None)

    def _remove(self, job: Job) -> None:
        """Remove a job from the queue; its client goes to the end of the line."""
        queue = self._queues[job.client]
        queue.remove(job)
        self._queues.move_to_end(job.client)
        if not queue:
            del self._queues[job.client]

    # -- the workers ---------------------------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        """Hand jobs to free workers, in a thread of its own, until the pool is closed."""
        while not self._closed:
            with self._changed:
                job = self._next()
                if job is None:
                    broken = not self._changed.wait(1.0 if self._running else None) and self._is_broken()
                else:
                    self._remove(job)
                    self._running.append(job)
                    job.state, job._slot = "running", next(self._numbers) % PROGRESS_SLOTS
                    job._started = time.monotonic()
            if job is not None:
                self._hand_over(job)
            elif broken:
                self._restart()
        self._stop_workers()

    def _hand_over(self, job: Job) -> None:
        function, args = job._call
        job._call = (function, ())
        try:
            if self._processes is None or not self._processes.active:
                self._stop_workers()
                self._start_workers()
            assert self._processes is not None
            self.progress[2 * job._slot : 2 * job._slot + 2] = [0.0, 1.0]
            task = self._processes.schedule(
                _perform, args=(job.kind, job._slot, function, args), timeout=job.kind.seconds
            )
        except (RuntimeError, OSError, EOFError) as error:
            LOGGER.error("workers cannot be started", exc_info=error)
            self._end(job, error=JobFailed(job.kind, "crashed"))
            return
        with self._changed:
            job._task, job._started = task, time.monotonic()
            cancelled = job.state == "cancelled"
        task.add_done_callback(partial(self._task_done, job))
        if cancelled:
            task.cancel()

    def _start_workers(self) -> None:
        if hasattr(self._context, "set_forkserver_preload"):
            self._context.set_forkserver_preload([PRELOADED])
        self.progress = self._context.RawArray("d", 2 * PROGRESS_SLOTS)
        affinity.allow(0)  # so that loading everything takes no time from the server
        shared = (self.progress, affinity.PROCESSORS)
        self._processes = ProcessPool(self.workers, JOBS_PER_WORKER, _set_up, shared, context=self._context)

    def _stop_workers(self) -> None:
        if self._processes is not None:
            self._processes.stop()
            with suppress(RuntimeError, OSError):
                self._processes.join()
            self._processes = None

    def _is_broken(self) -> bool:
        """Return whether the workers no longer respond."""
        now = time.monotonic()
        lost = any(now > job._started + job.kind.seconds + GRACE for job in self._running if job._task is not None)
        return lost or (self._processes is not None and not self._processes.active)

    def _restart(self) -> None:
        """Replace all workers, after an error in the machinery between them and the server."""
        LOGGER.error("workers do not respond and are replaced")
        self._stop_workers()
        for job in list(self._running):
            self._end(job, error=JobFailed(job.kind, "crashed"))

    def _task_done(self, job: Job, task: Future[Any]) -> None:
        try:
            result = task.result()
        except ReadyRoomError as error:
            self._end(job, error=error)
        except (CancelledError, TimeoutError, ProcessExpired, BrokenProcessPool) as error:
            self._end(job, error=JobFailed(job.kind, _reason(error)))
        except BaseException as error:
            LOGGER.error("a job failed: %s", job.kind.name, exc_info=error)
            self._end(job, error=error)
        else:
            self._end(job, result)

    def _end(self, job: Job, result: Any = None, *, error: BaseException | None = None) -> None:
        """Publish the end of a job, once."""
        with self._changed:
            if job in self._running:
                self._running.remove(job)
                if error is None:
                    self._note_duration(job)
                self._changed.notify()
            if job._future.done():
                return
            if job.state == "cancelled":
                error = JobFailed(job.kind, "stopped")
            else:
                job.state = "done" if error is None else "failed"
            if isinstance(error, JobFailed):
                self.killed[job.kind.name, error.reason] += 1
            job._future.set_running_or_notify_cancel()
        if error is None:
            job._future.set_result(result)
        else:
            job._future.set_exception(error)

    def _note_duration(self, job: Job) -> None:
        took = time.monotonic() - job._started
        known = self._durations.get(job.kind.name)
        self._durations[job.kind.name] = took if known is None else 0.8 * known + 0.2 * took


def default_workers() -> int:
    """Return the number of workers for this machine: one core is for the server, and two long jobs leave a worker."""
    return max(3, (os.cpu_count() or 1) - 1)


def _reason(error: BaseException) -> Reason:
    """Return why a worker was killed or ended."""
    if isinstance(error, CancelledError):
        return "stopped"
    if isinstance(error, TimeoutError):
        return "time"
    code = error.exitcode if isinstance(error, ProcessExpired) else 0
    if code == OUT_OF_MEMORY:
        return "memory"
    return "time" if hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU else "crashed"


def _whole_seconds(seconds: float) -> int:
    return max(1, min(600, math.ceil(seconds)))


def _context() -> Any:
    """Return how workers are started: forked from a small process that has loaded everything, where that exists."""
    return multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
