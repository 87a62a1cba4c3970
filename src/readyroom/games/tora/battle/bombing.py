"""[11] Attacks on the ground and on ships: bombs, torpedoes, strafing, and return fire from the yard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from readyroom.engine.rules.checks import Volley, percent
from readyroom.engine.rules.decisions import Decision, OptionInfo, Unavailable
from readyroom.engine.rules.table import Choice
from readyroom.engine.text import agree, capitalize_first, count_noun, describe_times, join_list
from readyroom.games.tora.battle.guns import yard_fires
from readyroom.games.tora.battle.losses import bury, destroy, wound
from readyroom.games.tora.battle.reach import (
    Area,
    Formation,
    anchored,
    formations,
    lies_in,
    other_ships,
    parked,
    ships_at_berths,
    titled,
    where_parked,
    without,
)
from readyroom.games.tora.figures import JAPAN, SideName
from readyroom.games.tora.harbor import ShipAtBerth, blocked_rows, torpedo_clear, why_no_torpedo
from readyroom.games.tora.odds import chance, expected, from_the_air, in_the_air, strike_hint
from readyroom.games.tora.plans.data import ORDNANCE_TITLES, Ordnance
from readyroom.games.tora.state import AirUnit, Battery, PieceText, Ship, T, YardToken, seat_of

Target = AirUnit | Battery | YardToken | Ship
RULES = {Ordnance.NONE: "11.7", Ordnance.GP: "11.1", Ordnance.AP: "11.5", Ordnance.TORPEDO: "11.4"}
"""The rule of each kind of attack."""
AIRCRAFT, YARD, BATTERY, SHIP = "aircraft", "yard", "battery", "ship"


class Attack(NamedTuple):
    """A unit, its target and ordnance; of a stack the top unit is the target."""

    unit: AirUnit
    target: Target
    ordnance: Ordnance


# -- aiming ----------------------------------------------------------------------------------------------------------


def take_aim(table: T, area: Area, strafed: list[Attack]) -> Choice[list[Attack]]:
    """[11.1, 10.1] Choose targets for the bombers over an area; parked aircraft are attacked once a turn (T12)."""
    attacks = list(strafed)
    for zone in area:
        for formation in formations(table.state, JAPAN, zone):
            if formation.ordnance is not Ordnance.NONE:
                attacks += yield from _aim(table, area, formation, attacks)
    return attacks[len(strafed) :]


def _aim(table: T, area: Area, formation: Formation, attacks: list[Attack]) -> Choice[list[Attack]]:
    """[11.1] Ask one question for a formation; the strongest unit takes the first target (T31)."""
    load, count = formation.ordnance, len(formation.units)
    targets = aims(table, area, load, attacks)
    chosen: list[Target] = yield from table.choose_some(
        seat_of(table.state.japan, formation.zone),
        RULES[load],
        f"{formation} ({formation.strengths}): what {agree(count, 'does it', 'do they')} attack?{formation.order}",
        targets,
        at_most=count,
        limit=lambda target: 1 if isinstance(target, AirUnit) else count,
        text=lambda target: titled(table.state.usa, target),
        info=_hints(table, formation.units[0]),
        unavailable=lambda: _unavailable(table, area, load, targets),
        piece_key=f"attack:{formation.key}",
    )
    units = yield from who_attacks(table, JAPAN, formation, len(chosen), _targets_text(table, chosen))
    return [Attack(unit, target, load) for unit, target in zip(units, chosen, strict=True)]


def _targets_text(table: T, chosen: Sequence[Target]) -> str:
    """Return the chosen targets, each with its number of attackers, for the next question."""
    counts = Counter(titled(table.state.usa, target) for target in chosen)
    return f" {join_list([describe_times(count, name) for name, count in counts.items()])}"


def aim_odds(table: T, decision: Decision, chosen: Sequence[Target]) -> Mapping[str, str]:
    """[11.1] Describe what a formation does to each chosen target, if its strongest units attack (T31).

    The odds against a ship are without condition ZEBRA [5.6], which Japan cannot know.
    """
    zone = (decision.piece_key or "").removeprefix("attack:").partition(":")[0]
    found = formations(table.state, JAPAN, zone) if zone in table.state.zones else ()
    formation = next((one for one in found if f"attack:{one.key}" == decision.piece_key), None)
    if formation is None:
        return {}
    dice, targets = Counter[str](), {target.key: target for target in chosen}
    for unit, target in zip(formation.units, chosen, strict=False):
        dice[target.key] += unit.strength
    fire = from_the_air(table.data, table.state.bomber_hit, formation.ordnance)
    words = {}
    for key, count in dice.items():
        left, end = hits_left(table, targets[key])
        words[key] = f"{expected(count, fire):.1f} expected hits, {end} {percent(chance(count, fire, left))}"
    return words


def hits_left(table: T, target: Target) -> tuple[int, str]:
    """Return how many hits end a target, and how it ends; of a ship as far as Japan knows."""
    if isinstance(target, Ship):
        plain = table.data.ships.preset[table.state.rulings.preset].strength[target.kind]
        return max(1, plain - target.hits), "sunk"
    if isinstance(target, AirUnit):
        return target.strength, "destroyed"
    most = target.strength if isinstance(target, Battery) else target.capacity
    return most - target.hits, "destroyed"


def who_attacks(table: T, side: SideName, formation: Formation, count: int, targets: str = "") -> Choice[list[AirUnit]]:
    """[10.2, 11.1] Return the units that take the chosen targets, which the question names, the strongest first.

    If fewer units attack than there are, and their strengths differ, ask which of them attack (T31).
    """
    units = formation.units
    if count == len(units) or formation.equal:
        return units[:count]
    chosen = yield from table.choose_some(
        seat_of(table.state.side(side), formation.zone),
        RULES[formation.ordnance] if side == JAPAN else "10.2",
        f"Which {agree(count, 'one', str(count))} of {formation} {agree(count, 'attacks', 'attack')}{targets}?"
        f"{agree(count, '', formation.order)}",
        units,
        at_least=count,
        at_most=count,
        info=partial(_unit_info, table, side),
        piece_key=f"units:{formation.key}",
    )
    return sorted(chosen, key=units.index)


def _unit_info(table: T, side: SideName, unit: AirUnit) -> OptionInfo | None:
    """[10.3, 11.1] Return the hits of a bomber, or of an American fighter; a Zero may fight or strafe."""
    if unit.ordnance is not Ordnance.NONE:
        fire = from_the_air(table.data, table.state.bomber_hit, unit.ordnance)
    elif side != JAPAN:
        fire = in_the_air(table.data, unit.type)
    else:
        return None
    note = f"{unit.strength} dice, {expected(unit.strength, fire):.1f} expected hits; any hit"
    return OptionInfo(note, float(chance(unit.strength, fire, 1)))


def aims(table: T, area: Area, load: Ordnance, attacks: list[Attack]) -> list[Target]:
    """[7.4, 9.2, 9.3] Return the legal targets of an ordnance in an area, without stacks already attacked."""
    state, places = table.state, table.data.places
    kinds: list[str] = getattr(table.data.combat.targets, load.value)
    targets: list[Target] = []
    if SHIP in kinds:
        ships = anchored(state, places, area)
        targets += _exposed(table, ships) if load is Ordnance.TORPEDO else ships
    if AIRCRAFT in kinds:
        tops = [stack[-1] for stack in parked(state.usa, area)]
        targets += without(tops, [attack.target for attack in attacks])
    if BATTERY in kinds:
        targets += [battery for battery in state.usa.batteries if battery.zone in area and not battery.destroyed]
    if YARD in kinds and places.yard.zone in area:
        targets += [token for token in state.usa.yard if not token.destroyed]
    return targets


def _exposed(table: T, ships: list[Ship]) -> list[Ship]:
    """[11.4] Return the ships with open water for a torpedo at a long edge; outer ships shield inner ones (T8)."""
    lying, harbor = ships_at_berths(table.state), table.data.places.harbor
    shield = table.state.rulings.wrecks == "shield"
    return [
        one.hull
        for one in lying
        if one.hull in ships and torpedo_clear(harbor, one, other_ships(one.hull, lying), shield)
    ]


def _unavailable(table: T, area: Area, load: Ordnance, targets: list[Target]) -> Iterator[Unavailable]:
    """[7.4, 11.2, 11.3] Yield ships and aircraft that this ordnance cannot attack, with the reason."""
    state, places, title = table.state, table.data.places, capitalize_first(ORDNANCE_TITLES[load])
    offered, lying = {target.key for target in targets}, ships_at_berths(state)
    for ship in (ship for ship in state.usa.ships if ship.key not in offered and lies_in(ship, places, area)):
        if ship.sunk:
            yield Unavailable(ship.key, str(ship), "11.1", f"{ship} has sunk.")
        elif load is Ordnance.TORPEDO:
            one = next(other for other in lying if other.hull is ship)
            yield Unavailable(ship.key, str(ship), *why_no_torpedo(places.harbor, one, other_ships(one.hull, lying)))
        else:
            yield Unavailable(ship.key, str(ship), "7.4", f"{title} cannot attack ships.")
    for stack in parked(state.usa, area):
        for unit in (unit for unit in stack if unit.key not in offered):
            if load is not Ordnance.GP:
                rule, reason = "7.4", f"{title} cannot attack parked aircraft."
            elif unit is not stack[-1]:
                rule, reason = "11.2", f"{unit} is parked under {stack[-1]}, which is hit first."
            else:
                rule, reason = "11.3", f"{unit} is already a target this turn."
            yield Unavailable(unit.key, str(unit), rule, reason)


def _hints(table: T, unit: AirUnit) -> Callable[[Target], OptionInfo]:
    """Return a function that describes the strongest unit's odds against a target.

    Those against a ship are without condition ZEBRA [5.6], which Japan cannot know.
    """
    fire = from_the_air(table.data, table.state.bomber_hit, unit.ordnance)

    def hint(target: Target) -> OptionInfo:
        if isinstance(target, AirUnit):
            parking = where_parked(table.state.usa, target)
            assert parking is not None
            return stack_hint(table, unit, parking[1])
        return strike_hint(unit.strength, fire, *hits_left(table, target))

    return hint


def stack_hint(table: T, unit: AirUnit, stack: list[AirUnit]) -> OptionInfo:
    """[11.2] Describe a unit's odds against a stack."""
    fire = from_the_air(table.data, table.state.bomber_hit, unit.ordnance)
    under = f", on {stack[-2]}" if len(stack) > 1 else ""
    note = f"parked{under}; {unit.strength} dice, {expected(unit.strength, fire):.1f} expected hits; destroyed"
    return OptionInfo(note, float(chance(unit.strength, fire, stack[-1].strength)))


# -- dropping --------------------------------------------------------------------------------------------------------


def bomb(table: T, area: Area, attacks: list[Attack]) -> None:
    """[11.1, 11.7] Resolve all attacks on the ground and on ships, target by target; roll a die per aircraft."""
    together: dict[tuple[str, Ordnance], list[Attack]] = {}
    for attack in attacks:
        together.setdefault((attack.target.key, attack.ordnance), []).append(attack)
    homes = {unit.key: field for field in table.state.usa.fields for unit in field.units()}
    known = len(table.state.usa.lost)
    for group in together.values():
        _strike(table, group)
    fallen = Counter(homes[unit.key].name for unit in table.state.usa.lost[known:] if unit.key in homes)
    for name, count in fallen.items():
        table.log_line("11.2", "{} has lost {} on the ground in this attack.", name, count_noun(count, "unit"))
    if together:
        bury(table, JAPAN, area)


def _strike(table: T, group: list[Attack]) -> None:
    """[11.1, 11.4, 11.5, 11.6, 11.7] Resolve an attack by units with the same ordnance, which is used up (T15).

    A battery, silenced in the end (T18), and a yard token take hits up to their strength or capacity [4.3, 4.4, 17.2].
    """
    target, load, units = group[0].target, group[0].ordnance, [attack.unit for attack in group]
    rule, fire = RULES[load], from_the_air(table.data, table.state.bomber_hit, load)
    dice = sum(unit.strength for unit in units)
    salvo = table.roll(Volley(rule, f"{target}", dice, fire), f"{target.key}-{load.value}")
    acts = "strafes" if load is Ordnance.NONE else agree(len(units), "attacks", "attack")
    misses = agree(len(units), "{} {} {}{} and misses.", "{} {} {}{} and miss.")
    template = "{} {} {}{}: {}." if salvo.hits else misses
    log = partial(table.log_line, rule, template, units, acts, PieceText.of(target), load.phrase, salvo, target=target)
    for unit in units:
        unit.acted, unit.ordnance = table.state.at.turn, Ordnance.NONE
    if isinstance(target, AirUnit):
        fallen = _wound_stack(table, target, salvo.hits)
        log()
        for unit in fallen:
            _leave_stack(table, unit)
            destroy(table, rule if unit is target else "11.2", unit)
    elif isinstance(target, Ship):
        hit_ship(table, target, salvo.hits, log, explodes=load is Ordnance.AP and len(salvo.rounds) > 1)
    else:
        _hit_ground(table, rule, target, salvo.hits, log)
    if isinstance(target, YardToken):
        yard_fires(table, target, units)


def _wound_stack(table: T, top: AirUnit, hits: int) -> list[AirUnit]:
    """[11.2, 9.2] Hit the top unit first; excess hits fall on the lower one. Return those that are to be destroyed."""
    parking = where_parked(table.state.usa, top)
    assert parking is not None
    fallen = []
    for unit in reversed(parking[1]):
        borne = min(hits, unit.strength)
        if wound(unit, borne):
            fallen.append(unit)
        hits -= borne
    return fallen


def _leave_stack(table: T, unit: AirUnit) -> None:
    """[11.2] A destroyed unit leaves its field."""
    parking = where_parked(table.state.usa, unit)
    assert parking is not None
    field, stack = parking
    table.state.usa.lost.append(stack.pop())
    field.stacks[:] = [stack for stack in field.stacks if stack]


def _hit_ground(table: T, rule: str, target: Battery | YardToken, hits: int, log: Callable[[], None]) -> None:
    """[4.3, 4.4] Add hits up to the strength of a battery or the capacity of a token.

    `log` writes the line of the attack: after the hits, unless they destroy the target, which has its own line.
    """
    most = target.strength if isinstance(target, Battery) else target.capacity
    after = min(most, target.hits + hits)
    if after < most:
        target.hits = after
        log()
    else:
        log()
        target.hits = after
        table.log_line(rule, "{} is destroyed.", target, target=target)


def hit_ship(table: T, ship: Ship, hits: int, log: Callable[[], None], *, explodes: bool) -> None:
    """[14.2, 8.6] Add hits until a ship sinks; a wreck in the channel blocks it.

    `log` writes the line of the attack: after the hits, unless they damage or sink her, which has its own line.
    `explodes` says that bombs went off again inside her [11.5].
    """
    after = ship.hits if ship.sunk else ship.hits + hits
    damages = not table.state.damaged(ship) and after >= table.state.damaged_at
    if ship.sunk or not (damages or after >= ship.strength):
        ship.hits = after
        log()
        return
    log()
    ship.hits = after
    if ship.sunk:
        moment = f"Magazine explosion: {ship} sunk" if explodes and ship.capital else f"{ship} sunk"
        template = "{} sinks: {} for her strength of {}."
        table.log_line("14.2", template, ship, count_noun(after, "hit"), ship.strength, target=ship, moment=moment)
        assert ship.berth is not None
        if blocked_rows(table.data.places.harbor, [ShipAtBerth(ship, ship.berth, ship.sunk)]):
            table.log_line("8.6", "{}'s wreck blocks the channel.", ship, target=ship)
    else:
        moment = f"{ship} damaged" if ship.capital else ""
        template = "{} is damaged: {} for her strength of {}."
        table.log_line("14.2", template, ship, count_noun(after, "hit"), ship.strength, target=ship, moment=moment)
