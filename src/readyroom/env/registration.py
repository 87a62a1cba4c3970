"""Gymnasium's names of the games, such as `readyroom/Midway-v0`."""

from __future__ import annotations

import gymnasium

from readyroom.engine.game import game_names

VERSION = "v0"
"""The version of the environments: the next one when observations or actions change."""


def environment_id(game: str) -> str:
    """Return Gymnasium's name of a game.

    >>> environment_id("tokyo-express")
    'readyroom/TokyoExpress-v0'
    """
    return f"readyroom/{game.replace('-', ' ').title().replace(' ', '')}-{VERSION}"


def register() -> None:
    """Register all installed games that are not registered."""
    for game in game_names():
        if environment_id(game) not in gymnasium.registry:
            gymnasium.register(
                environment_id(game),
                entry_point="readyroom.env:gymnasium",
                vector_entry_point="readyroom.env:vector",
                kwargs={"game": game},
            )
