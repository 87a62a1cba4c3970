"""The state of an air war."""

from __future__ import annotations

import msgspec


class War(msgspec.Struct, eq=False, forbid_unknown_fields=True, tag_field="kind", tag="war"):
    """An air war."""
