"""The plans of Tora! Tora! Tora! made on the chart: with the mouse, by touch and by keyboard."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.axe import cut_off, violations
from tests.browser.conftest import Visit
from tests.browser.matches import create_match, join_seat
from tests.browser.visitors import PHONE
from tests.server.running import Server

from readyroom.web.client import RemoteSeat

pytestmark = pytest.mark.slow

SCREEN = {"viewport": {"width": 1366, "height": 768}}


def begin(
    visit: Visit, server: Server, seat: str, *, options: dict[str, str] | None = None, **how: Any
) -> tuple[Page, Any]:
    """Return the page of a seat that plans against a bot, and the seat as a program has it."""
    other = "japan" if seat == "usa" else "usa"
    seats = {seat: "me", other: "bot:doctrine"}
    place = create_match(server, seats, options, game="tora", scenario="december")[seat]
    page = join_seat(visit("Anna", **{**SCREEN, **how}), place).page
    expect(page.locator(".plan-state")).to_contain_text("Not legal yet")
    return page, place


def middle(what: Locator, right: float = 0.5, down: float = 0.5) -> tuple[float, float]:
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] * right, box["y"] + box["height"] * down


def drag(page: Page, thing: Locator, place: Locator, right: float = 0.5, down: float = 0.5) -> None:
    """Drag a thing to a point of a place; both are in view."""
    page.mouse.move(*middle(thing))
    page.mouse.down()
    page.mouse.move(*middle(place, right, down), steps=5)
    page.mouse.up()


def day_of(page: Page, row: str, day: int) -> Locator:
    """Return a cell of the calendar."""
    return page.locator(f'[data-row="{row}"][data-on="{day}"]')


def carry(page: Page, key: str) -> Locator:
    return page.locator(f'[data-carry="{key}"]')


def draft(page: Page, tmp_path: Path) -> dict[str, Any]:
    """Return the draft as its exported file has it."""
    page.locator("#plan-files > summary").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Export TOML").click()
    path = tmp_path / "plan.toml"
    coming.value.save_as(path)
    page.locator("#plan-files > summary").click()
    return tomllib.loads(path.read_text())


def seal(page: Page) -> None:
    expect(page.locator(".plan-state")).to_contain_text("legal. Seal it")
    page.get_by_role("button", name="Seal the plan").click()
    expect(page.locator("#plan")).to_be_hidden()


def planned(place: RemoteSeat, seat: str) -> dict[str, Any]:
    """Return the plan that is sealed."""
    plan: dict[str, Any] = place.fetch(view=True)["view"]["table"][seat]["plan"]
    return plan


def test_attack_is_planned_with_the_mouse(visit: Visit, server: Server, tmp_path: Path) -> None:
    page, place = begin(visit, server, "japan")
    assert not page.locator("#answer").is_visible()
    assert not page.locator("#board").is_visible()
    page.get_by_role("radio", name="Sun 7 December").click()
    expect(carry(page, "supply:kate:torpedo")).to_contain_text("30 Kates left in all")
    expect(carry(page, "supply:zero:none")).not_to_contain_text("in all")
    drag(page, carry(page, "supply:kate:torpedo"), page.locator('.plan-sector[data-sector="3NW"]'), 0.3, 0.3)
    carry(page, "supply:zero:none").click()
    for sector in ("3NW", "3NE"):
        page.locator(f'.plan-sector[data-sector="{sector}"]').click(position={"x": 60, "y": 30})
    page.keyboard.press("Escape")
    drag(page, carry(page, "group:3NE:zero:none"), carry(page, "group:3NW:zero:none"))
    page.get_by_role("button", name="Add a wave").click()
    drag(page, carry(page, "flag:1"), page.locator('[data-turn="9"]'))
    expect(page.locator(".plan-faults")).to_have_text("Wave 2 has no units. 7.3")
    expect(page.get_by_role("button", name="Seal the plan")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="all", exact=True).click()
    drag(page, carry(page, "supply:val:gp"), page.locator('.plan-sector[data-sector="3SW"]'), 0.3, 0.3)
    expect(page.locator(".plan-tally")).to_contain_text("Wave 224 of 48 units")
    page.get_by_role("button", name="One fewer: Vals with general-purpose bombs from the southwest").click()
    expect(page.locator(".plan-tally")).to_contain_text("Wave 223 of 48 units")
    page.get_by_role("button", name="Undo").click()
    seal(page)
    plan = planned(place, "japan")
    assert plan["day"] == 7
    assert [(wave["turn"], len(wave["group"])) for wave in plan["wave"]] == [(1, 2), (9, 1)]
    assert plan["wave"][0]["group"][1] == {"sector": "3NW", "type": "zero", "units": 8}
    assert plan["wave"][1]["group"] == [{"sector": "3SW", "type": "val", "units": 24, "ordnance": "gp"}]


def test_seal_right_after_a_change_seals_the_changed_plan(visit: Visit, server: Server) -> None:
    page, place = begin(visit, server, "japan")
    page.locator('[data-day="6"]').click()
    carry(page, "supply:zero:none").click()
    page.locator('.plan-sector[data-sector="3NW"]').click(position={"x": 60, "y": 30})
    expect(page.locator(".plan-state")).to_contain_text("legal. Seal it")
    checks: list[Route] = []
    page.route("**/plan/check", lambda route: checks.append(route))
    page.evaluate("for (const name of ['[data-day=\"4\"]', '#seal-button']) document.querySelector(name).click()")
    page.wait_for_timeout(400)  # a busy server
    for route in checks:
        route.continue_()
    page.unroute("**/plan/check")
    expect(page.locator("#plan")).to_be_hidden()
    assert planned(place, "japan")["day"] == 4


def test_seal_says_at_once_that_it_works_and_opens_again_if_that_fails(visit: Visit, server: Server) -> None:
    visitor = visit("Anna", **PHONE)
    visitor.ignore_problems("net::ERR_FAILED|htmx:|request failed")
    seats = {"japan": "me", "usa": "bot:doctrine"}
    page = join_seat(visitor, create_match(server, seats, game="tora", scenario="december")["japan"]).page
    page.locator('[data-day="6"]').tap()
    carry(page, "supply:zero:none").tap()
    page.locator('.plan-sector[data-sector="3NW"]').tap(position={"x": 60, "y": 30})
    page.keyboard.press("Escape")
    expect(page.locator(".plan-state")).to_contain_text("legal. Seal it")
    waiting: list[Route] = []
    page.route("**/plan", lambda route: waiting.append(route))
    button, state = page.locator("#seal-button"), page.locator(".plan-state")
    button.tap()
    with page.expect_request("**/plan"):
        expect(button).to_have_text("Sealing …")
    expect(state).to_have_text("Sealing the plan …")
    button.tap()  # a second press sends nothing
    page.wait_for_timeout(100)
    (route,) = waiting
    route.abort()
    expect(button).to_have_text("Seal the plan")
    page.unroute("**/plan")
    seal(page)


@pytest.mark.torture(20)
def test_defence_is_planned_with_the_mouse(visit: Visit, server: Server, tmp_path: Path) -> None:
    page, place = begin(visit, server, "usa")
    page.mouse.move(*middle(day_of(page, "airfield", 5)))
    page.mouse.down()
    page.mouse.move(*middle(day_of(page, "airfield", 8)), steps=6)
    page.mouse.up()
    for _ in range(2):
        day_of(page, "ship", 7).click()
    drag(page, page.locator(".plan-knob.is-radar"), page.locator('[data-sector="NW"]'), 0.3, 0.4)
    page.get_by_role("button", name="Same on all days").click()
    page.locator('[data-tool="patrol"]').click()
    page.locator('[data-sector="SE"]').click(position={"x": 60, "y": 60})
    drag(page, carry(page, "port:lexington"), day_of(page, "lexington", 3))
    day_of(page, "enterprise", 9).click()
    page.get_by_role("tab", name="Airfields").click()
    drag(page, carry(page, "unit-kaneohe-ewa:kaneohe:0"), page.locator('[data-field="ewa"]'), 0.5, 0.8)
    page.get_by_role("tab", name="Anchorage").click()
    drag(
        page,
        carry(page, "ship:nevada").locator(".plan-hull"),
        carry(page, "ship:california").locator(".plan-hull"),
        0.5,
        1.8,
    )
    made = draft(page, tmp_path)
    seal(page)
    plan = planned(place, "usa")
    assert plan["airfield"] == [1, 1, 1, 1, 2, 2, 2, 2, 1, 1]
    assert plan["ship"][6] == 3
    assert plan["radar"] == ["NW"] * 10
    assert plan["patrol"] == [""] * 6 + ["SE"] + [""] * 3
    assert plan["in_port"] == {"lexington": 3, "enterprise": 9}
    assert {"field": "ewa", "top": "f4f", "places": 6} in plan["parked"]
    assert plan["berths"]["nevada"] == {"x": 16, "y": 28}, "outside California"
    assert made["berths"]["nevada"] == {"x": 16, "y": 28}


@pytest.mark.torture(15)
def test_ship_is_berthed_by_keyboard(visit: Visit, server: Server, tmp_path: Path) -> None:
    page, _ = begin(visit, server, "usa")
    page.get_by_role("tab", name="Calendar").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    carry(page, "ship:vestal").focus()
    page.keyboard.press("ArrowDown")
    expect(carry(page, "ship:vestal")).to_have_attribute(
        "aria-label", "Vestal, auxiliary: 32 inches from the west and 29 from the north, east to west"
    )
    page.keyboard.press("r")
    expect(carry(page, "ship:vestal")).to_have_attribute(
        "aria-label", "Vestal, auxiliary: 32 inches from the west and 29 from the north, north to south"
    )
    page.keyboard.press("Control+z")
    expect(carry(page, "ship:vestal")).to_be_focused()
    assert draft(page, tmp_path)["berths"]["vestal"] == {"x": 32, "y": 29}


@pytest.mark.torture(25)
def test_attack_is_planned_by_keyboard(visit: Visit, server: Server) -> None:
    page, place = begin(visit, server, "japan")
    keyboard = page.keyboard
    page.locator('[data-day="1"]').focus()
    for _ in range(3):
        keyboard.press("ArrowRight")
    carry(page, "supply:kate:ap").focus()
    keyboard.press("Enter")
    page.locator('.plan-sector[data-sector="3SE"]').focus()
    keyboard.press("Enter")
    keyboard.press("Enter")
    keyboard.press("Escape")
    carry(page, "group:3SE:kate:ap").focus()
    keyboard.press("+")
    keyboard.press("Enter")
    page.locator('.plan-sector[data-sector="3SW"]').focus()
    keyboard.press(" ")
    expect(page.locator(".plan-state")).to_contain_text("legal. Seal it")
    page.get_by_role("button", name="Seal the plan").focus()
    keyboard.press("Enter")
    expect(page.locator("#plan")).to_be_hidden()
    plan = planned(place, "japan")
    assert plan["day"] == 4
    assert plan["wave"][0]["group"] == [{"sector": "3SW", "type": "kate", "units": 9, "ordnance": "ap"}]


@pytest.mark.torture(25)
def test_plans_are_made_on_a_phone(visit: Visit, server: Server) -> None:
    page, place = begin(visit, server, "japan", **PHONE)
    page.locator('[data-day="6"]').tap()
    carry(page, "supply:kate:torpedo").tap()
    page.locator('[data-sector="3NE"]').tap(position={"x": 90, "y": 60})
    assert not cut_off(page)
    seal(page)
    assert planned(place, "japan")["wave"][0]["group"] == [
        {"sector": "3NE", "type": "kate", "units": 4, "ordnance": "torpedo"}
    ]
    page, place = begin(visit, server, "usa", **PHONE)
    page.locator('[data-sector="NE"]').tap(position={"x": 90, "y": 60})
    for day, ship in ((2, "lexington"), (8, "enterprise")):
        page.locator(f'[data-row="{ship}"][data-on="{day}"]').tap()
    page.get_by_role("tab", name="Anchorage").tap()
    carry(page, "ship:vestal").locator(".plan-hull").tap()
    page.touchscreen.tap(*middle(page.locator(".plan-scroll"), 0.5, 0.2))
    expect(page.locator(".plan-tally")).to_contain_text("Ships at anchor16 of 16")
    assert not cut_off(page)
    seal(page)
    assert planned(place, "usa")["berths"]["vestal"]["y"] < 18
    assert planned(place, "usa")["radar"] == ["NE"] + [""] * 9


def test_new_message_leaves_the_chart_its_width_on_a_phone(visit: Visit, server: Server) -> None:
    page, _ = begin(visit, server, "japan", **PHONE)
    width = "document.querySelector('#plan').offsetWidth"
    before = page.evaluate(width)
    page.locator("#live").evaluate("(live) => live.insertAdjacentHTML('beforeend', '<a class=new-message>Hello</a>')")
    assert page.evaluate(width) == before > 300


@pytest.mark.torture(3)
def test_draft_survives_a_reload_and_samples_and_hints_replace_it(visit: Visit, server: Server) -> None:
    page, _ = begin(visit, server, "japan")
    page.locator('[data-day="3"]').click()
    page.wait_for_timeout(50)
    page.reload()
    expect(page.locator('[data-day="3"]')).to_have_attribute("aria-checked", "true")
    page.locator("#plan-samples > summary").click()
    page.get_by_role("button", name="Southern approach").click()
    expect(page.locator('[data-day="4"]')).to_have_attribute("aria-checked", "true")
    expect(page.locator(".plan-state")).to_contain_text("legal. Seal it")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator('[data-day="3"]')).to_have_attribute("aria-checked", "true")
    carry(page, "supply:kate:ap").click()
    expect(page.locator("#plan .open")).not_to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#plan .open")).to_have_count(0)
    expect(page.locator(".plan-state")).to_contain_text("legal. Seal it")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".plan-state")).to_contain_text("Not legal yet")
    page.get_by_role("button", name="Question by question").click()
    expect(page.locator("#answer")).to_be_visible()
    page.reload()
    expect(page.locator("#question")).to_have_text("On which day do you attack?")
    page.get_by_role("button", name="Plan on the chart").click()
    expect(page.locator('[data-day="3"]')).to_have_attribute("aria-checked", "true")


@pytest.mark.torture(30)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("seat", ["usa", "japan"])
def test_chart_is_accessible_and_fits(visit: Visit, server: Server, seat: str, scheme: str) -> None:
    options = {"cipher": "yes"} if seat == "japan" else None
    page, _ = begin(visit, server, seat, options=options, color_scheme=scheme, bypass_csp=True)
    for name in ("Calendar", "Airfields", "Anchorage") if seat == "usa" else ("Wave 1",):
        page.get_by_role("tab", name=name).click()
        for width in (1366, 1024, 390, 320):
            page.set_viewport_size({"width": width, "height": 800})
            assert not cut_off(page), (name, width)
        assert not violations(page), name


@pytest.mark.torture(4)
def test_menus_are_sheets_on_a_phone_and_one_is_open(visit: Visit, server: Server) -> None:
    page, _ = begin(visit, server, "japan", **PHONE)
    samples, files = page.locator("#plan-samples"), page.locator("#plan-files")
    before = files.locator("summary").bounding_box()
    samples.locator("summary").tap()
    sheet = samples.locator("ul").bounding_box()
    assert sheet is not None
    assert (sheet["x"], sheet["width"]) == (0, 390)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert files.locator("summary").bounding_box() == before
    files.locator("summary").tap()
    expect(page.locator(".plan-menu[open]")).to_have_count(1)
    assert files.locator("div").bounding_box() != sheet
    page.locator("#plan-title").tap()
    expect(page.locator(".plan-menu[open]")).to_have_count(0)


def test_board_of_a_planner_is_never_laid_out_before_the_chart(visit: Visit, server: Server) -> None:
    anna, held = visit(), list[Route]()
    anna.page.route("**/plans/editor.js", lambda route: held.append(route))
    place = create_match(server, {"usa": "me", "japan": "bot:doctrine"}, game="tora", scenario="december")["usa"]
    page = join_seat(anna, place).page
    expect(page.locator("#board")).to_be_hidden()
    anna.ignore_problems("editor.js|planning chart")
    held[0].abort()
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#answer")).to_be_visible()


def test_planner_without_script_has_the_questions(visit: Visit, server: Server) -> None:
    anna = visit(java_script_enabled=False)
    anna.ignore_problems(r"/static/.+\.js: csp")
    place = create_match(server, {"usa": "me", "japan": "bot:doctrine"}, game="tora", scenario="december")["usa"]
    page = join_seat(anna, place).page
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#answer")).to_be_visible()
    expect(page.locator("#plan")).to_be_hidden()
