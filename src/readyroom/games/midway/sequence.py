"""The sequence of play: section 8, and the end of the battle, section 18."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec.structs import replace

from readyroom.engine.game import Phase, PhaseGroup
from readyroom.engine.rules.decisions import BudgetGroup
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import agree, capitalize_first
from readyroom.games.midway.cap import cap_attacks
from readyroom.games.midway.damage import repair, score
from readyroom.games.midway.land import land
from readyroom.games.midway.launch import launch, plan
from readyroom.games.midway.move import move
from readyroom.games.midway.state import (
    FIGHTER,
    JAPAN,
    SIDE_TITLES,
    SIDES,
    Carrier,
    Data,
    Midway,
    Side,
    SideName,
    Squadron,
    T,
    by_seat,
    without,
)
from readyroom.games.midway.strike import attack_carriers

Rule = Callable[[T, Side], Steps | None]

STEPS: list[tuple[str, str, str, Rule]] = [
    ("land", "land planes", "9", land),
    ("move", "move planes", "10", move),
    ("cap", "CAP attacks", "11", cap_attacks),
    ("attack", "carrier attacks", "12", attack_carriers),
    ("launch", "launch planes", "13", launch),
    ("plan", "planning", "14", plan),
    ("repair", "repair damage", "15", repair),
]
"""[8] The seven steps of a turn; Japan takes each before the United States."""


def _phase(step: tuple[str, str, str, Rule], name: SideName) -> Phase[Midway, Data]:
    key, title, number, rule = step
    group = PhaseGroup(f"{name}-{key}", f"{SIDE_TITLES[name]}: {title}") if key != "repair" else None

    def play(table: T) -> Steps | None:
        return rule(table, table.state.japan if name == JAPAN else table.state.usa)

    return Phase(f"{name}-{key}", f"{SIDE_TITLES[name]}: {title}", number, play, group)


def choose_first_wave(table: T) -> Steps:
    """[7] As an option (M23), owners choose which bombers of each carrier flew in the first wave."""
    if table.state.rulings.returning == "listed":
        return
    for side in (table.state.japan, table.state.usa):
        if table.state.orders_together:
            yield from _choose_together(table, side)
            continue
        for carrier in side.carriers:
            away = [squadron for squadron in side.waiting if squadron.home == carrier.key]
            fighters = [squadron for squadron in away if squadron.kind == FIGHTER]
            bombers = [squadron for squadron in (*away, *carrier.hangar) if squadron.kind != FIGHTER]
            chosen = yield from table.choose_some(
                carrier.seat,
                "7",
                f"Which {carrier.name} bombers are returning from the first wave?",
                bombers,
                at_least=len(away) - len(fighters),
                at_most=len(away) - len(fighters),
                piece_key=carrier.key,
            )
            _exchange(side, carrier, bombers, chosen)


def _exchange(side: Side, carrier: Carrier, bombers: Sequence[Squadron], chosen: Sequence[Squadron]) -> None:
    """Let the chosen bombers of a carrier be in the air, and the others below deck."""
    airborne = [replace(squadron, returning=True) for squadron in chosen]
    below = [replace(squadron, returning=False) for squadron in without(bombers, chosen)]
    side.waiting = [*without(side.waiting, bombers), *airborne]
    carrier.hangar = [*without(carrier.hangar, bombers), *below]


def _choose_together(table: T, side: Side) -> Steps:
    """[7, M23, M27] Ask each seat once; what it leaves open is filled with the squadrons that the scenario lists."""
    for seat, carriers in by_seat(side, side.carriers):
        listed = {
            carrier.key: [one for one in side.waiting if one.home == carrier.key and one.kind != FIGHTER]
            for carrier in carriers
        }
        for count in dict.fromkeys(filter(None, map(len, listed.values()))):
            same = [carrier for carrier in carriers if len(listed[carrier.key]) == count]
            bombers = {
                carrier.key: [*listed[carrier.key], *(one for one in carrier.hangar if one.kind != FIGHTER)]
                for carrier in same
            }
            free = [carrier for carrier in same if len(bombers[carrier.key]) > count]
            chosen = yield from table.choose_some(
                seat,
                "7",
                f"Which {count} bombers of each carrier are returning from the first wave? Unless you choose them, "
                "those that the scenario lists.",
                [one for carrier in free for one in bombers[carrier.key]],
                cost=lambda _: 1,
                budget=count,
                budget_groups=[BudgetGroup(one.key, one.name, bombers[one.key]) for one in free],
            )
            for carrier in free:
                own = [one for one in bombers[carrier.key] if one in chosen]
                rest = [one for one in listed[carrier.key] if one not in chosen]
                _exchange(side, carrier, bombers[carrier.key], [*own, *rest[: count - len(own)]])


def end_of_turn(table: T) -> None:
    """[18.1] End the battle when a side can no longer launch or strike, or after the last turn (M15).

    A strike that is under way is completed, as in the second battle report [3]. As an option the battle ends when
    neither side can strike (M25).
    """
    state = table.state
    sides = (state.japan, state.usa)
    beaten = [
        side for side in sides if not (side.moving or side.ready or any(side.attacking.values())) and state.gone(side)
    ]
    idle = state.rulings.early_end == "yes" and not any(_may_strike(state, side) for side in sides)
    if beaten or idle or state.at.turn >= state.rulings.turn_limit:
        table.end_match(_outcome(table, beaten))


def last_turn(state: Midway, data: Data) -> int:
    """[18.1] Return the last turn, by the option."""
    return state.rulings.turn_limit


def _may_strike(state: Midway, side: Side) -> bool:
    """[M25] Return whether a side has bombers on their way, or a working carrier and bombers to launch."""
    on_their_way = (*side.moving, *side.ready, *(one for wave in side.attacking.values() for one in wave))
    if any(squadron.kind != FIGHTER for squadron in on_their_way):
        return True
    return bool(state.working(side)) and any(squadron.kind != FIGHTER for squadron in side.squadrons())


def _outcome(table: T, beaten: list[Side]) -> Outcome:
    """[18.2] A lead of four points wins; anything less is a draw (M15)."""
    state = table.state
    scores: dict[str, int] = {side.name: score(state, table.data, side) for side in (state.japan, state.usa)}
    lead = scores["japan"] - scores["usa"]
    decided = abs(lead) >= table.data.combat.victory.lead
    winner = (state.japan if lead > 0 else state.usa) if decided else None
    lost = " and ".join(side.title for side in beaten)
    ending = f"{lost} can neither launch nor strike any more" if lost else f"turn {state.at.turn} was the last"
    if not lost and state.at.turn < state.rulings.turn_limit:
        ending = "neither side can strike any more"
    title = f"{winner.title} wins" if winner else "draw"
    text = f"{capitalize_first(ending)}: Japan {scores['japan']}, United States {scores['usa']} points."
    for side in (state.japan, state.usa):
        _lose_the_homeless(table, side)
    headline = capitalize_first(title)
    table.log_line("18.2", "{} {}.", text, headline, moment=headline)
    return Outcome(winner.name if winner else None, title, text, scores)


def _lose_the_homeless(table: T, side: Side) -> None:
    """[9.3] Aircraft in the air at the end without a carrier to land on are lost (M11)."""
    homeless = [] if table.state.working(side) else list(side.airborne())
    if homeless:
        side.moving = side.ready = side.home = side.waiting = []
        side.attacking = {target: [] for target in side.attacking}
        side.cap = [[] for _ in side.cap]
        side.lost = [*side.lost, *homeless]
        are = agree(len(homeless), "is", "are")
        table.log_line("9.3", "{} {} lost: no {} flight deck is left.", homeless, are, side.adjective)


def epilogue(state: Midway, data: Data) -> list[str]:
    """[18.2] Describe the fate of each side's carriers and squadrons."""
    sentences = []
    for side in (state.japan, state.usa):
        fates = ", ".join(f"{carrier.name} {_fate(state, carrier)}" for carrier in side.carriers)
        squadrons = len(side.lost) + len(list(side.squadrons()))
        sentences.append(f"{side.title}: {fates}; {len(side.lost)} of {squadrons} squadrons lost.")
    return sentences


def _fate(state: Midway, carrier: Carrier) -> str:
    if carrier.damage >= state.sink:
        return "sunk"
    if state.crippled(carrier):
        return f"crippled, damage {carrier.damage}"
    return f"damage {carrier.damage}" if carrier.damage else "unhurt"


BEFORE = "before"
SET_UP: Phase[Midway, Data] = Phase("set-up", "setup", "7", choose_first_wave)
END: Phase[Midway, Data] = Phase("end", "end of the turn", "18.1", end_of_turn)
TURN: list[Phase[Midway, Data]] = [*(_phase(step, name) for step in STEPS for name in SIDES), END]
PHASES = [SET_UP, *TURN]

_AFTER = {BEFORE: SET_UP.name, **{before.name: after.name for before, after in pairwise(TURN)}}


def next_phase(state: Midway) -> At | Outcome:
    """[8] The phase that follows; after the last one the next turn begins."""
    at = state.at
    after = _AFTER.get(at.phase)
    return At(at.turn, after) if after else At(at.turn + 1, TURN[0].name)
