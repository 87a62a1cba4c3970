"""Tables for tournaments, their players and their pairings, and what a match knows of its tournament."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and the column."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("host", sa.String(16), sa.ForeignKey("players.id")),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("scenario", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("both", sa.Boolean, nullable=False),
        sa.Column("places", sa.Integer, nullable=False),
        sa.Column("pace", sa.String(8), nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("previous", sa.String(16), unique=True),
        sa.Column("client", sa.String(32), nullable=False, server_default=""),
    )
    op.create_index("ix_tournaments_host", "tournaments", ["host"])
    op.create_table(
        "entrants",
        sa.Column("tournament", sa.String(16), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id")),
        sa.Column("out", sa.Boolean, nullable=False),
        sa.Column("link", sa.String(64), unique=True),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_index("ix_entrants_player", "entrants", ["player"])
    op.create_table(
        "pairings",
        sa.Column("tournament", sa.String(16), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True),
        sa.Column("one", sa.Integer, nullable=False),
        sa.Column("two", sa.Integer),
        sa.Column("match", sa.String(16), nullable=False),
        sa.Column("result", sa.String(8), nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
    )
    op.add_column("matches", sa.Column("tournament", sa.String(16)))
