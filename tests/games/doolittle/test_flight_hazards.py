"""Tests of the hazards phase (rules 8.3 to 8.3.7): draws, assignment, and the effect of each kind."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.games.doolittle.helpers import (
    DATA,
    aloft,
    assigned,
    at_hour,
    attached,
    drawn,
    hints,
    in_cup,
    log_text,
    man,
    out_of_cup,
    raiders,
    rules_asked,
    run,
    table,
    windy,
)

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.flight import hazards as flight_hazards
from readyroom.games.doolittle.flight.flights import dry_tank_dice
from readyroom.games.doolittle.flight.hazards import draw_counts, resolve_hazard, resolve_hazards
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.state import Doolittle, Flight

ZONE = {zone.key: zone for zone in DATA.flight.zones.zone}
MISS, HIT = (1, 2, 3, 4), (1, 2, 3, 6)


def by_day(
    *members: str, zone: str = "Z3", fuel: int = 4, high: bool = False, **options: Any
) -> tuple[Doolittle, Flight]:
    """Return a flight by day, with an alert of one."""
    state = windy(at_hour(raiders(phase="hazards", **options), "1200"), zone, "crosswind")
    return state, aloft(state, *(members or ("b01", "b02")), zone=zone, fuel=fuel, high=high)


def meets(state: Doolittle, kind: str, *dice: int, cup: str = "", icon: str | None = None, **answers: object) -> Marker:
    """Let the first bomber meet a hazard of this kind; answers by rule, with underscores for dots."""
    marker = assigned(state, "b01", kind, cup, icon)
    given = {key.replace("_", "."): answer for key, answer in answers.items()}
    run(resolve_hazard(table(state, *dice), state.squad["b01"], marker), given)  # type: ignore[arg-type]
    return marker


# -- drawing ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.3.2")
@pytest.mark.parametrize(
    ("zone", "flights", "alert", "count"),
    [
        ("Z1", 3, 4, {"I": 1}),
        ("Z3", 1, 1, {"I": 2}),
        ("Z3", 1, 2, {"I": 2, "alert": 1}),
        ("Z6", 3, 2, {"II": 2, "alert": 3}),
        ("Z7", 2, 3, {"II": 1, "alert": 1}),
        ("Z7", 2, 4, {"II": 1, "alert": 2}),
        ("Z10", 3, 0, {"III": 3}),
    ],
)
def test_zone_draws_by_its_flights_and_the_alert(zone: str, flights: int, alert: int, count: dict[str, int]) -> None:
    state = raiders()
    state.security.alert = alert
    assert dict(draw_counts(table(state), ZONE[zone], flights)) == count


@pytest.mark.rule("doolittle", "8.3", "8.3.1", "8.3.2")
def test_zones_with_flights_draw_from_their_own_cup_from_east_to_west() -> None:
    state, _ = by_day("b01", zone="Z1")
    state.sky.flights.append(Flight("flight-2", ["b02"], "Z9", 4))
    state.squad["b02"] = raiders().squad["b02"]
    keys = [drawn(state, "jammed-guns", "I"), drawn(state, "break-off", "III"), drawn(state, "mechanical", "III")]
    at = table(state, draws=keys)
    run(resolve_hazards(at))
    assert [marker.key for marker in state.squad["b01"].markers] == keys[:1]
    assert [marker.key for marker in state.squad["b02"].markers] == keys[2:]
    assert "Influence: 1 hazard drawn." in log_text(at, "8.3.2")


@pytest.mark.rule("doolittle", "8.3.2")
def test_empty_cup_is_replaced_by_the_alert_cup_and_that_by_nothing() -> None:
    for left in (1, 0):
        state, _ = by_day("b01")
        state.cups["I"].contents.clear()
        state.cups["alert"].contents = [out_of_cup(state, "break-off", "alert") for _ in range(left)]
        at = table(state, draws=[marker.key for marker in state.cups["alert"].contents])
        run(resolve_hazards(at))
        assert log_text(at, "8.3.2").count("drawn") == left


# -- sharing out -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.3.3")
def test_hazards_are_spread_evenly_and_the_captain_places_the_odd_one() -> None:
    state, _ = by_day("b01", zone="Z2")
    state.squad = raiders().squad
    state.sky.flights = [Flight(f"flight-{n}", [f"b0{n}"], "Z2", 4) for n in (1, 2, 3)]
    keys = [drawn(state, "compass-error", "I", 1), drawn(state, "compass-error", "I", 2)]
    asked: list[Decision] = []
    run(resolve_hazards(table(state, draws=keys)), {"8.3.3": ["flight-1", "flight-3"]}, asked)
    assert (asked[0].rule, asked[0].at_least, asked[0].at_most) == ("8.3.3", 2, 2)
    assert [len(state.squad[f"b0{n}"].markers) for n in (1, 2, 3)] == [1, 0, 1]
    assert state.sky.zones["Z2"] == []


@pytest.mark.rule("doolittle", "8.3.3", "8.3.4")
def test_hazard_backs_are_hidden_during_distribution() -> None:
    state, _ = by_day("b01", "b02", "b03")
    key = drawn(state, "wind-check", "I")
    asked: list[Decision] = []
    draws = [key, drawn(state, "compass-error", "I")]
    run(resolve_hazards(table(state, 3, 3, draws=draws)), {"8.3.4": ["on-b01", "on-b02"]}, asked)
    assert all("wind" not in option.text + asked[0].question for option in asked[0].options)
    assert "hazard I" in asked[0].question


@pytest.mark.rule("doolittle", "8.3.4")
def test_bombers_without_attached_hazards_come_first() -> None:
    state, _ = by_day("b01", "b02", "b03")
    attached(state, "b01", "faulty-doors")
    keys = [drawn(state, "compass-error", "I", 1), drawn(state, "compass-error", "I", 2)]
    asked: list[Decision] = []
    run(resolve_hazards(table(state, draws=keys)), None, asked)
    assert asked == []
    assert [len(state.squad[key].markers) for key in ("b01", "b02", "b03")] == [1, 1, 1]


@pytest.mark.rule("doolittle", "8.3.5")
def test_hazard_after_its_effect_returns_and_an_attached_one_stays() -> None:
    for kind, stays in (("break-off", False), ("faulty-doors", True), ("mechanical", True), ("jammed-guns", True)):
        state, _ = by_day("b01")
        marker = meets(state, kind)
        assert (marker in state.squad["b01"].markers) == stays
        assert in_cup(state, marker) != stays
        assert state.squad["b01"].assigned == []


@pytest.mark.rule("doolittle", "8.3.6")
def test_hazards_of_a_lost_bomber_return_unresolved() -> None:
    state, _ = by_day("b01", "b02")
    state.squad["b01"].hits = 1
    first, second = assigned(state, "b01", "interceptor", "II"), assigned(state, "b01", "vessel", "I", "triangle")
    at = table(state, *MISS)
    run(flight_hazards._resolve_on_bomber(at, state.squad["b01"]), {"8.3.7.H": "take"})
    assert state.squad["b01"].fate == "destroyed"
    assert in_cup(state, first)
    assert in_cup(state, second)
    assert log_text(at, "6.3.1") == ""


@pytest.mark.rule("doolittle", "8.3.5")
def test_front_order_is_asked_of_a_bomber_that_can_avert_one() -> None:
    state, _ = by_day("b01")
    man(state, "b01", "gunnery")
    guns, fighter = assigned(state, "b01", "jammed-guns", "I"), assigned(state, "b01", "break-off", "alert")
    asked: list[Decision] = []
    run(flight_hazards._resolve_on_bomber(table(state), state.squad["b01"]), {"8.3.5": "first-alert"}, asked)
    assert rules_asked(asked) == ["8.3.5"]
    assert asked[0].keys == ["first-I", "first-alert"]
    assert [option.text for option in asked[0].options] == ["a hazard I", "an alert hazard"]
    assert in_cup(state, fighter)
    assert guns in state.squad["b01"].markers


# -- A to D, F, G, I to K --------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.3.7.A", "8.3.7.C", "DR43")
@pytest.mark.parametrize("kind", ["compass-error", "faulty-compass"])
def test_compasses_attach_but_with_a_radio_cost_a_secrecy_test_and_leave(kind: str) -> None:
    state, _ = by_day("b01")
    marker = meets(state, kind)
    assert state.squad["b01"].markers == [marker]
    state, _ = by_day("b01")
    state.ratings = msgspec.structs.replace(state.ratings, radio=True)
    marker = meets(state, kind, 6, 6, 6, 6, 6)
    assert (state.squad["b01"].markers, state.out, state.security.risk) == ([], [marker], 21)
    assert state.squad["b01"].assigned == []


@pytest.mark.rule("doolittle", "8.3.5", "DR43")
def test_radio_works_on_compasses_only() -> None:
    state, _ = by_day("b01")
    state.ratings = msgspec.structs.replace(state.ratings, radio=True)
    marker = meets(state, "jammed-guns")
    assert (state.squad["b01"].markers, state.out) == ([marker], [])


@pytest.mark.rule("doolittle", "8.3.7.B")
@pytest.mark.parametrize(("dice", "hits", "fate"), [((2,), 0, ""), ((1, 4), 1, ""), ((3, 5), 0, "ditched")])
def test_sputtering_engine_may_burn_and_then_damages_or_ditches(dice: tuple[int, ...], hits: int, fate: str) -> None:
    state, _ = by_day("b01", "b02")
    marker = meets(state, "engine-sputter", *dice)
    assert (state.squad["b01"].hits, state.squad["b01"].fate) == (hits, fate)
    assert in_cup(state, marker)


@pytest.mark.rule("doolittle", "8.3.7.B", "8.3.7.H", "8.3.5")
def test_hazard_and_its_outcome_are_logged() -> None:
    for die, text in ((2, "goes well"), (1, "goes badly")):
        state, _ = by_day("b01")
        at = table(state, die, 2)
        run(resolve_hazard(at, state.squad["b01"], assigned(state, "b01", "engine-sputter")))
        assert log_text(at, "8.3.7.B").startswith(f"Doolittle: engine sputter. Doolittle, engine sputter: it {text}")
    for dice, text in ((HIT, "hits"), (MISS, "misses")):
        state, _ = by_day("b01")
        at = table(state, *dice)
        run(resolve_hazard(at, state.squad["b01"], assigned(state, "b01", "interceptor")))
        assert f"Doolittle fires and {text}." in log_text(at, "8.3.7.H")


@pytest.mark.rule("doolittle", "4.5", "8.3.7.H")
def test_guns_fire_at_only_one_interceptor_of_a_bomber() -> None:
    state, _ = by_day("b01")
    for kind in ("interceptor", "interceptor"):
        assigned(state, "b01", kind)
    asked: list[Decision] = []
    at = table(state, *MISS, 5, 5)
    run(flight_hazards._resolve_on_bomber(at, state.squad["b01"]), {"8.3.7.H": [["elude"], ["elude"]]}, asked)
    assert log_text(at, "8.3.7.H").count("fires and misses") == 1
    assert log_text(at, "8.3.7.H").count("cannot fire again") == 1
    assert [one.keys for one in asked if one.rule == "8.3.7.H"] == [["take", "elude"]] * 2


@pytest.mark.rule("doolittle", "8.3.5")
def test_hazards_with_one_front_are_not_logged_as_first() -> None:
    state, _ = by_day("b01")
    man(state, "b01", "gunnery")
    assigned(state, "b01", "jammed-guns", "I")
    at = table(state)
    run(flight_hazards._resolve_on_bomber(at, state.squad["b01"]))
    assert log_text(at, "8.3.5") == ""


@pytest.mark.rule("doolittle", "8.3.7.K", "7.1.1")
def test_hazard_has_its_own_name_and_a_flight_lost_to_it_is_off_the_map() -> None:
    state, _ = by_day("b01", zone="Z9")
    state.squad["b01"].hits, state.security.alert = 1, 0
    gear, fighter = out_of_cup(state, "mechanical", "III"), out_of_cup(state, "interceptor")
    state.cups["III"].contents, state.cups["alert"].contents = [gear], []
    at = table(state, draws=[gear.key])
    run(resolve_hazards(at))
    assert DATA.flight_hazards.markers[gear.key].name.lower() in log_text(at, "8.3.7.K")
    state.cups["III"].contents = [fighter]
    run(resolve_hazards(table(state, *MISS, draws=[fighter.key])), {"8.3.7.H": "take"})
    assert (state.squad["b01"].fate, state.sky.flights) == ("destroyed", [])


@pytest.mark.rule("doolittle", "8.3.7.E", "7.1.1")
def test_flight_losing_its_last_bomber_to_a_called_hazard_is_off_the_map() -> None:
    state, _ = by_day("b01")
    attached(state, "b01", "flying-boat").hits = 1
    called = [drawn(state, kind, "alert") for kind in ("interceptor", "break-off")]
    run(resolve_hazards(table(state, *MISS, draws=called)), {"8.3.7.H": "take"})
    assert (state.squad["b01"].fate, state.sky.flights) == ("destroyed", [])


@pytest.mark.rule("doolittle", "8.3.7.E")
@pytest.mark.parametrize(("alert", "note"), [(0, "a secrecy test by day"), (2, "3 alert hazards by day")])
def test_flying_boat_ignored_logs_what_it_brings(alert: int, note: str) -> None:
    state, _ = by_day("b01")
    state.security.alert = alert
    asked: list[Decision] = []
    marker = assigned(state, "b01", "flying-boat")
    run(resolve_hazard(table(state), state.squad["b01"], marker), {"8.3.7.E": "leave"}, asked)
    hint = asked[0].options[-1].info
    assert hint is not None
    assert hint.note == f"next turn {note}"


@pytest.mark.rule("doolittle", "8.3")
def test_hazards_met_are_cleared_every_turn() -> None:
    state, _ = by_day("b01", zone="Z8")
    state.sky.met, state.security.alert = ["Doolittle: break off"], 0
    for name in ("I", "II", "III", "alert"):
        state.cups[name].contents.clear()
    run(resolve_hazards(table(state)))
    assert state.sky.met == []


@pytest.mark.rule("doolittle", "8.3.5")
def test_hazard_order_is_not_asked_if_none_can_be_averted() -> None:
    state, _ = by_day("b01")
    assigned(state, "b01", "jammed-guns", "I")
    assigned(state, "b01", "break-off", "alert")
    asked: list[Decision] = []
    run(flight_hazards._resolve_on_bomber(table(state), state.squad["b01"]), None, asked)
    assert asked == []


@pytest.mark.rule("doolittle", "8.3.7.B")
def test_engines_run_after_a_planned_launch() -> None:
    state, _ = by_day("b01")
    state.sky.planned = True
    assert in_cup(state, meets(state, "engine-sputter"))


@pytest.mark.rule("doolittle", "8.3.7.B", "2.3.7")
def test_pilot_may_reroll_an_engine_fire_and_ignore_the_damage() -> None:
    state, _ = by_day("b01")
    man(state, "b01", "re-roll")
    meets(state, "engine-sputter", 1, 2, **{"2_3_7": "again-1"})
    assert state.squad["b01"].hits == 0
    state, _ = by_day("b01")
    pilot = man(state, "b01", "ignore-damage")
    meets(state, "engine-sputter", 1, 2, **{"2_3_7": "ignore"})
    assert (state.squad["b01"].hits, pilot.used) == (0, True)


@pytest.mark.rule("doolittle", "8.3.7.D", "8.3.7.J", "8.3.7.K")
def test_doors_guns_and_gear_match_print() -> None:
    known = DATA.flight_hazards.markers.values()
    assert {marker.detonation for marker in known if marker.kind == "faulty-doors"} == {-2}
    assert {marker.gunnery for marker in known if marker.kind.startswith("jammed")} == {-1}
    assert {marker.landing for marker in known if marker.kind == "mechanical"} == {-1, -3}


@pytest.mark.rule("doolittle", "8.3.7.G", "7.1.2")
@pytest.mark.parametrize(("answer", "flights"), [("alone", 2), ("together", 1)])
def test_leak_attaches_and_the_bomber_may_leave_at_once_for_free(answer: str, flights: int) -> None:
    state, flight = by_day("b01", "b02")
    marker = meets(state, "fuel-leak", **{"7_1_2": answer})
    assert marker in state.squad["b01"].markers
    assert ([one.fuel for one in state.sky.flights], flight.fuel) == ([4] * flights, 4)


@pytest.mark.rule("doolittle", "8.3.7.I")
def test_fighter_breaking_off_asks_nothing() -> None:
    state, _ = by_day("b01")
    man(state, "b01", "gunnery")
    assert in_cup(state, meets(state, "break-off"))


@pytest.mark.rule("doolittle", "8.3.7.J")
def test_jammed_turret_has_no_effect_if_both_turrets_were_changed() -> None:
    state, _ = by_day("b01")
    state.turrets = True
    assert in_cup(state, meets(state, "jammed-turret"))
    assert meets(state, "jammed-guns") in state.squad["b01"].markers


@pytest.mark.rule("doolittle", "8.3.7.H", "4.5.1")
def test_bomber_without_guns_does_not_fire() -> None:
    state, _ = by_day("b01")
    state.ratings = msgspec.structs.replace(state.ratings, gunnery=0)
    at = table(state)
    run(resolve_hazard(at, state.squad["b01"], assigned(state, "b01", "interceptor")), {"8.3.7.H": "take"})
    assert "fires" not in log_text(at, "8.3.7.H")
    assert state.squad["b01"].hits == 1


@pytest.mark.rule("doolittle", "8.3.7.J", "4.5.1")
def test_jammed_guns_lose_a_die() -> None:
    state, _ = by_day("b01")
    attached(state, "b01", "jammed-guns", "jammed-turret")
    meets(state, "interceptor", 1, 6)
    assert state.squad["b01"].hits == 0


# -- E, the flying boat ----------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.3.7.E")
def test_flying_boat_by_night_returns() -> None:
    state, _ = by_day("b01")
    at_hour(state, "2000")
    assert in_cup(state, meets(state, "flying-boat"))


@pytest.mark.rule("doolittle", "8.3.7.E", "DR41")
@pytest.mark.parametrize(
    ("method", "dice", "gone", "risk"),
    [
        ("leave", (), False, 20),
        ("fire", HIT, True, 20),
        ("fire", (*MISS, 6, 6, 6, 6, 6), False, 21),
        ("elude", (1, 2), True, 20),
        ("elude", (1, 3, 6, 6, 6, 6, 6), False, 21),
    ],
)
def test_flying_boat_is_shot_at_eluded_or_ignored_failure_tests_secrecy(
    method: str, dice: tuple[int, ...], gone: bool, risk: int
) -> None:
    state, _ = by_day("b01")
    marker = meets(state, "flying-boat", *dice, **{"8_3_7_E": method})
    assert (in_cup(state, marker), marker in state.squad["b01"].markers) == (gone, not gone)
    assert state.security.risk == risk


@pytest.mark.rule("doolittle", "8.3.7.E")
@pytest.mark.parametrize(
    ("high", "alert", "dice", "every", "chance"),
    [(False, 1, 2, False, 3 / 4), (True, 1, 1, False, 1 / 2), (False, 3, 2, True, 1 / 4), (True, 4, 2, True, 1 / 4)],
)
def test_flying_boat_dice_depend_on_height_and_alert(
    high: bool, alert: int, dice: int, every: bool, chance: float
) -> None:
    state, _ = by_day("b01", high=high)
    state.security.alert = alert
    check = flight_hazards.elude_check(table(state), state.squad["b01"])
    assert (check.dice, check.every, float(check.odds())) == (dice, every, chance)


@pytest.mark.rule("doolittle", "8.3.7.E")
@pytest.mark.parametrize(("alert", "count"), [(1, 2), (2, 3), (3, 3), (4, 5)])
def test_shadow_brings_alert_hazards_by_the_level(alert: int, count: int) -> None:
    state, _ = by_day("b01", zone="Z12")
    state.security.alert = alert
    marker = attached(state, "b01", "flying-boat").markers[0]
    keys = [drawn(state, "break-off", "alert", n) for n in range(1, count + 1)]
    gear = [drawn(state, "mechanical", "III", n) for n in (1, 2)]
    at = table(state, draws=[*keys, *gear])
    run(resolve_hazards(at))
    assert f": {count}." in log_text(at, "8.3.7.E")
    assert in_cup(state, marker)


@pytest.mark.rule("doolittle", "8.3.7.E")
def test_shadow_without_an_alert_tests_secrecy_and_by_night_does_nothing() -> None:
    for hour, risk in (("1200", 21), ("2200", 20)):
        state, _ = by_day("b01", zone="Z9")
        at_hour(state, hour)
        state.security.alert, state.security.failed = 0, 0
        marker = attached(state, "b01", "flying-boat").markers[0]
        gear = [drawn(state, "mechanical", "III", n) for n in (1, 2)]
        run(resolve_hazards(table(state, 6, 6, 6, 6, 6, draws=gear)))
        assert in_cup(state, marker)
        assert state.security.risk == risk


@pytest.mark.rule("doolittle", "8.3.7.E")
def test_flying_boat_brought_by_a_shadow_acts_a_turn_later() -> None:
    state, _ = by_day("b01", zone="Z12")
    attached(state, "b01", "flying-boat")
    boats = [drawn(state, "flying-boat", "alert", n) for n in (1, 2)]
    gear = [drawn(state, "mechanical", "III", n) for n in (1, 2)]
    run(resolve_hazards(table(state, draws=[*boats, *gear])), {"8.3.7.E": "leave"})
    assert [marker.key for marker in state.squad["b01"].markers[:2]] == boats


@pytest.mark.rule("doolittle", "8.3.7.E", "DR42")
def test_alert_cup_with_too_few_brings_those_it_has() -> None:
    state, _ = by_day("b01", zone="Z12")
    state.cups["alert"].contents = [out_of_cup(state, "break-off", "alert")]
    attached(state, "b01", "flying-boat")
    gear = [drawn(state, "mechanical", "III", n) for n in (1, 2)]
    at = table(state, draws=[state.cups["alert"].contents[0].key, *gear])
    run(resolve_hazards(at))
    assert ": 1." in log_text(at, "8.3.7.E")


# -- H, interceptors -------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.3.7.H")
@pytest.mark.parametrize(("dice", "answer", "hits"), [(HIT, "take", 0), (MISS, "take", 1), (MISS, "elude", 0)])
def test_guns_drive_a_fighter_off_or_the_bomber_is_damaged_or_leaves(
    dice: tuple[int, ...], answer: str, hits: int
) -> None:
    state, flight = by_day("b01", "b02")
    marker = meets(state, "interceptor", *dice, **{"8_3_7_H": answer})
    assert (state.squad["b01"].hits, in_cup(state, marker)) == (hits, True)
    fuels = [one.fuel for one in state.sky.flights]
    assert fuels == ([4, 3] if answer == "elude" else [4])
    assert flight.fuel == 4


@pytest.mark.rule("doolittle", "8.3.7.H", "7.1.2")
def test_bomber_flying_alone_pays_a_fuel_and_stays_alone() -> None:
    state, flight = by_day("b01")
    asked: list[Decision] = []
    marker = assigned(state, "b01", "interceptor")
    run(resolve_hazard(table(state, *MISS), state.squad["b01"], marker), {"8.3.7.H": "elude"}, asked)
    assert asked[0].options[1].text == "slip away"
    assert (state.sky.flights, flight.fuel) == ([flight], 3)


@pytest.mark.rule("doolittle", "8.3.7.H", "DR27")
@pytest.mark.parametrize(("ruling", "dice", "hits"), [("die", (2,), 0), ("die", (3, *MISS), 1), ("none", (), 0)])
def test_fighter_by_night_spares_the_bomber_on_an_even_die_or_is_not_found(
    ruling: str, dice: tuple[int, ...], hits: int
) -> None:
    state, _ = by_day("b01", interceptors=ruling)
    at_hour(state, "2000")
    marker = meets(state, "interceptor", *dice, **{"8_3_7_H": "take"})
    assert (state.squad["b01"].hits, in_cup(state, marker)) == (hits, True)


@pytest.mark.rule("doolittle", "2.3.5", "8.3.7.H")
@pytest.mark.parametrize(
    ("answers", "dice", "times"), [([["fire"]], (), 1), ([["wait"], ["fire"]], MISS, 2), ([["wait"]], HIT, 1)]
)
def test_elite_gunner_may_act_before_the_guns_or_after_a_miss(
    answers: list[list[str]], dice: tuple[int, ...], times: int
) -> None:
    state, _ = by_day("b01")
    gunner = man(state, "b01", "gunnery")
    marker = assigned(state, "b01", "interceptor", "alert")
    asked: list[Decision] = []
    run(resolve_hazard(table(state, *dice), state.squad["b01"], marker), {"2.3.5": answers}, asked)
    assert rules_asked(asked) == ["2.3.5"] * times
    assert (state.squad["b01"].hits, gunner.used) == (0, ["fire"] in answers)


@pytest.mark.rule("doolittle", "8.3.7.H")
def test_eluding_cost_is_shown_with_the_odds_of_a_fumes_check() -> None:
    state, _ = by_day("b01", "b02", fuel=0)
    marker = assigned(state, "b01", "interceptor")
    asked: list[Decision] = []
    run(resolve_hazard(table(state, *MISS), state.squad["b01"], marker), None, asked)
    take, elude = asked[0].options
    assert take.info is None
    assert elude.info is not None
    assert "72 %" in elude.info.note


# -- L, M, N ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "8.3.7.H", "2.1.3")
def test_bomber_that_would_be_destroyed_is_warned_and_lost_if_it_accepts() -> None:
    state, _ = by_day("b01", "b02")
    state.squad["b01"].hits = 1
    marker = assigned(state, "b01", "interceptor")
    asked: list[Decision] = []
    run(resolve_hazard(table(state, *MISS), state.squad["b01"], marker), {"8.3.7.H": "take"}, asked)
    assert asked[0].options[0].info is not None
    assert "destroys the bomber" in asked[0].options[0].info.note
    assert state.squad["b01"].fate == "destroyed"


@pytest.mark.rule("doolittle", "8.3.7.L")
@pytest.mark.parametrize(("briefed", "dice", "left"), [(False, (), 0), (True, (2,), 5), (True, (3,), 0)])
def test_beacons_are_removed_unless_stilwell_was_briefed_and_a_die_is_even(
    briefed: bool, dice: tuple[int, ...], left: int
) -> None:
    state, _ = by_day("b01", variant="variant")
    state.sky.briefed = briefed
    marker = meets(state, "remove-beacons", *dice)
    assert (len(state.sky.beacons), in_cup(state, marker)) == (left, True)


@pytest.mark.rule("doolittle", "8.3.7.L")
def test_beacon_removal_without_beacons_rolls_nothing() -> None:
    state, _ = by_day("b01")
    state.sky.briefed = True
    assert in_cup(state, meets(state, "remove-beacons"))


@pytest.mark.rule("doolittle", "8.3.7.M")
def test_vessel_by_night_sees_nothing_and_tests_no_secrecy() -> None:
    state, _ = by_day("b01")
    at_hour(state, "2000")
    assert in_cup(state, meets(state, "vessel", icon="triangle"))
    assert state.security.risk == 20


@pytest.mark.rule("doolittle", "8.3.7.M", "DR40")
@pytest.mark.parametrize(
    ("high", "before", "dice", "reports"),
    [
        (True, 1, (1,), True),
        (True, 1, (2,), False),
        (False, 2, (1, 2), True),
        (False, 2, (1, 3), False),
        (True, 0, (1,), False),
    ],
)
def test_vessel_reports_if_its_dice_are_below_the_number_of_vessels(
    high: bool, before: int, dice: tuple[int, ...], reports: bool
) -> None:
    state, _ = by_day("b01", high=high)
    for zone in ("Z2", "Z5")[:before]:
        marker = out_of_cup(state, "vessel", "I", "")
        marker.shown = True
        state.sky.zones[zone].append(marker)
    meets(state, "vessel", *dice, cup="I", icon="")
    assert state.security.alert == 1 + reports
    assert len(flight_hazards.vessels_on_map(table(state))) == before + 1 - reports
    assert len(state.cups["I"].contents) == DATA.flight_hazards.cups["I"].total - before - 1 + reports


@pytest.mark.rule("doolittle", "8.3.7.M", "6.3")
def test_vessel_with_the_icon_tests_secrecy_before_it_is_counted() -> None:
    state, _ = by_day("b01", high=True)
    marker = meets(state, "vessel", 6, 6, 6, 6, 6, 5, icon="triangle")
    assert (state.security.risk, state.sky.zones["Z3"]) == (21, [marker])


@pytest.mark.rule("doolittle", "8.3.7.N", "8.2.3", "DR103")
@pytest.mark.parametrize(
    ("zone", "dice", "weather", "wind"),
    [
        ("Z3", (6, 6), "calm", "severe-tailwind"),
        ("Z8", (5, 5, 1, 1), "gale", "severe-headwind"),
        ("Z9", (5, 5, 1, 1), "gale", "severe-headwind"),
    ],
)
def test_wind_of_the_zone_changes_and_west_of_the_line_the_weather_too(
    zone: str, dice: tuple[int, ...], weather: str, wind: str
) -> None:
    state, _ = by_day("b01", zone=zone)
    marker = meets(state, "wind-check", *dice)
    box = DATA.flight.wind_of[zone].key
    assert (state.sky.weather[box], state.sky.winds[box], state.out) == (weather, wind, [marker])


@pytest.mark.rule("doolittle", "8.3.7")
def test_hazard_kinds_beyond_attaching_have_their_effect() -> None:
    kinds = DATA.flight_hazards.kinds.kind
    assert set(flight_hazards.EFFECTS) <= set(kinds)
    plain = {key for key in kinds if key not in flight_hazards.EFFECTS}
    assert {key for key in plain if not kinds[key].attaches} == {"break-off"}


@pytest.mark.rule("doolittle", "8.3.7.F", "7.2.4")
def test_evaporation_attaches_as_a_dry_tank() -> None:
    state, _ = by_day("b01")
    meets(state, "fuel-evaporation")
    assert dry_tank_dice(table(state), state.squad["b01"]) == 1


def test_flying_boat_hints_are_exact() -> None:
    state, _ = by_day("b01")
    marker = assigned(state, "b01", "flying-boat")
    asked: list[Decision] = []
    run(resolve_hazard(table(state), state.squad["b01"], marker), {"8.3.7.E": "leave"}, asked)
    assert hints(asked[0]) == {"fire": pytest.approx(1 - (5 / 6) ** 4), "elude": 0.75, "leave": None}


@pytest.mark.rule("doolittle", "8.3.3", "8.3.7.M")
def test_vessel_in_a_zone_is_not_distributed_again() -> None:
    state, _ = by_day("b01")
    vessel = out_of_cup(state, "vessel", "I", "")
    vessel.shown = True
    state.cups["I"].contents, state.cups["alert"].contents = [], []
    state.sky.zones["Z3"].append(vessel)
    run(resolve_hazards(table(state)))
    assert state.sky.zones["Z3"] == [vessel]


@pytest.mark.rule("doolittle", "8.1.4", "DR30", "DR42")
def test_deviation_with_an_empty_alert_cup_meets_no_hazard() -> None:
    state, flight = by_day("b01", "b02")
    state.cups["alert"].contents = []
    asked: list[Decision] = []
    run(flight_hazards.draw_alert_hazard(table(state), flight), None, asked)
    assert (asked, flight.assigned) == ([], [])
    state.cups["alert"].contents = [fighter := out_of_cup(state, "break-off", "III")]
    run(flight_hazards.draw_alert_hazard(table(state, draws=[fighter.key]), flight))
    assert (flight.assigned, in_cup(state, fighter)) == ([], True)
