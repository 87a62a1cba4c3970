"""Films: what the replay of a match plays, kept as pictures in order.

The page plays in slow motion, because a busy machine takes few pictures a second.
"""

from __future__ import annotations

import base64
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import CDPSession, Page
from tests.browser.conftest import BUILD
from tests.browser.matches import import_match
from tests.browser.visitors import MOVING, PHONE, STILL, Visitor
from tests.server.running import Server

from readyroom import Match
from readyroom.engine.record.format import parse
from readyroom.engine.record.playback import PlayedEvent, play_back
from readyroom.engine.record.positions import build_index

DESK = {"viewport": {"width": 1366, "height": 768}}
SCREENS: dict[str, dict[str, Any]] = {
    "desk": {**MOVING, **DESK},
    "phone": {**MOVING, **PHONE, "device_scale_factor": 1, "color_scheme": "dark"},
    "still": {**STILL, **DESK},
}
"""The screens on which a film is taken."""
STEP = 125
"""Milliseconds of the film from one picture to the next."""
SLOWER = 3
"""How many times slower than usual the page plays."""
LONG = 90_000
"""Milliseconds to wait for a page: a worker prepares the replay."""
LONGEST = 260
"""Seconds of the film after which it must have ended."""
SLOW_TIMERS = """(() => {
  const {setTimeout: later} = window;
  window.setTimeout = (run, ms = 0, ...more) => later(run, ms * SLOWER, ...more);
})()"""
FEWEST = 5
"""The fewest pictures that differ where nothing moves."""
LOOK = """() => {
  const text = (selector) => (document.querySelector(selector) || {textContent: ''}).textContent.trim();
  return {
    at: Number((document.querySelector('#replay') || {dataset: {at: -1}}).dataset.at),
    caption: text('#caption').replace(/\\s+/g, ' '),
    moment: text('dialog[open] h2'),
  };
}"""
NOTE = """(() => {
  const noted = window.noted = {captions: [], clipped: [], cards: [], answers: [], labels: []};
  const note = (list, selector) => {
    const text = (document.querySelector(selector) || {textContent: ''}).textContent.replace(/\\s+/g, ' ').trim();
    if (text && list.at(-1) !== text) list.push(text);
  };
  addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
    note(noted.captions, '#caption');
    const caption = document.querySelector('#caption');
    if (caption && caption.scrollHeight > caption.clientHeight + 8) note(noted.clipped, '#caption');
    note(noted.cards, 'dialog[open] h2');
    note(noted.labels, '.pb-overlay > g:not(.pb-panel) > .pb-words');
    const label = document.querySelector('.is-replaying #board .board-wide .bd-label');
    if (label && getComputedStyle(label).visibility !== 'hidden') noted.answers.push(label.textContent.trim());
  }).observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true}));
})()"""
"""A script that notes captions, those that do not fit, cards, and answers on the board.

The pictures of a busy machine may miss some.
"""
READY = "() => document.documentElement.classList.contains('scripted') && !document.querySelector('.htmx-request')"


class Frame(NamedTuple):
    """A picture of a film: its file, the milliseconds since the start, and the caption and card that it shows."""

    path: Path
    at: int
    caption: str
    moment: str


class Film(NamedTuple):
    """What a replay showed: its pictures, and all its captions and cards in order.

    Attributes:
        answers: answers without a piece that the board offered.
        labels: words that rose from the board.
        clipped: captions that are cut off.
        still: whether nothing moves, so that few pictures differ.
    """

    frames: list[Frame]
    captions: list[str]
    clipped: list[str]
    cards: list[str]
    answers: list[str]
    labels: list[str]
    folder: Path
    still: bool

    def check_captions(self, *words: str) -> None:
        """Check that captions with these words are shown in this order and fit; capitals do not matter."""
        assert not self.clipped, f"cut off: {self.clipped}, pictures in {self.folder}"
        at, captions = 0, [caption.lower() for caption in self.captions]
        for each in words:
            at = next((n for n in range(at, len(captions)) if each.lower() in captions[n]), -1)
            assert at >= 0, f"{each!r} is not next in {self.captions}, pictures in {self.folder}"

    def check_motion(self) -> None:
        """Check that the pictures differ, and that nothing is offered while it plays."""
        assert not self.answers, f"pictures in {self.folder}"
        least = FEWEST if self.still else len(self.frames) / 4
        assert len({frame.path.read_bytes() for frame in self.frames}) > least, f"pictures in {self.folder}"


def film(
    visitor: Visitor,
    server: Server,
    match: Match[Any, Any],
    entries: tuple[int, int],
    seat: str,
    name: str,
    step: int = STEP,
) -> Film:
    """Play some decisions of a finished match in the replay, and return what it showed.

    Args:
        visitor: who watches: with `speed="normal"` and `MOVING` or `STILL`, on the screen that is wanted.
        server: the server; the match is imported there.
        match: the match.
        entries: the decisions after which the film starts and ends.
        seat: whose view it is; "" for a spectator.
        name: the folder of the pictures, 0000.png and so on, which are kept with other films in the build folder.
        step: milliseconds from one picture to the next.
    """
    first, last = entries
    page = visitor.page
    page.set_default_timeout(LONG)
    page.add_init_script(SLOW_TIMERS.replace("SLOWER", str(SLOWER)))
    page.add_init_script(NOTE)
    page.goto(f"/m/{import_match(server, visitor, match)}/replay?at={first}&seat={seat}")
    page.wait_for_function(READY)
    page.locator("#board").evaluate("(board) => board.scrollIntoView()")
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
    folder = BUILD / "films" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    page.locator("#play").evaluate("(play) => play.click()")
    frames = list(_pictures(page, session, last, folder, step / 1000))
    still = page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    return Film(frames, **page.evaluate("noted"), folder=folder, still=still)


def _pictures(page: Page, session: CDPSession, last: int, folder: Path, step: float) -> Iterator[Frame]:
    began, number = time.monotonic(), 0
    while (at := (time.monotonic() - began) / SLOWER) < LONGEST:
        seen = page.evaluate(LOOK)
        path = folder / f"{number:04}.png"
        path.write_bytes(base64.b64decode(session.send("Page.captureScreenshot", {"format": "png"})["data"]))
        yield Frame(path, round(at * 1000), seen["caption"], seen["moment"])
        if seen["at"] >= last:
            session.detach()
            return
        number += 1
        page.wait_for_timeout(max(1.0, (number * step * SLOWER + began - time.monotonic()) * 1000))
    raise AssertionError(f"decision {last} was not reached in {LONGEST} seconds: {page.evaluate(LOOK)}")


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
        f"body {{ margin: 0; display: grid; grid-template-columns: repeat({columns}, {width}px); gap: 4px;"
        "align-content: start }"
        "figure { margin: 0; font: 11px sans-serif; overflow: hidden } img { width: 100%; display: block }"
    )
    page.set_viewport_size({"width": columns * (width + 4), "height": 600})
    page.set_content(f"<!doctype html><style>{style}</style>{cells}")
    page.screenshot(path=path, full_page=True)
