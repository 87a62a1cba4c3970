"""Tests of parsing typed answers."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from readyroom.cli.play import answers
from readyroom.cli.play.question import on_enter, render_question
from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import BudgetGroup, Decision, DecisionKind, Option

SQUADRONS = [Option(key, key.title()) for key in ("kaga-db-1", "kaga-db-2", "kaga-tb-1", "soryu-f-1", "soryu-x2")]


def some(at_least: int = 0, at_most: int = 5, budget: int = 0) -> Decision:
    """Return a decision over five squadrons; with a budget, each costs 5."""
    cost = (lambda option: 5) if budget else None
    return Decision(DecisionKind.SOME, "japan", "9.2", "Which?", SQUADRONS, at_least, at_most, cost, budget)


def aboard(budget: int = 5) -> Decision:
    """Return a decision with separate budgets for two carriers."""
    decision = some(budget=budget)
    decision.budget_groups = [BudgetGroup("kaga", "Kaga", SQUADRONS[:3]), BudgetGroup("soryu", "Soryu", SQUADRONS[3:])]
    return decision


def divide(amount: int = 5) -> Decision:
    """Return a decision that allocates points, at most 4 per squadron."""
    return Decision(
        DecisionKind.ALLOCATE, "japan", "12.3", "Where?", SQUADRONS, amount, amount, None, 0, limit=lambda option: 4
    )


def often(budget: int = 0) -> Decision:
    """Return a decision that allows each squadron twice; with a budget, each choice costs 1."""
    cost = (lambda option: 1) if budget else None
    return Decision(DecisionKind.SOME, "usa", "5.1", "Which?", SQUADRONS, 0, 10, cost, budget, limit=lambda option: 2)


def one(count: int = 2) -> Decision:
    return Decision(DecisionKind.ONE, "japan", "1", "Which one?", SQUADRONS[:count], 1, 1)


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("1", ["kaga-db-1"]),
        ("1-2,4", ["kaga-db-1", "kaga-db-2", "soryu-f-1"]),
        ("2-1", ["kaga-db-1", "kaga-db-2"]),
        ("1 , 3", ["kaga-db-1", "kaga-tb-1"]),
        ("soryu-f-1 1", ["soryu-f-1", "kaga-db-1"]),
        ("KAGA-TB-1", ["kaga-tb-1"]),
        ("kaga*", ["kaga-db-1", "kaga-db-2", "kaga-tb-1"]),
        ("soryu-x2", ["soryu-x2"]),
        ("all", [option.key for option in SQUADRONS]),
        ("none", []),
    ],
)
def test_numbers_keys_ranges_and_words(line: str, keys: list[str]) -> None:
    assert answers.read(some(), line) == keys


def test_points_are_spread_by_repeating() -> None:
    assert answers.read(divide(), "1x3,2 4") == ["kaga-db-1"] * 3 + ["kaga-db-2", "soryu-f-1"]
    assert answers.read(divide(), "kaga-db-2x4 1") == ["kaga-db-2"] * 4 + ["kaga-db-1"]


def test_all_takes_from_the_top_what_may_be_chosen() -> None:
    assert len(answers.read(some(budget=17), "all")) == 3
    assert len(answers.read(some(at_most=2), "all")) == 2
    assert answers.read(divide(), "all") == ["kaga-db-1"] * 4 + ["kaga-db-2"]
    assert answers.read(one(1), "all") == ["kaga-db-1"]
    with pytest.raises(IllegalChoice, match="only one"):
        answers.read(one(), "all")


def test_repeatable_option_is_typed_with_count() -> None:
    assert answers.read(often(), "1x2,3") == ["kaga-db-1"] * 2 + ["kaga-tb-1"]
    assert answers.read(often(), "1 1") == ["kaga-db-1"] * 2
    assert answers.read(often(budget=3), "all") == ["kaga-db-1"] * 2 + ["kaga-db-2"]
    assert len(answers.read(often(), "all")) == 10
    with pytest.raises(IllegalChoice, match="3 times; the limit is 2"):
        often().accept(answers.read(often(), "1x3"))


def test_how_often_an_option_may_be_taken_is_told_once_or_with_each() -> None:
    text = " ".join(str(part) for part in render_question(often(), "Usa"))
    assert "each takes up to 2" in text
    varied = often()
    varied.limit = lambda option: 3 if option.key == "kaga-db-1" else 1
    console = Console(width=60, record=True, file=StringIO())
    for part in render_question(varied, "Usa"):
        console.print(part)
    assert "Kaga-Db-1; up to 3" in console.export_text()


def test_all_takes_from_each_purse_what_it_pays_for() -> None:
    assert answers.read(aboard(), "all") == ["kaga-db-1", "soryu-f-1"]
    assert answers.read(aboard(10), "all") == ["kaga-db-1", "kaga-db-2", "soryu-f-1", "soryu-x2"]


def test_options_are_listed_purse_by_purse_under_their_own_numbers() -> None:
    console = Console(width=60, record=True, file=StringIO())
    for part in render_question(aboard(10), "Japan"):
        console.print(part)
    text = console.export_text()
    assert "Choose 0 to 5, within 10 points for each of Kaga and Soryu; each costs 5" in " ".join(text.split())
    assert text.index("Kaga, 10 points:") < text.index("3 Kaga-Tb-1") < text.index("Soryu, 10 points:")
    assert text.index("Soryu, 10 points:") < text.index("4 Soryu-F-1")


def default_decision(budget: int = 0) -> Decision:
    """Return a decision whose default answer selects everything."""
    decision = some(budget=budget)
    decision.select_all_default = True
    return decision


def test_empty_answer_selects_default_never_none() -> None:
    assert on_enter(default_decision()) == [option.key for option in SQUADRONS]
    assert on_enter(default_decision(budget=10)) == [option.key for option in SQUADRONS[:2]]
    assert on_enter(some()) is None
    assert on_enter(one(1)) == ["kaga-db-1"]
    assert on_enter(one()) is None
    for decision in (one(), divide(), some(), some(at_least=1)):
        with pytest.raises(IllegalChoice):
            answers.read(decision, "")


@pytest.mark.parametrize("line", ["0", "6", "1-9", "999999x2", "akagi*", "1x"])
def test_unknown_option_is_rejected_with_rule(line: str) -> None:
    decision = some()
    with pytest.raises(IllegalChoice) as refusal:
        decision.accept(answers.read(decision, line))
    assert refusal.value.rule == "9.2"
    text = answers.describe_refusal(decision, refusal.value)
    assert "[9.2]" in text
    assert "numbers 1 to 5" in text


def test_huge_count_is_rejected() -> None:
    decision = divide()
    keys = answers.read(decision, "1x999999")
    assert len(keys) == 6
    with pytest.raises(IllegalChoice):
        decision.accept(keys)
