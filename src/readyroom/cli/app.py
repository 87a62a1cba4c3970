"""The verbs of `readyroom`, and the one place where what was refused becomes a sentence and an exit code."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from readyroom import __version__
from readyroom.cli.admin import app as admin
from readyroom.cli.analyze import analyze
from readyroom.cli.archive import backup, restore
from readyroom.cli.chart import chart
from readyroom.cli.games import games
from readyroom.cli.ladder import ladder
from readyroom.cli.odds import odds
from readyroom.cli.planning import planning
from readyroom.cli.play import play
from readyroom.cli.replay import replay
from readyroom.cli.report import report
from readyroom.cli.review import review
from readyroom.cli.rules import rules
from readyroom.cli.serve import serve
from readyroom.cli.simulate import simulate
from readyroom.cli.study import study
from readyroom.cli.tool import tool
from readyroom.cli.verify import verify
from readyroom.cli.what_if import what_if
from readyroom.engine.errors import ReadyRoomError

WRONG_QUESTION = 2
"""The exit code where the question was wrong; 1 says that the answer is no."""
Misuse: Any = typer.BadParameter.__base__
"""Whatever the parser refuses: typer shows only the leaves of this family."""


class Verbs(TyperGroup):
    """The verbs; what any of them refuses is said in one sentence."""

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run a verb and leave with its exit code."""
        try:
            code = super().main(*args, **{**settings, "standalone_mode": False})
        except Misuse as misuse:
            _refuse(_sentence(misuse))
        except ReadyRoomError as refusal:
            _refuse(str(refusal))
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            _refuse(f"{place}{error.strerror or error}.")
        sys.exit(code if isinstance(code, int) else 0)


def _sentence(misuse: Any) -> str:
    """What the parser has to say, with the way to its help."""
    where = misuse.ctx.command_path if misuse.ctx is not None else "readyroom"
    return f"{misuse.format_message().rstrip('.')}; see `{where} --help`."


def _refuse(sentence: str) -> None:
    typer.echo(sentence, err=True)
    sys.exit(WRONG_QUESTION)


app = typer.Typer(
    cls=Verbs,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Play and study the Pacific War as board games: every rule enforced, every roll verifiable.",
)

for verb, line in (
    (serve, "Start the server for play in the browser."),
    (play, "Play in the terminal, against a bot or each other."),
    (simulate, "Play many matches between bots, and count."),
    (study, "Measure the effect of an option, plan or bot over many matches."),
    (ladder, "Rate the bots in Elo points."),
    (planning, "Play every plan against every other; find the best mixes."),
    (replay, "Step through a record, or print its log."),
    (analyze, "Analyze a question: which answer is best, and why."),
    (verify, "Verify a record: its dice, every decision, its outcome."),
    (report, "Write the after-action report of a match in Markdown."),
    (what_if, "Change a decision of a match, and see what would have happened."),
    (review, "Review a match: what was skill, and what was luck."),
    (odds, "Exact odds: of an attack, a check, or a chart."),
    (chart, "The charts, each with its source."),
    (tool, "A game's tools, such as a cipher."),
    (rules, "The rules in plain words, and the code of each."),
    (games, "The installed games."),
    (backup, "Save everything on a server as one file."),
    (restore, "Fill an empty database from a backup."),
):
    app.command(short_help=line)(verb)
for old_name, verb in (("advise", analyze), ("verdict", review), ("archive", backup)):
    app.command(old_name, hidden=True)(verb)
app.add_typer(admin, name="admin", short_help="For server admins: matches, seats and players.")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"readyroom {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
