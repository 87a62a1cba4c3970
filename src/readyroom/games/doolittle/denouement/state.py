"""[14.0] The denouement: crews on their way, and the debriefing's rolls."""

from __future__ import annotations

from typing import Literal

import msgspec


class DenouementState(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[14.0] What is still to be resolved, and the results of the debriefing's checks (step by check).

    `homeward` are the groups that have still to sail home (the task force is `task-force`), and `repairs` counts the
    groundcrews' repairs at each site. `soviet` is the fate of those at Vladivostok: they were let go, will be
    released in time (`starred`: unless the alliances are too bad for it), or are interned to the end.
    """

    homeward: list[str] = []
    repairs: dict[str, int] = msgspec.field(default_factory=dict, name="mended")
    soviet: Literal["", "free", "released", "starred", "interned"] = ""
    checks: dict[str, int] = {}
