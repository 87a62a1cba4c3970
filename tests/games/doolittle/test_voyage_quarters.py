"""[12.1] Tests of general quarters."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA, log_text, man, rules_asked, run, table
from tests.games.doolittle.voyage_helpers import at_sea, hazard, sea, ship

from readyroom.engine.rules.decisions import Decision
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.state import Doolittle
from readyroom.games.doolittle.voyage.general_quarters import (
    can_launch_recon,
    contact_check,
    general_quarters,
    recovery_check,
)
from readyroom.games.doolittle.voyage.ships import in_contact, is_slow, recon_area, ships_afloat


def at_quarters(area: str = "midway", *, met: bool = False) -> Doolittle:
    """Return the force in a sea area at general quarters."""
    return at_sea(area, phase="general-quarters", met=met)


@pytest.mark.rule("doolittle", "12.1", "9.5.1")
def test_layout_changes_only_when_ordered() -> None:
    state = at_quarters()
    before = {one.key: one.space for one in ships_afloat(state)}
    run(general_quarters(table(state)))
    assert {one.key: one.space for one in ships_afloat(state)} == before
    run(
        general_quarters(table(state)),
        {"12.1": "arrange", "9.5.1": lambda one: ["own"] if "own" in one.keys else [one.keys[-1]]},
    )
    assert {one.key: one.space for one in ships_afloat(state)} != before


@pytest.mark.rule("doolittle", "12.1.1", "DR50")
def test_recon_moves_with_force_or_stays_ahead() -> None:
    state = at_quarters()
    run(general_quarters(table(state)), {"12.1.1": "ca-18-force"})
    recon = sea(state).recon["ca-18"]
    assert recon_area(state, recon) == "midway"
    sea(state).area = "influence-east"
    assert recon_area(state, recon) == "influence-east"
    run(general_quarters(table(state)), {"12.1.1": "ca-18-influence-west"})
    assert recon_area(state, recon) == "influence-west"


@pytest.mark.rule("doolittle", "DR50", "12.1.1")
def test_recon_ahead_waits_until_force_arrives_or_passes() -> None:
    state = at_quarters()
    recon = sea(state).recon["ca-18"]
    recon.place = "influence-east"
    run(general_quarters(table(state)))
    assert recon.place == "influence-east"
    sea(state).area = "influence-east"
    run(general_quarters(table(state)))
    assert recon.place == "force"
    recon.place = "midway"
    run(general_quarters(table(state)))
    assert recon.place == "hangar"


@pytest.mark.rule("doolittle", "12.1.1", "DR52")
def test_recon_in_port_reaches_only_coast() -> None:
    state = at_quarters("")
    asked: list[Decision] = []
    run(general_quarters(table(state)), asked=asked)
    keys = next(one.keys for one in asked if one.rule == "12.1.1")
    assert keys == ["ca-18-local", "ca-18-pacific-coast"]


@pytest.mark.rule("doolittle", "12.1.2", "9.5.2")
def test_cap_is_for_fighters_only() -> None:
    state = at_quarters(met=True)
    asked: list[Decision] = []
    run(general_quarters(table(state)), {"12.1.1": ["vf6-high-cap", "vs6-force"]}, asked)
    assert sea(state).recon["vf6"].place == "high-cap"
    assert sea(state).recon["vs6"].place == "force"
    cap = [key for one in asked if one.rule == "12.1.1" for key in one.keys if key.endswith("cap")]
    assert cap == ["vf6-low-cap", "vf6-high-cap"]


@pytest.mark.rule("doolittle", "12.1.3", "DR150")
def test_submarines_are_called_one_at_a_time() -> None:
    state = at_quarters()
    at = table(state, 3, 4, 3, 3)
    assert contact_check(at).at_least == DATA.ships.submarines.contact
    asked: list[Decision] = []
    run(general_quarters(at), {"12.1.3": lambda one: one.keys[1]}, asked)
    assert [one.keys for one in asked if one.rule == "12.1.3"] == [
        ["enough", "call-thresher", "call-trout"],
        ["enough", "call-trout"],
    ]
    assert in_contact(state, "thresher")
    assert not in_contact(state, "trout")
    text = log_text(at, "12.1.3")
    assert "Thresher is called and answers." in text
    assert "Trout is called and does not answer." in text
    run(
        general_quarters(table(state)),
        {"12.1.3": lambda one: "break-thresher" if "break-thresher" in one.keys else "enough"},
    )
    assert not in_contact(state, "thresher")


@pytest.mark.rule("doolittle", "12.1.1", "12.6.6.F")
def test_distressed_recon_is_not_offered() -> None:
    state, asked = at_quarters(), list[Decision]()
    sea(state).recon["ca-18"].markers = [hazard(state, "distress")]
    run(general_quarters(table(state, 1, 1)), None, asked)
    assert not any(key.startswith("ca-18-") for one in asked for key in one.keys)


@pytest.mark.rule("doolittle", "9.2", "12.7")
def test_force_low_on_fuel_is_logged() -> None:
    for fueled, text in ((True, "Midway."), (False, "Midway, low on fuel.")):
        state = at_quarters()
        sea(state).fueled = fueled
        at = table(state)
        run(general_quarters(at))
        assert log_text(at, "9.2").endswith(text)


@pytest.mark.rule("doolittle", "12.1", "9.5.1")
def test_layout_may_be_kept_after_order() -> None:
    state = at_quarters()
    before = {one.key: one.space for one in ships_afloat(state)}
    run(general_quarters(table(state)), {"12.1": "arrange", "9.5.1": "keep"})
    assert {one.key: one.space for one in ships_afloat(state)} == before


@pytest.mark.rule("doolittle", "12.1.5", "2.3.2")
def test_copilot_repair_without_damage_is_not_logged() -> None:
    state = at_quarters()
    man(state, "b01", "repair")
    at = table(state)
    run(general_quarters(at))
    assert log_text(at, "12.1.5") == ""


@pytest.mark.rule("doolittle", "12.1.3")
def test_submarine_lost_or_absent_is_not_called() -> None:
    state = at_quarters()
    sea(state).submarines["thresher"].lost, sea(state).submarines["trout"].area = True, ""
    asked: list[Decision] = []
    run(general_quarters(table(state)), asked=asked)
    assert "12.1.3" not in rules_asked(asked)


@pytest.mark.rule("doolittle", "12.1.4", "10.2.2")
def test_detached_ships_leave_with_their_recon() -> None:
    state = at_quarters(met=True)
    ship(state, "gwin").markers.append(marker := hazard(state, "distress"))
    ship(state, "sabine").hits = 1
    chosen = ["detach-enterprise", "detach-cimarron", "detach-gwin"]
    asked: list[Decision] = []
    run(general_quarters(table(state)), {"12.1": "detach", "12.1.4": chosen}, asked)
    hinted = {one.key: one.info.note for one in asked[1].options if one.info}
    assert [hinted[key] for key in chosen] == ["CV, takes VF6, VS6, VB6, VT6 with her", "AO, slow", "DD, slow"]
    assert hinted["detach-sabine"] == "AO, damaged, slow"
    assert sea(state).groups == {"group-1": "midway"}
    assert {one.key for one in ships_afloat(state, "group-1")} == {"enterprise", "cimarron", "gwin"}
    assert sea(state).recon["vb6"].place == "gone"
    assert sea(state).recon["ca-18"].place == "hangar"
    assert marker in state.cups[marker.cup].contents


@pytest.mark.rule("doolittle", "12.1.4", "10.2.1")
def test_detached_cruisers_take_recon_and_hornet_always_stays() -> None:
    state = at_quarters()
    asked: list[Decision] = []
    run(general_quarters(table(state)), {"12.1": "detach", "12.1.4": "detach-vincennes"}, asked)
    assert sea(state).recon["ca-18"].place == "gone"
    assert "detach-hornet" not in next(one.keys for one in asked if one.rule == "12.1.4")


@pytest.mark.rule("doolittle", "12.1.4")
def test_detachment_without_ships_changes_nothing() -> None:
    state = at_quarters()
    at = table(state)
    run(general_quarters(at), {"12.1": "detach", "12.1.4": lambda one: []})
    assert (sea(state).groups, log_text(at, "12.1.4")) == ({}, "")


@pytest.mark.rule("doolittle", "12.1.4", "DR117")
def test_ships_detached_in_port_form_no_group() -> None:
    state = at_quarters("")
    run(general_quarters(table(state)), {"12.1": "detach", "12.1.4": "detach-cimarron"})
    assert sea(state).groups == {}
    assert ship(state, "cimarron") not in ships_afloat(state)


@pytest.mark.rule("doolittle", "12.1.5", "2.3.2")
def test_copilot_repairs_one_bomber_on_deck_once() -> None:
    state = at_quarters()
    mate = man(state, "b03", "repair")
    state.squad["b07"].hits = 1
    transit = DATA.embarkation.cup.markers
    key = next(key for key, card in transit.items() if card.kind == "turret")
    state.cups["transit"].contents[:] = [one for one in state.cups["transit"].contents if one.key != key]
    state.squad["b08"].markers.append(Marker(key=key, shown=True))
    asked: list[Decision] = []
    run(general_quarters(table(state)), {"12.1.5": "wait"}, asked)
    assert next(one.keys for one in asked if one.rule == "12.1.5") == ["wait", "b07-damage", f"b08-{key}"]
    run(general_quarters(table(state)), {"12.1.5": f"b08-{key}"})
    assert mate.used
    assert state.squad["b08"].markers == []
    assert any(one.key == key for one in state.cups["transit"].contents)
    asked.clear()
    run(general_quarters(table(state)), asked=asked)
    assert "12.1.5" not in [one.rule for one in asked]


@pytest.mark.rule("doolittle", "12.1.6", "12.6.6.F")
def test_recovered_ship_stays_astern_for_the_turn() -> None:
    state = at_quarters()
    marker = hazard(state, "distress", cup="west")
    gwin = ship(state, "gwin")
    gwin.markers.append(marker)
    gwin.space = "astern-far"
    at = table(state, 3, 3)
    assert recovery_check(at, marker).at_least == 7
    run(general_quarters(at))
    assert gwin.markers == [marker]
    at = table(state, 3, 4)
    run(general_quarters(at))
    assert log_text(at, "12.1.6").startswith("The Gwin recovers.")
    assert gwin.markers == []
    assert gwin.space == "astern-far"
    assert not is_slow(DATA, gwin)
    run(general_quarters(table(state)), {"9.5.1": "space-port"})
    assert gwin.space == "port"


@pytest.mark.rule("doolittle", "9.5.1", "12.1.6")
def test_recovered_ship_without_room_stays_astern() -> None:
    state = at_quarters(met=True)
    taken = {
        "ahead": ("nashville", "gwin"),
        "port": ("northampton", "grayson"),
        "starboard": ("salt-lake-city", "meredith"),
        "astern": ("cimarron", "monssen"),
        "ahead-far": ("sabine",),
        "port-far": ("balch", "benham"),
        "starboard-far": ("ellet", "fanning"),
        "astern-far": ("vincennes",),
    }
    for space, keys in taken.items():
        for key in keys:
            ship(state, key).space = space
    run(general_quarters(table(state)))
    assert ship(state, "vincennes").space == "astern-far"


@pytest.mark.rule("doolittle", "12.1.6", "12.6.6.F")
def test_distressed_recon_stays_in_hangar() -> None:
    state = at_quarters()
    recon = sea(state).recon["ca-18"]
    recon.markers.append(hazard(state, "distress", cup="west"))
    at = table(state, 1, 1)
    assert not can_launch_recon(at, recon)
    run(general_quarters(at))
    assert "still in distress" in log_text(at, "12.1.6")
