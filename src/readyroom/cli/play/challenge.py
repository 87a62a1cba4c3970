"""`readyroom challenge`: the challenge of the day, alone and offline."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from readyroom.cli.arguments import CommandError, Plain
from readyroom.cli.play.commands import play_session
from readyroom.cli.play.saved_matches import HUMAN, SavedMatch, folder
from readyroom.cli.play.session import Session
from readyroom.cli.progress import progress_bar
from readyroom.cli.screen import Screen
from readyroom.engine import files
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.format import Ending
from readyroom.engine.text import capitalize_first
from readyroom.study.daily import keys
from readyroom.study.daily.challenge import Challenge, NoChallenge, challenge_of, new_match
from readyroom.study.daily.keys import EPOCH, DayKeys, DaySealed, ends, parse_day
from readyroom.study.daily.results import RUNS, measure_all, score_of, share_text, shipped_baseline

LISTED = 14
"""The number of days that are listed."""

Day = Annotated[str | None, typer.Argument(metavar="DATE", help="An earlier day, such as 2026-11-20, for practice.")]
Practice = Annotated[bool, typer.Option("--practice", help="Play once more; this does not count.")]
ListDays = Annotated[bool, typer.Option("--list", help="List the last days and your results.")]
Baselines = Annotated[
    Path | None,
    typer.Option("--baselines", metavar="FILE", help=f"Play {RUNS:,} bot runs of each challenge and save the scores."),
]


class Attempt(NamedTuple):
    """A counted attempt on this computer: its record, its ending (None: unfinished), and whether it ended too late."""

    path: Path
    ending: Ending | None
    is_late: bool


def challenge(
    day: Day = None,
    practice: Practice = False,
    days: ListDays = False,
    baselines: Baselines = None,
    plain: Plain = False,
) -> None:
    """Play the challenge of the day: the same scenario, seat and dice for everyone. The first attempt counts."""
    screen = Screen(plain)
    today = keys.clock().date()
    if baselines is not None:
        with progress_bar(1.0, counts=False) as progress:
            content = measure_all(progress=progress)
        files.save(baselines, content.decode())
        return
    if days:
        screen.list(_day_line(today - timedelta(days=n)) for n in range(LISTED) if today - timedelta(days=n) >= EPOCH)
        return
    wanted = parse_day(day) if day is not None else today
    if wanted > today:
        raise DaySealed(wanted)
    played = challenge_of(wanted)
    attempt = find_attempt(wanted)
    if attempt is not None and attempt.ending is not None and not practice and day is None:
        _print_result(screen, played, attempt)
        return
    kept = _open(played, today, attempt, practice=practice)
    _greet(screen, played, kept.match)
    play_session(Session(kept, screen))
    finished = find_attempt(wanted)
    if kept.match.header.origin == "daily" and finished is not None and finished.ending is not None:
        _print_result(screen, played, finished)


def find_attempt(day: date) -> Attempt | None:
    """Return the counted attempt at the challenge of a day on this computer, if there is one."""
    path = folder() / f"{_name(day)}.jsonl"
    if not path.is_file():
        return None
    changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    ending = records.parse(records.read(path), repair=True).ending
    return Attempt(path, ending, (keys.clock() if ending is None else changed) >= ends(day))


def _name(day: date) -> str:
    return f"challenge-{day}"


def _open(played: Challenge, today: date, attempt: Attempt | None, *, practice: bool) -> SavedMatch:
    """Return the match to play: the counted attempt, unless it is over or the day is, or a new one for practice."""
    is_today = played.day == today
    if attempt is not None and attempt.ending is None and not attempt.is_late:
        if practice:
            raise CommandError("Your counted attempt is not finished. Finish it first, then practice.")
        return SavedMatch.resume(attempt.path, None)
    counts = is_today and attempt is None
    if counts and practice:
        raise CommandError("Your first attempt of the day counts. Leave out --practice.")
    origin = "daily" if counts else "practice" if is_today else "past"
    match = new_match(played, DayKeys().secret(played.day, keys.clock()), origin)  # type: ignore[arg-type]
    seats = {seat.key: HUMAN if seat.side == played.side else played.bot for seat in played.seats}
    return SavedMatch.start(match, seats, None, _name(played.day) if counts else "")


def _greet(screen: Screen, played: Challenge, match: Match[Any, Any]) -> None:
    screen.print(f"Challenge {played.number}, {played.day}: {played.game.title}, {played.name}", "bold")
    screen.print(played.scenario.summary)
    for line in played.game.non_default_options(played.options):
        screen.print(line)
    if match.header.origin == "daily":
        screen.print("This attempt counts: no undo and no analysis. It must end today (0:00 UTC).")
    else:
        screen.print("Practice: this attempt does not count.")
    screen.print(f"Dice seed hash: {match.fingerprint}")
    screen.print("Type `help` at any time.")


def _print_result(screen: Screen, played: Challenge, attempt: Attempt) -> None:
    """Print the result of a counted attempt, how it compares with bot runs, and the text to share."""
    assert attempt.ending is not None
    outcome, baseline = attempt.ending.outcome, shipped_baseline(played)
    percentile = None if baseline is None else baseline.percentile(score_of(played, outcome))
    screen.print(f"Your result: {capitalize_first(outcome.title)}. {outcome.text}", "bold")
    if attempt.is_late:
        screen.print("It did not end on its day, so it does not count.")
        return
    screen.print("")
    screen.list(share_text(played, percentile).split("\n"))
    screen.print("")
    screen.print(f"Proof: readyroom verify {attempt.path.stem}. Once more: readyroom challenge --practice.")


def _day_line(day: date) -> str:
    """Describe a day in the list."""
    try:
        played = challenge_of(day)
    except NoChallenge:
        return f"{day}  not installed"
    attempt = find_attempt(day)
    if attempt is None:
        result = "–"
    elif attempt.ending is None or attempt.is_late:
        result = "not finished" if attempt.ending is None else "too late"
    else:
        result = capitalize_first(attempt.ending.outcome.title)
    return f"{day}  {played.game.title}: {played.name}  {result}"
