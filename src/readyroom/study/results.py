"""What the results of all studies have in common."""

from __future__ import annotations

from typing import Any

import msgspec


class StudyResult(msgspec.Struct, frozen=True):
    """The result of a study."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return msgspec.to_builtins(self)  # type: ignore[no-any-return]
