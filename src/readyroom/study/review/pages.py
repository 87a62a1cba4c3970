"""What-if and match review as pages and charts, with every figure also as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from jinja2 import Environment

from readyroom.engine.game import load_game
from readyroom.engine.rules.checks import signed
from readyroom.engine.text import capitalize_first
from readyroom.study.estimates import Interval
from readyroom.study.review.review import CourseStep, Review, SideReview
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
    return environment(describe_change=describe_difference, table=table, points=points, share=share, spoken=spoken)


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


def describe_difference(what_if: WhatIf, change: Change, number: int) -> str:
    """Describe what an answer changes, in a sentence."""
    text, value = what_if.branches[number + 1].text, change.worth
    if not (value.error or value.mean):
        return f"“{text}” changed nothing for {what_if.name} in {what_if.matches} pairs of rollouts."
    better = "better" if value.mean > 0 else "worse"
    if not value.excludes_zero:
        better = "neither better nor worse beyond chance"
    return f"“{text}” is {better} for {what_if.name}: {points(value)} percentage points."


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


def review_page(review: Review, command: str) -> str:
    """Return the page of a match review; `command` reproduces it."""
    page = _environment().get_template("review_page.html.j2")
    return page.render(review=review, figures=_courses(review), command=command)


def review_part(review: Review, to: str = "") -> str:
    """Return a match review as part of another page; `to` is the start of links to decisions."""
    module = _environment().get_template("review_part.html.j2").module
    return str(module.review_part(review, _courses(review), to))  # type: ignore[attr-defined]


# -- the course of a match -------------------------------------------------------------------------------------------

LEFT, RIGHT, TOP, FOOT = 44.0, 388.0, 14.0, 174.0
"""Where a drawn course begins and ends."""
NUMBER = 26.0
"""How much room the number of a turn needs."""
HIGH = 0.9
"""Above this value a label is below its point."""


def course(side: SideReview, colour: str) -> dict[str, object]:
    """Return the win chance of a side, decision by decision: vertical steps are skill, slopes luck."""
    places = [round(LEFT + (RIGHT - LEFT) * at / max(1, len(side.steps)), 1) for at in range(len(side.steps) + 1)]
    walk = list(zip(places, side.steps, strict=False))
    ends = [*((x, step.before) for x, step in walk), (places[-1], side.outcome)][1:]
    return {
        "height": FOOT + 18,
        "foot": FOOT,
        "colour": colour,
        "words": spoken(side),
        "grid": [{"y": _height(y), "text": f"{100 * y:.0f} %", "middle": y == 0.5} for y in (0, 0.25, 0.5, 0.75, 1)],
        "turns": _turns(walk, places[-1]),
        "skill": [(x, _height(step.before), _height(step.after)) for x, step in walk if step.before != step.after],
        "luck": [(x, _height(step.after), to, _height(y)) for (x, step), (to, y) in zip(walk, ends, strict=True)],
        "dots": [(x, _height(step.after)) for x, step in walk] + [(places[-1], _height(side.outcome))],
        "marks": _marks(side, walk),
    }


def _courses(review: Review) -> list[dict[str, object]]:
    colours = load_game(review.game).presentation.colours
    return [course(side, colours.get(side.side, "ink")) for side in review.sides]


def _height(value: float) -> float:
    """Return the y coordinate of a value, clamped to the chart."""
    return round(FOOT - (FOOT - TOP) * min(max(value, 0.0), 1.0), 1)


def _turns(walk: Sequence[tuple[float, CourseStep]], last: float) -> list[dict[str, object]]:
    """Return the starts of turns as far as their numbers fit, and the end."""
    turns: list[dict[str, object]] = []
    count, room = -1, LEFT - 2 * NUMBER
    for x, step in walk:
        if step.turn != count and x - room > NUMBER and last - x > NUMBER:
            turns.append({"x": x, "text": str(step.turn)})
            room = x
        count = step.turn
    return [*turns, {"x": last, "text": "end"}]


def _marks(side: SideReview, walk: Sequence[tuple[float, CourseStep]]) -> list[dict[str, object]]:
    """Return the costliest decisions, numbered from the worst."""
    numbers = {costly.n: number for number, costly in enumerate(side.costliest, start=1)}
    marked = sorted((numbers[step.n], x, step.after) for x, step in walk if step.n in numbers)
    return [{"x": x, "y": _height(after), "number": number, "below": after > HIGH} for number, x, after in marked]


def spoken(side: SideReview) -> str:
    """Return the review of a side in a few sentences."""
    others = f"; {points(side.others)} by the other side’s decisions" if side.others.error else ""
    return (
        f"Win chance of {side.name}: {share(side.start, ' %')} at the start, {100 * side.outcome:.0f} % at the end. "
        f"Percentage points gained: {points(side.skill)} by its decisions, compared with the default bot’s{others}; "
        f"{points(side.luck)} by luck. Without luck, its play is worth {share(side.play, ' %')}."
    )


def share(interval: Interval, unit: str = "") -> str:
    """Return a win chance in per cent with its 95 % CI: 48 (41 to 55)."""
    return f"{100 * interval.mean:.0f}{unit} ({100 * interval.low:.0f} to {100 * interval.high:.0f})".replace("-", "−")
