"""Dice that belong to events.

A throw names its event; the result is a hash of that name under the match's key. The same event in the same match
throws the same dice, whatever happened before it. Loaded dice (for tests) and dice typed in from a real table give
the same interface, and remember what each event threw.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Protocol

from readyroom.engine.errors import InvalidDice

SEPARATOR = "|"
"""Stands between the parts of an event's name, and is forbidden inside them."""


class Dice(Protocol):
    """Where a table's luck comes from."""

    def roll(self, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        """The dice number `start` to `start + count` of this event, each from 1 to `sides` (at most 255)."""
        ...

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """One of the keys, drawn blindly."""
        ...


@lru_cache
def _faces(sides: int) -> bytes:
    """How a hash byte becomes a die: the face that each byte stands for; 0 where it is rejected, so that it is fair."""
    if not 1 <= sides <= 255:
        raise InvalidDice(f"A die has between 1 and 255 sides, not {sides}.")
    fair = 256 - 256 % sides
    return bytes(b % sides + 1 if b < fair else 0 for b in range(256))


_D6, _REJECTED = _faces(6), b"\0"
_FINGERPRINTS = blake2b(digest_size=16, person=b"rr-fingerprint")
_KEYS = blake2b(digest_size=32, person=b"rr-key")
"""Hashes that are begun; to copy one takes less time than to begin it."""


class KeyedDice:
    """Dice made by hashing the event's name under a secret key.

    >>> dice = KeyedDice(b"k" * 32)
    >>> dice.roll("3|strike|12.2|akagi|1", 5) == dice.roll("3|strike|12.2|akagi|1", 5)
    True
    >>> dice.roll("1|a|b|c|1", 200) == dice.roll("1|a|b|c|1", 150) + dice.roll("1|a|b|c|1", 50, start=150)
    True
    """

    __slots__ = ("_again", "_keyed", "key")

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._keyed = blake2b(key=key)
        self._again = "", 0, b""

    def roll(self, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        """The dice `start` to `start + count` of the event: fair bytes of as many keyed blocks as are needed."""
        faces = _D6 if sides == 6 else _faces(sides)
        end = start + count
        if start and (event, sides) == self._again[:2]:
            thrown = self._again[2]
        else:
            hashed = self._keyed.copy()
            hashed.update(event.encode())
            thrown = hashed.digest().translate(faces).replace(_REJECTED, b"")
            self._again = event, sides, thrown
        block = 0
        while len(thrown) < end:
            block += 1
            further = self._block(f"{event}{SEPARATOR}{SEPARATOR}{block}")
            thrown += further.translate(faces).replace(_REJECTED, b"")
        return thrown[start:end]

    def _block(self, name: str) -> bytes:
        """Sixty-four bytes: the keyed hash of a name."""
        hashed = self._keyed.copy()
        hashed.update(name.encode())
        return hashed.digest()

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """The key whose hash, joined to the event's, is lowest; ties cannot happen between different keys."""
        begun = self._keyed.copy()
        begun.update(f"{event}{SEPARATOR}".encode())

        def joined(key: str) -> bytes:
            hashed = begun.copy()
            hashed.update(key.encode())
            return hashed.digest()

        return min(keys, key=joined)


class RecordedDice:
    """Dice from somewhere else, remembered by event so that an undone and repeated throw shows the same faces.

    `source(event, count, sides)` gives the faces, such as those of a real table, and `picker(event, keys)` the draws;
    `remembered` and `picked` are what has been thrown and drawn so far.
    """

    def __init__(
        self,
        source: Callable[[str, int, int], Iterable[int]],
        picker: Callable[[str, Sequence[str]], str] | None = None,
    ) -> None:
        self._source = source
        self._picker = picker
        self.remembered: dict[str, list[int]] = {}
        self.picked: dict[str, str] = {}

    def roll(self, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        """What was remembered of the event, and the rest from the source."""
        known = self.remembered.setdefault(event, [])
        missing = start + count - len(known)
        if missing > 0:
            faces = list(self._source(event, missing, sides))
            if len(faces) != missing or any(not 1 <= face <= sides for face in faces):
                raise InvalidDice(f"{event} needs {missing} dice from 1 to {sides}, and was given {faces}.")
            known.extend(faces)
        return bytes(known[start : start + count])

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """What was drawn for the event before, or what the picker draws now."""
        if event not in self.picked:
            if self._picker is None:
                raise InvalidDice(f"Nobody is there to draw for {event}.")
            drawn = self._picker(event, keys)
            if drawn not in keys:
                raise InvalidDice(f"{drawn!r} cannot be drawn for {event}; there are {', '.join(keys)}.")
            self.picked[event] = drawn
        return self.picked[event]


def fixed_dice(*faces: int, draws: Sequence[str] = (), fallback: Dice | None = None) -> RecordedDice:
    r"""Dice that show these faces in this order, and draws in theirs; afterwards those of `then`, if it is given.

    >>> fixed_dice(6, 6, 1).roll("any", 2)
    b'\x06\x06'
    """
    waiting: Iterator[int] = iter(faces)
    drawn: Iterator[str] = iter(draws)
    thrown: dict[str, int] = {}

    def source(event: str, count: int, sides: int) -> list[int]:
        given = [face for _, face in zip(range(count), waiting, strict=False)]
        start = thrown.get(event, 0) + len(given)
        thrown[event] = start + count - len(given)
        if len(given) < count and fallback is not None:
            given += fallback.roll(event, count - len(given), sides, start)
        return given

    def picker(event: str, keys: Sequence[str]) -> str:
        key = next(drawn, None)
        if key is None and fallback is not None:
            return fallback.pick(event, keys)
        if key is None:
            raise InvalidDice(f"No loaded draw is left for {event}.")
        return key

    return RecordedDice(source, picker)


def new_secret() -> bytes:
    """Thirty-two random bytes, the source of a match's key."""
    return secrets.token_bytes(32)


def secret_of_seed(seed: str) -> bytes:
    """The secret that a seed in words stands for; for studies, tests and lessons, never between opponents."""
    return blake2b(seed.encode(), digest_size=32, person=b"rr-seed").digest()


def fingerprint(secret: bytes) -> str:
    """What is published of a secret before the match, so that it can be checked after."""
    hashed = _FINGERPRINTS.copy()
    hashed.update(secret)
    return hashed.hexdigest()


def key_of(secret: bytes, nonces: Mapping[str, str]) -> bytes:
    """The dice key: the secret mixed with each seat's own words, so that no one party alone chose the dice."""
    mixed = _KEYS.copy()
    mixed.update(secret)
    for seat in sorted(nonces):
        mixed.update(f"{seat}{SEPARATOR}{len(nonces[seat])}{SEPARATOR}{nonces[seat]}".encode())
    return mixed.digest()
