"""Tests of the pages for what-if, playing from a position and match review."""

from __future__ import annotations

import re
import time

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from tests.store.playing import match_at
from tests.web.clients import BOT, ME, Guest, Site, site
from tests.web.test_workers import until

from readyroom.engine.record.format import Entry, parse
from readyroom.study.review import what_if
from readyroom.study.review.review import EFFORT, Effort
from readyroom.web.jobs import client_jobs
from readyroom.web.jobs.client_jobs import LONGER, ClientJobs
from readyroom.web.jobs.workers import STUDY, Job, WorkerPool
from readyroom.web.pages.match import review

__all__ = ["site"]


@pytest.fixture(scope="module")
def over(site: Site) -> tuple[Guest, str]:
    """A finished solo match."""
    anna = site.guest("Anna")
    match_id = site.opened(anna, "picket", captain=ME)
    site.play_until(match_id)
    return anna, match_id


@pytest.fixture(scope="module")
def duel(site: Site) -> tuple[Guest, str]:
    """A finished two-player match."""
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.play_until(match_id)
    return anna, match_id


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "PAIRS", 4)
    monkeypatch.setattr(what_if, "FEWEST", 4)
    monkeypatch.setattr(review, "MOST_PAIRS", 8)
    monkeypatch.setattr(client_jobs, "SECONDS", 600.0)
    monkeypatch.setattr(client_jobs, "EFFORT", Effort(gains=5, positions=5, opening=5, confirmation=2))


def compared(guest: Guest, match_id: str, **form: str) -> str:
    """Compare answers; return the page with the result."""
    started = guest.post(f"/m/{match_id}/what-if", {"at": "4", **form})
    assert started.status_code == 303, started.text
    page = guest.page(started.headers["location"])
    jobs: ClientJobs = guest.site.app.state.site.client_jobs
    if work := jobs.what_ifs.find(started.headers["location"].partition("run=")[2]):
        work.job.result(60)
        page = guest.page(started.headers["location"])
    return page


def test_few_rollouts_have_no_percentages(duel: tuple[Guest, str], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, match_id = duel
    monkeypatch.setattr(what_if, "FEWEST", 5)
    page = compared(anna, match_id)
    assert "4 rollouts of each answer are too few to call it." in page
    assert "Run 2 times as many" in page
    assert '<svg class="figure"' not in page
    assert "Means of" not in page


def test_replay_links_to_what_if(duel: tuple[Guest, str]) -> None:
    anna, match_id = duel
    assert f'href="/m/{match_id}/what-if?at=4"' in anna.page(f"/m/{match_id}/replay?at=3")
    assert "Which squadrons" in anna.page(f"/m/{match_id}/what-if?at=4")
    last = re.search(r"<b>\d+</b> of (\d+)", anna.page(f"/m/{match_id}/replay?at=0"))
    assert last is not None
    assert "what-if" not in anna.page(f"/m/{match_id}/replay?at={last[1]}")


def test_what_if_is_not_offered_where_nothing_can_be_decided(duel: tuple[Guest, str]) -> None:
    anna, match_id = duel
    entries = [entry for _, entry in parse(anna.page(f"/m/{match_id}/record.jsonl")).entries]
    at = next(entry.n for entry in entries if isinstance(entry, Entry) and list(entry.chose) == ["continue"])
    assert "what-if" not in anna.page(f"/m/{match_id}/replay?at={at - 1}")
    page = anna.page(f"/m/{match_id}/what-if?at={at}")
    assert "the only answer" in page
    assert 'class="what-if' not in page


def test_other_answer_is_compared(duel: tuple[Guest, str]) -> None:
    anna, match_id = duel
    page = compared(anna, match_id)
    assert '<svg class="figure"' in page
    assert "4 rollouts of each answer" in page
    assert "hx-get" not in page
    more = compared(anna, match_id, pairs="8")
    assert "8 rollouts of each answer" in more
    assert "times as many" not in more
    assert " style=" not in page, "styles in the page are forbidden by its own policy"


def occupied(site: Site) -> list[Job]:
    """Occupy all workers that long jobs may use."""
    pool: WorkerPool = site.app.state.site.workers
    jobs = [pool.submit(f"other {i}", STUDY, time.sleep, 60) for i in range(pool.workers - 1)]
    deadline = time.monotonic() + 30
    while any(job.state == "waiting" for job in jobs):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return jobs


def test_waiting_comparison_shows_its_place_and_can_be_cancelled(duel: tuple[Guest, str], site: Site) -> None:
    anna, match_id = duel
    held = occupied(site)
    address = anna.post(f"/m/{match_id}/what-if", {"at": "3"}).headers["location"]
    page = anna.page(address)
    assert "number 1 in the queue" in page
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page
    assert f'hx-get="{address.replace("&", "&amp;")}" hx-trigger="every 1s"' in page
    again = anna.post(f"/m/{match_id}/what-if", {"at": "3"})
    assert again.headers["location"] == address, "the same comparison is not started twice"
    busy = anna.post(f"/m/{match_id}/what-if", {"at": "6"})
    assert busy.status_code == 429
    assert "Your last what-if is still running or waiting" in busy.text
    assert int(busy.headers["retry-after"]) >= 1
    run = address.partition("run=")[2]
    assert anna.post(f"/m/{match_id}/what-if/cancel", {"at": "3", "run": run}).status_code == 303
    assert "The what-if was stopped." in anna.page(address)
    assert "no longer kept" in anna.page(address[:-4])
    for job in held:
        job.cancel()
    assert "4 rollouts" in compared(anna, match_id, at="3")


def test_invalid_answer_is_rejected_in_place(duel: tuple[Guest, str]) -> None:
    anna, match_id = duel
    response = anna.post(f"/m/{match_id}/what-if", {"at": "4", "key": "nobody"})
    assert response.status_code == 422
    assert "is not among the options" in response.text


def test_what_if_can_be_played_against_bots(duel: tuple[Guest, str], site: Site) -> None:
    anna, match_id = duel
    response = anna.post(f"/m/{match_id}/play-on", {"at": "4"})
    assert response.status_code == 303, response.text
    new = response.headers["location"].removeprefix("/m/")
    summary = site.store.listings.summary(new)
    asked = match_at(site.store, match_id, 3)
    own = next(iter(asked.pending))
    assert {seat.key: bool(seat.bot) for seat in summary.seats} == {seat.key: seat.key != own for seat in summary.seats}
    assert summary.revision >= 4
    branch, before = parse(site.store.records.text(new)), parse(site.store.records.text(match_id))
    assert branch.entries[:3] == before.entries[:3]
    assert branch.header == replace(before.header, origin="branch", match=UNSET, signer=UNSET, signature=UNSET)
    assert summary.outcome is None
    assert "form" in anna.page(f"/m/{new}")


def test_running_match_has_no_what_if(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, "midway", usa=ME, japan=BOT)
    for path in ("what-if?at=1", "review"):
        assert anna.get(f"/m/{match_id}/{path}").status_code == 409
    assert anna.post(f"/m/{match_id}/play-on", {"at": "1"}).status_code == 409


def test_unknown_position_returns_404(duel: tuple[Guest, str]) -> None:
    anna, match_id = duel
    assert anna.get(f"/m/{match_id}/what-if?at=9999").status_code == 404


@pytest.mark.slow(3)
def test_review_is_shown_and_printed_with_the_report(over: tuple[Guest, str]) -> None:
    anna, match_id = over
    jobs: ClientJobs = anna.site.app.state.site.client_jobs
    assert "Start review" in anna.site.guest().page(f"/m/{match_id}/review")
    assert "Start review" in anna.page(f"/m/{match_id}/review?start=no")
    assert jobs.reviews.find(match_id) is None
    assert "Start review" not in anna.page(f"/m/{match_id}/review"), "it starts at once for a player"
    work = jobs.reviews.find(match_id)
    assert work is not None
    work.job.result(60)
    page = anna.page(f"/m/{match_id}/review")
    assert "Marked decisions" in page
    assert "How this was measured" in page
    assert all(anna.get(place).status_code == 200 for place in re.findall(r"/m/[^/]+/board[.]svg[?]at=\d+", page))
    assert "readyroom review record.jsonl --samples" in page
    assert "Marked decisions" in anna.page(f"/m/{match_id}/report")
    assert " style=" not in page


@pytest.mark.slow(3)
def test_longer_review_replaces_the_first_one_when_it_is_finished(over: tuple[Guest, str]) -> None:
    anna, match_id = over
    jobs: ClientJobs = anna.site.app.state.site.client_jobs
    page = f"/m/{match_id}/review"
    anna.page(page)  # which starts it
    first = jobs.reviews.find(match_id)
    assert first is not None
    first.job.result(60)
    assert "Review longer" in anna.page(page)
    held = occupied(anna.site)
    assert anna.post(page, {"longer": "yes"}).status_code == 303
    longer = jobs.reviews.find(match_id)
    assert longer is not None
    assert longer.job is not first.job
    assert anna.post(page, {"longer": "yes"}).status_code == 303
    assert jobs.reviews.find(match_id) is longer, "only one runs"
    assert "number 1 in the queue" in (shown := anna.page(page))
    assert "Marked decisions" in shown, "the first review stays"
    for job in held:
        job.cancel()
    samples = longer.job.result(60).samples
    assert longer.result is not None
    assert longer.result.samples == samples == LONGER * first.job.result().samples
    assert "Review longer" not in anna.page(page)


def test_cancelled_longer_review_leaves_the_first_one(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, "picket", captain=ME)
    site.play_until(match_id)
    jobs: ClientJobs = site.app.state.site.client_jobs
    anna.post(f"/m/{match_id}/review")
    first = jobs.reviews.find(match_id)
    assert first is not None
    first.job.result(60)
    held = occupied(site)
    anna.post(f"/m/{match_id}/review", {"longer": "yes"})
    cancelled = anna.post(f"/m/{match_id}/review/cancel")
    page = anna.page(cancelled.headers["location"])
    assert "The match review was stopped." in page
    assert "Marked decisions" in page
    assert "Review longer" in page
    anna.post(f"/m/{match_id}/review")
    assert "Marked decisions" in anna.page(f"/m/{match_id}/review"), "starting it again does not lose the first one"
    for job in held:
        job.cancel()


def test_review_shows_its_progress_and_can_be_cancelled(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, "picket", captain=ME)
    site.play_until(match_id)
    held = occupied(site)
    monkeypatch.setattr(client_jobs, "EFFORT", EFFORT)
    assert anna.post(f"/m/{match_id}/review").status_code == 303
    page = anna.page(f"/m/{match_id}/review")
    assert "number 1 in the queue" in page
    assert 'http-equiv="refresh"' in page
    for job in held:
        job.cancel()
    until(lambda: re.search(r"Progress: \d+ %", anna.page(f"/m/{match_id}/review")) is not None)
    cancelled = anna.post(f"/m/{match_id}/review/cancel")
    page = anna.page(cancelled.headers["location"])
    assert "The match review was stopped." in page
    assert "Start review" in page
