"""Which links are known to someone who does not sit on their seats, and which have done their service."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add links that end; old ones may be the host's, so they end when their guest is next seen."""
    op.add_column("seats", sa.Column("lent", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("seats", sa.Column("spent", sa.String(64)))
    op.create_index("ix_seats_spent", "seats", ["spent"])
