"""What the drawn board adds to a view: labels, letters and colours, before anything has a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from readyroom.engine.game import MatchView
from readyroom.engine.text import count_noun
from readyroom.games.midway.state import DIE, JAPAN, KIND_TITLES, KINDS, SIDES, SideName, place_key, repairs_on
from readyroom.games.midway.view import CarrierView, MidwayView, SideView, SquadronView

BoxName = Literal["Moving", "Ready", "Home", "Waiting"]
"""The drawn boxes of the circuit; attacking squadrons are drawn at their targets."""
TINTS = 8
"""Number of colours that distinguish the carriers of a side, in addition to their letters."""


@dataclass(frozen=True, slots=True)
class Stack:
    """The squadrons in one place by type and carrier (None: hidden from the viewer), and what they do there.

    `room` is the number of counters that the place has room for, at least as many as are drawn: squadrons that look the
    same lie on one another, and take the room of one.
    """

    squadrons: Sequence[SquadronView] | None
    where: str
    room: int = 0

    @property
    def piles(self) -> Sequence[Sequence[SquadronView]]:
        """The squadrons in the order of their counters; those of one pile look the same."""
        return [list(pile) for _, pile in groupby(self.squadrons or (), key=_look)]

    @property
    def hidden(self) -> bool:
        """Whether the viewer may not see what is there."""
        return self.squadrons is None

    @property
    def points(self) -> int:
        """The total strength."""
        return sum(squadron.strength for squadron in self.squadrons or ())

    def __len__(self) -> int:
        """Return for how many counters it takes room; a hidden place shows one face down."""
        return 1 if self.squadrons is None else len(self.piles)


def _look(squadron: SquadronView) -> tuple[object, ...]:
    """Return what is equal for all squadrons of one pile."""
    return squadron.kind, squadron.home, squadron.strength, squadron.returning, squadron.seat


@dataclass(frozen=True, slots=True)
class Ship:
    """A carrier with her labels, deck, hangar and attackers.

    `state` describes her damage, if any; `yours` marks the viewer's carrier where a side has several seats. `lower`
    says that there is room for her hangar even if it is not drawn.
    """

    carrier: CarrierView
    side: SideName
    state: str
    figures: str
    title: str
    yours: bool
    deck: Stack
    hangar: Stack
    wave: Stack
    lower: bool

    @property
    def is_open(self) -> bool:
        """Whether her hangar is visible."""
        return self.carrier.status != "sunk" and not self.hangar.hidden


@dataclass(frozen=True, slots=True)
class Fleet:
    """A fleet: heading, score, ships, boxes of the circuit, and CAP from the centre outwards.

    `cap` is None if it is hidden; `rings` has the room in each of its rings in any case. `first_wave` describes what of
    the first wave has still to land, and `footed` says that there is room for it.
    """

    side: SideName
    title: str
    score: str
    ships: Sequence[Ship]
    boxes: Mapping[BoxName, Stack]
    cap: Sequence[Stack] | None
    rings: Sequence[int]
    first_wave: str
    footed: bool

    @property
    def is_uncovered(self) -> bool:
        """Whether the viewer sees that no fighters fly CAP."""
        return self.cap is not None and not any(ring.squadrons for ring in self.cap)


class Scene:
    """Everything on the board, with the viewer's own fleet nearest; a spectator has Japan there.

    `letters` and `tints` identify the home carrier of each counter; `lines` are the text above the fleets. `room` has
    the numbers of counters in all places; given those of several views, there is room for the most of each.
    """

    def __init__(self, view: MatchView[MidwayView], room: Mapping[str, float] | None = None) -> None:
        self.view, self.table = view, view.table
        self.room = dict(room or {})
        sides = self.table.sides.values()
        self.names = {carrier.key: carrier.name for side in sides for carrier in side.carriers}
        self.order = {key: at for at, key in enumerate(self.names)}
        self.letters = {key: letters for side in sides for key, letters in carrier_letters(side.carriers).items()}
        self.tints = {carrier.key: at % TINTS for side in sides for at, carrier in enumerate(side.carriers)}
        near: SideName = next((name for name in SIDES if self.table.sides[name].own), JAPAN)
        far = next(name for name in SIDES if name != near)
        self.fleets = self._fleet(far, near), self._fleet(near, far)
        self.lines = [describe_turn(view.turn, self.table.rulings.turn_limit)]
        if view.outcome is not None:
            self.lines.append(view.outcome.title)
        elif self.table.found is not None:
            self.lines.append(f"Japanese fleet {'found' if self.table.found else 'not found yet'}")

    def _fleet(self, name: SideName, enemy: SideName) -> Fleet:
        side, boxes = self.table.sides[name], self.table.sides[name].boxes
        waves = self.table.sides[enemy].boxes.attacking
        homes = [squadron.home for squadron in boxes.waiting or [] if squadron.returning]
        shares = [f"{self.letters[key]}{homes.count(key)}" for key in self.order if key in homes]
        lost = f" · {count_noun(len(side.lost), 'squadron')} lost" if side.lost else ""
        rings = self.table.rulings.cap_rings
        cap = [
            self._stack(f"{place_key(name, 'cap')}-{at}", squadrons, ring_name(at, rings))
            for at, squadrons in enumerate(side.cap or [None, *[()] * (rings - 1)])
        ]
        return Fleet(
            side=name,
            title=side.title + (" (you)" if side.own and self.view.is_own else ""),
            score=count_noun(self.table.score[name], "point") + lost,
            ships=[self._ship(name, side, carrier, waves.get(carrier.key, [])) for carrier in side.carriers],
            boxes={
                "Moving": self._stack(place_key(name, "moving"), boxes.moving, "moving to attack"),
                "Ready": self._stack(place_key(name, "ready"), boxes.ready, "ready to attack"),
                "Home": self._stack(place_key(name, "home"), boxes.home, "heading home"),
                "Waiting": self._stack(place_key(name, "waiting"), boxes.waiting, "waiting to land"),
            },
            cap=None if side.cap is None else cap,
            rings=[ring.room for ring in cap],
            first_wave=f"first wave: {', '.join(shares)}" if shares else "",
            footed=bool(self._most(f"{name}-first-wave", len(shares))),
        )

    def _ship(self, name: SideName, side: SideView, carrier: CarrierView, wave: Sequence[SquadronView]) -> Ship:
        damage, status, figures = carrier.damage, carrier.status, self.table.figures
        repair, can_repair = repairs_on(carrier.repair), carrier.repair <= DIE
        repairs = f"repair {repair}" if can_repair else "no repair"
        limits = f"crippled at {figures.cripple}, sunk at {figures.sink}"
        guns = f"{carrier.antiaircraft} anti-aircraft dice, {f'repairs on {repair}' if can_repair else 'cannot repair'}"
        hidden = carrier.hangar is None or status == "sunk"
        return Ship(
            carrier=carrier,
            side=name,
            state=status if status != "working" else f"damage {damage}" if damage else "",
            figures=f"AA {carrier.antiaircraft} · {repairs}",
            title=f"{carrier.name}, {status}: damage {damage}, {limits}; {guns}",
            yours=len(side.seats) > 1 and self.view.is_own and self.view.seat == carrier.seat,
            deck=self._stack(f"{carrier.key}-deck", carrier.deck, f"on {carrier.name}'s deck"),
            hangar=self._stack(f"{carrier.key}-hangar", carrier.hangar, f"in {carrier.name}'s hangar"),
            wave=self._stack(f"{carrier.key}-attackers", wave, f"attacking {carrier.name}"),
            lower=bool(self._most(f"{carrier.key}-lower", 0 if hidden else 1)),
        )

    def _stack(self, place: str, squadrons: Sequence[SquadronView] | None, where: str) -> Stack:
        stack = Stack(None if squadrons is None else self._sorted(squadrons), where)
        return replace(stack, room=self._most(place, len(stack)))

    def _sorted(self, squadrons: Sequence[SquadronView]) -> Sequence[SquadronView]:
        def order(squadron: SquadronView) -> tuple[int, int, int, bool, str]:
            kind, home = KINDS.index(squadron.kind), self.order[squadron.home]
            return kind, home, -squadron.strength, not squadron.returning, squadron.seat

        return sorted(squadrons, key=order)

    def _most(self, place: str, count: int) -> int:
        """Return the room in a place that has this many counters."""
        most = int(max(count, self.room.get(place, 0)))
        self.room[place] = most
        return most

    def squadrons(self) -> Iterator[tuple[SquadronView, SideName]]:
        """Yield every squadron on the board, and its side."""
        for fleet, enemy in (self.fleets, self.fleets[::-1]):
            stacks = [*fleet.boxes.values(), *(fleet.cap or ()), *(ship.wave for ship in enemy.ships)]
            stacks += [stack for ship in fleet.ships for stack in (ship.deck, ship.hangar)]
            for stack in stacks:
                yield from ((squadron, fleet.side) for squadron in stack.squadrons or ())

    def pile_title(self, pile: Sequence[SquadronView], where: str) -> str:
        """Return the description of a pile."""
        first = pile[0]
        text = (
            f"{self.names[first.home]} {first.kind}, {len(pile)}×{first.strength}={len(pile) * first.strength} points:"
        )
        text += f" {len(pile)} squadrons"
        text += f" of {KIND_TITLES[first.kind]}, {where}"
        return text + ", of the first wave" * first.returning

    def counter_title(self, squadron: SquadronView, where: str) -> str:
        """Return the description of a counter."""
        place = where.replace(f"{self.names[squadron.home]}'s", "the")
        title = f"{squadron.name}: {KIND_TITLES[squadron.kind]}, strength {squadron.strength}, {place}"
        if squadron.returning:
            title += ", of the first wave"
        if squadron.seat in self.names and squadron.seat != squadron.home:
            title += f", commanded by {self.names[squadron.seat]}"
        return title


def describe_turn(turn: int, last: int) -> str:
    """Return the turn as text.

    >>> describe_turn(0, 8), describe_turn(3, 8)
    ('Before the first turn', 'Turn 3 of 8')
    """
    return f"Turn {turn} of {last}" if turn else "Before the first turn"


def ring_name(at: int, rings: int) -> str:
    """Return the name of a ring of the CAP.

    >>> [ring_name(at, 3) for at in range(3)]
    ['CAP, in the center', 'CAP, in ring 2', 'CAP, in the last ring']
    """
    return f"CAP, in {'the center' if at == 0 else 'the last ring' if at == rings - 1 else f'ring {at + 1}'}"


def carrier_letters(carriers: Sequence[CarrierView]) -> dict[str, str]:
    """Return one to three letters for each carrier of a side, as few as identify her."""
    names = {carrier.key: "".join(filter(str.isalnum, carrier.name)) or "?" for carrier in carriers}
    return {key: _letters(name, [other for own, other in names.items() if own != key]) for key, name in names.items()}


def _letters(name: str, others: Sequence[str]) -> str:
    """Return as few letters of a name as no other begins with, at most three.

    >>> _letters("Soryu", ["Shokaku", "Kaga"])
    'So'
    """
    for letters in (name[:1], name[:2]):
        if not any(other.startswith(letters) for other in others):
            return letters
    return name[:3]
