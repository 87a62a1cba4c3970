"""[1.3, 1.9] The debriefing of the campaign: seven views of the raid, three checks, and the verdict on it all.

It replaces the short debriefing wherever the denouement is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from readyroom.engine.rules.checks import Modifiers, RolledDice, Roller, nonzero_modifiers
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle import names
from readyroom.games.doolittle.denouement.state import DenouementState
from readyroom.games.doolittle.ending import endings, facts
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Band, Circumstance, Outcomes
from readyroom.games.doolittle.state import Doolittle, T

RULE = "1.3"
GROUNDED = "macarthur-captured"
"""[15.1.2.B] How Bataan went where Doolittle had to stay at home."""
STARRED = "starred"
"""[14.5.2] The state of those at Vladivostok whose release depends on the alliances."""
BEARING: dict[Circumstance, str] = {
    "area-blast": "blast away from targets",
    "blast": "all the blast",
    "nobody-down-in-japan": "no one down in Japan",
    "crews-in-china": "crews in China",
    "alert": "alert",
    "chiang-briefed": "Chiang briefed",
    "stalin-briefed": "Stalin briefed",
    "leaders-denied": "leaders who refused",
    "vladivostok-without-agreement": "Vladivostok, without leave",
    "china-without-success": "China, without leave",
    "devastation": "devastation",
    "cities-hit": "three cities hit",
    "quit-india": "turmoil in India",
}
"""What bears on a check, as its arithmetic names it."""
WON = 2
"""The grade of the verdict from which the raid was worth it."""


class View(NamedTuple):
    """[1.3] How one party judges the raid: points, grade (0 is the worst), words."""

    key: str
    title: str
    points: int
    grade: int
    band: Band


class CheckResult(msgspec.Struct, frozen=True, eq=False):
    """[1.3] A check of the debriefing that has been rolled: its total, and its step."""

    title: str
    dice: bytes
    modifiers: Modifiers
    total: int
    step: int
    band: Band

    def __str__(self) -> str:
        return self.band.title

    def to_log(self) -> RolledDice:
        """Return the roll for the log, with its arithmetic."""
        added = "".join(f" {'+' if value >= 0 else '−'} {abs(value)} {name}" for name, value in self.modifiers)
        result = f"{len(self.dice)}d6{added}: {self.total}, {self}"
        return RolledDice(self.title.lower(), (tuple(self.dice),), 6, result)


class DebriefingCheck(msgspec.Struct, frozen=True, eq=False):
    """[1.3] A check of the debriefing before it is rolled."""

    rule: str
    figures: Outcomes
    modifiers: Modifiers

    def resolve(self, roll: Roller) -> CheckResult:
        """Roll the dice, and look up the result."""
        dice = roll(self.figures.dice, 6, 0)
        total = sum(dice) + sum(value for _, value in self.modifiers)
        step, band = self.figures.at(total)
        return CheckResult(self.figures.title, dice, self.modifiers, total, step, band)


def is_due(state: Doolittle) -> bool:
    """[1.3] Return whether this debriefing takes the place of the short one: where the denouement has been played."""
    return state.ending is not None or state.blotter is not None


def debriefing_check(state: Doolittle, data: Data, name: str) -> DebriefingCheck:
    """[1.3, 14.5.2] Return a check of the debriefing with all that bears on it."""
    figures, known = data.debriefing.checks[name], facts.circumstances(state, data)
    added = [(BEARING[one.when], one.value(known[one.when])) for one in figures.modifier]
    return DebriefingCheck("14.5.2" if name == "alliances" else RULE, figures, nonzero_modifiers(added))


def checks_due(state: Doolittle, data: Data) -> Sequence[str]:
    """[1.3] Return the checks that are made, in order; a check is left out if it concerns no crew."""
    known = facts.all_facts(state, data)
    there = {"prisoners": known["crews-captured"], "reprisal": len(facts.crews_in_china(state, data)), "alliances": 1}
    return [name for name in data.debriefing.checks if there[name]]


def _revoke_releases(table: T) -> None:
    """[14.5.2] Revoke releases that depended on the alliances if those are strained."""
    state = table.state
    if state.denouement.checks["alliances"] or state.denouement.soviet != STARRED:
        return
    state.denouement.soviet = "interned"
    for crew in [crew for crew in state.crews if crew.fate == "released"]:
        crew.fate = "interned"
        pilot = table.data.bombers.cards[crew.key].pilot
        table.log_line("14.5.2", "{}'s crew is not released after all: the alliances are strained.", pilot)
        state.add_to_story("kept", crew.key)


def count_executed(state: Doolittle, data: Data) -> int:
    """[1.3] Return how many captured crews are condemned and shot."""
    figures = data.debriefing
    worst = len(figures.checks["prisoners"].band) - 1
    if state.ending is None or state.ending.checks.get("prisoners") != worst:
        return 0
    return -(-facts.all_facts(state, data)["crews-captured"] // figures.trial.executed_one_in)


def views(state: Doolittle, data: Data) -> list[View]:
    """[1.3] Return the seven views, from what is known now."""
    known = facts.all_facts(state, data)
    views = []
    for key, figures in data.debriefing.perspectives.items():
        points = figures.points(known)
        if key == "white-house" and count_executed(state, data):
            points += data.debriefing.trial.white_house
        grade, band = figures.at(points)
        if not facts.bombers_for_japan(state):
            band = figures.unflown
        views.append(View(key, figures.title, points, grade, band))
    return views


def grades(state: Doolittle, data: Data) -> int:
    """[1.3] Return the grades of all views and of the alliances together."""
    total = sum(view.grade for view in views(state, data))
    step = state.ending.checks.get("alliances") if state.ending else None
    return total if step is None else total + data.debriefing.checks["alliances"].grades[step]


def overall_result(state: Doolittle, data: Data) -> tuple[int, Band]:
    """[1.3] Return the raid as a whole."""
    return data.debriefing.verdict.at(grades(state, data))


def paragraphs(state: Doolittle, data: Data) -> Mapping[str, str]:
    """[1.3, 13.2.3, 14.5, 15.1.2] Return the paragraphs that depend on what happened, by topic."""
    text, known = data.debriefing.words.text, facts.all_facts(state, data)
    if state.called_off:
        return {"cancelled": text["cancelled"]}
    siberia, talks, paragraphs = known["landed-vladivostok"], state.talks, dict[str, str]()
    if facts.bombers_for_japan(state):
        china = "granted" if "stilwell" in talks.granted else "refused" if "stilwell" in talks.denied else "denied"
        paragraphs["china"] = text[f"china-{china}"]
    ussr = "none" if not siberia else "agreed" if known["agreed"] else "released" if known["released"] else "interned"
    if ussr != "interned" or any(crew.fate == "interned" for crew in state.crews):
        paragraphs["ussr"] = text[f"ussr-{ussr}"]
    grounded = state.blotter is not None and GROUNDED in state.blotter.turns
    paragraphs["doolittle"] = text[f"doolittle-{'grounded' if grounded else facts.doolittle_fate(state)[0]}"]
    if state.rulings.incidents == "no" or "9066" in facts.drawn_incidents(state):
        paragraphs["order-9066"] = text["order-9066"]
    return paragraphs


def debrief(table: T) -> Steps:
    """[1.3, 1.9] Roll the checks, log each view of the raid, and grade it."""
    state, data = table.state, table.data
    if state.called_off:
        text = data.debriefing.words.text["cancelled"]
        table.end_match(Outcome(None, "Called off", text, {"usa": 0}))
    state.ending = state.ending or DenouementState()
    for name in checks_due(state, data):
        check = debriefing_check(state, data, name)
        result = table.roll(check, name)
        state.denouement.checks[name] = result.step
        table.log_line(check.rule, "{}: {}. {}", result.title, result, result.band.text)
        state.add_to_story(f"{name}-{result.step}")
    _revoke_releases(table)
    for view in views(state, data):
        score = names.count_text(view.points, "point")
        table.log_line(RULE, "{}, {}: {}. {}", view.title, score, view.band.title, view.band.text)
    for text in paragraphs(state, data).values():
        table.log_line(RULE, "{}", text)
    yield from ()
    step, band = overall_result(state, data)
    total, most = grades(state, data), data.debriefing.verdict.reach[1]
    title, text = endings.describe(state, data, band.title, band.text)
    text = f"{text} All grades together come to {total} of {most}."
    bands, reached = endings.sentences(ladder(state, data))
    table.log_line(RULE, "{}", bands)
    table.log_line(RULE, "{}", reached, moment=title)
    table.end_match(Outcome("usa" if step >= WON else None, title, text, {"usa": total}))


def ladder(state: Doolittle, data: Data) -> str:
    """[1.3] Return the bands of the raid as a whole, and what the next one needs."""
    return endings.ladder({band.points: band.title for band in data.debriefing.verdict.band}, grades(state, data))
