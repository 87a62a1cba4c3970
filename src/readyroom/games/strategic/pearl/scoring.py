"""[PH.13] Scores, the outcome, and the epilogue."""

from __future__ import annotations

from math import prod

from readyroom.engine.facts import FactValue
from readyroom.engine.game import Scenario
from readyroom.engine.rules.checks import percent
from readyroom.engine.rules.state import Outcome
from readyroom.engine.text import agree, capitalize_first, count_or_no, join_list
from readyroom.games.strategic.pearl.knowledge import column, describe_place, level, surprise_table
from readyroom.games.strategic.pearl.pieces import HARBOR, berth, column_place, score_place
from readyroom.games.strategic.pearl.state import JAPAN, SEATS, USA, Raid, RaidState, Ship, T
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import intercepts

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
    score, ships = raid.opening.score, raid.american_ships()
    japan = [
        ("battleships", sum(_ship_points(raid, ship) for ship in ships if not ship.carrier)),
        ("carriers", sum(_ship_points(raid, ship) for ship in ships if ship.carrier)),
        ("light ships", score.light * (raid.opening.harbor.light - raid.light)),
        ("aircraft", score.aircraft * raid.american_losses),
        ("the striking force unseen", score.unseen if raid.stays is False else 0),
    ]
    usa = [
        ("carriers", sum(_ship_points(raid, ship) for ship in raid.carriers)),
        ("aircraft", score.aircraft * len(raid.lost)),
    ]
    return {side: [line for line in lines if line[1]] for side, lines in ((JAPAN, japan), (USA, usa))}


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
    """[PH.13] Reveal Magic, the column and the carriers' places [PH.3], log the scores and end the match."""
    raid = table.state.raid
    raid.over = True
    charts = surprise_table(raid, table.state.rulings, table.data)
    at, surprise = column(raid, charts), level(raid, charts)
    template = "Magic revealed: Japan {}, United States {}. Column {}, surprise level {}."
    cards, target = (raid.magic[JAPAN], raid.magic[USA]), column_place(charts.chart.columns[at])
    table.reveal("PH.3", template, *cards, charts.label(at), surprise, target=target, moment="Magic revealed")
    for force in raid.forces:
        where = describe_place(force.place)
        table.reveal("PH.3", "{} was {}.", force.named, where, target=berth(force))
    end = outcome(raid)
    for seat, lines in points(raid).items():
        items = [(what, value) for what, value in [*lines, ("Magic kept", kept(raid)[seat])] if value]
        details = f" ({', '.join(f'{what} {value}' for what, value in items)})" if items else ""
        who = "Japan scores" if seat == JAPAN else "The United States scores"
        total = sum(value for _, value in items)
        table.log_line("PH.13", "{} {}{}.", who, total, details, target=score_place(seat))
    table.log_line("PH.13", "{}", end.text, target=HARBOR, moment=capitalize_first(end.title))
    table.end_match(end)


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


def _names(ships: list[Ship]) -> str:
    return join_list([ship.name for ship in ships])


def epilogue(state: RaidState, data: Data) -> list[str]:
    """[PH.13] Return sentences on the losses and on the road not taken."""
    raid = state.raid
    ours = raid.american_ships()
    sunk = [ship for ship in ours if ship.sunk]
    hurt = [ship for ship in ours if ship.hit and not ship.sunk]
    sank = f"{_names(sunk)} {agree(len(sunk), 'was', 'were')} sunk" if sunk else "No named ship was sunk"
    sentences = [f"{sank}{f', and {_names(hurt)} damaged' if hurt else ''}."]
    every = len(raid.lost) + len(list(raid.squadrons()))
    carriers = [ship for ship in raid.carriers if ship.hit]
    carriers_hit = f"; {_names(carriers)} {agree(len(carriers), 'was', 'were')} hit" if carriers else ""
    sentences.append(
        f"The Americans lost {count_or_no(raid.american_losses, 'aircraft unit')} and "
        f"{count_or_no(raid.opening.harbor.light - raid.light, 'light-ship factor')}; "
        f"Japan lost {len(raid.lost) or 'none'} of its {every} squadrons{carriers_hit}."
    )
    return [*sentences, *_describe_alternative(raid)]


def _describe_alternative(raid: Raid) -> list[str]:
    """Return what a second strike would have met, or what withdrawing would have scored."""
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
    if not hidden:
        return ["All American carriers were in the harbor."]
    escape = prod(1 - float(intercepts(force.place)) for force in hidden)
    where = "; ".join(f"{force.name} was {describe_place(force.place)}" for force in hidden)
    chance = "could not have been intercepted"
    if escape < 1:
        chance = f"would have been intercepted with a chance of {percent(1 - escape)}"
    return [f"A second strike {chance}: {where}."]


def counts(state: RaidState, data: Data) -> dict[str, float]:
    """Return the statistics of a finished match."""
    raid, ours, totals = state.raid, state.raid.american_ships(), scores(state.raid)
    return {
        "ships sunk": sum(ship.sunk for ship in ours),
        "ships damaged": sum(ship.hit and not ship.sunk for ship in ours),
        "Japanese squadrons lost": len(raid.lost),
        "American aircraft lost": raid.american_losses,
        "carriers in port": sum(force.in_port for force in raid.forces),
        "carrier forces met at sea": len(raid.at_sea()),
        "second strikes": float(bool(raid.stays)),
        "difference": totals[JAPAN] - totals[USA],
    }


def facts(state: RaidState, data: Data, scenario: Scenario) -> dict[str, FactValue]:
    """[PH.13] Return the fate of each named ship, losses, and whether Japan struck twice."""
    raid = state.raid
    ships = [*raid.american_ships(), *raid.carriers]
    return {
        **{f"fate {ship.key}": ship.condition.value for ship in ships},
        "ships sunk": [ship.name for ship in ships if ship.sunk],
        "battleships sunk": sum(ship.sunk and not ship.carrier for ship in ships),
        "squadrons lost japan": len(raid.lost),
        "aircraft lost usa": raid.american_losses,
        "struck twice": int(bool(raid.stays)),
    }
