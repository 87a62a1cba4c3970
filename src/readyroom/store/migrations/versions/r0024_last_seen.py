"""A column for when a player last had a match open."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; until now no one was seen."""
    op.add_column("sittings", sa.Column("seen", sa.Double, nullable=True))
