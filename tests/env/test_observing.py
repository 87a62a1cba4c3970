"""Observation vectors and action numbers."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import blake2b
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.views import view_of

from readyroom import Match, games
from readyroom.bots.features import signed_log
from readyroom.engine.game import MatchView
from readyroom.engine.rules.decisions import Decision, DecisionKind, Option
from readyroom.env import observing
from readyroom.env.match_env import EnvConfig, EnvMatch, env_config
from readyroom.env.numbering import TooManyOptions, numbered, preferred_slot
from readyroom.env.observing import DecisionInProgress
from readyroom.testing.playouts import play_on

LETTERS = "abcdefgh-0123456789"
WORDS = st.text("abc/=#-", max_size=5)
SHOWN = """
from hashlib import blake2b
from random import Random
from readyroom.env.match_env import EnvMatch, env_config
sitting, random = EnvMatch(env_config("midway", None, None, None), "elsewhere"), Random(3)
digest = blake2b()
for _ in range(60):
    seat = sitting.deciding[0]
    digest.update(sitting.observation(seat).tobytes() + sitting.mask(seat).tobytes())
    sitting.step(seat, random.choice(sitting.legal(seat)))
print(digest.hexdigest())
"""


def in_progress(*keys: str, taken: tuple[int, ...] = ()) -> DecisionInProgress:
    options = [Option(key, key) for key in keys]
    progress = DecisionInProgress(Decision(DecisionKind.SOME, "usa", "7", "Which?", options, 0, len(keys)), 64)
    for step in taken:
        progress.partial.step(step)
    return progress


# -- views -------------------------------------------------------------------------------------------------------------


def _encoded(table: Any, size: int) -> observing.Vector:
    """Return the vector of a view of this table."""
    return observing.encode_view(MatchView("", "", None, 0, "", None, table, {}), size)


def test_vector_ignores_list_order() -> None:
    one, same, other = ({"box": box} for box in (["akagi", "kaga"], ["kaga", "akagi"], ["akagi", "soryu"]))
    assert np.array_equal(_encoded(one, 256), _encoded(same, 256))
    assert not np.array_equal(_encoded(one, 256), _encoded(other, 256))


def test_records_are_distinguished_by_key() -> None:
    ships = [{"key": "akagi", "hits": 1}, {"key": "kaga", "hits": 2}]
    turned = [ships[1], ships[0]]
    swapped = [{"key": "akagi", "hits": 2}, {"key": "kaga", "hits": 1}]
    assert np.array_equal(_encoded({"ships": ships}, 256), _encoded({"ships": turned}, 256))
    assert not np.array_equal(_encoded({"ships": ships}, 256), _encoded({"ships": swapped}, 256))


def _trees(nodes: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(nodes) | st.dictionaries(WORDS, nodes) | st.lists(st.fixed_dictionaries({"key": WORDS, "n": nodes}))


@settings(max_examples=50, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | WORDS, _trees, max_leaves=8))
def test_any_plain_data_gives_bounded_vector(node: object) -> None:
    vector = _encoded({"node": node}, 32)
    assert vector.shape == (32,)
    assert vector.dtype == np.float32
    assert np.abs(vector).max() <= observing.REACH


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", games.game_names())
def test_changes_of_views_give_same_vector_as_whole_views(name: str) -> None:
    """An encoder that has seen other views returns what a new one does: no view shares data with the state."""
    match, random = Match(games.load(name), seed="step by step", log=False), Random(2)
    encoders = {seat.key: observing.ViewEncoder(1024) for seat in match.seats}
    for at, _ in enumerate(play_on(match, random, upto=400)):
        for seat, encoder in encoders.items():
            view = match.view(seat)
            vector = encoder.encode(view)
            if at % 5 == 0:
                features = list[observing.Feature]()
                observing.flatten(msgspec.to_builtins(view), "", features)
                assert np.array_equal(vector, observing.hash_features(features, 1024))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.recursive(st.none() | st.booleans() | st.integers(2, 99) | WORDS, _trees, max_leaves=8), max_size=4))
def test_vector_does_not_depend_on_views_before(nodes: list[object]) -> None:
    """No field of a view is now a bool and then an equal number."""
    encoder = observing.ViewEncoder(32)
    for node in nodes:
        view = MatchView("", "", None, 0, "", None, {"node": node}, {})
        assert np.array_equal(encoder.encode(view), observing.encode_view(view, 32))


def test_vectors_are_equal_across_processes() -> None:
    texts = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", SHOWN], env=environment, capture_output=True, text=True, check=True
        )
        texts.add(done.stdout.strip())
    env_match, random, here = EnvMatch(env_config("midway", None, None, None), "elsewhere"), Random(3), blake2b()
    for _ in range(60):
        seat = env_match.deciding[0]
        here.update(env_match.observation(seat).tobytes() + env_match.mask(seat).tobytes())
        env_match.step(seat, random.choice(env_match.legal(seat)))
    assert texts == {here.hexdigest()}


# -- decisions ---------------------------------------------------------------------------------------------------------


def test_decision_vector_includes_taken_options() -> None:
    fresh, later = (
        observing.encode_decision(in_progress("a", "b", "c")),
        observing.encode_decision(in_progress("a", "b", "c", taken=(1,))),
    )
    measured = dict(zip(observing.MEASURES, later, strict=False))
    assert measured["choose some"] == measured["may end"] == 1
    assert measured["taken"] == np.float32(signed_log(1))
    assert measured["options"] == np.float32(signed_log(3))
    assert not np.array_equal(fresh, later)
    assert not observing.encode_decision(None).any()


def test_idle_seat_has_no_action_features() -> None:
    rows = observing.action_features(None, 64, 32)
    assert rows.shape == (65, 32)
    assert not rows.any()


def test_action_features_describe_option() -> None:
    rows = observing.action_features(in_progress("a", "b", taken=()), 64, 32)
    data = {
        number: dict(zip(observing.ROW, rows[number], strict=False))
        for number in (0, preferred_slot("a", 64), preferred_slot("b", 64))
    }
    assert data[0]["done"] == 1
    assert data[preferred_slot("a", 64)]["available now"] == 1
    assert np.flatnonzero(rows.any(axis=1)).tolist() == sorted(data)


# -- action numbers ----------------------------------------------------------------------------------------------------


@given(st.sets(st.text(LETTERS, min_size=1), max_size=20))
def test_options_have_distinct_numbers(keys: set[str]) -> None:
    numbers = numbered(tuple(sorted(keys)), 20)
    assert len(set(numbers)) == len(keys)
    assert all(1 <= number <= 20 for number in numbers)


@given(st.lists(st.text(LETTERS, min_size=1), unique=True, max_size=20), st.randoms(use_true_random=False))
def test_number_does_not_depend_on_position(keys: list[str], random: Random) -> None:
    data = dict(zip(keys, numbered(tuple(keys), 20), strict=True))
    random.shuffle(keys)
    assert dict(zip(keys, numbered(tuple(keys), 20), strict=True)) == data


def test_number_is_stable_without_collision() -> None:
    assert numbered(("hiryu-db-2",), 512) == (preferred_slot("hiryu-db-2", 512),)
    shared = next(f"x{n}" for n in range(1000) if preferred_slot(f"x{n}", 8) == preferred_slot("a", 8))
    assert numbered((shared, "a"), 8)[1] == preferred_slot("a", 8)


def test_too_many_options_raise() -> None:
    with pytest.raises(TooManyOptions, match=r"3 options.*allows 2\. Create it with slots=3"):
        numbered(("a", "b", "c"), 2)


# -- hidden information ------------------------------------------------------------------------------------------------


def boundaries(config: EnvConfig, seed: str) -> list[bytes]:
    """Return some states at phase boundaries of a random match."""
    match = Match(config.game, config.scenario, config.options, seed, log=False)
    results = {match.resume_point().checkpoint.state: None}
    for _ in play_on(match, Random(seed)):
        results[match.resume_point().checkpoint.state] = None
    return list(results)[:: max(1, len(results) // 12)]


@pytest.mark.parametrize(("game", "scenario"), [("midway", "midway"), ("tora", "sunday"), ("war", "strategic-war")])
def test_observation_hides_unknown_information(game: str, scenario: str) -> None:
    config, random = env_config(game, scenario, None, None, action_size=24), Random(4)
    differing, questions = 0, 0
    for state in boundaries(config, "plans"):
        for seat in config.learners:
            made_up = config.game.rules.resample(config.game.decode(state), config.game.data, seat, random)
            other = config.game.encode(made_up)
            differing += other != state
            text = f"{seat} can distinguish the states"
            assert np.array_equal(observed(config, state, seat), observed(config, other, seat)), text
            one, two = (EnvMatch(config, "secrets", start=start) for start in (state, other))
            if seat in one.deciding and one.match.view(seat) == two.match.view(seat):
                questions += 1
                assert np.array_equal(one.observation(seat), two.observation(seat)), text
                assert np.array_equal(one.mask(seat), two.mask(seat)), text
                assert np.array_equal(one.rows(seat), two.rows(seat)), text
    assert differing
    assert questions


def observed(config: EnvConfig, state: bytes, seat: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return a seat's observation of a state without a pending decision."""
    return observing.encode_view(view_of(config.game, config.game.decode(state), seat), config.obs_size)
