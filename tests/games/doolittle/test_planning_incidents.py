"""[15.1] Tests of incidents: chits by month, and their effects."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.games.doolittle.helpers import DATA, log_text, raiders, run, table
from tests.games.doolittle.plan_helpers import OFF, SAILED, planned, planner

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import At
from readyroom.games.doolittle.denouement.treks import trek_check
from readyroom.games.doolittle.figures.common import MONTHS, Month
from readyroom.games.doolittle.planning import april, china, diplomacy, incident_effects, incidents, january
from readyroom.games.doolittle.planning.blotter import CHITS
from readyroom.games.doolittle.sequence import after_planning
from readyroom.games.doolittle.state import Doolittle, T
from readyroom.games.doolittle.voyage.state import Plan

KINDS = DATA.incidents.chits.markers


def _state(month: Month = "february", *held: str) -> Doolittle:
    """Return a campaign with incidents in a month; all chits up to it are in the cup, except those held."""
    state = planner(month, incidents="yes")
    for before in MONTHS[: MONTHS.index(month)]:
        state.cups[CHITS].contents += state.cups[f"{CHITS}-{before}"].contents
        state.cups[f"{CHITS}-{before}"].contents = []
    for kind in held:
        _take(state, kind)
    return state


def _take(state: Doolittle, kind: str) -> None:
    cups = [cup for name, cup in state.cups.items() if name.startswith(CHITS)]
    cup, chit = next((cup, one) for cup in cups for one in cup.contents if KINDS[one.key] == kind)
    cup.contents.remove(chit)
    state.out.append(chit)
    state.notes.chits.append(kind)


def _drawn(state: Doolittle, kinds: Sequence[str], *dice: int) -> T:
    """Begin the month, draw these chits, and return the table."""
    keys = list[str]()
    for kind in kinds:
        cups = [cup for name, cup in state.cups.items() if name.startswith(CHITS)]
        keys.append(
            next(one.key for cup in cups for one in cup.contents if KINDS[one.key] == kind and one.key not in keys)
        )
    at = table(state, *dice, draws=keys)
    incidents.begin_month(at, state.notes.month)
    return at


# -- drawing ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "15.0", "15.1", "15.1.1")
def test_incident_draw_keeps_one_chit_per_month() -> None:
    state = _state("january")
    at = _drawn(state, ["blast"], 2)
    assert "The carrier limps home." in log_text(at, "15.1.2.C")
    assert state.notes.chits == ["blast"]
    assert len(state.cups[CHITS].contents) == 7
    assert [KINDS[one.key] for one in state.out] == ["blast"]


@pytest.mark.rule("doolittle", "15.1.1", "DR98")
def test_incident_draw_of_held_kind_draws_again() -> None:
    state = _state("february", "shanghai")
    _drawn(state, ["shanghai", "9066"])
    assert state.notes.chits == ["shanghai", "shanghai", "9066"]


@pytest.mark.rule("doolittle", "15.1.1")
def test_incident_draw_from_empty_cup_draws_none() -> None:
    state = _state("march")
    for cup in (CHITS, f"{CHITS}-march"):
        state.cups[cup].contents = []
    assert not incidents.begin_month(table(state), "march")
    assert state.notes.chits == []


@pytest.mark.rule("doolittle", "15.1")
def test_incidents_without_option_do_nothing() -> None:
    state = planner("january")
    assert not incidents.begin_month(table(state), "january")
    assert CHITS not in state.cups


# -- effects ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "15.1.2", "15.1.2.A")
def test_order_9066_has_no_effect() -> None:
    state = _state("february")
    at = _drawn(state, ["9066"])
    assert "Order 9066" in log_text(at, "15.1.2.A")
    assert incident_effects.chits_held(state, "9066") == 1


@pytest.mark.rule("doolittle", "15.1.2.B")
@pytest.mark.parametrize(
    ("dice", "grounded", "first"),
    [((1, 2), False, "fights on"), ((1, 3), True, "fights on"), ((4,), False, "gets away")],
)
def test_macarthur_escapes_or_is_captured_by_roll(dice: tuple[int, ...], grounded: bool, first: str) -> None:
    state = _state("january")
    assert f"MacArthur {first}" in log_text(_drawn(state, ["bataan"], dice[0]), "15.1.2.B")
    state.at = At(3, "march")
    state.notes.month = "march"
    at = _drawn(state, ["bataan", "rangoon"], *dice[1:])
    assert incident_effects.is_grounded(at, "e01") is grounded
    assert incident_effects.incident_happened(state, "macarthur-escaped") is not grounded
    assert ("Doolittle may not fly" in log_text(at), "slips out" in log_text(at)) == (grounded, dice == (1, 2))
    assert not incident_effects.is_grounded(at, "e02")


@pytest.mark.rule("doolittle", "15.1.2.B")
@pytest.mark.parametrize(("die", "off"), [(2, False), (3, True)])
def test_joint_chiefs_decide_after_two_each_of_three_kinds(die: int, off: bool) -> None:
    state = _state("march", "wake", "wake", "rabaul", "rabaul", "bataan")
    state.notes.turns = ["macarthur-escaped"]
    at = _drawn(state, ["bataan"] if off else ["bataan", "9066"], die)
    assert state.called_off is off
    assert ("The raid is called off" in log_text(at, "15.1.2.B")) is off
    assert state.facts.get("called-off", 0) == off


@pytest.mark.rule("doolittle", "15.1.2.B", "15.1.2")
def test_joint_chiefs_ignore_raid_already_called_off() -> None:
    state = _state("march", *["wake", "rabaul", "bataan"] * 2)
    state.call_off()
    incidents._joint_chiefs(table(state))
    assert state.notes.turns == []


@pytest.mark.rule("doolittle", "15.1.2.C", "DR98")
def test_blast_blocks_navy_talks_for_the_month() -> None:
    state = _state("february")
    at = _drawn(state, ["blast"], 1)
    assert not diplomacy.may_ask(at, "nimitz")
    state.notes.month = "march"
    at = _drawn(state, ["9066"])
    assert diplomacy.may_ask(at, "nimitz")


@pytest.mark.rule("doolittle", "15.1.2.D")
def test_ceylon_victory_lowers_risk_at_sailing() -> None:
    state = _state("april", "ceylon")
    _drawn(state, ["ceylon", "9066"], 6, 2)
    state.security.risk = 12
    incidents.apply_at_sailing(table(state))
    assert state.security.risk == 7
    state.security.risk = 3
    incidents.apply_at_sailing(table(state))
    assert state.security.risk == 0


@pytest.mark.rule("doolittle", "15.1.2.D")
def test_ceylon_victory_may_draw_wake() -> None:
    state = _state("april", "ceylon", "blast")
    state.cups[CHITS].contents.sort(key=lambda one: KINDS[one.key] == "wake")
    _drawn(state, ["ceylon", "9066"], 6, 1)
    assert state.notes.chits == ["ceylon", "blast", "ceylon", "wake", "9066"]
    assert incident_effects.incident_happened(state, "wake-after-blast")


@pytest.mark.rule("doolittle", "15.1.2.D", "15.1.1", "DR139")
def test_ceylon_extra_chit_draws_no_further_chit() -> None:
    state = _state("april", "ceylon", "wake")
    _drawn(state, ["ceylon", "9066"], 6, 1, 2)
    assert state.notes.chits == ["ceylon", "wake", "ceylon", "wake", "9066"]


@pytest.mark.rule("doolittle", "15.1.2.D")
def test_ceylon_roll_of_five_is_defeat() -> None:
    state = _state("april", "ceylon")
    at = _drawn(state, ["ceylon", "9066"], 5)
    assert "beaten" in log_text(at, "15.1.2.D")


@pytest.mark.rule("doolittle", "15.1.2.E")
def test_quit_india_blocks_supplies_and_second_is_permanent() -> None:
    state, asked = _state("march"), list[Decision]()
    at = _drawn(state, ["quit-india"])
    state.talks.granted, state.sky.beacons = ["stilwell"], {"kian": 0}
    run(china.supply_china(at), {}, asked)
    assert len(asked) == 1
    assert asked[0].keys[0].startswith("prepare-")
    state.notes.month = "april"
    _drawn(state, ["9066"])
    assert not incident_effects.supplies_blocked(state)
    state.notes.chits.append("quit-india")
    state.notes.earlier = len(state.notes.chits)
    assert incident_effects.supplies_blocked(state)


@pytest.mark.rule("doolittle", "13.2.3", "15.1.2.E")
def test_quit_india_without_prepared_sites_logs_nothing() -> None:
    state = _state("march", "quit-india")
    state.talks.granted, state.sky.beacons = ["stilwell"], {}
    at = table(state)
    run(china.supply_china(at))
    assert log_text(at) == ""


@pytest.mark.rule("doolittle", "15.1.2.F")
def test_rabaul_battle_lowers_navy_talks_by_three() -> None:
    state = _state("february")
    at = _drawn(state, ["rabaul"], 3, 5)
    assert dict(diplomacy.talk_check(at, "nimitz").modifiers) == {"the battle at Rabaul": -3}
    assert diplomacy.talk_check(at, "stilwell").modifiers == []
    assert "either side" in log_text(at)


@pytest.mark.rule("doolittle", "15.1.2.F", "13.5.1")
@pytest.mark.parametrize(("month", "first"), [("march", "turn-1"), ("april", "turn-6")])
def test_second_rabaul_adds_risk_and_delays_april_rendezvous(month: Month, first: str) -> None:
    state = _state(month, "rabaul")
    _drawn(state, ["rabaul", "9066"], 4)
    assert state.security.risk == 4
    asked: list[Decision] = []
    run(april.make_plan(table(state)), {}, asked)
    assert asked[1].keys[0] == first


@pytest.mark.rule("doolittle", "15.1.2.F", "13.5.1")
def test_two_rabaul_battles_before_april_do_not_delay() -> None:
    state = _state("april", "rabaul", "rabaul")
    state.notes.earlier = len(state.notes.chits)
    assert incident_effects.earliest_rendezvous(table(state)) == 0


@pytest.mark.rule("doolittle", "15.1")
def test_incidents_without_planning_have_not_happened() -> None:
    assert not incident_effects.incident_happened(raiders(), "wake-lost")
    assert not incident_effects.drawn_this_month(raiders(), "blast")


@pytest.mark.rule("doolittle", "15.1.2.F", "15.1.2.G", "15.1.2.H")
def test_single_chits_have_no_combined_effect() -> None:
    state = _state("april", "rangoon", "rabaul", "shanghai", "shanghai")
    state.notes.earlier = 0
    assert not incident_effects.supplies_blocked(state)
    assert incident_effects.earliest_rendezvous(table(state)) == 0
    assert not incident_effects.forbids(state, "thompson")


@pytest.mark.rule("doolittle", "15.1.2.G")
def test_rangoon_with_quit_india_blocks_supplies_permanently() -> None:
    state = _state("april", "quit-india")
    assert not incident_effects.supplies_blocked(state) or incident_effects.drawn_this_month(state, "quit-india")
    _drawn(state, ["rangoon"])
    state.notes.earlier = len(state.notes.chits)
    assert incident_effects.supplies_blocked(state)


@pytest.mark.rule("doolittle", "15.1.2.H", "13.2.4")
def test_shanghai_roll_of_two_takes_one_site() -> None:
    state = _state("march")
    state.sky.beacons, state.sky.stock = {"lishui": 0, "kian": 0}, {"lishui": 5}
    _drawn(state, ["shanghai"], 2, 3, 4)
    assert (state.sky.taken, list(state.sky.beacons), state.sky.stock) == (["lishui"], ["kian"], {})


@pytest.mark.rule("doolittle", "15.1.2.H", "DR124")
def test_shanghai_roll_of_one_takes_two_sites_and_all_beacons() -> None:
    state = _state("march")
    state.sky.beacons = {"kweilin": 0, "kian": 0}
    _drawn(state, ["shanghai"], 1, 3, 4, 3, 4, 4, 5)
    assert (state.sky.taken, state.sky.beacons) == (["lishui", "yushan"], {})
    state.talks.granted = ["stilwell"]
    asked: list[Decision] = []
    run(china.supply_china(table(state)), {}, asked)
    assert asked[0].keys == ["prepare-chuchow", "prepare-kian", "prepare-kweilin", "prepare-none"]


@pytest.mark.rule("doolittle", "15.1.2.H", "DR124")
@pytest.mark.parametrize("stands", [True, False])
def test_shanghai_logs_beacon_loss_only_with_beacons(*, stands: bool) -> None:
    state = _state("march")
    state.sky.beacons = {"kweilin": 0} if stands else {}
    text = log_text(_drawn(state, ["shanghai"], 1, 3, 4, 4, 5), "15.1.2.H")
    assert ("All beacons in China are gone." in text) is stands


@pytest.mark.rule("doolittle", "15.1.2.H", "DR123")
def test_shanghai_on_lost_site_rolls_again() -> None:
    state = _state("march")
    state.sky.taken = ["lishui"]
    _drawn(state, ["shanghai"], 2, 3, 4, 4, 5)
    assert state.sky.taken == ["lishui", "yushan"]


@pytest.mark.rule("doolittle", "15.1.2.H", "DR123")
def test_shanghai_with_all_sites_lost_rolls_once() -> None:
    state = _state("march")
    state.sky.taken = lost = [site.key for site in DATA.flight.sites_in("china")]
    _drawn(state, ["shanghai"], 2, 3, 4)
    assert state.sky.taken == lost


@pytest.mark.rule("doolittle", "15.1.2.H", "14.4.3")
def test_second_shanghai_ends_china_talks_and_hinders_treks() -> None:
    state = _state("march", "shanghai")
    path = next(route for route in DATA.denouement.routes.route if route.trek)
    at = table(state)
    assert (diplomacy.may_ask(at, "stilwell"), trek_check(at, path).modifiers) == (True, [])
    at = _drawn(state, ["shanghai", "9066"])
    assert (diplomacy.may_ask(at, "stilwell"), trek_check(at, path).modifiers) == (False, [("Shanghai", -2)])
    assert not state.sky.taken


@pytest.mark.rule("doolittle", "15.1.2.H")
@pytest.mark.parametrize(("granted", "off"), [([], True), (["thompson"], False)])
def test_third_shanghai_calls_raid_off_without_stalin(granted: list[str], off: bool) -> None:
    state = _state("april", "shanghai", "shanghai", "shanghai")
    state.at = At(4, "security")
    state.talks.granted = granted
    state.plan, state.security.value = Plan(), 0
    april.compute_security(table(state, *[1] * 8))
    assert state.called_off is off
    assert after_planning(state) == At(5, "debriefing" if off else "general-quarters")


@pytest.mark.rule("doolittle", "15.1.2.B", "13.1")
def test_raid_called_off_in_january_asks_nothing_more() -> None:
    state, asked = _state("january", "wake", "wake", "rabaul", "rabaul", "bataan"), list[Decision]()
    state.notes.turns = ["macarthur-escaped"]
    cups = [cup for name, cup in state.cups.items() if name.startswith(CHITS)]
    second = next(one for cup in cups for one in cup.contents if KINDS[one.key] == "bataan")
    state.cups[f"{CHITS}-january"].contents = [second]
    run(january.january(table(state, 3, draws=[second.key])), {}, asked)
    assert (state.called_off, asked) == (True, [])


@pytest.mark.rule("doolittle", "15.1.2.I", "DR99")
def test_wake_after_blast_lowers_navy_talks() -> None:
    state = _state("february", "blast")
    at = _drawn(state, ["wake"])
    assert dict(diplomacy.talk_check(at, "nimitz").modifiers) == {"Wake": -3}
    state = _state("february", "wake")
    at = _drawn(state, ["blast"], 1)
    assert diplomacy.talk_check(at, "nimitz").modifiers == []


@pytest.mark.rule("doolittle", "15.1.2.I")
def test_second_wake_in_later_month_may_add_risk() -> None:
    state = _state("february", "wake")
    _drawn(state, ["wake", "9066"], 3, 4, 5)
    assert state.security.risk == 9
    state = _state("january")
    _drawn(state, ["wake"])
    at = _drawn(state, ["rabaul"], 2)
    assert state.security.risk == 0
    assert "raided" in log_text(at)


@pytest.mark.rule("doolittle", "15.1.2.I")
def test_two_wakes_in_one_month_count_once() -> None:
    state = _state("february", "blast")
    state.notes.earlier = 1
    at = table(state)
    state.notes.chits += ["wake", "wake"]
    incidents.EFFECTS["wake"](at, 2)
    assert state.security.risk == 0


@pytest.mark.rule("doolittle", "15.1.2.I")
@pytest.mark.parametrize(("die", "weight"), [(2, {}), (1, {"the defeat at Wake": -5})])
def test_wake_invasion_clears_risk(die: int, weight: dict[str, int]) -> None:
    state = _state("march", "wake", "wake")
    state.security.risk = 8
    at = _drawn(state, ["wake", "9066"], die)
    assert state.security.risk == 0
    assert ("Wake is retaken;" in log_text(at, "15.1.2.I")) is (not weight)
    assert dict(diplomacy.talk_check(at, "nimitz").modifiers) == weight


@pytest.mark.rule("doolittle", "15.1.2.I")
def test_fourth_wake_after_retaking_may_call_raid_off() -> None:
    state = _state("march", "wake", "wake", "wake")
    _drawn(state, ["wake", "9066"])
    assert not state.called_off
    state = _state("march", "wake", "wake", "wake")
    state.notes.turns = ["wake-won"]
    _drawn(state, ["wake"], 4)
    assert state.called_off


@pytest.mark.rule("doolittle", "15.1.2.I", "13.2.5")
def test_fourth_wake_may_end_navy_support() -> None:
    state = _state("march", "wake", "wake", "wake")
    state.notes.turns, state.talks.granted, state.talks.submarines = ["wake-won"], ["nimitz"], 3
    state.security.risk = 9
    at = _drawn(state, ["wake", "9066"], 5)
    assert (state.talks.granted, state.talks.submarines, state.security.risk) == ([], 0, 0)
    assert not diplomacy.may_ask(at, "nimitz")


@pytest.mark.torture(3)
@pytest.mark.rule("doolittle", "15.1")
def test_playouts_with_incidents_mostly_sail() -> None:
    ends = [planned(f"incidents {number}", "doctrine", incidents="yes").outcome for number in range(60)]
    titles = [one.title for one in ends if one]
    assert titles.count(SAILED) > titles.count(OFF)
