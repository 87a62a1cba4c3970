"""Notifications, the next match, passing ahead, the ladder, and the installed app."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from playwright.sync_api import Error, Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.matches import duel
from tests.browser.visitors import PHONE
from tests.server.running import Server

pytestmark = pytest.mark.slow

HIDDEN = """
  const document_ = Object.getPrototypeOf(document);
  window.isAway = false;
  Object.defineProperty(document_.constructor.prototype, "hidden", { get: () => window.isAway });
"""
"""Lets a test say whether the page is in front."""
WATCHED = """
  Object.defineProperty(Notification, "permission", { get: () => "granted" }); // headless browsers always say "denied"
  window.shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, how) => { window.shown.push([title, how.tag]); };
  navigator.setAppBadge = async (count) => { window.badge = count; };
  navigator.clearAppBadge = async () => { window.badge = 0; };
"""
WITH_WORKER = {"service_workers": "allow"}


@contextmanager
def away(page: Page) -> Iterator[None]:
    """Let a page be out of sight."""
    page.evaluate("isAway = true")
    yield
    page.evaluate("isAway = false; document.dispatchEvent(new Event('visibilitychange'))")


def until(page: Page, condition: str) -> None:
    """Wait until a condition of the page holds; its policy forbids Playwright's own way."""
    for _ in range(150):
        with suppress(Error):  # the page is loading
            if page.evaluate(condition):
                return
        page.wait_for_timeout(100)
    raise AssertionError(f"this never held: {condition}")


@pytest.mark.torture(6)
def test_player_out_of_sight_is_notified_once(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna", permissions=["notifications"], **WITH_WORKER), visit("Ben")
    anna.context.add_init_script(HIDDEN + WATCHED)
    anna.go("/me")
    button = anna.page.locator("[data-notify] button")
    button.click()
    expect(button).to_have_text("Turn off on this device")
    assert not violations(anna.page)
    usa, japan = duel(server, anna, ben)
    until(anna.page, "navigator.serviceWorker.controller !== null")
    for _ in range(20):
        if usa.look()["asks"]:
            usa.answer()
        elif japan.look()["asks"]:
            break
        else:
            anna.page.wait_for_timeout(50)
    with away(anna.page):
        while not usa.look()["asks"]:
            if japan.look()["asks"]:
                japan.answer()
            anna.page.wait_for_timeout(50)
        expect(anna.page).to_have_title(re.compile("^● Your turn"))
        until(anna.page, "shown.length === 1")
    assert anna.page.evaluate("shown[0]") == ["Ready Room: your turn", f"/m/{usa.match}"]
    assert anna.page.evaluate("badge") == 1
    anna.go("/me")
    button.click()
    expect(button).to_have_text("Turn on for this device")


@pytest.mark.torture(3)
def test_app_is_cached_and_says_when_the_server_is_away(visit: Visit, server: Server) -> None:
    anna = visit("Anna", **WITH_WORKER)
    anna.go("/")
    until(anna.page, "navigator.serviceWorker.controller !== null")
    anna.page.reload()
    assert anna.page.evaluate("caches.keys().then((names) => names.length)") == 1
    cached = anna.page.evaluate(
        "caches.keys().then(([name]) => caches.open(name)).then((cache) => cache.keys())"
        ".then((all) => all.map(({ url }) => new URL(url).pathname))"
    )
    assert "/offline" in cached
    assert not [path for path in cached if path in ("/", "/me")], "pages are never cached"
    anna.ignore_problems("ERR_|request failed|404")
    anna.context.set_offline(True)
    anna.go("/m/anything")
    expect(anna.page.get_by_role("heading", name="No connection")).to_be_visible()
    assert not violations(anna.page)
    anna.context.set_offline(False)
    until(anna.page, "!document.title.includes('No connection')")


@pytest.mark.parametrize(
    "how",
    [
        pytest.param({}, id="desktop", marks=pytest.mark.torture(5)),
        pytest.param(PHONE, id="phone", marks=pytest.mark.torture(6)),
        pytest.param({"color_scheme": "dark"}, marks=pytest.mark.torture(3), id="dark"),
    ],
)
def test_pages_of_people_are_accessible(visit: Visit, how: dict[str, object]) -> None:
    anna = visit("Anna", **how)
    anna.send_form("/me/ladder", join="yes")
    anna.send_form("/opponents", choice="midway japan", pace="days", experience="new")
    anna.send_form("/watch", game="midway")
    own = re.search(r"/players/\w+", anna.context.request.get("/me").text())
    assert own is not None
    for path in ("/opponents", "/ladder", "/players", "/tournaments", "/me", "/", "/watch", "/week", own[0]):
        anna.go(path)
        assert not violations(anna.page), path
        wide = anna.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wide, f"{path} scrolls sideways"


@pytest.mark.torture(4)
def test_pages_have_one_left_edge(visit: Visit) -> None:
    anna = visit("Anna")
    pages = ("/new", "/games", "/community", "/watch", "/ladder", "/players", "/tournaments", "/campaigns", "/me")
    edges = set[float]()
    for path in pages:
        anna.go(path)
        boxes = [anna.page.locator(part).first.bounding_box() for part in (".brand", "main h1")]
        edges |= {round(box["x"]) for box in boxes if box is not None}
    assert len(edges) == 1


def test_seat_is_opened_in_two_clicks(visit: Visit) -> None:
    anna = visit("Anna")
    anna.go("/")
    anna.page.get_by_role("link", name="Find an opponent", exact=True).first.click()
    anna.page.get_by_role("button", name=re.compile("As Japan.*A Terrible Resolve")).click()
    expect(anna.page.locator("#lobby")).to_contain_text("open to anyone")


@pytest.mark.torture(5)
def test_lobby_says_who_joins_also_in_the_background(visit: Visit, server: Server) -> None:
    anna, ben, carl = visit("Anna", permissions=["notifications"], **WITH_WORKER), visit("Ben"), visit("Carl")
    anna.context.add_init_script(HIDDEN + WATCHED)
    anna.context.add_init_script("localStorage.setItem('readyroom-notify', 'on')")
    seats = {"seat-japan": "anyone", "seat-usa": "anyone"}
    match = anna.send_form("/new", game="midway", do="open", **seats).url.rpartition("/")[2]
    anna.go(f"/m/{match}")
    until(anna.page, "navigator.serviceWorker.controller !== null")
    ben.send_form(f"/m/{match}/take", seat="japan")
    expect(anna.page.locator("#joined")).to_have_text("Ben joins as Japan.")
    assert not violations(anna.page)
    ben.send_form(f"/m/{match}/leave", seat="japan")
    expect(anna.page.locator("#seat-japan .sitter")).to_have_text("open to anyone")
    with away(anna.page):
        ben.send_form(f"/m/{match}/take", seat="japan")
        expect(anna.page).to_have_title(re.compile("^● Ben joins as Japan."))
        until(anna.page, "shown.length === 1")
    assert anna.page.evaluate("shown[0]") == ["Ready Room: Ben joins as Japan.", f"/m/{match}"]
    assert not anna.page.title().startswith("●")
    carl.send_form(f"/m/{match}/take", seat="usa")
    expect(anna.page.locator(".match-sides")).to_be_visible()
