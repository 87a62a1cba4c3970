"""Invalid input prints one sentence, exits with code 2 and changes no files."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from tests.cli.helpers import Shell, one_sentence

WRONG = [
    "nix",
    "--nix",
    "play nix",
    "play ''",
    "play --resume ''",
    "play --nix",
    "play --option x",
    "play --option x=y",
    "play --option cap_rings=9",
    "play --option cap_rings=2 --option cap_rings=3",
    "play --seat japan",
    "play --seat japan=nix",
    "play --seat nix=human",
    "play --scenario nix",
    "play --scenario nix.toml",
    "play --scenario {text}.toml",
    "play --dice nix",
    "play --data /nix",
    "play --data {folder}",
    "play --resume nix",
    "play --resume {text}",
    "play --resume {binary}",
    "play --resume --seed x",
    "play --resume midway-1 --option cap_rings=2",
    "play --resume midway-1 --seat nix=human",
    "play --resume midway-1 --seat usa=nix",
    "play --resume midway-1 --data {folder}",
    "simulate",
    "simulate nix",
    "simulate midway --games 0",
    "simulate midway --games x",
    "simulate midway --bot usa",
    "simulate midway --bot usa=nix",
    "simulate midway --bot nix=random",
    "simulate midway --scenario nix",
    "simulate midway --option nix=1",
    "replay nix",
    "replay {binary}",
    "replay {text}",
    "replay midway-1 --at 99",
    "replay midway-1 --at x",
    "replay midway-1 --seat nix",
    "verify nix",
    "verify {binary}",
    "verify {folder}",
    "report nix",
    "report {binary}",
    "report midway-1 --seat nix",
    "odds nix",
    "odds midway nix",
    "odds midway strike dive",
    "odds midway strike nix=1",
    "odds midway strike dive=x",
    "odds midway strike carrier=nix",
    "odds midway search dive=1",
    "chart nix",
    "chart midway nix",
    "chart midway search --all",
    "rules nix",
    "rules midway 99",
    "rules midway nix --coverage",
]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A text file, a binary file, and a folder with an invalid data file."""
    places = {"text": tmp_path / "text", "binary": tmp_path / "binary", "folder": tmp_path / "folder"}
    places["text"].write_text("no record\n")
    places["text"].with_suffix(".toml").write_text("title = 3\n")
    places["binary"].write_bytes(bytes(range(256)))
    places["folder"].mkdir()
    (places["folder"] / "combat.toml").write_text("[deck]\npoints = 'many'\n")
    return places


@pytest.mark.sample(5)
@pytest.mark.slow
@pytest.mark.parametrize("text", WRONG)
def test_wrong_command_prints_one_sentence(shell: Shell, files: dict[str, Path], text: str) -> None:
    shell.run("play", "midway", "--seat", "japan=human", "--seed", "kept", typed="all\n")
    before = shell.files()
    result = shell.run(*shlex.split(text.format(**files)))
    assert result.code == 2, result
    assert one_sentence(result.err), result.err
    assert shell.files() == before


def test_command_works_without_terminal(shell: Shell) -> None:
    process = shell.start("verify", "nix")
    out, err = process.communicate()
    assert (process.returncode, out, one_sentence(err)) == (2, "", True)


@pytest.mark.parametrize("change", ["hand", "order", "lost"])
def test_edited_record_is_not_resumed(shell: Shell, change: str) -> None:
    shell.run("play", "midway", "--seat", "japan=human", "--seed", "edited", typed="all\nall\nall\n")
    lines = shell.record().read_text().splitlines(keepends=True)
    if change == "hand":
        lines[1] = lines[1].replace("hiryu-tb-1@", "soryu-tb-1@")
    elif change == "order":
        lines[1], lines[2] = lines[2], lines[1]
    else:
        del lines[1]
    shell.record().write_text("".join(lines))
    before = shell.files()
    result = shell.run("play", "--resume")
    assert (result.code, one_sentence(result.err)) == (2, True)
    assert "invalid at line " in result.err
    assert shell.files() == before
