"""Combat air patrol: section 11."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from readyroom.engine.rules.checks import Salvo, Volley, mean_hits
from readyroom.engine.rules.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import agree, capitalize_first, count_noun, join_list
from readyroom.games.midway.losses import lose
from readyroom.games.midway.orders import to_place
from readyroom.games.midway.state import (
    DIVE,
    FIGHTER,
    KIND_TITLES,
    TORPEDO,
    Side,
    Squadron,
    T,
    by_seat,
    exchanged,
    leader,
    place_key,
    total,
    within,
    without,
)


def cap_attacks(table: T, side: Side) -> Steps:
    """[11] Squadrons flying CAP may attack the enemy's Ready to Attack box.

    Bombers without escorts meet the whole CAP, as in the first battle report [2]. All dice are rolled before any losses
    (M8): CAP and all escorts (M21) at each other, CAP at bombers.
    """
    enemy = table.state.enemy(side)
    if not enemy.ready:
        return
    attacking = yield from _who_attacks(table, side)
    if not attacking:
        none = "No {} fighters meet the {} planes" + (": the CAP holds back." if any(side.cap) else ": none fly CAP.")
        table.log_line("11.1", none, side.adjective, enemy.adjective, target=place_key(enemy.name, "ready"))
        return
    escorts = [squadron for squadron in enemy.ready if squadron.kind == FIGHTER]
    bombers = [squadron for squadron in enemy.ready if squadron.kind != FIGHTER]
    on_escorts = yield from _who_fights_escorts(table, side, attacking, len(escorts))
    on_bombers = without(attacking, on_escorts) if bombers else []
    struck, returned = _dogfight(table, side, on_escorts, escorts) if on_escorts else (0, 0)
    shot = 0
    if on_bombers:  # 11.4: they do not fire back
        salvo = _volley(table, side, "CAP against bombers", on_bombers)
        template = "{} CAP ({}) scores {} on the bombers." if salvo.hits else "{} CAP ({}) misses the bombers."
        over = place_key(enemy.name, "ready")
        table.log_line("11.4", template, side.adjective, on_bombers, salvo, target=over)
        shot = salvo.hits
    yield from lose(table, enemy, "11.3", escorts, struck)
    fallen = yield from lose(table, side, "11.3", on_escorts, returned)
    if shot:
        yield from _shoot_down(table, side, on_bombers, bombers, shot)
    _move_out(table, side, [*exchanged(on_escorts, fallen), *on_bombers])


def _who_attacks(table: T, side: Side) -> Choice[list[Squadron]]:
    """[11.1] Each squadron may attack or hold; those in the last ring cannot attack (M5)."""
    able = list(chain.from_iterable(side.cap[:-1]))
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
            assigns=to_place(place_key(table.state.enemy(side).name, "ready")),
        )
    return attacking


def _with_ring(side: Side, squadron: Squadron) -> str:
    ring = next(number for number, ring in enumerate(side.cap) if squadron in ring)
    return f"{squadron}, {f'ring {ring + 1}' if ring else 'center'}"


def _hint(table: T, side: Side, _: Squadron) -> OptionInfo:
    """[11.2, M21] Describe the enemy's Ready to Attack box; all its fighters shoot back."""
    ready = table.state.enemy(side).ready
    escorts = [one for one in ready if one.kind == FIGHTER]
    mean = float(mean_hits(table.data.combat.dogfight.fire))
    opposition = f"{count_noun(len(escorts), 'escort squadron')} ({total(escorts)} dice)" if escorts else "no escorts"
    bombers = total(ready) - total(escorts)
    return OptionInfo(f"{mean:.1f} expected hits per point; enemy: {count_noun(bombers, 'bomber point')}, {opposition}")


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
    question = f"Which {count_noun(escorts, 'squadron')} must fight the escorts? The others attack the bombers."
    seat = leader(side, attacking)
    info = partial(_hits_info, table)
    return (
        yield from table.choose_some(seat, "11.2", question, attacking, at_least=escorts, at_most=escorts, info=info)
    )


def _hits_info(table: T, squadron: Squadron) -> OptionInfo:
    """[11.3] Return the hits that a squadron scores."""
    volley = Volley("11.3", "dogfight", squadron.strength, table.data.combat.dogfight.fire)
    return OptionInfo(f"{float(volley.mean()):.1f} expected hits; any hit", float(1 - volley.odds(1)[0]))


def _dogfight(table: T, side: Side, cap: Sequence[Squadron], escorts: Sequence[Squadron]) -> tuple[int, int]:
    """[11.3] CAP and escorts fire at each other; return the hits on the escorts and on the CAP."""
    enemy = table.state.enemy(side)
    struck = _volley(table, side, "CAP against escorts", cap)
    returned = _volley(table, enemy, "escorts against CAP", escorts)
    template = "{} CAP ({}) engages {} escorts ({}): {} on the escorts, {} on the CAP."
    over = place_key(enemy.name, "ready")
    table.log_line("11.3", template, side.adjective, cap, enemy.adjective, escorts, struck, returned, target=over)
    return struck.hits, returned.hits


def _volley(table: T, side: Side, what: str, squadrons: Sequence[Squadron]) -> Salvo:
    volley = Volley("11.3", f"{side.adjective} {what}", total(squadrons), table.data.combat.dogfight.fire)
    return table.roll(volley, f"{side.title} {what}")


def _shoot_down(table: T, side: Side, cap: Sequence[Squadron], bombers: Sequence[Squadron], hits: int) -> Steps:
    """[11.4] The attacker divides the hits by type of bomber; the owner allocates them to squadrons (M22)."""
    enemy = table.state.enemy(side)
    by_kind = {kind: [squadron for squadron in bombers if squadron.kind == kind] for kind in (TORPEDO, DIVE)}
    strengths = {kind: total(squadrons) for kind, squadrons in by_kind.items()}
    types = [Option(kind, f"{KIND_TITLES[kind]} ({most})", kind, limit=most) for kind, most in strengths.items()]
    spread = yield from table.allocate(
        leader(side, cap),
        "11.4",
        "How many hits does each type of bomber take?",
        min(hits, total(bombers)),
        types,
        lambda option: option.limit,
        log_text=lambda types: _bear_all(types, hits),
    )
    taken = Counter(option.value for option in spread)
    if all(strengths.values()) and hits < total(bombers):
        hits_on = [f"{taken[kind]} on {KIND_TITLES[kind]}" for kind in by_kind if taken[kind]]
        over = place_key(enemy.name, "ready")
        table.log_line("11.4", "{} CAP hits: {}.", side.adjective, join_list(hits_on), target=over)
    for kind, squadrons in by_kind.items():
        yield from lose(table, enemy, "11.4", squadrons, taken[kind])


def _bear_all(types: Sequence[Option], hits: int) -> str:
    """[11.4] Describe a division without choice: a single type, or at least as many hits as points."""
    names = " and ".join(KIND_TITLES[option.value] for option in types)
    if hits >= sum(option.limit for option in types):
        return f"All {names} are shot down."
    many = "the hit" if hits == 1 else "both hits" if hits == 2 else f"all {hits} hits"
    return f"{capitalize_first(names)} take {many}."


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
    moves = agree(len(attacked), "moves", "move")
    over = place_key(side.name, "cap")
    table.log_line("11.5", "{} {} out one ring.", attacked, moves, audience=side.seats, target=over)
