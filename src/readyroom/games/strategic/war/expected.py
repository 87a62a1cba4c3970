"""Exact means of a round, for option notes, pages and studies."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from readyroom.engine.rules.checks import sum_distribution
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import DICE, SIDES, Grid
from readyroom.games.strategic.tables.modifiers import total
from readyroom.games.strategic.war.net import submarine_lines
from readyroom.games.strategic.war.places import Campaign
from readyroom.games.strategic.war.results import bombed, shot, stopped, sunk
from readyroom.games.strategic.war.state import WarState
from readyroom.games.strategic.war.submarines import heavy, limit


class Mean(NamedTuple):
    """Mean losses of a submarine round: escorts, merchant ships and points; submarines lost and turned back."""

    escorts: float
    merchants: float
    points: float
    lost: float
    turned: float


class Struck(NamedTuple):
    """Mean results of bombing: steps and points; bombers lost to flak and damaged."""

    steps: float
    points: float
    lost: float
    turned: float


class Fought(NamedTuple):
    """Mean results of air combat: bombers and escorts lost, bombers turned back, interceptors lost."""

    bombers: float
    escorts: float
    turned: float
    interceptors: float


def mean(state: WarState, data: Data, campaign: Campaign, *, boats: int = 0, escorts: int = 0) -> Mean:
    """Return the mean of a campaign's next round, with extra factors."""
    war = state.war
    ocean = war.oceans[campaign.sea]
    net = total(submarine_lines(state, data, campaign))
    return submarine_mean(
        heavy(state, data), war.submarines[campaign.fleet].ready + boats, ocean.escorts + escorts, ocean.merchants, net,
        state.rulings.submarine_results, limit(state), data.war.excess.cost,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def submarine_mean(
    grid: Grid, boats: int, escorts: int, merchants: int, net: int, reading: str, excess: int | None, cost: int
) -> Mean:
    """Return the mean of a submarine round; see `Grid.read` and `sunk` for the arguments."""
    sums = [Fraction(0)] * 5
    for roll, chance in sum_distribution(DICE, SIDES).items():
        hit = sunk(grid.read(boats, roll + net), escorts, merchants, reading, excess, cost)
        hurt = stopped(grid.read(escorts, roll - net), boats)
        for at, value in enumerate((*hit, *hurt)):
            sums[at] += chance * value
    return Mean(*map(float, sums))


@lru_cache(maxsize=4096)
def bombing_mean(grid: Grid, bombers: int, strength: int, steps: int, net: int, reading: str) -> Struck:
    """Return the mean of bombs and flak."""
    sums = [Fraction(0)] * 4
    for roll, chance in sum_distribution(DICE, SIDES).items():
        done = bombed(grid.read(bombers, roll + net), steps, reading)
        guns = grid.read(strength, roll - net)
        down = min(guns.first, bombers)
        for at, value in enumerate((*done, down, min(guns.second, bombers - down))):
            sums[at] += chance * value
    return Struck(*map(float, sums))


@lru_cache(maxsize=4096)
def fight_mean(grid: Grid, attacker: int, defender: int, net: int, bombers: int, escorts: int, met: int) -> Fought:
    """Return the mean of air combat between a raid and interceptors."""
    sums = [Fraction(0)] * 4
    for roll, chance in sum_distribution(DICE, SIDES).items():
        hit = shot(grid.read(defender, roll - net), escorts, bombers)
        down = min(grid.read(attacker, roll + net).first, met)
        for at, value in enumerate((hit.bombers, hit.escorts, hit.aborted, down)):
            sums[at] += chance * value
    return Fought(*map(float, sums))
