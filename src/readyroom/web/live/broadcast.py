"""Broadcast events of a match to open pages, in every process that serves."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from threading import Lock
from time import monotonic

import msgspec
from litestar.channels import ChannelsPlugin, Subscriber
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.concurrency import sync_to_thread
from sqlalchemy.engine import make_url

from readyroom.engine.match.observers import SPECTATOR
from readyroom.store.base import Moved
from readyroom.store.errors import WriteFailed

LOGGER = logging.getLogger("readyroom.web")
HEARTBEAT = 15.0
"""Seconds between two heartbeats of a stream."""
BEAT, CHECK, WAKE = b"", b"?", b"!"
"""The items in a stream's queue for a heartbeat, a check that its reader may still watch, and an event that waits."""


class Note(msgspec.Struct, frozen=True):
    """An event on a match's channel: `what` is "moved", "talk", "asked", "seats", or for pages "presence", "typing".

    `revisions` are those of the viewers that may notice it; None: all of them, without a revision. Of "typing" they are
    the place of who is typing in the list of the match's players.
    """

    what: str
    revisions: Mapping[str, int] | None

    def revision_for(self, viewer: str) -> int | None:
        """Return the revision to announce to a viewer; None: it gets no event."""
        return 0 if self.revisions is None else self.revisions.get(viewer)


_note = msgspec.json.Decoder(Note).decode
SEATS, PRESENCE, TYPING = "seats", "presence", "typing"
TYPING_AGAIN = 3.0
"""Seconds in which a player at a match sends no second signal of typing."""
SPACED, AGAIN = ("seats", "talk", "asked"), 1.0
"""Events of which a stream gets one a second of each kind: others could make a page load its parts without end."""
EARLY = 0.01
"""Seconds by which a timer of the event loop may be early."""
REMEMBERED = 2_000
"""The number of players at matches whose last signal is remembered."""
LOOK_AGAIN = msgspec.json.encode(Note(SEATS, None))
"""The event sent when some may have been missed."""
MATCH = "match-"
"""The prefix of the matches' channels; others serve other purposes."""


def channel(match_id: str) -> str:
    """Return the name of a match's channel."""
    return f"{MATCH}{match_id}"


class EventBroadcaster:
    """Publishes the store's events after a commit, from any thread, in the server's event loop."""

    def __init__(self, plugin: ChannelsPlugin) -> None:
        self.plugin = plugin
        self.listeners: list[Moved] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._streams: dict[Subscriber, tuple[str, str | None]] = {}
        self._players: dict[Subscriber, str] = {}
        self._beating: asyncio.Task[None] | None = None
        self._closing = False
        self._typed = OrderedDict[tuple[str, str], float]()
        self._lock = Lock()

    async def start(self) -> None:
        """Remember the event loop of the channels."""
        self._loop = asyncio.get_running_loop()
        self._beating = asyncio.create_task(self._beat())

    async def stop(self) -> None:
        """Stop publishing."""
        self._loop = None
        self._close()
        if self._beating is not None:
            self._beating.cancel()

    def close_streams(self) -> None:
        """Close all streams so that the server can stop; callable from any thread."""
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        self._closing = True
        for stream in self._streams:
            stream.put_nowait(None)

    @property
    def listening(self) -> int:
        """Return the number of open streams."""
        return len(self._streams)

    def is_watched(self, match_id: str) -> bool:
        """Return whether a stream of a match is open in this process; callable from any thread."""
        return any(match == match_id for match, _ in list(self._streams.values()))

    def part(self, match_id: str, seat: str | None = None) -> None:
        """Close the streams of a match, or of one seat, in this process, so that its pages reload; from any thread.

        Clients that may still watch reconnect; others see why not.
        """
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(self._part, match_id, seat)

    def _part(self, match_id: str, seat: str | None) -> None:
        for stream, (match, viewer) in list(self._streams.items()):
            if match == match_id and seat in (None, viewer):
                stream.put_nowait(LOOK_AGAIN)
                stream.put_nowait(None)

    def check_streams(self, player_id: str) -> None:
        """Close the streams of a player in this process whose session has ended; callable from any thread."""
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(self._check, player_id)

    def _check(self, player_id: str) -> None:
        for stream, player in self._players.items():
            if player == player_id:
                stream.put_nowait(CHECK)

    async def _beat(self) -> None:
        """Send heartbeats, so that no proxy closes an idle stream, and no page shows for long what it has missed."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for stream in self._streams:
                if not stream.qsize:
                    stream.put_nowait(BEAT)

    def __call__(self, match_id: str, what: str, revisions: Mapping[str, int]) -> None:
        """Publish an event of a match to all processes, for the viewers that may notice it."""
        loop = self._loop
        if loop is not None:
            note = msgspec.json.encode(Note(what, revisions))
            loop.call_soon_threadsafe(self.plugin.publish, note, [channel(match_id)])
        for listener in self.listeners:
            listener(match_id, what, revisions)

    def announce_presence(self, match_id: str) -> None:
        """Let the pages of a match show again who has it open, in all processes; call it in the server's event loop."""
        self.plugin.publish(msgspec.json.encode(Note(PRESENCE, None)), [channel(match_id)])

    def may_type(self, match_id: str, player_id: str) -> bool:
        """Return whether a player may send a signal of typing, which then counts as sent; callable from any thread."""
        at, now = (match_id, player_id), monotonic()
        with self._lock:
            if now < self._typed.get(at, -TYPING_AGAIN) + TYPING_AGAIN:
                return False
            self._typed[at] = now
            self._typed.move_to_end(at)
            if len(self._typed) > REMEMBERED:
                self._typed.popitem(last=False)
        return True

    def announce_typing(self, match_id: str, place: int, readers: Iterable[str]) -> None:
        """Let these viewers of a match know, in all processes, who is typing; callable from any thread."""
        loop = self._loop
        if loop is not None:
            note = msgspec.json.encode(Note(TYPING, dict.fromkeys(readers, place)))
            loop.call_soon_threadsafe(self.plugin.publish, note, [channel(match_id)])

    async def stream(
        self,
        match_id: str,
        revision: int,
        seat: str | None,
        presence: Callable[[bool], Awaitable[str]] | None = None,
        *,
        player_id: str = "",
        may_watch: Callable[[], bool] = lambda: True,
    ) -> AsyncGenerator[bytes, None]:
        """Yield the events of a match that this seat (None: a spectator) may notice, as server-sent events.

        The first is `here` with the revision; the others have their own names. With `presence` it also says when
        players come and go. As a page may miss that, the hash of who is there, which `presence` returns, comes at the
        start (then it is called with True) and with each heartbeat.

        The stream ends once `may_watch` returns False, which is asked at each heartbeat, each change of the seats, and
        `check_streams` of the `player_id`.
        """
        async with self.plugin.start_subscription(channel(match_id)) as subscriber:
            self._streams[subscriber] = match_id, seat
            if player_id:
                self._players[subscriber] = player_id
            spaced = _Spaced(subscriber)
            try:
                yield event("here", revision)
                if self._closing:
                    return
                if presence is not None:
                    yield event(PRESENCE, await presence(True))
                async for content in subscriber.iter_events():
                    for late in spaced.due():
                        yield late
                    note = Note(SEATS, {}) if content in (BEAT, CHECK, WAKE) else _note(content)
                    if note.what == SEATS and not await _still(may_watch):
                        yield event(SEATS, 0)
                        return
                    if content == BEAT:
                        yield event(PRESENCE, await presence(False)) if presence is not None else b": still here\n\n"
                    else:
                        reached = _revision(note, seat or SPECTATOR, revision, is_page=presence is not None)
                        if reached is not None and (content == LOOK_AGAIN or spaced.may_send(note.what, reached)):
                            yield event(note.what, reached)
            finally:
                self._streams.pop(subscriber, None)
                self._players.pop(subscriber, None)


def _revision(note: Note, viewer: str, shown: int, *, is_page: bool) -> int | None:
    """Return the revision to announce to a viewer; None: no event, or one that its page shows or has no use for."""
    reached = note.revision_for(viewer)
    is_late = note.what == "moved" and reached is not None and reached <= shown
    return None if is_late or (note.what in (TYPING, PRESENCE) and not is_page) else reached


class _Spaced:
    """Keeps a stream's events of one kind apart: those that come too soon are sent later, as one.

    Each stream has its own, so that no event that a viewer may not notice delays another.
    """

    def __init__(self, stream: Subscriber) -> None:
        self._stream = stream
        self._sent: dict[str, float] = {}
        self._waiting: dict[str, int] = {}

    def may_send(self, what: str, revision: int) -> bool:
        """Return whether an event may be sent now; if not, it waits."""
        left = self._sent.get(what, -AGAIN) + AGAIN - monotonic()
        if what not in SPACED or left <= 0:
            self._sent[what] = monotonic()
            return True
        if what not in self._waiting:
            asyncio.get_running_loop().call_later(left + EARLY, self._stream.put_nowait, WAKE)
        self._waiting[what] = revision
        return False

    def due(self) -> list[bytes]:
        """Return the waiting events whose time has come."""
        late = [what for what in self._waiting if self._sent[what] + AGAIN <= monotonic()]
        self._sent |= dict.fromkeys(late, monotonic())
        return [event(what, self._waiting.pop(what)) for what in late]


async def _still(may_watch: Callable[[], bool]) -> bool:
    """Return whether a reader may still watch; yes while the database is away."""
    try:
        return await sync_to_thread(may_watch)
    except WriteFailed:
        return True


def shared(database: str | None) -> bool:
    """Return whether several processes may share this database."""
    return bool(database) and make_url(str(database)).get_backend_name() == "postgresql"


def channels(database: str | None) -> ChannelsPlugin:
    """Return the channels: in memory, or through PostgreSQL where several processes share it."""
    backend: ChannelsBackend = MemoryChannelsBackend()
    if database and shared(database):
        from readyroom.web.live.postgres import PostgresChannels

        backend = PostgresChannels(make_url(database).set(drivername="postgresql").render_as_string(False))
    return ChannelsPlugin(
        backend, arbitrary_channels_allowed=True, subscriber_max_backlog=64, subscriber_backlog_strategy="dropleft"
    )


# -- events ----------------------------------------------------------------------------------------------------------


def event(name: str, data: object) -> bytes:
    """Format a server-sent event."""
    return f"event: {name}\ndata: {data}\n\n".encode()
