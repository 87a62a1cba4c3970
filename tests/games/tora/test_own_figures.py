"""Tests of custom data and scenarios: unusable values are rejected, with file and position."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from msgspec.structs import replace

from readyroom.engine.errors import InvalidData
from readyroom.games.tora import GAME
from readyroom.games.tora.setup import check_opening


def laid_over(folder: Path, name: str, old: str, new: str) -> Path:
    """Return a folder with one of the game's own files, changed in one place."""
    text = files("readyroom.games.tora").joinpath("data", name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


@pytest.mark.rule("tora", "3.1", "3.2", "3.3", "5.10", "5.14")
@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        ("air.toml", "planes = 96", "planes = 95", "24 units of strength 4 are not 95 planes"),
        ("air.toml", "planes = 20\nunits = 10", "planes = 0\nunits = 0", "0 units of strength"),
        ("air.toml", "hit = 4", "hit = 7", "hit = 7 is on no die"),
        ("air.toml", "hit = 4", "hit = 0", "hit = 0 is on no die"),
        ("air.toml", '["hickam", "wheeler"]', '["hickam", "midway"]', "'midway'"),
        ("ships.toml", "[preset.table]", "[preset.tables]", "prose, table, literal"),
        ("ships.toml", "BB = 6", "BC = 6", "a strength for BB"),
        ("places.toml", "nevada = ", "nevado = ", "a berth"),
    ],
)
def test_figures_that_no_rule_could_use_are_rejected(
    tmp_path: Path, name: str, old: str, new: str, reason: str
) -> None:
    with pytest.raises(InvalidData) as refused:
        GAME.with_data(laid_over(tmp_path, name, old, new))
    assert refused.value.file.endswith(name)
    assert reason in str(refused.value)


OWN = """
title = "An own morning"
summary = "A plan of my own."
source = "reconstructed"
origin = "a test"

[usa]
in_port = { lexington = 10, enterprise = 9 }
"""


@pytest.mark.rule("tora", "5", "5.13", "7")
@pytest.mark.parametrize(
    ("more", "key", "rule"),
    [
        ("radar = ['N', '', '', '', '', '', '', '', '', '']", "usa.radar.0", "5.8"),
        ("[japan]\nday = 11\n[[japan.wave]]\nturn = 1", "japan.day", "7.1"),
    ],
)
def test_scenario_whose_plans_are_not_legal_is_rejected_by_rule(more: str, key: str, rule: str) -> None:
    assert GAME.own_scenario(OWN.encode(), "mine.toml").title == "An own morning"
    with pytest.raises(InvalidData) as refused:
        GAME.own_scenario(f"{OWN}{more}\n".encode(), "mine.toml")
    assert (refused.value.file, refused.value.key) == ("mine.toml", key)
    assert f"[{rule}]" in refused.value.actual


@pytest.mark.rule("tora", "7.1")
def test_scenario_of_data_folder_is_rejected_by_place_there() -> None:
    sunday = GAME.scenario("sunday")
    wrong = replace(sunday.content, japan=replace(sunday.content.japan, day=11))
    with pytest.raises(InvalidData) as refused:
        check_opening(GAME.data, replace(sunday, content=wrong, file=""))
    assert refused.value.file == "scenarios/sunday.toml"
