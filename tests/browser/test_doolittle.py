"""The Doolittle Raid in the browser: attack, voyage and flight, and campaign."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser import axe
from tests.browser.conftest import BUILD, Visit
from tests.browser.match_page import Advised, AdvisedFinger, Table
from tests.browser.matches import create_match, go_on, set_up, verified_outcome, visited
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

MOST_OVER_TARGET, MOST_TO_CHINA, MOST = 120, 600, 900
"""Limits of the number of answers: attack, raid and campaign."""
PLANNING, FLIGHT, WAYS_HOME = ("13", "15"), ("4", "5", "7", "8", "14"), ("11", "14", "15")
"""The chapters whose rules ask during planning, after the voyage and after the flight."""


def debriefed(table: Table, server: Server, scenario: str) -> None:
    """Check that the match is over with a grade, the page is accessible, and the record verifies."""
    data = games.load("doolittle").data
    debriefing = data.debriefing
    grades = debriefing.attack_grades if data.scenarios[scenario].map else debriefing.raid_grades
    axe.check_readable(table.page)
    title, _ = verified_outcome(server, table.match)
    assert title in grades.title.values()
    expect(table.page.locator("#question")).to_have_text(title)


@pytest.mark.slow(8)
def test_raid_begun_on_desktop_is_debriefed(visit: Visit, server: Server) -> None:
    """A visitor's clicks answer the first decisions, a program the rest."""
    anna, hand = visit("Anna", **LARGE), Advised()
    place = create_match(server, {"captain": "me"}, game="doolittle", scenario="capital")["captain"]
    table = visited(anna, place, hand)
    table.play(lambda _: hand.on_board > 2, MOST_OVER_TARGET)
    assert hand.on_board
    go_on([place], lambda *_: False)
    debriefed(table, server, "capital")


@pytest.mark.torture(7)
def test_raid_is_played_on_phone(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **PHONE)
    set_up(anna, {"captain": "me"}, game="doolittle", scenario="capital")
    table = Table(anna.page, AdvisedFinger())
    table.play(lambda seen: False, MOST_OVER_TARGET)
    debriefed(table, server, "capital")


# -- raid from the carrier ---------------------------------------------------------------------------------------------


def sat_down(visitor: Visitor, scenario: str, hand: Advised) -> Table:
    """Start a solo match and return its page."""
    set_up(visitor, {"captain": "me"}, game="doolittle", scenario=scenario)
    return Table(visitor.page, hand)


def chapter(seen: dict[str, Any]) -> str:
    """Return the chapter of the pending decision's rule."""
    return str(seen["rule"]).split(".")[0]


@pytest.mark.torture(43)
def test_sixteen_bombers_fly_to_china_on_phone(visit: Visit, server: Server) -> None:
    table = sat_down(visit("Anna", **PHONE), "early", AdvisedFinger())
    table.play(lambda seen: False, MOST_TO_CHINA)
    debriefed(table, server, "early")


# -- the campaign ------------------------------------------------------------------------------------------------------


def comes_back(visit: Visit, table: Table) -> tuple[Visitor, Table]:
    """Reload in another browser with the same cookies; check that the match is unchanged."""
    left, state, path = table.look(), table.page.context.storage_state(), f"/m/{table.match}"
    table.page.context.close()
    back: Visitor = visit(**LARGE, storage_state=state)
    back.go(path)
    again = Table(back.page, table.hand)
    assert again.waits_for_question() == left
    return back, again


def of_record(server: Server, match: str) -> tuple[Doolittle, Data]:
    """Return a match from its record."""
    with closing(Store(f"sqlite:///{server.home / FILE}")) as store:
        played: Match[Doolittle, Data] = replay(store.records.text(match))
    return played.state, played.game.data


def page_text(page: Page, what: str) -> str:
    """Return the visible text of a debriefing page."""
    locator = page.locator(f".dl-{what}")
    expect(locator).to_be_visible()
    return " ".join(locator.text_content().split())  # type: ignore[union-attr]


def tells_of_this_match(page: Page, state: Doolittle, data: Data, title: str) -> None:
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
    table = sat_down(visit("Anna", **LARGE), "campaign", hand := Advised())
    table.play(lambda seen: chapter(seen) not in PLANNING, MOST)
    _, table = comes_back(visit, table)
    table.play(lambda seen: chapter(seen) in FLIGHT, MOST)
    _, table = comes_back(visit, table)
    table.play(lambda seen: chapter(seen) in WAYS_HOME, MOST)
    anna, table = comes_back(visit, table)
    assert table.play(lambda seen: False, MOST)["over"]
    assert hand.on_board
    title, _ = verified_outcome(server, table.match)
    expect(anna.page.locator("#question")).to_have_text(title)
    tells_of_this_match(anna.page, *of_record(server, table.match), title)
    axe.check_readable(anna.page)
    anna.page.emulate_media(color_scheme="light")
    anna.page.screenshot(path=BUILD / "debriefings" / "campaign.png", full_page=True)
