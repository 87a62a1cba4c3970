"""Dice that belong to events.

A roll names its event; the result is a hash of that name under the match's key. The same event in the same match always
rolls the same dice. Fixed dice (for tests) and dice typed in from a real table have the same interface, and remember
what each event rolled.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Protocol

from readyroom.engine.errors import InvalidDice

SEPARATOR = "|"
"""Separates the parts of an event's name; not allowed inside them."""


class Dice(Protocol):
    """A source of dice and draws."""

    def roll(self, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        """Return dice number `start` to `start + count` of this event, each from 1 to `sides` (at most 255)."""
        ...

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """Return one of the keys, drawn at random."""
        ...


@lru_cache
def _faces(sides: int) -> bytes:
    """Return the face for each hash byte, 0 where the byte is rejected to keep the die fair."""
    if not 1 <= sides <= 255:
        raise InvalidDice(f"A die has 1 to 255 sides, not {sides}.")
    fair = 256 - 256 % sides
    return bytes(b % sides + 1 if b < fair else 0 for b in range(256))


_D6, _REJECTED = _faces(6), b"\0"


class KeyedDice:
    """Dice made by hashing the event's name under a secret key.

    >>> dice = KeyedDice(b"k" * 32)
    >>> dice.roll("3|strike|12.2|akagi|1", 5) == dice.roll("3|strike|12.2|akagi|1", 5)
    True
    >>> dice.roll("1|a|b|c|1", 200) == dice.roll("1|a|b|c|1", 150) + dice.roll("1|a|b|c|1", 50, start=150)
    True
    """

    __slots__ = ("_keyed", "_last", "key")

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._keyed = blake2b(key=key)
        self._last = "", 0, b""

    def roll(self, event: str, count: int, sides: int = 6, start: int = 0) -> bytes:
        """Return the dice from the fair bytes of as many keyed blocks as are needed."""
        faces = _D6 if sides == 6 else _faces(sides)
        end = start + count
        if start and (event, sides) == self._last[:2]:
            rolled = self._last[2]
        else:
            hasher = self._keyed.copy()
            hasher.update(event.encode())
            rolled = hasher.digest().translate(faces).replace(_REJECTED, b"")
            self._last = event, sides, rolled
        block = 0
        while len(rolled) < end:
            block += 1
            more = self._block(f"{event}{SEPARATOR}{SEPARATOR}{block}")
            rolled += more.translate(faces).replace(_REJECTED, b"")
        return rolled[start:end]

    def _block(self, name: str) -> bytes:
        """Return the 64-byte keyed hash of a name."""
        hasher = self._keyed.copy()
        hasher.update(name.encode())
        return hasher.digest()

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """Return the key with the lowest hash of event and key."""
        event_hasher = self._keyed.copy()
        event_hasher.update(f"{event}{SEPARATOR}".encode())

        def key_hash(key: str) -> bytes:
            hasher = event_hasher.copy()
            hasher.update(key.encode())
            return hasher.digest()

        return min(keys, key=key_hash)


class RecordedDice:
    """Dice from an outside source, remembered by event so that a roll repeated after an undo shows the same faces.

    `source(event, count, sides)` gives the faces, for example those of a real table, and `picker(event, keys)` the
    draws; `remembered` and `picked` are all rolls and draws so far.
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
        """Return the remembered dice of the event, and the rest from the source."""
        known = self.remembered.setdefault(event, [])
        missing = start + count - len(known)
        if missing > 0:
            faces = list(self._source(event, missing, sides))
            if len(faces) != missing or any(not 1 <= face <= sides for face in faces):
                raise InvalidDice(f"{event} needs {missing} dice from 1 to {sides}, got {faces}.")
            known.extend(faces)
        return bytes(known[start : start + count])

    def pick(self, event: str, keys: Sequence[str]) -> str:
        """Return what was drawn for the event before, or what the picker draws now."""
        if event not in self.picked:
            if self._picker is None:
                raise InvalidDice(f"There is no source of draws for {event}.")
            drawn = self._picker(event, keys)
            if drawn not in keys:
                raise InvalidDice(f"{drawn!r} cannot be drawn for {event}. Available: {', '.join(keys)}.")
            self.picked[event] = drawn
        return self.picked[event]


def fixed_dice(*faces: int, draws: Sequence[str] = (), fallback: Dice | None = None) -> RecordedDice:
    r"""Return dice that show these faces and draws in this order, then those of `fallback` if given.

    >>> fixed_dice(6, 6, 1).roll("any", 2)
    b'\x06\x06'
    """
    waiting: Iterator[int] = iter(faces)
    drawn: Iterator[str] = iter(draws)
    rolled: dict[str, int] = {}

    def source(event: str, count: int, sides: int) -> list[int]:
        given = [face for _, face in zip(range(count), waiting, strict=False)]
        start = rolled.get(event, 0) + len(given)
        rolled[event] = start + count - len(given)
        if len(given) < count and fallback is not None:
            given += fallback.roll(event, count - len(given), sides, start)
        return given

    def picker(event: str, keys: Sequence[str]) -> str:
        key = next(drawn, None)
        if key is None and fallback is not None:
            return fallback.pick(event, keys)
        if key is None:
            raise InvalidDice(f"No fixed draw is left for {event}.")
        return key

    return RecordedDice(source, picker)


def new_secret() -> bytes:
    """Return 32 random bytes, the source of a match's key."""
    return secrets.token_bytes(32)


def secret_of_seed(seed: str) -> bytes:
    """Return the secret derived from a seed text; for studies, tests and tutorials, never between opponents."""
    return blake2b(seed.encode(), digest_size=32, person=b"rr-seed").digest()


def fingerprint(secret: bytes) -> str:
    """Return the hash of a secret that is published before the match, so that the secret can be verified afterwards."""
    return blake2b(secret, digest_size=16, person=b"rr-fingerprint").hexdigest()


def key_of(secret: bytes, nonces: Mapping[str, str]) -> bytes:
    """Return the dice key: the secret mixed with each seat's nonce, so that no single party can choose the rolls."""
    hasher = blake2b(secret, digest_size=32, person=b"rr-key")
    for seat in sorted(nonces):
        hasher.update(f"{seat}{SEPARATOR}{len(nonces[seat])}{SEPARATOR}{nonces[seat]}".encode())
    return hasher.digest()
