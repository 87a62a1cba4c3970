"""The viewer of a match, and the match page as they see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from random import Random
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from litestar.params import QueryParameter

from readyroom.bots import default_bot, make_bot
from readyroom.bots.analysis import chance_of
from readyroom.engine.game import Game, MatchView, Seat
from readyroom.engine.match import Match
from readyroom.engine.match.observers import SPECTATOR
from readyroom.engine.record.format import Undo
from readyroom.engine.rules.decisions import Decision, DecisionKind
from readyroom.engine.text import describe_times
from readyroom.store import MatchSummary, Player, SeatSummary, Store
from readyroom.store.errors import SeatBanned
from readyroom.store.matches.gameplay import may_offer_draw, open_draw_offer
from readyroom.store.matches.passes import passing_answer
from readyroom.web import board_svg, catalog, formatting
from readyroom.web.pages.cards import by_sides, decided_outcome, decided_text, present
from readyroom.web.pages.games import tutorials
from readyroom.web.pages.match import ending, takeback

SeatName = Annotated[str | None, QueryParameter(name="seat", max_length=64)]
"""The query parameter for the seat to view as."""
ALWAYS_LISTED = 3
"""Up to this many options are listed even if the board has pieces for all of them."""
MOST_ODDS = 12
"""The most odds of the position that the menu lists."""
RECENT = 60
"""The number of log lines on the match page; the report has them all."""


@dataclass(frozen=True)
class Viewer:
    """The viewer of a match.

    `own` are all their seats, `seat` the one they view as (None: as a spectator), `hand_to` the seat that the screen
    must be passed to before anything is shown, and `message` why this is not what they asked for. `shape` is the chart
    they have room for, "wide", "medium" or "narrow"; empty if unknown. `plays_on` says that they play on in a decided
    match.
    """

    summary: MatchSummary
    player: Player | None = None
    own: tuple[str, ...] = ()
    seat: str | None = None
    hand_to: str | None = None
    message: str = ""
    shape: str = ""
    plays_on: bool = False

    @property
    def seats(self) -> dict[str, SeatSummary]:
        """The seats of the match by key."""
        return {seat.key: seat for seat in self.summary.seats}

    @property
    def side(self) -> str | None:
        """The side of the viewer."""
        return self.seats[self.seat].side if self.seat is not None else None

    @property
    def is_hot_seat(self) -> bool:
        """Whether one screen serves seats of several sides."""
        return len({self.seats[key].side for key in self.own}) > 1

    @property
    def sees_end(self) -> bool:
        """Whether the page shows the end: the match is over, or decided and the viewer does not play on."""
        return self.summary.outcome is not None or (bool(self.summary.decided) and not self.plays_on)


def resolve_viewer(
    summary: MatchSummary, player: Player | None, wanted: str | None, shape: str = "", *, plays_on: bool = False
) -> Viewer:
    """Return the viewer for a player who asks for this seat, or for none.

    A player with one seat views as that seat. With seats of several sides the screen is covered when another side is to
    decide, so that neither side sees the other's board.
    """
    summary = summary.seen_by(player.id if player is not None else "")
    own = tuple(summary.seats_of(player.id)) if player is not None else ()
    viewer = Viewer(summary, player, own, shape=shape, plays_on=plays_on and bool(own))
    if player is not None and not own and (excluded := summary.banned_from(player.id)) is not None:
        return replace(viewer, message=str(SeatBanned(excluded.name, excluded.banned)))
    if wanted is not None and wanted not in own:
        seat = viewer.seats.get(wanted)
        why = "This match has no such seat." if seat is None else f"The seat {seat.name} is not yours."
        return replace(viewer, message=f"{why} You see public information only.")
    if not own:
        return viewer
    waiting = [key for key in summary.waiting if key in own]
    first = wanted if wanted is not None else own[0]
    if not viewer.is_hot_seat:
        return replace(viewer, seat=_for_the_side(viewer, first, waiting))
    if summary.outcome is not None or (viewer.sees_end and wanted is not None):
        return replace(viewer, seat=first)
    coming = next(iter(waiting), first)
    if wanted is None:
        return replace(viewer, hand_to=coming)
    mine = [key for key in waiting if viewer.seats[key].side == viewer.seats[wanted].side]
    if waiting and not mine:
        return replace(viewer, seat=wanted, hand_to=coming)
    return replace(viewer, seat=_for_the_side(viewer, wanted, mine))


def _for_the_side(viewer: Viewer, seat: str, waiting: Sequence[str]) -> str:
    """Return the requested seat, or another of the same side that is to decide when this one is not."""
    mates = [key for key in waiting if viewer.seats[key].side == viewer.seats[seat].side]
    return seat if seat in mates or not mates else mates[0]


# -- what the viewer sees --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DraftAnswer:
    """A selection in the card that was not submitted: rejected, suggested, or all options.

    `chosen` are its keys, repeated for repeated options; None for no selection. `rule` is the rule of the `error`;
    `details` are the selected options where the message only sums them up. `is_hint`: the message names an answer of
    others, which the page says is selected as long as it is. `is_stale`: the question that was answered is over, and
    the error is but a note at the next one.
    """

    chosen: Sequence[str] | None = None
    error: str = ""
    rule: str = ""
    message: str = ""
    details: Sequence[str] = ()
    is_hint: bool = False
    is_stale: bool = False


def table_context(
    store: Store,
    viewer: Viewer,
    draft: DraftAnswer | None = None,
    ask: str = "",
    analysis: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the context of the table's templates.

    `ask` selects the bot's ("staff"), the tutorial's ("lesson") or "all" options, or those of the answer that was
    "undone". `analysis` is the analysis for the page, if it was asked for.
    """
    summary, seat = viewer.summary, viewer.seat
    with store.matches.open(summary.id, summary.true_revision) as match:
        asked_seat = None if viewer.sees_end else seat
        decision = match.pending.get(asked_seat) if asked_seat is not None else None
        facts = _facts(match, viewer)
        facts["asked"] = formatting.pending(match, asked_seat)
        if decision is not None and draft is None:
            if ask == "staff":
                store.matches.use_help(summary)
            draft = _suggested_draft(match, decision, facts["asked"], ask)
        shown = _shown_boards(match, viewer)
        view, game = view_for(viewer, match, shown[0]), match.game
        facts["paper"] = _sample_plans(game, decision, viewer.side)
        facts["planner"] = planning_state(match, asked_seat)
        facts["lesson"] = tutorials.at_table(match, seat, summary.tutorial, decision)
        if facts["outcome"] is not None:
            facts |= ending.ending_context(summary, match, facts["outcome"], viewer.own, viewer.side)
        facts["other_boards"] = [_other_board(match, key, viewer) for key in shown[1:] if key is not None]
        facts |= _resigning_context(store, viewer, match)
        facts["may_pass"] = decision is not None and passing_answer(decision) is not None
    board = board_svg.draw(game, view, facts["asked"], shape=viewer.shape)
    return {
        **facts,
        **table_base_context(viewer),
        **card_context(facts["asked"], draft or DraftAnswer()),
        "analysis": analysis,
        "waits": _waiting_seats(viewer, facts["waiting"]),
        "board": board,
        "on_board": board_svg.keys_on(board),
        "has_odds": game.presentation.selection_odds is not None,
        "folded": folded_options(facts["asked"], board),
        "aim": game.presentation.aims.get(viewer.side or "", ""),
        "plans_on_chart": game.planning.files is not None and game.planning.files.editor is not None,
        "summary_image": board_svg.summary_image(game, view) if summary.outcome is not None else "",
        "takeback": _takeback_context(store, viewer),
        "passing": store.passes.of_match(summary.id).get(seat) if seat is not None else None,
        "queue": waiting_matches(store, viewer),
        **_clock_context(viewer),
        "decided": store.tournaments.decided(summary.id) if summary.tournament else "",
        "result_text": decided_text(summary),
        **(ending.rematch_context(store, summary, viewer.player) if summary.is_decided else {}),
        "ratings": ending.rating_changes(store, summary, viewer.player),
        "alone": summary.is_solo and not viewer.is_hot_seat and facts["lesson"] is None,
    }


def _clock_context(viewer: Viewer) -> dict[str, Any]:
    """Return the clocks of the sides of people, and whether the viewer can claim the win once the other's is over."""
    summary, now = viewer.summary, datetime.now(UTC).timestamp()
    names = {seats[0].side: (name, colour, seats) for name, colour, seats in by_sides(summary)}
    clock = summary.clock if summary.started and not viewer.sees_end else None
    clocks = [
        {
            "name": name,
            "colour": colour,
            "left": (left := clock.seconds_left(side, now)),
            "text": formatting.clock_text(left),
            "running": side in clock.running and not summary.decided,
            "is_mine": side == viewer.side,
        }
        for side, (name, colour, seats) in names.items()
        if clock is not None and side in summary.contenders and not all(seat.bot for seat in seats)
    ]
    can_claim = len(clocks) == 2 and viewer.side is not None and not viewer.is_hot_seat and not summary.decided
    return {"clocks": clocks, "can_claim": can_claim}


def view_for(viewer: Viewer, match: Match[Any, Any], seat: str | None, *, is_open: bool = False) -> MatchView[Any]:
    """Return the view of a seat for a viewer who may hold another one.

    If everything may be known, `is_open`, or a match is over and not sealed, it shows what is hidden, too.
    """
    shows_all = is_open or (match.outcome is not None and not viewer.summary.is_sealed())
    view = match.open_view(seat) if shows_all else match.view(seat)
    return view if seat in viewer.own else view.for_others()


def _shown_boards(match: Match[Any, Any], viewer: Viewer) -> Sequence[str | None]:
    """Return the seats whose boards are shown: the viewer's, and after a match one of each side, theirs first.

    One board is enough in a game that can show everything on it.
    """
    if match.outcome is None or viewer.summary.is_sealed() or match.game.rules.open_view is not None:
        return [viewer.seat]
    first = {seat.side: seat.key for seat in reversed(match.seats)}
    sides = dict.fromkeys([viewer.side, *reversed(first)])
    return [viewer.seat if side == viewer.side else first[side] for side in sides if side is not None]


def _other_board(match: Match[Any, Any], key: str, viewer: Viewer) -> dict[str, Any]:
    seat = match.seat(key)
    view = view_for(viewer, match, key)
    picture = board_svg.draw(match.game, view, separate=f"{seat.side}-", shape=viewer.shape)
    return {"side": seat.side, "name": match.game.side_name(seat.side, match.seats), "picture": picture}


def waiting_matches(store: Store, viewer: Viewer) -> list[str]:
    """Return the other matches that wait for the viewer, the one that waits longest first."""
    if viewer.player is None:
        return []
    return [other for other in store.listings.waiting_for(viewer.player.id) if other != viewer.summary.id]


def handover_context(store: Store, viewer: Viewer) -> dict[str, Any]:
    """Return the context of the page that passes the screen on, without hidden information."""
    with store.matches.open(viewer.summary.id, viewer.summary.true_revision) as match:
        may_undo = viewer.seat is not None and match.can_undo(viewer.seat, shared=viewer.is_hot_seat)
        return {**table_base_context(viewer), "may_undo": may_undo}


def table_base_context(viewer: Viewer) -> dict[str, Any]:
    """Return the context that all match pages share: seats and colours."""
    game, summary = catalog.find(viewer.summary.game), viewer.summary
    sides = catalog.sides(game, [Seat(seat.key, seat.name, seat.side) for seat in summary.seats])
    colours = {side.key: side.colour for side in sides}
    return {
        "summary": summary,
        "viewer": viewer,
        "game": game,
        "sides": sides,
        "colour": colours,
        "present": partial(present, summary, viewer.player),
    }


def card_context(asked: dict[str, Any] | None, draft: DraftAnswer) -> dict[str, Any]:
    """Return the context of the decision card; empty if there is no decision."""
    continues = asked is not None and formatting.only_continues(asked)
    is_single = asked is not None and asked["kind"] == DecisionKind.ONE.value and len(asked["options"]) == 1
    chosen = formatting.everything(asked) if asked and (continues or is_single) else list(draft.chosen or ())
    data = {"draft": draft, "counts": Counter(chosen)}
    if asked is None:
        return data
    return {
        **data,
        "continues": continues,
        "groups": formatting.groups(asked),
        "sheet": formatting.sheet(asked),
        "counted": formatting.counts(asked),
        "one_or_none": formatting.is_one_or_none(asked),
        "long_list": formatting.LONG,
        "shown_whole": formatting.SHOWN_WHOLE,
        "wanted": formatting.wanted(asked),
        "note": formatting.common_note(asked),
        "costs": len({option["cost"] for option in asked["options"]}) > 1,
        "everything": formatting.everything(asked),
        "tally": formatting.tally(asked, chosen),
        "confirm": formatting.confirm(asked, chosen) if chosen else "Confirm",
    }


def folded_options(asked: dict[str, Any] | None, board: str) -> set[str]:
    """Return the options that need no list, as the board has pieces for them; a short list is always shown."""
    options = asked["options"] if asked is not None else []
    on_board = {option["key"] for option in options} & board_svg.answers_on(board)
    return on_board if len(on_board) > ALWAYS_LISTED else set()


def _facts(match: Match[Any, Any], viewer: Viewer) -> dict[str, Any]:
    """Return what is read from the match while it is held."""
    at, seat, lines = match.shown_at(viewer.seat), viewer.seat, match.log(viewer.seat)
    may_undo = seat is not None and not viewer.summary.is_counted
    can_undo = may_undo and match.can_undo(str(seat), shared=viewer.is_hot_seat)
    is_deserted = viewer.summary.has_empty_side(viewer.side)
    may_ask = may_undo and match.outcome is None and not can_undo and not is_deserted
    can_ask = may_ask and match.takeback_position(str(seat)) is not None
    return {
        "turn": at.turn,
        "phase": match.game.phase(at.phase),
        "phases": formatting.phases(match.game, match.scenario, at),
        "nearby_phases": formatting.phases_around(match.game, match.scenario, at),
        "revision": match.revision_for(seat),
        "waiting": match.shown_waiting(seat),
        "outcome": match.outcome or (decided_outcome(viewer.summary) if viewer.sees_end else None),
        "fingerprint": match.fingerprint,
        "dice_key": None if viewer.summary.is_sealed() else match.published_secret,
        "words": [(known.name, match.nonces[known.key]) for known in match.seats if known.key in match.nonces],
        "log": log_chapters(match, lines, RECENT),
        "taken_back": taken_back(match, seat),
        "notes_by_line": tutorials.notes_on(match, lines) if viewer.summary.tutorial else {},
        "lines": len(lines),
        "recent": RECENT,
        "can_undo": can_undo,
        "can_ask": can_ask,
        "undo_obstacle": match.undo_obstacle(seat) if seat is not None and may_undo and not can_undo else "",
        "needs_agreement": any(other.side != viewer.side and not other.bot for other in viewer.summary.seats),
        "has_bots": bool(match.game.analysis.bots) and not (viewer.summary.is_counted or viewer.summary.has_order),
        "has_help": viewer.summary.has_help,
        "odds_now": [
            (title, urlencode({"now": urlencode({"question": question, **inputs})}))
            for title, question, inputs in match.odds_now(seat)[:MOST_ODDS]
        ],
    }


def taken_back(match: Match[Any, Any], seat: str | None) -> str:
    """Return who took back a decision, if the viewer has noticed nothing since; empty if no one else did.

    An undo that the viewer cannot notice, as while plans are made in secret, stays unknown.
    """
    for entry in reversed(match.record_entries(max(0, match.revision - RECENT))):
        if (seat or SPECTATOR) not in match.unseen.get(entry.n, ()):
            return match.seat(entry.by).name if isinstance(entry, Undo) and entry.by != seat else ""
    return ""


def _sample_plans(game: Game[Any, Any], decision: Decision | None, side: str | None) -> list[str]:
    """Return the names of sample plans, if a plan file may answer the decision."""
    plans = game.planning.files
    if plans is None or decision is None or side is None or not plans.is_planning(decision):
        return []
    return list(plans.templates(side, game.data))


def planning_state(match: Match[Any, Any], seat: str | None) -> Literal["open", "sealed"] | None:
    """Return whether a seat can make its plan on the chart; "sealed": it has one that it may still replace."""
    files = match.game.planning.files
    if seat is None or files is None or files.editor is None:
        return None
    decision = match.pending.get(seat)
    if decision is not None:
        return "open" if files.is_planning(decision) and not files.restarts_plan(decision) else None
    return "sealed" if match.open_block and match.can_undo(seat) else None


def log_chapters(match: Match[Any, Any], lines: Sequence[Any], recent: int | None = None) -> list[dict[str, Any]]:
    """Return the log in chapters of turn and phase with line numbers; `recent` limits it to the last lines.

    `colour` is that of the side whose phase it is, if its title begins with the name of one.
    """
    since = max(0, len(lines) - recent) if recent is not None else 0
    parts = [
        {"n": number, "keys": line.keys, **formatting.line(line, match.game, match.seats)}
        for number, line in enumerate(lines[since:], start=since)
    ]
    chapters = groupby(parts, lambda line: match.log_heading(line["turn"], line["phase"]))
    colours = match.game.presentation.colours
    names = {f"{match.game.side_name(seat.side, match.seats)}:": colours.get(seat.side, "") for seat in match.seats}
    return [
        {
            "heading": heading,
            "title": title,
            "colour": next((colour for name, colour in names.items() if title.startswith(name)), ""),
            "lines": list(within),
        }
        for (heading, title), within in chapters
    ]


def by_heading(chapters: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merge consecutive chapters with the same heading."""
    return [
        {"heading": heading, "chapters": list(within)}
        for heading, within in groupby(chapters, lambda chapter: chapter["heading"])
    ]


def _waiting_seats(viewer: Viewer, waiting: Iterable[str]) -> list[dict[str, Any]]:
    """Return the seats that are waited for and their players; not what is asked, which may be secret."""
    seats = viewer.seats
    return [
        {
            "key": key,
            "name": seats[key].name,
            "side": seats[key].side,
            "bot": seats[key].bot,
            "who": ", ".join(name for _, name in seats[key].players),
            "vacant": seats[key].vacant,
        }
        for key in waiting
    ]


def _takeback_context(store: Store, viewer: Viewer) -> dict[str, Any] | None:
    """Return the pending takeback request, and whether the viewer may answer or cancel it."""
    prompt = takeback.takeback_prompt(store, viewer.summary)
    if prompt is None:
        return None
    own = viewer.side == prompt.side
    may_allow = viewer.side is not None and not own and viewer.side not in prompt.asked.allowed
    return {"name": prompt.name, "sentence": prompt.sentence, "own": own, "may_allow": may_allow}


def _resigning_context(store: Store, viewer: Viewer, match: Match[Any, Any]) -> dict[str, Any]:
    """Return whether the viewer may resign or offer a draw, and the open offer of one."""
    summary, side = viewer.summary, viewer.side
    seat = viewer.seats[viewer.seat] if viewer.seat is not None else None
    can_decide = seat is not None and summary.may_resign(side) and not summary.tutorial
    can_resign = can_decide and seat is not None and summary.is_led_by(seat)
    mates = [known for known in summary.seats if known.side == side and not known.bot]
    has_people = any(not seat.bot for seat in summary.seats if seat.side in summary.opponents(side or ""))
    offer = open_draw_offer(match, summary)
    is_own = offer is not None and viewer.seats[offer.seat].side == side
    return {
        "can_resign": can_resign,
        "resigning_for": list(dict.fromkeys(name for known in mates for _, name in known.players)),
        "leader": summary.leader(side) if can_decide and not can_resign and side is not None else None,
        "can_draw": can_resign and has_people and offer is None and may_offer_draw(match, summary, side or ""),
        "will_rate": can_resign and len(summary.on_ladder) > 1 and store.ladder.will_rate(summary.id),
        "draw_offer": {
            "name": viewer.seats[offer.seat].name,
            "own": is_own,
            "may_allow": summary.may_draw(side) and not is_own and seat is not None and summary.is_led_by(seat),
        }
        if offer is not None
        else None,
    }


# -- hints ---------------------------------------------------------------------------------------------------------


def _suggested_draft(match: Match[Any, Any], decision: Decision, asked: dict[str, Any], ask: str) -> DraftAnswer | None:
    if ask == "all":
        return DraftAnswer(formatting.everything(asked), message="All options are selected. Press Confirm to play.")
    if ask == "undone" and (undone := match.undone_answer(decision.seat)) is not None:
        return _undone(decision, undone)
    if ask == "lesson" and (keys := tutorials.advised(match, decision)):
        return _advised(asked, keys, "Tutorial: {}.")
    if ask != "staff" or not match.game.analysis.bots:
        return None
    return hint(match, decision, asked)


def _undone(decision: Decision, keys: Sequence[str]) -> DraftAnswer:
    if not set(keys) <= set(decision.keys):
        return DraftAnswer(message="Decision taken back.")
    return DraftAnswer(
        keys, message="Decision taken back. Your answer is still selected; change or confirm it, or press Clear."
    )


def hint(match: Match[Any, Any], decision: Decision, asked: dict[str, Any]) -> DraftAnswer:
    """Return what the game's default bot would choose, selected and in a sentence."""
    bot, keys = advice(match, decision)
    return _advised(asked, keys, f"The {bot} bot would choose: {{}}.")


def _advised(asked: dict[str, Any], keys: Sequence[str], sentence: str) -> DraftAnswer:
    """Return an advised answer, summed up in a sentence; if that does not name each option, with all of them."""
    texts = {option["key"]: option["text"] for option in asked["options"]}
    summary, counts = formatting.summarize(asked, keys), Counter(texts[key] for key in keys)
    full = [describe_times(count, text) for text, count in counts.items()]
    return DraftAnswer(
        keys,
        message=sentence.format(summary),
        is_hint=True,
        details=() if summary == (", ".join(full) or "none") else full,
    )


def advice(match: Match[Any, Any], decision: Decision) -> tuple[str, list[str]]:
    """Return the game's default bot and its answer, the one that an analysis compares; it sees what the seat sees."""
    name = default_bot(match.game)
    bot = make_bot(match.game, name, decision.seat, Random(chance_of(match, decision).random()))
    return name, list(bot(decision, match.bot_view(decision.seat)))
