"""A column for the client that has added a player to a tournament."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("entrants", sa.Column("client", sa.String(32), nullable=False, server_default=""))
