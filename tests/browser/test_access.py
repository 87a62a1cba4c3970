"""Accessibility of every page: light and dark, wide and narrow, and at 200 %."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ViewportSize
from tests.browser import axe
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.matches import (
    GAME,
    by_hints,
    create_match,
    duel,
    in_turns,
    join_seat,
    play_until,
    send_chat,
    set_up,
    start_vote,
)
from tests.browser.visitors import Visitor
from tests.server.running import Server

pytestmark = pytest.mark.slow

WIDE = ViewportSize(width=1280, height=800)
NARROW = ViewportSize(width=390, height=844)
ZOOMED = ViewportSize(width=640, height=400)
Variants = tuple[tuple[ViewportSize, tuple[axe.Scheme, ...]], ...]
SOME_VARIANTS: Variants = ((NARROW, ("dark",)),)
ALL_VARIANTS: Variants = ((WIDE, ("light", "dark")), (NARROW, ("light", "dark")))
PAGES = [
    "/games",
    f"/games/{GAME}",
    f"/games/{GAME}/rules",
    f"/games/{GAME}/rules?q=deck",
    f"/games/{GAME}/charts",
    f"/games/{GAME}/odds",
    "/search",
    "/search?q=carrier",
    "/tutorial",
    "/studies",
]


class PageChecker:
    """Checks pages in several variants and collects their problems."""

    def __init__(self, visitor: Visitor, variants: Variants) -> None:
        self.visitor, self.page, self.variants = visitor, visitor.page, variants
        self._browser = visitor.context.new_cdp_session(visitor.page)
        self.problems: list[str] = []

    def check(self, title: str, part: str | None = None) -> None:
        """Check the open page, or a part of it, in all variants and at 200 %."""
        for size, schemes in self.variants:
            self.page.set_viewport_size(size)
            for scheme in schemes:
                self.page.emulate_media(color_scheme=scheme)
                self._note(f"{title}, {size['width']} wide, {scheme}", axe.violations(self.page, part))
            self._note(f"{title}, {size['width']} wide", axe.cut_off(self.page))
        self._check_zoomed(title)
        self.page.set_viewport_size(WIDE)

    def _check_zoomed(self, title: str) -> None:
        """Zoom to 200 %, which makes 1280 pixels 640 wide, or enlarge the text alone."""
        self.page.set_viewport_size(ZOOMED)
        self._note(f"{title}, zoomed to 200 %", axe.cut_off(self.page))
        self.page.set_viewport_size(WIDE)
        self._set_text_size(2)
        self._note(f"{title}, text at 200 %", axe.cut_off(self.page))
        self._set_text_size(1)

    def _set_text_size(self, times: int) -> None:
        """Enlarge the text, as the browser's settings do."""
        sizes = {"standard": 16 * times, "fixed": 13 * times}
        self._browser.send("Page.setFontSizes", {"fontSizes": sizes})

    def _note(self, where: str, names: list[str]) -> None:
        self.problems.extend(f"{where}: {violation}" for violation in names)

    def open_and_check(self, path: str) -> None:
        """Open and check a page."""
        self.visitor.go(path)
        self.check(path)


@pytest.fixture(
    params=[SOME_VARIANTS, pytest.param(ALL_VARIANTS, marks=pytest.mark.torture)], ids=["some variants", "all variants"]
)
def checker(visit: Visit, request: pytest.FixtureRequest) -> Iterator[PageChecker]:
    """Return a page checker; fail at the end if it has found problems."""
    checker = PageChecker(visit("Anna"), request.param)
    yield checker
    assert not checker.problems, f"{len(checker.problems)} problems:\n" + "\n".join(checker.problems)


@pytest.mark.torture(10)
def test_game_pages(checker: PageChecker) -> None:
    for path in PAGES:
        checker.open_and_check(path)


@pytest.mark.torture(5)
def test_home_and_lobby(checker: PageChecker, visit: Visit) -> None:
    anna = checker.visitor
    checker.open_and_check(f"/new?game={GAME}")
    anna.page.locator("details.options > summary").click()
    anna.page.get_by_label("Custom scenario").check()
    anna.press("Create match")
    anna.ignore_problems("status of 422")
    checker.check("an invalid new match")
    set_up(anna, {"usa": "me", "japan": "friend"}, listed=True)
    checker.check("a lobby")
    link = anna.page.locator("#link-japan").input_value()
    set_up(anna, {"usa": "me", "japan": "anyone"}, listed=True)
    checker.open_and_check("/")
    ben = PageChecker(visit(), checker.variants)
    ben.open_and_check("/")
    ben.visitor.press("Join as Japan")
    ben.check("an open seat")
    ben.open_and_check(link)
    ben.open_and_check("/me")
    checker.problems += ben.problems


def test_profile_page(checker: PageChecker) -> None:
    anna = checker.visitor
    checker.open_and_check("/me")
    anna.page.get_by_label("Webhook").fill("http://127.0.0.1/")
    anna.press("Save")
    anna.ignore_problems("status of 422")
    checker.check("an invalid webhook")
    anna.press("Create recovery link")
    checker.check("a recovery link")
    checker.open_and_check(anna.page.locator("#recovery").input_value())


@pytest.mark.torture(8)
def test_error_pages(checker: PageChecker) -> None:
    anna = checker.visitor
    anna.ignore_problems(r"status of (403|404|405|409|422)")
    for path in ("/nowhere", "/m/unknown", "/s/unknown", f"/games/{GAME}/rules/99.9", f"/games/{GAME}/odds?question=x"):
        checker.open_and_check(path)
    for fields, title in (({"seat": "usa"}, "not yours"), ({}, "not understood")):
        anna.go("/")
        _submit_form(anna, "/m/unknown/undo", **fields)
        checker.check(title)
    set_up(anna, {"usa": "me", "japan": "bot:doctrine"})
    _submit_form(anna, f"{urlsplit(anna.page.url).path}/link", seat="japan")
    checker.check("the link of a seat that a bot has")


def _submit_form(visitor: Visitor, path: str, **fields: str) -> None:
    """Send a form without its page."""
    visitor.page.evaluate(
        """([path, fields]) => {
          const form = document.querySelector('.schemes');
          form.action = path;
          for (const [name, value] of Object.entries(fields)) {
            form.append(Object.assign(document.createElement('input'), {type: 'hidden', name, value}));
          }
          form.submit();
        }""",
        [path, fields],
    )
    visitor.page.wait_for_url(f"**{path}")


@pytest.mark.torture(21)
@pytest.mark.parametrize("checker", [ALL_VARIANTS], indirect=True, ids=["all variants"])
def test_every_kind_of_decision(checker: PageChecker, server: Server) -> None:
    place = create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"]
    table = join_seat(checker.visitor, place)
    rules_seen = set[str]()
    while len(rules_seen) < 12:
        seen = play_until([place], lambda _, data: _is_new_rule(data, rules_seen), by_hints(checker.visitor))
        if seen["outcome"] is not None:
            break
        rules_seen.add(seen["pending"]["rule"])
        checker.page.reload()
        table.wait_for_decision()
        checker.check(f"decision of rule {seen['pending']['rule']}", "#card" if len(rules_seen) > 1 else None)
    assert len(rules_seen) > 9
    start_vote(server, checker.visitor)
    checker.check("a vote", "#card")


def _is_new_rule(seen: dict[str, Any], rules_seen: set[str]) -> bool:
    """Return whether the decision's rule is new."""
    return seen["pending"] is not None and seen["pending"]["rule"] not in rules_seen


@pytest.mark.torture(10)
def test_match_page_in_all_states(checker: PageChecker, visit: Visit, server: Server) -> None:
    anna, ben, carl = checker.visitor, visit("Ben"), PageChecker(visit(), checker.variants)
    hers, his = duel(server, anna, ben)
    where = urlsplit(anna.page.url).path
    for mover in in_turns([hers, his]):
        if mover is hers and not hers.look()["asks"]:
            break
    checker.check("a table at which another decides")
    anna.page.locator("#notes > summary").click()
    checker.check("notes", "#talk")
    send_chat(anna.page, "Good hunting", "all")
    checker.check("chat", "#dock")
    carl.open_and_check(where)
    anna.go(f"{where}?seat=japan")
    checker.check("a seat of someone else")
    anna.page.keyboard.press("?")
    checker.check("the list of keys", "#keys")
    set_up(anna, {"usa": "me", "japan": "me"})
    checker.check("a handover page")
    _submit_form(anna, f"{urlsplit(anna.page.url).path}/link", seat="japan")
    anna.page.get_by_label("Invite link for Japan").wait_for()
    checker.check("a new link to a seat")
    checker.problems += carl.problems


@pytest.mark.torture(15)
@pytest.mark.parametrize("checker", [ALL_VARIANTS], indirect=True, ids=["all variants"])
def test_rejected_answers_tips_and_analysis(checker: PageChecker) -> None:
    anna = checker.visitor
    anna.go("/tutorial")
    anna.press("Start tutorial")
    table = Table(anna.page)
    table.wait_for_decision()
    checker.check("a table with a tip")
    anna.press("Hint")
    anna.page.locator("#card .noted").wait_for()
    checker.check("advice", "#card")
    anna.press("Analyze")
    anna.page.locator("#analysis .analysis").wait_for()
    checker.check("what the analysis says", "#card")
    anna.press("Show list")
    for box in anna.page.locator("#answer input[type=checkbox]").all():
        box.check()
    checker.check("too much is selected", "#card")
    anna.ignore_problems("status of 409")
    anna.page.evaluate("document.querySelector('#answer').submit()")
    anna.page.locator("#card .refused").wait_for()
    checker.check("an answer that was refused", "#card")


@pytest.mark.torture(10)
def test_finished_match(checker: PageChecker, server: Server) -> None:
    place = create_match(server, {"usa": "me", "japan": "bot:random"}, {"turn_limit": "8"})["usa"]
    play_until([place], lambda *_: False)
    join_seat(checker.visitor, place)
    checker.check("the match is over")
    here = f"/m/{place.match}"
    pages = ("report", "replay?at=30", "replay?at=40&seat=all", "what-if?at=4", "review")
    for path in (f"{here}/{page}" for page in pages):
        checker.open_and_check(path)


def test_checks_find_faults(visit: Visit) -> None:
    checker = PageChecker(visit(), SOME_VARIANTS)
    checker.visitor.go("/nowhere")
    checker.visitor.ignore_problems("status of 404")
    checker.page.evaluate(
        """() => {
          document.querySelector('main').append(Object.assign(new Image(), {src: '/static/mark.svg', id: 'wide'}));
          document.querySelector('#wide').style.width = '2000px';
          document.querySelector('h1').style.width = '2000px';
        }"""
    )
    checker.check("a bad page")
    name = "\n".join(checker.problems)
    assert "image-alt" in name
    assert "zoomed to 200 %: the page is" in name
    assert "beyond the edge: <h1>" in name
