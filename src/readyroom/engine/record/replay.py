"""Replay a record as a match, and verify it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import UNSET

from readyroom.engine.errors import InvalidDice, InvalidRecord, ReadyRoomError
from readyroom.engine.game import Game, Scenario, load_game
from readyroom.engine.match import Match, Start
from readyroom.engine.record.format import Entry, Fork, Header, Parsed, RecordEntry, Sealed, Undo, parse
from readyroom.engine.rules.dice import RecordedDice, secret_of_seed
from readyroom.engine.rules.table import LoggedEvent

AnyMatch: TypeAlias = Match[Any, Any]

# -- replaying -------------------------------------------------------------------------------------------------------


def replay(
    record: str | Iterable[str] | Parsed,
    upto: int | None = None,
    *,
    game: Game[Any, Any] | None = None,
    secret: bytes | None = None,
    sealed: Sealed | None = None,
    quick: bool = False,
    kind: type[AnyMatch] = Match,
    progress: Callable[[float], object] = lambda share: None,
) -> AnyMatch:
    """Return the match of a record.

    Args:
        record: the text, its lines, or the parsed record.
        upto: the revision to stop at; None: replay all of it.
        game: replaces the installed game of that name, for instance by one with your own data.
        secret: needed for the record of an unfinished match without a seed.
        sealed: the sealed scenario of an unfinished match.
        quick: keep no log, and checkpoints only if the record needs them.
        kind: the class of the match.
        progress: called after each entry with the finished share, from 0 to 1.

    Raises:
        InvalidRecord: with the line and what differs.
    """
    parsed = record if isinstance(record, Parsed) else parse(record)
    match = match_from_header(parsed, game, secret, sealed=sealed, quick=quick, kind=kind)
    for done, (line, entry) in enumerate(parsed.entries, start=1):
        if upto is not None and entry.n > upto:
            break
        match = apply_entry(match, parsed, entry, line)
        progress(done / len(parsed.entries))
    return match


def iter_replay(
    record: str | Iterable[str] | Parsed,
    *,
    game: Game[Any, Any] | None = None,
) -> Iterator[tuple[AnyMatch, RecordEntry]]:
    """Yield the match before each entry, and the entry, which is applied when the iteration continues.

    Raises:
        InvalidRecord: with the line and what differs.
    """
    parsed = record if isinstance(record, Parsed) else parse(record)
    match = match_from_header(parsed, game, None)
    for line, entry in parsed.entries:
        yield match, entry
        match = apply_entry(match, parsed, entry, line)


def match_from_header(
    parsed: Parsed,
    game: Game[Any, Any] | None,
    secret: bytes | None,
    start: Start | None = None,
    *,
    sealed: Sealed | None = None,
    quick: bool = False,
    kind: type[AnyMatch] = Match,
    opening: Callable[[AnyMatch], Callable[[LoggedEvent], object]] | None = None,
) -> AnyMatch:
    """Return the match at its start from a record's header; raise `InvalidRecord` for line 1 if that is impossible.

    `opening` is that of `Match`.
    """
    header = parsed.header
    try:
        sealed = _sealed(parsed, sealed or parsed.sealed)
        game = game or game_of_record(header)
        previous = game.previous.get(header.version)
        if header.data != game.data_fingerprint and (previous is None or header.data != previous.figures):
            versions = f"record {header.data}, installed {game.data_fingerprint}"
            raise InvalidRecord(1, f"it was played with different game data ({versions}); pass your own with --data")
        match = kind(
            game,
            _scenario(header, game) if sealed is None else own_scenario(header, game, sealed.text),
            {**previous.options, **header.options} if previous else header.options,
            header.seed,
            nonces=header.nonces,
            secret=secret_of(parsed, 0, secret),
            known_dice=bool(header.origin),
            dice=_manual_dice(parsed) if header.dice == "told" else None,
            start=start,
            log=not quick,
            checkpoints=not quick or any(not isinstance(entry, Entry) for _, entry in parsed.entries),
            opening=opening,
            salt=sealed.salt if sealed else "",
        )
    except InvalidRecord:
        raise
    except ReadyRoomError as error:
        raise InvalidRecord(1, str(error).rstrip(".")) from error
    if header.dice == "keyed" and match.header.fingerprint != header.fingerprint:
        raise InvalidRecord(1, "the dice key does not match the published dice seed hash")
    if (seats := [seat.key for seat in match.seats]) != header.seats:
        raise InvalidRecord(1, f"the seats are {', '.join(seats)}, not {', '.join(header.seats) or 'none'}")
    match.continue_record(header)
    return match


def game_of_record(header: Header, data: Path | None = None) -> Game[Any, Any]:
    """Return the game of a record, also if it has another key now; its data is overridden if a folder is given."""
    return load_game(header.game, data, partial(_scenario, header))


def _scenario(header: Header, game: Game[Any, Any]) -> Scenario:
    if header.own is not None:
        return own_scenario(header, game, header.own)
    return game.scenario(header.scenario)


def own_scenario(header: Header, game: Game[Any, Any], text: str) -> Scenario:
    """Return the custom scenario of a record from its text."""
    return game.own_scenario(text.encode(), f"{header.scenario}.toml")


def _sealed(parsed: Parsed, given: Sealed | None) -> Sealed | None:
    """Return the sealed scenario of a record, if it has one; `given` is an unfinished match's. `InvalidRecord`."""
    opened = parsed.ending.opened if parsed.ending else UNSET
    sealed, expected = given if opened is UNSET else opened, parsed.header.sealed
    if expected is UNSET:
        return None
    if sealed is None:
        raise InvalidRecord(1, "the match is unfinished; its scenario is sealed until the match is over")
    if sealed.hash != expected:
        raise InvalidRecord(1, "the scenario does not match the sealed one")
    return sealed


def secret_of(parsed: Parsed, at: int, given: bytes | None) -> bytes:
    """Return the secret behind the dice after `at` forks; `given` is that of an unfinished match. `InvalidRecord`."""
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
    raise InvalidRecord(1, "the match is unfinished; its dice key, published only when the match is over, is needed")


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


def apply_entry(match: AnyMatch, parsed: Parsed, entry: RecordEntry, line: int) -> AnyMatch:
    """Apply an entry of a record; return the match, or after a fork the new one. `InvalidRecord`."""
    try:
        if isinstance(entry, Entry):
            _decide(match, entry, line)
        elif isinstance(entry, Undo):
            match.replay_undo(entry)
        else:
            match = _fork(match, parsed, entry, line)
        if match.revision != entry.n:
            raise InvalidRecord(line, f"its number should be {match.revision}")
    except InvalidRecord as error:
        raise _with_versions(error, parsed.header, match.game) from error
    except ReadyRoomError as error:
        invalid = InvalidRecord(line, str(error).rstrip("."))
        raise _with_versions(invalid, parsed.header, match.game) from error
    return match


def _with_versions(error: InvalidRecord, header: Header, game: Game[Any, Any]) -> InvalidRecord:
    """Return the error; if the record is from another version of the game, its text says so."""
    if header.version == game.version:
        return error
    versions = f"played under rules version {header.version}; installed is {game.version}"
    return InvalidRecord(error.line, f"{error.differs} ({versions})")


def _fork(match: AnyMatch, parsed: Parsed, fork: Fork, line: int) -> AnyMatch:
    forks = sum(1 for at, other in parsed.entries if isinstance(other, Fork) and at <= line)
    forked = match.fork(secret_of(parsed, forks, None))
    if forked.fingerprint != fork.fork:
        raise InvalidRecord(line, "the key of the new dice does not match their dice seed hash")
    return forked


def _decide(match: AnyMatch, entry: Entry, line: int) -> None:
    if (rule := match.decision_for(entry.seat).rule) != entry.rule:
        raise InvalidRecord(line, f"the pending decision is under rule {rule}, not {entry.rule}")
    match.decide(entry.seat, entry.chose)


# -- verifying -------------------------------------------------------------------------------------------------------


def verify(
    record: str,
    game: Game[Any, Any] | None = None,
    kind: type[AnyMatch] = Match,
    *,
    quick: bool = True,
    progress: Callable[[float], object] = lambda share: None,
) -> AnyMatch:
    """Verify a record: its chain, signature, dice, the legality of every decision, and its outcome.

    A record of a previous version of the game is replayed under the present rules. It is valid if every decision is
    legal and the same side wins; the text of the outcome and the layout of the state may differ. `quick` and `progress`
    are as for `replay`.

    Raises:
        InvalidRecord: with the invalid line.
    """
    from readyroom.engine.record.signature import check_signature  # takes long to load, and replays do not need it

    parsed = parse(record)
    check_signature(parsed.header)
    match = replay(parsed, game=game, quick=quick, kind=kind, progress=progress)
    if parsed.header.version not in (match.game.version, *match.game.previous):
        raise InvalidRecord(1, f"it was played by version {parsed.header.version}; installed is {match.game.version}")
    try:
        _check_ending(match, parsed, record)
    except InvalidRecord as error:
        raise _with_versions(error, parsed.header, match.game) from error
    return match


def _check_ending(match: AnyMatch, parsed: Parsed, record: str) -> None:
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
