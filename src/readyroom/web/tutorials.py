"""The first evenings: what a wargame is, a page for each game's lesson, and what a lesson says at its table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect

from readyroom.engine.books import Tutorial
from readyroom.engine.decisions import Decision
from readyroom.engine.errors import UnknownGame
from readyroom.engine.match import Match
from readyroom.engine.table import LogLine
from readyroom.store import Player, SeatAssignment, Store
from readyroom.web import catalog
from readyroom.web.board_svg import draw
from readyroom.web.pages import Asking, Page
from readyroom.web.profile import get_or_create_player
from readyroom.web.reading import reader

AnyMatch = Match[Any, Any]


# -- before the table ------------------------------------------------------------------------------------------------


@get("/tutorial", sync_to_thread=True)
def tutorial_index(page: Page) -> Response[str]:
    """What a wargame is, and the lessons that there are."""
    return page("tutorials.html", games=games_with_tutorial())


@get("/tutorial/{name:str}", sync_to_thread=True)
def tutorial_page(page: Page, name: str) -> Response[str]:
    """The introduction of a game's tutorial: the player's role, the goal, and the opening board."""
    game, lesson = _taught(name)
    return page("tutorial.html", book=reader(name), game=game, lesson=lesson, **_laid(name))


@post("/tutorial", sync_to_thread=True)
def begin(request: Asking, store: Store, player: Player | None, form: FormMultiDict) -> Response[str] | Redirect:
    """Create the match of a game's tutorial, and redirect to it."""
    game, lesson = _taught(str(form.get("game") or next((game.key for game in games_with_tutorial()), "")))
    seats = game.seats(game.scenario(lesson.scenario), game.resolve(lesson.options))
    who = {
        seat.key: SeatAssignment("me") if seat.key == lesson.seat else SeatAssignment("bot", lesson.bot)
        for seat in seats
    }
    arrival = get_or_create_player(request, store, player)
    opened = store.create_match(
        arrival.player, game.key, lesson.scenario, lesson.options, who, seed=lesson.seed, guided=True
    )
    return arrival.seated(Redirect(f"/m/{opened.id}", status_code=303))


def games_with_tutorial() -> list[catalog.AnyGame]:
    """Return the games with a tutorial, in their sort order."""
    return [game for game in catalog.games().values() if game.lesson]


def _taught(name: str) -> tuple[catalog.AnyGame, Tutorial]:
    """A game and its lesson; `UnknownGame` if there is no such game, or if it has none."""
    game = catalog.find(name)
    if game.lesson is None:
        raise UnknownGame(game.key, [other.key for other in games_with_tutorial()], where="tutorials")
    return game, game.lesson


@lru_cache(maxsize=64)
def _laid(name: str) -> dict[str, Any]:
    """The board at the start of a lesson as the learner sees it, and who sits there."""
    game, lesson = _taught(name)
    match = laid(game, lesson)
    seats = {seat.key: seat for seat in match.seats}
    others = [seat.name for seat in match.seats if seat.key != lesson.seat]
    return {
        "board": draw(game, match.view(lesson.seat)),
        "own": seats[lesson.seat],
        "colour": catalog.colour(game, seats[lesson.seat].side),
        "others": others,
        "scenario": match.scenario,
    }


def laid(game: catalog.AnyGame, lesson: Tutorial) -> AnyMatch:
    """Return the opening position of a tutorial's match."""
    return Match(game, lesson.scenario, lesson.options, lesson.seed, checkpoints=False)


# -- at the table ----------------------------------------------------------------------------------------------------


def at_table(match: AnyMatch, seat: str | None, guided: bool, asked: Decision | None) -> dict[str, Any] | None:
    """Return what the match page shows of a tutorial to its player; None in other matches, and for spectators.

    `left` says that the player has paused the tutorial. Otherwise `tip` is the tip for the question, `end` whether
    the lesson is over, and `next` the game whose lesson comes after this one's.
    """
    lesson = match.game.lesson
    if lesson is None or seat != lesson.seat or not (guided or is_lesson(match, lesson)):
        return None
    data = {"left": not guided, "lesson": lesson, "game": match.game, "tip": None, "end": False}
    if not guided:
        return data
    turn = match.state.at.turn
    return data | {
        "goal": told_in(match.game, lesson.goal),
        "turn": min(turn, lesson.turns),
        "tip": tip(match.game, asked, turn),
        "first": all(getattr(entry, "seat", "") != seat for entry in match.record_entries()),
        "end": match.outcome is not None or turn > lesson.turns,
        "closing": told_in(match.game, lesson.closing),
        "next": after(match.game.key),
    }


def is_lesson(match: AnyMatch, lesson: Tutorial) -> bool:
    """Whether a match was created as this tutorial, even if it is paused."""
    return match.seed == lesson.seed and match.scenario.key == lesson.scenario


def after(name: str) -> catalog.AnyGame | None:
    """Return the game of the next tutorial, and after the last one the first."""
    games = games_with_tutorial()
    keys = [game.key for game in games]
    if name not in keys or len(games) < 2:
        return None
    return games[(keys.index(name) + 1) % len(games)]


def tip(game: catalog.AnyGame, asked: Decision | None, turn: int) -> dict[str, Any] | None:
    """What the game's lesson says to a question, the words of the hobby explained; None where it says nothing."""
    if game.lesson is None or asked is None:
        return None
    step = game.lesson.tip(asked.rule, turn, asked.piece_key)
    if step is None:
        return None
    explained = set[str]()
    return {
        "rule": step.rule,
        "title": step.title,
        "text": told_in(game, step.text, explained),
        "suggest": told_in(game, step.suggest, explained),
        "show": step.show,
        "ask": "lesson" if step.suggested_keys(asked) else "staff" if step.staff else "",
    }


def told_in(game: catalog.AnyGame, text: str, explained: set[str] | None = None) -> str:
    """A text of the lesson with the words of the glossary linked, each once."""
    return reader(game.key).linkify(text.strip(), explained=explained)


def advised(match: AnyMatch, asked: Decision) -> list[str]:
    """The keys of what the lesson advises to a question; empty where it names none."""
    lesson = match.game.lesson
    step = lesson.tip(asked.rule, match.state.at.turn, asked.piece_key) if lesson is not None else None
    return step.suggested_keys(asked) if step is not None else []


def notes_on(match: AnyMatch, lines: Sequence[LogLine]) -> dict[int, str]:
    """What the lesson says beneath lines of the log, by their numbers: once for each rule, where it first speaks."""
    lesson = match.game.lesson
    first = dict[str, int]()
    for number, line in enumerate(lines):
        first.setdefault(line.rule, number)
    log_notes = lesson.news if lesson is not None else []
    return {first[news.rule]: told_in(match.game, news.text) for news in log_notes if news.rule in first}


router = Router("/", route_handlers=[tutorial_index, tutorial_page, begin], include_in_schema=False)
