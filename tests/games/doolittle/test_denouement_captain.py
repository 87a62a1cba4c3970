"""Tests of the doctrine captain after the raid: it saves the crews, and meets planes with all squadrons."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from tests.games.doolittle.end_helpers import COPILOT, crew, fates, over, standing
from tests.games.doolittle.helpers import DATA, run, table, windy
from tests.games.doolittle.strike_helpers import hangar, struck
from tests.views import view_of

from readyroom import bots
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision, Option, OptionInfo
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.bots.denouement import answers
from readyroom.games.doolittle.denouement.crews import search_for_crews
from readyroom.games.doolittle.denouement.fields import capable
from readyroom.games.doolittle.denouement.treks import transport
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.airstrike import army, navy
from readyroom.games.doolittle.voyage.return_to_port import roll_incident
from readyroom.testing.running import Answer

RULES = ("2.3", "2.3.2", "11.1.1", "11.2", "11.4.3", "14.3.2", "14.4.1", "14.4.2", "14.4.3", "14.4.4")
REPAIR = next(key for key, card in DATA.bombers.crewmen.items() if card.benefit == COPILOT)


def _captain(state: Doolittle) -> Mapping[str, Answer]:
    """Return its answers, based on its view."""
    captain = bots.make_bot(GAME, "doctrine", "captain", Random(1))

    def answer(decision: Decision) -> list[str]:
        return list(captain(decision, lambda: view_of(GAME, state, None)))

    return dict.fromkeys(RULES, answer)


def test_captain_flies_two_crews_to_chungking_if_fuel_suffices() -> None:
    state = windy(over("transport"), "Z12", "headwind")
    standing(state, "b01", "kweilin", fuel=2)
    for key in ("b01", "b02", "b03"):
        crew(state, key, "kweilin")
    run(transport(table(state, 6, 6)), _captain(state))
    assert (state.squad["b01"].fate, set(fates(state).values())) == ("saved", {"chungking"})


def test_captain_lands_for_fuel_on_the_way() -> None:
    state = windy(over("transport"), "Z12", "headwind")
    state.sky.stock["kian"] = 4
    standing(state, "b01", "chuchow", fuel=1)
    crew(state, "b01", "chuchow")
    run(transport(table(state)), _captain(state))
    assert (state.squad["b01"].fate, state.sky.stock["kian"]) == ("saved", 1)


def test_captain_walks_with_dry_tanks_by_the_best_odds() -> None:
    state = windy(over("transport"), "Z12", "headwind", "storm")
    standing(state, "b01", "chuchow")
    crew(state, "b01", "chuchow")
    crew(state, "b02", "trekking")
    asked: list[Decision] = []
    run(transport(table(state, *[6] * 12)), _captain(state), asked)
    assert (state.squad["b01"].fate, set(fates(state).values())) == ("wrecked", {"chungking"})


def test_captain_repairs_damage_and_gives_up_doolittle_last() -> None:
    state = over("fields")
    state.sky.groundcrews["kian"] = 1
    standing(state, "b01", "kian", hits=2)
    standing(state, "b02", "kian", hits=1)
    crew(state, "b01", "kian", "e01")
    crew(state, "b02", "kian", REPAIR)
    run(capable(table(state)), _captain(state))
    assert [bomber.hits for bomber in state.squad.values()] == [0, 0]
    run(search_for_crews(table(state, 1), state.crews, "kian"), _captain(state))
    assert fates(state) == {"b01": "", "b02": "captured"}
    assert [man.key for man in state.crews[0].elites] == ["e01"]


def test_captain_spares_the_carriers() -> None:
    state = over("homeward")
    run(roll_incident(table(state, 5, 3), "task-force"), _captain(state))
    run(roll_incident(table(state, 6, 2), "task-force"), _captain(state))
    hit = [key for key, ship in state.sea.ships.items() if ship.hits or ship.sunk]
    assert len(hit) == 3
    assert not {"hornet", "enterprise"} & set(hit)


@pytest.mark.parametrize(("area", "continues"), [("defense-east", True), ("midway", False)])
def test_captain_sends_all_against_planes_and_bombers_if_japan_is_in_range(area: str, *, continues: bool) -> None:
    state = struck(spotted="recon", area=area, hornet="center", enterprise="center")
    hangar(state, "vs6", "vb6", "vf6")
    run(navy(table(state, 3, 4)), _captain(state))
    assert state.strike is not None
    assert state.strike.navy == ["vs6", "vb6", "vf6"]
    run(army(table(state, 6, 6, *[6] * 12)), _captain(state))
    assert (state.deck is not None) == continues


@pytest.mark.torture(3)
def test_captain_brings_more_crews_to_chungking_than_random() -> None:
    def home(who: str, number: int) -> int:
        match = Match(GAME, "early", options={"ending": "told", "variant": "variant"}, seed=f"home {number}")
        captain, random = bots.make_bot(GAME, who, "captain", Random(number)), Random(number)
        while match.outcome is None:
            decision = match.pending["captain"]
            over_ = match.state.segment == "denouement"
            result = bots.make_bot(GAME, "doctrine", "captain", random) if not over_ else captain
            match.decide("captain", result(decision, lambda: match.view("captain")))
        return sum(one.fate == "chungking" for one in match.state.crews)

    mine, yours = (sum(home(who, number) for number in range(4)) for who in ("doctrine", "random"))
    assert mine > yours


def test_captain_flies_at_low_odds_where_walking_is_impossible() -> None:
    flying = [Option(key, key, key, OptionInfo("", 0.1)) for key in ("fly-b01", "fly-b02")]
    asked: Any = SimpleNamespace(options=flying, keys=[option.key for option in flying])
    sets_out: Any = answers()["14.4.2"]
    assert sets_out(asked, None) == ["fly-b01"]


def test_crew_flies_its_own_bomber_and_takes_crews_without_one() -> None:
    landed: Any = SimpleNamespace(squad=[SimpleNamespace(key=key, fate="landed") for key in ("b01", "b02")])
    boards: Any = answers()["14.4.1"]
    first: Any = SimpleNamespace(keys=["with-b02", "with-b01"], piece_key="b01")
    assert boards(first, landed) == ["with-b01"]
    then: Any = SimpleNamespace(keys=["enough", "with-b02", "with-b03"], piece_key="b01")
    assert boards(then, landed) == ["with-b03"]
    missing: Any = SimpleNamespace(keys=["enough", "with-b02"], piece_key="b01")
    assert boards(missing, landed) == ["enough"]


def test_single_hit_goes_to_a_whole_ship_unless_it_sinks_her() -> None:
    ships = [
        Option(key, key, key, OptionInfo(note)) for key, note in (("hit-gwin", "DD, damaged"), ("hit-balch", "DD"))
    ]
    for rule, hit in (("11.4.3", "hit-balch"), ("14.3.2", "hit-gwin")):
        takes: Any = answers()[rule]
        assert takes(SimpleNamespace(options=ships, rule=rule, at_least=1), None) == [hit]
    ships.append(Option("hit-ellet", "", "hit-ellet", OptionInfo("DD")))
    spread: Any = answers()["14.3.2"]
    two = spread(SimpleNamespace(options=ships, rule="14.3.2", at_least=2), None)
    assert two == ["hit-balch", "hit-ellet"]


def test_captain_takes_the_fuel_needed_beyond_the_next_field() -> None:
    amounts = [Option(f"fuel-{number}", "", number, OptionInfo("", 1.0)) for number in (1, 2, 3)]
    keys = [option.key for option in amounts]
    fuels: Any = answers()["14.4.1"]
    for where, taken in (("Chungking", "fuel-1"), ("Kian", "fuel-3")):
        asked: Any = SimpleNamespace(options=amounts, keys=keys, question=f"How much fuel to {where}?")
        assert fuels(asked, None) == [taken]
    unsure = [Option(key, "", key, OptionInfo("", 0.5)) for key in keys]
    asked = SimpleNamespace(options=unsure, keys=keys, question="How much fuel to Chungking?")
    assert fuels(asked, None) == ["fuel-3"]


def test_crews_on_foot_go_together() -> None:
    asked: Any = SimpleNamespace(keys=["go-b01", "go-b02"], options=[])
    sets_out: Any = answers()["14.4.2"]
    assert sets_out(asked, None) == ["go-b01", "go-b02"]


def test_captain_in_the_air_seeks_fuel_if_chungking_is_out_of_range() -> None:
    chances = {"to-kian": 0.3, "to-kweilin": 0.5, "to-chungking": 0.2}
    ways = [Option(key, key, key, OptionInfo("", chance)) for key, chance in chances.items()]
    sites = [SimpleNamespace(key="kian", stock=4), SimpleNamespace(key="kweilin", stock=0)]
    table: Any = SimpleNamespace(sky=SimpleNamespace(sites=sites))
    flies: Any = answers()["14.4.3"]
    assert flies(SimpleNamespace(options=ways, piece_key="b01"), table) == ["to-kian"]
    likely = [*ways[:2], Option("to-chungking", "", "to-chungking", OptionInfo("", 0.95))]
    assert flies(SimpleNamespace(options=likely, piece_key="b01"), table) == ["to-chungking"]


def test_captain_on_foot_takes_the_best_odds_if_chungking_is_out_of_range() -> None:
    ways = [
        Option(key, key, key, OptionInfo("on foot", chance)) for key, chance in (("to-chuchow", 0.8), ("to-kian", 0.5))
    ]
    walks: Any = answers()["14.4.3"]
    assert walks(SimpleNamespace(options=ways, piece_key=""), None) == ["to-chuchow"]
