"""The table: forced decisions, secret plans, dice events and the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.toys.tiny import ABC, Play, T, Token, ask, both, letters_of, plans, tiny

from readyroom import Match
from readyroom.engine.errors import CannotUndo, IllegalChoice, RuleError
from readyroom.engine.rules.checks import Check, Fire, Volley
from readyroom.engine.rules.decisions import BudgetGroup, Option, Unavailable
from readyroom.engine.rules.dice import fixed_dice
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import Choice, Steps

Choosing = Callable[[T], Choice[Any]]


def noting(choosing: Choosing) -> Play:
    """Return a rule that asks for a choice and notes the chosen keys."""

    def play(table: T) -> Steps:
        chosen = yield from choosing(table)
        listed = chosen if isinstance(chosen, list) else [chosen]
        table.state.notes.append(",".join(piece.key for piece in listed))

    return play


def matched(*plays: Play, **more: Any) -> Match[Any, Any]:
    return Match(tiny(*plays), seed="table", **more)


# -- decisions ---------------------------------------------------------------------------------------------------------


def test_single_option_is_logged_without_asking() -> None:
    match = matched(noting(lambda table: table.choose("red", "4", "Which?", ABC[:1])), ask("blue"))
    assert list(match.pending) == ["blue"]
    assert match.state.notes == ["a"]
    assert [line.text for line in match.log("red")] == ["Which? Only legal choice: A."]
    assert match.log("blue") == match.log(None) == []


def test_forced_choice_does_not_compute_infos() -> None:
    def no_hint(_: Token) -> None:
        raise AssertionError("hints must be lazy")

    match = matched(noting(lambda table: table.choose("red", "4", "Which?", ABC[:1], info=no_hint)), ask("blue"))
    assert match.state.notes == ["a"]


def test_always_asks_for_single_option() -> None:
    match = matched(noting(lambda table: table.choose("red", "4", "Which?", ABC[:1], always=True)))
    assert match.pending["red"].keys == ["a"]


def test_choose_without_options_raises() -> None:
    match = matched(ask("red"), noting(lambda table: table.choose("red", "4.2", "Which?", [])))
    with pytest.raises(RuleError, match=r"\[4\.2\] Which\? has no options"):
        match.decide("red", "a")
    with pytest.raises(ValueError, match="has no options"):
        matched(noting(lambda table: table.choose("red", "4.2", "Which?", [], always=True)))


def test_choose_some_without_options_asks_nothing() -> None:
    match = matched(noting(lambda table: table.choose_some("red", "4", "Which?", [])), ask("blue"))
    assert match.state.notes == [""]
    assert match.full_log == []


def test_choose_some_takes_all_required_options() -> None:
    match = matched(noting(lambda table: table.choose_some("red", "4", "Which?", ABC, at_least=3)), ask("blue"))
    assert match.state.notes == ["a,b,c"]
    assert match.log("red")[0].text == "Which? Only legal choice: A, B, C."


def test_choose_some_keeps_answer_order() -> None:
    match = matched(noting(lambda table: table.choose_some("red", "4", "Which?", ABC, at_most=9)), ask("blue"))
    assert (match.pending["red"].at_least, match.pending["red"].at_most) == (0, 3)
    match.decide("red", ["c", "a"])
    assert match.state.notes == ["c,a"]


def test_decision_has_budget_groups_and_default() -> None:
    purses = [BudgetGroup("red", "Red", ABC[:1]), BudgetGroup("blue", "Blue", ABC[1:])]
    match = matched(
        noting(
            lambda table: table.choose_some(
                "red",
                "4",
                "Which?",
                ABC,
                cost=lambda option: 2,
                budget=3,
                budget_groups=purses,
                select_all_default=True,
            )
        )
    )
    decision = match.pending["red"]
    assert (decision.select_all_default, decision.budget, [option.budget_group for option in decision.options]) == (
        True,
        3,
        ["red", "blue", "blue"],
    )
    with pytest.raises(IllegalChoice, match="Blue: together these cost 4 points; the budget is 3"):
        match.decide("red", ["b", "c"])


def _twice(option: Option) -> int:
    return {"a": 2, "b": 1}.get(option.key, 0)


def test_choose_some_respects_limits() -> None:
    match = matched(noting(lambda table: table.choose_some("red", "4", "Which?", ABC, limit=_twice)), ask("blue"))
    assert match.pending["red"].keys == ["a", "b"], "an option that cannot be chosen once is not offered"
    assert match.pending["red"].at_most == 3
    match.decide("red", ["a", "b", "a"])
    assert match.state.notes == ["a,b,a"]


@pytest.mark.parametrize("log", [True, False])
def test_choose_some_takes_all_up_to_limits(log: bool) -> None:
    rule = noting(lambda table: table.choose_some("red", "4", "Which?", ABC, at_least=3, limit=_twice))
    assert matched(rule, ask("blue"), log=log).state.notes == ["a,a,b"]


@pytest.mark.parametrize(
    "numbers",
    [
        {"at_least": 4},
        {"at_least": 2, "at_most": 1},
        {"at_least": 1, "cost": lambda o: 1, "budget": 2},
        {"budget_groups": [BudgetGroup("red", "Red", ABC)]},
    ],
)
def test_choose_some_with_impossible_number_raises(numbers: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="asks for"):
        matched(noting(lambda table: table.choose_some("red", "4", "Which?", ABC, **numbers)))


def _allocate(amount: int, room: Callable[[Token], int] = lambda token: token.points) -> Play:
    return noting(lambda table: table.allocate("red", "4", "Who?", amount, table.state.tokens, room))


@pytest.mark.parametrize(
    ("amount", "given"),
    [(0, ""), (-1, ""), (6, "t1,t2,t2,t3,t3,t3"), (9, "t1,t2,t2,t3,t3,t3")],
)
def test_allocate_without_choice_asks_nothing(amount: int, given: str) -> None:
    match = matched(_allocate(amount), ask("blue"))
    assert list(match.pending) == ["blue"]
    assert match.state.notes == [given]


def test_allocate_without_choice_uses_log_text() -> None:
    def spread(table: T) -> Choice[Any]:
        tokens = table.state.tokens
        return table.allocate(
            "red", "4", "Who?", 6, tokens, lambda x: x.points, log_text=lambda all_: f"All {len(all_)} are hit."
        )

    match = matched(noting(spread), ask("blue"))
    assert [line.text for line in match.log("red")] == ["All 3 are hit."]
    assert match.log("blue") == []


def test_allocate_gives_all_points_to_single_option() -> None:
    match = matched(
        noting(lambda t: t.allocate("red", "4", "Who?", 2, t.state.tokens[2:], lambda x: x.points)), ask("blue")
    )
    assert match.state.notes == ["t3,t3"]


def test_allocate_returns_answered_points() -> None:
    match = matched(_allocate(3), ask("blue"))
    decision = match.pending["red"]
    assert [option.limit for option in decision.options] == [1, 2, 3]
    match.decide("red", ["t3", "t1", "t3"])
    assert match.state.notes == ["t3,t1,t3"]


def test_allocate_omits_options_without_room() -> None:
    match = matched(_allocate(1, lambda token: token.points - 1), ask("blue"))
    assert match.pending["red"].keys == ["t2", "t3"]


def test_allocate_to_only_option_with_room() -> None:
    match = matched(_allocate(1, lambda token: 2 if token.key == "t2" else 0), ask("blue"))
    assert match.state.notes == ["t2"]


def test_unavailable_options_are_computed_lazily() -> None:
    calls = []

    def missing() -> Iterator[Unavailable]:
        calls.append(1)
        yield Unavailable("z", "Zed", "9.9", "Zed has sunk.")

    choosers: list[Choosing] = [
        lambda table: table.choose("red", "4", "?", ABC, unavailable=missing),
        lambda table: table.choose_some("red", "4", "?", ABC, unavailable=missing),
        lambda table: table.allocate("red", "4", "?", 1, ABC, lambda option: 1, unavailable=missing),
    ]
    match = matched(*(noting(choose) for choose in choosers))
    for _ in choosers:
        assert not calls
        with pytest.raises(IllegalChoice, match=r"Zed has sunk\. \[9\.9\]"):
            match.decide("red", "z")
        calls.clear()
        match.decide("red", "a")


# -- secret plans ------------------------------------------------------------------------------------------------------


ORDERS = ["rrbb", "bbrr", "rbrb", "brrb", "rbbr", "brbr"]


def _answer(match: Match[Any, Any], order: str) -> None:
    letters = {"red": iter("abab"), "blue": iter("cbcb")}
    for seat in order:
        name = {"r": "red", "b": "blue"}[seat]
        match.decide(name, next(letters[name]))


def test_secret_plans_do_not_depend_on_order() -> None:
    rows = set()
    for order in ORDERS:
        match = matched(plans(), ask("red"))
        assert list(match.pending) == ["red", "blue"]
        _answer(match, order)
        assert match.state.notes == ["ab/cb"]
        rows.add((match.digest(), str(match.view("red")), tuple(line.text for line in match.log("blue"))))
    assert len(rows) == 1


def test_finished_secret_planner_is_not_asked_again() -> None:
    match = matched(plans(), ask("red"))
    _answer(match, "rr")
    assert list(match.pending) == ["blue"]
    assert match.pending["blue"].question == "Letter 1?"


def test_secret_plan_can_be_undone_despite_enemy_answer() -> None:
    match = matched(plans(), ask("red"))
    _answer(match, "rbr")
    before = match.pending["blue"].question
    match.undo("red")
    assert match.pending["red"].question == "Letter 2?"
    assert match.pending["blue"].question == before == "Letter 2?"
    match.undo("blue")
    match.undo("red")
    assert [decision.question for decision in match.pending.values()] == ["Letter 1?", "Letter 1?"]
    _answer(match, "brbr")
    assert match.state.notes == ["ab/cb"]


def test_completed_secret_plans_cannot_be_undone() -> None:
    match = matched(plans(), ask("red"))
    _answer(match, "rrbb")
    for seat in ("red", "blue"):
        assert not match.can_undo(seat)
        with pytest.raises(CannotUndo, match="secret planning ended"):
            match.undo(seat)


def test_undo_before_secret_plans_blocked_whether_enemy_answered_or_not() -> None:
    match = matched(ask("red"), plans(), ask("red"))
    match.decide("red", "a")
    for answers in ("", "b"):
        _answer(match, answers)
        assert not match.can_undo("red")
        with pytest.raises(CannotUndo, match="another side is deciding in secret"):
            match.undo("red")
    _answer(match, "rrb")
    assert match.state.notes == ["red:a", "ab/cc"]


@pytest.mark.parametrize("text", ["roll_dice", "roll", "draw"])
def test_secret_plan_cannot_roll_or_draw(text: str) -> None:
    def plan(table: T) -> Choice[Option]:
        chosen = yield from table.choose("red", "5", "Letter?", ABC)
        if text == "roll_dice":
            table.roll_dice("5", "x")
        elif text == "roll":
            table.roll(Check("5", "c", at_least=3), "x")
        else:
            table.draw(table.state.cup, "5", "x")
        return chosen

    def play(table: T) -> Steps:
        yield from table.choose_in_secret({"red": plan(table)})

    match = matched(play)
    with pytest.raises(RuleError, match=r"\[5\] a secret plan may not roll or draw"):
        match.decide("red", "a")
    assert list(match.pending) == ["red"]


def test_dice_work_after_secret_plans() -> None:
    def play(table: T) -> Steps:
        yield from plans(1)(table)
        table.state.notes.append(str(table.roll_dice("5", "x")[0]))

    match = matched(play, ask("red"), dice=fixed_dice(4))
    _answer(match, "rb")
    assert match.state.notes[-1] == "4"


def test_secret_plans_without_choices_ask_nothing() -> None:
    def plan(table: T) -> Choice[str]:
        return "nothing"
        yield

    def play(table: T) -> Steps:
        data = yield from table.choose_in_secret({"red": plan(table), "blue": plan(table)})
        table.state.notes.append(data["red"])

    assert matched(play, ask("red")).state.notes == ["nothing"]


def test_secret_plans_do_not_nest() -> None:
    def nested(table: T) -> Choice[Any]:
        return (yield from table.choose_in_secret({"red": letters_of(table, "red")}))

    def play(table: T) -> Steps:
        yield from table.choose_in_secret({"red": nested(table)})

    with pytest.raises(AssertionError, match="do not nest"):
        matched(play)


# -- dice --------------------------------------------------------------------------------------------------------------


def _faces(*plays: Play, turns: int = 1) -> list[str]:
    return list(Match(tiny(*plays, turns=turns), seed="events").state.notes)


def roll_rule(rule: str, subject: str, count: int = 30) -> Play:
    def play(table: T) -> Steps:
        table.state.notes.append(str(list(table.roll_dice(rule, subject, count))))
        return
        yield

    return play


def test_event_names_are_distinct() -> None:
    notes = _faces(
        both(roll_rule("1", "akagi"), roll_rule("1", "akagi"), roll_rule("2", "akagi"), roll_rule("1", "kaga")),
        roll_rule("1", "akagi"),
        turns=2,
    )
    assert len(notes) == 10
    assert len(set(notes)) == 10


def test_event_dice_do_not_depend_on_other_rolls() -> None:
    texts = _faces(roll_rule("1", "akagi"))
    after = _faces(both(roll_rule("1", "kaga"), roll_rule("3", "akagi"), roll_rule("1", "akagi")))
    assert texts[-1] == after[-1]


@pytest.mark.parametrize(("rule", "subject"), [("1", "a|b"), ("1|2", "a"), ("1", "|"), ("|", "")])
def test_separator_in_event_name_is_rejected(rule: str, subject: str) -> None:
    for function in (
        roll_rule(rule, subject),
        noting_roll(lambda table: table.roll(Check(rule, "c", at_least=3), subject)),
        noting_roll(lambda table: table.draw(table.state.cup, rule, subject)),
    ):
        with pytest.raises(ValueError, match=r"'\|' is not allowed in the name of an event"):
            matched(function)


def noting_roll(function: Callable[[T], object]) -> Play:
    def play(table: T) -> Steps:
        table.state.notes.append(str(function(table)))
        return
        yield

    return play


def test_roll_uses_dice_of_event() -> None:
    fire = Fire(at_least=5, again=6, best=1, further=1)
    match = matched(
        noting_roll(lambda table: table.roll(Check("1", "c", dice=2, at_least=9), "akagi")),
        noting_roll(lambda table: table.roll(Volley("2", "v", 3, fire), "akagi")),
        ask("red"),
        dice=fixed_dice(4, 5, 6, 5, 1, 6, 6, 2),
    )
    assert match.state.notes == ["passed", "4 hits"]


# -- the log -----------------------------------------------------------------------------------------------------------


def test_log_line_is_visible_to_audience_only() -> None:
    def play(table: T) -> Steps:
        table.log_line("1", "For all: {}.", "x")
        table.log_line("1", "For Red.", audience=("red",))
        table.reveal("1", "For Blue.", audience=iter(["blue"]))
        yield from ask("red")(table)

    match = matched(play)
    assert [line.text for line in match.log("red")] == ["For all: x.", "For Red."]
    assert [line.text for line in match.log("blue")] == ["For all: x.", "For Blue."]
    assert [line.text for line in match.log(None)] == ["For all: x."]
    assert len(match.full_log) == 3


def test_log_since_counts_own_lines() -> None:
    def play(table: T) -> Steps:
        for number in range(4):
            table.log_line("1", "{}", number, audience=("red",) if number % 2 else None)
        yield from ask("red")(table)

    match = matched(play)
    assert [line.text for line in match.log("blue", since=1)] == ["2"]
    assert [line.text for line in match.log("red", since=3)] == ["3"]
    assert match.log("red", since=9) == []


def test_log_line_freezes_facts() -> None:
    def play(table: T) -> Steps:
        state = table.state
        table.log_line("1", "{} and {}.", state.tokens[0], state.tokens)
        state.tokens[0].key = "renamed"
        state.tokens.pop()
        yield from ask("red")(table)

    assert matched(play).log("red")[0].text == "t1 and t1, t2, t3."


def test_log_line_has_rolls() -> None:
    def play(table: T) -> Steps:
        roll = table.roll(Check("15", "repairs", at_least=4), "akagi")
        table.log_line("15", "The Akagi repairs: {}.", roll)
        yield from ask("red")(table)

    line = matched(play, dice=fixed_dice(5)).log(None)[0]
    assert line.text == "The Akagi repairs: passed."
    assert [roll.faces for roll in line.rolls] == [((5,),)]
    data = line.plain()
    assert (data["turn"], data["phase"], data["rule"]) == (1, "phase-1", "15")
    assert data["rolls"][0]["result"] == "1d6 ≥ 4: 5, passed"


def test_match_without_log_formats_nothing() -> None:
    class Expensive:
        def __str__(self) -> str:
            raise AssertionError("formatted")

        __format__ = object.__format__

    def play(table: T) -> Steps:
        table.log_line("1", "{}", Expensive())
        yield from ask("red")(table)

    match = matched(play, log=False)
    match.decide("red", "a")
    assert match.full_log == []


def test_end_match_works_within_phase() -> None:
    def play(table: T) -> Steps:
        yield from ask("red")(table)
        table.end_match(Outcome("red", "Red wins", "Suddenly."))

    match = matched(play, ask("blue"))
    match.decide("red", "a")
    assert match.outcome == Outcome("red", "Red wins", "Suddenly.")
    assert match.pending == {}


# -- questions without a choice ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [[], ABC[:1], ABC])
def test_always_asks_once_whether_there_is_a_choice_or_not(options: list[Option]) -> None:
    def play(table: T) -> Steps:
        least = len(options) == 1
        choosing = table.choose_some("red", "1", "Which letters?", options, at_least=int(least))
        chosen = yield from table.always_asks("red", "1", "There are no letters.", choosing)
        table.state.notes.append("".join(option.key for option in chosen))

    match = matched(play)
    decision = match.pending["red"]
    assert decision.only_continues == (len(options) < 2)
    assert decision.is_forced == decision.only_continues
    match.decide("red", "continue" if decision.only_continues else ["a", "c"])
    assert match.state.notes == [{0: "", 1: "a", 3: "ac"}[len(options)]]
