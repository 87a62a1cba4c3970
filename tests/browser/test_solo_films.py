"""Films of the solitaire games: a kamikaze that crashes; bombs on Tokyo, the way to China, and the landing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from tests.browser.conftest import Visit
from tests.browser.films import LONG, SCREENS, Film, contact_sheet, film, find_entries
from tests.browser.matches import played_by_bots
from tests.server.running import Server

from readyroom import Match, games

MOST = 40
"""The most pictures on a sheet."""


class Scene:
    """A film of a match: the moment that it leads to, and parts of captions in the order in which they are shown."""

    def __init__(self, game: str, scenario: str, seed: str, moment: str, captions: Sequence[str]) -> None:
        self.game, self.scenario, self.seed, self.moment, self.captions = game, scenario, seed, moment, captions


SCENES = {
    "kamikaze": Scene(
        "picket",
        "first-watch",
        "a kamikaze",
        " crashes into the ship",
        [
            "hits the Tony",
            "Supporting ships fire at the Tony",
            "Does the plane hit the ship? 2 dice: miss on 6 or less, near miss on 7–8",
            "strikes the ship",
            "What is hit? The first die chooses the row",
            "The aft section is hit (1 of 2)",
        ],
    ),
    "bombs": Scene("doolittle", "early", "1", "First bombs on Tokyo", ["Approach", "Do the bombs hit?", "hits"]),
    "landfall": Scene(
        "doolittle", "early", "1", "Landfall in China", ["Search for Chuchow", "Once every flight is down"]
    ),
    "landing": Scene(
        "doolittle", "early", "1", "Holstrom crashes", ["lands badly", "deadly crash on", "the bomber crashes"]
    ),
}


@cache
def played(game: str, scenario: str, seed: str) -> Match[Any, Any]:
    """Return a match that bots have played."""
    match: Match[Any, Any] = Match(games.load(game), scenario, seed=seed)
    return played_by_bots(match, lambda _: False)


def filmed(visit: Visit, server: Server, name: str, screen: str) -> Film:
    """Make a film, keep its pictures and a sheet of them in the build folder, and return it."""
    scene = SCENES[name]
    match = played(scene.game, scene.scenario, scene.seed)
    seat = match.seats[0].key
    entries = find_entries(match, seat, lambda event: scene.moment in event.moment, before=1)
    sheet = visit("")
    sheet.page.set_default_timeout(LONG)
    shown = film(visit("", speed="normal", **SCREENS[screen]), server, match, entries, seat, f"{name}-{screen}")
    contact_sheet(sheet.page, shown.frames[:: len(shown.frames) // MOST + 1], shown.folder / "sheet.png")
    return shown


@pytest.mark.torture(60)
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", SCENES)
def test_film_shows_what_happens_in_order(visit: Visit, server: Server, name: str, screen: str) -> None:
    shown, scene = filmed(visit, server, name, screen), SCENES[name]
    shown.check_captions(*scene.captions)
    assert any(scene.moment in card for card in shown.cards), shown.cards
    shown.check_motion()
