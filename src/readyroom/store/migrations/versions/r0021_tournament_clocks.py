"""A column for the clocks of a tournament's matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("tournaments", sa.Column("minutes", sa.Integer, nullable=False, server_default="0"))
