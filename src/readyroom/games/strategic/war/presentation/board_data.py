"""The contents of the war's chart: boxes with stacks, targets, sheets and the graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import msgspec

from readyroom.engine.game import MatchView
from readyroom.engine.rules.checks import signed
from readyroom.engine.text import capitalize_first, count_noun, count_or_no, join_list
from readyroom.games.strategic.war.pieces import counter, hand_place, land_place, track_place, turn_place
from readyroom.games.strategic.war.places import CAMPAIGNS, POWERS, SEAS, theaters
from readyroom.games.strategic.war.planning.building import EFFECTS, PROJECTS
from readyroom.games.strategic.war.views import (
    CountryView,
    FleetView,
    HandView,
    MarkView,
    OrdersView,
    PlannedRaid,
    PlanView,
    PowerView,
    RaidView,
    TargetView,
    WarView,
)

NAMES = {
    "submarine": "submarines",
    "escort": "escorts",
    "carrier": "escort carriers",
    "merchant": "merchant ships",
    "bomber": "bombers",
    "interceptor": "interceptors",
}
CARDS = {"tactical": "tactical", "submarine": "sub", "strategic": "bombing"}
"""What is printed on each kind of visible card."""
HIDDEN = "hidden"
"""The kind of cards that the seat does not see."""
NO_CARDS = HandView(0, None)
"""A hand before the first cards are dealt: it has its room on the chart already."""


@dataclass(frozen=True)
class Stack:
    """Factors of one kind in a box, with the key of their counter; `out` miss the turn, `ordered` are a plan's change.

    `build` is the key of the option that builds one, `keys` are those of others; `sends` are those of options that send
    some to a place.
    """

    key: str
    kind: str
    side: str
    nation: str
    count: int
    out: int
    title: str
    build: str = ""
    keys: Sequence[str] = ()
    sends: Sequence[str] = ()
    ordered: int = 0


class Aimed(NamedTuple):
    """A target on the chart; `raid` is the number of bombers that are sent to it, with a plus its escorts."""

    key: str
    name: str
    steps: int
    out: int
    figures: str
    title: str
    keys: Sequence[str]
    raid: str = ""

    @property
    def short(self) -> str:
        """The name without an article."""
        return self.name.removeprefix("The ")


class Box(NamedTuple):
    """An ocean or a country: title, key figure, rows of stacks, targets and notes.

    The key is that of its place on the chart; `keys` are those of options, and `takes` those of options that send
    something there.
    """

    key: str
    title: str
    side: str
    figure: str
    rows: Sequence[Sequence[Stack]]
    targets: Sequence[Aimed] = ()
    notes: Sequence[str] = ()
    keys: Sequence[str] = ()
    takes: Sequence[str] = ()


class Track(NamedTuple):
    """A project of a nation: its place, the key of its option, its level, its points, those of the plan, its effect."""

    place: str
    key: str
    name: str
    nation: str
    level: int
    points: int | None
    ordered: int = 0
    effect: str = ""


class NationSheet(NamedTuple):
    """A nation: its name, resources and research."""

    nation: str
    title: str
    money: str
    tracks: Sequence[Track]


class Card(NamedTuple):
    """The cards of a kind in a hand: how many, what is printed on them, and what the question about them is about."""

    key: str
    kind: str
    name: str
    number: int
    title: str
    about: str


class Hand(NamedTuple):
    """A side's cards for a theater: its place, its cards and all in words; `plays` are the keys of its options."""

    place: str
    title: str
    cards: Sequence[Card]
    description: str
    plays: Sequence[str]


class Sheet(NamedTuple):
    """A side: its name, score, nations, cards, and its raids and cards for rounds to come if visible."""

    side: str
    title: str
    score: str
    nations: Sequence[NationSheet]
    hands: Sequence[Hand]
    orders: str = ""


class Curve(NamedTuple):
    """A line of the graph: its name, side, and value at the end of each turn."""

    name: str
    side: str
    values: Sequence[int]


class Quarter(NamedTuple):
    """A box of the turn track."""

    place: str
    short: str
    title: str
    year: str
    now: bool
    past: bool


class Scene(NamedTuple):
    """Everything on the chart."""

    title: str
    lines: Sequence[str]
    quarters: Sequence[Quarter]
    boxes: Mapping[str, Box]
    sheets: Sequence[Sheet]
    curves: Sequence[Curve]
    news: Sequence[str] = ()
    graph: str = "Points by quarter"


def scene(view: MatchView[WarView]) -> Scene:
    """Return the chart's contents for a view."""
    return _Reader(view).scene()


class _Reader:
    """Builds a `Scene` from a view."""

    def __init__(self, view: MatchView[WarView]) -> None:
        self.view = view
        self.table = view.table
        self.fleets, self.countries = view.table.fleets, view.table.countries
        plan = view.sheets.get(view.seat or "")
        self.plan = msgspec.convert(plan, PlanView) if plan else PlanView({}, view.table.orders or OrdersView())
        self.raids: dict[str, PlannedRaid | RaidView] = {raid.target: raid for raid in view.table.raids}
        self.raids |= {raid.target: raid for some in self.plan.orders.raids.values() for raid in some}

    def scene(self) -> Scene:
        """Return everything on the chart."""
        boxes = [box for sea in SEAS for box in self._sea(sea)]
        boxes += [box for area in ("britain", "germany", "japan") for box in self._land(area)]
        score = self.table.scores
        lines = [self.table.date, f"Axis {score['axis']} points, Allies {score['allies']}"]
        turn, dates = self.view.turn, enumerate(self.table.dates, start=1)
        return Scene(
            self.view.scenario,
            lines,
            [Quarter(turn_place(at), date[:2], date, date.split()[1], at == turn, at < turn) for at, date in dates],
            {box.key: box for box in boxes},
            [self._sheet(side) for side in ("axis", "allies")],
            list(self._curves()),
            news(self.table),
            self._graph_title(),
        )

    # -- oceans ------------------------------------------------------------------------------------------------------

    def _sea(self, sea: str) -> Iterator[Box]:
        hunting = {key: fleet for key, fleet in self.fleets.items() if fleet.sea == sea}
        if not hunting:
            return
        ocean, owner = self.table.oceans[sea], "japan" if sea == "japan" else "allies"
        side, where = "axis" if owner == "japan" else "allies", "home" if sea == "japan" else sea
        counts = {"merchant": ocean.merchants, "escort": ocean.escorts, "carrier": ocean.carriers}
        ships, others = [], [f"to-{other}" for other in SEAS if owner == "allies" and other != sea]
        for kind, count in counts.items():
            key, build, moves = counter(kind, sea), f"{kind}-{where}", [f"move-{kind}-{sea}"]
            title = f"{NAMES[kind].capitalize()}, {SEAS[sea]}: {count}"
            ships.append(self._stack(key, kind, side, owner, count, 0, title, build, moves, others))
        boats = [self._boats(key, fleet) for key, fleet in hunting.items()]
        nets = "dice " + ", ".join(dict.fromkeys(signed(fleet.net) for fleet in hunting.values()))
        keys = [f"to-{sea}", *(f"card-{key}" for key in hunting)]
        takes = [f"move-{kind}-{other}" for other in SEAS if other != sea for kind in counts if owner == "allies"]
        takes += [f"move-{key}-{sea}" for key in self.fleets]
        takes += ["move-bomber-germany"] if sea == "pacific" else []
        yield Box(sea, SEAS[sea], side, nets, [boats, ships], notes=_expected(hunting), keys=keys, takes=takes)

    def _boats(self, key: str, fleet: FleetView) -> Stack:
        nation, out = fleet.nation, fleet.out
        side = "allies" if nation == "allies" else "axis"
        where = "pacific" if fleet.sea == "japan" else fleet.sea
        whose = "American" if side == "allies" else f"{POWERS[nation]}'s"
        title = f"{whose} submarines, {SEAS[fleet.sea]}: {fleet.ready}"
        title += f", {out} out of action" if out else " ready"  # a screen reader's name has what the counter shows
        goals = [f"move-{key}-{other.sea}" for other in self.fleets.values() if other.nation == nation]
        return self._stack(key, "submarine", side, nation, fleet.ready, out, title, f"submarine-{where}", goals)

    def _stack(self, key: str, *parts: Any, **more: Any) -> Stack:
        """Return a stack, with what the plan in progress changes."""
        stack, ordered = Stack(key, *parts, **more), self.plan.added.get(key, 0)
        return replace(stack, ordered=ordered, title=f"{stack.title}; ordered: {signed(ordered)}") if ordered else stack

    # -- countries ---------------------------------------------------------------------------------------------------

    def _land(self, area: str) -> Iterator[Box]:
        home = self.countries.get(area)
        if home is None and not self._escorted(area):
            return
        owner = "allies" if area == "britain" else area
        side, stacks = "allies" if owner == "allies" else "axis", list[Stack]()
        flying = {"britain": "germany", "germany": "britain", "japan": "japan"}[area]
        if flying in self.countries:
            stacks.append(self._bombers(flying))
        count = self.table.interceptors[area]
        title = f"Interceptors, {capitalize_first(area)}: {count}"
        key = counter("interceptor", area)
        flights = [f"meet-{aim.key}" for aim in home.targets] if home else []
        flights += [f"escort-{aim.key}" for each in self._escorted(area) for aim in each.targets]
        stacks.append(self._stack(key, "interceptor", side, owner, count, 0, title, "interceptor-home", sends=flights))
        aims = [self._aim(aim, home) for aim in home.targets] if home else []
        name = {"britain": "Britain", "germany": "Germany", "japan": "Japan"}[area]
        figure = f"radar {signed(home.interception)}" if home and home.interception else ""
        raids = [raid for raid in self.table.raids if home and raid.area == area]
        notes = [f"raid: {sum(raid.bombers for raid in raids)} bombers"] if raids else []
        is_base = area == "britain"
        keys, takes = [f"card-{area}", *["to-britain"] * is_base], ["move-bomber-japan"] * is_base
        yield Box(land_place(area), name, side, figure, [stacks], aims, notes, keys, takes)

    def _escorted(self, area: str) -> list[CountryView]:
        """Return the countries that are raided with escorts from here."""
        return [country for country in self.countries.values() if country.escorts == area]

    def _bombers(self, area: str) -> Stack:
        """Return the bombers that raid a country."""
        country = self.countries[area]
        attacker, ready, out = country.attacker, country.bombers.ready, country.bombers.out
        side, build = "allies" if attacker == "allies" else "axis", f"bomber-{'pacific' if area == 'japan' else 'home'}"
        title = f"Bombers against {country.title}: {ready}" + (f", {out} out, damaged" if out else " ready")
        title += f"; range {country.reach} hexes"
        key, moves = counter("bomber", area), [f"move-bomber-{area}"]
        sends = [*(aim.key for aim in country.targets), "to-britain" if area == "japan" else "to-pacific"]
        return self._stack(key, "bomber", side, attacker, ready, out, title, build, moves, sends)

    def _aim(self, aim: TargetView, home: CountryView) -> Aimed:
        far = aim.distance > home.reach
        figures = f"{aim.strength} · {signed(aim.net)}" if not far else "too far"
        parts = ", ".join(f"{count} {name if count != 1 else _singular(name)}" for name, count in aim.parts.items())
        title = f"{capitalize_first(aim.name)}: strength {aim.strength} ({parts}), {aim.distance} hexes away"
        title += f", {aim.out} of {aim.steps} steps out" if aim.out else f", {aim.steps} steps"
        title += "; too far for the bombers" if far else f"; {signed(aim.net)} for the bombers' dice on balance"
        keys = [aim.key, f"meet-{aim.key}", f"escort-{aim.key}"]
        raid = self.raids.get(aim.key)
        if raid is None:
            return Aimed(aim.key, capitalize_first(aim.name), aim.steps, aim.out, figures, title, keys)
        sent = f"{raid.bombers}+{raid.escorts}" if raid.escorts else f"{raid.bombers}"
        title += f"; raid: {_describe_raid(raid)}"
        return Aimed(aim.key, capitalize_first(aim.name), aim.steps, aim.out, figures, title, keys, sent)

    # -- sheets ------------------------------------------------------------------------------------------------------

    def _sheet(self, side: str) -> Sheet:
        own = " (you)" if self.view.seat == side and self.view.is_own else ""
        title = ("The Axis" if side == "axis" else "The Allies") + own
        nations = [self._nation(nation, power) for nation, power in self.table.powers.items() if power.side == side]
        held = self.table.hands[side]
        hands = [self._hand(side, each, held.get(each, NO_CARDS)) for each in theaters(self.table.rounds)]
        orders = _describe_orders(self.table, self.plan.orders) if self.view.seat == side else ""
        score, other = self.table.scores[side], self.table.scores["allies" if side == "axis" else "axis"]
        text = f"{score} pts (+{score - other})" if score > other else count_noun(score, "point")
        return Sheet(side, title, text, nations, hands, orders)

    def _nation(self, nation: str, power: PowerView) -> NationSheet:
        money = count_noun(power.money, "resource")
        if power.income:
            years = [date.split()[1] for date in self.table.dates[max(1, self.view.turn) - 1 :][:2]]
            money += f", {power.income} next turn" + (f" ({years[-1]})" if years[-1] != years[0] else "")
            money += f", {power.owes} of them lost" if power.owes else ""
        points = power.points
        tracks = [
            Track(
                track_place(nation, each),
                f"research-{each}",
                PROJECTS[each],
                nation,
                level,
                None if points is None else points.get(each, 0),
                self.plan.added.get(track_place(nation, each), 0),
                EFFECTS[each],
            )
            for each, level in power.levels.items()
        ]
        money += f", {power.under_way} in research" if points is None and power.under_way else ""
        return NationSheet(nation, capitalize_first(power.title).removeprefix("The "), money, tracks)

    def _hand(self, side: str, theater: str, held: HandView) -> Hand:
        place, title = hand_place(side, theater), theater.capitalize()
        counts = {kind: held.kinds.count(kind) for kind in CARDS} if held.kinds is not None else {HIDDEN: held.count}
        cards = [
            Card(
                f"{place}-{kind}",
                kind,
                CARDS.get(kind, ""),
                count,
                f"{title}: {_describe_cards(kind, count)}",
                f"cards-{theater}-{kind}",
            )
            for kind, count in counts.items()
            if count
        ]
        details = f", {', '.join(held.kinds)}" if held.kinds else ", hidden" if held.count else ""
        description = f"{title}: {count_or_no(held.count, 'card')}{details}"
        return Hand(place, title, cards, description, [f"card-{each}" for each in self.table.rounds])

    # -- the graph ---------------------------------------------------------------------------------------------------

    def _graphed(self) -> list[tuple[str, str]]:
        """Return the fleet and the sea of the graph; none if it is of the score."""
        pairs = [("german-atlantic", "atlantic"), ("american", "japan")]
        return [pair for pair in pairs if pair[0] in self.fleets][:1]

    def _graph_title(self) -> str:
        where = [SEAS[sea] for _, sea in self._graphed()]
        return f"{where[0]} by quarter" if where else "Points by quarter"

    def _curves(self) -> Iterator[Curve]:
        marks = [*self.table.history, *self._now()]
        for fleet, sea in self._graphed():
            boats = "axis" if fleet == "german-atlantic" else "allies"
            ships = "allies" if boats == "axis" else "axis"
            yield Curve("merchant ships", ships, [mark.merchants[sea] for mark in marks])
            yield Curve("submarines", boats, [mark.submarines[fleet] for mark in marks])
            fought = marks if self.table.reports else self.table.history
            yield Curve("ships sunk", "sunk", [mark.sunk.get(sea, 0) for mark in fought])
        if not self._graphed():
            for side, name in (("axis", "Axis points"), ("allies", "Allied points")):
                yield Curve(name, side, [mark.scores[side] for mark in marks])

    def _now(self) -> Iterator[MarkView]:
        """Yield the totals of a turn that is not over: the graph says what the counters say."""
        sunk = Counter[str]()
        for report in self.table.reports:
            if report.round in CAMPAIGNS:
                sunk[CAMPAIGNS[report.round].sea] += report.lost.get("merchants", 0)
        if len(self.table.history) < self.view.turn:
            merchants = {sea: ocean.merchants for sea, ocean in self.table.oceans.items()}
            boats = {key: fleet.ready + fleet.out for key, fleet in self.fleets.items()}
            yield MarkView(merchants, boats, dict(sunk), dict(self.table.scores))


def _singular(name: str) -> str:
    """Return the name of one part of a target.

    >>> _singular("objective symbols"), _singular("cities"), _singular("fortresses")
    ('objective symbol', 'city', 'fortress')
    """
    if name.endswith("ies"):
        return f"{name.removesuffix('ies')}y"
    return name.removesuffix("es") if name.endswith("sses") else name.removesuffix("s")


def _describe_cards(kind: str, count: int) -> str:
    name = {"strategic": "bombing"}.get(kind, kind)
    return count_noun(count, f"{name} card") + (", without effect here" if kind == "tactical" else "")


def _expected(hunting: Mapping[str, FleetView]) -> list[str]:
    """Return what the rounds in an ocean sink on average."""
    if not any(fleet.ready for fleet in hunting.values()):
        return ["no submarines"]
    ships, boats = (sum(getattr(fleet.expected, what) for fleet in hunting.values()) for what in ("merchants", "lost"))
    return [f"risk: {ships:.1f} ships, {boats:.1f} boats sunk a turn"]


def _describe_orders(table: WarView, orders: OrdersView) -> str:
    """Return a side's orders not yet carried out."""
    names = _target_names(table)
    raids = [f"{_describe_raid(raid)} to {names[raid.target]}" for some in orders.raids.values() for raid in some]
    cards = [_round(each) for each in orders.cards]
    return "; ".join([f"{'card' if len(cards) == 1 else 'cards'} for {join_list(cards)}"] * bool(cards) + raids)


def _describe_raid(raid: PlannedRaid | RaidView) -> str:
    escorts = f" with {count_noun(raid.escorts, 'interceptor')}" if raid.escorts else ""
    return f"{count_noun(raid.bombers, 'bomber')}{escorts}"


def _target_names(table: WarView) -> dict[str, str]:
    return {target.key: target.name for country in table.countries.values() for target in country.targets}


def _round(each: str) -> str:
    return CAMPAIGNS[each].title if each in CAMPAIGNS else f"raids on {each.capitalize()}"


def news(table: WarView) -> list[str]:
    """Return the results of this turn's rounds, or of last turn's before there are any."""
    names, lines = _target_names(table), []
    when = "" if table.reports else " last turn"
    for report in table.reports or table.last:
        if report.target:
            kinds = {"steps": "steps out", "points": "resources lost", "bombers": "bombers lost"}
            lost = {"points": 0, **report.lost}
            lost["points"] += table.figures.repair * lost.get("steps", 0)  # each step costs the next income, too
            done = ", ".join(f"{what} {lost.get(key, 0)}" for key, what in kinds.items())
            lines.append(f"{capitalize_first(names[report.target])}{when}: {done}")
        else:
            kinds = {"merchants": "ship", "escorts": "escort", "submarines": "boat"}
            sunk = [count_noun(report.lost[key], what) for key, what in kinds.items() if report.lost.get(key)]
            lines.append(f"{_round(report.round)}{when}: {', '.join(sunk) or 'nothing'} sunk")
    return lines
