"""What can be taken out of a rule: a step, a condition, or a part of one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CITED = re.compile(r"(?<![\w`])\[((?:[A-Z]*\d|[A-Z]{2,})[\w., ]*)\]")
"""How a docstring names the rules that its code is: by numbers, as in `12.2` and `M7`, or sections, as in `PH.4`."""
TELLING = {"say", "tell", "log", "note", "told", "write", "record"}
"""Calls that only log; without them a match continues the same."""
STEPS = (ast.Expr, ast.AugAssign, ast.If, ast.For, ast.Delete)


@dataclass(frozen=True)
class Cut:
    """A piece of source that is a rule's, and what stands in its place when the rule is gone.

    `rule` is the function, `cites` are the numbers in its docstring; `start` and `end` are offsets into
    the file's text.
    """

    file: Path
    rule: str
    cites: frozenset[str]
    start: int
    end: int
    instead: str

    def made(self) -> str:
        """The file without the piece."""
        text = self.file.read_text(encoding="utf-8")
        return text[: self.start] + self.instead + text[self.end :]

    def shown(self) -> str:
        """What is taken out, on one line."""
        piece = " ".join(self.file.read_text(encoding="utf-8")[self.start : self.end].split())
        line = self.file.read_text(encoding="utf-8").count("\n", 0, self.start) + 1
        return f"{self.file.name}:{line} {self.rule}: {piece[:90]}{'…' if len(piece) > 90 else ''} -> {self.instead}"


def cuts(file: Path) -> Iterator[Cut]:
    """All that can be taken out of the functions of a file that cite a rule."""
    text = file.read_text(encoding="utf-8")
    place = _Places(text)
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        items = CITED.findall(ast.get_docstring(function) or "")
        cites = frozenset(number.strip() for numbers in items for number in numbers.split(","))
        for node, instead in _pieces(function) if cites else ():
            yield Cut(file, function.name, cites, *place.of(node), instead)


class _Places:
    """Offsets of what the syntax tree places by line and by byte."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def of(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())


def _pieces(function: ast.FunctionDef) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    """Steps are left out; of what joins conditions, each is taken to hold, or not to matter."""
    for node in ast.walk(function):
        if isinstance(node, STEPS) and not _idle(node):
            yield node, "pass"
        elif isinstance(node, ast.BoolOp):
            conditions = [value for value in node.values if not isinstance(value, ast.Constant)]
            yield from ((value, str(isinstance(node.op, ast.And))) for value in conditions)
        elif isinstance(node, ast.comprehension):
            yield from ((condition, "True") for condition in node.ifs)
        elif isinstance(node, ast.IfExp):
            yield node.test, "False"


def _idle(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring or only logs."""
    if not isinstance(node, ast.Expr):
        return isinstance(node, ast.If | ast.For) and all(_idle(step) for step in node.body)
    value = node.value
    if isinstance(value, ast.Constant):
        return True
    called = value.func if isinstance(value, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in TELLING
