"""[14.1, 2.3.2] Landing: how each bomber comes down, and what copilots repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readyroom.engine.rules.checks import Modifiers, nonzero_modifiers
from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.bombers import (
    DESTROYED,
    choose_to_ignore,
    clear_hazards,
    has_benefit,
    hit_outcome,
    is_pilot,
    repair_bomber,
    repair_options,
    use_benefit,
)
from readyroom.games.doolittle.denouement.crews import add_crew, crew_key, record_fate
from readyroom.games.doolittle.denouement.state import DenouementState
from readyroom.games.doolittle.figures.flight import SiteCard
from readyroom.games.doolittle.names import pilot, pilot_name
from readyroom.games.doolittle.pieces import Bomber, Fate, Marker
from readyroom.games.doolittle.rolls import BandCheck, FaceCheck, lowest_total, roll_with_rerolls
from readyroom.games.doolittle.state import Flight, T, seat_of
from readyroom.games.doolittle.voyage.return_to_port import fleets

CHINA, GOOD = "china", "good"
WRECKED: dict[str, Fate] = {"dead": "destroyed", "crash": "crashed"}
"""[14.1.2] The poor landings that end a bomber: with its crew, or without."""
POOR = {
    "dead": "the bomber crashes, and the crew is killed",
    "crash": "the bomber crashes, and the crew is wounded",
    "damaged": "the bomber is damaged, and the crew is unhurt",
    "good": "no damage",
}

BANDS = {"dead": "deadly crash", "crash": "crash", "damaged": "damage", "good": "no damage"}
CONDITIONS = {"undamaged": "a bomber without hits", "damaged": "a bomber with a hit", "severe": "a bomber with 2 hits"}
"""How bombers come in, by the columns of the table."""


def land(table: T) -> Steps:
    """[14.0, 14.1, 14.0.1] Begin the denouement: bombers land site by site, and their crews get markers.

    Bombers launched for Midway or Pearl Harbor have landed safely [12.4]. A bomber that is down keeps its flight's
    fuel; its crew is fit, or hurt in the wreck [14.1.2, DR89].
    """
    table.state.begin("denouement")
    table.state.ending = DenouementState(homeward=fleets(table.state))
    bases = {base.key for base in table.data.naval.ashore.base}
    for bomber in table.state.squad.values():
        if bomber.fate == "ashore" and bomber.where in bases:
            record_fate(table, crew := add_crew(table, bomber, bomber.where), "home")
            text, name = "{} has landed safely at a friendly base.", pilot(table.data, bomber.key)
            table.log_line("14.1", text, name, target=crew_key(crew))
    for site in table.data.flight.site.values():
        there = bombers_landing_at(table, site)
        yield from land_at_site(table, site, last=False)
        for flight, bomber in there:
            if bomber.fate == "landed":
                bomber.fuel = flight.fuel
            if bomber.fate in ("landed", "crashed"):
                add_crew(table, bomber, flight.site, fit=bomber.fate == "landed")


def bombers_landing_at(table: T, site: SiteCard) -> list[tuple[Flight, Bomber]]:
    """[14.1] Return the bombers that are about to land at a site, with their flights."""
    flights = [flight for flight in table.state.sky.flights if flight.site == site.key]
    return [(flight, bomber) for flight in flights for bomber in table.state.in_flight(flight)]


def land_at_site(table: T, site: SiteCard, *, last: bool = True) -> Steps:
    """[14.1, 2.3.2, DR149] Land the bombers at a site one by one; before each landing a copilot there may repair one.

    If the denouement is played (not `last`), damage from the last landing is repaired with the groundcrews (14.4.1).
    """
    waiting = bombers_landing_at(table, site)
    bombers = [bomber for _, bomber in waiting]
    while waiting:
        yield from _offer_repairs(table, site, bombers)
        flight, bomber = yield from _choose_next_bomber(table, site, waiting, bombers)
        waiting.remove((flight, bomber))
        yield from _land_bomber(table, flight, bomber)
    if last:
        yield from _offer_repairs(table, site, bombers)


def _choose_next_bomber(
    table: T, site: SiteCard, waiting: Sequence[tuple[Flight, Bomber]], bombers: Sequence[Bomber]
) -> Choice[tuple[Flight, Bomber]]:
    """[14.1.1, DR149] Choose which bomber lands next; the order matters only while a copilot can still repair one."""
    faulty = [one for _, one in waiting if _repair_options(table, one)]
    if len(waiting) == 1 or not faulty or not list(_bombers_with_copilot(table, site, bombers)):
        return waiting[0]
    options = [Option(f"land-{one.key}", pilot_name(table.data, one.key), (flight, one)) for flight, one in waiting]
    question = f"Which bomber lands next at {site.name}?"
    seat = table.state.captain
    return (yield from table.choose(seat, "14.1.1", question, options, piece_key=site.key)).value  # type: ignore[no-any-return]


def landing_check(table: T, flight: Flight, bomber: Bomber) -> FaceCheck:
    """[14.1.1, DR47] Return the check of a landing, by the light and the weather in which the site was found.

    Ice is met in the campaign alone, where it could have been provided for (13.3.3.G).
    """
    state, figures = table.state, table.data.denouement.landing
    site = table.data.flight.site[flight.site]
    faults = sum(table.data.flight_hazards.markers[marker.key].landing for marker in _landing_hazards(table, bomber))
    iced = flight.site == figures.iced_site and state.blotter is not None and not state.ratings.de_icers
    modifiers: Modifiers = [
        ("arrival at night", figures.night if flight.light == "night" else 0),
        (flight.weather, figures.weather.get(flight.weather, 0)),
        ("elite pilot", figures.elite_pilot if is_pilot(table, bomber) else 0),
        ("mechanical problems", faults),
        ("ice", figures.iced if iced else 0),
    ]
    net = nonzero_modifiers(modifiers)
    return FaceCheck("14.1.1", "landing", dice=figures.dice, at_least=site.landing, modifiers=net)


def _landing_hazards(table: T, bomber: Bomber) -> list[Marker]:
    """[8.3.7.K] Return the hazards that make a bomber's landing harder."""
    known = table.data.flight_hazards.markers
    return [marker for marker in bomber.markers if marker.key in known and known[marker.key].landing]


def _land_bomber(table: T, flight: Flight, bomber: Bomber) -> Steps:
    """[14.1.1, 14.1.2] Land a bomber, well or poorly."""
    site = table.data.flight.site[flight.site]
    roll = yield from roll_with_rerolls(table, landing_check(table, flight, bomber), bomber.key, [bomber])
    text = "lands safely" if roll else "lands badly"
    if roll:
        bomber.where, bomber.fate, bomber.well = flight.site, "landed", True
    table.log_line("14.1.1", "{} {} at {}.", pilot(table.data, bomber.key), text, site.name, roll, target=site.key)
    if not roll:
        yield from _roll_poor_landing(table, flight, bomber)
    table.state.add_to_story(bomber.fate, bomber.key, flight.site)


def _roll_poor_landing(table: T, flight: Flight, bomber: Bomber) -> Steps:
    """[14.1.2, DR88, DR96] Roll one die for a poor landing, by damage and pilot."""
    chart = table.data.denouement.poor_landing
    column = list(CONDITIONS)[min(bomber.hits, 2)]
    name = f"landing of {CONDITIONS[column]}{', elite pilot' * is_pilot(table, bomber)}"
    column += ", elite" if is_pilot(table, bomber) else ""
    least = lowest_total(chart, column, lambda cell: cell not in WRECKED)
    bands = chart.bands(column, BANDS.__getitem__)
    check = BandCheck("14.1.2", name, dice=chart.dice_pool()[0], at_least=least, bands=bands)
    roll = yield from roll_with_rerolls(
        table, check, bomber.key, [bomber], enough=lambda roll: chart.cell(roll.total, column) == GOOD
    )
    cell = chart.cell(roll.total, column)
    bomber.where, bomber.fate, bomber.well = flight.site, "landed", cell == GOOD
    may_ignore = cell == "damaged" and has_benefit(table.data, bomber.elite, "ignore-damage")
    if not may_ignore:
        _damage(table, bomber, cell)
    text, name = "{}'s poor landing: {}.", pilot(table.data, bomber.key)
    moment = f"{pilot_name(table.data, bomber.key)} crashes" if cell in WRECKED else ""
    table.log_line("14.1.2", text, name, POOR[cell], roll, target=bomber, moment=moment)
    if may_ignore and not (yield from choose_to_ignore(table, bomber, "the landing")):
        _damage(table, bomber, cell)


def _damage(table: T, bomber: Bomber, cell: str) -> None:
    """[14.1.2, 2.1.3] Apply a poor landing: damage, or the end of the bomber."""
    if cell == "damaged":
        cell = "crash" if hit_outcome(table, bomber) == DESTROYED else cell
        bomber.hits += 1
    if cell in WRECKED:
        bomber.fate = WRECKED[cell]
        clear_hazards(table, bomber)


def _offer_repairs(table: T, site: SiteCard, bombers: Sequence[Bomber]) -> Steps:
    """[2.3.2, DR97] Let each copilot at a site in China repair damage or a mechanical problem there, once."""
    for man in _bombers_with_copilot(table, site, bombers):
        options = [one for bomber in bombers for one in _repair_options(table, bomber)]
        if not options:
            return
        assert man.elite is not None
        options.insert(0, Option("wait", "nothing for now"))
        question = f"What does {table.data.bombers.crewmen[man.elite.key].name} repair at {site.name}?"
        seat = seat_of(table.state, man.key)
        chosen = yield from table.choose(seat, "2.3.2", question, options, piece_key=man.key)
        if chosen.key != "wait":
            use_benefit(table, man)
            repair_bomber(table, "2.3.2", *chosen.value)


def _bombers_with_copilot(table: T, site: SiteCard, bombers: Sequence[Bomber]) -> Iterator[Bomber]:
    """[2.3.2] Yield the bombers at a site in China with a copilot who can still repair one."""
    if site.country == CHINA:
        for bomber in bombers:
            if bomber.fate != "destroyed" and has_benefit(table.data, bomber.elite, "repair"):
                yield bomber


def _repair_options(table: T, bomber: Bomber) -> list[Option]:
    """[2.3.2] Return what may be repaired of a bomber: its damage, or before it lands what would make that harder."""
    if bomber.fate not in ("", "landed"):
        return []
    troubles, known = _landing_hazards(table, bomber) if bomber.flies else [], table.data.flight_hazards.markers
    return repair_options(table, bomber, [(marker, known[marker.key].name) for marker in troubles])
