"""The commands of `readyroom`; errors become a sentence and an exit code here."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from readyroom import __version__
from readyroom.cli.analysis.analyze import analyze
from readyroom.cli.analysis.luck import luck
from readyroom.cli.analysis.review import review
from readyroom.cli.analysis.what_if import what_if
from readyroom.cli.play.campaign import app as campaign
from readyroom.cli.play.challenge import challenge
from readyroom.cli.play.play import play
from readyroom.cli.play.puzzles import app as puzzles
from readyroom.cli.records.replay import replay
from readyroom.cli.records.report import report
from readyroom.cli.records.verify import verify
from readyroom.cli.reference.chart import chart
from readyroom.cli.reference.games import games
from readyroom.cli.reference.odds import odds
from readyroom.cli.reference.rules import rules
from readyroom.cli.reference.tool import tool
from readyroom.cli.server.admin import app as admin
from readyroom.cli.server.archive import backup, restore
from readyroom.cli.server.serve import serve
from readyroom.cli.study.ladder import ladder
from readyroom.cli.study.planning import planning
from readyroom.cli.study.policies import policies
from readyroom.cli.study.simulate import simulate
from readyroom.cli.study.study import study
from readyroom.cli.study.values import values
from readyroom.engine.errors import ReadyRoomError

INVALID_REQUEST = 2
"""The exit code of an invalid request; 1 means that the answer is no."""
Misuse: Any = typer.BadParameter.__base__
"""The base class of the parser's errors, which typer does not export."""


class Commands(TyperGroup):
    """All commands; each error is printed as one sentence."""

    def main(self, *args: Any, **settings: Any) -> Any:
        """Run a command and exit with its code."""
        try:
            code = super().main(*args, **{**settings, "standalone_mode": False})
        except Misuse as misuse:
            _refuse(_sentence(misuse))
        except ReadyRoomError as error:
            _refuse(str(error))
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            _refuse(f"{place}{error.strerror or error}.")
        sys.exit(code if isinstance(code, int) else 0)


def _sentence(misuse: Any) -> str:
    """Return the parser's error with a pointer to its help."""
    where = misuse.ctx.command_path if misuse.ctx is not None else "readyroom"
    return f"{misuse.format_message().rstrip('.')}; see `{where} --help`."


def _refuse(sentence: str) -> None:
    typer.echo(sentence, err=True)
    sys.exit(INVALID_REQUEST)


app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Play and study the Pacific War as board games: every rule enforced, every roll verifiable.",
)

for verb, line in (
    (serve, "Start the server for play in the browser."),
    (play, "Play in the terminal, against a bot or each other."),
    (challenge, "Play the challenge of the day, offline."),
    (simulate, "Play many matches between bots and count the results."),
    (study, "Measure the effect of an option, plan or bot over many matches."),
    (ladder, "Rate the bots in Elo points."),
    (planning, "Find the best mix of plans by playing all pairs."),
    (policies, "Find the best mix of policies by searching replies to it."),
    (values, "Show how well positions are estimated, or fit that again."),
    (replay, "Step through a record, or print its log."),
    (analyze, "Analyze a decision: which answer is best, and why."),
    (verify, "Verify a record: its dice, every decision, its outcome."),
    (report, "Print the after-action report of a match in Markdown."),
    (what_if, "Change a decision of a match and compare the outcomes."),
    (review, "Review a match: skill, luck, mistakes, turning points."),
    (luck, "Show the results of matches without the luck of the dice."),
    (odds, "Show exact odds of an attack, a check or a chart."),
    (chart, "Show the charts with their sources."),
    (tool, "Use a game's tools, such as a cipher."),
    (rules, "Show the rules, and the code of each."),
    (games, "List the installed games."),
    (backup, "Back up everything on a server to one file."),
    (restore, "Restore a backup into an empty database."),
):
    app.command(short_help=line)(verb)
for old_name, verb in (("advise", analyze), ("verdict", review), ("archive", backup)):
    app.command(old_name, hidden=True)(verb)
app.add_typer(campaign, name="campaign", short_help="Play campaigns: matches that follow from each other.")
app.add_typer(puzzles, name="puzzles", short_help="Solve puzzles: find the one answer that is clearly best.")
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
