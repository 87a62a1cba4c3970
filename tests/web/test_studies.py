"""Tests of the study pages: built-in studies, limits and running a small study."""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx
import pytest
from tests.web.server import Browser, Site
from tests.web.test_workers import until

from readyroom import games
from readyroom.bots import default_bot
from readyroom.engine.errors import InvalidQuery
from readyroom.engine.game import sides
from readyroom.study.studyfile import builtin_studies, checked, parse_study
from readyroom.web import catalog
from readyroom.web.jobs import client_jobs
from readyroom.web.jobs.client_jobs import ClientJobs
from readyroom.web.jobs.workers import STUDY, Job, JobFailed, WorkerPool
from readyroom.web.pages.games.studies import AMOUNTS, study_text, varying

ASKED = {"game": "midway", "vary": "options.cap_rings", "bot-japan": "random", "bot-usa": "random", "matches": "100"}


@pytest.fixture
def studied(site: Site) -> ClientJobs:
    """The server's studies."""
    jobs: ClientJobs = site.app.state.site.client_jobs
    return jobs


def job_of(studied: ClientJobs, address: str) -> Job:
    """Return the job of a study."""
    return studied.find_study(address.removeprefix("/studies/")).job


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
        assert study.matches * len(study.cases) <= client_jobs.MOST_MATCHES


def test_default_choice_comes_first() -> None:
    result = {one.key: one.choices for one in varying(games.load("midway"))}
    assert result["options.cap_rings"][0] == "3"
    assert result["bots.usa"][0] == "guarded"


@pytest.mark.slow(2)
def test_small_study_runs_and_is_reported(browser: Browser, studied: ClientJobs) -> None:
    begun = browser.form("/studies", ASKED)
    assert begun.status_code == 303
    address = begun.headers["location"]
    page = browser.get(address).text
    assert "Progress:" in page or "in the queue" in page or "Full report" in page
    job_of(studied, address).result(60)
    page = browser.get(address).text
    assert "99 matches, 33 of each case" in page
    assert "hx-get" not in page
    assert "cap_rings = [&#34;3&#34;, &#34;2&#34;, &#34;4&#34;]" in page
    report = browser.get(f"{address}/report")
    assert "<code>readyroom study study.toml</code>" in report.text
    assert "style-src 'self' 'sha256-" in report.headers["content-security-policy"]
    assert "unsafe" not in report.headers["content-security-policy"]


@pytest.mark.slow(2)
def test_client_can_run_one_study_at_a_time(browser: Browser, site: Site, studied: ClientJobs) -> None:
    pool: WorkerPool = site.app.state.site.workers
    held = [pool.submit(f"other {i}", STUDY, time.sleep, 60) for i in range(pool.workers - 1)]
    until(lambda: all(job.state == "running" for job in held))
    address = browser.form("/studies", ASKED).headers["location"]
    page = browser.get(address).text
    assert "number 1 in the queue" in page
    assert f'hx-get="{address}"' in page
    assert '<noscript><meta http-equiv="refresh"' in page
    refused = browser.form("/studies", ASKED)
    assert refused.status_code == 429
    assert "Your last study is still running or waiting" in refused.text
    for answer in (refused, browser.get("/studies")):
        assert f'<a href="{address}">' in answer.text
    assert 1 <= int(refused.headers["retry-after"]) <= 600
    assert browser.get(f"{address}/report").status_code == 302
    for job in held:
        job.cancel()
    until(lambda: "Progress:" in browser.get(address).text)
    with site.browser(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as stranger:
        assert stranger.form(f"{address}/cancel").status_code == 403
    assert browser.form(f"{address}/cancel").status_code == 303
    assert "The study was stopped." in browser.get(address).text
    assert not studied.find_study(address.removeprefix("/studies/")).report


def test_slow_study_is_stopped(browser: Browser, studied: ClientJobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_jobs, "STUDY", STUDY._replace(seconds=0.2))
    address = browser.form("/studies", ASKED).headers["location"]
    with pytest.raises(JobFailed):
        job_of(studied, address).result(30)
    assert "The study took longer than this server allows and was stopped." in browser.get(address).text


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


def test_too_large_study_is_rejected(studied: ClientJobs) -> None:
    with pytest.raises(client_jobs.TooLarge, match="at most 400 matches"):
        studied.study("a", 'title = "Much"\ngame = "midway"\nmatches = 401\n')


def test_studies_are_rate_limited(open_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readyroom.web.security.NEW_STUDIES", 1)
    site = open_site(rate=1000)
    with site.browser() as browser:
        assert browser.form("/studies", {**ASKED, "vary": ""}).status_code == 422
        refused = browser.form("/studies", ASKED)
    assert refused.status_code == 429
    assert "Limit reached: 1 studies an hour" in refused.text
