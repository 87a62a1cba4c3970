"""The Doolittle Raid in the browser: attack, voyage and flight, and campaign."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser import axe
from tests.browser.conftest import BUILD, Visit
from tests.browser.match_page import HintedMouse, HintedTouch, Table
from tests.browser.matches import create_match, join_seat, play_until, set_up, verified_outcome
from tests.browser.visitors import LARGE, PHONE, Visitor
from tests.server.running import Server

from readyroom import Match, games
from readyroom.engine.record.replay import replay
from readyroom.games.doolittle import names
from readyroom.games.doolittle.ending.story import in_box
from readyroom.games.doolittle.ending.story_builder import build_tale
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.state import Doolittle
from readyroom.store import Store
from readyroom.store.database import FILE

pytestmark = pytest.mark.slow

MAX_ANSWERS_ATTACK, MAX_ANSWERS_RAID, MAX_ANSWERS = 120, 600, 900
"""Limits of the number of answers: attack, raid and campaign."""
PLANNING, FLIGHT, WAYS_HOME = ("13", "15"), ("4", "5", "7", "8", "14"), ("11", "14", "15")
"""The chapters whose rules ask during planning, after the voyage and after the flight."""


def check_debriefing(table: Table, server: Server, scenario: str) -> None:
    """Check that the match is over with a grade, the page is accessible, and the record verifies."""
    data = games.load("doolittle").data
    debriefing = data.debriefing
    grades = debriefing.attack_grades if data.scenarios[scenario].map else debriefing.raid_grades
    axe.check_readable(table.page)
    title, _ = verified_outcome(server, table.match)
    assert title in grades.title.values()
    expect(table.page.locator("#question")).to_have_text(title)


@pytest.mark.torture(8)
def test_raid_begun_on_desktop_is_debriefed(visit: Visit, server: Server) -> None:
    """A visitor's clicks answer the first decisions, a program the rest."""
    anna, hand = visit("Anna", **LARGE), HintedMouse()
    place = create_match(server, {"captain": "me"}, game="doolittle", scenario="capital")["captain"]
    table = join_seat(anna, place, hand)
    table.play(lambda _: hand.on_board > 2, MAX_ANSWERS_ATTACK)
    assert hand.on_board
    play_until([place], lambda *_: False)
    check_debriefing(table, server, "capital")


@pytest.mark.torture(7)
def test_raid_is_played_on_phone(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    set_up(anna, {"captain": "me"}, game="doolittle", scenario="capital")
    table = Table(anna.page, HintedTouch())
    table.play(lambda seen: False, MAX_ANSWERS_ATTACK)
    check_debriefing(table, server, "capital")


# -- raid from the carrier ---------------------------------------------------------------------------------------------


def start_solo_match(visitor: Visitor, scenario: str, hand: HintedMouse) -> Table:
    """Start a solo match and return its page."""
    set_up(visitor, {"captain": "me"}, game="doolittle", scenario=scenario)
    return Table(visitor.page, hand)


def chapter(seen: dict[str, Any]) -> str:
    """Return the chapter of the pending decision's rule."""
    return str(seen["rule"]).split(".")[0]


@pytest.mark.torture(43)
def test_sixteen_bombers_fly_to_china_on_phone(visit: Visit, server: Server) -> None:
    table = start_solo_match(visit("Anna", **PHONE), "early", HintedTouch())
    table.play(lambda seen: False, MAX_ANSWERS_RAID)
    check_debriefing(table, server, "early")


# -- the campaign ------------------------------------------------------------------------------------------------------


def reopen(visit: Visit, table: Table) -> tuple[Visitor, Table]:
    """Reload in another browser with the same cookies; check that the match is unchanged."""
    left, state, path = table.look(), table.page.context.storage_state(), f"/m/{table.match}"
    table.page.context.close()
    back: Visitor = visit(**LARGE, storage_state=state)
    back.go(path)
    again = Table(back.page, table.hand)
    assert again.wait_for_decision() == left
    return back, again


def replay_from_store(server: Server, match: str) -> tuple[Doolittle, Data]:
    """Return a match from its record."""
    with closing(Store(f"sqlite:///{server.home / FILE}")) as store:
        played: Match[Doolittle, Data] = replay(store.records.text(match))
    return played.state, played.game.data


def page_text(page: Page, what: str) -> str:
    """Return the visible text of a debriefing page."""
    locator = page.locator(f".dl-{what}")
    expect(locator).to_be_visible()
    return " ".join(locator.text_content().split())  # type: ignore[union-attr]


def check_debriefing_texts(page: Page, state: Doolittle, data: Data, title: str) -> None:
    """Check that front page, letter, report and time line describe this match."""
    paper, letter, report, line = (page_text(page, what) for what in ("paperpage", "letter", "dispatch", "months"))
    for sentence in build_tale(state, data).sentences:
        assert sentence.text in f"{paper} {letter} {report} {line}"
    assert len(letter) > 100
    assert state.blotter is not None
    assert f"The Army chooses {state.blotter.selected} bombers." in line
    for word, talks in (("granted", state.talks.granted), ("denied", state.talks.denied)):
        before = re.escape(data.debriefing.tales.line[word].partition("{who}")[0])
        for key in talks:  # equal answers of a month share a sentence
            assert re.search(rf"{before}[^.]*\b{key.capitalize()}\b", line)
    for key, target in state.targets.items():
        if in_box(target):
            assert names.city_name(data, key) in paper
            assert names.city_name(data, key) in report
    if not any(one.what == "called-off" for one in state.story):
        assert f"The raid as a whole: {title}" in report


@pytest.mark.torture(14)
def test_campaign_is_played_to_debriefing_with_breaks(visit: Visit, server: Server) -> None:
    table = start_solo_match(visit("Anna", **LARGE), "campaign", hand := HintedMouse())
    table.play(lambda seen: chapter(seen) not in PLANNING, MAX_ANSWERS)
    _, table = reopen(visit, table)
    table.play(lambda seen: chapter(seen) in FLIGHT, MAX_ANSWERS)
    _, table = reopen(visit, table)
    table.play(lambda seen: chapter(seen) in WAYS_HOME, MAX_ANSWERS)
    anna, table = reopen(visit, table)
    assert table.play(lambda seen: False, MAX_ANSWERS)["over"]
    assert hand.on_board
    title, _ = verified_outcome(server, table.match)
    expect(anna.page.locator("#question")).to_have_text(title)
    check_debriefing_texts(anna.page, *replay_from_store(server, table.match), title)
    axe.check_readable(anna.page)
    anna.page.emulate_media(color_scheme="light")
    anna.page.screenshot(path=BUILD / "debriefings" / "campaign.png", full_page=True)
