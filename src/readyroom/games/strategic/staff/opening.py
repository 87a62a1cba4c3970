"""How the staff begins."""

from __future__ import annotations

import msgspec


class StaffOpening(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="staff"
):
    """The scenario of the staff on Pearl Harbor."""

    title: str
    summary: str
    order: int = 10
