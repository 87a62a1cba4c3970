"""Tests of the pages and the API of the challenge of the day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from sqlalchemy import update
from tests.daily_clock import DAY, Move, move
from tests.web.clients import BOT, ME, Guest, Site, open_site, run_here

from readyroom.bots.turns import play_turn
from readyroom.cli.records.verify import proof
from readyroom.engine.record import format as records
from readyroom.store import daily as daily_store
from readyroom.store.tables import matches
from readyroom.study.daily import keys
from readyroom.study.daily.challenge import challenge_of
from readyroom.study.daily.keys import EPOCH, DayKeys, anchor_of, midnight
from readyroom.study.daily.results import measure_baseline
from readyroom.study.puzzles.puzzle import puzzles_of
from readyroom.web import catalog
from readyroom.web.jobs import tasks
from readyroom.web.jobs.workers import BOT_RUNS, WorkerPool
from readyroom.web.settings import BadSetting, Settings

__all__ = ["move"]

BEFORE, AFTER = DAY - timedelta(days=1), DAY + timedelta(days=1)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with open_site(tmp_path) as site:
        yield site


def start(guest: Guest, path: str = "/challenge") -> str:
    """Start an attempt with the form of a page; return its match."""
    response = guest.post(path)
    assert response.status_code == 303, response.text
    return response.headers["location"].removeprefix("/m/")


def finish(site: Site, match_id: str) -> None:
    """Let bots play an attempt to its end, at the time of the clock."""
    while True:
        turn = site.store.matches.bot_turn(match_id)
        if turn is not None:
            site.store.matches.apply_bot_turn(turn, play_turn(turn))
        with site.store.matches.open(match_id) as match:
            if match.outcome is not None:
                break
            seat = next((key for key in match.pending if key == "captain"), None)
        if seat is not None:
            site.play_until(match_id, lambda match: "captain" not in match.pending, most=1)
    with site.store.database.writing() as connection:
        at = keys.clock().timestamp()
        connection.execute(update(matches).where(matches.c.id == match_id).values(changed=at))


def api(site: Site, method: str, path: str, secret: str = "", **more: Any) -> Response:
    site.client.cookies.clear()
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return site.client.request(method, f"/api/v1{path}", headers=headers, **more)


# -- one attempt -----------------------------------------------------------------------------------------------------


def test_challenge_starts_from_its_page(site: Site) -> None:
    guest = site.guest("Ann")
    page = guest.page("/challenge")
    assert challenge_of(DAY).name in page
    assert "Start today’s challenge" in page
    assert "no undo, hint or analysis" in page
    match_id = start(guest)
    assert match_id.startswith("0")
    table = guest.page(f"/m/{match_id}")
    assert "This attempt counts." in table
    assert 'id="hint"' not in table
    assert 'id="ask-analysis"' not in table
    assert 'id="undo-button"' not in table
    assert "Continue your attempt" in guest.page("/challenge")
    assert "/challenge" in guest.page("/")


def test_challenge_says_which_side_one_plays_and_to_what_end(site: Site) -> None:
    for entry in catalog.list_games():
        assert entry.game.presentation.aims.keys() == {side.key for side in entry.sides}, entry.game.key
    challenge = challenge_of(DAY)
    page = unescape(site.guest().page("/challenge"))
    assert f'property="og:title" content="Challenge of the day {challenge.number}: {challenge.name}"' in page
    assert page.count(challenge.aim) == 3, "on the page and in its previews"


def test_newcomer_starts_without_an_account(site: Site) -> None:
    guest = site.guest()
    match_id = start(guest)
    assert guest.get(f"/m/{match_id}").status_code == 200
    assert start(guest) == match_id


def test_second_start_opens_first_attempt(site: Site) -> None:
    guest = site.guest("Ann")
    match_id = start(guest)
    assert [start(guest), start(guest, f"/challenge/{DAY}")] == [match_id, match_id]
    finish(site, match_id)
    practice = start(guest)
    assert practice != match_id
    assert "This attempt does not count." in guest.page(f"/m/{practice}")
    (row,) = site.store.daily.results(challenge_of(DAY))
    assert row.match == match_id


def test_counted_attempt_has_no_help_on_pages_or_api(site: Site) -> None:
    opened = api(site, "POST", "/challenge", json={}).json()
    here, secret = f"/matches/{opened['id']}", opened["seats"]["captain"]
    assert opened["counted"] is True
    for method, part in (("GET", "advice"), ("GET", "officer"), ("POST", "undo"), ("POST", "ask-back")):
        refused = api(site, method, f"{here}/{part}", secret)
        assert refused.status_code == 409, part
        assert refused.json()["error"] == "DailyLocked"
    for part in ("link", "hand-over"):
        refused = api(site, "POST", f"{here}/{part}", secret, json={"bot": "random"} if part == "hand-over" else {})
        assert refused.status_code == 403, part
    guest = site.guest("Ann")
    match_id = start(guest)
    for path in ("advice", "analysis", "table?ask=staff", "?ask=staff"):
        assert guest.get(f"/m/{match_id}/{path}".replace("/?", "?")).status_code == 409, path
    for path in ("undo", "takeback"):
        assert guest.post(f"/m/{match_id}/{path}", {"seat": "captain"}).status_code == 409, path
    for path in ("link", "assign-bot", "leave"):
        assert guest.post(f"/m/{match_id}/{path}", {"seat": "captain", "bot": "random"}).status_code == 403, path


def test_api_starts_one_counted_attempt_of_a_player(site: Site) -> None:
    opened = api(site, "POST", "/challenge", json={"name": "Program"}).json()
    secret = opened["seats"]["captain"]
    status = api(site, "GET", f"/matches/{opened['id']}", secret).json()
    assert status["dice"]["origin"] == "daily"
    assert status["fingerprint"] == api(site, "GET", "/challenge").json()["fingerprint"]
    refused = api(site, "POST", "/challenge", secret, json={})
    assert (refused.status_code, refused.json()["error"]) == (409, "AttemptUnfinished")
    finish(site, opened["id"])
    again = api(site, "POST", f"/challenge/{DAY}", secret, json={}).json()
    assert again["counted"] is False
    assert len(site.store.daily.results(challenge_of(DAY))) == 1
    assert api(site, "POST", "/challenge", "x" * 43, json={}).status_code == 401


def test_secret_of_a_persons_seat_starts_no_attempt(site: Site) -> None:
    guest = site.guest("Nimitz")
    match_id = site.opened(guest, usa=ME, japan=BOT)
    secret = site.store.seats.new_link(match_id, "usa", guest.player.id)
    refused = api(site, "POST", "/challenge", secret, json={})
    assert (refused.status_code, refused.json()["sentence"][:14]) == (403, "A person plays")
    assert not site.store.daily.results(challenge_of(DAY))


# -- before the day, and before its end ------------------------------------------------------------------------------


@pytest.mark.parametrize("own", ["", "a secret of this server that is long enough"])
def test_coming_day_is_sealed(site: Site, move: Move, monkeypatch: pytest.MonkeyPatch, own: str) -> None:
    site.store.daily.keys = DayKeys(own)
    assert site.store.daily.keys.anchor
    move(midnight(AFTER) - timedelta(seconds=1))
    computed, walk = list[int](), keys._walk

    def counting(secret: bytes, count: int) -> bytes:
        computed.append(count)
        return walk(secret, count)

    monkeypatch.setattr(keys, "_walk", counting)
    guest = site.guest("Ann")
    for path in (f"/challenge/{AFTER}", f"/challenge/{AFTER}/result", f"/api/v1/challenge/{AFTER}"):
        response = guest.get(path)
        assert response.status_code == 404, path
        assert "sealed until" in response.text
    assert guest.post(f"/challenge/{AFTER}").status_code == 404
    assert guest.post(f"/challenge/{AFTER}/baseline").status_code == 404
    assert api(site, "POST", f"/challenge/{AFTER}", json={}).status_code == 404
    assert computed == []
    for path in ("/challenge", "/challenge/archive", "/", "/.well-known/readyroom.json"):
        guest.page(path)
    assert computed == [keys.DAYS - 1 - (DAY - EPOCH).days]


@pytest.mark.sample(1)
@pytest.mark.parametrize("is_over", [False, True])
def test_others_see_nothing_of_a_match_on_its_day(site: Site, is_over: bool) -> None:
    guest, other = site.guest("Ann"), site.guest("Bob")
    match_id = start(guest)
    if is_over:
        finish(site, match_id)
    secret = site.store.records.source(match_id).secret
    parts = ("", "/table", "/board.svg", "/replay", "/record.jsonl", "/report", "/report.md", "/events", "/playback")
    for viewer in (other, site.guest()):
        for part in (*parts, "/dice.json", "/turning-points", "/review", "/what-if", "/seats", "/talk"):
            response = viewer.get(f"/m/{match_id}{part}")
            assert response.status_code == 403, part
            assert "sealed until the day is over" in response.text
            assert secret.hex() not in response.text
    for part in ("", "/record", "/events", "/playback?since=0", "/talk"):
        response = api(site, "GET", f"/matches/{match_id}{part}")
        assert response.status_code == 403, part
        assert response.json()["error"] == "DaySecret"
    stranger = api(site, "POST", "/challenge", json={}).json()["seats"]["captain"]
    assert api(site, "GET", f"/matches/{match_id}", stranger).status_code == 403


def test_player_sees_own_match_without_key_and_record(site: Site) -> None:
    opened = api(site, "POST", "/challenge", json={}).json()
    finish(site, opened["id"])
    status = api(site, "GET", f"/matches/{opened['id']}", opened["seats"]["captain"]).json()
    assert status["outcome"] is not None
    assert status["secret"] is None
    for part in ("record",):
        assert api(site, "GET", f"/matches/{opened['id']}/{part}", opened["seats"]["captain"]).status_code == 403
    guest = site.guest("Ann")
    match_id = start(guest)
    finish(site, match_id)
    key = site.store.records.source(match_id).secret.hex()
    page = guest.page(f"/m/{match_id}")
    assert f'href="/challenge/{DAY}/result"' in page
    assert key not in page
    assert "/replay" not in page
    assert "/review" not in page
    for part in ("replay", "record.jsonl", "report", "report.md", "review", "what-if", "whole.jsonl", "poster.svg"):
        assert guest.get(f"/m/{match_id}/{part}").status_code == 403, part
    for part in ("play-on", "rematch", "review", "what-if"):
        assert guest.post(f"/m/{match_id}/{part}").status_code == 403, part
    assert guest.get(f"/m/{match_id}/turning-points").status_code == 200


def test_everything_opens_when_day_is_over(site: Site, move: Move) -> None:
    guest, other = site.guest("Ann"), site.guest("Bob")
    match_id = start(guest)
    finish(site, match_id)
    move(midnight(AFTER))
    page = other.page(f"/challenge/{DAY}")
    assert f"/m/{match_id}/replay" in page
    assert "Ann" not in page
    assert "A player" in page
    assert "Ann" not in other.page(f"/m/{match_id}")
    record = other.page(f"/m/{match_id}/record.jsonl")
    facts = proof(record)
    assert facts["verifies"], facts["sentence"]
    assert facts["challenge"] == {"day": DAY.isoformat(), "counted": True, "anchor": DayKeys().anchor}
    published = site.guest().get("/.well-known/readyroom.json").json()
    assert published["challenge_anchor"] == facts["challenge"]["anchor"]
    (result,) = api(site, "GET", f"/challenge/{DAY}").json()["results"]
    assert (result["match"], result["player"], result["name"]) == (match_id, "", "a player")
    past = start(other, f"/challenge/{DAY}")
    assert "an earlier challenge of the day" in other.page(f"/m/{past}")
    assert len(site.store.daily.results(challenge_of(DAY))) == 1


def test_server_with_own_secret_publishes_its_key_after_the_day(site: Site, move: Move) -> None:
    site.store.daily.keys = DayKeys("a secret of this server that is long enough")
    guest = site.guest("Ann")
    match_id = start(guest)
    finish(site, match_id)
    assert "This server has dice of its own." in guest.page("/challenge")
    move(midnight(AFTER))
    facts = proof(guest.page(f"/m/{match_id}/record.jsonl"))
    assert facts["verifies"]
    assert facts["challenge"]["anchor"] == site.store.daily.keys.anchor != DayKeys().anchor


# -- results ---------------------------------------------------------------------------------------------------------


def test_result_has_percentile_and_text_to_share(site: Site) -> None:
    guest = site.guest("Ann")
    assert guest.get(f"/challenge/{DAY}/result").status_code == 303
    match_id = start(guest)
    assert guest.get(f"/challenge/{DAY}/result").status_code == 303
    finish(site, match_id)
    page = guest.page(f"/challenge/{DAY}/result")
    found = re.search(r"better than (\d+) % of 1,000", page)
    assert found is not None
    text = re.search(r"<textarea[^>]*>([^<]*)</textarea>", page)
    assert text is not None
    assert f"better than {found[1]} % of 1,000 bot runs" in text[1]
    outcome = site.store.listings.summary(match_id).outcome
    assert outcome is not None
    assert outcome.title.lower() not in text[1].lower()
    assert f"{found[1]} %" in guest.page("/challenge")


def test_others_results_hide_how_matches_ended_until_own_attempt_is_over(site: Site) -> None:
    guest, other = site.guest("Ann"), site.guest("Bob")
    match_id = start(guest)
    finish(site, match_id)
    outcome = site.store.listings.summary(match_id).outcome
    assert outcome is not None
    cell = f"<td>{outcome.title.capitalize()}</td>"
    assert cell not in other.page("/challenge")
    assert api(site, "GET", "/challenge").json()["results"][0]["title"] == ""
    finish(site, start(other))
    assert cell in other.page("/challenge")


def test_bot_runs_are_played_where_file_has_none(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily_store, "shipped_baseline", lambda challenge: None)
    monkeypatch.setattr(
        tasks, "measure_baseline", lambda challenge, progress: measure_baseline(challenge, 30, progress)
    )
    monkeypatch.setattr(WorkerPool, "submit", run_here)
    guest = site.guest("Ann")
    finish(site, start(guest))
    page = guest.page(f"/challenge/{DAY}/result")
    assert "not played yet" in page
    assert "Play 1,000 bot runs" in page
    assert guest.post(f"/challenge/{DAY}/baseline").status_code == 303
    assert "better than" in guest.page(f"/challenge/{DAY}/result")
    assert site.store.daily.baseline(challenge_of(DAY)) is not None


def test_job_of_bot_runs_can_be_cancelled_by_its_client(site: Site) -> None:
    assert site.guest("Ann").post(f"/challenge/{DAY}/baseline/cancel").status_code == 303
    assert BOT_RUNS.per_client == 1


def test_archive_lists_past_days(site: Site, move: Move) -> None:
    guest = site.guest("Ann")
    finish(site, start(guest))
    move(midnight(AFTER))
    page = guest.page("/challenge/archive")
    assert f'href="/challenge/{DAY}"' in page
    assert f'href="/challenge/{BEFORE}"' in page
    assert f'href="/challenge/{AFTER}"' not in page
    assert '<tr class="mine">' in page
    assert guest.page(f"/challenge/archive?until={BEFORE}").count('href="/challenge/2026') == (DAY - EPOCH).days
    for path in ("/challenge/yesterday", "/challenge/1941-12-07", "/challenge/archive?until=x"):
        assert guest.get(path).status_code == 404


def test_missing_game_is_named(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from readyroom.study.daily import challenge

    monkeypatch.setattr(challenge, "game_names", lambda: ["midway"])
    assert "is not installed" in site.guest("Ann").page("/challenge")
    assert api(site, "GET", "/challenge").status_code == 409


def test_short_secret_of_challenges_is_refused(tmp_path: Path) -> None:
    values = {"READYROOM_HOME": str(tmp_path)}
    assert Settings.from_environment({**values, "READYROOM_CHALLENGE_SECRET": "x" * 32}).challenge_secret == "x" * 32
    with pytest.raises(BadSetting, match="at least 32 random characters"):
        Settings.from_environment({**values, "READYROOM_CHALLENGE_SECRET": "short"})


def test_record_of_attempt_is_that_of_its_day(site: Site, move: Move) -> None:
    match_id = start(site.guest("Ann"))
    finish(site, match_id)
    header = records.parse(site.store.records.text(match_id)).header
    assert (header.origin, header.day, header.nonces) == ("daily", DAY.isoformat(), {})
    assert header.signature
    assert anchor_of(DAY, site.store.records.source(match_id).secret) == DayKeys().anchor


# -- the community ---------------------------------------------------------------------------------------------------


def test_community_of_a_new_server_invites_to_be_the_first(site: Site) -> None:
    guest = site.guest()
    page = guest.page("/community")
    for text in ("Nothing has ended here this week", "Be the first to solve it", "No tournament is open"):
        assert text in page, text
    assert page.count("Be the first to play it") == 2, "the challenge, and the scenario of the week"
    sections = ("Open seats", "Recorded matches", "Ladder", "Today and this week", "Tournaments and campaigns")
    assert re.findall(f">({'|'.join(sections)})</h2>", page) == [*sections], "the most useful first"
    assert "Challenges of the last days" not in page, "a line says that there are none"
    assert f'action="/challenge/{DAY}"' in page
    drawn = {guest.page(f"/games/doolittle/board.svg?{query}") for query in ("", "scenario=early", "scenario=none")}
    assert "/games/doolittle/board.svg?scenario=" in page
    assert len(drawn) == 2, "one for each scenario that there is"


def test_community_and_profile_join_challenges_and_puzzles(site: Site, move: Move) -> None:
    ann, hidden = site.guest("Ann"), site.guest("Hidden")
    ann.post("/me/ladder", {"join": "yes"})
    days = [DAY, AFTER, AFTER + timedelta(days=1)]
    for day in days:
        move(midnight(day) + timedelta(hours=1))
        matches_of_day = [start(guest) for guest in (ann, hidden)]
        if day == DAY:
            for match_id in matches_of_day:
                finish(site, match_id)
    puzzle = next(iter(puzzles_of("pearl").values()))
    for guest in (ann, hidden):
        site.store.puzzles.answer(guest.player.id, puzzle, puzzle.best.keys)
    page = unescape(site.guest().page("/community"))
    assert "Hidden" not in page
    assert "2 have played it today" in page
    assert "2 answers to puzzles" in page
    ann_link = f'<a href="/players/{ann.player.id}">Ann</a>'
    assert f'{ann_link} <span class="muted">3 days</span>' in page
    assert f'{ann_link} <span class="muted">1 of 1</span>' in page
    assert f'<a href="/challenge/{DAY}">' in page, "the best result of that day"
    for own in (ann.page("/me"), site.guest().page(f"/players/{ann.player.id}")):
        assert "played on 3 days, the last 3 in a row" in own
        assert "1 of 1 solved" in own


def test_results_of_a_sealed_attempt_are_not_public(site: Site, move: Move) -> None:
    ann = site.guest("Ann")
    ann.post("/me/ladder", {"join": "yes"})
    finish(site, start(ann))
    with site.store.database.writing() as connection:
        connection.execute(update(matches).values(created=midnight(DAY).timestamp() + 1))
    address = f"/players/{ann.player.id}"
    assert "The Doolittle Raid" in ann.page("/me").partition('id="results"')[2]
    assert "The Doolittle Raid" not in site.guest().page(address)
    assert "Badges" not in site.guest().page(address)
    assert api(site, "GET", address).json()["results"] == []
    move(midnight(AFTER) + timedelta(hours=1))
    assert "The Doolittle Raid" in site.guest().page(address)
    assert api(site, "GET", address).json()["results"] != []
    assert ann.player.id not in {
        one.player for rows in site.store.high_scores.of_game("doolittle").values() for one in rows
    }
