"""[PH.13] Scores, the outcome, and the epilogue."""

from __future__ import annotations

from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.state import Outcome
from readyroom.engine.text import agree, count_or_no
from readyroom.games.strategic.raid.knowledge import column, describe_place, level, surprise_table
from readyroom.games.strategic.raid.state import JAPAN, SEATS, USA, Raid, RaidState, Ship, T
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import SurpriseTable, intercepts

Points = list[tuple[str, int]]
"""What a side scores, item by item."""


def _ship_points(raid: Raid, ship: Ship) -> int:
    score = raid.opening.score
    if not ship.hit:
        return 0
    if ship.carrier:
        return score.carrier
    return ship.size * (score.sunk if ship.sunk else score.damaged)


def points(raid: Raid) -> dict[str, Points]:
    """[PH.13] Return what each side has scored, without what stays secret until the end."""
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
    """[PH.13] Return Japan's public points minus the American ones."""
    totals = {seat: sum(value for _, value in lines) for seat, lines in points(raid).items()}
    return totals[JAPAN] - totals[USA]


def kept(raid: Raid) -> dict[str, int]:
    """[PH.2] Return the points for the Magic cards each side has kept."""
    limits = raid.opening.magic
    most = {JAPAN: limits.japan, USA: limits.usa}
    return {seat: (most[seat] - raid.magic.get(seat, most[seat])) * limits.kept for seat in SEATS}


def scores(raid: Raid) -> dict[str, int]:
    """[PH.13] Return the final scores."""
    return {seat: sum(value for _, value in points(raid)[seat]) + kept(raid)[seat] for seat in SEATS}


def score_match(table: T) -> None:
    """[PH.13] Reveal everything, log the scores and end the match."""
    state, raid = table.state, table.state.raid
    raid.over = True
    _reveal_all(table, surprise_table(raid, state.rulings, table.data))
    for seat, lines in points(raid).items():
        items = [(what, value) for what, value in [*lines, ("Magic kept", kept(raid)[seat])] if value]
        details = f" ({', '.join(f'{what} {value}' for what, value in items)})" if items else ""
        who = "Japan scores" if seat == JAPAN else "The United States scores"
        table.log_line("PH.13", "{} {}{}.", who, sum(value for _, value in items), details)
    table.end_match(outcome(raid))


def outcome(raid: Raid) -> Outcome:
    """[PH.13, P10] Return who wins by the difference in score; between the two limits it is a draw."""
    totals, win = scores(raid), raid.opening.win
    net = totals[JAPAN] - totals[USA]
    winner = JAPAN if net >= win.japan else USA if net <= win.usa else None
    left = "and left" if raid.stays is False else "and struck twice"
    text = (
        f"Japan scored {totals[JAPAN]} {left}, the United States {totals[USA]}: a difference of {net}. "
        f"Japan wins from {win.japan}, the United States to {win.usa}."
    )
    title = "draw" if winner is None else "Japan wins" if winner == JAPAN else "the United States win"
    return Outcome(winner, title, text, totals)


def _reveal_all(table: T, charts: SurpriseTable) -> None:
    """[PH.3] Reveal the Magic played, the column and the carriers' places."""
    raid = table.state.raid
    at = column(raid, charts)
    template = "Magic revealed: Japan {}, United States {}. Column {}, surprise level {}."
    table.reveal("PH.3", template, raid.magic[JAPAN], raid.magic[USA], charts.label(at), level(raid, charts))
    for force in raid.forces:
        table.reveal("PH.3", "{} was {}.", force.named, describe_place(force.place))


# -- epilogue ----------------------------------------------------------------------------------------------------------


def _names(ships: list[Ship]) -> str:
    names = [ship.name for ship in ships]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def epilogue(state: RaidState, data: Data) -> list[str]:
    """[PH.13] Return sentences on the losses and on the road not taken."""
    raid = state.raid
    ours = [*raid.ships, *(ship for force in raid.forces for ship in force.carriers)]
    sunk = [ship for ship in ours if ship.sunk]
    hurt = [ship for ship in ours if ship.hit and not ship.sunk]
    sank = f"{_names(sunk)} {agree(len(sunk), 'was', 'were')} sunk" if sunk else "No named ship was sunk"
    sentences = [f"{sank}{f', and {_names(hurt)} damaged' if hurt else ''}."]
    aircraft = raid.army.lost + raid.naval.lost + sum(force.lost for force in raid.forces)
    every = len(raid.lost) + len(list(raid.squadrons()))
    sentences.append(
        f"The Americans lost {count_or_no(aircraft, 'aircraft unit')} and "
        f"{count_or_no(raid.opening.harbor.light - raid.light, 'light-ship factor')}; "
        f"Japan lost {len(raid.lost) or 'none'} of its {every} squadrons{_carriers_lost(raid)}."
    )
    return [*sentences, *_describe_alternative(state, data)]


def _carriers_lost(raid: Raid) -> str:
    hit = [ship for ship in raid.carriers if ship.hit]
    return f"; {_names(hit)} {agree(len(hit), 'was', 'were')} hit" if hit else ""


def _describe_alternative(state: RaidState, data: Data) -> list[str]:
    """Return what a second strike would have met, or what withdrawing would have scored."""
    raid = state.raid
    if not raid.magic or raid.stays is None:
        return []
    if raid.stays:
        carriers = [ship for force in raid.at_sea() for ship in force.carriers]
        finders = _names(carriers) if carriers else "No American carriers"
        gain = raid.opening.score.unseen
        return [
            f"{finders} found the striking force. Withdrawing after the first strike would have scored {gain} more."
        ]
    hidden = [force for force in raid.forces if not force.in_port]
    escape = 1.0
    for force in hidden:
        escape *= 1 - float(intercepts(force.place))
    where = "; ".join(f"{force.name} was {describe_place(force.place)}" for force in hidden)
    if not hidden:
        return ["All American carriers were in the harbor."]
    return [f"A second strike would have been intercepted with a chance of {percent(1 - escape)}: {where}."]


def counts(state: RaidState, data: Data) -> dict[str, float]:
    """Return the statistics of a finished match."""
    raid = state.raid
    ours = [*raid.ships, *(ship for force in raid.forces for ship in force.carriers)]
    totals = scores(raid)
    return {
        "ships sunk": sum(ship.sunk for ship in ours),
        "ships damaged": sum(ship.hit and not ship.sunk for ship in ours),
        "Japanese squadrons lost": len(raid.lost),
        "American aircraft lost": raid.army.lost + raid.naval.lost + sum(force.lost for force in raid.forces),
        "carriers in port": sum(force.in_port for force in raid.forces),
        "carrier forces met at sea": len(raid.at_sea()),
        "second strikes": float(bool(raid.stays)),
        "difference": totals[JAPAN] - totals[USA],
    }
