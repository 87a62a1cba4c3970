"""The worked examples of the airstrike (section 11), by rule number."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import log_text, run, table
from tests.games.doolittle.strike_helpers import hangar, hits, struck

from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.airstrike import army, arrival, attack, counterstrike, navy
from readyroom.games.doolittle.voyage.state import Strike

FORCE = {"hornet": "center", "enterprise": "center"}


@pytest.mark.rule("doolittle", "11.1.1")
def test_11_1_1_a_recon_was_met_and_a_seven_sends_two_squadrons() -> None:
    state = struck(spotted="recon", **FORCE)
    hangar(state, "vs6", "vt6")
    at = table(state, 2, 5)
    run(navy(at), {"11.1.1": ["vs6", "vt6"]})
    assert state.strike is not None
    assert (state.strike.navy, "launches planes" in log_text(at, "11.1.1")) == (["vs6", "vt6"], True)


@pytest.mark.rule("doolittle", "11.2.1")
def test_11_2_1_the_force_was_met_and_a_seven_gets_eight_bombers_off_in_two_flights() -> None:
    state = struck("strike-army", **FORCE)
    eight = [f"goes-b{number:02}" for number in range(1, 9)]
    run(army(table(state, 3, 4, 6, 6, 6, 6)), {"11.2": "launch", "11.2.1": eight, "12.3.1": "in-order"})
    assert state.deck is not None
    assert [len(off.members) for off in state.deck.gone] == [4, 4]


@pytest.mark.rule("doolittle", "11.3", "11.3.1")
def test_11_3_a_modified_eight_under_high_cap_brings_a_torpedo_and_two_dive_bombers() -> None:
    state = struck("strike-arrival", **FORCE)
    hangar(state, vf6="high-cap")
    assert state.strike is not None
    state.strike.navy = ["vs6", "vt6"]
    at = table(state, 1, 6)
    run(arrival(at))
    assert "torpedo bombers (1), dive bombers (2)" in log_text(at, "11.3")
    assert state.strike.waves == [["torpedo", "dive"], ["dive"]]


def _torpedoes() -> Doolittle:
    """Return an attack by a torpedo bomber; a light cruiser is the foremost ship ahead of the carriers."""
    state = struck("strike-attack", nashville="ahead", **FORCE)
    assert state.strike is not None
    state.strike.waves = [["torpedo"]]
    return state


@pytest.mark.rule("doolittle", "11.4.1")
def test_11_4_1_a_three_brings_the_torpedo_bomber_in_from_far_ahead() -> None:
    at = table(_torpedoes(), 3, 2, 5, 4, 2)
    run(attack(at))
    assert "come in by Ahead Far and Ahead and Center" in log_text(at, "11.4.1")


@pytest.mark.rule("doolittle", "11.4.2", "11.4.3", "DR58")
def test_11_4_2_and_11_4_3_a_five_draws_it_upon_the_cruiser_whom_a_six_damages() -> None:
    state = _torpedoes()
    at = table(state, 3, 2, 5, 4, 2)
    run(attack(at))
    assert hits(state) == {"nashville": "damaged"}
    assert log_text(at, "11.4.2").count("fires") + log_text(at, "11.4.2").count("diverts") == 1


@pytest.mark.rule("doolittle", "11.5.1")
def test_11_5_1_two_squadrons_make_contact_on_a_nine_and_sink_a_ship_with_a_four() -> None:
    state = struck("strike-counter", **FORCE)
    state.strike = Strike("recon", navy=["vs6", "vt6"])
    counterstrike(table(state, 3, 6, 4))
    assert state.facts == {"enemy-ships": 1}


@pytest.mark.rule("doolittle", "11.5.1")
def test_11_5_1_with_the_fighters_along_the_nine_is_a_ten_and_contact_is_made_twice() -> None:
    state = struck("strike-counter", **FORCE)
    state.strike = Strike("recon", navy=["vs6", "vt6", "vf6"])
    at = table(state, 3, 6, 4, 3)
    counterstrike(at)
    assert "contact twice" in log_text(at, "11.5.1")
    assert state.facts == {"enemy-ships": 2, "enemy-carriers": 1}
    assert state.sea.recon["vs6"].place == "hangar"
