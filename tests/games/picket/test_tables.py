"""Figures: an owner's own charts are taken, and refused where they do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.games.picket.helpers import DATA

from readyroom.engine.data import load
from readyroom.engine.errors import DataMisfit
from readyroom.games.picket import GAME, setup
from readyroom.games.picket.figures import SECTIONS, Data
from readyroom.testing.coverage import cited_by_code, coverage

HEAD = """
["{id}"]
id = "{id}"
title = "Printed"
rule = "{rule}"
source = "published"
origin = "the printed charts"
dice = "{dice}"
columns = {columns}

["{id}".rows]
{rows}
"""


def pack(folder: Path, id: str, rule: str, dice: str, columns: list[str], *rows: str) -> Data:
    """The game's figures with one table of an owner's own, checked as a match checks them."""
    text = HEAD.format(id=id, rule=rule, dice=dice, columns=columns, rows="\n".join(rows))
    (folder / "tables.toml").write_text(text if dice else text.replace('dice = ""\n', ""), encoding="utf-8")
    data = load(Data, "readyroom.games.picket", folder)
    setup.check_opening(data, GAME.scenario("okinawa"))
    return data


def refused(folder: Path, id: str, rule: str, dice: str, columns: list[str], *rows: str) -> DataMisfit:
    """How a table is refused."""
    with pytest.raises(DataMisfit) as found:
        pack(folder, id, rule, dice, columns, *rows)
    return found.value


@pytest.mark.rule("picket", "1.0", "P1")
def test_a_printed_table_takes_the_place_of_ours(tmp_path: Path) -> None:
    data = pack(tmp_path, "3-1", "5.1", "2d6", ["result"], '2-3 = ["none"]', '4-12 = ["team"]')
    assert data.tables.team.cell(4, "result") == "team"
    assert data.tables.surface == DATA.tables.surface


@pytest.mark.rule("picket", "1.0")
def test_a_table_that_lacks_a_row_is_refused(tmp_path: Path) -> None:
    fault = refused(tmp_path, "3-1", "5.1", "2d6", ["result"], '2-6 = ["none"]', '8-12 = ["team"]')
    assert "tables.toml" in str(fault)
    assert "3-1" in str(fault)
    assert "one row for a result of 7" in str(fault)


@pytest.mark.rule("picket", "1.0")
def test_a_table_with_an_overlapping_range_is_refused(tmp_path: Path) -> None:
    fault = refused(tmp_path, "3-1", "5.1", "2d6", ["result"], '2-7 = ["none"]', '7-12 = ["team"]')
    assert "one row for a result of 7" in str(fault)
    assert "2-7 and 7-12" in str(fault)


@pytest.mark.rule("picket", "7.3.A")
def test_a_damage_table_that_names_an_unknown_compartment_is_refused(tmp_path: Path) -> None:
    columns = [str(face) for face in range(1, 7)]
    rows = [
        f'{row} = ["bridge", "bridge", "cic", "cic", "radio", "{"ballroom" if row == 4 else "keel"}"]'
        for row in range(1, 11)
    ]
    fault = refused(tmp_path, "11-forward", "7.3", "1d10", columns, *rows)
    assert "tables.toml" in str(fault)
    assert "11-forward.rows.4, column 6" in str(fault)
    assert "a compartment" in str(fault)
    assert "'ballroom'" in str(fault)


@pytest.mark.rule("picket", "6.6.F", "P46")
def test_a_plane_in_a_strange_direction_is_refused(tmp_path: Path) -> None:
    rows = [f'{total} = ["{"235H" if total == 9 else "90M"}"]' for total in range(2, 13)]
    fault = refused(tmp_path, "8-1F", "6.6", "2d6", ["planes"], *rows)
    assert "8-1F.rows.9" in str(fault)
    assert "'235H'" in str(fault)


@pytest.mark.rule("picket", "6.6.G")
def test_waves_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    rows = [f'{number} = ["{number}"]' for number in range(1, 18)]
    fault = refused(tmp_path, "8-3", "6.6", "", ["waves"], *rows, '18 = ["6 6"]')
    assert "8-3.rows.18" in str(fault)
    fault = refused(tmp_path, "8-3", "6.6", "", ["waves"], *rows[:4], *rows[5:])
    assert "a row for 5" in str(fault)


@pytest.mark.rule("picket", "7.8.2.C")
def test_a_table_of_numbers_without_one_is_refused(tmp_path: Path) -> None:
    fault = refused(tmp_path, "20", "7.8", "", ["at least"], '-4 = ["12"]', '6 = ["3"]')
    assert "a row for -3" in str(fault)


@pytest.mark.rule("picket", "7.3.W", "6.6.D")
def test_random_tables_name_only_what_there_is(tmp_path: Path) -> None:
    rows = [f'{total} = ["{"kraken" if total == 2 else "dud"}"]' for total in range(2, 13)]
    assert "'kraken'" in str(refused(tmp_path, "15", "7.3", "2d6", ["result"], *rows))
    rows = [f'{total} = ["{"fokker" if total == 2 else "zero"}", "bomb"]' for total in range(2, 13)]
    assert "'fokker'" in str(refused(tmp_path, "8-2", "6.6", "2d6", ["plane", "weapon"], *rows))


@pytest.mark.rule("picket", "7.1.C", "7.3.A")
def test_each_section_has_sixty_cells_that_name_mostly_its_own() -> None:
    for section in SECTIONS:
        cells = [cell for _, _, cell in DATA.tables.damage(section).cells()]
        assert len(cells) == 60
        own = [cell for cell in cells if cell in DATA.rooms and DATA.rooms[cell].section == section]
        assert len(own) >= 16


@pytest.mark.rule("picket", "1.0")
def test_every_rule_that_the_code_cites_is_in_the_rulebook() -> None:
    root = Path(__file__).resolve().parents[3]
    package = root / "src" / "readyroom" / "games" / "picket"
    known = {rule.number for rule in GAME.rulebook.rule} | {ruling.id for ruling in GAME.rulebook.ruling}
    cited = {one.number: one.place for one in cited_by_code(package, root) if "." in one.number or one.number[0] == "P"}
    assert {number: place for number, place in cited.items() if number not in known} == {}
    assert [ruling.id for ruling in GAME.rulebook.ruling] == [f"P{number}" for number in range(1, 55)]


@pytest.mark.rule("picket", "1.0")
def test_every_rule_and_ruling_has_code_and_a_test() -> None:
    rows = coverage(GAME, Path(__file__).resolve().parents[3])
    assert [row["rule"] for row in rows if not row["code"]] == []
    assert [row["rule"] for row in rows if not row["tests"]] == []


@pytest.mark.rule("picket", "P12", "P18", "P31", "11")
def test_an_option_belongs_to_a_ruling_or_to_an_optional_rule() -> None:
    numbers = {rule.number for rule in GAME.rulebook.rule}
    assert {ruling.rule for ruling in GAME.rulebook.ruling} <= numbers
    changed = {ruling.option: ruling.id for ruling in GAME.rulebook.ruling if ruling.option}
    assert changed == {option.key: option.rule for option in GAME.options if option.rule.startswith("P")}
    assert {option.rule for option in GAME.options} - set(changed.values()) <= numbers


@pytest.mark.rule("picket", "1.0")
def test_the_glossary_explains_each_word_once_and_every_bot() -> None:
    words = [word.lower() for term in GAME.glossary.term for word in (term.word, *term.also)]
    assert len(words) == len(set(words))
    assert set(GAME.bots) <= set(words)
