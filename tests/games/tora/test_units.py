"""Tests of sections 3, 4 and 6: units match the rulebook's tables."""

from __future__ import annotations

import pytest
from tests.games.tora.helpers import DATA, DEFENCE, tora

from readyroom.games.tora import GAME
from readyroom.games.tora.state import SHARES


@pytest.mark.rule("tora", "1", "1.1", "5.1")
def test_calendar_is_ten_days_at_alert_one() -> None:
    calendar, alert = DATA.planning.calendar, DATA.planning.alert
    assert (calendar.month, calendar.year, calendar.days, alert.base) == ("December", 1941, 10, 1)
    assert DEFENCE.airfield == DEFENCE.ship == DEFENCE.aaa == (1,) * 10


@pytest.mark.rule("tora", "3", "3.1", "6", "16.2")
def test_units_sum_to_300_japanese_and_174_american_aircraft() -> None:
    state = tora()
    japanese, american = state.japan.carriers, state.usa.pool
    assert (len(japanese), sum(unit.strength for unit in japanese)) == (75, 300)
    assert (len(american), sum(unit.strength for unit in american)) == (57, 174)
    assert sum(each.planes for each in DATA.air.of("japan")) == DATA.air.limits.japan_planes
    assert DATA.air.limits.sustainable_losses * 2 == DATA.air.limits.japan_planes


@pytest.mark.rule("tora", "3.1", "3.3", "6", "9", "9.1", "9.2", "9.3")
@pytest.mark.parametrize(
    ("key", "units", "strength", "hit"),
    [
        ("p40", 24, 4, 4),
        ("p36", 12, 3, 5),
        ("p26", 7, 2, 6),
        ("f4f", 10, 2, 4),
        ("f2a", 4, 2, 6),
        ("kate", 30, 4, 4),
        ("val", 24, 4, 4),
        ("zero", 21, 4, 3),
    ],
)
def test_aircraft_types_have_units_strength_and_hit_number(key: str, units: int, strength: int, hit: int) -> None:
    each = DATA.air.types[key]
    assert (each.units, each.strength, each.hit) == (units, strength, hit)


@pytest.mark.rule("tora", "3.2", "14.2", "T16")
def test_ten_of_sixteen_ships_are_capital_ships() -> None:
    ships = tora().usa.ships
    assert len(ships) == 16
    assert sum(ship.capital for ship in ships) == DATA.ships.capital.total == 10
    assert {ship.kind for ship in ships if ship.capital} == {"CV", "BB"}


@pytest.mark.rule("tora", "T1", "T5")
@pytest.mark.parametrize(
    ("preset", "hit", "damaged", "battleship"), [("prose", 5, 2, 6), ("table", 4, 4, 8), ("literal", 4, 1, 8)]
)
def test_preset_sets_hit_numbers_damage_and_strengths_together(
    preset: str, hit: int, damaged: int, battleship: int
) -> None:
    state = tora(preset=preset)
    nevada = state.usa.ship("nevada")
    assert (state.bomber_hit, nevada.strength) == (hit, battleship)
    nevada.hits = damaged - 1
    assert not state.damaged(nevada)
    nevada.hits = damaged
    assert state.damaged(nevada)
    nevada.hits = battleship
    assert nevada.sunk
    assert not state.damaged(nevada)


@pytest.mark.rule("tora", "4", "4.1", "8.3", "T9")
def test_twelve_zones_adjoin_inwards_outwards_and_along_ring() -> None:
    assert len(DATA.places.zone_ids) == 12
    near = DATA.places.adjacent()
    assert set(near["2SE"]) == {"1SE", "3SE", "2NE", "2SW"}
    assert set(near["1NW"]) == {"2NW", "1NE", "1SW"}
    assert set(DATA.places.adjacent(diagonal=True)["2SE"]) == set(near["2SE"]) | {"1NE", "1SW", "3NE", "3SW"}
    for near in (DATA.places.adjacent(), DATA.places.adjacent(diagonal=True)):
        assert all(zone in near[other] for zone, zones in near.items() for other in zones)
        assert all(len(zones) == len(set(zones)) for zones in near.values())


@pytest.mark.rule("tora", "4.2", "4.3", "4.4", "17.2", "18.3", "T18")
def test_fields_batteries_and_yard_have_their_zones() -> None:
    usa = tora(battery=6).usa
    assert {field.name: (field.zone, field.places) for field in usa.fields} == {
        "Wheeler": ("2NW", 20),
        "Hickam": ("2SE", 20),
        "Kaneohe": ("2NE", 10),
        "Ewa": ("2SW", 10),
    }
    assert [battery.zone for battery in usa.batteries] == ["2SW", "2SW", "2SE", "2SE"]
    assert {battery.strength for battery in usa.batteries} == {6}
    assert sum(token.capacity for token in usa.yard) == DATA.places.yard.bands[-1] == 60
    assert len(usa.yard) == 12


@pytest.mark.rule("tora", "T21", "16.1", "T22")
def test_quadrants_are_divided_among_one_to_four_seats() -> None:
    for players, shares in SHARES.items():
        quadrants = [quadrant for _, share in shares for quadrant in share]
        assert (len(shares), sorted(quadrants)) == (players, ["NE", "NW", "SE", "SW"])
        state = tora(usa_players=players)
        assert len(state.usa.seats) == players
        assert state.usa.commander == state.usa.commands["NW"]
    options = GAME.resolve({"japan_players": "2", "umpire": "yes"})
    seats = GAME.rules.seats(GAME.scenario("december"), options)
    assert [seat.key for seat in seats] == ["japan-north", "japan-south", "usa", "umpire"]
    assert seats[0].name == "Japan, north"


@pytest.mark.rule("tora", "13.2")
def test_deck_has_twenty_red_cards_and_black_aces() -> None:
    cards = tora().luck.contents
    assert sum(not card.black for card in cards) == 20
    assert [str(card) for card in cards if card.black] == ["ace of spades", "ace of clubs"]
