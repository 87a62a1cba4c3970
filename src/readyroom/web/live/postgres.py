"""Events between processes over one PostgreSQL database; loaded only where several serve together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from typing import Any

import psycopg
from litestar.channels.backends.base import ChannelsBackend

from readyroom.web.live.broadcast import LOGGER, LOOK_AGAIN, MATCH

POSTGRES_CHANNEL = "readyroom"
"""The database channel of all processes; a note names its own channel."""
PATIENCE = 1.0
"""Seconds before a lost database connection is retried."""


class PostgresChannels(ChannelsBackend):
    """Channels through PostgreSQL's LISTEN and NOTIFY.

    One connection listens on one channel of the database for all matches, and one publishes; lost connections are
    reopened, and subscribers are then notified that they may have missed events.
    """

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._wanted: set[str] = set()
        self._publisher: psycopg.AsyncConnection[Any] | None = None

    async def on_startup(self) -> None:
        """Do nothing: connections are opened when needed."""

    async def on_shutdown(self) -> None:
        """Close the publishing connection; the listening one closes with its task."""
        if self._publisher is not None:
            await self._publisher.close()

    async def subscribe(self, channels: Iterable[str]) -> None:
        """Forward events of these channels."""
        self._wanted.update(channels)

    async def unsubscribe(self, channels: Iterable[str]) -> None:
        """Stop forwarding events of these channels."""
        self._wanted.difference_update(channels)

    async def get_history(self, channel: str, limit: int | None = None) -> list[bytes]:
        """Return nothing: there is no history."""
        return []

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        """Publish to all processes; if the database is unavailable, this is only logged."""
        notes = [f"{name} {data.decode()}" for name in channels]
        for _ in range(2):
            try:
                await self._notify(notes)
            except psycopg.Error as error:
                LOGGER.warning("cannot publish a notification: %s", error)
                self._publisher = None
            else:
                return

    async def _notify(self, notes: list[str]) -> None:
        if self._publisher is None:
            self._publisher = await psycopg.AsyncConnection.connect(self._dsn, autocommit=True)
        for note in notes:
            await self._publisher.execute("SELECT pg_notify(%s, %s)", (POSTGRES_CHANNEL, note))

    async def stream_events(self) -> AsyncGenerator[tuple[str, bytes], None]:
        """Yield the events of the subscribed channels."""
        missed = False
        while True:
            try:
                async for name, data in self._listen():
                    if name in self._wanted:
                        yield name, data
                    elif missed and not name:
                        for wanted in [name for name in self._wanted if name.startswith(MATCH)]:
                            yield wanted, LOOK_AGAIN
            except psycopg.Error as error:
                LOGGER.warning("lost the database's notifications: %s", error)
                missed = True
                await asyncio.sleep(PATIENCE)

    async def _listen(self) -> AsyncGenerator[tuple[str, bytes], None]:
        async with await psycopg.AsyncConnection.connect(self._dsn, autocommit=True) as connection:
            await connection.execute(f"LISTEN {POSTGRES_CHANNEL}")
            yield "", b""
            async for notify in connection.notifies():
                name, _, data = notify.payload.partition(" ")
                yield name, data.encode()
