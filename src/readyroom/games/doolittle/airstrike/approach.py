"""[11.1, 11.2, 11.3] Before the bombs fall: who of ours gets off, and what is coming."""

from __future__ import annotations

from readyroom.engine.checks import Modifiers, nonzero_modifiers
from readyroom.engine.decisions import Option, OptionInfo
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.airstrike.state import Strike
from readyroom.games.doolittle.figures.naval import STRIKE_TYPES, StrikeType, launched
from readyroom.games.doolittle.figures.naval import strike_force as force_of
from readyroom.games.doolittle.state import Doolittle, T
from readyroom.games.doolittle.voyage.departure import before_the_planes, in_haste
from readyroom.games.doolittle.voyage.formation import arrange
from readyroom.games.doolittle.voyage.launch import may_launch
from readyroom.games.doolittle.voyage.ships import HANGAR, HIGH_CAP, LOW_CAP, afloat, lost_submarine, recon_card
from readyroom.games.doolittle.voyage.state import Deck, Recon, Ship

ALOFT = "strike"
"""[11.1.1] Where recon is that has been sent against the enemy."""
FIGHTERS, ENTERPRISE = "vf6", "enterprise"
CAPS = {LOW_CAP: "low CAP", HIGH_CAP: "high CAP"}
"""[11.3] The columns of the strike force by the box in which the fighters are."""
NO_CAP = "no CAP"
PLANES: dict[StrikeType, str] = {"fighter": "fighters", "torpedo": "torpedo bombers", "dive": "dive bombers"}


def row(strike: Strike) -> str:
    """[11.1.1, 11.2.1] The row of the patrol that was found: a recon, or else the ships themselves."""
    return "recon" if strike.found == "recon" else "task force"


# -- the Navy --------------------------------------------------------------------------------------------------------


def navy(table: T) -> Steps:
    """[11.0, 11.0.1, 11.0.2, 11.1] The airstrike begins: a submarine is lost; a group takes the layout for itself.

    Then, if the Enterprise has a squadron in her hangar, the Navy may launch.
    """
    state, strike = table.state, table.state.airstrike
    state.add_to_story("airstrike", strike.group or "task-force", strike.found)
    if strike.found == "submarine":
        lost_submarine(table, strike.group, "11.0.1")
        state.strike = None
        return
    aim = "ships that sail by themselves" if strike.group else "the task force"
    table.reveal("11.0", "Japanese planes are on their way to {}.", aim)
    if strike.group:
        yield from arrange(table, afloat(state, strike.group), "11.0.2")
    ready = _ready(table, strike)
    if not any(recon_card(table.data, recon).strikes for recon in ready):
        return
    roll = table.roll_on_chart(table.data.airstrike.navy, row(strike), "halsey")
    table.log_line("11.1.1", "Halsey {}.", "launches planes" if roll.cell == "yes" else "launches no planes", roll)
    if roll.cell == "yes":
        yield from _sent(table, strike, ready)


def enterprise(state: Doolittle, group: str) -> Ship | None:
    """[11.1] The Enterprise, if she is with the ships that are attacked, and not damaged (10.1.1)."""
    ships = (ship for ship in afloat(state, group) if ship.key == ENTERPRISE and not ship.hits)
    return next(ships, None)


def _ready(table: T, strike: Strike) -> list[Recon]:
    """[11.1, 10.2.2, DR129] The squadrons that can be sent: in the hangar of the Enterprise, and fit to fly by now.

    Fighters take off there as well (DR140). Those of a group that was detached have left the game with her (12.1.4).
    """
    if strike.group or enterprise(table.state, "") is None:
        return []
    squadrons = [recon for recon in table.state.sea.recon.values() if recon.place == HANGAR and not recon.markers]
    return [recon for recon in squadrons if _attacks(table, recon)]


def _attacks(table: T, recon: Recon) -> bool:
    card = recon_card(table.data, recon)
    return card.strikes or card.escorts


def _sent(table: T, strike: Strike, ready: list[Recon]) -> Steps:
    """[11.1.1] One squadron or more is set aside for the counterstrike, with the fighters only next to another."""
    cards = {recon.key: recon_card(table.data, recon) for recon in ready}
    options = [Option(recon.key, cards[recon.key].name, recon) for recon in ready if cards[recon.key].strikes]
    seat = table.state.captain
    chosen = yield from table.choose_some(
        seat, "11.1.1", "Which squadrons attack?", options, at_least=1, select_all_default=True
    )
    sent = [option.value for option in chosen]
    escort = [recon for recon in ready if cards[recon.key].escorts]
    if escort:
        sent += yield from _escorted(table, escort)
    for recon in sent:
        recon.place = ALOFT
    strike.navy = [recon.key for recon in sent]
    table.log_line(
        "11.1.1", "Reconnaissance planes take off to find the enemy: {}.", [cards[recon.key].name for recon in sent]
    )


def _escorted(table: T, escort: list[Recon]) -> Choice[list[Recon]]:
    """[11.1.1] The fighters go along, or stay."""
    bonus = OptionInfo(f"adds {table.data.airstrike.counter.escort} to what they find")
    options = [Option("escort", "they go along", info=bonus), Option("stay", "they stay")]
    chosen = yield from table.choose(table.state.captain, "11.1.1", "Do the fighters go along?", options)
    return escort if chosen.key == "escort" else []


# -- the Army --------------------------------------------------------------------------------------------------------


def army(table: T) -> Steps:
    """[11.2, 11.2.1] If the bombers are still on a sound deck at sea, some may get away before the planes come.

    Who does not must go when the planes are gone, if the Hornet then can still launch (DR57).
    """
    state, strike = table.state, table.state.airstrike
    if strike.group or state.segment != "naval" or not may_launch(table):
        return
    options = [
        Option("launch", "the bombers take off in haste, some before the planes come", info=in_haste(table)),
        Option("stay", "they stay on the deck", info=OptionInfo("the voyage continues if the Hornet is not hit")),
    ]
    chosen = yield from table.choose(state.captain, "11.2", "Do the bombers launch now?", options)
    if chosen.key == "stay":
        return
    roll = table.roll_on_chart(table.data.airstrike.army, row(strike), "army")
    table.log_line("11.2.1", "Bombers (and flights) off the deck before the planes come: {}.", roll)
    most = launched(roll.cell)
    if most == (0, 0):
        state.deck = Deck(planned=False, strike=True)
    else:
        yield from before_the_planes(table, most)


# -- the planes ------------------------------------------------------------------------------------------------------


def arrival(table: T) -> Steps:
    """[11.3, 11.3.1, 11.4, DR59] Roll two dice for the airstrike; it attacks in waves of one marker of each kind."""
    strike, chart = table.state.airstrike, table.data.airstrike.force
    column = yield from _cap(table, strike)
    roll = table.roll_on_chart(chart, column, strike.group or "task-force", arrival_modifiers(table))
    force = force_of(roll.cell)
    coming = [f"{PLANES[kind]} ({number})" for kind, number in force.items()] or ["nobody"]
    table.reveal("11.3", "Who comes: {}.", ", ".join(coming), roll)
    if not force:
        table.log_line("11.3.1", "The airstrike was a false alarm.")
    strike.waves = waves(force)


def waves(force: dict[StrikeType, int]) -> list[list[str]]:
    """[11.4, DR59] Waves of one of each kind while they last.

    >>> waves({"torpedo": 1, "dive": 2})
    [['torpedo', 'dive'], ['dive']]
    """
    number = max(force.values(), default=0)
    return [[kind for kind in STRIKE_TYPES if force.get(kind, 0) > at] for at in range(number)]


def arrival_modifiers(table: T) -> Modifiers:
    """[11.3] What is added: for our own attack, and the farther east they have to come."""
    strike, figures, sea = table.state.airstrike, table.data.airstrike.arrival, table.state.sea
    area, order = sea.groups.get(strike.group, sea.area), table.data.sea.order
    modifiers: Modifiers = [
        ("counterstrike", figures.counterstrike if strike.navy else 0),
        ("the way", figures.middle if area in figures.middle_areas else 0),
        ("far in the east", figures.east if order.index(area) < order.index(figures.east_of) else 0),
    ]
    return nonzero_modifiers(modifiers)


def _cap(table: T, strike: Strike) -> Choice[str]:
    """[11.3] The CAP over the force, as it is; over a group with a sound Enterprise as the captain likes, else none."""
    if not strike.group:
        return CAPS.get(table.state.sea.recon[FIGHTERS].place, NO_CAP)
    if enterprise(table.state, strike.group) is None:
        return NO_CAP
    options = [Option(key, name, name) for key, name in CAPS.items()] + [Option(HANGAR, "in the hangar", NO_CAP)]
    chosen = yield from table.choose(table.state.captain, "11.3", "Where do the fighters fly?", options)
    return str(chosen.value)
