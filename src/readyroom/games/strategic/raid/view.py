"""[PH.3] What each seat sees of an air raid, and states it cannot distinguish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import TypeVar

from readyroom.engine.charts import HasSource
from readyroom.engine.game import View
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.raid.knowledge import (
    column,
    column_of,
    columns,
    hands,
    level,
    per_force,
    public_level,
    risk,
    surprise_table,
    unseen,
    where,
)
from readyroom.games.strategic.raid.opening import RaidOpening
from readyroom.games.strategic.raid.scoring import kept, margin, points
from readyroom.games.strategic.raid.state import JAPAN, SEATS, USA, Aircraft, Force, Raid, Ship
from readyroom.games.strategic.raid.strike import air_defence
from readyroom.games.strategic.state import Rulings, Strategic
from readyroom.games.strategic.tables import SurpriseTable, intercepts

K = TypeVar("K")


def view(state: Strategic, data: Data, seat: str | None) -> View:
    """[PH.3] Return what is public and the seat's own secrets."""
    raid = state.raid
    charts = surprise_table(raid, state.rulings, data)
    return {
        "own": seat if seat in SEATS else None,
        "rulings": _rulings(state.rulings),
        "tension": _tension(raid),
        "magic": _magic(raid, seat),
        "surprise": _surprise(raid, charts, data),
        "chart": _chart(charts),
        "columns": _columns(raid, data, charts, seat),
        "risk": _risk(raid, data, charts, seat),
        "forces": [_force(raid, force, seat) for force in raid.forces],
        "ships": [_ship(ship) for ship in raid.ships],
        "light": {"left": raid.light, "of": raid.opening.harbor.light},
        "army": _aircraft(raid.army),
        "naval": _aircraft(raid.naval),
        "guns": _guns(raid, data),
        "carriers": [_ship(ship) for ship in raid.carriers],
        "squadrons": _squadrons(raid),
        "figures": _figures(raid.opening, data),
        "points": {side: dict(lines) for side, lines in points(raid).items()},
        "margin": margin(raid),
        "kept": kept(raid) if raid.over else None,
        "win": {JAPAN: raid.opening.win.japan, USA: raid.opening.win.usa},
        "stays": raid.stays,
        "over": raid.over,
    }


def _magic(raid: Raid, seat: str | None) -> View:
    """[PH.2] Return the limits, the score of a card kept, and the cards the seat knows were played."""
    limits = raid.opening.magic
    return {
        "played": {side: _played(raid, side, seat) for side in SEATS},
        "limits": {JAPAN: limits.japan, USA: limits.usa},
        "kept": limits.kept,
    }


def _figures(opening: RaidOpening, data: Data) -> View:
    return {
        "most": opening.striking.most,
        "factor": data.pearl.rows.squadrons_a_factor,
        "score": _numbers(opening.score),
        "nations": _numbers(opening.nations),
    }


def _tension(raid: Raid) -> View:
    """[PH.1] Return the declared tension, the final die and what it adds."""
    die, adds = raid.final
    return {"declared": raid.opening.tension.level, "die": die, "adds": adds, "now": raid.tension}


def _numbers(figures: HasSource) -> dict[str, int]:
    """Return figures without their sources."""
    return {
        name: getattr(figures, name) for name in figures.__struct_fields__ if name not in HasSource.__struct_fields__
    }


def _rulings(rulings: Rulings) -> View:
    """Return the rulings that concern the raid."""
    names = ("guns", "critical", "final_die", "surprise_bonus", "disarray", "nationality")
    return {name: getattr(rulings, name) for name in names}


def _played(raid: Raid, side: str, seat: str | None) -> int | None:
    return raid.magic.get(side) if seat == side or raid.over else None


def _surprise(raid: Raid, charts: SurpriseTable, data: Data) -> View | None:
    """[51.31.4] Return Japan's die and the announced level, which do not give away the column."""
    if not raid.die:
        return None
    return {
        "die": raid.die,
        "level": public_level(level(raid, charts), data),
        "disarray": data.pearl.surprise.disarray,
    }


def _chart(charts: SurpriseTable) -> View:
    """[51.31] Return the columns of the table with their odds."""
    return {
        "columns": list(charts.chart.columns),
        "drms": charts.drms,
        "comes": [float(per_force(charts, at)) for at in range(len(charts.columns))],
        "places": [
            {place: float(chance) for place, chance in where(charts, at).items()} for at in range(len(charts.columns))
        ],
    }


def _columns(raid: Raid, data: Data, charts: SurpriseTable, seat: str | None) -> list[View]:
    """[PH.3] Return the columns possible for this seat; at the end the true one."""
    if raid.over:
        return [{"column": column(raid, charts), "chance": 1.0}]
    return [{"column": at, "chance": float(chance)} for at, chance in columns(raid, data, charts, seat).items()]


def _risk(raid: Raid, data: Data, charts: SurpriseTable, seat: str | None) -> float:
    """[51.31.3] Return the probability that a second strike is intercepted, as this seat knows it."""
    if seat != USA or not raid.placed:
        return float(risk(raid, data, charts, seat))
    none = Fraction(1)
    for force in raid.hidden():
        none *= 1 - intercepts(force.place)
    return float(1 - none)


def _force(raid: Raid, force: Force, seat: str | None) -> View:
    known = seat == USA or force.seen or raid.over
    return {
        "key": force.key,
        "name": force.name,
        "carriers": [_ship(ship) for ship in force.carriers],
        "squadrons": force.squadrons,
        "lost": force.lost,
        "seen": force.seen,
        "place": (force.place or None) if known else None,
        "port": force.in_port if force.seen else False,
        "intercepts": float(intercepts(force.place)) if known and force.place else None,
    }


def _ship(ship: Ship) -> View:
    return {
        "key": ship.key,
        "name": ship.name,
        "size": ship.size,
        "carrier": ship.carrier,
        "condition": ship.condition.value,
    }


def _aircraft(aircraft: Aircraft) -> View:
    return {"ready": aircraft.ready, "up": aircraft.up, "grounded": aircraft.grounded, "lost": aircraft.lost}


def _guns(raid: Raid, data: Data) -> View:
    return {
        "strength": air_defence(raid.opening.harbor.guns, data),
        "surprised": data.pearl.surprise.air_defense,
    }


def _squadrons(raid: Raid) -> View:
    """Return the squadrons aboard each carrier and those elsewhere."""
    aboard = Counter(squadron.home for squadron in raid.aboard)
    return {
        "aboard": {ship.key: aboard[ship.key] for ship in raid.carriers},
        "each": raid.opening.striking.squadrons,
        "escorts": len(raid.escorts),
        "attackers": len(raid.attackers),
        "patrol": len(raid.patrol),
        "away": len(raid.away),
        "back": len(raid.back),
        "lost": len(raid.lost),
    }


# -- other states ------------------------------------------------------------------------------------------------------


def resample(state: Strategic, data: Data, seat: str, random: Random) -> Strategic:
    """[PH.3] Resample the enemy's Magic and, for Japan, the unseen forces by their likelihood; change `state`."""
    raid = state.raid
    if not raid.magic or raid.over:
        return state
    charts = surprise_table(raid, state.rulings, data)
    japan, usa = _sample(hands(raid, data, charts, seat), random)
    at = column_of(raid, charts, (japan, usa))
    raid.magic = {JAPAN: japan, USA: usa}
    if seat == JAPAN:
        for force in raid.hidden():
            if force.place:
                force.place = _sample(unseen(raid, charts, at, force), random)
    return state


def _sample(weights: Mapping[K, Fraction], random: Random) -> K:
    """Return a random key by its weight."""
    keys: Sequence[K] = list(weights)
    return random.choices(keys, [float(weights[key]) for key in keys])[0]
