"""The format of a match's record: JSON Lines chained by hashes; writing and reading.

A record has a header, one line for each decision and undo in order of play, and, once the match is over, a line with
the outcome and the secret behind the dice. Dice are not stored (except those entered by hand): they follow from the
secret, whose hash is in the header as the dice seed hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from readyroom.engine.data import ready
from readyroom.engine.errors import InvalidRecord, SaveError
from readyroom.engine.rules.state import Outcome

FORMAT = 1
Origin: TypeAlias = Literal["seed", "import", "branch", "daily", "practice", "past"]
_HASH, _END, _TAIL = b',"hash":"', b'"}', 43
"""Every line ends with its hash: 32 digits between these marks."""
_encode_lines = msgspec.json.Encoder().encode_lines


DAILY: tuple[Origin, ...] = ("daily", "practice", "past")
"""The origins of attempts at a challenge of the day."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: game, version, scenario, options, seats, and the dice seed hash.

    `origin` says why a player may know the dice: "seed", "import" or "branch"; "daily" for the counted attempt at the
    challenge of the day, "practice" for a later one, "past" for one after the day; then `day` is its date. Servers add
    the id of the match, their public key and its signature of the header; see `signature`.

    A match of a campaign names in `before` the hash of the campaign's record up to then. `sealed` is the hash of a
    scenario that is disclosed when the match is over.
    """

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
    origin: Origin | UnsetType = UNSET
    day: str | UnsetType = UNSET
    before: str | UnsetType = UNSET
    sealed: str | UnsetType = UNSET
    match: str | UnsetType = UNSET
    signer: str | UnsetType = UNSET
    signature: str | UnsetType = UNSET


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
    """A change of dice: the dice seed hash of the new dice."""

    n: int
    fork: str


class Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario that players do not know before the match is over, and the random text that hides its hash."""

    text: str
    salt: str

    @property
    def hash(self) -> str:
        """The hash that is published before the match."""
        return _hash(f"{self.salt}\n{self.text}".encode())


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the outcome, a hash of the final state, the secrets behind the dice, and a sealed scenario."""

    outcome: Outcome
    state: str
    secrets: list[str | None]
    opened: Sealed | UnsetType = UNSET


RecordEntry = Entry | Undo | Fork


class Parsed(msgspec.Struct, frozen=True):
    """A parsed record: its header, its entries with their line numbers, and the ending if there is one.

    `is_incomplete`: the last line was cut off and dropped. `sealed` is the sealed scenario of an unfinished match, if
    it is known.
    """

    header: Header
    entries: list[tuple[int, RecordEntry]]
    ending: Ending | None
    is_incomplete: bool
    sealed: Sealed | None = None


def first_line(header: Header) -> str:
    """Return the header's line."""
    return chain_lines([header], "")[0]


def next_line(entry: RecordEntry | Ending, before: str) -> str:
    """Return the line of an entry, chained to the previous line."""
    return next_lines([entry], before)[0]


def next_lines(entries: Iterable[RecordEntry | Ending], before: str) -> list[str]:
    """Return the lines of entries, each chained to the previous one."""
    return chain_lines(list(entries), hash_of(before))


def chain_hash(encoded: str, before: str) -> str:
    """Return the hash of a line, given its JSON without the hash, and the hash of the previous line (header: "")."""
    return _hash((before + encoded[:-1]).encode())


def hash_of(line: str) -> str:
    """Return the hash at the end of a line."""
    return line[-34:-2]


def chain_lines(contents: Sequence[object], before: str) -> list[str]:
    """Return each content as a line of JSON with its hash, chained to the hash before (none: "")."""
    lines = []
    for line in _encode_lines(contents).decode().split("\n")[:-1]:
        before = chain_hash(line, before)
        lines.append(f'{line[:-1]},"hash":"{before}"}}')
    return lines


def whole_part(lines: Iterable[str]) -> str:
    """Return the record of these lines up to the last whose hash matches; an empty text if the first does not."""
    before, whole = b"", []
    for line in lines:
        encoded = line.encode(errors="surrogatepass")
        if encoded[-_TAIL:-34] != _HASH or _hash(before + encoded[:-_TAIL]).encode() != encoded[-34:-2]:
            break
        before = encoded[-34:-2]
        whole.append(f"{line}\n")
    return "".join(whole)


def _hash(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


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
    contents, is_incomplete = unchain(lines, repair, complete)
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


def unchain(lines: Sequence[str], repair: bool = False, complete: bool = True) -> tuple[list[bytes], bool]:
    """Return the JSON of chained lines without the hashes, and whether the last line was cut off and dropped.

    Args:
        lines: the lines, the first one with a header.
        repair: drop a last line that was cut off.
        complete: whether a line break ends the last line.

    Raises:
        InvalidRecord: with the first line whose hash does not fit.
    """
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
            if number == 1 and not encoded.startswith(b'{"readyroom"'):
                raise InvalidRecord(number, "this is not a Ready Room record")
            raise InvalidRecord(number, "it is cut off" if last and not complete else "it does not end with a hash")
        if _hash(before + content).encode() != digest:
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
