"""[1.9] Tests of the story of a raid in its four forms; each sentence has a source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import pytest
from tests.games.doolittle.helpers import DATA, play, raiders
from tests.games.doolittle.story_sources import source_names
from tests.games.doolittle.test_campaign import SIBERIA, call_off, history, notes, raid, stayed

from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.ending import campaign, facts
from readyroom.games.doolittle.ending.story import Page
from readyroom.games.doolittle.ending.story_builder import Tale, build_tale
from readyroom.games.doolittle.ending.timeline import MONTHS
from readyroom.games.doolittle.pieces import Crew, EliteMan, Marker
from readyroom.games.doolittle.state import CAPTAIN, Doolittle
from readyroom.games.doolittle.voyage.state import How, Launch, Ship, Voyage

FATES = ("chungking", "captured", "missing", "killed", "rescued", "interned", "released", "home")


def page(state: Doolittle, key: str) -> Page:
    """Return a page of the debriefing."""
    return next(page for page in build_tale(state, DATA).pages if page.key == key)


def text(state: Doolittle, key: str) -> str:
    """Return all text on a page."""
    result = page(state, key)
    parts = [one.text for paragraph in result.paragraphs for one in paragraph]
    return " ".join([result.heading.text, *parts, result.signed])


# -- sources ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def proper() -> frozenset[str]:
    """Return the names that a sentence may use only if its sources contain them."""
    data = DATA
    names = {card.pilot for card in data.bombers.roster.bomber} | {man.name for man in data.bombers.elites.elite}
    for maps in data.targets.maps.values():
        names |= {maps.title} | {area.name for area in maps.area} | {box.name for box in maps.boxes.values()}
    names |= {site.name for site in data.flight.sites.site if site.key != "korea"}
    names |= {ship.name for ship in data.ships.fleet.ship} | {sub.name for sub in data.ships.submarines.submarine}
    names |= {row.name for row in data.planning.calendar.row.values()} | {"Stalin", "Chiang", "Eglin", "McClellan"}
    return frozenset(names)


def used(text: str) -> set[str]:
    """Return the names that a text uses."""
    names = {name for name in proper() if re.search(rf"\b{re.escape(name)}\b", text)}
    return {name for name in names if not any(name != other and name in other for other in names)}


def without_views(text: str) -> str:
    """Return a text without the debriefing's own statements."""
    for view in DATA.debriefing.perspectives.values():
        for given in (view.title, *(band.text for band in view.band), *(band.title for band in view.band)):
            text = text.replace(given, "")
    return text


def check(state: Doolittle) -> Tale:
    """Check that each sentence has a source in the state, and uses only names from its sources."""
    result = build_tale(state, DATA)
    for one in result.sentences:
        assert one.of, one.text
        allowed = " ".join(" ".join(source_names(state, DATA, ref)) for ref in one.of)
        for name in used(without_views(one.text)):
            assert name in allowed, (name, one)
        assert "{" not in one.text, one.text
        assert one.text == capitalize_first(one.text)
    return result


@pytest.mark.rule("doolittle", "1.9")
@pytest.mark.parametrize("scenario", ["early", "close-in", "carrier", "campaign"])
@pytest.mark.parametrize(("seed", "ending"), [("one", "short"), ("two", "told"), ("three", "told")])
def test_story_of_match_cites_only_its_state(scenario: str, seed: str, ending: str) -> None:
    state = play(scenario, f"story {scenario} {seed}", ending=ending, incidents="yes").state
    tale = check(state)
    assert [one.key for one in tale.pages] == ["paper", "letter", "report"]
    assert all(one.paragraphs for one in tale.pages)


@pytest.mark.rule("doolittle", "1.9")
def test_story_events_are_on_time_line_or_listed_as_omitted() -> None:
    known = set(DATA.debriefing.tales.line)
    bare = {word.rpartition("-")[0] if word.endswith(("-planning", "-denouement")) else word for word in known}
    unreported = set()
    for scenario in ("carrier", "campaign", "early"):
        for seed in ("words", "more words"):
            state = play(scenario, seed, ending="told", incidents="yes").state
            unreported |= {one.what for one in state.story} - bare
    unreported = {word for word in unreported if word.rpartition("-")[0] not in DATA.debriefing.checks}
    assert unreported <= {"launch", "no-launch", "left", "bombed", "close-call"}


@pytest.mark.rule("doolittle", "1.9", "1.3")
def test_story_of_campaign_cites_only_its_state() -> None:
    for state in (history(), *_campaigns()):
        check(state)


def _campaigns() -> Iterator[Doolittle]:
    """Yield campaigns of all kinds: failed, canceled, with ships lost, with every crew fate."""
    for fate in FATES:
        state = history()
        for crew in state.crews:
            crew.fate = fate  # type: ignore[assignment]
        assert state.ending is not None
        state.ending.checks |= {"prisoners": 3, "reprisal": 3, "alliances": 0}
        for name, step in state.ending.checks.items():
            state.add_to_story(f"{name}-{step}")
        yield state
    sailed = stayed(raiders("early"))
    sailed.voyage = Voyage(ships={key: Ship(key=key, hits=2) for key in ("hornet", "gwin", "enterprise")})
    sailed.launched = Launch("", "none", 9, 3)
    sailed.blotter = notes(site="eglin", chits=["wake", "9066"], modifications=["radio-removed"])
    sailed.talks.granted, sailed.talks.denied, sailed.talks.briefed = ["stilwell"], ["thompson"], ["chiang"]
    yield sailed
    sailed = raid()
    sailed.voyage, sailed.launched = Voyage(met=True), Launch("japan", "planned", 8, 1)
    sailed.facts = {"enemy-ships": 2, "i-boats": 1}
    yield sailed
    yield call_off(raiders("early"))


def test_story_source_missing_from_state_raises() -> None:
    state = raid()
    for ref in (
        "story 0",
        "bomber b24",
        "crew b01",
        "ship hornet",
        "city kyoto",
        "chit wake",
        "check alliances",
        "fact x",
    ):
        with pytest.raises((KeyError, IndexError, AssertionError)):
            source_names(state, DATA, ref)


# -- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "1.9")
def test_front_page_for_history_names_cities_and_targets() -> None:
    content = text(history(), "paper")
    assert content.startswith("Three cities of Japan bombed")
    state = history()
    state.targets["tokyo"].dark = True
    content = text(state, "paper")
    assert "15 bombers of the Army let go their bombs over Tokyo, Nagoya and Osaka-Kobe." in content
    assert "In Tokyo the Army Arsenal burns." in content
    assert "Other bombs fell in Nagoya North." in content
    assert "Every one of the bombers flew on from Japan." in content
    assert "Tokyo has put its lights out" in content


@pytest.mark.rule("doolittle", "1.9", "4.9")
def test_front_page_names_three_targets_and_counts_rest() -> None:
    state = history()
    boxes = [box for _, box in state.targets["nagoya"].boxes]
    for box in boxes[:5]:
        box.blast = 1
    boxes[2].blast = 3
    assert re.search("In Nagoya [^,]*, [^,]* and [^,]* burn, and two [a-z]*[.]", text(state, "paper"))


@pytest.mark.rule("doolittle", "1.9", "4.6.3.K")
@pytest.mark.parametrize("blast", [0, 2])
def test_front_page_names_carrier_only_if_hit(blast: int) -> None:
    state = history()
    ship = next(key for key, card in DATA.hazards.markers.items() if card.kind == "ryuho")
    for city, area, box in (
        ("tokyo", "tokyo-bay-south", "bay-shipping"),
        ("osaka-kobe", "osaka-bay", "osaka-shipping"),
    ):
        result = state.targets[city].areas[area].boxes[box]
        result.markers, result.blast = [Marker(key=ship, shown=True)], blast if city == "tokyo" else 0
        state.add_to_story("carrier", "Ryuho", box)
    content = text(state, "paper")
    assert content.count("will not be launched this year") == bool(blast)
    assert ("At the Shipping a carrier" in content) is bool(blast)
    assert ("A carrier under construction was hit." in text(state, "report")) is bool(blast)


@pytest.mark.rule("doolittle", "1.9")
def test_headline_depends_on_damage() -> None:
    state = raid()
    assert page(state, "paper").heading.text == "Japan talks of bombers; Washington says nothing"
    state.targets["nagoya"].tally = 1
    next(iter(state.targets["nagoya"].areas.values())).blast = 1
    assert page(state, "paper").heading.text == "Bombs fall on Japan"
    next(iter(state.targets["nagoya"].boxes))[1].blast = 2
    assert page(state, "paper").heading.text == "Nagoya bombed"
    stayed(state)
    assert page(state, "paper").heading.text == "Another quiet day at sea"


@pytest.mark.rule("doolittle", "1.9", "15.1.2")
def test_pages_after_raid_called_off_report_nothing() -> None:
    state = list(_campaigns())[-1]
    assert page(state, "paper").heading.text == "No news from the Pacific"
    assert "called off" in text(state, "report")
    assert "forget it" in text(state, "letter")


@pytest.mark.rule("doolittle", "1.9")
def test_letter_is_by_survivor_with_most_events() -> None:
    state = history()
    state.add_to_story("attack", "flight-1", "tokyo")
    state.add_to_story("hit", "b02", "tokyo-arsenal")
    state.add_to_story("damaged", "b02", "flak")
    content = text(state, "letter")
    assert content.endswith("One of Hoover's crew")
    assert "Tokyo" in content
    assert "Army Arsenal" in content
    assert "flak" in content


@pytest.mark.rule("doolittle", "1.9", "2.3")
def test_letter_of_elite_crewman_has_his_name() -> None:
    state = raid()
    state.crews = [Crew(key="b07", where="kian", fate="chungking", elites=[EliteMan(key="e18")])]
    assert page(state, "letter").signed == "Thatcher, gunner with Lawson"


@pytest.mark.rule("doolittle", "1.9")
@pytest.mark.parametrize(
    ("fate", "signed"),
    [("interned", "One of"), ("captured", "One of"), ("missing", "The chaplain"), ("killed", "The chaplain")],
)
def test_letter_signature_depends_on_crew_fate(fate: str, signed: str) -> None:
    state = raid()
    state.crews = [Crew(key=key, where="trekking", fate=fate) for key in state.squad]  # type: ignore[arg-type]
    assert page(state, "letter").signed.startswith(signed)


@pytest.mark.rule("doolittle", "1.9", "12.0.1")
def test_letter_without_flight_is_by_sailor() -> None:
    state = stayed(raiders("early"))
    result = page(state, "letter")
    assert result.signed == "A hand from the flight deck"


@pytest.mark.rule("doolittle", "1.9", "1.3")
def test_report_has_figures_and_all_views() -> None:
    state = history()
    assert state.ending is not None
    state.ending.checks = {"prisoners": 3, "reprisal": 1, "alliances": 2}
    content = text(state, "report")
    assert "16 bombers were launched in an emergency, in the sea area Defense East." in content
    assert "Crews: 13 home or on their way, 0 interned, 2 captured, 1 killed or missing." in content
    assert "Shot after the trial: one crew." in content
    assert "Tokyo: twelve bombers released; blast 12 on one target, 0 elsewhere." in content
    assert "Nagoya: two bombers released; blast 2 on one target, 5 elsewhere." in content
    assert "Bombers: 16 lost, 0 saved." in content
    assert "Secrecy tests failed: 4. At the end the alert level in Japan was 1." in content
    assert f"The raid as a whole: {campaign.overall_result(state, DATA)[1].title}." in content
    for name, step in state.ending.checks.items():
        check = DATA.debriefing.checks[name]
        assert f"{check.title}: {check.band[step].title}." in content
    for view in DATA.debriefing.perspectives.values():
        assert f"{view.title} (" in content


@pytest.mark.rule("doolittle", "1.9", "1.2")
def test_short_report_lists_landings_and_untouched_cities() -> None:
    state = raid()
    state.ending = None
    state.squad["b01"].fate, state.squad["b01"].where, state.squad["b01"].well = "landed", "kian", True
    state.squad["b02"].fate = "destroyed"
    content = text(state, "report")
    assert "Bombers: 1 lost with their crews, 1 safe on fields in China." in content
    assert "Crews: 1 in China, 0 down elsewhere." in content
    assert "Tokyo was not attacked." in content
    assert "Bombers: 16 lost" not in content
    assert "The raid as a whole" not in content


@pytest.mark.rule("doolittle", "1.3")
def test_report_without_a_launch_names_the_ending() -> None:
    state = stayed(history())
    assert "The raid as a whole: No raid. No bomber took off." in text(state, "report")


@pytest.mark.rule("doolittle", "1.9", "12.0.1")
@pytest.mark.parametrize("how", ["none", "emergency"])
def test_report_without_launch_covers_only_ships(how: How) -> None:
    state = stayed(raid())
    state.launched = Launch("", how, 10, 0)
    content = text(state, "report")
    assert "No bomber was launched. The task forces did not meet." in content
    assert "No ship was lost or damaged." in content
    assert not re.search("Bombers:|Crews:|was not attacked|were launched", content)


@pytest.mark.rule("doolittle", "1.9", "12.5.3", "10.1.1")
def test_report_tells_rendezvous_and_ship_losses() -> None:
    state = raid()
    state.voyage = Voyage(met=True, ships={key: Ship(key=key, hits=2) for key in ("enterprise", "gwin")})
    state.facts = {"enemy-ships": 1, "i-boats": 2}
    content = text(state, "report")
    assert "The task forces met." in content
    assert "Ships: 2 sunk, 0 damaged; of the enemy, 1 sunk and 2 driven off." in content


@pytest.mark.rule("doolittle", "1.9", "13.3", "13.4.1")
def test_report_tells_preparation() -> None:
    state = raid()
    state.blotter = notes(site="eglin", modifications=["radio-removed", "mark-twain"])
    assert "The aircraft carried two modifications; the squadron trained at Eglin" in text(state, "report")


@pytest.mark.rule("doolittle", "1.9", "13.2")
def test_report_tells_results_of_talks() -> None:
    state = history()
    state.blotter = notes()
    state.talks.granted, state.talks.denied, state.talks.briefed = ["stilwell"], ["thompson"], ["chiang"]
    assert f"Nimitz was asked for {DATA.planning.calendar.row['nimitz'].asks}" not in text(state, "report")
    state.talks.granted.append("nimitz")
    content = text(state, "report")
    rows = DATA.planning.calendar.row
    assert f"Chiang was asked for {rows['stilwell'].asks} and agreed." in content
    assert f"Stalin was asked for {rows['thompson'].asks} and refused." in content
    assert f"Nimitz was asked for {rows['nimitz'].asks} and agreed." in content
    assert re.search(r"Chiang was \w+ what was planned[.]", content)
    assert not re.search(r"Stalin was \w+ what", content)


@pytest.mark.rule("doolittle", "1.9")
def test_time_line_runs_from_january_to_june() -> None:
    state = raid()
    state.blotter, state.segment = notes(), "planning"
    state.add_to_story("selected", "16")
    state.blotter.month = "march"
    state.add_to_story("granted", "nimitz")
    state.segment, state.voyage = "naval", Voyage(turn=4)
    state.add_to_story("ship-sunk", "gwin", "a torpedo")
    state.segment, state.voyage = "flight", None
    state.add_to_story("ditched", "b01", "Z10")
    state.add_to_story("ditched", "b02", "Z10")
    state.segment = "denouement"
    state.add_to_story("crew-chungking", "b01", "chungking")
    state.add_to_story("alliances-1")
    line = [(one.month, one.day, one.sentence.text) for one in build_tale(state, DATA).line]
    assert line == [
        ("January", "", "The Army chooses 16 bombers."),
        ("March", "", "Nimitz obtained consent."),
        ("April", "10–11", "Ships are lost to a torpedo: Gwin."),
        ("April", "", "The bombers take off early, in an emergency launch."),
        ("April", "0800", "Doolittle and Hoover ran out of fuel and came down."),
        ("May", "", "Doolittle reached Chungking."),
        ("June", "", 'The health of the alliances: the result is "correct".'),
    ]
    assert [month for month, _, _ in line] == sorted((month for month, _, _ in line), key=MONTHS.index)


@pytest.mark.rule("doolittle", "1.9")
def test_time_line_of_attack_scenario_is_empty() -> None:
    assert build_tale(raiders("capital"), DATA).line == []


@pytest.mark.rule("doolittle", "1.9", "9.2")
def test_time_line_dates_launch_only_after_voyage() -> None:
    days = {}
    for turn in (0, 1):
        state = raid()
        state.launched = Launch("defense-east", "emergency", turn, 1)
        days[turn] = [
            one.day for one in build_tale(state, DATA).line if one.sentence.text.startswith("The bombers take off")
        ]
    assert days == {0: [""], 1: ["2–5"]}


def test_story_view_holds_plain_text() -> None:
    result = GAME.rules.view(history(), DATA, CAPTAIN).tale
    assert result is not None
    assert [page.key for page in result.pages] == ["paper", "letter", "report"]
    assert all(isinstance(text, str) for page in result.pages for text in page.paragraphs)
    assert result.name == "The Harbor Gazette"


def test_crew_in_siberia_is_released_in_history() -> None:
    assert facts.crew_fate(history(), history().squad[SIBERIA]) == "released"
