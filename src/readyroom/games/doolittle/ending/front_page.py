"""[1.9] The raid in the next morning's newspaper."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.text import capitalize_first, join_list
from readyroom.games.doolittle import names
from readyroom.games.doolittle.ending import campaign, facts
from readyroom.games.doolittle.ending.story import Page, Sentence, Story, areas_hit, boxes_hit, in_box
from readyroom.games.doolittle.pieces import Bomber
from readyroom.games.doolittle.state import CALLED_OFF

FEW = 3
"""The number of targets that are named; the others are counted."""
PROUD = 3
"""The grade of the White House from which the President jokes."""


def front_page(teller: Story) -> Page:
    """Return the front page: its headline, what is known of the cities, and what is said of it."""
    parts = (_report_attackers, _report_cities, _report_losses, _report_reactions)
    return Page("paper", _headline(teller), [one for one in (list(part(teller)) for part in parts) if one])


def _say(teller: Story, key: str, *of: str, **texts: str) -> Sentence:
    text = teller.data.debriefing.tales.paper[key].format(**texts)
    return Sentence(capitalize_first(text), of)


def _count_attackers(teller: Story) -> int:
    """[12.4] Return how many bombers took off for Japan."""
    return len(facts.bombers_for_japan(teller.state))


def _headline(teller: Story) -> Sentence:
    """Return the headline: the cities that were hit, or that nothing was."""
    hit = [key for key, target in teller.cities() if in_box(target)]
    refs = [f"city {key}" for key in hit]
    if teller.off:
        return _say(teller, "off", *teller.refs(CALLED_OFF))
    if not _count_attackers(teller):
        return _say(teller, "none", "fact launched")
    if len(hit) == len(teller.data.targets.maps):
        return _say(teller, "three", *refs)
    if hit:
        cities = join_list([names.city_name(teller.data, key) for key in hit])
        return _say(teller, "two" if len(hit) > 1 else "one", *refs, cities=cities)
    return _say(teller, "astray" if teller.known["area-blast"] else "nothing", "fact area-blast", "fact launched")


def _report_attackers(teller: Story) -> Iterator[Sentence]:
    """Yield how many bombers came, and over which cities."""
    struck = teller.cities()
    if teller.off:
        yield _say(teller, "off-text", *teller.refs(CALLED_OFF))
    elif not _count_attackers(teller):
        yield _say(teller, "lead-none", "fact launched")
    elif not struck:
        bombers = names.count_in_words(_count_attackers(teller), "bomber")
        yield _say(teller, "lead-nothing", "fact launched", "fact blast", bombers=bombers)
    else:
        bombers = names.count_in_words(sum(target.tally for _, target in struck), "bomber")
        cities = join_list([names.city_name(teller.data, key) for key, _ in struck])
        yield _say(teller, "lead", *(f"city {key}" for key, _ in struck), bombers=bombers, cities=cities)


def _report_cities(teller: Story) -> Iterator[Sentence]:
    """[4.9] Yield what burns in each city, and where else bombs fell."""
    for key, target in teller.cities():
        city, ref = names.city_name(teller.data, key), f"city {key}"
        boxes, areas = boxes_hit(target), areas_hit(target)
        if boxes:
            burn = "burns" if len(boxes) == 1 else "burn"
            targets = f"{join_list([f'the {names.place_name(teller.data, box)}' for box in boxes[:FEW]])} {burn}"
            more = len(boxes) - FEW
            if more > 0:
                yield _say(teller, "city-more", ref, city=city, targets=targets, more=names.number_word(more))
            else:
                yield _say(teller, "city", ref, city=city, targets=targets)
        if areas:
            yield _say(teller, "elsewhere", ref, areas=join_list([names.place_name(teller.data, one) for one in areas]))
        if target.dark:
            yield _say(teller, "dark", ref, city=city)
    if teller.known["carriers-hit"]:
        hit = {box for target in teller.state.targets.values() for box in boxes_hit(target)}
        for at, one in teller.of("carrier"):
            if one.where in hit:
                place = names.place_name(teller.data, one.where)
                yield _say(teller, "carrier", f"story {at}", "fact carriers-hit", box=f"the {place}")


def _report_losses(teller: Story) -> Iterator[Sentence]:
    """Yield bombers and ships that were lost, and enemy ships sunk."""
    if not _count_attackers(teller):
        return
    gone = [bomber for bomber in facts.flown_bombers(teller.state) if _fell_short(teller, bomber)]
    if gone:
        text = capitalize_first(names.count_in_words(len(gone), "bomber"))
        yield _say(teller, "lost", *(f"bomber {bomber.key}" for bomber in gone), lost=text)
    else:
        yield _say(teller, "all-flew-on", "fact launched")
    sunk = facts.sunk_ships(teller.state, teller.data)
    cards = teller.data.ships.cards
    for kind, carrier in (("carriers-sunk", True), ("ships-sunk", False)):
        lost = [key for key in sunk if (cards[key].type == "CV") is carrier]
        if lost:
            ships = join_list([cards[key].name for key in lost])
            yield _say(teller, kind, *(f"ship {key}" for key in lost), ships=ships)
    if teller.known["enemy-ships"]:
        yield _say(teller, "enemy", "fact enemy-ships", ships=names.count_in_words(teller.known["enemy-ships"], "ship"))


def _fell_short(teller: Story, bomber: Bomber) -> bool:
    """Return whether a bomber came down before it had left Japan behind."""
    flight = teller.data.flight
    if bomber.fate == "ditched":
        order = flight.order
        return bomber.where in order and order.index(bomber.where) <= order.index(flight.zones.japan)
    return bomber.fate in ("destroyed", "captured") and bomber.where not in flight.site


def _report_reactions(teller: Story) -> Iterator[Sentence]:
    """Yield the reactions in Washington and in Tokyo, and other news."""
    if teller.told_to_the_end and not teller.off and _count_attackers(teller):
        views = {view.key: view for view in campaign.views(teller.state, teller.data)}
        proud = views["white-house"].grade >= PROUD
        yield _say(teller, "shangri-la" if proud else "silence", "view white-house")
        japan = views["japan"]
        yield _say(teller, "tokyo", "view japan", title=japan.band.title, text=japan.band.text)
    if chits := facts.drawn_incidents(teller.state):
        titles = join_list([teller.data.incidents.chits.kind[key].title for key in chits])
        yield _say(teller, "elsewhere-too", *(f"chit {key}" for key in chits), chits=titles)
