"""The vectorized environment, and Gymnasium's names of the games."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

from readyroom import env, games
from readyroom.env import bench
from readyroom.env.match_env import env_config
from readyroom.env.registration import environment_id, register
from readyroom.env.vectorized import VectorSeatEnv, WorkerFailed

ROWS = 5


@pytest.fixture(params=[0, pytest.param(2, marks=pytest.mark.torture(3))])
def vector(request: pytest.FixtureRequest) -> Iterator[VectorSeatEnv]:
    face = env.vector("midway", scenario="duel", num_envs=ROWS, workers=request.param, strict=True)
    yield face
    face.close()


def first_legal(masks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    actions: np.ndarray[Any, Any] = masks.argmax(axis=1)
    return actions


@pytest.mark.slow(3)
def test_rows_are_matches_of_single_environment(vector: VectorSeatEnv) -> None:
    """Each row plays as the environment of one match does, and continues with its next match."""
    single = [env.gymnasium("midway", scenario="duel", strict=True) for _ in range(ROWS)]
    seen, _ = vector.reset(seed=7)
    rows = [face.reset(seed=7 + at)[0] for at, face in enumerate(single)]
    over, matches = [False] * ROWS, 0
    assert vector.observation_space.contains(seen)
    for _ in range(120):
        for at, row in enumerate(rows):
            assert all(np.array_equal(seen[name][at], part) for name, part in row.items())
        actions = first_legal(vector.action_masks())
        seen, rewards, ended, truncated, _ = vector.step(actions)
        for at, face in enumerate(single):
            if over[at]:
                rows[at], reward, over[at] = face.reset()[0], 0.0, False
            else:
                rows[at], reward, over[at], _, _ = face.step(int(actions[at]))
            assert (rewards[at], ended[at], truncated[at]) == (reward, over[at], False)
            matches += over[at]
    assert matches > ROWS


def test_wrong_actions_and_closed_environments_are_explained() -> None:
    face: Any = env.gymnasium("midway", scenario="duel")
    face.reset(seed=1)
    for action in ("hiryu", None, 1.5):
        with pytest.raises(ValueError, match="is not allowed; use the number of a legal action"):
            face.step(action)
    face.step(np.array(0))
    many = env.vector("midway", scenario="duel", num_envs=1, workers=0)
    many.reset(seed=1)
    many.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="Make a new one"):
        many.step(np.zeros(1, np.int64))


def test_error_of_worker_is_reported() -> None:
    face = env.vector("midway", scenario="duel", num_envs=2, workers=1, strict=True)
    face.reset(seed=1)
    illegal = (face.action_masks() == 0).argmax(axis=1)
    with pytest.raises(WorkerFailed, match=r"IllegalAction: Action \d+ is not legal"):
        face.step(illegal)
    assert face.closed


def test_counts_are_checked() -> None:
    with pytest.raises(ValueError, match="num_envs=0"):
        env.vector("midway", num_envs=0)
    face = env.vector("midway", scenario="duel", num_envs=2, workers=0)
    face.reset(seed=1)
    with pytest.raises(ValueError, match="one action for each of 2 matches"):
        face.step(np.zeros(3, np.int64))


def test_every_game_has_gymnasium_id() -> None:
    register()
    for name in games.game_names():
        assert gymnasium.spec(environment_id(name)).kwargs == {"game": name}
    face = gymnasium.make("readyroom/Midway-v0", scenario="duel", seat="usa", against={"japan": "doctrine"})
    seen, _ = face.reset(seed=1)
    assert face.observation_space.contains(seen)
    assert face.unwrapped.config.scenario.key == "duel"  # type: ignore[attr-defined]


def test_gymnasium_makes_vectorized_environment() -> None:
    face = gymnasium.make_vec("readyroom/Midway-v0", num_envs=3, scenario="duel", workers=0)
    seen, _ = face.reset(seed=1)
    assert isinstance(face, VectorSeatEnv)
    assert seen["action_mask"].shape == (3, 513)
    face.close()


@pytest.mark.parametrize("name", games.game_names())
def test_configuration_can_be_sent_to_other_process(name: str) -> None:
    config = env_config(name, None, None, None).for_single_seat(None, {})
    again = pickle.loads(pickle.dumps(config))
    assert again.game is config.game
    assert again == config


@pytest.mark.slow(1)
def test_benchmark_measures_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "WARM_UP", 1)
    monkeypatch.setattr(bench, "MATCHES", 2)
    monkeypatch.setattr(env, "vector", partial(env.vector, workers=0, scenario="duel"))
    monkeypatch.setattr(env, "pettingzoo", partial(env.pettingzoo, scenario="duel"))
    result = bench.measure("midway", runs=1, seconds=0.01)
    assert set(result) == {bench.ZOO, bench.ACTIONS, bench.STEPS}
    assert all(figure > 0 for figure in result.values())
