"""Tables for campaigns and who plays their sides, and what a match knows of its campaign."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and columns."""
    op.create_table(
        "campaigns",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("host", sa.String(16), sa.ForeignKey("players.id")),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("pace", sa.String(8), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("begun", sa.Boolean, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
        sa.Column("current", sa.String(16)),
        sa.Column("choices", sa.Text, nullable=False),
        sa.Column("client", sa.String(32), nullable=False, server_default=""),
    )
    op.create_index("ix_campaigns_host", "campaigns", ["host"])
    op.create_table(
        "members",
        sa.Column("campaign", sa.String(16), sa.ForeignKey("campaigns.id"), primary_key=True),
        sa.Column("side", sa.String(80), primary_key=True),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id")),
        sa.Column("bot", sa.String(80), nullable=False),
        sa.Column("link", sa.String(64), unique=True),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_index("ix_members_player", "members", ["player"])
    op.add_column("matches", sa.Column("campaign", sa.String(16)))
    op.create_index("ix_matches_campaign", "matches", ["campaign"])
    for name, length in (("chapter", 80), ("follows", 64), ("salt", 64)):
        op.add_column("matches", sa.Column(name, sa.String(length), nullable=False, server_default=""))
