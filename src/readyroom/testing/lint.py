"""Faults that no type checker sees, found in the source of rules: a forgotten `yield from` above all.

Each function takes modules as `Source` values and gives a list of faults, each with its place and a sentence.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from readyroom.engine.game import Game

ASKING = frozenset({"choose", "choose_some", "allocate", "choose_in_secret"})
"""The methods of a table that are generators."""
WRAPPING = frozenset({"with_sheet"})
"""What makes another plan of a plan."""
TELLING = frozenset({"log_line", "reveal"})
LUCK = frozenset({"random", "secrets", "uuid", "time", "datetime", "numpy"})
"""Modules that rules may not take chance or time from."""
TYPES = frozenset({"Random", "date", "timedelta"})
"""What may be named of them all the same: a random that is given, and the days of a calendar."""
CLOCKS = ("today", "now", "utcnow", "fromtimestamp")
ORDERED = frozenset({"sorted", "set", "frozenset", "len", "sum", "any", "all", "min", "max"})
"""What may be done with a set without its order showing."""
_FENCE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Source(NamedTuple):
    """A module, or an example out of a page: where it stands, its name, and its tree."""

    place: str
    module: str
    tree: ast.Module


class LintIssue(NamedTuple):
    """A fault in the source: `file:line`, and what is wrong there."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


def sources(folder: Path, package: str = "") -> list[Source]:
    """All modules under a folder; `package` is the dotted name of the folder itself."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        parts = [*package.split("."), *path.relative_to(folder).with_suffix("").parts]
        module = ".".join(part for part in parts if part and part != "__init__")
        found.append(Source(str(path), module, ast.parse(path.read_text(encoding="utf-8"))))
    return found


def examples(page: Path) -> list[Source]:
    """The Python examples of a page in Markdown; those that are no whole statements are left out."""
    found, text = [], page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start(1))
        try:
            tree = ast.parse("\n" * line + match[1])
        except SyntaxError:
            continue
        found.append(Source(str(page), "", tree))
    return found


def lint(game: Game[Any, Any]) -> list[LintIssue]:
    """Whatever of all this is found in the package of a game; a test of yours should hold that it is nothing."""
    found = sources(Path(str(files(game.package))), game.package)
    return [*unrun_generators(found), *eager_log_lines(found), *find_foreign_randomness(found), *set_iteration(found)]


# -- a forgotten `yield from` ----------------------------------------------------------------------------------------


def unrun_generators(modules: Iterable[Source]) -> list[LintIssue]:
    """Calls of rules that are generators whose generator nobody runs."""
    known = list(modules)
    rules = {source.module: _generators(source.tree) for source in known}
    faults = []
    for source in known:
        names = _names_of_rules(source, rules)
        for call, parents in _calls(source.tree):
            name = _rule_called(call, names)
            if name and not _is_run(call, parents, names):
                text = f"{name}(...) is a generator that nobody runs: `yield from` is missing"
                faults.append(LintIssue(f"{source.place}:{call.lineno}", text))
    return faults


def _generators(tree: ast.Module) -> set[str]:
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.returns is not None and _is_steps(node.returns)
    }


def _is_steps(annotation: ast.expr) -> bool:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return _is_steps(ast.parse(annotation.value, mode="eval").body)
    if isinstance(annotation, ast.Subscript):
        return _last_name(annotation.value) == "Choice"
    return _last_name(annotation) == "Steps"


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _names_of_rules(source: Source, rules: dict[str, set[str]]) -> set[str]:
    """The rules that a module can call by name, as they are called there: its own, and what it imports."""
    names = set(rules.get(source.module, ())) | _generators(source.tree)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if alias.name in rules.get(node.module, ()):
                    names.add(alias.asname or alias.name)
                inner = rules.get(f"{node.module}.{alias.name}", set())
                names |= {f"{alias.asname or alias.name}.{name}" for name in inner}
    return names


def _calls(tree: ast.AST) -> Iterator[tuple[ast.Call, list[ast.AST]]]:
    """Every call with its parents, the nearest first."""
    waiting: list[tuple[ast.AST, list[ast.AST]]] = [(tree, [])]
    while waiting:
        node, parents = waiting.pop()
        if isinstance(node, ast.Call):
            yield node, parents
        waiting += [(child, [node, *parents]) for child in ast.iter_child_nodes(node)]


def _rule_called(call: ast.Call, names: set[str]) -> str:
    called = call.func
    if isinstance(called, ast.Name):
        return called.id if called.id in names else ""
    if not isinstance(called, ast.Attribute):
        return ""
    if called.attr in ASKING and _last_name(called.value) not in ("", "random"):
        return called.attr
    full = f"{_last_name(called.value)}.{called.attr}"
    if full in names or (full == f"self.{called.attr}" and called.attr in names):
        return full
    return ""


def _is_run(call: ast.Call, parents: list[ast.AST], names: set[str]) -> bool:
    """Run where it stands, handed on by a function that is no generator itself, or kept as one of several plans."""
    parent: ast.AST = call
    for node in parents:
        if isinstance(node, ast.YieldFrom):
            return True
        if (isinstance(node, ast.IfExp) and parent is not node.test) or _wraps(node):
            parent = node
            continue
        if isinstance(node, ast.Return):
            return not _is_generator(next(p for p in parents if isinstance(p, _Function)))
        if isinstance(node, ast.Lambda):
            return True
        if isinstance(node, ast.Dict | ast.DictComp):
            return True
        return isinstance(node, ast.Call) and bool(_rule_called(node, names))
    return False


def _wraps(node: ast.AST) -> bool:
    """A call that hands on the plan that it is given."""
    return isinstance(node, ast.Call) and _last_name(node.func) in WRAPPING


def _is_generator(function: ast.AST) -> bool:
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, _Function | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return False


# -- telling, luck, order --------------------------------------------------------------------------------------------


def eager_log_lines(modules: Iterable[Source]) -> list[LintIssue]:
    """Lines of the log that are put into words even when the log is muted: the template is no plain string."""
    faults = []
    for source in modules:
        for call, _ in _calls(source.tree):
            if not isinstance(call.func, ast.Attribute) or call.func.attr not in TELLING or len(call.args) < 2:
                continue
            if not _is_plain(call.args[1]):
                text = f"{call.func.attr}() takes a template with facts, not a text made on the spot"
                faults.append(LintIssue(f"{source.place}:{call.lineno}", text))
    return faults


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_plain(node.body) and _is_plain(node.orelse)
    return isinstance(node, ast.Constant | ast.Name | ast.Attribute)


def find_foreign_randomness(modules: Iterable[Source]) -> list[LintIssue]:
    """Chance or time that does not come from the table: everything of `random` but the type `Random`, and clocks."""
    faults = []
    for source in modules:
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Import):
                taken = [alias.name for alias in node.names if alias.name.split(".")[0] in LUCK]
            elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in LUCK:
                taken = [f"{node.module}.{alias.name}" for alias in node.names if alias.name not in TYPES]
            elif isinstance(node, ast.Call) and _unseeded(node):
                taken = [f"{ast.unparse(node)}"]
            else:
                continue
            faults += [LintIssue(f"{source.place}:{node.lineno}", f"{name} is no dice of the table") for name in taken]
    return faults


def _unseeded(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    clock = isinstance(call.func, ast.Attribute) and call.func.attr in CLOCKS
    return (name == "Random" and not call.args) or name in ("os.urandom", "hash") or clock


def set_iteration(modules: Iterable[Source]) -> list[LintIssue]:
    """Places where the order of a set would show: loops over one, and lists or texts made of one."""
    faults = []
    for source in modules:
        for function in ast.walk(source.tree):
            if isinstance(function, ast.FunctionDef | ast.Module):
                faults += [
                    LintIssue(f"{source.place}:{node.lineno}", f"the order of the set {ast.unparse(node)} shows here")
                    for node in _shown_sets(function)
                ]
    return sorted(set(faults))


def _shown_sets(function: ast.FunctionDef | ast.Module) -> Iterator[ast.expr]:
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
    """A comprehension over a set that makes a set again, or goes straight into a sum, a count or a sorting."""
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
