"""[SW.7] Orders for later in the turn: raids with escorts, and cards for rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from readyroom.engine.rules.decisions import Option, Unavailable
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import capitalize_first, count_noun
from readyroom.games.strategic.war import hints
from readyroom.games.strategic.war.intelligence import STRATEGIC, SUBMARINE, TACTICAL, attacking, matching, serving
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
from readyroom.games.strategic.war.planning.building import Build
from readyroom.games.strategic.war.planning.moving import Move
from readyroom.games.strategic.war.state import Aim, Orders, Raid, T


class Plan(msgspec.Struct):
    """A side's plan for the turn."""

    builds: Counter[Build]
    moves: Counter[Move]
    orders: Orders


def send(table: T, side: str, country: Country, plan: Plan) -> Choice[list[Raid]]:
    """[SW.7, SW.10] Ask for bombers against each target in range, then for escorts.

    Bombers that are ready, built or moved this turn can fly.
    """
    bombers = table.state.war.bombers[country.area].ready
    bombers += sum(count for build, count in plan.builds.items() if build.area == country.area)
    for move, count in plan.moves.items():
        if move.item == "bomber":
            bombers += count if move.goal == country.area else -count
    far = reach(table.state, table.data, country)
    targets = [aim for aim in table.state.war.targets if aim.area == country.area]
    chosen = yield from table.choose_some(
        side,
        "SW.7",
        f"How many of your {count_noun(bombers, 'bomber factor')} raid each target in {country.title}?",
        [
            Option(aim.key, f"bombers against {aim.name}", aim, cell=(capitalize_first(aim.name), "Bombers"))
            for aim in targets
            if aim.distance <= far
        ],
        at_most=bombers,
        limit=lambda option: bombers,
        info=lambda option: hints.bombing(table.state, table.data, country, option.value, bombers),
        unavailable=lambda: (_out_of_range(aim, far) for aim in targets if aim.distance > far),
        piece_key=f"raid-{country.area}",
        select_all_default=True,
    )
    raids = [Raid(key, count) for key, count in Counter(option.key for option in chosen).items()]
    yield from _escort(table, side, country, raids, plan)
    return raids


def _escort(table: T, side: str, country: Country, raids: list[Raid], plan: Plan) -> Steps:
    """[SW.10.1] Ask how many interceptors escort each raid within their range.

    Builds in the home area are interceptors only: bombers belong to the area they bomb.
    """
    war, far = table.state.war, escort_reach(table.state, table.data, country)
    if country.escorts is None:
        return
    built = sum(count for build, count in plan.builds.items() if build.area == country.escorts)
    most = war.interceptors[country.escorts] + built
    options = [
        Option(f"escort-{raid.target}", f"interceptors with the bombers to {war.aim(raid.target).name}", raid)
        for raid in raids
        if war.aim(raid.target).distance <= far
    ]
    chosen = yield from table.choose_some(
        side,
        "SW.10.1",
        f"How many of {COUNTRIES[country.escorts].title}'s {count_noun(most, 'interceptor factor')} escort the raids?",
        options,
        at_most=most,
        limit=lambda option: most,
        info=lambda option: hints.escorting(table.state, table.data, country, option.value, most),
        piece_key=f"escort-{country.area}",
    )
    for option in chosen:
        option.value.escorts += 1


def _out_of_range(aim: Aim, far: int) -> Unavailable:
    reason = f"{capitalize_first(aim.name)} is {aim.distance} hexes away; bombers reach {far}. Research air range."
    return Unavailable(aim.key, f"a raid on {aim.name}", "SW.10", reason)


def commit(table: T, side: str, plan: Plan) -> Choice[list[str]]:
    """[SW.3, SW.7] Ask which rounds a side commits cards to, at most one a round, of the right kind."""
    cards: list[str] = []
    if table.state.rulings.codebreaking != "commit":
        return cards
    for each in theaters(table.state.war.rounds):
        for kind in (SUBMARINE, STRATEGIC):
            cards += yield from _commit(table, side, each, kind, plan)
    return cards


def _commit(table: T, side: str, each: Theater, kind: str, plan: Plan) -> Choice[list[str]]:
    """[SW.3] Ask for the cards of a kind; the attacker's can serve a raid only if the side flies one."""
    war = table.state.war
    held = war.hands[side][each].count(kind)
    if not held:
        return []
    rounds = [r for r in war.rounds if theater(r) == each and serving(r) == kind]
    useful = [r for r in rounds if r in CAMPAIGNS or attacking(r) != side or r in plan.orders.raids]
    options = [Option(f"card-{r}", f"a card for {_round_title(r)}", r) for r in useful]
    cards = f"your {kind} card" if held == 1 else f"your {held} {kind} cards, one a round"
    chosen = yield from table.choose_some(
        side,
        "SW.7",
        f"{THEATERS[each]}: for which rounds do you play {cards}?",
        options,
        at_most=min(held, len(options)),
        unavailable=lambda: _wrong_card(table, side, each),
        piece_key=f"cards-{each}-{kind}",
        select_all_default=True,
    )
    return [option.value for option in chosen]


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
