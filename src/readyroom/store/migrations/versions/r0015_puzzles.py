"""Tables for puzzles: their ratings, those of players, and first answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    rating = ("rating", "deviation", "volatility")
    op.create_table(
        "puzzles",
        sa.Column("puzzle", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Double, nullable=False) for name in rating),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("game", sa.String(80), primary_key=True),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id"), primary_key=True),
        *(sa.Column(name, sa.Double, nullable=False) for name in rating),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("ix_puzzle_ratings_player", "puzzle_ratings", ["player"])
    op.create_table(
        "puzzle_answers",
        sa.Column("puzzle", sa.Text, primary_key=True),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("ix_puzzle_answers_player", "puzzle_answers", ["player"])
