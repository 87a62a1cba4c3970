"""Environments for research: the standard interfaces of learning and search libraries.

Each is built on an `EnvMatch`: a seat's view as a vector, a decision as a sequence of numbered actions. The libraries
are imported only when needed: `pip install 'readyroom[research]'` installs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from readyroom.engine.errors import MissingLibrary
from readyroom.engine.game import Game, Scenario
from readyroom.env.match_env import MAX_STEPS, env_config
from readyroom.env.numbering import SLOTS
from readyroom.env.observing import VIEW

if TYPE_CHECKING:
    import pyspiel

    from readyroom.env.gym import SeatEnv
    from readyroom.env.zoo import AECMatchEnv, ParallelMatchEnv

__all__ = ["gymnasium", "openspiel", "parallel", "pettingzoo"]
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
        longest: the number of actions after which a match is truncated.

    Raises:
        MissingLibrary: PettingZoo is not installed.
        UnknownGame, UnknownScenario, UnknownOption, UnknownSeat, UnknownBot: an argument names something unknown.
    """
    env_type: type[AECMatchEnv] = _import("zoo", "gymnasium", "pettingzoo").AECMatchEnv
    config = env_config(
        game, scenario, options, against, max_actions=slots, obs_size=size, action_size=width, max_steps=longest
    )
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
    longest: int = MAX_STEPS,
) -> ParallelMatchEnv:
    """Return a game as a PettingZoo parallel environment: all agents act at once; idle ones have only "done".

    The arguments and errors are those of `pettingzoo`.
    """
    env_type: type[ParallelMatchEnv] = _import("zoo", "gymnasium", "pettingzoo").ParallelMatchEnv
    config = env_config(
        game, scenario, options, against, max_actions=slots, obs_size=size, action_size=width, max_steps=longest
    )
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
    longest: int = MAX_STEPS,
) -> SeatEnv:
    """Return a game as a Gymnasium environment: one seat learns (default: the first), bots play the others.

    `against` has the bots of seats or sides; the others play at random. The other arguments and the errors are those of
    `pettingzoo`; an unknown seat raises `UnknownSeat`.
    """
    env_type: type[SeatEnv] = _import("gym", "gymnasium").SeatEnv
    config = env_config(
        game, scenario, options, {}, max_actions=slots, obs_size=size, action_size=width, max_steps=longest
    )
    return env_type(config.for_single_seat(seat, against or {}), strict=strict)


def openspiel(
    game: str,
    *,
    scenario: str = "",
    options: Mapping[str, object] | None = None,
    slots: int = SLOTS,
    size: int = VIEW,
    longest: int = MAX_STEPS,
) -> pyspiel.Game:
    """Return a game for OpenSpiel: its seats are players, and chance nodes deal the dice seed at the start.

    The arguments and errors are those of `pettingzoo`. OpenSpiel registers it as `readyroom_` and its key.
    """
    env_type = _import("spiel", "pyspiel")
    config = env_config(game, scenario or None, options, {}, max_actions=slots, obs_size=size, max_steps=longest)
    return env_type.load(config)


def _import(module: str, *libraries: str) -> Any:
    """Import a module of this package; raise `MissingLibrary` if one of its libraries is not installed."""
    try:
        return import_module(f"readyroom.env.{module}")
    except ModuleNotFoundError as error:
        if error.name in libraries:
            raise MissingLibrary(error.name, EXTRA) from error
        raise
