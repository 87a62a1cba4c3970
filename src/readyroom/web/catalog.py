"""The installed games for the pages, and the choices for a new match of each."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from inspect import getdoc
from typing import Any

from markupsafe import Markup

from readyroom.bots import BEST, NOVICE, RANDOM, SEARCH, VETERAN, bot_names, default_bot
from readyroom.engine.errors import InvalidData, UnknownGame, UnknownRule, UnknownScenario
from readyroom.engine.game import Game, Scenario, Seat, game_names, load_game

AnyGame = Game[Any, Any]
GENERIC_BOTS = {
    NOVICE: "For beginners: plays half of its moves at random.",
    VETERAN: "Hard to beat: draws one of several tested ways to play for each match, and keeps to it.",
    BEST: "Looks ahead for half a second at each decision, using only what it can see.",
    SEARCH: "Looks ahead for a twentieth of a second at each decision, using only what it can see.",
    RANDOM: "Plays random legal moves. Good for trying things out.",
}
"""Descriptions of the bots that play any game."""
LEVELS = {RANDOM: "at random", NOVICE: "easy", VETERAN: "hard", SEARCH: "hard", BEST: "hard"}
"""How hard the bots that play any game are to beat, the easiest first; a game's own bots are between them."""
WEAKER, MEDIUM = "fairly easy", "medium"
"""How hard a game's own bots are to beat: those weaker than its default bot, and all others."""
PICTURE = "picture.svg"
"""The picture of a game that its package may have, for lists of games."""
LOGGER = logging.getLogger("readyroom.web")


@dataclass(frozen=True)
class Side:
    """A side of a match: its key, name, colour in the palette, and seats."""

    key: str
    name: str
    colour: str
    seats: tuple[Seat, ...]


@cache
def games() -> Mapping[str, AnyGame]:
    """Return all installed games by key in display order; loaded once.

    One that cannot be loaded is left out and logged; the others are unaffected.
    """
    games = {}
    for name in game_names():
        try:
            games[name] = load_game(name)
        except Exception:
            LOGGER.exception("cannot load the game %s; it is not offered", name)
    return dict(sorted(games.items(), key=lambda one: one[1].sort_order))


def find(name: str) -> AnyGame:
    """Return the game of this name; raise `UnknownGame` otherwise."""
    if name not in games():
        raise UnknownGame(name, games())
    return games()[name]


def find_former(name: str, fits: Callable[[AnyGame], object] | None = None) -> AnyGame:
    """Return the game of this key or former key, as `load_game` does."""
    return find(name if name in games() else load_game(name, fits=fits).key)


def colour(game: AnyGame, side: str) -> str:
    """Return the palette role of a side's accent; "ink" where the game names none."""
    return game.presentation.colours.get(side, "ink")


def own_scenario(game: AnyGame, text: str) -> Scenario:
    """Parse a custom scenario; raise `InvalidData` if it is invalid."""
    name = "your scenario.toml"
    try:
        return game.own_scenario(text.encode(), name)
    except RecursionError as error:
        raise InvalidData(name, "", "less deeply nested text", "too many levels") from error


def seats(game: AnyGame, key: str | None, own: str | None, options: Mapping[str, str]) -> list[Seat]:
    """Return the seats of a scenario with options; raise `UnknownScenario`, `UnknownOption` or `InvalidData`."""
    if own is not None:
        result = own_scenario(game, own)
    else:
        known = {scenario.key: scenario for scenario in scenarios(game)}
        if key is not None and key not in known:
            raise UnknownScenario(key, known, where=game.key)
        result = known[key] if key is not None else game.first_scenario
    return list(game.rules.seats(result, game.resolve(options)))


def sides(game: AnyGame, seats: Iterable[Seat]) -> list[Side]:
    """Return the sides in the order of their first seats."""
    by_side: dict[str, list[Seat]] = {}
    for seat in seats:
        by_side.setdefault(seat.side, []).append(seat)
    return [Side(key, game.side_name(key, result), colour(game, key), tuple(result)) for key, result in by_side.items()]


def first_seats(game: AnyGame) -> list[Seat]:
    """Return the seats of the default scenario with default options."""
    return list(game.rules.seats(game.first_scenario, game.resolve({})))


def bots(game: AnyGame) -> list[str]:
    """Return the bots that can play a game, the default first."""
    return bot_names(game)


def about_bot(game: AnyGame, name: str) -> str:
    """Describe a bot: from our descriptions, the game's glossary, or its docstring."""
    if name in GENERIC_BOTS:
        return GENERIC_BOTS[name]
    text = next((term.text for term in game.glossary.term if term.word == name), "")
    bot = game.analysis.bots.get(name)
    return text or ("" if bot is None or isinstance(bot, partial) else (getdoc(bot) or "").partition("\n")[0])


@dataclass(frozen=True)
class BotEntry:
    """A bot of a game: its name, how hard it is to beat, and its description.

    `elo` is its measured rating among the bots of its game with the ends of its 95 % interval; None if not measured.
    """

    name: str
    level: str
    about: str
    elo: tuple[int, int, int] | None = None


def rated_bots(game: AnyGame) -> list[BotEntry]:
    """Return the bots of a game that are rated, the strongest first."""
    rated = [bot for bot in bots_by_level(game) if bot.elo is not None]
    return sorted(rated, key=lambda bot: bot.elo or (0, 0, 0), reverse=True)


def bots_by_level(game: AnyGame) -> list[BotEntry]:
    """Return the bots that can play a game, the easiest first; of one level, the default and then the rated ones."""
    order = [*dict.fromkeys((LEVELS[RANDOM], LEVELS[NOVICE], WEAKER, MEDIUM, *LEVELS.values()))]
    ratings, default = game.analysis.ratings, default_bot(game)

    def place(bot: BotEntry) -> tuple[int, bool, int, int]:
        generic = [*LEVELS].index(bot.name) if bot.name in LEVELS else 0
        return order.index(bot.level), bot.name != default, generic, (bot.elo or (0,))[0]

    known = [
        BotEntry(name, bot_level(game, name), about_bot(game, name) or "Plays this game.", ratings.get(name))
        for name in bots(game)
    ]
    return sorted(known, key=place)


def bot_level(game: AnyGame, name: str) -> str:
    """Return how hard a bot is to beat."""
    name = name.partition(":")[0]
    return LEVELS.get(name) or (WEAKER if name in game.analysis.weaker else MEDIUM)


def harder_bot(game: AnyGame, name: str) -> BotEntry | None:
    """Return the first bot of the next level; None if there is none that is harder to beat."""
    known = bots_by_level(game)
    levels = list(dict.fromkeys(bot.level for bot in known))
    harder = levels[levels.index(bot_level(game, name)) + 1 :] if bot_level(game, name) in levels else []
    return next((bot for bot in known if bot.level in harder[:1]), None)


@cache
def picture(package: str) -> Markup:
    """Return the picture of the game of a package; empty if it has none."""
    file = files(package).joinpath(PICTURE)
    return Markup(file.read_text("utf-8")) if file.is_file() else Markup()


def rule_summary(game: AnyGame, number: str) -> str:
    """Return the first paragraph of a rule or ruling; empty if the rulebook has none of this number."""
    try:
        return game.rulebook.find(number).text.strip().partition("\n\n")[0]
    except UnknownRule:
        return ""


def scenario_text(game: AnyGame, key: str) -> str:
    """Return the file of one of a game's scenarios; raise `UnknownScenario` if there is none."""
    known = [scenario.key for scenario in scenarios(game)]
    if key not in known or not has_file(game, key):
        raise UnknownScenario(key, known, where=game.key)
    return _file(game, key).read_text("utf-8")


def has_file(game: AnyGame, key: str) -> bool:
    """Return whether a scenario comes from a file of the game's package."""
    return _file(game, key).is_file()


def _file(game: AnyGame, key: str) -> Traversable:
    return files(game.packages[-1]).joinpath("data", "scenarios", f"{key}.toml")


def scenarios(game: AnyGame) -> list[Scenario]:
    """Return the scenarios of a game."""
    return list(game.rules.scenarios(game.data))


def forces(scenario: Scenario) -> Sequence[tuple[str, str]]:
    """Return the sides of a scenario, each with its forces, where they differ between scenarios; empty elsewhere."""
    return getattr(scenario.content, "forces", ())


@dataclass(frozen=True)
class CatalogEntry:
    """A game in the catalog: its sides, its scenarios, and whether it is solitaire."""

    game: AnyGame
    sides: Sequence[Side]
    scenarios: Sequence[Scenario]

    @property
    def solitaire(self) -> bool:
        """Whether the game has one side only."""
        return len(self.sides) == 1


@cache
def list_games() -> Sequence[CatalogEntry]:
    """Return the catalog of all installed games."""
    return [CatalogEntry(game, sides(game, first_seats(game)), scenarios(game)) for game in games().values()]


def featured_game() -> CatalogEntry | None:
    """Return the game featured for newcomers: the first with a tutorial, if any."""
    return min(list_games(), key=lambda entry: entry.game.lesson is None, default=None)
