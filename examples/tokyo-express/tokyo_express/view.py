"""What each seat sees, and other states that it cannot distinguish from the true one."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from tokyo_express.run import points
from tokyo_express.state import HARBOUR, JAPAN, USA, Data, Express, Run, Ship


class OrdersView(msgspec.Struct, frozen=True):
    """[2.2, 2.3, 3] What a seat knows of tonight's orders; None where it knows nothing."""

    passage: str | None = None
    sailing: list[str] | None = None
    loaded: list[str] | None = None
    boats: str | None = None
    cruisers: str | None = None
    turned: bool = False


class ExpressView(msgspec.Struct, frozen=True):
    """A seat's view: names of ships by key, and tonight's orders as far as the seat knows them."""

    passages: dict[str, str]
    night: int
    nights: int
    sky: str | None
    skies_left: list[str]
    ready: dict[str, str]
    burnt: dict[str, str]
    cruisers: dict[str, str]
    torpedoed: dict[str, str]
    squadrons: int
    landed: list[int]
    points: int
    need: int
    tonight: OrdersView | None


def view(state: Express, data: Data, seat: str | None) -> ExpressView:
    """[R1] Return a seat's view: Japan sees its own run, the United States its own ships, everybody what has met."""
    return ExpressView(
        passages=data.figures.passages,
        night=state.at.turn,
        nights=state.nights,
        sky=state.above[0].name if state.above else None,
        skies_left=sorted(sky.name for sky in state.cup.contents),
        ready=_names(state.ready),
        burnt=_names(state.burnt),
        cruisers=_names(state.cruisers),
        torpedoed=_names(state.torpedoed),
        squadrons=state.squadrons,
        landed=list(state.landed),
        points=points(state, data),
        need=state.need,
        tonight=_orders(state.run, seat) if state.run else None,
    )


def _names(ships: list[Ship]) -> dict[str, str]:
    return {ship.key: ship.name for ship in ships}


def _orders(run: Run, seat: str | None) -> OrdersView:
    """[2.2, 2.3, 3, R1] Return what a seat knows of tonight's orders."""
    return OrdersView(
        passage=run.passage if seat == JAPAN or run.met or (seat == USA and run.reported) else None,
        sailing=run.sailing if seat == JAPAN or run.met else None,
        loaded=sorted(run.loaded) if seat == JAPAN else None,
        boats=run.boats if seat == USA else None,
        cruisers=run.cruisers if seat == USA else None,
        turned=run.turned,
    )


def sheets(state: Express, plans: Mapping[str, Any], seat: str | None) -> dict[str, OrdersView]:
    """[2.2] Return Japan's unfinished orders if Japan asks; finished orders are the run itself."""
    plan: Run | None = plans.get(JAPAN)
    if seat != JAPAN or plan is None:
        return {}
    return {JAPAN: OrdersView(plan.passage or None, plan.sailing, sorted(plan.loaded))}


def resample(state: Express, data: Data, seat: str, random: Random) -> Express:
    """[R1] Change the state to one that the seat cannot distinguish from it, and return it.

    For the United States that is another run, for Japan other places of boats and cruisers.
    """
    if state.run is not None:
        (_other_run if seat == USA else _other_patrols)(state, data, state.run, random)
    return state


def _other_run(state: Express, data: Data, run: Run, random: Random) -> None:
    """[2.2, 3] Redraw the loads; before a meeting also the ships, and without a report the passage."""
    if run.met:
        _other_loads(state, run, random)
        return
    if not run.reported:
        run.passage = random.choice(list(data.figures.passages))
    ready = [ship.key for ship in state.ready]
    sailing = random.sample(ready, random.randint(1, min(state.sail, len(ready))))
    loads = random.randint(0, len(sailing))
    run.loaded, run.escorts = sailing[:loads], sailing[loads:]


def _other_loads(state: Express, run: Run, random: Random) -> None:
    """[4.4] Redraw the loads. Once the escorts have fired, the number of escorts afloat is known."""
    afloat = [key for key in run.sailing if key in {ship.key for ship in state.ready}]
    burnt = [key for key in run.sailing if key not in afloat]
    loads = len(set(run.loaded) & set(afloat)) if run.fired else random.randint(0, len(afloat))
    lost = random.randint(0, len(burnt))
    random.shuffle(afloat)
    random.shuffle(burnt)
    run.loaded, run.escorts = afloat[:loads] + burnt[:lost], afloat[loads:] + burnt[lost:]


def _other_patrols(state: Express, data: Data, run: Run, random: Random) -> None:
    """[2.3, 3.1] Move boats and cruisers that have not met the run to other places."""
    elsewhere = [passage for passage in data.figures.passages if passage != run.passage]
    if run.boats and run.boats != run.passage:
        run.boats = random.choice(elsewhere)
    if run.cruisers and run.cruisers != run.passage:
        run.cruisers = random.choice([*elsewhere, HARBOUR])
