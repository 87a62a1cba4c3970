"""[13] Pressing your luck: a card a turn, from turn 11 on."""

from __future__ import annotations

from readyroom.games.tora.battle.losses import all_lost
from readyroom.games.tora.figures import Data
from readyroom.games.tora.state import DECK, T


def turn_a_card(table: T) -> bool:
    """[13.3, 16.6] Draw a card at the end of a turn, from the turn of the option on; return whether it is black."""
    state, begins = table.state, table.state.rulings.luck_from
    if not begins or state.at.turn < begins:
        return False
    card = table.draw(state.luck, "13.3", "luck")
    state.drawn.append(card)
    if not card.black:
        table.log_line("13.3", "Japan draws the {}: the attack continues.", card, target=DECK)
        return False
    withdraws = "The task force withdraws"
    table.log_line("13.4", "Japan draws the {}: the task force withdraws.", card, target=DECK, moment=withdraws)
    all_lost(table, "13.4")
    return True


def last_turn(data: Data, luck_from: int) -> int:
    """[13.2] Return the last possible turn by the cards; without cards that of the text (T29)."""
    luck = data.combat.luck
    return (luck_from or luck.from_turn) + len(luck.red_suits) * len(luck.red_ranks)
