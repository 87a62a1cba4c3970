"""Who has a match open: here, and in the other processes, which are asked on a channel of the servers' own.

Presence follows from open pages alone, and not from what anyone decides: it changes when a player comes or goes.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Callable, Collection
from hashlib import blake2b
from time import monotonic
from typing import NamedTuple

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.concurrency import sync_to_thread

from readyroom.store import Player
from readyroom.web.live.open_pages import OpenPages

LOGGER = logging.getLogger("readyroom.web")
CHANNEL = "presence"
WAIT = 1.0
"""Seconds in which the other processes may answer."""
GLANCE = 0.3
"""Seconds in which they may answer where a page waits."""
KNOWN = 60.0
"""Seconds for which their answer is used again."""
AGAIN = 20.0
"""Seconds after which they are asked again: a process that was killed cannot say that its players are gone."""
GONE = 4.0
"""Seconds after which a player whose page was closed is gone: long enough to reload it."""


EVERYWHERE = ""
"""Asks about all matches, in place of the id of one."""
NAMED = 300
"""The most players in an answer, which is one message of the database."""


class Question(msgspec.Struct, frozen=True, tag="who"):
    """Asks who has this match open, or any (`EVERYWHERE`)."""

    token: str
    match: str


class Answer(msgspec.Struct, frozen=True, tag="these"):
    """Names the players who have it open in one process: those who acted lately, and all; and counts the others."""

    token: str
    players: list[str]
    open: list[str] = []
    anonymous: int = 0


class Here(NamedTuple):
    """The players who have a match open, and the number of spectators who are not signed in."""

    players: frozenset[str] = frozenset()
    anonymous: int = 0

    def __or__(self, other: Here) -> Here:
        return Here(self.players | other.players, self.anonymous + other.anonymous)


_decode = msgspec.json.Decoder(Question | Answer).decode


class Presence:
    """Asks the other processes over the channels that they share, and answers them.

    `announce` is called with the id of a match whose pages are to show again who is there, after `note_seen` with the
    players who came or went, in a thread; `shared` says whether there may be other processes, which then have the same
    `key`.
    """

    def __init__(
        self,
        plugin: ChannelsPlugin,
        open_pages: OpenPages,
        wait: float = WAIT,
        *,
        announce: Callable[[str], object] = lambda match_id: None,
        note_seen: Callable[[str, Collection[str]], object] = lambda match_id, players: None,
        shared: bool = True,
        gone: float = GONE,
        again: float = AGAIN,
        key: str = "",
    ) -> None:
        self.plugin, self.open_pages, self.wait = plugin, open_pages, wait
        self.announce, self.note_seen = announce, note_seen
        self.shared, self.gone, self.again = shared, gone, again
        self._key = key.encode()[:64]
        self._heard: dict[str, list[Answer]] = {}
        self._elsewhere: dict[str, tuple[float, Here]] = {}
        self._announced: dict[str, frozenset[str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._noting: set[asyncio.Task[None]] = set()
        open_pages.changed = self._changed

    async def start(self) -> None:
        """Start listening."""
        self._loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        self._tasks = [asyncio.create_task(self._listen(ready.set))]
        if self.shared:
            self._tasks.append(asyncio.create_task(self._ask_again()))
        await ready.wait()

    async def stop(self) -> None:
        """Stop listening, and note that those who are here now were."""
        self._loop = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._noting, return_exceptions=True)
        for match_id, there in self._announced.items():
            await self._note(match_id, there)

    async def _listen(self, ready: Callable[[], None]) -> None:
        async with self.plugin.start_subscription(CHANNEL) as subscriber:
            ready()
            async for data in subscriber.iter_events():
                payload = _decode(data)
                if isinstance(payload, Answer):
                    self._heard.get(payload.token, []).append(payload)
                else:
                    self._answer(payload)

    def _answer(self, asked: Question) -> None:
        players, (there, anonymous) = sorted(self.open_pages.at(asked.match)), self._local(asked.match)
        if players or there or anonymous:
            answer = Answer(asked.token, players, sorted(there)[:NAMED], anonymous)
            self.plugin.publish(msgspec.json.encode(answer), CHANNEL)

    # -- for notifications -------------------------------------------------------------------------------------------

    def __call__(self, match_id: str) -> Collection[str]:
        """Return who has a match open in any process. It blocks: call it in a separate thread."""
        loop, token = self._loop, secrets.token_hex(8)
        if loop is None:
            return ()
        answers = self._heard[token] = []
        question = msgspec.json.encode(Question(token, match_id))
        loop.call_soon_threadsafe(self.plugin.publish, question, CHANNEL)
        threading.Event().wait(self.wait)
        del self._heard[token]
        return frozenset(player for answer in answers for player in answer.players)

    # -- for pages ---------------------------------------------------------------------------------------------------

    def here(self, match_id: str = EVERYWHERE) -> Here:
        """Return who has a match open, or any, as far as this process knows."""
        at, elsewhere = self._elsewhere.get(match_id, (0.0, Here()))
        local = self._local(match_id)
        return local | elsewhere if at > monotonic() - KNOWN else local

    def players_hash(self, match_id: str, reader: Player | None) -> str:
        """Return a hash of who else has a match open, which names no one."""
        players = sorted(self.here(match_id).players - ({reader.id} if reader is not None else set()))
        return blake2b(" ".join(players).encode(), key=self._key, digest_size=6).hexdigest()

    def knows_others(self, match_id: str) -> bool:
        """Return whether someone has a match open in another process, as far as this one knows."""
        return self.here(match_id) != self._local(match_id)

    def _local(self, match_id: str) -> Here:
        if match_id == EVERYWHERE:
            return Here(*self.open_pages.everywhere())
        return Here(self.open_pages.open_at(match_id), self.open_pages.anonymous_at(match_id))

    async def look(self, match_id: str) -> None:
        """Ask the other processes who has a match open, so that `here` knows."""
        if not self.shared:
            return
        token, local, now = secrets.token_hex(8), self._local(match_id), monotonic()
        answers = self._heard[token] = []
        self.plugin.publish(msgspec.json.encode(Question(token, match_id)), CHANNEL)
        await asyncio.sleep(GLANCE)
        del self._heard[token]
        everyone = frozenset(player for answer in answers for player in answer.open)
        others = Here(everyone, max(0, sum(answer.anonymous for answer in answers) - local.anonymous))
        self._elsewhere = {match: known for match, known in self._elsewhere.items() if known[0] > now - KNOWN}
        self._elsewhere[match_id] = monotonic(), others

    async def _ask_again(self) -> None:
        """Ask again who has a match open elsewhere, while it is open here, and announce changes."""
        while True:
            await asyncio.sleep(self.again)
            known = {match: self.here(match) for match in self._elsewhere if self.open_pages.is_open(match)}
            due = [match for match in known if self.knows_others(match)]
            await asyncio.gather(*map(self.look, (EVERYWHERE, *due)))
            for match in due:
                if self.here(match) != known[match]:
                    self.announce(match)

    def _changed(self, match_id: str) -> None:
        """Announce who is there: at once if a player came, and a little later if one is gone."""
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(self._check, match_id)
            loop.call_soon_threadsafe(loop.call_later, self.gone, self._check, match_id, True)

    def _check(self, match_id: str, later: bool = False) -> None:
        there, known = self.open_pages.open_at(match_id), self._announced.get(match_id, frozenset())
        if there - known or (later and there != known):
            self._announced[match_id] = there
            noting = asyncio.create_task(self._note(match_id, there ^ known))
            self._noting.add(noting)
            noting.add_done_callback(self._noting.discard)
        if later and not there:
            self._announced.pop(match_id, None)

    async def _note(self, match_id: str, players: Collection[str]) -> None:
        """Note when these players were last seen, and announce it unless the server stops."""
        try:
            await sync_to_thread(self.note_seen, match_id, players)
        except Exception:
            LOGGER.exception("who was seen in match %s was not noted", match_id)
        if self._loop is not None:
            self.announce(match_id)
