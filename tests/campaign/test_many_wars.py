"""Many wars between bots: no error, a proof of each, and neither side much the stronger."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.campaign.helpers import BOTS

from readyroom.campaign.library import campaign_text
from readyroom.campaign.playing import play_war
from readyroom.campaign.record import verify_war
from readyroom.campaign.war import start_war


def winners(name: str, wars: int) -> Counter[str | None]:
    """Play and verify wars; return how often each side won."""
    text, files = campaign_text(name)
    won = Counter[str | None]()
    for number in range(wars):
        war = start_war(text, files, (), f"many/{number}")
        play_war(war, BOTS)
        assert verify_war(war.record()).closed == war.closed
        assert war.closed is not None
        won[war.closed.winner] += 1
    return won


@pytest.mark.slow(5)
def test_full_war_is_played_and_verified() -> None:
    assert winners("long-war", 1).total() == 1


@pytest.mark.torture(120)
def test_each_side_wins_four_to_six_in_ten_short_wars() -> None:
    won = winners("three-battles", 300)
    assert all(120 <= won[side] <= 180 for side in BOTS), won


@pytest.mark.torture(500)
def test_each_side_wins_three_to_seven_in_ten_full_wars() -> None:
    won = winners("long-war", 100)
    assert all(30 <= won[side] <= 70 for side in BOTS), won
