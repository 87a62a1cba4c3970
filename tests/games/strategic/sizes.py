"""How large the pieces of a drawn board are on a small desktop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from readyroom import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.web import board_svg, formatting

ROOM = (878, 608)
"""The pixels for a board at 1366 by 768."""
LEAST = 36
"""The pixels that a piece has at least, in width and height."""
BODY = (26.0, 28.0)
"""The size of a counter's symbol."""
SCALE = re.compile(r"scale\(([\d.]+)\)")


def too_small(match: Match[Any, Any], seat: str, decision: Decision | None) -> list[str]:
    """Return the pieces that are smaller than they should be on the wide board, with their sizes in pixels."""
    asked = formatting.decision(decision) if decision is not None else None
    drawn = str(board_svg.draw(match.game, match.view(seat), asked, shape="wide"))
    page = ElementTree.fromstring(drawn.replace("&nbsp;", " "))
    (chart,) = page.findall("./svg[@viewBox]")
    wide, high = map(float, chart.attrib["viewBox"].split()[2:])
    scale = min(ROOM[0] / wide, ROOM[1] / high)
    sizes = {key: min(size) * scale for key, size in _sizes(chart)}
    assert sizes
    return [f"{key}: {size:.1f}" for key, size in sizes.items() if size < LEAST]


def _sizes(chart: ElementTree.Element) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield each piece with its width and height."""
    for piece in chart.iter("g"):
        names, key = piece.get("class", "").split(), piece.get("data-key") or piece.get("data-place") or ""
        if "data-key" not in piece.attrib and "can" not in names and "data-sweep" not in piece.attrib:
            continue
        grown = SCALE.search(piece.get("transform", ""))
        scale = float(grown[1]) if grown else 1.0
        halo = next((part for part in piece.iter("rect") if "pc-halo" in part.get("class", "").split()), None)
        width, height = BODY if halo is None else (float(halo.attrib["width"]), float(halo.attrib["height"]))
        yield key, (width * scale, height * scale)
