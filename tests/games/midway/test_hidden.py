"""What is hidden of the enemy [M19]: counted, estimated, and dealt so that the seat cannot distinguish it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from readyroom import bots
from readyroom.engine.match import Match
from readyroom.games.midway import GAME, hidden
from readyroom.games.midway.features import of_seat, of_state, remember
from readyroom.games.midway.state import Data, Midway, Side

AnyMatch = Match[Any, Any]
DATA = GAME.data


def positions(seed: str, every: int = 7, bot: str = "guarded", **options: str) -> Iterator[tuple[AnyMatch, str]]:
    """Yield a match between bots at some of its decisions, with the seat that decides."""
    match = AnyMatch(GAME, options.pop("scenario", None), options, seed=seed, log=False)
    players = {seat.key: bots.make_bot(GAME, bot, seat.key, Random(seat.key)) for seat in match.seats}
    views = {seat: match.bot_view(seat) for seat in players}
    while match.outcome is None:
        for seat, decision in match.pending.items():
            if match.decision_count % every == 0:
                yield match, seat
            match.decide(seat, players[seat](decision, views[seat]))


def dealt(match: AnyMatch, seat: str, counts: Sequence[int], seed: int = 1) -> AnyMatch:
    """Return the match as the seat imagines it if the enemy has these counts."""

    def deal(state: Midway, data: Data, seat: str, random: Random) -> Midway:
        assert hidden.deal(state, data, seat, counts, random)
        return state

    return match.imagine(seat, Random(seed), deal)


def keys(side: Side) -> list[tuple[str, int]]:
    """Return all squadrons of a side, also the lost ones, with their strength."""
    return sorted((one.key, one.strength) for one in (*side.squadrons(), *side.lost))


@pytest.mark.rule("midway", "M19")
def test_dealing_what_is_true_has_about_the_same_counts() -> None:
    """A squadron that was hit is not divided, so a place may have a few points more or less."""
    for match, seat in positions("deal"):
        counts = hidden.count(match.state, DATA, seat)
        imagined = dealt(match, seat, counts)
        dealt_counts = hidden.count(imagined.state, DATA, seat)
        assert sum(dealt_counts) == sum(counts)
        assert max(abs(one - other) for one, other in zip(dealt_counts, counts, strict=True)) <= 10


@pytest.mark.rule("midway", "M19")
@pytest.mark.parametrize("options", [{}, {"seats": "groups"}, {"ditch_after": "1"}, {"scenario": "no-yorktown"}])
def test_seat_cannot_distinguish_what_is_dealt(options: dict[str, str]) -> None:
    random = Random(2)
    for match, seat in positions("same", 9, **options):
        counts = [random.choice([0, 0, 5, 20, 60]) for _ in hidden.count(match.state, DATA, seat)]
        imagined = dealt(match, seat, counts)
        assert imagined.view(seat) == match.view(seat)
        assert imagined.pending[seat].options == match.pending[seat].options
        for before, after in ((match.state.japan, imagined.state.japan), (match.state.usa, imagined.state.usa)):
            assert keys(after) == keys(before), "each squadron is in one place"
        for side in (imagined.state.japan, imagined.state.usa):
            assert all(sum(one.strength for one in carrier.deck) <= 20 for carrier in side.carriers)


@pytest.mark.rule("midway", "M19")
def test_what_is_dealt_does_not_depend_on_what_is_true() -> None:
    """Two states that look the same to a seat lead to the same one, also if the enemy's secret losses differ."""
    random, differ = Random(3), 0
    for match, seat in positions("truth", 5, ditch_after="1"):
        counts = [random.choice([0, 5, 15, 40]) for _ in hidden.count(match.state, DATA, seat)]
        other = dealt(match, seat, [random.choice([0, 5, 30]) for _ in counts], seed=2)
        differ += other.digest() != match.digest()
        assert dealt(other, seat, counts).digest() == dealt(match, seat, counts).digest()
    assert differ > 5


@pytest.mark.rule("midway", "M19", "16.2")
def test_losses_that_the_enemy_did_not_see_are_drawn() -> None:
    """What went down with a carrier is not known to the enemy, so it may be anywhere it could be."""
    found = 0
    for match, seat in positions("sunk", 3):
        lost = {one.key for one in _enemy(match, seat).lost if one.strength}
        if lost and match.state.afloat(_enemy(match, seat)):
            found += 1
            none, all_of_it = ([points] * 24 for points in (0, 0))
            all_of_it[-3:] = [200] * 3
            alive, gone = (_enemy(dealt(match, seat, counts), seat) for counts in (none, all_of_it))
            assert lost <= {one.key for one in alive.squadrons()}
            assert lost <= {one.key for one in gone.lost}
    assert found


def _enemy(match: AnyMatch, seat: str) -> Side:
    state: Midway = match.state
    return state.usa if seat in state.japan.seats else state.japan


def test_nothing_is_dealt_in_open_play() -> None:
    match, seat = next(positions("open", 30, sight="open"))
    assert not hidden.deal(match.state, DATA, seat, [0] * 24, Random(1))


def test_imagined_matches_play_on() -> None:
    for match, seat in positions("on", 25):
        counts = hidden.count(match.state, DATA, seat)
        imagined = dealt(match, seat, [0, *counts[:-1]])
        players = {each.key: bots.make_bot(GAME, "guarded", each.key, Random(1)) for each in imagined.seats}
        bots.play_to_end(imagined, players)
        assert imagined.outcome is not None


# -- features ----------------------------------------------------------------------------------------------------------


def test_numbers_of_a_seat_do_not_depend_on_what_is_hidden() -> None:
    for match, seat in positions("numbers", 11):
        imagined = match.imagine(seat, Random(4))
        before, after = (of_seat(each.view(seat), each.recall(seat, remember)) for each in (match, imagined))
        assert before == after


def test_all_scenarios_have_the_same_numbers() -> None:
    lengths = set()
    for scenario in GAME.rules.scenarios(DATA):
        match = AnyMatch(GAME, scenario, seed="length")
        view = match.view("usa")
        lengths.add(
            (len(of_state(match.state, DATA)), len(of_seat(view, None)), len(of_seat(view, remember(None, view))))
        )
    assert len(lengths) == 1


def test_seat_remembers_most_of_what_it_shot_down() -> None:
    for match, _ in positions("shot", 1):
        last = match
    for seat, enemy in (("japan", last.state.usa), ("usa", last.state.japan)):
        memory = last.recall(seat, remember)
        before = sum(one.strength for one in _enemy(AnyMatch(GAME, seed="shot"), seat).squadrons())
        shot = before - sum(one.strength for one in (*enemy.squadrons(), *enemy.lost))
        assert 0.6 * shot <= memory.bombers_lost + memory.escorts_lost + memory.cap_lost <= shot


def test_seeing_a_view_again_changes_no_memory() -> None:
    memories: dict[str, Any] = {}
    for match, _ in positions("again", 1):
        for seat in ("japan", "usa"):
            view = match.view(seat)
            memories[seat] = remember(memories.get(seat), view)
            assert remember(memories[seat], view) == memories[seat]
    for memory in memories.values():
        raid = memory.waves[0]
        assert raid.turn
        assert raid.bombers >= raid.left
        assert memory.most >= memory.cap
        assert memory.cap_turn


@pytest.mark.rule("midway", "M19")
def test_quantities_in_sight_need_no_estimate() -> None:
    shown = {hidden.seen(match.view(seat)) for match, seat in positions("sight", 3)}
    assert shown == {(), (hidden.CAP,)}
    match, seat = next(positions("open", 30, sight="open"))
    assert hidden.seen(match.view(seat)) == hidden.QUANTITIES.keys()
