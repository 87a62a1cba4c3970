"""Tests of the replay page: perspectives, positions, verification, reports and records."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.store.playing import match_at
from tests.web.clients import BOT, ME, Guest, Site, site

from readyroom.engine.errors import InvalidRecord
from readyroom.engine.game import load_game
from readyroom.engine.match import Match
from readyroom.engine.record.replay import verify
from readyroom.web import formatting
from readyroom.web.jobs import replays
from readyroom.web.jobs.replays import SizedCache, make_verification
from readyroom.web.pages.match import replay as replay_pages

__all__ = ["site"]


@pytest.fixture(scope="module")
def played(site: Site) -> tuple[Guest, Guest, str]:
    """A finished two-player match."""
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.play_until(match_id)
    return anna, boris, match_id


@pytest.fixture(scope="module")
def going_on(site: Site) -> tuple[Guest, Guest, str]:
    """A two-player match in turn 8."""
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    assert site.play_until(match_id, lambda match: match.state.at.turn == 8)
    return anna, boris, match_id


def log_text(page: str) -> str:
    """Return the decision text of a replay page."""
    return re.sub(r"<[^>]+>", "", re.search(r'<p class="decided[^>]*>(.*?)</p>', page, re.S)[1]).strip()  # type: ignore[index]


def test_decision_summarizes_a_long_answer(site: Site) -> None:
    match, random, long = Match(load_game("tora"), "sunday", seed="long answer"), Random(1), None
    while match.pending:
        seat, decision = next(iter(match.pending.items()))
        keys = decision.sample(random)
        match.decide(seat, keys)
        if long is None and len(set(keys)) > 4:
            long = match.revision, decision.question, formatting.summarize(formatting.decision(decision), keys)
    assert long is not None
    at, question, names = long
    found = site.store.records.import_match(match.record(), site.store.players.create("Reader").player)
    text = unescape(log_text(site.guest("Anna").page(f"/m/{found}/replay?at={at}&seat=all")))
    assert len(names) < 120
    assert f"{question} {names[0].upper()}{names[1:]}." in text


# -- running matches -------------------------------------------------------------------------------------------------


def test_replay_shows_only_what_the_viewer_knew(site: Site, going_on: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = going_on
    with site.store.matches.open(match_id) as match:
        last, true = match.revision_for("usa"), [match.true_revision("usa", at) for at in range(match.revision + 1)]
        assert last <= match.revision
    for at in range(last + 1):
        page = anna.page(f"/m/{match_id}/replay?at={at}")
        moment = match_at(site.store, match_id, true[at])
        view = str(moment.view("usa"))
        for key in set(re.findall(r'data-key="([^"]+)"(?! data-sweep)', page)):
            assert f"'{key}'" in view, (at, key)
        assert f"<b>{at}</b> of {last}" in page
        if at and moment.record_entries(true[at] - 1)[0].seat == "japan":  # type: ignore[union-attr]
            assert log_text(page) == "Japan made a secret decision."


def test_running_match_does_not_show_which_seat_of_a_side_decided(site: Site) -> None:
    host, spectator = site.guest("Host"), site.guest()
    options = {"seats": "groups"}
    seats: dict[str, Any] = {seat.key: ME for seat in Match(load_game("midway"), options=options).seats}
    match_id = site.opened(host, options=options, **seats)
    assert site.play_until(match_id, lambda match: match.state.at.turn == 2)
    with site.store.matches.open(match_id) as match:
        last = match.revision_for(None)
    decided = {log_text(spectator.page(f"/m/{match_id}/replay?at={at}")) for at in range(1, last + 1)}
    assert decided == {"Japan made a secret decision.", "United States made a secret decision."}


def test_running_match_shows_no_other_perspective(going_on: tuple[Guest, Guest, str], site: Site) -> None:
    anna, boris, match_id = going_on
    own = anna.page(f"/m/{match_id}/replay?at=9")
    for asked in ("all", ""):
        assert anna.page(f"/m/{match_id}/replay?at=9&seat={asked}").count("data-key") == own.count("data-key")
    foreign = anna.page(f"/m/{match_id}/replay?at=9&seat=japan")
    stranger = site.guest().page(f"/m/{match_id}/replay?at=9")
    assert sorted(re.findall(r'data-key="([^"]+)"', foreign)) == sorted(re.findall(r'data-key="([^"]+)"', stranger))
    assert "The seat Japan is not yours" in foreign
    assert boris.page(f"/m/{match_id}/replay?at=9") != own


def test_record_and_key_are_withheld_until_the_end(going_on: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = going_on
    response = anna.get(f"/m/{match_id}/record.jsonl")
    assert response.status_code == 409
    assert "available when the match is over" in response.text
    with site.store.matches.open(match_id) as match:
        assert match.secret is not None
        secret = match.secret.hex()
    for path in ("", "/replay", "/report", "/report.md"):
        assert secret not in anna.page(f"/m/{match_id}{path}")


def test_report_of_running_match_hides_secrets(going_on: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = going_on
    with site.store.matches.open(match_id) as match:
        own = {line.text for line in match.log("usa")}
        others = {line.text for line in match.log("japan")} - own
    for path in ("/report.md", "/report.md?seat=japan", "/report.md?seat=all"):
        text = anna.page(f"/m/{match_id}{path}")
        assert not any(line in text for line in others), path
    assert all(line in anna.page(f"/m/{match_id}/report.md") for line in own)


def test_only_the_board_of_own_seat_is_marked_as_own(site: Site, played: tuple[Guest, Guest, str]) -> None:
    anna, boris, match_id = played
    pages = ("", "/replay?at=9&seat=all", "/replay?at=9&seat=usa", "/replay?at=9&seat=japan", "/replay?at=9&seat=")
    marked = re.compile(r"(Japan|United States) \(you\)")
    for path in pages:
        assert not marked.findall(site.guest().page(f"/m/{match_id}{path}")), path
    for guest, own, name in ((anna, "usa", "United States"), (boris, "japan", "Japan")):
        for path in pages:
            sees_own = path == "" or f"seat={own}" in path or "seat=all" in path
            assert set(marked.findall(guest.page(f"/m/{match_id}{path}"))) == ({name} if sees_own else set()), path
    moves = f"/m/{match_id}/playback?since=8&upto=9&live=false&seat=usa"
    assert "United States (you)" in anna.page(moves)
    assert "(you)" not in boris.page(moves)


# -- finished matches ------------------------------------------------------------------------------------------------


def test_replay_of_finished_match_starts_at_the_beginning(played: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = played
    page = anna.page(f"/m/{match_id}/replay")
    assert log_text(page) == "The match starts."
    assert f'href="/m/{match_id}/replay?at=1&amp;seat=usa"' in page


def test_replay_starts_after_secret_planning(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, "tora", japan=BOT, usa=ME)
    site.play_until(match_id)
    page = anna.page(f"/m/{match_id}/replay")
    found = re.search(r"<b>(\d+)</b> of \d+ · Turn 1", page)
    assert found is not None
    assert int(found[1]) > 1
    assert "Turn 0" in anna.page(f"/m/{match_id}/replay?at=0")


def test_position_beyond_the_end_is_the_end(played: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = played
    last = site.revision(match_id)
    page = anna.page(f"/m/{match_id}/replay?at={last + 99_999_999}")
    assert f"<b>{last}</b> of {last}" in page
    summary = site.store.listings.summary(match_id)
    assert summary.outcome is not None
    assert summary.outcome.text in page
    assert anna.get(f"/m/{match_id}/replay?at=-1").status_code == 400
    assert anna.get(f"/m/{match_id}/replay?at=soon").status_code == 400


def test_replay_ends_with_a_card_of_the_result(played: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = played
    last, outcome = site.revision(match_id), site.store.listings.summary(match_id).outcome
    assert outcome is not None
    assert 'id="replay-end"' not in anna.page(f"/m/{match_id}/replay?at={last - 1}")
    for guest, more in ((anna, "Rematch"), (site.guest(), "New match")):
        page = guest.page(f"/m/{match_id}/replay?at={last}")
        card = page[page.index('id="replay-end"') : page.index('class="step-now"')]
        for text in (outcome.text, "Match review", "Report", "Turning points", "move-moment", more):
            assert text in card, text


def test_replay_of_a_resigned_match_ends_with_its_result(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    match_id = site.duel(anna, boris)
    site.store.matches.resign(match_id, "usa")
    page = anna.page(f"/m/{match_id}/replay")
    assert "United States (Anna) resigned." in page[page.index('id="replay-end"') :]


def test_one_board_shows_all_sides(played: tuple[Guest, Guest, str], site: Site) -> None:
    _, _, match_id = played
    for reader in (played[0], site.guest()):
        page = reader.page(f"/m/{match_id}/replay?at=8&seat=all")
        assert page.count('class="board"') == 1
        moves = reader.get(f"/m/{match_id}/playback?since=8&upto=9&live=false&seat=all").json()
        assert not any("#pc-hidden" in line for line in moves["before"])
        keys = set(re.findall(r'data-key="([^"]+)"', page))
        assert {"hiryu-tb-1", "enterprise-tb-1"} <= keys


def test_sides_are_shown_next_to_each_other_if_no_board_shows_all(site: Site) -> None:
    match_id = site.opened(site.guest("Anna"), "war", allies=BOT, axis=BOT)
    site.play_until(match_id)
    page = site.guest().page(f"/m/{match_id}/replay?at=8&seat=all")
    assert page.count('class="board"') == 2
    assert "</span> view</h2>" in page


def test_finished_match_has_all_perspectives(played: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = played
    japan = set(re.findall(r'data-key="([^"]+)"', anna.page(f"/m/{match_id}/replay?at=8&seat=japan")))
    usa = set(re.findall(r'data-key="([^"]+)"', anna.page(f"/m/{match_id}/replay?at=8&seat=usa")))
    assert "hiryu-tb-1" in japan - usa


def test_decisions_have_question_and_answer(played: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = played
    words = log_text(anna.page(f"/m/{match_id}/replay?at=1&seat=all"))
    assert words.startswith("Japan: Which squadrons land, and on which carrier? 4 TB to each of Hiryu, Soryu,")


def test_perspective_of_a_seat_has_only_its_own_decisions(played: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = played
    own = log_text(anna.page(f"/m/{match_id}/replay?at=1&seat=japan"))
    assert own.startswith("Japan: Which squadrons land, and on which carrier?")
    for seat in ("usa", ""):
        page = anna.page(f"/m/{match_id}/replay?at=1&seat={seat}")
        assert log_text(page) == "Japan made a secret decision."
        assert "Which squadrons land" not in page


def test_every_phase_can_be_selected(played: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = played
    page = anna.page(f"/m/{match_id}/replay?at=20")
    jumps = re.findall(r'data-at="(\d+)" data-title="Turn (\d+) · ([^"]+)"( aria-current="step")?>', page)
    assert [int(at) for at, *_ in jumps] == sorted({int(at) for at, *_ in jumps})
    assert len([1 for *_, current in jumps if current]) == 1
    for at, turn, title, _ in jumps[::7]:
        moment = match_at(site.store, match_id, int(at)).shown_at("usa")
        assert (str(moment.turn), load_game("midway").phase(moment.phase).title) == (turn, title)


def test_moments_are_listed_in_their_phases(played: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = played
    page = anna.page(f"/m/{match_id}/replay?at=20")
    moves = page[page.index('id="moves"') : page.index("</nav>", page.index('id="moves"'))]
    found = [(int(at), is_moment) for is_moment, at in re.findall(r'class="move(-moment)?.*?data-at="(\d+)"', moves)]
    assert [at for at, _ in found] == sorted(at for at, _ in found)
    marks = re.search(r'<svg class="timeline-marks".*?</svg>', page, re.S)
    assert marks is not None
    assert len([1 for _, is_moment in found if is_moment]) == len(re.findall("<a ", marks[0])) > 0


def test_buttons_of_turns_go_to_where_turns_begin(played: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = played
    page = anna.page(f"/m/{match_id}/replay?at=20")
    back, on = (int(re.search(rf'id="turn-{way}" href="[^"]*at=(\d+)', page)[1]) for way in ("back", "on"))  # type: ignore[index]
    assert back < 20 < on
    for at in (back, on):
        here, before = (
            re.search(r"</b> of \d+ · Turn (\d+)", anna.page(f"/m/{match_id}/replay?at={at - less}")) for less in (0, 1)
        )
        assert here is not None
        assert before is not None
        assert int(here[1]) == int(before[1]) + 1


def test_dice_are_verified_and_key_is_shown(played: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = played
    page = anna.page(f"/m/{match_id}/replay")
    with site.store.matches.open(match_id) as match:
        assert match.fingerprint in page
        assert str(match.published_secret) in page
    assert "✓ Verified" in page


def test_invalid_record_is_reported_with_its_line(played: tuple[Guest, Guest, str], site: Site) -> None:
    _, _, match_id = played
    text = site.store.records.text(match_id).replace('"rule":"9.2"', '"rule":"9.3"', 1)
    verification = make_verification("midway", text, "")
    assert verification.holds is False
    assert "Record is invalid at line" in verification.words


def test_downloaded_record_is_verifiable(played: tuple[Guest, Guest, str]) -> None:
    anna, _, match_id = played
    response = anna.get(f"/m/{match_id}/record.jsonl")
    assert response.headers["content-disposition"] == f'attachment; filename="midway-{match_id}.jsonl"'
    assert verify(response.text).outcome is not None


def test_report_is_complete_and_has_markdown(played: tuple[Guest, Guest, str], site: Site) -> None:
    anna, _, match_id = played
    with site.store.matches.open(match_id) as match:
        lines = [line.text for line in match.full_log]
    for text in (anna.page(f"/m/{match_id}/report?seat=all"), anna.page(f"/m/{match_id}/report.md?seat=all")):
        assert all(line in unescape(text) for line in lines)
    response = anna.get(f"/m/{match_id}/report.md")
    assert response.headers["content-type"].startswith("text/markdown")
    assert "as United States saw it" in response.text


LINES = re.compile(r'class="log-text"[^>]*>(.*?)</(?:a|span)>')


@pytest.mark.parametrize("seat", ["usa", "all", ""])
def test_log_of_a_replay_has_all_steps_so_far(
    played: tuple[Guest, Guest, str], site: Site, monkeypatch: pytest.MonkeyPatch, seat: str
) -> None:
    monkeypatch.setattr(replay_pages, "EARLIER", 10_000)
    anna, _, match_id = played
    with site.store.matches.open(match_id) as match:
        lines = [line.text for line in (match.full_log if seat == "all" else match.log(seat or None))]
        last = match.revision
    for at in (last // 2, last):
        page = anna.page(f"/m/{match_id}/replay?at={at}&seat={seat}")
        shown = [unescape(text) for text in LINES.findall(page)]
        assert shown == lines[: len(shown)]
    assert len(shown) == len(lines)
    earlier = re.findall(r'<li class="is-earlier"><a class="log-text" href="([^"]+)"[^>]*>(.*?)</a>', page)
    where, text = earlier[len(earlier) // 2]
    own = re.search(r'id="line-0".*?</section>\s*<', anna.page(unescape(where)), re.S)
    assert own is not None
    assert text in own[0], "a line leads to its step"


@pytest.mark.parametrize("side", ["usa", "japan"])
def test_log_of_a_running_replay_has_only_what_the_seat_read(
    going_on: tuple[Guest, Guest, str], site: Site, side: str
) -> None:
    anna, boris, match_id = going_on
    with site.store.matches.open(match_id) as match:
        lines = [line.text for line in match.log(side)]
    page = (anna if side == "usa" else boris).page(f"/m/{match_id}/replay?at=9999")
    shown = [unescape(text) for text in LINES.findall(page)]
    assert shown == lines[-len(shown) :]
    assert len(shown) >= replay_pages.EARLIER


def test_undone_lines_are_not_among_the_steps_so_far(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, "picket", captain=ME)
    site.play_until(match_id, lambda match: match.can_undo("captain") and match.log_length > 3)
    site.store.matches.undo(match_id, "captain")
    site.play_until(match_id, most=3)
    with site.store.matches.open(match_id) as match:
        lines = [line.text for line in match.log("captain")]
    shown = [unescape(text) for text in LINES.findall(anna.page(f"/m/{match_id}/replay?at=9999"))]
    assert shown == lines


def test_undo_is_part_of_the_replay(site: Site) -> None:
    anna = site.guest("Anna")
    match_id = site.opened(anna, usa=ME, japan=ME)
    asked = site.asked(match_id, "japan")
    site.store.matches.answer(match_id, "japan", [asked["options"][0]["key"]], None)
    site.store.matches.undo(match_id, "japan")
    page = anna.page(f"/m/{match_id}/replay?at=2&seat=japan")
    assert log_text(page) == "Japan takes back 1 decision."
    assert "1 × " not in page


@pytest.mark.parametrize(
    ("headers", "shapes"),
    [
        ({}, {"wide", "narrow"}),
        ({"Sec-CH-UA-Mobile": "?1"}, {"narrow"}),
        ({"HX-Request": "true", "Board-Shape": "wide"}, {"wide"}),
    ],
)
@pytest.mark.parametrize("seat", ["usa", "all"])
def test_replay_draws_the_fitting_chart(
    played: tuple[Guest, Guest, str], seat: str, headers: dict[str, str], shapes: set[str]
) -> None:
    anna, _, match_id = played
    page = anna.get(f"/m/{match_id}/replay?at=20&seat={seat}", **headers).text
    assert set(re.findall(r'<svg class="board-(wide|narrow)', page)) == shapes


# -- long matches ----------------------------------------------------------------------------------------------------


@pytest.fixture
def long_match(played: tuple[Guest, Guest, str], site: Site, monkeypatch: pytest.MonkeyPatch) -> str:
    """A finished match that counts as long, with nothing about it in memory."""
    monkeypatch.setattr(replays, "INLINE_ENTRIES", -1)
    known = site.app.state.site.replays
    for cache in (known._indexes, known._verifications):
        cache._kept.clear()
    return played[2]


@pytest.mark.slow(3)
def test_replay_of_long_match_is_prepared_in_a_worker(site: Site, long_match: str) -> None:
    reader = site.guest()
    page = reader.page(f"/m/{long_match}/replay?at=20&seat=usa")
    assert '<meta http-equiv="refresh" content="2">' in page
    assert "Setting up the replay" in page
    assert f'hx-get="/m/{long_match}/replay?seat=usa&amp;at=20"' in page
    job = site.app.state.site.replays._jobs.running(f"replay {long_match}")
    if job is not None:
        job.result(30)
    page = reader.page(f"/m/{long_match}/replay?at=20&seat=usa")
    assert "<b>20</b> of" in page
    assert "Being verified" in page
    job = site.app.state.site.replays._jobs.running(f"verify {long_match}")
    if job is not None:
        job.result(30)
    assert "✓ Verified" in reader.page(f"/m/{long_match}/replay?at=20&seat=usa")


@pytest.mark.slow(3)
def test_failed_preparation_is_reported_and_not_repeated_at_once(site: Site, long_match: str) -> None:
    reader = site.guest()
    reader.page(f"/m/{long_match}/replay")
    jobs = site.app.state.site.replays._jobs
    job = jobs.running(f"replay {long_match}")
    assert job is not None
    job.cancel()
    for _ in range(2):
        response = reader.get(f"/m/{long_match}/replay")
        assert response.status_code == 409
        assert "The replay was stopped." in response.text
    jobs._jobs.clear()


# -- how it is kept --------------------------------------------------------------------------------------------------


def test_cache_drops_what_was_not_used_for_longest() -> None:
    cache = SizedCache[str](most=10)
    for name in "abc":
        cache.put(name, name, 4)
        cache.get("a")
    assert [cache.get(name) for name in "abc"] == ["a", None, "c"]
    assert cache.size == 8
    cache.put("d", "large", 40)
    assert (cache.get("c"), cache.get("d"), cache.size) == (None, "large", 40)


def test_match_that_the_present_rules_cannot_repeat_shows_its_report(
    played: tuple[Guest, Guest, str], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _, match_id = played

    def fail(*_: object) -> None:
        raise InvalidRecord(22, "choose one")

    monkeypatch.setattr(site.app.state.site.replays, "index", fail)
    with site.store.matches.open(match_id) as match:
        monkeypatch.setattr(match, "_read_header", replace(match.header, version="0"))
    page = anna.page(f"/m/{match_id}/replay")
    assert "Played under rules version 0; it cannot be replayed under the present rules" in page
    assert "from decision 21 on" in page
    assert "After-action report" in page
    assert ">Replay</a>" not in page
