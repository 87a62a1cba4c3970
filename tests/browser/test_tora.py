"""Full matches of Tora! Tora! Tora! in the browser: two players from planning on, and four players a side."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Visit
from tests.browser.match_page import HintedMouse, Table
from tests.browser.matches import by_hints, in_turns, join, link_to, send_chat, set_up, share_seat, verified_outcome
from tests.browser.visitors import SMALL, Visitor
from tests.server.running import Server

from readyroom.web.client import RemoteSeat

pytestmark = pytest.mark.slow

MAX_ANSWERS = 600
"""The limit of answers in a battle."""
LOCKED = re.compile(r"The (Japanese|American) plan is locked; its fingerprint is ([0-9a-f]{32})")
VERIFIED = re.compile(r"The (Japanese|American) plan matches its published fingerprint ([0-9a-f]{32})")
PUBLIC = re.compile(
    "T: torpedoes · AP: armor-piercing bombs · GP: general-purpose bombs|in dry dock, where torpedoes cannot reach her"
)
"""Public texts about ordnance: the legend and a ship's description."""
ATTACKED = re.compile(r"\battacks? .+ with (?:torpedoes|armor-piercing|general-purpose)")
"""A public log line of an attack, which names the ordnance."""
LOADED = re.compile(r"\btorpedoes\b|armor-piercing|general-purpose|-(?:torpedo|ap|gp)\b")
"""Texts of the Japanese plan; before the first attack American pages have them only in the legend."""
GUARDED = re.compile(r"Alert, \w+: level|\b(?:airfield|ship|aaa|radar|patrol)-\d")
"""Texts of the American calendar; Japanese pages do not have them before the end."""
ZONE = re.compile(r"[123][NS][EW]")
CALENDAR = ["airfield-1"] * 2 + ["airfield-2"] * 2 + ["airfield-3"] * 2 + ["ship-3"] + ["aaa-4"] * 2
BAD_PAPER = b'side = "japan"\nday = 11\n\n[[wave]]\nturn = 1\ngroup = []\n'
SEATS = [f"{side}-{quadrant}" for side in ("usa", "japan") for quadrant in ("nw", "ne", "se", "sw")] + ["umpire"]
AWAY = "about:blank"


def has_secret(visitor: Visitor, secret: re.Pattern[str]) -> bool:
    """Return whether a secret is anywhere in the visitor's page except in the legend."""
    return secret.search(PUBLIC.sub("", visitor.page.content())) is not None


# -- two players -------------------------------------------------------------------------------------------------------


@pytest.mark.torture(43)
def test_two_players_plan_and_play_a_battle(visit: Visit, server: Server) -> None:
    anna, ben = visit("Anna"), visit("Ben")
    set_up(anna, {"usa": "me", "japan": "friend"}, game="tora", scenario="december")
    join(ben, link_to(anna.page, "japan"))
    usa, japan = Table(anna.page), Table(ben.page)
    for visitor in (anna, ben):
        visitor.ignore_problems("preloaded using link preload")  # the chart is closed before it is used
        visitor.press("Question by question")
    usa.wait_for_decision()
    _fill_the_calendar(usa)
    _plan_by_file(ben, japan)
    assert not has_secret(anna, LOADED)
    assert not has_secret(ben, GUARDED)
    clicks = usa.hand, japan.hand = HintedMouse(), HintedMouse()
    own, contact, locked = set[re.Pattern[str]](), False, dict[str, str]()
    for mover in in_turns([usa, japan], MAX_ANSWERS):
        if mover.look()["over"]:
            continue
        locked = locked or _locked(anna, ben)
        own |= {
            secret
            for secret, owner in ((LOADED, ben), (GUARDED, anna))
            if secret not in own and has_secret(owner, secret)
        }
        assert not has_secret(ben, GUARDED), "Japan sees the American calendar"
        contact = contact or has_secret(anna, ATTACKED)
        assert contact or not has_secret(anna, LOADED), "the United States sees what the Japanese aircraft carry"
        contact = contact or "attack?" in japan.look()["question"]
    assert locked.keys() == {"Japanese", "American"}
    assert own == {LOADED, GUARDED}, "each sees their own plan"
    for hand in clicks:
        assert len(hand.clicked) > 20
        assert any(map(ZONE.fullmatch, hand.clicked))
        assert not all(map(ZONE.fullmatch, hand.clicked))
    title, bots = verified_outcome(server, usa.match)
    assert bots == set()
    for visitor in (anna, ben):
        _check_outcome(visitor, title)
        assert _verify_plans(visitor) == locked


def _fill_the_calendar(table: Table) -> None:
    """Fill the American sheets; check totals and the rejection of an overspent budget."""
    page, groups = table.page, table.page.locator("table.sheet .purse")
    table.choose(CALENDAR)
    expect(groups).to_have_text(["6 of 6 points", "1 of 6 points", "2 of 6 points"])
    _overspend(table, "airfield-4")
    expect(groups.first).to_have_text("7 of 6 points")
    page.locator("td[data-key='airfield-4'] [data-step='-1']").click()
    expect(groups.first).to_have_text("6 of 6 points")
    expect(page.locator("#tally")).not_to_have_class(re.compile(r"\bover\b"))
    table.confirm()
    for key in ("radar-1-NW", "radar-2-NW", "radar-1-SE"):
        page.locator(f"td[data-key='{key}'] input").check()
    assert table.chosen() == ["radar-1-SE", "radar-2-NW"], "the radar searches one sector per day"
    table.confirm()
    assert table.wait_for_decision()["question"].startswith("Which sector do the patrol planes")


def _overspend(table: Table, key: str) -> None:
    """An overspent budget is reported at once; nothing is sent or lost."""
    page, before = table.page, table.look()
    page.locator(f"td[data-key='{key}'] [data-step='1']").click()
    wanted, tally = [*table.chosen()], page.locator("#tally")
    expect(tally).to_contain_text("7 points, 1 more than 6")
    expect(tally).to_have_class(re.compile(r"\bover\b"))
    expect(table.confirmation).to_have_attribute("aria-disabled", "true")
    table.confirmation.click(force=True)
    page.wait_for_timeout(200)
    assert table.look() == before
    assert table.chosen() == wanted


def _plan_by_file(ben: Visitor, table: Table) -> None:
    """Fill the first Japanese sheets by hand and the rest from a plan file."""
    page = ben.page
    page.locator("#paper > summary").click()
    with page.expect_download() as coming:
        page.locator("#paper a[href*='/first-day.toml']").click()
    paper = Path(coming.value.path()).read_bytes()
    plan = tomllib.loads(paper.decode())
    ben.ignore_problems("409")
    _upload_plan(ben, BAD_PAPER)
    error = page.locator("#card .refused")
    expect(error).to_contain_text("is not a legal plan")
    expect(error).to_contain_text(re.compile(r"line \d+.*\[7\.\d\]"))
    table.answer([f"day-{plan['day']}"])
    table.answer([str(len(plan["wave"]))])
    kates = [group for group in plan["wave"][0]["group"] if group["type"] == "kate"]
    table.answer([f"kate-{each['sector']}-{each['ordnance']}" for each in kates for _ in range(each["units"])])
    _upload_plan(ben, paper)
    page.locator("#answer").wait_for(state="detached")


def _upload_plan(ben: Visitor, paper: bytes) -> None:
    """Upload a plan file."""
    page = ben.page
    if not page.locator("#paper[open]").count():
        page.locator("#paper > summary").click()
    sheet = {"name": "plan.toml", "mimeType": "application/toml", "buffer": paper}
    page.locator("#paper input[type='file']").set_input_files(sheet)  # type: ignore[arg-type]
    with page.expect_navigation():
        page.get_by_role("button", name="Load plan").click()


def _locked(*visitors: Visitor) -> dict[str, str]:
    """Return the fingerprints of both plans if every visitor's log has them, else nothing."""
    items = [dict(LOCKED.findall(visitor.page.locator("#log").text_content() or "")) for visitor in visitors]
    return items[0] if all(each == items[0] and len(each) == 2 for each in items) else {}


def _check_outcome(visitor: Visitor, title: str) -> None:
    """Check the outcome on the match page."""
    page = visitor.page
    expect(page.locator(".strip-turn")).to_contain_text("Match over")
    expect(page.locator("#question")).to_have_text(title)
    expect(page.locator("#card .poster")).to_be_visible()


def _verify_plans(visitor: Visitor) -> dict[str, str]:
    """Check that the replay verifies the record and shows both plans' fingerprints."""
    page = visitor.page
    page.get_by_role("link", name="Replay", exact=True).click()
    result = page.locator(".proof .pass")
    expect(result).to_have_count(3)
    expect(result.first).to_contain_text("Verified")
    assert not page.locator(".proof .fail").count()
    return dict(VERIFIED.findall(" ".join(result.all_inner_texts())))


# -- four players a side -----------------------------------------------------------------------------------------------


@pytest.mark.torture(37)
def test_eight_players_and_umpire_play_a_battle(visit: Visit, server: Server) -> None:
    visitors = _join_all(visit)
    match = Table(visitors["umpire"].page).match
    tables = {seat: Table(visitor.page, HintedMouse()) for seat, visitor in visitors.items() if seat != "umpire"}
    places = {seat: share_seat(visitors[seat], RemoteSeat(server.url, match), seat) for seat in tables}
    _check_chat(visitors)
    umpire_visitor, decision, seen = visitors["umpire"], Counter[str](), set[re.Pattern[str]]()
    umpire = Table(umpire_visitor.page)
    for seat, pending, view in _pending_decisions(RemoteSeat(server.url, match), places):
        assert _quadrants(pending, view) <= {seat[-2:].upper()}, f"{seat} has a decision: {pending['question']}"
        kind = f"{seat.partition('-')[0]} {pending['rule']} {pending['kind']}"
        _answer(visitors[seat], tables[seat], places[seat], pending, known=bool(decision[seat] and decision[kind]))
        decision.update((seat, kind))
        seen |= {secret for secret in {LOADED, GUARDED} - seen if has_secret(umpire_visitor, secret)}
        assert not umpire.look()["asks"], "the umpire never decides"
    assert decision.keys() >= tables.keys()
    assert seen == {LOADED, GUARDED}, "the umpire sees everything"
    title, bots = verified_outcome(server, match)
    assert bots == set()
    for visitor in visitors.values():
        _return_to_match(visitor, match)
        _check_outcome(visitor, title)


def _join_all(visit: Visit) -> dict[str, Visitor]:
    """Return nine players with their own browsers, who joined by invite links."""
    host, *others = SEATS
    visitors = {host: visit(host, **SMALL)}
    four = {"japan_players": "4", "usa_players": "4", "umpire": "yes"}
    set_up(visitors[host], {host: "me"} | dict.fromkeys(others, "friend"), four, game="tora", scenario="sunday")
    for seat in others:
        visitors[seat] = visit(seat, **SMALL)
        join(visitors[seat], link_to(visitors[host].page, seat))
    for visitor in visitors.values():
        visitor.page.locator(".strip").wait_for()
    return visitors


def _check_chat(visitors: dict[str, Visitor]) -> None:
    """Check the audience of chat messages: a side or everyone."""
    send_chat(visitors["japan-nw"].page, "To the north of the island first", "side")
    send_chat(visitors["usa-se"].page, "Good morning, all", "all")
    for seat, visitor in visitors.items():
        messages = visitor.page.locator("#said")
        expect(messages).to_contain_text("Good morning, all")
        assert messages.get_by_text("To the north of the island first").count() == seat.startswith("japan")


def _pending_decisions(
    spectator: RemoteSeat, places: dict[str, RemoteSeat]
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield each pending decision with its seat and page until the end of the battle."""
    for _ in range(MAX_ANSWERS):
        data = spectator.fetch()
        if data["outcome"] is not None:
            return
        known = ((seat, places[seat].fetch(view=True)) for seat in data["waiting"])
        seat, seen = next((seat, seen) for seat, seen in known if seen["pending"] is not None)
        yield seat, seen["pending"], seen["view"]
    raise AssertionError(f"more than {MAX_ANSWERS} answers")


def _answer(visitor: Visitor, table: Table, place: RemoteSeat, pending: dict[str, Any], known: bool) -> None:
    """Answer on the seat's page; a program answers decisions that the side has met before.

    Only this page is open, as nine pages that update at every answer take nine times as long.
    """
    if known:
        place.answer(by_hints(visitor)(place, pending), pending["revision"])
        return
    _return_to_match(visitor, place.match)
    table.wait_past(pending["revision"] - 1)
    table.answer()
    visitor.go(AWAY)


def _return_to_match(visitor: Visitor, match: str) -> None:
    """Open the match if the page is elsewhere."""
    if visitor.page.url == AWAY:
        visitor.go(f"/m/{match}")


def _quadrants(pending: dict[str, Any], view: dict[str, Any]) -> set[str]:
    """Return the quadrants of a decision: of the zone, field or ship that it names, or of its options that have one."""
    table = view["table"]
    zones = {zone: zone for zone in table["zones"]}
    zones |= {each["key"]: each["zone"] for each in (*table["usa"]["fields"], *table["usa"]["ships"])}
    zones |= {unit["key"]: zone for zone, sides in table["zones"].items() for units in sides.values() for unit in units}
    named = [part for part in pending["about"].split(":")[1:2] if part in zones]
    options = [option["key"] for option in pending["options"] if option["key"] in zones]
    return {zones[key][1:] for key in named or options}
