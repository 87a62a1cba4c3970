"""[2.0, 4.2] Markers, elite crewmen and bombers as a captain sees them.

Of a marker face down only its front is public: its cup, an interceptor's silhouette, the red box. Its key would
reveal it, so the view names it by its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from readyroom.engine.rules.checks import signed
from readyroom.games.doolittle import names
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.pieces import Bomber, Marker
from readyroom.games.doolittle.state import Doolittle, seat_of
from readyroom.games.doolittle.voyage.ships import bombers_on_deck

SHORT = {
    "balloons": "wires",
    "break-off": "breaks",
    "crash": "crash",
    "panicked-streets": "panic",
    "ryuho": "CV",
    "hiyo": "CV",
    "compass-error": "compass",
    "faulty-compass": "compass",
    "faulty-doors": "doors",
    "flying-boat": "boat",
    "fuel-leak": "leak",
    "fuel-evaporation": "dry tank",
    "mechanical": "engine",
    "medals": "medals",
    "vessel": "vessel",
    "interceptor": "fighter",
}
"""Kinds of markers, as short as a chip has room for."""
LETTERS = {"approach": "A", "detonation": "D", "gunnery": "G", "landing": "L"}
"""The letter of the roll that a marker modifies."""
Front = tuple[str, bool, bool]


# -- markers ---------------------------------------------------------------------------------------------------------


class MarkerView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """[4.2, 4.6.3, 6.3.1, 8.3.7] A marker by its place: its cup, its front, and its back once it is known.

    Each kind of marker has only some of the fields; at sea there are no fronts.
    """

    at: str
    cup: str
    fighter: bool | None = None
    box: bool | None = None
    key: str = ""
    kind: str = ""
    name: str = ""
    text: str = ""
    icon: str | None = None
    threshold: str | None = None
    recovery: int | None = None
    range: Sequence[int] | None = None
    adds: dict[str, int] | None = None
    stay: bool | None = None

    @property
    def hidden(self) -> bool:
        """Whether it is face down."""
        return not self.key

    @property
    def short(self) -> str:
        """The marker in a few letters: its range, what it adds, or a word."""
        if self.hidden:
            return "?"
        if self.range:
            low, high = self.range
            return str(low) if low == high else f"{low}–{high}"
        adds = "".join(f"{LETTERS[roll]}{signed(value)}" for roll, value in (self.adds or {}).items())
        return SHORT.get(self.kind) or adds or self.name.lower()[:8]

    @property
    def title(self) -> str:
        """The marker in a sentence."""
        if self.hidden:
            red = " with the red box" if self.box else ""
            return f"A possible interceptor{red}" if self.fighter else f"A face-down hazard{red}"
        text = self.name
        if self.range:
            low, high = self.range
            text += f", hits on {low}" if low == high else f", hits on {low} to {high}"
        for roll, value in (self.adds or {}).items():
            text += f", {roll} {signed(value)}"
        return f"{text}{', stays' if self.stay else ''}. {self.text}".strip()

    @property
    def summary(self) -> str:
        """The first sentence of the title."""
        return self.title.split(".")[0]

    @property
    def at_sea(self) -> str:
        """[6.3.1, 12.1.6] A sea hazard with its icon or its recovery number; face down its cup."""
        if self.hidden:
            return f"face down, cup {self.cup}"
        more = self.threshold or (f"recovery {self.recovery}+" if self.recovery else "")
        return f"{self.name} ({more})" if more else self.name

    @property
    def style(self) -> str:
        """The look of its chip."""
        if self.hidden:
            return "hidden"
        return "good" if self.short.startswith(("A+", "D+", "medals", "CV")) else "open"


def public_front(data: Data, marker: Marker) -> Front:
    """[4.2, 4.3.1, 4.5] Return the front of a marker: its cup, whether it shows a fighter, and the red box."""
    card = data.hazards.markers.get(marker.key)
    if card is None:
        return (marker.cup, False, False)
    return (marker.cup, data.hazards.kinds.kind[card.kind].front == "interceptor", card.box)


def unseen(state: Doolittle) -> list[Marker]:
    """Return every marker whose back no one knows: in the cups, and face down over targets, on bombers and in zones.

    At sea, the hazards on patrols are among them [12.6.2].
    """
    in_cups, piles = [marker for cup in state.cups.values() for marker in cup.contents], list[list[Marker]]()
    for area in [area for target in state.targets.values() for area in target.areas.values()]:
        piles += [area.markers, *(box.markers for box in area.boxes.values())]
    piles += [bomber.assigned for bomber in state.squad.values()]
    if state.voyage is not None:
        piles += [state.voyage.undealt, *state.voyage.assigned.values()]
    if state.air is not None:
        piles += [*state.air.zones.values(), *(flight.assigned for flight in state.air.flights)]
    return in_cups + [marker for pile in piles for marker in pile if not marker.shown]


def markers(
    data: Data, markers: Sequence[Marker], where: str, *, known: bool = False, fronts: bool = True
) -> list[MarkerView]:
    """[4.2, 12.6.2] Return the markers at a place, with their backs where those are known; at sea without fronts."""
    views = []
    for at, marker in enumerate(markers, start=1):
        cup, fighter, box = public_front(data, marker)
        view = MarkerView(at=f"{where}-{at}", cup=cup)
        view = replace(view, fighter=fighter, box=box) if fronts else view
        views.append(_back_view(data, marker, view) if known or marker.shown else view)
    return views


def _back_view(data: Data, marker: Marker, view: MarkerView) -> MarkerView:
    """[4.6.3, 8.3.7, 12.6.6, 13.5.2] Return the view of a marker with its back."""
    key = marker.key
    if (hazard := data.hazards.markers.get(key)) is not None:
        kind = data.hazards.kinds.kind[hazard.kind]
        view = replace(view, key=key, kind=hazard.kind, name=kind.title, text=kind.text, stay=hazard.stay)
        adds = _nonzero(approach=hazard.approach, detonation=hazard.detonation)
        return replace(view, range=[hazard.low, hazard.high] if hazard.high else [], adds=adds)
    if (flight := data.flight_hazards.markers.get(key)) is not None:
        on_the_way = data.flight_hazards.kinds.kind[flight.kind]
        adds = _nonzero(gunnery=flight.gunnery, detonation=flight.detonation, landing=flight.landing)
        name = flight.name or on_the_way.title
        return replace(view, key=key, kind=flight.kind, name=name, text=on_the_way.text, icon=flight.icon, adds=adds)
    if (sea := data.sea_hazards.markers.get(key)) is not None:
        at_sea, mark = data.sea_hazards.kinds.kind[sea.kind], sea.icon
        view = replace(view, key=key, kind=sea.kind, name=at_sea.title, text=at_sea.text, icon=mark)
        return replace(view, threshold=names.icon_text(data, mark), recovery=sea.recovery)
    transit = data.embarkation.cup.markers[key]
    adds = _nonzero(gunnery=transit.gunnery)
    return replace(view, key=key, kind=transit.kind, name=transit.title, text=transit.text, adds=adds)


def _nonzero(**modifiers: int) -> dict[str, int]:
    return {roll: value for roll, value in modifiers.items() if value}


# -- the squadron ----------------------------------------------------------------------------------------------------


class EliteView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """[2.3] An elite crewman and his benefit; before he flies and after he is down only a part of it."""

    key: str = ""
    name: str
    role: str
    benefit: str
    text: str = ""
    once: bool | None = None
    used: bool | None = None

    @property
    def title(self) -> str:
        """The crewman in a sentence."""
        spent = ", used" if self.used else ", once" if self.once else ""
        return f"{self.name}, elite {self.role}: {self.benefit.lower()}{spent}"


def elite_view(data: Data, key: str) -> EliteView:
    """[2.3] Return an elite crewman with the name of his benefit."""
    card = data.bombers.crewmen[key]
    return EliteView(name=card.name, role=card.role, benefit=data.bombers.benefits[card.benefit].title)


class BomberView(msgspec.Struct, frozen=True, kw_only=True):
    """[2.0, 2.1, 2.3] A bomber with its crewman and its hazards.

    `area`, `box` and `enters` are empty once it is down; `where` is the name of the place `at` which it came down,
    `site` the name of the landing site that its flight has found, and `base` where it waits before it takes off.
    """

    key: str
    pilot: str
    serial: str
    nickname: str
    loaded: bool
    hits: int
    steps: list[str]
    elite: EliteView | None
    attached: Sequence[MarkerView]
    assigned: Sequence[MarkerView]
    fumes: int
    area: str
    box: str
    enters: int
    delayed: bool
    fate: str
    where: str
    at: str
    fuel: int
    flight: str
    site: str
    base: str
    seat: str

    @property
    def hazards(self) -> Sequence[MarkerView]:
        """[4.4] All its hazards, in the order in which decisions are made about them."""
        return (*self.assigned, *self.attached)

    @property
    def lost(self) -> bool:
        """Whether nothing is left of it."""
        return self.fate in ("destroyed", "captured", "ditched", "crashed")


def bomber_view(state: Doolittle, data: Data, bomber: Bomber) -> BomberView:
    """[2.1, 2.3] Return a bomber with all its hazards."""
    card, flight, flies = data.bombers.cards[bomber.key], state.find_flight(bomber.key), bomber.flies
    places = names.place_names(data)
    return BomberView(
        key=bomber.key,
        pilot=card.pilot,
        serial=card.serial,
        nickname=card.nickname,
        loaded=bomber.loaded,
        hits=bomber.hits,
        steps=list(getattr(data.bombers.armour, state.armour)),
        elite=_bomber_elite(data, bomber),
        attached=markers(data, bomber.markers, f"{bomber.key}-on", known=True),
        assigned=markers(data, bomber.assigned, f"{bomber.key}-at"),
        fumes=bomber.fumes,
        area=bomber.area if flies else "",
        box=bomber.box if flies else "",
        enters=bomber.enters if flies else 0,
        delayed=bomber.delayed,
        fate=bomber.fate,
        where=places.get(bomber.where, bomber.where),
        at=bomber.where,
        fuel=bomber.fuel,
        flight=flight.key if flight else "",
        site=places.get(flight.site, flight.site) if flight else "",
        base=_base_name(state, bomber),
        seat=seat_of(state, bomber.key),
    )


def _bomber_elite(data: Data, bomber: Bomber) -> EliteView | None:
    """[2.3] Return the elite crewman of a bomber, his benefit, and whether he has used it."""
    if bomber.elite is None:
        return None
    benefit = data.bombers.benefits[data.bombers.crewmen[bomber.elite.key].benefit]
    return replace(elite_view(data, bomber.elite.key), text=benefit.text, once=benefit.once, used=bomber.elite.used)


def _base_name(state: Doolittle, bomber: Bomber) -> str:
    """[12.3, 13.1.2] Return where a bomber is that has not taken off."""
    if state.segment == "planning":
        return "with the squadron"
    if state.voyage is None or state.find_flight(bomber.key) is not None:
        return ""
    return "on deck" if bomber in bombers_on_deck(state) else "taking off"
