"""Tests of custom cruises: the captain chooses day, station, ship, guns and attackers."""

from __future__ import annotations

from random import Random

import pytest
from tests.games.picket.helpers import DATA

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.match import Match
from readyroom.games.picket import GAME
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.state import CAPTAIN, Picket

OWN = (
    "day-05-11",
    "days-2",
    "station-15",
    "ship-cassin-young",
    "guns-six-barrel",
    "morning-18",
    "midday-kikusui",
    "night-none",
)


def designed(*keys: str, **options: str) -> tuple[Match[Picket, Data], Picket]:
    match = Match(GAME, "your-own", seed="designed", options=options)
    for key in keys:
        match.decide(CAPTAIN, [key])
    return match, match.state


def _finish(match: Match[Picket, Data]) -> None:
    random = Random(1)
    while match.outcome is None:
        match.decide(CAPTAIN, match.pending[CAPTAIN].sample(random))


@pytest.mark.rule("picket", "12.1")
def test_design_asks_for_all_settings() -> None:
    match, state = designed(*OWN)
    assert (state.plan.first, state.plan.station, state.plan.named) == ("05-11", 15, "Cassin Young (DD-793)")
    assert state.plan.raids == [("18", "kikusui", "none")] * 2
    assert state.ship.name == "Cassin Young (DD-793)"
    assert "gun-a" not in state.ship.mounts
    assert "gun-m" in state.ship.mounts
    assert match.pending[CAPTAIN].rule == "2.0.B"
    _finish(match)
    assert match.state.tally.tours[0].station == 15
    assert match.state.tally.planes >= 18


@pytest.mark.rule("picket", "12.1", "5.3.C")
def test_designed_cruise_has_land_radars_of_date() -> None:
    assert designed("day-03-24", *OWN[1:])[1].sea.land_radars == []
    assert designed(*OWN)[1].sea.land_radars == ["Hado", "Ie Shima", "Zamani"]
    assert designed(*OWN, game="basic")[1].sea.land_radars == []


@pytest.mark.rule("picket", "12.1", "2.0.K", "4.0")
def test_designed_cruise_may_use_dice_and_tables() -> None:
    left = ("days-1", "station-tables", "ship-tables", "guns-usual", "morning-tables", "midday-tables", "night-tables")
    match, state = designed("day-06-30", *left)
    assert state.plan.raids == [("roll", "roll", "roll")]
    assert state.ship.name in DATA.names.ship
    _finish(match)
    assert match.state.tally.tours[0].station in (9, 15, 16)


@pytest.mark.rule("picket", "12.1", "1.6")
def test_design_offers_all_days_stations_and_ships() -> None:
    match, _ = designed()
    assert len(match.pending[CAPTAIN].keys) == 99
    great = match.pending[CAPTAIN].values[13]
    assert (great.key, great.info.note) == ("day-04-06", "great raid 1")
    match.decide(CAPTAIN, ["day-04-06"])
    assert match.pending[CAPTAIN].keys[-1] == "days-10"
    match.decide(CAPTAIN, ["days-1"])
    assert len(match.pending[CAPTAIN].keys) == 1 + len(DATA.duty.dice.stations)
    match.decide(CAPTAIN, ["station-tables"])
    assert len(match.pending[CAPTAIN].keys) == 1 + len(DATA.names.ship)
    with pytest.raises(IllegalChoice):
        match.decide(CAPTAIN, ["ship-yorktown"])


@pytest.mark.rule("picket", "12.1", "6.6.E")
def test_design_letter_option_shows_plane_range() -> None:
    match, _ = designed(*OWN[:5])
    sentence = {option.key: option.text for option in match.pending[CAPTAIN].options}
    assert sentence["morning-A"] == "an attack from table A: 4 to 12 planes"
    assert sentence["morning-18"] == "18 planes"


@pytest.mark.rule("picket", "12.1")
@pytest.mark.parametrize(
    ("guns", "ashore"), [("usual", {"gun-m", "gun-n", "gun-o"}), ("six-barrel", {"gun-a", "gun-b"})]
)
def test_designed_ship_leaves_unused_guns_ashore(guns: str, ashore: set[str]) -> None:
    _, state = designed(*OWN[:4], f"guns-{guns}", *OWN[5:])
    assert {mount.key for mount in state.yard.mounts} == ashore
    assert not ashore & set(state.ship.mounts)
    assert {gear.key for gear in state.yard.gear} == set(DATA.directors) - set(state.ship.gear)
