"""Tests that a process killed during play loses no acknowledged answer."""

from __future__ import annotations

import time
from contextlib import closing
from random import Random

import pytest
from tests.children import Child
from tests.store.player import main
from tests.store.playing import check_whole, play

from readyroom.store import Store

MANY = {"sqlite": 500, "postgres": 100}
"""Kills in `make torture`."""


@pytest.mark.parametrize("often", [False, pytest.param(True, marks=pytest.mark.torture(90))])
def test_acknowledged_answers_survive_kill(empty_url: str, often: bool) -> None:
    times = MANY["sqlite" if empty_url.startswith("sqlite") else "postgres"] if often else 2
    random = Random(times)
    for n in range(times):
        acknowledged = kill_in_the_middle(empty_url, str(n), random.uniform(0.02, 0.15 if often else 0.3))
        with closing(Store(empty_url)) as store:
            for match_id, revision in acknowledged.items():
                with store.matches.open(match_id):  # which checks its seals
                    summary = store.listings.summary(match_id)
                assert summary.true_revision >= revision
                if often and n % 10:
                    continue
                check_whole(store, match_id)
                if summary.outcome is None:
                    assert play(store, match_id, random, 3) > summary.true_revision
                    check_whole(store, match_id)
    with closing(Store(empty_url)) as store:
        assert store.integrity.check().is_whole


def kill_in_the_middle(url: str, seed: str, seconds: float) -> dict[str, int]:
    """Start a playing process and kill it after this time; return the last printed revisions by match."""
    player = Child(main, url, seed)
    with player.stdout:
        events = [player.stdout.readline() for _ in range(4)]
        time.sleep(seconds)
        player.kill()
        lines = [*events, *player.stdout]
    player.wait(60)
    items = [line.split() for line in lines if line.endswith("\n")]
    assert len(items) > 3, "it was killed before it played"
    return {match_id: int(revision) for match_id, revision in items}
