"""Tests of section 18 and ruling M15: end of the battle, and victory."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.midway.helpers import Battle

from readyroom.engine.match import Match
from readyroom.games.midway import GAME

JAPANESE = {"hiryu": 10, "soryu": 10, "akagi": 10, "kaga": 10}
AMERICAN = {"enterprise": 10, "hornet": 10, "yorktown": 10}


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


@pytest.mark.rule("midway", "18", "18.1", "M15")
@pytest.mark.parametrize(("sunk", "winner"), [(JAPANESE, "usa"), (AMERICAN, "japan")])
def test_battle_ends_when_side_has_no_carrier_and_no_strike_left(
    battle: Battle, sunk: dict[str, int], winner: str
) -> None:
    outcome = battle.damage(**sunk).play("end", None).outcome
    assert outcome is not None
    assert outcome.winner == winner
    loser = "Japan" if winner == "usa" else "United States"
    assert outcome.text.startswith(f"{loser} can neither launch nor strike any more: Japan ")


@pytest.mark.rule("midway", "18.2", "18.1")
@pytest.mark.parametrize(
    ("sunk", "message"),
    [
        ({"akagi": 10}, "Turn 20 was the last: Japan 0, United States 10 points."),
        (
            JAPANESE | AMERICAN,
            "Japan and United States can neither launch nor strike any more: Japan 30, United States 40 points.",
        ),
    ],
)
def test_outcome_states_why_battle_ended(battle: Battle, sunk: dict[str, int], message: str) -> None:
    battle.turn = 20
    played = battle.damage(**sunk).play("end", None)
    assert played.outcome is not None
    assert played.outcome.text == message
    assert f"{message} United States wins." in played.log_text("18.2")


@pytest.mark.rule("midway", "9.3", "M11")
@pytest.mark.parametrize(("damage", "lost"), [(6, False), (7, True)])
def test_airborne_squadron_at_end_is_lost_unless_carrier_works(battle: Battle, damage: int, lost: bool) -> None:
    battle.turn = 20
    battle.put("home", "kaga-db-1").damage(**JAPANESE | {"kaga": damage})
    battle.play("end", None)
    assert battle.where("kaga-db-1") == ("lost" if lost else "home")


@pytest.mark.rule("midway", "18.1", "M15")
def test_battle_continues_with_one_crippled_carrier(battle: Battle) -> None:
    battle.damage(**JAPANESE | {"kaga": 9})
    assert battle.play("end", None).outcome is None


@pytest.mark.rule("midway", "18.1", "M15")
@pytest.mark.parametrize("box", ["moving", "ready", "over hornet"])
def test_last_strike_of_side_without_carriers_is_flown(battle: Battle, box: str) -> None:
    battle.put(box, "kaga-db-1").damage(**JAPANESE)
    assert battle.play("end", None).outcome is None


@pytest.mark.rule("midway", "18.1", "M15")
@pytest.mark.parametrize("box", ["home", "waiting", "cap 1"])
def test_returning_squadrons_and_cap_do_not_prolong_battle(battle: Battle, box: str) -> None:
    battle.put(box, "kaga-f-1").damage(**JAPANESE)
    assert battle.play("end", None).outcome is not None


@pytest.mark.rule("midway", "18.1", "M15", "M3")
def test_fighters_unable_to_search_do_not_prolong_battle() -> None:
    battle = Battle().put("moving", "hornet-f-1").damage(**AMERICAN)
    assert not battle.state.found
    battle.play("move", "usa")
    assert [squadron.key for squadron in battle.state.usa.home] == ["hornet-f-1"]
    assert battle.play("end", None).outcome is not None


@pytest.mark.rule("midway", "18.1")
@pytest.mark.parametrize("limit", [8, 12, 15, 20, 30, 60])
def test_battle_ends_after_last_turn(limit: int) -> None:
    battle = Battle(turn=limit - 1, turn_limit=limit).settle()
    assert battle.play("end", None).outcome is None
    battle.turn = limit
    assert battle.play("end", None).outcome is not None


@pytest.mark.rule("midway", "18.1", "M15")
def test_twentieth_turn_is_last_by_default() -> None:
    assert Battle().state.rulings.turn_limit == 20


@pytest.mark.rule("midway", "18.1")
def test_match_does_not_end_in_middle_of_turn() -> None:
    """The other side still plays its step of the turn."""
    for seed in range(8):
        match = Match(GAME, seed=f"end {seed}")
        random = Random(seed)
        while match.outcome is None:
            decision = next(iter(match.pending.values()))
            match.decide(decision.seat, decision.sample(random))
        assert match.state.at.phase == "end"
        assert match.full_log[-1].phase == "end"


SCORES = [
    ({}, {}, (0, 0), None),
    ({"akagi": 6, "kaga": 6}, {}, (0, 0), None),
    ({"akagi": 7}, {}, (0, 4), "usa"),
    ({"akagi": 9}, {}, (0, 4), "usa"),
    ({"akagi": 10}, {}, (0, 10), "usa"),
    ({"akagi": 7}, {"hornet": 8}, (4, 4), None),
    ({"akagi": 7, "kaga": 7, "soryu": 9}, {"hornet": 10}, (10, 12), None),
    ({"akagi": 7, "kaga": 7, "soryu": 9, "hiryu": 7}, {"hornet": 10}, (10, 16), "usa"),
    ({"akagi": 10}, {"hornet": 10, "yorktown": 7}, (14, 10), "japan"),
    (JAPANESE, AMERICAN, (30, 40), "usa"),
]


@pytest.mark.rule("midway", "18.2", "M15")
@pytest.mark.parametrize(("japanese", "american", "scores", "winner"), SCORES)
def test_score_counts_sunk_and_crippled_and_lead_of_four_wins(
    japanese: dict[str, int], american: dict[str, int], scores: tuple[int, int], winner: str | None
) -> None:
    battle = Battle(turn=20).settle().damage(**japanese, **american)
    outcome = battle.play("end", None).outcome
    assert outcome is not None
    assert outcome.scores == {"japan": scores[0], "usa": scores[1]}
    assert outcome.winner == winner
    assert (outcome.title == "draw") is (winner is None)


@pytest.mark.rule("midway", "18.2", "M15")
def test_points_and_lead_stand_in_data_as_reconstructed_figures() -> None:
    worth = GAME.data.combat.victory
    assert (worth.sunk, worth.crippled, worth.lead, worth.source) == (10, 4, 4, "reconstructed")


@pytest.mark.rule("midway", "18.2", "M10")
def test_squadrons_score_no_points(battle: Battle) -> None:
    battle.turn = 20
    battle.put("lost", *[s.key for s in list(battle.state.usa.squadrons())])
    outcome = battle.play("end", None).outcome
    assert outcome is not None
    assert outcome.scores == {"japan": 0, "usa": 0}


@pytest.mark.rule("midway", "18.2", "16.1", "16.2")
def test_epilogue_lists_carriers_and_losses(battle: Battle) -> None:
    battle.damage(soryu=10, akagi=8, kaga=3).put("lost", "hiryu-f-1")
    japan, usa = GAME.presentation.epilogue(battle.state, GAME.data)
    assert japan == (
        "Japan: Hiryu unhurt, Soryu sunk, Akagi crippled, damage 8, Kaga damage 3; 13 of 53 squadrons lost."
    )
    assert usa == "United States: Enterprise unhurt, Hornet unhurt, Yorktown unhurt; 0 of 48 squadrons lost."


@pytest.mark.rule("midway", "18.1", "M25")
@pytest.mark.parametrize(
    ("option", "place", "over"),
    [("yes", "waiting", True), ("no", "waiting", False), ("yes", "moving", False), ("yes", "ready", False)],
)
def test_early_end_option_ends_battle_without_strikes(option: str, place: str, over: bool) -> None:
    battle = Battle(early_end=option).settle()
    battle.damage(akagi=7, kaga=10, soryu=10, hiryu=7, enterprise=7, hornet=9, yorktown=8)
    battle.put(place, "akagi-db-1").put("moving", "hornet-f-1")
    outcome = battle.play("end", None).outcome
    assert bool(outcome) == over
    if outcome is not None:
        assert outcome.text.startswith("Neither side can strike any more")


@pytest.mark.rule("midway", "18.1", "M25")
def test_side_with_working_carrier_and_bombers_can_still_strike() -> None:
    battle = Battle(early_end="yes").settle()
    battle.damage(akagi=6, kaga=10, soryu=10, hiryu=7, enterprise=7, hornet=9, yorktown=8)
    assert battle.play("end", None).outcome is None
