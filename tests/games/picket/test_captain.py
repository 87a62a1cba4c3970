"""The captain of the doctrine: what he answers, and what he goes by."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.picket.helpers import DATA, fit, picket, run, table

from readyroom.engine.decisions import Decision
from readyroom.games.picket import GAME, repair
from readyroom.games.picket.state import Picket
from readyroom.games.picket.view import view


def answers(state: Picket, name: str = "doctrine") -> dict[str, list[str]]:
    """What the captain answers in a round of damage control, by the rule that asks."""
    captain, given = GAME.bots[name]("captain", Random(1)), dict[str, list[str]]()

    def answer(decision: Decision) -> list[str]:
        given[decision.rule] = list(captain(decision, lambda: {"table": view(state, DATA, None)}))
        return given[decision.rule]

    run(repair.damage_control(table(state, *[1] * 40)), dict.fromkeys(("7.7.E", "7.7.F", "7.7.G", "7.7"), answer))
    return given


@pytest.mark.parametrize(
    ("value", "executive", "engineer", "control"),
    [
        (-2, "stay", "stay", "section-forward"),
        (-1, "stay", "stay", "section-forward"),
        (0, "to-aft-engine-room", "to-aft-engine-room", "section-midship"),
        (2, "to-aft-engine-room", "to-aft-engine-room", "section-midship"),
    ],
)
def test_an_officer_who_hinders_is_kept_from_the_parties(
    value: int, executive: str, engineer: str, control: str
) -> None:
    state = fit(picket("evans"), aft_engine_room=2, rudder=1)
    for key in ("executive", "engineer", "damage-control"):
        state.ship.officers[key].value = value
    found = answers(state)
    assert [found["7.7.E"], found["7.7.F"], found["7.7.G"]] == [[executive], [engineer], [control]]
