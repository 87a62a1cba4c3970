"""Tests of the hidden aliases for version 1.0 commands."""

from __future__ import annotations

import pytest
from tests.cli.helpers import Shell

OLD_NAMES = {"advise": "analyze", "verdict": "review", "archive": "backup"}
OLD_ADMIN_NAMES = {"sweep": "prune", "people": "players", "forget": "delete-player", "journal": "audit-log"}


@pytest.mark.parametrize(("old", "new"), OLD_NAMES.items())
def test_old_command_has_help_of_new_one(shell: Shell, old: str, new: str) -> None:
    old_help, new_help = shell.run(old, "--help"), shell.run(new, "--help")
    assert (old_help.code, new_help.code) == (0, 0)
    assert old_help.out.replace(f" {old} ", f" {new} ", 1) == new_help.out


@pytest.mark.parametrize(("old", "new"), OLD_ADMIN_NAMES.items())
def test_old_admin_command_has_help_of_new_one(shell: Shell, old: str, new: str) -> None:
    old_help, new_help = shell.run("admin", old, "--help"), shell.run("admin", new, "--help")
    assert (old_help.code, new_help.code) == (0, 0)
    assert old_help.out.replace(f"admin {old}", f"admin {new}") == new_help.out


def test_help_lists_new_names_only(shell: Shell) -> None:
    commands = [line.split()[0] for line in shell.run("--help").out.splitlines() if line.startswith("  ")]
    admin = [line.split()[0] for line in shell.run("admin", "--help").out.splitlines() if line.startswith("  ")]
    assert set(OLD_NAMES.values()) <= set(commands)
    assert set(OLD_ADMIN_NAMES.values()) <= set(admin)
    assert not set(OLD_NAMES) & set(commands)
    assert not set(OLD_ADMIN_NAMES) & set(admin)


def test_old_question_command_works(shell: Shell) -> None:
    out = shell.run("play", "midway", "--seat", "usa=human", "--seed", "officer", "--plain", typed="officer nan\n").out
    assert "An analysis takes up to" in " ".join(out.split())
