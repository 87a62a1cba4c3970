"""[8.3] Flight hazards: drawn by zone, shared, and resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from readyroom.engine.rules.checks import Roll
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.doolittle.attack.gunnery import can_avert, gunnery_check, offer_gunner
from readyroom.games.doolittle.attack.hazards import draw_from, put_back
from readyroom.games.doolittle.bombers import DESTROYED, ditch, hazards_of_kind, hit_bomber, hit_outcome
from readyroom.games.doolittle.figures.common import Parity
from readyroom.games.doolittle.figures.flight import FlightHazardKind, FlightHazardMarker, ZoneCard
from readyroom.games.doolittle.flight.flights import (
    flights_aloft,
    leave_flight,
    light_in,
    offer_to_leave,
    pay_fuel,
    price_text,
    remove_empty_flights,
    seat_of_flight,
)
from readyroom.games.doolittle.flight.wind_boxes import weather_check, wind_check
from readyroom.games.doolittle.names import flight_title, pilot, pilot_name, place_name
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.rolls import BelowCheck, EvenCheck, roll_with_rerolls
from readyroom.games.doolittle.secrecy import raise_alert, secrecy_test
from readyroom.games.doolittle.sharing import Sharing, Taker, share_fronts
from readyroom.games.doolittle.state import Flight, T, ask

ALERT, FLYING_BOAT = "alert", "flying-boat"
NOTHING, BURNS, DAMAGED, REMOVED = "nothing", "burns", "damaged", "removed"


def card_of(table: T, marker: Marker) -> FlightHazardMarker:
    """[8.3.7] Return what a marker of the flight is."""
    return table.data.flight_hazards.markers[marker.key]


def kind_of(table: T, marker: Marker) -> FlightHazardKind:
    """[8.3.7] Return the kind of a marker of the flight."""
    return table.data.flight_hazards.kinds.kind[card_of(table, marker).kind]


def describe(table: T, marker: Marker) -> str:
    """[8.3.7] Return a marker in words."""
    card = card_of(table, marker)
    return (card.name or kind_of(table, marker).title).lower()


# -- the phase -------------------------------------------------------------------------------------------------------


def resolve_hazards(table: T) -> Steps:
    """[8.3] Resolve shadowing flying boats; then draw, share and resolve hazards zone by zone."""
    table.state.sky.met.clear()
    table.state.sky.gunners.clear()
    yield from _resolve_shadows(table)
    remove_empty_flights(table)
    done = set[str]()
    while zones := [
        one for one in table.data.flight.zones.zone if one.key not in done and flights_aloft(table.state, one.key)
    ]:
        zone = yield from _next_zone(table, zones)
        done.add(zone.key)
        yield from _resolve_zone(table, zone)


def _next_zone(table: T, zones: list[ZoneCard]) -> Choice[ZoneCard]:
    """[8.3, DR13] Choose which zone comes next; it may change the alert or the cups for the others."""
    if len(zones) == 1:
        return zones[0]
    options = []
    for zone in zones:
        flights = ", ".join(flight_title(table.data, flight) for flight in flights_aloft(table.state, zone.key))
        options.append(Option(f"zone-{zone.key}", zone.name, zone, OptionInfo(flights)))
    question = "In which zone are hazards drawn next?"
    return (yield from table.choose(table.state.captain, "8.3", question, options)).value  # type: ignore[no-any-return]


def _resolve_zone(table: T, zone: ZoneCard) -> Steps:
    """[8.3] Draw the hazards of a zone, assign them to flights and bombers, and resolve them."""
    flights = flights_aloft(table.state, zone.key)
    _draw(table, zone, len(flights))
    yield from _share_among_flights(table, zone.key, flights)
    for flight in flights:
        yield from _share_among_bombers(table, flight)
    for bomber in [bomber for flight in flights for bomber in table.state.in_flight(flight)]:
        yield from _resolve_on_bomber(table, bomber)
    remove_empty_flights(table)


def _resolve_on_bomber(table: T, bomber: Bomber) -> Steps:
    """[8.3.5, 8.3.6] Resolve the hazards of a bomber one by one; if it is lost the others go back."""
    while bomber.assigned:
        marker = yield from _choose_first(table, bomber)
        yield from resolve_hazard(table, bomber, marker)


def _choose_first(table: T, bomber: Bomber) -> Choice[Marker]:
    """[8.3.5] Choose which hazard is turned over next if fronts differ and something aboard may avert one."""
    fronts = {marker.cup: marker for marker in bomber.assigned}
    if len(fronts) == 1 or not can_avert(table, bomber):
        return bomber.assigned[0]
    options = [Option(f"first-{cup}", f"{_marker_front(marker)}", marker) for cup, marker in fronts.items()]
    question = f"Which of {pilot_name(table.data, bomber.key)}'s hazards is turned over next?"
    return (yield from ask(table, bomber, "8.3.5", question, options)).value  # type: ignore[no-any-return]


def draw_counts(table: T, zone: ZoneCard, flights: int) -> Iterator[tuple[str, int]]:
    """[8.3.2, DR37] Yield how many markers a zone draws of which cup, by its flights and the alert."""
    alert = table.state.security.alert
    for draw in zone.draw:
        if draw.halved:
            yield draw.cup, alert // 2
        elif alert >= draw.alert:
            yield draw.cup, draw.count * (flights if draw.each_flight else 1)


def _draw(table: T, zone: ZoneCard, flights: int) -> None:
    """[8.3.1, 8.3.2] Draw the hazards of a zone face down."""
    cups = [cup for cup, count in draw_counts(table, zone, flights) for _ in range(count)]
    drawn = [marker for cup in cups if (marker := draw_from(table, (cup, ALERT), "8.3.2", zone.key)) is not None]
    table.state.sky.zones[zone.key].extend(drawn)
    if drawn:
        table.log_line("8.3.2", "{}: {} drawn.", zone.name, count_noun(len(drawn), "hazard"), target=zone.key)


# -- sharing out -----------------------------------------------------------------------------------------------------


def _by_front(markers: list[Marker]) -> Iterator[list[Marker]]:
    """[8.3.3] Yield the markers that are face down, by the cup that their fronts show."""
    unseen = [marker for marker in markers if not marker.shown]
    for cup in dict.fromkeys(marker.cup for marker in unseen):
        yield [marker for marker in unseen if marker.cup == cup]


def _share_among_flights(table: T, zone: str, flights: list[Flight]) -> Steps:
    """[8.3.3] Share the hazards of a zone evenly among its flights, unseen."""
    pile = table.state.sky.zones[zone]
    fronts = [
        (f"{capitalize_first(_marker_front(some[0]))} over {place_name(table.data, zone)}", some)
        for some in _by_front(pile)
    ]
    takers = [
        Taker(
            Option(flight.key, flight_title(table.data, flight), flight, _flight_info(table, flight)), flight.assigned
        )
        for flight in flights
    ]
    yield from share_fronts(table, Sharing("8.3.3", table.state.captain, pile, takers), fronts)


def _share_among_bombers(table: T, flight: Flight) -> Steps:
    """[8.3.4] Share the hazards of a flight evenly among its bombers, first those without attached ones."""
    fronts = [
        (f"{capitalize_first(_marker_front(some[0]))} on {flight_title(table.data, flight)}", some)
        for some in _by_front(flight.assigned)
    ]
    takers = [
        Taker(
            Option(f"on-{bomber.key}", pilot_name(table.data, bomber.key), bomber, _bomber_info(table, bomber)),
            bomber.assigned,
            int(bool(bomber.markers)),
        )
        for bomber in table.state.in_flight(flight)
    ]
    yield from share_fronts(table, Sharing("8.3.4", seat_of_flight(table, flight), flight.assigned, takers), fronts)


def _marker_front(marker: Marker) -> str:
    """[8.3.3] Return the front of a marker: its cup."""
    return "an alert hazard" if marker.cup == ALERT else f"a hazard {marker.cup}"


def _flight_info(table: T, flight: Flight) -> OptionInfo:
    """[8.3.3] Return the state of a flight: its bombers, and its hazards so far."""
    bombers, assigned = len(table.state.in_flight(flight)), len(flight.assigned)
    return OptionInfo(f"{count_noun(bombers, 'bomber')}, {count_noun(assigned, 'hazard')}")


def _bomber_info(table: T, bomber: Bomber) -> OptionInfo | None:
    known = table.data.flight_hazards.markers
    texts = [describe(table, marker) for marker in bomber.markers if marker.key in known]
    texts += (["damaged"] if bomber.hits else []) + ([] if bomber.loaded else ["unloaded"])
    return OptionInfo(", ".join(texts)) if texts else None


# -- resolving -------------------------------------------------------------------------------------------------------

Effect = Callable[[T, Bomber, Marker], Steps]


def draw_alert_hazard(table: T, flight: Flight) -> Steps:
    """[8.1.4, DR30] Draw an alert hazard for a flight that deviates; one of its bombers resolves it at once."""
    table.state.sky.gunners.clear()
    marker = draw_from(table, (ALERT,), "8.3.2", flight.key)
    if marker is None:
        return
    flight.assigned.append(marker)
    options = [
        Option(f"on-{bomber.key}", pilot_name(table.data, bomber.key), bomber, _bomber_info(table, bomber))
        for bomber in table.state.in_flight(flight)
    ]
    seat, question = seat_of_flight(table, flight), "Which bomber gets the alert hazard?"
    chosen = yield from table.choose(seat, "8.1.4", question, options, piece_key=flight.key)
    bomber: Bomber = chosen.value
    flight.assigned.remove(marker)
    bomber.assigned.append(marker)
    yield from resolve_hazard(table, bomber, marker)


def resolve_hazard(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.5] Turn over a marker and apply it; then it goes back, unless it attaches, stays or is gone.

    A bomber with a compass problem asks its way, if it has a radio [8.3.7.A, 8.3.7.C, DR43]. A fighter that does not
    close does nothing [8.3.7.I].
    """
    marker.shown = True
    card, kind = card_of(table, marker), kind_of(table, marker)
    text = f"{pilot_name(table.data, bomber.key)}: {describe(table, marker)}"
    table.state.sky.met.append(text.replace("–", "-"))  # as former records have it
    table.reveal(kind.rule, "{}.", KeyedText(text, bomber.key), target=bomber)
    if kind.radio_tests and table.state.ratings.radio:
        bomber.assigned.remove(marker)
        table.state.out.append(marker)
        secrecy_test(table, bomber.key, f"{pilot_name(table.data, bomber.key)}'s radio call for directions")
        return
    if effect := EFFECTS.get(card.kind, _attach if kind.attaches else None):
        yield from effect(table, bomber, marker)
    if marker in bomber.assigned:
        bomber.assigned.remove(marker)
        if kind.leaves_game:
            table.state.out.append(marker)
        else:
            table.state.put_back(marker)


def _attach(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.5, 8.3.7.A, 8.3.7.C, 8.3.7.D, 8.3.7.F, 8.3.7.K] Attach the marker."""
    bomber.assigned.remove(marker)
    bomber.markers.append(marker)
    yield from ()


def _is_night(table: T, bomber: Bomber) -> bool:
    """[5.2.2, 8.3.7] Return whether it is night where a bomber flies."""
    flight = table.state.flight_with(bomber.key)
    return light_in(table, flight.zone) == "night"


def _is_high(table: T, bomber: Bomber) -> bool:
    flight = table.state.find_flight(bomber.key)
    return flight is not None and flight.high


def _roll_parity(table: T, bomber: Bomber, check: EvenCheck, parity: Parity, good: str) -> Choice[str]:
    """[8.3.7] Roll a die whose even and odd faces have effects by the figures; an elite pilot may re-roll it."""
    wanted = parity.even == good
    roll: Roll = yield from roll_with_rerolls(table, check, bomber.key, [bomber], wanted=wanted)
    text = "goes well" if roll.passed == wanted else "goes badly"
    name, face = pilot(table.data, bomber.key), roll.dice[0]
    table.log_line(check.rule, "{}, {}: it {} (roll {}).", name, check.name, text, face, target=bomber)
    return parity.of(roll.dice[0])


# -- engines, turrets, leaks -----------------------------------------------------------------------------------------


def _roll_engine_fire(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.7.B] Roll for an engine fire after an emergency launch, which damages or ditches the bomber."""
    figures, rule = table.data.flight_hazards, "8.3.7.B"
    if table.state.sky.planned:
        return
    if (yield from _roll_parity(table, bomber, EvenCheck(rule, "engine sputter"), figures.fire, NOTHING)) != BURNS:
        return
    if (yield from _roll_parity(table, bomber, EvenCheck(rule, "engine fire"), figures.burning, DAMAGED)) == DAMAGED:
        yield from hit_bomber(table, bomber, rule, "a burning engine")
        return
    flight = table.state.flight_with(bomber.key)
    ditch(table, bomber, rule, "an engine burns", flight.zone)


def _attach_turret(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.7.J] Attach a jammed turret, unless both turrets were taken out or improved."""
    if not table.state.turrets:
        yield from _attach(table, bomber, marker)


def _attach_leak(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.7.G, 7.1.2] Attach a leak; the bomber may leave its flight."""
    yield from _attach(table, bomber, marker)
    yield from offer_to_leave(table, bomber)


# -- interceptors ----------------------------------------------------------------------------------------------------


def _fight_interceptor(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.7.H, 2.3.5, DR27] Fire the guns at an interceptor; if they miss it damages the bomber or is eluded.

    A bomber that eludes it flies on alone, and pays a fuel of its own [7.1.2, DR37].
    """
    if _is_night(table, bomber):
        if table.state.rulings.interceptors == "none":
            text, name = "The fighter does not find {} in the dark.", pilot(table.data, bomber.key)
            table.log_line("8.3.7.H", text, name, target=bomber)
            return
        night = table.data.flight_hazards.night_fighter
        if (yield from _roll_parity(table, bomber, EvenCheck("8.3.7.H", "night fighter"), night, NOTHING)) == NOTHING:
            return
    if (yield from _drive_off(table, bomber)):
        return
    if (yield from _offer_to_elude(table, bomber)):
        yield from pay_fuel(table, leave_flight(table, bomber, "8.3.7.H"), table.data.flying.fuel.elude)
    else:
        yield from hit_bomber(table, bomber, "8.3.7.H", "an interceptor")


def _drive_off(table: T, bomber: Bomber) -> Choice[bool]:
    """[2.3.5, 4.5, 8.3.7.H, DR145] Return whether guns or the elite gunner drive an interceptor off.

    The guns fire at each interceptor of a phase; the elite gunner may act before and after them.
    """
    if (yield from offer_gunner(table, bomber, "an interceptor")):
        return True
    gunners = table.state.sky.gunners
    if gunners.count(bomber.key) >= table.data.attack.gunnery.targets:
        text = "{} has fired at an interceptor in this phase and cannot fire again."
        table.log_line("8.3.7.H", text, pilot(table.data, bomber.key), target=bomber)
        return False
    gunners.append(bomber.key)
    if (yield from _fire_guns(table, bomber, "8.3.7.H")):
        return True
    return (yield from offer_gunner(table, bomber, "an interceptor that the other guns have missed"))


def _fire_guns(table: T, bomber: Bomber, rule: str) -> Choice[bool]:
    """[4.5.1] Fire the guns of a bomber; return whether they hit."""
    check = gunnery_check(table, bomber, rule)
    if not check.dice:
        return False
    roll = yield from roll_with_rerolls(table, check, bomber.key, [bomber])
    text = "hits" if roll else "misses"
    table.log_line(rule, "{} fires and {}.", pilot(table.data, bomber.key), text, roll, target=bomber)
    return roll.passed


def _offer_to_elude(table: T, bomber: Bomber) -> Choice[bool]:
    """[8.3.7.H, 7.1.2] Choose whether a bomber that would be damaged leaves its flight and pays fuel instead."""
    flight = table.state.flight_with(bomber.key)
    single = len(table.state.in_flight(flight)) == 1
    cost = price_text(table, Flight(flight.key, [bomber.key], flight.zone, flight.fuel, flight.high))
    fatal = hit_outcome(table, bomber) == DESTROYED
    text = "slip away" if single else "slip away and fly on alone"
    options = [
        Option("take", "take the damage", info=OptionInfo("destroys the bomber") if fatal else None),
        Option("elude", text, info=OptionInfo(f"costs {cost}")),
    ]
    question = f"An interceptor attacks {pilot_name(table.data, bomber.key)}. What do you do?"
    return (yield from ask(table, bomber, "8.3.7.H", question, options)).key == "elude"


# -- flying boats ----------------------------------------------------------------------------------------------------


def _meet_flying_boat(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.7.E, DR41] Attach a flying boat by day; fire, elude or ignore it; a failure means a secrecy test."""
    if _is_night(table, bomber):
        return
    yield from _attach(table, bomber, marker)
    method = yield from _choose_method(table, bomber)
    if method == "leave":
        return
    if (yield from _elude(table, bomber) if method == "elude" else _fire_guns(table, bomber, "8.3.7.E")):
        put_back(table, bomber, marker)
    else:
        secrecy_test(table, bomber.key, "an attached flying boat")


def _choose_method(table: T, bomber: Bomber) -> Choice[str]:
    """[8.3.7.E] Choose by which method a bomber tries to get rid of a flying boat, if any."""
    guns, slip = gunnery_check(table, bomber, "8.3.7.E"), elude_check(table, bomber)
    options = [Option("elude", "elude it", info=OptionInfo("gets rid of it", float(slip.odds())))]
    if guns.dice:
        options.insert(0, Option("fire", "fire at it", info=OptionInfo("gets rid of it", float(guns.odds()))))
    after = table.data.flight_hazards.shadow.at(table.state.security.alert)
    shadow = f"next turn {after} alert hazards by day" if after else "next turn a secrecy test by day"
    options.append(Option("leave", "ignore it", info=OptionInfo(shadow)))
    question = f"A flying boat shadows {pilot_name(table.data, bomber.key)}. What do you do?"
    return (yield from ask(table, bomber, "8.3.7.E", question, options)).key


def elude_check(table: T, bomber: Bomber) -> EvenCheck:
    """[8.3.7.E] Return the dice that elude a flying boat: by altitude, and both even where Japan is wary."""
    figures = table.data.flight_hazards.flying_boat
    wary = table.state.security.alert >= figures.wary_from
    dice = figures.wary_dice if wary else figures.high_dice if _is_high(table, bomber) else figures.low_dice
    return EvenCheck("8.3.7.E", "eluding the flying boat", dice, every=wary)


def _elude(table: T, bomber: Bomber) -> Choice[bool]:
    roll = yield from roll_with_rerolls(table, elude_check(table, bomber), bomber.key, [bomber])
    text = "eludes the flying boat" if roll else "fails to elude the flying boat"
    table.log_line("8.3.7.E", "{} {}.", pilot(table.data, bomber.key), text, roll, target=bomber)
    return roll.passed


def _resolve_shadows(table: T) -> Steps:
    """[8.3.7.E] Resolve the flying boats that were attached when the turn began."""
    followed = [
        (bomber, marker)
        for flight in flights_aloft(table.state)
        for bomber in table.state.in_flight(flight)
        for marker in hazards_of_kind(table, bomber, FLYING_BOAT)
    ]
    for bomber, marker in followed:
        if marker in bomber.markers:
            yield from _resolve_shadow(table, bomber, marker)


def _resolve_shadow(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.7.E, DR42] Draw alert hazards by the level, or make a secrecy test; by night the flying boat turns away."""
    put_back(table, bomber, marker)
    if _is_night(table, bomber):
        text = "The flying boat loses {} in the dark."
        table.log_line("8.3.7.E", text, pilot(table.data, bomber.key), target=bomber)
        return
    count = table.data.flight_hazards.shadow.at(table.state.security.alert)
    if not count:
        secrecy_test(table, bomber.key, f"the flying boat shadowing {pilot_name(table.data, bomber.key)}")
        return
    for _ in range(count):
        if (drawn := draw_from(table, (ALERT,), "8.3.2", bomber.key)) is not None:
            bomber.assigned.append(drawn)
    name, called_in = pilot(table.data, bomber.key), len(bomber.assigned)
    table.log_line("8.3.7.E", "The flying boat calls in hazards on {}: {}.", name, called_in, target=bomber)
    yield from _resolve_on_bomber(table, bomber)


# -- beacons, vessels, winds -----------------------------------------------------------------------------------------


def _remove_beacons(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.7.L] Remove all beacons in China, unless Stilwell was briefed and a die keeps them."""
    sky, figures = table.state.sky, table.data.flight_hazards.briefed_beacons
    if not sky.beacons:
        return
    if sky.briefed:
        face = table.roll_dice("8.3.7.L", bomber.key)[0]
        stay = figures.of(face) != REMOVED
        text = "and the beacons stay" if stay else "but the beacons go"
        table.log_line("8.3.7.L", "China has been informed, {} (roll {}).", text, face)
        if stay:
            return
    sky.beacons.clear()
    table.log_line("8.3.7.L", "The beacons in China are removed.")
    yield from ()


def vessel_check(table: T, bomber: Bomber, vessels: int) -> BelowCheck:
    """[8.3.7.M, DR40] Return the dice of a vessel: all have to be below the number of vessels."""
    figures = table.data.flight_hazards.vessel
    dice = figures.high_dice if _is_high(table, bomber) else figures.low_dice
    return BelowCheck("8.3.7.M", "a vessel's report", dice, limit=vessels)


def vessels_on_map(table: T) -> list[tuple[str, Marker]]:
    """[8.3.7.M] Return the vessels on the flight map, each with its zone; no other markers stay there face up."""
    return [(zone, marker) for zone, markers in table.state.sky.zones.items() for marker in markers]


def _place_vessel(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.7.M] Place a vessel by day and roll whether one of those on the map reports and is removed."""
    flight = table.state.flight_with(bomber.key)
    if _is_night(table, bomber):
        return
    if card_of(table, marker).icon:
        secrecy_test(table, bomber.key, f"a vessel meeting {pilot_name(table.data, bomber.key)}")
    bomber.assigned.remove(marker)
    table.state.sky.zones[flight.zone].append(marker)
    roll = table.roll(vessel_check(table, bomber, len(vessels_on_map(table))), bomber.key)
    text = "reports" if roll else "does not report"
    zone = place_name(table.data, flight.zone)
    table.log_line("8.3.7.M", "A vessel in {} {}.", zone, text, roll, target=flight.zone)
    if roll:
        raise_alert(table, table.data.flight_hazards.vessel.alert, "8.3.7.M")
        for _ in range(table.data.flight_hazards.vessel.removes):
            yield from _remove_vessel(table)


def _remove_vessel(table: T) -> Steps:
    """[8.3.7.M] Take one vessel off the map."""
    options = [
        Option(marker.key, f"the vessel in {place_name(table.data, zone)}, cup {marker.cup}", (zone, marker))
        for zone, marker in vessels_on_map(table)
    ]
    seat = table.state.captain
    chosen = yield from table.choose(seat, "8.3.7.M", "Which vessel is removed from the map?", options)
    zone, marker = chosen.value
    table.state.sky.zones[zone].remove(marker)
    table.state.put_back(marker)


def _recheck_wind(table: T, bomber: Bomber, marker: Marker) -> Steps:
    """[8.3.7.N, DR103] Check the wind of the zone again, west of the line of times after its weather."""
    flight = table.state.flight_with(bomber.key)
    box = table.data.flight.wind_of[flight.zone]
    if box.china_side:
        weather_check(table, box)
    yield from wind_check(table, box)


EFFECTS: dict[str, Effect] = {
    "engine-sputter": _roll_engine_fire,
    "flying-boat": _meet_flying_boat,
    "fuel-leak": _attach_leak,
    "interceptor": _fight_interceptor,
    "jammed-turret": _attach_turret,
    "remove-beacons": _remove_beacons,
    "vessel": _place_vessel,
    "wind-check": _recheck_wind,
}
"""[8.3.7] The markers that do more than attach or do nothing, by kind."""
