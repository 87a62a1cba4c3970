"""[SW.7] Orders for later in the turn: raids with their escorts, and the rounds for which cards are laid down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from readyroom.engine.decisions import Option, Unavailable
from readyroom.engine.table import Choice, Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.strategic.state import T
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
from readyroom.games.strategic.war.state import Orders, Raid


class Plan(msgspec.Struct):
    """What a side has written down for the turn."""

    builds: Counter[Build]
    moves: Counter[Move]
    orders: Orders


def send(table: T, side: str, country: Country, told: Plan) -> Choice[list[Raid]]:
    """[SW.7, SW.10] Bombers are shared out over targets within their range; then interceptors over the raids."""
    war = table.state.war
    bombers = _flying(table, country, told)
    far = reach(table.state, table.data, country)
    aims = [aim for aim in war.targets if aim.area == country.area and aim.distance <= far]
    chosen = yield from table.choose_some(
        side,
        "SW.7",
        f"How many of {bombers} factors of bombers raid each target in {country.title}?",
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
    yield from _escort(table, side, country, raids, told)
    return raids


def _flying(table: T, country: Country, told: Plan) -> int:
    """[SW.7] The bombers that can fly: those that are ready, with what is being built and what moves."""
    count = table.state.war.bombers[country.area].ready
    count += sum(number for build, number in told.builds.items() if build.area == country.area)
    for move, number in told.moves.items():
        if move.item == "bomber":
            count += number if move.goal == country.area else -number
    return count


def _escort(table: T, side: str, country: Country, raids: list[Raid], told: Plan) -> Steps:
    """[SW.10.1] Interceptors fly with bombers as far as they reach; they are not at home then.

    A side builds nothing but interceptors where they are at home: its bombers count by the country that they bomb.
    """
    war, far = table.state.war, escort_reach(table.state, table.data, country)
    if country.escorts is None:
        return
    built = sum(count for build, count in told.builds.items() if build.area == country.escorts)
    most = war.interceptors[country.escorts] + built
    near = [raid for raid in raids if war.aim(raid.target).distance <= far]
    options = [
        Option(f"escort-{raid.target}", f"interceptors with the bombers to {war.aim(raid.target).name}", raid)
        for raid in near
    ]
    chosen = yield from table.choose_some(
        side,
        "SW.10.1",
        f"How many of {most} factors of {COUNTRIES[country.escorts].title}'s interceptors escort the raids?",
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
            reason = f"{name} is {aim.distance} hexes away, and the bombers fly {far}: research air range."
            yield Unavailable(aim.key, f"a raid on {aim.name}", "SW.10", reason)


def commit(table: T, side: str, told: Plan) -> Choice[list[str]]:
    """[SW.3, SW.7] Cards are laid down for rounds, one a round at most; only cards of the right kind serve."""
    found: list[str] = []
    if table.state.rulings.codebreaking != "commit":
        return found
    for each in theaters(table.state.war):
        for kind in (SUBMARINE, STRATEGIC):
            found += yield from _commit(table, side, each, kind, told)
    return found


def _commit(table: T, side: str, each: Theater, kind: str, told: Plan) -> Choice[list[str]]:
    war = table.state.war
    held = war.hands[side][each].count(kind)
    rounds = [r for r in war.rounds if theater(r) == each and serving(r) == kind and _worth(table, side, r, told)]
    options = [Option(f"card-{r}", f"a card for {_named(r)}", r) for r in rounds]
    if not held:
        return []
    chosen = yield from table.choose_some(
        side,
        "SW.7",
        f"{THEATERS[each]}: for which rounds do you play {_held(held, kind)}?",
        options,
        at_most=min(held, len(options)),
        unavailable=lambda: _wrong_card(table, side, each),
        piece_key=f"cards-{each}-{kind}",
        select_all_default=True,
    )
    return [option.value for option in chosen]


def _worth(table: T, side: str, each: str, told: Plan) -> bool:
    """Whether a card for a round can serve a side: for its own raids only if it flies one."""
    return each in CAMPAIGNS or attacking(each) != side or each in told.orders.raids


def _named(each: str) -> str:
    return title(each) if each in COUNTRIES else f"the submarine round, {title(each)}"


def _wrong_card(table: T, side: str, each: Theater) -> Iterator[Unavailable]:
    """[SW.3] Rounds that another kind of card would serve, and tactical cards, which serve none."""
    state = table.state
    for other in state.war.rounds:
        if theater(other) == each and not matching(state, side, other):
            reason = f"That takes a {serving(other)} card, and you hold none."
            yield Unavailable(f"card-{other}", f"a card for {_named(other)}", "SW.3", reason)
    if TACTICAL in state.war.hands[side][each]:
        yield Unavailable("card-tactical", "a tactical card", "SW.3", "Tactical cards do nothing in this game.")


def _held(count: int, kind: str) -> str:
    return f"a {kind} card" if count == 1 else f"{count} {kind} cards"
