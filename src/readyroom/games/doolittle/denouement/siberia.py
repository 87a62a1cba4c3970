"""[14.5, 14.6] Crews and bombers at Vladivostok and in Korea."""

from __future__ import annotations

from readyroom.engine.rules.checks import Check
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.bombers import clear_hazards
from readyroom.games.doolittle.denouement.crews import active_crews, crew_key, record_fate, search_for_crews
from readyroom.games.doolittle.denouement.fields import bombers_at
from readyroom.games.doolittle.names import destination_name, pilot
from readyroom.games.doolittle.pieces import Bomber, Crew
from readyroom.games.doolittle.state import Doolittle, T

USSR, KOREA = "ussr", "korea"
AGREED, DENIED, NO_ATTEMPT = "agreed", "denied", "no-attempt"
THOMPSON, STILWELL, STALIN = "thompson", "stilwell", "stalin"


def in_country(table: T, country: str) -> tuple[list[Crew], list[Bomber]]:
    """[5.5] Return the crews and the bombers at the landing sites of a country."""
    sites = [site.key for site in table.data.flight.sites_in(country)]
    crews = [crew for site in sites for crew in active_crews(table.state, site)]
    return crews, [bomber for site in sites for bomber in bombers_at(table.state, site)]


def siberia(table: T) -> None:
    """[14.5] Let crews and bombers at Vladivostok go, or intern them until they are released."""
    crews, bombers = in_country(table, USSR)
    if not crews:
        return
    roll = table.roll(internment_check(table), "internment")
    text = "lets the crews fly on" if roll else "interns the crews"
    target = crews[0].where
    table.log_line("14.5.1", "The Soviet Union {}.", text, roll, target=target)
    if roll:
        _fly_on(table, crews, bombers)
    else:
        _roll_for_passage(table, crews, bombers)


def soviet_talks(table: T) -> str:
    """[14.5.1, 13.2.2] Return the state of the Soviet talks; without planning they count as denied."""
    state = table.state
    if state.blotter is None:
        return table.data.denouement.soviet.row
    if THOMPSON in state.talks.granted:
        return AGREED
    return DENIED if THOMPSON in state.talks.denied else NO_ATTEMPT


def total_blast(state: Doolittle) -> int:
    """[14.5.1] Return the total blast on all target maps."""
    areas = [area for target in state.targets.values() for area in target.areas.values()]
    return sum(area.blast + sum(box.blast for box in area.boxes.values()) for area in areas)


def internment_check(table: T) -> Check:
    """[14.5.1, DR90] Return the check that lets the crews go."""
    figures = table.data.denouement.internment
    number = figures.at(soviet_talks(table), total_blast(table.state))
    return Check("14.5.1", "internment", dice=figures.dice, at_least=number)


def passage_check(table: T, whole: int) -> Check:
    """[14.5.2, DR90, DR91] Return the check that releases the crews, by talks and undamaged bombers."""
    figures, state = table.data.denouement.passage, table.state
    number = figures.at(soviet_talks(table), whole)
    briefed = [("Stalin briefed", figures.stalin_briefed)] if STALIN in state.talks.briefed else []
    return Check("14.5.2", "passage", dice=figures.dice, at_least=number, modifiers=briefed)


def _fly_on(table: T, crews: list[Crew], bombers: list[Bomber]) -> None:
    """[14.5.1] Fly to Chungking if China was asked, else by a die to the Mediterranean or to Archangel."""
    state, figures = table.state, table.data.denouement
    state.denouement.soviet = "free"
    if STILWELL in (*state.talks.granted, *state.talks.denied):
        where = fate = figures.routes.goal
    else:
        face = table.roll_dice("14.5.1", "farewell")[0]
        table.log_line("14.5.1", "The way-home roll is {}.", face)
        where, fate = figures.farewell.of(face), "home"
    for bomber in bombers:
        bomber.fate, bomber.where = "saved", where
        state.add_to_story("saved", bomber.key, where)
    for crew in crews:
        record_fate(table, crew, fate, where)
    name = KeyedText(destination_name(table.data, where), *map(crew_key, crews))
    table.log_line("14.5.1", "They fly on to {}.", name, target=crew_key(crews[0]))


def _roll_for_passage(table: T, crews: list[Crew], bombers: list[Bomber]) -> None:
    """[14.5.2] Roll for release of the crews; some releases depend on the alliances. The bombers stay."""
    state, whole = table.state, sum(not bomber.hits for bomber in bombers)
    roll = table.roll(passage_check(table, whole), "passage")
    text = "are released within eighteen months" if roll else "stay until the end of the war"
    starred = soviet_talks(table) in table.data.denouement.passage.starred
    state.denouement.soviet = ("starred" if starred else "released") if roll else "interned"
    for bomber in bombers:
        bomber.fate = "interned"
        state.add_to_story("interned", bomber.key, bomber.where)
        clear_hazards(table, bomber)
    for crew in crews:
        record_fate(table, crew, "released" if roll else "interned")
    who = KeyedText(text, *map(crew_key, crews))
    table.log_line("14.5.2", "The crews {}.", who, roll, target=crew_key(crews[0]))


def korea(table: T) -> Steps:
    """[14.6] Destroy (even) or capture (odd) each bomber by a die; then search for the crews that are left."""
    crews, bombers = in_country(table, KOREA)
    for bomber in bombers:
        face = table.roll_dice("14.6", bomber.key)[0]
        seized = table.data.denouement.korea.of(face) == "captured"
        bomber.fate = "seized" if seized else "wrecked"
        text = "is captured with its crew" if seized else "is destroyed by its crew in time"
        table.state.add_to_story(bomber.fate, bomber.key, bomber.where)
        clear_hazards(table, bomber)
        for crew in crews:
            if seized and crew.key == bomber.key:
                record_fate(table, crew, "captured")
        name, target = pilot(table.data, bomber.key), f"crew-{bomber.key}"
        moment = f"{name}'s crew is captured" if seized else ""
        table.reveal("14.6", "{}, in Korea, {} (roll {}).", name, text, face, target=target, moment=moment)
    free = [crew for crew in crews if not crew.fate]
    if free:
        yield from search_for_crews(table, free, free[0].where)
    for crew in crews:
        if not crew.fate:
            record_fate(table, crew, "missing")
            text, name = "{} escapes capture in Korea but stays missing.", pilot(table.data, crew.key)
            table.log_line("14.6", text, name, target=crew_key(crew))
