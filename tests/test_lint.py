"""The lint checks find planted defects and none in the project; states and pieces are plain data."""

from __future__ import annotations

import ast
import dataclasses
import types
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import msgspec
import pytest
from tests.toys.straits import GAME
from tests.toys.tiny import ABC, T, ask, tiny

from readyroom import Match, games
from readyroom.engine.errors import RuleError
from readyroom.engine.game import Game
from readyroom.engine.rules.decisions import Decision, DecisionKind
from readyroom.engine.rules.state import Piece
from readyroom.engine.rules.table import Steps
from readyroom.testing import playout
from readyroom.testing.lint import (
    LintIssue,
    Source,
    eager_log_lines,
    examples,
    find_foreign_randomness,
    lint,
    set_iteration,
    sources,
    unrun_generators,
)

ROOT = Path(__file__).resolve().parents[1]
EXPRESS = ROOT / "examples" / "tokyo-express"
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]


@pytest.fixture(scope="module")
def own_code() -> list[Source]:
    """Return the project's own code."""
    return sources(ROOT / "src" / "readyroom", "readyroom")


@pytest.fixture(scope="module")
def rules(own_code: list[Source]) -> list[Source]:
    """Return the code that may use no randomness or order except the table's."""
    return [source for source in own_code if source.module.startswith(("readyroom.engine", "readyroom.games"))]


@pytest.fixture(scope="module")
def all_code(own_code: list[Source]) -> list[Source]:
    """Return the code of the project, the test games and the pages' examples."""
    result = [example for page in PAGES if page.is_file() for example in examples(page)]
    return [
        *own_code,
        *sources(ROOT / "tests" / "toys", "tests.toys"),
        *sources(ROOT / "docs" / "example"),
        *sources(EXPRESS),
        *result,
    ]


def planted(text: str) -> list[Source]:
    """Return a module with a defect."""
    return [Source("planted.py", "planted", ast.parse(dedent(text)))]


def report(issues: list[LintIssue]) -> str:
    return "\n".join(f"{issue.place}: {issue.text}" for issue in issues)


# -- missing `yield from` ----------------------------------------------------------------------------------------------


@pytest.mark.slow(10)
def test_own_code_has_no_lint_issues(all_code: list[Source], rules: list[Source]) -> None:
    assert len(all_code) > 20
    chance = [issue for issue in find_foreign_randomness(rules) if "engine/rules/dice.py" not in issue.place]
    issues = [*unrun_generators(all_code), *eager_log_lines(all_code), *chance, *set_iteration(rules)]
    assert not issues, report(issues)


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", games.game_names())
def test_lint_reports_nothing_for_games(name: str) -> None:
    assert lint(games.load(name)) == []


def test_lint_reports_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "planted_slips"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from __future__ import annotations\nimport random\n"
        "def land(table) -> Steps:\n    yield\n\ndef rest(table):\n    land(table)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    texts = [str(slip) for slip in lint(dataclasses.replace(GAME, package="planted_slips"))]
    assert texts == [
        f"{package / '__init__.py'}:7: land(...) is a generator that is never run: `yield from` is missing",
        f"{package / '__init__.py'}:2: random is not the table's dice",
    ]


LAND = "def land(table, side) -> Steps:\n    yield\n\ndef pick(table) -> Choice[int]:\n    yield\n\n"


@pytest.mark.parametrize(
    "line",
    [
        "land(table, side)",
        "done = land(table, side)",
        "done: object = land(table, side)",
        "if pick(table): pass",
        "for each in pick(table): pass",
        "first = pick(table)[0]",
        "key = table.choose('red', '1', '?', []).key",
        "table.choose_some('red', '1', '?', [])",
        "chosen = table.allocate('red', '1', '?', 1, [], len)",
        "plans = table.choose_in_secret({'red': pick(table)})",
        "total = 1 + pick(table)",
        "chosen = list(pick(table))",
        "chosen = pick(table) or []",
        "yield pick(table)",
        "return land(table, side)",
        "self.table.choose('red', '1', '?', [])",
        "print(f'{pick(table)}')",
    ],
)
def test_unrun_generator_is_found(line: str) -> None:
    body = f"def turn(self, table, side) -> Steps:\n    {line}\n    yield from land(table, side)\n"
    issues = unrun_generators(planted(LAND + body))
    assert [issue.place for issue in issues] == ["planted.py:8"], report(issues)


@pytest.mark.parametrize(
    "line",
    [
        "yield from land(table, side)",
        "chosen = yield from pick(table)",
        "both = (yield from pick(table)) + (yield from pick(table))",
        "yield from (land(table, side) if side else land(table, None))",
        "plans = yield from table.choose_in_secret({'red': pick(table)})",
        "plans = {seat: pick(table) for seat in side}",
        "play = lambda: land(table, side)",
        "found = re.search('a', 'b')",
        "other = random.choose([1])",
        "later = land",
    ],
)
def test_run_or_returned_generator_is_accepted(line: str) -> None:
    body = f"def turn(table, side) -> Steps:\n    {line}\n    yield\n"
    issues = unrun_generators(planted(LAND + body))
    assert not issues, report(issues)


class RemoveYieldFrom(ast.NodeTransformer):
    """Remove every `yield from` and count those that must be found, which excludes those in a `return`."""

    count = 0

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        self.generic_visit(node)
        called = node.value.func if isinstance(node.value, ast.Call) else None
        self.count += isinstance(called, ast.Attribute | ast.Name)
        return node.value

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if node.returns is not None and ast.unparse(node.returns).startswith(("Steps", "Choice")):
            self.generic_visit(node)
        return node  # only rules yield decisions

    def visit_Return(self, node: ast.Return) -> ast.Return:
        before, handed_on = self.count, isinstance(node.value, ast.YieldFrom)
        self.generic_visit(node)
        self.count = before if handed_on else self.count
        return node


@pytest.mark.torture(6)
def test_every_removed_yield_from_is_found(rules: list[Source]) -> None:
    """Calls of a rule passed as an argument are exceptions: its name is unknown."""
    forget = RemoveYieldFrom()
    games_only = [source for source in rules if source.module.startswith("readyroom.games")]
    changed = [dataclasses.replace(each, tree=forget.visit(ast.parse(ast.unparse(each.tree)))) for each in games_only]
    assert forget.count > 20
    assert len(unrun_generators(changed)) >= forget.count * 0.95


def test_plain_function_may_return_generator() -> None:
    assert not unrun_generators(planted(LAND + "def play(table) -> Steps:\n    return land(table, 1)\n"))


def test_rules_are_resolved_across_modules() -> None:
    rules = Source("rules.py", "game.rules", ast.parse(LAND))
    calls = {
        "from game.rules import land\nland(1, 2)": 1,
        "from game.rules import land as come_down\ncome_down(1, 2)": 1,
        "from game import rules\nrules.land(1, 2)": 1,
        "from elsewhere import land\nland(1, 2)": 0,
        "import elsewhere\nelsewhere.land(1, 2)": 0,
    }
    for text, count in calls.items():
        assert len(unrun_generators([rules, *planted(text)])) == count, text


def test_methods_are_checked() -> None:
    text = """
        class Rules:
            def land(self) -> "Steps":
                yield

            def turn(self) -> table.Steps:
                self.land()
                yield from self.land()
    """
    assert [issue.place for issue in unrun_generators(planted(text))] == ["planted.py:7"]


def test_examples_in_pages_are_checked(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n```python\ndef f(table) -> Steps:\n    table.choose('a', '1', '?', [])\n```\n")
    assert [issue.place for issue in unrun_generators(examples(page))] == [f"{page}:5"]


# -- eager log texts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "issues"),
    [
        ('table.log_line("1", f"{side} lands.")', 1),
        ('table.log_line("1", "%s lands." % side)', 1),
        ('table.reveal("1", "{} lands.".format(side))', 1),
        ('table.log_line("1", "Lands: " + side)', 1),
        ('table.log_line("1", "{} lands." if side else f"{1}")', 1),
        ('table.log_line("1", "{} lands.", side)', 0),
        ('table.log_line("1", "{} lands." if side else "{} stays.", side)', 0),
        ("table.log_line(rule, TEMPLATE, side)", 0),
    ],
)
def test_eager_log_text_is_found(line: str, issues: int) -> None:
    assert len(eager_log_lines(planted(line))) == issues


def test_sample_computes_no_texts() -> None:
    def expensive(*_: object) -> Any:
        raise AssertionError("evaluated")

    class Silent(msgspec.Struct):
        key: str

        def __str__(self) -> str:
            raise AssertionError("formatted")

    pieces = [Silent("a"), Silent("b")]
    for kind in (DecisionKind.ONE, DecisionKind.SOME):
        decision = Decision(
            kind, "red", "1", "?", pieces, 1, 1, text=expensive, info=expensive, unavailable_options=expensive
        )
        decision.accept(decision.sample(Random(1)))


# -- foreign randomness ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "issues"),
    [
        ("import random", 1),
        ("from random import choice", 1),
        ("from random import Random, shuffle", 1),
        ("from random import Random", 0),
        ("import time", 1),
        ("from datetime import datetime", 1),
        ("from datetime import date, timedelta", 0),
        ("day = date(1945, 4, 6)", 0),
        ("day = date.today()", 1),
        ("import os, secrets", 1),
        ("luck = Random()", 1),
        ("luck = Random(seed)", 0),
        ("order = hash(key)", 1),
        ("key = os.urandom(8)", 1),
    ],
)
def test_foreign_randomness_is_found(line: str, issues: int) -> None:
    assert len(find_foreign_randomness(planted(line))) == issues


# -- iteration over sets -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "issues"),
    [
        ("for x in {1, 2}: pass", 1),
        ("for x in set(y): pass", 1),
        ("for x in set(y) - {1}: pass", 1),
        ("z = [x for x in {a for a in y}]", 1),
        ("z = list(set(y))", 1),
        ("z = ', '.join({'a', 'b'})", 1),
        ("seen = set(y)\nfor x in seen: pass", 1),
        ("seen = {a for a in y}\nz = next(iter(seen))", 1),
        ("for x in sorted({1, 2}): pass", 0),
        ("seen = set(y)\nz = [x for x in y if x in seen]", 0),
        ("z = sorted(x for x in {1, 2})", 0),
        ("z = {x + 1 for x in {1, 2}}", 0),
        ("z = sum(x for x in set(y))", 0),
        ("for x in {1: 2}: pass", 0),
    ],
)
def test_set_iteration_is_found(line: str, issues: int) -> None:
    lint_issues = set_iteration(planted(line))
    assert len(lint_issues) == issues, report(lint_issues)


# -- pieces and states -------------------------------------------------------------------------------------------------


def kinds(annotation: Any) -> Iterator[Any]:
    """Yield all types in an annotation."""
    arguments = typing.get_args(annotation)
    yield typing.get_origin(annotation) or annotation
    for argument in arguments:
        yield from kinds(argument)


def structs(root: type[Any]) -> dict[type[Any], dict[str, list[Any]]]:
    """Return every struct in a state with the types of its fields."""
    results: dict[type[Any], dict[str, list[Any]]] = {}
    waiting = [root]
    while waiting:
        kind = waiting.pop()
        if kind in results:
            continue
        hints = typing.get_type_hints(kind)
        results[kind] = {name: list(kinds(hints[name])) for name in kind.__struct_fields__}
        for inside in results[kind].values():
            waiting += [each for each in inside if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    return results


GAMES: list[Game[Any, Any]] = [GAME, *(games.load(name) for name in games.game_names())]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_pieces_compare_by_identity(game: Game[Any, Any]) -> None:
    kinds = structs(game.rules.state)
    assert any(issubclass(kind, Piece) for kind in kinds) or game.key == "war"  # which counts factors
    for kind in kinds:
        settings = kind.__struct_config__
        assert settings.frozen or not settings.eq, f"{kind.__name__} must have eq=False"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_states_are_plain_data_without_sets(game: Game[Any, Any]) -> None:
    for kind, fields in structs(game.rules.state).items():
        settings = kind.__struct_config__
        assert settings.forbid_unknown_fields, f"{kind.__name__} must forbid unknown fields"
        assert not settings.dict, f"{kind.__name__} must have no attributes except its fields"
        for name, inside in fields.items():
            for each in inside:
                where = f"{kind.__name__}.{name}"
                assert each not in (set, frozenset, Any, object, types.FunctionType), f"{where} is a {each}"
                assert each is not Callable, f"{where} is no data"


def test_remove_removes_same_piece() -> None:
    first, second = (next(iter(playout(GAME, seed="twin", upto=0).state.red.harbour)) for _ in range(2))
    twins = [first, second]
    twins.remove(second)
    assert twins[0] is first


# -- keys, not pieces, across decisions --------------------------------------------------------------------------------


def test_undo_fork_and_error_make_new_state() -> None:
    def fails(table: T) -> Steps:
        chosen = yield from table.choose("red", "2", "?", ABC)
        if chosen.key == "b":
            raise KeyError(chosen.key)

    match = Match(tiny(ask("red"), fails, ask("red")), seed="tree")
    held = [match.state.tokens[0]]
    match.decide("red", "a")
    match.undo("red")
    held.append(match.state.tokens[0])
    match.decide("red", "a")
    held.append(match.fork().state.tokens[0])
    with pytest.raises(RuleError):
        match.decide("red", "b")
    held.append(match.state.tokens[0])
    assert len({id(token) for token in held}) == 4
    assert len({token.key for token in held}) == 1
