"""A column for the seats of an invitation."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_invitations = sa.table("invitations", sa.column("match"), sa.column("seats"))
_seats = sa.table("seats", *map(sa.column, ("match", "seat", "bot", "link", "came")))


def upgrade() -> None:
    """Add the column; invitations from before are for all free seats with an invite link."""
    op.add_column("invitations", sa.Column("seats", sa.Text, nullable=False, server_default="[]"))
    connection = op.get_bind()
    free = sa.select(_seats.c.match, _seats.c.seat).join(_invitations, _invitations.c.match == _seats.c.match)
    free = free.where(_seats.c.bot == "", _seats.c.link.is_not(None), _seats.c.came.is_(None))
    invited_to = dict[str, set[str]]()
    for match, seat in connection.execute(free).all():
        invited_to.setdefault(match, set()).add(seat)
    for match, keys in invited_to.items():
        here = sa.update(_invitations).where(_invitations.c.match == match)
        connection.execute(here.values(seats=json.dumps(sorted(keys))))
