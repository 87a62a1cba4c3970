"""Check that a loss is off the board once the log reports it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import msgspec

from readyroom.engine.rules.state import Piece
from readyroom.engine.rules.table import LoggedEvent, pieces_named
from readyroom.testing.findings import Case, Invariant
from readyroom.testing.playouts import AnyMatch
from readyroom.testing.snapshots import viewers


class LossListener:
    """Listens to a match; where the log reports a hit or a loss, it compares the views with those of the line before.

    Its effects define which rules report one.
    """

    def __init__(self, case: Case, match: AnyMatch) -> None:
        self.case, self.match, self.game = case, match, case.game
        self.before = self._state()

    def __call__(self, logged: LoggedEvent) -> None:
        """Check a line."""
        with self.case.guard(Invariant.LOSSES, "looking at the board"):
            before, self.before = self.before, self._state()
            kind, _ = self.game.effect_of(logged.line, is_miss=logged.is_miss)
            if kind in ("hit", "sink"):
                self._check(logged, self.game.decode(before))

    def _check(self, logged: LoggedEvent, before: Any) -> None:
        target = logged.target.key if isinstance(logged.target, Piece) else logged.target
        keys = {*pieces_named(logged.facts), *([target] if target else [])}
        then, now = self._views(before), self._views(self.match.state)
        seen, sees = ([list(_find(view, keys)) for view in views] for views in (then, now))
        if any(seen) or any(sees):
            # A piece without a place of its own in the view, such as a factor of a stack, may be all that is lost.
            is_done = seen != sees if keys <= {key for traces in seen for key, _, _ in traces} else then != now
            line, named = logged.line, ", ".join(sorted(keys))
            text = f"what the log reports has not been done yet to {named}: [{line.rule}] {line.text}"
            self.case.check(Invariant.LOSSES, is_done, text)

    def _state(self) -> bytes:
        return self.game.encode(self.match.state) if self.game.effects else b""

    def _views(self, state: Any) -> list[Any]:
        """Return the view of each viewer in a state, as plain data."""
        return [msgspec.to_builtins(self.game.rules.view(state, self.game.data, seat)) for seat in viewers(self.match)]


Trace: TypeAlias = tuple[str, tuple[str, ...], Any]
"""A piece's key, its path in a view, without the numbers of places in lists, and what the view has of it."""


def _find(tree: Any, keys: set[str], path: tuple[str, ...] = ()) -> Iterator[Trace]:
    """Yield the pieces of these keys in a view."""
    if isinstance(tree, dict):
        if tree.get("key") in keys:
            yield tree["key"], path, tree
        for name, branch in tree.items():
            if name in keys:
                yield name, path, branch
            yield from _find(branch, keys, (*path, str(name)))
    elif isinstance(tree, list | tuple):
        for branch in tree:
            yield from _find(branch, keys, path)
