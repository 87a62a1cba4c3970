"""A table for the scenarios that players make."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "scenarios",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("link", sa.String(64), unique=True),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("result", sa.LargeBinary),
    )
    op.create_index("ix_scenarios_player", "scenarios", ["player"])
    op.create_index("ix_scenarios_listed", "scenarios", ["listed", "changed"])
