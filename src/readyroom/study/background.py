"""Play a study in a process of its own: `python -m readyroom.study.background FOLDER`.

The study's file is read from standard input. What has been played so far can be read from the folder at any time, and
the process may be killed at any time; it works with one core, behind everybody else.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from readyroom.engine.files import save
from readyroom.study.folder import PAGE
from readyroom.study.studyfile import parse_study

BEHIND = 10
"""By how much the process lets others go before it."""


def main(folder: Path, name: str) -> None:
    """Play the study and write its page; `name` is what its file is called."""
    from readyroom.study.studies import run  # what calculates takes a while to load, and a server only wants `BEHIND`
    from readyroom.study.study_page import page

    if hasattr(os, "nice"):
        os.nice(BEHIND)
    study = parse_study(sys.stdin.buffer.read(), name)
    done = run(study, folder=folder, workers=1)
    save(folder / PAGE, page(done.result, f"readyroom study {name}"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
