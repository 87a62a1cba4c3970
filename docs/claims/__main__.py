"""Measures and counts every figure that the project claims: `python -m docs.claims --write`.

Each part is printed as it goes; with `--write` it is kept as well, in a text of its own that the page on numbers takes
in. `--only speed,odds` does only those, and `--scale odds=20` plays fewer or more. `--all` also replays what is held
against history, and the studies of pairs: that takes hours. Without it these stand as they are.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from docs.claims import comparison, covered, faults, ladders, learning, odds, sizes, speed, steps
from docs.claims.parts import DOCS, ROOT, Part, machine

PARTS = (
    Part("speed", speed.lines, 5, "runs"),
    Part("steps", steps.lines, 5, "runs"),
    Part("comparison", comparison.lines, 5, "runs"),
    Part("odds", odds.lines, 200, "matches of each game"),
    Part("ladders", ladders.lines, 50, "matches of each pair on each side"),
    Part("learning", learning.lines, 1000, "matches to learn from"),
    Part("faults", faults.lines),
    Part("sizes", sizes.lines),
    Part("covered", covered.lines),
)
OTHERS = ("battles", "cruises", "raids", "strategic_figures", "pairs")
"""The scripts next to this one, each of which writes the text of its own page."""


def make(part: Part, count: int, *, write: bool) -> str:
    """The lines of a part, printed as they come and kept if that is asked for."""
    print(f"\n== {part.key}: {count} {part.scale}" if part.usual else f"\n== {part.key}", flush=True)
    texts = [machine(), ""]
    for line in part.make(count):
        print(line, flush=True)
        texts.append(line)
    text = "\n".join(texts) + "\n"
    if write:
        part.file.write_text(text, encoding="utf-8")
    return text


def main(words: Sequence[str] | None = None) -> int:
    """Make the parts that are asked for; exit code 1 where a script finds something outside its bounds."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true")
    asked.add_argument("--all", action="store_true")
    asked.add_argument("--only", default="", metavar="PART,PART", help=", ".join(part.key for part in PARTS))
    asked.add_argument("--report", type=Path, default=covered.REPORT, metavar="FILE", help="what `make coverage` wrote")
    asked.add_argument("--scale", action="append", default=[], metavar="PART=N")
    args = asked.parse_args(words)
    wanted = args.only.split(",") if args.only else [part.key for part in PARTS]
    scales = dict(one.split("=", 1) for one in args.scale)
    unknown = {*wanted, *scales} - {part.key for part in PARTS}
    if unknown:
        asked.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(part.key for part in PARTS)}")
    for part in PARTS:
        if part.key == "covered":
            part = part._replace(make=partial(covered.lines, report=args.report))
        if part.key in wanted:
            make(part, int(scales.get(part.key, part.usual)), write=args.write)
    return max((_again(name, write=args.write) for name in OTHERS), default=0) if args.all else 0


def _again(name: str, *, write: bool) -> int:
    """Run a script that holds a game against history; its exit code."""
    print(f"\n== {name}", flush=True)
    words = ["--write"] if write else []
    return subprocess.run([sys.executable, str(DOCS / f"{name}.py"), *words], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
