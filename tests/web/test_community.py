"""Tests of the community page, the list of players, cards of matches, and bots by strength."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest
from sqlalchemy import update
from tests.store.playing import play
from tests.web.clients import FRIEND, ME, Guest, Site, open_site, site

from readyroom.bots import BEST, NOVICE, default_bot
from readyroom.engine.rules.state import Outcome
from readyroom.store import SeatAssignment
from readyroom.store.ladder.ladder import SideResults
from readyroom.store.tables import matches
from readyroom.study.recorded import recorded_matches
from readyroom.web import catalog
from readyroom.web.pages.home import high_scores, weekly
from readyroom.web.pages.players.badges import badges_of
from readyroom.web.pages.players.ladder import results_of

__all__ = ["site"]


def finished_match(site: Site, usa: Guest, japan: Guest, *, listed: bool = False) -> str:
    """Play a match of two players to its end, by random moves."""
    opened = site.store.lobby.create(usa.player, "pearl", None, {}, {"usa": ME, "japan": FRIEND}, listed=listed)
    site.store.seats.join_by_link(opened.links["japan"], japan.player.id)
    play(site.store, opened.id, Random(5))
    return opened.id


def test_header_leads_to_the_community(site: Site) -> None:
    assert '<a href="/community">Community</a>' in site.guest().page("/")
    page = site.guest().page("/community")
    for text in ("Open seats", "Recorded matches", "Puzzle of the day", "Scenario of the week", "Ladder", "Players"):
        assert text in page, text


def test_players_page_lists_only_those_on_the_ladder(site: Site) -> None:
    open_one, hidden = site.guest("Albatross"), site.guest("Alone")
    open_one.post("/me/ladder", {"join": "yes"})
    finished_match(site, open_one, hidden, listed=True)
    for path in ("/players", "/players?q=al", "/community"):
        for visitor in (site.guest(), site.guest("Curious")):
            assert "Alone" not in visitor.page(path), path
    assert f'<a href="/players/{open_one.player.id}">Albatross</a>' in site.guest().page("/players?q=TROSS")
    assert "Albatross" not in site.guest().page("/players?q=pelican")
    assert "No player on the ladder has such a name" in site.guest().page("/players?q=%25")
    open_one.post("/me/ladder", {"join": "no"})
    assert "Albatross" not in site.guest().page("/players")


def test_players_on_the_ladder_are_online_while_they_have_a_match_open(site: Site) -> None:
    listed, hidden, visitor = site.guest("Albatross"), site.guest("Alone"), site.guest("Curious")
    listed.post("/me/ladder", {"join": "yes"})
    match = finished_match(site, listed, hidden, listed=True)
    paths = ("/players", "/community", f"/players/{listed.player.id}")
    pages = site.app.state.site.open_pages
    with pages.looking(match, hidden.player.id):
        assert all('class="online"' not in visitor.page(path) for path in paths)
    with pages.looking(match, listed.player.id):
        assert all(visitor.page(path).count('class="online"') >= 1 for path in paths)
        assert f'href="/new?against={listed.player.id}">Challenge' in visitor.page("/community")
        assert "Online now" not in listed.page("/community"), "only others"
    assert all('class="online"' not in visitor.page(path) for path in paths)


def test_open_seat_says_that_its_host_is_here(site: Site) -> None:
    host, visitor = site.guest("Host"), site.guest("Visitor")
    match = host.post("/opponents", {"choice": "midway usa"}).headers["location"].removeprefix("/m/")
    assert "The host is here" not in visitor.page("/opponents")
    with site.app.state.site.open_pages.looking(match, host.player.id):
        assert "The host is here" in visitor.page("/opponents")


def test_people_one_has_played_are_offered_a_rematch(site: Site) -> None:
    anna, ben, other = site.guest("Anna Tern"), site.guest("Ben Skua"), site.guest("Other")
    match = finished_match(site, anna, ben)
    for path in ("/community", "/players"):
        page = anna.page(path)
        assert "Ben Skua" in page
        assert f'action="/m/{match}/rematch"' in page
        assert "Ben Skua" not in other.page(path), path
    started = anna.post(f"/m/{match}/rematch", {"swap": "no"}).headers["location"]
    assert "Anna Tern" in ben.page("/"), "the rematch is offered"
    assert started in anna.page("/")
    for guest in (anna, ben):
        assert f'action="/m/{match}/rematch"' not in guest.page("/players"), "one rematch is enough"
    assert f'href="{started}">Open rematch' in anna.page("/players")
    assert f'action="/m/{match}/rematch/join"' in ben.page("/players")
    assert "Open rematch" not in ben.page("/players")


def test_cards_name_the_game_show_the_board_and_say_what_is_asked(site: Site) -> None:
    host = site.guest("Host")
    mine = host.post("/play", {"game": "doolittle", "side": "usa"}).headers["location"]
    waits = site.store.lobby.create(host.player, "midway", None, {}, {"japan": ME, "usa": FRIEND})
    page = host.page("/")
    with site.store.matches.open(mine.removeprefix("/m/")) as match:
        question = next(iter(match.pending.values())).question
        name = f"{match.game.title}: {match.scenario.title}"
    assert name in page
    assert question in page
    assert f"{mine}/board.svg?r=" in page
    assert f"/m/{waits.id}/board.svg?r=" in page
    assert "Waits for the United States to join" in page or "Waits for United States to join" in page
    assert f"/m/{waits.id}" in page


def test_match_of_bots_alone_is_open_from_its_start(site: Site) -> None:
    bots = SeatAssignment("bot", "doctrine")
    host, store = site.guest("Host of bots"), site.store
    alone = store.lobby.create(None, "midway", None, {}, {"japan": bots, "usa": bots}, listed=True)
    hosted = store.lobby.create(host.player, "midway", None, {}, {"japan": bots, "usa": bots}, listed=True)
    with_people = store.lobby.create(host.player, "midway", None, {}, {"japan": ME, "usa": bots}, listed=True)
    assert store.listings.summary(alone.id).is_bots_only
    for one in (hosted, with_people):
        assert not store.listings.summary(one.id).is_bots_only
    page = site.guest().page(f"/m/{alone.id}/replay?at=0&seat=all&play=yes")
    assert page.count('class="board"') == 1
    assert "#pc-hidden" not in page
    assert '<h2 id="board-' not in site.guest().page(f"/m/{with_people.id}/replay?at=0&seat=all")


def test_two_bots_can_be_watched_although_matches_are_live(site: Site) -> None:
    host = site.guest("Live one")
    store = site.store
    opened = store.lobby.create(host.player, "pearl", None, {}, {"usa": ME, "japan": FRIEND}, listed=True)
    store.seats.join_by_link(opened.links["japan"], site.guest("Opponent").player.id)
    assert "Watch bots play" in site.guest().page("/watch")


def test_recorded_matches_open_as_replays_on_a_new_server(site: Site) -> None:
    guest = site.guest()
    page = guest.page("/watch")
    for key, known in recorded_matches().items():
        assert f'href="/watch/{key}"' in page
        assert guest.get(f"/watch/{key}/board.svg").headers["content-type"].startswith("image/svg+xml")
        places = {guest.get(f"/watch/{key}").headers["location"] for _ in range(2)}
        assert len(places) == 1, "it is imported once"
        match = places.pop().split("/")[2]
        summary = site.store.listings.summary(match)
        assert summary.is_bots_only
        assert summary.outcome == known.outcome
        assert f"/m/{match}" not in guest.page("/watch"), "it is no result of this server"
        assert guest.page(f"/m/{match}/replay?at=0&seat=all").count('class="board"') >= 1
    assert set(recorded_matches()) >= {"midway", "tora", "war", "pearl", "picket", "doolittle"}, "docs/recorded.py"
    assert guest.get("/watch/nowhere").status_code == guest.get("/watch/nowhere/board.svg").status_code == 404


def test_bots_are_sorted_by_strength(site: Site) -> None:
    for game in catalog.games().values():
        names = [bot.name for bot in catalog.bots_by_level(game)]
        assert sorted(names) == sorted(catalog.bots(game))
        assert names.index(NOVICE) < names.index(default_bot(game)) < names.index(BEST)
    page = site.guest().page("/new?game=midway")
    chosen = default_bot(catalog.find("midway"))
    assert f'data-bot="bot:{chosen}">' in page, "the text of the chosen bot"
    assert f'data-bot="bot:{BEST}" hidden>' in page, "not of the others"


def test_each_bot_has_a_level_and_a_sentence_that_needs_no_other_bot(site: Site) -> None:
    page = site.guest().page("/players")
    for game in catalog.games().values():
        bots = catalog.bots_by_level(game)
        assert game.analysis.weaker == () or set(game.analysis.weaker) < {bot.name for bot in bots}
        for bot in bots:
            assert bot.level
            assert len(bot.about) > 20
            others = {one.name for one in bots} - {"random", "best", "search", "yard", "battleships", "historical"}
            assert not [one for one in others if re.search(rf"\b(like|than|against|the) {one}\b", bot.about)]
            assert f'<input type="hidden" name="bot" value="{bot.name}">' in page
    assert "1360" in page, "Elo with its interval"
    assert "(1256–1380)" in page


def test_ladder_without_ratings_has_results_and_levels_of_bots(site: Site) -> None:
    bots = SeatAssignment("bot", "doctrine")
    ended = site.store.lobby.create(None, "tora", None, {}, {"japan": bots, "usa": bots}, listed=True)
    page = site.guest().page("/ladder?game=tora")
    assert "has been rated yet" in page
    assert '<span class="tag muted">hard</span>' in page
    assert "Bots are not rated with people" in page
    assert ended.id


def test_week_lists_own_result_only_to_oneself(site: Site) -> None:

    week = weekly.this_week()
    assert week is not None
    me = site.guest("Week Player")
    match = me.post(
        "/play", {"game": week.game.key, "scenario": week.scenario.key, "side": week.side.key, "listed": "yes"}
    ).headers["location"]
    play(site.store, match.removeprefix("/m/"), Random(3))
    page = me.page("/week")
    assert "only you see this row" in page
    assert "bot (" in page or week.is_alone
    assert "Week Player" not in site.guest().page("/week")
    me.post("/me/ladder", {"join": "yes"})
    assert "Table of the last 8 weeks" in site.guest().page("/week")


def test_bots_are_on_the_ladder_with_the_ratings_of_the_docs(site: Site) -> None:
    docs = (Path(__file__).parents[2] / "docs/bots.md").read_text("utf-8")
    rows = re.findall(r"`([\w-]+)` \| (\d+) \((\d+)–(\d+)\)", docs)
    published = {(bot, *map(int, figures)) for bot, *figures in rows}
    ratings = {name: game.analysis.ratings for name, game in catalog.games().items() if game.analysis.ratings}
    assert published == {(bot, *elo) for bots in ratings.values() for bot, elo in bots.items()}
    for name, bots in ratings.items():
        page = site.guest().page(f"/ladder?game={name}")
        assert all(f'name="bot" value="{bot}"' in page for bot in bots)
    assert "Elo among bots" not in site.guest().page("/ladder?game=tora"), "its bots are not measured"


def test_play_on_the_ladder_is_against_the_bot_of_its_row(site: Site) -> None:
    guest = site.guest("Anna")
    for bot, plays in (("massed", "massed"), ("nobody", default_bot(catalog.find("midway")))):
        answer = guest.post("/play", {"game": "midway", "bot": bot})
        summary = site.store.listings.summary(answer.headers["location"].removeprefix("/m/"))
        assert [seat.bot for seat in summary.seats if seat.bot] == [plays]


def test_community_of_an_empty_server_has_something_to_do(tmp_path: Path) -> None:
    with open_site(tmp_path) as empty:
        page = empty.guest().page("/community")
    for words in ("beat these bots", "Elo among bots", 'name="bot" value="veteran"', 'action="/play"'):
        assert words in page
    first = page.index('class="button button-strong"')
    assert page[first:].startswith('class="button button-strong" href="/opponents">Find an opponent')
    for empty_part in ("Latest results", "None is open or running", "Live matches"):
        assert empty_part not in page


def test_spectators_on_the_ladder_comment_on_public_matches(site: Site) -> None:
    anna, ben, critic, visitor = (site.guest(name) for name in ("Anna", "Ben", "Critic", "Visitor"))
    match = finished_match(site, anna, ben, listed=True)
    assert "Join the ladder" in critic.page(f"/m/{match}")
    assert critic.post(f"/m/{match}/say", {"text": "A bold raid."}).status_code == 403
    critic.post("/me/ladder", {"join": "yes"})
    assert critic.post(f"/m/{match}/say", {"text": "A <bold> raid."}).status_code == 303
    message = site.store.chat.messages(match, [])[0].id
    for page in (visitor.page("/community"), visitor.page(f"/m/{match}"), anna.page(f"/m/{match}")):
        assert "A &lt;bold&gt; raid." in page
    assert f'href="/m/{match}#message-{message}"' in visitor.page("/community")
    removal = f'name="message" value="{message}"'
    assert [removal in guest.page(f"/m/{match}") for guest in (anna, critic, visitor)] == [True, True, False]
    assert visitor.post(f"/m/{match}/remove-message", {"message": str(message)}).status_code == 403
    assert anna.post(f"/m/{match}/remove-message", {"message": "x" * 20}).status_code == 403
    assert anna.post(f"/m/{match}/remove-message", {"message": str(message)}).status_code == 303
    assert "raid." not in visitor.page("/community")


def test_cards_say_that_a_seat_is_empty(site: Site) -> None:
    anna, ben = site.guest("Anna"), site.guest("Ben")
    opened = site.store.lobby.create(anna.player, "midway", None, {}, {"usa": ME, "japan": FRIEND})
    site.store.seats.join_by_link(opened.links["japan"], ben.player.id)
    seats = {"usa": anna, "japan": ben}
    leaver = site.store.listings.summary(opened.id).waiting[0]
    site.store.seats.leave_seat(opened.id, leaver, seats.pop(leaver).player.id)
    (stays,) = seats.values()
    assert "(no player)" in stays.page("/")


def solitaire_result(site: Site, guest: Guest, score: int, *, listed: bool = False) -> str:
    """Let a match of Picket Duty have ended with this score."""
    match = site.store.lobby.create(guest.player, "picket", "pringle", {}, {"captain": ME}, listed=listed).id
    play(site.store, match, Random(1), 1)
    outcome = Outcome("usa", "American marginal victory", "It is over.", {"usa": score})
    with site.store.database.writing() as connection:
        ended = {"outcome": msgspec.json.encode(outcome).decode(), "waiting": "[]"}
        connection.execute(update(matches).where(matches.c.id == match).values(**ended))
    return match


def test_high_scores_are_on_the_page_of_a_solitaire_game_and_on_community(site: Site) -> None:
    ann, ben, hidden = site.guest("Ann of Pringle"), site.guest("Ben of Pringle"), site.guest("Hidden of Pringle")
    visitor = site.guest()
    assert "There is none yet" in visitor.page("/games/picket")
    assert "There is no high score in" in visitor.page("/community")
    assert "High scores" not in visitor.page("/games/midway")
    for guest in (ann, ben):
        guest.post("/me/ladder", {"join": "yes"})
    public = solitaire_result(site, ann, 14, listed=True)
    private = solitaire_result(site, ben, 12)
    solitaire_result(site, hidden, 30)
    site.store.high_scores._known.clear()
    game, community = visitor.page("/games/picket"), visitor.page("/community")
    assert game.index("Ann of Pringle") < game.index("Ben of Pringle")
    assert f'href="/m/{public}/replay"' in game
    assert private not in game, "only public matches have a link"
    assert f'<a href="/players/{ann.player.id}">Ann of Pringle</a>' in community
    for page in (game, community):
        assert "Hidden of Pringle" not in page
    own = hidden.page("/games/picket")
    assert "(only you see this row)" in own
    assert '<tr class="mine">' in own
    assert "2</td>" in ben.page("/games/picket").partition('<tr class="mine">')[2][:40], "the reader's place"
    assert "you: place 2" in ben.page("/community")


def test_scenario_with_a_difficulty_of_ones_own_has_no_high_scores(site: Site) -> None:
    games = catalog.games()
    for game in games.values():
        assert {one.key for one in catalog.scenarios(game)} >= {*game.analysis.unranked}, game.key
    assert games["picket"].analysis.unranked
    assert high_scores.by_scenario(site.store, games["midway"]) is None


def test_hint_and_analysis_are_noted_in_a_solitaire_match(site: Site) -> None:
    guest = site.guest("Helped")
    for path in ("advice", "analysis", "?ask=staff"):
        match = site.store.lobby.create(guest.player, "picket", "pringle", {}, {"captain": ME}).id
        guest.page(f"/m/{match}")
        assert not site.store.listings.summary(match).help_agreed
        guest.page(f"/m/{match}{path}" if path.startswith("?") else f"/m/{match}/{path}")
        assert site.store.listings.summary(match).help_agreed, path


def test_badges_show_what_was_earned_and_to_oneself_also_the_rest(site: Site) -> None:
    guest, other = site.guest("Badged"), site.guest("Plain")
    solitaire_result(site, guest, 9)
    mine = guest.page("/me")
    assert "Victory: Picket Duty" in mine
    row = '<td class="number">1</td><td class="number">–</td><td class="number">–</td>'
    assert row in mine, "alone, a match is won or not: no one else wins it"
    assert mine.count('<li class="unearned">') == 10, "five victories, all games, puzzle, days, campaign, tournament"
    assert "Only you see them" in mine
    assert site.guest().get(f"/players/{guest.player.id}").status_code == 404
    for one in (guest, other):
        one.post("/me/ladder", {"join": "yes"})
    public = site.guest().page(f"/players/{guest.player.id}")
    assert "Victory: Picket Duty" in public
    assert "unearned" not in public
    assert "Badges" not in site.guest().page(f"/players/{other.player.id}")


def test_badges_count_steps_and_the_longest_run(site: Site) -> None:
    guest = site.guest("Steps")
    results = results_of(site.store, guest.player.id)

    def titles(solved: int, run: int) -> list[str]:
        pastimes = results.pastimes._replace(solved=solved, longest_run=run)
        found = badges_of(site.store, guest.player.id, replace(results, pastimes=pastimes))
        return [f"{one.title} {one.is_earned}" for one in found if one.icon in ("puzzles", "days")]

    assert titles(0, 2) == ["1 puzzle False", "3 days in a row False"]
    assert titles(26, 7) == ["25 puzzles True", "7 days in a row True", "50 puzzles False", "30 days in a row False"]
    assert titles(100, 400) == ["100 puzzles True", "365 days in a row True"]


def test_all_games_campaign_and_tournament_have_badges(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = site.guest("All of them")
    sides = [(SideResults(key, key, "usa", True, 0, 0, 1), "", "", (0, 0), True) for key in catalog.games()]
    results = replace(results_of(site.store, guest.player.id), by_side=sides)
    earned = {one.icon for one in badges_of(site.store, guest.player.id, results) if one.is_earned}
    assert earned == {"games"}
    monkeypatch.setattr(site.store.campaigns, "has_finished", lambda player: True)
    monkeypatch.setattr(site.store.tournaments, "has_won", lambda player: True)
    earned = {one.icon for one in badges_of(site.store, guest.player.id, results) if one.is_earned}
    assert earned == {"games", "campaign", "tournament"}


def test_profile_has_ones_own_history_before_one_joins_the_ladder(site: Site) -> None:
    ann, ben = site.guest("Anna History"), site.guest("Ben History")
    match = finished_match(site, ann, ben)
    page = ann.page("/me")
    results = page.partition('id="results"')[2]
    assert "Last results" in results
    assert f'<a href="/m/{match}">' in results
    assert "against Ben History" in results
    assert "Games played most" in results
    assert re.search(r'% <span class="muted interval">\(\d+–\d+\)', results), "the interval of the win rate"
    assert "Last results" not in site.guest("New here").page("/me")
