"""Plays the evening that `play-midway.md` tells of, as it watches a screen of eighty columns.

Prints it; with `--write` puts it into `evening.txt` and its pictures into the README, and writes the record of the page
on architecture as well. Do that after a change of what the program says, of records, or of how the Japanese bot plays,
and read the pages again: `python docs/evening.py --write`.
"""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from readyroom import Match

COMMAND = ["play", "midway", "--seat", "usa=human", "--seed", "a first evening", "--plain"]
TYPED = """
1,2,9-10,25-28,36-39
why 1
all
1
1-3,13
all
1-3
5,6
1-4
none
rule 12.4
all
4x3
all
all
undo
quit
"""

PICTURES = (
    ("Turn 3 of 20 · United States: carrier attacks\n● ", "\n\n"),
    ("United States: Which bombers attack Soryu", "\n> "),
    ("  17 dive-bomber points attack", "\n\n"),
)
"""Where each picture of the README begins, and before what it ends."""
DOCS = Path(__file__).parent
SECRET = "1a30f650b4937cd6bdd375b4cfaff89dafecf3f93831fb7266f179093d3d1964"
NIGHTS = "runner crane, runner south, guard south, runner plover, runner north, guard north"
"""The secret behind the dice of the record, and what was decided."""


def evening() -> str:
    """The whole transcript."""
    readyroom = Path(sys.executable).with_name("readyroom")
    with tempfile.TemporaryDirectory() as home:
        desk = {"HOME": home, "COLUMNS": "80", "LANG": "C.UTF-8", "PATH": os.environ.get("PATH", os.defpath)}
        done = subprocess.run(
            [readyroom, *COMMAND],
            env=desk,
            input=TYPED.lstrip(),
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    lines = done.stdout.replace(home, "~").splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def night() -> str:
    """The record of two nights of Lantern Strait."""
    sys.path.insert(0, str(DOCS / "example"))
    game = importlib.import_module("lantern_strait").GAME
    words = {"guard": "I heard oars"}
    match = Match(game, options={"nights": "2"}, nonces=words, secret=bytes.fromhex(SECRET))
    for decided in NIGHTS.split(", "):
        seat, key = decided.split()
        match.decide(seat, key)
    return match.record()


def _cut(text: str, start: str, end: str) -> str:
    at = text.index(start)
    return text[at : text.index(end, at)]


def write(message: str) -> None:
    """Put the transcript where the pages take it from."""
    (DOCS / "evening.txt").write_text(message, encoding="utf-8")
    (DOCS / "example" / "a-night.jsonl").write_text(night(), encoding="utf-8")
    readme = DOCS.parent / "README.md"
    pictures = iter([_cut(message, start, end) for start, end in PICTURES])
    page = re.sub(
        r"^```text\n.*?^```$",
        lambda _: f"```text\n{next(pictures)}\n```",
        readme.read_text(encoding="utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )
    readme.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    if "--write" in sys.argv:
        write(evening())
    else:
        sys.stdout.write(evening())
