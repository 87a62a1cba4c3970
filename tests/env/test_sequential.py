"""Answers in steps: sequences of options and legal answers correspond one to one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readyroom import Match, games
from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import BudgetGroup, Decision, DecisionKind, Option
from readyroom.env.sequential import END, PartialAnswer, steps_to

Steps = tuple[int, ...]


def make_decision(kind: DecisionKind, options: list[Option], least: int, most: int, **kwargs: object) -> Decision:
    return Decision(kind, "usa", "1", "Which?", options, least, most, **kwargs)  # type: ignore[arg-type]


def make_options(*limits: int, costs: tuple[int, ...] = ()) -> list[Option]:
    prices = costs or (0,) * len(limits)
    return [Option(f"o{at}", "", limit=limits[at], cost=prices[at]) for at in range(len(limits))]


def limited(option: Option) -> int:
    return option.limit


def price(option: Option) -> int:
    return option.cost


@st.composite
def decisions(draw: st.DrawFn) -> Decision:
    limits = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    kind = draw(st.sampled_from(DecisionKind))
    room = sum(limits)
    if kind is DecisionKind.ONE:
        return make_decision(kind, make_options(*limits), 1, 1)
    if kind is DecisionKind.ALLOCATE:
        amount = draw(st.integers(1, room))
        return make_decision(kind, make_options(*limits), amount, amount, limit=limited)
    most = draw(st.integers(1, room))
    if draw(st.booleans()):
        return make_decision(kind, make_options(*limits), draw(st.integers(0, most)), most, limit=limited)
    costs = tuple(draw(st.lists(st.integers(0, 4), min_size=len(limits), max_size=len(limits))))
    options = make_options(*limits, costs=costs)
    cut = draw(st.integers(0, len(limits)))
    purses = [BudgetGroup("p", "p", options[:cut]), BudgetGroup("q", "q", options[cut:])] if draw(st.booleans()) else ()
    budget = draw(st.integers(0, 6))
    return make_decision(kind, options, 0, most, limit=limited, cost=price, budget=budget, budget_groups=purses)


def sequences(answering: PartialAnswer, before: Steps = ()) -> Iterator[tuple[Steps, tuple[str, ...]]]:
    """Yield every sequence of steps with its answer."""
    assert answering.steps, "no legal step"
    for step in answering.steps:
        next_one = answering.again(answering.decision)
        answer = next_one.step(step)
        if answer is None:
            yield from sequences(next_one, (*before, step))
        else:
            yield (*before, step), answer


def legal(decision: Decision) -> Iterator[tuple[str, ...]]:
    """Return every legal answer in option order, by brute force."""
    options = decision.values
    for counts in product(*(range(option.limit + 1) for option in options)):
        keys = tuple(option.key for option, count in zip(options, counts, strict=True) for _ in range(count))
        try:
            yield decision.accept(keys)[0]
        except IllegalChoice:
            continue


@settings(deadline=None)
@given(decisions())
def test_each_legal_answer_has_one_sequence(decision: Decision) -> None:
    rows = list(sequences(PartialAnswer(decision)))
    assert Counter(answer for _, answer in rows) == Counter(legal(decision))
    for steps, answer in rows:
        assert tuple(steps_to(decision, answer)) == steps


@settings(deadline=None)
@given(decisions(), st.randoms(use_true_random=False))
def test_each_sequence_gives_legal_answer(decision: Decision, random: Random) -> None:
    answering, answer = PartialAnswer(decision), None
    while answer is None:
        answer = answering.step(random.choice(answering.steps))
    assert decision.accept(answer)[0] == answer
    assert answering.steps == []


def test_option_is_offered_only_if_answer_can_be_completed() -> None:
    answering = PartialAnswer(make_decision(DecisionKind.SOME, make_options(1, 1, 1), 2, 3))
    assert answering.steps == [0, 1]
    assert answering.step(1) == ("o1", "o2"), "the third point is forced, so it is not asked for"


def test_unaffordable_options_leave_only_end() -> None:
    decision = make_decision(DecisionKind.SOME, make_options(1, costs=(5,)), 0, 1, cost=price, budget=3)
    answering = PartialAnswer(decision)
    assert answering.steps == [END]
    assert answering.step(END) == ()


def test_points_respect_limits() -> None:
    answering = PartialAnswer(make_decision(DecisionKind.ALLOCATE, make_options(2, 1, 2), 3, 3, limit=limited))
    assert answering.step(0) is None
    assert answering.steps == [0, 1, 2]
    assert answering.step(2) == ("o0", "o2", "o2")


def test_invalid_step_raises() -> None:
    answering = PartialAnswer(make_decision(DecisionKind.ONE, make_options(1, 1), 1, 1))
    with pytest.raises(ValueError, match="not among the steps"):
        answering.step(END)


@pytest.mark.parametrize("name", games.game_names())
def test_sampled_answers_have_step_sequences(name: str) -> None:
    match, random = Match(games.load(name), seed="step by step", log=False), Random(1)
    while match.outcome is None:
        for seat, decision in match.pending.items():
            drawn = decision.sample(random)
            answering, answer = PartialAnswer(decision), None
            for step in steps_to(decision, drawn):
                answer = answering.step(step)
            assert answer is not None
            assert Counter(answer) == Counter(drawn)
            match.decide(seat, answer)


def test_piece_that_is_assigned_is_not_offered_again() -> None:
    ways = [Option(f"{ship}@{sea}", ship, (ship, sea)) for ship in ("akagi", "kaga") for sea in ("north", "south")]
    decision = Decision(DecisionKind.SOME, "japan", "1", "Where to?", ways, 0, 2, assigns=lambda way: way.value)
    partial = PartialAnswer(decision)
    partial.step(0)
    assert partial.open == [2, 3]
