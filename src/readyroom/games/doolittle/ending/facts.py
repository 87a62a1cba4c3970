"""[1.2, 1.3, 1.9] The facts that debriefings count, all of them read from the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Circumstance
from readyroom.games.doolittle.pieces import Bomber, Crew
from readyroom.games.doolittle.state import Doolittle, scenario_card

DOOLITTLE = "e01"
"""[13.1.1] The elite crewman who is Doolittle himself."""
GONE = ("killed", "missing")
"""[14.2.1] Fates of crews that no one sees again."""
ABOARD = "lost-aboard"
"""[12.3.2] What is noted of a bomber that was destroyed before it was in the air."""
SAFE = ("chungking", "rescued", "released", "home")
"""[14.4.2, 14.2.1, 14.5.2] Fates of crews that come home."""


def count_facts(state: Doolittle, data: Data) -> Mapping[str, int]:
    """[1.2] Return the facts that the scores of scenarios 1 to 9 are made of."""
    return {
        **_count_blasts(state, data),
        **_count_bombers(state, data),
        **_count_ships(state, data),
        "launched": len(flown_bombers(state)),
    }


# -- the targets -----------------------------------------------------------------------------------------------------


def _count_blasts(state: Doolittle, data: Data) -> dict[str, int]:
    """[4.9] Return the blast in boxes and elsewhere; a scenario may count the boxes of some areas alone."""
    counted = set(scenario_card(state, data).counted_areas)
    box = area = boxes = cities = carriers = tokyo = 0
    for city, target in state.targets.items():
        in_city = 0
        for name, place in target.areas.items():
            area += place.blast
            for one in place.boxes.values():
                if counted and name not in counted:
                    area += one.blast
                else:
                    box += one.blast
                    in_city += one.blast
                    boxes += bool(one.blast)
                carriers += bool(one.blast) and _carrier_in(data, one.markers)
        cities += bool(in_city)
        tokyo += in_city if city == "tokyo" else 0
    return {
        "box-blast": box,
        "area-blast": area,
        "blast": box + area,
        "boxes-hit": boxes,
        "cities-hit": cities,
        "tokyo-blast": tokyo,
        "carriers-hit": carriers,
    }


def _carrier_in(data: Data, markers: list) -> int:  # type: ignore[type-arg]
    kinds = data.hazards.kinds.kind
    known = data.hazards.markers
    return sum(marker.shown and kinds[known[marker.key].kind].effect == "carrier" for marker in markers)


# -- bombers, as the short debriefings see them ----------------------------------------------------------------------


def _count_bombers(state: Doolittle, data: Data) -> dict[str, int]:
    """[DR49] Return what became of bombers and crews; known to be safe are those who came down in China's time."""
    squad = list(state.squad.values())
    country = {key: site.country for key, site in data.flight.site.items()}
    siberia = bombers_landed_in(state, data, "ussr")

    def in_china(bomber: Bomber) -> bool:
        return country.get(bomber.where) == "china" or bomber.where in data.flight.china_side

    saved = [one for one in squad if one.fate in ("landed", "crashed", "ditched")]
    return {
        "bombers-destroyed": sum(one.fate == "destroyed" for one in squad),
        "bombers-damaged": sum(bool(one.hits) and one.fate in ("", "home", "landed") for one in squad),
        "good-landings-china": sum(one.well and in_china(one) for one in squad),
        "crews-china": sum(in_china(one) for one in saved),
        "crews-ditched-elsewhere": sum(
            one.fate == "captured"
            or (not in_china(one) and country.get(one.where) != "ussr" and one.fate in ("ditched", "landed", "crashed"))
            for one in squad
        ),
        "bombers-destroyed-with-crew": sum(one.fate == "destroyed" for one in squad),
        "landed-vladivostok": sum(one.key in siberia or country.get(one.where) == "ussr" for one in squad),
    }


# -- the sea ---------------------------------------------------------------------------------------------------------


def _count_ships(state: Doolittle, data: Data) -> dict[str, int]:
    """[10.1.1, 11.5.1, 12.6.6.E] Count our ships that were hurt, and enemy ships."""
    lost = sunk_ships(state, data)
    ships = state.voyage.ships if state.voyage else {}
    afloat = [key for key, ship in ships.items() if ship.hits and key not in lost]
    carriers = {key for key, card in data.ships.cards.items() if card.type == "CV"}
    theirs = {name: state.facts.get(name, 0) for name in ("i-boats", "enemy-ships", "enemy-carriers")}
    return {
        "carriers-sunk": sum(key in carriers for key in lost),
        "carriers-damaged": sum(key in carriers for key in afloat),
        "ships-sunk": sum(key not in carriers for key in lost),
        "ships-damaged": sum(key not in carriers for key in afloat),
        **theirs,
    }


def sunk_ships(state: Doolittle, data: Data) -> list[str]:
    """[10.1.1] Return the ships that were sunk, by key."""
    ships = state.voyage.ships if state.voyage else {}
    return [key for key, ship in ships.items() if ship.sunk or ship.hits >= data.ships.fleet.hits]


def flown_bombers(state: Doolittle) -> list[Bomber]:
    """[12.0.1, 12.4] Return the bombers that took off, for Japan or for a base of ours; not those wrecked before."""
    data: dict[str, set[str]] = {key: set() for key in state.squad}
    for one in state.story:
        if one.who in data:
            data[one.who].add(ABOARD if one.what == "destroyed" and one.segment == "naval" else one.what)
    return [bomber for key, bomber in state.squad.items() if _took_off(state, bomber, data[key])]


def _took_off(state: Doolittle, bomber: Bomber, items: set[str]) -> bool:
    if bomber.fate == "ashore":
        return "ashore" in items
    if bomber.fate == "destroyed" and ABOARD in items:
        return False
    return state.find_flight(bomber.key) is not None or bomber.fate not in ("", "home", "overboard")


def bombers_for_japan(state: Doolittle) -> list[Bomber]:
    """[12.4, DR126] Return the bombers that took off for Japan."""
    return [bomber for bomber in flown_bombers(state) if bomber.fate != "ashore"]


def lost_on_ship(state: Doolittle, flown: Sequence[Bomber]) -> list[Bomber]:
    """[12.3.2, 10.1.1, DR121] Return the bombers that were lost with or on the ship, next to those that have flown."""
    ways = {bomber.key for bomber in flown}
    lost = ("destroyed", "overboard")
    return [one for one in state.squad.values() if one.fate in lost and one.key not in ways]


# -- crews, as the campaign sees them --------------------------------------------------------------------------------


def crew_of(state: Doolittle, bomber: str) -> Crew | None:
    """[14.0.1] Return the crew of a bomber, once it has come down."""
    return next((crew for crew in state.crews if crew.key == bomber), None)


def crew_fate(state: Doolittle, bomber: Bomber) -> str:
    """[14.0] Return what became of a bomber's crew; empty if it never took off, or if its fate is not known yet."""
    crew = crew_of(state, bomber.key)
    if crew is not None:
        return crew.fate
    fates = {"destroyed": "killed", "captured": "captured", **dict.fromkeys(("home", "ashore", "overboard"), "home")}
    return fates.get(bomber.fate, "")


def _count_crews(state: Doolittle, data: Data) -> dict[str, int]:
    """[14.0 to 14.6, DR121, DR126] Count crews and bombers for the campaign, with those lost at the ship.

    A bomber is saved at Chungking or another friendly field. Bombers at a base of our own have done nothing, and are
    neither saved nor lost.
    """
    flown = flown_bombers(state)
    squad = [*flown, *lost_on_ship(state, flown)]
    fates = [crew_fate(state, bomber) for bomber in squad]
    dead, taken = sum(fate in GONE for fate in fates), fates.count("captured")
    return {
        "bombers-saved": sum(bomber.fate == "saved" for bomber in squad),
        "bombers-lost": sum(bomber.fate not in ("saved", "ashore") for bomber in squad),
        "bombers-captured": sum(bomber.fate == "seized" for bomber in squad),
        "crews-interned": fates.count("interned"),
        "crews-captured": taken,
        "crews-killed": dead,
        "crews-lost": taken + dead,
        "released": int("released" in fates),
    }


def doolittle_fate(state: Doolittle) -> tuple[str, str]:
    """[13.5.3, 1.3] Return Doolittle's fate (home, aboard, stayed, lost), and his bomber."""
    his = [crew.key for crew in state.crews if any(man.key == DOOLITTLE for man in crew.elites)]
    his += [key for key, one in state.squad.items() if one.elite is not None and one.elite.key == DOOLITTLE]
    if not his:
        return "stayed", ""
    lost = crew_fate(state, state.squad[his[0]]) in (*GONE, "captured", "interned")
    out = any(bomber.key == his[0] for bomber in bombers_for_japan(state))
    return "lost" if lost else "home" if out else "aboard", his[0]


# -- the launch, and all facts together ------------------------------------------------------------------------------


def launch_area(state: Doolittle, data: Data) -> str:
    """[12.0.1, DR110] Return the sea area of the launch; none without one."""
    if state.launched is not None:
        return state.launched.area if state.launched.how != "none" else ""
    return scenario_card(state, data).launch_area


def launch_kind(state: Doolittle, data: Data) -> str:
    """[12.3] Return how the bombers were launched: as planned, in an emergency, or not at all."""
    if state.launched is not None:
        return "emergency" if state.launched.how == "airstrike" else state.launched.how
    return scenario_card(state, data).launch or ("none" if state.voyage else "planned")


def all_facts(state: Doolittle, data: Data) -> dict[str, int]:
    """[1.3] Return every fact that the campaign's debriefing weighs, with the points of Army and Navy.

    They are the talks [13.2], the place and the kind of the launch [12.0.1], whether the forces met [12.5.3], and more.
    """
    known = {**count_facts(state, data), **_count_crews(state, data)}
    talks, sky, worth, area = state.talks, state.air, data.debriefing.worth, launch_area(state, data)
    known |= {
        "permission": int("stilwell" in talks.granted),
        "chiang-briefed": int("chiang" in talks.briefed),
        "agreed": int("thompson" in talks.granted),
        "denied": int("thompson" in talks.denied),
        "stalin-briefed": int("stalin" in talks.briefed),
        "launch-area": worth.launch_area[area] if area else worth.no_launch,
        "launch": worth.launch[launch_kind(state, data)],
        "rendezvous": int(state.voyage.met if state.voyage else bool(area)),
        "doolittle": worth.doolittle[doolittle_fate(state)[0]],
        "beacons-left": len(sky.beacons) if sky else 0,
        "sites-attacked": len(sky.taken) if sky else 0,
        "landed-without-agreement": int(bool(known["landed-vladivostok"]) and "thompson" not in talks.granted),
        "reprisal": state.ending.checks.get("reprisal", 0) if state.ending else 0,
    }
    for view in ("army", "navy"):
        known[view] = data.debriefing.perspectives[view].points(known)
    return known


def drawn_incidents(state: Doolittle) -> list[str]:
    """[15.1] Return the kinds of incidents that were drawn, each once."""
    return list(dict.fromkeys(state.blotter.chits)) if state.blotter else []


def circumstances(state: Doolittle, data: Data) -> dict[Circumstance, int]:
    """[1.3] Return what bears on the checks of the campaign's debriefing.

    No one is down in Japan if no bomber fell there, and no crew was captured there [14.2.1].
    """
    known, talks = all_facts(state, data), state.talks
    checks = state.ending.checks if state.ending else {}
    china = crews_in_china(state, data)
    japan = {data.flight.zones.japan} | {area for maps in data.targets.maps.values() for area in maps.areas}
    devastated = checks.get("reprisal") == len(data.debriefing.checks["reprisal"].band) - 1
    return {
        "area-blast": known["area-blast"],
        "blast": known["blast"],
        "nobody-down-in-japan": int(all(bomber.where not in japan for bomber in state.squad.values())),
        "crews-in-china": len(china),
        "alert": state.security.alert,
        "chiang-briefed": known["chiang-briefed"],
        "stalin-briefed": known["stalin-briefed"],
        "leaders-denied": sum(one in talks.denied for one in ("thompson", "stilwell")),
        "vladivostok-without-agreement": known["landed-without-agreement"],
        "china-without-success": int(bool(china) and "stilwell" not in talks.granted),
        "devastation": int(devastated),
        "cities-hit": known["cities-hit"],
        "quit-india": int("quit-india" in drawn_incidents(state)),
    }


def crews_in_china(state: Doolittle, data: Data) -> list[str]:
    """[14.2.1, 14.4] Return the bombers whose crews came down in China, whatever became of them after that."""
    arrived = bombers_landed_in(state, data, "china") | {one.who for one in state.story if one.what == "on-foot"}
    return [key for key in state.squad if key in arrived]


def bombers_landed_in(state: Doolittle, data: Data, country: str) -> set[str]:
    """[5.5, 14.1] Return the bombers that came down at a landing site of a country, wherever they are now."""
    sites = {site.key for site in data.flight.sites_in(country)}
    return {one.who for one in state.story if one.what in ("landed", "crashed") and one.where in sites}
