"""Tests of the calculator page: inputs, net modifier and verifiable rolls."""

from __future__ import annotations

from html import unescape

import pytest
from tests.web.server import Browser

ODDS = "/games/war/odds"
ROLL = "/games/pearl/roll"


def test_checkboxes_add_up_the_net_modifier(browser: Browser) -> None:
    page = browser.get(f"{ODDS}?question=atlantic&us-war=yes&us-war-turn=first&french-ports=yes")
    assert page.status_code == 200
    text = unescape(page.text)
    assert "the Axis controls Brest, Lorient, St. Nazaire or La Rochelle</th><td>+2" in text
    assert '<th scope="row">Total</th><td>+5' in text
    assert 'name="us-war" value="yes" checked' in page.text
    assert 'name="gibraltar" value="yes">' in page.text
    assert "Effect of each modifier" in text


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ("question=pacific&by=american&southern-ports=yes", "Japanese submarines only"),
        ("question=pacific&gibraltar=yes", "No option named"),
        ("question=atlantic&submarines=-4", "whole number from 0 to 120"),
    ],
)
def test_invalid_input_is_explained(browser: Browser, asked: str, reason: str) -> None:
    page = browser.get(f"{ODDS}?{asked}")
    assert page.status_code == 422
    assert reason in unescape(page.text)


def test_roll_creates_a_verifiable_match(browser: Browser) -> None:
    answer = browser.form(f"{ROLL}?question=harbor-carrier&level=7&targets=2&hex=2", {})
    assert answer.status_code == 303
    table = browser.get(answer.headers["location"])
    assert "Harbor attack by a carrier: roll the dice?" in table.text
    assert "air defense of the hex" in table.text
    assert "/games/pearl/odds?now=question%3Dharbor-carrier" in table.text


def test_invalid_input_is_not_rolled(browser: Browser) -> None:
    assert browser.form("/games/war/roll?question=pacific&manila=yes", {}).status_code == 422
    assert browser.form(f"{ROLL}?question=tea", {}).status_code == 404
    page = browser.form("/games/midway/roll?question=dogfight", {})
    assert page.status_code == 422
    assert "calculated only" in page.text
