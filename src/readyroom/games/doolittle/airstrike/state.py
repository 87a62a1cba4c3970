"""[11.0] An airstrike that is continuing."""

from __future__ import annotations

from typing import Literal

import msgspec


class Strike(msgspec.Struct, eq=False, forbid_unknown_fields=True):
    """[11.0] An airstrike: its target, who of ours was sent against it, which planes come.

    `found` is what was discovered; `group` the detached group or the submarine that is attacked (empty: the task
    force); `waves` are the planes that have still to attack.
    """

    found: Literal["recon", "task-force", "submarine", "group"]
    group: str = ""
    navy: list[str] = []
    waves: list[list[str]] = []
