"""[24.62.8 to 24.62.10] Strategic bombing: interception, then bombs and flak."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.forms import FormField, ModifierEffect, OddsResult
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.strategic.tables.action import (
    FORCES,
    SITUATION,
    Action,
    Inputs,
    Means,
    T,
    chances,
    factors,
    mean,
    modifier_effects,
    number,
)
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import Grid, Pair, TableRoll
from readyroom.games.strategic.tables.modifiers import counting, form_fields, net, strength
from readyroom.games.strategic.tables.options import ruling
from readyroom.games.strategic.war.results import Shot, air_strengths, bombed, shot

TARGET = "The target"
THEATERS = {"europe": "Europe", "pacific": "the Pacific"}
TARGET_STEPS = 30
"""More steps than any target has: the calculator counts all that are knocked out."""


class Forces(NamedTuple):
    """[19.2] Rows of the Air Combat Table, and the factors that bomb and escort."""

    attack: int
    defence: int
    bombers: int
    escorts: int


def forces(inputs: Inputs) -> Forces:
    """[19.2] Return who fights, escorts and bombs; one third of the army air factors, rounded down, bombs."""
    army, escorts, jets = number(inputs, "army"), number(inputs, "escorts"), number(inputs, "escort-jets")
    attack, defence, bombers = air_strengths(
        number(inputs, "bombers"), army, escorts, jets, number(inputs, "defenders"), number(inputs, "jets")
    )
    return Forces(attack, defence, bombers, number(inputs, "bombers") + army + escorts + jets - bombers)


def _form_fields(data: Data) -> Mapping[str, FormField]:
    parts = {
        part.key: FormField(capitalize_first(part.title), "0", whole=(0, 20), group=TARGET)
        for part in data.modifiers.strength
    }
    return {
        "theater": FormField("Theater", "europe", THEATERS, group=FORCES),
        "bombers": factors("Strategic bombers", 8, 60),
        "army": factors("Army air factors, one third of them bombing", 0, 60),
        "escorts": factors("Escorting interceptors", 0, 60),
        "defenders": factors("Defending interceptors and army air factors", 5, 60),
        **parts,
        "cities": FormField("Cities", "2", whole=(0, 20), group=TARGET),
        "flak": FormField("Flak factors", "3", whole=(0, 20), group=TARGET),
        **form_fields(data.scope("interception"), "Interception"),
        **form_fields(data.scope("target"), SITUATION),
        "bombing_results": ruling("bombing_results"),
    }


def _air(data: Data, inputs: Inputs) -> list[tuple[str, int]]:
    return net(data.scope("interception"), inputs)


def _target(data: Data, inputs: Inputs) -> list[tuple[str, int]]:
    return net(data.scope("target"), inputs, inputs["theater"])


def _sum(lines: list[tuple[str, int]]) -> int:
    return sum(value for _, value in lines)


def _describe_shot(who: Forces, result: Pair) -> str:
    lost: Shot = shot(result, who.escorts, who.bombers)
    parts = [count_noun(lost.escorts, "escort")] if lost.escorts else []
    parts += [count_noun(lost.bombers, "bomber")] if lost.bombers else []
    home = [f"{count_noun(lost.aborted, 'bomber')} sent home"] if lost.aborted else []
    return f"{result}: {', '.join([f'{part} lost' for part in parts] + home) or 'nothing'}"


def reaching(grid: Grid, who: Forces, added: int) -> dict[int, Fraction]:
    """[24.62.8] Return the probability of each number of bombers that reach the target."""
    chances: dict[int, Fraction] = {}
    for result, chance in grid.odds(who.defence, -added).items():
        lost = shot(result, who.escorts, who.bombers)
        left = who.bombers - lost.bombers - lost.aborted
        chances[left] = chances.get(left, Fraction(0)) + chance
    return dict(sorted(chances.items()))


def _means(data: Data, inputs: Inputs, air: int, target: int) -> Means:
    who, flak = forces(inputs), _sum(strength(data, inputs))
    shots = data.air.odds(who.defence, -air)
    over = reaching(data.air, who, air)
    bombs = {left: data.strategic.odds(left, target) for left in over}
    guns = data.strategic.odds(flak, -target)
    reading = inputs["bombing_results"]

    def hit(value: str) -> Fraction:
        return sum(
            (
                share * mean(bombs[left], lambda result: getattr(bombed(result, TARGET_STEPS, reading), value))
                for left, share in over.items()
            ),
            Fraction(0),
        )

    shot_down = sum(
        (share * mean(guns, lambda result, left=left: min(result.first, left)) for left, share in over.items()),  # type: ignore[misc]
        Fraction(0),
    )
    return [
        ("steps knocked out", hit("steps")),
        ("resources lost", hit("brp")),
        ("bombers lost", shot_down + mean(shots, lambda result: shot(result, who.escorts, who.bombers).bombers)),
        ("escorts lost", mean(shots, lambda result: shot(result, who.escorts, who.bombers).escorts)),
        (
            "defenders shot down",
            mean(data.air.odds(who.attack, air), lambda result: min(result.first, number(inputs, "defenders"))),
        ),
    ]


def _effects(data: Data, inputs: Inputs, air: int, target: int) -> list[ModifierEffect]:
    fight = modifier_effects(data.scope("interception"), inputs, air, lambda n: _means(data, inputs, n, target))
    lines = counting(data.scope("target"), inputs["theater"])
    return [*fight, *modifier_effects(lines, inputs, target, lambda n: _means(data, inputs, air, n))]


def _check(inputs: Inputs) -> None:
    if not number(inputs, "bombers") and number(inputs, "army") < 3:
        raise InvalidQuery("A raid needs strategic bombers or at least three army air factors [19.2].")


def _answer(data: Data, inputs: Inputs) -> OddsResult:
    _check(inputs)
    who, parts = forces(inputs), strength(data, inputs)
    fight, bombs = _air(data, inputs), _target(data, inputs)
    air, target = _sum(fight), _sum(bombs)
    over = reaching(data.air, who, air)
    return OddsResult(
        f"{count_noun(who.bombers, 'factor bombs', 'factors bomb')} a target of strength {_sum(parts)}",
        "24.62.9",
        expected=_means(data, inputs, air, target),
        effects=_effects(data, inputs, air, target),
        parts=[*_interception(data, who, fight, over), *_over_target(data, inputs, over, bombs)],
        note="bombs and guns roll simultaneously; the net modifier is added for the bombs and subtracted for the guns",
    )


def _interception(
    data: Data, who: Forces, fight: list[tuple[str, int]], over: Mapping[int, Fraction]
) -> list[OddsResult]:
    """[24.62.8] Return the parts of the interception."""
    air = _sum(fight)
    shots, hits = data.air.odds(who.defence, -air), data.air.odds(who.attack, air)
    reached = [(count_noun(left, "factor"), chance) for left, chance in over.items()]
    return [
        OddsResult("Interception: the bombers' modifiers", "24.62.8", net=fight),
        OddsResult(f"The defenders, row {who.defence}", "19.2", chances(shots, lambda r: _describe_shot(who, r))),
        OddsResult(
            f"The attackers, row {who.attack}",
            "19.2",
            chances(hits, lambda r: f"{r}: {r.first} shot down, {r.second} sent home"),
        ),
        OddsResult("Bombers over the target", "24.62.9", reached),
    ]


def _over_target(
    data: Data, inputs: Inputs, over: Mapping[int, Fraction], bombs: list[tuple[str, int]]
) -> list[OddsResult]:
    """[24.62.9, 24.62.10] Return the parts over the target: its strength, bombs and guns."""
    parts, target = strength(data, inputs), _sum(bombs)
    hits: dict[Pair, Fraction] = {}
    for left, share in over.items():
        for result, chance in data.strategic.odds(left, target).items():
            hits[result] = hits.get(result, Fraction(0)) + share * chance
    ordered = dict(sorted(hits.items(), key=lambda item: item[0].steps))
    guns = data.strategic.odds(_sum(parts), -target)
    return [
        OddsResult("The strength of the target", "24.62.10", net=parts),
        OddsResult("The bombs", "24.62.9", chances(ordered, lambda r: _describe_hit(inputs, r)), net=bombs),
        OddsResult(
            f"The target's guns, row {_sum(parts)}",
            "24.62.9",
            chances(guns, lambda r: f"{r}: {count_noun(r.first, 'bomber')} lost, {r.second} miss the next turn"),
        ),
    ]


def _describe_hit(inputs: Inputs, result: Pair) -> str:
    hurt = bombed(result, TARGET_STEPS, inputs["bombing_results"])
    return f"{result}: {count_noun(hurt.steps, 'part')} knocked out, {hurt.brp} resources lost"


def _roll(table: T, inputs: Inputs) -> list[str]:
    _check(inputs)
    data, who, results = table.data, forces(inputs), []
    fight, bombs = _air(data, inputs), _target(data, inputs)
    left = who.bombers
    if who.defence:
        attack = table.roll(TableRoll("19.2", "attackers", data.air, who.attack, fight), "attackers")
        defence = table.roll(
            TableRoll("19.2", "defenders", data.air, who.defence, [(what, -value) for what, value in fight]),
            "defenders",
        )
        lost = shot(defence.result, who.escorts, who.bombers)
        left -= lost.bombers + lost.aborted
        table.log_line("24.62.8", "Interception: attackers {}, defenders {}.", attack, defence)
        table.log_line(
            "24.62.8", "{}. {} reach the target.", _describe_shot(who, defence.result), count_noun(left, "bomber")
        )
        results.append(f"fight {_describe_shot(who, defence.result)}")
    flak = _sum(strength(data, inputs))
    hit = table.roll(TableRoll("24.62.9", "bombs", data.strategic, left, bombs), "bombs")
    guns = table.roll(
        TableRoll("24.62.9", "guns", data.strategic, flak, [(what, -value) for what, value in bombs]), "guns"
    )
    table.log_line("24.62.9", "The bombs hit the target: {}.", _describe_hit(inputs, hit.result), hit)
    down, damaged = guns.result
    effect = f"shoot down {count_noun(down, 'bomber')} and damage {damaged}" if down or damaged else "have no effect"
    table.log_line("24.62.9", "The target's guns {}.", effect, guns)
    return [*results, f"bombs {_describe_hit(inputs, hit.result)}", f"guns {guns}"]


BOMBING = Action(
    "Strategic bombing",
    "24.62.9",
    "Bombers and escorts are intercepted for one round. The bombers that get through and the target's guns then roll "
    "simultaneously, each on the row of its strength.",
    _form_fields,
    _answer,
    _roll,
)
