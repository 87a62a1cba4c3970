"""Game data from files: overlays and error messages."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any, Literal

import msgspec
import pytest

from readyroom import games
from readyroom.engine.data import LONGEST, LONGEST_LINE, convert, load, parse_own
from readyroom.engine.errors import InvalidData
from readyroom.engine.game import Effect, GameOption
from readyroom.engine.rules.charts import Charts


class Guns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the data file."""

    dice: int
    names: list[str] = []


class Ships(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A data file with two tables."""

    akagi: Guns
    kaga: Guns


class Figures(msgspec.Struct, frozen=True):
    """A data folder with a file and a subfolder."""

    ships: Ships
    scenarios: dict[str, Guns]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    folder = tmp_path / "lib" / "figures_of_a_test"
    (folder / "data" / "scenarios").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "data" / "ships.toml").write_text("[akagi]\ndice = 16\n[kaga]\ndice = 12\nnames = ['k']\n")
    (folder / "data" / "scenarios" / "one.toml").write_text("dice = 1\n")
    (folder / "data" / "scenarios" / "notes.txt").write_text("not read")
    monkeypatch.syspath_prepend(str(tmp_path / "lib"))
    yield folder.name
    sys.modules.pop(folder.name, None)


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str, str], Path]:
    """Return a function that writes an overlay file and returns the folder."""
    folder = tmp_path / "own"

    def write(name: str, text: str) -> Path:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode("latin-1"))
        return folder

    return write


Own = Callable[[str, str], Path]


def rejection(package: str, folder: Path) -> InvalidData:
    with pytest.raises(InvalidData) as caught:
        load(Figures, package, folder)
    error = caught.value
    where = error.key or "the top"
    end = "" if error.actual.endswith("?") else "."
    assert str(error) == f"{error.file}: at {where}: expected {error.expected}, found {error.actual}{end}"
    return error


def test_load_reads_game_data(package: str) -> None:
    figures = load(Figures, package)
    assert figures.ships.akagi.dice == 16
    assert figures.ships.kaga.names == ["k"]
    assert figures.scenarios == {"one": Guns(1)}


def test_overlay_replaces_tables(package: str, own: Own) -> None:
    figures = load(Figures, package, own("ships.toml", "[akagi]\ndice = 3\n"))
    assert (figures.ships.akagi.dice, figures.ships.kaga.dice) == (3, 12)


def test_overlay_adds_or_replaces_scenario(package: str, own: Own) -> None:
    own("scenarios/one.toml", "dice = 9\n")
    figures = load(Figures, package, own("scenarios/two.toml", "dice = 2\n"))
    assert figures.scenarios == {"one": Guns(9), "two": Guns(2)}


@pytest.mark.parametrize(
    ("name", "text", "key", "expected", "result"),
    [
        ("ships.toml", "[akagi]\ndice = 'many'\n", "akagi.dice", "a whole number", "'many'"),
        ("ships.toml", "[akagi]\ndice = 3\nnames = [1]\n", "akagi.names[0]", "a text", "1"),
        ("ships.toml", "akagi = 3\n", "akagi", "a table", "3"),
        ("ships.toml", "[akagi]\nnames = []\n", "akagi", "the key `dice`", "without"),
        ("ships.toml", "[akagi]\ndice = 3\ndise = 4\n", "akagi", "one of dice, names", "`dise`; did you mean 'dice'?"),
        ("ships.toml", "[hiryu]\ndice = 3\n", "", "one of akagi, kaga", "the unknown field `hiryu`"),
        ("ships.toml", "[akagi\ndice = 3\n", "line 1", "valid TOML", "line 1"),
        ("ships.toml", "# \xff\n", "", "a TOML text in UTF-8", "utf-8"),
        ("scenarios/two.toml", "dice = 'x'\n", "dice", "a whole number", "'x'"),
        ("ship.toml", "", "", "one of ships.toml, a folder scenarios", "an unknown file"),
    ],
)
def test_invalid_data_names_file_and_key(
    package: str, own: Own, name: str, text: str, key: str, expected: str, result: str
) -> None:
    error = rejection(package, own(name, text))
    assert error.file.endswith(name)
    assert error.key == key
    assert error.expected == expected
    assert result in error.actual


def test_parse_own_limits_file_size() -> None:
    line = f"dice = 1 # {'x' * LONGEST_LINE}"[:LONGEST_LINE]
    assert parse_own(line.encode(), "own.toml") == {"dice": 1}
    with pytest.raises(InvalidData, match=r"own\.toml: at line 2: expected lines of at most 1,000 bytes, found 1,001"):
        parse_own(f"# a head\n{line}x".encode(), "own.toml")
    with pytest.raises(InvalidData, match=r"own\.toml: at the top: expected at most 200,000 bytes, found 200,001"):
        parse_own(b"\n" * (LONGEST + 1), "own.toml")


@pytest.mark.parametrize("key", ["a.b.c.d.e.f.g.h", "'a.b' . \"c.d\".e.f.g.h.i.j", '"\\".".b.c.d.e.f.g.h'])
def test_parse_own_limits_parts_of_keys(key: str) -> None:
    assert parse_own(f"text = 'One. Two. Three. Four. Five. Six. Seven. Eight. Nine.'\n{key} = 1".encode(), "own.toml")
    for line in (f"{key}.i = 1", f"[{key}.i]", f" [[ {key} . i ]]", f'\t{key}."i" = 1'):
        with pytest.raises(InvalidData, match=r"own\.toml: at line 2: expected keys of at most 8 parts, found more"):
            parse_own(f"# a head\n{line}".encode(), "own.toml")


def test_chart_error_names_file() -> None:
    chart = {"id": "hits", "title": "Hits", "rule": "1", "source": "rulebook", "origin": "page 1", "columns": ["a"]}
    tables = {"chart": [chart | {"rows": {"1-5": ["miss"]}, "dice": "1d6"}]}
    with pytest.raises(InvalidData) as caught:
        convert(tables, Charts, "charts.toml")
    assert (caught.value.file, caught.value.key) == ("charts.toml", "chart hits, rows")
    assert (caught.value.expected, caught.value.actual) == ("one row for a result of 6", "none")


class Passage(msgspec.Struct):
    """A table with a check of its own."""

    channel: str

    def __post_init__(self) -> None:
        if self.channel not in ("north", "south"):
            raise ValueError(f"channel must be north or south, not {self.channel!r}")


def test_error_in_a_dict_names_its_key() -> None:
    class Place(msgspec.Struct):
        kind: Literal["sea", "land"]
        depth: int = 0

    def message(tables: dict[str, Any], type_: Any) -> str:
        with pytest.raises(InvalidData) as error:
            convert(tables, type_, "f.toml")
        return str(error.value)

    rows = {"1": ["roll", "x"], "2.4": ["rol", "x"]}
    assert message(rows, dict[str, Effect]).startswith('f.toml: at "2.4"[0]: expected one of draw, hit, ')
    places = {"cape": {"kind": "sea"}, "hill": {"kind": "land", "depth": "deep"}}
    assert "at hill.depth: expected a whole number, found 'deep'" in message(places, dict[str, Place])
    assert "expected one of land, sea, found 'se'; did you mean 'sea'?" in message(
        {"cape": {"kind": "se"}}, dict[str, Place]
    )


def test_error_in_a_long_file_is_described_quickly() -> None:
    class Place(msgspec.Struct):
        kind: Literal["sea", "land"]

    places = {str(number): {"kind": "sea"} for number in range(4000)} | {"cape": {"kind": "enum value " * 9000 + "'"}}
    start = process_time()
    with pytest.raises(InvalidData, match=r"at cape\.kind: ") as caught:
        convert(places, dict[str, Place], "f.toml")
    assert process_time() - start < 1
    assert len(str(caught.value)) < 2 * LONGEST_LINE


def test_check_of_struct_is_reported_in_its_own_words() -> None:
    text = "channel must be north or south, not 'x'."
    with pytest.raises(InvalidData) as caught:
        convert({"channel": "x"}, Passage, "passage.toml")
    assert (str(caught.value), caught.value.problem) == (f"passage.toml: {text}", text)
    with pytest.raises(InvalidData, match=re.escape(f"passages.toml: at [0]: {text}")):
        convert([{"channel": "x"}], list[Passage], "passages.toml")  # type: ignore[arg-type]


def test_default_of_option_must_be_a_choice() -> None:
    option = {"key": "luck", "title": "Luck", "rule": "1", "choices": {"good": "", "bad": ""}, "default": "god"}
    with pytest.raises(InvalidData, match="default of the option luck is 'god', which is none of good, bad"):
        convert(option, GameOption, "options.toml")


def test_missing_overlay_folder_raises(package: str, tmp_path: Path) -> None:
    error = rejection(package, tmp_path / "nowhere")
    assert error.expected == "a folder of data files"


def test_unknown_file_among_scenarios_raises(package: str, own: Own) -> None:
    error = rejection(package, own("scenarios/two.tml", "dice = 2\n"))
    assert error.file.endswith("two.tml")


@pytest.mark.parametrize("name", games.game_names())
def test_overlay_changes_data_fingerprint(name: str, tmp_path: Path) -> None:
    game = games.load(name)
    assert game.with_data(tmp_path).data_fingerprint == game.data_fingerprint
    assert len(game.data_fingerprint) == 16
