"""[1.5] The report of a cruise: tours, planes, hits, officers, and a cruise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date as calendar_day
from functools import cache
from importlib.resources import files

import msgspec

from readyroom.engine.data import convert, parse
from readyroom.engine.facts import FactValue
from readyroom.engine.game import Scenario
from readyroom.engine.rules.checks import signed
from readyroom.engine.text import count_noun
from readyroom.games.picket.ending.victory import score
from readyroom.games.picket.figures.data import Data, day_of
from readyroom.games.picket.presentation import hit_map
from readyroom.games.picket.presentation.board_data import date_text
from readyroom.games.picket.state import NAMES, Picket, Tour, title_of
from readyroom.games.picket.view import describe_result, view

FILE = "cruises.toml"
"""Written by `docs/cruises.py --percentiles`; not used by rules, and not part of the data fingerprint."""
FIGURES = {
    "shot": "planes shot down",
    "struck": "planes that struck the ship",
    "fallen": "officers killed",
    "score": "score",
}
"""The compared figures; only campaigns have a score."""
ENDS = {
    "": "still on station at the end",
    "sunk": "sunk",
    "disabled": "sent back disabled",
    "radar": "sent back without radar",
    "armament": "withdrawn with half of the guns out of action",
    "water": "withdrawn without water lines",
    "fuel": "relieved for lack of fuel",
    "ammunition": "relieved for lack of ammunition",
    "storm": "forced off station by the storm",
}
"""[9.G] How a tour ends."""
MOST_HITS = 12
"""The maximum number of hits listed."""
TIMES = {1: "once", 2: "twice"}


def epilogue(state: Picket, data: Data) -> Sequence[str]:
    """[1.5, 10] Return the report: tours, planes by type and gun, hits, officers, and history."""
    return [
        *(_tour(state, tour) for tour in state.tally.tours),
        *_planes(state, data),
        *_gunners(state, data),
        *_hits(state, data),
        *_officers(state),
        *_compared(state, data),
        *compared(state.plan.title, compared_figures(state, data)),
    ]


def _short(day: calendar_day) -> str:
    return date_text(day).removesuffix(f" {day.year}")


def _tour(state: Picket, tour: Tour) -> str:
    """[4.0, 9.G] Describe a tour: ship, station, dates, attackers and how it ended."""
    first, last = day_of(state.plan.first, tour.first), day_of(state.plan.first, tour.last or state.at.turn)
    days = _short(first) if first == last else f"{_short(first)} to {_short(last)}"
    shot = f"{tour.shot} of {count_noun(tour.planes, 'plane')} shot down" if tour.planes else "no attacks"
    struck = f", struck {TIMES.get(tour.struck, f'{tour.struck} times')}" if tour.struck else ""
    causes = dict(entry.split(": ", 1) for entry in state.tally.lost)
    if state.ship.lost:
        causes[state.ship.name] = state.ship.lost
    end = ENDS.get(tour.end, tour.end)
    if tour.end == "sunk" and tour.ship in causes:
        end = f"sunk ({causes[tour.ship]})"
    return f"{tour.ship}, station {tour.station}, {days}: {shot}{struck}; {end}."


def _planes(state: Picket, data: Data) -> Iterator[str]:
    """[1.5] Yield the planes shot down, by type."""
    tally = state.tally
    if not tally.planes:
        yield "No planes attacked the ship."
        return
    types = sorted(tally.types.items(), key=lambda one: (-one[1], one[0]))
    named = ", ".join(f"{number} {data.cards[key].name}" for key, number in types)
    yield f"Planes shot down: {tally.shot} of {tally.planes}{f' ({named})' if named else ''}."


def _gunners(state: Picket, data: Data) -> Iterator[str]:
    """[1.5, 11.2] Yield the guns that shot them down, the best first, and the ace crews."""
    kills = sorted(state.tally.kills.items(), key=lambda one: (-one[1], one[0]))
    if not kills:
        return
    named = ", ".join(f"{describe_result(data, key)} ({number})" for key, number in kills)
    others = state.tally.shot - sum(number for _, number in kills)
    rest = f"; supporting planes, ships and spray fire ({others})" if others > 0 else ""
    yield f"By gun: {named}{rest}."
    aces = [describe_result(data, key) for key, number in kills if number >= data.duty.fire.ace_kills]
    if aces:
        yield f"Gun crews that are aces: {', '.join(aces)}."


def _hits(state: Picket, data: Data) -> Iterator[str]:
    """[1.5] Yield hits and near misses with direction and effect."""
    marks = hit_map.marks(view(state, data, None))
    if not marks:
        yield "The ship was not hit."
        return
    for mark in marks[:MOST_HITS]:
        label = f"{'Near miss' if mark.hit.near else 'Hit'} {mark.label}, " if len(marks) > 1 else ""
        yield f"{label}{mark.title}."
    if len(marks) > MOST_HITS:
        yield f"And {len(marks) - MOST_HITS} more hits and near misses, all shown on the map."
    sides = Counter(hit_map.DIRECTIONS[mark.hit.bearing] for mark in marks if mark.hit.bearing >= 0)
    if sides:
        yield f"Attack directions: {', '.join(f'{side} {number}' for side, number in sides.most_common())}."


def sketch(state: Picket, data: Data) -> str:
    """[1.5] Return the map of hits as text."""
    return hit_map.sketch(view(state, data, None))


def _officers(state: Picket) -> Iterator[str]:
    """[1.3.1] Yield the officers at the end, and those who were killed."""
    alive = {key: one for key, one in state.ship.officers.items() if not one.dead}
    living = ", ".join(f"{title_of(state.plan, key)} ({signed(one.value)})" for key, one in alive.items())
    yield f"Officers of {state.ship.name} at the end: {living or 'none'}."
    for one in state.tally.fallen:
        when = f"{_short(day_of(state.plan.first, one.turn))}, {one.watch}"
        yield f"{NAMES[one.officer]} ({signed(one.value)}) of {one.ship}: killed {one.cause}, {when}."


def _compared(state: Picket, data: Data) -> Iterator[str]:
    """Yield a comparison with the picket line of 1945."""
    figures, tours = data.history, state.tally.tours
    sunk, damaged = _fates(state)
    yield (
        f"On the picket line of 1945, {figures.sunk} of {figures.destroyers} destroyers were sunk by kamikazes and "
        f"{figures.damaged} damaged, and {figures.planes} planes were shot down. "
        f"This cruise: {sunk} sunk and {damaged} damaged in {count_noun(len(tours), 'tour')}."
    )


def compared_figures(state: Picket, data: Data) -> dict[str, int]:
    """[1.5] Return the figures compared with other cruises."""
    tally = state.tally
    figures = {"shot": tally.shot, "struck": sum(tour.struck for tour in tally.tours), "fallen": len(tally.fallen)}
    return figures | ({"score": score(state, data)} if state.plan.campaign else {})


def _fates(state: Picket) -> tuple[int, int]:
    """Return the number of ships sunk, and of other tours with damage."""
    tours = state.tally.tours
    sunk = [tour for tour in tours if tour.end == "sunk" or (not tour.end and state.ship.lost)]
    return len(sunk), sum(bool(tour.struck or tour.hurt) for tour in tours if tour not in sunk)


def counts(state: Picket, data: Data) -> Mapping[str, float]:
    """Return a study's statistics at the end of a cruise."""
    sunk, damaged = _fates(state)
    tally = state.tally
    return {
        "planes that attacked": tally.planes,
        "planes shot down": tally.shot,
        "planes that struck": sum(tour.struck for tour in tally.tours),
        "tours": len(tally.tours),
        "ships sunk": sunk,
        "tours with damage": damaged,
        "withdrawals": tally.withdrawals,
    }


def facts(state: Picket, data: Data, scenario: Scenario) -> dict[str, FactValue]:
    """[1.3.1, 1.5, 10] Return ships, officers and planes at the end of a cruise."""
    ship, tally = state.ship, state.tally
    lost = [entry.split(": ", 1)[0] for entry in tally.lost]
    lost += [ship.name] if ship.lost and ship.name not in lost else []
    return {
        "ship": ship.name,
        "afloat": int(not ship.lost),
        "hull": ship.hull,
        "ships lost": lost,
        "officers alive": sum(not officer.dead for officer in ship.officers.values()),
        "officers killed": [title_of(state.plan, fallen.officer) for fallen in tally.fallen],
        "planes": tally.planes,
        "shot down": tally.shot,
        "struck": sum(tour.struck for tour in tally.tours),
        "withdrawals": tally.withdrawals,
    }


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Simulated cruises of a scenario: for each figure its values and how often each occurred."""

    title: str
    games: int
    figures: dict[str, list[tuple[int, int]]]


@cache
def played() -> Mapping[str, Played]:
    """Return the simulated cruises by scenario title."""
    text = files("readyroom.games.picket").joinpath("data", FILE).read_bytes()
    return {entry["title"]: convert(entry, Played, FILE) for entry in parse(text, FILE).values()}


def share_below(counts: list[tuple[int, int]], value: int, *, above: bool = False) -> float:
    """Return the share of cruises with a lower value, or with a higher one.

    >>> share_below([(0, 1), (2, 2), (5, 1)], 2), share_below([(0, 1), (2, 2), (5, 1)], 2, above=True)
    (0.25, 0.25)
    """
    total = sum(times for _, times in counts)
    beyond = sum(times for other, times in counts if (other > value if above else other < value))
    return beyond / total if total else 0.0


def _ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def compared(title: str, figures: Mapping[str, int]) -> Iterator[str]:
    """[1.5] Yield the cruise's percentiles; nothing where no simulation is stored."""
    others = played().get(title)
    if others is None:
        return
    parts = []
    for key, value in figures.items():
        if key in others.figures:
            counts = others.figures[key]
            rank = (1 + share_below(counts, value) - share_below(counts, value, above=True)) / 2
            parts.append(f"{FIGURES[key]}: {value} ({_ordinal(round(100 * rank))} percentile)")
    yield f"Compared with {others.games:,} simulated cruises of {title} (doctrine bot): {'; '.join(parts)}."
