"""The opening book: how each doctrine and plan of a game does compared with the baseline, with the same dice.

`python -m readyroom.study.book [GAME …] [--matches N] [--workers N]` measures it again and writes `book.toml` in the
game's package. With `--mix FILE`, results of `readyroom policies` are added to the `mixes.json` of their games instead.
With `--balance N` the strongest quick bots play each scenario N times, and the results go to `balance.json`.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from readyroom import bots
from readyroom.bots import reference_bot
from readyroom.bots.balance import FILE as BALANCE
from readyroom.bots.balance import Balance
from readyroom.bots.book import FILE, Entry, book
from readyroom.bots.mixes import FILE as MIXES
from readyroom.bots.mixes import Mix, mixes
from readyroom.bots.rollouts import baseline_policy, policies_for
from readyroom.engine.game import Game, game_names, load_game, sides
from readyroom.engine.match import Match
from readyroom.study.matches import map_parallel
from readyroom.study.simulate import simulate

HEAD = """\
# How each doctrine and plan does next to the usual one of its side, against the usual one of the other, with the same
# dice: `gain` is how much more its endings were worth, from -1 to 1. Made by: python -m readyroom.study.book
"""


class Trial(NamedTuple):
    """All matches of one doctrine on one side."""

    game: str
    scenario: str
    side: str
    name: str
    matches: int


def trials(game: Game[Any, Any], matches: int) -> Iterator[Trial]:
    """Yield the trials of a game; a side with only one policy has none."""
    for scenario in game.rules.scenarios(game.data):
        for side in sides(game.rules.seats(scenario, game.resolve({}))):
            _, *others = policies_for(game, side)
            yield from (Trial(game.key, scenario.key, side, name, matches) for name in others)


def measure_entry(trial: Trial) -> Entry:
    """Play every match twice, with the usual doctrine and with the other one."""
    baseline, other = _utilities(trial._replace(name="")), _utilities(trial)
    gain = sum(theirs - ours for ours, theirs in zip(baseline, other, strict=True)) / trial.matches
    return Entry(**trial._asdict(), gain=round(gain, 3))


@lru_cache(maxsize=4)
def _utilities(trial: Trial) -> list[float]:
    """Return the utility of each ending to the side with this policy; without a name, with the baseline."""
    game = load_game(trial.game)
    baseline = baseline_policy(game)
    own = policies_for(game, trial.side)[trial.name] if trial.name else baseline
    values = []
    for number in range(trial.matches):
        text = f"book/{number}"
        match = Match(game, trial.scenario, seed=text, log=False, checkpoints=False)
        players = {
            seat.key: (own if seat.side == trial.side else baseline)(seat.key, Random(f"{text}/{seat.key}"))
            for seat in match.seats
        }
        bots.play_to_end(match, players)
        assert match.outcome is not None
        values.append(game.analysis.utility(match.outcome, trial.side))
    return values


def written(entries: Iterable[Entry]) -> str:
    """Return the text of a book file."""
    lines = (
        f'[[entry]]\ngame = "{entry.game}"\nscenario = "{entry.scenario}"\nside = "{entry.side}"\n'
        f'name = "{entry.name}"\nmatches = {entry.matches}\ngain = {entry.gain}\n'
        for entry in entries
    )
    return "\n".join([HEAD, *lines])


def main(arguments: Sequence[str]) -> None:
    """Measure the books again and write them."""
    parser = ArgumentParser(prog="python -m readyroom.study.book", description="Measure the opening books again.")
    parser.add_argument("games", nargs="*", default=[], help="the games to measure (default: all)")
    parser.add_argument("--matches", type=int, default=200, help="matches per doctrine, side and scenario")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--balance", type=int, metavar="N", help="measure the balance of scenarios with N matches each")
    parser.add_argument("--mix", nargs="+", default=[], type=Path, help="results of `readyroom policies` to add")
    args = parser.parse_args(arguments)
    if args.mix:
        add_mixes([msgspec.json.decode(path.read_bytes(), type=Mix) for path in args.mix])
        return
    for key in args.games or game_names():
        if args.balance:
            _write_balance(load_game(key), args.balance, args.workers)
            continue
        _write(load_game(key), args.matches, args.workers)


def _write(game: Game[Any, Any], matches: int, workers: int) -> None:
    """Measure a game's book, entry by entry; other entries stay as they are."""
    file, work = Path(str(files(game.package).joinpath(FILE))), list(trials(game, matches))
    known = {entry.about: entry for entry in book(game.package).entry}
    for done, entry in enumerate(map_parallel(measure_entry, work, workers), 1):
        known[entry.about] = entry
        print(f"{done} of {len(work)}: {' '.join(entry.about)} {entry.gain:+.3f}", flush=True)
        file.write_text(written(known.values()))


def _write_balance(game: Game[Any, Any], matches: int, workers: int) -> None:
    """Measure how often each side wins; scenarios that are not ranked, or have no winner, have no entry."""
    bot, found = reference_bot(game), list[Balance]()
    for scenario in game.rules.scenarios(game.data):
        if scenario.key in game.analysis.unranked:
            continue
        seats = {seat.key: bot for seat in game.rules.seats(scenario, game.resolve({}))}
        result = simulate(
            game.key, scenario=scenario.key, bots=seats, games=matches, seed=f"balance/{scenario.key}", workers=workers
        )
        wins = {side: count for side, count in result.winners.items() if side != "draw"}
        print(game.key, scenario.key, wins, flush=True)
        if any(wins.values()):
            about = {"game": game.key, "version": game.version, "scenario": scenario.key}
            found.append(Balance(**about, bot=bot, matches=matches, wins=wins))
    _write_json(game.package, BALANCE, found)


def add_mixes(found: Iterable[Mix]) -> None:
    """Add mixes to the packages of their games; one of the same subject is replaced."""
    for mix in found:
        package = load_game(mix.game).package
        known = {json.dumps(each.about, sort_keys=True): each for each in (*mixes(package), mix)}
        in_order = [known[about] for about in sorted(known)]
        _write_json(package, MIXES, in_order)
        mixes.cache_clear()


def _write_json(package: str, name: str, content: object) -> None:
    text = msgspec.json.format(msgspec.json.encode(content), indent=1).decode()
    Path(str(files(package).joinpath(name))).write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
