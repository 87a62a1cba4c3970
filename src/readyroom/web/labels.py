"""Labels on a drawn board for answers that no piece stands for: "hold fire", the name of a ship."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from readyroom.engine.drawing import Frame, text_width
from readyroom.engine.rules.checks import percent
from readyroom.engine.text import capitalize_first
from readyroom.web.formatting import Data, only_continues

MOST = 120
"""The most labels on a board; more answers are in the list only."""
SIZE, PAD, GAP = 13.0, 9.0, 6.0
"""The size of the text, the room on both sides of it, and the room between labels."""
HIGH, LINE = 32.0, 14.0
"""The usual height of a label, and that of a line of text on it."""
KEYS = re.compile(r' data-(?:key|among|sweep)="([^"]*)"')
SMALL = re.compile(r'<g class="[^"]*\bbd-tiny\b[^>]*>')
CHART = re.compile(r'<svg class="board-(?!parts)')
END = "\n</svg>"


class Label(NamedTuple):
    """An answer, its words in lines, and its frame."""

    key: str
    title: str
    lines: Sequence[str]
    frame: Frame


def add_labels(svg: str, charts: Sequence[Any], decision: Data) -> str:
    """Return a drawing with a label for each answer to a decision that no piece of a chart stands for.

    A chart says where labels can lie: `answers` is a list of frames, and the first that has room for all is taken. They
    are in front of the drawing, and as high as `label_height`. A chart without frames gets none. Pieces of class
    `bd-tiny` are too small to be pointed at, so their answers have labels, too.
    """
    options = decision.get("options", ())
    if not options or only_continues(decision):
        return svg
    parts, start = list[str](), 0
    for chart, found in zip(charts, list(CHART.finditer(svg)), strict=False):
        end = svg.find(END, found.start())
        frames, high = _of(chart, "answers"), _of(chart, "label_height") or HIGH
        if frames and end > 0:
            large = SMALL.sub("", svg[found.start() : end])
            drawn = {key for keys in KEYS.findall(large) for key in keys.split()}
            missing = [option for option in options if option["key"] not in drawn]
            parts += [svg[start:end], *(f"\n{one}" for one in _draw(missing, frames, high))]
            start = end
    return "".join([*parts, svg[start:]])


def _of(chart: Any, name: str) -> Any:
    return chart.get(name) if isinstance(chart, Mapping) else getattr(chart, name, None)


def _draw(options: Sequence[Data], frames: Sequence[Frame], high: float) -> Iterator[str]:
    if not 0 < len(options) <= MOST:
        return
    labels = lay_out(options, frames, high)
    left, top = min(one.frame.x for one in labels) - GAP, min(one.frame.y for one in labels) - GAP
    width, height = (
        max(one.frame.right for one in labels) + GAP - left,
        max(one.frame.bottom for one in labels) + GAP - top,
    )
    sheet = '<rect class="bd-labels" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="6"/>'
    yield Markup(sheet).format(left, top, width, height)
    for label in labels:
        f = label.frame
        first = f.height / 2 + 4.5 - (len(label.lines) - 1) * LINE / 2
        text = Markup('<text x="{:.1f}" y="{:.1f}">{}</text>')
        texts = Markup(" ").join(  # a space, so that the words are those of the name
            text.format(f.width / 2, first + at * LINE, line) for at, line in enumerate(label.lines)
        )
        group = (
            '<g class="piece bd-label can" data-key="{}" transform="translate({:.1f} {:.1f})"><title>{}</title>'
            '<rect class="pc-halo" width="{:.1f}" height="{:.1f}" rx="4"/>{}</g>'
        )
        yield Markup(group).format(label.key, f.x, f.y, label.title, f.width, f.height, texts)


def lay_out(options: Sequence[Data], frames: Sequence[Frame], high: float = HIGH) -> list[Label]:
    """Return labels in centered rows, in the first frame with room for them; in the last one if none has."""
    labels = list[Label]()
    for frame in frames:
        for lines in (1, 2):
            labels = list(_rows(options, frame, lines, high))
            if labels[-1].frame.bottom <= frame.bottom:
                return labels
    return labels


def _rows(options: Sequence[Data], frame: Frame, lines: int, high: float) -> Iterator[Label]:
    """Yield the labels row by row, each with at most this many lines of text."""
    row, used, y = list[tuple[Data, list[str], float]](), 0.0, frame.y
    for option in options:
        words = _words(option)
        texts = fold(words, lines, frame.width - 2 * PAD)
        width = max(high, max(text_width(text, SIZE) for text in texts) + 2 * PAD)
        if row and used + GAP + width > frame.width:
            yield from _placed(row, frame, used, y, high)
            row, used, y = [], 0.0, y + high + GAP
        used += width + (GAP if row else 0)
        row.append((option, texts, width))
    yield from _placed(row, frame, used, y, high)


def _placed(
    row: Sequence[tuple[Data, list[str], float]], frame: Frame, used: float, y: float, high: float
) -> Iterator[Label]:
    x = frame.x + (frame.width - used) / 2
    for option, texts, width in row:
        yield Label(option["key"], _words(option), texts, Frame(x, y, width, high))
        x += width + GAP


def _words(option: Data) -> str:
    """Return the words of an answer, with its chance."""
    text, chance = capitalize_first(option.get("text") or option["key"]), option.get("chance")
    return text if chance is None else f"{text} · {percent(chance)}"


def fold(text: str, lines: int, width: float) -> list[str]:
    """Return a text in at most this many lines of about the same length, cut where it is wider than there is room.

    >>> fold("hold steady and save fuel", 2, 200)
    ['hold steady', 'and save fuel']
    """
    words = text.split(" ")
    if lines > 1 and len(words) > 1:
        ways = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
        parts = list(min(ways, key=lambda way: max(map(len, way))))
    else:
        parts = [text]
    return [_cut(part, width) for part in parts]


def _cut(text: str, width: float) -> str:
    while len(text) > 1 and text_width(text, SIZE) > width:
        text = f"{text[:-2].rstrip()}…"
    return text
