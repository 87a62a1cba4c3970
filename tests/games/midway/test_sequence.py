"""Tests of section 8: the fourteen steps of a turn, and the duration of a strike."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, islice
from operator import attrgetter
from random import Random

import pytest
from tests.games.midway.helpers import Battle, Policy, every, follow

from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision, Option
from readyroom.engine.rules.dice import KeyedDice
from readyroom.engine.rules.state import At
from readyroom.games.midway import GAME
from readyroom.games.midway.state import Data, Midway, Side

STEPS = ["land", "move", "cap", "attack", "launch", "plan", "repair"]
PRINTED = [f"{side}-{step}" for step in STEPS for side in ("japan", "usa")]


@pytest.mark.rule("midway", "8")
def test_fourteen_steps_of_turn_come_in_printed_order() -> None:
    state = Battle().state
    seen = []
    for _ in range(17):
        at = GAME.rules.next_phase(state)
        assert isinstance(at, At)
        seen.append((at.turn, at.phase))
        state.at = at
    assert seen == [(0, "set-up"), *((1, name) for name in [*PRINTED, "end"]), (2, "japan-land")]


@pytest.mark.rule("midway", "8")
def test_steps_are_played_under_own_rule() -> None:
    rules = {phase.name: phase.rule for phase in GAME.rules.phases}
    sections = dict(zip(STEPS, ["9", "10", "11", "12", "13", "14", "15"], strict=True))
    assert rules == {name: sections[name.split("-")[1]] for name in PRINTED} | {"set-up": "7", "end": "18.1"}


@pytest.mark.rule("midway", "8")
def test_match_asks_in_order_of_steps_japan_first() -> None:
    """Checks every question and log line of a whole battle against the printed sequence."""
    match: Match[Midway, Data] = Match(GAME, seed="order")
    asked: list[tuple[int, int]] = []

    def noting(decision: Decision) -> list[str]:
        at = match.state.at
        assert at.phase.startswith(decision.seat) or decision.rule in ("11.3", "11.4"), f"{at} asks {decision}"
        asked.append((at.turn, PRINTED.index(at.phase)))
        return list(every(decision))

    while match.outcome is None:
        decision = next(iter(match.pending.values()))
        match.decide(decision.seat, _amount(decision) or noting(decision))
    assert asked == sorted(asked)
    assert len({step for _, step in asked}) >= 10
    lines = [(line.turn, [*PRINTED, "end"].index(line.phase)) for line in match.full_log]
    assert lines == sorted(lines)


@pytest.mark.rule("midway", "4", "8")
@pytest.mark.parametrize("seats", ["two", "groups"])
def test_counters_are_in_exactly_one_place_at_every_question(seats: str) -> None:
    match: Match[Midway, Data] = Match(GAME, None, {"seats": seats}, seed="counters")
    random = Random(2)
    while match.outcome is None:
        decision = next(iter(match.pending.values()))
        sides = (match.state.japan, match.state.usa)
        lying = sorted(squadron.key for side in sides for squadron in (*side.squadrons(), *side.lost))
        assert len(lying) == len(set(lying)) == 101, f"at {match.state.at}, [{decision.rule}] {decision.question}"
        match.decide(decision.seat, decision.sample(random))


def _amount(decision: Decision) -> list[str]:
    """Allocate points, starting with the first option."""
    if decision.limit is None:
        return []
    pool = [value.key for value in decision.values for _ in range(decision.limit(value))]
    return pool[: decision.at_least]


def _match(**options: str) -> Match[Midway, Data]:
    return Match(GAME, None, {"questions": "as-needed", **options}, dice=KeyedDice(b"s" * 32), seed="unused")


def own_first(decision: Decision) -> list[str]:
    """Land only squadrons on their own carriers."""
    options = [
        option for option in decision.options if option.assigns and option.assigns[1] == option.key.split("-")[0]
    ]
    return _four_a_deck(options)


def hiryus_first(decision: Decision) -> list[str]:
    """Land the squadrons of the Hiryu before all others."""
    return _four_a_deck(sorted(decision.options, key=lambda option: not option.key.startswith("hiryu")))


def bombers(decision: Decision) -> list[str]:
    """Load or launch bombers only."""
    return _four_a_deck(option for option in decision.options if "-f-" not in option.key)


def fighters(decision: Decision) -> list[str]:
    """Load or launch fighters only."""
    return _four_a_deck(option for option in decision.options if "-f-" in option.key)


def to_cap(decision: Decision) -> list[str]:
    """Launch all fighters to the CAP."""
    return [key for key in decision.keys if key.endswith("-cap")]


def _four_a_deck(options: Iterable[Option]) -> list[str]:
    """Choose the first four squadrons aboard each carrier."""
    decks = groupby(options, key=attrgetter("budget_group"))
    return [option.key for _, aboard in decks for option in islice(aboard, 4)]


STRIKE: dict[str, Policy] = {
    "9.2": own_first,
    "10.2": every,
    "13.1": every,
    "13.2": every,
    "14.1": bombers,
    "17.1": lambda decision: decision.keys[: max(1, decision.at_least)],
}
"""Load bombers, launch, advance and land as early as possible; attack no carrier."""


@pytest.mark.rule("midway", "8", "13.1", "14.1", "17.2")
def test_first_american_strike_arrives_in_turn_three() -> None:
    match = _match()
    follow(match, STRIKE, lambda: bool(match.state.usa.ready))
    assert match.state.at == At(3, "usa-attack"), "it is in the Ready box when its targets are chosen"
    assert next(iter(match.pending.values())).rule == "12.1"


@pytest.mark.rule("midway", "8", "9.2", "14.2", "M4")
@pytest.mark.parametrize(("first_wave", "landing"), [("carrier", own_first), ("fleet", own_first), ("fleet", every)])
def test_first_japanese_strike_arrives_in_turn_four(first_wave: str, landing: Policy) -> None:
    """With mixed landings, and with each carrier landing her own squadrons."""
    match = _match(first_wave=first_wave)
    follow(match, STRIKE | {"9.2": landing}, lambda: bool(match.state.japan.ready))
    assert match.state.at.turn == 4
    assert match.state.at.phase in ("japan-cap", "usa-move", "usa-cap", "japan-attack")


@pytest.mark.rule("midway", "8", "M4", "M9")
def test_first_wave_on_two_decks_frees_own_carrier_in_turn_three() -> None:
    """[M4] The Hiryu's eight land on her and the Soryu in turn one; she may load at once."""
    match = _match(orders="separate")
    follow(match, STRIKE | {"9.2": hiryus_first}, lambda: bool(match.state.japan.ready))
    assert match.state.at.turn == 3
    assert {squadron.home for squadron in match.state.japan.ready} <= {"hiryu", "akagi"}


@pytest.mark.rule("midway", "8", "13.2", "14.2", "11.1")
def test_first_japanese_cap_goes_up_with_launch_of_turn_three() -> None:
    match = _match()
    follow(match, STRIKE | {"13.1": to_cap, "14.1": fighters}, lambda: any(match.state.japan.cap))
    assert match.state.at.turn == 3


def _place(side: Side, key: str) -> str:
    boxes = {"moving": side.moving, "ready": side.ready, "home": side.home, "waiting": side.waiting}
    for carrier in side.carriers:
        boxes |= {f"deck {carrier.key}": carrier.deck, f"hangar {carrier.key}": carrier.hangar}
    return next(name for name, box in boxes.items() if key in [squadron.key for squadron in box])


@pytest.mark.rule("midway", "8", "9.1", "10.1", "12.6", "13.1", "14.1")
def test_strike_planned_in_one_turn_lands_again_four_turns_later() -> None:
    """[8] Plan t, launch t+1, attack t+2, wait t+3, land t+4; on deck again at the end of t+4."""
    match = Match(GAME, "daybreak", {"questions": "as-needed"}, dice=KeyedDice(b"c" * 32), seed="unused")
    bomber = "hornet-db-1"

    def only(decision: Decision) -> list[str]:
        return [key for key in decision.keys if key in (bomber, f"{bomber}@usa-moving")]

    def at_akagi(decision: Decision) -> list[str]:
        return [key for key in decision.keys if key == f"{bomber}@akagi"]

    def at_home(decision: Decision) -> list[str]:
        return [key for key in decision.keys if key == f"{bomber}@hornet"]

    policies: dict[str, Policy] = {"9.2": at_home, "10.2": only, "12.1": at_akagi, "13.1": only, "14.1": only}
    match.state.japan.carrier("akagi").antiaircraft = 0  # the guns miss, so that the squadron survives
    seen = {}
    for turn in range(1, 7):
        follow(match, policies, lambda turn=turn: match.state.at.turn > turn)  # type: ignore[misc]
        seen[turn] = _place(match.state.usa, bomber)
    assert seen == {
        1: "deck hornet",
        2: "moving",
        3: "home",
        4: "waiting",
        5: "deck hornet",
        6: "moving",
    }
