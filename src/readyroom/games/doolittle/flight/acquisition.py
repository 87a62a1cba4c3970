"""[8.1.2 to 8.1.4, 8.2.2] The search for a city or a landing site, and its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from readyroom.engine.rules.checks import Modifiers, Roll, nonzero_modifiers, percent
from readyroom.engine.rules.decisions import Option, OptionInfo, Unavailable
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.attack import raids
from readyroom.games.doolittle.attack.hazards import put_back
from readyroom.games.doolittle.bombers import ditch, has_benefit, hazards_of_kind, unload
from readyroom.games.doolittle.figures.common import Light
from readyroom.games.doolittle.figures.flight import CityCard, SiteCard
from readyroom.games.doolittle.flight import hazards
from readyroom.games.doolittle.flight.flights import (
    check_guzzle,
    guzzle_check,
    light_in,
    may_attack,
    pay_fuel,
    price_text,
    seat_of_flight,
)
from readyroom.games.doolittle.names import flight_title, pilot, titled
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.rolls import (
    BelowCheck,
    EvenCheck,
    LowestDiceCheck,
    Reroll,
    offer_rerolls,
    rerolls_of,
    roll_with_rerolls,
)
from readyroom.games.doolittle.secrecy import raise_alert
from readyroom.games.doolittle.state import Flight, T

CHINA = "china"
"""[5.5] The country of most landing sites."""

# -- what there is to look for ---------------------------------------------------------------------------------------


def search_goals(table: T, flight: Flight) -> list[str]:
    """[8.1.2, 5.4, 5.5] Return the cities that a loaded flight may look for, or the sites in reach, by key.

    No one lands where the Japanese have come [13.2.4].
    """
    cities, taken = list(table.data.flight.city) if may_attack(table, flight) else [], table.state.sky.taken
    return cities + [site.key for site in table.data.flight.sites_of(flight.zone) if site.key not in taken]


def card_of(table: T, goal: str) -> CityCard | SiteCard:
    """Return a city or a landing site."""
    return table.data.flight.city.get(goal) or table.data.flight.site[goal]


def is_city(table: T, goal: str) -> bool:
    """[5.4] Return whether it is a city."""
    return goal in table.data.flight.city


def search_options(table: T, flight: Flight, note: str = "finds it") -> list[Option]:
    """[8.1.4, 5.5] Return the targets of a flight as options, with the cost and the chance to find each."""
    options = []
    for goal in search_goals(table, flight):
        site = table.data.flight.site.get(goal)
        cost = f"then {price_text(table, flight)}; " if site and flight.zone in site.fuel_from else ""
        info = OptionInfo(cost + note, float(search_chance(table, flight, goal)))
        options.append(Option(f"look-{goal}", f"look for {card_of(table, goal).name}", goal, info))
    return options


def choose_for_flight(table: T, flight: Flight, rule: str, question: str, options: Sequence[Option]) -> Choice[Option]:
    """[8.1.2, 8.2.2] Choose what a flight does; to fly on from Japan is unavailable to a loaded one."""

    def unavailable() -> list[Unavailable]:
        reason = "A flight with bombs aboard must look for a city and cannot fly past Japan."
        return [Unavailable("west", "fly on", rule, reason)] if may_attack(table, flight) else []

    seat = seat_of_flight(table, flight)
    return (yield from table.choose(seat, rule, question, options, piece_key=flight.key, unavailable=unavailable))


# -- the check -------------------------------------------------------------------------------------------------------


def lights_check(table: T) -> BelowCheck:
    """[8.1.3, DR1] Return the die by which the lights go out: below the alert, or by the card also on it."""
    alert = table.state.security.alert + (table.state.rulings.lights == "card")
    return BelowCheck("8.1.3", "lights out", table.data.flying.lights.dice, limit=alert)


def acquisition_check(
    table: T, flight: Flight, goal: str, *, persistent: bool = False, dark: bool | None = None, beacon: int = 0
) -> LowestDiceCheck:
    """[8.1.4, 8.1.3] Return the check for a city or a site; `dark` and `beacon` are values not known yet."""
    figures, light = table.data.flying.acquisition, light_in(table, flight.zone)
    city = is_city(table, goal)
    out = city and light == "night" and (table.state.targets[goal].dark if dark is None else dark)
    least = beacon or table.state.sky.beacons.get(goal, 0) or card_of(table, goal).acquisition(light)
    modifiers = [*_modifiers(table, flight, goal, light), ("persistence", figures.persistent if persistent else 0)]
    return LowestDiceCheck(
        "8.1.4",
        f"search for {card_of(table, goal).name}",
        dice=figures.dark_dice if out else figures.dice,
        keep=figures.dark_keep if out else figures.dice,
        why="lights out",
        at_least=least,
        modifiers=nonzero_modifiers(modifiers),
    )


def _modifiers(table: T, flight: Flight, goal: str, light: Light) -> Modifiers:
    """[8.1.4, 2.3.6, DR6, DR44] Return what is added: training, blasts on the map, navigators, submarines off Japan."""
    state, figures = table.state, table.data.flying.acquisition
    men = [bomber for bomber in state.in_flight(flight) if has_benefit(table.data, bomber.elite, "navigation")]
    city = is_city(table, goal)
    return [
        ("navigation", state.ratings.navigation[light]),
        ("fires", figures.blast if city and state.targets[goal].burns else 0),
        ("elite navigator", len(men) * table.data.bombers.benefits["navigation"].bonus),
        ("submarines", figures.submarine * state.sky.submarines if city else 0),
    ]


def search_chance(table: T, flight: Flight, goal: str, *, persistent: bool = False) -> Fraction:
    """[8.1.4] Return the exact chance of a search, with lights and unseen beacons, without re-rolls."""
    check = partial(acquisition_check, table, flight, goal, persistent=persistent)
    if is_city(table, goal) and light_in(table, flight.zone) == "night" and not table.state.targets[goal].dark:
        out = lights_check(table).odds()
        return out * check(dark=True).odds() + (1 - out) * check(dark=False).odds()
    if table.state.sky.beacons.get(goal) == 0:
        values = _unseen_beacons(table)
        return sum((check(beacon=value).odds() for value in values), Fraction(0)) / len(values)
    return check().odds()


def _unseen_beacons(table: T) -> list[int]:
    """[8.1.4] Return the numbers of the beacons that no one has seen yet."""
    left = list(table.data.flight.beacons.values)
    for value in table.state.sky.beacons.values():
        if value:
            left.remove(value)
    return left


# -- the search ------------------------------------------------------------------------------------------------------


def search(table: T, flight: Flight, goal: str) -> Steps:
    """[8.1.4, 8.2.2, DR30] Search for a target; after a failure persist or deviate to another target, once.

    To persist brings a guzzle check, which may cost a fuel, and an attempt with a bonus. To deviate brings a hazard
    from alert 2 on, and a guzzle check if it fails.
    """
    if (yield from _attempt(table, flight, goal)):
        yield from _reach_target(table, flight, goal)
        return
    figures = table.data.flying.acquisition
    chosen = yield from _offer_second_attempt(table, flight, goal)
    persists, goal = chosen.key == "persist", chosen.value
    if persists and not (yield from check_guzzle(table, flight)):
        yield from pay_fuel(table, flight)
    elif not persists and table.state.security.alert >= figures.deviation_alert:
        for _ in range(figures.deviation_hazards):
            yield from hazards.draw_alert_hazard(table, flight)
    if not table.state.in_flight(flight):
        return
    if (yield from _attempt(table, flight, goal, persistent=persists)):
        yield from _reach_target(table, flight, goal)
        return
    _miss_target(table, flight, goal)
    if not persists and not (yield from check_guzzle(table, flight)):
        yield from pay_fuel(table, flight)


def _attempt(table: T, flight: Flight, goal: str, *, persistent: bool = False) -> Choice[bool]:
    """[8.1.3, 8.1.4, DR45] Make one attempt: lights, beacon, dice and re-rolls; return whether it succeeds."""
    yield from _roll_lights(table, flight, goal)
    beacons = table.state.sky.beacons
    if beacons.get(goal) == 0:
        left = _unseen_beacons(table)
        beacons[goal] = left[table.roll_dice("8.1.4", f"beacon-{goal}", 1, len(left))[0] - 1]
        text, name = "The beacon of {} has the number {}.", card_of(table, goal).name
        table.reveal("8.1.4", text, name, beacons[goal], target=goal)
    check = acquisition_check(table, flight, goal, persistent=persistent)
    roll: Roll = table.roll(check, flight.key)
    roll = yield from offer_rerolls(table, check, roll, flight.key, _reroll_sources(table, flight, goal))
    text = "finds" if roll else "fails to find"
    name = card_of(table, goal).name
    table.log_line("8.1.4", "{} {} {}.", titled(table.data, flight), text, name, roll, target=goal)
    return roll.passed


def _roll_lights(table: T, flight: Flight, goal: str) -> Steps:
    """[8.1.3, DR1] Roll by night whether the lights of a city go out, for good."""
    state = table.state
    if not is_city(table, goal) or state.targets[goal].dark or light_in(table, flight.zone) == "day":
        return
    check = lights_check(table)
    if not check.odds():
        return
    roll = yield from roll_with_rerolls(table, check, goal, state.in_flight(flight), wanted=False)
    name = card_of(table, goal).name
    state.targets[goal].dark = roll.passed
    table.log_line("8.1.3", "The lights of {} {}.", name, "go out" if roll else "stay on", roll, target=goal)


def _reroll_sources(table: T, flight: Flight, goal: str) -> Iterator[Reroll]:
    """[8.1.4, 2.3.7, 12.7.1] Yield the re-rolls of a search: height, a contact at the city, elite pilots and medals."""
    figures, seat = table.data.flying.acquisition, seat_of_flight(table, flight)
    if flight.high:
        for _ in range(figures.high_rerolls):
            yield Reroll("the flight (high altitude)", "8.1.4", seat, flight.key, lambda: None)
    for _ in range(figures.contact_rerolls * table.state.sky.contacts.get(goal, 0)):
        yield Reroll("the flight (contact marker)", "8.1.4", seat, flight.key, partial(_use_contact, table, goal))
    yield from rerolls_of(table, *table.state.in_flight(flight))


def _use_contact(table: T, goal: str) -> None:
    """[8.1.4] Spend a contact marker."""
    table.state.sky.contacts[goal] -= 1
    table.log_line("8.1.4", "The contact marker at {} is used.", card_of(table, goal).name, target=goal)


def _offer_second_attempt(table: T, flight: Flight, goal: str) -> Choice[Option]:
    """[8.1.4, DR30] Choose whether a flight that has missed its target persists, or deviates to another."""
    figures = table.data.flying.acquisition
    fails = 1 - float(guzzle_check(table, flight).odds())
    note = f"{percent(fails)} chance to pay {price_text(table, flight)}; then finds it"
    hint = OptionInfo(note, float(search_chance(table, flight, goal, persistent=True)))
    options = [Option("persist", f"continue looking for {card_of(table, goal).name}", goal, hint)]
    wary = table.state.security.alert >= figures.deviation_alert
    options += [
        Option(f"deviate-{other.value}", f"{other.text} instead", other.value, other.info)
        for other in search_options(table, flight, "an alert hazard first; finds it" if wary else "finds it")
        if other.value != goal
    ]
    question = f"{flight_title(table.data, flight)} has missed {card_of(table, goal).name}. What now?"
    seat = seat_of_flight(table, flight)
    return (yield from table.choose(seat, "8.1.4", question, options, piece_key=flight.key))


def _miss_target(table: T, flight: Flight, goal: str) -> None:
    """[8.1.4, DR29] Drop the bombs over Japan after a second failure; compass errors end."""
    state = table.state
    if not is_city(table, goal):
        return
    for bomber in state.in_flight(flight):
        if bomber.loaded:
            unload(table, bomber)
            state.add_to_story("dropped", bomber.key, goal)
        for marker in hazards_of_kind(table, bomber, raids.COMPASS_ERROR):
            put_back(table, bomber, marker)
    text = "{} drops its bombs over open country."
    table.log_line("8.1.4", text, titled(table.data, flight), target=flight.key)


# -- found -----------------------------------------------------------------------------------------------------------


def _reach_target(table: T, flight: Flight, goal: str) -> Steps:
    """[8.1.4, 8.3.7.E, DR131] Attack a city, or land at a site; an attached flying boat reports it and goes back."""
    for bomber in table.state.in_flight(flight):
        for marker in hazards_of_kind(table, bomber, hazards.FLYING_BOAT):
            put_back(table, bomber, marker)
            text, name = "The flying boat shadowing {} reports its position.", pilot(table.data, bomber.key)
            table.log_line("8.3.7.E", text, name, target=bomber)
            raise_alert(table, table.data.flight_hazards.flying_boat.landing_alert, "8.3.7.E")
    if is_city(table, goal):
        yield from raids.begin_attack(table, flight, goal)
    else:
        yield from _land_flight(table, flight, table.data.flight.site[goal])


def _land_flight(table: T, flight: Flight, site: SiteCard) -> Steps:
    """[8.1.4, 5.5, DR47] Land the flight; an arrow may cost a fuel, and a faulty compass may lead a bomber astray."""
    state = table.state
    if flight.zone in site.fuel_from:
        if not flight.fuel:
            text = "The way to {} costs {} a fuel, and it has none left."
            table.log_line("8.1.4", text, site.name, titled(table.data, flight), target=flight.key)
        yield from pay_fuel(table, flight, table.data.flight.sites.fuel)
    for bomber in state.in_flight(flight):
        for marker in hazards_of_kind(table, bomber, raids.FAULTY_COMPASS):
            if marker in bomber.markers:
                yield from _check_faulty_compass(table, flight, bomber, marker, site)
    if not state.in_flight(flight):
        return
    flight.site, flight.light = site.key, light_in(table, flight.zone)
    flight.weather = state.sky.weather.get(table.data.flight.wind_of[flight.zone].key, "calm")
    moment = f"Landfall in China: {site.name}" if site.country == CHINA else f"Landfall: {site.name}"
    who = KeyedText(flight_title(table.data, flight), flight.key, *(one.key for one in state.in_flight(flight)))
    dice = table.data.denouement.landing.dice
    text = (
        "{} comes in to land at {}. Once every flight is down, each crew needs {} or more with {} dice (less for "
        "night and storm), or may crash."
    )
    table.log_line("8.1.4", text, who, site.name, site.landing, dice, target=site.key, moment=moment)
    state.add_to_story("found", flight.key, site.key)


def _check_faulty_compass(table: T, flight: Flight, bomber: Bomber, marker: Marker, site: SiteCard) -> Steps:
    """[8.3.7.C] Roll for a faulty compass, with two dice at a beacon: without an even die the bomber ditches.

    The compass leaves the game, before the other hazards of a bomber that ditches go back.
    """
    figures = table.data.flight_hazards.compass
    dice = figures.beacon_dice if site.key in table.state.sky.beacons else figures.landing_dice
    roll = yield from roll_with_rerolls(table, EvenCheck("8.3.7.C", "the compass settles", dice), bomber.key, [bomber])
    text = "finds" if roll else "fails to find"
    bomber.markers.remove(marker)
    table.state.out.append(marker)
    name = pilot(table.data, bomber.key)
    table.log_line("8.3.7.C", "{} {} the field with a faulty compass.", name, text, roll, target=site.key)
    if not roll:
        ditch(table, bomber, "8.3.7.C", "its compass has led it astray", flight.zone)
