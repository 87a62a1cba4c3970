"""How large a match and its texts may become here, played or imported.

The longest of 210 matches of all games and scenarios, played by random bots and by the games' own, has 755 decisions in
80 kB, and its longest line has 781 bytes. The limits are well above that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from readyroom.engine.errors import CannotUndo, ReadyRoomError
from readyroom.engine.record.format import Fork, Header, Parsed, RecordEntry, Undo
from readyroom.store.base import bounded
from readyroom.store.errors import ImportRejected, InvalidText

OWN_LENGTH, TITLE_LENGTH, WORDS_LENGTH, SEED_LENGTH = 200_000, 200, 200, 200
"""The most characters of a custom scenario, its title, a player's text for the dice, and a seed."""
STATE_BYTES = 32_768
"""The most bytes of a custom scenario's state at the start; the largest that a game brings has a third of that."""
RECORD_LENGTH = 2_000_000
"""The most bytes of a record."""
ENTRIES = 5_000
"""The most decisions and undos of a match."""
LAST_UNDO = 4_000
"""The number of decisions and undos from which on nothing can be undone, so that the match can end."""
UNDOS = 300
"""The most undos of a seat."""
FORKS = 20
"""The most changes of dice in a record."""
LINE_LENGTH, HEADER_LENGTH = 20_000, 60_000
"""The most bytes of a record's line, and of its first."""
SCENARIO_LENGTH = 48 * 1024
"""The most bytes of a scenario in a record."""


class MatchTooLong(ReadyRoomError):
    """A match has as many decisions and undos as are kept here."""

    def __init__(self) -> None:
        super().__init__(f"This match cannot continue: it has {ENTRIES:,} decisions and undos, the limit here.")


def check_continues(revision: int) -> None:
    """Raise `MatchTooLong` unless a match at this revision may get another decision."""
    if revision >= ENTRIES:
        raise MatchTooLong


def check_undo(entries: Iterable[RecordEntry], revision: int, seat: str) -> None:
    """Raise `CannotUndo` unless a seat may undo once more."""
    if revision >= LAST_UNDO:
        raise CannotUndo(f"Undo is off after {LAST_UNDO:,} decisions and undos; this match has {revision:,}. Play on.")
    if sum(isinstance(entry, Undo) and entry.by == seat for entry in entries) >= UNDOS:
        raise CannotUndo(f"You have undone {UNDOS} decisions in this match, which is the limit. Play on.")


def check_text(record: str) -> None:
    """Raise `ImportRejected` if the text of a record is too large to be read."""
    if len(record) > RECORD_LENGTH:
        raise ImportRejected(f"The record has {len(record):,} characters; the maximum is {RECORD_LENGTH:,}.")
    lines = record.split("\n")
    most = ENTRIES + FORKS + 3  # header, ending, and what follows the last line feed
    if len(lines) > most:
        raise ImportRejected(f"The record has {len(lines):,} lines; the maximum is {most:,}.")
    for number, line in enumerate(lines, start=1):
        longest = LINE_LENGTH if number > 1 else HEADER_LENGTH
        if len(line) > longest:
            raise ImportRejected(
                f"Line {number} of the record has {len(line):,} characters; the maximum is {longest:,}."
            )


def check_record(parsed: Parsed) -> None:
    """Raise `ImportRejected` if a record is larger than a match can become here, and name the limit."""
    _check_header(parsed.header)
    entries = [entry for _, entry in parsed.entries]
    decided = sum(not isinstance(entry, Fork) for entry in entries)
    if decided > ENTRIES:
        raise ImportRejected(f"The record has {decided:,} decisions and undos; the maximum is {ENTRIES:,}.")
    if len(entries) - decided > FORKS:
        raise ImportRejected(f"The record changes the dice {len(entries) - decided} times; the maximum is {FORKS}.")
    for seat, undos in Counter(entry.by for entry in entries if isinstance(entry, Undo)).items():
        if undos > UNDOS:
            raise ImportRejected(f"The record has {undos:,} undos by {seat[:80]}; the maximum for a seat is {UNDOS}.")


def _check_header(header: Header) -> None:
    if strangers := header.nonces.keys() - set(header.seats):
        raise ImportRejected(f"The record has a text for the dice by {min(strangers)[:80]}, which is no seat of it.")
    try:
        for seat, text in header.nonces.items():
            bounded(text, WORDS_LENGTH, f"The text for the dice by {seat[:80]}")
        bounded(header.seed or "", SEED_LENGTH, "The seed")
    except InvalidText as error:
        raise ImportRejected(str(error)) from error
    if (size := len((header.own or "").encode())) > SCENARIO_LENGTH:
        raise ImportRejected(f"The scenario in the record has {size:,} bytes; the maximum is {SCENARIO_LENGTH:,}.")
