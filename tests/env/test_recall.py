"""Perfect recall: a seat's memory separates exactly the histories that the seat can distinguish."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import ismcts, mcts

from readyroom import env, games
from readyroom.env.match_env import EnvMatch, env_config
from readyroom.env.recall import BITS, Recall
from readyroom.testing.findings import Case, CheckReport
from readyroom.testing.interference import Observer, Policy, outsiders, pairs
from readyroom.testing.playouts import AnyMatch

GAMES = sorted(games.game_names(), key=lambda name: (name != "midway", name == "war", name))
"""All games, Midway first."""
ONWARD = 25
"""The number of decisions played on after two different answers."""


class Follower:
    """A viewer of a match: its memory, and everything that it observes by the conformance kit's means."""

    def __init__(self, match: AnyMatch, viewer: str) -> None:
        self.match, self.recall, self.observer = match, Recall(viewer), Observer(match, viewer)
        self.memories = list[bytes]()
        self.observed = list[tuple[Any, ...]]()

    def look(self) -> None:
        self.recall.look(self.match, self.match.view(self.recall.seat))
        self.observer.look()
        self.memories.append(self.recall.digest())
        self.observed.append(tuple((epoch.shown, tuple(epoch.signs)) for epoch in self.observer.epochs))


def follow(match: AnyMatch, seat: str, keys: Sequence[str], viewers: list[str]) -> list[Follower]:
    """Answer, and play on; return a follower of each viewer."""
    match.observe({})
    followers, policy = [Follower(match, viewer) for viewer in viewers], Policy("onward")
    for _ in range(ONWARD):
        for follower in followers:
            follower.look()
            if follower.recall.seat == seat and match.outcome is None:
                follower.recall.answer(match.pending[seat], keys)
        if match.outcome is not None:
            break
        match.decide(seat, keys)
        if match.outcome is None:
            seat, keys = policy.next(match)
    return followers


def first_difference(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the first index at which two sequences differ."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


@pytest.mark.sample(2)
@pytest.mark.slow(2)
@pytest.mark.parametrize("name", GAMES)
def test_memories_differ_exactly_if_seat_can_distinguish_matches(name: str) -> None:
    """The memory differs no earlier than anything observed, and no later than the view or the log."""
    game = games.load(name)
    case = Case(game, game.first_scenario.key, game.resolve({}), "recall", CheckReport(name))
    same = different = 0
    for pair in pairs(case, Random(case.seed), splits=6, cap=200):
        watching = [viewer for viewer in outsiders(pair.matches[0], pair.seat) if viewer is not None]
        one, other = (
            follow(match, pair.seat, keys, [pair.seat, *watching])
            for match, keys in zip(pair.matches, pair.answers, strict=True)
        )
        assert first_difference(one[0].memories, other[0].memories) == 1, "its own answer differs"
        for mine, yours in zip(one[1:], other[1:], strict=True):
            shown, others = ([[known for known, _ in seen] for seen in each.observed] for each in (mine, yours))
            at = first_difference(mine.memories, yours.memories)
            assert first_difference(mine.observed, yours.observed) <= at <= first_difference(shown, others)
            same, different = same + (at > 1), different + (at < min(len(mine.memories), len(yours.memories)))
    if len({seat.side for seat in game.rules.seats(game.first_scenario, game.resolve({}))}) > 1:
        assert same
        assert different


def play(env_match: EnvMatch, random: Random, actions: int) -> None:
    for _ in range(actions):
        if env_match.deciding:
            seat = env_match.deciding[0]
            env_match.step(seat, random.choice(env_match.legal(seat)))


def test_copy_has_same_memory_and_then_its_own() -> None:
    env_match = EnvMatch(env_config("midway", None, None, None, recall=128), "copies", copied=True)
    play(env_match, Random(1), 60)
    copy = env_match.copy()
    assert copy.information("usa") == env_match.information("usa")
    assert np.array_equal(copy.memory("usa"), env_match.memory("usa"))
    play(env_match, Random(2), 40)
    assert copy.information("usa") != env_match.information("usa")
    assert not np.array_equal(copy.memory("usa"), env_match.memory("usa"))
    play(copy, Random(2), 40)
    assert copy.information("usa") == env_match.information("usa")


def test_imagined_match_leaves_seat_its_memory() -> None:
    env_match = EnvMatch(env_config("midway", None, None, None, recall=128), "imagined", copied=True)
    play(env_match, Random(1), 60)
    seat = env_match.deciding[0]
    other = env_match.imagined(seat, Random(3))
    assert other.information(seat) == env_match.information(seat)
    enemy = "usa" if seat == "japan" else "japan"
    assert len(other.information(enemy).splitlines()) == 2, "what it sees, and now"


def test_seat_remembers_its_answers_and_its_log() -> None:
    env_match = EnvMatch(env_config("midway", "duel", None, None, recall=128), "remembers")
    play(env_match, Random(1), 30)
    text = env_match.information("usa")
    assert '"answer":' in text
    assert '"log":' in text
    assert text.count('"answer"') < env_match.match.decision_count, "the enemy's answers are not among them"


def test_memory_is_part_of_observations() -> None:
    face = env.gymnasium("midway", scenario="duel", recall=96)
    seen, _ = face.reset(seed=1)
    assert seen["memory"].shape == (96,)
    assert set(np.unique(seen["memory"][:BITS])) == {-1, 1}
    check_env(face)
    with pytest.raises(ValueError, match="recall=64 is too short"):
        env.gymnasium("midway", recall=BITS)


@pytest.mark.filterwarnings("ignore")
def test_openspiel_has_information_states() -> None:
    game = env.openspiel("midway", scenario="duel", recall=128)
    kind = game.get_type()
    assert kind.provides_information_state_string
    assert kind.provides_information_state_tensor
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state, random = game.new_initial_state(), Random(1)
    while not state.is_terminal():
        if not state.is_chance_node():
            player = state.current_player()
            assert state.observation_string(player) == state.information_state_string(player).splitlines()[-1]
            assert len(state.information_state_tensor(player)) == len(state.observation_tensor(player)) + 128
        state.apply_action(random.choice(state.legal_actions()))
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1),
        uct_c=1.0,
        max_simulations=4,
        random_state=np.random.RandomState(1),
    )
    state = game.new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        state.apply_action(state.legal_actions()[0])
    assert bot.step(state) in state.legal_actions()


def test_perfect_recall_must_be_asked_for() -> None:
    game = env.openspiel("midway")
    assert not game.get_type().provides_information_state_string
    with pytest.raises(ValueError, match="loaded without perfect recall"):
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    public = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)
    with pytest.raises(ValueError, match="no perfect recall of public information"):
        env.openspiel("midway", recall=128).make_py_observer(public)
