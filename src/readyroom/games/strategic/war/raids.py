"""[SW.10, SW.11] Strategic bombing: interception of known raids, then bombs and flak."""

from __future__ import annotations

from functools import partial

from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import agree, capitalize_first, count_noun
from readyroom.games.strategic.tables.grids import Pair, TableRoll
from readyroom.games.strategic.tables.modifiers import total
from readyroom.games.strategic.tables.named import Named
from readyroom.games.strategic.war import hints
from readyroom.games.strategic.war.intelligence import advantage
from readyroom.games.strategic.war.net import Lines, interception_lines, target_lines, turned
from readyroom.games.strategic.war.pieces import counter
from readyroom.games.strategic.war.places import COUNTRIES, SIDE, Country
from readyroom.games.strategic.war.results import Shot, air_strengths, bombed, shot
from readyroom.games.strategic.war.state import Aim, Raid, Report, T
from readyroom.games.strategic.war.submarines import factors, heavy, join_kinds

CAPITALS, HEAVY = ("berlin", "tokyo", "london"), 2
"""The capitals among the targets, and the steps out in a raid that are worth a pause."""


def raid(table: T, area: str) -> Steps:
    """[SW.10] Play the raids on a country: reveal them, intercept, then bomb in order."""
    war, country = table.state.war, COUNTRIES[area]
    if area not in war.rounds:
        return
    war.raids = war.orders[SIDE[country.attacker]].raids.pop(area, [])
    for each in war.raids:
        aim = war.aim(each.target)
        escort: Named | str = ""
        if each.escorts and country.escorts is not None:
            text = f" with {factors(each.escorts, 'interceptor')}"
            escort = Named(counter("interceptor", country.escorts), text)
        bombers = Named(counter("bomber", area), factors(each.bombers, "bomber"))
        attack = agree(each.bombers, "raids", "raid")
        table.reveal("SW.10", "{}{} {} {}.", bombers, escort, attack, aim.name, target=aim.key)
    if not war.raids:
        return
    side = advantage(table, area)
    yield from _meet(table, country)
    for each in war.raids:
        _fly(table, country, each, side)
    if country.escorts is not None:
        war.escorting[country.escorts] = sum(each.escorts for each in war.raids)
    war.raids = []


def _meet(table: T, country: Country) -> Steps:
    """[SW.10.2] Ask the defender how many interceptors meet each raid."""
    war = table.state.war
    free = idle(table, country.area)
    options = [
        Option(f"meet-{each.target}", f"interceptors against the raid on {war.aim(each.target).name}", each)
        for each in war.raids
    ]
    seat = SIDE[country.defender]
    meeting = table.choose_some(
        seat,
        "SW.10.2",
        f"How many of {country.title}'s {count_noun(free, 'interceptor factor')} intercept each raid?",
        options,
        at_most=free,
        limit=lambda option: free,
        info=lambda option: hints.meeting(table.state, table.data, country, option.value, free),
        piece_key=f"meet-{country.area}",
        select_all_default=True,
    )
    if table.state.rulings.questions == "always" and remaining(table, country.area):  # which escort later, is secret
        notice = f"All of {country.title}'s interceptors will fly escort this turn."
        meeting = table.always_asks(seat, "SW.10.2", notice, meeting)
    for option in (yield from meeting):
        option.value.met += 1


def idle(table: T, area: str) -> int:
    """[SW.10.2, W6] Return a country's interceptors that do not escort this turn."""
    planned = sum(
        each.escorts
        for country in COUNTRIES.values()
        if country.escorts == area
        for each in table.state.war.orders[SIDE[country.attacker]].raids.get(country.area, [])
    )
    return max(0, remaining(table, area) - planned)


def remaining(table: T, area: str) -> int:
    """[SW.10.2, W6] Return a country's interceptors that have not flown escort this turn."""
    war = table.state.war
    return war.interceptors.get(area, 0) - war.escorting.get(area, 0)


def _fly(table: T, country: Country, each: Raid, side: str) -> None:
    """[SW.10.3, SW.11] Resolve a raid: air combat if it is met, then bombs and flak."""
    war, aim = table.state.war, table.state.war.aim(each.target)
    lost = {"bombers": 0, "interceptors": 0, "escorts": 0, "turned": 0}
    bombers, escorts = each.bombers, each.escorts
    if each.met:
        _fight(table, country, each, lost)
    lines = target_lines(table.state, table.data, country, aim, side)
    if each.bombers:
        _bomb(table, country, each, lines, lost)
    lost = {what: count for what, count in lost.items() if count}
    sent = (bombers, aim.strength, escorts, each.met)
    war.reports.append(Report(country.area, total(lines), *sent, war.played, lines, lost, each.target))


def _fight(table: T, country: Country, each: Raid, lost: dict[str, int]) -> None:
    """[SW.10.3] Fight one simultaneous round of air combat; the raid loses those who are shot down or turn back."""
    war, name = table.state.war, table.state.war.aim(each.target).name
    lines = interception_lines(table.state, table.data, country)
    attacker, defender, _ = air_strengths(each.bombers, 0, each.escorts, 0, each.met, 0)
    escorted = (each.escorts, each.bombers)
    roll = TableRoll("19.2", f"raid on {name}", table.data.air, attacker, lines, partial(_fires, each.met))
    fired = table.roll(roll, f"{each.target} raid")
    says = partial(_meets, escorted)
    answer = TableRoll("19.2", f"interceptors over {name}", table.data.air, defender, turned(lines), says)
    met = table.roll(answer, f"{each.target} interceptors")
    down = min(fired.result.first, each.met)
    hit = shot(met.result, *escorted)
    stack, losses = war.bombers[country.area], war.powers[country.attacker].losses
    stack.ready -= hit.bombers
    each.bombers -= hit.bombers + hit.aborted
    losses.bombers += hit.bombers
    if country.escorts is not None:
        war.interceptors[country.escorts] -= hit.escorts
        losses.interceptors += hit.escorts
        each.escorts -= hit.escorts
    bombers, defenders = counter("bomber", country.area), counter("interceptor", country.area)
    interceptors, text = Named(defenders, factors(each.met, "interceptor")), _describe_shot(hit, each.met)
    effect = Named(bombers, text)
    is_miss = not (hit.bombers or hit.escorts or hit.aborted)
    table.log_line("SW.10.3", "{} {} (result {}).", interceptors, effect, met, target=each.target, is_miss=is_miss)
    war.interceptors[country.area] -= down
    war.powers[country.defender].losses.interceptors += down
    shot_down = Named(defenders, factors(down, "interceptor") if down else "no interceptors")
    facts = (KeyedText("The raid", bombers), shot_down, fired)
    table.log_line("SW.10.3", "{} shoots down {} (result {}).", *facts, target=each.target, is_miss=not down)
    lost["interceptors"] += down
    lost["bombers"] += hit.bombers
    lost["escorts"] += hit.escorts


def _bomb(table: T, country: Country, each: Raid, lines: Lines, lost: dict[str, int]) -> None:
    """[SW.11] Roll for bombs and flak simultaneously on the Strategic Warfare Combat Table."""
    war, aim, bombing = table.state.war, table.state.war.aim(each.target), each.bombers
    grid, reading = heavy(table.state, table.data), table.state.rulings.bombing_results
    bombs = TableRoll("24.62", f"bombers, {aim.name}", grid, bombing, lines, partial(_damages, aim.left, reading))
    attack = table.roll(bombs, f"{each.target} bombers")
    flak = TableRoll("24.62", f"flak, {aim.name}", grid, aim.strength, turned(lines), partial(_flak, bombing))
    guns = table.roll(flak, f"{each.target} flak")
    done = bombed(attack.result, aim.left, reading)
    down = min(guns.result.first, bombing)
    back = min(guns.result.second, bombing - down)
    damage = [f"{done.steps} of its {aim.steps} steps knocked out"] if done.steps else []
    repair = table.data.war.bombs.step * done.steps
    parts = f" ({done.brp} and {repair} for the {agree(done.steps, 'step', 'steps')})" if repair and done.brp else ""
    damage += [f"{count_noun(done.brp + repair, 'resource')} lost{parts}"] if done.brp or repair else []
    aim.out += done.steps
    owner, stack = war.powers[country.defender], war.bombers[country.area]
    owner.losses.steps += done.steps
    owner.losses.points += done.brp
    owner.owes += done.brp + repair
    key = counter("bomber", country.area)
    bombers, effect = Named(key, factors(bombing, "bomber")), ", ".join(damage) or "no effect"
    bomb, moment = agree(bombing, "bombs", "bomb"), _bombing_moment(aim, done.steps)
    template = "{} {} {}: {} (result {})."
    facts = (bombers, bomb, aim.name, effect, attack)
    table.log_line("SW.11", template, *facts, target=aim.key, moment=moment, is_miss=not damage)
    stack.ready -= down + back
    each.bombers -= down + back
    stack.turned += back
    war.powers[country.attacker].losses.bombers += down
    text, is_miss = Named(key, _flak(bombing, guns.result)), not down + back
    table.log_line("SW.11", "Flak {} (result {}).", text, guns, target=aim.key, is_miss=is_miss)
    lost |= {"steps": done.steps, "points": done.brp, "bombers": lost["bombers"] + down, "turned": back}


def _bombing_moment(aim: Aim, steps: int) -> str:
    """Return the moment of heavy bombs on a capital, or of the last step of another target."""
    name = capitalize_first(aim.name)
    if aim.key in CAPITALS and steps >= HEAVY:
        return f"{name} bombed heavily"
    return f"{name} in ruins" if steps and not aim.left else ""


def _flak(bombers: int, result: Pair) -> str:
    """Return what a result of the flak does to bombers."""
    down = min(result.first, bombers)
    back = min(result.second, bombers - down)
    hits = [f"shoots down {factors(down, 'bomber')}"] if down else []
    hits += [f"damages {back if down else factors(back, 'bomber')}"] if back else []
    return " and ".join(hits) or "has no effect"


def _damages(steps: int, reading: str, result: Pair) -> str:
    """Return what a result of the bombers does to a target with this many steps, for the scale of their roll."""
    done = bombed(result, steps, reading)
    parts = [f"knocks out {count_noun(done.steps, 'step')}"] if done.steps else []
    parts += [f"costs {count_noun(done.brp, 'resource')}"] if done.brp else []
    return " and ".join(parts) or "has no effect"


def _fires(met: int, result: Pair) -> str:
    """Return what a result of a raid does to the interceptors that meet it, for the scale of its roll."""
    down = min(result.first, met)
    return f"shoots down {factors(down, 'interceptor')}" if down else "has no effect"


def _meets(raid: tuple[int, int], result: Pair) -> str:
    """Return what a result of interceptors does to escorts and bombers, for the scale of their roll."""
    return _describe_shot(shot(result, *raid), 1)


def _describe_shot(hit: Shot, met: int) -> str:
    losses = join_kinds(bomber=hit.bombers, escort=hit.escorts)
    parts = [f"{agree(met, 'shoots', 'shoot')} down {losses}"] if losses else []
    parts += [f"{agree(met, 'turns', 'turn')} back {factors(hit.aborted, 'bomber')}"] if hit.aborted else []
    return " and ".join(parts) or f"{agree(met, 'has', 'have')} no effect"
