"""Tests of plan files: reading, writing, and rejection with line and rule."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.tora.helpers import ATTACK, DATA, DEFENCE, play, table, wave

from readyroom.engine.game import Planner
from readyroom.engine.match import Match
from readyroom.engine.match.planning import follow
from readyroom.games.tora import GAME
from readyroom.games.tora.figures import SIDES, Data, SideName
from readyroom.games.tora.plans import cipher
from readyroom.games.tora.plans.data import AmericanPlan, JapanesePlan, Parked
from readyroom.games.tora.plans.editor import EDITOR
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.phase import answer, random_plan
from readyroom.games.tora.plans.reading import BadPlan, Complaint, read, write_csv, write_toml
from readyroom.games.tora.plans.validation import completed
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
SILENT = msgspec.structs.replace(THREE, message="", cipher="", key="")


def complaints(text: str, file: str) -> list[Complaint]:
    with pytest.raises(BadPlan) as refused:
        read(text.encode(), file, DATA)
    assert file in str(refused.value)
    return refused.value.complaints


@pytest.mark.parametrize("plan", [DEFENCE, ATTACK, THREE], ids=["defence", "attack", "three waves"])
def test_plan_comes_back_from_file_as_it_was(plan: Plan) -> None:
    assert read(write_toml(plan).encode(), "plan.toml", DATA) == plan
    whole = completed(plan, DATA) if isinstance(plan, AmericanPlan) else plan
    assert read(write_csv(plan, DATA).encode(), "plan.csv", DATA) == whole


def test_plan_made_on_sheets_is_written_and_read() -> None:
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
        ("1,1,1,1,,,,\n2,1,1,1,,,,\n3,1", "1,3,1,1,,,,\n2,3,1,1,,,,\n3,4", 4, "5.1", "cost 7 points"),
        ("5,1,1,1,,,,", "5,1,1,1,NNW,,,", 6, "5.8", "'NNW' is not a sector"),
        ("5,1,1,1,,,,", "5,1,1,1,,,x,", 11, "5.13", "already in port on day 5"),
        ("5,1,1,1,,,,", "5,one,1,1,,,,", 6, "", "airfield must be a number, not 'one'"),
        ("5,1,1,1,,,,", "6,1,1,1,,,,", 6, "", "Day 5 is expected here"),
        ("5,1,1,1,,,,", "5,1,1,1,,,", 6, "", "This line has 7 cells"),
        ("wheeler,p40,,12", "kaneohe,P-40,,12", 14, "5.10", "P-40 units cannot be stationed at Kaneohe"),
        ("maryland,24,27,h,", "maryland,2,2,h,", 30, "5.14", "Maryland is a battleship"),
        ("maryland,24,27,h,", "maryland,24,27,d,", 30, "", "Invalid enum value 'd'"),
        ("maryland,24,27,h,", "nevada,24,27,h,", 36, "5.14", "nevada already has a berth"),
        ("5,1,1,1,,,,", "5,1,1,1,,,maybe,", 6, "", "lex_in_port must be x or empty, not 'maybe'"),
        ("field,top", "attack_day\n7\n\nfield,top", 0, "", "a plan belongs to one side"),
    ],
)
def test_bad_american_table_is_rejected_with_line_and_rule(old: str, new: str, line: int, rule: str, word: str) -> None:
    rejected = complaints(csv_with(old, new), "usa.csv")
    assert any(each.line == line and each.rule == rule and word in each.reason for each in rejected), rejected


@pytest.mark.rule("tora", "7.1", "7.2", "7.3", "7.4", "15.2")
@pytest.mark.parametrize(
    ("old", "new", "line", "rule", "word"),
    [
        ("attack_day\n5", "attack_day\n12", 2, "7.1", "day 12"),
        ("attack_day\n5", "attack_day\n5\n6", 3, "7.1", "The plan must name one day of attack; it names 2"),
        ("1,1,3NW,kate,ap,20", "1,1,3NW,kate,ap,31", 5, "6", "31 Kate units"),
        ("2,7,3SE,kate,gp,10", "2,7,3SE,kate,gp,11", 7, "7.3", "20 fly in wave 1"),
        ("3,13,3SW,kate,torpedo,20", "3,13,3SW,kate,torp,25", 8, "7.3", "of wave 2 cannot fly in wave 3"),
        ("1,1,3NE,zero,none,10", "1,1,3NE,zero,gp,10", 6, "7.4", "Zeros cannot carry"),
        ("1,1,3NE,zero,none,10", "1,1,3NE,zero,mines,10", 6, "7.4", "No ordnance 'mines'. Ordnance: none, gp, ap"),
        ("1,1,3NE,zero,none,10", "1,1,3XX,zero,,10", 6, "7.2", "No sector of approach"),
        ("2,7,3SE", "4,7,3SE", 7, "7.3", "waves must be in order"),
        ("1,1,3NE,zero", "1,2,3NE,zero", 6, "7.3", "on turn 2 here"),
        ("Twelve Five", "Twelve Six", 12, "15.2", "names December 6"),
        ("vigenere,AKAGI", "enigma,AKAGI", 12, "15.2", "No cipher named 'enigma'"),
    ],
)
def test_bad_japanese_table_is_rejected_with_line_and_rule(old: str, new: str, line: int, rule: str, word: str) -> None:
    rejected = complaints(csv_with(old, new, THREE), "ijn.csv")
    assert any(each.line == line and each.rule == rule and word in each.reason for each in rejected), rejected


@pytest.mark.rule("tora", "5.1", "7.3")
@pytest.mark.parametrize(
    ("text", "line", "rule", "word"),
    [
        ("side = 'usa'\nairfield = [", 2, "", "Invalid TOML"),
        ("airfield = []", 1, "", "must name its side"),
        (
            "side = 'usa'\nin_port = { lexington = 1, enterprise = 2 }\nship = [3,3,3,2,1,1,1,1,1,1]",
            3,
            "5.1",
            "7 points",
        ),
        ("side = 'usa'\nin_port = { lexington = 1, enterprise = 2 }\nshop = 1", 3, "", "No entry 'shop'"),
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
            "Vals cannot carry",
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
def test_bad_toml_is_rejected_with_line_and_rule(text: str, line: int, rule: str, word: str) -> None:
    rejected = complaints(text, "plan.toml")
    assert any(each.line == line and each.rule == rule and word in each.reason for each in rejected), rejected


@pytest.mark.parametrize("file", ["plan.csv", "plan.toml"])
@pytest.mark.parametrize("text", [b"", b"hello, world\n1,2", b"\xff\xfe\x00", b"day\n" * 3])
def test_file_without_plan_is_rejected(file: str, text: bytes) -> None:
    with pytest.raises(BadPlan, match="is not a legal plan"):
        read(text, file, DATA)


@pytest.mark.rule("tora", "6", "7.3")
def test_surplus_units_that_no_later_wave_uses_are_rejected() -> None:
    many = JapanesePlan(5, (wave(1, ("3NW", "kate", "ap", 31)), wave(7, ("3NE", "zero", "none", 5))))
    for text, file, line in ((write_toml(many), "plan.toml", 7), (write_csv(many, DATA), "plan.csv", 5)):
        assert [(each.line, each.rule) for each in complaints(text, file)] == [(line, "6")]


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("side = ['japan']", 1, "it has ['japan']"),
        ("side = 'japan'\nday = " + "9" * 5000, 2, "at most 1,000 bytes"),
        ("side = 'japan'\nday = " + "[" * 100_000, 2, "at most 1,000 bytes"),
        ("side = 'japan'\n" + "x." * 490 + "x = 1", 2, "keys of at most 8 parts"),
        ('side = \'japan\'\nx = """\n' + ("[" + " " * 990 + "x\n") * 60 + '"""', 0, "day is missing"),
    ],
    ids=["a list of sides", "a number without end", "a list without end", "a long key", "spaces in a bracket"],
)
def test_toml_that_would_choke_reader_is_rejected(text: str, line: int, word: str) -> None:
    rejected = complaints(text, "plan.toml")
    assert (rejected[0].line, rejected[0].rule) == (line, "")
    assert word in rejected[0].reason


def test_csv_that_would_choke_reader_is_rejected() -> None:
    rejected = complaints("attack_day\n" + "5" * 200_000, "plan.csv")
    assert (rejected[0].line, rejected[0].rule) == (2, "")
    assert "Invalid CSV" in rejected[0].reason


@pytest.mark.rule("tora", "5.10", "5.14")
def test_csv_of_calendar_alone_leaves_default_positions() -> None:
    calendar = write_csv(DEFENCE, DATA).partition("\n\n")[0]
    plan = read(calendar.encode(), "plan.csv", DATA)
    assert isinstance(plan, AmericanPlan)
    assert (plan.parked, plan.berths) == ((), {})
    assert completed(plan, DATA) == completed(DEFENCE, DATA)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_csv_may_end_lines_as_any_spreadsheet_does(end: str) -> None:
    assert read(write_csv(THREE, DATA).replace("\n", end).encode(), "plan.csv", DATA) == THREE
    bad = csv_with("1,1,3NE,zero,none,10", "1,1,3NE,zero,gp,10", THREE).replace("\n", end)
    assert [(each.line, each.rule) for each in complaints(bad, "plan.csv")] == [(6, "7.4")]


@pytest.mark.rule("tora", "7.3")
@pytest.mark.parametrize("number", ["0", "-1", "2"])
def test_waves_of_csv_begin_with_first(number: str) -> None:
    rejected = complaints(csv_with("1,1,3NW,kate", f"{number},1,3NW,kate", THREE), "plan.csv")
    assert (rejected[0].line, rejected[0].rule) == (5, "7.3")
    assert f"Wave 1 is expected here, not wave {number}" in rejected[0].reason


@pytest.mark.rule("tora", "16.6")
def test_plan_with_too_many_waves_is_rejected() -> None:
    with pytest.raises(BadPlan, match=r"line 27: The plan has 3 waves; the limit is 2. \[7.3\]"):
        read(write_toml(SILENT).encode(), "plan.toml", DATA, waves_max=2)


@pytest.mark.rule("tora", "15.2", "T28")
@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"message": "We come on Twelve Five"}, "one of those on the sheet"),
        ({"key": "ZUIKAKU"}, "The key for Vigenère"),
    ],
)
def test_message_unknown_to_sheet_is_rejected_and_kept(changes: dict[str, str], word: str) -> None:
    rejected = complaints(write_toml(msgspec.structs.replace(THREE, **changes)), "plan.toml")
    assert [each.rule for each in rejected] == ["T28"]
    assert word in rejected[0].reason
    assert rejected[0].line


@pytest.mark.rule("tora", "15.2", "T28")
def test_message_of_file_goes_out() -> None:
    match = Match(GAME, options={"cipher": "yes"}, seed="file")
    follow(match, "japan", write_toml(THREE).encode(), "plan.toml")
    text = cipher.encipher("vigenere", "AKAGI", "CLIMB MOUNT NIITAKA TWELVE FIVE")
    assert match.view("usa").table.usa.message == text


def revising(**options: str) -> Match[Tora, Data]:
    """Return a match of the plan `THREE` in which the Japanese plan may be changed once more."""
    match = Match(GAME, options={"cipher": "yes", "revise": "both", **options}, seed="changed")
    follow(match, "japan", write_toml(THREE).encode(), "plan.toml")
    follow(match, "usa", write_toml(DEFENCE).encode(), "plan.toml")
    assert match.pending["japan"].piece_key == match.pending["usa"].piece_key == "revise"
    return match


@pytest.mark.rule("tora", "15.2", "T28")
def test_hint_keeps_day_and_message_that_were_sent() -> None:
    match = revising()
    planner = Planner(match.view("japan"), "japan", match.options, DATA)
    sent = EDITOR.sheet(planner)["plan"]
    assert EDITOR.suggest is not None
    for number in range(4):
        plan = EDITOR.suggest(planner, Random(number))
        assert all(plan[name] == sent[name] for name in ("day", "message", "cipher", "key"))
        assert not EDITOR.check(planner, msgspec.json.encode({"side": "japan", **plan}), "draft.json", "")["faults"]


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
def test_file_with_other_day_or_message_than_sent_is_rejected(
    changes: dict[str, Any], file: str, line: int, word: str
) -> None:
    match, other = revising(), msgspec.structs.replace(THREE, **changes)
    text = write_csv(other, DATA) if file.endswith("csv") else write_toml(other)
    for _ in range(2):
        with pytest.raises(BadPlan) as refused:
            follow(match, "japan", text.encode(), file)
        assert [(each.line, each.rule) for each in refused.value.complaints] == [(line, "T28")]
        assert word in str(refused.value)
        assert "The message naming December 5 has been sent" in str(refused.value)
        if match.pending["japan"].piece_key == "revise":
            match.decide("japan", ["changes"])
    assert match.pending["japan"].piece_key == "waves"


@pytest.mark.rule("tora", "15.1", "15.2")
@pytest.mark.parametrize("message", [THREE.message, ""], ids=["the same message", "no message"])
def test_file_may_change_waves_of_plan_whose_message_has_gone_out(message: str) -> None:
    match = revising()
    data = {} if message else {"message": "", "cipher": "", "key": ""}
    other = msgspec.structs.replace(THREE, wave=THREE.wave[:1], **data)
    match.decide("usa", ["stands"])
    follow(match, "japan", write_toml(other).encode(), "plan.toml")
    plan = match.state.japan.plan
    assert plan is not None
    assert (plan.day, plan.wave) == (5, THREE.wave[:1])
    assert plan.message == cipher.plaintexts(5)[1]


# -- files submitted for a partly filled sheet -----------------------------------------------------------------------


@pytest.mark.rule("tora", "15.1")
def test_file_sent_last_does_not_use_up_final_plan_change() -> None:
    match = Match(GAME, options={"revise": "usa"}, seed="last")
    follow(match, "japan", write_toml(SILENT).encode(), "plan.toml")
    follow(match, "usa", write_toml(DEFENCE).encode(), "plan.toml")
    assert match.pending["usa"].piece_key == "revise"
    follow(match, "usa", write_toml(msgspec.structs.replace(DEFENCE, ship=(3, 3, 3, *(1,) * 7))).encode(), "plan.toml")
    assert match.state.usa.plan is not None
    assert match.state.usa.plan.ship[:3] == (3, 3, 3)
    assert match.state.at.phase == "day" or match.state.day


def begun(seat: str, *answers: list[str], **options: str) -> Match[Tora, Data]:
    """Return a match in which a seat has answered some questions of its sheet by hand."""
    match = Match(GAME, options=options, seed="by hand")
    for keys in answers:
        match.decide(seat, keys)
    return match


AS_THREE = [["day-5"], ["3"], ["kate-3NW-ap"] * 20, [], ["zero-3NE"] * 10, ["turn-7"], ["kate-3SE-gp"] * 10]
"""The answers that `THREE` gives, down to the Kates of its second wave."""


def instead(at: int, *keys: str) -> list[list[str]]:
    """Return the first answers of `THREE`, with the last one replaced."""
    return [*AS_THREE[:at], list(keys)]


@pytest.mark.rule("tora", "7.1", "7.2", "7.3", "7.4")
@pytest.mark.parametrize("file", ["plan.csv", "plan.toml"])
@pytest.mark.parametrize(
    ("answers", "csv_line", "toml_line", "rule", "word"),
    [
        (instead(0, "day-6"), 2, 2, "7.1", "with day-6 instead of day-5"),
        (instead(1, "2"), 8, 27, "7.3", "How many waves do you send? Already answered, with 2 instead of 3"),
        (instead(2, *["kate-3NW-ap"] * 19), 5, 7, "7.3", "without kate-3NW-ap"),
        (instead(2, *["kate-3NW-torpedo"] * 20), 5, 7, "7.3", "20 × kate-3NW-torpedo instead of 20 × kate-3NW-ap"),
        (instead(3, "val-3NW-gp"), 5, 4, "7.3", "with val-3NW-gp in addition"),
        (instead(5, "turn-8"), 7, 19, "7.3", "with turn-8 instead of turn-7"),
        (instead(6), 7, 21, "7.3", "without 10 × kate-3SE-gp"),
    ],
)
def test_file_contradicting_answers_is_rejected(
    answers: list[list[str]], file: str, csv_line: int, toml_line: int, rule: str, word: str
) -> None:
    match = begun("japan", *answers)
    text = write_csv(SILENT, DATA) if file.endswith("csv") else write_toml(SILENT)
    rejected = refused(match, "japan", text, file)
    assert [(each.line, each.rule) for each in rejected] == [(csv_line if file.endswith("csv") else toml_line, rule)], (
        rejected
    )
    assert word in rejected[0].reason


def refused(match: Match[Tora, Data], seat: str, text: str, file: str) -> list[Complaint]:
    """Return the error for a file that does not fit a sheet; no question is answered."""
    asked, position = match.pending[seat].piece_key, match.decision_count
    with pytest.raises(BadPlan) as refusal:
        follow(match, seat, text.encode(), file)
    assert (match.pending[seat].piece_key, match.decision_count) == (asked, position)
    return refusal.value.complaints


@pytest.mark.rule("tora", "7.3")
def test_file_with_fewer_waves_than_answered_is_rejected() -> None:
    match = begun("japan", *AS_THREE)
    rejected = refused(match, "japan", write_toml(msgspec.structs.replace(SILENT, wave=SILENT.wave[:1])), "plan.toml")
    assert [(each.line, each.rule) for each in rejected] == [(4, "7.3")]
    assert "with 3 instead of 1" in rejected[0].reason


@pytest.mark.rule("tora", "7.1", "15.2")
def test_file_of_another_day_is_rejected_before_message_is_sent() -> None:
    match = begun("japan", ["day-6"], ["text-1"], cipher="yes")
    rejected = refused(match, "japan", write_toml(SILENT), "plan.toml")
    assert [(each.line, each.rule) for each in rejected] == [(2, "7.1")]
    assert match.view("usa").table.usa.message is None


@pytest.mark.rule("tora", "15.2")
def test_file_without_message_keeps_answered_message() -> None:
    match = begun("japan", ["day-5"], ["text-2"], ["atbash"], cipher="yes")
    follow(match, "japan", write_toml(SILENT).encode(), "plan.toml")
    assert match.view("usa").table.usa.message == cipher.encipher("atbash", "", cipher.plaintexts(5)[1])


CALENDAR = [["airfield-1", "ship-7"], ["radar-3-NW"], [], ["day-3"], ["day-4"]]
"""The answers to the calendar of `BY_HAND`."""
BY_HAND = msgspec.structs.replace(
    completed(DEFENCE, DATA),
    airfield=(2, *(1,) * 9),
    ship=(1,) * 6 + (2, 1, 1, 1),
    aaa=(1,) * 10,
    radar=("", "", "NW", *("",) * 7),
    patrol=("",) * 10,
    in_port={"lexington": 3, "enterprise": 4},
)


@pytest.mark.rule("tora", "5.1", "5.8", "5.13", "5.10", "5.14")
@pytest.mark.parametrize(
    ("answers", "line", "rule", "word"),
    [
        ([["airfield-1"]], 8, "5.1", "without ship-7"),
        ([["airfield-1", "ship-7", "aaa-9"]], 10, "5.1", "with aaa-9 in addition"),
        ([*CALENDAR[:1], ["radar-3-SW"]], 4, "5.8", "with radar-3-SW instead of radar-3-NW"),
        ([*CALENDAR[:3], ["day-9"]], 4, "5.13", "with day-9 instead of day-3"),
        ([*CALENDAR, ["wheeler"] * 24], 14, "5.10", "12 × wheeler instead of 12 × hickam"),
        (
            [*CALENDAR, *[["wheeler"] * 12 + ["hickam"] * 12], ["wheeler"] * 6 + ["hickam"] * 6],
            0,
            "",
            "",
        ),
    ],
)
def test_calendar_contradicting_answers_is_rejected(answers: list[list[str]], line: int, rule: str, word: str) -> None:
    match, text = begun("usa", *answers), write_csv(BY_HAND, DATA)
    if not rule:
        follow(match, "usa", text.encode(), "plan.csv")
        assert "usa" not in match.pending
        return
    rejected = refused(match, "usa", text, "plan.csv")
    assert [(each.line, each.rule) for each in rejected] == [(line, rule)], rejected
    assert word in rejected[0].reason


CROWDED = msgspec.structs.replace(
    BY_HAND,
    parked=(
        Parked("wheeler", "p40", "", 12),
        Parked("wheeler", "p36", "", 6),
        Parked("wheeler", "p26", "", 2),
        Parked("hickam", "p40", "", 10),
        Parked("hickam", "p36", "", 4),
        Parked("hickam", "p26", "", 3),
        Parked("hickam", "p26", "p40", 1),
        Parked("hickam", "p36", "p26", 1),
        Parked("hickam", "p36", "p40", 1),
        *(entry for entry in BY_HAND.parked if entry.field in ("kaneohe", "ewa")),
    ),
)
"""Three stacks at Hickam, where 23 units stand on 20 places."""


def stacking() -> Match[Tora, Data]:
    """Return a match that asks for the stacking order, with the squadrons of `CROWDED` at their fields."""
    match = begun("usa")
    while match.pending["usa"].piece_key != "under:hickam":
        match.decide("usa", answer(CROWDED, match.pending["usa"], DATA) or [])
    return match


@pytest.mark.rule("tora", "5.11", "T35")
def test_file_continues_answered_stacks_in_any_order() -> None:
    match = stacking()
    match.decide("usa", ["p26", "p40", "p40"])
    follow(match, "usa", write_csv(CROWDED, DATA).encode(), "plan.csv")
    made = match.view("usa").sheets["usa"]["plan"]["parked"]
    stacks = {(each["top"], each["under"]): each.get("places", 1) for each in made if "under" in each}
    assert stacks == {("p26", "p40"): 1, ("p36", "p26"): 1, ("p36", "p40"): 1}


@pytest.mark.rule("tora", "5.11", "T35")
def test_file_with_other_stacks_than_answered_is_rejected() -> None:
    match = stacking()
    match.decide("usa", ["p40", "p40", "p26"])
    match.decide("usa", ["p36", "p36", "p26"])
    rejected = refused(match, "usa", write_csv(CROWDED, DATA), "plan.csv")
    lines = write_csv(CROWDED, DATA).splitlines()
    assert [(each.rule, lines[each.line - 1]) for each in rejected] == [("5.11", "hickam,p26,p40,1")]
    assert "other stacks than the file has" in rejected[0].reason


@pytest.mark.rule("tora", "5.14")
def test_answered_berth_must_match_file() -> None:
    match = begun("usa")
    while not match.pending["usa"].piece_key.startswith("anchorage"):
        match.decide("usa", answer(BY_HAND, match.pending["usa"], DATA) or [])
    match.decide("usa", ["own"])
    other = msgspec.structs.replace(BY_HAND, berths=SWAPPED)
    while match.pending["usa"].piece_key != "mooring:nevada":
        match.decide("usa", answer(other, match.pending["usa"], DATA) or [])
    lines = write_csv(BY_HAND, DATA).splitlines()
    rejected = refused(match, "usa", "\n".join(lines), "plan.csv")
    assert [(each.rule, lines[each.line - 1].partition(",")[0]) for each in rejected] == [
        ("5.14", "lexington"),
        ("5.14", "enterprise"),
    ]
    assert rejected[0].reason.startswith("Lexington already anchors elsewhere, 28 inches from the west")
    follow(match, "usa", write_csv(other, DATA).encode(), "plan.csv")
    assert "usa" not in match.pending


@pytest.mark.rule("tora", "5.14")
def test_file_with_other_berth_than_answered_is_rejected() -> None:
    match = begun("usa")
    while match.pending["usa"].piece_key != "mooring:nevada":
        asked = match.pending["usa"]
        match.decide("usa", ["own"] if asked.piece_key == "anchorage" else answer(BY_HAND, asked, DATA) or [])
    match.decide("usa", ["island-west"])
    lines = write_csv(BY_HAND, DATA).splitlines()
    rejected = refused(match, "usa", "\n".join(lines), "plan.csv")
    assert [(each.rule, lines[each.line - 1].partition(",")[0]) for each in rejected] == [("5.14", "nevada")]
    assert "The file has h-36-27, which conflicts with earlier answers" in rejected[0].reason


SWAPPED = {**BY_HAND.berths, "lexington": BY_HAND.berths["enterprise"], "enterprise": BY_HAND.berths["lexington"]}
"""The anchorage with the carriers swapped."""


@pytest.mark.rule("tora", "5", "7")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(4))
def test_file_completes_answers_taken_from_it(side: SideName, seed: int) -> None:
    random = Random(seed)
    plan = random_plan(table(), side, random)
    match = begun(side)
    for _ in range(random.randrange(1, 20)):
        if side in match.pending:
            match.decide(side, answer(plan, match.pending[side], DATA) or [])
    if side in match.pending:
        follow(match, side, write_csv(plan, DATA).encode(), "plan.csv")
    assert match.view(side).sheets[side]["plan"] == msgspec.to_builtins(plan)
