"""The sequence of play of a night."""

from __future__ import annotations

from readyroom.authoring import At, Outcome, Phase
from tokyo_express import orders, run
from tokyo_express.state import Data, Express

PHASES: list[Phase[Express, Data]] = [
    Phase("sky", "the sky", "2.1", orders.draw_sky),
    Phase("orders", "orders", "2.2", orders.give_orders),
    Phase("watch", "the coast watchers", "3", orders.listen),
    Phase("cruisers", "the cruisers sail", "3.1", orders.send_cruisers),
    Phase("boats", "the boats attack", "4.1", run.boats_attack),
    Phase("meeting", "the cruisers meet them", "4.2", run.meet),
    Phase("guns", "guns", "4.3", run.guns),
    Phase("torpedoes", "torpedoes", "4.4", run.torpedoes),
    Phase("beach", "the beach", "5", run.land),
    Phase("dawn", "dawn", "6", run.count),
]


def next_phase(state: Express) -> At | Outcome:
    """[2] Return the next phase that has something to do."""
    at, order = state.at, _order(state)
    later = order[order.index(at.phase) + 1 :]
    name = next((name for name in later if _is_needed(state, name)), None)
    return At(at.turn, name) if name else At(at.turn + 1, order[0])


def _order(state: Express) -> list[str]:
    """[4.5, R2] Return the names of the phases in order; with radar, guns fire before torpedoes."""
    names = [phase.name for phase in PHASES]
    if not state.radar:
        guns = names.index("guns")
        names[guns], names[guns + 1] = names[guns + 1], names[guns]
    return names


def _is_needed(state: Express, name: str) -> bool:
    """[2, 4] Return whether a phase has something to do tonight."""
    tonight = state.run
    if tonight is None:
        return name in ("orders", "dawn")
    if name == "cruisers":
        return bool(state.cruisers)
    if name == "boats":
        return bool(state.squadrons) and tonight.boats == tonight.passage
    if name == "meeting":
        return bool(state.cruisers and state.afloat) and tonight.cruisers == tonight.passage
    if name in ("guns", "torpedoes"):
        return bool(state.cruisers and state.afloat) and tonight.cruisers == tonight.passage and not tonight.turned
    return True
