"""Tests of what previews of links show: on every kind of page, and without hidden information."""

from __future__ import annotations

import re
import struct
from html import unescape

import pytest
from tests.web.clients import BOT, FRIEND, ME, Guest, Site, site

from docs import previews as drawing
from readyroom.web import catalog
from readyroom.web.assets import PREVIEWERS

__all__ = ["site"]
PROPERTY = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">')
SIZE = (1200, 630)


def properties(guest: Guest, path: str, status: int = 200) -> dict[str, str]:
    """Return the meta elements of a page; fail if one is there twice."""
    response = guest.get(path)
    assert response.status_code == status, response.text
    found = [(name, unescape(text)) for name, text in PROPERTY.findall(response.text)]
    assert len(found) == len(dict(found)), found
    return dict(found)


def picture_of(game: str) -> re.Pattern[str]:
    """Return what the address of the picture of a game matches; empty: the site's."""
    return re.compile(rf"/static/games/{game}/\w+/preview.png$" if game else r"/static/card.png\?v=\w+$")


@pytest.fixture(scope="module")
def matches(site: Site) -> dict[str, str]:
    """The ids of matches in each state, and the path of an invite link."""
    host = site.guest("Nagumo")
    lobby = site.store.lobby.create(host.player, "midway", None, {}, {"japan": ME, "usa": FRIEND})
    open_seat = host.post("/opponents", {"choice": "midway japan"}).headers["location"]
    over = site.opened(host, "picket", captain=ME)
    site.play_until(over)
    return {
        "lobby": lobby.id,
        "open": open_seat.removeprefix("/m/"),
        "on": site.opened(host, "midway", japan=ME, usa=BOT),
        "over": over,
        "invite": f"/s/{lobby.links['usa']}",
    }


MATCH = {
    "/m/{lobby}": ("A Terrible Resolve, Midway, 4 June 1942", "Japan: Nagumo; United States: invited. Real time."),
    "/m/{on}": ("A Terrible Resolve, Midway, 4 June 1942", "Japan: Nagumo; United States: Bot (doctrine). Real time."),
    "/m/{on}/report": ("After-action report: A Terrible Resolve", "Turn 1. Anyone with this link can watch."),
    "/m/{on}/replay": ("A Terrible Resolve: replay", "Japan: Nagumo"),
    "{invite}": ("Play United States in Midway, 4 June 1942", "Nagumo invites you to play United States in A Terrible"),
    "/m/{open}/take?seat=usa": ("Play United States in Midway", "The historical meeting: four Japanese carriers"),
}


@pytest.mark.parametrize("path", MATCH)
def test_preview_of_a_match(site: Site, matches: dict[str, str], path: str) -> None:
    found = properties(site.guest(), path.format(**matches))
    title, words = MATCH[path]
    assert found["og:title"].startswith(title)
    assert words in found["og:description"]
    assert found["description"] == found["og:description"]
    assert picture_of("midway").search(found["og:image"])
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert found["twitter:card"] == "summary_large_image"


@pytest.mark.parametrize(
    ("game", "scenario", "length"),
    [("midway", "duel", ""), ("pearl", "air-raid-carriers-in", "half an hour"), ("tora", "sunday", "half an hour to")],
)
def test_invitation_shows_picture_and_length_of_the_scenario(site: Site, game: str, scenario: str, length: str) -> None:
    host = site.guest("Genda")
    lobby = site.store.lobby.create(host.player, game, scenario, {}, {"japan": ME, "usa": FRIEND})
    for path in (f"/s/{lobby.links['usa']}", f"/m/{lobby.id}"):
        found = properties(site.guest(), path)
        assert f"/preview-{scenario}.png" in found["og:image"]
    assert length.capitalize() in site.guest().page(f"/s/{lobby.links['usa']}")


def test_picture_of_an_invitation_shows_no_dice_of_another_match(site: Site) -> None:
    host = site.guest("Genda")
    lobby = site.store.lobby.create(host.player, "pearl", None, {}, {"japan": ME, "usa": FRIEND})
    assert "by the final roll" not in site.guest().get(f"/m/{lobby.id}/board.svg?seat=usa").text
    site.store.seats.join_by_link(lobby.links["usa"], site.guest("Kimmel").player.id)
    assert "by the final roll" in site.guest().get(f"/m/{lobby.id}/board.svg").text


@pytest.mark.parametrize("path", ["/m/{over}", "/m/{over}/report", "/m/{over}/review"])
def test_preview_of_a_finished_match_has_the_result(site: Site, matches: dict[str, str], path: str) -> None:
    outcome = site.store.listings.summary(matches["over"]).outcome
    assert outcome is not None
    found = properties(site.guest(), path.format(**matches))
    assert found["og:description"] == outcome.text
    assert picture_of("picket").search(found["og:image"])


@pytest.mark.parametrize(
    ("path", "title", "game"),
    [
        ("/", "Ready Room: Pacific War board games", ""),
        ("/games", "Games", ""),
        ("/games/tora", "Tora! Tora! Tora!", "tora"),
        ("/games/war/rules", "Rules: Strategic War", "war"),
        ("/games/pearl/charts", "Charts: Air Raid Pearl Harbor", "pearl"),
        ("/games/doolittle/odds", "Odds: The Doolittle Raid", "doolittle"),
        ("/tutorial", "Tutorial", ""),
        ("/tutorial/picket", "", "picket"),
        ("/new?game=tora", "New match: Tora! Tora! Tora!", "tora"),
        ("/opponents", "Find an opponent", ""),
        ("/ladder", "Ladder", "midway"),
        ("/studies", "Studies", "midway"),
        ("/search", "Search", ""),
        ("/credits", "Credits", ""),
        ("/me", "Profile", ""),
    ],
)
def test_preview_of_a_page(site: Site, path: str, title: str, game: str) -> None:
    found = properties(site.guest(), path)
    assert found["og:title"].startswith(title)
    assert found["og:title"]
    assert found["og:description"]
    assert picture_of(game).search(found["og:image"])
    picture = site.guest().get(re.sub("^https?://[^/]+", "", found["og:image"]))
    assert picture.headers["content-type"] == "image/png"
    assert struct.unpack(">II", picture.content[16:24]) == SIZE


def test_preview_of_a_page_that_is_not_found(site: Site) -> None:
    assert properties(site.guest(), "/nowhere", 404)["og:image"]


def test_preview_of_a_player(site: Site) -> None:
    guest = site.guest("Yamaguchi")
    guest.post("/me/ladder", {"join": "yes"})
    found = properties(site.guest(), f"/players/{guest.player.id}")
    assert found["og:description"] == "Ratings and results of Yamaguchi on Ready Room."
    assert found["robots"] == "noindex"


def test_all_viewers_get_the_same_preview_of_a_match(site: Site) -> None:
    """It is made of what spectators know: a seat's own page says no more."""
    usa, japan = site.guest("Nimitz"), site.guest("Yamamoto")
    match = site.duel(usa, japan)
    site.play_until(match, lambda live: live.revision >= 12)
    seen = [properties(guest, f"/m/{match}") for guest in (site.guest(), usa, japan)]
    assert seen[0] == seen[1] == seen[2]
    assert "Nimitz" in seen[0]["og:description"]


def test_programs_that_preview_links_may_read_matches(site: Site) -> None:
    *_, rules = site.guest().page("/robots.txt").split("\n\n")
    for name in PREVIEWERS:
        assert f"User-agent: {name}\n" in rules
    assert "/m/" not in rules
    assert "/s/" not in rules
    assert "Disallow: /me\n" in rules


@pytest.mark.parametrize("key", list(catalog.games()))
def test_picture_is_of_the_game_as_it_is_now(key: str) -> None:
    for preview in drawing.previews_of(catalog.games()[key]):
        check_picture(preview)


def test_picture_of_the_site_is_as_it_is_now() -> None:
    check_picture(drawing.site())


def check_picture(preview: drawing.Preview) -> None:
    """Check the size of a picture, and that it shows what it should."""
    content = preview.place.read_bytes()
    assert struct.unpack(">II", content[16:24]) == SIZE
    assert drawing.drawn_from(content) == preview.source, "run `python docs/previews.py`"
    assert len(content) < 150_000
