"""`readyroom rules --coverage` on a small game and on Midway."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from readyroom import games
from readyroom.engine.game import Game
from readyroom.testing.coverage import NoCheckout, checkout_of, cited_by_code, code_of_rule, coverage

ROOT = Path(__file__).parents[1]

RULES = """
rule = [
  { number = "1", title = "Sailing", text = "Ships sail." },
  { number = "2", title = "Firing", text = "Ships fire." },
  { number = "2.1", title = "Range", text = "Not far." },
  { number = "2.2", title = "Hits", text = "On a six." },
  { number = "3", title = "Talking", text = "Is allowed." },
]
ruling = [{ id = "Q1", title = "Sixes", text = "Hit.", reason = "They are high.", rule = "2.2" }]
"""

CODE = '''
"""Fleets; `row[3]` and row[3] are no citations, and neither is the number 3."""

TABLE = [("sail", "1")]
CHOICES = {"3": "three", "2": "two"}
KNOTS = 30
"""[1] How fast."""


class Ship:
    """[2.1] A ship."""

    def fire(self, table):
        """[2.2, Q1] Fires."""
        table.log_line("2.2", "Fires.")
        return option(rule="Q1", default="3", choices=["3"])
'''

TESTS = """
import pytest


@pytest.mark.rule("planted", "2.1", "Q1")
def test_range(): ...


@pytest.mark.rule("planted", "2.2")
class TestHits:
    @pytest.mark.rule("planted", "2")
    def test_six(self): ...

    @pytest.mark.rule("another", "3")
    def test_five(self): ...

    def helper(self): ...
"""


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game[Any, Any]:
    """Return a game of six rules with code and tests in its own checkout."""
    package = tmp_path / "src" / "planted_fleets"
    tests = tmp_path / "tests"
    package.mkdir(parents=True)
    tests.mkdir()
    (package / "__init__.py").write_text(dedent(CODE))
    (package / "rules.toml").write_text(RULES)
    (tests / "test_fleets.py").write_text(dedent(TESTS))
    monkeypatch.syspath_prepend(str(tmp_path / "src"))
    sys.modules.pop("planted_fleets", None)
    return replace(games.load("midway"), key="planted", package="planted_fleets")


def test_coverage_finds_every_citation(planted: Game[Any, Any], tmp_path: Path) -> None:
    file, tests = "src/planted_fleets/__init__.py", "tests/test_fleets.py"
    hits = [f"{tests}::TestHits::test_five", f"{tests}::TestHits::test_six"]
    assert coverage(planted, tmp_path) == [
        {"rule": "1", "title": "Sailing", "code": [f"{file}:4", f"{file}:7"], "tests": []},
        {
            "rule": "2",
            "title": "Firing",
            "code": [f"{file}:10", f"{file}:13", f"{file}:15"],
            "tests": [*hits, f"{tests}::test_range"],
        },
        {"rule": "2.1", "title": "Range", "code": [f"{file}:10"], "tests": [f"{tests}::test_range"]},
        {"rule": "2.2", "title": "Hits", "code": [f"{file}:13", f"{file}:15"], "tests": hits},
        {"rule": "3", "title": "Talking", "code": [], "tests": []},
        {"rule": "Q1", "title": "Sixes", "code": [f"{file}:13", f"{file}:16"], "tests": [f"{tests}::test_range"]},
    ]


def test_code_of_rule_lists_main_function_first(
    planted: Game[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        'def aim():\n    """Aims [2.2]."""\n\ndef hits():\n    """[2.2, Q1] Counts."""\n\n'
        'def fire():\n    """[2.2] Fires.\n\n    Twice."""\n    yield\n'
    )
    (tmp_path / "src" / "planted_fleets" / "__init__.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    file = "src/planted_fleets/__init__.py"
    assert code_of_rule(planted, "2.2") == [
        (f"{file}:7", "fire", "[2.2] Fires."),
        (f"{file}:4", "hits", "[2.2, Q1] Counts."),
        (f"{file}:1", "aim", "Aims [2.2]."),
    ]
    assert len(code_of_rule(planted, "2")) == 3, "a section without code uses its subsections' code"
    assert code_of_rule(planted, "1") == []
    monkeypatch.chdir(tmp_path / "tests")
    assert code_of_rule(planted, "Q1")[0].place == f"{tmp_path.resolve() / file}:4"


def test_code_of_rule_lists_rules_before_figures(
    planted: Game[Any, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "src" / "planted_fleets"
    (package / "__init__.py").write_text(
        'def odds_of(dice):\n    """[2.2] Return odds."""\n\n'
        'def hits(table):\n    """[2.1, 2.2] Roll."""\n    table.roll_dice("2.2", "hits")\n'
    )
    (package / "figures.py").write_text(
        'class Fire:\n    """[2] Figures."""\n\ndef f(table):\n    """[2] Chart."""\n    table.log_line()\n'
    )
    monkeypatch.chdir(tmp_path)
    assert [code.name for code in code_of_rule(planted, "2.2")] == ["hits", "odds_of"]
    assert [code.name for code in code_of_rule(planted, "2")] == ["hits", "odds_of", "f", "Fire"]


@pytest.mark.parametrize(
    ("game", "number", "name"),
    [("tora", "8.5", "sail"), ("pearl", "51.31", "place_carriers"), ("picket", "7.8.2", "_repair_compartment")],
)
def test_code_of_rule_starts_with_the_rule(game: str, number: str, name: str) -> None:
    assert code_of_rule(games.load(game), number)[0].name == name


def test_coverage_of_lettered_paragraph(planted: Game[Any, Any], tmp_path: Path) -> None:
    source = '"""[6.8.C, 6.8.C.1, 7.B] Fires [row.A]."""\n\nsay("9.G", "A.1", "P12")\n'
    (tmp_path / "src" / "planted_fleets" / "__init__.py").write_text(source)
    cited = [number for number, _ in cited_by_code(tmp_path / "src" / "planted_fleets", tmp_path)]
    assert cited == ["6.8.C", "6.8.C.1", "7.B", "9.G", "P12"]


def test_coverage_of_marked_module(planted: Game[Any, Any], tmp_path: Path) -> None:
    (tmp_path / "tests" / "test_more.py").write_text(
        'import pytest\n\npytestmark = [pytest.mark.slow, pytest.mark.rule("planted", "3")]\n\n\ndef test_talk(): ...\n'
    )
    rows = {row["rule"]: row for row in coverage(planted, tmp_path)}
    assert rows["3"]["tests"] == ["tests/test_more.py::test_talk"]


def test_coverage_outside_checkout_raises(planted: Game[Any, Any], tmp_path: Path) -> None:
    with pytest.raises(NoCheckout, match=r"is no checkout of planted: .* go to where you cloned it and ask again\.$"):
        coverage(planted, tmp_path / "src")
    with pytest.raises(NoCheckout, match="is no checkout of midway"):
        coverage(games.load("midway"), tmp_path)


def test_checkout_of_game_in_development(planted: Game[Any, Any], tmp_path: Path) -> None:
    """A game may be developed inside another project's folder; the nearest project counts."""
    with pytest.raises(NoCheckout, match="install the game with `pip install --editable`"):
        checkout_of(planted)
    (tmp_path / "pyproject.toml").write_text("")
    assert checkout_of(planted) == tmp_path.resolve()
    assert coverage(planted) == coverage(planted, tmp_path)
    assert checkout_of(games.load("midway")) == ROOT


@pytest.mark.slow
def test_midway_rules_have_code_and_tests() -> None:
    rows = coverage(games.load("midway"), ROOT)
    assert [row["rule"] for row in rows if not row["code"]] == []
    assert [row["rule"] for row in rows if not row["tests"]] == []


def test_midway_citations_exist() -> None:
    rulebook = games.load("midway").rulebook
    known = {rule.number for rule in rulebook.rule} | {ruling.id for ruling in rulebook.ruling}
    cited = set(cited_by_code(ROOT / "src" / "readyroom" / "games" / "midway", ROOT))
    meant = {number: place for number, place in cited if "." in number or number.startswith("M")}
    assert meant
    assert {number: place for number, place in meant.items() if number not in known} == {}


def test_rulings_have_rule_and_option() -> None:
    midway = games.load("midway")
    numbers = {rule.number for rule in midway.rulebook.rule}
    assert {ruling.rule for ruling in midway.rulebook.ruling} <= numbers
    changed = {ruling.option: ruling.id for ruling in midway.rulebook.ruling if ruling.option}
    assert changed == {option.key: option.rule for option in midway.options}
