"""The modifiers and dice that the printed cards list next to their tables: planning, voyage, airstrike, ways home."""

from __future__ import annotations

from readyroom.engine.rules.charts import Chart
from readyroom.games.doolittle.charts.attack_modifiers import modifiers
from readyroom.games.doolittle.figures.common import WEATHERS
from readyroom.games.doolittle.figures.data import Data

Rows = dict[str, int | str]


def planning_cards(data: Data) -> list[Chart]:
    """[13.2 to 13.5] Return what the blotter prints next to its tables."""
    return [_navy(data), _event(data), _weight(data), *_april(data), _risk(data), _variable(data)]


def _navy(data: Data) -> Chart:
    """[13.2.5] Return the submarines that the Navy gives."""
    joint = data.planning.joint
    rows = [
        ("agreed, with the Enterprise", [str(joint.granted_even), str(joint.granted_odd)]),
        ("refused or never asked", [str(joint.denied_even), str(joint.denied_odd)]),
    ]
    return joint.as_chart("P1-navy", "Submarines", "13.2.5", ["even", "odd"], rows)


def _event(data: Data) -> Chart:
    events = data.planning.events
    rows: Rows = {
        f"{events.extensive_sites} beacons or more": events.extensive,
        "storm": f"the site loses the fuel of {events.storm_fuel_dice} die",
        "attack": "the site loses beacon, fuel and groundcrew, and is closed",
        f"alert {events.alert} at sea": "one more check",
    }
    return modifiers("P3-modifiers", "Event in China: modifiers", "13.2.4", events, rows)


def _weight(data: Data) -> Chart:
    figures = data.modifications
    rows = [(label, [str(value)]) for label, value in figures.guzzle.rows.items()]
    rows.append(("heavy", [f"from weight {figures.factory.heavy_from}"]))
    return figures.guzzle.as_chart("P-weight", "Weight and guzzle number", "13.3.2", ["guzzle number"], rows)


def _april(data: Data) -> list[Chart]:
    """[13.4.9, 13.5.2, 13.5.3, 13.5.5] Return short take-off, transit, crane and delay."""
    deck, figures = data.training.short_take_off, data.embarkation
    transit: Rows = {"Doolittle in April's box": figures.transit.doolittle}
    transit |= {data.training.sites.site[key].title: value for key, value in figures.transit.site.items()}
    transit["each extra training"] = figures.transit.extra
    take_off: Rows = {
        f"{deck.dice} dice": f"{deck.cost} training point",
        "a heavy bomber": deck.heavy,
        f"{deck.adjust_dice} die more spaces": f"{deck.adjust_cost} training point",
        "extra training": f"{deck.extra} space",
        "d": "a bomber is damaged (wrecked without armor)",
        "c": "a bomber is wrecked",
    }
    delay = figures.delay
    late: Rows = {
        "each point of diligence": delay.diligence,
        "each repair": delay.repair,
        "each modification, unless Doolittle is in February's box": delay.modification,
        "Nimitz briefed": delay.nimitz_briefed,
    }
    crane: Rows = {"diligence, as chosen": f"0 to +{figures.crane.diligence_most}"}
    return [
        modifiers("P-take-off-dice", "Short take-off: dice", "13.4.9", deck, take_off),
        modifiers("P4-modifiers", "Transit hazards: modifiers", "13.5.2", figures.transit, transit),
        modifiers("P4-crane-modifiers", "Crane: modifiers", "13.5.3", figures.crane, crane),
        modifiers("P4-delay-modifiers", "Delay: modifiers", "13.5.5", delay, late),
    ]


def _risk(data: Data) -> Chart:
    """[13.5.6] Return what is certain to raise the security risk, and the dice that keep the secret."""
    risk = data.embarkation.risk
    rows: Rows = {
        f"each diplomat informed in {key.capitalize()}": n for key, n in data.planning.calendar.risk.items() if n
    }
    rows |= {
        "each urgent, briefed or leader marker": risk.marker,
        "a leader briefed (his marker and the briefing)": 2 * risk.marker,
        "a leader who refuses (his marker)": risk.marker,
        "the squadron briefed": risk.squadron_briefed,
        "each extra training": risk.extra,
        "attack, delay, liberty, telephone": "dice, by P5",
        f"{risk.few_bombers} bombers or fewer": f"+{risk.few_dice} die of secrecy",
        "the secrecy value": f"{data.security.track.value_min} to {data.security.track.value_max} dice",
    }
    return modifiers("P6", "Security check", "13.5.6", risk, rows)


def _variable(data: Data) -> Chart:
    """[13.5.6] Return the modifiers of the risks that are rolled for."""
    figures = data.embarkation.variable
    rows: Rows = {"attack: Chiang briefed": figures.chiang_briefed, "attack: no fuel was lost": figures.fuel_kept}
    rows |= {f"delay: {number} bombers selected": value for number, value in figures.delayed_bombers.items()}
    rows |= {f"liberty: {data.training.sites.site[key].title}": value for key, value in figures.liberty_site.items()}
    rows |= {f"liberty: {number} bombers selected": value for number, value in figures.liberty_bombers.items()}
    rows |= {
        "liberty: the F.B.I. watches": figures.liberty_fbi,
        "telephone: quarantine": figures.telephone_quarantine,
        "telephone: no one briefed": figures.telephone_untold,
    }
    return modifiers("P5-modifiers", "Variable risk: modifiers", "13.5.6", figures, rows)


def voyage_cards(data: Data) -> list[Chart]:
    """[9.5, 12.1 to 12.7] Return what the naval card and the layout print next to their tables."""
    cards = (_rendezvous, _i_boat, _refuel, _submarine, _encounters, _arrows, _crash)
    return [card(data) for card in cards]


def _rendezvous(data: Data) -> Chart:
    meet = data.naval.rendezvous
    rows: Rows = {
        "at the planned point": f"{meet.planned_dice} dice, elsewhere {meet.dice}",
        "in the planned turn": meet.planned_turn,
        "each recon in the area": meet.recon,
        "each submarine in contact there": meet.submarine,
        "storm": meet.storm,
        "red flags": meet.red_flags,
        "the task force delayed": meet.delayed,
        "failed": f"risk +{meet.failed_risk}",
        "radio silence broken": f"+1 to +{meet.silence_most}, and the risk by as much",
    }
    return modifiers("N10", "Rendezvous", "12.5.3", meet, rows)


def _i_boat(data: Data) -> Chart:
    boat = data.naval.i_boat
    rows: Rows = {
        "to detect it": f"{boat.detection} on {boat.dice} dice",
        "detect: calm": boat.calm,
        "detect: each undamaged destroyer": boat.destroyer,
        "detect: each local recon": boat.local_recon,
        "detect: low CAP": boat.low_cap,
        "to drive it off": "the ship's reaction on 2 dice, from its space or the next",
        "react: storm": boat.reaction_storm,
        "react: from the next space": boat.reaction_adjacent,
        "react: local recon": boat.reaction_recon,
        "its torpedoes": "damage below the ship's hull on 2 dice",
    }
    return modifiers("N11", "I-boat", "12.6.6", boat, rows)


def _refuel(data: Data) -> Chart:
    figures = data.naval.refuel
    rows: Rows = {}
    for weather in WEATHERS:
        rows[weather] = figures.modifier[weather]
        if figures.damaged[weather]:
            rows[f"{weather}, failed"] = f"ships damaged: {figures.damaged[weather]}"
    return modifiers("N12", "Refueling", "12.7.2", figures, rows)


def _submarine(data: Data) -> Chart:
    """[12.1.3] Return what a submarine in contact entails."""
    boats = data.ships.submarines
    rows: Rows = {
        "to make contact": f"{boats.contact} on {boats.dice} dice; broken off without a die",
        "in contact": "a patrol: weather, wind and sea hazards in its area",
        "in the force's area": f"rendezvous +{data.naval.rendezvous.submarine}",
        "off Japan, each turn": f"1 contact marker at a city ({data.flying.acquisition.contact_rerolls} re-roll)",
        "off Japan, during the flight": f"to find a target +{data.flying.acquisition.submarine}",
        "off Japan, at the end": f"rescues {boats.rescues} ditched crew",
        "an airstrike after its test": "falls on the submarine",
    }
    return modifiers("N13", "Submarines", "12.1.3", boats, rows)


def _encounters(data: Data) -> Chart:
    """[12.6.6] Return the dice of sea hazards."""
    naval, recon = data.naval, data.ships.recon
    plane, signals = naval.flying_boat, naval.signals
    dice = ", ".join(f"{one.name} {one.boat_dice}" for one in recon.marker)
    rows: Rows = {
        "boat: destroy it": f"one die even; task force {recon.task_force_boat_dice} dice, {dice}",
        "boat: destroyed by the force": f"alert +{naval.boat.alert} unless all dice are even",
        "boat: evade it": f"{naval.boat.evade_dice} die even; no test, the force's alert +{naval.boat.alert}",
        "boat: neither, by the force": f"a test, and alert +{naval.boat.alert}",
        "signals: a second one in an area": f"risk +{signals.stacked_risk}, and so each more",
        f"signals: {signals.run} areas in a row": f"secrecy value −{signals.dice}, and so each more",
        "flying boat on the force": f"{plane.dice} dice below the number of ships: risk +{plane.risk}",
        "flying boat": f"risk +{plane.signal_risk} for each enemy signal on the map",
        "ship on the force": f"even {naval.ship.even}, odd alert +{naval.ship.alert}",
        "storm over the force": f"{naval.storm.signals_removed} signal removed, "
        f"{naval.storm.transit_hazards} transit hazard drawn",
    }
    return modifiers("N14", "Dice of sea hazards", "12.6.6", naval.boat, rows)


def _arrows(data: Data) -> Chart:
    """[11.4.1, 12.6.6.E] Return the arrows of the layout."""
    layout = data.ships.layout
    rows = [
        (f"{name}, {face}", [", ".join(layout.spaces[key].name for key in spaces)])
        for name, arrows in (("torpedo", layout.torpedo), ("dive", layout.dive), ("I-boat", layout.i_boat))
        for face, spaces in arrows.items()
    ]
    rows.append(("fighter, even", [f"a {data.airstrike.aim.even} of your choice"]))
    rows.append(("fighter, odd", [data.ships.cards[data.airstrike.aim.odd].name]))
    return layout.as_chart("N15", "Arrows of the layout", "11.4.1", ["way in"], rows)


def _crash(data: Data) -> Chart:
    botched = data.naval.botched
    rows: Rows = {"an elite pilot": botched.elite_pilot, "a damaged bomber": botched.damaged}
    return modifiers("N7-modifiers", "Botched take-off: modifiers", "12.3.2", botched, rows)


def strike_cards(data: Data) -> list[Chart]:
    """[11.3, 11.5.1] Return what bears on the strike force and on the counterstrike."""
    arrival, counter = data.airstrike.arrival, data.airstrike.counter
    middle = ", ".join(data.sea.area[key].name for key in arrival.middle_areas)
    force: Rows = {
        "the Navy launched": arrival.counterstrike,
        f"at {middle}": arrival.middle,
        f"east of {data.sea.area[arrival.east_of].name}": arrival.east,
    }
    strike: Rows = {
        "VF6 goes along": counter.escort,
        "contact": f"1 die and the recon sent: {counter.sunk_from} sinks a ship",
    }
    return [
        modifiers("X3-modifiers", "Strike force: modifiers", "11.3", arrival, force),
        modifiers("X6-modifiers", "Counterstrike: modifiers", "11.5.1", counter, strike),
    ]


def ending_cards(data: Data) -> list[Chart]:
    """[14.1.1, 14.3.2, 14.4, 14.5, 14.6] Return modifiers of landings, treks and passages, and results of a die."""
    figures = data.denouement
    landing, routes = figures.landing, figures.routes
    land: Rows = {"to land well": f"the site's landing number on {landing.dice} dice", "by night": landing.night}
    land |= {weather: value for weather, value in landing.weather.items() if value}
    land |= {
        "an elite pilot": landing.elite_pilot,
        f"{data.flight.site[landing.iced_site].name} without de-icers": landing.iced,
        "mechanical problems": "as marked",
    }
    walk: Rows = {
        "each alert level": routes.alert,
        "the Japanese attacked a site": routes.attacked,
        "Chiang briefed": routes.chiang_briefed,
        f"{routes.shanghai_chits} chits of Shanghai": routes.shanghai,
        "groundcrew": f"repairs {figures.groundcrew.bombers} bombers",
    }
    ships, soviet = figures.ships, figures.farewell
    rest: Rows = {
        "enemy ships, even": f"{ships.damaged} ships damaged, if any is slow",
        "enemy ships, odd": f"{ships.sunk} ship sunk",
        "released from internment: Stalin briefed": figures.passage.stalin_briefed,
        "not interned, China never asked": f"even {soviet.even.title()}, odd {soviet.odd.title()}",
        "Korea, each bomber": f"even {figures.korea.even} by its crew, odd {figures.korea.odd} with it",
    }
    return [
        modifiers("D1-modifiers", "Landing: modifiers", "14.1.1", landing, land),
        modifiers("D4-modifiers", "To Chungking: modifiers", "14.4.3", routes, walk),
        modifiers("D6", "Ships, Soviet Union, Korea", "14.3.2", figures.farewell, rest),
    ]
