"""`readyroom puzzles`: solve puzzles offline, find new ones, and check them with other dice."""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import monotonic
from typing import Annotated, Any

import typer

from readyroom.cli.arguments import CommandError, GameName, Plain, StudySeed
from readyroom.cli.paper import show, table
from readyroom.cli.play.answers import describe_refusal, read
from readyroom.cli.play.question import render_question
from readyroom.cli.progress import progress_bar
from readyroom.cli.screen import Screen
from readyroom.engine import files
from readyroom.engine.errors import IllegalChoice
from readyroom.engine.game import Game, load_game
from readyroom.engine.rules.checks import percent, signed
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.text import capitalize_first
from readyroom.study.puzzles.puzzle import (
    SUFFIX,
    Answer,
    NoPuzzles,
    Puzzle,
    PuzzleSet,
    decode,
    find_puzzle,
    numbered,
    puzzle_games,
    puzzles_of,
    save,
    seat_of,
)
from readyroom.study.puzzles.solution import next_lines
from readyroom.web import board_svg

app = typer.Typer(help="Solve puzzles: positions in which one answer is clearly the best.")
COUNT = 36
"""The puzzles of a shipped set."""
LOG = 8
"""The log lines before the decision that are printed."""
PuzzleId = Annotated[str, typer.Argument(metavar="PUZZLE", help="A puzzle, as `puzzles list` names it.")]


@app.command("list")
def list_puzzles(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Only the puzzles of this game.")] = None,
    plain: Plain = False,
) -> None:
    """List the puzzles of a game, or the games with puzzles."""
    if game is None:
        show(table(["game", "puzzles"], [(name, str(len(puzzles_of(name)))) for name in puzzle_games()]))
        return
    known = _puzzles(game)
    rows = [
        (
            name,
            each.source.scenario,
            seat_of(each).name,
            str(each.spec.turn),
            each.spec.rule,
            str(len(each.spec.answers)),
        )
        for name, each in known.items()
    ]
    show(table(["puzzle", "scenario", "seat", "turn", "rule", "answers"], rows))


@app.command()
def solve(puzzle: PuzzleId, plain: Plain = False) -> None:
    """Solve a puzzle: answer the question, then see how all answers compare."""
    _solve(find_puzzle(puzzle), Screen(plain))


@app.command("random")
def solve_any(game: GameName, plain: Plain = False) -> None:
    """Solve any puzzle of a game."""
    _solve(Random().choice(list(_puzzles(game).values())), Screen(plain))


@app.command()
def record(
    puzzle: PuzzleId, file: Annotated[Path, typer.Argument(metavar="FILE", help="The record to write.")]
) -> None:
    """Write the record of a puzzle's match up to the decision, for `readyroom analyze` or `readyroom play`."""
    files.save(file, find_puzzle(puzzle).match().record())


@app.command()
def find(
    game: GameName,
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many puzzles to find.")] = COUNT,
    minutes: Annotated[
        float, typer.Option("--minutes", metavar="M", min=0, help="Begin no further match after this long.")
    ] = float("inf"),
    seed: StudySeed = "puzzles",
    scenario: Annotated[
        list[str] | None,
        typer.Option("--scenario", metavar="KEY", help="Play only this scenario (repeatable; default: all in turn)."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The file (default: named after the game).")
    ] = None,
) -> None:
    """Find puzzles in matches of bots, and save them.

    Ctrl+C stops; the same command continues. What is found depends on game, count, seed and scenarios alone.
    """
    from readyroom.study.puzzles.finding import find_puzzles

    played, path = load_game(game), out or Path(f"{game}{SUFFIX}")
    scenarios = [played.scenario(key).key for key in scenario or ()]
    only = "".join(f" --scenario {key}" for key in scenarios)
    command = f"readyroom puzzles find {played.key} --count {count} --seed {seed}{only}"
    known = decode(path.read_bytes()) if path.is_file() else _new_set(played, command)
    if not known.fits(played) or known.command != command:
        raise CommandError(
            f"{path} is of another search, or of other rules or figures. Delete it, or name another file."
        )
    try:
        with progress_bar(float(count), counts=False) as progress:

            def kept(found: PuzzleSet) -> None:
                save(path, found)
                progress(float(len(found.puzzles)))

            until = monotonic() + 60 * minutes
            find_puzzles(played, known, count=count, seed=f"{seed}/{game}", scenarios=scenarios, until=until, save=kept)
    except KeyboardInterrupt:
        typer.echo(f"Stopped. Puzzles found so far are in {path}; run the same command to continue.", err=True)
        raise typer.Exit(1) from None
    rows = [("matches", str(known.searched)), *((stage, str(times)) for stage, times in known.stages.items())]
    show(table(["decisions", "number"], rows, f"{len(known.puzzles)} puzzles in {path}"))


def _new_set(game: Game[Any, Any], command: str) -> PuzzleSet:
    return PuzzleSet(game=game.key, version=game.version, figures=game.data_fingerprint, command=command)


@app.command()
def check(
    game: GameName,
    seed: StudySeed = "check",
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE", help="Another file of puzzles.")] = None,
    drop: Annotated[bool, typer.Option("--drop", help="Remove puzzles that are not confirmed from the file.")] = False,
) -> None:
    """Measure the puzzles of a game again with other dice, to see whether the best answer is still the best."""
    from readyroom.study.puzzles.finding import recheck

    if drop and file is None:
        raise CommandError("--drop changes a file: name it with --file.")
    found = decode(file.read_bytes()) if file is not None else None
    known = numbered(found, load_game(game)) if found is not None else _puzzles(game)
    rows = []
    with progress_bar(float(len(known)), counts=False) as progress:
        for number, (name, puzzle) in enumerate(known.items(), start=1):
            losses = recheck(puzzle, f"{seed}/{name}")
            closest = max(losses, key=lambda loss: loss.mean)
            verdict = "yes" if all(loss.high < 0 for loss in losses) else "no" if closest.low > 0 else "not certain"
            rows.append((name, verdict, _points(closest.mean), f"{_points(closest.low)} to {_points(closest.high)}"))
            progress(float(number))
    show(table(["puzzle", "best again", "next answer", "95 % CI"], rows))
    if drop and file is not None and found is not None:
        found.puzzles = [known[name].spec for name, verdict, *_ in rows if verdict == "yes"]
        save(file, found)


def _puzzles(game: str) -> dict[str, Puzzle]:
    """Return the puzzles of a game; raise `NoPuzzles` if there are none."""
    known = puzzles_of(load_game(game).key)
    if not known:
        raise NoPuzzles(game)
    return dict(known)


# -- solving ---------------------------------------------------------------------------------------------------------


def _solve(puzzle: Puzzle, screen: Screen) -> None:
    match, seat = puzzle.match(), seat_of(puzzle)
    decision = match.pending[seat.key]
    screen.print(f"{puzzle.game.title}: {puzzle.game.scenario(puzzle.source.scenario).title}", "bold")
    screen.print(board_svg.words(puzzle.game, match.view(seat.key)))
    screen.list(line.text for line in match.log(seat.key)[-LOG:])
    question = puzzle.question(decision)
    screen.show(*render_question(question, capitalize_first(seat.name)))
    chosen = _answer(puzzle, decision, question, screen)
    screen.print("Solved." if chosen == puzzle.best else "Not solved.", "bold")
    rows = [
        (decision.describe_answer(one.keys, None), *_figures(puzzle, one), "yours" if one == chosen else "", one.why)
        for one in puzzle.spec.answers
    ]
    screen.show(table(["answer", "against the best", "95 % CI", "rollouts", "", "best against this"], rows))
    screen.print("One way it may continue:", "bold")
    screen.list(next_lines(puzzle))


def _answer(puzzle: Puzzle, decision: Decision, question: Decision, screen: Screen) -> Answer:
    """Return the player's answer."""
    while True:
        try:
            return puzzle.answer(decision, read(question, screen.ask("> ")))
        except IllegalChoice as error:
            screen.print(describe_refusal(question, error))


def _figures(puzzle: Puzzle, one: Answer) -> tuple[str, str, str]:
    if one is puzzle.best:
        return percent(one.utility) if puzzle.is_win_chance else f"{100 * one.utility:.1f}", "", str(one.rounds)
    loss = one.loss
    return _points(loss.mean), f"{_points(loss.low)} to {_points(loss.high)}", str(one.rounds)


def _points(value: float) -> str:
    return signed(100 * value, 1)
