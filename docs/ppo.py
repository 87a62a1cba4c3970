"""Show the result of `examples/ppo/train.py`: `python -m docs.ppo` writes `ppo.txt` and `ppo.svg` from `ppo.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.claims.parts import head, row
from docs.curve import Axis, draw

DATA = Path(__file__).with_name("ppo.json")


def signed(value: float) -> str:
    """Return a reward with its sign.

    >>> signed(-0.25)
    '−0.250'
    """
    return f"{value:+.3f}".replace("-", "−")


def lines(data: dict[str, Any]) -> Iterator[str]:
    """Yield the setting, the rewards in fresh matches, and the curve as Markdown."""
    setting, versions = data["setting"], data["versions"]
    used = ", ".join(f"{name} {number}" for name, number in versions.items())
    yield (
        f"It learned the side `{setting['seat']}` of `{setting['game']}`, scenario `{setting['scenario']}`, against "
        f"the bot `{setting['against']}`, in {data['steps']:,} steps and {data['seconds'] / 60:.0f} minutes on "
        f"two processors shared with other work ({used}). Reward in fresh matches against that bot:\n"
    )
    yield head("agent", "reward", "95 % interval", "n")
    agents = dict[tuple[str, ...], list[str]]()
    for name, found in data["results"].items():
        agent = {"random": "random actions", "learned": "**PPO**"}.get(name, f"bot `{name}`")
        interval = f"{signed(found['low'])} to {signed(found['high'])}"
        agents.setdefault((signed(found["mean"]), interval, f"{found['matches']:,}"), []).append(agent)
    for figures, names in agents.items():  # bots that play alike share a row
        yield row(", ".join(names), *figures)
    yield "\n![Mean reward of the last hundred matches while learning, by steps](ppo.svg)"


def picture(data: dict[str, Any]) -> str:
    """Return the learning curve."""
    points = [(point["steps"], point["reward"]) for point in data["curve"]]
    return draw(points, Axis("steps"), Axis("mean reward of the last 100 matches"), "Learning curve of PPO")


def main() -> None:
    """Write both files."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    DATA.with_suffix(".txt").write_text("\n".join(lines(data)) + "\n", encoding="utf-8")
    DATA.with_suffix(".svg").write_text(picture(data), encoding="utf-8")


if __name__ == "__main__":
    main()
