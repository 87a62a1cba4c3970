"""Banned seats, and the audit log of admins."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ID, NAME = sa.String(16), sa.String(80)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add banned seats and an audit log."""
    op.add_column("seats", sa.Column("banned", sa.Text))
    op.create_table(
        "journal",
        sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("act", sa.String(16), nullable=False),
        sa.Column("match", ID),
        sa.Column("seat", NAME),
        sa.Column("player", ID),
        sa.Column("why", sa.Text, nullable=False),
    )
