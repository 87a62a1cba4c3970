"""Ways to answer every question on the board alone, never in the list of options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.browser.match_page import ArrowKeys, Mouse, Table, spot_of

STAND_FOR = """(key) => {
  const all = [...document.querySelectorAll('#board :is([data-key], [data-stack])')];
  const pieces = all.filter((piece) => piece.getClientRects().length);
  const has = (piece, name) => (piece.dataset[name] || '').split(' ').includes(key);
  const own = pieces.find((piece) => piece.dataset.key === key);
  const found = own ? [own, own] : ['among', 'sweep'].map((name) => pieces.find((piece) => has(piece, name)));
  return found.map((piece) => (piece ? piece.dataset.key || piece.dataset.stack.split(' ')[0] : ''));
}"""
"""The piece of an option, twice as a key may pick up its pile first; if it has none, the piece to move and its target.

A pile is named by its first piece."""


def pieces_to_press(table: Table, keys: Sequence[str]) -> Iterator[str]:
    """Yield the key of the piece to press next, until exactly these options are selected."""
    for at, key in enumerate(keys):
        (name,) = table.count_by_piece([key])
        wanted = table.count_by_piece(keys[: at + 1])[name]
        for piece in table.page.evaluate(STAND_FOR, key):
            if table.count_by_piece(table.chosen())[name] >= wanted:
                break
            assert piece, f"no piece stands for {key} at: {table.look()['question']}"
            yield piece
        assert table.count_by_piece(table.chosen())[name] >= wanted, (
            f"{key} cannot be selected at: {table.look()['question']}"
        )


class BoardMouse(Mouse):
    """Clicks pieces of the board."""

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Click a piece for each option."""
        for piece in pieces_to_press(table, keys):
            spot = spot_of(table.page, piece)
            assert spot is not None, f"the piece {piece} cannot be met"
            self.point(table, *spot)
            self.on_board += 1

    def point(self, table: Table, x: float, y: float) -> None:
        """Click a point of the page."""
        table.page.mouse.click(x, y)


class BoardTouch(BoardMouse):
    """Taps pieces of the board."""

    def point(self, table: Table, x: float, y: float) -> None:
        """Tap a point of the page."""
        table.page.touchscreen.tap(x, y)

    def press(self, what: Any, **more: Any) -> None:
        """Tap an element."""
        what.tap(**more)


class BoardKeys(ArrowKeys):
    """Moves between the pieces of the board with the arrow keys, and selects with Space."""

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Go to a piece for each option and press Space."""
        for piece in pieces_to_press(table, keys):
            self._walk(table.page, piece)
            table.page.keyboard.press("Space")
            self.on_board += 1
