"""The spaces of actions and observations, as Gymnasium describes them, and an observation that lies in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from readyroom.env.match_env import EnvConfig, EnvMatch
from readyroom.env.observing import REACH

Observed = dict[str, Any]
"""What a learner gets: `observation` and `action_mask`, and `actions` where the features of actions are wanted."""


def of_actions(setting: EnvConfig) -> spaces.Discrete:
    """0 is "done"; every other number is an option's."""
    return spaces.Discrete(setting.max_actions + 1)


def of_observations(setting: EnvConfig) -> spaces.Dict:
    """What `observed` gives."""
    inside: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(-REACH, REACH, (setting.length,), np.float32),
        "action_mask": spaces.Box(0, 1, (setting.max_actions + 1,), np.int8),
    }
    if setting.action_size:
        inside["actions"] = spaces.Box(-REACH, REACH, (setting.max_actions + 1, setting.action_size), np.float32)
    return spaces.Dict(inside)


def observed(sitting: EnvMatch, seat: str) -> Observed:
    """What a seat sees and is asked, and its legal actions; made anew for each caller."""
    found: Observed = {"observation": sitting.observation(seat), "action_mask": sitting.mask(seat)}
    if sitting.setting.action_size:
        found["actions"] = sitting.rows(seat)
    return found


def words(random: np.random.Generator) -> str:
    """The seed in words of the next match."""
    return f"env/{random.integers(1 << 62)}"
