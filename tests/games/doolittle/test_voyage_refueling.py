"""[12.7] Tests of refueling, and of the end of a naval turn."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, hints, log_text, rules_asked, run, table
from tests.games.doolittle.voyage_helpers import at_sea, hazard, sea, ship

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage import refueling as refuelling
from readyroom.games.doolittle.voyage.refueling import able_oilers, refuel_check, refueling
from readyroom.games.doolittle.voyage.ships import ships_afloat
from readyroom.testing.running import Answers


def low(weather: str = "calm", *, met: bool = False) -> Doolittle:
    """Return a state with the force at Midway, low on fuel."""
    state = at_sea("midway", weather, phase="refueling", met=met)  # type: ignore[arg-type]
    sea(state).fueled = False
    return state


@pytest.mark.rule("doolittle", "12.7", "12.7.2", "DR69")
def test_oiler_refuels_force() -> None:
    state = low()
    asked: list[Decision] = []
    at = table(state, 3, 4)
    run(refueling(at), {"12.7.2": "refuel-cimarron"}, asked)
    assert sea(state).fueled
    assert "Cimarron refuels the task force." in log_text(at, "12.7.2")
    assert sea(state).turn == 5
    assert hints(asked[0])["refuel-cimarron"] == pytest.approx(21 / 36)


@pytest.mark.rule("doolittle", "12.7.2")
def test_refueling_without_oiler_logs_nothing() -> None:
    state = low()
    ship(state, "cimarron").hits = 1
    at = table(state)
    run(refueling(at))
    assert log_text(at, "12.7.2") == ""


@pytest.mark.rule("doolittle", "12.7.2")
def test_oilers_have_one_optional_attempt_each() -> None:
    state = low(met=True)
    asked: list[Decision] = []
    answers = {"12.7.2": lambda one: ["hold"] if "hold" in one.keys else [one.keys[0]]}
    run(refueling(table(state, 3, 3, 1, 1)), answers, asked)
    assert not sea(state).fueled
    assert [one.keys[:-1] for one in asked if "none" in one.keys] == [
        ["refuel-cimarron", "refuel-sabine"], ["refuel-sabine"],
    ]  # fmt: skip
    other = low(met=True)
    run(refueling(table(other)), {"12.7.2": "none"})
    assert sea(other).turn == 5


@pytest.mark.rule("doolittle", "12.7.2", "10.1.1", "12.6.6.F")
def test_oiler_damaged_or_distressed_cannot_refuel() -> None:
    state = low(met=True)
    ship(state, "cimarron").hits = 1
    ship(state, "sabine").markers.append(hazard(state, "distress"))
    assert able_oilers(table(state)) == []
    asked: list[Decision] = []
    run(refueling(table(state)), asked=asked)
    assert "12.7.2" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "12.7.2")
@pytest.mark.parametrize(("weather", "taken"), [("gusty", 0), ("gale", -1), ("storm", -3)])
def test_refueling_modifier_depends_on_weather(weather: str, taken: int) -> None:
    state = low(weather)
    check = refuel_check(table(state), ship(state, "cimarron"))
    assert sum(value for _, value in check.modifiers) == taken


@pytest.mark.rule("doolittle", "12.7.2", "10.1.1")
@pytest.mark.parametrize(("weather", "count"), [("calm", 0), ("gale", 1), ("storm", 2)])
def test_failed_refueling_in_rough_weather_damages_chosen_ships(weather: str, count: int) -> None:
    state = low(weather)
    answers = {"12.7.2": lambda one: [key for key in one.keys if key in ("refuel-cimarron", "hold")] or [one.keys[-1]]}
    asked: list[Decision] = []
    run(refueling(table(state, 1, 2)), answers, asked)
    assert sum(bool(one.hits) for one in ships_afloat(state)) == count
    assert not sea(state).fueled
    hinted = [{one.key: str(one.info) for one in decision.options} for decision in asked]
    assert (f"damages ships ({count})" in hinted[0]["refuel-cimarron"]) == bool(count)
    assert ["launch bombers" in one["hurt-hornet"] for one in hinted if "hurt-hornet" in one] == [True] * count


@pytest.mark.rule("doolittle", "12.7.2", "10.1.1")
def test_damaged_oiler_cannot_force_refueling() -> None:
    state, asked = low("gale"), list[Decision]()
    run(refueling(table(state, 1, 2)), {"12.7.2": [["refuel-cimarron"], ["hurt-cimarron"]]}, asked)
    assert [one.keys for one in asked if "force" in one.keys] == []
    assert (ship(state, "cimarron").hits, sea(state).fueled) == (1, False)


@pytest.mark.rule("doolittle", "12.7.2", "10.1.1")
def test_failed_refueling_with_all_ships_damaged_sinks_one() -> None:
    state = low("gale")
    for one in ships_afloat(state):
        one.hits = one.key not in ("cimarron", "gwin")
    answers: Answers = {"12.7.2": [["refuel-cimarron"], ["hurt-gwin"], ["hold"]]}
    run(refueling(table(state, 1, 2)), answers)
    ship(state, "cimarron").hits = 1
    run(refuelling._choose_damaged(table(state), 1), {"12.7.2": "hurt-grayson"})
    assert (ship(state, "gwin").hits, ship(state, "grayson").sunk) == (1, True)


@pytest.mark.rule("doolittle", "12.7.2")
def test_forced_refueling_damages_oiler() -> None:
    state = low()
    answers = {"12.7.2": lambda one: ["force"] if "force" in one.keys else ["refuel-cimarron"]}
    run(refueling(table(state, 1, 2)), answers)
    assert sea(state).fueled
    assert ship(state, "cimarron").hits == 1


@pytest.mark.rule("doolittle", "12.7.2", "10.1.1", "12.0.1")
def test_hornet_damaged_by_refueling_ends_voyage() -> None:
    state = low("gale")

    def answer(one: Decision) -> list[str]:
        return [next(key for key in ("hurt-hornet", "hold", "refuel-cimarron") if key in one.keys)]

    run(refueling(table(state, 1, 2)), {"12.7.2": answer})
    assert sea(state).over
    assert state.launched is not None
    assert state.launched.how == "none"


@pytest.mark.rule("doolittle", "12.7.1")
def test_submarine_off_japan_adds_contact_each_turn() -> None:
    state = at_sea("midway", phase="refueling")
    sea(state).submarines["thresher"].contact = sea(state).submarines["trout"].contact = True
    run(refueling(table(state)), {"12.7.1": "contact-osaka-kobe"})
    run(refueling(table(state)), {"12.7.1": "contact-osaka-kobe"})
    assert state.sky.contacts == {"osaka-kobe": 2}
    sea(state).submarines["thresher"].contact = False
    run(refueling(table(state)))
    assert state.sky.contacts == {"osaka-kobe": 2}


@pytest.mark.rule("doolittle", "12.7", "12.2.3", "9.2")
def test_turn_end_removes_winds() -> None:
    state = at_sea("midway", phase="refueling")
    state.sky.winds["W1"] = "tailwind"
    run(refueling(table(state)))
    assert state.sky.winds == {}
    assert sea(state).turn == 5
    assert not sea(state).over
    assert DATA.sea.turns.turn[sea(state).turn - 1] == "10-11 April" or sea(state).turn == 5


@pytest.mark.rule("doolittle", "12.7.2", "10.1.1")
def test_failed_refueling_may_hit_a_damaged_ship() -> None:
    state, asked = low("gale"), list[Decision]()
    ship(state, "gwin").hits = 1
    run(refueling(table(state, 1, 2)), {"12.7.2": [["refuel-cimarron"], ["hurt-gwin"], ["hold"]]}, asked)
    hint = next(option.info for one in asked for option in one.options if option.key == "hurt-gwin")
    assert hint is not None
    assert hint.note == "DD; already damaged, would sink"
    assert ship(state, "gwin").sunk


@pytest.mark.rule("doolittle", "12.7.2")
def test_failed_refueling_in_a_storm_hits_two_ships() -> None:
    state, asked = low("storm"), list[Decision]()
    run(
        refueling(table(state, 1, 2)),
        {"12.7.2": [["refuel-cimarron"], ["hurt-gwin"], ["hurt-hornet"], ["hold"]]},
        asked,
    )
    assert [("hurt-gwin" in one.keys) for one in asked if "hurt-hornet" in one.keys] == [True, False]
