"""The sequence of play: section 8, and the end of the battle, section 18."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from readyroom.engine.game import Phase
from readyroom.engine.state import At, Outcome
from readyroom.engine.table import Steps
from readyroom.games.midway.cap import cap_attacks
from readyroom.games.midway.damage import repair
from readyroom.games.midway.land import land
from readyroom.games.midway.launch import launch, plan
from readyroom.games.midway.move import move
from readyroom.games.midway.state import JAPAN, SIDE_TITLES, SIDES, Data, Midway, Side, SideName, T
from readyroom.games.midway.strike import attack_carriers

Rule = Callable[[T, Side], Steps]

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

    def play(table: T) -> Steps:
        return rule(table, table.state.side(name))

    return Phase(f"{name}-{key}", f"{SIDE_TITLES[name]}: {title}", number, play)


def end_of_turn(table: T) -> Steps:
    """[18.1] The battle ends when a side can neither launch nor strike any more, or after the last turn (M15)."""
    state = table.state
    beaten = [side for side in (state.japan, state.usa) if not state.afloat(side) and not _striking(side)]
    if beaten or state.at.turn >= state.rulings.turn_limit:
        table.finish(_outcome(table, beaten))
    return
    yield


def _striking(side: Side) -> bool:
    return bool(side.moving or side.ready or any(side.attacking.values()))


def score(table: T, side: Side) -> int:
    """[18.2] A side's points: for each enemy carrier sunk, and for each that is crippled at the end."""
    state, worth = table.state, table.data.combat.victory
    enemy = state.enemy(side)
    sunk = sum(1 for carrier in enemy.carriers if carrier.damage >= state.sink)
    crippled = sum(1 for carrier in enemy.carriers if state.crippled(carrier))
    return worth.sunk * sunk + worth.crippled * crippled


def _outcome(table: T, beaten: list[Side]) -> Outcome:
    """[18.2] A lead of four points wins; anything less is a draw (M15)."""
    state = table.state
    scores: dict[str, int] = {side.name: score(table, side) for side in (state.japan, state.usa)}
    lead = scores["japan"] - scores["usa"]
    decided = abs(lead) >= table.data.combat.victory.lead
    winner = (state.japan if lead > 0 else state.usa) if decided else None
    lost = " and ".join(side.title for side in beaten)
    ending = f"{lost} can neither launch nor strike any more" if lost else f"turn {state.at.turn} was the last"
    title = f"{winner.title} wins" if winner else "draw"
    text = f"{ending[0].upper()}{ending[1:]}: Japan {scores['japan']}, United States {scores['usa']} points."
    table.say("18.2", "{} {}.", text, title)
    return Outcome(winner.name if winner else None, title, text, scores)


END = Phase("end", "end of the turn", "18.1", end_of_turn)
PHASES: list[Phase[Midway, Data]] = [*(_phase(step, name) for step in STEPS for name in SIDES), END]
SET_UP = "set-up"

_AFTER = {before.name: after.name for before, after in pairwise(PHASES)}
_FIRST = PHASES[0].name


def next_phase(state: Midway) -> At | Outcome:
    """[8] The phase that follows; after the last one the next turn begins."""
    at = state.at
    after = _AFTER.get(at.phase)
    return At(at.turn + 1, _FIRST) if after is None else At(at.turn, after)


assert _FIRST.startswith(JAPAN)
