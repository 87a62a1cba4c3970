"""The queue of the bots' turns: order, retries and repairs, with a pool that runs a job when the test says so."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import pytest
from sqlalchemy import update
from tests.store.playing import ME, Thinker, check_whole, do_not_begin, enrolled
from tests.toys.straits import GAME as STRAITS
from tests.toys.tiny import T as TinyTable
from tests.toys.tiny import ask, both, tiny
from tests.web.server import PATIENCE, Browser, Site

from readyroom.engine.game import Game, load_game
from readyroom.engine.rules.table import Steps
from readyroom.store import SeatAssignment, Store, base
from readyroom.store.lobby import lobby
from readyroom.store.lobby.starting import Starter
from readyroom.store.tables import matches
from readyroom.web.jobs import bot_turns
from readyroom.web.jobs.bot_turns import BotTurns
from readyroom.web.jobs.workers import BOTS, Busy, JobFailed, WorkerPool

THINKER = SeatAssignment("bot", "thinker")


class FakeJob:
    """A job that runs when the test says so."""

    def __init__(self, client: str, call: Callable[..., Any], turn: Any, game: Game[Any, Any]) -> None:
        self.client, self.call, self.turn, self.game = client, call, turn, game
        self.callbacks: list[Callable[[FakeJob], object]] = []
        self.error: Exception | None = None

    def add_done_callback(self, call: Callable[[FakeJob], object]) -> None:
        self.callbacks.append(call)

    def end(self, error: Exception | None = None) -> None:
        self.error = error
        for call in self.callbacks:
            call(self)

    def result(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.call(self.turn, 1.0, game=self.game)


class FakePool:
    """A pool of three workers that never works by itself."""

    workers = 3

    def __init__(self, store: Store) -> None:
        self.store, self.busy = store, False
        self.jobs: list[FakeJob] = []

    def submit(self, client: str, kind: Any, call: Callable[..., Any], turn: Any) -> FakeJob:
        assert kind is BOTS
        if self.busy:
            raise Busy("The server is busy.", 5)
        self.jobs.append(FakeJob(client, call, turn, self.store.games(turn.game)))
        return self.jobs[-1]


class Table:
    """A store with toy games, its bot turns, a pool and a clock."""

    def __init__(self, store: Store) -> None:
        self.store, self.pool, self.watched, self.now = store, FakePool(store), set[str](), 1000.0
        self.turns = self.restarted()

    def restarted(self) -> BotTurns:
        """Return new bot turns, as after a restart."""
        turns = BotTurns(self.store, cast(WorkerPool, self.pool), lambda match_id: match_id in self.watched)
        self.store.on_bots_due(turns.request)
        return turns

    def opened(self, client: str = "", *, only_bots: bool = False) -> str:
        """Return a match in which a bot is to answer, and then perhaps Blue."""
        seats = {"red": THINKER, "blue": THINKER if only_bots else ME}
        return self.store.lobby.create(enrolled(self.store), "tiny", None, {}, seats, client=client).id

    def played(self, error: Exception | None = None) -> list[str]:
        """End all jobs that run, and return their matches."""
        self.turns.work()
        jobs, self.pool.jobs = self.pool.jobs, []
        for job in jobs:
            job.end(error)
        self.turns.work()
        return [job.turn.match for job in jobs]

    def revision(self, match_id: str) -> int:
        return self.store.listings.summary(match_id).true_revision


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    game = tiny(ask("red"), ask("blue"), turns=9)
    toys: dict[str, Game[Any, Any]] = {
        "tiny": replace(game, analysis=replace(game.analysis, bots={"thinker": Thinker})),
        "straits": replace(STRAITS, analysis=replace(STRAITS.analysis, bots={"thinker": Thinker})),
    }
    monkeypatch.setattr(base, "load_game", lambda name: toys.get(name) or load_game(name))
    with closing(Store(f"sqlite:///{tmp_path}/matches.sqlite")) as store:
        table = Table(store)
        monkeypatch.setattr(bot_turns, "monotonic", lambda: table.now)
        table.turns.work()
        yield table


def test_turn_is_played_and_applied(table: Table) -> None:
    match_id = table.opened()
    assert table.revision(match_id) == 0
    assert table.played() == [match_id]
    assert check_whole(table.store, match_id).waiting == ("blue",)
    assert (table.played(), len(table.turns)) == ([], 0)
    table.store.matches.answer(match_id, "blue", "a", None)
    assert table.played() == [match_id]


def test_clients_take_turns(table: Table) -> None:
    many = [table.opened("many") for _ in range(10)]
    assert table.played() == many[:2]
    one = [table.opened("one"), table.opened("one")]
    order = [match_id for _ in range(5) for match_id in table.played()]
    assert order[:5] == [*many[2:4], one[0], many[4], one[1]]
    assert sorted(order) == sorted([*many[2:], *one])


def test_people_come_first_then_watched_matches(table: Table) -> None:
    alone, watched = table.opened("a", only_bots=True), table.opened("b", only_bots=True)
    table.watched.add(watched)
    people = [table.opened("c") for _ in range(3)]
    assert table.played() == people[:2]
    assert table.played()[0] == people[2]
    assert table.store.listings.summary(watched).outcome is not None
    assert table.revision(alone) == 0
    assert table.played() == [alone]


def test_matches_between_bots_leave_room_for_people(table: Table) -> None:
    [table.opened(str(n), only_bots=True) for n in range(3)]
    table.turns.work()
    assert len(table.pool.jobs) == 1
    table.opened("people")
    table.turns.work()
    assert len(table.pool.jobs) == 2


def test_turn_waits_while_the_pool_is_full(table: Table) -> None:
    match_id = table.opened()
    table.pool.busy = True
    assert table.played() == []
    table.pool.busy = False
    assert table.played() == []
    table.now += 5.1
    assert table.played() == [match_id]
    assert check_whole(table.store, match_id).waiting == ("blue",)


def test_failed_turn_is_tried_again_and_then_at_random(table: Table) -> None:
    match_id = table.opened()
    for n in range(bot_turns.FAILURES):
        assert table.played(JobFailed(BOTS, "crashed")) == [match_id]
        assert table.played() == []
        table.now += 2**n + 0.1
    table.turns.work()
    assert table.pool.jobs[0].call.keywords == {"at_random": True}  # type: ignore[attr-defined]
    assert table.played() == [match_id]
    assert check_whole(table.store, match_id).waiting == ("blue",)


def test_change_during_a_turn_requests_another(table: Table) -> None:
    table.store.games("tiny")
    host = enrolled(table.store)
    match_id = table.store.lobby.create(host, "straits", None, {}, {"red": THINKER, "blue": ME}).id
    table.turns.work()
    table.store.seats.assign_bot(match_id, "blue", "thinker", host.id)
    assert table.played() == [match_id]
    assert table.revision(match_id) == 0  # it no longer fits
    assert table.played() == [match_id]
    assert table.store.listings.summary(match_id).outcome is not None


def test_due_turns_are_found_after_a_restart(table: Table) -> None:
    ids = {table.opened() for _ in range(9)}
    table.turns.work()
    table.pool.jobs.clear()  # the process dies
    table.turns = table.restarted()
    table.turns.work()
    assert len(table.pool.jobs) == 2  # the pool is not flooded
    assert {match_id for _ in range(5) for match_id in table.played()} == ids


def grow_old(store: Store) -> None:
    """Make all matches look as if nothing had happened for a while."""
    past = {name: matches.c[name] - 100 for name in ("changed", "announced")}
    with store.database.writing() as connection:
        connection.execute(update(matches).values(past))


def test_turn_that_no_process_plays_is_found_later(table: Table) -> None:
    match_id = table.opened()
    table.turns = table.restarted()
    table.turns.work()
    table.pool.jobs.clear()
    grow_old(table.store)
    table.turns = table.restarted()
    table.turns._search_at = table.now + 30
    table.turns.work()
    assert not table.pool.jobs
    table.turns.repair(table.store.listings.summary(match_id))
    assert table.played() == [match_id]
    table.store.on_bots_due(lambda _: None)  # as when another process applies an answer and dies
    table.store.matches.answer(match_id, "blue", "a", None)
    grow_old(table.store)
    assert table.played() == []
    table.now += 60
    assert table.played() == [match_id]


def test_ready_match_is_started(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(Starter, "begin", do_not_begin)
        ids = [table.opened(), table.opened()]
    assert table.turns.repair(table.store.listings.summary(ids[0])).started
    table.turns = table.restarted()
    table.turns.work()
    assert all(table.store.listings.summary(match_id).started for match_id in ids)


def test_match_whose_rule_fails_is_left_alone(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(rules: TinyTable) -> Steps:
        raise KeyError("planted")

    game = tiny(ask("blue"), both(ask("red"), fails))
    game = replace(game, analysis=replace(game.analysis, bots={"thinker": Thinker}))
    monkeypatch.setattr(base, "load_game", lambda name: game)
    table.store.games._known.clear()
    match_id = table.store.lobby.create(enrolled(table.store), "tiny", None, {}, {"red": THINKER, "blue": ME}).id
    table.store.matches.answer(match_id, "blue", "a", None)
    assert table.played() == [match_id]
    table.turns.request(match_id)
    assert (table.played(), len(table.turns)) == ([], 0)


def test_deleted_match_is_dropped(table: Table) -> None:
    before, during = table.opened(), table.opened()
    table.turns.work()
    first = table.opened()
    for match_id in (during, first):
        table.store.admin.remove(match_id)
    assert table.played() == [before, during]
    table.now += 5
    assert (table.played(), len(table.turns)) == ([], 0)


# -- on a server -------------------------------------------------------------------------------------------------------


@pytest.mark.slow(3)
def test_page_waits_for_the_bot_until_it_answers(site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as full:
        full.setattr(site.app.state.site.workers, "submit", Mock(side_effect=Busy("The server is busy.", 1)))
        match_id = browser.begin(seat_usa="me", seat_japan="bot:search")
        assert "Waiting for Japan (search bot)" in text_of(browser.get(f"/m/{match_id}").text)
    until = time.monotonic() + PATIENCE
    while "usa" not in site.store.listings.summary(match_id).waiting:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert "Waiting for Japan" not in text_of(browser.get(f"/m/{match_id}").text)


def text_of(page: str) -> str:
    """Return a page without its tags, with single spaces."""
    return " ".join(re.sub(r"<[^>]*>", "", page).split())


def test_too_many_matches_between_bots_are_refused(open_site: Callable[..., Site]) -> None:
    site = open_site(rate=1000)
    site.app.state.site.bot_turns.close()  # so that none ends
    alone = {"game": "tora", "seats": {"japan": "bot:search", "usa": "bot:search"}}
    with site.browser() as browser:
        for _ in range(3):
            assert browser.post("/api/v1/matches", json=alone).status_code == 201
        refusal = browser.post("/api/v1/matches", json=alone)
        assert (refusal.status_code, refusal.headers["retry-after"]) == (429, "60")
        assert refusal.json()["error"] == "TooManyBotMatches"
        assert "You have 3 unfinished matches in which only bots play" in refusal.json()["sentence"]
        page = browser.form(
            "/new", {"game": "midway", "do": "open", "seat-japan": "bot:search", "seat-usa": "bot:search"}
        )
        assert (page.status_code, page.headers["retry-after"]) == (429, "60")
        assert "You have 3 unfinished matches in which only bots play" in page.text
        match_id = browser.begin(seat_usa="me", seat_japan="bot:search")
        page = browser.form(f"/m/{match_id}/assign-bot", {"seat": "usa", "bot": "search"})
        assert (page.status_code, page.headers["retry-after"]) == (429, "60")
        assert not site.store.listings.summary(match_id).seats[1].bot
        new = browser.post(
            "/api/v1/matches", json={"game": "midway", "seats": {"usa": "me", "japan": "bot:search"}}
        ).json()
        bearer = {"Authorization": f"Bearer {new['seats']['usa']}"}
        answer = browser.post(f"/api/v1/matches/{new['id']}/hand-over", json={"bot": "search"}, headers=bearer)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")


def test_match_of_a_program_is_created_whole_or_not_at_all(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = {"game": "midway", "seats": {"usa": "me", "japan": "bot:doctrine"}}
    before = site.store.admin.counts()
    with site.browser() as browser:
        with monkeypatch.context() as killed:
            killed.setattr(lobby, "sit_down", Mock(side_effect=RuntimeError("killed between the two")))
            assert browser.post("/api/v1/matches", json=seats).status_code == 500
        assert site.store.admin.counts() == before
        new = browser.post("/api/v1/matches", json=seats).json()
        assert new["begun"] is True
        assert all(seat.bot or seat.players for seat in site.store.listings.summary(new["id"]).seats)


def test_opening_a_match_that_is_ready_starts_it(site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(Starter, "begin", do_not_begin)
        match_id = browser.begin(seat_usa="me", seat_japan="bot:doctrine")
    assert not site.store.listings.summary(match_id).started
    assert 'data-question="' in browser.get(f"/m/{match_id}").text
    assert site.store.listings.summary(match_id).started
