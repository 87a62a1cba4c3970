"""Tutorials: the introduction, a page for each game's tutorial, and its tips during a match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect

from readyroom.engine.books import Step, Tutorial
from readyroom.engine.errors import UnknownGame
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import LogLine
from readyroom.store import Player, SeatAssignment, Store
from readyroom.web import catalog
from readyroom.web.board_svg import draw
from readyroom.web.pages.games.reader import reader
from readyroom.web.pages.players.profile import get_or_create_player
from readyroom.web.rendering import AppRequest, Page, Reply

AnyMatch = Match[Any, Any]


# -- before the table ------------------------------------------------------------------------------------------------


@get("/tutorial", sync_to_thread=True)
def tutorial_index(page: Page) -> Response[str]:
    """Show the introduction and the list of tutorials."""
    return page("tutorials.html", games=games_with_tutorial())


@get("/tutorial/{name:str}", sync_to_thread=True)
def tutorial_page(page: Page, name: str) -> Response[str]:
    """Show the introduction to a game's tutorial, with the starting board."""
    game, lesson = _tutorial_of(name)
    return page("tutorial.html", book=reader(name), game=game, lesson=lesson, **_opening_board(name))


@post("/tutorial", sync_to_thread=True)
def begin(request: AppRequest, store: Store, player: Player | None, form: FormMultiDict, client_tag: str) -> Reply:
    """Create the match of a tutorial and redirect to it."""
    game, lesson = _tutorial_of(str(form.get("game") or next((game.key for game in games_with_tutorial()), "")))
    seats = game.rules.seats(game.scenario(lesson.scenario), game.resolve(lesson.options))
    who = {seat.key: SeatAssignment("bot", lesson.bot) for seat in seats} | {lesson.seat: SeatAssignment("me")}
    arrival = get_or_create_player(request, store, player)
    opened = store.lobby.create(
        arrival.player, game.key, lesson.scenario, lesson.options, who, seed=lesson.seed, guided=True, client=client_tag
    )
    return arrival.seated(Redirect(f"/m/{opened.id}", status_code=303))


def games_with_tutorial() -> list[catalog.AnyGame]:
    """Return the games with a tutorial, in display order."""
    return [game for game in catalog.games().values() if game.lesson]


def _tutorial_of(name: str) -> tuple[catalog.AnyGame, Tutorial]:
    """Return a game and its tutorial; raise `UnknownGame` if there is none."""
    game = catalog.find(name)
    if game.lesson is None:
        raise UnknownGame(game.key, [other.key for other in games_with_tutorial()], where="tutorials")
    return game, game.lesson


@lru_cache(maxsize=64)
def _opening_board(name: str) -> dict[str, Any]:
    """Return the board at the start of a tutorial and its seats."""
    game, lesson = _tutorial_of(name)
    match = start_match(game, lesson)
    return {
        "board": draw(game, match.view(lesson.seat)),
        "own": match.seat(lesson.seat),
        "colour": catalog.colour(game, match.seat(lesson.seat).side),
        "others": [seat.name for seat in match.seats if seat.key != lesson.seat],
        "scenario": match.scenario,
    }


def start_match(game: catalog.AnyGame, lesson: Tutorial) -> AnyMatch:
    """Return the match of a tutorial at its start."""
    return Match(game, lesson.scenario, lesson.options, lesson.seed, checkpoints=False)


# -- at the table ----------------------------------------------------------------------------------------------------


def at_table(match: AnyMatch, seat: str | None, guided: bool, asked: Decision | None) -> dict[str, Any] | None:
    """Return the tutorial's context for its player; None in other matches and for spectators.

    `left` says that the tutorial is paused. Otherwise `tip` is the tip for the decision, `end` whether the tutorial is
    finished, `number` counts the player's decisions, this one included, and `next` is the game of the next tutorial.
    """
    lesson = match.game.lesson
    if lesson is None or seat != lesson.seat:
        return None
    if not guided and (match.seed, match.scenario.key) != (lesson.seed, lesson.scenario):
        return None
    data = {"left": not guided, "lesson": lesson, "game": match.game, "tip": None, "end": False}
    if not guided:
        return data
    turn = match.state.at.turn
    made = sum(entry.seat == seat for entry in match.decisions_since(0))
    standing = match.game.presentation.standing
    scores = standing(match.state, match.game.data) if standing is not None else {}
    return data | {
        "goal": explain_terms(match.game, lesson.goal),
        "turn": min(turn, lesson.turns),
        "tip": tip(match.game, asked, turn),
        "first": not made,
        "number": made + 1,
        "end": match.outcome is not None or turn > lesson.turns,
        "scores": {match.game.side_name(side, match.seats): score for side, score in scores.items()},
        "closing": explain_terms(match.game, lesson.closing),
        "next": after(match.game.key),
    }


def after(name: str) -> catalog.AnyGame | None:
    """Return the game of the next tutorial in display order, starting again after the last."""
    games = games_with_tutorial()
    keys = [game.key for game in games]
    if name not in keys or len(games) < 2:
        return None
    return games[(keys.index(name) + 1) % len(games)]


CONTINUES = Step(
    rule="",
    title="Nothing to choose",
    text="You have no choice in this step. The question keeps that from the enemy. Press Continue.",
)
"""The tip for a question whose only answer is to continue."""


def tip(game: catalog.AnyGame, asked: Decision | None, turn: int) -> dict[str, Any] | None:
    """Return the tutorial's tip for a decision with terms explained; None if there is none."""
    if game.lesson is None or asked is None:
        return None
    step = CONTINUES if asked.only_continues else game.lesson.tip(asked.rule, turn, asked.piece_key)
    if step is None:
        return None
    explained = set[str]()
    return {
        "rule": asked.rule,
        "title": step.title,
        "text": explain_terms(game, step.text, explained),
        "suggest": explain_terms(game, step.suggest, explained),
        "show": step.show,
        "ask": "lesson" if step.suggested_keys(asked) else "staff" if step.staff else "",
    }


def explain_terms(game: catalog.AnyGame, text: str, explained: set[str] | None = None) -> str:
    """Return a text of the tutorial with glossary terms linked once each."""
    return reader(game.key).linkify(text.strip(), explained=explained)


def advised(match: AnyMatch, asked: Decision) -> list[str]:
    """Return the keys that the tutorial suggests for a decision; empty if it suggests none."""
    lesson = match.game.lesson
    if asked.only_continues:
        return asked.keys
    step = lesson.tip(asked.rule, match.state.at.turn, asked.piece_key) if lesson is not None else None
    return step.suggested_keys(asked) if step is not None else []


def notes_on(match: AnyMatch, lines: Sequence[LogLine]) -> dict[int, str]:
    """Return the tutorial's notes by line number: one for each rule, where it first occurs."""
    first = dict[str, int]()
    for number, line in enumerate(lines):
        first.setdefault(line.rule, number)
    notes = match.game.lesson.news if match.game.lesson is not None else []
    return {first[note.rule]: explain_terms(match.game, note.text) for note in notes if note.rule in first}


router = Router("/", route_handlers=[tutorial_index, tutorial_page, begin], include_in_schema=False)
