"""How an air raid begins."""

from __future__ import annotations

import msgspec


class RaidOpening(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="raid"):
    """The scenario of an air raid on Pearl Harbor."""

    title: str
    summary: str
    order: int = 10
