"""A battle set up by hand: squadrons put where a test needs them, and one phase played with fixed dice.

The names of places are `moving`, `ready`, `home`, `waiting`, `lost`, `cap 1` (the centre) to `cap 3`,
`deck akagi`, `hangar akagi`, and `over akagi` for the Attacking box of her enemy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from readyroom.engine.game import Scenario
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Block, Decision
from readyroom.engine.rules.dice import fixed_dice
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import LogLine, MatchFinished, Steps, Table
from readyroom.games.midway import GAME
from readyroom.games.midway.state import Carrier, Data, Midway, Side, SideName, Squadron

SIDES: tuple[SideName, SideName] = ("japan", "usa")

Policy = Callable[[Decision], Sequence[str] | None]
"""Answers a decision, or returns None if it has no answer."""


@dataclass(frozen=True)
class Reply:
    """A test's answer to the next question: the question's rule, a part of its text, and the keys chosen."""

    rule: str
    about: str
    keys: tuple[str, ...]
    seat: str | None = None

    def fits(self, decision: Decision) -> bool:
        """Return whether the answer is for this question."""
        seat = self.seat is None or decision.seat == self.seat
        return seat and decision.rule == self.rule and self.about in decision.question


def reply(rule: str, about: str, *keys: str, seat: str | None = None) -> Reply:
    """Return an answer to a question under this rule that contains this text."""
    return Reply(rule, about, keys, seat)


def nothing(decision: Decision) -> Sequence[str] | None:
    """Choose nothing wherever that is allowed."""
    return [] if decision.at_least == 0 else None


@dataclass
class Played:
    """The questions, rolls and log lines of one phase."""

    asked: list[Decision] = field(default_factory=list)
    rolled: dict[str, list[int]] = field(default_factory=dict)
    lines: list[LogLine] = field(default_factory=list)
    outcome: Outcome | None = None

    @property
    def rules(self) -> list[str]:
        """The rules of the questions, in order."""
        return [decision.rule for decision in self.asked]

    def dice(self, rule: str) -> list[list[int]]:
        """Return the faces of each event rolled under a rule, in order."""
        return [faces for event, faces in self.rolled.items() if event.split("|")[2] == rule]

    def log_text(self, rule: str) -> list[str]:
        """Return the log lines of a rule, in order."""
        return [line.text for line in self.lines if line.rule == rule]


class Battle:
    """A battle on a real table, without a match."""

    def __init__(self, scenario: str | Scenario = "midway", turn: int = 5, **options: object) -> None:
        chosen = scenario if isinstance(scenario, Scenario) else GAME.scenario(scenario)
        # a test names the questions that have a choice, and each one on its own
        options = {"questions": "as-needed", "orders": "separate", **options}
        self.state: Midway = GAME.rules.setup(GAME.data, chosen, GAME.resolve(options))
        self.turn = turn

    def settle(self) -> Battle:
        """Land all squadrons on their own carriers, and reveal the Japanese fleet to the Americans."""
        for side in self.sides:
            for squadron in side.waiting:
                carrier = side.carrier(squadron.home)
                carrier.hangar = [*carrier.hangar, replace(squadron, returning=False)]
            side.waiting = []
        self.state.found = True
        return self

    # -- looking -----------------------------------------------------------------------------------------------------

    @property
    def sides(self) -> tuple[Side, Side]:
        """Return Japan and the United States."""
        return self.state.japan, self.state.usa

    def carrier(self, key: str) -> Carrier:
        """Return the carrier with this key, of either side."""
        return next(carrier for side in self.sides for carrier in side.carriers if carrier.key == key)

    def places(self, side: Side) -> Iterator[tuple[str, Sequence[Squadron]]]:
        """Yield every place of a side with its squadrons."""
        yield from (("moving", side.moving), ("ready", side.ready), ("home", side.home), ("waiting", side.waiting))
        yield "lost", side.lost
        for number, ring in enumerate(side.cap, 1):
            yield f"cap {number}", ring
        for key, wave in side.attacking.items():
            yield f"over {key}", wave
        for carrier in side.carriers:
            yield f"deck {carrier.key}", carrier.deck
            yield f"hangar {carrier.key}", carrier.hangar

    def find(self, key: str) -> tuple[Side, str, Squadron]:
        """Return the only place of a squadron."""
        rows = [
            (side, place, squadron)
            for side in self.sides
            for place, squadrons in self.places(side)
            for squadron in squadrons
            if squadron.key == key
        ]
        assert len(rows) == 1, f"{key} is in {[place for _, place, _ in rows] or 'no place'}"
        return rows[0]

    def squadron(self, key: str) -> Squadron:
        """Return the squadron with this key."""
        return self.find(key)[2]

    def where(self, key: str) -> str:
        """Return the name of a squadron's place."""
        return self.find(key)[1]

    def lying(self, side: SideName, place: str) -> list[str]:
        """Return the squadrons in a place."""
        return [s.key for name, squadrons in self.places(self.state.side(side)) for s in squadrons if name == place]

    def strengths(self, *keys: str) -> list[int]:
        """Return the total strength of several squadrons."""
        return [self.squadron(key).strength for key in keys]

    # -- setting up ---------------------------------------------------------------------------------------------------

    def put(self, place: str, *keys: str, strength: int | None = None) -> Battle:
        """Move squadrons from their present places to a place of their side."""
        for key in keys:
            side, name, squadron = self.find(key)
            self._fill(side, name, [other for other in dict(self.places(side))[name] if other.key != key])
            there = dict(self.places(side)).get(place, ())
            returning = squadron.returning and not place.startswith(("hangar", "deck"))
            points = squadron.strength if strength is None else strength
            self._fill(side, place, [*there, replace(squadron, strength=points, returning=returning)])
        return self

    def _fill(self, side: Side, place: str, squadrons: list[Squadron]) -> None:
        """Set the squadrons of a place."""
        kind, _, which = place.partition(" ")
        if kind == "over":
            side.attacking = {**side.attacking, which: squadrons}
        elif kind == "cap":
            side.cap = [squadrons if ring == int(which) else here for ring, here in enumerate(side.cap, 1)]
        elif which:
            setattr(side.carrier(which), kind, squadrons)
        else:
            setattr(side, kind, squadrons)

    def damage(self, **carriers: int) -> Battle:
        """Damage carriers; a carrier that sinks loses everything aboard."""
        for key, damage in carriers.items():
            carrier = self.carrier(key)
            carrier.damage = damage
            if damage >= self.state.sink:
                side = next(side for side in self.sides if carrier in side.carriers)
                side.lost = [*side.lost, *carrier.deck, *carrier.hangar]
                carrier.deck, carrier.hangar = [], []
        return self

    # -- playing -----------------------------------------------------------------------------------------------------

    def play(
        self,
        step: str,
        side: SideName | None,
        *replies: Reply,
        dice: Sequence[int] = (),
        otherwise: Policy | None = None,
    ) -> Played:
        """Play one phase; every reply and every die must be used, and every question must be answered.

        Replies are in the order of the questions. Questions that do not match the next reply go to `otherwise`.
        """
        phase = step if side is None else f"{side}-{step}"
        self.state.at = At(self.turn, phase)
        source = fixed_dice(*dice)
        played = Played()
        table: Table[Midway, Data] = Table(self.state, GAME.data, source, played.lines)
        waiting = list(replies)
        try:
            self._run(GAME.phases_by_name[phase](table) or iter_nothing(), played, waiting, otherwise)
        except MatchFinished as finished:
            played.outcome = finished.outcome
        played.rolled = {event: list(faces) for event, faces in source.remembered.items()}
        numbers = [face for faces in played.rolled.values() for face in faces]
        assert not waiting, f"never asked: {waiting}"
        assert numbers == list(dice), f"fixed {list(dice)}, rolled {played.rolled}"
        return played

    def _run(self, rules: Any, played: Played, waiting: list[Reply], otherwise: Policy | None) -> None:
        answer: Any = None
        while True:
            try:
                asked = rules.send(answer)
            except StopIteration:
                return
            if isinstance(asked, Block):
                decision = self._open(asked, waiting)
                answer = (decision.seat, _answer(decision, played, waiting, otherwise))
            else:
                answer = _answer(asked, played, waiting, otherwise)

    def _open(self, block: Block, waiting: list[Reply]) -> Decision:
        """Return the first open question that matches the next reply, else the first open question."""
        open_ = list(block.open.values())
        return next((d for d in open_ if waiting and waiting[0].fits(d)), open_[0])


def iter_nothing() -> Steps:
    """Return the steps of a phase without decisions."""
    yield from ()


def _answer(decision: Decision, played: Played, waiting: list[Reply], otherwise: Policy | None) -> list[Any]:
    played.asked.append(decision)
    reply_fits = bool(waiting) and waiting[0].fits(decision)
    keys: Sequence[str] | None = waiting.pop(0).keys if reply_fits else otherwise and otherwise(decision)
    assert keys is not None, f"no reply to {decision!r}; next is {waiting[:1]}"
    return values(decision, keys)


def values(decision: Decision, keys: Iterable[str]) -> list[Any]:
    """Return the values of these keys; raise IllegalChoice if they are not legal."""
    chosen = tuple(keys)
    decision.accept(chosen)
    by_key = {value.key: value for value in decision.values}
    return [by_key[key] for key in chosen]


# -- whole matches -----------------------------------------------------------------------------------------------------


def follow(match: Match[Midway, Data], policies: Mapping[str, Policy], until: Callable[[], bool]) -> None:
    """Answer a match's questions by a policy per rule, choosing nothing elsewhere, until a condition holds."""
    while not until():
        assert match.outcome is None, f"the match ended first: {match.outcome}"
        decision = next(iter(match.pending.values()))
        policy = policies.get(decision.rule, nothing)
        keys = policy(decision)
        if keys is None:
            keys = nothing(decision)
        assert keys is not None, f"no answer to {decision!r}"
        match.decide(decision.seat, list(keys))


def every(decision: Decision) -> Sequence[str]:
    """Choose all options within the budget, the first of each squadron."""
    options = decision.options
    left, chosen, sent = {option.budget_group: decision.budget for option in options}, [], set[str]()
    for option in options:
        piece = option.assigns[0] if option.assigns else option.key
        if option.cost <= left[option.budget_group] and piece not in sent:
            sent.add(piece)
            left[option.budget_group] -= option.cost
            chosen.append(option.key)
    return chosen[: decision.at_most]


def loading(decision: Decision) -> list[str]:
    """Return the carriers that a planning question loads."""
    assert decision.rule == "14.1"
    return [purse.key for purse in decision.budget_groups]
