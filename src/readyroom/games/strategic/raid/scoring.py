"""[PH.13] What has been sunk and what it counts; who has won, and what would have been."""

from __future__ import annotations

from readyroom.engine.checks import percent
from readyroom.engine.state import Outcome
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.raid.knowledge import column, level, place_told, surprise_table
from readyroom.games.strategic.raid.state import JAPAN, NAMES, SEATS, USA, Raid, Ship
from readyroom.games.strategic.raid.text import counted
from readyroom.games.strategic.state import Strategic, T
from readyroom.games.strategic.tables import SurpriseTable, intercepts

Points = list[tuple[str, int]]
"""What counts for a side, line by line."""


def _ship_points(raid: Raid, ship: Ship) -> int:
    score = raid.opening.score
    if not ship.hit:
        return 0
    if ship.carrier:
        return score.carrier
    return ship.size * (score.sunk if ship.sunk else score.damaged)


def points(raid: Raid) -> dict[str, Points]:
    """[PH.13] What each side has scored so far, without what is not told before the end."""
    return {JAPAN: [line for line in _japan(raid) if line[1]], USA: [line for line in _usa(raid) if line[1]]}


def _japan(raid: Raid) -> Points:
    score = raid.opening.score
    ships = [*raid.ships, *(ship for force in raid.forces for ship in force.carriers)]
    lost = raid.army.lost + raid.naval.lost + sum(force.lost for force in raid.forces)
    return [
        ("battleships", sum(_ship_points(raid, ship) for ship in ships if not ship.carrier)),
        ("carriers", sum(_ship_points(raid, ship) for ship in ships if ship.carrier)),
        ("light ships", score.light * (raid.opening.harbor.light - raid.light)),
        ("aircraft", score.aircraft * lost),
        ("the striking force unseen", score.unseen if raid.stays is False else 0),
    ]


def _usa(raid: Raid) -> Points:
    score = raid.opening.score
    return [
        ("carriers", sum(_ship_points(raid, ship) for ship in raid.carriers)),
        ("aircraft", score.aircraft * len(raid.lost)),
    ]


def margin(raid: Raid) -> int:
    """[PH.13] Japan's points less the American ones, as far as they are told."""
    found = points(raid)
    return sum(value for _, value in found[JAPAN]) - sum(value for _, value in found[USA])


def kept(raid: Raid) -> dict[str, int]:
    """[PH.2] What the cards of Magic are worth that each side has kept."""
    limits = raid.opening.magic
    most = {JAPAN: limits.japan, USA: limits.usa}
    return {seat: (most[seat] - raid.magic.get(seat, most[seat])) * limits.kept for seat in SEATS}


def scores(raid: Raid) -> dict[str, int]:
    """[PH.13] The scores of both sides at the end."""
    return {seat: sum(value for _, value in points(raid)[seat]) + kept(raid)[seat] for seat in SEATS}


def reckon(table: T) -> None:
    """[PH.13] All is told, and the points are counted."""
    state, raid = table.state, table.state.raid
    raid.over = True
    _tell_all(table, surprise_table(raid, state.rulings, table.data))
    for seat, lines in points(raid).items():
        told = [f"{what} {value}" for what, value in [*lines, ("Magic kept", kept(raid)[seat])] if value]
        table.log_line("PH.13", "{}: {}.", NAMES[seat], ", ".join(told) or "nothing")
    table.end_match(outcome(raid))


def outcome(raid: Raid) -> Outcome:
    """[PH.13, P10] Japan wins from one limit on, the United States to another; between them nobody does."""
    found, win = scores(raid), raid.opening.win
    net = found[JAPAN] - found[USA]
    winner = JAPAN if net >= win.japan else USA if net <= win.usa else None
    left = "and left" if raid.stays is False else "and struck twice"
    text = (
        f"Japan scored {found[JAPAN]} {left}, the United States {found[USA]}: a difference of {net}. "
        f"Japan wins from {win.japan}, the United States to {win.usa}."
    )
    title = "draw" if winner is None else "Japan wins" if winner == JAPAN else "the United States win"
    return Outcome(winner, title, text, found)


def _tell_all(table: T, charts: SurpriseTable) -> None:
    """[PH.3] At the end everybody learns what Magic was played, the column, and where the carriers were."""
    raid = table.state.raid
    at = column(raid, charts)
    table.reveal("PH.3", "Magic: Japan played {}, the United States {}. The column was {}, the level of surprise {}.",
                 raid.magic[JAPAN], raid.magic[USA], charts.chart.columns[at], level(raid, charts))  # fmt: skip
    for force in raid.forces:
        table.reveal("PH.3", "{} was {}.", force.named, place_told(force.place))


# -- afterwards --------------------------------------------------------------------------------------------------------


def _names(ships: list[Ship]) -> str:
    names = [ship.name for ship in ships]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def epilogue(state: Strategic, data: Data) -> list[str]:
    """[PH.13] What was sunk, what it cost, and what would have been."""
    raid = state.raid
    ours = [*raid.ships, *(ship for force in raid.forces for ship in force.carriers)]
    sunk = [ship for ship in ours if ship.sunk]
    hurt = [ship for ship in ours if ship.hit and not ship.sunk]
    sank = f"{_names(sunk)} {'was' if len(sunk) == 1 else 'were'} sunk" if sunk else "No ship with a name was sunk"
    told = [f"{sank}{f', and {_names(hurt)} damaged' if hurt else ''}."]
    aircraft = raid.army.lost + raid.naval.lost + sum(force.lost for force in raid.forces)
    every = len(raid.lost) + len(list(raid.squadrons()))
    told.append(
        f"The Americans lost {counted(aircraft, 'unit')} of aircraft and "
        f"{counted(raid.opening.harbor.light - raid.light, 'factor')} of light ships, "
        f"Japan {len(raid.lost) or 'none'} of {every} squadrons{_carriers_lost(raid)}."
    )
    return [*told, *_would_have_been(state, data)]


def _carriers_lost(raid: Raid) -> str:
    hit = [ship for ship in raid.carriers if ship.hit]
    return f"; {_names(hit)} {'was' if len(hit) == 1 else 'were'} hit" if hit else ""


def _would_have_been(state: Strategic, data: Data) -> list[str]:
    """What a second strike would have met, or what leaving would have been worth."""
    raid = state.raid
    if not raid.magic or raid.stays is None:
        return []
    if raid.stays:
        met = raid.at_sea()
        force = f"{_names([ship for each in met for ship in each.carriers])} found the striking force" if met else (
            "No American carriers found the striking force")  # fmt: skip
        return [f"{force}. Leaving after the first strike would have been worth {raid.opening.score.unseen} more."]
    hidden = [force for force in raid.forces if not force.in_port]
    chance = 1.0
    for each in hidden:
        chance *= 1 - float(intercepts(each.place))
    where = "; ".join(f"{each.name} was {place_told(each.place)}" for each in hidden)
    met_told = f"A second strike would have been intercepted with a chance of {percent(1 - chance)}"
    return [f"{met_told}: {where}."] if hidden else ["All American carriers lay in the harbor."]


def counts(state: Strategic, data: Data) -> dict[str, float]:
    """Figures of a finished match, for studies."""
    raid = state.raid
    ours = [*raid.ships, *(ship for force in raid.forces for ship in force.carriers)]
    found = scores(raid)
    return {
        "ships sunk": sum(ship.sunk for ship in ours),
        "ships damaged": sum(ship.hit and not ship.sunk for ship in ours),
        "Japanese squadrons lost": len(raid.lost),
        "American aircraft lost": raid.army.lost + raid.naval.lost + sum(force.lost for force in raid.forces),
        "carriers in port": sum(force.in_port for force in raid.forces),
        "carrier forces met at sea": len(raid.at_sea()),
        "second strikes": float(bool(raid.stays)),
        "difference": found[JAPAN] - found[USA],
    }
