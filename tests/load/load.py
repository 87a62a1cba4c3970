"""Many matches at once, played over HTTP against a real server: `python -m tests.load.load`, or `make load`.

Every match has a bot on each seat that answers about once a second, and a spectator who listens to its events. At the
end every acknowledged decision must be in the match. Then the same as fast as it goes, for the throughput.
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
from tests.server.running import Server
from tests.store.postgres import shared

from readyroom.web.client import FACE, decision_of

GAME = "midway"
PATIENCE = aiohttp.ClientTimeout(total=30.0)
GATHERING = 5.0
"""Seconds over which the matches are opened, unless all goes as fast as it can."""
FOREVER = aiohttp.ClientTimeout(total=None)


@dataclass
class Seen:
    """What was measured: the seconds that each answer took, what went wrong, and the notes that spectators heard."""

    answers: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: int = 0
    matches: int = 0


@dataclass
class Played:
    """A match under way: where it is played, its seats' secrets, and how many decisions were acknowledged."""

    server: str
    id: str
    secrets: dict[str, str]
    standing: dict[str, dict[str, Any]] = field(default_factory=dict)  # the last status of each seat, until it answers
    acknowledged: int = 0


async def open_match(http: aiohttp.ClientSession, server: str) -> Played:
    """A match whose seats are all ours."""
    async with http.post(f"{server}{FACE}/matches", json={"game": GAME}) as response:
        opened = await response.json()
    return Played(server, opened["id"], opened["seats"])


async def ask(http: aiohttp.ClientSession, played: Played, seat: str) -> dict[str, Any]:
    """How the match stands for a seat."""
    async with http.get(f"{played.server}{FACE}/matches/{played.id}", headers=bearer(played, seat)) as response:
        return await response.json()  # type: ignore[no-any-return]


def bearer(played: Played, seat: str) -> dict[str, str]:
    """The header that proves a seat."""
    return {"Authorization": f"Bearer {played.secrets[seat]}"}


async def answer(http: aiohttp.ClientSession, played: Played, seat: str, random: Random, seen: Seen) -> str | None:
    """Answer what this seat owes, at random; the seat that owes next (None: the match is over)."""
    status = played.standing.pop(seat, None) or await ask(http, played, seat)
    if status["pending"] is None:
        return next(iter(status["waiting"]), None)
    decision = decision_of(status["pending"])
    data = {"keys": list(decision.sample(random)), "revision": decision.revision}
    start = perf_counter()
    url = f"{played.server}{FACE}/matches/{played.id}/decisions"
    async with http.post(url, json=data, headers=bearer(played, seat)) as sent:
        status = await sent.json()
    seen.answers.append(perf_counter() - start)
    if not sent.ok:
        seen.faults.append(f"{sent.status} {status}")
        return seat
    played.acknowledged += 1
    if status["pending"] is not None:
        played.standing[seat] = status
    return next(iter(status["waiting"]), None)


async def play(
    http: aiohttp.ClientSession, servers: list[str], number: int, until: float, pace: float, seen: Seen
) -> None:
    """Play matches one after the other, each seat on a server of its own, until the time is over."""
    random = Random(number)
    await asyncio.sleep(random.random() * GATHERING * pace)
    while perf_counter() < until:
        played = await open_match(http, servers[number % len(servers)])
        seen.matches += 1
        spectator = asyncio.create_task(watch(http, played, seen))
        places = dict(zip(played.secrets, cycle(servers), strict=False))
        seat: str | None = next(iter(played.secrets))
        try:
            while seat is not None and perf_counter() < until:
                played.server = places[seat]
                seat = await answer(http, played, seat, random, seen)
                if pace:
                    await asyncio.sleep(random.uniform(0.5, 1.5) * pace)
        except (aiohttp.ClientError, TimeoutError) as error:
            seen.faults.append(f"{type(error).__name__} {error}")
        finally:
            spectator.cancel()
            with suppress(asyncio.CancelledError):
                await spectator
        await check(http, played, seen)


async def watch(http: aiohttp.ClientSession, played: Played, seen: Seen) -> None:
    """A spectator's event stream."""
    async with http.get(f"{played.server}{FACE}/matches/{played.id}/events", timeout=FOREVER) as stream:
        async for line in stream.content:
            seen.notes += line.startswith(b"event: moved")


async def check(http: aiohttp.ClientSession, played: Played, seen: Seen) -> None:
    """Whether every acknowledged decision is in the match."""
    status = await ask(http, played, next(iter(played.secrets)))
    if status["revision"] != played.acknowledged:
        seen.faults.append(f"{played.id}: {played.acknowledged} acknowledged, {status['revision']} kept")


async def run(servers: list[str], matches: int, seconds: float, pace: float) -> dict[str, Any]:
    """The given number of matches for so long; the figures."""
    seen = Seen()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=PATIENCE) as http:
        start = perf_counter()
        await asyncio.gather(*(play(http, servers, n, start + seconds, pace, seen) for n in range(matches)))
        spent = perf_counter() - start
    cuts = quantiles(seen.answers, n=100) if len(seen.answers) > 1 else [0.0] * 99
    return {
        "matches at once": matches,
        "matches opened": seen.matches,
        "seconds": round(spent, 1),
        "decisions": len(seen.answers),
        "decisions/s": round(len(seen.answers) / spent, 1),
        "median, ms": round(cuts[49] * 1e3, 1),
        "99th percentile, ms": round(cuts[98] * 1e3, 1),
        "slowest, ms": round(max(seen.answers, default=0.0) * 1e3, 1),
        "notes heard by spectators": seen.notes,
        "errors": len(seen.faults),
        "first errors": seen.faults[:3],
    }


def kept(database: str | None, home: Path) -> int:
    """How many decisions the database holds, once all servers are closed."""
    from sqlalchemy import func, select

    from readyroom.store import Store
    from readyroom.store.database import FILE
    from readyroom.store.tables import entries

    store = Store(database or f"sqlite:///{home / FILE}")
    try:
        with store.database.reading() as connection:
            return int(connection.execute(select(func.count()).select_from(entries)).scalar_one())
    finally:
        store.close()


def measure(title: str, database: str | None, processes: int, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    """Both runs against this many server processes on one database."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Path(folder)
        places = [home] * processes
        servers = [stack.enter_context(Server(place, database)).url for place in places]
        names = []
        for pace, matches, seconds in ((1.0, wanted.matches, wanted.seconds), (0.0, wanted.flat_out, wanted.sprint)):
            how = "each answering about once a second" if pace else "as fast as it goes"
            print(f"{title}, {matches} matches {how}, {seconds:.0f} s ...", file=sys.stderr)
            names.append({"what": f"{title}, {how}", **asyncio.run(run(servers, matches, seconds, pace))})
        stack.close()
        data = sum(each["decisions"] for each in names)
        print(f"{title}: {data} decisions answered, {kept(database, home)} in the database", file=sys.stderr)
    return names


def main(arguments: list[str]) -> int:
    """Print the figures; the exit code says whether anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--flat-out", type=int, default=16, help="matches at once in the run as fast as it goes")
    parser.add_argument("--sprint", type=float, default=20.0, help="its seconds")
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args(arguments)
    names: list[dict[str, Any]] = []
    if wanted.only != "postgresql":
        names += measure("SQLite, one process", None, 1, wanted)
    if wanted.only != "sqlite":
        with tempfile.TemporaryDirectory() as folder, shared(Path(folder)) as postgres:
            names += measure("PostgreSQL, two processes", postgres.new_database(), 2, wanted)
    if wanted.json:
        print(json.dumps(names))
    else:
        for each in names:
            print("\n".join(f"{name:28}{value}" for name, value in each.items()), end="\n\n")
    return 1 if any(each["errors"] for each in names) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
