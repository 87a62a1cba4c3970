"""Reads the journal of the server on, and lets go here of what was deleted or banned in another process."""

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
"""Seconds between two looks into the journal."""


class AdminSync:
    """Sees in each process that serves that what anyone who keeps the server has done is done there, too.

    Args:
        store: whose journal is read.
        herald: whose streams are ended.
        watchers: who has which match open.
        pause: seconds between two looks.
    """

    def __init__(self, store: Store, herald: EventBroadcaster, watchers: OpenPages, pause: float = PAUSE) -> None:
        self.store, self.herald, self.watchers, self.pause = store, herald, watchers, pause
        self._seen, self._away = 0, False
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin after what is in the journal already: nothing of it is held here."""
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
        """What was done since; nothing while the database is away, of which the log is told once."""
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
        """Do here what a line of the journal says, and say so in the log."""
        concerned = self.watchers.watched_by(done.player) if done.player else {done.match} if done.match else set()
        for match in concerned:
            self.store.evict_live(match)
            self.herald.part(match)
        LOGGER.info("applied admin actions: %s", describe_entry(done))


def describe_entry(done: AuditEntry) -> str:
    """A line of the journal in a few words."""
    player = [f"{name} {value}" for name, value in zip(("match", "seat", "player"), done[3:6], strict=True) if value]
    return " ".join([done.act, *player]) + (f" ({done.why})" if done.why else "")
