"""The status of a match for a seat or a spectator."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import msgspec

from readyroom.engine.match import Match
from readyroom.store import MatchSummary, Store
from readyroom.web import formatting
from readyroom.web.api.response_models import (
    ClockFacts,
    DecidedFacts,
    DiceFacts,
    LogLineModel,
    MatchStatus,
    Pending,
    SeatFacts,
)
from readyroom.web.pages.cards import occupant, shown_waiting


def match_status(
    store: Store,
    summary: MatchSummary,
    seat: str | None,
    reached: int | None = None,
    since: int | None = None,
    look: bool = False,
) -> MatchStatus:
    """Return the status of a match for a seat or a spectator; `reached` is its true revision, if it has moved since."""
    facts = fixed(summary) | {"seat": seat, "lent": any(known.shared for known in summary.seats if known.key == seat)}
    if summary.decided:
        facts["decided"] = DecidedFacts(summary.decided, summary.decided_for)
    if not summary.started:
        return MatchStatus(**facts, revision=0, turn=summary.turn, phase=summary.phase, waiting=(), outcome=None)
    if summary.clock is not None:
        facts["clock"] = _clock(store.listings.summary(summary.id) if reached is not None else summary)
    with store.matches.open(summary.id, reached or summary.true_revision) as match:
        viewer = seat if summary.has_joined(seat) else None
        return MatchStatus(**facts, **moving(match, viewer, since, look, sealed=summary.is_sealed()))


def _clock(summary: MatchSummary) -> ClockFacts | None:
    if (clock := summary.clock) is None:
        return None
    now, sides = datetime.now(UTC).timestamp(), dict.fromkeys(seat.side for seat in summary.seats)
    left = {side: round(clock.seconds_left(side, now), 1) for side in sides}
    claimed = summary.decided_for if summary.decided == "time" else ""
    return ClockFacts(clock.minutes, left, () if summary.is_decided else clock.running, claimed)


def fixed(summary: MatchSummary) -> dict[str, Any]:
    """Return the parts of a status that never change."""
    return {
        "id": summary.id,
        "game": summary.game,
        "title": summary.title,
        "scenario": summary.scenario,
        "options": summary.options,
        "seats": [SeatFacts(s.key, s.name, s.side, s.bot, occupant(s), s.open) for s in summary.seats],
        "pace": summary.pace,
        "begun": summary.started,
        "fingerprint": summary.fingerprint,
        "dice": DiceFacts(summary.origin, summary.dice_label, summary.signer, summary.signature),
    }


def listed(summary: MatchSummary) -> dict[str, Any]:
    """Return a match of a list as its spectators may know it."""
    return {
        **fixed(summary),
        "revision": summary.revision,
        "turn": summary.turn,
        "phase": summary.phase,
        "waiting": shown_waiting(summary),
    }


def moving(
    match: Match[Any, Any], seat: str | None, since: int | None, look: bool, *, sealed: bool = False
) -> dict[str, Any]:
    """Return the parts of a status that change; without `since` the log is left out."""
    at, lines = match.shown_at(seat), match.log(seat)
    new_lines = lines[since:] if since is not None else []
    return {
        "revision": match.revision_for(seat),
        "turn": at.turn,
        "phase": at.phase,
        "waiting": match.shown_waiting(seat),
        "outcome": match.outcome,
        "secret": None if sealed else match.published_secret,
        "pending": cast(Pending | None, formatting.pending(match, seat)),
        "can_undo": seat is not None and match.header.origin != "daily" and match.can_undo(seat),
        "log": [cast(LogLineModel, formatting.line(line, match.game, match.seats)) for line in new_lines],
        "lines": len(lines),
        "view": msgspec.to_builtins(match.view(seat)) if look else None,
    }
