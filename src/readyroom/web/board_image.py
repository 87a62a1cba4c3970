"""The drawn board as an image: one SVG file with its own styles, for lists of matches and invitations."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import lru_cache
from typing import Any

from litestar import Response
from litestar.exceptions import NotFoundException

from readyroom.engine.game import Game, MatchView
from readyroom.web import board_svg
from readyroom.web.detail import detail, text_styles
from readyroom.web.static_files import STATIC, board_css

CHART = re.compile(r'<svg class="board-wide[^"]*" viewBox="(\S+ \S+ (\S+) (\S+))"')
PALETTE = re.compile(r"/\* -- palette -- \*/(.*?)/\* -- type -- \*/", re.DOTALL)
"""The part of `site.css` with the colours, light and dark."""
FONT = re.compile(r'(@font-face \{ font-family: "Plex (?:Condensed|Serif)";[^}]*?url\("([^"]+)"\)[^}]*\})')
"""A font of boards in `site.css`, and the path of its file."""
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox"}
"""An image has its styles in itself; opened as a page it can load and run nothing."""


def board_image(
    game: Game[Any, Any],
    view: MatchView[Any],
    scheme: str = "",
    *,
    has_fonts: bool = False,
    around: str | None = None,
) -> str | None:
    """Return the board of a view as a standalone SVG file; None for a game without a drawing.

    `scheme` is "light" or "dark"; without it the image follows the system. An image cannot use the fonts of a page:
    with `has_fonts` it has its own, about 40 kB, and without it the reader's. With `around`, the key of a piece or
    place, only what is close to it is shown; without such a piece the part that the game names for pictures.
    """
    drawn = board_svg.drawing(game, view.for_others(), shape="wide")
    svg = drawn.svg if drawn is not None else ""
    if around is not None:
        svg = detail(svg, around, text_styles(board_css(game.key)), is_close=True)
    chart = CHART.search(svg)
    if chart is None:
        return None
    sized = svg.replace(chart[0], f'{chart[0]} width="{chart[2]}" height="{chart[3]}"', 1)
    return standalone(game, sized, (chart[2], chart[3]), scheme, has_fonts=has_fonts)


def standalone(
    game: Game[Any, Any], drawing: str, size: tuple[object, object], scheme: str = "", *, has_fonts: bool
) -> str:
    """Return a drawing with the styles of a game's board as an SVG file of this size."""
    theme = f' data-theme="{scheme}"' if scheme in ("light", "dark") else ""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}"{theme}>'
    style = f"<style><![CDATA[{_fonts() if has_fonts else ''}{_styles(game.key)}]]></style>"
    return f'{head}{style}<g class="board board-alone">\n{drawing}</g></svg>\n'


def image_response(text: str) -> Response[str]:
    """Return a board image as a response; raise `NotFoundException` if there is none."""
    if not text:
        raise NotFoundException(detail="This game has no drawn board.")
    headers = {**HEADERS, "Cache-Control": "private, max-age=30", "Vary": "Cookie"}
    return Response(text, media_type="image/svg+xml", headers=headers)


@lru_cache(maxsize=32)
def _styles(key: str) -> str:
    """Return the styles of a drawn board: the palette, the shared ones, and the game's own."""
    palette = PALETTE.search((STATIC / "site.css").read_text("utf-8"))
    assert palette is not None, "site.css has no palette"
    return COMMENT.sub("", f"{palette[1]}\n{board_css(key)}")


@lru_cache(maxsize=1)
def _fonts() -> str:
    """Return the rules of `site.css` for the fonts of boards, with the fonts in them."""
    faces = FONT.findall((STATIC / "site.css").read_text("utf-8"))
    texts = [(face, path, b64encode((STATIC / path).read_bytes()).decode()) for face, path in faces]
    return "".join(face.replace(path, f"data:font/woff2;base64,{text}") for face, path, text in texts)
