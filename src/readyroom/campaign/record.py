"""Reading and verifying the record of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET

from readyroom.campaign.format import FORMAT, ChapterEnd, ChapterStart, Closed, WarHeader
from readyroom.campaign.war import War, WarError
from readyroom.engine.data import ready
from readyroom.engine.errors import InvalidRecord, ReadyRoomError
from readyroom.engine.record.format import parse, unchain
from readyroom.engine.record.replay import verify

L = TypeVar("L", WarHeader, ChapterStart, ChapterEnd, Closed)
_MARK = '{"readyroom":1,"campaign":'


class _Part(NamedTuple):
    """The lines of a chapter: before it, of its match, after it (""; the chapter is in progress); `first` is where."""

    first: int
    begun: str
    match: list[str]
    finished: str

    @property
    def last(self) -> int:
        """The number of the line after the chapter."""
        return self.first + len(self.match) + bool(self.begun and self.finished)


def is_war(text: str) -> bool:
    """Return whether a text is the record of a campaign."""
    return text.startswith(_MARK)


def read_war(text: str, order: tuple[str, str] | None = None) -> War:
    """Return the campaign of a record, without replaying its matches.

    A chapter that has begun and whose match is missing begins again with the same set-up. `order` is the key and the
    salt of its sealed order, if it has one; without them it cannot be played on.

    Raises:
        InvalidRecord: with the line and what differs.
    """
    return _follow(text, lambda chapter, match: None, order)


def restore_war(text: str, order: tuple[str, str] | None = None) -> War:
    """Return the campaign of its own lines alone, whose matches are kept elsewhere; otherwise as `read_war`."""
    return _follow(text, None, order)


def verify_war(
    text: str,
    progress: Callable[[str], object] = lambda chapter: None,
    prove: Callable[[str, str], Any] = lambda chapter, match: verify(match),
) -> War:
    """Verify a record of a campaign: every match, and every fact, row and ledger quantity.

    Args:
        text: the record.
        progress: called with the title of each chapter before its match is verified.
        prove: verifies the record of a chapter's match, and returns the match.

    Raises:
        InvalidRecord: with the first line that differs, and the chapter.
    """

    def follow(chapter: str, match: str) -> Any:
        progress(chapter)
        return prove(chapter, match)

    return _follow(text, follow)


Prove: TypeAlias = Callable[[str, str], Any] | None
"""Returns the match of a chapter from its record, verified; None: not replayed. Without it records are elsewhere."""


def _follow(text: str, prove: Prove, sealed: tuple[str, str] | None = None) -> War:
    """Repeat a campaign along its record, and compare every line."""
    lines = text.split("\n")
    if lines[-1]:
        raise InvalidRecord(len(lines), "it is cut off")
    lines.pop()
    if not is_war(text):
        raise InvalidRecord(1, "this is not the record of a campaign")
    war = _open(lines, check=prove is not None)
    number = 2
    while number <= len(lines):
        part = _next_part(lines, number)
        title = war.next_chapter.title if war.next_chapter else ""
        try:
            _repeat(war, part, prove, sealed)
        except InvalidRecord as error:
            where = f"chapter {title}: " if title else ""
            raise InvalidRecord(error.line, f"{where}{error.differs}") from error
        number = part.last + 1
    return war


def _open(lines: Sequence[str], *, check: bool) -> War:
    unchain(lines[:1])
    header = _decode(lines[0], WarHeader, 1)
    if header.readyroom != FORMAT:
        raise InvalidRecord(1, f"its format is {header.readyroom}; supported is {FORMAT}")
    try:
        war = War(header, check=check)
    except ReadyRoomError as error:
        raise InvalidRecord(1, str(error).rstrip(".")) from error
    if war.lines[0] != lines[0]:
        raise InvalidRecord(1, "reading it again writes a different line")
    return war


def _next_part(lines: Sequence[str], number: int) -> _Part:
    """Return the lines of the next chapter, or the line with the ending, as the line after a chapter."""
    if not lines[number - 1].startswith('{"chapter":'):
        return _Part(number, "", [], lines[number - 1])
    at = number
    while at < len(lines) and not lines[at].startswith(('{"finished":', '{"ending":')):
        at += 1
    finished = lines[at] if at < len(lines) and lines[at].startswith('{"finished":') else ""
    return _Part(number, lines[number - 1], list(lines[number:at]), finished)


def _decode(line: str, kind: type[L], number: int) -> L:
    try:
        return msgspec.json.decode(f"{line[:-43]}}}", type=ready(kind))
    except (msgspec.DecodeError, UnicodeError) as error:
        raise InvalidRecord(number, f"it is not a line of a campaign ({error})") from error


def _repeat(war: War, part: _Part, prove: Prove, sealed: tuple[str, str] | None) -> None:
    """Repeat a chapter, or the ending, as the record has it; raise `InvalidRecord` for the first line that differs."""
    _check_chain(war, part)
    if not part.begun:
        _repeat_single(war, part)
        return
    finished = _decode(part.finished, ChapterEnd, part.last) if part.finished else None
    begun = _decode(part.begun, ChapterStart, part.first)
    if finished is not None:
        sealed = (finished.order or "", finished.salt or "")
    elif begun.sealed is not UNSET and sealed is None:
        war.adopt(part.begun)
        return
    order, salt = sealed or ("", "")
    _attempt(part.first, lambda: war.begin(order, begun.risk or "", salt))
    _compare(war, -1, part.begun, part.first)
    if part.match and prove is not None:
        _repeat_match(war, part, finished, prove)
    elif finished is not None:
        if finished.how == "skipped":
            _attempt(part.last, war.skip)
        elif prove is None:
            _attempt(part.last, lambda: war.restore_finish(finished))
        else:
            raise InvalidRecord(part.last, "the record of its match is missing")
    if finished is not None:
        _compare(war, -2 if war.closed else -1, part.finished, part.last)


def _check_chain(war: War, part: _Part) -> None:
    """Check the hash of the line before the chapter, and of its match, before anything is replayed."""
    begun, finished = part.begun, part.finished
    before = war.lines[:-1] if war.closed else war.lines  # a war ends by itself after its last chapter
    _check_hash(before, begun or finished, part.first)
    if part.match:
        try:
            parse([*part.match, ""] if finished else part.match)
        except InvalidRecord as error:
            raise InvalidRecord(part.first + error.line, error.differs) from error
    if begun and finished:
        _check_hash([*war.lines, begun], finished, part.last)


def _check_hash(before: Sequence[str], line: str, number: int) -> None:
    try:
        unchain([*before, line])
    except InvalidRecord as error:
        raise InvalidRecord(number, error.differs) from error


def _repeat_match(war: War, part: _Part, finished: ChapterEnd | None, prove: Callable[[str, str], Any]) -> None:
    setup = war.setup
    assert setup is not None
    text = "\n".join([*part.match, ""])
    parsed = parse(text)
    if finished is None or parsed.ending is None:
        raise InvalidRecord(part.first + len(part.match), "its match is not over")
    header, expected = parsed.header, setup.new_match("", log=False, checkpoints=False).header
    for name in ("game", "scenario", "own", "options", "seats", "before", "sealed"):
        if getattr(header, name) != getattr(expected, name):
            raise InvalidRecord(part.first + 1, f"its {name} is not that of the chapter")
    try:
        match = prove(setup.chapter.title or setup.chapter.key, text)
    except InvalidRecord as error:
        raise InvalidRecord(part.first + error.line, error.differs) from error
    bots_from = None if finished.bots_from is UNSET else finished.bots_from
    if match is None:
        war.records[len(war.lines)] = part.match
        war.restore_finish(finished)
    else:
        _attempt(part.last, lambda: war.finish(match, bots_from))


def _repeat_single(war: War, part: _Part) -> None:
    """Repeat a chapter without a match, or the ending."""
    if part.finished.startswith('{"ending":'):
        closed = _decode(part.finished, Closed, part.first)
        if closed.how != "played":
            _attempt(part.first, lambda: war.leave(closed.by or "") if closed.by is not UNSET else war.agree())
        _compare(war, -1, part.finished, part.first)
        return
    finished = _decode(part.finished, ChapterEnd, part.first)
    if finished.how == "skipped":
        _attempt(part.first, war.skip)
    else:
        _attempt(part.first, war.begin)
    _compare(war, -2 if war.closed else -1, part.finished, part.first)


def _attempt(number: int, action: Callable[[], object]) -> None:
    try:
        action()
    except InvalidRecord:
        raise
    except (WarError, ReadyRoomError) as error:
        raise InvalidRecord(number, str(error).rstrip(".")) from error


def _compare(war: War, at: int, line: str, number: int) -> None:
    if len(war.lines) < -at or war.lines[at] != line:
        raise InvalidRecord(number, "repeating the campaign writes a different line")
