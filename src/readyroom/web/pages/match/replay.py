"""Replay, report, record and dice verification of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, TypeAlias

from litestar import Response, Router, get
from litestar.params import QueryParameter
from litestar.response import Redirect

from readyroom.engine.errors import InvalidRecord, ReadyRoomError
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.record.format import Entry, Fork, RecordEntry, Undo
from readyroom.engine.record.positions import Reached, ReplayIndex
from readyroom.engine.record.turning_points import turning_points
from readyroom.engine.report import epilogue, without
from readyroom.engine.report import report as reported
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import LogLine
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.errors import NotOver, NotTheHost
from readyroom.study.review.review import Review
from readyroom.web import board_svg, formatting
from readyroom.web.jobs.client_jobs import ClientJobs
from readyroom.web.jobs.replays import Replays
from readyroom.web.jobs.workers import Job
from readyroom.web.pages.cards import decided_outcome, decided_text
from readyroom.web.pages.match import ending, table_view
from readyroom.web.pages.match.table_view import SeatName, Viewer
from readyroom.web.rendering import Page, as_file
from readyroom.web.security import client

ALL = "all"
"""The value of `seat` that shows all sides next to each other."""
EARLIER = 60
"""The most lines of the log of earlier steps that a replay shows."""
Number = Annotated[int | None, QueryParameter(ge=0)]
AnyGame: TypeAlias = Game[Any, Any]
AnyMatch: TypeAlias = Match[Any, Any]


# -- whose knowledge -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReplayPerspective:
    """The perspective of a replay: a seat's, a spectator's (`seat` None), or all sides' (`open`)."""

    summary: MatchSummary
    seat: str | None
    open: bool = False
    message: str = ""

    def may_know(self, seat: str) -> bool:
        """Return whether this seat's decisions are shown: all of them, or the perspective's own."""
        return self.open or seat == self.seat

    def shown_at(self, match: AnyMatch) -> At:
        """Return the turn and phase of a position as the perspective knew them."""
        return match.state.at if self.open else match.shown_at(self.seat)

    def shown_phase(self, game: AnyGame, reached: Reached) -> At:
        """Return the turn and phase of an earlier position as the perspective knew them."""
        if self.open:
            return reached.at
        side = next((seat.side for seat in self.summary.seats if seat.key == self.seat), None)
        return game.shown_at(reached.at, side, reached.sides)

    def shown_waiting(self, match: AnyMatch) -> Sequence[str]:
        """Return the seats that must decide at a position, as the perspective knew them."""
        return list(match.pending) if self.open else match.shown_waiting(self.seat)

    def shown_name(self, match: AnyMatch, seat: str) -> str:
        """Return the name of a seat that has decided, or its side's if the perspective knew no more than that."""
        return match.seat(seat).name if self.open else match.shown_name(self.seat, seat)

    @property
    def name(self) -> str:
        """The query value of this perspective."""
        return ALL if self.open else self.seat or ""


def resolve_perspective(viewer: Viewer, wanted: str | None) -> ReplayPerspective:
    """Return the requested perspective: any if all is open, otherwise the viewer's own or a spectator's."""
    summary = viewer.summary
    if not summary.is_open:
        return ReplayPerspective(summary, viewer.seat, message=viewer.message)
    if wanted == ALL or (wanted is None and viewer.seat is None):
        return ReplayPerspective(summary, None, open=True)
    return ReplayPerspective(summary, wanted if wanted in viewer.seats else None if wanted is not None else viewer.seat)


def views_of(summary: MatchSummary, viewer: Viewer) -> list[tuple[str, str]]:
    """Return the perspectives to choose from: query value and label."""
    if not summary.is_open:
        return [(key, f"As {viewer.seats[key].name} sees it") for key in viewer.own] or [("", "As a spectator")]
    seats = [(seat.key, f"As {seat.name} saw it") for seat in summary.seats]
    return [(ALL, "All sides"), *seats, ("", "As a spectator")]


# -- the replay ------------------------------------------------------------------------------------------------------


@get("/m/{id:str}/replay", sync_to_thread=True)
def replay(
    store: Store,
    page: Page,
    replays: Replays,
    client_jobs: ClientJobs,
    id: str,
    at: Number = None,
    seat: SeatName = None,
) -> Response[Any]:
    """Show a moment of a match: the last decision, its results, the board, and the pending decisions.

    If the match is long, a worker prepares its positions first, and the page shows the progress. If the present rules
    cannot repeat it, the page is its report, which is stored.
    """
    viewer = viewer_of(store, page, id, seat)
    if viewer.hand_to is not None:
        return _redirect_to_handover(viewer)
    perspective = resolve_perspective(viewer, seat)
    try:
        index = replays.index(viewer.summary, client(page.request))
    except InvalidRecord as error:
        return _report(store, page, replays, client_jobs, viewer, perspective, error)
    if isinstance(index, Job):
        base = table_view.table_base_context(viewer)
        return page("replay-wait.html", secret=True, **base, at=at, perspective=perspective, job=index)
    with store.matches.open(id) as match:
        counted = range(min(match.revision, index.revision) + 1)
        numbers = [n if viewer.summary.is_open else match.revision_for(perspective.seat, n) for n in counted]
        steps = _steps_of_lines(match, index, perspective, numbers)
    over = viewer.summary.outcome is not None
    at = min(numbers[-1], at if at is not None else _planned(index) if viewer.summary.is_open else numbers[-1])
    verification = replays.verification(viewer.summary, client(page.request), index) if over else None
    game = store.games(viewer.summary.game)
    marks = _marks(index, perspective, numbers, client_jobs.finished_review(id))
    data = {
        **_moment(game, index, viewer, perspective, at, numbers, steps),
        **_moves(_chapters(game, index, perspective, numbers), marks, at, numbers[-1]),
    }
    if (outcome := data["outcome"]) is not None:
        with store.matches.open(id) as match:
            data["result"] = ending.result_for(match, outcome, viewer.own)
        data |= {
            "result_text": decided_text(viewer.summary),
            **ending.rematch_context(store, viewer.summary, page.player),
        }
    return page("replay.html", secret=True, **data, marks=marks, verification=verification)


def _planned(index: ReplayIndex) -> int:
    """Return the position after the secret planning at the start, which shows little; 0 without one."""
    for n in range(1, index.revision + 1):
        entry = index.entry(n)
        if isinstance(entry, Entry) and not entry.block:
            return n - 1
    return 0


def viewer_of(store: Store, page: Page, id: str, seat: str | None) -> Viewer:
    """Return the viewer; the perspective of all sides is none of a seat."""
    wanted = None if seat in (ALL, "") else seat
    return table_view.resolve_viewer(store.listings.summary(id), page.player, wanted, page.shape)


def _redirect_to_handover(viewer: Viewer) -> Redirect:
    """Redirect to the match, where the screen is passed on first."""
    return Redirect(f"/m/{viewer.summary.id}?seat={viewer.seat or viewer.hand_to}", status_code=303)


def _steps_of_lines(
    match: AnyMatch, index: ReplayIndex, perspective: ReplayPerspective, numbers: Sequence[int]
) -> list[tuple[int, LogLine]]:
    """Return the log of the whole match, each line with the position, as the viewer counts, to which its step led."""
    log, since, found = match.full_log, 0, list[tuple[int, LogLine]]()
    for n, end in sorted(index.log_ends.items()):
        if n < len(numbers):
            own = (line for line in log[since:end] if perspective.open or line.seen_by(perspective.seat))
            found += [(numbers[n], line) for line in own]
        since = end
    return found


def _moment(
    game: AnyGame,
    index: ReplayIndex,
    viewer: Viewer,
    perspective: ReplayPerspective,
    at: int,
    numbers: Sequence[int],
    steps: Sequence[tuple[int, LogLine]],
) -> dict[str, Any]:
    """Return the context of position `at` as the viewer counts it.

    `numbers` has this count for each true revision, and `steps` that of each line of the log.
    """
    n = numbers.index(at)
    entry = index.entry(n)
    match = index.match_at(n - isinstance(entry, Entry), game)
    lines = len(_log(match, perspective)) if n else 0
    decided = _decided(entry, match, perspective)
    if isinstance(entry, Entry):
        match = index.advance(match, n)
    now, fresh = perspective.shown_at(match), _log(match, perspective)[lines:]
    earlier = [(step, line) for step, line in steps if step < at]
    recent = earlier[-EARLIER:]
    log = table_view.log_chapters(match, [*(line for _, line in recent), *fresh])
    for line in (line for chapter in log for line in chapter["lines"]):
        if line["n"] < len(recent):
            line["step"] = recent[line["n"]][0]
        line["n"] -= len(recent)
    boards = _boards(match, perspective, viewer)
    data = {
        **table_view.table_base_context(viewer),
        "at": at,
        "last": numbers[-1],
        "perspective": perspective,
        "views": views_of(viewer.summary, viewer),
        "turn": now.turn,
        "phase": game.phase(now.phase),
        "decided": decided,
        "log": log,
        "lines": len(earlier) + len(fresh),
        "recent": len(recent) + len(fresh),
        "is_quiet": not fresh,
        "boards": boards,
        "on_board": {key for board in boards for key in board_svg.keys_on(board["picture"])},
        "asks": _asks(match, perspective, _next(index, viewer.summary, at)),
        "outcome": match.outcome or (decided_outcome(viewer.summary) if at == numbers[-1] else None),
        "fingerprint": match.fingerprint,
    }
    if at < numbers[-1]:  # last, because the match continues to it
        n = numbers.index(at + 1)
        entry = index.entry(n)
        data["next_decided"] = _decided(entry, index.advance(match, n - isinstance(entry, Entry)), perspective)
    return data


def _log(match: AnyMatch, perspective: ReplayPerspective) -> list[LogLine]:
    return match.full_log if perspective.open else match.log(perspective.seat)


def _boards(match: AnyMatch, perspective: ReplayPerspective, viewer: Viewer) -> list[dict[str, Any]]:
    """Return the board of this perspective, or one for the first seat of each side if none can show everything."""
    if not perspective.open or match.game.rules.open_view is not None:
        seat = viewer.seat if perspective.open else perspective.seat
        picture = _drawn(match, seat, viewer, is_open=perspective.open)
        return [{"name": "", "side": None, "seat": "", "prefix": "", "picture": picture}]
    first = {seat.side: seat for seat in reversed(match.seats)}
    return [
        {"name": seat.name, "side": side, "seat": seat.key, "prefix": (prefix := f"{side}-")}
        | {"picture": _drawn(match, seat.key, viewer, prefix)}
        for side, seat in reversed(first.items())
    ]


def _drawn(match: AnyMatch, seat: str | None, viewer: Viewer, separate: str = "", *, is_open: bool = False) -> Any:
    """Return the board of a seat with its question; if it is open, with that of the seat to decide."""
    view = table_view.view_for(viewer, match, seat, is_open=is_open)
    asked = formatting.pending(match, next(iter(match.pending), None) if is_open else seat)
    return board_svg.draw(match.game, view, asked, separate, viewer.shape)


def _next(index: ReplayIndex, summary: MatchSummary, at: int) -> str:
    """Return the seat that decides next in a finished match, if a decision comes next: then "What if?" is offered."""
    entry = index.entry(at + 1) if summary.outcome is not None else None
    return entry.seat if isinstance(entry, Entry) else ""


def _asks(match: AnyMatch, perspective: ReplayPerspective, changes: str = "") -> list[dict[str, Any]]:
    """Return the pending decisions: in full where they may be known, otherwise only the seat.

    Even the rule may be secret: a question about fighters reveals that some were launched. `changes` is the seat whose
    answer comes next; it can be changed if there was another one.
    """
    return [
        {
            "name": match.seat(key).name,
            "side": match.seat(key).side,
            "question": formatting.pending(match, key) if perspective.may_know(key) else None,
            "changes": key == changes and not match.pending[key].is_forced,
        }
        for key in perspective.shown_waiting(match)
    ]


def _decided(entry: RecordEntry | None, match: AnyMatch, perspective: ReplayPerspective) -> dict[str, Any]:
    """Describe an entry of the record; the match is before it if it is a decision."""
    if entry is None:
        return {"words": "The match starts.", "side": None, "rule": None}
    if isinstance(entry, Fork):
        return {"words": "New dice from here on.", "side": None, "rule": None}
    seat, rule = match.seat(entry.by if isinstance(entry, Undo) else entry.seat), None
    name = capitalize_first(perspective.shown_name(match, seat.key))
    if isinstance(entry, Undo):
        agreed = " with the others' agreement" if entry.leave else ""
        # Some of several decisions may be secret, and so may their number be.
        is_public = perspective.may_know(seat.key) or not entry.leave
        undone = count_noun(len(entry.undo), "decision") if is_public else "decisions"
        text = f"{name} takes back {undone}{agreed}."
    elif not perspective.may_know(seat.key) or (asked := match.pending.get(seat.key)) is None:
        text = f"{name} made a secret decision."
    else:
        answer = formatting.summarize(formatting.decision(asked), entry.chose)
        question, mark, rest = asked.question.partition("? ")
        chosen = f"{question}{mark.strip()} {capitalize_first(answer)}{' chosen' if answer == 'none' else ''}."
        text, rule = f"{name}: {chosen} {rest}".strip(), entry.rule
    return {"words": text, "side": seat.side, "rule": rule}


def _chapters(
    game: AnyGame, index: ReplayIndex, perspective: ReplayPerspective, numbers: Sequence[int]
) -> list[tuple[int, int, str]]:
    """Return where each phase began, as this perspective may know it: (number, turn, title)."""
    chapters: dict[At, int] = {}
    for reached in index.reached:
        if reached.number < len(numbers):
            chapters.setdefault(perspective.shown_phase(game, reached), numbers[reached.number])
    return [(number, at.turn, game.phase(at.phase).title) for at, number in chapters.items()]


def _moves(
    chapters: Sequence[tuple[int, int, str]], marks: Sequence[dict[str, Any]], at: int, last: int
) -> dict[str, Any]:
    """Return the phases of each turn with their moments, and where the turns before and after this position began."""
    ends = [number for number, _, _ in chapters[1:]]
    phases = [
        (turn, (number, title, number <= at < end, [one for one in marks if number < one["at"] <= end]))
        for (number, turn, title), end in zip(chapters, [*ends, last + 1], strict=True)
    ]
    moves = [(turn, [phase for _, phase in found]) for turn, found in groupby(phases, key=itemgetter(0))]
    starts = [number for _, ((number, *_), *_) in moves]
    return {
        "moves": moves,
        "turn_back": max((one for one in starts if one < at), default=0),
        "turn_on": min((one for one in starts if one > at), default=last),
    }


def _marks(
    index: ReplayIndex, perspective: ReplayPerspective, numbers: Sequence[int], review: Review | None
) -> list[dict[str, Any]]:
    """Return the big moments and the turning points of a finished match, for the timeline; none of one in progress.

    The turning points are those of the match review, if it is finished.
    """
    if perspective.summary.outcome is None:
        return []
    if review is not None and (found := review.all_turning_points()):
        points = [(point.n, f"Turn {point.turn}: ", point.text, True, "") for _, point in found]
        big = [(one.number, "", one.headline, False, f"#line-{one.line}") for one in index.moments if one.headline]
        known = sorted(one for one in (*points, *big) if one[0] < len(numbers))
        return [
            {"at": numbers[n], "title": when + name, "name": name, "is_turning": is_turning, "line": line}
            for n, when, name, is_turning, line in known
        ]
    turning = turning_points(index.moments, index.scores, perspective.summary.outcome.winner)
    return [
        {
            "at": numbers[moment.number],
            "title": f"{', '.join(map(capitalize_first, moment.heading))}: {moment.headline or moment.text}",
            "name": moment.headline or moment.text,
            "is_turning": moment in turning,
            "line": f"#line-{moment.line}",
        }
        for moment in index.moments
        if (moment in turning or moment.headline) and moment.number < len(numbers)
    ]


# -- the report, and what can be taken away --------------------------------------------------------------------------


@get("/m/{id:str}/report", sync_to_thread=True)
def report(
    store: Store,
    page: Page,
    replays: Replays,
    client_jobs: ClientJobs,
    id: str,
    seat: SeatName = None,
) -> Response[Any]:
    """Show the after-action report as a printable page."""
    viewer = viewer_of(store, page, id, seat)
    if viewer.hand_to is not None:
        return _redirect_to_handover(viewer)
    return _report(store, page, replays, client_jobs, viewer, resolve_perspective(viewer, seat))


def _report(
    store: Store,
    page: Page,
    replays: Replays,
    client_jobs: ClientJobs,
    viewer: Viewer,
    perspective: ReplayPerspective,
    error: InvalidRecord | None = None,
) -> Response[Any]:
    """Return the page of the report; `error` says why the match cannot be replayed."""
    with store.matches.open(viewer.summary.id) as match:
        now = perspective.shown_at(match)
        lines, game, over = _log(match, perspective), match.game, match.outcome is not None
        sentences = epilogue(match)
        data: dict[str, Any] = {
            "perspective": perspective,
            "no_replay": _why_no_replay(match, viewer.summary, error) if error else "",
            "views": views_of(viewer.summary, viewer),
            "review": client_jobs.review_part(viewer.summary.id),
            "scenario": match.scenario,
            "turn": now.turn,
            "phase": game.phase(now.phase),
            "outcome": match.outcome,
            "decided": decided_outcome(viewer.summary),
            "summary_image": board_svg.summary_image(game, match.view(perspective.seat)) if over else "",
            "epilogue": sentences,
            "changed": game.non_default_options(match.options),
            "decisions": match.decision_count if over else None,
            "fingerprint": match.fingerprint,
            "dice_key": match.published_secret,
            "log": table_view.by_heading(table_view.log_chapters(match, without(lines, sentences))),
            "dice": formatting.luck(lines),
        }
    shown = ending.highlights(page.request, store, replays, viewer.summary, perspective.seat)
    return page("report.html", secret=True, **table_view.table_base_context(viewer), **shown, **data)


def _why_no_replay(match: AnyMatch, summary: MatchSummary, error: InvalidRecord) -> str:
    """Say that the present rules cannot repeat a match; from which decision on, only if nothing is secret."""
    played, present = match.header.version, match.game.version
    since = f" from decision {error.line - 1} on" if summary.is_open and error.line > 1 else ""
    if played == present:
        return f"This match cannot be replayed{since}. This is its report."
    rules = f"the present rules (version {present})"
    return f"Played under rules version {played}; it cannot be replayed under {rules}{since}. This is its report."


@get("/m/{id:str}/report.md", sync_to_thread=True)
def report_text(store: Store, page: Page, id: str, seat: SeatName = None) -> Response[Any]:
    """Return the after-action report as Markdown."""
    viewer = viewer_of(store, page, id, seat)
    if viewer.hand_to is not None:
        return _redirect_to_handover(viewer)
    with store.matches.open(id) as match:
        text = reported(match, resolve_perspective(viewer, seat).seat, viewer.summary.dice_label)
    return as_file(text, f"{viewer.summary.game}-{id}.md", "text/markdown")


@get("/m/{id:str}/record.jsonl", sync_to_thread=True)
def record(store: Store, id: str) -> Response[Any]:
    """Return the record of a finished match; before the end it would reveal each side's plans."""
    summary = store.listings.summary(id)
    if summary.outcome is None:
        raise NotOver
    return as_file(store.records.text(id), f"{summary.game}-{id}.jsonl", "application/jsonl; charset=utf-8")


@get("/m/{id:str}/whole.jsonl", sync_to_thread=True)
def whole_part(store: Store, player: Player | None, id: str) -> Response[Any]:
    """Return the undamaged part of a quarantined match's record to its host, if it shows them no secrets of others."""
    summary = store.listings.summary(id)
    if not link_to_whole_part(store, id, player):
        raise NotTheHost("download what is left of a damaged match that is over or that no one else plays")
    return as_file(store.records.whole_text(id), f"{summary.game}-{id}.jsonl", "application/jsonl; charset=utf-8")


def link_to_whole_part(store: Store, id: str, player: Player | None) -> str:
    """Return the address of the undamaged part of a damaged match's record for its host; empty for others."""
    try:
        summary = store.listings.summary(id)
    except ReadyRoomError:
        return ""
    if player is None or player.id != summary.host or not summary.damaged:
        return ""
    return f"/m/{id}/whole.jsonl" if summary.is_open or summary.is_known_only_to(player.id) else ""


router = Router(path="/", route_handlers=[replay, report, report_text, record, whole_part], include_in_schema=False)
