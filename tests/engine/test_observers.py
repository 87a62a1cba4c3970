"""What others can notice of a match's progress."""

from __future__ import annotations

from dataclasses import replace

from tests.toys import straits

from readyroom.engine.game import PhaseGroup
from readyroom.engine.match import Match
from readyroom.engine.rules.state import At
from readyroom.web import formatting

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
