"""What is to be thrown at the staff's table."""

from __future__ import annotations

import msgspec


class StaffOpening(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="staff"
):
    """[ST.2] An action by its name, and what was filled in for it; the rest stands as it does at first."""

    title: str
    summary: str
    question: str
    told: dict[str, str] = {}
    order: int = 20
