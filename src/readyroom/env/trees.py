"""The whole tree of a small game, with every roll a chance node: for tabular algorithms such as MCCFR.

The tree is exact but for two simplifications, which its maker names: `answers` says which answers of each question are
allowed, and a volley counts no more hits than `most_hits`. Rolls are distinguished by their result: whether a check
passes, how many hits a volley scores. Subtrees in which no answer matters are replaced by their expected rewards.

A player's information sets are those of `Recall`: all that its seat was shown and has answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import product
from typing import Any, NamedTuple, TypeAlias, TypeVar
from warnings import warn

from readyroom.engine.errors import InvalidDice, ReadyRoomError, UnknownRule
from readyroom.engine.game import MatchView
from readyroom.engine.match import Match
from readyroom.engine.rules.checks import Check, Rollable, Salvo, Volley
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import SEPARATOR
from readyroom.engine.rules.table import Table
from readyroom.env.match_env import EnvConfig, at_least
from readyroom.env.recall import Recall
from readyroom.env.rewards import rewards
from readyroom.env.sequential import PartialAnswer

Answer: TypeAlias = tuple[str, ...]
Answers: TypeAlias = Callable[[Decision, MatchView[Any]], Sequence[Answer]]
"""Returns the answers that are allowed; the view is that of the seat that decides."""
R = TypeVar("R")
MOST_POSITIONS = 100_000
"""The default limit of positions, about a minute of work."""
MOST_ANSWERS = 4096
"""The most legal answers of a decision that are listed."""
EQUAL = 1e-12
"""Rewards that differ by less are equal."""
CHANCE = -1
"""The player of chance nodes."""


class TooManyAnswers(ReadyRoomError):
    """A decision has more answers than can be listed."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(
            f"{decision.question!r} has more than {MOST_ANSWERS} answers. Allow fewer for rule {decision.rule}."
        )


class TooLarge(ReadyRoomError):
    """A tree has more positions than allowed."""

    def __init__(self, positions: int) -> None:
        super().__init__(
            f"The tree has more than {positions:,} positions. Allow fewer answers with `answers` or `otherwise`, "
            "distinguish fewer hits with `most_hits`, or set `most_positions` higher."
        )


# -- answers -----------------------------------------------------------------------------------------------------------


def every(decision: Decision, view: MatchView[Any] | None = None) -> list[Answer]:
    """Return every legal answer."""
    found = list[Answer]()
    for answer in _complete(PartialAnswer(decision)):
        found.append(answer)
        if len(found) > MOST_ANSWERS:
            raise TooManyAnswers(decision)
    return found


def fullest(decision: Decision, view: MatchView[Any] | None = None) -> list[Answer]:
    """Return the legal answers to which nothing can be added: everything launches, attacks, advances."""
    answers = every(decision)
    wholes = [frozenset(answer) for answer in answers]
    return [answer for answer, whole in zip(answers, wholes, strict=True) if not any(whole < other for other in wholes)]


def first(decision: Decision, view: MatchView[Any] | None = None) -> list[Answer]:
    """Return one legal answer: the first that nothing can be added to."""
    return fullest(decision)[:1]


def _complete(partial_answer: PartialAnswer) -> Iterator[Answer]:
    for step in partial_answer.steps:
        longer = partial_answer.again(partial_answer.decision)
        answer = longer.step(step)
        if answer is None:
            yield from _complete(longer)
        else:
            yield answer


# -- chance ------------------------------------------------------------------------------------------------------------


class Undecided(InvalidDice):
    """A roll whose result is not chosen yet: its event, and the probability of each result."""

    def __init__(self, event: str, chances: Sequence[float]) -> None:
        super().__init__(f"{event} is not decided.")
        self.event, self.chances = event, chances


class ChosenDice:
    """Dice that show the chosen result of each event; a roll with several results that is not chosen is `Undecided`."""

    def __init__(self, chosen: Mapping[str, int], most_hits: int) -> None:
        self.chosen, self.most_hits = chosen, most_hits

    def index_of(self, event: str, chances: Sequence[float]) -> int:
        """Return the chosen one of several results."""
        if len(chances) == 1:
            return 0
        if event not in self.chosen:
            raise Undecided(event, chances)
        return self.chosen[event]

    def roll(self, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        """Return dice, each result of all of them as likely."""
        results = sides**count
        at = self.index_of(f"{event} from {start}", [1 / results] * results)
        return bytes(at // sides**die % sides + 1 for die in range(count))

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """Return one of the keys, each as likely."""
        return keys[self.index_of(event, [1 / len(keys)] * len(keys))]


class Result(NamedTuple):
    """A result of a roll, and its probability."""

    chance: float
    result: Any  # what the roll resolves to


class ChosenTable(Table[Any, Any]):
    """A table whose checks and volleys have the chosen results."""

    def roll(self, check: Rollable[R], subject: str) -> R:
        """Return the chosen result of a roll; other rolls than checks and volleys are chosen die by die."""
        event, dice = self._event(check.rule, subject), self.dice
        assert isinstance(dice, ChosenDice)
        if isinstance(check, Check):
            results = _check_results(check)
        elif isinstance(check, Volley):
            results = _volley_results(check, dice.most_hits)
        else:
            return check.resolve(partial(dice.roll, event))
        return results[dice.index_of(event, [result.chance for result in results])].result


def _check_results(check: Check) -> list[Result]:
    """Return whether a check passes, each with the first dice that show it."""
    passed = check.odds()
    results = list[Result]()
    for wanted, chance in ((True, passed), (False, 1 - passed)):
        if chance:
            faces = product(range(1, check.sides + 1), repeat=check.dice)
            rolls = (check.resolve(lambda count, sides, start, dice=dice: bytes(dice)) for dice in faces)  # type: ignore[misc]
            results.append(Result(float(chance), next(roll for roll in rolls if roll.passed == wanted)))
    return results


def _volley_results(volley: Volley, most_hits: int) -> list[Result]:
    """Return the numbers of hits of a volley, the last one for `most_hits` or more."""
    chances = _volley_chances(volley.dice, volley.fire, most_hits)
    return [Result(chance, Salvo(volley, (), hits)) for hits, chance in enumerate(chances) if chance]


@lru_cache(1024)
def _volley_chances(dice: int, fire: Any, most_hits: int) -> tuple[float, ...]:
    return tuple(float(chance) for chance in Volley("", "", dice, fire).odds(most_hits))


class ChosenMatch(Match[Any, Any]):
    """A match whose rolls are chosen."""

    table_kind = ChosenTable


# -- the tree ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Node:
    """A node: a player's, of chance, or an end (no children) with the rewards of all players.

    `labels` are the answers, or for chance the results; `chances` their probabilities.
    """

    player: int
    information: bytes = b""
    question: str = ""
    labels: Sequence[str] = ()
    chances: Sequence[float] = ()
    children: Sequence[Node] = ()
    rewards: tuple[float, ...] = ()


@dataclass
class Tree:
    """The tree of a game: its root and its players' names."""

    title: str
    players: tuple[str, ...]
    root: Node
    positions: int = 0

    def nodes(self) -> Iterator[Node]:
        """Iterate over all nodes, each before its children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    @property
    def information_sets(self) -> tuple[int, ...]:
        """The number of information sets of each player."""
        sets = {(node.player, node.information) for node in self.nodes() if node.children and node.player != CHANCE}
        return tuple(sum(player == at for player, _ in sets) for at in range(len(self.players)))

    def efg(self) -> str:
        """Return the tree in Gambit's extensive form, which OpenSpiel and Gambit read."""
        names = " ".join(f'"{name}"' for name in self.players)
        return "\n".join([f'EFG 2 R "{self.title}" {{ {names} }}', '""', *self._lines(), ""])

    def _lines(self) -> Iterator[str]:
        numbers: list[dict[bytes, int]] = [{} for _ in self.players]
        for at, node in enumerate(self.nodes(), start=1):
            if not node.children:
                yield f't "" {at} "" {{ {", ".join(f"{reward:.12g}" for reward in node.rewards)} }}'
            elif node.player == CHANCE:
                actions = " ".join(
                    f'"{label}" {chance:.17g}' for label, chance in zip(node.labels, node.chances, strict=True)
                )
                yield f'c "" {at} "" {{ {actions} }} 0'
            else:
                number = numbers[node.player].setdefault(node.information, len(numbers[node.player]) + 1)
                actions = " ".join(f'"{label}"' for label in node.labels)
                yield f'p "" {node.player + 1} {number} "{number}: {node.question}" {{ {actions} }} 0'

    def openspiel(self) -> Any:
        """Return the tree as an OpenSpiel game in C++."""
        import pyspiel

        return pyspiel.load_efg_game(self.efg())


@dataclass
class Grower:
    """Makes the tree of a configuration.

    Args:
        config: the configuration; its learners are the players.
        answers: the allowed answers by rule.
        otherwise: the allowed answers of other rules.
        most_hits: how many hits of a volley are distinguished.
        most_positions: the most positions before `TooLarge` is raised.
    """

    config: EnvConfig
    answers: Mapping[str, Answers]
    otherwise: Answers
    most_hits: int
    most_positions: int
    positions: int = 0
    asked: set[str] = field(default_factory=set)
    settled: dict[bytes, tuple[float, ...]] = field(default_factory=dict)

    def grow(self) -> Node:
        """Return the root."""
        config = self.config
        at_least("most_hits", self.most_hits, 1)
        at_least("most_positions", self.most_positions, 1)
        for rule in self.answers:
            if rule not in config.game.rulebook.numbers:
                raise UnknownRule(rule, config.game.rulebook.numbers, where=config.game.key)
        for rule, allowed in {**self.answers, "otherwise": self.otherwise}.items():
            if not callable(allowed):
                raise TypeError(
                    f"The answers of {rule} are {allowed!r}; give a function such as readyroom.env.trees.every."
                )

        def begin(dice: ChosenDice) -> Match[Any, Any]:
            return ChosenMatch(config.game, config.scenario, config.options, config.game.key, dice=dice)

        recalls = {seat: Recall(seat) for seat in config.learners}
        root = self._reach(begin, {}, recalls, "")
        if never := ", ".join(sorted(self.answers.keys() - self.asked)):
            warn(f"No question of this tree is asked by {never}: {', '.join(sorted(self.asked))} are.", stacklevel=3)
        return root

    def _reach(
        self,
        play: Callable[[ChosenDice], Match[Any, Any]],
        chosen: Mapping[str, int],
        recalls: Mapping[str, Recall],
        phase: str,
    ) -> Node:
        """Return the node after playing with these rolls: of chance if one is not chosen yet."""
        try:
            match = play(ChosenDice(chosen, self.most_hits))
        except Undecided as roll:
            children = [
                self._reach(play, {**chosen, roll.event: at}, recalls, phase) for at in range(len(roll.chances))
            ]
            return _chance(roll, children)
        return self._continue(match, chosen, {seat: recall.copy() for seat, recall in recalls.items()}, phase)

    def _continue(
        self, match: Match[Any, Any], chosen: Mapping[str, int], recalls: Mapping[str, Recall], phase: str
    ) -> Node:
        """Return the node of a position; `phase` is where the last decision was made. Changes match and memories."""
        states, node = list[bytes](), None
        while node is None:
            if self.positions == self.most_positions:
                raise TooLarge(self.most_positions)
            self.positions += 1
            views = {seat: match.view(seat) for seat in recalls}
            for seat, recall in recalls.items():
                recall.look(match, views[seat])
            state = self._phase_start(match, chosen, phase)
            if match.outcome is not None:
                node = Node(CHANCE, rewards=tuple(rewards(match).values()))
            elif state in self.settled:
                node = Node(CHANCE, rewards=self.settled[state])
            else:
                states.append(state)
                phase = _phase(match)
                node = self._decide(match, chosen, recalls, phase, views)
        if not node.children:
            self.settled |= dict.fromkeys(filter(None, states), node.rewards)
        return node

    def _phase_start(self, match: Match[Any, Any], chosen: Mapping[str, int], phase: str) -> bytes:
        """Return the state at the first decision of a phase without a roll before it: all else follows from it."""
        here = _phase(match)
        if here == phase or match.open_block or any(event.startswith(here) for event in chosen):
            return b""
        return self.config.game.encode(match.state)

    def _decide(
        self,
        match: Match[Any, Any],
        chosen: Mapping[str, int],
        recalls: Mapping[str, Recall],
        phase: str,
        views: Mapping[str, MatchView[Any]],
    ) -> Node | None:
        """Return the node of a decision; None after giving the only allowed answer."""
        seat, decision = next(iter(match.pending.items()))
        view, information = views[seat], recalls[seat].digest()
        self.asked.add(decision.rule)
        makes = every if decision.only_continues else self.answers.get(decision.rule, self.otherwise)
        allowed = makes(decision, view)
        if len(allowed) == 1:
            recalls[seat].answer(decision, allowed[0])
            try:
                match.decide(seat, allowed[0])
            except Undecided:  # the match is as before
                return self._reach(_with_answer(match, seat, allowed[0]), chosen, recalls, phase)
            return None
        children = list[Node]()
        for answer in allowed:
            own = dict(recalls) | {seat: recalls[seat].copy()}
            own[seat].answer(decision, answer)
            children.append(self._reach(_with_answer(match, seat, answer), chosen, own, phase))
        first_child = children[0]
        if not any(child.children for child in children) and all(
            _equal(child.rewards, first_child.rewards) for child in children
        ):
            return first_child
        labels = [f"{decision.rule}: {', '.join(answer) or 'none'}" for answer in allowed]
        player = self.config.learners.index(seat)
        return Node(player, information, f"turn {view.turn}, {decision.rule}", labels, children=children)


def _phase(match: Match[Any, Any]) -> str:
    """Return the turn and phase as events begin with them."""
    at = match.state.at
    return f"{at.turn}{SEPARATOR}{at.phase}{SEPARATOR}"


def _with_answer(match: Match[Any, Any], seat: str, answer: Answer) -> Callable[[ChosenDice], Match[Any, Any]]:
    """Return a function that gives this answer in a copy of a match with other dice."""

    def play(dice: ChosenDice) -> Match[Any, Any]:
        copy = match.fork(dice=dice)
        copy.decide(seat, answer)
        return copy

    return play


def _chance(roll: Undecided, children: Sequence[Node]) -> Node:
    """Return a chance node, or its expected rewards if nothing is decided after it."""
    if any(child.children for child in children):
        labels = [str(at) for at in range(len(children))]
        return Node(CHANCE, labels=labels, chances=roll.chances, children=children)
    columns = zip(*(child.rewards for child in children), strict=True)
    means = [sum(chance * reward for chance, reward in zip(roll.chances, column, strict=True)) for column in columns]
    return Node(CHANCE, rewards=tuple(means))


def _equal(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) < EQUAL for a, b in zip(one, other, strict=True))
