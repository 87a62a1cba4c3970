"""A column for players who want to know when someone waits for an opponent, and indexes for lists of matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the indexes."""
    op.add_column("players", sa.Column("alerts", sa.Text, nullable=False, server_default=""))
    op.drop_index("ix_matches_listed", "matches")
    op.create_index("ix_matches_game", "matches", ["game", "listed", "announced"])
    live, over = sa.text("outcome IS NULL"), sa.text("outcome IS NOT NULL")
    columns = ["listed", "announced", "client", "id"]
    op.create_index("ix_matches_live", "matches", columns, sqlite_where=live, postgresql_where=live)
    op.create_index("ix_matches_over", "matches", ["listed", "announced"], sqlite_where=over, postgresql_where=over)
