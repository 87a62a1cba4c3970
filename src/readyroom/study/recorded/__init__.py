"""Recorded matches between bots that the program comes with, so that there is always one to watch.

`docs/recorded.py` chooses them. Each applies to one version of a game's rules and figures, as puzzles do.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import Game, MatchView, load_game
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import replay
from readyroom.engine.rules.state import Outcome

SUFFIX = ".jsonl.xz"


class NoSuchRecord(ReadyRoomError):
    """There is no recorded match of this name."""

    def __init__(self, key: str) -> None:
        super().__init__(f"There is no recorded match {key!r}.")


class RecordedMatch(NamedTuple):
    """A finished match: the name of its file, the record as text and as data, its game, scenario and outcome."""

    key: str
    text: str
    parsed: records.Parsed
    game: Game[Any, Any]
    scenario: str
    outcome: Outcome

    @property
    def decisions(self) -> int:
        """How many decisions it has."""
        return len(self.parsed.entries)

    def last_view(self) -> MatchView[Any]:
        """Return the view of spectators at the end."""
        return replay(self.parsed, game=self.game).view(None)


@lru_cache(maxsize=1)
def recorded_matches() -> Mapping[str, RecordedMatch]:
    """Return the recorded matches of the installed games by their names."""
    found = list[RecordedMatch]()
    for file in sorted(files(__package__).iterdir(), key=lambda one: one.name):
        if file.name.endswith(SUFFIX):
            text = lzma.decompress(file.read_bytes()).decode()
            parsed = records.parse(text)
            header, ending = parsed.header, parsed.ending
            game = load_game(header.game)
            if ending is not None and (header.version, header.data) == (game.version, game.data_fingerprint):
                title = game.scenario(header.scenario).title
                found.append(RecordedMatch(file.name.removesuffix(SUFFIX), text, parsed, game, title, ending.outcome))
    found.sort(key=lambda one: one.game.sort_order)
    return {one.key: one for one in found}


def find_recorded(key: str) -> RecordedMatch:
    """Return a recorded match by its name; raise `NoSuchRecord`."""
    known = recorded_matches()
    if key not in known:
        raise NoSuchRecord(key)
    return known[key]
