"""The end of a match as a picture to share: its decisive scene, and next to it the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

from markupsafe import escape

from readyroom.engine.drawing import text_width
from readyroom.engine.game import Game, MatchView
from readyroom.web import board_svg
from readyroom.web.board_image import CHART, standalone
from readyroom.web.detail import PART, detail, text_styles
from readyroom.web.static_files import board_css

WIDTH, HEIGHT = 1200, 630
"""The size in which links are previewed."""
BOARD = 780
"""The width of the scene."""
MARGIN = 32
HEADING = 0.78
"""The letters of a heading in a line, as a share of those of other texts of its size."""


class PosterTexts(NamedTuple):
    """What a poster says: where it was played, the result in the colour of its winner, scores by side, why, and a note.

    A score has the name and the colour of its side. `moment` says what the scene shows.
    """

    game: str
    scenario: str
    title: str
    colour: str
    scores: Sequence[tuple[str, str, int]]
    text: str
    moment: str
    note: str


def draw_poster(game: Game[Any, Any], view: MatchView[Any], texts: PosterTexts, target: str, label: str) -> str:
    """Return a poster as an SVG file with its fonts; empty for a game without a drawing.

    With a label, a ring with it marks the piece or place with the key `target`.
    """
    drawn = board_svg.drawing(game, view, shape="wide")
    board = _board(drawn.svg, detail(drawn.svg, target, text_styles(board_css(game.key)), label)) if drawn else ""
    if not board:
        return ""
    parts = (
        f'<path fill="var(--paper)" d="M0 0H{WIDTH}V{HEIGHT}H0Z"/>',
        board,
        f'<path fill="var(--ink)" d="M{BOARD} 0h3V{HEIGHT}h-3Z"/>',
        *_texts(texts),
    )
    return standalone(game, "".join(parts), (WIDTH, HEIGHT), "light", has_fonts=True)


def _board(whole: str, cut: str) -> str:
    """Return a detail of a board in its place; it shows more of the whole board where there is room for that."""
    chart, all_of_it = CHART.search(cut), CHART.search(whole)
    if chart is None or all_of_it is None:
        return ""
    left, top, wide, high = map(float, chart[1].split())
    if PART not in whole:  # else nothing around its part is shown
        top, high = _grown(top, high, wide * HEIGHT / BOARD, float(all_of_it[3]))
        left, wide = _grown(left, wide, high * BOARD / HEIGHT, float(all_of_it[2]))
    scale = min(BOARD / wide, HEIGHT / high)
    x, y = (BOARD - scale * wide) / 2, (HEIGHT - scale * high) / 2
    box = chart[0].replace(chart[1], f"{left:.0f} {top:.0f} {wide:.0f} {high:.0f}")
    size = f'x="{x:.0f}" y="{y:.0f}" width="{scale * wide:.0f}" height="{scale * high:.0f}"'
    return cut.replace(chart[0], f"{box} {size}", 1)


def _grown(start: float, length: float, wanted: float, most: float) -> tuple[float, float]:
    """Return a stretch that has the wanted length, if it is longer and as far as there is room, around the same middle.

    >>> _grown(70, 20, 40, 100), _grown(70, 20, 10, 100)
    ((60.0, 40), (70, 20))
    """
    if wanted <= length:
        return start, length
    grown = min(wanted, most)
    return min(max(0.0, start - (grown - length) / 2), most - grown), grown


class Font(NamedTuple):
    """How a text is set: its size, its colour in the palette, and whether it is a heading."""

    size: int
    colour: str
    is_heading: bool = False

    @property
    def height(self) -> float:
        """The height of a line."""
        return self.size * 1.22

    def wrap(self, text: str, most: int) -> list[str]:
        """Return the lines of a text, at most `most`; what does not fit is left out."""
        letters = int((WIDTH - BOARD - 2 * MARGIN) / text_width("n", self.size) * (HEADING if self.is_heading else 1))
        return wrap(text, letters, max_lines=most, placeholder=" …")

    def line(self, text: str, y: float) -> str:
        """Draw a line."""
        font = f"600 {self.size}px var(--serif)" if self.is_heading else f"500 {self.size}px var(--condensed)"
        style = f"font: {font}; fill: var(--{self.colour}); text-anchor: start; stroke: none"
        return f'<text x="{BOARD + MARGIN}" y="{y:.0f}" style="{style}">{escape(text)}</text>'


def _texts(texts: PosterTexts) -> Iterator[str]:
    """Draw the texts: those at the foot, and from the top the others, the last one as far as it fits."""
    brand, small, large = Font(30, "ink", True), Font(21, "muted"), Font(46, texts.colour, True)
    foot = float(HEIGHT - MARGIN)
    yield brand.line("Ready Room", foot)
    foot -= 40
    for text in filter(None, (texts.note, texts.moment)):
        for line in reversed(small.wrap(text, 2)):
            yield small.line(line, foot)
            foot -= small.height
    title = large if len(large.wrap(texts.title, 9)) < 4 else large._replace(size=34)
    blocks = [
        *((name, Font(24, "muted")) for name in dict.fromkeys((texts.game, texts.scenario))),
        (texts.title, title),
        *((f"{name}: {score}", Font(30, colour)) for name, colour, score in texts.scores),
        (texts.text, Font(25, "ink")),
    ]
    y = MARGIN - 10.0
    for text, font in blocks:
        for line in font.wrap(text, max(1, int((foot - y) / font.height))):
            y += font.height
            yield font.line(line, y)
        y += 10 if font.colour != "muted" else 2
