"""Tests of the answers that are drawn as labels on a board."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from readyroom.engine.drawing import Frame
from readyroom.web.labels import add_labels, fold, lay_out

ROW, SEA = Frame(10, 10, 400, 32), Frame(0, 0, 600, 400)
SVG = '<svg class="board-wide" viewBox="0 0 600 400">\n<g data-key="akagi"/><g data-among="one two"/>\n</svg>\n'


class Chart(NamedTuple):
    """A chart with room for labels."""

    shape: str = "wide"
    answers: tuple[Frame, ...] = (ROW, SEA)


def options(*keys: str) -> dict[str, Any]:
    return {"options": [{"key": key, "text": key.replace("-", " "), "chance": None} for key in keys]}


def drawn(svg: str) -> list[str]:
    return re.findall(r'bd-label can" data-key="([^"]+)"', svg)


def test_only_answers_without_a_piece_are_labels() -> None:
    assert drawn(add_labels(SVG, [Chart()], options("akagi", "two", "hold-fire", "wait"))) == ["hold-fire", "wait"]
    assert add_labels(SVG, [Chart()], options("akagi", "one", "two")) == SVG


def test_labels_are_inside_the_chart() -> None:
    svg = add_labels(SVG, [Chart()], options("hold-fire"))
    assert svg.endswith("</g>\n</svg>\n")
    assert svg.count("</svg>") == 1


def test_board_without_question_or_room_has_no_labels() -> None:
    assert add_labels(SVG, [Chart()], {}) == SVG
    assert add_labels(SVG, [Chart(answers=())], options("hold-fire")) == SVG
    assert add_labels(SVG, [{"shape": "wide"}], options("hold-fire")) == SVG
    assert add_labels(SVG, [Chart()], options("Continue")) == SVG


def test_label_text_is_escaped_and_has_its_chance() -> None:
    asked = {"options": [{"key": "go", "text": "fire & <run>", "chance": 0.58}]}
    svg = add_labels(SVG, [Chart()], asked)
    assert "Fire &amp; &lt;run&gt; · 58" in svg


@pytest.mark.parametrize("count", [1, 3, 12, 60])
def test_labels_lie_apart_in_the_first_frame_with_room(count: int) -> None:
    labels = lay_out(options(*(f"answer-number-{at}" for at in range(count)))["options"], (ROW, SEA))
    frame = ROW if count <= 3 else SEA
    assert len(labels) == count
    for label in labels:
        assert label.frame.x >= frame.x
        assert label.frame.right <= frame.right
        assert label.frame.bottom <= frame.bottom
    assert all(one.frame.is_clear_of(other.frame) for one, other in combinations(labels, 2))


def test_long_text_is_folded_and_cut() -> None:
    assert fold("no assignment: stays in place", 1, 500) == ["no assignment: stays in place"]
    assert fold("no assignment: stays in place", 2, 500) == ["no assignment:", "stays in place"]
    assert fold("a very long answer", 1, 40)[0].endswith("…")
