"""[9.0, 12.6] The sea map and its markers, in words for a reader: the same for the terminal and the drawn board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readyroom.engine.game import View
from readyroom.games.doolittle.figures.common import WEATHERS
from readyroom.games.doolittle.figures.naval import SeaAreaCard

STORM = WEATHERS[-1]
PLACES = {"hangar": "hangar", "local": "local recon", "low-cap": "low CAP", "high-cap": "high CAP", "force": "patrol"}
"""[9.5.2] The boxes of recon."""


def draw_rows(area: SeaAreaCard) -> list[list[Any]]:
    """[12.6.2] The hazard draws of a sea area, as the view has them."""
    return [
        [draw.cup, draw.count, draw.each, list(draw.weather), draw.failed, draw.alert, draw.signals]
        for draw in area.draw
    ]


def draw_words(draws: Sequence[Sequence[Any]]) -> str:
    """[12.6.2] The hazards drawn in a sea area, in a few words.

    >>> draw_words([["east", 2, "", ["calm", "gusty", "gale"], 0, 0, 0], ["east", 1, "", [], 1, 0, 0]])
    '2 east, no storm; 1 east, from 1 failed test'
    >>> draw_words([["west", 0, "alert", [], 0, 0, 0], ["west", 1, "", ["calm", "gusty"], 0, 0, 0]])
    '1 west per alert level; 1 west in calm, gusty'
    """
    return "; ".join(_draw(*draw) for draw in draws)


def _draw(cup: str, number: int, each: str, weather: Sequence[str], failed: int, alert: int, signals: int) -> str:
    per = {"alert": " per alert level", "signals": " per enemy signal"}.get(each, "")
    text = f"{number or 1} {cup}{per}"
    if weather:
        text += f", no {STORM}" if len(weather) == len(WEATHERS) - 1 else f" in {', '.join(weather)}"
    text += f", from {failed} failed test{'s' if failed > 1 else ''}" if failed else ""
    text += f", from alert {alert}" if alert else ""
    return text + (f", from {signals} signal{'s' if signals > 1 else ''}" if signals else "")


def marker_words(marker: View) -> str:
    """[6.3.1, 12.1.6] A marker by its name, with its icon or its recovery number; face down by its cup."""
    if "name" not in marker:
        return f"face down, cup {marker['cup']}"
    more = marker.get("threshold") or (f"recovery {marker['recovery']}+" if marker.get("recovery") else "")
    return f"{marker['name']} ({more})" if more else str(marker["name"])
