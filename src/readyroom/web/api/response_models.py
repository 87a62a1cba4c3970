"""Response bodies of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from readyroom.engine.rules.state import Outcome
from readyroom.store import Pace
from readyroom.store.cards import Decided
from readyroom.store.tournaments.pairings import Format, Reason, Result
from readyroom.store.tournaments.tournaments import State


class ScenarioFacts(msgspec.Struct, frozen=True):
    """A scenario that comes with a game."""

    key: str
    title: str
    summary: str


class SharedScenarioSummary(msgspec.Struct, frozen=True):
    """A scenario that a player shows to everyone: the secret of its link, its game, author and last change."""

    link: str
    game: str
    title: str
    author: str
    changed: str


class SharedScenarioModel(msgspec.Struct, frozen=True):
    """A shared scenario; `version` counts how often it was saved, `text` is its file."""

    game: str
    title: str
    author: str
    version: int
    text: str


class CheckedScenario(msgspec.Struct, frozen=True):
    """Whether a scenario can be played; if not, why, at which field (such as `carrier/0/name`), and at which line."""

    valid: bool
    title: str
    message: str
    field: str
    line: int


class OptionFacts(msgspec.Struct, frozen=True):
    """An option: its values, each with an explanation, and the default."""

    key: str
    title: str
    rule: str
    choices: Mapping[str, str]
    default: str


class SeatFacts(msgspec.Struct, frozen=True):
    """A seat, its side, who plays it in words, and whether anyone may join it."""

    key: str
    name: str
    side: str
    bot: str = ""
    sits: str = ""
    open: bool = False


class GameFacts(msgspec.Struct, frozen=True):
    """A game; `seats` are those of its first scenario with the default options."""

    key: str
    title: str
    summary: str
    players: str
    length: str
    version: str
    scenarios: list[ScenarioFacts]
    options: list[OptionFacts]
    seats: list[SeatFacts]
    bots: list[str]


class Choice(msgspec.Struct, frozen=True):
    """An option: its key, text, info, cost, and the budget group that pays.

    `cell` is its row and column where the options form a sheet, and `assigns` the keys of the piece and the place that
    it brings together; a piece can be assigned once.
    """

    key: str
    text: str
    note: str | None
    chance: float | None
    cost: int
    limit: int
    purse: str | None
    cell: tuple[str, str] | None
    assigns: tuple[str, str] | None


class UnavailableModel(msgspec.Struct, frozen=True):
    """An unavailable option and the reason."""

    key: str
    text: str
    rule: str
    reason: str


class Pending(msgspec.Struct, frozen=True):
    """The pending decision of a seat; an answer repeats its `revision`.

    It counts as in the match's status: hidden decisions of others do not change it.
    """

    kind: Literal["one", "some", "allot"]
    seat: str
    rule: str
    question: str
    wanted: str
    at_least: int
    at_most: int
    budget: int | None
    unit: str
    options: list[Choice]
    refused: list[UnavailableModel]
    about: str
    usual: bool
    revision: int


class Die(msgspec.Struct, frozen=True):
    """A die's face, and whether it counts."""

    face: int
    hit: bool


class Dice(msgspec.Struct, frozen=True):
    """A roll, round by round."""

    name: str
    sides: int
    rounds: list[list[Die]]
    result: str
    side: str | None


class LogLineModel(msgspec.Struct, frozen=True):
    """A line of the log as the seat may read it."""

    turn: int
    phase: str
    title: str
    rule: str
    text: str
    rolls: list[Dice]


class PlayedDice(Dice, frozen=True):
    """A roll of an event.

    `need` is what it needs and with what dice, `ask` says so in a sentence; `outcome` is its result without what the
    dice show.
    """

    need: str
    ask: str
    outcome: str


class PlaybackEvent(LogLineModel, frozen=True):
    """A log line as an event on the board.

    `caption` is the line without abbreviations; `keys` are the pieces that it names and `target` is the key of the
    piece or place that it happens to, as far as they are on the board. `kind` and `effect` say how to show it; `moment`
    is the headline of a big moment; `own`: it comes of the viewer's own answer. `frame` has the changed lines of the
    drawing: where they start, how many lines they replace, and the new ones.
    """

    rolls: list[PlayedDice]  # type: ignore[assignment]
    caption: str
    keys: list[str]
    target: str
    kind: str
    effect: str
    moment: str
    own: bool
    frame: list[tuple[int, int, list[str]]]


class PlaybackModel(msgspec.Struct, frozen=True):
    """What happened between two revisions: the lines of the drawing before it, in SVG, and the events.

    Of many events only the last are there; `omitted` are left out before them. `colours` has the palette role of each
    side. Without a drawing of the board, and while a long match is prepared, `before` and `events` are empty.
    """

    before: list[str]
    omitted: int
    events: list[PlaybackEvent]
    colours: Mapping[str, str]


class DiceFacts(msgspec.Struct, frozen=True):
    """What is known of the dice of a match.

    `origin` says why a player may know them: "seed", "import" or "branch"; empty if none can. `label` is the sentence
    to show. `signature` is the server's of the text at /m/ID/dice.json, made with the key `signer` before the first
    decision.
    """

    origin: str
    label: str
    signer: str
    signature: str


class ListedMatch(msgspec.Struct, frozen=True):
    """A public match, to join where a seat is open, or to watch.

    `revision` counts the decisions and undos that the viewer may notice, `phase` and `waiting` are as it may know them:
    hidden decisions of others change none of them. Once the match is over, `revision` counts everything.
    """

    id: str
    game: str
    title: str
    scenario: str
    options: Mapping[str, str]
    seats: list[SeatFacts]
    pace: Pace
    begun: bool
    fingerprint: str
    dice: DiceFacts
    revision: int
    turn: int
    phase: str
    waiting: Sequence[str]


class RatingFacts(msgspec.Struct, frozen=True):
    """A Glicko-2 rating: its 95 % interval is `rating` ± 1.96 `deviation`, and it is provisional while that is wide."""

    game: str
    title: str
    rating: float
    deviation: float
    provisional: bool


class PublicMatch(ListedMatch, frozen=True, kw_only=True):
    """A public match that is not over, with the opponents that its host looks for.

    `experience` is "new", "skilled" or empty for anyone; `host_rating` is null unless the host is on the ladder of the
    game.
    """

    experience: str
    host_rating: RatingFacts | None


class FinishedMatch(ListedMatch, frozen=True, kw_only=True):
    """A public match that is over; `at` is when it ended, in ISO 8601."""

    outcome: Outcome
    at: str


class LadderPlace(msgspec.Struct, frozen=True):
    """A player on the ladder of a game, which is sorted by the lower end of the interval of the rating."""

    place: int
    player: str
    name: str
    rating: float
    deviation: float
    provisional: bool
    matches: int


class LadderModel(msgspec.Struct, frozen=True):
    """The ladder of a game; without rated matches `places` is empty."""

    game: str
    title: str
    places: list[LadderPlace]


class SideFacts(msgspec.Struct, frozen=True):
    """A player's results in a game with a side, against people or against bots; `on_time`: by a claim."""

    game: str
    title: str
    side: str
    bots: bool
    won: int
    drawn: int
    lost: int
    on_time: int


class RatedFacts(msgspec.Struct, frozen=True):
    """A rated match of a player: their score (1, 0.5 or 0), and their rating before and after it."""

    match: str
    game: str
    title: str
    scenario: str
    score: float
    before: float
    after: float
    at: str


class RatingPoint(msgspec.Struct, frozen=True):
    """A player's rating in a game before and after a rated match that ended at a time."""

    game: str
    at: str
    before: float
    after: float


class WeeklyResult(msgspec.Struct, frozen=True):
    """How a player on the ladder ended the scenario of the week; `score` is null if the side has none."""

    player: str
    name: str
    match: str
    won: bool
    score: float | None
    title: str


class WeeklyModel(msgspec.Struct, frozen=True):
    """The scenario of a week from its first day to its last (UTC), and the results, the best first."""

    game: str
    scenario: str
    side: str
    starts: str
    ends: str
    results: list[WeeklyResult]


class ChallengeResult(msgspec.Struct, frozen=True):
    """A counted attempt: `percentile` of the bot runs are worse; null if they were not played.

    `player` is empty for those not on the ladder. `match`, `title` and `lead` (the score, less that of the other side)
    are there once the day is over.
    """

    player: str
    name: str
    percentile: int | None
    match: str = ""
    title: str = ""
    lead: int | None = None


class ChallengeModel(msgspec.Struct, frozen=True):
    """The challenge of a day (UTC) and its results, the best first.

    `fingerprint` is the dice seed hash of all its attempts, and `anchor` what the dice keys of all days lead to; `bot`
    plays the other seats, if there are any. `over`: the day is over, and the matches are open.
    """

    day: str
    number: int
    game: str
    scenario: str
    side: str
    options: Mapping[str, str]
    bot: str
    fingerprint: str
    anchor: str
    over: bool
    results: list[ChallengeResult]


class PuzzleRated(msgspec.Struct, frozen=True):
    """A puzzle of a game: its Glicko-2 rating and deviation, and how many players have tried and solved it."""

    puzzle: str
    rating: float
    deviation: float
    tries: int
    solved: int


class PuzzleModel(msgspec.Struct, frozen=True):
    """A puzzle: the `view` of the seat that decides, and the question with its options, as in a match."""

    puzzle: str
    game: str
    scenario: str
    seat: str
    view: dict[str, Any]
    decision: dict[str, Any]


class PuzzleSolution(msgspec.Struct, frozen=True):
    """An answer of a puzzle as keys of the match: its difference from the best one with the 95 % interval.

    `rounds` is the number of rollouts, `why` the match statistic in which the best one differs most from it.
    """

    keys: list[str]
    loss: float
    low: float
    high: float
    rounds: int
    why: str


class PuzzleResult(msgspec.Struct, frozen=True):
    """Whether an answer solves a puzzle, or the player's first answer did; whether it is rated; all answers."""

    solved: bool
    keys: list[str]
    rated: bool
    answers: list[PuzzleSolution]


class CreatedAttempt(msgspec.Struct, frozen=True):
    """A new attempt at a challenge: whether it counts, and the secrets of its seats."""

    id: str
    url: str
    counted: bool
    seats: Mapping[str, str]


class ListedCampaign(msgspec.Struct, frozen=True):
    """A campaign in a list."""

    id: str
    title: str
    started: bool
    over: bool


class CreatedCampaignModel(msgspec.Struct, frozen=True):
    """A new campaign, and the secrets of its sides, which are returned only here."""

    id: str
    url: str
    sides: Mapping[str, str]


class CampaignSide(msgspec.Struct, frozen=True):
    """A side of a campaign, and who plays it: a player by name, or a bot; neither while it waits."""

    key: str
    name: str
    player: str
    bot: str


class ChapterModel(msgspec.Struct, frozen=True):
    """A chapter: `state` is past, now or later; `tide` is the tide after it; `match` is empty if it has none."""

    key: str
    title: str
    date: str
    game: str
    state: str
    winner: str
    tide: int
    match: str


class CampaignChange(msgspec.Struct, frozen=True):
    """A quantity of the ledger or a line of a set-up: before and after, why, and the rule or history behind it."""

    title: str
    before: str
    after: str
    why: str
    source: str


class CampaignModel(msgspec.Struct, frozen=True):
    """The war so far.

    `current` is the match in progress; `order_by` and `risk_by` are the sides that have a choice to make before the
    next chapter, and `orders` the keys of its orders. `own_order` is only for the side that has sealed it.
    """

    id: str
    title: str
    pace: Pace
    started: bool
    over: bool
    tide: int
    ending: str
    winner: str
    sides: list[CampaignSide]
    chapters: list[ChapterModel]
    ledger: Mapping[str, int | str | list[str]]
    changed: list[CampaignChange]
    next_battle: list[CampaignChange]
    current: str
    order_by: str
    risk_by: str
    orders: list[str]
    own_order: str
    offer: str
    offered_by: str


class CampaignSeats(msgspec.Struct, frozen=True):
    """The match in progress (empty: none), and new secrets of a side's seats in it."""

    id: str
    match: str
    seats: Mapping[str, str]


class ListedTournament(msgspec.Struct, frozen=True):
    """A public tournament: `state` is open, running or over; `places` is with how many players it starts."""

    id: str
    title: str
    game: str
    kind: Format
    state: State
    players: int
    places: int


class JoinedTournament(msgspec.Struct, frozen=True):
    """A tournament, the address of its page, and the secret of the player, which is returned only here."""

    id: str
    url: str
    secret: str


class EntrantModel(msgspec.Struct, frozen=True):
    """A player of a tournament: their number (the seed, once it has started), and whether they have withdrawn."""

    number: int
    name: str
    out: bool


class PairingModel(msgspec.Struct, frozen=True):
    """A match of a tournament between the players `one`, on the first side, and `two` (null: `one` has a bye).

    `place` is the place in the round or the bracket; `game` is 2 for the second match of a pair. `result` is empty
    while it is open, or one, two, draw, or none if both lose; `reason` says why.
    """

    round: int
    place: int
    game: int
    one: int
    two: int | None
    match: str
    result: Result
    reason: Reason


class PlaceModel(msgspec.Struct, frozen=True):
    """A player's place in a tournament, with the points, tie-breaks, and matches won, drawn and lost."""

    place: int
    player: int
    points: float
    head_to_head: float
    sonneborn_berger: float
    won: int
    drawn: int
    lost: int


class TournamentModel(msgspec.Struct, frozen=True):
    """A tournament; `following` is the one in which the same players play again (empty: none)."""

    id: str
    title: str
    game: str
    kind: Format
    both: bool
    state: State
    places: int
    pace: Pace
    days: int
    minutes: int
    players: list[EntrantModel]
    pairings: list[PairingModel]
    standings: list[PlaceModel]
    following: str


class TournamentSeats(msgspec.Struct, frozen=True):
    """New secrets of a player's seats in their open matches, by match and seat."""

    id: str
    matches: Mapping[str, Mapping[str, str]]


class PlayerProfile(msgspec.Struct, frozen=True):
    """A player on the ladder: ratings, results, the last rated matches, newest first, and the history, oldest first."""

    id: str
    name: str
    ratings: list[RatingFacts]
    results: list[SideFacts]
    recent: list[RatedFacts]
    history: list[RatingPoint] = []


class ClockFacts(msgspec.Struct, frozen=True):
    """The clocks of a match: the seconds that each side has `left`, and the sides whose clock is `running`.

    `claimed` is the side that has claimed the win on time; empty if none has.
    """

    minutes: int
    left: Mapping[str, float]
    running: Sequence[str]
    claimed: str


class DecidedFacts(msgspec.Struct, frozen=True):
    """How the players have decided a match before its end; `winner` is a side, empty if none has won."""

    how: Decided
    winner: str


class MatchStatus(ListedMatch, frozen=True, kw_only=True):
    """The status of a match; `seat` is null for a spectator.

    `lines` is the number of log lines for this seat; a smaller number than before means that some were taken back.
    `view` is null unless requested, `clock` if the match has none, `decided` unless its players have
    decided it. `lent` says that the sender of the seat's secret still knows it; request a new one.
    """

    outcome: Outcome | None
    secret: str | None = None
    seat: str | None = None
    lent: bool = False
    pending: Pending | None = None
    can_undo: bool = False
    log: list[LogLineModel] = []
    lines: int = 0
    view: dict[str, Any] | None = None
    clock: ClockFacts | None = None
    decided: DecidedFacts | None = None


class CreatedMatch(msgspec.Struct, frozen=True):
    """A new match: for each seat assigned to "me" or "friend" the secret of its link, returned only here."""

    id: str
    url: str
    begun: bool
    seats: Mapping[str, str]


class ClaimedSeat(msgspec.Struct, frozen=True):
    """A claimed seat: the secret of its link, returned only here, and whether the match has started."""

    id: str
    seat: str
    secret: str
    begun: bool


class ChatMessage(msgspec.Struct, frozen=True):
    """A chat message to everyone (`side` null) or to one side; `at` is its time in ISO 8601."""

    id: int
    name: str
    side: str | None
    text: str
    at: str


class HintModel(msgspec.Struct, frozen=True):
    """The answer of the game's default bot; without a pending decision `bot` is empty and there are no keys."""

    bot: str
    keys: list[str]
    revision: int


class TakebackModel(msgspec.Struct, frozen=True):
    """A pending takeback request: who made it, and how many decisions that everyone could notice it reverts."""

    seat: str
    sentence: str
    decisions: int
    allowed: Sequence[str]


class DrawModel(msgspec.Struct, frozen=True):
    """An open offer of a draw: the seat that made it."""

    seat: str


class Error(msgspec.Struct, frozen=True):
    """An error: its kind and a sentence for people.

    An illegal answer adds the legal options, and a busy server the seconds to wait.
    """

    error: str
    sentence: str
    rule: str | msgspec.UnsetType = msgspec.UNSET
    reason: str | msgspec.UnsetType = msgspec.UNSET
    legal: list[str] | msgspec.UnsetType = msgspec.UNSET
    retry_after: int | msgspec.UnsetType = msgspec.UNSET
