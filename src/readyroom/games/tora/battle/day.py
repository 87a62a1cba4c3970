"""[8.1] The day of the attack: Japan announces it, and both sides set up as planned."""

from __future__ import annotations

from readyroom.engine.rules.decisions import Option
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import agree, join_list
from readyroom.games.tora.battle.waves import deal_loads, detected_quadrants, form_wave
from readyroom.games.tora.figures import CATEGORIES, USA, Data
from readyroom.games.tora.odds import radar_test
from readyroom.games.tora.plans.deployment import anchor, deploy
from readyroom.games.tora.plans.validation import completed, day_name
from readyroom.games.tora.state import ALERTS, AirUnit, Field, Levels, PieceText, T, Tora, seat_of


def set_day(table: T) -> Steps:
    """[8.1] Announce the day, set out the American forces as planned, and put up the CAP.

    That carriers are at sea can be seen [5.13]. If none is, the ace of clubs leaves the luck deck of twenty red cards
    and two aces [13.2].
    """
    state, data = table.state, table.data
    defence, attack = state.usa.plan, state.japan.plan
    assert defence is not None
    assert attack is not None
    state.usa.plan = defence = completed(defence, data)
    state.day = attack.day
    deploy(state, defence, data)
    anchor(state, defence)
    table.reveal("8.1", "Japan attacks on {}.", day_name(data, state.day))
    set_levels(table)
    absent = [ship for ship in state.usa.ships if ship.berth is None]
    if absent:
        names = PieceText(tuple(absent), join_list([str(ship) for ship in absent]))
        text = "{} {} at sea today; the rest of the fleet is in port."
        table.log_line("5.13", text, names, agree(len(absent), "is", "are"))
    deal_loads(table, form_wave(state, 1))
    _search(table)
    if not absent:
        deck, club = state.luck.contents, data.combat.luck.carriers_at_sea
        state.aside = [card for card in deck if card.key == club]
        state.luck.contents = [card for card in deck if card.key != club]
    yield from put_up_patrol(table)


def set_levels(table: T) -> None:
    """[5.1] Set the day's alert levels, and add condition ZEBRA to the ships [5.6]."""
    state, usa = table.state, table.state.usa
    assert usa.plan is not None
    usa.levels = Levels.of_plan(usa.plan, state.day)
    add_zebra(state, table.data, table.data.planning.alert.base)
    levels = map(usa.alert, CATEGORIES)
    template = "Alert levels: airfields {}, ships {}, batteries {}."
    table.log_line("5.1", template, *levels, audience=state.readers(USA), target=ALERTS)


def raise_levels(table: T) -> None:
    """[5.4] Raise every alert level by one, up to the top (T4); new ZEBRA counts at once for ships afloat."""
    usa = table.state.usa
    assert usa.levels is not None
    before = usa.levels.ship
    usa.levels = usa.levels.raised(table.data.planning.alert.top)
    add_zebra(table.state, table.data, before)


def add_zebra(state: Tora, data: Data, before: int) -> None:
    """[5.6] Add the change in the ship alert's bonus to the strength of ships afloat."""
    zebra = data.ships.condition.zebra
    more = zebra[state.usa.alert("ship") - 1] - zebra[before - 1]
    for ship in state.usa.ships:
        if not ship.sunk:
            ship.strength += more


def _search(table: T) -> None:
    """[5.3, 5.8, 5.9] Test the radar, and determine whether a search covers the first wave's sectors."""
    usa, day = table.state.usa, table.state.day
    assert usa.plan is not None
    if usa.plan.radar[day - 1]:
        rolled = table.roll(radar_test(table.data), "radar")
        usa.radar_works = rolled.passed
        works, broken = "Radar test succeeds: the radar works today.", "Radar test fails: no radar today."
        sector = f"3{usa.plan.radar[day - 1]}"
        text = works if rolled.passed else broken
        table.log_line("5.8", text, rolled, audience=table.state.readers(USA), target=sector)
    sectors = list(table.state.japan.waves[0].sectors)
    usa.detected = bool(detected_quadrants(usa.plan, day, bool(usa.radar_works), sectors))


def put_up_patrol(table: T) -> Steps:
    """[5.5, 5.12] At airfield alert 3, put up three units of each field in any zones."""
    usa = table.state.usa
    count = table.data.planning.readiness.patrols[usa.alert("airfield") - 1]
    for field in usa.fields:
        if count and field.stacks:
            yield from _patrol(table, field, count)


def _patrol(table: T, field: Field, count: int) -> Steps:
    """[5.12] Choose top units first [5.11], then the zones of each type."""
    seat, tops = seat_of(table.state.usa, field.zone), [stack[-1] for stack in field.stacks]
    count = min(count, len(tops))
    units: list[AirUnit] = yield from table.choose_some(
        seat,
        "5.5",
        f"Which {count} units of {field.name} fly CAP?",
        tops,
        at_least=count,
        at_most=count,
        piece_key=field.key,
    )
    zones = [Option(zone, zone) for zone in table.data.places.zone_ids]
    for type_ in dict.fromkeys(unit.type for unit in units):
        group = [unit for unit in units if unit.type == type_]
        group_text, do = AirUnit.describe_many(group, table.data), agree(len(group), "does", "do")
        over = yield from table.allocate(
            seat,
            "5.12",
            f"{field.name}: over which zones {do} {group_text} fly CAP?",
            len(group),
            zones,
            limit=lambda zone: count,
            piece_key=field.key,
        )
        for unit, zone in zip(group, over, strict=True):
            take_off(field, unit)
            table.state.zones[zone.key].usa.append(unit)
    for name, over_zone in table.state.zones.items():
        there = [unit for unit in units if unit in over_zone.usa]
        if there:
            template = agree(len(there), "{} from {} flies CAP over {}.", "{} from {} fly CAP over {}.")
            table.reveal("5.12", template, there, field, name, target=name)


def take_off(field: Field, unit: AirUnit) -> None:
    """[5.11] A top unit leaves its stack; an empty place is free again."""
    stack = next(stack for stack in field.stacks if stack[-1] is unit)
    stack.pop()
    field.stacks[:] = [stack for stack in field.stacks if stack]
