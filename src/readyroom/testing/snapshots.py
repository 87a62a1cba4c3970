"""What a table shows, as bytes, so that two tables can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from readyroom.engine.decisions import Decision
from readyroom.engine.table import LogLine
from readyroom.testing.playouts import AnyMatch

AROUND = 60
"""So many bytes are shown on either side of where two texts part."""


def question(decision: Decision | None) -> bytes:
    """All that a seat can read of a decision, but for its revision."""
    if decision is None:
        return b"nothing"
    told: list[Any] = [
        decision.kind,
        decision.seat,
        decision.rule,
        decision.question,
        decision.instruction(),
        decision.at_least,
        decision.at_most,
        decision.budget,
        decision.options,
        decision.unavailable,
    ]
    return msgspec.json.encode(told)


def view(match: AnyMatch, seat: str | None) -> bytes:
    """A seat's view."""
    return msgspec.json.encode(match.view(seat))


def log(match: AnyMatch, seat: str | None) -> bytes:
    """A seat's log."""
    return lines(match.log(seat))


def lines(told: Iterable[LogLine]) -> bytes:
    """Lines of a log, with their readers."""
    return b"\n".join(map(_line, told))


def _line(line: LogLine) -> bytes:
    return msgspec.json.encode(line.plain() | {"to": line.audience})


def _logs(match: AnyMatch) -> dict[str, bytes]:
    """The log of every onlooker, by name; a line that several read is put into words once."""
    spelt: dict[int, bytes] = {}

    def spell(line: LogLine) -> bytes:
        if id(line) not in spelt:
            spelt[id(line)] = _line(line)
        return spelt[id(line)]

    return {f"the log of {seat}": b"\n".join(map(spell, match.log(seat))) for seat in viewers(match)}


def viewers(match: AnyMatch) -> list[str | None]:
    """Every seat, and a spectator."""
    return [*(seat.key for seat in match.seats), None]


def table_snapshot(match: AnyMatch) -> dict[str, bytes]:
    """All that a table shows to anybody, and the digest of its state, by name."""
    told = {"the digest": match.digest().encode(), "the outcome": msgspec.json.encode(match.outcome)}
    told |= {f"the question to {seat}": question(decision) for seat, decision in match.pending.items()}
    told |= {f"the view of {seat}": view(match, seat) for seat in viewers(match)}
    return told | _logs(match)


def difference(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> str:
    """Names what differs first between two tables; empty where nothing does."""
    for name in [*one, *(name for name in other if name not in one)]:
        mine, yours = one.get(name, b"nothing"), other.get(name, b"nothing")
        if mine != yours:
            return f"{name} differs: {excerpt(mine, yours)}"
    return ""


def excerpt(one: bytes, other: bytes) -> str:
    """The place where two texts part, in both."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    span = slice(max(0, at - AROUND), at + AROUND)
    return f"{one[span].decode(errors='replace')!r} and {other[span].decode(errors='replace')!r}"
