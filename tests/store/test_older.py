"""Tests of databases of the first revision, matches begun under older game code, and unreadable matches."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, MetaData, create_engine, insert, select, text
from tests.store.conftest import Toys
from tests.store.playing import BOT, ME, asked, check_whole, enrolled, match_at, opened, play
from tests.store.write_first import FIRST
from tests.toys.straits import GAME, Figures, Straits
from tests.toys.tiny import T as TinyTable
from tests.toys.tiny import ask, both, roll_dice, tiny

from readyroom.engine.errors import InvalidRecord
from readyroom.engine.record.format import parse
from readyroom.engine.record.replay import verify
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import Steps, Table
from readyroom.store import Store
from readyroom.store.database import Database, create_tables, revision_of, upgrade
from readyroom.store.errors import LinkAlreadyUsed, NewerDatabase, UnreadableMatch
from readyroom.store.migrations import HEAD
from readyroom.store.tables import metadata

# -- the first revision ----------------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgres"])
def first(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a first-revision database with a match in progress."""
    file = tmp_path / "first.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(FIRST.read_text())
    if request.param == "sqlite":
        return f"sqlite:///{file}"
    url: str = request.getfixturevalue("postgres").new_database()
    copy(f"sqlite:///{file}", url)
    return url


def copy(source: str, target: str) -> None:
    """Copy all rows of a first-revision database into another database."""
    here, there = create_engine(source), create_engine(target)
    known = MetaData()
    with here.connect() as old, there.begin() as new:
        upgrade(new, "0001")
        known.reflect(new)
        for table in known.sorted_tables:
            rows = [dict(row) for row in old.execute(select(table)).mappings()]
            if rows and table.name != "alembic_version":
                new.execute(insert(table), rows)
    here.dispose()
    there.dispose()


def printed_secret(name: str) -> str:
    """Return a secret printed when the first database was written."""
    match = re.search(rf"^-- {name} (\S+)$", FIRST.read_text(), re.MULTILINE)
    assert match is not None
    return match[1]


def test_first_database_revision_is_upgraded(first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Straits did not always ask a side that has no choice.
    monkeypatch.setattr(Table, "always_asks", lambda table, seat, rule, question, steps: steps)
    with closing(Store(first)) as store:
        with store.database.reading() as connection:
            assert revision_of(connection) == HEAD
        host = store.players.of_session(printed_secret("session"))
        assert host is not None
        assert (host.name, host.hook, host.mail) == ("Nimitz", "", "")
        (summary,) = store.listings.matches_of(host.id)
        with pytest.raises(LinkAlreadyUsed):  # a person plays the seat
            store.seats.match_by_link(printed_secret("link"))
        assert store.players.recover(printed_secret("recovery"))[0] == host
        assert (summary.scenario, summary.true_revision, summary.public) == ("Many", 24, True)
        assert '"undo":' in store.records.text(summary.id)
        check_whole(store, summary.id)
        store.chat.post(summary.id, host.id, "On we go.", None)
        store.listings.set_hidden(summary.id, host.id)
        assert (store.listings.matches_of(host.id), store.listings.matches_of(host.id, hidden=True)) == (
            [],
            [store.listings.summary(summary.id)],
        )
        store.seats.assign_bot(summary.id, summary.seats_of(host.id)[0], "random", host.id)
        store.seats.reclaim_seat(summary.id, summary.seats_of(host.id)[0], host.id)
        play(store, summary.id, Random(1))
        assert check_whole(store, summary.id).outcome is not None
        assert verify(store.records.text(summary.id), GAME).outcome is not None


@pytest.mark.parametrize("create", [upgrade, create_tables])
def test_new_database_matches_tables(empty_url: str, create: Callable[[Connection], None]) -> None:
    with closing(Database(empty_url, upto=None)) as database, database.writing() as connection:
        create(connection)
        assert revision_of(connection) == HEAD
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_newer_database_is_not_opened(empty_url: str) -> None:
    with closing(Database(empty_url)) as database, database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerDatabase, match="9999"):
        Store(empty_url)


# -- older code of a game --------------------------------------------------------------------------------------------


@pytest.fixture
def two_matches(url: str, toys: Toys) -> Iterator[tuple[str, str, str]]:
    """Yield a database with a match of Straits, whose code will change, and one of Tiny."""
    with closing(Store(url)) as store:
        changing, other = opened(store), opened(store, "tiny")
        while play(store, changing, Random(5), 20) < 20 or store.listings.summary(changing).outcome is not None:
            changing = opened(store)  # its dice ended the match too early
    yield url, changing, other
    with closing(Store(url)) as store:
        check_whole(store, other)


def fails(url: str, match_id: str, reason: str) -> None:
    """Check that a match reports that it cannot continue, and that its card and record are still available."""
    with closing(Store(url)) as store:
        for _ in range(2):
            with pytest.raises(UnreadableMatch, match=reason), store.matches.open(match_id):
                pass
        with pytest.raises(UnreadableMatch):
            store.matches.answer(match_id, "red", [], None)
        assert store.listings.summary(match_id).true_revision == 20
        assert len(parse(store.records.text(match_id)).entries) == 20


def test_newer_figures_and_a_newer_version_do_not_stop_a_match(two_matches: tuple[str, str, str], toys: Toys) -> None:
    url, changing, _ = two_matches
    toys["straits"] = replace(GAME, version="2", data=Figures(load=6))
    with closing(Store(url)) as store:
        with store.matches.open(changing) as match:
            assert (match.revision, match.header.version) == (20, "1")
        play(store, changing, Random(5))
        assert store.listings.summary(changing).outcome is not None
        assert store.chat.messages(changing, []) == []
        assert parse(store.records.text(changing)).ending is not None
        with pytest.raises(InvalidRecord, match="different game data"):
            match_at(store, changing, 5)


def test_match_resumes_from_checkpoint_under_new_code(url: str, toys: Toys) -> None:
    """Moves before the checkpoint need not replay under the new code."""
    toys["tiny"] = tiny(both(ask("red"), roll_dice(1)), turns=12)
    with closing(Store(url)) as store:
        match_id = opened(store, "tiny")
        for _ in range(11):
            store.matches.answer(match_id, "red", "a", None)
    toys["tiny"] = replace(tiny(both(ask("blue"), roll_dice(1)), turns=12), version="2")
    with closing(Store(url)) as store:
        summary = store.listings.summary(match_id)
        with store.matches.open(match_id) as match:
            assert match.decision_count < 11
            assert match.state.notes[0] == "red:a"
            assert [line.text for line in match.full_log[:2]] == ["red chose A.", "red chose A."]
            assert list(match.pending) == ["blue"]
        assert store.listings.summary(match_id).true_revision == summary.true_revision + 1
        assert '"leave":true' in store.records.text(match_id)
        (message,) = store.chat.messages(match_id, [])
        assert message.name == "Ready Room"
        assert "updated" in message.text
        store.matches.answer(match_id, "blue", "c", None)
    with closing(Store(url)) as store:
        with store.matches.open(match_id) as match:
            assert match.state.notes[-2] == "blue:c"
        assert len(store.chat.messages(match_id, [])) == 1


def test_return_to_legal_decisions_is_announced_and_bots_continue(
    url: str, toys: Toys, monkeypatch: pytest.MonkeyPatch
) -> None:
    toys["tiny"] = tiny(both(ask("red"), roll_dice(1)), turns=12)
    with closing(Store(url)) as store:
        host = enrolled(store)
        match_id = store.lobby.create(host, "tiny", None, {}, {"red": ME, "blue": BOT}).id
        for _ in range(11):
            store.matches.answer(match_id, "red", "a", None)
    toys["tiny"] = replace(tiny(both(ask("blue"), roll_dice(1)), turns=12), version="2")
    monkeypatch.setattr("readyroom.store.live.live_matches.BOTS_TIME", 0.0)
    news, due = list[tuple[str, str, dict[str, int]]](), list[str]()
    with closing(Store(url, lambda match, what, revisions: news.append((match, what, dict(revisions))))) as store:
        store.on_bots_due(due.append)
        with store.matches.open(match_id):
            assert (news, due) == ([], []), "no one is notified while the match is held"
        revision = store.listings.summary(match_id).true_revision
        seen = dict.fromkeys(("", "red", "blue"), revision)
        assert news == [(match_id, "moved", seen), (match_id, "talk", seen)]
        assert due == [match_id]
        with store.matches.open(match_id):
            pass
        assert (len(news), due) == (2, [match_id]), "only once"


def test_failing_rule_keeps_decision_pending(url: str, toys: Toys) -> None:
    def fault(table: TinyTable) -> Steps:
        raise KeyError("planted")

    toys["tiny"] = tiny(ask("red"), ask("red"), ask("red"))
    with closing(Store(url)) as store:
        match_id = opened(store, "tiny")
        store.matches.answer(match_id, "red", "a", None)
        store.matches.answer(match_id, "red", "b", None)
    toys["tiny"] = tiny(ask("red"), both(ask("red"), fault), ask("red"))
    with closing(Store(url)) as store:
        with store.matches.open(match_id) as match:
            assert match.state.notes == ["red:a"]
        assert asked(store, match_id) == {"red": 3}


def test_unreadable_state_is_reported(two_matches: tuple[str, str, str], toys: Toys) -> None:
    class Renamed(Straits, forbid_unknown_fields=True, kw_only=True):
        tide: int

    url, changing, _ = two_matches
    toys["straits"] = replace(GAME, rules=replace(GAME.rules, state=Renamed))
    fails(url, changing, "tide")


def test_missing_game_is_reported(two_matches: tuple[str, str, str], toys: Toys) -> None:
    url, changing, _ = two_matches
    del toys["straits"]
    fails(url, changing, "No game named 'straits'")


ELSEWISE = Outcome("red", "otherwise", "It ended otherwise.")


def test_finished_match_of_old_rules_is_not_rewritten(url: str, toys: Toys) -> None:
    toys["tiny"] = tiny(ask("red"), ask("red"))
    with closing(Store(url)) as store:
        match_id = opened(store, "tiny")
        play(store, match_id, Random(1))
        record = store.records.text(match_id)
    game = tiny(ask("red"), ask("red"))
    toys["tiny"] = replace(
        game,
        rules=replace(game.rules, next_phase=lambda state: ELSEWISE if state.notes else game.rules.next_phase(state)),
    )
    with closing(Store(url)) as store:
        with pytest.raises(UnreadableMatch), store.matches.open(match_id):
            pass
        assert store.records.text(match_id) == record
        assert store.listings.summary(match_id).outcome is not None
