"""Tests of who has a match open: on its pages, in events, and without a trace of hidden decisions."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from msgspec.structs import replace
from tests.web.server import Browser, Site
from tests.web.test_notifications import MOMENT, soon

from readyroom.web.live import broadcast
from readyroom.web.live.broadcast import REMEMBERED, EventBroadcaster, channels
from readyroom.web.live.open_pages import ANONYMOUS, OpenPages
from readyroom.web.live.presence import EVERYWHERE, Here, Presence
from readyroom.web.pages.cards import present


class Listener:
    """An event stream that is read in a thread, until nothing comes for some seconds."""

    def __init__(self, browser: Browser, match: str, silence: float = 0.2) -> None:
        self.names: list[str] = []
        self.hashes: list[str] = []
        self.typing: list[str] = []
        self._silence = silence
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read, args=(browser, f"/m/{match}/events"))
        self._thread.start()

    def _read(self, browser: Browser, path: str) -> None:
        with browser.stream("GET", path, timeout=httpx.Timeout(5, read=self._silence)) as stream:
            lines = stream.iter_lines()
            while not self._stop.is_set():
                try:
                    line = next(lines)
                except (httpx.ReadTimeout, StopIteration):
                    return
                if line.startswith("event: "):
                    self.names.append(line.removeprefix("event: "))
                elif line.startswith("data: ") and self.names[-1] == "presence":
                    self.hashes.append(line.removeprefix("data: "))
                elif line.startswith("data: ") and self.names[-1] == "typing":
                    self.typing.append(line.removeprefix("data: "))

    def close(self) -> None:
        self._stop.set()
        self._thread.join()


def people(browser: Browser, match: str) -> dict[str, str]:
    """Return who plays, as a page's list says: here, away, and whether they are to move."""
    text = browser.get(f"/m/{match}/presence").text
    return dict(re.findall(r'title="([^":]+): ([^"]+)"', text))


def states(browser: Browser, match: str) -> list[str]:
    """Return what is seen below each name."""
    found = re.findall(r'class="state">(.*)</span></li>', browser.get(f"/m/{match}/presence").text)
    return [re.sub(r"<[^>]+>", "", text) for text in found]


def watching(browser: Browser, match: str) -> int:
    found = re.search(r"(\d+) watching", browser.get(f"/m/{match}/presence").text)
    return int(found[1]) if found else 0


@contextmanager
def looking(site: Site, match: str, player: str) -> Iterator[None]:
    with site.app.state.site.open_pages.looking(match, player):
        yield


@pytest.fixture
def duel(site: Site, browser: Browser, friend: Browser) -> str:
    browser.form("/me/name", {"name": "Nagumo"})
    friend.form("/me/name", {"name": "Spruance"})
    match = browser.begin(seat_japan="me", seat_usa="friend")
    friend.form(browser.links(match)["usa"])
    return match


def test_page_shows_who_is_here_and_who_must_decide(site: Site, duel: str, browser: Browser, friend: Browser) -> None:
    spruance = next(seat.players[0][0] for seat in site.store.listings.summary(duel).seats if seat.key == "usa")
    assert people(friend, duel) == {"Nagumo": "away, to move", "Spruance (you)": "here"}
    assert people(browser, duel) == {"Nagumo (you)": "here, to move", "Spruance": "away"}
    with looking(site, duel, spruance), looking(site, duel, ANONYMOUS), looking(site, duel, "stranger"):
        assert people(browser, duel)["Spruance"] == "here"
        assert states(browser, duel) == ["(you) to move, here", "here"]
        assert watching(browser, duel) == 2
        assert 'class="presence"' in browser.get(f"/m/{duel}").text
    assert watching(browser, duel) == 0


def test_no_one_is_to_move_in_a_resigned_match(site: Site, duel: str, browser: Browser, friend: Browser) -> None:
    site.store.matches.resign(duel, "usa")
    assert people(browser, duel) == {"Nagumo (you)": "here", "Spruance": "away"}


def test_page_says_when_a_player_who_is_away_was_last_seen(site: Site, duel: str, browser: Browser) -> None:
    presence: Presence = site.app.state.site.presence
    presence.gone = MOMENT
    spruance = next(seat.players[0][0] for seat in site.store.listings.summary(duel).seats if seat.key == "usa")
    with looking(site, duel, spruance):
        soon(lambda: spruance in site.store.listings.summary(duel).last_seen)
        came = site.store.listings.summary(duel).last_seen[spruance]
        assert people(browser, duel)["Spruance"] == "here"
    soon(lambda: site.store.listings.summary(duel).last_seen[spruance] > came)
    assert people(browser, duel)["Spruance"] == "last seen just now"
    assert states(browser, duel)[1] == "last seen just now"
    assert 'data-again="60"' in browser.get(f"/m/{duel}/presence").text


@pytest.mark.parametrize(
    ("past", "text", "changes_in"),
    [
        (timedelta(0), "just now", 60),
        (timedelta(minutes=5), "5 minutes ago", 60),
        (timedelta(hours=3), "3 hours ago", 3600),
        (timedelta(days=9), "9 days ago", 86400),
    ],
)
def test_last_seen_is_coarse(site: Site, duel: str, past: timedelta, text: str, changes_in: int) -> None:
    summary = site.store.listings.summary(duel)
    (player, _), *_ = summary.seats[0].players
    summary = replace(summary, last_seen={player: datetime.now(UTC) - past})
    now = present(summary, None, Here())
    assert (now.people[0].seen, now.changes_in) == (text, changes_in)
    here = present(summary, None, Here(frozenset({player})))
    assert (here.people[0].seen, here.changes_in) == ("", 0)


def test_who_is_here_when_a_server_stops_was_seen_then() -> None:
    noted: list[tuple[str, Collection[str]]] = []
    announced: list[str] = []

    def note_seen(match: str, players: Collection[str]) -> None:
        noted.append((match, players))

    async def stop() -> None:
        plugin, pages = channels(None), OpenPages()
        async with plugin:
            presence = Presence(plugin, pages, announce=announced.append, note_seen=note_seen, shared=False)
            await presence.start()
            with pages.looking("m", "anna"):
                await asyncio.sleep(MOMENT)
                assert noted == [("m", {"anna"})]
                await presence.stop()
            assert noted == 2 * [("m", {"anna"})]
            assert announced == ["m"]

    asyncio.run(stop())


def test_typing_is_shown_to_those_who_can_read_the_message(
    site: Site, duel: str, browser: Browser, friend: Browser
) -> None:
    broadcaster: EventBroadcaster = site.app.state.site.broadcaster

    def types(to: str) -> None:
        broadcaster._typed.clear()
        assert browser.form(f"/m/{duel}/typing", {"seat": "japan", "to": to}).status_code == 204

    with site.browser() as stranger:
        stranger.form("/me/name", {"name": "Tern"})
        heard = {
            who: Listener(reader, duel, 1.0) for who, reader in (("own", browser), ("other", friend), ("", stranger))
        }
        soon(lambda: all("presence" in each.names for each in heard.values()))
        types("side")
        soon(lambda: heard["own"].typing == ["0"])
        types("all")
        soon(lambda: heard["own"].typing == ["0", "0"])
        soon(lambda: heard["other"].typing == heard[""].typing == ["0"])
        assert browser.form(f"/m/{duel}/typing", {"seat": "japan"}).status_code == 204, "too soon: ignored"
        assert stranger.form(f"/m/{duel}/typing", {"seat": "japan"}).status_code == 403
        assert friend.form(f"/m/{duel}/typing", {"seat": "japan"}).status_code == 403
        for each in heard.values():
            each.close()
        assert [len(each.typing) for each in heard.values()] == [2, 1, 1]


def test_signals_of_typing_are_limited(site: Site) -> None:
    broadcaster: EventBroadcaster = site.app.state.site.broadcaster
    assert [broadcaster.may_type("m", player) for player in ("anna", "anna", "ben")] == [True, False, True]
    assert broadcaster.may_type("n", "anna")
    for number in range(2 * REMEMBERED):
        broadcaster.may_type(str(number), "anna")
    assert len(broadcaster._typed) == REMEMBERED


def test_streams_say_when_players_come_and_go(site: Site, duel: str, browser: Browser) -> None:
    presence: Presence = site.app.state.site.presence
    presence.gone = MOMENT
    spruance = next(seat.players[0][0] for seat in site.store.listings.summary(duel).seats if seat.key == "usa")
    heard = Listener(browser, duel)
    soon(lambda: "0" in heard.hashes)
    before = heard.hashes.count("0")
    with looking(site, duel, spruance):
        soon(lambda: heard.hashes.count("0") == before + 1)
    with looking(site, duel, spruance):
        pass
    soon(lambda: heard.hashes.count("0") >= before + 2)
    heard.close()


def test_heartbeats_repeat_who_is_here(monkeypatch: pytest.MonkeyPatch, open_site: Callable[..., Site]) -> None:
    """What a page has missed comes again, in a hash that changes with who is here, and with nothing else."""
    monkeypatch.setattr(broadcast, "HEARTBEAT", MOMENT)
    site = open_site()
    with site.browser() as anna:
        match = anna.begin(seat_japan="me", seat_usa="anyone")
        reader = next(seat.players[0][0] for seat in site.store.listings.summary(match).seats if seat.players)
        heard = Listener(anna, match, silence=MOMENT * 5)
        site.app.state.site.presence.announce = lambda match_id: None  # all announcements are lost
        shown = re.compile(r'data-hash="(\w+)"')
        found = shown.search(anna.get(f"/m/{match}/presence").text)
        assert found is not None
        soon(lambda: heard.hashes[-3:] == [found[1]] * 3)
        with looking(site, match, reader):
            anna.get(f"/m/{match}")
            count = len(heard.hashes)
            soon(lambda: len(heard.hashes) > count + 2)
            assert set(heard.hashes[count:]) == {found[1]}, "the reader is here anyway"
        with looking(site, match, "other"):
            soon(lambda: heard.hashes[-1] != found[1])
            again = shown.search(anna.get(f"/m/{match}/presence").text)
            assert again is not None
            assert heard.hashes[-1] == again[1]
        soon(lambda: heard.hashes[-1] == found[1])
        heard.close()


def test_program_streams_have_no_presence(site: Site, duel: str, browser: Browser) -> None:
    heard: list[str] = []
    with browser.stream("GET", f"/api/v1/matches/{duel}/events", timeout=httpx.Timeout(5, read=0.3)) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: here"
        with looking(site, duel, "stranger"), suppress(httpx.ReadTimeout):
            heard.extend(lines)
    assert "event: presence" not in heard


def test_solitaire_match_has_neither_presence_nor_chat(browser: Browser) -> None:
    where = browser.form("/play", {"game": "midway", "side": "usa"}).headers["location"]
    page = browser.get(where).text
    assert 'id="presence"' not in page
    assert 'id="dock"' not in page


def test_reload_of_a_page_is_not_announced() -> None:
    announced: list[str] = []

    async def reload() -> None:
        plugin, pages = channels(None), OpenPages()
        async with plugin:
            presence = Presence(plugin, pages, announce=announced.append, shared=False, gone=MOMENT)
            await presence.start()
            with pages.looking("m", "carl", plays=False), pages.looking("m", ANONYMOUS, plays=False):
                await asyncio.sleep(MOMENT * 2)
                assert announced == [], "spectators come and go unannounced"
            with pages.looking("m", "anna"):
                await asyncio.sleep(MOMENT * 2)
            with pages.looking("m", "anna"):
                await asyncio.sleep(MOMENT * 3)
                assert announced == ["m"]
                assert presence.here("m") == Here(frozenset({"anna"}))
            await asyncio.sleep(MOMENT * 3)
            assert announced == ["m", "m"]
            await presence.stop()

    asyncio.run(reload())


def test_other_processes_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        plugin, here, there = channels(None), OpenPages(), OpenPages()
        async with plugin:
            one, other = Presence(plugin, here), Presence(plugin, there)
            await one.start()
            await other.start()
            with there.looking("m", "ben"), there.looking("m", ANONYMOUS), here.looking("m", "anna"):
                assert one.here("m") == Here(frozenset({"anna"}))
                await one.look("m")
                assert one.here("m") == Here(frozenset({"anna", "ben"}), 1)
                with there.looking("n", "cleo"):
                    assert one.here() == Here(frozenset({"anna"}))
                    await one.look(EVERYWHERE)
                    assert one.here() == Here(frozenset({"anna", "ben", "cleo"}), 1)
            await one.stop()
            await other.stop()

    monkeypatch.setattr("readyroom.web.live.presence.GLANCE", MOMENT)
    asyncio.run(ask())


def test_players_of_a_process_that_was_killed_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot say so itself: the others ask again, and announce the change."""
    announced: list[str] = []

    async def kill() -> None:
        plugin, here, there = channels(None), OpenPages(), OpenPages()
        async with plugin:
            one = Presence(plugin, here, announce=announced.append, again=2 * MOMENT)
            other = Presence(plugin, there)
            await one.start()
            await other.start()
            with there.looking("m", "ben"), here.looking("m", ANONYMOUS, plays=False):
                await one.look("m")
                assert one.knows_others("m")
                await asyncio.sleep(4 * MOMENT)
                assert announced == []
                await other.stop()
                await asyncio.sleep(6 * MOMENT)
                assert announced == ["m"]
                assert one.here("m") == Here(frozenset(), 1)
            await one.stop()

    monkeypatch.setattr("readyroom.web.live.presence.GLANCE", MOMENT)
    asyncio.run(kill())


def test_hidden_decisions_leave_no_trace_in_presence(
    open_site: Callable[..., Site], browser: Browser, friend: Browser
) -> None:
    """Presence follows from open pages: an answer, seen or not, neither changes nor announces it."""
    site = open_site()
    presence: Presence = site.app.state.site.presence
    announced: list[str] = []
    presence.announce = announced.append
    with site.browser() as anna:
        match = anna.begin(seat_japan="me", seat_usa="anyone")
        player = next(seat.players[0][0] for seat in site.store.listings.summary(match).seats if seat.players)
        pages: OpenPages = site.app.state.site.open_pages
        before = presence.here(match)
        pages.seen(match, player)
        assert (presence.here(match), announced) == (before, [])
