"""[HA] Harbor attacks: by submarines, or by a fast carrier."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from readyroom.engine.checks import RolledDice, Roller, with_signs
from readyroom.engine.errors import InvalidQuery
from readyroom.engine.forms import FormField, OddsResult, checkbox
from readyroom.engine.text import count_noun
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.modifiers import blanks, net
from readyroom.games.strategic.staff.action import FORCES, SITUATION, Action, Means, Told, number, worth
from readyroom.games.strategic.tables import SIDES, rolls

if TYPE_CHECKING:
    from readyroom.games.strategic.state import T

LEVELS = {"6": "6: one target", "7": "7: two targets", "8": "8 or more: three targets"}
THEATERS = {"europe": "Europe", "pacific": "Pacific"}


def effects(data: Data, total: int) -> int:
    """[HA] The effects of a modified roll; beyond its ends the table is read there."""
    harbor = data.pearl.harbor
    return int(data.effects.cell(min(max(total, harbor.least), harbor.most), "effects"))


def fate(count: int, size: int) -> str:
    """[20.51] What so many effects do to a ship: as many as her size sink her, one less, but not none, damages her."""
    return "sunk" if count >= size else "damaged" if count and count == size - 1 else "unhurt"


class HarborRead(msgspec.Struct, frozen=True):
    """A harbor attack that has been thrown."""

    name: str
    dice: bytes
    modifiers: list[tuple[str, int]]
    total: int
    effects: int

    def to_log(self) -> RolledDice:
        """The roll for the log, with its arithmetic."""
        sums = f"{len(self.dice)}d{SIDES}{with_signs(self.modifiers)} = {self.total}: {self}"
        return RolledDice(self.name, (tuple(self.dice),), SIDES, sums)

    def __str__(self) -> str:
        return count_noun(self.effects, "effect")


class HarborRoll(msgspec.Struct, frozen=True, eq=False):
    """[HA] The dice of one attack on one target."""

    rule: str
    name: str
    data: Data
    dice: int
    modifiers: list[tuple[str, int]]

    def resolve(self, throw: Roller) -> HarborRead:
        """Throw the dice and read the table."""
        dice = throw(self.dice, SIDES, 0)
        total = sum(dice) + sum(value for _, value in self.modifiers)
        return HarborRead(self.name, dice, self.modifiers, total, effects(self.data, total))


def _forces(distance: str) -> dict[str, FormField]:
    """[HA.1, HA.2] What both kinds of attack ask for; `distance` says from where to where hexes are counted."""
    return {
        "theater": FormField("Theater", "pacific", THEATERS, group=FORCES),
        "distance": FormField(distance, "8", whole=(0, 60), group=FORCES),
        "level": FormField("Research result", "6", LEVELS, group=FORCES),
        "targets": FormField("Targets that are attacked", "1", whole=(1, 3), group=FORCES),
        "size": FormField("Size of each ship, 1 for light ships", "4", whole=(1, 6), group=FORCES),
        "counterair": checkbox("The port was the target of counterair attacks this turn", FORCES),
        "box": checkbox("The target lies in a box beside the map", FORCES),
        "initial": checkbox("It is the attack that Germany may make from the start", FORCES),
    }


def _check(data: Data, told: Told) -> None:
    """[HA.1, HA.2, HA.3] What an attack may not be; the targets are those of its research, for boats too (A10)."""
    if told["counterair"] == "yes":
        raise InvalidQuery("A hex that was the target of counterair attacks this turn may not be attacked so [HA.1].")
    if told["box"] == "yes":
        raise InvalidQuery("Only a hex on the map may be attacked, not a box beside it [HA.1].")
    if told["initial"] == "yes" and number(told, "earlier"):
        raise InvalidQuery("Germany has that attack only as long as nobody has made one; set earlier=0 [HA.3].")
    if told["initial"] == "yes" and told["theater"] != "europe":
        raise InvalidQuery("Germany has that attack in Europe alone; set theater=europe [HA.3].")
    _check_targets(data, told)
    reach = data.pearl.harbor.reach[told["theater"]]
    if told.get("from") != "box" and number(told, "distance") > reach:
        where = THEATERS[told["theater"]]
        raise InvalidQuery(f"In {where} the base lies within {reach} hexes, not {told['distance']} [HA.5, HA.6].")


def _check_targets(data: Data, told: Told) -> None:
    """[HA.2, HA.3] No more targets than the research result allows, and one for Germany's first attack."""
    first = told["initial"] == "yes"
    one = first or told.get("attacks") == "one"
    allowed = data.pearl.harbor.targets["6" if one else told["level"]]
    if number(told, "targets") > allowed:
        what = "Germany's first attack" if first else f"A result of {told['level']}"
        rule = "HA.3" if first else "HA.2"
        raise InvalidQuery(f"{what} allows {count_noun(allowed, 'target')}, not {told['targets']} [{rule}].")


def _rows(data: Data, dice: int, added: int, size: int) -> list[tuple[str, Fraction]]:
    """What one attack does to one ship."""
    fates: dict[str, Fraction] = {"unhurt": Fraction(0), "damaged": Fraction(0), "sunk": Fraction(0)}
    for roll, chance in rolls(dice).items():
        fates[fate(effects(data, roll + added), size)] += chance
    return list(fates.items())


def _effect_rows(data: Data, dice: int, added: int) -> list[tuple[str, Fraction]]:
    found: dict[int, Fraction] = {}
    for roll, chance in rolls(dice).items():
        count = effects(data, roll + added)
        found[count] = found.get(count, Fraction(0)) + chance
    return [(count_noun(count, "effect"), chance) for count, chance in sorted(found.items())]


def carrier_lost(data: Data, added: int, targets: int) -> Fraction:
    """[HA.6] The exact chance that a carrier does not come back: any one of her rolls comes to 2 or less."""
    harbor = data.pearl.harbor
    once = sum((p for roll, p in rolls(harbor.carrier_dice).items() if roll + added <= harbor.lost_at), Fraction(0))
    return 1 - (1 - once) ** targets


def _means(data: Data, dice: int, added: int, told: Told, carrier: bool) -> Means:
    rows = dict(_rows(data, dice, added, number(told, "size")))
    targets = number(told, "targets")
    found = [("ships sunk", rows["sunk"] * targets), ("ships damaged", rows["damaged"] * targets)]
    return [*found, ("carriers lost", carrier_lost(data, added, targets))] if carrier else found


# -- by submarines ---------------------------------------------------------------------------------------------------


def _submarine_blanks(data: Data) -> Mapping[str, FormField]:
    own = {
        "from": FormField(
            "Where the submarine is",
            "port",
            {
                "port": "in a port on the map",
                "box": "in the box of the Atlantic (ports of the western front) or the Pacific (of the Pacific front)",
            },
            group=FORCES,
        ),
        "groups": FormField("Combat groups that the defender forms", "2", whole=(1, 4), group=FORCES),
        "advanced": checkbox("Advanced submarines: they always attack at +1", FORCES),
    }
    return {
        **_forces("Hexes from the submarine's port to the attacked one"),
        **own,
        **blanks(data.scope("harbor", "harbor-submarine"), SITUATION),
        **_RULED,
    }


_RULED = {
    "alone": FormField(
        "What the +1 of advanced submarines means",
        "replaces",
        {"replaces": "it stands for all modifiers", "adds": "it is added to them"},
        group="How it is played",
    ),
    "attacks": FormField(
        "Attacks that a submarine makes",
        "level",
        {"level": "as many as the research result allows targets", "one": "one only"},
        group="How it is played",
    ),
}


def submarine_net(data: Data, told: Told) -> list[tuple[str, int]]:
    """[HA.4, HA.5] What is added to each attack; advanced submarines have +1 instead of all else (A9)."""
    lines = net(data.scope("harbor", "harbor-submarine"), told)
    if told["advanced"] == "no":
        return lines
    advanced = [("advanced submarines", data.pearl.harbor.advanced)]
    return advanced if told["alone"] == "replaces" else [*lines, *advanced]


def _submarine_answer(data: Data, told: Told) -> OddsResult:
    _check(data, told)
    lines, dice = submarine_net(data, told), data.pearl.harbor.submarine_dice
    added = sum(value for _, value in lines)
    flat = told["advanced"] == "yes" and told["alone"] == "replaces"
    counted = [] if flat else data.scope("harbor", "harbor-submarine")
    return OddsResult(
        f"{count_noun(number(told, 'targets'), 'attack')} by a submarine on ships of size {told['size']}",
        "HA.5",
        _rows(data, dice, added, number(told, "size")),
        net=lines,
        expected=_means(data, dice, added, told, carrier=False),
        effects=worth(counted, told, added, lambda n: _means(data, dice, n, told, carrier=False)),
        parts=[
            OddsResult("Effects of one attack", "HA", _effect_rows(data, dice, added)),
            OddsResult("The group with a certain ship", "HA.5", _picked(number(told, "groups"))),
        ],
        note="the chances are those of each target in the group that is picked; the submarine is not used up",
    )


def _picked(groups: int) -> list[tuple[str, Fraction]]:
    """[HA.5] The attacker picks a combat group without knowing what is in it (A11)."""
    picked = Fraction(1, groups)
    return [("is picked", picked), ("is missed", 1 - picked)] if groups > 1 else [("is picked", picked)]


def _submarine_throw(table: T, told: Told) -> list[str]:
    _check(table.data, told)
    lines, found = submarine_net(table.data, told), []
    for target in range(1, number(told, "targets") + 1):
        dice = table.data.pearl.harbor.submarine_dice
        roll = table.roll(HarborRoll("HA.5", "submarine's attack", table.data, dice, lines), f"target-{target}")
        found.append(f"target {target}: {roll}, {fate(roll.effects, number(told, 'size'))}")
        table.log_line(
            "HA.5", "A submarine attacks target {}: {}, {}.", target, roll, fate(roll.effects, number(told, "size"))
        )
    return found


# -- by a carrier ----------------------------------------------------------------------------------------------------


def _carrier_blanks(data: Data) -> Mapping[str, FormField]:
    forces = _forces("Hexes from the carrier's port to where her aircraft reach the attacked one")
    return {**forces, **blanks(data.scope("harbor", "harbor-carrier"), SITUATION)}


def _carrier_answer(data: Data, told: Told) -> OddsResult:
    _check(data, told)
    lines, dice = net(data.scope("harbor", "harbor-carrier"), told), data.pearl.harbor.carrier_dice
    added = sum(value for _, value in lines)
    lost = carrier_lost(data, added, number(told, "targets"))
    return OddsResult(
        f"{count_noun(number(told, 'targets'), 'attack')} by a carrier's aircraft on ships of size {told['size']}",
        "HA.6",
        _rows(data, dice, added, number(told, "size")),
        net=lines,
        expected=_means(data, dice, added, told, carrier=True),
        effects=worth(
            data.scope("harbor", "harbor-carrier"),
            told,
            added,
            lambda n: _means(data, dice, n, told, carrier=True),
        ),
        parts=[
            OddsResult("Effects of one attack", "HA", _effect_rows(data, dice, added)),
            OddsResult("The carrier", "HA.6", [("comes back", 1 - lost), ("is lost", lost)]),
        ],
        note="the chances are those of each target; the carrier is turned over afterwards",
    )


def _carrier_throw(table: T, told: Told) -> list[str]:
    _check(table.data, told)
    harbor, found = table.data.pearl.harbor, []
    lines = net(table.data.scope("harbor", "harbor-carrier"), told)
    gone = False
    for target in range(1, number(told, "targets") + 1):
        roll = table.roll(
            HarborRoll("HA.6", "carrier's attack", table.data, harbor.carrier_dice, lines), f"target-{target}"
        )
        gone = gone or roll.total <= harbor.lost_at
        found.append(f"target {target}: {roll}, {fate(roll.effects, number(told, 'size'))}")
        table.log_line(
            "HA.6", "A carrier's aircraft attack target {}: {}, {}.", target, roll, found[-1].rpartition(", ")[2]
        )
    if gone:
        found.append("the carrier is lost")
        table.log_line("HA.6", "A roll came to {} or less: the carrier is lost.", harbor.lost_at)
    return found


SUBMARINE = Action(
    "Harbor attack by submarines",
    "HA.5",
    "A research result lets submarines into a port. The defender forms combat groups, the attacker picks one of them "
    "blindly, and attacks ships in it, each with two dice.",
    _submarine_blanks,
    _submarine_answer,
    _submarine_throw,
)
CARRIER = Action(
    "Harbor attack by a carrier",
    "HA.6",
    "A research result lets the aircraft of one fast carrier attack ships in a port, each with three dice. One bad "
    "roll loses the carrier.",
    _carrier_blanks,
    _carrier_answer,
    _carrier_throw,
)
