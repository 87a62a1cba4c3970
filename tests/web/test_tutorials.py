"""Tests of the tutorials: list, tips, pausing and finishing."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache, partial
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.web.server import Browser, Site

from readyroom import Match, bots, games
from readyroom.engine.books import Tutorial
from readyroom.engine.game import Game
from readyroom.engine.rules.decisions import Decision
from readyroom.web import formatting
from readyroom.web.board_svg import draw
from readyroom.web.pages.games import tutorials

LESSONS = [name for name in games.game_names() if games.load(name).lesson]
AS_TOLD = "as suggested"
"""A learner who follows the tips and plays like the bot where they advise nothing."""
LEARNERS = (AS_TOLD, "staff", "random 1", "random 2", "random 3")
PATIENT = 40
"""Maximum number of decisions in a tutorial."""
Place = tuple[str, int, str]
"""A tutorial step: rule, turn and subject."""


def lesson_of(game: Game[Any, Any]) -> Tutorial:
    """Return a game's tutorial, which must exist."""
    assert game.lesson is not None
    return game.lesson


@dataclass
class Evening:
    """A played tutorial: the steps in order (None: no tip), those with advice, and the match."""

    match: Match[Any, Any]
    asked: list[Place | None] = field(default_factory=list)
    advised: set[Place] = field(default_factory=set)
    boards: dict[Place, str] = field(default_factory=dict)


@cache
def evening(name: str, learner: str) -> Evening:
    """Play a game's tutorial to its end."""
    game = games.load(name)
    lesson, random = lesson_of(game), Random(learner)
    match = tutorials.start_match(game, lesson)
    players = {seat.key: bots.make_bot(game, lesson.bot, seat.key, random) for seat in match.seats}
    if learner.startswith("random"):
        players[lesson.seat] = bots.make_bot(game, "random", lesson.seat, random)
    met = Evening(match)
    while match.outcome is None and match.state.at.turn <= lesson.turns:
        for seat, decision in match.pending.items():
            keys = learnt(met, decision) if seat == lesson.seat else []
            keys = keys if keys and learner == AS_TOLD else list(players[seat](decision, partial(match.view, seat)))
            match.decide(seat, keys)
    return met


def learnt(met: Evening, decision: Decision) -> list[str]:
    """Record the tip for a decision; return its advised keys. All questions without a choice have the same tip."""
    match, lesson = met.match, lesson_of(met.match.game)
    if decision.only_continues:
        assert tutorials.tip(match.game, decision, match.state.at.turn)
        return tutorials.advised(match, decision)
    step = lesson.tip(decision.rule, match.state.at.turn, decision.piece_key)
    place = (step.rule, step.turn, step.about) if step is not None else None
    met.asked.append(place)
    if step is None or place is None:
        return []
    if step.show and place not in met.boards:
        met.boards[place] = str(draw(match.game, match.view(lesson.seat), formatting.decision(decision)))
    keys = tutorials.advised(match, decision)
    if keys:
        met.advised.add(place)
    return keys


# -- tutorial content ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LESSONS)
def test_tutorial_names_existing_things(name: str) -> None:
    game = games.load(name)
    lesson = lesson_of(game)
    seats = game.rules.seats(game.scenario(lesson.scenario), game.resolve(lesson.options))
    assert lesson.seat in {seat.key for seat in seats}
    assert lesson.bot in bots.bot_names(game)
    for rule in [*(step.rule for step in lesson.step), *(news.rule for news in lesson.news)]:
        game.rulebook.find(rule)
    assert all(0 <= step.turn <= lesson.turns for step in lesson.step)
    assert max(Counter((step.rule, step.turn, step.about) for step in lesson.step).values()) == 1


@pytest.mark.parametrize("name", LESSONS)
def test_tips_are_short(name: str) -> None:
    lesson = lesson_of(games.load(name))
    for step in lesson.step:
        sentences = len(re.findall(r"[.!?](?:\s|$)", step.text.strip()))
        assert 2 <= sentences <= 4, f"{step.title}: {sentences} sentences"
        assert len(step.text) < 400
        assert step.suggest
    assert all(len(news.text) < 240 for news in lesson.news)
    assert len(lesson.goal) < 320


@pytest.mark.sample(10)
@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_decision_of_the_tutorial_has_a_tip(name: str, learner: str) -> None:
    assert None not in evening(name, learner).asked


@pytest.mark.parametrize("name", LESSONS)
def test_every_tip_is_shown(name: str) -> None:
    """Tips for a fixed turn appear if the advice is followed; the others may need other play."""
    known = {(step.rule, step.turn, step.about) for step in lesson_of(games.load(name)).step}
    items = {place for place in evening(name, AS_TOLD).asked if place is not None}
    met = items.union(*({place for place in evening(name, learner).asked if place} for learner in LEARNERS))
    assert {place for place in known - items if place[1]} == set()
    assert known - met == set()
    assert len(items) > 0.7 * len(known)


@pytest.mark.parametrize("name", LESSONS)
def test_suggestions_are_legal(name: str) -> None:
    steps = {(step.rule, step.turn, step.about): step for step in lesson_of(games.load(name)).step}
    met = evening(name, AS_TOLD)
    assert {place for place in met.asked if place and steps[place].pick} - met.advised == set()


@pytest.mark.parametrize("name", LESSONS)
def test_tips_point_at_pieces_on_the_board(name: str) -> None:
    steps = {(step.rule, step.turn, step.about): step for step in lesson_of(games.load(name)).step}
    for place, board in evening(name, AS_TOLD).boards.items():
        assert [text for text in steps[place].show if not drawn(board, text)] == [], place


def drawn(board: str, text: str) -> bool:
    """Return whether a board has what a tip points at: a piece key, or a CSS class with a text."""
    parts = list(ElementTree.fromstring(board).iter())
    if not text.startswith("."):
        return any(part.get("data-key") == text for part in parts)
    kind, _, phrase = text.partition(" ")
    wanted, other = (set(re.findall(pattern, kind)) for pattern in (r"(?<!not\()\.([\w-]+)", r":not\(\.([\w-]+)\)"))
    kinds = {part: set(part.get("class", "").split()) for part in parts}
    return any(wanted <= has and not other & has and phrase in "".join(part.itertext()) for part, has in kinds.items())


@pytest.mark.parametrize("name", LESSONS)
def test_log_notes_are_shown(name: str) -> None:
    match = evening(name, AS_TOLD).match
    news = lesson_of(match.game).news
    assert len(news) == len(tutorials.notes_on(match, match.log(lesson_of(match.game).seat)))
    assert len(news) >= 3


@pytest.mark.parametrize("name", LESSONS)
def test_tutorial_is_short(name: str) -> None:
    assert 6 <= len(evening(name, AS_TOLD).asked) <= PATIENT


@pytest.mark.parametrize("name", LESSONS)
def test_tutorial_says_how_long_it_takes(name: str, browser: Browser) -> None:
    """The minutes are those of reading 180 words a minute, with 20 seconds for each decision."""
    met = evening(name, AS_TOLD)
    lesson = lesson_of(met.match.game)
    decisions = sum(getattr(entry, "seat", "") == lesson.seat for entry in met.match.record_entries())
    steps = {(step.rule, step.turn, step.about): step for step in lesson.step}
    shown = [steps[place] for place in dict.fromkeys(met.asked) if place is not None]
    texts = [lesson.intro, lesson.goal, lesson.closing, *(news.text for news in lesson.news)]
    words = sum(len(text.split()) for text in [*texts, *(step.text + step.suggest for step in shown)])
    assert lesson.decisions == decisions
    assert abs(lesson.minutes - (words / 180 + decisions / 3 + 1)) < 3
    for path in ("/tutorial", f"/tutorial/{name}"):
        page = browser.get(path).text
        assert f"{lesson.decisions} decisions" in page
        assert f"about {lesson.minutes} minutes" in page


def test_tip_is_for_its_turn_and_piece() -> None:
    lesson = lesson_of(games.load("midway"))
    first, later, over = (lesson.tip("14.1", turn) for turn in (1, 5, lesson.turns + 1))
    assert first is not None
    assert later is not None
    assert later is over
    assert first.title != later.title
    assert lesson.tip("12.1", 3) is not lesson.tip("12.1", 4)
    tora = lesson_of(games.load("tora"))
    assert tora.tip("8.3", 3, "move:2NE") is not tora.tip("8.3", 3, "move:2NW")
    assert lesson.tip("1", 1) is None


def test_tip_explains_terms() -> None:
    match = tutorials.start_match(games.load("midway"), lesson_of(games.load("midway")))
    while "usa" not in match.pending:
        match.decide("japan", match.pending["japan"].sample(Random(1)))
    data = tutorials.tip(match.game, match.pending["usa"], 1)
    assert data is not None
    assert 'class="term"' in data["text"]
    assert data["ask"] == "lesson"


def test_undone_decision_is_not_counted() -> None:
    match = tutorials.start_match(games.load("pearl"), lesson_of(games.load("pearl")))
    match.decide("japan", match.pending["japan"].sample(Random(1)))
    match.undo("japan")
    data = tutorials.at_table(match, "japan", True, match.pending["japan"])
    assert data is not None
    assert data["number"] == 1
    assert data["scores"] == {"United States": 0, "Japan": 0}


def test_game_without_tutorial_has_no_tips() -> None:
    bare = replace(games.load("midway"), package="email.mime")
    assert bare.lesson is None
    assert bare.glossary.term == []
    asked = next(iter(Match(bare, seed="").pending.values()))
    assert tutorials.tip(bare, asked, 1) is None
    assert tutorials.at_table(Match(bare, seed=""), "usa", True, asked) is None


# -- tutorial results ------------------------------------------------------------------------------------------------


@pytest.mark.rule("midway", "12.4", "17.2")
def test_midway_tutorial_strikes_in_turn_three() -> None:
    """A player who follows the tips cripples the Soryu with the first strike."""
    match = evening("midway", AS_TOLD).match
    crippled = [line for line in match.log("usa") if line.text.startswith("Soryu is crippled")]
    assert [line.turn for line in crippled] == [3]


@pytest.mark.rule("pearl", "PH.2", "PH.4", "PH.7", "PH.10", "PH.11")
def test_air_raid_tutorial_has_both_strikes_and_is_won() -> None:
    met = evening("pearl", AS_TOLD)
    first = [("PH.2", 1, ""), ("PH.4", 1, ""), ("PH.7", 1, ""), ("PH.10", 1, "stay"), ("PH.10", 1, "patrol")]
    assert met.asked == [*first, ("PH.11", 0, ""), ("PH.4", 0, ""), ("PH.7", 0, "")]
    assert met.match.outcome is not None
    assert met.match.outcome.winner == "japan"
    shown = tutorials.at_table(met.match, "japan", True, None)
    assert shown is not None
    assert sorted(shown["scores"].values()) == sorted(met.match.outcome.scores.values()), "with Magic kept"


@pytest.mark.parametrize(("name", "title"), [("picket", "American marginal victory"), ("doolittle", "Strong")])
def test_following_the_tips_plays_well(name: str, title: str) -> None:
    outcome = evening(name, AS_TOLD).match.outcome
    assert outcome is not None
    assert outcome.title == title


# -- pages -----------------------------------------------------------------------------------------------------------


def begun(browser: Browser, game: str) -> str:
    """Start a game's tutorial; return the match id."""
    answer = browser.form("/tutorial", {"game": game})
    assert answer.status_code == 303
    return str(answer.headers["location"].removeprefix("/m/"))


@pytest.mark.parametrize("path", ["/", "/games", "/tutorial"])
def test_every_game_links_to_its_tutorial(browser: Browser, path: str) -> None:
    assert set(re.findall(r'href="/tutorial/(\w+)"', browser.get(path).text)) == set(LESSONS)


@pytest.mark.parametrize("name", LESSONS)
def test_tutorial_page_introduces_the_tutorial(browser: Browser, name: str) -> None:
    page = browser.get(f"/tutorial/{name}").text
    assert 'class="board' in page
    assert "Goal" in page
    assert re.findall(r'name="game" value="(\w+)"', page) == [name, name]
    assert f'href="/tutorial/{name}"' in browser.get(f"/games/{name}").text


def test_unknown_tutorial_returns_404(browser: Browser) -> None:
    assert browser.get("/tutorial/chess").status_code == 404


@pytest.mark.parametrize("name", LESSONS)
def test_tutorial_creates_a_guided_match(browser: Browser, site: Site, name: str) -> None:
    lesson = lesson_of(games.load(name))
    summary = site.store.listings.summary(begun(browser, name))
    assert (summary.game, summary.tutorial, summary.started) == (name, True, True)
    assert {seat.key for seat in summary.seats if not seat.bot} == {lesson.seat}
    assert summary.waiting == (lesson.seat,)
    with site.store.matches.open(summary.id) as match:
        assert match.seed == lesson.seed


def test_tutorial_form_needs_its_token(browser: Browser) -> None:
    assert browser.post("/tutorial", data={"game": LESSONS[0]}).status_code == 403


def test_tips_of_the_air_raid_win() -> None:
    lesson = lesson_of(games.load("pearl"))
    met = evening("pearl", AS_TOLD)
    assert met.match.outcome is not None
    assert met.match.outcome.winner == lesson.seat


def test_tip_selects_its_suggestion(browser: Browser) -> None:
    page = browser.get(f"/m/{begun(browser, 'pearl')}?seat=japan&ask=lesson").text
    assert "Tutorial: 2 cards." in page
    assert re.search(r'value="magic-2"[^>]* checked', page)


def test_tutorial_is_paused_and_resumed(browser: Browser, friend: Browser) -> None:
    match_id = begun(browser, "picket")
    assert "Goal:" in browser.get(f"/m/{match_id}").text
    browser.form(f"/m/{match_id}/lesson", {"seat": "captain", "guided": "no"})
    left = browser.get(f"/m/{match_id}").text
    assert 'id="tip-of-the-lesson"' not in left
    assert "Resume tutorial" in left
    assert friend.form(f"/m/{match_id}/lesson", {"seat": "captain", "guided": "yes"}).status_code == 403
    assert "lesson" not in friend.get(f"/m/{match_id}").text.partition("<main")[2]
    browser.form(f"/m/{match_id}/lesson", {"seat": "captain", "guided": "yes"})
    assert 'id="tip-of-the-lesson"' in browser.get(f"/m/{match_id}").text


def test_finished_tutorial_leads_to_the_next(browser: Browser, site: Site) -> None:
    match_id = begun(browser, "pearl")
    assert "Tutorial complete" not in browser.get(f"/m/{match_id}").text
    while site.store.listings.summary(match_id).outcome is None:
        seat = site.store.listings.summary(match_id).waiting[0]
        with site.store.matches.open(match_id) as match:
            decision = match.pending[seat]
            keys = tutorials.advised(match, decision) or decision.sample(Random(1))
            revision = match.revision_for(seat, decision.revision)
        site.store.matches.answer(match_id, seat, keys, revision)
    page = browser.get(f"/m/{match_id}").text
    assert "Tutorial complete" in page
    assert "Explanation:" in page
    outcome = site.store.listings.summary(match_id).outcome
    assert outcome is not None
    scores = f"Japan {outcome.scores['japan']}, United States {outcome.scores['usa']}"
    assert f"<strong>Score:</strong> {scores}." in page, "with the Magic cards that were kept"
    after = tutorials.after("pearl")
    assert after is not None
    assert f"Next tutorial: {lesson_of(after).title}" in page
    assert "Restart this tutorial" in page


def test_tutorials_form_a_cycle() -> None:
    on = {game.key: after.key for game in tutorials.games_with_tutorial() if (after := tutorials.after(game.key))}
    assert set(on) == set(on.values()) == set(LESSONS)
    assert tutorials.after("chess") is None
