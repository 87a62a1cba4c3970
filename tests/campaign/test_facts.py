"""Every fact that a game reports is one that it lists, and has a value that the list allows."""

from __future__ import annotations

from random import Random

import pytest

from readyroom.bots import default_bot, make_bot, play_to_end
from readyroom.engine.facts import Fact, UnknownFact, find_fact
from readyroom.engine.game import load_all_games, load_game
from readyroom.engine.match import Match

GAMES = [game.key for game in load_all_games()]
OPTIONS = {"doolittle": {"ending": "told"}}
SCENARIOS = {"doolittle": "carrier", "picket": "lingayen", "war": "silent-service"}


@pytest.mark.parametrize("key", GAMES)
def test_reported_facts_are_listed(key: str) -> None:
    game = load_game(key)
    match = Match(game, SCENARIOS.get(key), OPTIONS.get(key), "facts", log=False, checkpoints=False)
    bots = {seat.key: make_bot(game, default_bot(game), seat.key, Random(7)) for seat in match.seats}
    play_to_end(match, bots)
    assert match.outcome is not None
    facts = game.facts_of(match.state, match.scenario, match.outcome, match.seats)
    known = game.known_facts(match.seats)
    for name, value in facts.items():
        assert find_fact(known, name).fits(value), (name, value)
    numbers = {name for name in known if name.endswith("*") and not any(one.startswith(name[:-1]) for one in facts)}
    assert not numbers, "these facts are listed and never reported"
    assert {name for name in known if not name.endswith("*")} <= set(facts)


@pytest.mark.parametrize("key", GAMES)
def test_facts_cite_a_rule_that_exists(key: str) -> None:
    game = load_game(key)
    for name, fact in game.own_facts.items():
        assert game.rulebook.find(fact.rule), name


def test_unknown_fact_suggests_the_nearest() -> None:
    with pytest.raises(UnknownFact, match="Did you mean 'yard hits'"):
        find_fact(load_game("tora").own_facts, "yard hit")


def test_fact_of_one_ship_is_found_by_its_pattern() -> None:
    fate = Fact("fate", words=["sunk"])
    assert find_fact({"fate *": fate}, "fate lexington") is fate
    with pytest.raises(UnknownFact):
        find_fact({"fate *": fate}, "fates lexington")
    lost = Fact("lost", low=0)
    assert find_fact({"fate *": fate, "fate of *": lost}, "fate of lexington") is lost


def test_calculator_matches_have_no_facts_of_the_war() -> None:
    match = Match(load_game("war"), "staff", seed="facts")
    play_to_end(match, {seat.key: make_bot(match.game, "random", seat.key, Random(1)) for seat in match.seats})
    assert match.outcome is not None
    facts = match.game.facts_of(match.state, match.scenario, match.outcome, match.seats)
    assert set(facts) == {"title", "winner"} | {f"score {seat.side}" for seat in match.seats} & set(facts)
