"""The page of a study in a browser, and a visitor's own study."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.axe import Scheme, cut_off, violations
from tests.browser.conftest import Visit

from readyroom.study.studies import run
from readyroom.study.study_page import page as drawn

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of a study with few matches."""
    path = tmp_path_factory.mktemp("study") / "report.html"
    path.write_text(drawn(run("patrols", matches=12, workers=1).result, "readyroom study patrols"), encoding="utf-8")
    return path


@pytest.mark.sample(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1100])
def test_page_fits_and_is_readable(chromium: Browser, file: Path, width: int, scheme: Scheme) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert asked == [file.as_uri()]
    assert not cut_off(page)
    assert not violations(page)
    context.close()


@pytest.mark.slow(5)
@pytest.mark.torture(4)
def test_progress_page_keeps_focus_and_slow_clicks(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/studies?game=midway")
    page.get_by_label("Total matches").select_option("400")
    page.get_by_role("button", name="Run study").click()
    cancel = page.get_by_role("button", name="Cancel")
    cancel.focus()
    with page.expect_response("**/studies/*"):
        pass
    page.mouse.move(0, 0)
    cancel.hover()
    page.mouse.down()
    with page.expect_response("**/studies/*"):
        pass
    expect(cancel).to_be_focused()
    page.mouse.up()
    expect(page.get_by_role("alert")).to_contain_text("The study was stopped.")


@pytest.mark.torture(10)
def test_study_is_requested_and_progress_shown(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/studies?game=picket")
    page = visitor.page
    page.get_by_label("Variable").select_option(index=1)
    page.get_by_role("button", name="Run study").click()
    expect(page.get_by_role("link", name="Full report")).to_be_visible(timeout=180_000)
    page.get_by_role("link", name="Full report").click()
    expect(page.get_by_role("heading", name="Result")).to_be_visible()
