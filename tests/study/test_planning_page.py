"""The page of a planning game: well-formed, complete and self-contained."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from readyroom.engine.rules.checks import signed
from readyroom.study.planning.planning import planning_game
from readyroom.study.planning.planning_page import page

VOID = {"meta", "link", "br", "img", "input", "line"}
COMMAND = "readyroom planning hands --games 6"


class Reader(HTMLParser):
    """A strict HTML parser: every tag is closed in order; collects the cells of tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[list[list[str]]] = []
        self.captions: list[str] = []
        self.feed(text)
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "caption":
            self.captions.append("")
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "caption" in self.open:
            self.captions[-1] += data
        elif "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data


@pytest.fixture
def text(hands: str) -> str:
    return page(planning_game(hands, games=6, resamples=10, workers=1), COMMAND)


def test_every_pair_is_in_every_table(text: str) -> None:
    read = Reader(text)
    heat = [table for table in read.tables if len(table) == 4 and len(table[0]) == 4 and table[0][0] == ""]
    assert len(heat) == 1 + 3 + 1, "payoffs, three endings, one match statistic"
    for table in heat:
        assert table[0][1:] == [row[0] for row in table[1:]] == ["Rock", "Paper", "Scissors"]
        assert all("±" in cell for row in table[1:] for cell in row[1:])


def test_page_has_payoffs_of_study(text: str, hands: str) -> None:
    result = planning_game(hands, games=6, resamples=10, workers=1)
    table = Reader(text).tables[0]
    for row, line in zip(table[1:], result.rows.lines, strict=True):
        for cell, other in zip(row[1:], result.columns.lines, strict=True):
            estimate = result.cell(line.key, other.key).payoff
            assert cell.replace("\xa0", " ").strip() == f"{signed(estimate.mean, 2)}± {estimate.error:.2f}"


def test_page_has_both_mixes(text: str) -> None:
    read = Reader(text)
    mixes = [table for table in read.tables if table[0][0] == "Plan"]
    assert len(mixes) == 2
    assert all(len(table) == 4 and "%" in row[1] for table in mixes for row in table[1:])


def test_page_has_no_requests_or_scripts(text: str) -> None:
    read = Reader(text)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in read.tags}
    assert not {"src", "href"} & {name for _, attributes in read.tags for name in attributes}
    assert not re.search(r"url\(|@import|https?:", text)
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on")]


def test_page_is_accessible_to_screen_readers(text: str) -> None:
    """Tables have captions, headers have a scope, and drawings are hidden."""
    read = Reader(text)
    assert len(read.captions) == len(read.tables)
    assert all(caption.strip() for caption in read.captions)
    assert all(attributes.get("scope") in ("row", "col") for tag, attributes in read.tags if tag == "th")
    assert all(attributes.get("aria-hidden") == "true" for tag, attributes in read.tags if tag == "svg")
    assert ("html", {"lang": "en"}) in read.tags
    assert [tag for tag, _ in read.tags].count("h1") == 1


def test_page_escapes_text(text: str) -> None:
    assert "Hands &amp; Dice" in text
    assert "Always rock &lt;&amp;&gt;." in text
    assert COMMAND in text


def test_page_has_light_dark_and_print_colours(text: str) -> None:
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    classes = {name for _, attributes in Reader(text).tags for name in (attributes.get("class") or "").split()}
    heats = {name for name in classes if re.fullmatch(r"(first|second|much)-[1-5]", name)}
    assert heats
    assert all(f".{name} {{" in text for name in heats)


@pytest.mark.parametrize(("figure", "text"), [(0.254, "+0.25"), (-0.5, "−0.50"), (-0.001, "0.00"), (0, "0.00")])
def test_payoffs_have_a_sign(figure: float, text: str) -> None:
    assert signed(figure, 2) == text
