"""A match of teams with an umpire and a clock, on the screens of its players."""

from __future__ import annotations

from contextlib import closing

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.matches import open_chat
from tests.browser.visitors import PHONE
from tests.server.running import Server, open_store

from readyroom.store import SeatAssignment
from readyroom.web.pages.players.profile import COOKIE

pytestmark = pytest.mark.slow

NAMES = ("Akira Tanaka", "Bea", "Carl Friedrich", "Dora", "Emil", "Fay Montgomery", "Gus", "Hana Kobayashi")
KEYS = [f"{side}-{part}" for side in ("japan", "usa") for part in ("nw", "ne", "se", "sw")]
CUT = """(list) => [...list.children].filter((one) => {
  const [box, name] = [list, one.querySelector(".side-name")].map((each) => each.getBoundingClientRect());
  return name.width && (name.right > box.right + 1 || name.bottom > box.bottom + 1);
}).map((one) => one.textContent)"""


@pytest.fixture
def team(server: Server) -> tuple[str, list[str]]:
    """The path of a match, and the sessions of its players, the umpire's last."""
    with closing(open_store(server.home, None)) as store:
        people = [store.players.create(name) for name in (*NAMES, "Frau Lehmann")]
        who = {**dict.fromkeys(KEYS, SeatAssignment("friend")), "umpire": SeatAssignment("me")}
        options = {"japan_players": "4", "usa_players": "4", "umpire": "yes"}
        made = store.lobby.create(people[-1].player, "tora", None, options, who, minutes=60)
        for key, one in zip(KEYS, people, strict=False):
            store.seats.join_by_link(made.links[key], one.player.id)
    return f"/m/{made.id}", [one.session for one in people]


def test_recipients_stay_after_messages_and_reloads(visit: Visit, server: Server, team: tuple[str, list[str]]) -> None:
    path, sessions = team
    bea, fay = visit(**PHONE), visit()
    for visitor, session in ((bea, sessions[1]), (fay, sessions[5])):
        visitor.context.add_cookies([{"name": COOKIE, "value": session, "url": server.url}])
        visitor.go(path)
    to, text, messages = (bea.page.locator(at) for at in ("#say-to", "#say-text", "#said .message-text"))
    open_chat(bea.page)
    expect(to).to_have_value("side")
    for number in (1, 2):
        text.fill(f"Torpedoes at turn {number}")
        text.press("Enter")
        expect(messages).to_have_count(number)
        expect(text).to_have_value("")
        expect(to).to_have_value("side")
    to.select_option("all")
    bea.page.reload()
    open_chat(bea.page)
    expect(to).to_have_value("all")
    text.fill("Good hunting")
    text.press("Enter")
    expect(to).to_have_value("all")
    to.select_option("side")
    bea.go(path)
    expect(to).to_have_value("side")
    expect(fay.page.locator("#said .message-text")).to_have_text(["Good hunting"])


@pytest.mark.parametrize("width", [390, 1300, 1366])
def test_all_players_are_shown_next_to_clocks(
    visit: Visit, server: Server, team: tuple[str, list[str]], width: int
) -> None:
    path, sessions = team
    umpire = visit(viewport={"width": width, "height": 768})
    umpire.context.add_cookies([{"name": COOKIE, "value": sessions[-1], "url": server.url}])
    umpire.go(path)
    players = umpire.page.locator("#presence")
    expect(players.locator("li")).to_have_count(9)
    assert players.evaluate(CUT) == []
    expect(umpire.page.locator(".clocks li")).to_have_count(2)
    assert umpire.page.evaluate("document.documentElement.scrollWidth") <= width
    expect(players.locator(".is-choosing .side-name")).to_have_text(["Akira Tanaka", "Emil"])
