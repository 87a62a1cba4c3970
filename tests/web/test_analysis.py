"""Tests of analysis on the match page and in the API."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import msgspec
import pytest
from litestar import Litestar
from tests.web import server as servers
from tests.web.clients import BOT, HTMX, ME, Site, site

from readyroom.bots.analysis import DecisionAnalysis, analyze
from readyroom.bots.search import Limit
from readyroom.engine.errors import NotYourDecision
from readyroom.web import security
from readyroom.web.client import RemoteSeat
from readyroom.web.jobs import analysis
from readyroom.web.jobs.analysis import AnalysisService, Busy

__all__ = ["site"]
QUICK = Limit(float("inf"), 1)
TICKS = re.compile(r'data-select="([^"]*)"')
LINKS = re.compile(r'href="([^"]*ask=these[^"]*)"')


def officer_of(app: Litestar) -> AnalysisService:
    analysis_service: AnalysisService = app.state.site.analysis_service
    return analysis_service


@pytest.fixture(autouse=True)
def in_haste(site: Site) -> None:
    """Limit analysis to keep the tests fast."""
    officer_of(site.app).limit = QUICK


def at_a_question(site: Site, guest: Any) -> str:
    match_id = site.opened(guest, usa=ME, japan=BOT)
    assert site.play_until(match_id, lambda match: "usa" in match.pending)
    return match_id


def test_analysis_ranks_selectable_answers(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = at_a_question(site, anna)
    page, revision = anna.page(f"/m/{match_id}"), site.revision(match_id)
    assert f'hx-get="/m/{match_id}/analysis?seat=usa"' in page
    assert '<section class="analysis"' not in page
    answer = anna.get(f"/m/{match_id}/analysis?seat=usa", **HTMX)
    assert answer.headers["cache-control"] == "no-store"
    part, asked = answer.text, site.asked(match_id, "usa")
    assert "<html" not in part
    assert "style=" not in part
    assert "Analysis" in part
    assert f'data-for="usa {asked["revision"]}"' in part
    ticks = TICKS.findall(part)
    assert 1 < len(ticks) <= analysis.ANSWERS_SHOWN
    known = {option["key"] for option in asked["options"]}
    assert all(set(tick.split()) <= known for tick in ticks)
    assert part.count('class="analysis-bar"') == len(ticks)
    assert site.revision(match_id) == revision


def test_without_script_analysis_is_a_page_with_links(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = at_a_question(site, anna)
    page = anna.page(f"/m/{match_id}/analysis?seat=usa")
    assert '<section class="analysis"' in page
    assert 'id="answer"' in page
    for link, tick in zip(LINKS.findall(page), TICKS.findall(page), strict=True):
        link = link.replace("&amp;", "&")
        assert parse_qs(urlsplit(link).query, keep_blank_values=True)["keys"] == [tick]
        selected = anna.page(link)
        assert set(re.findall(r'name="key" value="([^"]+)"[^>]* checked', selected)) == set(tick.split())
        assert "Selected. Press Confirm to play." in selected


def test_unknown_keys_are_not_selected(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = at_a_question(site, anna)
    page = anna.page(f"/m/{match_id}?seat=usa&ask=these&keys=yamato+%3Cb%3E")
    assert not re.findall(r'name="key" value="([^"]+)"[^>]* checked', page)
    assert "Ticked" not in page


def test_analysis_needs_own_seat(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.play_until(match_id, lambda match: "usa" in match.pending)
    for who, path in ((boris, "?seat=usa"), (site.guest(), ""), (site.guest(), "?seat=usa"), (anna, "?seat=japan")):
        for headers in ({}, HTMX):
            refused = who.get(f"/m/{match_id}/analysis{path}", **headers)
            assert refused.status_code == 403
            assert "data-select" not in refused.text


def test_handover_page_has_no_analysis(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=ME)
    site.play_until(match_id, lambda match: list(match.pending) == ["japan"])
    for seat in ("?seat=usa", ""):
        part = anna.get(f"/m/{match_id}/analysis{seat}", **HTMX)
        assert (part.text, "hx-redirect" in part.headers) == ("", True)
        assert anna.get(f"/m/{match_id}/analysis{seat}").status_code == 303
    assert "data-select" in anna.get(f"/m/{match_id}/analysis?seat=japan", **HTMX).text


def test_analysis_without_decision_says_so(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.play_until(match_id, lambda match: list(match.pending) == ["japan"])
    refused = anna.get(f"/m/{match_id}/analysis?seat=usa", **HTMX)
    assert refused.status_code == 409
    assert "It is not United States" in refused.text


def test_busy_analysis_is_rejected(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = at_a_question(site, anna)
    free = officer_of(site.app)._free
    with ExitStack() as thinking:
        for _ in range(analysis.AT_ONCE):
            thinking.enter_context(free)
        busy = anna.get(f"/m/{match_id}/analysis?seat=usa", **HTMX)
        assert busy.status_code == 429
        assert "The server is busy with another analysis. Try again in a moment." in busy.text
    assert anna.get(f"/m/{match_id}/analysis?seat=usa", **HTMX).status_code == 200


def test_match_is_not_held_during_analysis(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = site.guest("Anna")
    match_id = at_a_question(site, anna)
    before, thinks = site.revision(match_id), analyze

    def slowly(match: Any, seat: str, *more: Any) -> DecisionAnalysis:
        keys = match.pending[seat].sample(Random(1))
        site.store.matches.answer(match_id, seat, list(keys), None)
        return thinks(match, seat, *more)

    monkeypatch.setattr(analysis, "analyze", slowly)
    advice = officer_of(site.app).analyze(site.store, site.store.lobby.summary(match_id), "usa")
    assert advice.rated
    assert site.revision(match_id) > before


def test_failed_analysis_frees_its_slot(site: Site) -> None:
    anna = site.guest("Anna")
    summary = site.store.lobby.summary(at_a_question(site, anna))
    staff = AnalysisService(QUICK, at_once=1)
    for _ in range(3):
        with pytest.raises(NotYourDecision):
            staff.analyze(site.store, summary, "japan")
    with staff._free, pytest.raises(Busy):
        staff.analyze(site.store, summary, "usa")


def test_analysis_is_rate_limited(open_site: Callable[..., servers.Site], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "ANALYSES", 2)
    place = open_site(rate=600)
    with place.browser() as browser:
        result = [browser.get("/m/nowhere/analysis").status_code for _ in range(3)]
        assert result == [404, 404, 429]
        refused = browser.get("/api/v1/matches/nowhere/officer")
        assert refused.status_code == 429
        assert refused.json()["sentence"] == ("Limit reached: 2 analyses a minute. Try again shortly.")


# -- API -------------------------------------------------------------------------------------------------------------


def test_api_returns_analysis(open_site: Callable[..., servers.Site]) -> None:
    place = open_site()
    officer_of(place.app).limit = QUICK
    with httpx.Client(base_url=f"{place.url}/api/v1", timeout=servers.PATIENCE, verify=False) as program:
        new = program.post("/matches", json={"game": "midway"}).json()
        match = f"/matches/{new['id']}"
        seat = program.get(match).json()["waiting"][0]
        own, others = new["seats"].pop(seat), list(new["seats"].values())
        bearer = {"Authorization": f"Bearer {own}"}
        response = program.get(f"{match}/officer", headers=bearer)
        advice = msgspec.convert(response.json(), DecisionAnalysis)
        pending = program.get(match, headers=bearer).json()["pending"]
        assert (advice.seat, advice.rule, advice.revision) == (seat, pending["rule"], pending["revision"])
        assert advice.rollouts == sum(rated.rollouts for rated in advice.rated)
        assert msgspec.convert(RemoteSeat(place.url, new["id"], own).analysis(), DecisionAnalysis).seat == seat
        assert program.get(f"{match}/officer").status_code == 401
        assert program.get(f"{match}/officer", headers={"Authorization": f"Bearer {others[0]}"}).status_code == 409
        answer = {"keys": list(advice.rated[0].keys), "revision": advice.revision}
        assert program.post(f"{match}/decisions", json=answer, headers=bearer).status_code == 200
