"""Tests of Battleship Row: nests shield their inner ships from torpedoes, even if the outer ones have sunk."""

from __future__ import annotations

import pytest
from tests.games.tora.battle import Battle

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision

WEST, EAST = "attack:1SW:kate:torpedo", "attack:1SE:kate:torpedo"


@pytest.mark.rule("tora", "11.4", "5.15", "T8")
def test_torpedo_on_maryland_is_rejected_and_on_oklahoma_allowed() -> None:
    battle = Battle().put("1SW", "kate-1", load="torpedo")

    def torpedoes(decision: Decision) -> list[str]:
        with pytest.raises(IllegalChoice, match="Oklahoma is moored outside her") as refused:
            decision.accept(["maryland"])
        assert refused.value.rule == "11.4"
        return ["oklahoma"]

    battle.play("japan-attack-1", {WEST: torpedoes}, dice=[5, 6, 1, 2])
    assert battle.ship("oklahoma").hits == 2


@pytest.mark.rule("tora", "11.4", "T8")
@pytest.mark.parametrize(("option", "reached"), [("shield", False), ("clear", True)])
def test_torpedo_is_refused_after_oklahoma_sank(option: str, reached: bool) -> None:
    battle = Battle(wrecks=option).put("1SW", "kate-1", load="torpedo")
    battle.ship("oklahoma").hits = 9
    battle.play("japan-attack-1")
    assert ("maryland" in battle.question(WEST).keys) is reached


@pytest.mark.rule("tora", "11.4", "T24", "T8")
def test_ship_in_dry_dock_is_out_of_reach() -> None:
    battle = Battle().put("1SE", "kate-1", load="torpedo")
    battle.play("japan-attack-1")
    assert set(battle.question(EAST).keys) == {"west-virginia", "nevada", "vestal"}
    with pytest.raises(IllegalChoice, match="in dry dock"):
        battle.question(EAST).accept(["pennsylvania"])


@pytest.mark.rule("tora", "11.5", "11.1")
def test_heavy_bombs_reach_inner_ships() -> None:
    battle = Battle().put("1SE", "kate-1", "kate-2", load="ap")
    battle.play("japan-attack-1", {"attack:1SE:kate:ap": ["tennessee", "arizona"]}, dice=[6, 5, 5, 1, 5, *[1] * 4])
    assert battle.ship("tennessee").hits == 3 + 1
    assert battle.ship("arizona").hits == 0


@pytest.mark.rule("tora", "8.6")
def test_single_wreck_blocks_channel() -> None:
    battle = Battle().put("2SE", "kate-1", "kate-2", load="ap")
    battle.berth("nevada", 41, 52, "v")
    battle.play("japan-attack-2", {"attack:2SE:kate:ap": ["nevada", "nevada"]}, dice=[5] * 8)
    assert battle.texts("14.2") == ["Nevada sinks: 8 hits for her strength of 6."]
    assert battle.texts("8.6") == ["Nevada's wreck blocks the channel."]
