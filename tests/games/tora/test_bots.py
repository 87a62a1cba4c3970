"""Tests of the bots in battle: targets, waiting and return flights."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from tests.games.tora.battle import Battle
from tests.games.tora.helpers import ATTACK, wave
from tests.views import view_of

from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora import GAME
from readyroom.games.tora.bots import japan, usa
from readyroom.games.tora.bots.battle_view import Aims, BattleView
from readyroom.games.tora.figures import SideName
from readyroom.games.tora.plans.data import JapanesePlan

KATES = ("3SE", "kate", "ap", 6)
TWO_WAVES = msgspec.structs.replace(ATTACK, wave=(wave(1, KATES), wave(9, KATES)))


def over_ford_island(turn: int, attack: JapanesePlan, entered: int) -> Battle:
    """Place Kates north of Ford Island, where there are no battleships."""
    battle = Battle(turn, attack=attack).put("1NW", "kate-1", "kate-2", load="ap")
    battle.state.japan.entered = entered
    return battle


def bot_view(battle: Battle, side: SideName = "japan", yard_first: bool = True) -> BattleView:
    """Return a bot's view of a battle."""
    return BattleView(view_of(GAME, battle.state, side, turn=battle.turn), side, Aims(yard_first=yard_first))


def let_japan(battle: Battle, phase: str, about: str, yard_first: bool = True) -> None:
    """Play a phase in which the Japanese bot answers one question."""

    def decided(decision: Decision) -> Sequence[str]:
        return japan.DECIDE[about.partition(":")[0]](decision, bot_view(battle, yard_first=yard_first))

    battle.play(phase, {about: decided})


@pytest.mark.rule("tora", "7.3")
@pytest.mark.parametrize(("attack", "entered", "out"), [(ATTACK, 1, 10), (TWO_WAVES, 2, 2), (TWO_WAVES, 0, 0)])
def test_bot_counts_turns_from_latest_wave(attack: JapanesePlan, entered: int, out: int) -> None:
    battle = over_ford_island(11, attack, entered)
    assert bot_view(battle).out == out


@pytest.mark.rule("tora", "7.3")
def test_bot_expects_no_cancelled_wave() -> None:
    battle = over_ford_island(5, TWO_WAVES, 1)
    assert bot_view(battle).more_to_come
    battle.state.japan.off = True
    assert not bot_view(battle).more_to_come


@pytest.mark.rule("tora", "11.4")
def test_bot_sends_no_torpedo_at_wreck_or_covered_ship() -> None:
    battle = Battle()
    before = bot_view(battle).exposed()
    assert {"oklahoma", "maryland"} & before == {"oklahoma"}
    battle.ship("oklahoma").hits = 99
    assert before - bot_view(battle).exposed() == {"oklahoma"}


@pytest.mark.rule("tora", "11.1")
@pytest.mark.parametrize(("attack", "entered", "hit"), [(ATTACK, 1, True), (TWO_WAVES, 2, False)])
def test_second_wave_saves_bombs_on_its_way(attack: JapanesePlan, entered: int, hit: bool) -> None:
    battle = over_ford_island(11, attack, entered)
    let_japan(battle, "japan-attack-1", "attack:1NW:kate:ap")
    assert any(ship.hits for ship in battle.state.usa.ships) is hit


@pytest.mark.rule("tora", "11.1", "17.2")
@pytest.mark.parametrize("yard_first", [True, False])
def test_bot_with_yard_as_goal_bombs_it_evenly(yard_first: bool) -> None:
    battle = Battle().put("2SE", "val-1", "val-2", load="gp")
    battle.state.usa.yard[0].hits = 2
    let_japan(battle, "japan-attack-2", "attack:2SE:val:gp", yard_first)
    hit = [text.partition(" attacks ")[2].partition(" with ")[0] for text in battle.texts("11.1")]
    assert (hit == ["Navy Yard 2", "Navy Yard 3"]) is yard_first
    assert len(hit) == 2


@pytest.mark.rule("tora", "11.1", "11.3")
@pytest.mark.parametrize("zone", ["2SE", "2NW"])
def test_bot_keeps_bombs_for_yard_until_it_is_destroyed(zone: str) -> None:
    battle = Battle().put(zone, "val-1", load="gp")
    for token in battle.state.usa.yard[1:]:
        token.hits = token.capacity
    let_japan(battle, "japan-attack-2", f"attack:{zone}:val:gp")
    assert (battle.unit("val-1").acted == 4) is (zone == "2SE")
    battle.put(zone, "val-2", load="gp")
    battle.state.usa.yard[0].hits = battle.state.usa.yard[0].capacity
    let_japan(battle, "japan-attack-2", f"attack:{zone}:val:gp")
    assert battle.unit("val-2").acted == 4, "now for the fields"


@pytest.mark.rule("tora", "11.1")
def test_bot_names_no_more_targets_than_units_with_that_load() -> None:
    battle = (
        Battle()
        .put("2SE", "kate-1", "kate-3", load="gp")
        .put("2SE", "kate-2", load="ap")
        .put("2SE", "val-1", load="gp")
    )
    battle.unit("kate-3").acted = battle.turn
    let_japan(battle, "japan-attack-2", "attack:2SE:kate:gp")
    assert (battle.unit("kate-1").acted, battle.unit("kate-2").acted) == (4, 0)
    assert len(battle.texts("11.1")) == 1, "the third had flown in"


@pytest.mark.rule("tora", "8.3", "16.3")
def test_bot_divides_units_with_different_goals() -> None:
    battle = Battle().put("3SE", "val-1", load="gp").put("3SE", "val-2")

    def decided(decision: Decision) -> Sequence[str]:
        return japan.move(decision, bot_view(battle))

    battle.play("japan-move-3", dict.fromkeys(("move:3SE", "move:3SE:2SE", "move:3SE:carriers"), decided))
    assert (battle.place("val-1"), battle.place("val-2")) == ("2SE", "carriers")


@pytest.mark.rule("tora", "8.3")
@pytest.mark.parametrize(("zone", "place"), [("2SE", "2SE"), ("1SE", "1SE"), ("1NW", "2SE")])
def test_fighters_fly_to_bombers_and_stay_where_they_find_some(zone: str, place: str) -> None:
    battle = Battle(4).put(zone, "val-1", load="gp").put("2SE", "p40-1")

    def decided(decision: Decision) -> Sequence[str]:
        return usa.move(decision, bot_view(battle, "usa"))

    battle.play("usa-move-2", {"move:2SE": decided})
    assert battle.place("p40-1") == place


@pytest.mark.rule("tora", "12.1")
@pytest.mark.parametrize(
    ("loads", "targets"), [(("gp", "none"), {"val-1"}), (("none", "none"), {"val-1", "val-2"})], ids=["one", "none"]
)
def test_guns_prefer_targets_that_may_carry_ordnance(loads: tuple[str, str], targets: set[str]) -> None:
    battle = Battle(6).put("2SE", "val-1", load=loads[0]).put("2SE", "val-2", load=loads[1])
    fired: list[str] = []

    def decided(decision: Decision) -> Sequence[str]:
        fired.extend(usa.fire(decision, bot_view(battle, "usa")))
        return fired

    battle.play("usa-attack-2", {"fire:2SE:aaa": decided})
    assert set(fired) == targets


@pytest.mark.rule("tora", "8.3", "10.3")
@pytest.mark.parametrize(
    ("attack", "entered", "load", "fights"),
    [(TWO_WAVES, 2, "ap", True), (TWO_WAVES, 1, "none", True), (TWO_WAVES, 2, "none", False)],
    ids=["a bomber has its load", "a wave is to come", "nothing needs them"],
)
def test_zeros_fight_while_needed_and_then_return(attack: JapanesePlan, entered: int, load: str, fights: bool) -> None:
    battle = Battle(11, attack=attack).put("2SE", "kate-1", load=load).put("2SE", "zero-1")
    battle.state.japan.entered = entered
    let_japan(battle, "japan-attack-2", "attack:2SE:zero:none")
    assert (battle.unit("zero-1").acted == 11) is fights
    if not fights:
        let_japan(battle, "japan-move-2", "move:2SE")
        assert battle.place("zero-1") == "3SE"
