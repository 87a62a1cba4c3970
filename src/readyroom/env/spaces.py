"""Gymnasium spaces of actions and observations, and the observations themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from readyroom.env.match_env import EnvConfig, EnvMatch
from readyroom.env.observing import REACH

Observed = dict[str, Any]
"""An observation: `observation`, `action_mask`, and optionally the features of `actions` and the `memory`."""


class HasMatch:
    """An environment with a match, once it is reset."""

    _env_match: EnvMatch | None = None

    @property
    def env_match(self) -> EnvMatch:
        """The current match; `ResetNeeded` before the first reset."""
        if self._env_match is None:
            raise ResetNeeded("There is no match yet. Call reset() first.")
        return self._env_match


def of_actions(config: EnvConfig) -> spaces.Discrete:
    """Return the space of actions: 0 is "done", every other number is an option's."""
    return spaces.Discrete(config.max_actions + 1)


def of_observations(config: EnvConfig) -> spaces.Dict:
    """Return the space of `observed`."""
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(-REACH, REACH, (config.length,), np.float32),
        "action_mask": spaces.Box(0, 1, (config.max_actions + 1,), np.int8),
    }
    if config.action_size:
        parts["actions"] = spaces.Box(-REACH, REACH, (config.max_actions + 1, config.action_size), np.float32)
    if config.recall:
        parts["memory"] = spaces.Box(-REACH, REACH, (config.recall,), np.float32)
    return spaces.Dict(parts)


def observed(env_match: EnvMatch, seat: str) -> Observed:
    """Return a new observation of a seat."""
    observation: Observed = {"observation": env_match.observation(seat), "action_mask": env_match.mask(seat)}
    if env_match.config.action_size:
        observation["actions"] = env_match.rows(seat)
    if env_match.config.recall:
        observation["memory"] = env_match.memory(seat)
    return observation


def seed_text(random: np.random.Generator) -> str:
    """Return the seed of the next match."""
    return f"env/{random.integers(1 << 62)}"
