"""Rule coverage: which rules of a game's rulebook its code cites, and which its tests exercise.

Code cites a rule in a docstring (`[12.2]`, `[9.2, 14.1]`, or for a ruling also `(M7)` and `ruling M7`) or by naming it
where it applies: as a positional argument of a call, as `rule=`, or in a tuple of a table. Tests cite theirs with
`@pytest.mark.rule("midway", "12.2")`, on a function, a class or, as `pytestmark`, a module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from readyroom.engine.books import Rulebook
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game

_BRACKETS = re.compile(r"(?<![\w`])\[([\w., ]+)\]")
_NUMBER = re.compile(r"[A-Z]*\d+(?:\.(?:\d+|[A-Z]))*|[A-Z]{2,}(?:\.\d+)+")
"""A rule number: `7`, `12.2`, `M7`, `PH.4`, and for lettered paragraphs `6.8.C` or `6.8.C.1`."""
_RULING = re.compile(r"\b[A-Z]+\d+\b")
_SUPPORTING = re.compile(
    r"(?:^|[/_])(?:figures|charts?|drawing|board|scene|views?|presentation|questions|odds|bots?|doctrine)(?=[/_.])"
)
"""Modules and folders without rules: figures, charts, boards, views, odds and bots."""
_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class NoCheckout(ReadyRoomError):
    """No checkout with code and tests was found."""


class Cited(NamedTuple):
    """A citation: a rule number, and its place (`file:line`, or a test's node id)."""

    number: str
    place: str


class RuleCode(NamedTuple):
    """A function or class that cites a rule: its place as `file:line`, its name, the first line of its docstring."""

    place: str
    name: str
    summary: str


def checkout_of(game: Game[Any, Any]) -> Path:
    """Return a game's checkout: the nearest folder above its code with a `pyproject.toml` and a folder `tests`.

    Raises `NoCheckout` if there is none, for example because the game was installed as a copy.
    """
    package = _code(game)[0]
    for folder in package.parents:
        if (folder / "pyproject.toml").is_file() and (folder / "tests").is_dir():
            return folder
    raise NoCheckout(
        f"The code of {game.key} lies in {package}, and no folder above it has a pyproject.toml and tests; install the "
        "game with `pip install --editable` from the folder that it is developed in, and ask again."
    )


def coverage(game: Game[Any, Any], checkout: Path | None = None) -> list[dict[str, Any]]:
    """Return where each rule and ruling of a game is cited, in the order of the rulebook.

    Args:
        game: the game.
        checkout: the folder that contains the game's package and a folder `tests`. None: `checkout_of` finds it.

    Returns:
        A row for each: its number as `rule`, its `title`, files and lines of the `code` that cites it, as they lie in
        the checkout, and the node ids of its `tests`. A section counts what cites its sub-sections as well.

    Raises:
        NoCheckout: the folder has no tests, or the game's code lies elsewhere.
    """
    checkout = checkout or checkout_of(game)
    code = _gather(cited for package in _packages(game, checkout) for cited in cited_by_code(package, checkout))
    tests = _gather(cited_by_tests(checkout / "tests", checkout, game.key))
    return [
        {"rule": number, "title": title, "code": _under(number, code), "tests": _under(number, tests)}
        for number, title in _titles(game.rulebook).items()
    ]


def code_of_rule(game: Game[Any, Any], number: str) -> list[RuleCode]:
    """Return the functions and classes whose docstrings cite a rule or ruling, the main ones first.

    Rules, which act on their `table`, come first; figures, charts, boards, views, odds and bots come last. Among equals
    those come first whose docstrings open with the number, then generators; otherwise they are in source order. The
    code of subsections follows. Files are relative to the current folder if they are below it. Raises `UnknownRule` if
    the rulebook has no such number.
    """
    game.rulebook.find(number)
    packages, here = _code(game), Path.cwd().resolve()
    base = here if packages[0].is_relative_to(here) else Path(packages[0].anchor)
    cited: list[tuple[Any, RuleCode]] = []
    parts: list[tuple[Any, RuleCode]] = []
    opening = re.compile(rf"\[{re.escape(number)}[],.]")
    for folder, (name, tree) in ((package, source) for package in packages for source in _sources(package, base)):
        is_supporting = _SUPPORTING.search(name.removeprefix(f"{folder.relative_to(base).as_posix()}/")) is not None
        for scope, node in _scopes(tree):
            text = ast.get_docstring(node) or ""
            numbers = [each for each in _cited_numbers(text) if each == number or each.startswith(f"{number}.")]
            if not numbers:
                continue
            place = f"{'' if base == here else base}{name}:{node.lineno}"
            is_generator = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))
            first = min(map(_natural, numbers)) if number not in numbers else []
            rank = (is_supporting, not _is_rule(node), not opening.match(text), first, not is_generator)
            row = (rank, RuleCode(place, scope, text.partition("\n")[0]))
            (cited if number in numbers else parts).append(row)
    has_rule = any(not any(rank[:2]) for rank, _ in cited)
    groups = [cited, parts] if has_rule else [cited + parts]
    return [code for group in groups for _, code in sorted(group, key=lambda row: row[0])]


def _is_rule(node: _Definition) -> bool:
    """Return whether this is a function that acts on its first argument, the `table`: asks, rolls or writes the log."""
    first = node.args.args[0] if isinstance(node, ast.FunctionDef) and node.args.args else None
    if first is None or first.arg != "table":
        return False
    if first.annotation is not None and not re.match(r"(T|Table)\b", ast.unparse(first.annotation)):
        return False
    calls = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
    acts = any(isinstance(each, ast.Attribute) and ast.unparse(each.value) == "table" for each in calls)
    return acts or any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))


def _scopes(scope: ast.AST, prefix: str = "") -> Iterator[tuple[str, _Definition]]:
    """Yield each class and function with its qualified name, in source order."""
    for child in ast.iter_child_nodes(scope):
        inner = prefix
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + child.name, child
            inner = f"{prefix}{child.name}."
        yield from _scopes(child, inner)


def _titles(book: Rulebook) -> dict[str, str]:
    titles = {rule.number: rule.title for rule in book.rule}
    return titles | {ruling.id: ruling.title for ruling in book.ruling}


def _code(game: Game[Any, Any]) -> list[Path]:
    return [Path(str(files(package))).resolve() for package in game.packages]


def _packages(game: Game[Any, Any], checkout: Path) -> list[Path]:
    """Return the folders of the game's code in the checkout."""
    packages = _code(game)
    if not (checkout / "tests").is_dir() or not packages[0].is_relative_to(checkout.resolve()):
        raise NoCheckout(
            f"{checkout} is no checkout of {game.key}: its code and a folder 'tests' are needed to say which rules "
            "they cite; go to where you cloned it and ask again."
        )
    return packages


def _gather(cited: Iterable[Cited]) -> dict[str, list[str]]:
    """Return the places by number, without duplicates, in order."""
    places: dict[str, dict[str, None]] = {}
    for number, place in cited:
        places.setdefault(number, {})[place] = None
    return {number: list(unique) for number, unique in places.items()}


def _under(number: str, places: Mapping[str, list[str]]) -> list[str]:
    """Return the places that cite a section or its subsections."""
    cited = [each for other, each in places.items() if other == number or other.startswith(f"{number}.")]
    return sorted(dict.fromkeys(place for each in cited for place in each), key=_natural)


def _natural(place: str) -> list[tuple[int, str]]:
    """Return a natural sort key: line 9 comes before line 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", place)]


def _sources(folder: Path, checkout: Path, word: str = "") -> Iterator[tuple[str, ast.Module]]:
    """Yield the Python files of a folder that contain a word."""
    for file in sorted(folder.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if word in text:
            name = file.resolve().relative_to(checkout.resolve()).as_posix()
            yield name, ast.parse(text, name)


# -- code ------------------------------------------------------------------------------------------------------------


def cited_by_code(package: Path, checkout: Path) -> Iterator[Cited]:
    """Yield everything in a package's Python files that looks like the citation of a rule, known or not."""
    for name, tree in _sources(package, checkout):
        for node in ast.walk(tree):
            for number, line in (*_in_docstring(node), *_as_argument(node)):
                yield Cited(number, f"{name}:{line}")


def _in_docstring(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield what docstrings cite, with the line of the class or function, or else of the string."""
    if not isinstance(node, _Scope):
        return
    for at, child in enumerate(node.body):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant) and isinstance(child.value.value, str):
            line = child.lineno if at or isinstance(node, ast.Module) else node.lineno
            for number in _cited_numbers(child.value.value):
                yield number, line


def _cited_numbers(text: str) -> list[str]:
    """Return the numbers that a docstring cites: rules in brackets, rulings (which start with a letter) anywhere."""
    bracketed = [part.strip() for inside in _BRACKETS.findall(text) for part in inside.split(",")]
    cited = [*filter(_NUMBER.fullmatch, bracketed), *_RULING.findall(text)]
    return list(dict.fromkeys(cited))


def _as_argument(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the numbers in the arguments of a call, a `rule=` or a tuple."""
    values: list[ast.expr] = []
    if isinstance(node, ast.Call):
        values = node.args
    elif isinstance(node, ast.Tuple):
        values = node.elts
    elif isinstance(node, ast.keyword) and node.arg == "rule":
        values = [node.value]
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and _NUMBER.fullmatch(value.value):
            yield value.value, value.lineno


# -- tests -----------------------------------------------------------------------------------------------------------


def cited_by_tests(folder: Path, checkout: Path, game: str) -> Iterator[Cited]:
    """Yield the rules of a game that tests are marked with."""
    for name, tree in _sources(folder, checkout, f'"{game}"'):
        if name.rsplit("/", 1)[-1].startswith("test_"):
            yield from _tests_in(tree, name, [], game)


def _tests_in(scope: ast.Module | ast.ClassDef, node_id: str, inherited: list[str], game: str) -> Iterator[Cited]:
    around = [*inherited, *_pytestmark(scope, game)]
    for child in scope.body:
        if isinstance(child, ast.ClassDef) and child.name.startswith("Test"):
            marked = [*around, *_marks(child.decorator_list, game)]
            yield from _tests_in(child, f"{node_id}::{child.name}", marked, game)
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) and child.name.startswith("test"):
            for number in [*around, *_marks(child.decorator_list, game)]:
                yield Cited(number, f"{node_id}::{child.name}")


def _pytestmark(scope: ast.Module | ast.ClassDef, game: str) -> Iterator[str]:
    for child in scope.body:
        if isinstance(child, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in child.targets
        ):
            value = child.value
            yield from _marks(value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value], game)


def _marks(expressions: Iterable[ast.expr], game: str) -> Iterator[str]:
    """Yield the numbers of every `pytest.mark.rule(game, ...)` in the expressions, including those of parameters."""
    for mark in (node for expression in expressions for node in ast.walk(expression)):
        if not (isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == "rule"):
            continue
        values = [argument.value for argument in mark.args if isinstance(argument, ast.Constant)]
        if values and values[0] == game:
            yield from (number for number in values[1:] if isinstance(number, str))
