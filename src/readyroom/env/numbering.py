"""Actions as numbers: 0 is "done", and every other number stands for an option by its key.

An option's number is a hash of its key, so the same option has the same number wherever it lies in a list, in every
match and in every process. Two options of one question that hash alike are told apart: the one whose key comes first
keeps the number, the other takes the next that is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

from readyroom.engine.errors import ReadyRoomError

DONE = 0
"""The action that ends an answer, and the only one of a seat that is not asked."""
SLOTS = 512
"""So many numbers for options, where nothing else is said; the largest question of our games has a hundred options."""
REMEMBERED = 1 << 16
"""So many hashes are remembered."""


class TooManyOptions(ReadyRoomError):
    """A question has more options than there are actions."""

    def __init__(self, count: int, slots: int) -> None:
        super().__init__(
            f"This question has {count} options, and the face was made for {slots} at most; make it with slots={count}."
        )


@lru_cache(REMEMBERED)
def preferred_slot(key: str, slots: int) -> int:
    """The number that a key has unless another key of the same question has it.

    >>> preferred_slot("hiryu-db-2", 512)
    284
    """
    hashed = blake2b(key.encode(), digest_size=8, person=b"rr-action").digest()
    return int.from_bytes(hashed, "big") % slots + 1


def numbered(keys: Sequence[str], slots: int) -> list[int]:
    """The numbers of a question's options, from 1 to `slots`, in the order of the keys.

    Raises:
        TooManyOptions: there are more keys than numbers.
    """
    if len(keys) > slots:
        raise TooManyOptions(len(keys), slots)
    holders: dict[int, str] = {}
    for key in sorted(keys):
        holders.setdefault(preferred_slot(key, slots), key)
    numbers = {key: number for number, key in holders.items()}
    for key in sorted(set(keys) - numbers.keys()):
        number = preferred_slot(key, slots)
        while number in holders:
            number = number % slots + 1
        holders[number], numbers[key] = key, number
    return [numbers[key] for key in keys]
