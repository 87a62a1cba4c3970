"""The faces of a match for research: what learns and searches plays a game through the interface that it knows.

Each face is made of the same sitting: a seat's view as a vector, a decision as a sequence of single actions, each a
number. The libraries are wanted only when a face is made: `pip install 'readyroom[research]'` brings them.
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
"""The extra that brings the libraries."""


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
    """A game as PettingZoo's AEC environment: its seats are agents that act one at a time.

    Args:
        game: the game's key, or a game.
        scenario: its scenario (default: the first).
        options: choices of its options.
        against: bots for some of the seats or sides; the rest are agents.
        strict: whether an illegal action raises `IllegalAction`; otherwise it stands for the next legal one.
        slots: how many numbers there are for options.
        size: how many places an observation has for the view.
        width: how many features each action has in an observation's `actions`; 0 leaves them out.
        longest: the number of actions after which a match is broken off.

    Raises:
        MissingLibrary: PettingZoo is not installed.
        UnknownGame, UnknownScenario, UnknownOption, UnknownSeat, UnknownBot: what is named does not exist.
    """
    face: type[AECMatchEnv] = _face("zoo", "gymnasium", "pettingzoo").AECMatchEnv
    told = env_config(
        game, scenario, options, against, max_actions=slots, obs_size=size, action_size=width, max_steps=longest
    )
    return face(told, strict=strict)


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
    """A game as PettingZoo's parallel environment: all agents act at once, and who is not asked has only "done".

    The arguments and errors are those of `pettingzoo`.
    """
    face: type[ParallelMatchEnv] = _face("zoo", "gymnasium", "pettingzoo").ParallelMatchEnv
    told = env_config(
        game, scenario, options, against, max_actions=slots, obs_size=size, action_size=width, max_steps=longest
    )
    return face(told, strict=strict)


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
    """A game as a Gymnasium environment: one seat learns (default: the first), bots play the others.

    `against` has the bots of seats or sides; the rest play at random. The other arguments and the errors are those of
    `pettingzoo`; `UnknownSeat` if there is no such seat.
    """
    face: type[SeatEnv] = _face("gym", "gymnasium").SeatEnv
    told = env_config(
        game, scenario, options, {}, max_actions=slots, obs_size=size, action_size=width, max_steps=longest
    )
    return face(told.for_single_seat(seat, against or {}), strict=strict)


def openspiel(
    game: str,
    *,
    scenario: str = "",
    options: Mapping[str, object] | None = None,
    slots: int = SLOTS,
    size: int = VIEW,
    longest: int = MAX_STEPS,
) -> pyspiel.Game:
    """A game as OpenSpiel's: its seats are players, and the dice are dealt face down before it begins.

    The arguments and errors are those of `pettingzoo`. OpenSpiel knows it from then on as `readyroom_` and its key.
    """
    face = _face("spiel", "pyspiel")
    told = env_config(game, scenario or None, options, {}, max_actions=slots, obs_size=size, max_steps=longest)
    return face.load(told)


def _face(module: str, *libraries: str) -> Any:
    """A module of this package, imported only now; `MissingLibrary` if one of its libraries is not installed."""
    try:
        return import_module(f"readyroom.env.{module}")
    except ModuleNotFoundError as error:
        if error.name in libraries:
            raise MissingLibrary(error.name, EXTRA) from error
        raise
