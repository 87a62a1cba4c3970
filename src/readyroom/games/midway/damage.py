"""Damaged carriers: sections 15 and 16."""

from __future__ import annotations

from msgspec.structs import replace

from readyroom.engine.rules.checks import Check
from readyroom.engine.text import agree, count_noun
from readyroom.games.midway.state import DIE, USA, Carrier, Data, Midway, Side, T

REPAIRED = 1
"""[M17] Points of damage that a repair removes."""


def hit(table: T, side: Side, carrier: Carrier, hits: int, moment: str = "") -> None:
    """[16] Add damage: at seven a carrier is crippled, at ten she sinks; the excess is lost (M14).

    `moment` is what the board pauses for if she is only damaged.
    """
    state, enemy = table.state, table.state.enemy(side)
    before, points = carrier.damage, score(state, table.data, enemy)
    carrier.damage = min(state.sink, before + hits)
    gained = score(state, table.data, enemy) - points
    if carrier.damage == state.sink:
        _sink(table, side, carrier, gained)
    elif carrier.damage >= state.cripple > before:
        template = "{} is crippled, with damage {} of {}: she cannot launch or land planes. {}"
        damage, crippled = (carrier.damage, state.sink), f"{carrier.name} crippled"
        scores = _scores(enemy, gained)
        table.log_line("16.1", template, carrier.name, *damage, scores, target=carrier, moment=crippled)
    else:
        is_crippled = carrier.damage >= state.cripple
        template = "{} has damage {}: {} sinks her." if is_crippled else "{} has damage {}: {} cripples her."
        limit = state.sink if is_crippled else state.cripple
        table.log_line("16", template, carrier.name, carrier.damage, limit, target=carrier, moment=moment)


def _scores(side: Side, points: int) -> str:
    """[18.2] Return the sentence of the log about points that a side scores, or loses."""
    who = "The United States" if side.name == USA else side.title
    return f"{who} {'scores' if points >= 0 else 'loses'} {count_noun(abs(points), 'point')}."


def _sink(table: T, side: Side, carrier: Carrier, points: int) -> None:
    """[16.2] Everything aboard a sunk carrier is lost; squadrons in the air fly on (M10)."""
    scores = _scores(table.state.enemy(side), points)
    table.log_line("16.2", "{} sinks. {}", carrier.name, scores, target=carrier, moment=f"{carrier.name} sunk")
    aboard = [*carrier.deck, *carrier.hangar]
    side.lost = [*side.lost, *aboard]
    carrier.deck, carrier.hangar = [], []
    if aboard:
        goes = agree(len(aboard), "goes", "go")
        table.log_line("16.2", "{} {} down with {}.", aboard, goes, carrier.name, audience=side.seats, target=carrier)
    if len(side.seats) > 1:
        share_orphans(table, side)


def share_orphans(table: T, side: Side) -> None:
    """[M18] Owners of sunk carriers share their squadrons evenly.

    Where there are fewer squadrons than such owners, the owner of the most squadrons gives up half of them.
    """
    state = table.state
    afloat = {carrier.seat for carrier in state.afloat(side)}
    orphaned = [seat for seat in side.seats if seat not in afloat]
    pool = [squadron for squadron in side.squadrons() if squadron.seat in orphaned]
    if len(pool) < len(orphaned):
        holdings = [[s for s in side.squadrons() if s.seat == seat] for seat in side.seats if seat in afloat]
        largest = max(holdings, key=len, default=[])
        pool += largest[: len(largest) // 2]
    shared = sorted(pool, key=lambda s: s.key)
    side.exchange({s: replace(s, taken_over=orphaned[at % len(orphaned)]) for at, s in enumerate(shared)})
    if pool:
        owners = [
            carrier.name for carrier in side.carriers if carrier.key in orphaned
        ]  # seats are named after carriers
        share = f"{' and '.join(owners)} {agree(len(owners), 'takes', 'share')} the orphaned squadrons"
        table.log_line("16.2", "{}: {}.", share, pool, audience=side.seats, is_miss=True)


def score(state: Midway, data: Data, side: Side) -> int:
    """[18.2] Return a side's points for enemy carriers sunk and crippled."""
    points, enemy = data.combat.victory, state.enemy(side)
    sunk = sum(1 for carrier in enemy.carriers if carrier.damage >= state.sink)
    crippled = sum(1 for carrier in enemy.carriers if state.crippled(carrier))
    return points.sunk * sunk + points.crippled * crippled


def repair(table: T, side: Side) -> None:
    """[15] Roll one die for each damaged carrier afloat; a high roll removes a point of damage (M17)."""
    sink = table.state.sink
    for carrier in side.carriers:
        if not 0 < carrier.damage < sink:
            continue
        parties = table.roll(Check("15", f"{carrier.name} repairs", at_least=carrier.repair), carrier.key)
        if not parties:
            fails = "fails" if carrier.repair <= DIE else "cannot succeed in this scenario"
            table.log_line("15", "{}'s repair {}.", carrier.name, fails, parties, target=carrier)
            continue
        was_crippled = table.state.crippled(carrier)
        carrier.damage -= REPAIRED
        works = ""
        if was_crippled and not table.state.crippled(carrier):
            lost = _scores(table.state.enemy(side), -table.data.combat.victory.crippled)
            works = f" She can launch and land again. {lost}"
        points = count_noun(REPAIRED, "point")
        template = "{} repairs {} (damage {}).{}"
        table.log_line("15", template, carrier.name, points, carrier.damage, works, parties, target=carrier)
