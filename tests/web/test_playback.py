"""What pages get to animate: only what the viewer's log says, and drawings of the viewer's own board."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from random import Random
from typing import Any

import pytest
from tests.browser.matches import played_by_bots
from tests.web.server import Browser, Site

from readyroom import Match, games
from readyroom.engine.match.planning import follow
from readyroom.engine.record.format import parse
from readyroom.engine.record.playback import EVERYONE
from readyroom.engine.record.positions import build_index
from readyroom.games.tora.plans.builtin import named
from readyroom.games.tora.plans.reading import write_toml
from readyroom.testing.playouts import AnyMatch, play_on
from readyroom.web.client import RemoteSeat, decision_of
from readyroom.web.playback import changes, playback


def unfolded(data: dict[str, Any]) -> list[list[str]]:
    """Return the drawing before and the one at each event."""
    frames = [data["before"]]
    for event in data["events"]:
        frame, at = list[str](), 0
        for start, count, put in event["frame"]:
            frame += [*frames[-1][at:start], *put]
            at = start + count
        frames.append([*frame, *frames[-1][at:]])
    return frames


def fetched(browser: Browser, match: str, **query: Any) -> dict[str, Any]:
    answer = browser.get(f"/m/{match}/playback", params={"since": 0, **query})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def play(seats: Mapping[str, RemoteSeat], times: int) -> None:
    """Let each seat answer at random what it is asked, some times."""
    random = Random(times)
    for _ in range(times):
        for seat in seats.values():
            pending = seat.fetch()["pending"]
            if pending is not None:
                seat.answer(decision_of(pending).sample(random), pending["revision"])


@pytest.fixture
def match(site: Site, browser: Browser) -> str:
    """A match of Midway in which the browser plays the United States."""
    seats = RemoteSeat.opened(site.url, {"game": "midway", "seats": {"usa": "me", "japan": "bot:doctrine"}})
    play(seats, 6)
    joined = browser.form(f"/s/{seats['usa'].secret}")
    assert joined.status_code == 303, joined.text
    return seats["usa"].match


def test_changes_lead_from_one_drawing_to_the_next() -> None:
    data = {"before": ["a", "b", "c"], "events": [{"frame": changes(["a", "b", "c"], ["b", "x", "c", "d"])}]}
    assert unfolded(data)[1] == ["b", "x", "c", "d"]


def plain(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", "", text)).split())


def test_events_are_lines_of_the_own_log(browser: Browser, match: str) -> None:
    data = fetched(browser, match, seat="usa")
    assert data["events"]
    shown = plain(browser.get(f"/m/{match}", params={"seat": "usa"}).text)
    for event in data["events"]:
        assert plain(event["text"]) in shown, event["text"]
        assert event["rule"]
        assert event["title"]


def test_events_show_the_first_digits_of_fingerprints() -> None:
    match: AnyMatch = Match(games.load("tora"), "december")
    for seat, name in (("usa", "sunday-morning"), ("japan", "sunday-from-the-north")):
        follow(match, seat, write_toml(named(name)).encode(), "plan.toml")
    index = build_index(parse(match.record()), match.game, match.secret)
    data = playback(match.game, index, lambda match: match.view("usa"), EVERYONE, -1, index.revision)
    texts = " ".join(event["text"] for event in data["events"])
    assert len(re.findall(r"its fingerprint is [0-9a-f]{8}\.", texts)) == 2


def test_frames_end_with_the_board_of_the_page(browser: Browser, match: str) -> None:
    data = fetched(browser, match, seat="usa")
    keys = set(re.findall(r'data-key="([^"]+)"', "\n".join(unfolded(data)[-1])))
    page = browser.get(f"/m/{match}", params={"seat": "usa"}).text
    assert len(keys) > 10
    assert all(f'data-key="{key}"' in page for key in keys)


def test_spectators_and_opponents_get_their_own_events(site: Site) -> None:
    seats = RemoteSeat.opened(site.url, {"game": "midway"})
    play(seats, 40)
    viewers = [*seats.values(), RemoteSeat(site.url, seats["usa"].match)]
    shown, logs = [], []
    for viewer in viewers:
        headers = {"Authorization": f"Bearer {viewer.secret}"} if viewer.secret else {}
        with site.browser() as browser:
            answer = browser.get(f"/api/v1/matches/{viewer.match}/playback", params={"since": 0}, headers=headers)
        assert answer.status_code == 200, answer.text
        shown.append({event["text"] for event in answer.json()["events"]})
        logs.append({line["text"] for line in viewer.fetch(0)["log"]})
    for events, log in zip(shown, logs, strict=True):
        assert events
        assert events <= log
    usa, japan, public = shown
    assert usa - logs[1]
    assert japan - logs[0]
    assert not (public - logs[0]) | (public - logs[1])


def test_others_get_no_events_of_a_seat(site: Site, match: str) -> None:
    with site.browser() as stranger:
        public = fetched(stranger, match)
        for wanted in ({"seat": "usa"}, {"board": "usa"}, {"seat": "all"}):
            assert fetched(stranger, match, **wanted) == public


@pytest.mark.parametrize(
    ("game", "scenario"),
    [
        pytest.param("midway", "duel"),
        pytest.param("tora", "sunday", marks=pytest.mark.torture(10)),
        pytest.param("pearl", "air-raid"),
        pytest.param("war", "atlantic", marks=pytest.mark.torture(5)),
        pytest.param("picket", "first-watch", marks=pytest.mark.torture(5)),
        pytest.param("doolittle", "capital", marks=pytest.mark.torture(5)),
    ],
)
def test_replay_of_all_sides_plays_on_each_board(site: Site, browser: Browser, game: str, scenario: str) -> None:
    finished: AnyMatch = Match(games.load(game), scenario, seed="all sides")
    for _ in play_on(finished, Random(1)):
        pass
    match = site.store.records.import_match(finished.record(), site.store.players.create("Reader").player)
    for seat in (each.key for each in finished.seats):
        for since in (0, finished.revision // 2):
            assert fetched(browser, match, seat="all", board=seat, since=since, upto=since + 10, live=0)["events"]


def test_what_comes_before_the_first_decision_is_played_too(site: Site) -> None:
    seats = RemoteSeat.opened(site.url, {"game": "tora", "scenario": "sunday"})
    viewers = [*seats.values(), RemoteSeat(site.url, seats["usa"].match)]
    for viewer in viewers:
        with site.browser() as browser:
            if viewer.secret:
                browser.form(f"/s/{viewer.secret}")
            data, log = fetched(browser, viewer.match, since=-1, upto=0), viewer.fetch(0)["log"]
        assert [event["text"] for event in data["events"]] == [line["text"] for line in log]
        assert data["omitted"] == 0
        assert "The first wave arrives over Oahu" in [event["moment"] for event in data["events"]]
        before, *_, after = unfolded(data)
        assert not any('data-key="kate-1"' in line for line in before)
        assert any('data-key="kate-1"' in line for line in after)


def test_rolls_without_a_chance_are_notes_without_dice() -> None:
    duel = played_by_bots(Match(games.load("midway"), "duel", seed="2"), lambda _: False)
    index = build_index(parse(duel.record()), duel.game)
    events = playback(duel.game, index, lambda match: match.view("usa"), EVERYONE, -1, index.revision)["events"]
    repairs = [event for event in events if event["rule"] == "15"]
    assert repairs, "none of the two carriers repairs on a 6"
    assert {(event["kind"], event["effect"], len(event["rolls"])) for event in repairs} == {("note", "", 0)}
    assert any(event["rolls"] for event in events)


def test_empty_or_impossible_span_has_no_events(browser: Browser, match: str) -> None:
    for since, upto in ((5, 3), (10_000, 20_000), (2, 2)):
        assert fetched(browser, match, since=since, upto=upto)["events"] == []
    for wrong in ({"since": -2}, {}, {"since": "x"}):
        assert browser.get(f"/m/{match}/playback", params=wrong).status_code == 400
    assert browser.get("/m/nothing/playback", params={"since": 0}).status_code == 404


def test_api_has_the_same_events(site: Site, match: str) -> None:
    with site.browser() as stranger:
        answer = stranger.get(f"/api/v1/matches/{match}/playback", params={"since": 0})
        assert answer.status_code == 200, answer.text
        assert answer.json()["events"] == fetched(stranger, match)["events"]
        assert stranger.get("/api/v1/matches/nothing/playback", params={"since": 0}).status_code == 404


@pytest.mark.slow(3)
@pytest.mark.parametrize("bot", [pytest.param("", marks=pytest.mark.torture(8)), "bot:doctrine"])
def test_events_are_the_new_lines_of_each_viewer(site: Site, bot: str) -> None:
    wanted = {"game": "midway", **({"seats": {"usa": "me", "japan": bot}} if bot else {})}
    seats = RemoteSeat.opened(site.url, wanted)
    viewers = [*seats.values(), RemoteSeat(site.url, seats["usa"].match)]
    before = [viewer.fetch() for viewer in viewers]
    for number in range(30):
        play(seats, 1 + number % 3)
        for at, viewer in enumerate(viewers):
            now = viewer.fetch()
            headers = {"Authorization": f"Bearer {viewer.secret}"} if viewer.secret else {}
            span = {"since": before[at]["revision"], "upto": now["revision"]}
            with site.browser() as browser:
                answer = browser.get(f"/api/v1/matches/{viewer.match}/playback", params=span, headers=headers)
            data = answer.json()
            assert len(data["events"]) + data["omitted"] == now["lines"] - before[at]["lines"], (span, data["events"])
            before[at] = now
