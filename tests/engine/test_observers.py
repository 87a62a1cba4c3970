"""What others can notice of a match's progress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.toys import straits
from tests.toys.tiny import ABC, Play, T, ask, tiny

from readyroom.engine.errors import CannotUndo, NotYourDecision
from readyroom.engine.game import PhaseGroup, Seat
from readyroom.engine.match import Match
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import Choice, Steps
from readyroom.web import formatting

AnyMatch = Match[Any, Any]
SAILING = PhaseGroup("sailing", "sailing")
GROUPED = replace(
    straits.GAME,
    rules=replace(
        straits.GAME.rules,
        phases=[
            replace(phase, group=SAILING) if phase.name in ("red-sail", "blue-sail") else phase
            for phase in straits.PHASES
        ],
    ),
)


def at_sailing() -> Match[straits.Straits, straits.Figures]:
    """Return a match in which Red decides in a phase of a group."""
    match = Match(GROUPED, seed="groups")
    for seat in ("red", "blue"):
        match.decide(seat, [f"{seat}-0"])
        match.decide(seat, [])
    return match


def test_grouped_phase_is_shown_only_to_the_side_that_decides() -> None:
    match = at_sailing()
    assert match.shown_at("red") == At(1, "red-sail")
    assert match.shown_at("blue") == match.shown_at(None) == At(1, "sailing")
    assert [match.view(seat).phase for seat in ("red", "blue", None)] == ["red-sail", "sailing", "sailing"]
    match.decide("red", [])
    assert match.shown_at("blue") == At(1, "blue-sail")
    assert match.shown_at("red") == At(1, "sailing")


def test_group_has_a_title_and_is_listed_once() -> None:
    match = at_sailing()
    assert GROUPED.phase("sailing").title == "sailing"
    listed = formatting.phases(GROUPED, match.scenario, match.shown_at("blue"))
    assert [(phase["name"], phase["now"]) for phase in listed[:3]] == [
        ("prepare", False),
        ("sailing", True),
        ("weather", False),
    ]
    listed = formatting.phases(GROUPED, match.scenario, match.shown_at("red"))
    assert [(phase["name"], phase["now"]) for phase in listed[:3]] == [
        ("prepare", False),
        ("red-sail", True),
        ("blue-sail", False),
    ]


# -- hidden decisions -------------------------------------------------------------------------------------------------


def ask_red(table: T) -> Steps:
    """Ask Red until the answer is c, and log the answers to Red only."""
    while (answer := (yield from table.choose("red", "1", "Which?", ABC)).key) != "c":
        table.log_line("1", "Red chose {}.", answer, audience=("red",))


def ask_blue(table: T) -> Steps:
    """Ask Blue once."""
    yield from table.choose("blue", "2", "Which?", ABC)


def note_red(table: T) -> Steps:
    """Ask Red twice; the first answer is on the table."""
    for _ in range(2):
        answer = yield from table.choose("red", "1", "Which?", ABC)
        table.state.notes[:1] = [answer.key]


def announce_red(table: T) -> Steps:
    """Ask Red twice, and log to everyone that it was asked."""
    for _ in range(2):
        yield from table.choose("red", "1", "Which?", ABC)
        table.log_line("1", "Red has chosen.")


def _plan(table: T, seat: str) -> Choice[str]:
    while (answer := (yield from table.choose(seat, "1", "Which?", ABC)).key) != "c":
        pass
    return answer


def plan(table: T) -> Steps:
    """Both plan in secret, with as many questions as they like."""
    yield from table.choose_in_secret({seat: _plan(table, seat) for seat in ("red", "blue")})


VIEWERS = ("red", "blue", None)


def played(*moves: str, game: Sequence[Play] = (ask_red, ask_blue)) -> tuple[AnyMatch, list[tuple[int, ...]]]:
    """Play moves such as "red a" or "red undo"; return the match and each viewer's revision after each."""
    toy = tiny(*game, turns=3)
    phases = [replace(toy.rules.phases[0], group=PhaseGroup("secret", "secret")), *toy.rules.phases[1:]]
    match: AnyMatch = Match(replace(toy, rules=replace(toy.rules, phases=phases)), seed="hidden")
    match.observe({})
    revisions = []
    for move in moves:
        seat, answer = move.split()
        match.undo(seat) if answer == "undo" else match.decide(seat, answer)
        revisions.append(tuple(match.revision_for(viewer) for viewer in VIEWERS))
    return match, revisions


@pytest.mark.parametrize("hidden", [0, 1, 5])
def test_others_do_not_count_hidden_decisions(hidden: int) -> None:
    match, _ = played(*["red a"] * hidden, "red c", "blue a", "red c")
    assert [match.revision_for(viewer) for viewer in VIEWERS] == [hidden + 3, 3, 3]
    assert match.viewer_revisions() == {"": 3, "red": hidden + 3, "blue": 3}
    assert list(match.unseen.values()) == [("", "blue")] * hidden


def test_own_and_true_revisions_lead_to_each_other() -> None:
    match, _ = played("red a", "red b", "red c", "blue a", "red a", "red c")
    assert match.unseen.keys() == {1, 2, 5}
    assert [match.revision_for("blue", n) for n in range(7)] == [0, 0, 0, 1, 2, 2, 3]
    assert [match.true_revision("blue", n) for n in range(4)] == [0, 3, 4, 6]
    assert [match.true_revision("red", n) for n in range(7)] == list(range(7))


def test_decision_that_changes_the_view_is_seen() -> None:
    assert played("red a", "red a", "blue a", game=(note_red, ask_blue))[1] == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]


def test_decision_with_public_log_line_is_seen() -> None:
    assert played("red a", game=(announce_red, ask_blue))[1] == [(1, 1, 1)]


def test_secret_plan_is_seen_only_when_it_is_finished() -> None:
    moves = ["red a", "blue b", "blue b", "red c", "blue b", "blue c"]
    _, revisions = played(*moves, game=(plan, ask_blue))
    assert revisions == [(1, 0, 0), (1, 1, 0), (1, 2, 0), (2, 3, 1), (2, 4, 1), (3, 5, 2)]


def test_undo_of_unseen_decision_is_unseen() -> None:
    moves = ["red a", "red undo", "red c", "red undo", "red c", "blue c"]
    _, revisions = played(*moves, game=(plan, ask_blue))
    assert revisions == [(1, 0, 0), (2, 0, 0), (3, 1, 1), (4, 2, 2), (5, 3, 3), (6, 4, 4)]


def test_takeback_by_agreement_is_public() -> None:
    match, _ = played("red a", "red a")
    match.revert_to("red", 0)
    assert [match.revision_for(viewer) for viewer in VIEWERS] == [3, 1, 1]


def test_everything_is_public_when_the_match_is_over() -> None:
    match, revisions = played(*["red a", "red c", "blue a"] * 3)
    assert match.outcome is not None
    assert revisions[-2:] == [(8, 5, 5), (9, 9, 9)]
    assert match.true_revision(None, 4) == 4


def test_observers_continue_with_what_was_unseen() -> None:
    match, _ = played("red a", "red a")
    unseen = dict(match.unseen)
    match.observe(None)
    assert match.revision_for("blue") == 2
    match.observe(unseen)
    match.decide("red", "c")
    assert [match.revision_for(viewer) for viewer in VIEWERS] == [3, 1, 1]
    assert match.fork().revision_for("blue") == 3


def test_others_cannot_undo_while_a_phase_is_hidden_from_them() -> None:
    match, _ = played("red c", "blue a")
    assert not match.can_undo("blue")
    with pytest.raises(CannotUndo, match="another side is deciding in secret"):
        match.undo("blue")
    match.decide("red", "a")
    assert match.can_undo("red")


def with_hidden_seats(**sides: str) -> AnyMatch:
    """Return a match in which red has decided and green is to, with the side of each seat; others do not see which."""
    toy = tiny(ask("red"), ask("green"), seats=tuple(sides))
    seats = [Seat(key, key.title(), side) for key, side in sides.items()]
    rules = replace(toy.rules, hides_seats=True, seats=lambda scenario, options: seats)
    match: AnyMatch = Match(replace(toy, rules=rules), seed="three")
    match.decide("red", "a")
    return match


def test_errors_do_not_name_hidden_seats() -> None:
    match = with_hidden_seats(red="one", green="other", blue="other")
    assert (match.shown_waiting("red"), match.shown_waiting("blue")) == (["green", "blue"], ["green"])
    with pytest.raises(NotYourDecision, match="Waiting for Green and Blue"):
        match.decide("red", "a")


def test_umpire_sees_the_seat_that_decides() -> None:
    match = with_hidden_seats(red="one", green="other", blue="other", white="umpire")
    assert match.shown_waiting("white") == ["green"]
    assert match.shown_name("white", "green") == "Green"
    assert match.shown_waiting(None) == ["green", "blue"]
