"""Tests of reading the audit log in a server process."""

from __future__ import annotations

import asyncio
import logging
from contextlib import closing
from pathlib import Path

import pytest
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from tests.store.playing import ME, enrolled

from readyroom.store import Store
from readyroom.store.admin.audit_log import AuditEntry
from readyroom.store.errors import WriteFailed
from readyroom.web.live.admin_sync import AdminSync
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.live.open_pages import OpenPages


def test_unreadable_audit_log_is_read_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked, ready = 0, asyncio.Event()

    async def kept(store: Store, match: str) -> list[AuditEntry]:
        events = list[AuditEntry]()
        herald = EventBroadcaster(ChannelsPlugin(MemoryChannelsBackend(), arbitrary_channels_allowed=True))
        keeper = AdminSync(store, herald, OpenPages(), pause=0.0)

        def let_go(done: AuditEntry) -> None:
            events.append(done)
            ready.set()

        monkeypatch.setattr(keeper, "release", let_go)
        await keeper.start()
        store.admin.remove(match)
        await asyncio.wait_for(ready.wait(), 10)
        await keeper.stop()
        return events

    with closing(Store(f"sqlite:///{tmp_path}/house.sqlite")) as store:
        reads = store.admin.audit_log

        def fails_at_first(since: int = 0) -> list[AuditEntry]:
            nonlocal asked
            asked += 1
            if asked < 4:
                raise WriteFailed("gone")
            return reads(since)

        store.admin.delete_player(enrolled(store, "Gone long ago").id)
        match = store.lobby.create(enrolled(store), "midway", None, {}, {"japan": ME, "usa": ME}).id
        monkeypatch.setattr(store.admin, "audit_log", fails_at_first)
        with caplog.at_level(logging.WARNING):
            events = asyncio.run(kept(store, match))
    assert [(done.act, done.match) for done in events] == [("delete", match)]
    assert len([record for record in caplog.records if "audit log" in record.getMessage()]) == 1
