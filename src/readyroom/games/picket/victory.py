"""[10] How a scenario and a campaign end."""

from __future__ import annotations

from readyroom.engine.state import Outcome
from readyroom.games.picket.figures import Data
from readyroom.games.picket.state import WITHDRAWALS, Picket
from readyroom.games.picket.words import count

LEVELS = ("American decisive victory", "American marginal victory", "draw", "Japanese marginal victory")
WORST = "Japanese decisive victory"


def outcome(state: Picket, data: Data) -> Outcome:
    """[10] The end of what is played."""
    return _campaign(state, data) if state.plan.campaign else _scenario(state, data)


def _winner(title: str) -> str | None:
    return "usa" if title.startswith("American") else None


def _scenario(state: Picket, data: Data) -> Outcome:
    """[9.H, 10.A] The ship, and the share of planes that she shot down."""
    ship, tally, figures = state.ship, state.tally, data.victory.scenario
    part, whole = figures.decisive_share
    if ship.lost:
        title, why = WORST, f"{ship.name} was lost: {ship.lost}"
    elif ship.leaves in (*WITHDRAWALS, "water"):
        title, why = LEVELS[3], f"{ship.name} had to leave her station"
    elif ship.hull <= figures.marginal_hull:
        title, why = LEVELS[3], f"{ship.name} is a wreck that floats"
    elif not ship.leaves and ship.hull >= figures.decisive_hull and whole * tally.shot >= part * tally.planes:
        title, why = LEVELS[0], f"{ship.name} holds her station, hardly hurt"
    else:
        title, why = LEVELS[1], f"{ship.name} is afloat"
    text = f"{why[0].upper()}{why[1:]}; {tally.shot} of {tally.planes} planes were shot down."
    return Outcome(_winner(title), title, text, {"usa": tally.shot})


def score(state: Picket, data: Data) -> int:
    """[10] The score of a campaign: planes, ships, withdrawals."""
    figures, tally = data.victory.campaign, state.tally
    lost = len(tally.lost) + bool(state.ship.lost and not _noted(state))
    return figures.plane * tally.shot + figures.ship * lost + figures.withdrawal * tally.withdrawals


def _noted(state: Picket) -> bool:
    return bool(state.tally.lost and state.tally.lost[-1] == f"{state.ship.name}: {state.ship.lost}")


def _campaign(state: Picket, data: Data) -> Outcome:
    """[9.H, 10.A] The level of the score; a withdrawal in the mini-campaign limits it."""
    reached, levels = score(state, data), state.plan.levels or (0, 0, 0, 0)
    titles = (*LEVELS, WORST)
    at = next((at for at, least in enumerate(levels) if reached >= least), len(levels))
    if state.plan.withdrawal_limits and state.tally.withdrawals:
        at = max(at, LEVELS.index(LEVELS[3]))
    tally = state.tally
    ships = f"{count(len(tally.lost), 'ship')} lost"
    text = f"{tally.shot} of {tally.planes} planes shot down, {ships}, {count(tally.withdrawals, 'withdrawal')}."
    return Outcome(_winner(titles[at]), titles[at], f"{text} The score is {reached}.", {"usa": reached})
