"""Tests of secret planning: restrictions, plan hashes, the last change, and what the opponent sees."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from tests.games.tora.helpers import ATTACK, DATA, DEFENCE, Following, fill, play, table, tora

from readyroom import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.games.tora import GAME
from readyroom.games.tora.plans import lock
from readyroom.games.tora.plans.data import AmericanPlan, Berth, JapanesePlan, Ordnance
from readyroom.games.tora.plans.disclosure import describe_plan, reveal_plans
from readyroom.games.tora.plans.phase import plan, random_plan, revise
from readyroom.games.tora.plans.reading import prove
from readyroom.games.tora.state import America, Levels, Nippon, Tora


def _sides(state: Tora) -> tuple[America | Nippon, ...]:
    return state.japan, state.usa


@pytest.mark.rule("tora", "2", "5", "7")
def test_planning_is_simultaneous_and_secret() -> None:
    match = Match(GAME, seed="blind")
    assert set(match.pending) == {"japan", "usa"}
    before = msgspec.json.encode(match.view("usa")), [line.text for line in match.log("usa")]
    match.decide("japan", ["day-3"])
    match.decide("japan", ["2"])
    assert (msgspec.json.encode(match.view("usa")), [line.text for line in match.log("usa")]) == before


@pytest.mark.rule("tora", "T21")
def test_first_seat_of_side_plans_for_it() -> None:
    match = Match(GAME, options={"japan_players": "4", "usa_players": "2"}, seed="team")
    assert set(match.pending) == {"japan-nw", "usa-north"}


@pytest.mark.rule("tora", "2", "T27")
@pytest.mark.parametrize("known", [False, True])
def test_fingerprint_is_published_before_end_only_under_secret_dice(known: bool) -> None:
    """Who knows the dice knows the salt, and could try plans against the fingerprint."""
    match = Match(GAME, options={"umpire": "yes"}, secret=b"s" * 32, known_dice=known)
    random = Random("sealed")
    while match.state.at.phase == "plan":
        asked = random.choice(list(match.pending))
        match.decide(asked, match.pending[asked].sample(random))
    for seat in ("japan", "usa", "umpire", None):
        text = b"\n".join([_frozen(match, seat), *(line.text.encode() for line in match.log(seat))]).decode()
        for side, own in zip(_sides(match.state), ("japan", "usa"), strict=True):
            assert (side.sealed[-1].fingerprint in text) == (not known or seat in (own, "umpire"))
            assert side.sealed[-1].salt not in text
    assert text.count("plan is locked") == 2
    assert Match(GAME, seed="known")._runner.table.known_dice


@pytest.mark.rule("tora", "2", "T27")
def test_locked_plans_publish_fingerprints_and_verify_afterwards() -> None:
    match, random = Match(GAME, options={"umpire": "yes"}, secret=b"s" * 32), Random("sealed")
    while match.outcome is None:
        asked = random.choice(list(match.pending))
        match.decide(asked, match.pending[asked].sample(random))
    state = match.state
    lines = [line.text for line in match.log(None) if line.rule == "T27"]
    for side, text, message in zip(_sides(state), lines[:2], lines[2:], strict=True):
        assert text.endswith(f"{side.sealed[-1].fingerprint}.")
        assert message.endswith(f"its fingerprint is {side.sealed[-1].fingerprint}.")
        assert (
            side.sealed[-1].salt
            not in msgspec.json.encode([match.view(seat) for seat in ("usa", "japan", None)]).decode()
        )
    assert [holds for _, holds in prove(state)] == [True, True]
    assert state.usa.plan is not None
    state.usa.plan = msgspec.structs.replace(state.usa.plan, in_port={"lexington": 1, "enterprise": 1})
    assert state.japan.plan is not None
    state.japan.plan = msgspec.structs.replace(state.japan.plan, day=state.japan.plan.day % 10 + 1)
    assert [holds for lines, holds in prove(state) if lines.startswith("The Japanese plan")] == [False]
    assert [claim.partition(" plan")[0] for claim, _ in prove(state)] == ["The Japanese", "The American"]


def laid_open(japan: JapanesePlan = ATTACK, usa: AmericanPlan = DEFENCE) -> list[str]:
    """Return the log lines that reveal both plans after the battle, without the lines that lock them."""
    game_table = table()
    fill(plan(game_table), Following(japan, usa))
    locked = len(game_table.log or [])
    reveal_plans(game_table)
    assert game_table.log is not None
    assert all(line.audience is None for line in game_table.log[locked:])
    return [line.text for line in game_table.log[locked:]]


@pytest.mark.rule("tora", "T27")
def test_log_describes_both_plans_after_battle() -> None:
    texts = laid_open()
    assert [text.partition(" plan is revealed")[0] for text in texts if "fingerprint" in text] == [
        "The Japanese",
        "The American",
    ]
    assert texts[1:3] == [
        "The attack is on December 7.",
        "Wave 1 enters on turn 1: in 3NW 10 Kates with torpedoes and 12 Kates with armor-piercing bombs; "
        "in 3NE 13 Vals with general-purpose bombs and 11 Zeros.",
    ]
    assert "In port: Lexington on December 10 and Enterprise on December 9." in texts
    hickam = next(text for text in texts if text.startswith("At Hickam: "))
    assert all(units in hickam for units in ("12 P-40s", "5 P-36s", "1 P-36 on 1 P-26", "2 P-26s"))


@pytest.mark.rule("tora", "T27", "5.1", "5.8", "5.13")
def test_calendar_is_described_by_day_and_level() -> None:
    usa = msgspec.structs.replace(
        DEFENCE,
        airfield=(1, 1, 2, 3, 2, 3, 1, 1, 1, 1),
        radar=("NW", "NW", "NW", "", "NE", "", "", "", "", "NW"),
    )
    texts = laid_open(usa=usa)
    assert "Alert levels for airfields: 2 on December 3 and 5, 3 on December 4 and 6; otherwise 1." in texts
    assert "Alert levels for ships: 1 on every day." in texts
    assert "The radar searches NW on December 1 to 3 and 10, NE on December 5." in texts
    assert "Patrol planes search nothing." in texts
    assert "The ships use the default anchorage: Battleship Row and the dry dock." in texts


@pytest.mark.rule("tora", "T27", "5.14", "15.2")
def test_own_anchorage_and_message_are_described_too() -> None:
    berths = {**DATA.places.anchorage.berths, "nevada": Berth(40, 45)}
    usa = msgspec.structs.replace(DEFENCE, berths=berths)
    text = next(each.text for each in describe_plan(usa, DATA) if each.rule == "5.14")
    assert "the south side of Ford Island, California, Neosho, Maryland, Tennessee and Arizona" in text
    assert "alongside Maryland, Oklahoma;" in text
    assert "in dry dock, Pennsylvania" in text
    sent = msgspec.structs.replace(ATTACK, message="CLIMB MOUNT NIITAKA", cipher="caesar", key="3")
    last = list(describe_plan(sent, DATA))[-1]
    assert last == ("15.2", "The message is CLIMB MOUNT NIITAKA, in the Caesar cipher with the key 3.")


@pytest.mark.rule("tora", "T27")
def test_plan_descriptions_are_plain_text() -> None:
    for seed in ("one", "two", "three"):
        lines = [line.text for line in play(seed, cipher="yes").log(None)]
        assert not [text for text in lines if "{" in text or '":' in text or "None" in text]


@pytest.mark.rule("tora", "T27")
def test_same_plan_has_another_fingerprint_with_another_salt() -> None:
    assert lock.fingerprint(ATTACK, "123") == lock.fingerprint(ATTACK, "123")
    assert (
        len({lock.fingerprint(ATTACK, "123"), lock.fingerprint(ATTACK, "124"), lock.fingerprint(DEFENCE, "123")}) == 3
    )


@pytest.mark.rule("tora", "15", "15.1")
@pytest.mark.parametrize(("option", "seals"), [("no", (1, 1)), ("usa", (1, 2)), ("both", (2, 2))])
def test_changed_plan_gets_new_fingerprint(option: str, seals: tuple[int, int]) -> None:
    game_table = table(tora(revise=option))
    fill(plan(game_table), Following(ATTACK, DEFENCE))
    game_table.state.at = msgspec.structs.replace(game_table.state.at, phase="revise")
    fill(revise(game_table), {"revise": ["changes"]})
    japan, usa = game_table.state.japan, game_table.state.usa
    assert (len(japan.sealed), len(usa.sealed)) == seals
    assert all(holds for _, holds in prove(game_table.state))
    assert (usa.plan == DEFENCE) is False or option == "no"


@pytest.mark.rule("tora", "15.1")
def test_plan_may_be_kept() -> None:
    game_table = table(tora(revise="both"))
    fill(plan(game_table), Following(ATTACK, DEFENCE))
    game_table.state.at = msgspec.structs.replace(game_table.state.at, phase="revise")
    fill(revise(game_table), {"revise": ["stands"]})
    assert game_table.state.japan.plan == ATTACK
    assert len(game_table.state.japan.sealed) == 1


@pytest.mark.rule("tora", "15.1")
def test_side_whose_plan_is_scenarios_does_not_change_it() -> None:
    game_table, asked = table(tora(revise="both")), list[Decision]()
    game_table.state.japan.plan = ATTACK
    fill(plan(game_table), Following(DEFENCE))
    game_table.state.at = msgspec.structs.replace(game_table.state.at, phase="revise")
    fill(revise(game_table), {"revise": ["stands"]}, asked)
    assert [decision.seat for decision in asked] == ["usa"]
    game_table = table(tora(phase="revise", scenario="sunday", revise="both"))
    fill(revise(game_table))
    assert not game_table.undo_blocked, "without new plans nothing blocks undo"


@pytest.mark.rule("tora", "15.2", "T28", "15.1")
def test_sent_cipher_message_cannot_be_changed() -> None:
    game_table = table(tora(revise="both", cipher="yes"))
    fill(plan(game_table))
    first = game_table.state.japan.plan
    assert first is not None
    game_table.state.at = msgspec.structs.replace(game_table.state.at, phase="revise")
    fill(revise(game_table), {"revise": ["changes"]})
    second = game_table.state.japan.plan
    assert second is not None
    assert (second.day, second.message) == (first.day, first.message)


@pytest.mark.rule("tora", "7", "15.2")
def test_side_with_scenario_plan_is_asked_nothing() -> None:
    game_table = table(tora(cipher="yes"))
    game_table.state.japan.plan = ATTACK
    fill(plan(game_table), Following(DEFENCE))
    assert (game_table.state.japan.plan, game_table.state.japan.sealed, game_table.state.japan.message) == (
        ATTACK,
        (),
        "",
    )
    assert len(game_table.state.usa.sealed) == 1


@pytest.mark.rule("tora", "2", "8.1")
def test_plans_of_scenario_are_not_asked_for() -> None:
    match = Match(GAME, "sunday", {"questions": "as-needed"}, seed="sunday")
    assert match.pending["japan"].piece_key == "move:3NW"
    assert match.state.japan.plan == ATTACK
    assert match.state.day == 7


# -- what the opponent sees --------------------------------------------------------------------------------------------


def _frozen(match: Match, seat: str | None) -> bytes:  # type: ignore[type-arg]
    return msgspec.json.encode(match.view(seat))


@pytest.mark.rule("tora", "2", "T22")
@pytest.mark.parametrize(("seat", "enemy"), [("usa", "japan"), ("japan", "usa")])
def test_plan_contents_leave_enemy_view_unchanged(seat: str, enemy: str) -> None:
    match = Match(GAME, options={"revise": "both", "umpire": "yes"}, seed="byte")
    random = Random("byte")
    while match.state.at.phase != "revise":
        asked = random.choice(list(match.pending))
        match.decide(asked, match.pending[asked].sample(random))
    state, before, whole = match.state, _frozen(match, seat), _frozen(match, "umpire")
    for _ in range(12):
        made = random_plan(table(state), "japan" if enemy == "japan" else "usa", random)
        if enemy == "japan":
            state.japan.plan = made  # type: ignore[assignment]
        else:
            state.usa.plan = made  # type: ignore[assignment]
        assert _frozen(match, seat) == before
        assert _frozen(match, "umpire") != whole


@pytest.mark.rule("tora", "7.4", "5.6")
def test_ordnance_and_alert_levels_stay_hidden_on_day_of_attack() -> None:
    match = Match(GAME, "sunday", seed="hidden")
    state = match.state
    assert {unit.ordnance for unit in match.view("usa").table.zones["3NW"].japan} == {None}
    loads = {unit.ordnance for unit in match.view("japan").table.zones["3NW"].japan}
    assert loads == {Ordnance.TORPEDO, Ordnance.AP}
    assert match.view("japan").table.usa.levels is None
    assert match.view("usa").table.usa.levels == Levels(airfield=1, ship=1, aaa=1)
    for ship in state.usa.ships:
        ship.strength += 1
    plain = DATA.ships.preset["prose"].strength["BB"]
    data = {seat: match.view(seat).table.usa.ships for seat in ("japan", "usa")}
    nevada = {seat: ship.strength for seat, ships in data.items() for ship in ships if ship.key == "nevada"}
    assert nevada == {"japan": plain, "usa": plain + 1}, "what doors are closed is seen by their own side only"
