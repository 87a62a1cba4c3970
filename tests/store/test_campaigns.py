"""Campaigns in a store: who plays, chapters that follow by themselves, sealed orders, offers, and records."""

from __future__ import annotations

import re
from functools import partial
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest
from tests.store.playing import enrolled, run_bots

from readyroom.bots import make_bot
from readyroom.campaign.library import campaign_text
from readyroom.campaign.record import verify_war
from readyroom.campaign.war import shipped_war, start_war
from readyroom.engine.errors import InvalidRecord, ReadyRoomError
from readyroom.store import Player, SeatAssignment, Store
from readyroom.store.base import bounded
from readyroom.store.campaigns import prepare_war
from readyroom.store.errors import (
    CampaignRefused,
    ImportRejected,
    InvalidText,
    LinkAlreadyUsed,
    NotYourSeat,
    OrderSealed,
    UnknownCampaignId,
    UnknownMatchId,
)
from readyroom.store.lobby.lobby import Lobby

ME, FRIEND, BOT = SeatAssignment("me"), SeatAssignment("friend"), SeatAssignment("bot", "doctrine")
QUICK = ("half-an-hour",)
LAST = ("no-raid", "seven")


def play_chapter(store: Store, campaign: str, answers: int = 10_000) -> str:
    """Answer for the people in the match in progress as doctrine bots would; return the match."""
    match_id = store.campaigns.summary(campaign).current
    for _ in range(answers):
        while run_bots(store, match_id):
            pass
        with store.matches.open(match_id) as match:
            if match.outcome is not None:
                break
            seat, decision = next(iter(match.pending.items()))
            name = "doctrine" if "doctrine" in match.game.analysis.bots else "random"
            bot, view = make_bot(match.game, name, seat, Random(match.revision)), match.view(seat)
            keys = bot(decision, partial(lambda view: view, view))
        store.matches.answer(match_id, seat, list(keys), None)
    return match_id


def open_store(path: Path) -> Store:
    return Store(f"sqlite:///{path / 'campaigns.sqlite'}")


@pytest.fixture
def two(tmp_path: Path) -> tuple[Store, str, Player, Player]:
    """Return a short war of two people that has begun."""
    store = open_store(tmp_path)
    host, friend = enrolled(store), enrolled(store, "Nagumo")
    opened = store.campaigns.create(host, shipped_war("three-battles", QUICK), {"usa": ME, "japan": FRIEND})
    assert not store.campaigns.summary(opened.id).started
    store.campaigns.join(opened.links["japan"], friend.id)
    with pytest.raises(LinkAlreadyUsed):
        store.campaigns.join(opened.links["japan"], enrolled(store, "Halsey").id)
    with pytest.raises(LinkAlreadyUsed):
        store.campaigns.by_token(opened.links["japan"])
    return store, opened.id, host, friend


def test_refused_campaign_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(tmp_path)
    host, (text, _) = enrolled(store), campaign_text("three-battles")
    own = (files("readyroom.games.midway") / "data" / "scenarios" / "midway.toml").read_text(encoding="utf-8")
    text = text.replace('scenario = "midway"', 'scenario = "own.toml"', 1)
    untitled = {"own.toml": re.sub('title = ".*"', 'title = ""', own, count=1)}
    with pytest.raises(InvalidText, match="The title of the scenario is empty"):
        store.campaigns.create(host, start_war(text, untitled), {"usa": ME, "japan": FRIEND}, listed=True)
    monkeypatch.setattr(Lobby, "create", lambda *args, **more: bounded("too long", 1, "The scenario"))
    with pytest.raises(InvalidText, match="maximum is 1"):
        store.campaigns.create(host, shipped_war("three-battles"), {"usa": ME, "japan": ME}, listed=True)
    assert store.campaigns.public() == store.campaigns.of_player(host.id) == []


def test_campaigns_of_one_kind_have_matches_of_their_own(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    sides = {"usa": ME, "japan": BOT}
    first, second = (
        store.campaigns.create(enrolled(store), shipped_war("three-battles", QUICK), sides).id for _ in range(2)
    )
    current = [store.campaigns.summary(one).current for one in (first, second)]
    assert [store.listings.summary(one).campaign for one in current] == [first, second]


def test_campaign_is_unlisted_without_players_and_deleted_with_its_matches(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    host = enrolled(store)
    opened = store.campaigns.create(host, shipped_war("three-battles", QUICK), {"usa": ME, "japan": BOT}, listed=True)
    match = store.campaigns.summary(opened.id).current
    assert [one.id for one in store.campaigns.public()] == [opened.id]
    store.admin.delete_player(host.id)
    assert store.campaigns.public() == []
    store.admin.remove(opened.id, "spam")
    with pytest.raises(UnknownCampaignId):
        store.campaigns.summary(opened.id)
    with pytest.raises(UnknownMatchId):
        store.listings.summary(match)
    assert [entry.match for entry in store.admin.audit_log()][-2:] == [match, opened.id]


def test_war_of_two_people_goes_on_by_itself_after_restart_and_verifies(
    two: tuple[Store, str, Player, Player], tmp_path: Path
) -> None:
    store, war, host, friend = two
    first = play_chapter(store, war)
    store.close()
    store = open_store(tmp_path)  # the server was stopped between two chapters
    second = play_chapter(store, war, answers=3)
    summary = store.listings.summary(second)
    assert first != second
    assert (summary.campaign, summary.chapter) == (war, "midway")
    assert [summary.seats_of(one.id) for one in (friend, host)] == [["japan"], ["usa"]]
    play_chapter(store, war)
    text = store.campaigns.text(war)
    assert prepare_war(text).ended is False  # between two chapters
    assert not store.campaigns.has_finished(host.id)
    while not store.campaigns.summary(war).over:
        if any(store.campaigns.undecided(store.campaigns.summary(war), store.campaigns.war(war))):
            behind = store.campaigns.war(war).behind()
            player = next(one for one in (host, friend) if behind in store.campaigns.summary(war).sides_of(one.id))
            store.campaigns.answer_risk(war, player.id, call=True)
        play_chapter(store, war)
    text = store.campaigns.text(war)
    proved = verify_war(text)
    assert proved.closed is not None
    assert proved.lines == store.campaigns.war(war).lines
    (tmp_path / "other").mkdir()
    other = open_store(tmp_path / "other")
    importer = enrolled(other)
    imported = other.campaigns.write_import(prepare_war(text), importer)
    assert [store.campaigns.has_finished(one.id) for one in (host, friend)] == [True, True]
    assert not other.campaigns.has_finished(importer.id), "it was played elsewhere"
    assert other.campaigns.text(imported) == text
    assert [one.outcome is not None for one in other.campaigns.matches(imported).values()] == [True] * 3
    place = text.index('"chose":["') + 10
    with pytest.raises(InvalidRecord, match="chapter"):
        prepare_war(f"{text[:place]}x{text[place + 1 :]}")


def test_sealed_order_waits_and_stays_secret_until_chapter_is_over(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    host, friend = enrolled(store), enrolled(store, "Ugaki")
    opened = store.campaigns.create(host, shipped_war("long-war", ()), {"usa": ME, "japan": FRIEND})
    store.campaigns.join(opened.links["japan"], friend.id)
    war = opened.id
    skipped = store.campaigns.summary(war).current
    while store.campaigns.war(war).setup is not None:  # history, up to the first order
        store.campaigns.offer(war, "skip", "usa", host.id)
        store.campaigns.answer_offer(war, friend.id, accept=True)
        if store.campaigns.undecided(store.campaigns.summary(war), store.campaigns.war(war))[1]:
            player = host if store.campaigns.war(war).behind() == "usa" else friend
            store.campaigns.answer_risk(war, player.id, call=False)
    assert store.campaigns.war(war).next_chapter is not None
    with pytest.raises(UnknownMatchId):
        store.listings.summary(skipped)
    with pytest.raises(NotYourSeat):
        store.campaigns.give_order(war, "noon", host.id)
    store.campaigns.give_order(war, "noon", friend.id)
    with pytest.raises(CampaignRefused):
        store.campaigns.give_order(war, "first-morning", friend.id)
    assert (store.campaigns.order(war, friend.id), store.campaigns.order(war, host.id)) == ("noon", "")
    store.close()
    store = open_store(tmp_path)
    current = store.campaigns.summary(war).current
    assert store.listings.summary(current).has_order
    with pytest.raises(OrderSealed):
        store.seats.assign_bot(current, store.listings.summary(current).seats_of(host.id)[0], "best", host.id)
    header = store.records.text(current).splitlines()[0]
    assert '"sealed":"' in header
    assert '"own":null' in header
    assert "noon" not in store.campaigns.war(war).lines[-1]
    source = store.records.source(current)  # replays of the match in progress
    assert source.parsed.sealed is not None
    with pytest.raises(ImportRejected):
        prepare_war("\n".join([*store.campaigns.war(war).lines, ""]))
    play_chapter(store, war)
    assert '"order":"noon"' in store.campaigns.text(war)
    assert verify_war(store.campaigns.text(war)).played[-1].order is not None


def test_seed_of_imported_war_does_not_open_its_sealed_order(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    host, friend = enrolled(store), enrolled(store, "Ugaki")
    header = shipped_war("long-war", ()).header
    war = start_war(header.text, header.files, (), seed="known", file="long-war")
    while war.next_chapter is not None and not war.next_chapter.order:
        war.skip()
    imported = store.campaigns.write_import(prepare_war("\n".join([*war.lines, ""])), host)
    store.campaigns.join(store.campaigns.new_link(imported, "japan", host.id), friend.id)
    store.campaigns.give_order(imported, "noon", friend.id)
    known = war.begin("noon")
    sealed = store.records.source(store.campaigns.summary(imported).current).parsed.sealed
    assert known is not None
    assert known.sealed is not None
    assert sealed is not None
    assert sealed.salt != known.sealed.salt


def test_bots_accept_offers_unless_they_would_lose_by_them(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    host = enrolled(store)
    war = store.campaigns.create(host, shipped_war("three-battles", ("no-raid",)), {"usa": ME, "japan": BOT}).id
    match = store.campaigns.summary(war).current
    store.campaigns.offer(war, "bots", "usa", host.id)
    while run_bots(store, match):
        pass
    assert '"bots_from":' in store.campaigns.text(war)
    tide = store.campaigns.war(war).tide
    if tide < 0:
        with pytest.raises(CampaignRefused):
            store.campaigns.offer(war, "end", "usa", host.id)
        store.campaigns.leave(war, "usa", host.id)
        assert store.campaigns.war(war).closed.winner == "japan"  # type: ignore[union-attr]
    else:
        store.campaigns.offer(war, "end", "usa", host.id)
    assert store.campaigns.summary(war).over
    with pytest.raises(ReadyRoomError):
        store.campaigns.leave(war, "usa", host.id)
