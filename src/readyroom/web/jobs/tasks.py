"""What worker processes do: plain functions of plain data, without a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import Any, NamedTuple

from readyroom.bots.analysis import FEWEST, DecisionAnalysis, analyze
from readyroom.bots.search import Limit
from readyroom.campaign.record import restore_war
from readyroom.engine.errors import IllegalChoice, ReadyRoomError, RuleError
from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.engine.match.resume import resume
from readyroom.engine.match.snapshot import Saved
from readyroom.engine.record.format import Entry
from readyroom.engine.rules.decisions import DecisionKind
from readyroom.store.campaigns import PreparedWar, prepare_war
from readyroom.store.errors import ImportRejected, InvalidText
from readyroom.store.lobby.setup import check_size
from readyroom.store.matches.records import PreparedImport, prepare_import
from readyroom.study.daily.challenge import challenge_of
from readyroom.study.daily.results import Baseline, measure_baseline
from readyroom.study.notebooks import pack_report
from readyroom.study.review.review import Effort, Review, affordable_samples, review
from readyroom.study.review.what_if import NoSuchDecision, WhatIf, changed, load_decision_point, what_if
from readyroom.study.studyfile import parse_study
from readyroom.web import formatting
from readyroom.web.board_svg import draw
from readyroom.web.jobs.workers import report_progress

REVIEW_SECONDS, MOST_SAMPLES = 60.0, 8
"""About how long a review may take, and its most samples; a slow game gets fewer."""
PATIENCE = 5
"""How many times longer a what-if takes if it has too few rollouts for percentages."""
STUDY_FILE = "study.toml"
WAR_SECONDS = 3.0
"""The most seconds of processor time in which a campaign's own lines are read."""
SCENARIO_FILE = "scenario.toml"


def analyze_saved(
    saved: Saved, seat: str, limit: Limit, seed: str, selected: tuple[str, ...] | None = None
) -> DecisionAnalysis:
    """Analyze a seat's decision in a copy of the match, from positions that the seat cannot distinguish from it."""
    match: Match[Any, Any] = resume(saved)
    position = match.imagine(seat, Random(f"{seed} position"))
    return analyze(position, seat, limit, Random(seed), report_progress, selected)


def describe_decision(record: str, at: int, keys: Sequence[str] | None) -> dict[str, Any]:
    """Return decision `at` of a finished match for its page, with these options selected (None: those played).

    `refused` is the reason if the selection is illegal; `free` says that there was more than one answer. Raises
    `NoSuchDecision`.
    """
    point = load_decision_point(record, at)
    match: Match[Any, Any] = point.match
    decision, entry = point.decision, point.entry
    seat, data, refused = match.seat(entry.seat), formatting.decision(decision), ""
    try:
        decision.accept(list(entry.chose if keys is None else keys))
    except IllegalChoice as error:
        refused = f"{error.reason} [{error.rule}]"
    return {
        "at": entry.n,
        "turn": match.state.at.turn,
        "phase": match.game.phase(match.state.at.phase).title,
        "seat": {"name": seat.name, "side": seat.side},
        "asked": data,
        "wanted": _what_to_do(data),
        "counted": formatting.counts(data),
        "one": decision.kind is DecisionKind.ONE,
        "free": not decision.is_forced,
        "selected": {key: list(entry.chose if keys is None else keys).count(key) for key in decision.keys},
        "answered": decision.describe_answer(entry.chose),
        "refused": refused,
    }


def _what_to_do(data: dict[str, Any]) -> str:
    """Return what to select on the page of a comparison, where options have fields for numbers."""
    if data["kind"] == DecisionKind.ALLOCATE.value:
        total = data["at_least"]
        return f"Enter how many of the {total} each takes; the numbers must add up to {total}."
    return formatting.wanted(data) + (" Enter a number for each." if formatting.counts(data) else "")


def compare_answers(record: str, at: int, keys: Sequence[str], pairs: int, seconds: float) -> WhatIf:
    """Compare an answer with the one played, by pairs of continuations for this long, or until there are enough."""
    start = monotonic()

    def progress(played: int) -> bool:
        used = (monotonic() - start) / seconds
        report_progress(max(played / pairs, min(used, played / FEWEST)))
        return used >= (1.0 if played >= FEWEST else PATIENCE)

    return what_if(record, at, [keys], matches=pairs, progress=progress)


class BranchedMatch(NamedTuple):
    """A new match that starts from another answer, ready to be written, and the side that decided."""

    prepared: PreparedImport
    side: str


def branch(record: str, at: int, keys: Sequence[str]) -> BranchedMatch:
    """Return a match that continues from another answer with the same dice; raise `NoSuchDecision`."""
    match = changed(record, at, keys)
    if match.outcome is not None:
        raise NoSuchDecision("This answer ends the match, so there is nothing to play from.")
    last = match.record_entries()[-1]
    side = match.seat(last.seat).side if isinstance(last, Entry) else ""
    return BranchedMatch(prepare_import(match.record(), match.secret, origin="branch"), side)


def read_import(record: str, secret: bytes | None) -> PreparedImport:
    """Check a record, and return the match to write; raise `ImportRejected` with the reason."""
    try:
        return prepare_import(record, secret, progress=report_progress)
    except ReadyRoomError as error:
        raise ImportRejected(str(error)) from error


def read_war(record: str) -> PreparedWar:
    """Verify the record of a campaign, and return what to write; raise `ImportRejected` with the reason.

    What every page of the campaign repeats later must not take long.
    """
    try:
        prepared = prepare_war(record)
        start = process_time()
        restore_war(prepared.lines)
    except ReadyRoomError as error:
        raise ImportRejected(str(error)) from error
    if process_time() - start > WAR_SECONDS:
        raise ImportRejected("This campaign takes too long to read.")
    return prepared


def review_record(record: str, effort: Effort, samples: int | None = None) -> Review:
    """Review a finished match with this many samples, or as precisely as the time allows."""
    known = samples or min(MOST_SAMPLES, affordable_samples(record, REVIEW_SECONDS))
    return review(record, samples=known, effort=effort, progress=report_progress)


def play_bot_runs(day: date) -> Baseline:
    """Play the bot runs that results of a challenge are compared with."""
    return measure_baseline(challenge_of(day), progress=report_progress)


class CannotBegin(ReadyRoomError):
    """A game cannot set up a match of a scenario that looks valid."""

    def __init__(self, error: Exception) -> None:
        super().__init__(
            f"The game cannot begin with this scenario ({type(error).__name__}: {error}). Undo the last change."
        )


class OpeningPosition(NamedTuple):
    """The opening position of a scenario: the drawn board, and what it shows in words."""

    board: str
    title: str


def draw_opening(name: str, text: str, side: str) -> OpeningPosition:
    """Draw the opening position of a scenario as a side sees it ("": spectators); raise `CannotBegin`."""
    game = load_game(name)
    scenario = game.own_scenario(text.encode(), SCENARIO_FILE)
    try:
        check_size(game, scenario, game.resolve({}))
        match: Match[Any, Any] = Match(game, scenario, game.resolve({}), seed="opening")
        seat = next((each.key for each in match.seats if each.side == side), None)
        view = match.view(seat).for_others()
    except (MemoryError, InvalidText):
        raise
    except Exception as error:
        raise CannotBegin(error) from error
    phase = game.phase(view.phase).title if view.phase else ""
    turn = f"turn {view.turn}" if view.turn else ""
    return OpeningPosition(str(draw(game, view)), ", ".join(filter(None, (turn, phase))))


def try_scenario(name: str, text: str) -> bytes:
    """Play a scenario some times between bots; return the result, packed. Raise `CannotBegin` if a match fails."""
    from readyroom.study.trial import pack_trial, run_trial  # slow to load, and the server does not need it

    game = load_game(name)
    scenario = game.own_scenario(text.encode(), SCENARIO_FILE)
    try:
        return pack_trial(run_trial(game, scenario, progress=report_progress))
    except MemoryError:
        raise
    except Exception as error:
        raise CannotBegin(error) from error


class StudyReport(NamedTuple):
    """The report of a study as a page, its significant findings, and the number of others."""

    page: str
    sentences: list[str]
    inconclusive: int


class CannotBePlayed(ReadyRoomError):
    """A game failed with the figures of a notebook."""


def play_notebook(text: str, folder: Path) -> bytes:
    """Play the study of a notebook in this folder; return its report, packed."""
    from readyroom.study.notebook_report import notebook_report  # slow to load, and the server does not need it
    from readyroom.study.studies import run

    study = parse_study(text.encode(), STUDY_FILE)
    try:
        done = run(study, folder=folder, workers=1, progress=lambda played, total: report_progress(played / total))
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, ReadyRoomError) and not isinstance(error, RuleError):
            raise
        raise CannotBePlayed(
            f"The game cannot be played with these changes ({type(error).__name__}: {error}). "
            "Reset the last change, then run it again."
        ) from error
    return pack_report(notebook_report(text, done.result, f"readyroom study {STUDY_FILE}"))


def play_study(text: str, folder: Path) -> StudyReport:
    """Play a study in this folder, and report it."""
    from readyroom.study.studies import run  # slow to load, and the server does not need it
    from readyroom.study.study_page import describe_result, page

    study = parse_study(text.encode(), STUDY_FILE)
    done = run(study, folder=folder, workers=1, progress=lambda played, total: report_progress(played / total))
    return StudyReport(page(done.result, f"readyroom study {STUDY_FILE}"), *describe_result(done.result))
