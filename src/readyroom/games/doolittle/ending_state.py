"""[14.0] The denouement: crews on their way, and what the debriefing threw for."""

from __future__ import annotations

import msgspec


class Ending(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[14.0] What is still to be looked into, and how the checks of the debriefing came out (step by check)."""

    homeward: list[str] = []
    checks: dict[str, int] = {}
