"""Tests of the game "strategic" of version 1.0: its records, matches and options work in its two successors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text, update
from tests.records import write
from tests.store.playing import ME, enrolled, play

from readyroom.engine.errors import UnknownChart, UnknownGame, UnknownOption
from readyroom.engine.game import load_game
from readyroom.engine.record.format import parse
from readyroom.engine.record.replay import verify
from readyroom.engine.rules.forms import CLOSE, ROLL
from readyroom.games.strategic import pearl, war
from readyroom.store import SeatAssignment, Store
from readyroom.store.database import Database
from readyroom.store.tables import matches, seats

OLD = [path for path in sorted(write.RECORDS.glob("*.jsonl")) if '"game":"strategic"' in path.read_text()[:60]]
OWN = Path(__file__).with_name("naval-1.0.jsonl")
"""A calculator match of version 1.0, with an option of Strategic War."""


@pytest.mark.parametrize("path", [*OLD, OWN], ids=lambda path: path.stem)
def test_record_verifies_with_final_state(path: Path) -> None:
    record = path.read_text()
    match, ending = verify(record), parse(record).ending
    assert ending is not None
    assert match.game.key in ("war", "pearl")
    assert (match.digest(), match.outcome) == (ending.state, ending.outcome)
    assert match.record() == record


def test_former_key_finds_game_that_fits() -> None:
    assert load_game("strategic") is war.GAME
    assert load_game("strategic", fits=lambda game: game.scenario("air-raid")) is pearl.GAME
    assert load_game("strategic", fits=lambda game: game.question("surprise")) is pearl.GAME
    assert load_game("strategic", fits=lambda game: game.chart("no chart")) is war.GAME
    with pytest.raises(UnknownChart):
        load_game("strategic").chart("pearl-columns")
    with pytest.raises(UnknownGame, match="pearl"):
        load_game("strategy")


def test_options_of_other_game_are_accepted_but_not_offered() -> None:
    assert "guns" not in {option.key for option in war.GAME.options}
    assert "guns" not in war.GAME.resolve({})
    assert war.GAME.resolve({"guns": "none"})["guns"] == "none"
    assert war.GAME.non_default_options(war.GAME.resolve({"guns": "none"})) == {}
    with pytest.raises(UnknownOption):
        war.GAME.resolve({"cannons": "none"})


ADDED = {
    "matches": "origin signer signature head seating damaged expires visited revisions announced client experience "
    "campaign chapter follows salt tournament clock decided decided_for draw_offer help",
    "entries": "hash unseen",
    "sessions": "seen device",
    "players": "seen expires ladder alerts",
    "sittings": "seen",
    "seats": "left_by",
}
"""Columns that later revisions have added."""
NEW = (
    "friends",
    "invitations",
    "passkeys",
    "server",
    "challenges",
    "pushes",
    "passes",
    "ratings",
    "rated",
    "highlights",
    "notebooks",
    "attempts",
    "baselines",
    "members",
    "campaigns",
    "pairings",
    "entrants",
    "tournaments",
    "scenarios",
    "puzzles",
    "puzzle_ratings",
    "puzzle_answers",
)
"""Tables that they have added."""


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[tuple[Store, dict[str, str]]]:
    """Yield a version 1.0 database as opened by this version, and its matches by scenario."""
    url = f"sqlite:///{tmp_path / 'old.sqlite'}"
    calculator = pearl.GAME.question("naval").roll_scenario_text({}, "naval")
    with closing(Store(url)) as store:
        host, bot = enrolled(store), SeatAssignment("bot", "doctrine")
        opened = {
            "atlantic": store.lobby.create(host, "war", "atlantic", {"guns": "none"}, {"axis": ME, "allies": bot}),
            "air-raid": store.lobby.create(host, "pearl", "air-raid", {"excess": "12"}, {"japan": ME, "usa": bot}),
            "staff": store.lobby.create(host, "war", "staff", {}, {"staff": ME}),
            "naval": store.lobby.create(host, "pearl", "naval", {}, {"staff": ME}, own=calculator),
        }
        ids = {scenario: match.id for scenario, match in opened.items()}
        play(store, ids["atlantic"], Random(1), 3)
    with closing(Database(url)) as database, database.writing() as connection:
        connection.execute(update(seats).where(seats.c.bot == "doctrine").values(bot="cautious"))
        connection.execute(update(matches).values(game="strategic", title="The Strategic War"))
        for game in ("war", "pearl"):
            connection.execute(
                text(f"""UPDATE matches SET header = replace(header, '"game":"{game}"', '"game":"strategic"')""")
            )
        for index in ("game", "live", "over", "campaign"):
            connection.execute(text(f"DROP INDEX ix_matches_{index}"))
        for table, columns in ADDED.items():
            for column in columns.split():
                connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        connection.execute(text("CREATE INDEX ix_matches_listed ON matches (listed, changed)"))
        for table in NEW:
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0005'"))
    with closing(Store(url)) as store:
        yield store, ids


def test_stored_matches_continue_to_end(upgraded: tuple[Store, dict[str, str]]) -> None:
    store, ids = upgraded
    for scenario, title in (("atlantic", "Strategic War"), ("air-raid", "Air Raid Pearl Harbor")):
        assert store.listings.summary(ids[scenario]).title == title
        play(store, ids[scenario], Random(2))
        record = store.records.text(ids[scenario])
        assert parse(record).header.game == "strategic"
        assert verify(record).outcome == store.listings.summary(ids[scenario]).outcome
    with store.matches.open(ids["atlantic"]) as match:
        assert match.state.rulings.guns == "none"


def test_bot_of_other_game_becomes_doctrine(upgraded: tuple[Store, dict[str, str]]) -> None:
    store, ids = upgraded
    bots = {card.bot for card in store.listings.summary(ids["atlantic"]).seats if card.bot}
    assert bots == {"doctrine"}
    assert {card.bot for card in store.listings.summary(ids["air-raid"]).seats if card.bot} == {"cautious"}


def test_stored_calculator_matches_open(upgraded: tuple[Store, dict[str, str]]) -> None:
    store, ids = upgraded
    for scenario, game in (("staff", "war"), ("naval", "pearl")):
        assert store.listings.summary(ids[scenario]).game == game
        for answer in (ROLL, CLOSE):
            with store.matches.open(ids[scenario]) as match:
                revision = match.pending["staff"].revision
            store.matches.answer(ids[scenario], "staff", [answer], revision)
        assert verify(store.records.text(ids[scenario])).outcome is not None


def test_record_with_former_key_is_imported(tmp_path: Path) -> None:
    with closing(Store(f"sqlite:///{tmp_path / 'new.sqlite'}")) as store:
        games = [
            store.listings.summary(store.records.import_match(path.read_text(), enrolled(store))).game
            for path in (OLD[0], OLD[1], OWN)
        ]
    assert games == ["war", "pearl", "pearl"]
