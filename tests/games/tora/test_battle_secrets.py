"""Tests of sections 5 and 7.4: what the enemy cannot see in battle, and the states sampled for it."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.tora.helpers import ATTACK, DATA, DEFENCE, Following, fill, table, tora, wave

from readyroom.engine.match import Match
from readyroom.engine.rules.state import At, iter_pieces
from readyroom.games.tora import GAME
from readyroom.games.tora.battle.day import set_day
from readyroom.games.tora.battle.flying import more_waves
from readyroom.games.tora.battle.reaction import begin_turn
from readyroom.games.tora.plans import phase
from readyroom.games.tora.plans.data import Ordnance
from readyroom.games.tora.resample import has_shown, resample
from readyroom.games.tora.state import Sealed, T, Tora, quadrant
from readyroom.games.tora.view import view


def halfway(seed: str, turn: int, scenario: str = "december", **options: object) -> Match[Any, Any]:
    """Return a random match at the first decision of a turn, or at its end."""
    match, random = Match(GAME, scenario, options=options, seed=seed), Random(seed)
    while match.outcome is None and match.state.at.turn < turn:
        seat = random.choice(list(match.pending))
        match.decide(seat, match.pending[seat].sample(random))
    return match


def copied(state: Tora) -> Tora:
    return GAME.decode(GAME.encode(state))


def seen(state: Tora, seat: str | None) -> bytes:
    return msgspec.json.encode(view(state, DATA, seat))


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.rule("tora", "2", "5", "7", "T22")
@pytest.mark.parametrize("scenario", ["december", "sunday"])
@pytest.mark.parametrize("turn", [1, 3, 5, 8, 14])
def test_resample_leaves_own_view_unchanged(scenario: str, turn: int) -> None:
    random, others = Random(turn), 0
    for number in range(6):
        match = halfway(f"bytes {number}", turn, scenario, umpire="yes")
        for seat in ("japan", "usa", "umpire"):
            other = resample(copied(match.state), DATA, seat, random)
            for onlooker in (seat, None):
                assert seen(other, onlooker) == seen(match.state, onlooker)
            keys = [sorted(piece.key for piece in iter_pieces(state)) for state in (match.state, other)]
            assert keys[0] == keys[1]
            others += GAME.encode(other) != GAME.encode(match.state)
            if seat == "umpire":
                assert GAME.encode(other) == GAME.encode(match.state), "he knows everything"
    assert others or turn > 8, "something was made up"


@pytest.mark.rule("tora", "5.2", "5.3")
@pytest.mark.parametrize(("patrol", "text"), [("NW", "sight aircraft to the northwest"), ("SE", "")])
def test_resample_before_first_wave_enters_keeps_sighting(patrol: str, text: str) -> None:
    state = tora(1, "alert")
    state.usa.plan = msgspec.structs.replace(DEFENCE, airfield=(3,) * 10, patrol=(patrol,) * 10)
    state.japan.plan = ATTACK
    state.usa.sealed = state.japan.sealed = (Sealed("", ""),)
    game_table = table(state)
    fill(set_day(game_table))
    fill(begin_turn(game_table))
    assert [text in line.text for line in game_table.log or () if line.rule == "5.3"] == [True] * bool(text)
    plans = set()
    for number in range(20):
        other = resample(copied(state), DATA, "usa", Random(number))
        assert seen(other, "usa") == seen(state, "usa")
        assert other.japan.plan is not None
        quadrants = {quadrant(group.sector) for group in other.japan.plan.wave[0].group}
        assert (patrol in quadrants) == bool(text), "as the log says"
        plans.add(msgspec.json.encode(other.japan.plan))
    assert len(plans) > 10, "the rest of the plan is drawn"


@pytest.mark.rule("tora", "7.4")
def test_bomber_load_is_hidden_until_used() -> None:
    match = Match(GAME, "sunday", seed="hidden")
    over = match.view("usa").table.zones["3NW"].japan
    assert {unit.ordnance for unit in over} == {None}
    unit = match.state.zones["3NW"].japan[0]
    unit.ordnance = Ordnance.NONE
    other = resample(copied(match.state), DATA, "usa", Random(1))
    assert other.zones["3NW"].japan[0].ordnance in Ordnance
    loads = [sorted(each.ordnance.value for each in state.zones["3NW"].japan) for state in (match.state, other)]
    assert loads[0] == loads[1], "the scenario says how many there are"
    dealt = {
        tuple(each.ordnance for each in resample(copied(match.state), DATA, "usa", Random(seed)).zones["3NW"].japan)
        for seed in range(4)
    }
    assert len(dealt) == 4
    assert {loads[0] for loads in dealt} == {Ordnance.NONE}, "that it is spent can be seen"


@pytest.mark.rule("tora", "7.4")
def test_number_of_unit_does_not_reveal_ordnance() -> None:
    loads = set[str]()
    for number in range(12):
        over = Match(GAME, "sunday", seed=f"deal {number}").state.zones["3NW"].japan
        assert [unit.key for unit in over] == [f"kate-{at}" for at in range(1, 23)]
        assert sum(unit.ordnance is Ordnance.TORPEDO for unit in over) == 10
        loads.add("".join(unit.ordnance.value[0] for unit in over))
    assert len(loads) == 12
    assert {text[0] for text in loads} == {text[-1] for text in loads} == {"a", "t"}


@pytest.mark.rule("tora", "7.4", "11.6")
def test_bomber_without_ordnance_is_shown() -> None:
    match = Match(GAME, "sunday", seed="spent")
    spent = match.state.zones["3NW"].japan[3]
    spent.ordnance = Ordnance.NONE
    over = match.view("usa").table.zones["3NW"].japan
    assert [unit.key for unit in over if unit.ordnance is Ordnance.NONE] == [spent.key]
    assert {unit.ordnance for unit in over if unit.key != spent.key} == {None}


@pytest.mark.rule("tora", "7.4", "11.6")
def test_log_reveals_no_ordnance_before_use() -> None:
    match = halfway("lines", 6, "sunday")
    entries = [line for line in match.log("usa") if line.rule in ("8.1", "8.3")]
    assert entries
    assert not any("torpedo" in line.text or "piercing" in line.text for line in entries)
    questions = [line for line in match.full_log if "Only legal choice" in line.text]
    assert all(line.audience is not None for line in questions)


@pytest.mark.rule("tora", "5.1", "5.6")
def test_resampled_alert_keeps_what_was_shown() -> None:
    state = halfway("alert", 1).state
    levels: set[int] = set()
    for number in range(40):
        other = resample(copied(state), DATA, "japan", Random(number))
        assert other.usa.levels is not None
        levels.add(other.usa.levels.ship)
    assert len(levels) > 1
    state.usa.ship("nevada").fired = 1
    assert has_shown(state, DATA, "ship")
    assert state.usa.levels is not None
    for number in range(20):
        other = resample(copied(state), DATA, "japan", Random(number))
        assert other.usa.levels is not None
        assert other.usa.levels.ship == state.usa.levels.ship


@pytest.mark.rule("tora", "5.4")
def test_resampled_alert_has_risen_as_published() -> None:
    table = planned_for_the_day()
    table.state.at = At(7, "alert")
    fill(begin_turn(table))
    for number in range(8):
        levels = resample(copied(table.state), DATA, "japan", Random(number)).usa.levels
        assert levels is not None
        assert min(levels.airfield, levels.ship, levels.aaa) >= 2


@pytest.mark.rule("tora", "5.5", "5.12")
def test_airborne_patrol_reveals_alert_of_fields() -> None:
    state = halfway("patrol", 1, "sunday").state
    state.zones["2NW"].usa.append(state.usa.field("wheeler").stacks[-1].pop())
    assert has_shown(state, DATA, "airfield")


@pytest.mark.rule("tora", "2", "5", "7")
def test_plans_of_scenario_are_known_and_never_resampled() -> None:
    state = halfway("known", 1, "sunday").state
    for seat in ("japan", "usa"):
        other = resample(copied(state), DATA, seat, Random(1))
        assert (other.usa.plan, other.japan.plan) == (state.usa.plan, state.japan.plan)
        assert other.usa.radar_works is state.usa.radar_works


@pytest.mark.rule("tora", "2", "5", "7")
def test_locked_plan_is_resampled_freely_before_day() -> None:
    game_table = table()
    fill(phase.plan(game_table), Following(ATTACK, DEFENCE))
    defence = {
        msgspec.json.encode(resample(copied(game_table.state), DATA, "japan", Random(at)).usa.plan) for at in range(3)
    }
    attack = {
        msgspec.json.encode(resample(copied(game_table.state), DATA, "usa", Random(at)).japan.plan) for at in range(3)
    }
    assert len(defence | {msgspec.json.encode(game_table.state.usa.plan)}) == 4
    assert len(attack | {msgspec.json.encode(game_table.state.japan.plan)}) == 4


@pytest.mark.rule("tora", "5.6")
def test_ship_surviving_fatal_hits_has_shown_zebra() -> None:
    state = halfway("doors", 1, "sunday").state
    assert not has_shown(state, DATA, "ship")
    state.usa.ship("nevada").hits = 6
    assert has_shown(state, DATA, "ship")


@pytest.mark.rule("tora", "5.1", "8.5")
def test_moved_ship_reveals_alert_of_ships() -> None:
    state = halfway("moved", 1, "sunday").state
    state.usa.ship("nevada").moved = 4
    assert has_shown(state, DATA, "ship")


@pytest.mark.rule("tora", "5.13")
def test_carriers_in_port_are_public_today_only() -> None:
    state = halfway("alert", 1).state
    assert state.usa.plan is not None
    ports = dict.fromkeys(state.usa.plan.in_port, state.day % 10 + 1) | {"lexington": state.day}
    state.usa.plan = msgspec.structs.replace(state.usa.plan, in_port=ports)
    numbers = set[int]()
    for number in range(40):
        plan = resample(copied(state), DATA, "japan", Random(number)).usa.plan
        assert plan is not None
        assert plan.in_port["lexington"] == state.day
        numbers.add(plan.in_port["enterprise"])
    assert len(numbers) > 1
    assert state.day not in numbers


@pytest.mark.rule("tora", "5.5", "12.2")
def test_fields_show_by_taking_off_and_batteries_by_firing() -> None:
    state = halfway("fields", 1, "sunday").state
    assert not has_shown(state, DATA, "airfield")
    assert not has_shown(state, DATA, "aaa")
    field = state.usa.fields[0]
    field.stacks[0][-1].acted = 3
    state.usa.yard[0].hits = 1
    assert has_shown(state, DATA, "airfield")
    assert has_shown(state, DATA, "aaa")
    state.usa.yard[0].hits, state.usa.batteries[0].fired = 0, 4
    assert has_shown(state, DATA, "aaa")


def planned_for_the_day() -> T:
    """Return the table on the day, after both sides have planned in secret."""
    game_table = table()
    fill(phase.plan(game_table), Following(ATTACK, DEFENCE))
    game_table.state.at = At(0, "day")
    fill(set_day(game_table))
    return game_table


@pytest.mark.rule("tora", "7", "8.1")
def test_plan_is_resampled_for_same_day_before_first_wave() -> None:
    table = planned_for_the_day()
    units = {unit.key for unit in table.state.japan.carriers} | {
        unit.key for unit in table.state.japan.waves[0].units()
    }
    for number in range(8):
        japan = resample(copied(table.state), DATA, "usa", Random(number)).japan
        assert japan.plan is not None
        assert japan.plan.day == ATTACK.day
        first = list(japan.waves[0].units())
        assert len(first) == japan.plan.wave[0].units
        assert {unit.key for unit in (*first, *japan.carriers)} == units


@pytest.mark.rule("tora", "7.4", "11.6")
def test_bombers_of_secret_plan_may_carry_any_ordnance_until_used() -> None:
    state = planned_for_the_day().state
    wave = state.japan.waves.pop()
    state.japan.entered, state.at = 1, At(1, "alert")
    for sector, units in wave.sectors.items():
        state.zones[sector].japan = units
    spent = state.zones["3NW"].japan[0]
    spent.ordnance = Ordnance.NONE
    pairs = set[tuple[Ordnance, ...]]()
    for number in range(8):
        over = resample(copied(state), DATA, "usa", Random(number)).zones
        assert over["3NW"].japan[0].ordnance is Ordnance.NONE
        assert {unit.ordnance for unit in over["3NE"].japan if unit.type == "val"} == {Ordnance.GP}
        assert {unit.ordnance for unit in over["3NE"].japan if unit.type == "zero"} == {Ordnance.NONE}
        pairs.add(tuple(unit.ordnance for unit in over["3NW"].japan[1:]))
    assert len(pairs) == 8
    assert Ordnance.GP in {load for loads in pairs for load in loads}


@pytest.mark.rule("tora", "7.3", "13.1")
def test_resample_may_change_waves_to_come() -> None:
    waves = set[bytes]()
    match = halfway("future", 3)
    true = match.state.japan.plan
    assert true is not None
    for number in range(20):
        plan = resample(copied(match.state), DATA, "usa", Random(number)).japan.plan
        assert plan is not None
        assert plan.wave[: match.state.japan.entered] == true.wave[: match.state.japan.entered]
        assert all(wave.turn > 3 for wave in plan.wave[match.state.japan.entered :])
        waves.add(msgspec.json.encode(plan.wave))
    assert len(waves) > 1


@pytest.mark.rule("tora", "7.3", "13.1")
@pytest.mark.parametrize("hidden", ["nothing", "skipped", "off"])
def test_resample_hides_whether_waves_were_skipped_or_cancelled(hidden: str) -> None:
    state = halfway("future", 3).state
    before = seen(state, "usa")
    if hidden == "skipped":
        state.japan.entered, state.japan.skipped = 2, 1
    state.japan.off = hidden == "off"
    assert seen(state, "usa") == before
    futures = set[tuple[int, int, bool, bool]]()
    for number in range(20):
        other = resample(copied(state), DATA, "usa", Random(number))
        assert seen(other, "usa") == before
        futures.add((other.japan.entered, other.japan.skipped, other.japan.off, more_waves(other)))
    assert futures == {(1, 0, False, True), (1, 0, False, False)}


@pytest.mark.rule("tora", "7.3", "13.1")
def test_resample_keeps_number_of_wave_that_entered() -> None:
    """The log has shown that the third wave entered, so the second was skipped and no other is to come."""
    state = halfway("future", 3).state
    japan = state.japan
    assert japan.plan is not None
    japan.plan = msgspec.structs.replace(japan.plan, wave=(japan.plan.wave[0],) * 3)
    japan.entered, japan.skipped = 3, 1
    next(state.japanese_aloft()).wave = 3
    for number in range(8):
        other = resample(copied(state), DATA, "usa", Random(number))
        assert seen(other, "usa") == seen(state, "usa")
        assert (other.japan.entered, other.japan.skipped, more_waves(other)) == (3, 1, False)


@pytest.mark.rule("tora", "7.3", "T6")
def test_resample_adds_no_wave_after_last_turn() -> None:
    state = halfway("future", 3).state
    state.at = msgspec.structs.replace(state.at, turn=DATA.planning.waves.last_turn)
    for number in range(20):
        plan = resample(copied(state), DATA, "usa", Random(number)).japan.plan
        assert plan is not None
        assert len(plan.wave) == state.japan.entered


@pytest.mark.rule("tora", "7.3")
def test_resampled_waves_use_only_units_that_have_not_flown() -> None:
    state = halfway("future", 3).state
    aboard = [unit for unit in state.japan.carriers if unit.wave == 0]
    for unit in aboard[4:]:
        unit.wave = 1
    for number in range(20):
        plan = resample(copied(state), DATA, "usa", Random(number)).japan.plan
        assert plan is not None
        assert all(wave.group for wave in plan.wave), "nor a wave without units"
        later = [group for wave in plan.wave[state.japan.entered :] for group in wave.group]
        assert all(group.units for group in later)
        for type_ in {group.type for group in later}:
            ordered = sum(group.units for group in later if group.type == type_)
            assert ordered <= sum(unit.type == type_ for unit in aboard[:4])


@pytest.mark.rule("tora", "7.3", "13.1")
def test_empty_map_implies_coming_wave() -> None:
    state = halfway("future", 3).state
    japan = state.japan
    assert japan.plan is not None
    japan.plan = msgspec.structs.replace(japan.plan, wave=(japan.plan.wave[0], wave(9, ("3SE", "val", "gp", 4))))
    for zone in state.zones.values():
        japan.carriers += zone.japan
        zone.japan = []
    chunks = {msgspec.json.encode(japan.plan.wave)}
    for number in range(20):
        plan = resample(copied(state), DATA, "usa", Random(number)).japan.plan
        assert plan is not None
        assert len(plan.wave) > 1
        chunks.add(msgspec.json.encode(plan.wave))
    assert len(chunks) > 2


@pytest.mark.rule("tora", "T22")
def test_umpire_reads_log_of_both_sides() -> None:
    match = halfway("umpire", 4, umpire="yes")
    addressed = [line for line in match.full_log if line.audience is not None and line.rule in ("5.1", "5.2", "5.8")]
    assert addressed
    assert all("umpire" in (line.audience or ()) for line in addressed)
