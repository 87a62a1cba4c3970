"""The lines of a campaign's record: JSON Lines chained by hashes, as the records of its matches are.

The record is one file: a header; for each chapter a line before it, the lines of its match as they are, and a line
after it; and a line with the ending. A line's hash covers all lines of the campaign before it, and through them the
matches: the line after a chapter has the last hash of its match, whose own header has the hash of the line before it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from readyroom.engine.facts import FactValue
from readyroom.engine.rules.state import Loss

FORMAT = 1
How: TypeAlias = Literal["played", "instead", "passed over", "skipped", "agreed", "left"]
"""How a chapter or a war came to its end: a substitute was played, or none; history's facts were entered; both sides
agreed, or one has left."""


class WarHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: the campaign's file and the scenario files next to it as texts, the variants, and any seed."""

    readyroom: int
    campaign: str
    text: str
    files: dict[str, str]
    variants: list[str]
    seed: str | None


class ChapterStart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The line before a chapter: what is played, and the ledger.

    `own` is the text of a scenario that rows have changed; if it is `sealed`, only its hash is here. `risk` is the side
    that called calculated risk.
    """

    chapter: str
    game: str
    scenario: str
    own: str | None
    options: dict[str, str]
    ledger: dict[str, FactValue]
    sealed: str | UnsetType = UNSET
    risk: str | UnsetType = UNSET


class ChapterEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The line after a chapter: the last hash of its match, facts, losses, the ledger, and the opened order.

    `bots_from` is the number of decisions after which bots have played on.
    """

    finished: str
    how: How
    record: str
    facts: dict[str, FactValue]
    losses: list[Loss]
    ledger: dict[str, FactValue]
    order: str | UnsetType = UNSET
    salt: str | UnsetType = UNSET
    bots_from: int | UnsetType = UNSET


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The last line: the ending, the winning side, how it came, and the side that left."""

    ending: str
    winner: str | None
    how: How
    by: str | UnsetType = UNSET
