"""[24.62.8 to 24.62.10] Strategic bombing: interception, then bombs and flak."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.forms import FormField, OddsResult
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
    modifier_effects,
    number,
)
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import Grid, Pair, TableRoll, add_up, mean
from readyroom.games.strategic.tables.modifiers import SIDES, counting, form_fields, net, strength, total
from readyroom.games.strategic.tables.options import ruling
from readyroom.games.strategic.war.net import advantage_lines
from readyroom.games.strategic.war.results import Bombed, Shot, air_strengths, bombed, shot
from readyroom.games.strategic.war.submarine_odds import combat_table

TARGET = "The target"
THEATERS = {"europe": "Europe", "pacific": "the Pacific"}
TARGET_STEPS = 30
"""More steps than any target has."""


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
        "steps": FormField("Steps that are left", str(TARGET_STEPS), whole=(0, TARGET_STEPS), group=TARGET),
        **form_fields(data.scope("interception"), "Interception"),
        **form_fields(data.scope("target"), SITUATION),
        "codebreaking": FormField("Advantage in codebreaking", "neither", SIDES, group=SITUATION),
        "bombing_results": ruling("bombing_results"),
        "heavy": ruling("heavy"),
    }


def _air(data: Data, inputs: Inputs) -> list[tuple[str, int]]:
    return net(data.scope("interception"), inputs)


def _target(data: Data, inputs: Inputs) -> list[tuple[str, int]]:
    lines = net(data.scope("target"), inputs, inputs["theater"])
    return [*lines, *advantage_lines(data, inputs["codebreaking"])]


def _describe_shot(who: Forces, result: Pair) -> str:
    lost: Shot = shot(result, who.escorts, who.bombers)
    parts = [count_noun(lost.escorts, "escort")] if lost.escorts else []
    parts += [count_noun(lost.bombers, "bomber")] if lost.bombers else []
    home = [f"{count_noun(lost.aborted, 'bomber')} sent home"] if lost.aborted else []
    return f"{result}: {', '.join([f'{part} lost' for part in parts] + home) or 'nothing'}"


def reaching(grid: Grid, who: Forces, added: int) -> dict[int, Fraction]:
    """[24.62.8] Return the probability of each number of bombers that reach the target."""

    def left(result: Pair) -> int:
        lost = shot(result, who.escorts, who.bombers)
        return who.bombers - lost.bombers - lost.aborted

    odds = grid.odds(who.defence, -added).items()
    return dict(sorted(add_up((left(result), chance) for result, chance in odds).items()))


def _means(data: Data, inputs: Inputs, air: int, target: int) -> Means:
    who, flak = forces(inputs), total(strength(data, inputs))
    shots = data.air.odds(who.defence, -air)
    over = reaching(data.air, who, air)
    grid = combat_table(data, inputs)
    bombs, guns = {left: grid.odds(left, target) for left in over}, grid.odds(flak, -target)

    def hit(value: str) -> Fraction:
        return mean(over, lambda left: mean(bombs[left], lambda result: getattr(_bombed(inputs, result), value)))

    shot_down = mean(over, lambda left: mean(guns, lambda result: min(result.first, left)))
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


def _check(inputs: Inputs) -> None:
    if not number(inputs, "bombers") and number(inputs, "army") < 3:
        raise InvalidQuery("A raid needs strategic bombers or at least three army air factors [19.2].")


def _answer(data: Data, inputs: Inputs) -> OddsResult:
    _check(inputs)
    who, parts = forces(inputs), strength(data, inputs)
    fight, bombs = _air(data, inputs), _target(data, inputs)
    air, target = total(fight), total(bombs)
    over, target_lines = reaching(data.air, who, air), counting(data.scope("target"), inputs["theater"])
    return OddsResult(
        f"{count_noun(who.bombers, 'factor bombs', 'factors bomb')} a target of strength {total(parts)}",
        "24.62.9",
        expected=_means(data, inputs, air, target),
        effects=[
            *modifier_effects(data.scope("interception"), inputs, air, lambda n: _means(data, inputs, n, target)),
            *modifier_effects(target_lines, inputs, target, lambda n: _means(data, inputs, air, n)),
        ],
        parts=[*_interception(data, who, fight, over), *_over_target(data, inputs, over, bombs)],
        note="bombs and guns roll simultaneously; the net modifier is added for the bombs and subtracted for the guns",
    )


def _interception(
    data: Data, who: Forces, fight: list[tuple[str, int]], over: Mapping[int, Fraction]
) -> list[OddsResult]:
    """[24.62.8] Return the parts of the interception."""
    air = total(fight)
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
    parts, target, grid = strength(data, inputs), total(bombs), combat_table(data, inputs)
    hits = add_up(
        (result, share * chance) for left, share in over.items() for result, chance in grid.odds(left, target).items()
    )
    ordered = dict(sorted(hits.items(), key=lambda item: item[0].steps))
    guns = grid.odds(total(parts), -target)
    return [
        OddsResult("The strength of the target", "24.62.10", net=parts),
        OddsResult("The bombs", "24.62.9", chances(ordered, lambda r: _describe_hit(inputs, r)), net=bombs),
        OddsResult(
            f"The target's guns, row {total(parts)}",
            "24.62.9",
            chances(guns, lambda r: f"{r}: {count_noun(r.first, 'bomber')} lost, {r.second} miss the next turn"),
        ),
    ]


def _bombed(inputs: Inputs, result: Pair) -> Bombed:
    return bombed(result, number(inputs, "steps"), inputs["bombing_results"])


def _describe_hit(inputs: Inputs, result: Pair) -> str:
    hurt = _bombed(inputs, result)
    return f"{result}: {count_noun(hurt.steps, 'part')} knocked out, {hurt.brp} resources lost"


def _roll(table: T, inputs: Inputs) -> list[str]:
    _check(inputs)
    data, who, results = table.data, forces(inputs), []
    fight, bombs = _air(data, inputs), _target(data, inputs)
    left = who.bombers
    if who.defence:
        attack = table.roll(TableRoll("19.2", "attackers", data.air, who.attack, fight), "attackers")
        against = [(what, -value) for what, value in fight]
        defence = table.roll(TableRoll("19.2", "defenders", data.air, who.defence, against), "defenders")
        lost = shot(defence.result, who.escorts, who.bombers)
        left -= lost.bombers + lost.aborted
        table.log_line("24.62.8", "Interception: attackers {}, defenders {}.", attack, defence)
        described = _describe_shot(who, defence.result)
        table.log_line("24.62.8", "{}. {} reach the target.", described, count_noun(left, "bomber"))
        results.append(f"fight {described}")
    flak, grid = total(strength(data, inputs)), combat_table(data, inputs)
    hit = table.roll(TableRoll("24.62.9", "bombs", grid, left, bombs), "bombs")
    against = [(what, -value) for what, value in bombs]
    guns = table.roll(TableRoll("24.62.9", "guns", grid, flak, against), "guns")
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
    added=("steps", "codebreaking", "heavy"),
)
