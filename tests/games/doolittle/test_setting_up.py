"""Tests of setup: scenarios, options, variants, seats, and contents of the cups."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace
from tests.games.doolittle.raid_helpers import DATA, play

from readyroom.engine.match import Match
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.figures.ending import VARIANTS, Variant
from readyroom.games.doolittle.presentation.scene import scene
from readyroom.games.doolittle.state import Doolittle

ATTACKS = ["capital", "nagoya", "bay", "kobe", "night", "thirteen"]


def _put_up(scenario: str, **options: str) -> Doolittle:
    return GAME.rules.setup(DATA, GAME.scenario(scenario), GAME.resolve(options))


@pytest.mark.rule("doolittle", "1.2")
def test_attack_scenarios_come_first_in_order() -> None:
    assert [one.key for one in GAME.rules.scenarios(DATA)][: len(ATTACKS)] == ATTACKS


@pytest.mark.rule("doolittle", "1.2", "2.3")
@pytest.mark.parametrize("scenario", ATTACKS)
def test_attack_scenario_setup_matches_its_card(scenario: str) -> None:
    state, card = _put_up(scenario), DATA.scenarios[scenario]
    assert state.raid is not None
    assert (state.raid.city, state.raid.light, state.security.alert) == (card.map, card.light, card.alert)
    assert {key: one.enters for key, one in state.squad.items()} == {one.bomber: one.turn for one in card.entry}
    assert {one.elite.key: key for key, one in state.squad.items() if one.elite} == card.elites
    assert all(one.loaded and not one.hits for one in state.squad.values())
    assert not state.city.burns


@pytest.mark.rule("doolittle", "2.3")
@pytest.mark.parametrize("scenario", ATTACKS)
def test_bomber_has_at_most_one_elite_crewman(scenario: str) -> None:
    bombers = Counter(DATA.scenarios[scenario].elites.values())
    assert not bombers or max(bombers.values()) <= DATA.bombers.crew.elites


@pytest.mark.rule("doolittle", "4.2.1", "4.2.2")
@pytest.mark.parametrize("scenario", ATTACKS)
def test_cups_at_setup_hold_all_their_markers(scenario: str) -> None:
    state, card = _put_up(scenario), DATA.scenarios[scenario]
    assert card.map
    assert set(state.cups) == {*DATA.targets.maps[card.map].cups.values(), DATA.hazards.reserve.cup}
    for name, cup in state.cups.items():
        assert len(cup.contents) == DATA.hazards.cups[name].total
        assert not any(one.shown for one in cup.contents)


@pytest.mark.rule("doolittle", "1.2")
def test_variant_changes_light_or_alert() -> None:
    raids = {key: _put_up(key, variant="variant") for key in ATTACKS}
    lights = {key: state.raid.light for key, state in raids.items() if state.raid}
    assert lights == {
        "capital": "day",
        "nagoya": "night",
        "bay": "night",
        "kobe": "night",
        "night": "night",
        "thirteen": "day",
    }
    assert raids["capital"].security.alert == 1
    assert raids["thirteen"].security.alert == 2


@pytest.mark.rule("doolittle", "1.2", "4.2.2")
def test_alerted_city_keeps_response_in_own_cup() -> None:
    state = _put_up("capital", variant="variant")
    own, reserve = DATA.hazards.cups["tokyo-day"].total, DATA.hazards.cups["response"].total
    assert len(state.cups["tokyo-day"].contents) == own + reserve
    assert state.cups["response"].contents == []
    for seed in range(5):
        match = play("capital", seed=f"awake {seed}", variant="variant")
        assert match.state.cups["response"].contents == []


@pytest.mark.rule("doolittle", "1.4", "DR111")
@pytest.mark.parametrize(
    ("players", "seats"),
    [("1", ["captain"]), ("2", ["captain-1", "captain-2"]), ("3", ["captain-1", "captain-2", "captain-3"])],
)
def test_captains_share_one_side(players: str, seats: list[str]) -> None:
    match = Match(GAME, "thirteen", options={"players": players})
    assert [seat.key for seat in match.seats] == seats
    assert {seat.side for seat in match.seats} == {"usa"}


@pytest.mark.rule("doolittle", "1.4", "DR111")
def test_captains_all_decide_and_share_one_view() -> None:
    match = play("thirteen", players="3")
    record = match.record()
    assert all(f'"seat":"{seat.key}"' in record for seat in match.seats)
    views = [match.view(seat.key).table for seat in match.seats]
    assert views[0] == views[1] == views[2]


@pytest.mark.parametrize("scenario", ATTACKS)
def test_markers_are_conserved_through_match(scenario: str) -> None:
    before = Counter(one.key for cup in _put_up(scenario).cups.values() for one in cup.contents)
    state = play(scenario).state
    after = Counter(one.key for cup in state.cups.values() for one in cup.contents)
    after += Counter(one.key for one in state.out)
    for target in state.targets.values():
        for area in target.areas.values():
            boxed = (one for box in area.boxes.values() for one in box.markers)
            after += Counter(one.key for one in (*area.markers, *boxed))
    for bomber in state.squad.values():
        after += Counter(one.key for one in (*bomber.markers, *bomber.assigned))
    assert after == before


VARIED = [
    (key, which, card)
    for key, scenario in DATA.scenarios.items()
    for which, card in zip(VARIANTS, (one for one in scenario.variant if not one.denouement), strict=False)
]


@pytest.mark.rule("doolittle", "1.2")
@pytest.mark.parametrize(("scenario", "which", "variant"), VARIED, ids=[f"{key} {which}" for key, which, _ in VARIED])
def test_variant_leaves_other_values_unchanged(scenario: str, which: str, variant: Variant) -> None:
    state, card = _put_up(scenario, variant=which), DATA.scenarios[scenario]
    assert state.security.alert == (card.alert if variant.alert is None else variant.alert)
    if state.plan is not None:
        assert state.plan.enterprise == (card.enterprise if variant.enterprise is None else variant.enterprise)
        assert state.plan.submarines == card.submarines | variant.submarines
    assert state.security.value == (card.secrecy or DATA.security.track.value)
    if state.air is not None:
        stocks = {"fuel": state.sky.stock, "groundcrews": state.sky.groundcrews}
        for what, there in stocks.items():
            assert there == {one.site: getattr(one, what) for one in variant.stockpile if getattr(one, what)}
    reserve = state.cups[DATA.hazards.reserve.cup].contents
    assert bool(reserve) is not (variant.response_mixed and state.raid is not None)


@pytest.mark.rule("doolittle", "6.1", "1.2")
def test_scenario_secrecy_value_overrides_default() -> None:
    scenario = GAME.scenario("early")
    card = replace(DATA.scenarios["early"], secrecy=3)
    state = GAME.rules.setup(DATA, replace(scenario, content=card), GAME.resolve({}))
    assert state.security.value == 3


@pytest.mark.rule("doolittle", "1.2", "14.0")
@pytest.mark.parametrize("scenario", [*ATTACKS, "early"])
def test_denouement_is_played_only_by_option_after_flight(scenario: str) -> None:
    flies = scenario == "early"
    assert ("denouement" in _put_up(scenario, ending="told").agenda) is flies
    assert "denouement" not in _put_up(scenario, ending="short").agenda
    assert (_put_up(scenario, ending="told").voyage is not None) is flies


def _decisions(match: Match) -> Counter[str]:  # type: ignore[type-arg]
    """Return the number of decisions per captain in a match played by the doctrine bot."""
    random, counts = Random(1), Counter[str]()
    bots = {seat.key: GAME.analysis.bots["doctrine"](seat.key, random) for seat in match.seats}
    while match.outcome is None:
        seat, decision = next(iter(match.pending.items()))
        counts[f"{match.state.segment} {seat}"] += 1
        match.decide(seat, bots[seat](decision, match.bot_view(seat)))
    return counts


@pytest.mark.torture(2)
@pytest.mark.rule("doolittle", "1.4", "DR111")
def test_campaign_segments_are_shared_by_three_captains() -> None:
    counts = Counter[str]()
    for number in range(3):
        counts += _decisions(Match(GAME, "campaign", options={"players": "3"}, seed=f"shared {number}"))
    for segment in ("planning", "naval", "flight"):
        assert all(counts[f"{segment} captain-{seat}"] >= 10 for seat in (1, 2, 3)), segment
    first = sum(count for key, count in counts.items() if key.endswith("-1"))
    assert first / counts.total() < 0.5


@pytest.mark.rule("doolittle", "1.4", "DR111")
def test_first_captain_leads_throughout_by_option() -> None:
    match = Match(GAME, "campaign", options={"players": "3", "lead": "first"}, seed="first")
    counts = _decisions(match)
    assert {key for key in counts if key.startswith(("planning", "naval"))} <= {"planning captain-1", "naval captain-1"}
    assert not any(line.text.endswith("leads.") for line in match.full_log)


@pytest.mark.rule("doolittle", "1.4", "DR111")
def test_leader_is_logged_and_shown() -> None:
    match = Match(GAME, "campaign", options={"players": "2"}, seed="leads")
    assert "Captain 1 leads." in [line.text for line in match.full_log]
    assert scene(match.view("captain-2")).lines[-1] == "Captain 1 leads"
