"""What a selection does to its targets, as the board shows it while pieces are dragged there."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from readyroom import Match, bots, games


def played_to(game: str, scenario: str, rule: str) -> tuple[Match[Any, Any], str]:
    """Return a match of bots at the first question of a rule with a choice, and who decides."""
    match: Match[Any, Any] = Match(games.load(game), scenario, seed="3")
    players = {seat.key: bots.make_bot(match.game, "doctrine", seat.key, Random(5)) for seat in match.seats}
    while match.outcome is None:
        seat, decision = next(iter(match.pending.items()))
        if decision.rule == rule and decision.options[1:]:
            return match, seat
        match.decide(seat, players[seat](decision, partial(match.view, seat)))
    raise AssertionError(f"{rule} is not asked")


def test_more_bombers_sink_a_carrier_more_often() -> None:
    match, seat = played_to("midway", "midway", "12.1")
    keys = [key for key in match.pending[seat].keys if key.endswith("@hiryu")]
    all_of_them = match.selection_odds(seat, keys)
    assert list(all_of_them) == ["hiryu"]
    assert all_of_them["hiryu"].startswith("crippled or sunk ")
    assert all_of_them != match.selection_odds(seat, keys[:1])
    assert match.selection_odds(seat, []) == match.selection_odds("japan", keys) == {}


def test_odds_of_attacks_in_harbor_follow_their_number() -> None:
    match, seat = played_to("pearl", "air-raid", "PH.7")
    words = match.selection_odds(seat, [*["arizona"] * 6, "nevada", "light", "no-such-key"])
    assert set(words) == {"arizona", "nevada", "light"}
    assert words["arizona"] != words["nevada"]
    assert words["nevada"] == match.selection_odds(seat, ["nevada"])["nevada"]
    assert words["light"].endswith("destroyed on average")


def test_questions_without_odds_have_none() -> None:
    match, seat = played_to("midway", "midway", "9.2")
    assert match.selection_odds(seat, match.pending[seat].keys[:1]) == {}
    picket: Match[Any, Any] = Match(games.load("picket"), "first-watch", seed="1")
    assert picket.selection_odds("captain", picket.pending["captain"].keys) == {}
