"""Tests of the start of an airstrike (rules 11.0 to 11.3): launches, and approaching planes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.games.doolittle.helpers import DATA, hints, log_text, run, table
from tests.games.doolittle.strike_helpers import hangar, struck
from tests.games.doolittle.voyage_helpers import hazard

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import RecordedDice
from readyroom.engine.rules.state import At
from readyroom.games.doolittle.sequence import AIRSTRIKE, next_phase
from readyroom.games.doolittle.voyage import hazard_effects
from readyroom.games.doolittle.voyage.airstrike import army, arrival, arrival_modifiers, navy
from readyroom.games.doolittle.voyage.general_quarters import general_quarters
from readyroom.games.doolittle.voyage.ships import ships_afloat
from readyroom.games.doolittle.voyage.state import Deck, Strike

FORCE = {"hornet": "center", "enterprise": "center", "vincennes": "ahead"}


@pytest.mark.rule("doolittle", "11.0", "DR56")
def test_steps_come_in_order_before_the_interrupted_phase() -> None:
    state = struck()
    names = [name for name, *_ in AIRSTRIKE]
    state.at = At(5, "sea-hazards")
    assert next_phase(state) == At(6, "strike-navy")
    for name, after in pairwise(names):
        state.at = At(6, name)
        assert next_phase(state) == At(6, after)
    state.at, state.strike = At(6, names[-1]), None
    assert next_phase(state) == At(7, "sea-hazards")
    state.segment = "denouement"
    assert next_phase(state) == At(7, "homeward")


@pytest.mark.rule("doolittle", "11.0", "6.3.1")
def test_planes_following_recon_attack_the_force_and_are_logged_once() -> None:
    state = struck(spotted="recon", **FORCE)
    state.strike, state.security.alert = None, 4
    state.sea.recon["ca-18"].place = "force"
    marker = next(one for one in state.cups["west"].contents if DATA.sea_hazards.markers[one.key].icon == "line")
    at = table(state, 1, 1, 1, 1, 1)
    hazard_effects.make_test(at, "ca-18", marker, "a ship")
    assert state.strike is not None
    run(navy(at))
    assert log_text(at, "11.0") == "Japanese planes are on their way to the task force."


@pytest.mark.rule("doolittle", "11.0.1")
def test_submarine_spotted_is_lost_without_an_airstrike() -> None:
    state = struck(spotted="submarine")
    state.strike = Strike("submarine", "trout")
    marker = state.cups["west"].contents.pop()
    state.sea.assigned["trout"] = [marker]
    at = table(state)
    run(navy(at))
    assert state.sea.submarines["trout"].lost
    assert log_text(at, "11.0.1").startswith("The Trout ")
    assert state.strike is None
    assert marker in state.cups["west"].contents
    state.at = At(6, "strike-navy")
    assert next_phase(state) == At(7, "sea-hazards")


@pytest.mark.rule("doolittle", "11.0.2")
def test_group_attacked_uses_the_layout_alone() -> None:
    state = struck(hornet="center")
    for key in ("gwin", "nashville", "grayson"):
        state.sea.ships[key].group = "group-1"
    state.sea.groups["group-1"] = "midway"
    state.strike = Strike("group", "group-1")
    run(navy(table(state)), {"11.0.2": "usual"})
    where = {ship.key: ship.space for ship in ships_afloat(state, "group-1")}
    assert where["nashville"] == "center"
    assert all(where.values())
    assert state.sea.ships["hornet"].space == "center"


@pytest.mark.rule("doolittle", "11.1", "10.2.2")
@pytest.mark.parametrize("how", ["away", "nobody", "fighters", "damaged", "distressed"])
def test_navy_without_a_sound_enterprise_and_a_squadron_is_not_asked(how: str) -> None:
    state = struck(**({"hornet": "center"} if how == "away" else FORCE))
    if how != "nobody":
        hangar(state, "vf6" if how == "fighters" else "vs6")
    if how == "damaged":
        state.sea.ships["enterprise"].hits = 1
    if how == "distressed":
        state.sea.recon["vs6"].markers = [state.cups["west"].contents.pop()]
    at = table(state)
    run(navy(at))
    assert log_text(at, "11.1.1") == ""


@pytest.mark.rule("doolittle", "11.1", "12.1.4")
def test_navy_does_not_launch_for_a_group_without_the_enterprise() -> None:
    state = struck(**FORCE)
    hangar(state, "vs6")
    state.sea.ships["gwin"].group, state.sea.groups["group-1"] = "group-1", "midway"
    state.strike = Strike("group", "group-1")
    at = table(state)
    run(navy(at), {"11.0.2": "usual"})
    assert log_text(at, "11.1.1") == ""
    assert log_text(at, "11.0") == "Japanese planes are on their way to ships that sail by themselves."
    assert [one.who for one in state.story if one.what == "airstrike"] == ["group-1"]


@pytest.mark.rule("doolittle", "11.1.1")
def test_navy_launches_on_a_twelve_only_if_the_force_was_met() -> None:
    state = struck(**FORCE)
    hangar(state, "vs6", "vb6")
    run(navy(table(state, 5, 6)))
    assert state.strike is not None
    assert state.strike.navy == []
    state = struck(**FORCE)
    hangar(state, "vs6", "vb6")
    run(navy(table(state, 6, 6)), {"11.1.1": ["vb6"]})
    assert state.strike is not None
    assert state.strike.navy == ["vb6"]
    assert state.sea.recon["vb6"].place == "strike"


@pytest.mark.rule("doolittle", "11.1.1", "12.1.6", "DR129")
def test_squadron_ready_since_this_turn_may_attack() -> None:
    state = struck("general-quarters", **FORCE)
    (scouts,) = hangar(state, "vs6")
    state.strike = None
    scouts.markers = [hazard(state, "distress")]
    run(general_quarters(table(state, 6, 6)))
    state.strike = Strike("task-force")
    run(navy(table(state, 6, 6)), {"11.1.1": ["vs6"]})
    assert state.strike.navy == ["vs6"]


@pytest.mark.rule("doolittle", "10.2.2", "11.1.1", "DR140")
def test_fighters_join_only_from_the_hangar() -> None:
    for place, asked_for in (("hangar", True), ("low-cap", False), ("defense-east", False), ("local", False)):
        state = struck(spotted="recon", **FORCE)
        hangar(state, "vs6", vf6=place)
        asked: list[Decision] = []
        run(navy(table(state, 3, 4)), {"11.1.1": "escort"}, asked)
        assert state.strike is not None
        assert ("vf6" in state.strike.navy) == asked_for
        assert len(asked) == asked_for


@pytest.mark.rule("doolittle", "11.2")
@pytest.mark.parametrize("how", ["damaged", "launched", "home", "burned", "stays"])
def test_army_does_not_launch_if_deck_damaged_or_launched_or_declined(how: str) -> None:
    state = struck("strike-army", **FORCE)
    if how == "damaged":
        state.sea.ships["hornet"].hits = 1
    if how == "launched":
        for bomber in state.squad.values():
            bomber.fate = "ashore"
    if how == "burned":
        state.sea.burned = state.sea.turn
    if how == "home":
        state.segment = "denouement"
    asked: list[Decision] = []
    run(army(table(state)), {"11.2": "stay"}, asked)
    assert (len(asked), state.deck) == (int(how == "stays"), None)
    assert [hints(one)["launch"] for one in asked] == [pytest.approx(30 / 36)] * len(asked)


@pytest.mark.rule("doolittle", "11.2")
def test_army_does_not_launch_for_a_detached_group() -> None:
    state = struck("strike-army", **FORCE)
    state.strike = Strike("group", "group-1")
    asked: list[Decision] = []
    run(army(table(state)), {"11.2": "stay"}, asked)
    assert asked == []


@pytest.mark.rule("doolittle", "11.2.1", "DR57")
def test_bombers_not_launched_in_time_wait_for_the_end() -> None:
    state = struck("strike-army", **FORCE)
    run(army(table(state, 1, 1)), {"11.2": "launch"})
    assert isinstance(state.deck, Deck)
    assert (state.deck.strike, state.deck.gone) == (True, [])


@pytest.mark.rule("doolittle", "11.2.1")
def test_bombers_may_all_launch_in_time() -> None:
    state = struck("strike-army", spotted="recon", **FORCE)
    run(army(table(state, 5, 5, *[6] * 12)), {"11.2": "launch"})
    assert state.deck is not None
    assert sum(len(off.members) for off in state.deck.gone) == 16


@pytest.mark.rule("doolittle", "11.3")
@pytest.mark.parametrize(
    ("area", "added"),
    [
        *(
            ("japan", {}),
            ("defense-east", {}),
            ("influence-west", {"middle distance": 2}),
            ("midway", {"middle distance": 2}),
        ),
        *(("hawaii", {"far east": 4}), ("pacific", {"far east": 4})),
    ],
)
def test_airstrike_farther_east_is_smaller(area: str, added: dict[str, int]) -> None:
    state = struck("strike-arrival", area=area, **FORCE)
    assert dict(arrival_modifiers(table(state))) == added
    assert state.strike is not None
    state.strike.navy = ["vs6"]
    assert dict(arrival_modifiers(table(state)))["counterstrike"] == 1


@pytest.mark.rule("doolittle", "11.3", "11.3.1", "DR59")
@pytest.mark.parametrize(
    ("cap", "waves"),
    [
        ("hangar", [["fighter", "torpedo", "dive"], ["torpedo", "dive"], ["dive"]]),
        ("low-cap", [["fighter", "torpedo", "dive"], ["dive"], ["dive"]]),
        ("high-cap", [["torpedo", "dive"], ["dive"]]),
    ],
)
def test_airstrike_size_depends_on_the_cap_and_comes_in_waves(cap: str, waves: list[list[str]]) -> None:
    state = struck("strike-arrival", **FORCE)
    hangar(state, vf6=cap)
    run(arrival(table(state, 4, 4)))
    assert state.strike is not None
    assert state.strike.waves == waves


@pytest.mark.rule("doolittle", "11.3.1")
def test_airstrike_without_planes_is_a_false_alarm() -> None:
    state = struck("strike-arrival", area="hawaii", **FORCE)
    at = table(state, 6, 5)
    run(arrival(at))
    assert state.strike is not None
    assert (state.strike.waves, "false alarm" in log_text(at, "11.3.1")) == ([], True)


@pytest.mark.rule("doolittle", "11.3")
def test_group_has_a_choice_of_cap_only_with_a_sound_enterprise() -> None:
    state = struck("strike-arrival", hornet="center")
    for key in ("enterprise", "gwin"):
        state.sea.ships[key].group = "group-1"
    state.sea.groups["group-1"] = "japan"
    state.strike = Strike("group", "group-1")
    asked: list[Decision] = []
    at = table(state, 4, 4)
    run(arrival(at), {"11.3": "high-cap"}, asked)
    assert isinstance(at.dice, RecordedDice)
    assert any("group-1" in event for event in at.dice.remembered)
    assert asked[0].keys == ["low-cap", "high-cap", "hangar"]
    assert state.strike.waves == [["torpedo", "dive"], ["dive"]]
    state.sea.ships["enterprise"].hits = 1
    run(arrival(table(state, 4, 4)), None, asked)
    assert (len(asked), len(state.strike.waves)) == (1, 3)
