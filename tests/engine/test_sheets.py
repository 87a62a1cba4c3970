"""The next decision has the entries of the sheet."""

from __future__ import annotations

from dataclasses import replace

from tests.toys.tiny import ABC, T, Tiny, tiny

from readyroom import Match
from readyroom.engine.game import GamePlanning
from readyroom.engine.rules.table import Choice, Steps, with_sheet


def _write(table: T, sheet: list[str]) -> Choice[list[str]]:
    for question in ("First?", "Second?"):
        chosen = yield from table.choose("red", "1", question, ABC)
        sheet.append(chosen.key)
    return sheet


def _plan(table: T) -> Steps:
    sheet: list[str] = []
    written = yield from table.choose_in_secret({"red": with_sheet(_write(table, sheet), sheet), "blue": _call(table)})
    table.state.notes.append("".join(written["red"]))


def _call(table: T) -> Choice[list[str]]:
    return [(yield from table.choose("blue", "1", "Call?", ABC)).key]


def test_sheet_shows_current_content() -> None:
    planning = GamePlanning[Tiny](sheets=lambda _, plans, seat: {key: list(plans[key]) for key in plans if key == seat})
    game = replace(tiny(_plan), planning=planning)
    match = Match(game, seed="a sheet")
    mappings = [match.view("red").sheets]
    for key in ("b", "c"):
        match.decide("red", key)
        mappings.append(match.view("red").sheets)
    assert mappings == [{"red": []}, {"red": ["b"]}, {"red": ["b", "c"]}]
    assert match.view("blue").sheets == {}
    match.undo("red")
    assert match.view("red").sheets == {"red": ["b"]}
    match.decide("red", "a")
    match.decide("blue", "a")
    assert match.state.notes == ["ba"]
