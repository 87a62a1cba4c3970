"""Rulings on open questions of the rules: each is a match option and a field of the calculator."""

from __future__ import annotations

from readyroom.engine.forms import FormField
from readyroom.engine.game import GameOption

_OPTIONS = (
    GameOption(
        key="submarine_results",
        title="What submarines sink",
        rule="A1",
        choices={
            "escorts": "the first number sinks escorts, the second merchant ships",
            "shipping": "all hits sink merchant ships; the first number counts double",
        },
        default="escorts",
    ),
    GameOption(
        key="bombing_results",
        title="What bombs destroy",
        rule="A2",
        choices={
            "steps": "the first number knocks out steps of the target, the second costs resources",
            "points": "all hits cost resources; the first number counts double",
        },
        default="steps",
    ),
    GameOption(
        key="heavy",
        title="More than 60 factors",
        rule="A4",
        choices={"repeat": "the row of 30 is read repeatedly", "twice": "factors beyond 60 do not count"},
        default="repeat",
    ),
    GameOption(
        key="codebreaking",
        title="Advantage in codebreaking",
        rule="A13",
        choices={
            "commit": "the only side that plays a card for the round",
            "count": "the side that holds more cards for it; none are used up",
        },
        default="commit",
    ),
    GameOption(
        key="nationality",
        title="Nationality modifiers",
        rule="A14",
        choices={
            "even": "all nations are equal",
            "suggested": "at sea Japan and Britain have 2, Germany and the United States 1",
        },
        default="even",
    ),
    GameOption(
        key="excess",
        title="Hits in an ocean without merchant ships",
        rule="A21",
        choices={
            "0": "cost nothing",
            "6": "cost 3 resources each, at most 6 a round",
            "12": "cost 3 resources each, at most 12 a round",
            "all": "cost 3 resources each",
        },
        default="6",
    ),
    GameOption(
        key="guns",
        title="Harbor guns",
        rule="A7",
        choices={"table": "fire on the Strategic Warfare Combat Table", "none": "have no effect"},
        default="table",
    ),
    GameOption(
        key="critical",
        title="Critical hit die",
        rule="A8",
        choices={"4": "one extra effect on 4–6", "5": "one extra effect on 5–6", "6": "one extra effect on 6"},
        default="5",
    ),
    GameOption(
        key="final_die",
        title="Final tension roll",
        rule="A15",
        choices={"die": "rolled when war is declared", "none": "not rolled"},
        default="die",
    ),
    GameOption(
        key="surprise_bonus",
        title="Surprise bonus against ships",
        rule="A19",
        choices={
            "once": "+1: the two tables mean the same bonus",
            "twice": "+2: one from each of the two tables",
        },
        default="once",
    ),
    GameOption(
        key="disarray",
        title="Surprise of level 7 or more",
        rule="A20",
        choices={
            "grounded": "aircraft are on the ground too, as at level 6",
            "guns": "guns are silent, but all aircraft are up",
        },
        default="grounded",
    ),
    GameOption(
        key="edition",
        title="Surprise Table",
        rule="51.31",
        choices={"current": "seven columns", "classic": "five columns (earlier edition)"},
        default="current",
    ),
)
_WAR = ("submarine_results", "bombing_results", "heavy", "codebreaking", "excess")
STRATEGIC_WAR = tuple(option for option in _OPTIONS if option.key in (*_WAR, "nationality"))
"""The options of Strategic War."""
AIR_RAID = tuple(option for option in _OPTIONS if option.key not in _WAR)
"""The options of Air Raid Pearl Harbor."""
RULINGS = "Rules options"
"""The heading of the rulings in the calculator."""


def ruling(key: str) -> FormField:
    """Return the calculator's field for a ruling."""
    option = next(option for option in _OPTIONS if option.key == key)
    return FormField(option.title, option.default, option.choices, group=RULINGS)
