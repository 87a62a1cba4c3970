"""The challenge of the day, from its page to the result, on a desktop and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import update
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.match_page import InputMethod, Mouse, Table, Touch
from tests.browser.visitors import PHONE
from tests.web.server import Site, opened

from readyroom.store.tables import matches
from readyroom.study.daily import keys
from readyroom.study.daily.challenge import slot_of
from readyroom.study.daily.keys import EPOCH, midnight

pytestmark = pytest.mark.slow

DAY = next(day for n in range(1, 99) if slot_of(day := EPOCH + timedelta(days=n)).scenario == "kobe")
BUILD = Path(__file__).parents[2] / "build"


SHARED = re.compile(rf"Ready Room challenge {(DAY - EPOCH).days + 1} .*better than \d+ % of 1,000 bot runs", re.DOTALL)


class Clock:
    """The clock of the challenges."""

    def __init__(self) -> None:
        self.now: datetime = midnight(DAY) + timedelta(hours=12)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(keys, "clock", clock)
    return clock


@pytest.fixture
def site(tmp_path: Path, clock: Clock) -> Iterator[Site]:
    """A server in this process, whose day the tests set."""
    site = opened(tmp_path)
    yield site
    site.close()


def play(site: Site, table: Table) -> None:
    """Play an attempt on its page to the end, choosing at random."""
    random = Random(5)
    while not table.wait_for_decision()["over"]:
        with site.store.matches.open(table.match) as match:
            seat = next(iter(match.pending))
            chosen = list(match.pending[seat].sample(random))
        table.answer(chosen)
    ended = matches.c.id == table.match
    with site.store.database.writing() as connection:  # the match itself has the time of the system
        connection.execute(update(matches).where(ended).values(changed=keys.clock().timestamp()))


def check(page: Page, name: str) -> None:
    """Check that a page is accessible and does not scroll sideways; keep a picture of it."""
    assert not violations(page), name
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), f"{name} scrolls sideways"
    place = BUILD / "challenge"
    place.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=place / f"{name}.png", full_page=True)


@pytest.mark.torture(18)
@pytest.mark.parametrize(
    ("kind", "how", "hand"),
    [("desktop", {}, Mouse()), ("phone", PHONE, Touch())],
    ids=["desktop", "phone"],
)
def test_one_day_from_start_to_archive(
    visit: Visit, site: Site, clock: Clock, kind: str, how: dict[str, Any], hand: InputMethod
) -> None:
    anna, ben = visit("Anna", to=site, **how), visit("Ben", to=site)
    page = anna.go("/")
    hand.open(page, page.locator('a[href="/challenge"]'))
    expect(page.get_by_role("heading", name="Challenge of the day")).to_be_visible()
    check(page, f"{kind}-start")
    hand.open(page, page.get_by_role("button", name="Start today’s challenge"))
    table = Table(page, hand)
    table.wait_for_decision()
    address = page.url
    expect(page.locator("#hint, #ask-analysis, #undo-button")).to_have_count(0)
    expect(page.locator(".dice-known")).to_contain_text("This attempt counts")
    other_tab = anna.context.new_page()
    other_tab.goto("/challenge")
    hand.open(other_tab, other_tab.get_by_role("button", name="Continue your attempt"))
    expect(other_tab).to_have_url(address)
    other_tab.close()
    ben.ignore_problems("403")
    ben.go(f"/m/{table.match}")
    expect(ben.page.get_by_role("heading", name="Sealed")).to_be_visible()
    play(site, table)
    result = page.get_by_role("link", name="Result and text to share")
    expect(result).to_be_visible()
    expect(page.get_by_role("link", name="Replay", exact=True)).to_have_count(0)
    check(page, f"{kind}-over")
    hand.open(page, result)
    expect(page.locator("#share-text")).to_have_value(SHARED)
    check(page, f"{kind}-result")
    hand.open(page, page.get_by_role("button", name="Practice"))
    table.wait_for_decision()
    expect(page.locator(".dice-known")).to_contain_text("does not count")
    anna.go("/challenge")
    expect(page.locator(".results tbody tr")).to_have_count(1)
    check(page, f"{kind}-day")
    clock.now += timedelta(days=1)
    anna.go("/challenge/archive")
    check(page, f"{kind}-archive")
    hand.open(page, page.get_by_role("link", name=str(DAY)))
    hand.open(page, page.get_by_role("link", name="Replay"))
    expect(page.locator(".proof .pass")).to_contain_text("Verified")
