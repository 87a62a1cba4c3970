"""[1.2, 4.0.2, 5.1.1] The debriefing of a scenario: landings, what it came to, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.checks import Modifiers
from readyroom.engine.decisions import Option
from readyroom.engine.state import Outcome
from readyroom.engine.table import Steps
from readyroom.games.doolittle import campaign
from readyroom.games.doolittle.damage import DESTROYED, clear, ignored, outcome, tell
from readyroom.games.doolittle.facts import count
from readyroom.games.doolittle.figures import Data
from readyroom.games.doolittle.figures_ending import Score
from readyroom.games.doolittle.figures_flight import SiteCard
from readyroom.games.doolittle.luck import back, benefit, thrown, told, use
from readyroom.games.doolittle.pieces import Bomber, Fate, Marker
from readyroom.games.doolittle.rolls import Thrown
from readyroom.games.doolittle.state import Doolittle, Flight, T, seat_of

DOWN = ("ditched", "crashed", "landed", "captured")
"""The fates of bombers whose crews came down somewhere."""


def debrief(table: T) -> Steps:
    """[1.2, 1.3] Who landed finds out how; then the score, and its grade. The campaign has a debriefing of its own."""
    state, data = table.state, table.data
    if campaign.due(state):
        yield from campaign.debrief(table)
    if state.air is not None:
        for site in data.flight.site.values():
            yield from _landings(table, site)
    facts = count(state, data)
    card, total = data.scenarios[state.scenario], points(state, data)
    for score in scores(state, data):
        for term in score.term:
            counted = term.points(facts[term.of])
            if counted:
                name = FACT_NAMES[term.of]
                table.say("1.2", "{}: {}, {:+d} points.", name, facts[term.of], counted)
    grade = card.grade(total)
    grades = data.debriefing.attack_grades if card.map else data.debriefing.raid_grades
    text = f"{grades.text[grade]} The score is {total}."
    winner = "usa" if good(data, state, grade) else None
    table.finish(Outcome(winner, grades.title[grade], text, {"usa": total}))


def scores(state: Doolittle, data: Data) -> list[Score]:
    """[1.2] What counts: the bombs, from scenario 7 on bombers and crews, and in scenario 9 the ships as well."""
    figures, card = data.debriefing, data.scenarios[state.scenario]
    if card.map:
        return [figures.attack]
    return [figures.raid, figures.naval] if "naval" in card.segments else [figures.raid]


def points(state: Doolittle, data: Data) -> int:
    """[1.2, 1.3] The score so far; of the campaign its grades."""
    if campaign.due(state):
        return campaign.grades(state, data)
    facts = count(state, data)
    return sum(score.points(facts) for score in scores(state, data))


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
    "carriers-sunk": "Our carriers sunk",
    "carriers-damaged": "Our carriers damaged",
    "ships-sunk": "Other ships of ours sunk",
    "ships-damaged": "Other ships of ours damaged",
    "i-boats": "I-boats driven off",
    "enemy-ships": "Enemy ships sunk",
    "enemy-carriers": "Enemy carriers among them",
    "launched": "Bombers launched",
}
"""What counts, as it is told."""


def good(data: Data, state: Doolittle, grade: str) -> bool:
    """Whether a grade is one of the upper ones: the third of five, or better."""
    bands = list(data.scenarios[state.scenario].bands.values())
    return bands.index(grade) >= len(bands) // 2


# -- landing ---------------------------------------------------------------------------------------------------------


def _landings(table: T, site: SiteCard) -> Steps:
    """[14.1, 2.3.2] All bombers at a site land one by one; a copilot there may mend one before or after it."""
    state = table.state
    flights = [flight for flight in state.sky.flights if flight.site == site.key]
    there = [(flight, bomber) for flight in flights for bomber in state.in_flight(flight)]
    bombers = [bomber for _, bomber in there]
    yield from _repairs(table, site, bombers)
    for flight, bomber in there:
        yield from _lands(table, flight, bomber)
    yield from _repairs(table, site, bombers)


def elite_pilot(table: T, bomber: Bomber) -> bool:
    """[2.3, 14.1.1] Whether an elite pilot flies a bomber, used up or not."""
    return bomber.elite is not None and table.data.bombers.crewmen[bomber.elite.key].role == "pilot"


def landing_check(table: T, flight: Flight, bomber: Bomber) -> Thrown:
    """[14.1.1, DR47] The check of a landing, by the light and the weather in which the site was found."""
    figures, site = table.data.denouement.landing, table.data.flight.site[flight.site]
    faults = sum(table.data.flight_hazards.markers[marker.key].landing for marker in _troubles(table, bomber))
    iced = flight.site == figures.iced_site and not table.state.ratings.de_icers
    modifiers: Modifiers = [
        ("night", figures.night if flight.light == "night" else 0),
        (flight.weather, figures.weather.get(flight.weather, 0)),
        ("elite pilot", figures.elite_pilot if elite_pilot(table, bomber) else 0),
        ("mechanical problems", faults),
        ("ice", figures.iced if iced else 0),
    ]
    added = [one for one in modifiers if one[1]]
    return Thrown("14.1.1", "landing", dice=figures.dice, at_least=site.landing, modifiers=added)


def _troubles(table: T, bomber: Bomber) -> list[Marker]:
    """[8.3.7.K] What hangs on a bomber that makes its landing harder."""
    known = table.data.flight_hazards.markers
    return [marker for marker in bomber.markers if marker.key in known and known[marker.key].landing]


def _lands(table: T, flight: Flight, bomber: Bomber) -> Steps:
    """[14.1.1, 14.1.2] A good landing, or a poor one and what it comes to."""
    site = table.data.flight.site[flight.site]
    roll = yield from thrown(table, landing_check(table, flight, bomber), bomber.key, [bomber])
    table.say("14.1.1", "{} lands at {}: {}.", told(table, bomber), site.name, roll)
    bomber.where, bomber.fate = flight.site, "landed"
    if not roll:
        yield from _poor(table, bomber)
    tell(table.state, bomber.fate, bomber.key, flight.site)


def _poor(table: T, bomber: Bomber) -> Steps:
    """[14.1.2, DR88, DR96] One die for a poor landing, by damage and by the pilot."""
    chart = table.data.denouement.poor_landing
    column = ("undamaged", "damaged", "severe")[min(bomber.hits, 2)]
    column += ", elite" if elite_pilot(table, bomber) else ""
    dice, sides = chart.pool()
    least = next(face for face in range(dice, dice * sides + 1) if chart.cell(face, column) not in WRECKED)
    check = Thrown("14.1.2", "poor landing", dice=dice, at_least=least)
    roll = yield from thrown(
        table, check, bomber.key, [bomber], enough=lambda roll: chart.cell(roll.total, column) == "good"
    )
    cell = chart.cell(roll.total, column)
    table.say("14.1.2", "A poor landing of {}: {} ({}).", told(table, bomber), POOR[cell], roll)
    if cell == "damaged" and not (yield from ignored(table, bomber, "the landing")):
        cell = "crash" if outcome(table, bomber) == DESTROYED else cell
        bomber.hits += 1
    if cell in WRECKED:
        bomber.fate = WRECKED[cell]
        clear(table, bomber)


WRECKED: dict[str, Fate] = {"dead": "destroyed", "crash": "crashed"}
"""[14.1.2] The poor landings that end a bomber: with its crew, or without."""
POOR = {
    "dead": "nobody gets out of the wreck",
    "crash": "a wreck, and a crew that is hurt",
    "damaged": "damage, and nobody is hurt",
    "good": "nothing worse than a fright",
}


def _repairs(table: T, site: SiteCard, bombers: Sequence[Bomber]) -> Steps:
    """[2.3.2, DR97] A copilot at a site in China may mend damage or a mechanical problem of a bomber there, once."""
    if site.country != "china":
        return
    for man in bombers:
        options = [one for bomber in bombers for one in _mendable(table, bomber)]
        if man.fate == "destroyed" or not options or not benefit(table.data, man, "repair"):
            continue
        assert man.elite is not None
        name = table.data.bombers.crewmen[man.elite.key].name
        options.insert(0, Option("wait", "nothing now"))
        question = f"What does {name} mend at {site.name}?"
        seat = seat_of(table.state, man.key)
        chosen = yield from table.choose(seat, "2.3.2", question, options, about=man.key)
        if chosen.key != "wait":
            use(table, man)
            _mended(table, *chosen.value)


def _mendable(table: T, bomber: Bomber) -> list[Option]:
    """[2.3.2] What may be mended of a bomber: its damage, or before it lands what would make that harder."""
    name = told(table, bomber)
    found = [Option(f"{bomber.key}-damage", f"{name}: the damage", (bomber, None))] if bomber.hits else []
    if bomber.flies:
        known = table.data.flight_hazards.markers
        found += [
            Option(f"{bomber.key}-{marker.key}", f"{name}: {known[marker.key].name.lower()}", (bomber, marker))
            for marker in _troubles(table, bomber)
        ]
    return found if bomber.fate in ("", "landed") else []


def _mended(table: T, bomber: Bomber, marker: Marker | None) -> None:
    """[2.3.2] Damage of any kind is gone, or a hazard goes back into its cup."""
    if marker is None:
        bomber.hits = 0
    else:
        bomber.markers.remove(marker)
        back(table.state, marker)
    table.say("2.3.2", "{} is mended.", told(table, bomber))
