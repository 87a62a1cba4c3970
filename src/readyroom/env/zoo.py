"""The PettingZoo environments: agents that act in turn, or all at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from readyroom.engine.errors import UnknownSeat
from readyroom.env.match_env import EnvConfig, EnvMatch, action_number
from readyroom.env.numbering import DONE
from readyroom.env.spaces import HasMatch, Observed, observed, of_actions, of_observations, seed_text


class _Seats(HasMatch):
    """The common part of both environments: learning seats, their spaces, and seeded matches."""

    metadata: dict[str, Any]

    def __init__(self, config: EnvConfig, *, strict: bool) -> None:
        self.config, self.strict = config, strict
        self.metadata = {"name": f"readyroom_{config.game.key}_v0", "render_modes": [], "is_parallelizable": True}
        self.render_mode = None
        self.possible_agents = list(config.learners)
        self.agents: list[str] = []
        self._actions = {seat: of_actions(config) for seat in config.learners}
        self._observations = {seat: of_observations(config) for seat in config.learners}
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations: `observation`, `action_mask` and optionally `actions`."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions: 0 is "done", every other number is an option's."""
        return self._actions[agent]

    def observe(self, agent: str) -> Observed:
        """Return an agent's current observation."""
        return observed(self.env_match, agent)

    def _start_match(self, seed: int | None) -> None:
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self._env_match = EnvMatch(self.config, seed_text(self._random))
        self.agents = list(self.possible_agents)

    def _action(self, agent: str, action: int | None) -> int:
        number = action_number(action)
        return number if self.strict else self.env_match.nearest_legal(agent, number)


class AECMatchEnv(_Seats, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match in which one agent acts at a time: the first one with a pending decision.

    Rewards come when the match is over. With `strict` an illegal action raises `IllegalAction`; otherwise the next
    legal one replaces it.
    """

    agent_selection: str = ""

    def __init__(self, config: EnvConfig, *, strict: bool = True) -> None:
        super().__init__(config, strict=strict)
        self.rewards: dict[str, float] = {}

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a new match; the same seed gives the same dice. `options` is ignored: the environment has its own."""
        self._start_match(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """Take the action of the selected agent; None if its match is over."""
        env_match, agent = self.env_match, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if env_match.decision_in_progress(agent) is not None:
            env_match.step(agent, self._action(agent, action))
        self.rewards = env_match.rewards()
        self._accumulate_rewards()
        self._select()

    def _select(self) -> None:
        env_match = self.env_match
        self.terminations = dict.fromkeys(self.agents, env_match.terminated)
        self.truncations = dict.fromkeys(self.agents, env_match.truncated)
        self.agent_selection = next(iter(env_match.deciding), self.agents[0])
        if env_match.terminated or env_match.truncated:
            self._deads_step_first()

    def render(self) -> None:
        """Do nothing: the terminal and the browser show matches."""

    def close(self) -> None:
        """Do nothing."""


class ParallelMatchEnv(_Seats, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match in which all agents act at once: those with a pending decision answer, the others have only `DONE`.

    Without `strict` the next legal action replaces an illegal one; actions of idle agents are ignored.
    """

    def __init__(self, config: EnvConfig, *, strict: bool = False) -> None:
        super().__init__(config, strict=strict)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        """Start a new match; the same seed gives the same dice. `options` is ignored: the environment has its own."""
        self._start_match(seed)
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the actions of all agents with a pending decision; `UnknownSeat` if there is no such agent."""
        env_match, agents = self.env_match, self.agents
        for agent in actions:
            if agent not in self.possible_agents:
                raise UnknownSeat(agent, self.possible_agents)
        for agent in env_match.deciding:
            env_match.step(agent, self._action(agent, actions.get(agent, DONE)))
        if env_match.terminated or env_match.truncated:
            self.agents = []
        return (
            {agent: self.observe(agent) for agent in agents},
            env_match.rewards(),
            dict.fromkeys(agents, env_match.terminated),
            dict.fromkeys(agents, env_match.truncated),
            {agent: {} for agent in agents},
        )

    def render(self) -> None:
        """Do nothing: the terminal and the browser show matches."""

    def close(self) -> None:
        """Do nothing."""
