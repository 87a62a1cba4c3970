"""Environments: the libraries' own checks of every game, and further tests."""

from __future__ import annotations

import builtins
import pickle
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from tests.toys.hands import GAME as HANDS

from readyroom import env, games
from readyroom.engine.errors import MissingLibrary, UnknownBot, UnknownGame, UnknownOption, UnknownScenario, UnknownSeat
from readyroom.env.gym import SeatEnv
from readyroom.env.match_env import EnvMatch, IllegalAction, NoLearningSeat, NotOneSeat
from readyroom.env.zoo import AECMatchEnv, ParallelMatchEnv

GAMES = games.game_names()
TEAMS: list[tuple[str, dict[str, str]]] = [
    ("midway", {"seats": "groups"}),
    ("tora", {"japan_players": "2", "usa_players": "3", "umpire": "yes"}),
    ("doolittle", {"players": "3"}),
]
"""Setups with more than two seats."""
IGNORED = [
    "ignore:Observation space for each agent probably should be",
    "ignore:We recommend agents to be named",
    "ignore:Observation is not a NumPy array",
    "ignore:.*not in the registry",
    "ignore:.*render",
]
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("error"), *map(pytest.mark.filterwarnings, IGNORED)]


@pytest.fixture
def random() -> Random:
    return Random(1)


def play_aec(environment: AECMatchEnv, random: Random, seed: int = 1) -> Iterator[tuple[str, float, bool, bool]]:
    """Play at random; yield the next agent and its rewards after each action."""
    environment.reset(seed)
    for agent in environment.agent_iter():
        observation, reward, over, truncated, _ = environment.last()
        yield agent, reward, over, truncated
        legal = [] if over or truncated else np.flatnonzero(observation["action_mask"]).tolist()
        environment.step(random.choice(legal) if legal else None)


def play_parallel(
    environment: ParallelMatchEnv, random: Random, seed: int = 1
) -> tuple[dict[str, float], dict[str, bool]]:
    """Play at random in parallel; return the rewards and whether the match ended."""
    seen, _ = environment.reset(seed)
    rewards, over = dict[str, float](), dict[str, bool]()
    while environment.agents:
        actions = {
            agent: random.choice(np.flatnonzero(seen[agent]["action_mask"]).tolist()) for agent in environment.agents
        }
        seen, rewards, over, _, _ = environment.step(actions)
    return rewards, over


def play_episode(environment: SeatEnv, random: Random, seed: int = 1) -> tuple[float, bool, bool]:
    """Play one learner at random."""
    environment.reset(seed=seed)
    reward, over, truncated = 0.0, False, False
    while not over and not truncated:
        _, reward, over, truncated, _ = environment.step(
            random.choice(np.flatnonzero(environment.action_masks()).tolist())
        )
    return reward, over, truncated


# -- the libraries' own checks -----------------------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.slow(2)
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_every_game(game: str) -> None:
    api_test(env.pettingzoo(game), num_cycles=1000)
    seed_test(lambda: env.pettingzoo(game), num_cycles=500)


@pytest.mark.sample(2)
@pytest.mark.slow(2)
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_parallel_accepts_every_game(game: str) -> None:
    parallel_api_test(env.parallel(game), num_cycles=1000)
    parallel_seed_test(lambda: env.parallel(game), num_cycles=500)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_accepts_every_game(game: str) -> None:
    check_env(env.gymnasium(game))


@pytest.mark.sample(2)
@pytest.mark.slow(3)
@pytest.mark.parametrize("game", GAMES)
def test_openspiel_accepts_every_game(game: str) -> None:
    pyspiel.random_sim_test(env.openspiel(game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.sample(1)
@pytest.mark.slow(3)
@pytest.mark.parametrize(("game", "options"), TEAMS)
def test_libraries_accept_more_than_two_seats(game: str, options: dict[str, str]) -> None:
    api_test(env.pettingzoo(game, options=options), num_cycles=60)
    parallel_api_test(env.parallel(game, options=options), num_cycles=60)
    check_env(env.gymnasium(game, options=options))
    pyspiel.random_sim_test(env.openspiel(game, options=options, longest=60), num_sims=1, serialize=True, verbose=False)


# -- whole matches -----------------------------------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", GAMES)
def test_aec_match_ends(game: str, random: Random) -> None:
    environment = env.pettingzoo(game)
    rows = list(play_aec(environment, random))
    last = {agent: reward for agent, reward, over, _ in rows if over}
    assert list(last) == environment.possible_agents
    assert all(not reward for _, reward, over, _ in rows if not over)
    assert last == environment.env_match.rewards()
    assert len(last) == 1 or sum(last.values()) == 0


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", GAMES)
def test_parallel_match_ends(game: str, random: Random) -> None:
    rewards, over = play_parallel(env.parallel(game), random)
    assert all(over.values())
    assert set(rewards) == set(over)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_match_ends(game: str, random: Random) -> None:
    reward, over, truncated = play_episode(env.gymnasium(game), random)
    assert over
    assert not truncated
    assert -1 <= reward <= 1


def test_either_side_can_learn(random: Random) -> None:
    for seat, other in (("usa", "japan"), ("japan", "usa")):
        environment = env.gymnasium("midway", seat=seat, against={other: "doctrine"})
        assert play_episode(environment, random)[1]


def test_search_bot_as_opponent(random: Random) -> None:
    environment = env.gymnasium("pearl", scenario="air-raid", seat="usa", against={"japan": "search:2"})
    assert play_episode(environment, random)[1]


def test_team_with_bots_and_learners(random: Random) -> None:
    environment = env.pettingzoo("midway", options={"seats": "groups"}, against={"japan": "doctrine"})
    assert environment.possible_agents == [seat.key for seat in environment.config.seats if seat.side == "usa"]
    assert {agent for agent, *_ in play_aec(environment, random)} == set(environment.possible_agents)


def test_umpire_gets_no_reward(random: Random) -> None:
    environment = env.pettingzoo("tora", options={"umpire": "yes"}, scenario="sunday")
    last = {agent: reward for agent, reward, over, _ in play_aec(environment, random) if over}
    assert last["umpire"] == 0
    assert last["japan"] == -last["usa"]


def test_long_match_is_truncated(random: Random) -> None:
    rows = list(play_aec(env.pettingzoo("midway", longest=20), random))
    assert [end for *_, end in rows].index(True) == 20
    assert not any(over for _, _, over, _ in rows)
    assert play_episode(env.gymnasium("picket", longest=5), random) == (0.0, False, True)


def test_seed_fixes_dice_and_next_match_differs() -> None:
    one, other = env.gymnasium("picket"), env.gymnasium("picket")
    first = [environment.reset(seed=7)[0]["observation"] for environment in (one, other)]
    fingerprints = [environment.env_match.match.fingerprint for environment in (one, other)]
    assert np.array_equal(*first)
    assert fingerprints[0] == fingerprints[1]
    one.reset()
    other.reset()
    assert one.env_match.match.fingerprint == other.env_match.match.fingerprint != fingerprints[0]


# -- observations and actions ------------------------------------------------------------------------------------------


def test_idle_seats_have_only_done() -> None:
    environment = env.parallel(HANDS)
    seen, _ = environment.reset(1)
    assert all(seen[agent]["action_mask"].sum() == 3 for agent in environment.agents)
    environment = env.parallel("midway")
    seen, _ = environment.reset(1)
    idle = next(agent for agent in environment.agents if agent not in environment.env_match.deciding)
    assert np.flatnonzero(seen[idle]["action_mask"]).tolist() == [0]


def test_secret_planners_act_in_seat_order() -> None:
    environment = env.pettingzoo(HANDS)
    environment.reset(1)
    assert environment.agent_selection == "red"
    before = environment.observe("blue")["observation"]
    environment.step(environment.env_match.legal("red")[0])
    assert environment.agent_selection == "blue"
    assert np.array_equal(before, environment.observe("blue")["observation"])


def test_illegal_action_raises_or_is_replaced() -> None:
    strict = env.pettingzoo("picket")
    strict.reset(1)
    legal = strict.env_match.legal("captain")
    illegal = next(action for action in range(1, 513) if action not in legal)
    with pytest.raises(IllegalAction, match=f"{illegal} is not legal for captain"):
        strict.step(illegal)
    assert strict.env_match.actions == 0
    lenient = env.gymnasium("picket")
    lenient.reset(seed=1)
    legal = lenient.env_match.legal("captain")
    assert lenient.step(legal[-1] + 1)[4] == {"action": legal[0]}


def test_action_features_are_optional() -> None:
    environment = env.gymnasium("picket", scenario="evans", width=32)
    seen, _ = environment.reset(seed=1)
    assert seen["actions"].shape == (513, 32)
    ndarray = np.flatnonzero(seen["actions"].any(axis=1))
    assert set(ndarray.tolist()) >= set(np.flatnonzero(seen["action_mask"]).tolist()) - {0}
    check_env(env.gymnasium("picket", scenario="evans", width=32))


# -- OpenSpiel ---------------------------------------------------------------------------------------------------------


def _walk(state: Any, random: Random, steps: int) -> None:
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))


@pytest.mark.parametrize("game", GAMES)
def test_copied_state_has_same_dice(game: str, random: Random) -> None:
    state = env.openspiel(game).new_initial_state()
    _walk(state, random, 15)
    copies = [state.clone(), state.get_game().deserialize_state(state.serialize())]
    _walk(state, Random(2), 25)
    for copy in copies:
        assert str(copy) != str(state)
        _walk(copy, Random(2), 25)
        assert str(copy) == str(state)
        assert copy.is_terminal() or copy.observation_string(0) == state.observation_string(0)


@pytest.mark.parametrize("game", ["midway", "picket", "tora"])
def test_resampled_state_has_same_observation(game: str, random: Random) -> None:
    state = env.openspiel(game).new_initial_state()
    _walk(state, random, 12)
    player = state.current_player()
    for _ in range(3):
        other = state.resample_from_infostate(player, random.random)
        assert other.current_player() == player
        assert other.legal_actions() == state.legal_actions()
        assert other.observation_string(player) == state.observation_string(player)
        copies = [other, other.clone(), other.get_game().deserialize_state(other.serialize())]
        for copy in copies:
            _walk(copy, Random(2), 15)
        assert len(set(map(str, copies))) == 1
        assert other.is_terminal() or len({copy.observation_string(0) for copy in copies}) == 1


def test_resampled_state_differs(random: Random) -> None:
    """Copies of a resampled state must not contain the enemy's hidden squadrons either."""
    state = env.openspiel("midway").new_initial_state()
    items = set()
    for _ in range(30):
        _walk(state, random, 12)
        if state.is_terminal():
            break
        other = state.resample_from_infostate(state.current_player(), random.random)
        for copy in (other, other.clone(), other.get_game().deserialize_state(other.serialize())):
            items.add(copy.position.env_match.match.digest() == state.position.env_match.match.digest())
    assert False in items


def test_openspiel_search_returns_action(random: Random) -> None:
    game = env.openspiel("picket")
    state = game.new_initial_state()
    _walk(state, random, 8)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1),
        uct_c=1.0,
        max_simulations=5,
        random_state=np.random.RandomState(1),
        use_observation_string=True,
    )
    assert bot.step(state) in state.legal_actions()


def test_openspiel_game_can_be_pickled() -> None:
    game = env.openspiel("war", scenario="atlantic", options={"excess": "12"})
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game)
    assert again.config.options["excess"] == "12"
    named = pyspiel.load_game("readyroom_war(scenario=atlantic)")
    assert named.config.scenario.key == "atlantic"


def test_openspiel_utility_type() -> None:
    utility = pyspiel.GameType.Utility
    results = {
        game: env.openspiel(game, options=options).get_type().utility
        for game, options in [("midway", {}), ("picket", {}), ("doolittle", {"players": "2"})]
    }
    assert results == {"midway": utility.ZERO_SUM, "picket": utility.GENERAL_SUM, "doolittle": utility.IDENTICAL}


def test_openspiel_rl_environment_accepts_game() -> None:
    environment = rl_environment.Environment(env.openspiel("picket"), include_full_state=False)
    step, random = environment.reset(), Random(1)
    while not step.last():
        legal = step.observations["legal_actions"][step.observations["current_player"]]
        step = environment.step([random.choice(legal)])
    assert -1 <= step.rewards[0] <= 1


# -- errors ------------------------------------------------------------------------------------------------------------


def test_unknown_names_raise_errors() -> None:
    with pytest.raises(UnknownGame):
        env.pettingzoo("chess")
    with pytest.raises(UnknownScenario):
        env.parallel("midway", scenario="coral-sea")
    with pytest.raises(UnknownOption):
        env.openspiel("midway", options={"weather": "fine"})
    with pytest.raises(UnknownSeat):
        env.gymnasium("midway", seat="france")
    with pytest.raises(UnknownBot):
        env.gymnasium("midway", against={"usa": "yamamoto"})


def test_learning_seat_is_required() -> None:
    with pytest.raises(NoLearningSeat, match="Leave one of captain"):
        env.pettingzoo("picket", against={"captain": "doctrine"})
    with pytest.raises(NotOneSeat, match="usa has several seats"):
        env.gymnasium("midway", seat="usa", options={"seats": "groups"})


@pytest.mark.parametrize("make", [env.gymnasium, env.vector])
def test_bot_for_the_learning_seat_is_rejected(make: Any) -> None:
    with pytest.raises(NoLearningSeat, match=r"japan learns here.* another learner with `seat`: usa\."):
        make("midway", against={"japan": "doctrine"})
    with pytest.raises(UnknownBot, match="yamamoto"):
        make("midway", seat="usa", against={"usa": "yamamoto"})
    team = env.gymnasium("midway", options={"seats": "groups"}, against={"japan": "doctrine"})
    assert set(team.config.opponents.values()) == {"doctrine", "random"}  # the learner's team, and the other side


@pytest.mark.parametrize("shape", [{"size": 0}, {"size": "big"}, {"slots": 0}, {"longest": 0}, {"recall": -1}])
def test_sizes_are_checked(shape: dict[str, Any]) -> None:
    (name,) = shape
    with pytest.raises(ValueError, match=f"{name}=.* whole number of at least"):
        env.pettingzoo("midway", **shape)


def test_reset_comes_first() -> None:
    single, turns, together = env.gymnasium("midway"), env.pettingzoo("midway"), env.parallel("midway")
    for early in (
        partial(single.step, 0),
        single.action_masks,
        partial(turns.step, 0),
        turns.last,
        partial(together.step, {}),
    ):
        with pytest.raises(ResetNeeded, match="Call reset"):
            early()


def test_unknown_agent_is_rejected() -> None:
    together = env.parallel("midway")
    together.reset(seed=1)
    with pytest.raises(UnknownSeat, match="nobody"):
        together.step({"nobody": 0})


@pytest.mark.parametrize(
    ("environment", "library"), [("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("openspiel", "pyspiel")]
)
def test_missing_library_names_extra(environment: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = builtins.__import__

    def missing(name: str, *args: Any) -> Any:
        if name.partition(".")[0] == library:
            raise ModuleNotFoundError(name=library)
        return function(name, *args)

    for module in ("zoo", "gym", "spiel", "spaces"):
        monkeypatch.delitem(sys.modules, f"readyroom.env.{module}", raising=False)
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(MissingLibrary, match=rf"needs {library}, .*pip install 'readyroom\[research\]'"):
        getattr(env, environment)("picket")


def test_libraries_are_imported_lazily() -> None:
    code = "import sys; from readyroom import env; print({'pettingzoo', 'pyspiel'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.torture(2)
@pytest.mark.parametrize("game", GAMES)
def test_learner_finishes_every_scenario(game: str, random: Random) -> None:
    result = games.load(game)
    for scenario in result.rules.scenarios(result.data):
        assert play_episode(env.gymnasium(game, scenario=scenario.key), random)[1], scenario.key


def test_env_match_reports_deciding_seats() -> None:
    environment = env.pettingzoo("midway")
    environment.reset(1)
    env_match: EnvMatch = environment.env_match
    (seat,) = env_match.deciding
    assert env_match.legal(seat) != [0]
    assert env_match.action_text(seat, env_match.legal(seat)[-1]) in env_match.match.pending[seat].keys
