"""A plain name for the column with the side that wins where the players have decided a match."""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rename the column."""
    op.alter_column("matches", "claimed", new_column_name="decided_for")
