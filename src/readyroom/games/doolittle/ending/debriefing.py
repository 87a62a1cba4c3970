"""[1.2, 4.0.2, 5.1.1] The debriefing of a scenario: landings, the result, and the text on it."""

from __future__ import annotations

from readyroom.engine.game import score_to_utility
from readyroom.engine.rules.state import Outcome, ScoreScale
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle import names
from readyroom.games.doolittle.denouement.landing import land_at_site
from readyroom.games.doolittle.ending import campaign, endings
from readyroom.games.doolittle.ending.facts import count_facts
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.figures.ending import Grades, Score, Term
from readyroom.games.doolittle.state import DEBRIEFING, Doolittle, T, scenario_card

SPAN = 30.0
"""A score of so much more than nothing is worth about three quarters of the most."""


def debrief(table: T) -> Steps:
    """[1.2, 1.3] Land the flights, then score and grade the raid; the campaign has its own debriefing."""
    state, data = table.state, table.data
    if campaign.is_due(state):
        yield from campaign.debrief(table)
    if state.air is not None:
        for site in data.flight.site.values():
            yield from land_at_site(table, site)
    facts, total = count_facts(state, data), points(state, data)
    for term in terms(state, data):
        if counted := term.points(facts[term.of]):
            score_text = names.count_text(counted, "point", "+")
            table.log_line("1.2", "{}: {}, {}.", FACT_NAMES[term.of], facts[term.of], score_text)
    grade, grades = scenario_card(state, data).grade(total), _grades(state, data)
    title, text = endings.describe(state, data, grades.title[grade], grades.text[grade])
    text = f"{text} The score is {total}."
    winner = "usa" if is_good(data, state, grade) else None
    moment = endings.headline(title, list(scenario_card(state, data).bands), total)
    bands, reached = endings.sentences(ladder(state, data))
    table.log_line("1.2", "{}", bands)
    table.log_line("1.2", "{}", reached, moment=moment)
    table.end_match(Outcome(winner, title, text, {"usa": total}))


def ladder(state: Doolittle, data: Data) -> str:
    """[1.2, 1.3] Return the result bands of what is played, and what the next one needs."""
    if campaign.is_due(state):
        return campaign.ladder(state, data)
    bands, titles = scenario_card(state, data).bands, _grades(state, data).title
    return endings.ladder({label: titles[grade] for label, grade in bands.items()}, points(state, data))


def scale(state: Doolittle, data: Data) -> ScoreScale | None:
    """[1.2, 1.3] Return the score with the result bands of what was played; None if the raid was called off."""
    if state.called_off:
        return None
    if campaign.is_due(state):
        steps = {band.points: band.title for band in data.debriefing.verdict.band}
        return endings.scale(steps, campaign.grades(state, data))
    titles = _grades(state, data).title
    steps = {label: titles[grade] for label, grade in scenario_card(state, data).bands.items()}
    return endings.scale(steps, points(state, data))


def _grades(state: Doolittle, data: Data) -> Grades:
    """[1.2] Return the titles and texts of the grades: those of an attack, or of a whole raid."""
    return data.debriefing.attack_grades if scenario_card(state, data).map else data.debriefing.raid_grades


def ending_value(outcome: Outcome, side: str) -> float:
    """[1.2] Return the utility of an ending: the more points the better."""
    return score_to_utility(outcome.scores["usa"], SPAN)


def scores(state: Doolittle, data: Data) -> list[Score]:
    """[1.2] Return what counts: bombs, from scenario 7 on bombers and crews, in scenario 9 ships as well."""
    figures, card = data.debriefing, scenario_card(state, data)
    if card.map:
        return [figures.attack]
    return [figures.raid, figures.naval] if "naval" in card.segments else [figures.raid]


def terms(state: Doolittle, data: Data) -> list[Term]:
    """[1.2] Return all that counts."""
    return [term for score in scores(state, data) for term in score.term]


def points_by_name(state: Doolittle, data: Data) -> dict[str, int]:
    """[1.2, 1.3] Return what the points so far come from; empty in the debriefing of the campaign."""
    if campaign.is_due(state) and state.at.phase == DEBRIEFING:
        return {}
    facts = count_facts(state, data)
    return {FACT_NAMES[term.of]: counted for term in terms(state, data) if (counted := term.points(facts[term.of]))}


def points(state: Doolittle, data: Data) -> int:
    """[1.2, 1.3] Return the score so far; at the end of the campaign its grades."""
    if campaign.is_due(state) and state.at.phase == DEBRIEFING:
        return campaign.grades(state, data)
    facts = count_facts(state, data)
    return sum(score.points(facts) for score in scores(state, data))


def standing(state: Doolittle, data: Data) -> dict[str, int]:
    """[1.2, 1.3] Return the points so far; in the campaign its grades."""
    return {"usa": campaign.grades(state, data) if campaign.is_due(state) else points(state, data)}


def standing_name(state: Doolittle, data: Data) -> str:
    """Return what the standing counts."""
    return "grades" if campaign.is_due(state) else "points"


FACT_NAMES = {
    "box-blast": "Blast at targets",
    "area-blast": "Blast elsewhere",
    "boxes-hit": "Targets hit",
    "cities-hit": "Cities hit",
    "carriers-hit": "Carriers hit",
    "bombers-destroyed": "Bombers lost",
    "bombers-damaged": "Bombers damaged",
    "good-landings-china": "Bombers safe in China",
    "crews-china": "Crews in China",
    "crews-ditched-elsewhere": "Crews down elsewhere",
    "bombers-destroyed-with-crew": "Bombers lost with their crews",
    "landed-vladivostok": "Bombers in Siberia",
    "carriers-sunk": "Our carriers sunk",
    "carriers-damaged": "Our carriers damaged",
    "ships-sunk": "Other ships of ours sunk",
    "ships-damaged": "Other ships of ours damaged",
    "i-boats": "I-boats driven off",
    "enemy-ships": "Enemy ships sunk",
    "enemy-carriers": "Enemy carriers among them",
    "launched": "Bombers launched",
}
"""What counts, as text."""


def is_good(data: Data, state: Doolittle, grade: str) -> bool:
    """Return whether a grade is one of the upper ones: the third of five, or better."""
    bands = list(scenario_card(state, data).bands.values())
    return bands.index(grade) >= len(bands) // 2
