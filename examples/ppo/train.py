"""A reference agent: MaskablePPO of sb3-contrib learns one side of a game against a bot.

    pip install 'readyroom[ppo]'
    python examples/ppo/train.py --minutes 10

It prints the learning curve and the results of fresh matches: at random, after learning, and of the game's bots in the
same seat. With `--out FILE` it writes them as JSON. It needs PyTorch, which is large: on Linux, install the build for
processors alone from PyTorch's own index first.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from readyroom import bots, env
from readyroom.engine.errors import MissingLibrary
from readyroom.engine.match import Match
from readyroom.env.gym import SeatEnv
from readyroom.env.rewards import rewards

try:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import SubprocVecEnv, VecMonitor
except ModuleNotFoundError as error:
    raise SystemExit(str(MissingLibrary(str(error.name), "ppo"))) from None

UNSEEN = 1_000_000
"""The first seed of test matches."""
LIBRARIES = ("gymnasium", "sb3-contrib", "stable-baselines3", "torch")
NORMAL = 1.96
"""Half the width of a 95 % interval, in standard errors."""
Arguments = argparse.Namespace


def single(arguments: Arguments) -> SeatEnv:
    """Return the environment of one match."""
    opponents = {arguments.opponent: arguments.against}
    return env.gymnasium(arguments.game, scenario=arguments.scenario, seat=arguments.seat, against=opponents)


def maker(arguments: Arguments) -> Callable[[], SeatEnv]:
    """Return a function that makes the environment in a process of its own."""
    return lambda: single(arguments)


def interval(values: list[float]) -> dict[str, float]:
    """Return the mean of rewards with its 95 % interval."""
    mean, error = float(np.mean(values)), float(np.std(values, ddof=1)) / sqrt(len(values))
    figures = {"mean": mean, "low": mean - NORMAL * error, "high": mean + NORMAL * error}
    return {"matches": len(values), **{name: round(figure, 4) for name, figure in figures.items()}}


def measure(agent: MaskablePPO | None, arguments: Arguments) -> dict[str, float]:
    """Return the reward of an agent in fresh matches; None plays at random."""
    face, random, found = single(arguments), np.random.default_rng(1), list[float]()
    for number in range(arguments.matches):
        seen, _ = face.reset(seed=UNSEEN + number)
        over, reward = False, 0.0
        while not over:
            masks = face.action_masks()
            if agent is None:
                action = int(random.choice(np.flatnonzero(masks)))
            else:
                action = int(agent.predict(seen, action_masks=masks, deterministic=False)[0])
            seen, reward, terminated, truncated, _ = face.step(action)
            over = terminated or truncated
        found.append(reward)
    return interval(found)


def measure_bot(name: str, arguments: Arguments) -> dict[str, float]:
    """Return the reward of a bot in the learner's seat in fresh matches."""
    config, found = single(arguments).config, list[float]()
    for number in range(arguments.matches):
        match = Match(config.game, config.scenario, seed=f"fresh/{number}", log=False, checkpoints=False)
        names = {seat.key: name if seat.key == arguments.seat else arguments.against for seat in match.seats}
        players = {seat: bots.make_bot(config.game, bot, seat, Random(number)) for seat, bot in names.items()}
        bots.play_to_end(match, players)
        found.append(rewards(match)[arguments.seat])
    return interval(found)


class Curve(BaseCallback):
    """Notes the mean reward of the last hundred matches, and stops when the time is over."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.points: list[dict[str, float]] = []
        self._start = perf_counter()
        self._end = self._start + 60 * minutes

    def _on_step(self) -> bool:
        return perf_counter() < self._end

    def _on_rollout_end(self) -> None:
        recent = [match["r"] for match in self.model.ep_info_buffer or ()]
        if recent:
            point = {"steps": self.num_timesteps, "reward": round(float(np.mean(recent)), 4)}
            self.points.append(point)
            print(f"{self.num_timesteps:>9,} steps: {point['reward']:+.3f}", flush=True)


def train(arguments: Arguments) -> dict[str, Any]:
    """Learn, and return the curve and the results of fresh matches."""
    faces = VecMonitor(SubprocVecEnv([maker(arguments)] * arguments.envs, start_method="spawn"))
    agent = MaskablePPO(
        "MultiInputPolicy",
        faces,
        n_steps=256,
        batch_size=256,
        gamma=1.0,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [64, 64]},
        seed=1,
        device="cpu",
    )
    results = {"random": measure(None, arguments)}
    curve, start = Curve(arguments.minutes), perf_counter()
    agent.learn(int(1e9), callback=curve)
    seconds = perf_counter() - start
    faces.close()
    results["learned"] = measure(agent, arguments)
    for name in single(arguments).config.game.analysis.bots:
        results[name] = measure_bot(name, arguments)
    if arguments.save:
        agent.save(arguments.save)
    return {
        "setting": {key: getattr(arguments, key) for key in ("game", "scenario", "seat", "against", "envs")},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}},
        "seconds": round(seconds),
        "steps": agent.num_timesteps,
        "curve": curve.points,
        "results": results,
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Train an agent, print the results, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="midway")
    parser.add_argument("--scenario", default="duel")
    parser.add_argument("--seat", default="usa")
    parser.add_argument("--opponent", default="japan", help="the seat or side of the bot")
    parser.add_argument("--against", default="doctrine", help="the bot")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--envs", type=int, default=4, help="matches at once, each in a process")
    parser.add_argument("--matches", type=int, default=1000, help="fresh matches of each agent")
    parser.add_argument("--out", type=Path, help="write the results as JSON")
    parser.add_argument("--save", type=Path, help="write the agent")
    given = parser.parse_args(arguments)
    found = train(given)
    for name, result in found["results"].items():
        print(f"{name:<10} {result['mean']:+.3f} (95 % CI {result['low']:+.3f} to {result['high']:+.3f})")
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n")
    return found


if __name__ == "__main__":
    main()
