"""[13.5.2, 12.2.2] Transit hazards: what happens to bombers on the way to the coast, and in a storm at sea."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from readyroom.engine.decisions import Option
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.damage import hurt
from readyroom.games.doolittle.luck import back, told
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.ships import aboard
from readyroom.games.doolittle.state import T, seat_of

CUP, ENGINES = "transit", "propellers"
"""The cup, and the modification that adjusted carburetors undo."""


def transit_hazard(table: T, rule: str) -> Steps:
    """[12.2.2, 13.5.2, DR105] One transit hazard is drawn, and takes effect on bombers aboard."""
    cup = table.state.cups.get(CUP)
    if cup is None or not cup.contents:
        return
    marker = table.draw(cup, rule, CUP)
    card = table.data.embarkation.cup.markers[marker.key]
    table.reveal(rule, "{}. {}", card.title, card.text)
    bombers = aboard(table.state)
    if card.kind == "carburetors":
        _carburetors(table, marker)
    elif card.kind == "turret" and bombers and not table.state.turrets:
        bomber = yield from _whose(table, bombers, rule, f"Which bomber has a {card.title.lower()}?")
        marker.shown = True
        bomber.markers.append(marker)
    else:
        back(table.state, marker)
        if card.kind == "damage" and bombers:
            bomber = yield from _whose(table, bombers, rule, "Which bomber is damaged?")
            yield from hurt(table, bomber, rule, "the sea")
        elif card.kind == "security":
            security = table.state.security
            security.risk = min(table.data.security.track.risk_max, security.risk + card.risk)
            table.say(rule, "The risk is {}.", security.risk)


def _carburetors(table: T, marker: Marker) -> None:
    """[13.5.2, DR84, DR105] Engines that were made frugal guzzle again, for good; on others it does nothing."""
    state = table.state
    if state.blotter is None or ENGINES not in state.blotter.modifications:
        back(state, marker)
        return
    card = table.data.embarkation.cup.markers[marker.key]
    state.ratings = msgspec.structs.replace(state.ratings, guzzle=state.ratings.guzzle + card.guzzle)
    state.out.append(marker)


def _whose(table: T, bombers: Sequence[Bomber], rule: str, question: str) -> Choice[Bomber]:
    """[12.2.2, 13.5.2] The bomber that a hazard strikes, as the captain likes."""
    options = [Option(bomber.key, told(table, bomber), bomber) for bomber in bombers]
    seat = seat_of(table.state)
    chosen = yield from table.choose(seat, rule, question, options)
    return chosen.value  # type: ignore[no-any-return]
