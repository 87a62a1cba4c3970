"""Follows the audit log, and drops from memory what was deleted or banned by another process."""

from __future__ import annotations

import asyncio
import logging

from litestar.concurrency import sync_to_thread

from readyroom.store import Store
from readyroom.store.administration import AuditEntry
from readyroom.store.errors import WriteFailed
from readyroom.web.broadcast import EventBroadcaster
from readyroom.web.open_pages import OpenPages

LOGGER = logging.getLogger("readyroom.web")
PAUSE = 1.0
"""Seconds between two reads of the audit log."""


class AdminSync:
    """Applies admin actions of other processes to the matches and streams of this one.

    Args:
        store: whose audit log is read.
        herald: whose streams are ended.
        watchers: who has which match open.
        pause: seconds between two looks.
    """

    def __init__(self, store: Store, herald: EventBroadcaster, watchers: OpenPages, pause: float = PAUSE) -> None:
        self.store, self.herald, self.watchers, self.pause = store, herald, watchers, pause
        self._seen, self._away = 0, False
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start after the last entry: nothing of it is in memory here."""
        self._seen = await sync_to_thread(self.store.last_audit_id)
        self._task = asyncio.create_task(self._read_on())

    async def stop(self) -> None:
        """Read no further."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _read_on(self) -> None:
        while True:
            await asyncio.sleep(self.pause)
            for done in await self._news():
                self.release(done)
                self._seen = done.id

    async def _news(self) -> list[AuditEntry]:
        """Return new entries; none while the database is unavailable, which is logged once."""
        try:
            news = await sync_to_thread(self.store.audit_log, self._seen)
        except WriteFailed as trouble:
            if not self._away:
                LOGGER.warning("cannot read the audit log: %s", trouble)
            self._away = True
            return []
        self._away = False
        return news

    def release(self, done: AuditEntry) -> None:
        """Apply an entry of the audit log here, and log it."""
        concerned = self.watchers.watched_by(done.player) if done.player else {done.match} if done.match else set()
        for match in concerned:
            self.store.evict_live(match)
            self.herald.part(match)
        LOGGER.info("applied admin actions: %s", describe_entry(done))


def describe_entry(done: AuditEntry) -> str:
    """Describe an entry of the audit log in a few words."""
    player = [f"{name} {value}" for name, value in zip(("match", "seat", "player"), done[3:6], strict=True) if value]
    return " ".join([done.act, *player]) + (f" ({done.why})" if done.why else "")
