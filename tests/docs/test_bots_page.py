"""The page of bots has the mixes of the book."""

from __future__ import annotations

from pathlib import Path

from docs import balances, mixes
from readyroom import games
from readyroom.bots.mixes import mixes_of

DOCS = Path(__file__).parents[2] / "docs"


def test_page_has_the_mixes_of_the_book() -> None:
    assert mixes.PAGE.read_text(encoding="utf-8") == mixes.text(), "run `python -m docs.mixes --write`"
    assert "```{include} mixes.txt\n```" in (DOCS / "bots.md").read_text(encoding="utf-8")


def test_page_has_the_balance_of_all_scenarios() -> None:
    shown = "\n".join(balances.lines()) + "\n"
    assert balances.PAGE.read_text(encoding="utf-8") == shown, "run `python -m docs.balances --write`"
    assert "```{include} balances.txt\n```" in (DOCS / "bots.md").read_text(encoding="utf-8")


def test_tables_have_every_test_and_member() -> None:
    shown = mixes.text()
    for name in games.game_names():
        for mix in mixes_of(games.load(name)):
            assert mix.command in shown
            for side in mix.sides:
                for test in (side.reply, *side.tests):
                    row = f"| {side.name} | {test.name} | {test.utility.mean:.3f} |"
                    assert row in shown
