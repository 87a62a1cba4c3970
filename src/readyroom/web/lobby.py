"""Before a match begins: its lobby, the links to its seats, and sitting down."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.datastructures import Cookie, FormMultiDict
from litestar.response import Redirect

from readyroom.engine.errors import ReadyRoomError
from readyroom.store import MatchCard, Player, SeatCard, Store
from readyroom.store.errors import NotTheHost
from readyroom.web import library
from readyroom.web.cards import sides_of, sitter
from readyroom.web.opening import DICE_WORDS
from readyroom.web.pages import Asking, Page, address
from readyroom.web.people import NAME_LETTERS, arrive, friendly_name, house_cookie

LINKS = "links"
"""The cookie in which a host's own browser keeps the links that he has made, for the lobby of that match alone."""
A_DAY = 24 * 60 * 60


def links_cookie(request: Asking, id: str, links: dict[str, str]) -> Cookie:
    """The links of a match for its host's lobby."""
    told = "&".join(f"{seat}={secret}" for seat, secret in links.items())
    return house_cookie(request, LINKS, told, A_DAY, f"/m/{id}")


def _kept_links(request: Asking, store: Store, card: MatchCard) -> dict[str, str]:
    """The links that the browser brought back and that still lead to seats of this match."""
    pairs = (pair.partition("=") for pair in request.cookies.get(LINKS, "").split("&"))
    return {seat: secret for seat, _, secret in pairs if secret and _leads_to(store, card, seat, secret)}


def _leads_to(store: Store, card: MatchCard, seat: str, secret: str) -> bool:
    try:
        found, key = store.link(secret)
    except ReadyRoomError:
        return False
    return (found.id, key) == (card.id, seat)


def lobby_page(request: Asking, store: Store, page: Page, card: MatchCard, *, status: int = 200) -> Response[str]:
    """The lobby: who sits, who is awaited, how to bring him here, and what the dice are proved by."""
    player = page.player
    links = _kept_links(request, store, card)
    return page(
        "lobby.html",
        status=status,
        secret=True,
        card=card,
        game=library.games().get(card.game),
        choices=_choices(card),
        is_host=player is not None and player.id == card.host,
        mine=card.seats_of(player.id) if player else [],
        sides=_seated(card),
        links={seat: f"{address(request)}/s/{secret}" for seat, secret in links.items()},
        letters=DICE_WORDS,
    )


def _choices(card: MatchCard) -> list[tuple[str, str, str]]:
    """The options that are not as usual: title, what was chosen, and the rule."""
    game = library.games().get(card.game)
    if game is None:
        return []
    return [
        (option.title, option.choices.get(card.options[option.key], card.options[option.key]), option.rule)
        for option in game.options
        if card.options.get(option.key, option.default) != option.default
    ]


def _seated(card: MatchCard) -> list[tuple[str, str, list[tuple[SeatCard, str]]]]:
    """The sides with their colours and seats, and who sits on each."""
    by_side: dict[str, list[SeatCard]] = {}
    for seat in card.seats:
        by_side.setdefault(seat.side, []).append(seat)
    named = sides_of(card)
    return [
        (name, colour, [(seat, sitter(seat)) for seat in seats])
        for (name, colour, _), seats in zip(named, by_side.values(), strict=True)
    ]


@post("/m/{id:str}/begin", sync_to_thread=True)
def begin(store: Store, player: Player | None, id: str) -> Redirect:
    """The host begins without those who have not come."""
    if player is None:
        raise NotTheHost("begin it")
    store.begin(id, player.id)
    return Redirect(f"/m/{id}", status_code=303)


@post("/m/{id:str}/take", sync_to_thread=True)
def take(
    request: Asking, store: Store, player: Player | None, form: FormMultiDict, id: str
) -> Response[str] | Redirect:
    """Take a seat that is open to anyone."""
    store.card(id)
    arrival = arrive(request, store, player, _name(form))
    store.take(id, str(form.get("seat", "")), arrival.player.id, _words(form))
    return arrival.seated(Redirect(f"/m/{id}", status_code=303))


@post("/m/{id:str}/stand-up", sync_to_thread=True)
def stand_up(store: Store, player: Player | None, form: FormMultiDict, id: str) -> Redirect:
    """Leave a seat that one has taken."""
    if player is not None:
        store.stand_up(id, str(form.get("seat", "")), player.id)
    return Redirect(f"/m/{id}", status_code=303)


@post("/m/{id:str}/link", sync_to_thread=True, status_code=201)
def new_link(request: Asking, page: Page, store: Store, form: FormMultiDict, id: str) -> Response[Any]:
    """A new link to a seat; the old one is dead from now on. It is shown once, or until the match begins."""
    card, seat = store.card(id), str(form.get("seat", ""))
    if page.player is None:
        raise NotTheHost("make links")
    secret = store.new_link(id, seat, page.player.id)
    if card.begun:
        name = next(known.name for known in card.seats if known.key == seat)
        link = f"{address(request)}/s/{secret}"
        return page("link.html", status=201, secret=True, card=card, seat_name=name, link=link)
    links = {**_kept_links(request, store, card), seat: secret}
    response = Redirect(f"/m/{id}#seat-{seat}", status_code=303)
    response.set_cookie(links_cookie(request, id, links))
    return response


@get("/s/{secret:str}", sync_to_thread=True)
def invitation(page: Page, store: Store, secret: str) -> Response[Any]:
    """Whom one would play, and as what; nothing happens before the button is pressed."""
    card, key = store.link(secret)
    return _invitation(page, card, key, secret)


def _invitation(page: Page, card: MatchCard, key: str, secret: str, **more: Any) -> Response[str]:
    seat = next(known for known in card.seats if known.key == key)
    told = {
        "card": card,
        "seat": seat,
        "link": secret,
        "sides": _seated(card),
        "colour": next(colour for _, colour, seats in _seated(card) if key in {known.key for known, _ in seats}),
        "host": _host(card),
        "here": page.player is not None and key in card.seats_of(page.player.id),
        "choices": _choices(card),
        "game": library.games().get(card.game),
        "name": friendly_name(),
        "name_letters": NAME_LETTERS,
        "letters": DICE_WORDS,
        "wrong": "",
    }
    return page("seat.html", secret=True, **{**told, **more})


def _host(card: MatchCard) -> str:
    """The name of whoever opened the match, if he sits at it."""
    return next((name for seat in card.seats for player, name in seat.players if player == card.host), "")


@post("/s/{secret:str}", sync_to_thread=True)
def sit_down(request: Asking, page: Page, store: Store, form: FormMultiDict, secret: str) -> Response[Any] | Redirect:
    """Sit down; a newcomer is enrolled by the name that he told."""
    card, key = store.link(secret)
    name, words = _name(form), _words(form)
    if len(name) > NAME_LETTERS:
        return _invitation(page, card, key, secret, status=422, name=name, wrong=f"At most {NAME_LETTERS} letters.")
    arrival = arrive(request, store, page.player, name)
    store.sit(secret, arrival.player.id, words)
    return arrival.seated(Redirect(f"/m/{card.id}", status_code=303))


def _name(form: FormMultiDict) -> str:
    return " ".join(str(form.get("name", "")).split())


def _words(form: FormMultiDict) -> str:
    return str(form.get("words", "")).strip()[:DICE_WORDS]


handlers = [begin, take, stand_up, new_link, invitation, sit_down]
