"""What a game is: the value that its package offers, and how games are found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from readyroom.engine.books import Glossary, Rulebook, Tutorial
from readyroom.engine.charts import Chart
from readyroom.engine.credits import Credits, SourceCount, count_sources
from readyroom.engine.data import convert, load, parse, parse_own, ready
from readyroom.engine.decisions import Decision
from readyroom.engine.errors import (
    BrokenGame,
    ReadyRoomError,
    UnknownChart,
    UnknownGame,
    UnknownOption,
    UnknownScenario,
    UnknownSeat,
)
from readyroom.engine.forms import OddsQuery, Tool, of_chart
from readyroom.engine.state import At, Outcome
from readyroom.engine.table import D, S, Steps, Table

if TYPE_CHECKING:
    from rich.console import RenderableType

GROUP = "readyroom.games"
"""The entry-point group under which packages offer their games."""

ACCENTS = ("japan", "usa", "ink")
"""The accents that the house's palette has for sides, in light and in dark."""

M = TypeVar("M", bound=msgspec.Struct)
View: TypeAlias = dict[str, Any]
"""Plain, JSON-able data."""
ViewFn: TypeAlias = Callable[[], View]
Bot: TypeAlias = Callable[[Decision, ViewFn], Sequence[str]]
"""Answers a decision from its options and, if it looks, from its seat's view: what `Match.bot_view` gives."""


class Seat(msgspec.Struct, frozen=True):
    """A place at the table: its key, its name, and the side that it plays for."""

    key: str
    name: str
    side: str


class HasSide(Protocol):
    """A seat, or whatever tells of one, as far as its side's name needs it."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def side(self) -> str:
        """The side that it plays for."""
        ...


class GameOption(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that players may set: its choices, each with a line of explanation, and the default."""

    key: str
    title: str
    rule: str
    choices: dict[str, str]
    default: str


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A starting position: `content` is the game's own typed data, `text` the file of a player's own scenario."""

    key: str
    title: str
    summary: str
    content: Any  # the game's own scenario struct
    text: str | None = None
    file: str = ""


@dataclass(frozen=True)
class Phase(Generic[S, D]):
    """A named phase of the sequence of play, and the rule that it is.

    `play` is a generator where somebody may have to decide, and a plain function where nobody has to.
    """

    name: str
    title: str
    rule: str
    play: Callable[[Table[S, D]], Steps | None]


@dataclass(frozen=True)
class NamedPlan:
    """A plan that a game brings for a side: its name, a sentence on it, and the bot that plans and then fights so."""

    title: str
    summary: str
    bot: Callable[[str, Random], Bot]


Plans: TypeAlias = Mapping[str, Mapping[str, NamedPlan]]
"""Named plans by side and key."""


def _never(decision: Decision) -> bool:
    return False


def _always(plan: Any, view: View, data: Any) -> None:
    return None


@dataclass(frozen=True)
class PlanFiles:
    """Plans that are written down before a match: a file answers every question of a seat's planning.

    `read` makes a plan of a file's text and name, for a match with these options; it raises a `InvalidPlan` that names
    each line and rule that does not fit. `side` tells whose a plan is; `asks` whether a question is one of planning,
    and `answer` what a plan answers to it, as keys. `anew` tells whether a question asks if a plan that is made already
    is made anew, so that a file sent in before it stops there. `fits` raises a `InvalidPlan` where a plan contradicts
    what a seat, as its view shows, has answered on its sheet already. `written` are plans of a side to begin with:
    files by their names.
    """

    read: Callable[[bytes, str, Mapping[str, str], Any], Any]
    side: Callable[[Any], str]
    is_planning: Callable[[Decision], bool]
    answer: Callable[[Any, Decision, Any], Sequence[str]]
    templates: Callable[[str, Any], Mapping[str, str]]
    restarts_plan: Callable[[Decision], bool] = _never
    validate: Callable[[Any, View, Any], None] = _always


def win_utility(outcome: Outcome, side: str) -> float:
    """What an ending is worth to a side where only the winner counts: one, nothing, or a half to both."""
    return 0.5 if outcome.winner is None else float(outcome.winner == side)


def score_to_utility(score: float, span: float) -> float:
    """A score without bounds as a worth from 0 to 1: nothing is one half, and `span` about three quarters.

    >>> [round(score_to_utility(score, 10), 2) for score in (-30, 0, 10, 30)]
    [0.04, 0.5, 0.75, 0.96]
    """
    return 1 / (1 + 3 ** (-score / span))


def _no_odds(data: Any) -> Mapping[str, OddsQuery]:
    return {}


def _no_tools(data: Any) -> Mapping[str, Tool]:
    return {}


def _no_sheets(state: Any, made: Mapping[str, Any], seat: str | None) -> Mapping[str, Any]:
    return {}


def _no_checks(state: Any) -> Sequence[tuple[str, bool]]:
    return ()


def _by_turn(scenario: Any, turn: int, phase: Phase[Any, Any]) -> tuple[str, str]:
    return f"Turn {turn}", phase.title


def _no_diagram(state: Any, data: Any) -> str:
    return ""


def _no_epilogue(state: Any, data: Any) -> Sequence[str]:
    return ()


def _no_plans() -> Plans:
    return {}


def _no_stats(state: Any, data: Any) -> Mapping[str, float]:
    return {}


def _no_charts(data: Any) -> Sequence[Chart]:
    return ()


@dataclass(frozen=True)
class PreviousVersion:
    """An earlier version of a game: the fingerprint of its figures, and the options that restore its rules.

    A record of that version is replayed with these options where its header does not name them. It holds if nothing
    else that has changed since affects it.
    """

    figures: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S, D]):
    """A game: everything that the house needs to know of it. A package offers one by an entry point.

    `epilogue` sums a finished match up in a few sentences, for its report, and `sketch` is a drawing in characters
    beside them. `headings` are those under which the log tells of a phase of a turn: what several phases have in
    common, such as the turn, and the phase's own.
    `plans` are the plans of two sides that a study plays against each other, the side first whose gain it tells;
    `counts` are figures of a finished match, by title, that studies take means and medians of.
    `worth` is what an ending is worth to a side, from 0 to 1: the chance of winning is its mean where one side wins; a
    game for one may tell better endings from worse by it.
    `tools` are what may be worked with beside the table. `proofs` are sentences that a finished match proves besides
    its dice, and whether each holds.
    `sheets` is what a seat (None: a spectator) may see of plans in the making: of each seat that plans it is given the
    `sheet` of its question or, once it is done, what came of it.
    `plan_files` reads plans that were written down before the match.
    `package` is where its `rules.toml` and `data` folder lie, and `glossary.toml`, `lesson.toml` and `credits.toml` if
    it has them;
    `data_type` has one field for each data file;
    `scenario_type` is what a scenario file decodes to.
    `opened` looks at each scenario as it is read, and raises a `InvalidData` that says what cannot be played of it.
    `played` are the phases of a scenario, where not all scenarios have the same.
    `board` is the board as a terminal shows it; `layout` is what the package's `board.svg.j2` draws: where everything
    lies that a view shows; of its `charts` only those are drawn whose `shape`, "wide" or "narrow", fits the page.
    `colours` gives each side one of `ACCENTS`.
    `copied` makes a copy of a state that shares with it only what never changes; without it, checkpoints are written
    down, which takes longer. `lasting` says that the rules tell the log of nothing whose words could change afterwards,
    so that it need not put counters into words at once.
    `previous` has the versions before this one, so that their records are still read.
    `shelf` says where it stands among the games: the least first, which is what a newcomer is offered.
    """

    key: str
    title: str
    summary: str
    players: str
    length: str
    version: str
    package: str
    state: type[S]
    data_type: type[D]
    data: D
    options: Sequence[GameOption]
    scenario_type: Any  # a struct, or a union of them
    scenarios: Callable[[D], Sequence[Scenario]]
    seats: Callable[[Scenario, Mapping[str, str]], Sequence[Seat]]
    setup: Callable[[D, Scenario, Mapping[str, str]], S]
    phases: Sequence[Phase[S, D]]
    next_phase: Callable[[S], At | Outcome]
    view: Callable[[S, D, str | None], View]
    resample: Callable[[S, D, str, Random], S]
    planning_sheets: Callable[[S, Mapping[str, Any], str | None], Mapping[str, Any]] = _no_sheets
    bots: Mapping[str, Callable[[str, Random], Bot]] = field(default_factory=dict)
    charts: Callable[[D], Sequence[Chart]] = _no_charts
    odds: Callable[[D], Mapping[str, OddsQuery]] = _no_odds
    tools: Callable[[D], Mapping[str, Tool]] = _no_tools
    epilogue: Callable[[S, D], Sequence[str]] = _no_epilogue
    text_diagram: Callable[[S, D], str] = _no_diagram
    headings: Callable[[Scenario, int, Phase[S, D]], tuple[str, str]] = _by_turn
    integrity_checks: Callable[[S], Sequence[tuple[str, bool]]] = _no_checks
    plans: Callable[[], Plans] = _no_plans
    match_stats: Callable[[S, D], Mapping[str, float]] = _no_stats
    utility: Callable[[Outcome, str], float] = win_utility
    plan_files: PlanFiles | None = None
    board: Callable[[View], RenderableType] | None = None
    layout: Callable[[View], Mapping[str, Any]] | None = None
    colours: Mapping[str, str] = field(default_factory=dict)
    validate_scenario: Callable[[D, Scenario], None] | None = None
    scenario_phases: Callable[[Scenario], Sequence[Phase[S, D]]] | None = None
    copy_state: Callable[[S], S] | None = None
    immutable_facts: bool = False
    previous: Mapping[str, PreviousVersion] = field(default_factory=dict)
    sort_order: int = 100

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rules in our words, from `rules.toml`."""
        text = files(self.package).joinpath("rules.toml").read_bytes()
        return convert(parse(text, "rules.toml"), Rulebook, "rules.toml")

    @cached_property
    def lesson(self) -> Tutorial | None:
        """The lesson for a first evening, from `lesson.toml` where the package has one."""
        return self._load_optional("lesson.toml", Tutorial)

    @cached_property
    def glossary(self) -> Glossary:
        """What the game's words mean, from `glossary.toml` where the package has one."""
        return self._load_optional("glossary.toml", Glossary) or Glossary()

    @cached_property
    def credits(self) -> Credits | None:
        """Whose the game is, from `credits.toml` where the package has one."""
        return self._load_optional("credits.toml", Credits)

    @cached_property
    def sources(self) -> Mapping[str, SourceCount]:
        """How many of the game's own tables and figures come from where."""
        return count_sources(self.package)

    def _load_optional(self, name: str, type_: type[M]) -> M | None:
        """A file that a package may have beside its rules, as a typed struct; None where it has none."""
        file = files(self.package).joinpath(name)
        return convert(parse(file.read_bytes(), name), type_, name) if file.is_file() else None

    @cached_property
    def phases_by_name(self) -> Mapping[str, Callable[[Table[S, D]], Steps | None]]:
        """The phases by name."""
        return {phase.name: phase.play for phase in self.phases}

    @cached_property
    def encode(self) -> Callable[[S], bytes]:
        """A state as bytes."""
        return msgspec.msgpack.Encoder().encode

    @cached_property
    def decode(self) -> Callable[[bytes], S]:
        """Bytes as a state."""
        return msgspec.msgpack.Decoder(ready(self.state)).decode

    @cached_property
    def checkpoint_state(self) -> Callable[[S], S | bytes]:
        """What a checkpoint keeps of a state: a copy where the game makes one, else bytes."""
        return self.copy_state or self.encode

    def restore_state(self, kept: S | bytes) -> S:
        """A state to play on, of what a checkpoint keeps; that stays as it is."""
        if isinstance(kept, bytes):
            return self.decode(kept)
        assert self.copy_state is not None
        return self.copy_state(kept)

    @cached_property
    def _by_key(self) -> dict[str, Scenario]:
        return {scenario.key: scenario for scenario in self.scenarios(self.data)}

    @property
    def first_scenario(self) -> Scenario:
        """The scenario that is played where none is named."""
        return next(iter(self._by_key.values()))

    @cached_property
    def _initial_states(self) -> dict[tuple[int, tuple[str, ...]], tuple[Any, S | bytes]]:
        return {}

    def initial_state(self, scenario: Scenario, options: Mapping[str, str]) -> S | bytes:
        """The state at the start, as `keep` has it; made once for each of the game's own scenarios and its options."""
        if scenario.text is not None:
            return self.checkpoint_state(self.setup(self.data, scenario, options))
        at = (id(scenario.content), tuple(options.values()))
        if at not in self._initial_states:
            start = self.setup(self.data, scenario, options)
            self._initial_states[at] = (scenario.content, self.checkpoint_state(start))
        return self._initial_states[at][1]

    @cached_property
    def data_fingerprint(self) -> str:
        """A short hash of all figures, so that a record says which it was played with."""
        return blake2b(msgspec.json.encode(self.data), digest_size=8).hexdigest()

    def phases_of(self, scenario: Scenario) -> Sequence[Phase[S, D]]:
        """The phases that a scenario is played in."""
        return self.phases if self.scenario_phases is None else self.scenario_phases(scenario)

    def phase(self, name: str) -> Phase[S, D]:
        """The phase of this name; KeyError if there is none."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Phase[S, D]]:
        return {phase.name: phase for phase in self.phases}

    def log_heading(self, scenario: Scenario, turn: int, name: str) -> tuple[str, str]:
        """The headings under which the log tells of a phase of this name in this turn; before all phases its name."""
        phase = self._by_name.get(name)
        return self.headings(scenario, turn, phase) if phase is not None else (f"Turn {turn}", name)

    def with_data(self, folder: Path) -> Game[S, D]:
        """The same game with an owner's own figures laid over its own; `InvalidData` if they do not fit."""
        data: Any = load(self.data_type, self.package, folder)  # type: ignore[type-var]
        own = replace(self, data=data)
        if own.validate_scenario is not None:
            for scenario in own.scenarios(data):
                own.validate_scenario(data, scenario)
        return own

    def scenario(self, name: str | None) -> Scenario:
        """The scenario of this key, or the one in the TOML file of this name; None: the first.

        Raises:
            UnknownScenario: there is neither.
            InvalidData: the file is no scenario of the game.
        """
        if name is None:
            return self.first_scenario
        known = self._by_key
        if name in known:
            return known[name]
        if name.endswith(".toml"):
            path = Path(name)
            if not path.is_file():
                raise UnknownScenario(name, known, where=f"{self.key} or as a file")
            return self.own_scenario(path.read_bytes(), str(path))
        raise UnknownScenario(name, known, where=self.key)

    def own_scenario(self, text: bytes, file: str) -> Scenario:
        """A player's own scenario from the text of its file; `InvalidData` if it does not fit."""
        content = convert(parse_own(text, file), self.scenario_type, file)
        scenario = Scenario(
            key=Path(file).stem,
            title=content.title,
            summary=content.summary,
            content=content,
            text=text.decode(),
            file=file,
        )
        if self.validate_scenario is not None:
            self.validate_scenario(self.data, scenario)
        return scenario

    @cached_property
    def _known(self) -> dict[str, GameOption]:
        return {option.key: option for option in self.options}

    def resolve(self, options: Mapping[str, object]) -> dict[str, str]:
        """All options with their choices, the defaults filled in; `UnknownOption` names what does not exist."""
        known, resolved = self._known, self._defaults.copy()
        for key, choice in options.items():
            if key in resolved and resolved[key] == choice:
                continue
            if key not in known:
                raise UnknownOption(key, known, where=self.key)
            resolved[key] = str(choice)
            if resolved[key] not in known[key].choices:
                raise UnknownOption(f"{key}={choice}", [f"{key}={c}" for c in known[key].choices], where=self.key)
        return resolved

    @cached_property
    def _defaults(self) -> dict[str, str]:
        return {option.key: str(option.default) for option in self.options}

    def non_default_options(self, options: Mapping[str, str]) -> dict[str, str]:
        """Those of all options, as `resolve` gives them, that differ from their defaults."""
        return {key: choice for key, choice in options.items() if choice != self._known[key].default}

    def side_name(self, side: str, seats: Iterable[HasSide]) -> str:
        """What a side is called: by its one seat, at this table or where nobody chooses otherwise, or by its key."""
        usual: Iterable[HasSide] = self.seats(self.first_scenario, self.resolve({}))
        for table in (seats, usual):
            own = [seat.name for seat in table if seat.side == side]
            if len(own) == 1:
                return own[0]
        return side.replace("-", " ").title()

    def chart(self, id: str) -> Chart:
        """The chart of this id; `UnknownChart` otherwise."""
        charts = {chart.id: chart for chart in self.charts(self.data)}
        if id not in charts:
            raise UnknownChart(id, [*charts, *self.odds(self.data)], where=self.key)
        return charts[id]

    @cached_property
    def questions(self) -> Mapping[str, OddsQuery]:
        """All questions of odds by name: the game's own, and each chart that is read with dice."""
        rolled = {chart.id: of_chart(chart) for chart in self.charts(self.data) if chart.dice}
        return {**self.odds(self.data), **rolled}

    def question(self, name: str) -> OddsQuery:
        """The question of odds of this name; `UnknownChart` otherwise."""
        if name not in self.questions:
            raise UnknownChart(name, self.questions, where=f"the odds of {self.key}")
        return self.questions[name]


def find_seats(seats: Sequence[Seat], name: str) -> list[Seat]:
    """The seat of this key, or all seats of the side of this name; `UnknownSeat` otherwise."""
    found = [seat for seat in seats if seat.key == name] or [seat for seat in seats if seat.side == name]
    if not found:
        raise UnknownSeat(name, dict.fromkeys([*(seat.key for seat in seats), *(seat.side for seat in seats)]))
    return found


def game_names() -> list[str]:
    """The keys of all games that installed packages offer."""
    return sorted(_offered(tuple(sys.path)))


@lru_cache(maxsize=8)
def _offered(path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """What packages on Python's path offer; looked for once in a process, for all that is installed is read for it."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def load_game(name: str, data: Path | None = None) -> Game[Any, Any]:
    """The game of this name, with an owner's own figures laid over it if a folder is given.

    Raises:
        UnknownGame: no installed package offers it.
        BrokenGame: one does, but it cannot be read.
        InvalidData: the folder's files do not fit, or the game's own.
    """
    found = _offered(tuple(sys.path))
    if name not in found:
        raise UnknownGame(name, found)
    try:
        game: Game[Any, Any] = found[name].load()
    except ReadyRoomError:
        raise
    except Exception as error:  # a package of somebody's own may do anything when it is read
        raise BrokenGame(name, error) from error
    return game.with_data(data) if data is not None else game


def load_all_games(on_error: Callable[[ReadyRoomError], None] | None = None) -> Iterator[Game[Any, Any]]:
    """All games that can be read; what is said of each of the others is handed to `refused`."""
    for name in game_names():
        try:
            yield load_game(name)
        except ReadyRoomError as error:
            if on_error is not None:
                on_error(error)


def sides(seats: Iterable[Seat]) -> list[str]:
    """The sides at a table, in the order of their first seats."""
    return list(dict.fromkeys(seat.side for seat in seats))
