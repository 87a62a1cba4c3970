"""Staff work on paper: what-if and verdict as pages and as drawn figures, with every figure also as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jinja2 import Environment

from readyroom.engine.game import load_game
from readyroom.engine.text import capitalize_first
from readyroom.study.estimates import Interval
from readyroom.study.review import CourseStep, Review, SideReview
from readyroom.study.templates import environment
from readyroom.study.what_if import Change, WhatIf

BAR = 310.0
"""The length of a bar that stands for all of a hundred."""
ROWS = 8
"""More endings than these are not drawn one by one."""
FILLS = (0.0, 0.55, 0.2, 0.8)
"""How full the bars of each answer are drawn: what was decided is an outline."""


@lru_cache(maxsize=1)
def _house() -> Environment:
    return environment(verdict_on=describe_difference, table=table, points=points, share=share, spoken=spoken)


# -- figures as text -------------------------------------------------------------------------------------------------


def percents(found: Interval) -> str:
    """A share with its range: 48 % (41 to 55)."""
    return f"{100 * found.mean:.0f} % ({100 * found.low:.0f} to {100 * found.high:.0f})"


def number(figure: float, signs: bool = False) -> str:
    """A figure as people read it: 3.4, −0.2; with its sign where it is a change.

    >>> number(3.04), number(-0.21, True), number(0.001, True), number(120.4)
    ('3.0', '−0.2', '0.0', '120')
    """
    digits = 0 if abs(figure) >= 100 else 1
    text = f"{abs(figure):.{digits}f}"
    if not float(text):
        return text
    return f"{'−' if figure < 0 else '+' if signs else ''}{text}"


def ranged(found: Interval, signs: bool = False) -> str:
    """A mean with its range: 3.4 (2.9 to 3.9)."""
    return f"{number(found.mean, signs)} ({number(found.low, signs)} to {number(found.high, signs)})"


def points(found: Interval) -> str:
    """A change of worth in parts of a hundred: −14 (−20 to −7)."""
    return ranged(Interval(*(100 * figure for figure in (found.mean, found.error, found.low, found.high))), signs=True)


def describe_difference(found: WhatIf, change: Change, number: int) -> str:
    """What an answer changes, in a sentence."""
    text, worth = found.branches[number + 1].text, change.worth
    if not (worth.error or worth.mean):
        return f"“{text}” changed nothing for {found.name} in {found.matches} pairs of continuations."
    better = "better" if worth.mean > 0 else "worse"
    if not worth.excludes_zero:
        cannot = f"cannot be told from {found.matches} pairs"
        return f"Whether “{text}” is better or worse for {found.name} {cannot}: {points(worth)} points of a hundred."
    return f"“{text}” is {better} for {found.name}: {points(worth)} points of a hundred."


def table(found: WhatIf) -> list[list[str]]:
    """The rows of figures: shares won, worth, scores and counts; each answer's, and then what each changes."""
    first = found.branches[0]
    rows = [
        [_winner(found, side), *(percents(branch.winners[side]) for branch in found.branches), *_blank(found)]
        for side in first.winners
        if any(branch.winners[side].mean for branch in found.branches)
    ]
    if len(rows) == len(found.order):  # each ending has its own winner, and is told already
        rows = []
    worth = [percents(branch.utility) for branch in found.branches]
    rows.append([f"Worth to {found.name}", *worth, *(points(change.worth) for change in found.changes)])
    for name in first.scores:
        cells = [ranged(branch.scores[name]) for branch in found.branches]
        changes = [ranged(change.scores[name], signs=True) for change in found.changes]
        rows.append([f"Score of {found.names.get(name, name)}", *cells, *changes])
    for name in first.match_stats:
        cells = [ranged(branch.match_stats[name]) for branch in found.branches]
        rows.append([name, *cells, *(ranged(change.counts[name], signs=True) for change in found.changes)])
    return rows


def _winner(found: WhatIf, side: str) -> str:
    return f"{found.names[side]} wins" if side in found.names else "Nobody wins"


def _blank(found: WhatIf) -> list[str]:
    return ["" for _ in found.changes]


# -- figures ---------------------------------------------------------------------------------------------------------


def percentile_rows(found: WhatIf) -> dict[str, object]:
    """How often each ending comes after each answer, as bars with their ranges, side by side."""
    titles = _titles(found)
    rows, y = list[dict[str, object]](), 0.0
    for title in titles:
        bars = [_bar(found, branch, title, y + 17 + 15 * branch) for branch in range(len(found.branches))]
        rows.append({"title": capitalize_first(title), "y": y + 12, "bars": bars})
        y += 24 + 15 * len(found.branches)
    words = "; ".join(f"{title}: {', '.join(_spoken(found, title))}" for title in titles)
    return {"rows": rows, "height": round(y), "words": f"How often each ending came. {words}", "fills": _fills(found)}


def _spoken(found: WhatIf, title: str) -> list[str]:
    return [percents(found.share(at, title)) for at in range(len(found.branches))]


def _titles(found: WhatIf) -> list[str]:
    """The endings that came most often, from the best to the worst for whoever decides."""
    often: dict[str, float] = {}
    for branch in found.branches:
        for title, share in branch.endings.items():
            often[title] = often.get(title, 0.0) + share.mean
    most = sorted(often, key=lambda title: -often[title])[:ROWS]
    return [title for title in found.order if title in most]


def _fills(found: WhatIf) -> list[float]:
    return [FILLS[at % len(FILLS)] for at in range(len(found.branches))]


def _bar(found: WhatIf, at: int, title: str, y: float) -> dict[str, object]:
    share = found.share(at, title)
    mean, low, high = (round(BAR * figure, 1) for figure in (share.mean, share.low, share.high))
    text = f"{100 * share.mean:.0f} % ({100 * share.low:.0f}–{100 * share.high:.0f})"
    return {"y": y, "width": mean, "low": low, "high": high, "text": text, "fill": _fills(found)[at], "tone": at > 0}


# -- pages -----------------------------------------------------------------------------------------------------------


def what_if_page(found: WhatIf, command: str) -> str:
    """The page of a study; `command` is what makes it again."""
    return (
        _house()
        .get_template("what_if_page.html.j2")
        .render(found=found, figure=percentile_rows(found), command=command)
    )


def what_if_part(found: WhatIf) -> str:
    """The figures of a study, to be shown within another page."""
    module = _house().get_template("what_if_part.html.j2").module
    return str(module.told(found, percentile_rows(found)))  # type: ignore[attr-defined]


def review_page(found: Review, command: str) -> str:
    """The page of a verdict; `command` is what makes it again."""
    page = _house().get_template("verdict_page.html.j2")
    return page.render(found=found, figures=_courses(found), command=command)


def review_part(found: Review, to: str = "") -> str:
    """A verdict, to be shown within another page; `to` is where a decision is shown, up to its number."""
    module = _house().get_template("verdict_part.html.j2").module
    return str(module.told(found, _courses(found), to))  # type: ignore[attr-defined]


# -- the course of a match -------------------------------------------------------------------------------------------

LEFT, RIGHT, TOP, FOOT = 44.0, 388.0, 14.0, 174.0
"""Where a drawn course begins and ends."""
NUMBER = 26.0
"""How much room the number of a turn needs."""
HIGH = 0.9
"""Above this worth a mark stands below its point."""


def course(side: SideReview, colour: str) -> dict[str, object]:
    """What a match was worth to a side, decision by decision: steps of skill upright, luck from one to the next."""
    places = _places(len(side.steps) + 1)
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


def _courses(found: Review) -> list[dict[str, object]]:
    colours = load_game(found.game).colours
    return [course(side, colours.get(side.side, "ink")) for side in found.sides]


def _places(count: int) -> list[float]:
    """Where so many points lie from left to right."""
    return [round(LEFT + (RIGHT - LEFT) * at / max(1, count - 1), 1) for at in range(count)]


def _height(worth: float) -> float:
    """Where a worth lies; what is less than nothing or more than all is drawn at the edge."""
    return round(FOOT - (FOOT - TOP) * min(max(worth, 0.0), 1.0), 1)


def _turns(walk: Sequence[tuple[float, CourseStep]], last: float) -> list[dict[str, object]]:
    """Where turns begin, as far as their numbers have room; and the end."""
    found: list[dict[str, object]] = []
    told, room = -1, LEFT - 2 * NUMBER
    for x, step in walk:
        if step.turn != told and x - room > NUMBER and last - x > NUMBER:
            found.append({"x": x, "text": str(step.turn)})
            room = x
        told = step.turn
    return [*found, {"x": last, "text": "end"}]


def _marks(side: SideReview, walk: Sequence[tuple[float, CourseStep]]) -> list[dict[str, object]]:
    """The costliest decisions, numbered from the worst."""
    at = {step.n: (x, step) for x, step in walk}
    return [
        {
            "x": at[costly.n][0],
            "y": _height(at[costly.n][1].after),
            "number": number,
            "below": at[costly.n][1].after > HIGH,
        }
        for number, costly in enumerate(side.costliest, start=1)
        if costly.n in at
    ]


def spoken(side: SideReview) -> str:
    """The verdict on a side, in a few sentences."""
    others = f" the other side’s decisions gave {points(side.others)};" if side.others.error else ""
    return (
        f"At the start the match was worth {share(side.start)} of a hundred to {side.name}, and it came to "
        f"{100 * side.outcome:.0f}. Its own decisions gave {points(side.skill)} beside those that the bot would have "
        f"taken;{others} luck gave {points(side.luck)}. With luck taken out, such play comes to {share(side.play)}."
    )


def share(found: Interval) -> str:
    """A worth in parts of a hundred, with its range: 48 (41 to 55)."""
    return f"{100 * found.mean:.0f} ({100 * found.low:.0f} to {100 * found.high:.0f})".replace("-", "−")
