"""Tests of rendering dice and log lines."""

from __future__ import annotations

import pytest
from rich.text import Text

from readyroom.cli.story import dice, render_log
from readyroom.engine.rules.checks import Check, Fire, Volley
from readyroom.engine.rules.dice import KeyedDice
from readyroom.engine.rules.table import LogLine

GUNS = Fire(at_least=4)
BOMBS = Fire(at_least=5, again=6, best=1, further=1)
TORPEDOES = Fire(at_least=6, hits=2, again=6, best=2, further=1)


@pytest.mark.parametrize("fire", [GUNS, BOMBS, TORPEDOES])
@pytest.mark.parametrize("event", ["one", "two", "three"])
def test_dice_that_hit_are_framed(fire: Fire, event: str) -> None:
    keyed = KeyedDice(b"k")
    salvo = Volley("12", "fire", 30, fire).resolve(lambda count, sides, start: keyed.roll(event, count, sides, start))
    first, *further = dice(salvo.to_log()).plain.split("→")
    value = fire.best if fire.again == fire.at_least else fire.hits
    assert first.count("[") * value + sum(again.count("[") for again in further) * fire.further == salvo.hits


def test_render_log_omits_printed_heading() -> None:
    lines = [LogLine(1, "move", "4", "Moved.", ()), LogLine(1, "fire", "5", "Fired.", ())]
    rendered = render_log(lines, lambda turn, phase: (f"Turn {turn}", phase), ("Turn 1", "move"))
    assert [str(each) for each in rendered if isinstance(each, Text)] == ["Turn 1 · fire"]


def test_dice_of_successful_check_are_framed() -> None:
    check = Check("15", "repairs", at_least=5)
    assert dice(check.resolve(lambda count, sides, start: bytes([6])).to_log()).plain == "[6]"
    assert dice(check.resolve(lambda count, sides, start: bytes([2])).to_log()).plain == " 2 "
