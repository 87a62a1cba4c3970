"""[M27] Squadrons get their landings, launches, search groups and targets in one question each."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.midway.helpers import Battle, reply

from readyroom.engine.errors import IllegalChoice
from readyroom.web import formatting

FOUR = ("hornet-f-1", "hornet-db-1", "hornet-db-2", "hornet-tb-1")
VALS = ("akagi-db-1", "akagi-db-2", "akagi-db-3", "akagi-db-4")


def battle(turn: int = 5, **options: str) -> Battle:
    return Battle("midway", turn, orders="together", **options)


@pytest.mark.rule("midway", "M27", "9.2")
def test_one_question_lands_on_all_clear_decks() -> None:
    fleet = battle().settle().put("waiting", *VALS, "kaga-f-1").put("deck soryu", "soryu-f-1")
    played = fleet.play("land", "japan", reply("9.2", "", "akagi-db-1@akagi", "akagi-db-2@kaga", "kaga-f-1@hiryu"))
    assert [fleet.where(key) for key in ("akagi-db-1", "akagi-db-2", "kaga-f-1")] == [
        "hangar akagi",
        "hangar kaga",
        "hangar hiryu",
    ]
    assert played.log_text("9.2") == [
        "Hiryu lands 1 fighter squadron; Akagi and Kaga 1 dive-bomber squadron each.",
    ]
    assert fleet.where("akagi-db-3") == "waiting"
    assert not [key for key in played.asked[0].keys if key.endswith("@soryu")], "her deck is not clear"


@pytest.mark.rule("midway", "M27", "9.2")
def test_each_deck_takes_twenty_points_and_each_squadron_lands_once() -> None:
    fleet = battle().settle().put("waiting", *VALS, "kaga-f-1")
    full = [f"{key}@akagi" for key in (*VALS, "kaga-f-1")]
    for keys in (full, ["kaga-f-1@akagi", "kaga-f-1@kaga"]):
        with pytest.raises(IllegalChoice):
            fleet.play("land", "japan", reply("9.2", "", *keys))


@pytest.mark.rule("midway", "M27", "9.2")
def test_own_squadrons_land_first_of_all_orders() -> None:
    fleet = battle(turn=1)
    decision = fleet.play("land", "japan", reply("9.2", "")).asked[0]
    for deck in ("hiryu", "soryu", "akagi", "kaga"):
        assert next(key for key in decision.keys if key.endswith(f"@{deck}")).startswith(deck)
    everything = formatting.everything(formatting.decision(decision))
    assert len(everything) == 16
    assert {key for key in everything if key.partition("-")[0] != key.partition("@")[2]} == set()


@pytest.mark.rule("midway", "M27", "9.2")
def test_squadrons_of_a_closed_deck_get_the_room_that_is_left() -> None:
    fleet = battle().settle().put("waiting", *VALS, "kaga-f-1").damage(akagi=10, hiryu=10)
    decision = fleet.play("land", "japan", reply("9.2", "")).asked[0]
    everything = formatting.everything(formatting.decision(decision))
    assert everything == ["kaga-f-1@kaga", *(f"{key}@soryu" for key in VALS)]


@pytest.mark.rule("midway", "M27", "9.2")
def test_single_clear_deck_is_a_plain_question() -> None:
    fleet = battle().settle().put("waiting", *VALS)
    for key in ("hiryu", "soryu", "kaga"):
        fleet.put(f"deck {key}", f"{key}-f-1")
    fleet.play("land", "japan", reply("9.2", "land on Akagi", *VALS))
    assert {fleet.where(key) for key in VALS} == {"hangar akagi"}


@pytest.mark.rule("midway", "M27", "13.1", "13.2")
def test_one_question_launches_strike_and_patrol() -> None:
    fleet = battle().settle().put("deck hornet", "hornet-f-1", "hornet-f-2", "hornet-db-1", "hornet-db-2")
    played = fleet.play(
        "launch", "usa", reply("13.1", "", "hornet-f-1@usa-cap", "hornet-f-2@usa-moving", "hornet-db-1@usa-moving")
    )
    assert fleet.lying("usa", "cap 1") == ["hornet-f-1"]
    assert fleet.lying("usa", "moving") == ["hornet-f-2", "hornet-db-1"]
    assert fleet.lying("usa", "deck hornet") == ["hornet-db-2"]
    assert played.log_text("13.1") == ["Hornet launches 2 fighter and 1 dive-bomber squadron."]
    assert "hornet-db-1@usa-cap" not in played.asked[0].keys, "bombers fly no CAP"


@pytest.mark.rule("midway", "M27", "12.1")
def test_one_question_aims_at_all_carriers() -> None:
    fleet = battle().settle().put("ready", *FOUR[1:])
    played = fleet.play(
        "attack",
        "usa",
        reply("12.1", "Which carriers", "hornet-db-1@akagi", "hornet-tb-1@akagi", "hornet-db-2@soryu"),
        dice=[1] * 6 + [1] * 5 + [1] * 7 + [1] * 10,
    )
    assert played.rules == ["12.1"]
    assert [line.split(" attack")[0] for line in played.log_text("12.1")] == [
        "Hornet DB 2 (5)",
        "Hornet DB 1 (5), Hornet TB 1 (5)",
    ]


@pytest.mark.rule("midway", "M27", "12.1", "M15")
def test_those_of_a_sunk_fleet_without_a_target_attack_the_last_one() -> None:
    fleet = battle().settle().put("ready", "hornet-db-1", "hornet-db-2").damage(enterprise=10, hornet=10, yorktown=10)
    played = fleet.play(
        "attack", "usa", reply("12.1", "Kaga", "hornet-db-1@akagi"), dice=[1] * 7 + [1] * 5 + [1] * 9 + [1] * 5
    )
    assert played.log_text("12.1")[-1] == "Hornet DB 2 (5) attacks Kaga."


@pytest.mark.rule("midway", "M27", "12.1")
def test_last_carrier_afloat_is_a_plain_question() -> None:
    fleet = battle().settle().put("ready", "hornet-db-1").damage(hiryu=10, soryu=10, akagi=10)
    fleet.play("attack", "usa", reply("12.1", "Which bombers attack Kaga?", "hornet-db-1"), dice=[1] * 9 + [1] * 5)


@pytest.mark.rule("midway", "M27", "17.1", "M3")
@pytest.mark.parametrize(
    ("chosen", "face", "found"),
    [
        ((), 1, ["hornet-f-1"]),
        ((), 3, ["hornet-db-2"]),
        (("hornet-tb-1@search-1", "hornet-f-1@search-1"), 1, ["hornet-tb-1"]),
        (("hornet-tb-1@search-2",), 2, ["hornet-tb-1"]),
        (tuple(f"{key}@search-4" for key in FOUR), 4, ["hornet-f-1"]),
    ],
)
def test_one_question_fills_the_search_groups_and_none_is_empty(
    chosen: tuple[str, ...], face: int, found: list[str]
) -> None:
    fleet = battle(3).put("moving", *FOUR)
    fleet.play("move", "usa", reply("10.2", "", *FOUR), reply("17.1", "spread evenly", *chosen), dice=[face])
    assert fleet.lying("usa", "ready") == found


@pytest.mark.rule("midway", "M27", "M23", "7")
def test_one_question_chooses_the_first_wave_of_a_fleet() -> None:
    fleet = battle(0, returning="choose")
    listed = fleet.lying("japan", "waiting")
    played = fleet.play("set-up", None, reply("7", "Which 8 bombers", "kaga-db-4", "kaga-db-5"))
    waiting = fleet.lying("japan", "waiting")
    assert played.rules == ["7"]
    assert {"kaga-db-4", "kaga-db-5"} <= set(waiting)
    assert len(waiting) == len(listed) == 32
    assert all(fleet.squadron(key).returning for key in waiting)


@pytest.mark.rule("midway", "M27")
def test_random_answers_are_legal_and_reach_every_place() -> None:
    fleet = battle().settle().put("waiting", *VALS)
    played = fleet.play("land", "japan", reply("9.2", ""))
    decision, random, seen = played.asked[0], Random(1), set[str]()
    for _ in range(200):
        keys = decision.sample(random)
        decision.sampled = None
        decision.accept(keys)
        seen.update(keys)
    assert seen == set(decision.keys)
