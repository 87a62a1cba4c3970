"""[11.0] An airstrike on ships: the American launches, the planes that come, their attack, and the counterstrike."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.checks import Check, Modifiers, Roll, nonzero_modifiers, signed
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.figures.common import label_of
from readyroom.games.doolittle.figures.naval import STRIKE_TYPES, StrikeType, launched, strike_force
from readyroom.games.doolittle.rolls import HitCheck, lowest_total
from readyroom.games.doolittle.state import Doolittle, T
from readyroom.games.doolittle.voyage.formation import arrange_ships
from readyroom.games.doolittle.voyage.launch import emergency_hint, launch_before_planes
from readyroom.games.doolittle.voyage.ships import (
    CARRIER,
    CRUISER,
    HANGAR,
    HIGH_CAP,
    LOW_CAP,
    OILER,
    bombers_on_deck,
    card_of,
    flak_dice,
    hit_ship,
    hornet,
    lose_submarine,
    may_launch,
    named,
    recon_card,
    remove_recon,
    ship_options,
    ships_afloat,
    sink_ship,
    space_key,
)
from readyroom.games.doolittle.voyage.state import Deck, Recon, Ship, Strike

ALOFT = "strike"
"""[11.1.1] Where recon is that has been sent against the enemy."""
FIGHTERS, ENTERPRISE = "vf6", "enterprise"
CAPS = {LOW_CAP: "low CAP", HIGH_CAP: "high CAP"}
"""[11.3] The columns of the strike force by the box in which the fighters are."""
NO_CAP = "no CAP"
PLANES: dict[StrikeType, str] = {"fighter": "fighters", "torpedo": "torpedo bombers", "dive": "dive bombers"}


def strike_row(strike: Strike) -> str:
    """[11.1.1, 11.2.1] Return the row of the patrol that was found: a recon, or else the ships themselves."""
    return "recon" if strike.found == "recon" else "task force"


def navy(table: T) -> Steps:
    """[11.0, 11.0.1, 11.0.2, 11.1] Begin the airstrike: a submarine is lost, a group takes the layout.

    Then, if the Enterprise has a squadron in her hangar, the Navy may launch.
    """
    state, strike = table.state, table.state.airstrike
    state.add_to_story("airstrike", strike.group or "task-force", strike.found)
    if strike.found == "submarine":
        lose_submarine(table, strike.group, "11.0.1")
        state.strike = None
        return
    aim = "ships that sail by themselves" if strike.group else "the task force"
    moment = "Japanese planes are on their way"
    table.reveal("11.0", "Japanese planes are on their way to {}.", aim, target="task-force", moment=moment)
    if strike.group:
        yield from arrange_ships(table, ships_afloat(state, strike.group), "11.0.2")
    ready = _ready_squadrons(table, strike)
    if not any(recon_card(table.data, recon).strikes for recon in ready):
        return
    roll = table.roll_on_chart(table.data.airstrike.navy, strike_row(strike), "halsey")
    text = "launches planes" if roll.cell == "yes" else "launches no planes"
    table.log_line("11.1.1", "Halsey {}.", text, roll, target=ENTERPRISE)
    if roll.cell == "yes":
        yield from _choose_squadrons(table, strike, ready)


def sound_enterprise(state: Doolittle, group: str) -> Ship | None:
    """[11.1] Return the Enterprise, if she is with the ships that are attacked, and not damaged (10.1.1)."""
    ships = (ship for ship in ships_afloat(state, group) if ship.key == ENTERPRISE and not ship.hits)
    return next(ships, None)


def _ready_squadrons(table: T, strike: Strike) -> list[Recon]:
    """[11.1, 10.2.2, DR129] Return the squadrons that can be sent: fit, in the hangar of the Enterprise.

    Fighters take off there as well (DR140). Those of a group that was detached have left the game with her (12.1.4).
    """
    if strike.group or sound_enterprise(table.state, "") is None:
        return []
    cards = {recon.key: recon_card(table.data, recon) for recon in table.state.sea.recon.values()}
    fit = [recon for recon in table.state.sea.recon.values() if recon.place == HANGAR and not recon.markers]
    return [recon for recon in fit if cards[recon.key].strikes or cards[recon.key].escorts]


def _choose_squadrons(table: T, strike: Strike, ready: list[Recon]) -> Steps:
    """[11.1.1] Choose squadrons for the counterstrike, and fighters with them."""
    cards = {recon.key: recon_card(table.data, recon) for recon in ready}
    options = [Option(recon.key, cards[recon.key].name, recon) for recon in ready if cards[recon.key].strikes]
    seat, question = table.state.captain, "Which squadrons attack?"
    chosen = yield from table.choose_some(seat, "11.1.1", question, options, at_least=1, select_all_default=True)
    sent = [option.value for option in chosen]
    if escort := [recon for recon in ready if cards[recon.key].escorts]:
        bonus = OptionInfo(f"{signed(table.data.airstrike.counter.escort)} on the counterstrike roll")
        options = [Option("escort", "escort", info=bonus), Option("stay", "stay")]
        going = yield from table.choose(seat, "11.1.1", "Do the fighters escort the attack?", options)
        sent += escort if going.key == "escort" else []
    for recon in sent:
        recon.place = ALOFT
    strike.navy = [recon.key for recon in sent]
    names = [cards[key].name for key in strike.navy]
    text = "Planes take off for a counterstrike: {}."
    table.log_line("11.1.1", text, KeyedText(", ".join(names), *strike.navy), target=ENTERPRISE)


def army(table: T) -> Steps:
    """[11.2, 11.2.1] Choose whether the bombers launch; some may get away before the planes come.

    Who does not must go when the planes are gone, if the Hornet then can still launch (DR57).
    """
    state, strike = table.state, table.state.airstrike
    if strike.group or state.segment != "naval" or not may_launch(table):
        return
    options = [
        Option("launch", "launch in an emergency, some before the planes arrive", info=emergency_hint(table)),
        Option("stay", "keep them on deck", info=OptionInfo("the voyage continues if the Hornet is not hit")),
    ]
    chosen = yield from table.choose(state.captain, "11.2", "Do the bombers launch now?", options)
    if chosen.key == "stay":
        return
    roll = table.roll_on_chart(table.data.airstrike.army, strike_row(strike), "army")
    text = "Bombers (and flights) off the deck before the planes arrive: {}."
    table.log_line("11.2.1", text, roll, target=table.data.ships.fleet.launches)
    most = launched(roll.cell)
    if most == (0, 0):
        state.deck = Deck(planned=False, strike=True)
    else:
        yield from launch_before_planes(table, most)


def arrival(table: T) -> Steps:
    """[11.3, 11.3.1, 11.4, DR59] Roll two dice for the airstrike; it attacks in waves of one marker of each kind."""
    strike, chart = table.state.airstrike, table.data.airstrike.force
    column = yield from _choose_cap(table, strike)
    roll = table.roll_on_chart(chart, column, strike.group or "task-force", arrival_modifiers(table))
    force = strike_force(roll.cell)
    coming = [f"{PLANES[kind]} ({number})" for kind, number in force.items()] or ["no planes"]
    strike.waves = split_waves(force)
    table.reveal("11.3", "The airstrike consists of {}.", ", ".join(coming), roll, target="airstrike")
    if not force:
        table.log_line("11.3.1", "The airstrike was a false alarm.", target="airstrike")


def split_waves(force: dict[StrikeType, int]) -> list[list[str]]:
    """[11.4, DR59] Return waves of one of each kind while they last.

    >>> split_waves({"torpedo": 1, "dive": 2})
    [['torpedo', 'dive'], ['dive']]
    """
    number = max(force.values(), default=0)
    return [[kind for kind in STRIKE_TYPES if force.get(kind, 0) > at] for at in range(number)]


def arrival_modifiers(table: T) -> Modifiers:
    """[11.3] Return the modifiers of the strike force: our own attack, and the distance."""
    strike, figures = table.state.airstrike, table.data.airstrike.arrival
    sea, order = table.state.sea, table.data.sea.order
    area = sea.groups.get(strike.group, sea.area)
    modifiers: Modifiers = [
        ("counterstrike", figures.counterstrike if strike.navy else 0),
        ("middle distance", figures.middle if area in figures.middle_areas else 0),
        ("far east", figures.east if order.index(area) < order.index(figures.east_of) else 0),
    ]
    return nonzero_modifiers(modifiers)


def _choose_cap(table: T, strike: Strike) -> Choice[str]:
    """[11.3] Return the CAP over the force; over a group with a sound Enterprise choose it."""
    if not strike.group:
        return CAPS.get(table.state.sea.recon[FIGHTERS].place, NO_CAP)
    if sound_enterprise(table.state, strike.group) is None:
        return NO_CAP
    options = [Option(key, name, name) for key, name in CAPS.items()] + [Option(HANGAR, "in the hangar", NO_CAP)]
    chosen = yield from table.choose(table.state.captain, "11.3", "Which CAP do the fighters fly?", options)
    return str(chosen.value)


# -- the attack --------------------------------------------------------------------------------------------------------


FIGHTER, TORPEDO = "fighter", "torpedo"
LIGHT_CRUISER = "CL"
DIVERTED, SHOT, NOTHING = "diverted", "hit", "no effect"


def attack(table: T) -> Steps:
    """[11.4] Let wave after wave attack, one marker after the other."""
    strike = table.state.airstrike
    while strike.waves:
        wave = strike.waves.pop((yield from _choose_wave(table, strike.waves)))
        while wave:
            kind = yield from _choose_marker(table, wave)
            wave.remove(kind)
            if ships_afloat(table.state, strike.group):
                yield from _resolve_marker(table, kind)


def _choose_wave(table: T, waves: list[list[str]]) -> Choice[int]:
    """[11.4.1] Choose the wave that attacks next if waves differ; return its index."""
    differing = {"-".join(wave): at for at, wave in enumerate(waves)}
    options = [Option(f"wave-{key}", _planes_text(waves[at]), at) for key, at in differing.items()]
    if len(options) == 1:
        return 0
    chosen = yield from table.choose(table.state.captain, "11.4.1", "Which wave attacks next?", options)
    return int(chosen.value)


def _choose_marker(table: T, wave: list[str]) -> Choice[str]:
    """[11.4.1] Choose which marker of the wave is next."""
    options = [Option(kind, _planes_text([kind]), kind) for kind in wave]
    if len(options) == 1:
        return wave[0]
    chosen = yield from table.choose(table.state.captain, "11.4.1", "Which planes of the wave attack next?", options)
    return str(chosen.value)


def _planes_text(kinds: Sequence[str]) -> str:
    return ", ".join(PLANES[kind] for kind in kinds)  # type: ignore[index]


def _resolve_marker(table: T, kind: str) -> Steps:
    """[11.4.1, 11.4.2, 11.4.3] Resolve one marker: its way in, the flak on it, and its attack."""
    path, target = yield from _way_in(table, kind)
    for ship in _firing_ships(table, path):
        stopped = _fire_flak(table, ship, kind)
        if stopped == DIVERTED:
            _roll_ordnance(table, kind, ship)
        if stopped:
            return
    if target is None:
        target = yield from _choose_target(table)
    _roll_ordnance(table, kind, target)


def _way_in(table: T, kind: str) -> Choice[tuple[list[str], Ship | None]]:
    """[11.4.1, DR102] Return the spaces that a marker crosses, from outside; a fighter has its target already."""
    face = table.roll_dice("11.4.1", kind)[0]
    layout = table.data.ships.layout
    if kind == FIGHTER:
        target = yield from _fighter_targets(table, face)
        table.log_line("11.4.1", "The fighters attack {} (roll {}).", named(table, target), face, target=target)
        return [target.space], target
    arrows = layout.torpedo if kind == TORPEDO else layout.dive
    label = label_of(arrows, face) if kind == TORPEDO else ("odd" if face % 2 else "even")
    path = arrows[label]
    names = [layout.spaces[space].name for space in path]
    text, way = "The {} come in by {} (roll {}).", " and ".join(names)
    table.log_line("11.4.1", text, _planes_text([kind]), way, face, target=space_key(path[0]))
    return path, None


def _fighter_targets(table: T, face: int) -> Choice[Ship]:
    """[11.4.1] Return the fighters' target: even, a cruiser or any ship; odd, the Hornet or the largest ship."""
    ships = ships_afloat(table.state, table.state.airstrike.group)
    if table.data.airstrike.aim.of(face) == "cruiser":
        cruisers = [ship for ship in ships if card_of(table.data, ship).type in (CRUISER, LIGHT_CRUISER)]
        return (yield from _choose_ship(table, cruisers or ships))
    if hornet(table) in ships:
        return hornet(table)
    size = max(card_of(table.data, ship).size for ship in ships)
    return (yield from _choose_ship(table, [ship for ship in ships if card_of(table.data, ship).size == size]))


def _choose_ship(table: T, ships: Sequence[Ship]) -> Choice[Ship]:
    """[11.4.1, 11.4.3] Choose the ship that is attacked."""
    options = ship_options(table, "at", ships)
    chosen = yield from table.choose(table.state.captain, "11.4.3", "Which ship do they attack?", options)
    return chosen.value  # type: ignore[no-any-return]


def _firing_ships(table: T, path: Sequence[str]) -> list[Ship]:
    """[11.4.2, DR102, DR151] Return the ships that fire, space by space from outside, in each the carriers last.

    At a fighter those about its target fire.
    """
    firing = list[Ship]()
    for space in path:
        there = ships_afloat(table.state, table.state.airstrike.group, space=space)
        firing += sorted(there, key=lambda ship: card_of(table.data, ship).type == CARRIER)
    return [ship for ship in firing if flak_dice(table, ship)]


def _fire_flak(table: T, ship: Ship, kind: str) -> str:
    """[11.4.2, DR58] Fire a ship's flak: a hit removes the marker, else it may be diverted, which removes a fighter."""
    chart = table.data.airstrike.flak
    column = chart.columns[0]
    least = lowest_total(chart, column, lambda cell: cell != NOTHING)
    roll: Roll = table.roll(HitCheck("11.4.2", "flak", flak_dice(table, ship), face=least), f"{ship.key}-{kind}")
    fires = {chart.cell(face, column) for face in roll.dice}
    result = SHOT if SHOT in fires or (DIVERTED in fires and kind == FIGHTER) else DIVERTED if DIVERTED in fires else ""
    text = {SHOT: "drives the planes off", DIVERTED: "diverts the planes to herself", "": "hits no planes"}[result]
    table.log_line("11.4.2", "{} {}.", named(table, ship), text, roll, target=ship)
    return result


def _choose_target(table: T) -> Choice[Ship]:
    """[11.4.3, 11.4.1] Return the target: a carrier, else an oiler, a cruiser, or any ship.

    While there are bombers on the Hornet's deck, also on her way home, she is the carrier.
    """
    ships = ships_afloat(table.state, table.state.airstrike.group)
    carriers = {ship.key: ship for ship in ships if ship.key in (hornet(table).key, ENTERPRISE)}
    loaded = bombers_on_deck(table.state) or any(bomber.fate == "home" for bomber in table.state.squad.values())
    if len(carriers) > 1 and not loaded:
        face = table.roll_dice("11.4.3", "carrier")[0]
        aimed = carriers[table.data.naval.carrier_aim.of(face)]
        text = "The planes aim at {} (roll {})."
        table.log_line("11.4.3", text, named(table, aimed), face, target=aimed, is_miss=True)
        return aimed
    if carriers:
        return carriers.get(hornet(table).key) or carriers[ENTERPRISE]
    for kind in (OILER, CRUISER):
        identical = [ship for ship in ships if card_of(table.data, ship).type == kind]
        if identical:
            return (yield from _choose_ship(table, identical))
    return (yield from _choose_ship(table, ships))


def _roll_ordnance(table: T, kind: str, ship: Ship) -> None:
    """[11.4.3] Roll two dice: the ship is sunk, damaged, or missed."""
    roll = table.roll_on_chart(table.data.airstrike.ordnance, kind, f"{ship.key}-{kind}")
    planes = _planes_text([kind])
    table.log_line("11.4.3", "The {} attack {}: {}.", planes, named(table, ship), roll, target=ship)
    table.state.add_to_story("bombed", ship.key, roll.cell)
    if roll.cell in ("sunk", "damaged"):
        (sink_ship if roll.cell == "sunk" else hit_ship)(table, ship, "11.4.3", planes)


# -- the counterstrike -------------------------------------------------------------------------------------------------


DISASTER, SCRATCH = "disaster", "scratch"
CONTACTS = {"contact": 1, "contact twice": 2}
"""[11.5.1] How many dice are rolled for ships in contact."""


def counterstrike(table: T) -> None:
    """[11.5, 11.5.1] Roll for the report of the planes that were sent, if any; fighters among them add to it."""
    state, strike = table.state, table.state.airstrike
    sent = [state.sea.recon[key] for key in strike.navy]
    state.strike = None
    if not sent:
        return
    chart, cards = table.data.airstrike.counterstrike, [recon_card(table.data, recon) for recon in sent]
    column = chart.columns[sum(card.strikes for card in cards) - 1]
    escorted = any(card.escorts for card in cards)
    modifiers = [("escort", table.data.airstrike.counter.escort)] if escorted else []
    roll = table.roll_on_chart(chart, column, "counterstrike", modifiers)
    table.reveal("11.5.1", "Our planes report: {}.", roll, target=ENTERPRISE)
    state.add_to_story("counterstrike", "", roll.cell)
    if roll.cell in CONTACTS:
        _roll_contact(table, len(sent), CONTACTS[roll.cell])
    elif roll.cell == SCRATCH:
        _record_sunk(table, ships=1, carriers=1)
    _land_planes(table, sent, lost=roll.cell == DISASTER)


def contact_check(table: T, markers: int) -> Check:
    """[11.5.1] Return the check to sink a ship, with the planes as a modifier."""
    least = table.data.airstrike.counter.sunk_from
    return Check("11.5.1", "attack on ships", at_least=least, modifiers=[("planes", markers)])


def _roll_contact(table: T, markers: int, dice: int) -> None:
    """[11.5.1, DR109] Roll each die to sink a ship; if both do, one of the ships was a carrier."""
    sunk = 0
    for _ in range(dice):
        roll = table.roll(contact_check(table, markers), "contact")
        text = "sink" if roll else "fail to sink"
        table.log_line("11.5.1", "American planes {} a Japanese ship.", text, roll, target=ENTERPRISE)
        sunk += roll.passed
    _record_sunk(table, ships=sunk, carriers=int(sunk > 1))


def _record_sunk(table: T, *, ships: int, carriers: int) -> None:
    """[11.5.1, DR109] Record enemy ships that were sunk; a carrier is one of them."""
    facts = table.state.facts
    for fact, number in (("enemy-ships", ships), ("enemy-carriers", carriers)):
        if number:
            facts[fact] = facts.get(fact, 0) + number
    if ships:
        what = "including a carrier" if ships > 1 else "a carrier" if carriers else "of unknown type"
        moment = "A Japanese carrier is sunk" if carriers else ""
        table.reveal("11.5.1", "Enemy ships sunk: {}, {}.", ships, what, target=ENTERPRISE, moment=moment)
        table.state.add_to_story("enemy-carrier-sunk" if carriers else "enemy-ship-sunk", "", str(ships))


def _land_planes(table: T, sent: Sequence[Recon], *, lost: bool) -> None:
    """[11.5.1, 11.4.3] Land the planes, unless they are lost or the Enterprise cannot recover them."""
    deck = sound_enterprise(table.state, "")
    for recon in sent:
        if lost or deck is None:
            remove_recon(table, recon)
        else:
            recon.place = HANGAR
    if not lost and deck is None:
        text = "The Enterprise cannot recover her planes. They land on the Hornet or ditch."
        table.log_line("11.4.3", text, target=ENTERPRISE, is_miss=True)
