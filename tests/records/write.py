"""Plays the games of `manifest.toml` and writes their records: `python tests/records/write.py`.

Do that after a change of the rules, the bots or the form of records that is meant, and read in the difference what it
changed. Where a game then no longer shows what its sentence says, `python tests/records/write.py --find NAME` looks for
a seed with which it does; put that into the manifest.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from readyroom import bots as staff
from readyroom.engine.game import Bot, ViewFn, load_game
from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import Dice, RecordedDice, secret_of_seed

RECORDS = Path(__file__).resolve().parent
MANIFEST = RECORDS / "manifest.toml"
COMMAND = "python tests/records/write.py"
TRIES = 300


class TakeBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Once `at` decisions stand, only the first `to` shall: by everybody's leave, or as the seat's own undo."""

    at: int
    to: int
    leave: bool = False


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a record is made, and what it shows.

    Attributes:
        file: the name of the record.
        shows: what can be seen in it, in one sentence.
        seed: words that fix the dice and the bots.
        bots: the name of a bot for each seat or side.
        game: the game's key.
        scenario: a scenario's key, or a scenario file next to the manifest.
        options: choices of options; the rest take their defaults.
        nonces: the seats' nonces. With them the record has no seed, and publishes the secret at its end.
        by_hand: whether the dice are entered by hand, so that they are in the record.
        takebacks: the decisions that are taken back.
        fork_at: the number of decisions after which the match continues with other dice; 0 for never.
        answers: answers by the rule that asks, as patterns of options' keys, the first of them preferred. They go
            before what the bots would say, wherever the pattern fits something that is offered.
    """

    file: str
    shows: str
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
    """All records."""

    record: list[Recipe]


def recipes() -> dict[str, Recipe]:
    """What the manifest says, by the names of the records without their ending."""
    manifest = msgspec.toml.decode(MANIFEST.read_bytes(), type=Manifest)
    return {recipe.file.removesuffix(".jsonl"): recipe for recipe in manifest.record}


def play(recipe: Recipe) -> Match[Any, Any]:
    """Return the match of a recipe, played to its end."""
    match = _opened(recipe)
    random = Random(recipe.seed)
    named = staff.assign(match.seats, recipe.bots)
    players = {seat: _steered(staff.make(match.game, name, seat, random), recipe) for seat, name in named.items()}
    waiting = list(recipe.takebacks)
    forked = False
    while match.outcome is None:
        last = _answer(match, players)
        if waiting and match.decision_count >= waiting[0].at:
            _take_back(match, last, waiting.pop(0))
        if recipe.fork_at and not forked and match.decision_count >= recipe.fork_at:
            match, forked = match.fork(secret_of_seed(f"{recipe.seed}, forked")), True
    return match


def _opened(recipe: Recipe) -> Match[Any, Any]:
    game = load_game(recipe.game)
    own = recipe.scenario.endswith(".toml")
    scenario = game.scenario(str(RECORDS / recipe.scenario) if own else recipe.scenario)
    result = recipe.by_hand or recipe.nonces
    return Match(
        game,
        scenario,
        recipe.options,
        None if result else recipe.seed,
        nonces=recipe.nonces,
        dice=_by_hand(recipe.seed) if recipe.by_hand else None,
        secret=secret_of_seed(recipe.seed),
        log=False,
    )


def _steered(bot: Bot, recipe: Recipe) -> Bot:
    """A bot that answers as the recipe says, and by itself where the recipe says nothing."""

    def answers(decision: Decision, look: ViewFn) -> Sequence[str]:
        patterns = recipe.answers.get(decision.rule)
        chosen = None if patterns is None else wished(decision, patterns)
        return bot(decision, look) if chosen is None else chosen

    return answers if recipe.answers else bot


def wished(decision: Decision, patterns: Sequence[str]) -> list[str] | None:
    """As many options that fit a pattern as may be taken; no patterns wish for none, and where it cannot be, for None.

    >>> from readyroom.engine.rules.decisions import DecisionKind, Option
    >>> ways = [Option("stay", "stay"), Option("launch", "launch")]
    >>> wished(Decision(DecisionKind.ONE, "captain", "12.3", "When?", ways, 1, 1), ["burn", "la*", "*"])
    ['launch']
    """
    fitting = {key: None for pattern in patterns for key in decision.keys if fnmatchcase(key, pattern)}
    chosen = list(fitting)[: decision.at_most]
    return chosen if len(chosen) >= decision.at_least and bool(chosen) == bool(patterns) else None


def _by_hand(seed: str) -> Dice:
    """Dice of a real table, the same in each run."""
    hand = Random(f"{seed}, by hand")
    return RecordedDice(lambda event, count, sides: [hand.randint(1, sides) for _ in range(count)])


def _answer(match: Match[Any, Any], players: Mapping[str, Bot]) -> str:
    """Let everybody who is asked answer; the seat that did so last."""
    asked = match.pending
    for seat, decision in asked.items():
        match.decide(seat, players[seat](decision, partial(match.view, seat)))
    return list(asked)[-1]


def _take_back(match: Match[Any, Any], seat: str, back: TakeBack) -> None:
    if back.leave:
        match.revert_to(seat, back.to)
        return
    while match.decision_count > back.to:
        match.undo(seat)


def write() -> Iterator[Path]:
    """Write every record of the manifest."""
    for recipe in recipes().values():
        path = RECORDS / recipe.file
        path.write_text(play(recipe).record(), encoding="utf-8", newline="\n")
        yield path


def find(name: str, tries: int = TRIES) -> tuple[str, int]:
    """The seed that gives the shortest record showing what this one should, and how many lines that has.

    Raises:
        LookupError: none of the seeds that were tried does.
    """
    sys.path.insert(0, str(RECORDS.parents[1]))
    data = importlib.import_module("tests.records.shows").shown
    recipe = recipes()[name]
    best: tuple[str, int] | None = None
    for number in range(1, tries + 1):
        seed = f"{name.replace('-', ' ')} {number}"
        record = play(msgspec.structs.replace(recipe, seed=seed)).record()
        lines = record.count("\n")
        if (best is None or lines < best[1]) and data(name, record):
            best = seed, lines
    if best is None:
        raise LookupError(f"None of {tries} seeds gives a game that shows this: {recipe.shows}")
    return best


def main(texts: Sequence[str]) -> None:
    """Write everything, or look for a seed."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write the records of the manifest again.")
    parser.add_argument("--find", metavar="NAME", choices=list(recipes()), help="look for a seed for this record")
    parser.add_argument("--tries", type=int, default=TRIES, help="how many seeds to try")
    asked = parser.parse_args(texts)
    if asked.find:
        seed, lines = find(asked.find, asked.tries)
        print(f'seed = "{seed}"  # {lines} lines')
        return
    for path in write():
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
