"""Tables for friends, and for invitations of players to a match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "friends",
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("friend", sa.String(16), sa.ForeignKey("players.id"), primary_key=True),
    )
    op.create_index("ix_friends_friend", "friends", ["friend"])
    op.create_table(
        "invitations",
        sa.Column("match", sa.String(16), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id"), primary_key=True),
    )
    op.create_index("ix_invitations_player", "invitations", ["player"])
