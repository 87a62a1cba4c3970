"""[SW.7] Orders for later in the turn: raids with escorts, and cards for rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from readyroom.engine.rules.decisions import Option, Unavailable
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.strategic.war import hints
from readyroom.games.strategic.war.building import Build
from readyroom.games.strategic.war.intelligence import STRATEGIC, SUBMARINE, TACTICAL, attacking, matching, serving
from readyroom.games.strategic.war.moving import Move
from readyroom.games.strategic.war.net import escort_reach, reach
from readyroom.games.strategic.war.places import (
    CAMPAIGNS,
    COUNTRIES,
    THEATERS,
    Country,
    Theater,
    theater,
    theaters,
    title,
)
from readyroom.games.strategic.war.state import Orders, Raid, T


class Plan(msgspec.Struct):
    """A side's plan for the turn."""

    builds: Counter[Build]
    moves: Counter[Move]
    orders: Orders


def send(table: T, side: str, country: Country, plan: Plan) -> Choice[list[Raid]]:
    """[SW.7, SW.10] Ask for bombers against each target in range, then for escorts."""
    war = table.state.war
    bombers = _flying(table, country, plan)
    far = reach(table.state, table.data, country)
    aims = [aim for aim in war.targets if aim.area == country.area and aim.distance <= far]
    chosen = yield from table.choose_some(
        side,
        "SW.7",
        f"How many of your {count_noun(bombers, 'bomber factor')} raid each target in {country.title}?",
        [
            Option(aim.key, f"bombers against {aim.name}", aim, cell=(capitalize_first(aim.name), "Bombers"))
            for aim in aims
        ],
        at_most=bombers,
        limit=lambda option: bombers,
        info=lambda option: hints.bombing(table.state, table.data, country, option.value, bombers),
        unavailable=lambda: _out_of_range(table, country, far),
        piece_key=f"raid-{country.area}",
        select_all_default=True,
    )
    flown = Counter(option.key for option in chosen)
    raids = [Raid(key, count) for key, count in flown.items()]
    yield from _escort(table, side, country, raids, plan)
    return raids


def _flying(table: T, country: Country, plan: Plan) -> int:
    """[SW.7] Return the bombers that can fly: ready ones, with planned builds and moves."""
    count = table.state.war.bombers[country.area].ready
    count += sum(number for build, number in plan.builds.items() if build.area == country.area)
    for move, number in plan.moves.items():
        if move.item == "bomber":
            count += number if move.goal == country.area else -number
    return count


def _escort(table: T, side: str, country: Country, raids: list[Raid], plan: Plan) -> Steps:
    """[SW.10.1] Ask how many interceptors escort each raid within their range.

    Builds in the home area are interceptors only: bombers belong to the area they bomb.
    """
    war, far = table.state.war, escort_reach(table.state, table.data, country)
    if country.escorts is None:
        return
    built = sum(count for build, count in plan.builds.items() if build.area == country.escorts)
    most = war.interceptors[country.escorts] + built
    near = [raid for raid in raids if war.aim(raid.target).distance <= far]
    options = [
        Option(f"escort-{raid.target}", f"interceptors with the bombers to {war.aim(raid.target).name}", raid)
        for raid in near
    ]
    chosen = yield from table.choose_some(
        side,
        "SW.10.1",
        f"How many of {COUNTRIES[country.escorts].title}'s {count_noun(most, 'interceptor factor')} escort the raids?",
        options,
        at_most=most,
        limit=lambda option: most,
        piece_key=f"escort-{country.area}",
    )
    for option in chosen:
        option.value.escorts += 1


def _out_of_range(table: T, country: Country, far: int) -> Iterator[Unavailable]:
    for aim in table.state.war.targets:
        if aim.area == country.area and aim.distance > far:
            name = capitalize_first(aim.name)
            reason = f"{name} is {aim.distance} hexes away; bombers reach {far}. Research air range."
            yield Unavailable(aim.key, f"a raid on {aim.name}", "SW.10", reason)


def commit(table: T, side: str, plan: Plan) -> Choice[list[str]]:
    """[SW.3, SW.7] Ask which rounds a side commits cards to, at most one a round, of the right kind."""
    cards: list[str] = []
    if table.state.rulings.codebreaking != "commit":
        return cards
    for each in theaters(table.state.war):
        for kind in (SUBMARINE, STRATEGIC):
            cards += yield from _commit(table, side, each, kind, plan)
    return cards


def _commit(table: T, side: str, each: Theater, kind: str, plan: Plan) -> Choice[list[str]]:
    war = table.state.war
    held = war.hands[side][each].count(kind)
    rounds = [r for r in war.rounds if theater(r) == each and serving(r) == kind and _is_useful(table, side, r, plan)]
    options = [Option(f"card-{r}", f"a card for {_round_title(r)}", r) for r in rounds]
    if not held:
        return []
    chosen = yield from table.choose_some(
        side,
        "SW.7",
        f"{THEATERS[each]}: for which rounds do you play {_describe_cards(held, kind)}?",
        options,
        at_most=min(held, len(options)),
        unavailable=lambda: _wrong_card(table, side, each),
        piece_key=f"cards-{each}-{kind}",
        select_all_default=True,
    )
    return [option.value for option in chosen]


def _is_useful(table: T, side: str, each: str, plan: Plan) -> bool:
    """Return whether a card for a round can serve a side: for its own raids only if it flies one."""
    return each in CAMPAIGNS or attacking(each) != side or each in plan.orders.raids


def _round_title(each: str) -> str:
    return title(each) if each in COUNTRIES else f"the submarine round, {title(each)}"


def _wrong_card(table: T, side: str, each: Theater) -> Iterator[Unavailable]:
    """[SW.3] Return rounds that need another kind of card, and tactical cards."""
    state = table.state
    for other in state.war.rounds:
        if theater(other) == each and not matching(state, side, other):
            reason = f"This round needs a {serving(other)} card; you hold none."
            yield Unavailable(f"card-{other}", f"a card for {_round_title(other)}", "SW.3", reason)
    if TACTICAL in state.war.hands[side][each]:
        yield Unavailable("card-tactical", "a tactical card", "SW.3", "Tactical cards have no effect in this game.")


def _describe_cards(count: int, kind: str) -> str:
    return f"a {kind} card" if count == 1 else f"{count} {kind} cards"
