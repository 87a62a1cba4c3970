"""Commands that a player types instead of an answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from readyroom.cli.analysis.analyze import render_analysis, thinking_time
from readyroom.cli.arguments import CommandError
from readyroom.cli.play.question import hinted, option_lines
from readyroom.cli.play.session import Session
from readyroom.cli.reference.odds import answer, questions, render_odds
from readyroom.cli.reference.rules import render_rule
from readyroom.engine.files import save
from readyroom.engine.match.planning import files_of, follow
from readyroom.engine.rules.decisions import Decision

LOG_LINES = 20
SPREAD = ("1x3,2", "option 1 three times (or three points for it) and option 2 once")
PLAN_FILES = (
    ("plan FILE", "answer all planning questions from a TOML or CSV file"),
    ("templates [FOLDER]", "write sample plans into a folder, to edit and load with `plan`"),
)
HELP = (
    ("1 3 5", "select options by number; 1,3,5 works too"),
    ("1-4,7", "select a range and one more"),
    ("KEY", "select an option by its key (see `keys`); hiryu* selects all keys that start with hiryu"),
    SPREAD,
    ("all", "select everything, or as much as allowed from the top of the list"),
    ("none", "select nothing, if allowed"),
    ("undo", "take back your last decision, unless dice were rolled or another side decided since"),
    ("log [N]", "show the last N log lines"),
    ("rule [12]", "show rule 12 with its subsections, or the rule of this decision"),
    ("odds", "show the odds of the options, and which other odds you can calculate"),
    ("analyze [SECONDS]", "rank the answers by simulation; nothing is decided"),
    ("why [N|KEY]", "show unavailable options and why"),
    ("keys", "show the keys of the options"),
    ("board", "show the board and the decision again"),
    ("save [FILE]", "show where the match is saved; FILE gets a copy"),
    *PLAN_FILES,
    ("quit", "quit; you can resume later (also Ctrl+C or Ctrl+D)"),
)
LEGEND = "Only framed dice [5] count. Re-rolled dice follow an arrow."
NOTHING_UNAVAILABLE = "No options are unavailable."
Command = Callable[[str, Decision, list[str]], None]


class Commands:
    """The commands of one session."""

    def __init__(self, session: Session) -> None:
        self.session, self.screen = session, session.screen
        self.known: dict[str, Command] = {
            "undo": self.undo,
            "log": self.log,
            "rule": self.rule,
            "rules": self.rule,
            "odds": self.odds,
            "analyze": self.analyze,
            "officer": self.analyze,
            "why": self.why,
            "keys": self.keys,
            "board": self.board,
            "save": self.save,
            "plan": self.plan,
            "templates": self.templates,
            "paper": self.templates,
            "help": self.help,
            "?": self.help,
        }

    def run(self, seat: str, decision: Decision, line: str) -> bool:
        """Run a line if it is a command; return whether it is."""
        texts = line.split()
        name = texts[0].casefold() if texts else ""
        if name not in self.known or name in decision.keys:
            return False
        self.known[name](seat, decision, texts[1:])
        return True

    def undo(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Take back the last decision of this seat's player."""
        self.session.takeback(seat)

    def log(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Print the last lines of the log."""
        if texts and not texts[0].isdecimal():
            raise CommandError(f"log takes a number of lines, not {texts[0]!r}.")
        count = int(texts[0][:9]) if texts else LOG_LINES
        lines = self.session.log_of(seat)[-max(1, count) :]
        self.screen.show(*self.session.story(lines))
        if not lines:
            self.screen.print("Nothing has happened yet.")

    def rule(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Print a rule: by number, or that of the decision."""
        self.screen.show(*render_rule(self.session.match.game, texts[0] if texts else decision.rule))

    def odds(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Print the odds of the options, or the exact answer to an odds query."""
        game = self.session.match.game
        if texts:
            self.screen.show(render_odds(answer(game, texts[0], texts[1:])))
            return
        hints = [f"{option.text}: {hinted(option.info)}" for option in decision.options if option.info]
        self.screen.print("Odds of the options:" if hints else "These options have no odds of their own.")
        self.screen.list(hints)
        if asking := list(questions(game)):
            self.screen.print("You can also calculate:")
            self.screen.list(asking)

    def analyze(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Print the analysis after this many seconds."""
        try:
            limit = thinking_time(float(texts[0]) if texts else None, None)
        except ValueError as error:
            raise CommandError("analyze takes a number of seconds, such as `analyze 3`.") from error
        self.screen.show(*render_analysis(self.session.advised(seat, limit), decision))

    def why(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Print why an option is unavailable, or list all that are."""
        refused = decision.unavailable
        if not texts:
            lines = [f"{number} {one.key}: {one.reason} [{one.rule}]" for number, one in enumerate(refused, start=1)]
            self.screen.list(lines)
            if not lines:
                self.screen.print(NOTHING_UNAVAILABLE)
            return
        key = texts[0].casefold()
        for number, one in enumerate(refused, start=1):
            if key in (str(number), one.key.casefold()):
                text = one.reason if one.reason.startswith(one.text) else f"{one.text}: {one.reason}"
                self.screen.print(f"{text} [{one.rule}]")
                return
        self.screen.print(_not_refused(decision, key))

    def keys(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Print the options with their keys."""
        lines = option_lines(decision, decision.options)
        self.screen.list(f"{key}: {line.strip()}" for key, line in zip(decision.keys, lines, strict=True))

    def board(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Print the board and the decision again."""
        self.session.draw(seat, always=True)
        self.session.ask(seat, decision)

    def save(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Print where the match is saved, or copy it to a file."""
        kept = self.session.kept
        if not texts:
            self.screen.print(f"Every decision is saved automatically: {kept.path}")
            return
        path = Path(" ".join(texts)).expanduser()
        kept.copy_to(path)
        self.screen.print(f"Saved to {path}; the dice key is in {path.with_suffix('.key')}.")

    def plan(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Answer all planning questions from a file."""
        if not texts:
            raise CommandError("plan takes a plan file; `templates FOLDER` writes sample plans.")
        path = Path(" ".join(texts)).expanduser()
        try:
            text = path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from error
        count = follow(self.session.match, seat, text, path.name)
        self.session.keep()
        self.screen.print(f"{path.name} answered {count} questions. `undo` takes them back one at a time.")

    def templates(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Write sample plans into a folder."""
        game, folder = self.session.match.game, Path(" ".join(texts) or ".").expanduser()
        written = files_of(game).templates(self.session.sides[seat], game.data)
        for name, text in written.items():
            save(folder / name, text)
        names = ", ".join(written)
        self.screen.print(f"Wrote {len(written)} sample plans to {folder}: {names}. `plan FILE` loads one.")

    def help(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Print what can be typed."""
        self.screen.print(f"{decision.instruction().capitalize()}. You can type:")
        has_plans = self.session.match.game.planning.files is not None
        known = (entry for entry in HELP if has_plans or entry not in PLAN_FILES)
        self.screen.glossary(entry for entry in known if entry is not SPREAD or decision.limit is not None)
        self.screen.print(LEGEND)


def play_session(session: Session) -> None:
    """Play a session with all commands."""
    session.run(Commands(session).run)


def _not_refused(decision: Decision, key: str) -> str:
    if key in decision.keys:
        return f"{key} is available: option {decision.keys.index(key) + 1}."
    if key.isdecimal():
        count = len(decision.unavailable)
        return f"`why` lists the unavailable options, numbered 1 to {count}." if count else NOTHING_UNAVAILABLE
    return f"{key!r} is not an option of rule {decision.rule}, available or not."
