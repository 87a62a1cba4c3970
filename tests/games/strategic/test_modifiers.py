"""Tests of every modifier line: its value, the side it applies to, and its use in the calculator."""

from __future__ import annotations

import pytest
from tests.games.strategic.queries import DATA, find_query

from readyroom.engine.errors import InvalidQuery, UnknownOption
from readyroom.games.strategic.tables.figures import Modifier
from readyroom.games.strategic.tables.modifiers import adds, example_value, net, strength, unset

LINES = DATA.modifiers.modifier
QUERIES = {
    "submarines": ["atlantic", "indian", "pacific"],
    "atlantic": ["atlantic"],
    "indian": ["indian"],
    "pacific": ["pacific"],
    "interception": ["bombing"],
    "target": ["bombing"],
    "harbor": ["harbor-submarine", "harbor-carrier"],
    "harbor-submarine": ["harbor-submarine"],
    "harbor-carrier": ["harbor-carrier"],
    "naval": ["naval"],
    "air": ["air"],
}
"""The calculator queries that use each modifier table."""
BOOK = {
    ("submarines", "navy"): (1, "difference"),
    ("submarines", "air-range"): (1, "difference"),
    ("submarines", "torpedo"): (1, "each"),
    ("submarines", "asw"): (-1, "each"),
    ("atlantic", "cve"): (-1, "steps"),
    ("atlantic", "french-ports"): (2, "tick"),
    ("atlantic", "iberian-ports"): (1, "tick"),
    ("atlantic", "gibraltar"): (1, "tick"),
    ("atlantic", "us-war"): (1, "tick"),
    ("atlantic", "us-war-turn"): (0, "choice"),
    ("atlantic", "ireland"): (1, "tick"),
    ("atlantic", "ultra"): (1, "advantage"),
    ("indian", "cve"): (-1, "steps"),
    ("indian", "colombo"): (1, "tick"),
    ("indian", "ultra"): (1, "advantage"),
    ("indian", "magic"): (1, "advantage"),
    ("pacific", "cve"): (-1, "steps"),
    ("pacific", "southern-ports"): (1, "tick"),
    ("pacific", "manila"): (2, "tick"),
    ("pacific", "magic"): (1, "advantage"),
    ("interception", "air"): (1, "difference"),
    ("interception", "escort-jets"): (1, "each"),
    ("interception", "jets"): (-1, "each"),
    ("interception", "radar"): (-1, "each"),
    ("target", "bomber-research"): (1, "each"),
    ("target", "excess-europe"): (1, "steps"),
    ("target", "excess-pacific"): (1, "steps"),
    ("target", "air-defense"): (-1, "each"),
    ("harbor", "earlier"): (-1, "each"),
    ("harbor", "counter-intelligence"): (-2, "tick"),
    ("harbor", "codebreaking"): (1, "advantage"),
    ("harbor-submarine", "attacker-navy"): (1, "difference"),
    ("harbor-submarine", "defender-navy"): (-1, "difference"),
    ("harbor-submarine", "torpedo"): (1, "difference"),
    ("harbor-carrier", "attacker-air"): (1, "difference"),
    ("harbor-carrier", "defender-navy"): (-1, "difference"),
    ("harbor-carrier", "hex"): (-1, "each"),
    ("harbor-carrier", "air-units"): (-1, "each"),
    ("naval", "air"): (1, "difference"),
    ("naval", "navy"): (-1, "difference"),
    ("naval", "at-sea"): (1, "tick"),
    ("naval", "surprise"): (1, "tick"),
    ("air", "air"): (1, "difference"),
}
"""The value of each line, from a second transcription of the rulebook."""


def name(line: Modifier) -> str:
    return f"{line.scope}-{line.key}"


@pytest.mark.rule("war", "24.62.4", "24.62.5", "24.62.6", "24.62.7", "24.62.8", "24.62.9")
@pytest.mark.rule("pearl", "HA.4", "HA.5", "HA.6", "20.51")
def test_modifier_lines_match_rulebook() -> None:
    assert {(line.scope, line.key): (line.value, line.kind) for line in LINES} == BOOK


@pytest.mark.rule("war", "24.62.3", "24.62.4", "24.62.5", "24.62.6", "24.62.7", "24.62.8", "24.62.9")
@pytest.mark.rule("pearl", "24.62.3", "HA.4", "HA.5", "HA.6")
@pytest.mark.parametrize("line", LINES, ids=name)
def test_every_line_changes_net_modifier(line: Modifier) -> None:
    for name in QUERIES[line.scope]:
        question = find_query(name)
        inputs = {line.key: example_value(line)} | ({line.needs: "yes"} if line.needs else {})
        field = "theater" if name == "bombing" else "by"
        able = [who for who in question.form_fields[field].choices if who in line.only] if line.only else [""]
        for who in able:
            base = {field: who} if who else {}
            without = question.evaluate(base | ({line.needs: "yes"} if line.needs else {}), "the odds")
            answer = question.evaluate(base | inputs, "the odds")
            lines = [one for part in (answer, *answer.parts) for one in part.net or ()]
            assert (line.title, adds(line, example_value(line))) in lines
            before = sum(part.total for part in (without, *without.parts))
            after = sum(part.total for part in (answer, *answer.parts))
            assert after - before == adds(line, example_value(line))


@pytest.mark.rule("war", "24.62.5")
def test_atlantic_escort_carriers_count_by_six() -> None:
    line = next(line for line in LINES if (line.scope, line.key) == ("atlantic", "cve"))
    assert [adds(line, str(count)) for count in (0, 5, 6, 11, 12, 17, 18, 23, 24, 60)] == [
        *(0, 0, -1, -1, -2, -2, -3, -3, -4, -4),
    ]


@pytest.mark.rule("war", "24.62.6", "24.62.7")
@pytest.mark.parametrize("ocean", ["indian", "pacific"])
def test_other_escort_carriers_count_by_three(ocean: str) -> None:
    line = next(line for line in LINES if (line.scope, line.key) == (ocean, "cve"))
    assert [adds(line, str(count)) for count in (0, 2, 3, 5, 6, 8, 9, 11, 12, 60)] == [
        *(0, 0, -1, -1, -2, -2, -3, -3, -4, -4),
    ]


@pytest.mark.rule("war", "24.62.5")
def test_first_turns_of_us_war_add_more() -> None:
    ask = find_query("atlantic").evaluate
    totals = [ask({"us-war": "yes", "us-war-turn": turn}, "x").total for turn in ("first", "second", "later")]
    assert totals == [3, 2, 1]
    with pytest.raises(InvalidQuery, match=r"needs us-war"):
        ask({"us-war-turn": "first"}, "x")


@pytest.mark.rule("war", "24.62.9")
def test_spare_range_step_depends_on_theater() -> None:
    ask = find_query("bombing").evaluate

    def target(**inputs: str) -> int:
        answer = ask({key.replace("_", "-"): value for key, value in inputs.items()}, "x")
        return next(part.total for part in answer.parts if part.title.startswith("The bombs"))

    assert [target(excess_europe=str(hexes)) for hexes in (7, 8, 15, 16)] == [0, 1, 1, 2]
    assert [target(theater="pacific", excess_pacific=str(hexes)) for hexes in (3, 4, 7, 8)] == [0, 1, 1, 2]


@pytest.mark.rule("war", "24.62.6", "24.62.7", "24.62.9")
@pytest.mark.parametrize(
    ("question", "inputs", "reason"),
    [
        ("indian", {"by": "german", "colombo": "yes"}, "Japanese submarines only, not to German submarines"),
        ("indian", {"by": "german", "magic": "attacker"}, "Japanese submarines only"),
        ("indian", {"by": "japanese", "ultra": "defender"}, "German submarines only"),
        ("pacific", {"by": "japanese", "manila": "yes"}, "American submarines only"),
        ("pacific", {"by": "american", "southern-ports": "yes"}, "Japanese submarines only"),
        ("bombing", {"excess-pacific": "4"}, "raids in the Pacific only"),
        ("bombing", {"bombers": "0", "army": "2"}, "three army air factors"),
        ("harbor-carrier", {"targets": "2"}, "allows 1 target, not 2"),
        ("harbor-carrier", {"distance": "11"}, "within 10 hexes"),
        ("harbor-submarine", {"theater": "europe", "distance": "21"}, "within 20 hexes"),
        ("harbor-submarine", {"attacks": "one", "level": "8", "targets": "2"}, "allows 1 target, not 2"),
        ("harbor-submarine", {"counterair": "yes"}, "counterair attacks this turn"),
        ("harbor-carrier", {"box": "yes"}, "Only a hex on the map"),
        ("harbor-submarine", {"initial": "yes", "theater": "pacific"}, "in Europe only"),
        ("harbor-submarine", {"initial": "yes", "earlier": "1"}, "must be the first harbor attack"),
        ("harbor-submarine", {"initial": "yes", "theater": "europe", "level": "8", "targets": "2"}, "allows 1 target"),
        ("second-strike", {"first": "none"}, "at least one carrier force"),
        ("atlantic", {"submarines": "-3"}, "submarines must be a whole number from 0 to 120, not '-3'"),
        ("atlantic", {"asw": "many"}, "whole number"),
    ],
)
def test_invalid_query_gives_reason(question: str, inputs: dict[str, str], reason: str) -> None:
    with pytest.raises(InvalidQuery, match=reason):
        find_query(question).evaluate(inputs, "the odds")


def test_modifier_of_other_ocean_is_unknown() -> None:
    with pytest.raises(UnknownOption, match=r"No option named 'gibraltar' in the odds of pacific"):
        find_query("pacific").evaluate({"gibraltar": "yes"}, "the odds of pacific")
    with pytest.raises(UnknownOption, match="japanese"):
        find_query("atlantic").evaluate({"by": "japanese"}, "the odds of atlantic")


@pytest.mark.rule("war", "24.62.10")
@pytest.mark.rule("pearl", "24.62.10")
def test_target_strength_sums_parts() -> None:
    none = {part.key: "0" for part in DATA.modifiers.strength}
    each = {
        part.key: sum(value for _, value in strength(DATA, {**none, part.key: "1"})) for part in DATA.modifiers.strength
    }
    assert each == {
        "flak": 1,
        "airbases": 1,
        "objectives": 1,
        "anchors": 1,
        "cities": 2,
        "ports": 2,
        "fortifications": 1,
        "fortresses": 2,
        "beach-defenses": 0,
    }
    ruhr = {**none, "cities": "2", "flak": "2", "objectives": "1", "beach-defenses": "3"}
    expected = {"flak factors": 2, "objective symbols": 1, "cities": 4, "beach defenses": 0}
    assert dict(strength(DATA, ruhr)) == expected


@pytest.mark.rule("war", "24.62.3", "A5")
@pytest.mark.rule("pearl", "24.62.3", "A5")
def test_net_modifier_is_reversed_for_defender() -> None:
    answer = find_query("atlantic").evaluate({"us-war": "yes", "us-war-turn": "first", "french-ports": "yes"}, "x")
    assert answer.total == 5
    assert [part.title for part in answer.parts] == ["The submarines: row 12, net +5", "The escorts: row 16, net −5"]


@pytest.mark.rule("war", "ST.1")
@pytest.mark.rule("pearl", "ST.1")
def test_unset_lines_add_nothing() -> None:
    for line in LINES:
        assert adds(line, unset(line)) == 0
    inputs = {line.key: unset(line) for line in DATA.scope("submarines", "atlantic")}
    assert net(DATA.scope("submarines", "atlantic"), inputs) == []


@pytest.mark.rule("war", "A12")
def test_escort_carriers_help_hunting_side() -> None:
    ask = find_query("pacific").evaluate
    with_them = dict(ask({"by": "american", "cve": "6"}, "x").expected)
    without = dict(ask({"by": "american"}, "x").expected)
    assert with_them["submarines sunk"] > without["submarines sunk"]
