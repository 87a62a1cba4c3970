"""[13.5.2] The way to the coast: transit hazards, and their effects; storms at sea bring them too (12.2.2)."""

from __future__ import annotations

from readyroom.engine.rules.checks import Modifiers, nonzero_modifiers
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.bombers import DESTROYED, choose_to_ignore, hit_bomber, hit_outcome
from readyroom.games.doolittle.figures.planning import TransitMarker
from readyroom.games.doolittle.names import count_in_words, pilot
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.planning import accidents, blotter
from readyroom.games.doolittle.secrecy import add_risk
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.ships import lose_bomber

CUP = "transit"


def transit(table: T) -> Steps:
    """[13.5.2, DR31, DR85] Roll two dice for the number of transit hazards."""
    figures = table.data.embarkation
    drawn = table.roll_on_chart(figures.transit_chart, "hazards", "transit", transit_modifiers(table))
    table.log_line("13.5.2", "Flight to the coast: {}.", count_in_words(int(drawn.cell), "transit hazard"), drawn)
    yield from hazards(table, int(drawn.cell))


def transit_modifiers(table: T) -> Modifiers:
    """[13.5.2] Return the modifiers of the way: Doolittle, the field, extra training."""
    notes, figures = table.state.notes, table.data.embarkation.transit
    field = table.data.training.sites.site.get(notes.site)
    named = [
        ("Doolittle", figures.doolittle * blotter.has_doolittle(table.state, "april")),
        (field.title if field else "", figures.site.get(notes.site, 0)),
        ("extra training", figures.extra * len(notes.extra)),
    ]
    return nonzero_modifiers(named)


def hazards(table: T, number: int, rule: str = "13.5.2") -> Steps:
    """[12.2.2, 13.5.2, 13.5.3] Draw transit hazards, and apply one after the other.

    Until it does, a marker is next to the board.
    """
    cup, neighbors = table.state.cups[CUP], table.state.out
    drawn = [table.draw(cup, rule, "hazard") for _ in range(min(number, len(cup.contents)))]
    neighbors += drawn
    for marker in drawn:
        marker.shown = True
        card = table.data.embarkation.cup.markers[marker.key]
        table.reveal(rule, "Transit hazard: {}. {}", card.title, card.text)
        yield from EFFECTS[card.kind](table, marker, card, rule)


def _raise_guzzle_number(table: T, marker: Marker, card: TransitMarker, rule: str) -> Steps:
    """[13.5.2, DR84, DR105] Raise the guzzle number if the carburetors were changed, for good."""
    yield from ()
    state = table.state
    if state.blotter is None or blotter.PROPELLERS not in state.blotter.modifications:
        _return_marker(table, marker)
        table.log_line("13.5.2", "The carburetors were not changed: the hazard has no effect.")
        return
    state.blotter.carburetors += card.guzzle
    state.ratings = blotter.squadron_ratings(state, table.data)
    table.log_line("13.5.2", "The guzzle number is now {}.", state.ratings.guzzle)
    state.add_to_story("carburetors")


def _attach_turret(table: T, marker: Marker, card: TransitMarker, rule: str) -> Steps:
    """[13.5.2] Attach a turret hazard to a bomber, unless both turrets were taken out or improved."""
    if table.state.turrets:
        _return_marker(table, marker)
        table.log_line("13.5.2", "Both turrets were overhauled: the hazard has no effect.")
        return
    question = f"{card.title}: on which bomber?"
    chosen = yield from accidents.choose_hits(table, 1, rule, question, accidents.TURRET, separate=True)
    if not chosen:
        _return_marker(table, marker)
        return
    table.state.out.remove(marker)
    chosen[0].markers.append(marker)
    name = pilot(table.data, chosen[0].key)
    table.log_line("13.5.2", "{}: {}.", name, card.title.lower(), target=chosen[0])


def _damage_bomber(table: T, marker: Marker, card: TransitMarker, rule: str) -> Steps:
    """[13.5.2, DR83] Damage a bomber: in planning it may be wrecked, at sea lost."""
    _return_marker(table, marker)
    question = "A bomber is damaged: which?"
    for bomber in (yield from accidents.choose_hits(table, 1, rule, question, accidents.DAMAGED, separate=True)):
        if table.state.segment == "planning":
            accidents.hit_on_ground(table, bomber, rule, "transit")
        else:
            yield from _storm_hits(table, bomber, rule)


def _storm_hits(table: T, bomber: Bomber, rule: str) -> Steps:
    """[12.2.2, 2.1.3, DR122] Damage a bomber on the deck; one that would be destroyed is lost at the ship."""
    if hit_outcome(table, bomber) != DESTROYED:
        yield from hit_bomber(table, bomber, rule, "the storm")
    elif not (yield from choose_to_ignore(table, bomber, "the storm")):
        lose_bomber(table, bomber)
        text, name = "{}'s bomber is wrecked by the storm, and goes overboard.", pilot(table.data, bomber.key)
        table.reveal(rule, text, name, target=table.data.ships.fleet.launches)


def _raise_risk(table: T, marker: Marker, card: TransitMarker, rule: str) -> Steps:
    """[13.5.2, 6.1] Raise the risk."""
    yield from ()
    _return_marker(table, marker)
    add_risk(table, card.risk)


def _return_marker(table: T, marker: Marker) -> None:
    """[13.5.2] Put a transit hazard back into its cup."""
    table.state.out.remove(marker)
    table.state.put_back(marker)


EFFECTS = {
    "carburetors": _raise_guzzle_number,
    "turret": _attach_turret,
    "damage": _damage_bomber,
    "security": _raise_risk,
}
