"""What is done in a process that serves about the lines of the journal."""

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
from readyroom.store.errors import CannotKeep
from readyroom.store.housekeeping import Done
from readyroom.web.herald import Herald
from readyroom.web.keeper import Keeper
from readyroom.web.watchers import Watchers


def test_a_journal_that_cannot_be_read_for_a_while_is_read_on_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked, ready = 0, asyncio.Event()

    async def kept(store: Store, match: str) -> list[Done]:
        heard = list[Done]()
        herald = Herald(ChannelsPlugin(MemoryChannelsBackend(), arbitrary_channels_allowed=True))
        keeper = Keeper(store, herald, Watchers(), pause=0.0)

        def let_go(done: Done) -> None:
            heard.append(done)
            ready.set()

        monkeypatch.setattr(keeper, "let_go", let_go)
        await keeper.start()
        store.remove(match)
        await asyncio.wait_for(ready.wait(), 10)
        await keeper.stop()
        return heard

    with closing(Store(f"sqlite:///{tmp_path}/house.sqlite")) as store:
        reads = store.journal

        def fails_at_first(since: int = 0) -> list[Done]:
            nonlocal asked
            asked += 1
            if asked < 4:
                raise CannotKeep("gone")
            return reads(since)

        store.forget(enrolled(store, "Gone long ago").id)
        match = store.open_match(enrolled(store), "midway", None, {}, {"japan": ME, "usa": ME}).id
        monkeypatch.setattr(store, "journal", fails_at_first)
        with caplog.at_level(logging.WARNING):
            heard = asyncio.run(kept(store, match))
    assert [(done.act, done.match) for done in heard] == [("delete", match)]
    assert len([record for record in caplog.records if "journal" in record.getMessage()]) == 1
