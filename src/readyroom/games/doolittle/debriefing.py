"""[1.2, 4.0.2, 5.1.1] The debriefing of a scenario: landings, what it came to, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping

from readyroom.engine.state import Outcome
from readyroom.engine.table import Steps
from readyroom.games.doolittle.figures import Data
from readyroom.games.doolittle.landing import landings
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import Doolittle, T


def debrief(table: T) -> Steps:
    """[1.2] Who landed finds out how; then the score, and its grade."""
    state = table.state
    if state.air is not None:
        for site in table.data.flight.site.values():
            yield from landings(table, site)
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
    """[DR49] What became of bombers and crews; known to be safe are those who came down in China's time."""
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
