"""Badges of a player: what they have done, from results that are there anyway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from readyroom.engine.text import count_noun
from readyroom.store import Store
from readyroom.web import catalog
from readyroom.web.pages.players.ladder import Results

PUZZLES = (1, 10, 25, 50, 100)
"""The numbers of puzzles solved that have a badge."""
DAYS = (3, 7, 30, 100, 365)
"""The numbers of days in a row that have a badge."""


class Badge(NamedTuple):
    """A badge: its icon, its title, how it is earned, and whether the player has earned it."""

    icon: Literal["victory", "games", "puzzles", "days", "campaign", "tournament"]
    title: str
    how: str
    is_earned: bool


def badges_of(store: Store, player_id: str, results: Results) -> list[Badge]:
    """Return all badges, those that the player has earned first."""
    sides = [row[0] for row in results.by_side]
    played, won = {one.game for one in sides}, {one.game for one in sides if one.won}
    games = [entry.game for entry in catalog.list_games()]
    badges = [
        *(Badge("victory", game.title, "Win a match, against a bot or a person.", game.key in won) for game in games),
        Badge(
            "games",
            "All games",
            f"Play each of the {len(games)} games to its end.",
            played >= {game.key for game in games},
        ),
        *_steps("puzzles", results.pastimes.solved, PUZZLES),
        *_steps("days", results.pastimes.longest_run, DAYS),
        Badge("campaign", "Campaign", "Play a campaign to its end.", store.campaigns.has_finished(player_id)),
        Badge("tournament", "Tournament", "Win a tournament.", store.tournaments.has_won(player_id)),
    ]
    return sorted(badges, key=lambda one: not one.is_earned)


def _steps(icon: Literal["puzzles", "days"], reached: int, steps: Sequence[int]) -> list[Badge]:
    """Return the badge of the greatest number that is reached, and of the next one."""
    earned, open_steps = [one for one in steps if one <= reached], [one for one in steps if one > reached]
    return [_step(icon, one, one <= reached) for one in (*earned[-1:], *open_steps[:1])]


def _step(icon: Literal["puzzles", "days"], number: int, is_earned: bool) -> Badge:
    if icon == "puzzles":
        title = count_noun(number, "puzzle")
        return Badge(icon, title, f"Solve {title} with the first answer.", is_earned)
    title = f"{count_noun(number, 'day')} in a row"
    return Badge(icon, title, f"Play the challenge of the day on {title}.", is_earned)
