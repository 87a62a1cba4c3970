"""The scenario of a calculator match."""

from __future__ import annotations

import msgspec


class StaffOpening(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="staff"
):
    """[ST.2] An action and the values entered for it; the rest have their defaults."""

    title: str
    summary: str
    question: str
    told: dict[str, str] = {}
    order: int = 20
