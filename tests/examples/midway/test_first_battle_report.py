"""The first battle report, replayed with fixed dice: a Japanese victory.

Each act of the battle is a function; the test of an act first plays the acts before it.
"""

from __future__ import annotations

import pytest
from tests.games.midway.helpers import Battle, Played, nothing, reply


def squadrons(carrier: str, kind: str, *numbers: int) -> list[str]:
    return [f"{carrier}-{kind}-{n}" for n in numbers]


def first_wave(battle: Battle) -> Played:
    """Play the first American wave, which meets no CAP."""
    battle.turn = 3
    soryu, hiryu = squadrons("yorktown", "db", 1, 2, 3, 4), squadrons("hornet", "db", 1, 2, 3, 4)
    battle.put("ready", *soryu, *hiryu, "enterprise-db-1", "enterprise-tb-1")
    return battle.play(
        "attack",
        "usa",
        reply("12.1", "Hiryu", *hiryu),
        reply("12.1", "Soryu", *soryu),
        reply("12.1", "Akagi", "enterprise-db-1"),
        reply("12.1", "Kaga", "enterprise-tb-1"),
        reply("12.3", "hits", *["hornet-db-1"] * 3),
        reply("12.3", "hits", *["yorktown-db-1"] * 2),
        dice=[
            *(4, 5, 6, 1, 1, 1, 1),  # the Hiryu's guns: three of twenty points are lost
            *[5] * 7,
            *[1] * 10,  # seven bombs
            *(4, 4, 3, 3, 2, 1),  # the Soryu's guns: two of twenty
            *(6, 6),
            *[5] * 7,
            *[2] * 9,  # nine bombs, two of them 6's
            *(6, 1),  # one more
            3,
            *(6, 6, 6, 1, 1, 1, 1),  # the Akagi's guns: three of five
            *(5, 1),
            *(5, 5, 1, 1, 1, 1, 1, 1, 1),  # the Kaga's guns: two of five
            *(6, 2, 3),  # one torpedo, two hits
            4,
        ],
    )


def retaliation(battle: Battle) -> Played:
    """Play the Japanese strike that destroys the Yorktown and damages the Hornet."""
    battle.turn = 4
    vals, kates = squadrons("akagi", "db", 1, 2, 3, 4), squadrons("kaga", "tb", 1, 2)
    battle.put("ready", *vals, *kates)
    return battle.play(
        "attack",
        "japan",
        reply("12.1", "Hornet", *kates),
        reply("12.1", "Yorktown", *vals),
        reply("12.3", "hits", *["kaga-tb-1"] * 2),
        reply("12.3", "hits", *["akagi-db-1"] * 3),
        otherwise=nothing,
        dice=[
            *(4, 4),
            *[1] * 10,  # the Hornet's guns: two of ten points are lost
            6,
            *[1] * 7,
            1,  # one torpedo, two hits
            *(6, 5, 4),
            *[3] * 9,  # the Yorktown's guns: three of twenty
            *[5] * 10,
            *[4] * 7,  # ten bombs
        ],
    )


def second_strike(battle: Battle) -> tuple[Played, Played]:
    """Play the second American strike, without escorts and with heavy losses to Zeros.

    The survivors sink the Hiryu and cripple the Akagi.
    """
    battle.turn = 7
    zeros = [*squadrons("akagi", "f", 1, 2, 3, 4), "kaga-f-1"]
    dive, torpedo = squadrons("hornet", "db", 5, 6, 7, 8), squadrons("enterprise", "tb", 2, 3)
    battle.put("cap 1", *zeros).put("ready", *dive, *torpedo)
    cap = battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", *zeros),
        reply("11.4", "each type", *["TB"] * 6, *["DB"] * 7),
        reply("11.4", "hits", *["enterprise-tb-2"] * 5, "enterprise-tb-3"),
        reply("11.4", "hits", *["hornet-db-5"] * 5, *["hornet-db-6"] * 2),
        dice=[4] * 13 + [3] * 12,
    )
    attack = battle.play(
        "attack",
        "usa",
        reply("12.1", "Hiryu", "hornet-db-6", "enterprise-tb-3"),
        reply("12.1", "Akagi", "hornet-db-7", "hornet-db-8"),
        reply("12.3", "hits", "hornet-db-6"),
        reply("12.3", "hits", "hornet-db-7", "hornet-db-7"),
        otherwise=nothing,
        dice=[
            *(4, 1, 1, 1, 1, 1, 1),  # the Hiryu's guns
            *(5, 2),  # the two dive bombers left of three: one bomb
            *(6, 1, 1, 1),
            2,  # and one torpedo
            *(4, 4, 1, 1, 1, 1, 1),  # the Akagi's guns
            *(6, 5, 5, 5, 5, 5, 1, 1),
            4,  # six bombs
        ],
    )
    return cap, attack


def japanese_second_wave(battle: Battle) -> Played:
    """Play the Kates' attack that sinks the Enterprise and leaves the Hornet burning."""
    battle.turn = 8
    at_enterprise, at_hornet = squadrons("kaga", "tb", 3, 4, 5, 6), squadrons("kaga", "db", 1, 2, 3)
    battle.put("ready", *at_enterprise, *at_hornet)
    return battle.play(
        "attack",
        "japan",
        reply("12.1", "Enterprise", *at_enterprise),
        reply("12.1", "Hornet", *at_hornet),
        reply("12.3", "hits", *["kaga-tb-3"] * 5, *["kaga-tb-4"] * 3),
        reply("12.3", "hits", *["kaga-db-1"] * 5),
        dice=[
            *[4] * 8,
            *[1] * 8,  # the Enterprise's sixteen guns: eight of twenty points are lost
            *(6, 6, 6, 6),
            *[1] * 8,  # four torpedoes: eight hits
            *(6, 6, 1, 1),  # ten
            *(2, 2),
            *[5] * 5,
            *[2] * 7,  # the Hornet's guns: five of fifteen
            *[5] * 5,
            *[1] * 5,  # five bombs
        ],
    )


def knock_out(battle: Battle) -> Played:
    """Play the Kaga's wave that sinks the Hornet through heavy anti-aircraft fire."""
    battle.turn = 10
    battle.put("ready", "kaga-db-4", "kaga-db-5")
    return battle.play(
        "attack",
        "japan",
        reply("12.1", "Hornet", "kaga-db-4", "kaga-db-5"),
        reply("12.3", "hits", *["kaga-db-4"] * 5, "kaga-db-5"),
        dice=[6, 6, 6, 5, 4, 4, 1, 1, 1, 1, 1, 1, *(5, 6, 5, 1), 3],
    )


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


@pytest.mark.rule("midway", "2", "12", "12.4", "16.1", "16.2")
def test_first_wave_sinks_soryu_and_cripples_hiryu(battle: Battle) -> None:
    first_wave(battle)
    damage = {carrier.key: carrier.damage for carrier in battle.state.japan.carriers}
    assert damage == {"hiryu": 7, "soryu": 10, "akagi": 1, "kaga": 2}
    assert battle.state.crippled(battle.carrier("hiryu"))


@pytest.mark.rule("midway", "2", "12.2", "12.5", "M10")
def test_retaliation_destroys_yorktown_and_damages_hornet(battle: Battle) -> None:
    first_wave(battle)
    retaliation(battle)
    assert [battle.carrier(key).damage for key in ("yorktown", "hornet", "enterprise")] == [10, 2, 0]
    assert battle.where("yorktown-f-1") == "lost"
    assert battle.where("yorktown-db-2") == "home", "the bombers that sank the Soryu are in the air and fly on"


@pytest.mark.rule("midway", "2", "11", "11.2", "11.4")
def test_second_wave_without_fighters_is_destroyed_by_zeros(battle: Battle) -> None:
    first_wave(battle)
    retaliation(battle)
    cap, _ = second_strike(battle)
    assert [len(faces) for faces in cap.dice("11.3")] == [25], (
        "all Zeros attack the bombers, and there is no return fire"
    )
    assert {battle.where(key) for key in ("enterprise-tb-2", "hornet-db-5")} == {"lost"}
    assert battle.carrier("hiryu").damage == 10
    assert battle.state.crippled(battle.carrier("akagi"))
    assert battle.state.working(battle.state.japan) == [battle.carrier("kaga")], "the Kaga is still operational"


@pytest.mark.rule("midway", "2", "12.5", "16.2")
def test_kates_sink_enterprise_and_leave_hornet_burning_wreck(battle: Battle) -> None:
    for act in (first_wave, retaliation, second_strike, japanese_second_wave):
        act(battle)
    assert battle.carrier("enterprise").damage == 10
    assert battle.carrier("hornet").damage == 7
    assert battle.state.crippled(battle.carrier("hornet"))


@pytest.mark.rule("midway", "2", "18.1", "18.2")
def test_kaga_last_wave_finishes_hornet_and_japan_wins(battle: Battle) -> None:
    for act in (first_wave, retaliation, second_strike, japanese_second_wave, knock_out):
        act(battle)
    assert all(carrier.damage == 10 for carrier in battle.state.usa.carriers)
    assert battle.carrier("kaga").damage < 7, "the powerful Kaga was still operational"
    outcome = battle.play("end", None).outcome
    assert outcome is not None
    assert outcome.winner == "japan"
    assert outcome.scores == {"japan": 30, "usa": 20 + 4}
