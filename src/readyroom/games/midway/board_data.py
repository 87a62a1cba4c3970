"""What is on the board: each piece with its symbol and text, before it has a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readyroom.engine.game import MatchView, View
from readyroom.engine.text import count_noun
from readyroom.games.midway.state import DIE, JAPAN, KIND_TITLES, KINDS, SIDES, Box, SideName, repairs_on

WHERE = {
    Box.MOVING: "moving to attack",
    Box.READY: "ready to attack",
    Box.HOME: "heading home",
    Box.WAITING: "waiting to land",
}
"""What a squadron does in each box of the circuit; attacking squadrons are described at their target."""
TINTS = 8
"""Number of colours that distinguish the carriers of a side, in addition to their letters."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A squadron: its symbol and its description."""

    key: str
    art: str
    title: str
    returning: bool


@dataclass(frozen=True, slots=True)
class Art:
    """A counter's appearance: side, home carrier, type and strength."""

    id: str
    side: SideName
    home: str
    kind: str
    strength: int


@dataclass(frozen=True, slots=True)
class Crowd:
    """The counters in one place (None: hidden from the viewer) and their total strength."""

    counters: Sequence[Counter] | None
    points: int = 0

    @property
    def hidden(self) -> bool:
        """Whether the viewer may not see what is there."""
        return self.counters is None

    def __len__(self) -> int:
        """Return how many counters are drawn; a hidden place shows one face down."""
        return 1 if self.counters is None else len(self.counters)


@dataclass(frozen=True, slots=True)
class Carrier:
    """A carrier: her labels, deck, hangar and attackers.

    `state` describes her damage, if any; `yours` marks the viewer's carrier where a side has several seats.
    """

    key: str
    name: str
    side: SideName
    status: str
    damage: int
    state: str
    figures: str
    title: str
    yours: bool
    deck: Crowd
    hangar: Crowd
    wave: Crowd

    @property
    def opened(self) -> bool:
        """Whether her hangar is visible."""
        return self.status != "sunk" and not self.hangar.hidden


@dataclass(frozen=True, slots=True)
class Fleet:
    """A fleet: heading, score, carriers, boxes of the circuit, and CAP from the centre outwards.

    `cap` is None if it is hidden; `rings` is the number of its rings in any case. `first_wave` describes what of the
    first wave has still to land.
    """

    side: SideName
    title: str
    score: str
    carriers: Sequence[Carrier]
    boxes: Mapping[Box, Crowd]
    cap: Sequence[Crowd] | None
    rings: int
    first_wave: str


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything on the board: the far fleet, the near fleet, and the lines above them.

    `letters` and `tints` identify the home carrier of each counter; `full` is the strength of an undamaged squadron.
    """

    fleets: tuple[Fleet, Fleet]
    letters: Mapping[str, str]
    tints: Mapping[str, int]
    arts: Mapping[str, Art]
    full: int
    title: str
    lines: Sequence[str]


def scene(view: MatchView[Any]) -> Scene:
    """Return what a view shows, with the viewer's own fleet nearest; a spectator has Japan there."""
    return _Reader(view).scene()


class _Reader:
    """Reads a view and collects the symbols of its counters."""

    def __init__(self, view: MatchView[Any]) -> None:
        self.view = view
        table: View = view.table
        self.figures: View = table["figures"]
        self.rulings: View = table["rulings"]
        self.sides: dict[SideName, View] = table["sides"]
        self.names = {carrier["key"]: carrier["name"] for _, carrier in self._carriers()}
        self.side_of = {carrier["key"]: side for side, carrier in self._carriers()}
        self.order = {key: at for at, key in enumerate(self.names)}
        self.kinds = {kind: (at, KIND_TITLES[kind]) for at, kind in enumerate(KINDS)}
        self.letters = {key: mark for side in self.sides.values() for key, mark in marks(side["carriers"]).items()}
        self.arts: dict[str, Art] = {}

    def _carriers(self) -> Iterator[tuple[SideName, View]]:
        for name, side in self.sides.items():
            for carrier in side["carriers"]:
                yield name, carrier

    def scene(self) -> Scene:
        """Return the whole scene."""
        near = next((name for name in SIDES if self.sides[name]["own"]), JAPAN)
        far = next(name for name in SIDES if name != near)
        fleets = self._fleet(far, near), self._fleet(near, far)
        tints = {c["key"]: at % TINTS for side in self.sides.values() for at, c in enumerate(side["carriers"])}
        full, title = self.figures["squadron"], self.view.scenario
        return Scene(fleets, self.letters, tints, self.arts, full, title, self._lines())

    def _lines(self) -> list[str]:
        """Return the lines under the title: turn, outcome or state of the search."""
        lines = [describe_turn(self.view.turn, self.rulings["turn_limit"])]
        if self.view.outcome is not None:
            lines.append(self.view.outcome.title)
        elif self.view.table["found"] is False:
            lines.append("Japanese fleet not found yet")
        return lines

    # -- a fleet -----------------------------------------------------------------------------------------------------

    def _fleet(self, name: SideName, enemy: SideName) -> Fleet:
        side, cap = self.sides[name], self.sides[name]["cap"]
        waves: View = self.sides[enemy]["boxes"]["attacking"]
        return Fleet(
            side=name,
            title=side["title"] + (" (you)" if side["own"] else ""),
            score=self._score(name, side),
            carriers=[self._carrier(name, carrier, waves.get(carrier["key"], [])) for carrier in side["carriers"]],
            boxes={box: self._crowd(side["boxes"][box.value], where) for box, where in WHERE.items()},
            cap=None if cap is None else [self._crowd(ring, ring_name(at, len(cap))) for at, ring in enumerate(cap)],
            rings=self.rulings["cap_rings"],
            first_wave=self._first_wave(side),
        )

    def _score(self, name: SideName, side: View) -> str:
        points: int = self.view.table["score"][name]
        score, lost = count_noun(points, "point"), len(side["lost"] or ())
        return f"{score} · {count_noun(lost, 'squadron')} lost" if lost else score

    def _first_wave(self, side: View) -> str:
        """Return the first-wave squadrons still to land, if known."""
        homes = [squadron["home"] for squadron in side["boxes"]["waiting"] or [] if squadron["returning"]]
        shares = [f"{self.letters[key]} {homes.count(key)}" for key in self.order if key in homes]
        return f"first wave: {', '.join(shares)}" if shares else ""

    def _carrier(self, side: SideName, carrier: View, wave: Sequence[View]) -> Carrier:
        name, damage, status = carrier["name"], carrier["damage"], carrier["status"]
        repair = repairs_on(carrier["repair"]).replace("-", "–")
        repairs = f"repair {repair}" if carrier["repair"] <= DIE else "no repair"
        limits = f"crippled at {self.figures['cripple']}, sunk at {self.figures['sink']}"
        guns = f"{carrier['antiaircraft']} anti-aircraft dice, repairs on {repair}"
        return Carrier(
            key=carrier["key"],
            name=name,
            side=side,
            status=status,
            damage=damage,
            state=status if status != "working" else f"damage {damage}" if damage else "",
            figures=f"AA {carrier['antiaircraft']} · {repairs}",
            title=f"{name}, {status}: damage {damage}, {limits}; {guns}",
            yours=len(self.sides[side]["seats"]) > 1 and self.view.seat == carrier["seat"],
            deck=self._crowd(carrier["deck"], f"on deck on {name}"),
            hangar=self._crowd(carrier["hangar"], f"in the hangar of {name}"),
            wave=self._crowd(wave, f"attacking {name}"),
        )

    # -- squadrons ---------------------------------------------------------------------------------------------------

    def _crowd(self, squadrons: Sequence[View] | None, where: str) -> Crowd:
        """Return the squadrons of one place by type and carrier."""
        if squadrons is None:
            return Crowd(None)
        ordered = sorted(
            squadrons, key=lambda squadron: (self.kinds[squadron["kind"]][0], self.order[squadron["home"]])
        )
        counters = [self._counter(squadron, where) for squadron in ordered]
        return Crowd(counters, sum(s["strength"] for s in squadrons))

    def _counter(self, squadron: View, where: str) -> Counter:
        home, kind, strength = squadron["home"], squadron["kind"], squadron["strength"]
        art = f"pc-{home}-{kind}-{strength}"
        if art not in self.arts:
            self.arts[art] = Art(art, self.side_of[home], home, kind, strength)
        title = f"{squadron['name']}: {self.kinds[kind][1]} of {self.names[home]}, strength {strength}, {where}"
        if squadron["returning"]:
            title += ", of the first wave"
        if squadron["seat"] in self.names and squadron["seat"] != home:
            title += f", commanded by {self.names[squadron['seat']]}"
        return Counter(squadron["key"], art, title, squadron["returning"])


def describe_turn(turn: int, last: int) -> str:
    """Return the turn as text.

    >>> describe_turn(0, 8), describe_turn(3, 8)
    ('Before the first turn', 'Turn 3 of 8')
    """
    return f"Turn {turn} of {last}" if turn else "Before the first turn"


def ring_name(at: int, rings: int) -> str:
    """Return the name of a ring of the CAP.

    >>> [ring_name(at, 3) for at in range(3)]
    ['CAP, in the centre', 'CAP, in ring 2', 'CAP, in the last ring']
    """
    return f"CAP, in {'the centre' if at == 0 else 'the last ring' if at == rings - 1 else f'ring {at + 1}'}"


def marks(carriers: Sequence[View]) -> dict[str, str]:
    """Return up to three letters for each carrier of a side, as few as identify her.

    >>> names = {"soryu": "Soryu", "shokaku": "Shokaku", "kaga": "Kaga"}
    >>> marks([{"key": key, "name": name} for key, name in names.items()])
    {'soryu': 'So', 'shokaku': 'Sh', 'kaga': 'K'}
    """
    names = {carrier["key"]: "".join(filter(str.isalnum, carrier["name"])) or "?" for carrier in carriers}
    return {key: _mark(name, [other for own, other in names.items() if own != key]) for key, name in names.items()}


def _mark(name: str, others: Sequence[str]) -> str:
    for letters in (name[:1], name[:2]):
        if not any(other.startswith(letters) for other in others):
            return letters
    return name[:3]
