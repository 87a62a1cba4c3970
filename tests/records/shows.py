"""What each record shows, as something that can be found out: from states, rules and outcomes, never from wording."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

from tests.records import endings
from tests.records.story import ALL, Moment, Story, shown, shows

from readyroom.engine.record.format import Entry, Fork, Undo
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

__all__ = ["ALL", "Story", "endings", "shown"]

# -- how battles end ---------------------------------------------------------------------------------------------------


@shows
def japan_sinks_all_three(story: Story) -> bool:
    return story.winner == "japan" and story.sunk("usa") == ["enterprise", "hornet", "yorktown"]


@shows
def america_sinks_all_four(story: Story) -> bool:
    return story.winner == "usa" and sorted(story.sunk("japan")) == ["akagi", "hiryu", "kaga", "soryu"]


@shows
def drawn_on_points(story: Story) -> bool:
    return story.winner is None and bool(story.sunk("japan") and story.sunk("usa"))


@shows
def last_strike_of_a_sunk_fleet(story: Story) -> bool:
    return any(_struck_without_a_deck(story, name) for name in SIDES)


def _struck_without_a_deck(story: Story, name: SideName) -> bool:
    """Whether a side's last carrier was sunk, and an enemy carrier by that side after it."""
    states = [state for state in story.states if not state.afloat(state.side(name))]
    if not states:
        return False
    first, end = states[0], story.end
    return len(end.afloat(end.enemy(end.side(name)))) < len(first.afloat(first.enemy(first.side(name))))


@shows
def without_bombers_until_turn_twenty(story: Story) -> bool:
    state = story.end
    sides = [state.side(name) for name in SIDES]
    helpless = any(all(squadron.kind is FIGHTER for squadron in side.squadrons()) for side in sides)
    return state.at.turn == state.rulings.turn_limit == 20 and all(map(state.afloat, sides)) and helpless


@shows
def turn_eight_ends_it(story: Story) -> bool:
    state = story.end
    afloat = all(state.afloat(state.side(name)) for name in SIDES)
    return state.at.turn == state.rulings.turn_limit == 8 and afloat and story.winner is not None


# -- what happens on the way -------------------------------------------------------------------------------------------


@shows
def a_search_that_finds_nothing(story: Story) -> bool:
    searches = {moment.state.at.turn: moment for moment in reversed(story.asked("17.1"))}
    first = searches[min(searches)] if searches else None
    return first is not None and len(first.offered) < 4 and len(searches) > 1 and story.end.found


@shows
def crippled_carrier_works_again(story: Story) -> bool:
    crippled: set[str] = set()
    for moment in story.moments:
        crippled |= {carrier.key for carrier in _carriers(moment.state) if moment.state.crippled(carrier)}
        if moment.rule == "13.1" and crippled & _launching(moment):
            return True
    return False


def _launching(moment: Moment) -> set[str]:
    """The carriers from whose decks something is launched."""
    return {
        carrier.key
        for carrier in _carriers(moment.state)
        if any(squadron.key in moment.chose for squadron in carrier.deck)
    }


def _carriers(state: Midway) -> Iterator[Carrier]:
    for name in SIDES:
        yield from state.side(name).carriers


@shows
def squadrons_ditch(story: Story) -> bool:
    steps = pairwise(moment.state for moment in story.moments)
    return any(_ditched(before, after, name) for before, after in steps for name in SIDES)


def _ditched(before: Midway, after: Midway, name: SideName) -> bool:
    """Whether squadrons that waited for a deck are lost, unhurt, and there was no deck at all."""
    if before.working(before.side(name)) or after.working(after.side(name)):
        return False
    waiting = {squadron.key for squadron in before.side(name).waiting}
    lost = {squadron.key for squadron in after.side(name).lost if squadron.strength}
    return bool(waiting & lost)


@shows
def seven_seats_vote_on_losses(story: Story) -> bool:
    cast = [(line.block, line.chose) for line in story.entries_of(Entry) if line.block]
    votes = [{chose for _, chose in block} for _, block in groupby(cast, key=lambda vote: vote[0])]
    return len(story.header.seats) == 7 and {(AGREE.key,)} in votes and any(len(vote) == 2 for vote in votes)


@shows
def orphans_find_a_new_owner(story: Story) -> bool:
    """The seat that commands a squadron orders it forward, though it came from another carrier."""
    for moment in story.asked("10.2"):
        taken = {squadron.key: squadron for squadron in _flying(moment.state) if squadron.taken_over == moment.seat}
        if any(key in taken and taken[key].home != moment.seat for key in moment.chose):
            return True
    return False


def _flying(state: Midway) -> Iterator[Any]:
    for name in SIDES:
        yield from state.side(name).airborne()


# -- how a match is kept -----------------------------------------------------------------------------------------------


@shows
def decisions_taken_back(story: Story) -> bool:
    undos = story.entries_of(Undo)
    answers = {line.n: line.chose for line in story.entries_of(Entry)}
    other = any(answers[n] != answers.get(undo.n + 1) for undo in undos for n in undo.undo[:1])
    return {undo.leave for undo in undos} == {True, False} and max(len(undo.undo) for undo in undos) > 1 and other


@shows
def real_dice_entered_by_hand(story: Story) -> bool:
    faces = [face for line in story.entries_of(Entry) for data in (line.dice or {}).values() for face in data]
    unreported = story.parsed.ending is not None and story.parsed.ending.secrets == [None]
    return story.header.dice == "told" and story.header.seed is None and unreported and len(faces) > 100


@shows
def continued_after_a_fork(story: Story) -> bool:
    forks = story.entries_of(Fork)
    ending = story.parsed.ending
    if len(forks) != 1 or ending is None or len(set(ending.secrets)) != 2:
        return False
    before = [line for line in story.entries_of(Entry) if line.n <= forks[0].n]
    return 0 < len(before) < len(story.entries_of(Entry)) and None not in ending.secrets


@shows
def secret_published_at_the_end(story: Story) -> bool:
    ending, header = story.parsed.ending, story.header
    return (
        header.seed is None and set(header.nonces) == set(header.seats) and ending is not None and all(ending.secrets)
    )


# -- scenarios and options ---------------------------------------------------------------------------------------------


@shows
def without_the_yorktown(story: Story) -> bool:
    keys = {carrier.key for carrier in _carriers(story.end)}
    return keys == {"enterprise", "hornet", "akagi", "hiryu", "soryu"}


@shows
def found_at_daybreak(story: Story) -> bool:
    attacked = any(moment.state.usa.ready for moment in story.moments)
    return story.moments[0].state.found and not story.asked("17.1") and attacked


@shows
def a_duel_from_a_file_of_ones_own(story: Story) -> bool:
    sides: list[Side] = [story.end.side(name) for name in SIDES]
    return story.header.own is not None and [len(side.carriers) for side in sides] == [1, 1]


@shows
def every_option_changed(story: Story) -> bool:
    default = story.match.game.resolve({})
    changed = all(choice != default[key] for key, choice in story.header.options.items())
    aimed_by_moving = any(moment.state.at.phase.endswith("-move") for moment in story.asked("12.1"))
    return changed and bool(story.asked("7")) and aimed_by_moving


# -- Tora! Tora! Tora! -------------------------------------------------------------------------------------------------


def _raid(story: Story) -> tuple[Tora, FinalCounts]:
    """The end of a battle over Pearl Harbor, and what counts there."""
    state: object = story.end
    assert isinstance(state, Tora)
    return state, final_counts(state, TORA.data)


@shows
def as_it_came_on_a_sunday_morning(story: Story) -> bool:
    state, counted = _raid(story)
    return state.day == 7 and story.winner is None and counted.damaged + counted.sunk >= 6 and counted.japanese < 60


@shows
def the_yard_in_ruins(story: Story) -> bool:
    _, counted = _raid(story)
    return story.winner == "japan" and counted.yard > 24


@shows
def awake_on_the_right_day(story: Story) -> bool:
    state, counted = _raid(story)
    assert state.usa.plan is not None
    return story.winner == "usa" and state.usa.plan.airfield[state.day - 1] == 3 and counted.japanese > 100


@shows
def a_black_card_ends_it(story: Story) -> bool:
    outcome = story.match.outcome
    return outcome is not None and outcome.text.startswith(BLACK) and story.match.state.at.turn >= 11


@shows
def four_a_side_and_an_umpire(story: Story) -> bool:
    state, _ = _raid(story)
    asked = {moment.seat for moment in story.moments}
    return len(state.japan.seats) == len(state.usa.seats) == 4 and {*state.japan.seats, *state.usa.seats} <= asked


@shows
def a_plan_changed_once_more(story: Story) -> bool:
    state, _ = _raid(story)
    return bool(state.japan.message) and (len(state.japan.sealed), len(state.usa.sealed)) == (2, 2)


# -- the strategic war -------------------------------------------------------------------------------------------------


def _played(story: Story) -> War | Raid | Staff:
    """The war, the raid or the staff's table as it stands at the end."""
    state: object = story.end
    assert isinstance(state, WarState | RaidState)
    return state.played


@shows
def the_convoys_come_through(story: Story) -> bool:
    quarters = [len(list(group)) for _, group in groupby(story.moments, lambda moment: moment.state.at.turn)]
    return story.winner == "allies" and len(quarters) == 12


@shows
def struck_a_second_time(story: Story) -> bool:
    raid = _played(story)
    return isinstance(raid, Raid) and story.winner == "japan" and raid.stays is True


@shows
def met_by_carriers(story: Story) -> bool:
    raid = _played(story)
    if not isinstance(raid, Raid) or raid.stays is not True or not raid.at_sea():
        return False
    return any(carrier.hit for carrier in raid.carriers)


@shows
def thrown_at_the_staffs_table(story: Story) -> bool:
    staff = _played(story)
    return isinstance(staff, Staff) and len(staff.results) >= 3


@shows
def the_atlantic_is_lost(story: Story) -> bool:
    return story.winner == "axis" and story.header.scenario == "atlantic"


@shows
def japan_without_ships(story: Story) -> bool:
    war = _played(story)
    return isinstance(war, War) and story.winner == "allies" and war.oceans["japan"].merchants <= 3


@shows
def bombers_turned_back(story: Story) -> bool:
    return story.winner == "axis" and story.header.scenario == "bomber-offensive"


@shows
def left_unseen(story: Story) -> bool:
    raid = _played(story)
    return isinstance(raid, Raid) and story.winner == "japan" and raid.stays is False


@shows
def carriers_in_port(story: Story) -> bool:
    raid = _played(story)
    forces = raid.forces if isinstance(raid, Raid) else []
    return any(force.in_port and any(ship.hit for ship in force.carriers) for force in forces)


# -- Picket Duty -------------------------------------------------------------------------------------------------------


def _cruise(story: Story) -> Picket:
    """The ship and her log at the end of a cruise."""
    state: object = story.end
    assert isinstance(state, Picket)
    return state


def _titled(story: Story) -> str:
    assert story.match.outcome is not None
    return story.match.outcome.title


@shows
def nothing_gets_through(story: Story) -> bool:
    tally = _cruise(story).tally
    return tally.planes >= 4 and tally.shot == tally.planes and not tally.hits


@shows
def blown_up(story: Story) -> bool:
    return _cruise(story).ship.lost == "blown up"


@shows
def an_ohka_strikes(story: Story) -> bool:
    return any("ohka" in hit.plane and not hit.near for hit in _cruise(story).tally.hits)


@shows
def her_back_is_broken(story: Story) -> bool:
    return _cruise(story).ship.lost == "broken in two"


@shows
def struck_four_times_and_lost(story: Story) -> bool:
    state = _cruise(story)
    return bool(state.ship.lost) and sum(not hit.near for hit in state.tally.hits) >= 4 and state.plan.station == 10


@shows
def they_come_by_the_dozen(story: Story) -> bool:
    state = _cruise(story)
    return story.winner == "usa" and state.tally.planes >= 20 and state.tally.shot >= 10 and not state.ship.lost


@shows
def an_older_fit_of_guns(story: Story) -> bool:
    state = _cruise(story)
    mounts = {"gun-m", "gun-n", "gun-o"}
    return story.winner == "usa" and bool(mounts & set(state.tally.kills)) and "gun-a" not in state.ship.mounts


@shows
def a_crew_of_aces(story: Story) -> bool:
    state = _cruise(story)
    default = PICKET.resolve({})
    changed = {name for name, choice in story.header.options.items() if choice != default[name]}
    return changed == set(default) and any(kills >= 5 for kills in state.tally.kills.values())


@shows
def a_withdrawal_costs_the_month(story: Story) -> bool:
    tally = _cruise(story).tally
    return tally.withdrawals >= 1 and not tally.lost and _titled(story) == "Japanese marginal victory"


@shows
def three_ships_to_the_end_of_june(story: Story) -> bool:
    tally = _cruise(story).tally
    return len(tally.lost) == 2 and len({tour.ship for tour in tally.tours}) == 3


@shows
def a_day_of_ones_own(story: Story) -> bool:
    state = _cruise(story)
    return state.plan.design and state.plan.first != "03-24" and state.tally.planes > 0


# -- The Doolittle Raid ------------------------------------------------------------------------------------------------


def _bombs(story: Story, city: str) -> int:
    """How many bombers have released over a city."""
    target = endings.raid_of(story).targets.get(city)
    return target.tally if target else 0


@shows
def four_over_tokyo_and_home(story: Story) -> bool:
    before_the_ninth = story.end.at.turn < 10
    home = endings.fates(story) == ["home"] * 4
    return _bombs(story, "tokyo") == 4 and home and before_the_ninth and story.winner == "usa"


@shows
def lost_over_nagoya(story: Story) -> bool:
    return "destroyed" in endings.fates(story) and "home" in endings.fates(story)


@shows
def the_ryuho_is_hit(story: Story) -> bool:
    return count_facts(endings.raid_of(story), DOOLITTLE.data)["carriers-hit"] == 1


@shows
def under_better_guns(story: Story) -> bool:
    chosen = story.header.options
    hurt = any(bomber.hits for bomber in endings.raid_of(story).squad.values())
    return {chosen.get("tracers"), chosen.get("coordinated")} == {"yes"} and hurt and story.winner == "usa"


@shows
def three_captains_by_night(story: Story) -> bool:
    seats = {moment.seat for moment in story.moments}
    return len(seats) == 3 and _bombs(story, "tokyo") == 6


@shows
def thirteen_bombs_on_tokyo(story: Story) -> bool:
    return _bombs(story, "tokyo") >= 12 and story.winner == "usa"


@shows
def down_in_china(story: Story) -> bool:
    facts = count_facts(endings.raid_of(story), DOOLITTLE.data)
    return facts["crews-china"] >= 12 and endings.fates(story).count("ditched") >= 8


@shows
def a_city_goes_dark(story: Story) -> bool:
    state = endings.raid_of(story)
    return any(target.dark and target.tally for target in state.targets.values())
