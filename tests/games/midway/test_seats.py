"""Tests of rulings M18 and M22 and the end of 12.3: more than two players."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from tests.games.midway.helpers import Battle, Played, Reply, every, nothing, reply

from readyroom.engine.errors import CannotUndo
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.games.midway import GAME
from readyroom.games.midway.state import Data, Midway

SEVEN = ["hiryu", "soryu", "akagi", "kaga", "enterprise", "hornet", "yorktown"]


@pytest.fixture
def battle() -> Battle:
    return Battle(seats="groups").settle()


# -- who commands what -------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "M18")
def test_seats_default_to_two_with_seven_by_option() -> None:
    assert [seat.key for seat in Match(GAME, seed="a").seats] == ["japan", "usa"]
    seats = Match(GAME, None, {"seats": "groups"}, seed="a").seats
    assert [seat.key for seat in seats] == SEVEN
    assert [seat.side for seat in seats] == ["japan"] * 4 + ["usa"] * 3


@pytest.mark.rule("midway", "M18", "9.2", "13.1", "14.1")
@pytest.mark.parametrize("step", ["land", "launch", "plan"])
def test_seat_lands_launches_and_plans_for_own_carrier(battle: Battle, step: str) -> None:
    for key in ("hiryu", "soryu", "akagi", "kaga"):
        battle.put("waiting" if step == "land" else f"deck {key}", f"{key}-db-1")
    played = battle.play(step, "japan", otherwise=nothing)
    assert [decision.seat for decision in played.asked] == SEVEN[:4]
    own = [decision.piece_key or decision.keys[0].split("-")[0] for decision in played.asked]
    assert own == SEVEN[:4]


@pytest.mark.rule("midway", "M18", "10.2")
def test_seat_moves_own_squadrons(battle: Battle) -> None:
    battle.put("moving", "hornet-db-1", "yorktown-db-1").put("home", "hornet-f-1")
    played = battle.play("move", "usa", otherwise=every)
    assert {d.seat: d.keys for d in played.asked} == {
        "hornet": ["hornet-db-1", "hornet-f-1"],
        "yorktown": ["yorktown-db-1"],
    }
    assert battle.where("yorktown-db-1") == "ready"


@pytest.mark.rule("midway", "M18", "12.1")
def test_seat_targets_own_bombers(battle: Battle) -> None:
    battle.put("ready", "hornet-db-1", "yorktown-db-1")
    played = battle.play("attack", "usa", otherwise=nothing)
    assert {d.seat: d.keys for d in played.asked} == {"hornet": ["hornet-db-1"], "yorktown": ["yorktown-db-1"]}


@pytest.mark.rule("midway", "M18", "11.1", "M9")
def test_seat_commands_own_squadrons_from_other_carriers(battle: Battle) -> None:
    battle.put("deck kaga", "akagi-f-1").put("ready", "hornet-db-1")
    battle.play("launch", "japan", otherwise=every)
    assert battle.where("akagi-f-1") == "cap 1"
    played = battle.play("cap", "japan", otherwise=nothing)
    assert [(d.seat, d.keys) for d in played.asked] == [("akagi", ["akagi-f-1"])]


@pytest.mark.rule("midway", "M22", "17.1")
@pytest.mark.parametrize(("mine", "others", "divides"), [(4, 0, "yorktown"), (3, 1, "yorktown"), (2, 2, "hornet")])
def test_largest_owner_divides_search_groups(mine: int, others: int, divides: str) -> None:
    battle = Battle(seats="groups")
    own = {"hornet": [f"hornet-db-{n}" for n in range(1, others + 1)]} if others else {}
    own["yorktown"] = [f"yorktown-db-{n}" for n in range(1, mine + 1)]
    four = [key for keys in own.values() for key in keys]
    battle.put("moving", *four)
    advance = [reply("10.2", "advance", *keys, seat=seat) for seat, keys in own.items()]
    groups = [reply("17.1", f"group {n}", four[n - 1], seat=divides) for n in (1, 2, 3)]
    battle.play("move", "usa", *advance, *groups, dice=[2])
    assert battle.where(four[1]) == "ready"


@pytest.mark.rule("midway", "M22", "11.2", "11.4")
def test_attacking_cap_owners_match_escorts_and_divide_hits(battle: Battle) -> None:
    battle.put("cap 1", "kaga-f-1", "kaga-f-2", "akagi-f-1", strength=1)
    battle.put("ready", "hornet-f-1", strength=1).put("ready", "hornet-db-1", "hornet-tb-1", strength=1)
    battle.play(
        "cap",
        "japan",
        reply("11.1", "attack", "akagi-f-1", seat="akagi"),
        reply("11.1", "attack", "kaga-f-1", "kaga-f-2", seat="kaga"),
        reply("11.2", "escorts", "akagi-f-1", seat="kaga"),
        reply("11.4", "each type", "DB", seat="kaga"),
        dice=[1, 1, 6, 1],
    )
    assert battle.where("hornet-db-1") == "lost"


# -- 12.3, M22: who bears the hits -------------------------------------------------------------------------------------


def flak(battle: Battle, hits: int, wave: dict[str, list[int]], *votes: Reply, then: tuple[Reply, ...] = ()) -> Played:
    """Let the Akagi's guns score these hits on a wave of dive bombers, given as squadron strengths by owner."""
    targets = []
    for owner, strengths in wave.items():
        keys = [f"{owner}-db-{n}" for n in range(1, len(strengths) + 1)]
        for key, strength in zip(keys, strengths, strict=True):
            battle.put("ready", key, strength=strength)
        targets.append(reply("12.1", "Akagi", *keys, seat=owner))
    left = sum(map(sum, wave.values())) - hits

    def other(decision: Decision) -> list[str] | None:
        if decision.rule != "12.3":
            return []
        return _fill(decision) if decision.limit else None

    dice = [6] * hits + [1] * (7 - hits) + [1] * max(0, left)
    return battle.play("attack", "usa", *targets, *votes, *then, dice=dice, otherwise=other)


def _fill(decision: Decision) -> list[str]:
    assert decision.limit is not None
    pool = [value.key for value in decision.values for _ in range(decision.limit(value))]
    return pool[: decision.at_least]


def lost_by(battle: Battle, wave: dict[str, list[int]]) -> dict[str, int]:
    """Return the number of strength points each owner has lost."""
    now: Counter[str] = Counter()
    for owner, strengths in wave.items():
        for n in range(1, len(strengths) + 1):
            now[owner] += battle.squadron(f"{owner}-db-{n}").strength
    return {owner: sum(strengths) - now[owner] for owner, strengths in wave.items()}


def vote(owner: str, how: str) -> Reply:
    return reply("12.3", "who allocates", how, seat=owner)


@pytest.mark.rule("midway", "12.3", "M18", "M22")
@pytest.mark.parametrize(
    ("hits", "expected"), [(2, (1, 1)), (4, (2, 2)), (1, (0, 1)), (3, (1, 2)), (5, (2, 3)), (7, (3, 4))]
)
def test_hits_between_two_owners_are_spread_evenly(battle: Battle, hits: int, expected: tuple[int, int]) -> None:
    wave = {"hornet": [5], "yorktown": [3, 3]}
    flak(battle, hits, wave, vote("hornet", "evenly"), vote("yorktown", "evenly"))
    assert tuple(lost_by(battle, wave).values()) == expected


@pytest.mark.rule("midway", "12.3", "M22")
@pytest.mark.parametrize(
    ("hits", "expected"), [(3, (1, 1, 1)), (4, (1, 2, 1)), (5, (1, 3, 1)), (6, (2, 2, 2)), (7, (2, 3, 2))]
)
def test_extra_hits_between_three_owners_go_to_largest(
    battle: Battle, hits: int, expected: tuple[int, int, int]
) -> None:
    """The text: "with the player with the most attacking groups receiving any extra hits"."""
    wave = {"enterprise": [5], "hornet": [3, 3, 3], "yorktown": [5, 5]}
    flak(battle, hits, wave, *(vote(owner, "evenly") for owner in wave))
    assert tuple(lost_by(battle, wave).values()) == expected


@pytest.mark.rule("midway", "12.3", "M22")
def test_most_squadrons_counts_not_most_strength_points(battle: Battle) -> None:
    wave = {"hornet": [5], "yorktown": [2, 2]}
    flak(battle, 1, wave, vote("hornet", "evenly"), vote("yorktown", "evenly"))
    assert lost_by(battle, wave) == {"hornet": 0, "yorktown": 1}


@pytest.mark.rule("midway", "12.3", "M22")
def test_owner_takes_no_more_hits_than_points(battle: Battle) -> None:
    wave = {"hornet": [1], "yorktown": [5, 5]}
    played = flak(battle, 6, wave, vote("hornet", "evenly"), vote("yorktown", "evenly"))
    assert lost_by(battle, wave) == {"hornet": 1, "yorktown": 5}
    message = " ".join(line.text for line in played.lines if line.audience == ("enterprise", "hornet", "yorktown"))
    assert re.search(r"\bhornet\D+1\b.*\byorktown\D+5\b", message), "the side sees who takes how many"


@pytest.mark.rule("midway", "12.3", "M22")
def test_hits_beyond_wave_need_no_vote(battle: Battle) -> None:
    wave = {"hornet": [1], "yorktown": [2]}
    flak(battle, 7, wave)
    assert lost_by(battle, wave) == {"hornet": 1, "yorktown": 2}


@pytest.mark.rule("midway", "12.3", "M22")
def test_unanimous_vote_lets_largest_owner_allocate(battle: Battle) -> None:
    wave = {"hornet": [5], "yorktown": [5, 5]}
    choice = reply("12.3", "hits", *["hornet-db-1"] * 3, seat="yorktown")
    flak(battle, 3, wave, vote("hornet", "most"), vote("yorktown", "most"), then=(choice,))
    assert lost_by(battle, wave) == {"hornet": 3, "yorktown": 0}


@pytest.mark.rule("midway", "12.3", "M22")
@pytest.mark.parametrize("against", ["hornet", "yorktown"])
def test_one_vote_against_spreads_hits_evenly(battle: Battle, against: str) -> None:
    wave = {"hornet": [5], "yorktown": [5, 5]}
    votes = [vote(owner, "evenly" if owner == against else "most") for owner in wave]
    flak(battle, 4, wave, *votes)
    assert lost_by(battle, wave) == {"hornet": 2, "yorktown": 2}


@pytest.mark.rule("midway", "12.3", "M7")
def test_owners_allocate_their_share(battle: Battle) -> None:
    wave = {"hornet": [5], "yorktown": [3, 3]}
    choice = reply("12.3", "hits", "yorktown-db-2", "yorktown-db-2", seat="yorktown")
    flak(battle, 4, wave, vote("hornet", "evenly"), vote("yorktown", "evenly"), then=(choice,))
    assert battle.strengths("yorktown-db-1", "yorktown-db-2") == [3, 1]


@pytest.mark.rule("midway", "12.3", "M22")
def test_single_owner_is_asked_for_no_vote(battle: Battle) -> None:
    wave = {"hornet": [3, 3]}
    played = flak(battle, 2, wave, then=(reply("12.3", "hits", "hornet-db-2", "hornet-db-2", seat="hornet"),))
    assert all("who allocates" not in decision.question for decision in played.asked)


def at_a_vote() -> Match[Midway, Data]:
    """Return a match of seven seats, played until two of them have to vote."""
    match: Match[Midway, Data] = Match(GAME, "daybreak", {"seats": "groups"}, seed="votes")
    random = Random(7)
    for _ in range(20_000):
        if len(match.pending) > 1:
            return match
        assert match.outcome is None
        decision = next(iter(match.pending.values()))
        match.decide(decision.seat, decision.sample(random))
    raise AssertionError("no vote in the whole match")


@pytest.mark.rule("midway", "M22")
def test_vote_is_secret_until_all_have_voted() -> None:
    match = at_a_vote()
    first, *others = match.pending
    before = {seat: (match.view(seat), len(match.log(seat))) for seat in others}
    match.decide(first, "most")
    assert set(match.pending) == set(others)
    assert {seat: (match.view(seat), len(match.log(seat))) for seat in others} == before
    match.undo(first)
    assert first in match.pending


@pytest.mark.rule("midway", "M22")
def test_vote_stands_once_all_have_voted() -> None:
    match = at_a_vote()
    voters = list(match.pending)
    for seat in voters:
        match.decide(seat, "evenly")
    with pytest.raises(CannotUndo):
        match.undo(voters[0])


# -- orphans -----------------------------------------------------------------------------------------------------------


def sink(battle: Battle, key: str) -> None:
    """Hit a carrier with the last bomb it needs to sink."""
    battle.damage(**{key: 9}).put("ready", "hornet-db-8", strength=1)
    guns = battle.carrier(key).antiaircraft
    target = reply("12.1", battle.carrier(key).name, "hornet-db-8")
    battle.play("attack", "usa", target, dice=[1] * guns + [5], otherwise=nothing)


def held(battle: Battle, *seats: str) -> dict[str, int]:
    """Return the number of squadrons commanded by each of these seats."""
    count = Counter(squadron.seat for squadron in battle.state.japan.squadrons())
    return {seat: count[seat] for seat in seats}


@pytest.mark.rule("midway", "M18", "M10")
def test_seat_without_carrier_keeps_airborne_squadrons(battle: Battle) -> None:
    battle.put("moving", "akagi-db-1", "akagi-db-2", "akagi-tb-1")
    sink(battle, "akagi")
    assert held(battle, "akagi") == {"akagi": 3}
    played = battle.play("move", "japan", otherwise=every)
    assert [(d.seat, len(d.keys)) for d in played.asked] == [("akagi", 3)]


@pytest.mark.rule("midway", "M18")
def test_owners_of_sunk_carriers_share_orphaned_squadrons_evenly(battle: Battle) -> None:
    battle.put("moving", *(f"akagi-db-{n}" for n in range(1, 5)), "akagi-tb-1").put("home", "kaga-db-1")
    sink(battle, "akagi")
    sink(battle, "kaga")
    assert sorted(held(battle, "akagi", "kaga").values()) == [3, 3]
    assert held(battle, "hiryu", "soryu") == {"hiryu": 12, "soryu": 12}, "the others keep theirs"


@pytest.mark.rule("midway", "M18")
def test_uneven_orphan_shares_differ_by_one(battle: Battle) -> None:
    battle.put("moving", *(f"akagi-db-{n}" for n in range(1, 5)), "akagi-tb-1")
    sink(battle, "akagi")
    sink(battle, "kaga")
    assert sorted(held(battle, "akagi", "kaga").values()) == [2, 3]


@pytest.mark.rule("midway", "M18")
def test_owner_of_most_gives_up_half_if_nothing_is_shared(battle: Battle) -> None:
    sink(battle, "akagi")
    assert held(battle, "akagi", "kaga", "hiryu") == {"akagi": 17 // 2, "kaga": 17 - 17 // 2, "hiryu": 12}


@pytest.mark.rule("midway", "M18")
def test_sunk_carriers_leave_no_donor(battle: Battle) -> None:
    battle.put("moving", "akagi-db-1")
    for key in SEVEN[:4]:
        sink(battle, key)
    assert sum(held(battle, *SEVEN[:4]).values()) == 1


@pytest.mark.rule("midway", "M18", "M10")
def test_last_carrier_sunk_without_airborne_shares_nothing(battle: Battle) -> None:
    for key in SEVEN[:3]:
        sink(battle, key)
    battle.put("lost", *[squadron.key for squadron in list(battle.state.japan.airborne())])
    battle.damage(kaga=9).put("ready", "hornet-db-8", strength=1)
    played = battle.play("attack", "usa", reply("12.1", "Kaga", "hornet-db-8"), dice=[1] * 9 + [5], otherwise=nothing)
    assert held(battle, *SEVEN[:4]) == dict.fromkeys(SEVEN[:4], 0)
    assert "orphaned" not in " ".join(played.log_text("16.2"))


@pytest.mark.rule("midway", "M18")
def test_two_seats_transfer_no_squadrons() -> None:
    battle = Battle().settle().put("moving", "akagi-db-1")
    sink(battle, "akagi")
    assert {s.taken_over for s in battle.state.japan.squadrons()} == {""}


# -- whole matches -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "M18", "8")
@pytest.mark.parametrize("seed", range(6))
def test_seven_seats_play_battle_to_end(seed: int) -> None:
    match: Match[Midway, Data] = Match(GAME, None, {"seats": "groups"}, seed=f"seven {seed}")
    random, asked = Random(seed), Counter[str]()
    while match.outcome is None:
        for decision in match.pending.values():
            asked[decision.seat] += 1
            match.decide(decision.seat, decision.sample(random))
            break
    assert set(asked) == set(SEVEN)
    state = match.state
    counters = [s.key for side in (state.japan, state.usa) for s in (*side.squadrons(), *side.lost)]
    assert len(counters) == len(set(counters)) == 101
