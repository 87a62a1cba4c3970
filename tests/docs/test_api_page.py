"""The page on the API lists its operations, and no page names another address."""

from __future__ import annotations

import re
from pathlib import Path

from readyroom.web.api import router

DOCS = Path(__file__).parents[2] / "docs"
ROW = re.compile(r"^\| `(GET|POST) (/\S*)` \|", re.MULTILINE)
ADDRESS = re.compile(r"/api/v1(/[\w/{}…-]+)")
PLACEHOLDER = re.compile(r"{\w+(?::str)?}|…|\bID\b")


def anonymous(path: str) -> str:
    """Return a path without the names of its parameters."""
    return PLACEHOLDER.sub("{}", path)


def operations() -> set[tuple[str, str]]:
    """Return the method and path of every operation."""
    known = set[tuple[str, str]]()
    for route in router.routes:
        methods = {method for method in route.methods if method in ("GET", "POST")}
        known |= {(str(method), anonymous(route.path.removeprefix("/api/v1"))) for method in methods}
    return known


def test_page_lists_every_operation() -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    assert {(method, anonymous(path)) for method, path in ROW.findall(page)} == operations()


def test_addresses_on_all_pages_exist() -> None:
    known = {path for _, path in operations()}
    for page in DOCS.glob("*.md"):
        named = {anonymous(path).rstrip("/") for path in ADDRESS.findall(page.read_text(encoding="utf-8"))}
        assert named <= known, page.name
