"""Tests of `readyroom verify` on records that a server has signed."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from tests.cli.helpers import Shell, one_sentence

from readyroom import Match
from readyroom.engine.game import load_game
from readyroom.engine.record.format import first_line, next_lines, parse
from readyroom.engine.record.signature import Signer
from readyroom.testing.playouts import AnyMatch, play_on

SIGNER, OTHER = Signer("A" * 43), Signer(f"{'B' * 42}A")


@pytest.fixture(scope="module")
def match() -> AnyMatch:
    """A finished match with a signed header."""
    match: AnyMatch = Match(load_game("midway"), None, {"turn_limit": "8"}, nonces={"usa": "mine"})
    match.continue_record(SIGNER.sign(match.header, "abc"))
    for _ in play_on(match, Random(1)):
        pass
    return match


@pytest.fixture
def record(match: AnyMatch, tmp_path: Path) -> Path:
    path = tmp_path / "signed.jsonl"
    path.write_text(match.record())
    return path


def test_verify_names_signer_and_says_what_was_checked(shell: Shell, record: Path) -> None:
    result = shell.run("verify", str(record))
    assert result.code == 0
    assert f"Signed with the key {SIGNER.key}: the signature is consistent." in result.out
    assert "--key" in result.out
    assert json.loads(shell.run("verify", str(record), "--json").out)["signer"] == SIGNER.key


@pytest.mark.parametrize("kind", ["text", "file", "json"])
def test_verify_demands_key(shell: Shell, record: Path, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "key"
    file.write_text(json.dumps({"readyroom": "1.1", "key": SIGNER.key}) if kind == "json" else f"{SIGNER.key}\n")
    result = shell.run("verify", str(record), "--key", SIGNER.key if kind == "text" else str(file))
    assert result.code == 0
    assert f"Signed with the key {SIGNER.key}." in result.out
    result = shell.run("verify", str(record), "--key", OTHER.key)
    assert (result.code, result.out) == (1, "")
    assert "line 1" in result.err
    assert OTHER.key in result.err


def test_verify_refuses_forged_fingerprint(shell: Shell, record: Path) -> None:
    parsed = parse(record.read_text())
    assert parsed.ending is not None
    first = first_line(replace(parsed.header, fingerprint="0" * 32))
    rest = next_lines([*(entry for _, entry in parsed.entries), parsed.ending], first)
    record.write_text("\n".join([first, *rest, ""]))
    result = shell.run("verify", str(record))
    assert (result.code, result.out) == (1, "")
    assert "invalid at line 1" in result.err
    assert "signature" in result.err


def test_unfinished_record_with_forged_header_is_refused(shell: Shell, match: AnyMatch, tmp_path: Path) -> None:
    path = tmp_path / "unfinished.jsonl"
    path.write_text(first_line(replace(match.header, match="another")) + "\n")
    assert "signature" in shell.run("verify", str(path)).err


def test_unsigned_record_says_so(shell: Shell) -> None:
    assert (
        shell.run("play", "midway", "--seat", "japan=random", "--seat", "usa=random", "--option", "turn_limit=8").code
        == 0
    )
    result = shell.run("verify", "midway-1")
    assert result.code == 0
    assert "The record is not signed." in result.out
    result = shell.run("verify", "midway-1", "--key", SIGNER.key)
    assert result.code == 1
    assert "not signed" in result.err


@pytest.mark.parametrize("content", ["nonsense", "{}", '{"key": 3}', "", "[]"])
def test_invalid_key_is_refused(shell: Shell, record: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / "key"
    file.write_text(content)
    for key in (str(file), str(tmp_path / "nowhere")):
        result = shell.run("verify", str(record), "--key", key)
        assert result.code == 2
        assert one_sentence(result.err)


def test_report_of_record_shows_label(shell: Shell, match: AnyMatch, tmp_path: Path) -> None:
    path = tmp_path / "labelled.jsonl"
    parsed = parse(match.record())
    assert parsed.ending is not None
    first = first_line(SIGNER.sign(replace(parsed.header, origin="import"), "abc"))
    rest = next_lines([*(entry for _, entry in parsed.entries), parsed.ending], first)
    path.write_text("\n".join([first, *rest, ""]))
    label = "Predictable dice: this match was imported by its host, who could predict every roll."
    assert label in shell.run("report", str(path)).out
    assert label in " ".join(shell.run("verify", str(path)).out.split())
