"""What pages get to animate: only what the viewer's log says, and drawings of the viewer's own board."""

from __future__ import annotations

from typing import Any

import pytest
from tests.web.server import Browser, Site

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
