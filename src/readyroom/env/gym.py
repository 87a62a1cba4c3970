"""A match as Gymnasium knows tasks: one learner, and bots at all the other seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

from readyroom.env.match_env import EnvConfig, EnvMatch, Mask
from readyroom.env.spaces import Observed, observed, of_actions, of_observations, words


class SeatEnv(gymnasium.Env[Observed, int]):
    """One seat at a table of bots.

    The reward comes when the match is over. With `strict` an illegal action raises `IllegalAction`; without, it stands
    for the next legal one. What an action was is in `info["action"]`.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, setting: EnvConfig, *, strict: bool = False) -> None:
        self.setting, self.strict = setting, strict
        (self.seat,) = setting.learners
        self.action_space: Any = of_actions(setting)
        self.observation_space: Any = of_observations(setting)
        self.sitting: EnvMatch

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin another match; the same seed gives the same dice. `options` are not used: a face has its own."""
        super().reset(seed=seed)
        self.sitting = EnvMatch(self.setting, words(self.np_random))
        return observed(self.sitting, self.seat), {}

    def step(self, action: int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, and play on until it is asked again or the match is over."""
        sitting, seat = self.sitting, self.seat
        meant = int(action) if self.strict else sitting.nearest_legal(seat, int(action))
        if sitting.decision_in_progress(seat) is not None:
            sitting.step(seat, meant)
        reward = sitting.rewards()[seat]
        return observed(sitting, seat), reward, sitting.terminated, sitting.truncated, {"action": meant}

    def action_masks(self) -> Mask:
        """The legal actions as ones among zeros: the name by which learners that mask look for it."""
        return self.sitting.mask(self.seat)

    def render(self) -> None:
        """Nothing: a match is shown by the terminal and the browser."""
