"""[24.62.4 to 24.62.7] Submarine warfare in each ocean."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from readyroom.engine.checks import signed
from readyroom.engine.forms import FormField, OddsResult
from readyroom.engine.text import count_noun
from readyroom.games.strategic.figures import Data, Modifier, Scope
from readyroom.games.strategic.modifiers import NATIONS, blanks, counting, net
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
from readyroom.games.strategic.war.results import Stopped, Sunk, stopped, sunk

if TYPE_CHECKING:
    from readyroom.games.strategic.state import T


class Ocean(NamedTuple):
    """One of the three oceans: its table of modifiers, its name, and whose submarines may attack there."""

    scope: Scope
    name: str
    rule: str
    submarines: tuple[str, ...]


OCEANS = (
    Ocean("atlantic", "the Atlantic", "24.62.5", ("german",)),
    Ocean("indian", "the Indian Ocean", "24.62.6", ("german", "japanese")),
    Ocean("pacific", "the Pacific", "24.62.7", ("japanese", "american")),
)


def lines(data: Data, ocean: Ocean) -> list[Modifier]:
    """All modifiers that may count in an ocean; escort carriers are those of whoever hunts (A12)."""
    return data.scope("submarines", ocean.scope)


def _blanks(ocean: Ocean, data: Data) -> Mapping[str, FormField]:
    return {
        "by": FormField(
            "Submarines", ocean.submarines[0], {who: NATIONS[who] for who in ocean.submarines}, group=FORCES
        ),
        "submarines": factors("Submarine factors", 12),
        "escorts": factors("Escort factors, anti-submarine forces", 16),
        "merchants": factors("Merchant ships, transport factors", 40, 300),
        **blanks(data.scope("submarines"), "Research and nationality"),
        **blanks(data.scope(ocean.scope), SITUATION),
        **{key: ruling(key) for key in ("submarine_results", "excess", "heavy")},
    }


def _grid(data: Data, told: Told) -> Grid:
    return data.strategic if told["heavy"] == "repeat" else data.strategic_twice


def _sunk(data: Data, told: Told, result: Pair) -> Sunk:
    cap, cost = None if told["excess"] == "all" else int(told["excess"]), data.war.excess.cost
    return sunk(result, number(told, "escorts"), number(told, "merchants"), told["submarine_results"], cap, cost)


def _stopped(told: Told, result: Pair) -> Stopped:
    return stopped(result, number(told, "submarines"))


def _sunk_words(data: Data, told: Told, result: Pair) -> str:
    lost = _sunk(data, told, result)
    parts = [count_noun(lost.escorts, "escort")] if lost.escorts else []
    parts += [count_noun(lost.merchants, "merchant ship")] if lost.merchants else []
    parts += [f"{lost.brp} resources"] if lost.brp else []
    return f"{' and '.join(parts) or 'nothing'} lost"


def _stopped_words(told: Told, result: Pair) -> str:
    back = _stopped(told, result)
    parts = [f"{count_noun(back.lost, 'submarine')} sunk"] if back.lost else []
    parts += [f"{back.aborted} out of the next turn"] if back.aborted else []
    return ", ".join(parts) or "nothing sunk"


def _means(data: Data, told: Told, added: int) -> Means:
    attack = _grid(data, told).odds(number(told, "submarines"), added)
    defence = _grid(data, told).odds(number(told, "escorts"), -added)
    return [
        ("merchant ships lost", mean(attack, lambda result: _sunk(data, told, result).merchants)),
        ("escorts lost", mean(attack, lambda result: _sunk(data, told, result).escorts)),
        ("resources lost", mean(attack, lambda result: _sunk(data, told, result).brp)),
        ("submarines sunk", mean(defence, lambda result: _stopped(told, result).lost)),
        ("submarines out", mean(defence, lambda result: _stopped(told, result).aborted)),
    ]


def _answer(ocean: Ocean, data: Data, told: Told) -> OddsResult:
    asked = lines(data, ocean)
    found = net(asked, told, told["by"])
    added = sum(value for _, value in found)
    grid, attackers, defenders = _grid(data, told), number(told, "submarines"), number(told, "escorts")
    against = f"against {count_noun(defenders, 'escort factor')} in {ocean.name}"
    return OddsResult(
        f"{count_noun(attackers, NATIONS[told['by']] + ' submarine factor')} {against}",
        ocean.rule,
        net=found,
        expected=_means(data, told, added),
        effects=worth(counting(asked, told["by"]), told, added, lambda n: _means(data, told, n)),
        parts=[
            OddsResult(
                f"The submarines: row {_rows(grid, attackers)}, net {signed(added)}",
                "24.62.1",
                chances(grid.odds(attackers, added), lambda result: f"{result}: {_sunk_words(data, told, result)}"),
            ),
            OddsResult(
                f"The escorts: row {_rows(grid, defenders)}, net {signed(-added)}",
                "24.62.1",
                chances(grid.odds(defenders, -added), lambda result: f"{result}: {_stopped_words(told, result)}"),
            ),
        ],
        note="both throw at once: what is sunk still shoots",
    )


def _rows(grid: Grid, strength: int) -> str:
    return " and ".join(map(str, grid.split(strength))) or "none"


def _throw(ocean: Ocean, table: T, told: Told) -> list[str]:
    found = net(lines(table.data, ocean), told, told["by"])
    grid = _grid(table.data, told)
    attack = table.roll(
        TableRoll("24.62.1", "submarines", grid, number(told, "submarines"), found), f"{ocean.scope}-submarines"
    )
    against = [(what, -value) for what, value in found]
    defence = table.roll(
        TableRoll("24.62.1", "escorts", grid, number(told, "escorts"), against), f"{ocean.scope}-escorts"
    )
    hurt, back = _sunk_words(table.data, told, attack.result), _stopped_words(told, defence.result)
    table.log_line(ocean.rule, "Submarines in {}: {}, {}.", ocean.name, attack, hurt)
    table.log_line(ocean.rule, "Escorts in {}: {}, {}.", ocean.name, defence, back)
    return [f"submarines {attack}: {hurt}", f"escorts {defence}: {back}"]


def actions() -> dict[str, Action]:
    """Submarine warfare in each of the oceans."""
    return {
        ocean.scope: Action(
            f"Submarine warfare in {ocean.name}",
            ocean.rule,
            "Submarines and escorts throw at once, each on the row of its factors. What helps the submarines is added "
            "to their roll and taken off the escorts'.",
            partial(_blanks, ocean),
            partial(_answer, ocean),
            partial(_throw, ocean),
        )
        for ocean in OCEANS
    }
