"""A detail of a drawn board: the same drawing, closer, around one of its pieces or places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError, fromstring

SHARE = 0.42
"""The width of a detail, as a share of the board's."""
ASPECT = 1.25
"""The width of a detail for a height of 1."""
INTERACTIVE = re.compile(r' (?:data-[a-z-]+|tabindex|role|aria-[a-z]+)="[^"]*"')
SELECTABLE = re.compile(r'(?<=[ "])(?:piece|can|about)(?=[ "])')
TITLE = re.compile(r"<title[^>]*>[^<]*</title>")
CHART = re.compile(r'<svg(?![^>]*class="board-parts")[^>]* viewBox="([^"]*)"[^>]*>')
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
STEP = re.compile(r"(\w+)\(([^)]*)\)")


class Matrix(NamedTuple):
    """An affine transformation, as SVG writes it."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def __matmul__(self, other: Matrix) -> Matrix:
        """Return the transformation that applies the other one first."""
        a, b, c, d, e, f = other
        return Matrix(
            self.a * a + self.c * b,
            self.b * a + self.d * b,
            self.a * c + self.c * d,
            self.b * c + self.d * d,
            *self.apply(e, f),
        )

    def apply(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point goes."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f


def detail(svg: str, target: str = "") -> str:
    """Return the drawing of a board without what makes it interactive, cut around the element with the key `target`."""
    box = CHART.search(svg)
    wide, high = _numbers(box[1])[2:] if box else (0.0, 0.0)
    center = _center(svg, target) if target and box else None
    if box and center is not None and 0 <= center[0] <= wide and 0 <= center[1] <= high:
        width = min(wide, max(wide * SHARE, 300))
        height = min(high, width / ASPECT)
        x, y = (
            min(max(0, at - size / 2), most - size)
            for at, size, most in zip(center, (width, height), (wide, high), strict=True)
        )
        cut = f"{x:.0f} {y:.0f} {width:.0f} {height:.0f}"
        svg = svg[: box.start(1)] + cut + '" preserveAspectRatio="xMidYMid slice' + svg[box.end(1) :]
    return INTERACTIVE.sub("", SELECTABLE.sub("", TITLE.sub("", svg)))


def _center(svg: str, target: str) -> tuple[float, float] | None:
    """Return the middle of the element with this key on its chart; None if it is not there."""
    try:
        root = fromstring(f"<charts>{svg}</charts>")
    except ParseError:
        return None
    charts = [one for one in root if one.get("class") != "board-parts"]
    for name in ("data-key", "data-place", "data-with"):
        for chart in charts:
            for at, element in _walk(chart, Matrix()):
                if element.get(name) == target:
                    spots = [spot for inner, one in _walk(element, at) for spot in _spots(one, inner)]
                    if spots:
                        xs, ys = zip(*spots, strict=True)
                        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return None


def _walk(element: Element, at: Matrix) -> Iterator[tuple[Matrix, Element]]:
    """Yield an element, whose own transformation `at` includes, and all in it, with their transformations."""
    yield at, element
    for child in element:
        yield from _walk(child, at @ _own(child))


def _own(element: Element) -> Matrix:
    made = Matrix()
    for name, text in STEP.findall(element.get("transform", "")):
        values = _numbers(text)
        if name == "translate":
            made @= Matrix(e=values[0], f=values[1] if len(values) > 1 else 0)
        elif name == "scale":
            made @= Matrix(a=values[0], d=values[-1])
        elif name == "matrix":
            made @= Matrix(*values)
    if element.tag == "svg" and element.get("viewBox"):
        x, y, wide, high = _numbers(element.get("viewBox", ""))
        scale = min(_size(element, "width", wide) / wide, _size(element, "height", high) / high)
        left, top = _size(element, "x", 0), _size(element, "y", 0)
        made @= Matrix(scale, 0, 0, scale, left - x * scale, top - y * scale)
    return made


def _spots(element: Element, at: Matrix) -> Iterator[tuple[float, float]]:
    """Yield a few points of a shape on its chart."""
    tag = element.tag.rpartition("}")[2]
    if tag == "path":
        values = _numbers(element.get("d", ""))[:2]
        if len(values) == 2:
            yield at.apply(*values)
    elif tag == "circle":
        yield at.apply(_size(element, "cx", 0), _size(element, "cy", 0))
    elif tag in {"rect", "use", "text", "image"}:
        x, y = _size(element, "x", 0), _size(element, "y", 0)
        yield at.apply(x, y)
        if tag == "rect":
            yield at.apply(x + _size(element, "width", 0), y + _size(element, "height", 0))
    elif tag == "polygon":
        values = _numbers(element.get("points", ""))
        yield from (at.apply(x, y) for x, y in list(pairwise(values))[::2])


def _size(element: Element, name: str, default: float) -> float:
    values = _numbers(element.get(name, ""))
    return values[0] if values else default


def _numbers(text: str) -> list[float]:
    return [float(one) for one in NUMBER.findall(text)]
