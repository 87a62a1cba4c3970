"""[12.1] The general quarters phase: ships, recon, submarines, detached ships, and repairs."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import astuple

from readyroom.engine.rules.checks import Check, signed
from readyroom.engine.rules.decisions import BudgetGroup, Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import en_dashes
from readyroom.games.doolittle.bombers import has_benefit, repair_bomber, repair_options, use_benefit
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.state import T, announce_lead
from readyroom.games.doolittle.voyage.formation import (
    arrange_ships,
    choose_space,
    fitting_spaces,
    place_ships,
    usual_layout,
)
from readyroom.games.doolittle.voyage.ships import (
    FORCE,
    HANGAR,
    HIGH_CAP,
    LOCAL,
    LOW_CAP,
    area_key,
    area_name,
    bombers_on_deck,
    card_of,
    following_area,
    in_contact,
    is_slow,
    of_type,
    recon_area,
    recon_card,
    recon_in_use,
    remove_recon,
    ship_name,
    ship_options,
    ships_afloat,
    turn_name,
    undamaged,
    without_cruisers,
)
from readyroom.games.doolittle.voyage.state import FIRST_FORCE, GONE, HOME, Recon, Ship, Submarine
from readyroom.games.doolittle.voyage.view import draw_words

ARRANGE, DETACH = "arrange", "detach"
PLACES = {
    HANGAR: "in the hangar",
    LOCAL: "near the force, watching for I-boats",
    FORCE: "out in the force's sea area",
    LOW_CAP: "on low CAP",
    HIGH_CAP: "on high CAP",
}


def general_quarters(table: T) -> Steps:
    """[12.1, 9.2, 12.2.3, DR150] Play general quarters: ships, submarines, recon, repairs.

    After a fire those who were first have flown their raid by now, and its winds are over (12.3.2).
    """
    state, sea = table.state, table.state.sea
    state.begin("naval")
    state.sky.planned = sea.over = False
    state.sky.winds.clear()
    state.sky.weather.clear()
    if not sea.begun:
        sail(table)
    here = area_name(table.data, sea.area)
    low = "" if sea.fueled else ", low on fuel"
    text, when = "{}: the force is at {}{}.", en_dashes(turn_name(table.data, sea.turn))
    table.log_line("9.2", text, when, here, low, target=f"naval-turn-{sea.turn}")
    announce_lead(table)
    yield from _recall_stragglers(table)
    yield from _give_orders(table)
    _recall_recon(table)
    yield from _call_submarines(table)
    yield from assign_recon(table, recon_in_use(state), "12.1.1")
    yield from _let_copilots_repair(table)
    _roll_recovery(table)


# -- ships -----------------------------------------------------------------------------------------------------------


def _recall_stragglers(table: T) -> Steps:
    """[9.5.1, 12.1.6] Move ships that are no longer slow back from far astern, as soon as there is room."""
    ships = ships_afloat(table.state)
    for ship in ships:
        places = {one.key: one.space for one in ships if one is not ship}
        able = fitting_spaces(table.data, ship, places, ships)
        if able and ship.space not in able:
            ship.space = yield from choose_space(table, ship, places, ships, "9.5.1")


def _give_orders(table: T) -> Steps:
    """[12.1, 12.1.4] Choose whether ships are sent home and whether the others are arranged again."""
    options = [
        Option(ARRANGE, "rearrange ships"),
        Option(DETACH, "send ships home", info=OptionInfo("they cannot return")),
    ]
    chosen = yield from table.choose_some(table.state.captain, "12.1", "Which orders do you give the ships?", options)
    wanted = [option.key for option in chosen]
    if DETACH in wanted:
        yield from _detach(table)
    if ARRANGE in wanted:
        yield from arrange_ships(table, ships_afloat(table.state), "9.5.1", keeping=True)


def _detach(table: T) -> Steps:
    """[12.1.4, DR117] Choose ships but the Hornet to steam home as a group; in port they stay there.

    Their markers go back, and their recon leaves the game.
    """
    state, sea = table.state, table.state.sea
    able = [ship for ship in ships_afloat(state) if ship.key != table.data.ships.fleet.launches]
    options = ship_options(table, "detach", able, _loss_hint)
    chosen = yield from table.choose_some(state.captain, "12.1.4", "Which ships do you send home?", options)
    if not chosen:
        return
    group = HOME
    if sea.area:
        group = f"group-{len(sea.groups) + 1}"
        sea.groups[group] = sea.area
    for ship in [option.value for option in chosen]:
        ship.group, ship.space = group, ""
        state.put_back(*ship.markers)
        ship.markers = []
        state.add_to_story("detached", ship.key, sea.area)
        for recon in recon_in_use(state):
            if recon_card(table.data, recon).ship == ship.key:
                remove_recon(table, recon)
    without_cruisers(table)
    names = ", ".join(option.text for option in chosen)
    sent, area = KeyedText(names, *(option.value.key for option in chosen)), area_name(table.data, sea.area)
    table.log_line("12.1.4", "These ships head home from {}: {}.", area, sent, target=area_key(sea.area))


def _loss_hint(table: T, ship: Ship) -> OptionInfo:
    """[10.1.2, 12.1.4] Return a ship's type and state, and the recon that goes with her."""
    texts = [card_of(table.data, ship).type, *(["damaged"] if ship.hits else [])]
    texts += ["slow"] if is_slow(table.data, ship) else []
    own = [card.name for card in table.data.ships.recon.marker if card.ship == ship.key]
    return OptionInfo(", ".join([*texts, *([f"takes {', '.join(own)} with her"] if own else [])]))


# -- recon -----------------------------------------------------------------------------------------------------------


def _recall_recon(table: T) -> None:
    """[12.1.1, DR50] Let recon join the force when it has caught up; recon left behind returns to the hangar."""
    sea = table.state.sea
    for recon in recon_in_use(table.state):
        area = recon_area(table.state, recon)
        if area and area == sea.area:
            recon.place = FORCE
        elif area and area != following_area(table.data, sea.area):
            recon.place = HANGAR


def can_launch_recon(table: T, recon: Recon) -> bool:
    """[10.1.1, 10.2.1, 12.1.6] Return whether a recon can be launched: whole, and from a sound ship."""
    if recon.markers or recon.place == GONE:
        return False
    card = recon_card(table.data, recon)
    if card.type is not None:
        return bool(undamaged(of_type(table, card.type)))
    return any(ship.key == card.ship for ship in undamaged(ships_afloat(table.state)))


def recon_places(table: T, recon: Recon, *, further: bool = True) -> dict[str, str]:
    """[9.5.2, 12.1.1, 12.1.2, DR50] Return where a recon may be, with what to call it; CAP is for the fighters alone.

    Those that join at a rendezvous do not fly ahead of the force (12.5.3).
    """
    sea = table.state.sea
    result = {key: PLACES[key] for key in (HANGAR, LOCAL)}
    if sea.area:
        result[FORCE] = PLACES[FORCE]
    ahead = following_area(table.data, sea.area)
    if ahead and further:
        result[ahead] = f"ahead, in {area_name(table.data, ahead)}"
    if recon_card(table.data, recon).patrols:
        result |= {key: PLACES[key] for key in (LOW_CAP, HIGH_CAP)}
    return result


def assign_recon(table: T, recons: Sequence[Recon], rule: str, *, ahead: bool = True) -> Steps:
    """[12.1.1, 12.1.2, 9.5.2] Choose places for recon; the others stay where they are."""
    options, groups = [], []
    for recon in [recon for recon in recons if can_launch_recon(table, recon)]:
        name = recon_card(table.data, recon).name
        own = [
            Option(f"{recon.key}-{place}", f"{name} {text}", (recon, place), cell=(name, text))
            for place, text in recon_places(table, recon, further=ahead).items()
            if place != recon.place
        ]
        options += own
        groups.append(BudgetGroup(recon.key, name, own))
    chosen = yield from table.choose_some(
        table.state.captain, rule, "Where do you send recon?", options, cost=lambda _: 1, budget=1, budget_groups=groups
    )
    for option in chosen:
        recon, place = option.value
        recon.place = place
        name = KeyedText(recon_card(table.data, recon).name, recon.key)
        there = recon_area(table.state, recon) or recon.place
        table.log_line(rule, "{} is {}.", name, recon_places(table, recon)[place], target=there)


# -- submarines ------------------------------------------------------------------------------------------------------


def contact_check(table: T) -> Check:
    """[12.1.3] Return the dice that call a submarine."""
    figures = table.data.ships.submarines
    return Check("12.1.3", "contact", dice=figures.dice, at_least=figures.contact)


def _call_submarines(table: T) -> Steps:
    """[12.1.3, DR150] Choose submarines to call, by a roll each, or to silence, each once a turn."""
    state, names = table.state, {card.key: card.name for card in table.data.ships.submarines.submarine}
    left = [boat for boat in state.sea.submarines.values() if boat.area and not boat.lost]
    while left:
        options = [Option("enough", "no other submarine")]
        options += [_submarine_option(table, boat, names[boat.key]) for boat in left]
        chosen = yield from table.choose(state.captain, "12.1.3", "Which submarine do you call or silence?", options)
        boat = chosen.value
        if boat is None:
            return
        left.remove(boat)
        if boat.contact:
            boat.contact = False
            table.log_line("12.1.3", "{} goes silent.", KeyedText(names[boat.key], boat.key), target=boat)
        else:
            roll = table.roll(contact_check(table), boat.key)
            boat.contact = roll.passed
            text = "answers" if roll else "does not answer"
            name = KeyedText(names[boat.key], boat.key)
            table.log_line("12.1.3", "{} is called and {}.", name, text, roll, target=boat)


def _submarine_option(table: T, boat: Submarine, name: str) -> Option:
    """[12.1.3] Return the word that a submarine may get."""
    there = area_name(table.data, boat.area)
    if in_contact(table.state, boat.key):
        hint = OptionInfo("no longer a patrol: draws no hazards and gives no bonus")
        return Option(f"break-{boat.key}", f"silence the {name} in {there}", boat, hint)
    hint = OptionInfo(f"answers; {_contact_effects(table, boat)}", float(contact_check(table).odds()))
    return Option(f"call-{boat.key}", f"call the {name} in {there}", boat, hint)


def _contact_effects(table: T, boat: Submarine) -> str:
    """[8.1.4, 12.1.3, 12.2, 12.5.3, 12.6.2, 12.7.1, 14.2.1] Return the effects of a submarine in contact."""
    data, area = table.data, table.data.sea.area[boat.area]
    parts = [f"then a patrol that draws hazards in its area ({draw_words([astuple(draw) for draw in area.draw])})"]
    if boat.area == table.state.sea.area:
        parts.append(f"rendezvous {signed(data.naval.rendezvous.submarine)}")
    if boat.area == data.sea.order[-1]:
        parts.append(f"finding a city {signed(data.flying.acquisition.submarine)} and a contact marker each turn")
    return "; ".join(parts)


# -- repairs ---------------------------------------------------------------------------------------------------------


def _let_copilots_repair(table: T) -> Steps:
    """[12.1.5, 2.3.2] Let each elite copilot repair damage or a transit hazard of a bomber on the deck, once."""
    known, seat = table.data.embarkation.cup.markers, table.state.captain
    for man in bombers_on_deck(table.state):
        options = [Option("wait", "nothing for now")]
        for bomber in bombers_on_deck(table.state):
            hazards = [(one, known[one.key].title) for one in bomber.markers if one.key in known]
            options += repair_options(table, bomber, hazards)
        if len(options) == 1 or man.elite is None or not has_benefit(table.data, man.elite, "repair"):
            continue
        question = f"What does {table.data.bombers.crewmen[man.elite.key].name} repair on the deck?"
        chosen = yield from table.choose(seat, "12.1.5", question, options, piece_key=man.key)
        if chosen.value is not None:
            use_benefit(table, man)
            repair_bomber(table, "12.1.5", *chosen.value)


def recovery_check(table: T, marker: Marker) -> Check:
    """[12.1.6] Return the dice that get a ship or recon out of mechanical distress."""
    least = table.data.sea_hazards.markers[marker.key].recovery
    return Check("12.1.6", "recovery", dice=table.data.naval.recovery.dice, at_least=least)


def _roll_recovery(table: T) -> None:
    """[12.1.6, 12.6.6.F] Roll for each mechanical distress at the end of the phase."""
    bearers: list[tuple[str, str, list[Marker]]] = [
        (ship.key, f"The {ship_name(table, ship)}", ship.markers) for ship in ships_afloat(table.state)
    ]
    bearers += [(recon.key, recon_card(table.data, recon).name, recon.markers) for recon in recon_in_use(table.state)]
    for key, name, markers in bearers:
        for marker in list(markers):
            roll = table.roll(recovery_check(table, marker), key)
            if roll:
                markers.remove(marker)
                table.state.put_back(marker)
            text = "recovers" if roll else "is still in distress"
            table.log_line("12.1.6", "{} {}.", KeyedText(name, key), text, roll, target=key)


def sail(table: T) -> None:
    """[9.2, 12.1, 13.5.1] Put the force into San Francisco as planned, fueled; submarines wait outside."""
    state, sea = table.state, table.state.sea
    sea.begun = True
    for ship in sea.ships.values():
        if card_of(table.data, ship).force == FIRST_FORCE:
            ship.group = ""
    for recon in sea.recon.values():
        if not recon_card(table.data, recon).after_rendezvous:
            recon.place = HANGAR
    for key, area in state.orders.submarines.items():
        sea.submarines[key].area = area
    place_ships(ships_afloat(state), usual_layout(table.data, ships_afloat(state)))
    text, aboard = "The Hornet is in San Francisco with bombers on her deck: {}.", len(bombers_on_deck(state))
    moment = "The Hornet is ready to sail"
    table.log_line("12.0", text, aboard, target=table.data.ships.fleet.launches, moment=moment)
