"""Columns for signed dice, hash chains, devices, passkeys, expiry, and what each viewer can see."""

from __future__ import annotations

import time
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_TEXTS: dict[str, dict[str, Any]] = {
    "matches": {
        "origin": sa.String(8),
        **dict.fromkeys(("signer", "signature", "head", "seating", "revisions"), sa.Text),
        "client": sa.String(32),
    },
    "entries": {"hash": sa.String(32), "unseen": sa.Text},
    "sessions": {"device": sa.Text},
}
_TIMES = {"players": ("expires",), "matches": ("expires", "visited")}


def upgrade() -> None:
    """Add the columns. When players were last seen is not known, so their time to expire begins now."""
    for table, columns in _TEXTS.items():
        for name, kind in columns.items():
            op.add_column(table, sa.Column(name, kind, nullable=False, server_default=""))
    for table, names in _TIMES.items():
        for name in names:
            op.add_column(table, sa.Column(name, sa.Double))
    op.add_column("matches", sa.Column("damaged", sa.Text))
    for table in ("players", "sessions"):
        op.add_column(table, sa.Column("seen", sa.Double, nullable=False, server_default="0"))
        op.execute(f"UPDATE {table} SET seen = {time.time()}")
    op.add_column("matches", sa.Column("announced", sa.Double, nullable=False, server_default="0"))
    op.execute("UPDATE matches SET announced = changed")
    op.drop_index("ix_matches_listed", "matches")
    op.create_index("ix_matches_listed", "matches", ["listed", "announced"])
    op.execute("UPDATE matches SET origin = 'seed' WHERE seed IS NOT NULL")
    op.execute("UPDATE matches SET origin = 'import' WHERE record IS NOT NULL")
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("player", sa.String(16), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("used", sa.Double),
    )
    op.create_index("ix_passkeys_player", "passkeys", ["player"])
    op.create_table(
        "server",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "challenges",
        sa.Column("challenge", sa.String(64), primary_key=True),
        sa.Column("expires", sa.Double, nullable=False),
    )
