"""Films: what the replay of a match plays, kept as pictures in order.

The time of the page stands still while a picture is taken, so a film is the same on any machine, however busy.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import CDPSession, Page
from tests.browser.matches import import_match
from tests.browser.visitors import Visitor
from tests.server.running import Server

from readyroom import Match
from readyroom.engine.record.playback import PlayedEvent, play_back
from readyroom.engine.record.positions import build_index
from readyroom.engine.record.format import parse

STEP = 125
"""Milliseconds from one picture to the next."""
LONGEST = 120
"""Seconds after which a film must have ended."""
LOOK = """() => {
  const text = (selector) => (document.querySelector(selector) || {textContent: ''}).textContent.trim();
  return {
    at: Number((document.querySelector('#replay') || {dataset: {at: -1}}).dataset.at),
    playing: Boolean(document.querySelector('#board.is-playing')),
    caption: text('#caption').replace(/\\s+/g, ' '),
    moment: text('dialog[open] h2'),
  };
}"""
SETTLED = "() => document.documentElement.classList.contains('scripted') && !document.querySelector('.htmx-request')"


class Frame(NamedTuple):
    """A picture of a film: its file, the milliseconds since the start, and the caption and card that it shows."""

    path: Path
    at: int
    caption: str
    moment: str


def film(
    visitor: Visitor,
    server: Server,
    match: Match[Any, Any],
    entries: tuple[int, int],
    seat: str,
    folder: Path,
    step: int = STEP,
) -> list[Frame]:
    """Play some decisions of a finished match in the replay, and return what it showed.

    Args:
        visitor: who watches: with `speed="normal"` and `MOVING` or `STILL`, on the screen that is wanted.
        server: the server; the match is imported there.
        match: the match.
        entries: the decisions after which the film starts and ends.
        seat: as whom it is seen; "" for a spectator.
        folder: where the pictures go, as 0000.png, 0001.png and so on.
        step: milliseconds from one picture to the next.
    """
    first, last = entries
    page = visitor.page
    page.goto(f"/m/{import_match(server, visitor, match)}/replay?at={first}&seat={seat}")
    page.wait_for_function(SETTLED)
    folder.mkdir(parents=True, exist_ok=True)
    page.locator("#board").scroll_into_view_if_needed()
    with _Camera(page) as camera:
        page.locator("#play").evaluate("(play) => play.click()")
        return list(_pictures(page, camera, last, folder, step))


def _pictures(page: Page, camera: _Camera, last: int, folder: Path, step: int) -> Iterator[Frame]:
    for number in range(LONGEST * 1000 // step):
        camera.advance(step)
        seen = page.evaluate(LOOK)
        if seen["at"] >= last:
            return
        path = folder / f"{number:04}.png"
        path.write_bytes(camera.picture())
        yield Frame(path, number * step, seen["caption"], seen["moment"])
    raise AssertionError(f"decision {last} was not reached in {LONGEST} seconds: {page.evaluate(LOOK)}")


class _Camera:
    """Takes pictures of a page whose time goes on only when it is told to."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)
        self._expired = 0
        self.session.on("Emulation.virtualTimeBudgetExpired", self._expire)

    def _expire(self, _: object) -> None:
        self._expired += 1

    def __enter__(self) -> _Camera:
        self.session.send("Emulation.setVirtualTimePolicy", {"policy": "pause"})
        return self

    def __exit__(self, *_: object) -> None:
        self.session.detach()

    def advance(self, milliseconds: int) -> None:
        """Let time go on; it waits for answers of the server."""
        before = self._expired
        policy = {"policy": "pauseIfNetworkFetchesPending", "budget": milliseconds}
        self.session.send("Emulation.setVirtualTimePolicy", policy)
        while self._expired == before:
            self.page.wait_for_timeout(2)

    def picture(self) -> bytes:
        """Return the page as a PNG."""
        return base64.b64decode(self.session.send("Page.captureScreenshot", {"format": "png"})["data"])


def find_entries(
    match: Match[Any, Any], seat: str | None, wanted: Callable[[PlayedEvent[None]], bool], before: int = 0
) -> tuple[int, int]:
    """Return the decisions around the first event that is wanted, with some before it, for `film`."""
    index = build_index(parse(match.record()), match.game)
    for number in range(match.revision):
        if any(map(wanted, play_back(index, match.game, seat, number, number + 1, lambda _: None).events)):
            return max(0, number - before), number + 1
    raise AssertionError("the match has no such event")


def contact_sheet(page: Page, frames: Sequence[Frame], path: Path, columns: int = 4, width: int = 480) -> None:
    """Put pictures of a film on one, in rows, with their times and captions; `page` is only used to draw it."""
    cells = "".join(
        f"<figure><img src='data:image/png;base64,{base64.b64encode(frame.path.read_bytes()).decode()}'>"
        f"<figcaption>{frame.at / 1000:.2f} s · {frame.moment or frame.caption}</figcaption></figure>"
        for frame in frames
    )
    style = (
        f"body {{ margin: 0; display: grid; grid-template-columns: repeat({columns}, {width}px); gap: 4px }}"
        "figure { margin: 0; font: 11px sans-serif; overflow: hidden } img { width: 100%; display: block }"
    )
    page.set_viewport_size({"width": columns * (width + 4), "height": 600})
    page.set_content(f"<style>{style}</style>{cells}")
    page.screenshot(path=path, full_page=True)
