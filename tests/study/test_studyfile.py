"""Study files: contents and error messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from readyroom.engine.errors import (
    InvalidData,
    UnknownBot,
    UnknownGame,
    UnknownOption,
    UnknownPlan,
    UnknownScenario,
    UnknownSeat,
)
from readyroom.study.studies import check_study
from readyroom.study.studyfile import (
    MOST_CASES,
    UnknownMeasure,
    UnknownStudy,
    builtin_studies,
    checked,
    parse_study,
    read,
    unplayed_figures,
)

HEAD = 'title = "A question"\ngame = "midway"\n'


def study(text: str, head: str = HEAD) -> str:
    return head + text


def names(text: str) -> list[str]:
    return [case.name for case in checked(parse_study(study(text).encode(), "q.toml"), "q.toml").cases]


def test_study_without_variable_has_one_case() -> None:
    assert names("") == ["A question"]


def test_grid_has_every_combination_in_order() -> None:
    text = (
        '[vary]\nscenario = ["midway", "daybreak"]\n[vary.options]\ncap_rings = [3, 2]\n[vary.bots]\nusa = ["doctrine"]'
    )
    assert names(text) == [
        "scenario=midway, cap_rings=3, usa=doctrine",
        "scenario=midway, cap_rings=2, usa=doctrine",
        "scenario=daybreak, cap_rings=3, usa=doctrine",
        "scenario=daybreak, cap_rings=2, usa=doctrine",
    ]


def test_case_name_lists_only_differences() -> None:
    text = 'bots = { japan = "doctrine" }\noptions = { cap_rings = 2 }\n[[case]]\nname = "usual"\n'
    text += '[[case]]\nname = "other"\nbots = { usa = "doctrine" }\noptions = { cap_rings = 4 }\n'
    baseline, other = checked(parse_study(study(text).encode(), "q.toml")).cases
    assert baseline.table.bots == {"japan": "doctrine", "usa": "random"}
    assert other.table.bots == {"japan": "doctrine", "usa": "doctrine"}
    assert (baseline.table.options["cap_rings"], other.table.options["cap_rings"]) == ("2", "4")
    assert baseline.table.options["turn_limit"] == "20", "unnamed keys have their default"


@pytest.mark.parametrize(
    ("error", "text", "sentence"),
    [
        (InvalidData, "titel = 1", "titel"),
        (InvalidData, 'matches = "many"', "matches: expected a whole number, found 'many'"),
        (InvalidData, "matches = 1", "at matches: expected between 2 and 1,000,000, found 1"),
        (InvalidData, 'dice = "loaded"', "dice"),
        (InvalidData, "[options]\ncap_rings = 2.5", "options"),
        (InvalidData, "[vary]", "something that varies"),
        (InvalidData, "[vary.options]\ncap_rings = []", "vary.options.cap_rings: expected at least one choice"),
        (InvalidData, '[vary.bots]\nusa = ["random"]\n[[case]]\nname = "a"', "either a table [vary] or cases [[case]]"),
        (InvalidData, '[[case]]\nname = "a"\n[[case]]\nname = "a"', "'a' twice"),
        (InvalidData, f"[vary.options]\nturn_limit = {[8] * (MOST_CASES + 1)}", f"at most {MOST_CASES} cases"),
        (InvalidData, "[[case]]\noptions = {}", "name"),
        (UnknownScenario, 'scenario = "leyte"', "Known: midway"),
        (UnknownScenario, '[vary]\nscenario = ["midway", "leyte"]', "Known: midway"),
        (UnknownOption, "[options]\nweather = 1", "Known: seats"),
        (UnknownOption, "[options]\nweather = 1", "early_end, turn_limit."),
        (UnknownOption, "[options]\ncap_rings = 9", "No choice named 'cap_rings=9'"),
        (UnknownOption, "[vary.options]\ncap_rings = [3, 9]", "Known: cap_rings=2, cap_rings=3, cap_rings=4"),
        (UnknownSeat, '[bots]\ngermany = "random"', "Seats: japan, usa"),
        (UnknownBot, '[bots]\nusa = "nimitz"', "Known: guarded, doctrine, "),
        (
            InvalidData,
            '[bots]\nusa = "search"',
            "at bots.usa: expected a bot that thinks by trials",
        ),
        (InvalidData, '[bots]\nusa = "best"', "such as search:40, found 'best'"),
        (InvalidData, '[bots]\nusa = "search:2s"', "such as search:40, found 'search:2s'"),
        (UnknownSeat, '[plans]\nusa = "ambush"', "the plans of midway. Known: none"),
        (
            UnknownMeasure,
            'measures = ["glory"]',
            "Known: won by japan, won by usa, drawn, win chance of japan, win chance of usa, turn, decisions",
        ),
    ],
)
def test_invalid_study_file_error_lists_valid_values(
    error: type[Exception], text: str, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "question.toml"
    path.write_text(study(text))
    with pytest.raises(error) as caught:
        check_study(path)
    assert sentence in str(caught.value)


def test_search_bot_with_rollouts_is_allowed() -> None:
    result = checked(parse_study(study('[bots]\nusa = "search:2"\n').encode(), "q.toml"))
    assert result.cases[0].table.bots["usa"] == "search:2"


def test_unknown_names_are_rejected(hands: str) -> None:
    with pytest.raises(UnknownGame, match="Did you mean 'midway'"):
        checked(parse_study(study("", 'title = "?"\ngame = "midwey"\n').encode(), "q.toml"))
    with pytest.raises(UnknownPlan, match="Known: rock, paper, scissors"):
        checked(parse_study(b'title = "?"\ngame = "hands"\n[plans]\nred = "well"\n', "q.toml"))
    with pytest.raises(UnknownStudy, match="Known: enterprise-guns"):
        read("enterprise-gun")


def test_match_stats_can_be_measures(hands: str) -> None:
    text = b'title = "?"\ngame = "hands"\nmeasures = ["Die", "drawn"]\n[plans]\nred = "rock"\nblue = "paper"\n'
    assert check_study(parse_study(text, "q.toml")).measures == ("Die", "drawn")


def test_custom_scenario_is_read_next_to_study(tmp_path: Path) -> None:
    from readyroom import games
    from readyroom.web.catalog import scenario_text

    (tmp_path / "mine.toml").write_text(scenario_text(games.load("midway"), "daybreak"))
    (tmp_path / "question.toml").write_text(study('scenario = "mine.toml"\n'))
    case = check_study(tmp_path / "question.toml").cases[0]
    assert case.table.text == (tmp_path / "mine.toml").read_text()
    (tmp_path / "mine.toml").unlink()
    assert case.table.scenario_of(games.load("midway")).title == games.load("midway").scenario("daybreak").title


@pytest.mark.parametrize("name", builtin_studies())
def test_builtin_studies_are_valid(name: str) -> None:
    ready = check_study(name)
    assert len(ready.cases) > 1
    assert ready.summary


def test_figures_of_scenario_that_is_not_played_are_reported() -> None:
    text = '[[case]]\nname = "a"\n[[case]]\nname = "b"\n'
    text += 'figures = { "scenarios/daybreak/carrier/enterprise/antiaircraft" = 1 }\n'
    (note,) = unplayed_figures(checked(parse_study(study(text).encode(), "q.toml")))
    assert note.startswith("Figures of the scenario daybreak are changed, but it is not played (midway)")
    played = checked(parse_study(study(f'scenario = "daybreak"\n{text}').encode(), "q.toml"))
    assert unplayed_figures(played) == []
