"""The calculator opens with the rolls of the present decision: its odds are those that the rules roll by."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest
from tests.games.test_selection_odds import added_to, played_to

from readyroom import Match, bots, games
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.forms import FilledQuery, OddsResult
from readyroom.games.doolittle.attack.bombing import approach_check
from readyroom.games.doolittle.attack.gunnery import gunnery_check
from readyroom.games.doolittle.denouement.landing import landing_check
from readyroom.games.doolittle.flight import acquisition, winds
from readyroom.games.doolittle.flight.flights import guzzle_check
from readyroom.games.doolittle.planning.diplomacy import talk_check
from readyroom.games.doolittle.voyage.refueling import refuel_check
from readyroom.games.doolittle.voyage.take_off import take_off_check
from readyroom.games.doolittle.voyage.underway import underway_check
from readyroom.games.midway import odds as midway_odds
from readyroom.games.picket.combat import odds as picket_odds
from readyroom.games.picket.combat.fire import describe_plane
from readyroom.games.picket.combat.strike import evaded
from readyroom.games.picket.ship.repair_checks import compartment_check
from readyroom.games.strategic.pearl import declare, knowledge, strike
from readyroom.games.strategic.pearl import odds as pearl_odds
from readyroom.games.strategic.tables import grids, modifiers
from readyroom.games.strategic.war import hints as war_hints
from readyroom.games.strategic.war.places import COUNTRIES
from readyroom.games.tora import odds as tora_odds
from readyroom.games.tora.battle import bombing
from readyroom.games.tora.plans.data import Ordnance

AnyMatch = Match[Any, Any]


def results(match: AnyMatch, seat: str) -> list[tuple[FilledQuery, OddsResult]]:
    """Return the odds of the position, evaluated."""
    return [(one, match.game.question(one.question).evaluate(one.inputs, one.title)) for one in match.odds_now(seat)]


def decisions(
    game: str, scenario: str, options: dict[str, str], seed: str = "3"
) -> Iterator[tuple[AnyMatch, str, Decision]]:
    """Yield the decisions of a match of bots that raise odds."""
    match: AnyMatch = Match(games.load(game), scenario, options, seed=seed)
    bot = bots.default_bot(match.game)
    players = {seat.key: bots.make_bot(match.game, bot, seat.key, Random(5)) for seat in match.seats}
    while match.outcome is None:
        seat, decision = next(iter(match.pending.items()))
        if match.odds_now(seat):
            yield match, seat, decision
        match.decide(seat, players[seat](decision, partial(match.view, seat)))


def test_odds_of_strikes_are_those_of_the_waves() -> None:
    match, seat = played_to("midway", "midway", "12.1")
    decision, (japan, usa) = match.pending[seat], (match.state.japan, match.state.usa)
    enemy = match.state.enemy(japan if seat in japan.seats else usa)
    for target in enemy.carriers:
        target.damage, target.antiaircraft = 3, 11
    for one, result in results(match, seat):
        target = enemy.carrier(one.inputs["carrier"])
        wave = midway_odds.waves(decision, decision.values)[target.key]
        rows = dict(result.rows)
        odds = midway_odds.chances(match.game.data, match.state, target, wave)
        assert (rows["crippled or sunk"], rows["sunk"]) == odds
    assert match.odds_now(None) == []


def test_odds_of_a_dogfight_and_of_a_search() -> None:
    match, seat = played_to("midway", "midway", "11.1")
    dice = sum(one.strength for one in match.pending[seat].values)
    assert match.odds_now(seat)[0] == ("Your CAP", "dogfight", {"dice": str(dice)})
    match, seat = played_to("midway", "midway", "17.1")
    assert [one.question for one in match.odds_now(seat)] == ["search"]


@pytest.mark.parametrize("options", [{}, {"heavy": "twice", "bombing_results": "points"}])
def test_odds_of_raids_are_those_of_the_hints(options: dict[str, str]) -> None:
    match: AnyMatch = Match(games.load("war"), "bomber-offensive", options, seed="3")
    random, seen = Random(1), set[str]()
    while match.outcome is None and len(seen) < 3:
        seat, decision = next(iter(match.pending.items()))
        for (one, result), option in zip(results(match, seat), decision.values, strict=False):
            if one.question == "bombing" and option.key not in seen:
                seen.add(decision.rule)
                check_raid(match, decision, option.value, dict(result.expected))
        match.decide(seat, decision.sample(random))
    assert seen == {"SW.7", "SW.10.1", "SW.10.2"}


def check_raid(match: AnyMatch, decision: Decision, value: Any, expected: dict[str, Any]) -> None:
    """Compare a raid with the means that the option's note gives."""
    country, state, data = COUNTRIES[decision.piece_key.partition("-")[2]], match.state, match.game.data
    if decision.rule == "SW.7":
        means = war_hints._bombs(state, data, country, value, decision.at_most)
        assert float(expected["steps knocked out"]) == pytest.approx(means.steps)
        assert float(expected["resources lost"]) == pytest.approx(means.points)
        assert float(expected["bombers lost"]) == pytest.approx(means.lost)
    elif decision.rule == "SW.10.2":
        fought = war_hints._met(state, data, country, value, decision.at_most)
        assert float(expected["escorts lost"]) == pytest.approx(fought.escorts)
        assert float(expected["defenders shot down"]) == pytest.approx(fought.interceptors)


def raids(nations: str = "even") -> Iterator[tuple[AnyMatch, Decision]]:
    """Yield the decisions of raids on Pearl Harbor with a second strike, by random answers."""
    for seed in range(40):
        match: AnyMatch = Match(games.load("pearl"), "air-raid-late", {"nationality": nations}, seed=str(seed))
        random = Random(seed)
        while match.outcome is None:
            decision = next(iter(match.pending.values()))
            yield match, decision
            keep = "second-strike" in decision.keys
            match.decide(decision.seat, ["second-strike"] if keep else decision.sample(random))


@pytest.mark.parametrize("nations", ["even", "suggested"])
def test_odds_of_attacks_on_ships_are_those_of_the_rules(nations: str) -> None:
    seen = set[tuple[str, bool]]()
    for match, decision in raids(nations):
        if decision.rule not in ("PH.7", "PH.11"):
            continue
        table, data, at_sea = match._runner.table, match.game.data, decision.rule == "PH.11"
        net = modifiers.total(strike.net_modifiers(table, at_sea=at_sea, seat=decision.seat))
        die = None if at_sea else strike.critical(table)
        for (_, result), target in zip(results(match, decision.seat), decision.values, strict=True):
            squadrons = min(decision.max_repeats(target), decision.at_most)
            if target.value is not None:
                does, rows = pearl_odds.fate(target.value, squadrons, net, data.naval, die), dict(result.rows)
                assert rows["sunk"] == does.sunk
                assert target.value.hit or rows["damaged"] == does.damaged
            else:
                count, each = strike.target_count(table, target.key), strike.each_effect(table, target.key)
                mean = grids.mean(pearl_odds.losses(count, each, squadrons, net, data.naval), int)
                assert dict(result.expected)["destroyed"] == mean
        seen.add((decision.rule, bool(match.state.raid.stays)))
        if seen == {("PH.7", False), ("PH.7", True), ("PH.11", True)}:
            return
    raise AssertionError(seen)


def test_odds_of_interception_are_those_of_the_places() -> None:
    match, _ = next(one for one in raids() if one[1].rule == "51.31.3" and one[0].odds_now("usa"))
    ((_, result),) = results(match, "usa")
    expected = sum(grids.intercepts(force.place) for force in match.state.raid.forces)
    assert dict(result.expected)["forces that intercept"] == expected
    assert match.odds_now("japan") == match.odds_now(None) == []


def test_odds_of_surprise_and_of_the_defense() -> None:
    match, _ = next(one for one in raids() if one[1].rule == "PH.2")
    raid, charts = match.state.raid, declare.table_of(match._runner.table)
    ((_, result),) = results(match, "japan")
    column = charts.chart.columns[knowledge.column_of(raid, charts, (0, 0))]
    assert dict(result.rows) == {f"column {column}": 1}
    match, _ = next(one for one in raids() if one[1].rule == "PH.4" and one[0].state.raid.army.up)
    table, ((_, fighters), (_, guns)) = match._runner.table, results(match, "japan")
    factors = pearl_odds.air_factors(match.state.raid.army.up, match.state.raid.naval.up, match.game.data)
    assert fighters.title.startswith(f"{factors} air factors")
    assert guns.title.startswith(f"{strike.guns_strength(table, declare.surprised(table))} factors")


def test_odds_of_the_battle_of_oahu_are_those_of_the_hints() -> None:
    seen = set[str]()
    for seed in ("1", "2"):
        for match, seat, decision in decisions("tora", "sunday", {"luck_from": "7"}, seed=seed):
            table, answers = match._runner.table, results(match, seat)
            if (decision.piece_key or "").startswith("attack:"):
                first, result = answers[0]
                units = [unit for zone in match.state.zones.values() for unit in (*zone.japan, *zone.usa)]
                unit = next((one for one in units if one.name == first.title), None)
                if first.question == "bombing" and unit is not None and unit.ordnance is not Ordnance.NONE:
                    fire = tora_odds.from_the_air(match.game.data, match.state.bomber_hit, unit.ordnance)
                    for target in decision.values:
                        needed = bombing.hits_left(table, target)[0]
                        assert result.rows[needed - 1][1] == tora_odds.chance(unit.strength, fire, needed)
                seen.add(first.question)
            elif (decision.piece_key or "").startswith("fire:"):
                category: Any = decision.piece_key.split(":")[2]
                dice = decision.at_most * tora_odds.gun_dice(match.state, match.game.data, category)
                assert answers[0][1].mean == dice * Fraction(1, 6)
                seen.add("guns")
            if answers[-1][0].question == "luck":
                left = match.state.luck.contents
                assert answers[-1][1].rows[0][1] == Fraction(sum(not card.black for card in left), len(left))
                seen.add("luck")
            if seen == {"bombing", "dogfight", "guns", "luck"}:
                return
    raise AssertionError(seen)


def test_odds_of_a_picket_are_those_of_its_rolls() -> None:
    seen = set[str]()
    for match, seat, decision in decisions("picket", "evans", {"morale_fire": "yes", "aces": "yes"}):
        table, data = match._runner.table, match.game.data
        values = {option.key: option.value for option in decision.values}
        for one, result in results(match, seat):
            rows = dict(result.rows)
            if one.question == "gun":
                shots = [shot for shot in values.values() if one.title in gun_title(match, shot)]
                odds = [picket_odds.fire_odds(data, one.inputs["kind"], added_to(match, shot)) for shot in shots]
                assert dict(result.parts[0].rows) in odds
            elif one.question == "strike" and one.inputs["what"] in ("undamaged", "damaged", "flamed"):
                added = sum(value for _, value in evaded(table))
                assert rows == picket_odds.strike_odds(data, one.inputs["what"], added)
            elif one.question == "maneuvers":
                assert float(rows["they succeed"]) == decision.options[0].info.chance  # type: ignore[union-attr]
            elif one.question == "repair":
                rooms = match.state.ship.rooms
                (room,) = [rooms[key] for key in values.values() if data.rooms[key].name.lower() == one.title.lower()]
                assert rows["the attempt succeeds"] == compartment_check(table, room, more=1).odds()
            seen.add(one.question)
    assert seen == {"gun", "strike", "maneuvers", "repair"}


def gun_title(match: AnyMatch, shot: Any) -> str:
    """Return the title of the odds of a shot."""
    return f"{match.game.data.mounts[shot.gun].kind} at the {describe_plane(match._runner.table, shot.plane)}"


@pytest.mark.parametrize(
    ("scenario", "asked"),
    [
        ("campaign", {"talk"}),
        ("carrier", {"target", "gunnery", "wind", "search", "refuel", "launch", "underway"}),
    ],
)
def test_odds_of_the_doolittle_raid_are_those_of_its_checks(scenario: str, asked: set[str]) -> None:
    left = set(asked)
    for match, seat, decision in decisions("doolittle", scenario, {}, "1"):
        for one, result in results(match, seat):
            assert result.rows[0][1] == checked(match, decision, one), one
            left.discard(one.question)
        if not left:
            return
    raise AssertionError(left)


def checked(match: AnyMatch, decision: Decision, one: FilledQuery) -> Fraction:
    """Return the chance of the check that the rules make."""
    table = match._runner.table
    flights = {flight.key: flight for flight in (match.state.sky.flights if one.question in ("wind", "search") else ())}
    if one.question == "wind":
        flight = flights[decision.piece_key]
        wind = winds.wind_effect(table, flight)
        return guzzle_check(table, flight, wind.before).odds() if wind.guzzle else Fraction(1)
    if one.question == "search":
        persistent = one.inputs["persistent"] == "yes"
        return acquisition.search_chance(table, flights[decision.piece_key], one.inputs["goal"], persistent=persistent)
    if one.question == "launch":
        return take_off_check(table, planned=one.inputs["how"] == "planned").odds()
    if one.question == "landing":
        pairs = [option.value for option in decision.values]
        return landing_check(table, *next(pair for pair in pairs if pair[0].site == one.inputs["site"])).odds()
    if one.question == "target":
        (bomber, key) = next(option.value for option in decision.values if option.text == one.title)
        return approach_check(table, bomber, key).odds()
    if one.question == "gunnery":
        return gunnery_check(table, match.state.squad[decision.piece_key]).odds()
    if one.question == "underway":
        return underway_check(table).odds()
    if one.question == "refuel":
        ships = {option.value.key: option.value for option in decision.values if option.value is not None}
        return refuel_check(table, ships[one.inputs["oiler"]]).odds()
    assert one.question == "talk"
    return talk_check(table, one.inputs["diplomat"]).odds()  # type: ignore[arg-type]
