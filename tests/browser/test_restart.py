"""The server goes down in the middle of play, without a word, and comes back: the page continues where it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.matches import create_match, visited
from tests.server.running import Server

from readyroom.web.client import RemoteSeat

pytestmark = pytest.mark.slow

BROKEN = r"ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)|/htmx\.min\.js"
"""What a browser, and htmx, write into the console when no one answers."""
RETURN = 30_000
"""Milliseconds in which a page has to find the way back to its house."""


def test_page_continues_after_server_was_killed(visit: Visit, tmp_path: Path) -> None:
    with Server(tmp_path / "house") as server:
        anna = visit("Anna", to=server)
        anna.expects(BROKEN)
        table = visited(anna, create_match(server, {"usa": "me", "japan": "bot:doctrine"})["usa"])
        table.waits_for_question()
        table.answer()
        seen = table.waits_for_question()
        selected = seen["options"][:2]
        table.choose(selected)
        anna.page.evaluate("window.same = true")
        trouble = anna.page.locator("#trouble")
        server.kill()
        expect(trouble).to_contain_text("Reconnecting")
        table.confirmation.click()
        expect(trouble).to_contain_text("Your selection is kept")
        server.start()
        expect(trouble).to_be_hidden(timeout=RETURN)
        assert anna.page.evaluate("window.same")
        assert sorted(table.chosen()) == sorted(selected)
        assert table.look()["question"] == seen["question"]
        table.confirm()
        assert table.look()["revision"] > seen["revision"]


def test_page_catches_up_after_lost_connection(visit: Visit, tmp_path: Path) -> None:
    with Server(tmp_path / "house") as server:
        anna = visit("Anna", to=server)
        anna.expects(BROKEN)
        places = create_match(server, {"usa": "friend", "japan": "me"})
        table = visited(anna, places["usa"])
        anna.page.locator(".strip").wait_for()
        server.kill()
        expect(anna.page.locator("#trouble")).to_contain_text("Reconnecting")
        server.start()
        mover = RemoteSeat(server.url, places["japan"].match, places["japan"].secret)
        before = mover.fetch()["revision"]
        mover.answer([], mover.fetch()["pending"]["revision"])
        anna.page.wait_for_function(
            "(before) => Number(document.querySelector('.strip').dataset.revision) > before", arg=before, timeout=RETURN
        )
        expect(anna.page.locator("#trouble")).to_be_hidden(timeout=RETURN)
        assert table.look()["revision"] > before
