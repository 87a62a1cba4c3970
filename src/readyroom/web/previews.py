"""What previews of links show of a page: a picture of the game, and a match in a sentence, without hidden facts."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from readyroom.engine.text import capitalize_first
from readyroom.store import MatchSummary
from readyroom.web import catalog
from readyroom.web.pages.cards import by_sides, occupant

PICTURE = "preview.png"
"""The picture of a game that its package may have for previews, of 1200 x 630 pixels; `docs/previews.py` draws it."""
SITE_TITLE = "Ready Room: Pacific War board games"
SITE_WORDS = (
    "Play the carrier battles and raids of 1941 to 1945 as board games: against a bot, with friends, live or by "
    "correspondence. Every rule is enforced, and every roll can be verified."
)


class Preview(NamedTuple):
    """A picture by its path, the game that it is of (None: the site's), and its text for those who do not see it."""

    file: Path | None
    game: str
    alt: str


@cache
def preview(key: str) -> Preview:
    """Return the picture for the pages of a game; the site's if it has none, and for other pages."""
    game = catalog.games().get(key)
    file = Path(str(files(game.package) / PICTURE)) if game is not None else None
    if game is None or file is None or not file.is_file():
        return Preview(None, "", "A chart of the open sea: a carrier turns into the wind, and two flights come in.")
    return Preview(file, key, f"{game.title}: a drawn scene of the game.")


def match_title(summary: MatchSummary) -> str:
    """Return a match by the names of its game and scenario, after its result if it is over."""
    names = ", ".join(dict.fromkeys((summary.title, summary.scenario)))
    return names if summary.outcome is None else f"{capitalize_first(summary.outcome.title)}: {names}"


def match_words(summary: MatchSummary) -> str:
    """Describe a match for those who have only its link: who plays, and how far it is, or how it ended."""
    if summary.outcome is not None:
        return summary.outcome.text
    sides = "; ".join(
        f"{capitalize_first(name)}: {', '.join(dict.fromkeys(map(occupant, seats)))}"
        for name, _, seats in by_sides(summary)
    )
    pace = "Correspondence" if summary.pace == "days" else "Real time"
    if not summary.started:
        return f"{sides}. {pace}. Waiting for players."
    turn = f" Turn {summary.turn}." if summary.turn else ""
    return f"{sides}. {pace}.{turn} Anyone with this link can watch."
