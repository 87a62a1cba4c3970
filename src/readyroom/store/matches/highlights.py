"""The highlights of finished matches, stored when they are first found."""

from __future__ import annotations

import msgspec
from sqlalchemy import delete, insert, select

from readyroom.engine.record.highlights import Highlights
from readyroom.store.base import Part
from readyroom.store.tables import highlights

_encode, _decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder(Highlights).decode


class StoredHighlights(Part):
    """What was found in finished matches. When other rules find it again, what the old ones found is removed."""

    def find(self, id: str, revision: int, rules: str) -> Highlights | None:
        """Return what the rules with this hash have found in a match of this revision, if it is stored."""
        wanted = select(highlights).where(highlights.c.match == id)
        with self._shared.database.glance() as connection:
            row = connection.execute(wanted).one_or_none()
        if row is None or (row.revision, row.rules) != (revision, rules):
            return None
        try:
            return _decode(row.found)
        except msgspec.DecodeError:  # stored in an older form
            return None

    def keep(self, id: str, revision: int, rules: str, found: Highlights) -> None:
        """Store what was found instead of what was stored before."""
        row = {"match": id, "revision": revision, "rules": rules, "found": _encode(found)}
        with self._shared.database.writing() as connection:
            connection.execute(delete(highlights).where(highlights.c.match == id))
            connection.execute(insert(highlights), row)
