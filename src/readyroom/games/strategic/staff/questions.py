"""The questions."""

from __future__ import annotations

from collections.abc import Mapping

from readyroom.engine.desk import OddsQuestion
from readyroom.games.strategic.figures import Data


def questions(data: Data) -> Mapping[str, OddsQuestion]:
    return {}
