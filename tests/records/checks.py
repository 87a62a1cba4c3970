"""Checks of the descriptions in `manifest.toml`, from states, rules and outcomes, not from log texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

from tests.records import doolittle_checks
from tests.records.replayed import CHECKS, DecisionPoint, ReplayedRecord, check, matches_description

from readyroom.engine.record.format import Entry, Fork, Undo
from readyroom.engine.rules.decisions import CONTINUE
from readyroom.games.doolittle import GAME as DOOLITTLE
from readyroom.games.doolittle.ending.facts import count_facts
from readyroom.games.midway.losses import AGREE
from readyroom.games.midway.state import FIGHTER, SIDES, Carrier, Midway, Side, SideName
from readyroom.games.picket import GAME as PICKET
from readyroom.games.picket.state import Picket
from readyroom.games.strategic.pearl.state import Raid, RaidState
from readyroom.games.strategic.tables.state import Staff
from readyroom.games.strategic.war.state import War, WarState
from readyroom.games.tora import GAME as TORA
from readyroom.games.tora.battle.outcome import BLACK, FinalCounts, final_counts
from readyroom.games.tora.state import Tora

__all__ = ["CHECKS", "ReplayedRecord", "doolittle_checks", "matches_description"]

# -- endings of Midway battles -----------------------------------------------------------------------------------------


@check
def japan_sinks_all_three(replay: ReplayedRecord) -> bool:
    return replay.winner == "japan" and replay.sunk("usa") == ["enterprise", "hornet", "yorktown"]


@check
def america_sinks_all_four(replay: ReplayedRecord) -> bool:
    return replay.winner == "usa" and sorted(replay.sunk("japan")) == ["akagi", "hiryu", "kaga", "soryu"]


@check
def drawn_on_points(replay: ReplayedRecord) -> bool:
    return replay.winner is None and bool(replay.sunk("japan") and replay.sunk("usa"))


@check
def last_strike_of_a_sunk_fleet(replay: ReplayedRecord) -> bool:
    return any(_struck_without_a_deck(replay, name) for name in SIDES)


def _struck_without_a_deck(replay: ReplayedRecord, name: SideName) -> bool:
    """Return whether a side sank an enemy carrier after its own last carrier sank."""
    states = [state for state in replay.states if not state.afloat(state.side(name))]
    if not states:
        return False
    first, end = states[0], replay.end
    return len(end.afloat(end.enemy(end.side(name)))) < len(first.afloat(first.enemy(first.side(name))))


@check
def without_bombers_until_turn_twenty(replay: ReplayedRecord) -> bool:
    state = replay.end
    sides = [state.side(name) for name in SIDES]
    helpless = any(all(squadron.kind is FIGHTER for squadron in side.squadrons()) for side in sides)
    return state.at.turn == state.rulings.turn_limit == 20 and all(map(state.afloat, sides)) and helpless


@check
def turn_eight_ends_it(replay: ReplayedRecord) -> bool:
    state = replay.end
    afloat = all(state.afloat(state.side(name)) for name in SIDES)
    return state.at.turn == state.rulings.turn_limit == 8 and afloat and replay.winner is not None


# -- events at Midway --------------------------------------------------------------------------------------------------


@check
def a_search_that_finds_nothing(replay: ReplayedRecord) -> bool:
    searches = {point.state.at.turn: point for point in reversed(replay.decisions_under("17.1"))}
    first = searches[min(searches)] if searches else None
    return first is not None and len(first.options) < 4 and len(searches) > 1 and replay.end.found


@check
def crippled_carrier_works_again(replay: ReplayedRecord) -> bool:
    crippled: set[str] = set()
    for point in replay.points:
        crippled |= {carrier.key for carrier in _carriers(point.state) if point.state.crippled(carrier)}
        if point.rule == "13.1" and crippled & _launching(point):
            return True
    return False


def _launching(point: DecisionPoint) -> set[str]:
    """Return the keys of carriers that launch from their decks."""
    return {
        carrier.key
        for carrier in _carriers(point.state)
        if any(squadron.key in point.answer for squadron in carrier.deck)
    }


def _carriers(state: Midway) -> Iterator[Carrier]:
    for name in SIDES:
        yield from state.side(name).carriers


@check
def squadrons_ditch(replay: ReplayedRecord) -> bool:
    steps = pairwise(point.state for point in replay.points)
    return any(_ditched(before, after, name) for before, after in steps for name in SIDES)


def _ditched(before: Midway, after: Midway, name: SideName) -> bool:
    """Return whether undamaged waiting squadrons are lost because no carrier works."""
    if before.working(before.side(name)) or after.working(after.side(name)):
        return False
    waiting = {squadron.key for squadron in before.side(name).waiting}
    lost = {squadron.key for squadron in after.side(name).lost if squadron.strength}
    return bool(waiting & lost)


@check
def seven_seats_vote_on_losses(replay: ReplayedRecord) -> bool:
    votes = [(entry.block, entry.chose) for entry in replay.entries_of(Entry) if entry.block]
    answers = [{chose for _, chose in block} for _, block in groupby(votes, key=lambda vote: vote[0])]
    return len(replay.header.seats) == 7 and {(AGREE.key,)} in answers and any(len(block) == 2 for block in answers)


@check
def orphans_find_a_new_owner(replay: ReplayedRecord) -> bool:
    """A seat orders a squadron forward that it took over from another carrier."""
    for point in replay.decisions_under("10.2"):
        taken_over = {squadron.key: squadron for squadron in _flying(point.state) if squadron.taken_over == point.seat}
        if any(key in taken_over and taken_over[key].home != point.seat for key in point.answer):
            return True
    return False


def _flying(state: Midway) -> Iterator[Any]:
    for name in SIDES:
        yield from state.side(name).airborne()


# -- undo, dice and forks ----------------------------------------------------------------------------------------------


@check
def decisions_taken_back(replay: ReplayedRecord) -> bool:
    undos = replay.entries_of(Undo)
    answers = {entry.n: entry.chose for entry in replay.entries_of(Entry)}
    changed = any(answers[n] != answers.get(undo.n + 1) for undo in undos for n in undo.undo[:1])
    return {undo.leave for undo in undos} == {True, False} and max(len(undo.undo) for undo in undos) > 1 and changed


@check
def real_dice_entered_by_hand(replay: ReplayedRecord) -> bool:
    faces = [face for entry in replay.entries_of(Entry) for roll in (entry.dice or {}).values() for face in roll]
    no_secret = replay.parsed.ending is not None and replay.parsed.ending.secrets == [None]
    return replay.header.dice == "told" and replay.header.seed is None and no_secret and len(faces) > 100


@check
def continued_after_a_fork(replay: ReplayedRecord) -> bool:
    forks = replay.entries_of(Fork)
    ending = replay.parsed.ending
    if len(forks) != 1 or ending is None or len(set(ending.secrets)) != 2:
        return False
    before = [entry for entry in replay.entries_of(Entry) if entry.n <= forks[0].n]
    return 0 < len(before) < len(replay.entries_of(Entry)) and None not in ending.secrets


@check
def secret_published_at_the_end(replay: ReplayedRecord) -> bool:
    ending, header = replay.parsed.ending, replay.header
    return (
        header.seed is None and set(header.nonces) == set(header.seats) and ending is not None and all(ending.secrets)
    )


# -- scenarios and options ---------------------------------------------------------------------------------------------


@check
def without_the_yorktown(replay: ReplayedRecord) -> bool:
    keys = {carrier.key for carrier in _carriers(replay.end)}
    return keys == {"enterprise", "hornet", "akagi", "hiryu", "soryu"}


@check
def found_at_daybreak(replay: ReplayedRecord) -> bool:
    attacked = any(point.state.usa.ready for point in replay.points)
    return replay.points[0].state.found and not replay.decisions_under("17.1") and attacked


@check
def an_afternoon_duel(replay: ReplayedRecord) -> bool:
    return [carrier.key for carrier in _carriers(replay.end)] == ["hiryu", "yorktown"] and (
        replay.end.at.turn == 4 and replay.match.outcome is not None and replay.match.outcome.winner is not None
    )


@check
def a_duel_from_a_file_of_ones_own(replay: ReplayedRecord) -> bool:
    sides: list[Side] = [replay.end.side(name) for name in SIDES]
    return replay.header.own is not None and [len(side.carriers) for side in sides] == [1, 1]


@check
def every_option_changed(replay: ReplayedRecord) -> bool:
    default = replay.match.game.resolve({})
    changed = all(choice != default[key] for key, choice in replay.header.options.items())
    aimed_by_moving = any(point.state.at.phase.endswith("-move") for point in replay.decisions_under("12.1"))
    return changed and bool(replay.decisions_under("7")) and aimed_by_moving


# -- Tora! Tora! Tora! -------------------------------------------------------------------------------------------------


def _final_state(replay: ReplayedRecord) -> tuple[Tora, FinalCounts]:
    """Return the state and the final counts at the end of a battle."""
    state: object = replay.end
    assert isinstance(state, Tora)
    return state, final_counts(state, TORA.data)


@check
def as_it_came_on_a_sunday_morning(replay: ReplayedRecord) -> bool:
    state, counts = _final_state(replay)
    return state.day == 7 and replay.winner is None and counts.damaged + counts.sunk >= 6 and counts.japanese < 60


@check
def the_yard_in_ruins(replay: ReplayedRecord) -> bool:
    _, counts = _final_state(replay)
    return replay.winner == "japan" and counts.yard > 24


@check
def awake_on_the_right_day(replay: ReplayedRecord) -> bool:
    state, counts = _final_state(replay)
    assert state.usa.plan is not None
    return replay.winner == "usa" and state.usa.plan.airfield[state.day - 1] == 3 and counts.japanese > 100


@check
def a_black_card_ends_it(replay: ReplayedRecord) -> bool:
    outcome = replay.match.outcome
    return outcome is not None and outcome.text.startswith(BLACK) and replay.match.state.at.turn >= 11


@check
def four_a_side_and_an_umpire(replay: ReplayedRecord) -> bool:
    state, _ = _final_state(replay)
    deciding = {point.seat for point in replay.points}
    return len(state.japan.seats) == len(state.usa.seats) == 4 and {*state.japan.seats, *state.usa.seats} <= deciding


@check
def a_plan_changed_once_more(replay: ReplayedRecord) -> bool:
    state, _ = _final_state(replay)
    return bool(state.japan.message) and (len(state.japan.sealed), len(state.usa.sealed)) == (2, 2)


# -- the strategic war -------------------------------------------------------------------------------------------------


def _played(replay: ReplayedRecord) -> War | Raid | Staff:
    """Return the final state of the war, the raid or the staff exercise."""
    state: object = replay.end
    assert isinstance(state, WarState | RaidState)
    return state.played


@check
def the_convoys_come_through(replay: ReplayedRecord) -> bool:
    quarters = [len(list(group)) for _, group in groupby(replay.points, lambda point: point.state.at.turn)]
    return replay.winner == "allies" and len(quarters) == 12


@check
def struck_a_second_time(replay: ReplayedRecord) -> bool:
    raid = _played(replay)
    return isinstance(raid, Raid) and replay.winner == "japan" and raid.stays is True


@check
def met_by_carriers(replay: ReplayedRecord) -> bool:
    raid = _played(replay)
    if not isinstance(raid, Raid) or raid.stays is not True or not raid.at_sea():
        return False
    return any(carrier.hit for carrier in raid.carriers)


@check
def thrown_at_the_staffs_table(replay: ReplayedRecord) -> bool:
    staff = _played(replay)
    return isinstance(staff, Staff) and len(staff.results) >= 3


@check
def the_atlantic_is_lost(replay: ReplayedRecord) -> bool:
    return replay.winner == "axis" and replay.header.scenario == "atlantic"


@check
def japan_without_ships(replay: ReplayedRecord) -> bool:
    war = _played(replay)
    return isinstance(war, War) and replay.winner == "allies" and war.oceans["japan"].merchants <= 3


@check
def bombers_turned_back(replay: ReplayedRecord) -> bool:
    return replay.winner == "axis" and replay.header.scenario == "bomber-offensive"


@check
def left_unseen(replay: ReplayedRecord) -> bool:
    raid = _played(replay)
    return isinstance(raid, Raid) and replay.winner == "japan" and raid.stays is False


@check
def carriers_in_port(replay: ReplayedRecord) -> bool:
    raid = _played(replay)
    forces = raid.forces if isinstance(raid, Raid) else []
    return any(force.in_port and any(ship.hit for ship in force.carriers) for force in forces)


# -- Picket Duty -------------------------------------------------------------------------------------------------------


def _cruise(replay: ReplayedRecord) -> Picket:
    """Return the state at the end of a cruise."""
    state: object = replay.end
    assert isinstance(state, Picket)
    return state


def _outcome_title(replay: ReplayedRecord) -> str:
    assert replay.match.outcome is not None
    return replay.match.outcome.title


@check
def nothing_gets_through(replay: ReplayedRecord) -> bool:
    tally = _cruise(replay).tally
    return tally.planes >= 4 and tally.shot == tally.planes and not tally.hits


@check
def blown_up(replay: ReplayedRecord) -> bool:
    return _cruise(replay).ship.lost == "blown up"


@check
def an_ohka_strikes(replay: ReplayedRecord) -> bool:
    return any("ohka" in hit.plane and not hit.near for hit in _cruise(replay).tally.hits)


@check
def her_back_is_broken(replay: ReplayedRecord) -> bool:
    return _cruise(replay).ship.lost == "broken in two"


@check
def struck_four_times_and_lost(replay: ReplayedRecord) -> bool:
    state = _cruise(replay)
    return bool(state.ship.lost) and sum(not hit.near for hit in state.tally.hits) >= 4 and state.plan.station == 10


@check
def they_come_by_the_dozen(replay: ReplayedRecord) -> bool:
    state = _cruise(replay)
    return replay.winner == "usa" and state.tally.planes >= 20 and state.tally.shot >= 10 and not state.ship.lost


@check
def an_older_fit_of_guns(replay: ReplayedRecord) -> bool:
    state = _cruise(replay)
    mounts = {"gun-m", "gun-n", "gun-o"}
    return replay.winner == "usa" and bool(mounts & set(state.tally.kills)) and "gun-a" not in state.ship.mounts


@check
def a_crew_of_aces(replay: ReplayedRecord) -> bool:
    state = _cruise(replay)
    default = PICKET.resolve({})
    changed = {name for name, choice in replay.header.options.items() if choice != default[name]}
    return changed == set(default) and any(kills >= 5 for kills in state.tally.kills.values())


@check
def a_withdrawal_costs_the_month(replay: ReplayedRecord) -> bool:
    tally = _cruise(replay).tally
    return tally.withdrawals >= 1 and not tally.lost and _outcome_title(replay) == "Japanese marginal victory"


@check
def three_ships_to_the_end_of_june(replay: ReplayedRecord) -> bool:
    tally = _cruise(replay).tally
    return len(tally.lost) == 2 and len({tour.ship for tour in tally.tours}) == 3


@check
def a_day_of_ones_own(replay: ReplayedRecord) -> bool:
    state = _cruise(replay)
    return state.plan.design and state.plan.first != "03-24" and state.tally.planes > 0


# -- The Doolittle Raid ------------------------------------------------------------------------------------------------


def _bombs(replay: ReplayedRecord, city: str) -> int:
    """Return the number of bombers that bombed a city."""
    target = doolittle_checks.raid_of(replay).targets.get(city)
    return target.tally if target else 0


@check
def four_over_tokyo_and_home(replay: ReplayedRecord) -> bool:
    before_turn_ten = replay.end.at.turn < 10
    home = doolittle_checks.fates(replay) == ["home"] * 4
    return _bombs(replay, "tokyo") == 4 and home and before_turn_ten and replay.winner == "usa"


@check
def lost_over_nagoya(replay: ReplayedRecord) -> bool:
    return "destroyed" in doolittle_checks.fates(replay) and "home" in doolittle_checks.fates(replay)


@check
def the_ryuho_is_hit(replay: ReplayedRecord) -> bool:
    return count_facts(doolittle_checks.raid_of(replay), DOOLITTLE.data)["carriers-hit"] == 1


@check
def under_better_guns(replay: ReplayedRecord) -> bool:
    options = replay.header.options
    hurt = any(bomber.hits for bomber in doolittle_checks.raid_of(replay).squad.values())
    return {options.get("tracers"), options.get("coordinated")} == {"yes"} and hurt and replay.winner == "usa"


@check
def three_captains_by_night(replay: ReplayedRecord) -> bool:
    seats = {point.seat for point in replay.points}
    return len(seats) == 3 and _bombs(replay, "tokyo") == 6


@check
def thirteen_bombs_on_tokyo(replay: ReplayedRecord) -> bool:
    return _bombs(replay, "tokyo") >= 12 and replay.winner == "usa"


@check
def down_in_china(replay: ReplayedRecord) -> bool:
    facts = count_facts(doolittle_checks.raid_of(replay), DOOLITTLE.data)
    return facts["crews-china"] >= 12 and doolittle_checks.fates(replay).count("ditched") >= 8


@check
def a_city_goes_dark(replay: ReplayedRecord) -> bool:
    state = doolittle_checks.raid_of(replay)
    return any(target.dark and target.tally for target in state.targets.values())


# -- steps without a choice --------------------------------------------------------------------------------------------


def _continued(replay: ReplayedRecord) -> set[str]:
    """Return the seats that were asked only to continue."""
    return {point.seat for point in replay.points if point.options == (CONTINUE.key,)}


@check
def steps_without_a_choice(replay: ReplayedRecord) -> bool:
    return _continued(replay) == {"japan", "usa"}


@check
def reactions_stay_hidden(replay: ReplayedRecord) -> bool:
    return _continued(replay) == {"japan", "usa"}
