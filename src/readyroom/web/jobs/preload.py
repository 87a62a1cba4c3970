"""Imports everything that workers need, in the process from which they are forked, so that a new one starts at once."""

from __future__ import annotations

from readyroom.bots import analysis as analysis
from readyroom.bots import turns as turns
from readyroom.engine.game import load_all_games
from readyroom.study import review as review
from readyroom.study import what_if as what_if
from readyroom.web.jobs import workers as workers

for _ in load_all_games():
    pass
