"""The conformance kit: play a game at random over every scenario and option, and check its invariants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from readyroom.engine.game import sides
from readyroom.engine.match import Match
from readyroom.engine.rules.table import Table
from readyroom.testing import copies, presentation, questions
from readyroom.testing.findings import KEPT, Case, CheckReport, Invariant
from readyroom.testing.interference import does_not_interfere
from readyroom.testing.losses import LossListener
from readyroom.testing.playouts import DECISIONS, AnyGame, AnyMatch, BoundaryRecorder, PlayedAnswer, counters, play_on
from readyroom.testing.secrets import imagines, keeps_secrets
from readyroom.testing.snapshots import lines, table_snapshot, viewers

ENOUGH = 25
"""The number of violations after which no more is played."""

ENDLESS = 3
"""So is the number of endless playouts, because each takes long."""


class Variant(NamedTuple):
    """A scenario, and the options that differ from their defaults."""

    scenario: str
    options: dict[str, str]


def variants(
    game: AnyGame,
    scenarios: Iterable[str] | None = None,
    options: Iterable[Mapping[str, object]] | None = None,
    *,
    mixed: int = 8,
    seed: str = "conform",
) -> list[Variant]:
    """Return every scenario with its defaults, with every other choice of each option singly, and with some mixtures.

    Args:
        game: the game.
        scenarios: their keys; None: all.
        options: the choices to play instead of all of them.
        mixed: the number of random mixtures of choices for each scenario.
        seed: fixes the mixtures.
    """
    random = Random(seed)
    keys = [scenario.key for scenario in game.rules.scenarios(game.data)] if scenarios is None else list(scenarios)
    if options is not None:
        given = [{key: str(choice) for key, choice in choices.items()} for choices in options]
        return [Variant(key, choices) for choices in given for key in keys]
    single = [{o.key: choice} for o in game.options for choice in o.choices if choice != o.default]
    result = [Variant(key, choices) for choices in [{}, *single] for key in keys]
    for key in keys * mixed if len(game.options) > 1 else ():
        mixture = {option.key: random.choice(list(option.choices)) for option in game.options}
        result.append(Variant(key, game.non_default_options(mixture)))
    return result


def check_game(
    game: AnyGame,
    *,
    scenarios: Iterable[str] | None = None,
    options: Iterable[Mapping[str, object]] | None = None,
    playouts: int = 100,
    seed: str = "conform",
    closely: float = 0.25,
    points: int = 3,
    cap: int = DECISIONS,
) -> CheckReport:
    """Play a game at random over its scenarios and options, and report violated invariants.

    Args:
        game: the game.
        scenarios: the keys of those to play; None: all.
        options: the choices to play; None: every choice of each option singly, and some mixtures.
        playouts: their number, distributed evenly; each variant is played at least once.
        seed: fixes everything; a violation names the seed of its own playout.
        closely: the share of playouts that are checked closely, which takes about fifty times as long.
        points: the number of decisions and phase boundaries of such a playout at which copies are compared.
        cap: the number of decisions after which a playout counts as endless.
    """
    findings = CheckReport(game.key)
    all_variants = variants(game, scenarios, options, seed=seed)
    recorder, random = BoundaryRecorder(game), Random(seed)
    presentation.fits(Case(game, *all_variants[0], seed, findings))
    for number in range(max(playouts, len(all_variants))):
        scenario, choices = all_variants[number % len(all_variants)]
        close_points = points if random.random() < closely else 0
        _examine(Case(game, scenario, choices, f"{seed}/{number}", findings, close_points), recorder, cap)
        enough = sum(min(count, KEPT) for count in findings.failed.values()) >= ENOUGH
        if enough or findings.failed[Invariant.ENDS] >= ENDLESS:
            break
    return findings


def check_interference(
    game: AnyGame,
    *,
    scenarios: Iterable[str] | None = None,
    options: Iterable[Mapping[str, object]] | None = None,
    playouts: int = 100,
    splits: int = 4,
    seed: str = "pairs",
) -> CheckReport:
    """Play pairs of matches that differ in one answer, and report what others can infer of it.

    Args:
        game: the game.
        scenarios: the keys of those to play; None: all.
        options: the choices to play; None: those of `check_game`, without retired ones.
        playouts: the number of matches, distributed evenly; each variant is played at least once.
        splits: the number of decisions of each at which a pair begins.
        seed: fixes everything.
    """
    findings, retired = CheckReport(game.key), {option.key for option in game.options if option.retired}
    played = [each for each in variants(game, scenarios, options, seed=seed) if not retired & each.options.keys()]
    for number in range(max(playouts, len(played))):
        case = Case(game, *played[number % len(played)], f"{seed}/{number}", findings)
        case.findings.playouts += 1
        does_not_interfere(case, splits=splits)
    return findings


def check_playout(
    game: AnyGame, scenario: str, options: Mapping[str, str], seed: str, *, points: int = 10, cap: int = DECISIONS
) -> CheckReport:
    """Check the playout of this seed closely; the arguments are those of `check_game`."""
    case = Case(game, scenario, options, seed, CheckReport(game.key), points)
    presentation.fits(case)
    _examine(case, BoundaryRecorder(game), cap)
    return case.findings


def _examine(case: Case, watch: BoundaryRecorder, cap: int) -> None:
    case.findings.playouts += 1
    with case.guard(Invariant.PLAYS, "playing"):
        taken: list[PlayedAnswer] = []
        final = _play(case, watch, taken, cap)
        _ended(case, watch, final)
        if case.points:
            _closely(case, watch, taken, final)


def _play(case: Case, watch: BoundaryRecorder, taken: list[PlayedAnswer], cap: int) -> AnyMatch:
    """Run the playout without a log, checking each decision."""
    watch.reset(keeping=False)
    match = Match(watch.game, case.scenario, case.options, case.seed, log=False, checkpoints=False)
    start = counters(match)
    seats = {seat.key for seat in match.seats}
    try:
        for answer in play_on(match, Random(case.seed), cap=cap):
            case.at = len(taken)
            taken.append(answer)
            watch.position = len(taken)
            for seat, decision in match.pending.items():
                case.check(Invariant.QUESTIONS, seat in seats, f"{seat} is asked and has no seat")
                questions.check_decision(case, decision)
    finally:
        case.findings.decisions += len(taken)
        case.findings.checks[Invariant.PLAYS] += len(taken)
    case.conserves(start, match)
    return match


def _ended(case: Case, watch: BoundaryRecorder, match: AnyMatch) -> None:
    case.at = match.decision_count
    case.check(Invariant.ENDS, match.outcome is not None, "the playout has not ended")
    twice = ", ".join(f"{at.phase} of turn {at.turn}" for at in watch.repeated[:3])
    case.check(Invariant.PHASES, not watch.repeated, f"these come twice: {twice}")
    winner = match.outcome.winner if match.outcome else None
    known = winner is None or winner in sides(match.seats)
    case.check(Invariant.OUTCOME, known, f"the winner is {winner!r}; the sides are {', '.join(sides(match.seats))}")


def _closely(case: Case, watch: BoundaryRecorder, taken: Sequence[PlayedAnswer], final: AnyMatch) -> None:
    """Replay the same answers with log and checkpoints, and check the match at some decisions."""
    random, points = Random(f"{case.seed} closely"), case.points
    places = set(random.sample(range(len(taken)), min(points, len(taken))))
    watch.reset(keeping=True)
    match = Match(watch.game, case.scenario, case.options, case.seed)
    start, kept = counters(match), list[tuple[Any, bytes]]()
    match.listen(LossListener(case, match))
    for case.at, answer in enumerate(taken):
        if not case.check(Invariant.SAME_AGAIN, copies.answer_fits(match, taken, case.at), "another question is asked"):
            return
        shown = list[tuple[Any, bytes]]()
        if case.at in places:
            with case.guard(Invariant.VIEWS, "viewing"):
                shown = [(view, msgspec.json.encode(view)) for view in map(match.view, viewers(match))]
            if watch.game.rules.copy_state is not None:
                kept.append((watch.game.checkpoint_state(match.state), watch.game.encode(match.state)))
            _look_around(case, watch, match, random)
            copies.check_checkpoints_unchanged(case, kept)
            case.conserves(start, match)
        watch.position = case.at + 1
        match.decide(*answer)
        if shown:
            same = all(msgspec.json.encode(view) == before for view, before in shown)
            case.check(Invariant.VIEWS, same, "a view changes later: it shares mutable data with the state")
        case.digests.append(match.digest())
    copies.check_checkpoints_unchanged(case, kept)
    _compare_ends(case, match, final)
    if watch.game.rules.immutable_facts:
        _lasts(case, taken, match)
    _boundaries(case, watch, taken, match, random)
    if not any(option.retired and option.key in case.options for option in case.game.options):
        does_not_interfere(case, splits=points)
    copies.undoes(case, taken, match, max(1, len(taken) // (points * 4)), random)
    copies.takes_back(case, taken, random.sample(range(len(taken)), min(points, len(taken))))


def _look_around(case: Case, watch: BoundaryRecorder, match: AnyMatch, random: Random) -> None:
    """Run all checks at one decision; the match is unchanged afterwards."""
    seat = random.choice(list(match.pending))
    with watch.paused(), case.guard(Invariant.PLAYS, "looking around"):
        snapshot = _views(case, match)
        questions.accepts(case, match, seat, random, tries=6)
        questions.refuses(case, match, seat, random)
        copies.forks(case, match, snapshot, random)
        copies.replays(case, match, snapshot)
        copies.saves_and_resumes(case, match, snapshot)
        imagines(case, match, seat, random)
        presentation.shows(case, match)
        presentation.answers_of_bots(case, match, seat, random)


def _views(case: Case, match: AnyMatch) -> dict[str, bytes]:
    """Check that views are plain data and that viewing changes nothing; return the snapshot."""
    before = match.digest()
    for seat in viewers(match):
        with case.guard(Invariant.VIEWS, f"the view of {seat or 'a spectator'}"):
            view = match.view(seat)
            again = msgspec.json.decode(msgspec.json.encode(view))
            plain = msgspec.json.encode(again) == msgspec.json.encode(view)
            case.check(Invariant.VIEWS, plain, f"the view of {seat or 'a spectator'} is not plain data")
    first, second = table_snapshot(match), table_snapshot(match)
    case.same(Invariant.VIEWS, "viewed twice", first, second)
    case.check(Invariant.VIEWS, match.digest() == before, "looking at views and options changes the state")
    return second


def _compare_ends(case: Case, match: AnyMatch, final: AnyMatch) -> None:
    case.at = match.decision_count
    same = (match.digest(), match.record()) == (final.digest(), final.record())
    case.check(Invariant.SAME_AGAIN, same, "the same seed and answers, with a log and checkpoints, end otherwise")
    seats = {seat.key for seat in match.seats}
    for line in match.full_log:
        text = f"a line [{line.rule}] is addressed to {line.audience}; the seats are {', '.join(sorted(seats))}"
        if not case.check(Invariant.LOG, set(line.audience or ()) <= seats, text):
            break
        text = f"a line names the rule {line.rule}, which rules.toml does not have: {line.text}"
        if not case.check(Invariant.LOG, line.rule in case.rules, text):
            break
    copies.verifies(case, match)
    presentation.sums_up(case, match)


class _EagerTable(Table[Any, Any]):
    """A table that formats log lines immediately."""

    def __init__(self, *given: Any, immutable_facts: bool, known_dice: bool) -> None:
        super().__init__(*given, known_dice=known_dice)


class _EagerMatch(Match[Any, Any]):
    table_kind = _EagerTable


def _lasts(case: Case, taken: Sequence[PlayedAnswer], match: AnyMatch) -> None:
    """Check that log lines formatted on demand are the same as if formatted immediately."""
    with case.guard(Invariant.LOG, "formatting the log immediately"):
        eager = _EagerMatch(case.game, case.scenario, case.options, case.seed)
        for answer in taken:
            eager.decide(*answer)
        same = lines(eager.full_log) == lines(match.full_log)
        case.check(Invariant.LOG, same, "the log holds something that has changed since")


def _boundaries(
    case: Case, watch: BoundaryRecorder, taken: Sequence[PlayedAnswer], final: AnyMatch, random: Random
) -> None:
    """Check saving, resuming and resampling at some phase boundaries."""
    boundaries, points = watch.boundaries, case.points
    for boundary in random.sample(boundaries, min(points * 2, len(boundaries))):
        case.at = boundary.position
        copies.saves(case, boundary)
        keeps_secrets(case, boundary, random)
    for boundary in random.sample(boundaries, min(points, len(boundaries))):
        case.at = boundary.position
        copies.resumes(case, boundary, taken, final)
