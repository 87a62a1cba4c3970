"""The server is killed during play and starts again: open pages continue where they were."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.matches import create_match, join_seat
from tests.server.running import ForkedServer

from readyroom.web.client import RemoteSeat

pytestmark = pytest.mark.slow(15)

BROKEN = r"ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)|/htmx\.min\.js"
"""Console messages of the browser and htmx without a server."""
RETURN = 30_000
"""The time limit for a page to reconnect, in milliseconds."""


@pytest.mark.torture(17)
def test_pages_continue_after_server_was_killed(visit: Visit, tmp_path: Path) -> None:
    """The selection is kept, and an answer made while the page was offline appears."""
    with ForkedServer(tmp_path / "home") as server:
        anna, ben = visit("Anna", to=server), visit("Ben", to=server)
        table = join_seat(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
        places = create_match(server, {"usa": "friend", "japan": "me"})
        waiting = join_seat(ben, places["usa"])
        ben.page.locator(".strip").wait_for()
        table.wait_for_decision()
        table.answer()
        seen = table.wait_for_decision()
        selected = seen["options"][:1]
        table.choose(selected)
        for visitor in (anna, ben):
            visitor.ignore_problems(BROKEN)
            visitor.page.evaluate("window.same = true")
        server.kill()
        for visitor in (anna, ben):
            expect(visitor.page.locator("#trouble")).to_contain_text("Reconnecting")
        table.confirmation.click()
        expect(anna.page.locator("#trouble")).to_contain_text("Your selection is kept")
        server.start()
        opponent = RemoteSeat(server.url, places["japan"].match, places["japan"].secret)
        revision = opponent.fetch()["pending"]["revision"]
        opponent.answer([], revision)
        for visitor in (anna, ben):
            expect(visitor.page.locator("#trouble")).to_be_hidden(timeout=RETURN)
            assert visitor.page.evaluate("window.same")
        assert sorted(table.chosen()) == sorted(selected)
        assert table.look()["question"] == seen["question"]
        table.confirm()
        assert table.look()["revision"] > seen["revision"]
        waiting.wait_past(revision)
