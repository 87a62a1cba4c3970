"""How a terminal shows the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

def board(view):
    print(list(view), list(view["table"]) if "table" in view else "")
    return "x"

def layout(view):
    print("L", list(view))
    return {"night": 3}
