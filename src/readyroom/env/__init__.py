"""Environments for research: the standard interfaces of learning and search libraries.

Each is built on an `EnvMatch`: a seat's view as a vector, a decision as a sequence of numbered actions. `tree` makes
the whole tree of a small game instead. `pip install 'readyroom[research]'` installs the libraries. Importing this
module registers all games with Gymnasium if it is installed; the other libraries are imported only when needed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from readyroom.engine.errors import MissingLibrary
from readyroom.engine.game import Game, Scenario
from readyroom.env.match_env import MAX_STEPS, env_config
from readyroom.env.numbering import SLOTS
from readyroom.env.observing import VIEW
from readyroom.env.trees import MOST_POSITIONS, Answers, Grower, Tree, every

if TYPE_CHECKING:
    import pyspiel

    from readyroom.env.gym import SeatEnv
    from readyroom.env.vectorized import VectorSeatEnv
    from readyroom.env.zoo import AECMatchEnv, ParallelMatchEnv

__all__ = ["gymnasium", "openspiel", "parallel", "pettingzoo", "tree", "vector"]
AnyGame: TypeAlias = str | Game[Any, Any]
EXTRA = "research"
"""The extra that installs the libraries."""


def pettingzoo(
    game: AnyGame,
    *,
    scenario: str | Scenario | None = None,
    options: Mapping[str, object] | None = None,
    against: Mapping[str, str] | None = None,
    strict: bool = True,
    slots: int = SLOTS,
    size: int = VIEW,
    width: int = 0,
    recall: int = 0,
    longest: int = MAX_STEPS,
) -> AECMatchEnv:
    """Return a game as a PettingZoo AEC environment: its seats are agents that act one at a time.

    Args:
        game: the game's key, or a game.
        scenario: its scenario (default: the first).
        options: values of its options.
        against: bots for some of the seats or sides; the others are agents.
        strict: whether an illegal action raises `IllegalAction`; otherwise the next legal one replaces it.
        slots: the number of action numbers for options.
        size: the length of the view in an observation.
        width: the number of features of each action in an observation's `actions`; 0 omits them.
        recall: the length of the seat's `memory` in an observation; 0 omits it.
        longest: the number of actions after which a match is truncated.

    Raises:
        MissingLibrary: PettingZoo is not installed.
        UnknownGame, UnknownScenario, UnknownOption, UnknownSeat, UnknownBot: an argument names something unknown.
    """
    env_type: type[AECMatchEnv] = _import("zoo", "gymnasium", "pettingzoo").AECMatchEnv
    shape = {"max_actions": slots, "obs_size": size, "action_size": width, "recall": recall, "max_steps": longest}
    config = env_config(game, scenario, options, against, **shape)
    return env_type(config, strict=strict)


def parallel(
    game: AnyGame,
    *,
    scenario: str | Scenario | None = None,
    options: Mapping[str, object] | None = None,
    against: Mapping[str, str] | None = None,
    strict: bool = False,
    slots: int = SLOTS,
    size: int = VIEW,
    width: int = 0,
    recall: int = 0,
    longest: int = MAX_STEPS,
) -> ParallelMatchEnv:
    """Return a game as a PettingZoo parallel environment: all agents act at once; idle ones have only "done".

    The arguments and errors are those of `pettingzoo`.
    """
    env_type: type[ParallelMatchEnv] = _import("zoo", "gymnasium", "pettingzoo").ParallelMatchEnv
    shape = {"max_actions": slots, "obs_size": size, "action_size": width, "recall": recall, "max_steps": longest}
    config = env_config(game, scenario, options, against, **shape)
    return env_type(config, strict=strict)


def gymnasium(
    game: AnyGame,
    *,
    seat: str | None = None,
    scenario: str | Scenario | None = None,
    options: Mapping[str, object] | None = None,
    against: Mapping[str, str] | None = None,
    strict: bool = False,
    slots: int = SLOTS,
    size: int = VIEW,
    width: int = 0,
    recall: int = 0,
    longest: int = MAX_STEPS,
) -> SeatEnv:
    """Return a game as a Gymnasium environment: one seat learns (default: the first), bots play the others.

    `against` has the bots of seats or sides; the others play at random. The other arguments and the errors are those of
    `pettingzoo`; an unknown seat raises `UnknownSeat`, and a bot for the seat that learns `NoLearningSeat`.
    """
    env_type: type[SeatEnv] = _import("gym", "gymnasium").SeatEnv
    shape = {"max_actions": slots, "obs_size": size, "action_size": width, "recall": recall, "max_steps": longest}
    config = env_config(game, scenario, options, {}, **shape)
    return env_type(config.for_single_seat(seat, against or {}), strict=strict)


def vector(
    game: AnyGame,
    *,
    num_envs: int = 1,
    workers: int | None = None,
    seat: str | None = None,
    scenario: str | Scenario | None = None,
    options: Mapping[str, object] | None = None,
    against: Mapping[str, str] | None = None,
    strict: bool = False,
    slots: int = SLOTS,
    size: int = VIEW,
    width: int = 0,
    recall: int = 0,
    longest: int = MAX_STEPS,
) -> VectorSeatEnv:
    """Return `num_envs` matches of a game as a vectorized Gymnasium environment.

    `workers` is the number of processes that play them, by default one for each processor; with 0 this process plays.
    The other arguments and the errors are those of `gymnasium`.
    """
    env_type: type[VectorSeatEnv] = _import("vectorized", "gymnasium").VectorSeatEnv
    shape = {"max_actions": slots, "obs_size": size, "action_size": width, "recall": recall, "max_steps": longest}
    config = env_config(game, scenario, options, {}, **shape).for_single_seat(seat, against or {})
    return env_type(config, num_envs, workers=os.cpu_count() or 1 if workers is None else workers, strict=strict)


def openspiel(
    game: str,
    *,
    scenario: str = "",
    options: Mapping[str, object] | None = None,
    slots: int = SLOTS,
    size: int = VIEW,
    recall: int = 0,
    longest: int = MAX_STEPS,
) -> pyspiel.Game:
    """Return a game for OpenSpiel: its seats are players, and chance nodes deal the dice seed at the start.

    The arguments and errors are those of `pettingzoo`. With `recall` the game has information states, with perfect
    recall: its observations are the same. OpenSpiel registers it as `readyroom_` and its key.
    """
    env_type = _import("spiel", "pyspiel")
    shape = {"max_actions": slots, "obs_size": size, "recall": recall, "max_steps": longest}
    config = env_config(game, scenario or None, options, {}, **shape)
    return env_type.load(config)


def tree(
    game: AnyGame,
    *,
    scenario: str | Scenario | None = None,
    options: Mapping[str, object] | None = None,
    answers: Mapping[str, Answers] | None = None,
    otherwise: Answers = every,
    most_hits: int = 10,
    most_positions: int = MOST_POSITIONS,
) -> Tree:
    """Return the whole tree of a small game, with every roll a chance node.

    Args:
        game: the game's key, or a game.
        scenario: its scenario (default: the first).
        options: values of its options.
        answers: the allowed answers to the questions of each rule number: `every`, `fullest` or `first` of
            `readyroom.env.trees`, or a function like these.
        otherwise: the allowed answers to all other questions.
        most_hits: how many hits of a volley are distinguished; more count as this many.
        most_positions: the most positions that the tree may have.

    Raises:
        TooManyAnswers: a decision has too many answers to list.
        TooLarge: the tree has more positions than allowed.
        UnknownGame, UnknownScenario, UnknownOption, UnknownRule: an argument names something unknown.
        ValueError: `most_hits` or `most_positions` is less than 1.
    """
    config = env_config(game, scenario, options, {})
    grower = Grower(config, answers or {}, otherwise, most_hits, most_positions)
    root = grower.grow()
    names = {seat.key: seat.name for seat in config.seats}
    return Tree(config.scenario.title, tuple(names[seat] for seat in config.learners), root, grower.positions)


def _import(module: str, *libraries: str) -> Any:
    """Import a module of this package; raise `MissingLibrary` if one of its libraries is not installed."""
    try:
        return import_module(f"readyroom.env.{module}")
    except ModuleNotFoundError as error:
        if error.name in libraries:
            raise MissingLibrary(error.name, EXTRA) from error
        raise


with suppress(ModuleNotFoundError):
    import_module("readyroom.env.registration").register()
