"""Tables for the ladder, push notifications and standing passes; columns for players on the ladder and open seats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and tables."""
    op.add_column("players", sa.Column("ladder", sa.Double))
    op.add_column("matches", sa.Column("experience", sa.String(16), nullable=False, server_default=""))
    op.create_table(
        "pushes",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("session", sa.String(64), sa.ForeignKey("sessions.session", ondelete="CASCADE"), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
    )
    op.create_index("ix_pushes_session", "pushes", ["session"])
    op.create_table(
        "passes",
        sa.Column("match", sa.String(16), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", sa.String(80), primary_key=True),
        sa.Column("until", sa.String(8), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
    )
    op.create_table(
        "ratings",
        sa.Column("game", sa.String(80), primary_key=True),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("volatility", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("ix_ratings_player", "ratings", ["player"])
    op.create_table(
        "rated",
        sa.Column("match", sa.String(16), sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("score", sa.Double, nullable=False),
        sa.Column("before", sa.Double, nullable=False),
        sa.Column("after", sa.Double, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("ix_rated_player", "rated", ["player"])
