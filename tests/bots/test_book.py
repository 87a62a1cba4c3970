"""The book of policies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.bots.test_levels import mix

from readyroom import games
from readyroom.bots import book as books
from readyroom.bots.book import Book, Entry, book
from readyroom.bots.mixes import FILE, Mix
from readyroom.bots.rollouts import policies_for
from readyroom.engine.data import convert, parse
from readyroom.study import book as making


def entry(scenario: str, name: str, gain: float) -> Entry:
    return Entry(game="midway", scenario=scenario, side="usa", name=name, matches=10, gain=gain)


def test_book_entries_refer_to_existing_names() -> None:
    known = {name: book(games.load(name).package).entry for name in games.game_names()}
    assert sum(map(len, known.values())) > 20
    for game, each in ((games.load(name), each) for name, entries in known.items() for each in entries):
        assert each.game == game.key
        assert each.name in policies_for(game, each.side)
        assert each.scenario in [scenario.key for scenario in game.rules.scenarios(game.data)]
        assert -1 <= each.gain <= 1


def test_gains_fall_back_to_other_scenario() -> None:
    known = Book([entry("midway", "eager", 0.2), entry("daybreak", "eager", -0.1)])
    assert known.gains("midway", "daybreak", "usa")["eager"].gain == -0.1
    assert known.gains("midway", "mine", "usa")["eager"].gain == 0.2
    assert known.gains("midway", "midway", "japan") == {}
    assert known.gains("picket", "evans", "usa") == {}


def test_book_round_trip() -> None:
    entries = [entry("midway", "eager", 0.2), entry("daybreak", "plan of one’s own", -0.125)]
    assert convert(parse(making.written(entries).encode(), "book"), Book, "book").entry == entries


def test_policy_against_itself_has_no_gain() -> None:
    game = games.load("tora")
    trials = list(making.trials(game, 1))
    assert {(trial.scenario, trial.side) for trial in trials} == {
        (scenario, side) for scenario in ("december", "sunday") for side in ("japan", "usa")
    }
    same = next(trial for trial in trials if (trial.side, trial.name) == ("japan", "cautious"))
    assert making.measure_entry(same._replace(scenario="sunday")).gain == 0


def test_command_updates_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known = Book([Entry(game="tora", scenario="sunday", side="usa", name="ready", matches=3, gain=0.5)])
    monkeypatch.setattr(making, "book", lambda package: known)
    monkeypatch.setattr(making, "files", lambda package: tmp_path)
    monkeypatch.setattr(making, "trials", lambda game, matches: [making.Trial("midway", "midway", "usa", "eager", 1)])
    making.main(["midway", "--workers", "1"])
    written = convert(parse((tmp_path / books.FILE).read_bytes(), "book"), Book, "book")
    assert [each.game for each in written.entry] == ["tora", "midway"]
    assert "midway midway usa eager" in capsys.readouterr().out


def test_mix_is_added_to_the_package_of_its_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "files", lambda package: tmp_path)
    monkeypatch.setattr(making, "mixes", mixes_in(tmp_path))
    first, second = (replace(mix({"rock": 1.0}, scenario), game="midway") for scenario in ("midway", "daybreak"))
    again = replace(first, matches=7)
    for number, each in enumerate([first, second, again]):
        file = tmp_path / f"{number}.json"
        file.write_bytes(msgspec.json.encode(each))
        making.main(["--mix", str(file)])
    assert mixes_in(tmp_path)("") == [second, again]


def mixes_in(folder: Path) -> Any:
    """Return a function that reads the mixes of a package from a folder."""

    def read(package: str) -> list[Mix]:
        file = folder / FILE
        return msgspec.json.decode(file.read_bytes(), type=list[Mix]) if file.is_file() else []

    read.cache_clear = lambda: None  # type: ignore[attr-defined]
    return read
