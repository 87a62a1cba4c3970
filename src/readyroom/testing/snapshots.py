"""Snapshots of what a table shows, as bytes, for comparison."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import LogLine
from readyroom.testing.playouts import AnyMatch

AROUND = 60
"""The number of bytes shown on either side of a difference."""


def question(decision: Decision | None) -> bytes:
    """Return all that a seat can read of a decision, except for its revision."""
    if decision is None:
        return b"nothing"
    asked = (decision.kind, decision.seat, decision.rule, decision.question, decision.instruction())
    limits = (decision.at_least, decision.at_most, decision.budget)
    return msgspec.json.encode([*asked, *limits, decision.options, decision.unavailable])


def view(match: AnyMatch, seat: str | None) -> bytes:
    """Return a seat's view."""
    return msgspec.json.encode(match.view(seat))


def odds_now(match: AnyMatch, seat: str | None) -> bytes:
    """Return the odds queries that a seat's decision raises."""
    return msgspec.json.encode(match.odds_now(seat))


def log(match: AnyMatch, seat: str | None) -> bytes:
    """Return a seat's log."""
    return lines(match.log(seat))


def lines(log_lines: Iterable[LogLine]) -> bytes:
    """Return log lines with their audiences."""
    return b"\n".join(map(_line, log_lines))


def _line(line: LogLine) -> bytes:
    return msgspec.json.encode(line.plain() | {"to": line.audience})


def viewers(match: AnyMatch) -> list[str | None]:
    """Return every seat, and None for a spectator."""
    return [*(seat.key for seat in match.seats), None]


def table_snapshot(match: AnyMatch) -> dict[str, bytes]:
    """Return all that a table shows to anyone, and the digest of its state, by name."""
    snapshot = {"the digest": match.digest().encode(), "the outcome": msgspec.json.encode(match.outcome)}
    snapshot |= {f"the question to {seat}": question(decision) for seat, decision in match.pending.items()}
    snapshot |= {f"the view of {seat}": view(match, seat) for seat in viewers(match)}
    texts = {id(line): _line(line) for line in match.full_log}  # each line is formatted once
    for seat in viewers(match):
        snapshot[f"the log of {seat}"] = b"\n".join(texts[id(line)] for line in match.log(seat))
    return snapshot


def difference(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> str:
    """Return a text on the first difference between two snapshots; empty if there is none."""
    for name in [*one, *(name for name in other if name not in one)]:
        mine, yours = one.get(name, b"nothing"), other.get(name, b"nothing")
        if mine != yours:
            return f"{name} differs: {excerpt(mine, yours)}"
    return ""


def excerpt(one: bytes, other: bytes) -> str:
    """Return the place where two texts first differ, from both."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    span = slice(max(0, at - AROUND), at + AROUND)
    return f"{one[span].decode(errors='replace')!r} and {other[span].decode(errors='replace')!r}"
