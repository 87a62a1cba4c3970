"""What each seat sees, and other nights that the United States could not tell from the true one."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from readyroom.engine.game import View
from tokyo_express.run import points
from tokyo_express.state import HARBOUR, JAPAN, USA, Data, Express, Run, Ship


def view(state: Express, data: Data, seat: str | None) -> View:
    """[R1] Japan sees its own run, the United States its own ships, and everybody what has met."""
    return {
        "passages": data.figures.passages,
        "night": state.at.turn,
        "nights": state.nights,
        "sky": state.above[0].name if state.above else None,
        "skies to come": sorted(sky.name for sky in state.cup.contents),
        "ready": _told(state.ready),
        "burnt": _told(state.burnt),
        "cruisers": _told(state.cruisers),
        "torpedoed": _told(state.torpedoed),
        "squadrons": state.squadrons,
        "landed": state.landed,
        "points": points(state, data),
        "need": state.need,
        "tonight": _tonight(state.run, seat) if state.run else None,
    }


def _told(ships: list[Ship]) -> dict[str, str]:
    return {ship.key: ship.name for ship in ships}


def _tonight(run: Run, seat: str | None) -> dict[str, Any]:
    """[2.2, 2.3, 3, R1] What this seat knows of the night; None where it knows nothing."""
    met = run.met
    return {
        "passage": run.passage if seat == JAPAN or met or (seat == USA and run.reported) else None,
        "sailing": run.sailing if seat == JAPAN or met else None,
        "loaded": sorted(run.loaded) if seat == JAPAN else None,
        "boats": run.boats if seat == USA else None,
        "cruisers": run.cruisers if seat == USA else None,
        "turned": run.turned,
    }


def sheets(state: Express, made: Mapping[str, Any], seat: str | None) -> dict[str, Any]:
    """[2.2] Japan sees its own orders while it writes them; once they are given, the sheet is the run itself."""
    plan = made.get(JAPAN)
    if seat != JAPAN or plan is None:
        return {}
    return {JAPAN: {"passage": plan.passage or None, "sailing": plan.sailing, "loaded": sorted(plan.loaded)}}


def resample(state: Express, data: Data, seat: str, random: Random) -> Express:
    """[R1] For the United States another run that fits what it knows; for Japan, boats and cruisers elsewhere.

    The state given is changed, for the rules that are being played hold its pieces in their hands.
    """
    if state.run is not None:
        (_other_run if seat == USA else _other_patrols)(state, data, state.run, random)
    return state


def _other_run(state: Express, data: Data, run: Run, random: Random) -> None:
    """[2.2, 3] Once met, only the loads are unknown; before that also who sails, and without a report the passage."""
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
    """[4.4] Who burns may have had anything on deck; of those afloat the torpedoes tell how many are escorts."""
    afloat = [key for key in run.sailing if key in {ship.key for ship in state.ready}]
    burnt = [key for key in run.sailing if key not in afloat]
    loads = len(set(run.loaded) & set(afloat)) if run.fired else random.randint(0, len(afloat))
    lost = random.randint(0, len(burnt))
    random.shuffle(afloat)
    random.shuffle(burnt)
    run.loaded, run.escorts = afloat[:loads] + burnt[:lost], afloat[loads:] + burnt[lost:]


def _other_patrols(state: Express, data: Data, run: Run, random: Random) -> None:
    """[2.3, 3.1] Japan knows only who has met it, and so where the others are not."""
    elsewhere = [passage for passage in data.figures.passages if passage != run.passage]
    if run.boats and run.boats != run.passage:
        run.boats = random.choice(elsewhere)
    if run.cruisers and run.cruisers != run.passage:
        run.cruisers = random.choice([*elsewhere, HARBOUR])
