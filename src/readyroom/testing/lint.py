"""Find mistakes in rules that no type checker sees, above all a missing `yield from`.

Each function takes modules as `Source` values and returns a list of issues with their places.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, cast

from readyroom.engine.game import Game

DECIDING = frozenset({"choose", "choose_some", "allocate", "choose_in_secret", "always_asks", "ask_to_continue"})
"""The methods of a table that are generators."""
WRAPPING = frozenset({"with_sheet"})
"""Functions that wrap a plan."""
LOGGING = frozenset({"log_line", "reveal"})
RANDOM_MODULES = frozenset({"random", "secrets", "uuid", "time", "datetime", "numpy"})
"""Modules that rules must not take randomness or time from."""
TYPES = frozenset({"Random", "date", "timedelta"})
"""Names that may be imported from them: the type of a given generator, and calendar days."""
CLOCKS = ("today", "now", "utcnow", "fromtimestamp")
ORDERED = frozenset({"sorted", "set", "frozenset", "len", "sum", "any", "all", "min", "max"})
"""Functions for which the order of a set does not matter."""
_FENCE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Source:
    """A module, or an example from a page: its place, name and syntax tree."""

    place: str
    module: str
    tree: ast.Module

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of every node except the tree itself."""
        found, waiting = dict[ast.AST, ast.AST](), [cast(ast.AST, self.tree)]
        while waiting:
            node = waiting.pop()
            for child in ast.iter_child_nodes(node):
                found[child] = node
                waiting.append(child)
        return found

    @cached_property
    def calls(self) -> list[ast.Call]:
        """All calls."""
        return [node for node in self.parents if isinstance(node, ast.Call)]

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what a node is in, the nearest first."""
        while node is not self.tree:
            node = self.parents[node]
            yield node


class LintIssue(NamedTuple):
    """An issue in the source: `file:line`, and what is wrong."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


def sources(folder: Path, package: str = "") -> list[Source]:
    """Return all modules in a folder; `package` is the dotted name of the folder itself."""
    modules = []
    for path in sorted(folder.rglob("*.py")):
        parts = [*package.split("."), *path.relative_to(folder).with_suffix("").parts]
        module = ".".join(part for part in parts if part and part != "__init__")
        modules.append(Source(str(path), module, ast.parse(path.read_text(encoding="utf-8"))))
    return modules


def examples(page: Path) -> list[Source]:
    """Return the Python examples of a Markdown page, without incomplete statements."""
    modules, text = [], page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start(1))
        try:
            tree = ast.parse("\n" * line + match[1])
        except SyntaxError:
            continue
        modules.append(Source(str(page), "", tree))
    return modules


def lint(game: Game[Any, Any]) -> list[LintIssue]:
    """Return all issues in a game's package; one of your tests should assert that there are none."""
    modules = [each for package in game.packages for each in sources(Path(str(files(package))), package)]
    checks = (unrun_generators, eager_log_lines, find_foreign_randomness, set_iteration)
    return [issue for check in checks for issue in check(modules)]


# -- missing `yield from` --------------------------------------------------------------------------------------------


def unrun_generators(modules: Iterable[Source]) -> list[LintIssue]:
    """Return calls of rules whose generator is never run."""
    known = list(modules)
    own = [
        {node.name for node in source.parents if isinstance(node, ast.FunctionDef) and _is_steps(node.returns)}
        for source in known
    ]
    rules = {source.module: names for source, names in zip(known, own, strict=True)}
    issues = []
    for source, defined in zip(known, own, strict=True):
        names = defined | _imported_rules(source, rules)
        for call in source.calls:
            name = _rule_called(call, names)
            if name and not _is_run(call, list(source.above(call)), names):
                text = f"{name}(...) is a generator that is never run: `yield from` is missing"
                issues.append(LintIssue(f"{source.place}:{call.lineno}", text))
    return issues


def _is_steps(annotation: ast.expr | None) -> bool:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return _is_steps(ast.parse(annotation.value, mode="eval").body)
    if isinstance(annotation, ast.Subscript):
        return _last_name(annotation.value) == "Choice"
    return _last_name(annotation) == "Steps"


def _last_name(node: ast.expr | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _imported_rules(source: Source, rules: dict[str, set[str]]) -> set[str]:
    """Return the names by which a module can call rules that it imports."""
    names = set()
    for node in source.parents:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if alias.name in rules.get(node.module, ()):
                    names.add(alias.asname or alias.name)
                inner = rules.get(f"{node.module}.{alias.name}", set())
                names |= {f"{alias.asname or alias.name}.{name}" for name in inner}
    return names


def _rule_called(call: ast.Call, names: set[str]) -> str:
    called = call.func
    if isinstance(called, ast.Name):
        return called.id if called.id in names else ""
    if not isinstance(called, ast.Attribute):
        return ""
    if called.attr in DECIDING and _last_name(called.value) not in ("", "random"):
        return called.attr
    full = f"{_last_name(called.value)}.{called.attr}"
    if full in names or (full == f"self.{called.attr}" and called.attr in names):
        return full
    return ""


def _is_run(call: ast.Call, parents: list[ast.AST], names: set[str]) -> bool:
    """Return whether the generator is run here, returned by a plain function, or kept as one of several plans."""
    parent: ast.AST = call
    for node in parents:
        if isinstance(node, ast.YieldFrom | ast.Lambda | ast.Dict | ast.DictComp):
            return True
        wraps = isinstance(node, ast.Tuple) or (isinstance(node, ast.Call) and _last_name(node.func) in WRAPPING)
        if wraps or (isinstance(node, ast.IfExp) and parent is not node.test):
            parent = node
            continue
        if isinstance(node, ast.Assign):
            function = next((p for p in parents if isinstance(p, _Function)), None)
            return function is not None and _runs_any(function, node.targets)
        if isinstance(node, ast.Return):
            return not _is_generator(next(p for p in parents if isinstance(p, _Function)))
        return isinstance(node, ast.Call) and bool(_rule_called(node, names))
    return False


def _runs_any(function: ast.AST, targets: Sequence[ast.AST]) -> bool:
    """Return whether a function runs a generator that it has assigned to one of these targets."""
    kept = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    if not _is_generator(function):
        return any(isinstance(node, ast.Return) and _last_name(node.value) in kept for node in ast.walk(function))
    runs = (name for node in ast.walk(function) if isinstance(node, ast.YieldFrom) for name in ast.walk(node))
    return any(isinstance(name, ast.Name) and name.id in kept for name in runs)


def _is_generator(function: ast.AST) -> bool:
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, _Function | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return False


# -- log lines, randomness, order ------------------------------------------------------------------------------------


def eager_log_lines(modules: Iterable[Source]) -> list[LintIssue]:
    """Return log lines that are formatted even without a log: their template is not a plain string."""
    issues = []
    for source in modules:
        for call in source.calls:
            if not isinstance(call.func, ast.Attribute) or call.func.attr not in LOGGING or len(call.args) < 2:
                continue
            if not _is_plain(call.args[1]):
                text = f"{call.func.attr}() takes a template and arguments, not a formatted text"
                issues.append(LintIssue(f"{source.place}:{call.lineno}", text))
    return issues


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_plain(node.body) and _is_plain(node.orelse)
    return isinstance(node, ast.Constant | ast.Name | ast.Attribute)


def find_foreign_randomness(modules: Iterable[Source]) -> list[LintIssue]:
    """Return randomness or time from outside the table: all of `random` except the type `Random`, and clocks."""
    issues = []
    for source in modules:
        for node in source.parents:
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names if alias.name.split(".")[0] in RANDOM_MODULES]
            elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in RANDOM_MODULES:
                names = [f"{node.module}.{alias.name}" for alias in node.names if alias.name not in TYPES]
            elif isinstance(node, ast.Call) and _unseeded(node):
                names = [f"{ast.unparse(node)}"]
            else:
                continue
            issues += [LintIssue(f"{source.place}:{node.lineno}", f"{name} is not the table's dice") for name in names]
    return issues


def _unseeded(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    clock = isinstance(call.func, ast.Attribute) and call.func.attr in CLOCKS
    return (name == "Random" and not call.args) or name in ("os.urandom", "hash") or clock


def set_iteration(modules: Iterable[Source]) -> list[LintIssue]:
    """Return places where the order of a set matters: loops over one, and lists or texts made from one."""
    issues = []
    for source in modules:
        for function in (source.tree, *source.parents):
            if isinstance(function, ast.FunctionDef | ast.Module):
                issues += [
                    LintIssue(f"{source.place}:{node.lineno}", f"the order of the set {ast.unparse(node)} matters here")
                    for node in _ordered_sets(function)
                ]
    return sorted(set(issues))


def _ordered_sets(function: ast.FunctionDef | ast.Module) -> Iterator[ast.expr]:
    inside = list(_within(function))
    named = {
        target.id
        for node in inside
        if isinstance(node, ast.Assign) and _is_set(node.value, frozenset())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in inside:
        if isinstance(node, ast.For | ast.comprehension) and _is_set(node.iter, frozenset(named)):
            if not (isinstance(node, ast.comprehension) and _harmless(node, inside)):
                yield node.iter
        elif isinstance(node, ast.Call) and _spells_out(node):
            yield from (arg for arg in node.args if _is_set(arg, frozenset(named)))


def _within(function: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef):
            yield node
            yield from _within(node)


def _is_set(node: ast.expr, named: frozenset[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in named
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return _is_set(node.left, named) or _is_set(node.right, named)
    called = isinstance(node, ast.Call) and _last_name(node.func) in ("set", "frozenset")
    return called or isinstance(node, ast.Set | ast.SetComp)


def _harmless(generator: ast.comprehension, inside: Iterable[ast.AST]) -> bool:
    """Return whether a comprehension over a set makes another set, or goes into a sum, a count or a sort."""
    for node in inside:
        if isinstance(node, ast.SetComp) and generator in node.generators:
            return True
        if isinstance(node, ast.Call) and _last_name(node.func) in ORDERED:
            for arg in node.args:
                if isinstance(arg, ast.GeneratorExp | ast.ListComp) and generator in arg.generators:
                    return True
    return False


def _spells_out(call: ast.Call) -> bool:
    name = _last_name(call.func)
    return name in ("list", "tuple", "iter", "next", "enumerate", "zip", "map", "join", "extend", "chain")
