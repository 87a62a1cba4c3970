"""The OpenSpiel game: a tree of chance nodes and of players who act in turn.

A few chance nodes at the start draw the hidden seed of all dice. After them the tree has no chance, so a state is
copied, serialized and replayed by its history alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pyspiel

from readyroom.engine.game import load_game
from readyroom.env.match_env import EnvConfig, EnvMatch, env_config
from readyroom.env.rewards import CONTENDERS

DEALS = 4
"""The number of chance nodes that draw the dice seed."""
FACES = 256
"""The number of equally likely outcomes of each."""
MOST_PLAYERS = 32
"""A maximum that OpenSpiel requires; no game has this many seats."""
JOINED, SET = ";", ":"
"""Separators of options in a parameter: `seats:groups;sight:open`."""
Action = int | tuple[str, str]
"""A step of the history: an action, or a position imagined for a seat with a seed."""


class Position:
    """The position of a game: the dice seed drawn so far, and then the match.

    OpenSpiel copies and pickles it as part of a state. A copy has the same future dice; a pickle has the history, which
    is replayed when it is loaded.
    """

    def __init__(self, config: EnvConfig, dealt: Sequence[int] = (), done: Sequence[Action] = ()) -> None:
        self.config, self.dealt, self.done = config, list(dealt), list[Action]()
        self.env_match: EnvMatch | None = None
        self._start_match()
        for step in done:
            if isinstance(step, int):
                self.act(step)
            else:
                self.imagine(*step)

    def act(self, action: int) -> None:
        """Apply a chance outcome, or the action of the current player."""
        if self.env_match is None:
            self.dealt.append(action)
            self._start_match()
        else:
            self.env_match.step(self.env_match.deciding[0], action)
            self.done.append(action)

    def imagine(self, seat: str, seed: str) -> None:
        """Change to a position that this seat cannot distinguish from the current one."""
        if self.env_match is not None:
            self.env_match = self.env_match.imagined(seat, Random(seed))
            self.done.append((seat, seed))

    def _start_match(self) -> None:
        if len(self.dealt) == DEALS:
            self.env_match = EnvMatch(self.config, f"dealt/{bytes(self.dealt).hex()}", copied=True)

    @property
    def player(self) -> int:
        """The current player's number, or OpenSpiel's ids of chance and terminal states."""
        env_match = self.env_match
        if env_match is None:
            return int(pyspiel.PlayerId.CHANCE)
        if env_match.terminated or env_match.truncated:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.config.learners.index(env_match.deciding[0])

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        other = Position(self.config)
        other.dealt, other.done = list(self.dealt), list(self.done)
        other.env_match = None if self.env_match is None else self.env_match.copy()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (parameters(self.config), self.config.game.key, self.dealt, self.done)


def _unpickle(params: Mapping[str, Any], key: str, dealt: list[int], done: list[Action]) -> Position:
    return Position(_env_config(key, params), dealt, done)


class MatchState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of a game; see `Position`."""

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self.position = Position(game.config)

    def current_player(self) -> int:
        """Return the player to act; of several seats that decide in secret, the first one."""
        return self.position.player

    def is_terminal(self) -> bool:
        """Return whether the match is over or truncated."""
        return self.position.player == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Return each player's reward; zeros before the end."""
        env_match = self.position.env_match
        return [0.0] * self.num_players() if env_match is None else list(env_match.rewards().values())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node with their probabilities."""
        return [(face, 1 / FACES) for face in range(FACES)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> MatchState:
        """Return a state that this player cannot distinguish from this one; see `Match.imagine`."""
        other: MatchState = self.clone()
        other.position.imagine(self.position.config.learners[player], repr(sampler()))
        return other

    def _legal_actions(self, player: int) -> list[int]:
        env_match = self.position.env_match
        assert env_match is not None
        return env_match.legal(self.position.config.learners[player])

    def _apply_action(self, action: int) -> None:
        if self.position.env_match is None and action not in range(FACES):
            raise ValueError(f"action={action!r} is not allowed at a chance node; its outcomes are 0 to {FACES - 1}.")
        self.position.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        env_match = self.position.env_match
        if player < 0 or env_match is None:
            return f"deal {action}"
        return env_match.action_text(self.position.config.learners[player], action)

    def __str__(self) -> str:
        position = self.position
        if position.env_match is None:
            return f"{len(position.dealt)} of {DEALS} dealt"
        return f"{bytes(position.dealt).hex()}: {' '.join(map(str, position.done))}"


class MatchGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game with a scenario and options, as OpenSpiel loads it.

    Each game has its own class, with its key: OpenSpiel keeps the factory until after Python has ended, and only a
    class can be kept that long.
    """

    key: str

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.config = _env_config(self.key, params)
        super().__init__(_type(self.config, _utility(self.config)), _info(self.config), dict(params))

    def new_initial_state(self) -> MatchState:
        """Return the state before the dice seed is drawn."""
        return MatchState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SeatObserver:
        """Return an observer of a player's view or, without private information, of a spectator's."""
        return SeatObserver(self.config, iig_obs_type)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of chance nodes."""
        return DEALS

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.key, parameters(self.config))


class SeatObserver:
    """What a player sees now or, with perfect recall, all that it knows: as a vector and as text."""

    def __init__(self, config: EnvConfig, kind: Any) -> None:
        self._recalls = kind is not None and kind.perfect_recall
        self._public = kind is not None and kind.private_info == pyspiel.PrivateInfoType.NONE
        if self._recalls and self._public:
            raise ValueError("There is no perfect recall of public information alone: use a player's.")
        if self._recalls and not config.recall:
            raise ValueError("The game was loaded without perfect recall: pass recall=256, or another length.")
        self._config = config
        memory = config.recall if self._recalls else 0
        self.tensor = np.zeros(config.length + memory, np.float32)
        self.dict = {"observation": self.tensor[: config.length]}
        if memory:
            self.dict["memory"] = self.tensor[config.length :]

    def set_from(self, state: MatchState, player: int) -> None:
        """Set the vectors to a player's; zeros at chance nodes."""
        env_match, seat = state.position.env_match, self._seat(player)
        self.tensor[:] = 0
        if env_match is not None:
            self.dict["observation"][:] = env_match.observation(seat)
            if seat is not None and self._recalls:
                self.dict["memory"][:] = env_match.memory(seat)

    def string_from(self, state: MatchState, player: int) -> str:
        """Return as JSON a player's view, decision and options taken so far, after its memory with perfect recall."""
        env_match = state.position.env_match
        return str(state) if env_match is None else env_match.information(self._seat(player), recalls=self._recalls)

    def _seat(self, player: int) -> str | None:
        return None if self._public else self._config.learners[player]


def load(config: EnvConfig) -> MatchGame:
    """Return the game of a configuration, registered with OpenSpiel."""
    return _loaded(config.game.key, parameters(config))


def _loaded(key: str, params: Mapping[str, Any]) -> MatchGame:
    key = load_game(key, fits=lambda each: each.scenario(str(params["scenario"]))).key
    register(key)
    return pyspiel.load_game(name(key), dict(params))  # type: ignore[no-any-return]


def name(key: str) -> str:
    """Return OpenSpiel's name of a game."""
    return f"readyroom_{key}"


def register(key: str) -> None:
    """Register a game with OpenSpiel unless it is registered."""
    if name(key) not in pyspiel.registered_names():
        game_type = _type(env_config(key, None, None, None), pyspiel.GameType.Utility.GENERAL_SUM)
        pyspiel.register_game(game_type, type(f"{MatchGame.__name__}-{key}", (MatchGame,), {"key": key}))


def parameters(config: EnvConfig) -> dict[str, Any]:
    """Return a configuration as OpenSpiel parameters."""
    changed = config.game.non_default_options(config.options)
    return {
        "scenario": config.scenario.file or config.scenario.key,
        "options": JOINED.join(f"{option}{SET}{choice}" for option, choice in changed.items()),
        "slots": config.max_actions,
        "size": config.obs_size,
        "longest": config.max_steps,
        "recall": config.recall,
    }


def _env_config(key: str, params: Mapping[str, Any]) -> EnvConfig:
    options = dict(pair.split(SET, 1) for pair in str(params["options"]).split(JOINED) if pair)
    names = {"slots": "max_actions", "size": "obs_size", "longest": "max_steps", "recall": "recall"}
    shape = {new: int(params[old]) for old, new in names.items()}
    return env_config(key, str(params["scenario"]), options, None, **shape)


def _type(config: EnvConfig, utility: Any) -> pyspiel.GameType:
    kinds = pyspiel.GameType
    return kinds(
        short_name=name(config.game.key),
        long_name=config.game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS,
        min_num_players=1,
        provides_information_state_string=config.recall > 0,
        provides_information_state_tensor=config.recall > 0,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(config),
    )


def _info(config: EnvConfig) -> pyspiel.GameInfo:
    zero = _utility(config) == pyspiel.GameType.Utility.ZERO_SUM
    return pyspiel.GameInfo(
        num_distinct_actions=config.max_actions + 1,
        max_chance_outcomes=FACES,
        num_players=len(config.learners),
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0 if zero else None,
        max_game_length=config.max_steps,
    )


def _utility(config: EnvConfig) -> Any:
    """Return zero-sum for two sides with equal numbers of seats, identical for several seats of one side."""
    kinds, counts = pyspiel.GameType.Utility, Counter(seat.side for seat in config.seats)
    if len(counts) == 1:
        return kinds.IDENTICAL if len(config.seats) > 1 else kinds.GENERAL_SUM
    return kinds.ZERO_SUM if len(counts) == CONTENDERS and len(set(counts.values())) == 1 else kinds.GENERAL_SUM
