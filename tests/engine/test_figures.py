"""Figures of a game's data: addresses, tables, what is allowed, and changed data."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from readyroom.engine.data import convert
from readyroom.engine.errors import InvalidData
from readyroom.engine.figures import Figure, Figures, UnknownFigure
from readyroom.engine.game import game_names, load_game
from readyroom.engine.rules.charts import Charts


class Gun(msgspec.Struct, frozen=True):
    """An entry of a list."""

    key: str
    name: str
    hit: int
    kind: Literal["light", "heavy"] = "light"


class Guns(msgspec.Struct, frozen=True):
    """A file with a list, single figures and a nested table."""

    gun: list[Gun]
    range: dict[int, float]
    salvo: bool
    shift: int = -2
    boxes: Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 2, "maximum": 4})] = 3
    origin: str = "Gunnery"


class Data(msgspec.Struct, frozen=True):
    """All files."""

    guns: Guns
    charts: Charts


def chart(rows: dict[str, list[str]], columns: list[str]) -> dict[str, Any]:
    return {
        "id": "hits",
        "title": "Hits",
        "rule": "7.1",
        "source": "rulebook",
        "origin": "Card",
        "columns": columns,
        "rows": rows,
    }


@pytest.fixture
def figures() -> Figures:
    """Return the figures of small data with all kinds of them."""
    gun = [{"key": "g1", "name": "Five inch", "hit": 6}, {"key": "g2", "name": "Forty", "hit": 5, "kind": "heavy"}]
    content = {
        "guns": {"gun": gun, "range": {1: 0.5, 2: 1.5}, "salvo": True},
        "charts": {"chart": [chart({"1/2": ["0/1", "Fire"], "3": ["2/10", "Sunk"]}, ["day", "night"])]},
    }
    return Figures(convert(content, Data, "test"), Data)


def test_every_figure_has_an_address(figures: Figures) -> None:
    assert {address: place.cell.value for address, place in figures.places.items()} == {
        "guns/range/1": 0.5,
        "guns/range/2": 1.5,
        "guns/salvo": True,
        "guns/shift": -2,
        "guns/boxes": 3,
        "guns/gun/g1/hit": 6,
        "guns/gun/g1/kind": "light",
        "guns/gun/g2/hit": 5,
        "guns/gun/g2/kind": "heavy",
        "charts/chart/hits/rows/1~12/day": "0/1",
        "charts/chart/hits/rows/1~12/night": "Fire",
        "charts/chart/hits/rows/3/day": "2/10",
        "charts/chart/hits/rows/3/night": "Sunk",
    }


def test_places_have_titles_and_sources(figures: Figures) -> None:
    place = figures.place("charts/chart/hits/rows/3/day")
    assert (place.title, place.table.rule, place.origin) == ("Hits: 3, day", "7.1", "Card")
    assert figures.place("guns/gun/g1/hit").title == "Guns: gun: Five inch, hit"
    assert figures.place("guns/salvo").origin == "Gunnery"


@pytest.mark.parametrize(
    ("address", "allowed", "value", "wrong"),
    [
        ("guns/gun/g1/hit", "a whole number from 0 to 100", 7, 2.5),
        ("guns/shift", "a whole number from -100 to 100", -3, 101),
        ("guns/boxes", "a whole number from 2 to 4", 4, 5),
        ("guns/range/1", "a number from 0 to 100", 0.25, -1.0),
        ("guns/salvo", "yes or no", False, 1),
        ("guns/gun/g1/kind", "one of heavy, light", "heavy", "laser"),
        ("charts/chart/hits/rows/3/day", "a result such as 0/1, 2/10", "3/4", "3"),
        ("charts/chart/hits/rows/3/night", "one of Fire, Sunk", "Fire", "Fire!"),
    ],
)
def test_allowed_values_are_stated_and_checked(
    figures: Figures, address: str, allowed: str, value: Figure, wrong: Figure
) -> None:
    assert figures.place(address).cell.rule.allowed == allowed
    changed = Figures(figures.changed({address: value}, "mine.toml"), Data)
    assert changed.place(address).cell.value == value
    with pytest.raises(InvalidData, match=f"mine.toml: at {address}: expected {allowed}, found {wrong!r}"):
        figures.changed({address: wrong}, "mine.toml")


def test_texts_of_forms_are_read(figures: Figures) -> None:
    read = figures.place("guns/shift").cell.rule.read
    assert read(" −3 ") == -3
    for wrong in ("", "three", "1e3", "999999999999", "nan"):
        with pytest.raises(ValueError, match=r"not allowed|invalid literal"):
            read(wrong)
    with pytest.raises(ValueError, match="not allowed"):
        figures.place("guns/range/1").cell.rule.read("nan")
    assert figures.place("guns/salvo").cell.rule.read("no") is False
    assert figures.place("charts/chart/hits/rows/3/day").cell.rule.read("1/2") == "1/2"


def test_unknown_address_names_the_nearest(figures: Figures) -> None:
    with pytest.raises(UnknownFigure, match="Did you mean 'guns/gun/g1/hit'"):
        figures.changed({"guns/gun/g1/hits": 5}, "mine.toml")
    for text in ("guns/gun/g1/key", "guns/gun/g1/name", "guns/origin", "charts/chart/hits/title"):
        with pytest.raises(UnknownFigure):
            figures.place(text)


@pytest.mark.slow(2)
@pytest.mark.parametrize("name", game_names())
def test_figures_of_every_game_are_their_own_values(name: str) -> None:
    game = load_game(name)
    places = game.figures.places
    assert len(places) == sum(1 for table in game.figures.tables for _ in table.cells) > 100
    assert len({table.key for table in game.figures.tables}) == len(game.figures.tables)
    own = game.with_figures({address: place.cell.value for address, place in places.items()})
    assert own.data_fingerprint == game.data_fingerprint
    assert all(place.cell.rule.allowed and place.title for place in places.values())


def test_changed_game_leaves_the_original_alone() -> None:
    game = load_game("midway")
    other = game.with_figures({"combat/dive/fire/at_least": 4, "scenarios/midway/carrier/akagi/antiaircraft": 20})
    assert other.data.combat.dive.fire.at_least == 4
    assert next(each for each in other.data.scenarios["midway"].carrier if each.key == "akagi").antiaircraft == 20
    assert game.data.combat.dive.fire.at_least == 5
    assert other.data_fingerprint != game.data_fingerprint
    assert game.with_figures({}) is game


def test_figures_that_do_not_fit_together_are_rejected() -> None:
    with pytest.raises(InvalidData, match="groups numbered from 1"):
        load_game("midway").with_figures({"charts/chart/search/rows/4/group": "9"}, "mine.toml")
