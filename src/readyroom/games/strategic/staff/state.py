"""The state of an air staff."""

from __future__ import annotations

import msgspec


class Staff(msgspec.Struct, eq=False, forbid_unknown_fields=True, tag_field="kind", tag="staff"):
    """An air staff."""
