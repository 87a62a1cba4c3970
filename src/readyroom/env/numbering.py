"""Action numbers: 0 is "done", and every other number is an option's.

An option's number is a hash of its key, so it is the same in every list, match and process. If two options of a
decision collide, the one whose key sorts first keeps the number, and the other gets the next free one.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from readyroom.engine.errors import ReadyRoomError

DONE = 0
"""The action that ends an answer, and the only one of a seat without a pending decision."""
SLOTS = 512
"""The default number of action numbers for options; our largest first decision has 128 options."""
REMEMBERED = 1 << 16
"""The number of cached hashes."""
DECISIONS = 1 << 12
"""The number of lists of options whose numbers are cached."""


class TooManyOptions(ReadyRoomError):
    """A decision has more options than there are action numbers."""

    def __init__(self, count: int, slots: int) -> None:
        super().__init__(
            f"This decision has {count} options, but the environment allows {slots}. Create it with slots={count}."
        )


@lru_cache(REMEMBERED)
def preferred_slot(key: str, slots: int) -> int:
    """Return the number of a key if no other key of the decision has it.

    >>> preferred_slot("hiryu-db-2", 512)
    284
    """
    hashed = blake2b(key.encode(), digest_size=8, person=b"rr-action").digest()
    return int.from_bytes(hashed, "big") % slots + 1


@lru_cache(DECISIONS)
def numbered(keys: tuple[str, ...], slots: int) -> tuple[int, ...]:
    """Return the numbers of a decision's options, from 1 to `slots`, in the order of the keys, or `TooManyOptions`."""
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
    return tuple(numbers[key] for key in keys)
