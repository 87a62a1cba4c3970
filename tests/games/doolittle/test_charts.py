"""[1.8] Tests of the cards: one row per card built from the data."""

from __future__ import annotations

import pytest
from tests.games.doolittle.helpers import DATA

from readyroom.engine.rules.charts import Chart
from readyroom.games.doolittle.charts.attack import charts

ROWS = [
    ("A3", "7-8", ["+3"]),
    ("A5", "Tokyo Shipping", ["Tokyo Bay North, inner", "2", "5 / 9", "6 / 9"]),
    ("A5", "Chiba", ["no target, on the edge", "2", "", ""]),
    ("A9", "Flak 5–6", ["2", "2", "2", "2", "2", "2", "3"]),
    ("A9", "Flak 6–8 (red box)", ["1", "1", "0", "1", "1", "0", "0"]),
    ("A9", "Small arms 2", ["3", "2", "2", "2", "1", "1", "1"]),
    ("A9", "Searchlights, approach −2, detonation −1 (S)", ["0", "0", "0", "1", "0", "0", "0"]),
    ("F3", "headwind", ["yes", "1", "must pass", "0", "0"]),
    ("F3", "severe headwind", ["no", "0", "must roll", "0", "1"]),
    ("F3", "severe tailwind", ["must, at a city", "0", "no", "0", "0"]),
    ("F4", "3", ["Defense East, inner", "W2, weather of Defense", "2 I; 1 alert, from alert 2", ""]),
    ("F6", "Tokyo", ["8", "9", "", "6", ""]),
    ("F6", "Kian", ["8", "10", "5", "11, 12", "1 from zone 11"]),
    ("P1", "Nimitz: the Navy's escort", ["-", "7", "7", "8"]),
    ("P1", "risk of a diplomat informed then", ["+4", "+3", "+2", "+0"]),
    ("P1", "Stalin has refused", ["−2", "−2", "−2", "−2"]),
    ("P2", "Kweilin", ["5"]),
    ("P2", "fuel in all", ["40"]),
    ("P5-modifications", "Top turret removed", ["D", "weight −1, guns −2, morale −1", "not with Top turret improved"]),
    ("P-morale", "keen", ["6", "7"]),
    ("P-security", "McClellan Field", ["1", "0", "2", ""]),
    ("P-security", "Liberty", ["0", "+1", "0", "+0 to +5, by P5"]),
    ("P-security", "F.B.I.", ["1", "−1", "0", ""]),
    ("P-training", "Gunnery, 30 caliber", ["1 TP: +1 gunnery die", "2 TP: +2 gunnery dice", "-"]),
    ("P-training", "Hedgehopping", ["1 TP: evasion 1", "2 TP: evasion 1, +1 for elite pilots", "2 TP: evasion 2"]),
    ("P-take-off", "6", ["-", "13"]),
    ("P-take-off", "9", ["c", "16"]),
    ("P-incidents", "Wake", ["3", "1", "-", "-", DATA.incidents.chits.kind["wake"].text]),
    ("N1", "Pacific", ["14", "east", "1 east; 1 east, from 1 failed test"]),
    ("N1", "Influence East", ["12", "central", "2 central, no storm; 1 central, from 1 signal"]),
    ("N1", "Japan", ["18", "west", "3 west; 1 west per alert level; 1 west per enemy signal"]),
    ("N3", "west", ["5", "6", "8", "10"]),
    ("N4", "Cimarron (AO-22)", ["AO", "TF-18", "1 / 0", "12", "8", "7", "2"]),
    ("N4", "Enterprise (CV-6)", ["CV", "TF-16", "4 / 3", "12", "4", "", "3"]),
    ("N5", "VF6", ["2", "", "yes", "yes"]),
    ("N6", "Center", ["10", "CV, AO", "Ahead, Astern, Port, Starboard"]),
    ("N6", "Ahead", ["4", "", "Center, Ahead Far, Port, Starboard"]),
    ("N6", "Astern Far", ["endless", "slow ships, no CV", "Astern"]),
    ("N8", "Enemy signals (triangle: no airstrike)", ["2", "2", "2"]),
    ("N8", "Enemy signals", ["", "2", ""]),
    ("N8", "Mechanical distress (recovery 6+)", ["2", "1", ""]),
    ("D3-return", "Defense East", ["14"]),
    ("D3-return", "for each undamaged carrier", ["+3"]),
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
    """Return a card by its label."""
    return next(chart for chart in charts(DATA) if chart.id == id)


@pytest.mark.rule("doolittle", "1.8")
@pytest.mark.parametrize(("card", "row", "cells"), ROWS, ids=[f"{card} {row}" for card, row, _ in ROWS])
def test_card_prints_its_figures(card: str, row: str, cells: list[str]) -> None:
    assert card_of(card).rows[row] == cells


@pytest.mark.rule("doolittle", "1.8", "12.6.1", "4.6.3", "13.2.3")
def test_card_has_a_row_or_word_only_for_a_number_or_effect() -> None:
    assert not {"Vladivostok", "Korea"} & set(card_of("P2").rows)
    assert "Nimitz has refused" not in " ".join(card_of("P1").rows)
    assert len([row for row in card_of("P1").rows if row.endswith("has refused")]) == 2
    assert [row for row, cells in card_of("A10").rows.items() if cells[1]] == ["Balloons", "Crash", "Small arms"]
    stays = [row for row, cells in card_of("F5").rows.items() if cells[1] == "stays"]
    assert "Fuel leak" in stays
    assert "Engine sputter" not in stays


MORE = [
    ("F4", "1", ["Influence", "W1, weather of Influence", "1 I", "launched here: 1 fuel"]),
    ("F4", "5", ["Defense West, inner", "W2, weather of Defense", "2 II; 1 alert per flight, from alert 1", ""]),
    ("F4", "7", ["Sea of Japan", "W4", "1 II; alert: half the alert level", "Vladivostok (1 fuel), Korea"]),
    ("F5-cups", "Vessel, secrecy test", ["3", "1", "", "2"]),
    ("F5-dice", "shadowed at alert 2-3", ["3 alert hazards"]),
    ("F6-modifiers", "a persistent attempt", ["+1"]),
    ("F6-beacons", "5", ["2"]),
    ("F1-dice", "each fumes marker", ["+1 die"]),
    ("F3-guzzle", "bombs aboard", ["−1"]),
    ("A-areas", "Chiba", ["Tokyo", "perimeter", "Tokyo East, Tokyo Bay North, Kisarazu"]),
    ("A-turn", "evade, high", ["not allowed"]),
    ("A-turn", "enter a box, high by night", ["not allowed"]),
    ("A8-modifiers", "an elite pilot", ["+1"]),
    ("S2", "6-7", ["2"]),
    ("S3", "circle", ["airstrike from alert 3", "else alert +1, if the task force was met"]),
    ("S3", "triangle", ["no airstrike", ""]),
    ("P1", "risk of a leader who is briefed", ["+2", "+2", "+2", "+2"]),
    ("P1-navy", "refused or never asked", ["2", "1"]),
    ("P-weight", "1", ["5"]),
    ("P3-modifiers", "3 beacons or more", ["−1"]),
    ("P4-modifiers", "McClellan Field", ["+3"]),
    ("P4-delay-modifiers", "Nimitz briefed", ["+5"]),
    ("P5-modifiers", "liberty: the F.B.I. watches", ["+5"]),
    ("P5-modifications", "More extra tanks", ["H", "weight +1, 10 fuel", "needs Extra tanks"]),
    ("P6", "each diplomat informed in February", ["+3"]),
    ("N10", "in the planned turn", ["+3"]),
    ("N11", "react: storm", ["−2"]),
    ("N12", "storm, failed", ["ships damaged: 2"]),
    ("N13", "in contact", ["a patrol: weather, wind and sea hazards in its area"]),
    ("N14", "flying boat on the force", ["4 dice below the number of ships: risk +6"]),
    ("N15", "torpedo, 3-4", ["Ahead Far, Ahead, Center"]),
    ("N7-modifiers", "a damaged bomber", ["−1"]),
    ("D1-modifiers", "storm", ["−3"]),
    ("D4-modifiers", "Chiang briefed", ["+1"]),
    ("D6", "released from internment: Stalin briefed", ["+5"]),
    ("X3-modifiers", "east of Midway", ["+4"]),
    ("X6-modifiers", "VF6 goes along", ["+1"]),
]


@pytest.mark.rule("doolittle", "1.8", "8.3.2", "6.3.1", "3.3.1", "13.5.6")
@pytest.mark.parametrize(("card", "row", "cells"), MORE, ids=[f"{card} {row}" for card, row, _ in MORE])
def test_card_prints_the_notes_next_to_its_tables(card: str, row: str, cells: list[str]) -> None:
    assert card_of(card).rows[row] == cells


@pytest.mark.rule("doolittle", "1.8")
def test_card_has_its_own_label() -> None:
    labels = [chart.id for chart in charts(DATA)]
    assert len(labels) == len(set(labels))
    assert all(chart.rows for chart in charts(DATA))
