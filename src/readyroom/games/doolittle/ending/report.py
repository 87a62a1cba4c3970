"""[1.9] The events of a raid at its end: bomber by bomber, city by city, and in 1942."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from readyroom.engine.facts import FactValue
from readyroom.engine.game import Scenario
from readyroom.games.doolittle import names
from readyroom.games.doolittle.ending import campaign, endings
from readyroom.games.doolittle.ending.debriefing import ladder
from readyroom.games.doolittle.ending.facts import GONE, SAFE, all_facts, count_facts, crew_fate, sunk_ships
from readyroom.games.doolittle.ending.story_builder import build_tale
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import DEBRIEFING, Doolittle

FATES = {
    "": "was still in the air",
    "home": "turned for home",
    "ashore": "flew to {}",
    "overboard": "was lost at the ship, and its crew was saved",
    "destroyed": "was lost with its crew",
    "ditched": "came down in {}, and its crew got out",
    "captured": "came down over the city, and its crew was taken",
    "landed": "landed at {}",
    "crashed": "broke up as it landed at {}, and its crew lived",
    "saved": "was saved, and flew on to {}",
    "wrecked": "was burned by its own crew at {}",
    "seized": "fell into Japanese hands at {}",
    "interned": "stayed at {}, in Soviet hands",
}
"""[2.1, 14.1] What became of a bomber, in words."""
COUNTED = {
    "blast at targets": "box-blast",
    "blast elsewhere": "area-blast",
    "targets hit": "boxes-hit",
    "bombers lost": "bombers-destroyed",
    "crews in China": "crews-china",
    "bombers safe in China": "good-landings-china",
}
"""What a study counts, by the fact that it is."""


def epilogue(state: Doolittle, data: Data) -> Sequence[str]:
    """[1.9] Return the log: each bomber, each city, April 1942, and from scenario 7 on the raid's reports."""
    bands = endings.sentences(ladder(state, data)) if state.at.phase == DEBRIEFING and not state.called_off else ()
    return [
        *_report_bombers(state, data),
        *_report_cities(state, data),
        *_report_history(state, data),
        *_report_pages(state, data),
        *bands,
    ]


def _report_pages(state: Doolittle, data: Data) -> Iterator[str]:
    """[1.9] Yield the front page, the letter home, the report to the Chiefs, and the time line."""
    if state.air is None:
        return
    result = build_tale(state, data)
    for page in result.pages:
        parts = [one.text for paragraph in page.paragraphs for one in paragraph]
        name = f"{data.debriefing.tales.paper['name']}: " if page.key == "paper" else ""
        yield f"{name}{page.heading.text}. {' '.join(parts)}{f' ({page.signed})' if page.signed else ''}"
    for month, entries in groupby(result.line, key=lambda entry: entry.month):
        yield f"{month} 1942: {' '.join(f'{one.day} {one.sentence.text}'.strip() for one in entries)}"


def study_counts(state: Doolittle, data: Data) -> Mapping[str, float]:
    """Return what a study counts at the end of a raid."""
    facts = count_facts(state, data)
    return {title: facts[fact] for title, fact in COUNTED.items()}


LOST_CREWS = (*GONE, "captured")
"""[14.2.1] Fates of crews that do not come home."""


def facts(state: Doolittle, data: Data, scenario: Scenario) -> dict[str, FactValue]:
    """[1.2, 1.3] Return what debriefings count, and the fate of ships.

    Where the denouement is played, the views and the fate of crews are facts too.
    """
    sunk, ships = sunk_ships(state, data), state.voyage.ships if state.voyage else {}
    hurt = {key for key, ship in ships.items() if ship.hits}
    known: dict[str, FactValue] = {
        **count_facts(state, data),
        **{f"fate {key}": "sunk" if key in sunk else "hurt" if key in hurt else "whole" for key in ships},
        "alert": state.security.alert,
        "ships sunk": [data.ships.cards[key].name for key in sunk],
    }
    return {**known, **_denouement_facts(state, data)} if campaign.is_due(state) else known


def _denouement_facts(state: Doolittle, data: Data) -> dict[str, FactValue]:
    """[1.3, 14.2.1] Return what only the campaign's debriefing counts, the points of each view, and crews."""
    pilots = {key: data.bombers.cards[key].pilot for key in state.squad}
    fates = {key: crew_fate(state, bomber) for key, bomber in state.squad.items()}
    return {
        **all_facts(state, data),
        **{f"view {view.key}": view.points for view in campaign.views(state, data)},
        "crews lost": [pilots[key] for key, fate in fates.items() if fate in LOST_CREWS],
        "crews home": [pilots[key] for key, fate in fates.items() if fate in SAFE],
    }


def _report_bombers(state: Doolittle, data: Data) -> Iterator[str]:
    """[2.1] Yield what each bomber did, and what became of it."""
    for bomber in state.squad.values():
        card = data.bombers.cards[bomber.key]
        hurt = ", damaged," if bomber.hits and bomber.fate not in ("destroyed", "captured") else ""
        fate = FATES[bomber.fate].format(_place_name(data, bomber.where))
        yield f"{card.pilot} ({card.serial}){hurt} {_bombed_places(state, data, bomber)} and {fate}."


def _bombed_places(state: Doolittle, data: Data, bomber: Bomber) -> str:
    """[4.9] Return where the bombs of a bomber went."""
    texts = {"hit": "hit {}", "missed": "missed {}", "area": "bombed {}", "dropped": "dropped its bombs short of {}"}
    event = next((one for one in state.story if one.who == bomber.key and one.what in texts), None)
    return texts[event.what].format(_place_name(data, event.where)) if event else "bombed nothing"


def _place_name(data: Data, key: str) -> str:
    """Return what a box, an area, a city, a zone or a landing site is called."""
    for maps in data.targets.maps.values():
        if key in maps.boxes:
            return f"{maps.boxes[key].name} ({maps.areas[maps.area_of[key]].name})"
        if key in maps.areas:
            return maps.areas[key].name
    named = {zone.key: f"the zone {zone.name}" for zone in data.flight.zones.zone}
    named |= {city.key: city.name for city in data.flight.cities.city}
    named |= {site.key: site.name for site in data.flight.sites.site}
    return named.get(key) or names.destination_name(data, key)


def _report_cities(state: Doolittle, data: Data) -> Iterator[str]:
    """[3.4, 4.9] Yield what fell on each city."""
    for key, target in state.targets.items():
        if target.tally:
            boxes = [box.blast for _, box in target.boxes if box.blast]
            elsewhere = sum(area.blast for area in target.areas.values())
            bombers = "one bomber" if target.tally == 1 else f"{target.tally} bombers"
            hit = names.count_text(len(boxes), "target")
            lights = "; its lights went out" if target.dark else ""
            fell = f"{bombers} released; a blast of {sum(boxes)} on {hit}, {elsewhere} elsewhere{lights}"
            yield f"{data.targets.maps[key].title}: {fell}."


def _report_history(state: Doolittle, data: Data) -> Iterator[str]:
    """[1.0] Yield the raid as it was."""
    bounds = data.history.raid.bounds
    if state.air is not None:
        yield (
            f"In April 1942, {bounds['reached'].history} of sixteen bombers bombed a city, "
            f"{bounds['lost'].history or 'none'} was lost over Japan, {bounds['ditched'].history} came down in or off "
            f"China, and {bounds['landed'].history} landed, in Siberia."
        )
