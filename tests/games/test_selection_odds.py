"""What a selection does to its targets, as the board shows it while pieces are dragged there."""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from readyroom import Match, bots, games
from readyroom.engine.rules.checks import percent
from readyroom.games.picket.combat import guns
from readyroom.games.picket.combat.odds import fire_odds


def played_to(game: str, scenario: str, rule: str, seed: str = "3") -> tuple[Match[Any, Any], str]:
    """Return a match of bots at the first question of a rule with a choice, and who decides."""
    match: Match[Any, Any] = Match(games.load(game), scenario, seed=seed)
    players = {seat.key: bots.make_bot(match.game, "doctrine", seat.key, Random(5)) for seat in match.seats}
    while match.outcome is None:
        seat, decision = next(iter(match.pending.items()))
        if decision.rule == rule and decision.options[1:]:
            return match, seat
        match.decide(seat, players[seat](decision, partial(match.view, seat)))
    raise AssertionError(f"{rule} is not asked")


def test_more_bombers_sink_a_carrier_more_often() -> None:
    match, seat = played_to("midway", "midway", "12.1")
    keys = [key for key in match.pending[seat].keys if key.endswith("@hiryu")]
    all_of_them = match.selection_odds(seat, keys)
    assert list(all_of_them) == ["hiryu"]
    assert all_of_them["hiryu"].startswith("crippled or sunk ")
    assert all_of_them != match.selection_odds(seat, keys[:1])
    assert match.selection_odds(seat, []) == match.selection_odds("japan", keys) == {}


def test_odds_of_attacks_in_harbor_follow_their_number() -> None:
    match, seat = played_to("pearl", "air-raid", "PH.7")
    words = match.selection_odds(seat, [*["arizona"] * 6, "nevada", "light", "no-such-key"])
    assert set(words) == {"arizona", "nevada", "light"}
    assert words["arizona"] != words["nevada"]
    assert words["nevada"] == match.selection_odds(seat, ["nevada"])["nevada"]
    assert words["light"].endswith("destroyed on average")


def test_odds_of_gunfire_are_those_of_all_rolls_one_by_one() -> None:
    match, seat = played_to("picket", "pringle", "6.8", seed="1")
    decision = match.pending[seat]
    shots = [option.value for option in decision.values]
    plane = max((shot.plane for shot in shots), key=lambda one: sum(shot.plane is one for shot in shots))
    chosen = [shot for shot in shots if shot.plane is plane][:3]
    keys = [f"{shot.gun}-{plane.key}" for shot in chosen]
    up, flamed = {plane.hits: Fraction(1)}, Fraction(0)
    flames = len(chosen[0].threat) - 1
    for shot in chosen:
        rolled = fire_odds(match.game.data, match.game.data.mounts[shot.gun].kind, added_to(match, shot))
        then: dict[int, Fraction] = defaultdict(Fraction)
        for hits, chance in up.items():
            then[hits] += chance * rolled["miss"]
            then[hits + 1] += chance * rolled["hit"]
            flamed += chance * rolled["flamed"]
        flamed += then.pop(flames, Fraction(0))
        up = then
    strikes = sum(chance * Fraction(chosen[0].threat[hits]) for hits, chance in up.items())
    strikes += flamed * Fraction(chosen[0].threat[flames])
    words = f"shot down {percent(1 - sum(up.values()))}, strikes {percent(strikes)}"
    assert match.selection_odds(seat, keys) == {plane.key: words}
    assert match.selection_odds(seat, keys[:1]) != {plane.key: words}


def added_to(match: Match[Any, Any], shot: Any) -> int:
    """Return what is added to a gun's roll."""
    lines = guns.modifiers(match.state, match.game.data, shot.gun, shot.plane, slaved=shot.slaved)
    return sum(value for _, value in lines)


def test_odds_of_a_raid_are_those_of_its_bombers() -> None:
    match, seat = played_to("war", "bomber-offensive", "SW.7")
    while "ruhr" not in match.pending[seat].keys:
        match.decide(seat, match.pending[seat].sample(Random(1)))
        seat = next(iter(match.pending))
    (option,) = [one for one in match.pending[seat].options if one.key == "ruhr"]
    assert option.info is not None
    whole = int(option.info.note.split()[1])
    words = match.selection_odds(seat, ["ruhr"] * whole)
    assert set(words) == {"ruhr", "city-ruhr"}
    steps, points = re.findall(r"([\d.]+) (?:steps|resources)", option.info.note)
    lost, damaged = re.findall(r"([\d.]+) (?:lost|damaged)", option.info.note)
    assert words["ruhr"] == f"unopposed: {steps} steps, {points} resources; {lost} lost, {damaged} damaged"
    assert match.selection_odds(seat, ["ruhr"]) != words


def test_odds_of_builds_grow_with_their_number() -> None:
    match, seat = played_to("war", "strategic-war", "SW.4")
    words = match.selection_odds(seat, ["submarine-atlantic"] * 2 + ["research-radar"] * 2 + ["bomber-home"])
    assert set(words) == {"submarine-atlantic", "research-radar"}
    needed = match.game.data.war.research.at_least - 2
    assert words["research-radar"] == f"level 1: {percent(Fraction(7 - needed, 6))}"
    one = match.selection_odds(seat, ["submarine-atlantic"])["submarine-atlantic"]
    (note,) = [each.info for each in match.pending[seat].options if each.key == "submarine-atlantic"]
    assert note is not None
    assert one.startswith("1 more: " + note.note)
    assert one != words["submarine-atlantic"]


def test_questions_without_odds_have_none() -> None:
    match, seat = played_to("midway", "midway", "9.2")
    assert match.selection_odds(seat, match.pending[seat].keys[:1]) == {}
    picket: Match[Any, Any] = Match(games.load("picket"), "first-watch", seed="1")
    assert picket.selection_odds("captain", picket.pending["captain"].keys) == {}
