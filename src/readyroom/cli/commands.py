"""What a player may type instead of an answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from readyroom.cli.analyze import drawn as drawn_advice
from readyroom.cli.analyze import thinking_time
from readyroom.cli.arguments import CommandError
from readyroom.cli.odds import answer, drawn, questions
from readyroom.cli.question import hinted, option_lines
from readyroom.cli.rules import render_rule
from readyroom.cli.session import Session
from readyroom.engine.decisions import Decision
from readyroom.engine.files import save
from readyroom.engine.planning import files_of, follow

LOG_LINES = 20
SPREAD = ("1x3,2", "option 1 three times, or three points for it, and option 2 once")
PAPER = (
    ("plan FILE", "answer all questions of planning by a plan in a file, TOML or CSV"),
    ("paper [FOLDER]", "write plans to begin with into a folder, to be changed and read by `plan`"),
)
HELP = (
    ("1 3 5", "the options of these numbers; 1,3,5 says the same"),
    ("1-4,7", "a range and one more"),
    ("KEY", "an option by its key, as `keys` lists them; hiryu* takes all that begin so"),
    SPREAD,
    ("all", "everything, or from the top of the list as much as may be chosen"),
    ("none", "nothing, where that is allowed; a bare Enter says the same"),
    ("undo", "take your last decision back, unless dice or the other side came since"),
    ("log [N]", "the last N lines of the log"),
    ("rule [12]", "rule 12 with all its parts, in plain words; alone, the rule that asks"),
    ("odds", "the odds of the options, and what else may be asked"),
    ("analyze [SECONDS]", "rank the answers by playing on from here; nothing is decided"),
    ("why [N|KEY]", "what you may look for among the options, and why it is not there"),
    ("keys", "the keys of the options"),
    ("board", "draw the board and the question again"),
    ("save [FILE]", "every decision is saved as it is made; FILE gets a copy"),
    *PAPER,
    ("quit", "leave; the match can be resumed (Ctrl-C and Ctrl-D do the same)"),
)
LEGEND = "Dice in frames [5] count, the others do not; those rolled again come after an arrow."
NOTHING_REFUSED = "Nothing that you might expect is left out here."
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
            "paper": self.paper,
            "help": self.help,
            "?": self.help,
        }

    def run(self, seat: str, decision: Decision, line: str) -> bool:
        """Whether the line was a command; then it has been done."""
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
        """The last lines of the log."""
        if texts and not texts[0].isdecimal():
            raise CommandError(f"log is followed by a number of lines, and not by {texts[0]!r}.")
        count = int(texts[0][:9]) if texts else LOG_LINES
        lines = self.session.log_of(seat)[-max(1, count) :]
        self.screen.show(*self.session.story(lines))
        if not lines:
            self.screen.print("Nothing has happened yet.")

    def rule(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """A rule in our words; without a number the one that asks."""
        self.screen.show(*render_rule(self.session.match.game, texts[0] if texts else decision.rule))

    def odds(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """The hints of the options, or an exact answer to a question of odds."""
        game = self.session.match.game
        if texts:
            self.screen.show(drawn(answer(game, texts[0], texts[1:])))
            return
        hints = [f"{option.text}: {hinted(option.info)}" for option in decision.options if option.info]
        self.screen.print("The odds of the options:" if hints else "No dice depend on these options alone.")
        self.screen.list(hints)
        asking = list(questions(game))
        if asking:
            self.screen.print("You may also ask:")
            self.screen.list(asking)

    def analyze(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Return the analysis after this many seconds."""
        try:
            limit = thinking_time(float(texts[0]) if texts else None, None)
        except ValueError as error:
            raise CommandError("analyze takes a number of seconds, such as `analyze 3`.") from error
        self.screen.show(*drawn_advice(self.session.advised(seat, limit), decision))

    def why(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Why something is not among the options."""
        refused = decision.unavailable
        if not texts:
            lines = [f"{number} {one.key}: {one.reason} [{one.rule}]" for number, one in enumerate(refused, start=1)]
            self.screen.list(lines)
            if not lines:
                self.screen.print(NOTHING_REFUSED)
            return
        key = texts[0].casefold()
        for number, one in enumerate(refused, start=1):
            if key in (str(number), one.key.casefold()):
                text = one.reason if one.reason.startswith(one.text) else f"{one.text}: {one.reason}"
                self.screen.print(f"{text} [{one.rule}]")
                return
        self.screen.print(_not_refused(decision, key))

    def keys(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """The options with their keys."""
        lines = option_lines(decision, decision.options)
        self.screen.list(f"{key}: {line.strip()}" for key, line in zip(decision.keys, lines, strict=True))

    def board(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Board and question again."""
        self.session.draw(seat, always=True)
        self.session.ask(seat, decision)

    def save(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Where the match is kept, or a copy of it elsewhere."""
        kept = self.session.kept
        if not texts:
            self.screen.print(f"Every decision is saved as it is made: {kept.path}")
            return
        path = Path(" ".join(texts)).expanduser()
        kept.copy_to(path)
        self.screen.print(f"Saved in {path}, with the secret of its dice in {path.with_suffix('.key')}.")

    def plan(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Answer all questions of planning by a file that someone has written."""
        if not texts:
            raise CommandError("plan is followed by the file of your plan; `paper FOLDER` writes plans to begin with.")
        path = Path(" ".join(texts)).expanduser()
        try:
            text = path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from error
        count = follow(self.session.match, seat, text, path.name)
        self.session.keep()
        self.screen.print(f"{path.name} has answered {count} questions. `undo` takes them back one by one.")

    def paper(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """Write plans to begin with, as files that may be changed."""
        side = self.session.sides[seat]
        game = self.session.match.game
        folder = Path(" ".join(texts) or ".").expanduser()
        written = files_of(game).templates(side, game.data)
        for name, text in written.items():
            save(folder / name, text)
        self.screen.print(f"{len(written)} files are in {folder}: {', '.join(written)}. `plan FILE` reads one.")

    def help(self, seat: str, decision: Decision, texts: list[str]) -> None:
        """What may be typed."""
        self.screen.print(f"{decision.instruction().capitalize()}. You may type:")
        paper = self.session.match.game.planning.files is not None
        known = (entry for entry in HELP if paper or entry not in PAPER)
        self.screen.glossary(entry for entry in known if entry is not SPREAD or decision.limit is not None)
        self.screen.print(LEGEND)


def play_session(session: Session) -> None:
    """Play a session with all commands."""
    session.run(Commands(session).run)


def _not_refused(decision: Decision, key: str) -> str:
    if key in decision.keys:
        return f"{key} is among the options: number {decision.keys.index(key) + 1}."
    if key.isdecimal():
        count = len(decision.unavailable)
        return f"`why` lists what is left out here, numbered 1 to {count}." if count else NOTHING_REFUSED
    return f"{key!r} is neither an option nor one that rule {decision.rule} makes unavailable here."
