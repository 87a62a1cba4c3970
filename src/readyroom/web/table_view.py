"""Who views a match, from which seat, and what they see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random
from typing import Annotated, Any

from litestar.params import QueryParameter

from readyroom import bots as staff
from readyroom.engine.decisions import Decision
from readyroom.engine.game import Game, Seat
from readyroom.engine.match import Match
from readyroom.store import MatchSummary, Player, SeatSummary, Store
from readyroom.store.errors import SeatBanned
from readyroom.web import board_svg, catalog, formatting, takeback, tutorials

SeatName = Annotated[str | None, QueryParameter(name="seat", max_length=64)]
"""Return the seat that the request wants to view as."""
RECENT = 60
"""Log lines that the table shows; the report has them all."""


@dataclass(frozen=True)
class Viewer:
    """The viewer of a match and their seat.

    `own` are all seats of the viewer, `seat` the one in use (None: spectator), `hand_to` the seat
    to which the screen must be passed before anything is shown, and `told` why it is not the requested one.
    `shape` is the one chart of the board that they have room for, "wide" or "narrow"; empty: that is not known.
    """

    card: MatchSummary
    player: Player | None = None
    own: tuple[str, ...] = ()
    seat: str | None = None
    hand_to: str | None = None
    message: str = ""
    shape: str = ""

    @property
    def seats(self) -> dict[str, SeatSummary]:
        """The seats at the table by their keys."""
        return {seat.key: seat for seat in self.card.seats}

    @property
    def side(self) -> str | None:
        """The side that is looked for."""
        return self.seats[self.seat].side if self.seat is not None else None

    @property
    def is_hot_seat(self) -> bool:
        """Whether one screen serves seats of several sides."""
        return len({self.seats[key].side for key in self.own}) > 1

    def also(self, text: str) -> Viewer:
        """The same with something to say."""
        return replace(self, message=text)


def resolve_viewer(card: MatchSummary, player: Player | None, wanted: str | None, shape: str = "") -> Viewer:
    """Return the viewer for a player who asks for this seat, or for none.

    A player of one seat views as that seat. A player of several sides gets a handover screen while another of theirs
    has to decide, so that nothing of one side is on the screen when the other plays.
    """
    own = tuple(card.seats_of(player.id)) if player is not None else ()
    viewer = Viewer(card, player, own, shape=shape)
    if player is not None and not own and (excluded := card.banned_from(player.id)) is not None:
        return replace(viewer, message=str(SeatBanned(excluded.name, excluded.banned)))
    if wanted is not None and wanted not in own:
        return replace(viewer, message=_not_yours(viewer, wanted))
    if not own:
        return viewer
    waiting = [key for key in card.waiting if key in own]
    seat = wanted if wanted is not None else own[0]
    if not viewer.is_hot_seat:
        return replace(viewer, seat=_for_the_side(viewer, seat, waiting))
    if card.outcome is not None:
        return replace(viewer, seat=seat)
    coming = next(iter(waiting), seat)
    if wanted is None:
        return replace(viewer, hand_to=coming)
    mine = [key for key in waiting if viewer.seats[key].side == viewer.seats[wanted].side]
    if waiting and not mine:
        return replace(viewer, seat=wanted, hand_to=coming)
    return replace(viewer, seat=_for_the_side(viewer, wanted, mine))


def _for_the_side(viewer: Viewer, seat: str, waiting: Sequence[str]) -> str:
    """The seat that is asked, or another of the same side that is to decide while this one is not."""
    side = viewer.seats[seat].side
    mates = [key for key in waiting if viewer.seats[key].side == side]
    return seat if seat in mates or not mates else mates[0]


def _not_yours(viewer: Viewer, wanted: str) -> str:
    seat = viewer.seats.get(wanted)
    if seat is None:
        return "This match has no such seat. You see public information only."
    return f"The seat {seat.name} is not yours. You see public information only."


# -- what is seen ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DraftAnswer:
    """A preselected answer that has not been taken: rejected, suggested, or all options.

    `chosen` are its keys, once for each time that they are chosen; None: nothing is selected.
    """

    chosen: Sequence[str] | None = None
    error: str = ""
    message: str = ""


def table_context(
    store: Store, seen: Viewer, tried: DraftAnswer | None = None, ask: str = "", officer: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return everything the match page shows; `ask` preselects the choice of the "staff" or the "lesson", or "all".

    `officer` is the analysis, as `web.analysis` returns it, if it was requested.
    """
    card, seat = seen.card, seen.seat
    with store.match(card.id, card.revision) as match:
        decision = match.pending.get(seat) if seat is not None else None
        facts = _facts(match, seen)
        facts["asked"] = formatting.decision(decision) if decision is not None else None
        if decision is not None and tried is None:
            tried = _filled(match, decision, facts["asked"], ask)
        view, game = match.view(seat), match.game
        facts["paper"] = _paper(game, decision, seen.side)
        facts["lesson"] = tutorials.at_table(match, seat, card.tutorial, decision)
    return {
        **facts,
        **table_base_context(seen),
        **_of_the_card(facts["asked"], tried or DraftAnswer()),
        "officer": officer,
        "waits": _waits(seen, facts["waiting"]),
        "board": board_svg.draw(game, view, facts["asked"], shape=seen.shape),
        "summary_image": board_svg.summary_image(game, view) if facts["outcome"] is not None else "",
        "asked_back": _asked_back(store, seen),
    }


def handover_context(store: Store, seen: Viewer) -> dict[str, Any]:
    """Return what the handover screen needs, without what it hides: whether the previous player may still take back."""
    with store.match(seen.card.id, seen.card.revision) as match:
        may_undo = seen.seat is not None and match.can_undo(seen.seat)
        return {**table_base_context(seen), "may_undo": may_undo}


def table_base_context(seen: Viewer) -> dict[str, Any]:
    """Who sits here, and in which colours."""
    game = catalog.find(seen.card.game)
    sides = catalog.sides(game, seats_of(seen.card))
    return {
        "card": seen.card,
        "seen": seen,
        "game": game,
        "sides": sides,
        "colour": {side.key: side.colour for side in sides},
    }


def seats_of(card: MatchSummary) -> list[Seat]:
    """The seats at a table as its game knows them."""
    return [Seat(seat.key, seat.name, seat.side) for seat in card.seats]


def _of_the_card(asked: dict[str, Any] | None, tried: DraftAnswer) -> dict[str, Any]:
    """What the decision's card shows; empty where nothing is asked."""
    chosen = list(tried.chosen or ())
    data = {"tried": tried, "counts": Counter(chosen)}
    if asked is None:
        return data
    groups, prices = formatting.groups(asked), {option["cost"] for option in asked["options"]}
    return {
        **data,
        "groups": groups,
        "sheet": formatting.sheet(asked),
        "counted": formatting.counts(asked),
        "wanted": formatting.wanted(asked),
        "note": formatting.common_note(asked),
        "costs": len(prices) > 1,
        "everything": formatting.everything(asked),
        "tally": formatting.tally(asked, chosen),
        "confirm": formatting.confirm(asked, chosen) if chosen else "Confirm",
    }


def _facts(match: Match[Any, Any], seen: Viewer) -> dict[str, Any]:
    """What is read from the match itself, while it is held."""
    at, seat = match.state.at, seen.seat
    over, lines = match.outcome is not None, match.log(seat)
    return {
        "turn": at.turn,
        "phase": match.game.phase(at.phase),
        "phases": formatting.phases(match.game, match.scenario, at),
        "around": formatting.phases_around(match.game, match.scenario, at),
        "revision": match.revision,
        "waiting": list(match.pending),
        "outcome": match.outcome,
        "fingerprint": match.fingerprint,
        "dice_key": match.published_secret,
        "log": log_chapters(match, lines, RECENT),
        "told_of": tutorials.notes_on(match, lines) if seen.card.tutorial else {},
        "lines": len(lines),
        "recent": RECENT,
        "can_undo": seat is not None and match.can_undo(seat),
        "can_ask": seat is not None
        and not over
        and not match.can_undo(seat)
        and match.takeback_position(seat) is not None,
        "by_leave": any(other.side != seen.side and not other.bot for other in seen.card.seats),
        "staffed": bool(match.game.bots),
    }


def _paper(game: Game[Any, Any], decision: Decision | None, side: str | None) -> list[str]:
    """The names of plans to begin with, where a question is one of planning that a file may answer."""
    plans = game.plan_files
    if plans is None or decision is None or side is None or not plans.is_planning(decision):
        return []
    return list(plans.templates(side, game.data))


def log_chapters(match: Match[Any, Any], lines: Sequence[Any], recent: int | None = None) -> list[dict[str, Any]]:
    """Lines of the log in chapters of turn and phase; each line knows its number. `recent`: only the last ones."""
    since = max(0, len(lines) - recent) if recent is not None else 0
    parts = [
        {"n": number, **formatting.line(line, match.game, match.seats)}
        for number, line in enumerate(lines[since:], start=since)
    ]
    chapters = groupby(parts, lambda line: match.log_heading(line["turn"], line["phase"]))
    return [{"heading": heading, "title": title, "lines": list(within)} for (heading, title), within in chapters]


def by_heading(chapters: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Chapters of the log, those that follow each other under one heading together."""
    return [
        {"heading": heading, "chapters": list(within)}
        for heading, within in groupby(chapters, lambda chapter: chapter["heading"])
    ]


def _waits(seen: Viewer, waiting: Iterable[str]) -> list[dict[str, Any]]:
    """Return which seats have to decide, and their players; not the questions, which may be secret."""
    seats = seen.seats
    return [
        {
            "key": key,
            "name": seats[key].name,
            "side": seats[key].side,
            "bot": seats[key].bot,
            "who": ", ".join(name for _, name in seats[key].players),
        }
        for key in waiting
    ]


def _asked_back(store: Store, seen: Viewer) -> dict[str, Any] | None:
    """Return the open takeback request, and whether the viewer may accept or cancel it."""
    wish = takeback.takeback_prompt(store, seen.card)
    if wish is None:
        return None
    mine = seen.seat is not None and seen.side != wish.side and seen.side not in wish.asked.allowed
    own = seen.seat is not None and seen.side == wish.side
    return {"name": wish.name, "sentence": wish.sentence, "own": own, "may_allow": mine}


# -- hints ----------------------------------------------------------------------------------------------------------


def _filled(match: Match[Any, Any], decision: Decision, asked: dict[str, Any], ask: str) -> DraftAnswer | None:
    if ask == "all":
        return DraftAnswer(formatting.everything(asked), message="All options are selected. Press Confirm to play.")
    if ask == "lesson" and (keys := tutorials.advised(match, decision)):
        text = formatting.named(asked, keys)
        return DraftAnswer(keys, message=f"Tutorial: {text}. It is selected; press Confirm to play it.")
    if ask != "staff" or not match.game.bots:
        return None
    bot, keys = advice(match, decision)
    text = formatting.named(asked, keys)
    return DraftAnswer(keys, message=f"The {bot} bot would play {text}. It is selected; press Confirm to play it.")


def advice(match: Match[Any, Any], decision: Decision) -> tuple[str, list[str]]:
    """The name of the game's first bot, and what it would answer; it sees what the seat sees, and no more."""
    name = staff.default_bot(match.game)
    random = Random(f"{match.fingerprint}/{match.revision}")
    bot = staff.make(match.game, name, decision.seat, random)
    return name, list(bot(decision, match.bot_view(decision.seat)))
