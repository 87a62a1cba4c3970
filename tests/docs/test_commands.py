"""Commands in the README and the pages.

Commands in shell blocks are run unchanged except for the number of matches; so are commands in a line of text, after
the blocks of their page. They run in this process, except on pages that need the example games. `reason_not_run` says
which commands cannot be run here; of these only subcommand, script and options are checked.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.cli.helpers import Output, Shell
from tests.installed import install

from readyroom.cli.app import app
from readyroom.store import Store
from readyroom.store.database import FILE

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`((?:readyroom|make|(?:\.venv/bin/)?python3?|dask|npm|docker)(?: [^`]*)?)`")
BLANK = re.compile(r"(?<![\w-])[A-Z]+\b")
"""A placeholder, such as FILE."""
SKIPPED = ("git", "pip", "cd", ".venv/bin/pip", ".venv/bin/pytest")
"""Commands that only download, install or test."""
COUNTS = ("--games", "--matches", "--samples")
"""The number of matches of a study."""
SHORT = {"--workers": "1", "--minutes": "0.01"}
"""Options with a short value, for commands that take and do not set them."""
WITH_GAMES = ("add-a-game.md", "campaign.md", "extend-a-game.md")
"""Pages that need the example games installed."""


def commands(page: Path) -> Iterator[str]:
    """Return the commands in a page's shell blocks without comments; a final backslash continues a line."""
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.split("  #")[0].strip()
            if command and not command.startswith("#"):
                yield command


def mentioned(page: Path) -> list[str]:
    """Return the commands in a page's text and in its console examples."""
    text = page.read_text(encoding="utf-8")
    visible = [line.removeprefix("$ ") for block in CONSOLE.findall(text) for line in block.splitlines()]
    inline = [" ".join(command.split()) for command in INLINE.findall(FENCE.sub("", text))]
    return list(dict.fromkeys([*inline, *(line for line in visible if line.startswith(("readyroom ", "make ")))]))


def only_mentioned(page: Path) -> list[str]:
    """Return the commands in a page's text that no shell block contains."""
    blocks = {command for each in PAGES for command in commands(each)}
    return [command for command in mentioned(page) if command not in blocks]


def reason_not_run(command: str) -> str:
    """Return why a command in the text is not run; empty if it is."""
    verb, *texts = shlex.split(command)
    if verb not in ("readyroom", "make"):
        return "measures or writes for minutes, or serves other machines"
    if verb == "make":
        return "is checked by its name; `make test` itself runs most of them"
    if not verb_of(texts)[1] and texts != ["games"]:
        return "only names a verb"
    if BLANK.search(command) or command.endswith("--at"):
        return "has a blank to be filled in"
    if texts[0] == "serve":
        return "does not end; tests/server runs it"
    if "--minutes" in command:
        return "searches for minutes; tests/study finds mixes of toy games"
    if "search,doctrine" in command:
        return "lets a bot think for minutes; tests/study meets it in a ladder of few trials"
    if {"battle.jsonl", "ready-room.zip", "study.toml"} & set(texts) or texts == ["verify", "tora-1"]:
        return "needs a match, notebook or server of the reader's own; tests/cli and tests/web make them"
    return ""


@cache
def root_command() -> Any:
    """Return the command `readyroom`."""
    return typer.main.get_command(app)


def verb_of(texts: Sequence[str]) -> tuple[Any, list[str]]:
    """Return the subcommand of `readyroom`, perhaps nested, and the remaining arguments."""
    command, rest = root_command(), list(texts)
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    return command, rest


def unknown_names(command: str) -> list[str]:
    """Return the subcommands, scripts, modules and options that do not exist."""
    verb, *texts = shlex.split(command.replace("'", ""))
    kind = Path(verb).name
    if kind in CHECKS:
        return CHECKS[kind](texts)
    return [verb] * (shutil.which(verb, path=str(Path(sys.executable).parent)) is None)


def _of_readyroom(texts: list[str]) -> list[str]:
    data, rest = verb_of(texts)
    known = {name for parameter in data.params for name in parameter.opts}
    strangers = rest[:1] if hasattr(data, "commands") and rest[:1] != ["--help"] else []
    return [*strangers, *(word for word in rest if word.startswith("--") and word not in {*known, "--help"})]


def _of_make(texts: list[str]) -> list[str]:
    return [word for word in texts if f"\n{word}:" not in (ROOT / "Makefile").read_text(encoding="utf-8")]


def _of_python(texts: list[str]) -> list[str]:
    if texts[0] == "-m":
        return [texts[1]] * (importlib.util.find_spec(texts[1]) is None)
    script = ROOT / texts[0]
    text = script.read_text(encoding="utf-8") if script.is_file() else ""
    return [word for word in texts[1:] if word.startswith("--") and f'"{word}"' not in text] or [texts[0]] * (not text)


CHECKS = {"readyroom": _of_readyroom, "make": _of_make, "python": _of_python, "python3": _of_python}
"""Checks of a command by its first word."""


def pages_with_commands() -> list[Path]:
    """Return the pages with commands."""
    return [
        page
        for page in PAGES
        if any(commands(page)) or any(not reason_not_run(command) for command in only_mentioned(page))
    ]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Change to a folder with the pages' files and a fresh home."""
    for file in (ROOT / "docs").glob("*.toml"):
        shutil.copy(file, tmp_path)
    shutil.copytree(ROOT / "docs" / "own-figures", tmp_path / "own-figures")
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path / "home")


def with_examples(shell: Shell) -> dict[str, str]:
    """Return an environment with the example games installed."""
    site = shell.home.parent / "site"
    site.mkdir(exist_ok=True)
    examples = [*install(ROOT / "docs" / "example", site), *install(ROOT / "examples" / "tokyo-express", site)]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    packages = os.pathsep.join(dict.fromkeys(map(str, examples)))
    home = {"HOME": str(shell.home.parent), "READYROOM_HOME": str(shell.home)}
    return {**home, "PATH": path, "PYTHONPATH": packages, "COLUMNS": "80", "LANG": "C.UTF-8"}


def words(command: str) -> list[str]:
    """Return the arguments for the test: make as a dry run, studies short and in one process."""
    split = shlex.split(command)
    if split[0] == "make":
        return ["make", "-n", "-C", str(ROOT), *split[1:]]
    words = [name for parameter in verb_of(split[1:])[0].params for name in parameter.opts]
    added = [text for option in SHORT if option in words and option not in split for text in (option, SHORT[option])]
    return ["2" if before in COUNTS else word for before, word in zip(["", *split], split, strict=False)] + added


def run(command: str, shell: Shell) -> Output:
    """Run a command, in this process if it is `readyroom`."""
    verb, *rest = words(command)
    assert verb in ("readyroom", "make"), f"command of a page: {command!r}"
    return shell.run(*rest) if verb == "readyroom" else run_process([verb, *rest], dict(os.environ))


def run_process(arguments: list[str], environment: dict[str, str]) -> Output:
    """Run a command in a new process."""
    process = subprocess.run(
        arguments, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    return Output(process.returncode, process.stdout, process.stderr)


@pytest.mark.sample(1)
@pytest.mark.slow(5)
@pytest.mark.parametrize("page", pages_with_commands(), ids=lambda page: page.name)
def test_commands_of_page_succeed(page: Path, shell: Shell) -> None:
    arguments = [command for command in commands(page) if command.split()[0] not in SKIPPED]
    extra = [
        command for command in only_mentioned(page) if command.startswith("readyroom ") and not reason_not_run(command)
    ]
    if page.name == "hosting.md":
        Store(f"sqlite:///{shell.home / FILE}").close()
    examples = with_examples(shell) if page.name in WITH_GAMES else None
    for command in [*arguments, *extra]:
        result = run(command, shell) if examples is None else run_process(words(command), examples)
        assert result.code == 0, f"{page.name}: {command}\n{result.out}{result.err}"
        assert "Traceback" not in result.err


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_mentioned_commands_exist(page: Path) -> None:
    unknown = {command: names for command in mentioned(page) if (names := unknown_names(command))}
    assert not unknown, f"{page.name} names things that do not exist: {unknown}"


@pytest.mark.parametrize(
    "command", ["readyroom sail", "readyroom play --at X --sail", "python -m readyroom.no", "python no.py"]
)
def test_unknown_command_is_found(command: str) -> None:
    assert unknown_names(command)


def test_pages_have_commands() -> None:
    assert {"README.md", "play-midway.md", "add-a-game.md"} <= {page.name for page in pages_with_commands()}
    assert len([command for page in PAGES for command in mentioned(page)]) > 40
