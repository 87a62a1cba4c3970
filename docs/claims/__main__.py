"""Measure every published figure of the project: `python -m docs.claims --write`.

Each part is printed; with `--write` it is also written to the file that `benchmarks.md` includes. `--only speed,odds`
selects parts, and `--scale odds=20` changes the number of runs or matches. `--all` also runs the scripts of the other
pages, which takes hours.
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
"""The scripts in `docs` that write the tables of their own pages."""


def run_part(part: Part, count: int, *, write: bool) -> str:
    """Print a part's lines as they come and return them as text; write its file if requested."""
    print(f"\n== {part.key}: {count} {part.scale}" if part.default_count else f"\n== {part.key}", flush=True)
    texts = [machine(), ""]
    for line in part.make(count):
        print(line, flush=True)
        texts.append(line)
    text = "\n".join(texts) + "\n"
    if write:
        part.file.write_text(text, encoding="utf-8")
    return text


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the selected parts; return 1 if a script finds a figure outside its bounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="", metavar="PART,PART", help=", ".join(part.key for part in PARTS))
    parser.add_argument(
        "--report", type=Path, default=covered.REPORT, metavar="FILE", help="what `make coverage` wrote"
    )
    parser.add_argument("--scale", action="append", default=[], metavar="PART=N")
    args = parser.parse_args(argv)
    selected = args.only.split(",") if args.only else [part.key for part in PARTS]
    scales = dict(text.split("=", 1) for text in args.scale)
    unknown = {*selected, *scales} - {part.key for part in PARTS}
    if unknown:
        parser.error(f"unknown part {', '.join(sorted(unknown))}; parts are {', '.join(part.key for part in PARTS)}")
    for part in PARTS:
        if part.key == "covered":
            part = part._replace(make=partial(covered.lines, report=args.report))
        if part.key in selected:
            run_part(part, int(scales.get(part.key, part.default_count)), write=args.write)
    return max((_run_script(name, write=args.write) for name in OTHERS), default=0) if args.all else 0


def _run_script(name: str, *, write: bool) -> int:
    """Run the script of another page; return its exit code."""
    print(f"\n== {name}", flush=True)
    options = ["--write"] if write else []
    return subprocess.run([sys.executable, str(DOCS / f"{name}.py"), *options], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
