"""The dice in use at a match: from which decision on they come from where, and the secrets behind them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from readyroom.engine.dice import Dice, KeyedDice, RecordedDice, fingerprint, key_of
from readyroom.engine.record import Entry


class DiceSegment(msgspec.Struct, frozen=True):
    """From which decision on the dice come from where, and the secret behind them, if it may be told at the end.

    Where it may not, its fingerprint is `published` here.
    """

    position: int
    dice: Dice
    secret: bytes | None
    published: str = ""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the secret."""
        return self.published if self.secret is None else fingerprint(self.secret)


class DiceHistory:
    """The dice of a match from its beginning, and after a fork those that came in their place.

    Args:
        secret: what the dice follow from; its fingerprint is published.
        nonces: the seats' own words, mixed into the key.
        dice: loaded or typed dice instead of keyed ones.
    """

    __slots__ = ("_all", "_written", "nonces", "told")

    def __init__(self, secret: bytes, nonces: Mapping[str, str], dice: Dice | None = None) -> None:
        self.nonces = nonces
        self.told = dice if isinstance(dice, RecordedDice) else None
        self._written: set[str] = set()
        self._all = [DiceSegment(0, dice or KeyedDice(key_of(secret, nonces)), secret)]

    @property
    def initial(self) -> DiceSegment:
        """The dice of the beginning."""
        return self._all[0]

    @property
    def current(self) -> DiceSegment:
        """The dice to come."""
        return self._all[-1]

    @property
    def forked(self) -> bool:
        """Whether other dice have come in the place of the first."""
        return len(self._all) > 1

    def dice_before(self, position: int) -> Dice:
        """The dice that were in use just before so many decisions stood."""
        for throws in reversed(self._all):
            if throws.position < position:
                return throws.dice
        return self._all[0].dice

    def fork(self, position: int, secret: bytes, *, tell: bool) -> DiceHistory:
        """From this decision on the dice of another secret; `tell`: those of the earlier ones may still be told."""
        other: DiceHistory = object.__new__(DiceHistory)
        other.nonces, other.told, other._written = self.nonces, None, set()
        earlier = self._all if tell else [replace(each, secret=None, published=each.fingerprint) for each in self._all]
        other._all = [*earlier, DiceSegment(position, KeyedDice(key_of(secret, self.nonces)), secret)]
        return other

    def only_secret(self) -> bytes:
        """The secret behind all dice of a match that is no fork."""
        secret = self.initial.secret
        if self.forked or secret is None:
            raise ValueError("a fork is not saved by itself; save the match that it was forked from")
        return secret

    def published(self) -> list[str | None]:
        """The secrets as hex digits, as a record tells them at its end; None where no secret proves the dice."""
        return [throws.secret.hex() if throws.secret and self.told is None else None for throws in self._all]

    def take_manual_dice(self, taken: Entry) -> None:
        """Keep with a decision the dice and draws that were told by hand since the one before it."""
        told = self.told
        assert told is not None
        new = {event: list(faces) for event, faces in told.remembered.items() if event not in self._written}
        drawn = {event: key for event, key in told.picked.items() if event not in self._written}
        self._written |= new.keys() | drawn.keys()
        taken.dice, taken.drawn = new or None, drawn or None
