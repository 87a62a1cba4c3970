"""[12] Anti-aircraft fire: ships and batteries in the American half turn, and the yard whenever attacked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from readyroom.engine.rules.checks import Volley
from readyroom.engine.rules.decisions import OptionInfo
from readyroom.engine.rules.table import Choice
from readyroom.engine.text import agree
from readyroom.games.tora.battle.losses import bury, destroy, wound
from readyroom.games.tora.battle.reach import Area, anchored, flying
from readyroom.games.tora.battle.reaction import hides_reaction, may_react
from readyroom.games.tora.figures import JAPAN, Category
from readyroom.games.tora.odds import chance, expected, gun_dice, scoring, yard_dice
from readyroom.games.tora.state import AirUnit, Battery, PieceText, Ship, T, YardToken, seat_of

Gun = Ship | Battery
CREWS: dict[Category, str] = {"ship": "ship", "aaa": "battery"}


class Shot(NamedTuple):
    """[12.1] A gun and the air unit that it fires at."""

    gun: Gun
    target: AirUnit
    category: Category


def assign_targets(table: T, area: Area) -> Choice[list[Shot]]:
    """[12.1, 4.3] Choose targets for every ship and battery of an area before any dice are rolled (T32)."""
    state = table.state
    enemies = flying(state, JAPAN, area)
    shots: list[Shot] = []
    for zone in area:
        for category in CREWS:
            guns = _ready(table, zone, category) if may_react(table, category) else []
            if guns:
                shots += yield from _aim(table, zone, category, guns, enemies)
    return shots


def _ready(table: T, zone: str, category: Category) -> Sequence[Gun]:
    """[12.1] Return the guns of a zone that may fire; damaged ships fire, sunk ones do not (T13)."""
    state, turn = table.state, table.state.at.turn
    if category == "ship":
        return [ship for ship in anchored(state, table.data.places, [zone]) if ship.fired != turn]
    return [gun for gun in state.usa.batteries if gun.zone == zone and not gun.destroyed and gun.fired != turn]


def _aim(table: T, zone: str, category: Category, guns: Sequence[Gun], enemies: list[AirUnit]) -> Choice[list[Shot]]:
    """[12.1] Ask one question for guns of one kind in a zone; several may fire at the same unit (T31)."""
    dice, count = gun_dice(table.state, table.data, category), len(guns)
    names = ", ".join(map(str, guns))
    seat, only = seat_of(table.state.usa, zone), f"{enemies[0]} is the only target for {names} in {zone}."
    aim = table.allocate(
        seat,
        "12.1",
        f"Which targets do the guns in {zone} fire at ({dice} dice each: {names})?",
        count,
        enemies,
        limit=lambda unit: count,
        info=_hints(table, dice),
        piece_key=f"fire:{zone}:{category}",
        log_text=lambda targets: only,
    )
    chosen = yield from table.always_asks(seat, "12.1", only, aim) if hides_reaction(table) else aim
    return [Shot(gun, target, category) for gun, target in zip(guns, chosen, strict=True)]


def _hints(table: T, dice: int) -> Callable[[AirUnit], OptionInfo]:
    fire = scoring(table.data.combat.guns.hit)

    def hint(unit: AirUnit) -> OptionInfo:
        note = f"{expected(dice, fire):.1f} expected hits per gun; {unit.strength} aircraft; any hit by one gun"
        return OptionInfo(note, float(chance(dice, fire, 1)))

    return hint


def shoot(table: T, area: Area, shots: list[Shot]) -> None:
    """[12.1, 5.6, 5.7] Roll two dice plus one per alert level for each gun; a six is a hit."""
    together: dict[tuple[str, Category], list[Shot]] = {}
    for shot in shots:
        together.setdefault((shot.target.key, shot.category), []).append(shot)
    fire = scoring(table.data.combat.guns.hit)
    for (key, category), group in together.items():
        target, guns, fires = group[0].target, [shot.gun for shot in group], agree(len(group), "fires", "fire")
        for gun in guns:
            gun.fired = table.state.at.turn
        if not target.strength:  # the fighters were quicker
            names = ", ".join(map(str, guns))  # nothing happens to them
            table.log_line("12.1", "{} {} at {}, which is already shot down.", names, fires, str(target))
            continue
        dice = len(guns) * gun_dice(table.state, table.data, category)
        salvo = table.roll(Volley("12.1", f"{CREWS[category]} guns", dice, fire), f"{key}-{category}")
        misses = agree(len(guns), "{} {} at {} and misses.", "{} {} at {} and miss.")
        text, destroyed = PieceText.of(target), wound(target, salvo.hits)
        template = "{} {} at {}: {}." if salvo.hits else misses
        table.log_line("12.1", template, guns, fires, text, salvo, target=target)
        if destroyed:
            destroy(table, "12.1", target)
    if shots:
        bury(table, JAPAN, area)


def yard_fires(table: T, token: YardToken, units: list[AirUnit]) -> None:
    """[12.2] A token fires at each attacker (T30) once the batteries may react (T20); at most one hit."""
    if table.state.rulings.yard_fire == "alerted" and not may_react(table, "aaa"):
        return
    figures = table.data.combat.yard
    for unit in units:
        dice = yard_dice(table.state, table.data)
        salvo = table.roll(Volley("12.2", f"{token}", dice, scoring(figures.hit)), f"{token.key}-{unit.key}")
        result = "hits" if salvo.hits else "misses"
        text, destroyed = PieceText.of(unit), wound(unit, min(salvo.hits, figures.hits_at_most))
        table.log_line("12.2", "Small-arms fire from {} {} {}.", token, result, text, salvo, target=unit)
        if destroyed:
            destroy(table, "12.2", unit)
