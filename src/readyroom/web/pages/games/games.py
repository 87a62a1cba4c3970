"""Game pages: each game's rules, charts and odds, and a search over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from litestar import Response, Router, get, post
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from litestar.response import Redirect
from markupsafe import Markup

from readyroom.bots.balance import balance_of
from readyroom.engine.credits import DISCLAIMER
from readyroom.engine.credits import SOURCES as MEANINGS
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.match import Match
from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.forms import FormField, OddsQuery, OddsResult, groups
from readyroom.engine.text import en_dashes
from readyroom.store import Player, SeatAssignment, Store
from readyroom.web import catalog
from readyroom.web.board_svg import draw
from readyroom.web.pages.games.reader import Reader, reader, slug
from readyroom.web.pages.games.rule_texts import FoundRules, chapters, found_in_rules, rule_help
from readyroom.web.pages.games.search import search_all
from readyroom.web.pages.games.search_query import fold, parse_query
from readyroom.web.pages.home import high_scores
from readyroom.web.pages.players.profile import get_or_create_player
from readyroom.web.rendering import AppRequest, Page, Reply, wants_part

Query = Annotated[str, Parameter(max_length=400)]

SOURCES = {
    "rulebook": ("From the rulebook", "Printed in the game's rulebook."),
    "published": ("Published", "Published elsewhere; the source is given."),
    "reconstructed": ("Reconstructed", "Reconstructed by us; the basis is given."),
}
"""Labels of the sources of a chart."""
HELP_CACHE = "private, max-age=3600"
"""Rules change only with a new version, so browsers may keep what a pop-over has shown for an hour."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


# -- a game and its rules --------------------------------------------------------------------------------------------


@get("/games", sync_to_thread=True)
def game_list(page: Page) -> Response[str]:
    """Show all games."""
    return page("games.html", book=None, games=list(catalog.games().values()))


@get("/games/{name:str}", sync_to_thread=True)
def one_game(page: Page, store: Store, player: Player | None, name: str) -> Response[str]:
    """Show a game with its scenarios and options, and its high scores if it has one side."""
    book = reader(name)
    scores = high_scores.by_scenario(store, book.game, player.id if player is not None else "")
    return page("games.html", book=book, tab="game", high_scores=scores, **_game_context(name))


@lru_cache(maxsize=64)
def _game_context(name: str) -> dict[str, Any]:
    game = reader(name).game
    key = game.lesson.seat if game.lesson else None
    match = Match(game, seed="", log=False, checkpoints=False)
    seat = next((seat for seat in match.seats if seat.key == key), None)
    return {
        "game": game,
        "scenarios": catalog.scenarios(game),
        "has_balance": any(balance_of(game, each.key) for each in catalog.scenarios(game)),
        "options": game.options,
        "sides": catalog.sides(game, catalog.first_seats(game)),
        "bots": [(bot, catalog.about_bot(game, bot)) for bot in catalog.bots(game)],
        "board": draw(game, match.view(seat.key if seat else None).for_others()),
        "seen_by": seat.name if seat else "",
    }


@get("/games/{name:str}/rules", sync_to_thread=True)
def rules(page: Page, name: str, q: Query = "") -> Response[str]:
    """Show the rules with rulings and glossary, or those that match a search."""
    book, wanted = reader(name), parse_query(q)
    everything = FoundRules(chapters(name), book.game.glossary.term, 0)
    found = found_in_rules(name, wanted.normal) if wanted.text else everything
    return page(
        "rules.html",
        book=book,
        game=book.game,
        tab="rules",
        q=wanted,
        chapters=found.chapters,
        more=found.more,
        contents=everything.chapters,
        terms=sorted(found.terms, key=lambda term: fold(term.word)),
        slug=slug,
    )


@get("/games/{name:str}/rules/{number:str}", sync_to_thread=True)
def rule(page: Page, name: str, number: str) -> Reply:
    """Redirect to a rule or ruling, or list what the rulebook has if there is none of this number."""
    book = reader(name)
    for known in book.numbers:
        if fold(known) == fold(number.strip()):
            return Redirect(book.address(known))
    near = [one for one in book.numbers if one.split(".")[0] == number.split(".")[0].strip()]
    return page("rules.html", status=404, book=book, game=book.game, tab="rules", unknown=number, near=near)


@get("/games/{name:str}/help/{key:str}", sync_to_thread=True)
def help_part(page: Page, name: str, key: str) -> Response[str]:
    """Return what a pop-over shows: a rule with its rulings and charts, a term (`word-…`) or a chart (`chart-…`)."""
    book = reader(name)
    term = next((term for term in book.game.glossary.term if f"word-{slug(term.word)}" == key), None)
    charts = [chart for chart in _charts(name) if chart["rule"] == key or f"chart-{chart['id']}" == key]
    known = rule_help(name, key)
    if term is None and known is None and not charts:
        raise NotFoundException
    response = page("_help.html", book=book, term=term, rule=known, charts=charts, sources=SOURCES, wanted=key)
    response.headers["Cache-Control"] = HELP_CACHE
    return response


@get("/credits", sync_to_thread=True)
def credits_page(page: Page) -> Response[str]:
    """Show the credits of the games and the sources of their figures."""
    return page("credits.html", games=list(catalog.games().values()), meanings=MEANINGS, promise=DISCLAIMER)


# -- charts ----------------------------------------------------------------------------------------------------------


@get("/games/{name:str}/charts", sync_to_thread=True)
def charts(page: Page, name: str) -> Response[str]:
    """Show all charts with their sources."""
    book = reader(name)
    return page("charts.html", book=book, game=book.game, tab="charts", charts=_charts(name), sources=SOURCES)


@lru_cache(maxsize=64)
def _charts(name: str) -> list[dict[str, Any]]:
    book = reader(name)
    return [_drawn(book, chart) for chart in book.game.presentation.charts(book.game.data)]


def _drawn(book: Reader, chart: Chart) -> dict[str, Any]:
    explained = set[str]()

    def linkify(text: str) -> Markup:
        return book.linkify(en_dashes(text), explained=explained)

    columns = zip(chart.columns, zip(*chart.rows.values(), strict=True), strict=True)
    return {
        "id": chart.id,
        "title": chart.title,
        "rule": chart.rule,
        "source": chart.source,
        "dice": _dice(chart) if chart.dice else "",
        "columns": [(linkify(title), _width(cells)) for title, cells in columns],
        "rows": [(linkify(row), [linkify(cell) for cell in cells]) for row, cells in chart.rows.items()],
        "origin": linkify(chart.origin),
    }


def _width(cells: Sequence[str]) -> str:
    """Return the class of a column by its widest cell: short ones are centred, long ones get room."""
    widest = max(map(len, cells), default=0)
    return "short" if widest <= 6 else "long" if widest > 30 else ""


def _dice(chart: Chart) -> str:
    count, faces = chart.dice_pool()
    many = NUMBERS[count] if count < len(NUMBERS) else str(count)
    kind = "" if faces == 6 else f" with {faces} faces"
    return f"{many} {'die' if count == 1 else 'dice'}{kind}"


# -- odds ------------------------------------------------------------------------------------------------------------


class OddsForm(NamedTuple):
    """A form of the odds calculator: its inputs and its result or error."""

    name: str
    question: OddsQuery
    values: Mapping[str, str]
    answer: OddsResult | None = None
    error: str = ""

    @property
    def groups(self) -> list[tuple[str, dict[str, FormField]]]:
        """The form fields by heading."""
        return list(groups(self.question.form_fields))

    @property
    def query(self) -> str:
        """The non-default inputs as a query string."""
        default = self.question.parameters
        return urlencode({"question": self.name} | {k: v for k, v in self.values.items() if v != default.get(k)})


@get("/games/{name:str}/odds", sync_to_thread=True)
def odds(request: AppRequest, page: Page, name: str, question: str = "", now: str = "") -> Response[str]:
    """Show an odds form with its result; the query string holds the inputs, and `now` those of a match's position."""
    book = reader(name)
    data, known = {key: value.strip() for key, value in _inputs(request).items()}, book.game.questions
    position = dict(parse_qsl(now))
    raised = position.pop("question", "")
    current = ask(name, raised, position) if raised in known else None
    first = question or (raised if current else next(iter(known), ""))
    asked = ask(name, first, data or (position if first == raised else {})) if first else None
    status = 422 if asked and asked.error and not wants_part(request) else 200  # htmx leaves out what is refused
    return page(
        "odds.html",
        status=status,
        book=book,
        game=book.game,
        tab="odds",
        asked=asked,
        known=known,
        current=current,
        now=now,
    )


def ask(name: str, question: str, inputs: Mapping[str, str]) -> OddsForm:
    """Evaluate an odds form with these inputs and defaults for the others; without inputs, with its example."""
    asked = reader(name).game.question(question)
    values = asked.parameters | dict(inputs or asked.example)
    try:
        return OddsForm(question, asked, values, _answer(name, question, tuple(values.items())))
    except ReadyRoomError as error:
        return OddsForm(question, asked, values, error=str(error))


def _inputs(request: AppRequest) -> dict[str, str]:
    return {key: value for key, value in request.query_params.items() if key not in ("question", "now")}


@lru_cache(maxsize=1024)
def _answer(name: str, question: str, values: tuple[tuple[str, str], ...]) -> OddsResult:
    return reader(name).game.question(question).evaluate(dict(values), where=f"the odds of {question}")


@post("/games/{name:str}/roll", sync_to_thread=True)
def roll(request: AppRequest, store: Store, player: Player | None, name: str, question: str) -> Reply:
    """Create a match for a single roll and redirect to it: its dice can be verified like any others."""
    game = reader(name).game
    text = game.question(question).roll_scenario_text(_inputs(request), where=f"the odds of {question}")
    scenario = game.own_scenario(text.encode(), f"{question}.toml")
    who = {seat.key: SeatAssignment("me") for seat in game.rules.seats(scenario, game.resolve({}))}
    arrival = get_or_create_player(request, store, player)
    opened = store.lobby.create(arrival.player, game.key, question, {}, who, own=text)
    return arrival.seated(Redirect(f"/m/{opened.id}", status_code=303))


# -- search ----------------------------------------------------------------------------------------------------------


@get("/search", sync_to_thread=True)
def search(page: Page, q: Query = "") -> Response[str]:
    """Search the rules, charts and glossaries of all games."""
    wanted = parse_query(q)
    return page("search.html", q=wanted, found=search_all(wanted.normal))


router = Router(
    "/",
    route_handlers=[game_list, one_game, rules, rule, help_part, credits_page, charts, odds, roll, search],
    include_in_schema=False,
)
