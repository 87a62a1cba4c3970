"""Tests of the study pages: built-in studies, limits and running a small study."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from threading import Event

import pytest
from tests.web.server import Browser, Site

from readyroom import games
from readyroom.bots import default_bot
from readyroom.engine.errors import InvalidQuery
from readyroom.engine.game import sides
from readyroom.study.studyfile import builtin_studies, checked, parse_study
from readyroom.web import catalog
from readyroom.web.jobs import study_runner
from readyroom.web.pages.studies import AMOUNTS, study_text, varying

ASKED = {"game": "midway", "vary": "options.cap_rings", "bot-japan": "random", "bot-usa": "random", "matches": "100"}


@pytest.fixture
def studied(site: Site) -> Iterator[study_runner.StudyRunner]:
    """The server's studies, stopped after the test."""
    result: study_runner.StudyRunner = site.app.state.site.study_runner
    yield result
    result.close()
    result.wait()


def test_page_lists_builtin_studies_and_forms(browser: Browser) -> None:
    page = browser.get("/studies").text
    for name in builtin_studies():
        assert f"<code>readyroom study {name}</code>" in page
    assert 'href="/studies?game=tora#ask"' in page
    assert "plans.japan" in browser.get("/studies?game=tora").text
    assert browser.get("/studies?game=chess").status_code == 404
    assert 'href="/studies"' in browser.get("/games").text


@pytest.mark.parametrize("name", games.game_names())
def test_every_form_choice_is_a_valid_study(name: str) -> None:
    game = games.load(name)
    bots = {f"bot-{side}": default_bot(game) for side in sides(catalog.first_seats(game))}
    for one in varying(game):
        text = study_text(game, {"vary": one.key, "matches": str(AMOUNTS[-1]), **bots})
        study = checked(parse_study(text.encode(), "study.toml"))
        assert [case.name for case in study.cases] == [f"{one.key.rpartition('.')[2]}={each}" for each in one.choices]
        assert study.matches * len(study.cases) <= study_runner.MOST


def test_default_choice_comes_first() -> None:
    result = {one.key: one.choices for one in varying(games.load("midway"))}
    assert result["options.cap_rings"][0] == "3"
    assert result["bots.usa"][0] == "guarded"


@pytest.mark.slow(2)
def test_small_study_runs_and_is_reported(browser: Browser, studied: study_runner.StudyRunner) -> None:
    begun = browser.form("/studies", ASKED)
    assert begun.status_code == 303
    address = begun.headers["location"]
    assert "Progress:" in (page := browser.get(address).text) or "Full report" in page
    studied.wait()
    page = browser.get(address).text
    assert "99 matches, 33 of each case" in page
    assert "hx-get" not in page
    assert "cap_rings = [&#34;3&#34;, &#34;2&#34;, &#34;4&#34;]" in page
    report = browser.get(f"{address}/report")
    assert "<code>readyroom study study.toml</code>" in report.text
    assert "style-src 'self' 'sha256-" in report.headers["content-security-policy"]
    assert "unsafe" not in report.headers["content-security-policy"]


@pytest.mark.slow(2)
def test_only_one_study_runs_at_a_time(
    browser: Browser, friend: Browser, studied: study_runner.StudyRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    enough = Event()

    def waits(self: study_runner.StudyRunner, asked: study_runner.StudyJob) -> str:
        enough.wait(10)
        return "It was only a test."

    monkeypatch.setattr(study_runner.StudyRunner, "_worked", waits)
    address = browser.form("/studies", ASKED).headers["location"]
    refused = friend.form("/studies", ASKED)
    assert refused.status_code == 429
    assert "Another study is running" in refused.text
    page = browser.get(address).text
    assert "Progress: 0 of 99" in page
    assert f'hx-get="{address}"' in page
    assert browser.get(f"{address}/report").status_code == 302
    enough.set()
    studied.wait()
    assert "It was only a test." in browser.get(address).text


def test_slow_study_is_stopped(
    browser: Browser, studied: study_runner.StudyRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_runner, "LONGEST", 0.01)
    address = browser.form("/studies", ASKED).headers["location"]
    studied.wait()
    assert re.search(r"Stopped after \d+ seconds", browser.get(address).text)


def test_unknown_choices_are_rejected(browser: Browser) -> None:
    for wrong, status in (
        ({"matches": "1000000"}, 422),
        ({"vary": "options.weather"}, 422),
        ({"game": "chess"}, 404),
        ({"bot-usa": "nimitz"}, 422),
        ({"bot-usa": "search:400"}, 422),
        ({"bot-usa": 'x"\n[[case]]'}, 422),
    ):
        assert browser.form("/studies", {**ASKED, **wrong}).status_code == status, wrong
    assert browser.get("/studies/nothing").status_code == 404
    with pytest.raises(InvalidQuery):
        study_text(catalog.find("midway"), {})


def test_too_large_study_is_rejected(studied: study_runner.StudyRunner) -> None:
    with pytest.raises(study_runner.TooLarge, match="at most 400 matches"):
        studied.begin('title = "Much"\ngame = "midway"\nmatches = 401\n')


def test_studies_are_rate_limited(open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readyroom.web.security.NEW_STUDIES", 1)
    site = open_site(rate=1000)
    with site.browser() as browser:
        assert browser.form("/studies", {**ASKED, "vary": ""}).status_code == 422
        refused = browser.form("/studies", ASKED)
    assert refused.status_code == 429
    assert "Limit reached: 1 studies an hour" in refused.text
