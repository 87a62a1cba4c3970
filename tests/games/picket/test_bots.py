"""Tests of the bots: answers and results."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random

import pytest
from tests.games.picket.helpers import DATA, attacked, fit, picket, plane, run, table
from tests.views import view_of

from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.games.picket import GAME
from readyroom.games.picket.combat import fire, odds
from readyroom.games.picket.combat.odds import Chances, Shot
from readyroom.games.picket.ship import repair
from readyroom.games.picket.state import Picket

THREAT = (0.25, 0.25, 0.125, 0.0)


ASKED = ("6.8.C", "6.8.C.1", "6.8", "6.8.O", "7.7", "7.7.E", "7.7.F", "7.7.G")


def answers(state: Picket, rules: object, name: str = "doctrine") -> dict[str, tuple[Decision, list[str]]]:
    """Return the captain's questions and answers by rule."""
    captain, given = GAME.analysis.bots[name]("captain", Random(1)), dict[str, tuple[Decision, list[str]]]()

    def answer(decision: Decision) -> list[str]:
        given[decision.rule] = decision, list(captain(decision, lambda: view_of(GAME, state, None)))
        return given[decision.rule][1]

    run(rules, dict.fromkeys(ASKED, answer))
    return given


def shots(gun: str, *planes: str, down: float = 0.25) -> list[Shot]:
    """Return a gun's possible shots, all with the same chances to hit and to shoot down."""
    return [Shot(gun, plane(kind=kind), False, Chances(down, down, 0.0), THREAT) for kind in planes]


@pytest.mark.parametrize(
    ("value", "executive", "engineer", "control"),
    [
        (-2, "stay", "stay", "section-forward"),
        (-1, "stay", "stay", "section-forward"),
        (0, "to-aft-engine-room", "to-aft-engine-room", "section-midship"),
        (2, "to-aft-engine-room", "to-aft-engine-room", "section-midship"),
    ],
)
def test_doctrine_keeps_negative_officer_away(value: int, executive: str, engineer: str, control: str) -> None:
    state = fit(picket("evans"), aft_engine_room=2, rudder=1)
    for key in ("executive", "engineer", "damage-control"):
        state.ship.officers[key].value = value
    rules = repair.damage_control(table(state, *[1] * 40))
    results = answers(state, rules)
    assert [results[rule][1] for rule in ("7.7.E", "7.7.F", "7.7.G")] == [[executive], [engineer], [control]]


def come(rows: odds.Rows, chosen: Iterable[Shot]) -> float:
    """Return the expected number of strikes by the planes in range."""
    fates = {shot.plane.key: odds.before(shot.plane, shot.threat) for row in rows for shot in row}
    fates |= odds.fates_of(chosen)
    return sum(odds.strikes(each, rows[0][0].threat) for each in fates.values())


def test_best_assignment_minimizes_expected_strikes() -> None:
    """The assignment is optimal; a greedy one from the first gun is not."""
    rows = [
        shots("1", "zero", "val", "judy"),
        shots("2", "zero", "val", down=0.4),
        shots("3", "val"),
        shots("4", "judy", "val", down=0.1),
        shots("5", "zero", "judy"),
    ]
    best = min(come(rows, chosen) for chosen in product(*rows))
    assignment = odds.best_assignment(rows)
    assert set(assignment) == {"1", "2", "3", "4", "5"}
    assert come(rows, assignment.values()) == pytest.approx(best)
    assert come(rows, [row[0] for row in rows]) > best + 0.01


def test_prevented_strikes_equal_reduction() -> None:
    rows = [shots("1", "zero", "val"), shots("2", "zero"), shots("3", "val", "zero", down=0.1)]
    chosen, prevented = odds.assign_shots(rows)
    assert prevented == pytest.approx(2 * THREAT[0] - come(rows, chosen.values()))


def test_expected_value_bot_beats_doctrine_on_strikes() -> None:
    left = {}
    for name in ("doctrine", "reckoned"):
        planes = [plane("90L", "zero"), plane("90H", "val"), plane("135M", "judy"), plane("0M", "oscar")]
        state = attacked(picket("evans"), *planes)
        decision, keys = answers(state, fire.defensive_fire(table(state, *[1] * 60)), name)["6.8"]
        rows = [[option.value for option in group.options] for group in decision.budget_groups]
        left[name] = come(rows, [option.value for option in decision.values if option.key in keys])
    assert left["reckoned"] < left["doctrine"] - 0.01


def test_support_targets_most_dangerous_remaining() -> None:
    """Without the forward mounts no gun bears on the plane ahead."""
    state = attacked(picket("evans"), plane("90M", "zero"), plane("0M", "val"), surface=2)
    for key, mount in state.ship.mounts.items():
        if 0 in DATA.mounts[key].arc:
            mount.hits = DATA.mounts[key].boxes
    given = answers(state, fire.defensive_fire(table(state, *[1] * 60)), "reckoned")
    assert all(key.endswith("zero-1") for key in given["6.8"][1])
    assert given["6.8.O"][1] == ["surface-val-1", "surface-val-1"]
    notes = [option.info.note for option in given["6.8.O"][0].options if option.info]
    assert ["your guns fire first" in note for note in notes] == [True, False]


def test_expected_value_bot_spends_fuel_to_last_box() -> None:
    state = picket("evans")
    for fuel, by_doctrine, by_value in ((4, True, True), (3, False, True), (2, False, True), (1, False, False)):
        state.ship.fuel = fuel
        sentence = Decision(DecisionKind.ONE, "captain", "6.10", "?", [Option("evade", ""), Option("steady", "")], 1, 1)
        for name, evades in (("doctrine", by_doctrine), ("reckoned", by_value)):
            captain = GAME.analysis.bots[name]("captain", Random(1))
            assert captain(sentence, lambda: view_of(GAME, state, None)) == ["evade" if evades else "steady"]


@pytest.mark.parametrize("name", GAME.analysis.bots)
def test_captain_who_aims_no_gun_holds_fire(name: str) -> None:
    answers = [Option("hold", "hold fire"), Option("again", "choose targets again")]
    decision = Decision(DecisionKind.ONE, "captain", "6.8", "No gun fires. Hold fire?", answers, 1, 1)
    captain = GAME.analysis.bots[name]("captain", Random(1))
    assert captain(decision, lambda: view_of(GAME, picket(), None)) == ["hold"]
