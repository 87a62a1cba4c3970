"""Columns for how a match was decided by its players, and for the offer of a draw."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; until now a match could only be decided on time."""
    op.add_column("matches", sa.Column("decided", sa.String(8), nullable=False, server_default=""))
    op.add_column("matches", sa.Column("draw_offer", sa.Text, nullable=False, server_default=""))
    op.execute("UPDATE matches SET decided = 'time' WHERE claimed != ''")
