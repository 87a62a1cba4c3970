"""[1.8] What stands on the cards: a row of each of those that are put together from the figures."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA

from readyroom.engine.charts import Chart
from readyroom.games.doolittle.charts import charts

ROWS = [
    ("A3", "7-8", ["+3"]),
    ("A5", "Tokyo Shipping", ["Tokyo Bay North, inner", "2", "5 / 9", "6 / 9"]),
    ("A5", "Chiba", ["no target, on the edge", "2", "", ""]),
    ("A9", "Flak 5-6", ["2", "2", "2", "2", "2", "2", "3"]),
    ("A9", "Flak 6-8 (red box)", ["1", "1", "0", "1", "1", "0", "0"]),
    ("A9", "Small arms 2", ["3", "2", "2", "2", "1", "1", "1"]),
    ("A9", "Searchlights, approach −2, detonation −1 (S)", ["0", "0", "0", "1", "0", "0", "0"]),
    ("F3", "headwind", ["yes", "1", "yes", "0", "0"]),
    ("F3", "severe headwind", ["no", "0", "yes", "0", "1"]),
    ("F3", "severe tailwind", ["yes", "0", "no", "0", "0"]),
    ("F4", "3", ["Defense East, inner", "2 I, 1 alert (from alert 2)"]),
    ("F6", "Tokyo", ["8", "9", "", "Japan"]),
    ("F6", "Kian", ["8", "10", "5", "zones 11, 12"]),
    ("P1", "Nimitz: the Navy's escort", ["-", "7", "7", "8"]),
    ("P1", "risk of a diplomat told then", ["+4", "+3", "+2", "+0"]),
    ("P1", "Stalin has refused", ["−2", "−2", "−2", "−2"]),
    ("P2", "Kweilin", ["5"]),
    ("P2", "fuel in all", ["40"]),
    ("P5-modifications", "Top turret removed", ["D", "−1", "−2", "0", "−1"]),
    ("P-morale", "keen", ["6", "7"]),
    ("P-security", "McClellan Field", ["1", "0", "2"]),
    ("P-security", "Liberty", ["0", "+1", "0"]),
    ("P-security", "F.B.I.", ["1", "−1", "0"]),
    ("P-training", "Gunnery, 30 caliber", ["1", "2", "-"]),
    ("P-training", "Gunnery, 50 caliber", ["2", "2", "2"]),
    ("P-take-off", "6", ["-", "13"]),
    ("P-take-off", "9", ["c", "16"]),
    ("P-incidents", "Wake", ["3", "1", "-", "-"]),
    ("N1", "Pacific", ["14", "east", "1 east; 1 east (from 1 failed tests)"]),
    ("N1", "Influence East", ["12", "central", "2 central (in calm, gusty, gale); 1 central (from 1 signals)"]),
    ("N1", "Japan", ["18", "west", "3 west; west, one for each level of alert; west, one for each signal"]),
    ("N3", "west", ["5", "6", "8", "10"]),
    ("N4", "Cimarron (AO-22)", ["AO", "TF-18", "1 / 0", "12", "8", "7", "2"]),
    ("N4", "Enterprise (CV-6)", ["CV", "TF-16", "4 / 3", "12", "4", "", "3"]),
    ("N5", "VF6", ["2", "", "yes", "yes"]),
    ("N6", "Center", ["10", "CV, AO"]),
    ("N6", "Ahead", ["4", ""]),
    ("N6", "Astern Far", ["endless", "slow ships, no CV"]),
    ("N8", "Enemy signals (triangle)", ["2", "2", "2"]),
    ("N8", "Enemy signals", ["", "2", ""]),
    ("N8", "Mechanical distress", ["4", "2", "1"]),
    ("D3-return", "Defense East", ["14"]),
    ("D3-return", "for each sound carrier", ["+3"]),
    ("D4-routes", "Lishui to Chungking", ["4", "8"]),
    ("D4-routes", "the hills to Kian", ["", "3"]),
    ("D5-internment", "never asked", ["9", "10", "11", "12"]),
    ("D5-internment", "landing denied", ["10", "11", "12", "13"]),
    ("D5-passage", "landing denied", ["10*", "11*", "12*", "13*"]),
    ("D5-passage", "landing agreed", ["5", "6", "7", "8"]),
    ("elites", "Hilger", ["pilot", "Navigation", "always", "Hilger"]),
    ("elites", "Cole", ["copilot", "Repair", "once", "Doolittle"]),
]


def card_of(id: str) -> Chart:
    """A card by its label."""
    return next(chart for chart in charts(DATA) if chart.id == id)


@pytest.mark.rule("doolittle", "1.8")
@pytest.mark.parametrize(("card", "row", "cells"), ROWS, ids=[f"{card} {row}" for card, row, _ in ROWS])
def test_a_card_is_printed_with_what_the_figures_say(card: str, row: str, cells: list[str]) -> None:
    assert card_of(card).rows[row] == cells


@pytest.mark.rule("doolittle", "1.8", "12.6.1", "4.6.3", "13.2.3")
def test_only_what_has_a_number_or_an_effect_has_a_row_or_a_word() -> None:
    assert not {"Vladivostok", "Korea"} & set(card_of("P2").rows)
    assert "Nimitz has refused" not in " ".join(card_of("P1").rows)
    assert len([row for row in card_of("P1").rows if row.endswith("has refused")]) == 2
    assert [row for row, cells in card_of("A10").rows.items() if cells[1]] == ["Balloons", "Crash", "Small arms"]
    stays = [row for row, cells in card_of("F5").rows.items() if cells[1] == "stays"]
    assert "Fuel leak" in stays
    assert "Engine sputter" not in stays
