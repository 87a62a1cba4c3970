"""[12.6.6.C, DR60] Enemy signals that stay in sea areas, and the dice of secrecy that they take."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from readyroom.engine.decisions import Option
from readyroom.engine.table import Steps
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.secrecy import add_risk
from readyroom.games.doolittle.state import Doolittle, T
from readyroom.games.doolittle.voyage.fleet import area_name


def count(state: Doolittle) -> int:
    """[12.6.2, 12.6.6.D] The enemy signals on the map."""
    return sum(map(len, state.sea.signals.values()))


def muffling(filled: Sequence[bool], run: int, dice: int) -> int:
    """[12.6.6.C, DR60] The dice that rows of areas with signals take: from a row of `run` on, for each area in it.

    >>> muffling([True, True, True, True, False, True], run=3, dice=1)
    2
    """
    rows = (len(list(group)) for full, group in groupby(filled) if full)
    return sum(dice * max(0, length - run + 1) for length in rows)


def heard(table: T) -> None:
    """[12.6.6.C, DR60, DR133] The secrecy value follows the signals on the map, in the air as well; one die remains."""
    security, sea, figures = table.state.security, table.state.sea, table.data.naval.signals
    filled = [bool(sea.signals.get(area)) for area in table.data.sea.order]
    whole = security.value + sea.muffled
    sea.muffled = min(muffling(filled, figures.run, figures.dice), whole - table.data.security.track.value_min)
    before, security.value = security.value, whole - sea.muffled
    if security.value != before:
        table.log_line("12.6.6.C", "With these signals in the ether the secrecy value is {}.", security.value)


def placed(table: T, marker: Marker, area: str) -> None:
    """[12.6.6.C] Signals stay in an area; where some are already the risk grows, and in a row they take dice."""
    state, figures = table.state, table.data.naval.signals
    there = state.sea.signals[area]
    if there:
        add_risk(table, figures.stacked_risk)
        table.log_line(
            "12.6.6.C", "More signals in {}: the risk is {}.", area_name(table.data, area), state.security.risk
        )
    there.append(marker)
    heard(table)


def drowned(table: T, count: int) -> Steps:
    """[12.2.2, 12.6.6.C] In a storm enemy signals go, from whichever area the captain likes."""
    state = table.state
    for _ in range(count):
        signals = state.sea.signals
        options = [Option(f"off-{area}", area_name(table.data, area), area) for area, lying in signals.items() if lying]
        if not options:
            return
        question = "The storm drowns enemy signals. Of which sea area?"
        chosen = yield from table.choose(state.captain, "12.2.2", question, options)
        state.put_back(signals[chosen.value].pop())
        table.log_line("12.2.2", "The storm drowns signals in {}.", area_name(table.data, chosen.value))
        heard(table)
