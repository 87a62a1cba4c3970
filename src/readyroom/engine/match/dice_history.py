"""The dice used in a match, decision by decision, and the secrets behind them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from readyroom.engine.record.format import Entry
from readyroom.engine.rules.dice import Dice, KeyedDice, RecordedDice, fingerprint, key_of


class DiceSegment(msgspec.Struct, frozen=True):
    """The dice in use from a decision on, and the secret behind them.

    If the secret must not be published at the end, it is None here and `published` has the dice seed hash.
    """

    position: int
    dice: Dice
    secret: bytes | None
    published: str = ""

    @property
    def fingerprint(self) -> str:
        """The dice seed hash."""
        return self.published if self.secret is None else fingerprint(self.secret)


class DiceHistory:
    """The dice of a match from its start, and those that replaced them after each fork.

    Args:
        secret: the secret that determines the dice; its hash is published.
        nonces: the seats' own texts, mixed into the key.
        dice: fixed or typed dice instead of keyed ones.
        known: whether a player may know the secret; typed dice are known anyway.
    """

    __slots__ = ("_segments", "_written", "known", "nonces", "recorded")

    def __init__(
        self, secret: bytes, nonces: Mapping[str, str], dice: Dice | None = None, *, known: bool = False
    ) -> None:
        self.nonces, self.known = nonces, known or dice is not None
        self.recorded = dice if isinstance(dice, RecordedDice) else None
        self._written: set[str] = set()
        self._segments = [DiceSegment(0, dice or KeyedDice(key_of(secret, nonces)), secret)]

    @property
    def initial(self) -> DiceSegment:
        """The dice at the start of the match."""
        return self._segments[0]

    @property
    def current(self) -> DiceSegment:
        """The dice of future rolls."""
        return self._segments[-1]

    @property
    def forked(self) -> bool:
        """Whether a fork has replaced the first dice."""
        return len(self._segments) > 1

    def dice_before(self, position: int) -> Dice:
        """Return the dice in use just before the match had this many decisions."""
        for segment in reversed(self._segments):
            if segment.position < position:
                return segment.dice
        return self._segments[0].dice

    def fork(self, position: int, secret: bytes, *, publish: bool, dice: Dice | None = None) -> DiceHistory:
        """Return a copy with the dice of another secret, or with these dice, from this decision on.

        `publish`: whether the earlier secrets may still be published.
        """
        other: DiceHistory = object.__new__(DiceHistory)
        other.nonces, other.known, other.recorded, other._written = self.nonces, self.known, None, set()
        earlier = (
            self._segments
            if publish
            else [replace(segment, secret=None, published=segment.fingerprint) for segment in self._segments]
        )
        dice = KeyedDice(key_of(secret, self.nonces)) if dice is None else dice
        other._segments = [*earlier, DiceSegment(position, dice, secret)]
        return other

    def only_secret(self) -> bytes:
        """Return the secret behind all dice of a match that was not forked."""
        secret = self.initial.secret
        if self.forked or secret is None:
            raise ValueError("cannot save a fork; save the match that it was forked from")
        return secret

    def published(self) -> list[str | None]:
        """Return the secrets in hexadecimal for the end of a record; None where no secret determines the dice."""
        return [s.secret.hex() if s.secret and self.recorded is None else None for s in self._segments]

    def take_manual_dice(self, entry: Entry) -> None:
        """Store in an entry the dice and draws entered by hand since the previous one, if they are."""
        recorded = self.recorded
        if recorded is None:
            return
        rolled = {event: list(faces) for event, faces in recorded.remembered.items() if event not in self._written}
        drawn = {event: key for event, key in recorded.picked.items() if event not in self._written}
        self._written |= rolled.keys() | drawn.keys()
        entry.dice, entry.drawn = rolled or None, drawn or None
