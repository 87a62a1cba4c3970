"""A column for whether people who play a match with each other may use hints and analysis."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; in the matches so far it was not agreed."""
    op.add_column("matches", sa.Column("help", sa.Boolean, nullable=False, server_default=sa.false()))
