"""Films of Tora! Tora! Tora!: the sealed plans and the first wave, the attack on Battleship Row, and rarer events."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from tests.browser.conftest import Visit
from tests.browser.films import SCREENS, film, find_entries
from tests.browser.matches import played_by_bots
from tests.browser.visitors import Visitor
from tests.server.running import Server

from readyroom import Match, games
from readyroom.engine.match.planning import follow
from readyroom.games.tora.plans.builtin import named
from readyroom.games.tora.plans.reading import write_toml

pytestmark = pytest.mark.slow

STEP = 250
"""Milliseconds from one picture to the next."""


@cache
def battle(guard: str = "sunday-morning", seed: str = "film") -> Match[Any, Any]:
    """Return a battle between two built-in plans: by default the Americans were on guard six days earlier."""
    match: Match[Any, Any] = Match(games.load("tora"), "december", seed=seed)
    for seat, plan in (("usa", guard), ("japan", "sunday-from-the-north")):
        follow(match, seat, write_toml(named(plan)).encode(), "plan.toml")
    return played_by_bots(match, lambda _: False)


def watch(visit: Visit, screen: str) -> Visitor:
    """Return who watches."""
    return visit("", speed="normal", **SCREENS[screen])


@pytest.mark.torture(90)
@pytest.mark.parametrize("screen", SCREENS)
def test_first_wave_comes_after_the_plans_and_the_day(visit: Visit, server: Server, screen: str) -> None:
    match = battle()
    first, _ = find_entries(match, None, lambda event: event.moment.startswith("The first wave"))
    _, last = find_entries(match, None, lambda event: event.line.rule == "11.7")
    shown = film(watch(visit, screen), server, match, (first, last), "", f"first-wave-{screen}", STEP)
    shown.check_captions(
        "The Japanese plan is locked",
        "The American plan is locked",
        "Japan attacks on December 7",
        "Wave 1 enters over 3NW: 22 Kate units",
        "Wave 1 enters over 3NE: 13 Val units, 11 Zero units; already there: 22 Kate units over 3NW.",
        "Zeros strafe F4F 1 (2) (a die per Zero, a hit destroys an aircraft): hit on 3 or more",
        "Zero 1 (4) strafes",
        "F4F 2 is destroyed",
    )
    assert shown.cards[:2] == ["Both plans are sealed", "The first wave arrives over Oahu"]
    if screen != "still":
        assert "1 aircraft lost" in shown.labels
    shown.check_motion()


@pytest.mark.torture(120)
@pytest.mark.parametrize("screen", SCREENS)
def test_battleship_row_is_attacked_with_bombs_and_torpedoes(visit: Visit, server: Server, screen: str) -> None:
    match = battle()
    entries = find_entries(match, None, lambda event: event.line.rule == "11.4" and bool(event.line.rolls))
    shown = film(watch(visit, screen), server, match, entries, "", f"battleship-row-{screen}", STEP)
    shown.check_captions(
        "on Maryland (a die per aircraft)",
        "California is damaged",
        "Oklahoma is damaged",
        "Oklahoma sinks",
        "California sinks",
    )
    assert shown.cards[:2] == ["California damaged", "Oklahoma damaged"]


RARE = {
    "contact": ("usa", "5.3", "Patrol planes sight aircraft to the northeast", "Surprise is lost"),
    "scramble": ("usa", "8.4", "take off from Wheeler", ""),
    "dogfight": ("japan", "10.3", "fights F4F", ""),
    "strafing": ("japan", "11.7", "strafes F4F", ""),
    "rise": ("usa", "5.4", "Alert levels rise", ""),
    "card": ("japan", "13.3", "the attack continues", ""),
}
"""What happens seldom: who sees it, its rule, words of its caption, and its card."""


@pytest.mark.torture(60)
@pytest.mark.parametrize("name", RARE)
def test_rare_events_are_played(visit: Visit, server: Server, name: str) -> None:
    seat, rule, words, moment = RARE[name]
    match = battle("northern-patrol", "radar")
    entries = find_entries(match, seat, lambda event: event.line.rule == rule)
    shown = film(watch(visit, "desk"), server, match, entries, seat, name, STEP)
    shown.check_captions(words)
    assert not moment or moment in shown.cards
