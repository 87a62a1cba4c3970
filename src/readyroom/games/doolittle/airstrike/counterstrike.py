"""[11.5] What our own planes have found, as they report it; then the airstrike is over."""

from __future__ import annotations

from collections.abc import Sequence

from readyroom.engine.checks import Check
from readyroom.games.doolittle.airstrike.approach import enterprise
from readyroom.games.doolittle.state import T
from readyroom.games.doolittle.voyage.ships import HANGAR, recon_card, removed
from readyroom.games.doolittle.voyage.state import Recon

DISASTER, SCRATCH = "disaster", "scratch"
CONTACTS = {"contact": 1, "contact twice": 2}
"""[11.5.1] How many dice are rolled for ships in contact."""


def counterstrike(table: T) -> None:
    """[11.5, 11.5.1] The report of the planes that were sent; without any there is no report."""
    state, strike = table.state, table.state.airstrike
    sent = [state.sea.recon[key] for key in strike.navy]
    state.strike = None
    if not sent:
        return
    chart = table.data.airstrike.counterstrike
    column = chart.columns[sum(recon_card(table.data, recon).strikes for recon in sent) - 1]
    roll = table.roll_on_chart(chart, column, "counterstrike", _escort(table, sent))
    table.reveal("11.5.1", "Our planes report: {}.", roll)
    state.add_to_story("counterstrike", "", roll.cell)
    if roll.cell in CONTACTS:
        _contact(table, len(sent), CONTACTS[roll.cell])
    elif roll.cell == SCRATCH:
        _sunk(table, ships=1, carriers=1)
    _home(table, sent, lost=roll.cell == DISASTER)


def _escort(table: T, sent: Sequence[Recon]) -> list[tuple[str, int]]:
    """[11.5.1] What the fighters add."""
    escorted = any(recon_card(table.data, recon).escorts for recon in sent)
    return [("escort", table.data.airstrike.counter.escort)] if escorted else []


def contact_check(table: T, markers: int) -> Check:
    """[11.5.1] A die and the markers of the attack have to come to so much."""
    least = table.data.airstrike.counter.sunk_from
    return Check("11.5.1", "attack on ships", at_least=least, modifiers=[("planes", markers)])


def _contact(table: T, markers: int, dice: int) -> None:
    """[11.5.1, DR109] Each die may sink a ship; when both do, one of the ships was a carrier."""
    sunk = 0
    for _ in range(dice):
        roll = table.roll(contact_check(table, markers), "contact")
        table.log_line("11.5.1", "American planes {} a Japanese ship.", "sink" if roll else "fail to sink", roll)
        sunk += roll.passed
    _sunk(table, ships=sunk, carriers=int(sunk > 1))


def _sunk(table: T, *, ships: int, carriers: int) -> None:
    """[11.5.1, DR109] Enemy ships that were sunk; a carrier is one of them."""
    facts = table.state.facts
    for fact, number in (("enemy-ships", ships), ("enemy-carriers", carriers)):
        if number:
            facts[fact] = facts.get(fact, 0) + number
    if ships:
        what = "a carrier among them" if ships > 1 else "a carrier" if carriers else "of no known kind"
        table.reveal("11.5.1", "Enemy ships sunk: {}, {}.", ships, what)
        table.state.add_to_story("enemy-carrier-sunk" if carriers else "enemy-ship-sunk", "", str(ships))


def _home(table: T, sent: Sequence[Recon], *, lost: bool) -> None:
    """[11.5.1, 11.4.3] The planes land, unless they are lost, or the Enterprise cannot take them back."""
    deck = enterprise(table.state, "")
    for recon in sent:
        if lost or deck is None:
            removed(table, recon)
        else:
            recon.place = HANGAR
    if not lost and deck is None:
        table.log_line(
            "11.4.3", "The Enterprise cannot take her planes back. They land on the Hornet, or come down at sea."
        )
