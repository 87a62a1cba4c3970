"""Tests of the end of a match: the poster, losses, turning points, the rematch, and sharing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from html import unescape
from random import Random
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.store.playing import match_at
from tests.web.clients import BOT, FRIEND, ME, Guest, Site, site

from readyroom import Match
from readyroom.bots import make_bot
from readyroom.bots.statistics import Interval
from readyroom.engine.record.highlights import Highlights, rules_hash
from readyroom.engine.record.turning_points import KeyMoment, MomentCollector, ScorePoint, lead_taken, turning_points
from readyroom.games import load
from readyroom.store import MatchSummary, SeatAssignment
from readyroom.store.errors import InvalidSeating, NotOver, NotYourSeat
from readyroom.store.lobby.rematch_seats import can_swap, rematch_seats
from readyroom.web import board_svg, catalog, formatting
from readyroom.web.detail import detail, text_styles
from readyroom.web.jobs.replays import Replays
from readyroom.web.pages.cards import decided_outcome
from readyroom.web.pages.match import ending
from readyroom.web.pages.match.ending import LETTER, WIDE, losses_by_side, name_times

__all__ = ["site"]


@pytest.fixture(scope="module")
def duel(site: Site) -> tuple[Guest, Guest, str]:
    """A finished Air Raid Pearl Harbor between two players: short, with scores, ships and aircraft."""
    anna, boris = site.guest("Anna"), site.guest("Boris")
    opened = site.store.lobby.create(anna.player, "pearl", None, {}, {"usa": ME, "japan": FRIEND}, seed="poster pearl")
    site.store.seats.join_by_link(opened.links["japan"], boris.player.id)
    site.play_until(opened.id)
    return anna, boris, opened.id


@pytest.fixture(scope="module")
def alone(site: Site) -> tuple[Guest, str]:
    """A finished solitaire match."""
    anna = site.guest("Anna")
    match_id = site.opened(anna, "picket", captain=ME)
    site.play_until(match_id)
    return anna, match_id


def text_of(html: str) -> str:
    """Return the text of a page."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def poster(page: str) -> str:
    """Return the part of a page with the end of the match."""
    return page[page.index('<div class="poster') : page.index('id="log"')]


# -- the poster ------------------------------------------------------------------------------------------------------


def test_poster_has_result_scores_losses_and_actions(duel: tuple[Guest, Guest, str], site: Site) -> None:
    anna, boris, match_id = duel
    outcome = site.store.listings.summary(match_id).outcome
    assert outcome is not None
    for guest, result in ((anna, "You lost"), (boris, "You won")):
        page = poster(guest.page(f"/m/{match_id}"))
        text = text_of(page)
        assert outcome.title in text
        assert outcome.text in text
        assert result in text
        assert f'data-end="{"victory" if result == "You won" else "defeat"}"' in page
        assert f"Japan {outcome.scores['japan']}" in text
        assert re.search(r"\bsunk\b", text)
        assert "Key moments" in text
        assert "The match review finds turning points" in text
        for label in ("Rematch", "Swap sides", "Replay", "Report", "Share"):
            assert re.search(rf">\s*{label}\s*<", page), label
    assert 'class="options"' not in page


def test_picture_of_the_end_can_be_shared(duel: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = duel
    summary = site.store.listings.summary(match_id)
    assert summary.outcome is not None
    assert f'href="/m/{match_id}/poster.svg"' in poster(anna.page(f"/m/{match_id}"))
    response = site.guest().get(f"/m/{match_id}/poster.svg")
    assert response.headers["content-type"].startswith("image/svg+xml")
    drawn = ElementTree.fromstring(response.text)
    assert drawn.get("viewBox") == "0 0 1200 630"
    text = " ".join("".join(one.itertext()) for one in drawn.iter("{http://www.w3.org/2000/svg}text"))
    for words in (summary.title, f"Japan: {summary.outcome.scores['japan']}", "Ready Room"):
        assert words in text
    assert summary.outcome.text.partition(":")[0] in text
    assert not re.search("Anna|Boris", text), "no names of players"


def test_picture_of_a_resigned_match_has_the_board_of_spectators(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    assert anna.get(f"/m/{match_id}/poster.svg").status_code == 404
    site.store.matches.resign(match_id, "japan")
    drawn = anna.get(f"/m/{match_id}/poster.svg").text
    assert "resignation" in drawn
    assert "Boris" not in drawn
    assert "hornet-db-1" not in drawn, "planes are hidden"


def test_report_names_a_scenario_that_is_called_like_its_game_once(duel: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = duel
    assert "<h1>Air Raid Pearl Harbor</h1>" in anna.page(f"/m/{match_id}/report")
    assert anna.page(f"/m/{match_id}/report.md").startswith("# Air Raid Pearl Harbor\n")


def test_report_shows_the_key_moments_and_ends_with_the_hashes(duel: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = duel
    report = anna.page(f"/m/{match_id}/report")
    assert "Key moments" in report
    assert 'id="poster-picture"' in report
    assert report.index(site.store.listings.summary(match_id).fingerprint) > report.index("About this match")
    assert "hx-get" not in report, "all of it is there at once"


def test_report_of_a_match_whose_key_moments_are_not_found_yet_loads_them(
    duel: tuple[Guest, Guest, str], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _, match_id = duel
    monkeypatch.setattr(ending, "known_highlights", lambda *args: ending.NO_HIGHLIGHTS)
    report = anna.page(f"/m/{match_id}/report")
    assert f'hx-get="/m/{match_id}/turning-points' in report
    assert "htmx.min.js" in report


def test_hashes_are_folded_away(duel: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = duel
    page = poster(anna.page(f"/m/{match_id}"))
    before, _, verify = page.partition('<details id="verify-dice"')
    assert site.store.listings.summary(match_id).fingerprint in verify
    assert "<code>" not in before


def test_solitaire_match_has_no_table_of_one_score(alone: tuple[Guest, str]) -> None:
    anna, match_id = alone
    for page in (poster(anna.page(f"/m/{match_id}")), anna.page(f"/m/{match_id}/report").partition("<h2")[0]):
        assert 'class="scores"' not in page
    page = poster(anna.page(f"/m/{match_id}"))
    assert "Play again" in page
    assert "Swap sides" not in page
    assert "Enemy losses" in page
    assert re.search("You (won|lost)", page)
    assert "| side | score |" not in anna.page(f"/m/{match_id}/report.md")


def test_spectator_may_watch_but_not_play_again(duel: tuple[Guest, Guest, str], site: Site) -> None:
    _, _, match_id = duel
    guest = site.guest("Clara")
    page = poster(guest.page(f"/m/{match_id}"))
    assert "Rematch" not in page
    assert "You won" not in page
    assert "You lost" not in page
    assert 'href="/new?game=pearl"' in page
    assert guest.post(f"/m/{match_id}/rematch", {"swap": "no"}).status_code == 403


def test_link_to_a_finished_match_shows_its_result(duel: tuple[Guest, Guest, str], site: Site) -> None:
    _, _, match_id = duel
    page = site.guest().page(f"/m/{match_id}")
    assert re.search(r'property="og:title" content="Japan wins: Air Raid Pearl Harbor"', page)
    assert f'data-share="/m/{match_id}"' in page


# -- losses and turning points ---------------------------------------------------------------------------------------


def test_losses_are_those_of_the_state(duel: tuple[Guest, Guest, str], site: Site) -> None:
    _, _, match_id = duel
    with site.store.matches.open(match_id) as match:
        raid = match.state.raid
        sides = {side.name: side.losses for side in losses_by_side(match)}
    sunk = {loss.name for loss in sides["United States"] if loss.fate == "sunk"}
    assert sunk == {ship.name for ship in raid.american_ships() if ship.sunk}
    assert all(loss.gone == (loss.fate != "damaged") for losses in sides.values() for loss in losses)


def moment(number: int, rank: int = 0, swing: int = 0, side: str = "") -> KeyMoment:
    gains = {side: swing} if side else {}
    return KeyMoment(number, 0, ("Turn 1", "attack"), "1", "text", "name" if rank else "", rank, gains, swing)


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ([], []),
        ([moment(1, swing=2), moment(2, swing=9), moment(3, swing=5), moment(4, swing=5)], [2, 3, 4]),
        ([moment(n, swing=10) for n in (36, 38, 39, 51, 125)], [36, 51, 125]),
        ([moment(10, swing=4), moment(11, swing=9), moment(60, swing=5), moment(120, swing=5)], [11, 60, 120]),
        ([moment(1, rank=3), moment(2, swing=1), moment(3, rank=1), moment(4, rank=3)], [1, 2, 4]),
        ([moment(1, rank=1), moment(2, rank=2), moment(3, rank=1), moment(4, rank=3)], [1, 2, 4]),
        ([moment(5, rank=3, swing=10), moment(9, rank=2)], [5, 9]),
        ([moment(n, 3, 10, "usa") for n in (10, 50, 90)] + [moment(97, 3, 8, "japan")], [10, 50, 97]),
        ([moment(n, 3, 10, "usa") for n in (10, 50, 90)] + [moment(97, 2, 8, "japan")], [10, 50, 90]),
    ],
)
def test_turning_points_are_the_largest_swings_then_big_moments_apart(
    moments: list[KeyMoment], expected: list[int]
) -> None:
    assert [one.number for one in turning_points(moments)] == expected


def test_hits_are_key_moments_where_no_scores_tell() -> None:
    doolittle = load("doolittle")
    game = replace(doolittle, presentation=replace(doolittle.presentation, standing=None))
    match: Match[Any, Any] = Match(game, "capital", seed="d1")
    bot, collector = make_bot(match.game, "doctrine", "captain", Random(5)), MomentCollector(match)
    moments: list[KeyMoment] = []
    lines = 0
    while match.outcome is None and len(moments) < 2:
        collector.listen(match)
        match.decide("captain", bot(match.pending["captain"], partial(match.view, "captain")))
        hits = [line.text for line in match.full_log[lines:] if line.rule == "4.9.4" and " hits " in line.text]
        lines, found = len(match.full_log), collector.take(match.revision, match)
        if hits:
            assert found is not None
            moments.append(found)
    assert [moment.rank for moment in moments] == [2, 2]


def test_decision_after_which_the_winner_led_is_a_turning_point() -> None:
    moments = [moment(n, swing=10) for n in (10, 90, 95, 96)]
    points = [(0, 0, 0), (10, 0, 10), (90, 10, 10), (95, 20, 10), (96, 30, 10)]
    scores = [ScorePoint(number, 1, {"japan": japan, "usa": usa}) for number, japan, usa in points]
    assert 95 in [one.number for one in turning_points(moments, scores, "japan")]
    assert lead_taken(scores, "usa") is None, "the other side"


def test_turning_points_lead_to_their_lines_in_the_replay(duel: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = duel
    page = poster(anna.page(f"/m/{match_id}"))
    links = re.findall(r'href="(/m/[^"]+/replay\?)at=(\d+)&amp;seat=all&amp;play=step#line-(\d+)"><span', page)
    shown = re.findall(r'class="turning-text">(.*?) <a', page)
    assert 1 <= len(links) <= 3
    for (link, at, line), text in zip(links, shown, strict=False):
        replay = anna.page(f"{link}at={int(at) + 1}&seat=all")
        item = replay.partition(f'id="line-{line}"')[2].partition("</li>")[0]
        assert unescape(text) in unescape(item), (at, text)
    assert "changed the score most" in page


def test_refreshed_table_keeps_the_key_moments(duel: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = duel
    page, part = (anna.page(f"/m/{match_id}{path}") for path in ("", "/table?seat=usa"))
    for shown in ('class="turning-points"', 'class="poster-picture', 'class="curve'):
        assert shown in page, shown
        assert shown in part, shown
    assert "Looking for the key moments" not in part


def test_poster_says_how_lucky_the_dice_were(duel: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = duel
    with site.store.matches.open(match_id) as match:
        [dice] = formatting.luck(match.full_log)
    text = " ".join(re.sub(r"<[^>]*>", "", poster(anna.page(f"/m/{match_id}"))).split())
    assert f"{dice['count']} dice with 6 sides: mean {dice['mean']:.2f}." in text
    assert f"it is {dice['low']:.2f} to {dice['high']:.2f}." in text


def test_luck_of_a_review_is_in_percentage_points() -> None:
    side = SimpleNamespace(
        side="usa",
        name="United States",
        luck=Interval(0.12, 0.05, 0.02, 0.22),
        skill=Interval(-0.03, 0.02, -0.07, 0.01),
    )
    review: Any = SimpleNamespace(sides=[side])
    assert ending._luck(review, load("midway")) == [
        {"name": "United States", "colour": "usa", "luck": (12, 2, 22), "skill": (-3, -7, 1)}
    ]


def test_turning_points_have_the_change_of_the_score(duel: tuple[Guest, Guest, str], site: Site) -> None:
    _, _, match_id = duel
    index = site.app.state.site.replays.index(site.store.listings.summary(match_id), "client")
    for one in (one for one in index.moments if one.swing):
        before, after = (match_at(site.store, match_id, number) for number in (one.number - 1, one.number))
        standing = before.game.presentation.standing
        assert standing is not None
        old, new = (standing(match.state, match.game.data) for match in (before, after))
        assert one.gains == {side: new[side] - old[side] for side in new if new[side] != old[side]}


def test_gains_of_a_solitaire_match_have_the_name_of_the_score(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.store.lobby.create(anna.player, "picket", "first-watch", {}, {"captain": ME}, seed="gain 1").id
    site.play_until(match_id)
    site.app.state.site.replays.index(site.store.listings.summary(match_id), "client")
    gains = re.findall(r'class="gain[^"]*"><b class="side-name">([^<]*)', anna.page(f"/m/{match_id}"))
    assert set(gains) == {"Hull"}


def test_turning_points_of_an_unfinished_match_are_secret(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, "pearl", usa=ME, japan=ME)
    assert anna.get(f"/m/{match_id}/turning-points").status_code == 409


def test_second_look_at_an_ending_starts_no_work(
    duel: tuple[Guest, Guest, str], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _, match_id = duel
    first = poster(anna.page(f"/m/{match_id}"))
    replays, summary = Replays(site.store, site.app.state.site.workers), site.store.listings.summary(match_id)
    with monkeypatch.context() as patch:
        patch.setattr(Replays, "index", None)  # as after a restart: nothing is in memory
        assert isinstance(replays.highlights(summary, "client"), Highlights)
        assert poster(anna.page(f"/m/{match_id}")) == first
        patch.setattr("readyroom.web.jobs.replays.rules_hash", lambda game: "newer rules")
        with pytest.raises(TypeError):  # what other rules have found does not count
            replays.highlights(summary, "client")
    assert site.store.highlights.find(match_id, summary.true_revision, "newer rules") is None


CURVE_VALUE = re.compile(r'class="curve-value side-(\w+)"[^>]*>([^<]*)<')


def test_poster_has_a_picture_of_the_own_view_and_a_curve(duel: tuple[Guest, Guest, str], site: Site) -> None:
    anna, boris, match_id = duel
    game, summary = site.store.games("pearl"), site.store.listings.summary(match_id)
    anna.page(f"/m/{match_id}")
    found = site.store.highlights.find(match_id, summary.true_revision, rules_hash(game))
    assert found is not None
    for guest, seat in ((anna, "usa"), (boris, "japan"), (site.guest(), None)):
        page = guest.page(f"/m/{match_id}")
        picture = page.partition('<figure id="poster-picture"')[2].partition("</figure>")[0]
        view = match_at(site.store, match_id, found.scene.number).open_view(seat)
        moment = next(one for one in found.moments if one.number == found.scene.number)
        assert moment.is_of_many
        assert moment.headline.endswith(" sunk"), "the whole attack is named"
        assert str(board_svg.scene(game, view, found.scene.target, "")) in picture
        assert f"<b>{moment.headline}</b>" in picture
        assert "scene-mark" not in picture, "no ring around one of several"
        assert "data-key" not in picture
        assert page.count('id="scene-pc-') == picture.count('id="scene-pc-')
        curve = page.partition('<figure id="poster-curve"')[2].partition("</figure>")[0]
        assert "Score over the match" in curve
        assert curve.count('class="curve-line') == 2
        assert summary.outcome is not None
        values = {side: text_of(value) for side, value in CURVE_VALUE.findall(curve)}
        assert values == {side: str(score) for side, score in summary.outcome.scores.items()}
        assert {"0", str(max(summary.outcome.scores.values()))} <= set(re.findall(r'"end">(\d+)<', curve)), "the axis"
    part = anna.get(f"/m/{match_id}/turning-points?seat=usa").text
    assert part.count('hx-swap-oob="true"') == 2


def test_ending_shows_the_boards_of_both_sides(site: Site) -> None:
    anna, game = site.guest("Anna"), site.store.games("war")
    match_id = site.opened(anna, "war", allies=ME, axis=BOT)
    site.play_until(match_id)
    with site.store.matches.open(match_id) as match:
        views = {seat: match.view(seat) for seat in ("allies", "axis")}
    for guest, own, other in ((anna, "allies", "axis"), (site.guest(), "axis", "allies")):
        page = guest.page(f"/m/{match_id}")
        shown = views[own] if guest is anna else views[own].for_others()
        assert str(board_svg.draw(game, shown)) in page
        assert str(board_svg.draw(game, views[other].for_others(), separate=f"{other}-")) in page


HIDDEN = "#pc-hidden"
"""The mark of a counter whose kind is hidden."""


def test_one_open_board_ends_a_match_of_midway(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.play_until(match_id, lambda match: match.state.at.turn == 6)
    paths = ("", "/replay?at=9999", "/replay?at=9999&seat=usa", "/replay?at=9999&seat=", "/board.svg")
    for guest in (anna, boris, site.guest()):
        for path in paths:
            assert HIDDEN in guest.page(f"/m/{match_id}{path}"), path
    site.play_until(match_id)
    with site.store.matches.open(match_id) as match:
        keys = {f'data-key="{one.key}"' for side in (match.state.japan, match.state.usa) for one in side.squadrons()}
    for guest in (anna, boris, site.guest()):
        for path in (*paths, "/replay?at=9999&seat=all", "/replay?at=9999&seat=japan"):
            page = guest.page(f"/m/{match_id}{path}")
            assert HIDDEN not in page, path
            assert page.count('class="board"') == (path != "/board.svg"), path
            assert keys <= set(re.findall(r'data-key="[^"]*"', page)), path
    assert HIDDEN in anna.page(f"/m/{match_id}/replay?at=40&seat=usa"), "what was hidden then"
    assert HIDDEN not in anna.page(f"/m/{match_id}/replay?at=40&seat=all")


def test_curve_follows_the_scores(duel: tuple[Guest, Guest, str], site: Site) -> None:
    _, _, match_id = duel
    index = site.app.state.site.replays.index(site.store.listings.summary(match_id), "client")
    with site.store.matches.open(match_id) as match:
        standing = match.game.presentation.standing
        assert standing is not None
        assert index.scores[0].scores == dict.fromkeys(("japan", "usa"), 0)
        assert index.scores[-1].scores == standing(match.state, match.game.data)
    assert [one.number for one in index.scores] == sorted(one.number for one in index.scores)


def test_curve_of_a_ship_is_her_hull(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.store.lobby.create(anna.player, "picket", "evans", {}, {"captain": ME}, seed="at the table").id
    site.play_until(match_id)
    page = anna.page(f"/m/{match_id}")
    assert "Hull over the match" in page
    assert "hx-get" not in page.partition('id="turning-points"')[2].partition(">")[0]


@pytest.mark.parametrize(
    ("svg", "target", "box"),
    [
        (
            '<svg viewBox="0 0 1000 800"><g data-key="a" transform="translate(500 400)"><circle/></g></svg>',
            "a",
            "290 232",
        ),
        ('<svg viewBox="0 0 1000 800"><g transform="scale(2)"><rect data-key="a" x="0" y="0"/></g></svg>', "a", "0 0"),
        (
            '<svg viewBox="0 0 1000 800"><svg x="900" y="700" viewBox="0 0 9 9"><use data-key="a"/></svg></svg>',
            "a",
            "580 464",
        ),
        (
            '<svg class="board-parts"><path id="hull" d="M0 0L172 0L172 42Z"/></svg><svg viewBox="0 0 1000 800">'
            '<circle data-key="a" cx="500" cy="400"/>'
            '<g class="piece" transform="translate(150 380)"><use href="#hull"/></g></svg>',
            "a",
            "146 232 564",
        ),
        ('<svg viewBox="0 0 1000 800"><circle data-key="b"/></svg>', "a", "0 0 1000 800"),
        ('<svg viewBox="0 0 1000 800"><b></svg>', "a", "0 0 1000 800"),
    ],
)
def test_detail_is_around_its_target(svg: str, target: str, box: str) -> None:
    found = detail(svg, target)
    assert f'viewBox="{box}' in found
    assert "data-key" not in found


def test_small_picture_of_an_empty_place_shows_pieces() -> None:
    svg = (
        '<svg viewBox="0 0 1000 800"><circle data-key="sky" cx="120" cy="100"/>'
        '<g class="piece" transform="translate(800 600)"><path d="M0 0H40V40H0Z"/></g></svg>'
    )
    assert 'viewBox="0 0 1000 800' in detail(svg, "sky", is_close=True)
    assert 'viewBox="0 0 420 336' in detail(svg, "sky")


def test_detail_does_not_leave_the_part_that_a_game_names_for_pictures() -> None:
    svg = (
        '<svg viewBox="0 0 1000 800"><rect data-scene="" x="500" y="0" width="300" height="700"/>'
        '<circle data-key="a" cx="520" cy="400"/><circle data-key="out" cx="100" cy="400"/></svg>'
    )
    assert 'viewBox="500 280 300 240' in detail(svg, "a")
    assert 'viewBox="500 230 300 240' in detail(svg), "without a target it is the middle"
    assert 'viewBox="500 230 300 240' in detail(svg, "gone")
    assert 'viewBox="500 230 300 240' in detail(svg, "out", (), "Lost"), "it is on a panel"
    assert "Lost" not in detail(svg, "out", (), "Lost")
    close = detail(
        svg.replace("</svg>", '<g class="piece"><path d="M90 390L110 410"/></g></svg>'), "out", is_close=True
    )
    assert 'viewBox="0 299 252 202' in close
    assert "data-scene" not in detail(svg)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("doolittle", "b01"),
        ("doolittle", "card-b01"),
        ("tora", "arizona"),
        ("war", "atlantic"),
        ("war", ""),
    ],
)
def test_picture_of_a_moment_shows_nothing_of_the_panels(name: str, target: str) -> None:
    game = load(name)
    drawn = board_svg.drawing(game, Match(game, seed="picture").view(None), shape="wide")
    assert drawn is not None
    frames = [
        [float(value) for value in re.findall(r' (?:x|y|width|height)="(\S+)"', tag)]
        for tag in re.findall(r"<rect[^>]*data-scene[^>]*>", drawn.svg)
    ]
    found = re.search(r'<svg class="board-wide[^>]*viewBox="(\S+) (\S+) (\S+) (\S+)"', detail(drawn.svg, target))
    assert found is not None
    x, y, width, height = map(float, found.groups())
    assert any(
        left <= x + 1 and top <= y + 1 and x + width <= left + wide + 1 and y + height <= top + high + 1
        for left, top, wide, high in frames
    )


def test_label_of_a_picture_covers_no_text() -> None:
    legend = '<text x="420" y="445">fighters and torpedo bombers</text><text x="420" y="345">Soryu of Japan</text>'
    svg = f'<svg viewBox="0 0 1000 800"><circle data-key="a" cx="500" cy="400"/>{legend}</svg>'
    found = re.search(
        r'translate\((\S+) (\S+)\) scale\((\S+)\)"><circle r="24"/><text x="(\S+)" y="(\S+)">',
        detail(svg, "a", (), "Soryu crippled"),
    )
    assert found is not None
    _, y, scale, _, below = map(float, found.groups())
    bottom, top = y + (below + 5) * scale, y + (below - 15) * scale
    assert not top < 445 < bottom
    assert not top < 345 < bottom
    assert not top < 432 < bottom


def test_ring_of_a_picture_goes_around_the_name_and_figures_of_a_piece() -> None:
    ship = (
        '<g data-key="a"><rect x="460" y="390" width="80" height="20"/><text x="455" y="430">Nevada, AA 12</text></g>'
    )
    picture = detail(f'<svg viewBox="0 0 1000 800">{ship}</svg>', "a", (), "Nevada sunk")
    found = re.search(r'translate\((\S+) \S+\) scale\((\S+)\)"><rect x="(\S+)" y="\S+" width="(\S+)"', picture)
    assert found is not None
    x, scale, left, width = map(float, found.groups())
    assert x + left * scale < 455
    assert x + (left + width) * scale > 455 + len("Nevada, AA 12") * 6


def test_pictures_of_moments_are_close_to_what_they_are_about(duel: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = duel
    whole, close = (anna.page(f"/m/{match_id}/board.svg?at=3{more}") for more in ("", "&around=arizona"))
    sizes = [float(re.findall(r'viewBox="0 0 (\S+) ', svg)[0]) for svg in (whole, close)]
    assert sizes[1] < sizes[0] / 2


def test_detail_keeps_whole_words_and_hides_cut_ones() -> None:
    css = ".board .name { font: 600 10px var(--serif); } .board .far .name { text-anchor: end; }"
    svg = (
        '<svg class="board-parts"><g id="tab"><text>H</text></g></svg><svg viewBox="0 0 1000 800">'
        '<circle data-key="a" cx="150" cy="150"/><text class="name" x="2" y="20">Hiryu</text>'
        '<g class="far"><text class="name" x="440" y="60">Akagi</text>'
        '<text class="name" x="415" y="80">Soryu</text></g>'
        '<text x="400" y="100">United States</text><text x="400" y="113">and Japan</text>'
        '<text x="300" y="100">Kaga</text></svg>'
    )
    found = detail(svg, "a", text_styles(css))
    assert 'viewBox="0 0 420 336"' in found
    assert re.findall(r'visibility="hidden"[^>]*>([^<]*)', found) == ["Akagi", "United States", "and Japan"]


@pytest.mark.torture(40)
@pytest.mark.parametrize("name", ["midway", "war", "pearl", "tora", "picket", "doolittle"])
def test_every_game_ends_with_a_poster(site: Site, name: str) -> None:
    anna, game = site.guest("Anna"), catalog.find(name)
    match_id = site.opened(anna, name, None, **{seat.key: ME for seat in catalog.first_seats(game)})
    site.play_until(match_id)
    page = poster(anna.page(f"/m/{match_id}?seat={catalog.first_seats(game)[0].key}"))
    with site.store.matches.open(match_id) as match:
        standing, outcome = game.presentation.standing, match.outcome
        assert outcome is not None
        assert losses_by_side(match) or name == "doolittle"
        if standing is not None and name in ("midway", "war"):  # in Pearl the Magic cards that were kept score, too
            assert standing(match.state, game.data) == outcome.scores
        scale = game.presentation.scale(match.state, game.data)
        assert scale is not None or name not in {"midway", "pearl", "doolittle"}
        assert ('class="scale"' in page) == (scale is not None)
        if scale is not None and scale.bands[0].side is not None and outcome.winner is not None:
            assert scale.bands[scale.reached].side == outcome.winner
    assert outcome.title.lower() in text_of(page).lower()


# -- the rematch -----------------------------------------------------------------------------------------------------


def rematched(guest: Guest, match_id: str, swap: str = "no") -> str:
    """Press Rematch; return the id of the new match."""
    answer = guest.post(f"/m/{match_id}/rematch", {"swap": swap})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"].removeprefix("/m/"))


def players(summary: MatchSummary) -> dict[str, list[str]]:
    return {seat.key: [name for _, name in seat.players] for seat in summary.seats}


@pytest.mark.parametrize(("swap", "seat"), [("no", "japan"), ("yes", "usa")])
def test_rematch_invites_the_same_player(duel: tuple[Guest, Guest, str], site: Site, swap: str, seat: str) -> None:
    anna, boris, match_id = duel
    new = rematched(anna, match_id, swap)
    other = "japan" if seat == "usa" else "usa"
    summary, old = site.store.listings.summary(new), site.store.listings.summary(match_id)
    assert players(summary) == {seat: [], other: ["Anna"]}
    assert (summary.game, summary.options, summary.origin) == (old.game, old.options, "")
    assert summary.fingerprint != old.fingerprint
    assert rematched(anna, match_id, swap) == new
    page = poster(boris.page(f"/m/{match_id}"))
    assert "Anna would like a rematch" in text_of(page)
    assert 'action="/m/' + match_id + '/rematch/join"' in page
    assert "Anna would like a rematch" in text_of(boris.page(f"/m/{match_id}/talk"))
    assert "Boris has been asked, not here now" in text_of(anna.page(f"/m/{new}"))
    with site.app.state.site.open_pages.looking(match_id, boris.player.id):
        assert "Boris has been asked, here now" in text_of(anna.page(f"/m/{new}"))
    for where in ("/", f"/m/{new}"):
        page = boris.page(where)
        assert "Anna would like a rematch" in text_of(page), where
        assert f'action="/m/{match_id}/rematch/join"' in page, where
        assert "would like a rematch" not in anna.page(where), where
    assert site.guest("Clara").post(f"/m/{match_id}/rematch/join", {"swap": swap}).status_code == 403
    answer = boris.post(f"/m/{match_id}/rematch/join", {"swap": swap})
    assert answer.headers["location"] == f"/m/{new}"
    summary = site.store.listings.summary(new)
    assert players(summary) == {seat: ["Boris"], other: ["Anna"]}
    assert summary.started
    assert boris.post(f"/m/{match_id}/rematch/join", {"swap": swap}).status_code == 403
    assert "Boris accepts the rematch" in text_of(anna.page(f"/m/{match_id}/talk"))
    assert "would like a rematch" not in boris.page("/")
    site.play_until(new)


def test_rematch_of_a_resigned_match_says_who_has_been_asked(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.store.matches.resign(match_id, "japan")
    assert "Boris has been asked" in text_of(anna.page(f"/m/{rematched(anna, match_id)}"))


def test_rematch_is_withdrawn_by_who_has_offered_it(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.store.matches.resign(match_id, "japan")
    new = rematched(anna, match_id)
    lobby = text_of(anna.page(f"/m/{new}"))
    assert "It is offered to Boris on the home page" in lobby
    assert "Withdraw rematch" in lobby
    assert "Withdraw rematch" not in text_of(boris.page(f"/m/{new}"))
    assert boris.post(f"/m/{new}/cancel").status_code == 403
    assert anna.post(f"/m/{new}/cancel").headers["location"] == f"/m/{match_id}"
    assert anna.get(f"/m/{new}").status_code == 404
    assert "would like a rematch" not in boris.page("/")
    assert "Anna has withdrawn the rematch." in text_of(boris.page(f"/m/{match_id}/talk"))
    again = rematched(boris, match_id)
    anna.post(f"/m/{match_id}/rematch/join")
    assert boris.post(f"/m/{again}/cancel").status_code == 409, "someone has joined"


def test_rematch_against_a_bot_starts_at_once(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, "pearl", usa=ME, japan=BOT)
    site.play_until(match_id)
    summary = site.store.listings.summary(rematched(anna, match_id, "yes"))
    assert summary.started
    assert players(summary) == {"usa": [], "japan": ["Anna"]}
    assert {seat.key: seat.bot for seat in summary.seats} == {"usa": "doctrine", "japan": ""}


def test_solitaire_match_is_played_again(alone: tuple[Guest, str], site: Site) -> None:
    anna, match_id = alone
    summary = site.store.listings.summary(rematched(anna, match_id))
    assert (summary.game, summary.started) == ("picket", True)
    assert anna.post(f"/m/{match_id}/rematch", {"swap": "yes"}).status_code == 422


def test_decided_match_shows_no_losses_that_the_enemy_may_still_hide(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    assert site.play_until(match_id, lambda match: bool(match.state.japan.lost and match.state.usa.lost))
    site.store.matches.resign(match_id, "japan")
    for guest, own in ((anna, "United States"), (boris, "Japan")):
        _, *sides = poster(guest.page(f"/m/{match_id}")).split("<h4 ")
        counted = [text_of("<" + side) for side in sides if re.search(r"\d+ of \d+", text_of("<" + side))]
        assert len(counted) == 1
        assert own in counted[0]
    summary = site.store.listings.summary(match_id)
    outcome = decided_outcome(summary)
    assert outcome is not None
    with site.store.matches.open(match_id) as match:
        all_losses = ending.ending_context(summary, match, outcome, [], "umpire")["losses"]
    assert all(any(loss.total for loss in side.losses) for side in all_losses), "an umpire sees them all"


def test_ending_names_the_level_of_the_bot_and_offers_the_next(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, "pearl", usa=ME, japan=SeatAssignment("bot", "novice"))
    site.store.matches.resign(match_id, "usa")
    page = poster(anna.page(f"/m/{match_id}"))
    assert "against the novice bot (easy)" in page
    harder = catalog.harder_bot(load("pearl"), "novice")
    assert harder is not None
    assert harder.level == "medium"
    assert f"Harder bot: {harder.name}" in page
    answer = anna.post(f"/m/{match_id}/rematch", {"bot": harder.name})
    new = site.store.listings.summary(answer.headers["location"].removeprefix("/m/"))
    assert [(seat.key, seat.bot) for seat in new.seats if seat.bot] == [("japan", harder.name)]
    assert rematched(anna, match_id) != new.id, "the rematch itself is against the same bot"
    assert catalog.harder_bot(load("pearl"), "best") is None


def test_rematch_needs_a_finished_match_and_a_seat(duel: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = duel
    going_on = site.opened(anna, "pearl", usa=ME, japan=ME)
    with pytest.raises(NotOver):
        site.store.rematches.create(going_on, anna.player)
    with pytest.raises(NotYourSeat):
        site.store.rematches.create(match_id, site.guest("Clara").player)
    summary = site.store.listings.summary(going_on)
    assert not can_swap(summary)  # one person plays both sides
    with pytest.raises(InvalidSeating):
        rematch_seats(summary, swap=True)


@pytest.mark.parametrize("is_one_turn", [False, True])
def test_names_of_times_below_a_curve_do_not_collide(is_one_turn: bool) -> None:
    long = "end of the watch", "damage control", "attack"
    headings = [f"24 March, {long[at % 3]} {at}" for at in range(40)]
    points = [
        (WIDE * at / 39, ScorePoint(at, 1 if is_one_turn else at + 1, {}, heading))
        for at, heading in enumerate(headings)
    ]
    ticks, free = name_times(points), 0.0
    assert len(ticks) > 1
    for name, place, is_before in ticks:
        start = place - LETTER * len(name) if is_before else place
        assert free <= start
        free = start + LETTER * len(name)
        assert free <= WIDE + 1
