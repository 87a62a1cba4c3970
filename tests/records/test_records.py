"""Whole games: each is named in the manifest, holds as a record, and shows what the manifest says of it."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import zip_longest

import pytest
from tests.records import shows, write

from readyroom import games
from readyroom.engine.errors import InvalidRecord
from readyroom.engine.record.format import parse
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.games.midway import GAME

RECIPES = write.recipes()
REWRITE = (
    "if a rule or the state changed on purpose, raise the game's version and keep the old one in `previous`; then, or "
    f"if only a bot changed, write all records again: {write.COMMAND}"
)


def text(name: str) -> str:
    """What stands in a record's file, byte for byte."""
    try:
        return (write.RECORDS / RECIPES[name].file).read_bytes().decode()
    except FileNotFoundError:
        pytest.fail(f"{name} is not there; write it: {write.COMMAND}", pytrace=False)


@lru_cache
def load_story(name: str) -> shows.Story:
    """A record, proved."""
    try:
        return shows.Story(text(name))
    except InvalidRecord as error:
        fault = str(error)
    pytest.fail(f"{name}: {fault}\n{REWRITE}", pytrace=False)


def test_manifest_lists_exactly_the_records() -> None:
    there = {path.name for path in write.RECORDS.glob("*.jsonl")}
    named = {recipe.file for recipe in RECIPES.values()}
    assert there == named, f"write what is missing with {write.COMMAND}, and delete what is not named"
    assert set(shows.ALL) == set(RECIPES)


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_record_verifies(name: str) -> None:
    assert load_story(name).match.outcome is not None
    assert load_story(name).parsed.ending is not None


@pytest.mark.parametrize("name", RECIPES)
def test_record_shows_its_description(name: str) -> None:
    fresh = f"{write.COMMAND} --find {name}"
    assert shows.ALL[name](load_story(name)), f"it shows no more: {RECIPES[name].shows} Look for another seed: {fresh}"


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_replay_writes_same_bytes(name: str) -> None:
    written, match = text(name).splitlines(), write.play(RECIPES[name])
    header = parse(text(name)).header
    if header.game in match.game.formerly:  # the record of an earlier version keeps its header
        match.continue_record(header)
    fresh = match.record_lines()
    other = next((at for at, (old, new) in enumerate(zip_longest(written, fresh), start=1) if old != new), None)
    if other is not None:
        pytest.fail(f"{name}: line {other} is written otherwise now.\n{REWRITE}", pytrace=False)


def test_each_record_shows_what_some_others_do_not() -> None:
    for name, function in shows.ALL.items():
        others = [other for other in RECIPES if other != name and RECIPES[other].game == RECIPES[name].game]
        assert not all(function(load_story(other)) for other in others), name


@pytest.mark.parametrize("name", games.game_names())
def test_every_scenario_is_played_in_some_record(name: str) -> None:
    game = games.load(name)
    played = {recipe.scenario for recipe in RECIPES.values() if recipe.game == name}
    assert {scenario.key for scenario in game.rules.scenarios(game.data)} <= played


def test_every_option_is_changed_in_some_record() -> None:
    default, played = GAME.resolve({}), [recipe for recipe in RECIPES.values() if recipe.game == GAME.key]
    changed = {key for recipe in played for key, choice in recipe.options.items() if choice != default[key]}
    assert changed == set(default)


WAYS = [Option("hold", "hold"), Option("launch-now", "now"), Option("launch-later", "later")]


def test_steered_player_answers_by_recipe() -> None:
    one, some = (
        partial(Decision, DecisionKind.ONE, "usa", "1", "?", WAYS),
        partial(Decision, DecisionKind.SOME, "usa", "1", "?"),
    )
    assert write.wished(one(1, 1), ["launch-*", "hold"]) == ["launch-now"]
    assert write.wished(one(1, 1), ["turn-back", "hold"]) == ["hold"]
    assert write.wished(some(WAYS, 0, 3), ["launch-*"]) == ["launch-now", "launch-later"]
    assert write.wished(some(WAYS, 0, 3), []) == []


def test_where_nothing_that_is_wished_is_offered_the_bot_answers() -> None:
    one, some = (
        partial(Decision, DecisionKind.ONE, "usa", "1", "?", WAYS),
        partial(Decision, DecisionKind.SOME, "usa", "1", "?"),
    )
    assert write.wished(one(1, 1), ["turn-back"]) is None
    assert write.wished(one(1, 1), []) is None
    assert write.wished(some(WAYS, 2, 3), ["hold"]) is None
    assert write.wished(some(WAYS, 0, 3), ["turn-back"]) is None


def test_search_finds_seed() -> None:
    seed, lines = write.find("a-duel-from-a-file-of-ones-own", tries=2)
    assert seed in {"a duel from a file of ones own 1", "a duel from a file of ones own 2"}
    assert lines > 2


def test_where_no_seed_is_found_it_is_said_what_was_looked_for() -> None:
    with pytest.raises(LookupError, match="carrier"):
        write.find("japan-sinks-all-three", tries=0)
