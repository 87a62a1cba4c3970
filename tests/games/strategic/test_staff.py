"""Tests of the calculator, and of the matches that roll its actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from rich.console import Console
from tests.games.strategic.queries import ACTIONS, DATA, find_query, game_of

from readyroom.engine.errors import InvalidData, InvalidQuery
from readyroom.engine.match import Match
from readyroom.engine.record.replay import replay
from readyroom.engine.rules.checks import sum_distribution
from readyroom.engine.rules.dice import KeyedDice, fixed_dice
from readyroom.engine.rules.forms import CLOSE, ROLL, OddsResult, fill_in
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import LogLine, Table
from readyroom.games.strategic import war
from readyroom.games.strategic.pearl.harbor_odds import carrier_lost, effects, fate
from readyroom.games.strategic.pearl.pearl_odds import met
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import SIDES
from readyroom.games.strategic.war.bombing_odds import forces, reaching

GAME = war.GAME


def ask(name: str, inputs: Mapping[str, str] | None = None) -> OddsResult:
    return find_query(name).evaluate(inputs or {}, name)


def table(name: str, inputs: Mapping[str, str], *dice: int) -> Table[Any, Data]:
    """Return a calculator table for an action, with fixed dice."""
    text = find_query(name).rolled
    assert text is not None
    game = game_of(name)
    scenario = game.own_scenario(text(fill_in(find_query(name).form_fields, inputs, name)).encode(), f"{name}.toml")
    state = game.rules.setup(DATA, scenario, game.resolve({}))
    state.at = At(1, "throw")
    return Table(state, DATA, fixed_dice(*dice), list[LogLine]())


def roll_action(name: str, inputs: Mapping[str, str], *dice: int) -> tuple[list[str], list[str]]:
    """Roll an action; return its results and its log lines."""
    at = table(name, inputs, *dice)
    results = ACTIONS[name].roll(at, ACTIONS[name].complete(DATA, at.state.played.inputs))
    return results, [line.text for line in at.log or ()]


def parts(answer: OddsResult) -> list[OddsResult]:
    return [answer, *(inner for part in answer.parts for inner in parts(part))]


@pytest.mark.rule("war", "ST", "ST.1")
@pytest.mark.rule("pearl", "ST", "ST.1")
@pytest.mark.parametrize("name", list(ACTIONS))
def test_distributions_sum_to_one(name: str) -> None:
    for part in parts(ask(name)):
        if part.rows and "in an unknown place" not in part.title:
            assert sum(chance for _, chance in part.rows) == Fraction(1), part.title


@pytest.mark.rule("war", "ST.1")
@pytest.mark.rule("pearl", "ST.1")
@pytest.mark.parametrize("name", list(ACTIONS))
def test_modifier_effects_match_recalculated_means(name: str) -> None:
    answer = ask(name)
    question = find_query(name)
    for line in DATA.modifiers.modifier:
        effect = next((one for one in answer.effects if one.what == line.title), None)
        if (
            effect is None
            or "jets" in line.key
            or line.kind not in ("tick", "each")
            or line.key not in question.form_fields
            or line.needs
        ):
            continue
        inputs = {line.key: "yes" if line.kind == "tick" else "1"}
        after = dict(ask(name, inputs).expected)
        for what, change in effect.changes:
            assert after[what] - dict(answer.expected)[what] == change, (line.title, what)


# -- submarines ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("war", "24.62.1", "24.62.3", "A1")
@pytest.mark.rule("pearl", "24.62.1", "24.62.3")
def test_submarine_results_are_described() -> None:
    inputs = {"submarines": "12", "escorts": "16", "us-war": "yes", "us-war-turn": "first", "french-ports": "yes"}
    results, log = roll_action("atlantic", inputs, 3, 4, 6, 5)
    assert results == [
        "submarines 3/8: 3 escorts and 8 merchant ships lost",
        "escorts 3/9: 3 submarines sunk, 4 out of the next turn",
    ]
    assert log[0] == "The submarines attack in the Atlantic: 3 escorts and 8 merchant ships lost (result 3/8)."


@pytest.mark.rule("war", "24.62.2")
@pytest.mark.rule("pearl", "24.62.2")
def test_forty_factors_use_two_rows() -> None:
    results, _ = roll_action("warfare", {"strength": "40"}, 3, 4)
    assert results == ["10/18"]


@pytest.mark.rule("war", "A1", "A21")
def test_submarine_result_options() -> None:
    inputs = {"submarines": "12", "escorts": "1", "merchants": "3"}
    assert (
        roll_action("pacific", inputs, 3, 4, 1, 1)[0][0]
        == "submarines 2/7: 1 escort and 3 merchant ships and 6 resources lost"
    )
    more = inputs | {"excess": "all"}
    assert (
        roll_action("pacific", more, 3, 4, 1, 1)[0][0]
        == "submarines 2/7: 1 escort and 3 merchant ships and 15 resources lost"
    )
    ships = inputs | {"submarine_results": "shipping", "merchants": "40"}
    assert roll_action("pacific", ships, 3, 4, 1, 1)[0][0] == "submarines 2/7: 11 merchant ships lost"


# -- bombing ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("war", "24.62.8", "19.2", "A18", "A24")
@pytest.mark.rule("pearl", "19.2")
def test_forces_in_air_combat() -> None:
    inputs = dict.fromkeys(("bombers", "army", "escorts", "escort-jets", "defenders", "jets"), "0")
    assert forces(inputs | {"bombers": "8", "defenders": "5"}) == (5, 5, 8, 0)
    assert forces(inputs | {"bombers": "6", "army": "8", "defenders": "4", "jets": "2"}).bombers == 8
    raid = forces(inputs | {"bombers": "6", "escorts": "3", "escort-jets": "1", "defenders": "5"})
    assert (raid.defence, raid.bombers, raid.escorts) == (5, 6, 4)


@pytest.mark.rule("war", "24.62.8", "24.62.9", "A2")
def test_bombing_rolls_fight_bombs_and_guns() -> None:
    inputs = {"bombers": "8", "defenders": "5", "cities": "2", "flak": "3"}
    results, log = roll_action("bombing", inputs, 3, 4, 2, 4, 6, 5, 1, 2)
    assert results[0].startswith("fight ")
    assert results[1].startswith("bombs ")
    assert results[2] == "guns 1/2"
    assert len(log) == 4


@pytest.mark.rule("war", "24.62.8")
def test_undefended_raid_keeps_all_bombers() -> None:
    who = forces(dict.fromkeys(("army", "escorts", "escort-jets", "defenders", "jets"), "0") | {"bombers": "8"})
    assert reaching(DATA.air, who, 0) == {8: 1}
    answer = ask("bombing", {"defenders": "0"})
    over = next(part for part in answer.parts if part.title == "Bombers over the target")
    assert dict(over.rows) == {"8 factors": Fraction(1)}
    bombs = next(part for part in answer.parts if part.title == "The bombs")
    assert [chance for _, chance in bombs.rows] == list(DATA.strategic.odds(8, 0).values())


# -- Pearl Harbor ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("pearl", "51.31.1", "51.31.2", "51.31.4", "51.31.7", "A6", "A15")
def test_surprise_rolls_each_step() -> None:
    inputs = {"tension": "37", "final": "open", "japan-magic": "1", "usa-magic": "3", "carriers": "2"}
    results, log = roll_action("surprise", inputs, 5, 6, 6, 1, 1, 1)
    assert results == [
        "column 40+",
        "first force intercepts automatically",
        "second force in the Pacific box",
        "surprise 4",
    ]
    assert "tension with Magic is 40" in log[0]
    assert log[-1].endswith("Two thirds of the aircraft engage, the rest are on the ground.")


@pytest.mark.rule("pearl", "51.31.1")
def test_open_final_roll_spreads_columns() -> None:
    assert dict(ask("surprise", {"tension": "35", "final": "thrown"}).rows) == {"column 34-35": Fraction(1)}
    rows = dict(ask("surprise", {"tension": "35", "final": "open"}).rows)
    assert rows == {
        "column 32-33": Fraction(1, 6),
        "column 34-35": Fraction(1, 2),
        "column 36-37": Fraction(1, 3),
    }


@pytest.mark.rule("pearl", "51.31.5", "51.31.7", "20.51", "A8", "A19", "A20")
def test_critical_hit_sinks_damaged_ship() -> None:
    inputs = {"squadrons": "5", "size": "4", "surprise-level": "7"}
    assert roll_action("first-strike", inputs, 3, 3, 5)[0] == ["the ship sunk"]
    assert roll_action("first-strike", inputs, 3, 3, 4)[0] == ["the ship damaged"]
    assert roll_action("first-strike", inputs | {"surprise-level": "6"}, 3, 3)[0] == ["the ship damaged"]
    assert roll_action("first-strike", inputs | {"critical": "4"}, 3, 3, 4)[0] == ["the ship sunk"]
    once, twice = ask("first-strike", inputs), ask("first-strike", inputs | {"bonus": "twice"})
    assert (once.total, twice.total) == (1, 2)


@pytest.mark.rule("pearl", "51.31.3", "A22")
def test_interception_depends_on_place() -> None:
    inputs = {"first": "5", "second": "Auto", "third": "Pacific"}
    answer = ask("second-strike", inputs)
    assert dict(answer.rows) == {"1 of 3 intercept": Fraction(2, 3), "2 of 3 intercept": Fraction(1, 3)}
    results, _ = roll_action("second-strike", inputs, 4, 3, 3)
    assert results == [
        "first force does not find them",
        "second force intercepts",
        "third force cannot intercept",
        "the ship damaged",
    ]
    assert met([Fraction(1, 2), Fraction(1, 2)]) == [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]


# -- harbor attacks --------------------------------------------------------------------------------------------------


@pytest.mark.rule("pearl", "HA", "HA.5", "HA.6")
def test_harbor_attack_known_odds() -> None:
    """Table values for a ship of size four and for the carrier, at several modifiers."""
    sunk = {
        (dice, added): sum(p for roll, p in sum_distribution(dice, SIDES).items() if effects(DATA, roll + added) >= 4)
        for dice, added in ((2, 0), (2, 2), (3, 0), (3, -3), (3, -6))
    }
    assert [round(float(chance), 2) for chance in sunk.values()] == [0.17, 0.42, 0.62, 0.26, 0.05]
    lost = [round(float(carrier_lost(DATA, added, 1)), 2) for added in (-3, -6, -8)]
    assert lost == [0.05, 0.26, 0.5]
    assert fate(4, 4) == "sunk"
    assert (fate(3, 4), fate(2, 4), fate(1, 1), fate(0, 1)) == ("damaged", "unhurt", "sunk", "unhurt")


@pytest.mark.rule("pearl", "20.51", "HA.6")
@pytest.mark.parametrize("name", ["first-strike", "second-strike", "harbor-submarine", "harbor-carrier"])
def test_light_ships_cannot_be_damaged(name: str) -> None:
    inputs = {"size": "1"} | ({"squadrons": "1"} if "strike" in name else {})
    chances = dict(row for part in parts(ask(name, inputs)) for row in part.rows)
    assert chances["damaged"] == 0
    assert chances["unhurt"] + chances["sunk"] == 1


@pytest.mark.rule("pearl", "51.31.6", "A17")
@pytest.mark.parametrize(("target", "gone"), [("army", 3), ("naval", 7)])
def test_grounded_aircraft_are_attacked_as_ships(target: str, gone: int) -> None:
    """Five squadrons at a modified 7: three effects, so three army factors or nine squadrons."""
    inputs = {"target": target, "aircraft": "7"}
    assert roll_action("first-strike", inputs, 3, 3)[0] == [f"{gone} destroyed"]
    assert sum(chance for _, chance in ask("first-strike", inputs).rows) == 1


@pytest.mark.rule("pearl", "HA.3")
def test_germanys_initial_attack_has_one_target() -> None:
    with pytest.raises(InvalidQuery, match=r"Germany's initial attack allows 1 target, not 2 \[HA.3\]"):
        ask("harbor-submarine", {"initial": "yes", "theater": "europe", "level": "8", "targets": "2"})


@pytest.mark.rule("war", "24.62.9")
def test_spare_range_has_no_limit() -> None:
    assert ("hexes of range to spare, Pacific", 12) in [
        line
        for part in parts(ask("bombing", {"theater": "pacific", "excess-pacific": "50"}))
        for line in part.net or ()
    ]


@pytest.mark.rule("pearl", "HA.2", "HA.4", "HA.6")
def test_carrier_attack_may_lose_carrier() -> None:
    inputs = {"level": "8", "targets": "3", "hex": "3", "earlier": "1"}
    results, log = roll_action("harbor-carrier", inputs, 6, 6, 5, 2, 2, 2, 4, 4, 3)
    assert results == [
        "target 1: 5 effects, sunk",
        "target 2: 0 effects, unhurt",
        "target 3: 2 effects, unhurt",
        "the carrier is lost",
    ]
    assert log[-1] == "A roll is 2 or less: the carrier is lost."


@pytest.mark.rule("pearl", "HA.5", "A9", "A10", "A11")
def test_advanced_submarines_attack_at_plus_one() -> None:
    inputs = {"advanced": "yes", "earlier": "3", "level": "7", "targets": "2"}
    assert ask("harbor-submarine", inputs).total == 1
    assert ask("harbor-submarine", inputs | {"alone": "adds"}).total == -2
    results, _ = roll_action("harbor-submarine", inputs, 5, 4, 1, 1)
    assert results == ["target 1: 4 effects, sunk", "target 2: 0 effects, unhurt"]
    picked = next(part for part in ask("harbor-submarine", {"groups": "4"}).parts if "group" in part.title)
    assert dict(picked.rows)["is chosen"] == Fraction(1, 4)


@pytest.mark.rule("pearl", "HA.1", "HA.3", "HA.5")
def test_submarine_in_box_ignores_distance() -> None:
    assert ask("harbor-submarine", {"from": "box", "distance": "40"}).rows
    assert ask("harbor-submarine", {"initial": "yes", "theater": "europe"}).rows


# -- sampled ---------------------------------------------------------------------------------------------------------

SAMPLES = 100_000


def _last_word(results: list[str]) -> str:
    """Return the fate of the first ship or force."""
    return results[0].rpartition(", ")[2].removeprefix("the ship ").removeprefix("first force ")


def _bombs(results: list[str]) -> str:
    return results[1].removeprefix("bombs ")


def _submarines(results: list[str]) -> str:
    return results[0].removeprefix("submarines ")


def _escorts(results: list[str]) -> str:
    return results[1].removeprefix("escorts ")


def _first_place(results: list[str]) -> str:
    return results[1].removeprefix("first force ")


@pytest.mark.torture(2)
@pytest.mark.rule("war", "ST.1", "24.62.1", "24.62.9")
@pytest.mark.rule("pearl", "ST.1", "24.62.1", "51.31.2", "HA.5", "HA.6")
@pytest.mark.parametrize(
    ("name", "inputs", "part", "read"),
    [
        ("harbor-submarine", {"torpedo": "2"}, "", _last_word),
        ("harbor-carrier", {"hex": "2"}, "", _last_word),
        ("first-strike", {"squadrons": "6"}, "", _last_word),
        ("second-strike", {"first": "4"}, "", _last_word),
        ("atlantic", {"us-war": "yes", "french-ports": "yes"}, "The submarines", _submarines),
        ("pacific", {"by": "american", "manila": "yes"}, "The escorts", _escorts),
        ("bombing", {"escorts": "2", "radar": "1"}, "The bombs", _bombs),
        ("surprise", {"tension": "38"}, "Where a carrier force is", _first_place),
    ],
)
def test_sampled_rolls_match_odds(
    name: str, inputs: dict[str, str], part: str, read: Callable[[list[str]], str]
) -> None:
    at = table(name, inputs)
    at.dice, at.log = KeyedDice(name.encode().ljust(32, b".")), None
    inputs_, roll = ACTIONS[name].complete(DATA, at.state.played.inputs), ACTIONS[name].roll
    counts: dict[str, int] = {}
    for turn in range(SAMPLES):
        at.state.at = At(turn, "throw")
        result = read(roll(at, inputs_))
        counts[result] = counts.get(result, 0) + 1
    answer = next(one for one in parts(ask(name, inputs)) if one.title.startswith(part) and one.rows)
    spoken = {"1 of 1 intercept": "intercepts", "0 of 1 intercept": "does not find them"}
    rows = {spoken.get(what, what): chance for what, chance in answer.rows}
    assert set(counts) <= set(rows)
    for what, chance in rows.items():
        error = float(chance * (1 - chance) / SAMPLES) ** 0.5
        assert abs(counts.get(what, 0) / SAMPLES - float(chance)) <= 4 * error, what


# -- the table -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("war", "ST.2")
@pytest.mark.rule("pearl", "ST.2")
def test_calculator_match_can_be_verified() -> None:
    text = find_query("pacific").rolled
    assert text is not None
    own = text(fill_in(find_query("pacific").form_fields, {"by": "american", "manila": "yes"}, "pacific"))
    match = Match(GAME, scenario=GAME.own_scenario(own.encode(), "pacific.toml"), seed="Lockwood")
    before = match.fingerprint
    for answer in (ROLL, ROLL, CLOSE):
        match.decide("staff", answer)
    assert match.outcome is not None
    assert match.outcome.title == "closed"
    view = match.view("staff").table
    assert [len(one) for one in view.results] == [2, 2]
    again = replay(match.record(), game=GAME)
    assert (again.fingerprint, again.outcome) == (before, match.outcome)
    assert any("Manila" in roll.result for line in match.full_log for roll in line.rolls)


@pytest.mark.rule("war", "ST.2")
@pytest.mark.rule("pearl", "ST.2")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('question = "tea"', "question"),
        ('question = "pacific"\n[told]\ngibraltar = "yes"', "gibraltar"),
        ('question = "pacific"\n[told]\nmanila = "yes"', "American submarines only"),
        ('question = "pacific"\n[told]\nsubmarines = 7', "told"),
    ],
)
def test_invalid_calculator_scenario_is_rejected(text: str, reason: str) -> None:
    with pytest.raises(InvalidData, match=reason):
        GAME.own_scenario(f'kind = "staff"\ntitle = "x"\nsummary = "x"\n{text}'.encode(), "own.toml")


@pytest.mark.rule("war", "ST.1", "ST.2")
@pytest.mark.rule("pearl", "ST.1", "ST.2")
def test_terminal_board_shows_net_means_and_rolls() -> None:
    text = find_query("atlantic").rolled
    assert text is not None
    own = text(fill_in(find_query("atlantic").form_fields, {"us-war": "yes", "gibraltar": "yes"}, "atlantic"))
    match = Match(GAME, scenario=GAME.own_scenario(own.encode(), "atlantic.toml"), seed="board")
    for _ in range(14):
        match.decide("staff", ROLL)
    assert GAME.presentation.board is not None
    console = Console(width=100, color_system=None)
    with console.capture() as capture:
        console.print(GAME.presentation.board(match.view("staff")))
    lines = [" ".join(line.split()) for line in capture.get().splitlines()]
    assert lines[0].startswith("12 German submarine factors against")
    net = next(line for line in lines if line.startswith("net "))
    added = lines[lines.index(lines[0]) + 1 : lines.index(net)]
    assert any(line.endswith("+1") for line in added)
    assert sum(line.startswith("Expected ") for line in lines) == 5
    assert [line.partition(":")[0] for line in lines if line.startswith("Roll ")] == [f"Roll {n}" for n in range(3, 15)]


@pytest.mark.rule("war", "ST.2")
@pytest.mark.rule("pearl", "ST.2")
@pytest.mark.parametrize(("rolls_made", "closed"), [(99, False), (100, True)])
def test_match_ends_after_hundred_rolls(rolls_made: int, closed: bool) -> None:
    state = table("warfare", {}).state
    state.played.results = [["2/7"]] * rolls_made
    after = GAME.rules.next_phase(state)
    assert isinstance(after, Outcome) is closed
    assert not isinstance(after, Outcome) or after.scores == {"staff": 100}


@pytest.mark.rule("war", "ST.2")
@pytest.mark.rule("pearl", "ST.2")
def test_every_action_can_be_rolled() -> None:
    random = Random(3)
    for name in ACTIONS:
        question = find_query(name)
        assert question.rolled is not None
        own = question.rolled(question.parameters)
        game = game_of(name)
        match = Match(game, scenario=game.own_scenario(own.encode(), f"{name}.toml"), seed=name)
        match.decide("staff", ROLL)
        while match.outcome is None:
            match.decide("staff", match.pending["staff"].sample(random))
        assert game.presentation.board is not None
        assert game.presentation.layout is not None
        assert match.view("staff").table.results
        assert game.presentation.layout(match.view(None))["charts"]
        assert game.presentation.scale(match.state, game.data) is None


@pytest.mark.rule("pearl", "20.51", "51.31.5")
@pytest.mark.parametrize("name", ["first-strike", "second-strike"])
def test_strike_form_asks_only_nationality(name: str) -> None:
    lines = {line.key for line in DATA.scope("naval")}
    assert lines & set(find_query(name).form_fields) == {"air", "navy"}, "the situation says what else counts"


def test_calculator_match_keeps_new_fields_only_if_changed() -> None:
    bombing = ACTIONS["bombing"]
    inputs = bombing.complete(DATA, {"steps": "3"})
    assert (inputs["steps"], inputs["heavy"]) == ("3", "repeat")
    kept = bombing.kept(DATA, inputs)
    assert kept["steps"] == "3"
    assert not {"heavy", "codebreaking"} & set(kept)
    assert bombing.complete(DATA, kept) == inputs
