"""Tests of decisions, log lines and matches as plain data."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from readyroom.engine.game import Seat, load_game
from readyroom.engine.match import Match
from readyroom.engine.rules.checks import Check, Fire, RolledDice, Volley
from readyroom.engine.rules.decisions import BudgetGroup, Decision, DecisionKind, Option, OptionInfo, Unavailable
from readyroom.engine.rules.dice import fixed_dice
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import LogLine
from readyroom.web import formatting
from readyroom.web.rendering import short_fingerprints

SHIPS = [Option("akagi", "Akagi", cost=3), Option("kaga", "Kaga"), Option("soryu", "Soryu")]
WING = [
    Option(f"{ship}-{number}", f"{ship.title()} DB {number} (5)", ship)
    for ship in ("hornet", "yorktown")
    for number in range(1, 6)
]
SELECTIONS = json.loads(Path(__file__).with_name("selections.json").read_text(encoding="utf-8"))
"""Selections and their descriptions, which tests/js also uses."""
SEATS = [Seat("usa", "United States", "usa"), Seat("japan", "Japan", "japan")]


def asked(kind: DecisionKind = DecisionKind.SOME, options: list[Option] = SHIPS, **more: Any) -> Decision:
    settings = {"at_least": 0, "at_most": len(options)} | more
    return Decision(kind, "usa", "12.1", "Which ship?", options, revision=7, **settings)


def of(kind: DecisionKind = DecisionKind.SOME, options: list[Option] = SHIPS, **more: Any) -> dict[str, Any]:
    return formatting.decision(asked(kind, options, **more))


def cost(option: Option) -> int:
    return 5


def with_purses(budget: int) -> dict[str, Any]:
    """Return a decision over the wing with a separate budget for each ship."""
    data = of(options=WING, cost=cost, budget=budget)
    for option, squadron in zip(data["options"], WING, strict=True):
        option["purse"] = squadron.value.title()
    return data


# -- decisions -------------------------------------------------------------------------------------------------------


def test_decision_is_complete_plain_data() -> None:
    refused = [Unavailable("hiryu", "Hiryu", "12.4", "She is sunk.")]
    data = of(
        info=lambda ship: OptionInfo("a note", 0.25),
        unavailable_options=lambda: refused,
        piece_key="deck",
        select_all_default=True,
    )
    assert json.loads(json.dumps(data)) == data
    assert data["kind"] == "some"
    assert (data["seat"], data["rule"], data["question"], data["revision"]) == ("usa", "12.1", "Which ship?", 7)
    assert data["options"][0] == {
        "key": "akagi", "text": "Akagi", "note": "a note", "chance": 0.25, "cost": 0, "limit": 1, "purse": None,
        "cell": None, "assigns": None,
    }  # fmt: skip
    assert data["refused"] == [{"key": "hiryu", "text": "Hiryu", "rule": "12.4", "reason": "She is sunk."}]
    assert (data["about"], data["usual"], data["budget"]) == ("deck", True, None)


def test_budget_is_none_without_costs() -> None:
    assert of()["budget"] is None
    assert of(cost=cost, budget=20)["budget"] == 20


def test_budget_group_has_its_name() -> None:
    hornet, yorktown = WING[0], WING[-1]
    asked = Decision(DecisionKind.SOME, "usa", "14.1", "What stands on deck?", [hornet, yorktown], 0, 2, cost, 20)
    asked.budget_groups = [BudgetGroup("cv-8", "Hornet", [hornet]), BudgetGroup("cv-5", "Yorktown", [yorktown])]
    assert [option["purse"] for option in formatting.decision(asked)["options"]] == ["Hornet", "Yorktown"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (of(DecisionKind.ONE, at_least=1, at_most=1), "Choose one."),
        (of(), "Choose up to 3."),
        (of(at_least=1), "Choose 1 to 3."),
        (of(at_least=2, at_most=2), "Choose 2."),
        (of(cost=cost, budget=20), "Choose any, 5 points each, within 20 points."),
        (of(cost=lambda ship: ship.cost, budget=20), "Choose any, within 20 points."),
        (of(DecisionKind.ALLOCATE, at_least=4, at_most=4, limit=lambda ship: 5), "Allocate all 4."),
    ],
)
def test_instruction_is_a_sentence(data: dict[str, Any], text: str) -> None:
    assert formatting.wanted(data) == text


def test_group_budgets_are_named() -> None:
    assert (
        formatting.wanted(with_purses(20))
        == "Choose any. Each takes 5 points, up to 20 points for each of Hornet and Yorktown."
    )


def test_everything_respects_number_and_budget() -> None:
    assert formatting.everything(of()) == ["akagi", "kaga", "soryu"]
    assert formatting.everything(of(at_most=2)) == ["akagi", "kaga"]
    assert formatting.everything(of(options=WING, cost=cost, budget=12)) == ["hornet-1", "hornet-2"]


def test_everything_respects_group_budgets() -> None:
    assert formatting.everything(with_purses(10)) == ["hornet-1", "hornet-2", "yorktown-1", "yorktown-2"]


@pytest.mark.parametrize("case", SELECTIONS["selections"], ids=lambda case: " ".join([case["decision"], *case["keys"]]))
def test_selection_reads_as_in_the_browser(case: dict[str, Any]) -> None:
    defaults = {"cost": 0, "limit": 1, "purse": None, "cell": None}
    data = SELECTIONS["decisions"][case["decision"]]
    data = {"unit": "point", **data, "options": [defaults | option for option in data["options"]]}
    assert formatting.tally(data, case["keys"]) == case["tally"]
    assert formatting.confirm(data, case["keys"]) == case["confirm"]


def test_advice_names_all_that_is_selected() -> None:
    data = of(options=[Option(key, key) for key in "abcdef"])
    assert formatting.named(data, ["a", "b", "c", "d", "d"]) == "5 selected"
    assert formatting.named(data, ["a", "b", "c", "d", "d"], 5) == "a, b, c, 2 × d"


def rows(group: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(row["title"], [option["short"] for option in row["options"]]) for row in group["rows"]]


def test_short_list_is_one_row_and_long_list_is_grouped() -> None:
    (group,) = formatting.groups(of())
    assert (group["title"], rows(group)) == ("", [("", ["Akagi", "Kaga", "Soryu"])])
    groups = formatting.groups(of(options=WING))
    assert [group["title"] for group in groups] == ["Hornet DB", "Yorktown DB"]
    assert rows(groups[0]) == [("", ["1 (5)", "2 (5)", "3 (5)", "4 (5)", "5 (5)"])]
    assert groups[0]["rows"][0]["options"][0]["lead"] == "Hornet DB "


def test_long_list_without_common_words_stays_one_list() -> None:
    names = [Option(name, name) for name in "abcdefghijkl"]
    assert [group["title"] for group in formatting.groups(of(options=names))] == [""]


def test_budget_groups_become_groups_with_rows() -> None:
    groups = formatting.groups(with_purses(10))
    assert [group["title"] for group in groups] == ["Hornet", "Yorktown"]
    assert rows(groups[0]) == [("", ["DB 1 (5)", "DB 2 (5)", "DB 3 (5)", "DB 4 (5)", "DB 5 (5)"])]
    many = [Option(f"{kind}-{n}", f"Hornet {kind} {n} (5)", "hornet") for kind in ("F", "TB") for n in range(1, 6)]
    data = of(options=many, cost=cost, budget=20)
    for option in data["options"]:
        option["purse"] = "Hornet"
    (group,) = formatting.groups(data)
    assert [title for title, _ in rows(group)] == ["F", "TB"]
    assert group["rows"][1]["options"][0]["lead"] == "Hornet TB "


def calendar(limit: int = 1) -> dict[str, Any]:
    """Return a decision over three days and two watches, with a separate budget for each watch."""
    days = [
        Option(f"{watch}-{day}", f"{watch.title()}, day {day}", watch, cell=(f"day {day}", watch.title()))
        for watch in ("radar", "patrol")
        for day in range(1, 4)
    ]
    groups = [BudgetGroup(watch, watch, [day for day in days if day.value == watch]) for watch in ("radar", "patrol")]
    return of(
        options=days, cost=lambda day: 1, budget=2, budget_groups=groups, limit=lambda day: limit, at_most=6 * limit
    )


def test_options_with_cells_are_a_sheet() -> None:
    data = calendar()
    sheet = formatting.sheet(data)
    assert sheet is not None
    assert [(column["title"], column["purse"]) for column in sheet["columns"]] == [
        ("Radar", "radar"),
        ("Patrol", "patrol"),
    ]
    assert [(row["title"], row["purse"]) for row in sheet["rows"]] == [(f"day {day}", None) for day in (1, 2, 3)]
    assert [option["key"] for option in sheet["rows"][1]["options"]] == ["radar-2", "patrol-2"]
    assert formatting.named(data, [option["key"] for option in data["options"]]) == "6 selected"
    data["options"] = data["options"][1:]
    sheet = formatting.sheet(data)
    assert sheet is not None
    assert sheet["rows"][-1]["options"][0] is None, "a cell without an option is empty"
    assert formatting.sheet(of()) is None


def test_repeatable_options_are_counted() -> None:
    assert not formatting.counts(calendar())
    assert formatting.counts(calendar(limit=2))
    assert formatting.counts(of(DecisionKind.ALLOCATE, limit=lambda ship: 1, at_least=2, at_most=2))
    assert formatting.everything(calendar(limit=2)) == ["radar-1"] * 2 + ["patrol-1"] * 2
    text = "Choose any. Each takes 1 point, up to 2 points for each of radar and patrol."
    assert formatting.wanted(calendar(limit=2)) == text


def test_common_note_is_shown_once() -> None:
    assert formatting.common_note(of()) is None
    assert formatting.common_note(of(info=lambda ship: OptionInfo("all alike"))) == "all alike"
    assert formatting.common_note(of(info=lambda ship: OptionInfo("to hit", 0.5))) == "to hit: 50 %"
    assert formatting.common_note(of(info=lambda ship: OptionInfo(ship.text))) is None


# -- log -------------------------------------------------------------------------------------------------------------


def test_log_line_has_rolls_by_die() -> None:
    volley = Volley("12.5", "torpedo attack", 4, Fire(at_least=6, again=6))
    dice = fixed_dice(6, 2, 1, 6, 3, 6, 1)
    rolled = volley.resolve(lambda count, sides, start: dice.roll(f"1|a|b|c|{start}", count, sides))
    line = LogLine(3, "usa-attack", "12.5", "They attack: {}.", (rolled,))
    data = formatting.line(line, load_game("midway"), SEATS)
    assert json.loads(json.dumps(data)) == data
    assert (data["turn"], data["phase"], data["rule"]) == (3, "usa-attack", "12.5")
    assert data["title"] == "United States: carrier attacks"
    assert data["text"] == line.text
    roll = data["rolls"][0]
    assert [die["face"] for die in roll["rounds"][0]] == [6, 2, 1, 6]
    assert [die["hit"] for die in roll["rounds"][0]] == [True, False, False, True]
    assert roll["side"] == "usa"


def test_passed_check_marks_its_dice() -> None:
    check = Check("15", "Soryu repairs", at_least=4)
    for face, hit in ((4, True), (3, False)):
        rolled = check.resolve(lambda count, sides, start, face=face: bytes([face])).to_log()  # type: ignore[misc]
        assert formatting.roll(rolled)["rounds"] == [[{"face": face, "hit": hit}]]


def test_roll_without_named_side_has_no_side() -> None:
    check = Check("15", "Soryu repairs", at_least=4).resolve(lambda count, sides, start: bytes([4]))
    line = LogLine(1, "japan-attack", "12.2", "{}", (check,))
    assert formatting.line(line, load_game("midway"), SEATS)["rolls"][0]["side"] is None


def test_luck_counts_every_face() -> None:
    check = Check("15", "Soryu repairs", dice=2, at_least=4).resolve(lambda count, sides, start: bytes([4, 2]))
    [found] = formatting.luck([LogLine(1, "a", "1", "{}", (check,))])
    error = 1.96 * (35 / 12 / 2) ** 0.5
    assert found == {
        "sides": 6,
        "count": 2,
        "faces": [0, 1, 0, 1, 0, 0],
        "mean": 3.0,
        "low": pytest.approx(3.5 - error),
        "high": pytest.approx(3.5 + error),
    }
    assert formatting.luck([]) == []


# -- sequence of play and matches ------------------------------------------------------------------------------------


def test_phases_around_have_constant_length() -> None:
    game = load_game("midway")
    names = [phase.name for phase in game.rules.phases]
    for name in names:
        around = formatting.phases_around(game, game.first_scenario, At(1, name))
        assert len(around) == 5
        assert [phase["name"] for phase in around if phase["now"]] == [name]
    assert sum(phase["now"] for phase in formatting.phases(game, game.first_scenario, At(1, names[3]))) == 1


def test_all_decisions_of_a_match_are_serializable() -> None:
    match = Match(load_game("midway"), seed="shown")
    random = Random(1)
    while match.outcome is None and match.decision_count < 150:
        for seat, decision in match.pending.items():
            data = formatting.decision(decision)
            assert json.loads(json.dumps(data)) == data
            keys = decision.sample(random)
            assert formatting.wanted(data)
            assert formatting.confirm(data, keys)
            grouped = [row["options"] for group in formatting.groups(data) for row in group["rows"]]
            assert sorted(o["key"] for options in grouped for o in options) == sorted(decision.keys)
            assert all(o["lead"] + o["short"] == o["text"] for options in grouped for o in options)
            decision.accept(formatting.everything(data)) if data["kind"] == "some" and not data["at_least"] else None
            match.decide(seat, keys)
    assert all(json.dumps(formatting.line(line, match.game, match.seats)) for line in match.full_log)


def test_only_the_lowest_dice_count() -> None:
    rolled = RolledDice("fumes", ((6, 6, 4),), 6, "the 2 lowest of 3d6 ≥ 7: 10, passed")
    assert [die["hit"] for die in formatting.roll(rolled)["rounds"][0]] == [True, False, True]
    failed = RolledDice("fumes", ((1, 2, 6),), 6, "the 2 lowest of 3d6 ≥ 7: 3, failed")
    assert not any(die["hit"] for die in formatting.roll(failed)["rounds"][0])


@pytest.mark.parametrize(
    ("faces", "result", "text", "outcome"),
    [
        ("64", "2d6 + 1 surprise = 11, row 4: 4", "4 squadrons attack Nevada: 4 hits, she is sunk.", "4 hits"),
        ("12", "2d6 = 3, row 5: 2", "5 squadrons attack California: 12 hits.", "2"),
        ("36", "2d6 = 9, row 1: 1/1", "Fighters shoot down 1 squadron and turn back 1 (result 1/1).", "1/1"),
        ("6666", "25d6, hit on 6: 4 hits", "The guns fire.", "4 hits"),
        ("2", "1d6 = 2", "Japan's surprise roll is 2.", "2"),
        ("4", "1d6 = 4, out on 4 or less", "The fires on the aft deck are out.", "4"),
        ("25", "2d6 + 1 navigation ≥ 7: 8, passed", "", "2+5 +1 = 8 (needs 7), passed"),
        ("33", "2d6 − 4 fuel − 1 bombs ≥ 5: 1, failed", "", "3+3 −4 −1 = 1 (needs 5), failed"),
        ("254", "the 2 lowest of 3d6 ≥ 7: 6, failed", "", "2+4 = 6 (needs 7), failed"),
        ("64", "2d6 ≤ 8: 10, failed", "", "6+4 = 10 (needs 8 or less), failed"),
        ("2", "1d6 ≥ 6: 2, failed", "", "2 (needs 6), failed"),
        ("55", "2d6, hit on 9 to 10: 10, passed", "", "5+5 = 10 (hit on 9 to 10), passed"),
        ("5231", "4d6, one 6: 11, failed", "", "failed (needs one 6)"),
        ("52", "2d6 + 1 director = 8, column 5-inch, hit on 7 or more: hit", "", "5+2 +1 = 8 (needs 7), hit"),
        ("53", "2d6 = 8, column undamaged, hit on 9 or more: near miss", "", "5+3 = 8 (needs 9), near miss"),
        (
            "53",
            "2d6 = 8, miss on 6 or less, near miss on 7–8, hit on 9 or more: near miss",
            "",
            "5+3 = 8 (needs 9), near miss",
        ),
        ("2", "1d6, crash on 1–3, damage on 4–5, no damage on 6: 2, failed", "", "2, crash"),
        (
            "254",
            "the 2 lowest of 3d6 (worse for dry tanks) ≥ 7: 6, failed",
            "",
            "2+4 = 6 (needs 7), failed",
        ),
    ],
)
def test_outcome_of_a_roll_says_what_it_counts(faces: str, result: str, text: str, outcome: str) -> None:
    rolled = RolledDice("roll", (tuple(map(int, faces)),), 6, result)
    assert formatting.outcome(formatting.roll(rolled), text) == outcome


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("8d6, 2 hits on 6, 6 rolled again for 1 hit: 7 hits", "7 hits (4 + 2 + 1)"),
        ("8d6, hit on 6, 2 hits on 6, 6 rolled again: 10 hits", "10 hits (4 + 4 + 2)"),
        ("8d6, hit on 6, 6 rolled again: 5 hits", "5 hits (2 + 2 + 1)"),
    ],
)
def test_outcome_of_dice_that_roll_again_has_the_hits_of_each_round(result: str, outcome: str) -> None:
    faces = ((6, 6, 3, 3, 4, 1, 1, 4), (6, 6), (6, 2))
    rolled = RolledDice("torpedoes", faces, 6, result, (6, 6, 6))
    assert formatting.outcome(formatting.roll(rolled), "") == outcome


@pytest.mark.parametrize(
    ("result", "thresholds", "need"),
    [
        ("2d6 + 1 navigation − 1 haze ≥ 7: 7, passed", (), "needs 7 or more with 2 dice + 1 navigation − 1 haze"),
        ("the 2 lowest of 3d6 ≤ 4: 5, failed", (), "needs 4 or less with the 2 lowest of 3 dice"),
        ("2d6 + 1 director = 8, column 40mm, hit on 8 or more: hit", (), "hit on 8 or more with 2 dice + 1 director"),
        ("6d6, hit on 5+: 2 hits", (5,), "6 dice hit on 5 or more"),
        ("2d6, hit on 6 to 8: 7, passed", (), "hit on 6 to 8 with 2 dice"),
        (
            "the 2 lowest of 3d6 (worse for dry tanks) ≥ 7: 6, failed",
            (),
            "needs 7 or more with the 2 lowest of 3 dice (worse for dry tanks)",
        ),
        ("1d6, crash on 1–3, no damage on 4–6: 2, failed", (), "1 die: crash on 1–3, no damage on 4–6"),
        (
            "2d6 + 1 Ultra = 9, row 8, a sum of 3 sinks 1 ship; 8 sinks 2 ships; 13 sinks 4 ships: 1/2",
            (),
            "2 dice + 1 Ultra: a sum of 3 sinks 1 ship; 8 sinks 2 ships; 13 sinks 4 ships",
        ),
        ("4d6, one 6: 11, failed", (), "needs one 6 with 4 dice"),
        ("1d6 = 6, dives on 6 or more", (), "dives on 6 or more with 1 die"),
        (
            "2d6 − 1 escort carriers + 2 Brest, Lorient or Vigo − 1 codes, Ultra = 7, row 9: 3/8",
            (),
            "2 dice − 1 escort carriers + 2 Brest … − 1 codes",
        ),
        ("2d6 = 6, 2: submarine, strategic", (), ""),
        ("1d10 = 7: 7", (), ""),
    ],
)
def test_need_says_what_dice_must_show_before_they_land(result: str, thresholds: tuple[int, ...], need: str) -> None:
    assert formatting.need(RolledDice("roll", ((1, 2),), 6, result, thresholds)) == need


def test_dice_of_a_miss_on_a_table_do_not_count() -> None:
    def hits(result: str) -> list[bool]:
        return [die["hit"] for die in formatting.roll(RolledDice("guns", ((2, 3),), 6, result))["rounds"][0]]

    assert hits("2d6 + 1 director = 6, column 5-inch: miss") == [False, False]
    assert hits("2d6 + 1 director = 8, column 5-inch: hit") == [True, True]


# -- summaries -------------------------------------------------------------------------------------------------------


def orders(*groups: tuple[str, int, str]) -> dict[str, Any]:
    """Return a decision that offers squadrons of each of these groups all the places."""
    places = list(dict.fromkeys(place for _, _, place in groups))
    texts = [f"{kind} {n} (5) → {place}" for kind, many, _ in groups for n in range(1, many + 1) for place in places]
    return {"options": [{"key": text, "text": text} for text in texts]}


@pytest.mark.parametrize(
    ("groups", "text"),
    [
        ([("Hiryu TB", 4, "Hiryu"), ("Soryu TB", 4, "Soryu")], "all 4 Hiryu TB → Hiryu, all 4 Soryu TB → Soryu"),
        (
            [(f"{name} TB", 4, name) for name in ("Hiryu", "Soryu", "Akagi", "Kaga")],
            "4 TB to each of Hiryu, Soryu, Akagi and Kaga",
        ),
        ([(f"{name} DB", 1, "Kaga") for name in "ABCDEFG"], "7 → Kaga"),
    ],
)
def test_assignments_are_summed_up(groups: list[tuple[str, int, str]], text: str) -> None:
    keys = [f"{kind} {n} (5) → {place}" for kind, many, place in groups for n in range(1, many + 1)]
    assert formatting.summarize(orders(*groups), keys) == text


def test_other_answers_are_summed_up() -> None:
    data = {
        "options": [{"key": text, "text": text} for text in ("Akagi", *(f"Val {n}" for n in range(9)), *"abcdefgh")]
    }
    keys = [option["key"] for option in data["options"]]
    assert formatting.summarize(data, []) == "none"
    assert formatting.summarize(data, keys[:4]) == "Akagi, 3 × Val"
    assert formatting.summarize(data, keys) == "Akagi, 9 × Val, a and 7 more"


def test_fingerprint_in_a_line_of_the_log_is_short_and_its_text_the_same() -> None:
    digits = 4 * "0123abcd"
    drawn = short_fingerprints(f"<The> plan is locked; its fingerprint is {digits}.")
    assert f'title="{digits}">0123abcd<span>{digits[8:]}</span></span>.' in drawn
    assert drawn.striptags() == f"<The> plan is locked; its fingerprint is {digits}."
    assert short_fingerprints(f"a {digits}0") == f"a {digits}0"
