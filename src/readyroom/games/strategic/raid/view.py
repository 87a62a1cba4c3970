"""[PH.3] What each seat sees of an air raid, from an allow-list; and other states that look the same to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, TypeVar

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
    risk,
    surprise_table,
    told_level,
    unseen,
    where,
)
from readyroom.games.strategic.raid.opening import RaidOpening
from readyroom.games.strategic.raid.scoring import kept, margin, points
from readyroom.games.strategic.raid.state import JAPAN, SEATS, USA, Aircraft, Force, Raid, Ship
from readyroom.games.strategic.raid.strike import air_defence
from readyroom.games.strategic.state import Rulings, Strategic
from readyroom.games.strategic.tables import SurpriseTable, intercepts

Shown = dict[str, Any]
K = TypeVar("K")


def view(state: Strategic, data: Data, seat: str | None) -> View:
    """[PH.3] All that lies open, and of what is secret only the own."""
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


def _magic(raid: Raid, seat: str | None) -> Shown:
    """[PH.2] The limits, what a card is worth, and what the seat knows to have been played."""
    limits = raid.opening.magic
    return {
        "played": {side: _played(raid, side, seat) for side in SEATS},
        "limits": {JAPAN: limits.japan, USA: limits.usa},
        "kept": limits.kept,
    }


def _figures(opening: RaidOpening, data: Data) -> Shown:
    return {
        "most": opening.striking.most,
        "factor": data.pearl.rows.squadrons_a_factor,
        "score": _numbers(opening.score),
        "nations": _numbers(opening.nations),
    }


def _tension(raid: Raid) -> Shown:
    """[PH.1] The tension that was declared, the last die and what it adds."""
    die, adds = raid.final
    return {"declared": raid.opening.tension.level, "die": die, "adds": adds, "now": raid.tension}


def _numbers(figures: HasSource) -> dict[str, int]:
    """Figures without where they come from."""
    return {
        name: getattr(figures, name) for name in figures.__struct_fields__ if name not in HasSource.__struct_fields__
    }


def _rulings(rulings: Rulings) -> Shown:
    """The rulings that concern the raid."""
    concerned = ("guns", "critical", "final_die", "surprise_bonus", "disarray", "nationality")
    return {name: getattr(rulings, name) for name in concerned}


def _played(raid: Raid, side: str, seat: str | None) -> int | None:
    return raid.magic.get(side) if seat == side or raid.over else None


def _surprise(raid: Raid, charts: SurpriseTable, data: Data) -> Shown | None:
    """[51.31.4] Japan's die and the level as it was told; the column does not follow from more than these."""
    if not raid.die:
        return None
    return {
        "die": raid.die,
        "level": told_level(level(raid, charts), data),
        "disarray": data.pearl.surprise.disarray,
    }


def _chart(charts: SurpriseTable) -> Shown:
    """[51.31] The columns of the table, and the odds of each."""
    return {
        "columns": list(charts.chart.columns),
        "drms": charts.drms,
        "comes": [float(per_force(charts, at)) for at in range(len(charts.columns))],
        "places": [
            {place: float(chance) for place, chance in where(charts, at).items()} for at in range(len(charts.columns))
        ],
    }


def _columns(raid: Raid, data: Data, charts: SurpriseTable, seat: str | None) -> list[Shown]:
    """[PH.3] The columns that this seat reckons with; at the end the one that was played."""
    if raid.over:
        return [{"column": column(raid, charts), "chance": 1.0}]
    found = columns(raid, data, charts, seat)
    return [{"column": at, "chance": float(chance)} for at, chance in found.items()]


def _risk(raid: Raid, data: Data, charts: SurpriseTable, seat: str | None) -> float:
    """[51.31.3] The chance that a second strike is intercepted, for all that this seat knows."""
    if seat != USA or not raid.placed:
        return float(risk(raid, data, charts, seat))
    quiet = Fraction(1)
    for force in raid.hidden():
        quiet *= 1 - intercepts(force.place)
    return float(1 - quiet)


def _force(raid: Raid, force: Force, seat: str | None) -> Shown:
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


def _ship(ship: Ship) -> Shown:
    return {
        "key": ship.key,
        "name": ship.name,
        "size": ship.size,
        "carrier": ship.carrier,
        "condition": ship.condition.value,
    }


def _aircraft(aircraft: Aircraft) -> Shown:
    return {"ready": aircraft.ready, "up": aircraft.up, "grounded": aircraft.grounded, "lost": aircraft.lost}


def _guns(raid: Raid, data: Data) -> Shown:
    return {
        "strength": air_defence(raid.opening.harbor.guns, data),
        "surprised": data.pearl.surprise.air_defense,
    }


def _squadrons(raid: Raid) -> Shown:
    """How many squadrons are aboard each carrier, and how many are where else."""
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
    """[PH.3] Deal the other side's Magic and, for Japan, the unseen forces anew, by the odds of what it has seen.

    The state given is changed.
    """
    raid = state.raid
    if not raid.magic or raid.over:
        return state
    charts = surprise_table(raid, state.rulings, data)
    japan, usa = _drawn(hands(raid, data, charts, seat), random)
    at = column_of(raid, charts, (japan, usa))
    raid.magic = {JAPAN: japan, USA: usa}
    if seat == JAPAN:
        for force in raid.hidden():
            if force.place:
                force.place = _drawn(unseen(raid, charts, at, force), random)
    return state


def _drawn(weights: Mapping[K, Fraction], random: Random) -> K:
    """One of these, by their weights."""
    found: Sequence[K] = list(weights)
    return random.choices(found, [float(weights[one]) for one in found])[0]
