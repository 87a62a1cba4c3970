"""Tests of the commands for odds, charts, rules, games and studies."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from tests.cli.helpers import Shell
from tests.installed import install

from readyroom import __version__, games

GAME = games.load("midway")


def test_version_and_help(shell: Shell) -> None:
    assert shell.run("--version").out == f"readyroom {__version__}\n"
    for texts in ((), ("--help",)):
        result = shell.run(*texts)
        assert result.code == 0
        assert all(verb in result.out for verb in ("play", "simulate", "replay", "verify", "odds", "chart", "rules"))


@pytest.mark.parametrize("verb", ["play", "simulate", "replay", "verify", "report", "odds", "chart", "rules", "games"])
def test_every_verb_has_help(shell: Shell, verb: str) -> None:
    result = shell.run(verb, "--help")
    assert result.code == 0
    assert max(map(len, result.out.splitlines())) <= 80
    assert "[[" not in result.out


def test_help_lists_commands_with_sentences(shell: Shell) -> None:
    verbs = shell.run("--help").out.partition("Commands:\n")[2].splitlines()
    assert len(verbs) == 26
    assert [line for line in verbs if not line.endswith(".") or line.endswith("..")] == []


def test_odds_are_exact(shell: Shell) -> None:
    data = json.loads(shell.run("odds", "midway", "dogfight", "dice=2", "--json").out)
    assert [Fraction(row["exact"]) for row in data["rows"]] == [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    assert data["mean"] == 1.0
    text = shell.run("odds", "midway", "dogfight", "dice=2").out
    assert "50 %" in text
    assert "1/4" in text


def test_dice_chart_has_odds(shell: Shell) -> None:
    data = json.loads(shell.run("odds", "midway", "search", "--json").out)
    assert {row["what"]: row["exact"] for row in data["rows"]} == {
        "1": "1/6", "2": "1/6", "3": "1/6", "4": "1/6", "again": "1/3"
    }  # fmt: skip
    listed = json.loads(shell.run("odds", "midway", "--json").out)
    assert {"strike", "dogfight"} <= {question["name"] for question in listed["questions"]}
    assert "odds search" in shell.run("odds", "midway").out


def test_charts_tell_their_source(shell: Shell) -> None:
    text = shell.run("chart", "midway", "ship-data").out
    assert "Yorktown" in text
    assert "Source: rulebook" in text
    data = json.loads(shell.run("chart", "midway", "--all", "--json").out)
    assert [chart["id"] for chart in data["charts"]] == [chart.id for chart in GAME.presentation.charts(GAME.data)]
    ships = next(chart for chart in data["charts"] if chart["id"] == "ship-data")
    assert ships["cells"]["Enterprise,fighters"] == "5"
    assert {"id", "title", "rule", "source", "rows", "columns", "cells"} <= ships.keys()
    for texts in (("chart", "midway"), ("chart", "midway", "--all")):
        assert max(map(len, shell.run(*texts).out.splitlines())) <= 80


def test_rules_in_our_words(shell: Shell) -> None:
    text = shell.run("rules", "midway", "12").out
    assert "12.4" in text
    assert max(map(len, text.splitlines())) <= 80
    data = json.loads(shell.run("rules", "midway", "12", "--json").out)
    assert data["rules"][0]["rule"] == "12"
    assert len(shell.run("rules", "midway").out) > len(text)


def test_rules_search_finds_words(shell: Shell) -> None:
    assert "12.5 Torpedo bombers" in shell.run("rules", "midway", "torpedo").out
    data = json.loads(shell.run("rules", "midway", "TORPEDO", "--json").out)
    assert "12.5" in [rule["rule"] for rule in data["rules"]]
    for texts in (("zeppelin",), ("torpedo", "--code"), ("torpedo", "--coverage")):
        assert "Its chapters are 1 to 18." in shell.run("rules", "midway", *texts).err
    assert "19, ST and SW" in shell.run("rules", "war", "zeppelin").err


def test_games_names_seats(shell: Shell) -> None:
    assert "Seats: japan, usa" in shell.run("games", "midway").out
    assert "Seats: captain (side usa)" in shell.run("games", "picket").out
    assert "Seats of staff: staff" in shell.run("games", "war").out
    refusal = shell.run("simulate", "picket", "--bot", "japan=random").err
    assert "No seat named 'japan'. Seats: captain; sides: usa." in refusal


def test_rules_code_names_functions(shell: Shell) -> None:
    place, _, rest = shell.run("rules", "midway", "12", "--code").out.splitlines()[0].partition("  ")
    file, _, line = place.rpartition(":")
    assert Path(file).read_text().splitlines()[int(line) - 1].startswith(f"def {rest.partition(':')[0]}(")
    data = json.loads(shell.run("rules", "midway", "12", "--code", "--json").out)
    assert data["rule"] == "12"
    assert data["code"][0]["place"] == place
    assert "need" in shell.run("rules", "midway", "--code").err
    assert "fight_deck_fires" in shell.run("rules", "picket", "7.8.1.D", "--code").out


def test_coverage_of_one_section(shell: Shell) -> None:
    rows = json.loads(shell.run("rules", "midway", "12", "--coverage", "--json").out)["rules"]
    assert {"12", "12.4"} < {row["rule"] for row in rows}
    assert "18" not in {row["rule"] for row in rows}


@pytest.mark.slow
def test_coverage_names_code_and_tests(shell: Shell) -> None:
    result = shell.run("rules", "midway", "--coverage", "--json")
    rows = json.loads(result.out)["rules"]
    assert {"rule", "title", "code", "tests"} <= rows[0].keys()
    assert [row["rule"] for row in rows if not (row["code"] and row["tests"])] == []
    assert result.code == 0


def test_games_shows_one_game(shell: Shell) -> None:
    text = shell.run("games", "picket").out
    assert "Picket Duty" in text
    assert "Pearl Harbor" not in text
    assert [game["key"] for game in json.loads(shell.run("games", "tora", "--json").out)["games"]] == ["tora"]


def test_broken_game_is_reported_and_others_listed(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hasty.py").write_text("from readyroom import games\n\nGAME = gaems.GAME\n")
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "hasty"\nversion = "1"\n[project.entry-points."readyroom.games"]\nhasty = "hasty:GAME"\n'
    )
    for folder in install(tmp_path, tmp_path):
        monkeypatch.syspath_prepend(str(folder))
    result = shell.run("games")
    assert "Picket Duty" in result.out
    assert re.search(r"Cannot load the game hasty: NameError: .*'gaems'.* line 3\.", result.err.replace("\n", " "))
    refused = shell.run("play", "hasty")
    assert (refused.code, "line 3" in refused.err) == (2, True)
    assert "patrols" in shell.run("study").out


@pytest.mark.parametrize(
    ("entry", "value", "sentence"),
    [
        ("watch", "hasty:GAM", r"has no attribute 'GAM', in the entry point watch = \"hasty:GAM\" of hasty\."),
        ("watcher", "hasty:GAME", "key is 'midway', and its entry point must have the same name, in the entry point"),
        ("watch", "hastily:GAME", "No module named 'hastily', in the entry point"),
    ],
)
def test_wrong_entry_point_is_named(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str, value: str, sentence: str
) -> None:
    (tmp_path / "hasty.py").write_text("from readyroom.games.midway import GAME\n")
    (tmp_path / "pyproject.toml").write_text(
        f'[project]\nname = "hasty"\nversion = "1"\n[project.entry-points."readyroom.games"]\n{entry} = "{value}"\n'
    )
    for folder in install(tmp_path, tmp_path):
        monkeypatch.syspath_prepend(str(folder))
    assert re.search(sentence, " ".join(shell.run("games", entry).err.split()))


def test_games_are_listed(shell: Shell) -> None:
    text = shell.run("games").out
    assert "midway: A Terrible Resolve" in text
    data = json.loads(shell.run("games", "--json").out)["games"]
    midway = next(game for game in data if game["key"] == "midway")
    assert "doctrine" in midway["bots"]
    assert midway["scenarios"][0]["key"] == "midway"
    assert midway["credits"]["designer"] == "Matt Fritz"
    assert midway["sources"].keys() == {"rulebook", "reconstructed"}
    assert "Battle of Midway; Matt Fritz." in " ".join(text.split())


def test_simulate_is_repeatable(shell: Shell) -> None:
    args = ("simulate", "midway", "--games", "4", "--bot", "japan=random", "--seed", "s", "--option", "turn_limit=8")
    result = shell.run(*args)
    assert result.code == 0
    assert "Seed: s" in result.out
    one, two = (json.loads(shell.run(*args, "--json").out) for _ in range(2))
    assert one["games"] == 4
    assert sum(one["winners"].values()) == 4
    assert one["winners"] == two["winners"]
    assert one["outcomes"] == two["outcomes"]
