"""Tests of damage: compartments, flooding, guns, equipment, hull and random results."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.games.picket.helpers import DATA, fit, hit, log_text, main_damage, picket, rolled, run, table

from readyroom.engine.rules.dice import fixed_dice
from readyroom.engine.rules.table import LogLine, Table
from readyroom.games.picket import GAME
from readyroom.games.picket.ending import upkeep
from readyroom.games.picket.figures.common import Section
from readyroom.games.picket.figures.damage import (
    DamageResult,
    Effect,
    GearHit,
    GunHit,
    RoomHit,
    SpaceHit,
    TrackLoss,
)
from readyroom.games.picket.ship import damage
from readyroom.games.picket.ship.damage import side_of
from readyroom.games.picket.state import Picket, PrimaryCompartment


@pytest.mark.rule("picket", "7.3.A")
@pytest.mark.parametrize(
    ("cell", "result"),
    [
        ("magazine-1", RoomHit("magazine-1")),
        ("magazine-1 x2", RoomHit("magazine-1", 2)),
        ("galley", SpaceHit("galley")),
        ("gun-1", GunHit("gun-1")),
        ("radar-sg", GearHit("radar-sg")),
        ("ammo-1", TrackLoss("ammo-1", "ammunition", 1)),
        ("deck-fire", Effect.DECK_FIRE),
    ],
)
def test_damage_cell_decodes_to_typed_result(cell: str, result: DamageResult) -> None:
    assert DATA.damage_results[cell] == result


@pytest.mark.rule("picket", "7.3", "7.3.A", "7.1.C", "P22")
def test_main_damage_rolls_d10_row_d6_column() -> None:
    state = picket()
    at = table(state, 2, 5, 1)
    assert main_damage(at, "forward", "bow") == ["forward-40mm-magazine"]
    assert state.ship.rooms["forward-40mm-magazine"].hits == 1
    (line,) = (line for line in at.log or () if line.rule == "7.3")
    assert [GAME.roll_title("7.3", roll.name) for roll in line.rolls] == [
        "What is hit? The first die chooses the row, the second the column of the forward damage table",
    ] * 2


@pytest.mark.rule("picket", "7.3.A", "7.3.F", "7.3.I")
def test_damage_cell_may_add_several_markers() -> None:
    state = picket()
    at = table(state, 2, 2, 1, 1, 1)
    assert main_damage(at, "forward", "bow") == ["magazine-1"]
    assert state.ship.rooms["magazine-1"].hits == 3
    assert log_text(at, "7.3") == f"The forward section is hit: {DATA.rooms['magazine-1'].name}, 3 hits."
    at = table(state, 2, 2, 1, 6, 5)
    main_damage(at, "forward", "bow")
    magazine = state.ship.rooms["magazine-1"]
    assert (magazine.destroyed, magazine.flooded, state.ship.lost) == (True, True, "")


@pytest.mark.rule("picket", "7.3.A", "7.3.B", "7.3.C", "7.3.O", "P22")
def test_full_compartment_is_destroyed_and_ignores_hits() -> None:
    state = picket()
    at = table(state)
    for _ in range(2):
        hit(at, "bridge", "forward", "bow")
    bridge = state.ship.rooms["bridge"]
    assert (bridge.hits, bridge.destroyed, at.undo_blocked) == (2, False, False)
    hit(at, "bridge", "forward", "bow")
    assert (bridge.hits, bridge.destroyed, at.undo_blocked) == (0, True, True)
    assert log_text(at, "7.3.B") == "Bridge is destroyed."
    hit(at, "bridge", "forward", "bow")
    assert (bridge.hits, bridge.destroyed) == (0, True)


@pytest.mark.rule("picket", "7.4.A", "7.5", "7.5.A", "7.5.B", "7.5.C", "7.9.A")
def test_basic_game_has_no_flooding_or_secondary_hits() -> None:
    state = picket(game="basic")
    at = table(state)
    for _ in range(4):
        hit(at, "magazine-1", "forward", "bow")
    assert state.ship.rooms["magazine-1"].destroyed
    assert (state.ship.flood, state.ship.heel, state.ship.trim) == (10, 0, 0)
    hit(at, "galley", "midship", "port")
    assert state.ship.hull == 9
    assert state.ship.spaces["galley"].boxes == 0


@pytest.mark.rule("picket", "7.3.F", "7.3.G", "7.3.S", "7.4.F", "P24")
def test_flood_check_six_floods_second_six_destroys() -> None:
    state = picket()
    hit(table(state, 6, 5), "forward-fuel", "forward", "port")
    room = state.ship.rooms["forward-fuel"]
    assert (room.flooded, room.destroyed, room.hits) == (True, False, 1)
    assert (state.ship.flood, state.ship.maneuver, state.ship.tilt["port"]) == (9, 9, 1)
    hit(table(state), "forward-fuel", "forward", "port")
    assert room.hits == 2
    assert state.ship.flood == 9
    hit(table(state, 6, 6), "magazine-1", "forward", "bow")
    assert state.ship.rooms["magazine-1"].destroyed
    assert state.ship.tilt["bow"] == 1


@pytest.mark.rule("picket", "7.3.I", "7.3.J", "P25", "P30")
def test_flooding_in_time_prevents_explosion() -> None:
    state = fit(picket(), forward_fire_room=3)
    room, engineer = state.ship.rooms["forward-fire-room"], state.ship.officers["engineer"]
    room.men, engineer.place = 2, "forward-fire-room"
    hit(table(state, 1, 5, 5), "forward-fire-room", "midship", "starboard")
    assert room.destroyed
    assert room.flooded
    assert room.men == 0
    assert state.ship.men["midship"] == 12
    assert not engineer.dead
    assert state.ship.tilt["starboard"] == 1


@pytest.mark.rule("picket", "7.3.I", "7.3.J", "P25")
def test_failed_flooding_may_explode_and_kills_men() -> None:
    state = fit(picket(), magazine_1=3)
    state.ship.rooms["magazine-1"].men = 3
    hit(table(state, 1, 2, 3, 5, 4), "magazine-1", "forward", "bow")
    assert state.ship.men["forward"] == 14
    assert state.ship.rooms["magazine-1"].men == 0
    assert not state.ship.lost
    state = fit(picket(), magazine_1=3)
    hit(table(state, 1, 2, 3, 3, 3), "magazine-1", "forward", "bow")
    assert state.ship.lost == "blown up"


@pytest.mark.rule("picket", "7.3.I", "P25")
def test_flooded_or_inert_compartment_needs_no_flooding() -> None:
    state = fit(picket(), magazine_1=3, radio=2)
    state.ship.rooms["magazine-1"].flooded = True
    hit(table(state), "magazine-1", "forward", "bow")
    hit(table(state), "radio", "forward", "bow")
    assert state.ship.rooms["magazine-1"].destroyed
    assert state.ship.rooms["radio"].destroyed


@pytest.mark.rule("picket", "7.3.J", "P25")
def test_detonation_column_depends_on_section() -> None:
    ends, midship = picket(), picket()
    hit(table(ends, 2, 2), "detonation", "aft", "stern")
    hit(table(midship, 4, 4, 9, 3), "detonation", "midship", "port")
    assert ends.ship.lost
    assert not midship.ship.lost
    assert midship.ship.hull == 7
    assert midship.ship.fires["midship"] == 1
    assert midship.ship.ammunition == 9


@pytest.mark.rule("picket", "7.3.K", "7.3.D", "7.9.B")
def test_secondary_compartment_damaged_then_destroyed() -> None:
    state = picket()
    hit(table(state), "shaft-alley", "aft", "stern")
    assert state.ship.spaces["shaft-alley"].boxes == 1
    at = table(state, 6)
    hit(at, "shaft-alley", "aft", "stern")
    assert log_text(at, "7.3.K") == "The shaft alley is destroyed and floods."
    assert state.ship.spaces["shaft-alley"].flooded
    assert state.ship.flood == 9
    assert state.ship.tilt["stern"] == 1
    hit(table(state), "shaft-alley", "aft", "stern")
    for _ in range(2):
        hit(table(state), "galley", "midship", "port")
    assert state.ship.flood == 9
    assert not state.ship.works("galley")


@pytest.mark.rule("picket", "7.3.M", "7.3.N", "7.10.D", "7.11.C", "7.3.O")
@pytest.mark.parametrize("key", ["mk37", "radar-sc"])
def test_equipment_damaged_then_destroyed(key: str) -> None:
    state = picket()
    for expected, sentence in ((1, "is damaged."), (2, "is destroyed."), (2, "")):
        at = table(state)
        hit(at, key, "forward", "bow")
        assert state.ship.gear[key].hits == expected
        assert log_text(at, "7.3.N").endswith(sentence)


@pytest.mark.rule("picket", "7.10.E", "7.11.D")
@pytest.mark.parametrize(("key", "rule"), [("mk37", "7.10.E"), ("radar-sc", "7.11.D")])
def test_equipment_second_hit_kills_repairer(key: str, rule: str) -> None:
    state = picket()
    state.ship.gear[key].hits, state.ship.gear[key].man = 1, True
    at = table(state)
    hit(at, key, "forward", "bow")
    assert not state.ship.gear[key].man
    assert log_text(at, rule) == "A man of the forward party is killed."


@pytest.mark.rule("picket", "7.3.P", "P14")
def test_gun_hits_by_boxes() -> None:
    state = picket()
    for key, boxes in (("gun-1", 3), ("gun-c", 2), ("gun-f", 1)):
        at = table(state)
        for _ in range(4):
            hit(at, key, "forward", "bow")
        assert state.ship.mounts[key].hits == boxes == DATA.mounts[key].boxes
        assert [line.text.rpartition(" ")[2] for line in at.log or []] == ["damaged."] * (boxes - 1) + ["destroyed."]


@pytest.mark.rule("picket", "12.1", "P50")
def test_removed_mount_hit_strikes_replacement() -> None:
    state = picket("lingayen")
    at = table(state)
    for cell in ("gun-a", "gun-b", "gun-b", "director-a"):
        hit(at, cell, "forward", "bow")
    assert [state.ship.mounts[key].hits for key in ("gun-m", "gun-n", "gun-o")] == [1, 1, 1]
    kyushu = picket("kyushu")
    hit(table(kyushu), "gun-k", "aft", "stern")
    assert not any(mount.hits for mount in kyushu.ship.mounts.values())


@pytest.mark.rule("picket", "7.3.Q", "P27")
@pytest.mark.parametrize(("planes", "lost"), [(1, 3), (2, 6), (3, 8), (5, 10)])
def test_hull_roll_depends_on_planes_that_struck(planes: int, lost: int) -> None:
    state = picket(phase="morning-end")
    state.raid.struck = planes
    run(upkeep.phase_ends(table(state, 3, 4, 6, 6)))
    assert state.ship.hull == 10 - lost
    assert state.ship.leaves == ("disabled" if lost == 10 else "")


@pytest.mark.rule("picket", "7.3.Q", "7.3.R", "7.3.E", "P27")
@pytest.mark.parametrize(
    ("track", "dice", "end"),
    [
        ("hull", (3, 4), "lost"),
        ("hull", (4, 4), "disabled"),
        ("maneuver", (1, 2), "lost"),
        ("maneuver", (2, 2), "disabled"),
    ],
)
def test_zero_hull_or_maneuver_may_sink_or_leaves(track: str, dice: tuple[int, int], end: str) -> None:
    state = picket(phase="morning-end")
    setattr(state.ship, track, 0)
    assert not state.ship.lost
    run(upkeep.phase_ends(table(state, *dice)))
    sunk = {"hull": "her hull gave way", "maneuver": "on the way to the anchorage"}[track]
    assert state.ship.lost == (sunk if end == "lost" else "")
    assert state.ship.leaves == ("" if end == "lost" else end)


@pytest.mark.rule("picket", "7.3.E")
def test_keel_hit_costs_hull_and_may_sink() -> None:
    state = picket()
    hit(table(state, 4, 4), "keel", "midship", "port")
    assert state.ship.hull == 6
    assert state.ship.lost == "broken in two"


@pytest.mark.rule("picket", "7.3.T", "7.3.U", "P23")
def test_near_miss_results() -> None:
    state = picket()
    run(damage.near_miss(table(state, 3, 4), "aft", "stern"))
    assert state.ship.hull == 10
    run(damage.near_miss(table(state, 1, 3), "aft", "stern"))
    assert state.ship.mounts["gun-j"].hits == 1
    run(damage.near_miss(table(state, 1, 2), "aft", "stern"))
    assert state.ship.spaces["crew-quarters-3"].flooded
    run(damage.near_miss(table(state, 5, 6, 1), "aft", "stern"))
    assert state.ship.spaces["crew-quarters-2"].boxes == 1
    run(damage.near_miss(at := table(state, 1, 1), "forward", "bow"))
    assert log_text(at, "7.3.T") == "A near miss shakes the forward section: hull integrity −2."
    run(damage.near_miss(table(state, 1, 3), "forward", "bow"))
    assert state.ship.hull == 8


@pytest.mark.rule("picket", "7.3.T", "7.5.C")
def test_basic_game_near_miss_damages_hull() -> None:
    state = picket(game="basic")
    run(damage.near_miss(table(state, 1, 2), "aft", "stern"))
    assert state.ship.hull == 9


@pytest.mark.rule("picket", "7.3.W", "7.12.A", "5.2.G")
def test_random_damage_results() -> None:
    state = picket()
    state.ship.surface = state.raid.surface = 2
    happens: list[tuple[tuple[int, ...], Callable[[], bool]]] = [
        ((2, 2), lambda: state.ship.surface == 1 and state.raid.surface == 1),
        ((2, 3), lambda: state.ship.water_lines == 1),
        ((3, 3), lambda: state.ship.fires["aft"] == 1),
        ((4, 4), lambda: state.ship.hull == 9),
        ((4, 5, 1), lambda: state.ship.gear["radar-sc"].hits == 1),
        ((4, 5, 2), lambda: state.ship.gear["radar-sg"].hits == 1),
        ((5, 5), lambda: state.ship.gear["mk37"].hits == 1),
    ]
    for dice, function in happens:
        hit(table(state, *dice), "random", "aft", "stern")
        assert function(), dice


@pytest.mark.rule("picket", "7.3.Y", "7.12.A", "7.12.B")
def test_fires_and_water_lines_stop_at_track_end() -> None:
    state = picket()
    at = table(state)
    for _ in range(5):
        hit(at, "deck-fire", "aft", "stern")
        hit(at, "water-line", "aft", "stern")
    assert state.ship.fires == {"forward": 0, "midship": 0, "aft": 3}
    assert state.ship.water_lines == 3
    assert "destroyed" in log_text(at, "7.12.B")


@pytest.mark.rule("picket", "7.8.2.J", "P26", "1.2.1")
@pytest.mark.parametrize(
    ("rooms", "track", "left"),
    [
        (["forward-engine-room"], "maneuver", 5),
        (["forward-fire-room"], "maneuver", 10),
        (["aft-fire-room"], "maneuver", 10),
        (["forward-fire-room", "aft-fire-room"], "maneuver", 0),
        (["forward-fuel"], "fuel", 5),
        (["rudder"], "maneuver", 7),
        (["port-shaft"], "maneuver", 7),
        (["forward-stack"], "maneuver", 9),
        (["steering-room"], "maneuver", 8),
    ],
)
def test_destroyed_compartment_losses(rooms: list[str], track: str, left: int) -> None:
    state = picket()
    for room in rooms:
        damage.destroy(table(state), room)
    assert getattr(state.ship, track) == left


@pytest.mark.rule("picket", "7.8.2.J", "1.2.1")
def test_tank_lost_without_steam_costs_fuel() -> None:
    state = picket()
    at = table(state)
    for room in ("forward-fire-room", "aft-fire-room", "aft-fuel"):
        damage.destroy(at, room)
    assert (state.ship.maneuver, state.ship.fuel) == (0, 5)
    assert log_text(at, "7.8.2.J") == "No steam is left: the ship is dead in the water."


@pytest.mark.rule("picket", "7.8.2.J")
def test_first_rudder_or_shaft_hit_costs_maneuver() -> None:
    state = picket()
    hit(table(state), "rudder", "aft", "stern")
    hit(table(state), "port-shaft", "aft", "stern")
    assert state.ship.maneuver == 7
    hit(table(state), "rudder", "aft", "stern")
    assert (state.ship.rooms["rudder"].destroyed, state.ship.maneuver) == (True, 4)
    hit(table(state), "port-shaft", "aft", "stern")
    assert (state.ship.rooms["port-shaft"].destroyed, state.ship.maneuver) == (True, 1)


@pytest.mark.rule("picket", "7.4.H", "7.4.I", "7.4.J", "7.4.K", "7.4.L")
@pytest.mark.parametrize(
    ("bearing", "side"),
    [
        (0, "bow"),
        (45, "starboard"),
        (90, "starboard"),
        (135, "starboard"),
        (180, "stern"),
        (225, "port"),
        (270, "port"),
        (315, "port"),
    ],
)
def test_flooding_tilts_to_side_of_hit(bearing: int, side: str) -> None:
    state = picket()
    assert side_of(bearing) == side
    hit(table(state, 6, 1), "aft-fuel", "aft", side_of(bearing))
    assert {key: value for key, value in state.ship.tilt.items() if value} == {side: 1}


@pytest.mark.rule("picket", "7.4.M", "7.4.N", "P28")
def test_zero_flood_track_may_sink_each_turn() -> None:
    state = picket(phase="upkeep")
    state.ship.flood = 0
    run(upkeep.turn_ends(table(state, 3, 4, 3, 3, 3, 3)))
    assert not state.ship.lost
    assert not state.ship.leaves
    run(upkeep.turn_ends(table(state, 3, 4, 3, 3, 2, 3)))
    assert "full of water" in state.ship.lost


@pytest.mark.rule("picket", "7.3.V")
@pytest.mark.parametrize(
    ("dice", "officer"), [((1, 1), "captain"), ((1, 2), "executive"), ((5, 5), "engineer"), ((6, 6), "chief")]
)
def test_casualty_table_kills_officer_unless_saved(dice: tuple[int, int], officer: str) -> None:
    state = picket()
    hit(table(state, *dice, 6), "crew", "forward", "bow")
    assert not state.ship.officers[officer].dead
    hit(table(state, *dice, 5), "crew", "forward", "bow")
    assert state.ship.officers[officer].dead
    bare: Picket = picket()
    bare.ship.spaces["wardroom"].boxes = 1
    hit(table(bare, *dice), "crew", "forward", "bow")
    assert bare.ship.officers[officer].dead


@pytest.mark.rule("picket", "7.3.V")
def test_casualty_table_kills_free_men_first() -> None:
    state = picket()
    hit(table(state, 4, 5, 1, 6), "crew", "aft", "stern")
    assert state.ship.men["aft"] == 12
    state.ship.men["aft"], state.ship.rooms["rudder"].men = 0, 2
    hit(table(state, 3, 4, 1), "crew", "aft", "stern")
    assert state.ship.rooms["rudder"].men == 1
    state.ship.rooms["rudder"].men = 0
    hit(table(state, 3, 4), "crew", "aft", "stern")


@pytest.mark.rule("picket", "7.3.E", "7.3.O")
def test_lost_ship_takes_no_damage() -> None:
    state = picket()
    at = table(state)
    damage.sink(at, "7.3.E", "blown up")
    damage.sink(at, "7.3.E", "broken in two")
    assert state.ship.lost == "blown up"
    assert (log_text(at, "7.3.E"), at.undo_blocked) == (f"{state.ship.name} is lost: blown up.", True)
    assert main_damage(at, "aft", "stern") == hit(at, "hull-2", "aft", "stern") == []
    run(damage.explosion(at, "magazine", "aft", "stern"))
    assert state.ship.hull == 10


@pytest.mark.rule("picket", "1.2.1", "7.8.2.J")
def test_tracks_stop_at_zero() -> None:
    state = picket()
    for _ in range(2):
        damage.destroy(table(state), "aft-fuel")
    assert state.ship.fuel == 5
    damage.destroy(table(state), "forward-fuel")
    damage.lose(table(state), "fuel", 1)
    damage.lose(table(state), "hull", 12)
    assert (state.ship.fuel, state.ship.hull) == (0, 0)


@pytest.mark.rule("picket", "7.3.A", "7.3.F", "7.3.I")
def test_steering_room_neither_floods_nor_explodes() -> None:
    state = fit(picket(), steering_room=3)
    hit(table(state), "steering-room", "aft", "stern")
    assert state.ship.rooms["steering-room"].destroyed
    assert not state.ship.rooms["steering-room"].flooded


@pytest.mark.rule("picket", "7.3.I")
@pytest.mark.parametrize(
    ("key", "flooded", "burns"),
    [
        ("magazine-1", False, True),
        ("magazine-1", True, False),
        ("bridge", False, False),
        ("steering-room", False, False),
    ],
)
def test_only_dry_tank_rooms_need_flooding(key: str, flooded: bool, burns: bool) -> None:
    room, boxes = PrimaryCompartment(key=key, flooded=flooded), DATA.damage.flooding.tank_room_boxes
    assert damage._burns(boxes, DATA.rooms[key], room) is burns
    assert not damage._burns(boxes - 1, DATA.rooms[key], room)


@pytest.mark.rule("picket", "7.3.J", "7.3.I")
@pytest.mark.parametrize(
    ("room", "section", "dice", "column", "hull", "lost"),
    [
        ("magazine-5", "aft", (4, 4), "magazine", 10, True),
        ("aft-fuel", "aft", (4, 4), "fuel", 7, False),
        ("aft-fuel", "aft", (3, 4), "fuel", 10, True),
        ("aft-engine-room", "midship", (4, 4), "machinery", 7, False),
        ("aft-fire-room", "midship", (5, 4), "machinery", 10, False),
    ],
)
def test_explosion_uses_column_by_kind(
    room: str, section: Section, dice: tuple[int, int], column: str, hull: int, lost: bool
) -> None:
    state = fit(picket(), **{room.replace("-", "_"): 3})
    at = table(state, 1, 2, 2, *dice, 8, 1)
    hit(at, room, section, "stern")
    assert (state.ship.hull, bool(state.ship.lost)) == (hull, lost)
    assert f"column {column}:" in rolled(at, "7.3.J")[0]


@pytest.mark.rule("picket", "7.3.J", "P25")
@pytest.mark.parametrize(("section", "lost"), [("forward", True), ("midship", False), ("aft", True)])
def test_explosion_eight_sinks_by_magazine_only(section: Section, lost: bool) -> None:
    state = picket()
    hit(table(state, 4, 4, 9, 1), "detonation", section, "port")
    assert bool(state.ship.lost) == lost


@pytest.mark.rule("picket", "7.3.K", "7.3.O")
def test_secondary_five_does_not_flood() -> None:
    state = picket()
    for dice in ((), (5,), ()):
        hit(table(state, *dice), "feed-tank", "midship", "port")
    assert (state.ship.spaces["feed-tank"].boxes, state.ship.spaces["feed-tank"].flooded) == (2, False)
    assert (state.ship.men["midship"], state.ship.flood) == (10, 10)


@pytest.mark.rule("picket", "7.2.B", "7.3.S")
def test_compartment_floods_once() -> None:
    state = picket()
    room = state.ship.rooms["aft-fuel"]
    damage.flood(table(state), room, "port")
    damage.flood(table(state), room, "starboard")
    assert (state.ship.flood, state.ship.maneuver, room.side) == (9, 9, "port")


@pytest.mark.rule("picket", "7.3.T", "7.7.K")
def test_near_miss_hits_next_gun_or_compartment() -> None:
    state = picket()
    for key in ("gun-j", "gun-k", "gun-l"):
        assert run(damage.near_miss(table(state, 1, 3), "aft", "stern")) == [key]
    assert run(damage.near_miss(table(state, 1, 3), "aft", "stern")) == []
    state.ship.spaces["aft-stores"].man, state.ship.men["aft"] = True, 12
    for key, dice in (("crew-quarters-3", (5,)), ("aft-stores", (5,)), ("shaft-alley", ()), ("after-peak", ())):
        assert run(damage.near_miss(table(state, 1, 2, *dice), "aft", "stern")) == [key]
    assert (state.ship.men["aft"], state.ship.spaces["aft-stores"].man, state.ship.flood) == (13, False, 6)
    assert run(damage.near_miss(table(state, 1, 2), "aft", "stern")) == []
    assert run(damage.near_miss(table(picket(game="basic"), 1, 2), "aft", "stern")) == ["hull-1"]


@pytest.mark.rule("picket", "7.3.T", "7.7.K")
def test_near_miss_flooding_may_kill_men() -> None:
    state = picket()
    state.ship.spaces["sail-locker"].man = True
    at = table(state, 1, 2, 6, 1)
    run(damage.near_miss(at, "aft", "stern"))
    assert not state.ship.spaces["sail-locker"].man
    assert log_text(at, "7.7.K") == "The sick bay cannot save a man of the aft party. A man of the aft party is killed."


@pytest.mark.rule("picket", "7.3.T", "P23")
def test_damage_table_near_miss_uses_table() -> None:
    state = picket()
    assert main_damage(table(state, 9, 6, 1, 1), "forward", "bow") == ["near-miss", "hull-2"]
    assert state.ship.hull == 8


@pytest.mark.rule("picket", "7.3.W", "5.1.C", "5.2.G")
def test_random_damage_removes_team_or_present_support() -> None:
    state = picket()
    state.ship.team = True
    hit(table(state, 1, 2), "random", "aft", "stern")
    assert not state.ship.team
    hit(table(state, 1, 3), "random", "aft", "stern")
    assert (state.ship.surface, state.ship.surface_lost) == (0, 0)
    state.ship.surface, state.raid.surface = 2, 0
    hit(table(state, 1, 3), "random", "aft", "stern")
    assert (state.ship.surface, state.raid.surface, state.ship.surface_lost) == (1, 0, 1)


@pytest.mark.rule("picket", "12.1")
def test_destroyed_replacement_mount_passes_hit_on() -> None:
    state = picket("lingayen")
    for cell in ("gun-a", "gun-a", "gun-1"):
        hit(table(state), cell, "forward", "bow")
    assert [state.ship.mounts[key].hits for key in ("gun-m", "gun-n", "gun-o", "gun-1")] == [1, 0, 0, 1]


@pytest.mark.rule("picket", "12.1")
def test_hit_on_absent_mount_is_ignored() -> None:
    fits = DATA.guns.armaments
    own = replace(fits["june-1945"], gun=fits["six-barrel"].gun[:1])
    data = replace(DATA, guns=replace(DATA.guns, armaments=fits | {"june-1945": own}))
    for scenario in ("kyushu", "evans"):
        state = picket(scenario)
        damage.hit_mount(Table(state, data, fixed_dice(), list[LogLine]()), "gun-n")
        assert not any(mount.hits for mount in state.ship.mounts.values())


@pytest.mark.rule("picket", "7.4.M", "P28")
@pytest.mark.parametrize(("dice", "lost"), [((1, 1), "full of water"), ((6, 6), "")])
def test_flood_track_at_zero_may_sink(dice: tuple[int, int], lost: str) -> None:
    state = picket()
    state.ship.flood = state.ship.maneuver = 1
    damage.flood(at := table(state, *dice), state.ship.spaces["shaft-alley"], "stern")
    assert (state.ship.flood, state.ship.lost) == (0, lost)
    assert rolled(at, "7.4.M")


@pytest.mark.rule("picket", "7.3.Q", "7.3.R", "P28")
@pytest.mark.parametrize(
    ("dice", "lost"), [((4, 4, 1, 2), "on the way to the anchorage"), ((3, 4), "her hull gave way"), ((4, 4, 2, 2), "")]
)
def test_zero_hull_and_maneuver_roll_for_both(dice: tuple[int, ...], lost: str) -> None:
    state = picket(phase="morning-end")
    state.ship.hull = state.ship.maneuver = 0
    run(upkeep.phase_ends(table(state, *dice)))
    assert (state.ship.lost, state.ship.leaves) == (lost, "" if lost else "disabled")


@pytest.mark.rule("picket", "9.G")
def test_both_shafts_damaged_forces_departure() -> None:
    state = picket(phase="morning-end")
    for key in ("port-shaft", "starboard-shaft"):
        hit(table(state, 1, 1, 1, 1), key, "aft", "stern")
        assert state.ship.shafts_hit == (key == "starboard-shaft")
    for key in ("port-shaft", "starboard-shaft"):
        state.ship.rooms[key].hits = 0
    run(upkeep.phase_ends(table(state)))
    assert state.ship.leaves == "disabled"


@pytest.mark.rule("picket", "7.3.F", "7.3.G", "7.3.K")
def test_log_shows_failed_flood_check() -> None:
    state = picket()
    at = table(state, 1)
    hit(at, "forward-fuel", "forward", "port")
    assert log_text(at, "7.3.F").endswith("does not flood.")
    assert rolled(at, "7.3.F") == ["1d6 = 1, floods on 6 or more"]


@pytest.mark.rule("picket", "7.4.M", "P28")
def test_ship_sunk_by_flooding_ends_log() -> None:
    state = picket()
    state.ship.flood = 1
    hit(at := table(state, 6, 1, 1), "magazine-3", "aft", "stern")
    assert state.ship.lost
    assert "is lost" in [line.text for line in at.log or []][-1]


@pytest.mark.rule("picket", "7.3.K")
def test_compartment_without_boxes_says_what_the_hull_loses() -> None:
    at = table(picket(game="basic"), 6, 1)
    main_damage(at, "forward", "bow")
    assert log_text(at, "7.3") == "The forward section is hit: wardroom, which has no boxes: hull integrity −1."
    assert log_text(at, "1.2.1") == "Hull integrity falls to 9."


@pytest.mark.rule("picket", "7.3.T")
def test_near_miss_says_what_other_sums_do() -> None:
    at = table(picket(game="basic"), 6, 6)
    run(damage.near_miss(at, "aft", "stern"))
    (result,) = rolled(at, "7.3.T")
    assert result == "2d6 = 12, no serious damage on 5–9, else to hull, men, a gun or a compartment: hull-1"
