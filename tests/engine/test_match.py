"""Matches: decisions, errors, undo, takeback and forks."""

from __future__ import annotations

import gc
import json
import weakref
from random import Random
from typing import Any

import pytest
from tests.toys import straits
from tests.toys.tiny import ABC, Play, T, ask, both, plans, roll_dice, tiny

from readyroom import Match, games
from readyroom.engine.errors import (
    CannotUndo,
    IllegalChoice,
    InvalidDice,
    InvalidRecord,
    MatchOver,
    NotYourDecision,
    RuleError,
    StaleRevision,
    UnknownOption,
    UnknownScenario,
    UnknownSeat,
)
from readyroom.engine.game import Seat
from readyroom.engine.match import seats_of
from readyroom.engine.match.resume import resume
from readyroom.engine.record.format import Undo
from readyroom.engine.record.replay import replay
from readyroom.engine.rules.checks import Check
from readyroom.engine.rules.dice import KeyedDice, RecordedDice, fingerprint, fixed_dice, key_of, secret_of_seed
from readyroom.engine.rules.table import Steps
from readyroom.testing.playouts import AnyMatch, play_on
from readyroom.testing.snapshots import difference, table_snapshot


def matched(*plays: Play, turns: int = 1, **more: Any) -> Match[Any, Any]:
    return Match(tiny(*plays, turns=turns), **({"seed": "match"} | more))


# -- start -------------------------------------------------------------------------------------------------------------


def test_match_uses_first_scenario_and_default_options() -> None:
    match = Match(straits.GAME, seed="x")
    assert match.scenario.key == "even"
    assert match.options == {"turns": "5", "weather": "fair"}
    assert [seat.key for seat in match.seats] == ["red", "blue"]
    assert (match.decision_count, match.revision, match.outcome) == (0, 0, None)


def test_sole_pending_is_none_for_several_seats() -> None:
    match = matched(ask("red"), plans(1))
    assert match.sole_pending is match.pending["red"]
    assert match.sole_pending.revision == match.revision
    match.decide("red", "a")
    assert match.sole_pending is None
    assert list(match.pending) == ["red", "blue"]
    for _ in play_on(match, Random(1)):
        pass
    assert match.outcome is not None
    assert match.sole_pending is None


def test_entry_points_are_scanned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the installed packages takes milliseconds."""
    result = games.load("midway")
    monkeypatch.setattr("readyroom.engine.game.entry_points", lambda **_: pytest.fail("entry points were read again"))
    assert games.load("midway") is result
    assert "midway" in games.game_names()


def test_unknown_names_raise_errors() -> None:
    with pytest.raises(UnknownScenario, match="Known: even, many"):
        Match(straits.GAME, "evn")
    with pytest.raises(UnknownScenario, match="or as a file"):
        Match(straits.GAME, "missing.toml")
    with pytest.raises(UnknownOption, match="No option named 'turn'"):
        Match(straits.GAME, options={"turn": 5})
    with pytest.raises(UnknownOption, match="turns=5, turns=8"):
        Match(straits.GAME, options={"turns": 6})
    with pytest.raises(UnknownSeat, match="'green'"):
        Match(straits.GAME, nonces={"green": "x"})


def test_option_value_may_be_number() -> None:
    assert Match(straits.GAME, options={"turns": 8}).options["turns"] == "8"


def test_matches_without_seed_have_different_keys() -> None:
    one, other = Match(straits.GAME), Match(straits.GAME)
    assert one.fingerprint != other.fingerprint
    assert one.seed is None


def test_seed_fixes_dice() -> None:
    notes = [matched(roll_dice(30), ask("red"), seed=seed).state.notes for seed in ("x", "x", "y")]
    assert notes[0] == notes[1] != notes[2]


def test_nonces_change_dice_but_not_fingerprint() -> None:
    matches = [matched(roll_dice(30), ask("red"), nonces=nonces) for nonces in ({}, {"red": "a"}, {"blue": "a"})]
    assert len({tuple(match.state.notes) for match in matches}) == 3
    assert len({match.fingerprint for match in matches}) == 1


def test_dice_follow_from_secret_and_nonces() -> None:
    match = matched(roll_dice(5), ask("red"), nonces={"red": "hello"})
    assert match.published_secret is None
    match.decide("red", "a")
    assert match.published_secret is not None
    secret = bytes.fromhex(match.published_secret)
    assert secret == secret_of_seed("match")
    assert match.fingerprint == fingerprint(secret)
    faces = KeyedDice(key_of(secret, {"red": "hello"})).roll("1|phase-1|2|dice|1", 5)
    assert match.state.notes[0] == f"dice:{list(faces)}"


def test_side_name_from_single_seat_or_key() -> None:
    game = games.load("midway")
    two = [Seat("spruance", "Spruance", "usa"), Seat("fletcher", "Fletcher", "usa")]
    assert game.side_name("usa", two[:1]) == "Spruance"
    assert game.side_name("usa", two) == "United States"
    assert game.side_name("lost-fleet", two) == "Lost Fleet"


def test_non_default_options_lists_only_changes() -> None:
    game = games.load("midway")
    (option, *_) = game.options
    other = next(choice for choice in option.choices if choice != option.default)
    assert game.non_default_options(game.resolve({})) == {}
    assert game.non_default_options(game.resolve({option.key: other})) == {option.key: other}


def test_phase_is_found_by_name() -> None:
    game = games.load("midway")
    assert game.phase(game.rules.phases[1].name) is game.rules.phases[1]
    with pytest.raises(KeyError, match="tea"):
        game.phase("tea")


def test_find_seats_by_seat_or_side() -> None:
    match = Match(straits.GAME)
    assert seats_of(match, "red") == ["red"]
    with pytest.raises(UnknownSeat, match="'green'"):
        seats_of(match, "green")


# -- decisions ---------------------------------------------------------------------------------------------------------


def test_pending_is_snapshot() -> None:
    match = matched(ask("red"), ask("blue"))
    pending = match.pending
    match.decide("red", "a")
    assert list(pending) == ["red"]
    assert list(match.pending) == ["blue"]


def test_answer_increments_revision() -> None:
    match = matched(ask("red"), ask("blue"))
    assert match.pending["red"].revision == match.revision == 0
    match.decide("red", "a", revision=0)
    assert match.pending["blue"].revision == match.revision == 1
    match.undo("red")
    assert match.revision == 2
    assert match.pending["red"].revision == 2


def test_stale_answer_raises_stale_revision() -> None:
    match = matched(ask("red"), ask("red"))
    match.decide("red", "a", revision=0)
    with pytest.raises(StaleRevision, match="has changed since you loaded it") as caught:
        match.decide("red", "b", revision=0)
    assert (caught.value.seat, caught.value.given, caught.value.current) == ("red", 0, 1)
    assert match.state.notes == ["red:a"]


def test_answer_to_undone_decision_is_stale() -> None:
    match = matched(ask("red"), ask("red"))
    match.decide("red", "a", revision=0)
    revision = match.pending["red"].revision
    match.undo("red")
    for stale in (0, revision):
        with pytest.raises(StaleRevision):
            match.decide("red", "b", revision=stale)


def test_stale_answer_in_secret_plan_is_rejected() -> None:
    match = Match(straits.GAME, seed="x")
    match.decide("red", [], revision=0)
    second = match.pending["red"].revision
    match.undo("red")
    assert match.pending["red"].revision != second
    with pytest.raises(StaleRevision):
        match.decide("red", ["red-0"], revision=second)


def test_secret_plans_do_not_block_each_other() -> None:
    match = Match(straits.GAME, seed="x")
    match.decide("red", [])
    match.undo("red")
    match.decide("red", [])
    match.decide("blue", [], revision=0)
    assert match.pending["blue"].question == "And which one more?"


def test_answer_of_idle_seat_is_rejected() -> None:
    match = matched(ask("red"), ask("blue"))
    with pytest.raises(NotYourDecision, match=r"It is not Blue.s turn\. Waiting for Red"):
        match.decide("blue", "a")
    with pytest.raises(UnknownSeat, match="'green'"):
        match.decide("green", "a")
    assert match.revision == 0


def test_finished_match_rejects_answers() -> None:
    match = matched(ask("red"))
    match.decide("red", "a")
    assert match.outcome is not None
    assert match.pending == {}
    with pytest.raises(MatchOver, match=r"The match is over \(draw\)"):
        match.decide("red", "a")
    with pytest.raises(MatchOver, match=r"The match is over \(draw\)"):
        match.undo("red")
    assert not match.can_undo("red")


def test_illegal_answer_changes_nothing() -> None:
    match = matched(ask("red"), ask("blue"))
    before = table_snapshot(match) | {"record": match.record().encode()}
    for answer in ("z", [], ["a", "b"], ["a", "a"]):
        with pytest.raises(IllegalChoice):
            match.decide("red", answer)
    assert not difference(before, table_snapshot(match) | {"record": match.record().encode()})
    assert match.revision == 0


def test_view_and_log_need_known_seat_or_spectator() -> None:
    match = matched(ask("red"), ask("blue"))
    match.decide("red", "a")
    view = match.view(None)
    assert view.seat is None
    assert (view.game, view.turn, view.phase, view.outcome) == ("tiny", 1, "phase-2", None)
    assert view.table["notes"] == ["red:a"]
    for look in (match.view, match.log):
        with pytest.raises(UnknownSeat, match="'green'"):
            look("green")


# -- undo --------------------------------------------------------------------------------------------------------------


def test_undo_restores_exact_state() -> None:
    match = matched(ask("red"), ask("red"), ask("blue"))
    stages = [table_snapshot(match)]
    for answer in ("a", "b"):
        match.decide("red", answer)
        stages.append(table_snapshot(match))
    for stage in reversed(stages[:-1]):
        match.undo("red")
        assert not difference(stage, table_snapshot(match))
    with pytest.raises(CannotUndo, match="no decision to undo"):
        match.undo("red")


def test_log_is_right_after_undo_and_another_answer() -> None:
    match, random, undone = Match(games.load("midway"), seed="log"), Random(4), 0
    while match.outcome is None and match.decision_count < 60:
        (seat, decision), *_ = match.pending.items()
        match.decide(seat, decision.sample(random))
        for viewer in ("usa", None):
            assert match.log(viewer) == [line for line in match.full_log if line.seen_by(viewer)]
        if random.random() < 0.3 and match.can_undo(seat):
            match.undo(seat)
            undone += 1
    assert undone


UNKNOWN_CAUSE = "since then dice were rolled, a counter was drawn"


def _counter_drawn(table: T) -> Steps:
    table.state.tokens.append(table.draw(table.state.cup, "3", "bag"))
    return
    yield


def _revealed(table: T) -> Steps:
    table.reveal("3", "Behold.")
    return
    yield


def _rolled(*audience: str) -> Play:
    """Return a phase that rolls dice and logs them for some seats (none: everyone)."""

    def play(table: T) -> Steps:
        roll = table.roll(Check("3", "roll", at_least=4), "dice")
        table.log_line("3", "Dice: {}.", roll, audience=audience or None)
        return
        yield

    return play


def _revealed_to_blue(table: T) -> Steps:
    table.reveal("3", "Behold.", audience=["blue"])
    return
    yield


@pytest.mark.parametrize(
    ("barrier", "reason"),
    [
        (roll_dice(), UNKNOWN_CAUSE),
        (_counter_drawn, UNKNOWN_CAUSE),
        (_revealed, "undone: hidden information was revealed."),
        (_revealed_to_blue, UNKNOWN_CAUSE),
        (_rolled(), "undone: dice were rolled."),
        (_rolled("red"), "undone: dice were rolled."),
        (_rolled("blue"), UNKNOWN_CAUSE),
    ],
)
def test_undo_after_dice_draw_or_disclosure_says_what_the_seat_has_seen(barrier: Play, reason: str) -> None:
    match = matched(ask("red"), barrier, ask("red"), ask("blue"))
    match.decide("red", "a")
    assert not match.can_undo("red")
    before = table_snapshot(match)
    with pytest.raises(CannotUndo, match=reason):
        match.undo("red")
    match.decide("red", "b")
    match.undo("red")
    assert not difference(before, table_snapshot(match))
    with pytest.raises(CannotUndo, match=reason):
        match.undo("red")


def test_dice_before_first_decision_do_not_block_undo() -> None:
    match = matched(both(roll_dice(), ask("red")), ask("red"))
    match.decide("red", "a")
    match.undo("red")
    assert match.state.notes == [match.state.notes[0]]


def test_undo_after_other_seats_decision_is_rejected() -> None:
    match = matched(ask("red"), ask("blue"), ask("red"))
    match.decide("red", "a")
    match.decide("blue", "b")
    with pytest.raises(CannotUndo, match="Blue has decided since"):
        match.undo("red")
    match.undo("blue")
    match.undo("red")
    assert match.state.notes == []


def test_other_choice_after_undo_rolls_same_dice() -> None:
    game = (both(ask("red"), ask("red"), roll_dice(20)), ask("blue"))
    match, straight = matched(*game), matched(*game)
    match.decide("red", "a")
    match.undo("red")
    for one in (match, straight):
        one.decide("red", "b")
        one.decide("red", "c")
    assert match.state.notes == straight.state.notes


@pytest.mark.parametrize("checkpoints", [True, False])
def test_undo_crosses_checkpoints(checkpoints: bool) -> None:
    match = matched(*[ask("red")] * 3, turns=15, checkpoints=checkpoints)
    stages = []
    for _ in range(40):
        stages.append(table_snapshot(match))
        match.decide("red", "b")
    for stage in reversed(stages):
        match.undo("red")
        assert not difference(stage, table_snapshot(match))


def test_checkpoints_after_dice_or_four_decisions() -> None:
    """A resumed match has a checkpoint where undo is blocked, so no fork or undo replays many decisions."""
    dicey, calm = matched(ask("red"), roll_dice(), turns=9), matched(ask("red"), turns=15)
    footings = []
    for _ in range(6):
        dicey.decide("red", "a")
        footings.append(dicey.resume_point().checkpoint.position)
    assert footings == [0, 2, 2, 4, 4, 6]
    for _ in range(14):
        calm.decide("red", "a")
    assert [checkpoint.position for checkpoint in calm._runner.checkpoints] == [0, 4, 8, 12]
    assert calm.resume_point().checkpoint.position == 0


def test_replay_makes_same_checkpoints() -> None:
    """Dice of an earlier decision do not block undo at a later boundary."""
    match = matched(ask("red"), roll_dice(), ask("red"), ask("red"), turns=5)
    for _ in range(3):
        match.decide("red", "a")
    resumed = resume(match.saved(), match.game)
    for one in (match, match.fork(b"f" * 32), resumed):
        assert [checkpoint.position for checkpoint in one._runner.checkpoints] == [0]


def test_rebuild_keeps_secret_block_numbers() -> None:
    """The record's block number separates plans even directly before a checkpoint."""
    match = matched(plans(1), ask("red"), turns=9)
    for _ in play_on(match, Random(2), upto=20):
        pass
    straight = matched(plans(1), ask("red"), turns=9)
    for _ in play_on(straight, Random(2), upto=20):
        pass
    seat = next(iter(match.pending))
    key = match.pending[seat].keys[0]
    match.decide(seat, key)
    match.replay_undo(Undo(match.revision + 1, seat, (match.revision,), leave=False))
    for one in (match, straight):
        for _ in play_on(one, Random(3)):
            pass
    numbers = [
        [json.loads(line).get("block") for line in one.record_lines() if '"chose"' in line] for one in (match, straight)
    ]
    del numbers[0][20]
    assert numbers[0] == numbers[1]


def test_manual_dice_are_entered_once_despite_undo() -> None:
    events: list[str] = []

    def type_in(event: str, count: int, sides: int) -> list[int]:
        events.append(event)
        return [len(events)] * count

    match = matched(ask("red"), roll_dice(2), ask("blue"), seed=None, dice=RecordedDice(type_in))
    match.decide("red", "a")
    match.revert_to("red", 0)
    match.decide("red", "b")
    assert match.state.notes == ["red:b", "dice:[1, 1]"]
    assert events == ["1|phase-2|2|dice|1"]


# -- takeback by agreement ---------------------------------------------------------------------------------------------


def test_revert_to_returns_to_any_decision() -> None:
    straight = Match(straits.GAME, seed="leave")
    stages = [table_snapshot(straight)]
    for _ in play_on(straight, Random(3)):
        stages.append(table_snapshot(straight)) if straight.decision_count else None
    for position in (1, 5, 12, 20):
        match = Match(straits.GAME, seed="leave")
        for _ in play_on(match, Random(3), upto=25):
            pass
        match.revert_to("red", position)
        assert match.decision_count == position
        assert not difference(stages[position], table_snapshot(match)), position


def test_revert_to_then_same_answers_rolls_same_faces() -> None:
    match = matched(both(ask("red"), roll_dice(20)), both(ask("blue"), roll_dice(20)), ask("red"))
    match.decide("red", "a")
    match.decide("blue", "a")
    notes = list(match.state.notes)
    match.revert_to("blue", 0)
    match.decide("red", "a")
    match.decide("blue", "a")
    assert match.state.notes == notes
    assert match.revision == 5


def test_revert_to_unknown_position_is_rejected() -> None:
    match = matched(ask("red"), ask("blue"))
    match.decide("red", "a")
    for position in (-1, 1, 2):
        with pytest.raises(CannotUndo) as error:
            match.revert_to("red", position)
        assert str(error.value) == f"Cannot return to decision {position} of 1. Possible: 0 to 0."


def test_finished_match_cannot_be_undone() -> None:
    """Its secret is published, so a takeback would reveal future dice."""
    match = matched(ask("red"), roll_dice(), ask("blue"))
    match.decide("red", "a")
    match.decide("blue", "a")
    record = match.record()
    with pytest.raises(MatchOver):
        match.revert_to("red", 1)
    assert match.record() == record


# -- internal errors ---------------------------------------------------------------------------------------------------


def fails_on(letter: str) -> Play:
    def play(table: T) -> Steps:
        table.state.notes.append("half-way")
        chosen = yield from table.choose("red", "7", "Which?", ABC)
        table.state.notes.append("further")
        table.log_line("7", "Further.")
        if chosen.key == letter:
            raise KeyError("oops")

    return play


def test_failing_rule_leaves_match_unchanged() -> None:
    match = matched(ask("red"), fails_on("b"), ask("blue"))
    match.decide("red", "a")
    before, record = table_snapshot(match), match.record()
    with pytest.raises(RuleError, match=r"Rule 7 failed .*KeyError: 'oops'") as caught:
        match.decide("red", "b")
    assert isinstance(caught.value.__cause__, KeyError)
    assert not difference(before, table_snapshot(match))
    assert (match.revision, match.record()) == (1, record)
    assert caught.value.record.startswith(record)
    match.decide("red", "c")
    assert list(match.pending) == ["blue"]


def test_record_of_rule_error_reproduces_it() -> None:
    game = tiny(ask("red"), fails_on("b"), ask("blue"))
    match = Match(game, seed="match")
    match.decide("red", "a")
    with pytest.raises(RuleError) as caught:
        match.decide("red", "b")
    with pytest.raises(InvalidRecord, match=r"Rule 7 failed .*KeyError: 'oops'") as again:
        replay(caught.value.record, game=game)
    assert again.value.line == 3
    assert json.loads(caught.value.record.splitlines()[-1])["chose"] == ["b"]


def test_failing_rule_leaves_no_checkpoint() -> None:
    def late(table: T) -> Steps:
        if table.state.at.turn == 4:
            raise RuntimeError("late")
        return
        yield

    match = matched(*[ask("red")] * 3, late, turns=9)
    for _ in range(11):
        match.decide("red", "a")
    before = table_snapshot(match)
    with pytest.raises(RuleError, match="late"):
        match.decide("red", "a")
    assert not difference(before, table_snapshot(match))
    assert not difference(before, table_snapshot(match.fork(b"f" * 32)))


def test_failing_secret_plan_keeps_other_plan() -> None:
    def plan(table: T, seat: str) -> Any:
        chosen = yield from table.choose(seat, "5", "Which?", ABC)
        if chosen.key == "c":
            raise KeyError("oops")
        return chosen.key

    def play(table: T) -> Steps:
        data = yield from table.choose_in_secret({seat: plan(table, seat) for seat in ("red", "blue")})
        table.state.notes.append(data["red"] + data["blue"])

    match = matched(play, ask("red"))
    match.decide("red", "a")
    with pytest.raises(RuleError):
        match.decide("blue", "c")
    assert list(match.pending) == ["blue"]
    match.decide("blue", "b")
    assert match.state.notes == ["ab"]


def test_missing_dice_leave_match_unchanged() -> None:
    match = matched(both(ask("red"), roll_dice(3)), ask("blue"), seed=None, dice=fixed_dice(1, 2))
    before = table_snapshot(match)
    with pytest.raises(InvalidDice, match="needs 3 dice"):
        match.decide("red", "a")
    assert not difference(before, table_snapshot(match))


def test_interruption_leaves_match_unchanged() -> None:
    def interrupted(event: str, count: int, sides: int) -> list[int]:
        raise KeyboardInterrupt

    match = matched(both(ask("red"), roll_dice(3)), ask("blue"), seed=None, dice=RecordedDice(interrupted))
    before = table_snapshot(match)
    with pytest.raises(KeyboardInterrupt):
        match.decide("red", "a")
    assert not difference(before, table_snapshot(match))


# -- forks -------------------------------------------------------------------------------------------------------------


def _played(seed: str, upto: int) -> AnyMatch:
    match = Match(straits.GAME, "many", seed=seed)
    for _ in play_on(match, Random(seed), upto=upto):
        pass
    return match


@pytest.mark.parametrize("upto", [0, 1, 3, 4, 9, 17, 30])
def test_fork_has_same_history(upto: int) -> None:
    match = _played("fork", upto)
    fork = match.fork()
    assert not difference(table_snapshot(match), table_snapshot(fork))
    assert (fork.decision_count, fork.revision) == (match.decision_count, match.revision)


def test_fork_is_independent() -> None:
    match = _played("fork", 9)
    before, record = table_snapshot(match), match.record()
    fork = match.fork(b"f" * 32)
    for _ in play_on(fork, Random(5)):
        pass
    assert fork.outcome is not None
    assert not difference(before, table_snapshot(match))
    assert match.record() == record
    match.decide(*next(play_on(match, Random(1))))
    assert fork.outcome is not None


def test_fork_has_different_future_dice() -> None:
    match = matched(both(ask("red"), roll_dice(30)), both(ask("red"), roll_dice(30)), ask("red"))
    match.decide("red", "a")
    forks = [match.fork(key) for key in (b"1" * 32, b"2" * 32, b"1" * 32)]
    for each in (match, *forks):
        each.decide("red", "a")
    past = {each.state.notes[1] for each in (match, *forks)}
    to_come = [each.state.notes[3] for each in (match, *forks)]
    assert len(past) == 1
    assert len(set(to_come)) == 3
    assert to_come[1] == to_come[3]


def test_fork_repeats_its_dice_after_undo() -> None:
    match = matched(both(ask("red"), roll_dice(6)), both(ask("blue"), roll_dice(6)), ask("red"), ask("blue"), turns=2)
    match.decide("red", "a")
    fork = match.fork(b"f" * 32)
    fork.decide("blue", "a")
    notes = list(fork.state.notes)
    fork.decide("red", "b")
    fork.revert_to("red", 2)
    assert fork.state.notes == notes


def test_fork_within_secret_plans_keeps_plans() -> None:
    match = Match(straits.GAME, seed="plans")
    match.decide("red", ["red-0"])
    fork = match.fork(b"f" * 32)
    for each in (match, fork):
        each.decide("blue", [])
        each.decide("red", [])
        each.decide("blue", [])
    assert fork.digest() == match.digest()
    assert [ship.key for ship in fork.state.red.ready] == ["red-0"]


def test_fork_cannot_undo_earlier_decisions() -> None:
    match = matched(ask("red"), ask("red"), ask("red"))
    match.decide("red", "a")
    fork = match.fork()
    assert match.can_undo("red")
    assert not fork.can_undo("red")
    with pytest.raises(CannotUndo):
        fork.revert_to("red", 0)
    fork.decide("red", "b")
    fork.undo("red")
    assert fork.state.notes == ["red:a"]


def test_fork_does_not_publish_original_secret() -> None:
    match = Match(tiny(ask("red"), roll_dice(), ask("red")))
    match.decide("red", "a")
    fork = match.fork()
    fork.decide("red", "a")
    assert match.secret is not None
    assert match.secret.hex() not in fork.record()
    assert fork.secret is None


@pytest.mark.parametrize("upto", [0, 9, 30])
def test_unreferenced_match_is_freed_immediately(upto: int) -> None:
    """Forks have no reference cycles, so a search with thousands of them needs no garbage collection."""
    match = _played("fork", upto)
    gc.disable()
    try:
        forks = [match.fork(b"f" * 32), resume(match.saved(), match.game)]
        references = [weakref.ref(fork) for fork in forks]
        del forks
        assert [ref() for ref in references] == [None, None]
    finally:
        gc.enable()


def test_fork_without_log() -> None:
    match = _played("fork", 17)
    fork = match.fork(b"f" * 32, log=False)
    assert fork.full_log == []
    assert fork.digest() == match.digest()
    for _ in play_on(fork, Random(2)):
        pass
    assert fork.full_log == []


def test_match_without_checkpoints_can_be_forked() -> None:
    match = Match(straits.GAME, "many", seed="fork", checkpoints=False, log=False)
    for _ in play_on(match, Random("fork"), upto=30):
        pass
    assert match.fork(b"f" * 32).digest() == match.digest() == _played("fork", 30).digest()


def test_undo_without_own_decision_is_rejected() -> None:
    match = matched(ask("red"), ask("blue"))
    match.decide("red", "a")
    with pytest.raises(CannotUndo, match="no decision to undo"):
        match.undo("blue")


def test_takeback_position_passes_moves_but_not_dice() -> None:
    match = matched(ask("red"), ask("blue"), ask("red"), roll_dice(), ask("blue"))
    match.decide("red", "a")
    match.decide("blue", "b")
    assert match.takeback_position("red") == 0
    assert match.takeback_position("blue") == 1
    match.decide("red", "c")
    assert match.takeback_position("red") is match.takeback_position("blue") is None
