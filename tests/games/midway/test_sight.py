"""Tests of ruling M19: what a seat sees, and what it never learns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.midway.helpers import SIDES, Battle

from readyroom.engine.errors import CannotUndo
from readyroom.engine.match import Match, Start
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import LogLine
from readyroom.games.midway import GAME
from readyroom.games.midway.state import Data, Midway, Side, SideName, Squadron

ENEMY: dict[SideName, SideName] = {"japan": "usa", "usa": "japan"}
HIDDEN_BOXES = ["moving", "home", "waiting", "lost", "deck hornet", "hangar hornet"]
NAME = re.compile(r"\b(?:Enterprise|Hornet|Yorktown|Hiryu|Soryu|Akagi|Kaga) (?:F|TB|DB) \d+\b")


@pytest.fixture
def battle() -> Battle:
    return Battle().settle()


def seen(battle: Battle, seat: str | None) -> str:
    """Return a seat's view as JSON."""
    return msgspec.json.encode(GAME.rules.view(battle.state, GAME.data, seat)).decode()


def sees(battle: Battle, seat: str | None, squadron: str) -> bool:
    """Return whether the view contains the squadron's key or name."""
    text, name = seen(battle, seat), battle.squadron(squadron).name
    by_key, by_name = f'"{squadron}"' in text, f'"{name}"' in text
    assert by_key == by_name
    return by_key


@pytest.mark.rule("midway", "M19", "7")
@pytest.mark.parametrize("box", HIDDEN_BOXES)
def test_enemys_decks_hangars_and_circuit_are_hidden(battle: Battle, box: str) -> None:
    battle.put(box, "hornet-f-1")
    assert not sees(battle, "japan", "hornet-f-1")
    assert not sees(battle, None, "hornet-f-1")


@pytest.mark.rule("midway", "M19")
@pytest.mark.parametrize("box", [*HIDDEN_BOXES, "ready", "over akagi", "cap 1", "cap 3"])
def test_seat_sees_all_of_its_side(battle: Battle, box: str) -> None:
    battle.put(box, "hornet-f-1")
    assert sees(battle, "usa", "hornet-f-1")


@pytest.mark.rule("midway", "M19")
@pytest.mark.parametrize("box", ["ready", "over akagi"])
def test_aircraft_over_fleet_are_public(battle: Battle, box: str) -> None:
    battle.put(box, "hornet-db-1")
    assert sees(battle, "japan", "hornet-db-1")
    assert sees(battle, None, "hornet-db-1")


@pytest.mark.rule("midway", "M19", "11")
@pytest.mark.parametrize(
    ("box", "seen_by_enemy"), [("ready", True), ("over hornet", True), ("moving", False), ("home", False)]
)
def test_cap_is_seen_by_others_only_with_enemy_over_it(battle: Battle, box: str, seen_by_enemy: bool) -> None:
    battle.put("cap 1", "hornet-f-1").put(box, "akagi-db-1")
    assert sees(battle, "japan", "hornet-f-1") is seen_by_enemy
    assert sees(battle, None, "hornet-f-1") is seen_by_enemy, "a spectator sees what both sides see"


@pytest.mark.rule("midway", "M19", "6")
def test_carrier_damage_is_public(battle: Battle) -> None:
    battle.damage(akagi=8, kaga=10, hornet=3)
    for seat in ("japan", "usa", None):
        view = GAME.rules.view(battle.state, GAME.data, seat)
        ships = {c.key: (c.damage, c.status) for side in view.sides.values() for c in side.carriers}
        assert ships["akagi"] == (8, "crippled")
        assert ships["kaga"] == (10, "sunk")
        assert ships["hornet"] == (3, "working")


@pytest.mark.rule("midway", "M19", "17")
@pytest.mark.parametrize("found", [True, False])
def test_japanese_do_not_know_whether_they_are_found(battle: Battle, found: bool) -> None:
    battle.state.found = found
    payload = {seat: GAME.rules.view(battle.state, GAME.data, seat).found for seat in ("japan", "usa", None)}
    assert payload == {"japan": None, "usa": found, None: None}


@pytest.mark.rule("midway", "M19")
@pytest.mark.parametrize("box", [*HIDDEN_BOXES, "cap 1"])
def test_everything_is_public_by_option(box: str) -> None:
    battle = Battle(sight="open").settle().put(box, "hornet-f-1")
    assert sees(battle, "japan", "hornet-f-1")
    assert sees(battle, None, "hornet-f-1")
    assert GAME.rules.view(battle.state, GAME.data, "japan").found is True


@pytest.mark.rule("midway", "M19")
def test_tables_default_to_two() -> None:
    assert Battle().state.rulings.sight == "tables"


@pytest.mark.rule("midway", "M19", "M18")
def test_players_of_one_side_see_each_others_squadrons(battle: Battle) -> None:
    seven = Battle(seats="groups").settle().put("moving", "hornet-db-1")
    assert sees(seven, "yorktown", "hornet-db-1")
    assert not sees(seven, "akagi", "hornet-db-1")


# -- whole games -------------------------------------------------------------------------------------------------------


def over_a_fleet(side: Side) -> Iterator[Squadron]:
    yield from side.ready
    for wave in side.attacking.values():
        yield from wave


def may_see(state: Midway, side: SideName) -> set[str]:
    """Return the enemy squadrons a side may see now, by ruling M19 alone."""
    own, enemy = state.side(side), state.side(ENEMY[side])
    allowed = {squadron.key for squadron in over_a_fleet(enemy)}
    if any(True for _ in over_a_fleet(own)):
        allowed |= {squadron.key for ring in enemy.cap for squadron in ring}
    return allowed


def quoted(data: Any) -> set[str]:
    """Return every string in JSON-like data."""
    if isinstance(data, dict):
        return set().union(*(quoted(item) for pair in data.items() for item in pair))
    if isinstance(data, (list, tuple)):
        return set().union(*(quoted(item) for item in data))
    return {str(data)}


def check_views(match: Match[Midway, Data]) -> int:
    """Check that no seat's view names a hidden squadron; return the number of hidden squadrons."""
    hidden_in_all = 0
    for seat in match.seats:
        side: SideName = "japan" if seat.side == "japan" else "usa"
        enemy = match.state.side(ENEMY[side])
        allowed = may_see(match.state, side)
        hidden = [s for s in (*enemy.squadrons(), *enemy.lost) if s.key not in allowed]
        words = quoted(msgspec.to_builtins(match.view(seat.key)))
        leaked = [s.key for s in hidden if s.key in words or s.name in words]
        assert not leaked, f"{seat.key} sees {leaked} at {match.state.at}"
        hidden_in_all += len(hidden)
    return hidden_in_all


def names_told(line: LogLine) -> set[str]:
    """Return the squadrons that a line names, and those that it only counts."""
    wings = [fact for fact in line.args if isinstance(fact, list)]
    counted = {squadron.name for wing in wings for squadron in wing if isinstance(squadron, Squadron)}
    return set(NAME.findall(json.dumps(line.plain()))) | counted


def check_log(match: Match[Midway, Data]) -> int:
    """Check that no log line visible to a seat names an enemy squadron before they have met in a fight.

    Enemy bombers and escorts are announced when they reach the Ready box (10.1); patrols are revealed in a
    dogfight (11.3, 11.4). No other line may name an enemy squadron for the first time.
    """
    named = 0
    for seat in match.seats:
        enemy = match.state.side(ENEMY["japan" if seat.side == "japan" else "usa"])
        names = {squadron.name for squadron in (*enemy.squadrons(), *enemy.lost)}
        announced: set[str] = set()
        for line in match.log(seat.key):
            if line.phase == "end":
                continue  # the battle is over, and the log may name everything
            texts = names_told(line) & names
            if line.rule == "10.1" or (line.rule in ("11.3", "11.4") and line.phase.endswith("-cap")):
                announced |= texts
            assert texts <= announced, f"{seat.key} reads [{line.rule}] {line.text}"
            assert line.rule in ("10.1", "11.3", "11.4", "12.1", "12.2", "12.3", "12.6") or not texts, (
                f"[{line.rule}] {line.text}"
            )
            named += len(texts)
    return named


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.rule("midway", "M19")
@pytest.mark.parametrize("options", [{}, {"seats": "groups"}, {"attack": "next-move", "ditch_after": "1"}])
@pytest.mark.parametrize("seed", range(3))
def test_views_and_log_of_whole_battle_name_no_hidden_squadron(options: dict[str, str], seed: int) -> None:
    match: Match[Midway, Data] = Match(GAME, None, options, seed=f"fog {seed}")
    random, hidden, step = Random(seed), 0, 0
    while match.outcome is None:
        decision = next(iter(match.pending.values()))
        match.decide(decision.seat, decision.sample(random))
        step += 1
        if step % 7 == 0:
            hidden += check_views(match)
    assert hidden > 100, "otherwise nothing was tested"
    assert check_log(match) > 20, "otherwise nothing was tested"


@pytest.mark.rule("midway", "M19")
def test_private_lines_are_read_by_own_side_only() -> None:
    match: Match[Midway, Data] = Match(GAME, seed="lines")
    random = Random(1)
    while match.outcome is None:
        decision = next(iter(match.pending.values()))
        match.decide(decision.seat, decision.sample(random))
    private = {rule: [line for line in match.full_log if line.rule == rule] for rule in ("9.2", "13.2", "14.1", "17.2")}
    for rule, lines in private.items():
        assert lines, f"no line under {rule}"
        for line in lines:
            assert line.audience == (line.phase.split("-")[0],)


# -- what might be -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "M19")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("over", [True, False])
def test_resampled_state_has_identical_view(side: SideName, over: bool) -> None:
    battle = Battle(turn=5).settle()
    own, other = ("akagi", "hornet") if side == "japan" else ("hornet", "akagi")
    battle.put("ready", f"{other}-db-1").put("cap 1", f"{other}-f-1").put(f"deck {other}", f"{other}-tb-1")
    battle.put("moving", f"{own}-db-1").put("ready" if over else "home", f"{own}-db-2")
    battle.state.at = At(5, "japan-cap")
    view = GAME.rules.view(battle.state, GAME.data, side)
    dealt = []
    for seed in range(12):
        copy = GAME.decode(GAME.encode(battle.state))
        guess = GAME.rules.resample(copy, GAME.data, side, Random(seed))
        assert GAME.rules.view(guess, GAME.data, side) == view
        counters = sorted((s.key, s.strength) for s in guess.side(ENEMY[side]).squadrons())
        assert counters == sorted((s.key, s.strength) for s in battle.state.side(ENEMY[side]).squadrons())
        assert all(sum(s.strength for s in c.deck) <= 20 for c in guess.side(ENEMY[side]).carriers)
        dealt.append(GAME.encode(guess))
    assert len(set(dealt)) == 12, "each deal is another one"


@pytest.mark.rule("midway", "M19", "7")
def test_resample_keeps_first_wave_and_turn_one() -> None:
    battle = Battle(turn=1)
    battle.state.at = At(1, "usa-plan")
    first_wave = sorted(battle.lying("japan", "waiting"))
    for seed in range(8):
        copy = GAME.decode(GAME.encode(battle.state))
        guess = GAME.rules.resample(copy, GAME.data, "usa", Random(seed))
        assert sorted(squadron.key for squadron in guess.japan.airborne()) == first_wave


@pytest.mark.rule("midway", "M19")
def test_resample_open_information_changes_nothing() -> None:
    battle = Battle(sight="open").settle().put("moving", "hornet-db-1")
    whole = GAME.encode(battle.state)
    assert GAME.encode(GAME.rules.resample(battle.state, GAME.data, "japan", Random(1))) == whole


ABOARD, ALOFT = {"hangar", "deck"}, {"moving", "home", "waiting", "cap 1", "cap 2", "cap 3"}


@pytest.mark.rule("midway", "M19")
@pytest.mark.parametrize(("turn", "wanted"), [(1, ABOARD), (3, ABOARD | ALOFT)])
def test_resample_uses_every_possible_place(turn: int, wanted: set[str]) -> None:
    battle, names = Battle().settle(), set[str]()
    battle.state.at = At(turn, battle.state.at.phase)
    whole = GAME.encode(battle.state)
    for number in range(60):
        battle.state = GAME.rules.resample(GAME.decode(whole), GAME.data, "japan", Random(number))
        names |= {name for name, squadrons in battle.places(battle.state.usa) if squadrons}
    assert {name if name in ALOFT else name.split()[0] for name in names} == wanted


@pytest.mark.rule("midway", "M19")
def test_resample_is_independent_of_true_places() -> None:
    """Squadrons of the last deck and the first hangar are resampled to decks equally often."""
    battle = Battle().settle().put("deck yorktown", "yorktown-db-1")
    whole, seen = GAME.encode(battle.state), {"enterprise-f-1": 0, "yorktown-db-1": 0}
    for number in range(300):
        battle.state = GAME.rules.resample(GAME.decode(whole), GAME.data, "japan", Random(number))
        for key in seen:
            seen[key] += battle.where(key).startswith("deck")
    assert min(seen.values()) > max(seen.values()) * 2 / 3


@pytest.mark.rule("midway", "M15", "M19")
def test_plan_stands_once_aircraft_of_sunk_fleet_have_moved(battle: Battle) -> None:
    """No question or arrival would reveal that none of them was on its way."""
    battle.put("ready", "akagi-tb-1").damage(hiryu=10, soryu=10, kaga=10, akagi=10).put("moving", "hornet-db-1")
    battle.state.at = At(5, "japan-plan")
    match: Match[Midway, Data] = Match(GAME, start=Start(GAME.encode(battle.state)))
    assert (match.state.at.phase, list(match.pending)) == ("usa-plan", ["usa"])
    match.decide("usa", [])
    assert (match.state.at, list(match.pending)) == (At(6, "usa-move"), ["usa"])
    with pytest.raises(CannotUndo):
        match.undo("usa")


@pytest.mark.parametrize("seat", ["japan", "usa", None])
def test_open_view_hides_nothing(battle: Battle, seat: str | None) -> None:
    shown = GAME.rules.open_view
    assert shown is not None
    view = shown(battle.state, GAME.data, seat)
    assert "null" not in msgspec.json.encode(view).decode()
    known = {one.key for one in (*battle.state.japan.squadrons(), *battle.state.usa.squadrons())}
    assert known <= set(re.findall(r'"key":"([^"]+)"', msgspec.json.encode(view).decode()))
    assert {name: side.own for name, side in view.sides.items()} == {"japan": seat == "japan", "usa": seat == "usa"}
