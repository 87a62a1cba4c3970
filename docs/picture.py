"""Takes the picture of the table that the README shows: a moment of one battle, always the same, in a browser.

Do that after a change of how the table looks, and read what the README says of the picture: `python docs/picture.py`.
It needs what the tests of the pages need, Playwright and Chromium.
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
from typing import Any

from playwright.sync_api import ViewportSize, sync_playwright

from readyroom import Match, bots, games
from readyroom.store import Store
from readyroom.store.database import FILE
from readyroom.web.profile import COOKIE

SEED, BOTS, MOMENT = "picture 32", 32, 58
"""Which battle, and after how many decisions."""
SEAT, STAFF, NAME = "usa", "doctrine", "Lookout Petrel"
TICKED = 3
SIZE = ViewportSize(width=1280, height=800)
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
PICTURE = Path(__file__).parent / "table.png"


def battle() -> Match[Any, Any]:
    """The battle, played by bots until the moment has come."""
    match = Match(games.load("midway"), seed=SEED)
    staff = {seat.key: bots.make(match.game, STAFF, seat.key, Random(BOTS)) for seat in match.seats}
    while match.decision_count < MOMENT:
        for seat, decision in match.pending.items():
            match.decide(seat, staff[seat](decision, partial(match.view, seat)))
    assert SEAT in match.pending, "now it is another's turn at that moment: look for a better one"
    return match


def keep(home: Path) -> tuple[str, str]:
    """Put the battle into a house, with one person on one side and the staff on the other; her session and its page."""
    with closing(Store(f"sqlite:///{home / FILE}")) as store:
        player, session, _ = store.create_player(NAME)
        match = battle()
        kept = store.import_record(match.record(), player)
        for seat in match.seats:
            if seat.key != SEAT:
                store.assign_bot(kept, seat.key, STAFF, player.id)
    return session, f"/m/{kept}"


@contextmanager
def served(home: Path) -> Iterator[str]:
    """The address of a house."""
    command = [str(Path(sys.executable).with_name("readyroom")), "serve", "--port", "0"]
    desk = os.environ | {"READYROOM_HOME": str(home)}
    with subprocess.Popen(command, env=desk, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield next(found[0] for line in server.stdout or () if (found := ADDRESS.search(line)))
        finally:
            server.terminate()


def take() -> None:
    """Look at the table, tick some options, and take the picture."""
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        session, path = keep(Path(place))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with served(Path(place)) as address:
            page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
            page.context.add_cookies([{"name": COOKIE, "value": session, "url": address}])
            page.goto(f"{address}{path}")
            for box in page.locator("#answer input[type=checkbox]").all()[:TICKED]:
                box.check()
            page.mouse.move(0, 0)
            page.locator("#question").focus()
            page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    take()
