"""[10] Victory in a scenario and in a campaign."""

from __future__ import annotations

from readyroom.engine.game import score_to_utility
from readyroom.engine.rules.state import Outcome, ScaleBand, ScoreScale
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.picket.figures.data import Card, Data
from readyroom.games.picket.state import WITHDRAWALS, Picket, Plan

LEVELS = ("American decisive victory", "American marginal victory", "draw", "Japanese marginal victory")
WORST = "Japanese decisive victory"
SHARE_OF_SCORE = 0.2
"""The weight of the score, as opposed to the level, in the utility."""
SPAN = 20.0
"""The score at which about three quarters of its weight are reached."""


def outcome(state: Picket, data: Data) -> Outcome:
    """[10] Return the outcome of the match."""
    return _campaign(state, data) if state.plan.campaign else _scenario(state, data)


def _winner(title: str) -> str | None:
    return "usa" if title.startswith("American") else None


def _scenario(state: Picket, data: Data) -> Outcome:
    """[9.H, 10.A] Judge a scenario by ship, hull, and share of planes shot down."""
    ship, tally, plan = state.ship, state.tally, state.plan
    if ship.lost:
        title, why = WORST, f"{ship.name} was lost: {ship.lost}"
    elif ship.leaves in (*WITHDRAWALS, "water"):
        title, why = LEVELS[3], f"{ship.name} had to leave her station"
    elif ship.hull < plan.marginal.hull:
        title, why = LEVELS[3], f"{ship.name} is a wreck that floats: {ship.hull} of the hull are left"
    elif not _enough(state, plan.marginal):
        title, why = LEVELS[3], f"{ship.name} is afloat, and too many planes came through"
    elif not ship.leaves and ship.hull >= plan.decisive.hull and _enough(state, plan.decisive):
        title, why = LEVELS[0], f"{ship.name} holds her station, hardly hurt"
    else:
        title, why = LEVELS[1], f"{ship.name} is afloat"
    text = f"{capitalize_first(why)}; {tally.shot} of {tally.planes} planes were shot down."
    return Outcome(_winner(title), title, text, {"usa": tally.shot})


def _enough(state: Picket, card: Card) -> bool:
    """[10.A] Return whether the share of planes shot down meets a card."""
    part, whole = card.shot
    return whole * state.tally.shot >= part * state.tally.planes


def utility(outcome: Outcome, side: str) -> float:
    """[10.A] Return a utility from 0 to 1: mostly the victory level, a little the score."""
    ladder = (*LEVELS, WORST)
    step = 1 - ladder.index(outcome.title) / len(LEVELS)
    return (1 - SHARE_OF_SCORE) * step + SHARE_OF_SCORE * score_to_utility(outcome.scores["usa"], SPAN)


def needs(plan: Plan, data: Data) -> str:
    """[10.A] Return the victory conditions as text."""
    if plan.campaign:
        first, second, third, _ = plan.levels or (0, 0, 0, 0)
        figures = data.victory.campaign
        return (
            f"Each plane shot down scores {figures.plane:+d}, a ship lost {figures.ship}, a withdrawal "
            f"{figures.withdrawal}. {first} is a decisive victory, {second} a marginal one, {third} a draw."
        )
    return (
        f"To win, keep the ship afloat and on station, with a hull of at least {plan.marginal.hull}"
        f"{_share(plan.marginal)}. A decisive victory takes a hull of at least {plan.decisive.hull}"
        f"{_share(plan.decisive)}."
    )


def _share(card: Card) -> str:
    part, whole = card.shot
    return f" and at least {part} of every {whole} planes shot down" if part else ""


def score(state: Picket, data: Data) -> int:
    """[10] Return a campaign's score: planes, ships, withdrawals."""
    figures, tally = data.victory.campaign, state.tally
    noted = tally.lost[-1:] == [f"{state.ship.name}: {state.ship.lost}"]
    lost = len(tally.lost) + bool(state.ship.lost and not noted)
    return figures.plane * tally.shot + figures.ship * lost + figures.withdrawal * tally.withdrawals


def standing(state: Picket, data: Data) -> dict[str, int]:
    """[10] Return a campaign's score; in a scenario what is left of the ship's hull, 0 once she is lost."""
    if state.plan.campaign:
        return {"usa": score(state, data)}
    return {"usa": 0 if state.ship.lost else max(0, state.ship.hull)}


def standing_name(state: Picket, data: Data) -> str:
    """Return what the standing counts."""
    return "score" if state.plan.campaign else "hull"


def scale(state: Picket, data: Data) -> ScoreScale:
    """[10.A] Return a campaign's score between the levels; in a scenario or after a limiting withdrawal the level."""
    levels = state.plan.levels
    titles = (WORST, *reversed(LEVELS))
    sides = ["japan" if "Japanese" in title else "usa" if "American" in title else None for title in titles]
    if not state.plan.campaign or levels is None or (state.plan.withdrawal_limits and state.tally.withdrawals):
        steps = range(1, len(titles))
        bands = [
            ScaleBand(title, least, side) for title, least, side in zip(titles, (None, *steps), sides, strict=True)
        ]
        return ScoreScale(_figures(state), titles.index(outcome(state, data).title), bands, is_ordinal=True)
    bands = [
        ScaleBand(title, least, side)
        for title, least, side in zip(titles, (None, *reversed(levels)), sides, strict=True)
    ]
    return ScoreScale("score", score(state, data), bands)


def _figures(state: Picket) -> str:
    """Return the figures that decide the victory level, as text."""
    hull = "ship lost" if state.ship.lost else f"hull {max(0, state.ship.hull)}"
    return f"{hull}, {state.tally.shot} of {count_noun(state.tally.planes, 'plane')} shot down"


def _campaign(state: Picket, data: Data) -> Outcome:
    """[9.H, 10.A] Judge a campaign by its score; a withdrawal in the mini-campaign limits the level."""
    reached, levels = score(state, data), state.plan.levels or (0, 0, 0, 0)
    titles = (*LEVELS, WORST)
    at = next((at for at, least in enumerate(levels) if reached >= least), len(levels))
    if state.plan.withdrawal_limits and state.tally.withdrawals:
        at = max(at, LEVELS.index(LEVELS[3]))
    tally = state.tally
    ships = f"{count_noun(len(tally.lost), 'ship')} lost"
    text = f"{tally.shot} of {tally.planes} planes shot down, {ships}, {count_noun(tally.withdrawals, 'withdrawal')}."
    return Outcome(_winner(titles[at]), titles[at], f"{text} The score is {reached}.", {"usa": reached})
