"""[13.1] Tests of January planning: the calendar, Doolittle's box, the bombers."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, run, table
from tests.games.doolittle.plan_helpers import planned, planner

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.planning import blotter, january


@pytest.mark.rule("doolittle", "13.0", "13.0.1", "13.1")
def test_january_asks_calendar_doolittle_and_bombers() -> None:
    state = planner("january", chosen=0)
    state.notes.calendar = {}
    state.segment = "flight"
    asked: list[Decision] = []
    run(january.january(table(state)), {}, asked)
    assert str(state.segment) == "planning"
    assert [decision.rule for decision in asked] == ["13.1.1", "13.1.1", "13.1.1", "13.1.1", "13.1.2"]
    assert len(state.squad) == DATA.planning.selection.least


@pytest.mark.rule("doolittle", "13.1.1", "13.1.3", "DR72")
def test_nimitz_needs_a_month_after_january() -> None:
    state = planner("january")
    state.notes.calendar, asked = {}, list[Decision]()
    run(
        january.choose_months(table(state)),
        {"13.1.1": [["nimitz-march"], ["stilwell-never"], ["thompson-april"]]},
        asked,
    )
    assert asked[0].keys == ["nimitz-february", "nimitz-march", "nimitz-april"]
    assert state.notes.calendar == {"nimitz": "march", "thompson": "april"}


@pytest.mark.rule("doolittle", "13.1.1")
def test_thompson_may_be_omitted_only_with_stilwell() -> None:
    for stilwell, may in (("stilwell-january", True), ("stilwell-never", False)):
        state = planner("january")
        state.notes.calendar, asked = {}, list[Decision]()
        run(january.choose_months(table(state)), {"13.1.1": [["nimitz-april"], [stilwell], ["thompson-march"]]}, asked)
        assert ("thompson-never" in asked[2].keys) is may


@pytest.mark.rule("doolittle", "13.1.1", "13.5.6")
def test_month_options_show_talk_numbers_and_risk() -> None:
    state, asked = planner("january"), list[Decision]()
    run(january.choose_months(table(state)), {}, asked)
    hints = {option.key: option.info.note for option in asked[0].options if option.info}
    assert hints["nimitz-march"] == "talks need 7 in March, 8 in April; risk +2"


@pytest.mark.rule("doolittle", "13.1.1", "DR74")
def test_doolittle_by_telephone_is_in_every_month() -> None:
    state = planner("january")
    run(january.choose_doolittle_box(table(state)), {"13.1.1": "telephone"})
    assert all(blotter.has_doolittle(state, month) for month in ("january", "february", "march", "april"))
    run(january.choose_doolittle_box(table(state)), {"13.1.1": "box-march"})
    assert [month for month in DATA.planning.doolittle.box if blotter.has_doolittle(state, month)] == ["march"]


@pytest.mark.rule("doolittle", "13.1.2")
def test_unchosen_bombers_stay_in_hangar() -> None:
    state = planner("january", chosen=0)
    at = table(state)
    run(january.choose_bombers(at), {"13.1.2": ["b03", "b01", "b20"]})
    assert list(state.squad) == ["b01", "b03", "b20"]
    assert len(state.notes.hangar) == DATA.planning.selection.most - 3
    assert "3 bombers" in log_text(at, "13.1.2")


@pytest.mark.rule("doolittle", "13.0")
def test_planning_takes_under_fifty_decisions() -> None:
    match = planned("few", "doctrine")
    assert match.decision_count < 50
