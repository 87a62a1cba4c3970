"""Matches on a server, played from the terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli.helpers import Shell
from tests.server.running import ForkedServer, Server

from readyroom.cli.play.remote import come_by_link
from readyroom.cli.screen import Screen
from readyroom.web.client import RemoteSeat, ServerRejected

LINK = re.compile(r"http://127\.0\.0\.1:\d+/s/[\w-]+")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for requests that change nothing on it."""
    with ForkedServer(tmp_path_factory.mktemp("running")) as server:
        yield server


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "desk")


def join_lines(text: str) -> str:
    """Join the links that a narrow terminal has wrapped."""
    return re.sub(r"\s*\n\s*", "", text)


def test_match_is_created_played_left_and_continued(server: Server, shell: Shell) -> None:
    output = shell.run("play", "midway", "--at", server.url, "--seat", "japan=human", "--plain", typed="all\nquit\n")
    assert output.code == 0
    assert "Which squadrons land, and on which carrier?" in output.out
    link = LINK.findall(join_lines(output.out))[-1]
    assert f"readyroom play --at {link}" in output.out, "links are not wrapped"
    again = shell.run("play", "--at", link, "--plain", typed="log\nundo\nwhy\nquit\n")
    assert again.code == 0
    assert "Taken back." in again.out
    assert RemoteSeat.at_link(link).fetch()["revision"] == 2
    assert not shell.matches.exists()


def test_friend_joins_by_link_and_plays(server: Server, shell: Shell) -> None:
    seats = RemoteSeat.opened(server.url, {"game": "midway", "seats": {"japan": "me", "usa": "friend"}})
    assert not seats["usa"].fetch()["begun"]
    RemoteSeat.at_link(seats["usa"].link).sit("my own words")
    output = shell.run("play", "--at", seats["japan"].link, "--plain", typed="none\nquit\n")
    assert output.code == 0
    assert seats["japan"].fetch()["revision"] == 1


@pytest.fixture
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A screen with its own data folder."""
    monkeypatch.setenv("READYROOM_HOME", str(tmp_path))
    return Screen(plain=True)


def test_terminal_adds_words_random_by_default(server: Server, screen: Screen) -> None:
    places = RemoteSeat.opened(server.url, {"game": "midway", "seats": {"japan": "friend", "usa": "friend"}})
    come_by_link(places["usa"].link, screen, "my words", "Spruance")
    session = come_by_link(places["japan"].link, screen)
    names = [seat["sits"] for seat in session.match.places["japan"].fetch()["seats"]]
    assert names[0].endswith("(program)")
    assert names[1] == "Spruance"
    text = httpx.get(f"{server.url}/m/{places['usa'].match}/dice.json").json()["text"]
    words = json.loads(text.partition("\n")[2])["nonces"]
    assert words["usa"] == "my words"
    assert re.fullmatch(r"[\w-]{16}", words["japan"])


@pytest.mark.torture(5)
def test_terminal_shows_label_before_joining(
    server: Server, screen: Screen, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"game": "midway", "seats": {"japan": "friend", "usa": "friend"}, "seed": "known"}
    link = RemoteSeat.opened(server.url, wanted)["japan"].link
    output: list[str] = []

    def sit(place: RemoteSeat, text: str, name: str | None) -> dict[str, Any]:
        output.append(capsys.readouterr().out)
        return place.fetch()

    monkeypatch.setattr(RemoteSeat, "sit", sit)
    come_by_link(link, screen)
    label = "Predictable dice: this match uses a seed. Anyone who knows it can predict every roll."
    assert label in " ".join(output[0].split())


@pytest.mark.torture(6)
def test_words_for_fixed_dice_change_nothing_and_terminal_says_so(server: Server, shell: Shell) -> None:
    link = RemoteSeat.opened(server.url, {"game": "midway", "seats": {"usa": "bot:doctrine"}})["japan"].link
    output = shell.run("play", "--at", link, "--words", "late", "--plain", typed="quit\n")
    assert "--words changes nothing" in " ".join(output.out.split())
    assert "--words" in shell.run("play", "midway", "--words", "x").err


@pytest.mark.torture(8)
def test_invited_player_gets_own_secret(server: Server, shell: Shell) -> None:
    invite = RemoteSeat.opened(server.url, {"game": "midway", "seats": {"japan": "friend"}})["japan"].link
    output = shell.run("play", "--at", invite, "--plain", typed="quit\n")
    assert output.code == 0
    with pytest.raises(ServerRejected):
        RemoteSeat.at_link(invite)
    own_link = LINK.findall(join_lines(output.out))[-1]
    assert RemoteSeat.at_link(own_link).fetch()["lent"] is False
    for link in (invite, own_link):
        assert shell.run("play", "--at", link, "--plain", typed="quit\n").code == 0, (
            "the file here still has the first link"
        )


def test_illegal_answer_is_rejected_with_reason(server: Server, shell: Shell) -> None:
    output = shell.run("play", "midway", "--at", server.url, "--seat", "japan=human", "--plain", typed="1-32\nquit\n")
    assert output.code == 0
    assert "points; the budget is 20" in re.sub(r"\s+", " ", output.out)


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--at", "http://127.0.0.1:9", "--seat", "japan=human"], "Cannot reach"),
        (["--at", "nonsense", "--seat", "japan=human"], "is not a server address"),
        (["--at", "{url}", "--seat", "japan=human", "--seed", "x"], "leave out --seed"),
        (["--at", "{url}", "--seat", "japan=doctrine", "--seat", "usa=doctrine"], "Name your own seat"),
        (["--at", "{url}/s/wrong"], "link"),
        (["--at", "ftp://{url}/s/wrong"], "is not a seat link"),
        (["--at", "{url}/m/abc"], "is a match page for spectators"),
    ],
)
def test_impossible_requests_print_error(running: Server, shell: Shell, arguments: list[str], message: str) -> None:
    game = [] if any("/s/" in word or "/m/" in word for word in arguments) else ["midway"]
    output = shell.run("play", *game, *[word.format(url=running.url) for word in arguments])
    assert output.code == 2
    assert message in output.err
    assert output.err.count("\n") == 1
