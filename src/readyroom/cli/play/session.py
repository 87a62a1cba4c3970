"""A match played in the terminal by people and bots; every decision is saved before the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, TypeAlias

from readyroom.bots import make_bot
from readyroom.bots.analysis import AnalysisRun, DecisionAnalysis
from readyroom.bots.search import Limit
from readyroom.bots.turns import daily_bot, daily_seed
from readyroom.cli.analysis.analyze import run_with_progress
from readyroom.cli.arguments import CommandError
from readyroom.cli.play import answers
from readyroom.cli.play.manual_dice import ManualDiceMatch
from readyroom.cli.play.question import render_question
from readyroom.cli.play.saved_matches import HUMAN, SavedMatch
from readyroom.cli.screen import Screen
from readyroom.cli.story import render_log
from readyroom.engine import files
from readyroom.engine.errors import IllegalChoice, ReadyRoomError, RuleError, SaveError
from readyroom.engine.game import Bot
from readyroom.engine.record.format import DAILY
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.table import LogLine
from readyroom.engine.text import capitalize_first

UNDO = "undo"
REMEMBERED = 12
"""The number of earlier log lines that a resumed match shows."""
CommandRunner: TypeAlias = Callable[[str, Decision, str], bool]
"""Runs a line as a command for a seat with this decision; returns False if it is none."""


class Session:
    """A saved match at one screen."""

    def __init__(self, kept: SavedMatch, screen: Screen) -> None:
        self.kept, self.match, self.screen = kept, kept.match, screen
        self.names = {seat.key: seat.name for seat in self.match.seats}
        self.sides = {seat.key: seat.side for seat in self.match.seats}
        self.bots = self._bots(kept.seats)
        self._lines_read: dict[str, int] = {}
        self._last_headings: dict[str, tuple[str, str]] = {}
        self._last_boards: dict[str, Any] = {}
        self._sitting: str | None = None
        self._begun: dict[str, int] = {}
        if isinstance(self.match, ManualDiceMatch):
            self.match.table_dice.before, self.match.table_dice.rewound = self._before_a_throw, self._rewound

    def _bots(self, players: Mapping[str, str]) -> dict[str, Bot]:
        """Return the bots; with a seed their play is reproducible."""
        bots, seed = dict[str, Bot](), self.match.seed
        for seat, name in players.items():
            if name != HUMAN:
                random = Random(f"{seed}/{seat}/{self.match.revision}") if seed is not None else Random()
                bots[seat] = make_bot(self.match.game, name, seat, random)
        return bots

    @property
    def people(self) -> list[str]:
        """Return the seats of people."""
        return [seat.key for seat in self.match.seats if seat.key not in self.bots]

    # -- playing -----------------------------------------------------------------------------------------------------

    def run(self, run_command: CommandRunner) -> None:
        """Play until the end, or until someone leaves; each line is tried as a command first."""
        self._run_command = run_command
        try:
            if self.match.decision_count:  # resumed: only the last lines of its log are printed
                for seat in self.people:
                    self._lines_read[self.sides[seat]] = max(0, len(self.log_of(seat)) - REMEMBERED)
            while self.match.outcome is None:
                self._next()
        except KeyboardInterrupt:
            self._leave()
            return
        self._end()

    def _next(self) -> None:
        self._begun = dict(self._lines_read)
        pending = self.match.pending
        seat = next((seat for seat in pending if seat in self.bots), next(iter(pending)))
        if seat not in self.bots:
            self._person(seat, pending[seat])
            return
        if self.match.header.origin in DAILY and self.match.secret:
            bot = daily_bot(self.match, self.kept.seats[seat], seat, daily_seed(self.match.secret))
            self.bots[seat] = bot
        try:
            self.match.decide(seat, self.bots[seat](pending[seat], self.match.bot_view(seat)))
        except IllegalChoice as error:
            raise error.of_bot(seat, self.kept.seats[seat]) from error
        except RuleError as fault:
            self.screen.print(self._fault(fault))
            raise
        self.keep()
        if not self.people:
            self.show_news(None)

    def _person(self, seat: str, decision: Decision) -> None:
        if not self._sits_down(seat):
            return
        self.draw(seat)
        self.show_news(seat)
        self.ask(seat, decision)
        revision = self.match.revision
        while self.match.revision == revision:
            self._turn(seat, self.match.pending[seat], self.screen.ask("> "))

    def ask(self, seat: str, decision: Decision) -> None:
        """Print the decision."""
        self.screen.show("", *render_question(decision, self.names[seat]))

    def _turn(self, seat: str, decision: Decision, line: str) -> None:
        """Carry out a player's line, a command or an answer; print why if it is rejected."""
        try:
            if self._run_command(seat, decision, line):
                return
            keys = answers.read(decision, line)
            confirmed = _confirmed(decision, keys)
            self.match.decide(seat, keys)
        except IllegalChoice as error:
            self.screen.print(answers.describe_refusal(decision, error))
        except RuleError as fault:
            self.screen.print(f"{fault} {self._fault(fault)}")
        except ReadyRoomError as error:
            self.screen.print(str(error))
        else:
            self.keep()
            self.screen.print(confirmed)

    def advised(self, seat: str, limit: Limit) -> DecisionAnalysis:
        """Return the analysis for a seat; Ctrl+C ends the analysis, not the match."""
        self.check_not_counted("hint or analysis")
        return run_with_progress(AnalysisRun(self.match, seat), limit, self.screen.console)

    def _fault(self, fault: RuleError) -> str:
        """Save the record that reproduces an internal error; return a sentence that names it."""
        path = self.kept.path.with_suffix(".fault")
        files.save(path, fault.record)
        return f"{path} reproduces the error."

    def keep(self) -> None:
        """Save the match; if that fails, let the player free disk space and try again."""
        while True:
            try:
                self.kept.keep()
            except SaveError as trouble:
                if not self.people:
                    raise
                self.screen.print(f"{trouble} The last decision is not saved yet.")
                try:
                    self.screen.ask("Free disk space and press Enter to try again, or type quit. ")
                except KeyboardInterrupt:
                    raise trouble from None
            else:
                return

    # -- showing -----------------------------------------------------------------------------------------------------

    def _sits_down(self, seat: str) -> bool:
        """Hide the board when the screen passes to another side; return False if the previous player took back."""
        side = self.sides[seat]
        if self._sitting == side:
            return True
        self._last_boards.clear()
        self._last_headings.clear()
        if self._shares_screen:
            coming, leaving = self.people_of(side), self._sitting
            while self.screen.handover_screen(self._named(coming), self._last_chance()).casefold() == UNDO:
                if leaving is not None and self._may_take_back(leaving):
                    self.takeback(self.people_of(leaving)[0])
                    return False
        self._sitting = side
        return True

    def people_of(self, side: str) -> list[str]:
        """Return the seats of people on a side."""
        return [person for person in self.people if self.sides[person] == side]

    def _named(self, seats: list[str]) -> str:
        return ", ".join(self.names[seat] for seat in seats)

    def _may_take_back(self, side: str) -> bool:
        return any(self.match.can_undo(person, shared=self._shares_screen) for person in self.people_of(side))

    @property
    def _shares_screen(self) -> bool:
        """Whether people of several sides play at this screen."""
        return len({self.sides[person] for person in self.people}) > 1

    def _last_chance(self) -> str:
        """Ask what the previous player still wants to do."""
        able = self._sitting is not None and self._may_take_back(self._sitting)
        return "You can still type `undo` to take back your last decision." if able else ""

    def takeback(self, seat: str) -> None:
        """Undo the last decision of this seat's side; raise `CannotUndo` if it is final."""
        self.check_not_counted("takeback")
        here = self.people_of(self.sides[seat])
        shared = self._shares_screen
        able = next((person for person in here if self.match.can_undo(person, shared=shared)), None)
        leave = max((at for person in here if (at := self.match.takeback_position(person)) is not None), default=None)
        if able is None and leave is not None and self.people == here:
            self.match.revert_to(seat, leave)
            self.screen.print("Taken back. The bots agree, because no dice were rolled since.")
        else:
            self.match.undo(able or seat, shared=shared)
            self.screen.print("Taken back.")
        self.keep()

    def check_not_counted(self, what: str) -> None:
        """Raise `CommandError` in a counted attempt at a challenge of the day."""
        if self.match.header.origin == "daily":
            raise CommandError(f"This attempt at the challenge of the day counts, so it has no {what}.")

    def draw(self, seat: str, *, always: bool = False) -> None:
        """Draw the board, unless it has not changed since it was last drawn."""
        view = self.match.view(seat)
        state = (view.table, view.turn)
        if always or self._last_boards.get(seat) != state:
            self._last_boards[seat] = state
            if self.match.game.presentation.board is not None:
                self.screen.show("", self.match.game.presentation.board(view))

    def log_of(self, seat: str | None) -> list[LogLine]:
        """Return the log as the people on this seat's side saw it (None: as a spectator did)."""
        if seat is None:
            return self.match.log(None)
        shared = self.people_of(self.sides[seat])
        return [line for line in self.match.full_log if any(line.seen_by(person) for person in shared)]

    def show_news(self, seat: str | None) -> None:
        """Print the log lines since this side last read it."""
        reader = self.sides[seat] if seat is not None else ""
        lines = self.log_of(seat)
        since = self._lines_read.get(reader, 0)
        self._lines_read[reader] = len(lines)
        if lines[since:]:
            self.screen.show("", *self.story(lines[since:], self._last_headings.get(reader)))
            self._last_headings[reader] = self.match.log_heading(lines[-1].turn, lines[-1].phase)

    def _before_a_throw(self) -> None:
        """Print what led to a roll of real dice: as the side at the screen sees it, or else as a spectator."""
        here = [seat for seat in self.people if self.sides[seat] == self._sitting]
        self.show_news(next(iter(here), None))

    def _rewound(self) -> None:
        """Print again what was printed before a mistyped roll."""
        self._lines_read = dict(self._begun)
        self._last_headings.clear()

    def story(self, lines: list[LogLine], printed: tuple[str, str] | None = None) -> list[Any]:
        """Return log lines for the screen; the heading that is already `printed` is not repeated."""
        return list(render_log(lines, self.match.log_heading, printed))

    # -- leaving -----------------------------------------------------------------------------------------------------

    def _leave(self) -> None:
        self.kept.keep()
        self.screen.print("")
        self.screen.print(f"The match is saved in {self.kept.path}.")
        self.screen.print(f"Continue with: readyroom play --resume {self.kept.name}")

    def _end(self) -> None:
        outcome = self.match.outcome
        assert outcome is not None
        self.show_news(next(iter(self.people), None))
        self.screen.print("")
        self.screen.print(f"{capitalize_first(outcome.title)}. {outcome.text}", "bold")
        dice = [f"Dice seed hash: {self.match.fingerprint}", f"Dice key:       {self.match.published_secret}"]
        self.screen.list(dice + self._afterwards())

    def _afterwards(self) -> list[str]:
        """Return what can be done with a finished match."""
        return [
            f"Record:         {self.kept.path}",
            f"Verify:         readyroom verify {self.kept.name}",
            f"Replay:         readyroom replay {self.kept.name}",
            f"Report:         readyroom report {self.kept.name}",
        ]


def _confirmed(decision: Decision, keys: list[str]) -> str:
    """Describe an answer; call this before it is taken, because the options change with it."""
    if len(keys) == len(decision.keys) == len(set(keys)) > 1:
        return f"Chosen: all {len(keys)}."
    return f"Chosen: {decision.describe_answer(keys)}.{_points_left(decision, keys)}"


def _points_left(decision: Decision, keys: list[str]) -> str:
    """Return what an answer leaves in each budget."""
    if len(decision.budget_groups) < 2:
        return ""
    spent = Counter[str]()
    for option in decision.options:
        spent[option.budget_group] += option.cost * keys.count(option.key)
    left = [f"{group.name} {decision.budget - spent[group.key]}" for group in decision.budget_groups]
    return f" Points left: {', '.join(left)}."
