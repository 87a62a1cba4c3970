"""Imports everything that workers need, in the process from which they are forked, so that a new one starts at once."""

from __future__ import annotations

import os
from importlib import import_module

from readyroom.engine.game import load_all_games

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), "1")

for name in (
    "readyroom.bots.turns",
    "readyroom.web.jobs.tasks",
    "readyroom.study.studies",
    "readyroom.study.notebook_report",
):
    import_module(name)
for _ in load_all_games():
    pass
