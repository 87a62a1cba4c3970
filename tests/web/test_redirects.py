"""Tests of redirects from version 1.0 addresses."""

from __future__ import annotations

import re

import pytest
from tests.web.server import Browser, Site

from readyroom.web.pages.redirects import MOVED


def filled(path: str) -> str:
    """Fill each parameter of a path with its own name."""
    return re.sub(r"\{(\w+)(?::\w+)?\}", r"\1", path)


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_old_address_redirects_permanently(browser: Browser, old: str, new: str) -> None:
    response = browser.get(f"{filled(old)}?seat=usa", follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (301, f"{filled(new)}?seat=usa")


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_old_form_address_keeps_the_method(browser: Browser, old: str, new: str) -> None:
    response = browser.form(filled(old), follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (308, filled(new))


def test_new_addresses_exist(site: Site) -> None:
    paths = {re.sub(r":\w+\}", "}", route.path) for route in site.app.routes}
    assert set(MOVED.values()) <= paths


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/games/strategic", "/games/war"),
        ("/games/strategic/rules?q=flak", "/games/war/rules?q=flak"),
        ("/games/strategic/rules/24.62.5", "/games/war/rules/24.62.5"),
        ("/games/strategic/rules/PH.4", "/games/pearl/rules/PH.4"),
        ("/games/strategic/charts", "/games/war/charts"),
        ("/games/strategic/odds?question=surprise&tension=38", "/games/pearl/odds?question=surprise&tension=38"),
        ("/games/strategic/odds?question=bombing", "/games/war/odds?question=bombing"),
        ("/games/strategic/scenarios/air-raid.toml", "/games/pearl/scenarios/air-raid.toml"),
        ("/tutorial/strategic", "/tutorial/war"),
        ("/new?game=strategic", "/new?game=war"),
        ("/studies?game=strategic", "/studies?game=war"),
    ],
)
def test_former_key_of_a_game_redirects(browser: Browser, old: str, new: str) -> None:
    response = browser.get(old, follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (301, new)
    assert browser.get(new, follow_redirects=True).status_code == 200


def test_former_key_of_a_game_keeps_the_method(browser: Browser) -> None:
    response = browser.form("/games/strategic/roll?question=naval", follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (308, "/games/pearl/roll?question=naval")


def test_api_accepts_former_key_of_a_game(browser: Browser) -> None:
    assert browser.get("/api/v1/games/strategic").json()["key"] == "war"
    for scenario, seat, game in (("atlantic", "axis", "war"), ("air-raid", "japan", "pearl")):
        wanted = {"game": "strategic", "scenario": scenario, "options": {"guns": "none"}, "seats": {seat: "me"}}
        made = browser.post("/api/v1/matches", json=wanted).json()
        assert browser.get(f"/api/v1/matches/{made['id']}").json()["game"] == game
