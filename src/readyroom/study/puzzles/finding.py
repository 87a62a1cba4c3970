"""Find puzzles: screen the decisions of bot matches with few rollouts, and confirm the best answers with fresh ones.

The positions of rollouts are those that the seat cannot distinguish from the true one, and the same bots play on after
every answer, with the same dice. The answer that a screening chooses as the best of many may have been lucky, so
nothing of the screening counts afterwards: fresh rollouts measure how much worse each other answer is. It is a puzzle
only if all those intervals, adjusted for their number, exclude zero, and the best answer is better by a minimum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import ceil, comb, inf
from random import Random
from statistics import fmean, pstdev
from time import monotonic
from typing import Any, NamedTuple

from msgspec.structs import replace

from readyroom.bots import BEST, RANDOM, SEARCH, bot_names, make_bot
from readyroom.bots.analysis import stat_reason
from readyroom.bots.rollouts import Candidate, Keys, Rollouts, answer_of, baseline_policy, groups, policies_for
from readyroom.bots.search import imagining_view
from readyroom.bots.statistics import CONFIDENCE, GAIN, Interval, MeanEstimate, estimate_mean, rounded
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, Scenario, load_game, sides
from readyroom.engine.match import BotView, Match
from readyroom.engine.rules.decisions import Decision, DecisionKind
from readyroom.study.matches import match_setup, play_match, shared_stream
from readyroom.study.puzzles.puzzle import Answer, Puzzle, PuzzleSet, PuzzleSpec, SourceMatch, position_hash

LEAST_GAIN, LEAST_EFFECT = 0.05, 0.25
"""The least by which the best answer of a puzzle is better than each other: 5 points of winning chance, or in a game
for one side, in which endings may differ little, this part of their standard deviation if that is less."""
SPREAD_MATCHES = 30
"""How many matches of default bots measure how much the endings of a scenario differ."""
MOST_ANSWERS = 12
"""Decisions with more legal answers are puzzles only among the answers of bots and of kinds of options."""
GROUPS = 5
"""The most answers by kind of option."""
ASKED = 4
"""How often each bot is asked for its answer: some draw at random."""
TRIVIAL, FEW = 0.75, 4
"""A puzzle that more of the bots' answers solve is trivial if it has fewer answers than this, or if the best one is to
choose everything."""
LOOKED_AT = 0.3
"""The share of a match's decisions that are screened: puzzles of many matches differ more."""
SCREEN = ((6, 0.0, 0.0), (12, 0.5, 0.0), (24, 1.0, 0.8), (48, 1.0, 1.5), (96, 1.0, 2.5))
"""After how many rounds a screening gives a decision up if the best answer leads by less than this part of the least
gain, or by fewer than this many standard errors."""
BEHIND = 3.0
"""An answer that is this many standard errors behind is tried no more in a screening."""
LEAST_ROUNDS, MOST_ROUNDS = 60, 400
"""The fewest and the most fresh rounds of an answer that is not the best."""
POWER = 4.5
"""The number of standard errors by which each answer is expected to be behind after the fresh rounds."""
PER_MATCH, PER_KIND = 2, 0.4
"""The most puzzles from one match, and the largest share of a set with the same rule and seat."""
TRIED = 2000
"""The most combinations of options that are tried for legal answers."""


# -- the search ------------------------------------------------------------------------------------------------------


def find_puzzles(
    game: Game[Any, Any],
    known: PuzzleSet,
    *,
    count: int,
    seed: str,
    scenarios: Sequence[str] = (),
    until: float = inf,
    save: Callable[[PuzzleSet], object] = lambda found: None,
) -> PuzzleSet:
    """Add puzzles to a set, from match number `known.searched` on, until it has `count`.

    The matches are of these scenarios in turn, or of all. What is found depends on them and the seed alone. `until`
    (by `monotonic`) decides only after which match the search stops; the same call continues with what was saved.
    """
    played = [game.scenario(key) for key in scenarios] or game.rules.scenarios(game.data)
    while len(known.puzzles) < count and monotonic() < until:
        scenario = played[known.searched % len(played)]
        _Search(game, known, scenario, count, f"{seed}/{known.searched}").run()
        known.searched += 1
        save(known)
    return known


class _Search:
    """A match between bots whose decisions are screened."""

    def __init__(self, game: Game[Any, Any], known: PuzzleSet, scenario: Scenario, count: int, text: str) -> None:
        self.known, self.text, self.most = known, text, min(PER_MATCH, count - len(known.puzzles))
        self.scenario = scenario
        self.match: Match[Any, Any] = Match(game, self.scenario, game.resolve({}), seed=text, log=False)
        random, names = Random(text), [name for name in bot_names(game) if name not in (BEST, SEARCH, RANDOM)]
        self.bots = {seat.key: random.choice(names) for seat in self.match.seats}
        self.least = least_gain(game.key, self.scenario.key)
        self.answers: list[tuple[str, Keys]] = []
        self.found: list[PuzzleSpec] = []
        self.used = Counter(_kind(each.seat, each.rule) for each in known.puzzles)
        self.most_of_kind = ceil(PER_KIND * count)

    def run(self) -> None:
        """Play the match, and add what is found to the set."""
        match = self.match
        players = {
            seat: make_bot(match.game, name, seat, Random(f"{self.text}/{seat}")) for seat, name in self.bots.items()
        }
        views = {seat: match.bot_view(seat) for seat in self.bots}
        while match.outcome is None and len(self.found) < self.most:
            for seat, decision in match.pending.items():
                self._look(decision)
                chosen = decision.accept(tuple(players[seat](decision, views[seat])))[0]
                self.answers.append((seat, chosen))
                match.decide(seat, chosen)
        if self.found:
            source = SourceMatch(self.scenario.key, self.text, self.bots, self.answers[: self.found[-1].at])
            self.known.matches.append(source)
            self.known.puzzles += self.found

    def _look(self, decision: Decision) -> None:
        """Add a puzzle if a decision is one."""
        kind = _kind(decision.seat, decision.rule)
        chance = Random(f"{self.text}/{len(self.answers)}/look").random()
        if chance > LOOKED_AT or len(self.found) >= self.most or self.used[kind] >= self.most_of_kind:
            return
        position = position_hash(self.match, decision)
        if any(each.position == position for each in self.known.puzzles):
            return
        measured = measure(self.match, decision, self.least, f"{self.text}/{len(self.answers)}", self.known.stages)
        if measured is not None:
            self.used[kind] += 1
            self.found.append(
                PuzzleSpec(
                    position=position,
                    match=len(self.known.matches),
                    at=len(self.answers),
                    seat=decision.seat,
                    rule=decision.rule,
                    turn=self.match.state.at.turn,
                    is_complete=measured.is_complete,
                    answers=measured.answers,
                )
            )


@lru_cache(maxsize=64)
def least_gain(name: str, scenario: str) -> float:
    """Return by how much the best answer of a puzzle of a scenario must be better."""
    game = load_game(name)
    start = game.scenario(scenario)
    seats = game.rules.seats(start, game.resolve({}))
    if len(sides(seats)) > 1:
        return LEAST_GAIN
    setup = match_setup(game, scenario=scenario, bots=dict.fromkeys((seat.key for seat in seats), bot_names(game)[0]))
    ended = (play_match(game, start, setup, f"spread/{n}", shared_stream)[0].outcome for n in range(SPREAD_MATCHES))
    utilities = [game.analysis.utility(outcome, seats[0].side) for outcome in ended if outcome is not None]
    return min(LEAST_GAIN, LEAST_EFFECT * pstdev(utilities))


def _kind(seat: str, rule: str) -> str:
    return f"{seat} {rule}"


# -- one decision ----------------------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """The answers of a puzzle, the best first, and whether they are all legal ones."""

    answers: list[Answer]
    is_complete: bool


def measure(
    match: Match[Any, Any], decision: Decision, least: float, text: str, stages: dict[str, int]
) -> Measured | None:
    """Return the answers of a decision if it is a puzzle.

    Args:
        match: the match, which stays as it is.
        decision: the pending decision.
        least: the least by which the best answer must be better.
        text: words from which all chances follow.
        stages: counts the decisions that come to each stage.
    """
    if decision.is_forced or decision.sheet is not None:
        return None
    trial, random = Trial(match, decision.seat, least), Random(text)
    bots = bot_answers(match, decision, trial.view, random)
    answers = legal_answers(decision)
    is_complete = bool(answers)
    if not is_complete:
        answers = named_answers(decision, bots, random)
    if len(answers) < 2:
        return None
    _add(stages, "screened")
    asked = Counter(each for many in bots.values() for each in many)
    shares = {keys: asked[same(keys)] / asked.total() for keys in answers}
    trivial = {keys for keys in answers if shares[keys] > TRIVIAL and _is_obvious(decision, keys, len(answers))}
    rounds = trial.screen(answers, trivial, random, stages)
    if not rounds:
        return None
    _add(stages, "fresh rollouts")
    rated = trial.confirm(rounds, Random(f"{text}/confirm"))
    if rated is None:
        return None
    _add(stages, "puzzles")
    rated = [replace(one, bots=round(shares[one.keys], 3)) for one in rated]
    return Measured(rated, is_complete)


def _is_obvious(decision: Decision, keys: Keys, count: int) -> bool:
    return count < FEW or (decision.kind is not DecisionKind.ONE and same(keys) == same(decision.keys))


def _add(stages: dict[str, int], stage: str) -> None:
    stages[stage] = stages.get(stage, 0) + 1


def same(keys: Sequence[str]) -> Keys:
    """Return keys in an order that does not matter."""
    return tuple(sorted(keys))


def bot_answers(match: Match[Any, Any], decision: Decision, view: BotView, random: Random) -> dict[str, list[Keys]]:
    """Return what each of the game's bots and plans answers, several times; the default bot first."""
    found: dict[str, list[Keys]] = {}
    for name, maker in policies_for(match.game, match.seat(decision.seat).side).items():
        asked = (answer_of(decision, maker(decision.seat, Random(random.random())), view) for _ in range(ASKED))
        found[name] = [same(keys) for keys in asked if keys is not None]
    return found


def legal_answers(decision: Decision) -> list[Keys]:
    """Return all legal answers; none if there are more than `MOST_ANSWERS`."""
    keys, least, most = decision.keys, decision.at_least, decision.at_most
    repeats = decision.limit is not None
    sizes = range(least, min(most, MOST_ANSWERS if repeats else len(keys)) + 1)
    if sum(comb(len(keys) + size - 1 if repeats else len(keys), size) for size in sizes) > TRIED:
        return []
    combine = combinations_with_replacement if repeats else combinations
    legal = [each for size in sizes for each in combine(keys, size) if is_legal(decision, each)]
    return legal if len(legal) <= MOST_ANSWERS else []


def is_legal(decision: Decision, keys: Keys) -> bool:
    """Return whether an answer is legal."""
    try:
        decision.accept(keys)
    except ReadyRoomError:
        return False
    return True


def named_answers(decision: Decision, bots: dict[str, list[Keys]], random: Random) -> list[Keys]:
    """Return the answers of bots, all, none, and answers by kind of option; none for a choice of one option."""
    if decision.kind is DecisionKind.ONE:
        return []
    own = list(dict.fromkeys(each for asked in bots.values() for each in asked))[:MOST_ANSWERS]
    known = set(own)
    more = [each for each in groups(decision, own[0] if own else (), set(), GROUPS, random) if same(each) not in known]
    by_keys = {same(each): each for each in [*own, *more] if is_legal(decision, each)}
    return list(by_keys.values())[:MOST_ANSWERS]


class Trial:
    """Rollouts of answers in positions that the seat cannot distinguish from the true one; the default bots play on."""

    def __init__(self, match: Match[Any, Any], seat: str, least: float) -> None:
        self.view, self.least = imagining_view(match.game, match.bot_view(seat)), least
        self._maker, self._analysis = baseline_policy(match.game), match.game.analysis
        self._rollouts = Rollouts(match.game, seat, self._maker, match.seat(seat).side)

    def utility(self, keys: Keys, seed: float) -> float:
        """Return the utility of one rollout."""
        return self.play(keys, seed)[0]

    def play(self, keys: Keys, seed: float) -> tuple[float, Mapping[str, float]]:
        """Return the utility of one rollout, and its match statistics."""
        match = self._rollouts.ended(Candidate(keys, self._maker), self.view, seed, inf)
        assert match is not None
        if match.outcome is None:  # a rule rejects the answer in this position
            return 0.0, {}
        stats = self._analysis.match_stats(match.state, match.game.data)
        return self._analysis.utility(match.outcome, self._rollouts.side), stats

    def screen(
        self, answers: Sequence[Keys], trivial: Set[Keys], random: Random, stages: dict[str, int]
    ) -> dict[Keys, int]:
        """Return the fresh rounds that each answer needs, the best one first, if one seems to be clearly the best.

        Nothing is returned if none is, or if the best is one of the `trivial` answers.
        """
        tried, left, needed = {keys: list[float]() for keys in answers}, list(answers), dict[Keys, int]()
        best = left[0]
        for rounds, share, errors in SCREEN:
            while len(tried[left[0]]) < rounds:
                seed = random.random()
                for keys in left:
                    tried[keys].append(self.utility(keys, seed))
            best = max(left, key=lambda keys: fmean(tried[keys]))
            leads = {keys: lead(tried[best], tried[keys]) for keys in left if keys != best}
            if any(each.mean <= max(share * self.least, errors * each.error) for each in leads.values()):
                return {}  # another one is about as good
            _add(stages, f"after {rounds} rounds")
            if rounds > SCREEN[0][0] and best in trivial:
                _add(stages, "trivial")
                return {}
            needed = {keys: fresh_rounds(rounds, each) for keys, each in leads.items()} | {
                keys: LEAST_ROUNDS for keys in answers if keys not in left
            }
            left = [best, *(keys for keys, each in leads.items() if each.mean < BEHIND * each.error)]
            if len(left) == 1 and rounds > SCREEN[1][0]:
                break
        return {best: max(needed.values()), **needed}

    def confirm(self, rounds: Mapping[Keys, int], random: Random) -> list[Answer] | None:
        """Return the answers if fresh rollouts confirm that the first one is better than all others; None if not."""
        best, *others = rounds
        seeds = [random.random() for _ in range(rounds[best])]
        first, rated = Played(best, [self.play(best, seed) for seed in seeds]), list[Answer]()
        for keys in sorted(others, key=lambda keys: -rounds[keys]):
            other = Played(keys, [self.play(keys, seed) for seed in seeds[: rounds[keys]]])
            loss = loss_interval(first.utilities, other.utilities, len(others))
            if loss.high >= 0 or loss.mean > -self.least:
                return None
            rated.append(Answer(keys, len(other.ends), loss, why=stat_reason(first.stats, other.stats)))
        rated.sort(key=lambda one: (-one.loss.mean, one.keys))
        return [Answer(best, len(seeds), Interval(0.0, 0.0, 0.0, 0.0), round(fmean(first.utilities), 4)), *rated]


class Played(NamedTuple):
    """An answer, and the utility and the statistics of each of its rollouts."""

    keys: Keys
    ends: list[tuple[float, Mapping[str, float]]]

    @property
    def utilities(self) -> list[float]:
        """The utilities."""
        return [utility for utility, _ in self.ends]

    @property
    def stats(self) -> dict[int, Mapping[str, float]]:
        """The statistics of the rounds that came to an end."""
        return {number: stats for number, (_, stats) in enumerate(self.ends) if stats}


def fresh_rounds(rounds: int, lead: MeanEstimate) -> int:
    """Return how many fresh rounds a lead of a screening needs to be confirmed."""
    return min(MOST_ROUNDS, max(LEAST_ROUNDS, ceil(rounds * (POWER * lead.error / lead.mean) ** 2)))


def recheck(puzzle: Puzzle, text: str) -> list[Interval]:
    """Return how the other answers of a puzzle differ from the best one, measured as before but with other dice."""
    trial, random = Trial(puzzle.match(log=False), puzzle.spec.seat, 0.0), Random(text)
    seeds = [random.random() for _ in range(puzzle.best.rounds)]
    best, others = [trial.utility(puzzle.best.keys, seed) for seed in seeds], puzzle.spec.answers[1:]
    return [
        loss_interval(best, [trial.utility(one.keys, seed) for seed in seeds[: one.rounds]], len(others))
        for one in others
    ]


def lead(best: Sequence[float], other: Sequence[float]) -> MeanEstimate:
    """Return the mean difference of two answers in the rounds that both had."""
    return estimate_mean([one - two for one, two in zip(best, other, strict=False)], GAIN)


def loss_interval(best: Sequence[float], other: Sequence[float], comparisons: int) -> Interval:
    """Return how an answer differs from the best one, with an interval adjusted for their number (Bonferroni)."""
    estimate = estimate_mean([two - one for one, two in zip(best, other, strict=False)], GAIN)
    return rounded(estimate.mean, estimate.error, *estimate.interval(1 - (1 - CONFIDENCE) / comparisons))
