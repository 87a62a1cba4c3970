"""Measure how precise match reviews are: `python -m docs.reviews --write`.

The tables go to `reviews.txt`, which the page of reviews includes; without `--write` they are only printed. All reviews
are of matches of Midway between its styles, and use two processes. `--only width,repeat` selects tables, and `--scale`
multiplies the number of matches: 1 takes about half an hour on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import fmean, median, stdev

from readyroom import bots
from readyroom.bots import reference_bot
from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.engine.rules.checks import signed
from readyroom.study.review.luck import study_luck
from readyroom.study.review.review import SAMPLES, Effort, Review, review

PAGE = Path(__file__).with_name("reviews.txt")
WORKERS = 2
STYLES = ("doctrine", "guarded", "massed", "eager", "novice")
GAINS_ONLY = Effort(positions=0, opening=2, confirmation=0)
"""The default effort without what skill does not need."""


def record_of(game: str, names: Sequence[str], number: int) -> str:
    """Return the record of a match between these bots, in the order of the seats."""
    match = Match(load_game(game), seed=f"review {number}")
    random = Random(number)
    seated = zip(match.seats, names, strict=True)
    bots.play_to_end(match, {seat.key: bots.make_bot(match.game, name, seat.key, random) for seat, name in seated})
    return match.record()


def core_seconds() -> float:
    """Return the processor time of this process and of those that it has finished."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def width(count: int) -> Iterator[Sequence[str]]:
    """Yield how wide the interval of skill is at the default effort, by the bot that played."""
    found: dict[str, list[tuple[float, float, int]]] = {}
    pairs = [pair for pair in product(STYLES, repeat=2) if pair[0] != pair[1]]
    for number in range(count):
        names = pairs[number * 7 % len(pairs)]
        start = core_seconds()
        result = review(record_of("midway", names, number), workers=WORKERS)
        took = core_seconds() - start
        for name, side in zip(names, result.sides, strict=True):
            found.setdefault(name, []).append((100 * side.skill.reach, took, side.differing))
            print(number, name, side.differing, f"{100 * side.skill.reach:.1f}", f"{took:.0f} s", file=sys.stderr)
    yield (
        "played by",
        "sides",
        "units that differ",
        "half-width, median",
        "half-width, largest",
        "core-seconds, median",
        "largest",
    )
    everyone = [side for sides in found.values() for side in sides]
    for name, sides in [*found.items(), ("all", everyone)]:
        widths, seconds, differing = zip(*sides, strict=True)
        figures = f"{median(widths):.1f}", f"{max(widths):.1f}", f"{median(seconds):.0f}", f"{max(seconds):.0f}"
        yield name, str(len(sides)), f"{fmean(differing):.1f}", *figures


def repeat(count: int) -> Iterator[Sequence[str]]:
    """Yield how much the skill varies over seeds, and the error that is reported."""
    yield "Japan – United States", "reviews", "SD of skill", "reported error", "ratio"
    for number, names in enumerate((("eager", "guarded"), ("novice", "doctrine"))):
        record = record_of("midway", names, number)
        results = [review(record, seed=f"repeat {n}", effort=GAINS_ONLY, workers=WORKERS) for n in range(count)]
        for at in range(2):
            skills = [result.sides[at].skill for result in results]
            if any(skill.error for skill in skills):
                spread = stdev(skill.mean for skill in skills)
                error = sqrt(fmean(skill.error**2 for skill in skills))
                label = f"{names[0]} – {names[1]}, {results[0].sides[at].name}"
                yield label, str(count), f"{100 * spread:.2f}", f"{100 * error:.2f}", f"{spread / error:.2f}"


def itself(count: int) -> Iterator[Sequence[str]]:
    """Yield the mean skill of the reference bot, judged by itself."""
    yield "game", "bot", "matches", "mean skill", "units that differ"
    effort = GAINS_ONLY._replace(gains=20)
    for game in ("midway", "pearl"):
        name = reference_bot(load_game(game))
        results: list[Review] = [
            review(record_of(game, (name, name), number), samples=4, effort=effort, workers=WORKERS)
            for number in range(count)
        ]
        skills = [100 * side.skill.mean for result in results for side in result.sides]
        error = 1.96 * stdev(skills) / len(skills) ** 0.5
        differing = sum(side.differing for result in results for side in result.sides)
        yield load_game(game).title, name, str(count), f"{signed(fmean(skills), 2)} ±{error:.2f}", str(differing)


def luck(count: int) -> Iterator[Sequence[str]]:
    """Yield how much luck adjustment saves, and its bias."""
    yield "Japan – United States", "matches", "SD of result", "SD without luck", "mean luck", "worth matches"
    for names in (("guarded", "eager"), ("doctrine", "doctrine"), ("eager", "massed")):
        records = [record_of("midway", names, number) for number in range(count)]
        side = study_luck(records, workers=WORKERS).sides[0]
        root = 100 * len(records) ** 0.5
        spreads = f"{root * side.utility.error:.0f}", f"{root * side.adjusted.error:.0f}"
        mean = f"{signed(100 * side.luck.mean, 1)} ±{196 * side.luck.error:.1f}"
        yield f"{names[0]} – {names[1]}", str(count), *spreads, mean, f"{side.saved:.1f}"


TABLES = {
    "width": (width, 20, f"Interval of skill at the default effort (`--samples {SAMPLES} --workers {WORKERS}`)"),
    "repeat": (repeat, 20, "The same match reviewed with different seeds"),
    "itself": (itself, 200, "The reference bot judged by itself"),
    "luck": (luck, 120, "Luck-adjusted results"),
}


def lines(only: Iterable[str], scale: float) -> Iterator[str]:
    """Yield the tables in Markdown."""
    for key in only:
        rows, count, title = TABLES[key]
        yield f"{title}, in percentage points:\n"
        for number, row in enumerate(rows(max(2, round(scale * count)))):
            yield f"| {' | '.join(row)} |"
            if not number:
                yield f"| --- |{' ---: |' * (len(row) - 1)}"
        yield ""


def main(argv: list[str] | None = None) -> int:
    """Print or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default=",".join(TABLES))
    parser.add_argument("--scale", type=float, default=1.0)
    args = parser.parse_args(argv)
    written = list[str]()
    for line in lines(args.only.split(","), args.scale):
        print(line, flush=True)
        written.append(line)
    if args.write:
        PAGE.write_text("\n".join(written), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
