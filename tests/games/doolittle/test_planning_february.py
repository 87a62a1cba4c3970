"""[13.3] Tests of February planning: modifications to the bombers."""

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
def test_unmodified_bombers_have_factory_ratings() -> None:
    state = _with()
    assert state.ratings == DATA.bombers.factory
    assert (blotter.bomber_weight(state, DATA), state.armour, state.turrets) == (3, "normal", False)


@pytest.mark.rule("doolittle", "13.3.2", "DR75")
def test_historical_modifications_give_guzzle_5_and_fuel_8() -> None:
    fit = ("radio-removed", "mark-twain", "propellers", "top-turret-improved", "fake-guns", "tanks")
    state = _with(*fit, "ventral-turret-removed")
    assert (state.ratings.guzzle, state.ratings.fuel, len(state.notes.modifications)) == (5, 8, 8)
    assert state.turrets


@pytest.mark.rule("doolittle", "13.3.1", "13.3.2", "13.3.3")
def test_modifications_allow_one_per_box() -> None:
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
def test_modification_options_show_effect_and_cost() -> None:
    asked: list[Decision] = []
    run(february.modify(table(planner("february"))), {}, asked)
    notes = {option.key: option.info.note for option in asked[0].options if option.info}
    assert notes["mark-twain"].endswith(" 2 modifications.")
    assert notes["propellers"].endswith(" Weight −1.")


@pytest.mark.rule("doolittle", "13.3.3.A")
def test_radio_removed_saves_weight() -> None:
    state = _with("radio-removed")
    assert (state.ratings.radio, state.ratings.guzzle) == (False, 6)


@pytest.mark.rule("doolittle", "13.3.3.B", "13.3.2")
def test_mark_twain_costs_two_and_removes_norden() -> None:
    state = _with("mark-twain")
    assert (state.ratings.norden, state.ratings.mark_twain) == (False, True)
    assert state.notes.modifications == ["norden-removed", "mark-twain"]
    state = _with("norden-removed")
    assert (state.ratings.norden, state.ratings.mark_twain) == (False, False)


@pytest.mark.rule("doolittle", "13.3.3.C")
def test_propellers_save_weight() -> None:
    assert _with("propellers").ratings.guzzle == 6


@pytest.mark.rule("doolittle", "13.3.3.D")
def test_top_turret_removed_costs_gunnery_and_morale() -> None:
    state = _with("top-turret-removed")
    assert (state.ratings.gunnery, state.ratings.guzzle) == (1, 6)
    assert blotter.morale_shift(state, DATA) == DATA.training.morale.start - 1
    better = _with("top-turret-improved")
    assert blotter.training_points(better, DATA) == DATA.training.morale.box[3].training + 1


@pytest.mark.rule("doolittle", "13.3.3.E", "2.1.3")
@pytest.mark.parametrize(("way", "hits", "guzzle"), [("armor-added", 2, 8), ("armor-removed", 0, 6)])
def test_armor_changes_hits_to_destroy(way: str, hits: int, guzzle: int) -> None:
    state = _with(way)
    at, bomber = table(state), state.squad["b01"]
    bomber.hits = hits
    assert bombers.hit_outcome(at, bomber) == "destroyed"
    assert state.ratings.guzzle == guzzle


@pytest.mark.rule("doolittle", "13.3.3.F", "13.3.3.I")
def test_guns_and_ventral_turret_change_training_points() -> None:
    plain = DATA.training.morale.box[DATA.training.morale.start].training
    assert blotter.training_points(_with("fake-guns"), DATA) == plain + 1
    assert blotter.training_points(_with("ventral-turret-improved"), DATA) == plain + 1
    state = _with("ventral-turret-removed")
    assert (blotter.training_points(state, DATA), state.ratings.guzzle) == (plain - 1, 6)


@pytest.mark.rule("doolittle", "13.3.3.G")
def test_de_icers_are_fitted() -> None:
    assert _with("de-icers").ratings.de_icers


@pytest.mark.rule("doolittle", "13.3.3.H", "DR75")
@pytest.mark.parametrize(
    ("way", "fuel", "made", "guzzle"), [("tanks", 8, 1, 8), ("more-tanks", 10, 2, 9), ("ordnance", 6, 1, 8)]
)
def test_tanks_and_ordnance_change_fuel_and_guzzle(way: str, fuel: int, made: int, guzzle: int) -> None:
    state = _with(way)
    assert (state.ratings.fuel, len(state.notes.modifications), state.ratings.guzzle) == (fuel, made, guzzle)
    assert state.ratings.extra_ordnance is (way == "ordnance")


@pytest.mark.rule("doolittle", "13.3.3.J")
def test_fifty_caliber_adds_gunnery_die() -> None:
    assert _with("fifty-caliber").ratings.gunnery == DATA.bombers.factory.gunnery + 1


@pytest.mark.rule("doolittle", "13.3.2", "DR76")
def test_bomber_weight_is_never_negative() -> None:
    state = _with("radio-removed", "propellers", "top-turret-removed", "armor-removed", "ventral-turret-removed")
    assert (blotter.bomber_weight(state, DATA), state.ratings.guzzle) == (0, 4)


@pytest.mark.rule("doolittle", "13.3.3.D", "13.3.3.I")
def test_turrets_are_reliable_only_with_both_modified() -> None:
    assert not _with("top-turret-removed").turrets
    assert _with("top-turret-removed", "ventral-turret-improved").turrets


@pytest.mark.rule("doolittle", "13.3.2", "13.5.5", "13.4.9")
def test_modification_question_explains_weight_and_count() -> None:
    asked: list[Decision] = []
    state = planner("february")
    run(february.modify(table(state)), {}, asked)
    state.notes.doolittle = "february"
    run(february.modify(table(state)), {}, asked)
    assert "Weight 3, guzzle number 7" in asked[0].question
    assert ["makes a delay more likely" in one.question for one in asked] == [True, False]
