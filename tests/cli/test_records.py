"""Tests of replaying, verifying and reporting records."""

from __future__ import annotations

import json
import re

import pytest
from tests.cli.helpers import Shell, one_sentence, sit_down

BOTS = ("play", "midway", "--seat", "japan=random", "--seat", "usa=random", "--option", "turn_limit=8")


@pytest.fixture
def finished(shell: Shell) -> Shell:
    """A user with a finished match."""
    assert shell.run(*BOTS, "--seed", "records").code == 0
    return shell


def test_verify_accepts_finished_record(finished: Shell) -> None:
    result = finished.run("verify", "midway-1")
    assert result.code == 0
    assert result.out.startswith("Verified: ")
    facts = json.loads(finished.run("verify", "midway-1", "--json").out)
    assert facts["verifies"] is True
    assert facts["decisions"] > 20
    assert len(facts["fingerprint"]) == 32


def test_dice_key_is_published_at_the_end(shell: Shell) -> None:
    shell.run(*BOTS)
    result = shell.run("verify", "midway-1", "--json")
    assert result.code == 0
    assert len(json.loads(result.out)["secret"]) == 64


@pytest.mark.parametrize("at", [0, 7, -1])
def test_verify_names_line_of_tampered_record(finished: Shell, at: int) -> None:
    lines = finished.record().read_text().splitlines(keepends=True)
    lines[at] = lines[at].replace("a", "b", 1)
    finished.record().write_text("".join(lines))
    result = finished.run("verify", "midway-1")
    assert (result.code, result.out) == (1, "")
    assert one_sentence(result.err)
    line = at % len(lines) + 1
    assert f"invalid at line {line}" in result.err
    facts = json.loads(finished.run("verify", "midway-1", "--json").out)
    assert (facts["verifies"], facts["line"]) == (False, line)


def test_verify_rejects_unfinished_record(shell: Shell) -> None:
    shell.run("play", "midway", "--seat", "japan=human", typed="all\nall\n")
    result = shell.run("verify", "midway-1")
    assert result.code == 1
    assert "can be verified when the match is over" in result.err
    assert "up to line 4" in result.err


def test_replay_without_a_keyboard_tells_the_log_or_a_position(finished: Shell) -> None:
    whole = finished.run("replay", "midway-1")
    assert whole.code == 0
    assert "Turn 1 ·" in whole.out
    assert max(map(len, whole.out.splitlines())) <= 80
    position = finished.run("replay", "midway-1", "--at", "3")
    assert "3 of " in position.out
    assert "Carrier" in position.out
    assert "Japan (you)" in finished.run("replay", "midway-1", "--at", "3", "--seat", "japan").out


def test_replay_steps_back_and_forth(finished: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["", "", "b", "j 5", "j 9999", "nonsense", "b", "q"])
    sit_down(monkeypatch, lambda prompt: next(typed))
    monkeypatch.setattr("readyroom.cli.records.replay.is_attended", lambda: True)
    result = finished.run("replay", "midway-1")
    assert result.code == 0
    previous = [
        int(line.split()[0]) for line in result.out.splitlines() if " of " in line and line.split()[0].isdecimal()
    ]
    assert previous == [0, 1, 2, 1, 5, 4]
    assert "The last decision is" in result.out


def test_replay_into_pipe_does_not_wait(finished: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    sit_down(monkeypatch, lambda prompt: pytest.fail("no one should be asked"))
    assert finished.run("replay", "midway-1").out.startswith("Turn 1 ·")


@pytest.mark.slow(2)
def test_position_shows_log_before_it(finished: Shell) -> None:
    whole = json.loads(finished.run("replay", "midway-1", "--json").out)
    rolled = next(at for at in range(1, whole["last"]) if _rolls(finished, at) > _rolls(finished, at - 1))
    text = finished.run("replay", "midway-1", "--at", str(rolled), COLUMNS="200").out
    assert f"{rolled} of {whole['last']}: " in text
    log = text.partition("Carrier ")[0]
    assert "Turn " in log
    assert re.search(r"^    (\[| )\d", log, re.MULTILINE)


def _rolls(shell: Shell, at: int) -> int:
    data = json.loads(shell.run("replay", "midway-1", "--at", str(at), "--json").out)
    return sum(len(line["rolls"]) for line in data["lines"])


def test_unfinished_match_hides_enemy_secrets(shell: Shell) -> None:
    shell.run("play", "midway", "--seat", "japan=human", "--seat", "usa=random", typed="all\n" * 12)
    result = shell.run("replay", "midway-1")
    assert "Hiryu, Soryu, Akagi and Kaga land" not in result.out
    assert "Hiryu, Soryu, Akagi and Kaga land" in shell.run("replay", "midway-1", "--seat", "japan").out
    assert "hiryu-tb-1" not in shell.run("replay", "midway-1", "--at", "1").out


def test_where_all_is_private_so_far_replay_says_so(shell: Shell) -> None:
    shell.run("play", "midway", "--seat", "usa=human", "--seat", "japan=random", typed="all\n")
    assert "Nothing public has happened yet" in shell.run("replay", "midway-1").out
    shell.run("play", "midway", "--seat", "japan=human", "--seat", "usa=random")
    assert "Nothing visible to this seat has happened yet" in shell.run("replay", "midway-2", "--seat", "usa").out


@pytest.mark.torture(1)
def test_replay_as_json(finished: Shell) -> None:
    whole = json.loads(finished.run("replay", "midway-1", "--json").out)
    assert whole["at"] == whole["last"] > 20
    assert {"turn", "phase", "rule", "text", "rolls"} == whole["lines"][0].keys()
    assert whole["position"]["outcome"]["title"]
    there = json.loads(finished.run("replay", "midway-1", "--at", "1", "--seat", "japan", "--json").out)
    assert (there["at"], there["position"]["seat"], there["position"]["turn"]) == (1, "japan", 1)
    assert len(there["lines"]) < len(whole["lines"])


def test_replay_as_json_hides_enemy_secrets(shell: Shell) -> None:
    shell.run("play", "midway", "--seat", "japan=human", "--seat", "usa=random", typed="all\n" * 12)
    text = shell.run("replay", "midway-1", "--json").out
    assert json.loads(text)["position"]["seat"] is None
    assert "Hiryu, Soryu, Akagi and Kaga land" not in text
    assert "Hiryu, Soryu, Akagi and Kaga land" in shell.run("replay", "midway-1", "--seat", "japan", "--json").out


def test_report_as_json(finished: Shell) -> None:
    data = json.loads(finished.run("report", "midway-1", "--json").out)
    assert data["markdown"] == finished.run("report", "midway-1").out
    assert data["options"]["turn_limit"] == "8"
    assert data["outcome"]["title"]
    assert len(data["fingerprint"]) == 32
    assert any(line["rolls"] for line in data["lines"]) or data["lines"]
    seen = json.loads(finished.run("report", "midway-1", "--seat", "japan", "--json").out)
    assert (seen["seat"], len(seen["lines"]) < len(data["lines"])) == ("japan", True)


def test_report_is_markdown(finished: Shell) -> None:
    result = finished.run("report", "midway-1")
    assert result.code == 0
    assert result.out.startswith("# A Terrible Resolve")
    assert "as Japan saw it" in finished.run("report", "midway-1", "--seat", "japan").out


def test_verify_accepts_record_of_real_dice(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    args = (
        "play",
        "midway",
        "--dice",
        "table",
        "--seat",
        "japan=random",
        "--seat",
        "usa=random",
        "--option",
        "turn_limit=8",
    )
    sit_down(monkeypatch, lambda prompt: " ".join(["4"] * int(prompt.split("d")[0].removeprefix("Roll "))))
    assert shell.run(*args).code == 0
    monkeypatch.undo()
    result = shell.run("verify", "midway-1")
    assert result.code == 0
    assert "manual dice" in result.out
