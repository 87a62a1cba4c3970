"""Tests of the home page, new matches, the lobby and seat links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

import pytest
from markupsafe import escape
from sqlalchemy import Connection
from tests.web.server import Browser, Site

from readyroom import games
from readyroom.bots import default_bot
from readyroom.store import MatchSummary
from readyroom.store.lobby import listings
from readyroom.store.rows import AnyRow, all_cards
from readyroom.web import catalog
from readyroom.web.pages.home import home, new_match


def own_scenario() -> str:
    """Return the game's first scenario file with a different title."""
    game = catalog.find("midway")
    text = files(game.package).joinpath("data/scenarios/midway.toml").read_text()
    return re.sub(r'(?m)^title = ".*"$', 'title = "My own battle"', text, count=1)


# -- home ------------------------------------------------------------------------------------------------------------


def test_home_page_introduces_the_games(browser: Browser) -> None:
    page = browser.get("/").text
    assert page.count("<h1") == 1
    assert '<svg class="picture" viewBox="0 0 640 372" role="img"' in page
    for game in catalog.games().values():
        assert game.title in page
        assert game.players in page
        assert game.length in page


def test_home_page_groups_what_there_is_to_do_after_play_now(browser: Browser) -> None:
    page = browser.get("/").text
    groups = {
        "Play with people": ("/opponents", "/tournaments", "/campaigns"),
        "Every day": ("/challenge", "/week", "/puzzles"),
        "Watch and learn": ("/watch", "/ladder", "/players", "/tutorial"),
    }
    places = [page.index('action="/play"'), *(page.index(f">{title}</h2>") for title in groups)]
    places.append(page.index('id="games-title"'))
    assert places == sorted(places)
    for start, end, links in zip(places[1:], places[2:], groups.values(), strict=False):
        assert all(f'<a href="{link}">' in page[start:end] for link in links)


MOST_PICTURE = 4000
"""The most bytes of a game's picture."""


@pytest.mark.parametrize("path", ["/", "/games"])
def test_each_game_has_a_small_picture(browser: Browser, path: str) -> None:
    page = browser.get(path).text
    pictures = [str(catalog.picture(game.package)) for game in catalog.games().values()]
    assert len(set(pictures)) == len(pictures)
    for picture in pictures:
        assert picture
        assert picture in page
        assert len(picture.encode()) < MOST_PICTURE
        assert not re.search(r"style=|<script|<style| on\w+=", picture)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_game_without_a_picture_has_none() -> None:
    assert catalog.picture("readyroom.games") == ""


@pytest.mark.parametrize("side", ["japan", "usa"])
def test_play_now_leads_to_the_match(site: Site, browser: Browser, side: str) -> None:
    answer = browser.form("/play", {"game": "midway", "side": side})
    assert answer.status_code == 303
    assert browser.get(answer.headers["location"]).status_code == 200
    summary = site.store.listings.summary(answer.headers["location"].removeprefix("/m/"))
    assert summary.started
    assert [bool(seat.players) for seat in summary.seats if seat.side == side] == [True]
    assert [seat.bot for seat in summary.seats if seat.side != side] == [default_bot(catalog.find("midway"))]


def test_play_now_with_unknown_side_takes_the_first(site: Site, browser: Browser) -> None:
    answer = browser.form("/play", {"game": "midway", "side": "atlantis"})
    assert answer.status_code == 303
    assert browser.form("/play", {"game": "chess"}).status_code == 404


@pytest.mark.parametrize("path", ["/games", "/games/pearl", "/games/picket"])
def test_play_on_a_page_about_games_starts_a_match_in_one_click(browser: Browser, path: str) -> None:
    page = browser.get(path).text
    forms = re.findall(r'<form method="post" action="/play" class="play-now">.*?</form>', page, re.S)
    assert forms
    for form in forms:
        fields = dict(re.findall(r'<(?:input|button)[^>]* name="(game|scenario|side)" value="([^"]+)"', form))
        assert f'href="/new?game={fields["game"]}' in form, "the form with all options is next to it"
    answer = browser.form("/play", fields)
    assert answer.status_code == 303
    game = catalog.find(fields["game"])
    wanted = game.scenario(fields["scenario"]) if "scenario" in fields else game.first_scenario
    match = browser.get(answer.headers["location"].replace("/m/", "/api/v1/matches/")).json()
    assert match["scenario"] == wanted.title


def test_my_matches_come_first_by_turn(browser: Browser, friend: Browser) -> None:
    gathering = browser.begin(seat_usa="friend")
    browser.form("/play", {"game": "midway", "side": "japan"})
    page = browser.get("/").text
    assert page.index("My matches") < page.index('id="games-title"')
    assert page.index("Your turn") < page.index(f"/m/{gathering}")
    assert gathering not in friend.get("/").text


def test_my_matches_say_how_each_ended(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    friend.form(browser.links(match)["usa"], {"name": "Spruance"})
    site.store.matches.resign(match, "japan")
    for guest, result in ((browser, "Lost by resignation"), (friend, "Won by resignation")):
        for path in ("/", "/me"):
            assert f">{result}</span>" in guest.get(path).text


def test_match_is_cancelled_before_anyone_joins(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    assert friend.form(f"/m/{match}/cancel").status_code == 403
    assert "Cancel match" in browser.get(f"/m/{match}").text
    assert browser.form(f"/m/{match}/cancel").headers["location"] == "/"
    assert browser.get(f"/m/{match}").status_code == 404


def test_home_page_reads_only_the_matches_it_shows(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering = [browser.begin(seat_usa="friend") for _ in range(3)]
    browser.form(f"/m/{gathering[0]}/hide", {"back": "no"})
    browser.form("/play", {"game": "midway", "side": "japan"})
    monkeypatch.setattr(home, "SHOWN", 2)
    read = list[int]()

    def counted(connection: Connection, rows: Sequence[AnyRow]) -> list[MatchSummary]:
        read.append(len(rows))
        return all_cards(connection, rows)

    monkeypatch.setattr(listings, "all_cards", counted)
    page = browser.get("/").text
    assert (page.count('class="card match'), page.count("Your turn")) == (2, 1)
    assert gathering[2] in page, "the last one changed comes after those that wait for me"
    assert gathering[1] not in page
    assert "All my matches" in page
    assert "Hidden (1)" in page
    assert max(read) == 3


def test_open_seats_are_on_the_home_page(site: Site, browser: Browser, friend: Browser) -> None:
    text = browser.begin(seat_usa="anyone", listed="on")
    hidden = browser.begin(seat_usa="anyone")
    page = friend.get("/").text
    assert f'href="/m/{text}/take?seat=usa"' in page
    assert '<a href="/opponents">Find an opponent</a>: <b>1</b> open seat' in page
    assert hidden not in page
    seat = friend.get(f"/m/{text}/take?seat=usa").text
    assert 'name="name"' in seat
    assert 'name="words"' in seat
    assert not site.store.listings.summary(text).started, "looking has done nothing"
    long = friend.form(f"/m/{text}/take", {"seat": "usa", "name": "x" * 50})
    assert long.status_code == 422
    assert "At most 40 characters" in long.text
    taken = friend.form(f"/m/{text}/take", {"seat": "usa", "name": "Spruance", "words": "my own words"})
    assert taken.headers["location"] == f"/m/{text}"
    assert [name for place in site.store.listings.summary(text).seats for _, name in place.players][-1] == "Spruance"
    with site.store.matches.open(text) as match:
        assert match.nonces == {"usa": "my own words"}
    assert f"/m/{text}/take" not in browser.get("/").text
    assert friend.get(f"/m/{text}/take?seat=usa").headers["location"] == f"/m/{text}"


def test_match_is_hidden_and_shown_again(browser: Browser, friend: Browser) -> None:
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


def test_home_page_offers_to_open_a_seat_while_none_is_open(browser: Browser) -> None:
    assert '<a href="/opponents#post-title">open one</a>' in browser.get("/").text


# -- new matches -----------------------------------------------------------------------------------------------------


def test_default_bot_is_recommended(browser: Browser) -> None:
    for game in catalog.games().values():
        page = browser.get(f"/new?game={game.key}").text
        (recommended,) = set(re.findall(r"Bot: (\S+) \([^)]*recommended\)", page))
        assert recommended == default_bot(game)


def test_new_match_form_shows_all_choices(browser: Browser) -> None:
    page = browser.get("/new?game=midway").text
    game = catalog.find("midway")
    for scenario in catalog.scenarios(game):
        assert scenario.title in page
        assert escape(scenario.summary) in page
    assert not [option.key for option in game.options if option.retired and f"option-{option.key}" in page]
    for option in game.options:
        if option.retired:
            continue
        assert escape(option.title) in page
        assert f"/games/midway/rules#{option.rule}" in page
        assert f'name="option-{option.key}" value="{option.default}" checked' in page
        assert escape(catalog.rule_summary(game, option.rule)) in page
    for bot in catalog.bots(game):
        assert f'value="bot:{bot}"' in page
        assert escape(catalog.about_bot(game, bot)) in page
    assert catalog.rule_summary(game, "nowhere") == ""


def test_new_match_form_draws_game_scenarios_and_opponents(browser: Browser) -> None:
    page = browser.get("/new?game=midway").text
    assert '<a class="picture-button" href="/new?game=midway" aria-current="page">' in page
    assert page.index('<fieldset id="seats">') < page.index("<legend>Scenario</legend>"), (
        "seats are on the first screen"
    )
    assert "Enterprise, Hornet and Yorktown; 48 squadrons" in page, "what differs between scenarios"
    for scenario in catalog.scenarios(catalog.find("midway")):
        address = f"/games/midway/board.svg?scenario={scenario.key}"
        assert address in page
        assert browser.get(address).status_code == 200
    pressed = re.compile(r'value="seats:(\w+) (\w+)"[^>]* aria-pressed="true"')
    assert pressed.findall(page) == [("japan", "bot"), ("japan", "bot")]
    for others, seat in (("friend", "friend"), ("anyone", "anyone"), ("me", "me"), ("bot", "bot:guarded")):
        arranged = browser.form("/new", {"game": "midway", "do": f"seats:usa {others}", "words": "keep me"}).text
        assert 'value="keep me"' in arranged, "no match is created yet"
        chosen = [re.search(rf'id="seat-{key}".*?value="([^"]+)" selected', arranged, re.S) for key in ("usa", "japan")]
        assert [found and found[1] for found in chosen] == ["me", seat]
        assert (pressed.findall(arranged)[-1][1]) == others
    assert browser.form("/new", {"game": "midway", "do": "seats:"}).status_code == 200
    assert "Your opponent" not in browser.get("/new?game=picket").text


def test_scenario_files_can_be_downloaded(browser: Browser) -> None:
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
        (("title = ", "title == "), "Line 1, column"),
        (('title = "My own battle"', "title = 3"), "Line 1 of your scenario (title) is invalid: expected a text"),
        (("", "a = [\n"), "is not valid TOML"),
        (("summary = ", "# "), "summary is missing"),
    ],
)
def test_invalid_scenario_is_located(browser: Browser, change: tuple[str, str], content: str) -> None:
    text = own_scenario()
    text = text[text.index("title = ") :].replace(*change, 1)
    answer = browser.form("/new", {"game": "midway", "do": "open", "scenario": "own", "own": text})
    assert answer.status_code == 422
    assert escape(content) in answer.text


@pytest.mark.parametrize(
    ("key", "line"), [("title", 1), ("fleet.ships[1].name", 7), ("fleet.speed", 3), ("line 4", 4), ("", 0), ("far", 0)]
)
def test_line_of_key_is_found(key: str, line: int) -> None:
    text = 'title = "x"\n[fleet]\nspeed = 3\n[[fleet.ships]]\nname = "a"\n[[fleet.ships]]\nname = "b"\n'
    assert new_match.line_of(key, text) == line


def test_link_preselects_game_and_scenario(browser: Browser) -> None:
    page = browser.get("/new?game=midway&scenario=daybreak").text
    assert re.search(r'value="daybreak" checked', page)
    assert len(re.findall(r'name="scenario" value="[\w-]+" checked', page)) == 1
    unknown = browser.get("/new?game=midway&scenario=nowhere")
    assert unknown.status_code == 200
    assert re.search(r'value="midway" checked', unknown.text)
    assert "Please fix" not in unknown.text
    links = browser.get("/games/midway").text
    assert 'href="/new?game=midway&amp;scenario=daybreak"' in links


def test_scenarios_show_how_often_each_side_wins(browser: Browser) -> None:
    for address in ("/games/midway", "/new?game=midway"):
        page = browser.get(address).text
        assert page.count("Between <i>veteran</i> bots") == len(list(catalog.scenarios(games.load("midway"))))
        assert re.search(r'Japan wins \d+ % <span class="muted">\(\d+–\d+\)', page)


def test_link_opens_the_other_side_to_anyone(browser: Browser) -> None:
    page = browser.get("/new?game=midway&scenario=daybreak&against=anyone").text
    assert 'name="listed" checked' in page
    assert [page.count(f'<option value="{who}" selected') for who in ("me", "anyone", "friend")] == [1, 1, 0]
    assert "Please fix" not in page


def test_unknown_game_is_rejected(browser: Browser) -> None:
    assert browser.get("/new?game=chess").status_code == 404
    assert browser.form("/new", {"game": "chess"}).status_code == 404
    assert browser.get(f"/new?game={'x' * 500}").status_code == 400


def test_created_match_has_the_forms_settings(site: Site, browser: Browser) -> None:
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
    summary = site.store.listings.summary(answer.headers["location"].removeprefix("/m/"))
    assert summary.scenario == "Without the Yorktown"
    assert summary.options["turn_limit"] == "12"
    assert (summary.pace, summary.public, summary.started) == ("days", True, True)
    assert [seat.bot for seat in summary.seats] == ["", "random"]
    with site.store.matches.open(summary.id) as match:
        assert match.nonces == {"japan": "Kido Butai"}


def test_hot_seat_match_starts(site: Site, browser: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="me")
    summary = site.store.listings.summary(match)
    assert summary.started
    assert all(seat.players for seat in summary.seats)


def test_seats_follow_the_options(browser: Browser) -> None:
    looked = browser.form("/new", {"game": "midway", "do": "look", "option-seats": "groups", "words": "keep me"})
    assert looked.status_code == 200
    assert 'name="seat-hiryu"' in looked.text
    assert 'name="seat-japan"' not in looked.text
    assert 'value="keep me"' in looked.text


def test_seats_name_the_options_for_more_of_them(browser: Browser) -> None:
    page = browser.get("/new?game=tora").text
    assert '<a href="#option-umpire">Umpire</a>' in page
    assert 'id="option-umpire"' in page
    assert "More seats" not in browser.get("/new?game=pearl").text
    look = {"game": "tora", "do": "look", "option-umpire": "yes"}
    for who, umpire in (("me", "friend"), ("friend", "me")):
        text = browser.form("/new", {**look, "seat-japan": who, "seat-usa": "friend"}).text
        own = text.partition('name="seat-umpire"')[2].partition("</select>")[0]
        assert re.findall(r'value="([^"]+)" selected', own) == [umpire]


def test_new_seats_keep_the_choice_for_their_side(browser: Browser) -> None:
    def look(page: str, do: str = "look", **options: str) -> str:
        seats = dict(re.findall(r'<select id="(seat-[\w-]+)".*?value="([^"]+)" selected', page, re.S))
        sides = dict(re.findall(r'name="(side-of-[\w-]+)" value="([^"]+)"', page))
        kept = {f"option-{key}": value for key, value in options.items()}
        return browser.form("/new", {"game": "tora", "do": do, **seats, **sides, **kept}).text

    umpire = look(browser.get("/new?game=tora").text, umpire="yes")
    assert 'value="seats:umpire bot"' in umpire
    arranged = look(umpire, "seats:umpire friend", umpire="yes")
    page = look(arranged, umpire="yes", usa_players="4", japan_players="4")
    chosen = re.findall(r'<select id="seat-([\w-]+)".*?value="([^"]+)" selected', page, re.S)
    assert [who for _, who in chosen] == ["friend"] * 8 + ["me"]
    assert re.search(r'value="seats:umpire friend"[^>]* aria-pressed="true">Umpire<', page)


def test_seats_that_no_longer_fit_are_returned(site: Site, browser: Browser) -> None:
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
        ("own", "title = 3", "expected a text, found 3"),
        ("own", "a = " + "[\n" * 5000, "nested"),
        ("own", "= nonsense", "TOML"),
        ("own", "", "Choose a"),
    ],
)
def test_form_errors_are_at_their_fields(browser: Browser, field: str, value: str, text: str) -> None:
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


def test_custom_scenario_is_played(site: Site, browser: Browser) -> None:
    text = own_scenario()
    fields = {"game": "midway", "do": "open"}
    file = {"file": ("mine.toml", ("\ufeff" + text).encode())}
    for answer in (
        browser.form("/new", fields, files=file),
        browser.form("/new", {**fields, "scenario": "own", "own": text}),
    ):
        assert answer.status_code == 303, answer.text
        assert site.store.listings.summary(answer.headers["location"].removeprefix("/m/")).scenario == "My own battle"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"x" * 60_000, "the maximum is"),
        (b"x" * 1_500_000, "the maximum is"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
    ],
)
def test_invalid_scenario_file_is_returned(browser: Browser, content: bytes, text: str) -> None:
    fields = {"game": "midway", "do": "open", "words": "keep me"}
    answer = browser.form("/new", fields, files={"file": ("mine.toml", content)})
    assert answer.status_code == 422
    assert 'value="keep me"' in answer.text
    assert text in answer.text


# -- lobby and links -------------------------------------------------------------------------------------------------


def test_friend_joins_by_link_and_match_starts(site: Site, browser: Browser, friend: Browser) -> None:
    browser.form("/me/name", {"name": "Nagumo"})
    match = browser.begin(seat_japan="me", seat_usa="friend")
    lobby = browser.get(f"/m/{match}")
    assert lobby.headers["cache-control"] == "no-store"
    assert site.store.listings.summary(match).fingerprint in lobby.text
    link = browser.links(match)["usa"]

    invitation = friend.get(link)
    assert invitation.headers["referrer-policy"] == "no-referrer"
    assert "Nagumo invites you to play" in invitation.text
    assert not site.store.listings.summary(match).started, "looking at the link has done nothing"

    answer = friend.form(link, {"name": "Spruance", "words": "my own words"})
    assert answer.headers["location"] == f"/m/{match}"
    summary = site.store.listings.summary(match)
    assert summary.started
    assert [name for seat in summary.seats for _, name in seat.players] == ["Nagumo", "Spruance"]
    with site.store.matches.open(match) as played:
        assert played.nonces == {"usa": "my own words"}
    assert friend.get(link).headers["location"] == f"/m/{match}"


def test_host_cannot_use_a_used_link(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="friend")
    link = browser.links(match)["usa"]
    friend.form(link, {"name": "Spruance"})
    assert browser.links(match) == {}
    looked = browser.get(link)
    assert looked.status_code == 404
    assert "works only once" in looked.text
    assert browser.form(link, {}).status_code == 404
    bearer = {"Authorization": f"Bearer {link.removeprefix('/s/')}"}
    assert browser.get(f"/api/v1/matches/{match}", headers=bearer).status_code == 401
    assert browser.get("/api/v1/seat", headers=bearer).status_code == 401
    for again in (friend.get(link), friend.form(link, {})):
        assert again.headers["location"] == f"/m/{match}", "to anyone who came by it, it still leads to the table"
    assert [name for _, name in site.store.listings.summary(match).seats[1].players] == ["Spruance"]


def test_one_browser_joins_by_the_link_of_a_host(site: Site, browser: Browser, friend: Browser) -> None:
    """A host who joins in a second browser first, without opening the match, is noticed: the friend cannot join."""
    match = browser.begin(seat_japan="me", seat_usa="friend")
    link = browser.links(match)["usa"]
    with site.browser() as spy, site.browser() as other:
        guests = (spy, friend, other)
        assert [guest.get(link).status_code for guest in guests] == [200] * 3
        assert [guest.form(link, {"name": "Spruance"}).status_code for guest in guests] == [303, 404, 404]
        late = friend.get(link)
        assert (late.status_code, "works only once" in late.text) == (404, True)
        assert friend.cookies.get("readyroom") is None
    assert len(site.store.listings.summary(match).seats[1].players) == 1


@pytest.mark.parametrize("again", ["get", "form"])
def test_browser_that_lost_the_response_joins_again(site: Site, browser: Browser, friend: Browser, again: str) -> None:
    match = browser.begin(seat_japan="me", seat_usa="friend")
    link = browser.links(match)["usa"]
    friend.get(link)
    assert friend.form(link, {"name": "Spruance"}).status_code == 303
    session = friend.cookies.pop("readyroom")
    with site.browser(cookies={"joining": "guessed"}) as guesser:
        for other in (browser, guesser):
            assert getattr(other, again)(link).status_code == 404
    repeated = getattr(friend, again)(link)
    assert (repeated.status_code, repeated.headers["location"]) == (303, f"/m/{match}")
    assert friend.cookies["readyroom"] == session
    assert "Leave United States" in friend.get(f"/m/{match}").text
    assert [name for _, name in site.store.listings.summary(match).seats[1].players] == ["Spruance"]


def test_browser_cannot_join_by_the_token_of_a_program(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="friend")
    link = browser.links(match)["usa"]
    bearer = {"Authorization": f"Bearer {link.removeprefix('/s/')}"}
    for _ in range(2):
        sat = friend.post(f"/api/v1/matches/{match}/sit", json={}, headers=bearer)
        assert (sat.status_code, sat.json()["lent"]) == (200, True)
    for answer in (browser.get(link), browser.form(link, {})):
        assert (answer.status_code, "works only once" in answer.text) == (404, True)
    assert friend.get(f"/api/v1/matches/{match}", headers=bearer).json()["seat"] == "usa"


def test_links_are_shown_to_the_host_only(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    link = browser.links(match)["usa"]
    secret = link.removeprefix("/s/")
    assert secret not in friend.get(f"/m/{match}").text
    assert friend.links(match) == {}
    with site.browser(cookies={"links": "usa=madeup&japan="}) as stranger:
        assert stranger.links(match) == {}


def test_new_link_invalidates_old_one(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    old = browser.links(match)["usa"]
    assert browser.form(f"/m/{match}/link", {"seat": "usa"}).status_code == 303
    new = browser.links(match)["usa"]
    assert old != new
    assert friend.get(old).status_code == 404
    assert "Ask for a new one" in friend.get(old).text
    assert friend.get(new).status_code == 200


def test_link_of_a_started_match_is_shown_once(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="bot:random")
    answer = browser.form(f"/m/{match}/link", {"seat": "japan"})
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    parsed = re.search(r'value="http://[^/]+(/s/[\w-]{43})"', answer.text)
    assert parsed is not None
    assert friend.form(parsed[1], {"name": "Genda"}).status_code == 303
    assert "Genda" in browser.get("/me").text, "several people may share a seat"


def test_only_the_host_starts_and_creates_links(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    friend.form("/me/name", {"name": "Stranger"})
    assert friend.form(f"/m/{match}/begin").status_code == 403
    assert friend.form(f"/m/{match}/link", {"seat": "usa"}).status_code == 403
    with friend.__class__(base_url=friend.base_url) as stranger:
        assert stranger.form(f"/m/{match}/begin").status_code == 403
        assert stranger.form(f"/m/{match}/link", {"seat": "usa"}).status_code == 403


def test_host_starts_without_waiting(site: Site, browser: Browser) -> None:
    match = browser.begin(seat_usa="anyone")
    assert browser.form(f"/m/{match}/begin").headers["location"] == f"/m/{match}"
    assert site.store.listings.summary(match).started


def test_joined_player_can_leave(site: Site, browser: Browser, friend: Browser) -> None:
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
    summary = site.store.listings.summary(three.removeprefix("/m/"))
    assert next(seat.open for seat in summary.seats if seat.key == "hornet")
    friend.form(f"{three}/take", {"seat": "hornet"})
    assert "Free this seat" in browser.get(three).text
    browser.form(f"{three}/leave", {"seat": "hornet"})
    assert "Free this seat" not in browser.get(three).text


def test_host_invites_to_the_seat_of_a_bot_in_the_lobby(site: Site, browser: Browser, friend: Browser) -> None:
    seats = {"seat-japan": "bot:doctrine", "seat-usa": "friend"}
    lobby = browser.form("/new", {"game": "midway", "do": "open", **seats}).headers["location"]
    browser.form(f"{lobby}/link", {"seat": "japan"})
    friend.form(browser.links(lobby.removeprefix("/m/"))["japan"], {"name": "Nagumo"})
    japan, _ = site.store.listings.summary(lobby.removeprefix("/m/")).seats
    assert (japan.bot, len(japan.players)) == ("", 1)


def test_lobby_lists_all_links_to_copy(browser: Browser) -> None:
    seats = {"seat-japan": "friend", "seat-usa": "friend"}
    lobby = browser.form("/new", {"game": "midway", "do": "open", **seats}).headers["location"]
    links = re.search(r'<textarea id="all-links"[^>]*>(.*?)</textarea>', browser.get(lobby).text, re.DOTALL)
    assert links is not None
    assert re.findall(r"^(.+): https?://", links[1], re.MULTILINE) == ["Japan", "United States"]


@pytest.mark.parametrize("seat", ["japan", "usa", "atlantis", ""])
def test_closed_seat_cannot_be_joined(browser: Browser, friend: Browser, seat: str) -> None:
    match = browser.begin(seat_japan="me", seat_usa="friend")
    assert friend.form(f"/m/{match}/take", {"seat": seat}).status_code in (404, 409)


def test_lobby_refreshes_with_and_without_script(browser: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    page = browser.get(f"/m/{match}").text
    assert '<noscript><meta http-equiv="refresh"' in page
    assert f'data-watch="/m/{match}/events"' in page


def test_long_name_is_rejected_at_the_link(browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    answer = friend.form(browser.links(match)["usa"], {"name": "x" * 50})
    assert answer.status_code == 422
    assert "At most 40 characters" in answer.text


# -- seats of started matches -----------------------------------------------------------------------------------------


def seats_of(page: str) -> str:
    """Return the seats panel of a match page; empty if there is none."""
    match = re.search(r'<details id="seats".*?\n</details>', page, re.DOTALL)
    return match[0] if match else ""


def test_host_finds_link_after_the_match(site: Site, browser: Browser, friend: Browser) -> None:
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
    assert site.store.listings.summary(match).seats[1].players


def test_seat_is_assigned_to_bot_and_reclaimed(site: Site, browser: Browser, friend: Browser) -> None:
    match = browser.begin(seat_japan="me", seat_usa="friend")
    friend.form(browser.links(match)["usa"], {"name": "Spruance"})
    assert "Bot for" in seats_of(friend.get(f"/m/{match}").text)
    assert browser.form(f"/m/{match}/assign-bot", {"seat": "usa", "bot": "random"}).status_code == 403, "not yet"
    assert friend.form(f"/m/{match}/assign-bot", {"seat": "usa", "bot": "nobody"}).status_code == 404
    answer = friend.form(f"/m/{match}/assign-bot", {"seat": "usa", "bot": "random"})
    assert answer.headers["location"] == f"/m/{match}"
    assert site.store.listings.summary(match).seats[1].bot == "random"
    table = friend.get(f"/m/{match}").text
    assert "Bot (random), replacing Spruance" in table
    assert "has assigned the bot" in browser.get(f"/m/{match}").text
    assert "Reclaim" in seats_of(table)
    assert browser.form(f"/m/{match}/reclaim", {"seat": "usa"}).status_code == 403
    assert friend.form(f"/m/{match}/reclaim", {"seat": "usa"}).status_code == 303
    summary = site.store.listings.summary(match)
    assert (summary.seats[1].bot, bool(summary.seats[1].players)) == ("", True)


def test_host_assigns_bot_to_absent_friend(site: Site, browser: Browser) -> None:
    match = browser.begin(seat_usa="friend")
    assert "Bot for" in browser.get(f"/m/{match}").text
    browser.form(f"/m/{match}/assign-bot", {"seat": "usa", "bot": "random"})
    assert site.store.listings.summary(match).started
    with site.browser() as stranger:
        for action in ("assign-bot", "reclaim", "hide"):
            assert stranger.form(f"/m/{match}/{action}", {"seat": "usa", "bot": "random"}).status_code == 403
