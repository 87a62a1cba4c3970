"""Run studies: many matches of each case, saved as they are played, and their results.

>>> done = run("enterprise-guns", matches=4, workers=1)
>>> len(done.matches)
8

Finished matches are saved in parts in the study's folder, and a study that was stopped continues from there. Rows are
sorted at the end, so that the same study gives the same bytes, however often it was stopped and wherever it ran.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import msgspec
import polars as pl

from readyroom.engine.data import ready
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.files import atomic_write, save
from readyroom.engine.game import Game, Scenario, load_game
from readyroom.study.folder import (
    CHUNK,
    MATCHES,
    MIXES,
    PARTS,
    OtherStudy,
    Part,
    Task,
    kept_identity,
    lock_folder,
    tasks,
    write_facts,
)
from readyroom.study.matches import (
    MatchSetup,
    PlayedMatch,
    describe_match,
    map_parallel,
    per_event_streams,
    play,
    play_match,
)
from readyroom.study.measures import JSON_SETTINGS, SCORE, SETTINGS, MeasureResult, build_result, check_measures
from readyroom.study.policies.known import SolvedMixes
from readyroom.study.policies.solving import pair_tasks, play_pair, with_mixes
from readyroom.study.review.luck import adjust
from readyroom.study.studyfile import Case, Dice, Study, StudyFile, checked, game_of, read, table_data

LUCK = "luck of "
"""Before a side's key: the column of its luck."""
LEVEL = 9
"""How hard zstd tries to make the Parquet file small."""
GROUP = 100_000
"""Rows that lie together in the Parquet file."""
COLUMNS: dict[str, type[pl.DataType]] = {
    "case": pl.Int32,
    "name": pl.String,
    "match": pl.Int32,
    **dict.fromkeys(SETTINGS, pl.String),
    "winner": pl.String,
    "title": pl.String,
    "decisions": pl.Int32,
    "turn": pl.Int32,
}
"""What is kept of every match; after it come scores and counts. Options, bots, plans and figures are JSON."""
X = TypeVar("X")
Y = TypeVar("Y")
Progress = Callable[[int, int], None]


class NoSuchMatch(ReadyRoomError):
    """The study has no match of this case and number."""


class Done(NamedTuple):
    """A finished study: its result and a row for each match."""

    result: MeasureResult
    matches: pl.DataFrame


# -- from beginning to end -------------------------------------------------------------------------------------------


def run(
    study: str | Path | StudyFile,
    *,
    folder: Path | None = None,
    matches: int | None = None,
    seed: str | None = None,
    dice: Dice | None = None,
    data: Path | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Done:
    """Play a study to its end, or on from where it was stopped.

    Args:
        study: a study's file, the name of a built-in study, or the content of such a file.
        folder: where matches, facts and report are kept; without one nothing is.
        matches: how many matches of each case, instead of what the file says; a folder with fewer is extended.
        seed: words that fix everything, instead of the file's.
        dice: "shared": match number n has the same dice in every case; "own": each case has dice of its own.
        data: a folder of an owner's own figures.
        workers: how many processes share the work (default: one for each core); the result does not depend on it.
        cluster: the address of a Dask scheduler whose workers play instead.
        progress: called with the number of matches finished and the number of all.

    Raises:
        UnknownStudy, UnknownGame and its family, UnknownMeasure, InvalidData: the study does not fit.
        OtherStudy: the folder holds something else, or more matches.
        MissingLibrary: a cluster is named, and Dask is not installed.
        NoCluster: no one answers at the address, or the cluster was lost; what was finished is kept.
    """
    ready = check_study(study, matches=matches, seed=seed, dice=dice, data=data)
    if folder is not None:
        return play_in(ready, folder, workers=workers, cluster=cluster, progress=progress)
    with TemporaryDirectory(prefix="study-") as kept:
        return play_in(ready, Path(kept), workers=workers, cluster=cluster, progress=progress)


def check_study(study: str | Path | StudyFile, **instead: Any) -> Study:
    """Return the study with every name checked; keywords are those of `studyfile.checked`."""
    file, name = (study, "study") if isinstance(study, StudyFile) else read(str(study))
    ready = checked(file, name, **instead)
    check_measures(load_game(ready.game, instead.get("data")), ready)
    return ready


def play_in(
    study: Study,
    folder: Path,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> Done:
    """Play the missing matches of a study in its folder, and report the results; see `run`."""
    _extend(study, folder)
    lock_folder(study, folder)
    if not (folder / MATCHES).exists():
        with _crew(workers or os.cpu_count() or 1, cluster) as crew:
            study = _play_missing(study, folder, crew, progress)
        _gather(study, folder)
    rmtree(folder / PARTS, ignore_errors=True)
    matches = pl.read_parquet(folder / MATCHES)
    game = load_game(study.game, study.cases[0].table.data)
    result = build_result(game, study, matches, read_mixes(folder))
    write_facts(study, folder, result.to_dict())
    return Done(result, matches)


def _extend(study: Study, folder: Path) -> None:
    """Let a folder that has fewer matches of the same study continue to more; match n is the same in both."""
    kept = kept_identity(folder)
    if kept == study.identity() or {**kept, "matches": study.matches} != study.identity():
        return
    old, parts = study._replace(matches=kept["matches"]), folder / PARTS
    if old.matches > study.matches:
        raise OtherStudy(
            f"{folder} already has {old.matches:,} matches of each case, not {study.matches:,}. "
            "Ask for as many or more, or choose another folder."
        )
    if (folder / MATCHES).exists():
        rows = pl.read_parquet(folder / MATCHES)
        parts.mkdir(exist_ok=True)
        for task in tasks(old):
            some = rows.slice(task.case * old.matches + task.first, task.size)
            with atomic_write(parts / task.part) as file:
                file.write(msgspec.msgpack.encode([_played(row) for row in some.iter_rows(named=True)]))
        (folder / MATCHES).unlink()
    for task in tasks(old):
        if task.size < CHUNK:  # the part has more matches now
            (parts / task.part).unlink(missing_ok=True)
    write_facts(study, folder, None)


# -- playing ---------------------------------------------------------------------------------------------------------


Crew = Callable[[Callable[[Any], Any], Sequence[Any]], Generator[Any, None, None]]
"""A worker: it gets the work and the tasks, and yields the result of each in any order."""


@contextmanager
def _crew(workers: int, cluster: str | None) -> Iterator[Crew]:
    """Yield the processes of this machine, or the workers of a cluster."""
    if cluster is None:
        yield partial(map_parallel, workers=workers)
        return
    from readyroom.study.cluster import joined

    with joined(cluster) as crew:
        yield crew


def _play_missing(study: Study, folder: Path, crew: Crew, progress: Progress | None) -> Study:
    """Play the missing parts and keep them; an interrupt leaves the complete ones. Return it with its solved mixes."""
    (folder / PARTS).mkdir(exist_ok=True)
    pairs = pair_tasks(study)
    solving, playing = sum(task.size for task in pairs), study.matches * len(study.cases)

    def report(done: int) -> None:
        if progress is not None:
            progress(done, solving + playing)

    if pairs:
        _play_parts(play_pair, pairs, folder, crew, report)
        read = partial(msgspec.msgpack.decode, type=ready(list[float]))
        study, mixes = with_mixes(study, {task.part: read((folder / PARTS / task.part).read_bytes()) for task in pairs})
        save(folder / MIXES, msgspec.json.format(msgspec.json.encode(mixes), indent=1).decode() + "\n")
    _play_parts(play_task, list(tasks(study)), folder, crew, lambda done: report(solving + done))
    return study


def _play_parts(
    work: Callable[[Any], Any], parts: Sequence[Part], folder: Path, crew: Crew, report: Callable[[int], None]
) -> None:
    """Play the parts that are missing in a study's folder, and report how many matches there are."""
    kept = {file.name for file in (folder / PARTS).iterdir()}
    missing = [task for task in parts if task.part not in kept]
    done = sum(task.size for task in parts) - sum(task.size for task in missing)
    report(done)
    with closing(crew(work, missing)) as results:
        for part, played in results:
            with atomic_write(folder / PARTS / part) as file:
                file.write(msgspec.msgpack.encode(played))
            done += len(played)
            report(done)


def read_mixes(folder: Path) -> list[SolvedMixes]:
    """Return the mixes that a finished study in this folder has solved."""
    file = folder / MIXES
    return msgspec.json.decode(file.read_bytes(), type=ready(list[SolvedMixes])) if file.is_file() else []


def play_task(task: Task) -> tuple[str, list[PlayedMatch]]:
    """Play some matches of a case; each follows from the study, the case and its number alone."""
    study, table = task.study, task.study.cases[task.case].table
    game = game_of(study, table)
    scenario = table.scenario_of(game)
    seeds = (study.seed_text(task.case, number) for number in range(task.first, task.beyond))
    if not study.luck:
        return task.part, [play(game, scenario, table, seed, per_event_streams) for seed in seeds]
    return task.part, [_play_with_luck(game, scenario, table, seed) for seed in seeds]


def _play_with_luck(game: Game[Any, Any], scenario: Scenario, table: MatchSetup, seed: str) -> PlayedMatch:
    """Play one match; its luck is among its counts."""
    match, decisions = play_match(game, scenario, table, seed, per_event_streams)
    played = describe_match(match, decisions)
    luck = adjust(match.record(), data=table.data).luck
    return played._replace(counts={**played.counts, **{f"{LUCK}{side}": gain for side, gain in luck.items()}})


def match_record(study: Study, case: int, number: int) -> str:
    """Return the record of a match of a study, which is played again: that of the row with this case and number.

    Raises `NoSuchMatch`.
    """
    if not (0 <= case < len(study.cases) and 0 <= number < study.matches):
        raise NoSuchMatch(
            f"The study has cases 0 to {len(study.cases) - 1} and matches 0 to {study.matches - 1:,}; "
            f"there is no match {case}/{number}. With --games N it has more."
        )
    table = study.cases[case].table
    if table.figures or table.solved:
        raise NoSuchMatch(
            f"Case {case} has changed figures or solved mixes, which a record cannot contain. To look at a match with "
            "changed figures, change a copy of the game's data files and play with --data."
        )
    game = game_of(study, table)
    text = study.seed_text(case, number)
    return play_match(game, table.scenario_of(game), table, text, per_event_streams)[0].record()


# -- gathering -------------------------------------------------------------------------------------------------------


def _gather(study: Study, folder: Path) -> None:
    """Merge all parts into one file, in the order of cases and matches."""
    in_order = sorted(tasks(study), key=lambda task: task.part)
    with atomic_write(folder / MATCHES) as file:
        rows = frame(row for task in in_order for row in _rows(study, folder, task))
        rows.write_parquet(file, compression="zstd", compression_level=LEVEL, row_group_size=GROUP)


def _rows(study: Study, folder: Path, task: Task) -> Iterator[dict[str, Any]]:
    played = msgspec.msgpack.decode((folder / PARTS / task.part).read_bytes(), type=ready(list[PlayedMatch]))
    case: Case = study.cases[task.case]
    setup = table_data(case.table)
    settings = {
        "scenario": setup["scenario"],
        **{name: msgspec.json.encode(setup.get(name, {}), order="sorted").decode() for name in JSON_SETTINGS},
    }
    for number, one in enumerate(played, start=task.first):
        named = {"case": task.case, "name": case.name, "match": number, "seed": study.seed_text(task.case, number)}
        ending = {"winner": one.winner, "title": one.title, "decisions": one.decisions, "turn": one.turn}
        scores = {f"{SCORE}{side}": score for side, score in one.scores.items()}
        yield {**named, **settings, **ending, **scores, **one.counts}


def _played(row: dict[str, Any]) -> PlayedMatch:
    """Return the match of a row, as `_rows` had it."""
    more = {name: value for name, value in row.items() if name not in COLUMNS and value is not None}
    scores = {name.removeprefix(SCORE): more.pop(name) for name in list(more) if name.startswith(SCORE)}
    return PlayedMatch(row["winner"], row["title"], row["decisions"], row["turn"], more, scores)


def frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """Return matches as a table: common columns, then scores and statistics in the order they first occur."""
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for number, row in enumerate(rows):
        for name in [name for name in row if name not in columns]:
            columns[name] = [None] * number
        for name, column in columns.items():
            column.append(row.get(name))
    more = [name for name in columns if name not in COLUMNS]
    scores = {name: pl.Int64 for name in more if name.startswith(SCORE)}
    counts = {name: pl.Float64 for name in more if not name.startswith(SCORE)}
    schema: dict[str, Any] = {**COLUMNS, **scores, **counts}
    return pl.DataFrame({name: columns[name] for name in schema}, schema=schema, strict=False).rechunk()
