"""Follow the audit log and close here what another process deleted or banned."""

from __future__ import annotations

import asyncio
import logging

from litestar.concurrency import sync_to_thread

from readyroom.store import Store
from readyroom.store.admin.audit_log import AuditEntry
from readyroom.store.errors import WriteFailed
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.live.open_pages import OpenPages

LOGGER = logging.getLogger("readyroom.web")
HARMLESS = ("announce", "keep")
"""Acts that change nothing in a match."""
PAUSE = 1.0
"""Seconds between two reads of the audit log."""


class AdminSync:
    """Applies in each serving process what an administrator did in another."""

    def __init__(
        self, store: Store, broadcaster: EventBroadcaster, open_pages: OpenPages, pause: float = PAUSE
    ) -> None:
        self.store, self.broadcaster, self.open_pages, self.pause = store, broadcaster, open_pages, pause
        self._seen, self._away = 0, False
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start after the last entry: earlier ones do not concern this process."""
        self._seen = await sync_to_thread(self.store.admin.last_audit_id)
        self._task = asyncio.create_task(self._read_on())

    async def stop(self) -> None:
        """Stop reading."""
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
        """Return the new entries; none while the database is unavailable, which is logged once."""
        try:
            news = await sync_to_thread(self.store.admin.audit_log, self._seen)
        except WriteFailed as trouble:
            if not self._away:
                LOGGER.warning("cannot read the audit log: %s", trouble)
            self._away = True
            return []
        self._away = False
        return news

    def release(self, done: AuditEntry) -> None:
        """Apply an audit-log entry in this process and log it."""
        if done.act in HARMLESS:
            return
        for match in self.open_pages.watched_by(done.player) if done.player else filter(None, [done.match]):
            self.store.admin.evict_live(match)
            self.broadcaster.part(match)
        LOGGER.info("applied admin actions: %s", describe_entry(done))


def describe_entry(done: AuditEntry) -> str:
    """Describe an audit-log entry in a few words."""
    player = [f"{name} {value}" for name, value in zip(("match", "seat", "player"), done[3:6], strict=True) if value]
    return " ".join([done.act, *player]) + (f" ({done.why})" if done.why else "")
