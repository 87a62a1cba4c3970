"""Tests of air attacks and reports (rules 11.4 and 11.5)."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, play, run, table
from tests.games.doolittle.strike_helpers import hangar, hits, struck

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.figures.naval import StrikeType
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage import airstrike
from readyroom.games.doolittle.voyage.airstrike import attack, counterstrike, split_waves
from readyroom.games.doolittle.voyage.state import Strike

SUNK, DAMAGED, MISSED = (1, 1), (2, 3), (6, 6)


def _wave(state: Doolittle, *kinds: str) -> Doolittle:
    assert state.strike is not None
    state.strike.waves.append(list(kinds))
    return state


def _launched(state: Doolittle) -> Doolittle:
    for bomber in state.squad.values():
        bomber.fate = "ashore"
    return state


# -- waves and the way in --------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "11.4", "11.4.1")
def test_waves_and_markers_come_in_the_captains_order() -> None:
    state = _wave(_wave(struck("strike-attack", gwin="port"), "torpedo", "dive"), "dive")
    state.sea.ships["gwin"].hits = 1
    asked: list[Decision] = []
    dice = (1, *MISSED, 1, *MISSED, 1, *MISSED)
    at = table(state, *dice)
    run(attack(at), {"11.4.1": [["wave-dive"], ["dive"]]}, asked)
    assert "Only legal choice" not in log_text(at, "11.4.1")
    assert [one.keys for one in asked] == [["wave-torpedo-dive", "wave-dive"], ["torpedo", "dive"]]
    assert state.strike is not None
    assert state.strike.waves == []


@pytest.mark.rule("doolittle", "11.4", "11.4.1")
@pytest.mark.parametrize(
    ("force", "attacks"),
    [({"dive": 2}, 2), ({"fighter": 2, "torpedo": 3, "dive": 4}, 9), ({"torpedo": 3, "dive": 3}, 6)],
)
def test_attack_with_equal_waves_has_every_marker_attack(force: dict[StrikeType, int], attacks: int) -> None:
    state = struck("strike-attack", hornet="center")
    assert state.strike is not None
    state.strike.waves = split_waves(force)
    asked: list[Decision] = []
    at = table(state, *(3, 1, 1, 1, *MISSED) * attacks)
    run(attack(at), {"11.4.1": lambda one: [one.keys[0]]}, asked)
    assert log_text(at, "11.4.3").count(": miss") == attacks
    assert all(option.text for one in asked for option in one.options)


@pytest.mark.rule("doolittle", "11.4.1", "11.4.2")
@pytest.mark.parametrize(
    ("kind", "face", "fires"),
    [
        ("dive", 2, "ahead"),
        ("dive", 5, "astern"),
        ("torpedo", 1, "port"),
        ("torpedo", 4, "ahead"),
        ("torpedo", 6, "far"),
    ],
)
def test_planes_follow_their_arrow_and_ships_there_fire(kind: str, face: int, fires: str) -> None:
    spaces = {"gwin": "ahead", "grayson": "astern", "meredith": "port", "monssen": "starboard-far"}
    where = {"ahead": "Gwin", "astern": "Grayson", "port": "Meredith", "far": "Monssen"}
    state = _wave(struck("strike-attack", **spaces), kind)
    at = table(state, face, 1, *MISSED)
    run(attack(at), {"11.4.3": "at-gwin"})
    assert log_text(at, "11.4.2") == f"{where[fires]} hits no planes."


@pytest.mark.rule("doolittle", "11.4.2", "DR151")
def test_carriers_fire_last_in_their_space() -> None:
    state = struck("strike-attack", hornet="center", gwin="center", enterprise="center")
    firing = [ship.key for ship in airstrike._firing_ships(table(state), ["center"])]
    assert firing == ["gwin", "hornet", "enterprise"]


@pytest.mark.rule("doolittle", "11.4.1", "DR102")
def test_fighters_strafe_a_chosen_cruiser_and_adjacent_ships_fire() -> None:
    spaces = {"hornet": "center", "vincennes": "ahead", "nashville": "port", "gwin": "port"}
    state = _wave(struck("strike-attack", **spaces), "fighter")
    asked: list[Decision] = []
    at = table(state, 2, 1, 1, 1, *SUNK)
    run(attack(at), {"11.4.3": "at-nashville"}, asked)
    assert asked[0].keys == ["at-vincennes", "at-nashville"]
    assert ("Gwin hits" in log_text(at), hits(state)) == (True, {"nashville": "damaged"})


@pytest.mark.rule("doolittle", "11.4.1")
@pytest.mark.parametrize(
    ("spaces", "face", "guns", "offered"),
    [
        ({"gwin": "port", "cimarron": "center"}, 4, 1, ["at-gwin", "at-cimarron"]),
        ({"gwin": "port", "cimarron": "center"}, 3, 1, []),
        ({"hornet": "center", "vincennes": "port"}, 1, 3, []),
        ({"hornet": "center", "enterprise": "center"}, 1, 7, []),
        ({"gwin": "port", "grayson": "center"}, 1, 1, ["at-gwin", "at-grayson"]),
    ],
)
def test_target_without_cruisers_is_any_ship_without_hornet_the_largest(
    spaces: dict[str, str], face: int, guns: int, offered: list[str]
) -> None:
    state = _wave(struck("strike-attack", **spaces), "fighter")
    asked: list[Decision] = []
    run(attack(table(state, face, *[1] * guns, *MISSED)), None, asked)
    assert [one.keys for one in asked] == ([offered] if offered else [])


# -- flak ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "11.4.2", "DR58")
def test_six_ends_the_attack_and_five_diverts_it_to_the_firing_ship() -> None:
    state = _wave(struck("strike-attack", hornet="center", nashville="ahead"), "dive")
    run(attack(table(state, 2, 6, 5)))
    assert hits(state) == {}
    state = _wave(struck("strike-attack", hornet="center", nashville="ahead"), "dive")
    run(attack(table(state, 2, 2, 5, *SUNK)))
    assert hits(state) == {"nashville": "sunk"}
    state = _wave(struck("strike-attack", hornet="center", nashville="ahead"), "fighter")
    run(attack(table(state, 1, 2, 5, 1)))
    assert hits(state) == {}


@pytest.mark.rule("doolittle", "11.4.2")
def test_flak_of_a_damaged_ship_is_none_for_a_destroyer_less_for_a_carrier() -> None:
    state = _wave(struck("strike-attack", hornet="center", gwin="ahead"), "dive")
    state.sea.ships["gwin"].hits = state.sea.ships["hornet"].hits = 1
    at = table(state, 2, 1, 1, *DAMAGED)
    run(attack(at))
    assert "Gwin" not in log_text(at)
    assert hits(state) == {"hornet": "sunk", "gwin": "damaged"}


# -- bombs and torpedoes ---------------------------------------------------------------------------------------------


@pytest.mark.rule("doolittle", "11.4.3")
@pytest.mark.parametrize(
    ("launched", "dice", "hit"),
    [(False, (), "hornet"), (True, (3,), "hornet"), (True, (4,), "enterprise")],
)
def test_hornet_is_the_target_until_her_deck_is_empty(dice: tuple[int, ...], hit: str, *, launched: bool) -> None:
    state = _wave(struck("strike-attack", hornet="center", enterprise="center"), "dive")
    if launched:
        _launched(state)
    run(attack(table(state, 2, *[1] * 7, *dice, *DAMAGED)))
    assert hits(state) == {hit: "damaged"}


@pytest.mark.rule("doolittle", "11.4.3")
def test_bombers_sailing_home_are_still_on_deck() -> None:
    state = _wave(struck("strike-attack", hornet="center", enterprise="center"), "dive")
    for bomber in state.squad.values():
        bomber.fate = "home"
    run(attack(table(state, 2, *[1] * 7, *DAMAGED)))
    assert hits(state) == {"hornet": "damaged"}


@pytest.mark.rule("doolittle", "11.4.3", "11.4.1")
@pytest.mark.parametrize(
    ("spaces", "offered"),
    [
        ({"cimarron": "center", "sabine": "center", "vincennes": "port"}, ["at-cimarron", "at-sabine"]),
        ({"vincennes": "center", "northampton": "port", "gwin": "port"}, ["at-vincennes", "at-northampton"]),
        ({"nashville": "center", "gwin": "port"}, ["at-nashville", "at-gwin"]),
    ],
)
def test_target_without_carriers_is_an_oiler_a_cruiser_or_any_ship(spaces: dict[str, str], offered: list[str]) -> None:
    state = _wave(struck("strike-attack", **spaces), "dive")
    asked: list[Decision] = []
    run(attack(table(state, 1, *[1] * 2, *DAMAGED)), {"11.4.3": offered[1]}, asked)
    assert asked[0].keys == offered
    assert list(hits(state)) == [offered[1].removeprefix("at-")]


@pytest.mark.rule("doolittle", "11.4.3")
@pytest.mark.parametrize(
    ("kind", "total", "result"),
    [
        *(("torpedo", 4, "sunk"), ("torpedo", 6, "damaged"), ("torpedo", 7, "")),
        *(("dive", 2, "sunk"), ("dive", 3, "damaged"), ("dive", 7, "")),
        *(("fighter", 4, "damaged"), ("fighter", 5, "")),
    ],
)
def test_ship_hit_by_two_dice_is_damaged_or_sunk_by_the_total(kind: str, total: int, result: str) -> None:
    state = _wave(struck("strike-attack", gwin="center"), kind)
    dice = (total - 1, 1) if total < 7 else (6, 1)
    run(attack(table(state, 1, 1, *dice)))
    assert hits(state) == ({"gwin": result} if result else {})


@pytest.mark.rule("doolittle", "11.4")
def test_planes_without_ships_afloat_fly_home() -> None:
    state = _wave(_wave(struck("strike-attack", gwin="center"), "dive"), "dive")
    run(attack(table(state, 1, 1, *SUNK)))
    assert hits(state) == {"gwin": "sunk"}


# -- the counterstrike -----------------------------------------------------------------------------------------------


def _sent(*squadrons: str) -> Doolittle:
    state = struck("strike-counter", hornet="center", enterprise="center")
    hangar(state, *squadrons)
    for key in squadrons:
        state.sea.recon[key].place = "strike"
    state.strike = Strike("recon", navy=list(squadrons))
    return state


@pytest.mark.rule("doolittle", "11.4.3", "11.4.1")
@pytest.mark.parametrize("carrier", ["hornet", "enterprise"])
def test_carrier_alone_is_the_target_without_a_roll(carrier: str) -> None:
    state = _wave(_launched(struck("strike-attack", cimarron="port", **{carrier: "center"})), "dive")
    run(attack(table(state, 2, *[1] * DATA.ships.cards[carrier].flak, *DAMAGED)))
    assert hits(state) == {carrier: "damaged"}


@pytest.mark.rule("doolittle", "11.5")
def test_report_without_planes_sent_is_none() -> None:
    state = struck("strike-counter", hornet="center", enterprise="center")
    counterstrike(table(state))
    assert (state.strike, state.facts) == (None, {})


@pytest.mark.rule("doolittle", "11.5.1")
@pytest.mark.parametrize(
    ("sent", "dice", "place", "facts"),
    [
        (["vs6"], (1, 2), "gone", {}),
        (["vs6"], (4, 4), "hangar", {}),
        (["vs6"], (4, 6, 5), "hangar", {"enemy-ships": 1}),
        (["vs6"], (4, 6, 4), "hangar", {}),
        (["vs6", "vb6", "vt6"], (4, 4, 3, 2), "hangar", {"enemy-ships": 1}),
        (["vs6", "vb6", "vt6"], (4, 4, 3, 3), "hangar", {"enemy-ships": 2, "enemy-carriers": 1}),
        (["vs6", "vb6"], (6, 6), "hangar", {"enemy-ships": 1, "enemy-carriers": 1}),
    ],
)
def test_planes_sent_report_by_their_roll(
    sent: list[str], dice: tuple[int, ...], place: str, facts: dict[str, int]
) -> None:
    state = _sent(*sent)
    counterstrike(table(state, *dice))
    assert {key: value for key, value in state.facts.items() if key.startswith("enemy")} == facts
    assert {state.sea.recon[key].place for key in sent} == {place}
    assert state.strike is None


@pytest.mark.rule("doolittle", "11.5.1", "1.9")
@pytest.mark.parametrize(
    ("sent", "dice", "text", "what"),
    [
        (["vs6"], (4, 6, 5), "1, of unknown type.", "enemy-ship-sunk"),
        (["vs6", "vb6", "vt6"], (4, 4, 3, 3), "2, including a carrier.", "enemy-carrier-sunk"),
        (["vs6", "vb6"], (6, 6), "1, a carrier.", "enemy-carrier-sunk"),
    ],
)
def test_ships_sunk_are_logged(sent: list[str], dice: tuple[int, ...], text: str, what: str) -> None:
    state = _sent(*sent)
    at = table(state, *dice)
    counterstrike(at)
    assert f"Enemy ships sunk: {text}" in log_text(at, "11.5.1")
    assert state.story[-1].what == what


@pytest.mark.rule("doolittle", "11.5.1", "DR109")
def test_fighters_add_one_to_the_report_and_count_as_a_marker() -> None:
    state = _sent("vs6", "vb6", "vf6")
    at = table(state, 4, 5, 3, 2)
    counterstrike(at)
    assert state.facts == {"enemy-ships": 1}
    assert "contact twice" in log_text(at, "11.5.1")
    assert log_text(at, "11.4.3") == ""


@pytest.mark.rule("doolittle", "11.4.3")
@pytest.mark.parametrize("how", ["damaged", "sunk"])
def test_planes_with_their_ship_hit_report_and_do_not_return(how: str) -> None:
    state = _sent("vs6", "vb6")
    ship = state.sea.ships["enterprise"]
    ship.hits, ship.sunk = 1, how == "sunk"
    at = table(state, 4, 4, 4)
    counterstrike(at)
    assert state.facts["enemy-ships"] == 1
    assert {state.sea.recon[key].place for key in ("vs6", "vb6")} == {"gone"}
    assert "cannot recover her planes" in log_text(at, "11.4.3")


@pytest.mark.rule("doolittle", "11.5.1", "11.4.3")
def test_planes_lost_are_not_logged_as_unable_to_return() -> None:
    state = _sent("vs6")
    state.sea.ships["enterprise"].hits = 1
    at = table(state, 1, 2)
    counterstrike(at)
    assert (state.sea.recon["vs6"].place, log_text(at, "11.4.3")) == ("gone", "")


@pytest.mark.rule("doolittle", "11.0", "11.4")
def test_voyage_with_airstrikes_reaches_its_end() -> None:
    for number in range(6):
        outcome = play("carrier", f"strikes {number}", ending="told").outcome
        assert outcome is not None
