"""The Gymnasium environment: one learner, and bots at all other seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

from readyroom.env.match_env import EnvConfig, EnvMatch, Mask, action_number
from readyroom.env.spaces import HasMatch, Observed, observed, of_actions, of_observations, seed_text


class SeatEnv(HasMatch, gymnasium.Env[Observed, int]):
    """One learning seat against bots.

    The reward comes when the match is over. With `strict` an illegal action raises `IllegalAction`; otherwise the next
    legal one replaces it. `info["action"]` is the action taken.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, config: EnvConfig, *, strict: bool = False) -> None:
        self.config, self.strict = config, strict
        (self.seat,) = config.learners
        self.action_space: Any = of_actions(config)
        self.observation_space: Any = of_observations(config)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Start a new match; the same seed gives the same dice. `options` is ignored: the environment has its own."""
        super().reset(seed=seed)
        self._env_match = EnvMatch(self.config, seed_text(self.np_random))
        return observed(self.env_match, self.seat), {}

    def step(self, action: int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, and play on until its next decision or the end of the match."""
        env_match, seat = self.env_match, self.seat
        number = action_number(action)
        action_taken = number if self.strict else env_match.nearest_legal(seat, number)
        if env_match.decision_in_progress(seat) is not None:
            env_match.step(seat, action_taken)
        reward = env_match.rewards()[seat]
        return observed(env_match, seat), reward, env_match.terminated, env_match.truncated, {"action": action_taken}

    def action_masks(self) -> Mask:
        """Return the legal actions as a 0/1 mask; masking learners look for this name."""
        return self.env_match.mask(self.seat)

    def render(self) -> None:
        """Do nothing: the terminal and the browser show matches."""
