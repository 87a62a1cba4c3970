"""Play the match of `play-midway.md` and print the output of an 80-column terminal.

With `--write` the output goes to `evening.txt` and its excerpts to the README; the record for the page on architecture
is written as well. Run `python docs/evening.py --write` after a change of texts, records or the Japanese bot, and
proofread the pages.
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
2,3,5-14
1-3,13
all
15,19,23,27
rule 12.4
2,6,10,14
4x3
2,4,6,8
undo
quit
"""

PICTURES = (
    ("Turn 3 of 20 · United States: carrier attacks\n● ", "\n\n"),
    ("United States: Which carriers do the bombers attack", "\n> "),
    ("  17 dive-bomber points attack", "\n\n"),
)
"""The start of each excerpt in the README, and the text that follows its end."""
DOCS = Path(__file__).parent
SECRET = "1a30f650b4937cd6bdd375b4cfaff89dafecf3f93831fb7266f179093d3d1964"
NIGHTS = "runner crane, runner south, guard south, runner plover, runner north, guard north"
"""The secret behind the dice of the record, and the decisions."""


def evening() -> str:
    """Return the whole transcript."""
    readyroom = Path(sys.executable).with_name("readyroom")
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "COLUMNS": "80", "LANG": "C.UTF-8", "PATH": os.environ.get("PATH", os.defpath)}
        environment["PYTHONPATH"] = str(DOCS.parent / "src")  # of this tree, whichever is installed
        process = subprocess.run(
            [readyroom, *COMMAND],
            env=environment,
            input=TYPED.lstrip(),
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    lines = process.stdout.replace(home, "~").splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def night() -> str:
    """Return the record of two nights of Lantern Strait."""
    sys.path.insert(0, str(DOCS / "example"))
    game = importlib.import_module("lantern_strait").GAME
    words = {"guard": "I heard oars"}
    match = Match(game, options={"nights": "2"}, nonces=words, secret=bytes.fromhex(SECRET))
    for decision in NIGHTS.split(", "):
        seat, key = decision.split()
        match.decide(seat, key)
    return match.record()


def _cut(text: str, start: str, end: str) -> str:
    at = text.index(start)
    return text[at : text.index(end, at)]


def write(message: str) -> None:
    """Write the transcript and the record into the files that the pages include."""
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
