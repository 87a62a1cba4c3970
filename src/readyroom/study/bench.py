"""Benchmarks: medians of five interleaved runs, so that all measures see the same machine.

`python -m readyroom.study.bench [GAME] [--json]`, or `make bench` for Midway; with `--profile`, the modules in which
the time is spent.
"""

from __future__ import annotations

import cProfile
import json
import platform
import pstats
import sys
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Any, TypeVar

from readyroom.bots import default_bot, make_bot, play_to_end, random_bot
from readyroom.bots.analysis import analyze
from readyroom.bots.playing import play_on
from readyroom.bots.search import Limit
from readyroom.engine.game import Bot, Game, ViewFn, game_names, load_game
from readyroom.engine.match import Match
from readyroom.engine.match.resume import resume
from readyroom.engine.record.replay import verify
from readyroom.engine.rules.decisions import Decision
from readyroom.study.folder import tasks
from readyroom.study.matches import map_parallel
from readyroom.study.studies import play_task
from readyroom.study.studyfile import StudyFile, checked

X = TypeVar("X")
RUNS = 5
GAMES = 60
REPEATS = 200
BOTS = 10
"""Matches between the game's own bots in which their decisions are timed."""
STUDY = 400
"""Matches of a study that is played once by one process and once by two."""
RECORDS = 10
"""Whole matches that are verified."""
MOMENTS, ROUNDS = 10, 2
"""From how many moments matches are played on, and in how many rounds of trials advice is given there."""
HASHES = 20_000
"""Keyed hashes per second, as a measure of the machine's speed now."""
ROLLOUTS = "rollouts/s from the middle"
CORES = "a study on two cores, times as fast"
AIMS: dict[str, dict[str, float]] = {
    "midway": {
        "games/s, log off": 400.0,
        "games/s, log on": 357.0,
        "games/s, log, checkpoints and record": 290.0,
        "fork, µs": 50.0,
        "undo, µs": 40.0,
        "resume at a checkpoint, µs": 32.0,
        "verify, ms": 6.0,
        CORES: 1.8,
    },
    "tora": {"a match at random, ms": 150.0, "a bot's decision, ms": 200.0, "a bot's slowest decision, ms": 200.0},
}
"""What the design aimed for: a floor for figures per second, else a ceiling."""
EARLIEST, LATEST = 70, 180
"""Between how many decisions the middle of a match is looked for."""


def played(game: Game[Any, Any], number: int, *, log: bool = True, checkpoints: bool = True) -> Match[Any, Any]:
    """Play a random match."""
    match = Match(game, seed=f"bench/{number}", log=log, checkpoints=checkpoints)
    random = Random(number)
    play_to_end(match, {seat.key: random_bot(random) for seat in match.seats})
    return match


def play(game: Game[Any, Any], number: int, *, log: bool, checkpoints: bool, record: bool) -> int:
    """Play a random match, perhaps with its record; return the number of its decisions."""
    match = played(game, number, log=log, checkpoints=checkpoints)
    if record:
        match.record()
    return match.decision_count


def mid_match(game: Game[Any, Any], number: int, most: int = LATEST) -> tuple[Match[Any, Any], str]:
    """Return a match at a random position in its middle, and the seat whose last decision can be undone.

    If a game ends before that, an earlier position is taken: one with at most `most` decisions.
    """
    random = Random(number)
    match, last = Match(game, seed=f"middle/{number}"), ""
    wanted = min(EARLIEST + int(random.random() * (LATEST - EARLIEST)), most)
    while match.outcome is None:
        for last, decision in match.pending.items():
            match.decide(last, decision.sample(random))
        if match.decision_count >= wanted and match.can_undo(last):
            return match, last
    return mid_match(game, number + REPEATS, min(most, match.decision_count // 2))


def at_a_checkpoint(game: Game[Any, Any], number: int) -> Match[Any, Any]:
    """Return a match in its middle, at the next position without decisions since the last checkpoint."""
    match, _ = mid_match(game, number)
    random = Random(number)
    while match.outcome is None:
        if match.resume_point().checkpoint.position == match.decision_count:
            return match
        for seat, decision in match.pending.items():
            match.decide(seat, decision.sample(random))
    return at_a_checkpoint(game, number + REPEATS)


def each(subjects: list[X], action: Callable[[X], object]) -> float:
    """Return the median microseconds of an action on these subjects; results are freed after the clock stops."""
    times = []
    for subject in subjects:
        start = perf_counter()
        made = action(subject)
        times.append(perf_counter() - start)
        del made
    return median(times) * 1e6


def measure_once(game: Game[Any, Any]) -> dict[str, float]:
    """Return every measure once."""
    modes = {
        "log off": {"log": False, "checkpoints": False, "record": False},
        "log on": {"log": True, "checkpoints": False, "record": False},
        "log, checkpoints and record": {"log": True, "checkpoints": True, "record": True},
    }
    result = {"a keyed hash, µs": hashing()}
    for name, mode in modes.items():
        start = perf_counter()
        decisions = sum(play(game, number, **mode) for number in range(GAMES))
        seconds = perf_counter() - start
        result |= {f"games/s, {name}": GAMES / seconds, f"decisions/s, {name}": decisions / seconds}
    result["a match at random, ms"] = 1e3 / result["games/s, log off"]
    result |= of_the_bots(game)
    result |= thinking(game)
    result |= of_studies(game) if CORES in AIMS.get(game.key, {}) else {}
    matches = [mid_match(game, number) for number in range(REPEATS)]
    result["fork, µs"] = each(matches, lambda at: at[0].fork(b"another key"))
    active = [at_a_checkpoint(game, number).saved() for number in range(REPEATS)]
    result["resume at a checkpoint, µs"] = each(active, lambda saved: resume(saved, game))
    between = [match.saved() for match, _ in matches]
    result["resume between checkpoints, µs"] = each(between, lambda saved: resume(saved, game))
    result["undo, µs"] = each(matches, lambda at: at[0].undo(at[1]))
    records = [played(game, number).record() for number in range(RECORDS)]
    result["verify, ms"] = each(records, lambda record: verify(record)) / 1e3
    return result


def hashing() -> float:
    """Return the microseconds of one keyed hash, which every roll needs; it makes two days comparable."""
    keyed = blake2b(key=b"a key for every roll of a match.")
    start = perf_counter()
    for _ in range(HASHES):
        hashed = keyed.copy()
        hashed.update(b"3|usa-attack|12.2|akagi|1")
        hashed.digest()
    return (perf_counter() - start) / HASHES * 1e6


def of_the_bots(game: Game[Any, Any]) -> dict[str, float]:
    """Return the mean and the longest decision time of the game's bot, including its view."""
    times = list[float]()
    for number in range(BOTS):
        match = Match(game, seed=f"bots/{number}", log=False, checkpoints=False)
        players = default_bots(match, Random(number))
        play_to_end(match, {seat: timed(bot, times) for seat, bot in players.items()})
    return {"a bot's decision, ms": mean(times) * 1e3, "a bot's slowest decision, ms": max(times) * 1e3}


def of_studies(game: Game[Any, Any]) -> dict[str, float]:
    """Return matches per second of a study between the game's bots, on one core and on two."""
    seats = game.rules.seats(game.first_scenario, game.resolve({}))
    bots = {seat.key: default_bot(game) for seat in seats}
    study = checked(StudyFile(title="bench", game=game.key, matches=STUDY, bots=bots))
    speeds = []
    for workers in (1, 2):
        start = perf_counter()
        played = sum(len(part) for _, part in map_parallel(play_task, list(tasks(study)), workers))
        speeds.append(played / (perf_counter() - start))
    one, two = speeds
    return {"study matches/s, one core": one, "study matches/s, two cores": two, CORES: two / one}


def thinking(game: Game[Any, Any]) -> dict[str, float]:
    """Return rollouts per second from the middle of matches, and the time of an analysis.

    An analysis takes this many rounds of rollouts, over all candidate answers.
    """
    moments = [mid_match(game, number) for number in range(MOMENTS)]
    start = perf_counter()
    for number, (match, _) in enumerate(moments):
        imagined = match.imagine(next(iter(match.pending)), Random(number))
        play_on(imagined, default_bots(match, Random(number)))
    played = MOMENTS / (perf_counter() - start)
    limit = Limit(float("inf"), ROUNDS)
    advice = each(moments, lambda at: analyze(at[0], next(iter(at[0].pending)), limit, Random(1)))
    return {ROLLOUTS: played, f"advice by {ROUNDS} rounds, ms": advice / 1e3}


def default_bots(match: Match[Any, Any], random: Random) -> dict[str, Bot]:
    """Return the game's default bot for each seat."""
    name = default_bot(match.game)
    return {seat.key: make_bot(match.game, name, seat.key, random) for seat in match.seats}


def timed(bot: Bot, times: list[float]) -> Bot:
    """Return a bot that notes the seconds of each of its decisions."""

    def decide(decision: Decision, look: ViewFn) -> Sequence[str]:
        start = perf_counter()
        names = bot(decision, look)
        times.append(perf_counter() - start)
        return names

    return decide


def bench(game: Game[Any, Any], progress: Callable[[int], None] | None = None) -> dict[str, float]:
    """Return the median of every measure over the runs."""
    runs = []
    for number in range(RUNS):
        runs.append(measure_once(game))
        if progress is not None:
            progress(number + 1)
    return {name: median(run[name] for run in runs) for name in runs[0]}


def profile(game: Game[Any, Any]) -> dict[str, float]:
    """Return the share of each module in the running time of matches without a log."""
    watch = cProfile.Profile()
    watch.enable()
    for number in range(GAMES):
        play(game, number, log=False, checkpoints=False, record=False)
    watch.disable()
    spent: dict[str, float] = {}
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(watch).stats.items():  # type: ignore[attr-defined]
        place = "/".join(Path(file).with_suffix("").parts[-2:]) if "readyroom" in file else "built-in functions"
        spent[place] = spent.get(place, 0.0) + own
    total = sum(spent.values())
    return {place: own / total for place, own in sorted(spent.items(), key=lambda item: -item[1])}


def main(arguments: list[str]) -> None:
    """Print the figures, each next to its aim; where no game is named, how fast one thinks ahead in the others."""
    named = [word for word in arguments if not word.startswith("--")]
    game = load_game(named[0] if named else "midway")
    play(game, 0, log=True, checkpoints=True, record=True)
    if "--profile" in arguments:
        for place, share in profile(game).items():
            print(f"{place:32}{share:7.1%}")
        return
    result = bench(game, lambda done: print(f"run {done} of {RUNS}", file=sys.stderr))
    others = {} if named else {other: thinking(load_game(other)) for other in game_names() if other != game.key}
    if "--json" in arguments:
        print(json.dumps({"python": platform.python_version(), "medians": result, "others": others}))
        return
    print(f"Python {platform.python_version()}, {platform.python_implementation()}; medians of {RUNS} interleaved runs")
    _print(result, AIMS.get(game.key, {}))
    for other, figures in others.items():
        print(f"\n{other}, one run")
        _print(figures, {})


def _print(result: dict[str, float], aims: dict[str, float]) -> None:
    for name, value in result.items():
        aim = f"   (aim: {aims[name]:,g})" if name in aims else ""
        print(f"{name:45}{value:12,.{2 if value < 10 else 1}f}{aim}")


if __name__ == "__main__":
    main(sys.argv[1:])
