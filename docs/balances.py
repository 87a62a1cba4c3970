"""Write the table of the balance of all scenarios for the page of bots: `python -m docs.balances --write`.

It comes from the `balance.json` of the games and goes to `balances.txt`; without `--write` it is only printed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from docs.tables import print_or_write, row, rule

from readyroom.bots.balance import Share, balance_of
from readyroom.engine.game import load_all_games

PAGE = Path(__file__).with_name("balances.txt")


def lines() -> Iterator[str]:
    """Yield the table: a row for each scenario."""
    yield row("game", "scenario", "bot", "matches", "first side wins", "draw", "second side wins")
    yield rule(3, 4)
    for game in sorted(load_all_games(), key=lambda game: game.sort_order):
        for scenario in game.rules.scenarios(game.data):
            if (found := balance_of(game, scenario.key)) is not None:
                shares = [_text(game.side_name(each.side, []) if each.side else "", each) for each in found.shares]
                about = game.title, f"`{scenario.key}`", f"`{found.bot}`", f"{found.matches}"
                yield row(*about, *shares, *[""] * (3 - len(shares)))


def _text(name: str, share: Share) -> str:
    return f"{name} {100 * share.mean:.0f} % ({100 * share.low:.0f}–{100 * share.high:.0f})".strip()


if __name__ == "__main__":
    sys.exit(print_or_write(__doc__, "\n".join(lines()) + "\n", PAGE))
