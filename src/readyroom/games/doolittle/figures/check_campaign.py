"""Whether the figures of planning and of the end fit each other."""

from __future__ import annotations

from collections import Counter

from readyroom.games.doolittle.figures.common import MONTHS, WEATHERS
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.planning import DIPLOMATS
from readyroom.games.doolittle.figures.walk import (
    check_cells,
    check_count,
    check_one,
    check_same,
    check_unique,
    check_whole_numbers,
    expect,
)


def check_planning(data: Data) -> None:
    """[13.1, 13.2] Check the calendar's rows and months, the events and their places."""
    file, figures = "planning.toml", data.planning
    check_same(file, "calendar.row", figures.calendar.row, DIPLOMATS)
    check_same(file, "calendar.risk", figures.calendar.risk, MONTHS)
    check_cells(file, figures.event_chart, ("attack", "storm", "none"), ["event"])
    china = [site.key for site in data.flight.sites_in("china")]
    check_cells(file, figures.location_chart, china, ["site"])
    check_same(file, "doolittle.box", figures.doolittle.box, MONTHS)
    number, most = len(data.bombers.roster.bomber), figures.selection.most
    expect(most == number, file, "selection.most", f"{number}, the number of bombers", str(most))


def check_modifications(data: Data) -> None:
    """[13.3.3] Check that what a modification needs exists, and that exclusions are mutual."""
    file, figures = "modifications.toml", data.modifications
    check_unique(file, "modifications.modification", (card.key for card in figures.modifications.modification))
    for key, card in figures.cards.items():
        where = f"modifications.modification {key}"
        if card.needs:
            check_one(file, f"{where}.needs", card.needs, figures.cards)
        for other in card.excludes:
            check_one(file, f"{where}.excludes", other, figures.cards)
            mutual = key in figures.cards[other].excludes
            expect(mutual, file, f"modifications.modification {other}.excludes", key, "nothing")
    check_same(file, "modifications", sorted({card.box for card in figures.cards.values()}), "ABCDEFGHIJ")
    factory, guzzle = figures.factory, figures.guzzle
    heaviest = factory.weight + sum(max(card.weight, 0) for card in figures.cards.values())
    fits = guzzle.reach[0] <= factory.weight_min and heaviest <= guzzle.reach[1]
    expect(fits, file, "guzzle.reach", f"{factory.weight_min} to {heaviest}", "less")
    plain, printed = guzzle.at(factory.weight), data.bombers.factory.guzzle
    expect(plain == printed, file, "guzzle.rows", f"{printed}, as bombers.toml has it at factory.guzzle", str(plain))


def check_training(data: Data) -> None:
    """[13.4] Check tracks of known modifications, rising morale, and a deck space for every sum."""
    file, figures = "training.toml", data.training
    for key, track in figures.training.track.items():
        for name in (track.needs, track.unless):
            if name:
                check_one(file, f"training.track.{key}", name, data.modifications.cards)
    start, last = figures.morale.start, len(figures.morale.box) - 1
    expect(0 <= start <= last, file, "morale.start", f"0 to {last}", str(start))
    spaces, dice = figures.short_take_off.space, figures.short_take_off.dice
    check_same(file, "short_take_off.space", (str(each.space) for each in spaces), map(str, range(dice, 6 * dice + 1)))
    for each in spaces:
        key, fits = f"short_take_off.space {each.space}.mishaps", set(each.mishaps) <= {"c", "d"}
        expect(fits, file, key, "letters c and d", repr(each.mishaps))
    counts = [each.capacity for each in spaces]
    rising, found = counts == sorted(counts), ", ".join(map(str, counts))
    expect(rising, file, "short_take_off.space.capacity", "capacities that rise", found)


def check_embarkation(data: Data) -> None:
    """[13.5] Check the transit cup, the crane, delay and the variable risks."""
    file, figures = "embarkation.toml", data.embarkation
    check_count(file, "cup.total", "markers", figures.cup.total, sum(marker.count for marker in figures.cup.marker))
    for site in (*figures.transit.site, *figures.variable.liberty_site):
        check_one(file, "transit.site", site, data.training.sites.site)
    check_whole_numbers(file, figures.transit_chart)
    for row, cells in figures.crane_chart.rows.items():
        check_one(file, f"P4-crane.rows.{row}, column result", cells[0], ("damage", "hazard", "risk", "none"))
    check_cells(file, figures.delay_chart, ("delayed", "on time"), ["result"])
    check_whole_numbers(file, figures.risk_chart)
    check_same(file, "P5.columns", figures.risk_chart.columns, ("attack", "delayed", "liberty", "telephone"))


def check_incidents(data: Data) -> None:
    """[15.1] Check the number of chits of each kind, and their turns."""
    file, chits = "incidents.toml", data.incidents.chits
    check_same(file, "chits.months", chits.months, MONTHS)
    result: Counter[str] = Counter()
    for month, kinds in chits.months.items():
        for kind, count in kinds.items():
            check_one(file, f"chits.months.{month}", kind, chits.kind)
            result[kind] += count
    check_same(file, "chits.totals", chits.totals, chits.kind)
    for kind, total in chits.totals.items():
        check_count(file, f"chits.totals.{kind}", "chits", total, result[kind])
    for kind in (*data.incidents.bataan.called_off, data.incidents.ceylon.fished):
        check_one(file, "bataan.called_off", kind, chits.kind)
    trek, printed = data.incidents.shanghai.trek, data.denouement.routes.shanghai
    expect(trek == printed, file, "shanghai.trek", str(printed), str(trek))
    check_one(file, "bataan.grounds", data.incidents.bataan.grounds, data.bombers.crewmen)
    check_one(file, "rabaul.earliest_turn", data.incidents.rabaul.earliest_turn, data.sea.turns.turn)


_CAPTURES = tuple(f"{health} {crews}" for health in ("fit", "wounded") for crews in ("1", "2", "3-4", "5+"))


def check_denouement(data: Data) -> None:
    """[14] Check charts of landings, ditchings and captures, and routes between known places."""
    file, figures = "denouement.toml", data.denouement
    check_cells(file, figures.poor_landing, ("dead", "crash", "damaged", "good"))
    ditched = ("missing", "captured", "missing unless submarine", "china wounded", "china fit")
    check_cells(file, figures.ditched, ditched, ("east of Japan", "Japan", "west of Japan"))
    check_same(file, "homeward.number", figures.homeward.number, data.sea.order)
    check_cells(file, figures.incident, ("airstrike", "i-boat", "ships"), ["incident"])
    check_cells(file, figures.capture, ("0", "1", "2", "3", "all", "close"), _CAPTURES)
    for row, cells in figures.close_call.rows.items():
        check_one(file, f"D4-close.rows.{row}, column effect", cells[0], ("lost", "captured", "wounded", "none"))
    check_one(file, "landing.iced_site", figures.landing.iced_site, data.flight.site)
    check_same(file, "landing.weather", figures.landing.weather, WEATHERS)
    talks = ("agreed", "no-attempt", "denied")
    for name in ("internment", "passage"):
        check_same(file, f"{name}.rows", getattr(figures, name).rows, talks)
    for row in (*figures.passage.starred, figures.soviet.row):
        check_one(file, "soviet.row", row, talks)
    _check_routes(data)


def _check_routes(data: Data) -> None:
    """[14.4.3] Check that every place in China leads to Chungking, and that no route occurs twice."""
    file, routes = "denouement.toml", data.denouement.routes
    china = [site.key for site in data.flight.sites_in("china")]
    for route in routes.route:
        check_one(file, "routes.route", route.start, [*china, routes.on_foot])
        check_one(file, "routes.route", route.end, [*china, routes.goal])
        fits = (route.start == routes.on_foot) == (route.fuel is None)
        where = f"routes.route {route.start} to {route.end}.fuel"
        expect(fits, file, where, "fuel unless one is on foot", str(route.fuel))
    check_unique(file, "routes.route", (f"{route.start} to {route.end}" for route in routes.route))
    for start in (*china, routes.on_foot):
        ends = [route.end for route in routes.route if route.start == start]
        check_one(file, f"routes.route {start}", routes.goal, ends)
    check_same(file, "routes.weather_box", routes.weather_box, china)
    for site, box in routes.weather_box.items():
        check_one(file, f"routes.weather_box.{site}", box, [each.key for each in data.flight.winds.box])


def check_debriefing(data: Data) -> None:
    """Check the grades of the short scenarios, the values of launches, and the campaign's views and checks."""
    file, figures = "debriefing.toml", data.debriefing
    for name in ("attack_grades", "raid_grades"):
        grades = getattr(figures, name)
        check_same(file, f"{name}.text", grades.text, grades.title)
    check_same(file, "worth.launch_area", figures.worth.launch_area, data.sea.order)
    check_same(file, "worth.launch", figures.worth.launch, ("planned", "emergency", "none"))
    check_same(file, "worth.doolittle", figures.worth.doolittle, ("home", "aboard", "stayed", "lost"))
    views = ("army", "navy", "joint-chiefs", "white-house", "japan", "china", "ussr")
    check_same(file, "perspectives", figures.perspectives, views)
    check_same(file, "checks", figures.checks, ("prisoners", "reprisal", "alliances"))
    best = sum(len(view.band) - 1 for view in figures.perspectives.values()) + max(figures.checks["alliances"].grades)
    reach = figures.verdict.reach
    expect(reach == (0, best), file, "verdict.reach", f"[0, {best}]", str(list(reach)))


def check_history(data: Data) -> None:
    """Check that the facts of 1942 are those that the campaign's views count."""
    file, facts = "history.toml", data.history.campaign.facts
    for name, view in data.debriefing.perspectives.items():
        for term in view.term:
            expect(term.of in facts, file, f"campaign.facts.{term.of}", f"a number, for {name} counts it", "none")
    for name, bounds in data.history.raid.bounds.items():
        fits, between = bounds.low <= bounds.expected <= bounds.high, f"between {bounds.low} and {bounds.high}"
        expect(fits, file, f"raid.bounds.{name}.expected", between, str(bounds.expected))
