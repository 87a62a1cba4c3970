"""[13.5] April: the naval plan, the delay, and the risk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from readyroom.engine.rules.checks import Modifiers, nonzero_modifiers
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import capitalize_first, en_dashes
from readyroom.games.doolittle.figures.naval import SeaAreaCard
from readyroom.games.doolittle.figures.planning import NAVY
from readyroom.games.doolittle.names import count_in_words
from readyroom.games.doolittle.planning import blotter, incident_effects, incidents, transit
from readyroom.games.doolittle.planning.blotter import liberty_modifiers, squadron_size_modifier
from readyroom.games.doolittle.planning.diplomacy import brief, may_ask
from readyroom.games.doolittle.secrecy import add_risk, secrecy_test
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.state import Plan


def april(table: T) -> Steps:
    """[13.5] Play April: incidents, the naval plan and the flight to the coast."""
    if incidents.begin_month(table, "april"):
        return
    yield from make_plan(table)
    yield from transit.transit(table)


def make_plan(table: T) -> Steps:
    """[13.5.1] Make the naval plan: rendezvous, launch area and submarines; it is final."""
    state, sea = table.state, table.data.sea
    state.plan = made = Plan()
    options = _area_options(table, "rendezvous", lambda area: f"rendezvous number {area.rendezvous}")
    chosen = yield from table.choose(state.captain, "13.5.1", "Where do the forces meet?", options)
    made.rendezvous_area = chosen.value
    first = incident_effects.earliest_rendezvous(table)
    options = [
        Option(f"turn-{number}", en_dashes(label), label, OptionInfo(f"naval turn {number}"))
        for number, label in enumerate(sea.turns.turn, start=1)
        if number > first
    ]
    chosen = yield from table.choose(state.captain, "13.5.1", "When do they meet?", options)
    made.rendezvous_turn = chosen.value
    able, far = "bombers can reach Japan from here", "too far east: bombers would have to fly to Midway or Hawaii"
    reach = table.data.flight.first_zone.columns
    options = _area_options(table, "launch", lambda area: able if area.key in reach else far)
    chosen = yield from table.choose(state.captain, "13.5.1", "Where are the bombers launched?", options)
    made.launch_area = chosen.value
    yield from _choose_submarines(table, made)
    places = [sea.area[area].name for area in (made.rendezvous_area, made.launch_area)]
    text = "Naval plan: rendezvous in {} on {}, launch in {}."
    when, moment = made.rendezvous_turn, "The order is sealed"
    table.log_line("13.5.1", text, places[0], when, places[1], target=made.launch_area, moment=moment)


def _area_options(table: T, what: str, note: Callable[[SeaAreaCard], str]) -> list[Option]:
    """[13.5.1] Return an option for each sea area, with a note."""
    areas = table.data.sea.areas.area
    return [Option(f"{what}-{area.key}", area.name, area.key, OptionInfo(note(area))) for area in areas]


def _submarine_note(table: T, area: SeaAreaCard) -> str:
    """[12.1.3, 12.5.3, 12.7.1, 14.2.1] Return the use of a submarine in contact, off Japan for the raid as well."""
    if area.key != table.data.sea.order[-1]:
        return "if in contact, helps the rendezvous here"
    number = table.data.ships.submarines.rescues
    crews = "a crew" if number == 1 else f"{number} crews"
    return f"if in contact, helps to find a city, and may pick up {crews} off Japan"


def submarines_to_place(table: T) -> int:
    """[13.5.1] Return how many submarines are placed: what the Navy gave, or the most, if it may still be asked."""
    talked = table.state.talks
    known = bool(talked.submarines) and not may_ask(table, NAVY)
    return talked.submarines if known else table.data.planning.joint.unknown


def _choose_submarines(table: T, made: Plan) -> Steps:
    """[13.5.1, 12.1.3] Choose a sea area for each submarine that is or may be given."""
    cards = table.data.ships.submarines.submarine
    number = min(submarines_to_place(table), len(cards))
    options = _area_options(table, "submarine", lambda area: _submarine_note(table, area))
    boats = capitalize_first(count_in_words(number, "submarine"))
    question = f"{boats} sail{'s' if number == 1 else ''} ahead: to which areas?"
    chosen = yield from table.allocate(table.state.captain, "13.5.1", question, number, options, lambda option: number)
    for card, option in zip(cards, chosen, strict=False):
        made.submarines[card.key] = option.value
    places = Counter(option.text for option in chosen)
    text = ", ".join(f"{count} in {name}" for name, count in places.items())
    table.log_line("13.5.1", "Submarines: {}.", text, target=next(iter(made.submarines.values()), ""))


def roll_delay(table: T) -> Steps:
    """[13.5.5] Roll whether the force sails late; Nimitz may be briefed before."""
    state, figures = table.state, table.data.embarkation
    if NAVY not in state.talks.briefed:
        yield from _offer_last_briefing(table)
    result = table.roll_on_chart(figures.delay_chart, "result", "delay", delay_modifiers(table))
    state.orders.delayed = result.cell == "delayed"
    table.log_line("13.5.5", "The task force is {}.", result.cell, result, target="naval-plan")
    if state.orders.delayed:
        state.add_to_story("delayed")


def delay_modifiers(
    table: T, *, diligence: int | None = None, repairs: int | None = None, briefed: bool = False
) -> Modifiers:
    """[13.5.5, DR82] Return the modifiers of the delay; Doolittle in February's box cancels the modifications."""
    figures, notes = table.data.embarkation.delay, table.state.notes
    made = 0 if blotter.has_doolittle(table.state, "february") else len(notes.modifications)
    nimitz = briefed or NAVY in table.state.talks.briefed
    named = [
        ("diligence", figures.diligence * (notes.diligence if diligence is None else diligence)),
        ("repairs", figures.repair * (notes.repairs if repairs is None else repairs)),
        ("modifications", figures.modification * made),
        ("Nimitz briefed", figures.nimitz_briefed * nimitz),
    ]
    return nonzero_modifiers(named)


def delay_chance(table: T, *, diligence: int | None = None, repairs: int | None = None, briefed: bool = False) -> float:
    """[13.5.5] Return the chance that the force sails late."""
    modifiers = delay_modifiers(table, diligence=diligence, repairs=repairs, briefed=briefed)
    return float(table.data.embarkation.delay_chart.odds("result", modifiers).get("delayed", 0))


def _offer_last_briefing(table: T) -> Steps:
    """[13.5.5] Choose whether Nimitz is briefed before the force sails."""
    risk = table.data.embarkation.risk.marker
    late, briefed = delay_chance(table), delay_chance(table, briefed=True)
    options = [
        Option("wait", "Do not brief", False, OptionInfo("sails in time", 1 - late)),
        Option("brief", "Brief", True, OptionInfo(f"sails in time; risk +{risk}", 1 - briefed)),
    ]
    question = "Do you brief Nimitz before the force sails?"
    chosen = yield from table.choose(table.state.captain, "13.5.5", question, options)
    if chosen.value:
        brief(table, NAVY)


def compute_security(table: T) -> None:
    """[13.5.6, 6.1, DR86] Add up the secrecy value and the risk, and make a first test; then the force sails."""
    state = table.state
    state.security.value = max(table.data.security.track.value_min, blotter.secrecy_dice(state, table.data))
    table.log_line("13.5.6", "The secrecy value is {}.", state.security.value, target="secrecy")
    for name, value in blotter.fixed_risks(state, table.data):
        add_risk(table, value)
        table.log_line("13.5.6", "Risk, for {}: +{}.", name, value, target="secrecy")
    for category, modifiers in variable_risks(table).items():
        added = table.roll_on_chart(table.data.embarkation.risk_chart, category, category, modifiers)
        add_risk(table, int(added.cell))
        name = CATEGORIES[category]
        table.log_line("13.5.6", "Risk, for {}: +{}.", name, added.cell, added, target="secrecy")
    table.log_line("13.5.6", "The risk is {}.", state.security.risk, target="secrecy")
    secrecy_test(table, "embarkation", "the embarkation")
    state.sky.briefed = "stilwell" in state.talks.briefed
    incidents.apply_at_sailing(table)
    if not state.called_off:
        state.add_to_story("sailed", str(state.security.risk))


CATEGORIES = {
    "attack": "the attacks in China",
    "delayed": "the delay",
    "liberty": "the liberty",
    "telephone": "the telephone",
}


def variable_risks(table: T) -> dict[str, Modifiers]:
    """[13.5.6, DR87] Return the risks that are rolled for, each with its modifiers."""
    state, notes = table.state, table.state.notes
    figures = table.data.embarkation.variable
    risks: dict[str, Modifiers] = {}
    if state.sky.taken and "stilwell" in notes.calendar:
        chiang = table.data.planning.calendar.row["stilwell"].leader.lower() in state.talks.briefed
        risks["attack"] = [
            ("Chiang briefed", figures.chiang_briefed * chiang),
            ("no fuel lost", figures.fuel_kept * notes.fuel_kept),
        ]
    if state.plan is not None and state.plan.delayed:
        risks["delayed"] = [squadron_size_modifier(state, figures.delayed_bombers)]
    if notes.liberty:
        risks["liberty"] = liberty_modifiers(state, table.data, notes.site, fbi=blotter.FBI in notes.measures)
    if notes.doolittle == blotter.TELEPHONE:
        silent = not state.talks.briefed and not notes.squadron_briefed
        risks["telephone"] = [
            ("quarantine", figures.telephone_quarantine * (blotter.QUARANTINE in notes.measures)),
            ("no one was informed", figures.telephone_untold * silent),
        ]
    return {name: nonzero_modifiers(modifiers) for name, modifiers in risks.items()}
