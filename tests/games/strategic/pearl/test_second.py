"""Tests of staying or withdrawing, interception, the carrier battle and scoring."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import pytest
from tests.games.strategic.pearl.helpers import DATA, Battle

from readyroom.engine.errors import IllegalChoice
from readyroom.games.strategic.pearl import GAME
from readyroom.games.strategic.pearl.scoring import margin, outcome, points, scores
from readyroom.games.strategic.pearl.state import Condition
from readyroom.games.strategic.pearl.views import ColumnView


def staying(*places: str, **options: Any) -> Battle:
    """Return a state in which Japan stays, with the forces in these places."""
    battle = Battle(**options)
    for force, place in zip(battle.raid.forces, places, strict=True):
        battle.force(force.key, place, seen=place == "Pearl")
    battle.raid.die, battle.raid.stays = 3, True
    return battle


# -- stay or withdraw --------------------------------------------------------------------------------------------------


@pytest.mark.rule("pearl", "PH.10", "P9")
def test_withdrawal_scores_unseen_and_recovers_squadrons() -> None:
    battle = Battle().attackers(10, escorts=6).force("tf8", "3").force("tf12", "4")
    battle.raid.die = 3
    battle.raid.back, battle.raid.attackers = battle.raid.attackers[:4], battle.raid.attackers[4:]
    battle.raid.army.ready, battle.raid.army.up, battle.raid.army.grounded = 0, 1, 2
    battle.play("decision", {"stay": ["withdraw"]})
    assert battle.raid.stays is False
    assert battle.texts("PH.10") == ["Japan withdraws. The striking force was not seen."]
    assert len(battle.raid.aboard) == len(list(battle.raid.squadrons())) == 30
    assert battle.raid.aboard == sorted(battle.raid.aboard, key=attrgetter("key")), "sorted regardless of which flew"
    assert battle.raid.army.ready == 3
    assert points(battle.raid) == {"japan": [("the striking force unseen", 9)], "usa": []}


@pytest.mark.rule("pearl", "PH.10", "P7")
def test_staying_asks_for_patrol() -> None:
    battle = Battle().force("tf8", "3").force("tf12", "4")
    battle.raid.die = 3
    battle.play("decision", {"stay": ["second-strike"], "patrol": ["patrol-6"]})
    assert (len(battle.raid.patrol), len(battle.raid.aboard)) == (6, 24)
    assert battle.texts("PH.10") == ["Japan stays for a second strike, with 6 squadrons on patrol."]
    with pytest.raises(IllegalChoice, match="choose a multiple of 3"):
        battle.question("patrol").accept("patrol-4")
    hints = [option.info for option in battle.question("patrol").options]
    notes = [hint.note for hint in hints if hint is not None]
    assert notes[0] == "of 5 squadrons that attack, 5 get through on average"
    results = [DATA.air.read(2, one + other) for one in range(1, 7) for other in range(1, 7)]
    through = sum(max(0, 5 - shot - turned) for shot, turned in results) / 36
    mean = float(notes[2].removeprefix("of 5 squadrons that attack, ").split()[0])
    assert mean == pytest.approx(through, abs=0.05), "six squadrons are two factors"


@pytest.mark.rule("pearl", "PH.10")
def test_no_squadrons_forces_withdrawal() -> None:
    battle = Battle().force("tf8", "3").force("tf12", "4")
    battle.raid.die = 3
    battle.raid.lost, battle.raid.aboard = battle.raid.aboard, []
    battle.play("decision")
    assert not battle.decisions
    assert battle.raid.stays is False
    assert not any("stays" in line.text for line in battle.log)


@pytest.mark.rule("pearl", "51.31.3", "PH.3")
def test_stay_hint_uses_only_japans_knowledge() -> None:
    battle = Battle(magic=(2, 0)).force("tf8", "Pacific").force("tf12", "2")
    battle.raid.die = 6
    battle.play("decision", {"stay": ["withdraw"]})
    hint = battle.question("stay").options[1].info
    assert hint is not None
    assert hint.chance == pytest.approx(battle.view("japan").risk)
    assert "32–33 (" in hint.note
    battle.force("tf12", "Auto")
    again = battle.question("stay").options[1].info
    assert again == hint, "where the forces are must not show"


@pytest.mark.rule("pearl", "51.31.3", "PH.3")
@pytest.mark.parametrize(
    ("places", "risk"),
    [(("4", "Pacific"), 1 / 2), (("4", "3"), 1 - 1 / 6), (("Auto", "6"), 1), (("Pearl", "6"), 1 / 6)],
)
def test_usa_sees_true_risk(places: tuple[str, str], risk: float) -> None:
    assert staying(*places).view("usa").risk == pytest.approx(risk)


# -- interception ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pearl", "51.31.3", "A22")
@pytest.mark.parametrize(("face", "seen"), [(3, False), (4, True), (6, True)])
def test_force_at_sea_intercepts_on_number(face: int, seen: bool) -> None:
    battle = staying("4", "Pacific").play("interception", {"intercept": ["tf8"]}, dice=[face], turn=2)
    assert battle.raid.forces[0].seen is seen
    assert not any("finds" in text or "fails" in text for text in battle.texts("51.31.3", "japan"))
    with pytest.raises(IllegalChoice, match="cannot intercept: it is far away in the Pacific"):
        battle.question("intercept").accept(["tf12"])


@pytest.mark.rule("pearl", "51.31.3", "A22")
def test_automatic_force_intercepts_without_roll() -> None:
    battle = staying("Auto", "2").play("interception", {"intercept": []}, turn=2)
    assert [force.seen for force in battle.raid.forces] == [True, False]
    with pytest.raises(IllegalChoice, match="intercepts automatically"):
        battle.question("intercept").accept(["tf8"])


@pytest.mark.rule("pearl", "PH.10", "A7")
@pytest.mark.parametrize(("guns", "text"), [("table", "guns of strength 6"), ("none", "no guns")])
def test_stay_hint_shows_guns(guns: str, text: str) -> None:
    battle = Battle(guns=guns).force("tf8", "3").force("tf12", "4")
    battle.raid.die = 3
    battle.play("decision", {"stay": ["withdraw"]})
    hint = battle.question("stay").options[1].info
    assert hint is not None
    assert f"no surprise: 5 air factors and {text} meet the strike; " in hint.note


@pytest.mark.rule("pearl", "51.31.3")
def test_interceptions_are_revealed_to_japan() -> None:
    battle = staying("4", "Auto").play("interception", {"intercept": ["tf8"]}, dice=[4], turn=2)
    assert battle.texts("51.31.3", "japan") == [
        "Task Force 8 (Enterprise) intercepts: it was at sea at distance 4.",
        "Task Force 12 (Lexington) intercepts: it was at sea nearby (automatic interception).",
    ]


@pytest.mark.rule("pearl", "PH.3", "51.31.3")
def test_usa_is_asked_even_if_no_force_can_intercept() -> None:
    battle = staying("Pacific", "Pearl").play("interception", turn=2)
    question = battle.question("intercept")
    assert question.keys == ["quiet"]
    assert question.only_continues
    assert battle.texts("51.31.3", "japan") == ["No American carriers intercept."]
    assert not staying("Pearl", "Pearl").play("interception", turn=2).decisions


# -- the carrier battle ------------------------------------------------------------------------------------------------


def met(patrol: int = 0, **options: Any) -> Battle:
    """Return a state in which Task Force 8 has found the Japanese carriers."""
    battle = staying("2", "Pacific", **options)
    battle.raid.forces[0].seen = battle.raid.searched = True
    battle.raid.keep(patrol)
    return battle


@pytest.mark.rule("pearl", "PH.11", "20.51")
def test_carrier_strikes_are_simultaneous() -> None:
    plans = {"carrier-battle": ["enterprise"] * 6, "tf8": ["tf8:akagi"] * 5}
    battle = met().play("carrier-battle", plans, dice=[3, 4, 3, 3], turn=2)
    assert [line.rolls[0].result for line in battle.log if line.rolls] == [
        "2d6 + 1 ships at sea = 8, row 5: 4",
        "2d6 + 1 ships at sea = 7, row 6: 4",
    ]
    assert battle.ship("akagi").sunk
    assert battle.ship("enterprise").sunk
    assert len(battle.raid.away) == 6
    assert battle.texts("PH.11", None)[:2] == [
        "Japan sends 6 squadrons against the American carriers.",
        "Task Force 8 sends 5 of its 5 squadrons.",
    ]


@pytest.mark.rule("pearl", "PH.11")
def test_unattacked_patrol_does_not_roll() -> None:
    battle = met(patrol=3).force("tf12", "2", seen=True)
    plans: dict[str, Any] = {"carrier-battle": [], "tf8": [], "tf12": ["tf12:akagi"] * 2}
    battle.play("carrier-battle", plans, dice=[1, 1, 1, 1], turn=2)
    assert [line.rolls[0].name for line in battle.log if line.rolls] == ["Japanese patrol", "attack on Akagi"]
    assert [text for text in battle.texts("PH.11", None) if "Force" in text] == [
        "Task Force 8 sends 0 of its 5 squadrons.",
        "Task Force 12 sends 2 of its 5 squadrons.",
    ]


@pytest.mark.rule("war", "19.2")
@pytest.mark.rule("pearl", "PH.11", "P7", "19.2")
def test_patrols_fire_at_incoming_strike() -> None:
    plans = {"carrier-battle": ["enterprise"] * 8, "tf8": ["tf8:akagi"] * 2}
    battle = met(patrol=3).play("carrier-battle", plans, dice=[3, 4, 3, 3, 3, 3], turn=2)
    rolls = [line.rolls[0].result for line in battle.log if line.rolls]
    assert rolls[0] == "2d6 = 7, row 1: 1/0", "the Japanese patrol"
    assert battle.raid.forces[0].lost == 1
    assert rolls[1] == "2d6 = 6, row 1: 1/0", "the American one, of three squadrons"
    assert [roll.rpartition("row ")[2][0] for roll in rolls[2:]] == ["1", "7"], "one of two and seven of eight attack"
    assert len(battle.raid.lost) == 1
    assert battle.ship("enterprise").sunk
    assert battle.ship("akagi").condition is Condition.AFLOAT


@pytest.mark.rule("pearl", "PH.11", "P7", "20.51")
def test_attacks_and_losses_follow_orders_by_force() -> None:
    battle = met(patrol=3).force("tf12", "2", seen=True)
    plans = {"carrier-battle": ["enterprise"] * 5 + ["lexington"] * 2, "tf8": [], "tf12": ["tf12:akagi", "tf12:kaga"]}
    battle.play("carrier-battle", plans, dice=[3, 4, 1, 1, 3, 4, 1, 1, 1, 1], turn=2)
    assert [force.lost for force in battle.raid.forces] == [0, 1], "the Japanese patrol shoots down one of two"
    rolls = [line.rolls[0] for line in battle.log if line.rolls]
    rows = {roll.name: roll.result.partition("row ")[2][0] for roll in rolls if roll.name.startswith("attack")}
    assert rows == {"attack on Kaga": "1", "attack on Enterprise": "4", "attack on Lexington": "2"}


@pytest.mark.rule("pearl", "PH.11", "P8")
@pytest.mark.parametrize(("faces", "lost", "back"), [([3, 4], 5, 0), ([1, 3], 0, 5), ([1, 1], 0, 0)])
def test_hit_carrier_grounds_squadrons_aboard(faces: list[int], lost: int, back: int) -> None:
    plans = {"carrier-battle": [], "tf8": ["tf8:akagi"] * 5}
    battle = met().play("carrier-battle", plans, dice=faces, turn=2)
    assert (len(battle.raid.lost), len(battle.raid.back)) == (lost, back)
    assert len(battle.raid.aboard) == 30 - lost - back


@pytest.mark.rule("war", "A14")
@pytest.mark.rule("pearl", "PH.11", "A14")
def test_nationality_applies_at_sea() -> None:
    plans = {"carrier-battle": [], "tf8": ["tf8:akagi"] * 5}
    battle = met(nationality="suggested").play("carrier-battle", plans, dice=[3, 4], turn=2)
    (rolled,) = [line.rolls[0] for line in battle.log if line.rolls]
    assert rolled.result == "2d6 + 1 ships at sea − 2 naval nationality = 6, row 5: 3"


@pytest.mark.rule("pearl", "PH.11")
def test_unfound_force_cannot_be_attacked() -> None:
    battle = met().play("carrier-battle", turn=2)
    with pytest.raises(IllegalChoice, match="has not been found"):
        battle.question("carrier-battle").accept(["lexington"])
    quiet = staying("2", "Pacific").play("carrier-battle", turn=2)
    assert not quiet.decisions
    assert not quiet.log


# -- scoring -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pearl", "PH.13", "PH.2", "P10")
def test_points_of_both_sides() -> None:
    battle = staying("Pearl", "3")
    battle.raid.magic = {"japan": 1, "usa": 2}
    for key, condition in {
        "arizona": Condition.SUNK,
        "nevada": Condition.DAMAGED,
        "enterprise": Condition.DAMAGED,
        "akagi": Condition.SUNK,
    }.items():
        battle.ship(key).condition = condition
    battle.raid.light, battle.raid.army.lost, battle.raid.naval.lost, battle.raid.forces[1].lost = 4, 2, 3, 1
    battle.raid.lost, battle.raid.aboard = battle.raid.aboard[:4], battle.raid.aboard[4:]
    assert dict(points(battle.raid)["japan"]) == {"battleships": 11, "carriers": 12, "light ships": 2, "aircraft": 6}
    assert dict(points(battle.raid)["usa"]) == {"carriers": 12, "aircraft": 4}
    assert margin(battle.raid) == 31 - 16
    assert scores(battle.raid) == {"japan": 32, "usa": 17}
    battle.raid.over = True
    assert battle.view(None).kept == {"japan": 1, "usa": 1}


@pytest.mark.rule("pearl", "PH.13", "PH.3")
@pytest.mark.parametrize(("light", "winner"), [(53, "japan"), (52, None), (48, None), (47, "usa")])
def test_scoring_applies_limits_and_reveals_all(light: int, winner: str | None) -> None:
    battle = Battle(magic=(2, 3)).force("tf8", "3").force("tf12", "Auto")
    battle.raid.die, battle.raid.stays = 3, True
    battle.raid.army.lost = light
    battle.play("reckoning", turn=2)
    assert battle.outcome is not None
    assert battle.outcome.winner == winner
    titles = {"japan": "Japan wins", "usa": "the United States win", None: "draw"}
    assert battle.outcome.title == titles[winner]
    assert battle.outcome.text.startswith(f"Japan scored {light} and struck twice, the United States 0: ")
    scored = [f"Japan scores {light} (aircraft {light}).", "The United States scores 0."]
    assert battle.texts("PH.13") == [*scored, battle.outcome.text]
    assert battle.texts("PH.3", None) == [
        "Magic revealed: Japan 2, United States 3. Column 36–37, surprise level 8.",
        "Task Force 8 (Enterprise) was at sea at distance 3.",
        "Task Force 12 (Lexington) was at sea nearby (automatic interception).",
    ]
    view = battle.view(None)
    assert view.magic.played == {"japan": 2, "usa": 3}
    assert view.columns == [ColumnView(4, 1.0)]


@pytest.mark.rule("pearl", "PH.13")
def test_epilogue_says_when_no_carrier_could_have_come() -> None:
    battle = Battle().force("tf8", "Pearl").force("tf12", "Pacific")
    battle.raid.stays = False
    assert GAME.presentation.epilogue(battle.state, DATA)[-1] == (
        "A second strike could not have been intercepted: Task Force 12 was far away in the Pacific."
    )


@pytest.mark.rule("pearl", "PH.13")
def test_epilogue_describes_losses_and_alternative() -> None:
    battle = Battle().force("tf8", "3").force("tf12", "Pacific")
    battle.raid.stays = False
    battle.ship("arizona").condition = battle.ship("nevada").condition = Condition.SUNK
    assert GAME.presentation.epilogue(battle.state, DATA) == [
        "Nevada and Arizona were sunk.",
        "The Americans lost no aircraft units and no light-ship factors; Japan lost none of its 30 squadrons.",
        "A second strike would have been intercepted with a chance of 67 %: Task Force 8 was at sea at distance 3; "
        "Task Force 12 was far away in the Pacific.",
    ]
    battle.ship("nevada").condition = Condition.DAMAGED
    assert GAME.presentation.epilogue(battle.state, DATA)[0] == "Arizona was sunk, and Nevada damaged."
    battle.ship("nevada").condition = Condition.SUNK
    battle.raid.lost, battle.raid.aboard = battle.raid.aboard[:4], battle.raid.aboard[4:]
    assert GAME.presentation.epilogue(battle.state, DATA)[1].endswith("; Japan lost 4 of its 30 squadrons.")
    assert " and left, the United States " in outcome(battle.raid).text
    counted = GAME.analysis.match_stats(battle.state, DATA)
    assert (counted["ships sunk"], counted["second strikes"], counted["carriers in port"]) == (2, 0, 0)
