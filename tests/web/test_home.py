"""The front door, new matches, the lobby, and the links to seats."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from markupsafe import escape
from tests.web.site import Browser, Site

from readyroom import bots as staff
from readyroom.web import catalog, new_match


def own_scenario() -> str:
    """The text of the game's own first scenario, under another title."""
    game = catalog.find("midway")
    text = files(game.package).joinpath("data/scenarios/midway.toml").read_text()
    return re.sub(r'(?m)^title = ".*"$', 'title = "My own battle"', text, count=1)


# -- home ------------------------------------------------------------------------------------------------------------


def test_home_says_what_this_is_and_shows_the_games(browser: Browser) -> None:
    page = browser.get("/").text
    assert page.count("<h1") == 1
    assert '<svg class="picture" viewBox="0 0 640 372" role="img"' in page
    for game in catalog.games().values():
        assert game.title in page
        assert game.players in page
        assert game.length in page


@pytest.mark.parametrize("side", ["japan", "usa"])
def test_one_click_leads_to_the_table(site: Site, browser: Browser, side: str) -> None:
    answer = browser.form("/play", {"game": "midway", "side": side})
    assert answer.status_code == 303
    assert browser.get(answer.headers["location"]).status_code == 200
    card = site.store.match_summary(answer.headers["location"].removeprefix("/m/"))
    assert card.started
    assert [bool(seat.players) for seat in card.seats if seat.side == side] == [True]
    assert [seat.bot for seat in card.seats if seat.side != side] == [staff.default_bot(catalog.find("midway"))]


def test_play_now_with_a_side_that_is_none_takes_the_first(site: Site, browser: Browser) -> None:
    answer = browser.form("/play", {"game": "midway", "side": "atlantis"})
    assert answer.status_code == 303
    assert browser.form("/play", {"game": "chess"}).status_code == 404


def test_my_matches_come_first_and_those_that_wait_for_me_before_them(browser: Browser, friend: Browser) -> None:
    gathering = browser.begin(seat_usa="friend")
    browser.form("/play", {"game": "midway", "side": "japan"})
    page = browser.get("/").text
    assert page.index("My matches") < page.index("The games")
    assert page.index("Your turn") < page.index(f"/m/{gathering}")
    assert gathering not in friend.get("/").text


def test_open_seats_stand_on_the_home_page_for_everybody(site: Site, browser: Browser, friend: Browser) -> None:
    text = browser.begin(seat_usa="anyone", listed="on")
    hidden = browser.begin(seat_usa="anyone")
    page = friend.get("/").text
    assert f'href="/m/{text}/take?seat=usa"' in page
    assert hidden not in page
    seat = friend.get(f"/m/{text}/take?seat=usa").text
    assert 'name="name"' in seat
    assert 'name="words"' in seat
    assert not site.store.match_summary(text).started, "looking has done nothing"
    long = friend.form(f"/m/{text}/take", {"seat": "usa", "name": "x" * 50})
    assert long.status_code == 422
    assert "At most 40 characters" in long.text
    taken = friend.form(f"/m/{text}/take", {"seat": "usa", "name": "Spruance", "words": "my own words"})
    assert taken.headers["location"] == f"/m/{text}"
    assert [name for place in site.store.match_summary(text).seats for _, name in place.players][-1] == "Spruance"
    with site.store.match(text) as match:
        assert match.nonces == {"usa": "my own words"}
    assert f"/m/{text}/take" not in browser.get("/").text
    assert friend.get(f"/m/{text}/take?seat=usa").headers["location"] == f"/m/{text}"


def test_a_match_is_put_away_and_found_again(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="bot:random")
    assert f'action="/m/{match}/hide"' in browser.get("/").text
    assert browser.form(f"/m/{match}/hide", {"back": "no"}).headers["location"] == "/"
    home = browser.get("/").text
    assert match not in home
    assert "Hidden (1)" in home
    assert match in browser.get("/me/hidden").text
    assert friend.form(f"/m/{match}/hide").status_code == 403
    assert browser.form(f"/m/{match}/hide", {"back": "yes"}).headers["location"] == "/me/hidden"
    assert "No hidden matches" in browser.get("/me/hidden").text
    assert match in browser.get("/").text


# -- new matches -----------------------------------------------------------------------------------------------------


def test_the_form_shows_all_that_may_be_chosen(browser: Browser) -> None:
    page = browser.get("/new?game=midway").text
    game = catalog.find("midway")
    for scenario in catalog.scenarios(game):
        assert scenario.title in page
        assert escape(scenario.summary) in page
    for option in game.options:
        assert escape(option.title) in page
        assert f"/games/midway/rules#{option.rule}" in page
        assert f'name="option-{option.key}" value="{option.default}" checked' in page
        assert escape(catalog.rule_summary(game, option.rule)) in page
    for bot in catalog.bots(game):
        assert f'value="bot:{bot}"' in page
        assert escape(catalog.about_bot(game, bot)) in page
    assert catalog.rule_summary(game, "nowhere") == ""


def test_the_games_own_scenarios_are_there_to_be_read_and_changed(browser: Browser) -> None:
    page = browser.get("/new?game=midway").text
    for scenario in catalog.scenarios(catalog.find("midway")):
        path = f"/games/midway/scenarios/{scenario.key}.toml"
        assert f'href="{path}"' in page
        file = browser.get(path)
        assert file.headers["content-type"].startswith("text/plain")
        assert file.text == catalog.scenario_text(catalog.find("midway"), scenario.key)
    for wrong in ("never.toml", "..%2Fships.toml", "%00"):
        assert browser.get(f"/games/midway/scenarios/{wrong}").status_code == 404
    begun = browser.form("/new", {"game": "midway", "do": "text:daybreak", "words": "keep me"})
    assert begun.status_code == 200
    assert 'value="own" checked' in begun.text
    assert escape(catalog.scenario_text(catalog.find("midway"), "daybreak").splitlines()[0]) in begun.text
    assert 'value="keep me"' in begun.text
    assert browser.form("/new", {"game": "midway", "do": "text:never"}).status_code == 404


@pytest.mark.parametrize(
    ("change", "content"),
    [
        (("title = ", "title == "), "Line 1, letter"),
        (('title = "My own battle"', "title = 3"), "Line 1 of your scenario (title) is invalid: expected str"),
        (("", "a = [\n"), "is not valid TOML"),
        (("summary = ", "# "), "summary is missing"),
    ],
)
def test_a_scenario_that_is_wrong_is_told_where(browser: Browser, change: tuple[str, str], content: str) -> None:
    text = own_scenario()
    text = text[text.index("title = ") :].replace(*change, 1)
    answer = browser.form("/new", {"game": "midway", "do": "open", "scenario": "own", "own": text})
    assert answer.status_code == 422
    assert escape(content) in answer.text


@pytest.mark.parametrize(
    ("key", "line"), [("title", 1), ("fleet.ships[1].name", 7), ("fleet.speed", 3), ("line 4", 4), ("", 0), ("far", 0)]
)
def test_the_line_of_a_key_is_found(key: str, line: int) -> None:
    text = 'title = "x"\n[fleet]\nspeed = 3\n[[fleet.ships]]\nname = "a"\n[[fleet.ships]]\nname = "b"\n'
    assert new_match.line_of(key, text) == line


def test_an_unknown_game_is_refused(browser: Browser) -> None:
    assert browser.get("/new?game=chess").status_code == 404
    assert browser.form("/new", {"game": "chess"}).status_code == 404
    assert browser.get(f"/new?game={'x' * 500}").status_code == 400


def test_a_match_is_what_was_wished(site: Site, browser: Browser) -> None:
    wished = {
        "scenario": "no-yorktown",
        "option-turn_limit": "12",
        "pace": "days",
        "listed": "on",
        "words": "Kido Butai",
        "seat-japan": "me",
        "seat-usa": "bot:random",
    }
    answer = browser.form("/new", {"game": "midway", "do": "open", **wished})
    card = site.store.match_summary(answer.headers["location"].removeprefix("/m/"))
    assert card.scenario == "Without the Yorktown"
    assert card.options["turn_limit"] == "12"
    assert (card.pace, card.public, card.started) == ("days", True, True)
    assert [seat.bot for seat in card.seats] == ["", "random"]
    with site.store.match(card.id) as match:
        assert match.nonces == {"japan": "Kido Butai"}


def test_both_sides_at_one_screen(site: Site, browser: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="me")
    card = site.store.match_summary(match)
    assert card.started
    assert all(seat.players for seat in card.seats)


def test_the_seats_follow_the_options(browser: Browser) -> None:
    looked = browser.form("/new", {"game": "midway", "do": "look", "option-seats": "groups", "words": "keep me"})
    assert looked.status_code == 200
    assert 'name="seat-hiryu"' in looked.text
    assert 'name="seat-japan"' not in looked.text
    assert 'value="keep me"' in looked.text


def test_seats_that_do_not_fit_the_options_come_back_and_open_nothing(site: Site, browser: Browser) -> None:
    browser.form("/me/name", {"name": "Ozawa"})
    values = {"game": "midway", "do": "open", "option-seats": "groups", "seat-japan": "me", "seat-usa": "friend"}
    answer = browser.form("/new", values)
    assert answer.status_code == 422
    assert "The seats have changed" in answer.text
    assert "No matches yet" in browser.get("/me").text


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("scenario", "atlantis", "Choose one of these scenarios."),
        ("option-turn_limit", "999", "Choose one of these."),
        ("seat-usa", "bot:deep-blue", "is unknown"),
        ("seat-usa", "<script>", "is unknown"),
        ("words", "x" * 201, "At most 200 characters"),
        ("own", "title = 3", "expected str"),
        ("own", "a = " + "[\n" * 5000, "nested"),
        ("own", "= nonsense", "TOML"),
        ("own", "", "Choose a"),
    ],
)
def test_what_does_not_fit_is_told_at_its_field_and_nothing_is_lost(
    browser: Browser, field: str, value: str, text: str
) -> None:
    wished = {"pace": "days", "listed": "on", "option-sight": "open", "words": "mine", field: value}
    if field == "own":
        wished["scenario"] = "own"
    answer = browser.form("/new", {"game": "midway", "do": "open", **wished})
    assert answer.status_code == 422
    page = answer.text
    assert text in page
    assert 'role="alert"' in page
    assert re.search(r'name="pace" value="days" checked', page)
    assert re.search(r'name="listed" checked', page)
    assert re.search(r'name="option-sight" value="open" checked', page)
    assert "<script>" not in page
    if field != "words":
        assert 'value="mine"' in page


def test_a_scenario_of_ones_own_is_played(site: Site, browser: Browser) -> None:
    text = own_scenario()
    fields = {"game": "midway", "do": "open"}
    file = {"file": ("mine.toml", ("\ufeff" + text).encode())}
    for answer in (
        browser.form("/new", fields, files=file),
        browser.form("/new", {**fields, "scenario": "own", "own": text}),
    ):
        assert answer.status_code == 303, answer.text
        assert site.store.match_summary(answer.headers["location"].removeprefix("/m/")).scenario == "My own battle"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"x" * 60_000, "is the most that is read"),
        (b"x" * 1_500_000, "is the most that is read"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
    ],
)
def test_a_file_that_is_no_scenario_comes_back(browser: Browser, content: bytes, text: str) -> None:
    fields = {"game": "midway", "do": "open", "words": "keep me"}
    answer = browser.form("/new", fields, files={"file": ("mine.toml", content)})
    assert answer.status_code == 422
    assert 'value="keep me"' in answer.text
    assert text in answer.text


# -- the lobby and the links -----------------------------------------------------------------------------------------


def test_a_friend_comes_by_a_link_and_the_match_begins(site: Site, browser: Browser, friend: Browser) -> None:
    browser.form("/me/name", {"name": "Nagumo"})
    match = browser.begin(seat_japan="me", seat_usa="friend")
    lobby = browser.get(f"/m/{match}")
    assert lobby.headers["cache-control"] == "no-store"
    assert site.store.match_summary(match).fingerprint in lobby.text
    link = browser.links(match)["usa"]

    invitation = friend.get(link)
    assert invitation.headers["referrer-policy"] == "no-referrer"
    assert "Nagumo invites you to play" in invitation.text
    assert not site.store.match_summary(match).started, "looking at the link has done nothing"

    answer = friend.form(link, {"name": "Spruance", "words": "my own words"})
    assert answer.headers["location"] == f"/m/{match}"
    card = site.store.match_summary(match)
    assert card.started
    assert [name for seat in card.seats for _, name in seat.players] == ["Nagumo", "Spruance"]
    with site.store.match(match) as played:
        assert played.nonces == {"usa": "my own words"}
    assert "Your seat" in friend.get(link).text


def test_a_host_cannot_use_the_link_that_his_guest_has_come_by(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="friend")
    link = browser.links(match)["usa"]
    friend.form(link, {"name": "Spruance"})
    assert friend.get(f"/m/{match}").status_code == 200
    assert browser.links(match) == {}
    looked = browser.get(link)
    assert looked.status_code == 404
    assert "it works once" in looked.text
    assert browser.form(link, {}).status_code == 404
    bearer = {"Authorization": f"Bearer {link.removeprefix('/s/')}"}
    assert browser.get(f"/api/v1/matches/{match}", headers=bearer).status_code == 401
    assert browser.get("/api/v1/seat", headers=bearer).status_code == 401
    for again in (friend.get(link), friend.form(link, {})):
        assert again.headers["location"] == f"/m/{match}", "to anyone who came by it, it still leads to the table"
    assert [name for _, name in site.store.match_summary(match).seats[1].players] == ["Spruance"]


def test_links_are_shown_to_their_host_alone(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    link = browser.links(match)["usa"]
    secret = link.removeprefix("/s/")
    assert secret not in friend.get(f"/m/{match}").text
    assert friend.links(match) == {}
    with site.browser(cookies={"links": "usa=madeup&japan="}) as stranger:
        assert stranger.links(match) == {}


def test_a_new_link_kills_the_old_one(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    old = browser.links(match)["usa"]
    assert browser.form(f"/m/{match}/link", {"seat": "usa"}).status_code == 303
    new = browser.links(match)["usa"]
    assert old != new
    assert friend.get(old).status_code == 404
    assert "Ask for a new one" in friend.get(old).text
    assert friend.get(new).status_code == 200


def test_once_begun_a_new_link_is_shown_once(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="bot:random")
    answer = browser.form(f"/m/{match}/link", {"seat": "japan"})
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    parsed = re.search(r'value="http://[^/]+(/s/[\w-]{43})"', answer.text)
    assert parsed is not None
    assert friend.form(parsed[1], {"name": "Genda"}).status_code == 303
    assert "Genda" in browser.get("/me").text, "several people may share a seat"


def test_only_the_host_begins_and_makes_links(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    friend.form("/me/name", {"name": "Stranger"})
    assert friend.form(f"/m/{match}/begin").status_code == 403
    assert friend.form(f"/m/{match}/link", {"seat": "usa"}).status_code == 403
    with friend.__class__(base_url=friend.base_url) as stranger:
        assert stranger.form(f"/m/{match}/begin").status_code == 403
        assert stranger.form(f"/m/{match}/link", {"seat": "usa"}).status_code == 403


def test_the_host_begins_without_waiting(site: Site, browser: Browser) -> None:
    match = browser.begin(seat_usa="anyone")
    assert browser.form(f"/m/{match}/begin").headers["location"] == f"/m/{match}"
    assert site.store.match_summary(match).started


def test_whoever_sat_down_may_stand_up_again(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    lobby = browser.get(f"/m/{match}").text
    assert "Stand up" not in lobby, "the host stays"
    three = browser.form(
        "/new",
        {"game": "midway", "do": "open", "option-seats": "groups", "seat-hiryu": "anyone", "seat-hornet": "anyone"},
    ).headers["location"]
    friend.form(f"{three}/take", {"seat": "hornet"})
    assert "Leave seat" in friend.get(three).text
    friend.form(f"{three}/leave", {"seat": "hornet"})
    card = site.store.match_summary(three.removeprefix("/m/"))
    assert next(seat.open for seat in card.seats if seat.key == "hornet")


@pytest.mark.parametrize("seat", ["japan", "usa", "atlantis", ""])
def test_a_seat_that_is_not_open_is_not_taken(browser: Browser, friend: Browser, seat: str) -> None:
    match = browser.begin(seat_japan="me", seat_usa="friend")
    assert friend.form(f"/m/{match}/take", {"seat": seat}).status_code in (404, 409)


def test_the_lobby_renews_itself_with_and_without_script(browser: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    page = browser.get(f"/m/{match}").text
    assert '<noscript><meta http-equiv="refresh"' in page
    assert f'data-watch="/m/{match}/events"' in page


def test_a_name_that_is_too_long_comes_back_at_the_link(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    answer = friend.form(browser.links(match)["usa"], {"name": "x" * 50})
    assert answer.status_code == 422
    assert "At most 40 characters" in answer.text


# -- the seats, once it is played -------------------------------------------------------------------------------------


def seats_of(page: str) -> str:
    """The panel with the seats on the page of a table; empty if it has none."""
    match = re.search(r'<details id="seats".*?</details>', page, re.DOTALL)
    return match[0] if match else ""


def test_the_host_finds_a_friends_link_once_it_is_played(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    old = browser.links(match)["usa"]
    browser.form(f"/m/{match}/begin")
    panel = seats_of(browser.get(f"/m/{match}").text)
    assert "Create invite link for" in panel
    assert seats_of(friend.get(f"/m/{match}").text) == ""
    answer = browser.form(f"/m/{match}/link", {"seat": "usa"})
    parsed = re.search(r'value="http://[^/]+(/s/[\w-]{43})"', answer.text)
    assert parsed is not None
    assert friend.get(old).status_code == 404
    assert friend.form(parsed[1], {"name": "Spruance"}).status_code == 303
    assert site.store.match_summary(match).seats[1].players


def test_a_seat_is_left_to_the_staff_and_taken_back(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="friend")
    friend.form(browser.links(match)["usa"], {"name": "Spruance"})
    assert "Bot for" in seats_of(friend.get(f"/m/{match}").text)
    assert browser.form(f"/m/{match}/assign-bot", {"seat": "usa", "bot": "random"}).status_code == 403, "not yet"
    assert friend.form(f"/m/{match}/assign-bot", {"seat": "usa", "bot": "nobody"}).status_code == 404
    answer = friend.form(f"/m/{match}/assign-bot", {"seat": "usa", "bot": "random"})
    assert answer.headers["location"] == f"/m/{match}"
    assert site.store.match_summary(match).seats[1].bot == "random"
    table = friend.get(f"/m/{match}").text
    assert "Bot (random), replacing Spruance" in table
    assert "has assigned the bot" in browser.get(f"/m/{match}").text
    assert "Reclaim" in seats_of(table)
    assert browser.form(f"/m/{match}/reclaim", {"seat": "usa"}).status_code == 403
    assert friend.form(f"/m/{match}/reclaim", {"seat": "usa"}).status_code == 303
    card = site.store.match_summary(match)
    assert (card.seats[1].bot, bool(card.seats[1].players)) == ("", True)


def test_the_host_lets_the_staff_take_the_seat_of_a_friend_who_does_not_come(site: Site, browser: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    assert "Bot for" in browser.get(f"/m/{match}").text
    browser.form(f"/m/{match}/assign-bot", {"seat": "usa", "bot": "random"})
    assert site.store.match_summary(match).started
    with site.browser() as stranger:
        for deed in ("assign-bot", "reclaim", "hide"):
            assert stranger.form(f"/m/{match}/{deed}", {"seat": "usa", "bot": "random"}).status_code == 403
