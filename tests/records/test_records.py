"""Golden records: they verify, match their description in `manifest.toml` and are reproducible."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import zip_longest
from pathlib import Path

import pytest
from tests.records import checks, write

from readyroom import games
from readyroom.engine.errors import InvalidRecord
from readyroom.engine.record.format import parse
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.games.midway import GAME

RECIPES = write.recipes()
REWRITE = (
    "If a rule or the state changed on purpose, raise the game's version and keep the old one in `previous`. Then, or "
    f"if only a bot changed, write the records again: {write.COMMAND}. Records of an earlier version are left as they "
    f"are. If one no longer verifies, neither do players' matches of that version; give `previous` the options that "
    f"restore its rules. If it is to be given up, write it as the current version: {write.COMMAND} NAME"
)


def read_record(name: str) -> str:
    try:
        return (write.RECORDS / RECIPES[name].file).read_bytes().decode()
    except FileNotFoundError:
        pytest.fail(f"{name} is missing; write it: {write.COMMAND}", pytrace=False)


@lru_cache
def replay_record(name: str) -> checks.ReplayedRecord:
    try:
        return checks.ReplayedRecord(read_record(name))
    except InvalidRecord as error:
        pytest.fail(f"{name}: {error}\n{REWRITE}", pytrace=False)


def test_manifest_lists_exactly_the_records() -> None:
    files = {path.name for path in write.RECORDS.glob("*.jsonl")}
    listed = {recipe.file for recipe in RECIPES.values()}
    assert files == listed, f"write missing records with {write.COMMAND} and delete unlisted ones"
    assert set(checks.CHECKS) == set(RECIPES)


@pytest.mark.sample(40)
@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_record_verifies(name: str) -> None:
    assert replay_record(name).match.outcome is not None
    assert replay_record(name).parsed.ending is not None


@pytest.mark.sample(30)
@pytest.mark.parametrize("name", RECIPES)
def test_record_matches_its_description(name: str) -> None:
    command = f"{write.COMMAND} --find {name}"
    replay = replay_record(name)
    assert checks.CHECKS[name](replay), f"no longer true: {RECIPES[name].description} Find another seed: {command}"


@pytest.mark.sample(14)
@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_replay_writes_same_bytes(name: str) -> None:
    expected = read_record(name).splitlines()
    match = write.play(RECIPES[name], write.earlier_header(RECIPES[name]))
    pairs = enumerate(zip_longest(expected, match.record_lines()), start=1)
    differing = next((number for number, (old, new) in pairs if old != new), None)
    if differing is not None:
        pytest.fail(f"{name}: line {differing} differs.\n{REWRITE}", pytrace=False)


def test_each_description_is_false_for_another_record() -> None:
    for name, check in checks.CHECKS.items():
        others = [other for other in RECIPES if other != name and RECIPES[other].game == RECIPES[name].game]
        assert not all(check(replay_record(other)) for other in others), name


@pytest.mark.parametrize("name", games.game_names())
def test_current_version_wrote_a_record(name: str) -> None:
    game = games.load(name)
    headers = [parse(read_record(key)).header for key, recipe in RECIPES.items() if recipe.game == name]
    assert (name, game.version) in {(header.game, header.version) for header in headers}, (
        f"version {game.version} of {name} has no record; write one: {write.COMMAND} NAME"
    )


def test_write_leaves_records_of_earlier_versions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name, old = "left-unseen", read_record("left-unseen")
    path = tmp_path / f"{name}.jsonl"
    path.write_text(old)
    monkeypatch.setattr(write, "RECORDS", tmp_path)
    monkeypatch.setattr(write, "recipes", lambda: {name: RECIPES[name]})
    assert list(write.write()) == []
    assert path.read_text() == old
    assert list(write.write([name])) == [path]
    assert parse(path.read_text()).header.game == "pearl"
    assert list(write.write()) == [path]


@pytest.mark.parametrize("name", games.game_names())
def test_every_scenario_is_played_in_some_record(name: str) -> None:
    game = games.load(name)
    played = {recipe.scenario for recipe in RECIPES.values() if recipe.game == name}
    assert {scenario.key for scenario in game.rules.scenarios(game.data)} <= played


def test_every_option_is_changed_in_some_record() -> None:
    default = GAME.resolve({})
    played = [replay_record(name).match.options for name, recipe in RECIPES.items() if recipe.game == GAME.key]
    changed = {key for options in played for key, choice in options.items() if choice != default[key]}
    assert changed == set(default)


OPTIONS = [Option("hold", "hold"), Option("launch-now", "now"), Option("launch-later", "later")]


def test_match_patterns_returns_matching_keys() -> None:
    one, some = (
        partial(Decision, DecisionKind.ONE, "usa", "1", "?", OPTIONS),
        partial(Decision, DecisionKind.SOME, "usa", "1", "?"),
    )
    assert write.match_patterns(one(1, 1), ["launch-*", "hold"]) == ["launch-now"]
    assert write.match_patterns(one(1, 1), ["turn-back", "hold"]) == ["hold"]
    assert write.match_patterns(some(OPTIONS, 0, 3), ["launch-*"]) == ["launch-now", "launch-later"]
    assert write.match_patterns(some(OPTIONS, 0, 3), []) == []


def test_match_patterns_returns_none_if_too_few_match() -> None:
    one, some = (
        partial(Decision, DecisionKind.ONE, "usa", "1", "?", OPTIONS),
        partial(Decision, DecisionKind.SOME, "usa", "1", "?"),
    )
    assert write.match_patterns(one(1, 1), ["turn-back"]) is None
    assert write.match_patterns(one(1, 1), []) is None
    assert write.match_patterns(some(OPTIONS, 2, 3), ["hold"]) is None
    assert write.match_patterns(some(OPTIONS, 0, 3), ["turn-back"]) is None


def test_find_returns_seed() -> None:
    seed, lines = write.find("a-duel-from-a-file-of-ones-own", tries=2)
    assert seed in {"a duel from a file of ones own 1", "a duel from a file of ones own 2"}
    assert lines > 2


def test_find_without_seed_names_description() -> None:
    with pytest.raises(LookupError, match="carrier"):
        write.find("japan-sinks-all-three", tries=0)
