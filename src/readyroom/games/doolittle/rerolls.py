"""[2.3.7] Rolls that a pilot may have rolled again, and the cups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from readyroom.engine.checks import Roll
from readyroom.engine.decisions import Option, OptionInfo
from readyroom.engine.table import Choice
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.figures.attack import BenefitName
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.rolls import Thrown
from readyroom.games.doolittle.state import Doolittle, T, seat_of

IN_THE_AIR = ("flight", "attack")
"""[12.6.6.G] The segments in which medals are good for something."""
MEDALS = "medals"


def benefit(data: Data, bomber: Bomber, name: BenefitName) -> bool:
    """[2.3, 2.3.3] Whether a bomber's elite crewman has this benefit, and has it still."""
    man = bomber.elite
    if man is None or data.bombers.crewmen[man.key].benefit != name:
        return False
    return not (man.used and data.bombers.benefits[name].once)


def use(table: T, bomber: Bomber) -> None:
    """[2.3] Use a benefit, and log it."""
    assert bomber.elite is not None
    card = table.data.bombers.crewmen[bomber.elite.key]
    figures = table.data.bombers.benefits[card.benefit]
    bomber.elite.used = figures.once
    table.log_line(
        figures.rule, "{}, {} of {}: {}.", card.name, card.role, pilot_of(table, bomber), figures.title.lower()
    )


def pilot_of(table: T, bomber: Bomber) -> str:
    """A bomber by the name of its pilot."""
    return table.data.bombers.cards[bomber.key].pilot


class Reroll(NamedTuple):
    """What allows dice to be rolled again: who or what it is, under which rule, who is asked, and what it costs."""

    who: str
    rule: str
    seat: str
    about: str
    spend: Callable[[], None]


def roll_with_rerolls(
    table: T,
    check: Thrown,
    subject: str,
    bombers: Sequence[Bomber],
    *,
    wanted: bool = True,
    enough: Callable[[Roll], bool] | None = None,
) -> Choice[Roll]:
    """[2.3.7] A roll; if it went ill, an elite pilot among these bombers may have some of its dice rolled again.

    `enough` says of a roll that no one would want it again, where that is more than passing or not.
    """
    roll = table.roll(check, subject)
    for chance in (one for bomber in bombers for one in rerolls_of(table, bomber)):
        if enough(roll) if enough else roll.passed == wanted:
            break
        roll = yield from again(table, check, roll, subject, chance, wanted=wanted)
    return roll


def rerolls_of(table: T, bomber: Bomber) -> Iterator[Reroll]:
    """[2.3.7, 12.6.6.G] What lets dice of a bomber be rolled again: its elite pilot, and medals tied to a bomb."""
    if benefit(table.data, bomber, "re-roll"):
        yield of_pilot(table, bomber)
    if table.state.segment in IN_THE_AIR:
        for marker in medals(table, bomber):
            yield Reroll(
                "the medals' luck",
                "12.6.6.G",
                seat_of(table.state, bomber.key),
                bomber.key,
                _spent(table, bomber, marker),
            )


def medals(table: T, bomber: Bomber) -> list[Marker]:
    """[12.6.6.G] The medals of a bomber."""
    known = table.data.sea_hazards.markers
    return [marker for marker in bomber.markers if marker.key in known and known[marker.key].kind == MEDALS]


def _spent(table: T, bomber: Bomber, marker: Marker) -> Callable[[], None]:
    """[12.6.6.G] The medals are used up, and go back."""

    def spend() -> None:
        table.log_line("12.6.6.G", "The medals of {} bring luck.", pilot_of(table, bomber))
        bomber.markers.remove(marker)
        back(table.state, marker)

    return spend


def released(table: T, bomber: Bomber) -> None:
    """[12.6.6.G] Medals that were not used go with the bombs."""
    for marker in medals(table, bomber):
        bomber.markers.remove(marker)
        back(table.state, marker)


def of_pilot(table: T, bomber: Bomber) -> Reroll:
    """[2.3.7] The elite pilot who has dice rolled again, once."""
    assert bomber.elite is not None
    name = table.data.bombers.crewmen[bomber.elite.key].name
    return Reroll(name, "2.3.7", seat_of(table.state, bomber.key), bomber.key, lambda: use(table, bomber))


def again(table: T, check: Thrown, roll: Roll, subject: str, chance: Reroll, *, wanted: bool = True) -> Choice[Roll]:
    """[2.3.4, 2.3.7, 8.1.4, DR45] Which dice are rolled again, if any; no one is asked where no die could help."""
    text = ", ".join(map(str, roll.dice))
    options = [Option("keep", "keep it", ())]
    for number in range(1, len(roll.dice) + 1):
        options += [_anew(check, roll, some, wanted=wanted) for some in combinations(range(len(roll.dice)), number)]
    if not any(option.info and option.info.chance for option in options):
        return roll
    question = f"{check.name.capitalize()}: {text} ({check.arithmetic()}). Does {chance.who} roll again?"
    chosen = yield from table.choose(chance.seat, chance.rule, question, options, piece_key=chance.about, always=True)
    if not chosen.value:
        return roll
    first = "failed" if roll.passed != wanted else "was not good enough"
    table.log_line(
        check.rule,
        "{} re-rolls the dice ({}). The first roll {}.",
        capitalize_first(chance.who),
        check.name,
        first,
        roll,
    )
    chance.spend()
    fresh = table.roll_dice(chance.rule, f"{subject}-again", len(chosen.value))
    dice = bytearray(roll.dice)
    for at, face in zip(chosen.value, fresh, strict=True):
        dice[at] = face
    return check.read(bytes(dice))


def _anew(check: Thrown, roll: Roll, some: tuple[int, ...], *, wanted: bool) -> Option:
    """Some dice to be rolled again, with the chance that it then goes well."""
    kept = tuple(face for at, face in enumerate(roll.dice) if at not in some)
    chance = check.again(kept, len(some))
    faces = " and ".join(f"the {roll.dice[at]}" for at in some)
    key = "again-" + "-".join(str(at + 1) for at in some)
    return Option(key, f"re-roll {faces}", some, OptionInfo(check.well, float(chance if wanted else 1 - chance)))


# -- cups ------------------------------------------------------------------------------------------------------------


def back(state: Doolittle, *markers: Marker) -> None:
    """[4.6.1, 8.3.5, DR112] Markers go back into the cups that they came from, face down."""
    for marker in markers:
        marker.shown = False
        state.cups[state.poured.get(marker.cup, marker.cup)].contents.append(marker)
