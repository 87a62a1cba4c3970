"""[PH.3] What each seat sees of an air raid, and states it cannot distinguish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from random import Random
from typing import TypeVar

from readyroom.engine.rules.charts import HasSource
from readyroom.games.strategic.pearl import knowledge, views
from readyroom.games.strategic.pearl.scoring import kept, margin, points
from readyroom.games.strategic.pearl.state import JAPAN, SEATS, USA, Force, Raid, RaidState, Ship
from readyroom.games.strategic.pearl.strike import air_defence
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import SurpriseTable, intercepts
from readyroom.games.strategic.tables.state import copy_as

K = TypeVar("K")


def view(state: RaidState, data: Data, seat: str | None) -> views.RaidView:
    """[PH.3] Return what is public and the seat's own secrets; at the end all is public."""
    return _view(state, data, seat, is_open=state.raid.over)


def open_view(state: RaidState, data: Data, seat: str | None) -> views.RaidView:
    """Return a seat's view with all that is hidden during the raid."""
    return _view(state, data, seat, is_open=True)


def _view(state: RaidState, data: Data, seat: str | None, *, is_open: bool) -> views.RaidView:
    raid, opening = state.raid, state.raid.opening
    charts = knowledge.surprise_table(raid, state.rulings, data)
    die, adds = raid.final
    surprise = None
    if raid.die:  # Japan's die and the announced level do not give away the column [51.31.4]
        announced = knowledge.public_level(knowledge.level(raid, charts), data)
        surprise = views.SurpriseView(raid.die, announced, data.pearl.surprise.disarray)
    return views.RaidView(
        own=seat if seat in SEATS else None,
        rulings=copy_as(state.rulings, views.RulingsView),
        tension=views.TensionView(opening.tension.level, die, adds, raid.tension),
        magic=_magic(raid, seat, is_open=is_open),
        surprise=surprise,
        chart=_chart(charts),
        columns=_columns(raid, data, charts, seat, is_open=is_open),
        risk=_risk(raid, data, charts, USA if is_open else seat),
        forces=[_force(force, is_known=is_open or seat == USA or force.seen) for force in raid.forces],
        ships=_ships(raid.ships),
        light=views.LightShipsView(raid.light, opening.harbor.light),
        army=copy_as(raid.army, views.AircraftView),
        naval=copy_as(raid.naval, views.AircraftView),
        guns=views.GunsView(air_defence(opening.harbor.guns, data), data.pearl.surprise.air_defense),
        carriers=_ships(raid.carriers),
        squadrons=_squadrons(raid),
        figures=views.FiguresView(
            opening.striking.most,
            data.pearl.rows.squadrons_a_factor,
            _numbers(opening.score),
            _numbers(opening.nations),
        ),
        points={side: dict(lines) for side, lines in points(raid).items()},
        margin=margin(raid),
        kept=kept(raid) if raid.over else None,
        win={JAPAN: opening.win.japan, USA: opening.win.usa},
        stays=raid.stays,
        over=raid.over,
    )


def _magic(raid: Raid, seat: str | None, *, is_open: bool) -> views.MagicView:
    """[PH.2] Return the limits, the score of a card kept, and the cards the seat knows were played."""
    limits = raid.opening.magic
    played = {side: raid.magic.get(side) if is_open or seat == side else None for side in SEATS}
    return views.MagicView(played, {JAPAN: limits.japan, USA: limits.usa}, limits.kept)


def _numbers(figures: HasSource) -> dict[str, int]:
    """Return figures without their sources."""
    names = [name for name in figures.__struct_fields__ if name not in HasSource.__struct_fields__]
    return {name: getattr(figures, name) for name in names}


def _chart(charts: SurpriseTable) -> views.ChartView:
    """[51.31] Return the columns of the table with their odds."""
    numbers = range(len(charts.columns))
    return views.ChartView(
        columns=list(charts.chart.columns),
        drms=charts.drms,
        comes=[float(knowledge.per_force(charts, at)) for at in numbers],
        places=[{place: float(chance) for place, chance in knowledge.where(charts, at).items()} for at in numbers],
    )


def _columns(
    raid: Raid, data: Data, charts: SurpriseTable, seat: str | None, *, is_open: bool
) -> list[views.ColumnView]:
    """[PH.3] Return the columns possible for this seat; in an open view the true one."""
    if is_open and raid.magic:
        return [views.ColumnView(knowledge.column(raid, charts), 1.0)]
    return [views.ColumnView(at, float(chance)) for at, chance in knowledge.columns(raid, data, charts, seat).items()]


def _risk(raid: Raid, data: Data, charts: SurpriseTable, seat: str | None) -> float:
    """[51.31.3] Return the probability that a second strike is intercepted, as this seat knows it."""
    if seat != USA or not raid.placed:
        return float(knowledge.risk(raid, data, charts, seat))
    return float(1 - prod((1 - intercepts(force.place) for force in raid.hidden()), start=Fraction(1)))


def _force(force: Force, *, is_known: bool) -> views.ForceView:
    return views.ForceView(
        key=force.key,
        name=force.name,
        carriers=_ships(force.carriers),
        squadrons=force.squadrons,
        lost=force.lost,
        seen=force.seen,
        place=(force.place or None) if is_known else None,
        port=force.in_port if force.seen else False,
        intercepts=float(intercepts(force.place)) if is_known and force.place else None,
    )


def _ships(ships: Sequence[Ship]) -> list[views.ShipView]:
    return [views.ShipView(ship.key, ship.name, ship.size, ship.carrier, ship.condition.value) for ship in ships]


def _squadrons(raid: Raid) -> views.SquadronsView:
    """Return the squadrons aboard each carrier and those elsewhere."""
    aboard = Counter(squadron.home for squadron in raid.aboard)
    return views.SquadronsView(
        aboard={ship.key: aboard[ship.key] for ship in raid.carriers},
        each=raid.opening.striking.squadrons,
        escorts=len(raid.escorts),
        attackers=len(raid.attackers),
        patrol=len(raid.patrol),
        away=len(raid.away),
        back=len(raid.back),
        lost=len(raid.lost),
    )


# -- other states ------------------------------------------------------------------------------------------------------


def resample(state: RaidState, data: Data, seat: str, random: Random) -> RaidState:
    """[PH.3] Resample the enemy's Magic and, for Japan, the unseen forces by their likelihood; change `state`."""
    raid = state.raid
    if not raid.magic or raid.over:
        return state
    charts = knowledge.surprise_table(raid, state.rulings, data)
    japan, usa = _sample(knowledge.hands(raid, data, charts, seat), random)
    at = knowledge.column_of(raid, charts, (japan, usa))
    raid.magic = {JAPAN: japan, USA: usa}
    if seat == JAPAN:
        for force in raid.hidden():
            if force.place:
                force.place = _sample(knowledge.unseen(raid, charts, at, force), random)
    return state


def _sample(weights: Mapping[K, Fraction], random: Random) -> K:
    """Return a random key by its weight."""
    keys: Sequence[K] = list(weights)
    return random.choices(keys, [float(weights[key]) for key in keys])[0]
