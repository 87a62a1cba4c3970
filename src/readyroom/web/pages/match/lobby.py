"""The lobby of a match before it starts: invite links, open seats, joining and leaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Annotated, Any, TypeAlias

from litestar import Response, get, post
from litestar.datastructures import Cookie, FormMultiDict
from litestar.params import Parameter
from litestar.response import Redirect
from markupsafe import Markup

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.text import join_list
from readyroom.store import MatchSummary, Player, SeatSummary, Store
from readyroom.store.base import new_secret
from readyroom.store.cards import NO_NAME
from readyroom.store.errors import LinkAlreadyUsed, NotInvited, NotTheHost, NotYourSeat, UnknownLink
from readyroom.store.limits import WORDS_LENGTH
from readyroom.store.lobby.rematch_seats import match_before, rematch_seats
from readyroom.store.lobby.setup import random_words
from readyroom.store.names import NAME_LENGTH
from readyroom.web import catalog
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.pages.cards import bot_of, by_sides, leading_seats, occupant, seat_controls
from readyroom.web.pages.match.dice import public_key
from readyroom.web.pages.match.ending import RematchOffer, rematch_offer
from readyroom.web.pages.players.profile import (
    app_cookie,
    count_new_player,
    device_of,
    get_or_create_player,
    random_name,
    session_cookie,
)
from readyroom.web.rendering import AppRequest, Page, Reply, address

LINKS = "links"
"""The cookie that keeps the invite links for the host's lobby of a match."""
JOINING = "joining"
"""The cookie by which a browser can use an invite link again if the response was lost."""
A_DAY = 24 * 60 * 60
TOO_LONG = f"At most {NAME_LENGTH} characters."
SeatName = Annotated[str, Parameter(max_length=64)]


def links_cookie(request: AppRequest, path: str, links: Mapping[str, str]) -> Cookie:
    """Return the cookie with the invite links of a match or campaign, by seat or side; `path` is that of its page."""
    text = "&".join(f"{place}={secret}" for place, secret in links.items())
    return app_cookie(request, LINKS, text, A_DAY, path)


def kept_links(request: AppRequest, leads_to: Callable[[str, str], bool]) -> dict[str, str]:
    """Return the invite links of the cookie of which `leads_to(place, secret)` says that they are still valid."""
    pairs = (pair.partition("=") for pair in request.cookies.get(LINKS, "").split("&"))
    return {place: secret for place, _, secret in pairs if secret and leads_to(place, secret)}


def _kept_links(request: AppRequest, store: Store, summary: MatchSummary) -> dict[str, str]:
    return kept_links(request, partial(_leads_to, store, summary))


def _leads_to(store: Store, summary: MatchSummary, seat: str, secret: str) -> bool:
    try:
        result, key = store.seats.match_by_link(secret)
    except ReadyRoomError:
        return False
    return (result.id, key) == (summary.id, seat)


def lobby_page(
    request: AppRequest, store: Store, page: Page, summary: MatchSummary, *, status: int = 200
) -> Response[str]:
    """Show the lobby: seats, invite links and the dice seed hash."""
    player = page.player
    mine = summary.seats_of(player.id) if player else []
    links = _kept_links(request, store, summary)
    before = match_before(summary, store.listings.matches_of(player.id)) if player is not None else None
    reserved = _reserved(summary, before)
    return page(
        "lobby.html",
        status=status,
        secret=True,
        summary=summary,
        game=catalog.games().get(summary.game),
        choices=_choices(summary),
        is_host=player is not None and player.id == summary.host,
        mine=mine,
        before=before[0] if before is not None else None,
        may_cancel=player is not None and player.id == summary.host and not summary.everyone - {player.id},
        offer=_rematch_offer(summary, before, player),
        invitation=next((one for one in store.friends.invitations(player.id) if one.match.id == summary.id), None)
        if player is not None
        else None,
        reserved=reserved,
        rematch_with=list(dict.fromkeys(name for people in reserved.values() for name in people.values())),
        asked=_invited_to(store, summary, player),
        sides=_seated(summary),
        leads=leading_seats(summary),
        rating=_rating_text(store, summary, player),
        links={seat: f"{address(request)}/s/{secret}" for seat, secret in links.items()},
        qr_code=qr_code,
        letters=WORDS_LENGTH,
        random_words=random_words(),
        public_key=public_key(request.app.state.settings),
        seat_controls={control.seat.key: control for control in seat_controls(summary, player)},
        bots=bot_of(summary),
    )


@lru_cache(maxsize=64)
def qr_code(link: str) -> Markup:
    """Return the QR code of a link as SVG; empty for one without a server, which a phone cannot open."""
    import segno  # slow to load, and only hosts need it

    if "://" not in link:
        return Markup("")
    made = segno.make(link, error="m", micro=False)
    drawn = made.svg_inline(border=3, omitsize=True, svgclass="qr", lineclass="qr-dark")
    return Markup(drawn.replace("<svg", '<svg role="img" aria-label="QR code of the invite link"', 1))


Before: TypeAlias = tuple[MatchSummary, bool] | None
"""The match that this one is the rematch of, and whether sides are swapped."""


def _rematch_offer(summary: MatchSummary, before: Before, player: Player | None) -> RematchOffer | None:
    """Return the offer of this rematch to a player; None if no seat waits for them."""
    if before is None or player is None:
        return None
    offer = rematch_offer(before[0], summary, player, swap=before[1])
    return offer if offer.waiting else None


def _reserved(summary: MatchSummary, before: Before) -> dict[str, dict[str, str]]:
    """Return the players of the match before who are asked to take the empty seats of a rematch, by seat."""
    seats = rematch_seats(before[0], swap=before[1]) if before is not None else {}
    return {seat.key: dict(seats[seat.key].players) for seat in summary.seats if seat.vacant and seat.key in seats}


def _invited_to(store: Store, summary: MatchSummary, player: Player | None) -> dict[str, str]:
    """Return who is invited to each free seat, for the host; empty for others."""
    names = store.friends.invited(summary.id) if player is not None and player.id == summary.host else {}
    free = {seat.key for seat in summary.seats if seat.vacant and seat.invited}
    return {seat: join_list(invited) for seat, invited in names.items() if seat in free}


def _choices(summary: MatchSummary) -> list[tuple[str, str, str]]:
    """Return the non-default options: title, value and rule."""
    game, options = catalog.games().get(summary.game), summary.options
    return [
        (option.title, option.choices.get(options[option.key], options[option.key]), option.rule)
        for option in (game.options if game else ())
        if options.get(option.key, option.default) != option.default
    ]


def _rating_text(store: Store, summary: MatchSummary, player: Player | None) -> str:
    """Say whether a match that has not started will be rated; empty if it cannot be."""
    if summary.started or not store.ladder.can_rate(summary):
        return ""
    own = {player.id} if player is not None else set[str]()
    people = {one for seat in summary.seats for one, _ in seat.players} | own
    on_ladder = summary.on_ladder | {one for one in own if store.ladder.joined(one)}
    if len(people) == 2 and people <= on_ladder:
        return "Will be rated: both players are on the ladder"
    state = "" if not own else "; you are" if own <= on_ladder else "; you are not yet"
    return f"Rated if both players are on the ladder before the first decision{state}"


def _seated(summary: MatchSummary) -> list[tuple[str, str, list[tuple[SeatSummary, str]]]]:
    """Return the sides with their colours and seats, and who plays each."""
    return [(name, colour, [(seat, occupant(seat)) for seat in seats]) for name, colour, seats in by_sides(summary)]


@post("/m/{id:str}/invitation", sync_to_thread=True)
def answer_invitation(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Join the seats that the player is invited to, or decline."""
    if player is None:
        raise NotInvited
    if form.get("join") == "yes":
        store.friends.accept(id, player.id)
        return Redirect(f"/m/{id}", status_code=303)
    store.friends.decline(id, player.id)
    return Redirect("/", status_code=303)


@post("/m/{id:str}/begin", sync_to_thread=True)
def begin(store: Store, player: Player | None, id: str) -> Redirect:
    """Start the match without waiting for the empty seats."""
    if player is None:
        raise NotTheHost("start it")
    store.lobby.begin(id, player.id)
    return Redirect(f"/m/{id}", status_code=303)


@post("/m/{id:str}/cancel", sync_to_thread=True)
def cancel_match(store: Store, player: Player | None, id: str) -> Redirect:
    """Cancel a match that no one else has joined; lead back to the match before if it is a rematch, or else home."""
    if player is None:
        raise NotTheHost("cancel it")
    before = match_before(store.listings.summary(id), store.listings.matches_of(player.id))
    if before is None:
        store.lobby.cancel(id, player.id)
        return Redirect("/", status_code=303)
    store.rematches.withdraw(before[0], id, player.id)
    return Redirect(f"/m/{before[0].id}", status_code=303)


@get("/m/{id:str}/take", sync_to_thread=True)
def open_seat(page: Page, store: Store, id: str, seat: SeatName) -> Reply:
    """Show an open seat before it is joined."""
    summary = store.listings.summary(id).seen_by(page.player.id if page.player is not None else "")
    place = next((known for known in summary.seats if known.key == seat), None)
    if place is None or not place.open:
        return Redirect(f"/m/{id}", status_code=303)
    return _invitation(page, store, summary, seat)


@post("/m/{id:str}/take", sync_to_thread=True)
def take(request: AppRequest, page: Page, store: Store, player: Player | None, form: FormMultiDict, id: str) -> Reply:
    """Join a seat that is open to anyone."""
    summary, seat, name = store.listings.summary(id), str(form.get("seat", "")), _name(form)
    if player is None and len(name) > NAME_LENGTH and any(known.key == seat and known.open for known in summary.seats):
        return _invitation(page, store, summary.seen_by(), seat, status=422, name=name, wrong=TOO_LONG)
    arrival = get_or_create_player(request, store, player, name[:NAME_LENGTH])
    store.seats.join_open_seat(id, seat, arrival.player.id, _words(form))
    return arrival.seated(Redirect(f"/m/{id}", status_code=303))


@post("/m/{id:str}/assign-bot", sync_to_thread=True)
def assign_bot(store: Store, player: Player | None, form: FormMultiDict, client_tag: str, id: str) -> Redirect:
    """Assign a bot to a seat."""
    if player is None:
        raise NotYourSeat("Only the player in the seat or the host can assign a bot.")
    store.seats.assign_bot(id, str(form.get("seat", "")), str(form.get("bot", "")), player.id, client=client_tag)
    return Redirect(f"/m/{id}", status_code=303)


@post("/m/{id:str}/reclaim", sync_to_thread=True)
def reclaim_seat(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Reclaim a seat from a bot."""
    if player is None:
        raise NotYourSeat("Only the previous player can reclaim a seat from a bot.")
    store.seats.reclaim_seat(id, str(form.get("seat", "")), player.id)
    return Redirect(f"/m/{id}", status_code=303)


@post("/m/{id:str}/hide", sync_to_thread=True)
def set_hidden(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Hide one of the player's matches, or show it again."""
    if player is None:
        raise NotYourSeat("You can hide only matches that you play or host.")
    back = form.get("back") == "yes"
    store.listings.set_hidden(id, player.id, not back)
    return Redirect("/me/hidden" if back else "/", status_code=303)


@post("/m/{id:str}/leave", sync_to_thread=True)
def leave_seat(
    store: Store, player: Player | None, broadcaster: EventBroadcaster, form: FormMultiDict, id: str
) -> Redirect:
    """Leave the player's seat, or free one as the host."""
    if player is not None:
        seat = str(form.get("seat", ""))
        store.seats.leave_seat(id, seat, player.id)
        broadcaster.part(id, seat)
    return Redirect(f"/m/{id}", status_code=303)


@post("/m/{id:str}/link", sync_to_thread=True, status_code=201)
def new_link(request: AppRequest, page: Page, store: Store, form: FormMultiDict, id: str) -> Response[Any]:
    """Create a new invite link; the old one stops working. It is shown once, or until the match starts."""
    summary, seat = store.listings.summary(id), str(form.get("seat", ""))
    if page.player is None:
        raise NotTheHost("create links")
    secret = store.seats.new_link(id, seat, page.player.id)
    if summary.started:
        name, link = _seat(summary, seat).name, f"{address(request)}/s/{secret}"
        return page("link.html", status=201, secret=True, summary=summary, seat_name=name, link=link, qr_code=qr_code)
    links = {**_kept_links(request, store, summary), seat: secret}
    response = Redirect(f"/m/{id}#seat-{seat}", status_code=303)
    response.set_cookie(links_cookie(request, f"/m/{id}", links))
    return response


@get("/s/{secret:str}", sync_to_thread=True)
def invitation(request: AppRequest, page: Page, store: Store, secret: str) -> Reply:
    """Show an invitation; nothing changes before the button is pressed."""
    try:
        summary, key = _invited(store, secret)
    except UnknownLink as error:
        return _been_here(request, page, store, secret, error)
    response = _invitation(page, store, summary, key, secret)
    if page.player is None and not request.cookies.get(JOINING):
        response.set_cookie(app_cookie(request, JOINING, new_secret(), A_DAY, "/s"))
    return response


def _invited(store: Store, secret: str) -> tuple[MatchSummary, str]:
    """Return the match and the seat of a link by which someone may join; raise `UnknownLink`."""
    summary, key = store.seats.match_by_link(secret)
    seat = _seat(summary, key)
    if seat.shared and seat.players:
        raise LinkAlreadyUsed
    return summary, key


def _been_here(request: AppRequest, page: Page, store: Store, secret: str, error: UnknownLink) -> Redirect:
    """Redirect who has joined by a used link to the match; it gives a newcomer's browser its session again."""
    if isinstance(error, LinkAlreadyUsed):
        raise error
    summary, key = store.seats.used_link(secret)
    response = Redirect(f"/m/{summary.id}", status_code=303)
    if page.player is not None and key in summary.seats_of(page.player.id):
        return response
    session = store.seats.session_by_link(secret, request.cookies.get(JOINING, "")) if page.player is None else None
    if session is None:
        raise LinkAlreadyUsed
    response.set_cookie(session_cookie(request, session))
    return response


def _invitation(
    page: Page, store: Store, summary: MatchSummary, key: str, secret: str = "", **more: Any
) -> Response[str]:
    """Show a seat and the other players, for an invite link or (without `secret`) an open seat."""
    seat, game = _seat(summary, key), catalog.games().get(summary.game)
    own = summary.seats_of(page.player.id) if page.player is not None else []
    people = [one for seat in summary.seats for one in seat.players]
    playing = [name for player, name in people if player == (summary.host or player)]
    data = {
        "summary": summary,
        "seat": seat,
        "is_open": not secret,
        "action": f"/s/{secret}" if secret else f"/m/{summary.id}/take",
        "sides": _seated(summary),
        "leads": leading_seats(summary),
        "own_seats": [_seat(summary, one).name for one in own],
        "colour": next(colour for _, colour, seats in by_sides(summary) if seat in seats),
        "host": playing[0] if playing and playing[0] != NO_NAME else "",
        "here": key in own,
        "choices": _choices(summary),
        "rating": _rating_text(store, summary, page.player),
        "game": game,
        "scenario": store.listings.scenario(summary.id) if game is not None else None,
        "name": random_name(),
        "name_letters": NAME_LENGTH,
        "letters": WORDS_LENGTH,
        "random_words": random_words(),
        "wrong": "",
    }
    return page("seat.html", secret=True, **{**data, **more})


def _seat(summary: MatchSummary, key: str) -> SeatSummary:
    return next(seat for seat in summary.seats if seat.key == key)


@post("/s/{secret:str}", sync_to_thread=True)
def sit_down(request: AppRequest, page: Page, store: Store, form: FormMultiDict, secret: str) -> Reply:
    """Join by an invite link; a newcomer gets a player of the name given."""
    name, text = _name(form), _words(form)
    try:
        summary, key = _invited(store, secret)
        if len(name) > NAME_LENGTH:
            return _invitation(page, store, summary, key, secret, status=422, name=name, wrong=TOO_LONG)
        if page.player is not None:
            store.seats.join_by_link(secret, page.player.id, text)
            return Redirect(f"/m/{summary.id}", status_code=303)
        count_new_player(request)
        browser, device = request.cookies.get(JOINING, ""), device_of(request)
        _, session = store.seats.join_as_newcomer(secret, name or random_name(), text, browser=browser, device=device)
    except UnknownLink as error:
        return _been_here(request, page, store, secret, error)
    response = Redirect(f"/m/{summary.id}", status_code=303)
    response.set_cookie(session_cookie(request, session))
    return response


def _name(form: FormMultiDict) -> str:
    return " ".join(str(form.get("name", "")).split())


def _words(form: FormMultiDict) -> str:
    return str(form.get("words", "")).strip()[:WORDS_LENGTH]


handlers = [
    answer_invitation,
    begin,
    cancel_match,
    open_seat,
    take,
    leave_seat,
    new_link,
    assign_bot,
    reclaim_seat,
    set_hidden,
    invitation,
    sit_down,
]
