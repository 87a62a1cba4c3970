"""Tests of custom figures: valid charts are accepted, invalid ones rejected."""

from __future__ import annotations

import tomllib
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest
from tests.games.picket.helpers import DATA

from readyroom.engine.data import convert, load
from readyroom.engine.errors import InvalidData
from readyroom.engine.rules.charts import row_range
from readyroom.games.picket import GAME, setup
from readyroom.games.picket.figures.check import check
from readyroom.games.picket.figures.common import SECTIONS
from readyroom.games.picket.figures.data import Data
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
    """Return the game's figures with one custom table, checked as for a match."""
    text = HEAD.format(id=id, rule=rule, dice=dice, columns=columns, rows="\n".join(rows))
    (folder / "tables.toml").write_text(text if dice else text.replace('dice = ""\n', ""), encoding="utf-8")
    data = load(Data, "readyroom.games.picket", folder)
    setup.check_opening(data, GAME.scenario("okinawa"))
    return data


@pytest.mark.rule("picket", "1.0", "P1")
def test_owner_table_replaces_default(tmp_path: Path) -> None:
    data = pack(tmp_path, "3-1", "5.1", "2d6", ["result"], '2-3 = ["none"]', '4-12 = ["team"]')
    assert data.tables.team.cell(4, "result") == "team"
    assert data.tables.surface == DATA.tables.surface


# -- every table and every error -------------------------------------------------------------------------------------

FILES = Path(str(files("readyroom.games.picket").joinpath("data")))
RAW = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8"))
    for file in FILES.glob("*.toml")
    if file.stem != "cruises"
}
NUMBERS = list(RAW["tables"])
BY_VALUE = "17", "19", "20", "8-3"
Sheet = dict[str, Any]


def fitted(file: str, key: str, value: object) -> None:
    """Check the figures with one value replaced, as a match does."""
    hint = get_type_hints(Data)[file]
    part = convert(RAW[file] | {key: value}, hint, f"{file}.toml")
    check(msgspec.structs.replace(DATA, **{file: part}))


def data_error(file: str, key: str, value: object) -> str:
    """Return the error message for a replaced value."""
    with pytest.raises(InvalidData) as error:
        fitted(file, key, value)
    return str(error.value)


def sheet(number: str, **changed: object) -> Sheet:
    """Return a changed copy of a table of the game."""
    copied: Sheet = deepcopy(RAW["tables"][number])
    return copied | changed


@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize("number", NUMBERS)
def test_every_table_is_valid(number: str) -> None:
    fitted("tables", number, sheet(number))


@pytest.mark.sample(8)
@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize("number", NUMBERS)
def test_table_missing_row_is_rejected(number: str) -> None:
    last = -2 if number in BY_VALUE else -1
    for row in list(RAW["tables"][number]["rows"])[: last % len(RAW["tables"][number]["rows"]) + 1]:
        if number == "20" and row == "-4":
            continue  # clamped to its ends
        short = sheet(number)
        del short["rows"][row]
        error = data_error("tables", number, short)
        assert "tables.toml" in error
        assert number in error
        assert "row for" in error


@pytest.mark.sample(8)
@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize("number", NUMBERS)
def test_table_duplicate_row_is_rejected(number: str) -> None:
    double = sheet(number)
    first, second = list(double["rows"])[:2]
    low = first.removeprefix("<=").partition("-")[0] if not first.startswith("-") else first
    high = second.rpartition("-")[2] if not second.startswith("-") else second
    double["rows"][f"{low}-{high}"] = double["rows"][first]
    error = data_error("tables", number, double)
    assert "tables.toml" in error
    assert number in error
    assert "a row for one number" in error if number in BY_VALUE else "one row for a result of" in error


@pytest.mark.sample(8)
@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize("number", NUMBERS)
def test_table_missing_column_is_rejected(number: str) -> None:
    for at in range(len(RAW["tables"][number]["columns"])):
        if number == "7-1" or (number == "18" and at < 3) or (number == "23" and at in (0, 8)):
            continue  # custom tables may divide the year, the hull and the crew values differently
        narrow = sheet(number)
        for cells in (narrow["columns"], *narrow["rows"].values()):
            del cells[at]
        error = data_error("tables", number, narrow)
        assert "tables.toml" in error
        assert f"{number}.columns" in error
        assert f"found {', '.join(narrow['columns']) or 'none'}." in error


@pytest.mark.sample(8)
@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize("number", NUMBERS)
def test_table_unknown_cell_is_rejected(number: str) -> None:
    for at, column in enumerate(RAW["tables"][number]["columns"]):
        strange = sheet(number)
        row = next(iter(strange["rows"]))
        strange["rows"][row][at] = "" if (number, column) == ("8-2", "weapon") else "ballroom"
        error = data_error("tables", number, strange)
        assert "tables.toml" in error
        assert f"{number}.rows.{row}, column {column}" in error


@pytest.mark.sample(8)
@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize("number", NUMBERS)
def test_table_short_row_is_rejected(number: str) -> None:
    short = sheet(number)
    row = next(iter(short["rows"]))
    short["rows"][row].pop()
    error = data_error("tables", number, short)
    assert "tables.toml" in error
    assert f"rows.{row}" in error
    assert "cells" in error


@pytest.mark.sample(8)
@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize("number", NUMBERS)
def test_table_wrong_number_is_rejected(number: str) -> None:
    assert f"{number}.id" in data_error("tables", number, sheet(number, id="99"))


@pytest.mark.sample(8)
@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize("number", [number for number in NUMBERS if number not in BY_VALUE])
def test_table_without_dice_is_rejected(number: str) -> None:
    error = data_error("tables", number, sheet(number, dice=""))
    assert f"{number}.dice" in error
    assert "dice such as 2d6" in error


@pytest.mark.rule("picket", "6.2.C", "6.6.C", "6.8.N", "7.1.B", "7.2.A", "8.1.A")
@pytest.mark.parametrize(
    ("number", "beyond"),
    [
        *(("6-1", 1), ("8-1", -3), ("8-1", 14), ("9-2", -5), ("9-2", 20), ("10", 1)),
        *(("12-1", 1), ("12-2", 1), ("12-3", 1), ("23", 1), ("23", 13)),
    ],
)
def test_table_not_covering_modifiers_is_rejected(number: str, beyond: int) -> None:
    closed = sheet(number, modified=[0, 0])
    rows = {}
    for label, cells in closed["rows"].items():
        low, high = row_range(label) or (0, 0)
        low, high = max(low, beyond + 1 if beyond < 7 else -20), min(high, beyond - 1 if beyond > 7 else 40)
        rows[f"{low}-{high}"] = cells
    closed["rows"] = rows
    assert f"one row for a result of {beyond}" in data_error("tables", number, closed)


@pytest.mark.rule("picket", "6.6.F", "6.6.G", "6.6.D", "7.3.A", "7.3.W", "P46")
@pytest.mark.parametrize(
    ("number", "row", "cells", "expected"),
    [
        ("1-1", "3", ["8"], "a station"),
        ("2-2A", "3", ["3 or 8"], "a station"),
        ("6-4", "4", ["hull-two"], "hull-2"),
        ("6-4", "4", ["mast-2"], "hull-2"),
        ("8-1F", "9", ["235H"], "bearings and heights such as 45L"),
        ("8-1F", "9", ["90M 90X"], "bearings and heights such as 45L"),
        ("8-1F", "9", [""], "bearings and heights such as 45L"),
        ("8-2", "2", ["fokker", "bomb"], "a type of plane"),
        ("8-2", "2", ["betty", "bomb"], "sets aside (ohka)"),
        ("8-2", "2", ["oscar", "bomb"], "sets aside (none is)"),
        ("8-3", "18", ["6 6"], "waves of 18 planes together"),
        ("8-3", "4", ["1 1 1 1"], "at most 3 waves"),
        ("8-3", "3", ["3 0"], "waves of 3 planes together"),
        ("22", "12", ["9 or many"], "a number"),
        ("22-1", "9", ["235"], "one of '0', '45'"),
        ("11-forward", "4", ["bridge", "bridge", "cic", "cic", "radio", "ballroom"], "a compartment"),
        ("11-forward", "4", ["bridge", "bridge", "cic", "cic", "radio", "gun-z"], "a compartment"),
        ("11-1", "10", ["near-miss"], "a compartment"),
        ("12-1", "7-8", ["near miss", "0", "flood-9"], "flood-1"),
        ("13", "2", ["admiral"], "'captain'"),
        ("15", "2", ["kraken"], "a compartment"),
        ("15", "2", ["random"], "a compartment"),
        ("23", "7", ["-1", "-1", "0", "0", "0", "0", "0", "0", "plus"], "a number such as 1 or -1"),
    ],
)
def test_table_result_without_rule_is_rejected(number: str, row: str, cells: list[str], expected: str) -> None:
    strange = sheet(number)
    strange["rows"][row] = cells
    error = data_error("tables", number, strange)
    assert "tables.toml" in error
    assert number in error
    assert expected in error


@pytest.mark.rule("picket", "6.6.G", "6.7.E")
def test_raid_larger_than_waves_is_rejected() -> None:
    assert "8-3.rows" in data_error("tables", "22", sheet("22", rows=RAW["tables"]["22"]["rows"] | {"2": ["19"]}))


@pytest.mark.rule("picket", "7.3.A")
def test_main_damage_table_requires_one_die() -> None:
    two = sheet("11-aft", dice="2d6", rows={str(row): ["rudder"] * 6 for row in range(2, 13)})
    assert "one die such as 1d10" in data_error("tables", "11-aft", two)


@pytest.mark.rule("picket", "6.5.B", "8.1.A", "9.B")
def test_owner_may_change_column_divisions() -> None:
    year = sheet("7-1", columns=["03-24 to 05-31", "06-01 to 06-30"])
    year["rows"] = {row: cells[:2] for row, cells in year["rows"].items()}
    fitted("tables", "7-1", year)
    for first in ("spring", "05-31", "03-24 to 04-30 to 05-31", "05-31 to 03-24"):
        assert "7-1.columns" in data_error("tables", "7-1", year | {"columns": [first, "06-01 to 06-30"]})
    hull = sheet("18", columns=["hull 5-10", "hull 1-4", "disabled"])
    hull["rows"] = {row: cells[1:] for row, cells in hull["rows"].items()}
    fitted("tables", "18", hull)
    assert "18.columns" in data_error("tables", "18", hull | {"columns": ["good", "bad", "disabled"]})
    for left in ([], ["disabled"]):
        bare = hull | {"columns": left, "rows": {row: ["9"] * len(left) for row in hull["rows"]}}
        assert "18.columns" in data_error("tables", "18", bare)
    crew = sheet("23", columns=["-1", "0", "1"])
    crew["rows"] = {row: cells[:3] for row, cells in crew["rows"].items()}
    fitted("tables", "23", crew)
    assert "23.columns" in data_error("tables", "23", crew | {"columns": ["-1", "1", "2"]})
    assert "23.columns" in data_error("tables", "23", crew | {"columns": ["green", "trained", "seasoned"]})
    assert "23.columns" in data_error("tables", "23", crew | {"columns": [], "rows": {key: [] for key in crew["rows"]}})


# -- every other file ------------------------------------------------------------------------------------------------


def without(*path: str | int, file: str) -> object:
    """Return the top-level entry of a path into a file, with the last step of the path removed."""
    result: Any = deepcopy(RAW[file])
    inner = result
    for step in path[:-1]:
        inner = inner[step]
    del inner[path[-1]]
    return result[path[0]]


def instead(*path: str | int, file: str, value: object) -> object:
    """Return the top-level entry of a path into a file, with the value at the end of the path replaced."""
    result: Any = deepcopy(RAW[file])
    inner = result
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return result[path[0]]


@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize(
    ("file", "path", "value", "key", "expected"),
    [
        ("ship", ("primary", "room", 0, "key"), "ballroom", "primary.room", "'bridge'"),
        ("ship", ("primary", "room", 0, "section"), "upper", "primary.room", "upper"),
        ("ship", ("primary", "room", 0, "boxes"), 5, "primary.room", "two to four"),
        ("ship", ("primary", "room", 0, "boxes"), 1, "primary.room", "two to four"),
        ("ship", ("primary", "room", 0, "key"), "cic", "primary.room", "each key once"),
        ("ship", ("secondary", "room", 0, "key"), "galley", "secondary.room", "each key once"),
        ("ship", ("secondary", "room", 11, "key"), "ballroom", "secondary.room", "'galley'"),
        ("ship", ("crew", "men"), {"forward": 14, "midship": 10}, "crew.men", "aft"),
        ("ship", ("chits", "count"), {"-1": 4, "0": 4}, "chits.count", "at least 9 chits"),
        ("ship", ("chits", "count", "high"), 4, "chits.count", "a value such as -1"),
        ("guns", ("mounts", "gun", 0, "arc"), [0, 235], "mounts.gun", "235"),
        ("guns", ("mounts", "gun", 0, "kind"), "8-inch", "mounts.gun", "8-inch"),
        ("guns", ("mounts", "gun", 0, "feeds"), ["ballroom"], "mounts.gun gun-1.feeds", "primary compartments"),
        ("guns", ("mounts", "gun", 0, "feeds"), [], "mounts.gun gun-1.feeds", "primary compartments"),
        ("guns", ("mounts", "gun", 0, "key"), "gun-2", "mounts.gun", "each key once"),
        ("guns", ("directors", "director", 0, "key"), "mk51", "directors.director", "'mk37'"),
        ("guns", ("directors", "director", 0, "serves"), ["gun-z"], "directors.director mk37.serves", "a gun"),
        ("guns", ("radars", "radar", 0, "key"), "radar-sk", "radars.radar", "'radar-sg'"),
        ("guns", ("fire", "director"), {"5-inch": 1, "20mm": 0}, "fire.director", "40mm"),
        ("guns", ("fire", "height", "20mm"), {"L": 1, "M": 0}, "fire.height.20mm", "for H"),
        ("guns", ("tilt", "bearings", "aft"), [135, 180, 235], "tilt.bearings.aft", "one of 0, 45"),
        ("guns", ("tilt", "limit", 0, "bars"), {"upward": "H"}, "tilt.limit to bow at 2", "one of forward"),
        ("guns", ("tilt", "limit", 0, "bars"), {"aft": "X"}, "tilt.limit to bow at 2", "heights such as HM"),
        ("guns", ("armaments", "june-1945", "removes"), ["gun-z"], "armaments.june-1945", "'gun-z'"),
        ("guns", ("armaments", "june-1945", "bonus"), {"gun-z": 1}, "armaments.june-1945", "'gun-z'"),
        ("planes", ("plane", 0, "special"), {"mine": 2}, "plane", "mine"),
        ("planes", ("plane", 0, "aside"), 5, "plane zero.aside", "at most 4"),
        ("planes", ("plane", 0, "key"), "oscar", "plane", "each key once"),
        ("calendar", ("stations", 0, "table"), "8", "stations since 03-24, table", "a station"),
        ("calendar", ("stations", 0, "table"), "2-9Z", "stations since 03-24, table", "a table such as 2-2A"),
        ("calendar", ("stations", 5, "since"), "03-30", "stations since 03-30", "the day after 03-28"),
        ("calendar", ("stations", 0, "since"), "32-24", "", "month"),
        ("calendar", ("stations", 0, "to"), "tomorrow", "", "a date is a month and a day"),
        ("calendar", ("kikusui", 0, "to"), "04-05", "kikusui since 04-06", "not before it"),
        ("calendar", ("kikusui", 0, "to"), "04-31", "", "day is out of range"),
        ("calendar", ("land_radar", 0, "since"), "April", "", "a date is a month and a day"),
        ("calendar", ("first",), "", "", "a date is a month and a day"),
        ("repair", ("primary", "removes"), {"1": 1}, "primary.removes", "the markers for a 2"),
        ("repair", ("primary", "penalty"), {"1": 2, "2": 4}, "primary.penalty", "3 markers"),
        ("names", ("ship",), ["Bush"], "ship", "at least two ships"),
        ("duty", ("dice", "stations"), {}, "dice.stations", "stations"),
        ("damage", ("flooding", "on"), "six", "flooding.on", "a whole number"),
        ("victory", ("scenario", "decisive", "shot"), [2], "scenario.decisive.shot", "a list"),
        ("history", ("source",), "hearsay", "source", "hearsay"),
    ],
)
def test_invalid_value_in_other_file_is_rejected(
    file: str, path: tuple[str | int, ...], value: object, key: str, expected: str
) -> None:
    error = data_error(file, str(path[0]), instead(*path, file=file, value=value))
    assert f"{file}.toml" in error
    assert key in error
    assert expected in error


PARTS = [(file, key) for file in sorted(RAW) if file != "tables" for key in RAW[file] if type(RAW[file][key]) is dict]


@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize(("file", "part"), PARTS)
def test_missing_or_unknown_figure_is_rejected(file: str, part: str) -> None:
    inner = RAW[file][part]
    if part == "armaments":
        part, inner = "armaments", inner["june-1945"]
        lacks: object = without(part, "june-1945", "title", file=file)
        strange: object = instead(part, "june-1945", "ballroom", file=file, value=1)
        lost = "title"
    else:
        lost = next(iter(inner))
        lacks, strange = without(part, lost, file=file), instead(part, "ballroom", file=file, value=1)
    for value, named in ((lacks, lost), (strange, "ballroom")):
        error = data_error(file, part, value)
        assert f"{file}.toml" in error
        assert part in error
        assert named in error


# -- custom folders --------------------------------------------------------------------------------------------------


def from_folder(folder: Path, name: str, text: str) -> str:
    """Return the error message for figures with this file."""
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(InvalidData) as error:
        setup.check_opening(load(Data, "readyroom.games.picket", folder), GAME.scenario("okinawa"))
    return str(error.value)


@pytest.mark.rule("picket", "1.0")
@pytest.mark.parametrize("name", [*sorted(f"{file}.toml" for file in RAW), "scenarios/mine.toml"])
def test_invalid_toml_or_unknown_key_is_rejected(name: str, tmp_path: Path) -> None:
    error = from_folder(tmp_path, name, "[[this is\n no TOML")
    assert name in error
    assert "valid TOML" in error
    error = from_folder(tmp_path, name, "ballroom = 7\n")
    assert name in error
    assert "ballroom" in error or name.startswith("scenarios")


@pytest.mark.rule("picket", "1.0")
def test_unknown_file_is_rejected(tmp_path: Path) -> None:
    error = from_folder(tmp_path, "tabels.toml", "")
    assert "tabels.toml" in error
    assert "tables.toml" in error


@pytest.mark.rule("picket", "12", "12.1")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('raids = [["E", "G", "none"]]', "a letter from A to F"),
        ('raids = [["E", "19", "none"]]', "1 to 18"),
        ('raids = [["E", "0", "none"]]', "1 to 18"),
        ('raids = [["E", "none"]]', "raids[0]"),
        ('last = "03-20"', "lies before"),
        ('last = "June"', "a date is a month and a day"),
        ('last = "June-06"', "a date is a month and a day"),
        ('last = "06-sixth"', "a date is a month and a day"),
        ('game = "expert"', "expert"),
        ("marginal = { hull = 9, shot = [3, 2] }", "shot = [3, 2] is no share of the planes"),
        ("decisive = { hull = 9, shot = [-1, 2] }", "at decisive.shot[0]: expected at least 0"),
        ("decisive = { hull = 9, shot = [0, 0] }", "at decisive.shot[1]: expected at least 1"),
        ("", "the raids of each day, or a last day"),
    ],
)
def test_invalid_owner_scenario_is_rejected(line: str, expected: str, tmp_path: Path) -> None:
    error = from_folder(tmp_path, "scenarios/mine.toml", f'title = "Mine"\nsummary = "."\nfirst = "03-24"\n{line}\n')
    assert "scenarios/mine.toml" in error
    assert expected in error


@pytest.mark.rule("picket", "12.1")
@pytest.mark.parametrize(("line", "key"), [('armament = "none"', "armament"), ("station = 8", "station")])
def test_scenario_unknown_armament_or_station_is_rejected(line: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    text = f'title = "Mine"\nsummary = "."\nfirst = "03-24"\nraids = [["E", "D", "none"]]\n{line}\n'
    (tmp_path / "scenarios" / "mine.toml").write_text(text, encoding="utf-8")
    data = load(Data, "readyroom.games.picket", tmp_path)
    (mine,) = (one for one in setup.scenarios(data) if one.key == "mine")
    with pytest.raises(InvalidData) as error:
        setup.check_opening(data, mine)
    assert key in str(error.value)


@pytest.mark.rule("picket", "7.1.C", "7.3.A")
def test_damage_tables_have_60_cells_per_section() -> None:
    for section in SECTIONS:
        cells = [cell for _, _, cell in DATA.tables.damage(section).cells()]
        assert len(cells) == 60
        rooms = [cell.partition(" x")[0] for cell in cells]
        own = [room for room in rooms if room in DATA.rooms and DATA.rooms[room].section == section]
        assert len(own) >= 16


@pytest.mark.rule("picket", "1.0")
def test_cited_rules_are_in_rulebook() -> None:
    root = Path(__file__).resolve().parents[3]
    package = root / "src" / "readyroom" / "games" / "picket"
    known = {rule.number for rule in GAME.rulebook.rule} | {ruling.id for ruling in GAME.rulebook.ruling}
    cited = {one.number: one.place for one in cited_by_code(package, root) if "." in one.number or one.number[0] == "P"}
    assert {number: place for number, place in cited.items() if number not in known} == {}
    assert [ruling.id for ruling in GAME.rulebook.ruling] == [f"P{number}" for number in range(1, 60)]


@pytest.mark.slow(3)
@pytest.mark.rule("picket", "1.0")
def test_every_rule_and_ruling_has_code_and_test() -> None:
    rows = coverage(GAME, Path(__file__).resolve().parents[3])
    assert [row["rule"] for row in rows if not row["code"]] == []
    assert [row["rule"] for row in rows if not row["tests"]] == []


@pytest.mark.rule("picket", "P12", "P18", "P31", "11")
def test_options_cite_ruling_or_optional_rule() -> None:
    numbers = {rule.number for rule in GAME.rulebook.rule}
    assert {ruling.rule for ruling in GAME.rulebook.ruling} <= numbers
    changed = {ruling.option: ruling.id for ruling in GAME.rulebook.ruling if ruling.option}
    assert changed == {option.key: option.rule for option in GAME.options if option.rule.startswith("P")}
    assert {option.rule for option in GAME.options} - set(changed.values()) <= numbers


@pytest.mark.rule("picket", "1.0")
def test_glossary_covers_words_once_and_all_bots() -> None:
    words = [word.lower() for term in GAME.glossary.term for word in (term.word, *term.also)]
    assert len(words) == len(set(words))
    assert set(GAME.analysis.bots) <= set(words)
