"""What may be asked of the calculator: targets, guns, fumes, fuel and winds, searches, secrecy and landings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from readyroom.engine.rules.checks import nonzero_modifiers, signed
from readyroom.engine.rules.forms import FormField, OddsQuery, OddsResult, checkbox
from readyroom.games.doolittle.figures.attack import HazardMarker
from readyroom.games.doolittle.figures.common import Light
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.flight import CityCard, SiteCard
from readyroom.games.doolittle.presentation.questions_campaign import (
    WEATHER_NAMES,
    Inputs,
    Net,
    QueryParts,
    campaign_questions,
    dice_odds,
    field_number,
    is_checked,
    one_check,
)
from readyroom.games.doolittle.presentation.scene import LIGHTS
from readyroom.games.doolittle.rolls import HitCheck, RangeCheck

MOST_FUEL, MOST_DICE, MOST_TANKS = 10, 8, 4
SIDES = 6
GUIDED = {"no": "not guided", "low": "searchlights, low", "high": "searchlights, high"}


def questions(data: Data) -> Mapping[str, OddsQuery]:
    """Return the queries of `readyroom odds doolittle`."""
    queries: dict[str, QueryParts] = {
        "target": ("Attack on a target", _target_blanks(data), target),
        "gunnery": ("Gunners against an interceptor", _gunnery_blanks(data), gunnery),
        "fire": ("Flak, small arms and interceptors", _fire_blanks(data), fire),
        "fumes": ("Flying on fumes", _fumes_blanks(data), fumes),
        "guzzle": ("Guzzle check", _guzzle_blanks(data), guzzle),
        "wind": ("Wind and movement", _wind_blanks(data), wind),
        "search": ("Finding a city or landing site", _search_blanks(data), search),
        "secrecy": ("Secrecy test", _secrecy_blanks(data), secrecy),
        "landing": ("Landing", _landing_blanks(data), landing),
        **campaign_questions(data),
    }
    return {name: OddsQuery(title, blanks, partial(answer, data)) for name, (title, blanks, answer) in queries.items()}


# -- targets ---------------------------------------------------------------------------------------------------------


def _hazards(data: Data) -> dict[str, HazardMarker]:
    """[4.6.3] Return the markers that modify checks, each once, by a key that names the modifiers."""
    markers = (marker for cup in data.hazards.cups.values() for marker in cup.marker)
    hazards = {hazard_key(marker): marker for marker in markers if marker.approach or marker.detonation}
    return dict(sorted(hazards.items()))


def hazard_key(marker: HazardMarker) -> str:
    """Return the name of a marker's checkbox."""
    adds = (("a", marker.approach), ("d", marker.detonation))
    return "-".join([marker.kind, *(f"{letter}{abs(value)}" for letter, value in adds if value)])


def _marked(data: Data, marker: HazardMarker) -> str:
    """Describe a marker."""
    text = data.hazards.kinds.kind[marker.kind].title
    for what, value in (("approach", marker.approach), ("detonation", marker.detonation)):
        text += f", {what} {signed(value)}" if value else ""
    return text


def _rating(what: str) -> FormField:
    return FormField(f"{what} rating; empty: standard", whole=(-6, 6), group="Bomber")


def _rated(inputs: Inputs, what: str, standard: int) -> int:
    return int(inputs[what]) if inputs[what] else standard


def _target_blanks(data: Data) -> Mapping[str, FormField]:
    boxes = {key: f"{maps.title}: {box.name}" for maps in data.targets.maps.values() for key, box in maps.boxes.items()}
    doors = {marker.detonation for cup in data.flight_hazards.cups.values() for marker in cup.marker}
    return {
        "box": FormField("Target", next(iter(boxes)), boxes),
        "light": FormField("Light", "day", LIGHTS),
        "dark": checkbox("Lights out"),
        "burning": checkbox("Target on fire"),
        "navigation": _rating("Navigation"),
        "bombing": _rating("Bombing"),
        "navigator": checkbox("Elite navigator, or pilot who navigates", "Bomber"),
        "bombardier": checkbox("Elite bombardier", "Bomber"),
        "damaged": checkbox("Damaged", "Bomber"),
        "doors": checkbox(f"Faulty doors, {signed(min(doors))}", "Bomber"),
        **{key: checkbox(_marked(data, marker), "Hazards") for key, marker in _hazards(data).items()},
    }


def target(data: Data, inputs: Inputs) -> OddsResult:
    """[4.8.1, 4.9.3] Return the chances that a bomber reaches a target and that it then hits."""
    light: Light = inputs["light"]  # type: ignore[assignment]
    key = inputs["box"]
    box = next(maps.boxes[key] for maps in data.targets.maps.values() if key in maps.boxes)
    figures, standard, benefits = data.attack.approach, data.bombers.standard, data.bombers.benefits
    hazards = [marker for key, marker in _hazards(data).items() if is_checked(inputs, key)]
    there: Net = [
        ("navigation", _rated(inputs, "navigation", standard.navigation[light])),
        ("elite navigator", benefits["navigation"].bonus if is_checked(inputs, "navigator") else 0),
        ("fires", figures.burning if is_checked(inputs, "burning") else 0),
        *((_marked(data, one), one.approach) for one in hazards),
    ]
    doors = min(marker.detonation for cup in data.flight_hazards.cups.values() for marker in cup.marker)
    onto: Net = [
        ("bombing", _rated(inputs, "bombing", standard.bombing)),
        ("elite bombardier", benefits["release"].bonus if is_checked(inputs, "bombardier") else 0),
        ("damage", data.attack.detonation.damaged if is_checked(inputs, "damaged") else 0),
        ("faulty doors", doors if is_checked(inputs, "doors") else 0),
        *((_marked(data, one), one.detonation) for one in hazards),
    ]
    dark = is_checked(inputs, "dark") and light == "night"
    dice, keep = (figures.dark_dice, figures.dark_keep) if dark else (figures.dice, figures.dice)
    title = f"{box.name} {LIGHTS[light]}: {box.approach(light)} to approach, {box.blast(light)} to hit"
    run = one_check(title, "4.8", there, "gets there", partial(dice_odds, dice, box.approach(light), keep=keep))
    strikes = partial(dice_odds, data.attack.detonation.dice, box.blast(light))
    hit = one_check("Then it hits", "4.9.3", onto, "hit", strikes)
    one, two = run.rows[0][1], hit.rows[0][1]
    rows = [("gets to the target", one), ("hits once there", two), ("both", one * two)]
    blast = one * (two * data.attack.detonation.box_blast)
    return replace(run, rows=rows, expected=[("blast at the target", blast)], parts=[hit])


# -- guns ------------------------------------------------------------------------------------------------------------


def _gunnery_blanks(data: Data) -> Mapping[str, FormField]:
    standard = str(data.bombers.standard.gunnery)
    return {
        "dice": FormField("Dice of gunnery", standard, whole=(0, MOST_DICE)),
        "fighters": FormField("Interceptors, one turn after the other", "1", whole=(1, 4)),
    }


def gunnery(data: Data, inputs: Inputs) -> OddsResult:
    """[4.5.1] Return the chance that a bomber's guns drive off a fighter."""
    dice, fighters = field_number(inputs, "dice"), field_number(inputs, "fighters")
    chance = HitCheck("4.5.1", "gunnery", dice, face=data.attack.gunnery.hit).odds() if dice else Fraction(0)
    rows = [("drives it off", chance)]
    if fighters > 1:
        rows += [(f"drives all {fighters} off", chance**fighters), ("none of them", (1 - chance) ** fighters)]
    return OddsResult(f"{dice} dice, one {data.attack.gunnery.hit}", "4.5.1", rows)


def _fires(data: Data) -> dict[str, HazardMarker]:
    """[4.6.3] Return the guns and fighters with a range, each once."""
    fires = {
        f"{marker.kind}-{marker.low}-{marker.high}": marker
        for cup in data.hazards.cups.values()
        for marker in cup.marker
        if marker.high
    }
    return dict(sorted(fires.items()))


def _fire_blanks(data: Data) -> Mapping[str, FormField]:
    kinds = data.hazards.kinds.kind
    ranges = {key: f"{kinds[one.kind].title} {one.low}-{one.high}" for key, one in _fires(data).items()}
    return {
        "what": FormField("Weapon", next(iter(ranges)), ranges),
        "guided": FormField("Optional rule", "no", GUIDED),
        "times": FormField("Number", "1", whole=(1, 6)),
    }


def fire(data: Data, inputs: Inputs) -> OddsResult:
    """[4.6.3.F, 4.6.3.H, 4.6.3.M, 15.4] Return the chance of rolling a range, and of what a fighter does otherwise."""
    marker, times = _fires(data)[inputs["what"]], field_number(inputs, "times")
    kind, figures = data.hazards.kinds.kind[marker.kind], data.attack
    guided = {"no": 0, "low": figures.coordinated.low_dice, "high": figures.coordinated.high_dice}[inputs["guided"]]
    pick = figures.coordinated.keep if guided else 0
    dice = guided or figures.fire.dice
    check = RangeCheck(kind.rule, kind.title, dice=dice, at_least=marker.low, highest=marker.high, pick=pick)
    chance = check.odds()
    rows = [("hits", chance)]
    if kind.effect == "interceptor":
        reaches = dice_odds(figures.fire.dice, marker.low)
        rows += [("stays attached", 1 - reaches), ("breaks off", reaches - chance)]
    if times > 1:
        rows += [(f"at least one of {times} hits", 1 - (1 - chance) ** times)]
        rows += [("two or more hit", 1 - (1 - chance) ** times - times * chance * (1 - chance) ** (times - 1))]
    return OddsResult(f"{kind.title} {marker.low}–{marker.high}: {check.arithmetic()}", kind.rule, rows)


# -- fuel ------------------------------------------------------------------------------------------------------------


def _fumes_blanks(data: Data) -> Mapping[str, FormField]:
    columns = {column: column for column in data.flying.fumes_chart.columns}
    return {
        "column": FormField("Height and weather", next(iter(columns)), columns),
        "tanks": FormField("Dry tanks (leaks, evaporation, earlier fumes)", "0", whole=(0, MOST_TANKS)),
        "bombers": FormField("Bombers to check", "1", whole=(1, 4)),
    }


def fumes(data: Data, inputs: Inputs) -> OddsResult:
    """[7.2.4] Return the results of a fumes check: two dice and one for each dry tank, of which the lowest count."""
    figures, chart = data.flying.fumes, data.flying.fumes_chart
    dice, bombers = figures.dice + field_number(inputs, "tanks"), field_number(inputs, "bombers")
    chances: dict[str, Fraction] = {}
    reaches = partial(dice_odds, dice, keep=figures.keep)
    for total in range(figures.keep, SIDES * figures.keep + 1):
        cell = chart.cell(total, inputs["column"])
        chances[cell] = chances.get(cell, Fraction(0)) + reaches(total) - reaches(total + 1)
    rows = list(chances.items())
    stays = 1 - chances.get("ditch", Fraction(0))
    if bombers > 1:
        rows.append((f"all {bombers} stay up", stays**bombers))
    expected = [("bombers lost", bombers * (1 - stays))]
    title = f"{dice} dice, the {figures.keep} lowest count, {inputs['column']}"
    return OddsResult(title, "7.2.4", rows, expected=expected)


def _guzzle_blanks(data: Data) -> Mapping[str, FormField]:
    standard = data.bombers.standard
    return {
        "number": FormField("Guzzle number", str(standard.guzzle), whole=(2, 12)),
        "fuel": FormField("Fuel of the flight", str(standard.fuel), whole=(0, MOST_FUEL)),
        "loaded": FormField("Bombs", "yes", {"yes": "aboard", "no": "gone"}),
    }


def _guzzle_net(data: Data, fuel: int, *, loaded: bool) -> Net:
    """[8.2.4, DR33, DR34] Return the modifiers of a guzzle check."""
    figures = data.flying.guzzle
    markers = -(-fuel // data.flying.fuel.marker)
    return [(f"{fuel} fuel", figures.marker * markers), ("bombs aboard", figures.loaded if loaded else 0)]


def guzzle(data: Data, inputs: Inputs) -> OddsResult:
    """[8.2.4] Return the chance of a guzzle check, and the same for less fuel."""
    least, fuel, loaded = field_number(inputs, "number"), field_number(inputs, "fuel"), is_checked(inputs, "loaded")
    title = f"Guzzle number {least}, {fuel} fuel, bombs {'aboard' if loaded else 'gone'}"
    guzzles = partial(dice_odds, data.flying.guzzle.dice, least)
    result = one_check(title, "8.2.4", _guzzle_net(data, fuel, loaded=loaded), "passes", guzzles)
    rows = []
    for less in range(fuel - 1, -1, -1):
        added = sum(value for _, value in _guzzle_net(data, less, loaded=loaded))
        rows.append((f"with {less} fuel", guzzles(added)))
    return replace(result, rows=[*result.rows, *rows])


def _wind_blanks(data: Data) -> Mapping[str, FormField]:
    winds: dict[str, str] = {key: effect.title for key, effect in data.flying.effects.wind.items()}
    return {"wind": FormField("Wind", "crosswind", winds), **_guzzle_blanks(data)}


def wind(data: Data, inputs: Inputs) -> OddsResult:
    """[8.2.1] Return the chance that a flight moves with a wind, and what that costs."""
    effect = data.flying.effects.wind[inputs["wind"]]  # type: ignore[index]
    least, fuel, loaded = field_number(inputs, "number"), field_number(inputs, "fuel"), is_checked(inputs, "loaded")
    spent = effect.before if effect.may else 0
    net = nonzero_modifiers(_guzzle_net(data, max(0, fuel - spent), loaded=loaded))
    added = sum(value for _, value in net)
    passes = dice_odds(data.flying.guzzle.dice, least, added) if effect.guzzle else Fraction(1)
    moves = (passes if effect.needs_pass else Fraction(1)) if effect.may else Fraction(0)
    cost = spent + passes * effect.pass_cost + (1 - passes) * effect.fail_cost
    rows = [("passes the guzzle check", passes)] if effect.guzzle else []
    rows.append(("may move or search", moves))
    note = "" if effect.may else "no flight can move in this wind"
    title = f"A {effect.title} with {fuel} fuel"
    lines = net if effect.guzzle else None
    return OddsResult(title, "8.2.1", rows, note=note, net=lines, expected=[("fuel paid", cost)])


# -- finding, hiding, landing ----------------------------------------------------------------------------------------


def _goals(data: Data) -> list[CityCard | SiteCard]:
    """[5.4, 5.5] Return the cities and the landing sites."""
    return [*data.flight.cities.city, *data.flight.sites.site]


def _search_blanks(data: Data) -> Mapping[str, FormField]:
    goals = {card.key: card.name for card in _goals(data)}
    beacons = {"no": "none", **{str(value): str(value) for value in sorted(set(data.flight.beacons.values))}}
    return {
        "goal": FormField("Target", next(iter(goals)), goals),
        "light": FormField("Light", "day", LIGHTS),
        "dark": checkbox("Lights out"),
        "blast": checkbox("Target on fire"),
        "beacon": FormField("Beacon number", "no", beacons),
        "navigation": _rating("Navigation"),
        "navigators": FormField("Elite navigators in the flight", "0", whole=(0, 4)),
        "submarines": FormField("Submarines in contact", "0", whole=(0, 2)),
        "persistent": checkbox("Second, persistent attempt"),
        "again": FormField("Re-rolls from contact markers and height", "0", whole=(0, 2)),
    }


def search(data: Data, inputs: Inputs) -> OddsResult:
    """[8.1.4] Return the chance that a flight finds a city or a landing site."""
    light: Light = inputs["light"]  # type: ignore[assignment]
    figures = data.flying.acquisition
    card = {one.key: one for one in _goals(data)}[inputs["goal"]]
    least = card.acquisition(light) if inputs["beacon"] == "no" else int(inputs["beacon"])
    bonus = data.bombers.benefits["navigation"].bonus
    net = [
        ("navigation", _rated(inputs, "navigation", data.bombers.standard.navigation[light])),
        ("elite navigators", bonus * field_number(inputs, "navigators")),
        ("blast", figures.blast if is_checked(inputs, "blast") else 0),
        ("submarines", figures.submarine * field_number(inputs, "submarines")),
        ("persisting", figures.persistent if is_checked(inputs, "persistent") else 0),
    ]
    dark = is_checked(inputs, "dark") and light == "night"
    dice, keep = (figures.dark_dice, figures.dark_keep) if dark else (figures.dice, figures.dice)
    finds = partial(dice_odds, dice, least, keep=keep)
    result = one_check(f"{card.name} {LIGHTS[light]}: {least} to find it", "8.1.4", net, "finds it", finds)
    chance, again = result.rows[0][1], field_number(inputs, "again")
    rows = [(f"with {again} re-roll{'s' * (again > 1)}", 1 - (1 - chance) ** (again + 1))] if again else []
    return replace(result, rows=[*result.rows, *rows])


def _secrecy_blanks(data: Data) -> Mapping[str, FormField]:
    track = data.security.track
    return {
        "value": FormField("Secrecy value", str(track.value), whole=(track.value_min, track.value_max)),
        "risk": FormField("Security risk", "14", whole=(track.risk_min, track.risk_max)),
        "tests": FormField("Consecutive tests", "1", whole=(1, 8)),
    }


def secrecy(data: Data, inputs: Inputs) -> OddsResult:
    """[6.3.1] Return the chances of secrecy tests; each makes the next one harder, passed or failed."""
    value, risk, tests = (field_number(inputs, name) for name in ("value", "risk", "tests"))
    levels = [risk + at * data.security.test.risk for at in range(tests)]
    chances = [dice_odds(value, least) for least in levels]
    rows = [("passed", chances[0])]
    rows += [(f"test {at}, at risk {risk + at - 1}", one) for at, one in enumerate(chances, 1)][1:]
    failed = sum((1 - one for one in chances), Fraction(0))
    return OddsResult(f"{value} dice against a risk of {risk}", "6.3.1", rows, expected=[("failed tests", failed)])


def _landing_blanks(data: Data) -> Mapping[str, FormField]:
    sites = {site.key: site.name for site in data.flight.sites.site}
    return {
        "site": FormField("Landing site", next(iter(sites)), sites),
        "light": FormField("Light when found", "day", LIGHTS),
        "weather": FormField("Weather when found", "calm", WEATHER_NAMES),
        "pilot": checkbox("Elite pilot", "Bomber"),
        "damaged": checkbox("Damaged", "Bomber"),
        "mechanical": FormField("Mechanical problems", "0", whole=(-6, 0), group="Bomber"),
        "deicers": checkbox("De-icers", "Bomber"),
    }


def landing(data: Data, inputs: Inputs) -> OddsResult:
    """[14.1.1, 14.1.2] Return the chance of a landing check, and the results of a poor landing."""
    figures, site = data.denouement.landing, data.flight.site[inputs["site"]]
    pilot = is_checked(inputs, "pilot")
    ice = inputs["site"] == figures.iced_site and not is_checked(inputs, "deicers")
    net = [
        ("night", figures.night if inputs["light"] == "night" else 0),
        (inputs["weather"], figures.weather.get(inputs["weather"], 0)),  # type: ignore[call-overload]
        ("elite pilot", figures.elite_pilot if pilot else 0),
        ("mechanical problems", field_number(inputs, "mechanical")),
        ("ice", figures.iced if ice else 0),
    ]
    lands = partial(dice_odds, figures.dice, site.landing)
    result = one_check(f"{site.name}: {site.landing} to land", "14.1", net, "well", lands)
    good = result.rows[0][1]
    column = ("damaged" if is_checked(inputs, "damaged") else "undamaged") + (", elite" if pilot else "")
    poor = data.denouement.poor_landing.odds(column)
    rows = [("lands well", good), *((f"poor: {cell}", (1 - good) * chance) for cell, chance in poor.items())]
    return replace(result, rows=rows)
