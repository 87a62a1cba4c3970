"""Checks of the records that show how the segments of the Doolittle Raid end."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby

from tests.records.replayed import DecisionPoint, ReplayedRecord, check

from readyroom.games.doolittle.figures.ending import Segment
from readyroom.games.doolittle.state import Doolittle, Happening
from readyroom.games.doolittle.voyage.state import How, Voyage

HORNET, FORCE = "hornet", "task-force"
PLANES = ("torpedo bombers", "dive bombers", "fighters")


def raid_of(replay: ReplayedRecord) -> Doolittle:
    """Return the state at the end of the raid."""
    state: object = replay.end
    assert isinstance(state, Doolittle)
    return state


def _events(replay: ReplayedRecord, what: str, where: str = "", segment: Segment | None = None) -> list[Happening]:
    """Return the events of one kind."""
    return [
        event
        for event in raid_of(replay).story
        if event.what == what and where in ("", event.where) and segment in (None, event.segment)
    ]


def fates(replay: ReplayedRecord) -> list[str]:
    """Return the fate of each bomber."""
    return [bomber.fate for bomber in raid_of(replay).squad.values()]


def _crews(replay: ReplayedRecord) -> set[str]:
    """Return the distinct fates of the crews."""
    return {crew.fate for crew in raid_of(replay).crews}


def _segments(replay: ReplayedRecord) -> list[str]:
    """Return the segments with events in order; an interrupted one appears twice."""
    return [segment for segment, _ in groupby(event.segment for event in raid_of(replay).story)]


# -- planning ----------------------------------------------------------------------------------------------------------


@check
def from_january_to_chungking(replay: ReplayedRecord) -> bool:
    whole = ["planning", "naval", "flight", "denouement"]
    in_order = list(dict.fromkeys(_segments(replay)))
    planned = bool(_events(replay, "sailed")) and _launched(replay, "planned")
    return in_order == whole and planned and "chungking" in _crews(replay)


def _called_off(replay: ReplayedRecord, rule: str) -> bool:
    """Return whether the raid was called off under a rule before the force sailed."""
    rules = [event.who for event in _events(replay, "called-off")]
    return raid_of(replay).called_off and rules == [rule] and _segments(replay) == ["planning"]


@check
def the_joint_chiefs_say_no(replay: ReplayedRecord) -> bool:
    return _called_off(replay, "15.1.2.B")


@check
def china_is_overrun(replay: ReplayedRecord) -> bool:
    return _called_off(replay, "15.1.2.H")


@check
def a_carrier_lost_off_wake(replay: ReplayedRecord) -> bool:
    return _called_off(replay, "15.1.2.I")


@check
def no_one_can_go_aboard(replay: ReplayedRecord) -> bool:
    return _called_off(replay, "13.4.9")


# -- launches ----------------------------------------------------------------------------------------------------------


def _sea(replay: ReplayedRecord) -> Voyage:
    """Return the final state of the voyage; an empty one if no ship sailed."""
    return raid_of(replay).voyage or Voyage()


def _launched(replay: ReplayedRecord, how: How) -> bool:
    """Return whether the first launch was of this kind."""
    launched = raid_of(replay).launched
    return launched is not None and launched.how == how


def _turned(replay: ReplayedRecord, phase: str, answer: str) -> bool:
    """Return whether the force turned back in a phase with this one answer to rule 12.0.1."""
    points = [point for point in replay.decisions_under("12.0.1") if _phase(point) == phase]
    return [point.answer for point in points] == [(answer,)]


def _phase(point: DecisionPoint) -> str:
    return point.state.at.phase


@check
def off_the_deck_as_planned(replay: ReplayedRecord) -> bool:
    state = raid_of(replay)
    in_area = state.launched is not None and state.plan is not None and state.launched.area == state.plan.launch_area
    return _launched(replay, "planned") and in_area and set(_segments(replay)) >= {"naval", "flight"}


@check
def away_before_they_are_found(replay: ReplayedRecord) -> bool:
    hasty = any(point.answer == ("launch",) for point in replay.decisions_under("12.6.4"))
    return _launched(replay, "emergency") and hasty and "flight" in _segments(replay)


@check
def too_little_fuel_to_go_on(replay: ReplayedRecord) -> bool:
    return _launched(replay, "emergency") and _turned(replay, "underway", "launch") and not _sea(replay).fueled


@check
def on_the_last_day_of_april(replay: ReplayedRecord) -> bool:
    return _launched(replay, "emergency") and _turned(replay, "refueling", "launch") and "flight" in _segments(replay)


@check
def some_get_off_in_time(replay: ReplayedRecord) -> bool:
    launched = [
        len(point.answer)
        for point in replay.decisions_under("11.2.1")
        if point.answer and point.answer[0].startswith("goes-")
    ]
    left = sum(fate in ("overboard", "home") for fate in fates(replay))
    return _launched(replay, "airstrike") and len(launched) == 1 and 0 < launched[0] <= len(fates(replay)) - left < 16


def _ashore(replay: ReplayedRecord, base: str) -> bool:
    """Return whether at least 14 bombers have flown to one base."""
    ashore = [bomber.where for bomber in raid_of(replay).squad.values() if bomber.fate == "ashore"]
    return len(ashore) >= 14 and set(ashore) == {base}


@check
def the_bombers_reach_midway(replay: ReplayedRecord) -> bool:
    return _ashore(replay, "midway-island")


@check
def the_bombers_reach_pearl_harbor(replay: ReplayedRecord) -> bool:
    return _ashore(replay, "pearl-harbor")


# -- voyages without a launch, and failed launches ---------------------------------------------------------------------


def _hurt_at_sea(replay: ReplayedRecord, *by: str) -> bool:
    """Return whether damage to the Hornet ends the voyage."""
    damaged = _events(replay, "ship-damaged", segment="naval")
    hit = any(event.who == HORNET and event.where in by for event in damaged)
    return hit and _launched(replay, "none") and not replay.decisions_under("12.0.1")


@check
def torpedoes_for_the_hornet(replay: ReplayedRecord) -> bool:
    return _hurt_at_sea(replay, "torpedoes")


@check
def bombs_for_the_hornet(replay: ReplayedRecord) -> bool:
    return _hurt_at_sea(replay, *PLANES) and not _sunk_at_sea(replay)


def _sunk_at_sea(replay: ReplayedRecord) -> bool:
    return any(event.who == HORNET for event in _events(replay, "ship-sunk", segment="naval"))


@check
def the_hornet_is_lost(replay: ReplayedRecord) -> bool:
    return _sunk_at_sea(replay) and set(fates(replay)) == {"overboard"} and _launched(replay, "none")


@check
def ships_thrown_together(replay: ReplayedRecord) -> bool:
    return _hurt_at_sea(replay, "the sea")


@check
def the_deck_is_wrecked(replay: ReplayedRecord) -> bool:
    return bool(_events(replay, "botched", "deck wrecked")) and _sea(replay).wrecked and "home" in fates(replay)


@check
def fire_and_a_second_launch(replay: ReplayedRecord) -> bool:
    segments = [segment for segment in _segments(replay) if segment in ("naval", "flight")]
    return bool(_events(replay, "botched", "fire on deck")) and segments[:4] == ["naval", "flight", "naval", "flight"]


@check
def the_fire_takes_the_rest(replay: ReplayedRecord) -> bool:
    last = [event.where for event in _events(replay, "botched")][-1:]
    burned = "overboard" in fates(replay) and "home" not in fates(replay)
    return last == ["fire on deck"] and _segments(replay).count("naval") == 1 and burned


@check
def home_on_the_last_of_the_fuel(replay: ReplayedRecord) -> bool:
    return _launched(replay, "none") and _turned(replay, "underway", "home") and not _sea(replay).fueled


@check
def april_runs_out(replay: ReplayedRecord) -> bool:
    return _launched(replay, "none") and _turned(replay, "refueling", "home")


# -- flight ------------------------------------------------------------------------------------------------------------

DOWN = ("found", "ditched", "destroyed", "captured", "crashed")


def _last_down(replay: ReplayedRecord) -> list[str]:
    """Return the last event that ended a bomber's flight, if any, as a list."""
    story = raid_of(replay).story
    return [event.what for event in story if event.segment in ("flight", "attack") and event.what in DOWN][-1:]


@check
def the_last_flight_lands(replay: ReplayedRecord) -> bool:
    return "flight" in _segments(replay) and _last_down(replay) == ["found"] and not {"", "home"} & set(fates(replay))


SEA = ("Z1", "Z2", "Z3", "Z4", "Z5", "Z7", "Z8", "Z9")
"""The zones of the flight map without land."""


@check
def all_down_at_sea(replay: ReplayedRecord) -> bool:
    ditched = [bomber.where for bomber in raid_of(replay).squad.values() if bomber.fate == "ditched"]
    return set(fates(replay)) <= {"ditched", "destroyed"} and len(ditched) >= 10 and set(ditched) <= set(SEA)


# -- attack ------------------------------------------------------------------------------------------------------------


@check
def nine_turns_over_the_city(replay: ReplayedRecord) -> bool:
    state = raid_of(replay)
    left = {event.who for event in _events(replay, "left")}
    late = {key for key, bomber in state.squad.items() if bomber.fate == "home"} - left
    return state.air is None and state.at.turn == 10 and bool(late)


# -- denouement --------------------------------------------------------------------------------------------------------


@check
def at_chungking_or_captured(replay: ReplayedRecord) -> bool:
    return _crews(replay) == {"chungking", "captured"} and bool(replay.decisions_under("14.4.2"))


@check
def interned_and_released(replay: ReplayedRecord) -> bool:
    ending = raid_of(replay).ending
    return ending is not None and ending.soviet in ("released", "starred") and "released" in _crews(replay)


@check
def interned_to_the_end(replay: ReplayedRecord) -> bool:
    ending = raid_of(replay).ending
    kept = ending is not None and ending.soviet == "interned" and "interned" in _crews(replay)
    return kept and not _events(replay, "kept")


@check
def a_release_is_taken_back(replay: ReplayedRecord) -> bool:
    return bool(_events(replay, "kept")) and "interned" in _crews(replay) and "released" not in _crews(replay)


@check
def let_go_from_vladivostok(replay: ReplayedRecord) -> bool:
    ending = raid_of(replay).ending
    return ending is not None and ending.soviet == "free"


@check
def no_one_in_china(replay: ReplayedRecord) -> bool:
    reached = _events(replay, "on-foot") or any(event.where in CHINA for event in _events(replay, "found"))
    return set(_segments(replay)) >= {"flight", "denouement"} and not reached


CHINA: Collection[str] = ("lishui", "chuchow", "yushan", "kian", "kweilin")


def _met_on_the_way(replay: ReplayedRecord, what: str, causes: Collection[str]) -> bool:
    """Return whether an incident on the way home damaged or sank ships."""
    met = any(event.who == FORCE for event in _events(replay, "incident", what, "denouement"))
    damaged = [
        *_events(replay, "ship-damaged", segment="denouement"),
        *_events(replay, "ship-sunk", segment="denouement"),
    ]
    return met and any(event.where in causes for event in damaged)


@check
def planes_on_the_way_home(replay: ReplayedRecord) -> bool:
    return _met_on_the_way(replay, "airstrike", PLANES)


@check
def an_i_boat_on_the_way_home(replay: ReplayedRecord) -> bool:
    return _met_on_the_way(replay, "i-boat", ("torpedoes",))


@check
def enemy_ships_on_the_way_home(replay: ReplayedRecord) -> bool:
    return _met_on_the_way(replay, "ships", ("enemy ships",))
