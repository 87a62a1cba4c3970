"""Matches that players have hidden, and how often a seat of a match changed between player and bot."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ID = sa.String(16)


def upgrade() -> None:
    """Add hidden matches, and the count by which a match in memory knows that its bots have changed."""
    op.add_column("matches", sa.Column("handed", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "away",
        sa.Column("match", ID, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("player", ID, sa.ForeignKey("players.id"), primary_key=True, index=True),
    )
