"""When in a match each of its facts came about, so that what follows from it can be linked to that moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from readyroom.engine.facts import FactValue
from readyroom.engine.game import Game
from readyroom.engine.match import Match
from readyroom.engine.record.format import Parsed
from readyroom.engine.record.replay import apply_entry, match_from_header
from readyroom.engine.rules.table import LogLine


class FactMoment(NamedTuple):
    """The decision after which a fact was as it is at the end: its number, turn and phase, and the line that says so.

    `text` is empty if no line of the log names what the fact is about.
    """

    number: int
    turn: int
    phase: str
    text: str


def find_fact_moments(
    parsed: Parsed,
    game: Game[Any, Any],
    secret: bytes | None = None,
    progress: Callable[[float], object] = lambda share: None,
) -> dict[str, FactMoment]:
    """Replay a match and return the moment of each fact that has changed in it, and under "" that of its end.

    `progress` is called after each entry with the finished share, from 0 to 1.
    """
    match = match_from_header(parsed, game, secret)
    known, moments = _facts(match), dict[str, FactMoment]()
    for done, (line, entry) in enumerate(parsed.entries, start=1):
        at, before = match.state.at, len(match.full_log)
        match = apply_entry(match, parsed, entry, line)
        fresh, now = match.full_log[before:], _facts(match)
        for key, value in now.items():
            if known.get(key) != value:
                moments[key] = FactMoment(entry.n, at.turn, game.phase(at.phase).title, _line_about(key, fresh))
        known = now
        progress(done / len(parsed.entries))
        if match.outcome is not None:
            moments[""] = FactMoment(entry.n, at.turn, game.phase(at.phase).title, match.outcome.text)
    return {
        key: moment if moment.text else moment._replace(text=_text_at(moment, moments))
        for key, moment in moments.items()
    }


def _text_at(moment: FactMoment, moments: Mapping[str, FactMoment]) -> str:
    """Return the shortest line that says what else came about at the same decision; empty if there is none."""
    lines = (one.text for key, one in moments.items() if key and one.number == moment.number and one.text)
    return min(lines, key=len, default="")


def _facts(match: Match[Any, Any]) -> Mapping[str, FactValue]:
    return match.game.facts(match.state, match.game.data, match.scenario)


def _line_about(key: str, lines: Sequence[LogLine]) -> str:
    """Return the shortest line that names what a fact is about, such as the ship of "fate lexington"; empty if none."""
    name = key.split()[-1].replace("-", " ").casefold()
    return min((line.text for line in lines if name in line.text.casefold()), key=len, default="")
