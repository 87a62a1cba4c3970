"""Saved matches: a record file each, and next to it a key file that only its owner can read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from readyroom.bots import bot_names, can_play
from readyroom.cli.play.manual_dice import ManualDiceMatch
from readyroom.engine import files
from readyroom.engine.data import invalid_data
from readyroom.engine.errors import InvalidData, InvalidRecord, ReadyRoomError, SaveError, Unknown
from readyroom.engine.game import Game, game_names, load_game
from readyroom.engine.home import HOME, data_folder
from readyroom.engine.match import Match
from readyroom.engine.record import format as records
from readyroom.engine.record.replay import game_of_record, replay

HUMAN = "human"
"""The name of the player at the keyboard."""


class UnknownMatch(Unknown):
    """No saved match or file has this name."""

    kind = "match"


class NotResumable(ReadyRoomError):
    """The match cannot be resumed; the message says why."""


class WrittenElsewhere(ReadyRoomError):
    """Another program writes to the same record."""


class KeyFile(msgspec.Struct, forbid_unknown_fields=True):
    """What is stored next to a record: the dice secret, the seats, the folder of figures, and a sealed scenario."""

    secret: str
    seats: dict[str, str]
    data: str | None = None
    sealed: records.Sealed | None = None


def folder() -> Path:
    """Return the folder of the saved matches."""
    return data_folder() / "matches"


def _kept() -> list[Path]:
    paths = [path for path in folder().glob("*.jsonl") if path.is_file()]
    return sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def find_record(name: str) -> Path:
    """Return the record file or saved match of this name; raise `UnknownMatch` if there is none."""
    for path in (Path(name), folder() / f"{name}.jsonl"):
        if path.is_file():
            return path
    raise UnknownMatch(name, [path.stem for path in _kept()], where=f"{folder()} or as a file")


def _finished(text: str) -> bool:
    """Return whether the record ends with a complete outcome line."""
    return text.endswith("\n") and text[:-1].rpartition("\n")[2].startswith('{"outcome":')


def _is_of(text: str, game: str) -> bool:
    line = text.partition("\n")[0]
    if f'"game":"{game}"' in line:
        return True
    header = records.parse(f"{line}\n").header
    return game in game_names() and header.game in load_game(game).formerly and game_of_record(header).key == game


def known_players(game: Game[Any, Any]) -> list[str]:
    """Return who can play a seat: people and the game's bots."""
    return [HUMAN, *bot_names(game)]


def key_beside(path: Path) -> KeyFile | None:
    """Return the key file next to a record, if there is one; raise `InvalidData` if it is malformed."""
    sibling = path.with_suffix(".key")
    if not sibling.is_file():
        return None
    try:
        return msgspec.json.decode(sibling.read_bytes(), type=KeyFile)
    except msgspec.DecodeError as error:
        raise invalid_data(str(sibling), error) from error


def secret_beside(path: Path) -> bytes | None:
    """Return the secret in the key file next to a record, if there is one."""
    key = key_beside(path)
    try:
        return bytes.fromhex(key.secret) if key and key.secret else None
    except ValueError as error:
        raise InvalidRecord(1, f"its key file {path.with_suffix('.key').name} has no hexadecimal dice key") from error


def figures_beside(path: Path) -> Path | None:
    """Return the folder of own data that a saved match uses, if any."""
    key = key_beside(path)
    return Path(key.data) if key and key.data else None


def _key_for(path: Path, header: records.Header) -> KeyFile | None:
    """Return the key file of a match to resume; raise `NotResumable` if it needs a dice key and there is none."""
    key, sibling = key_beside(path), path.with_suffix(".key")
    if header.seed is None and header.dice == "keyed" and not (key and key.secret):
        raise NotResumable(
            f"The match cannot continue without its dice key; {sibling} {'lacks it' if key else 'is missing'}."
        )
    return key


def _check_seats(sibling: Path, seats: Mapping[str, str], match: Match[Any, Any]) -> None:
    """Raise `InvalidData` unless the key file names a known player for exactly the seats of the match."""
    expected = [seat.key for seat in match.seats]
    if sorted(seats) != sorted(expected):
        raise InvalidData(str(sibling), "seats", f"the seats {', '.join(expected)}", ", ".join(seats) or "none")
    known = known_players(match.game)
    for seat, player in seats.items():
        if player not in known and not can_play(match.game, player):
            raise InvalidData(str(sibling), f"seats.{seat}", f"one of {', '.join(known)}", repr(player))


def _replayed(
    kind: type[Match[Any, Any]],
    record: str,
    game: Game[Any, Any],
    secret: bytes | None,
    sealed: records.Sealed | None,
    path: Path,
) -> tuple[Match[Any, Any], list[str]]:
    """Return the match of a record, and notes for its player if it was saved under an earlier version of the rules.

    If a decision is no longer legal, the match stops before it and a copy of the record is saved.
    """
    parsed = records.parse(record)
    version = parsed.header.version
    if version not in game.previous:
        return replay(record, game=game, secret=secret, sealed=sealed, kind=kind), []
    updated = f"This match was saved with version {version} of the rules and continues with version {game.version}"
    try:
        match = replay(record, game=game, secret=secret, sealed=sealed, kind=kind)
        return match, [f"{updated}; earlier results may differ."]
    except InvalidRecord as error:
        if error.line == 1:
            raise
        legal = error.line - 1
    old = path.with_name(f"{path.name}.version-{version}")
    files.save(old, record)
    sound = "".join(f"{line}\n" for line in record.split("\n")[:legal])
    match = replay(sound, game=game, secret=secret, sealed=sealed, kind=kind)
    back = f"decision {legal} is no longer legal, so the match went back to it"
    return match, [f"{updated}; {back}. The earlier record was saved as {old.name}."]


class SavedMatch:
    """A saved match: after `keep` returns, its decisions are on the disk.

    `path` is the record, `match` the match, `seats` who plays which seat, `notes` what to show the player at the start.
    """

    def __init__(self, path: Path, match: Match[Any, Any], seats: dict[str, str], data: Path | None) -> None:
        self.path, self.match, self.seats, self.data = path, match, seats, data
        self.notes: list[str] = []
        self._lines = self._size = 0

    @property
    def name(self) -> str:
        """Return the name for `--resume`."""
        return self.path.stem if self.path.parent == folder() else str(self.path)

    @classmethod
    def start(cls, match: Match[Any, Any], seats: dict[str, str], data: Path | None, name: str = "") -> SavedMatch:
        """Save a new match under a name, or else the next free one; raise `SaveError` if the name is taken."""
        kept = cls(_reserve(match.game.key, name), match, seats, data)
        try:
            kept.write_key()
            kept.write()
        except SaveError:
            kept.path.with_suffix(".key").unlink(missing_ok=True)
            raise
        return kept

    @classmethod
    def resume(cls, path: Path, data: Path | None) -> SavedMatch:
        """Resume an unfinished match; an incomplete last line is repaired.

        Raises `NotResumable`, or `InvalidData` if the key file or the folder of own data is invalid.
        """
        try:
            return cls._resumed(path, data)
        except InvalidRecord as error:
            raise NotResumable(f"{path} cannot be resumed: {error}") from error

    @classmethod
    def resume_latest(cls, data: Path | None, game: str | None = None) -> SavedMatch:
        """Resume the last unfinished match (of this game) that is sound; raise `NotResumable` if there is none."""
        left: list[str] = []
        for path in _kept():
            try:
                text = records.read(path)
                if _finished(text) or (game is not None and not _is_of(text, game)):
                    continue
                kept = cls._resumed(path, data)
            except ReadyRoomError as error:
                left.append(f"{path.stem} was skipped: {error}")
            else:
                kept.notes.extend(left)
                return kept
        none = f"No unfinished match {f'of {game} ' if game else ''}in {folder()}"
        raise NotResumable("; ".join([none, *(sentence.rstrip(".") for sentence in left)]) + ".")

    @classmethod
    def _resumed(cls, path: Path, data: Path | None) -> SavedMatch:
        text = records.read(path)
        parsed = records.parse(text, repair=True)
        if parsed.ending is not None:
            raise NotResumable(f"The match in {path} is over ({parsed.ending.outcome.title}); use `readyroom replay`.")
        key = _key_for(path, parsed.header)
        sound = "".join(f"{line}\n" for line in text.split("\n")[: 1 + len(parsed.entries)])
        place = data or figures_beside(path)
        game = game_of_record(parsed.header, place)
        kind = Match if parsed.header.dice == "keyed" else ManualDiceMatch
        match, note = _replayed(kind, sound, game, secret_beside(path), key.sealed if key else None, path)
        if key is not None:
            _check_seats(path.with_suffix(".key"), key.seats, match)
        kept = cls(path, match, key.seats if key else {}, place)
        kept.notes.extend(note)
        if parsed.is_incomplete:
            on = f"the match continues after line {1 + len(parsed.entries)}"
            over = "the match is over, and the record is complete again"
            kept.notes.append(f"The last line of the record was incomplete; {over if match.outcome else on}.")
        if text == match.record():
            kept._lines, kept._size = len(match.record_lines()), path.stat().st_size
        else:
            kept.write()
        return kept

    def write(self) -> None:
        """Write the whole record; on `SaveError` the old one stays."""
        text = self.match.record()
        files.save(self.path, text)
        self._lines, self._size = len(self.match.record_lines()), len(text.encode())

    def write_key(self) -> None:
        """Write the key file, readable by its owner only."""
        secret = self.match.secret
        data = str(self.data.resolve()) if self.data else None
        key = KeyFile(secret.hex() if secret else "", self.seats, data, self.match.sealed)
        files.save(self.path.with_suffix(".key"), msgspec.json.encode(key).decode() + "\n", mode=0o600)

    def keep(self) -> None:
        """Save the decisions since the last call; on `SaveError` the record stays as it was."""
        lines = self.match.record_lines()
        if len(lines) == self._lines:
            return
        if self.path.stat().st_size != self._size:
            raise WrittenElsewhere(f"Another program changed {self.path}; your decisions since then are not saved.")
        files.append(self.path, lines[self._lines :])
        self._lines, self._size = len(lines), self.path.stat().st_size

    def copy_to(self, path: Path) -> None:
        """Save the match in another file, with its key next to it; only its own earlier copy is overwritten."""
        if not path.parent.is_dir():
            raise SaveError(f"{path.parent} is not a folder; nothing was saved.")
        if not self._may_be_written(path):
            raise SaveError(f"{path} or its key file would overwrite another file; nothing was saved.")
        copy = SavedMatch(path, self.match, self.seats, self.data)
        copy.write_key()
        copy.write()

    def _may_be_written(self, path: Path) -> bool:
        if not path.name or path.suffix == ".key":
            return False
        if path.is_file():
            return self.match.record().encode().startswith(path.read_bytes())
        return not path.exists() and not path.with_suffix(".key").exists()


def _reserve(game: str, name: str = "") -> Path:
    """Return the path of a name, or of the next free one; its key file is created at once, to reserve it."""
    taken = [path.stem.removeprefix(f"{game}-") for path in folder().glob(f"{game}-*")]
    for number in count(1 + max((int(end) for end in taken if end.isdecimal()), default=0)):
        path = folder() / f"{name or f'{game}-{number}'}.jsonl"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path.with_suffix(".key"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            if not name:
                continue
            if path.exists():
                raise SaveError(f"{path} exists already; nothing was saved.") from None
        except OSError as error:
            why = error.strerror or error
            raise SaveError(f"Cannot write to {path.parent}: {why}. Set {HOME} to a folder for matches.") from error
        return path
    raise AssertionError("there is always a next number")
