"""What previews of links show of a page: a picture of the game, and a match in a sentence, without hidden facts."""

from __future__ import annotations

from readyroom.engine.text import capitalize_first
from readyroom.store import MatchSummary
from readyroom.web import catalog
from readyroom.web.pages.cards import by_sides, occupant
from readyroom.web.static_files import game_file, static

PICTURE, SCENARIO_PICTURE = "preview.png", "preview-{}.png"
"""The pictures in a game's static files for previews, of 1200 x 630 pixels: the game's, and a scenario's by its key.

`docs/previews.py` draws them.
"""
SITE_PICTURE = "card.png"
"""The picture of all other pages in the static files."""
SITE_TITLE = "Ready Room: Pacific War board games"
SITE_WORDS = "Ready Room", "Pacific War board games"
"""The title in the site's picture, and the line below it."""
SITE_DESCRIPTION = (
    "Play the carrier battles and raids of 1941 to 1945 as board games: against a bot, with friends, live or by "
    "correspondence. Every rule is enforced, and every roll can be verified."
)


def preview(key: str, scenario: str = "") -> tuple[str, str]:
    """Return the address and the text of the picture for the pages of a game, or of its scenario with this title.

    It is the game's if the scenario has none, and the site's if the game has none (or is "").
    """
    game, address = catalog.games().get(key), game_file(key, PICTURE)
    if game is None or not address:
        return static(SITE_PICTURE), "A chart of the open sea: a carrier turns into the wind, and two flights come in."
    for known in catalog.scenarios(game):
        own = game_file(key, SCENARIO_PICTURE.format(known.key)) if known.title == scenario else ""
        if own:
            return own, f"{scenario}: a drawn scene of {game.title}"
    return address, f"{game.title}: a drawn scene of the game."


def match_title(summary: MatchSummary) -> str:
    """Return a match by the names of its game and scenario, after its result if it is over."""
    names = ", ".join(dict.fromkeys((summary.title, summary.scenario)))
    return names if summary.outcome is None else f"{capitalize_first(summary.outcome.title)}: {names}"


def describe_match(summary: MatchSummary) -> str:
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
