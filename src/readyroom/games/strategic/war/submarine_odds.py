"""[24.62.4 to 24.62.7] Submarine warfare in each ocean."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from readyroom.engine.rules.checks import signed
from readyroom.engine.rules.forms import FormField, OddsResult
from readyroom.engine.text import count_noun
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
from readyroom.games.strategic.tables.figures import Data, Scope
from readyroom.games.strategic.tables.grids import Grid, Pair, TableRoll, mean
from readyroom.games.strategic.tables.modifiers import NATIONS, counting, form_fields, net, total
from readyroom.games.strategic.tables.options import ruling
from readyroom.games.strategic.war.results import Stopped, Sunk, stopped, sunk


class Ocean(NamedTuple):
    """An ocean: its table of modifiers, its name and rule, and the submarines that may attack there.

    Escort carriers help the hunting side (A12).
    """

    scope: Scope
    name: str
    rule: str
    submarines: tuple[str, ...]


OCEANS = (
    Ocean("atlantic", "the Atlantic", "24.62.5", ("german",)),
    Ocean("indian", "the Indian Ocean", "24.62.6", ("german", "japanese")),
    Ocean("pacific", "the Pacific", "24.62.7", ("japanese", "american")),
)


def _form_fields(ocean: Ocean, data: Data) -> Mapping[str, FormField]:
    nations = {who: NATIONS[who] for who in ocean.submarines}
    return {
        "by": FormField("Submarines", ocean.submarines[0], nations, group=FORCES),
        "submarines": factors("Submarine factors", 12),
        "escorts": factors("Escort factors, anti-submarine forces", 16),
        "merchants": factors("Merchant ships, transport factors", 40, 300),
        **form_fields(data.scope("submarines"), "Research and nationality"),
        **form_fields(data.scope(ocean.scope), SITUATION),
        **{key: ruling(key) for key in ("submarine_results", "excess", "heavy")},
    }


def combat_table(data: Data, inputs: Inputs) -> Grid:
    """[24.62.2, A4] Return the table as the ruling reads it for many factors."""
    return data.strategic if inputs["heavy"] == "repeat" else data.strategic_twice


def _sunk(data: Data, inputs: Inputs, result: Pair) -> Sunk:
    cap, cost = None if inputs["excess"] == "all" else int(inputs["excess"]), data.war.excess.cost
    return sunk(result, number(inputs, "escorts"), number(inputs, "merchants"), inputs["submarine_results"], cap, cost)


def _stopped(inputs: Inputs, result: Pair) -> Stopped:
    return stopped(result, number(inputs, "submarines"))


def _describe_sunk(data: Data, inputs: Inputs, result: Pair) -> str:
    lost = _sunk(data, inputs, result)
    parts = [count_noun(lost.escorts, "escort")] if lost.escorts else []
    parts += [count_noun(lost.merchants, "merchant ship")] if lost.merchants else []
    parts += [f"{lost.brp} resources"] if lost.brp else []
    return f"{' and '.join(parts) or 'nothing'} lost"


def _describe_stopped(inputs: Inputs, result: Pair) -> str:
    back = _stopped(inputs, result)
    parts = [f"{count_noun(back.lost, 'submarine')} sunk"] if back.lost else []
    parts += [f"{back.aborted} out of the next turn"] if back.aborted else []
    return ", ".join(parts) or "nothing sunk"


def _means(data: Data, inputs: Inputs, added: int) -> Means:
    attack = combat_table(data, inputs).odds(number(inputs, "submarines"), added)
    defence = combat_table(data, inputs).odds(number(inputs, "escorts"), -added)
    return [
        ("merchant ships lost", mean(attack, lambda result: _sunk(data, inputs, result).merchants)),
        ("escorts lost", mean(attack, lambda result: _sunk(data, inputs, result).escorts)),
        ("resources lost", mean(attack, lambda result: _sunk(data, inputs, result).brp)),
        ("submarines sunk", mean(defence, lambda result: _stopped(inputs, result).lost)),
        ("submarines that miss the next turn", mean(defence, lambda result: _stopped(inputs, result).aborted)),
    ]


def _answer(ocean: Ocean, data: Data, inputs: Inputs) -> OddsResult:
    possible = data.scope("submarines", ocean.scope)
    modifiers = net(possible, inputs, inputs["by"])
    added = total(modifiers)
    grid, attackers, defenders = combat_table(data, inputs), number(inputs, "submarines"), number(inputs, "escorts")
    against = f"against {count_noun(defenders, 'escort factor')} in {ocean.name}"
    return OddsResult(
        f"{count_noun(attackers, NATIONS[inputs['by']] + ' submarine factor')} {against}",
        ocean.rule,
        net=modifiers,
        expected=_means(data, inputs, added),
        effects=modifier_effects(counting(possible, inputs["by"]), inputs, added, lambda n: _means(data, inputs, n)),
        parts=[
            OddsResult(
                f"The submarines: row {_rows(grid, attackers)}, net {signed(added)}",
                "24.62.1",
                chances(grid.odds(attackers, added), lambda pair: f"{pair}: {_describe_sunk(data, inputs, pair)}"),
            ),
            OddsResult(
                f"The escorts: row {_rows(grid, defenders)}, net {signed(-added)}",
                "24.62.1",
                chances(grid.odds(defenders, -added), lambda pair: f"{pair}: {_describe_stopped(inputs, pair)}"),
                note="the first number sinks submarines; for every 2 of the second, one is out of the next turn",
            ),
        ],
        note="both roll simultaneously: sunk units still fire",
    )


def _rows(grid: Grid, strength: int) -> str:
    return " and ".join(map(str, grid.split(strength))) or "none"


def _roll(ocean: Ocean, table: T, inputs: Inputs) -> list[str]:
    modifiers = net(table.data.scope("submarines", ocean.scope), inputs, inputs["by"])
    grid = combat_table(table.data, inputs)
    attack = table.roll(
        TableRoll("24.62.1", "submarines", grid, number(inputs, "submarines"), modifiers), f"{ocean.scope}-submarines"
    )
    against = [(what, -value) for what, value in modifiers]
    defence = table.roll(
        TableRoll("24.62.1", "escorts", grid, number(inputs, "escorts"), against), f"{ocean.scope}-escorts"
    )
    hurt, back = _describe_sunk(table.data, inputs, attack.result), _describe_stopped(inputs, defence.result)
    table.log_line(ocean.rule, "The submarines attack in {}: {} (result {}).", ocean.name, hurt, attack)
    table.log_line(ocean.rule, "The escorts counterattack: {} (result {}).", back, defence)
    return [f"submarines {attack}: {hurt}", f"escorts {defence}: {back}"]


def actions() -> dict[str, Action]:
    """Return submarine warfare in each ocean."""
    return {
        ocean.scope: Action(
            f"Submarine warfare in {ocean.name}",
            ocean.rule,
            "Submarines and escorts roll simultaneously, each on the row of its factors. The net modifier is added to "
            "the submarines' roll and subtracted from the escorts'.",
            partial(_form_fields, ocean),
            partial(_answer, ocean),
            partial(_roll, ocean),
        )
        for ocean in OCEANS
    }
