"""A reference agent: MaskablePPO of sb3-contrib learns one side of Midway against a bot.

    pip install 'readyroom[ppo]'
    python examples/ppo/train.py --minutes 20

It prints the learning curve and writes it, with the result of fresh matches, to `--out` as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import SubprocVecEnv

from readyroom import env

UNSEEN = 1_000_000
"""The first seed of test matches."""
LIBRARIES = ("readyroom", "gymnasium", "sb3-contrib", "stable-baselines3", "torch")
NORMAL = 1.96
"""Half the width of a 95 % interval, in standard errors."""


def face(arguments: argparse.Namespace) -> Any:
    """Return the environment of one match."""
    return env.gymnasium(
        arguments.game,
        scenario=arguments.scenario,
        seat=arguments.seat,
        against={arguments.opponent_side: arguments.against},
        size=arguments.size,
        slots=arguments.slots,
    )


def maker(arguments: argparse.Namespace) -> Callable[[], Any]:
    """Return a function that makes the environment in another process."""
    return lambda: face(arguments)


def measure(agent: MaskablePPO | None, arguments: argparse.Namespace, matches: int) -> dict[str, float]:
    """Return the mean reward in fresh matches, with its 95 % interval; None plays at random."""
    single, random, rewards = face(arguments), np.random.default_rng(1), list[float]()
    for number in range(matches):
        seen, _ = single.reset(seed=UNSEEN + number)
        over = False
        while not over:
            masks = single.action_masks()
            if agent is None:
                action = int(random.choice(np.flatnonzero(masks)))
            else:
                action = int(agent.predict(seen, action_masks=masks)[0])
            seen, reward, over, truncated, _ = single.step(action)
            over = over or truncated
        rewards.append(reward)
    mean, error = float(np.mean(rewards)), float(np.std(rewards, ddof=1)) / sqrt(matches)
    return {"matches": matches, "mean": round(mean, 4), "low": round(mean - NORMAL * error, 4), "high": round(mean + NORMAL * error, 4)}


class Curve(BaseCallback):
    """Notes the mean reward of the last matches, and stops when the time is over."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.points: list[dict[str, float]] = []
        self._end = perf_counter() + seconds

    def _on_step(self) -> bool:
        return perf_counter() < self._end

    def _on_rollout_end(self) -> None:
        recent = [each["r"] for each in self.model.ep_info_buffer or ()]
        if recent:
            self.points.append({"steps": self.num_timesteps, "reward": round(float(np.mean(recent)), 4)})
            print(f"{self.num_timesteps:>9,} steps: mean reward of the last matches {self.points[-1]['reward']:+.3f}", flush=True)
