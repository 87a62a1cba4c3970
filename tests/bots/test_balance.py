"""How often each side of a scenario wins between strong bots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from readyroom import games
from readyroom.bots.balance import FILE, Balance, balance_of, balances
from readyroom.study import book as making


@pytest.mark.parametrize("name", games.game_names())
def test_all_ranked_scenarios_or_none_are_measured_by_the_present_rules(name: str) -> None:
    game = games.load(name)
    known = [each for each in balances(game.package) if each.game == name]
    ranked = [each.key for each in game.rules.scenarios(game.data) if each.key not in game.analysis.unranked]
    assert not known or [each.scenario for each in known] == [key for key in ranked if key != "staff"]
    assert known or name not in ("midway", "pearl", "picket", "tora", "war")
    for each in known:
        assert each.version == game.version, f"run `python -m readyroom.study.book {name} --balance 400`"
        assert 0 < sum(each.wins.values()) <= each.matches
        assert balance_of(game, each.scenario) == each


def test_shares_have_draws_between_the_sides() -> None:
    two = Balance(game="g", version="1", scenario="s", bot="b", matches=10, wins={"x": 5, "y": 2})
    assert [(each.side, each.mean) for each in two.shares] == [("x", 0.5), (None, 0.3), ("y", 0.2)]
    assert all(each.low < each.mean < each.high for each in two.shares)
    one = Balance(game="g", version="1", scenario="s", bot="b", matches=10, wins={"x": 4})
    assert [(each.side, each.mean) for each in one.shares] == [("x", 0.4)]


def test_command_measures_balance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "files", lambda package: tmp_path)
    making.main(["pearl", "--balance", "2", "--workers", "1"])
    found = json.loads((tmp_path / FILE).read_text(encoding="utf-8"))
    assert (found[0]["scenario"], found[0]["bot"], found[0]["matches"]) == ("air-raid", "veteran", 2)
