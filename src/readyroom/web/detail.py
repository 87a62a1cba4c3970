"""A detail of a drawn board: the same drawing, closer, around one of its pieces or places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias
from xml.etree.ElementTree import Element, ParseError, fromstring

from markupsafe import escape

SHARE, LEAST = 0.42, 300.0
"""The width of a detail, as a share of the board's, and the least."""
CLOSE = 0.6
"""The width of a detail for a small picture, as a share of that of others."""
PART = "data-scene"
"""The attribute of the part of a board that a picture shows: without a target its middle, and never what is around."""
ASPECT = 1.25
"""The width of a detail for a height of 1."""
INTERACTIVE = re.compile(r' (?:data-[a-z-]+|tabindex|role|aria-[a-z]+)="[^"]*"')
SELECTABLE = re.compile(r'(?<=[ "])(?:piece|can|about)(?=[ "])')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
TITLE = re.compile(r"<title[^>]*>[^<]*</title>")
CHART = re.compile(r'<svg(?![^>]*class="board-parts")[^>]* viewBox="([^"]*)"[^>]*>')
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
ABSOLUTE = re.compile(r"[MLQCZ\d\s,.-]+")
"""A path whose numbers are all points."""
TAG = re.compile(r"<[a-zA-Z][^<>]*>")
GROWTH = 0.45
"""How far a detail may grow on a side for a piece to be whole, as a share of its width."""
EDGE = 4.0
"""The room between a piece and the edge of a detail."""
SIZE, LETTER = 13.0, 0.52
"""The size of a text, where the styles say no more, and the mean width of a letter for a size of 1."""
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
SELECTOR = re.compile(r"[\w\s.-]+")
"""A selector of elements and classes alone."""
CLASS = re.compile(r"\.([\w-]+)")
ANCHOR = re.compile(r"text-anchor:\s*(\w+)")
FONT_SIZE = re.compile(r"font(?:-size)?:[^;]*?([\d.]+)px")
MARKED, RING, MARK_SIZE = 300.0, 24.0, 15
"""The width of a detail for which a mark is drawn, the radius of its ring, and the size of its text."""
LABEL_LETTER, LABEL_STEPS = 0.58, (0, 8, 16, 24, 36, 48)
"""The mean width of a letter of the label for a size of 1, and how far from the ring's edge it may lie."""
KEYS = ("data-key", "data-place", "data-with")
"""The attributes with the key of an element."""
PARTS = "board-parts"
"""The class of the drawing whose elements others use."""
Box: TypeAlias = tuple[float, float, float, float]
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


class TextStyle(NamedTuple):
    """A rule of a style sheet about texts: who it is for, and the attributes that it sets.

    `classes` are those that an element or what it is in must have, `own` those that it must have itself.
    """

    tag: str
    own: frozenset[str]
    classes: frozenset[str]
    attributes: Mapping[str, str]


@lru_cache(maxsize=32)
def text_styles(css: str) -> Sequence[TextStyle]:
    """Return the rules about the anchors and the sizes of texts, the weakest first."""
    found = []
    for selectors, body in RULE.findall(COMMENT.sub("", css)):
        anchor, size = ANCHOR.search(body), FONT_SIZE.search(body)
        attributes = {name: one[1] for name, one in (("text-anchor", anchor), ("font-size", size)) if one}
        for selector in selectors.split(",") if attributes else ():
            if SELECTOR.fullmatch(selector) and selector.strip():
                *_, last = selector.split()
                own, classes = frozenset(CLASS.findall(last)), frozenset(CLASS.findall(selector)) - {"board"}
                found.append(TextStyle(last.partition(".")[0], own, classes, attributes))
    return sorted(found, key=lambda style: 2 * len(style.classes) + bool(style.tag))


def detail(
    svg: str, target: str = "", styles: Sequence[TextStyle] = (), label: str = "", *, is_close: bool = False
) -> str:
    """Return the drawing of a board without what makes it interactive, cut around the element with the key `target`.

    By the styles is known how much room the texts take. With a label, a ring with it marks the element. A close detail
    shows less around it, and also what is not on the part for pictures.
    """
    box = CHART.search(svg)
    wide, high = _numbers(box[1])[2:] if box else (0.0, 0.0)
    charts = _parsed(svg, styles) if box and (target or PART in svg) else None
    center = _center(charts, target) if charts is not None and target else None
    if center is not None and not (0 <= center[0] <= wide and 0 <= center[1] <= high):
        center = None
    part = _part(charts, center) if charts is not None else None
    if center and not part and not is_close and charts is not None:  # it is on a panel
        part = _part(charts, None)
        center = None if part else center
    if charts is not None and (center or part):
        bounds, width = part or (0.0, 0.0, wide, high), max(wide * SHARE, LEAST) * (CLOSE if is_close else 1)
        middle = bounds[0] + bounds[2] / 2, bounds[1] + bounds[3] / 2
        cut = _around(charts, center, bounds, width) if center else _around(charts, middle, bounds, bounds[2])
        if is_close and not _has_pieces(charts, cut):  # an empty place says nothing
            cut = _around(charts, center or middle, bounds, bounds[2])
        svg = _without_cut_words(svg, charts, cut)
        box = CHART.search(svg)
        assert box is not None
        text = " ".join(f"{one:.0f}" for one in cut)
        svg = svg[: box.start(1)] + text + '" preserveAspectRatio="xMidYMid meet' + svg[box.end(1) :]
        chart, end, rest = svg.rpartition("</svg>")
        svg = chart + (_mark(charts, target, center, cut, label) if label and center else "") + end + rest
    return INTERACTIVE.sub("", SELECTABLE.sub("", TITLE.sub("", svg)))


def _around(charts: Element, center: tuple[float, float], bounds: Box, width: float) -> Box:
    """Return a box of about this width around a place, within bounds."""
    left, top, wide, high = bounds
    width = min(wide, width)
    height = min(high, width / ASPECT)
    x, y = (
        min(max(first, at - size / 2), first + most - size)
        for at, size, first, most in zip(center, (width, height), (left, top), (wide, high), strict=True)
    )
    return _with_whole_pieces(charts, (x, y, width, height), bounds)


def _part(charts: Element, center: tuple[float, float] | None) -> Box | None:
    """Return the part of the board for pictures in which a place is, by default the first; None without such a part."""
    for element, at in _elements(charts):
        if element.get(PART) is not None and (spots := [*_spots(element, at)]):
            left, top, right, bottom = _extent(spots)
            if center is None or (left <= center[0] <= right and top <= center[1] <= bottom):
                return left, top, right - left, bottom - top
    return None


def _mark(charts: Element, target: str, center: tuple[float, float], box: Box, label: str) -> str:
    """Draw a ring around an element of a detail, and a label near it where it covers as little as possible.

    The ring crosses neither the name nor the figures of the element: it has its shape unless that is small or large.
    """
    scale = box[2] / MARKED
    (x, y), half = _outline(charts, target, center, scale)
    wide, high = half
    aside, below = _label_place(charts, (x, y), half, box, label)
    ring = f'<rect x="{-wide:.0f}" y="{-high:.0f}" width="{2 * wide:.0f}" height="{2 * high:.0f}" rx="8"/>'
    return (
        f'<g class="scene-mark" transform="translate({x:.0f} {y:.0f}) scale({scale:.2f})">'
        f'{f"""<circle r="{RING:.0f}"/>""" if wide == high == RING else ring}'
        f'<text x="{aside:.0f}" y="{below:.0f}">{escape(label)}</text></g>'
    )


def _outline(
    charts: Element, target: str, center: tuple[float, float], scale: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the middle of a ring around an element, and half its width and height in lengths of the mark."""
    parts = {f"#{element.get('id')}": element for element, _ in _elements(charts) if element.get("id")}
    for element, at in _elements(charts):
        if target in (element.get(name) for name in KEYS) and (spots := _all_spots(element, at, parts)):
            left, top, right, bottom = _extent(spots)
            wide, high = (right - left) / 2 / scale + EDGE, (bottom - top) / 2 / scale + EDGE
            if RING < max(wide, high) < MARKED / 3:
                return ((left + right) / 2, (top + bottom) / 2), (wide, high)
    return center, (RING, RING)


def _label_place(
    charts: Element, center: tuple[float, float], half_ring: tuple[float, float], box: Box, label: str
) -> tuple[float, float]:
    """Return where the label of a ring begins to cover least: texts first, then pieces; the nearest of equal places.

    The place is the middle of the label's baseline, from the middle of the ring, in lengths of the mark.
    """
    (x, y), (wide, high), (left, top, width, height), scale = center, half_ring, box, box[2] / MARKED
    half = len(label) * LABEL_LETTER * MARK_SIZE / 2 + EDGE
    covered = [(4.0, _room_of(text, at)) for text, at in _elements(charts) if text.tag.rpartition("}")[2] == "text"]
    covered += [
        (1.0, _extent(spots)) for one, at in _elements(charts) if _is_piece(one) and (spots := _spots_in(one, at))
    ]
    covered += [(9.0, (x - wide * scale, y - high * scale, x + wide * scale, y + high * scale))]

    def cost(place: tuple[float, float]) -> tuple[float, float]:
        u, v = x + place[0] * scale, y + place[1] * scale
        frame = u - half * scale, v - MARK_SIZE * scale, u + half * scale, v + MARK_SIZE / 3 * scale
        out = max(0.0, top - frame[1]) + max(0.0, frame[3] - top - height)
        return 1e6 * out + sum(weight * _shared(frame, other) for weight, other in covered), place[0] ** 2 + place[
            1
        ] ** 2

    abeam = wide + EDGE + half
    places = [(0.0, way * (high + MARK_SIZE * 2 / 3 + step) + MARK_SIZE / 3) for step in LABEL_STEPS for way in (1, -1)]
    places += [(way * abeam, up * high + MARK_SIZE / 3) for way in (1, -1) for up in (0, 1, -1)]
    first, last = (left - x) / scale + half, (left + width - x) / scale - half
    return min(((min(max(u, first), max(first, last)), v) for u, v in places), key=cost)


def _has_pieces(charts: Element, box: Box) -> bool:
    """Return whether any piece is at least partly in a box."""
    corners = (box[0], box[1], box[0] + box[2], box[1] + box[3])
    pieces = [_spots_in(one, at) for one, at in _elements(charts) if _is_piece(one)]
    return any(spots and _shared(_extent(spots), corners) > 0 for spots in pieces)


def _spots_in(element: Element, at: Matrix) -> list[tuple[float, float]]:
    return [spot for inner, one in _walk(element, at) for spot in _spots(one, inner)]


def _shared(one: Box, other: Box) -> float:
    """Return the area that two boxes, given by their corners, have in common."""
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def _parsed(svg: str, styles: Sequence[TextStyle]) -> Element | None:
    """Return the drawing with what styles say of its texts as their attributes; None if it is not well-formed."""
    try:
        charts = fromstring(f"<charts>{svg}</charts>")
    except ParseError:
        return None
    _set_styles(charts, styles, frozenset(), {})
    return charts


def _set_styles(
    element: Element, styles: Sequence[TextStyle], around: frozenset[str], inherited: Mapping[str, str]
) -> None:
    own = frozenset(element.get("class", "").split())
    around, tag, attributes = around | own, element.tag.rpartition("}")[2], dict(inherited)
    attributes |= {name: value for name in ("text-anchor", "font-size") if (value := element.get(name))}
    for style in styles:
        if style.own <= own and style.classes <= around and style.tag in ("", tag) and (style.tag or style.own):
            attributes |= style.attributes
    if tag == "text":
        element.attrib.update(attributes)
    for child in element:
        _set_styles(child, styles, around, attributes)


def _with_whole_pieces(charts: Element, box: Box, bounds: Box) -> Box:
    """Return a box a little larger, but within bounds, so that as few pieces as possible are cut."""
    x, y, width, height = box
    left, top, right, bottom = x, y, x + width, y + height
    most = width * GROWTH
    elements = [*_elements(charts)]
    parts = {f"#{element.get('id')}": element for element, _ in elements if element.get("id")}
    pieces = [spots for element, at in elements if _is_piece(element) and (spots := _all_spots(element, at, parts))]
    for x0, y0, x1, y1 in sorted(map(_extent, pieces), key=lambda one: abs(one[0] + one[2] - 2 * x - width)):
        if x0 >= right or x1 <= left or y0 >= bottom or y1 <= top:
            continue
        grown = min(left, x0 - EDGE), min(top, y0 - EDGE), max(right, x1 + EDGE), max(bottom, y1 + EDGE)
        if max(x - grown[0], y - grown[1], grown[2] - x - width, grown[3] - y - height) <= most:
            left, top, right, bottom = grown
    left, top = max(bounds[0], left), max(bounds[1], top)
    right, bottom = min(bounds[0] + bounds[2], right), min(bounds[1] + bounds[3], bottom)
    return left, top, right - left, bottom - top


def _is_piece(element: Element) -> bool:
    return "piece" in element.get("class", "").split()


def _without_cut_words(svg: str, charts: Element, box: Box) -> str:
    """Return the drawing without the texts that the edge of a box would cut; a sentence of several lines goes whole."""
    x, y, width, height = box
    tags, cut, sentences = [*TAG.finditer(svg)], set[int](), set[tuple[object, ...]]()
    paragraph_of = {
        id(text): (id(parent), text.get("x"), text.get("class"))
        for chart in charts
        if chart.get("class") != PARTS
        for parent in chart.iter()
        for text in parent
        if text.tag.rpartition("}")[2] == "text"
    }
    texts = [(number, *one) for number, one in enumerate(_elements(charts)) if id(one[0]) in paragraph_of]
    for number, element, at in texts:
        x0, y0, x1, y1 = _room_of(element, at)
        if x0 < x + width and x1 > x and y0 < y + height and y1 > y:
            if x0 < x or x1 > x + width:
                sentences.add(paragraph_of[id(element)])
            elif y0 < y or y1 > y + height:
                cut.add(number)
    cut |= {number for number, element, _ in texts if paragraph_of[id(element)] in sentences}
    if any(not tags[number][0].startswith("<text") for number in cut):  # a comment has tags in it
        return svg
    for number in sorted(cut, reverse=True):
        after = tags[number].start() + len("<text")
        svg = f'{svg[:after]} visibility="hidden"{svg[after:]}'
    return svg


def _elements(charts: Element) -> Iterator[tuple[Element, Matrix]]:
    """Yield all elements of a drawing in their order, with their transformations."""
    for chart in charts:
        for at, element in _walk(chart, Matrix()):
            yield element, at


def _all_spots(element: Element, at: Matrix, parts: Mapping[str, Element]) -> list[tuple[float, float]]:
    """Return points of all shapes in an element; those that it uses are among `parts`."""
    spots = list[tuple[float, float]]()
    for inner, one in _walk(element, at):
        spots += _spots(one, inner)
        if one.tag.rpartition("}")[2] == "text":
            left, top, right, bottom = _room_of(one, inner)
            spots += [(left, top), (right, bottom)]
        used = parts.get(one.get("href", ""))
        if used is not None:
            placed = inner @ Matrix(e=_size(one, "x", 0), f=_size(one, "y", 0)) @ _own(used)
            spots += _all_spots(used, placed, parts)
    return spots


def _extent(spots: Iterable[tuple[float, float]]) -> Box:
    xs, ys = zip(*spots, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _room_of(element: Element, at: Matrix) -> Box:
    """Return about how much room a text takes."""
    x, y, size = _size(element, "x", 0), _size(element, "y", 0), _size(element, "font-size", SIZE)
    width = len("".join(element.itertext()).strip()) * LETTER * size
    before = {"middle": 0.5, "end": 1.0}.get(element.get("text-anchor", ""), 0.0)
    return _extent([at.apply(x - before * width, y - size), at.apply(x + (1 - before) * width, y + size / 4)])


def _center(charts: Element, target: str) -> tuple[float, float] | None:
    """Return the middle of the element with this key on its chart; None if it is not there."""
    for name in KEYS:
        for chart in (one for one in charts if one.get("class") != PARTS):
            for at, element in _walk(chart, Matrix()):
                if element.get(name) == target and (spots := _spots_in(element, at)):
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
        path = element.get("d", "")
        values = _numbers(path)[: None if ABSOLUTE.fullmatch(path) else 2]
        yield from (at.apply(x, y) for x, y in [*pairwise(values)][::2])
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
