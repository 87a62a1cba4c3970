"""[51.31] Pearl Harbor: carrier locations, surprise, and both strikes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.checks import Check, Modifiers
from readyroom.engine.rules.forms import FormField, OddsResult, checkbox
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.strategic.pearl.harbor_odds import fate
from readyroom.games.strategic.pearl.odds import losses
from readyroom.games.strategic.tables.action import (
    FORCES,
    SITUATION,
    Action,
    Inputs,
    Means,
    T,
    factors,
    modifier_effects,
    number,
)
from readyroom.games.strategic.tables.figures import Data, Modifier
from readyroom.games.strategic.tables.grids import AUTO, PACIFIC, PEARL, SIDES, TableRoll, add_up, intercepts, mean
from readyroom.games.strategic.tables.modifiers import form_fields, net, total
from readyroom.games.strategic.tables.options import ruling

LEVELS = {
    4: "4: two thirds of the aircraft engage, the rest are on the ground",
    5: "5: one third of the aircraft engage, the rest are on the ground",
    6: "6: all aircraft are on the ground",
    7: "7 or more: all are on the ground, and the guns are silent",
}
PLACES = {
    "none": "no force",
    **{str(number): f"at sea, {number}" for number in range(6, 1, -1)},
    AUTO: "automatic",
    PACIFIC: "in the Pacific box",
    PEARL: "in Pearl Harbor",
}
NO_SURPRISE, AT_SEA = 0, 1
"""Entered as levels of surprise: there is none, in a second strike or in a battle at sea."""
FORCES_AT_SEA = ("first", "second", "third")


def _surprise_fields(data: Data) -> Mapping[str, FormField]:
    most = data.pearl.tension.most
    return {
        "tension": FormField("Tension between Japan and the United States", "35", whole=(0, most), group=FORCES),
        "final": FormField(
            "Final tension roll",
            "thrown",
            {"thrown": "included in the tension", "open": "not rolled yet"},
            group=FORCES,
        ),
        "japan-magic": FormField("Strategic Magic cards of Japan", "0", whole=(0, 9), group=FORCES),
        "usa-magic": FormField("Strategic Magic cards of the United States", "0", whole=(0, 9), group=FORCES),
        "edition": ruling("edition"),
        "carriers": FormField("American carrier forces to place", "2", whole=(1, 3), group=FORCES),
    }


def columns(data: Data, inputs: Inputs) -> dict[int, Fraction]:
    """[51.31.1] Return the probability of each column, by tension, Magic and the final tension roll."""
    table = data.surprise[inputs["edition"]]
    tension = number(inputs, "tension") - number(inputs, "japan-magic") + number(inputs, "usa-magic")
    if inputs["final"] == "thrown":
        return {table.column(tension): Fraction(1)}
    shifts = data.pearl.tension.final.values()
    return dict(sorted(add_up((table.column(tension + shift), Fraction(1, SIDES)) for shift in shifts).items()))


def _describe_place(place: str) -> str:
    return {PEARL: "in Pearl Harbor", PACIFIC: "in the Pacific box", AUTO: "intercepts automatically"}.get(
        place, f"at sea, {place}"
    )


def mix(columns: Mapping[int, Fraction], of: Mapping[int, Mapping[str, Fraction]]) -> list[tuple[str, Fraction]]:
    """Return probabilities averaged over the columns."""
    chances = ((what, share * chance) for column, share in columns.items() for what, chance in of[column].items())
    return list(add_up(chances).items())


def _surprise_answer(data: Data, inputs: Inputs) -> OddsResult:
    table, disarray = data.surprise[inputs["edition"]], data.pearl.surprise.disarray
    shares = columns(data, inputs)
    labels = table.chart.columns
    places = {at: {_describe_place(place): p for place, p in table.where(at).items()} for at in shares}
    levels = {at: add_up((LEVELS[min(level, disarray)], p) for level, p in table.levels(at).items()) for at in shares}
    which = labels[next(iter(shares))] if len(shares) == 1 else f"{labels[min(shares)]} to {labels[max(shares)]}"
    return OddsResult(
        f"The column: {which}",
        "51.31.1",
        [(f"column {labels[at]}", share) for at, share in shares.items()],
        expected=[("chance that a carrier force intercepts a second strike", mean(shares, table.interception))],
        parts=[
            OddsResult("Where a carrier force is", "51.31.2", mix(shares, places)),
            OddsResult("The level of surprise", "51.31.4", mix(shares, levels)),
        ],
    )


def _roll_surprise(table: T, inputs: Inputs) -> list[str]:
    data = table.data
    surprise = data.surprise[inputs["edition"]]
    tension = number(inputs, "tension") - number(inputs, "japan-magic") + number(inputs, "usa-magic")
    if inputs["final"] == "open":
        die = table.roll_dice("51.31.1", "last-die")[0]
        tension += data.pearl.tension.final[str(die)]
        table.log_line("51.31.1", "The final tension roll is {}: tension with Magic is {}.", die, tension)
    column = surprise.column(tension)
    table.log_line("51.31.1", "The column is {}.", surprise.label(column))
    results = [f"column {surprise.chart.columns[column]}"]
    for name in FORCES_AT_SEA[: number(inputs, "carriers")]:
        dice = table.roll_dice("51.31.2", name, 2)
        place = surprise.carrier(column, sum(dice))
        results.append(f"{name} force {_describe_place(place)}")
        table.log_line("51.31.2", "The {} carrier force rolls {} and {}: {}.", name, *dice, _describe_place(place))
    die = table.roll_dice("51.31.4", "surprise")[0]
    level = surprise.level(column, die)
    results.append(f"surprise {level}")
    meaning = capitalize_first(LEVELS[min(level, data.pearl.surprise.disarray)].partition(": ")[2])
    template = "Surprise roll {} + column {} = level {}. {}."
    table.log_line("51.31.4", template, die, surprise.drms[column], level, meaning)
    return results


GROUNDED = {
    "ship": "a ship",
    "light": "light ships",
    "army": "army air factors on the ground",
    "naval": "naval squadrons on the ground",
}


def _each(data: Data, inputs: Inputs) -> int:
    """[51.31.6, A17] Return how many aircraft of the target's kind one effect destroys."""
    grounded = data.pearl.grounded
    return {"light": 1, "army": grounded.army, "naval": grounded.naval}[inputs["target"]]


def _grounded_answer(data: Data, inputs: Inputs) -> OddsResult:
    """[51.31.6] Return the odds against surprised aircraft, attacked as ships are."""
    lines, count = first_net(data, inputs), number(inputs, "aircraft")

    def chances(added: int) -> Mapping[int, Fraction]:
        return losses(count, _each(data, inputs), number(inputs, "squadrons"), added, data.naval)

    def means(added: int) -> Means:
        return [("destroyed", mean(chances(added), Fraction))]

    added = total(lines)
    return OddsResult(
        f"{count_noun(number(inputs, 'squadrons'), 'squadron')} against {count} {GROUNDED[inputs['target']]}",
        "51.31.6",
        [(f"{destroyed} destroyed", chance) for destroyed, chance in sorted(chances(added).items())],
        net=lines,
        expected=means(added),
        effects=modifier_effects(_nations(data), inputs, added, means),
        note=f"each effect destroys {_each(data, inputs)} of them; army and naval aircraft are attacked separately",
    )


def _roll_grounded(table: T, inputs: Inputs) -> list[str]:
    roll = table.roll(_naval_roll(table.data, inputs, first_net(table.data, inputs)), inputs["target"])
    aircraft, effects = number(inputs, "aircraft"), roll.result.first
    destroyed = min(aircraft, effects * _each(table.data, inputs))
    template, hits = "{} destroy {} of {} {}.", count_noun(effects, "effect")
    table.log_line("51.31.6", template, hits, destroyed, aircraft, GROUNDED[inputs["target"]], roll)
    return [f"{destroyed} destroyed"]


def _naval_roll(data: Data, inputs: Inputs, lines: Modifiers) -> TableRoll:
    return TableRoll("20.51", "naval attack", data.naval, number(inputs, "squadrons"), lines)


def _strike_fields(data: Data, first: bool) -> dict[str, FormField]:
    fields = {
        "squadrons": factors("Attacking squadrons", 5, 60),
        "size": FormField("Size of the ship", "4", whole=(1, 6), group=FORCES),
    }
    if first:
        fields["target"] = FormField("Target", "ship", GROUNDED, group=FORCES)
        fields["aircraft"] = factors("Aircraft on the ground or light ships, if attacked", 4, 60)
        none = {str(NO_SURPRISE): "none, as in the second strike", str(AT_SEA): "none, ships at sea"}
        levels = {**none, **{str(level): text for level, text in LEVELS.items()}}
        fields["surprise-level"] = FormField("Level of surprise", "7", levels, group=FORCES)
        fields["damaged"] = checkbox("The ship is damaged", FORCES)
    fields |= form_fields(_nations(data), SITUATION)
    return fields | ({"critical": ruling("critical"), "bonus": ruling("surprise_bonus")} if first else {})


def _nations(data: Data) -> list[Modifier]:
    """[20.51, A14] Return the nationality lines of naval attacks."""
    return [line for line in data.scope("naval") if line.key in ("air", "navy")]


def first_net(data: Data, inputs: Inputs) -> list[tuple[str, int]]:
    """[51.31.5, 20.51] Return the modifiers of an attack in the first strike (A19)."""
    lines, level = net(_nations(data), inputs), int(inputs["surprise-level"])
    if level in (NO_SURPRISE, AT_SEA):
        at_sea = next(line for line in data.scope("naval") if line.key == "at-sea")
        return [*lines, (at_sea.title, at_sea.value)] if level == AT_SEA else lines
    attack = data.pearl.surprise.attack
    twice = [("surprise (Naval Attack Table)", attack)] if inputs["bonus"] == "twice" else []
    return [*lines, ("Pearl Harbor is surprised", attack), *twice]


def _fates(data: Data, inputs: Inputs, added: int, critical: Fraction) -> dict[str, Fraction]:
    """Return the odds of a ship's fates; a critical hit may add an effect to damage."""
    size, more, hurt = number(inputs, "size"), data.pearl.critical.effects, inputs.get("damaged") == "yes"
    fates = {"unhurt": Fraction(0), "damaged": Fraction(0), "sunk": Fraction(0)}
    for result, chance in data.naval.odds(number(inputs, "squadrons"), added).items():
        plain = fate(result.first, size, damaged=hurt)
        if plain == "damaged" and critical:
            fates[fate(result.first + more, size, damaged=hurt)] += chance * critical
            fates[plain] += chance * (1 - critical)
        else:
            fates[plain] += chance
    return fates


def _critical(data: Data, inputs: Inputs) -> Fraction:
    """[51.31.7] Return the probability of a critical hit, 0 unless in disarray (A8)."""
    if int(inputs["surprise-level"]) < data.pearl.surprise.disarray:
        return Fraction(0)
    return Check("51.31.7", "critical hit", at_least=int(inputs["critical"])).odds()


def _first_answer(data: Data, inputs: Inputs) -> OddsResult:
    if inputs["target"] != "ship":
        return _grounded_answer(data, inputs)
    lines, critical = first_net(data, inputs), _critical(data, inputs)
    added = total(lines)

    def means(added: int) -> Means:
        fates = _fates(data, inputs, added, critical)
        return [("ships sunk", fates["sunk"]), ("ships damaged", fates["damaged"])]

    return OddsResult(
        f"{count_noun(number(inputs, 'squadrons'), 'squadron')} against a {'damaged ' * (inputs['damaged'] == 'yes')}"
        f"ship of size {inputs['size']}",
        "51.31.5",
        list(_fates(data, inputs, added, critical).items()),
        net=lines,
        expected=means(added),
        effects=modifier_effects(_nations(data), inputs, added, means),
        note="damage at one effect less than her size, sunk at her size, or at one less if she is damaged",
    )


def _roll_first(table: T, inputs: Inputs) -> list[str]:
    if inputs["target"] != "ship":
        return _roll_grounded(table, inputs)
    data, size = table.data, number(inputs, "size")
    roll = table.roll(_naval_roll(data, inputs, first_net(data, inputs)), "ship")
    effects, hurt = roll.result.first, inputs["damaged"] == "yes"
    if fate(effects, size, damaged=hurt) == "damaged" and _critical(data, inputs):
        hit = table.roll(Check("51.31.7", "critical hit", at_least=int(inputs["critical"])), "ship")
        effects += data.pearl.critical.effects if hit else 0
        table.log_line("51.31.7", "{} on the damaged ship.", "Critical hit" if hit else "No critical hit", hit)
    hits, result = count_noun(roll.result.first, "effect"), fate(effects, size, damaged=hurt)
    table.log_line("20.51", "The attack scores {}: she is {}.", hits, result, roll)
    return [f"the ship {result}"]


def _second_fields(data: Data) -> Mapping[str, FormField]:
    forces = {
        name: FormField(f"Where the {name} carrier force is", "none" if at else "5", PLACES, group=FORCES)
        for at, name in enumerate(FORCES_AT_SEA)
    }
    return {**forces, **_strike_fields(data, first=False), "edition": ruling("edition")}


def _forces(inputs: Inputs) -> list[tuple[str, str]]:
    return [(name, inputs[name]) for name in FORCES_AT_SEA if inputs[name] != "none"]


def met(chances: Sequence[Fraction]) -> list[Fraction]:
    """Return the probabilities that 0, 1, 2, … of these forces intercept."""
    totals = [Fraction(1)]
    for chance in chances:
        totals = [
            (totals[count] * (1 - chance) if count < len(totals) else Fraction(0))
            + (totals[count - 1] * chance if count else Fraction(0))
            for count in range(len(totals) + 1)
        ]
    return totals


def _second_answer(data: Data, inputs: Inputs) -> OddsResult:
    forces = _forces(inputs)
    if not forces:
        raise InvalidQuery("Enter the place of at least one carrier force, for example first=5 [51.31.3].")
    chances = met([intercepts(place) for _, place in forces])
    labels = [f"{count} of {len(forces)} intercept" for count in range(len(chances))]
    table = data.surprise[inputs["edition"]]
    unknown = [(f"column {label}", table.interception(at)) for at, label in enumerate(table.chart.columns)]
    lines = net(_nations(data), inputs)
    fates = _fates(data, inputs, total(lines), Fraction(0))
    strike = f"{count_noun(number(inputs, 'squadrons'), 'squadron')} against a ship of size {inputs['size']}"
    return OddsResult(
        "Who intercepts",
        "51.31.3",
        [(what, chance) for what, chance in zip(labels, chances, strict=True) if chance],
        expected=[("forces that intercept", sum((intercepts(place) for _, place in forces), Fraction(0)))],
        parts=[
            OddsResult(f"{strike}, without surprise", "20.51", list(fates.items()), net=lines),
            OddsResult("A carrier force in an unknown place", "51.31.3", unknown),
        ],
        note="a force in Pearl Harbor or in a box does not intercept, an automatic one always does",
    )


def _roll_second(table: T, inputs: Inputs) -> list[str]:
    results = []
    for name, place in _forces(inputs):
        if place in (PEARL, PACIFIC):
            result = "cannot intercept"
            table.log_line("51.31.3", "The {} carrier force cannot intercept: it is {}.", name, PLACES[place])
        elif place == AUTO:
            result = "intercepts"
            table.log_line("51.31.3", "The {} carrier force intercepts automatically.", name)
        else:
            roll = table.roll(Check("51.31.3", "interception", at_least=int(place)), name)
            result = "intercepts" if roll else "does not find them"
            table.log_line("51.31.3", "The {} carrier force {}.", name, result, roll)
        results.append(f"{name} force {result}")
    lines = net(_nations(table.data), inputs)
    attack = table.roll(_naval_roll(table.data, inputs, lines), "ship")
    effects = attack.result.first
    result = fate(effects, number(inputs, "size"))
    results.append(f"the ship {result}")
    table.log_line("20.51", "The attack scores {}: she is {}.", count_noun(effects, "effect"), result, attack)
    return results


SURPRISE = Action(
    "Pearl Harbor: surprise",
    "51.31",
    "Tension and Magic give a column. In it two dice place each American carrier force, and one die gives the level "
    "of surprise of the first strike.",
    _surprise_fields,
    _surprise_answer,
    _roll_surprise,
)
FIRST = Action(
    "Pearl Harbor: first strike",
    "51.31.5",
    "Squadrons attack a ship in a surprised harbor, or surprised aircraft on the ground.",
    lambda data: _strike_fields(data, first=True),
    _first_answer,
    _roll_first,
    added=("damaged",),
)
SECOND = Action(
    "Pearl Harbor: second strike",
    "51.31.3",
    "Japan launches again. American carrier forces at sea may intercept the striking force, and there is no surprise.",
    _second_fields,
    _second_answer,
    _roll_second,
)
