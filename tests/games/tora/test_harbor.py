"""Tests of sections 5.14, 5.15, 8.5, 8.6, 11.4 and 18: the harbor map."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from tests.games.tora.helpers import DATA, SHIPS, default_ships, others, the

from readyroom.games.tora.harbor import (
    LIES,
    ShipAtBerth,
    alongside,
    blocked_rows,
    by_land,
    courses,
    headings,
    in_harbor,
    inner_of,
    is_water,
    mooring_of,
    moorings,
    outer_of,
    reach,
    sortie,
    torpedo_clear,
    torpedo_patches,
    why_no_torpedo,
    why_not,
    why_not_sail,
    zone_of,
)
from readyroom.games.tora.plans.data import Berth

PLACES, HARBOR = DATA.places, DATA.places.harbor


def lying(key: str, x: int, y: int, lie: str = "h", sunk: bool = False) -> ShipAtBerth:
    return ShipAtBerth(SHIPS[key], Berth(x, y, "h" if lie == "h" else "v"), sunk)


# -- water, land, zones ------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "18", "18.1", "18.2")
def test_harbor_has_sizes_of_text() -> None:
    water = sum(in_harbor(HARBOR, (x, y)) for x in range(-2, 60) for y in range(-2, 90))
    assert water == 55 * 46 - 22 * 8
    channel = [(x, y) for x in range(60) for y in range(46, 62) if is_water(HARBOR, (x, y))]
    assert len(channel) == 3 * 16
    assert not is_water(HARBOR, (39, 50))
    assert is_water(HARBOR, (10, 70))


@pytest.mark.rule("tora", "4.1", "4.4", "18.4")
@pytest.mark.parametrize(
    ("ship", "zone"),
    [
        (lying("nevada", 0, 0), "1NW"),
        (lying("nevada", 27, 22), "1NE"),
        (lying("nevada", 24, 30), "1SW"),
        (lying("nevada", 25, 30), "1SE"),
        (lying("nevada", 41, 50, "v"), "2SE"),
        (lying("nevada", 41, 43, "v"), "1SE"),
        (lying("nevada", 41, 60, "v"), "2SE"),
        (lying("nevada", 41, 61, "v"), "3SE"),
    ],
)
def test_ship_is_in_zone_of_middle_of_base(ship: ShipAtBerth, zone: str) -> None:
    assert zone_of(HARBOR, ship.berth, ship.hull.length) == zone


# -- the default anchorage ---------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "5.14", "5.15")
def test_default_anchorage_is_legal_and_nothing_overlaps() -> None:
    ships = default_ships()
    assert [ship.hull.name for ship in ships if why_not(PLACES, ship, others(ship, ships))] == []
    cells = [cell for ship in ships for cell in ship.cells]
    assert len(cells) == len(set(cells))


@pytest.mark.rule("tora", "5.15", "T26")
def test_outer_ship_of_nest_is_one_away_from_land() -> None:
    ships = default_ships()
    nests = {ship.hull.key: outer_of(HARBOR, ship, others(ship, ships)) for ship in ships}
    results = {inner: outer.hull.key for inner, outer in nests.items() if outer}
    assert results == {"maryland": "oklahoma", "tennessee": "west-virginia", "arizona": "vestal"}
    oklahoma = the("oklahoma", ships)
    inner = inner_of(HARBOR, oklahoma, others(oklahoma, ships))
    assert inner is not None
    assert inner.hull.key == "maryland"


@pytest.mark.rule("tora", "5.15", "T26")
def test_nest_in_open_water_has_no_outer_ship() -> None:
    a, b = lying("tangier", 5, 5), lying("vestal", 5, 6)
    assert outer_of(HARBOR, a, [b]) is outer_of(HARBOR, b, [a]) is inner_of(HARBOR, a, [b]) is None
    assert outer_of(HARBOR, a, []) is inner_of(HARBOR, a, []) is None


@pytest.mark.rule("tora", "5.15", "T26")
def test_ships_between_two_shores_have_no_outer_one() -> None:
    narrow = msgspec.structs.replace(HARBOR, height=2)
    a, b = lying("tangier", 5, 0), lying("vestal", 5, 1)
    assert by_land(narrow, a)
    assert by_land(narrow, b)
    assert outer_of(narrow, a, [b]) is inner_of(narrow, a, [b]) is None


# -- torpedo runs ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "11.4", "T8", "T24")
def test_torpedo_reaches_outer_and_single_ships_only() -> None:
    ships = default_ships()
    shielded = {ship.hull.key for ship in ships if not torpedo_clear(HARBOR, ship, others(ship, ships))}
    assert shielded == {"maryland", "tennessee", "arizona", "pennsylvania"}


@pytest.mark.rule("tora", "11.4", "T8")
def test_torpedo_at_maryland_is_blocked_even_if_oklahoma_sank() -> None:
    ships = default_ships()
    maryland, oklahoma = the("maryland", ships), the("oklahoma", ships)
    assert not torpedo_clear(HARBOR, maryland, others(maryland, ships))
    assert torpedo_clear(HARBOR, oklahoma, others(oklahoma, ships))
    sunk = [oklahoma._replace(sunk=True) if ship is oklahoma else ship for ship in ships]
    assert not torpedo_clear(HARBOR, maryland, others(maryland, sunk))
    assert torpedo_clear(HARBOR, maryland, others(maryland, sunk), wrecks_shield=False)
    assert not torpedo_clear(HARBOR, maryland, others(maryland, ships), wrecks_shield=False)
    assert torpedo_clear(HARBOR, maryland, [])


@pytest.mark.rule("tora", "11.4", "T8", "T24")
def test_torpedo_refusal_names_reason_in_sentence() -> None:
    ships = default_ships()
    maryland, pennsylvania = the("maryland", ships), the("pennsylvania", ships)
    assert "Oklahoma is moored outside her" in why_no_torpedo(HARBOR, maryland, others(maryland, ships)).reason
    assert why_no_torpedo(HARBOR, pennsylvania, []).rule == "T8"


@pytest.mark.rule("tora", "11.4")
def test_patch_is_two_by_two_cells_of_water_at_long_edge() -> None:
    ship = lying("raleigh", 10, 10)
    patches = torpedo_patches(HARBOR, ship, [])
    assert len(patches) == 2 * 2, "a base of three has two patches at each edge"
    for patch in patches:
        assert len(set(patch)) == 4
        assert {abs(y - 10) for _, y in patch} == {1, 2}
        assert {x for x, _ in patch} <= {10, 11, 12}
    north = {cell for patch in patches for cell in patch if cell[1] < 10}
    assert not torpedo_clear(HARBOR, lying("raleigh", 10, 2), [lying("utah", 10, 4), lying("tangier", 10, 0)])
    assert north == {(x, y) for x in (10, 11, 12) for y in (8, 9)}


# -- berths ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "5.14")
@pytest.mark.parametrize(
    ("ship", "word"),
    [
        (lying("nevada", 20, 20), "entirely on water"),
        (lying("nevada", 52, 30), "entirely on water"),
        (lying("nevada", 41, 48, "v"), "entirely on water"),
        (lying("nevada", 5, 5), "battleship and must anchor next to Ford Island"),
        (lying("nevada", 39, 45), "battleship and must anchor"),
        (lying("lexington", 20, 27), "north side of Ford Island"),
        (lying("enterprise", 15, 20, "v"), "north side of Ford Island"),
        (lying("enterprise", 15, 18, "v"), "north side of Ford Island"),
        (lying("enterprise", 0, 18), "north side of Ford Island"),
    ],
)
def test_anchorage_refuses_unfit_ships(ship: ShipAtBerth, word: str) -> None:
    no = why_not(PLACES, ship, [])
    assert no is not None
    assert no.rule == "5.14"
    assert word in no.reason


@pytest.mark.rule("tora", "5.14")
@pytest.mark.parametrize(
    "ship",
    [
        lying("nevada", 16, 27),
        lying("nevada", 38, 20, "v"),
        lying("nevada", 54, 23, "v"),
        lying("nevada", 43, 45),
        lying("lexington", 16, 18),
        lying("utah", 0, 0),
        lying("vestal", 40, 40, "v"),
    ],
)
def test_anchorage_accepts_fit_ships(ship: ShipAtBerth) -> None:
    assert why_not(PLACES, ship, []) is None
    assert any(ship.berth in berths for berths in moorings(PLACES, ship.hull, []).values())


@pytest.mark.rule("tora", "5.15")
def test_nest_holds_two_ships_and_no_carrier() -> None:
    one, two, three = lying("tangier", 5, 5), lying("vestal", 5, 6), lying("utah", 5, 7)
    assert why_not(PLACES, two, [one]) is None
    for ship, rest in ((three, [one, two]), (two, [one, three])):
        no = why_not(PLACES, ship, rest)
        assert no is not None
        assert "at most two ships" in no.reason
    four = why_not(PLACES, lying("nevada", 5, 7), [lying("tangier", 4, 6), lying("vestal", 7, 6), lying("utah", 5, 5)])
    assert four is not None
    assert four.reason.startswith("Nevada, Tangier, Vestal, Utah cannot nest together"), "each is named once"
    carrier = lying("lexington", 20, 18)
    assert "carriers may not nest" in str(why_not(PLACES, lying("vestal", 20, 17), [carrier]))
    assert "carriers may not nest" in str(why_not(PLACES, carrier, [lying("vestal", 20, 17)]))


@pytest.mark.rule("tora", "5.15")
def test_crossing_ships_do_not_nest() -> None:
    along, across = lying("tangier", 5, 5), lying("vestal", 6, 6, "v")
    assert not alongside(along, across)
    assert not alongside(across, along)


@pytest.mark.rule("tora", "5.14", "T26")
def test_battleship_may_moor_outside_ship_at_island() -> None:
    outer = lying("oklahoma", 24, 28)
    assert why_not(PLACES, outer, [lying("maryland", 24, 27)]) is None
    assert why_not(PLACES, outer, [lying("neosho", 24, 27)]) is None
    assert why_not(PLACES, lying("oklahoma", 5, 6), [lying("neosho", 5, 5)]) is not None
    assert why_not(PLACES, outer, []) is not None


@pytest.mark.rule("tora", "5.14", "T24")
def test_harbor_has_one_dry_dock() -> None:
    dock = Berth(54, 34, "v", True)
    assert why_not(PLACES, ShipAtBerth(SHIPS["nevada"], dock), []) is None
    no = why_not(PLACES, ShipAtBerth(SHIPS["nevada"], Berth(54, 30, "v", True)), [])
    assert no is not None
    assert no.rule == "T24"


@pytest.mark.rule("tora", "T24")
def test_data_without_dry_dock_offer_none() -> None:
    result = msgspec.structs.replace(PLACES.anchorage, berths={"nevada": Berth(36, 27)})
    assert "dock" not in moorings(msgspec.structs.replace(PLACES, anchorage=result), SHIPS["nevada"], [])


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.rule("tora", "5.14", "5.15")
@pytest.mark.parametrize("key", ["lexington", "nevada", "vestal", "utah"])
def test_offered_and_refused_options_are_disjoint(key: str) -> None:
    for seed in range(3):
        random = Random(seed)
        present = random.sample(default_ships(key), 9)
        every = [Berth(x, y, lie, dock) for lie in LIES for x in range(55) for y in range(46) for dock in (False, True)]
        legal = [berth for berth in every if why_not(PLACES, ShipAtBerth(SHIPS[key], berth), present) is None]
        named = moorings(PLACES, SHIPS[key], present)
        assert sorted((berth for berths in named.values() for berth in berths), key=repr) == sorted(legal, key=repr)
        for name, berths in named.items():
            for berth in random.sample(berths, min(5, len(berths))):
                assert mooring_of(PLACES, ShipAtBerth(SHIPS[key], berth), present) == name


# -- ship movement -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "8.5", "T25")
def test_ship_moves_its_length_in_harbor_and_three_at_sea() -> None:
    assert reach(PLACES, lying("nevada", 36, 27)) == 4
    assert reach(PLACES, lying("raleigh", 41, 50, "v")) == 3
    assert reach(PLACES, lying("nevada", 41, 70, "v")) == 12
    steps = courses(PLACES, lying("raleigh", 5, 5), [])
    assert max(steps.values()) == 3
    assert Berth(5, 5) not in steps, "to stay is no course"
    assert (steps[Berth(6, 5)], steps[Berth(8, 8)]) == (1, 3)
    assert {max(abs(berth.x - 5), abs(berth.y - 5)) for berth in steps} == {0, 1, 2, 3}


@pytest.mark.rule("tora", "8.5", "T25")
def test_land_blocks_course_and_other_bases_only_end() -> None:
    ship = lying("raleigh", 5, 5)
    blocking = [lying("utah", 5, 6), lying("detroit", 5, 7)]
    through = courses(PLACES, ship, blocking)
    assert Berth(5, 8) in through
    assert Berth(5, 7) not in through
    north = lying("nevada", 24, 27)
    assert all(berth.y >= 27 for berth in courses(PLACES, north, []) if 16 <= berth.x <= 34)


@pytest.mark.rule("tora", "5.15", "8.5", "T13", "T24")
def test_ship_that_cannot_move_gets_reason() -> None:
    ships = default_ships()
    for key, rule in (("maryland", "5.15"), ("pennsylvania", "T24"), ("oklahoma", None)):
        ship = the(key, ships)
        no = why_not_sail(HARBOR, ship, others(ship, ships))
        assert (no.rule if no else None) == rule
        assert bool(courses(PLACES, ship, others(ship, ships))) is (rule is None)
        assert bool(headings(PLACES, ship, others(ship, ships))) is (rule is None)
    sunk = lying("nevada", 36, 27, sunk=True)
    assert why_not_sail(HARBOR, sunk, []) is not None


@pytest.mark.rule("tora", "8.6", "T25")
def test_wreck_closes_channel() -> None:
    wreck = lying("utah", 41, 50, "v", sunk=True)
    ship = lying("nevada", 40, 46, "v")
    assert Berth(40, 50, "v") in courses(PLACES, ship, [])
    assert not blocked_rows(HARBOR, [ship])
    assert blocked_rows(HARBOR, [wreck])
    assert not blocked_rows(HARBOR, [lying("utah", 41, 30, "v", sunk=True)]), "she went down in the harbor"
    stopped = courses(PLACES, ship, [wreck])
    assert all(berth.y + 3 < 50 for berth in stopped if berth.lie == "v")
    assert sortie(PLACES, ship, [wreck]) is None
    assert headings(PLACES, ship, [])["south"] == Berth(40, 50, "v")
    assert "south" not in headings(PLACES, ship, [wreck])
    beyond = lying("raleigh", 42, 54, "v")
    assert sortie(PLACES, beyond, [wreck]) is not None


@pytest.mark.rule("tora", "8.5")
def test_sortie_from_battleship_row_reaches_sea() -> None:
    ship, turns = lying("nevada", 36, 27), 0
    while zone_of(HARBOR, ship.berth, 4) != "3SE":
        there = sortie(PLACES, ship, others(ship, default_ships()))
        assert there is not None
        assert there in courses(PLACES, ship, others(ship, default_ships()))
        ship, turns = ShipAtBerth(ship.hull, there), turns + 1
    assert turns == 9


@pytest.mark.rule("tora", "8.5", "T25")
def test_sortie_does_not_end_on_another_ship() -> None:
    ship = lying("nevada", 36, 27)
    first = sortie(PLACES, ship, [])
    assert first is not None
    there = ShipAtBerth(SHIPS["utah"], first)
    second = sortie(PLACES, ship, [there])
    assert second is not None
    assert set(second.cells(4)).isdisjoint(there.cells)


@pytest.mark.rule("tora", "8.5")
def test_headings_are_some_of_courses() -> None:
    ships = default_ships()
    nevada = the("nevada", ships)
    results = headings(PLACES, nevada, others(nevada, ships))
    assert set(results.values()) <= set(courses(PLACES, nevada, others(nevada, ships)))
    assert results["south"] == Berth(36, 31)
    assert "north" not in results
