"""The units of a match: all that a seat decided in one phase up to the first dice, and what its bot would have decided.

A bot that draws one policy for a match, such as the veteran, counts as a mix of its policies. Which policy is
likely to be played follows from what the seat has decided before, by Bayes' rule: so a mixed strategy is the same as
one that draws again at every unit, and a veteran that keeps its policy is not charged for it. A seat that plays as no
policy does is compared with all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from readyroom.bots import VETERAN, make_bot
from readyroom.bots.mixes import mix_for
from readyroom.bots.rollouts import answer_of
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.record.format import Entry, Parsed, Undo
from readyroom.engine.record.replay import iter_replay
from readyroom.engine.rules.decisions import Decision, summarize_counts
from readyroom.engine.rules.dice import Dice, KeyedDice, secret_of_seed
from readyroom.study.random_streams import EventRandom, per_event

AnyMatch: TypeAlias = Match[Any, Any]
Keys: TypeAlias = tuple[str, ...]
PLAYS = 8
"""How often a policy decides a unit if it uses random numbers."""
LAPSE = 0.05
"""How likely a seat is to decide at a unit as its policy would not."""


class Answer(NamedTuple):
    """An answer: the rule, the question, the keys that were chosen, the answer in words, and each choice in words."""

    rule: str
    question: str
    keys: Keys
    text: str
    choices: tuple[str, ...] = ()


class Variant(NamedTuple):
    """A way in which the bot may decide a unit: its answers, and how likely each of its policies is to decide so.

    `is_random`: the answers are an example; the policy draws others each time.
    """

    answers: tuple[Answer, ...]
    likely: tuple[float, ...]
    is_random: bool = False


class Player(NamedTuple):
    """The bot of a seat: the names under which each of its policies plays, and how likely each is."""

    names: tuple[str, ...]
    likely: tuple[float, ...]

    def name(self, place: float) -> str:
        """Return the name at this place, from 0 to 1, among the policies in order of their likelihood."""
        return self.names[index_at(self.likely, place)]

    def after(self, same: Sequence[float]) -> Player:
        """Return the player after a unit that its policies are as likely as this to decide so."""
        weights = [old * ((1 - LAPSE) * share + LAPSE) for old, share in zip(self.likely, same, strict=True)]
        return Player(self.names, tuple(weight / sum(weights) for weight in weights))


class Decided(NamedTuple):
    """The number of the first decision of a unit, its seat, and its answers."""

    n: int
    seat: str
    answers: tuple[Keys, ...]


class Unit(NamedTuple):
    """What a seat decided in one phase up to the first dice.

    Attributes:
        n, last: the numbers of its first and last decision.
        turn, phase: when it was; the title of the phase.
        seat, side: who decided.
        answers: what was decided.
        same: how likely each policy of the bot is to end in the same position.
        variants: the other ways in which the bot may decide.
        players: the bots of all seats before the unit.
        player: the bot of the seat after it.
    """

    n: int
    last: int
    turn: int
    phase: str
    seat: str
    side: str
    answers: tuple[Answer, ...]
    same: tuple[float, ...]
    variants: tuple[Variant, ...]
    players: Mapping[str, Player]
    player: Player

    @property
    def decided(self) -> Decided:
        """What was decided."""
        return Decided(self.n, self.seat, tuple(each.keys for each in self.answers))

    @property
    def differs(self) -> float:
        """How likely the bot is to end in another position, or may be."""
        policies = self.players[self.seat].likely
        return sum(w * each for variant in self.variants for w, each in zip(policies, variant.likely, strict=True))

    def draw(self, place: float) -> tuple[Variant, str]:
        """Return the variant at this place, from 0 to 1, and the name of the policy that decides so."""
        player = self.players[self.seat]
        pairs = [(variant, at) for at in range(len(player.names)) for variant in self.variants]
        variant, at = pairs[index_at([player.likely[at] * variant.likely[at] for variant, at in pairs], place)]
        return variant, player.names[at]


def index_at(weights: Sequence[float], place: float) -> int:
    """Return the index at a place, from 0 to 1, along some weights.

    >>> [index_at([1.0, 3.0], place) for place in (0.2, 0.3, 1.0)]
    [0, 1, 1]
    """
    limits = list(accumulate(weights))
    return next((at for at, limit in enumerate(limits) if place * limits[-1] < limit), len(limits) - 1)


def player_of(match: AnyMatch, seat: str, bot: str) -> Player:
    """Return the player of a seat at the start of a match."""
    mix, side = mix_for(match.game, match.scenario.key, match.options), match.seat(seat).side
    if bot != VETERAN or mix is None or all(each.side != side for each in mix.sides):
        return Player((bot,), (1.0,))
    members = [(f"{VETERAN}:{n}", each.share) for n, each in enumerate(mix.of(side).members, start=1) if each.share]
    total = sum(share for _, share in members)
    return Player(tuple(name for name, _ in members), tuple(share / total for _, share in members))


# -- playing ---------------------------------------------------------------------------------------------------------


class WatchedDice:
    """Dice that note whether any were rolled."""

    def __init__(self, seed: str) -> None:
        self._dice: Dice = KeyedDice(secret_of_seed(seed))
        self.rolled = False

    def roll(self, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        """Return dice of this event."""
        self.rolled = True
        return self._dice.roll(event, count, sides, start)

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """Return one of the keys."""
        self.rolled = True
        return self._dice.pick(event, keys)


class PlayedUnit(NamedTuple):
    """The answers of a unit, and what distinguishes the position after it from others.

    `position` is the state if the phase is over and no dice fell; otherwise the answers, because the rest of the phase,
    or what the dice meant, can depend on them. `is_free` says that there was more than one way to answer.
    """

    answers: tuple[Answer, ...]
    position: object
    is_free: bool


UNIT_DICE = "unit"
"""The seed of the dice by which units are played: none of them count."""
Seated: TypeAlias = Callable[[AnyMatch], Callable[[Decision], Sequence[str]]]
"""Returns what answers the questions to a seat of a match."""


def play_unit(match: AnyMatch, seat: str, seated: Seated) -> PlayedUnit:
    """Let a seat decide in a copy of a match until its phase is over, dice fall, or others are asked."""
    dice = WatchedDice(UNIT_DICE)
    copy = match.fork(secret_of_seed(UNIT_DICE), log=False, checkpoints=False, dice=dice)
    choose = seated(copy)
    at, block, answers, is_free = copy.state.at, copy.open_block, list[Answer](), False
    while not dice.rolled and copy.state.at is at and copy.open_block == block and seat in copy.pending:
        decision = copy.pending[seat]
        keys = tuple(choose(decision))
        is_free = is_free or not decision.is_forced
        choices = tuple(decision.describe_answer([key]) for key in keys)
        answers.append(Answer(decision.rule, decision.question, keys, summarize_counts(choices), choices))
        copy.decide(seat, keys)
    is_over = not dice.rolled and not block and (copy.state.at is not at or copy.outcome is not None)
    position: object = tuple((each.rule, each.question, tuple(sorted(each.keys))) for each in answers)
    if is_over:
        position = match.game.encode(copy.state), copy.outcome and copy.outcome.title
    return PlayedUnit(tuple(answers), position, is_free)


def bot_unit(match: AnyMatch, seat: str, name: str, text: str) -> PlayedUnit:
    """Return the unit as a bot decides it; a bot that does not know earlier plans may have no legal answer."""
    return _bot_unit(match, seat, name, EventRandom(text))


def _bot_unit(match: AnyMatch, seat: str, name: str, chances: EventRandom) -> PlayedUnit:
    def seated(copy: AnyMatch) -> Callable[[Decision], Sequence[str]]:
        view, bot = copy.bot_view(seat), per_event(copy, make_bot(copy.game, name, seat, chances), chances)
        if name.startswith(VETERAN):
            chances.is_used = False  # it has drawn its policy, which the name fixes

        def choose(decision: Decision) -> Sequence[str]:
            answer = answer_of(decision, bot, view)
            return decision.sample(chances) if answer is None else answer

        return choose

    return play_unit(match, seat, seated)


# -- a match ---------------------------------------------------------------------------------------------------------


def find_units(parsed: Parsed, game: Game[Any, Any], bots: Mapping[str, str], seed: str) -> list[Unit]:
    """Return the units of a finished match in which there was a choice, in the order of play."""
    undone = {n for _, entry in parsed.entries if isinstance(entry, Undo) for n in entry.undo}
    active = [entry for _, entry in parsed.entries if isinstance(entry, Entry) and entry.n not in undone]
    units, used, players = list[Unit](), set[int](), dict[str, Player]()
    for match, entry in iter_replay(parsed, game=game):
        if not isinstance(entry, Entry) or entry.n in undone or entry.n in used:
            continue
        players = players or {seat.key: player_of(match, seat.key, bots[seat.key]) for seat in match.seats}
        own = [each for each in active if each.seat == entry.seat and each.n >= entry.n]
        decided = play_unit(match, entry.seat, as_decided(each.chose for each in own))
        entries = own[: len(decided.answers)]
        used.update(each.n for each in entries)
        if decided.is_free:
            unit = _unit(match, entries, decided, players, seed)
            players = {**players, unit.seat: unit.player}
            units.append(unit)
    return units


def as_decided(answers: Iterable[Keys]) -> Seated:
    """Return what gives these answers one after the other."""
    waiting = iter(answers)
    return lambda copy: lambda decision: next(waiting)


def _unit(
    match: AnyMatch, entries: Sequence[Entry], decided: PlayedUnit, players: Mapping[str, Player], seed: str
) -> Unit:
    """Return a unit with the ways in which its bot would decide it."""
    first, seat = entries[0], match.seat(entries[0].seat)
    player, at = players[seat.key], match.state.at
    same, variants = list[float](), dict[object, Variant]()
    for which, name in enumerate(player.names):
        plays = _plays(match, seat.key, name, f"{seed}/{first.n}/{name}")
        others = [each for each in plays if each.position != decided.position]
        same.append(1 - len(others) / len(plays))
        if others:
            is_random = len(plays) > 1
            key = which if is_random else others[0].position
            known = variants.get(key, Variant(others[0].answers, (0.0,) * len(player.names), is_random))
            likely = tuple(1.0 if at == which else each for at, each in enumerate(known.likely))
            variants[key] = known._replace(likely=likely)
    return Unit(
        first.n,
        entries[-1].n,
        at.turn,
        match.game.phase(at.phase).title,
        seat.key,
        seat.side,
        decided.answers,
        tuple(same),
        tuple(variants.values()),
        players,
        player.after(same),
    )


def _plays(match: AnyMatch, seat: str, name: str, text: str) -> list[PlayedUnit]:
    """Return how a policy may decide a unit: once if it uses no random numbers."""
    chances = EventRandom(f"{text}/0")
    plays = [_bot_unit(match, seat, name, chances)]
    if chances.is_used:
        plays += [bot_unit(match, seat, name, f"{text}/{number}") for number in range(1, PLAYS)]
    return plays
