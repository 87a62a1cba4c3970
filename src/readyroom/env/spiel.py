"""A match as OpenSpiel knows games: a tree of chance and of players who act in turn.

The dice are dealt before the game begins, face down: a few chance nodes draw the seed of all dice to come, and nobody
sees it. From there on the tree has no chance, so a state is copied, written down and repeated by its history alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec
import numpy as np
import pyspiel

from readyroom.env.match_env import EnvConfig, EnvMatch, env_config
from readyroom.env.rewards import CONTENDERS

DEALS = 4
"""So many chance nodes deal the dice."""
FACES = 256
"""Each of them has so many outcomes, all as likely."""
MOST_PLAYERS = 32
"""OpenSpiel wants to know a most; no table has so many seats."""
JOINED, SET = ";", ":"
"""How options are written in one word: `seats:groups;sight:open`."""


Action = int | tuple[str, str]
"""What was done: an action, or a position that was imagined for a seat, with the words that its chance follows from."""


class Position:
    """Where a game stands: the dice dealt so far, and once they all are, the sitting that follows from them.

    OpenSpiel copies and pickles it as part of a state. A copy has the same dice to come; what is pickled is what was
    dealt and done, and it is played again when it is read.
    """

    def __init__(self, setting: EnvConfig, dealt: Sequence[int] = (), done: Sequence[Action] = ()) -> None:
        self.setting, self.dealt, self.done = setting, list(dealt), list[Action]()
        self.sitting: EnvMatch | None = None
        self._sit_down()
        for deed in done:
            if isinstance(deed, int):
                self.act(deed)
            else:
                self.imagine(*deed)

    def act(self, action: int) -> None:
        """Deal, or take the action of whoever is asked."""
        if self.sitting is None:
            self.dealt.append(action)
            self._sit_down()
        else:
            self.sitting.step(self.sitting.deciding[0], action)
            self.done.append(action)

    def imagine(self, seat: str, seed: str) -> None:
        """Stand where this seat may as well stand, for all that it knows."""
        if self.sitting is not None:
            self.sitting = self.sitting.imagined(seat, Random(seed))
            self.done.append((seat, seed))

    def _sit_down(self) -> None:
        if len(self.dealt) == DEALS:
            self.sitting = EnvMatch(self.setting, f"dealt/{bytes(self.dealt).hex()}", copied=True)

    @property
    def player(self) -> int:
        """Who acts: the number of a seat, or OpenSpiel's for chance and for the end."""
        sitting = self.sitting
        if sitting is None:
            return int(pyspiel.PlayerId.CHANCE)
        if sitting.terminated or sitting.truncated:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.setting.learners.index(sitting.deciding[0])

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        other = Position(self.setting)
        other.dealt, other.done = list(self.dealt), list(self.done)
        other.sitting = None if self.sitting is None else self.sitting.copy()
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (parameters(self.setting), self.setting.game.key, self.dealt, self.done)


def _again(told: Mapping[str, Any], key: str, dealt: list[int], done: list[Action]) -> Position:
    return Position(_env_config(key, told), dealt, done)


class MatchState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of a game: see `Position`."""

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self.position = Position(game.setting)

    def current_player(self) -> int:
        """Whose turn it is: of several seats that decide in secret, the first in the order of the table."""
        return self.position.player

    def is_terminal(self) -> bool:
        """Whether the match is over, or was broken off."""
        return self.position.player == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """What the match was worth to each player; zeros before its end."""
        sitting = self.position.sitting
        return [0.0] * self.num_players() if sitting is None else list(sitting.rewards().values())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The faces of one deal."""
        return [(face, 1 / FACES) for face in range(FACES)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> MatchState:
        """A state that this player could not tell from this one, with other dice to come; see `Match.imagine`."""
        other: MatchState = self.clone()
        other.position.imagine(self.position.setting.learners[player], repr(sampler()))
        return other

    def _legal_actions(self, player: int) -> list[int]:
        sitting = self.position.sitting
        assert sitting is not None
        return sitting.legal(self.position.setting.learners[player])

    def _apply_action(self, action: int) -> None:
        self.position.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        sitting = self.position.sitting
        if player < 0 or sitting is None:
            return f"deal {action}"
        return sitting.action_text(self.position.setting.learners[player], action)

    def __str__(self) -> str:
        position = self.position
        if position.sitting is None:
            return f"{len(position.dealt)} of {DEALS} dealt"
        return f"{bytes(position.dealt).hex()}: {' '.join(map(str, position.done))}"


class MatchGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of the house with a scenario and options, as OpenSpiel loads it.

    Each game has a class of its own, with its key: OpenSpiel keeps what makes a game until after Python has ended, and
    only a class may be kept so long.
    """

    key: str

    def __init__(self, told: Mapping[str, Any]) -> None:
        self.setting = _env_config(self.key, told)
        super().__init__(_type(self.setting, _utility(self.setting)), _info(self.setting), dict(told))

    def new_initial_state(self) -> MatchState:
        """A state before the dice are dealt."""
        return MatchState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SeatObserver:
        """An observer of what one player sees, or where nothing private is wanted, of what a spectator sees."""
        return SeatObserver(self.setting, iig_obs_type)

    def max_chance_nodes_in_history(self) -> int:
        """The deals."""
        return DEALS

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (self.key, parameters(self.setting))


class SeatObserver:
    """What a player sees and is asked now: a vector, and as text the view itself."""

    def __init__(self, setting: EnvConfig, kind: Any) -> None:
        if kind is not None and kind.perfect_recall:
            raise ValueError("A player is shown the table as it stands; what it saw before, it has to remember itself.")
        self._public = kind is not None and kind.private_info == pyspiel.PrivateInfoType.NONE
        self.tensor = np.zeros(setting.length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: MatchState, player: int) -> None:
        """Take in what a player sees; zeros while the dice are dealt."""
        sitting = state.position.sitting
        self.tensor[:] = 0 if sitting is None else sitting.observation(self._seat(state, player))

    def string_from(self, state: MatchState, player: int) -> str:
        """The view of a player, its question and what it has taken so far, as JSON."""
        sitting, seat = state.position.sitting, self._seat(state, player)
        if sitting is None:
            return str(state)
        asking = None if seat is None else sitting.decision_in_progress(seat)
        told = None if asking is None else [asking.decision.question, asking.answering.keys, asking.answering.taken]
        return msgspec.json.encode([sitting.view(seat), told]).decode()

    def _seat(self, state: MatchState, player: int) -> str | None:
        return None if self._public else state.position.setting.learners[player]


def load(setting: EnvConfig) -> MatchGame:
    """The game of a setting, registered with OpenSpiel."""
    return _loaded(setting.game.key, parameters(setting))


def _loaded(key: str, told: Mapping[str, Any]) -> MatchGame:
    register(key)
    return pyspiel.load_game(name(key), dict(told))  # type: ignore[no-any-return]


def name(key: str) -> str:
    """The name by which OpenSpiel knows a game."""
    return f"readyroom_{key}"


def register(key: str) -> None:
    """Let OpenSpiel know a game, unless it does."""
    if name(key) not in pyspiel.registered_names():
        usual = _type(env_config(key, None, None, None), pyspiel.GameType.Utility.GENERAL_SUM)
        pyspiel.register_game(usual, type(f"{MatchGame.__name__}-{key}", (MatchGame,), {"key": key}))


def parameters(setting: EnvConfig) -> dict[str, Any]:
    """A setting as OpenSpiel's parameters."""
    changed = setting.game.non_default_options(setting.options)
    return {
        "scenario": setting.scenario.file or setting.scenario.key,
        "options": JOINED.join(f"{option}{SET}{choice}" for option, choice in changed.items()),
        "slots": setting.max_actions,
        "size": setting.obs_size,
        "longest": setting.max_steps,
    }


def _env_config(key: str, told: Mapping[str, Any]) -> EnvConfig:
    chosen = dict(pair.split(SET, 1) for pair in str(told["options"]).split(JOINED) if pair)
    names = {"slots": "max_actions", "size": "obs_size", "longest": "max_steps"}
    shape = {new: int(told[old]) for old, new in names.items()}
    return env_config(key, str(told["scenario"]), chosen, None, **shape)


def _type(setting: EnvConfig, utility: Any) -> pyspiel.GameType:
    kinds = pyspiel.GameType
    return kinds(
        short_name=name(setting.game.key),
        long_name=setting.game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(setting),
    )


def _info(setting: EnvConfig) -> pyspiel.GameInfo:
    zero = _utility(setting) == pyspiel.GameType.Utility.ZERO_SUM
    return pyspiel.GameInfo(
        num_distinct_actions=setting.max_actions + 1,
        max_chance_outcomes=FACES,
        num_players=len(setting.learners),
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0 if zero else None,
        max_game_length=setting.max_steps,
    )


def _utility(setting: EnvConfig) -> Any:
    """Two sides with as many seats each play against each other, several seats of one side for the same end."""
    kinds, counts = pyspiel.GameType.Utility, Counter(seat.side for seat in setting.seats)
    if len(counts) == 1:
        return kinds.IDENTICAL if len(setting.seats) > 1 else kinds.GENERAL_SUM
    return kinds.ZERO_SUM if len(counts) == CONTENDERS and len(set(counts.values())) == 1 else kinds.GENERAL_SUM
