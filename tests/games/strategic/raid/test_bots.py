"""The staffs: they play by what they see, and the second strike is a gamble."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from tests.games.strategic.raid.helpers import DATA
from tests.games.strategic.raid.test_files import SCENARIOS

from readyroom import Match
from readyroom import bots as staff
from readyroom.engine.decisions import Decision
from readyroom.engine.game import Look
from readyroom.games.strategic import GAME
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.raid.bots import MANNERS, Staff, best_shares, target_values
from readyroom.games.strategic.raid.state import JAPAN, USA, Raid
from readyroom.games.strategic.state import Strategic


def played(scenario: str, japan: str, usa: str, seed: str, **options: str) -> Match[Strategic, Data]:
    """A match between two staffs."""
    match, random = Match(GAME, scenario, options=options, seed=seed, log=False), Random(seed)
    players = {JAPAN: staff.make(GAME, japan, JAPAN, random), USA: staff.make(GAME, usa, USA, random)}
    staff.play_out(match, players)
    return match


def raids(scenario: str, japan: str, usa: str, number: int, **options: str) -> list[tuple[Raid, str | None]]:
    """Several matches, with their winners."""
    found = [played(scenario, japan, usa, f"{scenario} {at}", **options) for at in range(number)]
    return [(match.state.raid, match.outcome.winner if match.outcome else None) for match in found]


@pytest.mark.rule("strategic", "PH.10")
@pytest.mark.parametrize("usa", list(MANNERS))
def test_each_has_its_way(usa: str) -> None:
    assert not any(raid.stays for raid, _ in raids("air-raid", "cautious", usa, 4))
    assert all(raid.stays for raid, _ in raids("air-raid", "all-in", usa, 4))
    assert {raid.magic["usa"] for raid, _ in raids("air-raid", "doctrine", "all-in", 3)} == {3}


@pytest.mark.rule("strategic", "PH.10", "PH.13")
def test_the_doctrine_leaves_when_it_has_won_and_stays_when_leaving_loses() -> None:
    answers: Counter[tuple[bool, bool]] = Counter()

    def watched(decision: Decision, look: Look) -> Sequence[str]:
        chosen = plain(decision, look)
        if decision.about == "stay":
            table = look()["table"]
            leave = table["margin"] + table["figures"]["score"]["unseen"]
            if not table["win"]["usa"] - 6 < leave < table["win"]["japan"] + 6:
                answers[leave > table["win"]["usa"], list(chosen) == ["second-strike"]] += 1
        return chosen

    for seed in range(40):
        random = Random(seed)
        plain = staff.make(GAME, "doctrine", JAPAN, random)
        match = Match(GAME, "air-raid", seed=str(seed), log=False)
        staff.play_out(match, {JAPAN: watched, USA: staff.make(GAME, "doctrine", USA, random)})
    assert answers[True, True] == 0, "won is won"
    assert answers[False, False] == 0, "lost is lost, so it is tried"
    assert answers[True, False]
    assert answers[False, True]


@pytest.mark.rule("strategic", "PH.7", "PH.13")
def test_squadrons_are_shared_out_for_the_most() -> None:
    match = Match(GAME, "air-raid", seed="shares")
    values = target_values(Staff(match.view(JAPAN)))
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


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_careful_staffs_are_a_match_for_one_another(scenario: str) -> None:
    """Over a thousand matches neither wins more than half; of so few, with four standard errors, not seven tenths."""
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
def test_they_play_by_every_option(options: dict[str, str]) -> None:
    assert all(raid.over for raid, _ in raids("air-raid-late", "doctrine", "doctrine", 3, **options))
    assert DATA.pearl.surprise.attack == 1
