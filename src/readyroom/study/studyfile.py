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
from readyroom.engine.errors import InvalidData, ReadyRoomError, Unknown
from readyroom.engine.figures import Figure
from readyroom.engine.game import Game, Scenario, load_all_games, load_game
from readyroom.engine.toml import write_toml
from readyroom.study.matches import MatchSetup, match_setup
from readyroom.study.policies.known import known_policies

MOST_CASES = 200
MOST_MATCHES = 1_000_000
FEWEST = 2
"""With fewer matches there is no error estimate."""
PAIR_MATCHES, MOST_PAIR_MATCHES = 40, 10_000
"""The matches of each pair of policies where mixes are solved, and the most."""
SOLVED = "mix"
"""The name of the bots of a case whose mixes are solved."""
FOLDER = "studies"
"""The folder of a game's package with its built-in studies."""
SUFFIX = ".toml"
OWN_FILE = "scenario.toml"
"""What a scenario is called that is written out in a study."""
Choice = str | int
Mixes = Literal["published", "solved"]
"""Whether sides play by their bots, or mixes of their policies are solved under the rules of the case."""
Dice = Literal["shared", "own"]
"""Whether match number n has the same dice in every case, or each case dice of its own."""


class UnknownStudy(Unknown):
    """There is no built-in study of this name, and no such file."""

    kind = "study"


class UnknownMeasure(Unknown):
    """Nothing of this name is measured in the game's matches."""

    kind = "measure"


class OtherGame(ReadyRoomError):
    """A worker has another version of the game, or other data, than the study."""

    def __init__(self, game: str, expected: str, name: str) -> None:
        super().__init__(
            f"The study uses {game} {expected}, but a worker has {name}. Install the same version and data "
            "on all workers."
        )


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match setup: a scenario, options, bots for seats or sides, named plans for sides, and changed figures.

    The scenario is the game's, a file next to the study's, or written out as tables.
    `mixes` is "solved" if every side plays the mix of its known policies that is best under these rules.
    """

    scenario: str | dict[str, Any] | None = None
    options: dict[str, Choice] = {}
    bots: dict[str, str] = {}
    plans: dict[str, str] = {}
    figures: dict[str, Figure] = {}
    mixes: Mixes | None = None


class NamedTable(Table, frozen=True, kw_only=True):
    """A case that has a name; what it does not say is as the study says for all."""

    name: str


class Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What varies: every combination is a case. The first thing varies slowest."""

    scenario: list[str] = []
    options: dict[str, list[Choice]] = {}
    bots: dict[str, list[str]] = {}
    plans: dict[str, list[str]] = {}
    figures: dict[str, list[Figure]] = {}


class StudyFile(Table, frozen=True, kw_only=True):
    """What a study's file says; `summary` and `notes` (Markdown) are for people, `measures` (none: all) for the report.

    `pair_matches` is how often each pair of policies is played where mixes are solved.
    """

    title: str
    game: str
    summary: str = ""
    notes: str = ""
    matches: int = 1000
    pair_matches: int = PAIR_MATCHES
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
    """A study of which every name has been checked, in a form that can be sent to another process.

    `luck`: measure the luck of the dice of every match, see `adjust`.
    """

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
    pair_matches: int = PAIR_MATCHES
    luck: bool = False

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
            **({"pair_matches": self.pair_matches} if any(case.table.solved for case in self.cases) else {}),
            "cases": [{"name": case.name, **table_data(case.table)} for case in self.cases],
            **({"luck": True} if self.luck else {}),
        }


def game_of(study: Study, table: MatchSetup) -> Game[Any, Any]:
    """Return the game of a case; raise `OtherGame` if this is another version of it."""
    game = load_game(table.game, table.data)
    here, there = f"{game.version} ({game.data_fingerprint})", f"{study.version} ({study.fingerprint})"
    if here != there:
        raise OtherGame(game.key, there, here)
    return table.load_game()


def table_data(table: MatchSetup) -> dict[str, Any]:
    """Return a set-up as plain data, without the places of files; figures and mixes only if there are any."""
    rest = ("figures", "solved") if table.figures or table.solved else ()
    known = (*MatchSetup._fields[: MatchSetup._fields.index("figures")], *rest)
    data = {key: value for key, value in table._asdict().items() if key in known and key not in ("game", "data")}
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
    raise UnknownStudy(name, known, where="the games or as a file")


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
        {**study.figures, **case.figures},
        case.mixes or study.mixes,
    )


def _combined(study: Table, vary: Grid, file: str) -> Iterator[tuple[str, Table]]:
    """Return every combination of the variables, named after its values."""
    axes: list[tuple[str, str, list[Any]]] = [("scenario", "scenario", vary.scenario)] if vary.scenario else []
    for kind in ("options", "bots", "plans", "figures"):
        axes += [(kind, key, choices) for key, choices in getattr(vary, kind).items()]
    for kind, key, choices in axes:
        if not choices:
            raise InvalidData(file, f"vary.{kind}.{key}", "at least one choice", "none")
    if not axes:
        raise InvalidData(file, "vary", "something that varies: scenario, options, bots, plans or figures", "nothing")
    for combination in product(*(choices for _, _, choices in axes)):
        case: dict[str, Any] = {"options": {}, "bots": {}, "plans": {}, "figures": {}}
        for (kind, key, _), choice in zip(axes, combination, strict=True):
            (case if kind == "scenario" else case[kind])[key] = choice
        name = ", ".join(f"{key}={choice}" for (_, key, _), choice in zip(axes, combination, strict=True))
        yield name, _laid_over(study, Table(**case))


def unplayed_figures(study: Study) -> list[str]:
    """Return a sentence for each scenario of which figures are changed, and which no case plays."""
    played = {case.table.scenario for case in study.cases}
    changed = {address for case in study.cases for address in case.table.figures}
    named = {address.split("/")[1] for address in changed if address.startswith("scenarios/")}
    return [
        f"Figures of the scenario {key} are changed, but it is not played ({', '.join(sorted(played))}): they change "
        "nothing."
        for key in sorted(named - played)
    ]


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
    name = study.scenario if isinstance(study.scenario, str) else None
    game = load_game(study.game, data, lambda each: each.scenario(name))
    count = study.matches if matches is None else matches
    if not FEWEST <= count <= MOST_MATCHES:
        raise InvalidData(file, "matches", f"between {FEWEST} and {MOST_MATCHES:,}", f"{count:,}")
    if not 1 <= study.pair_matches <= MOST_PAIR_MATCHES:
        raise InvalidData(file, "pair_matches", f"between 1 and {MOST_PAIR_MATCHES:,}", f"{study.pair_matches:,}")
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
        study.pair_matches,
    )


def _check_names(result: list[tuple[str, Table]], file: str) -> None:
    names = [name for name, _ in result]
    if len(names) > MOST_CASES:
        raise InvalidData(file, "vary", f"at most {MOST_CASES} cases", f"{len(names):,}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidData(file, "case", "a name of its own for each case", f"{twice!r} twice")


def _setting(game: Game[Any, Any], data: Path | None, table: Table, file: str, *, by_clock: bool) -> MatchSetup:
    """Return the match setup of a case; a custom scenario is next to the study's file, or written out in it."""
    scenario: str | Scenario | None
    if isinstance(table.scenario, dict):
        scenario = game.own_scenario(write_toml(table.scenario).encode(), OWN_FILE)
    else:
        scenario = table.scenario
    if isinstance(scenario, str) and scenario.endswith(SUFFIX):
        sibling = Path(file).parent / scenario
        scenario = str(sibling) if sibling.is_file() else scenario
    options: Mapping[str, object] = table.options
    result = match_setup(game, data, scenario, options, table.bots, table.plans, table.figures)
    if table.mixes == "solved":
        return _solved(game, result, file)
    for seat, name in () if by_clock else result.bots.items():
        if (limit := limit_of(name)) and isfinite(limit.seconds):
            expected = "a bot that thinks by trials and not by the clock, such as search:40"
            raise InvalidData(file, f"bots.{seat}", expected, repr(name))
    return result


def _solved(game: Game[Any, Any], table: MatchSetup, file: str) -> MatchSetup:
    """Return the match setup of a case whose sides play mixes that are still to be solved."""
    if table.plans:
        raise InvalidData(file, "plans", "no plans where mixes are solved", ", ".join(table.plans))
    known_policies(game, table.scenario_of(game), table.options)
    return table._replace(bots=dict.fromkeys(table.bots, SOLVED), solved=True)
