"""A sitting: a match between learners and bots, played one action at a time. All faces are made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from readyroom import bots as staff
from readyroom.engine.errors import NotYourDecision, ReadyRoomError, preview_legal
from readyroom.engine.game import Bot, Game, Scenario, Seat, View, find_seats, load_game
from readyroom.engine.match import Match
from readyroom.env import observing, rewards
from readyroom.env.numbering import DONE, SLOTS, numbered
from readyroom.env.observing import ASKED, VIEW, DecisionInProgress, Vector
from readyroom.env.sequential import END, PartialAnswer

MAX_STEPS = 20_000
"""A sitting of more actions than these is broken off, where nothing else is said."""
Mask = NDArray[np.int8]


class IllegalAction(ReadyRoomError):
    """An action that is not among the legal ones of its seat."""

    def __init__(self, seat: str, action: int, legal: list[int]) -> None:
        self.seat, self.action, self.legal = seat, action, legal
        super().__init__(f"{action} is not a legal action of {seat} now; legal are: {preview_legal(map(str, legal))}.")


class NoLearningSeat(ReadyRoomError):
    """All seats were given to bots."""


class NotOneSeat(ReadyRoomError):
    """One seat was wanted, and a side with several was named."""


@dataclass(frozen=True)
class EnvConfig:
    """What is played, and how it is shown: all that a face is told when it is made.

    `against` has the bots that play the other seats, by seat or side. `slots` are the numbers for options, `size` the
    places of an observation for the view, `width` the length of the features of each action (0: none are given), and
    `longest` the number of actions after which a sitting is broken off.
    """

    game: Game[Any, Any]
    scenario: Scenario
    options: Mapping[str, str]
    seats: tuple[Seat, ...]
    opponents: Mapping[str, str]
    max_actions: int = SLOTS
    obs_size: int = VIEW
    action_size: int = 0
    max_steps: int = MAX_STEPS

    @property
    def learners(self) -> tuple[str, ...]:
        """The seats that no bot plays, in the order of the table."""
        return tuple(seat.key for seat in self.seats if seat.key not in self.opponents)

    def for_single_seat(self, seat: str | None, against: Mapping[str, str]) -> EnvConfig:
        """The same for one learner (None: the first seat): bots have the other seats, at random where none is named.

        Raises:
            UnknownSeat, UnknownBot: what is named does not exist.
            NotOneSeat: the learner's name is that of a side with several seats.
        """
        learner = self._one(seat)
        named = staff.assign(self.seats, against, staff.RANDOM)
        named.pop(learner)
        staff.check_bots(self.game, named.values())
        return replace(self, opponents=named)

    def _one(self, name: str | None) -> str:
        if name is None:
            return self.seats[0].key
        found = [seat.key for seat in find_seats(self.seats, name)]
        if len(found) > 1:
            raise NotOneSeat(f"{name} has several seats; the learner sits at one of {', '.join(found)}.")
        return found[0]

    @property
    def length(self) -> int:
        """How many places an observation has."""
        return self.obs_size + ASKED


def env_config(
    game: str | Game[Any, Any],
    scenario: str | Scenario | None,
    options: Mapping[str, object] | None,
    against: Mapping[str, str] | None,
    **shape: int,
) -> EnvConfig:
    """A setting with every name checked: the errors of the house for unknown games, scenarios, options, seats, bots."""
    found = load_game(game) if isinstance(game, str) else game
    chosen = found.resolve(options or {})
    laid = scenario if isinstance(scenario, Scenario) else found.scenario(scenario or None)
    seats = tuple(found.seats(laid, chosen))
    named = staff.assign(seats, against or {})
    staff.check_bots(found, named.values())
    if len(named) == len(seats):
        raise NoLearningSeat(f"All seats of {found.title} are bots' now; leave one of {', '.join(named)} to a learner.")
    return EnvConfig(found, laid, chosen, seats, named, **shape)


class Seen(NamedTuple):
    """What a seat saw when so many answers had been given: its view, and the view as a vector."""

    revision: int
    view: View
    vector: Vector


class EnvMatch:
    """A match in which some seats act by number and bots play the others.

    `deciding` are the learners' seats that are asked now, in the order of the table; whoever else of them acts has
    nothing to do but `DONE`. An action is a step of an answer; when it completes one, the match goes on, and the bots
    with it, until a learner is asked again or the match is over.

    Args:
        setting: what is played.
        seed: words that fix the dice and the bots.
        copied: whether the sitting will be copied: then checkpoints are kept, so that a copy is cheap.
        start: an encoded state at a phase boundary to begin from, instead of the scenario's.
    """

    def __init__(self, setting: EnvConfig, seed: str, *, copied: bool = False, start: bytes | None = None) -> None:
        self.setting, self.seed = setting, seed
        self.match: Match[Any, Any] = Match(
            setting.game,
            setting.scenario,
            setting.options,
            seed,
            log=False,
            checkpoints=copied or staff.needs_checkpoints(setting.opponents.values()),
            start=start,
        )
        self._secret, self._order = self.match.secret, setting.learners
        self.actions = 0
        self._bots = _bots(setting, seed)
        self._asked: dict[str, DecisionInProgress] = {}
        self._seen: dict[str | None, Seen] = {}
        self._go_on()

    # -- who is asked, and what ----------------------------------------------------------------------------------------

    @property
    def terminated(self) -> bool:
        """Whether the match has ended."""
        return self.match.outcome is not None

    @property
    def truncated(self) -> bool:
        """Whether so many actions were taken that it goes no further, though the match has not ended."""
        return not self.terminated and self.actions >= self.setting.max_steps

    @property
    def deciding(self) -> list[str]:
        """The learners' seats that are asked, in the order of the table."""
        return [seat for seat in self._order if seat in self._asked]

    def decision_in_progress(self, seat: str) -> DecisionInProgress | None:
        """The question that a seat is answering, if it is asked."""
        return self._asked.get(seat)

    def legal(self, seat: str) -> list[int]:
        """The legal actions of a seat, from the least: `DONE` alone for one that is not asked."""
        asking = self._asked.get(seat)
        if asking is None:
            return [DONE]
        return sorted(DONE if step == END else asking.numbers[step] for step in asking.answering.steps)

    def mask(self, seat: str) -> Mask:
        """The legal actions of a seat as ones among zeros."""
        mask = np.zeros(self.setting.max_actions + 1, np.int8)
        mask[self.legal(seat)] = 1
        return mask

    def nearest_legal(self, seat: str, action: int) -> int:
        """The legal action that an action stands for where illegal ones are mended: the next one, counted around."""
        legal = self.legal(seat)
        return next((other for other in legal if other >= action), legal[0])

    def action_text(self, seat: str, action: int) -> str:
        """What an action is, in words: the key of its option, or "done"."""
        asking = self._asked.get(seat)
        if action == DONE or asking is None:
            return "done"
        return asking.answering.keys[asking.numbers.index(action)]

    # -- what is seen --------------------------------------------------------------------------------------------------

    def observation(self, seat: str | None) -> Vector:
        """What a seat (None: a spectator) sees and is asked, as a vector of its own."""
        asking = None if seat is None else self._asked.get(seat)
        return np.concatenate([self._look(seat).vector, observing.encode_decision(asking)])

    def rows(self, seat: str) -> Vector:
        """The features of the actions, a row for each."""
        return observing.action_features(self._asked.get(seat), self.setting.max_actions, self.setting.action_size)

    def view(self, seat: str | None) -> View:
        """What a seat (None: a spectator) sees, as plain data."""
        return self._look(seat).view

    def _look(self, seat: str | None) -> Seen:
        """What a seat sees, looked up once for as long as nobody decides."""
        seen = self._seen.get(seat)
        if seen is None or seen.revision != self.match.revision:
            view = self.match.view(seat)
            seen = self._seen[seat] = Seen(
                self.match.revision, view, observing.encode_view(view, self.setting.obs_size)
            )
        return seen

    def rewards(self) -> dict[str, float]:
        """What the match was worth to each learner, once it is over; 0 before."""
        worth = rewards.rewards(self.match)
        return {seat: worth[seat] for seat in self.setting.learners}

    # -- acting --------------------------------------------------------------------------------------------------------

    def step(self, seat: str, action: int) -> None:
        """Take an action of a seat that is asked.

        Raises:
            NotYourDecision: nothing is asked of the seat.
            IllegalAction: the action is not legal; nothing has changed.
        """
        asking = self._asked.get(seat)
        if asking is None:
            raise NotYourDecision(seat, self.deciding)
        if action not in self.legal(seat):
            raise IllegalAction(seat, action, self.legal(seat))
        self.actions += 1
        answer = asking.answering.step(END if action == DONE else asking.numbers.index(action))
        if answer is not None:
            del self._asked[seat]
            self.match.decide(seat, answer)
            self._go_on()

    def _go_on(self) -> None:
        """Let the bots play until a learner is asked, and lay its question before it."""
        match, bots = self.match, self._bots
        while waiting := [seat for seat in match.pending if seat in bots]:
            for seat in waiting:
                match.decide(seat, bots[seat](match.pending[seat], match.bot_view(seat)))
        for seat, decision in match.pending.items():
            if seat not in self._asked:
                answering = PartialAnswer(decision)
                self._asked[seat] = DecisionInProgress(answering, numbered(answering.keys, self.setting.max_actions))

    # -- copies, only of sittings without bots -------------------------------------------------------------------------

    def copy(self) -> EnvMatch:
        """An independent sitting that stands where this one stands, with the same dice to come."""
        return self._with(self.match.fork(self._secret), self._secret, self._order, self._asked)

    def imagined(self, seat: str, random: Random) -> EnvMatch:
        """A sitting that this seat could not tell from this one, with other dice to come.

        What the seat does not know is drawn anew; plans that others are making in secret are not begun, and come after
        the seat's own.
        """
        other, secret = self.match.imagine(seat, random), random.randbytes(32)
        order = (seat, *(each for each in self._order if each != seat))
        own = {known: asking for known, asking in self._asked.items() if known == seat}
        return self._with(other.fork(secret), secret, order, own)

    def _with(
        self,
        match: Match[Any, Any],
        secret: bytes | None,
        order: tuple[str, ...],
        asked: Mapping[str, DecisionInProgress],
    ) -> EnvMatch:
        """A sitting at another match, in which answers in the making go on."""
        other: EnvMatch = object.__new__(EnvMatch)
        other.__dict__.update(self.__dict__)
        other.match, other._secret, other._order = match, secret, order
        other._seen, other._asked = {}, {}
        for seat, decision in match.pending.items():
            if seat in asked:
                other._asked[seat] = DecisionInProgress(asked[seat].answering.again(decision), asked[seat].numbers)
        other._go_on()
        return other


def _bots(setting: EnvConfig, seed: str) -> dict[str, Bot]:
    return {
        seat: staff.make(setting.game, name, seat, Random(f"{seed}/{seat}")) for seat, name in setting.opponents.items()
    }
