"""Tests of the drawn board: position of every piece, and secrecy."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec import structs
from tests.games.tora.helpers import DATA, DEFENCE

from readyroom import Match
from readyroom.bots import make_bot
from readyroom.engine.game import MatchView
from readyroom.engine.match.planning import follow
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import Outcome
from readyroom.games.tora import GAME
from readyroom.games.tora.board_data import (
    absent_title,
    batteries,
    board_view,
    field_title,
    luck_deck,
    ship_title,
    torpedo_runs,
    turn_track,
    yard_tokens,
)
from readyroom.games.tora.drawing import layout
from readyroom.games.tora.drawing.air import HIGH, SIZE, WIDE, fit, spread
from readyroom.games.tora.drawing.axis import Axis
from readyroom.games.tora.drawing.chart import EDGE, Chart, Hull
from readyroom.games.tora.drawing.map import drawn
from readyroom.games.tora.drawing.outlines import Frame, clear, clip, overlap
from readyroom.games.tora.plans.builtin import named
from readyroom.games.tora.plans.phase import answer
from readyroom.games.tora.plans.reading import write_toml
from readyroom.games.tora.side_panels import Panel, side_panels
from readyroom.games.tora.state import Tora
from readyroom.games.tora.view import ToraView
from readyroom.web import board_svg, formatting
from readyroom.web.playback import RoomMeasure

SVG = "{http://www.w3.org/2000/svg}"
SEATS = ("japan", "usa", "umpire", None)
LAPTOP, LEAST = (872, 599), 36
"""The room for the board on a screen of 1366 by 768, and the least size of a counter there, in pixels."""


def moments(
    scenario: str = "sunday", seed: str = "board", **options: str
) -> Iterator[tuple[Match[Any, Any], str, Any]]:
    """Yield each question of a random match."""
    match, random = Match(GAME, scenario, {"umpire": "yes", **options}, seed=seed), Random(seed)
    while match.pending:
        for seat, decision in match.pending.items():
            yield match, seat, decision
            match.decide(seat, decision.sample(random))


def battle(turn: int = 5) -> Match[Any, Any]:
    """Return a match on Sunday morning, set to a turn."""
    match = Match(GAME, "sunday", {"umpire": "yes"}, seed="by hand")
    match.state.at = type(match.state.at)(turn, match.state.at.phase)
    return match


def board(match: Match[Any, Any], seat: str | None) -> ToraView:
    """Return the board as drawn for a seat."""
    return board_view(match.view(seat)).table


def panels(match: Match[Any, Any], seat: str | None) -> list[Panel]:
    """Return both sides' panels as drawn for a seat."""
    return side_panels(board_view(match.view(seat)))


def parked(table: ToraView) -> int:
    """Return the number of units on the fields."""
    return sum(len(field.units) for field in table.usa.fields)


def everybody(state: Tora) -> list[Any]:
    """Return all Japanese units in play, removed from the map."""
    air_units = [unit for zone in state.zones.values() for unit in zone.japan]
    for zone in state.zones.values():
        zone.japan = []
    return air_units


def frame(at: str) -> Frame:
    """Return the area covered by a counter."""
    match = re.fullmatch(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", at)
    assert match is not None
    x, y, scale = (float(part or 1) for part in match.groups())
    return x, y, x + 26 * scale, y + 28 * scale


def around(hull: Hull) -> Frame:
    """Return the area covered by a hull."""
    wide, high = (hull.beam, hull.length) if hull.upright else (hull.length, hull.beam)
    return hull.x - wide / 2, hull.y - high / 2, hull.x + wide / 2, hull.y + high / 2


def apart(frames: Iterable[Frame], slack: float = 0.3) -> bool:
    """Return whether no two frames overlap, allowing for rounding."""
    small = [(a + slack, b + slack, c - slack, d - slack) for a, b, c, d in frames]
    return not any(overlap(*pair) for pair in combinations(small, 2))


def inside(frames: Iterable[Frame], chart: Chart) -> bool:
    """Return whether all frames are on the board."""
    return all(a >= 0 and b >= 0 and c <= chart.width and d <= chart.height for a, b, c, d in frames)


def check(chart: Chart) -> None:
    """Check that nothing overlaps and that everything is on the board."""
    hulls, fields = [around(hull) for hull in chart.hulls], [ground.frame for ground in chart.grounds]
    assert apart(hulls)
    assert apart(fields)
    assert inside([*hulls, *[frame(at) for _, at in chart.counters]], chart)
    piles = [pile for pile in chart.piles if pile.top.on]
    covered = {pile.at: [frame(at) for _, at in pile.counters] for pile in piles}
    for one, other in combinations(piles, 2):
        pairs = product(covered[one.at], covered[other.at])
        assert all(apart(pair) for pair in pairs), (one.title, other.title)
    shores = [*hulls, *((x - 20, y - 20, x + 20, y + 29) for _, x, y in chart.batteries)]
    for pile in piles:
        assert not any(overlap(frame(pile.at), each) for each in shores), pile.title
        others = [ground.frame for ground in chart.grounds if ground.field.key != pile.top.on]
        assert not any(overlap(frame(pile.at), each) for each in others), pile.title


# -- no overlaps -------------------------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["sunday", "december"])
@pytest.mark.parametrize("seed", ["a", "b"])
def test_board_pieces_never_overlap(scenario: str, seed: str) -> None:
    for at, (match, seat, _) in enumerate(moments(scenario, seed)):
        if at % 25 == 0:
            for eyes in {seat, None, "umpire"}:
                for chart in layout(match.view(eyes))["charts"]:
                    check(chart)


@pytest.mark.parametrize("zone", DATA.places.zone_ids)
def test_aircraft_over_one_zone_all_fit(zone: str) -> None:
    match = battle()
    state: Tora = match.state
    state.zones[zone].japan = everybody(state)
    for field in state.usa.fields:
        state.zones[zone].usa += [unit for stack in field.stacks for unit in stack]
        field.stacks = []
    for chart in layout(match.view("usa"))["charts"]:
        check(chart)
        assert len(chart.counters) == 46 + 57


@pytest.mark.parametrize("zone", ["2SW", "3NW"])
def test_equal_units_lie_in_one_pile(zone: str) -> None:
    match = battle()
    units = everybody(match.state)
    match.state.zones[zone].japan = units
    turn = match.state.at.turn
    units[0].strength, units[1].acted = 2, turn
    kinds = Counter((unit.type, unit.ordnance, unit.acted == turn, unit.strength) for unit in units)
    merged = Counter((unit.type, unit.ordnance, unit.acted == turn) for unit in units)
    for chart in layout(match.view("japan"))["charts"]:
        piles = [pile for pile in chart.piles if pile.top.on == zone]
        assert sorted(pile.many for pile in piles) in (sorted(kinds.values()), sorted(merged.values()))
        assert Counter(key for pile in piles for key in pile.keys) == Counter(unit.key for unit in units)
        assert sum(pile.lost for pile in piles) == 2
    titles = [pile.title for pile in layout(match.view("japan"))["charts"][0].piles if pile.top.on == zone]
    assert f"11 Zeros over {zone}, strength 4 of 4" in titles


def test_piles_keep_their_order_while_units_act() -> None:
    match = battle()
    match.state.zones["2NE"].japan = units = everybody(match.state)
    turn, orders = match.state.at.turn, []
    for count in (0, 1, len(units) // 2):
        for unit in units[:count]:
            unit.acted = turn
        acted = {unit.key for unit in units if unit.acted == turn}
        chart = layout(match.view("japan"))["charts"][0]
        tops = [pile.top for pile in chart.piles if pile.top.on == "2NE"]
        marks = [top.key in acted for top in tops if top.art.type == units[0].type]
        assert marks == sorted(marks)
        orders.append([*dict.fromkeys(top.art.type for top in tops)])
    assert orders[0] == orders[1] == orders[2]


def test_field_keeps_its_frame_when_units_beyond_its_places_leave() -> None:
    match = battle()
    field = match.state.usa.field("wheeler")
    field.stacks += [[unit] for unit in everybody(match.state)[:12]]
    full = match.view("usa")
    del field.stacks[-12:]
    empty, needed = match.view("usa"), RoomMeasure(GAME)
    for view in (full, empty):
        needed.add(view)
    for charts in zip(*(layout(view, needed.room())["charts"] for view in (full, empty)), strict=True):
        assert [ground.frame for ground in charts[0].grounds] == [ground.frame for ground in charts[1].grounds]


def test_stacks_of_a_field_are_piles() -> None:
    chart = layout(battle().view("usa"))["charts"][0]
    piles = {pile.title: pile for pile in chart.piles if pile.top.on == "wheeler"}
    assert list(piles) == [
        "12 P-40s parked at Wheeler, strength 4 of 4",
        "4 P-36s parked at Wheeler, strength 3 of 3",
        "2 P-36s parked at Wheeler, strength 3 of 3, on top of 2 P-26s",
        "2 P-26s parked at Wheeler, strength 2 of 2",
    ]
    stacked = piles["2 P-36s parked at Wheeler, strength 3 of 3, on top of 2 P-26s"]
    assert stacked.many == 2
    assert [key.partition("-")[0] for key in stacked.keys] == ["p36", "p36", "p26", "p26"]


def test_crowd_on_a_field_is_piled_by_type_with_the_strongest_on_top() -> None:
    match = battle()
    units = [stack[-1] for stack in match.state.usa.field("wheeler").stacks if stack[-1].type == "p40"]
    for unit, strength in zip(units, (1, 2, 3), strict=False):
        unit.strength = strength
    for chart in layout(match.view("usa"))["charts"]:
        piles = [pile for pile in chart.piles if pile.top.on == "wheeler"]
        assert apart(frame(pile.at) for pile in piles)
        assert "12 P-40s parked at Wheeler, strength 1 to 4 of 4" in [pile.title for pile in piles]
        (mixed,) = [pile for pile in piles if pile.top.art.type == "p40"]
        assert mixed.top.art.strength == 4
        assert mixed.keys[-1] == units[0].key


def test_pile_stands_for_its_units_that_can_be_chosen() -> None:
    match = battle()
    match.state.zones["2NW"].japan = everybody(match.state)
    asked = {"options": [{"key": "zero-3"}, {"key": "zero-4"}], "about": "pair:2NW"}
    for chart in charts(board_svg.draw(GAME, match.view("usa"), asked)):
        (pile,) = [each for each in chart.iter() if "zero-3" in each.get("data-stack", "").split()]
        assert pile.get("class", "").split() == ["piece", "bd-pile", "can"]
        assert pile.get("data-sweep") == "zero-3 zero-4"
        assert len(pile.get("data-stack", "").split()) == 11


@pytest.mark.rule("tora", "8.3", "T31")
def test_formation_can_be_sent_to_places_by_itself() -> None:
    match = battle()
    keys = ["stay", "2NE", "zero:none:2NE", "zero:none:3NW", "val:gp:2NE", "zero:none:carriers"]
    asked = {"options": [{"key": key} for key in keys], "about": "move:3NE"}
    for chart in charts(board_svg.draw(GAME, match.view("japan"), asked)):
        found = {
            each.get("data-stack", "")[:5]: each.get("data-among") for each in chart.iter() if each.get("data-among")
        }
        assert found == {"val-1": "val:gp:2NE", "zero-": "zero:none:2NE zero:none:3NW zero:none:carriers"}
        places = {each.get("data-key"): each.get("data-sweep") for each in chart.iter() if each.get("data-sweep")}
        assert places == {
            "2NE": "val:gp:2NE zero:none:2NE",
            "3NW": "zero:none:3NW",
            "carriers": "zero:none:carriers",
        }


@pytest.mark.rule("tora", "7.3")
def test_units_that_may_enter_are_on_the_board() -> None:
    match, random = Match(GAME, "december", seed="enter"), Random(3)
    for seat, name in (("usa", "sunday-morning"), ("japan", "sunday-from-the-north")):
        follow(match, seat, write_toml(named(name)).encode(), "plan.toml")
    while not (decision := next(iter(match.pending.values()))).piece_key.startswith("enter:"):
        match.decide(decision.seat, decision.sample(random))
    match.decide("japan", ["part"])
    decision = match.pending["japan"]
    assert decision.piece_key == "enter:2:units"
    for chart in charts(board_svg.draw(GAME, match.view("japan"), formatting.decision(decision))):
        stacks = [each.get("data-sweep", "").split() for each in chart.iter() if each.get("data-sweep")]
        singles = pieces(chart, "can")
        assert {key for stack in stacks for key in stack} | set(singles) == set(decision.keys)
        words = {each.text for each in chart.iter() if each.get("class") == "bd-entry"}
        assert words == {option.text.rpartition(" to ")[2][:3] for option in decision.options}


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("turn", [1, 12])
def test_counters_are_large_enough_on_a_laptop(seat: str | None, turn: int) -> None:
    wide = layout(battle(turn).view(seat))["charts"][0]
    assert 26 * SIZE * min(LAPTOP[0] / wide.width, LAPTOP[1] / wide.height) >= LEAST


def test_battleships_are_large_and_piles_have_one_count_below_the_aircraft() -> None:
    match = battle()
    [wide, *_] = layout(match.view(None))["charts"]
    ships = [hull for hull in wide.hulls if hull.ship.kind == "BB" and hull.ship.berth and not hull.upright]
    assert min(hull.length for hull in ships) > 50
    assert min(hull.beam for hull in ships) > 26
    drawn_board = str(board_svg.draw(GAME, match.view(None), shape="wide"))
    pattern = r'<rect class="bd-badge" x="[^"]+" y="([^"]+)"[^>]*/><text class="bd-many"[^>]*>×\d+<'
    counts = re.findall(pattern, drawn_board)
    assert counts
    assert all(float(y) > 21 for y in counts)


@pytest.mark.parametrize("seed", range(8))
def test_ships_anchored_anywhere_never_overlap(seed: int) -> None:
    """Random plans: cells with ships are drawn wide enough."""
    for match, _, decision in moments("december", f"ships {seed}", revise="usa"):
        if decision.piece_key == "revise":
            for chart in layout(match.view("usa"))["charts"]:
                assert apart(around(hull) for hull in chart.hulls)
                assert all(hull.length > 14 and hull.beam > 4 for hull in chart.hulls)
            break


def test_ship_names_are_on_board_and_seldom_overlap() -> None:
    match = battle()
    for ship in match.state.usa.ships:
        ship.name = f"Most Serene {ship.name}"
    for chart in layout(match.view("usa"))["charts"]:
        for hull in chart.hulls:
            assert 0 < hull.label[0] < chart.width
            assert 0 < hull.label[1] < chart.height
    for chart in layout(battle().view("usa"))["charts"]:
        spots = Counter((round(hull.label[0] / 20), round(hull.label[1] / 9)) for hull in chart.hulls)
        assert spots.most_common(1)[0][1] == 1


# -- completeness ------------------------------------------------------------------------------------------------------


def known(view: MatchView[ToraView]) -> Counter[str]:
    """Return the keys of everything on the map."""
    usa, zones = view.table.usa, view.table.zones
    items = [*zones, *(ship.key for ship in usa.ships), *(field.key for field in usa.fields)]
    items += [each.key for each in (*batteries(view.table), *yard_tokens(view.table))]
    items += [unit.key for over in zones.values() for unit in (*over.japan, *over.usa)]
    items += [unit.key for field in usa.fields for unit in field.units]
    return Counter([*items, "carriers"])


def parsed(board: str) -> ElementTree.Element:
    """Return the board as XML, with the namespace that an HTML parser adds to <svg>."""
    return ElementTree.fromstring(str(board).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'))


def charts(board: str) -> list[ElementTree.Element]:
    """Return both boards."""
    return [each for each in parsed(board) if "board-parts" not in each.attrib["class"]]


def pieces(chart: ElementTree.Element, name: str = "piece") -> Counter[str]:
    """Return the keys of the pieces with a class."""
    elements = (each for each in chart.iter() if "data-key" in each.attrib)
    return Counter(each.attrib["data-key"] for each in elements if name in each.attrib["class"].split())


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "seed"), [("sunday", "c"), ("sunday", "d"), ("december", "e")])
def test_pieces_are_on_each_board_once_and_offered_ones_are_marked(scenario: str, seed: str) -> None:
    for at, (match, seat, decision) in enumerate(moments(scenario, seed)):
        if at % 20:
            continue
        view, asked = match.view(seat), formatting.decision(decision)
        offered = {option["key"] for option in asked["options"]}
        for chart in charts(board_svg.draw(GAME, view, asked)):
            courses = pieces(chart, "bd-course") + pieces(chart, "bd-offer") + pieces(chart, "bd-choice")
            aboard = Counter(offered) if decision.piece_key.endswith(":units") else Counter[str]()
            assert pieces(chart) - courses - aboard == known(view)
            marked = [each for each in chart.iter() if "can" in each.get("class", "").split()]
            names = ("data-key", "data-among", "data-sweep")
            stands = [{key for name in names for key in each.get(name, "").split()} & offered for each in marked]
            assert all(stands), "what is marked stands for an option"
            if decision.piece_key.partition(":")[0] in ("mooring", "column", "berth", "to-column", "to-berth"):
                assert set(pieces(chart, "bd-offer")) == offered - {"later"}
            if decision.piece_key.partition(":")[0] in ("move", "course", "attack", "fire", "launch", "enter"):
                assert offered <= set().union(*stands) | {"continue"}, "the battle is played on the board alone"


@pytest.mark.torture(4)
def test_choices_of_a_course_are_on_the_board() -> None:
    for match, seat, decision in moments("december", "a"):
        if decision.piece_key.startswith("course:") and "other" in decision.keys:
            for chart in charts(board_svg.draw(GAME, match.view(seat), formatting.decision(decision))):
                wide = float(chart.attrib["viewBox"].split()[2])
                for choice in (each for each in chart.iter() if "bd-choice" in each.get("class", "").split()):
                    (left,) = re.findall(r"translate\((-?[\d.]+) ", choice.attrib["transform"])
                    width = next(float(part.attrib["width"]) for part in choice if "width" in part.attrib)
                    assert 0 <= float(left) <= wide - width, decision.question


def test_board_is_well_formed_without_style_or_script() -> None:
    for at, (match, seat, decision) in enumerate(moments(seed="form")):
        if at % 40:
            continue
        for eyes in (seat, None):
            board = parsed(board_svg.draw(GAME, match.view(eyes), formatting.decision(decision) if eyes else None))
            symbols = {element.get("id") for element in board.iter()}
            for element in board.iter():
                assert element.tag not in (f"{SVG}script", f"{SVG}style", f"{SVG}foreignObject")
                assert not [name for name in element.attrib if name == "style" or name.startswith("on")]
                assert element.get("href", "#pc-sea")[1:] in symbols
                if "data-key" in element.attrib:
                    assert element.findtext(f"{SVG}title")


@pytest.mark.parametrize(
    ("about", "keys"),
    [
        ("move:3NW", {"3NW"}),
        ("fire:1SW:ship", {"1SW"}),
        ("launch:wheeler", {"wheeler"}),
        ("course:nevada", {"nevada"}),
        ("revise", set()),
    ],
)
def test_units_of_question_are_marked(about: str, keys: set[str]) -> None:
    for chart in charts(board_svg.draw(GAME, battle().view("usa"), {"options": [], "about": about})):
        flown = {unit.key for unit in battle().view("usa").table.zones["3NW"].japan} if about == "move:3NW" else set()
        assert set(pieces(chart, "about")) == keys | flown


def test_alike_units_of_question_are_marked() -> None:
    match = battle()
    units = everybody(match.state)
    match.state.zones["1SE"].japan, match.state.zones["1SW"].japan = units[:30], units[30:]
    armed = {unit.key for unit in units[:30] if unit.type == "kate" and unit.ordnance.value == "ap"}
    assert armed
    for chart in charts(board_svg.draw(GAME, match.view("japan"), {"options": [], "about": "attack:1SE:kate:ap"})):
        assert set(pieces(chart, "about")) == armed | {"1SE"}


@pytest.mark.rule("tora", "T31")
def test_board_says_when_targets_are_taken_in_turn() -> None:
    match = battle()
    units = [unit for unit in everybody(match.state) if unit.type == "zero"][:3]
    match.state.zones["1SE"].japan = units
    asked = {"options": [], "about": "attack:1SE:zero:none"}

    def in_turn() -> list[bool]:
        drawn = charts(board_svg.draw(GAME, match.view("japan"), asked))
        return [any("in-turn" in each.get("class", "").split() for each in chart.iter()) for chart in drawn]

    assert in_turn() == [False, False]
    units[1].strength = 2
    assert in_turn() == [True, True]
    units[1].acted = match.state.at.turn
    assert in_turn() == [False, False]


def test_inner_zones_are_drawn_over_outer_ones_for_clicks() -> None:
    for chart in layout(battle().view("japan"))["charts"]:
        rings = [quarter.zone[0] for quarter in chart.quarters]
        assert rings == sorted(rings, reverse=True)


def test_legal_courses_are_arrows_around_ship() -> None:
    asked = {"options": [{"key": key} for key in ("lie", "south", "south-west", "sea")], "about": "course:nevada"}
    for chart in charts(board_svg.draw(GAME, battle().view("usa"), asked)):
        assert set(pieces(chart, "bd-course")) == {"south", "south-west", "sea"}
    for chart in charts(board_svg.draw(GAME, battle().view("usa"), {**asked, "about": "sail:1"})):
        assert not pieces(chart, "bd-course")


def planning(about: str) -> tuple[Match[Any, Any], Decision]:
    """Return a match at a question of the American ship-by-ship plan."""
    match, random = Match(GAME, "december", {"umpire": "yes"}, seed="half"), Random(4)
    while not (decision := match.pending["usa"]).piece_key.startswith(about):
        match.decide("usa", ["own"] if decision.piece_key == "anchorage" else decision.sample(random))
    return match, decision


@pytest.mark.rule("tora", "5.14")
@pytest.mark.parametrize("about", ["mooring:nevada", "mooring:vestal", "berth:lexington", "column:", "berth:utah"])
def test_anchorage_of_ship_is_selectable_on_board(about: str) -> None:
    match, decision = planning(about)
    for chart in layout(match.view("usa"))["charts"]:
        left, top, width, height = chart.harbor
        offers = chart.waters.offers(decision.keys, decision.piece_key)
        assert {offer.key for offer in offers} == set(decision.keys) - {"later"}
        assert len({offer.frame for offer in offers}) == len(offers)
        for offer in offers:
            assert offer.title.startswith("The ")
            for a, b, c, d in (offer.frame, offer.outline):
                assert left <= a < c <= left + width
                assert top <= b < d <= top + height
            assert min(offer.frame[2] - offer.frame[0], offer.frame[3] - offer.frame[1]) > 6.9
    for drawing in charts(board_svg.draw(GAME, match.view("usa"), formatting.decision(decision))):
        assert set(pieces(drawing, "bd-offer")) == set(decision.keys) - {"later"}


@pytest.mark.rule("tora", "2", "5.10", "5.14")
def test_plan_in_progress_is_shown_to_own_side_only() -> None:
    match, _ = planning("field:p26")
    assert parked(board(match, "usa")) == 36
    match, _ = planning("mooring:vestal")
    table = board(match, "usa")
    assert parked(table) == 57
    berths = {ship.hull.key for ship in table.usa.ships_at_berths}
    assert {"lexington", "nevada", "arizona"} <= berths
    assert "vestal" not in berths
    assert absent_title(table) == "No berth yet"
    assert [day.day for day in panels(match, "usa")[1].days] == list(range(1, 11))
    for chart in layout(match.view("usa"))["charts"]:
        assert apart(around(hull) for hull in chart.hulls)
    assert board(match, "umpire").usa.fields == table.usa.fields
    for seat in ("japan", None):
        assert "usa" not in match.view(seat).sheets
        assert not parked(board(match, seat))
    while "usa" in match.pending:
        match.decide("usa", match.pending["usa"].sample(Random(1)))
    assert set(match.view("usa").sheets) == {"usa"}
    assert parked(board(match, "usa")) == 57
    assert all(ship.berth for ship in board(match, "usa").usa.ships)


@pytest.mark.rule("tora", "2", "7.3")
def test_half_made_waves_are_on_japanese_board_until_lock() -> None:
    match = Match(GAME, "december", seed="half")
    for keys in (["day-6"], ["1"], ["kate-3NW-ap"] * 9 + ["kate-3SE-gp"] * 2):
        match.decide("japan", keys)
    zones = board(match, "japan").zones
    assert (len(zones["3NW"].japan), len(zones["3SE"].japan)) == (9, 2)
    assert panels(match, "japan")[0].lines == [
        "The attack is on December 6.",
        "Wave 1, turn 1: 3NW 9 Kates AP; 3SE 2 Kates GP.",
    ]
    assert not board(match, "usa").zones["3NW"].japan
    random = Random(2)
    while match.state.at.phase == "plan":
        seat, decision = next(iter(match.pending.items()))
        match.decide(seat, decision.sample(random))
    assert match.view("japan").sheets == match.view("usa").sheets == {}


def test_units_pass_clicks_to_selectable_zone_or_field() -> None:
    asked = {"options": [{"key": "wheeler"}, {"key": "3NW"}, {"key": "kate-1"}], "about": ""}
    match = battle()
    parked = {unit.key for stack in match.state.usa.field("wheeler").stacks for unit in stack}
    flying = {unit.key for unit in match.state.zones["3NW"].japan}
    for chart in charts(board_svg.draw(GAME, match.view("japan"), asked)):
        through = [each for each in chart.iter() if "bd-through" in each.get("class", "").split()]
        passed = {key for each in through for key in (each.get("data-stack") or each.get("data-key") or "").split()}
        one = next(unit for unit in match.state.zones["3NW"].japan if unit.key == "kate-1")
        armed = {unit.key for unit in match.state.zones["3NW"].japan if unit.ordnance is one.ordnance}
        assert passed == (parked | flying) - armed


# -- secrecy -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow(2)
def test_board_reveals_nothing_hidden_from_seat() -> None:
    random = Random(5)
    for at, (match, _, _) in enumerate(moments("december", "secret", revise="both")):
        if at % 15:
            continue
        for seat in ("japan", "usa"):
            before = board_svg.draw(GAME, match.view(seat))
            state = GAME.rules.resample(GAME.decode(GAME.encode(match.state)), GAME.data, seat, random)
            other = structs.replace(match.view(seat), table=GAME.rules.view(state, GAME.data, seat))
            assert board_svg.draw(GAME, other) == before


def test_ordnance_is_hidden_from_enemy_and_spectators() -> None:
    match = battle()
    for seat in SEATS:
        texts = {art.letters for art in layout(match.view(seat))["arts"] if art.side == "japan"}
        assert texts == ({"T", "AP", "GP", ""} if seat in ("japan", "umpire") else {"?", ""})


def planned() -> Match[Any, Any]:
    """Return a match with locked plans that can still be changed."""
    match, random = Match(GAME, "december", {"revise": "both", "umpire": "yes"}, seed="plans"), Random(3)
    while match.state.at.phase == "plan":
        seat, decision = next(iter(match.pending.items()))
        own = answer(DEFENCE, decision, DATA) if seat == "usa" else None
        match.decide(seat, decision.sample(random) if own is None else own)
    return match


def test_locked_plan_is_shown_to_own_side_only() -> None:
    match = planned()
    for seat in SEATS:
        usa, japan = seat in ("usa", "umpire"), seat in ("japan", "umpire")
        table = board(match, seat)
        assert parked(table) == (57 if usa else 0)
        assert all(bool(ship.berth) == usa for ship in table.usa.ships)
        waves = match.state.japan.plan.wave
        assert sum(len(over.japan) for over in table.zones.values()) == (waves[0].units if japan else 0)
        assert any(turn.wave for turn in turn_track(match.view(seat))) == japan
        assert bool(panels(match, seat)[1].days) == usa
        for chart in layout(match.view(seat))["charts"]:
            assert not any(counter.key for counter, _ in chart.counters)


def test_calendar_shows_levels_searches_and_carriers() -> None:
    days = panels(planned(), "usa")[1].days
    assert len(days) == 10
    assert [day.cells[5] for day in days][8:] == ["E", "L"]
    assert {level for day in days for level in day.levels[:3]} == {1}


def test_titles_describe_pieces_and_damage() -> None:
    match = battle()
    usa = match.state.usa
    usa.ship("nevada").hits, usa.ship("arizona").hits, usa.ship("utah").hits = 1, 3, 4
    usa.batteries[0].hits, usa.yard[2].hits = 4, 2
    table = board(match, "usa")
    titles = {ship.key: ship_title(table, ship) for ship in table.usa.ships}
    assert titles["nevada"] == "Nevada: battleship, 1 of 6 hits, in 1SE"
    assert titles["arizona"] == "Arizona: battleship, 3 of 6 hits, damaged, in 1SE"
    assert next(ship for ship in table.usa.ships if ship.key == "utah").state == "sunk"
    assert titles["pennsylvania"].endswith("in dry dock, where torpedoes cannot reach her")
    assert titles["lexington"].endswith("at sea")
    assert next(batteries(table)).title == "Fort Barrette, shore battery in 2SW: silenced"
    assert list(yard_tokens(table))[2].title == "Navy Yard 3, in 2SE: 2 of 5 hits"
    wheeler = table.usa.fields[0]
    assert field_title(table, wheeler) == "Wheeler, USAAF airfield in 2NW: 22 units in 20 places"
    assert [field_title(table, field).partition(" airfield")[0] for field in table.usa.fields[2:]] == [
        "Kaneohe, Navy",
        "Ewa, Marine Corps",
    ]
    assert {len(stack) for stack in wheeler.stacks} == {1, 2}
    stacked = next(stack for stack in wheeler.stacks if len(stack) == 2)
    counters = [counter for counter, _ in layout(match.view("usa"))["charts"][0].counters]
    top = next(counter for counter in counters if counter.key == stacked[1].key)
    assert top.title.endswith("strength 3 of 3, parked at Wheeler, on top of another")


def test_torpedoes_run_where_water_is_open() -> None:
    results = {key: bool(runs) for key, runs in torpedo_runs(board(battle(), "japan")).items()}
    assert results["oklahoma"]
    assert not results["maryland"]
    assert not results["pennsylvania"]
    for chart in layout(battle().view("japan"))["charts"]:
        assert len(chart.runs) == sum(results.values())


def test_turn_track_and_deck_show_public_facts() -> None:
    match = battle(12)
    match.state.drawn = [card for card in match.state.luck.contents if card.key == "10-of-hearts"]
    turns, deck = turn_track(match.view(None)), luck_deck(board(match, None))
    assert [turn.turn for turn in turns if turn.rise] == [7, 13]
    assert [turn.turn for turn in turns if turn.now] == [12]
    assert next(turn.turn for turn in turns if turn.luck) == 11
    assert (deck.rank, deck.suit) == ("10", "hearts")
    match.state.drawn = [card for card in match.state.luck.contents if card.key == "ace-of-hearts"]
    assert luck_deck(board(match, None)).rank == "A"
    assert [turn.turn for turn in turns] == list(range(1, 32))


@pytest.mark.rule("tora", "13.2", "T29")
@pytest.mark.parametrize(("luck_from", "last"), [("0", 31), ("11", 31), ("13", 33)])
def test_turn_track_ends_at_last_possible_turn(luck_from: str, last: int) -> None:
    match = Match(GAME, "sunday", {"luck_from": luck_from}, seed="track")
    for chart in layout(match.view("usa"))["charts"]:
        assert chart.turns[-1][0].turn == last
        assert all(width >= 16 for *_, width in chart.turns)
        assert apart((x, y - 6, x + width, y + 31) for _, x, y, width in chart.turns)
        assert all(y + 31 <= chart.oahu[1] for _, _, y, _ in chart.turns)


def test_print_of_heading_ends_before_turn_track() -> None:
    outcome = Outcome(None, "Japanese tactical victory, strategic defeat", "")
    view = structs.replace(battle().view("usa"), outcome=outcome)
    wide = layout(view)["charts"][0]
    line = next(label for label in wide.labels if label.kind == "line")
    assert "strategic defeat" in line.text
    assert line.x + len(line.text) * 5.6 < wide.turns[0][1]


def test_name_of_ford_island_touches_no_zone_border() -> None:
    """Selectable zones are outlined along these borders."""
    for chart in layout(battle().view("usa"))["charts"]:
        name = next(label for label in chart.labels if label.kind == "isle")
        covered = (name.x - 38, name.y - 11, name.x + 38, name.y + 3)
        border = re.fullmatch(r"M(\S+) \S+V\S+M\S+ (\S+)H\S+", chart.crosses[-1])
        assert border is not None
        assert not covered[0] < float(border[1]) < covered[2]
        assert not covered[1] < float(border[2]) < covered[3]


def test_seat_of_shared_side_sees_its_quadrants() -> None:
    match = Match(GAME, "sunday", {"japan_players": "2", "usa_players": "4"}, seed="team")
    headings = {seat.key: [panel.heading for panel in panels(match, seat.key)] for seat in match.seats}
    assert headings["japan-north"] == ["Japan (you: NW, NE)", "United States"]
    assert headings["usa-se"] == ["Japan", "United States (you: SE)"]
    assert panels(battle(), "usa")[1].heading == "United States (you)"


def test_losses_are_counted_wherever_unit_is_now() -> None:
    match = battle()
    state: Tora = match.state
    state.zones["3NW"].japan[0].strength = 1
    state.japan.carriers[0].strength = 2
    lost = state.zones["3NW"].japan.pop()
    lost.strength = 0
    state.japan.lost.append(lost)
    assert "Aircraft lost: 9." in panels(match, "japan")[0].lines
    assert "Aircraft lost: 9." in panels(match, "usa")[0].lines


# -- size --------------------------------------------------------------------------------------------------------------


def test_board_is_small() -> None:
    for seat in SEATS:
        board = board_svg.draw(GAME, battle().view(seat))
        assert len(gzip.compress(board.encode())) < 24_000


# -- outlines and packing ----------------------------------------------------------------------------------------------


def test_map_knows_every_field_battery_and_zone() -> None:
    oahu = drawn().oahu
    assert set(oahu.fields) == {field.key for field in DATA.places.field}
    assert set(oahu.batteries) == {battery.key for battery in DATA.places.battery}
    assert set(oahu.clouds) == set(oahu.names) == {zone for zone in DATA.places.zone_ids if zone[0] != "1"}
    for left, top, width, height in chain.from_iterable(oahu.clouds.values()):
        assert 0 <= left < left + width <= oahu.width
        assert 0 <= top < top + height <= oahu.height


def test_usual_number_of_piles_over_a_zone_has_room_at_full_size() -> None:
    for zone, frames in drawn().oahu.clouds.items():
        corners = [(left, top, left + wide, top + high) for left, top, wide, high in frames]
        assert fit(2 if zone == "2SW" else 4, corners) == 1, zone


def test_harbor_cells_are_all_drawn() -> None:
    chart, harbor = drawn().harbor, DATA.places.harbor
    assert chart.rows[-1][0] == harbor.sea.y[1] + 1
    for across in (chart.wide, chart.narrow):
        assert across.columns[-1][0] == harbor.width
        assert sum(width for _, width in across.columns) > 0


def test_axis_gives_ships_room_and_keeps_length() -> None:
    plain = Axis([(10, 2.0), (20, 8.0)], {}, 5)
    assert (plain(0), plain(10), plain(20), plain(10.5)) == (5, 25, 105, 29)
    roomy = Axis([(10, 2.0), (20, 8.0)], {3: 7.0, 99: 7.0}, 5)
    assert roomy(20) == pytest.approx(105)
    assert roomy(4) - roomy(3) == pytest.approx(7)
    assert roomy(1) - roomy(0) == pytest.approx(2 * 93 / 98)
    crowded = Axis([(10, 2.0)], dict.fromkeys(range(9), 7.0), 0)
    assert crowded(10) == pytest.approx(20)
    assert crowded(1) < 7


@pytest.mark.parametrize("count", [1, 2, 5, 13])
@pytest.mark.parametrize("size", [(86, 36), (216, 110), (60, 300)])
def test_piles_stay_within_their_frames_clear_of_each_other(count: int, size: tuple[int, int]) -> None:
    width, height = size
    frames = [(10.0, 20.0, 10.0 + width, 20.0 + height), (500.0, 0.0, 560.0, 60.0)]
    scale = fit(count, frames)
    half = WIDE * scale / 2, HIGH * scale / 2
    piles = [(x - half[0], y - half[1], x + half[0], y + half[1]) for x, y in spread(count, frames, scale)]
    assert len(piles) == count
    assert apart(piles, 0.001)
    for left, top, right, bottom in piles:
        assert any(
            frame[0] - 0.1 <= left < right <= frame[2] + 0.1 and frame[1] - 0.1 <= top < bottom <= frame[3] + 0.1
            for frame in frames
        )


def test_room_is_found_next_to_taken_frames() -> None:
    assert clear((0, 0, 100, 50), (), 9, 9) == (0, 0, 100, 50)
    assert clear((0, 0, 100, 50), ((10, 10, 20, 20),), 9, 9) == (20, 0, 100, 50)
    assert clear((0, 0, 100, 50), ((40, 30, 60, 50),), 30, 30) == (0, 0, 100, 30), "three side by side"
    assert clear((0, 0, 100, 50), ((-5, -5, 105, 55),), 9, 9) == (0, 0, 100, 50), "no room"


def test_outline_quarters_join_to_outline() -> None:
    coast = [drawn().oahu.place(spot) for spot in drawn().oahu.coast]
    x, y = drawn().oahu.at
    parts = [clip(coast, part) for part in ((0, 0, x, y), (x, 0, 999, y), (0, y, x, 999), (x, y, 999, 999))]
    assert sum(map(area, parts)) == pytest.approx(area(coast))
    assert clip([(0, 0), (1, 0), (1, 1)], (5, 5, 9, 9)) == []


def area(points: list[tuple[float, float]]) -> float:
    """Return the area of an outline."""
    pairs = zip(points, [*points[1:], *points[:1]], strict=True)
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairs)) / 2


def test_choices_about_a_zone_are_clear_of_fields_and_counters() -> None:
    match, random, seen = Match(GAME, "december", seed="choices"), Random(7), set[str]()
    bots = {seat.key: make_bot(GAME, "doctrine", seat.key, random) for seat in match.seats}
    while match.outcome is None:
        seat, decision = next(iter(match.pending.items()))
        kind, _, zone = decision.piece_key.partition(":")
        if kind == "move" and zone not in seen and ":" not in zone:
            seen.add(zone)
            for chart in layout(match.view(seat))["charts"]:
                x, y = chart.choices_at(zone, (4, 6))
                row = x, y - 13, x + 112, y + 13
                taken = [*(ground.frame for ground in chart.grounds), *(pile.frame for pile in chart.piles)]
                assert not any(overlap(row, frame) for frame in taken), (zone, chart.shape)
        match.decide(seat, list(bots[seat](decision, match.bot_view(seat))))
    assert len(seen) > 5


@pytest.mark.parametrize("zone", [zone for zone in DATA.places.zone_ids if zone[0] != "1"])
def test_choices_about_any_zone_are_clear_while_south_is_crowded(zone: str) -> None:
    match = battle()
    state: Tora = match.state
    state.zones["2SE"].japan, ewa = everybody(state), state.usa.field("ewa")
    state.zones["2SW"].usa, ewa.stacks = [unit for stack in ewa.stacks for unit in stack], []
    for chart in layout(match.view("usa"))["charts"]:
        x, y = chart.choices_at(zone, (4, 6))
        taken = [*(ground.frame for ground in chart.grounds), *(pile.frame for pile in chart.piles)]
        taken += [(u - 20, v - 20, u + 20, v + 29) for _, u, v in chart.batteries]
        assert not any(overlap((x, y - 13, x + 112, y + 13), frame) for frame in taken)


@pytest.mark.parametrize("seat", ["japan", "usa"])
def test_panels_reach_down_to_the_bottom_of_the_island(seat: str) -> None:
    wide = layout(battle().view(seat))["charts"][0]
    bottom = wide.oahu[1] + wide.oahu[3]
    legend = max(label.y for label in wide.labels if label.kind == "legend")
    assert bottom - 12 <= legend <= bottom
    assert wide.height == round(bottom + EDGE)
