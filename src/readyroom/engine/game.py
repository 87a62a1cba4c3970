"""The definition of a game, and how installed games are found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

from readyroom.engine.books import Glossary, Rulebook, Tutorial
from readyroom.engine.credits import Credits, SourceCount, count_sources
from readyroom.engine.data import convert, load, parse, parse_own, ready
from readyroom.engine.errors import (
    BrokenGame,
    ReadyRoomError,
    UnknownChart,
    UnknownChoice,
    UnknownGame,
    UnknownOption,
    UnknownScenario,
    UnknownSeat,
)
from readyroom.engine.facts import Fact, FactValue, common_facts, outcome_facts
from readyroom.engine.figures import Figure, Figures
from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.forms import FilledQuery, OddsQuery, Tool, of_chart
from readyroom.engine.rules.state import At, Loss, Outcome, ScoreScale
from readyroom.engine.rules.table import D, LogLine, S, Steps, Table

if TYPE_CHECKING:
    from rich.console import RenderableType

GROUP = "readyroom.games"
"""The entry-point group under which packages provide games."""

ACCENTS = ("japan", "usa", "ink")
"""The accent colours available for sides, in light and in dark mode."""

M = TypeVar("M")
View: TypeAlias = dict[str, Any]
"""Plain data that can be serialized as JSON."""
V = TypeVar("V")


class MatchView(msgspec.Struct, Generic[V], frozen=True):
    """What a seat (None: a spectator) may know of a match: the game's own view is `table`.

    `sheets` has what the seat may see of plans in progress, by planning seat. `is_own` says whether who looks holds the
    seat: otherwise a board marks no side as theirs.
    """

    game: str
    scenario: str
    seat: str | None
    turn: int
    phase: str
    outcome: Outcome | None
    table: V
    sheets: Mapping[str, Any]
    is_own: ClassVar[bool] = True

    def for_others(self) -> MatchView[V]:
        """Return the view for someone who does not hold its seat."""
        return OthersView(*msgspec.structs.astuple(self))


class OthersView(MatchView[V], Generic[V], frozen=True):
    """What a seat may know, for someone who does not hold it."""

    is_own: ClassVar[bool] = False


ViewFn: TypeAlias = Callable[[], MatchView[Any]]
Bot: TypeAlias = Callable[[Decision, ViewFn], Sequence[str]]
"""Answers a decision from its options and its seat's view, as `Match.bot_view` returns it.

A bot that takes more than a moment has an attribute `is_quick` that is False; servers run it in another process."""


class Seat(msgspec.Struct, frozen=True):
    """A seat: its key, its name, and the side that it plays for."""

    key: str
    name: str
    side: str


class HasSide(Protocol):
    """A seat, or anything else with a name and a side."""

    @property
    def name(self) -> str:
        """The display name."""
        ...

    @property
    def side(self) -> str:
        """The side."""
        ...


class GameOption(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An optional rule: its choices, each with an explanation, and the default.

    A retired option is not offered for new matches, but old ones and command lines may use it.
    """

    key: str
    title: str
    rule: str
    choices: dict[str, str]
    default: str
    retired: bool = False

    def __post_init__(self) -> None:
        if self.default not in self.choices:
            choices = ", ".join(self.choices)
            raise ValueError(f"the default of the option {self.key} is {self.default!r}, which is none of {choices}")


EventKind: TypeAlias = Literal["move", "roll", "hit", "sink", "draw", "reveal", "phase", "note"]
"""The kind of event that a log line reports."""


WITHOUT_DICE = " without dice"
"""What follows a rule's number in `effects.toml` if a row is for its lines without dice."""


class Effect(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A row of `effects.toml`: the kind of event, the name of its effect, and what its dice are for.

    In the title, `{name}` is replaced by the name of the roll.
    """

    kind: EventKind
    name: str
    title: str = ""


class _Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `options.toml`."""

    option: list[GameOption]


def load_options(package: str) -> Sequence[GameOption]:
    """Return the options in the `options.toml` of a package; raise `InvalidData` if it is invalid."""
    file = "options.toml"
    return convert(parse(files(package).joinpath(file).read_bytes(), file), _Options, file).option


EARLIER = {("questions", "as-needed"), ("orders", "separate")}
"""Choices by which matches of earlier versions are played; their states lack these options."""


def as_rulings(options: Mapping[str, str]) -> dict[str, str]:
    """Return options as a state keeps them: without those by which matches of earlier versions are played."""
    return {key: choice for key, choice in options.items() if (key, choice) not in EARLIER}


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A starting position: `content` is the game's typed data, `text` the file of a custom scenario."""

    key: str
    title: str
    summary: str
    content: Any  # the game's own scenario struct
    text: str | None = None
    file: str = ""


@dataclass(frozen=True)
class PhaseGroup:
    """Phases in a row that look like one, of this name and title, to all sides that owe no decision in them.

    Without it the current phase would show others which questions a side was asked, and so what it did in secret.
    For the same reason others cannot undo during these phases: an undo that fails would show that an answer came.
    """

    name: str
    title: str


@dataclass(frozen=True)
class Phase(Generic[S, D]):
    """A phase of the sequence of play, and its rule.

    `play` is a generator if a seat may have to decide, else a plain function. `group` hides the phase from other sides.
    """

    name: str
    title: str
    rule: str
    play: Callable[[Table[S, D]], Steps | None]
    group: PhaseGroup | None = None


@dataclass(frozen=True)
class NamedPlan:
    """A built-in plan for a side: its name, a summary, and the bot that plays it."""

    title: str
    summary: str
    bot: Callable[[str, Random], Bot]


Plans: TypeAlias = Mapping[str, Mapping[str, NamedPlan]]
"""Named plans by side and key."""


def _never(decision: Decision) -> bool:
    return False


def _always(plan: Any, view: MatchView[Any], data: Any) -> None:
    return None


class Planner(NamedTuple):
    """A seat that plans: what it sees, its side, the options of the match, and the game's data."""

    view: MatchView[Any]
    side: str
    options: Mapping[str, str]
    data: Any


@dataclass(frozen=True)
class PlanEditor:
    """A plan that is made on a chart of the match page by a script, `static/plan-SIDE.js` of the game's package.

    `sheet` returns what the script draws, as JSON values; its `plan` is the plan to begin with. `check` reads a draft
    from its text and file name, and returns as JSON values the `plan` (None if it cannot be read), its `faults` (each
    with a `where`, a `rule` and a `reason`), and what else the script shows; it is also given the key of a piece that
    is being placed, or "". `write` returns a draft as a file of a format, "toml" or "csv". `suggest` draws a plan such
    as the game's default bot makes, as JSON values; without it the chart gives no hint.
    """

    sheet: Callable[[Planner], Mapping[str, Any]]
    check: Callable[[Planner, bytes, str, str], Mapping[str, Any]]
    write: Callable[[Planner, bytes, str, str], str]
    suggest: Callable[[Planner, Random], Mapping[str, Any]] | None = None


@dataclass(frozen=True)
class PlanFiles:
    """Plan files: a file answers every planning question of a seat.

    `read` parses a file's text and name for a match with these options; it raises an `InvalidPlan` that names each
    invalid line and rule. `side` returns a plan's side; `is_planning` whether a question is about planning; `answer` a
    plan's answer to it, as keys. `restarts_plan` returns whether a question asks if a finished plan is to be changed,
    so that a file stops there. `validate` raises an `InvalidPlan` if a plan contradicts what a seat, as its view shows,
    has answered already. `templates` returns sample files of a side by name. `editor` lets players plan on a chart.
    """

    read: Callable[[bytes, str, Mapping[str, str], Any], Any]
    side: Callable[[Any], str]
    is_planning: Callable[[Decision], bool]
    answer: Callable[[Any, Decision, Any], Sequence[str]]
    templates: Callable[[str, Any], Mapping[str, str]]
    restarts_plan: Callable[[Decision], bool] = _never
    validate: Callable[[Any, MatchView[Any], Any], None] = _always
    editor: PlanEditor | None = None


def win_utility(outcome: Outcome, side: str) -> float:
    """Return 1 for a win, 0 for a loss, 0.5 for a draw."""
    return 0.5 if outcome.winner is None else float(outcome.winner == side)


def score_to_utility(score: float, span: float) -> float:
    """Return an unbounded score as a utility from 0 to 1: a score of 0 is 0.5, and `span` is 0.75.

    >>> [round(score_to_utility(score, 10), 2) for score in (-30, 0, 10, 30)]
    [0.04, 0.5, 0.75, 0.96]
    """
    return 1 / (1 + 3 ** (-score / span))


def _accept_scenario(data: Any, scenario: Scenario) -> None:
    return None


def _no_odds(data: Any) -> Mapping[str, OddsQuery]:
    return {}


def _no_odds_now(table: Any, decision: Decision | None) -> Sequence[FilledQuery]:
    return ()


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


def _no_losses(state: Any, data: Any) -> Sequence[Loss]:
    return ()


def _score(state: Any, data: Any) -> str:
    return "score"


def _no_scale(state: Any, data: Any) -> ScoreScale | None:
    return None


def _no_plans() -> Plans:
    return {}


def _no_stats(state: Any, data: Any) -> Mapping[str, float]:
    return {}


def _no_facts(state: Any, data: Any, scenario: Scenario) -> Mapping[str, FactValue]:
    return {}


def _no_choices(data: Any) -> Mapping[str, Mapping[str, str]]:
    return {}


def _no_charts(data: Any) -> Sequence[Chart]:
    return ()


@dataclass(frozen=True)
class PreviousVersion:
    """An earlier version of a game: the fingerprint of its data, and the options that restore its rules.

    A record of that version is replayed with these options unless its header names others. It verifies if no other
    change since then affects it.
    """

    figures: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class GameRules(Generic[S, D]):
    """How a game is played.

    Attributes:
        state: The type of a match's state.
        scenario_type: The type of a scenario file: a struct, or a union of structs.
        scenarios: Returns the game's scenarios, the default first.
        seats: Returns the seats of a scenario with these options.
        setup: Returns the state in which a match starts.
        phases: All phases.
        next_phase: Returns the next turn and phase, or the outcome.
        view: Returns what a seat (None: a spectator) may see of a state.
        open_view: Returns the view of a seat with all that is hidden, for a finished match: then one board shows what
            the boards of all sides would.
        resample: Changes a state to another that the seat cannot distinguish from it, and returns it.
        view_type: The type of a view, for programs that read it from JSON.
        validate_scenario: Raises an `InvalidData` that says what cannot be played; called when a scenario is loaded.
        scenario_phases: Returns the phases of a scenario, if scenarios differ.
        copy_state: Returns a copy of a state that shares only immutable parts with it. Without it, checkpoints are
            serialized, which is slower.
        immutable_facts: The rules only log facts whose text cannot change later, so that texts can be formatted on
            demand.
        hides_seats: Other sides see which side must decide, but not which of its seats: it would show what they may not
            know. An umpire, of a third side, sees it.
        integrity_checks: Returns what `verify` checks of a finished match in addition to its dice: statements, and
            whether each is true.
    """

    state: type[S]
    scenario_type: Any
    scenarios: Callable[[D], Sequence[Scenario]]
    seats: Callable[[Scenario, Mapping[str, str]], Sequence[Seat]]
    setup: Callable[[D, Scenario, Mapping[str, str]], S]
    phases: Sequence[Phase[S, D]]
    next_phase: Callable[[S], At | Outcome]
    view: Callable[[S, D, str | None], Any]
    resample: Callable[[S, D, str, Random], S]
    open_view: Callable[[S, D, str | None], Any] | None = None
    view_type: Any = dict[str, Any]
    validate_scenario: Callable[[D, Scenario], None] = _accept_scenario
    scenario_phases: Callable[[Scenario], Sequence[Phase[S, D]]] | None = None
    copy_state: Callable[[S], S] | None = None
    immutable_facts: bool = False
    hides_seats: bool = False
    integrity_checks: Callable[[S], Sequence[tuple[str, bool]]] = _no_checks


class QuickStart(NamedTuple):
    """The answer to a match's first question for "Play now": the question's rule, the option's key.

    `label` is the button for those who want to choose themselves, such as "Choose a ship".
    """

    rule: str
    key: str
    label: str


@dataclass(frozen=True, kw_only=True)
class GamePresentation(Generic[S, D]):
    """How a game is shown.

    Attributes:
        board: The board for a terminal.
        layout: Returns the data for the package's `board.svg.j2`: the positions of everything in a view. Of its
            `charts` only those are drawn whose `shape`, "wide", "narrow" or perhaps "medium", fits the page.
        room: Returns how much room a view needs on the board, by any keys, if the layout depends on it; its second
            argument is the least room that parts get anyway. `layout` then takes the most that several views need as
            a second argument, so that their drawings have one layout.
        last_turn: Returns the number of the last turn, if that is public: a board pauses where it begins.
        colours: Gives each side one of `ACCENTS`.
        aims: Says of each side in a sentence what its player is to achieve in any scenario.
        headings: Returns the log's headings for a phase of a turn: one for a group of phases, such as the turn, and
            the phase's own.
        charts: Returns the charts of the rulebook.
        tools: Returns helpers outside the match.
        epilogue: Returns a few sentences that sum up a finished match for its report.
        losses: Returns what each side has lost, the most important first.
        standing: Returns the score of each side at any time, as the outcome counts it, if the game has scores: the
            largest changes are the turning points of a finished match. It may be another figure that decides the
            result, such as a ship's hull.
        standing_name: Returns what the standing counts.
        scale: Returns the results that the score of a finished match can have, and the one it has; None if it has none.
        selection_odds: Returns what the selected values of a decision do to each target, by its key on the board, in a
            few words: the board shows it while pieces are dragged there. It may use what the seat knows only.
        text_diagram: Returns a text drawing for the report.
        quick_start: Answers a question before the start for those who want to play at once.
        scenario_choices: Returns what the fields of a scenario may be where that depends on the data: titles by key,
            for places such as `carrier/type`. Of a table `officers` has the keys, and `officers/*` the values.
        caption: Returns a line of the log as those read it who watch it on the board, without the log's abbreviations.
    """

    board: Callable[[MatchView[Any]], RenderableType] | None = None
    layout: Callable[..., Mapping[str, Any]] | None = None
    room: Callable[[MatchView[Any], Mapping[str, float]], Mapping[str, float]] | None = None
    last_turn: Callable[[S, D], int | None] | None = None
    colours: Mapping[str, str] = field(default_factory=dict)
    aims: Mapping[str, str] = field(default_factory=dict)
    headings: Callable[[Scenario, int, Phase[S, D]], tuple[str, str]] = _by_turn
    charts: Callable[[D], Sequence[Chart]] = _no_charts
    tools: Callable[[D], Mapping[str, Tool]] = _no_tools
    epilogue: Callable[[S, D], Sequence[str]] = _no_epilogue
    losses: Callable[[S, D], Sequence[Loss]] = _no_losses
    standing: Callable[[S, D], Mapping[str, int]] | None = None
    standing_name: Callable[[S, D], str] = _score
    scale: Callable[[S, D], ScoreScale | None] = _no_scale
    selection_odds: Callable[[Any, Decision, Sequence[Any]], Mapping[str, str]] | None = None
    text_diagram: Callable[[S, D], str] = _no_diagram
    quick_start: QuickStart | None = None
    scenario_choices: Callable[[D], Mapping[str, Mapping[str, str]]] = _no_choices
    caption: Callable[[str], str] = str


@dataclass(frozen=True, kw_only=True)
class PolicySpace:
    """The ways in which the sides of a game can play, from which a search chooses the best.

    A policy is a frozen struct whose fields are the parameters: numbers with a range, `Annotated[int, Meta(ge=0,
    le=9)]`, on a log scale with `extra={"log": True}`; booleans; and `Literal` texts. A solitaire game has one side.

    Attributes:
        bot: Returns a bot that plays a seat by a policy.
        styles: Named policies of each side, from which a search starts; all of a side are of one type.
        challengers: Named policies of each side by which a result is tested.
        lead: A search also prefers endings with a higher score than the other side's: this lead counts half as much as
            a victory does. 0: scores do not count.
    """

    bot: Callable[[Any, str, Random], Bot]
    styles: Mapping[str, Mapping[str, msgspec.Struct]]
    challengers: Mapping[str, Mapping[str, msgspec.Struct]] = field(default_factory=dict)
    lead: float = 0.0

    def type_of(self, side: str) -> type[msgspec.Struct]:
        """Return the type of a side's policies."""
        return type(next(iter(self.styles[side].values())))


def _no_memory(memory: Any, view: MatchView[Any]) -> Any:
    return None


@dataclass(frozen=True, kw_only=True)
class PositionFeatures(Generic[S, D]):
    """Numbers that describe a position, from which its value and what is hidden in it are estimated.

    A list of them has the same length in all scenarios and with all options.

    Attributes:
        state: Returns those of the whole state: for the review of a match, never for a seat.
        seat: Returns those that a seat may know: of its view, and of its memory.
        remember: Returns a seat's memory after it has seen a view, from the memory before (None: none yet). Seeing a
            view again changes nothing. The memory is never changed itself.
    """

    state: Callable[[S, D], Sequence[float]]
    seat: Callable[[MatchView[Any], Any], Sequence[float]]
    remember: Callable[[Any, MatchView[Any]], Any] = _no_memory


def _sees_none(view: MatchView[Any]) -> Collection[str]:
    return ()


class Estimate(msgspec.Struct, frozen=True):
    """A hidden quantity as a seat may estimate it: its title, the mean, and the ends of a 95 % interval."""

    title: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class HiddenFacts(Generic[S, D]):
    """What a seat cannot see, as counts: by them positions of other matches are recognized and imitated.

    Attributes:
        quantities: What a player gets to know, by title: the indices of the counts that it is the sum of.
        count: Returns the counts of a state, for a seat.
        deal: Changes a state so that it has about these counts and the seat cannot distinguish it from the true one;
            returns whether that is possible. It uses nothing of the state that the seat may not know.
        seen: Returns the quantities that a view shows, and that need no estimate.
    """

    quantities: Mapping[str, Sequence[int]]
    count: Callable[[S, D, str], Sequence[int]]
    deal: Callable[[S, D, str, Sequence[int], Random], bool]
    seen: Callable[[MatchView[Any]], Collection[str]] = _sees_none


@dataclass(frozen=True, kw_only=True)
class GameAnalysis(Generic[S, D]):
    """How a game is analyzed.

    Attributes:
        bots: Makers of bots by name; the first is the default.
        odds: Returns the questions whose exact odds can be asked.
        odds_now: Returns the questions of `odds` about the rolls that follow a seat's decision (None: for those who
            have none), filled in as far as that seat knows the position.
        match_stats: Returns numbers of a finished match, by title, for which studies report means and medians.
        utility: Returns the value of an ending to a side, from 0 to 1. Its mean is the chance of winning if one side
            wins; a solo game can rate its endings by it.
        policies: The ways to play from which a search chooses the best.
        features: What describes a position; without it, values are estimated from all numbers of its state or view.
        hidden: What a seat cannot see, so that it can be estimated.
        ratings: The measured Elo of bots, each with the ends of its 95 % interval; the mean of all is 1000.
        weaker: Bots that are clearly easier to beat than the default.
        unranked: Scenarios without high scores: their player chooses how hard they are.
        ladder_scenario: The scenario in which a ladder compares bots by default, if they do about as well as each
            other in the first one.
    """

    bots: Mapping[str, Callable[[str, Random], Bot]] = field(default_factory=dict)
    odds: Callable[[D], Mapping[str, OddsQuery]] = _no_odds
    odds_now: Callable[[Table[S, D], Decision | None], Sequence[FilledQuery]] = _no_odds_now
    match_stats: Callable[[S, D], Mapping[str, float]] = _no_stats
    utility: Callable[[Outcome, str], float] = win_utility
    policies: PolicySpace | None = None
    features: PositionFeatures[S, D] | None = None
    hidden: HiddenFacts[S, D] | None = None
    ratings: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    weaker: Collection[str] = ()
    unranked: Collection[str] = ()
    ladder_scenario: str | None = None


@dataclass(frozen=True, kw_only=True)
class GamePlanning(Generic[S]):
    """How seats plan in secret.

    Attributes:
        sheets: Returns what a seat (None: a spectator) may see of plans in progress. It is given, for each planning
            seat, the `sheet` of its question or, once it is done, its result.
        files: Reads plan files.
        plans: Returns built-in plans of two sides that a study plays against each other, first those of the side whose
            gain it reports.
    """

    sheets: Callable[[S, Mapping[str, Any], str | None], Mapping[str, Any]] = _no_sheets
    files: PlanFiles | None = None
    plans: Callable[[], Plans] = _no_plans


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S, D]):
    """A game: everything that the engine needs to know. A package provides one by an entry point.

    Attributes:
        package: Contains `rules.toml` and a `data` folder, and optionally `options.toml`, `glossary.toml`,
            `lesson.toml`, `credits.toml`, `effects.toml`, `facts.toml`, `board.svg.j2` and a folder `static` with
            what pages load: `board.css`, `effects.js`, `plan-SIDE.js`, `plan.css`.
        data_type: Has one field for each data file.
        options: The rules options, see `load_options`.
        facts: Returns what a finished match reports to what depends on it, such as a campaign: numbers and words by the
            keys of `facts.toml`. Unlike statistics, their keys do not change.
        previous: The earlier versions whose records can still be read.
        sort_order: Sorts the list of games; the lowest comes first and is offered to new players.
        data_package: Has the `data` folder, and shared code, templates and static files, if `package` has not.
        formerly: Earlier keys of the game; records and addresses with them still work, also if the game of that key
            was split into several.
        former_options: Keys of options that records with an earlier key may have.
        lengths: How long other scenarios than the first one take, by their keys.
    """

    key: str
    title: str
    summary: str
    players: str
    length: str
    version: str
    package: str
    data_type: type[D]
    data: D
    options: Sequence[GameOption] = ()
    rules: GameRules[S, D]
    presentation: GamePresentation[S, D] = field(default_factory=GamePresentation)
    analysis: GameAnalysis[S, D] = field(default_factory=GameAnalysis)
    planning: GamePlanning[S] = field(default_factory=GamePlanning)
    facts: Callable[[S, D, Scenario], Mapping[str, FactValue]] = _no_facts
    previous: Mapping[str, PreviousVersion] = field(default_factory=dict)
    sort_order: int = 100
    data_package: str = ""
    formerly: Sequence[str] = ()
    former_options: Sequence[str] = ()
    lengths: Mapping[str, str] = field(default_factory=dict)

    def length_of(self, scenario: Scenario) -> str:
        """Return how long a scenario takes; empty if that is not known."""
        return self.length if scenario == self.first_scenario else self.lengths.get(scenario.key, "")

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages with its code and files; the last one has the data."""
        return tuple(filter(None, (self.package, self.data_package)))

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rulebook from `rules.toml`."""
        text = files(self.package).joinpath("rules.toml").read_bytes()
        return convert(parse(text, "rules.toml"), Rulebook, "rules.toml")

    @cached_property
    def lesson(self) -> Tutorial | None:
        """The tutorial from `lesson.toml`, if the package has one."""
        return self._load_optional("lesson.toml", Tutorial)

    @cached_property
    def glossary(self) -> Glossary:
        """The glossary from `glossary.toml`, empty if the package has none."""
        return self._load_optional("glossary.toml", Glossary) or Glossary()

    @cached_property
    def credits(self) -> Credits | None:
        """The credits from `credits.toml`, if the package has one."""
        return self._load_optional("credits.toml", Credits)

    @cached_property
    def effects(self) -> Mapping[str, Effect]:
        """What the log lines of a rule report and how the board shows it, by rule, from `effects.toml`.

        `11.3 without dice` is for the lines of rule 11.3 without dice, such as those that report what a roll destroyed.
        """
        file = files(self.package).joinpath("effects.toml")
        table = dict[str, Effect]
        return convert(parse(file.read_bytes(), file.name), table, file.name) if file.is_file() else {}

    @cached_property
    def own_facts(self) -> Mapping[str, Fact]:
        """The facts from `facts.toml`, empty if the package has none."""
        return self._load_optional("facts.toml", dict[str, Fact]) or {}

    def known_facts(self, seats: Iterable[Seat]) -> dict[str, Fact]:
        """Return every fact that a match with these seats reports, by key."""
        return {**common_facts(sides(seats)), **self.own_facts}

    def facts_of(self, state: S, scenario: Scenario, outcome: Outcome, seats: Iterable[Seat]) -> dict[str, FactValue]:
        """Return the facts of a finished match."""
        return {**outcome_facts(outcome, sides(seats)), **self.facts(state, self.data, scenario)}

    def effect_of(self, line: LogLine, *, is_miss: bool = False) -> tuple[EventKind | Literal[""], str]:
        """Return the kind and the effect of a log line's event, both empty without a row in `effects.toml`.

        A miss under a rule that can hit is a roll.
        """
        bare = () if line.rolls else (line.rule + WITHOUT_DICE,)
        found = next((self.effects[rule] for rule in (*bare, line.rule) if rule in self.effects), None)
        if found is None:
            return "", ""
        return "roll" if is_miss and found.kind in ("hit", "sink") else found.kind, found.name

    def roll_title(self, rule: str, name: str) -> str:
        """Return what a viewer reads above the dice of a roll: the title in `effects.toml`, or the roll's name."""
        effect = self.effects.get(rule)
        return effect.title.replace("{name}", name) if effect and effect.title else name

    @cached_property
    def sources(self) -> Mapping[str, SourceCount]:
        """The number of the game's tables and values by source."""
        return count_sources(self.packages[-1])

    def _load_optional(self, name: str, type_: type[M]) -> M | None:
        """Return an optional file of the package as a typed struct; None if it does not exist."""
        file = files(self.package).joinpath(name)
        return convert(parse(file.read_bytes(), name), type_, name) if file.is_file() else None

    @cached_property
    def phases_by_name(self) -> Mapping[str, Callable[[Table[S, D]], Steps | None]]:
        """The phases by name."""
        return {phase.name: phase.play for phase in self.rules.phases}

    @cached_property
    def encode(self) -> Callable[[S], bytes]:
        """Serializes a state."""
        return msgspec.msgpack.Encoder().encode

    @cached_property
    def decode(self) -> Callable[[bytes], S]:
        """Deserializes a state."""
        return msgspec.msgpack.Decoder(ready(self.rules.state)).decode

    @cached_property
    def checkpoint_state(self) -> Callable[[S], S | bytes]:
        """Returns what a checkpoint keeps of a state: a copy if the game has `copy_state`, else bytes."""
        return self.rules.copy_state or self.encode

    def restore_state(self, kept: S | bytes) -> S:
        """Return a new state from what a checkpoint keeps."""
        if isinstance(kept, bytes):
            return self.decode(kept)
        assert self.rules.copy_state is not None
        return self.rules.copy_state(kept)

    @cached_property
    def _by_key(self) -> dict[str, Scenario]:
        return {scenario.key: scenario for scenario in self.rules.scenarios(self.data)}

    @property
    def first_scenario(self) -> Scenario:
        """The default scenario."""
        return next(iter(self._by_key.values()))

    @cached_property
    def _initial_states(self) -> dict[tuple[int, tuple[str, ...]], tuple[Any, S | bytes]]:
        return {}

    def initial_state(self, scenario: Scenario, options: Mapping[str, str]) -> S | bytes:
        """Return the starting state as a checkpoint keeps it; cached for the game's own scenarios."""
        if scenario.text is not None:
            return self.checkpoint_state(self.rules.setup(self.data, scenario, options))
        at = (id(scenario.content), tuple(options.values()))
        if at not in self._initial_states:
            start = self.rules.setup(self.data, scenario, options)
            self._initial_states[at] = (scenario.content, self.checkpoint_state(start))
        return self._initial_states[at][1]

    @cached_property
    def data_fingerprint(self) -> str:
        """A short hash of all data; records contain it."""
        return blake2b(msgspec.json.encode(self.data), digest_size=8).hexdigest()

    def phases_of(self, scenario: Scenario) -> Sequence[Phase[S, D]]:
        """Return the phases of a scenario."""
        return self.rules.phases if self.rules.scenario_phases is None else self.rules.scenario_phases(scenario)

    def phase(self, name: str) -> Phase[S, D]:
        """Return the phase or group of phases of this name; raise KeyError if there is none."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Phase[S, D]]:
        groups = {
            phase.group.name: replace(phase, name=phase.group.name, title=phase.group.title, group=None)
            for phase in reversed(self.rules.phases)
            if phase.group is not None
        }
        return groups | {phase.name: phase for phase in self.rules.phases}

    @cached_property
    def phase_groups(self) -> Mapping[str, str]:
        """The names of the groups by phase, for the phases that have one."""
        return {phase.name: phase.group.name for phase in self.rules.phases if phase.group is not None}

    def shown_at(self, at: At, side: str | None, deciding: Collection[str]) -> At:
        """Return the turn and phase as this side (None: a spectator) may know them while these sides must decide."""
        group = self.phase_groups.get(at.phase)
        return at if group is None or side in deciding else At(at.turn, group)

    def log_heading(self, scenario: Scenario, turn: int, name: str) -> tuple[str, str]:
        """Return the log's headings for a phase of this name in this turn; before the first phase its name."""
        phase = self._by_name.get(name)
        return self.presentation.headings(scenario, turn, phase) if phase is not None else (f"Turn {turn}", name)

    def with_data(self, folder: Path) -> Game[S, D]:
        """Return the game with data overridden by a folder; raise `InvalidData` if it does not fit."""
        return self._with(load(self.data_type, self.packages[-1], folder))  # type: ignore[type-var]

    @cached_property
    def figures(self) -> Figures:
        """The figures of the data that can be changed."""
        return Figures(self.data, self.data_type)

    def with_figures(self, changes: Mapping[str, Figure], file: str = "figures") -> Game[S, D]:
        """Return the game with figures of its data changed, by address; `file` says where they come from.

        Raises `UnknownFigure`, or `InvalidData` if a figure is not allowed or the data does not fit any more.
        """
        return self._with(self.figures.changed(changes, file)) if changes else self

    def _with(self, data: Any) -> Game[S, D]:
        """Return the game with other data, if every scenario can be played with it."""
        own = replace(self, data=data)
        for scenario in own.rules.scenarios(data):
            own.rules.validate_scenario(data, scenario)
        return own

    def scenario(self, name: str | None) -> Scenario:
        """Return the scenario of this key or in the TOML file of this name; None: the default one.

        Raises:
            UnknownScenario: neither exists.
            InvalidData: the file is not a scenario of the game.
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
        """Return a custom scenario from the text of its file; raise `InvalidData` if it does not fit."""
        content = convert(parse_own(text, file), self.rules.scenario_type, file)
        scenario = Scenario(
            key=Path(file).stem,
            title=content.title,
            summary=content.summary,
            content=content,
            text=text.decode(),
            file=file,
        )
        self.rules.validate_scenario(self.data, scenario)
        return scenario

    @cached_property
    def _known(self) -> dict[str, GameOption]:
        return {option.key: option for option in self.options}

    def resolve(self, options: Mapping[str, object]) -> dict[str, str]:
        """Return the values of all options, with defaults; raise `UnknownOption` for what does not exist."""
        known, resolved = self._known, self._defaults.copy()
        for key, choice in options.items():
            if key in resolved and resolved[key] == choice:
                continue
            if key in self.former_options and key not in known:
                resolved[key] = str(choice)
                continue
            if key not in known:
                offered = [option.key for option in self.options if not option.retired]
                raise UnknownOption(key, offered, where=self.key)
            resolved[key] = str(choice)
            if resolved[key] not in known[key].choices:
                raise UnknownChoice(f"{key}={choice}", [f"{key}={c}" for c in known[key].choices], where=self.key)
        return resolved

    @cached_property
    def _defaults(self) -> dict[str, str]:
        return {option.key: str(option.default) for option in self.options}

    def non_default_options(self, options: Mapping[str, str]) -> dict[str, str]:
        """Return the options, as `resolve` returns them, that differ from their defaults."""
        return {key: choice for key, choice in options.items() if choice != self._defaults.get(key, choice)}

    def side_name(self, side: str, seats: Iterable[HasSide]) -> str:
        """Return a side's name: that of its only seat in this match or by default, else made from its key."""
        default: Iterable[HasSide] = self.rules.seats(self.first_scenario, self.resolve({}))
        for candidates in (seats, default):
            names = [seat.name for seat in candidates if seat.side == side]
            if len(names) == 1:
                return names[0]
        return side.replace("-", " ").title()

    def chart(self, id: str) -> Chart:
        """Return the chart of this id; raise `UnknownChart` if there is none."""
        charts = {chart.id: chart for chart in self.presentation.charts(self.data)}
        if id not in charts:
            raise UnknownChart(id, [*charts, *self.analysis.odds(self.data)], where=self.key)
        return charts[id]

    @cached_property
    def chart_titles(self) -> Mapping[str, str]:
        """The titles of all charts by id."""
        return {chart.id: chart.title for chart in self.presentation.charts(self.data)}

    @cached_property
    def questions(self) -> Mapping[str, OddsQuery]:
        """All odds queries by name: the game's own, and one for each dice chart."""
        rolled = {chart.id: of_chart(chart) for chart in self.presentation.charts(self.data) if chart.dice}
        return {**self.analysis.odds(self.data), **rolled}

    def question(self, name: str) -> OddsQuery:
        """Return the odds query of this name; raise `UnknownChart` if there is none."""
        if name not in self.questions:
            raise UnknownChart(name, self.questions, where=f"the odds of {self.key}")
        return self.questions[name]


def find_seats(seats: Sequence[Seat], name: str) -> list[Seat]:
    """Return the seat of this key, or all seats of the side of this name; raise `UnknownSeat` if there are none."""
    matching = [seat for seat in seats if seat.key == name] or [seat for seat in seats if seat.side == name]
    if not matching:
        keys = [seat.key for seat in seats]
        other_sides = ", ".join(side for side in sides(seats) if side not in keys)
        raise UnknownSeat(name, keys, heading="Seats", more=other_sides and f"; sides: {other_sides}")
    return matching


def game_names() -> list[str]:
    """Return the keys of all installed games."""
    return sorted(_game_entry_points(tuple(sys.path)))


@lru_cache(maxsize=8)
def _game_entry_points(path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Return the games on Python's path; cached, because all installed packages are scanned for it."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def load_game(
    name: str, data: Path | None = None, fits: Callable[[Game[Any, Any]], object] | None = None
) -> Game[Any, Any]:
    """Return the game of this key, with its data overridden if a folder is given.

    A former key gives the game that has it now; if several have, the first that `fits` accepts: a function that
    raises a `ReadyRoomError` if the game lacks what is wanted, such as a scenario.

    Raises:
        UnknownGame: no installed package provides it.
        BrokenGame: importing it fails.
        InvalidData: the folder's files, or the game's own, are invalid.
    """
    known = _game_entry_points(tuple(sys.path))
    if name not in known:
        return _successor(name, data, fits)
    try:
        game: Game[Any, Any] = known[name].load()
        if game.key != name:
            raise ValueError(f"the game's key is {game.key!r}, and its entry point must have the same name")
    except ReadyRoomError:
        raise
    except Exception as error:  # importing a package may raise anything
        entry, package = known[name], known[name].dist
        text = f'the entry point {name} = "{entry.value}" of {package.name if package else "an unknown package"}'
        raise BrokenGame(name, error, text) from error
    return game.with_data(data) if data is not None else game


def _successor(name: str, data: Path | None, fits: Callable[[Game[Any, Any]], object] | None) -> Game[Any, Any]:
    """Return the game with this successors key; of several the first that fits, or else the first."""
    successors = sorted((game for game in load_all_games() if name in game.formerly), key=lambda game: game.sort_order)
    if not successors:
        raise UnknownGame(name, game_names())
    games = [game.with_data(data) if data is not None else game for game in successors]
    return next((game for game in games if fits is not None and _fits(game, fits)), games[0])


def _fits(game: Game[Any, Any], fits: Callable[[Game[Any, Any]], object]) -> bool:
    try:
        fits(game)
    except ReadyRoomError:
        return False
    return True


def load_all_games(on_error: Callable[[ReadyRoomError], None] | None = None) -> Iterator[Game[Any, Any]]:
    """Yield all games that can be loaded; the errors of the others go to `on_error`."""
    for name in game_names():
        try:
            yield load_game(name)
        except ReadyRoomError as error:
            if on_error is not None:
                on_error(error)


def sides(seats: Iterable[Seat]) -> list[str]:
    """Return the sides of seats, in the order of their first seats."""
    return list(dict.fromkeys(seat.side for seat in seats))
