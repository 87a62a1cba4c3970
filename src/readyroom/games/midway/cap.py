"""Combat air patrol: section 11."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import starmap
from operator import attrgetter

from readyroom.engine.checks import Salvo, Volley, mean_hits
from readyroom.engine.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.table import Choice, Steps
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.midway.losses import lose, remaining
from readyroom.games.midway.state import (
    DIVE,
    FIGHTER,
    KIND_TITLES,
    TORPEDO,
    Kind,
    Side,
    Squadron,
    T,
    by_seat,
    leader,
    total,
    verb,
    within,
    without,
)


def cap_attacks(table: T, side: Side) -> Steps:
    """[11] Squadrons flying CAP may attack the enemy's Ready to Attack box.

    Bombers without escorts meet the whole CAP, as in the first battle report [2].
    """
    enemy = table.state.enemy(side)
    if not enemy.ready:
        return
    attacking = yield from _who_attacks(table, side)
    if not attacking:
        return
    escorts = [squadron for squadron in enemy.ready if squadron.kind == FIGHTER]
    bombers = [squadron for squadron in enemy.ready if squadron.kind != FIGHTER]
    on_escorts = yield from _who_fights_escorts(table, side, attacking, len(escorts))
    on_bombers = without(attacking, on_escorts) if bombers else []
    back = yield from _fight(table, side, enemy, (on_escorts, escorts), (on_bombers, bombers))
    _move_out(table, side, back)


def _who_attacks(table: T, side: Side) -> Choice[list[Squadron]]:
    """[11.1] Each squadron may attack or hold; those in the last ring cannot attack (M5)."""
    able: list[Squadron] = []
    for ring in side.cap[:-1]:
        able += ring
    attacking: list[Squadron] = []
    for seat, squadrons in by_seat(side, able):
        attacking += yield from table.choose_some(
            seat,
            "11.1",
            "Which CAP squadrons attack the enemy in the Ready to Attack box?",
            squadrons,
            select_all_default=True,
            text=partial(_with_ring, side),
            info=partial(_hint, table, side),
            unavailable=partial(_spent, side),
        )
    return attacking


def _with_ring(side: Side, squadron: Squadron) -> str:
    ring = next(number for number, ring in enumerate(side.cap) if squadron in ring)
    return f"{squadron}, {f'ring {ring + 1}' if ring else 'centre'}"


def _hint(table: T, side: Side, _: Squadron) -> OptionInfo:
    """[11.2, M21] Describe the enemy's Ready to Attack box; all its fighters shoot back."""
    ready = table.state.enemy(side).ready
    escorts = [one for one in ready if one.kind == FIGHTER]
    mean = float(mean_hits(table.data.combat.dogfight.fire))
    opposition = f"{count_noun(len(escorts), 'escort squadron')} ({total(escorts)} dice)" if escorts else "no escorts"
    bombers = total(ready) - total(escorts)
    return OptionInfo(f"{mean:.1f} expected hits per point; enemy: {bombers} bomber points, {opposition}")


def _spent(side: Side) -> Iterator[Unavailable]:
    for squadron in side.cap[-1]:
        reason = f"{squadron} is in the last ring and can only land."
        yield Unavailable(squadron.key, str(squadron), "11.5", reason)


def _who_fights_escorts(
    table: T, side: Side, attacking: Sequence[Squadron], escorts: int
) -> Choice[Sequence[Squadron]]:
    """[11.2] One squadron per enemy fighter squadron must fight the escorts, at most all (M6)."""
    if escorts >= len(attacking):
        return attacking
    if not escorts:
        return []
    return (
        yield from table.choose_some(
            leader(side, attacking),
            "11.2",
            f"Which {count_noun(escorts, 'squadron')} must fight the escorts? The others attack the bombers.",
            attacking,
            at_least=escorts,
            at_most=escorts,
        )
    )


Pairing = tuple[Sequence[Squadron], Sequence[Squadron]]


def _fight(table: T, side: Side, enemy: Side, fighters: Pairing, bombers: Pairing) -> Choice[list[Squadron]]:
    """[11.3] Roll all dice before any losses (M8): CAP and all escorts (M21) at each other, CAP at bombers.

    Return what is left of the squadrons that attacked.
    """
    on_escorts, escorts = fighters
    on_bombers, targets = bombers
    if on_escorts:
        struck = _volley(table, side, f"{side.title} CAP against escorts", on_escorts)
        returned = _volley(table, enemy, f"{enemy.title} escorts against CAP", escorts)
        table.log_line(
            "11.3",
            "{} CAP ({}) engages {} escorts ({}): {} on the escorts, {} on the CAP.",
            side.adjective,
            on_escorts,
            enemy.adjective,
            escorts,
            struck,
            returned,
        )
    if on_bombers:
        shot = _volley(table, side, f"{side.title} CAP against bombers", on_bombers)
        template = "{} CAP ({}) scores {} on the bombers." if shot.hits else "{} CAP ({}) misses the bombers."
        table.log_line("11.4", template, side.adjective, on_bombers, shot)
    if on_escorts:
        shot_down = yield from lose(table, enemy, "11.3", escorts, struck.hits)
        enemy.ready = remaining(enemy.ready, shot_down)
        fallen = yield from lose(table, side, "11.3", on_escorts, returned.hits)
        side.cap = [remaining(ring, fallen) for ring in side.cap]
        on_escorts = remaining(on_escorts, fallen)
    if on_bombers:
        yield from _shoot_down(table, side, on_bombers, enemy, targets, shot.hits)
    return [*on_escorts, *on_bombers]


def _volley(table: T, side: Side, name: str, squadrons: Sequence[Squadron]) -> Salvo:
    return table.roll(Volley("11.3", name, total(squadrons), table.data.combat.dogfight.fire), name)


def _shoot_down(
    table: T, side: Side, attackers: Sequence[Squadron], enemy: Side, bombers: Sequence[Squadron], hits: int
) -> Steps:
    """[11.4] The attacker divides the hits by type of bomber; the owner allocates them to squadrons (M22)."""
    if not hits:
        return
    by_kind: dict[Kind, list[Squadron]] = {TORPEDO: [], DIVE: []}
    for squadron in bombers:
        by_kind[squadron.kind].append(squadron)
    types = list(starmap(_as_option, by_kind.items()))
    spread = yield from table.allocate(
        leader(side, attackers),
        "11.4",
        "How many hits does each type of bomber take?",
        min(hits, total(bombers)),
        types,
        _LIMIT,
        log_text=lambda types: _bear_all(types, hits),
    )
    for kind, squadrons in by_kind.items():
        part = sum([option.value == kind for option in spread])
        shot_down = yield from lose(table, enemy, "11.4", squadrons, part)
        enemy.ready = remaining(enemy.ready, shot_down)


def _as_option(kind: Kind, squadrons: Sequence[Squadron]) -> Option:
    strength = total(squadrons)
    return Option(kind, f"{KIND_TITLES[kind]} ({strength})", kind, limit=strength)


def _bear_all(types: Sequence[Option], hits: int) -> str:
    """[11.4] Describe a division without choice: a single type, or at least as many hits as points."""
    names = " and ".join(KIND_TITLES[option.value] for option in types)
    room = sum(option.limit for option in types)
    if hits >= room:
        return f"All {names} are shot down."
    many = "the hit" if hits == 1 else "both hits" if hits == 2 else f"all {hits} hits"
    return f"{capitalize_first(names)} take {many}."


_LIMIT: Callable[[Option], int] = attrgetter("limit")


def _move_out(table: T, side: Side, attacked: Sequence[Squadron]) -> None:
    """[11.5] Squadrons that attacked move out one ring; those without an opponent do not (M5)."""
    if not attacked:
        return
    rings = [*side.cap]
    for ring in range(len(rings) - 2, -1, -1):
        leaving = within(rings[ring], attacked)
        if leaving:
            rings[ring] = without(rings[ring], leaving)
            rings[ring + 1] = [*rings[ring + 1], *leaving]
    side.cap = rings
    moves = verb(attacked, "moves", "move")
    table.log_line("11.5", "{} {} out one ring.", attacked, moves, audience=side.seats)
