"""Tests of the doctrine captain at sea: recon, turning west, launching, and saving ships."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from tests.games.doolittle.helpers import DATA, man, windy
from tests.games.doolittle.voyage_helpers import at_sea, fast, hazard, met_by, sea, ship
from tests.views import view_of

from readyroom import bots
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option, OptionInfo
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.figures.common import Wind
from readyroom.games.doolittle.state import Doolittle

KEYS = str | Sequence[str] | Mapping[str, float]
"""Option keys, as one string, a sequence, or a mapping to chances."""


def answer(
    state: Doolittle,
    rule: str,
    keys: KEYS,
    *,
    at_least: int = 1,
    at_most: int = 1,
    kind: DecisionKind = DecisionKind.ONE,
    about: str = "",
) -> list[str]:
    """Return its answer to a question under a rule that offers these keys."""
    offered = keys.split() if isinstance(keys, str) else list(keys)
    chances = keys if isinstance(keys, Mapping) else {}
    options = [Option(key, key, key, OptionInfo("", chances.get(key))) for key in offered]
    decision = Decision(kind, "captain", rule, "", options, at_least, at_most, piece_key=about)
    captain = bots.make_bot(GAME, "doctrine", "captain", Random(1))
    return list(captain(decision, lambda: view_of(GAME, state, "captain")))


def some(state: Doolittle, rule: str, keys: KEYS) -> list[str]:
    """Return its answer to a question with any number of answers."""
    return answer(state, rule, keys, at_least=0, at_most=9, kind=DecisionKind.SOME)


# -- general quarters ------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.1.4")
@pytest.mark.parametrize(
    ("area", "fueled", "slow", "sent"),
    [
        ("influence-east", True, True, ["detach"]),
        ("midway", True, True, []),
        ("influence-east", False, True, []),
        ("influence-east", True, False, []),
    ],
)
def test_slow_ships_go_home_west_of_the_date_line_with_full_tanks(
    area: str, sent: list[str], *, fueled: bool, slow: bool
) -> None:
    state = at_sea(area)
    sea(state).fueled = fueled
    if not slow:
        fast(state)
        ship(state, "hornet").hits = 1  # then she is slow herself, and stays
    assert some(state, "12.1", "detach arrange") == sent


@pytest.mark.rule("doolittle", "12.1.4")
def test_ships_neither_slow_nor_present_are_not_sent_home() -> None:
    state = at_sea("influence-east", met=True)
    ship(state, "sabine").group = "home"
    ship(state, "gwin").hits = 1
    assert some(state, "12.1.4", "detach-gwin detach-nashville detach-cimarron detach-sabine") == [
        "detach-gwin",
        "detach-cimarron",
    ]


@pytest.mark.rule("doolittle", "12.1.1", "12.1.2")
@pytest.mark.parametrize(
    ("area", "place", "sent"),
    [
        ("midway", "hangar", ["ca-18-force", "vf6-force"]),
        ("influence-east", "hangar", ["ca-18-force", "vf6-high-cap"]),
        ("influence-east", "high-cap", ["ca-18-force"]),
        ("midway", "high-cap", ["ca-18-force", "vf6-force"]),
    ],
)
def test_recon_shares_the_hazards_and_fighters_fly_high_in_the_west(area: str, place: str, sent: list[str]) -> None:
    state = at_sea(area, met=True)
    sea(state).recon["vf6"].place = place
    places = [f"vf6-{to}" for to in ("local", "force", "high-cap") if to != place]
    assert some(state, "12.1.1", ["ca-18-local", "ca-18-force", *places]) == sent
    assert some(state, "12.5.3", ["ca-18-local", "ca-18-force", *places]) == sent


@pytest.mark.rule("doolittle", "12.1.1")
def test_recon_in_the_west_flies_with_the_force_without_fighters() -> None:
    assert some(at_sea("influence-east"), "12.1.1", "ca-18-local ca-18-force") == ["ca-18-force"]


@pytest.mark.rule("doolittle", "12.1.3")
@pytest.mark.parametrize(
    ("area", "text"),
    [("", "break"), ("midway", "break"), ("defense-east", "break"), ("defense-west", "call"), ("japan", "call")],
)
def test_submarines_are_called_at_the_launch_area_and_silent_before(area: str, text: str) -> None:
    state = at_sea("midway")
    sea(state).area = area
    wanted = f"{text}-{'trout' if text == 'call' else 'thresher'}"
    assert answer(state, "12.1.3", "enough call-trout break-thresher") == [wanted]
    assert answer(state, "12.1.3", "enough") == ["enough"]


# -- weather, launch and moves ---------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.2.3")
@pytest.mark.parametrize(("wind", "does"), [("tailwind", "keep"), ("severe-tailwind", "keep"), ("headwind", "remove")])
def test_tailwind_is_kept(wind: Wind, does: str) -> None:
    state = windy(at_sea("defense-west"), "Z2", wind)
    assert answer(state, "12.2.3", "keep remove", about="W2") == [does]
    assert answer(state, "12.2.3", "no look") == ["look"]


@pytest.mark.rule("doolittle", "12.2.2")
def test_hazard_hits_a_whole_bomber_without_an_elite_crewman() -> None:
    state = at_sea()
    state.squad["b01"].hits = 1
    man(state, "b02", "navigation", "navigator")
    assert answer(state, "12.2.2", "hits-b01 hits-b02 hits-b03") == ["hits-b03"]
    assert answer(state, "12.2.2", "hits-b01 hits-b02") == ["hits-b02"]


@pytest.mark.rule("doolittle", "12.3.2")
def test_whole_bomber_with_an_elite_pilot_launches_last_and_burns_last() -> None:
    state = at_sea()
    man(state, "b02", "re-roll", "pilot")
    man(state, "b03", "navigation", "navigator")
    state.squad["b04"].hits = 1
    last = [f"last-b{number:02}" for number in (1, 3, 2, 4)]
    assert answer(state, "12.3.2", last) == ["last-b02"]
    fires = [f"burns-b{number:02}" for number in (2, 3, 1, 4)]
    assert answer(state, "12.3.2", fires, at_least=3, at_most=3) == ["burns-b04", "burns-b01", "burns-b03"]


@pytest.mark.rule("doolittle", "12.0.1", "12.4")
@pytest.mark.parametrize(
    ("area", "does"),
    [("midway", "home"), ("influence-east", "home"), ("influence-west", "launch"), ("japan", "launch")],
)
def test_bombers_in_range_of_japan_launch_before_the_force_turns_back(area: str, does: str) -> None:
    assert answer(at_sea(area), "12.0.1", "home launch") == [does]


@pytest.mark.rule("doolittle", "12.5.2")
@pytest.mark.parametrize(
    ("area", "fueled", "does"),
    [("defense-east", True, "go"), ("defense-east", False, "stay"), ("defense-west", True, "stay")],
)
def test_raid_move_needs_fuel_and_stops_at_the_launch_area(area: str, does: str, *, fueled: bool) -> None:
    state = at_sea(area)
    sea(state).fueled = fueled
    assert answer(state, "12.5.2", "stay go") == [does]
    assert answer(state, "12.5.2", "stay force") == ["force"]


@pytest.mark.rule("doolittle", "12.5.3")
def test_other_force_is_searched_where_it_is_likely() -> None:
    assert answer(at_sea(), "12.5.3", {"wait": 1.0, "look": 0.39}) == ["wait"]
    assert answer(at_sea(), "12.5.3", {"wait": 0.0, "look": 0.4}) == ["look"]


@pytest.mark.rule("doolittle", "12.5.3")
@pytest.mark.parametrize(
    ("offered", "does"),
    [("keep silence-2 silence-3", "silence-2"), ("keep silence-3 silence-4", "keep"), ("keep", "keep")],
)
def test_radio_silence_is_broken_by_two_messages_at_most(offered: str, does: str) -> None:
    assert answer(at_sea(), "12.5.3", offered) == [does]


def test_ships_joining_take_the_first_place_offered() -> None:
    assert answer(at_sea(), "12.5.3", "ahead port-force") == ["ahead"]


# -- hazards and fuel ------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.6.3")
def test_hazards_go_to_recon_before_the_force() -> None:
    assert answer(at_sea(), "12.6.3", "to-task-force to-ca-18", kind=DecisionKind.SOME) == ["to-ca-18"]


@pytest.mark.rule("doolittle", "12.6.4")
@pytest.mark.parametrize(
    ("icon", "alert", "area", "does"),
    [
        ("square", 2, "influence-west", "launch"),
        ("square", 1, "influence-west", "resolve"),
        ("square", 2, "influence-east", "resolve"),
        ("circle", 2, "influence-west", "resolve"),
    ],
)
def test_bombers_launch_before_a_hazard_that_may_bring_planes(icon: str, alert: int, area: str, does: str) -> None:
    state = at_sea(area, phase="sea-hazards")
    state.security.alert = alert
    markers = DATA.sea_hazards.markers
    kind = next(one.kind for one in markers.values() if one.icon == icon)
    met_by(state, "task-force", kind, icon)
    sea(state).assigned["task-force"].append(hazard(state, "boat"))
    assert answer(state, "12.6.4", "resolve launch") == [does]
    assert answer(state, "12.6.4", "resolve wait") == ["resolve"]


@pytest.mark.rule("doolittle", "12.6.6.F", "12.7.2")
def test_trouble_goes_to_a_troubled_ship_or_else_the_smallest() -> None:
    state = at_sea()
    assert answer(state, "12.6.6.F", "on-hornet on-gwin on-vincennes") == ["on-gwin"]
    assert answer(state, "12.7.2", "hurt-hornet hurt-gwin hurt-vincennes") == ["hurt-gwin"]
    ship(state, "hornet").markers.append(hazard(state, "distress"))
    assert answer(state, "12.6.6.F", "on-gwin on-hornet") == ["on-hornet"]


@pytest.mark.rule("doolittle", "12.7.2")
def test_oiler_with_the_best_odds_is_tried_and_none_abandoned() -> None:
    assert answer(at_sea(), "12.7.2", {"refuel-sabine": 0.4, "refuel-cimarron": 0.6}) == ["refuel-cimarron"]
    assert answer(at_sea(), "12.7.2", {"force": 1.0, "hold": 0.0}) == ["hold"]
