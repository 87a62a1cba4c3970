"""Simulations: reproducible results, progress and errors."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.study.comparing import without_times

from readyroom.engine.errors import UnknownBot, UnknownGame, UnknownOption, UnknownScenario, UnknownSeat
from readyroom.study.simulate import CHUNK, percentiles_of, simulate

PLAYED: dict[str, Any] = {"bots": {"japan": "doctrine", "usa": "random"}, "games": CHUNK + 5, "seed": "the same"}
KEYS = [
    "game",
    "scenario",
    "games",
    "seconds",
    "games_per_second",
    "decisions_per_game",
    "mean_turns",
    "winners",
    "outcomes",
    "seed",
    "version",
]


def test_worker_count_does_not_change_result() -> None:
    assert without_times(simulate("midway", **PLAYED, workers=1)) == without_times(
        simulate("midway", **PLAYED, workers=2)
    )


def test_another_process_gives_same_result() -> None:
    """A study must be able to continue after a restart."""
    result = without_times(simulate("midway", **PLAYED))
    code = (
        "import json; from readyroom.study.simulate import simulate;"
        f"print(json.dumps(simulate('midway', **{PLAYED!r}).to_dict()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    subprocess_result = json.loads(done.stdout)
    del subprocess_result["seconds"], subprocess_result["games_per_second"]
    assert subprocess_result == result


def test_another_seed_gives_another_result() -> None:
    one, other = (simulate("midway", games=30, seed=seed) for seed in ("one", "other"))
    assert one.decisions_per_game != other.decisions_per_game


def test_missing_seed_is_created_and_reported() -> None:
    first = simulate("midway", games=2)
    assert without_times(simulate("midway", games=2, seed=first.seed)) == without_times(first)


def test_result_has_documented_fields() -> None:
    result = simulate("midway", games=4, seed="promise")
    assert list(result.to_dict())[: len(KEYS)] == KEYS
    assert list(result.winners) == ["japan", "usa", "draw"]
    assert sum(result.winners.values()) == sum(result.outcomes.values()) == 4


def test_winners_are_counted_by_side() -> None:
    result = simulate("midway", games=4, seed="groups", options={"seats": "groups"}, bots={"japan": "doctrine"})
    assert result.bots["akagi"] == "doctrine"
    assert result.bots["hornet"] == "random"
    assert set(result.winners) == {"japan", "usa", "draw"}


def test_match_stats_have_percentiles() -> None:
    result = simulate("tora", games=6, seed="counts", bots={"japan": "historical", "usa": "sunday"})
    lost = result.counts["Japanese aircraft lost"]
    assert 0 < lost.low <= lost.median <= lost.high
    assert result.counts["Hits on the Navy Yard"].high == 0
    assert simulate("midway", games=2, seed="counts").counts == {}


def test_percentiles_exclude_five_percent_at_each_end() -> None:
    percentiles = percentiles_of([*range(1, 101)])
    assert (percentiles.median, percentiles.low, percentiles.high) == (50.5, 6, 95)


def test_progress_is_reported() -> None:
    items: list[int] = []
    simulate("midway", games=CHUNK + 1, seed="progress", progress=items.append)
    assert items == [CHUNK, CHUNK + 1]


@pytest.mark.sample(1)
@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_simulation_reports_finished_matches(workers: int) -> None:
    calls = count()

    def interrupt(done: int) -> None:
        if next(calls) == 0:
            raise KeyboardInterrupt

    result = simulate("midway", games=4 * CHUNK, seed="interrupt", workers=workers, progress=interrupt)
    assert result.games == CHUNK


@pytest.mark.parametrize(
    ("error", "settings"),
    [
        (UnknownScenario, {"scenario": "leyte"}),
        (UnknownOption, {"options": {"weather": "fair"}}),
        (UnknownOption, {"options": {"cap_rings": "9"}}),
        (UnknownSeat, {"bots": {"germany": "random"}}),
        (UnknownBot, {"bots": {"japan": "yamamoto"}}),
    ],
)
def test_unknown_names_are_rejected_before_first_match(error: type[Exception], settings: dict[str, Any]) -> None:
    with pytest.raises(error):
        simulate("midway", games=1, **settings)


def test_unknown_game_is_rejected() -> None:
    with pytest.raises(UnknownGame):
        simulate("midwey", games=1)


def test_custom_data_is_used(tmp_path: Path) -> None:
    (tmp_path / "combat.toml").write_text(
        '[damage]\ncripple = 1\nsink = 1\nsource = "reconstructed"\norigin = "glass ships, for this test"\n'
    )
    glass = simulate("midway", games=10, seed="glass", bots={"japan": "doctrine", "usa": "doctrine"}, data=tmp_path)
    steel = simulate("midway", games=10, seed="glass", bots={"japan": "doctrine", "usa": "doctrine"})
    assert glass.mean_turns < steel.mean_turns
