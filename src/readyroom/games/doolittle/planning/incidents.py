"""[15.0, 15.1] Incidents: a chit each month for other events of the war from January to April 1942."""

from __future__ import annotations

from collections.abc import Callable

from readyroom.games.doolittle.figures.common import Month
from readyroom.games.doolittle.figures.planning import NAVY
from readyroom.games.doolittle.pieces import Marker
from readyroom.games.doolittle.planning import blotter
from readyroom.games.doolittle.planning.china import capture_site, struck_site
from readyroom.games.doolittle.planning.incident_effects import SECOND, THIRD, chits_held, incident_happened
from readyroom.games.doolittle.planning.state import Turn
from readyroom.games.doolittle.secrecy import add_risk
from readyroom.games.doolittle.state import T, announce_lead


def begin_month(table: T, month: Month) -> bool:
    """[15.1, 15.1.1, DR98] Begin a month and draw a chit if incidents happen; return whether the raid is called off.

    Another chit follows one whose kind was held before.
    """
    state, notes = table.state, table.state.notes
    notes.month, notes.earlier = month, len(notes.chits)
    announce_lead(table)
    if blotter.CHITS not in state.cups:
        return False
    cup, fresh = state.cups[blotter.CHITS], state.cups[f"{blotter.CHITS}-{month}"]
    cup.contents += fresh.contents
    fresh.contents = []
    again = True
    while again and cup.contents and not state.called_off:
        chit = table.draw(cup, "15.1.1", "chit")
        again = chits_held(state, table.data.incidents.chits.markers[chit.key]) > 0
        _apply_chit(table, chit)
    return state.called_off


def _apply_chit(table: T, chit: Marker) -> None:
    """[15.1.1, 15.1.2] Apply and keep a chit; then the Joint Chiefs may have to be asked."""
    kind = table.data.incidents.chits.markers[chit.key]
    card = table.data.incidents.chits.kind[kind]
    chit.shown = True
    table.state.out.append(chit)
    table.state.notes.chits.append(kind)
    table.reveal(card.rule, "{}. {}", card.title, card.text, target="incidents", moment=card.title)
    table.state.add_to_story("incident", kind)
    EFFECTS[kind](table, chits_held(table.state, kind))
    _joint_chiefs(table)


def _roll_die(table: T, rule: str, subject: str) -> int:
    """Roll a die and log it."""
    face = table.roll_dice(rule, subject)[0]
    table.log_line(rule, "The roll is {}.", face)
    return face


def _roll_even(table: T, rule: str, subject: str) -> bool:
    """Roll a die, log it, and return whether it is even."""
    return _roll_die(table, rule, subject) % 2 == 0


def _note(table: T, turn: Turn) -> None:
    table.state.notes.turns.append(turn)


def _abort(table: T, rule: str, why: str) -> None:
    """[15.1.2] Call the raid off."""
    table.state.call_off()
    table.reveal(rule, "The raid is called off: {}.", why, moment="The raid is called off")
    table.state.add_to_story("called-off", rule)


def _order_9066(table: T, number: int) -> None:
    """[15.1.2.A] Do nothing; the debriefing mentions it."""


def _bataan(table: T, number: int) -> None:
    """[15.1.2.B] Roll whether MacArthur stays, escapes, or is captured, which keeps Doolittle at home."""
    if number < SECOND:
        stays = _roll_die(table, "15.1.2.B", "macarthur") == table.data.incidents.bataan.stays_on
        if not stays:
            _note(table, "macarthur-escaped")
        text = "fights on in the Philippines" if stays else "gets away to Australia"
        table.log_line("15.1.2.B", "MacArthur {}.", text)
    elif not incident_happened(table.state, "macarthur-escaped"):
        escapes = _roll_even(table, "15.1.2.B", "macarthur")
        _note(table, "macarthur-escaped" if escapes else "macarthur-captured")
        text = "slips out at the last moment" if escapes else "is captured, and Doolittle may not fly"
        table.log_line("15.1.2.B", "MacArthur {}.", text)


def _joint_chiefs(table: T) -> None:
    """[15.1.2.B] Roll with two chits each of Wake, Rabaul and Bataan: odd calls the raid off."""
    needed = table.data.incidents.bataan.called_off
    if incident_happened(table.state, "joint-chiefs-asked") or table.state.called_off:
        return
    if all(chits_held(table.state, kind) >= number for kind, number in needed.items()):
        _note(table, "joint-chiefs-asked")
        if _roll_even(table, "15.1.2.B", "joint-chiefs"):
            table.log_line("15.1.2.B", "The Joint Chiefs weigh what has been lost, and let the raid continue.")
        else:
            _abort(table, "15.1.2.B", "to the Joint Chiefs it is too great a risk by now")


def _blast(table: T, number: int) -> None:
    """[15.1.2.C] Cripple or sink a carrier; this month there are no talks with the Navy."""
    limps = _roll_even(table, "15.1.2.C", "carrier")
    table.log_line("15.1.2.C", "The carrier {}.", "limps home" if limps else "has to be sunk")


def _ceylon(table: T, number: int) -> None:
    """[15.1.2.D] Roll the second time for the Royal Navy: a victory improves secrecy or draws a chit of Wake."""
    if number != SECOND:
        return
    figures = table.data.incidents.ceylon
    if _roll_die(table, "15.1.2.D", "royal-navy") < figures.victory_from:
        table.log_line("15.1.2.D", "The Royal Navy is beaten.")
        return
    table.log_line("15.1.2.D", "The Royal Navy hits a Japanese carrier.")
    if _roll_even(table, "15.1.2.D", "victory"):
        _note(table, "ceylon-won")
        table.log_line("15.1.2.D", "When the force sails, the risk will be {} less.", -figures.risk)
        return
    _draw_kind(table, figures.fished)


def _draw_kind(table: T, kind: str) -> None:
    """[15.1.2.D, DR139] Search the cup for a chit of this kind, and apply it without drawing another."""
    cup, known = table.state.cups[blotter.CHITS], table.data.incidents.chits.markers
    chit = next((one for one in cup.contents if known[one.key] == kind), None)
    if chit is not None:
        cup.contents.remove(chit)
        _apply_chit(table, chit)


def _quit_india(table: T, number: int) -> None:
    """[15.1.2.E] Stop fuel and groundcrews for China this month; after the second chit for good."""
    if number >= SECOND:
        table.log_line("15.1.2.E", "No more supplies can be sent to the fields in China.")


def _rabaul(table: T, number: int) -> None:
    """[15.1.2.F] Roll for a battle that modifies the talks with the Navy; the second time add a die of risk."""
    figures = table.data.incidents.rabaul
    if number >= SECOND:
        more = sum(table.roll_dice("15.1.2.F", "marcus", figures.risk_dice))
        add_risk(table, more)
        table.log_line("15.1.2.F", "Carriers raid Marcus Island, near Japan: the risk grows by {}.", more)
    elif _roll_even(table, "15.1.2.F", "rabaul"):
        table.log_line("15.1.2.F", "Rabaul falls.")
    else:
        _note(table, "rabaul-battle")
        both = _roll_die(table, "15.1.2.F", "battle") > figures.one_carrier_to
        lost = "a carrier of either side is sunk" if both else "one of our carriers is sunk"
        table.log_line("15.1.2.F", "There is a battle, and {}; talks with the Navy lose {}.", lost, -figures.modifier)


def _rangoon(table: T, number: int) -> None:
    """[15.1.2.G] Stop all supplies to China for good if there is turmoil in India."""
    if chits_held(table.state, "quit-india"):
        table.log_line("15.1.2.G", "No more supplies can be sent to the fields in China.")


def _shanghai(table: T, number: int) -> None:
    """[15.1.2.H] Capture sites; the second chit ends talks with China, the third may end the raid."""
    if number == SECOND:
        table.log_line("15.1.2.H", "There will be no more talks with China, and treks there grow harder.")
    elif number == THIRD:
        table.log_line("15.1.2.H", "Unless Stalin lets bombers land, the raid will be called off.")
    else:
        _raided(table)


def _raided(table: T) -> None:
    """[15.1.2.H, 13.2.4, DR123, DR124] Capture one or two sites by a die; odd also removes every beacon in China."""
    figures, sky = table.data.incidents.shanghai, table.state.sky
    even = _roll_even(table, "15.1.2.H", "shanghai")
    for _ in range(figures.sites_even if even else figures.sites_odd):
        site = struck_site(table)
        while site.key in sky.taken and len(sky.taken) < len(table.data.flight.sites_in("china")):
            site = struck_site(table)
        capture_site(table, site, "15.1.2.H")
    if not even and sky.beacons:
        sky.beacons.clear()
        table.log_line("15.1.2.H", "All beacons in China are gone.")


def _wake_raided(table: T) -> None:
    """[15.1.2.I, DR99] Apply the first chit: after Blast it modifies the talks with the Navy for good."""
    if chits_held(table.state, "blast"):
        _note(table, "wake-after-blast")
        table.log_line("15.1.2.I", "Talks with the Navy lose {}.", -table.data.incidents.wake.after_blast)


def _wake_answered(table: T) -> None:
    """[15.1.2.I] Apply the second chit, in a later month than the first: odd raises the risk by two dice."""
    notes = table.state.notes
    if "wake" not in notes.chits[: notes.earlier]:
        return
    if _roll_even(table, "15.1.2.I", "wake"):
        table.log_line("15.1.2.I", "The Japanese do not seem to answer.")
        return
    more = sum(table.roll_dice("15.1.2.I", "answer", table.data.incidents.wake.risk_dice))
    add_risk(table, more)
    table.log_line("15.1.2.I", "The Japanese mean to answer: the risk grows by {}.", more)


def _wake_invaded(table: T) -> None:
    """[15.1.2.I] Apply the third chit: an invasion resets the risk; a failed one modifies the talks with the Navy."""
    won = _roll_even(table, "15.1.2.I", "invasion")
    _note(table, "wake-won" if won else "wake-lost")
    table.state.security.risk = table.data.security.track.risk_min
    less = -table.data.incidents.wake.failed_invasion
    text = "is retaken" if won else f"is not retaken, and talks with the Navy lose {less}"
    table.log_line("15.1.2.I", "Wake {}; the risk falls to its minimum.", text)


def _wake_fought_for(table: T) -> None:
    """[15.1.2.I] Apply the fourth chit if Wake was retaken: a battle ends the raid, or the Navy's help."""
    if not incident_happened(table.state, "wake-won"):
        return
    if _roll_die(table, "15.1.2.I", "battle") <= table.data.incidents.wake.called_off_to:
        _abort(table, "15.1.2.I", "a carrier is lost off Wake")
        return
    table.state.security.risk = table.data.security.track.risk_min
    _note(table, "navy-busy")
    talked = table.state.talks
    talked.submarines = 0
    if NAVY in talked.granted:
        talked.granted.remove(NAVY)
    table.log_line("15.1.2.I", "The battle off Wake keeps the Navy busy: the Enterprise does not come.")


WAKE = (_wake_raided, _wake_answered, _wake_invaded, _wake_fought_for)
"""[15.1.2.I] The chits of Wake, in order."""
EFFECTS: dict[str, Callable[[T, int], None]] = {
    "9066": _order_9066,
    "bataan": _bataan,
    "blast": _blast,
    "ceylon": _ceylon,
    "quit-india": _quit_india,
    "rabaul": _rabaul,
    "rangoon": _rangoon,
    "shanghai": _shanghai,
    "wake": lambda table, number: WAKE[number - 1](table),
}


def apply_at_sailing(table: T) -> None:
    """[15.1.2.D, 15.1.2.H] Apply incidents as the force sails: Shanghai may end the raid, Ceylon lowers the risk."""
    state, figures = table.state, table.data.incidents
    if chits_held(state, "shanghai") >= THIRD and "thompson" not in state.talks.granted:
        _abort(table, "15.1.2.H", "China is overrun, and Stalin has not agreed")
    elif incident_happened(state, "ceylon-won"):
        add_risk(table, figures.ceylon.risk)
        table.log_line("15.1.2.D", "With carriers off Ceylon the risk falls by {}.", -figures.ceylon.risk)
