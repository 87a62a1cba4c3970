"""Tests of the bots of the raid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import msgspec
import pytest
from tests.games.strategic.pearl.helpers import DATA, Battle
from tests.games.strategic.pearl.test_files import SCENARIOS

from readyroom import Match, bots
from readyroom.engine.game import ViewFn
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.dice import fixed_dice
from readyroom.engine.rules.table import Table
from readyroom.games.strategic.pearl import GAME
from readyroom.games.strategic.pearl.bots import Position, best_shares, second_gain, target_values
from readyroom.games.strategic.pearl.policy import STYLES, JapanesePolicy
from readyroom.games.strategic.pearl.state import JAPAN, USA, Raid, RaidState
from readyroom.games.strategic.pearl.strike import critical, net_modifiers
from readyroom.games.strategic.tables.figures import Data


def played(scenario: str, japan: str, usa: str, seed: str, **options: str) -> Match[RaidState, Data]:
    """Play a match between two bots."""
    match, random = Match(GAME, scenario, options=options, seed=seed, log=False), Random(seed)
    players = {JAPAN: bots.make_bot(GAME, japan, JAPAN, random), USA: bots.make_bot(GAME, usa, USA, random)}
    bots.play_to_end(match, players)
    return match


def raids(scenario: str, japan: str, usa: str, number: int, **options: str) -> list[tuple[Raid, str | None]]:
    """Play several matches; return their raids and winners."""
    matches = [played(scenario, japan, usa, f"{scenario} {at}", **options) for at in range(number)]
    return [(match.state.raid, match.outcome.winner if match.outcome else None) for match in matches]


@pytest.mark.rule("pearl", "PH.10")
@pytest.mark.parametrize("usa", list(STYLES))
def test_bots_play_style(usa: str) -> None:
    assert not any(raid.stays for raid, _ in raids("air-raid", "cautious", usa, 4))
    assert all(raid.stays for raid, _ in raids("air-raid", "all-in", usa, 4))
    assert {raid.magic["usa"] for raid, _ in raids("air-raid", "doctrine", "all-in", 3)} == {3}


@pytest.mark.rule("pearl", "PH.10", "PH.13")
def test_doctrine_stays_only_when_withdrawing_does_not_win() -> None:
    answers: Counter[tuple[bool, bool]] = Counter()

    def watched(decision: Decision, look: ViewFn) -> Sequence[str]:
        chosen = plain(decision, look)
        if decision.piece_key == "stay":
            table = look().table
            leave = table.margin + table.figures.score["unseen"]
            if not table.win["usa"] - 6 < leave < table.win["japan"] + 6:
                answers[leave > table.win["usa"], list(chosen) == ["second-strike"]] += 1
        return chosen

    for seed in range(40):
        random = Random(seed)
        plain = bots.make_bot(GAME, "doctrine", JAPAN, random)
        match = Match(GAME, "air-raid", seed=str(seed), log=False)
        bots.play_to_end(match, {JAPAN: watched, USA: bots.make_bot(GAME, "doctrine", USA, random)})
    assert answers[True, True] == 0, "won is won"
    assert answers[False, False] == 0, "lost is lost, so it is tried"
    assert answers[True, False]
    assert answers[False, True]


@pytest.mark.rule("pearl", "51.31.3")
def test_cautious_bot_does_not_intercept() -> None:
    battle = Battle().force("tf8", "3").force("tf12", "4")
    battle.raid.stays = True
    battle.play("interception", turn=2)
    decision = battle.question("intercept")
    answers = {name: bots.make_bot(GAME, name, USA, Random(1))(decision, lambda: battle.whole(USA)) for name in STYLES}
    assert answers == {"doctrine": ["tf8", "tf12"], "cautious": [], "all-in": ["tf8", "tf12"]}


@pytest.mark.rule("war", "A14")
@pytest.mark.rule("pearl", "20.51", "A14", "A19")
@pytest.mark.parametrize("bonus", ["once", "twice"])
@pytest.mark.parametrize("nationality", ["even", "suggested"])
def test_bot_net_modifier_matches_rules(bonus: str, nationality: str) -> None:
    def by_the_rules(*, at_sea: bool = False) -> int:
        return sum(value for _, value in net_modifiers(Table(battle.state, DATA, fixed_dice(), None), at_sea=at_sea))

    battle = Battle(surprise_bonus=bonus, nationality=nationality)
    nations = msgspec.structs.replace(battle.raid.opening.nations, japan_air=3)
    battle.raid.opening = msgspec.structs.replace(battle.raid.opening, nations=nations)
    first = Position(battle.whole(JAPAN))
    assert first.net() == by_the_rules()
    battle.raid.stays = True
    again = Position(battle.whole(JAPAN))
    assert [first.net(second=True), again.net(), again.net(second=True)] == [by_the_rules()] * 3
    assert again.net(at_sea=True) == by_the_rules(at_sea=True)
    lines = [msgspec.structs.replace(line, value=2 + (line.key == "at-sea")) for line in DATA.modifiers.modifier]
    again.data = msgspec.structs.replace(DATA, modifiers=msgspec.structs.replace(DATA.modifiers, modifier=lines))
    assert again.net(at_sea=True) == by_the_rules(at_sea=True) + 2, "the line for ships at sea, and no other"


@pytest.mark.rule("pearl", "PH.9", "PH.12", "A8")
def test_bot_uses_critical_die_only_in_disarray() -> None:
    battle = Battle()
    battle.raid.die = 6
    first = Position(battle.whole(JAPAN))
    assert first.die() == critical(Table(battle.state, DATA, fixed_dice(), None)) == (5, DATA.pearl.critical.effects)
    battle.raid.stays = True
    assert [first.die(second=True), Position(battle.whole(JAPAN)).die()] == [None, None]


@pytest.mark.rule("pearl", "PH.10", "PH.12")
@pytest.mark.parametrize(("place", "weaker"), [("2", True), ("Pearl", False)])
def test_patrol_reduces_second_strike_only_under_risk(place: str, weaker: bool) -> None:
    battle = Battle().force("tf8", place, seen=place == "Pearl").force("tf12", "Pearl", seen=True)
    battle.raid.die = 3
    position = Position(battle.whole(JAPAN))
    gains = [second_gain(position, JapanesePolicy(patrol=patrol))[0] for patrol in (0, 6)]
    assert (gains[1] < gains[0]) is weaker


@pytest.mark.rule("pearl", "PH.7", "PH.13")
def test_best_shares_maximizes_value() -> None:
    match = Match(GAME, "air-raid", seed="shares")
    values = target_values(Position(match.view(JAPAN)), JapanesePolicy())
    best, shares = best_shares(values, 12)
    assert sum(values[key][count] for key, count in shares[12].items()) == pytest.approx(best[12])
    assert sum(shares[12].values()) <= 12
    pairs = [
        values[one][mine] + values[other][12 - mine - rest] + values[third][rest]
        for one, other, third in [("arizona", "tennessee", "maryland"), ("arizona", "nevada", "oklahoma")]
        for mine in range(9)
        for rest in range(9)
        if 0 <= 12 - mine - rest <= 8
    ]
    assert best[12] >= max(pairs)
    assert best == sorted(best)


@pytest.mark.torture(2)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_doctrine_mirror_matches_are_balanced(scenario: str) -> None:
    """In 1000 matches neither side wins over half; this small sample allows 70 %."""
    winners = Counter(winner for _, winner in raids(scenario, "doctrine", "doctrine", 60))
    assert winners[JAPAN] <= 0.75 * 60
    assert winners[USA] <= 0.75 * 60
    assert winners[JAPAN]
    assert winners[USA]


@pytest.mark.parametrize(
    "options",
    [
        {"nationality": "suggested", "surprise_bonus": "twice"},
        {"guns": "none", "disarray": "guns"},
        {"edition": "classic"},
    ],
)
def test_bots_finish_with_every_option(options: dict[str, str]) -> None:
    assert all(raid.over for raid, _ in raids("air-raid-late", "doctrine", "doctrine", 3, **options))
    assert DATA.pearl.surprise.attack == 1
