"""Tests of the final report of a raid."""

from __future__ import annotations

import pytest

from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.state import Doolittle

DATA = GAME.data


def raid(scenario: str) -> Doolittle:
    return GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve({}))


@pytest.mark.rule("doolittle", "1.9", "2.1")
@pytest.mark.parametrize(
    ("fate", "where", "text"),
    [
        ("home", "", "Doolittle (2344) hit Army Arsenal (Tokyo North) and turned for home."),
        ("destroyed", "chiba", "Doolittle (2344) hit Army Arsenal (Tokyo North) and was lost with its crew."),
    ],
)
def test_epilogue_tells_hits_and_fate_of_each_bomber(fate: str, where: str, text: str) -> None:
    state = raid("capital")
    state.add_to_story("hit", "b01", "tokyo-arsenal")
    state.squad["b01"].fate, state.squad["b01"].where = fate, where  # type: ignore[assignment]
    assert GAME.presentation.epilogue(state, DATA)[0] == text


@pytest.mark.rule("doolittle", "1.9", "3.4")
def test_epilogue_tells_city_damage_and_compares_with_1942() -> None:
    state = raid("early")
    tokyo = state.targets["tokyo"]
    tokyo.tally, tokyo.dark = 2, True
    tokyo.areas["tokyo-north"].boxes["tokyo-arsenal"].blast = 2
    tokyo.areas["chiba"].blast = 1
    state.squad["b01"].fate, state.squad["b01"].where = "ditched", "Z9"
    lines = GAME.presentation.epilogue(state, DATA)
    assert lines[0].endswith("bombed nothing and came down in the zone East China Sea, and its crew got out.")
    assert "Tokyo: 2 bombers released; a blast of 2 on 1 target, 1 elsewhere; its lights went out." in lines
    parts = [
        line for line in lines if line.startswith("In April 1942, 15 of sixteen bombers bombed a city, none was lost")
    ]
    assert len(parts) == 1
    assert GAME.analysis.match_stats(state, DATA)["blast at targets"] == 2


@pytest.mark.rule("doolittle", "1.9")
def test_epilogue_from_launch_has_paper_letter_report_time_line() -> None:
    lines = GAME.presentation.epilogue(raid("early"), DATA)
    assert [line.split(".")[0].split(":")[0] for line in lines[-4:]] == [
        "The Harbor Gazette",
        "Dear Mrs",
        "Report to the Joint Chiefs of Staff",
        "April 1942",
    ]
    assert len(GAME.presentation.epilogue(raid("capital"), DATA)) == len(raid("capital").squad)
