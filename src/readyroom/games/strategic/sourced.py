"""Figures that say where they come from."""

from __future__ import annotations

import msgspec

from readyroom.engine.charts import Source


class Sourced(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of figures, with where they come from."""

    source: Source
    origin: str
