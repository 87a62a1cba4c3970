"""Load test over HTTP against a real server: `python -m tests.load.load`, or `make load`.

Every match has a bot on each seat, which answers about once a second, and a spectator who receives its events. At the
end every acknowledged decision must be in the database. A second run has more matches that answer every three seconds,
and a third one without pauses measures the throughput.

`--before COMMIT` measures the server of that commit, too, in turns with this one, and prints the ratios of the figures.
`--rounds N` does everything N times and prints medians, and of ratios their range, too.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import aiohttp
from tests.server.running import Server, open_store
from tests.store.postgres import shared

from readyroom.web.client import FACE, decision_of

GAME = "midway"
PATIENCE = aiohttp.ClientTimeout(total=30.0)
COMPARED = (
    "decisions/s",
    "requests/s",
    "median, ms",
    "mean, ms",
    "99th percentile, ms",
    "99th percentile once all are open, ms",
    "median of a status, ms",
)
"""The games of two versions may ask different decisions; what they are asked about a status is the same."""
RAMP_UP = 5.0
"""Seconds over which matches are created, unless bots answer without pause."""
FOREVER = aiohttp.ClientTimeout(total=None)


@dataclass
class Measurements:
    """Seconds of each answer and each status, errors, events of spectators, and how many decisions were acknowledged.

    `opening` is the number of answers before all matches were open.
    """

    answers: list[float] = field(default_factory=list)
    statuses: list[float] = field(default_factory=list)
    opening: int = 0
    errors: list[str] = field(default_factory=list)
    events: int = 0
    matches: int = 0
    acknowledged: int = 0


@dataclass
class LiveMatch:
    """A match in progress: its servers, its seats' secrets, and the number of acknowledged decisions."""

    server: str
    id: str
    secrets: dict[str, str]
    standing: dict[str, dict[str, Any]] = field(default_factory=dict)  # the last status of each seat, until it answers
    acknowledged: int = 0


async def open_match(http: aiohttp.ClientSession, server: str) -> LiveMatch:
    """Create a match and claim all its seats."""
    async with http.post(f"{server}{FACE}/matches", json={"game": GAME}) as response:
        opened = await response.json()
    return LiveMatch(server, opened["id"], opened["seats"])


async def ask(http: aiohttp.ClientSession, match: LiveMatch, seat: str, measurements: Measurements) -> dict[str, Any]:
    """Return a seat's status."""
    start = perf_counter()
    async with http.get(f"{match.server}{FACE}/matches/{match.id}", headers=bearer(match, seat)) as response:
        status: dict[str, Any] = await response.json()
    measurements.statuses.append(perf_counter() - start)
    return status


def bearer(match: LiveMatch, seat: str) -> dict[str, str]:
    """Return the authorization header of a seat."""
    return {"Authorization": f"Bearer {match.secrets[seat]}"}


async def answer(
    http: aiohttp.ClientSession, match: LiveMatch, seat: str, random: Random, measurements: Measurements
) -> str | None:
    """Answer a seat's decision at random; return the next pending seat (None: the match is over)."""
    status = match.standing.pop(seat, None) or await ask(http, match, seat, measurements)
    if status["pending"] is None:
        return next(iter(status["waiting"]), None)
    decision = decision_of(status["pending"])
    data = {"keys": list(decision.sample(random)), "revision": decision.revision}
    start = perf_counter()
    url = f"{match.server}{FACE}/matches/{match.id}/decisions"
    async with http.post(url, json=data, headers=bearer(match, seat)) as response:
        status = await response.json()
    measurements.answers.append(perf_counter() - start)
    if not response.ok:
        measurements.errors.append(f"{response.status} {status}")
        return seat
    match.acknowledged += 1
    if status["pending"] is not None:
        match.standing[seat] = status
    return next(iter(status["waiting"]), None)


async def play(
    http: aiohttp.ClientSession,
    servers: list[str],
    number: int,
    matches: int,
    until: float,
    pace: float,
    measurements: Measurements,
) -> None:
    """Play matches one after another, each seat on another server, until the time is over; `matches` at once in all."""
    random = Random(number)
    await asyncio.sleep(random.random() * RAMP_UP * pace)
    while perf_counter() < until:
        match = await open_match(http, servers[number % len(servers)])
        measurements.matches += 1
        if measurements.matches <= matches:
            measurements.opening = len(measurements.answers)
        spectator = asyncio.create_task(watch(http, match, measurements))
        places = dict(zip(match.secrets, cycle(servers), strict=False))
        seat: str | None = next(iter(match.secrets))
        try:
            while seat is not None and perf_counter() < until:
                match.server = places[seat]
                seat = await answer(http, match, seat, random, measurements)
                if pace:
                    await asyncio.sleep(random.uniform(0.5, 1.5) * pace)
        except (aiohttp.ClientError, TimeoutError) as error:
            measurements.errors.append(f"{type(error).__name__} {error}")
        finally:
            spectator.cancel()
            with suppress(asyncio.CancelledError):
                await spectator
        measurements.acknowledged += match.acknowledged


async def watch(http: aiohttp.ClientSession, match: LiveMatch, measurements: Measurements) -> None:
    """Count the events of a spectator's stream."""
    async with http.get(f"{match.server}{FACE}/matches/{match.id}/events", timeout=FOREVER) as stream:
        async for line in stream.content:
            measurements.events += line.startswith(b"event: moved")


async def run(servers: list[str], matches: int, seconds: float, pace: float) -> dict[str, Any]:
    """Play this many matches for this long; return the measurements."""
    measurements = Measurements()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=PATIENCE) as http:
        start = perf_counter()
        await asyncio.gather(
            *(play(http, servers, n, matches, start + seconds, pace, measurements) for n in range(matches))
        )
        spent = perf_counter() - start
    answers, statuses = measurements.answers, measurements.statuses
    cuts, open_cuts = map(_cuts, (answers, answers[measurements.opening :]))
    return {
        "matches at once": matches,
        "matches opened": measurements.matches,
        "seconds": round(spent, 1),
        "decisions": len(answers),
        "acknowledged": measurements.acknowledged,
        "decisions/s": round(len(answers) / spent, 1),
        "requests/s": round((len(answers) + len(statuses)) / spent, 1),
        "median, ms": round(cuts[49] * 1e3, 2),
        "mean, ms": round(sum(answers) / max(1, len(answers)) * 1e3, 2),
        "99th percentile, ms": round(cuts[98] * 1e3, 1),
        "99th percentile once all are open, ms": round(open_cuts[98] * 1e3, 1),
        "slowest, ms": round(max(answers, default=0.0) * 1e3, 1),
        "median of a status, ms": round(_cuts(statuses)[49] * 1e3, 2),
        "events received by spectators": measurements.events,
        "errors": len(measurements.errors),
        "first errors": measurements.errors[:3],
    }


def _cuts(seconds: list[float]) -> list[float]:
    return quantiles(seconds, n=100) if len(seconds) > 1 else [0.0] * 99


def count_decisions(database: str | None, home: Path) -> int:
    """Return the number of decisions in the database after all servers have stopped."""
    from sqlalchemy import func, select

    from readyroom.store.tables import entries

    store = open_store(home, database)
    try:
        with store.database.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(entries)).scalar_one())
    finally:
        store.close()


def measure(
    title: str, new_database: Callable[[], str | None], processes: int, args: argparse.Namespace, source: Path | None
) -> list[dict[str, Any]]:
    """Return the results of all runs of one version (None: this one), with this many processes on a database."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home, database = Path(folder), new_database()
        servers = [stack.enter_context(Server(home, database, **_python_path(source))).url for _ in range(processes)]
        results: list[dict[str, Any]] = []
        for pace, matches, seconds in (
            (1.0, args.matches, args.seconds),
            (3.0, args.slow, args.seconds),
            (0.0, args.flat_out, args.sprint),
        ):
            how = f"each answering about every {pace:g} s" if pace else "as fast as it goes"
            print(f"{title}, {matches} matches {how}, {seconds:.0f} s ...", file=sys.stderr)
            results.append({"what": f"{title}, {how}", **asyncio.run(run(servers, matches, seconds, pace))})
        stack.close()
        acknowledged, kept = sum(one["acknowledged"] for one in results), count_decisions(database, home)
        print(f"{title}: {acknowledged} decisions acknowledged, {kept} in the database", file=sys.stderr)
        results[-1]["errors"] += max(0, acknowledged - kept)
    return results


def _python_path(source: Path | None) -> dict[str, str]:
    return {} if source is None else {"PYTHONPATH": str(source / "src")}


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Check out another commit of this repository for the block."""
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", str(Path(__file__).parents[2]), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", f"{folder}/before", commit], check=True)
        try:
            yield Path(folder, "before")
        finally:
            subprocess.run([*git, "remove", "--force", f"{folder}/before"], check=True)


def compare(before: Sequence[dict[str, Any]], now: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the medians of the rounds of both versions, and the median and the range of their ratios, now to before.

    The range of six or more rounds is an interval of more than 95 % for the median ratio.
    """
    figures = {}
    for name in COMPARED:
        ratios = sorted(after[name] / (one[name] or 1.0) for one, after in zip(before, now, strict=True))
        spread = f", {ratios[0]:.2f} to {ratios[-1]:.2f}" if len(ratios) > 1 else ""
        figures[name] = f"{middle(before)[name]} -> {middle(now)[name]} (× {median(ratios):.2f}{spread})"
    return {"what": now[0]["what"], **figures, "errors": sum(one["errors"] for one in [*before, *now])}


def main(arguments: list[str]) -> int:
    """Print the results; return 1 after any error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--slow", type=int, default=500, help="matches at once that answer every three seconds")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--flat-out", type=int, default=16, help="matches at once in the run as fast as it goes")
    parser.add_argument("--sprint", type=float, default=20.0, help="its seconds")
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--before", metavar="COMMIT", help="compare with the server of this commit")
    parser.add_argument("--rounds", type=int, default=1, help="measure so often, and print medians")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    results: list[dict[str, Any]] = []
    with ExitStack() as stack:
        sources = [stack.enter_context(checkout(args.before))] if args.before else []
        if args.only != "postgresql":
            results += _rounds("SQLite, one process", lambda: None, 1, args, sources)
        if args.only != "sqlite":
            postgres = stack.enter_context(shared(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
            results += _rounds("PostgreSQL, two processes", postgres.new_database, 2, args, sources)
    if args.json:
        print(json.dumps(results))
    else:
        for each in results:
            print("\n".join(f"{name:38}{value}" for name, value in each.items()), end="\n\n")
    return 1 if any(each["errors"] for each in results) else 0


def _rounds(
    title: str, new_database: Callable[[], str | None], processes: int, args: argparse.Namespace, sources: list[Path]
) -> list[dict[str, Any]]:
    """Measure this server and that of the other commit, if any, in turns; in every other round this one is first."""
    versions: list[Path | None] = [*sources, None]
    rounds = []
    for number in range(args.rounds):
        order = -1 if number % 2 else 1
        found = [measure(title, new_database, processes, args, version) for version in versions[::order]]
        rounds.append(found[::order])
    runs = [list(zip(*found, strict=True)) for found in zip(*rounds, strict=True)]
    return [middle(run) for run in runs[0]] if len(runs) == 1 else [compare(*pair) for pair in zip(*runs, strict=True)]


def middle(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the medians of the figures of several rounds; errors are added up."""
    figures = {name: round(median(one[name] for one in rounds), 2) for name in COMPARED}
    return {**rounds[0], **figures, "errors": sum(one["errors"] for one in rounds)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
