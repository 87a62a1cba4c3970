"""Tests of the captain's choices over a city: order of areas when the cup runs out, and of hazards."""

from __future__ import annotations

import pytest
from tests.games.doolittle.raid_helpers import DATA, bomber, log_text, marker, over, play_phase, rules_asked, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.attack import bombing
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.state import Doolittle

BOX = "nippon-electric"


@pytest.mark.rule("doolittle", "4.2", "4.2.2", "DR13")
@pytest.mark.parametrize(("left", "asks"), [(1, True), (9, False)])
def test_place_captain_orders_areas_when_the_cup_runs_out(left: int, *, asks: bool) -> None:
    state = over(phase="place", alert=2)
    bomber(state, "b01", "tokyo-north")
    bomber(state, "b02", "tokyo-east")
    state.cups["tokyo-day"].contents = state.cups["tokyo-day"].contents[:left]
    reserve = DATA.hazards.reserve.cup
    draws = [one.key for one in (*state.cups["tokyo-day"].contents, *state.cups[reserve].contents)]
    asked, at = list[Decision](), table(state, draws=draws)
    play_phase(at, {"4.2": "area-tokyo-east"}, asked)
    assert rules_asked(asked) == ["4.2"] * asks
    own = [key for key, area in state.city.areas.items() for one in area.markers if one.cup == "tokyo-day"]
    assert own[:1] == (["tokyo-east"] if asks else ["tokyo-north"])


def _in_box(state: Doolittle) -> tuple[Bomber, Marker, Marker]:
    """Return a damaged bomber in front of a box with known flak and balloons."""
    gray = bomber(state, "b03", "tokyo-east", hits=1)
    flak = marker(state, "flak", revealed=True, low=5, high=6, stay=False)
    balloons = marker(state, "balloons", revealed=True, box=True)
    state.city.areas["tokyo-east"].boxes[BOX].markers = [flak, balloons]
    return gray, flak, balloons


@pytest.mark.rule("doolittle", "4.8.2", "DR147")
@pytest.mark.parametrize("first", [1, 2])
def test_box_hazards_attack_in_the_captains_order(first: int) -> None:
    state = over(phase="approach")
    gray, *waiting = _in_box(state)
    dice = (2, 3) if first == 1 else (1,)
    asked = list[Decision]()
    run(bombing._resolve_approach(table(state, 6, 6, *dice), gray, BOX), {"4.6.1": f"first-{first}"}, asked)
    assert (gray.fate, len(asked)) == ("destroyed", 1)
    assert waiting[2 - first] in state.city.areas["tokyo-east"].boxes[BOX].markers, "the other still waits there"


@pytest.mark.rule("doolittle", "4.6.1", "12.6.6.G", "DR147")
def test_hazards_order_is_asked_of_a_bomber_with_medals() -> None:
    state = over("tokyo")
    gray = bomber(state, "b03", "tokyo-east")
    gray.assigned = [marker(state, "panicked-streets"), marker(state, "break-off")]
    asked = list[Decision]()
    play_phase(table(state), asked=asked)
    assert asked == []
    gray.assigned = [marker(state, "panicked-streets"), marker(state, "break-off")]
    medals = next(key for key, card in DATA.sea_hazards.markers.items() if card.kind == "medals")
    gray.markers = [Marker(key=medals, shown=True)]
    at = table(state)
    play_phase(at, asked=asked)
    assert (rules_asked(asked), asked[0].keys) == (["4.6.1"], ["first-1", "first-2"])
    assert "break off" in log_text(at, "4.6.3.B")
