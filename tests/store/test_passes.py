"""Tests of passing ahead: what it answers, and when it ends."""

from __future__ import annotations

import pytest
from tests.store.conftest import Toys
from tests.store.playing import asked, enrolled, opened
from tests.toys.tiny import ABC, Play, ask, both, tiny
from tests.toys.tiny import T as TinyTable

from readyroom.engine.rules.checks import RolledDice
from readyroom.engine.rules.decisions import CONTINUE, SOME, Decision, Option
from readyroom.engine.rules.table import Steps
from readyroom.store import Store
from readyroom.store.errors import CannotPass
from readyroom.store.matches.passes import Until, passing_answer

A, B = Option("a", "A"), Option("b", "B")


def decision(values: list[Option], least: int, most: int, **more: object) -> Decision:
    return Decision(SOME, "red", "1", "What?", values, least, most, **more)  # type: ignore[arg-type]


def test_only_what_needs_no_choice_is_passed() -> None:
    assert passing_answer(decision([CONTINUE], 1, 1)) == ("continue",)
    assert passing_answer(decision([A], 1, 1)) == ("a",)
    assert passing_answer(decision([A, B], 0, 2)) == ()
    assert passing_answer(decision([A, B], 1, 1)) is None
    assert passing_answer(decision([A, B], 0, 2, select_all_default=True)) is None
    assert passing_answer(decision([A, B], 0, 2, sheet={"plan": 1})) is None


def optional(seat: str) -> Play:
    """Return a rule that asks a seat for any letters."""

    def play(table: TinyTable) -> Steps:
        chosen = yield from table.choose_some(seat, "1", "Any?", ABC)
        table.state.notes.append(f"{seat}:{''.join(option.key for option in chosen) or '-'}")

    return play


def only_continues(seat: str) -> Play:
    """Return a rule that asks a seat to continue."""

    def play(table: TinyTable) -> Steps:
        yield from table.ask_to_continue(seat, "1", "Nothing to choose.")

    return play


def notes(store: Store, match_id: str) -> list[str]:
    with store.matches.open(match_id) as match:
        return list(match.state.notes)


def run(store: Store, match_id: str) -> None:
    store.passes.run(match_id, store.matches)


def test_seat_passes_until_it_must_choose(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(optional("red"), only_continues("red"), ask("red"), turns=2)
    match_id = opened(store, "tiny")
    store.passes.begin(match_id, "red", "turn")
    assert store.passes.waiting() == [match_id]
    run(store, match_id)
    assert notes(store, match_id) == ["red:-"]
    assert list(asked(store, match_id)) == ["red"]
    assert store.passes.of_match(match_id) == {}, "where it must choose, passing ends"
    with pytest.raises(CannotPass):
        store.passes.begin(match_id, "red", "turn")
    with pytest.raises(CannotPass):
        store.passes.begin(match_id, "blue", "turn")


@pytest.mark.parametrize(("until", "passed"), [("phase", 1), ("turn", 2), ("dice", 6)])
def test_pass_ends_with_phase_or_turn_or_dice(store: Store, toys: Toys, until: Until, passed: int) -> None:
    toys["tiny"] = tiny(optional("red"), both(optional("red"), _roll_in(3)), turns=5)
    match_id = opened(store, "tiny")
    store.passes.begin(match_id, "red", until)
    run(store, match_id)
    assert [note for note in notes(store, match_id) if note.startswith("red")] == ["red:-"] * passed
    assert store.passes.of_match(match_id) == {}


def _roll_in(turn: int) -> Play:
    def play(table: TinyTable) -> Steps:
        if table.state.at.turn == turn:
            table.log_line("2", "{}", RolledDice("dice", (tuple(table.roll_dice("2", "dice", 1)),), 6, "rolled"))
        return
        yield

    return play


def test_pass_waits_for_others(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(optional("red"), ask("blue"), optional("red"), turns=1)
    match_id = opened(store, "tiny")
    store.passes.begin(match_id, "red", "turn")
    run(store, match_id)
    assert list(asked(store, match_id)) == ["blue"]
    assert set(store.passes.of_match(match_id)) == {"red"}
    store.matches.answer(match_id, "blue", "b", None)
    run(store, match_id)
    assert notes(store, match_id) == ["red:-", "blue:b", "red:-"]
    assert store.listings.summary(match_id).outcome is not None
    run(store, match_id)
    assert store.passes.of_match(match_id) == {}, "the match is over"


def test_passed_decisions_are_recorded_like_others_and_undone(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(optional("red"), optional("red"), ask("red"), turns=1)
    match_id = opened(store, "tiny")
    store.passes.begin(match_id, "red", "turn")
    run(store, match_id)
    store.matches.undo(match_id, "red")
    run(store, match_id)
    assert notes(store, match_id) == ["red:-"]
    store.passes.begin(match_id, "red", "turn")
    store.passes.end(match_id, "red")
    run(store, match_id)
    assert notes(store, match_id) == ["red:-"]


def test_bot_does_not_continue_a_pass(store: Store, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("blue"), optional("red"), optional("red"), turns=3)
    host = enrolled(store)
    match_id = opened(store, "tiny", host)
    store.matches.answer(match_id, "blue", "a", None)
    store.passes.begin(match_id, "red", "turn")
    store.seats.assign_bot(match_id, "red", "random", host.id)
    run(store, match_id)
    assert store.passes.of_match(match_id) == {}
