"""[11.4] The planes attack: their way in, flak, and bombs and torpedoes."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.checks import Roll
from readyroom.engine.decisions import Option, OptionInfo
from readyroom.engine.table import Choice, Steps
from readyroom.games.doolittle.airstrike.approach import ENTERPRISE, PLANES
from readyroom.games.doolittle.figures.common import label_of
from readyroom.games.doolittle.rolls import hits
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.ships import (
    CARRIER,
    CRUISER,
    OILER,
    aboard,
    afloat,
    card_of,
    flak,
    hit,
    hornet,
    name_of,
    sink,
)
from readyroom.games.doolittle.voyage.state import Ship

FIGHTER, TORPEDO = "fighter", "torpedo"
LIGHT_CRUISER = "CL"
DIVERTED, SHOT, NOTHING = "diverted", "hit", "no effect"


def attack(table: T) -> Steps:
    """[11.4] Wave after wave attacks, and in a wave one marker after the other."""
    strike = table.state.airstrike
    while strike.waves:
        wave = strike.waves.pop((yield from _wave(table, strike.waves)))
        while wave:
            kind = yield from _marker(table, wave)
            wave.remove(kind)
            if afloat(table.state, strike.group):
                yield from _attacks(table, kind)


def _wave(table: T, waves: list[list[str]]) -> Choice[int]:
    """[11.4.1] The index of the wave that attacks next; asked where waves differ."""
    differing = {"-".join(wave): at for at, wave in enumerate(waves)}
    options = [Option(f"wave-{key}", _named(waves[at]), at) for key, at in differing.items()]
    if len(options) == 1:
        return 0
    chosen = yield from table.choose(table.state.captain, "11.4.1", "Which wave attacks next?", options)
    return int(chosen.value)


def _marker(table: T, wave: list[str]) -> Choice[str]:
    """[11.4.1] Which marker of the wave is next."""
    options = [Option(kind, _named([kind]), kind) for kind in wave]
    if len(options) == 1:
        return wave[0]
    chosen = yield from table.choose(table.state.captain, "11.4.1", "Which of the wave is next?", options)
    return str(chosen.value)


def _named(kinds: Sequence[str]) -> str:
    return ", ".join(PLANES[kind] for kind in kinds)  # type: ignore[index]


def _attacks(table: T, kind: str) -> Steps:
    """[11.4.1, 11.4.2, 11.4.3] One marker: its way in, the flak on it, and what it drops."""
    path, target = yield from _way_in(table, kind)
    firing = _guns(table, path)
    for ship in firing:
        stopped = _fires(table, ship, kind)
        if stopped == DIVERTED:
            _ordnance(table, kind, ship)
        if stopped:
            return
    if target is None:
        target = yield from _aim(table)
    _ordnance(table, kind, target)


# -- the way in ------------------------------------------------------------------------------------------------------


def _way_in(table: T, kind: str) -> Choice[tuple[list[str], Ship | None]]:
    """[11.4.1, DR102] The spaces that a marker crosses, from outside; a fighter has its target already."""
    face = table.roll_dice("11.4.1", kind)[0]
    layout = table.data.ships.layout
    if kind == FIGHTER:
        target = yield from _strafed(table, face)
        table.log_line("11.4.1", "The fighters attack {} (roll {}).", name_of(table, target), face)
        return [target.space], target
    arrows = layout.torpedo if kind == TORPEDO else layout.dive
    label = label_of(arrows, face) if kind == TORPEDO else ("odd" if face % 2 else "even")
    path = arrows[label]
    names = [layout.spaces[space].name for space in path]
    table.log_line("11.4.1", "The {} come in by {} (roll {}).", _named([kind]), " and ".join(names), face)
    return path, None


def _strafed(table: T, face: int) -> Choice[Ship]:
    """[11.4.1] Even: a cruiser, or any ship where there is none; odd: the Hornet, or the largest ship without her."""
    ships = afloat(table.state, table.state.airstrike.group)
    if table.data.airstrike.aim.of(face) == "cruiser":
        cruisers = [ship for ship in ships if card_of(table.data, ship).type in (CRUISER, LIGHT_CRUISER)]
        return (yield from _one_of(table, cruisers or ships))
    if hornet(table) in ships:
        return hornet(table)
    size = max(card_of(table.data, ship).size for ship in ships)
    return (yield from _one_of(table, [ship for ship in ships if card_of(table.data, ship).size == size]))


def _one_of(table: T, ships: Sequence[Ship]) -> Choice[Ship]:
    """[11.4.1, 11.4.3] The ship that is attacked, as the captain chooses."""
    options = [Option(f"at-{ship.key}", name_of(table, ship), ship, _state(table, ship)) for ship in ships]
    seat = table.state.captain
    chosen = yield from table.choose(seat, "11.4.3", "Which ship do they attack?", options)
    return chosen.value  # type: ignore[no-any-return]


def _state(table: T, ship: Ship) -> OptionInfo:
    return OptionInfo(f"{card_of(table.data, ship).type}{', damaged' if ship.hits else ''}")


# -- flak ------------------------------------------------------------------------------------------------------------


def _guns(table: T, path: Sequence[str]) -> list[Ship]:
    """[11.4.2, DR102, DR151] The ships that fire, space by space from outside, in each the carriers last.

    At a fighter those about its target fire.
    """
    group = table.state.airstrike.group
    firing = [ship for space in path for ship in _carriers_last(table, afloat(table.state, group, space=space))]
    return [ship for ship in firing if flak(table, ship)]


def _carriers_last(table: T, ships: Sequence[Ship]) -> list[Ship]:
    return sorted(ships, key=lambda ship: card_of(table.data, ship).type == CARRIER)


def _fires(table: T, ship: Ship, kind: str) -> str:
    """[11.4.2, DR58] A ship fires: a marker that is hit is gone, else it may be diverted; then a fighter is gone."""
    chart = table.data.airstrike.flak
    column, sides = chart.columns[0], chart.dice_pool()[1]
    least = next(face for face in range(1, sides + 1) if chart.cell(face, column) != NOTHING)
    roll: Roll = table.roll(hits("11.4.2", "flak", flak(table, ship), least), f"{ship.key}-{kind}")
    fires = {chart.cell(face, column) for face in roll.dice}
    result = SHOT if SHOT in fires or (DIVERTED in fires and kind == FIGHTER) else DIVERTED if DIVERTED in fires else ""
    text = {SHOT: "drives the planes off", DIVERTED: "draws the planes to herself", "": "hits no planes"}[result]
    table.log_line("11.4.2", "{} {}.", name_of(table, ship), text, roll)
    return result


# -- bombs and torpedoes ---------------------------------------------------------------------------------------------


def _aim(table: T) -> Choice[Ship]:
    """[11.4.3, 11.4.1] The Hornet, or by a die the Enterprise once no bombers are left; or an oiler, a cruiser, any."""
    ships = afloat(table.state, table.state.airstrike.group)
    carriers = {ship.key: ship for ship in ships if ship.key in (hornet(table).key, ENTERPRISE)}
    if len(carriers) > 1 and not _on_deck(table):
        face = table.roll_dice("11.4.3", "carrier")[0]
        aimed = carriers[table.data.naval.carrier_aim.of(face)]
        table.log_line("11.4.3", "The planes aim at {} (roll {}).", name_of(table, aimed), face)
        return aimed
    if carriers:
        return carriers.get(hornet(table).key) or carriers[ENTERPRISE]
    for kind in (OILER, CRUISER):
        identical = [ship for ship in ships if card_of(table.data, ship).type == kind]
        if identical:
            return (yield from _one_of(table, identical))
    return (yield from _one_of(table, ships))


def _on_deck(table: T) -> bool:
    """[11.4.3] Whether there are still bombers on the Hornet's deck, also on her way home."""
    return bool(aboard(table.state)) or any(bomber.fate == "home" for bomber in table.state.squad.values())


def _ordnance(table: T, kind: str, ship: Ship) -> None:
    """[11.4.3] Two dice: the ship is sunk, damaged, or missed."""
    roll = table.roll_on_chart(table.data.airstrike.ordnance, kind, f"{ship.key}-{kind}")
    table.log_line("11.4.3", "The {} attack {}: {}.", _named([kind]), name_of(table, ship), roll)
    table.state.add_to_story("bombed", ship.key, roll.cell)
    if roll.cell == "sunk":
        sink(table, ship, "11.4.3", _named([kind]))
    elif roll.cell == "damaged":
        hit(table, ship, "11.4.3", _named([kind]))
