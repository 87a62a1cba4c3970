"""Replay, report, record and dice verification of a match."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Annotated, Any, Generic, TypeVar

from litestar import Response, Router, get
from litestar.params import QueryParameter
from litestar.response import Redirect

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.match import Match
from readyroom.engine.record.format import Entry, Fork, RecordEntry, Undo
from readyroom.engine.record.replay import verify as verify_record
from readyroom.engine.report import report as reported
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import LogLine
from readyroom.engine.text import count_noun
from readyroom.store import MatchSummary, Store
from readyroom.web import board_svg, formatting
from readyroom.web.jobs.review_queue import review_of
from readyroom.web.pages import table_view
from readyroom.web.pages.table_view import SeatName, Viewer
from readyroom.web.rendering import Page

KEPT = 24
"""The size of the caches of states, chapters and verifications."""
ALL = "all"
"""The value of `seat` that shows all sides next to each other."""
Number = Annotated[int | None, QueryParameter(ge=0)]
AnyMatch = Match[Any, Any]
K = TypeVar("K")
V = TypeVar("V")


class LRUCache(Generic[K, V]):
    """A least-recently-used cache of immutable results."""

    def __init__(self, room: int = KEPT) -> None:
        self._room, self._lock = room, Lock()
        self._kept = OrderedDict[K, V]()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """Return the cached value of a key, or make it."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        value = make()
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self._room:
                self._kept.popitem(last=False)
        return value


_STATES = LRUCache[tuple[str, int], AnyMatch]()


def match_at(store: Store, id: str, at: int) -> AnyMatch:
    """Return the match after a number of decisions and undos."""
    return _STATES.get((id, at), lambda: store.records.match_at(id, at))


# -- whose knowledge -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReplayPerspective:
    """The perspective of a replay: a seat's, a spectator's (`seat` None), or all sides' (`open`)."""

    summary: MatchSummary
    seat: str | None
    open: bool = False
    message: str = ""

    def may_know(self, seat: str) -> bool:
        """Return whether this seat's decisions may be shown."""
        return self.summary.outcome is not None or seat == self.seat

    def shown_at(self, match: AnyMatch) -> At:
        """Return the turn and phase of a position as they may be shown."""
        return match.state.at if self.summary.outcome is not None else match.shown_at(self.seat)

    def shown_waiting(self, match: AnyMatch) -> Sequence[str]:
        """Return the seats that must decide at a position, as they may be shown."""
        return list(match.pending) if self.summary.outcome is not None else match.shown_waiting(self.seat)

    @property
    def name(self) -> str:
        """The query value of this perspective."""
        return ALL if self.open else self.seat or ""


def resolve_perspective(viewer: Viewer, wanted: str | None) -> ReplayPerspective:
    """Return the requested perspective: any for a finished match, otherwise the viewer's own or a spectator's."""
    summary = viewer.summary
    if summary.outcome is None:
        return ReplayPerspective(summary, viewer.seat, message=viewer.message)
    if wanted == ALL or (wanted is None and viewer.seat is None):
        return ReplayPerspective(summary, None, open=True)
    return ReplayPerspective(summary, wanted if wanted in viewer.seats else None if wanted is not None else viewer.seat)


def views_of(summary: MatchSummary, viewer: Viewer) -> list[tuple[str, str]]:
    """Return the perspectives to choose from: query value and label."""
    if summary.outcome is None:
        return [(key, f"As {viewer.seats[key].name} sees it") for key in viewer.own] or [("", "As a spectator")]
    seats = [(seat.key, f"As {seat.name} saw it") for seat in summary.seats]
    return [(ALL, "All sides"), *seats, ("", "As a spectator")]


# -- the replay ------------------------------------------------------------------------------------------------------


@get("/m/{id:str}/replay", sync_to_thread=True)
def replay(store: Store, page: Page, id: str, at: Number = None, seat: SeatName = None) -> Response[Any]:
    """Show a moment of a match: the last decision, its results, the board, and the pending decisions."""
    viewer = _viewer(store, page, id, seat)
    if viewer.hand_to is not None:
        return _redirect_to_handover(viewer)
    perspective = resolve_perspective(viewer, seat)
    with store.matches.open(id) as match:
        numbers = [match.revision_for(perspective.seat, n) for n in range(match.revision + 1)]
    last = numbers[-1]
    at = min(last, at if at is not None else 0 if viewer.summary.outcome is not None else last)
    return page("replay.html", secret=True, **_moment(store, viewer, perspective, at, numbers))


def _viewer(store: Store, page: Page, id: str, seat: str | None) -> Viewer:
    """Return the viewer; the perspective of all sides is none of a seat."""
    wanted = None if seat in (ALL, "") else seat
    return table_view.resolve_viewer(store.lobby.summary(id), page.player, wanted, page.shape)


def _redirect_to_handover(viewer: Viewer) -> Redirect:
    """Redirect to the match, where the screen is passed on first."""
    return Redirect(f"/m/{viewer.summary.id}?seat={viewer.seat or viewer.hand_to}", status_code=303)


def _moment(
    store: Store, viewer: Viewer, perspective: ReplayPerspective, at: int, numbers: Sequence[int]
) -> dict[str, Any]:
    """Return the context of position `at` as the viewer counts it; `numbers` has this count for each true revision."""
    summary, last, n = viewer.summary, numbers[-1], numbers.index(at)
    match = match_at(store, summary.id, n)
    before = match_at(store, summary.id, n - 1) if n else None
    now = perspective.shown_at(match)
    fresh = _log(match, perspective)[len(_log(before, perspective)) if before is not None else 0 :]
    return {
        **table_view.table_base_context(viewer),
        "at": at,
        "last": last,
        "perspective": perspective,
        "views": views_of(summary, viewer),
        "turn": now.turn,
        "phase": match.game.phase(now.phase),
        "chapters": [
            (numbers[number], turn, title)
            for number, turn, title in chapters(store, summary.id, numbers.index(last), perspective)
        ],
        "decided": _decided(before, match, perspective, n),
        "log": table_view.log_chapters(match, fresh),
        "lines": len(fresh),
        "recent": len(fresh),
        "boards": _boards(match, perspective, viewer.shape),
        "asks": _asks(match, perspective, _next(store, summary, at)),
        "outcome": match.outcome if at == last else None,
        "fingerprint": match.fingerprint,
        "verification": verify(store, summary.id) if summary.outcome is not None else None,
    }


def _log(match: AnyMatch, perspective: ReplayPerspective) -> list[LogLine]:
    return match.full_log if perspective.open else match.log(perspective.seat)


def _boards(match: AnyMatch, perspective: ReplayPerspective, shape: str) -> list[dict[str, Any]]:
    """Return the board of this perspective, or one for the first seat of each side."""
    if not perspective.open:
        return [{"name": "", "side": None, "picture": _drawn(match, perspective.seat, shape)}]
    first = {seat.side: seat for seat in reversed(match.seats)}
    return [
        {"name": seat.name, "side": side, "picture": _drawn(match, seat.key, shape, f"{side}-")}
        for side, seat in reversed(first.items())
    ]


def _drawn(match: AnyMatch, seat: str | None, shape: str, separate: str = "") -> Any:
    return board_svg.draw(match.game, match.view(seat), formatting.pending(match, seat), separate, shape)


def _next(store: Store, summary: MatchSummary, at: int) -> str:
    """Return the seat that decides next in a finished match, if a decision comes next: then "What if?" is offered."""
    if summary.outcome is None or at >= summary.revision:
        return ""
    entries = match_at(store, summary.id, summary.revision).record_entries(at)
    return next((entry.seat for entry in entries if entry.n == at + 1 and isinstance(entry, Entry)), "")


def _asks(match: AnyMatch, perspective: ReplayPerspective, changes: str = "") -> list[dict[str, Any]]:
    """Return the pending decisions: in full where they may be known, otherwise only the seat.

    Even the rule may be secret: a question about fighters reveals that some were launched. `changes` is the seat whose
    answer comes next.
    """
    return [
        {
            "name": match.seat(key).name,
            "side": match.seat(key).side,
            "question": formatting.pending(match, key) if perspective.may_know(key) else None,
            "changes": key == changes,
        }
        for key in perspective.shown_waiting(match)
    ]


def _decided(before: AnyMatch | None, match: AnyMatch, perspective: ReplayPerspective, at: int) -> dict[str, Any]:
    entry = next((entry for entry in match.record_entries(at - 1) if entry.n == at), None) if at else None
    if entry is None or before is None:
        return {"words": "The match starts.", "side": None, "rule": None}
    if isinstance(entry, Fork):
        return {"words": "New dice from here on.", "side": None, "rule": None}
    seat, rule = match.seat(entry.by if isinstance(entry, Undo) else entry.seat), None
    if isinstance(entry, Undo):
        agreed = " with the others' agreement" if entry.leave else ""
        # Some of several decisions may be secret, and so may their number be.
        is_public = perspective.may_know(seat.key) or not entry.leave
        undone = count_noun(len(entry.undo), "decision") if is_public else "decisions"
        text = f"{seat.name} takes back {undone}{agreed}."
    elif not perspective.may_know(seat.key) or (asked := before.pending.get(seat.key)) is None:
        text = f"{seat.name} made a secret decision."
    else:
        text, rule = f"{seat.name}: {asked.question} {asked.describe_answer(entry.chose, None)}.", entry.rule
    return {"words": text, "side": seat.side, "rule": rule}


# -- the way through a match -----------------------------------------------------------------------------------------


Chapters = list[tuple[int, int, str]]
"""Where each phase of a match began: (number, turn, phase title)."""
_CHAPTERS = LRUCache[tuple[str, int, str | None], Chapters]()


def chapters(store: Store, id: str, last: int, perspective: ReplayPerspective) -> Chapters:
    """Return the chapters of a match up to decision `last`, as this perspective may know them."""
    seat = None if perspective.summary.outcome is not None else perspective.seat
    return _CHAPTERS.get(
        (id, last, seat),
        lambda: _chapters(store.records.match_at(id, 0), match_at(store, id, last).record_entries(), perspective),
    )


def _chapters(match: AnyMatch, entries: list[RecordEntry], perspective: ReplayPerspective) -> Chapters:
    """Replay a match and note the decision by which each phase was first reached.

    A decision that was taken back counts for nothing: whether it ended its phase may be secret.
    """
    reached = [(0, perspective.shown_at(match))]
    for entry in entries:
        if isinstance(entry, Fork):
            break
        if isinstance(entry, Undo):
            match.replay_undo(entry)
            reached = [one for one in reached if one[0] not in entry.undo]
        else:
            match.decide(entry.seat, entry.chose)
        now = perspective.shown_at(match)
        if all(now != at for _, at in reached):
            reached.append((entry.n, now))
    return [(number, at.turn, match.game.phase(at.phase).title) for number, at in reached]


# -- the proof -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verification:
    """The result of verifying a record: whether it is valid, a message, and the dice key.

    `checks` has the game's own integrity checks with their results.
    """

    holds: bool
    words: str
    secret: str
    checks: Sequence[tuple[str, bool]] = ()


_VERIFICATIONS = LRUCache[str, Verification]()


def verify(store: Store, id: str) -> Verification:
    """Verify the record of a finished match: replay every decision with dice from the key."""
    return _VERIFICATIONS.get(id, lambda: _verify(store, id))


def _verify(store: Store, id: str) -> Verification:
    text = store.records.text(id)
    with store.matches.open(id) as match:
        game, secret = match.game, match.published_secret or ""
    try:
        match = verify_record(text, game)
    except ReadyRoomError as error:
        return Verification(False, str(error), secret)
    lines = text.count("\n")
    message = (
        f"Verified: {lines} lines in one hash chain, {match.decision_count} decisions replayed "
        "with the dice derived from the key, and the same outcome."
    )
    return Verification(True, message, secret, game.rules.integrity_checks(match.state))


# -- the report, and what can be taken away --------------------------------------------------------------------------


@get("/m/{id:str}/report", sync_to_thread=True)
def report(store: Store, page: Page, id: str, seat: SeatName = None) -> Response[Any]:
    """Show the after-action report as a printable page."""
    viewer = _viewer(store, page, id, seat)
    if viewer.hand_to is not None:
        return _redirect_to_handover(viewer)
    perspective = resolve_perspective(viewer, seat)
    with store.matches.open(id) as match:
        now = perspective.shown_at(match)
        lines, game, over = _log(match, perspective), match.game, match.outcome is not None
        data: dict[str, Any] = {
            "perspective": perspective,
            "views": views_of(viewer.summary, viewer),
            "review": review_of(id),
            "scenario": match.scenario,
            "turn": now.turn,
            "phase": game.phase(now.phase),
            "outcome": match.outcome,
            "summary_image": board_svg.summary_image(game, match.view(perspective.seat)) if over else "",
            "epilogue": list(game.presentation.epilogue(match.state, game.data)) if over else [],
            "changed": game.non_default_options(match.options),
            "decisions": match.decision_count if over else None,
            "fingerprint": match.fingerprint,
            "dice_key": match.published_secret,
            "log": table_view.by_heading(table_view.log_chapters(match, lines)),
            "luck": formatting.luck(lines),
        }
    return page("report.html", secret=True, **table_view.table_base_context(viewer), **data)


@get("/m/{id:str}/report.md", sync_to_thread=True)
def report_text(store: Store, page: Page, id: str, seat: SeatName = None) -> Response[Any]:
    """Return the after-action report as Markdown."""
    viewer = _viewer(store, page, id, seat)
    if viewer.hand_to is not None:
        return _redirect_to_handover(viewer)
    with store.matches.open(id) as match:
        text = reported(match, resolve_perspective(viewer, seat).seat)
    return _file(text, "text/markdown", f"{viewer.summary.game}-{id}.md")


@get("/m/{id:str}/record.jsonl", sync_to_thread=True)
def record(store: Store, id: str) -> Response[Any]:
    """Return the record of a finished match; before the end it would reveal each side's plans."""
    summary = store.lobby.summary(id)
    if summary.outcome is None:
        raise NotOver
    return _file(store.records.text(id), "application/jsonl; charset=utf-8", f"{summary.game}-{id}.jsonl")


class NotOver(ReadyRoomError):
    """The match is not finished, and this is shown only then."""

    def __init__(self) -> None:
        super().__init__("This is available when the match is over; until then it would reveal hidden information.")


def _file(text: str, kind: str, name: str) -> Response[str]:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, media_type=kind, headers=headers)


router = Router(path="/", route_handlers=[replay, report, report_text, record], include_in_schema=False)
