"""Play the matches of `manifest.toml` and write their records: `python tests/records/write.py`.

Run it after an intended change of rules, bots or record format, and review the diff. Records that an earlier version
of a game wrote are left as they are; `python tests/records/write.py NAME` writes one as the current version. If a
record no longer matches its description, `python tests/records/write.py --find NAME` finds a seed that does; put that
seed into the manifest.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from readyroom import bots
from readyroom.engine.game import Bot, ViewFn, load_game
from readyroom.engine.match import Match
from readyroom.engine.record.format import Header, parse
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import Dice, RecordedDice, secret_of_seed

RECORDS = Path(__file__).resolve().parent
MANIFEST = RECORDS / "manifest.toml"
COMMAND = "python tests/records/write.py"
TRIES = 300


class TakeBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """After `at` decisions return to decision `to`: with everyone's consent (`leave`), else by undo."""

    at: int
    to: int
    leave: bool = False


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The input from which a record is written.

    Attributes:
        file: the record's file name.
        description: one sentence that `checks.py` checks; `shows` in the manifest.
        seed: text that determines the dice and the bots.
        bots: a bot's name for each seat or side.
        game: the game's key.
        scenario: a scenario's key, or a scenario file next to the manifest.
        options: choices of options other than the default.
        nonces: the seats' nonces. If given, the record has no seed and publishes the secret at its end.
        by_hand: whether the dice are entered by hand and stored in the record.
        takebacks: the takebacks and undos, in order.
        fork_at: the number of decisions before the match continues with other dice; 0 for no fork.
        answers: patterns of option keys by rule, in order of preference. They override the bots if an option matches.
    """

    file: str
    description: str = msgspec.field(name="shows")
    seed: str
    bots: dict[str, str]
    game: str = "midway"
    scenario: str = "midway"
    options: dict[str, str] = {}
    nonces: dict[str, str] = {}
    by_hand: bool = False
    takebacks: list[TakeBack] = []
    fork_at: int = 0
    answers: dict[str, list[str]] = {}


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `manifest.toml`."""

    record: list[Recipe]


def recipes() -> dict[str, Recipe]:
    """Return the manifest's recipes by file name without suffix."""
    manifest = msgspec.toml.decode(MANIFEST.read_bytes(), type=Manifest)
    return {recipe.file.removesuffix(".jsonl"): recipe for recipe in manifest.record}


def earlier_header(recipe: Recipe) -> Header | None:
    """Return the header of a recipe's record if an earlier version of the game wrote it."""
    path = RECORDS / recipe.file
    if not path.is_file():
        return None
    header, game = parse(path.read_text(encoding="utf-8")).header, load_game(recipe.game)
    return header if header.game != game.key or header.version in game.previous else None


def play(recipe: Recipe, header: Header | None = None) -> Match[Any, Any]:
    """Play a recipe's match to its end, with a header as the version of the game that wrote it."""
    match = _new_match(recipe, header)
    random = Random(recipe.seed)
    named = bots.assign_seats(match.seats, recipe.bots)
    players = {seat: _steered(bots.make_bot(match.game, name, seat, random), recipe) for seat, name in named.items()}
    takebacks = list(recipe.takebacks)
    forked = False
    while match.outcome is None:
        last = _answer(match, players)
        if takebacks and match.decision_count >= takebacks[0].at:
            _take_back(match, last, takebacks.pop(0))
        if recipe.fork_at and not forked and match.decision_count >= recipe.fork_at:
            match, forked = match.fork(secret_of_seed(f"{recipe.seed}, forked")), True
    return match


def _new_match(recipe: Recipe, header: Header | None) -> Match[Any, Any]:
    game = load_game(recipe.game)
    previous = game.previous.get(header.version) if header is not None else None
    own = recipe.scenario.endswith(".toml")
    scenario = game.scenario(str(RECORDS / recipe.scenario) if own else recipe.scenario)
    without_seed = bool(recipe.by_hand or recipe.nonces)
    match = Match(
        game,
        scenario,
        {**(previous.options if previous else {}), **recipe.options},
        None if without_seed else recipe.seed,
        nonces=recipe.nonces,
        dice=_by_hand(recipe.seed) if recipe.by_hand else None,
        secret=secret_of_seed(recipe.seed),
        log=False,
    )
    if header is not None:
        match.continue_record(header)
    return match


def _steered(bot: Bot, recipe: Recipe) -> Bot:
    """Return a bot that prefers the recipe's answers."""

    def answer(decision: Decision, look: ViewFn) -> Sequence[str]:
        patterns = recipe.answers.get(decision.rule)
        chosen = None if patterns is None else match_patterns(decision, patterns)
        return bot(decision, look) if chosen is None else chosen

    return answer if recipe.answers else bot


def match_patterns(decision: Decision, patterns: Sequence[str]) -> list[str] | None:
    """Return the keys that match a pattern, up to the limit; None if too few match.

    An empty list of patterns chooses nothing.


    >>> from readyroom.engine.rules.decisions import DecisionKind, Option
    >>> ways = [Option("stay", "stay"), Option("launch", "launch")]
    >>> match_patterns(Decision(DecisionKind.ONE, "captain", "12.3", "When?", ways, 1, 1), ["burn", "la*", "*"])
    ['launch']
    """
    matching = {key: None for pattern in patterns for key in decision.keys if fnmatchcase(key, pattern)}
    chosen = list(matching)[: decision.at_most]
    return chosen if len(chosen) >= decision.at_least and bool(chosen) == bool(patterns) else None


def _by_hand(seed: str) -> Dice:
    """Return repeatable dice that count as entered by hand."""
    random = Random(f"{seed}, by hand")
    return RecordedDice(lambda event, count, sides: [random.randint(1, sides) for _ in range(count)])


def _answer(match: Match[Any, Any], players: Mapping[str, Bot]) -> str:
    """Answer all pending decisions; return the seat that answered last."""
    pending = match.pending
    for seat, decision in pending.items():
        match.decide(seat, players[seat](decision, partial(match.view, seat)))
    return list(pending)[-1]


def _take_back(match: Match[Any, Any], seat: str, takeback: TakeBack) -> None:
    if takeback.leave:
        match.revert_to(seat, takeback.to)
        return
    while match.decision_count > takeback.to:
        match.undo(seat)


def write(names: Collection[str] = ()) -> Iterator[Path]:
    """Write these records as the current version, or all that no earlier version wrote; yield their paths."""
    for name, recipe in recipes().items():
        if name in names or not (names or earlier_header(recipe)):
            path = RECORDS / recipe.file
            path.write_text(play(recipe).record(), encoding="utf-8", newline="\n")
            yield path


def find(name: str, tries: int = TRIES) -> tuple[str, int]:
    """Return the seed of the shortest record that matches the description, and its number of lines.

    Raises:
        LookupError: no tried seed does.
    """
    sys.path.insert(0, str(RECORDS.parents[1]))
    matches = importlib.import_module("tests.records.checks").matches_description
    recipe = recipes()[name]
    best: tuple[str, int] | None = None
    for number in range(1, tries + 1):
        seed = f"{name.replace('-', ' ')} {number}"
        record = play(msgspec.structs.replace(recipe, seed=seed)).record()
        lines = record.count("\n")
        if (best is None or lines < best[1]) and matches(name, record):
            best = seed, lines
    if best is None:
        raise LookupError(f"None of {tries} seeds gives a match with this description: {recipe.description}")
    return best


def main(argv: Sequence[str]) -> None:
    """Write records, or find a seed."""
    names = list(recipes())
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write the records of the manifest again.")
    parser.add_argument("names", metavar="NAME", nargs="*", help="only these, even if an earlier version wrote them")
    parser.add_argument("--find", metavar="NAME", choices=names, help="find a seed for this record")
    parser.add_argument("--tries", type=int, default=TRIES, help="how many seeds to try")
    args = parser.parse_args(argv)
    if args.find:
        seed, lines = find(args.find, args.tries)
        print(f'seed = "{seed}"  # {lines} lines')
        return
    if unknown := set(args.names).difference(names):
        parser.error(f"the manifest has no {', '.join(sorted(unknown))}")
    for path in write(args.names):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
