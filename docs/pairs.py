"""What the same dice in every case are worth: `python docs/pairs.py --write` plays the studies of `studies.md` twice.

Once match number n has the same dice in every case and is compared with its twin; once each case has dice of its own.
The ratio of the intervals' squares says how many times as many matches the second would need to be as sure as the
first. It takes about three minutes of two cores. The tables go to `studies-pairs.txt`; without `--write` they are only
printed. `--games N` plays fewer matches, and `--workers N` says how many processes share them.
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
COLUMNS = ("case", "measure", "pairs, 95 %", "dice of their own, 95 %", "matches they would need")


def both(name: str, games: int, workers: int | None) -> tuple[MeasureResult, MeasureResult]:
    """A study with shared dice, and with dice of its own for each case."""
    shared = run(name, matches=games, dice="shared", workers=workers).result
    return shared, run(name, matches=games, dice="own", workers=workers).result


def table(shared: MeasureResult, own: MeasureResult) -> Iterator[str]:
    """A line for each case and measure."""
    yield f"| {' | '.join(COLUMNS)} |\n| --- | --- | ---: | ---: | ---: |"
    for pairs, apart in zip(shared.measures, own.measures, strict=True):
        for number, case in enumerate(shared.cases):
            yield from line(case["name"], pairs, apart, number)


def line(case: str, pairs: Measured, apart: Measured, number: int) -> Iterator[str]:
    """What a case differs by in a measure, both ways; nothing where it does not differ or was not counted."""
    paired, difference = pairs.differences[number], apart.differences[number]
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
    """An interval, in points where it is one of shares."""
    return f"{change(difference.low, share)} to {change(difference.high, share)}"


def ratio(paired: Difference, difference: Difference) -> str:
    """How many times as many matches: the ratio of the intervals' squares."""
    width, other = paired.high - paired.low, difference.high - difference.low
    return f"{(other / width) ** 2:.1f} times" if width else "no match differs"


def main() -> None:
    """Play the studies, print their tables, and write them if asked to."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--games", type=int, default=GAMES)
    asked.add_argument("--workers", type=int)
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    parts = []
    for name in STUDIES:
        shared, own = both(name, given.games, given.workers)
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
    if given.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
