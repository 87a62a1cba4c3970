"""Players, and matches with their seats, records and logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID, HASH, NAME = sa.String(16), sa.String(64), sa.String(80)


def upgrade() -> None:
    """Build the first tables."""
    _people()
    _matches()
    _seats()
    _play()


def _people() -> None:
    op.create_table(
        "players",
        sa.Column("id", ID, primary_key=True),
        sa.Column("name", NAME, nullable=False),
        sa.Column("recovery", HASH, nullable=False, unique=True),
        sa.Column("since", sa.Double, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("session", HASH, primary_key=True),
        sa.Column("player", ID, sa.ForeignKey("players.id"), nullable=False, index=True),
        sa.Column("since", sa.Double, nullable=False),
    )


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", ID, primary_key=True),
        sa.Column("host", ID, sa.ForeignKey("players.id"), index=True),
        sa.Column("game", NAME, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("version", NAME, nullable=False),
        sa.Column("scenario", sa.Text, nullable=False),
        sa.Column("scenario_title", sa.Text, nullable=False),
        sa.Column("own", sa.Text),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("pace", sa.String(8), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("guided", sa.Boolean, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("seed", sa.Text),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("begun", sa.Boolean, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("waiting", sa.Text, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.Column("barrier", sa.Integer, nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.Column("header", sa.Text),
        sa.Column("outcome", sa.Text),
        sa.Column("ending", sa.Text),
        sa.Column("record", sa.Text),
    )
    op.create_index("ix_matches_listed", "matches", ["listed", "changed"])


def _seats() -> None:
    op.create_table(
        "seats",
        sa.Column("match", ID, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", NAME, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("who", sa.String(8), nullable=False),
        sa.Column("bot", NAME, nullable=False),
        sa.Column("link", HASH, unique=True),
        sa.Column("came", sa.Double),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_table(
        "sittings",
        sa.Column("match", ID, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("seat", NAME, primary_key=True),
        sa.Column("player", ID, sa.ForeignKey("players.id"), primary_key=True, index=True),
        sa.Column("since", sa.Double, nullable=False),
    )


def _play() -> None:
    op.create_table(
        "checkpoints",
        sa.Column("match", ID, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("blocks", sa.Integer, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("match", ID, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("undo", sa.Boolean, nullable=False),
        sa.Column("told", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "log",
        sa.Column("match", ID, sa.ForeignKey("matches.id"), primary_key=True),
        sa.Column("i", sa.Integer, primary_key=True),
        sa.Column("line", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
