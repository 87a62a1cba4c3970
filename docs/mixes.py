"""Write the tables of all mixes of policies for the page of bots: `python -m docs.mixes --write`.

They come from the `mixes.json` of the games and go to `mixes.txt`; without `--write` they are only printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any

from docs.tables import print_or_write, row, rule

from readyroom.bots.mixes import Challenge, Measured, Mix, SideMix, mixes_of
from readyroom.engine.game import Game, load_all_games
from readyroom.engine.rules.checks import signed

PAGE = Path(__file__).with_name("mixes.txt")


def lines() -> Iterator[str]:
    """Yield all tables."""
    for game in sorted(load_all_games(), key=lambda game: game.sort_order):
        for mix in mixes_of(game):
            yield from _mix(game, mix)


def _mix(game: Game[Any, Any], mix: Mix) -> Iterator[str]:
    """Yield what is known of a mix: its policies, the payoffs, the rounds, and how it was tested."""
    first, *others = mix.sides
    options = ", ".join(f"{key} = {choice}" for key, choice in mix.options.items())
    yield f"### {game.title}: {game.scenario(mix.scenario).title}{f' ({options})' if options else ''}\n"
    yield (
        f"Value to {first.name}: **{mix.value.mean:.3f}** ({_range(mix.value)}, {mix.value_matches:,} matches). "
        f"Made with {mix.matches:,} matches by:\n"
    )
    yield f"```text\n{mix.command}\n```\n"
    for side in mix.sides:
        yield from _members(side)
    yield from _tests(mix)
    yield from _rounds(mix)
    if others:
        yield from _payoffs(mix, first, others[0])


def _members(side: SideMix) -> Iterator[str]:
    mixed = [member for member in side.members if member.share]
    yield f"{side.name}, the policies of the mix:\n"
    yield row("parameter", *(member.name for member in mixed))
    yield rule(1, len(mixed))
    yield row("share", *(f"{100 * member.share:.0f} %" for member in mixed))
    for name in mixed[0].settings:
        yield row(f"`{name}`", *(_setting(member.settings[name]) for member in mixed))
    yield ""


def _tests(mix: Mix) -> Iterator[str]:
    """Yield the last search and the challengers."""
    yield "Against the other side's mix" if len(mix.sides) > 1 else "Policies"
    yield f"({mix.sides[0].search_matches:,} matches in each last search):\n"
    yield row("side", "policy", "utility", "95 % CI", "gain over the mix", "95 % CI", "matches")
    yield rule(2, 5)
    for side in mix.sides:
        for test in (side.reply, *side.tests):
            yield row(side.name, *_test(test))
    yield ""
    gains = [side.reply.gain for side in mix.sides]
    if len(gains) > 1:
        low = sqrt(sum((gain.mean - gain.low) ** 2 for gain in gains))
        high = sqrt(sum((gain.high - gain.mean) ** 2 for gain in gains))
        total = sum(gain.mean for gain in gains)
        known = _range(Measured(total, total - low, total + high))
        yield f"The gains of the last searches add up to **{signed(total, 3)}** ({known}).\n"


def _test(test: Challenge) -> tuple[str, ...]:
    gain = test.gain
    return (
        test.name,
        f"{test.utility.mean:.3f}",
        _range(test.utility, ci=False),
        f"**{signed(gain.mean, 3)}**",
        f"{signed(gain.low, 3)} to {signed(gain.high, 3)}",
        f"{test.matches:,}",
    )


def _rounds(mix: Mix) -> Iterator[str]:
    if not mix.rounds:
        return
    yield f"Gain of each reply over the mix before it ({mix.search_matches:,} matches in each search):\n"
    yield row("round", *(side.name for side in mix.sides))
    yield rule(1, len(mix.sides))
    for number, each in enumerate(mix.rounds, start=1):
        gains = (each.gains[side.side] for side in mix.sides)
        yield row(str(number), *(f"{signed(g.mean, 3)} ({signed(g.low, 3)} to {signed(g.high, 3)})" for g in gains))
    yield ""


def _payoffs(mix: Mix, first: SideMix, second: SideMix) -> Iterator[str]:
    yield (
        f"Utility to {first.name} (rows) against each policy of {second.name}, with half the width of the 95 % CI "
        f"({mix.cell_matches} matches a pair, the same dice in all):\n"
    )
    yield row("", *(member.name for member in second.members))
    yield rule(1, len(second.members))
    for member, cells in zip(first.members, mix.payoffs, strict=True):
        yield row(member.name, *(f"{cell.mean:.2f} ± {(cell.high - cell.low) / 2:.2f}" for cell in cells))
    yield ""


def _range(value: Measured, *, ci: bool = True) -> str:
    low, high = (f"{end:.3f}".replace("-", "−") for end in (value.low, value.high))
    return f"{'95 % CI ' if ci else ''}{low} to {high}"


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def text() -> str:
    """Return the tables as they are written."""
    return "\n".join(lines()) + "\n"


if __name__ == "__main__":
    sys.exit(print_or_write(__doc__, text(), PAGE))
