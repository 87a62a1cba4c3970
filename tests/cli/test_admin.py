"""Tests of `readyroom admin`."""

from __future__ import annotations

import json
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import update
from tests.cli.helpers import Output, Shell, one_sentence
from tests.store.playing import check_whole, play

from readyroom.campaign.war import shipped_war
from readyroom.store import SeatAssignment, Store
from readyroom.store.database import FILE
from readyroom.store.errors import SeatBanned
from readyroom.store.tables import matches


class Kept:
    """A server with a two-player match; one player joined by link."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        shell.home.mkdir(parents=True)
        with closing(self.store()) as store:
            host, guest = store.players.create("Ensign Gay"), store.players.create("Lieutenant Tern")
            who = {"japan": SeatAssignment("me"), "usa": SeatAssignment("friend")}
            opened = store.lobby.create(host.player, "midway", None, {}, who, seed="open")
            store.seats.join_by_link(opened.links["usa"], guest.player.id)
            store.players.set_notifications(guest.player.id, "", "tern@example.org")
            self.match, self.host, self.guest = opened.id, host.player.id, guest.player.id
            self.link = store.seats.new_link(opened.id, "usa", guest.player.id)
            self.secrets = [host.session, host.recovery, guest.session, guest.recovery, opened.links["usa"], self.link]

    def store(self) -> Store:
        return Store(f"sqlite:///{self.shell.home / FILE}")

    def run(self, *args: str, typed: str = "") -> Output:
        result = self.shell.run("admin", *args, typed=typed, READYROOM_DATABASE="", COLUMNS="200")
        assert not any(secret in result.out + result.err for secret in self.secrets)
        assert "tern@example.org" not in result.out + result.err
        return result


@pytest.fixture
def kept(shell: Shell) -> Kept:
    return Kept(shell)


def test_matches_are_listed_and_shown_with_age_players_state_and_size(kept: Kept) -> None:
    result = kept.run("list")
    for word in (kept.match, "midway", "playing", "Ensign Gay", "Lieutenant Tern", "just now", "kB", "1 match,"):
        assert word in result.out
    assert kept.match not in kept.run("list", "--state", "over").out
    assert kept.match not in kept.run("list", "--idle", "3").out
    text = kept.run("show", f"http://localhost:8000/m/{kept.match}")
    assert all(word in text.out for word in ("japan", "usa", kept.host, kept.guest, "A Terrible Resolve"))
    (facts,) = json.loads(kept.run("list", "--json").out)
    assert facts == json.loads(kept.run("show", kept.match, "--json").out)
    assert (facts["state"], facts["seats"][0]["players"]) == ("playing", {kept.host: "Ensign Gay"})
    assert facts["size"] > 1000


def test_match_is_exported_as_record_or_in_full(kept: Kept, tmp_path: Path) -> None:
    with closing(kept.store()) as store:
        store.lobby.create(
            store.players.get(kept.host),
            "midway",
            None,
            {},
            {"japan": SeatAssignment("me"), "usa": SeatAssignment("me")},
        )
        play(store, kept.match, Random(1), 5)
        store.chat.post(kept.match, kept.guest, "Ahoy.", None)
        record = store.records.text(kept.match)
    assert kept.run("export", kept.match, str(tmp_path / "one.jsonl")).code == 0
    assert (tmp_path / "one.jsonl").read_text() == record
    result = kept.run("export", kept.match, str(tmp_path / "one.zip"), "--everything")
    assert "keep it private" in result.out
    url = f"sqlite:///{tmp_path}/other.sqlite"
    with closing(Store.restore(tmp_path / "one.zip", url, accept=True)) as other:
        (only,) = other.admin.stored_matches()
        assert (only.summary.id, only.summary.seats_of(kept.guest)) == (kept.match, ["usa"])
        assert [message.text for message in other.chat.messages(kept.match, [])] == ["Ahoy."]
        assert other.seats.match_by_link(kept.link)[1] == "usa"
        assert other.players.of_session(kept.secrets[0]) is None
        play(other, kept.match, Random(2), 5)
        check_whole(other, kept.match)


def test_match_deletion_needs_confirmation(kept: Kept) -> None:
    for typed in ("n\n", "\n", ""):
        refused = kept.run("delete", kept.match, typed=typed)
        assert (refused.code, "Nothing has changed" in refused.err) == (2, True)
    assert kept.match in kept.run("list").out
    assert kept.run("delete", kept.match, "--why", "asked for", typed="y\n").code == 0
    assert kept.match not in kept.run("list").out
    text = kept.run("audit-log").out
    assert all(word in text for word in ("delete", kept.match, "asked for"))
    gone = kept.run("delete", kept.match, "--yes")
    assert gone.code == 2
    assert one_sentence(gone.err.replace("here. Its", "here; its"))


def test_campaign_is_deleted(kept: Kept) -> None:
    with closing(kept.store()) as store:
        sides = {"usa": SeatAssignment("me"), "japan": SeatAssignment("bot", "doctrine")}
        war = store.campaigns.create(store.players.get(kept.host), shipped_war("three-battles"), sides).id
    assert "the campaign 'The Long War: three battles' with its matches" in kept.run("delete", war, typed="n\n").err
    assert f"Campaign {war} was deleted." in kept.run("delete", f"http://localhost/campaigns/{war}", "--yes").out
    assert kept.run("delete", war, "--yes").code == 2


def test_seat_is_banned_and_unbanned(kept: Kept) -> None:
    result = kept.run("ban", kept.match, "usa", "--why", "Foul words")
    assert "Lieutenant Tern" in result.out
    text = kept.run("show", kept.match).out
    assert all(word in text for word in ("Foul words", "Lieutenant Tern (banned)", kept.guest))
    with closing(kept.store()) as store, pytest.raises(SeatBanned, match="Foul words"):
        store.seats.match_by_link(kept.link)
    assert "was lifted" in kept.run("unban", kept.match, "usa").out
    assert "not banned" in kept.run("unban", kept.match, "usa").out
    with closing(kept.store()) as store:
        assert store.seats.match_by_link(kept.link)[1] == "usa"
    for texts in ([kept.match, "france", "--why", "x"], [kept.match, "usa", "--why", " "], [kept.match, "usa"]):
        refused = kept.run("ban", *texts)
        assert (refused.code, one_sentence(refused.err)) == (2, True)


def test_new_link_gives_seat_to_another_player(kept: Kept) -> None:
    result = kept.shell.run(
        "admin", "invite", kept.match, "usa", READYROOM_DATABASE="", READYROOM_URL="https://g.example/"
    )
    link = result.out.strip()
    assert link.startswith("https://g.example/s/")
    with closing(kept.store()) as store:
        assert store.seats.match_by_link(link.rpartition("/")[2])[1] == "usa"
        assert store.listings.summary(kept.match).seats_of(kept.guest) == []


def test_players_are_listed_and_forgotten(kept: Kept) -> None:
    text = kept.run("players").out
    assert all(word in text for word in (kept.host, "Ensign Gay", kept.guest, "Lieutenant Tern", "yes"))
    assert {person["name"] for person in json.loads(kept.run("players", "--json").out)} == {
        "Ensign Gay",
        "Lieutenant Tern",
    }
    signed_out = kept.run("sign-out", kept.guest)
    recovery = signed_out.out.strip().removeprefix("/me/recover/")
    assert "READYROOM_URL is not set: put the address of the server before this path." in signed_out.err
    with closing(kept.store()) as store:
        assert store.players.of_session(kept.secrets[2]) is None
        assert store.players.recover(recovery).player.id == kept.guest
    assert kept.run("sign-out", "no-one").code == 2
    assert kept.run("delete-player", kept.guest, typed="n\n").code == 2
    assert kept.run("delete-player", kept.guest, "--yes").code == 0
    assert "Lieutenant Tern" not in kept.run("players").out + kept.run("show", kept.match).out
    assert kept.guest in kept.run("audit-log").out
    assert kept.run("delete-player", kept.guest, "--yes").code == 2


def test_prune_deletes_old_matches(kept: Kept) -> None:
    assert "none was deleted" in kept.run("prune", "--days", "30", "--yes").out
    with closing(kept.store()) as store, store.database.writing() as connection:
        connection.execute(update(matches).values(changed=matches.c.changed - 40 * 86400))
    assert kept.run("prune", "--days", "30", typed="n\n").code == 2
    assert kept.run("prune", "--days", "30", "--state", "over", "--yes").code == 0
    assert kept.match in kept.run("list").out
    assert "1 match deleted" in kept.run("prune", "--days", "30", "--yes").out
    assert kept.match not in kept.run("list").out


@pytest.mark.parametrize(
    "texts", [["list", "--state", "lost"], ["show", "x/../y"], ["export", "nowhere", "f"], ["fly"]]
)
def test_impossible_action_prints_reason(kept: Kept, texts: list[str]) -> None:
    refused = kept.run(*texts)
    assert refused.code == 2
    assert "Traceback" not in refused.err


def test_alone_it_tells_what_it_can_do(kept: Kept) -> None:
    result = kept.run()
    assert result.code == 0
    for verb in (
        "list",
        "show",
        "export",
        "delete",
        "prune",
        "ban",
        "unban",
        "invite",
        "players",
        "delete-player",
        "audit-log",
    ):
        assert f"  {verb} " in result.out


def test_expiry_is_listed_carried_out_and_prevented(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "0 announced, 0 deleted." in kept.run("expire").out
    days = {"READYROOM_EXPIRE": "matches=30", "READYROOM_DATABASE": "", "COLUMNS": "200"}
    monkeypatch.setattr("readyroom.store.admin.expiry.now", lambda: time.time() + 31 * 86400)
    listed = kept.shell.run("admin", "expire", "--dry-run", **days).out
    assert kept.match in listed
    assert "1 announced, 0 deleted (dry run)." in listed
    (step,) = json.loads(kept.shell.run("admin", "expire", "--json", **days).out)
    assert (step["act"], step["kind"], step["id"]) == ("announce", "match", kept.match)
    with closing(kept.store()) as store:
        assert store.listings.summary(kept.match).expires is not None
    assert f"The match {kept.match} is kept." in kept.run("keep", f"http://localhost/m/{kept.match}").out
    assert f"The player {kept.guest} is kept." in kept.run("keep", kept.guest).out
    assert one_sentence(kept.run("keep", "nothing").err)
    with closing(kept.store()) as store:
        assert store.listings.summary(kept.match).expires is None
        assert [entry.act for entry in store.admin.audit_log()] == ["announce", "keep", "keep"]
    off = kept.shell.run("admin", "expire", **days | {"READYROOM_EXPIRE": "off"}).out
    assert off == "READYROOM_EXPIRE is off: nothing expires.\n"
