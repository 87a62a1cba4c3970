"""A column for players who want to know when someone waits for an opponent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("players", sa.Column("alerts", sa.Text, nullable=False, server_default=""))
