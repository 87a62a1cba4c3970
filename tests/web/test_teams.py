"""Matches of teams with an umpire, as a class plays them: the chat, the seats and the pages of the umpire."""

from __future__ import annotations

import asyncio
import re

import pytest
from tests.web.clients import FRIEND, ME, Guest, Site, site

from readyroom.web.live import broadcast
from readyroom.web.live.broadcast import EventBroadcaster, channels

__all__ = ["site"]

OPTIONS = {"japan_players": "2", "usa_players": "2", "umpire": "yes"}
SEATS = ("japan-north", "japan-south", "usa-north", "usa-south")
MY_SIDE = '<option value="side" selected>'


class Team:
    """A match in which two players a side plan in secret; the host is the umpire."""

    def __init__(self, site: Site, *, started: bool = True) -> None:
        self.umpire = site.guest("Akagi")
        self.players = {key: site.guest(name) for key, name in zip(SEATS, ("Ann", "Bea", "Cid", "Dot"), strict=True)}
        who = {**dict.fromkeys(SEATS, FRIEND), "umpire": ME}
        made = site.store.lobby.create(self.umpire.player, "tora", None, OPTIONS, who, minutes=60)
        self.links, self.path = made.links, f"/m/{made.id}"
        for key in SEATS if started else ():
            site.store.seats.join_by_link(self.links[key], self.players[key].player.id)

    def post(self, who: Guest, seat: str, to: str) -> None:
        assert who.post(f"{self.path}/say", {"seat": seat, "to": to, "text": "Torpedoes from the south"}).is_redirect


@pytest.fixture(scope="module")
def team(site: Site) -> Team:
    return Team(site)


def test_next_message_goes_where_the_last_went(site: Site) -> None:
    team = Team(site)
    bea = team.players["japan-south"]
    assert MY_SIDE in bea.page(team.path), "the plan is secret"
    team.post(bea, "japan-south", "all")
    assert MY_SIDE not in bea.page(team.path)
    team.post(bea, "japan-south", "side")
    assert MY_SIDE in bea.page(team.path)
    assert MY_SIDE not in team.umpire.page(team.path)


def test_player_alone_on_a_side_writes_to_everyone(site: Site) -> None:
    anna, boris = site.guest("Anna"), site.guest("Boris")
    assert MY_SIDE not in anna.page(f"/m/{site.duel(anna, boris)}")
    who = {"japan-north": ME, "japan-south": ME, "usa": FRIEND}
    made = site.store.lobby.create(anna.player, "tora", None, {"japan_players": "2"}, who)
    site.store.seats.join_by_link(made.links["usa"], boris.player.id)
    assert MY_SIDE not in anna.page(f"/m/{made.id}")


def test_umpire_sees_who_is_to_decide(team: Team) -> None:
    page = team.umpire.page(team.path)
    assert re.findall(r'title="(\w+): [^"]*, to move"', page) == ["Ann", "Cid"], "the commanders plan"
    assert "An umpire decides nothing" in page
    assert "You have nothing to decide until then" not in page
    clocks = re.findall(r'<li class="side-(\w+)[^>]*> ?<span class="side-name">[^<]*</span> <time data-left', page)
    assert clocks == ["japan", "usa"]


def test_umpire_frees_a_seat_and_needs_no_bot(team: Team) -> None:
    page, seats = team.umpire.page(team.path), team.players["japan-north"].page(team.path)
    assert re.findall(r'id="free-([\w-]+)"', page) == list(SEATS)
    assert "Bot for Umpire" not in page
    assert "Free this seat" not in seats
    assert page.count("leads the side</span>") == 2


def test_freed_pupil_reads_what_to_do(site: Site) -> None:
    team = Team(site, started=False)
    bea = team.players["japan-south"]
    assert bea.post(f"/s/{team.links[SEATS[1]]}").is_redirect
    assert "You have no seat" not in bea.page(team.path)
    team.umpire.post(f"{team.path}/leave", {"seat": "japan-south"})
    assert "the host has freed it; ask for a new invite link" in bea.page(team.path)


def test_invitation_says_that_the_guest_has_a_seat_and_who_leads(site: Site) -> None:
    team = Team(site, started=False)
    ann, link = team.players["japan-north"], "/s/{}".format
    assert "which leads its side," in ann.page(link(team.links["japan-north"]))
    assert ann.post(link(team.links["japan-north"])).is_redirect
    page = ann.page(link(team.links["japan-south"]))
    assert re.search(r"You already play Japan, \w+ in this match", page)
    assert "leads its side" not in page


def test_only_pages_of_a_seat_that_was_left_are_loaded_again() -> None:
    async def open_streams(*left: str) -> set[str]:
        async with channels(None) as plugin:
            broadcaster = EventBroadcaster(plugin)
            await broadcaster.start()
            streams = {seat: broadcaster.stream("m", 0, seat) for seat in SEATS}
            assert [await anext(stream) for stream in streams.values()]
            broadcaster.part("m", *left)
            reading = {seat: asyncio.create_task(anext(stream)) for seat, stream in streams.items()}
            _, waiting = await asyncio.wait(reading.values(), timeout=0.2)
            found = {seat for seat, task in reading.items() if task in waiting}
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            for stream in streams.values():
                await stream.aclose()
            await broadcaster.stop()
            return found

    assert asyncio.run(open_streams("usa-north")) == {*SEATS} - {"usa-north"}
    assert asyncio.run(open_streams()) == set()


def test_events_that_follow_each_other_closely_are_sent_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "AGAIN", 0.05)

    async def received() -> list[bytes]:
        async with channels(None) as plugin:
            broadcaster = EventBroadcaster(plugin)
            await broadcaster.start()
            stream = broadcaster.stream("m", 0, "usa-north")
            assert await anext(stream)
            for revision in range(1, 31):
                broadcaster("m", "seats", {"usa-north": revision})
            events = [await anext(stream), await anext(stream)]
            broadcaster("m", "talk", {"usa-north": 31})
            events.append(await anext(stream))
            await stream.aclose()
            await broadcaster.stop()
            return events

    assert asyncio.run(received()) == [
        broadcast.event("seats", 1),
        broadcast.event("seats", 30),
        broadcast.event("talk", 31),
    ]
