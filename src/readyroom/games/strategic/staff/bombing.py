"""[24.62.8 to 24.62.10] Strategic bombing: the fight on the way, and the bombs on the target."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.forms import FormField, ModifierEffect, OddsResult
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.modifiers import blanks, counting, net, strength
from readyroom.games.strategic.options import ruling
from readyroom.games.strategic.staff.action import (
    FORCES,
    SITUATION,
    Action,
    Means,
    Told,
    chances,
    factors,
    mean,
    number,
    worth,
)
from readyroom.games.strategic.tables import Grid, Pair, TableRoll
from readyroom.games.strategic.war.results import Shot, air_strengths, bombed, shot

if TYPE_CHECKING:
    from readyroom.games.strategic.state import T

TARGET = "The target"
THEATERS = {"europe": "Europe", "pacific": "the Pacific"}
TARGET_STEPS = 30
"""More parts than any target has: the calculator counts all that are knocked out."""


class Forces(NamedTuple):
    """[19.2] Rows of the Air Combat Table, the factors that bomb, and those that escort them."""

    attack: int
    defence: int
    bombers: int
    escorts: int


def forces(told: Told) -> Forces:
    """[19.2] Who fights, who escorts and who bombs: of army air factors a third, rounded down, bombs."""
    army, escorts, jets = number(told, "army"), number(told, "escorts"), number(told, "escort-jets")
    attack, defence, bombers = air_strengths(
        number(told, "bombers"), army, escorts, jets, number(told, "defenders"), number(told, "jets")
    )
    return Forces(attack, defence, bombers, number(told, "bombers") + army + escorts + jets - bombers)


def _blanks(data: Data) -> Mapping[str, FormField]:
    parts = {
        part.key: FormField(capitalize_first(part.title), "0", whole=(0, 20), group=TARGET)
        for part in data.modifiers.strength
    }
    return {
        "theater": FormField("Theater", "europe", THEATERS, group=FORCES),
        "bombers": factors("Strategic bombers", 8, 60),
        "army": factors("Army air factors, a third of them bombing", 0, 60),
        "escorts": factors("Escorting interceptors", 0, 60),
        "defenders": factors("Defending interceptors and army air factors", 5, 60),
        **parts,
        "cities": FormField("Cities", "2", whole=(0, 20), group=TARGET),
        "flak": FormField("Flak factors", "3", whole=(0, 20), group=TARGET),
        **blanks(data.scope("interception"), "The fight on the way"),
        **blanks(data.scope("target"), SITUATION),
        "bombing_results": ruling("bombing_results"),
    }


def _air(data: Data, told: Told) -> list[tuple[str, int]]:
    return net(data.scope("interception"), told)


def _target(data: Data, told: Told) -> list[tuple[str, int]]:
    return net(data.scope("target"), told, told["theater"])


def _sum(lines: list[tuple[str, int]]) -> int:
    return sum(value for _, value in lines)


def _shot_words(who: Forces, result: Pair) -> str:
    lost: Shot = shot(result, who.escorts, who.bombers)
    parts = [count_noun(lost.escorts, "escort")] if lost.escorts else []
    parts += [count_noun(lost.bombers, "bomber")] if lost.bombers else []
    home = [f"{count_noun(lost.aborted, 'bomber')} sent home"] if lost.aborted else []
    return f"{result}: {', '.join([f'{part} lost' for part in parts] + home) or 'nothing'}"


def reaching(grid: Grid, who: Forces, added: int) -> dict[int, Fraction]:
    """[24.62.8] The exact chance of each number of bombers that reach the target."""
    found: dict[int, Fraction] = {}
    for result, chance in grid.odds(who.defence, -added).items():
        lost = shot(result, who.escorts, who.bombers)
        left = who.bombers - lost.bombers - lost.aborted
        found[left] = found.get(left, Fraction(0)) + chance
    return dict(sorted(found.items()))


def _means(data: Data, told: Told, air: int, target: int) -> Means:
    who, wall = forces(told), _sum(strength(data, told))
    shots = data.air.odds(who.defence, -air)
    over = reaching(data.air, who, air)
    bombs = {left: data.strategic.odds(left, target) for left in over}
    guns = data.strategic.odds(wall, -target)
    reading = told["bombing_results"]

    def hit(value: str) -> Fraction:
        return sum(
            (
                share * mean(bombs[left], lambda result: getattr(bombed(result, TARGET_STEPS, reading), value))
                for left, share in over.items()
            ),
            Fraction(0),
        )

    fallen = sum(
        (share * mean(guns, lambda result, left=left: min(result.first, left)) for left, share in over.items()),  # type: ignore[misc]
        Fraction(0),
    )
    return [
        ("parts of the target knocked out", hit("steps")),
        ("resources lost", hit("brp")),
        ("bombers lost", fallen + mean(shots, lambda result: shot(result, who.escorts, who.bombers).bombers)),
        ("escorts lost", mean(shots, lambda result: shot(result, who.escorts, who.bombers).escorts)),
        (
            "defenders shot down",
            mean(data.air.odds(who.attack, air), lambda result: min(result.first, number(told, "defenders"))),
        ),
    ]


def _worth(data: Data, told: Told, air: int, target: int) -> list[ModifierEffect]:
    fight = worth(data.scope("interception"), told, air, lambda n: _means(data, told, n, target))
    asked = counting(data.scope("target"), told["theater"])
    return [*fight, *worth(asked, told, target, lambda n: _means(data, told, air, n))]


def _check(told: Told) -> None:
    if not number(told, "bombers") and number(told, "army") < 3:
        raise InvalidQuery(
            "A raid needs strategic bombers, or at least three army air factors, of which one bombs [19.2]."
        )


def _answer(data: Data, told: Told) -> OddsResult:
    _check(told)
    who, wall = forces(told), strength(data, told)
    fight, bombs = _air(data, told), _target(data, told)
    air, target = _sum(fight), _sum(bombs)
    over = reaching(data.air, who, air)
    return OddsResult(
        f"{count_noun(who.bombers, 'factor bombs', 'factors bomb')} a target of strength {_sum(wall)}",
        "24.62.9",
        expected=_means(data, told, air, target),
        effects=_worth(data, told, air, target),
        parts=[*_way(data, who, fight, over), *_over_target(data, told, over, bombs)],
        note="bombs and guns throw at once, with the same net modifier, added for the one and taken off for the other",
    )


def _way(data: Data, who: Forces, fight: list[tuple[str, int]], over: Mapping[int, Fraction]) -> list[OddsResult]:
    """[24.62.8] The fight on the way, part by part."""
    air = _sum(fight)
    shots, hits = data.air.odds(who.defence, -air), data.air.odds(who.attack, air)
    reached = [(count_noun(left, "factor"), chance) for left, chance in over.items()]
    return [
        OddsResult("The fight on the way: what the bombers add", "24.62.8", net=fight),
        OddsResult(f"The defenders, row {who.defence}", "19.2", chances(shots, lambda r: _shot_words(who, r))),
        OddsResult(
            f"The attackers, row {who.attack}",
            "19.2",
            chances(hits, lambda r: f"{r}: {r.first} shot down, {r.second} sent home"),
        ),
        OddsResult("Bombers over the target", "24.62.9", reached),
    ]


def _over_target(
    data: Data, told: Told, over: Mapping[int, Fraction], bombs: list[tuple[str, int]]
) -> list[OddsResult]:
    """[24.62.9, 24.62.10] The strength of the target, the bombs and the guns."""
    wall, target = strength(data, told), _sum(bombs)
    hits: dict[Pair, Fraction] = {}
    for left, share in over.items():
        for result, chance in data.strategic.odds(left, target).items():
            hits[result] = hits.get(result, Fraction(0)) + share * chance
    ordered = dict(sorted(hits.items(), key=lambda one: one[0].worth))
    guns = data.strategic.odds(_sum(wall), -target)
    return [
        OddsResult("The strength of the target", "24.62.10", net=wall),
        OddsResult("The bombs", "24.62.9", chances(ordered, lambda r: _hit_words(told, r)), net=bombs),
        OddsResult(
            f"The target's guns, row {_sum(wall)}",
            "24.62.9",
            chances(guns, lambda r: f"{r}: {count_noun(r.first, 'bomber')} lost, {r.second} out of the next turn"),
        ),
    ]


def _hit_words(told: Told, result: Pair) -> str:
    hurt = bombed(result, TARGET_STEPS, told["bombing_results"])
    return f"{result}: {count_noun(hurt.steps, 'part')} knocked out, {hurt.brp} resources lost"


def _throw(table: T, told: Told) -> list[str]:
    _check(told)
    data, who, found = table.data, forces(told), []
    fight, bombs = _air(data, told), _target(data, told)
    left = who.bombers
    if who.defence:
        attack = table.roll(TableRoll("19.2", "attackers", data.air, who.attack, fight), "attackers")
        defence = table.roll(
            TableRoll("19.2", "defenders", data.air, who.defence, [(what, -value) for what, value in fight]),
            "defenders",
        )
        lost = shot(defence.result, who.escorts, who.bombers)
        left -= lost.bombers + lost.aborted
        table.log_line("24.62.8", "The fight on the way, attackers: {}; defenders: {}.", attack, defence)
        table.log_line(
            "24.62.8", "{}. {} reach the target.", _shot_words(who, defence.result), count_noun(left, "bomber")
        )
        found.append(f"fight {_shot_words(who, defence.result)}")
    wall = _sum(strength(data, told))
    hit = table.roll(TableRoll("24.62.9", "bombs", data.strategic, left, bombs), "bombs")
    guns = table.roll(
        TableRoll("24.62.9", "guns", data.strategic, wall, [(what, -value) for what, value in bombs]), "guns"
    )
    table.log_line("24.62.9", "Bombs on the target: {}. {}.", hit, _hit_words(told, hit.result))
    table.log_line("24.62.9", "The target's guns: {}.", guns)
    return [*found, f"bombs {_hit_words(told, hit.result)}", f"guns {guns}"]


BOMBING = Action(
    "Strategic bombing",
    "24.62.9",
    "Bombers and their escorts are met on the way, one round. Those that come through and the target's guns then throw "
    "at once, each on the row of its strength.",
    _blanks,
    _answer,
    _throw,
)
