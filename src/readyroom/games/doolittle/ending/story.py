"""[1.9] The debriefing's pages: a front page, a letter home, a report to the Chiefs, and a time line.

Every sentence lists the happenings and the facts that it uses, and states nothing else. Its
sources are named by two words: `story 12` is a happening by its number, `fact blast` a fact of the debriefing,
`bomber b03`, `crew b03`, `city tokyo`, `site kian`, `ship hornet`, `talks stilwell`, `chit wake`, `view army`,
`check reprisal`, `launch`, `blotter` and `security` the state of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from readyroom.games.doolittle import names
from readyroom.games.doolittle.ending import campaign, facts
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.state import Doolittle, Happening, Target

Ref = str


class Sentence(NamedTuple):
    """A sentence, and its sources."""

    text: str
    of: Sequence[Ref]


class Entry(NamedTuple):
    """Something on the time line: the month, the day as far as it is known, and a sentence."""

    month: str
    day: str
    sentence: Sentence


class Page(NamedTuple):
    """A page of the debriefing: its heading, the sentences of its paragraphs, and who has signed it."""

    key: str
    heading: Sentence
    paragraphs: Sequence[Sequence[Sentence]]
    signed: str = ""


class Story:
    """The sources of all pages: the state, the figures, the facts, and the index of each happening."""

    def __init__(self, state: Doolittle, data: Data) -> None:
        self.state, self.data = state, data
        self.told_to_the_end = campaign.is_due(state)
        self.off = state.called_off

    @cached_property
    def known(self) -> Mapping[str, int]:
        """The facts of the debriefing."""
        return facts.all_facts(self.state, self.data)

    def of(self, what: str | Iterable[str], who: str = "") -> list[tuple[int, Happening]]:
        """Return the happenings of some kinds, with their numbers; of one piece, or of all."""
        kinds = {what} if isinstance(what, str) else set(what)
        return [(at, one) for at, one in enumerate(self.state.story) if one.what in kinds and who in ("", one.who)]

    def refs(self, what: str | Iterable[str], who: str = "") -> list[Ref]:
        """Return the references to the happenings of some kinds."""
        return [f"story {at}" for at, _ in self.of(what, who)]

    def by(self, cause: str) -> str:
        """Return what damaged or destroyed something, as a phrase that fits into a sentence."""
        return self.data.debriefing.tales.by.get(cause, cause)

    def cities(self) -> list[tuple[str, Target]]:
        """Return the cities on which bombs fell."""
        return [(key, target) for key, target in self.state.targets.items() if target.tally]

    def flew(self) -> int:
        """Return how many bombers took off."""
        return self.known["launched"]

    def chits(self) -> list[str]:
        """[15.1] Return the incidents that were drawn."""
        return facts.drawn_incidents(self.state)


def in_box(target: Target) -> int:
    """[4.9.4] Return the blast in boxes of a city."""
    return sum(box.blast for _, box in target.boxes)


def boxes_hit(target: Target) -> list[str]:
    """[4.9.4] Return the boxes of a city that were hit, the worst first."""
    struck = [(box.blast, key) for key, box in target.boxes if box.blast]
    return [key for _, key in sorted(struck, key=lambda one: -one[0])]


def areas_hit(target: Target) -> list[str]:
    """[4.9] Return the areas of a city on which bombs fell next to the targets."""
    return [key for key, area in target.areas.items() if area.blast]


# -- what a reference names ------------------------------------------------------------------------------------------


def source_names(state: Doolittle, data: Data, ref: Ref) -> set[str]:
    """Return the names that a sentence with this reference may use; KeyError or IndexError if unknown."""
    kind, _, key = ref.partition(" ")
    return _NAMED[kind](state, data, key)


def _happening_names(state: Doolittle, data: Data, key: str) -> set[str]:
    one = state.story[int(key)]
    result = {names.name_of(data, one.who), names.place_name(data, one.where), names.name_of(data, one.where)}
    if one.who.startswith("flight-"):
        return result
    maps = next((maps for maps in data.targets.maps.values() if one.where in maps.area_of), None)
    return result | ({maps.title} if maps else set())


def _bomber_names(state: Doolittle, data: Data, key: str) -> set[str]:
    bomber = state.squad[key]
    men = {data.bombers.crewmen[bomber.elite.key].name} if bomber.elite else set()
    return {names.pilot_name(data, key), names.place_name(data, bomber.where)} | men


def _crew_names(state: Doolittle, data: Data, key: str) -> set[str]:
    crew = facts.crew_of(state, key)
    if crew is None:
        raise KeyError(key)
    men = {data.bombers.crewmen[man.key].name for man in crew.elites}
    return {names.pilot_name(data, key), names.place_name(data, crew.where)} | men


def _city_names(state: Doolittle, data: Data, key: str) -> set[str]:
    target = state.targets[key]
    struck = [*boxes_hit(target), *areas_hit(target)]
    return {data.targets.maps[key].title} | {names.place_name(data, one) for one in struck}


def _talk_names(state: Doolittle, data: Data, key: str) -> set[str]:
    row = data.planning.calendar.row[key]  # type: ignore[index]
    if state.blotter is None:
        raise KeyError(key)
    return {row.name, row.leader}


def _launch_names(state: Doolittle, data: Data, key: str) -> set[str]:
    if state.launched is None and not facts.launch_area(state, data):
        raise KeyError("launch")
    return {names.place_name(data, facts.launch_area(state, data))}


def _ship_names(state: Doolittle, data: Data, key: str) -> set[str]:
    return {data.ships.cards[state.sea.ships[key].key].name}


def _chit_names(state: Doolittle, data: Data, key: str) -> set[str]:
    if state.blotter is None or key not in state.blotter.chits:
        raise KeyError(key)
    return {data.incidents.chits.kind[key].title}


def _no_names(state: Doolittle, data: Data, key: str) -> set[str]:
    """Return no names: facts, views and the security track have none."""
    if key and key not in facts.all_facts(state, data) and key not in data.debriefing.perspectives:
        raise KeyError(key)
    return set()


def _check_names(state: Doolittle, data: Data, key: str) -> set[str]:
    if state.ending is None or key not in state.ending.checks:
        raise KeyError(key)
    return set()


def _blotter_names(state: Doolittle, data: Data, key: str) -> set[str]:
    if state.blotter is None:
        raise KeyError("blotter")
    return {data.training.sites.site[state.blotter.site].title} if state.blotter.site else set()


_NAMED = {
    "story": _happening_names,
    "bomber": _bomber_names,
    "crew": _crew_names,
    "city": _city_names,
    "talks": _talk_names,
    "launch": _launch_names,
    "ship": _ship_names,
    "chit": _chit_names,
    "fact": _no_names,
    "view": _no_names,
    "security": _no_names,
    "check": _check_names,
    "blotter": _blotter_names,
}
