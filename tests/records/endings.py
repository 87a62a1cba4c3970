"""The records of the Doolittle Raid that show how its segments end; what each of them shows, as in `shows.py`."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby

from tests.records.story import Moment, Story, shows

from readyroom.games.doolittle.figures.ending import Segment
from readyroom.games.doolittle.state import Doolittle, Happening
from readyroom.games.doolittle.voyage.state import How, Voyage

HORNET, FORCE = "hornet", "task-force"
PLANES = ("torpedo bombers", "dive bombers", "fighters")


def raid_of(story: Story) -> Doolittle:
    """The raid at its end."""
    state: object = story.end
    assert isinstance(state, Doolittle)
    return state


def _told(story: Story, what: str, where: str = "", segment: Segment | None = None) -> list[Happening]:
    """Return the events of one kind."""
    return [
        one
        for one in raid_of(story).story
        if one.what == what and where in ("", one.where) and segment in (None, one.segment)
    ]


def fates(story: Story) -> list[str]:
    """What became of the bombers."""
    return [bomber.fate for bomber in raid_of(story).squad.values()]


def _crews(story: Story) -> set[str]:
    """What became of the crews."""
    return {crew.fate for crew in raid_of(story).crews}


def _segments(story: Story) -> list[str]:
    """The segments in which something happened, in their order; one that was interrupted comes twice."""
    return [segment for segment, _ in groupby(one.segment for one in raid_of(story).story)]


# -- planning ----------------------------------------------------------------------------------------------------------


@shows
def from_january_to_chungking(story: Story) -> bool:
    whole = ["planning", "naval", "flight", "denouement"]
    in_order = list(dict.fromkeys(_segments(story)))
    in_order = list(dict.fromkeys(_segments(story)))
    planned = bool(_told(story, "sailed")) and _launched(story, "planned")
    return in_order == whole and planned and "chungking" in _crews(story)


def _called_off(story: Story, rule: str) -> bool:
    """Whether the raid was called off under a rule, before anybody sailed."""
    off = [one.who for one in _told(story, "called-off")]
    return raid_of(story).called_off and off == [rule] and _segments(story) == ["planning"]


@shows
def the_joint_chiefs_say_no(story: Story) -> bool:
    return _called_off(story, "15.1.2.B")


@shows
def china_is_overrun(story: Story) -> bool:
    return _called_off(story, "15.1.2.H")


@shows
def a_carrier_lost_off_wake(story: Story) -> bool:
    return _called_off(story, "15.1.2.I")


@shows
def no_one_can_go_aboard(story: Story) -> bool:
    return _called_off(story, "13.4.9")


# -- how the bombers leave the deck ------------------------------------------------------------------------------------


def _sea(story: Story) -> Voyage:
    """Return the naval map at the end; an empty one if no ship sails."""
    return raid_of(story).voyage or Voyage()


def _launched(story: Story, how: How) -> bool:
    """Whether bombers were first launched, or not, in one way."""
    launched = raid_of(story).launched
    return launched is not None and launched.how == how


def _turned(story: Story, phase: str, answer: str) -> bool:
    """Whether the force turned about in a phase, and what was said to a launch before."""
    asked = [moment for moment in story.asked("12.0.1") if _phase(moment) == phase]
    return [moment.chose for moment in asked] == [(answer,)]


def _phase(moment: Moment) -> str:
    return moment.state.at.phase


@shows
def off_the_deck_as_planned(story: Story) -> bool:
    state = raid_of(story)
    there = state.launched is not None and state.plan is not None and state.launched.area == state.plan.launch_area
    return _launched(story, "planned") and there and set(_segments(story)) >= {"naval", "flight"}


@shows
def away_before_they_are_found(story: Story) -> bool:
    hasty = any(moment.chose == ("launch",) for moment in story.asked("12.6.4"))
    return _launched(story, "emergency") and hasty and "flight" in _segments(story)


@shows
def too_little_fuel_to_go_on(story: Story) -> bool:
    return _launched(story, "emergency") and _turned(story, "underway", "launch") and not _sea(story).fueled


@shows
def on_the_last_day_of_april(story: Story) -> bool:
    return _launched(story, "emergency") and _turned(story, "refueling", "launch") and "flight" in _segments(story)


@shows
def some_get_off_in_time(story: Story) -> bool:
    chosen = [
        len(moment.chose) for moment in story.asked("11.2.1") if moment.chose and moment.chose[0].startswith("goes-")
    ]
    left = sum(fate in ("overboard", "home") for fate in fates(story))
    return _launched(story, "airstrike") and len(chosen) == 1 and 0 < chosen[0] <= len(fates(story)) - left < 16


def _ashore(story: Story, base: str) -> bool:
    """Whether nearly all bombers have flown to a base of ours."""
    ashore = [bomber.where for bomber in raid_of(story).squad.values() if bomber.fate == "ashore"]
    return len(ashore) >= 14 and set(ashore) == {base}


@shows
def the_bombers_reach_midway(story: Story) -> bool:
    return _ashore(story, "midway-island")


@shows
def the_bombers_reach_pearl_harbor(story: Story) -> bool:
    return _ashore(story, "pearl-harbor")


# -- voyages without a launch, and launches that go wrong --------------------------------------------------------------


def _hurt_at_sea(story: Story, *by: str) -> bool:
    """Whether the Hornet is damaged on the voyage, which ends by it."""
    hurt = _told(story, "ship-damaged", segment="naval")
    hit = any(one.who == HORNET and one.where in by for one in hurt)
    return hit and _launched(story, "none") and not story.asked("12.0.1")


@shows
def torpedoes_for_the_hornet(story: Story) -> bool:
    return _hurt_at_sea(story, "torpedoes")


@shows
def bombs_for_the_hornet(story: Story) -> bool:
    return _hurt_at_sea(story, *PLANES) and not _sunk_at_sea(story)


def _sunk_at_sea(story: Story) -> bool:
    return any(one.who == HORNET for one in _told(story, "ship-sunk", segment="naval"))


@shows
def the_hornet_is_lost(story: Story) -> bool:
    return _sunk_at_sea(story) and set(fates(story)) == {"overboard"} and _launched(story, "none")


@shows
def ships_thrown_together(story: Story) -> bool:
    return _hurt_at_sea(story, "the sea")


@shows
def the_deck_is_wrecked(story: Story) -> bool:
    return bool(_told(story, "botched", "deck wrecked")) and _sea(story).wrecked and "home" in fates(story)


@shows
def fire_and_a_second_launch(story: Story) -> bool:
    segments = [one for one in _segments(story) if one in ("naval", "flight")]
    return bool(_told(story, "botched", "fire on deck")) and segments[:4] == ["naval", "flight", "naval", "flight"]


@shows
def the_fire_takes_the_rest(story: Story) -> bool:
    last = [one.where for one in _told(story, "botched")][-1:]
    burned = "overboard" in fates(story) and "home" not in fates(story)
    return last == ["fire on deck"] and _segments(story).count("naval") == 1 and burned


@shows
def home_on_the_last_of_the_fuel(story: Story) -> bool:
    return _launched(story, "none") and _turned(story, "underway", "home") and not _sea(story).fueled


@shows
def april_runs_out(story: Story) -> bool:
    return _launched(story, "none") and _turned(story, "refueling", "home")


# -- flight ------------------------------------------------------------------------------------------------------------

DOWN = ("found", "ditched", "destroyed", "captured", "crashed")


def _last_down(story: Story) -> list[str]:
    """What was the last thing that took a bomber from the sky, if anything did."""
    return [one.what for one in raid_of(story).story if one.segment in ("flight", "attack") and one.what in DOWN][-1:]


@shows
def the_last_flight_lands(story: Story) -> bool:
    return "flight" in _segments(story) and _last_down(story) == ["found"] and not {"", "home"} & set(fates(story))


SEA = ("Z1", "Z2", "Z3", "Z4", "Z5", "Z7", "Z8", "Z9")
"""The zones of the flight map in which there is no land."""


@shows
def all_down_at_sea(story: Story) -> bool:
    ditched = [bomber.where for bomber in raid_of(story).squad.values() if bomber.fate == "ditched"]
    return set(fates(story)) <= {"ditched", "destroyed"} and len(ditched) >= 10 and set(ditched) <= set(SEA)


# -- attack ------------------------------------------------------------------------------------------------------------


@shows
def nine_turns_over_the_city(story: Story) -> bool:
    state = raid_of(story)
    left = {one.who for one in _told(story, "left")}
    late = {key for key, bomber in state.squad.items() if bomber.fate == "home"} - left
    return state.air is None and state.at.turn == 10 and bool(late)


# -- denouement --------------------------------------------------------------------------------------------------------


@shows
def at_chungking_or_captured(story: Story) -> bool:
    return _crews(story) == {"chungking", "captured"} and bool(story.asked("14.4.2"))


@shows
def interned_and_released(story: Story) -> bool:
    ending = raid_of(story).ending
    return ending is not None and ending.soviet in ("released", "starred") and "released" in _crews(story)


@shows
def interned_to_the_end(story: Story) -> bool:
    ending = raid_of(story).ending
    kept = ending is not None and ending.soviet == "interned" and "interned" in _crews(story)
    return kept and not _told(story, "kept")


@shows
def a_release_is_taken_back(story: Story) -> bool:
    return bool(_told(story, "kept")) and "interned" in _crews(story) and "released" not in _crews(story)


@shows
def let_go_from_vladivostok(story: Story) -> bool:
    ending = raid_of(story).ending
    return ending is not None and ending.soviet == "free"


@shows
def no_one_in_china(story: Story) -> bool:
    reached = _told(story, "on-foot") or any(one.where in CHINA for one in _told(story, "found"))
    return set(_segments(story)) >= {"flight", "denouement"} and not reached


CHINA: Collection[str] = ("lishui", "chuchow", "yushan", "kian", "kweilin")


def _met_on_the_way(story: Story, what: str, harm: Collection[str]) -> bool:
    """Whether the force met with something on its way home, and ships were harmed by it."""
    met = any(one.who == FORCE for one in _told(story, "incident", what, "denouement"))
    hurt = [*_told(story, "ship-damaged", segment="denouement"), *_told(story, "ship-sunk", segment="denouement")]
    return met and any(one.where in harm for one in hurt)


@shows
def planes_on_the_way_home(story: Story) -> bool:
    return _met_on_the_way(story, "airstrike", PLANES)


@shows
def an_i_boat_on_the_way_home(story: Story) -> bool:
    return _met_on_the_way(story, "i-boat", ("torpedoes",))


@shows
def enemy_ships_on_the_way_home(story: Story) -> bool:
    return _met_on_the_way(story, "ships", ("enemy ships",))
