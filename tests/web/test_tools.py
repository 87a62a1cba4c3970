"""Tests of a game's tools pages."""

from __future__ import annotations

from tests.web.server import Browser

DESK = "/games/tora/tools"


def test_cipher_is_broken_on_the_page(browser: Browser) -> None:
    assert f'href="{DESK}"' in browser.get("/games/tora/rules").text
    assert "/games/midway/tools" not in browser.get("/games/midway/rules").text
    page = browser.form(DESK, {"tool": "break", "intercept": "<FOLPE> WZHOYH HLJKW"})
    assert page.status_code == 200
    assert "<strong>&lt;CLIMB&gt; TWELVE EIGHT</strong>" in page.text
    assert page.headers["cache-control"] == "no-store"


def test_invalid_input_is_explained(browser: Browser) -> None:
    page = browser.form(DESK, {"tool": "encipher", "key": "x"})
    assert page.status_code == 422
    assert "number from 1 to 25" in page.text
    assert browser.form(DESK, {"tool": "sextant"}).status_code == 404


def test_game_without_tools_returns_404(browser: Browser) -> None:
    page = browser.get("/games/midway/tools")
    assert page.status_code == 404
    assert "Page not found" in page.text
