"""The worked examples of the optional rules (section 15), by rule number."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, table
from tests.games.doolittle.plan_helpers import planner

from readyroom.games.doolittle.figures.common import MONTHS
from readyroom.games.doolittle.planning import incidents
from readyroom.games.doolittle.planning.blotter import CHITS


@pytest.mark.rule("doolittle", "15.1")
def test_15_1_eight_four_four_and_two_chits_go_into_the_cup() -> None:
    state = planner("january", incidents="yes")
    state.cups[CHITS].contents, seen = [], []
    drawn = {"january": "blast", "february": "9066", "march": "rangoon", "april": "ceylon"}
    for month in MONTHS:
        key = next(key for key, kind in DATA.incidents.chits.markers.items() if kind == drawn[month] and month in key)
        incidents.begin_month(table(state, 6, draws=[key]), month)
        seen.append(len(state.cups[CHITS].contents) + len(state.notes.chits))
    assert seen == [8, 12, 16, 18]
