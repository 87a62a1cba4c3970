"""Tests of the steps before the raid: final tension roll, Magic, carrier places and surprise."""

from __future__ import annotations

import pytest
from tests.games.strategic.pearl.helpers import DATA, Battle

from readyroom.engine.errors import IllegalChoice
from readyroom.games.strategic.pearl.knowledge import column, surprise_table


@pytest.mark.rule("pearl", "PH.1", "A15")
@pytest.mark.parametrize(("face", "tension"), [(1, 33), (2, 34), (3, 35), (4, 35), (5, 36), (6, 37)])
def test_final_roll_moves_tension(face: int, tension: int) -> None:
    battle = Battle().play("declaration", dice=[face])
    assert battle.raid.tension == tension
    assert battle.texts("PH.1", None) == [
        f"Japan declares war. The final tension roll is {face}: tension is {tension}."
    ]


@pytest.mark.rule("pearl", "PH.1", "A15")
def test_option_none_skips_final_roll() -> None:
    battle = Battle(final_die="none").play("declaration")
    assert battle.raid.tension == 35
    assert not battle.log[0].rolls


@pytest.mark.rule("pearl", "PH.2", "51.31.1")
def test_magic_is_secret_and_moves_column() -> None:
    battle = Battle()
    battle.play("magic", {"magic:japan": ["magic-1"], "magic:usa": ["magic-3"]})
    assert battle.raid.magic == {"japan": 1, "usa": 3}
    assert column(battle.raid, DATA.surprise["current"]) == 4, "35 - 1 + 3 = 37"
    assert battle.texts("PH.2", "japan") == ["You play 1 Magic card."]
    assert battle.texts("PH.2", "usa") == ["You play 3 Magic cards."]
    assert not battle.texts("PH.2", None)


@pytest.mark.rule("pearl", "PH.2")
def test_magic_over_limit_is_rejected() -> None:
    battle = Battle().play("magic")
    with pytest.raises(IllegalChoice, match="at most 2 cards in this scenario"):
        battle.question("magic:japan").accept("magic-3")
    hint = battle.question("magic:japan").options[0].info
    assert hint is not None
    assert (
        hint.note
        == "Surprise Table column 34–35 to 38–39, the lower the greater the surprise; the cards you keep score 2"
    )


@pytest.mark.rule("pearl", "51.31", "P11")
@pytest.mark.parametrize(
    ("scenario", "option", "columns"),
    [("air-raid", "current", 7), ("air-raid", "classic", 5), ("air-raid-classic", "current", 5)],
)
def test_scenario_edition_overrides_option(scenario: str, option: str, columns: int) -> None:
    battle = Battle(scenario, edition=option)
    assert len(surprise_table(battle.raid, battle.state.rulings, DATA).columns) == columns


@pytest.mark.rule("pearl", "51.31.2", "PH.3")
def test_carrier_places_are_logged_for_usa_only() -> None:
    battle = Battle().play("carriers", dice=[5, 5, 1, 1])
    assert [force.place for force in battle.raid.forces] == ["4", "Pearl"]
    assert len(battle.texts("51.31.2", "usa")) == 2
    assert not battle.texts("51.31.2", "japan")
    assert battle.texts("PH.3", "japan") == [
        "Task Force 12 (Lexington) is in Pearl Harbor. Its aircraft are on the ground."
    ]
    away = Battle().play("carriers", dice=[5, 5, 5, 5])
    assert away.texts("PH.3", "japan") == ["No American carriers are in Pearl Harbor."]


@pytest.mark.rule("pearl", "A16", "51.31.2")
def test_force_in_port_is_target_with_grounded_aircraft() -> None:
    battle = Battle().play("carriers", dice=[5, 5, 1, 1]).play("surprise", dice=[6])
    assert [ship.key for ship in battle.raid.in_port()][-1] == "lexington"
    assert battle.raid.naval.grounded == 3 + 5
    late = Battle(magic=(0, 5)).force("tf8", "Pearl", seen=True)
    late.raid.naval.grounded = 5
    late.play("surprise", dice=[1])
    assert (late.raid.naval.up, late.raid.naval.grounded) == (2, 1 + 5), "level 4: her own stay ashore"


@pytest.mark.rule("pearl", "51.31.4", "51.31.7", "A6", "A20", "P4")
@pytest.mark.parametrize(
    ("usa", "face", "army", "naval", "text"),
    [
        (5, 1, (3, 1), (2, 1), "level 4: some aircraft are on the ground."),
        (5, 2, (2, 2), (1, 2), "level 5: some aircraft are on the ground."),
        (5, 3, (0, 4), (0, 3), "level 6: all aircraft are on the ground."),
        (5, 4, (0, 4), (0, 3), "level 7 or more: the defense is in disarray."),
        (0, 6, (0, 4), (0, 3), "level 7 or more: the defense is in disarray."),
    ],
)
def test_surprise_level_splits_aircraft(
    usa: int, face: int, army: tuple[int, int], naval: tuple[int, int], text: str
) -> None:
    battle = Battle(magic=(0, usa)).play("surprise", dice=[face])
    assert (battle.raid.army.up, battle.raid.army.grounded) == army
    assert (battle.raid.naval.up, battle.raid.naval.grounded) == naval
    line = f"Japan's surprise roll is {face}. With the column's modifier, that is {text}"
    assert battle.texts("51.31.4", "japan") == [line]
    assert len(battle.texts("51.31.4", "usa")) == 2, "only the United States know the column"


@pytest.mark.rule("pearl", "A20", "51.31.7")
def test_option_guns_keeps_aircraft_up_in_disarray() -> None:
    battle = Battle(disarray="guns").play("surprise", dice=[6])
    assert (battle.raid.army.up, battle.raid.naval.up) == (4, 3)
    battle.attackers(10).play("guns")
    assert battle.texts("51.31.7") == ["The defense is in disarray: the guns do not fire."]
