"""The record of a match: JSON Lines, each line chained to the one before it by a hash; replaying; proving.

A record has a header, one line for each decision and undo in the order of play, and, once the match is over, a line
with the outcome and the secret behind the dice. No dice are stored (except those told to the table by hand): they
follow from the secret, whose fingerprint stands in the header.
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
"""Every line ends with its hash: these marks around thirty-two digits."""
_HASHER = blake2b(digest_size=16)
_encode_lines = msgspec.json.Encoder().encode_lines


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: what is played, by which version and figures, and the fingerprint of the dice."""

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
    """A decision that was taken: its number, seat, rule and keys, and any dice that were told by hand for it."""

    n: int
    seat: str
    rule: str
    chose: tuple[str, ...]
    block: int = 0
    dice: dict[str, list[int]] | None = None
    drawn: dict[str, str] | None = None


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An undo: its number, who took back, the numbers of the decisions taken back, and whether by everybody's leave."""

    n: int
    by: str
    undo: tuple[int, ...]
    leave: bool


class Fork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From here on other dice: the fingerprint of their secret."""

    n: int
    fork: str


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the outcome, a hash of the final state, and the secrets behind the dice."""

    outcome: Outcome
    state: str
    secrets: list[str | None]


RecordEntry = Entry | Undo | Fork


class Parsed(msgspec.Struct, frozen=True):
    """A record that has been read: its header, the told lines with their line numbers, and the ending if there is one.

    `torn` says that the last line was cut off in the middle and left out.
    """

    header: Header
    entries: list[tuple[int, RecordEntry]]
    ending: Ending | None
    is_incomplete: bool


def first_line(header: Header) -> str:
    """The header's line."""
    return _chained([header], "")[0]


def next_line(entry: RecordEntry | Ending, before: str) -> str:
    """A line that is chained to the one before it."""
    return next_lines([entry], before)[0]


def next_lines(entries: Iterable[RecordEntry | Ending], before: str) -> list[str]:
    """Lines of which the first is chained to the one before, and each further one to that before it."""
    return _chained(list(entries), before[-34:-2])


def _chained(contents: Sequence[object], before: str) -> list[str]:
    lines = []
    for line in _encode_lines(contents).decode().split("\n")[:-1]:  # within a line of JSON no line ends
        told = line[:-1]
        hashed = _HASHER.copy()
        hashed.update((before + told).encode())
        before = hashed.hexdigest()
        lines.append(f'{told},"hash":"{before}"}}')
    return lines


# -- reading ---------------------------------------------------------------------------------------------------------


def parse(record: str | Iterable[str], *, repair: bool = False) -> Parsed:
    """Read a record and check its chain.

    Args:
        record: the text, or its lines.
        repair: leave out a last line that was cut off in the middle instead of refusing the record.

    Raises:
        InvalidRecord: with the first line that does not hold.
    """
    lines = record.split("\n") if isinstance(record, str) else [line.rstrip("\n") for line in record]
    complete = not isinstance(record, str) or lines[-1] == ""
    if lines and lines[-1] == "":
        lines.pop()
    if not lines:
        raise InvalidRecord(1, "the record is empty")
    contents, torn = _unchain(lines, repair, complete)
    header = _header(contents[0])
    ending: Ending | None = None
    told: list[tuple[int, RecordEntry]] = []
    for number, content in enumerate(contents[1:], start=2):
        if ending is not None:
            raise InvalidRecord(number, "the record goes on after its end")
        line = _parse_entry(content, number)
        if isinstance(line, Ending):
            ending = line
        else:
            told.append((number, line))
    return Parsed(header, told, ending, torn)


def _unchain(lines: Sequence[str], repair: bool, complete: bool) -> tuple[list[bytes], bool]:
    contents: list[bytes] = []
    before = b""
    for number, line in enumerate(lines, start=1):
        whole = _bytes(line, number)
        told, digest = whole[:-_TAIL], whole[-34:-2]
        last = number == len(lines)
        marked = whole.endswith(_END) and whole[-_TAIL:-34] == _HASH and told.startswith(b"{")
        if not marked or (last and not complete):
            if last and repair and number > 1:
                return contents, True
            raise InvalidRecord(number, "it is cut off" if last and not complete else "it does not end with a hash")
        hashed = _HASHER.copy()
        hashed.update(before + told)
        if hashed.hexdigest().encode() != digest:
            raise InvalidRecord(number, "its hash does not fit what it and the lines before it say")
        before = digest
        contents.append(told + b"}")
    return contents, False


def _bytes(line: str, number: int) -> bytes:
    try:
        return line.encode(errors="surrogateescape")
    except UnicodeEncodeError as error:
        raise InvalidRecord(number, "it is no text in UTF-8") from error


def _header(content: bytes) -> Header:
    try:
        header = msgspec.json.decode(content, type=ready(Header))
    except msgspec.DecodeError as error:
        raise InvalidRecord(1, f"it is no header of a record ({error})") from error
    if header.readyroom != FORMAT:
        raise InvalidRecord(1, f"format {header.readyroom} is not known here, only {FORMAT}")
    return header


def _parse_entry(content: bytes, number: int) -> RecordEntry | Ending:
    try:
        return _DECODERS[_kind(content)].decode(content)  # type: ignore[no-any-return]
    except msgspec.DecodeError as error:
        raise InvalidRecord(number, f"it is no line of a record ({error})") from error


_DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    kind.__name__: msgspec.json.Decoder(kind) for kind in (Entry, Undo, Fork, Ending)
}


def _kind(content: bytes) -> str:
    """Which kind of line this is, by the names with which each begins."""
    if b'"seat":' in content[:24]:
        return "Entry"
    if content.startswith(b'{"outcome":'):
        return "Ending"
    return "Undo" if b'"undo":' in content else "Fork"


def read(path: Path) -> str:
    """The text of a record's file; a file that is no text raises `InvalidRecord` for line 1.

    A last line without an end may have been cut off in the middle of a letter: that is left to `parse`.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise SaveError(f"{path} cannot be read: {error.strerror or error}.") from error
    if not text.startswith(b"{") and (b"\0" in text or not _is_text(text)):
        raise InvalidRecord(1, f"{path.name} is not a text file, so it is no record")
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
    """The match that a record tells, up to number `upto`; `quick`, without log. See `Match.replay`."""
    parsed = record if isinstance(record, Parsed) else parse(record)
    match = match_from_header(kind, parsed, game, secret, quick=quick)
    for line, told in parsed.entries:
        if upto is not None and told.n > upto:
            break
        match = _follow(match, parsed, told, line)
    return match


def iter_replay(
    kind: type[Match[Any, Any]],
    record: str | Iterable[str] | Parsed,
    *,
    game: Game[Any, Any] | None = None,
) -> Iterator[tuple[Match[Any, Any], RecordEntry]]:
    """The match before each line that a record tells, and the line, which is followed when the next is asked for.

    Raises:
        InvalidRecord: with the line and what differs.
    """
    parsed = record if isinstance(record, Parsed) else parse(record)
    match = match_from_header(kind, parsed, game, None)
    for line, told in parsed.entries:
        yield match, told
        match = _follow(match, parsed, told, line)


def match_from_header(
    kind: type[Match[Any, Any]],
    parsed: Parsed,
    game: Game[Any, Any] | None,
    secret: bytes | None,
    start: bytes | None = None,
    *,
    quick: bool = False,
) -> Match[Any, Any]:
    """The match at its start, as a record's header tells it; `InvalidRecord` for line 1 if it cannot be."""
    header = parsed.header
    try:
        game = game or load_game(header.game)
        previous = game.previous.get(header.version)
        if header.data != game.data_fingerprint and (previous is None or header.data != previous.figures):
            found = f"it was played with other figures ({header.data}, here {game.data_fingerprint})"
            raise InvalidRecord(1, f"{found}; if they are your own, name their folder with --data")
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
            checkpoints=not quick or any(not isinstance(told, Entry) for _, told in parsed.entries),
        )
    except InvalidRecord:
        raise
    except ReadyRoomError as error:
        raise InvalidRecord(1, str(error).rstrip(".")) from error
    if header.dice == "keyed" and match.fingerprint != header.fingerprint:
        raise InvalidRecord(1, "the secret behind the dice does not fit the published fingerprint")
    if (seats := [seat.key for seat in match.seats]) != header.seats:
        raise InvalidRecord(1, f"the seats are {', '.join(seats)}, and not {', '.join(header.seats) or 'none'}")
    match.continue_record(header)
    return match


def _scenario(header: Header, game: Game[Any, Any]) -> Scenario:
    if header.own is not None:
        return game.own_scenario(header.own.encode(), f"{header.scenario}.toml")
    return game.scenario(header.scenario)


def _secret(parsed: Parsed, at: int, given: bytes | None) -> bytes:
    header = parsed.header
    told = parsed.ending.secrets[at] if parsed.ending and at < len(parsed.ending.secrets) else None
    if told is not None:
        try:
            return bytes.fromhex(told)
        except ValueError as error:
            raise InvalidRecord(len(parsed.entries) + 2, "the secret is no hexadecimal number") from error
    if given is not None and at == 0:
        return given
    if header.seed is not None and at == 0:
        return secret_of_seed(header.seed)
    if header.dice == "told":
        return b""
    raise InvalidRecord(1, "the secret behind the dice is not published before the match is over, and none was given")


def _manual_dice(parsed: Parsed) -> RecordedDice:
    """Dice that show, event by event, what was told when the record was made."""
    entries = [told for _, told in parsed.entries if isinstance(told, Entry)]
    faces = {event: list(shown) for entry in entries for event, shown in (entry.dice or {}).items()}
    drawn = {event: key for entry in entries for event, key in (entry.drawn or {}).items()}

    def source(event: str, count: int, sides: int) -> list[int]:
        shown, faces[event] = faces.get(event, [])[:count], faces.get(event, [])[count:]
        return shown

    def picker(event: str, keys: Sequence[str]) -> str:
        if event not in drawn:
            raise InvalidDice(f"The record tells of no draw for {event}.")
        return drawn[event]

    return RecordedDice(source, picker)


def _follow(match: Match[Any, Any], parsed: Parsed, entry: RecordEntry, line: int) -> Match[Any, Any]:
    try:
        return _next(match, parsed, entry, line)
    except InvalidRecord as error:
        raise _under_other_rules(error, parsed.header, match.game) from error


def _under_other_rules(error: InvalidRecord, header: Header, game: Game[Any, Any]) -> InvalidRecord:
    """The same error; if the record is of another version of the game, it says so."""
    if header.version == game.version:
        return error
    versions = f"it was played under version {header.version} of the rules, and this is version {game.version}"
    return InvalidRecord(error.line, f"{error.differs} ({versions})")


def _next(match: Match[Any, Any], parsed: Parsed, entry: RecordEntry, line: int) -> Match[Any, Any]:
    try:
        if isinstance(entry, Fork):
            forks = sum(1 for at, other in parsed.entries if isinstance(other, Fork) and at <= line)
            match = match.fork(_secret(parsed, forks, None))
            if match.fingerprint != entry.fork:
                raise InvalidRecord(line, "the secret behind the new dice does not fit their fingerprint")
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
        raise InvalidRecord(line, f"the rule that asks here is {decision.rule}, not {entry.rule}")
    match.decide(entry.seat, entry.chose)


# -- proving ---------------------------------------------------------------------------------------------------------


def verify(record: str, kind: type[Match[Any, Any]], game: Game[Any, Any] | None = None) -> Match[Any, Any]:
    """Prove a record: its chain, its dice, the legality of every decision, and its outcome. The match has no log.

    A record of a previous version of the game is replayed under the present rules. It holds if every decision is legal
    under them too and the same side wins; the wording of the outcome and the layout of the state may differ.

    Raises:
        InvalidRecord: with the line that does not hold.
    """
    parsed = parse(record)
    match = replay(kind, parsed, game=game, quick=True)
    if parsed.header.version not in (match.game.version, *match.game.previous):
        raise InvalidRecord(1, f"it was played by version {parsed.header.version}; here is {match.game.version}")
    try:
        _check_ending(match, parsed, record)
    except InvalidRecord as error:
        raise _under_other_rules(error, parsed.header, match.game) from error
    return match


def _check_ending(match: Match[Any, Any], parsed: Parsed, record: str) -> None:
    ending, last = parsed.ending, len(parsed.entries) + 2
    if ending is None:
        if match.outcome is not None:
            raise InvalidRecord(last, "the match is over here, and the record does not say so")
        return
    if match.outcome is None:
        raise InvalidRecord(last, "the match is not over here")
    previous = parsed.header.version in match.game.previous
    if match.outcome.winner != ending.outcome.winner or not (previous or match.outcome == ending.outcome):
        raise InvalidRecord(last, f"the outcome is {match.outcome.title}, not {ending.outcome.title}")
    if not previous and match.digest() != ending.state:
        raise InvalidRecord(last, "the final position is another one")
    upto = -1 if previous else None
    if match.record_lines()[:upto] != record.split("\n")[:-1][:upto]:
        raise InvalidRecord(last, "played again, the match writes another record")
