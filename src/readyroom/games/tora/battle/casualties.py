"""[14.2] What each side has lost in the battle, for its end."""

from __future__ import annotations

from readyroom.engine.facts import FactValue
from readyroom.engine.game import Scenario
from readyroom.engine.rules.state import Loss
from readyroom.engine.text import count_noun
from readyroom.games.tora.battle.outcome import final_counts
from readyroom.games.tora.figures import CATEGORIES, JAPAN, USA, Data
from readyroom.games.tora.state import Ship, Tora


def losses(state: Tora, data: Data) -> list[Loss]:
    """[14.2, 16.5] Return ships sunk and damaged, capital ships first, then the yard, batteries and aircraft."""
    counts, america = final_counts(state, data), state.usa
    ships = sorted((ship for ship in america.ships if ship.sunk or state.damaged(ship)), key=_order)
    batteries = sum(battery.destroyed for battery in america.batteries)
    usa = [
        *(_ship_loss(ship) for ship in ships),
        Loss(side=USA, shape="site", name="Navy Yard", fate=count_noun(counts.yard, "hit"), gone=False),
        Loss(side=USA, shape="gun", name="shore batteries", count=batteries, total=len(america.batteries)),
        Loss(side=USA, shape="fighter", name="aircraft", count=counts.american),
    ]
    japan = Loss(side=JAPAN, shape="bomber", name="aircraft", count=counts.japanese, total=data.air.limits.japan_planes)
    kept = [loss for loss in usa if loss.count and (loss.shape != "site" or counts.yard)]
    return [*kept, japan] if japan.count else kept


def _order(ship: Ship) -> tuple[bool, bool, str]:
    return not ship.sunk, not ship.capital, ship.name


def _ship_loss(ship: Ship) -> Loss:
    fate = "sunk" if ship.sunk else "damaged"
    return Loss(side=USA, shape="carrier" if ship.carrier else "ship", name=ship.name, fate=fate, gone=ship.sunk)


def facts(state: Tora, data: Data, scenario: Scenario) -> dict[str, FactValue]:
    """[5.1, 14.2, 17.2] Return the fate of each ship, the counts of the end, and the day with its alert levels."""
    counts, ships, levels = final_counts(state, data), state.usa.ships, state.usa.levels
    return {
        "capital sunk": counts.sunk,
        "capital damaged": counts.damaged,
        "yard hits": counts.yard,
        "lost japan": counts.japanese,
        "lost usa": counts.american,
        "day": state.day,
        **{f"alert {each}": levels.of(each) if levels else 0 for each in CATEGORIES},
        **{f"fate {ship.key}": _fate(state, ship) for ship in ships},
        "ships sunk": [ship.name for ship in ships if ship.sunk],
    }


def _fate(state: Tora, ship: Ship) -> str:
    """[14.2] Return whether a ship is whole, hit, damaged or sunk."""
    if ship.sunk:
        return "sunk"
    return "damaged" if state.damaged(ship) else "hit" if ship.hits else "whole"
