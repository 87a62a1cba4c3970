"""[13.3] February: what is done to the bombers."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, run, table
from tests.games.doolittle.plan_helpers import planner

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle import bombers
from readyroom.games.doolittle.planning import blotter, february
from readyroom.games.doolittle.state import Doolittle


def _with(*keys: str) -> Doolittle:
    state = planner("february")
    run(february.february(table(state)), {"13.3.2": list(keys)})
    return state


@pytest.mark.rule("doolittle", "13.3", "13.3.1", "13.3.2")
def test_without_a_modification_the_bombers_are_as_the_factory_made_them() -> None:
    state = _with()
    assert state.ratings == DATA.bombers.factory
    assert (blotter.bomber_weight(state, DATA), state.armour, state.turrets) == (3, "normal", False)


@pytest.mark.rule("doolittle", "13.3.2", "DR75")
def test_the_fit_of_1942_has_a_guzzle_number_of_five_and_eight_fuel() -> None:
    fit = ("radio-removed", "mark-twain", "propellers", "top-turret-improved", "fake-guns", "tanks")
    state = _with(*fit, "ventral-turret-removed")
    assert (state.ratings.guzzle, state.ratings.fuel, len(state.notes.modifications)) == (5, 8, 8)
    assert state.turrets


@pytest.mark.rule("doolittle", "13.3.1", "13.3.2", "13.3.3")
def test_of_each_box_one_way_at_most() -> None:
    asked: list[Decision] = []
    state = planner("february")
    run(february.modify(table(state)), {}, asked)
    assert set(asked[0].keys) == set(DATA.modifications.cards)
    for pair in (["armor-added", "armor-removed"], ["tanks", "ordnance"], ["norden-removed", "mark-twain"]):
        with pytest.raises(IllegalChoice):
            asked[0].accept(pair)
    every = ["radio-removed", "mark-twain", "propellers", "top-turret-removed", "armor-added", "fake-guns"]
    asked[0].accept([*every, "de-icers", "more-tanks", "ventral-turret-removed", "fifty-caliber"])


@pytest.mark.rule("doolittle", "13.3.2", "13.3.3")
def test_a_way_tells_what_it_brings_and_how_many_modifications_it_takes() -> None:
    asked: list[Decision] = []
    run(february.modify(table(planner("february"))), {}, asked)
    notes = {option.key: option.info.note for option in asked[0].options if option.info}
    assert notes["mark-twain"].endswith(" 2 modifications.")
    assert notes["propellers"].endswith(" Weight −1.")


@pytest.mark.rule("doolittle", "13.3.3.A")
def test_a_the_radio_goes_and_with_it_a_weight() -> None:
    state = _with("radio-removed")
    assert (state.ratings.radio, state.ratings.guzzle) == (False, 6)


@pytest.mark.rule("doolittle", "13.3.3.B", "13.3.2")
def test_b_the_mark_twain_takes_two_modifications_and_the_norden_away() -> None:
    state = _with("mark-twain")
    assert (state.ratings.norden, state.ratings.mark_twain) == (False, True)
    assert state.notes.modifications == ["norden-removed", "mark-twain"]
    state = _with("norden-removed")
    assert (state.ratings.norden, state.ratings.mark_twain) == (False, False)


@pytest.mark.rule("doolittle", "13.3.3.C")
def test_c_propellers_take_a_weight_off() -> None:
    assert _with("propellers").ratings.guzzle == 6


@pytest.mark.rule("doolittle", "13.3.3.D")
def test_d_without_the_top_turret_two_dice_and_morale_are_gone() -> None:
    state = _with("top-turret-removed")
    assert (state.ratings.gunnery, state.ratings.guzzle) == (1, 6)
    assert blotter.morale_shift(state, DATA) == DATA.training.morale.start - 1
    better = _with("top-turret-improved")
    assert blotter.training_points(better, DATA) == DATA.training.morale.box[3].training + 1


@pytest.mark.rule("doolittle", "13.3.3.E", "2.1.3")
@pytest.mark.parametrize(("way", "hits", "guzzle"), [("armor-added", 2, 8), ("armor-removed", 0, 6)])
def test_e_armor_is_a_hit_more_or_none(way: str, hits: int, guzzle: int) -> None:
    state = _with(way)
    at, bomber = table(state), state.squad["b01"]
    bomber.hits = hits
    assert bombers.hit_outcome(at, bomber) == "destroyed"
    assert state.ratings.guzzle == guzzle


@pytest.mark.rule("doolittle", "13.3.3.F", "13.3.3.I")
def test_f_and_i_points_of_training() -> None:
    plain = DATA.training.morale.box[DATA.training.morale.start].training
    assert blotter.training_points(_with("fake-guns"), DATA) == plain + 1
    assert blotter.training_points(_with("ventral-turret-improved"), DATA) == plain + 1
    state = _with("ventral-turret-removed")
    assert (blotter.training_points(state, DATA), state.ratings.guzzle) == (plain - 1, 6)


@pytest.mark.rule("doolittle", "13.3.3.G")
def test_g_de_icers() -> None:
    assert _with("de-icers").ratings.de_icers


@pytest.mark.rule("doolittle", "13.3.3.H", "DR75")
@pytest.mark.parametrize(
    ("way", "fuel", "made", "guzzle"), [("tanks", 8, 1, 8), ("more-tanks", 10, 2, 9), ("ordnance", 6, 1, 8)]
)
def test_h_tanks_or_ordnance(way: str, fuel: int, made: int, guzzle: int) -> None:
    state = _with(way)
    assert (state.ratings.fuel, len(state.notes.modifications), state.ratings.guzzle) == (fuel, made, guzzle)
    assert state.ratings.extra_ordnance is (way == "ordnance")


@pytest.mark.rule("doolittle", "13.3.3.J")
def test_j_guns() -> None:
    assert _with("fifty-caliber").ratings.gunnery == DATA.bombers.factory.gunnery + 1


@pytest.mark.rule("doolittle", "13.3.2", "DR76")
def test_a_bomber_is_never_lighter_than_nothing() -> None:
    state = _with("radio-removed", "propellers", "top-turret-removed", "armor-removed", "ventral-turret-removed")
    assert (blotter.bomber_weight(state, DATA), state.ratings.guzzle) == (0, 4)


@pytest.mark.rule("doolittle", "13.3.3.D", "13.3.3.I")
def test_one_turret_alone_keeps_nothing_from_jamming() -> None:
    assert not _with("top-turret-removed").turrets
    assert _with("top-turret-removed", "ventral-turret-improved").turrets


@pytest.mark.rule("doolittle", "13.3.2", "13.5.5", "13.4.9")
def test_the_question_tells_what_weight_and_number_of_modifications_mean() -> None:
    asked: list[Decision] = []
    state = planner("february")
    run(february.modify(table(state)), {}, asked)
    state.notes.doolittle = "february"
    run(february.modify(table(state)), {}, asked)
    assert "have weight 3 and guzzle number 7" in asked[0].question
    assert ["makes a delay more likely" in one.question for one in asked] == [True, False]
