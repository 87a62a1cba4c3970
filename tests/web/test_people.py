"""Tests of the ladder, players' pages, finding an opponent, passing ahead and the next match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from html import unescape
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest
from tests.store.playing import ANYONE, play
from tests.web.clients import FRIEND, ME, Guest, Site, open_site, site, straits_site

from readyroom.store.base import PlayerEvent
from readyroom.store.ladder.ladder import SideResults
from readyroom.study.daily.challenge import SLOTS
from readyroom.web import catalog
from readyroom.web.board_image import board_image
from readyroom.web.live.notifications import describe_event
from readyroom.web.pages.home import weekly
from readyroom.web.pages.match.lobby import qr_code
from readyroom.web.pages.players import ladder
from readyroom.web.security import OPENINGS

__all__ = ["site", "straits_site"]


def wait_until(there: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until a condition holds."""
    deadline = monotonic() + seconds
    while not there():
        assert monotonic() < deadline, "it did not happen"
        sleep(0.02)


def rated_match(site: Site, usa: Guest, japan: Guest) -> str:
    """Play a match of two players on the ladder to its end, by random moves."""
    for guest in (usa, japan):
        guest.post("/me/ladder", {"join": "yes"})
    opened = site.store.lobby.create(usa.player, "pearl", None, {}, {"usa": ME, "japan": FRIEND}, listed=True)
    site.store.seats.join_by_link(opened.links["japan"], japan.player.id)
    play(site.store, opened.id, Random(5))
    return opened.id


@pytest.fixture(scope="module")
def known(site: Site) -> tuple[Guest, Guest, str]:
    """Two players on the ladder, and a match of theirs."""
    usa, japan = site.guest("Kimmel"), site.guest("Nagumo")
    return usa, japan, rated_match(site, usa, japan)


def test_ladder_lists_players_and_says_the_rule(site: Site, known: tuple[Guest, Guest, str]) -> None:
    page = site.guest().page("/ladder")
    assert "Air Raid Pearl Harbor" in page
    assert "Which matches are rated" in page
    for guest in known[:2]:
        assert f'<a href="/players/{guest.player.id}">{guest.player.name}</a>' in page
    assert "provisional" in page
    assert "/ladder" in site.guest().page("/")
    own = " ".join(known[0].page("/ladder?game=pearl").split())
    assert re.search(r"Your standing</h2> <dl class=\"facts\"><div><dt>Place</dt><dd>\d+ of \d+</dd>", own)


def test_player_page_has_statistics_and_rated_matches(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, _, match = known
    page = site.guest().page(f"/players/{usa.player.id}")
    assert "Kimmel" in page
    assert f'href="/m/{match}"' in page
    assert re.search(r">Nagumo</a>: (won|lost|drawn), 1500 → \d+", page)
    assert "people" in page


def test_player_page_has_opponents_tournaments_and_campaigns(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, japan, _ = known
    address = f"/players/{usa.player.id}"
    for listed, title in ((True, "Fleet Cup"), (False, "Secret Cup")):
        cup = site.store.tournaments.create(usa.player, title, "pearl", listed=listed)
        site.store.tournaments.join(cup, usa.player.id)
    cup = site.store.tournaments.create(usa.player, "Begun Cup", "pearl", places=3)
    for guest in (usa, japan, site.guest("Third")):
        site.store.tournaments.join(cup, guest.player.id)
    fields = {"campaign": "three-battles", "side-usa": "me", "side-japan": "bot:doctrine"}
    for more in ({"listed": "on"}, dict[str, str]()):
        assert usa.post("/campaigns/new", fields | more).status_code == 303
    page = site.guest().page(address)
    assert f'<a href="/players/{japan.player.id}">Nagumo</a>' in page[page.index("Opponents in rated matches") :]
    assert "Fleet Cup" in page
    assert "Secret Cup" not in page
    assert re.search(r"Begun Cup.*now in place \d of 3", page)
    assert page.count('href="/campaigns/') == 1
    assert "Challenge Kimmel" in page
    assert "On the ladder since" in page
    page = japan.page(address)
    assert "You and Kimmel" in page
    assert "Nagumo</a> (you)" in page
    assert "Challenge Kimmel" in page
    page = usa.page(address)
    assert "Challenge Kimmel" not in page
    assert "This is what others see of you" in page


def test_page_of_a_player_shows_games_boards_and_how_sure_ratings_are(
    site: Site, known: tuple[Guest, Guest, str]
) -> None:
    usa, japan, match = known
    pages = [site.guest().page(f"/players/{guest.player.id}") for guest in (usa, japan)]
    for page in pages:
        assert "Games played most" in page
        assert f'src="/m/{match}/board.svg' in page
        assert "Win rate" in page
        assert 'class="curve-band"' in page
    assert sorted(re.findall(r'class="tag(?: tag-strong)?">(Won|Lost|Drawn)', "".join(pages))) in (
        ["Lost", "Won"],
        ["Drawn", "Drawn"],
    )


def test_match_of_one_side_is_won_or_has_the_title_of_its_outcome(site: Site) -> None:
    guest = site.guest("Cowell")
    match = guest.post("/play", {"game": "picket"}).headers["location"].removeprefix("/m/")
    site.play_until(match)
    outcome = site.store.listings.summary(match).outcome
    assert outcome is not None
    label = "Won" if outcome.winner == "usa" else outcome.title
    assert f">{label}</span>" in guest.page("/me")


def test_deviations_are_those_of_the_ladder(straits_site: Site) -> None:
    site = straits_site  # its own, as others show the last matches
    usa, japan, third = (site.guest(name) for name in ("Fletcher", "Yamaguchi", "Kondo"))
    for one, other in ((usa, japan), (third, usa), (japan, third)):
        rated_match(site, one, other)
    for guest in (usa, japan, third):
        history, rating = site.store.ladder.history(guest.player.id), site.store.ladder.ratings_of([guest.player.id])
        assert history["pearl"][-1].deviation == pytest.approx(rating[guest.player.id]["pearl"].deviation, abs=0.1)
        assert history["pearl"][-1].after == pytest.approx(rating[guest.player.id]["pearl"].rating)


def test_challenge_opens_the_form_with_a_seat_for_a_friend(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, visitor = known[0], site.guest("Visitor")
    page = visitor.page(f"/new?game=pearl&against={usa.player.id}")
    assert "You challenge" in page
    assert re.search(r'<option value="challenged" selected>Kimmel', page)
    made = visitor.post(
        "/new", {"game": "pearl", "against": usa.player.id, "seat-usa": "me", "seat-japan": "friend", "do": "look"}
    )
    assert "You challenge" in made.text
    hidden = site.guest("Hidden")
    assert "Hidden" not in visitor.page(f"/new?game=pearl&against={hidden.player.id}")


def test_challenged_player_finds_the_invitation_and_joins(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, visitor = known[0], site.guest("Visitor")
    fields = {"game": "midway", "scenario": "duel", "minutes": "30", "seat-japan": "me", "seat-usa": "challenged"}
    made = visitor.post("/new", {**fields, "against": usa.player.id, "do": "open"})
    at = made.headers["location"]
    assert "waits for Kimmel" in visitor.page(at)
    assert "invites you" not in site.guest().page("/") + site.guest().page(at)
    assert "Kimmel" not in site.guest().page(at)
    for path in ("/", at):
        assert "invites you" in usa.page(path)
    assert usa.post(f"{at}/invitation", {"join": "yes"}).status_code == 303
    assert "invites you" not in usa.page("/")
    for guest in (usa, visitor):
        page = guest.page(at)
        assert re.search(
            r'title="Japan has this time left".*?data-left="1[78]\d\d\.\d" data-running>(30:00|29:5\d)', page
        )
        assert 'data-left="1800.0"' in page
    assert re.search(r'id="claim"[^>]* hidden', usa.page(at))
    assert usa.post(f"{at}/claim", {"seat": "usa"}).status_code == 409


def test_challenge_is_for_the_seats_with_the_name(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, visitor = known[0], site.guest("Visitor")
    fields = {"game": "tora", "option-usa_players": "2", "seat-usa-north": "friend", "seat-usa-south": "challenged"}
    fields |= {"against": usa.player.id, "do": "open"}
    at = visitor.post("/new", fields).headers["location"]
    assert visitor.page(at).count("waits for Kimmel") == 1
    assert usa.post(f"{at}/invitation", {"join": "yes"}).status_code == 303
    assert site.store.listings.summary(at.removeprefix("/m/")).seats_of(usa.player.id) == ["usa-south"]


def test_friends_are_listed_with_a_challenge_for_their_owner_only(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, japan, _ = known
    mark = {"player": japan.player.id, "friend": "yes", "back": "/opponents"}
    assert usa.post("/me/friends", mark).headers["location"] == "/opponents"
    for path in ("/me", "/opponents"):
        assert re.search(r"<b>Nagumo</b> <span class=\"tag\">friend</span>", usa.page(path))
        assert f"/new?against={japan.player.id}" in usa.page(path)
    assert '<span class="tag">friend' not in japan.page("/me")
    assert site.guest().post("/me/friends", mark).status_code in (401, 403, 404, 409)
    assert "Add friend<span" not in site.guest().page("/me")
    assert usa.post("/me/friends", {**mark, "friend": "no"}).status_code == 303
    assert '<span class="tag">friend' not in usa.page("/me")


def test_page_of_a_player_who_is_not_on_the_ladder_is_not_found(site: Site, known: tuple[Guest, Guest, str]) -> None:
    assert site.guest().get(f"/players/{site.guest('Halsey').player.id}").status_code == 404
    assert site.guest().get("/players/no-one%00").status_code == 404


def test_leaving_the_ladder_hides_the_player(site: Site) -> None:
    usa, japan = site.guest("Short"), site.guest("Fuchida")
    rated_match(site, usa, japan)
    answer = usa.post("/me/ladder", {"join": "no"})
    assert answer.headers["location"] == "/me?done=ladder"
    assert "You are not on the ladder." in usa.page("/me?done=ladder")
    assert usa.get(f"/players/{usa.player.id}").status_code == 404
    assert usa.player.id not in usa.page("/ladder?game=pearl")
    assert "Results" in usa.page("/me"), "results stay for the player"


def test_results_are_on_the_home_page_and_profile(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, _, match = known
    home = site.guest().page("/")
    assert "Latest results" in home
    assert match in home[home.index("Latest results") :]
    mine = usa.page("/me")
    assert "Results" in mine
    assert f"/players/{usa.player.id}" in mine


def test_home_page_has_few_of_the_finished_matches_of_a_player(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    usa, japan = site.guest("Spruance"), site.guest("Kondo")
    over, going_on = rated_match(site, usa, japan), site.duel(usa, japan)
    monkeypatch.setattr("readyroom.web.pages.home.home.FINISHED", 0)
    page = usa.page("/")
    mine = page[page.index('id="matches"') : page.index('class="hero"')]
    assert going_on in mine
    assert over not in mine
    assert "All my matches" in mine
    assert over in usa.page("/me")


def test_empty_server_offers_matches_of_bots_and_no_people(straits_site: Site) -> None:
    home = straits_site.guest().page("/")
    for text in ("Latest results", "Open seats", "Live matches", ">Now<"):
        assert text not in home
    assert "Watch bots play" in straits_site.guest().page("/watch")
    assert "has been rated yet" in straits_site.guest().page("/ladder")
    assert "Results" not in straits_site.guest("Alone").page("/me")


# -- the API -----------------------------------------------------------------------------------------------------------


def api(site: Site, path: str) -> Any:
    response = site.guest().get(f"/api/v1{path}")
    assert response.status_code == 200, response.text
    return response.json()


def test_ladder_and_profiles_are_in_the_api(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, japan, match = known
    ladder = api(site, "/ladder/pearl")
    assert ladder in api(site, "/ladder")
    assert (ladder["game"], ladder["title"]) == ("pearl", "Air Raid Pearl Harbor")
    names = {place["player"]: place["name"] for place in ladder["places"]}
    assert names[usa.player.id] == "Kimmel"
    assert names[japan.player.id] == "Nagumo"
    assert [place["place"] for place in ladder["places"]] == list(range(1, len(names) + 1))
    assert api(site, "/ladder/midway")["places"] == []
    profile = api(site, f"/players/{usa.player.id}")
    assert (profile["name"], profile["recent"][-1]["match"]) == ("Kimmel", match)
    assert profile["recent"][-1]["before"] == 1500
    assert profile["ratings"][0]["provisional"]
    assert sum(side["won"] + side["drawn"] + side["lost"] for side in profile["results"] if not side["bots"]) >= 1


def test_player_who_is_not_on_the_ladder_is_not_in_the_api(site: Site) -> None:
    stranger = site.guest("Halsey")
    for player in (stranger.player.id, "no-one"):
        assert site.guest().get(f"/api/v1/players/{player}").status_code == 404
    usa, japan = site.guest("Bellinger"), site.guest("Genda")
    rated_match(site, usa, japan)
    assert site.guest().get(f"/api/v1/players/{usa.player.id}").status_code == 200
    usa.post("/me/ladder", {"join": "no"})
    assert site.guest().get(f"/api/v1/players/{usa.player.id}").status_code == 404
    assert usa.player.id not in str(api(site, "/ladder/pearl"))


def test_results_and_open_seats_are_in_the_api(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, _, match = known
    result = next(one for one in api(site, "/results") if one["id"] == match)
    assert result["outcome"]["title"]
    answer = usa.post("/opponents", {"choice": "pearl usa", "pace": "days", "experience": "new"})
    new = answer.headers["location"].removeprefix("/m/")
    private = site.opened(usa, "pearl", usa=ME, japan=FRIEND)
    for query, there in (
        ("open=true", True),
        ("open=false", False),
        ("game=pearl&pace=days&experience=new", True),
        ("game=midway", False),
        ("pace=live", False),
        ("experience=skilled", False),
    ):
        found = {one["id"]: one for one in api(site, f"/matches?{query}")}
        assert (new in found) is there, query
        assert private not in found, "only public matches"
        if there:
            assert found[new]["host_rating"]["title"] == "Air Raid Pearl Harbor"
            assert found[new]["experience"] == "new"


# -- public pages ------------------------------------------------------------------------------------------------------


def test_favourite_sides_have_been_played_in_several_matches() -> None:
    results = [
        SideResults("pearl", "Air Raid", side, bots, won, 0, lost)
        for side, bots, won, lost in (("usa", False, 1, 2), ("usa", True, 1, 1), ("japan", False, 4, 0))
    ]
    (favourite,) = ladder._favourites(results)
    assert (favourite[0], *favourite[3:]) == ("United States", 5, 40)


def test_player_page_has_a_curve_and_replays(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, _, match = known
    page = site.guest().page(f"/players/{usa.player.id}")
    assert '<polyline class="curve-line"' in page
    assert "Rating in Air Raid Pearl Harbor: from 1500 to" in page
    assert "Favourite sides" not in page, "after too few matches"
    assert f'href="/m/{match}/replay"' in page
    history = api(site, f"/players/{usa.player.id}")["history"]
    assert (history[0]["game"], history[0]["before"]) == ("pearl", 1500)


def test_ending_of_a_rated_match_shows_the_change_of_each_rating(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, japan, match = known
    own = site.store.ladder.changes(match)[usa.player.id]
    assert f"you {own.before:.0f} → {own.after:.0f}, Nagumo " in usa.page(f"/m/{match}")
    assert f"you {3000 - own.before:.0f} → {3000 - own.after:.0f}, Kimmel " in japan.page(f"/m/{match}")
    assert f"Kimmel {own.before:.0f} → {own.after:.0f}" in site.guest().page(f"/m/{match}")


def test_lobby_says_whether_a_match_will_be_rated(site: Site) -> None:
    usa, japan = site.guest("Kimmel"), site.guest("Nagumo")
    opened = site.store.lobby.create(usa.player, "pearl", None, {}, {"usa": ME, "japan": ANYONE})
    lobby, seat = f"/m/{opened.id}", f"/m/{opened.id}/take?seat=japan"
    assert "before the first decision; you are not yet" in usa.page(lobby)
    for guest in (usa, japan):
        assert "Will be rated" not in japan.page(seat)
        guest.post("/me/ladder", {"join": "yes"})
    assert "before the first decision; you are<" in usa.page(lobby)
    assert "Will be rated: both players are on the ladder." in japan.page(seat)
    known_dice = site.opened(usa, "pearl", usa=ME, japan=FRIEND)
    assert "ladder before the first" not in usa.page(f"/m/{known_dice}")


def test_lists_and_matches_link_to_players_on_the_ladder(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, japan, match = known
    for path in ("/watch", f"/m/{match}"):
        page = site.guest().page(path)
        assert f'href="/players/{usa.player.id}"' in page, path
        assert f'href="/players/{japan.player.id}"' in page, path
    assert 'href="/players/' in site.guest().page("/"), "only the last results are there"


def test_strangers_read_no_name_of_a_player_who_is_not_on_the_ladder(site: Site) -> None:
    host, guest, stranger = site.guest("Secretive"), site.guest("Reticent"), site.guest("Curious")
    post = host.post("/opponents", {"choice": "midway japan", "pace": "days"}).headers["location"]
    live = site.store.lobby.create(host.player, "pearl", None, {}, {"usa": ME, "japan": FRIEND}, listed=True)
    site.store.seats.join_by_link(live.links["japan"], guest.player.id)
    site.store.chat.post(live.id, guest.player.id, "Good luck.", None)
    over = site.store.lobby.create(host.player, "pearl", None, {}, {"usa": ME, "japan": FRIEND}, listed=True)
    site.store.seats.join_by_link(over.links["japan"], guest.player.id)
    play(site.store, over.id, Random(5))
    paths = ["/", "/watch", "/opponents", post, f"{post}/take?seat=usa", "/api/v1/matches", "/api/v1/results"]
    for one in (live.id, over.id):
        paths += [f"/m/{one}", f"/m/{one}/replay", f"/api/v1/matches/{one}", f"/api/v1/matches/{one}/talk"]
    paths += [
        f"/m/{over.id}/report",
        f"/m/{over.id}/report.md",
        f"/m/{live.id}/talk",
        f"/m/{live.id}/table",
        f"/m/{over.id}/review",
    ]
    for visitor in (stranger, site.guest()):
        for path in paths:
            page = visitor.page(path)
            assert "Secretive" not in page, path
            assert "Reticent" not in page, path
    assert "a player" in stranger.page("/watch")
    assert "Good luck." in stranger.page(f"/m/{live.id}/talk")
    assert "Reticent" in host.page(f"/m/{live.id}"), "players know each other"
    assert "Secretive" in host.page("/watch"), "and themselves"


def test_deleted_player_is_on_no_public_page(site: Site) -> None:
    usa, japan = site.guest("Goner"), site.guest("Stayer")
    rated_match(site, usa, japan)
    path = f"/players/{usa.player.id}"
    assert "Goner" in site.guest().page(path)
    site.store.admin.delete_player(usa.player.id)
    assert site.guest().get(path).status_code == 404
    for other in ("/", "/watch", "/ladder?game=pearl", "/week", f"/players/{japan.player.id}"):
        assert "Goner" not in site.guest().page(other), other


def test_watch_page_has_live_boards_and_filters(site: Site) -> None:
    host, guest = site.guest("Anna"), site.guest("Ben")
    match = site.store.lobby.create(host.player, "midway", None, {}, {"japan": ME, "usa": FRIEND}, listed=True)
    site.store.seats.join_by_link(match.links["usa"], guest.player.id)
    for query, there in (("", True), ("?game=midway", True), ("?game=tora", False), ("?game=chess", True)):
        assert (f"/m/{match.id}/board.svg?r=" in site.guest().page(f"/watch{query}")) is there, query
    image = site.guest().get(f"/m/{match.id}/board.svg")
    assert image.headers["content-type"].startswith("image/svg+xml")
    assert image.headers["content-security-policy"].startswith("default-src 'none'")
    assert image.text.startswith("<svg xmlns=")
    assert "<script" not in image.text
    with site.store.matches.open(match.id) as live:
        assert board_image(live.game, live.view(None)) == image.text, "what spectators see"


def test_two_bots_play_at_a_click_and_are_watched_together(site: Site) -> None:
    first = site.guest().post("/watch", {"game": "pearl"}).headers["location"]
    summary = site.store.listings.summary(first.split("/")[2])
    assert first == f"/m/{summary.id}/replay?seat=all&play=yes"
    live = site.store.bot_matches.find_recent("pearl", live=True)
    assert live in (summary.id, None), "none once it is over"
    assert site.store.bot_matches.find_recent("pearl") == summary.id
    assert summary.public
    assert all(seat.bot for seat in summary.seats)
    assert site.guest().get(first).status_code == 200
    for game in ("picket", "doolittle"):
        assert f'name="game" value="{game}"' in site.guest().page("/watch")
        alone = site.guest().post("/watch", {"game": game}).headers["location"]
        assert site.guest().get(alone).status_code == 200, "bots also play games of one side"
    wait_until(lambda: site.store.listings.summary(summary.id).outcome is not None)
    assert summary.id in [one.id for one in site.store.ladder.public_results(50)]
    assert summary.id not in [one.id for one in site.store.ladder.public_results(50, people=True)], "as at home"


def test_scenario_of_the_week_lists_the_best_result_of_each_player(site: Site) -> None:
    week = weekly.this_week()
    assert week is not None
    assert all(weekly.this_week(week.starts + timedelta(days=days)) == week for days in range(7))
    following = weekly.this_week(week.starts + weekly.WEEK)
    assert following is not None
    assert following.scenario != week.scenario
    player = site.guest("Regular")
    player.post("/me/ladder", {"join": "yes"})
    form = {"game": week.game.key, "scenario": week.scenario.key, "side": week.side.key, "listed": "yes"}
    for _ in range(2):
        match = player.post("/play", form).headers["location"].removeprefix("/m/")
        assert site.store.listings.summary(match).scenario == week.scenario.title
        site.play_until(match, most=10_000)
    page = site.guest().page("/week")
    assert page.partition("season-title")[0].count(">Regular</a>") == 1
    assert re.search(r">Regular</a></th><td class=\"number\">10</td><td class=\"number\">1</td>", page), "the season"
    assert [one["name"] for one in api(site, "/week")[0]["results"]] == ["Regular"]
    player.post("/me/ladder", {"join": "no"})
    assert "Regular" not in site.guest().page("/week")


def test_weekly_scenarios_exist() -> None:
    for key, scenario, side in weekly.SCENARIOS:
        game = catalog.find(key)
        assert side in {seat.side for seat in catalog.seats(game, scenario, None, {})}


def test_weekly_scenarios_are_never_the_challenge_of_the_day() -> None:
    daily = {(slot.game, slot.scenario) for slot in SLOTS}
    assert not daily & {(key, scenario) for key, scenario, _ in weekly.SCENARIOS}


def test_quick_start_answers_the_first_question(site: Site) -> None:
    for form, rule in (({"quick": "yes"}, False), ({}, True)):
        match = site.guest("Captain").post("/play", {"game": "picket", **form}).headers["location"]
        asked = site.asked(match.removeprefix("/m/"), "captain")
        assert (asked["rule"] == "2.0.K") is rule


def test_invitation_shows_the_board_and_its_link_has_a_qr_code(site: Site) -> None:
    host = site.guest("Anna")
    answer = host.post("/new", {"game": "midway", "seat-japan": "me", "seat-usa": "friend"})
    lobby = host.page(answer.headers["location"])
    link = re.search(r'id="link-usa" value="[^"]*(/s/[^"]+)"', lobby)
    assert link is not None
    assert 'data-field="link-usa"' in lobby
    page = site.guest().page(link[1])
    match_id = answer.headers["location"].removeprefix("/m/")
    assert f'src="/m/{match_id}/board.svg?seat=usa"' in page
    assert page.index("Join as United States") < page.index('class="board-picture"'), "join without scrolling"
    assert 'href="/tutorial/midway"' in page
    large, small = (site.guest().get(f"/m/{match_id}/board.svg{more}").text for more in ("?seat=usa", ""))
    assert large.startswith("<svg")
    fonts = re.findall(r'font-family: "([^"]+)";[^}]*url\("data:font/woff2;base64,[\w+/=]{9000}', large)
    assert fonts == ["Plex Serif", "Plex Condensed"], "an image cannot use the fonts of its page"
    assert "data:font" not in small
    drawn = qr_code("https://example.org/s/abc")
    assert 'class="qr"' in drawn
    assert "style=" not in drawn
    assert qr_code("/s/abc") == "", "a link without a server cannot be scanned"


def test_invitation_is_about_the_scenario_of_the_match(site: Site) -> None:
    host, game = site.guest("Anna"), catalog.find("midway")
    opened = site.store.lobby.create(
        host.player, "midway", "duel", {"turn_limit": "8"}, {"japan": ME, "usa": FRIEND}, seed="at the table"
    )
    page, board = (
        site.guest().page(path) for path in (f"/s/{opened.links['usa']}", f"/m/{opened.id}/board.svg?seat=usa")
    )
    assert game.scenario("duel").summary in unescape(page)
    assert game.summary not in unescape(page)
    assert game.length not in page.lower()
    assert "Yorktown" in board
    assert "Enterprise" not in board
    assert "Afternoon duel" in board
    assert 'data-key="yorktown-f-1"' in board
    assert 'data-key="yorktown-f-1"' not in site.guest().page(f"/m/{opened.id}/board.svg")


def test_alerts_are_saved_and_reported_for_their_games(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    host, waiting = site.guest("Anna"), site.guest("Ben")
    events = list[PlayerEvent]()
    monkeypatch.setattr(site.store.lobby._shared, "player_event", events.append)
    waiting.post("/opponents/alerts", {"alert": ["midway", "chess"]})
    assert site.store.players.alerts(waiting.player.id) == {"midway"}
    page = waiting.page("/opponents?done=alerts")
    assert re.search(r'value="midway" checked', page)
    for choice in ("tora japan", "midway japan"):
        match = host.post("/opponents", {"choice": choice}).headers["location"].removeprefix("/m/")
    opened = [event for event in events if event.kind == "opened"]
    assert [(event.match, waiting.player.id in event.others) for event in opened] == [(match, True)]
    title, text = describe_event(opened[0], site.store.listings.summary(match))
    assert (title, "Anna" in text) == ("Ready Room: an opponent waits", False)
    assert "Open: United States." in text
    waiting.post("/opponents/alerts", {})
    assert site.store.players.alerts(waiting.player.id) == frozenset()


# -- empty pages ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "sentence", "action"),
    [
        ("/opponents", "Matches that wait for an opponent appear here.", 'action="/opponents"'),
        ("/opponents", "Until someone comes:", 'href="/challenge"'),
        ("/opponents?game=midway", "No one offers a match of this kind now.", 'href="/opponents"'),
        ("/watch", "Public matches appear here, live with their boards", 'href="/opponents">Offer one to others'),
        ("/watch?game=picket", "Public matches of Picket Duty appear here when they end", 'href="/new?game=picket"'),
        ("/watch", "with their last board, result and replay", 'action="/watch"'),
        ("/ladder", "The ladder lists players by their matches", 'name="join" value="yes"'),
        ("/players", "Players appear here when they join the ladder", 'name="join" value="yes"'),
        ("/tournaments", "A tournament is listed here until it starts", 'href="/tournaments/new"'),
        ("/campaigns", "Campaigns whose players choose “Public” appear here", 'class="button" href="/campaigns/new?'),
        ("/week", "yours can be the first", 'action="/play"'),
        ("/challenge", "Everyone who finishes the challenge today appears here", "Start today’s challenge"),
        ("/challenge", "5th–95th percentile", "&amp;scenario="),
        ("/community", "No one waits for an opponent now.", 'action="/play"'),
    ],
)
def test_empty_page_says_how_it_fills_and_offers_a_start(empty: Site, path: str, sentence: str, action: str) -> None:
    page = empty.guest().page(path)
    assert sentence in page
    assert action in page


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that no one has used."""
    with open_site(tmp_path_factory.mktemp("empty")) as site:
        yield site


# -- opponents -------------------------------------------------------------------------------------------------------


def test_open_seat_is_posted_and_found(site: Site) -> None:
    host, seeker = site.guest("Fletcher"), site.guest("Yamaguchi")
    answer = host.post("/opponents", {"choice": "midway japan", "pace": "days", "experience": "new"})
    match = answer.headers["location"].removeprefix("/m/")
    summary = site.store.listings.summary(match)
    assert (summary.pace, summary.experience, summary.public) == ("days", "new", True)
    assert {seat.key: (bool(seat.players), seat.open) for seat in summary.seats} == {
        "japan": (True, False),
        "usa": (False, True),
    }
    page = seeker.page("/opponents")
    assert f"/m/{match}/take?seat=usa" in page
    assert "Looking for newcomers" in page
    open_seats = site.store.listings.count_open_seats
    assert open_seats() - open_seats(host.player.id) == 1, "the host is offered no seat of their own match"
    assert open_seats(seeker.player.id) == open_seats()
    own = host.page("/opponents")
    assert match in own[own.index("Your open seats") : own.index(">Open seats<")]
    assert f"/m/{match}/take" not in own, "the host gets no offer of it"
    assert "Your open seats" not in page
    assert 'href="/new?game=midway&amp;against=anyone"' in page
    for query, there in (
        ("game=midway", True),
        ("game=tora", False),
        ("pace=days", True),
        ("pace=live", False),
        ("experience=new", True),
        ("experience=skilled", False),
        ("game=chess&pace=never&experience=none", True),
    ):
        assert (match in seeker.page(f"/opponents?{query}")) is there, query
    assert OPENINGS.match("/opponents")


def test_rating_of_a_host_is_shown(site: Site, known: tuple[Guest, Guest, str]) -> None:
    usa, _, _ = known
    match = usa.post("/opponents", {"choice": "pearl usa"}).headers["location"]
    page = site.guest("Seeker").page("/opponents?game=pearl")
    assert match in page
    assert re.search(r"Host’s rating: \d+ \(provisional\)", page)


def test_open_seat_with_unknown_side_or_game(site: Site) -> None:
    host = site.guest("Fletcher")
    assert host.post("/opponents", {"choice": "midway atlantis"}).status_code == 303
    assert host.post("/opponents", {"choice": "chess"}).status_code == 404


# -- the table -------------------------------------------------------------------------------------------------------


def test_next_match_that_waits_is_one_click_away(site: Site) -> None:
    host, guest = site.guest("Anna"), site.guest("Ben")
    first = site.duel(host, guest)
    waits_for_japan = site.store.listings.summary(first).waiting == ("japan",)
    idle, busy = (host, guest) if waits_for_japan else (guest, host)
    assert 'id="next-match"' not in idle.page(f"/m/{first}")
    second = site.duel(busy, idle) if waits_for_japan else site.duel(idle, busy)
    assert site.store.listings.waiting_for(idle.player.id) == [second]
    page = idle.page(f"/m/{first}")
    assert f'id="next-match" href="/m/{second}"' in page
    assert 'data-waiting="1"' in page
    assert 'id="next-match"' not in idle.page(f"/m/{second}"), "first the decision here"
    home = idle.page("/")
    assert 'data-waiting="1"' in home
    assert "Matches that wait for you" in home
    third = site.duel(busy, idle) if waits_for_japan else site.duel(idle, busy)
    assert site.store.listings.waiting_for(idle.player.id) == [second, third]
    assert f'href="/m/{second}">Next match that waits for you</a>' in idle.page("/")


def test_every_page_counts_the_matches_that_wait(site: Site) -> None:
    anna = site.guest("Anna")
    for path in ("/games", "/community", "/me"):
        assert "Matches that wait for you" not in anna.page(path)
    for _ in range(2):
        match = anna.post("/play", {"game": "picket"}).headers["location"]
    for path in ("/games", "/community", "/me"):
        assert re.search(r'title="Matches that wait for you">2<span class="unseen"> wait for you', anna.page(path))
    assert "Matches that wait for you" not in anna.page(match), "it has its own link to the next one"


def test_hidden_matches_are_not_next(site: Site) -> None:
    anna = site.guest("Anna")
    match = anna.post("/play", {"game": "picket"}).headers["location"].removeprefix("/m/")
    assert site.store.listings.waiting_for(anna.player.id) == [match]
    anna.post(f"/m/{match}/hide", {"back": "no"})
    assert site.store.listings.waiting_for(anna.player.id) == []


def test_pass_ahead_answers_and_stops(site: Site) -> None:
    anna, ben = site.guest("Anna"), site.guest("Ben")
    match = site.duel(anna, ben)
    assert site.play_until(match, lambda live: any(one.only_continues for one in live.pending.values()))
    with site.store.matches.open(match) as live:
        (seat,) = live.pending
        before = live.revision
    guest, other = (anna, ben) if seat == "usa" else (ben, anna)
    page = guest.page(f"/m/{match}")
    assert 'id="pass"' in page
    assert "pass-form" not in other.page(f"/m/{match}")
    answer = guest.post(f"/m/{match}/pass", {"seat": seat, "until": "turn"})
    assert answer.status_code == 303
    assert site.store.listings.summary(match).true_revision > before
    passing = site.store.passes.of_match(match)
    page = guest.page(f"/m/{match}")
    assert ("You pass until the turn ends." in page) == (seat in passing)
    assert "You pass until" not in other.page(f"/m/{match}")
    guest.post(f"/m/{match}/pass", {"seat": seat})
    assert site.store.passes.of_match(match) == {}


def test_pass_is_refused_where_something_must_be_chosen(site: Site) -> None:
    anna = site.guest("Anna")
    match = anna.post("/play", {"game": "tora", "side": "japan"}).headers["location"].removeprefix("/m/")
    with site.store.matches.open(match) as live:
        (seat,) = live.pending
        assert live.pending[seat].at_least or live.pending[seat].sheet is not None
    answer = anna.part(f"/m/{match}/pass", {"seat": seat, "until": "turn"})
    assert answer.status_code == 409
    assert "You can pass only where nothing has to be chosen." in answer.text
    assert anna.part(f"/m/{match}/pass", {"seat": "usa", "until": "turn"}).status_code == 403


# -- the app ---------------------------------------------------------------------------------------------------------


def test_app_can_be_installed(site: Site) -> None:
    guest = site.guest()
    page = guest.page("/")
    found = re.search(r'<link rel="manifest" href="([^"]+)"', page)
    assert found is not None
    answer = guest.get(found[1])
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])
    for icon in manifest["icons"]:
        assert guest.get(f"/static/{icon['src']}").status_code == 200
    for shortcut in manifest["shortcuts"]:
        assert guest.get(shortcut["url"]).status_code == 200


def test_service_worker_is_at_the_root_and_names_files_that_exist(site: Site) -> None:
    guest = site.guest()
    answer = guest.get("/service-worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert 'VERSION = "0"' not in answer.text
    files = re.search(r"const FILES = \[(.*?)\];", answer.text)
    assert files is not None
    names = re.findall(r'"([^"]+)"', files[1])
    assert "/offline" in names
    assert len(names) > 6
    for name in names:
        assert guest.get(name).status_code == 200, name


def test_offline_page_names_no_one(site: Site) -> None:
    page = site.guest("Anna").page("/offline")
    assert "No connection" in page
    assert "Anna" not in page
    assert "_csrf_token" not in page


def test_player_page_says_that_a_match_was_resigned(site: Site) -> None:
    loser, winner = site.guest("Fletcher"), site.guest("Hara")
    for guest in (loser, winner):
        guest.post("/me/ladder", {"join": "yes"})
    opened = site.store.lobby.create(loser.player, "pearl", None, {}, {"usa": ME, "japan": FRIEND}, listed=True)
    site.store.seats.join_by_link(opened.links["japan"], winner.player.id)
    play(site.store, opened.id, Random(5), 4)
    site.store.matches.resign(opened.id, "usa")
    assert ">Hara</a>: lost by resignation, 1500 →" in site.guest().page(f"/players/{loser.player.id}")
