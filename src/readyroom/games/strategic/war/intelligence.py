"""[SW.3] Intelligence cards: drawn for each theater, played for a round."""

from __future__ import annotations

import msgspec

from readyroom.engine.rules.checks import RolledDice
from readyroom.engine.text import count_or_no
from readyroom.games.strategic.tables.figures import Data
from readyroom.games.strategic.tables.grids import SIDES
from readyroom.games.strategic.war.pieces import hand_place
from readyroom.games.strategic.war.places import (
    CAMPAIGNS,
    COUNTRIES,
    ENEMY,
    SIDE,
    THEATERS,
    Theater,
    theater,
    theaters,
    title,
)
from readyroom.games.strategic.war.state import SEATS, T, War, WarState

SUBMARINE, TACTICAL, STRATEGIC = "submarine", "tactical", "strategic"
KINDS = (SUBMARINE, TACTICAL, STRATEGIC)


def intelligence(table: T) -> None:
    """[SW.3] Roll a die for each side and theater and draw half as many cards, of secret kinds."""
    war = table.state.war
    for each in theaters(war.rounds):
        for side in SEATS:
            (die,) = table.roll_dice("SW.3", f"{each} {side}")
            count = die // table.data.war.cards.halved
            dice = table.roll_dice("SW.3", f"{each} {side} kinds", count) if count else b""
            war.hands[side][each] = [kind(table.data, face) for face in dice]
            name = "The Axis draws" if side == "axis" else "The Allies draw"
            goal = f"a card for every {table.data.war.cards.halved} pips"
            drawn, target = Drawn(count_or_no(count, "card"), goal, (die,)), hand_place(side, each)
            table.log_line("SW.3", "{} {} for {}.", name, drawn, THEATERS[each], target=target)
            if count:
                held = ", ".join(sorted(war.hands[side][each], key=KINDS.index))
                cards_held = Drawn(held, _kinds(table.data), tuple(dice))
                template = "You hold these {} cards: {}."
                table.log_line("SW.3", template, THEATERS[each], cards_held, audience=(side,), target=target)


class Drawn(msgspec.Struct, frozen=True):
    """[SW.3] A description of cards, what dice give, and the dice that gave them."""

    text: str
    goal: str
    dice: tuple[int, ...]

    def to_log(self) -> RolledDice:
        """The roll for the log."""
        result = f"{len(self.dice)}d{SIDES}, {self.goal}: {self.text}"
        return RolledDice("cards", (self.dice,), SIDES, result)

    def __str__(self) -> str:
        return self.text


def _kinds(data: Data) -> str:
    """Return which dice give a card of each kind."""
    faces = {each: [face for face in range(1, SIDES + 1) if kind(data, face) == each] for each in KINDS}
    spans = {each: f"{on[0]}–{on[-1]}" if len(on) > 1 else str(on[0]) for each, on in faces.items() if on}
    return ", ".join(f"{each} on {span}" for each, span in spans.items())


def kind(data: Data, face: int) -> str:
    """[SW.3] Return the kind of a card by its die."""
    limits = data.war.cards
    return SUBMARINE if face <= limits.submarine else TACTICAL if face <= limits.tactical else STRATEGIC


def serving(each: str) -> str:
    """Return the kind of card that serves a round."""
    return SUBMARINE if each in CAMPAIGNS else STRATEGIC


def matching(state: WarState, side: str, each: str) -> int:
    """Return how many cards a side holds that serve a round."""
    return state.war.hands[side].get(theater(each), []).count(serving(each))


def advantage(table: T, each: str) -> str:
    """[A13] Return who has the advantage in codebreaking: the attacker, the defender, or neither.

    Cards committed to the round are revealed and discarded; the only side to play one has the advantage. With the
    option "count" the side that holds more cards has it, and none is discarded.
    """
    attacker, state = attacking(each), table.state
    state.war.played = []
    count = state.rulings.codebreaking == "count"
    mine, yours = (
        matching(state, side, each) if count else int(_play(table, side, each)) for side in (attacker, ENEMY[attacker])
    )
    return _leader(mine, yours)


def known_advantage(state: WarState, each: str) -> str:
    """[A13] Return who has the advantage in a round under way, by the cards that were revealed."""
    attacker = attacking(each)
    return _leader(*(int(side in state.war.played) for side in (attacker, ENEMY[attacker])))


def _leader(attacker: int, defender: int) -> str:
    return "attacker" if attacker > defender else "defender" if defender > attacker else "neither"


def attacking(each: str) -> str:
    """Return the attacking side of a round."""
    return SIDE[CAMPAIGNS[each].nation if each in CAMPAIGNS else COUNTRIES[each].attacker]


def _play(table: T, side: str, each: str) -> bool:
    """Play a side's card for this round if it was committed; return whether it was."""
    war = table.state.war
    orders = war.orders[side]
    if each not in orders.cards:
        return False
    orders.cards.remove(each)
    hand = war.hands[side][theater(each)]
    if serving(each) not in hand:
        return False  # where a seat imagines the enemy's hand, the enemy was asked about another one
    hand.remove(serving(each))
    who = "The Axis plays" if side == "axis" else "The Allies play"
    moment = "" if _lately(war, theater(each)) else f"{THEATERS[theater(each)]} revealed"
    war.played.append(side)
    target = hand_place(side, theater(each))
    table.reveal("SW.3", "{} a {} card ({}).", who, serving(each), title(each), target=target, moment=moment)
    return True


def _lately(war: War, each: Theater) -> bool:
    """Return whether a card for a theater was played this turn or in the last one."""
    reports = [*war.last, *war.reports]
    return bool(war.played) or any(report.cards and theater(report.round) == each for report in reports)
