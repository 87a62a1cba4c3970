"""Results of attempts: their order, how they compare with 1,000 bot runs, the text to share, and what records prove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from readyroom.engine.errors import InvalidRecord
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.record.format import DAILY, Entry, Parsed
from readyroom.engine.rules.dice import fingerprint
from readyroom.engine.rules.state import Outcome
from readyroom.study.daily.challenge import SLOTS, Challenge, NoChallenge, challenge_of, slot_challenge
from readyroom.study.daily.keys import EPOCH, DayKeys, NoSuchDay, anchor_of, parse_day
from readyroom.study.matches import match_setup, play_match, shared_stream

RUNS = 1000
"""The bot runs that results are compared with."""
FILE = "baselines.json"
"""The results of these runs for all slots, in this package."""
STARS = 5


class Score(NamedTuple):
    """A result: its utility to the side, from 0 to 1, and the lead of its score over the best other one."""

    utility: float
    lead: int


class Baseline(msgspec.Struct, frozen=True):
    """The scores of bot runs, each with its count, under these rules and figures."""

    version: str
    data: str
    scores: list[tuple[float, int, int]]

    @property
    def runs(self) -> int:
        """The number of runs."""
        return sum(count for _, _, count in self.scores)

    def fits(self, game: Game[Any, Any]) -> bool:
        """Return whether it is that of the installed game."""
        return (self.version, self.data) == (game.version, game.data_fingerprint)

    def score_at(self, share: float) -> Score:
        """Return the score that this share of the runs does not exceed.

        >>> Baseline("1", "", [(0.0, -10, 2), (1.0, 5, 2)]).score_at(0.5)
        Score(utility=0.0, lead=-10)
        """
        scores, least = sorted(self.scores), share * self.runs
        reached = accumulate(count for _, _, count in scores)
        utility, lead, _ = next(one for one, runs in zip(scores, reached, strict=True) if runs >= least)
        return Score(utility, lead)

    def percentile(self, score: Score) -> int:
        """Return the percentage of the runs that a score is better than; one with the same score counts half.

        >>> Baseline("1", "", [(0.0, -10, 2), (1.0, 5, 2)]).percentile(Score(1.0, 5))
        75
        """
        below = sum(count for utility, lead, count in self.scores if (utility, lead) < score)
        same = sum(count for utility, lead, count in self.scores if (utility, lead) == score)
        return round(100 * (below + same / 2) / self.runs)


def score_of(challenge: Challenge, outcome: Outcome) -> Score:
    """Return the score of the player's side."""
    return score_for(challenge.game, challenge.side, outcome)


def score_for(game: Game[Any, Any], side: str, outcome: Outcome) -> Score:
    """Return the score of a side of a game."""
    others = [score for key, score in outcome.scores.items() if key != side]
    lead = outcome.scores.get(side, 0) - max(others, default=0)
    return Score(round(game.analysis.utility(outcome, side), 4), lead)


# -- bot runs --------------------------------------------------------------------------------------------------------


@cache
def shipped_baselines() -> dict[str, Baseline]:
    """Return the baselines of the file, by slot."""
    file = files(__package__) / FILE
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Baseline]) if file.is_file() else {}


def shipped_baseline(challenge: Challenge) -> Baseline | None:
    """Return the baseline of a challenge from the file; None if it has none for the installed game."""
    known = shipped_baselines().get(challenge.slot.key)
    return known if known is not None and known.fits(challenge.game) else None


def measure_baseline(
    challenge: Challenge, runs: int = RUNS, progress: Callable[[float], object] = lambda share: None
) -> Baseline:
    """Play bot runs of a challenge: its bot has the player's seats, too, and each run has dice of its own.

    With the dice of the day most runs would be the same match; and no day's dice are rolled before it.
    """
    slot, game = challenge.slot, challenge.game
    bots = dict.fromkeys((seat.key for seat in challenge.seats), challenge.bot)
    setup = match_setup(game, scenario=slot.scenario, options=slot.options, bots=bots)
    counts = Counter[Score]()
    for number in range(runs):
        match, _ = play_match(game, challenge.scenario, setup, f"baseline/{slot.key}/{number}", shared_stream)
        assert match.outcome is not None
        counts[score_of(challenge, match.outcome)] += 1
        progress((number + 1) / runs)
    return Baseline(game.version, game.data_fingerprint, [(*score, count) for score, count in sorted(counts.items())])


def measure_all(runs: int = RUNS, progress: Callable[[float], object] = lambda share: None) -> bytes:
    """Return the file of baselines for all slots."""
    made = {}
    for number, slot in enumerate(SLOTS):
        made[slot.key] = measure_baseline(slot_challenge(slot, EPOCH), runs)
        progress((number + 1) / len(SLOTS))
    return (
        b"{\n"
        + b",\n".join(msgspec.json.encode(key) + b": " + msgspec.json.encode(one) for key, one in made.items())
        + b"\n}\n"
    )


# -- sharing ---------------------------------------------------------------------------------------------------------


def share_text(challenge: Challenge, percentile: int | None, address: str = "") -> str:
    """Return a short text about a result that gives nothing of the match away."""
    day = f"{challenge.day.day} {challenge.day:%B %Y}"
    lines = [f"Ready Room challenge {challenge.number} ({day})", f"{challenge.game.title}: {challenge.name}"]
    if percentile is not None:
        full = min(STARS, max(1, 1 + percentile * STARS // 100))
        lines.append(f"{'★' * full}{'☆' * (STARS - full)} better than {percentile} % of {RUNS:,} bot runs")
    return "\n".join([*lines, *([address] if address else [])])


# -- proof -----------------------------------------------------------------------------------------------------------


class DailyProof(NamedTuple):
    """What a record of an attempt proves: its challenge, whether it counts, and the anchor of the dice."""

    challenge: Challenge
    is_counted: bool
    anchor: str

    @property
    def sentence(self) -> str:
        """Describe it."""
        kind = "a counted attempt without takeback" if self.is_counted else "practice, which does not count"
        dice = "the shared dice" if self.anchor == DayKeys().anchor else f"a server's own dice, anchor {self.anchor}"
        return f"Challenge of {self.challenge.day}: its scenario, seats and options, {dice}; {kind}."


def prove_daily(parsed: Parsed, match: Match[Any, Any]) -> DailyProof | None:
    """Check that a verified record is an attempt at the challenge that it names; None for another match.

    Raises:
        InvalidRecord: its setup or dice are not those of the day, or a counted attempt has a takeback.
    """
    header = parsed.header
    if header.origin not in DAILY and header.day is UNSET:
        return None
    try:
        challenge = challenge_of(parse_day(header.day or ""))
    except (NoSuchDay, NoChallenge) as error:
        raise InvalidRecord(1, str(error).rstrip(".")) from error
    if header.origin not in DAILY or not _is_setup_of(challenge, match):
        raise InvalidRecord(1, f"it is not the challenge of {challenge.day}")
    if (
        header.nonces
        or header.seed is not None
        or match.secret is None
        or header.fingerprint != fingerprint(match.secret)
    ):
        raise InvalidRecord(1, "its dice are not those of a challenge of the day")
    undone = _first_not_decision(parsed)
    if header.origin == "daily" and undone:
        raise InvalidRecord(undone, "a counted attempt has no takeback and no other dice")
    return DailyProof(challenge, header.origin == "daily", anchor_of(challenge.day, match.secret))


def _is_setup_of(challenge: Challenge, match: Match[Any, Any]) -> bool:
    expected = (challenge.game.key, challenge.scenario.key, None, challenge.options)
    return (match.game.key, match.scenario.key, match.scenario.text, dict(match.options)) == expected


def _first_not_decision(parsed: Parsed) -> int:
    """Return the first line of a record with an undo or other dice; 0 if there is none."""
    lines: Iterable[int] = (line for line, entry in parsed.entries if not isinstance(entry, Entry))
    return next(iter(lines), 0)
