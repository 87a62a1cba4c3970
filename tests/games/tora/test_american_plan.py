"""Tests of section 5: American planning sheets, and every reason to reject a plan."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from tests.games.tora.helpers import DATA, DEFENCE, Following, fill, table, tora

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import fixed_dice
from readyroom.engine.rules.table import Table
from readyroom.games.tora.plans.alerts import PATROL, RADAR, plan_alerts, plan_calendar, plan_ports, plan_searches
from readyroom.games.tora.plans.data import AmericanPlan, Berth, Parked
from readyroom.games.tora.plans.deployment import plan_anchorage, plan_fields
from readyroom.games.tora.plans.phase import plan_defence
from readyroom.games.tora.plans.validation import check_american, completed, cost
from readyroom.web.formatting import confirm, decision, named


def faults(**changes: Any) -> list[tuple[str, str]]:
    """Return the rules and reasons for rejecting a legal plan with these changes."""
    plan = msgspec.structs.replace(completed(DEFENCE, DATA), **changes)
    return [(fault.rule, fault.reason) for fault in check_american(plan, DATA)]


# -- the calendar ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "5", "5.1")
def test_level_costs_point_and_two_levels_two() -> None:
    levels = fill(plan_alerts(table(), "usa"), {"alerts": ["ship-3", "ship-4", "ship-4", "aaa-10"]})
    assert levels["ship"] == (1, 1, 2, 3, 1, 1, 1, 1, 1, 1)
    assert levels["aaa"] == (1,) * 9 + (2,)
    assert levels["airfield"] == (1,) * 10
    assert cost(levels["ship"], DATA) == 3


@pytest.mark.rule("tora", "5.1")
def test_categories_have_six_points_each() -> None:
    keys = [f"{category}-{day}" for category in ("airfield", "ship", "aaa") for day in range(1, 7)]
    fill(plan_alerts(table(), "usa"), {"alerts": keys})
    with pytest.raises(IllegalChoice, match="Ships: together these cost 7 points; the budget is 6") as refused:
        fill(plan_alerts(table(), "usa"), {"alerts": [*keys, "ship-7"]})
    assert refused.value.rule == "5.1"


@pytest.mark.rule("tora", "5.1")
def test_level_never_exceeds_three() -> None:
    with pytest.raises(IllegalChoice, match="the limit is 2"):
        fill(plan_alerts(table(), "usa"), {"alerts": ["aaa-3"] * 3})


@pytest.mark.rule("tora", "5.1", "5.8")
def test_chosen_options_read_plainly_on_button_and_terminal() -> None:
    asked: list[Decision] = []
    fill(plan_alerts(table(), "usa"), asked=asked)
    fill(plan_searches(table(), "usa", RADAR), asked=asked)
    alerts, radar = map(decision, asked)
    assert named(alerts, ["airfield-1", "airfield-1", "ship-3"]) == ("2 × Airfields on December 1, Ships on December 3")
    assert confirm(radar, ["radar-2-NW"]) == "Confirm: NW on December 2"


@pytest.mark.rule("tora", "5.8", "5.9")
@pytest.mark.parametrize(("kind", "rule"), [(RADAR, "5.8"), (PATROL, "5.9")])
def test_sector_is_searched_once_a_day(kind: str, rule: str) -> None:
    asked: list[Decision] = []
    result = fill(plan_searches(table(), "usa", kind), {kind: [f"{kind}-2-NW", f"{kind}-10-SE"]}, asked)
    assert ("does the radar search" in asked[0].question) is (kind == RADAR)
    assert ("do the patrol planes search" in asked[0].question) is (kind == PATROL)
    assert result == ("", "NW", *("",) * 7, "SE")
    with pytest.raises(IllegalChoice, match="December 2: together these cost 2 points; the budget is 1") as refused:
        fill(plan_searches(table(), "usa", kind), {kind: [f"{kind}-2-NW", f"{kind}-2-SE"]})
    assert refused.value.rule == rule


@pytest.mark.rule("tora", "5.13", "T10")
def test_carriers_have_one_day_in_port_each() -> None:
    ports = fill(plan_ports(table(), "usa"), {"in-port:lexington": ["day-3"], "in-port:enterprise": ["day-3"]})
    assert ports == {"lexington": 3, "enterprise": 3}


# -- fields ------------------------------------------------------------------------------------------------------------

SPREAD = {
    "field:p40": ["hickam"] * 24,
    "field:p36": ["wheeler"] * 12,
    "field:p26": ["wheeler"] * 7,
    "field:f4f": ["ewa"] * 10,
    "field:f2a": ["ewa"] * 2 + ["kaneohe"] * 2,
    "under:hickam": ["p40"] * 4,
    "under:ewa": ["f2a", "f4f"],
    "over:ewa": ["f4f", "f4f"],
}


@pytest.mark.rule("tora", "5.10", "5.11", "4.2")
def test_squadrons_spread_over_fields_and_stack_on_full_ones() -> None:
    parked = fill(plan_fields(table(), "usa"), SPREAD)
    at_hickam = [entry for entry in parked if entry.field == "hickam"]
    assert at_hickam == [Parked("hickam", "p40", "", 16), Parked("hickam", "p40", "p40", 4)]
    at_ewa = {(entry.top, entry.under): entry.places for entry in parked if entry.field == "ewa"}
    assert at_ewa == {("f4f", ""): 7, ("f2a", ""): 1, ("f4f", "f2a"): 1, ("f4f", "f4f"): 1}
    assert not any(entry.under for entry in parked if entry.field == "wheeler")


@pytest.mark.rule("tora", "5.11")
def test_player_chooses_which_units_are_stacked() -> None:
    asked: list[Decision] = []
    fill(plan_defence(table(), "usa"), Following(DEFENCE), asked)
    texts = [each.question for each in asked if each.piece_key.partition(":")[0] in ("under", "over")]
    assert texts == [
        "Wheeler has 20 places: which 2 units are parked underneath others?",
        "Wheeler has 20 places: which 2 units are parked on top of those?",
        "Hickam has 20 places: which unit is parked underneath another?",
        "Hickam has 20 places: which unit is parked on top of it?",
    ]


@pytest.mark.rule("tora", "5.10", "3.3")
@pytest.mark.parametrize(("about", "field"), [("field:p40", "ewa"), ("field:f4f", "hickam")])
def test_squadron_cannot_use_field_of_another_service(about: str, field: str) -> None:
    with pytest.raises(IllegalChoice, match="cannot be stationed at") as refused:
        fill(plan_fields(table(), "usa"), SPREAD | {about: [field] * len(SPREAD[about])})
    assert refused.value.rule == "5.10"


@pytest.mark.rule("tora", "4.2", "T35")
def test_field_takes_two_units_place_and_no_more() -> None:
    crowded = SPREAD | {"field:p36": ["hickam"] * 12, "field:p26": ["hickam"] * 7}
    with pytest.raises(IllegalChoice, match="the limit is 4"):
        fill(plan_fields(table(), "usa"), crowded)


# -- ships -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "5.14")
def test_carriers_anchor_one_after_other_and_do_not_wait() -> None:
    asked: list[Decision] = []
    fill(plan_anchorage(table(), "usa"), {"anchorage": ["own"]}, asked)
    waits = {
        one.piece_key.partition(":")[2] for one in asked if one.piece_key.startswith("mooring:") and "later" in one.keys
    }
    assert "nevada" in waits
    moorings = [one for one in asked if one.piece_key.startswith("mooring:")]
    assert "later" not in moorings[-1].keys, "no ship is still to come"
    assert not waits & {card.key for card in DATA.ships.ship if card.kind == "CV"}


@pytest.mark.rule("tora", "5.14")
def test_default_anchorage_needs_one_answer() -> None:
    asked: list[Decision] = []
    berths = fill(plan_anchorage(table(), "usa"), {"anchorage": ["default"]}, asked)
    assert len(asked) == 1
    assert berths == DATA.places.anchorage.berths


@pytest.mark.rule("tora", "5.14", "T26")
def test_ship_waits_once_for_another_that_is_still_to_come() -> None:
    waited: list[str] = []

    def waiting(decision: Decision) -> list[str]:
        waited.append(decision.piece_key)
        return ["later"] if waited.count(decision.piece_key) == 1 else decision.keys[:1]

    asked: list[Decision] = []
    ships = ["mooring:utah", "mooring:raleigh"]
    fill(plan_anchorage(table(), "usa"), {"anchorage": ["own"], **dict.fromkeys(ships, waiting)}, asked)
    assert [["later" in one.keys for one in asked if one.piece_key == ship] for ship in ships] == [[True, False]] * 2


@pytest.mark.rule("tora", "5.14", "5.15", "T26")
def test_battleship_nests_outside_a_lesser_ship() -> None:
    berths = dict(DATA.places.anchorage.berths) | {"nevada": Berth(38, 19)}  # outside Detroit
    plan = msgspec.structs.replace(completed(DEFENCE, DATA), berths=berths)
    assert not list(check_american(plan, DATA))
    asked: list[Decision] = []
    assert fill(plan_anchorage(table(), "usa"), Following(plan), asked) == berths
    assert [one.piece_key for one in asked].count("mooring:nevada") == 3


@pytest.mark.rule("tora", "5.14", "5.15", "T26")
def test_outer_ship_waits_for_inner_one_ship_by_ship() -> None:
    berths = dict(DATA.places.anchorage.berths) | {"nevada": Berth(54, 23, "v"), "vestal": Berth(3, 3)}
    plan = msgspec.structs.replace(completed(DEFENCE, DATA), berths=berths)
    asked: list[Decision] = []
    assert fill(plan_anchorage(table(), "usa"), Following(plan), asked) == berths
    abouts = [decision.piece_key for decision in asked]
    assert abouts.count("mooring:oklahoma") == 2
    assert abouts.index("mooring:maryland") < len(abouts) - 1 - abouts[::-1].index("mooring:oklahoma")
    assert abouts.index("berth:lexington") < abouts.index("mooring:nevada") < abouts.index("mooring:utah")


@pytest.mark.rule("tora", "5.14", "5.15")
@pytest.mark.parametrize(
    ("ship", "place", "rule", "word"),
    [
        ("nevada", "stream-1NW-h", "5.14", "Nevada is a battleship and must anchor next to Ford Island"),
        ("oklahoma", "dock", "5.14", "There is no room for Oklahoma"),
        ("utah", "by-lexington", "5.15", "carriers may not"),
        ("nevada", "by-lexington", "5.15", "carriers may not"),
    ],
)
def test_illegal_berth_is_rejected_with_rule(ship: str, place: str, rule: str, word: str) -> None:
    answers = {"anchorage": ["own"], "mooring:nevada": ["dock"], f"mooring:{ship}": [place]}
    with pytest.raises(IllegalChoice, match=word) as refused:
        fill(plan_anchorage(table(), "usa"), answers)
    assert refused.value.rule == rule


@pytest.mark.rule("tora", "5.14")
def test_ship_without_room_on_open_water_gets_reason() -> None:
    harbor = msgspec.structs.replace(DATA.places.harbor, west_to=-1)
    narrow = msgspec.structs.replace(DATA, places=msgspec.structs.replace(DATA.places, harbor=harbor))
    table = Table(tora(), narrow, fixed_dice(), None)
    with pytest.raises(IllegalChoice, match="There is no room for Vestal"):
        fill(plan_anchorage(table, "usa"), {"anchorage": ["own"], "mooring:vestal": ["stream-1NW-h"]})


@pytest.mark.rule("tora", "5")
def test_plan_answers_own_sheets() -> None:
    plan = msgspec.structs.replace(
        completed(DEFENCE, DATA),
        airfield=(1, 3, 1, 3, 1, 1, 1, 1, 2, 2),
        radar=("NW", *("",) * 9),
        patrol=("SE",) * 10,
    )
    made: AmericanPlan = fill(plan_defence(table(), "usa"), Following(plan))
    assert made == msgspec.structs.replace(plan, parked=made.parked)
    assert Counter(_units(made)) == Counter(_units(plan))


def _units(plan: AmericanPlan) -> list[tuple[str, str, str]]:
    return [(entry.field, entry.top, entry.under) for entry in plan.parked for _ in range(entry.places)]


# -- rejections --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "5.10", "5.14")
def test_plan_of_data_files_is_legal() -> None:
    assert faults() == []
    stacked = [entry for entry in completed(DEFENCE, DATA).parked if entry.under]
    assert sum(entry.places for entry in stacked) == 3, "43 Army units stand on 40 places"


@pytest.mark.rule("tora", "5.1", "5.8", "5.9", "5.13")
@pytest.mark.parametrize(
    ("changes", "rule", "word"),
    [
        ({"airfield": (2,) * 7 + (1,) * 3}, "5.1", "cost 7 points; the limit is 6"),
        ({"ship": (4, *(1,) * 9)}, "5.1", "levels go from 1 to 3"),
        ({"aaa": (1,) * 9}, "5.1", "has 9 days"),
        ({"radar": ("N", *("",) * 9)}, "5.8", "'N' is not a sector for radar on December 1"),
        ({"patrol": ("",) * 11}, "5.9", "row for patrol planes has 11 days"),
        ({"in_port": {"lexington": 3}}, "5.13", "Enterprise needs one day in port"),
        ({"in_port": {"lexington": 11, "enterprise": 1}}, "5.13", "cannot be in port on day 11"),
        ({"in_port": {"lexington": 1, "enterprise": 1, "hornet": 1}}, "5.13", "No carrier 'hornet'"),
    ],
)
def test_wrong_calendar_is_rejected(changes: dict[str, Any], rule: str, word: str) -> None:
    assert any(name == rule and word in reason for name, reason in faults(**changes)), faults(**changes)


def parked(*replaced: Parked) -> dict[str, Any]:
    """Return the default deployment with its first entries replaced."""
    parkeds = completed(DEFENCE, DATA).parked
    return {"parked": (*replaced, *parkeds[len(replaced) :])}


@pytest.mark.rule("tora", "3.1", "4.2", "5.10", "5.11", "T35")
@pytest.mark.parametrize(
    ("changes", "rule", "word"),
    [
        (parked(Parked("wheeler", "p40", "", 11)), "3.1", "23 P-40 units are stationed; there are 24"),
        (
            parked(Parked("ewa", "p40", "", 12)),
            "5.10",
            "P-40 units cannot be stationed at Ewa, only at Hickam or Wheeler",
        ),
        (parked(Parked("midway", "p40", "", 12)), "4.2", "No field 'midway'"),
        (parked(Parked("wheeler", "zero", "", 12)), "3.1", "No American aircraft type 'zero'"),
        (parked(Parked("wheeler", "p40", "", 0)), "4.2", "enter at least 1"),
        (parked(Parked("wheeler", "p40", "", 13)), "4.2", "Wheeler has 20 places; the plan fills 21"),
        (parked(Parked("wheeler", "p40", "p40", 6)), "T35", "stacked at Wheeler although 6 of its places are free"),
    ],
)
def test_wrong_deployment_is_rejected(changes: dict[str, Any], rule: str, word: str) -> None:
    assert any(name == rule and word in reason for name, reason in faults(**changes)), faults(**changes)


@pytest.mark.rule("tora", "3.1")
def test_missing_units_of_type_are_reported_at_last_entry() -> None:
    plan = msgspec.structs.replace(completed(DEFENCE, DATA), **parked(Parked("wheeler", "p40", "", 11)))
    last = max(at for at, entry in enumerate(plan.parked) if "p40" in (entry.top, entry.under))
    assert last < len(plan.parked) - 1
    assert [fault.where for fault in check_american(plan, DATA) if fault.rule == "3.1"] == [("parked", last)]


@pytest.mark.rule("tora", "3.2", "5.14", "5.15", "T25", "T26")
@pytest.mark.parametrize(
    ("ship", "berth", "rule", "word"),
    [
        ("nevada", Berth(5, 5), "5.14", "battleship"),
        ("california", Berth(12, 22), "5.14", "next to Ford Island or along the Navy Yard"),
        ("vestal", Berth(24, 27), "T25", "overlap Maryland"),
        ("vestal", Berth(24, 29), "5.15", "at most two ships"),
        ("hornet", Berth(5, 5), "3.2", "No ship 'hornet'"),
        ("nevada", None, "5.14", "Nevada has no berth"),
    ],
)
def test_wrong_berth_is_rejected(ship: str, berth: Berth | None, rule: str, word: str) -> None:
    berths = dict(DATA.places.anchorage.berths)
    berths.pop(ship, None)
    pairs = faults(berths=berths | ({ship: berth} if berth else {}))
    assert any(number == rule and word in reason for number, reason in pairs), pairs


@pytest.mark.rule("tora", "5")
def test_calendar_by_itself_is_plan() -> None:
    plan = fill(plan_calendar(table(tora()), "usa"))
    assert list(check_american(plan, DATA)) == []
