"""Tests of the end of phase and turn, the anchorage, and victory."""

from __future__ import annotations

import pytest
from tests.games.picket.helpers import CHIT, DATA, attacked, fit, log_text, picket, plane, run, table

from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import MatchFinished
from readyroom.games.picket import GAME, sequence, setup
from readyroom.games.picket.ending import anchorage, upkeep
from readyroom.games.picket.ending.victory import outcome, score
from readyroom.games.picket.state import Picket, last_turn


@pytest.mark.rule("picket", "8.0", "8.1", "8.1.A", "8.1.B")
@pytest.mark.parametrize(("value", "dice", "morale"), [(2, (4, 4), 1), (-2, (2, 2), -1), (0, (3, 4), 0)])
def test_morale_column_adds_captain_and_chief(value: int, dice: tuple[int, int], morale: int) -> None:
    state = picket(phase="upkeep")
    state.ship.officers["captain"].value = state.ship.officers["chief"].value = value
    upkeep._morale(table(state, *dice))
    assert state.ship.morale == morale
    state.ship.morale = 2 * morale
    upkeep._morale(table(state, *dice))
    assert state.ship.morale == 2 * morale


@pytest.mark.rule("picket", "8.1.A", "7.3.K")
def test_morale_counts_galley_berths_and_chiefs_quarters() -> None:
    state = picket(phase="upkeep")
    upkeep._morale(table(state, 4, 5))
    assert state.ship.morale == 1
    for key in ("galley", "crew-quarters-1", "crew-quarters-2"):
        state.ship.spaces[key].boxes = 1
    state.ship.morale = 0
    upkeep._morale(table(state, 5, 5))
    assert state.ship.morale == 0
    state.ship.officers["chief"].value = 2
    state.ship.spaces["chiefs-quarters"].boxes = 1
    upkeep._morale(table(state, 5, 5))
    assert state.ship.morale == 0


@pytest.mark.rule("picket", "8.2", "8.2.A", "8.2.B", "8.3", "8.3.A")
def test_ammunition_used_after_fire_fuel_always() -> None:
    state = picket(phase="upkeep")
    run(upkeep.turn_ends(table(state, 3, 3, 6, 6)))
    assert (state.ship.ammunition, state.ship.fuel) == (10, 8)
    state.tally.fired = True
    run(upkeep.turn_ends(table(state, 3, 3, 6, 6, 1, 1)))
    assert (state.ship.ammunition, state.ship.fuel, state.tally.fired) == (7, 8, False)


@pytest.mark.rule("picket", "8.3.A", "7.8.2.G")
def test_damaged_tank_leaks() -> None:
    state = fit(picket(phase="upkeep"), forward_fuel=1)
    at = table(state, 3, 3, 1, 1)
    run(upkeep.turn_ends(at))
    assert (state.ship.fuel, log_text(at, "8.3")) == (9, "The ship uses 0 points of fuel and loses 1 point to leaks.")


@pytest.mark.rule("picket", "9.F", "8.2", "8.3", "P29")
@pytest.mark.parametrize(("track", "why"), [("fuel", "fuel"), ("ammunition", "ammunition")])
def test_no_fuel_or_ammunition_forces_departure(track: str, why: str) -> None:
    state = picket(phase="midday-end")
    setattr(state.ship, track, 0)
    run(upkeep.phase_ends(table(state)))
    assert state.ship.leaves == why
    assert sequence.next_phase(state).phase == "anchorage"


@pytest.mark.rule("picket", "7.12.D", "P39", "P29")
def test_destroyed_water_lines_offer_departure() -> None:
    for answer, why in (("stay", ""), ("withdraw", "water")):
        state = picket(phase="upkeep")
        state.ship.water_lines = 3
        run(upkeep.turn_ends(table(state, 3, 3, 1, 1)), {"7.12.D": answer})
        assert state.ship.leaves == why


@pytest.mark.rule("picket", "9.G", "7.1.E", "7.8.2.J", "P26", "P29")
@pytest.mark.parametrize(
    "rooms",
    [
        ("forward-engine-room", "aft-engine-room"),
        ("forward-fire-room", "aft-fire-room"),
        ("forward-fuel", "aft-fuel"),
        ("rudder",),
    ],
)
def test_lost_compartments_force_departure(rooms: tuple[str, ...]) -> None:
    state = picket(phase="morning-end")
    for room in rooms:
        assert not state.ship.leaves
        state.ship.rooms[room].destroyed = True
        run(upkeep.phase_ends(table(state)))
    assert state.ship.leaves == "disabled"


@pytest.mark.rule("picket", "9.G")
def test_damaged_shafts_force_departure() -> None:
    state = fit(picket(phase="morning-end"), port_shaft=1, starboard_shaft=1)
    for shaft in ("port-shaft", "starboard-shaft"):
        state.ship.rooms[shaft].tended = True
    run(upkeep.phase_ends(table(state)))
    assert state.ship.leaves == "disabled"


@pytest.mark.rule("picket", "9.G", "9.H", "P51", "P41")
@pytest.mark.parametrize(("hurt", "leaves"), [(8, ""), (9, "armament")])
def test_half_guns_out_offers_withdrawal(hurt: int, leaves: str) -> None:
    state = picket(phase="morning-end")
    for mount in list(state.ship.mounts.values())[1:hurt]:
        mount.hits = 1
    state.ship.rooms["magazine-1"].destroyed = True
    run(upkeep.phase_ends(table(state)), {"9.G": "withdraw"})
    assert state.ship.leaves == leaves


@pytest.mark.rule("picket", "9", "9.A", "9.D", "9.I", "7.8.2.M", "P40")
def test_undamaged_ship_returns_with_full_tracks() -> None:
    state = picket(phase="anchorage", turn=10)
    state.ship.leaves, state.ship.fuel, state.ship.ammunition = "fuel", 0, 3
    run(anchorage.anchorage(table(state, 4)))
    assert state.sea.days_lost == 2
    assert (state.ship.fuel, state.ship.ammunition, state.ship.leaves, state.sea.station) == (10, 10, "", 0)
    assert sequence.next_phase(state).turn == 13


@pytest.mark.rule("picket", "9.B", "P40", "7.8.2.M")
@pytest.mark.parametrize(
    ("track", "value", "days"), [("hull", 9, 5), ("maneuver", 9, 5), ("flood", 9, 5), ("hull", 5, 12), ("hull", 1, 24)]
)
def test_damaged_ship_repairs_by_hull_column(track: str, value: int, days: int) -> None:
    state = picket(phase="anchorage", turn=10)
    state.ship.leaves = "fuel"
    setattr(state.ship, track, value)
    run(anchorage.anchorage(table(state, 3, 4)))
    assert state.sea.days_lost == days
    assert getattr(state.ship, track) == 10


@pytest.mark.rule("picket", "9.B", "9.E")
def test_disabled_ship_may_be_replaced() -> None:
    state = picket(phase="anchorage", turn=10)
    state.ship.leaves, state.ship.hull, old = "disabled", 0, state.ship.name
    run(anchorage.anchorage(table(state, 3, 4, 3, *[7] * 6, *[9] * 3)), {"2.0.B": "engineer-aft-engine-room"})
    assert state.sea.days_lost == 4
    assert state.ship.name != old
    assert state.ship.officers["engineer"].post == "aft-engine-room"


@pytest.mark.rule("picket", "9.C", "9.I", "11.5.D", "11.2.A")
def test_refit_repairs_all_and_replaces_dead() -> None:
    state = fit(picket(phase="anchorage", aces="yes"), bridge=2)
    officers = state.ship.officers
    officers["captain"].value, officers["gunnery"].value, officers["gunnery"].dead = 2, 1, True
    officers["chief"].post = "rudder"
    state.ship.mounts["gun-1"].hits, state.ship.mounts["gun-1"].kills, state.ship.mounts["gun-2"].kills = 2, 6, 5
    state.ship.men["aft"] = 3
    setup.refit(table(state, CHIT[-2]))
    ship = state.ship
    assert ship.rooms["bridge"].whole
    assert ship.men["aft"] == 13
    assert (ship.value("captain"), ship.value("gunnery"), ship.officers["chief"].place) == (2, -2, "rudder")
    assert ship.officers["captain"].place == "bridge"
    assert [ship.mounts[key].kills for key in ("gun-1", "gun-2")] == [0, 5]
    assert ship.mounts["gun-1"].hits == 0


@pytest.mark.rule("picket", "7.8.2.L", "9.E", "10")
def test_campaign_continues_with_new_ship_after_loss() -> None:
    state = picket(phase="anchorage", turn=10)
    (state.ship.lost, old), asked = ("broken in two", state.ship.name), list[Decision]()
    run(anchorage.anchorage(table(state, 3, CHIT[2], *[7] * 5, *[9] * 3)), {}, asked)
    assert (state.ship.name != old, state.ship.value("captain")) == (True, 2)
    assert {option.text for option in asked[0].options} & set(DATA.names.ship) == set(DATA.names.ship) - {old}
    assert state.tally.lost == [f"{old}: broken in two"]
    assert sequence.next_phase(state).turn == 11
    assert score(state, DATA) == -20


def outcome_of(scenario: str = "evans", *, shot: int = 0, planes: int = 3, **ship: object) -> Outcome:
    """Return the outcome of a scenario for a ship in this state."""
    state = picket(scenario, "anchorage", 2)
    state.tally.shot, state.tally.planes = shot, planes
    for name, value in ship.items():
        setattr(state.ship, name, value)
    return outcome(state, DATA)


@pytest.mark.rule("picket", "10", "10.A", "9.H", "P41", "7.12.D")
def test_scenario_outcome_by_ship_hull_and_planes() -> None:
    assert outcome_of(shot=2).title == outcome_of(shot=3, hull=8).title == "American decisive victory"
    assert outcome_of(shot=3, hull=7).title == outcome_of(shot=3, leaves="fuel").title == "American marginal victory"
    assert outcome_of(shot=1).title == "Japanese marginal victory"
    for ship in ({"hull": 5}, {"leaves": "radar"}, {"leaves": "armament"}, {"leaves": "water"}):
        assert outcome_of(shot=3, **ship).title == "Japanese marginal victory"
    assert outcome_of(shot=3, lost="abandoned").title == "Japanese decisive victory"


@pytest.mark.rule("picket", "10.A", "9.H", "P41")
def test_campaign_outcome_by_score_and_withdrawal() -> None:
    for scenario, title in (("april", "Japanese marginal victory"), ("okinawa", "American decisive victory")):
        state = picket(scenario)
        state.tally.shot, state.tally.withdrawals = 70, 1
        result = outcome(state, DATA)
        assert (result.title, result.scores) == (title, {"usa": 60})
    state = picket("okinawa")
    state.tally.shot = 15
    assert outcome(state, DATA).title == "draw"


@pytest.mark.rule("picket", "10.A", "1.6", "12")
def test_match_ends_on_last_turn_or_ship_lost() -> None:
    assert last_turn(picket("okinawa")) == 91
    assert last_turn(picket("april")) == 30
    state: Picket = picket("evans", "anchorage", 1)
    run(anchorage.anchorage(table(state)))
    state.ship.leaves = "fuel"
    with pytest.raises(MatchFinished):
        run(anchorage.anchorage(table(state)))
    over = picket("evans", "anchorage", 2)
    with pytest.raises(MatchFinished):
        run(anchorage.anchorage(table(over)))


@pytest.mark.rule("picket", "6.6.L", "6.7.I", "7.1.F", "3.0.B", "P33")
def test_absent_waves_are_skipped() -> None:
    state = picket(phase="morning-attack")
    assert sequence.next_phase(state).phase == "morning-control"
    attacked(state)
    seen = []
    while not state.at.phase.endswith("-end"):
        state.at = sequence.next_phase(state)
        seen.append(state.at.phase)
    assert seen == ["morning-fire-1", "morning-strike-1", "morning-control-1", "morning-end"]
    assert GAME.rules.phases[0].name == "crew"


@pytest.mark.rule("picket", "8.2.C", "8.2.D", "8.3.B", "P29")
@pytest.mark.parametrize(("ammunition", "fuel", "why"), [(2, 10, "ammunition"), (10, 2, "fuel"), (3, 3, "")])
def test_supply_use_adds_up_and_forces_departure(ammunition: int, fuel: int, why: str) -> None:
    state = picket(phase="upkeep")
    state.ship.ammunition, state.ship.fuel, state.tally.fired, state.tally.sprayed = ammunition, fuel, True, True
    run(upkeep.turn_ends(table(state, 3, 3, 3, 4, 6, 6)))
    assert (state.ship.ammunition, state.ship.fuel) == (ammunition - 2, fuel - 2)
    assert state.ship.leaves == why
    assert not state.tally.sprayed


@pytest.mark.rule("picket", "7.8.2.G", "7.8.2.H", "7.3.Q")
def test_damage_spreads_before_departure_check() -> None:
    state = fit(picket(phase="morning-end"), rudder=1)
    run(upkeep.phase_ends(table(state)))
    assert state.ship.rooms["rudder"].destroyed
    assert state.ship.leaves == "disabled"


@pytest.mark.rule("picket", "7.3.Q", "9.G", "8.0")
def test_lost_or_unassigned_ship_has_no_questions() -> None:
    for lost, station in (("blown up", 9), ("", 0)):
        state = fit(picket(phase="morning-end"), rudder=1)
        state.ship.lost, state.sea.station, state.raid.struck = lost, station, 2
        run(upkeep.phase_ends(table(state)))
        run(upkeep.turn_ends(table(state)))
        assert (state.ship.hull, state.ship.fuel, state.ship.leaves) == (10, 10, "")
        assert state.ship.rooms["rudder"].hits == 1
    burnt = attacked(picket(phase="morning-end"))
    burnt.ship.fires["aft"], burnt.raid.struck, burnt.ship.rooms["rudder"].destroyed = 3, 1, True
    run(upkeep.phase_ends(table(burnt, 5)))
    assert (burnt.ship.lost, burnt.ship.hull, burnt.ship.leaves) == ("lost to fire", 10, "")


@pytest.mark.rule("picket", "9.G", "P51")
def test_forced_departure_asks_nothing() -> None:
    for hurt, leaves in ((0, "fuel"), (9, "fuel")):
        state, asked = picket(phase="morning-end"), list[Decision]()
        state.ship.fuel = 0
        for mount in list(state.ship.mounts.values())[:hurt]:
            mount.hits = 1
        run(upkeep.phase_ends(table(state)), {"9.G": "withdraw"}, asked)
        assert (state.ship.leaves, asked) == (leaves, [])
    state.ship.fuel, state.ship.leaves = 10, ""
    run(upkeep.phase_ends(table(state)), {"9.G": "stay"}, asked)
    assert state.ship.leaves == ""
    assert [one.rule for one in asked] == ["9.G"]


@pytest.mark.rule("picket", "9.G", "9.F")
def test_first_reason_to_leave_counts() -> None:
    state = picket(phase="morning-end")
    state.ship.rooms["rudder"].destroyed = True
    state.ship.fuel = state.ship.ammunition = 0
    at = table(state)
    upkeep.must_leave(at)
    assert state.ship.leaves == "disabled"
    assert len(at.log or []) == 1


@pytest.mark.rule("picket", "8.0", "6.3.B.1")
@pytest.mark.parametrize(("leaves", "days"), [("fuel", 0), ("", 3)])
def test_departed_or_storm_bound_ship_has_no_upkeep(leaves: str, days: int) -> None:
    state = picket(phase="upkeep")
    state.ship.leaves, state.sea.days_lost, state.tally.fired, state.tally.sprayed = leaves, days, True, True
    run(upkeep.turn_ends(table(state)))
    assert (state.ship.fuel, state.ship.ammunition, state.ship.morale) == (10, 10, 0)
    assert not state.tally.fired
    assert not state.tally.sprayed


@pytest.mark.rule("picket", "7.12.D", "7.4.N")
@pytest.mark.parametrize(("lines", "flood", "fuel"), [(2, 10, 10), (3, 10, 1), (3, 0, 10)])
def test_intact_water_lines_ask_nothing(lines: int, flood: int, fuel: int) -> None:
    state, asked = picket(phase="upkeep"), list[Decision]()
    state.ship.water_lines, state.ship.flood, state.ship.fuel = lines, flood, fuel
    run(upkeep.turn_ends(table(state, 3, 3, 3, 4, 1, 2)), {}, asked)
    assert asked == []


@pytest.mark.rule("picket", "8.1.A", "7.3.K")
@pytest.mark.parametrize(
    ("value", "boxes", "dice", "morale"),
    [(2, 0, (4, 3), 1), (2, 1, (4, 3), 0), (-2, 0, (2, 3), -1), (-2, 1, (2, 3), -1), (0, 1, (2, 3), 0)],
)
def test_good_chief_needs_intact_quarters(value: int, boxes: int, dice: tuple[int, int], morale: int) -> None:
    state = picket(phase="upkeep")
    state.ship.officers["captain"].value = max(0, value)
    state.ship.officers["chief"].value = value
    state.ship.spaces["chiefs-quarters"].boxes = boxes
    upkeep._morale(table(state, *dice))
    assert state.ship.morale == morale


@pytest.mark.rule("picket", "9.B", "P40")
@pytest.mark.parametrize("what", ["room", "destroyed", "space", "mount", "gear", "lines", "fire"])
def test_any_damage_uses_repair_table(what: str) -> None:
    state = picket(phase="anchorage", turn=10)
    ship = state.ship
    assert not anchorage.hurt(state, DATA)
    if what in ("room", "destroyed"):
        ship.rooms["bridge"].hits, ship.rooms["bridge"].destroyed = int(what == "room"), what == "destroyed"
    elif what == "lines":
        ship.water_lines = 1
    elif what == "fire":
        ship.fires["aft"] = 1
    else:
        ship.spaces["galley"].boxes = int(what == "space")
        ship.mounts["gun-1"].hits = int(what == "mount")
        ship.gear["mk37"].hits = int(what == "gear")
    assert anchorage.hurt(state, DATA)


@pytest.mark.rule("picket", "9.H", "10.A", "P41", "1.5")
@pytest.mark.parametrize(
    ("leaves", "lost", "withdrawals", "end"),
    [
        ("disabled", "", 1, "disabled"),
        ("radar", "", 1, "radar"),
        ("armament", "", 1, "armament"),
        ("fuel", "", 0, "fuel"),
        ("ammunition", "", 0, "ammunition"),
        ("water", "", 0, "water"),
        ("storm", "", 0, "storm"),
        ("disabled", "blown up", 0, "sunk"),
    ],
)
def test_withdrawals_that_count_in_campaign(leaves: str, lost: str, withdrawals: int, end: str) -> None:
    state = picket(phase="anchorage", turn=10)
    state.ship.leaves, state.ship.lost, state.ship.hull = leaves, lost, 9
    run(anchorage.anchorage(table(state, 1, *([1] if leaves != "storm" else []), *[7] * 12)))
    tour = state.tally.tours[0]
    assert (state.tally.withdrawals, tour.end, tour.last) == (withdrawals, end, 10)
    assert len(state.tally.lost) == bool(lost)


@pytest.mark.rule("picket", "9.G", "7.3.Q", "9.B")
@pytest.mark.parametrize(
    ("hull", "leaves", "column"), [(7, "fuel", 3), (6, "fuel", 8), (3, "fuel", 18), (7, "disabled", 30)]
)
def test_repair_column_by_hull_or_disabled(hull: int, leaves: str, column: int) -> None:
    state = picket(phase="anchorage", turn=10)
    state.ship.leaves, state.ship.hull = leaves, hull
    run(anchorage.anchorage(table(state, 1, 2)))
    assert state.sea.days_lost == column


@pytest.mark.rule("picket", "10.A")
def test_ship_lost_on_last_day_counts_once() -> None:
    state = picket("okinawa", "anchorage", 91)
    state.ship.lost = "blown up"
    assert score(state, DATA) == -20
    with pytest.raises(MatchFinished) as over:
        run(anchorage.anchorage(table(state, 3, *[7] * 9)))
    assert over.value.outcome.scores == {"usa": -20}


@pytest.mark.rule("picket", "10.A")
def test_campaign_levels() -> None:
    levels = DATA.scenarios["okinawa"].levels
    assert levels is not None
    for at, title in enumerate(("American decisive", "American marginal", "draw", "Japanese marginal")):
        for shot, expected in ((levels[at], title), (levels[at] - 1, "")):
            state = picket("okinawa")
            state.tally.shot = shot
            result = outcome(state, DATA)
            assert result.title.startswith(title) == bool(expected)
            assert result.winner == ("usa" if result.title.startswith("American") else None)


@pytest.mark.rule("picket", "10.A", "9.H")
def test_campaign_worst_level_and_withdrawal_limit() -> None:
    state = picket("april")
    state.tally.lost, state.tally.withdrawals = ["one", "two"], 1
    assert outcome(state, DATA).title == "Japanese decisive victory"


@pytest.mark.rule("picket", "7.6.A", "6.2", "7.7.O", "5.2.C", "6.6.L")
def test_phase_wave_and_end_start_state() -> None:
    state, asked = picket(phase="midday-weather"), list[Decision]()
    state.ship.officers["gunnery"].dead = True
    run(sequence._begins(table(state, 7, 7, 1, 2, 5)), {}, asked)
    assert not state.ship.officers["gunnery"].dead
    assert state.sea.weather == "rain"
    assert [one.rule for one in asked] == ["7.6.B"]
    attacked(state, surface=2)
    state.raid.surface, state.ship.all_hands = 0, True
    run(sequence._fire(table(state)), {"7.7.O": "call-off"})
    assert not state.ship.all_hands
    run(sequence._control(table(state)))
    assert (state.raid.wave, state.raid.surface) == (1, 2)


@pytest.mark.rule("picket", "3.0.C", "7.1.E", "8.0")
def test_next_phase_order() -> None:
    state = attacked(picket(phase="midday-strike-1"))
    assert sequence.next_phase(state).phase == "midday-control-1"
    state.ship.lost = "blown up"
    assert sequence.next_phase(state).phase == "anchorage"
    state = picket(phase="upkeep", turn=4)
    assert sequence.next_phase(state).phase == "anchorage"
    state.ship.leaves = "fuel"
    assert sequence.next_phase(state).phase == "anchorage"
    state.at = type(state.at)(4, "anchorage")
    assert (sequence.next_phase(state).turn, sequence.next_phase(state).phase) == (5, "station")


@pytest.mark.rule("picket", "9.C", "2.0.B")
def test_returning_ship_keeps_officer_posts() -> None:
    state, asked = picket(phase="anchorage", turn=10), list[Decision]()
    state.ship.leaves = "fuel"
    run(anchorage.anchorage(table(state, 1)), {}, asked)
    assert asked == []
    assert state.tally.left == "fuel"


@pytest.mark.rule("picket", "6.6.L", "6.7.I", "6.9", "6.10.C", "7.1.F", "7.1.I", "7.2")
def test_whole_wave_is_played() -> None:
    special = plane(kind="judy", weapon="bomb")
    state, asked = (
        attacked(fit(picket(phase="morning-fire-1"), bridge=1), plane("0M"), specials=[special]),
        list[Decision](),
    )
    run(sequence._fire(table(state, 5)), {"6.8": [[], ["hold"]], "6.9.C": "hold"}, asked)
    assert special.section == "aft"
    run(sequence._strike(table(state, 6, 6, 9, 1, 9, 1, 5, 4, 9, 1, 1)), {"6.10": "steady"}, asked)
    assert state.ship.hull == 10 - 4 - 1 - 2
    assert state.ship.rooms["bridge"].hits == 1
    run(sequence._control(table(state, 6, 6, 6)), {"7.7": lambda one: one.keys[:1]}, asked)
    assert state.ship.rooms["bridge"].hits == 0
    rules = list(dict.fromkeys(one.rule for one in asked))
    assert rules == ["6.8", "6.9.C", "6.10", "7.7.E", "7.7.G", "2.0.D", "7.7"]


@pytest.mark.rule("picket", "9.H", "10.A")
def test_withdrawal_off_sets_no_limit() -> None:
    state = picket("april")
    state.tally.shot = 70
    assert outcome(state, DATA).title == "American decisive victory"


@pytest.mark.rule("picket", "9.G", "7.3.Q")
def test_sinking_ship_cannot_withdraw() -> None:
    state, asked = picket(phase="morning-end"), list[Decision]()
    state.ship.hull = 0
    for mount in state.ship.mounts.values():
        mount.hits = 1
    run(upkeep.phase_ends(table(state, 1, 1)), {}, asked)
    assert (state.ship.lost, asked) == ("her hull gave way", [])
