"""Tests of scenario files (the two variants, custom and invalid files) and of the list of options."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.games.midway.helpers import Battle, every, loading

from readyroom.engine.errors import InvalidData, UnknownOption, UnknownScenario
from readyroom.engine.match import Match
from readyroom.engine.record.replay import replay
from readyroom.games.midway import GAME
from readyroom.games.midway.state import FIGHTER, TORPEDO, Data, Midway

OWN = """
title = "A duel"
summary = "One carrier each."
found = true
source = "reconstructed"
origin = "made for a test"

[[carrier]]
key = "wasp"
name = "Wasp"
side = "usa"
antiaircraft = 10
repair = 5
fighters = 2
torpedo_bombers = 0
dive_bombers = 3
returning = { dive_bombers = 1 }

[[carrier]]
key = "ryujo"
name = "Ryujo"
side = "japan"
antiaircraft = 4
repair = 7
fighters = 2
torpedo_bombers = 3
dive_bombers = 0
returning = { torpedo_bombers = 2, fighters = 1 }
"""


def write(folder: Path, text: str, name: str = "duel.toml") -> str:
    file = folder / name
    file.write_text(text)
    return str(file)


def play_to_end(match: Match[Midway, Data], seed: int) -> None:
    random = Random(seed)
    while match.outcome is None:
        decision = next(iter(match.pending.values()))
        match.decide(decision.seat, decision.sample(random))


# -- the game's own ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "7")
def test_scenarios_are_historical_battle_and_variants() -> None:
    keys = [scenario.key for scenario in GAME.rules.scenarios(GAME.data)]
    assert keys == ["midway", "daybreak", "duel", "no-yorktown"]
    assert all(scenario.title and scenario.summary for scenario in GAME.rules.scenarios(GAME.data))


@pytest.mark.rule("midway", "17", "7")
def test_found_at_daybreak_leaves_out_search_and_first_wave() -> None:
    battle = Battle("daybreak", turn=3)
    assert battle.state.found
    assert battle.state.japan.waiting == []
    assert sorted(c.key for side in battle.sides for c in side.carriers) == sorted(
        c.key for side in Battle().sides for c in side.carriers
    )
    battle.put("moving", "hornet-db-1")
    played = battle.play("move", "usa", otherwise=lambda decision: decision.keys)
    assert played.rules == ["10.2"]
    assert battle.where("hornet-db-1") == "ready"


@pytest.mark.rule("midway", "7", "14.2")
def test_japanese_at_daybreak_load_in_turn_one() -> None:
    battle = Battle("daybreak", turn=1)
    [asked] = battle.play("plan", "japan", otherwise=every).asked
    assert loading(asked) == ["hiryu", "soryu", "akagi", "kaga"]
    assert len(battle.lying("japan", "deck akagi")) == 4


@pytest.mark.rule("midway", "7")
def test_scenario_without_yorktown_has_two_carriers_against_three() -> None:
    battle = Battle("no-yorktown")
    assert [carrier.key for carrier in battle.state.usa.carriers] == ["enterprise", "hornet"]
    assert [carrier.key for carrier in battle.state.japan.carriers] == ["hiryu", "soryu", "akagi"]
    assert len(battle.state.japan.waiting) == 24
    assert not battle.state.found


@pytest.mark.rule("midway", "M28", "6", "18.1")
def test_duel_begins_with_damage_and_weak_squadrons_and_ends_after_turn_four() -> None:
    match: Match[Midway, Data] = Match(GAME, "duel", {"turn_limit": "30"}, seed="duel")
    carriers = [side.carriers[0] for side in (match.state.japan, match.state.usa)]
    assert [(carrier.key, carrier.damage) for carrier in carriers] == [("hiryu", 6), ("yorktown", 6)]
    assert [[s.strength for s in carrier.hangar] for carrier in carriers] == [[2, 2], [2, 2]]
    play_to_end(match, 1)
    assert match.state.at.turn == 4
    short: Match[Midway, Data] = Match(GAME, "midway", {"turn_limit": "8"}, seed="duel")
    assert short.state.rulings.turn_limit == 8


@pytest.mark.rule("midway", "6", "7")
@pytest.mark.parametrize("key", ["midway", "daybreak", "duel", "no-yorktown"])
@pytest.mark.parametrize("seats", ["two", "groups"])
def test_scenarios_are_all_played_to_end(key: str, seats: str) -> None:
    match: Match[Midway, Data] = Match(GAME, key, {"seats": seats}, seed=f"end of {key}")
    play_to_end(match, 3)
    assert match.outcome is not None
    assert match.state.at.turn <= 20


# -- a player's own ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "6", "7", "15")
def test_custom_order_of_battle_is_set_up(tmp_path: Path) -> None:
    match: Match[Midway, Data] = Match(GAME, write(tmp_path, OWN), seed="own")
    wasp, ryujo = match.state.usa.carriers[0], match.state.japan.carriers[0]
    assert (wasp.name, wasp.antiaircraft, wasp.repair) == ("Wasp", 10, 5)
    assert (ryujo.name, ryujo.antiaircraft, ryujo.repair) == ("Ryujo", 4, 7)
    assert match.state.found
    assert [s.key for s in match.state.usa.waiting] == ["wasp-db-1"]
    assert [s.key for s in match.state.japan.waiting] == ["ryujo-f-1", "ryujo-tb-1", "ryujo-tb-2"]
    assert [s.kind for s in ryujo.hangar] == [FIGHTER, TORPEDO]


@pytest.mark.rule("midway", "7", "8")
@pytest.mark.parametrize("seed", range(3))
def test_custom_order_of_battle_is_played_and_replayed(tmp_path: Path, seed: int) -> None:
    match: Match[Midway, Data] = Match(GAME, write(tmp_path, OWN), seed=f"own {seed}")
    play_to_end(match, seed)
    assert match.outcome is not None
    assert replay(match.record(), game=GAME).digest() == match.digest()


@pytest.mark.rule("midway", "14.2", "M4")
def test_first_wave_of_custom_scenario_blocks_carrier(tmp_path: Path) -> None:
    battle = Battle(GAME.scenario(write(tmp_path, OWN)), turn=1)
    for side in ("japan", "usa"):
        assert battle.play("plan", "japan" if side == "japan" else "usa").asked == []


@pytest.mark.rule("midway", "15", "6")
def test_carrier_with_repair_seven_never_repairs(tmp_path: Path) -> None:
    battle = Battle(GAME.scenario(write(tmp_path, OWN))).damage(ryujo=3)
    battle.play("repair", "japan", dice=[6])
    assert battle.carrier("ryujo").damage == 3


@pytest.mark.rule("midway", "M18")
def test_seats_for_each_carrier_follow_scenario(tmp_path: Path) -> None:
    match: Match[Midway, Data] = Match(GAME, write(tmp_path, OWN), {"seats": "groups"}, seed="own")
    assert [(seat.key, seat.side) for seat in match.seats] == [("ryujo", "japan"), ("wasp", "usa")]


ENTERPRISE = OWN.replace('"wasp"', '"enterprise"').replace('"Wasp"', '"Enterprise"')


@pytest.mark.rule("midway", "M1", "6")
@pytest.mark.parametrize(
    ("printed", "option", "guns"),
    [(16, "16", 16), (16, "12", 12), (10, "16", 10), (10, "12", 10), (12, "12", 12), (12, "16", 12), (20, "16", 20)],
)
def test_enterprise_with_custom_figure_keeps_it(tmp_path: Path, printed: int, option: str, guns: int) -> None:
    """Option M1 chooses between the rulebook's two values; it does not override custom files."""
    text = ENTERPRISE.replace("antiaircraft = 10", f"antiaircraft = {printed}")
    battle = Battle(GAME.scenario(write(tmp_path, text)), enterprise_aa=option)
    assert battle.carrier("enterprise").antiaircraft == guns


@pytest.mark.rule("midway", "M1", "6")
def test_custom_carrier_with_dice_of_enterprise_keeps_them(tmp_path: Path) -> None:
    text = OWN.replace("antiaircraft = 10", "antiaircraft = 16")
    battle = Battle(GAME.scenario(write(tmp_path, text)), enterprise_aa="12")
    assert battle.carrier("wasp").antiaircraft == 16


# -- refused -----------------------------------------------------------------------------------------------------------


def refused(folder: Path, text: str) -> InvalidData:
    with pytest.raises(InvalidData) as caught:
        Match(GAME, write(folder, text), seed="bad")
    assert caught.value.file == str(folder / "duel.toml")
    return caught.value


BAD = [
    ("antiaircraft = 4", 'antiaircraft = "four"', "carrier[1].antiaircraft", "a whole number", "four"),
    ("antiaircraft = 4", "antiaircraft = 61", "carrier[1].antiaircraft", "from 0 to 60", "61"),
    ("antiaircraft = 4", "antiaircraft = -1", "carrier[1].antiaircraft", "from 0 to 60", "-1"),
    ("repair = 5", "repair = 0", "carrier[0].repair", "from 1 to 7", "0"),
    ("repair = 5", "repair = 8", "carrier[0].repair", "from 1 to 7", "8"),
    ("repair = 7", "repair = 7\ndamage = 10", "carrier[1].damage", "from 0 to 9", "10"),
    ("repair = 7", "repair = 7\nstrength = 6", "carrier[1].strength", "from 0 to 5", "6"),
    ("found = true", "found = true\nlast_turn = -1", "last_turn", "a turn, or 0", "-1"),
    ("fighters = 2\n", "fighters = 31\n", "carrier[0].fighters", "from 0 to 30", "31"),
    ("dive_bombers = 3", "dive_bombers = -3", "carrier[0].dive_bombers", "from 0 to 30", "-3"),
    ("{ dive_bombers = 1 }", "{ dive_bombers = 4 }", "carrier[0].returning.dive_bombers", "from 0 to 3", "4"),
    ("{ dive_bombers = 1 }", "{ dive_bombers = -1 }", "carrier[0].returning.dive_bombers", "from 0 to 3", "-1"),
    ('key = "wasp"', 'key = "ryujo"', "carrier[0].key", "no other", "'ryujo'"),
    ('key = "wasp"', 'key = "wa|sp"', "carrier[0].key", "a key of", "'wa|sp'"),
    ('key = "wasp"', 'key = "wasp\\n"', "carrier[0].key", "a key of", "'wasp"),
    ('key = "wasp"', 'key = ""', "carrier[0].key", "a key of", "''"),
    ('key = "wasp"', 'key = "japan"', "carrier[0].key", "a key of", "'japan'"),
    ('side = "usa"', 'side = "japan"', "carrier", "of side usa", "none"),
    ('side = "usa"', 'side = "china"', "carrier[0].side", "", "china"),
    ('name = "Wasp"\n', "", "carrier[0]", "name", "without it"),
    ("found = true", "", "", "found", "without it"),
    ("found = true", "found = true\nweather = 3", "", "", "weather"),
    ("found = true", "found = 3", "found", "true or false", "3"),
    ("[[carrier]]", "[[carrier", "line 8", "TOML", ""),
    ('name = "Wasp"', 'name = " "', "carrier[0].name", "at most 40 letters", "' '"),
    ('name = "Wasp"', f'name = "{"W" * 41}"', "carrier[0].name", "at most 40 letters", "WWW"),
    ('name = "Wasp"', 'name = "Wa\\tsp"', "carrier[0].name", "at most 40 letters", "tsp"),
    ('key = "wasp"', f'key = "{"w" * 41}"', "carrier[0].key", "a key of", "www"),
]


@pytest.mark.rule("midway", "6", "7")
@pytest.mark.parametrize(("old", "new", "key", "expected", "result"), BAD)
def test_bad_scenario_is_rejected_with_file_and_key(
    tmp_path: Path, old: str, new: str, key: str, expected: str, result: str
) -> None:
    assert old in OWN
    error = refused(tmp_path, OWN.replace(old, new, 1))
    assert error.key == key
    assert expected in error.expected
    assert result in error.actual
    assert error.expected
    assert error.actual


@pytest.mark.rule("midway", "6")
def test_scenario_with_too_many_carriers_is_rejected(tmp_path: Path) -> None:
    ship = OWN[OWN.rindex("[[carrier]]") :]
    letters = [f"{one}{other}" for one in "abcd" for other in "abcdefgh"]
    many = [ship.replace('key = "ryujo"', f'key = "x-{two}"') for two in letters[:31]]
    error = refused(tmp_path, "\n".join([OWN, *many]))
    assert (error.key, error.expected, error.actual) == ("carrier", "at most 32 carriers", "33")
    match: Match[Midway, Data] = Match(GAME, write(tmp_path, "\n".join([OWN, *many[:30]])), seed="many")
    assert len(match.state.japan.carriers) == 31


@pytest.mark.rule("midway", "6")
def test_duplicate_counter_key_is_rejected(tmp_path: Path) -> None:
    """A carrier with a squadron's key, and two carriers whose squadrons would share keys."""
    error = refused(tmp_path, OWN.replace('key = "wasp"', 'key = "ryujo-f-1"'))
    assert error.key.startswith("carrier[")


@pytest.mark.rule("midway", "6")
def test_custom_folder_with_bad_order_of_battle_is_rejected(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    write(folder, OWN.replace("antiaircraft = 4", "antiaircraft = 99"))
    with pytest.raises(InvalidData, match=r"scenarios/duel\.toml: .*antiaircraft.*99"):
        GAME.with_data(tmp_path)


def test_binary_file_is_rejected_as_scenario(tmp_path: Path) -> None:
    file = tmp_path / "duel.toml"
    file.write_bytes(bytes(range(256)))
    with pytest.raises(InvalidData, match="TOML text in UTF-8"):
        Match(GAME, str(file), seed="bad")


@pytest.mark.parametrize("name", ["mydway", "nowhere.toml", ""])
def test_unknown_scenario_is_rejected_by_name(name: str) -> None:
    with pytest.raises(UnknownScenario):
        Match(GAME, name, seed="bad")


# -- options -----------------------------------------------------------------------------------------------------------

CHOICES = {
    "seats": ("M18", ["two", "groups"]),
    "sight": ("M19", ["tables", "open"]),
    "enterprise_aa": ("M1", ["16", "12"]),
    "attack": ("M2", ["same-turn", "next-move"]),
    "first_wave": ("M4", ["carrier", "fleet"]),
    "returning": ("M23", ["listed", "choose"]),
    "cap_rings": ("M5", ["2", "3", "4"]),
    "ditch_after": ("M11", ["0", "1", "2", "3"]),
    "crippled_load": ("M24", ["no", "yes"]),
    "early_end": ("M25", ["no", "yes"]),
    "questions": ("M26", ["always", "as-needed"]),
    "orders": ("M27", ["together", "separate"]),
    "turn_limit": ("M15", ["8", "12", "15", "20", "30", "60"]),
}
"""Every option with the ruling it changes; each is tested with its ruling."""


@pytest.mark.rule("midway", "M1", "M2", "M4", "M5", "M11", "M15", "M18", "M19", "M23")
def test_options_name_ruling_they_change() -> None:
    assert {option.key: (option.rule, list(option.choices)) for option in GAME.options} == CHOICES


@pytest.mark.parametrize(("key", "choice"), [(key, choice) for key, (_, all_) in CHOICES.items() for choice in all_])
def test_option_choices_are_all_played_to_end(key: str, choice: str) -> None:
    match: Match[Midway, Data] = Match(GAME, None, {key: choice}, seed=f"{key} {choice}")
    assert match.options[key] == choice
    play_to_end(match, 5)
    assert match.outcome is not None
    assert match.state.at.turn <= (int(choice) if key == "turn_limit" else 20)


@pytest.mark.parametrize("bad", [{"weather": "fair"}, {"cap_rings": "5"}, {"seats": "three"}, {"turn_limit": 9}])
def test_unknown_option_or_choice_is_rejected(bad: dict[str, object]) -> None:
    with pytest.raises(UnknownOption, match=next(iter(bad))):
        Match(GAME, None, bad, seed="bad")
