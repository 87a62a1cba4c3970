"""[3.0, 4.0] The targets and an attack on them as a captain sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from readyroom.engine.rules.checks import signed
from readyroom.engine.text import en_dashes
from readyroom.games.doolittle.attack.bombing import can_enter_boxes
from readyroom.games.doolittle.figures.common import Light
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.piece_views import MarkerView, markers
from readyroom.games.doolittle.state import Box, Doolittle, scenario_card

# -- the attack ------------------------------------------------------------------------------------------------------


class AttackView(msgspec.Struct, frozen=True, kw_only=True):
    """[4.0] An attack in progress, and the phases of its turn; `boxes` says whether bombers may enter target boxes."""

    city: str
    light: Light
    flight: str
    high: bool
    boxes: bool
    turn: int
    turns: int
    entry: str
    met: Sequence[str]
    phases: Sequence[tuple[str, str]]

    @property
    def closed_reason(self) -> str:
        """[3.3.1, 4.4] What the bombers may not do at this height, with the bombsight that they have."""
        if self.high:
            return f"high altitude: no evasion{'' if self.boxes else ', no target boxes'}"
        return "" if self.boxes else "no target boxes without the Mark Twain bombsight"


def attack_view(state: Doolittle, data: Data) -> AttackView | None:
    """[4.0] Return the attack in progress, if there is one."""
    if state.raid is None:
        return None
    raid = state.raid
    return AttackView(
        city=raid.city,
        light=raid.light,
        flight=raid.flight,
        high=raid.high,
        boxes=can_enter_boxes(state),
        turn=raid.turn,
        turns=data.attack.turns.last,
        entry=raid.entry,
        met=[en_dashes(text) for text in raid.met],
        phases=[(phase.key, phase.title) for phase in data.attack.phases.phase],
    )


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """[3.3] A target box by this light: its numbers, its blast, and the markers that wait in it."""

    key: str
    name: str
    approach: int
    detonation: int
    carrier: bool
    blast: int
    markers: Sequence[MarkerView]

    @property
    def title(self) -> str:
        """The box in a sentence."""
        texts = [f"{self.name}: approach {self.approach}, hit {self.detonation}"]
        texts += [f"blast {self.blast}, on fire"] if self.blast else []
        return "; ".join([*texts, *(marker.summary for marker in self.markers)])


class AreaView(msgspec.Struct, frozen=True, kw_only=True):
    """[3.2] An area: its limit of hazards, its blast, its boxes, and the markers that no bomber has."""

    key: str
    name: str
    limit: int
    perimeter: bool
    adjacent: Sequence[str]
    blast: int
    counted: bool
    markers: Sequence[MarkerView]
    boxes: Sequence[BoxView]


class TargetView(msgspec.Struct, frozen=True, kw_only=True):
    """[3.0] A target map.

    `draws` are the hazards for each bomber and each level of alert, `steps` what each number of detonations adds to
    them; `cup` and `reserve` count the markers that are left, `met` those turned over so far by name.
    """

    title: str
    light: Light
    tally: int
    draws: tuple[int, int]
    steps: Sequence[int]
    dark: bool
    cup: int
    reserve: int
    met: Mapping[str, int]
    areas: Sequence[AreaView]

    @property
    def adds(self) -> int:
        """[3.4] What the tally adds to the hazards of an area."""
        return self.steps[min(self.tally, len(self.steps) - 1)]

    @property
    def turned_over(self) -> list[str]:
        """The markers turned over so far, the most frequent first."""
        often = sorted(self.met.items(), key=lambda one: (-one[1], one[0]))
        return [text.replace(",", "") + (f" ×{number}" if number > 1 else "") for text, number in often]

    def drawn(self, alert: int) -> str:
        """[4.2.2] Return how many hazards an area draws: for its bombers, the alert, and the bombs released so far."""
        bomber, level = self.draws
        more = self.adds + level * alert
        text = f"{bomber} per bomber{f' {signed(more)}' if more else ''}"
        parts = f"{self.tally} released: hazards {signed(self.adds)}, alert {signed(level * alert)}"
        return f"{parts}; each area draws {text}, up to its limit"


def target_view(state: Doolittle, data: Data, city: str) -> TargetView:
    """[3.0] Return a target map with its contents."""
    target, maps, light = state.targets[city], data.targets.maps[city], _light_of(state, data, city)
    return TargetView(
        title=maps.title,
        light=light,
        tally=target.tally,
        draws=(data.attack.draws.bomber, data.attack.draws.alert),
        steps=[data.attack.detonations.at(value) for value in range(_last_step(data) + 1)],
        dark=target.dark,
        cup=_markers_left(state, maps.cups[light]),
        reserve=_markers_left(state, data.hazards.reserve.cup),
        met={en_dashes(text): count for text, count in target.met.items()},
        areas=[_area_view(state, data, city, key, light) for key in maps.areas],
    )


def _light_of(state: Doolittle, data: Data, city: str) -> Light:
    """[3.1, 3.1.1] Return the light of a map: that of the raid, of the scenario, or of the hour."""
    if state.raid is not None and state.raid.city == city:
        return state.raid.light
    card = scenario_card(state, data)
    if state.air is not None:
        return data.flight.clock.box[state.air.hour % len(data.flight.clock.box)].light
    variant = card.chosen_variant(state.rulings.variant)
    return (variant and variant.light) or card.light or "day"


def _markers_left(state: Doolittle, cup: str) -> int:
    """[4.2.1] Return how many markers are left in a cup."""
    return len(state.cups[cup].contents) if cup in state.cups else 0


def _last_step(data: Data) -> int:
    """[3.4] Return the tally from which the track always says the same."""
    rows = data.attack.detonations
    least, most = rows.reach
    return next((value for value in range(least, most + 1) if rows.at(value) == rows.at(most)), most)


def _area_view(state: Doolittle, data: Data, city: str, key: str, light: Light) -> AreaView:
    """[3.2] Return an area with its contents."""
    card, area = data.targets.maps[city].areas[key], state.targets[city].areas[key]
    return AreaView(
        key=key,
        name=card.name,
        limit=card.hazards_max,
        perimeter=card.perimeter,
        adjacent=list(card.adjacent),
        blast=area.blast,
        counted=key in (scenario_card(state, data).counted_areas or (key,)),
        markers=markers(data, area.markers, key),
        boxes=[_box_view(data, city, one, box, light) for one, box in area.boxes.items()],
    )


def _box_view(data: Data, city: str, key: str, box: Box, light: Light) -> BoxView:
    """[3.3] Return a target box with its contents."""
    card = data.targets.maps[city].boxes[key]
    return BoxView(
        key=key,
        name=card.name,
        approach=card.approach(light),
        detonation=card.blast(light),
        carrier=card.carrier,
        blast=box.blast,
        markers=markers(data, box.markers, key),
    )
