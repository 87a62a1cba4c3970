"""Test of the alert planner example: two levels over four days cost six points; a seventh is not available."""

from __future__ import annotations

import msgspec
import pytest
from tests.games.tora.helpers import DATA, DEFENCE, fill, table

from readyroom.engine.errors import IllegalChoice
from readyroom.games.tora.plans.alerts import plan_alerts
from readyroom.games.tora.plans.validation import check, cost

EXAMPLE = ["airfield-3", "airfield-4", "airfield-4", "airfield-5", "airfield-6", "airfield-6"]
"""Level 2 on 3 December, 3 on the 4th, 2 on the 5th, 3 on the 6th."""


@pytest.mark.rule("tora", "5.1")
def test_example_plan_costs_six_points() -> None:
    levels = fill(plan_alerts(table(), "usa"), {"alerts": EXAMPLE})["airfield"]
    assert levels == (1, 1, 2, 3, 2, 3, 1, 1, 1, 1) == tuple(DATA.planning.alert.example["airfield"])
    assert cost(levels, DATA) == DATA.planning.alert.points == 6
    assert check(msgspec.structs.replace(DEFENCE, airfield=levels), DATA) == []


@pytest.mark.rule("tora", "5.1")
def test_seventh_point_is_rejected_with_reason() -> None:
    with pytest.raises(IllegalChoice) as refused:
        fill(plan_alerts(table(), "usa"), {"alerts": [*EXAMPLE, "airfield-7"]})
    assert refused.value.rule == "5.1"
    assert refused.value.reason == "Airfields: together these cost 7 points; the budget is 6."


@pytest.mark.rule("tora", "5.1")
def test_ships_and_batteries_may_be_raised_by_as_much_again() -> None:
    keys = [key.replace("airfield", kind) for kind in ("airfield", "ship", "aaa") for key in EXAMPLE]
    levels = fill(plan_alerts(table(), "usa"), {"alerts": keys})
    assert {cost(raised, DATA) for raised in levels.values()} == {6}
