"""Notes in Markdown as HTML that is safe to show to others: no HTML of their own, no images, and only web links."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

TOP = 3
"""The level of the largest heading, below those of the page."""


def render_markdown(text: str) -> Markup:
    """Return a text in Markdown as HTML."""
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + TOP - 1)}"
        for child in token.children or ():
            _mark_link(child)
    return Markup(parser.renderer.render(tokens, parser.options, {}))


def _mark_link(token: Token) -> None:
    """Let a link give its target neither this page's address nor credit."""
    if token.type == "link_open":
        token.attrSet("rel", "nofollow noopener noreferrer ugc")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
