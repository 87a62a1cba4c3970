"""A match as PettingZoo knows games: agents that act in turn, or all at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from readyroom.env.match_env import EnvConfig, EnvMatch
from readyroom.env.numbering import DONE
from readyroom.env.spaces import Observed, observed, of_actions, of_observations, words


class _Seats:
    """What both kinds have in common: seats that learn, their spaces, and sittings that follow from seeds."""

    metadata: dict[str, Any]

    def __init__(self, setting: EnvConfig, *, strict: bool) -> None:
        self.setting, self.strict = setting, strict
        self.metadata = {"name": f"readyroom_{setting.game.key}_v0", "render_modes": [], "is_parallelizable": True}
        self.render_mode = None
        self.possible_agents = list(setting.learners)
        self.agents: list[str] = []
        self._actions = {seat: of_actions(setting) for seat in setting.learners}
        self._observations = {seat: of_observations(setting) for seat in setting.learners}
        self._random: np.random.Generator | None = None
        self.sitting: EnvMatch

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent observes: `observation`, `action_mask` and, where wanted, `actions`."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """0 is "done"; every other number is an option's."""
        return self._actions[agent]

    def observe(self, agent: str) -> Observed:
        """What an agent observes now."""
        return observed(self.sitting, agent)

    def _sit_down(self, seed: int | None) -> None:
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self.sitting = EnvMatch(self.setting, words(self._random))
        self.agents = list(self.possible_agents)

    def _meant(self, agent: str, action: int) -> int:
        return int(action) if self.strict else self.sitting.nearest_legal(agent, int(action))


class AECMatchEnv(_Seats, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match in which one agent acts at a time: of those that are asked, the first in the order of the table.

    An agent gets its reward when the match is over. With `strict` an illegal action raises `IllegalAction`; without,
    it stands for the next legal one.
    """

    agent_selection: str

    def __init__(self, setting: EnvConfig, *, strict: bool = True) -> None:
        super().__init__(setting, strict=strict)
        self.rewards: dict[str, float] = {}

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin another match; the same seed gives the same dice. `options` are not used: a face has its own."""
        self._sit_down(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """Take the action of the agent that is selected; of one whose match is over, None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        if self.sitting.decision_in_progress(agent) is not None:
            self.sitting.step(agent, self._meant(agent, action))
        self.rewards = self.sitting.rewards()
        self._accumulate_rewards()
        self._select()

    def _select(self) -> None:
        sitting = self.sitting
        self.terminations = dict.fromkeys(self.agents, sitting.terminated)
        self.truncations = dict.fromkeys(self.agents, sitting.truncated)
        self.agent_selection = next(iter(sitting.deciding), self.agents[0])
        if sitting.terminated or sitting.truncated:
            self._deads_step_first()

    def render(self) -> None:
        """Nothing: a match is shown by the terminal and the browser."""

    def close(self) -> None:
        """Nothing is held open."""


class ParallelMatchEnv(_Seats, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match in which all agents act at once: those that are asked answer, the others have only `DONE`.

    Without `strict` an illegal action stands for the next legal one; what an agent that is not asked does, is ignored.
    """

    def __init__(self, setting: EnvConfig, *, strict: bool = False) -> None:
        super().__init__(setting, strict=strict)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Begin another match; the same seed gives the same dice. `options` are not used: a face has its own."""
        self._sit_down(seed)
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the actions of all agents that are asked."""
        sitting, agents = self.sitting, self.agents
        for agent in sitting.deciding:
            sitting.step(agent, self._meant(agent, actions.get(agent, DONE)))
        if sitting.terminated or sitting.truncated:
            self.agents = []
        return (
            {agent: self.observe(agent) for agent in agents},
            sitting.rewards(),
            dict.fromkeys(agents, sitting.terminated),
            dict.fromkeys(agents, sitting.truncated),
            {agent: {} for agent in agents},
        )

    def render(self) -> None:
        """Nothing: a match is shown by the terminal and the browser."""

    def close(self) -> None:
        """Nothing is held open."""
