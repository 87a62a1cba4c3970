"""The game "strategic" is now two: matches of its air raid become "pearl", all others "war"."""

from __future__ import annotations

import tomllib

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TITLES = {"war": "Strategic War", "pearl": "Air Raid Pearl Harbor"}
RAIDS = ("air-raid", "air-raid-classic", "air-raid-late", "air-raid-carriers-in")
ACTIONS = ("surprise", "first-strike", "second-strike", "harbor-submarine", "harbor-carrier", "naval")
OTHER_BOTS = {"war": ("cautious", "all-in"), "pearl": ("wolfpack", "fortress", "convoy", "bomber")}
"""Bots of the other game, which played the doctrine here."""

matches = sa.table("matches", *map(sa.column, ("id", "game", "title", "scenario", "own")))
seats = sa.table("seats", *map(sa.column, ("match", "bot")))


def upgrade() -> None:
    """Rename the game of each match; records keep the old name in their headers."""
    connection = op.get_bind()
    rows = connection.execute(
        sa.select(matches.c.id, matches.c.scenario, matches.c.own).where(matches.c.game == "strategic")
    )
    for match, scenario, own in rows.all():
        game = "pearl" if _is_raid(scenario, own) else "war"
        connection.execute(sa.update(matches).where(matches.c.id == match).values(game=game, title=TITLES[game]))
        other = seats.c.bot.in_(OTHER_BOTS[game])
        connection.execute(sa.update(seats).where(seats.c.match == match, other).values(bot="doctrine"))


def _is_raid(scenario: str, own: str | None) -> bool:
    if own is None:
        return scenario in RAIDS
    content = tomllib.loads(own)
    return content.get("kind") == "raid" or content.get("question") in ACTIONS
