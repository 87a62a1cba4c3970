"""Notebooks as study files, and their reports."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readyroom.engine.errors import InvalidData
from readyroom.engine.game import game_names, load_game
from readyroom.study import notebooks
from readyroom.study.notebook_report import notebook_report
from readyroom.study.notebooks import (
    CHANGED,
    FILE,
    PUBLISHED,
    SOLVED,
    Notebook,
    changes_of,
    check_notebook,
    from_text,
    new_notebook,
    pack_report,
    to_text,
    unpack_report,
)
from readyroom.study.studies import run

DIVE = Notebook(
    title='Dive "bombers"',
    game="midway",
    scenario="duel",
    notes="# Why\n\nThey hit *more*.",
    matches=50,
    options={"cap_rings": "2"},
    figures={"combat/dive/fire/at_least": 4, "charts/chart/search/rows/5-6/group": "4"},
)


def test_notebook_is_read_as_it_was_written() -> None:
    game = load_game("midway")
    text = to_text(game, DIVE)
    assert from_text(text) == DIVE
    assert [case["name"] for case in tomllib.loads(text)["case"]] == [PUBLISHED, CHANGED, SOLVED]
    plain = msgspec.structs.replace(DIVE, solve=False)
    assert from_text(to_text(game, plain)) == plain
    assert "solved" not in to_text(game, plain)


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=40))
def test_any_notes_are_read_as_they_were_written(text: str) -> None:
    notes = (text * 20).strip()
    written = f"notes = {notebooks._block(notes)}\n"
    assert tomllib.loads(written)["notes"] == notes


def test_long_lines_of_notes_are_folded() -> None:
    notes = "a word and \\ another " * 300 + "x" * 3000
    written = notebooks._block(notes)
    assert max(len(line.encode()) for line in written.splitlines()) < 300
    assert tomllib.loads(f"notes = {written}")["notes"] == notes


def test_changes_are_described() -> None:
    game = load_game("midway")
    changes = changes_of(game, check_notebook(game, DIVE))
    assert [(change.address, change.before, change.after) for change in changes] == [
        ("cap_rings", "3", "2"),
        ("combat/dive/fire/at_least", "5", "4"),
        ("charts/chart/search/rows/5-6/group", "again", "4"),
    ]


@pytest.mark.slow(3)
@pytest.mark.parametrize("name", game_names())
def test_every_game_has_notebooks(name: str) -> None:
    game = load_game(name)
    for scenario in game.rules.scenarios(game.data):
        notebook = new_notebook(game, scenario, scenario.title)
        study = check_notebook(game, notebook)
        assert changes_of(game, study) == []
        assert [case.table.solved for case in study.cases] == [False, False, True][: len(study.cases)]
        assert from_text(to_text(game, notebook)) == notebook


def test_too_many_changes_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "MOST_FIGURES", 1)
    with pytest.raises(InvalidData, match="at most 1 changes"):
        check_notebook(load_game("midway"), DIVE)


def test_other_study_is_no_notebook() -> None:
    with pytest.raises(InvalidData, match="published rules"):
        from_text('title = "A"\ngame = "midway"\n')


@pytest.mark.slow(2)
def test_report_has_effects_changes_and_mixes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebooks, "FEWEST_OF_A_PAIR", 1)
    monkeypatch.setattr(notebooks, "PAIR_MATCHES", 1)
    text = to_text(load_game("midway"), msgspec.structs.replace(DIVE, matches=4))
    file = tmp_path / FILE
    file.write_text(text)
    result = run(file, workers=1).result
    report = notebook_report(text, result, f"readyroom study {FILE}")
    assert unpack_report(pack_report(report)) == report
    assert report.cases == [PUBLISHED, CHANGED, SOLVED]
    [first, *_] = report.rows
    assert first.title == "Won by Japan"
    assert [
        effect is not None and effect.reading in ("differs", "same", "chance", "open") for effect in first.effects
    ] == [True] * 2
    assert "What is changed: changed rules and changed rules, mixes re-solved" in report.page
    assert "readyroom policies midway --study study.toml --case" in report.page
    for side in report.mixes[0].sides:
        assert sum(policy.share for policy in side.policies) == pytest.approx(1, abs=1e-3)
