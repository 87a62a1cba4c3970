"""Tests of analysis on the match page and in the API."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import msgspec
import pytest
from litestar import Litestar
from tests.web import server as servers
from tests.web.clients import BOT, HTMX, ME, Site, site
from tests.web.test_workers import until

from readyroom import Match, games
from readyroom.bots.analysis import FEWEST, DecisionAnalysis, analysis_seed, analyze
from readyroom.bots.search import Limit
from readyroom.web import security
from readyroom.web.client import RemoteSeat, decision_of
from readyroom.web.jobs import analysis
from readyroom.web.jobs.analysis import AnalysisService
from readyroom.web.jobs.tasks import analyze_saved
from readyroom.web.jobs.workers import ANALYSIS, LONG_ANALYSIS, WorkerPool, report_progress
from readyroom.web.pages.match.table_view import advice

__all__ = ["site"]
QUICK = Limit(float("inf"), 1)
TICKS = re.compile(r'data-select="([^"]*)"')
LINKS = re.compile(r'href="([^"]*ask=these[^"]*)"')


def test_hint_is_the_bots_answer_in_the_analysis() -> None:
    match, random = Match(games.load("pearl"), "air-raid", seed="hint"), Random(1)
    while match.outcome is None:
        (seat, decision), *_ = match.pending.items()
        name, keys = advice(match, decision)
        rated = analyze(match, seat, QUICK).rated
        assert [set(each.keys) for each in rated if each.policy == name] == [set(keys)]
        match.decide(seat, decision.sample(random))


def officer_of(app: Litestar) -> AnalysisService:
    analysis_service: AnalysisService = app.state.site.analysis_service
    return analysis_service


@pytest.fixture(autouse=True)
def in_haste(site: Site) -> None:
    """Limit analysis to keep the tests fast."""
    officer_of(site.app).limit = QUICK
    officer_of(site.app).longer = Limit(float("inf"), 2 * FEWEST)


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
    assert "What we know of the enemy" in part
    assert re.search(r"Bombers moving to attack</th><td>\d+</td><td>\d+–\d+</td>", part)
    assert f'data-for="usa {asked["revision"]}"' in part
    ticks = TICKS.findall(part)
    assert 1 < len(ticks) <= analysis.ANSWERS_SHOWN
    known = {option["key"] for option in asked["options"]}
    assert all(set(tick.split()) <= known for tick in ticks)
    assert site.revision(match_id) == revision
    assert not re.search(r"analysis-bar|<ol|\d %|±", part), "few rollouts give no figures and no rank"
    assert f'hx-get="/m/{match_id}/analysis?seat=usa&amp;longer=1"' in part
    assert "load delay" in part, "too few rollouts for a rank: it continues by itself"


def test_selection_is_analyzed_if_it_is_legal(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = at_a_question(site, anna)
    own = decision_of(site.asked(match_id, "usa")).sample(Random(8))
    part = anna.get(f"/m/{match_id}/analysis?seat=usa&keys={'+'.join(own)}", **HTMX).text
    assert part.count("(your selection)") == 1
    assert f"&amp;keys={'%20'.join(own)}" in part
    assert "(your selection)" not in anna.get(f"/m/{match_id}/analysis?seat=usa&keys=nothing", **HTMX).text


@pytest.mark.torture(4)
def test_longer_analysis_has_ranks_and_intervals(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = at_a_question(site, anna)
    longer = anna.get(f"/m/{match_id}/analysis?seat=usa&longer=1", **HTMX).text
    assert "<ol" in longer
    assert "analysis?" not in longer
    assert all(int(rollouts) >= FEWEST for rollouts in re.findall(r"· (\d+) rollouts", longer))
    assert re.findall(r"wins \d+ % \(\d+–\d+ %\)", longer)


def test_progress_is_that_of_own_seat(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = at_a_question(site, anna)
    pool: WorkerPool = site.app.state.site.workers
    path = f"/m/{match_id}/analysis/progress?seat=usa"
    assert anna.get(path).json() == {"done": 0, "place": 0}
    job = pool.submit("testclient", ANALYSIS, count_slowly)
    officer_of(site.app)._running["testclient", match_id, "usa"] = job
    until(lambda: anna.get(path).json() == {"done": 4, "place": 0})
    assert boris.get(path).status_code == 403
    job.cancel()
    until(lambda: anna.get(path).json()["done"] == 0)
    longer = pool.submit("testclient", LONG_ANALYSIS, count_slowly)
    officer_of(site.app)._running["testclient", match_id, "usa"] = longer
    assert anna.get(path).json()["done"] >= 20, "the longer one continues where the first has ended"
    until(lambda: anna.get(path).json() == {"done": 36, "place": 0})
    longer.cancel()


def count_slowly() -> None:
    """Report some progress and continue for a while, in a worker."""
    report_progress(12, 60)
    time.sleep(30)


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


def test_too_many_analyses_of_a_client_are_rejected(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = at_a_question(site, anna)
    pool: WorkerPool = site.app.state.site.workers
    waiting = [pool.submit("testclient", ANALYSIS, time.sleep, 60) for _ in range(ANALYSIS.per_client)]
    busy = anna.get(f"/m/{match_id}/analysis?seat=usa", **HTMX)
    assert busy.status_code == 429
    assert "2 of your jobs (analysis) are still running or waiting" in busy.text
    assert f"Try again in {busy.headers['retry-after']} second" in busy.text
    assert "<h1>Please wait</h1>" in anna.get(f"/m/{match_id}/analysis?seat=usa").text
    for job in waiting:
        job.cancel()
    assert anna.get(f"/m/{match_id}/analysis?seat=usa", **HTMX).status_code == 200


def test_waiting_analysis_holds_no_match_and_no_thread(open_site: Callable[..., servers.Site]) -> None:
    place = open_site()
    pool: WorkerPool = place.app.state.site.workers
    held = [pool.submit(f"other {i}", ANALYSIS, time.sleep, 60) for i in range(pool.workers)]
    with place.browser() as anna, place.browser() as other, ThreadPoolExecutor(1) as threads:
        match_id = anna.begin(seat_japan="me", seat_usa="bot:doctrine")
        waiting = threads.submit(anna.get, f"/m/{match_id}/analysis?seat=japan", timeout=30.0)
        until(lambda: pool.counts()["analysis", "waiting"] == 1)
        with place.store.matches.open(match_id) as match:
            keys = list(match.pending["japan"].sample(Random(1)))
        assert place.store.matches.answer(match_id, "japan", keys, None) > 0
        assert other.get("/health").status_code == 200
        assert other.get(f"/m/{match_id}").status_code == 200
        for job in held:
            job.cancel()
        assert waiting.result(30).status_code == 200


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", ["midway", "tora"])
def test_worker_analyzes_as_the_match_itself(site: Site, game: str) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, game, usa=ME, japan=BOT)
    assert site.play_until(match_id, lambda match: match.revision > 40 and "usa" in match.pending)
    with site.store.matches.open(match_id) as match:
        decision = match.decision_for("usa")
        seed = analysis_seed(match, decision)
        here = analyze(match.imagine("usa", Random(f"{seed} position")), "usa", QUICK, Random(seed))
        saved = match.saved()
    there = site.app.state.site.workers.submit("a", ANALYSIS, analyze_saved, saved, "usa", QUICK, seed).result(60)
    assert there == msgspec.structs.replace(here, revision=decision.revision)


def test_client_that_leaves_cancels_its_analysis(open_site: Callable[..., servers.Site]) -> None:
    place = open_site()
    pool: WorkerPool = place.app.state.site.workers
    held = [pool.submit(f"other {i}", ANALYSIS, time.sleep, 60) for i in range(pool.workers)]
    with place.browser() as browser:
        match_id = browser.begin(seat_japan="me", seat_usa="bot:doctrine")
        with pytest.raises(httpx.ReadTimeout):
            browser.get(f"/m/{match_id}/analysis?seat=japan", timeout=0.5)
    until(lambda: pool.counts()["analysis", "waiting"] == 0)
    for job in held:
        job.cancel()


def test_analysis_is_rate_limited(open_site: Callable[..., servers.Site], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "ANALYSES", 2)
    place = open_site(rate=600)
    with place.browser() as browser:
        result = [browser.get("/m/nowhere/analysis").status_code for _ in range(3)]
        assert result == [404, 404, 429]
        refused = browser.get("/api/v1/matches/nowhere/officer")
        assert refused.status_code == 429
        sentence = r"Limit reached: 2 analyses a minute\. Try again in \d+ seconds?\."
        assert re.fullmatch(sentence, refused.json()["sentence"])


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
        assert advice.rollouts >= sum(rated.rollouts for rated in advice.rated)
        assert msgspec.convert(RemoteSeat(place.url, new["id"], own).analysis(), DecisionAnalysis).seat == seat
        assert program.get(f"{match}/officer").status_code == 401
        pool: WorkerPool = place.app.state.site.workers
        held = [pool.submit("127.0.0.1", ANALYSIS, time.sleep, 60) for _ in range(ANALYSIS.per_client)]
        busy = program.get(f"{match}/officer", headers=bearer)
        assert (busy.status_code, busy.json()["error"]) == (429, "Busy")
        assert busy.json()["retry_after"] == int(busy.headers["retry-after"]) >= 1
        for job in held:
            job.cancel()
        assert program.get(f"{match}/officer", headers={"Authorization": f"Bearer {others[0]}"}).status_code == 409
        answer = {"keys": list(advice.rated[0].keys), "revision": advice.revision}
        assert program.post(f"{match}/decisions", json=answer, headers=bearer).status_code == 200


def test_long_answers_are_named_in_few_words(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, japan=ME, usa=BOT)
    part = anna.get(f"/m/{match_id}/analysis?seat=japan", **HTMX).text
    assert "4 TB to each of Hiryu, Soryu, Akagi and Kaga" in part
    assert not re.search(r"analysis-words\">[^<]* and \d+ more", part)


@pytest.mark.parametrize("agreed", [False, True])
def test_help_between_people_needs_a_match_that_was_opened_with_it(site: Site, agreed: bool) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    form = {"game": "pearl", "do": "open", "seat-usa": "me", "seat-japan": "friend"} | (
        {"help": "yes"} if agreed else {}
    )
    here = anna.post("/new", form).headers["location"]
    match_id = here.removeprefix("/m/")
    assert ("Not offered, because people play each other" in anna.page(here)) is not agreed
    assert ("For all players; the match is not rated" in anna.page(here)) is agreed
    link = site.store.seats.new_link(match_id, "japan", anna.player.id)
    site.store.seats.join_by_link(link, boris.player.id)
    seat, guest = next((seat, one) for seat, one in (("usa", anna), ("japan", boris)) if site.asked(match_id, seat))
    page = guest.page(here)
    assert ('id="hint"' in page, 'id="ask-analysis"' in page, "Hints are off" in page) == (agreed, agreed, not agreed)
    for part in (f"advice?seat={seat}", f"analysis?seat={seat}", f"table?seat={seat}&ask=staff"):
        assert guest.get(f"{here}/{part}").status_code == (200 if agreed else 409), part
    assert site.store.ladder.can_rate(site.store.listings.summary(match_id)) is not agreed
