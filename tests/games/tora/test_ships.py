"""Tests of sections 8.5 and 8.6: ship movement, nests and the channel in battle."""

from __future__ import annotations

import pytest
from tests.games.tora.battle import Battle

from readyroom.engine.errors import IllegalChoice
from readyroom.games.tora.harbor import zone_of
from readyroom.games.tora.state import Ship


def zone(battle: Battle, ship: Ship) -> str:
    assert ship.berth is not None
    from tests.games.tora.helpers import DATA

    return zone_of(DATA.places.harbor, ship.berth, ship.length)


@pytest.mark.rule("tora", "8.5")
def test_ship_moves_length_in_harbor() -> None:
    battle = Battle()
    battle.play("usa-move-1", {"sail:1": ["nevada"], "course:nevada": ["east"]})
    nevada = battle.ship("nevada")
    assert nevada.berth is not None
    assert (nevada.berth.x, nevada.moved) == (36 + nevada.length, 4)
    texts = {option.key: option.text for option in battle.question("course:nevada").options}
    assert texts.items() >= {"east": "to the east", "south": "to the south", "sea": "to sea"}.items()
    assert "lie" in texts
    assert battle.texts("8.5") == ["Nevada moves within 1SE."]


@pytest.mark.rule("tora", "8.5")
def test_and_three_lengths_at_sea() -> None:
    battle = Battle()
    detroit = battle.berth("detroit", 20, 70)
    battle.play("usa-move-3", {"sail:3": ["detroit"], "course:detroit": ["east"]})
    assert detroit.berth is not None
    assert detroit.berth.x == 20 + 3 * detroit.length


@pytest.mark.rule("tora", "8.5", "8.6", "18.4", "T17")
def test_ship_reaches_sea_in_stages_and_stops_there() -> None:
    battle = Battle()
    detroit = battle.berth("detroit", 40, 40, "v")
    been = []
    for turn in range(4, 14):
        battle.turn = turn
        for ring in (1, 2, 3):
            where = zone(battle, detroit)
            answers = {f"sail:{ring}": ["detroit"], "course:detroit": ["sea"]} if int(where[0]) == ring else {}
            if answers and detroit.moved != turn and where != "3SE":
                battle.play(f"usa-move-{ring}", answers)
                been.append(zone(battle, detroit))
    assert been[0] == "1SE"
    assert "2SE" in been
    assert been[-1] == "3SE"


@pytest.mark.rule("tora", "8.5", "T17", "10.1")
def test_ship_at_sea_can_be_attacked_there() -> None:
    battle = Battle().put("3SE", "kate-1", load="torpedo")
    battle.berth("detroit", 20, 70)
    battle.play("japan-attack-3", {"attack:3SE:kate:torpedo": ["detroit"]}, dice=[5, 5, 5, 1])
    assert battle.ship("detroit").sunk


@pytest.mark.rule("tora", "5.15", "8.5")
def test_outer_ship_of_nest_moves_first_and_inner_one_may_follow() -> None:
    battle = Battle()
    battle.play("usa-move-1", {"sail:1": ["oklahoma"], "course:oklahoma": ["south"]})
    first, second = (decision for decision in battle.asked if decision.piece_key == "sail:1")
    assert "maryland" not in first.keys
    assert second.keys == ["maryland"]


@pytest.mark.rule("tora", "8.5", "11.4", "5.15")
def test_torpedoes_reach_inner_ship_when_outer_has_left() -> None:
    battle = Battle().put("1SW", "kate-1", load="torpedo")
    battle.play("japan-attack-1")
    assert "maryland" not in battle.question("attack:1SW:kate:torpedo").keys
    battle.play("usa-move-1", {"sail:1": ["oklahoma"], "course:oklahoma": ["south"]})
    battle.turn = 5
    battle.play("japan-attack-1")
    assert "maryland" in battle.question("attack:1SW:kate:torpedo").keys


@pytest.mark.rule("tora", "5.15", "T24", "T13")
def test_ship_that_cannot_sail_gets_reason() -> None:
    battle = Battle()
    battle.ship("utah").hits = 9

    def none(decision: object) -> list[str]:
        for key, reason in (("maryland", "must move first"), ("pennsylvania", "in dry dock"), ("utah", "has sunk")):
            with pytest.raises(IllegalChoice, match=reason):
                decision.accept([key])  # type: ignore[attr-defined]
        return []

    battle.play("usa-move-1", {"sail:1": none})


@pytest.mark.rule("tora", "8.6", "T25")
def test_ship_sunk_in_channel_blocks_it() -> None:
    battle = Battle().put("2SE", "kate-1", load="ap")
    battle.berth("raleigh", 41, 50, "v")
    detroit = battle.berth("detroit", 41, 46, "v")
    battle.play("japan-attack-2", {"attack:2SE:kate:ap": ["raleigh"]}, dice=[5] * 4)
    assert battle.texts("8.6") == ["Raleigh's wreck blocks the channel."]
    battle.play("usa-move-2", {"sail:2": ["detroit"], "course:detroit": ["south"]})
    assert detroit.berth is not None
    assert detroit.berth.y + detroit.length - 1 < 50
    assert battle.texts("8.6") == ["A wreck blocks the channel."] or detroit.berth.y == 47


@pytest.mark.rule("tora", "8.6")
@pytest.mark.parametrize(
    ("where", "logged"),
    [
        ((20, 40, "h"), True),
        ((41, 46, "v"), True),
        ((40, 51, "v"), True),
        ((41, 55, "v"), False),
        ((41, 70, "v"), False),
    ],
    ids=["in the harbor", "landward of it", "next to it", "seaward of it", "at sea"],
)
def test_blocked_channel_is_logged_only_for_ship_shut_in(where: tuple[int, int, str], logged: bool) -> None:
    battle = Battle()
    battle.berth("raleigh", 42, 50, "v")
    battle.ship("raleigh").hits = 9
    detroit = battle.berth("detroit", *where)
    ring = int(zone(battle, detroit)[0])
    battle.play(f"usa-move-{ring}", {f"sail:{ring}": ["detroit"]})
    assert battle.texts("8.6") == (["A wreck blocks the channel."] if logged else [])


@pytest.mark.rule("tora", "8.5")
def test_ship_that_was_to_sail_may_stay_after_all() -> None:
    battle = Battle()
    before = battle.ship("nevada").berth
    battle.play("usa-move-1", {"sail:1": ["nevada"], "course:nevada": ["lie"]})
    assert battle.ship("nevada").berth == before
    assert battle.ship("nevada").moved == 0


@pytest.mark.rule("tora", "8.5", "T25")
def test_berth_in_reach_may_be_chosen_with_or_without_turn() -> None:
    battle = Battle()
    answers = {"course:nevada": ["other"], "to-column:nevada": ["x-39"], "to-berth:nevada": ["v-39-27"]}
    battle.play("usa-move-1", {"sail:1": ["nevada"], **answers})
    berth = battle.ship("nevada").berth
    assert berth is not None
    assert (berth.x, berth.y, berth.lie) == (39, 27, "v")
    assert all(key.startswith(("h-39-", "v-39-")) for key in battle.question("to-berth:nevada").keys)


@pytest.mark.rule("tora", "8.5", "8.6", "T25")
def test_ship_that_finds_no_berth_straight_ahead_may_still_turn() -> None:
    battle = Battle()
    battle.berth("raleigh", 41, 46, "v")
    battle.berth("neosho", 41, 49, "v")
    battle.ship("neosho").hits = 9
    for key, x, y, lie in (("tangier", 40, 45, "h"), ("vestal", 40, 46, "v"), ("detroit", 42, 46, "v")):
        battle.berth(key, x, y, lie)
    answers = {"course:raleigh": ["other"], "to-column:raleigh": ["x-40"], "to-berth:raleigh": ["h-40-44"]}
    battle.play("usa-move-2", {"sail:2": ["raleigh"], **answers})
    assert battle.question("course:raleigh").keys == ["lie", "other"]


@pytest.mark.rule("tora", "5.2", "8.5")
def test_ships_get_under_way_only_when_they_may_react() -> None:
    battle = Battle(3)
    battle.play("usa-move-1")
    assert not battle.asked


@pytest.mark.rule("tora", "16.1")
def test_seats_are_asked_for_own_ships() -> None:
    battle = Battle(usa_players=2)
    battle.play("usa-move-1")
    asked = {decision.seat: decision.keys for decision in battle.asked if decision.piece_key == "sail:1"}
    assert set(asked) == {"usa-north", "usa-south"}
    assert "raleigh" in asked["usa-north"]
    assert "nevada" in asked["usa-south"]
    assert not set(asked["usa-north"]) & set(asked["usa-south"])
