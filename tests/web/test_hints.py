"""The hint of a position: what the default bot would choose, in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from readyroom.engine.game import game_names, load_game
from readyroom.engine.match import Match
from readyroom.testing.playouts import AnyMatch, play_on
from readyroom.web import formatting
from readyroom.web.pages.match.table_view import hint

UNFINISHED = re.compile(r"(:|\b(a|and|at|by|for|from|in|of|on|over|the|to|with)) *\.?$", re.IGNORECASE)
"""A choice that is empty or stops before its place."""


def hints_of(match: AnyMatch) -> Iterator[str]:
    """Yield the hint of each pending decision; fail if it is illegal."""
    for decision in match.pending.values():
        draft = hint(match, decision, formatting.decision(decision))
        decision.accept(list(draft.chosen or ()))
        yield draft.message


@pytest.mark.parametrize("name", game_names())
def test_hint_names_its_whole_choice_in_every_position(name: str) -> None:
    game = load_game(name)
    for number in range(3):
        match = Match(game, seed=f"hints of {name} {number}")
        for _ in islice(play_on(match, Random(number)), 250):
            for message in hints_of(match):
                assert not UNFINISHED.search(message), message
