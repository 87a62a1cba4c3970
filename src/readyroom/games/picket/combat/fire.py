"""[6.8] Defensive fire against a wave of regular planes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from readyroom.engine.rules.checks import Check, percent
from readyroom.engine.rules.decisions import BudgetGroup, Option, OptionInfo, Unavailable
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.picket.combat import guns
from readyroom.games.picket.combat.odds import (
    HIT,
    Fates,
    Rows,
    Shot,
    before,
    fates_of,
    shot_chances,
    strikes,
    threat,
)
from readyroom.games.picket.combat.strike import evaded
from readyroom.games.picket.rolls import least_sum, roll_on_table
from readyroom.games.picket.state import CAPTAIN, Counter, T
from readyroom.games.picket.text import a, position_text, weapon_name

UP = ""
SUPPORTERS = {"air": "supporting planes", "surface": "supporting ships"}


class Lead(NamedTuple):
    """A candidate target of the 5-inch guns, and all shots that the ship would then have."""

    plane: Counter
    shots: Callable[[], Rows]


class Mark(NamedTuple):
    """A support target: its chance to survive the guns and strike, and a marker's chance to kill it."""

    plane: Counter
    strikes: float
    kills: float


def defensive_fire(table: T) -> Steps:
    """[6.8.A, 6.8.B, 6.8.P] Assign guns and support, then resolve fire: guns, planes, ships (P10, P16)."""
    state = table.state
    planes = state.wave.planes
    if state.ship.lost or not planes:
        return
    master = yield from _director(table, planes)
    targets = yield from _by_hand(table, planes, master)
    aimed = yield from _aim(table, planes, targets, master)
    fates = fates_of(aimed)
    marks = yield from assign_support(
        table, "6.8.O", "planes", lambda kind: [_marked(table, kind, plane, fates) for plane in planes]
    )
    for shot in aimed:
        _fire(table, shot.gun, shot.plane, slaved=shot.slaved)
    yield from support_fires(table, [(kind, mark.plane) for kind, mark in marks], planes, "6.8.O")
    for plane in planes:
        if plane.fate != UP:
            count_type(table, plane)


def _main_battery(table: T) -> list[str]:
    """Return the 5-inch guns that can fire."""
    state, data = table.state, table.data
    return [key for key in state.ship.mounts if data.mounts[key].kind == "5-inch" and guns.works(state, data, key)]


def _director(table: T, planes: Sequence[Counter]) -> Choice[Counter | None]:
    """[6.8.C.1] Choose the plane that the Mark 37 tracks, by the advanced rules; it aims 5-inch guns at it."""
    state, data = table.state, table.data
    five = _main_battery(table)
    able = [plane for plane in planes if any(guns.bears(state, data, key, plane) for key in five)]
    if not state.plan.advanced or not able or not guns.directed(state, data, five[0]):
        return None
    leads = [Lead(plane, partial(_shots, table, planes, {plane.bearing: plane}, plane)) for plane in able]
    options = [Option(f"mk37-{lead.plane.key}", describe_plane(table, lead.plane), lead) for lead in leads]
    question = "Which plane does the Mark 37 director track? It aims the 5-inch guns that fire at that plane."
    chosen = yield from table.choose(CAPTAIN, "6.8.C", question, options)
    return chosen.value.plane  # type: ignore[no-any-return]


def _by_hand(table: T, planes: Sequence[Counter], master: Counter | None) -> Choice[dict[int, Counter]]:
    """[6.8.C.1, 6.8.C.2] Choose one target in each direction for 5-inch guns without the director (P13).

    The Mark 37's target is that of its own direction.
    """
    state, data = table.state, table.data
    targets = dict[int, Counter]() if master is None else {master.bearing: master}
    five = _main_battery(table) if state.plan.advanced else []
    able = [plane for plane in planes if any(guns.bears(state, data, key, plane) for key in five)]
    for bearing in dict.fromkeys(plane.bearing for plane in able if plane.bearing not in targets):
        there = [plane for plane in able if plane.bearing == bearing]
        targets[bearing] = there[0]
        if len(there) > 1:
            leads = [
                Lead(plane, partial(_shots, table, planes, {**targets, bearing: plane}, master)) for plane in there
            ]
            options = [Option(f"hand-{lead.plane.key}", describe_plane(table, lead.plane), lead) for lead in leads]
            question = f"The Mark 37 is busy. Which plane at {bearing:03d}° may manually aimed 5-inch guns fire at?"
            chosen = yield from table.choose(CAPTAIN, "6.8.C.1", question, options)
            targets[bearing] = chosen.value.plane
    return targets


def describe_plane(table: T, plane: Counter) -> str:
    """Return a plane with its position; a special attacker with its weapon."""
    weapon = f" with {a(weapon_name(plane.weapon))}" if plane.weapon else ""
    return f"{table.data.cards[plane.plane].name}{weapon} ({position_text(plane.bearing, plane.height, plane.section)})"


def _aim(
    table: T, planes: Sequence[Counter], targets: Mapping[int, Counter], master: Counter | None
) -> Choice[list[Shot]]:
    """[6.8.G, 6.8.I, 6.8.J, 6.8.L] Choose a target for each gun that bears on one.

    Those at the Mark 37's target fire first.
    """
    options, groups = list[Option](), list[BudgetGroup]()
    for row in _spread(_shots(table, planes, targets, master)):
        mine, card = [_option(table, shot) for shot in row], table.data.mounts[row[0].gun]
        options += mine
        groups.append(BudgetGroup(row[0].gun, f"{card.kind} {card.name}", mine))
    while True:
        chosen = yield from table.choose_some(
            CAPTAIN,
            "6.8",
            "Which planes do the guns fire at?",
            options,
            cost=lambda option: 1,
            budget=1,
            budget_groups=groups,
            unavailable=lambda: _idle(table, planes, {group.key for group in groups}),
            select_all_default=True,
        )
        if chosen or not options:
            break
        question = f"No gun fires at {count_noun(len(planes), 'plane')}. Hold fire?"
        answers = [Option("hold", "hold fire"), Option("again", "choose targets again")]
        if (yield from table.choose(CAPTAIN, "6.8", question, answers)).key == "hold":
            break
    aimed: list[Shot] = [option.value for option in chosen]
    return sorted(aimed, key=lambda shot: shot.plane is not master)


def _idle(table: T, planes: Sequence[Counter], bearing: Collection[str]) -> Iterator[Unavailable]:
    """[6.8.G, 6.8.H, 6.8.I] Return the guns that can fire at no plane."""
    state, data = table.state, table.data
    for key, card in data.mounts.items():
        if key in bearing or key not in state.ship.mounts:
            continue
        reason = "No plane is in its arc."
        if not guns.works(state, data, key):
            reason = "It is destroyed or has no ammunition, or all hands make repairs."
        elif any(guns.bears(state, data, key, plane) for plane in planes):
            reason = "The 5-inch guns fire at another plane in that direction."
        elif any(plane.bearing in card.arc for plane in planes):
            reason = "List or trim masks the planes in its arc."
        yield Unavailable(key, f"{card.kind} {card.name}", "6.8", reason)


def _spread(rows: Rows) -> Rows:
    """[6.8.G] Order each gun's shots: first the plane that earlier guns leave most dangerous."""
    left, ordered = dict[str, float](), list[list[Shot]]()
    for row in rows:
        best = max(row, key=lambda shot: left.get(shot.plane.key, 1.0) * _gain(shot))
        left[best.plane.key] = left.get(best.plane.key, 1.0) * (1 - _gain(best))
        ordered.append([best, *(shot for shot in row if shot is not best)])
    return ordered


def _gain(shot: Shot) -> float:
    """Return the value of a shot; a hit counts as a fraction of a kill."""
    return shot.chances.flamed + shot.chances.destroyed + HIT * shot.chances.hit


def _shots(table: T, planes: Sequence[Counter], targets: Mapping[int, Counter], master: Counter | None) -> Rows:
    """[6.8.C.1, 6.8.G, 6.8.N] Return each gun's possible shots; 5-inch guns have one target in each direction."""
    state, data = table.state, table.data
    strikes, rows = threat(data, sum(value for _, value in evaded(table))), []
    seen = [plane for plane in planes if plane.height not in guns.masked_heights(state, data, plane.bearing)]
    for key in (key for key in state.ship.mounts if guns.works(state, data, key)):
        card = data.mounts[key]
        bound = card.kind == "5-inch"  # by the basic rules to no plane, as no target is named for them
        row = []
        for plane in seen:
            if plane.bearing in card.arc and (not bound or targets.get(plane.bearing, plane) is plane):
                slaved = bound and plane is master
                added = sum(value for _, value in guns.modifiers(state, data, key, plane, slaved=slaved))
                row.append(Shot(key, plane, slaved, shot_chances(data, card.kind, added), strikes))
        if row:
            rows.append(row)
    return rows


def _option(table: T, shot: Shot) -> Option:
    card, chances, plane = table.data.mounts[shot.gun], shot.chances, describe_plane(table, shot.plane)
    hit = percent(chances.hit).replace(" ", "\u00a0")
    info = OptionInfo(f"{'Mark 37: ' if shot.slaved else ''}shot down (hit {hit})", chances.flamed + chances.destroyed)
    gun = f"{card.kind} {card.name}"
    return Option(f"{shot.gun}-{shot.plane.key}", f"{gun} at the {plane}", shot, info, cell=(gun, plane))


def _fire(table: T, key: str, plane: Counter, *, slaved: bool) -> None:
    """[6.8.K, 6.8.N] Resolve a gun's fire; a plane that is already down is not fired at (P53)."""
    if plane.fate != UP:
        return
    state, data = table.state, table.data
    card, figures = data.mounts[key], data.duty.planes
    added = guns.modifiers(state, data, key, plane, slaved=slaved)
    roll = roll_on_table(table, data.tables.fire, key, card.kind, added)
    roll.goal = f"hit on {least_sum(data.tables.fire, card.kind)} or more"
    state.tally.fired = True
    if roll.cell == "hit":
        plane.hits += 1
        if plane.hits >= figures.hits_to_flame:
            count_kill(table, plane, "flamed")
    elif roll.cell != "miss":
        count_kill(table, plane, "flamed" if roll.cell == "flamed" else "destroyed")
    if plane.fate != UP:
        state.ship.mounts[key].kills += 1
        state.tally.kills[key] = state.tally.kills.get(key, 0) + 1
    verb = {"miss": "misses", "destroyed": "destroys"}.get(roll.cell, "hits")
    end = "; it goes down in flames" if plane.fate == "flamed" else ""
    gun, target = KeyedText(card.name, key), KeyedText(f"{describe_plane(table, plane)}{end}", plane.key)
    table.log_line("6.8", "{} mount {} {} the {}.", card.kind, gun, verb, target, roll, target=plane)


def assign_support(
    table: T, rule: str, targets: str, options: Callable[[str], list[Option]]
) -> Choice[list[tuple[str, Any]]]:
    """[5.2.C, 5.2.D, 6.5.E, 6.5.F] Assign support markers to targets, or keep them; return the options' values."""
    state = table.state
    assigned = list[tuple[str, Any]]()
    for kind, markers, supporters in (("air", state.sea.markers, "planes"), ("surface", state.raid.surface, "ships")):
        if not markers:
            continue
        chosen = yield from table.choose_some(
            CAPTAIN,
            rule,
            f"Which {targets} do the supporting {supporters} fire at? Unused markers can be used later.",
            options(kind),
            at_most=markers,
            limit=lambda option, most=markers: most,  # type: ignore[misc]
        )
        assigned += [(kind, option.value) for option in chosen]
    return assigned


def _marked(table: T, kind: str, plane: Counter, fates: Mapping[str, Fates]) -> Option:
    """[6.8.O] Return a support target with its chance to survive the guns."""
    strike = threat(table.data, sum(value for _, value in evaded(table)))
    flying = (*fates.get(plane.key, before(plane, strike))[:-1], 0.0)
    kills = float(support_check(table, kind, plane, "6.8.O").odds())
    up = sum(flying)
    in_all = percent(kills * up).replace(" ", "\u00a0")
    counted = f"your guns fire first, so this shoots down the plane {in_all} of the time; if it survives them"
    note = counted if up < 1 else "shot down"
    info = OptionInfo(note, kills)
    mark = Mark(plane, strikes(flying, strike), kills)
    return Option(f"{kind}-{plane.key}", describe_plane(table, plane), mark, info)


def support_fires(table: T, support: Sequence[tuple[str, Counter]], planes: Sequence[Counter], rule: str) -> Steps:
    """[5.2.F, 6.5.E to G, 6.8.O, 6.9.E] Resolve support: planes first, then ships.

    A plane whose target is down may choose another one; a ship is spent with its target.
    """
    state = table.state
    for kind, plane in support:
        target: Counter | None = plane
        left = [one for one in planes if one.fate == UP]
        if kind == "air" and plane.fate != UP and left:
            question = "A supporting plane's target is already down. Choose another target?"
            options = [Option("keep", "keep it for later"), *(support_option(table, "air", one) for one in left)]
            target = (yield from table.choose(CAPTAIN, "6.5.G", question, options)).value
        if kind == "surface":
            state.raid.surface -= 1
        if target is None or target.fate != UP:
            continue
        if kind == "air":
            state.sea.markers -= 1
        roll = table.roll(support_check(table, kind, target, rule), f"{kind}-{target.key}")
        if roll:
            count_kill(table, target, "destroyed")
        supporters = capitalize_first(SUPPORTERS[kind])
        name, verb = KeyedText(describe_plane(table, target), target.key), "shoot down" if roll else "miss"
        table.log_line(rule, "{} {} the {}.", supporters, verb, name, roll, target=target)


def support_check(table: T, kind: str, plane: Counter, rule: str) -> Check:
    """[6.5.E, 6.8.O, 6.9.E, 11.4] Return the check of a support marker: a six, easier against two engines."""
    figures = table.data.duty.support
    twin = kind == "air" and table.state.rulings.twin_engines == "yes" and table.data.cards[plane.plane].engines > 1
    modifiers = [("two engines", figures.twin_engine)] if twin else []
    name = f"{SUPPORTERS[kind]} fire at the {describe_plane(table, plane)}"
    return Check(rule, name, at_least=figures.kill, modifiers=modifiers)


def support_option(table: T, kind: str, plane: Counter) -> Option:
    """Return the option of a support marker, with its chance to shoot down a plane."""
    hint = OptionInfo("shoots it down", float(support_check(table, kind, plane, "6.8.O").odds()))
    return Option(f"{kind}-{plane.key}", describe_plane(table, plane), plane, hint)


def count_kill(table: T, plane: Counter, fate: Literal["flamed", "destroyed"]) -> None:
    """[1.5] Record a plane as shot down, as soon as it is."""
    plane.fate = fate
    _add_kills(table, 1)


def count_type(table: T, plane: Counter) -> None:
    """[1.5] Record the type of a plane that was shot down; in the order of the wave.

    A match that version 1.0 has saved while guns fired may have kills that are not counted yet.
    """
    tally = table.state.tally
    tally.types[plane.plane] = tally.types.get(plane.plane, 0) + 1
    _add_kills(table, max(0, sum(tally.types.values()) - tally.shot))


def _add_kills(table: T, count: int) -> None:
    tally = table.state.tally
    tally.shot += count
    tally.tours[-1].shot += count
