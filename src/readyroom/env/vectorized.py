"""The vectorized Gymnasium environment: many matches at once, spread over processes.

The processes write observations, rewards and ends straight into arrays in shared memory; only a byte goes over a pipe
for each step of all matches. Like Gymnasium's own, it starts the next match in the step after one has ended.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory
from traceback import format_exc
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from readyroom.engine.errors import ReadyRoomError
from readyroom.env.gym import SeatEnv
from readyroom.env.match_env import EnvConfig, at_least
from readyroom.env.spaces import Observed, of_actions, of_observations

STEP, RESET, CLOSE = b"s", b"r", b"c"
"""What a worker is asked for; after a reset come the seeds of its matches."""
DONE, FAILED = b"d", b"f"
"""What a worker answers; after a failure comes the reason."""
ALIGNED = 64
"""Arrays begin at multiples of this many bytes."""
Arrays = dict[str, NDArray[Any]]


class WorkerFailed(ReadyRoomError):
    """A process of a vectorized environment raised an error; the text is its traceback."""


class Matches:
    """Some matches that are stepped together, and write into arrays with a row for each.

    Args:
        config: the configuration, with one learner.
        arrays: rows of `action`, `reward`, `terminated`, `truncated`, and of each part of an observation.
        strict: as for `SeatEnv`.
    """

    def __init__(self, config: EnvConfig, arrays: Arrays, *, strict: bool) -> None:
        self.arrays = arrays
        self.envs = [SeatEnv(config, strict=strict) for _ in arrays["action"]]
        self._over = [False] * len(self.envs)

    def reset(self, seeds: Sequence[int | None]) -> None:
        """Start a match in each row; a row without a seed continues its own sequence."""
        for row, (env, seed) in enumerate(zip(self.envs, seeds, strict=True)):
            self._write(row, env.reset(seed=seed)[0], 0.0, False, False)

    def step(self) -> None:
        """Take the action of each row, or start its next match if the last one is over."""
        for row, (env, action) in enumerate(zip(self.envs, self.arrays["action"].tolist(), strict=True)):
            if self._over[row]:
                self._write(row, env.reset()[0], 0.0, False, False)
            else:
                observation, reward, terminated, truncated, _ = env.step(action)
                self._write(row, observation, reward, terminated, truncated)

    def _write(self, row: int, observation: Observed, reward: float, terminated: bool, truncated: bool) -> None:
        arrays = self.arrays
        arrays["reward"][row], arrays["terminated"][row], arrays["truncated"][row] = reward, terminated, truncated
        self._over[row] = terminated or truncated
        for name, part in observation.items():
            arrays[name][row] = part


class VectorSeatEnv(VectorEnv[Observed, NDArray[np.int64], NDArray[Any]]):
    """Many matches at once, each with one learning seat against bots.

    Args:
        config: the configuration, with one learner.
        num_envs: the number of matches.
        workers: the number of processes; 0: this process plays all matches.
        strict: as for `SeatEnv`.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, config: EnvConfig, num_envs: int, *, workers: int, strict: bool = False) -> None:
        at_least("num_envs", num_envs, 1)
        at_least("workers", workers, 0)
        self.num_envs, workers = num_envs, min(workers, num_envs)
        self.single_action_space: Any = of_actions(config)
        self.single_observation_space: Any = of_observations(config)
        self.action_space: Any = batch_space(self.single_action_space, num_envs)
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)
        self._layout = _layout(self.single_observation_space, num_envs)
        self._memory = SharedMemory(create=True, size=_size(self._layout)) if workers else None
        self._arrays = _arrays(self._layout, self._memory.buf if self._memory else bytearray(_size(self._layout)))
        self._workers: list[tuple[BaseProcess, Connection]] = []
        self._rows = [slice(num_envs * at // workers, num_envs * (at + 1) // workers) for at in range(workers)]
        self._own = None if workers else Matches(config, self._arrays, strict=strict)
        for rows in self._rows:
            self._workers.append(self._start(config, rows, strict))

    def _start(self, config: EnvConfig, rows: slice, strict: bool) -> tuple[BaseProcess, Connection]:
        assert self._memory is not None
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        arguments = (there, config, self._memory.name, self._layout, rows, strict)
        process = context.Process(target=_work, args=arguments, daemon=True)
        process.start()
        there.close()
        return process, here

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Start all matches: with a seed for each, or this seed, the next one, and so on."""
        self._check_open()
        if seed is None or isinstance(seed, int):
            seeds: Sequence[int | None] = [None if seed is None else seed + at for at in range(self.num_envs)]
        else:
            seeds = list(seed)
        if self._own is not None:
            self._own.reset(seeds)
        self._tell([(RESET, seeds[rows]) for rows in self._rows])
        return self._observations(), {}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observed, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Take an action in each match; where the last one has ended, the next one starts and the action is ignored."""
        self._check_open()
        if np.shape(actions) != (self.num_envs,):
            raise ValueError(
                f"actions has the shape {np.shape(actions)}; give one action for each of {self.num_envs} matches."
            )
        self._arrays["action"][:] = actions
        if self._own is not None:
            self._own.step()
        self._tell([(STEP, None)] * len(self._workers))
        ends = self._arrays
        return (
            self._observations(),
            ends["reward"].copy(),
            ends["terminated"].copy(),
            ends["truncated"].copy(),
            {},
        )

    def _check_open(self) -> None:
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError("This environment is closed. Make a new one.")

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions of all matches, a row of 0 and 1 for each."""
        masks: NDArray[np.int8] = self._arrays["action_mask"].copy()
        return masks

    def _observations(self) -> Observed:
        return {name: self._arrays[name].copy() for name in self.single_observation_space.spaces}

    def _tell(self, messages: Sequence[tuple[bytes, Any]]) -> None:
        """Send a message to each worker and wait until all are done; raise `WorkerFailed` if one is not."""
        for (_, pipe), message in zip(self._workers, messages, strict=True):
            pipe.send(message)
        for answer, reason in [pipe.recv() for _, pipe in self._workers]:
            if answer == FAILED:
                self.close()
                raise WorkerFailed(reason)

    def close_extras(self, **kwargs: Any) -> None:
        """End the workers, and free the shared memory."""
        for process, pipe in self._workers:
            with suppress(OSError):  # it has ended
                pipe.send((CLOSE, None))
            process.join()
            pipe.close()
        self._workers = []
        if self._memory is not None:
            self._arrays.clear()
            self._memory.close()
            self._memory.unlink()
            self._memory = None


Layout = list[tuple[str, tuple[int, ...], str, int]]
"""For each array its name, its shape, the name of its type, and where it begins."""


def _layout(space: gymnasium.spaces.Dict, count: int) -> Layout:
    """Return the layout of all arrays for this many matches."""
    parts: list[tuple[str, tuple[int, ...], Any]] = [
        ("action", (count,), np.int64),
        ("reward", (count,), np.float64),
        ("terminated", (count,), np.bool_),
        ("truncated", (count,), np.bool_),
        *((name, (count, *(part.shape or ())), part.dtype) for name, part in space.spaces.items()),
    ]
    layout, start = Layout(), 0
    for name, shape, kind in parts:
        layout.append((name, shape, np.dtype(kind).name, start))
        start += -(-int(np.prod(shape)) * np.dtype(kind).itemsize // ALIGNED) * ALIGNED
    return layout


def _size(layout: Layout) -> int:
    _, shape, kind, start = layout[-1]
    return start + int(np.prod(shape)) * np.dtype(kind).itemsize


def _arrays(layout: Layout, buffer: Any, rows: slice = slice(None)) -> Arrays:
    """Return these rows of all arrays in a buffer."""
    return {name: np.ndarray(shape, kind, buffer, start)[rows] for name, shape, kind, start in layout}


def _work(pipe: Connection, config: EnvConfig, memory: str, layout: Layout, rows: slice, strict: bool) -> None:
    """Play the matches of some rows, until asked to end or until the other end is closed."""
    shared = SharedMemory(memory)
    matches = Matches(config, _arrays(layout, shared.buf, rows), strict=strict)
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            message, seeds = pipe.recv()
            if message == CLOSE:
                break
            try:
                matches.step() if message == STEP else matches.reset(seeds)
            except Exception:  # whatever was raised is reported where the environment is used
                pipe.send((FAILED, format_exc()))
            else:
                pipe.send((DONE, None))
    matches.arrays.clear()
    shared.close()
