"""[HA] Harbor attacks: by submarines, or by a fast carrier."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.checks import RolledDice, Roller, sum_distribution, with_signs
from readyroom.engine.rules.forms import FormField, OddsResult, checkbox
from readyroom.engine.text import count_noun
from readyroom.games.strategic.tables.action import (
    FORCES,
    SITUATION,
    Action,
    Inputs,
    Means,
    T,
    modifier_effects,
    number,
)
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import SIDES, add_up, mean
from readyroom.games.strategic.tables.modifiers import form_fields, net, total
from readyroom.games.strategic.tables.options import RULINGS

LEVELS = {"6": "6: one target", "7": "7: two targets", "8": "8 or more: three targets"}
THEATERS = {"europe": "Europe", "pacific": "Pacific"}


def effects(data: Data, total: int) -> int:
    """[HA] Return the effects of a modified roll, clamped to the table."""
    harbor = data.pearl.harbor
    return int(data.effects.cell(min(max(total, harbor.least), harbor.most), "effects"))


def fate(count: int, size: int, *, damaged: bool = False) -> str:
    """[20.51, PH.8] Return a ship's fate: sunk at her size, damaged at one less (not at 0).

    One that is `damaged` sinks at one less, and stays so.
    """
    if damaged:
        return "sunk" if count >= max(1, size - 1) else "damaged"
    return "sunk" if count >= size else "damaged" if count and count == size - 1 else "unhurt"


class HarborResult(msgspec.Struct, frozen=True):
    """The result of a harbor attack."""

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

    def resolve(self, roll: Roller) -> HarborResult:
        """Roll the dice and read the table."""
        dice = roll(self.dice, SIDES, 0)
        result = sum(dice) + total(self.modifiers)
        return HarborResult(self.name, dice, self.modifiers, result, effects(self.data, result))


def _forces(distance: str) -> dict[str, FormField]:
    """[HA.1, HA.2] Return the fields of both kinds of attack; `distance` labels what is measured."""
    return {
        "theater": FormField("Theater", "pacific", THEATERS, group=FORCES),
        "distance": FormField(distance, "8", whole=(0, 60), group=FORCES),
        "level": FormField("Research result", "6", LEVELS, group=FORCES),
        "targets": FormField("Targets attacked", "1", whole=(1, 3), group=FORCES),
        "size": FormField("Size of each ship, 1 for light ships", "4", whole=(1, 6), group=FORCES),
        "counterair": checkbox("The port was the target of counterair attacks this turn", FORCES),
        "box": checkbox("The target is in an off-map box", FORCES),
        "initial": checkbox("It is Germany's initial attack", FORCES),
    }


def _check(data: Data, inputs: Inputs) -> None:
    """[HA.1, HA.2, HA.3] Reject illegal attacks; research limits the targets, for submarines too (A10)."""
    if inputs["counterair"] == "yes":
        raise InvalidQuery("The port was the target of counterair attacks this turn: no harbor attack [HA.1].")
    if inputs["box"] == "yes":
        raise InvalidQuery("Only a hex on the map may be attacked, not an off-map box [HA.1].")
    if inputs["initial"] == "yes" and number(inputs, "earlier"):
        raise InvalidQuery("Germany's initial attack must be the first harbor attack; set earlier=0 [HA.3].")
    if inputs["initial"] == "yes" and inputs["theater"] != "europe":
        raise InvalidQuery("Germany's initial attack is in Europe only; set theater=europe [HA.3].")
    initial = inputs["initial"] == "yes"
    allowed = data.pearl.harbor.targets["6" if initial or inputs.get("attacks") == "one" else inputs["level"]]
    if number(inputs, "targets") > allowed:
        what, rule = ("Germany's initial attack", "HA.3") if initial else (f"A result of {inputs['level']}", "HA.2")
        raise InvalidQuery(f"{what} allows {count_noun(allowed, 'target')}, not {inputs['targets']} [{rule}].")
    reach = data.pearl.harbor.reach[inputs["theater"]]
    if inputs.get("from") != "box" and number(inputs, "distance") > reach:
        where = THEATERS[inputs["theater"]]
        raise InvalidQuery(f"In {where} the base must be within {reach} hexes, not {inputs['distance']} [HA.5, HA.6].")


def _rows(data: Data, dice: int, added: int, size: int) -> list[tuple[str, Fraction]]:
    """Return what one attack does to one ship."""
    fates: dict[str, Fraction] = {"unhurt": Fraction(0), "damaged": Fraction(0), "sunk": Fraction(0)}
    for roll, chance in sum_distribution(dice, SIDES).items():
        fates[fate(effects(data, roll + added), size)] += chance
    return list(fates.items())


def _effect_rows(data: Data, dice: int, added: int) -> list[tuple[str, Fraction]]:
    rolls = sum_distribution(dice, SIDES).items()
    chances = add_up((effects(data, roll + added), chance) for roll, chance in rolls)
    return [(count_noun(count, "effect"), chance) for count, chance in sorted(chances.items())]


def carrier_lost(data: Data, added: int, targets: int) -> Fraction:
    """[HA.6] Return the probability that the carrier is lost: any of her rolls is 2 or less."""
    harbor = data.pearl.harbor
    rolls = sum_distribution(harbor.carrier_dice, SIDES)
    once = mean(rolls, lambda roll: int(roll + added <= harbor.lost_at))
    return 1 - (1 - once) ** targets


def _means(data: Data, dice: int, added: int, inputs: Inputs, carrier: bool) -> Means:
    rows = dict(_rows(data, dice, added, number(inputs, "size")))
    targets = number(inputs, "targets")
    means = [("ships sunk", rows["sunk"] * targets), ("ships damaged", rows["damaged"] * targets)]
    return [*means, ("carriers lost", carrier_lost(data, added, targets))] if carrier else means


def _submarine_fields(data: Data) -> Mapping[str, FormField]:
    where = {
        "port": "in a port on the map",
        "box": "in the box of the Atlantic (ports of the western front) or the Pacific (of the Pacific front)",
    }
    advanced = {"replaces": "replaces all modifiers", "adds": "is added to all modifiers"}
    attacks = {"level": "as many as the research result allows", "one": "one"}
    return {
        **_forces("Hexes from the submarine's port to the attacked one"),
        "from": FormField("Where the submarine is", "port", where, group=FORCES),
        "groups": FormField("Combat groups formed by the defender", "2", whole=(1, 4), group=FORCES),
        "advanced": checkbox("Advanced submarines (always attack at +1)", FORCES),
        **form_fields(data.scope("harbor", "harbor-submarine"), SITUATION),
        "alone": FormField("The +1 of advanced submarines", "replaces", advanced, group=RULINGS),
        "attacks": FormField("Attacks by a submarine", "level", attacks, group=RULINGS),
    }


def submarine_net(data: Data, inputs: Inputs) -> list[tuple[str, int]]:
    """[HA.4, HA.5] Return the modifiers of each attack; for advanced submarines +1 replaces them (A9)."""
    lines = net(data.scope("harbor", "harbor-submarine"), inputs)
    if inputs["advanced"] == "no":
        return lines
    advanced = [("advanced submarines", data.pearl.harbor.advanced)]
    return advanced if inputs["alone"] == "replaces" else [*lines, *advanced]


def _submarine_answer(data: Data, inputs: Inputs) -> OddsResult:
    """[HA.5] Return the odds of the attacks, and of choosing the right combat group blindly (A11)."""
    _check(data, inputs)
    lines, dice = submarine_net(data, inputs), data.pearl.harbor.submarine_dice
    added, groups = total(lines), number(inputs, "groups")
    replaced = inputs["advanced"] == "yes" and inputs["alone"] == "replaces"
    counted = [] if replaced else data.scope("harbor", "harbor-submarine")
    group = [("is chosen", Fraction(1, groups)), ("is missed", 1 - Fraction(1, groups))]
    return OddsResult(
        f"{count_noun(number(inputs, 'targets'), 'attack')} by a submarine on ships of size {inputs['size']}",
        "HA.5",
        _rows(data, dice, added, number(inputs, "size")),
        net=lines,
        expected=_means(data, dice, added, inputs, carrier=False),
        effects=modifier_effects(counted, inputs, added, lambda n: _means(data, dice, n, inputs, carrier=False)),
        parts=[
            OddsResult("Effects of one attack", "HA", _effect_rows(data, dice, added)),
            OddsResult("The group with a given ship", "HA.5", group if groups > 1 else group[:1]),
        ],
        note="chances are for each target in the chosen group; the submarine is not used up",
    )


def _roll_submarine(table: T, inputs: Inputs) -> list[str]:
    _check(table.data, inputs)
    lines, results = submarine_net(table.data, inputs), []
    for target in range(1, number(inputs, "targets") + 1):
        dice = table.data.pearl.harbor.submarine_dice
        roll = table.roll(HarborRoll("HA.5", "submarine's attack", table.data, dice, lines), f"target-{target}")
        result = fate(roll.effects, number(inputs, "size"))
        results.append(f"target {target}: {roll}, {result}")
        table.log_line("HA.5", "The submarine attacks target {}: {}, {}.", target, roll, result)
    return results


def _carrier_fields(data: Data) -> Mapping[str, FormField]:
    forces = _forces("Hexes from the carrier's port to where her aircraft reach the attacked one")
    return {**forces, **form_fields(data.scope("harbor", "harbor-carrier"), SITUATION)}


def _carrier_answer(data: Data, inputs: Inputs) -> OddsResult:
    _check(data, inputs)
    lines, dice = net(data.scope("harbor", "harbor-carrier"), inputs), data.pearl.harbor.carrier_dice
    added = total(lines)
    lost = carrier_lost(data, added, number(inputs, "targets"))
    return OddsResult(
        f"{count_noun(number(inputs, 'targets'), 'attack')} by a carrier's aircraft on ships of size {inputs['size']}",
        "HA.6",
        _rows(data, dice, added, number(inputs, "size")),
        net=lines,
        expected=_means(data, dice, added, inputs, carrier=True),
        effects=modifier_effects(
            data.scope("harbor", "harbor-carrier"), inputs, added, lambda n: _means(data, dice, n, inputs, carrier=True)
        ),
        parts=[
            OddsResult("Effects of one attack", "HA", _effect_rows(data, dice, added)),
            OddsResult("The carrier", "HA.6", [("returns", 1 - lost), ("is lost", lost)]),
        ],
        note="chances are for each target; the carrier is turned over afterwards",
    )


def _roll_carrier(table: T, inputs: Inputs) -> list[str]:
    _check(table.data, inputs)
    harbor, results = table.data.pearl.harbor, []
    lines = net(table.data.scope("harbor", "harbor-carrier"), inputs)
    lost = False
    for target in range(1, number(inputs, "targets") + 1):
        roll = table.roll(
            HarborRoll("HA.6", "carrier's attack", table.data, harbor.carrier_dice, lines), f"target-{target}"
        )
        lost = lost or roll.total <= harbor.lost_at
        result = fate(roll.effects, number(inputs, "size"))
        results.append(f"target {target}: {roll}, {result}")
        table.log_line("HA.6", "The carrier's aircraft attack target {}: {}, {}.", target, roll, result)
    if lost:
        results.append("the carrier is lost")
        table.log_line("HA.6", "A roll is {} or less: the carrier is lost.", harbor.lost_at)
    return results


SUBMARINE = Action(
    "Harbor attack by submarines",
    "HA.5",
    "A research result lets submarines into a port. The defender forms combat groups; the attacker chooses one "
    "blindly and attacks ships in it, each with two dice.",
    _submarine_fields,
    _submarine_answer,
    _roll_submarine,
)
CARRIER = Action(
    "Harbor attack by a carrier",
    "HA.6",
    "A research result lets the aircraft of one fast carrier attack ships in a port, each with three dice. One bad "
    "roll loses the carrier.",
    _carrier_fields,
    _carrier_answer,
    _roll_carrier,
)
