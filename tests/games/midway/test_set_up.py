"""Tests of sections 1 to 7: forces, counters, ship data and setup."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.games.midway.helpers import SIDES, Battle, loading, nothing, reply

from readyroom.engine.errors import IllegalChoice, InvalidData
from readyroom.engine.match import Match
from readyroom.games.midway import GAME
from readyroom.games.midway.state import DIVE, FIGHTER, TORPEDO, Kind, SideName

JAPANESE = ["hiryu", "soryu", "akagi", "kaga"]
AMERICAN = ["enterprise", "hornet", "yorktown"]

# Second transcription of the rules' table: guns, repairs on, fighters, torpedo bombers, dive bombers.
SHIP_DATA = {
    "enterprise": ("Enterprise", 16, 5, 5, 3, 8),
    "hornet": ("Hornet", 12, 5, 3, 5, 8),
    "yorktown": ("Yorktown", 12, 4, 3, 5, 8),
    "hiryu": ("Hiryu", 7, 6, 4, 4, 4),
    "soryu": ("Soryu", 6, 6, 4, 4, 4),
    "akagi": ("Akagi", 7, 6, 4, 4, 4),
    "kaga": ("Kaga", 9, 6, 6, 6, 5),
}


def count(battle: Battle, carrier: str, kind: Kind) -> int:
    return sum(s.home == carrier and s.kind == kind for side in battle.sides for s in side.squadrons())


@pytest.mark.rule("midway", "1")
def test_three_american_carriers_meet_four_japanese() -> None:
    battle = Battle()
    assert [carrier.key for carrier in battle.state.japan.carriers] == JAPANESE
    assert sorted(carrier.key for carrier in battle.state.usa.carriers) == AMERICAN
    assert not any(carrier.damage for side in battle.sides for carrier in side.carriers)
    assert battle.state.japan.waiting, "Japan has struck Midway Island first"
    assert not battle.state.usa.waiting, "the Americans have all of their aircraft aboard"


@pytest.mark.rule("midway", "1")
def test_historical_battle_is_first_scenario_and_default() -> None:
    assert GAME.rules.scenarios(GAME.data)[0].key == "midway"
    assert Match(GAME, seed="a").scenario.key == "midway"


@pytest.mark.rule("midway", "4")
def test_ship_data_squadrons_have_one_counter_each() -> None:
    battle = Battle()
    counters = [s.key for side in battle.sides for s in side.squadrons()]
    assert len(counters) == len(set(counters)) == 11 + 13 + 24 + 18 + 18 + 17
    by_side = {side.name: [s.kind for s in side.squadrons()] for side in battle.sides}
    kinds = (FIGHTER, TORPEDO, DIVE)
    assert [by_side["usa"].count(kind) for kind in kinds] == [11, 13, 24]
    assert [by_side["japan"].count(kind) for kind in kinds] == [18, 18, 17]


@pytest.mark.rule("midway", "4", "5")
def test_counter_is_named_after_carrier_and_type() -> None:
    battle = Battle()
    zero, kate, val = (battle.squadron(f"kaga-{kind}-1") for kind in ("f", "tb", "db"))
    assert [s.kind for s in (zero, kate, val)] == [FIGHTER, TORPEDO, DIVE]
    assert {s.home for s in (zero, kate, val)} == {"kaga"}
    assert all("Kaga" in s.name for s in (zero, kate, val))


@pytest.mark.rule("midway", "5")
def test_fresh_squadron_has_five_strength_points() -> None:
    assert {s.strength for side in Battle().sides for s in side.squadrons()} == {5}


@pytest.mark.rule("midway", "5", "11.4")
def test_squadron_without_strength_points_is_out_of_game() -> None:
    battle = Battle().settle()
    battle.put("cap 1", "akagi-f-1", strength=1).put("ready", "hornet-db-1", strength=1)
    played = battle.play("cap", "japan", dice=[4], otherwise=lambda decision: decision.keys)
    assert battle.where("hornet-db-1") == "lost"
    assert "Hornet DB 1" in " ".join(played.log_text("11.4"))


@pytest.mark.rule("midway", "6", "M1")
@pytest.mark.parametrize("key", SHIP_DATA)
def test_ship_data_are_those_of_text(key: str) -> None:
    battle = Battle()
    carrier = battle.carrier(key)
    flights = [count(battle, key, kind) for kind in (FIGHTER, TORPEDO, DIVE)]
    assert (carrier.name, carrier.antiaircraft, carrier.repair, *flights) == SHIP_DATA[key]


@pytest.mark.rule("midway", "6")
def test_seven_points_cripple_and_ten_sink() -> None:
    battle = Battle()
    akagi, japan = battle.carrier("akagi"), battle.state.japan
    pairs = []
    for damage in range(11):
        akagi.damage = damage
        pairs.append((akagi in battle.state.working(japan), battle.state.crippled(akagi)))
    assert pairs == [(True, False)] * 7 + [(False, True)] * 3 + [(False, False)]
    assert akagi not in battle.state.afloat(japan)


@pytest.mark.rule("midway", "6", "M1")
@pytest.mark.parametrize(("choice", "guns"), [("16", 16), ("12", 12)])
def test_enterprise_has_sixteen_guns_or_option_twelve(choice: str, guns: int) -> None:
    battle = Battle(enterprise_aa=choice)
    assert battle.carrier("enterprise").antiaircraft == guns
    assert [battle.carrier(key).antiaircraft for key in ("hornet", "yorktown", "akagi")] == [12, 12, 7]


@pytest.mark.rule("midway", "M1")
def test_sixteen_is_default_for_enterprise() -> None:
    assert GAME.resolve({})["enterprise_aa"] == "16"


@pytest.mark.rule("midway", "7")
def test_eight_bomber_squadrons_per_japanese_carrier_wait_to_land() -> None:
    battle = Battle()
    waiting = battle.state.japan.waiting
    assert [sum(s.home == key for s in waiting) for key in JAPANESE] == [8, 8, 8, 8]
    assert all(s.kind != FIGHTER and s.returning for s in waiting)


@pytest.mark.rule("midway", "7", "M4")
def test_kaga_has_eight_of_eleven_squadrons_away() -> None:
    waiting = [s for s in Battle().state.japan.waiting if s.home == "kaga"]
    assert [sum(s.kind == kind for s in waiting) for kind in (TORPEDO, DIVE)] == [5, 3]


@pytest.mark.rule("midway", "7", "M16")
def test_carrier_lands_from_waiting_to_land_box() -> None:
    battle = Battle(turn=1)
    eight = [f"soryu-{kind}-{n}" for kind in ("tb", "db") for n in range(1, 5)]
    assert {battle.where(key) for key in eight} == {"waiting"}
    battle.play("land", "japan", otherwise=lambda d: eight[:4] if "Soryu" in d.question else [])
    assert [battle.where(key) for key in eight] == ["hangar soryu"] * 4 + ["waiting"] * 4


@pytest.mark.rule("midway", "7")
@pytest.mark.parametrize("side", SIDES)
def test_remaining_squadrons_are_below_and_decks_are_clear(side: SideName) -> None:
    battle = Battle()
    fleet = battle.state.side(side)
    assert all(not carrier.deck for carrier in fleet.carriers)
    assert all(squadron.home == carrier.key for carrier in fleet.carriers for squadron in carrier.hangar)
    aboard = sum(len(carrier.hangar) for carrier in fleet.carriers)
    assert aboard == {"japan": 18 + 18 + 17 - 32, "usa": 48}[side]
    assert not any([fleet.moving, fleet.ready, fleet.home, fleet.lost, *fleet.attacking.values(), *fleet.cap])


CHOSEN = [*(f"kaga-tb-{n}" for n in range(1, 4)), *(f"kaga-db-{n}" for n in range(1, 6))]


@pytest.mark.rule("midway", "7", "M23")
def test_returning_option_asks_only_owner_of_kaga() -> None:
    battle = Battle(turn=0, returning="choose")
    played = battle.play("set-up", None, reply("7", "Kaga", *CHOSEN))
    assert [decision.seat for decision in played.asked] == ["japan"]
    assert sorted(s.key for s in battle.state.japan.waiting if s.home == "kaga") == sorted(CHOSEN)
    assert all(s.returning is (s.key in CHOSEN) for s in battle.state.japan.squadrons() if s.home == "kaga")
    stay = {f"kaga-tb-{n}" for n in (4, 5, 6)} | {f"kaga-f-{n}" for n in range(1, 7)}
    assert set(battle.lying("japan", "hangar kaga")) == stay
    assert len(battle.state.japan.waiting) == 32


@pytest.mark.rule("midway", "7", "M23")
@pytest.mark.parametrize("number", [7, 9])
def test_returning_option_requires_exactly_eight(number: int) -> None:
    battle = Battle(turn=0, returning="choose")
    with pytest.raises(IllegalChoice, match="Choose 8"):
        battle.play("set-up", None, reply("7", "Kaga", *[*CHOSEN, "kaga-tb-4"][:number]))


@pytest.mark.rule("midway", "7", "M23", "14.2", "M4")
def test_chosen_returning_squadrons_delay_kaga() -> None:
    battle = Battle(turn=2, returning="choose")
    battle.play("set-up", None, reply("7", "Kaga", *CHOSEN))
    battle.put("hangar kaga", *CHOSEN[1:])
    assert not any("kaga" in loading(d) for d in battle.play("plan", "japan", otherwise=nothing).asked)
    battle.put("hangar kaga", CHOSEN[0])
    assert any("kaga" in loading(d) for d in battle.play("plan", "japan", otherwise=nothing).asked)


@pytest.mark.rule("midway", "M23")
def test_listed_returning_squadrons_are_default() -> None:
    battle = Battle(turn=0)
    before = GAME.encode(battle.state)
    assert battle.play("set-up", None).asked == []
    battle.state.at = Battle().state.at
    assert GAME.encode(battle.state) == before


@pytest.mark.rule("midway", "5", "6", "9.2")
@pytest.mark.parametrize(
    ("table", "key"),
    [
        ("[squadron]\nstrength = 0\n", "squadron"),
        ("[deck]\npoints = -5\n", "deck"),
        ("[damage]\ncripple = 12\nsink = 10\n", "damage"),
        ("[damage]\ncripple = 0\nsink = 10\n", "damage"),
        ("[dive]\nfire = { at_least = 5, again = 1 }\n", "dive.fire"),
        ("[torpedo]\nfire = { at_least = 0 }\n", "torpedo.fire"),
        ("[victory]\nsunk = 10\ncrippled = 4\nlead = 0\n", "victory"),
    ],
)
def test_unusable_custom_figures_are_rejected(tmp_path: Path, table: str, key: str) -> None:
    (tmp_path / "combat.toml").write_text(f'{table}source = "reconstructed"\norigin = "a test"\n')
    with pytest.raises(InvalidData) as refused:
        GAME.with_data(tmp_path)
    assert refused.value.key == key
    assert refused.value.file.endswith("combat.toml")


@pytest.mark.rule("midway", "6")
def test_unread_custom_file_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "combat.txt").write_text("[damage]\n")
    with pytest.raises(InvalidData, match=r"combat\.txt"):
        GAME.with_data(tmp_path)


SEARCH = """[[chart]]
id = "search"
title = "t"
rule = "17.2"
source = "rulebook"
origin = "a test"
dice = "1d6"
columns = ["group"]

[chart.rows]
"""


@pytest.mark.rule("midway", "17.1", "17.2")
@pytest.mark.parametrize("rows", ['"1-6" = ["none of them"]', '"1-6" = ["again"]', '"1-3" = ["1"]\n"4-6" = ["3"]'])
def test_custom_search_chart_without_groups_is_rejected(tmp_path: Path, rows: str) -> None:
    (tmp_path / "charts.toml").write_text(SEARCH + rows + "\n")
    with pytest.raises(InvalidData, match=r"groups numbered from 1.*found (none of them|none|1, 3)"):
        GAME.with_data(tmp_path)


@pytest.mark.rule("midway", "17.1", "17.2")
def test_custom_search_chart_need_not_be_first(tmp_path: Path) -> None:
    search = f'{SEARCH}"1-6" = ["1"]\n'
    (tmp_path / "charts.toml").write_text(search.replace('"search"', '"other"').replace("group", "area") + search)
    assert GAME.with_data(tmp_path).data.groups() == 1


@pytest.mark.rule("midway", "17.1", "17.2")
@pytest.mark.parametrize(("old", "new"), [('["group"]', '["area"]'), ('dice = "1d6"\n', "")])
def test_custom_search_chart_without_column_or_die_is_rejected(tmp_path: Path, old: str, new: str) -> None:
    (tmp_path / "charts.toml").write_text(f'{SEARCH}"1-6" = ["1"]\n'.replace(old, new))
    with pytest.raises(InvalidData, match="a dice chart 'search' with one column 'group'"):
        GAME.with_data(tmp_path)


@pytest.mark.rule("midway", "17.1", "17.2")
def test_custom_charts_without_search_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "charts.toml").write_text("chart = []\n")
    with pytest.raises(InvalidData, match="search"):
        GAME.with_data(tmp_path)


@pytest.mark.rule("midway", "17.1", "17.2")
def test_number_of_groups_follows_from_chart_however_rows_are_cut(tmp_path: Path) -> None:
    rows = "\n".join(f'"{die}" = ["{die if die < 5 else "again"}"]' for die in range(1, 7))
    (tmp_path / "charts.toml").write_text(f"{SEARCH}{rows}\n")
    assert GAME.with_data(tmp_path).data.groups() == GAME.data.groups() == 4


@pytest.mark.rule("midway", "6")
@pytest.mark.parametrize("name", ["scenarios.toml", "combat", "charts.toml/x.toml"])
def test_misplaced_unread_file_is_rejected(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("")
    with pytest.raises(InvalidData, match="an unknown file"):
        GAME.with_data(tmp_path)
