"""The state of a calculator match."""

from __future__ import annotations

import msgspec


class Staff(msgspec.Struct, eq=False, forbid_unknown_fields=True, tag_field="kind", tag="staff"):
    """[ST.2] An action, its inputs (`told`), and the described results of each roll (`thrown`)."""

    question: str
    title: str
    told: dict[str, str]
    thrown: list[list[str]] = []
