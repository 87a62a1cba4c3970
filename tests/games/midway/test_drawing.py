"""Tests of the drawn board: positions of all pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace
from tests.games.midway.helpers import Battle
from tests.views import view_of

from readyroom import Match
from readyroom.engine.game import MatchView
from readyroom.games.midway import GAME
from readyroom.games.midway.board_data import Scene, carrier_letters
from readyroom.games.midway.chart import BEAM, COUNTER, HULL, TAB, Chart, Patrol
from readyroom.games.midway.drawing import layout, room
from readyroom.games.midway.landscape import LEAST, fan
from readyroom.games.midway.portrait import grid, on_deck, rings
from readyroom.games.midway.view import MidwayView

Frame = tuple[float, float, float, float]
EDGE = 6
"""The chart's inner frame."""
ON_DECK = 3.0
"""The least distance of counters on a flight deck, which cannot grow."""
PAGES = {"wide": (878, 608), "medium": (649, 608)}
"""The pixels that a match page has for a board in windows of 1366 by 768 and 1024 by 768."""


def view(battle: Battle, seat: str | None) -> MatchView[MidwayView]:
    """Return the view of a battle set up by hand."""
    return view_of(GAME, battle.state, seat, turn=battle.turn)


def frame(at: str, width: float = 26, height: float = 28) -> Frame:
    """Return the area covered by a counter."""
    match = re.fullmatch(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", at)
    assert match is not None
    x, y, scale = (float(part or 1) for part in match.groups())
    return x, y, x + width * scale, y + height * scale


def apart(one: Frame, other: Frame) -> bool:
    """Return whether two frames do not overlap, allowing for rounding."""
    slack = 0.2
    return (
        one[2] <= other[0] + slack
        or other[2] <= one[0] + slack
        or one[3] <= other[1] + slack
        or other[3] <= one[1] + slack
    )


def all_apart(frames: Iterable[Frame]) -> bool:
    """Return whether no frames overlap; compares them in bands, for speed."""
    bands: dict[int, list[Frame]] = {}
    for found in frames:
        for band in range(int(found[1] // 40), int(found[3] // 40) + 1):
            bands.setdefault(band, []).append(found)
    return all(apart(*pair) for band in bands.values() for pair in combinations(band, 2))


def counters(chart: Chart) -> list[Frame]:
    """Return the frames of all counters, including those face down."""
    under = piled(chart)
    placed = [frame(one.at) for placed in chart.counters.values() for one in placed if one.squadron.key not in under]
    return placed + [frame(hidden.at) for hidden in chart.hidden]


def piled(chart: Chart) -> set[str]:
    """Return the keys of the squadrons that lie under the uppermost of a pile, and check that the pile is one."""
    piles = [pile for placed in chart.piles.values() for pile in placed]
    frames = {piece.squadron.key: frame(piece.at) for placed in chart.counters.values() for piece in placed}
    for pile in piles:
        assert len(pile.squadrons) > 1
        assert len({(each.kind, each.home, each.strength, each.returning) for each in pile.squadrons}) == 1
        for squadron in pile.squadrons:
            assert max(abs(a - b) for a, b in zip(frames[squadron.key], frame(pile.at), strict=True)) < 3
    return {squadron.key for pile in piles for squadron in pile.squadrons[:-1]}


def frame_of(cap: Patrol) -> Frame:
    """Return the area covered by a CAP."""
    if cap.circles:
        reach = cap.circles[-1]
        return cap.x - reach, cap.y - reach * (not cap.flipped), cap.x + reach, cap.y + reach * cap.flipped
    [(width, middle)] = re.findall(r"Q([\d.]+) ([\d.]+) [\d.]+ 0Z", cap.outlines[-1])
    return cap.x, cap.y, cap.x + float(width) - 6, cap.y + 2 * float(middle)


def stacks(chart: Chart) -> dict[str, list[Frame]]:
    """Return the frames of the counters in each place; those face down are places of their own."""
    found: dict[str, list[Frame]] = {hidden.title: [frame(hidden.at)] for hidden in chart.hidden}
    frames = {piece.squadron.key: frame(piece.at) for placed in chart.counters.values() for piece in placed}
    fleets = [fleet for fleet, _ in chart.headings]
    places = [stack for fleet in fleets for stack in (*fleet.boxes.values(), *(fleet.cap or ()))]
    places += [stack for fleet in fleets for ship in fleet.ships for stack in (ship.deck, ship.hangar, ship.wave)]
    for at, stack in enumerate(places):
        found[f"{at} {stack.where}"] = [frames[pile[-1].key] for pile in stack.piles]
    return found


def check(chart: Chart) -> None:
    """Check that everything is inside the frame, and that nothing overlaps but counters in one row of one place."""
    areas = [(area.x, area.y, area.x + area.width, area.y + area.height) for area in chart.areas]
    hulls = [(ship.x, ship.y, ship.x + HULL * ship.scale, ship.y + BEAM * ship.scale) for ship in chart.ships]
    patrols = [frame_of(cap) for cap in chart.patrols]
    for left, top, right, bottom in [*counters(chart), *areas, *hulls, *patrols]:
        assert left >= EDGE
        assert top >= EDGE
        assert right <= chart.width - EDGE
        assert bottom <= chart.height - EDGE
    assert all_apart([*areas, *hulls, *patrols])
    if chart.shape == "narrow":
        assert all_apart(counters(chart))
        return
    spans = list[Frame]()
    for where, frames in stacks(chart).items():
        for one, other in combinations(frames, 2):
            least = ON_DECK if "deck" in where else LEAST
            assert apart(one, other) or (one[1] == other[1] and abs(one[0] - other[0]) > least - 0.2), where
        if frames:
            lefts, tops, rights, bottoms = zip(*frames, strict=True)
            spans.append((min(lefts), min(tops), max(rights), max(bottoms)))
    assert all_apart(spans)


def check_boxes(chart: Chart) -> None:
    """Check that the counters of each box and CAP are in it, below its title."""
    frames = {piece.squadron.key: frame(piece.at) for placed in chart.counters.values() for piece in placed}
    fleets = {fleet.side: fleet for fleet, _ in chart.headings}
    for area in chart.areas:
        held = fleets[area.side].boxes[area.title].squadrons or ()
        box = (area.x, area.y + chart.title - 1, area.x + area.width, area.y + area.height)
        assert all(inside(frames[squadron.key], box) for squadron in held), area.key
    for cap in chart.patrols:
        held = [squadron for ring in fleets[cap.side].cap or () for squadron in ring.squadrons or ()]
        assert all(inside(frames[squadron.key], frame_of(cap)) for squadron in held), cap.key


def inside(one: Frame, other: Frame) -> bool:
    """Return whether a frame is in another one, allowing for rounding."""
    slack = 0.2
    return (
        one[0] >= other[0] - slack
        and one[1] >= other[1] - slack
        and one[2] <= other[2] + slack
        and one[3] <= other[3] + slack
    )


def pixels(chart: Chart) -> float:
    """Return the width of the smallest counter in pixels, on a match page with room for the chart."""
    scale = min(room / size for room, size in zip(PAGES[chart.shape], (chart.width, chart.height), strict=True))
    return min((right - left) * scale for left, _, right, _ in counters(chart))


def keys(chart: Chart) -> Counter[str]:
    """Return how often each squadron is on a chart."""
    return Counter(counter.squadron.key for placed in chart.counters.values() for counter in placed)


def own_scenario(carriers: int, squadrons: int, returning: int = 0) -> str:
    """Return a custom scenario file with this number of carriers a side and squadrons of each type."""
    lines = ['title = "Many ships, and a title that is too long for two lines of the chart"', 'summary = "s"']
    lines += ["found = true", 'source = "reconstructed"', 'origin = "o"']
    for side in ("japan", "usa"):
        for at in range(carriers):
            lines += ["[[carrier]]", f'key = "{side[0]}-{"abcdefgh"[at]}"', f'name = "Most Serene Carrier {at}"']
            lines += [f'side = "{side}"', "antiaircraft = 60", "repair = 7", f"fighters = {squadrons}"]
            lines += [f"torpedo_bombers = {squadrons}", f"dive_bombers = {squadrons}"]
            if returning:
                lines.append(f"returning = {{ fighters = {returning}, dive_bombers = {returning} }}")
    return "\n".join(lines)


def battle(carriers: int, squadrons: int, **options: str) -> Battle:
    """Return a battle of this size, with all squadrons below decks."""
    return Battle(GAME.own_scenario(own_scenario(carriers, squadrons).encode(), "own.toml"), 5, **options).settle()


def played(scenario: str, options: dict[str, str]) -> Iterator[Match[Any, Any]]:
    """Yield a random match at every tenth decision."""
    match, random = Match(GAME, scenario, options, seed=f"{scenario} {options}"), Random(2)
    for at in range(10_000):
        if not match.pending:
            return
        for seat, decision in match.pending.items():
            match.decide(seat, decision.sample(random))
        if at % 10 == 0:
            yield match


# -- nothing overlaps --------------------------------------------------------------------------------------------------


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("scenario", [scenario.key for scenario in GAME.rules.scenarios(GAME.data)])
@pytest.mark.parametrize("options", [{}, {"sight": "open"}, {"cap_rings": "2"}, {"cap_rings": "4"}], ids=str)
def test_chart_pieces_never_overlap(scenario: str, options: dict[str, str]) -> None:
    for match in played(scenario, options):
        for seat in (*(seat.key for seat in match.seats), None):
            for chart in layout(match.view(seat))["charts"]:
                check(chart)
                check_boxes(chart)


@pytest.mark.parametrize("scenario", [scenario.key for scenario in GAME.rules.scenarios(GAME.data)])
def test_counters_have_at_least_36_pixels_on_a_laptop(scenario: str) -> None:
    for match in played(scenario, {}):
        for seat in ("japan", "usa", None):
            for chart in layout(match.view(seat))["charts"][:2]:
                assert pixels(chart) >= 36, f"{seat} at decision {match.decision_count}, {chart.shape}"


def test_counters_keep_their_size_while_a_battle_is_played_back() -> None:
    result = Battle(turn=4).settle()
    crowded = ("usa-ready", "usa-home", "usa-moving", "japan-ready", "hiryu-attackers", "yorktown-attackers")
    needs = {**room(view(result, "usa"), {}), **dict.fromkeys(crowded, 12)}
    wide, medium, _ = layout(view(result, "usa"), needs)["charts"]
    assert pixels(wide) >= 36
    assert pixels(medium) >= 36


def test_counts_of_crowded_hangars_can_be_read() -> None:
    result = battle(4, 9, sight="open")
    for side in result.sides:
        everyone = [squadron for carrier in side.carriers for squadron in carrier.hangar]
        for carrier in side.carriers:
            carrier.hangar = everyone if carrier is side.carriers[0] else []
    for chart in layout(view(result, None))["charts"]:
        piles = [pile for placed in chart.piles.values() for pile in placed]
        assert len(piles) > 20
        assert all(TAB + pile.width <= pile.room for pile in piles), f"{chart.shape}: a count covers a letter"


@pytest.mark.parametrize("carriers", range(1, 9))
@pytest.mark.parametrize("squadrons", [0, 3, 10, 30])
def test_order_of_battle_of_any_size_fits(carriers: int, squadrons: int) -> None:
    result = battle(carriers, squadrons, sight="open", cap_rings="4")
    for chart in layout(view(result, "usa"))["charts"]:
        check(chart)


@pytest.mark.sample(6)
@pytest.mark.parametrize(("carriers", "squadrons"), [(1, 7), (4, 6), (8, 30)])
@pytest.mark.parametrize("place", ["moving", "ready", "home", "waiting", "over", "cap", "deck", "hangar"])
def test_squadrons_in_one_place_all_fit(carriers: int, squadrons: int, place: str) -> None:
    result = battle(carriers, squadrons, sight="open")
    for side, enemy in (result.sides, result.sides[::-1]):
        squadrons_of_side = [squadron for carrier in side.carriers for squadron in carrier.hangar]
        for carrier in side.carriers:
            carrier.hangar = []
        match place:
            case "over":
                side.attacking = {enemy.carriers[-1].key: squadrons_of_side}
            case "cap":
                side.cap = [[], squadrons_of_side, []]
            case "deck":
                side.carriers[0].deck = squadrons_of_side[:20]
            case "hangar":
                side.carriers[-1].hangar = squadrons_of_side
            case _:
                setattr(side, place, squadrons_of_side)
    for chart in layout(view(result, None))["charts"]:
        check(chart)
        check_boxes(chart)


# -- everything is there -----------------------------------------------------------------------------------------------


def test_visible_squadrons_are_on_each_chart_once() -> None:
    for match in played("midway", {"sight": "open"}):
        alive = Counter(s.key for side in (match.state.japan, match.state.usa) for s in side.squadrons())
        for chart in layout(match.view("usa"))["charts"]:
            assert keys(chart) == alive


def test_hidden_counters_are_face_down() -> None:
    result = Battle().settle()
    for chart in layout(view(result, "usa"))["charts"]:
        assert all(key.startswith(("enterprise", "hornet", "yorktown")) for key in keys(chart))
        items = [hidden.title for hidden in chart.hidden]
        assert len(items) == 4 + 3 + 1  # four carriers, three boxes, one CAP
        assert all("hidden" in title for title in items)
        assert {hidden.side for hidden in chart.hidden} == {"japan"}
    for chart in layout(view(result, None))["charts"]:
        assert not keys(chart)
        assert len(chart.hidden) == 7 + 6 + 2


@pytest.mark.parametrize(("seat", "near"), [("usa", "usa"), ("japan", "japan"), (None, "japan")])
def test_viewers_fleet_is_drawn_at_bottom(seat: str | None, near: str) -> None:
    for chart in layout(view(Battle(), seat))["charts"]:
        lowest = max(chart.ships, key=lambda ship: ship.y)
        assert lowest.ship.side == near
        assert [fleet.side for fleet, _ in chart.headings][-1] == near


def test_attackers_lie_next_to_target() -> None:
    result = Battle(turn=3).settle()
    result.put("over akagi", *(squadron.key for ship in result.state.usa.carriers for squadron in ship.hangar[-2:]))
    for chart in layout(view(result, "japan"))["charts"]:
        [akagi] = [place for place in chart.ships if place.ship.carrier.key == "akagi"]
        over = [frame(piece.at) for piece in chart.counters["usa"]]
        assert len(over) == 6
        for left, _, right, bottom in over:
            assert akagi.y - 90 < bottom <= akagi.y
            assert akagi.x - 20 <= left <= right <= akagi.x + HULL * akagi.scale + 20
        assert [label.text for label in chart.labels] == ["Attacking · 30 pts"]


@pytest.mark.parametrize("seat", ["japan", "usa"])
def test_strength_of_attackers_is_clear_of_the_names_of_rings(seat: str) -> None:
    result = Battle(turn=3).settle()
    for target, carrier in zip(("soryu", "kaga"), result.state.usa.carriers, strict=False):
        result.put(f"over {target}", *(squadron.key for squadron in carrier.hangar[-2:]))
    narrow = layout(view(result, seat))["charts"][2]
    lines = [(label.x - 48, label.y - 10, label.x + 48, label.y + 3) for label in narrow.labels]
    names = [
        (cap.x + x - 16, cap.y + y - 8, cap.x + x + 16, cap.y + y + 2) for cap in narrow.patrols for x, y, _ in cap.feet
    ]
    assert len(lines) == 2
    assert all(apart(line, name) for line in lines for name in names)


def test_cap_that_is_seen_says_that_no_fighters_are_there() -> None:
    result = Battle(turn=3).settle()
    for chart in layout(view(result, "japan"))["charts"]:
        assert {patrol.side for patrol in chart.patrols if patrol.empty} == {"japan"}
    result.put("over akagi", *(squadron.key for squadron in result.state.usa.carriers[0].hangar[-2:]))
    for seat in ("usa", None):
        for chart in layout(view(result, seat))["charts"]:
            assert "japan" in {patrol.side for patrol in chart.patrols if patrol.empty}


def test_charts_of_all_shapes_show_same() -> None:
    for match in played("midway", {}):
        wide, medium, narrow = layout(match.view("japan"))["charts"]
        assert keys(wide) == keys(medium) == keys(narrow)
        areas = [{area.title for area in chart.areas} for chart in (wide, medium, narrow)]
        assert areas[0] == areas[1] == areas[2]
        assert wide.width > medium.width > narrow.width


# -- labels and titles ------------------------------------------------------------------------------------------------


def test_counter_title_names_type_and_place() -> None:
    result = Battle()
    for chart in layout(view(result, "japan"))["charts"]:
        titles = {counter.squadron.key: counter.title for counter in chart.counters["japan"]}
        assert titles["kaga-f-1"] == "Kaga F 1: fighters, strength 5, in the hangar"
        waiting = "Hiryu TB 1: torpedo bombers, strength 5, waiting to land, of the first wave"
        assert titles["hiryu-tb-1"] == waiting
    near = Scene(view(result, "japan")).fleets[1]
    assert near.first_wave == "first wave: H8, S8, A8, K8"


def test_carrier_title_shows_figures_and_status() -> None:
    result = Battle().settle()
    result.carrier("hiryu").damage, result.carrier("soryu").damage, result.carrier("akagi").damage = 3, 8, 10
    result.carrier("kaga").repair = 7
    far = Scene(view(result, "usa")).fleets[0]
    assert [ship.state for ship in far.ships] == ["damage 3", "crippled", "sunk", ""]
    assert [ship.figures for ship in far.ships][2:] == ["AA 7 · repair 6", "AA 9 · no repair"]
    assert "damage 8, crippled at 7, sunk at 10; 6 anti-aircraft dice, repairs on 6" in far.ships[1].title


def test_seat_of_several_knows_own_ship_and_transferred_squadrons() -> None:
    result = Battle(seats="groups").settle()
    orphan = result.carrier("hornet").hangar[0]
    result.state.usa.exchange({orphan: replace(orphan, taken_over="enterprise")})
    near = Scene(view(result, "enterprise")).fleets[1]
    assert [ship.yours for ship in near.ships] == [True, False, False]
    for chart in layout(view(result, "enterprise"))["charts"]:
        [title] = [counter.title for counter in chart.counters["usa"] if counter.squadron.key == orphan.key]
        assert title.endswith(", commanded by Enterprise")


def test_chart_shows_turn_and_search_status() -> None:
    result = Battle(turn=4)
    assert Scene(view(result, "usa")).lines == ["Turn 4 of 20", "Japanese fleet not found yet"]
    assert Scene(view(result, "japan")).lines == ["Turn 4 of 20"]
    result.state.found = True
    assert Scene(view(result, "usa")).lines == ["Turn 4 of 20", "Japanese fleet found"]
    outcome = result.damage(akagi=10, kaga=10, soryu=10, hiryu=10).play("end", None).outcome
    assert outcome is not None
    assert Scene(structs.replace(view(result, "usa"), outcome=outcome)).lines == ["Turn 4 of 20", "United States wins"]


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (["Hiryu", "Soryu", "Akagi", "Kaga"], ["H", "S", "A", "K"]),
        (["Shokaku", "Soryu"], ["Sh", "So"]),
        (["Zuikaku", "Zuiho"], ["Zui", "Zui"]),
        (["", "  "], ["?", "?"]),
    ],
)
def test_carrier_letters_are_unique(names: list[str], letters: list[str]) -> None:
    carrier = view(Battle(), None).table.sides["japan"].carriers[0]
    carriers = [replace(carrier, key=str(at), name=name) for at, name in enumerate(names)]
    assert list(carrier_letters(carriers).values()) == letters


# -- packing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 5, 6, 20, 90, 720])
def test_grid_holds_all_in_width(count: int) -> None:
    fit = grid(count, 180, 3)
    assert fit.columns * fit.rows >= count
    assert fit.row(count) <= 180
    assert fit.scale == 1 or count > 15


@pytest.mark.parametrize("count", [0, 1, 5, 6, 20, 90])
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_fan_holds_all_in_width(count: int, rows: int) -> None:
    fit = fan(count, 180, rows)
    assert fit.scale == 1
    assert fit.columns * fit.rows >= count
    assert fit.row(count) <= 180.001
    assert all(fit.middle(at)[0] <= 180 - COUNTER[0] / 2 for at in range(count))


@pytest.mark.parametrize("count", range(21))
def test_deck_drawing_fits_largest_load(count: int) -> None:
    fit = on_deck(count)
    assert fit.columns * fit.rows >= count
    assert fit.scale == 1 or count > 4


@pytest.mark.parametrize("counts", [[0, 0], [3, 0, 0], [18, 0, 0], [4, 7, 5, 9], [0, 0, 40], [240, 0, 0, 0]])
def test_rings_hold_all_within_limit(counts: list[int]) -> None:
    result = rings(counts, 166)
    assert result.reach <= 166
    assert [len(places) for places in result.places] == counts
    for (inner, outer), places in zip(zip(result.radii, result.radii[1:], strict=False), result.places, strict=True):
        assert all(inner < (x * x + y * y) ** 0.5 < outer and y > 0 for x, y in places)


@pytest.mark.parametrize("place", ["hangar", "deck", "cap"])
def test_squadrons_that_look_the_same_lie_on_one_another(place: str) -> None:
    result = Battle().settle()
    [carrier] = [each for each in result.state.usa.carriers if each.key == "enterprise"]
    fighters = [squadron for squadron in carrier.hangar if squadron.kind == "F"][:3]
    result.state.usa.carriers = [carrier]
    carrier.hangar, carrier.deck, result.state.usa.cap = [], [], [[], [], []]
    match place:
        case "cap":
            result.state.usa.cap[0] = fighters
        case _:
            setattr(carrier, place, fighters)
    for chart in layout(view(result, "usa"))["charts"]:
        [pile] = chart.piles["usa"]
        assert pile.times == f"×{len(fighters)}"
        assert pile.text * float((re.search(r"scale\((\S+)\)", pile.at) or [0, 1])[1]) == pytest.approx(1, abs=0.01)
