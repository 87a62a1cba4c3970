"""Mixes by iterated best response: games with known solutions, reproducibility, and stopped studies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.toys.dial import BEST
from tests.toys.hands import GAME

from readyroom import bots
from readyroom.engine.errors import UnknownScenario
from readyroom.engine.game import GameAnalysis, PolicySpace
from readyroom.study.folder import OtherStudy
from readyroom.study.policies import best_response, policies
from readyroom.study.policies.known import NoPolicies
from readyroom.study.policies.policies import Effort, find_mix
from readyroom.study.policies.policy_matches import JOURNAL, stratify

FEW = Effort(search=240, cell=24, gain=40, last=80)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches try few candidates."""
    for name, value in {
        "CANDIDATES": 12,
        "RANDOM_CANDIDATES": 6,
        "FIRST": 4,
        "MORE": 4,
        "FINAL": 20,
        "BEST": 3,
    }.items():
        monkeypatch.setattr(best_response, name, value)
    monkeypatch.setattr(best_response, "GENERATION", 12 * 4 + 10 * 4)
    monkeypatch.setattr(policies, "GENERATION", 12 * 4 + 10 * 4)


def test_known_game_is_solved(hands: str, tmp_path: Path) -> None:
    """Rock, paper and scissors are each a third; no reply gains."""
    mix = find_mix(hands, folder=tmp_path / "out", rounds=4, effort=FEW, workers=1)
    for side in mix.sides:
        played = {member.settings["hand"]: member.share for member in side.members if member.share}
        assert played == {hand: pytest.approx(1 / 3, abs=0.05) for hand in ("rock", "paper", "scissors")}
        assert side.reply.gain.low < 0.1
    assert mix.value.mean == pytest.approx(0.5, abs=0.1)
    assert mix.rounds[0].gains["red"].mean > 0.3, "paper beats rock five times in six"


def test_test_policies_are_measured_but_not_learned(hands: str, tmp_path: Path) -> None:
    red, blue = find_mix(hands, folder=tmp_path / "out", rounds=0, effort=FEW, workers=1).sides
    assert [member.name for member in red.members] == ["rock"]
    assert [test.name for test in red.tests] == ["rock", "sheet"]
    assert [test.name for test in blue.tests] == ["rock"]
    assert red.tests[0].gain.mean == 0
    assert red.tests[1].gain.low > 0, "paper against a mix of rock"
    assert red.reply.settings == {"hand": "paper"}


@pytest.mark.usefixtures("hands")
def test_solitaire_study_finds_the_best_setting(tmp_path: Path) -> None:
    effort = Effort(search=350, cell=10, gain=10, last=10)
    mix = find_mix("dial", folder=tmp_path / "out", rounds=2, effort=effort, workers=1)
    (side,) = mix.sides
    (best,) = [member for member in side.members if member.share]
    assert abs(best.settings["mark"] - BEST) <= 1
    assert best.share == 1
    assert [len(row) for row in mix.payoffs] == [1] * len(side.members)


@pytest.mark.slow(2)
def test_result_does_not_depend_on_workers_or_interruptions(hands: str, tmp_path: Path) -> None:
    one = find_mix(hands, folder=tmp_path / "one", rounds=2, effort=FEW, workers=1)
    find_mix(hands, folder=tmp_path / "two", rounds=1, effort=FEW, workers=2)
    assert find_mix(hands, folder=tmp_path / "two", rounds=2, effort=FEW, workers=2) == one
    assert (tmp_path / "one" / policies.RESULT).read_bytes() == (tmp_path / "two" / policies.RESULT).read_bytes()


def test_stopped_study_plays_nothing_twice(hands: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0

    @contextmanager
    def counted(workers: int) -> Iterator[Any]:
        def mapper(work: Any, tasks: Sequence[Any]) -> Iterator[Any]:
            nonlocal played
            for task in tasks:
                played += len(task)
                if played == stop:
                    raise KeyboardInterrupt
                yield work(task)

        yield mapper

    monkeypatch.setattr(policies, "shared_workers", counted)
    stop = 10**9
    whole = find_mix(hands, folder=tmp_path / "whole", rounds=1, effort=FEW)
    everything, played, stop = played, 0, 12
    for parts in range(3, 60, 8):
        stop = played + 12 * parts
        try:
            find_mix(hands, folder=tmp_path / "parts", rounds=1, effort=FEW)
        except KeyboardInterrupt:
            continue
        break
    stop = 10**9
    assert find_mix(hands, folder=tmp_path / "parts", rounds=1, effort=FEW) == whole
    batches = len((tmp_path / "parts" / JOURNAL).read_bytes().splitlines())
    assert batches == len((tmp_path / "whole" / JOURNAL).read_bytes().splitlines())
    assert everything == whole.matches


def test_damaged_journal_is_played_again(hands: str, tmp_path: Path) -> None:
    find_mix(hands, folder=tmp_path / "out", rounds=0, effort=FEW, workers=1)
    journal = tmp_path / "out" / JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:2], lines[2][:20]]))
    mix = find_mix(hands, folder=tmp_path / "out", rounds=0, effort=FEW, workers=1)
    assert mix == find_mix(hands, folder=tmp_path / "other", rounds=0, effort=FEW, workers=1)


def test_time_limit_ends_the_rounds(hands: str, tmp_path: Path) -> None:
    mix = find_mix(hands, folder=tmp_path / "out", rounds=9, minutes=0, effort=FEW, workers=1)
    assert mix.rounds == []
    assert mix.command.endswith("--rounds 0 --seed policies")


def test_progress_ends_near_the_expected_number(hands: str, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    find_mix(hands, folder=tmp_path / "out", rounds=1, effort=FEW, workers=1, progress=lambda *each: seen.append(each))
    assert all(done <= total for done, total in seen)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_other_study_is_rejected(hands: str, tmp_path: Path) -> None:
    find_mix(hands, folder=tmp_path / "out", rounds=0, effort=FEW, workers=1)
    with pytest.raises(OtherStudy):
        find_mix(hands, folder=tmp_path / "out", rounds=0, effort=FEW, workers=1, seed="other")
    with pytest.raises(UnknownScenario):
        find_mix(hands, folder=tmp_path / "out", scenario="none")


@pytest.mark.parametrize("space", [None, PolicySpace(bot=lambda *_: bots.random_bot(Random(1)), styles={"red": {}})])
def test_game_without_policies_of_a_side_is_rejected(
    space: PolicySpace | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = replace(GAME, analysis=GameAnalysis(policies=space))
    monkeypatch.setattr(policies, "load_game", lambda *_: game)
    with pytest.raises(NoPolicies, match="Hands & Dice has no parametrised policies for only"):
        find_mix("hands", folder=tmp_path / "none")


def test_every_run_of_a_stratified_mix_is_in_proportion() -> None:
    members = stratify([0.7, 0.2, 0.1], 100)
    for first in range(0, 80, 20):
        run = members[first : first + 20]
        assert abs(run.count(0) - 14) <= 1
        assert abs(run.count(1) - 4) <= 1
    assert stratify([0.0, 1.0, 0.0], 5) == [1] * 5


def test_journal_names_every_batch(hands: str, tmp_path: Path) -> None:
    find_mix(hands, folder=tmp_path / "out", rounds=1, effort=FEW, workers=1)
    lines = [msgspec.json.decode(line) for line in (tmp_path / "out" / JOURNAL).read_bytes().splitlines()]
    assert len({line["label"] for line in lines}) == len(lines)
