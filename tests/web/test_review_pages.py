"""Tests of the pages for what-if, playing from a position and match review."""

from __future__ import annotations

import re
from multiprocessing import get_context

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from tests.web.clients import BOT, ME, Guest, Site, site

from readyroom.engine.record.format import parse
from readyroom.web.jobs import review_queue
from readyroom.web.jobs.review_queue import ReviewJob, ReviewQueue
from readyroom.web.pages import review

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
    monkeypatch.setattr(review, "MOST_PAIRS", 8)


def test_replay_links_to_what_if(duel: tuple[Guest, str]) -> None:
    anna, match_id = duel
    assert f'href="/m/{match_id}/what-if?at=4"' in anna.page(f"/m/{match_id}/replay?at=3")
    assert "Which squadrons" in anna.page(f"/m/{match_id}/what-if?at=4")
    last = re.search(r"<b>\d+</b> of (\d+)", anna.page(f"/m/{match_id}/replay?at=0"))
    assert last is not None
    assert "what-if" not in anna.page(f"/m/{match_id}/replay?at={last[1]}")


def test_other_answer_is_compared(duel: tuple[Guest, str]) -> None:
    anna, match_id = duel
    response = anna.post(f"/m/{match_id}/what-if", {"at": "4"})
    assert response.status_code == 200, response.text
    assert '<svg class="figure"' in response.text
    assert "4 rollouts of each answer" in response.text
    more = anna.post(f"/m/{match_id}/what-if", {"at": "4", "pairs": "8"})
    assert "8 rollouts of each answer" in more.text
    assert "Run more rollouts" not in more.text
    assert " style=" not in response.text, "styles in the page are forbidden by its own policy"


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
    summary = site.store.lobby.summary(new)
    asked = site.store.records.match_at(match_id, 3)
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


def test_busy_study_waits_or_is_rejected(duel: tuple[Guest, str], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, match_id = duel
    monkeypatch.setattr(review, "PATIENCE", 0.01)
    with review.ONE:
        response = anna.post(f"/m/{match_id}/what-if", {"at": "4"})
    assert response.status_code == 429
    assert "busy with other studies" in response.text


@pytest.mark.slow(6)
def test_review_is_shown_and_printed_with_the_report(over: tuple[Guest, str], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, match_id = over
    assert "Start review" in anna.page(f"/m/{match_id}/review")
    assert anna.post(f"/m/{match_id}/review").status_code == 303
    work = review_queue.QUEUE.on(match_id)
    assert work is not None
    assert work.finished.wait(60), "it is not worked out"
    page = anna.page(f"/m/{match_id}/review")
    assert "Without luck, its play is worth" in page
    assert "Without luck" in anna.page(f"/m/{match_id}/report")
    assert " style=" not in page


def test_review_shows_its_progress(over: tuple[Guest, str], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, match_id = over
    shell, work = ReviewQueue(), ReviewJob("")
    work._take(0.25)
    shell._works[match_id] = work
    monkeypatch.setattr(review_queue, "QUEUE", shell)
    monkeypatch.setattr(review, "QUEUE", shell)
    page = anna.page(f"/m/{match_id}/review")
    assert "25 % done" in page
    assert 'http-equiv="refresh"' in page
    work._take("Record is invalid at line 1.")
    assert "Record is invalid at line 1." in anna.page(f"/m/{match_id}/review")


def test_interrupted_review_says_so() -> None:
    here, there = get_context("spawn").Pipe(duplex=False)
    work = ReviewJob("")
    there.close()
    work._listen(here, 0)
    assert "Try again" in work.trouble or "too long" in work.trouble
