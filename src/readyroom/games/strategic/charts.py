"""The charts of the game, made from its figures."""

from __future__ import annotations

from readyroom.engine.charts import Chart
from readyroom.games.strategic.figures import Data


def charts(data: Data) -> list[Chart]:
    return list(data.tables.chart)
