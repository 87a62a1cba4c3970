"""[PH.4 to PH.9] A strike on Pearl Harbor: escorts, air battle, guns, targets and attacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from readyroom.engine.rules.checks import Check, Modifiers, percent
from readyroom.engine.rules.decisions import Decision, Option, OptionInfo, Unavailable
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import agree, capitalize_first, count_noun, count_or_no
from readyroom.games.strategic.pearl.declare import disarray, surprised
from readyroom.games.strategic.pearl.odds import (
    after_battle,
    after_guns,
    air_factors,
    battle,
    fate,
    format_mean,
    hint_strengths,
    in_factors,
    losses,
)
from readyroom.games.strategic.pearl.pieces import ATTACKERS, ESCORTS, SKY, up
from readyroom.games.strategic.pearl.state import JAPAN, USA, Condition, Ship, T, spread
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import Pair, TableRoll, mean
from readyroom.games.strategic.tables.modifiers import strength, total
from readyroom.games.strategic.tables.named import Named

LIGHT, ARMY, NAVAL = "light", "army", "naval"
KINDS = {LIGHT: "light ships", ARMY: "army aircraft", NAVAL: "naval aircraft"}
Target = Option
"""A target in the harbor; `value` is the ship, or None."""


def choose_escorts(table: T) -> Steps:
    """[PH.4, P2] Ask Japan how many squadrons escort; the rest attack. In the second strike all defenders are up."""
    raid = table.state.raid
    if not surprised(table):
        for aircraft in (raid.army, raid.naval):
            aircraft.up, aircraft.ready = aircraft.ready, 0
    flying = raid.aboard
    chosen = yield from table.choose(
        JAPAN,
        "PH.4",
        f"{count_or_no(len(flying), 'squadron')} can fly; {describe_defenders(table)}. How many fly escort?",
        squadron_options(table, "escorts", len(flying)),
        info=lambda option: escorts_hint(table, option.value, len(flying) - option.value),
        unavailable=lambda: _no_escorts(table, len(flying)),
        piece_key="escorts",
    )
    flying = spread(flying)
    raid.escorts, raid.attackers, raid.aboard = flying[: chosen.value], flying[chosen.value :], []
    escorts = Named(ESCORTS, count_or_no(chosen.value, "squadron"))
    attackers = Named(ATTACKERS, count_or_no(len(raid.attackers), "squadron"))
    moment = "The first wave" if surprised(table) else "The second strike"
    template = "Japan assigns {} to escort and {} to attack."
    table.reveal("PH.4", template, escorts, attackers, target=SKY, moment=moment)


def describe_defenders(table: T) -> str:
    """Return which American aircraft are up, as a clause."""
    raid = table.state.raid
    up = [
        count_or_no(raid.army.up, "army air factor") if raid.army.up else "",
        count_or_no(raid.naval.up, "naval squadron") if raid.naval.up else "",
    ]
    one = raid.army.up + raid.naval.up == 1
    return f"{' and '.join(filter(None, up)) or 'no American aircraft'} {'is' if one else 'are'} up"


def squadron_options(table: T, what: str, most: int) -> list[Option]:
    """[PH.5] Return the numbers of squadrons that make whole air factors."""
    each = table.data.pearl.rows.squadrons_a_factor
    return [Option(f"{what}-{count}", count_or_no(count, "squadron"), count) for count in range(0, most + 1, each)]


def no_factor(table: T, what: str, rule: str) -> Unavailable:
    """[PH.5] Return a number of squadrons that makes no whole air factor, with the reason."""
    each = table.data.pearl.rows.squadrons_a_factor
    reason = f"{each} squadrons make one air factor: choose a multiple of {each}."
    return Unavailable(f"{what}-{each + 1}", count_or_no(each + 1, "squadron"), rule, reason)


def _no_escorts(table: T, most: int) -> Iterator[Unavailable]:
    each = table.data.pearl.rows.squadrons_a_factor
    yield no_factor(table, "escorts", "PH.4")
    if most:
        reason = f"Only {count_or_no(most, 'squadron')} can fly."
        yield Unavailable(f"escorts-{most + each}", count_or_no(most + each, "squadron"), "PH.4", reason)


def escorts_hint(table: T, escorts: int, attackers: int) -> OptionInfo:
    """[19.2] Return how many attackers get through on average, and the probability that all do."""
    raid, data = table.state.raid, table.data
    up = air_factors(raid.army.up, raid.naval.up, data)
    if not attackers:
        return OptionInfo("no squadrons attack")
    if not up:
        if table.state.rulings.guns == "none" or disarray(table):
            return OptionInfo("no American aircraft are up, and the guns do not fire: escorts only miss the attack")
        odds = data.strategic.odds(guns_strength(table, surprised(table)), 0)
        through = mean(odds, lambda result: attackers - sum(after_guns(attackers, result)))
        safe = "no American aircraft are up: escorts only stay out of the guns' fire"
        return OptionInfo(f"{safe}; {format_mean(through)} of {attackers} attackers get through it on average")
    outcomes = battle(escorts, attackers, up, total(air_net(table, USA)), data)
    through, lost = (mean(outcomes, attrgetter(field)) for field in ("attackers", "lost"))
    all_through = mean(outcomes, lambda left: int(left.attackers == attackers))
    fire = data.air.odds(in_factors(escorts, data), total(air_net(table, JAPAN)))
    shot = mean(fire, lambda result: min(up, result.first))
    note = (
        f"{format_mean(through)} of {attackers} attackers get through on average; average losses: squadrons "
        f"{format_mean(lost)}, American air factors {format_mean(shot)}; all attackers get through"
    )
    return OptionInfo(note, float(all_through))


def air_net(table: T, seat: str) -> Modifiers:
    """[19.2, A14] Return a side's modifiers in air combat: the difference in nationality, if the option is on."""
    nations = table.state.raid.opening.nations
    if table.state.rulings.nationality == "even":
        return ()
    lead = nations.japan_air - nations.usa_air
    return [("air nationality", lead if seat == JAPAN else -lead)] if lead else ()


def air_battle(table: T) -> None:
    """[PH.5] Fight one simultaneous round between the aircraft that are up and the escorts."""
    raid, data = table.state.raid, table.data
    factors = air_factors(raid.army.up, raid.naval.up, data)
    if not factors:
        table.log_line("PH.5", "No American aircraft are up to meet the strike.", target=SKY)
        return
    escorts = in_factors(len(raid.escorts), data)
    defence = table.roll(TableRoll("19.2", "American fighters", data.air, factors, air_net(table, USA)), USA)
    if escorts:
        answer = table.roll(TableRoll("19.2", "Japanese escorts", data.air, escorts, air_net(table, JAPAN)), JAPAN)
        shot = KeyedText(_lose_defenders(table, answer.result), up(ARMY), up(NAVAL))
        fighters = KeyedText("Japanese escorts", ESCORTS)
        table.log_line("19.2", "{} shoot down {} (result {}).", fighters, shot, answer, target=SKY)
    effect = KeyedText(_lose_strike(table, defence.result), ESCORTS, ATTACKERS)
    fighters = KeyedText("American fighters", up(ARMY), up(NAVAL))
    table.log_line("19.2", "{} {} (result {}).", fighters, effect, defence, target=SKY)


def _lose_strike(table: T, result: Pair) -> str:
    """[PH.5] Take losses from the escorts first, then from the attackers, and describe them."""
    raid, each = table.state.raid, table.data.pearl.rows.squadrons_a_factor
    left = after_battle(len(raid.escorts), len(raid.attackers), result, each)
    flying = [*raid.escorts, *raid.attackers]
    back = len(flying) - left.lost - left.escorts - left.attackers
    raid.lost += flying[: left.lost]
    raid.back += flying[left.lost : left.lost + back]
    kept = flying[left.lost + back :]
    raid.escorts, raid.attackers = kept[: left.escorts], kept[left.escorts :]
    return describe_fire(left.lost, back)


def _lose_defenders(table: T, result: Pair) -> str:
    """[PH.5, P3] Remove army factors first, then naval squadrons, three for a factor, and name them."""
    raid, each = table.state.raid, table.data.pearl.rows.squadrons_a_factor
    army = min(raid.army.up, result.first)
    naval = min(raid.naval.up, (result.first - army) * each)
    for aircraft, gone in ((raid.army, army), (raid.naval, naval)):
        aircraft.up -= gone
        aircraft.lost += gone
    losses = [count_or_no(army, "army air factor")] if army else []
    losses += [count_or_no(naval, "naval squadron")] if naval else []
    return " and ".join(losses) or "no aircraft"


def describe_fire(lost: int, back: int) -> str:
    """Return what fighters or guns do to a strike, as a plural predicate.

    >>> describe_fire(1, 2), describe_fire(0, 2), describe_fire(0, 0)
    ('shoot down 1 squadron and turn back 2', 'turn back 2 squadrons', 'have no effect')
    """
    parts = [f"shoot down {count_or_no(lost, 'squadron')}"] if lost else []
    parts += [f"turn back {back if lost else count_or_no(back, 'squadron')}"] if back else []
    return " and ".join(parts) or "have no effect"


def air_defence(guns: Mapping[str, int], data: Data) -> int:
    """[24.62.10] Return the strength of a place's guns."""
    return total(strength(data, {part.key: str(guns.get(part.key, 0)) for part in data.modifiers.strength}))


def guns_strength(table: T, surprise: bool) -> int:
    """[PH.6, A7] Return the guns' row: the air defence (24.62.10), one lower under surprise (51.31.5)."""
    defence = air_defence(table.state.raid.opening.harbor.guns, table.data)
    return max(0, defence + (table.data.pearl.surprise.air_defense if surprise else 0))


def fire(table: T) -> None:
    """[PH.6, A7, P5] Fire the guns at the attackers, unless the defense is in disarray (51.31.7)."""
    raid = table.state.raid
    if table.state.rulings.guns == "none" or not raid.attackers:
        return
    if disarray(table):
        table.log_line("51.31.7", "The defense is in disarray: the guns do not fire.", target="guns")
        return
    guns = guns_strength(table, surprised(table))
    roll = table.roll(TableRoll("24.62", "the guns", table.data.strategic, guns), "guns")
    lost, back = after_guns(len(raid.attackers), roll.result)
    raid.lost += raid.attackers[:lost]
    raid.back += raid.attackers[lost : lost + back]
    raid.attackers = raid.attackers[lost + back :]
    table.log_line("PH.6", "The guns {} (result {}).", Named(ATTACKERS, describe_fire(lost, back)), roll, target=SKY)


def attack(table: T) -> Steps:
    """[PH.7, P2] Ask Japan to assign the remaining attackers to targets, then attack each target."""
    raid = table.state.raid
    most = raid.opening.striking.most
    targets = list(_targets(table))
    chosen: list[Option] = []
    if raid.attackers:
        chosen = yield from table.allocate(
            JAPAN,
            "PH.7",
            f"{count_or_no(len(raid.attackers), 'squadron')} attack. Which targets?",
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
        yield Option(LIGHT, f"Light ships ({count_or_no(raid.light, 'factor')})")
    if raid.army.grounded:
        yield Option(ARMY, f"Army aircraft on the ground ({count_or_no(raid.army.grounded, 'factor')})")
    if raid.naval.grounded:
        yield Option(NAVAL, f"Naval aircraft on the ground ({count_or_no(raid.naval.grounded, 'squadron')})")


def _no_targets(table: T) -> Iterator[Unavailable]:
    """Return targets that cannot be attacked, with the reason."""
    raid = table.state.raid
    most = raid.opening.striking.most
    reason = f"At most {most} squadrons can attack one target."
    yield Unavailable("too-many", f"{most + 1} squadrons on one target", "PH.7", reason)
    for ship in raid.in_port():
        if ship.sunk:
            yield Unavailable(ship.key, ship.name, "PH.7", "She is sunk.")
    for force in raid.forces:
        for ship in force.carriers if not force.in_port else ():
            yield Unavailable(ship.key, ship.name, "51.31.2", f"{force.name} is not in Pearl Harbor.")
    for key, aircraft in ((ARMY, raid.army), (NAVAL, raid.naval)):
        if not aircraft.grounded:
            reason = f"No {KINDS[key]} are surprised on the ground."
            yield Unavailable(key, capitalize_first(KINDS[key]), "51.31.6", reason)


def net_modifiers(table: T, *, at_sea: bool = False, seat: str = JAPAN) -> Modifiers:
    """[20.51, 51.31.5, A14, A19] Return the modifiers of a naval attack; at sea there is no surprise."""
    lines = {line.key: line for line in table.data.scope("naval")}
    modifiers = []
    if surprised(table):
        modifiers.append(("surprise", table.data.pearl.surprise.attack))
        if table.state.rulings.surprise_bonus == "twice":
            modifiers.append(("surprise (Naval Attack Table)", lines["surprise"].value))
    if at_sea:
        modifiers.append(("ships at sea", lines["at-sea"].value))
    air, navy = attack_nations(table, seat)
    modifiers += [("air nationality", lines["air"].value * air), ("naval nationality", lines["navy"].value * navy)]
    return [(name, value) for name, value in modifiers if value]


def attack_nations(table: T, seat: str) -> tuple[int, int]:
    """[A14] Return the nationality of a side's aircraft and of the enemy's ships, if the option is on."""
    nations = table.state.raid.opening.nations
    if table.state.rulings.nationality == "even":
        return 0, 0
    return (nations.japan_air, nations.usa_naval) if seat == JAPAN else (nations.usa_air, nations.japan_naval)


def critical(table: T) -> tuple[int, int] | None:
    """[PH.9, A8] Return the critical hit die's lowest hit and the effects it adds; None if it is not rolled."""
    if not disarray(table):
        return None
    return int(table.state.rulings.critical), table.data.pearl.critical.effects


def each_effect(table: T, key: str) -> int:
    """[51.31.6, A17] Return how many light ships or aircraft of a kind one effect destroys."""
    grounded = table.data.pearl.grounded
    return {LIGHT: 1, ARMY: grounded.army, NAVAL: grounded.naval}[key]


def target_hint(table: T, target: Target, most: int) -> OptionInfo:
    """[20.51] Return what attacks of several strengths do to a target; the probability is for the strongest."""
    net, grid = total(net_modifiers(table)), table.data.naval
    if target.value is not None:
        return ship_hint(target.value, [*hint_strengths(most)], net, table, critical(table))
    count, each = target_count(table, target.key), each_effect(table, target.key)
    odds = {squadrons: losses(count, each, squadrons, net, grid) for squadrons in hint_strengths(most)}
    means = ", ".join(f"{squadrons}: {format_mean(mean(chances, int))}" for squadrons, chances in odds.items())
    return OptionInfo(f"destroyed of {count} by {means}; all by {most}", float(odds[most].get(count, 0)))


def target_odds(table: T, decision: Decision, chosen: Sequence[Target]) -> Mapping[str, str]:
    """[PH.8] Describe what the chosen attacks do to each target."""
    if decision.rule != "PH.7":
        return {}
    net, grid, result = total(net_modifiers(table)), table.data.naval, dict[str, str]()
    for target in {one.key: one for one in chosen}.values():
        squadrons = sum(one.key == target.key for one in chosen)
        if target.value is not None:
            does = fate(target.value, squadrons, net, grid, critical(table))
            result[target.key] = f"sunk {percent(does.sunk)}" + (
                "" if target.value.hit else f", damaged {percent(does.damaged)}"
            )
        else:
            count, each = target_count(table, target.key), each_effect(table, target.key)
            means = mean(losses(count, each, squadrons, net, grid), int)
            result[target.key] = f"{format_mean(means)} of {count} destroyed on average"
    return result


def ship_hint(ship: Ship, numbers: Sequence[int], net: int, table: T, die: tuple[int, int] | None) -> OptionInfo:
    """[PH.8] Return the probabilities to sink and to only damage a ship; the last is for the most squadrons."""
    fates = {count: fate(ship, count, net, table.data.naval, die) for count in numbers}
    last = numbers[-1]
    names, fewer = [count_noun(numbers[0], "squadron"), *map(str, numbers[1:])], ""
    for name, count in zip(names, numbers[:-1], strict=False):
        damaged = "" if ship.hit else f", {percent(fates[count].damaged)} damaged"
        fewer += f"with {name}: {percent(fates[count].sunk)} sunk{damaged}; "
    return OptionInfo(f"{fewer}with {names[-1]}: sunk", float(fates[last].sunk))


def target_count(table: T, key: str) -> int:
    """Return the number of light ships or of grounded aircraft of a kind."""
    raid = table.state.raid
    return {LIGHT: raid.light, ARMY: raid.army.grounded, NAVAL: raid.naval.grounded}[key]


def _attack_target(table: T, target: Target, squadrons: int) -> None:
    if target.value is not None:
        attack_ship(table, target.value, squadrons, net_modifiers(table), critical(table))
        return
    raid, what = table.state.raid, KINDS[target.key]
    roll = table.roll(TableRoll("20.51", what, table.data.naval, squadrons, net_modifiers(table)), target.key)
    effects = roll.result.first
    destroyed = min(target_count(table, target.key), effects * each_effect(table, target.key))
    if target.key == LIGHT:
        rule, raid.light = "PH.8", raid.light - destroyed
    else:
        rule, aircraft = "51.31.6", raid.army if target.key == ARMY else raid.naval
        aircraft.grounded -= destroyed
        aircraft.lost += destroyed
    result = f"{count_or_no(effects, 'hit')}, {destroyed} destroyed" if effects else "no hits"
    facts = (_attackers(squadrons, ATTACKERS), what, result, roll)
    table.log_line(rule, "{} the {}: {}.", *facts, target=target.key, is_miss=not destroyed)


def _attackers(squadrons: int, counter: str) -> Named:
    return Named(counter, f"{count_or_no(squadrons, 'squadron')} {agree(squadrons, 'attacks', 'attack')}")


def attack_ship(
    table: T, ship: Ship, squadrons: int, modifiers: Modifiers, die: tuple[int, int] | None, by: str = ATTACKERS
) -> None:
    """[PH.8, PH.9] Attack a ship: sunk at her size, damaged at one less; a critical hit may finish her.

    `by` is the counter of the squadrons.
    """
    before = ship.condition
    roll = table.roll(TableRoll("20.51", f"attack on {ship.name}", table.data.naval, squadrons, modifiers), ship.key)
    effects = roll.result.first
    ship.condition = ship.after(effects)
    result = f"{count_or_no(effects, 'hit')}, {_describe_damage(ship, before, effects)}" if effects else "no hits"
    facts, moment = (_attackers(squadrons, by), ship.name, result, roll), f"{ship.name} sunk" if ship.sunk else ""
    unchanged = ship.condition is before
    table.log_line("20.51", "{} {}: {}.", *facts, target=ship, moment=moment, is_miss=unchanged)
    if die is not None and not ship.sunk and effects >= ship.hurt_at:
        hit = table.roll(Check("PH.9", f"critical hit on {ship.name}", at_least=die[0]), ship.key)
        if hit:
            ship.condition = before
            ship.condition = ship.after(effects + die[1])
            result = "she is sunk" if ship.sunk else "she stays afloat"
            moment = f"{ship.name} sunk" if ship.sunk else ""
            text, afloat = "Critical hit on {}: {}.", not ship.sunk
            table.log_line("PH.9", text, ship, result, hit, target=ship, moment=moment, is_miss=afloat)
        else:
            table.log_line("PH.9", "No critical hit on {}.", ship, hit, target=ship, is_miss=True)


def _describe_damage(ship: Ship, before: Condition, effects: int) -> str:
    if ship.sunk:
        return "she is sunk"
    if effects >= ship.hurt_at and before is not ship.condition:
        return "she is damaged"
    return "too few for further damage" if ship.hit else "too few to damage her"
