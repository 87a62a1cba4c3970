"""Tests of the SVG board: selectable pieces, hidden information and styles."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec import structs
from tests.toys.tiny import tiny

from readyroom import Match, games
from readyroom.engine.game import MatchView, load_game
from readyroom.testing import variants
from readyroom.web import board_svg, catalog, formatting
from readyroom.web.pages.home.watch import opening_image
from readyroom.web.rendering import environment, whole
from readyroom.web.static_files import STATIC, STYLE, versioned

GAME = games.load("midway")
VARIANTS = variants(GAME, mixed=1)
CLASSES = re.compile(r'class="([^"]+)"')
SVG = "{http://www.w3.org/2000/svg}"


def parsed(board: str) -> ElementTree.Element:
    """Parse a board as XML, with the SVG namespace that HTML parsers add."""
    return ElementTree.fromstring(str(board).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'))


def charts(board: str) -> list[str]:
    """Return the text of each chart."""
    return re.split(r'<svg class="board-(?:wide|narrow)"', board)[1:]


def with_class(chart: str, name: str) -> set[str]:
    """Return the keys of the pieces with this class, and of those in piles with it."""
    return {key for keys in groups(chart, name) for key in keys}


def groups(chart: str, name: str) -> list[set[str]]:
    """Return the key of each piece with this class, and the keys of each pile with it."""
    pieces = re.findall(r'<g class="([^"]*\bpiece\b[^"]*)"[^>]*? data-(?:key|stack)="([^"]+)"', chart)
    return [set(keys.split()) for classes, keys in pieces if name in classes.split()]


def known(view: MatchView[Any]) -> set[str]:
    """Return the keys of all carriers and remaining squadrons in a view."""
    result = set()
    for side in view.table.sides.values():
        result |= {carrier.key for carrier in side.carriers}
        result |= set(re.findall(r"SquadronView\(key='([^']+)'", repr(structs.replace(side, lost=None))))
    return result


def moments(scenario: str, options: dict[str, str], seed: str) -> Iterator[tuple[Match[Any, Any], str, Any]]:
    """Play a random match; yield each decision with its seat."""
    match, random = Match(GAME, scenario, options, seed=seed), Random(seed)
    while match.pending:
        for seat, decision in match.pending.items():
            yield match, seat, decision
            match.decide(seat, decision.sample(random))


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "options"), VARIANTS, ids=str)
def test_options_that_are_pieces_are_marked_on_the_board(scenario: str, options: dict[str, str]) -> None:
    for at, (match, seat, decision) in enumerate(moments(scenario, options, f"{scenario} {options}")):
        if at % 9:
            continue
        view, asked = match.view(seat), formatting.decision(decision)
        drawn = charts(board_svg.draw(GAME, view, asked))
        assert len(drawn) == 2
        orders = [option["assigns"] for option in asked["options"] if option["assigns"]]
        pieces, places = {piece for piece, _ in orders}, {place for _, place in orders if "-" in place}  # not ships
        kinds = {option["key"] for option in asked["options"]} & {"TB", "DB"}
        offered = {option["key"] for option in asked["options"]} & known(view)
        for chart in drawn:
            assert with_class(chart, "piece") == known(view) | places | kinds
            choices = offered | pieces | places | kinds
            can = groups(chart, "can")
            assert set().union(*can) >= choices
            assert all(keys & choices for keys in can)  # of a pile, some may be offered
            assert with_class(chart, "about") == {asked["about"]} - {""}


@pytest.mark.parametrize("options", [{}, {"sight": "open", "cap_rings": "4"}, {"seats": "groups"}], ids=str)
def test_board_is_well_formed_without_style_or_script(options: dict[str, str]) -> None:
    for at, (match, seat, decision) in enumerate(moments("midway", options, "form")):
        if at % 15:
            continue
        for perspective in (seat, None):
            board = board_svg.draw(
                GAME, match.view(perspective), formatting.decision(decision) if perspective else None
            )
            for element in parsed(board).iter():
                assert element.tag not in (f"{SVG}script", f"{SVG}style", f"{SVG}foreignObject")
                assert not [name for name in element.attrib if name == "style" or name.startswith("on")]
                assert element.get("href", "#").startswith("#")


@pytest.mark.parametrize("key", games.game_names())
def test_images_of_scenarios_are_well_formed(key: str) -> None:
    for scenario in catalog.scenarios(catalog.find(key)):
        assert opening_image(key, "", "", scenario.key)
        ElementTree.fromstring(opening_image(key, "", "", scenario.key))


def test_pieces_have_titles_and_symbols_exist() -> None:
    match = Match(GAME, seed="a")
    for _, (match, seat, _) in zip(range(40), moments("midway", {}, "titles"), strict=False):
        board = parsed(board_svg.draw(GAME, match.view(seat)))
        symbols = {element.get("id") for element in board.iter()}
        for element in board.iter():
            if "data-key" in element.attrib:
                assert element.findtext(f"{SVG}title")
            if "href" in element.attrib:
                assert element.attrib["href"][1:] in symbols


def test_board_hides_what_the_seat_cannot_see() -> None:
    random = Random(5)
    for at, (match, _, _) in enumerate(moments("midway", {}, "secret")):
        if at % 12:
            continue
        for seat in ("japan", "usa"):
            before = board_svg.draw(GAME, match.view(seat))
            state = GAME.rules.resample(GAME.decode(GAME.encode(match.state)), GAME.data, seat, random)
            other = structs.replace(match.view(seat), table=GAME.rules.view(state, GAME.data, seat))
            assert board_svg.draw(GAME, other) == before


def test_board_is_small() -> None:
    for seat in ("japan", "usa", None):
        match = Match(GAME, seed="a")
        asked = formatting.decision(match.pending["japan"]) if seat == "japan" else None
        board = board_svg.draw(GAME, match.view(seat), asked)
        assert len(gzip.compress(board.encode())) < 10_700
        assert all(len(chart) < 60_000 for chart in charts(board))


@pytest.mark.parametrize("key", games.game_names())
def test_known_shape_draws_only_its_chart(key: str) -> None:
    game = games.load(key)
    view = Match(game, seed="a").view(None)
    both = board_svg.draw(game, view)
    for shape, other in (("wide", "narrow"), ("narrow", "wide")):
        sole = board_svg.draw(game, view, shape=shape)
        assert f'class="board-{shape}' in both
        assert f'class="board-{shape}' in sole
        assert f'class="board-{other}' not in sole
        assert "board-alone" in sole
    assert "board-alone" not in both


@pytest.mark.parametrize("key", games.game_names())
def test_medium_shape_is_drawn_where_a_game_has_one(key: str) -> None:
    game = games.load(key)
    view = Match(game, seed="a").view(None)
    has_medium = key == "midway"
    board = board_svg.draw(game, view, shape="medium")
    assert ('class="board-medium board-wide"' in board) == has_medium
    assert ('class="board-wide' in board) != has_medium
    assert 'data-shape="medium"' in board
    assert ("data-medium" in board_svg.draw(game, view)) == has_medium


def test_custom_scenario_names_are_escaped() -> None:
    head = ["title = 'A <script>alert(1)</script> & more'", 'summary = "s"', "found = true"]
    head += ['source = "reconstructed"', 'origin = "o"']
    ships = [_carrier("a", "usa", "'<b>Big</b> & \"E\"'"), _carrier("b", "japan", '"' + "𝕿 " * 20 + '"')]
    own = "\n".join(head + ships)
    match = Match(GAME, GAME.own_scenario(own.encode(), "own.toml"), seed="a")
    board = board_svg.draw(GAME, match.view("usa"))
    parsed(board)
    assert "<script" not in board
    assert "<b>" not in board


def _carrier(key: str, side: str, name: str) -> str:
    figures = "antiaircraft = 5\nrepair = 7\nfighters = 1\ntorpedo_bombers = 1\ndive_bombers = 1"
    return f'[[carrier]]\nkey = "{key}"\nside = "{side}"\nname = {name}\n{figures}\n'


def test_board_text_equals_the_terminals() -> None:
    text = board_svg.words(GAME, Match(GAME, seed="a").view("usa"))
    assert "Turn 1 of 20" in text
    assert "United States (you)" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text


@pytest.mark.parametrize(("name", "seat"), [("midway", "usa"), ("tora", "usa"), ("war", "allies"), ("pearl", "usa")])
def test_board_marks_a_side_as_own_only_for_who_holds_its_seat(name: str, seat: str) -> None:
    game = load_game(name)
    view = Match(game, seed="a").view(seat)
    assert not view.for_others().is_own
    for board in (board_svg.words, board_svg.draw):
        own, others = str(board(game, view)), str(board(game, view.for_others()))
        assert "(you" in own or name == "pearl"
        assert re.sub(r" \(you[^)]*\)", "", own) != own or name == "pearl"
        assert "(you" not in others


def test_game_without_drawing_shows_text() -> None:
    undrawn = replace(GAME, presentation=replace(GAME.presentation, layout=None))
    board = board_svg.draw(undrawn, Match(GAME, seed="a").view("usa"))
    assert board.startswith('<pre class="board-words">Turn 1 of 20')
    assert board_svg.draw(replace(GAME, package="tests.toys"), Match(GAME, seed="a").view("usa")) == board
    assert (
        board_svg.draw(tiny(), MatchView("", "", None, 1, "", None, {"notes": ["<i>"]}, {}))
        == '<pre class="board-words"></pre>'
    )


def test_failing_drawing_shows_text_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def broken(view: MatchView[Any]) -> dict[str, Any]:
        return {"charts": view.table.nothing_of_this_name}

    view = Match(GAME, seed="a").view("usa")
    with caplog.at_level("ERROR", logger="readyroom.web"):
        board = board_svg.draw(replace(GAME, presentation=replace(GAME.presentation, layout=broken)), view)
    assert board.startswith('<pre class="board-words">Turn 1 of 20')
    assert "cannot draw the board of midway" in caplog.text
    assert "nothing_of_this_name" in caplog.text


def _styled(*files: Path) -> set[str]:
    """Return the CSS classes in stylesheets."""
    return {name for file in files for name in re.findall(r"\.([a-z][\w-]+)", file.read_text())}


def _own_styles(game: str) -> set[str]:
    return _styled(*versioned().files.get((f"games/{game}", STYLE), ()))


@pytest.mark.parametrize("name", games.game_names())
def test_game_styles_are_separate(name: str) -> None:
    """No game uses classes from another game's `board.css`."""
    game = games.load(name)
    own = _styled(STATIC / STYLE) | _own_styles(name)
    others = set().union(*(_own_styles(other) for other in games.game_names() if other != name))
    drawn = set(" ".join(CLASSES.findall(str(board_svg.draw(game, Match(game, seed="a").view(None))))).split())
    assert drawn & own
    assert not drawn & (others - own)


def test_page_loads_its_templates_in_advance() -> None:
    known = environment()
    assert whole(known, "table.html").name == "table.html"
    assert known.cache is not None
    read = {name for _, name in known.cache}
    assert {"table.html", "_table.html", "_card.html", "_dice.html", "_log.html"} <= read
    board_svg._template.cache_clear()
    board_svg.draw(GAME, Match(GAME, seed="a").view("japan"))
    assert board_svg._template.cache_info().currsize == 2
