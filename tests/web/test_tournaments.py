"""Tests of the pages and the API of tournaments."""

from __future__ import annotations

import re
from typing import Any

import pytest
from httpx import Response
from tests.web.clients import Guest, Site, site

from readyroom.store.base import hashed
from readyroom.store.rows import match_row
from readyroom.web.pages.players.profile import COOKIE

__all__ = ["site"]

FORM = {
    "title": "Winter Cup",
    "game": "pearl air-raid",
    "kind": "robin",
    "places": "3",
    "pace": "days",
    "days": "7",
    "minutes": "60",
}


def create(guest: Guest, **fields: str) -> str:
    """Create a tournament with the form; return the address of its page."""
    response = guest.post("/tournaments/new", {**FORM, "plays": "yes", "listed": "yes", **fields})
    assert response.status_code == 303, response.text
    return response.headers["location"]


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def open_match(site: Site, room: str) -> str:
    found = site.store.tournaments.find(room.split("/")[-1])
    return next(one.match for one in found.pairings if not one.result)


def guest_in(site: Site, match: str, *guests: Guest) -> Guest:
    """Return the first of some guests who plays a match."""
    everyone = site.store.listings.summary(match).everyone
    players = [(guest, site.store.players.of_session(guest.cookies[COOKIE])) for guest in guests]
    return next(guest for guest, player in players if player is not None and player.id in everyone)


def api(site: Site, method: str, path: str, secret: str = "", **more: Any) -> Response:
    site.client.cookies.clear()
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return site.client.request(method, f"/api/v1{path}", headers=headers, **more)


def test_three_people_play_a_round_robin_by_form(site: Site) -> None:
    ann, ben, eve, stranger = site.guest("Ann"), site.guest("Ben"), site.guest(), site.guest()
    room = create(ann)
    listed = text_of(ben.page("/tournaments"))
    assert "1 of 3 players" in listed
    assert "7 days for a decision, 60 minutes a side" in listed
    assert "Winter Cup" in text_of(ann.page("/tournaments"))
    assert ben.post(f"{room}/join").headers["location"] == room
    assert "Remove" not in ben.page(room)
    assert eve.post(f"{room}/join", {"name": "x" * 41}).status_code == 422
    assert eve.post(f"{room}/join", {"name": "Eve"}).status_code == 303
    assert stranger.post(f"{room}/join", {"name": "Late"}).status_code == 409
    match = open_match(site, room)
    page = ann.page(room)
    assert all(name in text_of(page) for name in ("Standings", "Rounds", "Ann", "Ben", "Eve"))
    assert f'href="{room}">Tournament</a>' in stranger.page(f"/m/{match}")
    home = text_of(guest_in(site, match, ann, ben, eve).page("/"))
    assert "Winter Cup" in home
    assert "You: no result yet. Now against" in home
    site.play_until(match)  # bots answer for the two people
    assert f'href="{room}">Tournament</a>' in stranger.page(f"/m/{match}")
    assert open_match(site, room) != match
    players = {name for seat in site.store.listings.summary(open_match(site, room)).seats for _, name in seat.players}
    guests = {"Ann": ann, "Ben": ben, "Eve": eve}
    quits = guests[min(players)]
    assert stranger.post(f"{room}/concede", {"match": open_match(site, room)}).status_code == 403
    assert "Concede as" in text_of(quits.page(room))
    assert quits.post(f"{room}/concede", {"match": open_match(site, room)}).status_code == 303
    assert "conceded" in text_of(stranger.page(room))
    (absent,) = guests.keys() - players
    assert guests[absent].post(f"{room}/leave").status_code == 303
    over = text_of(stranger.page(room))
    assert "The tournament is over. Won by" in over
    assert f"{absent} (out)" in over
    assert "Finished" in text_of(stranger.page("/tournaments"))
    assert stranger.post(f"{room}/again").status_code == 403
    if absent != "Ann":  # who organises it
        assert guests[absent].post(f"{room}/again").status_code == 403
    again = quits.post(f"{room}/again").headers["location"]
    assert guests[absent].post(f"{room}/again").headers["location"] == again
    assert f'href="{again}"' in eve.page(room)
    assert "an earlier tournament" in eve.page(again)


def test_round_robin_starts_in_one_click(site: Site) -> None:
    guest = site.guest("Anna")
    page = guest.page("/tournaments")
    assert "Example: the table of a round robin" in page
    assert "a bot cannot join" in page
    form = next(one for one in re.findall(r"<form.*?</form>", page, re.S) if 'value="midway midway"' in one)
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    created = guest.post("/tournaments/new", fields).headers["location"].rpartition("/")[2]
    found = site.store.tournaments.find(created)
    assert (found.kind, found.places, found.public, len(found.entrants)) == ("robin", 4, True, 1)


def test_knockout_with_bye_by_invitation(site: Site) -> None:
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    room = create(ann, kind="knockout", places="8", listed="")
    assert site.store.tournaments.find(room.split("/")[-1]).public  # an empty field is a tick
    response = ann.post("/tournaments/new", {**FORM, "title": "Club", "kind": "knockout", "places": "8", "both": "yes"})
    room = response.headers["location"]
    assert "Club" not in ben.page("/tournaments")
    assert re.search(rf'id="address" value="[^"]+{room}"', ben.page(room))
    for guest in (ann, ben, eve):
        guest.post(f"{room}/join")
    assert ben.post(f"{room}/start").status_code == 403
    assert ann.post(f"{room}/start").status_code == 303
    page = text_of(eve.page(room))
    assert all(word in page for word in ("Bracket", "Semi-finals", "bye", "Second match"))
    assert ann.post(f"{room}/cancel").status_code == 409
    assert "Remove Ben" not in text_of(ann.page(room))
    assert ann.post(f"{room}/remove", {"name": "Ben"}).status_code == 409
    ann.post(f"{room}/leave")
    assert "Remove Ben" in text_of(ann.page(room))
    assert ann.post(f"{room}/remove", {"name": "Ben"}).status_code == 303
    assert "Won by Eve" in text_of(eve.page(room))


def test_nothing_of_a_tournament_shows_a_secret(site: Site) -> None:
    ann, stranger = site.guest("Ann"), site.guest("Eve")
    room = create(ann)
    cup = room.split("/")[-1]
    store = site.store
    people = [store.players.create(name).player.id for name in ("Ben", "Joe")]
    secrets = [store.tournaments.join(cup, one, f"words of {one}", program=True) for one in people]
    for one in store.tournaments.find(cup).entrants:
        for seats in store.tournaments.seats(cup, one.player).values():
            secrets += seats.values()
    with store.database.reading() as connection:
        key = match_row(connection, open_match(site, room)).secret.hex()
    hidden = [key, *secrets, *map(hashed, secrets)]
    assert len(hidden) == 9
    for guest in (ann, stranger):
        pages = [guest.page(path) for path in ("/tournaments", room, "/", "/community", f"/api/v1{room}")]
        assert not [word for word in (*hidden, "words of") for page in pages if word in page]


def test_form_keeps_its_fields_on_an_error(site: Site) -> None:
    ann = site.guest("Ann")
    for wrong, sentence in (
        ({"title": " "}, "The name of the tournament is empty."),
        ({"places": "12"}, "A round robin has 3 to 10 players"),
        ({"places": "many"}, "A round robin has 3 to 10 players"),
        ({"game": "picket"}, "is not a game for two sides"),
        ({"game": "chess"}, "chess"),
    ):
        response = ann.post("/tournaments/new", {**FORM, "kind": "robin", "pace": "live", **wrong})
        assert response.status_code == 422
        assert sentence in text_of(response.text)
        assert 'name="pace" value="live" checked' in response.text
    assert ann.get("/tournaments/nowhere").status_code == 404
    room = create(ann)
    assert ann.post(f"{room}/dance").status_code == 404
    assert ann.post(f"{room}/remove", {"name": "x"}).status_code == 409
    assert ann.post("/tournaments/new", {"title": "Cup", "places": "9" * 5000, "days": "9" * 30}).status_code == 422
    assert ann.post(f"{room}/cancel").headers["location"] == "/tournaments"
    assert ann.get(room).status_code == 404


@pytest.mark.parametrize("kind", ["robin", "knockout"])
def test_programs_play_a_tournament(site: Site, kind: str) -> None:
    new = {"title": "Programs", "game": "pearl", "scenario": "air-raid", "kind": kind, "places": 3}
    created = api(site, "POST", "/tournaments", json=new).json()
    cup, first = created["id"], created["secret"]
    assert cup in {one["id"] for one in api(site, "GET", "/tournaments").json()}
    joined = [api(site, "POST", f"/tournaments/{cup}/join", json={"name": f"P{n}"}).json() for n in range(2)]
    secrets = [first, *(one["secret"] for one in joined)]
    assert api(site, "POST", f"/tournaments/{cup}/join", json={}).status_code == 409
    for _ in range(9):
        model = api(site, "GET", f"/tournaments/{cup}").json()
        if model["state"] == "over":
            break
        owner = next(s for s in secrets if api(site, "POST", f"/tournaments/{cup}/seats", s).json()["matches"])
        matches = api(site, "POST", f"/tournaments/{cup}/seats", owner).json()["matches"]
        for match, seats in matches.items():
            for secret in seats.values():
                assert api(site, "GET", "/seat", secret).json()["id"] == match
            done = api(site, "POST", f"/tournaments/{cup}/choices", owner, json={"concede": match})
            assert done.status_code == 200, done.text
    assert model["state"] == "over"
    assert model["standings"][0]["place"] == 1
    assert api(site, "POST", f"/tournaments/{cup}/choices", json={"withdraw": True}).status_code == 401
    assert api(site, "POST", f"/tournaments/{cup}/choices", "nonsense", json={"withdraw": True}).status_code == 401
    assert api(site, "POST", f"/tournaments/{cup}/choices", first, json={"withdraw": True}).status_code == 409
    assert api(site, "POST", f"/tournaments/{cup}/choices", secrets[1], json={"remove": "Ann"}).status_code == 403
    other = api(site, "POST", "/tournaments", json=new).json()
    assert api(site, "POST", f"/tournaments/{other['id']}/seats", first).status_code == 403
    assert api(site, "GET", "/tournaments/nowhere").status_code == 404


def test_page_follows_the_changes_of_its_tournament(site: Site) -> None:
    ann, ben = site.guest("Ann"), site.guest("Ben")
    room = create(ann)
    assert f'data-watch="{room}/events"' in ben.page(room)
    assert "watched" in ben.page(room)
    assert 'http-equiv="refresh"' in ann.page(room)
    assert 'http-equiv="refresh"' not in ben.page(room), "it would undo what they type"
    wrong = ben.post(f"{room}/join", {"name": "x" * 41}).text
    assert "/watched." not in wrong, "the address of this page cannot be loaded again"
    assert ben.get("/tournaments/nowhere/events").status_code == 404


def test_match_that_is_decided_without_play_says_so(site: Site) -> None:
    guests = {name: site.guest(name) for name in ("Ann", "Ben", "Eve")}
    room = create(guests["Ann"])
    cup = room.split("/")[-1]
    for name in ("Ben", "Eve"):
        guests[name].post(f"{room}/join")
    found, match = site.store.tournaments.find(cup), open_match(site, room)
    (first,) = found.pairings
    quits = found.name(first.one)
    assert "Decided:" not in text_of(guests["Ann"].page(f"/m/{match}"))
    assert guests[quits].post(f"{room}/concede", {"match": match}).status_code == 303
    shown = text_of(guests["Ann"].page(f"/m/{match}"))
    assert f"Decided: {quits} conceded. It no longer counts for the tournament" in shown
    site.play_until(match)  # it can be played on
    assert f"Decided before its end: {quits} conceded." in text_of(guests["Ann"].page(f"/m/{match}"))
    assert "Match, not played to its end" in text_of(guests["Ann"].page(room))
    assert f"{quits} conceded." in text_of(guests["Ann"].page(room))
    leaves = next(one.number for one in found.entrants if one.player == found.host)
    played = [one for one in site.store.tournaments.find(cup).pairings if not one.result and leaves in one.players]
    guests["Ann"].post(f"{room}/leave")
    for one in played:
        assert "Decided: Ann left the tournament." in text_of(guests["Eve"].page(f"/m/{one.match}"))


def test_names_are_short_and_rows_have_the_numbers_of_columns(site: Site) -> None:
    guests = [site.guest("W" * 39 + letter) for letter in "ABC"]
    too_long = guests[0].post("/tournaments/new", {**FORM, "title": "x" * 81})
    assert too_long.status_code == 422
    assert 'maxlength="80"' in too_long.text
    room = create(guests[0], title="x" * 80)
    for guest in guests[1:]:
        guest.post(f"{room}/join")
    page = guests[1].page(room)
    rows = re.findall(r'<td class="number">(\d)</td><td class="number">(\d)</td><th scope="row">', page)
    assert [number for _, number in rows] == ["1", "2", "3"]
    assert "SB: Sonneborn–Berger" in text_of(page)
    found = site.store.tournaments.find(room.split("/")[-1])
    (sits,) = {1, 2, 3} - set(found.pairings[0].players)
    assert f"{found.name(sits)} sits out." in text_of(page)


def test_deleting_and_removing_ask_once(site: Site) -> None:
    ann, ben = site.guest("Ann"), site.guest("Ben")
    room = create(ann)
    ben.post(f"{room}/join")
    page = ann.page(room)
    for action, question in (("remove", "Remove Ben from the tournament?"), ("cancel", "Delete the tournament for")):
        assert re.search(rf'<details class="ask"[^>]*><summary[^>]*>[^<]+</summary><p>{re.escape(question)}', page)
        assert page.count(f'action="{room}/{action}"') == 1
    assert 'class="ask"' not in ben.page(room)


def test_organiser_has_the_address_to_hand_out_and_the_late_a_way_back(site: Site) -> None:
    ann, ben, eve = site.guest("Ann"), site.guest("Ben"), site.guest("Eve")
    room = create(ann)
    page = ann.page(room)
    assert re.search(rf'id="address" value="http[^"]+{room}"', page)
    assert 'class="qr"' in page
    assert 'id="address"' not in ben.page(room)
    assert "7 days for a decision" in text_of(ben.page(room))
    for guest in (ben, eve):
        guest.post(f"{room}/join")
    late = site.guest("Joe").post(f"{room}/join")
    assert late.status_code == 409
    assert f'href="{room}">Back to the tournament' in late.text
