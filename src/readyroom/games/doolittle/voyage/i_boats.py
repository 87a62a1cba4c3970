"""[12.6.6.E, 14.3.2] An I-boat attacks: its detection, its place, the reactions, and the torpedoes' targets."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.rules.checks import Check, Modifiers, nonzero_modifiers
from readyroom.engine.rules.cups import Cup
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.ships import (
    CARRIER,
    DESTROYER,
    LOCAL,
    LOW_CAP,
    card_of,
    hit_ship,
    is_slow,
    named,
    of_type,
    ship_options,
    ships_afloat,
    space_key,
    undamaged,
    weather_at,
)
from readyroom.games.doolittle.voyage.state import Ship


def resolve_attack(table: T, group: str = "") -> Steps:
    """[12.6.6.E, 14.3.2] Resolve the four steps, against the force or a detached group on the layout."""
    roll = table.roll(detection_check(table, group), group or "task-force")
    text = "detected" if roll else "not detected"
    table.log_line("12.6.6.E", "The I-boat is {}.", text, roll, target="task-force")
    if not roll:
        _roll_torpedoes(table, _center_target(table, group))
        return
    arrow = str(table.roll_dice("12.6.6.E", "arrow")[0])
    space = table.data.ships.layout.i_boat[arrow][0]
    name = table.data.ships.layout.spaces[space].name
    table.log_line("12.6.6.E", "The I-boat is at {} (roll {}).", name, arrow, target=space_key(space))
    if not (yield from _choose_reaction(table, space, group)):
        _roll_torpedoes(table, find_target(table, arrow, group))


def _attack_weather(table: T, group: str) -> str | None:
    """[12.6.6.E] Return the weather over those who are attacked."""
    area = table.state.sea.groups.get(group, table.state.sea.area)
    return weather_at(table.state, table.data, area) if area else None


def _watching_recon(table: T, place: str, group: str) -> int:
    """[12.6.6.E] Return the recon in a box of the layout; a detached group has none."""
    if group:
        return 0
    return sum(recon.place == place for recon in table.state.sea.recon.values())


def detection_check(table: T, group: str = "") -> Check:
    """[12.6.6.E] Return the check of step 1, by weather, undamaged destroyers, local recon and low CAP."""
    figures = table.data.naval.i_boat
    destroyers = len(undamaged(of_type(table, DESTROYER, group=group)))
    names: Modifiers = [
        ("calm", figures.calm if _attack_weather(table, group) == "calm" else 0),
        ("destroyers", figures.destroyer * destroyers),
        ("recon", figures.local_recon * _watching_recon(table, LOCAL, group)),
        ("low CAP", figures.low_cap * _watching_recon(table, LOW_CAP, group)),
    ]
    modifiers = nonzero_modifiers(names)
    return Check("12.6.6.E", "detection", dice=figures.dice, at_least=figures.detection, modifiers=modifiers)


def reaction_check(table: T, ship: Ship, space: str, group: str = "") -> Check:
    """[12.6.6.E] Return the check of step 3 for a ship, by weather, distance and local recon."""
    figures = table.data.naval.i_boat
    names: Modifiers = [
        ("storm", figures.reaction_storm if _attack_weather(table, group) == "storm" else 0),
        ("adjacent", figures.reaction_adjacent if ship.space != space else 0),
        ("recon", figures.reaction_recon if _watching_recon(table, LOCAL, group) else 0),
    ]
    least = card_of(table.data, ship).reaction
    return Check("12.6.6.E", "reaction", dice=figures.dice, at_least=least, modifiers=nonzero_modifiers(names))


def able_to_react(table: T, space: str, group: str = "") -> list[Ship]:
    """[12.6.6.E] Return the ships in the I-boat's space and in those that adjoin it, damaged ones among them."""
    near = {space, *table.data.ships.layout.spaces[space].adjacent}
    return [ship for ship in ships_afloat(table.state, group) if ship.space in near]


def _choose_reaction(table: T, space: str, group: str) -> Choice[bool]:
    """[12.6.6.E] Choose a ship to attack the I-boat in step 3; return whether it drives it off."""

    def info(table: T, ship: Ship) -> OptionInfo:
        return OptionInfo("removes it", float(reaction_check(table, ship, space, group).odds()))

    options = [*ship_options(table, "react", able_to_react(table, space, group), info), Option("hold", "none")]
    question = "The I-boat is detected. Which ship attacks it?"
    chosen = yield from table.choose(table.state.captain, "12.6.6.E", question, options)
    ship = chosen.value
    if ship is None:
        return False
    roll = table.roll(reaction_check(table, ship, space, group), ship.key)
    text = "drives the I-boat off" if roll else "cannot reach the I-boat"
    table.log_line("12.6.6.E", "{} {}.", named(table, ship), text, roll, target=space_key(space))
    if roll:
        facts, sea = table.state.facts, table.state.sea
        facts["i-boats"] = facts.get("i-boats", 0) + 1
        table.state.add_to_story("i-boat", ship.key, sea.groups.get(group, sea.area))
    return roll.passed


def find_target(table: T, arrow: str, group: str = "") -> Ship:
    """[12.6.6.E, DR63, DR108] Return the target of step 4: the ship that the arrow leads to, else one in the center."""
    layout = table.data.ships.layout
    if arrow in layout.straggler_arrows:
        behind = ships_afloat(table.state, group, space=layout.distress)
        if astern := [ship for ship in behind if is_slow(table.data, ship)]:
            return _draw_ship(table, astern)
    way = layout.i_boat[arrow]
    for space in way if arrow in layout.far_arrows else way[:1]:
        if there := ships_afloat(table.state, group, space=space):
            return _draw_ship(table, there)
    return _center_target(table, group)


def _center_target(table: T, group: str) -> Ship:
    """[12.6.6.E, 11.0.2] Return a carrier in the center, one of two by a die; of a group without one any ship there."""
    figures, layout = table.data.naval.carrier_aim, table.data.ships.layout
    there = ships_afloat(table.state, group, space=layout.center)
    carriers = [ship for ship in there if card_of(table.data, ship).type == CARRIER]
    if len(carriers) > 1:
        face = table.roll_dice("12.6.6.E", "carrier")[0]
        aimed = next(ship for ship in carriers if ship.key == figures.of(face))
        table.log_line("12.6.6.E", "The I-boat aims at {} (roll {}).", named(table, aimed), face, target=aimed)
        return aimed
    return _draw_ship(table, carriers or there or ships_afloat(table.state, group))


def _draw_ship(table: T, ships: Sequence[Ship]) -> Ship:
    """[DR63] Return one of these ships by lot."""
    if len(ships) == 1:
        return ships[0]
    return table.draw(Cup(list(ships)), "12.6.6.E", "target")


def _roll_torpedoes(table: T, ship: Ship) -> None:
    """[12.6.6.E] Roll step 4 against the ship's hull: if it passes the torpedoes miss, else they damage her."""
    dice, least = table.data.naval.i_boat.dice, card_of(table.data, ship).hull
    roll = table.roll(Check("12.6.6.E", "torpedoes", dice=dice, at_least=least), ship.key)
    text = "miss" if roll else "hit"
    table.log_line("12.6.6.E", "Torpedoes {} {}.", text, named(table, ship), roll, target=ship)
    if not roll:
        hit_ship(table, ship, "12.6.6.E", "torpedoes")
