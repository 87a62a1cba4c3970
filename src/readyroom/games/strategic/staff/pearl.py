"""[51.31] Pearl Harbor: where the carriers are, how deep the surprise is, and both strikes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from readyroom.engine.checks import Check, Modifiers
from readyroom.engine.errors import InvalidQuery
from readyroom.engine.forms import FormField, OddsResult
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.strategic.figures import Data, Modifier
from readyroom.games.strategic.modifiers import blanks, net
from readyroom.games.strategic.options import ruling
from readyroom.games.strategic.raid.odds import losses
from readyroom.games.strategic.raid.odds import mean as lost
from readyroom.games.strategic.staff.action import (
    FORCES,
    SITUATION,
    Action,
    Means,
    Told,
    factors,
    number,
    worth,
)
from readyroom.games.strategic.staff.harbor import fate
from readyroom.games.strategic.tables import AUTO, PACIFIC, PEARL, SIDES, SurpriseTable, TableRoll, intercepts

if TYPE_CHECKING:
    from readyroom.games.strategic.state import T

LEVEL_WORDS = {
    4: "4: two thirds of the aircraft engage, the others are on the ground",
    5: "5: one third of the aircraft engages, the others are on the ground",
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
FORCES_AT_SEA = ("first", "second", "third")


# -- surprise --------------------------------------------------------------------------------------------------------


def _surprise_blanks(data: Data) -> Mapping[str, FormField]:
    most = data.pearl.tension.most
    return {
        "tension": FormField("Tension between Japan and the United States", "35", whole=(0, most), group=FORCES),
        "final": FormField(
            "Its last die", "thrown", {"thrown": "is in that figure", "open": "is still to be thrown"}, group=FORCES
        ),
        "japan-magic": FormField("Strategic Magic cards of Japan", "0", whole=(0, 9), group=FORCES),
        "usa-magic": FormField("Strategic Magic cards of the United States", "0", whole=(0, 9), group=FORCES),
        "edition": ruling("edition"),
    }


def columns(data: Data, told: Told) -> dict[int, Fraction]:
    """[51.31.1] The exact chance of each column: tension, less Japan's Magic, plus American Magic, and the last die."""
    table = data.surprise[told["edition"]]
    tension = number(told, "tension") - number(told, "japan-magic") + number(told, "usa-magic")
    if told["final"] == "thrown":
        return {table.column(tension): Fraction(1)}
    found: dict[int, Fraction] = {}
    for shift in data.pearl.tension.final.values():
        column = table.column(tension + shift)
        found[column] = found.get(column, Fraction(0)) + Fraction(1, SIDES)
    return dict(sorted(found.items()))


def _place_words(place: str) -> str:
    return {PEARL: "in Pearl Harbor", PACIFIC: "in the Pacific box", AUTO: "intercepts automatically"}.get(
        place, f"at sea, {place}"
    )


def mixed(columns: Mapping[int, Fraction], of: Mapping[int, Mapping[str, Fraction]]) -> list[tuple[str, Fraction]]:
    """Chances by column, taken together by the chance of each column."""
    found: dict[str, Fraction] = {}
    for column, share in columns.items():
        for what, chance in of[column].items():
            found[what] = found.get(what, Fraction(0)) + share * chance
    return list(found.items())


def _level_words(level: int, disarray: int) -> str:
    return LEVEL_WORDS[min(level, disarray)]


def interception(table: SurpriseTable, column: int) -> Fraction:
    """[51.31.3] The exact chance that a carrier force, wherever it is, intercepts a second strike."""
    return sum((chance * intercepts(place) for place, chance in table.where(column).items()), Fraction(0))


def _levels(table: SurpriseTable, column: int, disarray: int) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for level, chance in table.levels(column).items():
        words = _level_words(level, disarray)
        found[words] = found.get(words, Fraction(0)) + chance
    return found


def _surprise_answer(data: Data, told: Told) -> OddsResult:
    table, disarray = data.surprise[told["edition"]], data.pearl.surprise.disarray
    shares = columns(data, told)
    labels = table.chart.columns
    places = {at: {_place_words(place): p for place, p in table.where(at).items()} for at in shares}
    levels = {at: _levels(table, at, disarray) for at in shares}
    meet = sum((share * interception(table, at) for at, share in shares.items()), Fraction(0))
    which = labels[next(iter(shares))] if len(shares) == 1 else f"{labels[min(shares)]} to {labels[max(shares)]}"
    return OddsResult(
        f"The column: {which}",
        "51.31.1",
        [(f"column {labels[at]}", share) for at, share in shares.items()],
        expected=[("chance that a carrier force intercepts a second strike", meet)],
        parts=[
            OddsResult("Where a carrier force is", "51.31.2", mixed(shares, places)),
            OddsResult("The level of surprise", "51.31.4", mixed(shares, levels)),
        ],
    )


def _surprise_throw(table: T, told: Told) -> list[str]:
    data = table.data
    surprise = data.surprise[told["edition"]]
    tension = number(told, "tension") - number(told, "japan-magic") + number(told, "usa-magic")
    if told["final"] == "open":
        die = table.roll_dice("51.31.1", "last-die")[0]
        tension += data.pearl.tension.final[str(die)]
        table.log_line("51.31.1", "The last die of tension shows {}: tension with Magic is {}.", die, tension)
    column = surprise.column(tension)
    table.log_line("51.31.1", "Column {}.", surprise.chart.columns[column])
    found = [f"column {surprise.chart.columns[column]}"]
    for name in FORCES_AT_SEA[: number(told, "carriers")]:
        dice = table.roll_dice("51.31.2", name, 2)
        place = surprise.carrier(column, sum(dice))
        found.append(f"{name} force {_place_words(place)}")
        table.log_line("51.31.2", "The {} carrier force throws {} and {}: {}.", name, *dice, _place_words(place))
    die = table.roll_dice("51.31.4", "surprise")[0]
    level = surprise.level(column, die)
    found.append(f"surprise {level}")
    table.log_line(
        "51.31.4", "Surprise: {} and {} is level {}. {}.", die, surprise.drms[column], level, _says(data, level)
    )
    return found


def _says(data: Data, level: int) -> str:
    return capitalize_first(_level_words(level, data.pearl.surprise.disarray).partition(": ")[2])


def _with_carriers(data: Data) -> Mapping[str, FormField]:
    return {
        **_surprise_blanks(data),
        "carriers": FormField("American carrier forces that are thrown for", "2", whole=(1, 3), group=FORCES),
    }


# -- a strike on aircraft on the ground -------------------------------------------------------------------------------


GROUNDED = {
    "ship": "a ship",
    "army": "army air factors on the ground",
    "naval": "naval squadrons on the ground",
}


def _each(data: Data, told: Told) -> int:
    """[51.31.6, A17] How many aircraft of the kind that is attacked one effect destroys."""
    grounded = data.pearl.grounded
    return grounded.army if told["target"] == "army" else grounded.naval


def _grounded_answer(data: Data, told: Told) -> OddsResult:
    """[51.31.6] What becomes of surprised aircraft: they are attacked as if they were ships."""
    lines, count = first_net(data, told), number(told, "aircraft")

    def chances(added: int) -> Mapping[int, Fraction]:
        return losses(count, _each(data, told), number(told, "squadrons"), added, data.naval)

    added = sum(value for _, value in lines)
    return OddsResult(
        f"{count_noun(number(told, 'squadrons'), 'squadron')} against {count} {GROUNDED[told['target']]}",
        "51.31.6",
        [(f"{gone} destroyed", chance) for gone, chance in sorted(chances(added).items())],
        net=lines,
        expected=[("destroyed", lost(chances(added)))],
        effects=worth(_nations(data), told, added, lambda n: [("destroyed", lost(chances(n)))]),
        note=f"each effect destroys {_each(data, told)} of them; army and naval aircraft are attacked apart",
    )


def _grounded_throw(table: T, told: Told) -> list[str]:
    roll = table.roll(_naval_roll(table.data, told, first_net(table.data, told)), told["target"])
    gone = min(number(told, "aircraft"), roll.result.first * _each(table.data, told))
    table.log_line(
        "51.31.6", "Of {} {}: {}, {} destroyed.", number(told, "aircraft"), GROUNDED[told["target"]], roll, gone
    )
    return [f"{gone} destroyed"]


def _naval_roll(data: Data, told: Told, lines: Modifiers) -> TableRoll:
    return TableRoll("20.51", "naval attack", data.naval, number(told, "squadrons"), lines)


# -- a strike on a ship ----------------------------------------------------------------------------------------------


def _strike_blanks(data: Data, first: bool) -> dict[str, FormField]:
    found = {
        "squadrons": factors("Squadrons that attack", 5, 60),
        "size": FormField("Size of the ship", "4", whole=(1, 6), group=FORCES),
    }
    if first:
        found["target"] = FormField("What they attack", "ship", GROUNDED, group=FORCES)
        found["aircraft"] = factors("Aircraft of that kind on the ground, if they are attacked", 4, 60)
        levels = {str(level): words for level, words in LEVEL_WORDS.items()}
        found["surprise-level"] = FormField("Level of surprise", "7", levels, group=FORCES)
    found |= blanks(_nations(data), SITUATION)
    return found | ({"critical": ruling("critical"), "bonus": ruling("surprise_bonus")} if first else {})


def _nations(data: Data) -> list[Modifier]:
    """[20.51, A14] The lines of the table of naval attacks that are for the two nations."""
    return [line for line in data.scope("naval") if line.key in ("air", "navy")]


def first_net(data: Data, told: Told) -> list[tuple[str, int]]:
    """[51.31.5, 20.51] What is added to an attack on a ship in the first strike (A19)."""
    lines = net(_nations(data), told)
    attack = data.pearl.surprise.attack
    twice = [("surprise, by the table of naval attacks", attack)] if told["bonus"] == "twice" else []
    return [*lines, ("Pearl Harbor is surprised", attack), *twice]


def _fates(data: Data, told: Told, added: int, critical: Fraction) -> dict[str, Fraction]:
    """What becomes of the ship; with a critical hit die, damage may count for one effect more."""
    size, more = number(told, "size"), data.pearl.critical.effects
    fates = {"unhurt": Fraction(0), "damaged": Fraction(0), "sunk": Fraction(0)}
    for result, chance in data.naval.odds(number(told, "squadrons"), added).items():
        plain = fate(result.first, size)
        if plain == "damaged" and critical:
            fates[fate(result.first + more, size)] += chance * critical
            fates[plain] += chance * (1 - critical)
        else:
            fates[plain] += chance
    return fates


def _critical(data: Data, told: Told) -> Fraction:
    """[51.31.7] The chance of a critical hit at the deepest surprise (A8)."""
    if int(told["surprise-level"]) < data.pearl.surprise.disarray:
        return Fraction(0)
    return Check("51.31.7", "critical hit", at_least=int(told["critical"])).odds()


def _first_answer(data: Data, told: Told) -> OddsResult:
    if told["target"] != "ship":
        return _grounded_answer(data, told)
    lines, critical = first_net(data, told), _critical(data, told)
    added = sum(value for _, value in lines)

    def means(added: int) -> Means:
        fates = _fates(data, told, added, critical)
        return [("ships sunk", fates["sunk"]), ("ships damaged", fates["damaged"])]

    return OddsResult(
        f"{count_noun(number(told, 'squadrons'), 'squadron')} against a ship of size {told['size']}",
        "51.31.5",
        list(_fates(data, told, added, critical).items()),
        net=lines,
        expected=means(added),
        effects=worth(_nations(data), told, added, means),
        note="damage at one effect less than her size, sunk at her size",
    )


def _first_throw(table: T, told: Told) -> list[str]:
    if told["target"] != "ship":
        return _grounded_throw(table, told)
    data, size = table.data, number(told, "size")
    roll = table.roll(_naval_roll(data, told, first_net(data, told)), "ship")
    effects = roll.result.first
    if fate(effects, size) == "damaged" and _critical(data, told):
        hit = table.roll(Check("51.31.7", "critical hit", at_least=int(told["critical"])), "ship")
        effects += data.pearl.critical.effects if hit else 0
        table.log_line("51.31.7", "A named ship is damaged and the defence in disarray: critical hit {}.", hit)
    table.log_line("20.51", "The ship is attacked: {}; she is {}.", roll, fate(effects, size))
    return [f"the ship {fate(effects, size)}"]


# -- the second strike -----------------------------------------------------------------------------------------------


def _second_blanks(data: Data) -> Mapping[str, FormField]:
    forces = {
        name: FormField(f"Where the {name} carrier force is", "none" if at else "5", PLACES, group=FORCES)
        for at, name in enumerate(FORCES_AT_SEA)
    }
    return {
        **forces,
        **_strike_blanks(data, first=False),
        "edition": ruling("edition"),
    }


def _forces(told: Told) -> list[tuple[str, str]]:
    return [(name, told[name]) for name in FORCES_AT_SEA if told[name] != "none"]


def met(chances: Sequence[Fraction]) -> list[Fraction]:
    """The exact chances that none, one, two, … of these forces intercept."""
    found = [Fraction(1)]
    for chance in chances:
        found = [
            (found[count] * (1 - chance) if count < len(found) else Fraction(0))
            + (found[count - 1] * chance if count else Fraction(0))
            for count in range(len(found) + 1)
        ]
    return found


def _second_answer(data: Data, told: Told) -> OddsResult:
    forces = _forces(told)
    if not forces:
        raise InvalidQuery("Say of at least one carrier force where it is: first=5, for example [51.31.3].")
    chances = met([intercepts(place) for _, place in forces])
    words = [f"{count} of {len(forces)} intercept" for count in range(len(chances))]
    table = data.surprise[told["edition"]]
    unknown = [(f"column {label}", interception(table, at)) for at, label in enumerate(table.chart.columns)]
    lines = net(_nations(data), told)
    fates = _fates(data, told, sum(value for _, value in lines), Fraction(0))
    strike = f"{count_noun(number(told, 'squadrons'), 'squadron')} against a ship of size {told['size']}"
    return OddsResult(
        "Who intercepts",
        "51.31.3",
        [(what, chance) for what, chance in zip(words, chances, strict=True) if chance],
        expected=[("forces that intercept", sum((intercepts(place) for _, place in forces), Fraction(0)))],
        parts=[
            OddsResult(
                f"{strike}, without surprise",
                "20.51",
                list(fates.items()),
                net=lines,
            ),
            OddsResult("A carrier force of which nothing is known", "51.31.3", unknown),
        ],
        note="a force in Pearl Harbor or in a box does not intercept, an automatic one always does",
    )


def _second_throw(table: T, told: Told) -> list[str]:
    found = []
    for name, place in _forces(told):
        if place in (PEARL, PACIFIC):
            said = "cannot intercept"
            table.log_line("51.31.3", "The {} carrier force, {}, {}.", name, PLACES[place], said)
        elif place == AUTO:
            said = "intercepts"
            table.log_line("51.31.3", "The {} carrier force intercepts: no die is thrown.", name)
        else:
            found_them = table.roll(Check("51.31.3", "interception", at_least=int(place)), name)
            said = "intercepts" if found_them else "does not find them"
            table.log_line("51.31.3", "The {} carrier force {}: {}.", name, said, found_them)
        found.append(f"{name} force {said}")
    lines = net(_nations(table.data), told)
    roll = table.roll(_naval_roll(table.data, told, lines), "ship")
    found.append(f"the ship {fate(roll.result.first, number(told, 'size'))}")
    table.log_line("20.51", "The ship is attacked: {}; she is {}.", roll, fate(roll.result.first, number(told, "size")))
    return found


SURPRISE = Action(
    "Pearl Harbor: surprise",
    "51.31",
    "Tension and Magic give a column; in it two dice say where each American carrier force is, and one die how deep "
    "the surprise of the first strike is.",
    _with_carriers,
    _surprise_answer,
    _surprise_throw,
)
FIRST = Action(
    "Pearl Harbor: first strike",
    "51.31.5",
    "Squadrons attack a ship in a surprised harbor, or aircraft that are surprised on the ground.",
    lambda data: _strike_blanks(data, first=True),
    _first_answer,
    _first_throw,
)
SECOND = Action(
    "Pearl Harbor: second strike",
    "51.31.3",
    "Japan may launch again. American carrier forces that are at sea may then find the striking force; and the harbor "
    "is surprised no more.",
    _second_blanks,
    _second_answer,
    _second_throw,
)
