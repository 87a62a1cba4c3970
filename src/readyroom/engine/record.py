"""The record of a match: JSON Lines chained by hashes; writing, reading, replaying, verifying.

A record has a header, one line for each decision and undo in order of play, and, once the match is over, a line with
the outcome and the secret behind the dice. Dice are not stored (except those entered by hand): they follow from the
secret, whose fingerprint is in the header.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from readyroom.engine.data import ready
from readyroom.engine.dice import RecordedDice, secret_of_seed
from readyroom.engine.errors import InvalidDice, InvalidRecord, ReadyRoomError, SaveError
from readyroom.engine.game import Game, Scenario, load_game
from readyroom.engine.state import Outcome

if TYPE_CHECKING:
    from readyroom.engine.match import Match

FORMAT = 1
_HASH, _END, _TAIL = b',"hash":"', b'"}', 43
"""Every line ends with its hash: 32 digits between these marks."""
_HASHER = blake2b(digest_size=16)
_encode_lines = msgspec.json.Encoder().encode_lines


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: game, version, scenario, options, seats, and the fingerprint of the dice."""

    readyroom: int
    game: str
    version: str
    data: str
    scenario: str
    own: str | None
    options: dict[str, str]
    seats: list[str]
    nonces: dict[str, str]
    fingerprint: str
    seed: str | None
    dice: str


class Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A decision: its number, seat, rule and keys, and any dice entered by hand for it."""

    n: int
    seat: str
    rule: str
    chose: tuple[str, ...]
    block: int = 0
    dice: dict[str, list[int]] | None = None
    drawn: dict[str, str] | None = None


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An undo: its number, the seat, the numbers of the undone decisions, and whether all players agreed."""

    n: int
    by: str
    undo: tuple[int, ...]
    leave: bool


class Fork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of dice: the fingerprint of their secret."""

    n: int
    fork: str


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the outcome, a hash of the final state, and the secrets behind the dice."""

    outcome: Outcome
    state: str
    secrets: list[str | None]


RecordEntry = Entry | Undo | Fork


class Parsed(msgspec.Struct, frozen=True):
    """A parsed record: its header, its entries with their line numbers, and the ending if there is one.

    `is_incomplete`: the last line was cut off and dropped.
    """

    header: Header
    entries: list[tuple[int, RecordEntry]]
    ending: Ending | None
    is_incomplete: bool


def first_line(header: Header) -> str:
    """Return the header's line."""
    return _chained([header], "")[0]


def next_line(entry: RecordEntry | Ending, before: str) -> str:
    """Return the line of an entry, chained to the previous line."""
    return next_lines([entry], before)[0]


def next_lines(entries: Iterable[RecordEntry | Ending], before: str) -> list[str]:
    """Return the lines of entries, each chained to the previous one."""
    return _chained(list(entries), before[-34:-2])


def _chained(contents: Sequence[object], before: str) -> list[str]:
    lines = []
    for line in _encode_lines(contents).decode().split("\n")[:-1]:
        content = line[:-1]
        hasher = _HASHER.copy()
        hasher.update((before + content).encode())
        before = hasher.hexdigest()
        lines.append(f'{content},"hash":"{before}"}}')
    return lines


# -- reading ---------------------------------------------------------------------------------------------------------


def parse(record: str | Iterable[str], *, repair: bool = False) -> Parsed:
    """Read a record and check its chain.

    Args:
        record: the text, or its lines.
        repair: drop a last line that was cut off instead of rejecting the record.

    Raises:
        InvalidRecord: with the first invalid line.
    """
    lines = record.split("\n") if isinstance(record, str) else [line.rstrip("\n") for line in record]
    complete = not isinstance(record, str) or lines[-1] == ""
    if lines and lines[-1] == "":
        lines.pop()
    if not lines:
        raise InvalidRecord(1, "the record is empty")
    contents, is_incomplete = _unchain(lines, repair, complete)
    header = _header(contents[0])
    ending: Ending | None = None
    entries: list[tuple[int, RecordEntry]] = []
    for number, content in enumerate(contents[1:], start=2):
        if ending is not None:
            raise InvalidRecord(number, "the record continues after its end")
        line = _parse_entry(content, number)
        if isinstance(line, Ending):
            ending = line
        else:
            entries.append((number, line))
    return Parsed(header, entries, ending, is_incomplete)


def _unchain(lines: Sequence[str], repair: bool, complete: bool) -> tuple[list[bytes], bool]:
    contents: list[bytes] = []
    before = b""
    for number, line in enumerate(lines, start=1):
        encoded = _bytes(line, number)
        content, digest = encoded[:-_TAIL], encoded[-34:-2]
        last = number == len(lines)
        marked = encoded.endswith(_END) and encoded[-_TAIL:-34] == _HASH and content.startswith(b"{")
        if not marked or (last and not complete):
            if last and repair and number > 1:
                return contents, True
            raise InvalidRecord(number, "it is cut off" if last and not complete else "it does not end with a hash")
        hasher = _HASHER.copy()
        hasher.update(before + content)
        if hasher.hexdigest().encode() != digest:
            raise InvalidRecord(number, "its hash does not match the text up to here")
        before = digest
        contents.append(content + b"}")
    return contents, False


def _bytes(line: str, number: int) -> bytes:
    try:
        return line.encode(errors="surrogateescape")
    except UnicodeEncodeError as error:
        raise InvalidRecord(number, "it is not UTF-8 text") from error


def _header(content: bytes) -> Header:
    try:
        header = msgspec.json.decode(content, type=ready(Header))
    except msgspec.DecodeError as error:
        raise InvalidRecord(1, f"it is not a record header ({error})") from error
    if header.readyroom != FORMAT:
        raise InvalidRecord(1, f"its format is {header.readyroom}; supported is {FORMAT}")
    return header


def _parse_entry(content: bytes, number: int) -> RecordEntry | Ending:
    try:
        return _DECODERS[_kind(content)].decode(content)  # type: ignore[no-any-return]
    except msgspec.DecodeError as error:
        raise InvalidRecord(number, f"it is not a record line ({error})") from error


_DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    kind.__name__: msgspec.json.Decoder(kind) for kind in (Entry, Undo, Fork, Ending)
}


def _kind(content: bytes) -> str:
    """Return the kind of a line by its first field names."""
    if b'"seat":' in content[:24]:
        return "Entry"
    if content.startswith(b'{"outcome":'):
        return "Ending"
    return "Undo" if b'"undo":' in content else "Fork"


def read(path: Path) -> str:
    """Return the text of a record file; a binary file raises `InvalidRecord` for line 1.

    An incomplete last line, even one cut off within a character, is left to `parse`.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise SaveError(f"Cannot read {path}: {error.strerror or error}.") from error
    if not text.startswith(b"{") and (b"\0" in text or not _is_text(text)):
        raise InvalidRecord(1, f"{path.name} is not a text file")
    return text.decode(errors="surrogateescape")


def _is_text(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


# -- replaying -------------------------------------------------------------------------------------------------------


def replay(
    kind: type[Match[Any, Any]],
    record: str | Iterable[str] | Parsed,
    upto: int | None = None,
    *,
    game: Game[Any, Any] | None = None,
    secret: bytes | None = None,
    quick: bool = False,
) -> Match[Any, Any]:
    """Return the match of a record up to entry `upto`; `quick`: without a log. See `Match.replay`."""
    parsed = record if isinstance(record, Parsed) else parse(record)
    match = match_from_header(kind, parsed, game, secret, quick=quick)
    for line, entry in parsed.entries:
        if upto is not None and entry.n > upto:
            break
        match = _apply(match, parsed, entry, line)
    return match


def iter_replay(
    kind: type[Match[Any, Any]],
    record: str | Iterable[str] | Parsed,
    *,
    game: Game[Any, Any] | None = None,
) -> Iterator[tuple[Match[Any, Any], RecordEntry]]:
    """Yield the match before each entry, and the entry, which is applied when the iteration continues.

    Raises:
        InvalidRecord: with the line and what differs.
    """
    parsed = record if isinstance(record, Parsed) else parse(record)
    match = match_from_header(kind, parsed, game, None)
    for line, entry in parsed.entries:
        yield match, entry
        match = _apply(match, parsed, entry, line)


def match_from_header(
    kind: type[Match[Any, Any]],
    parsed: Parsed,
    game: Game[Any, Any] | None,
    secret: bytes | None,
    start: bytes | None = None,
    *,
    quick: bool = False,
) -> Match[Any, Any]:
    """Return the match at its start from a record's header; raise `InvalidRecord` for line 1 if that is impossible."""
    header = parsed.header
    try:
        game = game or load_game(header.game)
        previous = game.previous.get(header.version)
        if header.data != game.data_fingerprint and (previous is None or header.data != previous.figures):
            versions = f"record {header.data}, installed {game.data_fingerprint}"
            raise InvalidRecord(1, f"it was played with different game data ({versions}); pass your own with --data")
        match = kind(
            game,
            _scenario(header, game),
            {**previous.options, **header.options} if previous else header.options,
            header.seed,
            nonces=header.nonces,
            secret=_secret(parsed, 0, secret),
            dice=_manual_dice(parsed) if header.dice == "told" else None,
            start=start,
            log=not quick,
            checkpoints=not quick or any(not isinstance(entry, Entry) for _, entry in parsed.entries),
        )
    except InvalidRecord:
        raise
    except ReadyRoomError as error:
        raise InvalidRecord(1, str(error).rstrip(".")) from error
    if header.dice == "keyed" and match.fingerprint != header.fingerprint:
        raise InvalidRecord(1, "the dice key does not match the published dice seed hash")
    if (seats := [seat.key for seat in match.seats]) != header.seats:
        raise InvalidRecord(1, f"the seats are {', '.join(seats)}, not {', '.join(header.seats) or 'none'}")
    match.continue_record(header)
    return match


def _scenario(header: Header, game: Game[Any, Any]) -> Scenario:
    if header.own is not None:
        return game.own_scenario(header.own.encode(), f"{header.scenario}.toml")
    return game.scenario(header.scenario)


def _secret(parsed: Parsed, at: int, given: bytes | None) -> bytes:
    header = parsed.header
    published = parsed.ending.secrets[at] if parsed.ending and at < len(parsed.ending.secrets) else None
    if published is not None:
        try:
            return bytes.fromhex(published)
        except ValueError as error:
            raise InvalidRecord(len(parsed.entries) + 2, "the dice key is not hexadecimal") from error
    if given is not None and at == 0:
        return given
    if header.seed is not None and at == 0:
        return secret_of_seed(header.seed)
    if header.dice == "told":
        return b""
    raise InvalidRecord(1, "the dice key is published only when the match is over, and none was given")


def _manual_dice(parsed: Parsed) -> RecordedDice:
    """Return dice that repeat, event by event, what was entered when the record was made."""
    entries = [entry for _, entry in parsed.entries if isinstance(entry, Entry)]
    faces = {event: list(dice) for entry in entries for event, dice in (entry.dice or {}).items()}
    drawn = {event: key for entry in entries for event, key in (entry.drawn or {}).items()}

    def source(event: str, count: int, sides: int) -> list[int]:
        rolled, faces[event] = faces.get(event, [])[:count], faces.get(event, [])[count:]
        return rolled

    def picker(event: str, keys: Sequence[str]) -> str:
        if event not in drawn:
            raise InvalidDice(f"The record has no draw for {event}.")
        return drawn[event]

    return RecordedDice(source, picker)


def _apply(match: Match[Any, Any], parsed: Parsed, entry: RecordEntry, line: int) -> Match[Any, Any]:
    try:
        return _apply_entry(match, parsed, entry, line)
    except InvalidRecord as error:
        raise _with_versions(error, parsed.header, match.game) from error


def _with_versions(error: InvalidRecord, header: Header, game: Game[Any, Any]) -> InvalidRecord:
    """Return the error; if the record is from another version of the game, its text says so."""
    if header.version == game.version:
        return error
    versions = f"played under rules version {header.version}; installed is {game.version}"
    return InvalidRecord(error.line, f"{error.differs} ({versions})")


def _apply_entry(match: Match[Any, Any], parsed: Parsed, entry: RecordEntry, line: int) -> Match[Any, Any]:
    try:
        if isinstance(entry, Fork):
            forks = sum(1 for at, other in parsed.entries if isinstance(other, Fork) and at <= line)
            match = match.fork(_secret(parsed, forks, None))
            if match.fingerprint != entry.fork:
                raise InvalidRecord(line, "the key of the new dice does not match their seed hash")
        elif isinstance(entry, Undo):
            match.replay_undo(entry)
        else:
            _decide(match, entry, line)
    except InvalidRecord:
        raise
    except ReadyRoomError as error:
        raise InvalidRecord(line, str(error).rstrip(".")) from error
    if match.revision != entry.n:
        raise InvalidRecord(line, f"its number should be {match.revision}")
    return match


def _decide(match: Match[Any, Any], entry: Entry, line: int) -> None:
    decision = match.pending.get(entry.seat)
    if decision is not None and decision.rule != entry.rule:
        raise InvalidRecord(line, f"the pending decision is under rule {decision.rule}, not {entry.rule}")
    match.decide(entry.seat, entry.chose)


# -- verifying -------------------------------------------------------------------------------------------------------


def verify(record: str, kind: type[Match[Any, Any]], game: Game[Any, Any] | None = None) -> Match[Any, Any]:
    """Verify a record: its chain, its dice, the legality of every decision, and its outcome. The match has no log.

    A record of a previous version of the game is replayed under the present rules. It is valid if every decision is
    legal and the same side wins; the text of the outcome and the layout of the state may differ.

    Raises:
        InvalidRecord: with the invalid line.
    """
    parsed = parse(record)
    match = replay(kind, parsed, game=game, quick=True)
    if parsed.header.version not in (match.game.version, *match.game.previous):
        raise InvalidRecord(1, f"it was played by version {parsed.header.version}; installed is {match.game.version}")
    try:
        _check_ending(match, parsed, record)
    except InvalidRecord as error:
        raise _with_versions(error, parsed.header, match.game) from error
    return match


def _check_ending(match: Match[Any, Any], parsed: Parsed, record: str) -> None:
    ending, last = parsed.ending, len(parsed.entries) + 2
    if ending is None:
        if match.outcome is not None:
            raise InvalidRecord(last, "the match is over after replay, but the record has no outcome")
        return
    if match.outcome is None:
        raise InvalidRecord(last, "the match is not over after replay")
    previous = parsed.header.version in match.game.previous
    if match.outcome.winner != ending.outcome.winner or not (previous or match.outcome == ending.outcome):
        raise InvalidRecord(last, f"the outcome is {match.outcome.title}, not {ending.outcome.title}")
    if not previous and match.digest() != ending.state:
        raise InvalidRecord(last, "the final position differs")
    upto = -1 if previous else None
    if match.record_lines()[:upto] != record.split("\n")[:-1][:upto]:
        raise InvalidRecord(last, "replaying the match writes a different record")
