"""The Doolittle Raid in the browser: over the target, and from the carrier to China, by clicks and by taps."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.matches import kept, set_up
from tests.browser.tables import Advised, Table
from tests.browser.visitors import PHONE
from tests.server.running import Server

from readyroom import games

pytestmark = pytest.mark.slow

LARGE = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce"}
SMALL = {**PHONE, "reduced_motion": "reduce"}
SCHEMES: tuple[axe.Scheme, ...] = ("light", "dark")
MOST_OVER_TARGET, MOST_TO_CHINA = 120, 600
"""More answers than an attack takes, and than the whole raid does."""


class Tapped(Advised):
    """Does with a finger what others do by mouse."""

    def press(self, what: Locator, **more: Any) -> None:
        """Tap something."""
        what.tap(**more)


def debriefed(table: Table, server: Server, scenario: str) -> None:
    """The match is over, with a grade of its scenario; everybody can read the page, and its record holds."""
    page = table.page
    data = games.load("doolittle").data
    debriefing = data.debriefing
    grades = debriefing.attack_grades if data.scenarios[scenario].map else debriefing.raid_grades
    page.keyboard.press("Escape")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert not axe.faults(page), scheme
    assert not axe.cut_off(page)
    title, _ = kept(server, table.match)
    assert title in grades.title.values()
    expect(page.locator("#question")).to_have_text(title)


@pytest.mark.slow(40)
def test_a_raid_on_tokyo_is_flown_to_its_grade_on_a_desk(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **LARGE)
    set_up(anna, {"captain": "me"}, game="doolittle", scenario="capital")
    table = Table(anna.page, hand := Advised())
    table.play(lambda seen: False, MOST_OVER_TARGET)
    assert hand.on_board
    debriefed(table, server, "capital")


@pytest.mark.slow(40)
def test_a_raid_on_tokyo_is_flown_to_its_grade_on_a_phone(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **SMALL)
    set_up(anna, {"captain": "me"}, game="doolittle", scenario="capital")
    table = Table(anna.page, Tapped())
    table.play(lambda seen: False, MOST_OVER_TARGET)
    debriefed(table, server, "capital")


@pytest.mark.slow(100)
def test_sixteen_bombers_fly_from_the_carrier_to_china_on_a_desk(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **LARGE)
    set_up(anna, {"captain": "me"}, game="doolittle", scenario="early")
    table = Table(anna.page, hand := Advised())
    table.play(lambda seen: False, MOST_TO_CHINA)
    assert hand.on_board
    debriefed(table, server, "early")


@pytest.mark.slow(100)
def test_sixteen_bombers_fly_from_the_carrier_to_china_on_a_phone(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **SMALL)
    set_up(anna, {"captain": "me"}, game="doolittle", scenario="early")
    table = Table(anna.page, Tapped())
    table.play(lambda seen: False, MOST_TO_CHINA)
    debriefed(table, server, "early")
