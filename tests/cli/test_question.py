"""Tests of how the terminal renders questions."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from readyroom.cli.play.question import render_question
from readyroom.engine.rules.decisions import BudgetGroup, Decision, DecisionKind, Option, OptionInfo


def question_text(decision: Decision) -> str:
    """Return a question as printed."""
    console = Console(width=100, file=StringIO())
    console.print(*render_question(decision, "Blue"), sep="\n")
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def test_sheet_is_printed_as_numbered_table() -> None:
    days = [
        Option(f"{what}-{day}", "a text", cell=(f"Day {day}", what)) for what in ("radar", "patrol") for day in (1, 2)
    ]
    text = question_text(Decision(DecisionKind.SOME, "blue", "5", "Who searches?", days, 0, 4))
    rows = [line.split() for line in text.splitlines() if "Day" in line]
    assert rows == [["Day", "1", "1", "3"], ["Day", "2", "2", "4"]]
    assert "such as radar-1" in text


def test_sheet_prints_odds_in_cells() -> None:
    guns = [
        Option(f"gun-{gun}-{plane}", "a text", info=OptionInfo("down", chance), cell=(f"Gun {gun}", plane))
        for gun, plane, chance in ((1, "Zero", 0.25), (1, "Val", 0.5), (2, "Zero", 0.125), (2, "Val", 0.75))
    ]
    text = question_text(Decision(DecisionKind.SOME, "blue", "6.8", "At which planes?", guns, 0, 2))
    rows = [line.split() for line in text.replace("\xa0", " ").splitlines() if "Gun" in line]
    assert rows[0] == ["Gun", "1", "1", "(down:", "25", "%)", "2", "(down:", "50", "%)"]
    assert rows[1][:4] == ["Gun", "2", "3", "(down:"]


def test_many_purses_are_named_by_the_first_and_the_last() -> None:
    days = [Option(f"d{day}", f"Day {day}", cell=(f"Day {day}", "x")) for day in range(1, 8)]
    groups = [BudgetGroup(day.key, day.text, [day]) for day in days]
    decision = Decision(
        DecisionKind.SOME, "blue", "5", "Who?", days, 0, 7, cost=lambda day: 1, budget=1, budget_groups=groups
    )
    assert decision.instruction() == "choose 0 to 7, within 1 point for each of Day 1 to Day 7"
    assert "Spend up to 1 point for each of Day 1 to Day 7; each costs 1; `none` selects nothing." in question_text(
        decision
    )


def test_budget_shows_points_instead_of_options() -> None:
    raises = [Option(f"ship-{day}", f"Ships on day {day}") for day in range(1, 11)]
    decision = Decision(
        DecisionKind.SOME, "blue", "5", "Which?", raises, 0, 20, cost=lambda day: 1, budget=6, limit=lambda day: 2
    )
    assert "Spend up to 6 points; each costs 1; each takes up to 2; `none` selects nothing." in question_text(decision)


def test_prompt_explains_empty_answer() -> None:
    ships = [Option("akagi", "Akagi"), Option("kaga", "Kaga")]
    assert "Choose one; Enter selects it." in question_text(
        Decision(DecisionKind.ONE, "blue", "5", "Which?", ships[:1], 1, 1)
    )
    default = Decision(DecisionKind.SOME, "blue", "5", "Which?", ships, 0, 2, select_all_default=True)
    assert "Choose 0 to 2; Enter selects all that is allowed." in question_text(default)
    several = question_text(Decision(DecisionKind.ONE, "blue", "5", "Which?", ships, 1, 1))
    assert "Choose one." in several
    assert "Enter" not in several
