"""[18.2] What the end of the battle shows: the score at any time, and what each side has lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from readyroom.engine.facts import FactValue
from readyroom.engine.game import Scenario
from readyroom.engine.rules.state import Loss, ScaleBand, ScoreScale, Shape
from readyroom.games.midway.damage import score
from readyroom.games.midway.state import (
    FIGHTER,
    KIND_TITLES,
    KINDS,
    CarrierCard,
    Data,
    Midway,
    OrderOfBattle,
    Side,
    total,
)

PERCENT = 100


def standing(state: Midway, data: Data) -> dict[str, int]:
    """[18.2] Return each side's points for enemy carriers sunk and crippled."""
    return {side.name: score(state, data, side) for side in (state.japan, state.usa)}


def scale(state: Midway, data: Data) -> ScoreScale:
    """[18.2] Return Japan's lead in points between those with which each side wins."""
    japan, usa = state.japan, state.usa
    least = data.combat.victory.lead
    bands = [
        ScaleBand(f"{usa.title} wins", side=usa.name),
        ScaleBand("draw", 1 - least),
        ScaleBand(f"{japan.title} wins", least, japan.name),
    ]
    return ScoreScale("Japan's lead in points", score(state, data, japan) - score(state, data, usa), bands)


def losses(state: Midway, data: Data) -> list[Loss]:
    """[5, 16] Return carriers sunk and crippled, and squadrons lost by type."""
    return [loss for side in (state.japan, state.usa) for loss in _losses_of(state, side)]


def _losses_of(state: Midway, side: Side) -> Iterator[Loss]:
    for carrier in side.carriers:
        sunk = carrier.damage >= state.sink
        if sunk or state.crippled(carrier):
            fate = "sunk" if sunk else "crippled"
            yield Loss(side=side.name, shape="carrier", name=carrier.name, fate=fate, gone=sunk)
    lost, left = (Counter(one.kind for one in squadrons) for squadrons in (side.lost, side.squadrons()))
    for kind in KINDS:
        if lost[kind]:
            shape: Shape = "fighter" if kind == FIGHTER else "bomber"
            total = lost[kind] + left[kind]
            yield Loss(side=side.name, shape=shape, name=KIND_TITLES[kind], count=lost[kind], total=total)


def facts(state: Midway, data: Data, scenario: Scenario) -> dict[str, FactValue]:
    """[5, 16] Return damage and strength lost of each carrier, and carriers sunk and strength lost of each side."""
    order: OrderOfBattle = scenario.content
    facts: dict[str, FactValue] = {"turn": state.at.turn}
    for side in (state.japan, state.usa):
        cards = [card for card in order.carrier if card.side == side.name]
        initial = {card.key: _strength(card, data) for card in cards}
        left = {key: total(one for one in side.squadrons() if one.home == key) for key in initial}
        sunk = [carrier for carrier in side.carriers if carrier.damage >= state.sink]
        facts[f"sunk {side.name}"] = len(sunk)
        facts[f"crippled {side.name}"] = sum(map(state.crippled, side.carriers))
        facts[f"strength lost {side.name}"] = sum(initial.values()) - sum(left.values())
        facts |= {f"damage {carrier.key}": carrier.damage for carrier in side.carriers}
        shares = {key: PERCENT * (whole - left[key]) // whole for key, whole in initial.items() if whole}
        facts |= {f"lost share {key}": share for key, share in shares.items()}
    facts["carriers sunk"] = [
        one.name for side in (state.japan, state.usa) for one in side.carriers if one.damage >= state.sink
    ]
    return facts


def _strength(card: CarrierCard, data: Data) -> int:
    """[5] Return the strength points that a carrier begins with."""
    full = data.combat.squadron.strength
    return (card.fighters + card.torpedo_bombers + card.dive_bombers) * min(card.strength or full, full)
