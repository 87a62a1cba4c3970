"""Check the accessibility of pages with axe-core, and whether they fit."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Error, Page

SOURCE = Path(__file__).parents[2] / "browser" / "node_modules" / "axe-core" / "axe.min.js"
MISSING = f"{SOURCE} is missing; get it with: cd browser && npm ci"
RUN = """async (part) => {
  const found = await axe.run(part || document, {resultTypes: ['violations'], elementRef: false});
  return found.violations.map(({id, help, nodes}) => ({
    id, help, nodes: nodes.slice(0, 5).map((node) => `${node.html.slice(0, 300)}\\n      ${node.failureSummary}`),
  }));
}"""
CUT = """() => {
  const root = document.documentElement, wide = root.clientWidth;
  const folded = (element) =>
    element && (getComputedStyle(element).clipPath === 'inset(50%)' || folded(element.parentElement));
  const hidden = (element) => element.closest('.unseen, svg, dialog:not([open]), [hidden]') || folded(element);
  const scrolls = (element) => {
    for (let at = element; at && at !== root; at = at.parentElement) {
      if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  };
  const found = root.scrollWidth > wide ? [`the page is ${root.scrollWidth} wide and ${wide} are to be had`] : [];
  // What ends in an ellipsis may do so where a press or a tip shows all of it.
  const opens = (element) => getComputedStyle(element).textOverflow === 'ellipsis'
    && (element.matches('details:not([open]) > summary')
      || Boolean(element.closest('[title]')?.title.includes(element.textContent.trim())));
  for (const element of document.querySelectorAll('body *')) {
    if (hidden(element) || !element.getClientRects().length || scrolls(element)) continue;
    const box = element.getBoundingClientRect();
    const hides = ['hidden', 'clip'].includes(getComputedStyle(element).overflowX);
    const clips = hides && element.scrollWidth > element.clientWidth + 1;
    const words = element.textContent.trim().slice(0, 60);
    if (!words) continue;
    if (box.right > wide + 1 && box.left < wide) found.push(`beyond the edge: <${element.localName}> ${words}`);
    else if (clips && !opens(element)) found.push(`cut off: <${element.localName}> ${words}`);
  }
  return found.slice(0, 8);
}"""
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@cache
def source() -> str:
    """Return the script of axe-core from npm."""
    assert SOURCE.exists(), MISSING
    return SOURCE.read_text(encoding="utf-8")


def violations(page: Page, part: str | None = None) -> list[str]:
    """Return the violations that axe-core finds in the page, or in a part of it."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(source())
    try:
        violations: list[dict[str, Any]] = page.evaluate(RUN, part)
    except Error:  # a live update replaced what it was reading
        violations = page.evaluate(RUN, part)
    return [
        f"{violation['id']}: {violation['help']}\n    " + "\n    ".join(violation["nodes"]) for violation in violations
    ]


def check_readable(page: Page) -> None:
    """Check that the page has no violations in both schemes, and that nothing is cut off."""
    page.keyboard.press("Escape")  # closes a tip
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found = violations(page)
        assert not found, f"{scheme}: {found}"
    clipped = cut_off(page)
    assert not clipped, clipped


def cut_off(page: Page) -> list[str]:
    """Return what is beyond the right edge or clipped, and cannot be scrolled to."""
    names: list[str] = page.evaluate(CUT)
    return names
