"""Helpers for planning: a game that ends after planning, whole plannings, and states by month."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from tests.games.doolittle.helpers import DATA

from readyroom import bots
from readyroom.engine.game import Scenario
from readyroom.engine.match import Match
from readyroom.engine.rules.state import At, Outcome
from readyroom.games.doolittle import GAME, sequence, setup
from readyroom.games.doolittle.figures.common import Month
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.sequence import PLANNING
from readyroom.games.doolittle.state import Doolittle

CAMPAIGN = "campaign"
SAILED, OFF = "Sailed", "Called off"


def _scenarios(data: Data) -> list[Scenario]:
    card = data.scenarios[CAMPAIGN]
    return [Scenario(key=CAMPAIGN, title=card.title, summary=card.summary, content=card)]


def _next(state: Doolittle) -> At | Outcome:
    """Return the next step, or the end after the last step of planning."""
    if state.at.phase == setup.BEFORE:
        return sequence.next_phase(state)
    at = sequence.next_phase(state)
    if at.phase in [name for name, *_ in PLANNING]:
        return at
    return Outcome("usa", OFF if state.called_off else SAILED, "The planning is over.", {"usa": state.security.risk})


PLANNED = replace(
    GAME, rules=replace(GAME.rules, scenarios=_scenarios, next_phase=_next, scenario_type=GAME.rules.scenario_type)
)
"""The campaign, ending after its planning."""


def planned(seed: str = "plan", bot: str = "", **options: str) -> Match[Doolittle, Data]:
    """Return a planning played to its end, at random or by a bot."""
    match, random = Match(PLANNED, CAMPAIGN, options=options, seed=seed), Random(seed)
    player = bots.make_bot(PLANNED, bot, match.seats[0].key, random) if bot else None
    while match.outcome is None:
        seat, decision = next(iter(match.pending.items()))
        answer = player(decision, partial(match.view, seat)) if player else decision.sample(random)
        match.decide(seat, answer)
    return match


def planner(month: Month = "january", phase: str = "", *, chosen: int = 24, **options: Any) -> Doolittle:
    """Return a campaign in a month, with the first bombers chosen and all diplomats placed."""
    state = PLANNED.rules.setup(DATA, PLANNED.scenario(CAMPAIGN), PLANNED.resolve(options))
    notes = state.notes
    notes.month = month
    state.at = At(("january", "february", "march", "april").index(month) + 1, phase or month)
    for key in list(notes.hangar)[:chosen]:
        state.squad[key] = notes.hangar.pop(key)
    notes.selected = chosen
    notes.calendar = dict.fromkeys(("nimitz", "stilwell", "thompson"), month)
    notes.site = "eglin"
    return state
