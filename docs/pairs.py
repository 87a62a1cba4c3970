"""Measure the gain of paired dice: `python docs/pairs.py --write` plays the studies of `studies.md` twice.

In the first run match n has the same dice in every case, in the second each case has independent dice. The squared
ratio of the intervals is the factor of matches that independent dice need for the same precision. It takes about three
minutes on two cores. The tables go to `studies-pairs.txt`; without `--write` they are only printed. `--games N` plays
fewer matches, and `--workers N` sets the number of processes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from readyroom.study.measures import Difference, Measured, MeasureResult
from readyroom.study.studies import run
from readyroom.study.study_page import change

PAGE = Path(__file__).with_name("studies-pairs.txt")
STUDIES = (str(PAGE.with_name("how-long.toml")), "enterprise-guns", "patrols", "northern-watch")
GAMES = 500
COLUMNS = ("case", "measure", "paired dice, 95 % CI", "independent dice, 95 % CI", "matches needed")


def both(name: str, games: int, workers: int | None) -> tuple[MeasureResult, MeasureResult]:
    """Run a study with paired and with independent dice."""
    shared = run(name, matches=games, dice="shared", workers=workers).result
    return shared, run(name, matches=games, dice="own", workers=workers).result


def table(shared: MeasureResult, own: MeasureResult) -> Iterator[str]:
    """Yield a row for each case and measure."""
    yield f"| {' | '.join(COLUMNS)} |\n| --- | --- | ---: | ---: | ---: |"
    for pairs, independent in zip(shared.measures, own.measures, strict=True):
        for number, case in enumerate(shared.cases):
            yield from line(case["name"], pairs, independent, number)


def line(case: str, pairs: Measured, independent: Measured, number: int) -> Iterator[str]:
    """Yield the row of a case's difference in a measure, if there is one."""
    paired, difference = pairs.differences[number], independent.differences[number]
    if paired is None or difference is None:
        return
    share = pairs.measure.kind == "share"
    cells = [
        case,
        pairs.measure.title,
        interval_text(paired, share),
        interval_text(difference, share),
        ratio(paired, difference),
    ]
    yield f"| {' | '.join(cells)} |"


def interval_text(difference: Difference, share: bool) -> str:
    """Return the text of an interval, in percentage points for a share."""
    return f"{change(difference.low, share)} to {change(difference.high, share)}"


def ratio(paired: Difference, difference: Difference) -> str:
    """Return the factor of matches: the squared ratio of the intervals."""
    width, other = paired.high - paired.low, difference.high - difference.low
    return "no match differs" if paired.identical == 1.0 else f"{(other / width) ** 2:.1f} times"


def main() -> None:
    """Run the studies, and print or write their tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    parts = []
    for name in STUDIES:
        shared, own = both(name, args.games, args.workers)
        parts += [
            f"% {Path(name).stem}",
            "",
            f"*{shared.title}*, {shared.matches:,} matches of each case:",
            "",
            *table(shared, own),
            "",
        ]
    text = "\n".join([*parts, "% end", ""])
    print(text)
    if args.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
