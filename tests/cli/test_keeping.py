"""Acknowledged decisions survive crashes, damaged files and full disks."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from tests.cli.helpers import Shell, decided, one_sentence

from readyroom.engine.record import format as records

pytestmark = pytest.mark.slow

PLAY = ("play", "midway", "--seat", "japan=human", "--seat", "usa=random")


def acknowledged(process: subprocess.Popen[str], wanted: int) -> None:
    """Type this many answers and wait until all are acknowledged."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("all\n" * wanted)
    process.stdin.flush()
    count = 0
    while count < wanted:
        count += process.stdout.readline().count("Chosen: ")


@pytest.mark.sample(1)
@pytest.mark.parametrize("wanted", [4, 1, 11])
def test_killed_match_resumes(shell: Shell, wanted: int) -> None:
    process = shell.start(*PLAY)
    acknowledged(process, wanted)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    record = shell.record().read_text()
    assert decided(record, "japan") == wanted
    result = shell.run("play", "--resume", typed="all\n")
    assert result.code == 0
    assert shell.record().read_text().startswith(record)
    assert decided(shell.record().read_text(), "japan") == wanted + 1


def test_key_file_is_readable_by_owner_only(shell: Shell) -> None:
    shell.run(*PLAY)
    key = shell.record().with_suffix(".key")
    assert key.stat().st_mode & 0o777 == 0o600
    key.unlink()
    result = shell.run("play", "--resume")
    assert result.code == 2
    assert one_sentence(result.err)
    assert "key is missing" in result.err


@pytest.mark.parametrize("content", ["", "no json", '{"secret": 1, "seats": {}}', '{"secret": "xyz", "seats": {}}'])
def test_damaged_key_prints_one_sentence(shell: Shell, content: str) -> None:
    shell.run(*PLAY)
    shell.record().with_suffix(".key").write_text(content)
    result = shell.run("play", "--resume")
    assert (result.code, one_sentence(result.err)) == (2, True)


@pytest.mark.parametrize(
    ("seats", "name"),
    [
        ({"nix": "human"}, "found nix"),
        ({"japan": "human"}, "found japan"),
        ({}, "found none"),
        ({"japan": "human", "usa": "nix"}, "found 'nix'"),
        ({"japan": "human", "usa": "random", "nix": "human"}, "found japan, usa, nix"),
    ],
)
@pytest.mark.sample(5)
@pytest.mark.parametrize("args", [("play", "--resume"), ("play", "--resume", "midway-1")])
def test_seats_changed_by_hand_are_refused(
    shell: Shell, args: tuple[str, ...], seats: dict[str, str], name: str
) -> None:
    shell.run(*PLAY, "--seed", "seats")
    key = shell.record().with_suffix(".key")
    key.write_text(json.dumps({"secret": "", "seats": seats}))
    before = shell.files()
    result = shell.run(*args)
    assert (result.code, result.out, one_sentence(result.err)) == (2, "", True)
    for word in (str(key), "at seats", "expected", name):
        assert word in result.err
    assert shell.files() == before


def test_key_without_secret_is_rejected(shell: Shell) -> None:
    shell.run(*PLAY)
    key = shell.record().with_suffix(".key")
    key.write_text(json.dumps({"secret": "", "seats": {"japan": "human", "usa": "random"}}))
    result = shell.run("play", "--resume", "midway-1")
    assert (result.code, result.err) == (2, f"The match cannot continue without its dice key; {key} lacks it.\n")


@pytest.mark.parametrize("damage", ["binary", "edited", "key", "seats"])
def test_damaged_match_is_skipped_by_resume(shell: Shell, damage: str) -> None:
    for side in ("japan", "usa"):
        shell.run("play", "midway", "--seat", f"{side}=human", typed="all\n")
    newest = shell.record("midway-2")
    if damage == "binary":
        newest.write_bytes(bytes(range(256)))
    elif damage == "edited":
        newest.write_text(newest.read_text().replace('"n":1', '"n":2'))
    elif damage == "key":
        newest.with_suffix(".key").unlink()
    else:
        newest.with_suffix(".key").write_text('{"secret": "", "seats": {"nix": "human"}}')
    os.utime(shell.record("midway-1"), ns=(1, 1))
    left = newest.read_bytes()
    result = shell.run("play", "--resume", COLUMNS="400")
    assert result.code == 0
    assert "Japan (you)" in result.out
    [line] = [line for line in result.out.splitlines() if "was skipped" in line]
    assert line.startswith("midway-2 was skipped: ")
    assert newest.read_bytes() == left
    named = shell.run("play", "--resume", "midway-2")
    assert (named.code, one_sentence(named.err)) == (2, True)
    assert str(newest.with_suffix("")) in named.err


def test_where_every_match_is_damaged_the_refusal_names_them(shell: Shell) -> None:
    shell.run(*PLAY)
    shell.record().write_bytes(b"{}\n")
    result = shell.run("play", "--resume")
    assert (result.code, one_sentence(result.err)) == (2, True)
    assert "midway-1 was skipped: Record is invalid at line 1" in result.err


@pytest.mark.sample(2)
@pytest.mark.parametrize("cut", [1, 2, 40])
def test_incomplete_last_line_is_repaired(shell: Shell, cut: int) -> None:
    shell.run("play", "midway", "--seat", "japan=random", "--seat", "usa=random", "--option", "turn_limit=8")
    whole = shell.record().read_text()
    shell.record().write_text(whole[:-cut])
    assert "cut off" in shell.run("verify", "midway-1").err
    assert "is incomplete" in shell.run("replay", "midway-1").out
    result = shell.run("play", "--resume")
    assert (result.code, result.err) == (0, "")
    assert "was incomplete; the match is over, and the record is complete again" in " ".join(result.out.split())
    assert shell.record().read_text() == whole
    assert shell.run("verify", "midway-1").code == 0
    assert "No unfinished match" in shell.run("play", "--resume").err


@pytest.mark.parametrize("cut", [1, 2, 40])
def test_incomplete_record_resumes_at_its_end(shell: Shell, cut: int) -> None:
    shell.run(*PLAY, "--seed", "torn", typed="all\nall\nall\n")
    whole = shell.record().read_text()
    shell.record().write_text(whole[:-cut])
    assert "cut off" in shell.run("verify", "midway-1").err
    result = shell.run("play", "--resume", typed="all\n")
    assert result.code == 0
    assert "was incomplete; the match continues after line" in " ".join(result.out.split())
    assert decided(shell.record().read_text(), "japan") == 3
    assert shell.run("verify", "midway-1").code == 0


def test_resume_takes_last_or_named_match(shell: Shell) -> None:
    for side in ("japan", "usa"):
        shell.run("play", "midway", "--seat", f"{side}=human")
    os.utime(shell.record("midway-1"), ns=(1, 1))
    assert "United States (you)" in shell.run("play", "--resume").out
    assert "United States (you)" in shell.run("play", "midway", "--resume").out
    assert "Japan (you)" in shell.run("play", "--resume", "midway-1").out
    assert "Japan (you)" in shell.run("play", "--resume", str(shell.record())).out


def test_resume_keeps_custom_data_and_scenario(shell: Shell, tmp_path: Path) -> None:
    data, own = tmp_path / "data", tmp_path / "mine.toml"
    data.mkdir()
    game = files("readyroom.games.midway").joinpath("data")
    own.write_text(game.joinpath("scenarios", "daybreak.toml").read_text().replace("Found at", "My own"))
    (data / "combat.toml").write_text(game.joinpath("combat.toml").read_text().replace("points = 20", "points = 10"))
    shell.run(*PLAY, "--data", str(data), "--scenario", str(own), "--seed", "own", typed="all\n")
    own.unlink()
    result = shell.run("play", "--resume", typed="all\n")
    assert "My own daybreak" in result.out
    assert decided(shell.record().read_text(), "japan") == 2
    assert shell.run("verify", "midway-1").code == 0
    copy = tmp_path / "copy.jsonl"
    copy.write_text(shell.record().read_text())
    assert shell.run("verify", str(copy)).code == 1
    assert shell.run("verify", str(copy), "--data", str(data)).code == 0
    assert shell.run("replay", "midway-1", "--at", "2").code == 0


def test_somebody_else_may_take_over_a_seat(shell: Shell) -> None:
    shell.run(*PLAY)
    result = shell.run("play", "--resume", "--seat", "japan=random", "--seat", "usa=human")
    assert "United States (you)" in result.out
    assert '"japan":"random"' in shell.record().with_suffix(".key").read_text()


def test_two_who_play_the_same_match_do_not_spoil_it(shell: Shell) -> None:
    process = shell.start(*PLAY)
    acknowledged(process, 1)
    shell.run("play", "--resume", typed="all\n")
    record = shell.record().read_text()
    _, err = process.communicate("all\n")
    assert (process.returncode, one_sentence(err)) == (2, True)
    assert "Another program" in err
    assert shell.record().read_text() == record


# -- full disk -------------------------------------------------------------------------------------------------------


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A 12 kB tmpfs; skips the test if mounting is not permitted."""
    place = tmp_path / "tiny"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12k", "none", place], capture_output=True).returncode:
        pytest.skip("mounting a tmpfs is not allowed here")
    yield place
    subprocess.run(["umount", place], check=True)


def check_that_nothing_is_lost(full: Shell, process: subprocess.Popen[str], roomy: Shell) -> None:
    """Play until the disk is full, then resume from a copy on a disk with free space."""
    out, err = process.communicate("all\n" * 150, timeout=60)
    assert process.returncode == 2, out[-1000:]
    assert one_sentence(err), err
    assert "Cannot write" in err
    assert "Free disk space and press Enter" in out
    record = full.record().read_text()
    records.parse(record)
    assert decided(record, "japan") == out.count("Chosen: ") > 0
    shutil.copytree(full.home, roomy.home)
    assert roomy.run("play", "--resume", typed="all\n").code == 0
    assert decided(roomy.record().read_text(), "japan") > decided(record, "japan")


@pytest.mark.torture
def test_full_disk_loses_nothing(tiny_disk: Path, shell: Shell) -> None:
    full = Shell(tiny_disk)
    check_that_nothing_is_lost(full, full.start(*PLAY, "--seed", "full"), shell)


def test_file_limit_loses_nothing(tmp_path: Path, shell: Shell) -> None:
    full = Shell(tmp_path / "limited")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    check_that_nothing_is_lost(full, full.start(*PLAY, "--seed", "full", before=limit), shell)


def test_full_disk_at_start_prints_one_sentence(shell: Shell) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    process = shell.start(*PLAY, before=limit)
    _, err = process.communicate()
    assert (process.returncode, one_sentence(err)) == (2, True)
    assert shell.files() == {}


def test_unwritable_folder_prints_one_sentence(shell: Shell) -> None:
    shell.home.parent.mkdir(exist_ok=True)
    shell.home.write_text("a file, no folder")
    result = shell.run(*PLAY)
    assert (result.code, one_sentence(result.err)) == (2, True)
    assert "READYROOM_HOME" in result.err
