"""Chat, private notes, takebacks, and notification addresses."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID, NAME = sa.String(16), sa.String(80)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add what people say to each other, and their addresses."""
    op.add_column("players", sa.Column("hook", sa.Text, nullable=False, server_default=""))
    op.add_column("players", sa.Column("mail", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "messages",
        sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("match", ID, sa.ForeignKey("matches.id"), nullable=False, index=True),
        sa.Column("player", ID, sa.ForeignKey("players.id")),
        sa.Column("side", sa.Text),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "notes",
        sa.Column("match", ID, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("player", ID, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "takebacks",
        sa.Column("match", ID, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", NAME, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("allowed", sa.Text, nullable=False),
    )
