"""Take the README's pictures: fixed moments of two matches. Run `python docs/picture.py` after visual changes.

Needs Playwright and Chromium, like the browser tests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from playwright.sync_api import ViewportSize, sync_playwright

from readyroom import Match, bots, games
from readyroom.store import Store
from readyroom.store.database import FILE
from readyroom.web.pages.players.profile import COOKIE

SIZE = ViewportSize(width=1280, height=800)
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
FOLDER = Path(__file__).parent


class Picture(NamedTuple):
    """A picture: its file, the match, how many decisions bots play first, whose page is shown, and how."""

    file: str
    game: str
    scenario: str | None
    seed: str
    decisions: int
    seat: str
    theme: Literal["light", "dark"]
    selected: int
    """How many options are selected on the card."""


PICTURES = (
    Picture("table.png", "midway", None, "picture 32", 58, "usa", "light", 3),
    Picture("raid.png", "doolittle", "early", "picture 1", 60, "captain", "dark", 0),
)


def play(picture: Picture) -> Match[Any, Any]:
    """Play the match with doctrine bots up to the picture's decision."""
    match = Match(games.load(picture.game), picture.scenario, seed=picture.seed)
    players = {seat.key: bots.make_bot(match.game, "doctrine", seat.key, Random(32)) for seat in match.seats}
    while match.decision_count < picture.decisions:
        for seat, decision in match.pending.items():
            match.decide(seat, players[seat](decision, partial(match.view, seat)))
    assert picture.seat in match.pending, f"{picture.seat} has no decision at this position; choose another one"
    return match


def import_match(home: Path, picture: Picture) -> tuple[str, str]:
    """Import the match into a new database; return the player's session and the page's path."""
    with closing(Store(f"sqlite:///{home / FILE}")) as store:
        player, session, _ = store.players.create("Lookout Petrel")
        match = play(picture)
        match_id = store.records.import_match(match.record(), player)
        for seat in match.seats:
            if seat.key != picture.seat:
                store.seats.assign_bot(match_id, seat.key, "doctrine", player.id)
    return session, f"/m/{match_id}"


@contextmanager
def serve(home: Path) -> Iterator[str]:
    """Run a server and yield its address."""
    command = [str(Path(sys.executable).with_name("readyroom")), "serve", "--port", "0"]
    environment = os.environ | {"READYROOM_HOME": str(home)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield next(match[0] for line in server.stdout or () if (match := ADDRESS.search(line)))
        finally:
            server.terminate()


def take(picture: Picture) -> None:
    """Open the page, select options and save the screenshot."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        session, path = import_match(Path(folder), picture)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"), args=["--no-sandbox"]
        )
        with serve(Path(folder)) as address:
            page = browser.new_page(viewport=SIZE, color_scheme=picture.theme, reduced_motion="reduce")
            page.context.add_cookies([{"name": COOKIE, "value": session, "url": address}])
            page.goto(f"{address}{path}")
            for box in page.locator("#answer input[type=checkbox]").all()[: picture.selected]:
                box.evaluate("(box) => box.click()")  # the list is folded away where the board has the options
            page.mouse.move(0, 0)
            page.locator("#question").focus()
            page.screenshot(path=FOLDER / picture.file)
        browser.close()


if __name__ == "__main__":
    for each in PICTURES:
        take(each)
