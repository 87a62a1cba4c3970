"""A whole battle of Tora! Tora! Tora! with the pointer on the board alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.browser.conftest import Visit
from tests.browser.match_page import Mouse, Table, spot_of
from tests.browser.matches import create_match, join_seat
from tests.browser.visitors import LARGE
from tests.server.running import Server

pytestmark = pytest.mark.slow

MOST = 400
"""The limit of answers in a battle."""


class BoardOnly(Mouse):
    """Clicks pieces on the board and the confirm button, nothing else; repeated options are clicked as often."""

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Click each key's piece where nothing covers it."""
        for key in keys:
            spot = spot_of(table.page, key)
            assert spot is not None, f"{key} is not on the board: {table.look()['question']}"
            table.page.mouse.click(*spot)
            self.on_board += 1


@pytest.mark.torture(180)
@pytest.mark.parametrize("seat", ["usa", "japan"])
def test_battle_is_played_on_the_board_alone(visit: Visit, server: Server, seat: str) -> None:
    other = "japan" if seat == "usa" else "usa"
    seats = {seat: "me", other: "bot:doctrine"}
    place = create_match(server, seats, game="tora", scenario="sunday", seed="on the board")[seat]
    hand = BoardOnly()
    table = join_seat(visit("Anna", **LARGE), place, hand)
    for _ in range(MOST):
        if table.wait_for_decision()["over"]:
            break
        table.answer()
    assert table.look()["over"]
    assert hand.on_board > 20
    assert not hand.in_card
