"""A study's TOML file: variables, constants, the number of matches, and measures.

Every name in it is checked before the first match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from readyroom import __version__
from readyroom.bots import limit_of
from readyroom.engine.data import convert, parse_own
from readyroom.engine.errors import InvalidData, Unknown
from readyroom.engine.game import Game, load_all_games, load_game
from readyroom.study.matches import MatchSetup, match_setup

MOST_CASES = 200
MOST_MATCHES = 1_000_000
FEWEST = 2
"""With fewer matches there is no error estimate."""
FOLDER = "studies"
"""The folder of a game's package with its built-in studies."""
SUFFIX = ".toml"
Choice = str | int
Dice = Literal["shared", "own"]
"""Whether match number n has the same dice in every case, or each case dice of its own."""


class UnknownStudy(Unknown):
    """There is no built-in study of this name, and no such file."""

    kind = "study"


class UnknownMeasure(Unknown):
    """Nothing of this name is measured in the game's matches."""

    kind = "measure"


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match setup: a scenario, options, bots for seats or sides, named plans for sides."""

    scenario: str | None = None
    options: dict[str, Choice] = {}
    bots: dict[str, str] = {}
    plans: dict[str, str] = {}


class NamedTable(Table, frozen=True, kw_only=True):
    """A case that has a name; what it does not say is as the study says for all."""

    name: str


class Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What varies: every combination is a case. The first thing varies slowest."""

    scenario: list[str] = []
    options: dict[str, list[Choice]] = {}
    bots: dict[str, list[str]] = {}
    plans: dict[str, list[str]] = {}


class StudyFile(Table, frozen=True, kw_only=True):
    """What a study's file says; `summary` is for people, `measures` (none: all) for the report."""

    title: str
    game: str
    summary: str = ""
    matches: int = 1000
    seed: str = "study"
    dice: Dice = "shared"
    measures: list[str] = []
    vary: Grid | None = None
    case: list[NamedTable] = []


class Case(NamedTuple):
    """A case of a comparison: its name and its match setup."""

    name: str
    table: MatchSetup


class Study(NamedTuple):
    """A study of which every name has been checked, in a form that can be sent to another process."""

    title: str
    summary: str
    game: str
    version: str
    fingerprint: str
    matches: int
    seed: str
    dice: Dice
    measures: tuple[str, ...]
    cases: tuple[Case, ...]

    def seed_text(self, case: int, number: int) -> str:
        """Return a match's seed: the same for every case, or with the case's name for independent dice."""
        return f"{self.seed}/{number}" if self.dice == "shared" else f"{self.seed}/{self.cases[case].name}/{number}"

    def identity(self) -> dict[str, Any]:
        """Return everything that determines the matches as plain data; it must be the same to continue a study."""
        return {
            "game": self.game,
            "version": self.version,
            "house": __version__,
            "fingerprint": self.fingerprint,
            "matches": self.matches,
            "seed": self.seed,
            "dice": self.dice,
            "cases": [{"name": case.name, **table_data(case.table)} for case in self.cases],
        }


def table_data(table: MatchSetup) -> dict[str, Any]:
    """Return a set-up as plain data, without the places of files."""
    data = {key: value for key, value in table._asdict().items() if key not in ("game", "data")}
    return {**data, "scenario": Path(table.scenario).name}


# -- finding and reading ---------------------------------------------------------------------------------------------


def builtin_studies() -> dict[str, Traversable]:
    """Return the built-in studies by name, from the folders `studies` of the games' packages."""
    folders = [files(game.package).joinpath(FOLDER) for game in load_all_games()]
    found = [file for folder in folders if folder.is_dir() for file in folder.iterdir() if file.name.endswith(SUFFIX)]
    return {file.name.removesuffix(SUFFIX): file for file in sorted(found, key=lambda file: file.name)}


def read(name: str) -> tuple[StudyFile, str]:
    """Return the study of a file, or the built-in one with this name, and its name in errors.

    Raises `UnknownStudy` if there is neither, `InvalidData` if the file is no study.
    """
    path = Path(name)
    if path.is_file():
        return parse_study(path.read_bytes(), name), name
    known = builtin_studies()
    if name in known:
        return parse_study(known[name].read_bytes(), f"{name}{SUFFIX}"), f"{name}{SUFFIX}"
    raise UnknownStudy(name, known, where="the server or as a file")


def parse_study(text: bytes, file: str) -> StudyFile:
    """Parse a study; `InvalidData` names the key, the expected and the actual value."""
    study_file = convert(parse_own(text, file), StudyFile, file)
    if study_file.vary is not None and study_file.case:
        raise InvalidData(file, "vary", "either a table [vary] or cases [[case]]", "both")
    return study_file


# -- cases -----------------------------------------------------------------------------------------------------------


def tables(study: StudyFile, file: str) -> list[tuple[str, Table]]:
    """Return the cases by name: every combination, the listed ones, or the only one."""
    if study.vary is not None:
        return list(_combined(study, study.vary, file))
    if study.case:
        return [(case.name, _laid_over(study, case)) for case in study.case]
    return [(study.title, study)]


def _laid_over(study: Table, case: Table) -> Table:
    """Return a case's settings, completed by the study's."""
    return Table(
        case.scenario or study.scenario,
        {**study.options, **case.options},
        {**study.bots, **case.bots},
        {**study.plans, **case.plans},
    )


def _combined(study: Table, vary: Grid, file: str) -> Iterator[tuple[str, Table]]:
    """Return every combination of the variables, named after its values."""
    axes: list[tuple[str, str, list[Any]]] = [("scenario", "scenario", vary.scenario)] if vary.scenario else []
    for kind in ("options", "bots", "plans"):
        axes += [(kind, key, choices) for key, choices in getattr(vary, kind).items()]
    for kind, key, choices in axes:
        if not choices:
            raise InvalidData(file, f"vary.{kind}.{key}", "at least one choice", "none")
    if not axes:
        raise InvalidData(file, "vary", "something that varies: scenario, options, bots or plans", "nothing")
    for combination in product(*(choices for _, _, choices in axes)):
        case: dict[str, Any] = {"options": {}, "bots": {}, "plans": {}}
        for (kind, key, _), choice in zip(axes, combination, strict=True):
            (case if kind == "scenario" else case[kind])[key] = choice
        name = ", ".join(f"{key}={choice}" for (_, key, _), choice in zip(axes, combination, strict=True))
        yield name, _laid_over(study, Table(**case))


# -- checking --------------------------------------------------------------------------------------------------------


def checked(
    study: StudyFile,
    file: str = "study",
    *,
    data: Path | None = None,
    matches: int | None = None,
    seed: str | None = None,
    dice: Dice | None = None,
    by_clock: bool = False,
) -> Study:
    """Return the study with every name checked except its measures; arguments override the file.

    `by_clock` allows bots with a time limit: their choices depend on the machine, and cannot be reproduced.

    Raises:
        UnknownGame, UnknownScenario, UnknownOption, UnknownSeat, UnknownBot, UnknownPlan: each says what is known.
        InvalidData: too many cases, two of one name, or a number of matches that cannot be.
    """
    game = load_game(study.game, data, lambda each: each.scenario(study.scenario))
    count = study.matches if matches is None else matches
    if not FEWEST <= count <= MOST_MATCHES:
        raise InvalidData(file, "matches", f"between {FEWEST} and {MOST_MATCHES:,}", f"{count:,}")
    names = tables(study, file)
    _check_names(names, file)
    return Study(
        study.title,
        study.summary,
        game.key,
        game.version,
        game.data_fingerprint,
        count,
        study.seed if seed is None else seed,
        study.dice if dice is None else dice,
        tuple(study.measures),
        tuple(Case(name, _setting(game, data, table, file, by_clock=by_clock)) for name, table in names),
    )


def _check_names(result: list[tuple[str, Table]], file: str) -> None:
    names = [name for name, _ in result]
    if len(names) > MOST_CASES:
        raise InvalidData(file, "vary", f"at most {MOST_CASES} cases", f"{len(names):,}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidData(file, "case", "a name of its own for each case", f"{twice!r} twice")


def _setting(game: Game[Any, Any], data: Path | None, table: Table, file: str, *, by_clock: bool) -> MatchSetup:
    """Return the match setup of a case; a custom scenario is next to the study's file."""
    scenario = table.scenario
    if scenario is not None and scenario.endswith(SUFFIX):
        sibling = Path(file).parent / scenario
        scenario = str(sibling) if sibling.is_file() else scenario
    options: Mapping[str, object] = table.options
    result = match_setup(game, data, scenario, options, table.bots, table.plans)
    for seat, name in () if by_clock else result.bots.items():
        if (limit := limit_of(name)) and isfinite(limit.seconds):
            expected = "a bot that thinks by trials and not by the clock, such as search:40"
            raise InvalidData(file, f"bots.{seat}", expected, repr(name))
    return result
