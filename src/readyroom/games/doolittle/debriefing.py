"""[1.2, 4.0.2, 5.1.1] The debriefing of a scenario: landings, what it came to, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping

from readyroom.engine.checks import Modifiers
from readyroom.engine.state import Outcome
from readyroom.engine.table import Steps
from readyroom.games.doolittle.damage import clear, tell
from readyroom.games.doolittle.figures import Data
from readyroom.games.doolittle.luck import thrown, told
from readyroom.games.doolittle.rolls import Thrown
from readyroom.games.doolittle.state import Bomber, Doolittle, Flight, T

DOWN = ("ditched", "crashed", "landed", "captured")
"""The fates of bombers whose crews came down somewhere."""


def debrief(table: T) -> Steps:
    """[1.2] Who landed finds out how; then the score, and its grade."""
    state = table.state
    if state.air is not None:
        for flight in state.air.flights:
            for bomber in state.in_flight(flight):
                yield from _lands(table, flight, bomber)
    facts = count(state, table.data)
    card = table.data.scenarios[state.scenario]
    score = table.data.debriefing.attack if card.map else table.data.debriefing.raid
    points = score.points(facts)
    grade = card.grade(points)
    grades = table.data.debriefing.attack_grades if card.map else table.data.debriefing.raid_grades
    for term in score.term:
        counted = term.points(facts[term.of])
        if counted:
            table.say("1.2", "{}: {}, {:+d} points.", FACT_NAMES.get(term.of, term.of), facts[term.of], counted)
    text = f"{grades.text[grade]} The score is {points}."
    winner = "usa" if good(table.data, state, grade) else None
    table.finish(Outcome(winner, grades.title[grade], text, {"usa": points}))


FACT_NAMES = {
    "box-blast": "Blast at targets",
    "area-blast": "Blast elsewhere",
    "boxes-hit": "Targets hit",
    "cities-hit": "Cities hit",
    "carriers-hit": "Carriers hit",
    "bombers-destroyed": "Bombers lost",
    "bombers-damaged": "Bombers damaged",
    "good-landings-china": "Bombers safe in China",
    "crews-china": "Crews in China",
    "crews-ditched-elsewhere": "Crews down elsewhere",
    "bombers-destroyed-with-crew": "Bombers lost with their crews",
    "landed-vladivostok": "Bombers in Siberia",
}


def good(data: Data, state: Doolittle, grade: str) -> bool:
    """Whether a grade is one of the upper ones: the third of five, or better."""
    bands = list(data.scenarios[state.scenario].bands.values())
    return bands.index(grade) >= len(bands) // 2


# -- landing ---------------------------------------------------------------------------------------------------------


def landing_check(table: T, flight: Flight, bomber: Bomber) -> Thrown:
    """[14.1.1] The check of a landing."""
    figures, site = table.data.denouement.landing, table.data.flight.site[flight.site]
    known = table.data.flight_hazards.markers
    faults = sum(known[marker.key].landing for marker in bomber.markers if marker.key in known)
    man = bomber.elite
    pilot = man is not None and table.data.bombers.crewmen[man.key].role == "pilot"
    modifiers: Modifiers = [
        ("night", figures.night if flight.light == "night" else 0),
        (flight.weather, figures.weather.get(flight.weather, 0)),
        ("elite pilot", figures.elite_pilot if pilot else 0),
        ("mechanical problems", faults),
        ("ice", figures.iced if flight.site == figures.iced_site and not table.state.ratings.de_icers else 0),
    ]
    added = [one for one in modifiers if one[1]]
    return Thrown("14.1.1", "landing", dice=figures.dice, at_least=site.landing, modifiers=added)


def _lands(table: T, flight: Flight, bomber: Bomber) -> Steps:
    """[14.1.1, DR88] A good landing, or a poor one and what it comes to."""
    site = table.data.flight.site[flight.site]
    roll = yield from thrown(table, landing_check(table, flight, bomber), bomber.key, [bomber])
    table.say("14.1.1", "{} lands at {}: {}.", told(table, bomber), site.name, roll)
    if roll:
        bomber.fate, bomber.where = "landed", flight.site
        tell(table.state, "landed", bomber.key, flight.site)
        return
    yield from _poor(table, flight, bomber)


def _poor(table: T, flight: Flight, bomber: Bomber) -> Steps:
    """[14.1.1] One die for a poor landing, by damage and by the pilot."""
    man = bomber.elite
    pilot = man is not None and table.data.bombers.crewmen[man.key].role == "pilot"
    column = ("undamaged", "damaged", "severe")[min(bomber.hits, 2)] + (", elite" if pilot else "")
    roll = table.consult(table.data.denouement.poor_landing, column, bomber.key)
    table.say("14.1.2", "A poor landing: {}.", roll)
    yield from ()
    bomber.where = flight.site
    bomber.fate = {"dead": "destroyed", "crash": "crashed"}.get(roll.cell, "landed")  # type: ignore[assignment]
    if roll.cell == "damaged":
        bomber.hits += 1
        if bomber.hits >= len(table.data.bombers.armour.normal):
            bomber.fate = "crashed"
    tell(table.state, bomber.fate, bomber.key, flight.site)
    if bomber.fate != "landed":
        clear(table, bomber)


# -- what it came to -------------------------------------------------------------------------------------------------


def count(state: Doolittle, data: Data) -> Mapping[str, int]:
    """[1.2] The facts that scores are made of."""
    card = data.scenarios[state.scenario]
    counted = set(card.counted_areas)
    box = area = boxes = cities = carriers = 0
    for target in state.targets.values():
        in_city = 0
        for name, place in target.areas.items():
            area += place.blast
            for one in place.boxes.values():
                if counted and name not in counted:
                    area += one.blast
                else:
                    box, in_city, boxes = box + one.blast, in_city + one.blast, boxes + bool(one.blast)
                carriers += bool(one.blast) and _carrier_in(data, one.markers)
        cities += bool(in_city)
    return {
        "box-blast": box,
        "area-blast": area,
        "boxes-hit": boxes,
        "cities-hit": cities,
        "carriers-hit": carriers,
        **_bombers(state, data),
    }


def _carrier_in(data: Data, markers: list) -> int:  # type: ignore[type-arg]
    kinds = data.hazards.kinds.kind
    known = data.hazards.markers
    return sum(marker.shown and kinds[known[marker.key].kind].effect == "carrier" for marker in markers)


def _bombers(state: Doolittle, data: Data) -> dict[str, int]:
    """What became of bombers and crews."""
    squad = list(state.squad.values())
    country = {key: site.country for key, site in data.flight.site.items()}
    order = data.flight.order
    china_side = {zone for zone in order if data.flight.in_china_time(zone)}

    def in_china(bomber: Bomber) -> bool:
        return country.get(bomber.where) == "china" or bomber.where in china_side

    saved = [one for one in squad if one.fate in ("landed", "crashed", "ditched")]
    return {
        "bombers-destroyed": sum(one.fate == "destroyed" for one in squad),
        "bombers-damaged": sum(bool(one.hits) and one.fate in ("", "home", "landed") for one in squad),
        "good-landings-china": sum(one.fate == "landed" and not one.hits and in_china(one) for one in squad),
        "crews-china": sum(in_china(one) for one in saved),
        "crews-ditched-elsewhere": sum(
            one.fate == "captured"
            or (not in_china(one) and country.get(one.where) != "ussr" and one.fate in ("ditched", "landed", "crashed"))
            for one in squad
        ),
        "bombers-destroyed-with-crew": sum(one.fate == "destroyed" for one in squad),
        "landed-vladivostok": sum(country.get(one.where) == "ussr" for one in squad),
    }
