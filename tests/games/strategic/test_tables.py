"""Tests of the tables: every cell against a second transcription and a formula."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random

import pytest

from readyroom.engine.errors import InvalidData
from readyroom.engine.rules.dice import KeyedDice
from readyroom.games.strategic import war
from readyroom.games.strategic.pearl import GAME
from readyroom.games.strategic.tables.grids import (
    AUTO,
    PACIFIC,
    PEARL,
    AirGrid,
    Grid,
    Pair,
    TableRoll,
    intercepts,
    pair,
)

DATA = GAME.data
SECOND = Path(__file__).with_name("tables.txt")
SHIFT = {2: 0, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4, 11: 5, 12: 6}


def block(name: str) -> Iterator[list[str]]:
    """Yield the lines of a table in the second transcription, split into words."""
    inside = False
    for line in SECOND.read_text().splitlines():
        if line.startswith("["):
            inside = line == f"[{name}]"
        elif inside and line:
            yield line.split()


@pytest.mark.rule("war", "24.62", "24.62.1")
@pytest.mark.rule("pearl", "24.62", "24.62.1")
def test_strategic_warfare_table_matches_transcription() -> None:
    chart = GAME.chart("strategic-warfare")
    assert chart.source == "rulebook"
    second = {row[0]: row[1:] for row in block("strategic-warfare")}
    assert len(second) == 30
    assert chart.rows == second
    assert sum(1 for _ in chart.cells()) == 330


@pytest.mark.rule("war", "24.62.1", "A3")
@pytest.mark.rule("pearl", "24.62.1", "A3")
def test_strategic_rows_climb_ladder() -> None:
    ladder = [pair(step) for line in block("ladder") for step in line]
    for row in range(1, 31):
        for roll, shift in SHIFT.items():
            assert DATA.strategic.read(row, roll) == ladder[max(0, row - 4 + shift)], (row, roll)
    assert [step.steps for step in ladder] == list(range(33))


@pytest.mark.rule("war", "24.62.1")
@pytest.mark.rule("pearl", "24.62.1")
def test_rolls_are_clamped_to_table() -> None:
    assert DATA.strategic.read(12, -3) == DATA.strategic.read(12, 2) == Pair(1, 6)
    assert DATA.strategic.read(12, 19) == DATA.strategic.read(12, 12) == Pair(3, 8)
    assert DATA.strategic.read(0, 7) == Pair(0, 0)


@pytest.mark.rule("war", "24.62.2", "A4")
@pytest.mark.rule("pearl", "24.62.2")
def test_over_thirty_factors_use_two_rows() -> None:
    read = DATA.strategic.read
    assert read(40, 7) == read(30, 7) + read(10, 7) == Pair(10, 18)
    assert read(60, 9) == read(30, 9) + read(30, 9)
    assert read(75, 4) == read(30, 4) + read(30, 4) + read(15, 4)
    assert DATA.strategic_twice.read(75, 4) == read(60, 4)


@pytest.mark.rule("pearl", "51.31", "51.31.2", "51.31.4")
def test_surprise_table_matches_transcription() -> None:
    chart = GAME.chart("pearl-harbor")
    second = {row[0]: row[1:] for row in block("pearl-harbor")}
    second["surprise"] = second.pop("DRM")
    assert chart.rows == second
    assert sum(len(cells) for label, cells in second.items() if label != "surprise") == 77
    for roll in range(2, 13):
        for column in range(7):
            at = roll - 2 + column
            expected = PEARL if at <= 5 else PACIFIC if at <= 8 else str(15 - at) if at <= 13 else AUTO
            assert DATA.surprise["current"].carrier(column, roll) == expected
    assert DATA.surprise["current"].carrier(0, 12) == "5"
    assert DATA.surprise["current"].level(6, 1) == 4


@pytest.mark.rule("pearl", "51.31")
def test_classic_edition_has_five_columns() -> None:
    table = DATA.surprise["classic"]
    for roll in range(2, 13):
        for column in range(5):
            at = roll - 2 + column
            expected = PEARL if at <= 3 else PACIFIC if at <= 6 else str(13 - at) if at <= 11 else AUTO
            assert table.carrier(column, roll) == expected
    assert table.drms == [6, 6, 5, 4, 3]
    assert [table.column(tension) for tension in (0, 33, 34, 37, 39, 40, 60)] == [0, 0, 1, 2, 3, 4, 4]


@pytest.mark.rule("pearl", "51.31.1")
def test_column_depends_on_tension() -> None:
    table = DATA.surprise["current"]
    assert [table.column(tension) for tension in (-4, 0, 29, 30, 31, 35, 39, 40, 55)] == [0, 0, 0, 1, 1, 3, 5, 6, 6]


@pytest.mark.rule("pearl", "HA")
def test_harbor_attack_table_matches_transcription() -> None:
    chart = GAME.chart("harbor-attack")
    totals, results = list(block("harbor-attack"))
    assert dict(zip(totals[2:], results[1:], strict=True)) == {row: cells[0] for row, cells in chart.rows.items()}
    assert len(chart.rows) == 13


@pytest.mark.rule("pearl", "20.51")
def test_naval_attacks_follow_formula_from_nine_squadrons() -> None:
    grid = DATA.naval
    assert sum(1 for _ in GAME.chart("naval-attack").cells()) == 220
    for squadrons in range(9, 21):
        for roll in range(2, 13):
            assert grid.read(squadrons, roll).first == (squadrons + roll - 5) // 2
    assert grid.read(5, 9).first == 4
    assert grid.read(25, 7) == grid.read(20, 7) + grid.read(5, 7)
    assert grid.format(grid.read(5, 9)) == "4"


@pytest.mark.rule("pearl", "20.51")
def test_fleet_table_shares_squadron_rows() -> None:
    fleets, squadrons = GAME.chart("fleet-attack"), GAME.chart("naval-attack")
    same = ("3", "5-6", "7-9", "10-12", "13-15", "16-18", "19-21", "22-24", "25")
    for squadron, fleet in enumerate(same, start=1):
        assert fleets.rows[fleet] == squadrons.rows[str(squadron)]


@pytest.mark.rule("war", "19.2", "A23")
@pytest.mark.rule("pearl", "19.2", "A23")
def test_air_combat_climbs_ladder() -> None:
    grid = DATA.air
    assert sum(1 for _ in GAME.chart("air-combat").cells()) == 165
    for factors in range(8, 40):
        for roll in range(2, 13):
            assert grid.read(factors, roll).steps == factors + roll - 5, (factors, roll)
    assert (grid.read(1, 12), grid.read(1, 6), grid.read(15, 12)) == (Pair(1, 3), Pair(1, 0), Pair(7, 8))


def grids() -> list[tuple[str, Grid]]:
    return [("warfare", DATA.strategic), ("naval", DATA.naval), ("air", DATA.air)]


@pytest.mark.rule("war", "24.62.1")
@pytest.mark.rule("pearl", "24.62.1")
@pytest.mark.parametrize(("name", "grid"), grids())
@pytest.mark.parametrize("strength", [0, 1, 7, 15, 20, 31, 64])
@pytest.mark.parametrize("net", [-6, 0, 3])
def test_odds_sum_to_one(name: str, grid: Grid, strength: int, net: int) -> None:
    odds = grid.odds(strength, net)
    assert sum(odds.values()) == Fraction(1)
    assert set(odds) == {grid.read(strength, roll + net) for roll in range(2, 13)}


SAMPLES = 100_000


@pytest.mark.torture
@pytest.mark.rule("war", "24.62.1")
@pytest.mark.rule("pearl", "24.62.1")
@pytest.mark.parametrize(("name", "grid"), grids())
def test_sampled_rolls_match_odds(name: str, grid: Grid) -> None:
    dice, random = KeyedDice(name.encode().ljust(32, b".")), Random(5)
    strength, net = random.randint(8, 19), random.randint(-2, 2)
    roll = TableRoll("24.62.1", name, grid, strength, [("net", net)])
    counts: dict[Pair, int] = {}
    for number in range(SAMPLES):
        event = f"1|test|24.62.1|{name}|{number}"
        result = roll.resolve(partial(dice.roll, event)).result
        counts[result] = counts.get(result, 0) + 1
    odds = grid.odds(strength, net)
    assert set(counts) <= set(odds)
    for result, chance in odds.items():
        error = float(chance * (1 - chance) / SAMPLES) ** 0.5
        assert abs(counts.get(result, 0) / SAMPLES - float(chance)) <= 4 * error, result


@pytest.mark.rule("pearl", "51.31.3", "A22")
def test_interception_chance_by_place() -> None:
    chances = {place: intercepts(place) for place in (PEARL, PACIFIC, "6", "5", "2", AUTO)}
    assert chances == {PEARL: 0, PACIFIC: 0, "6": Fraction(1, 6), "5": Fraction(1, 3), "2": Fraction(5, 6), AUTO: 1}


@pytest.mark.rule("pearl", "51.31")
def test_column_chart_matches_table() -> None:
    rows = GAME.chart("pearl-columns").rows
    assert rows == {
        "0-29": ["21/36", "12/36", "3/36", "0", "7+ x6", "0.02"],
        "30-31": ["15/36", "15/36", "6/36", "0", "7+ x6", "0.05"],
        "32-33": ["10/36", "16/36", "10/36", "0", "7+ x6", "0.09"],
        "34-35": ["6/36", "15/36", "15/36", "0", "7+ x6", "0.16"],
        "36-37": ["3/36", "12/36", "20/36", "1/36", "6 x1, 7+ x5", "0.26"],
        "38-39": ["1/36", "9/36", "23/36", "3/36", "5 x1, 6 x1, 7+ x4", "0.38"],
        "40+": ["0", "6/36", "24/36", "6/36", "4 x1, 5 x1, 6 x1, 7+ x3", "0.50"],
    }


def test_table_roll_log_shows_arithmetic() -> None:
    roll = TableRoll("24.62.1", "submarines", DATA.strategic, 40, [("French ports", 2), ("escort carriers", -1)])
    read = roll.resolve(lambda count, sides, start: bytes([3, 3]))
    assert str(read) == "10/18"
    assert read.to_log().result == "2d6 + 2 French ports − 1 escort carriers = 7, row 30, row 10: 10/18"
    assert isinstance(DATA.air, AirGrid)


def test_invalid_figures_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "pearl.toml").write_text(
        '[critical]\nat_least = "five"\neffects = 1\nsource = "rulebook"\norigin = ""\n'
    )
    with pytest.raises(InvalidData, match=r"critical\.at_least"):
        GAME.with_data(tmp_path)


@pytest.mark.rule("war", "24.62.3", "24.62.4")
@pytest.mark.rule("pearl", "24.62.3")
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('kind = "steps"\nstep = 0', "step = 0 and most = "),
        ('kind = "steps"\nstep = 3\nmost = 0', "most = 0 must both be at least 1"),
        ('kind = "choice"', "weather needs choices exactly when its kind is choice"),
        ('kind = "tick"\nchoices = { fair = 1 }', "weather needs choices exactly when its kind is choice"),
    ],
)
def test_invalid_modifier_is_rejected(tmp_path: Path, line: str, reason: str) -> None:
    head = 'source = "reconstructed"\norigin = "a test"\nstrength = []\n[[modifier]]\nkey = "weather"\n'
    (tmp_path / "modifiers.toml").write_text(
        f'{head}scope = "submarines"\nvalue = 1\ntitle = "t"\nrule = "SW"\n{line}\n'
    )
    with pytest.raises(InvalidData, match=reason):
        GAME.with_data(tmp_path)


@pytest.mark.rule("war", "SW.1")
@pytest.mark.rule("pearl", "PH")
def test_figure_charts_show_sources() -> None:
    charts = {chart.id: chart for game in (war.GAME, GAME) for chart in game.presentation.charts(DATA)}
    played = {f"scenario-{key}" for key in DATA.scenarios if key != "staff"}
    assert {"war-figures", "pearl-figures", *played} <= charts.keys()
    assert charts["war-figures"].rows["prices"][:2] == [
        "submarine 3, escort 3, carrier 3, merchant 3, bomber 3, interceptor 3, research 3",
        "reconstructed",
    ]
    assert charts["scenario-atlantic"].source == "reconstructed"
    assert charts["scenario-atlantic"].rows["submarines"] == ["german-atlantic 5", "", ""]
    assert charts["scenario-air-raid"].rows["force Task Force 8"][0] == "carrier name Enterprise, squadrons 5"
