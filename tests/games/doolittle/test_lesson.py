"""Tests of the tutorial and the glossary."""

from __future__ import annotations

import re
from random import Random

import pytest

from readyroom import Match
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.state import CAPTAIN


@pytest.mark.parametrize("seed", ["", "3", "9"])
def test_lesson_decisions_all_have_tips(seed: str) -> None:
    lesson = GAME.lesson
    assert lesson is not None
    match = Match(GAME, lesson.scenario, options=lesson.options, seed=seed or lesson.seed)
    bot = GAME.analysis.bots[lesson.bot](CAPTAIN, Random(1))
    while match.pending:
        decision = match.pending[lesson.seat]
        assert lesson.tip(decision.rule, match.state.at.turn), decision.rule
        match.decide(lesson.seat, bot(decision, lambda: match.view(CAPTAIN)))


def test_lesson_cites_existing_rules() -> None:
    assert GAME.lesson is not None
    assert {step.rule for step in GAME.lesson.step} <= {rule.number for rule in GAME.rulebook.rule}


def test_glossary_words_are_unique_and_include_bots() -> None:
    texts = [word.lower() for term in GAME.glossary.term for word in (term.word, *term.also)]
    assert len(texts) == len(set(texts))
    assert set(GAME.analysis.bots) <= set(texts)


def test_abbreviations_of_the_rules_are_in_the_glossary() -> None:
    texts = {word for term in GAME.glossary.term for word in (term.word, *term.also)}
    assert {word for rule in GAME.rulebook.rule for word in re.findall(r"\b[A-Z]{2,}\b", rule.text)} <= texts
