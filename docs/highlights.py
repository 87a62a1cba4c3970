"""Take the pictures of `docs/highlights.md`.

Run `PYTHONPATH=. python docs/highlights.py [NAME …]` after visual changes. Needs Playwright, Chromium and Pillow.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.matches import create_match, import_match, join_seat, played_by_bots
from tests.browser.test_tora_planning import carry, drag
from tests.browser.visitors import Visitor
from tests.chromium import program
from tests.server.running import Server

from readyroom import Match, games

FOLDER = Path(__file__).with_name("highlights")
SCREEN = {"width": 1280, "height": 800}
WIDTH = 960
QUALITY = 75
LONG = 300_000
"""Milliseconds in which a review or a study ends on a busy machine."""


class Studio:
    """A server and a visitor's page."""

    def __init__(self, server: Server, browser: Browser) -> None:
        self.server = server
        self.visitor = Visitor(browser, server.url, "Anna", viewport=SCREEN)
        self.page = self.visitor.page
        self.page.set_default_timeout(20_000)

    def open(self, match: Match[Any, Any], path: str = "") -> Page:
        """Import a match of the visitor, and open its page or one below it."""
        return self.visitor.go(f"/m/{import_match(self.server, self.visitor, match)}{path}")


def midway(decisions: int | None = None) -> Match[Any, Any]:
    """Return a battle that bots have played to its end, or for some decisions."""
    match: Match[Any, Any] = Match(games.load("midway"), seed="picture 32")
    return played_by_bots(match, lambda one: decisions is not None and one.decision_count >= decisions)


def rule(studio: Studio) -> list[bytes]:
    """Take a rule next to the decision that cites it."""
    page = studio.open(midway(58), "?seat=usa")
    page.locator("#card .rule:visible").first.click()
    page.locator("#help-body h2, #help-body h3").first.wait_for()
    return [page.screenshot()]


def seats(studio: Studio) -> list[bytes]:
    """Take one position as each side sees it."""
    page = studio.open(midway(), "/replay?at=70&seat=japan")
    first = page.locator("#board .board").screenshot()
    page.goto(page.url.replace("japan", "usa"))
    return [first, page.locator("#board .board").screenshot()]


def dice(studio: Studio) -> list[bytes]:
    """Take what proves the dice of a finished match."""
    page = studio.open(midway())
    page.locator("details", has_text="Verify").first.locator("summary").click()
    page.get_by_role("link", name="Verify the dice").click()
    page.get_by_role("heading", name="The dice").wait_for()
    return [page.locator("section", has=page.get_by_role("heading", name="The dice")).first.screenshot()]


def plan(studio: Studio) -> list[bytes]:
    """Take the chart on which Japan plans the attack on Pearl Harbor."""
    places = create_match(studio.server, {"japan": "me", "usa": "bot:doctrine"}, game="tora", scenario="december")
    page = join_seat(studio.visitor, places["japan"]).page
    for supply, sector in (("kate:torpedo", "3NW"), ("zero:none", "3NW"), ("val:gp", "3SW")):
        drag(page, carry(page, f"supply:{supply}"), page.locator(f'.plan-sector[data-sector="{sector}"]'), 0.3, 0.3)
    page.locator(".plan-tally").wait_for()
    return [page.screenshot()]


def review(studio: Studio) -> list[bytes]:
    """Take the review of a match."""
    page = studio.open(midway(), "/review")
    page.get_by_role("button", name="Start review").click()
    curve = page.locator("#job svg").first
    curve.wait_for(timeout=LONG)
    return [curve.screenshot()]


def campaign(studio: Studio) -> list[bytes]:
    """Take the war room before the last chapter of a campaign."""
    home = studio.server.home
    for words in (
        "new three-battles --seat japan=doctrine --seat usa=doctrine --seed pictures",
        "next three-battles-1 --bots",
        "next three-battles-1 --bots",
        f"export three-battles-1 {home / 'war.jsonl'}",
    ):
        readyroom = Path(sys.executable).with_name("readyroom")
        subprocess.run([readyroom, "campaign", *words.split()], env={"READYROOM_HOME": str(home)}, check=True)
    page = studio.visitor.go("/campaigns")
    page.locator("input[type=file]").set_input_files(home / "war.jsonl")
    page.get_by_role("button", name=re.compile("Import")).click()
    page.locator(".war-action").wait_for()
    return [page.screenshot()]


def puzzle(studio: Studio) -> list[bytes]:
    """Take a puzzle that is answered."""
    page = studio.visitor.go("/games/pearl/puzzles")
    page.locator("main a[href^='/puzzles/']").first.click()
    page.locator("#answer input[type=radio]").first.evaluate("(option) => option.click()")
    page.locator("#confirm").click()
    page.locator(".analysis-answers").wait_for()
    return [page.screenshot()]


def notebook(studio: Studio) -> list[bytes]:
    """Take what a changed chart does to the war."""
    page = studio.visitor.go("/studies")
    page.get_by_role("button", name="New notebook").first.click()
    page.get_by_label("Off: both sides see everything").check()
    page.locator("#amount").select_option(index=0)
    page.get_by_role("button", name="Save").first.click()
    page.get_by_role("button", name="Run study").click()
    page.get_by_role("link", name="Full report").wait_for(timeout=LONG)
    return [page.screenshot()]


PICTURES: dict[str, Callable[[Studio], list[bytes]]] = {
    one.__name__: one for one in (rule, seats, dice, plan, review, campaign, puzzle, notebook)
}


def save(name: str, shots: list[bytes]) -> None:
    """Save screenshots side by side as one picture."""
    pictures = [Image.open(BytesIO(shot)).convert("RGB") for shot in shots]
    height = max(picture.height for picture in pictures)
    whole = Image.new("RGB", (sum(picture.width for picture in pictures), height), "white")
    left = 0
    for picture in pictures:
        whole.paste(picture, (left, 0))
        left += picture.width
    if whole.width > WIDTH:
        whole = whole.resize((WIDTH, height * WIDTH // whole.width), Image.Resampling.LANCZOS)
    FOLDER.mkdir(exist_ok=True)
    whole.save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place, Server(Path(place)) as running, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        for each in sys.argv[1:] or PICTURES:
            save(each, PICTURES[each](Studio(running, chromium)))
