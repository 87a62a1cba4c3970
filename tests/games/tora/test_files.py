"""Plans as files: read and written, and refused with the line and the rule."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.games.tora.helpers import ATTACK, DATA, DEFENCE, play, wave

from readyroom.engine.match import Match
from readyroom.engine.planning import follow
from readyroom.games.tora import GAME, cipher
from readyroom.games.tora.figures import Data
from readyroom.games.tora.orders import completed
from readyroom.games.tora.plan import AmericanPlan, JapanesePlan
from readyroom.games.tora.plans import BadPlan, Complaint, read, write_csv, write_toml
from readyroom.games.tora.seal import Plan
from readyroom.games.tora.state import Tora

THREE = JapanesePlan(
    5,
    (
        wave(1, ("3NW", "kate", "ap", 20), ("3NE", "zero", "none", 10)),
        wave(7, ("3SE", "kate", "gp", 10)),
        wave(13, ("3SW", "kate", "torpedo", 20), ("3SW", "zero", "none", 21)),
    ),
    message="Climb Mount Niitaka, Twelve Five",
    cipher="vigenere",
    key="AKAGI",
)


def complaints(text: str, file: str) -> list[Complaint]:
    with pytest.raises(BadPlan) as refused:
        read(text.encode(), file, DATA)
    assert file in str(refused.value)
    return refused.value.complaints


@pytest.mark.parametrize("plan", [DEFENCE, ATTACK, THREE], ids=["defence", "attack", "three waves"])
def test_a_plan_comes_back_from_its_file_as_it_was(plan: Plan) -> None:
    assert read(write_toml(plan).encode(), "plan.toml", DATA) == plan
    whole = completed(plan, DATA) if isinstance(plan, AmericanPlan) else plan
    assert read(write_csv(plan, DATA).encode(), "plan.csv", DATA) == whole


def test_every_plan_that_the_sheets_make_can_be_written_and_read() -> None:
    for seed in range(4):
        state = play(f"files {seed}", cipher="yes").state
        for plan in (state.usa.plan, state.japan.plan):
            assert plan is not None
            assert read(write_toml(plan).encode(), "a.toml", DATA) == plan
            assert read(write_csv(plan, DATA).encode(), "a.csv", DATA) == plan


def csv_with(old: str, new: str, plan: Plan = DEFENCE) -> str:
    written = write_csv(plan, DATA)
    assert written.count(old) >= 1, old
    return written.replace(old, new, 1)


@pytest.mark.rule("tora", "5.1", "5.8", "5.10", "5.13", "5.14")
@pytest.mark.parametrize(
    ("old", "new", "line", "rule", "word"),
    [
        ("7,1,1,1", "7,4,1,1", 8, "5.1", "levels go from 1 to 3"),
        ("1,1,1,1,,,,\n2,1,1,1,,,,\n3,1", "1,3,1,1,,,,\n2,3,1,1,,,,\n3,4", 4, "5.1", "costs 7 points"),
        ("5,1,1,1,,,,", "5,1,1,1,NNW,,,", 6, "5.8", "'NNW' is no sector"),
        ("5,1,1,1,,,,", "5,1,1,1,,,x,", 11, "5.13", "on day 5 already"),
        ("5,1,1,1,,,,", "5,one,1,1,,,,", 6, "", "airfield has to be a number, and is 'one'"),
        ("5,1,1,1,,,,", "6,1,1,1,,,,", 6, "", "Day 5 is expected here"),
        ("5,1,1,1,,,,", "5,1,1,1,,,", 6, "", "Here are 7 cells"),
        ("wheeler,p40,,12", "kaneohe,P-40,,12", 14, "5.10", "The P-40 does not deploy to Kaneohe"),
        ("maryland,24,27,h,", "maryland,2,2,h,", 30, "5.14", "The Maryland is a battleship"),
        ("maryland,24,27,h,", "maryland,24,27,d,", 30, "", "Invalid enum value 'd'"),
    ],
)
def test_a_bad_american_table_is_refused_with_line_and_rule(
    old: str, new: str, line: int, rule: str, word: str
) -> None:
    found = complaints(csv_with(old, new), "usa.csv")
    assert any(each.line == line and each.rule == rule and word in each.reason for each in found), found


@pytest.mark.rule("tora", "7.1", "7.2", "7.3", "7.4", "15.2")
@pytest.mark.parametrize(
    ("old", "new", "line", "rule", "word"),
    [
        ("attack_day\n5", "attack_day\n12", 2, "7.1", "day 12"),
        ("1,1,3NW,kate,ap,20", "1,1,3NW,kate,ap,31", 5, "6", "31 units of Kate"),
        ("2,7,3SE,kate,gp,10", "2,7,3SE,kate,gp,11", 7, "7.3", "20 fly in wave 1"),
        ("3,13,3SW,kate,torpedo,20", "3,13,3SW,kate,torp,25", 8, "7.3", "of wave 2 may not fly in wave 3"),
        ("1,1,3NE,zero,none,10", "1,1,3NE,zero,gp,10", 6, "7.4", "Zeros cannot fly"),
        ("1,1,3NE,zero,none,10", "1,1,3XX,zero,,10", 6, "7.2", "no sector of approach"),
        ("2,7,3SE", "4,7,3SE", 7, "7.3", "the waves come in their order"),
        ("1,1,3NE,zero", "1,2,3NE,zero", 6, "7.3", "here on turn 2"),
        ("Twelve Five", "Twelve Six", 12, "15.2", "names December 6"),
        ("vigenere,AKAGI", "enigma,AKAGI", 12, "15.2", "no cipher 'enigma'"),
    ],
)
def test_a_bad_japanese_table_is_refused_with_line_and_rule(
    old: str, new: str, line: int, rule: str, word: str
) -> None:
    found = complaints(csv_with(old, new, THREE), "ijn.csv")
    assert any(each.line == line and each.rule == rule and word in each.reason for each in found), found


@pytest.mark.rule("tora", "5.1", "7.3")
@pytest.mark.parametrize(
    ("text", "line", "rule", "word"),
    [
        ("side = 'usa'\nairfield = [", 2, "", "This is no TOML"),
        ("airfield = []", 1, "", "whose plan it is"),
        (
            "side = 'usa'\nin_port = { lexington = 1, enterprise = 2 }\nship = [3,3,3,2,1,1,1,1,1,1]",
            3,
            "5.1",
            "7 points",
        ),
        ("side = 'usa'\nin_port = { lexington = 1, enterprise = 2 }\nshop = 1", 3, "", "no entry 'shop'"),
        ("side = 'usa'\nin_port = { lexington = 1 }", 2, "5.13", "Enterprise"),
        ("side = 'japan'\nday = 'six'", 2, "", "Expected `int`"),
        ("side = 'japan'\nday = 6", 0, "", "wave is missing"),
        (
            "side = 'japan'\nday = 6\n[[wave]]\nturn = 1\n[[wave.group]]\nsector = '3NW'\ntype = 'val'\nunits = 'x'",
            8,
            "",
            "int",
        ),
        (
            "side = 'japan'\nday = 6\n[[wave]]\nturn = 1\n[[wave.group]]\nsector = '3NW'\ntype = 'val'\nunits = 1\n"
            "ordnance = 'ap'",
            5,
            "7.4",
            "Vals cannot fly",
        ),
        (
            "side = 'japan'\nday = 6\n[[wave]]\nturn = 1\n[[wave.group]]\nsector = '3NW'\ntype = 'kate'\nunits = 30\n"
            "ordnance = 'ap'\n[[wave.group]]\nsector = '3NW'\ntype = 'val'\nunits = 24\nordnance = 'gp'",
            3,
            "7.3",
            "54 units",
        ),
    ],
)
def test_a_bad_toml_is_refused_with_line_and_rule(text: str, line: int, rule: str, word: str) -> None:
    found = complaints(text, "plan.toml")
    assert any(each.line == line and each.rule == rule and word in each.reason for each in found), found


@pytest.mark.parametrize("file", ["plan.csv", "plan.toml"])
@pytest.mark.parametrize("text", [b"", b"hello, world\n1,2", b"\xff\xfe\x00", b"day\n" * 3])
def test_what_is_no_plan_at_all_is_refused(file: str, text: bytes) -> None:
    with pytest.raises(BadPlan, match="is no plan that can be played"):
        read(text, file, DATA)


@pytest.mark.rule("tora", "16.6")
def test_a_plan_with_more_waves_than_are_agreed_is_refused() -> None:
    with pytest.raises(BadPlan, match="one to 2 waves"):
        read(write_toml(THREE).encode(), "plan.toml", DATA, waves_max=2)


@pytest.mark.rule("tora", "15.2", "T28")
@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"message": "We come on Twelve Five"}, "one of those of the sheet"),
        ({"key": "ZUIKAKU"}, "The key for Vigenère"),
    ],
)
def test_a_message_that_the_sheet_does_not_know_is_refused_and_not_replaced(changes: dict[str, str], word: str) -> None:
    found = complaints(write_toml(msgspec.structs.replace(THREE, **changes)), "plan.toml")
    assert [each.rule for each in found] == ["T28"]
    assert word in found[0].reason
    assert found[0].line


@pytest.mark.rule("tora", "15.2", "T28")
def test_the_message_of_a_file_goes_out() -> None:
    match = Match(GAME, options={"cipher": "yes"}, seed="file")
    follow(match, "japan", write_toml(THREE).encode(), "plan.toml")
    told = cipher.encipher("vigenere", "AKAGI", "CLIMB MOUNT NIITAKA TWELVE FIVE")
    assert match.view("usa")["table"]["usa"]["message"] == told


def revising(**options: str) -> Match[Tora, Data]:
    """A match of the plan `THREE` in which the Japanese plan may be changed once more."""
    match = Match(GAME, options={"cipher": "yes", "revise": "both", **options}, seed="changed")
    follow(match, "japan", write_toml(THREE).encode(), "plan.toml")
    follow(match, "usa", write_toml(DEFENCE).encode(), "plan.toml")
    assert match.pending["japan"].about == "revise"
    return match


@pytest.mark.rule("tora", "15.1", "15.2", "T28")
@pytest.mark.parametrize(
    ("changes", "file", "line", "word"),
    [
        ({"day": 6, "message": "", "cipher": "", "key": ""}, "plan.csv", 2, "December 6"),
        ({"day": 6, "message": "", "cipher": "", "key": ""}, "plan.toml", 2, "December 6"),
        ({"message": "The maples turn red, Twelve Five"}, "plan.toml", 3, "THE MAPLES TURN RED TWELVE FIVE"),
        ({"cipher": "caesar", "key": "3"}, "plan.toml", 4, "Caesar cipher"),
        ({"key": "TIGER"}, "plan.csv", 12, "Key TIGER"),
    ],
)
def test_a_file_with_another_day_or_message_than_has_gone_out_is_refused(
    changes: dict[str, Any], file: str, line: int, word: str
) -> None:
    match, other = revising(), msgspec.structs.replace(THREE, **changes)
    text = write_csv(other, DATA) if file.endswith("csv") else write_toml(other)
    for _ in range(2):
        with pytest.raises(BadPlan) as refused:
            follow(match, "japan", text.encode(), file)
        assert [(each.line, each.rule) for each in refused.value.complaints] == [(line, "T28")]
        assert word in str(refused.value)
        assert "The message that names December 5 has gone out" in str(refused.value)
        if match.pending["japan"].about == "revise":
            match.decide("japan", ["changes"])
    assert match.pending["japan"].about == "waves"


@pytest.mark.rule("tora", "15.1", "15.2")
@pytest.mark.parametrize("message", [THREE.message, ""], ids=["the same message", "no message"])
def test_a_file_may_change_the_waves_of_a_plan_whose_message_has_gone_out(message: str) -> None:
    match = revising()
    said = {} if message else {"message": "", "cipher": "", "key": ""}
    other = msgspec.structs.replace(THREE, wave=THREE.wave[:1], **said)
    follow(match, "japan", write_toml(other).encode(), "plan.toml")
    plan = match.state.japan.plan
    assert plan is not None
    assert (plan.day, plan.wave) == (5, THREE.wave[:1])
    assert plan.message == cipher.plaintexts(5)[1]
