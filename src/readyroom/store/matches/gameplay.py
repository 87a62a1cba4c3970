"""Gameplay: answers, undo, takebacks, and the bots' turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Literal, NamedTuple, NoReturn

import msgspec
from sqlalchemy import Connection, bindparam, delete, exists, insert, literal, or_, select, update

from readyroom.bots.turns import BotTurn, PlayedTurn
from readyroom.engine.errors import CannotUndo, MatchOver, StaleRevision
from readyroom.engine.game import find_seats
from readyroom.engine.match.observers import SPECTATOR
from readyroom.engine.match.planning import follow
from readyroom.engine.record.format import Entry
from readyroom.store.accounts.pushes import has_push
from readyroom.store.base import Part, PlayerEvent, now
from readyroom.store.cards import Decided, DrawOffer, MatchSummary, SeatSummary, TakebackRequest
from readyroom.store.clock import read_clock
from readyroom.store.errors import (
    CannotClaim,
    CannotOfferDraw,
    CannotResign,
    DailyLocked,
    NoDrawOffer,
    NoTakebackRequest,
    NotTheLeader,
    NotYourSeat,
    TakebackPending,
    UnknownMatchId,
)
from readyroom.store.limits import check_continues, check_undo
from readyroom.store.live.live_match import BOTS_TIME, LiveMatch
from readyroom.store.live.stored_rows import AnyMatch
from readyroom.store.rows import (
    AnyRow,
    check_id,
    locked_seat,
    match_row,
    one_card,
    post_system_message,
    public_revision,
    seat_rows,
)
from readyroom.store.tables import matches, players, seats, sittings, takebacks

DRAWN = "The players have agreed on a draw."
OFFER_AGAIN = 10
"""After this many public decisions a side may offer a draw again."""
TRIES = 20
"""So often another process may be faster before an answer is refused."""

_select_request = (
    select(takebacks, matches.c.revision.label("now"), matches.c.revisions)
    .join(matches, matches.c.id == takebacks.c.match)
    .where(takebacks.c.match == bindparam("id"))
)
_people = exists().where(seats.c.match == matches.c.id, seats.c.bot == "").label("people")
_bot_match = select(matches.c.client, matches.c.host, _people).where(matches.c.id == bindparam("id"))
_forget = delete(takebacks).where(takebacks.c.match == bindparam("id"))
_ask = insert(takebacks)
_encode = msgspec.json.Encoder().encode


class BotMatch(NamedTuple):
    """Who made a match with bots (a client's tag, a player's id, or the match's id), and whether only bots play."""

    client: str
    only_bots: bool


class Gameplay(Part):
    """Matches that have begun."""

    @contextmanager
    def open(self, id: str, seen: int | None = None) -> Iterator[AnyMatch]:
        """Yield the match for reading; no one else changes it in the meantime.

        `seen` is the revision of a summary that was just read: it saves a query. Raises `UnknownMatchId`, `NotStarted`
        or `UnreadableMatch`.
        """
        with self._shared.live.hold(id, seen) as live:
            yield live.match

    def answer(
        self, id: str, seat: str, keys: str | Sequence[str], revision: int | None, seen: int | None = None
    ) -> int:
        """Apply a seat's answer to the decision of this revision, let bots answer, and return the new true revision.

        `revision` is as the seat counts, so that hidden decisions of others do not make it stale. When it returns, the
        answer is in the database. `seen` is as for `open`. Nothing changes if it raises `UnknownMatchId`, `NotStarted`,
        `UnknownSeat`, `NotYourDecision`, `StaleRevision`, `IllegalChoice`, `MatchOver`, `WriteFailed`, or `RuleError`
        for an error in a rule.
        """

        def decide(live: LiveMatch) -> None:
            nonlocal revision
            match = live.match
            check_continues(match.revision)
            current = match.revision_for(seat, match.decision_for(seat).revision)
            revision = current if revision is None else revision
            if revision != current:
                raise StaleRevision(seat, revision, current)
            match.decide(seat, keys)

        reached = self._saved(id, decide, seen)
        return self._raise_stale(id, seat, revision or 0) if reached is None else reached

    def use_help(self, summary: MatchSummary) -> None:
        """Note that a player uses a hint or an analysis in a match of one side; raise what `check_help` raises."""
        summary.check_help()
        if summary.is_solitaire and not summary.help_agreed:
            with self._shared.database.writing() as connection:
                connection.execute(update(matches).where(matches.c.id == summary.id).values(help=True))

    def plan(self, id: str, seat: str, text: bytes, file: str, *, again: bool = False) -> int:
        """Answer a seat's planning decisions by a plan file, and return the new true revision.

        `again`: first undo what the seat has answered in the secret planning under way, so that the file replaces it.
        Nothing changes if it raises `PlanNotApplicable` (no plan is due, or it is another side's), `CannotUndo`, or an
        error that names each wrong line and its rule.
        """

        def decide(live: LiveMatch) -> None:
            match = live.match
            check_continues(match.revision)
            if again:
                _check_not_counted(match)
            while again and match.open_block and match.can_undo(seat):
                check_undo(match.record_entries(), match.revision, seat)
                live.revert(partial(match.undo, seat))
            follow(match, seat, text, file)

        reached = self._saved(id, decide)
        return self._raise_stale(id, seat, 0) if reached is None else reached

    def undo(self, id: str, seat: str, *, shared: bool = False) -> int:
        """Undo a seat's last decision and return the new true revision; raise `CannotUndo` or `MatchOver`.

        `shared`: the player has seats of several sides, so that an undo shows them nothing hidden.
        """
        request: TakebackRequest | None = None
        kept: TakebackRequest | None = None

        def undo(live: LiveMatch) -> None:
            nonlocal request, kept
            _check_not_counted(live.match)
            check_undo(live.match.record_entries(), live.match.revision, seat)
            request = self.takeback_request(id)
            target = live.match.decisions_since(request.position)[:1] if request is not None else []
            live.revert(partial(live.match.undo, seat, shared=shared))
            kept = _after_hidden_undo(live, request, target)

        reached = self._saved(id, undo, also=lambda connection: _save_request(connection, id, kept))
        if reached is None:
            raise CannotUndo("The match changed several times while your request was processed. Reload and try again.")
        if request is not None and kept is None:
            with self._shared.database.glance() as connection:
                revisions = one_card(connection, id).viewer_revisions()
            self._shared.notify(id, "asked", revisions)
        return reached

    def _saved(
        self,
        id: str,
        action: Callable[[LiveMatch], object],
        seen: int | None = None,
        also: Callable[[Connection], object] | None = None,
    ) -> int | None:
        """Change a match, let quick bots answer, save, and return its true revision; None if others were faster."""
        for _ in range(TRIES):
            with self._shared.live.hold(id, seen) as live:
                action(live)
                more = live.run_bots(BOTS_TIME)
                if not self._shared.live.save(live, also):
                    continue
                reached, moved, over = live.revision, live.moved, live.match.outcome is not None
            if over:
                self._shared.ended(id)  # first, as pages that follow show the new ratings
            self._moved(id, moved, more)
            return reached
        return None

    def _moved(self, id: str, revisions: Mapping[str, int], bots_due: bool) -> None:
        """Notify listeners of a change that is committed, and whether a bot is still to answer."""
        self._shared.notify(id, "moved", revisions)
        if bots_due:
            self._shared.bots_due(id)

    # -- results that the players decide ------------------------------------------------------------------------------

    def claim_win(self, id: str, seat: str) -> None:
        """Claim the win on time for the side of a seat. The match can be played on, but this stays its result.

        Raises `CannotClaim` unless only the opponent's time is over.
        """
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            if not summary.may_claim(place.side):
                raise CannotClaim
            text = f"{place.name} has claimed the win: its opponent’s time was over."
            self._set_result(connection, id, "time", place.side, text)
        self._notify_result(summary, place, text)

    def resign(self, id: str, seat: str) -> None:
        """Resign for the side of a seat: the other side wins. The match can be played on, but this stays its result.

        Raises `CannotResign` if the match is not in progress, has a result, or is part of a campaign or challenge, and
        `NotTheLeader` if another player leads the side.
        """
        with self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            if not summary.may_resign(place.side):
                raise CannotResign
            _check_leads(summary, place)
            winner, text = next(iter(summary.opponents(place.side)), ""), f"{place.name} has resigned."
            self._set_result(connection, id, "resigned", winner, text)
        self._notify_result(summary, place, text)

    def offer_draw(self, id: str, seat: str) -> None:
        """Offer a draw to the other side, until it decides something; if that has offered one, agree. Bots decline.

        Raises `CannotOfferDraw` if a draw cannot be agreed on, or the side has offered one shortly before.
        """
        with self._shared.live.hold(id) as live, self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            if not summary.may_draw(place.side):
                raise CannotOfferDraw("You can offer a draw only to an opponent, in a match without a result.")
            _check_leads(summary, place)
            known = open_draw_offer(live.match, summary)
            if is_agreed := known is not None and _side(live.match, known.seat) != place.side:
                self._set_draw(connection, id)
            else:
                _check_may_offer(live.match, summary, place.side)
                is_open = any(not seat.bot for seat in summary.seats if seat.side in summary.opponents(place.side))
                _save_draw_offer(connection, id, DrawOffer(seat, live.revision, is_open))
                if not is_open:
                    post_system_message(connection, id, f"{place.name} offers a draw. The bot declines.")
        self._notify_draw(summary, place, is_agreed)
        if not is_agreed:
            self._report(summary, place, "draw", f"{place.name} offers a draw.")

    def draw_offer(self, summary: MatchSummary) -> DrawOffer | None:
        """Return the open offer of a draw, if any."""
        if summary.draw_offer is None or not summary.can_be_decided:
            return None
        with self.open(summary.id, summary.true_revision) as match:
            return open_draw_offer(match, summary)

    def answer_draw(self, id: str, seat: str, yes: bool) -> None:
        """Accept or decline the offer of a draw for the seat's side; the side that made it withdraws it by declining.

        Raises `NoDrawOffer` if no offer is open, and `NotYourSeat` if the side that made it accepts.
        """
        with self._shared.live.hold(id) as live, self._shared.database.writing() as connection:
            summary, place = locked_seat(connection, id, seat)
            offer = open_draw_offer(live.match, summary)
            if offer is None:
                raise NoDrawOffer
            is_own = place.side == _side(live.match, offer.seat)
            if (yes and is_own) or not summary.may_draw(place.side):
                raise NotYourSeat("Only the other side can accept this offer.")
            _check_leads(summary, place)
            if yes:
                self._set_draw(connection, id)
            else:
                _save_draw_offer(connection, id, msgspec.structs.replace(offer, unanswered=False))
                if not is_own:
                    post_system_message(connection, id, f"{place.name} declines the draw.")
        self._notify_draw(summary, place, yes)

    def _notify_draw(self, summary: MatchSummary, place: SeatSummary, is_agreed: bool) -> None:
        if is_agreed:
            self._notify_result(summary, place, DRAWN)
            return
        for event in ("asked", "talk"):
            self._shared.notify(summary.id, event, summary.viewer_revisions())

    def _set_draw(self, connection: Connection, id: str) -> None:
        self._set_result(connection, id, "draw", "", DRAWN)

    def _set_result(self, connection: Connection, id: str, decided: Decided, winner: str, text: str) -> None:
        with self._shared.seals.seats(connection, id):
            values = {"decided": decided, "decided_for": winner, "draw_offer": ""}
            connection.execute(update(matches).where(matches.c.id == id).values(**values))
        post_system_message(connection, id, text)

    def _notify_result(self, summary: MatchSummary, place: SeatSummary, text: str) -> None:
        self._shared.ended(summary.id)
        for event in ("seats", "talk"):
            self._shared.notify(summary.id, event, summary.viewer_revisions())
        self._report(summary, place, "decided", text)

    def _report(self, summary: MatchSummary, place: SeatSummary, kind: Literal["draw", "decided"], text: str) -> None:
        """Report what a seat has done to the players of the others."""
        others = {player for seat in summary.seats if not seat.bot for player, _ in seat.players}
        others -= {player for player, _ in place.players}
        self._shared.report(PlayerEvent(kind, summary.id, "", frozenset(others), text=text))

    # -- clocks ------------------------------------------------------------------------------------------------------

    def resume_clocks(self) -> None:
        """Let the decisions in progress begin again, so that no one loses the time in which no server ran."""
        running = (matches.c.clock != "", matches.c.begun, matches.c.outcome.is_(None))
        with self._shared.database.glance() as connection:
            ids = connection.execute(select(matches.c.id).where(*running)).scalars().all()
        for match in ids:
            with self._shared.database.writing() as connection:
                clock = read_clock(match_row(connection, match, lock=True).clock)
                if clock is not None:
                    later = msgspec.structs.replace(clock, since=now()).encode()
                    connection.execute(update(matches).where(matches.c.id == match).values(clock=later))
            self._shared.live.forget(match)

    # -- bots --------------------------------------------------------------------------------------------------------

    def bot_turn(self, id: str) -> BotTurn | None:
        """Return the turn that the bots of a match are to play, for `play_turn`; None if no bot is to answer."""
        with self._shared.live.hold(id) as live:
            return live.bot_turn()

    def bot_match(self, id: str) -> BotMatch:
        """Return whose turns the turns of a match's bots are, and whether only bots play it; raise `UnknownMatchId`."""
        with self._shared.database.glance() as connection:
            row = connection.execute(_bot_match, {"id": id}).one_or_none()
        if row is None:
            raise UnknownMatchId(id)
        return BotMatch(row.client or row.host or id, not row.people)

    def apply_bot_turn(self, turn: BotTurn, played: PlayedTurn) -> bool:
        """Apply what bots have answered; return False if the match has moved on, so that nothing was changed.

        Then the process that moved it has called `bots_due`.
        """
        with self._shared.live.hold(turn.match) as live:
            if not live.apply_bot_turn(turn, played) or (played.answers and not self._shared.live.save(live)):
                return False
            moved, more, over = live.moved, live.awaits_bot, live.match.outcome is not None
        if played.answers:
            self._moved(turn.match, moved, more)
        if over:
            self._shared.ended(turn.match)
        return True

    def awaiting_bots(self, idle: float = 0.0) -> list[str]:
        """Return the matches without a change for this many seconds in which a bot is to answer, oldest first."""
        is_asked = matches.c.waiting.contains(literal('"').concat(seats.c.seat).concat('"'))
        wanted = (
            select(matches.c.id)
            .where(matches.c.begun, matches.c.outcome.is_(None), matches.c.damaged.is_(None), matches.c.waiting != "[]")
            .where(matches.c.changed <= now() - idle)
            .where(exists().where(seats.c.match == matches.c.id, seats.c.bot != "", is_asked))
            .order_by(matches.c.changed)
        )
        with self._shared.database.glance() as connection:
            return list(connection.execute(wanted).scalars())

    def to_notify(self, seconds: float) -> list[str]:
        """Return the matches that changed within this many seconds and wait for a player who wants notifications."""
        wanted = (
            select(matches.c.id)
            .distinct()
            .join(sittings, sittings.c.match == matches.c.id)
            .join(players, players.c.id == sittings.c.player)
            .where(matches.c.begun, matches.c.waiting != "[]", matches.c.outcome.is_(None), matches.c.decided == "")
            .where(matches.c.changed > now() - seconds, or_(players.c.hook != "", players.c.mail != "", has_push))
        )
        with self._shared.database.glance() as connection:
            return list(connection.execute(wanted).scalars())

    def _raise_stale(self, id: str, seat: str, revision: int) -> NoReturn:
        with self._shared.database.glance() as connection:
            raise StaleRevision(seat, revision, one_card(connection, id).revision_for(seat))

    # -- takebacks ---------------------------------------------------------------------------------------------------

    def request_takeback(self, id: str, seat: str) -> None:
        """Request a takeback to before a seat's last decision. Bots accept at once.

        Raises `CannotUndo` if dice or a disclosure came since or no one of another side can agree, `NoTakebackRequest`
        if the match has just continued, and `TakebackPending` if one is requested already.
        """
        with self._shared.live.hold(id) as live:
            _check_not_counted(live.match)
            request = TakebackRequest(seat, _position(live.match, seat), live.viewers[SPECTATOR], ())
            check_undo(live.match.record_entries(), live.revision, seat)
            with self._shared.database.writing() as connection:
                summary, place = locked_seat(connection, id, seat)
                if summary.true_revision != live.revision:
                    raise NoTakebackRequest
                if summary.has_empty_side(place.side):
                    raise CannotUndo("Another side’s seat is empty: no one there can agree. Wait for a player.")
                known = _open(connection.execute(_select_request, {"id": id}).one_or_none())
                if known is not None:
                    raise TakebackPending(live.match.seat(known.seat).name)
                _save_request(connection, id, request)
            bots_due, revisions = self._take_back_if_agreed(live, request), live.viewers
        self._notify_takeback(id, revisions, bots_due)

    def takeback_request(self, id: str) -> TakebackRequest | None:
        """Return the open takeback request, if any; a new decision ends it."""
        check_id(id)
        with self._shared.database.glance() as connection:
            return _open(connection.execute(_select_request, {"id": id}).one_or_none())

    def answer_takeback(self, id: str, seat: str, yes: bool) -> None:
        """Accept or decline a takeback for the seat's side; the side that asks may cancel it by declining.

        When all sides agree, it is done. Raises `NoTakebackRequest` if there is no request, or the match has continued
        since, and `NotYourSeat` if the side that asks accepts.
        """
        with self._shared.live.hold(id) as live:
            side = _side(live.match, seat)
            with self._shared.database.writing() as connection:
                match_row(connection, id, lock=True)
                request = _open(connection.execute(_select_request, {"id": id}).one_or_none())
                if request is None or request.revision != live.viewers[SPECTATOR]:
                    raise NoTakebackRequest
                if yes and side == _side(live.match, request.seat):
                    raise NotYourSeat("Only the other sides can answer this request.")
                if not yes and side != _side(live.match, request.seat):
                    _decline(connection, id, live.match, seat, request)
                request = msgspec.structs.replace(request, allowed=tuple(dict.fromkeys((*request.allowed, side))))
                _save_request(connection, id, request if yes else None)
            bots_due, revisions = self._take_back_if_agreed(live, request) if yes else None, live.viewers
        self._notify_takeback(id, revisions, bots_due)
        if not yes:
            self._shared.notify(id, "talk", revisions)

    def _notify_takeback(self, id: str, revisions: Mapping[str, int], bots_due: bool | None) -> None:
        if bots_due is None:
            self._shared.notify(id, "asked", revisions)
        else:
            self._moved(id, revisions, bots_due)

    def _take_back_if_agreed(self, live: LiveMatch, request: TakebackRequest) -> bool | None:
        """Take back once every side with people agrees; return whether a bot is to answer, None if it was not done."""
        with self._shared.database.reading() as connection:
            seats = [row for row in seat_rows(connection, live.id) if not row.bot and row.banned is None]
        needed = {row.side for row in seats} - {_side(live.match, request.seat)}
        if not needed <= set(request.allowed):
            return None
        try:
            live.revert(partial(live.match.revert_to, request.seat, request.position))
        except CannotUndo as error:  # hidden dice since then
            raise NoTakebackRequest from error
        more = live.run_bots(BOTS_TIME)
        done = self._shared.live.save(live, lambda connection: _save_request(connection, live.id, None))
        return more if done else None


def _check_not_counted(match: AnyMatch) -> None:
    """Raise `DailyLocked` for a counted attempt at a challenge of the day."""
    if match.header.origin == "daily":
        raise DailyLocked("takeback")


def _after_hidden_undo(
    live: LiveMatch, request: TakebackRequest | None, target: Sequence[Entry]
) -> TakebackRequest | None:
    """Return a takeback request after an undo that spectators cannot notice; None if it ends by the undo.

    `target` is the first decision that it would undo, whose position may have changed.
    """
    numbers = [entry.n for entry in live.match.decisions_since(0)]
    if request is None or not target or target[0].n not in numbers:
        return None
    if live.match.revision_for(None) != live.viewers[SPECTATOR]:
        return None
    return msgspec.structs.replace(request, position=numbers.index(target[0].n))


def _save_request(connection: Connection, id: str, request: TakebackRequest | None) -> None:
    """Save a takeback request and who has agreed; None ends it."""
    connection.execute(_forget, {"id": id})
    if request is not None:
        row = {"match": id, "seat": request.seat, "position": request.position, "revision": request.revision}
        connection.execute(_ask, {**row, "allowed": _encode(request.allowed).decode()})


def _decline(connection: Connection, id: str, match: AnyMatch, seat: str, request: TakebackRequest) -> None:
    text = f"{match.seat(seat).name} declines the takeback of {match.seat(request.seat).name}."
    post_system_message(connection, id, text)


def _check_leads(summary: MatchSummary, place: SeatSummary) -> None:
    """Raise `NotTheLeader` if another player decides for the side of a seat how the match ends."""
    if not summary.is_led_by(place) and (leader := summary.leader(place.side)) is not None:
        raise NotTheLeader(leader.name)


def open_draw_offer(match: AnyMatch, summary: MatchSummary) -> DrawOffer | None:
    """Return the offer of a draw, unless it was answered or the other side has decided in public since."""
    offer = summary.draw_offer
    if offer is None or not offer.unanswered or not summary.can_be_decided:
        return None
    others = summary.opponents(_side(match, offer.seat))
    return None if any(_side(match, entry.seat) in others for entry in _public_since(match, offer.at)) else offer


def may_offer_draw(match: AnyMatch, summary: MatchSummary, side: str) -> bool:
    """Return whether a side may offer a draw: its last offer, if any, is enough decisions ago."""
    offer = summary.draw_offer
    is_first = offer is None or _side(match, offer.seat) != side
    return summary.may_draw(side) and (is_first or len(_public_since(match, offer.at if offer else 0)) >= OFFER_AGAIN)


def _check_may_offer(match: AnyMatch, summary: MatchSummary, side: str) -> None:
    if not may_offer_draw(match, summary, side):
        raise CannotOfferDraw(f"You can offer a draw again {OFFER_AGAIN} decisions after your last offer.")


def _public_since(match: AnyMatch, revision: int) -> list[Entry]:
    """Return the decisions after a revision that everyone could notice."""
    entries = match.decisions_since(0)
    return [entry for entry in entries if entry.n > revision and SPECTATOR not in match.unseen.get(entry.n, ())]


def _save_draw_offer(connection: Connection, id: str, offer: DrawOffer) -> None:
    values = {"draw_offer": _encode(offer).decode()}
    connection.execute(update(matches).where(matches.c.id == id).values(**values))


def _position(match: AnyMatch, seat: str) -> int:
    """Return the position before a seat's last decision; raise `CannotUndo` if it is final."""
    _side(match, seat)
    if match.outcome is not None:
        raise MatchOver(match.outcome.title)
    position = match.takeback_position(seat)
    if position is None:
        raise CannotUndo("You have no decision to take back, or dice were rolled or something was revealed since.")
    return position


def _side(match: AnyMatch, seat: str) -> str:
    """Return the side of a seat; raise `UnknownSeat`."""
    return find_seats(match.seats, seat)[0].side


def _open(row: AnyRow | None) -> TakebackRequest | None:
    """Return the takeback request, unless the match has continued since."""
    if row is None or row.revision != public_revision(row.now, row.revisions):
        return None
    return TakebackRequest(row.seat, row.position, row.revision, msgspec.json.decode(row.allowed, type=tuple[str, ...]))
