"""Columns for the clocks of a match, and for the side that has claimed the win on time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("matches", sa.Column("clock", sa.Text, nullable=False, server_default=""))
    op.add_column("matches", sa.Column("claimed", sa.String(80), nullable=False, server_default=""))
