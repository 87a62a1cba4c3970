"""[14.4.1] The fields of China: which bombers can fly on, what is repaired, and what is left there."""

from __future__ import annotations

from readyroom.engine.decisions import Option
from readyroom.engine.table import Steps
from readyroom.games.doolittle.aftermath.crews import able, spend, still
from readyroom.games.doolittle.aftermath.landing import CHINA
from readyroom.games.doolittle.bombers import clear, finish_repair, pilot_of, repairable
from readyroom.games.doolittle.figures.flight import SiteCard
from readyroom.games.doolittle.pieces import Bomber, EliteMan, Marker
from readyroom.games.doolittle.state import Doolittle, T, seat_of

LANDED = "landed"


def standing(state: Doolittle, site: str) -> list[Bomber]:
    """[14.4.1] The bombers at a field."""
    return [bomber for bomber in state.squad.values() if bomber.fate == LANDED and bomber.where == site]


def capable(table: T) -> Steps:
    """[14.4, 14.4.1] Repair what can be repaired at each field; a bomber that cannot fly is destroyed by its crew."""
    for site in table.data.flight.sites_in(CHINA):
        if standing(table.state, site.key):
            yield from _copilots(table, site)
            yield from _groundcrew(table, site)
            for bomber in standing(table.state, site.key):
                if bomber.hits:
                    wreck(table, bomber, "it cannot fly")


def wreck(table: T, bomber: Bomber, why: str) -> None:
    """[14.4.1, 14.4.2] A bomber that is left behind is destroyed by its crew; its fuel remains at the field."""
    stock = table.state.sky.stock
    if bomber.fuel:
        stock[bomber.where] = stock.get(bomber.where, 0) + bomber.fuel
        bomber.fuel = 0
    bomber.fate = "wrecked"
    table.log_line("14.4.1", "The crew burns {}'s bomber: {}.", pilot_of(table, bomber), why)
    table.state.add_to_story("wrecked", bomber.key, bomber.where)
    clear(table, bomber)


# -- repairs ---------------------------------------------------------------------------------------------------------


def _copilots(table: T, site: SiteCard) -> Steps:
    """[2.3.2, 14.4.1, DR97] Let each copilot at the field repair a bomber there once, even with severe damage."""
    for crew in still(table.state, site.key):
        for man in [one for one in crew.elites if able(table.data, one, "repair")]:
            yield from _copilot(table, site, man, seat_of(table.state, crew.key))


def _copilot(table: T, site: SiteCard, man: EliteMan, seat: str) -> Steps:
    options = [one for bomber in standing(table.state, site.key) for one in _mendable(table, bomber)]
    if not options:
        return
    name = table.data.bombers.crewmen[man.key].name
    options.insert(0, Option("wait", "nothing"))
    question = f"What does {name} repair at {site.name}?"
    chosen = yield from table.choose(seat, "2.3.2", question, options, piece_key=man.key)
    if chosen.key != "wait":
        spend(table, man)
        finish_repair(table, "2.3.2", *chosen.value)


def _mendable(table: T, bomber: Bomber) -> list[Option]:
    """[2.3.2] Return the copilot's repair options: the bomber's damage, or one hazard marker on it."""
    return repairable(table, bomber, [(marker, _title(table, marker)) for marker in bomber.markers])


def _title(table: T, marker: Marker) -> str:
    """[8.3.7, 13.5.2] The hazards of a bomber by name: from the flight, from the crossing of America, or from sea."""
    way, crossing = table.data.flight_hazards, table.data.embarkation.cup.markers
    if marker.key in way.markers:
        return way.markers[marker.key].name or way.kinds.kind[way.markers[marker.key].kind].title
    return crossing[marker.key].title if marker.key in crossing else marker.cup


def hands(table: T, site: str) -> int:
    """[14.4.1] Return how many bombers the groundcrews at a field can still repair."""
    state = table.state
    crews = state.sky.groundcrews.get(site, 0)
    return crews * table.data.denouement.groundcrew.bombers - state.denouement.repairs.get(site, 0)


def _groundcrew(table: T, site: SiteCard) -> Steps:
    """[14.4.1] Let groundcrews repair bombers, except those with severe damage."""
    able_to = [one for one in standing(table.state, site.key) if one.hits <= 1 and (one.hits or one.markers)]
    options = [Option(f"mend-{one.key}", pilot_of(table, one), one) for one in able_to]
    most = max(0, hands(table, site.key))
    question = f"Which bombers does the groundcrew at {site.name} repair?"
    seat = table.state.captain
    chosen = yield from table.choose_some(seat, "14.4.1", question, options, at_most=most, select_all_default=True)
    for option in chosen:
        overhaul(table, option.value)


def overhaul(table: T, bomber: Bomber) -> None:
    """[14.4.1] Remove all damage and hazard markers from a bomber."""
    state = table.state
    state.denouement.repairs[bomber.where] = state.denouement.repairs.get(bomber.where, 0) + 1
    bomber.hits = 0
    state.put_back(*bomber.markers)
    bomber.markers = []
    table.log_line("14.4.1", "The groundcrew repairs {}'s bomber.", pilot_of(table, bomber))
