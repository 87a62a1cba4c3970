"""The page of a planning game is accessible in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.browser.axe import Scheme, cut_off, violations

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[2] / "docs" / "planning" / "tora.html"


@pytest.mark.sample(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1100])
def test_page_fits_and_is_readable(chromium: Browser, width: int, scheme: Scheme) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(PAGE.as_uri())
    assert asked == [PAGE.as_uri()]
    assert not cut_off(page)
    assert not violations(page)
    context.close()
