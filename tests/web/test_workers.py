"""The worker pool: turns, caps, budgets, kills, and its end."""

from __future__ import annotations

import asyncio
import mmap
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from readyroom.engine.errors import IllegalChoice, ReadyRoomError, UnknownGame
from readyroom.web.jobs import workers
from readyroom.web.jobs.workers import KINDS, MB, Busy, Job, JobFailed, JobKind, WorkerPool, report_progress

QUICK = JobKind("quick", "test", 5, 20.0, 512 * MB, 3)
LONG = JobKind("long", "long test", 30, 60.0, 512 * MB, 3, long=True)


# -- jobs ------------------------------------------------------------------------------------------------------------


def double(number: int) -> int:
    return 2 * number


def note(path: str, name: str, seconds: float = 0.0) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{name}\n")
    time.sleep(seconds)


def advance(path: str) -> None:
    """Report a half, and end once the file exists."""
    report_progress(0.5)
    while not Path(path).exists():
        time.sleep(0.01)


def spin() -> None:
    while True:
        pass


def fill() -> int:
    return len([bytearray(MB) for _ in range(4096)])


def reserve() -> int:
    """Reserve address space without using it, as libraries and thread pools do."""
    with mmap.mmap(-1, 2048 * MB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ) as reserved:
        return len(reserved)


def is_loaded(name: str) -> bool:
    return name in sys.modules


def refuse(which: str) -> None:
    if which == "game":
        raise UnknownGame("mideway", ["midway"])
    raise IllegalChoice("7.2", "Too far.", ["a", "b"])


# -- tests -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool(2)
    yield pool
    pool.close()


def until(condition: Any, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def held(pool: WorkerPool, path: Path, clients: int = 2, kind: JobKind = QUICK) -> list[Job]:
    """Occupy workers with jobs that wait for a file."""
    jobs = [pool.submit(f"holder {i}", kind, advance, str(path)) for i in range(clients)]
    until(lambda: all(job.share == 0.5 for job in jobs))
    return jobs


def test_result_returns(pool: WorkerPool) -> None:
    assert pool.submit("a", QUICK, double, 21).result(20) == 42
    assert asyncio.run(pool.run("a", QUICK, double, 4)) == 8


def test_no_worker_starts_before_the_first_job() -> None:
    threads = threading.active_count()
    WorkerPool(2).close()
    assert threading.active_count() == threads


@pytest.mark.parametrize(("which", "kind"), [("game", UnknownGame), ("choice", IllegalChoice)])
def test_errors_keep_class_and_attributes(pool: WorkerPool, which: str, kind: type[ReadyRoomError]) -> None:
    with pytest.raises(kind) as here:
        refuse(which)
    with pytest.raises(kind) as there:
        pool.submit("a", QUICK, refuse, which).result(20)
    assert str(there.value) == str(here.value)
    own = {name: value for name, value in vars(there.value).items() if name != "traceback"}
    assert own == vars(here.value)


def test_progress_and_place(pool: WorkerPool, tmp_path: Path) -> None:
    jobs = held(pool, tmp_path / "go")
    waiting = [
        pool.submit("a", QUICK, double, 1),
        pool.submit("a", QUICK, double, 2),
        pool.submit("b", QUICK, double, 3),
    ]
    assert [job.place for job in jobs] == [0, 0]
    assert [job.place for job in waiting] == [1, 3, 2]
    assert {job.state for job in waiting} == {"waiting"}
    (tmp_path / "go").touch()
    assert [job.result(20) for job in waiting] == [2, 4, 6]
    for job in jobs:
        job.result(20)
    assert all(job.share == 1.0 and job.place == 0 for job in [*jobs, *waiting])


def test_clients_take_turns(pool: WorkerPool, tmp_path: Path) -> None:
    holders = held(pool, tmp_path / "go")
    log = str(tmp_path / "log")
    jobs = [pool.submit("greedy", QUICK, note, log, f"greedy {i}", 0.1) for i in range(3)]
    jobs += [pool.submit("late", QUICK, note, log, "late", 0.1), pool.submit("later", QUICK, note, log, "later", 0.1)]
    (tmp_path / "go").touch()
    for job in [*holders, *jobs]:
        job.result(20)
    names = Path(log).read_text(encoding="utf-8").split("\n")
    assert max(names.index("late"), names.index("later")) < names.index("greedy 2")


def test_full_share_raises_busy_with_a_wait(pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holders = held(pool, tmp_path / "go")
    jobs = [pool.submit("a", QUICK, double, i) for i in range(QUICK.per_client)]
    with pytest.raises(Busy, match=r"3 of your jobs.*Try again in \d+ second") as full:
        pool.submit("a", QUICK, double, 0)
    assert 1 <= full.value.retry_after <= 20
    jobs.append(pool.submit("a", LONG, double, 1))
    monkeypatch.setattr(workers, "MOST_WAITING", 4)
    with pytest.raises(Busy, match="4 jobs are waiting"):
        pool.submit("someone else", QUICK, double, 0)
    (tmp_path / "go").touch()
    for job in [*holders, *jobs]:
        job.result(20)
    assert pool.submit("a", QUICK, double, 0).result(20) == 0


def test_long_jobs_leave_a_worker_free(pool: WorkerPool, tmp_path: Path) -> None:
    first = held(pool, tmp_path / "go", 1, LONG)
    second = pool.submit("b", LONG, double, 1)
    assert pool.submit("c", QUICK, double, 5).result(20) == 10
    assert second.state == "waiting"
    (tmp_path / "go").touch()
    assert second.result(20) == 2
    first[0].result(20)


def test_cancelling_a_waiting_or_running_job(pool: WorkerPool, tmp_path: Path) -> None:
    running = held(pool, tmp_path / "never")
    waiting = pool.submit("a", QUICK, double, 1)
    for job in [waiting, *running]:
        job.cancel()
        with pytest.raises(JobFailed, match="was stopped") as stopped:
            job.result(5)
        assert stopped.value.reason == "stopped"
        assert job.state == "cancelled"
    before = time.monotonic()
    assert pool.submit("a", QUICK, double, 1).result(20) == 2
    assert time.monotonic() - before < 10.0, "a killed worker is replaced"


def test_cancelled_task_cancels_its_job(pool: WorkerPool, tmp_path: Path) -> None:
    async def leave() -> None:
        task = asyncio.create_task(pool.run("a", QUICK, advance, str(tmp_path / "never")))
        await asyncio.sleep(0.3)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    until(lambda: not any(pool.counts().values()))
    assert not pool._running


@pytest.mark.parametrize(
    ("kind", "function", "reason"),
    [
        (QUICK._replace(seconds=0.5), spin, "time"),
        (QUICK._replace(cpu_seconds=1), spin, "time"),
        (QUICK._replace(memory=128 * MB), fill, "memory"),
        (QUICK, os.abort, "crashed"),
    ],
    ids=["wall", "cpu", "memory", "crash"],
)
@pytest.mark.sample(2)
def test_job_over_budget_is_killed(pool: WorkerPool, kind: JobKind, function: Any, reason: str) -> None:
    before = pool.killed[kind.name, reason]  # type: ignore[index]
    job = pool.submit("a", kind, function)
    with pytest.raises(JobFailed) as failed:
        job.result(20)
    assert (failed.value.reason, job.state) == (reason, "failed")
    assert pool.killed[kind.name, reason] == before + 1  # type: ignore[index]
    assert pool.submit("a", QUICK, double, 1).result(20) == 2


def test_reserved_address_space_is_not_memory(pool: WorkerPool) -> None:
    assert pool.submit("a", QUICK._replace(memory=128 * MB), reserve).result(20) == 2048 * MB


@pytest.mark.torture(6)
def test_worker_loads_everything_before_its_first_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the first job's budget would pay for it where the process that is forked has not loaded it."""
    monkeypatch.setattr(workers, "_context", lambda: multiprocessing.get_context("spawn"))
    with closing(WorkerPool(2)) as pool:
        assert pool.submit("a", QUICK, is_loaded, "readyroom.study.studies").result(30)


def test_workers_run_behind_the_server(pool: WorkerPool) -> None:
    assert pool.submit("a", QUICK, os.nice, 0).result(20) >= workers.BEHIND


def test_closing_kills_running_jobs_within_two_seconds(tmp_path: Path) -> None:
    pool = WorkerPool(2)
    pid = pool.submit("a", QUICK, os.getpid).result(20)
    jobs = [pool.submit("a", QUICK, spin), pool.submit("b", LONG, spin), pool.submit("c", QUICK, spin)]
    until(lambda: sum(job.state == "running" for job in jobs) == 2)
    before = time.monotonic()
    pool.close()
    assert time.monotonic() - before < 2.0
    assert all(isinstance(job.error, JobFailed) for job in jobs)
    assert not alive(pid)
    with pytest.raises(JobFailed):
        pool.submit("a", QUICK, double, 1)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_workers_end_when_the_server_is_killed() -> None:
    """A killed server leaves no process behind, whatever its workers are doing."""
    child = subprocess.Popen([sys.executable, "-m", "tests.web.test_workers"], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    pids = [int(child.stdout.readline()) for _ in range(2)]
    child.kill()
    child.wait()
    child.stdout.close()
    until(lambda: not any(alive(pid) for pid in pids), 5.0)


def print_pid_and_spin() -> None:
    os.write(1, f"{os.getpid()}\n".encode())  # at once, because another worker writes there too
    spin()


def test_names_are_unique() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)


if __name__ == "__main__":
    from tests.web import test_workers

    one = WorkerPool(2)
    for client in "ab":
        one.submit(client, QUICK, test_workers.print_pid_and_spin)
    time.sleep(60)
