"""[1.0 to 1.10] Tests of the game's components: segments, scale, map, cards and markers."""

from __future__ import annotations

import pytest
from tests.games.doolittle.raid_helpers import DATA

from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.charts.attack import charts
from readyroom.games.doolittle.figures.ending import SEGMENTS
from readyroom.games.doolittle.sequence import PHASES, scenario_phases
from readyroom.games.doolittle.state import Doolittle


def _put_up(scenario: str) -> Doolittle:
    return GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve({}))


@pytest.mark.rule("doolittle", "1.0", "1.1")
def test_campaign_has_all_segments_and_other_scenarios_some() -> None:
    begun = {one.key: DATA.scenarios[one.key].segments for one in GAME.rules.scenarios(DATA)}
    assert begun["campaign"] == list(SEGMENTS)
    first = [segments[0] for segments in begun.values()]
    assert first == ["attack"] * 6 + ["flight"] * 2 + ["naval", "planning"]
    assert {phase.name for phase in scenario_phases(GAME.scenario("campaign"))} == {phase.name for phase in PHASES}


@pytest.mark.rule("doolittle", "1.5")
def test_bomber_crew_is_five_and_flight_turn_two_hours() -> None:
    assert DATA.bombers.crew.men == 5
    assert DATA.flight.clock.hours * len(DATA.flight.clock.box) == 24
    assert DATA.sea.turns.turn[0] == "2-5 April"


@pytest.mark.rule("doolittle", "1.6", "1.7")
def test_view_has_only_the_maps_its_scenario_needs() -> None:
    whole = GAME.rules.view(_put_up("campaign"), DATA, "captain")
    assert set(whole.targets) == set(DATA.targets.maps)
    assert [zone.key for zone in whole.air.zones] == list(DATA.flight.order)
    assert whole.blotter is not None
    over_tokyo = GAME.rules.view(_put_up("capital"), DATA, "captain")
    assert set(over_tokyo.targets) == {"tokyo"}
    assert (over_tokyo.air, over_tokyo.blotter, over_tokyo.voyage) == (None, None, None)


@pytest.mark.rule("doolittle", "1.8")
def test_charts_cover_the_letter_of_every_segment() -> None:
    letters = {chart.id[0] for chart in charts(DATA)}
    assert set("AFNPDXE") <= letters


@pytest.mark.rule("doolittle", "1.10")
def test_marker_kinds_cite_existing_rules() -> None:
    numbers = {rule.number for rule in GAME.rulebook.rule}
    for kinds in (DATA.hazards.kinds.kind, DATA.flight_hazards.kinds.kind, DATA.sea_hazards.kinds.kind):
        assert {kind.rule for kind in kinds.values()} <= numbers
    assert {kind.rule for kind in DATA.incidents.chits.kind.values()} <= numbers
