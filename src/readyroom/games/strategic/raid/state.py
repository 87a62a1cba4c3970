"""The state of an air raid."""

from __future__ import annotations

import msgspec


class Raid(msgspec.Struct, eq=False, forbid_unknown_fields=True, tag_field="kind", tag="raid"):
    """An air raid."""
