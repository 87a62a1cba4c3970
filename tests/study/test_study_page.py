"""The page of a study: self-contained, complete and reproducible."""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree

import msgspec
import pytest

from readyroom.study.measures import MeasureResult
from readyroom.study.studies import run
from readyroom.study.study_page import change, describe_result, figure, needs, page
from readyroom.study.studyfile import StudyFile, parse_study

COMMAND = "readyroom study enterprise-guns --games 30"


@pytest.fixture(scope="module")
def result() -> MeasureResult:
    return run("enterprise-guns", matches=30, workers=1).result


@pytest.fixture(scope="module")
def html(result: MeasureResult) -> str:
    return page(result, COMMAND)


def test_page_is_self_contained_and_well_formed(html: str) -> None:
    assert "<script" not in html
    assert not re.search(r"(?:src|href)=|url\(|@import", html)
    ElementTree.fromstring(re.sub(r"<meta [^>]*>", "", html.partition("\n")[2]).replace("<!DOCTYPE html>", ""))


def test_page_has_every_figure_and_sentence(html: str, result: MeasureResult) -> None:
    text = unescape(html)
    for measured in result.measures:
        assert f"<h2>{measured.measure.title}</h2>" in text
        assert measured.differences[1] is not None
        assert measured.differences[1].sentence in text
        assert measured.figures[0] is not None
        assert figure(measured.figures[0].mean, measured.measure.kind == "share") in text
    assert f"<code>{COMMAND}</code>" in html
    assert result.fingerprint in html
    assert "Seed “enterprise”" in html


@pytest.mark.torture(1)
def test_same_study_gives_same_page(html: str) -> None:
    assert page(run("enterprise-guns", matches=30, workers=1).result, COMMAND) == html


def test_each_case_has_histogram_with_first_case_overlaid(html: str, result: MeasureResult) -> None:
    counted = sum(measured.measure.kind == "figure" for measured in result.measures)
    assert html.count('<svg class="histogram"') == 2 * counted
    assert html.count('<path d="M0 40V') == counted


@pytest.mark.slow(2)
def test_single_case_is_not_compared(hands: str) -> None:
    study = parse_study(b'title = "One"\ngame = "hands"\nmatches = 4\n', "one.toml")
    text = page(run(study, workers=1).result, "readyroom study one.toml")
    assert "What it says" not in text
    assert "Against" not in text


def test_independent_dice_are_not_compared_by_match(hands: str) -> None:
    text = b'title = "Two"\ngame = "hands"\nmatches = 8\ndice = "own"\n[vary.plans]\nred = ["rock", "paper"]\n'
    study: StudyFile = parse_study(text, "two.toml")
    content = page(run(study, workers=1).result, "readyroom study two.toml")
    assert "Alike in" not in content
    assert "Each case had independent dice" in content


def test_insignificant_differences_are_only_counted(result: MeasureResult) -> None:
    sure, unsure = describe_result(result)
    assert len(sure) + unsure == len(result.measures)
    assert all("about" not in sentence for sentence in sure)


def test_figures_as_text(result: MeasureResult) -> None:
    assert (figure(0.256, True), figure(-1.5), change(0.031, True), change(-2)) == ("25.6 %", "−1.50", "+3.1", "−2.00")
    difference = result.measures[0].differences[1]
    assert difference is not None
    assert needs(msgspec.structs.replace(difference, gain=4.04)) == "4.0 times as many"
    assert needs(msgspec.structs.replace(difference, gain=0.5)) == "0.5 times as many"
    assert needs(msgspec.structs.replace(difference, gain=None, identical=1.0)) == "no match differs"
