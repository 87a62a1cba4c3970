"""A column for the players who have left a seat of a match in progress."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of earlier matches it is not known."""
    op.add_column("seats", sa.Column("left_by", sa.Text, nullable=False, server_default=""))
