"""Tests of the Soviet Union and Korea (rules 14.5 and 14.6)."""

from __future__ import annotations

import pytest
from tests.games.doolittle.end_helpers import crew, fates, over, planned, standing
from tests.games.doolittle.helpers import DATA, in_cup, log_text, out_of_cup, run, table

from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.denouement.siberia import internment_check, korea, passage_check, siberia, soviet_talks
from readyroom.games.doolittle.ending import campaign, facts
from readyroom.games.doolittle.planning.state import Talks
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.view import view


def _guests(number: int = 1, **options: object) -> Doolittle:
    state = over("siberia", **options)  # type: ignore[arg-type]
    for at in range(1, number + 1):
        standing(state, f"b{at:02}", "vladivostok")
        crew(state, f"b{at:02}", "vladivostok")
    return state


@pytest.mark.rule("doolittle", "14.5", "14.5.1")
def test_siberia_and_korea_without_crews_roll_nothing() -> None:
    siberia(table(over("siberia")))
    run(korea(table(over("korea"))))


@pytest.mark.rule("doolittle", "14.5.1", "13.2.2")
def test_row_follows_the_talks_and_is_denied_without_planning() -> None:
    state = over("siberia")
    assert soviet_talks(table(state)) == "denied"
    state.blotter = planned()
    assert soviet_talks(table(state)) == "no-attempt"
    state.talks = Talks(denied=["thompson"])
    assert soviet_talks(table(state)) == "denied"
    state.talks = Talks(granted=["thompson"], denied=["thompson"])
    assert soviet_talks(table(state)) == "agreed"


@pytest.mark.rule("doolittle", "14.5.1")
@pytest.mark.parametrize(("blast", "number"), [(0, 10), (6, 10), (7, 11), (14, 12), (21, 13)])
def test_number_grows_with_targets_hit(blast: int, number: int) -> None:
    state = over("siberia")
    state.targets["tokyo"].areas["tokyo-east"].blast = blast
    assert internment_check(table(state)).at_least == number


@pytest.mark.rule("doolittle", "14.5.2", "DR91")
@pytest.mark.parametrize(("whole", "number"), [(9, 10), (7, 10), (6, 11), (4, 11), (3, 12), (1, 12), (0, 13)])
def test_passage_number_falls_with_whole_bombers(whole: int, number: int) -> None:
    assert passage_check(table(over("siberia")), whole).at_least == number


@pytest.mark.rule("doolittle", "14.5.2")
def test_stalin_briefed_adds_five() -> None:
    state = over("siberia")
    state.blotter, state.talks = planned(), Talks(briefed=["stalin"], granted=["thompson"])
    check = passage_check(table(state), 7)
    assert (dict(check.modifiers), check.at_least) == ({"Stalin briefed": 5}, 5)


@pytest.mark.rule("doolittle", "14.5.1", "DR90")
@pytest.mark.parametrize(("face", "where"), [(2, "mediterranean"), (3, "archangel")])
def test_crew_released_flies_on_by_a_die_if_china_was_not_asked(face: int, where: str) -> None:
    state = _guests()
    at = table(state, 6, 4, face)
    siberia(at)
    assert "The Soviet Union lets the crews fly on." in log_text(at, "14.5.1")
    assert state.ending is not None
    assert (fates(state), state.crews[0].where, state.ending.soviet) == ({"b01": "home"}, where, "free")
    assert (state.squad["b01"].fate, state.squad["b01"].where) == ("saved", where)


@pytest.mark.rule("doolittle", "14.5.1", "13.2.3")
def test_crew_released_flies_to_chungking_if_china_agreed() -> None:
    state = _guests()
    state.blotter, state.talks = planned(), Talks(denied=["stilwell"], granted=["thompson"])
    siberia(table(state, 6, 4))
    assert (fates(state), state.squad["b01"].where) == ({"b01": "chungking"}, "chungking")


@pytest.mark.rule("doolittle", "14.5.2", "DR90")
@pytest.mark.parametrize(
    ("granted", "dice", "fate", "soviet"),
    [
        ([], (4, 4, 6, 6), "released", "starred"),
        ([], (4, 4, 5, 6), "interned", "interned"),
        (["thompson"], (1, 1, 6, 2), "released", "released"),
    ],
)
def test_crew_interned_may_be_released_without_the_bombers(
    granted: list[str], dice: tuple[int, ...], fate: str, soviet: str
) -> None:
    state = _guests()
    state.squad["b01"].markers = [marker := out_of_cup(state, "fuel-leak")]
    if granted:
        state.blotter, state.talks = planned(), Talks(granted=granted)
    siberia(table(state, *dice))
    assert state.ending is not None
    assert (fates(state), state.ending.soviet) == ({"b01": fate}, soviet)
    assert (state.squad["b01"].fate, in_cup(state, marker)) == ("interned", True)


@pytest.mark.rule("doolittle", "14.6")
def test_bomber_in_korea_is_destroyed_or_captured_and_others_searched() -> None:
    state = over("korea")
    for key in ("b01", "b02"):
        standing(state, key, "korea")
        crew(state, key, "korea")
    crew(state, "b03", "korea", fit=False)
    state.squad["b01"].markers = [marker := out_of_cup(state, "fuel-leak")]
    at = table(state, 2, 5, 1, 6)
    run(korea(at))
    assert in_cup(state, marker)
    assert "search for Doolittle's crew and" in log_text(at, "14.4.4")
    assert "Doolittle, in Korea, is destroyed by its crew in time (roll 2)." in log_text(at, "14.6")
    assert "Hoover, in Korea, is captured with its crew (roll 5)." in log_text(at, "14.6")
    assert [state.squad[key].fate for key in ("b01", "b02")] == ["wrecked", "seized"]
    assert fates(state) == {"b01": "captured", "b02": "captured", "b03": "missing"}


@pytest.mark.rule("doolittle", "1.9", "14.5.1")
def test_report_and_view_show_where_crews_are() -> None:
    state = _guests()
    siberia(table(state, 6, 4, 2))
    text = " ".join(GAME.presentation.epilogue(state, DATA))
    data = view(state, DATA, "captain")
    assert "was saved, and flew on to the Mediterranean" in text
    assert data.ending is not None
    assert [one.place for one in data.ending.crews] == ["Mediterranean"]
    assert data.squad[0].where == "Mediterranean"
    assert (data.ending.soviet, data.strike) == ("free", None)


@pytest.mark.rule("doolittle", "14.5", "14.5.1", "1.3")
def test_bomber_flown_on_from_siberia_counts_as_landed_there() -> None:
    state = _guests(2)
    for key in ("b01", "b02"):
        state.add_to_story("landed", key, "vladivostok")
    at = table(state, 6, 6, 2)
    siberia(at)
    assert "They fly on to the Mediterranean." in log_text(at)
    assert [one.where for one in state.squad.values()] == ["mediterranean"] * 2
    known = facts.all_facts(state, DATA)
    assert (known["landed-vladivostok"], known["landed-without-agreement"], known["bombers-saved"]) == (2, 1, 2)
    assert "ussr" not in campaign.paragraphs(state, DATA)
    state.blotter, state.talks = planned(), Talks(granted=["thompson"])
    assert campaign.paragraphs(state, DATA)["ussr"] == DATA.debriefing.words.text["ussr-agreed"]
