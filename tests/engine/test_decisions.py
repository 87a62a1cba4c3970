"""Decisions: legal answers, error messages and sampling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.toys.tiny import Token

from readyroom import Match, games
from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import BudgetGroup, Decision, DecisionKind, Option, OptionInfo, Unavailable


def tokens(*points: int) -> list[Token]:
    return [Token(f"t{n}", p) for n, p in enumerate(points)]


def points(token: Token) -> int:
    return token.points


def one(*of: int) -> Decision:
    return Decision(DecisionKind.ONE, "red", "4.1", "Which one?", tokens(*of), 1, 1)


def some(at_least: int, at_most: int, *of: int, budget: int | None = None) -> Decision:
    cost = None if budget is None else points
    return Decision(DecisionKind.SOME, "red", "4.2", "Which ones?", tokens(*of), at_least, at_most, cost, budget or 0)


def paid(budget: int, *purses: list[int]) -> Decision:
    """Return a decision for any tokens, with a budget for each purse."""
    of = tokens(*(point for purse in purses for point in purse))
    decision = Decision(DecisionKind.SOME, "red", "4.2", "Which ones?", of, 0, len(of), points, budget)
    begins = [sum(map(len, purses[:at])) for at in range(len(purses))]
    decision.budget_groups = [
        BudgetGroup(f"p{at}", f"Purse {at}", of[begin : begin + len(purse)])
        for at, (begin, purse) in enumerate(zip(begins, purses, strict=True))
    ]
    return decision


def often(at_least: int, at_most: int, *of: int, budget: int | None = None) -> Decision:
    """Return a decision in which a token may be chosen once per point; with a budget each choice costs one."""
    cost = None if budget is None else (lambda token: 1)
    return Decision(
        DecisionKind.SOME, "red", "4.4", "How often?", tokens(*of), at_least, at_most, cost, budget or 0, limit=points
    )


def divide(amount: int, *of: int) -> Decision:
    return Decision(DecisionKind.ALLOCATE, "red", "4.3", "Who bears it?", tokens(*of), amount, amount, limit=points)


def rejection(decision: Decision, answer: str | Sequence[str]) -> IllegalChoice:
    with pytest.raises(IllegalChoice) as caught:
        decision.accept(answer)
    return caught.value


# -- texts and options -------------------------------------------------------------------------------------------------


def test_describe_answer_counts_equal_texts() -> None:
    planes = [Option("b5n-1", "B5N"), Option("b5n-2", "B5N"), Option("d3a-1", "D3A")]
    decision = Decision(DecisionKind.SOME, "red", "4.2", "Which ones?", planes, 0, 3)
    assert decision.describe_answer(decision.keys) == "2 × B5N, D3A"
    assert decision.describe_answer(decision.keys, most=1) == "2 × B5N and 1 more"
    assert decision.describe_answer([]) == "none"
    assert decision.describe_answer(["zero"]) == "zero"


FORCED = [
    one(3),
    some(2, 2, 1, 1),
    some(0, 0, 1, 1),
    often(2, 2, 3),
    often(5, 5, 2, 3),
    divide(2, 3),
    divide(2, 1, 1),
]
FREE = [one(3, 4), some(1, 2, 1, 1), some(1, 1, 1, 1), some(0, 1, 1), often(4, 4, 2, 3), divide(2, 3, 3)]


@pytest.mark.parametrize("decision", [*FORCED, *FREE])
def test_is_forced_with_single_legal_answer(decision: Decision) -> None:
    answers = {
        tuple(sorted(chosen))
        for count in range(decision.at_least, decision.at_most + 1)
        for chosen in combinations_with_replacement(decision.keys, count)
        if _accepted(decision, chosen)
    }
    assert decision.is_forced == (len(answers) == 1) == (decision in FORCED)


def test_pieces_can_be_options() -> None:
    decision = one(3, 4)
    assert decision.keys == ["t0", "t1"]
    assert decision.options == [Option("t0", "t0"), Option("t1", "t1")]
    assert decision.unavailable == []


def test_options_use_texts_infos_costs_and_limits() -> None:
    decision = Decision(
        DecisionKind.ALLOCATE,
        "red",
        "4.3",
        "Who?",
        tokens(2),
        1,
        1,
        limit=points,
        text=lambda token: f"token of {token.points}",
        info=lambda token: OptionInfo("hurts", 0.5),
    )
    assert decision.options == [Option("t0", "token of 2", info=OptionInfo("hurts", 0.5), limit=2)]
    assert some(0, 1, 5, budget=9).options[0].cost == 5


def test_option_can_have_own_info() -> None:
    hinted = Option("go", "Advance", info=OptionInfo("risky", 0.1))
    assert Decision(DecisionKind.ONE, "red", "1", "?", [hinted], 1, 1).options == [hinted]


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (one(1, 1), "choose one"),
        (some(0, 2, 1, 1), "choose 0 to 2"),
        (some(1, 1, 1, 1), "choose 1"),
        (some(0, 2, 1, 1, budget=7), "choose 0 to 2, within 7 points"),
        (paid(7, [1, 1]), "choose 0 to 2, within 7 points"),
        (paid(7, [1], [1], [2]), "choose 0 to 3, within 7 points for each of Purse 0, Purse 1 and Purse 2"),
        (often(0, 3, 2, 1), "choose 0 to 3, repeats allowed"),
        (often(0, 3, 2, 1, budget=1), "choose 0 to 3, repeats allowed, within 1 point"),
        (divide(3, 2, 2), "allocate 3 over the options, repeats allowed"),
    ],
)
def test_instruction_text(decision: Decision, expected: str) -> None:
    assert decision.instruction() == expected
    assert expected in repr(decision)


# -- accepted answers --------------------------------------------------------------------------------------------------


def test_accept_returns_keys_and_values() -> None:
    decision = some(0, 3, 1, 2, 3)
    keys, values = decision.accept(["t2", "t0"])
    assert tuple(keys) == ("t2", "t0")
    assert list(values) == [decision.values[2], decision.values[0]]
    assert [list(part) for part in decision.accept([])] == [[], []]


def test_accept_single_key_string() -> None:
    assert one(1, 1).accept("t1")[0][0] == "t1"


def test_accept_repeated_keys_as_points() -> None:
    assert list(divide(3, 2, 2).accept(["t0", "t1", "t0"])[0]) == ["t0", "t1", "t0"]


def test_repeated_option_is_counted_and_paid_each_time() -> None:
    assert list(often(0, 5, 3, 2).accept(["t0", "t1", "t0", "t0"])[0]) == ["t0", "t1", "t0", "t0"]
    assert list(often(0, 5, 3, 2, budget=2).accept(["t0", "t0"])[0]) == ["t0", "t0"]
    assert [option.limit for option in often(0, 5, 3, 2).options] == [3, 2]


def test_budget_applies_to_each_group() -> None:
    decision = paid(7, [4, 4], [3, 4])
    assert list(decision.accept(["t0", "t2", "t3"])[0]) == ["t0", "t2", "t3"]
    assert [(option.budget_group, option.cost) for option in decision.options] == [
        ("p0", 4),
        ("p0", 4),
        ("p1", 3),
        ("p1", 4),
    ]


# -- rejected answers --------------------------------------------------------------------------------------------------


def test_illegal_choice_has_rule_reason_and_legal_keys() -> None:
    error = rejection(one(1, 1), "t7")
    assert error.rule == "4.1"
    assert error.reason == "'t7' is not among the options."
    assert error.legal == ["t0", "t1"]
    assert str(error) == "'t7' is not among the options. [4.1] Legal here: t0, t1."


def test_illegal_choice_text_shortens_legal_keys() -> None:
    error = rejection(one(*[1] * 20), "no")
    assert len(error.legal) == 20
    assert str(error).endswith("t10, t11 ….")


@pytest.mark.parametrize(
    ("decision", "answer", "reason"),
    [
        (one(1, 1), [], "Which one? Choose one; you chose none."),
        (one(1, 1), ["t0", "t1"], "Which one? Choose one; you chose 2."),
        (some(2, 2, 1, 1, 1), ["t0"], "Which ones? Choose 2; you chose 1."),
        (some(0, 1, 1, 1), ["t0", "t1"], "Which ones? Choose 0 to 1; you chose 2."),
        (some(0, 3, 1, 1, 1), ["t0", "t1", "t0"], "t0 was chosen 2 times; the limit is 1."),
        (some(0, 2, 4, 4, budget=7), ["t0", "t1"], "Together these cost 8 points; the budget is 7."),
        (some(0, 1, 8, budget=7), ["t0"], "Together these cost 8 points; the budget is 7."),
        (often(0, 4, 2, 2), ["t0", "t0", "t0"], "t0 was chosen 3 times; the limit is 2."),
        (often(0, 4, 2, 2, budget=2), ["t0", "t0", "t1"], "Together these cost 3 points; the budget is 2."),
        (
            often(0, 2, 2, 2),
            ["t0", "t0", "t1"],
            "How often? Choose 0 to 2, repeats allowed; you chose 3.",
        ),
        (paid(7, [4], [4, 4]), ["t0", "t1", "t2"], "Purse 1: together these cost 8 points; the budget is 7."),
        (divide(3, 2, 2), ["t0", "t0", "t0"], "t0 was chosen 3 times; the limit is 2."),
        (
            divide(2, 2, 2),
            ["t0"],
            "Who bears it? Allocate 2 over the options, repeats allowed; you chose 1.",
        ),
    ],
)
def test_illegal_choice_reasons(decision: Decision, answer: list[str], reason: str) -> None:
    error = rejection(decision, answer)
    assert error.reason == reason
    assert error.rule == decision.rule
    assert error.legal == decision.keys


def test_unavailable_option_is_rejected_with_its_rule() -> None:
    calls = []

    def give_reasons() -> list[Unavailable]:
        calls.append(1)
        return [Unavailable("t9", "Nine", "7.2", "Nine is below decks.")]

    decision = Decision(DecisionKind.ONE, "red", "4.1", "Which?", tokens(1), 1, 1, unavailable_options=give_reasons)
    decision.accept("t0")
    assert not calls, "reasons are computed lazily"
    error = rejection(decision, ["t9"])
    assert (error.rule, error.reason, error.legal) == ("7.2", "Nine is below decks.", ["t0"])
    assert rejection(decision, "t8").rule == "4.1"
    assert decision.unavailable[0].text == "Nine"


@pytest.mark.parametrize("answer", [[1], [None], [["t0"]], [{"t0": 1}], [b"t0"]])
def test_non_string_key_is_rejected(answer: list[str]) -> None:
    error = rejection(one(1, 1), answer)
    assert "is not among the options" in error.reason


# -- sampling ----------------------------------------------------------------------------------------------------------


@st.composite
def questions(draw: st.DrawFn) -> Decision:
    shape = draw(st.sampled_from(["one", "some", "budget", "purses", "often", "often paid", "points"]))
    of = draw(st.lists(st.integers(1 if shape in ("points", "often", "often paid") else 0, 6), min_size=1, max_size=9))
    if shape == "one":
        return one(*of)
    if shape == "budget":
        return some(0, draw(st.integers(0, len(of))), *of, budget=draw(st.integers(0, 30)))
    if shape == "purses":
        cut = draw(st.integers(0, len(of)))
        return paid(draw(st.integers(0, 12)), of[:cut], of[cut:])
    if shape == "often paid":
        return often(0, draw(st.integers(0, sum(of))), *of, budget=draw(st.integers(0, 12)))
    if shape == "often":
        least = draw(st.integers(0, sum(of)))
        return often(least, draw(st.integers(least, sum(of))), *of)
    if shape == "some":
        least = draw(st.integers(0, len(of)))
        return some(least, draw(st.integers(least, len(of))), *of)
    return divide(draw(st.integers(0, sum(of))), *of)


@given(decision=questions(), seed=st.integers(0, 10**6))
def test_sample_is_legal(decision: Decision, seed: int) -> None:
    random = Random(seed)
    for _ in range(5):
        answer = decision.sample(random)
        assert tuple(decision.accept(answer)[0]) == tuple(answer)


@given(decision=questions(), seed=st.integers(0, 10**6))
def test_sample_is_deterministic(decision: Decision, seed: int) -> None:
    assert list(decision.sample(Random(seed))) == list(decision.sample(Random(seed)))


@given(decision=questions(), answer=st.lists(st.sampled_from([f"t{n}" for n in range(10)]), max_size=10))
def test_accept_matches_brute_force(decision: Decision, answer: list[str]) -> None:
    assert _accepted(decision, answer) is _legal(decision, answer)


def _accepted(decision: Decision, answer: Sequence[str]) -> bool:
    try:
        decision.accept(answer)
    except IllegalChoice:
        return False
    return True


def _legal(decision: Decision, answer: Sequence[str]) -> bool:
    by_key = {token.key: token for token in decision.values}
    if not set(answer) <= set(by_key) or not decision.at_least <= len(answer) <= decision.at_most:
        return False
    limits = {key: points(by_key[key]) if decision.limit else 1 for key in by_key}
    if any(count > limits[key] for key, count in Counter(answer).items()):
        return False
    shares = [purse.options for purse in decision.budget_groups] or [decision.values]
    cost = decision.cost
    if cost is None:
        return True
    spent = [sum(cost(by_key[key]) for key in answer if by_key[key] in share) for share in shares]
    return max(spent) <= decision.budget


@pytest.mark.parametrize(
    "decision",
    [
        one(1, 1, 1, 1),
        some(0, 4, 1, 1, 1, 1),
        some(2, 3, 1, 1, 1, 1),
        some(4, 4, 1, 1, 1, 1),
        some(0, 1, 1, 1, 1),
        some(0, 4, 1, 2, 3, 4, budget=5),
        some(0, 2, 1, 2, 3, 4, budget=5),
        paid(3, [1, 2, 1], [2, 2]),
        often(0, 4, 2, 1, 1),
        often(2, 3, 2, 1, 2),
        often(0, 5, 2, 3, budget=3),
        divide(3, 1, 2, 3),
    ],
    ids=repr,
)
def test_sample_reaches_every_legal_answer(decision: Decision) -> None:
    random, keys = Random(7), decision.keys
    drawn = {tuple(sorted(decision.sample(random))) for _ in range(4000)}
    if decision.limit:
        spans = range(decision.at_least, decision.at_most + 1)
        each = (c for size in spans for c in combinations_with_replacement(keys, size))
        legal = {tuple(sorted(c)) for c in each if _legal(decision, c)}
    else:
        legal = {c for size in range(len(keys) + 1) for c in combinations(keys, size) if _legal(decision, c)}
    assert drawn == legal


@pytest.mark.parametrize("answer", [None, 5, {"a": 1}])
def test_invalid_answer_type_is_rejected(answer: Any) -> None:
    match: Match[Any, Any] = Match(games.load("midway"), seed="odd")
    with pytest.raises(IllegalChoice, match="a key or a list of keys"):
        match.decide("japan", answer)


# -- pieces assigned to places ---------------------------------------------------------------------------------------


class Sending(NamedTuple):
    """A ship and a sea."""

    ship: str
    sea: str

    @property
    def key(self) -> str:
        return f"{self.ship}@{self.sea}"

    def __str__(self) -> str:
        return f"{self.ship} → {self.sea}"


SENDINGS = [Sending(ship, sea) for ship in ("Akagi", "Kaga") for sea in ("north", "south")]


def sending() -> Decision:
    return Decision(
        DecisionKind.SOME, "japan", "1", "Where to?", SENDINGS, 0, 2, assigns=lambda one: (one.ship, one.sea)
    )


def test_each_piece_is_assigned_once() -> None:
    decision = sending()
    assert decision.accept(["Akagi@north", "Kaga@north"])[1] == [SENDINGS[0], SENDINGS[2]]
    assert decision.options[0].assigns == ("Akagi", "north")
    assert "at most one for each piece" in decision.instruction()
    with pytest.raises(IllegalChoice, match="Akagi → north and Akagi → south exclude each other"):
        decision.accept(["Akagi@north", "Akagi@south"])


def test_samples_assign_each_piece_at_most_once_and_anywhere() -> None:
    random, seen = Random(3), set[tuple[str, ...]]()
    for _ in range(300):
        keys = sending().sample(random)
        sending().accept(list(keys))
        seen.add(tuple(sorted(keys)))
    assert len(seen) == 9
