"""A match between learners and bots, played one action at a time; all environments use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from numbers import Integral
from operator import index
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from readyroom import bots
from readyroom.engine.errors import NotYourDecision, ReadyRoomError, preview_legal
from readyroom.engine.game import Game, MatchView, Scenario, Seat, find_seats, game_names, load_game
from readyroom.engine.match import Match, Start
from readyroom.env import observing, rewards
from readyroom.env.numbering import DONE, SLOTS
from readyroom.env.observing import ASKED, VIEW, DecisionInProgress, Vector, ViewEncoder
from readyroom.env.recall import BITS, Recall

MAX_STEPS = 20_000
"""The default number of actions after which a match is truncated."""
Mask = NDArray[np.int8]


class IllegalAction(ReadyRoomError):
    """An action that is not legal for its seat."""

    def __init__(self, seat: str, action: int, legal: list[int]) -> None:
        self.seat, self.action, self.legal = seat, action, legal
        super().__init__(f"Action {action} is not legal for {seat}. Legal: {preview_legal(map(str, legal))}.")


class NoLearningSeat(ReadyRoomError):
    """All seats, or the one that learns, are played by bots."""


class NotOneSeat(ReadyRoomError):
    """A side with several seats was named where one seat is needed."""


@dataclass(frozen=True)
class EnvConfig:
    """The configuration of an environment.

    `opponents` has the bots of the other seats. `max_actions` is the number of action numbers for options, `obs_size`
    the length of the view in an observation, `action_size` the number of features of each action (0: none), `recall`
    the length of the seat's memory (0: none), and `max_steps` the number of actions after which a match is truncated.
    """

    game: Game[Any, Any]
    scenario: Scenario
    options: Mapping[str, str]
    seats: tuple[Seat, ...]
    opponents: Mapping[str, str]
    max_actions: int = SLOTS
    obs_size: int = VIEW
    action_size: int = 0
    recall: int = 0
    max_steps: int = MAX_STEPS

    def __post_init__(self) -> None:
        at_least("slots", self.max_actions, 1)
        at_least("size", self.obs_size, 1)
        at_least("width", self.action_size, 0)
        at_least("recall", self.recall, 0)
        at_least("longest", self.max_steps, 1)
        if 0 < self.recall <= BITS:
            raise ValueError(f"recall={self.recall} is too short; use 0, or more than {BITS}.")

    @property
    def learners(self) -> tuple[str, ...]:
        """The seats without bots, in order."""
        return tuple(seat.key for seat in self.seats if seat.key not in self.opponents)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game by its key if it is installed: a game's functions cannot always be pickled."""
        installed = self.game.key in game_names() and load_game(self.game.key) is self.game
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return _restore, (values | {"game": self.game.key if installed else self.game},)

    def for_single_seat(self, seat: str | None, against: Mapping[str, str]) -> EnvConfig:
        """Return the configuration for one learner (None: the first seat); other seats get random bots by default.

        Raises:
            UnknownSeat, UnknownBot: an argument names something unknown.
            NotOneSeat: `seat` is a side with several seats.
            NoLearningSeat: `against` names the learner.
        """
        keys = [each.key for each in (find_seats(self.seats, seat) if seat is not None else self.seats[:1])]
        if len(keys) > 1:
            raise NotOneSeat(f"{seat} has several seats. Choose one of {', '.join(keys)} for the learner.")
        bots.check_bots(self.game, against.values())
        for name in against:
            if [each.key for each in find_seats(self.seats, name)] == keys:
                others = ", ".join(each.key for each in self.seats if each.key not in keys) or "none"
                raise NoLearningSeat(
                    f"{name} learns here, so no bot can play it. "
                    f"Leave it out of `against`, or choose another learner with `seat`: {others}."
                )
        opponents = bots.assign_seats(self.seats, against, bots.RANDOM)
        opponents.pop(keys[0])
        return replace(self, opponents=opponents)

    @property
    def length(self) -> int:
        """The length of an observation."""
        return self.obs_size + ASKED


def at_least(name: str, value: object, least: int) -> None:
    """Raise `ValueError` unless an argument is a whole number of at least this size."""
    if not isinstance(value, Integral) or int(value) < least:
        raise ValueError(f"{name}={value!r} is not allowed; use a whole number of at least {least}.")


def action_number(action: object) -> int:
    """Return an action as a whole number; raise `ValueError` if it is none."""
    try:
        return index(action)  # type: ignore[arg-type]  # that is what is tried
    except TypeError:
        raise ValueError(f"action={action!r} is not allowed; use the number of a legal action.") from None


def _restore(values: Mapping[str, Any]) -> EnvConfig:
    game = values["game"]
    return EnvConfig(**{**values, "game": load_game(game) if isinstance(game, str) else game})


def env_config(
    game: str | Game[Any, Any],
    scenario: str | Scenario | None,
    options: Mapping[str, object] | None,
    against: Mapping[str, str] | None,
    **shape: int,
) -> EnvConfig:
    """Return a configuration after checking all names."""
    named = scenario if isinstance(scenario, str) else None
    loaded = load_game(game, fits=lambda each: each.scenario(named)) if isinstance(game, str) else game
    resolved = loaded.resolve(options or {})
    start = scenario if isinstance(scenario, Scenario) else loaded.scenario(scenario or None)
    seats = tuple(loaded.rules.seats(start, resolved))
    opponents = bots.assign_seats(seats, against or {})
    bots.check_bots(loaded, opponents.values())
    if len(opponents) == len(seats):
        raise NoLearningSeat(f"All seats of {loaded.title} have bots. Leave one of {', '.join(opponents)} free.")
    return EnvConfig(loaded, start, resolved, seats, opponents, **shape)


class Seen(NamedTuple):
    """What a seat saw at a revision: its view, and the view as a vector."""

    revision: int
    view: MatchView[Any]
    vector: Vector


class EnvMatch:
    """A match in which learners act by number and bots play the other seats.

    `deciding` are the learners' seats with a pending decision; all others have only the action `DONE`. An action is a
    step of an answer; when it completes the answer, the match continues, bots included, until a learner must decide or
    the match is over.

    Args:
        config: the configuration.
        seed: a text that seeds the dice and the bots.
        copied: whether it will be copied: checkpoints then make copies cheap.
        start: an encoded state at a phase boundary to start from, instead of the scenario's.
    """

    def __init__(self, config: EnvConfig, seed: str, *, copied: bool = False, start: bytes | None = None) -> None:
        self.config, self.seed = config, seed
        self.match: Match[Any, Any] = Match(
            config.game,
            config.scenario,
            config.options,
            seed,
            log=config.recall > 0,
            checkpoints=copied or bots.needs_checkpoints(config.opponents.values()),
            start=None if start is None else Start(start),
        )
        self._secret, self._order = self.match.secret, config.learners
        self.actions = 0
        self._bots = {
            seat: bots.make_bot(config.game, name, seat, Random(f"{seed}/{seat}"))
            for seat, name in config.opponents.items()
        }
        self._in_progress: dict[str, DecisionInProgress] = {}
        self._seen: dict[str | None, Seen] = {}
        self._encoders: dict[str | None, ViewEncoder] = {}
        self._recalls = {seat: Recall(seat, config.recall) for seat in config.learners} if config.recall else {}
        self._remember()
        self._run_bots()

    # -- pending decisions ---------------------------------------------------------------------------------------------

    @property
    def terminated(self) -> bool:
        """Whether the match has ended."""
        return self.match.outcome is not None

    @property
    def truncated(self) -> bool:
        """Whether the maximum number of actions was reached before the match ended."""
        return not self.terminated and self.actions >= self.config.max_steps

    @property
    def deciding(self) -> list[str]:
        """The learners' seats with a pending decision, in order."""
        return [seat for seat in self._order if seat in self._in_progress]

    def decision_in_progress(self, seat: str) -> DecisionInProgress | None:
        """Return the decision that a seat is answering, if any."""
        return self._in_progress.get(seat)

    def legal(self, seat: str) -> list[int]:
        """Return the legal actions of a seat in ascending order: only `DONE` without a pending decision."""
        progress = self._in_progress.get(seat)
        return [DONE] if progress is None else sorted(progress.legal)

    def mask(self, seat: str) -> Mask:
        """Return the legal actions of a seat as a 0/1 mask."""
        mask = np.zeros(self.config.max_actions + 1, np.int8)
        progress = self._in_progress.get(seat)
        mask[[DONE] if progress is None else progress.legal] = 1
        return mask

    def nearest_legal(self, seat: str, action: int) -> int:
        """Return the action if it is legal, else the next legal one, wrapping around."""
        legal = self.legal(seat)
        return next((other for other in legal if other >= action), legal[0])

    def action_text(self, seat: str, action: int) -> str:
        """Return an action as text: the key of its option, or "done"."""
        progress = self._in_progress.get(seat)
        if action == DONE or progress is None:
            return "done"
        return progress.partial.keys[progress.numbers.index(action)]

    # -- observations --------------------------------------------------------------------------------------------------

    def observation(self, seat: str | None) -> Vector:
        """Return what a seat (None: a spectator) sees and must decide, as a new vector."""
        progress = None if seat is None else self._in_progress.get(seat)
        return np.concatenate([self._look(seat).vector, observing.encode_decision(progress)])

    def memory(self, seat: str) -> Vector:
        """Return what a seat remembers as a new vector, if the configuration has `recall`; see `Recall`."""
        return self._recalls[seat].vector()

    def information(self, seat: str | None, *, recalls: bool = True) -> str:
        """Return what a seat (None: a spectator) knows as JSON, one text a line.

        The last line has its view, and the question, the options and those taken so far if it is answering a decision.
        Before it, `recalls` adds what the seat remembers; see `Recall`.
        """
        progress = None if seat is None else self._in_progress.get(seat)
        decision = progress and [progress.decision.question, progress.partial.keys, progress.partial.taken]
        now = msgspec.json.encode([self.view(seat), decision]).decode()
        return "\n".join([*self._recalls[seat].entries, now]) if recalls and seat is not None else now

    def rows(self, seat: str) -> Vector:
        """Return the features of the actions, a row for each."""
        return observing.action_features(self._in_progress.get(seat), self.config.max_actions, self.config.action_size)

    def view(self, seat: str | None) -> MatchView[Any]:
        """Return what a seat (None: a spectator) sees."""
        return self._look(seat).view

    def _look(self, seat: str | None) -> Seen:
        """Return what a seat sees, cached by revision."""
        seen = self._seen.get(seat)
        if seen is None or seen.revision != self.match.revision:
            encoder = self._encoders.get(seat) or self._encoders.setdefault(seat, ViewEncoder(self.config.obs_size))
            view = self.match.view(seat)
            seen = self._seen[seat] = Seen(self.match.revision, view, encoder.encode(view))
        return seen

    def rewards(self) -> dict[str, float]:
        """Return each learner's reward once the match is over; 0 before."""
        by_seat = rewards.rewards(self.match)
        return {seat: by_seat[seat] for seat in self.config.learners}

    # -- acting --------------------------------------------------------------------------------------------------------

    def step(self, seat: str, action: int) -> None:
        """Take an action of a seat with a pending decision.

        Raises:
            NotYourDecision: the seat has no pending decision.
            IllegalAction: the action is not legal; nothing changes.
        """
        progress = self._in_progress.get(seat)
        if progress is None:
            raise NotYourDecision(seat, self.deciding)
        step = progress.step(action)
        if step is None:
            raise IllegalAction(seat, action, self.legal(seat))
        self.actions += 1
        answer = progress.partial.step(step)
        if answer is not None:
            del self._in_progress[seat]
            self._decide(seat, answer)
            self._run_bots()

    def _decide(self, seat: str, answer: Sequence[str]) -> None:
        """Apply an answer, and let the learners remember what they see of it."""
        if seat in self._recalls:
            self._recalls[seat].answer(self.match.decision_for(seat), answer)
        self.match.decide(seat, answer)
        self._remember()

    def _remember(self) -> None:
        for seat, recall in self._recalls.items():
            recall.look(self.match, self.view(seat))

    def _run_bots(self) -> None:
        """Let the bots play until a learner must decide."""
        match, players = self.match, self._bots
        while waiting := [seat for seat in match.pending if seat in players]:
            for seat in waiting:
                self._decide(seat, players[seat](match.pending[seat], match.bot_view(seat)))
        for seat, decision in match.pending.items():
            if seat not in self._in_progress:
                self._in_progress[seat] = DecisionInProgress(decision, self.config.max_actions)

    # -- copies, only of matches without bots --------------------------------------------------------------------------

    def copy(self) -> EnvMatch:
        """Return an independent copy with the same future dice."""
        return self._with(self.match.fork(self._secret), self._secret, self._order, self._in_progress)

    def imagined(self, seat: str, random: Random) -> EnvMatch:
        """Return a copy that this seat cannot distinguish from the true match, with other future dice.

        What the seat does not know is resampled; other seats' secret plans are not started, and come after the seat's
        own. The seat keeps its memory, and the others remember only what they see now.
        """
        other, secret = self.match.imagine(seat, random), random.randbytes(32)
        order = (seat, *(each for each in self._order if each != seat))
        own = {known: progress for known, progress in self._in_progress.items() if known == seat}
        copy = self._with(other.fork(secret, log=self.config.recall > 0), secret, order, own)
        lines = copy.match.log_length  # of decisions before, which the seat has in its own log
        copy._recalls = {
            key: (recall if key == seat else Recall(key, recall.size)).copy(lines)
            for key, recall in self._recalls.items()
        }
        copy._remember()
        return copy

    def _with(
        self,
        match: Match[Any, Any],
        secret: bytes | None,
        order: tuple[str, ...],
        asked: Mapping[str, DecisionInProgress],
    ) -> EnvMatch:
        """Return a copy with another match; answers in progress are kept."""
        other: EnvMatch = object.__new__(EnvMatch)
        other.__dict__.update(self.__dict__)
        other.match, other._secret, other._order = match, secret, order
        other._seen, other._in_progress = {}, {}
        other._encoders = {seat: encoder.copy() for seat, encoder in self._encoders.items()}
        other._recalls = {seat: recall.copy() for seat, recall in self._recalls.items()}
        for seat, decision in match.pending.items():
            if seat in asked:
                other._in_progress[seat] = asked[seat].again(decision)
        other._run_bots()
        return other
