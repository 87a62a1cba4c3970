"""Tables for the challenge of the day: the attempts, and what bots reach in it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "attempts",
        sa.Column("match", sa.String(16), primary_key=True),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("ix_attempts_player", "attempts", ["player"])
    counted = sa.text("counted")
    op.create_index(
        "ix_attempts_counted",
        "attempts",
        ["day", "player"],
        unique=True,
        sqlite_where=counted,
        postgresql_where=counted,
    )
    op.create_table(
        "baselines",
        sa.Column("slot", sa.Text, primary_key=True),
        sa.Column("scores", sa.LargeBinary, nullable=False),
    )
