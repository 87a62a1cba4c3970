"""Campaigns at any chapter, with any ledger and any facts."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from readyroom.campaign.format import ChapterEnd
from readyroom.campaign.library import campaign_text
from readyroom.campaign.playing import play_war
from readyroom.campaign.war import Played, Setup, War, start_war

BOTS = {"japan": "doctrine", "usa": "doctrine"}


def war_at(name: str, chapter: str, variants: tuple[str, ...] = (), **ledger: Any) -> War:
    """Return a campaign before a chapter: as in history up to then, with these ledger quantities.

    A name such as `ship__hornet` is for `ship.hornet`.
    """
    before = _history(name, chapter, variants)
    war = deepcopy(before, {id(before.campaign): before.campaign})
    war.ledger |= {key.replace("__", "."): value for key, value in ledger.items()}
    return war


@cache
def _history(name: str, chapter: str, variants: tuple[str, ...]) -> War:
    """Return a campaign before a chapter, as in history up to then; each is played once a session."""
    text, files = campaign_text(name)
    war = start_war(text, files, variants, "test")
    while war.next_chapter is not None and war.next_chapter.key != chapter:
        war.skip()
    return war


def set_up(name: str, chapter: str, variants: tuple[str, ...] = (), **ledger: Any) -> Setup:
    """Return what a chapter is played with when the ledger has these quantities."""
    setup = war_at(name, chapter, variants, **ledger).begin()
    assert setup is not None
    return setup


def finish(war: War, **facts: Any) -> Played:
    """End the next chapter with these facts; a name such as `yard_hits` is for `yard hits`."""
    chapter = war.next_chapter
    assert chapter is not None
    assert war.begin() is not None
    given = {key.replace("__", "-").replace("_", " "): value for key, value in facts.items()}
    line = ChapterEnd(finished=chapter.key, how="played", record="", facts=given, losses=[], ledger={})
    return war.restore_finish(line)


@cache
def short_war() -> str:
    """Return the record of a short war between bots."""
    text, files = campaign_text("three-battles")
    war = start_war(text, files, (), "golden")
    play_war(war, BOTS)
    return war.record()


@pytest.fixture
def record() -> str:
    """Return the record of a short war between bots."""
    return short_war()
