"""The staff's table: what is thrown, and what was thrown so far."""

from __future__ import annotations

import msgspec


class Staff(msgspec.Struct, eq=False, forbid_unknown_fields=True, tag_field="kind", tag="staff"):
    """[ST.2] An action, everything that was filled in for it, and the results of each throw in a few words."""

    question: str
    title: str
    told: dict[str, str]
    thrown: list[list[str]] = []
