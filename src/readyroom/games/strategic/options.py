"""How the open questions of the text are answered: each an option of a match, and a blank of the calculator."""

from __future__ import annotations

from readyroom.engine.forms import FormField
from readyroom.engine.game import GameOption
from readyroom.engine.text import capitalize_first

OPTIONS = (
    GameOption(
        key="submarine_results",
        title="Strategic War: what submarines sink",
        rule="A1",
        choices={
            "escorts": "the first number sinks escorts, the second merchant ships",
            "shipping": "all of it merchant ships, a first number counting for two",
        },
        default="escorts",
    ),
    GameOption(
        key="bombing_results",
        title="Strategic War: what bombs destroy",
        rule="A2",
        choices={
            "steps": "the first number knocks out parts of the target, the second costs resources",
            "points": "all of it costs resources, a first number counting for two",
        },
        default="steps",
    ),
    GameOption(
        key="heavy",
        title="Strategic War: more than sixty factors",
        rule="A4",
        choices={"repeat": "the row of thirty is read again and again", "twice": "what is beyond sixty does not count"},
        default="repeat",
    ),
    GameOption(
        key="codebreaking",
        title="Strategic War: who has the advantage in codebreaking",
        rule="A13",
        choices={
            "commit": "the side that alone plays a card for the round",
            "count": "the side that holds more cards for it; none is used up",
        },
        default="commit",
    ),
    GameOption(
        key="nationality",
        title="Nationality modifiers",
        rule="A14",
        choices={
            "even": "all nations are equal",
            "suggested": "at sea Japan and the British have two, Germany and the United States one",
        },
        default="even",
    ),
    GameOption(
        key="excess",
        title="Strategic War: hits on an ocean without merchant ships",
        rule="A21",
        choices={
            "0": "cost nothing",
            "6": "cost three resources each, six a round at most",
            "12": "cost three resources each, twelve a round at most",
            "all": "cost three resources each",
        },
        default="6",
    ),
    GameOption(
        key="guns",
        title="Air Raid: what the guns of the harbor do",
        rule="A7",
        choices={"table": "throw on the Strategic Warfare Combat Table", "none": "shoot nothing down"},
        default="table",
    ),
    GameOption(
        key="critical",
        title="Air Raid: the critical hit die",
        rule="A8",
        choices={"4": "one effect more on 4 to 6", "5": "one effect more on 5 and 6", "6": "one effect more on 6"},
        default="5",
    ),
    GameOption(
        key="final_die",
        title="Air Raid: the last die of tension",
        rule="A15",
        choices={"die": "is thrown when war is declared", "none": "is not thrown"},
        default="die",
    ),
    GameOption(
        key="surprise_bonus",
        title="Air Raid: what surprise adds against ships",
        rule="A19",
        choices={
            "once": "one: the two tables mean the same",
            "twice": "two: one by each of the two tables",
        },
        default="once",
    ),
    GameOption(
        key="disarray",
        title="Air Raid: surprise of level 7 or more",
        rule="A20",
        choices={
            "grounded": "finds the aircraft on the ground too, as level 6 does",
            "guns": "silences the guns, but all aircraft are up",
        },
        default="grounded",
    ),
    GameOption(
        key="edition",
        title="Air Raid: the Surprise Table",
        rule="51.31",
        choices={"current": "of seven columns", "classic": "of the earlier edition, with five columns"},
        default="current",
    ),
)
RULINGS = "How it is played"
"""The heading under which the calculator asks for rulings."""


def ruling(key: str) -> FormField:
    """A ruling as the calculator asks for it."""
    option = next(option for option in OPTIONS if option.key == key)
    label = option.title.rpartition(": ")[2]
    return FormField(capitalize_first(label), option.default, option.choices, group=RULINGS)
