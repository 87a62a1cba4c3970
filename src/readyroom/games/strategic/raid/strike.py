"""[PH.4 to PH.9] A strike on Pearl Harbor: escorts, the air battle, the guns, targets, and the attacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from readyroom.engine.checks import Check, Modifiers, percent
from readyroom.engine.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.table import Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.modifiers import strength
from readyroom.games.strategic.raid.declare import disarray, surprised
from readyroom.games.strategic.raid.odds import (
    after_battle,
    air_factors,
    battle,
    fate,
    in_factors,
    losses,
    mean,
    shown,
    worth_showing,
)
from readyroom.games.strategic.raid.state import JAPAN, USA, Aircraft, Condition, Ship, spread
from readyroom.games.strategic.raid.text import counted
from readyroom.games.strategic.state import T
from readyroom.games.strategic.tables import Pair, TableRoll

LIGHT, ARMY, NAVAL = "light", "army", "naval"
KINDS = {LIGHT: "light ships", ARMY: "army aircraft", NAVAL: "naval aircraft"}
Target = Option
"""What can be attacked in the harbor; its `value` is the ship, or None."""


# -- escorts -----------------------------------------------------------------------------------------------------------


def choose_escorts(table: T) -> Steps:
    """[PH.4, P2] Japan says how many squadrons escort; the rest attack. In the second strike all defenders are up."""
    raid = table.state.raid
    if not surprised(table):
        for aircraft in (raid.army, raid.naval):
            aircraft.up, aircraft.ready = aircraft.ready, 0
    flying = raid.aboard
    chosen = yield from table.choose(
        JAPAN,
        "PH.4",
        f"{counted(len(flying), 'squadron')} can fly, and {up_told(table)}. How many escort the others?",
        _escorts(table, len(flying)),
        info=lambda option: escorts_hint(table, option.value, len(flying) - option.value),
        unavailable=lambda: _no_escorts(table, len(flying)),
        piece_key="escorts",
    )
    flying = spread(flying)
    raid.escorts, raid.attackers, raid.aboard = flying[: chosen.value], flying[chosen.value :], []
    escorts, attackers = counted(chosen.value, "squadron"), counted(len(raid.attackers), "squadron")
    table.reveal("PH.4", "{} to escort, {} to attack.", capitalize_first(escorts), attackers)


def up_told(table: T) -> str:
    """Which American aircraft are up, in words."""
    raid = table.state.raid
    up = [
        counted(raid.army.up, "army air factor") if raid.army.up else "",
        counted(raid.naval.up, "naval squadron") if raid.naval.up else "",
    ]
    one = raid.army.up + raid.naval.up == 1
    return f"{' and '.join(filter(None, up)) or 'no American aircraft'} {'is' if one else 'are'} up"


def _escorts(table: T, most: int) -> list[Option]:
    each = table.data.pearl.rows.squadrons_a_factor
    return [Option(f"escorts-{count}", counted(count, "squadron"), count) for count in range(0, most + 1, each)]


def _no_escorts(table: T, most: int) -> Iterator[Unavailable]:
    each = table.data.pearl.rows.squadrons_a_factor
    reason = f"Escorts are air factors in the air battle, and {each} squadrons make one: a part of one would be wasted."
    yield Unavailable(f"escorts-{each + 1}", counted(each + 1, "squadron"), "PH.4", reason)
    if most:
        reason = f"Only {counted(most, 'squadron')} can fly."
        yield Unavailable(f"escorts-{most + each}", counted(most + each, "squadron"), "PH.4", reason)


def escorts_hint(table: T, escorts: int, attackers: int) -> OptionInfo:
    """[19.2] How many attackers get through on average, and the chance that all do."""
    raid, data = table.state.raid, table.data
    up = air_factors(raid.army.up, raid.naval.up, data)
    if not up:
        return OptionInfo("no American aircraft are up, so that escorts meet nobody")
    if not attackers:
        return OptionInfo("nobody attacks")
    net = sum(value for _, value in air_net(table, USA))
    chances = battle(escorts, attackers, up, net, data)
    through = sum((left.attackers * chance for left, chance in chances.items()), Fraction(0))
    lost = sum((left.lost * chance for left, chance in chances.items()), Fraction(0))
    safe = sum((chance for left, chance in chances.items() if left.attackers == attackers), Fraction(0))
    shot = _shot_down(table, escorts)
    note = f"{shown(through)} of {attackers} attackers get through the fighters; {shown(lost)} squadrons shot down"
    return OptionInfo(
        f"{note}, {shown(shot)} American air factors; the chance is that all attackers get through", float(safe)
    )


def _shot_down(table: T, escorts: int) -> Fraction:
    raid, data = table.state.raid, table.data
    up, net = air_factors(raid.army.up, raid.naval.up, data), sum(value for _, value in air_net(table, JAPAN))
    chances = data.air.odds(in_factors(escorts, data), net).items()
    return sum((min(up, result.first) * chance for result, chance in chances), Fraction(0))


def air_net(table: T, seat: str) -> Modifiers:
    """[19.2, A14] What is added in air combat: the own nationality over the other's, where that is played with."""
    nations = table.state.raid.opening.nations
    if table.state.rulings.nationality == "even":
        return ()
    ahead = nations.japan_air - nations.usa_air
    return [("air nationality", ahead if seat == JAPAN else -ahead)] if ahead else ()


# -- the air battle ----------------------------------------------------------------------------------------------------


def air_battle(table: T) -> None:
    """[PH.5] One round between the aircraft that are up and the escorts; both throw at the same time."""
    raid, data = table.state.raid, table.data
    up = air_factors(raid.army.up, raid.naval.up, data)
    if not up:
        table.log_line("PH.5", "No American aircraft are up: nobody meets the strike in the air.")
        return
    escorts = in_factors(len(raid.escorts), data)
    defence = table.roll(TableRoll("19.2", "American fighters", data.air, up, air_net(table, USA)), USA)
    if escorts:
        answer = table.roll(TableRoll("19.2", "Japanese escorts", data.air, escorts, air_net(table, JAPAN)), JAPAN)
        told = _lose_defenders(table, answer.result)
        table.log_line("19.2", "The escorts fight the American fighters: {}. {}.", answer, told)
    told = _lose_strike(table, defence.result)
    table.log_line("19.2", "The American fighters attack: {}. {}.", defence, told)


def _lose_strike(table: T, result: Pair) -> str:
    """[PH.5] Escorts bear the losses first, attackers what is left of them."""
    raid, each = table.state.raid, table.data.pearl.rows.squadrons_a_factor
    left = after_battle(len(raid.escorts), len(raid.attackers), result, each)
    flying = [*raid.escorts, *raid.attackers]
    back = len(flying) - left.lost - left.escorts - left.attackers
    raid.lost += flying[: left.lost]
    raid.back += flying[left.lost : left.lost + back]
    kept = flying[left.lost + back :]
    raid.escorts, raid.attackers = kept[: left.escorts], kept[left.escorts :]
    return f"{capitalize_first(counted(left.lost, 'Japanese squadron'))} shot down, {back or 'none'} turned back"


def _lose_defenders(table: T, result: Pair) -> str:
    """[PH.5, P3] Army factors fall first, then naval squadrons, three for a factor; what turns away fights no more."""
    raid, each = table.state.raid, table.data.pearl.rows.squadrons_a_factor
    army = min(raid.army.up, result.first)
    naval = min(raid.naval.up, (result.first - army) * each)
    for aircraft, gone in ((raid.army, army), (raid.naval, naval)):
        aircraft.up -= gone
        aircraft.lost += gone
    told = f"{counted(army, 'army air factor')} and {counted(naval, 'naval squadron')} shot down"
    return capitalize_first(told)


# -- the guns ----------------------------------------------------------------------------------------------------------


def air_defence(guns: Mapping[str, int], data: Data) -> int:
    """[24.62.10] The strength of a place's guns, part by part."""
    told = {part.key: str(guns.get(part.key, 0)) for part in data.modifiers.strength}
    return sum(value for _, value in strength(data, told))


def guns_strength(table: T) -> int:
    """[PH.6, A7] The row of the guns: the air defence of the place (24.62.10), one lower by surprise (51.31.5)."""
    guns = table.state.raid.opening.harbor.guns
    whole = air_defence(guns, table.data)
    return max(0, whole + (table.data.pearl.surprise.air_defense if surprised(table) else 0))


def fire(table: T) -> None:
    """[PH.6, A7, P5] The guns throw at the attackers, unless the defence is in disarray (51.31.7)."""
    raid = table.state.raid
    if table.state.rulings.guns == "none" or not raid.attackers:
        return
    if disarray(table):
        table.log_line("51.31.7", "The defence is in disarray: the guns do not fire.")
        return
    rolled = table.roll(TableRoll("24.62", "the guns", table.data.strategic, guns_strength(table)), "guns")
    gone = min(len(raid.attackers), rolled.result.first)
    back = min(len(raid.attackers) - gone, rolled.result.second)
    raid.lost += raid.attackers[:gone]
    raid.back += raid.attackers[gone : gone + back]
    raid.attackers = raid.attackers[gone + back :]
    told = f"{capitalize_first(counted(gone, 'attacker'))} shot down, {back or 'none'} turned back"
    table.log_line("PH.6", "The guns fire: {}. {}.", rolled, told)


# -- targets -----------------------------------------------------------------------------------------------------------


def attack(table: T) -> Steps:
    """[PH.7, P2] Japan assigns the squadrons that have come through to targets; then each target is attacked."""
    raid = table.state.raid
    most = raid.opening.striking.most
    targets = list(_targets(table))
    chosen: list[Option] = []
    if raid.attackers:
        chosen = yield from table.allocate(
            JAPAN,
            "PH.7",
            f"{counted(len(raid.attackers), 'squadron')} attack. Which targets?",
            len(raid.attackers),
            targets,
            lambda target: most,
            info=lambda target: target_hint(table, target, max(1, min(most, len(raid.attackers)))),
            unavailable=lambda: _no_targets(table),
            piece_key="targets",
        )
    for target in targets:
        if target in chosen:
            _attack_target(table, target, chosen.count(target))


def _targets(table: T) -> Iterator[Target]:
    raid = table.state.raid
    for ship in raid.in_port():
        if not ship.sunk:
            state = ", damaged" if ship.hit else ""
            kind = "carrier, " if ship.carrier else ""
            yield Option(ship.key, f"{ship.name} ({kind}size {ship.size}{state})", ship)
    if raid.light:
        yield Option(LIGHT, f"Light ships ({counted(raid.light, 'factor')})")
    if raid.army.grounded:
        yield Option(ARMY, f"Army aircraft on the ground ({counted(raid.army.grounded, 'factor')})")
    if raid.naval.grounded:
        yield Option(NAVAL, f"Naval aircraft on the ground ({counted(raid.naval.grounded, 'squadron')})")


def _no_targets(table: T) -> Iterator[Unavailable]:
    """What one might look for over the harbor, and why it is not there."""
    raid = table.state.raid
    most = raid.opening.striking.most
    reason = f"{most} squadrons are the most that find room over one target."
    yield Unavailable("too-many", f"{most + 1} squadrons on one target", "PH.7", reason)
    for ship in raid.in_port():
        if ship.sunk:
            yield Unavailable(ship.key, ship.name, "PH.7", "She is sunk.")
    for force in raid.forces:
        for ship in force.carriers if not force.in_port else ():
            yield Unavailable(ship.key, ship.name, "51.31.2", f"{force.name} is not in Pearl Harbor.")
    for key, aircraft in ((ARMY, raid.army), (NAVAL, raid.naval)):
        if not aircraft.grounded:
            reason = (
                "Only aircraft that are surprised on the ground can be attacked there, and there are none of these."
            )
            yield Unavailable(key, capitalize_first(KINDS[key]), "51.31.6", reason)


def net_modifiers(table: T, *, at_sea: bool = False, seat: str = JAPAN) -> Modifiers:
    """[20.51, 51.31.5, A14, A19] What is added to a naval attack; ships at sea are met after the surprise."""
    nations, lines = table.state.raid.opening.nations, {line.key: line for line in table.data.scope("naval")}
    found = []
    if surprised(table):
        found.append(("surprise", table.data.pearl.surprise.attack))
        if table.state.rulings.surprise_bonus == "twice":
            found.append(("surprise, by the other table", lines["surprise"].value))
    if at_sea:
        found.append(("ships at sea", lines["at-sea"].value))
    if table.state.rulings.nationality != "even":
        air, navy = (nations.japan_air, nations.usa_naval) if seat == JAPAN else (nations.usa_air, nations.japan_naval)
        found += [("air nationality", lines["air"].value * air), ("naval nationality", lines["navy"].value * navy)]
    return [(name, value) for name, value in found if value]


def critical(table: T) -> tuple[int, int] | None:
    """[PH.9, A8] The critical hit die: from which face on it counts, and for how many effects; None: not thrown."""
    if not disarray(table):
        return None
    return int(table.state.rulings.critical), table.data.pearl.critical.effects


def each_effect(table: T, key: str) -> int:
    """[51.31.6, A17] How many light ships or aircraft of a kind one effect destroys."""
    grounded = table.data.pearl.grounded
    return {LIGHT: 1, ARMY: grounded.army, NAVAL: grounded.naval}[key]


def target_hint(table: T, target: Target, most: int) -> OptionInfo:
    """[20.51] What attacks of several strengths do to a target; the chance is that of the greatest."""
    net, grid = sum(value for _, value in net_modifiers(table)), table.data.naval
    if target.value is not None:
        return ship_hint(target.value, [*worth_showing(most)], net, table, critical(table))
    count, each = how_many(table, target.key), each_effect(table, target.key)
    told = [f"{n}: {shown(mean(losses(count, each, n, net, grid)))}" for n in worth_showing(most)]
    told[0] = f"by {told[0]}"
    chance = losses(count, each, most, net, grid).get(count, Fraction(0))
    return OptionInfo(f"of {count} destroyed {', '.join(told)}; all by {most}", float(chance))


def ship_hint(ship: Ship, numbers: Sequence[int], net: int, table: T, die: tuple[int, int] | None) -> OptionInfo:
    """[PH.8] The chances to sink, and to damage but not to sink, a ship; the last is that of the most squadrons."""
    found = {count: fate(ship, count, net, table.data.naval, die) for count in numbers}
    last = numbers[-1]
    if ship.hit:
        told = [f"{n}: {percent(found[n].sunk)}" for n in numbers[:-1]]
    else:
        told = [f"{n}: {bare(found[n].sunk)}/{percent(found[n].damaged)}" for n in numbers[:-1]]
    what = "sunk" if ship.hit else "sunk/damaged"
    fewer = f"{what} by {', '.join(told)}; " if told else ""
    return OptionInfo(f"{fewer}sunk by {last}", float(found[last].sunk))


def bare(chance: Fraction) -> str:
    """A chance in hundredths, where the sign stands once for two of them."""
    return percent(chance).removesuffix("%").strip()


def how_many(table: T, key: str) -> int:
    """How many light ships or grounded aircraft of a kind there are."""
    raid = table.state.raid
    return {LIGHT: raid.light, ARMY: raid.army.grounded, NAVAL: raid.naval.grounded}[key]


# -- the attacks -------------------------------------------------------------------------------------------------------


def _attack_target(table: T, target: Target, squadrons: int) -> None:
    if target.value is not None:
        attack_ship(table, target.value, squadrons, net_modifiers(table), critical(table))
        return
    what = KINDS[target.key]
    rolled = table.roll(TableRoll("20.51", what, table.data.naval, squadrons, net_modifiers(table)), target.key)
    gone = min(how_many(table, target.key), rolled.result.first * each_effect(table, target.key))
    _destroy(table, target.key, gone)
    attackers = capitalize_first(counted(squadrons, "squadron"))
    rule = "51.31.6" if target.key != LIGHT else "PH.8"
    table.log_line(rule, "{} on the {}: {}. {} destroyed.", attackers, what, rolled, str(gone or "None"))


def _destroy(table: T, key: str, gone: int) -> None:
    raid = table.state.raid
    if key == LIGHT:
        raid.light -= gone
        return
    aircraft: Aircraft = raid.army if key == ARMY else raid.naval
    aircraft.grounded -= gone
    aircraft.lost += gone


def attack_ship(table: T, ship: Ship, squadrons: int, modifiers: Modifiers, die: tuple[int, int] | None) -> None:
    """[PH.8, PH.9] One attack on a ship: sunk at her size, damaged at one less; a critical hit may finish her."""
    before = ship.condition
    rolled = table.roll(TableRoll("20.51", f"attack on {ship.name}", table.data.naval, squadrons, modifiers), ship.key)
    effects = rolled.result.first
    ship.condition = ship.after(effects)
    told = _fate_told(ship, before, effects)
    table.log_line(
        "20.51", "{} on {}: {}. {}.", capitalize_first(counted(squadrons, "squadron")), ship.name, rolled, told
    )
    if die is not None and not ship.sunk and effects >= ship.hurt_at:
        hit = table.roll(Check("PH.9", f"critical hit on {ship.name}", at_least=die[0]), ship.key)
        if hit:
            ship.condition = before
            ship.condition = ship.after(effects + die[1])
        told = "she is sunk" if ship.sunk else "she stays afloat"
        table.log_line("PH.9", "A critical hit on {}? {}: {}.", ship.name, hit, told)


def _fate_told(ship: Ship, before: Condition, effects: int) -> str:
    if ship.sunk:
        return "She is sunk"
    if effects >= ship.hurt_at and before is not ship.condition:
        return "She is damaged"
    return "She is not hurt" if not ship.hit else "She is not hurt further"
