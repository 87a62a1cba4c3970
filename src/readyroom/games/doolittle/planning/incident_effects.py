"""[15.1.2] What past incidents prevent: talks, supplies, a rendezvous, Doolittle's flight."""

from __future__ import annotations

from readyroom.engine.rules.checks import Modifiers
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.planning import NAVY, Diplomat
from readyroom.games.doolittle.planning.state import Turn
from readyroom.games.doolittle.state import Doolittle, T

SECOND, THIRD = 2, 3
"""[15.1.2] Which chit of its kind it is."""


def chits_held(state: Doolittle, kind: str) -> int:
    """[15.1.1] Return how many chits of a kind have been drawn."""
    return state.blotter.chits.count(kind) if state.blotter else 0


def drawn_this_month(state: Doolittle, kind: str) -> bool:
    """[15.1.2, DR98] Return whether a chit of a kind was drawn this month."""
    return state.blotter is not None and kind in state.blotter.chits[state.blotter.earlier :]


def incident_happened(state: Doolittle, turn: Turn) -> bool:
    """[15.1.2] Return whether the dice of an incident fell so."""
    return state.blotter is not None and turn in state.blotter.turns


def forbids(state: Doolittle, diplomat: Diplomat) -> bool:
    """[15.1.2.C, 15.1.2.H, 15.1.2.I, DR98] Return whether talks on a diplomat's matter are forbidden."""
    if diplomat == NAVY:
        return drawn_this_month(state, "blast") or incident_happened(state, "navy-busy")
    return diplomat == "stilwell" and chits_held(state, "shanghai") >= SECOND


def navy_modifiers(table: T, diplomat: Diplomat) -> Modifiers:
    """[15.1.2.F, 15.1.2.I] Return the modifiers of battles to the talks with the Navy."""
    if diplomat != NAVY:
        return []
    return [modifier for turn, modifier in battles(table.data).items() if incident_happened(table.state, turn)]


def battles(data: Data) -> dict[Turn, tuple[str, int]]:
    """[15.1.2.F, 15.1.2.I] Return the name and modifier of each battle that the Navy fights."""
    figures = data.incidents
    return {
        "rabaul-battle": ("the battle at Rabaul", figures.rabaul.modifier),
        "wake-after-blast": ("Wake", figures.wake.after_blast),
        "wake-lost": ("the defeat at Wake", figures.wake.failed_invasion),
    }


def supplies_blocked(state: Doolittle) -> bool:
    """[15.1.2.E, 15.1.2.G] Return whether no fuel and no groundcrew can be sent to China this month, or at all."""
    turmoil = chits_held(state, "quit-india")
    return drawn_this_month(state, "quit-india") or turmoil >= SECOND or bool(turmoil and chits_held(state, "rangoon"))


def earliest_rendezvous(table: T) -> int:
    """[15.1.2.F] Return the first naval turn for which the rendezvous may be planned, counted from 0."""
    state = table.state
    april = state.blotter is not None and state.blotter.month == "april"
    late = april and chits_held(state, "rabaul") >= SECOND and drawn_this_month(state, "rabaul")
    return table.data.sea.turns.turn.index(table.data.incidents.rabaul.earliest_turn) if late else 0


def is_grounded(table: T, man: str) -> bool:
    """[15.1.2.B] Return whether an elite crewman may not fly, because he is needed at home."""
    return incident_happened(table.state, "macarthur-captured") and man == table.data.incidents.bataan.grounds
