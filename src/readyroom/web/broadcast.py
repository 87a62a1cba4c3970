"""Tells pages that something happened: a note on the channel of its match, in every process that serves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable

import msgspec
from litestar.channels import ChannelsPlugin, Subscriber
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from sqlalchemy.engine import make_url

LOGGER = logging.getLogger("readyroom.web")
HEARTBEAT = 20.0
"""Seconds between two words of a stream that it is still there."""
BEAT = b""
"""Put among a stream's notes when it is to say so."""


class Note(msgspec.Struct, frozen=True):
    """An event of a match's channel: `what` is "moved", "talk", "asked" or "seats"."""

    what: str
    revision: int


_note = msgspec.json.Decoder(Note).decode
LOOK_AGAIN = msgspec.json.encode(Note("seats", 0))
"""The event when it is unknown what was missed."""


MATCH = "match-"
"""How the names of the matches' channels begin; on others something else is said."""


def channel(match_id: str) -> str:
    """The name of a match's channel."""
    return f"{MATCH}{match_id}"


class EventBroadcaster:
    """Takes what the store says after a commit, from whatever thread, and publishes it in the loop of the server."""

    def __init__(self, plugin: ChannelsPlugin) -> None:
        self.plugin = plugin
        self.listeners: list[Callable[[str, str, int], None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._streams: dict[Subscriber, str] = {}
        self._beating: asyncio.Task[None] | None = None
        self._closing = False

    async def start(self) -> None:
        """Remember the loop in which the channels live."""
        self._loop = asyncio.get_running_loop()
        self._beating = asyncio.create_task(self._beat())

    async def stop(self) -> None:
        """Publish nothing more."""
        self._loop = None
        self._close()
        if self._beating is not None:
            self._beating.cancel()

    def close_streams(self) -> None:
        """Let all streams end, that the server may close; from whatever thread."""
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        self._closing = True
        for stream in self._streams:
            stream.put_nowait(None)

    @property
    def listening(self) -> int:
        """How many streams are open."""
        return len(self._streams)

    def part(self, match_id: str) -> None:
        """Let the viewers of a match reload, and end its streams in this process.

        A browser that may still watch reconnects; others are told why. Called in the server's loop.
        """
        for stream, watched in list(self._streams.items()):
            if watched == match_id:
                stream.put_nowait(LOOK_AGAIN)
                stream.put_nowait(None)

    async def _beat(self) -> None:
        """Let all streams say from time to time that they are there, that no one in between takes them for dead."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for stream in self._streams:
                if not stream.qsize:
                    stream.put_nowait(BEAT)

    def __call__(self, match_id: str, what: str, revision: int) -> None:
        """Notify everyone who watches this match, here and in other processes."""
        loop = self._loop
        if loop is not None:
            note = msgspec.json.encode(Note(what, revision))
            loop.call_soon_threadsafe(self.plugin.publish, note, [channel(match_id)])
        for listener in self.listeners:
            listener(match_id, what, revision)

    async def stream(self, match_id: str, revision: int) -> AsyncGenerator[bytes, None]:
        """The events of a match as a browser or a program reads them: `here` first, then each note by its name."""
        async with self.plugin.start_subscription(channel(match_id)) as subscriber:
            self._streams[subscriber] = match_id
            try:
                yield event("here", revision)
                if self._closing:
                    return
                async for content in subscriber.iter_events():
                    if content == BEAT:
                        yield b": still here\n\n"
                    else:
                        note = _note(content)
                        yield event(note.what, note.revision)
            finally:
                self._streams.pop(subscriber, None)


def shared(database: str | None) -> bool:
    """Whether several processes may serve over this database."""
    return bool(database) and make_url(str(database)).get_backend_name() == "postgresql"


def channels(database: str | None) -> ChannelsPlugin:
    """The channels: in memory, or, where several processes share a PostgreSQL database, through that."""
    backend: ChannelsBackend = MemoryChannelsBackend()
    if database and shared(database):
        from readyroom.web.postgres import PostgresChannels

        backend = PostgresChannels(make_url(database).set(drivername="postgresql").render_as_string(False))
    return ChannelsPlugin(
        backend, arbitrary_channels_allowed=True, subscriber_max_backlog=64, subscriber_backlog_strategy="dropleft"
    )


# -- events ----------------------------------------------------------------------------------------------------------


def event(name: str, data: object) -> bytes:
    """A server-sent event."""
    return f"event: {name}\ndata: {data}\n\n".encode()
