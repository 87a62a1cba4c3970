"""Queries of the odds calculator: guns, strikes, repairs, maneuvers, attacks, sinking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.checks import Check, Modifiers, nonzero_modifiers, signed
from readyroom.engine.rules.forms import FormField, ModifierEffect, OddsQuery, OddsResult, checkbox
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.picket.combat.odds import fire_odds, strike_odds
from readyroom.games.picket.figures.common import HEIGHTS, KINDS, Kind
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.rolls import number_to_reach

Inputs = Mapping[str, str]
VALUE = -2, 2
"""[1.4] The range of the value chits."""
WHAT = {
    "undamaged": "a plane, undamaged",
    "damaged": "a plane, damaged",
    "flamed": "a plane, flamed",
    "bomb": "a bomb",
    "torpedo": "a torpedo",
    "ohka": "an Ohka",
}
"""[7.1, 7.2] Attackers of the ship."""
RADAR = {"whole": "both work", "damaged": "one or both damaged", "destroyed": "one or both destroyed"}
CAUSES = {
    "hull": "hull at zero",
    "keel": "keel broken",
    "maneuver": "maneuver at zero",
    "flood": "full of water",
}
"""[7.3.Q, 7.4.M] Causes of sinking."""
MOST_GUNS = 17
NOTHING = "none"


def questions(data: Data) -> Mapping[str, OddsQuery]:
    """Return the queries that `readyroom odds picket` answers."""
    forms: dict[str, tuple[str, Mapping[str, FormField], Callable[[Data, Inputs], OddsResult]]] = {
        "gun": ("Guns against a plane", _gun_fields(), gun),
        "strike": ("A plane strikes the ship", _strike_fields(), strike),
        "repair": ("Repairing a compartment", _repair_fields(), repair),
        "maneuvers": ("Emergency maneuvers", _maneuver_fields(), maneuvers),
        "attack": ("Chance of an attack", _attack_fields(data), attack),
        "sinks": ("Chance of sinking", _sink_fields(), sinks),
    }
    return {name: OddsQuery(title, fields, partial(answer, data)) for name, (title, fields, answer) in forms.items()}


def _number(inputs: Inputs, name: str) -> int:
    return int(inputs[name] or 0)


def _effects(net: Modifiers, expected: Callable[[int], Fraction], what: str) -> list[ModifierEffect]:
    """Return the effect of each modifier on the expected value."""
    total = sum(value for _, value in net)
    changes = {value: expected(total) - expected(total - value) for _, value in net}
    return [ModifierEffect(name, value, True, [(what, changes[value])]) for name, value in net]


def _gun_fields() -> Mapping[str, FormField]:
    return {
        "kind": FormField("Gun", "5-inch", {kind: kind for kind in KINDS}, group="The guns"),
        "guns": FormField("Guns firing", "1", whole=(1, MOST_GUNS), group="The guns"),
        "director": checkbox("Slaved to a working director", "The guns"),
        "gunnery": FormField("Gunnery officer", "0", whole=VALUE, group="The guns"),
        "magazine": checkbox("Magazine hit", "The guns"),
        "ace": checkbox("Ace crew", "The guns"),
        "fit": FormField("Fit of guns", "0", whole=VALUE, group="The guns"),
        "height": FormField("Height", "M", {str(key): name for key, name in HEIGHTS.items()}, group="The plane"),
        "hits": FormField("Existing hits", "0", whole=(0, 2), group="The plane"),
        "wood": checkbox("Wooden trainer (optional rule)", "The plane"),
        "morale": FormField("Morale (optional rule)", "0", whole=VALUE, group="Optional"),
    }


def _gun_lines(data: Data, inputs: Inputs) -> Modifiers:
    """[6.8, 11] Return the modifiers of gunfire."""
    kind: Kind = inputs["kind"]  # type: ignore[assignment]
    fire, height = data.duty.fire, inputs["height"]
    directed, wood = inputs["director"] == "yes", inputs["wood"] == "yes" and kind != "20mm"
    return nonzero_modifiers(
        [
            ("director", data.guns.fire.director[kind] if directed and not wood else 0),
            ("a wooden plane", fire.willow if wood and kind == "5-inch" and not directed else 0),
            ("gunnery officer", _number(inputs, "gunnery")),
            (f"height {HEIGHTS[height]}", data.guns.fire.height[kind][height]),  # type: ignore[index]
            ("magazine hit", fire.magazine if inputs["magazine"] == "yes" else 0),
            ("fit", 0 if wood else _number(inputs, "fit")),
            ("ace crew", fire.ace if inputs["ace"] == "yes" and not wood else 0),
            ("morale", _number(inputs, "morale")),
        ]
    )


def gun(data: Data, inputs: Inputs) -> OddsResult:
    """[6.8.N] Return one gun's odds, and the fate of a plane under fire from several."""
    kind: Kind = inputs["kind"]  # type: ignore[assignment]
    net, guns, hits = _gun_lines(data, inputs), _number(inputs, "guns"), _number(inputs, "hits")
    odds = fire_odds(data, kind, sum(value for _, value in net))
    fates = after(odds, guns, hits, data.duty.planes.hits_to_flame)

    def shot_down(added: int) -> Fraction:
        fates = after(fire_odds(data, kind, added), guns, hits, data.duty.planes.hits_to_flame)
        return fates["flamed"] + fates["destroyed"]

    one = OddsResult("One gun's roll", "6.8", list(odds.items()))
    rows = [*fates.items(), ("flamed or destroyed", fates["flamed"] + fates["destroyed"])]
    title = f"{count_noun(guns, f'{kind} gun')} at a plane, {HEIGHTS[inputs['height']]}"  # type: ignore[index]
    note = "no gun fires at a plane that is down; a plane with two hits strikes as a damaged one"
    effects = _effects(net, shot_down, "shot down")
    return OddsResult(title, "6.8", rows, note=note, net=net, effects=effects, parts=[one])


def after(odds: Mapping[str, Fraction], guns: int, hits: int, most: int) -> dict[str, Fraction]:
    """[6.8.K] Return the odds of a plane's state after several rolls."""
    states = [Fraction(held == hits) for held in range(most)]
    flamed = destroyed = Fraction(0)
    for _ in range(guns):
        flamed += sum(states) * odds["flamed"] + states[-1] * odds["hit"]
        destroyed += sum(states) * odds["destroyed"]
        before = [Fraction(0), *states[:-1]]
        states = [held * odds["miss"] + less * odds["hit"] for held, less in zip(states, before, strict=True)]
    whole = sum(states[:-1], Fraction(0))
    return {"undamaged": whole, "damaged": states[-1], "flamed": flamed, "destroyed": destroyed}


def _strike_fields() -> Mapping[str, FormField]:
    return {
        "what": FormField("Attacker", "undamaged", WHAT),
        "evaded": checkbox("Emergency maneuvers succeeded"),
    }


def strike(data: Data, inputs: Inputs) -> OddsResult:
    """[7.1, 7.2] Return the odds of a plane's dive, or of a special attacker's weapon."""
    what = inputs["what"]
    net = nonzero_modifiers([("emergency maneuvers", data.duty.maneuvers.strike if inputs["evaded"] == "yes" else 0)])
    added = sum(value for _, value in net)
    if what in ("undamaged", "damaged", "flamed"):

        def hits(extra: int) -> Fraction:
            return strike_odds(data, what, extra)["hit"]

        rows = list(strike_odds(data, what, added).items())
        title = f"{capitalize_first(WHAT[what])}, dives on the ship"
        return OddsResult(title, "7.1", rows, net=net, effects=_effects(net, hits, "struck"))
    chart = data.tables.special(what)  # type: ignore[arg-type]
    odds = chart.odds(chart.columns[0], net)
    unit = "compartment torn open" if what == "torpedo" else "roll for damage"
    rows = [(cell if not cell.isdecimal() else f"{cell} × {unit}", chance) for cell, chance in odds.items()]
    hull = sum((int(cell) * chance for cell, chance in chart.odds("hull", net).items()), Fraction(0))
    title = f"{capitalize_first(WHAT[what])} of a special attacker"
    return OddsResult(title, "7.2", rows, net=net, expected=[("hull lost", hull)])


def _repair_fields() -> Mapping[str, FormField]:
    who, where = "Repair crew", "The ship"
    return {
        "hits": FormField("Hit markers", "1", whole=(1, 3)),
        "men": FormField("Men of the repair party", "3", whole=(0, 3), group=who),
        "chief": FormField("Repair chief", "0", whole=VALUE, group=who),
        "control": FormField("Damage control officer, if in the section", "0", whole=VALUE, group=who),
        "officer": FormField("Executive or engineering officer, or both", "0", whole=(-4, 4), group=who),
        "morale": FormField("Morale", "0", whole=VALUE, group=where),
        "held": checkbox("The men stayed from the previous phase", where),
        "shop": checkbox("The related shop is intact", where),
        "hands": checkbox("All hands at damage control", where),
    }


def repair(data: Data, inputs: Inputs) -> OddsResult:
    """[7.8.2] Return the odds of a repair attempt at a compartment."""
    figures, hits = data.repair.primary, _number(inputs, "hits")
    names = {"men": "men", "chief": "chief", "control": "damage control officer", "officer": "officers"}
    value = [
        ("the compartment itself", figures.inherent),
        *((name, _number(inputs, key)) for key, name in names.items()),
        (count_noun(hits, "hit marker"), -figures.penalty[str(hits)]),
    ]
    column = sum(number for _, number in value)
    morale = _number(inputs, "morale")
    net = nonzero_modifiers(
        [
            ("morale", figures.morale if morale > 0 else -figures.morale if morale < 0 else 0),
            ("continued work", figures.held if inputs["held"] == "yes" else 0),
            ("the shop", figures.shop if inputs["shop"] == "yes" else 0),
            ("all hands", figures.all_hands if inputs["hands"] == "yes" else 0),
        ]
    )
    least = number_to_reach(data.tables.control, column)

    def odds(added: int) -> Fraction:
        return Check("7.8.2", "damage control", dice=2, at_least=least - added).odds()

    chance = odds(sum(number for _, number in net))
    removed = [min(hits, number) for number in figures.removes.values()]
    repaired = chance * Fraction(sum(number >= hits for number in removed), len(removed))
    rows = [("the attempt succeeds", chance), ("everything is repaired", repaired)]
    parts = ", ".join(f"{name} {signed(number)}" for name, number in value if number)
    note = f"column {signed(column)} ({parts}): needs {least} or more"
    mean = chance * Fraction(sum(removed), len(removed))
    title, expected = f"{count_noun(hits, 'hit marker')} in a compartment", [("hit markers removed", mean)]
    effects = _effects(net, odds, "succeeds")
    return OddsResult(title, "7.8.2", rows, note=note, net=net, expected=expected, effects=effects)


def _maneuver_fields() -> Mapping[str, FormField]:
    return {
        "captain": FormField("Captain", "0", whole=VALUE),
        "engineer": FormField("Engineering officer", "0", whole=VALUE),
        "dead": checkbox("Both officers are killed"),
        "bridge": checkbox("The bridge is hit"),
        "rooms": FormField("Engine and fire rooms that are hit", "0", whole=(0, 4)),
    }


def maneuvers(data: Data, inputs: Inputs) -> OddsResult:
    """[6.10.D] Return the odds of emergency maneuvers, and their effect on an undamaged plane."""
    figures, captain = data.duty.maneuvers, _number(inputs, "captain")
    leaders = (captain if inputs["bridge"] == "no" else min(0, captain)) + _number(inputs, "engineer")
    column = figures.leaderless if inputs["dead"] == "yes" else leaders
    net = nonzero_modifiers([("engine and fire rooms hit", figures.room * _number(inputs, "rooms"))])
    least = number_to_reach(data.tables.maneuvers, column)

    def odds(added: int) -> Fraction:
        return Check("6.10", "emergency maneuvers", dice=2, at_least=least - added).odds()

    chance = odds(sum(value for _, value in net))
    before, evaded = (strike_odds(data, "undamaged", added)["hit"] for added in (0, figures.strike))
    rows = [
        ("they succeed", chance),
        ("an undamaged plane strikes, without the attempt", before),
        ("an undamaged plane strikes, with the attempt", chance * evaded + (1 - chance) * before),
    ]
    note = f"column {signed(column)}: needs {least} or more; costs a box of fuel either way"
    return OddsResult("Emergency maneuvers", "6.10", rows, note=note, net=net, effects=_effects(net, odds, "succeed"))


def _attack_fields(data: Data) -> Mapping[str, FormField]:
    numbers = {key: f"station {key}" for key in data.duty.dice.stations}
    air = {
        NOTHING: "no planes",
        **{str(value): f"planes with a total value of {signed(value)}" for value in range(-4, 5)},
    }
    return {
        "team": checkbox("A fighter direction team is on board, and the CIC is intact", "The column"),
        "surface": FormField("Gunboats", "1", whole=(0, 3), group="The column"),
        "air": FormField("Air support", "0", air, group="The column"),
        "land": FormField("Land radar stations", "0", whole=(0, 4), group="The column"),
        "radar": FormField("Ship's radars", "whole", RADAR, group="The column"),
        "station": FormField("Station", next(iter(numbers)), numbers, group="The dice"),
        "rain": checkbox("Rain, and the Japanese may still attack", "The dice"),
        "lost": FormField("Bridge, CIC and radio room: how many destroyed", "0", whole=(0, 3), group="The dice"),
        "night": checkbox("Night", "When"),
    }


def _shifts(data: Data, inputs: Inputs) -> Modifiers:
    """[5.1, 6.5] Return the column shifts."""
    figures, surface = data.duty.shifts, _number(inputs, "surface")
    radar = {"whole": data.duty.ship_radar.whole, "damaged": data.duty.ship_radar.damaged}
    return nonzero_modifiers(
        [
            ("direction team", figures.team if inputs["team"] == "yes" else figures.no_team),
            ("surface support", figures.surface * surface if surface else figures.no_surface),
            ("air support", figures.no_air if inputs["air"] == NOTHING else int(inputs["air"])),
            ("land radar", figures.land_radar[_number(inputs, "land")]),
            ("ship's radar", radar.get(inputs["radar"], data.duty.ship_radar.destroyed)),
        ]
    )


def attack(data: Data, inputs: Inputs) -> OddsResult:
    """[6.6] Return the odds of the attack table; at night few attacks come, with half the planes."""
    shifts, dice = _shifts(data, inputs), data.duty.dice
    column = min(max(sum(value for _, value in shifts), data.duty.shifts.least), data.duty.shifts.most)
    net = nonzero_modifiers(
        [
            (f"station {inputs['station']}", dice.stations[inputs["station"]]),
            ("rain", dice.rain if inputs["rain"] == "yes" else 0),
            ("rooms lost", dice.command * _number(inputs, "lost")),
        ]
    )
    weather = data.duty.weather
    comes = Check("6.2", "rain", at_least=weather.rain_attack).odds() if inputs["rain"] == "yes" else Fraction(1)
    comes *= Check("6.6.M", "night", at_least=weather.night_attack).odds() if inputs["night"] == "yes" else 1
    odds = {cell: chance * comes for cell, chance in data.tables.attack.odds(str(column), net).items()}
    some = {cell: chance for cell, chance in odds.items() if cell != "none"}
    rows = [
        ("a random attack" if cell == "random" else f"table {cell}", chance) for cell, chance in sorted(some.items())
    ]
    total = sum(some.values(), Fraction(0))
    rows += [("any attack", total), ("no attack", 1 - total)]
    night = inputs["night"] == "yes"
    planes = sum((chance * planes_of(data, cell, night) for cell, chance in some.items()), Fraction(0))
    parts = ", ".join(f"{name} {signed(value)}" for name, value in shifts)
    note = f"column {signed(column)} ({parts or 'no shifts'})"
    return OddsResult("An attack in a phase", "6.6", rows, note=note, net=net, expected=[("planes", planes)])


def planes_of(data: Data, cell: str, night: bool) -> Fraction:
    """[6.6.E, 6.6.M, 6.6.D] Return the expected planes of a result; half at night; one for a random attack."""
    if cell == "random":
        odds = data.tables.random_attack.odds(data.tables.random_attack.columns[0])
        return 1 - odds.get("event", Fraction(0))
    chart = data.tables.letter(cell)
    counted = {text: len(text.split()) // (2 if night else 1) for _, _, text in chart.cells()}
    return sum((counted[text] * chance for text, chance in chart.odds(chart.columns[0]).items()), Fraction(0))


def _sink_fields() -> Mapping[str, FormField]:
    return {
        "cause": FormField("Cause", "hull", CAUSES),
        "hull": FormField("Hull at the end of the phase; empty if it is zero already", whole=(1, 10)),
        "planes": FormField("Planes that struck in this phase", "1", whole=(1, 9)),
    }


def sinks(data: Data, inputs: Inputs) -> OddsResult:
    """[7.3.Q] Return the odds that the ship sinks, or first that the hull falls to zero."""
    chart, cause = data.tables.sinks, inputs["cause"]
    odds = chart.odds(cause).get("sinks", Fraction(0))
    if not inputs["hull"]:
        return OddsResult(f"The ship, {CAUSES[cause]}", "7.3.Q", [("sinks", odds), ("stays afloat", 1 - odds)])
    if cause != "hull":
        raise InvalidQuery("A hull value can be combined only with the cause hull.")
    hull, columns = int(inputs["hull"]), data.tables.hull.columns
    column = columns[min(int(inputs["planes"]), len(columns)) - 1]
    lost = data.tables.hull.odds(column)
    gone = sum((chance for cell, chance in lost.items() if int(cell) >= hull), Fraction(0))
    mean = sum((int(cell) * chance for cell, chance in lost.items()), Fraction(0))
    rows = [("the hull falls to zero", gone), ("she sinks", gone * odds)]
    return OddsResult(f"A hull of {hull} after {column}", "7.3.Q", rows, expected=[("hull lost", mean)])
