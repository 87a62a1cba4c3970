"""[6.6, 6.7] Japanese attacks: whether they come, with how many planes, from where, and in which waves."""

from __future__ import annotations

from typing import NamedTuple

from readyroom.engine.rules.checks import Modifiers, nonzero_modifiers, signed
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.text import agree, count_noun
from readyroom.games.picket.figures.data import Data
from readyroom.games.picket.rolls import choose_alternative, roll_die, roll_on_table
from readyroom.games.picket.state import Counter, Picket, Raid, T, Wave
from readyroom.games.picket.station.support import kikusui, ship_radar
from readyroom.games.picket.text import a, bearing_key, place_text, weapon_name

NONE, RANDOM, EVENT = "none", "random", "event"
COMMAND = ("bridge", "cic", "radio")


class Place(NamedTuple):
    """[6.6.F, 7.4.H] A bearing and a height (P46)."""

    bearing: int
    height: str


def place(text: str) -> Place:
    """Parse a bearing and a height as the tables write them.

    >>> place("180H")
    Place(bearing=180, height='H')
    """
    return Place(int(text[:-1]), text[-1])


def attack(table: T) -> None:
    """[6.0, 6.6, 6.7] Resolve the attack of a phase, by the tables or by the scenario."""
    state = table.state
    for wave in state.raid.waves:  # 7.1.H: planes that never attacked, because the ship was lost
        state.pool.cup.contents += [plane.fresh() for plane in (*wave.planes, *wave.specials)]
    state.raid = Raid(surface=state.ship.surface)
    if not state.sea.station:
        return
    state.tally.watches += 1
    raid = state.planned()
    if raid == NONE or hides(table):
        return
    if kikusui(table):
        raid = "kikusui"
    elif raid == "kikusui":
        raid = "roll"
    if raid == "kikusui" or raid.isdecimal():
        places = _kikusui(table, 0 if raid == "kikusui" else int(raid))
        draw(table, places, specials=False)
    elif raid == "roll":
        _by_column(table)
    else:
        draw(table, _letter(table, raid, halved=False), specials=True)


def hides(table: T) -> bool:
    """[6.2.F, 6.3.A, 6.6.M] Return whether storm, rain or night keep the Japanese away in this phase (P4)."""
    state, figures = table.state, table.data.duty.weather
    if state.sea.weather == "storm":
        table.log_line("6.3", "No planes attack in the storm.", target="weather")
        return True
    if state.sea.away:
        return True
    if state.watch == "night" and state.planned() in ("roll", "kikusui"):
        rolled = roll_die(table, "6.6.M", "night", goal=f"attack on {figures.night_attack} or more")
        comes = rolled >= figures.night_attack
        action = "attack at half strength" if comes else "do not attack"
        table.log_line("6.6.M", "The Japanese {} tonight.", action, rolled, target="sea")
        return not comes
    return False


def shifts(state: Picket, data: Data) -> Modifiers:
    """[5.1.B, 5.2.B, 5.3.E, 6.5.H, 6.5.J, 6.6.B] Return the column shifts by name (P43)."""
    figures = data.duty.shifts
    team = (figures.team if state.ship.works("cic") else 0) if state.ship.team else figures.no_team
    surface = figures.surface * state.ship.surface if state.ship.surface else figures.no_surface
    radars = figures.land_radar[min(len(state.sea.land_radars), len(figures.land_radar) - 1)]
    return [
        ("fighter direction team" if state.ship.team else "no fighter direction team", team),
        ("surface support" if state.ship.surface else "no surface support", surface),
        ("air support" if state.sea.air else "no air support", state.sea.air_shift),
        ("land radar", radars),
        ("ship's radar", ship_radar(state, data)),
    ]


def dice_modifiers(state: Picket, data: Data) -> Modifiers:
    """[6.6.C, 7.8.2.J] Return the attack roll's modifiers by name (P3, P45)."""
    figures = data.duty.dice
    lost = sum(state.ship.rooms[room].destroyed for room in COMMAND)
    return [
        (f"station {state.sea.station}", figures.stations.get(str(state.sea.station), 0)),
        ("rain", figures.rain if state.sea.weather == "rain" else 0),
        ("bridge, CIC or radio room lost", figures.command * lost),
    ]


def column(state: Picket, data: Data) -> int:
    """[6.6.B] Return the column of the attack table: the sum of all shifts, within the table."""
    figures = data.duty.shifts
    return min(max(sum(value for _, value in shifts(state, data)), figures.least), figures.most)


def _by_column(table: T) -> None:
    """[6.6.B to F] Roll on the attack table, then on the lettered one or the table of random attacks."""
    state, data = table.state, table.data
    shifted = nonzero_modifiers(shifts(state, data))
    shift = column(state, data)
    modifiers = ", ".join(f"{name} {signed(value)}" for name, value in shifted) or "no modifiers"
    table.log_line("6.6.B", "Attack column is {} ({}).", signed(shift), modifiers, target="column")
    roll = roll_on_table(table, data.tables.attack, "attack", str(shift), dice_modifiers(state, data))
    if roll.cell == NONE:
        table.log_line("6.6", "The Japanese do not attack.", roll, target="sea")
    elif roll.cell == RANDOM:
        table.log_line("6.6.D", "A random event occurs.", roll, target="sea")
        _random(table)
    else:
        table.log_line("6.6", "The Japanese attack: table {}.", roll.cell, roll, target="sea")
        draw(table, _letter(table, roll.cell, halved=state.watch == "night"), specials=True)


def _letter(table: T, letter: str, *, halved: bool) -> list[Place]:
    """[6.6.E, 6.6.F, 6.6.M] Return the positions of a lettered table's planes; at night the first half (P5)."""
    roll = roll_on_table(table, table.data.tables.letter(letter), f"planes-{letter}")
    places = [place(text) for text in roll.cell.split()]
    if halved:
        places = places[: len(places) // 2]
    if places:
        positions = ", ".join(place_text(*one) for one in places)
        verb = agree(len(places), "attacks", "attack")
        planes, keys = count_noun(len(places), "plane"), dict.fromkeys(bearing_key(one.bearing) for one in places)
        table.log_line("6.6.F", "{} {} from {}.", planes, verb, KeyedText(positions, *keys), roll, target="sea")
    else:
        table.log_line("6.6.F", "No planes attack at night.", roll, target="sea")
    return places


def _random(table: T) -> None:
    """[2.0.E, 5.3.F, 6.6.D] Bring in a set-aside plane as a single special attack, or disable a radar (P44)."""
    state = table.state
    roll = roll_on_table(table, table.data.tables.random_attack, "random", "plane")
    if roll.cell == EVENT:
        if state.sea.land_radars:
            radars = state.sea.land_radars
            rolled = roll_die(table, "5.3.F", "fails", len(radars))
            gone = radars.pop(rolled - 1)
            table.log_line("5.3.F", "Radar station {} is out of action.", gone, rolled, target="land-radar")
        return
    chosen = next((counter for counter in state.pool.aside if counter.plane == roll.cell), None)
    if chosen is None:
        table.log_line("6.6.D", "No {} is left for a random attack.", table.data.cards[roll.cell].name)
        return
    state.pool.aside.remove(chosen)
    state.raid.waves.append(Wave([], [chosen]))
    _counted(table, 1)
    name = KeyedText(a(table.data.cards[chosen.plane].name), chosen.key)
    text, weapon = "A single special attacker appears: {} with {}.", a(weapon_name(chosen.weapon))
    table.log_line("6.6.D", text, name, weapon, target=chosen)


def _kikusui(table: T, planes: int) -> list[Place]:
    """[6.7.C, 6.7.E, 6.7.G] Return the positions of a great raid's planes (P8)."""
    tables = table.data.tables
    if not planes:
        roll = roll_on_table(table, tables.kikusui, "kikusui")
        planes = int(choose_alternative(table, roll.cell, "6.7", "kikusui", first=table.data.duty.planes.lesser_raid))
        planes = planes // 2 if table.state.watch == "night" else planes
        text, moment = "The great raid sends {} at this ship.", "A great raid" if planes else ""
        table.log_line("6.7", text, count_noun(planes, "plane"), roll, target="sea", moment=moment)
    places = []
    for number in range(1, planes + 1):
        bearing = roll_on_table(table, tables.bearing, f"bearing-{number}")
        height = roll_on_table(table, tables.height, f"height-{number}")
        places.append(Place(int(bearing.cell), height.cell))
        text, target = "Plane {} approaches from {}.", bearing_key(places[-1].bearing)
        table.log_line("6.7.G", text, number, place_text(*places[-1]), bearing, height, target=target)
    return places


def draw(table: T, places: list[Place], *, specials: bool) -> None:
    """[6.6.G, 6.6.J, 6.6.K, 6.7.F, 6.7.H] Draw planes for these positions, plus special attackers (P6).

    In a great raid they go back and others are drawn. The end of an attack ends it before it began.
    """
    state, figures = table.state, table.data.duty.planes
    if not places:
        return
    sizes = [int(size) for size in table.data.tables.waves.rows[str(len(places))][0].split()]
    regular, special, put_back = list[Counter](), list[Counter](), list[Counter]()
    while len(regular) < len(places) and state.pool.cup.contents:
        counter = table.draw(state.pool.cup, "6.6.G", "plane")
        if counter.ends:
            _ends(table, counter, [*regular, *special, *put_back])
            return
        if not counter.weapon:
            regular.append(counter)
        elif specials and len(special) < figures.specials_a_wave * len(sizes):
            special.append(counter)
        else:
            put_back.append(counter)
    state.pool.cup.contents += put_back
    _form(table, regular, places, sizes, special)


def _ends(table: T, counter: Counter, drawn: list[Counter]) -> None:
    """[6.6.N, 6.6.O] End the attack; the marker stays out until a new station or a new ship (P7)."""
    pool = table.state.pool
    pool.ends.append(counter)
    pool.cup.contents += drawn
    table.reveal("6.6.N", "The attack ends: the planes turn away out of range.", target="sea")


def _form(table: T, regular: list[Counter], places: list[Place], sizes: list[int], special: list[Counter]) -> None:
    """[6.6.G, 6.6.K] Place the planes in the order in which they were drawn, wave by wave."""
    state, figures = table.state, table.data.duty.planes
    for counter, at in zip(regular, places, strict=False):
        counter.bearing, counter.height = at.bearing, at.height
    start = 0
    for number, size in enumerate(sizes):
        two = special[number * figures.specials_a_wave : (number + 1) * figures.specials_a_wave]
        state.raid.waves.append(Wave(regular[start : start + size], two))
        start += size
    _counted(table, len(regular) + len(special))
    cards, waves = table.data.cards, []
    for wave in state.raid.waves:
        planes = [f"{cards[one.plane].name} ({place_text(one.bearing, one.height)})" for one in wave.planes]
        armed = [f"{cards[one.plane].name} with {a(weapon_name(one.weapon))}" for one in wave.specials]
        waves.append(", ".join(planes + armed))
    count = "One wave attacks" if len(sizes) == 1 else f"{len(sizes)} waves attack"
    keys = [one.key for wave in state.raid.waves for one in (*wave.planes, *wave.specials)]
    table.reveal("6.6.G", "{}: {}.", count, KeyedText("; ".join(waves), *keys), target="sea")


def _counted(table: T, planes: int) -> None:
    tally, turn = table.state.tally, table.state.at.turn
    tally.planes += planes
    if turn not in tally.raided[-1:]:
        tally.raided.append(turn)
    tally.attacks += 1
    tally.tours[-1].planes += planes
    tally.tours[-1].attacked += 1
