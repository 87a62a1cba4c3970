"""What a case of a study changes: options and figures that differ from those of another case."""

from __future__ import annotations

from typing import Any

import msgspec

from readyroom.engine.figures import Figure
from readyroom.engine.game import Game
from readyroom.study.matches import MatchSetup


class Change(msgspec.Struct, frozen=True):
    """A change: what is changed, in which chart or option, its rule or source, and its values before and after.

    `address` is that of a figure, or the key of an option.
    """

    title: str
    address: str
    source: str
    before: str
    after: str


def changes_between(game: Game[Any, Any], first: MatchSetup, other: MatchSetup) -> list[Change]:
    """Return the options and figures of a set-up that differ from those of another; `game` is the unchanged one."""
    titles = {option.key: (option.title, option.rule) for option in game.options}
    options = [
        Change(titles.get(key, (key, ""))[0], key, _rule(titles.get(key, ("", ""))[1]), first.options[key], choice)
        for key, choice in other.options.items()
        if first.options.get(key, choice) != choice
    ]
    addresses = dict.fromkeys([*first.figures, *other.figures])
    figures = [figure_change(game, key, first.figures, other.figures) for key in addresses]
    return [*options, *(change for change in figures if change.before != change.after)]


def figure_change(game: Game[Any, Any], address: str, before: dict[str, Figure], after: dict[str, Figure]) -> Change:
    """Return what becomes of a figure; where a set-up does not name it, it is that of the game."""
    place = game.figures.place(address)
    old, new = (figure_text(each.get(address, place.cell.value)) for each in (before, after))
    return Change(place.title, address, _rule(place.table.rule) or place.origin, old, new)


def figure_text(value: Figure) -> str:
    """Return a figure as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}".replace("-", "−") if isinstance(value, int | float) else value


def _rule(number: str) -> str:
    return f"Rule {number}" if number else ""
