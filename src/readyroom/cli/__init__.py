"""The command line: play in the terminal, study many matches, look things up, prove a record."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command `readyroom`."""
    from readyroom.cli.app import app

    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()
