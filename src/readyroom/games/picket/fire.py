"""[6.8] Defensive fire against a regular wave: who fires at whom, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.checks import Check, percent
from readyroom.engine.decisions import Hint, Option, Purse
from readyroom.engine.table import Choice, Steps
from readyroom.games.picket import guns
from readyroom.games.picket.odds import down, fire_odds
from readyroom.games.picket.rolls import look
from readyroom.games.picket.state import CAPTAIN, Counter, T

UP = ""


def up(planes: Sequence[Counter]) -> list[Counter]:
    """The planes that still fly, with fewer than three hits."""
    return [plane for plane in planes if plane.fate == UP]


def defensive_fire(table: T) -> Steps:
    """[6.8.A, 6.8.B] Guns and support are assigned, then fire: guns first, then planes, then ships (P10, P16)."""
    state = table.state
    planes = state.wave.planes
    if state.ship.lost or not planes:
        return
    master = yield from _director(table, planes)
    targets = yield from _by_hand(table, planes, master)
    aimed = yield from _aim(table, planes, targets, master)
    support = yield from _support(table, planes)
    for key, plane in aimed:
        _fire(table, key, plane, slaved=plane is master)
    yield from _support_fires(table, support)
    _count(table, planes)


# -- the Mark 37 -----------------------------------------------------------------------------------------------------


def _main_battery(table: T) -> list[str]:
    """The 5-inch guns that can fire."""
    state, data = table.state, table.data
    return [key for key in state.ship.mounts if data.mounts[key].kind == "5-inch" and guns.works(state, data, key)]


def _director(table: T, planes: Sequence[Counter]) -> Choice[Counter | None]:
    """[6.8.C.1] By the advanced rules the Mark 37 follows one plane; 5-inch guns that fire at it are slaved to it."""
    state, data = table.state, table.data
    five = _main_battery(table)
    able = [plane for plane in planes if any(guns.bears(state, data, key, plane) for key in five)]
    if not state.plan.advanced or not able or not guns.directed(state, data, five[0]):
        return None
    options = [Option(f"mk37-{plane.key}", told(table, plane), plane) for plane in able]
    question = "Which plane does the Mark 37 director follow? It lays the 5-inch guns that fire at that one."
    chosen = yield from table.choose(CAPTAIN, "6.8.C", question, options)
    return chosen.value  # type: ignore[no-any-return]


def _by_hand(table: T, planes: Sequence[Counter], master: Counter | None) -> Choice[dict[int, Counter]]:
    """[6.8.C.1, 6.8.C.2] All 5-inch guns that fire in one direction have one target there (P13).

    Where several planes come in, it is named first; what the Mark 37 follows is that of its own direction.
    """
    state, data = table.state, table.data
    targets = dict[int, Counter]() if master is None else {master.bearing: master}
    five = _main_battery(table) if state.plan.advanced else []
    able = [plane for plane in planes if any(guns.bears(state, data, key, plane) for key in five)]
    for bearing in dict.fromkeys(plane.bearing for plane in able if plane.bearing not in targets):
        there = [plane for plane in able if plane.bearing == bearing]
        targets[bearing] = there[0]
        if len(there) > 1:
            options = [Option(f"hand-{plane.key}", told(table, plane), plane) for plane in there]
            question = (
                f"The Mark 37 is busy. At which plane in {bearing:03d} may 5-inch guns fire that are laid by hand?"
            )
            chosen = yield from table.choose(CAPTAIN, "6.8.C.1", question, options)
            targets[bearing] = chosen.value
    return targets


def told(table: T, plane: Counter) -> str:
    """A plane with its place, in words."""
    return f"{table.data.cards[plane.plane].name} at {plane.bearing:03d} {plane.height}"


# -- aiming ----------------------------------------------------------------------------------------------------------


def _aim(
    table: T, planes: Sequence[Counter], targets: dict[int, Counter], master: Counter | None
) -> Choice[list[tuple[str, Counter]]]:
    """[6.8.G, 6.8.I, 6.8.J, 6.8.L] A target for each gun that bears on one; several guns may have the same.

    Those at the Mark 37's target fire first.
    """
    state, data = table.state, table.data
    options, purses = list[Option](), list[Purse]()
    for key, card in ((key, data.mounts[key]) for key in state.ship.mounts):
        if not guns.works(state, data, key):
            continue
        bound = state.plan.advanced and card.kind == "5-inch"
        mine = [
            _shot(table, key, plane, slaved=plane is master)
            for plane in planes
            if guns.bears(state, data, key, plane) and (not bound or targets.get(plane.bearing) is plane)
        ]
        if mine:
            options += mine
            purses.append(Purse(key, f"{card.kind} {card.name}", mine))
    chosen = yield from table.choose_some(
        CAPTAIN,
        "6.8",
        "At which planes do the guns fire?",
        options,
        cost=lambda option: 1,
        budget=1,
        purses=purses,
        usual=True,
    )
    aimed: list[tuple[str, Counter]] = [option.value for option in chosen]
    return sorted(aimed, key=lambda one: one[1] is not master)


def _shot(table: T, key: str, plane: Counter, *, slaved: bool) -> Option:
    """A gun and a target, with the odds."""
    state, data = table.state, table.data
    added = sum(value for _, value in guns.modifiers(state, data, key, plane, slaved=slaved))
    card = data.mounts[key]
    odds = fire_odds(data, card.kind, added)
    hit = percent(odds["hit"]).replace(" ", "\u00a0")
    hint = Hint(f"{'Mark 37: ' if slaved and card.kind == '5-inch' else ''}hit {hit}, down", float(down(odds)))
    return Option(
        f"{key}-{plane.key}",
        f"{card.kind} {card.name} at the {told(table, plane)}",
        (key, plane),
        hint,
        cell=(f"{card.kind} {card.name}", told(table, plane)),
    )


# -- firing ----------------------------------------------------------------------------------------------------------


def _fire(table: T, key: str, plane: Counter, *, slaved: bool) -> None:
    """[6.8.K, 6.8.N] A gun fires; at a plane that is down already it fires no more, and has had its turn (P53)."""
    if plane.fate != UP:
        return
    state, data = table.state, table.data
    card, figures = data.mounts[key], data.duty.planes
    added = guns.modifiers(state, data, key, plane, slaved=slaved)
    roll = look(table, data.tables.fire, key, card.kind, added)
    state.tally.fired = True
    if roll.cell == "hit":
        plane.hits += 1
        plane.fate = "flamed" if plane.hits >= figures.hits_to_flame else UP
    elif roll.cell in ("flamed", "destroyed"):
        plane.fate = "flamed" if roll.cell == "flamed" else "destroyed"
    if plane.fate != UP:
        state.ship.mounts[key].kills += 1
        state.tally.kills[key] = state.tally.kills.get(key, 0) + 1
    end = {"flamed": ", and goes down in flames", "destroyed": ", and is blown apart"}.get(plane.fate, "")
    table.say("6.8", "{} {} at the {}: {}{}.", card.kind, card.name, told(table, plane), roll, end)


# -- support ---------------------------------------------------------------------------------------------------------


def _support(table: T, planes: Sequence[Counter]) -> Choice[list[tuple[str, Counter]]]:
    """[5.2.C, 6.5.E, 6.8.O] Markers of planes and ships are laid on attackers, or kept for later."""
    state = table.state
    found = list[tuple[str, Counter]]()
    for kind, count, words in (("air", state.sea.markers, "planes"), ("surface", state.raid.surface, "ships")):
        if not count:
            continue
        options = [Option(f"{kind}-{one.key}", told(table, one), one, support_hint(table, kind, one)) for one in planes]
        chosen = yield from table.choose_some(
            CAPTAIN,
            "6.8.O",
            f"At which planes do the supporting {words} fire? What you keep can be used later.",
            options,
            at_most=count,
            limit=lambda option, most=count: most,  # type: ignore[misc]
        )
        found += [(kind, option.value) for option in chosen]
    return found


def _support_fires(table: T, support: list[tuple[str, Counter]]) -> Steps:
    """[6.5.E to G, 5.2.F] Planes fire first, and may be sent on where their target is down; ships are spent with it."""
    state = table.state
    for kind, plane in support:
        target: Counter | None = plane
        if kind == "air" and plane.fate != UP:
            target = yield from _sent_on(table)
        if kind == "surface":
            state.raid.surface -= 1
        if target is None or target.fate != UP:
            continue
        if kind == "air":
            state.sea.markers -= 1
        supports(table, kind, target, "6.8.O")


def _sent_on(table: T) -> Choice[Counter | None]:
    """[6.5.G] A marker whose target is down before it fired may have another."""
    left = up(table.state.wave.planes)
    if not left:
        return None
    options = [Option("keep", "keep it for later")]
    options += [Option(f"air-{one.key}", told(table, one), one, support_hint(table, "air", one)) for one in left]
    chosen = yield from table.choose(
        CAPTAIN, "6.5.G", "A supporting plane has not fired, and its target is down. Where does it go?", options
    )
    return chosen.value  # type: ignore[no-any-return]


def support_check(table: T, kind: str, plane: Counter, rule: str) -> Check:
    """[6.5.E, 6.8.O, 6.9.E, 11.4] The die of a marker of support, that needs a six; two engines are hit more easily."""
    figures = table.data.duty.support
    twin = kind == "air" and table.state.rulings.twin_engines == "yes" and table.data.cards[plane.plane].engines > 1
    return Check(
        rule, "support", at_least=figures.kill, modifiers=[("two engines", figures.twin_engine)] if twin else []
    )


def support_hint(table: T, kind: str, plane: Counter) -> Hint:
    """What a marker of support does to a plane."""
    return Hint("shoots it down", float(support_check(table, kind, plane, "6.8.O").odds()))


def supports(table: T, kind: str, plane: Counter, rule: str) -> None:
    """[6.8.O, 6.9.E] One marker fires."""
    roll = table.roll(support_check(table, kind, plane, rule), f"{kind}-{plane.key}")
    if roll:
        plane.fate = "destroyed"
    words = "Supporting planes" if kind == "air" else "Supporting ships"
    name, end = table.data.cards[plane.plane].name, "shot down" if roll else "missed"
    table.say(rule, "{} at the {}: {} ({}).", words, name, end, roll)


def _count(table: T, planes: Sequence[Counter]) -> None:
    """[1.5, 6.8.P] What was shot down is written down; what is not destroyed stays where it is."""
    for plane in planes:
        if plane.fate != UP:
            downed(table, plane)


def downed(table: T, plane: Counter) -> None:
    """[1.5] A plane that is shot down goes into the ship's log."""
    tally = table.state.tally
    tally.shot += 1
    tally.tours[-1].shot += 1
    tally.types[plane.plane] = tally.types.get(plane.plane, 0) + 1
