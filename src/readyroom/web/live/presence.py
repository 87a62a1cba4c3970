"""Who has a match open in other processes, asked on a channel of the servers' own."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Collection

import msgspec
from litestar.channels import ChannelsPlugin

from readyroom.web.live.open_pages import OpenPages

CHANNEL = "presence"
WAIT = 1.0
"""Seconds in which the other processes may answer."""


class Question(msgspec.Struct, frozen=True, tag="who"):
    """Asks who has this match open."""

    token: str
    match: str


class Answer(msgspec.Struct, frozen=True, tag="these"):
    """Names the players who have it open in one process."""

    token: str
    players: list[str]


_decode = msgspec.json.Decoder(Question | Answer).decode


class Presence:
    """Asks the other processes over the channels that they share, and answers them."""

    def __init__(self, plugin: ChannelsPlugin, open_pages: OpenPages, wait: float = WAIT) -> None:
        self.plugin, self.open_pages, self.wait = plugin, open_pages, wait
        self._heard: dict[str, set[str]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start listening."""
        self._loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        self._task = asyncio.create_task(self._listen(ready.set))
        await ready.wait()

    async def stop(self) -> None:
        """Stop listening."""
        self._loop = None
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self, ready: Callable[[], None]) -> None:
        async with self.plugin.start_subscription(CHANNEL) as subscriber:
            ready()
            async for data in subscriber.iter_events():
                payload = _decode(data)
                if isinstance(payload, Answer):
                    self._heard.get(payload.token, set()).update(payload.players)
                elif players := sorted(self.open_pages.at(payload.match)):
                    self.plugin.publish(msgspec.json.encode(Answer(payload.token, players)), CHANNEL)

    def __call__(self, match_id: str) -> Collection[str]:
        """Return who has a match open in any process. It blocks: call it in a separate thread."""
        loop, token = self._loop, secrets.token_hex(8)
        if loop is None:
            return ()
        events = self._heard[token] = set()
        question = msgspec.json.encode(Question(token, match_id))
        loop.call_soon_threadsafe(self.plugin.publish, question, CHANNEL)
        threading.Event().wait(self.wait)
        del self._heard[token]
        return frozenset(events)
