"""Puzzles: a list by game, a position to solve, and the explanation after the answer."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache, reduce
from operator import and_
from typing import Any, NamedTuple

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.response import Redirect

from readyroom.engine.errors import IllegalChoice
from readyroom.engine.game import MatchView
from readyroom.store import Player, Store
from readyroom.store.matches.records import prepare_import
from readyroom.store.puzzles import FirstAnswer, PuzzleRating, expected_rating
from readyroom.study.daily import keys
from readyroom.study.puzzles.puzzle import Answer, Puzzle, find_puzzle, puzzle_games, puzzles_of, seat_of, seats_of
from readyroom.study.puzzles.solution import next_lines
from readyroom.study.puzzles.titles import puzzle_names, puzzle_of_the_day, stake
from readyroom.web import board_svg, catalog, formatting
from readyroom.web.board_image import board_image, image_response
from readyroom.web.jobs.tasks import BranchedMatch
from readyroom.web.pages.match.review import open_branch
from readyroom.web.pages.match.table_view import DraftAnswer, card_context, folded_options, log_chapters
from readyroom.web.pages.players.ladder import PROVISIONAL
from readyroom.web.pages.players.profile import get_or_create_player
from readyroom.web.rendering import SCHEME, AppRequest, Page, Reply

RECENT = 12
"""The number of log lines before the decision that a puzzle shows."""
RATED = 5
"""A puzzle that fewer players have tried is unrated: its difficulty is a guess from the bots' answers."""
LEVELS = ((1400.0, "easy"), (1650.0, "medium"), (float("inf"), "hard"))
"""The ratings below which a puzzle is easy, medium or hard."""


class PuzzlePosition(NamedTuple):
    """What the seat of a puzzle may know, as plain data: its view, the question, the phase, and the log.

    `decision` is that of the match, whose options the board shows. `texts` say how the answers differ, and `common` is
    what all of them choose that choose anything.
    """

    view: MatchView[Any]
    decision: dict[str, Any]
    asked: dict[str, Any]
    phase: str
    log: list[dict[str, Any]]
    lines: int
    side: str
    choices: list[Answer]
    texts: list[str]
    common: str
    is_pick: bool


class PuzzleItem(NamedTuple):
    """A puzzle in a list: how hard it is, and the viewer's first answer."""

    puzzle: Puzzle
    name: str
    seat: str
    rating: PuzzleRating
    mine: FirstAnswer | None

    @property
    def level(self) -> str:
        """The difficulty in a word."""
        return level(self.puzzle, self.rating)

    @property
    def stake(self) -> int:
        """By how many points the worst answer is worse than the best."""
        return stake(self.puzzle)


class GameRow(NamedTuple):
    """The puzzles of a game: how many there are and are solved, how many of each level, and the next for the viewer."""

    game: catalog.AnyGame
    puzzles: int
    solved: int
    levels: list[tuple[str, int]]
    following: Puzzle | None


class AnswerBar(NamedTuple):
    """An answer in the explanation: its text, and its loss with the interval, drawn from 0 to 100 (the best)."""

    text: str
    answer: Answer
    is_best: bool
    is_mine: bool
    mean: float
    low: float
    high: float


def level(puzzle: Puzzle, known: PuzzleRating) -> str:
    """Return the difficulty of a puzzle in a word: until enough players have tried it, as the bots' answers have it."""
    rating = known.rating if known.tries >= RATED else expected_rating(puzzle)
    return next(name for least, name in LEVELS if rating.rating < least)


@lru_cache(maxsize=128)
def position(id: str) -> PuzzlePosition:
    """Return the position of a puzzle; nothing of it says which answer is best. Raise `NoSuchPuzzle`."""
    puzzle = find_puzzle(id)
    match, seat = puzzle.match(), puzzle.spec.seat
    decision, at, lines = match.pending[seat], match.shown_at(seat), match.log(seat)
    choices, data = puzzle.choices(decision), formatting.decision(decision, 0)
    texts, common = _differences(data, choices)
    asked, is_pick = formatting.decision(puzzle.question(decision), 0), puzzle.is_pick(decision)
    if is_pick:
        for option, text, choice in zip(asked["options"], texts, choices, strict=True):
            option.update(text=text, means=" ".join(choice.keys))
    return PuzzlePosition(
        match.view(seat),
        data,
        asked,
        match.game.phase(at.phase).title,
        log_chapters(match, lines, RECENT),
        len(lines),
        match.seat(seat).side,
        choices,
        texts,
        common,
        is_pick,
    )


def _differences(data: dict[str, Any], choices: list[Answer]) -> tuple[list[str], str]:
    """Return each answer without what all of them choose, if they choose anything, and that, in few words."""
    chosen = [Counter(one.keys) for one in choices]
    shared = reduce(and_, list(filter(None, chosen))) if sum(map(bool, chosen)) > 1 else Counter[str]()
    rests = [list((keys - shared).elements()) for keys in chosen]
    texts = [
        "nothing more" if keys and not rest else formatting.summarize(data, rest)
        for keys, rest in zip(chosen, rests, strict=True)
    ]
    texts = [
        text if texts.count(text) == 1 else formatting.named(data, rest, len(rest))
        for text, rest in zip(texts, rests, strict=True)
    ]
    return texts, formatting.summarize(data, list(shared.elements())) if shared else ""


def chosen_answer(puzzle: Puzzle, keys: list[str]) -> Answer:
    """Return the answer that keys of the question stand for; raise `IllegalChoice`."""
    return puzzle.answer(puzzle.match(log=False).pending[puzzle.spec.seat], keys)


# -- pages -----------------------------------------------------------------------------------------------------------


@get("/puzzles", sync_to_thread=True)
def puzzles_page(page: Page, store: Store) -> Response[str]:
    """List the games with puzzles."""
    rows = [
        _game_row(catalog.find(name), items) for name in puzzle_games() if (items := _items(store, page.player, name))
    ]
    return page("puzzles.html", rows=rows, today=todays_puzzle(store, page.player))


@get("/puzzles/{id:str}/board.svg", sync_to_thread=True)
def puzzle_image(request: AppRequest, id: str) -> Response[str]:
    """Return a drawing of the board of a puzzle as its side sees it."""
    return image_response(_board_image(find_puzzle(id).id, request.cookies.get(SCHEME, "")))


@lru_cache(maxsize=128)
def _board_image(id: str, scheme: str) -> str:
    puzzle = find_puzzle(id)
    return board_image(puzzle.game, puzzle.match(log=False).view(puzzle.spec.seat), scheme) or ""


@get("/games/{name:str}/puzzles", sync_to_thread=True)
def game_page(page: Page, store: Store, name: str) -> Response[str]:
    """List the puzzles of a game, the easiest first."""
    game = catalog.find(name)
    items = _items(store, page.player, game.key)
    own = store.puzzles.player_rating(page.player.id, game.key) if page.player is not None else None
    return page(
        "puzzles-game.html",
        game=game,
        items=items,
        own=own,
        rated=RATED,
        provisional=PROVISIONAL,
        following=_next(items),
    )


def todays_puzzle(store: Store, player: Player | None) -> PuzzleItem | None:
    """Return the puzzle of the day (UTC) for a player; None if no game has puzzles."""
    puzzle = puzzle_of_the_day(keys.clock().date())
    if puzzle is None:
        return None
    mine = store.puzzles.answers(player.id).get(puzzle.id) if player is not None else None
    name = puzzle_names(puzzle.game.key)[puzzle.id]
    return PuzzleItem(puzzle, name, seat_of(puzzle).name, store.puzzles.rating(puzzle), mine)


def _items(store: Store, player: Player | None, name: str) -> list[PuzzleItem]:
    """Return the puzzles of a game, the easiest first."""
    known = puzzles_of(name)
    mine = store.puzzles.answers(player.id) if player is not None else {}
    ratings, names = store.puzzles.ratings(known.values()), puzzle_names(name)
    items = [
        PuzzleItem(each, names[key], seat_of(each).name, ratings[key], mine.get(key)) for key, each in known.items()
    ]
    return sorted(items, key=lambda item: (item.rating.rating.rating, item.puzzle.id))


def _game_row(game: catalog.AnyGame, items: list[PuzzleItem]) -> GameRow:
    solved = sum(item.mine is not None and item.mine.is_solved for item in items)
    many = Counter(item.level for item in items)
    levels = [(name, many[name]) for _, name in LEVELS if many[name]]
    return GameRow(game, len(items), solved, levels, _next(items))


def _next(items: list[PuzzleItem]) -> Puzzle | None:
    """Return the easiest puzzle without an answer."""
    return next((item.puzzle for item in items if item.mine is None), None)


@get("/puzzles/{id:str}", sync_to_thread=True)
def puzzle_page(page: Page, store: Store, id: str) -> Response[str]:
    """Show a puzzle; once the player has answered, with the explanation."""
    return _puzzle_page(page, store, find_puzzle(id))


def _puzzle_page(page: Page, store: Store, puzzle: Puzzle, draft: DraftAnswer | None = None) -> Response[str]:
    rating = store.puzzles.rating(puzzle)
    known = position(puzzle.id)
    mine = store.puzzles.answers(page.player.id).get(puzzle.id) if page.player is not None else None
    asked = None if mine is not None else known.asked
    board = board_svg.draw(puzzle.game, known.view, known.decision, shape=page.shape)
    return page(
        "puzzle.html",
        status=409 if draft is not None else 200,
        secret=True,
        puzzle=puzzle,
        summary={"game": puzzle.game.key, "dice_label": ""},  # for links to rules
        game=puzzle.game,
        scenario=puzzle.game.scenario(puzzle.source.scenario),
        seat=seat_of(puzzle),
        side=known.side,
        colour={each.side: catalog.colour(puzzle.game, each.side) for each in seats_of(puzzle)},
        known=known,
        name=puzzle_names(puzzle.game.key)[puzzle.id],
        rating=rating,
        rated=RATED,
        provisional=PROVISIONAL,
        level=level(puzzle, rating),
        board=board,
        asked=asked,
        folded=folded_options(asked, board),
        **card_context(asked, draft or DraftAnswer()),
        chances=puzzle.is_win_chance,
        **(_explanation(store, page, puzzle, known, mine) if mine is not None else {"mine": None}),
    )


def _explanation(store: Store, page: Page, puzzle: Puzzle, known: PuzzlePosition, mine: FirstAnswer) -> dict[str, Any]:
    """Return what the page shows after the answer."""
    widest = -min(one.loss.low for one in puzzle.spec.answers) or 1.0
    texts = dict(zip((one.keys for one in known.choices), known.texts, strict=True))

    def at(loss: float) -> float:
        return round(100 + 100 * max(-widest, loss) / widest, 1)

    bars = [
        AnswerBar(
            texts[one.keys],
            one,
            one is puzzle.best,
            one.keys == mine.keys,
            *map(at, (one.loss.mean, one.loss.low, one.loss.high)),
        )
        for one in puzzle.spec.answers
    ]
    return {
        "mine": mine,
        "bars": bars,
        "best_text": texts[puzzle.best.keys],
        "continuation": continuation(puzzle.id),
        "following": _next(_items(store, page.player, puzzle.game.key)),
        "own": store.puzzles.player_rating(page.player.id, puzzle.game.key) if page.player is not None else None,
    }


@lru_cache(maxsize=128)
def continuation(id: str) -> list[str]:
    """Return how it may continue after the best answer, as the seat sees it."""
    return next_lines(find_puzzle(id))


@post("/puzzles/{id:str}", sync_to_thread=True)
def answer(request: AppRequest, page: Page, store: Store, player: Player | None, form: FormMultiDict, id: str) -> Reply:
    """Answer a puzzle; the first answer counts."""
    puzzle = find_puzzle(id)
    try:
        chosen = chosen_answer(puzzle, [str(key) for key in form.getall("key", [])])
    except IllegalChoice as error:
        return _puzzle_page(page, store, puzzle, DraftAnswer(None, error.reason, error.rule))
    arrival = get_or_create_player(request, store, player)
    store.puzzles.answer(arrival.player.id, puzzle, chosen.keys)
    return arrival.seated(Redirect(f"/puzzles/{puzzle.id}", status_code=303))


@post("/puzzles/{id:str}/play-on", sync_to_thread=True)
def play_on(request: AppRequest, store: Store, player: Player | None, client_tag: str, id: str) -> Reply:
    """Start a match at the decision of a puzzle that the player has answered, to analyze it or to play on."""
    puzzle = find_puzzle(id)
    if player is None or id not in store.puzzles.answers(player.id):
        return Redirect(f"/puzzles/{id}", status_code=303)
    match = puzzle.match()
    prepared = prepare_import(match.record(), match.secret, origin="branch")
    branch = BranchedMatch(prepared, seat_of(puzzle).side)
    return open_branch(request, store, player, client_tag, puzzle.game.key, seats_of(puzzle), branch)


router = Router(
    "/", route_handlers=[puzzles_page, puzzle_image, game_page, puzzle_page, answer, play_on], include_in_schema=False
)
