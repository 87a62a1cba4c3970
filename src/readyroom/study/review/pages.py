"""What-if and match review as pages and charts, with every figure also as text."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from statistics import fmean
from typing import NamedTuple

from jinja2 import Environment
from msgspec.structs import astuple

from readyroom.bots import default_bot
from readyroom.bots.statistics import Interval, more_samples, next_precision
from readyroom.engine.game import load_game
from readyroom.engine.rules.checks import signed
from readyroom.engine.text import capitalize_first
from readyroom.study.review.review import Evaluation, MarkedUnit, Review, SideReview, TurningPoint
from readyroom.study.review.what_if import Change, WhatIf
from readyroom.study.templates import environment

BAR = 310.0
"""The length of a bar of 100 %."""
ROWS = 8
"""More endings than these are not drawn one by one."""
FILLS = (0.0, 0.55, 0.2, 0.8)
"""How full the bars of each answer are drawn: what was decided is an outline."""


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return environment(describe_change=describe_difference, table=table, points=points, size=size)


# -- figures as text -------------------------------------------------------------------------------------------------


def percents(interval: Interval) -> str:
    """Return a share with its 95 % CI: 48 % (41 to 55)."""
    return f"{100 * interval.mean:.0f} % ({100 * interval.low:.0f} to {100 * interval.high:.0f})"


def number(figure: float, signs: bool = False) -> str:
    """Return a figure as text: 3.4, −0.2; with its sign if it is a change.

    >>> number(3.04), number(-0.21, True), number(0.001, True), number(120.4)
    ('3.0', '−0.2', '0.0', '120')
    """
    text = signed(figure, 0 if abs(figure) >= 100 else 1)
    return text if signs else text.removeprefix("+")


def ranged(interval: Interval, signs: bool = False) -> str:
    """Return a mean with its 95 % CI: 3.4 (2.9 to 3.9)."""
    return f"{number(interval.mean, signs)} ({number(interval.low, signs)} to {number(interval.high, signs)})"


def points(interval: Interval) -> str:
    """Return a change of utility in percentage points: −14 (−20 to −7)."""
    figures = (interval.mean, interval.error, interval.low, interval.high)
    return ranged(Interval(*(100 * figure for figure in figures)), signs=True)


def size(interval: Interval) -> str:
    """Return how large a change of utility is, without its direction, in points: 14 points (7–20).

    >>> size(Interval(-0.14, 0.03, -0.2, -0.07)), size(Interval(0.008, 0.003, 0.002, 0.014))
    ('14 points (7–20)', '0.8 points (0.2–1.4)')
    """
    low, high = sorted((abs(interval.low), abs(interval.high)))
    digits = 0 if low >= 0.01 else 1
    mean, least, most = (f"{100 * figure:.{digits}f}" for figure in (abs(interval.mean), low, high))
    return f"{mean} points ({least}–{most})"


def describe_difference(what_if: WhatIf, change: Change, number: int) -> str:
    """Describe what an answer changes, in a sentence."""
    text, value = what_if.branches[number + 1].text, change.worth
    between = f"{points(value).partition('(')[2].removesuffix(')')} points for {what_if.name}"
    if change.identical == 1:
        unseen = f"an effect of up to {100 * value.reach:.1f} points cannot be excluded"
        return f"“{text}” changed nothing for {what_if.name} in {what_if.matches} pairs of rollouts; {unseen}."
    if change.is_significant and value.mean > 0:
        return f"What was played cost {what_if.name} {size(value)}. Better: “{text}”."
    if change.is_significant:
        return f"“{text}” is worse: it costs {what_if.name} {size(value)}."
    if change.is_equivalent:
        return f"“{text}” is about equally good: it gains {between}."
    reach = (value.high - value.low) / 2
    precision = next_precision(reach)
    more = more_samples(what_if.matches, reach, precision)
    narrower = f"{more:,} more rollouts of each answer would give ±{100 * precision:g}"
    return f"Too close to call from {what_if.matches} rollouts: “{text}” gains {between}; {narrower}."


def table(what_if: WhatIf) -> list[list[str]]:
    """Return rows of win shares, utilities, scores and statistics: of each answer, then the differences."""
    first, rows = what_if.branches[0], list[list[str]]()
    for side in first.winners:
        winner = f"{what_if.names[side]} wins" if side in what_if.names else "No one wins"
        if any(branch.winners[side].mean for branch in what_if.branches):
            shares = (percents(branch.winners[side]) for branch in what_if.branches)
            rows.append([winner, *shares, *("" for _ in what_if.changes)])
    if len(rows) == len(what_if.order):  # each ending has its own winner, which is listed already
        rows = []
    values = [percents(branch.utility) for branch in what_if.branches]
    rows.append([f"Win chance of {what_if.name}", *values, *(points(change.worth) for change in what_if.changes)])
    for name in first.scores:
        cells = [ranged(branch.scores[name]) for branch in what_if.branches]
        changes = [ranged(change.scores[name], signs=True) for change in what_if.changes]
        rows.append([f"Score of {what_if.names.get(name, name)}", *cells, *changes])
    for name in first.match_stats:
        cells = [ranged(branch.match_stats[name]) for branch in what_if.branches]
        rows.append([name, *cells, *(ranged(change.counts[name], signs=True) for change in what_if.changes)])
    return rows


# -- figures ---------------------------------------------------------------------------------------------------------


def percentile_rows(what_if: WhatIf) -> dict[str, object]:
    """Return the share of each ending after each answer, as bars with their 95 % CI."""
    rows, texts, y = list[dict[str, object]](), list[str](), 0.0
    fills = [FILLS[at % len(FILLS)] for at in range(len(what_if.branches))]
    for title in _titles(what_if):
        bars = [_bar(what_if.share(at, title), at, y + 17 + 15 * at) for at in range(len(fills))]
        rows.append({"title": capitalize_first(title), "y": y + 12, "bars": bars})
        texts.append(f"{title}: {', '.join(percents(what_if.share(at, title)) for at in range(len(fills)))}")
        y += 24 + 15 * len(fills)
    return {"rows": rows, "height": round(y), "words": f"Share of each ending. {'; '.join(texts)}", "fills": fills}


def _titles(what_if: WhatIf) -> list[str]:
    """Return the most frequent endings, from best to worst for the side that decides."""
    often = Counter[str]()
    for branch in what_if.branches:
        often.update({title: share.mean for title, share in branch.endings.items()})
    most = {title for title, _ in often.most_common(ROWS)}
    return [title for title in what_if.order if title in most]


def _bar(share: Interval, at: int, y: float) -> dict[str, object]:
    mean, low, high = (round(BAR * figure, 1) for figure in (share.mean, share.low, share.high))
    text = f"{100 * share.mean:.0f} % ({100 * share.low:.0f}–{100 * share.high:.0f})"
    fill = FILLS[at % len(FILLS)]
    return {"y": y, "width": mean, "low": low, "high": high, "text": text, "fill": fill, "tone": at > 0}


# -- pages -----------------------------------------------------------------------------------------------------------


def what_if_page(what_if: WhatIf, command: str) -> str:
    """Return the page of a what-if study; `command` reproduces it."""
    page = _environment().get_template("what_if_page.html.j2")
    return page.render(what_if=what_if, figure=percentile_rows(what_if), command=command)


def what_if_part(what_if: WhatIf) -> str:
    """Return the figures of a what-if study as part of another page."""
    module = _environment().get_template("what_if_part.html.j2").module
    return str(module.what_if_part(what_if, percentile_rows(what_if)))  # type: ignore[attr-defined]


# -- match review ----------------------------------------------------------------------------------------------------

LEFT, RIGHT, TOP, FOOT = 44.0, 388.0, 14.0, 174.0
"""Where a drawn course begins and ends."""
NUMBER = 26.0
"""How much room the number of a turn needs."""
HIGH = 0.9
"""Above this value a label is below its point."""
STEPS = 10
"""A course of fewer turns than this has several points in a turn."""
SYMBOLS: Mapping[str, str] = {"blunder": "??", "mistake": "?", "inaccuracy": "?!", "strong": "!"}
"""The marks as chess players write them."""


SHORT = 60
"""A longer answer is not named as the cause of a change."""


class NumberedMark(NamedTuple):
    """A mark of a review with its number in the order of play, and the side that it belongs to."""

    number: int
    side: SideReview
    unit: MarkedUnit

    @property
    def title(self) -> str:
        """The mark in words."""
        return "Strong decision" if self.unit.mark == "strong" else self.unit.mark.capitalize()

    @property
    def symbol(self) -> str:
        """The mark as chess players write it."""
        return SYMBOLS[self.unit.mark]


def marks(review: Review) -> list[NumberedMark]:
    """Return the marks of both sides in the order of play."""
    found = sorted(((unit.n, side, unit) for side in review.sides for unit in side.marks), key=lambda each: each[0])
    return [NumberedMark(number, side, unit) for number, (_, side, unit) in enumerate(found, start=1)]


def cause(review: Review, side: SideReview, point: TurningPoint) -> str:
    """Say what changed the `measure` of a side: the line of the log, or a marked decision, or else the dice."""
    if point.text:
        return point.text
    is_gain = point.change.mean > 0
    for mark in marks(review):
        is_theirs = mark.side.side == side.side
        if point.n <= mark.unit.n < point.until and is_gain == ((mark.unit.gain.mean > 0) == is_theirs):
            played = mark.unit.played[0].text if mark.unit.played else ""
            what = f": {played}" if 0 < len(played) < SHORT else ""
            return f"{mark.title} of {mark.side.name} in decision {mark.unit.n}{what}."
    return "What was decided there, and the dice that followed."


def measure(review: Review) -> str:
    """Return what is measured: the chance to win, or how good the endings of a game for one side are, from 0 to 100."""
    return "win chance" if review.opposed else "expected result"


def _unit(review: Review) -> str:
    """Return the unit of what is measured, with a space."""
    return " %" if review.opposed else ""


def courses(review: Review) -> list[dict[str, object]]:
    """Return the figures of a review: one if what one side gains the other loses, else one for each side."""
    colours = load_game(review.game).presentation.colours
    return [_course(review, side, colours) for side in shown_sides(review)]


def shown_sides(review: Review) -> Sequence[SideReview]:
    """Return the sides whose win chance is shown: that of the other side would be the same upside down."""
    return review.sides[:1] if review.opposed else review.sides


def _course(review: Review, side: SideReview, colours: Mapping[str, str]) -> dict[str, object]:
    """Return the `measure` of a side over the match, with its 95 % CI as a band, and the marks."""
    last = max(1, review.last)
    course = [(_along(each.n, last), each) for each in side.course]
    end = (RIGHT, Interval(side.outcome, 0.0, side.outcome, side.outcome))
    steps = [*course_steps(course), end]
    line = [(x, value.mean) for x, value in steps]
    own = [mark for mark in marks(review) if review.opposed or mark.side is side]
    return {
        "height": FOOT + 18,
        "foot": FOOT,
        "name": side.name,
        "colour": colours.get(side.side, "ink"),
        "words": spoken(review, side),
        "grid": [
            {"y": _height(y / 100), "text": f"{y}{_unit(review)}", "middle": y == 50} for y in (0, 25, 50, 75, 100)
        ],
        "turns": _turns(course),
        "line": "M" + _smooth(line),
        "band": f"M{_smooth([(x, value.high) for x, value in steps])}"
        f"L{_smooth([(x, value.low) for x, value in reversed(steps)])}Z",
        "marks": [_drawn(mark, line, last, colours) for mark in own],
        "rows": [(each.turn, each.n, share(each.value, _unit(review))) for _, each in course],
    }


def course_steps(course: Sequence[tuple[float, Evaluation]]) -> list[tuple[float, Interval]]:
    """Return the opening and the means of neighboring evaluations: of each turn, or of its parts if turns are few.

    Much of what differs between neighbors is the chance of few rollouts. The interval is the mean of theirs and not
    narrower, as the game has changed between them, too.
    """
    turns = {turn: list(found) for turn, found in groupby(course[1:], key=lambda each: each[1].turn)}
    parts = max(1, STEPS // max(1, len(turns)))
    steps = [(x, each.value) for x, each in course[:1]]
    for found in turns.values():
        size = -(-len(found) // parts)
        for at in range(0, len(found), size):
            values = [each.value for _, each in found[at : at + size]]
            mean, error, low, high = (fmean(figures) for figures in zip(*map(astuple, values), strict=True))
            if (x := fmean(x for x, _ in found[at : at + size])) > LEFT:  # else it is the opening again
                steps.append((x, Interval(mean, error, low, high)))
    return steps


def _smooth(line: Sequence[tuple[float, float]]) -> str:
    """Return a path through values that is level at each and goes beyond none, see `_between`."""
    path = [f"{line[0][0]:g} {_height(line[0][1])}"]
    for (left, before), (right, after) in pairwise(line):
        third, (low, high) = (right - left) / 3, (_height(before), _height(after))
        path.append(f"C{left + third:.1f} {low} {right - third:.1f} {high} {right:.1f} {high}")
    return "".join(path)


def _between(line: Sequence[tuple[float, float]], x: float) -> float:
    """Return the value of a smooth path at x."""
    after = next((at for at, (place, _) in enumerate(line) if place >= x), len(line) - 1)
    (left, before), (right, value) = line[max(0, after - 1)], line[after]
    part = min(1.0, (x - left) / (right - left)) if right > left else 1.0
    return before + (value - before) * part * part * (3 - 2 * part)


def _along(n: int, last: int) -> float:
    """Return the x coordinate of a decision."""
    return round(LEFT + (RIGHT - LEFT) * min(max(0, n - 1) / last, 1.0), 1)


def _height(value: float) -> float:
    """Return the y coordinate of a value from 0 to 1."""
    return round(FOOT - (FOOT - TOP) * value, 1)


def _turns(course: Sequence[tuple[float, Evaluation]]) -> list[dict[str, object]]:
    """Return the starts of turns as far as their numbers fit, and the end."""
    turns: list[dict[str, object]] = []
    turn, room = -1, LEFT - 2 * NUMBER
    for x, each in course:
        if each.turn != turn and x - room > NUMBER and RIGHT - x > NUMBER:
            turns.append({"x": x, "text": str(each.turn)})
            room = x
        turn = each.turn
    return [*turns, {"x": RIGHT, "text": "end"}]


def _drawn(
    mark: NumberedMark, line: Sequence[tuple[float, float]], last: int, colours: Mapping[str, str]
) -> dict[str, object]:
    """Return a mark at its place on the line."""
    x = _along(mark.unit.n, last)
    value = _between(line, x)
    return {
        "x": x,
        "y": _height(value),
        "number": mark.number,
        "below": value > HIGH,
        "colour": colours.get(mark.side.side, "ink"),
    }


def figures(review: Review) -> list[list[str]]:
    """Return rows of the figures of each side, see `FIGURES`."""
    return [
        [
            side.name,
            share(side.start),
            points(side.skill),
            points(side.others) if side.others.error else "–",
            points(side.luck),
            f"{100 * side.outcome:.0f}",
            share(side.accuracy, " %"),
        ]
        for side in review.sides
    ]


FIGURES = ("side", "start", "+ skill", "+ opponent", "+ luck", "= outcome", "accuracy")
"""The columns of `figures`."""
OPPONENT = 3
"""The row of `account` that a review without opponents does not have."""
ACCOUNT = (
    "",
    "At the start",
    "+ Skill: own decisions",
    "+ Decisions of the opponent",
    "+ Luck",
    "= Outcome",
    "Accuracy of decisions",
)
"""The rows of `account`."""


def account(review: Review) -> list[list[str]]:
    """Return the figures with a column for each side, so that they add up from top to bottom."""
    rows = [list(row) for row in zip(ACCOUNT, *figures(review), strict=True)]
    return rows if any(side.others.error for side in review.sides) else [*rows[:OPPONENT], *rows[OPPONENT + 1 :]]


def spoken(review: Review, side: SideReview) -> str:
    """Return the review of a side in a few sentences."""
    unit, gained = _unit(review), "Percentage points" if review.opposed else "Points"
    others = f"; {points(side.others)} by the other side’s decisions" if side.others.error else ""
    changes = "; ".join(f"{points(each.change)} in turn {each.turn}" for each in side.turning_points)
    return (
        f"{capitalize_first(measure(review))} of {side.name}: {share(side.start, unit)} at the start, "
        f"{100 * side.outcome:.0f}{unit} at the end. {gained} gained: {points(side.skill)} by its decisions, compared "
        f"with the bot’s{others}; {points(side.luck)} by luck." + (f" Largest changes: {changes}." if changes else "")
    )


def share(interval: Interval, unit: str = "") -> str:
    """Return a share in per cent with its 95 % CI: 48 (41 to 55)."""
    return f"{100 * interval.mean:.0f}{unit} ({100 * interval.low:.0f} to {100 * interval.high:.0f})".replace("-", "−")


def yardstick(review: Review) -> str:
    """Return the names of the bots with which a review compares."""
    names = set(review.bots.values())
    return names.pop() if len(names) == 1 else ", ".join(f"{seat}: {bot}" for seat, bot in review.bots.items())


def review_command(review: Review, file: str, bots: Sequence[str] = ()) -> str:
    """Return the command that repeats a review of a record file; `bots` are its `--bot` options."""
    words = ["readyroom", "review", file, "--samples", str(review.samples), "--seed", review.seed]
    return shlex.join([*words, *(word for each in bots for word in ("--bot", each))])


def review_page(review: Review, command: str) -> str:
    """Return the page of a match review; `command` repeats it."""
    page = _environment().get_template("review_page.html.j2")
    return page.render(review=review, found=_context(review), command=command)


def review_part(review: Review, here: str = "") -> str:
    """Return a match review as part of another page; `here` is the address of the match, if it has one."""
    part = _environment().get_template("review_part.html.j2").module
    return str(part.review_part(review, _context(review), here))  # type: ignore[attr-defined]


def _with_causes(
    review: Review, turning: Iterable[tuple[SideReview, TurningPoint]]
) -> list[tuple[SideReview, TurningPoint, str]]:
    return [(side, each, cause(review, side, each)) for side, each in turning]


def _context(review: Review) -> dict[str, object]:
    shown, hint = shown_sides(review), default_bot(load_game(review.game))
    return {
        "courses": courses(review),
        "marks": marks(review),
        "account": account(review),
        "measure": measure(review),
        "yardstick": yardstick(review),
        "hint": hint if set(review.bots.values()) != {hint} else "",
        "command": review_command(review, "record.jsonl"),
        "turning": _with_causes(review, [(side, each) for side in shown for each in side.turning_points]),
        "maybe_turning": _with_causes(review, [(side, each) for side in shown for each in side.maybe_turning]),
        "unclear": sorted(((side, unit) for side in review.sides for unit in side.unclear), key=lambda one: one[1].n),
    }
