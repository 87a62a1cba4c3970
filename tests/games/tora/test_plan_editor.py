"""Tests of the planning chart: what it begins with, and the check of drafts."""

from __future__ import annotations

import msgspec
import pytest
from tests.games.tora.helpers import ATTACK, DATA, DEFENCE

from readyroom.engine.game import Planner
from readyroom.engine.match import Match
from readyroom.engine.match.planning import files_of, follow
from readyroom.games.tora import GAME
from readyroom.games.tora.plans import builtin, cipher
from readyroom.games.tora.plans.editor import EDITOR
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.reading import read, write_toml
from readyroom.games.tora.plans.validation import completed


def planner(seat: str, match: Match | None = None, **options: str) -> Planner:  # type: ignore[type-arg]
    match = match or Match(GAME, "december", options=options, seed="chart")
    return Planner(match.view(seat), seat, match.options, match.game.data)


def draft(side: str, plan: Plan, **changes: object) -> bytes:
    return msgspec.json.encode({"side": side, **msgspec.to_builtins(plan), **changes})


def checked(of: Planner, text: bytes, about: str = "") -> dict[str, object]:
    return dict(EDITOR.check(of, text, "draft.json", about))


@pytest.mark.parametrize("side", ["usa", "japan"])
def test_sheet_begins_with_a_draft_that_can_be_checked(side: str) -> None:
    of = planner(side)
    sheet = EDITOR.sheet(of)
    msgspec.json.encode(sheet)
    result = checked(of, msgspec.json.encode({"side": side, **sheet["plan"]}))
    rules = {fault["rule"] for fault in result["faults"]}  # type: ignore[attr-defined]
    assert rules == ({"5.13"} if side == "usa" else {"7.1", "7.3"})
    assert [sample["key"] for sample in sheet["samples"]] == list(builtin.plans()[side])


@pytest.mark.parametrize("key", [key for plans in builtin.plans().values() for key in plans])
def test_sample_plans_are_legal_drafts(key: str) -> None:
    plan = builtin.named(key)
    side = "usa" if hasattr(plan, "radar") else "japan"
    assert checked(planner(side), draft(side, plan))["faults"] == []


@pytest.mark.parametrize(("side", "plan"), [("usa", DEFENCE), ("japan", ATTACK)])
@pytest.mark.parametrize("kind", ["toml", "csv"])
def test_draft_is_exported_and_imported(side: str, plan: Plan, kind: str) -> None:
    text = EDITOR.write(planner(side), draft(side, plan), "draft.json", kind)
    whole = completed(plan, DATA) if kind == "csv" and side == "usa" else plan  # type: ignore[arg-type]
    assert read(text.encode(), f"plan.{kind}", DATA) == whole
    result = EDITOR.check(planner(side), text.encode(), f"plan.{kind}", "")
    assert result["plan"] is not None
    assert result["faults"] == []


def test_faults_have_place_rule_and_reason() -> None:
    levels = [3] * 10
    result = checked(planner("usa"), draft("usa", DEFENCE, airfield=levels))
    assert result["faults"] == [
        {
            "where": ("airfield", 3),
            "rule": "5.1",
            "reason": "The alert levels for airfields cost 20 points; the limit is 6.",
        }
    ]


def test_unreadable_draft_and_other_sides_draft_are_refused() -> None:
    for text in (b"{", draft("japan", ATTACK), b'{"side": "usa", "radar": 3}'):
        result = checked(planner("usa"), text)
        assert result["plan"] is None
        assert result["faults"]


@pytest.mark.rule("tora", "5.14")
def test_open_berths_are_those_that_the_rules_allow() -> None:
    result = checked(planner("usa"), draft("usa", completed(DEFENCE, DATA)), "enterprise")
    places = result["places"]
    assert isinstance(places, dict)
    width = DATA.places.harbor.width
    assert {cell // width for cell in places["h"]} == {18}, "carriers lie north of Ford Island"
    assert not places["v"]
    assert not places["dock"]
    assert checked(planner("usa"), draft("usa", DEFENCE), "pennsylvania")["places"]["dock"]  # type: ignore[index]


@pytest.mark.rule("tora", "15.2", "T28")
def test_day_is_final_once_the_message_is_sent() -> None:
    match = Match(GAME, "december", options={"cipher": "yes"}, seed="chart")
    assert not EDITOR.sheet(planner("japan", match))["sent"]
    for _ in range(4):
        match.decide("japan", match.pending["japan"].keys[:1])
    of = planner("japan", match)
    sheet = EDITOR.sheet(of)
    assert sheet["sent"]
    assert sheet["plan"]["day"] == 1
    plan = msgspec.structs.replace(ATTACK, day=5)
    faults = checked(of, draft("japan", plan))["faults"]
    assert [fault["rule"] for fault in faults] == ["T28"]  # type: ignore[attr-defined]


def test_message_is_shown_as_the_enemy_will_read_it() -> None:
    of = planner("japan", cipher="yes")
    text = EDITOR.sheet(of)["messages"][ATTACK.day][0]
    result = checked(of, draft("japan", ATTACK, message=text, cipher="atbash", key=""))
    assert result["faults"] == []
    assert result["intercept"] == cipher.encipher("atbash", "", text)


def test_locked_plan_is_where_its_change_begins() -> None:
    match = Match(GAME, "december", options={"revise": "both"}, seed="chart")
    follow(match, "usa", write_toml(DEFENCE).encode(), "a.toml")
    assert EDITOR.sheet(planner("usa", match))["plan"]["airfield"] == list(DEFENCE.airfield)
    follow(match, "japan", write_toml(ATTACK).encode(), "b.toml")
    assert match.pending["japan"].piece_key == "revise"
    assert EDITOR.sheet(planner("japan", match))["plan"]["day"] == ATTACK.day
    assert files_of(GAME).restarts_plan(match.pending["japan"])
