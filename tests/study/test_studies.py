"""Studies: byte-identical results, also after interruptions."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

from readyroom.engine.errors import MissingLibrary, ReadyRoomError
from readyroom.engine.record.replay import replay
from readyroom.study import studies
from readyroom.study.cluster import NoCluster
from readyroom.study.folder import CHUNK, FACTS, MATCHES, PARTS, OtherStudy, Task, finished
from readyroom.study.studies import NoSuchMatch, check_study, match_record, run
from readyroom.study.studyfile import OtherGame, StudyFile, parse_study

GUNS = "enterprise-guns"
HANDS = b"""
title = "Hands"
game = "hands"
matches = 60
plans = { red = "rock" }
[vary.plans]
blue = ["rock", "paper", "scissors"]
"""
KILLED = """
from pathlib import Path
from readyroom.study.studies import run
def report(done, of):
    print(done, flush=True)
run("enterprise-guns", matches=150, workers=2, folder=Path({folder!r}), progress=report)
"""


@pytest.fixture
def study_file(hands: str) -> StudyFile:
    return parse_study(HANDS, "hands.toml")


def read_outputs(folder: Path) -> tuple[bytes, bytes]:
    return (folder / MATCHES).read_bytes(), (folder / FACTS).read_bytes()


def test_every_match_has_a_row(study_file: StudyFile) -> None:
    outcome = run(study_file, workers=1)
    rows = outcome.matches
    setup = ["seed", "scenario", "options", "bots", "plans", "figures"]
    assert rows.columns == ["case", "name", "match", *setup, "winner", "title", "decisions", "turn", "Die"]
    last = rows.row(-1, named=True)
    assert last["seed"] == "study/59"
    assert json.loads(last["plans"]) == {"red": "rock", "blue": "scissors"}
    assert set(json.loads(last["bots"])) == {"red", "blue"}
    assert rows.select("case", "match").rows() == [(case, match) for case in range(3) for match in range(60)]
    assert rows["name"].unique(maintain_order=True).to_list() == ["blue=rock", "blue=paper", "blue=scissors"]
    assert rows.filter(case=0)["winner"].null_count() == 60
    assert outcome.result.measured("drawn").figures[0].mean == 1  # type: ignore[union-attr]


def test_row_can_be_played_again_as_record(study_file: StudyFile) -> None:
    study = check_study(study_file)
    row = run(study_file, workers=1).matches.row(70, named=True)
    match = replay(match_record(study, row["case"], row["match"]))
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.title) == (row["winner"], row["title"])
    assert match.seed == row["seed"]
    with pytest.raises(NoSuchMatch, match="cases 0 to 2 and matches 0 to 59; there is no match 0/60"):
        match_record(study, 0, 60)


def test_missing_values_are_null() -> None:
    baseline = {"case": 0, "name": "a", "match": 0, "winner": None, "title": "even", "decisions": 1, "turn": 1}
    rows = studies.frame([baseline, {**baseline, "Ships": 2.0, "score of red": 3}, {**baseline, "Planes": 1.0}])
    assert rows.columns[-3:] == ["score of red", "Ships", "Planes"]
    assert rows.select("score of red", "Ships", "Planes").rows() == [(None,) * 3, (3, 2.0, None), (None, None, 1.0)]


def test_cases_have_same_or_independent_dice(study_file: StudyFile) -> None:
    shared, own = (run(study_file, dice=dice, workers=1).matches for dice in ("shared", "own"))
    assert shared.filter(case=0)["Die"].equals(shared.filter(case=1)["Die"])
    assert not own.filter(case=0)["Die"].equals(own.filter(case=1)["Die"])


def test_worker_count_does_not_change_bytes(study_file: StudyFile, tmp_path: Path) -> None:
    for workers in (1, 3):
        run(study_file, workers=workers, folder=tmp_path / str(workers))
    assert read_outputs(tmp_path / "1") == read_outputs(tmp_path / "3")
    assert sorted(file.name for file in (tmp_path / "1").iterdir()) == [MATCHES, FACTS]


@pytest.mark.parametrize("workers", [1, 2])
def test_resumed_study_gives_same_result(study_file: StudyFile, tmp_path: Path, workers: int) -> None:
    calls = count()

    def interrupt(outcome: int, of: int) -> None:
        if next(calls) == 4:
            raise KeyboardInterrupt

    uninterrupted, stopped = tmp_path / "whole", tmp_path / "stopped"
    run(study_file, workers=1, folder=uninterrupted)
    with pytest.raises(KeyboardInterrupt):
        run(study_file, workers=workers, folder=stopped, progress=interrupt)
    study = check_study(study_file)
    assert finished(stopped, study) == 4 * CHUNK
    items: list[tuple[int, int]] = []
    run(study_file, workers=workers, folder=stopped, progress=lambda outcome, of: items.append((outcome, of)))
    assert items[0] == (4 * CHUNK, 180)
    assert items[-1] == (180, 180)
    assert read_outputs(uninterrupted) == read_outputs(stopped)
    assert finished(stopped, study) == 180


def test_finished_study_plays_nothing_again(study_file: StudyFile, tmp_path: Path) -> None:
    first = run(study_file, workers=1, folder=tmp_path / "a")
    items: list[int] = []
    again = run(study_file, workers=1, folder=tmp_path / "a", progress=lambda outcome, of: items.append(outcome))
    assert items == []
    assert again.result == first.result


def test_study_is_extended_to_more_matches(study_file: StudyFile, tmp_path: Path) -> None:
    run(study_file, matches=60, workers=1, folder=tmp_path / "a")
    items: list[int] = []
    run(study_file, matches=80, workers=1, folder=tmp_path / "a", progress=lambda done, of: items.append(done))
    assert items[0] == 3 * 2 * CHUNK
    run(study_file, matches=80, workers=1, folder=tmp_path / "b")
    assert read_outputs(tmp_path / "a") == read_outputs(tmp_path / "b")
    with pytest.raises(OtherStudy, match="already has 80 matches of each case, not 60"):
        run(study_file, matches=60, workers=1, folder=tmp_path / "a")


def test_stopped_study_is_extended(study_file: StudyFile, tmp_path: Path) -> None:
    def interrupt(done: int, of: int) -> None:
        if done == 170:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(study_file, matches=60, workers=1, folder=tmp_path / "a", progress=interrupt)
    run(study_file, matches=80, workers=1, folder=tmp_path / "a")
    run(study_file, matches=80, workers=1, folder=tmp_path / "b")
    assert read_outputs(tmp_path / "a") == read_outputs(tmp_path / "b")


def test_measures_can_change_without_new_matches(study_file: StudyFile, tmp_path: Path) -> None:
    run(study_file, workers=1, folder=tmp_path / "a")
    fewer = msgspec.structs.replace(study_file, measures=["Die"], title="Only the die")
    result = run(fewer, workers=1, folder=tmp_path / "a").result
    assert [measured.measure.key for measured in result.measures] == ["Die"]


@pytest.mark.parametrize(
    "other",
    [{"seed": "other"}, {"dice": "own"}, {"plans": {"red": "paper"}}, {"vary": None}],
)
def test_folder_of_another_study_is_rejected(study_file: StudyFile, tmp_path: Path, other: dict[str, Any]) -> None:
    run(study_file, workers=1, folder=tmp_path / "a")
    before = read_outputs(tmp_path / "a")
    with pytest.raises(OtherStudy, match="contains another study"):
        run(msgspec.structs.replace(study_file, **other), workers=1, folder=tmp_path / "a")
    assert read_outputs(tmp_path / "a") == before


def test_folder_of_other_data_is_rejected(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "combat.toml").write_text(
        '[damage]\ncripple = 1\nsink = 1\nsource = "reconstructed"\norigin = "glass ships, for this test"\n'
    )
    run(GUNS, matches=2, workers=1, folder=tmp_path / "a")
    with pytest.raises(OtherStudy):
        run(GUNS, matches=2, workers=1, folder=tmp_path / "a", data=own)


def test_folder_of_other_files_is_rejected(study_file: StudyFile, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("Dear Chester")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / FACTS).write_text("{")
    with pytest.raises(OtherStudy, match="contains other files"):
        run(study_file, folder=tmp_path / "letters")
    with pytest.raises(OtherStudy, match="contains another study"):
        run(study_file, folder=tmp_path / "broken")


def test_worker_with_other_game_version_raises(study_file: StudyFile) -> None:
    study = check_study(study_file)._replace(version="0")
    with pytest.raises(OtherGame, match=r"The study uses hands 0 \("):
        studies.play_task(Task(study, 0, 0, 2))


def test_worker_error_is_raised_unchanged(study_file: StudyFile, tmp_path: Path) -> None:
    study = check_study(study_file)._replace(version="0")
    with pytest.raises(OtherGame) as caught:
        studies.play_in(study, tmp_path / "a", workers=2)
    assert isinstance(caught.value, ReadyRoomError)


def test_missing_scheduler_prints_sentence(study_file: StudyFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readyroom.study.cluster.PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:1", "nowhere"):
        with pytest.raises(NoCluster, match=f"No Dask scheduler answers at '{address}'"):
            run(study_file, cluster=address)


def test_missing_dask_names_extra(study_file: StudyFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingLibrary, match=r"needs Dask.*readyroom\[cluster\]"):
        run(study_file, cluster="tcp://127.0.0.1:8786")


# -- killed and distributed studies ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the results file of an uninterrupted study."""
    folder = tmp_path_factory.mktemp("whole") / "a"
    run(GUNS, matches=150, workers=2, folder=folder)
    return (folder / MATCHES).read_bytes()


@pytest.mark.torture(16)
def test_killed_study_resumes_with_same_bytes(uninterrupted: bytes, tmp_path: Path) -> None:
    """Kill it twice; its workers must end too, or the pipe would stay open."""
    folder = tmp_path / "killed"
    code = KILLED.format(folder=str(folder))
    for enough in (50, 150):
        killed = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert killed.stdout is not None
        while int(killed.stdout.readline()) < enough:
            pass
        killed.kill()
        killed.communicate(timeout=30)
    assert not (folder / MATCHES).exists()
    read_outputs = len(list((folder / PARTS).glob("*[0-9]")))
    assert read_outputs * CHUNK >= 150
    run(GUNS, matches=150, workers=2, folder=folder)
    assert (folder / MATCHES).read_bytes() == uninterrupted


@pytest.mark.torture(18)
def test_cluster_gives_same_bytes(uninterrupted: bytes, tmp_path: Path) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:  # type: ignore[no-untyped-call]
        run(GUNS, matches=150, cluster=cluster.scheduler_address, folder=tmp_path / "a")
    assert (tmp_path / "a" / MATCHES).read_bytes() == uninterrupted
    assert len(pl.read_parquet(tmp_path / "a" / MATCHES)) == 300
