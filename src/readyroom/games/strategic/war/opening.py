"""How the war begins."""

from __future__ import annotations

import msgspec


class WarOpening(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="war"):
    """The scenario of the war on Pearl Harbor."""

    title: str
    summary: str
    order: int = 10
