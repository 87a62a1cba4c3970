"""What pages get to animate: only what the viewer's log says, and drawings of the viewer's own board."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import Any

import pytest
from tests.web.server import Browser, Site

from readyroom.web.client import RemoteSeat, decision_of
from readyroom.web.playback import changes


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


@pytest.fixture
def match(site: Site, browser: Browser) -> str:
    """A match of Midway in which the United States has placed its aircraft."""
    began = browser.begin(seat_usa="me", seat_japan="bot:doctrine")
    site.app.state.site.bot_turns.finish()
    return began


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


def test_frames_end_with_the_board_of_the_page(browser: Browser, match: str) -> None:
    data = fetched(browser, match, seat="usa")
    keys = set(re.findall(r'data-key="([^"]+)"', "\n".join(unfolded(data)[-1])))
    page = browser.get(f"/m/{match}", params={"seat": "usa"}).text
    assert len(keys) > 10
    assert all(f'data-key="{key}"' in page for key in keys)


def test_spectators_and_opponents_get_their_own_events(site: Site) -> None:
    seats = RemoteSeat.opened(site.url, {"game": "midway", "seats": {"usa": "friend", "japan": "friend"}})
    random = Random(1)
    for _ in range(12):
        for seat in seats.values():
            pending = seat.fetch()["pending"]
            if pending is not None:
                seat.answer(decision_of(pending).sample(random), pending["revision"])
    api = f"/api/v1/matches/{seats['usa'].match}/playback"

    def texts(secret: str | None) -> set[str]:
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        answer = site.browser().get(api, params={"since": 0}, headers=headers)
        assert answer.status_code == 200, answer.text
        return {event["text"] for event in answer.json()["events"]}

    own, theirs, public = texts(seats["usa"].secret), texts(seats["japan"].secret), texts(None)
    assert public
    assert public <= own
    assert public <= theirs
    assert own - theirs
    assert theirs - own


def test_others_get_no_events_of_a_seat(site: Site, match: str) -> None:
    stranger = site.browser()
    assert stranger.get(f"/m/{match}/playback", params={"since": 0, "seat": "usa"}).status_code == 403
    assert stranger.get(f"/m/{match}/playback", params={"since": 0, "board": "usa"}).json() == fetched(stranger, match)


def test_empty_or_impossible_span_has_no_events(browser: Browser, match: str) -> None:
    for since, upto in ((5, 3), (10_000, 20_000), (2, 2)):
        assert fetched(browser, match, since=since, upto=upto)["events"] == []
    for wrong in ({"since": -1}, {}, {"since": "x"}):
        assert browser.get(f"/m/{match}/playback", params=wrong).status_code == 400
    assert browser.get("/m/nothing/playback", params={"since": 0}).status_code == 404


def test_api_has_the_same_events(browser: Browser, site: Site, match: str) -> None:
    answer = site.browser().get(f"/api/v1/matches/{match}/playback", params={"since": 0})
    assert answer.status_code == 200, answer.text
    assert answer.json()["events"] == fetched(site.browser(), match)["events"]
    assert site.browser().get("/api/v1/matches/nothing/playback", params={"since": 0}).status_code == 404
