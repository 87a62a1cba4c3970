"""[12.6] Tests of hazards met by patrols at sea."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, hints, log_text, rules_asked, run, table
from tests.games.doolittle.voyage_helpers import TASK_FORCE, at_sea, fast, hazard, join, met_by, sea, ship, signals

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import RecordedDice
from readyroom.games.doolittle.figures.common import Weather
from readyroom.games.doolittle.planning import blotter, china
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage import hazards as sea_hazards
from readyroom.games.doolittle.voyage import i_boats, view
from readyroom.games.doolittle.voyage.hazard_effects import resolve, sink_check, unseen_check
from readyroom.games.doolittle.voyage.hazards import draw_counts, hazards
from readyroom.games.doolittle.voyage.ships import hornet, in_contact, patrols, ships_afloat, sink_ship

PASSES, FAILS = (6, 6, 6, 6, 6), (1, 1, 1, 1, 1)


def at_hazards(area: str = "defense-east", weather: str = "calm", *, met: bool = False) -> Doolittle:
    return at_sea(area, weather, phase="sea-hazards", met=met)  # type: ignore[arg-type]


def strikes(state: Doolittle, patrol: str, kind: str, *dice: int, icon: str | None = None, cup: str = "", **answers):  # type: ignore[no-untyped-def]
    """Apply a hazard of a kind to a patrol; return the table, the questions and the marker."""
    marker = met_by(state, patrol, kind, icon, cup)
    at = table(state, *dice)
    asked: list[Decision] = []
    run(resolve(at, patrol, marker), {key.replace("_", "."): value for key, value in answers.items()}, asked)
    return at, asked, marker


def in_cup(state: Doolittle, marker: object) -> bool:
    return any(marker in cup.contents for cup in state.cups.values())


# -- drawing and sharing ---------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.6.1", "12.6.2")
def test_draw_counts_depend_on_weather_alert_failures_and_signals() -> None:
    state = at_hazards("japan")
    state.security.alert = 2
    signals(state, "japan", "midway")
    card = DATA.sea.area["japan"]
    assert list(draw_counts(table(state), card)) == [("west", 3), ("west", 2), ("west", 2)]
    hawaii = at_hazards("hawaii")
    assert list(draw_counts(table(hawaii), DATA.sea.area["hawaii"])) == [("east", 1)]
    hawaii.security.failed = 2
    assert list(draw_counts(table(hawaii), DATA.sea.area["hawaii"])) == [("east", 1), ("central", 1)]
    east = at_hazards("influence-east")
    for expected in ([("central", 2)], [("central", 2), ("central", 1)]):
        assert list(draw_counts(table(east), DATA.sea.area["influence-east"])) == expected
        signals(east, "hawaii")
    stormy = at_hazards("influence-west", "storm")
    assert list(draw_counts(table(stormy), DATA.sea.area["influence-west"])) == [("central", 1)]


@pytest.mark.rule("doolittle", "12.6.2")
def test_patrols_are_force_recon_and_contacted_submarines() -> None:
    state = at_hazards("japan", met=True)
    sea(state).recon["vs6"].place, sea(state).recon["vf6"].place = "force", "high-cap"
    sea(state).submarines["thresher"].contact = True
    assert patrols(state, "japan") == ["task-force", "vs6", "thresher"]
    sea(state).submarines["thresher"].lost = True
    assert patrols(state, "japan") == ["task-force", "vs6"]


@pytest.mark.rule("doolittle", "12.6.2")
def test_hazard_draw_from_short_cup_stops() -> None:
    state = at_hazards("japan")
    state.cups["west"].contents = state.cups["west"].contents[:1]
    key = state.cups["west"].contents[0].key
    at = table(state, draws=[key])
    sea_hazards._draw(at, DATA.sea.area["japan"])
    assert [one.key for one in sea(state).undealt] == [key]
    assert log_text(at, "12.6.2") == "Japan: 1 hazard drawn."


@pytest.mark.rule("doolittle", "12.6.3", "12.6")
def test_hazards_are_shared_evenly() -> None:
    state = at_hazards("defense-east")
    sea(state).recon["ca-18"].place = "force"
    clouds = [key for key, card in DATA.sea_hazards.markers.items() if key.startswith("west") and card.kind == "clouds"]
    asked: list[Decision] = []
    run(hazards(table(state, draws=clouds[:3])), {"12.6.3": "to-ca-18", "12.6.4": lambda one: [one.keys[0]]}, asked)
    assert asked[0].rule == "12.6.3"
    turned = [one for one in asked if one.rule == "12.6.4" and one.keys[0].startswith("turn-")]
    assert turned[0].keys == ["turn-task-force-west", "turn-ca-18-west"]
    assert sea(state).met_with == ["Clouds"] * 3


@pytest.mark.rule("doolittle", "12.6.3")
def test_hazards_are_shared_by_front() -> None:
    state = at_hazards("defense-east")
    sea(state).recon["ca-18"].place = "force"
    sea(state).undealt = [hazard(state, "clouds", cup="west"), hazard(state, "clouds", cup="central")]
    asked: list[Decision] = []
    run(sea_hazards._share(table(state), "defense-east"), {"12.6.3": "to-ca-18"}, asked)
    assert [one.question for one in asked] == ["Defense East, hazards of cup west: which one gets it?"]
    assert [len(markers) for markers in sea(state).assigned.values()] == [1, 1]
    assert sea(state).undealt == []


@pytest.mark.rule("doolittle", "12.6.4", "12.6.5", "12.0.1")
def test_launch_before_hazard_returns_hazards() -> None:
    state = at_hazards("defense-east")
    boats = [key for key, card in DATA.sea_hazards.markers.items() if key.startswith("west") and card.kind == "boat"]
    asked: list[Decision] = []
    at = table(state, *(6, 6) * 5, 1, 3, 3, 3, draws=boats[:3])
    run(hazards(at), {"12.6.4": lambda one: [one.keys[-1]], "12.4.2": "now"}, asked)
    assert state.launched is not None
    assert (state.launched.how, state.launched.area) == ("emergency", "defense-east")
    assert sea(state).assigned == {}
    assert len(state.cups["west"].contents) == DATA.sea_hazards.cups["west"].total
    assert "12.6.6.A" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "12.6.4", "DR54")
@pytest.mark.parametrize("area", ["defense-east", "defense-west"])
def test_captain_may_launch_before_a_hazard_without_an_icon(area: str) -> None:
    state = at_hazards(area)
    met_by(state, TASK_FORCE, "clouds")
    asked: list[Decision] = []
    run(sea_hazards._resolve_all(table(state)), {"12.6.4": "resolve"}, asked)
    assert [one.keys for one in asked] == [["resolve", "launch"]]


@pytest.mark.rule("doolittle", "12.6.4")
def test_single_hazard_is_chosen_without_log() -> None:
    state = at_hazards("defense-east")
    marker = met_by(state, TASK_FORCE, "clouds")
    at = table(state)
    seen = view.voyage_view(state, DATA)
    assert seen is not None
    assert seen.hazards.area == "defense-east"
    assert run(sea_hazards._choose_next(at)) == (TASK_FORCE, marker)
    assert log_text(at) == ""


@pytest.mark.rule("doolittle", "12.6.4", "10.1.1")
def test_launch_before_hazard_is_not_offered_on_damaged_hornet() -> None:
    state = at_hazards("defense-east")
    hornet(table(state)).hits = 1
    asked: list[Decision] = []
    marker = met_by(state, TASK_FORCE, "clouds")
    run(sea_hazards._reveal(table(state), TASK_FORCE, marker), asked=asked)
    assert asked == []


# -- boats -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.6.6.A")
def test_boat_met_by_submarine_has_no_effect() -> None:
    state = at_hazards("japan")
    sea(state).submarines["thresher"].contact = True
    risk = state.security.risk
    _, asked, marker = strikes(state, "thresher", "boat")
    assert asked == []
    assert state.security.risk == risk
    assert in_cup(state, marker)


@pytest.mark.rule("doolittle", "12.6.6.A", "DR64")
@pytest.mark.parametrize(
    ("dice", "text", "alert", "tests"),
    [
        ((2, 4, 6), "sunk", 0, False),
        ((1, 2, 4), "sunk but reports by radio first", 1, False),
        ((1, 3, 5, *PASSES), "not sunk", 1, True),
    ],
)
def test_boat_sunk_by_force_sets_alert_and_test(dice: tuple[int, ...], text: str, alert: int, tests: bool) -> None:
    state = at_hazards()
    risk = state.security.risk
    at, _, _ = strikes(state, TASK_FORCE, "boat", *dice, icon="triangle", **{"12_6_6_A": "sink"})
    assert log_text(at, "12.6.6.A").startswith(f"The picket boat is {text}.")
    assert (state.security.alert, state.security.risk > risk) == (alert, tests)


@pytest.mark.rule("doolittle", "12.6.6.A", "DR106")
@pytest.mark.parametrize(("dice", "tests"), [((2,), False), ((3, *PASSES), True)])
def test_boat_evaded_by_force_still_raises_alert(dice: tuple[int, ...], tests: bool) -> None:
    state = at_hazards()
    risk = state.security.risk
    _, asked, _ = strikes(state, TASK_FORCE, "boat", *dice, icon="triangle", **{"12_6_6_A": "evade"})
    notes = [one.info.note for one in asked[0].options if one.info]
    assert ["cannot report" in notes[0], "still rises" in notes[1]] == [True, True]
    assert (state.security.alert, state.security.risk > risk) == (1, tests)


@pytest.mark.rule("doolittle", "12.6.6.A")
def test_boat_met_by_recon_uses_its_dice_and_raises_no_alert() -> None:
    state = at_hazards(met=True)
    sea(state).recon["ca-18"].place = sea(state).recon["vs6"].place = "force"
    assert sink_check(table(state), "ca-18").dice == 1
    assert sink_check(table(state), "vs6").dice == 2
    assert sink_check(table(state), TASK_FORCE).dice == 3
    at, asked, _ = strikes(state, "vs6", "boat", 1, 2, icon="triangle", **{"12_6_6_A": "sink"})
    assert log_text(at, "12.6.6.A").startswith("The picket boat is sunk.")
    assert [one.info.note for one in asked[0].options if one.info] == ["no test"] * 2
    _, asked, _ = strikes(state, "vs6", "boat", 1, 3, *PASSES, icon="triangle", **{"12_6_6_A": "sink"})
    assert state.security.alert == 0
    assert asked[0].keys == ["sink", "evade", "ignore"]
    assert hints(asked[0])["sink"] == pytest.approx(0.75)


# -- clouds, signals, flying boats, ships ----------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.6.6.B", "12.6.5")
def test_clouds_have_no_effect_and_return_to_cup() -> None:
    state = at_hazards()
    risk = state.security.risk
    _, asked, marker = strikes(state, TASK_FORCE, "clouds")
    assert (asked, state.security.risk) == ([], risk)
    assert in_cup(state, marker)


@pytest.mark.rule("doolittle", "12.6.6.C")
def test_enemy_signals_stay_only_if_met_by_force() -> None:
    state = at_hazards("midway")
    _, _, marker = strikes(state, TASK_FORCE, "enemy-signals", icon="", cup="central")
    assert sea(state).signals["midway"] == [marker]
    assert not in_cup(state, marker)
    sea(state).recon["ca-18"].place = "force"
    _, _, other = strikes(state, "ca-18", "enemy-signals", *PASSES, icon="triangle", cup="central")
    assert in_cup(state, other)


@pytest.mark.rule("doolittle", "12.6.6.C", "6.3")
def test_enemy_signals_test_first_and_further_ones_add_three_risk() -> None:
    state = at_hazards("midway")
    signals(state, "midway")
    risk = state.security.risk
    strikes(state, TASK_FORCE, "enemy-signals", *PASSES, icon="triangle", cup="central")
    assert state.security.risk == risk + 1 + 3


@pytest.mark.rule("doolittle", "12.6.6.C", "DR60")
def test_enemy_signals_leave_last_secrecy_die() -> None:
    state = at_hazards("japan")
    state.security.value = 2
    signals(state, "hawaii", "midway", "influence-east", "influence-west", "defense-east", "defense-west")
    strikes(state, TASK_FORCE, "enemy-signals", *(6, 6), icon="triangle")
    assert (state.security.value, sea(state).muffled) == (1, 1)


@pytest.mark.rule("doolittle", "12.6.6.D", "DR61")
def test_flying_boat_sees_large_force_and_signals_add_risk() -> None:
    state = at_hazards(met=True)
    assert unseen_check(table(state)).at_least == 16
    signals(state, "midway", "hawaii")
    risk = state.security.risk
    at, _, _ = strikes(state, TASK_FORCE, "flying-boat", 4, 4, 4, 3, *PASSES, cup="west")
    assert state.security.risk == risk + 2 + 6 + 1
    assert "The flying boat sees the task force." in log_text(at, "12.6.6.D")
    few = at_hazards()
    risk = few.security.risk
    at, _, _ = strikes(few, TASK_FORCE, "flying-boat", 2, 2, 2, 2, *PASSES, cup="west")
    assert few.security.risk == risk + 1
    assert "The flying boat does not see the task force." in log_text(at, "12.6.6.D")


@pytest.mark.rule("doolittle", "12.6.6.H", "DR65")
@pytest.mark.parametrize(("face", "alert"), [(2, 0), (3, 1)])
def test_ship_hazard_tests_secrecy_and_may_raise_alert(face: int, alert: int) -> None:
    state = at_hazards("midway")
    strikes(state, TASK_FORCE, "ship", *PASSES, face, cup="east")
    assert state.security.alert == alert
    sea(state).recon["ca-18"].place = "force"
    strikes(state, "ca-18", "ship", *PASSES, cup="east")
    assert state.security.alert == alert


# -- tests that bring planes -----------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "6.3.1", "12.6.6", "11.0")
def test_failed_test_may_bring_airstrike_on_found_patrol() -> None:
    state = at_hazards("defense-east")
    strikes(state, TASK_FORCE, "ship", *FAILS, 2, icon="line")
    assert state.strike is not None
    assert state.strike.found == "task-force"
    other = at_hazards("defense-east")
    sea(other).recon["ca-18"].place = "force"
    strikes(other, "ca-18", "ship", *FAILS, icon="line")
    assert other.strike is not None
    assert other.strike.found == "recon"
    boat = at_hazards("japan")
    sea(boat).submarines["thresher"].contact = True
    strikes(boat, "thresher", "ship", *FAILS, icon="line")
    assert boat.strike is not None
    assert (boat.strike.found, boat.strike.group) == ("submarine", "thresher")


@pytest.mark.rule("doolittle", "6.3.1", "12.6.5", "12.6.6.H", "DR127")
def test_airstrike_comes_before_the_rest_of_a_hazard() -> None:
    state = at_hazards("defense-east")
    state.segment = "naval"
    at, _, marker = strikes(state, TASK_FORCE, "ship", *FAILS, icon="line")
    assert (state.strike is not None, state.security.alert) == (True, 0)
    assert log_text(at, "12.6.6.H") == ""
    assert sea(state).assigned[TASK_FORCE] == [marker]
    state.strike, sea(state).resumed = None, True
    after = table(state, 3)
    run(hazards(after))
    assert "has seen the force" in log_text(after, "12.6.6.H")
    assert state.security.alert == 1
    assert in_cup(state, marker)
    assert sea(state).unfinished == ""


@pytest.mark.rule("doolittle", "6.3.1", "12.6.6.C", "DR127")
def test_enemy_signals_stay_after_their_airstrike() -> None:
    state = at_hazards("midway")
    state.segment, state.security.alert = "naval", 3
    _, _, marker = strikes(state, TASK_FORCE, "enemy-signals", *FAILS, icon="circle", cup="central")
    assert state.strike is not None
    assert sea(state).signals["midway"] == []
    state.strike, sea(state).resumed = None, True
    run(hazards(table(state)))
    assert sea(state).signals["midway"] == [marker]


@pytest.mark.rule("doolittle", "6.3.1", "12.6.6.E", "DR127")
def test_i_boat_attacks_after_its_airstrike() -> None:
    state = at_hazards("defense-east")
    state.segment, state.security.alert = "naval", 3
    at, _, _ = strikes(state, TASK_FORCE, "i-boat", *FAILS, icon="square", cup="west")
    assert state.strike is not None
    assert log_text(at, "12.6.6.E") == ""
    state.strike, sea(state).resumed = None, True
    after = table(state, 1, 1, 6, 6)
    run(hazards(after))
    assert "Torpedoes" in log_text(after, "12.6.6.E")


@pytest.mark.rule("doolittle", "6.3.1", "11.5", "DR127")
def test_hazard_is_void_once_airstrike_ended_voyage() -> None:
    state = at_hazards("defense-east")
    state.segment, state.security.alert = "naval", 3
    at, _, marker = strikes(state, TASK_FORCE, "i-boat", *FAILS, icon="square", cup="west")
    hornet(at).hits = 1
    state.strike, sea(state).resumed = None, True
    after = table(state)
    run(hazards(after))
    assert sea(state).over
    assert log_text(after, "12.6.6.E") == ""
    assert in_cup(state, marker)


@pytest.mark.rule("doolittle", "12.6")
def test_captain_chooses_the_order_of_sea_areas() -> None:
    state = at_hazards("midway", met=True)
    sea(state).recon["ca-18"].place = "influence-east"
    asked: list[Decision] = []
    markers = DATA.sea_hazards.markers
    clouds = [key for key, card in markers.items() if key.startswith("central") and card.kind == "clouds"]
    answers = {"12.6": "area-influence-east", "12.6.4": "resolve"}
    run(hazards(table(state, draws=clouds[:3])), answers, asked)
    assert [one.keys for one in asked if one.rule == "12.6"] == [["area-midway", "area-influence-east"]]
    assert log_text(table(state), "12.6") == ""


@pytest.mark.rule("doolittle", "6.3.1", "DR68")
def test_circle_icon_raises_alert_or_brings_airstrike() -> None:
    state = at_hazards("defense-east")
    fast(state)
    strikes(state, TASK_FORCE, "i-boat", *FAILS, icon="circle", cup="west")
    assert (state.strike, state.security.alert) == (None, 1)
    state.security.alert = 3
    strikes(state, TASK_FORCE, "i-boat", *FAILS, icon="circle", cup="west")
    assert state.strike is not None


@pytest.mark.rule("doolittle", "11.0", "12.6")
def test_airstrike_interrupts_hazards_which_then_resume() -> None:
    state = at_hazards("defense-east")
    known = DATA.sea_hazards.markers
    line = next(key for key, card in known.items() if card.icon == "line")
    clouds = [key for key, card in known.items() if key.startswith("west") and card.kind == "clouds"]
    at = table(state, *FAILS, draws=[line, *clouds[:2]])
    run(hazards(at), {"12.6.4": lambda one: [one.keys[0]]})
    assert state.strike is not None
    assert sea(state).resumed
    assert len(sea(state).assigned[TASK_FORCE]) == 3
    state.strike = None
    run(hazards(table(state, 2)), {"12.6.4": lambda one: [one.keys[0]]})
    assert not sea(state).resumed
    assert sea(state).queue == []
    assert len(state.cups["west"].contents) == DATA.sea_hazards.cups["west"].total


@pytest.mark.rule("doolittle", "12.6", "11.0")
def test_area_without_patrol_after_airstrike_draws_nothing() -> None:
    state = at_hazards("defense-east")
    sea(state).resumed, sea(state).queue = True, ["japan"]
    at = table(state)
    run(hazards(at))
    assert (sea(state).queue, log_text(at)) == ([], "")


@pytest.mark.rule("doolittle", "DR67", "6.2", "13.2.4")
def test_alert_of_four_at_sea_triggers_one_china_event(monkeypatch: pytest.MonkeyPatch) -> None:
    felt: list[int] = []
    monkeypatch.setattr(china, "event_check", lambda at: felt.append(1))
    for campaign, times in ((False, []), (True, [1])):
        state = at_hazards("defense-east")
        if campaign:
            blotter.set_up(state, DATA)
        state.segment, state.security.alert = "naval", 3
        met_by(state, TASK_FORCE, "boat", "triangle", "west")
        run(sea_hazards._resolve_all(table(state, *FAILS)), {"12.6.4": "resolve", "12.6.6.A": "ignore"})
        assert state.security.alert == 4
        assert felt == times


@pytest.mark.rule("doolittle", "11.0", "12.6.6.E", "12.0.1")
def test_i_boat_hit_on_hornet_after_airstrike_ends_voyage() -> None:
    state = at_hazards("defense-east")
    state.segment, state.security.alert, sea(state).resumed = "naval", 3, True
    met_by(state, TASK_FORCE, "i-boat", "square", "west")
    at = table(state, *FAILS, 1, 1, 1, 1)
    run(hazards(at), {"12.6.4": "resolve"})
    assert state.strike is not None
    assert (hornet(at).hits, sea(state).over, state.launched) == (0, False, None)
    state.strike = None
    run(hazards(at))
    assert hornet(at).hits == 1
    assert sea(state).over
    assert log_text(at, "12.0.1").count("The voyage ends") == 1


@pytest.mark.rule("doolittle", "12.6.3", "DR50")
def test_hazards_of_recon_without_ship_pass_to_force() -> None:
    state = at_hazards("defense-east", met=True)
    recon = sea(state).recon["vs6"]
    recon.place = "force"
    met_by(state, "vs6", "clouds")
    marker = met_by(state, "vs6", "distress")
    at = table(state)
    sink_ship(at, ship(state, "enterprise"), "11.4.3", "bombs")
    run(sea_hazards._resolve_all(at), {"12.6.4": lambda one: [one.keys[0]], "12.6.6.F": "on-gwin"})
    assert (recon.place, recon.markers, ship(state, "gwin").markers) == ("gone", [], [marker])
    assert "Clouds on the task force" in log_text(at)


@pytest.mark.rule("doolittle", "12.6.6.A", "12.6.6.H")
def test_boat_and_ship_rolls_are_logged() -> None:
    for icon, text in (("line", "Ship (line: airstrike)"), ("", "Clouds")):
        kind = "ship" if icon else "clouds"
        assert sea_hazards.describe(table(at_hazards()), hazard(at_hazards(), kind, icon)) == text
    at, _, _ = strikes(at_hazards(), TASK_FORCE, "boat", 2, **{"12_6_6_A": "evade"})
    assert log_text(at, "12.6.6.A").startswith("The task force evades the picket boat.")
    for face, text in ((2, "passes"), (3, "has seen the force")):
        at, _, _ = strikes(at_hazards(), TASK_FORCE, "ship", *PASSES, face)
        assert log_text(at, "12.6.6.H").startswith(f"The ship {text} (roll {face}).")


@pytest.mark.rule("doolittle", "12.6.4", "12.3.1", "12.4", "DR54")
def test_launch_before_hazard_shows_chance_and_destination() -> None:
    noted = {}
    for area in ("defense-east", "hawaii"):
        state, asked = at_hazards(area), list[Decision]()
        cup = "east" if area == "hawaii" else "west"
        for kind in ("clouds", "ship"):
            marker = met_by(state, TASK_FORCE, kind, cup=cup)
            run(sea_hazards._reveal(table(state), TASK_FORCE, marker), asked=asked)
        assert len(asked) == 2
        hint = asked[0].options[1].info
        assert hint is not None
        assert hint.chance == pytest.approx(30 / 36)
        noted[area] = hint.note
    assert "Pearl Harbor" in noted["hawaii"]
    assert "Pearl Harbor" not in noted["defense-east"]


# -- I-boats ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.6.6.E", "DR62")
def test_i_boat_without_slow_ship_only_tests_secrecy() -> None:
    state = at_hazards()
    fast(state)
    at, asked, _ = strikes(state, TASK_FORCE, "i-boat", *PASSES, cup="west")
    assert asked == []
    assert log_text(at, "12.6.6.E") == ""


@pytest.mark.rule("doolittle", "12.6.6.E", "DR62")
def test_i_boat_met_by_recon_does_not_attack() -> None:
    state = at_hazards("midway", "gusty")
    sea(state).recon["ca-18"].place = "force"
    at, _, _ = strikes(state, "ca-18", "i-boat", *PASSES, cup="east")
    assert log_text(at, "12.6.6.E") == ""


@pytest.mark.rule("doolittle", "12.6.6.E")
def test_undetected_i_boat_attacks_carrier() -> None:
    state = at_hazards("midway", "gusty")
    strikes(state, TASK_FORCE, "i-boat", *PASSES, 3, 4, 3, 4, cup="east")
    assert ship(state, "hornet").hits == 0
    at, _, _ = strikes(state, TASK_FORCE, "i-boat", *PASSES, 3, 4, 1, 2, cup="east")
    assert ship(state, "hornet").hits == 1
    assert "Hornet is damaged by torpedoes" in log_text(at)
    assert "The I-boat is not detected." in log_text(at, "12.6.6.E")
    assert "Torpedoes hit Hornet." in log_text(at, "12.6.6.E")


@pytest.mark.rule("doolittle", "12.6.6.E", "11.4.3")
@pytest.mark.parametrize(("face", "who"), [(2, "enterprise"), (5, "hornet")])
def test_undetected_i_boat_picks_carrier_by_die(face: int, who: str) -> None:
    state = at_hazards(met=True)
    run(i_boats.resolve_attack(table(state, 1, 1, face, 1, 1)))
    assert ship(state, who).hits == 1


@pytest.mark.rule("doolittle", "12.6.6.E")
def test_detected_i_boat_space_is_logged_by_name() -> None:
    at = table(at_hazards(met=True), 6, 6, 2, 6, 6)
    run(i_boats.resolve_attack(at), {"12.6.6.E": lambda one: [one.keys[0]]})
    assert "The I-boat is detected." in log_text(at, "12.6.6.E")
    assert "The I-boat is at Port Far (roll 2)." in log_text(at, "12.6.6.E")


@pytest.mark.rule("doolittle", "12.6.6.E")
def test_i_boat_detection_lists_its_modifiers() -> None:
    state = at_hazards(met=True)
    sea(state).recon["vf6"].place = "low-cap"
    sea(state).recon["ca-18"].place = sea(state).recon["vs6"].place = "local"
    ship(state, "gwin").hits = 1
    check = i_boats.detection_check(table(state))
    assert dict(check.modifiers) == {"calm": 1, "destroyers": 7, "recon": 2, "low CAP": 1}
    assert check.at_least == 12


@pytest.mark.rule("doolittle", "12.6.6.E")
def test_i_boat_reaction_includes_adjacent_and_damaged_ships() -> None:
    state = at_hazards("midway", "storm")
    for one in ships_afloat(state):
        one.space = "center" if one.key in ("hornet", "cimarron") else "starboard-far"
    ship(state, "gwin").space, ship(state, "monssen").space = "port-far", "port"
    at = table(state)
    assert {one.key for one in i_boats.able_to_react(at, "port-far")} == {"gwin", "monssen"}
    ship(state, "monssen").hits = 1
    assert {one.key for one in i_boats.able_to_react(at, "port-far")} == {"gwin", "monssen"}
    assert dict(i_boats.reaction_check(at, ship(state, "gwin"), "port-far").modifiers) == {"storm": -2}


@pytest.mark.rule("doolittle", "12.6.6.E", "1.2")
def test_i_boat_driven_off_is_counted() -> None:
    state = at_hazards("midway", "calm")
    spaces = {"gwin": "port"}
    for one in ships_afloat(state):
        one.space = spaces.get(one.key, "center")
    at = table(state, 6, 6, 1, 4, 4)
    run(i_boats.resolve_attack(at), {"12.6.6.E": "react-gwin"})
    assert state.facts["i-boats"] == 1
    assert "Gwin drives the I-boat off." in log_text(at, "12.6.6.E")
    assert not any(one.hits for one in ships_afloat(state))
    at = table(state, 6, 6, 1, 1, 1, 6, 6)
    run(i_boats.resolve_attack(at), {"12.6.6.E": "react-gwin"})
    assert "Gwin cannot reach the I-boat." in log_text(at, "12.6.6.E")


@pytest.mark.rule("doolittle", "12.6.6.E", "DR63", "DR108")
def test_detected_i_boat_target_depends_on_space() -> None:
    state = at_hazards("midway")
    at = table(state)
    for one in ships_afloat(state):
        one.space = "center"
    target = i_boats.find_target
    ship(state, "gwin").space = "port"
    assert target(at, "1") is ship(state, "gwin")
    assert target(at, "2") is ship(state, "gwin")
    ship(state, "grayson").space = "port-far"
    assert target(at, "2") is ship(state, "grayson")
    assert target(at, "3") is ship(state, "hornet")
    assert target(at, "5") is ship(state, "hornet")
    ship(state, "meredith").space = "astern-far"
    ship(state, "meredith").hits = 1
    assert target(at, "4") is ship(state, "meredith")
    ship(state, "monssen").space = "port"
    assert target(table(state, draws=["monssen"]), "1") is ship(state, "monssen")


@pytest.mark.rule("doolittle", "12.6.6.E", "11.0.2")
def test_undetected_i_boat_without_center_ship_attacks_any_ship() -> None:
    state = at_hazards("midway")
    ship(state, "gwin").group, ship(state, "gwin").space = "group-1", "port"
    sea(state).groups["group-1"] = "midway"
    at = table(state, 1, 1, 6, 6)
    run(i_boats.resolve_attack(at, "group-1"))
    assert "Torpedoes miss Gwin." in log_text(at, "12.6.6.E")


@pytest.mark.rule("doolittle", "12.6.6.E")
def test_i_boat_reaction_may_be_declined() -> None:
    state = at_hazards("midway")
    for one in ships_afloat(state):
        one.space = "center"
    ship(state, "gwin").space = "port"
    asked: list[Decision] = []
    run(i_boats.resolve_attack(table(state, 6, 6, 1, 1, 1)), {"12.6.6.E": "hold"}, asked)
    assert ship(state, "gwin").hits == 1
    assert asked[0].keys[-1] == "hold"
    assert "i-boats" not in state.facts


@pytest.mark.rule("doolittle", "14.3.2", "12.6.6.E", "11.0.2")
def test_i_boat_may_attack_group() -> None:
    state = at_hazards("midway")
    for key, space in (("nashville", "center"), ("gwin", "port")):
        ship(state, key).group, ship(state, key).space = "group-1", space
    sea(state).groups["group-1"] = "hawaii"
    sea(state).recon["ca-18"].place = "local"
    weathers: list[Weather] = ["gale", "calm"]
    for calm, weather in enumerate(weathers):
        sea(state).weather["hawaii"] = weather
        counts = dict(i_boats.detection_check(table(state), "group-1").modifiers)
        assert (counts.get("calm", 0), "recon" in counts) == (calm, False)
    at = table(state, 1, 1, 2, 2)
    run(i_boats.resolve_attack(at, "group-1"))
    assert isinstance(at.dice, RecordedDice)
    assert any("group-1" in event for event in at.dice.remembered)
    assert ship(state, "nashville").hits == 1
    assert ship(state, "hornet").hits == 0


@pytest.mark.rule("doolittle", "12.6.6.E", "12.0.1")
def test_hornet_hit_before_launch_ends_voyage() -> None:
    state = at_hazards("140w", "gusty")
    known = DATA.sea_hazards.markers
    east = [key for key, card in known.items() if key.startswith("east") and card.kind == "i-boat"]
    state.security.failed = 0
    at = table(state, *PASSES, 1, 1, 1, 1, draws=east[:2])
    run(hazards(at), {"12.6.4": lambda one: [one.keys[0]]})
    assert sea(state).over
    assert state.launched is not None
    assert (state.launched.how, state.launched.area) == ("none", "140w")
    assert {bomber.fate for bomber in state.squad.values()} == {"home"}
    assert len(state.cups["east"].contents) == DATA.sea_hazards.cups["east"].total


# -- distress, flags, medals -----------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "12.6.6.F", "9.5.1")
def test_distressed_ship_moves_far_astern_except_carrier() -> None:
    state = at_hazards()
    _, asked, marker = strikes(state, TASK_FORCE, "distress", **{"12_6_6_F": "on-vincennes"})
    hint = next(one.info for one in asked[0].options if one.key == "on-cimarron")
    assert hint is not None
    assert "cannot refuel" in hint.note
    assert ship(state, "vincennes").space == "astern-far"
    assert ship(state, "vincennes").markers == [marker]
    strikes(state, TASK_FORCE, "distress", **{"12_6_6_F": "on-hornet"})
    assert ship(state, "hornet").space == "center"


@pytest.mark.rule("doolittle", "12.6.6.F")
def test_distressed_submarine_loses_contact_and_hazards() -> None:
    state = at_hazards("japan")
    sea(state).submarines["thresher"].contact = True
    other = met_by(state, "thresher", "clouds")
    at, _, marker = strikes(state, "thresher", "distress")
    assert log_text(at, "12.6.6.F") == "The Thresher is out of contact."
    assert not in_contact(state, "thresher")
    assert in_cup(state, marker)
    assert in_cup(state, other)


@pytest.mark.rule("doolittle", "12.6.6.F")
def test_distressed_recon_passes_hazards_to_force() -> None:
    state = at_hazards()
    sea(state).recon["ca-18"].place = "force"
    other = met_by(state, "ca-18", "clouds")
    _, _, marker = strikes(state, "ca-18", "distress")
    assert sea(state).recon["ca-18"].place == "hangar"
    assert sea(state).recon["ca-18"].markers == [marker]
    assert sea(state).assigned[TASK_FORCE] == [other]


@pytest.mark.rule("doolittle", "12.6.6.F", "12.5.3")
def test_red_flags_stay_on_force_until_rendezvous() -> None:
    state = at_hazards("midway")
    sea(state).recon["ca-18"].place = "force"
    _, _, marker = strikes(state, "ca-18", "red-flags")
    assert sea(state).flags == [marker]
    assert not in_cup(state, marker)
    join(state)
    _, _, other = strikes(state, TASK_FORCE, "red-flags")
    assert in_cup(state, other)


@pytest.mark.rule("doolittle", "12.6.6.G", "DR66")
def test_medals_go_to_bomber_on_deck() -> None:
    state = at_hazards("midway")
    _, _, marker = strikes(state, TASK_FORCE, "medals", cup="east", **{"12_6_6_G": "b04"})
    assert state.squad["b04"].markers == [marker]
    assert not in_cup(state, marker)
    for bomber in state.squad.values():
        bomber.fate = "overboard"
    _, _, other = strikes(state, TASK_FORCE, "medals", cup="central")
    assert in_cup(state, other)


@pytest.mark.rule("doolittle", "12.6.1")
def test_hazard_kinds_all_have_effects() -> None:
    from readyroom.games.doolittle.voyage.hazard_effects import EFFECTS

    assert set(EFFECTS) == set(DATA.sea_hazards.kinds.kind)
    assert hazard(at_hazards(), "boat").cup in DATA.sea_hazards.cups
