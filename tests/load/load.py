"""Load test over HTTP against a real server: `python -m tests.load.load`, or `make load`.

Every match has a bot on each seat, which answers about once a second, and a spectator who receives its events. At the
end every acknowledged decision must be in the match. A second run without pauses measures the throughput.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any

import aiohttp
from tests.server.running import SECRET, Server
from tests.store.postgres import shared

from readyroom.web.client import FACE, decision_of

GAME = "midway"
PATIENCE = aiohttp.ClientTimeout(total=30.0)
RAMP_UP = 5.0
"""Seconds over which matches are created, unless bots answer without pause."""
FOREVER = aiohttp.ClientTimeout(total=None)


@dataclass
class Measurements:
    """Measurements: seconds of each answer, errors, and the events that spectators received."""

    answers: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    events: int = 0
    matches: int = 0


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


async def ask(http: aiohttp.ClientSession, match: LiveMatch, seat: str) -> dict[str, Any]:
    """Return a seat's status."""
    async with http.get(f"{match.server}{FACE}/matches/{match.id}", headers=bearer(match, seat)) as response:
        return await response.json()  # type: ignore[no-any-return]


def bearer(match: LiveMatch, seat: str) -> dict[str, str]:
    """Return the authorization header of a seat."""
    return {"Authorization": f"Bearer {match.secrets[seat]}"}


async def answer(
    http: aiohttp.ClientSession, match: LiveMatch, seat: str, random: Random, measurements: Measurements
) -> str | None:
    """Answer a seat's decision at random; return the next pending seat (None: the match is over)."""
    status = match.standing.pop(seat, None) or await ask(http, match, seat)
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
    http: aiohttp.ClientSession, servers: list[str], number: int, until: float, pace: float, measurements: Measurements
) -> None:
    """Play matches one after another, each seat on another server, until the time is over."""
    random = Random(number)
    await asyncio.sleep(random.random() * RAMP_UP * pace)
    while perf_counter() < until:
        match = await open_match(http, servers[number % len(servers)])
        measurements.matches += 1
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
        await check(http, match, measurements)


async def watch(http: aiohttp.ClientSession, match: LiveMatch, measurements: Measurements) -> None:
    """Count the events of a spectator's stream."""
    async with http.get(f"{match.server}{FACE}/matches/{match.id}/events", timeout=FOREVER) as stream:
        async for line in stream.content:
            measurements.events += line.startswith(b"event: moved")


async def check(http: aiohttp.ClientSession, match: LiveMatch, measurements: Measurements) -> None:
    """Check that the match has every acknowledged decision."""
    status = await ask(http, match, next(iter(match.secrets)))
    if status["revision"] != match.acknowledged:
        measurements.errors.append(f"{match.id}: {match.acknowledged} acknowledged, {status['revision']} kept")


async def run(servers: list[str], matches: int, seconds: float, pace: float) -> dict[str, Any]:
    """Play this many matches for this long; return the measurements."""
    measurements = Measurements()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=PATIENCE) as http:
        start = perf_counter()
        await asyncio.gather(*(play(http, servers, n, start + seconds, pace, measurements) for n in range(matches)))
        spent = perf_counter() - start
    cuts = quantiles(measurements.answers, n=100) if len(measurements.answers) > 1 else [0.0] * 99
    return {
        "matches at once": matches,
        "matches opened": measurements.matches,
        "seconds": round(spent, 1),
        "decisions": len(measurements.answers),
        "decisions/s": round(len(measurements.answers) / spent, 1),
        "median, ms": round(cuts[49] * 1e3, 1),
        "99th percentile, ms": round(cuts[98] * 1e3, 1),
        "slowest, ms": round(max(measurements.answers, default=0.0) * 1e3, 1),
        "events received by spectators": measurements.events,
        "errors": len(measurements.errors),
        "first errors": measurements.errors[:3],
    }


def count_decisions(database: str | None, home: Path) -> int:
    """Return the number of decisions in the database after all servers have stopped."""
    from sqlalchemy import func, select

    from readyroom.store import Store
    from readyroom.store.database import FILE
    from readyroom.store.tables import entries

    store = Store(database or f"sqlite:///{home / FILE}", secret=SECRET if database else None)
    try:
        with store.database.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(entries)).scalar_one())
    finally:
        store.close()


def measure(title: str, database: str | None, processes: int, args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the results of both runs with this many server processes on one database."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Path(folder)
        places = [home] * processes
        servers = [stack.enter_context(Server(place, database)).url for place in places]
        results = []
        for pace, matches, seconds in ((1.0, args.matches, args.seconds), (0.0, args.flat_out, args.sprint)):
            how = "each answering about once a second" if pace else "as fast as it goes"
            print(f"{title}, {matches} matches {how}, {seconds:.0f} s ...", file=sys.stderr)
            results.append({"what": f"{title}, {how}", **asyncio.run(run(servers, matches, seconds, pace))})
        stack.close()
        data = sum(each["decisions"] for each in results)
        print(f"{title}: {data} decisions answered, {count_decisions(database, home)} in the database", file=sys.stderr)
    return results


def main(arguments: list[str]) -> int:
    """Print the results; return 1 after any error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--flat-out", type=int, default=16, help="matches at once in the run as fast as it goes")
    parser.add_argument("--sprint", type=float, default=20.0, help="its seconds")
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    results: list[dict[str, Any]] = []
    if args.only != "postgresql":
        results += measure("SQLite, one process", None, 1, args)
    if args.only != "sqlite":
        with tempfile.TemporaryDirectory() as folder, shared(Path(folder)) as postgres:
            results += measure("PostgreSQL, two processes", postgres.new_database(), 2, args)
    if args.json:
        print(json.dumps(results))
    else:
        for each in results:
            print("\n".join(f"{name:28}{value}" for name, value in each.items()), end="\n\n")
    return 1 if any(each["errors"] for each in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
