"""A campaign in progress: the ledger, the chapters so far, and what comes next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from readyroom.campaign.config import ChapterConfig, config_of
from readyroom.campaign.format import ChapterEnd, ChapterStart, Closed, How, WarHeader
from readyroom.campaign.library import campaign_text, shipped_campaign
from readyroom.campaign.reading import read_campaign
from readyroom.campaign.rows import Books, Change, apply_rows, clamp, find_in, holds
from readyroom.campaign.schema import Campaign, Chapter, Order, Row, Substitute
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.facts import DRAW, FactValue
from readyroom.engine.game import Game, Scenario, find_seats
from readyroom.engine.match import Match
from readyroom.engine.record.format import Sealed, chain_lines, hash_of
from readyroom.engine.rules.dice import new_secret
from readyroom.engine.rules.state import Loss

AnyMatch = Match[Any, Any]
DOUBLE = 2
"""By how much a chapter counts after a call of calculated risk."""


class WarError(ReadyRoomError):
    """What was wanted is not possible now; the message says why."""


@lru_cache(maxsize=32)
def _read(
    text: str,
    file: str,
    own_files: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    check_all: bool = False,
    check: bool = True,
) -> Campaign:
    return read_campaign(text.encode(), file, dict(own_files), variants, check_all=check_all, check=check)


class Setup(NamedTuple):
    """A chapter that has begun: what is played, what its rows have changed, and the hash up to here."""

    chapter: Chapter
    instead: Substitute | None
    config: ChapterConfig
    game: Game[Any, Any]
    scenario: Scenario
    options: dict[str, str]
    changes: list[Change]
    before: str
    order: Order | None = None
    salt: str = ""
    risk: str = ""

    @property
    def sealed(self) -> Sealed | None:
        """The sealed scenario, if a side has given an order."""
        return Sealed(self.scenario.text or "", self.salt) if self.order else None

    def new_match(self, seed: str | None = None, **kind: Any) -> AnyMatch:
        """Return the match of the chapter at its start; `kind` are more arguments of `Match`."""
        return Match(self.game, self.scenario, self.options, seed, before=self.before, salt=self.salt, **kind)

    def side_of(self, seat: str) -> str | None:
        """Return the campaign's side that plays a seat; None for a seat that no side has."""
        seats = self.game.rules.seats(self.scenario, self.options)
        for side, name in self.config.seats.items():
            if seat in (one.key for one in find_seats(seats, name)):
                return side
        return None


class Played(NamedTuple):
    """A chapter that is over: how it came about, its facts and losses, changes, and the ledger after it.

    `winner` is the campaign's side that won it, if one did.
    """

    chapter: Chapter
    how: How
    facts: Mapping[str, FactValue]
    losses: Sequence[Loss]
    prepared: Sequence[Change]
    changes: Sequence[Change]
    ledger: Mapping[str, FactValue]
    winner: str | None
    order: Order | None
    risk: str


class War:
    """A campaign in progress.

    Args:
        header: the first line of the record.
        check: check the campaign's file; one in progress was checked when it began.

    Attributes:
        campaign: the campaign with its variants.
        ledger: the quantities now.
        played: the chapters that are over.
        setup: the chapter that has begun, if one has.
        closed: the ending, once the war is over.
        lines: the lines of the campaign's own record.
        records: the records of the matches, by the number of the line that they follow.

    Raises:
        InvalidData, UnknownVariant: the campaign's file is invalid, or has no such variant.
    """

    def __init__(self, header: WarHeader, *, check: bool = True) -> None:
        self.header = header
        own_files, variants = tuple(header.files.items()), tuple(header.variants)
        self.campaign = _read(header.text, f"{header.campaign}.toml", own_files, variants, check=check)
        self.ledger = {name: deepcopy(one.start) for name, one in self.campaign.ledger.items()}
        self.facts: Mapping[str, FactValue] = {}
        self.played: list[Played] = []
        self.setup: Setup | None = None
        self.closed: Closed | None = None
        self.risks: list[str] = []
        self.is_sealed = False
        self.lines = chain_lines([header], "")
        self.records: dict[int, list[str]] = {}

    # -- the next chapter --------------------------------------------------------------------------------------------

    @property
    def next_chapter(self) -> Chapter | None:
        """The chapter that begins next; None if one has begun or all are over."""
        at = len(self.played)
        begun = self.setup is not None or self.is_sealed
        over = self.closed is not None or begun or at >= len(self.campaign.chapter)
        return None if over else self.campaign.chapter[at]

    def side(self, key: str) -> str:
        """Return the name of a side; raise `WarError` if there is none."""
        if key not in self.campaign.sides:
            raise WarError(f"No side {key!r}; the sides are {', '.join(self.campaign.sides)}.")
        return self.campaign.sides[key]

    def behind(self) -> str | None:
        """Return the side that may call calculated risk before the next chapter: one far enough behind, once."""
        victory, tide = self.campaign.victory, self.tide
        if not victory.behind or abs(tide) < victory.behind:
            return None
        first, second = self.campaign.sides
        side = second if tide > 0 else first
        return None if side in self.risks else side

    @property
    def tide(self) -> int:
        """The quantity that decides who wins."""
        value = self.ledger[self.campaign.victory.ledger]
        assert isinstance(value, int)
        return value

    def preview(self) -> Setup | None:
        """Return what the next chapter would be played with, without a sealed order; None if nothing is played next."""
        chapter = self.next_chapter
        if chapter is None:
            return None
        instead = self._instead(chapter)
        if instead is not None and not (instead.game or instead.scenario):
            return None
        return self._set_up(chapter, instead, dict(self.ledger), None, "", "")

    def begin(self, order: str = "", risk: str = "", salt: str = "") -> Setup | None:
        """Begin the next chapter; return what is played, None if the chapter is passed over.

        Args:
            order: the key of the sealed order, if the chapter has some; by default the first.
            risk: the side that calls calculated risk: what the chapter adds to the tide counts double.
            salt: hides the order until the match is over; random by default.

        Raises:
            WarError: no chapter is left, one has begun, or the side may not call calculated risk.
            InvalidData: the game cannot play the scenario.
        """
        chapter = self.next_chapter
        if chapter is None:
            raise WarError("A chapter is in progress." if self.setup else "No chapter is left.")
        if risk and (self.side(risk) and risk != self.behind()):
            raise WarError(f"{self.side(risk)} may not call calculated risk now.")
        instead = self._instead(chapter)
        if instead is not None and not (instead.game or instead.scenario):
            self._pass_over(chapter, instead)
            return None
        chosen = self._order(chapter, order)
        salt = (salt or self._salt(chapter)) if chosen else ""
        setup = self._set_up(chapter, instead, self.ledger, chosen, salt, risk)
        self.risks += [risk] if risk else []
        self._add(
            ChapterStart(
                chapter=chapter.key,
                game=setup.game.key,
                scenario=setup.scenario.key,
                own=None if chosen else setup.scenario.text,
                options=setup.options,
                ledger=dict(self.ledger),
                sealed=setup.sealed.hash if setup.sealed else UNSET,
                risk=risk or UNSET,
            )
        )
        self.setup = setup._replace(before=hash_of(self.lines[-1]))
        return self.setup

    def _instead(self, chapter: Chapter) -> Substitute | None:
        books = self._books({}, {}, self.ledger)
        return chapter.instead if any(holds(one, books) for one in chapter.exceptions) else None

    def _order(self, chapter: Chapter, key: str) -> Order | None:
        if not chapter.order:
            return None
        known = {order.key: order for order in chapter.order}
        if key and key not in known:
            raise WarError(f"No order {key!r}; the orders are {', '.join(known)}.")
        return known[key] if key else chapter.order[0]

    def _salt(self, chapter: Chapter) -> str:
        if self.header.seed is None:
            return new_secret().hex()
        return blake2b(f"{self.header.seed}/{chapter.key}/salt".encode(), digest_size=16).hexdigest()

    def _books(self, scenario: dict[str, Any], options: dict[str, str], ledger: dict[str, FactValue]) -> Books:
        return Books(self.campaign.ledger, self.campaign.table, ledger, self.facts, scenario, options)

    def _set_up(
        self,
        chapter: Chapter,
        instead: Substitute | None,
        ledger: dict[str, FactValue],
        order: Order | None,
        salt: str,
        risk: str,
    ) -> Setup:
        config = config_of(chapter, instead)
        rows: Sequence[Row] = [*(chapter.before if instead is None else instead.before)]
        rows = [*rows, *(order.before if order and instead is None else ())]
        books = self._books(config.tables(self.header.files), config.resolve(), ledger)
        changes = apply_rows(rows, books)
        scenario = config.scenario_of(books.scenario, self.header.files)
        game = config.load()
        if order is not None and scenario.text is None:  # a sealed scenario is always written out
            scenario = config.written(books.scenario)
        options = game.resolve(books.options)
        return Setup(chapter, instead, config, game, scenario, options, changes, "", order, salt, risk)

    def adopt(self, line: str) -> None:
        """Add the line before a chapter whose order is sealed and not known here; the chapter cannot be played on."""
        self.lines.append(line)
        self.is_sealed = True

    # -- the end of a chapter ----------------------------------------------------------------------------------------

    def finish(self, match: AnyMatch, bots_from: int | None = None) -> Played:
        """End the chapter in progress with its match, which is over; bots may have decided from a decision on.

        Raises:
            WarError: no chapter is in progress, or the match is not its match.
        """
        setup, outcome = self.setup, match.outcome
        if setup is None or outcome is None or match.header.before != setup.before:
            raise WarError("This is not the finished match of the chapter in progress.")
        facts = match.game.facts_of(match.state, match.scenario, outcome, match.seats)
        losses = list(match.game.presentation.losses(match.state, match.game.data))
        self.records[len(self.lines)] = match.record_lines()
        return self._finish(facts, losses, hash_of(match.record_lines()[-1]), bots_from)

    def restore_finish(self, line: ChapterEnd) -> Played:
        """End the chapter in progress with the facts that its line has, without its match."""
        bots_from = None if line.bots_from is UNSET else line.bots_from
        return self._finish(line.facts, line.losses, line.record, bots_from)

    def _finish(self, facts: Mapping[str, FactValue], losses: list[Loss], record: str, bots_from: int | None) -> Played:
        """Work out the rows after a match, and add the line that ends the chapter."""
        setup = self.setup
        assert setup is not None
        before, self.facts = self.tide, facts
        after = setup.chapter.after if setup.instead is None else setup.instead.after
        changes = apply_rows(after, self._books({}, {}, self.ledger))
        if setup.risk:
            self._set_tide(before + DOUBLE * (self.tide - before))
        how: How = "played" if setup.instead is None else "instead"
        finished = ChapterEnd(
            finished=setup.chapter.key,
            how=how,
            record=record,
            facts=dict(facts),
            losses=losses,
            ledger=dict(self.ledger),
            order=setup.order.key if setup.order else UNSET,
            salt=setup.salt or UNSET,
            bots_from=UNSET if bots_from is None else bots_from,
        )
        winner = self._winner(self.tide - before, setup, facts)
        self.setup = None
        return self._end_chapter(setup.chapter, finished, setup, changes, winner)

    def _winner(self, gained: int, setup: Setup, facts: Mapping[str, FactValue]) -> str | None:
        """Return the side that has won a chapter: by the tide, or else by the match."""
        first, second = self.campaign.sides
        if gained:
            return first if gained > 0 else second
        seats = setup.game.rules.seats(setup.scenario, setup.options)
        winner = facts.get("winner", DRAW)
        return next((setup.side_of(seat.key) for seat in seats if seat.side == winner), None)

    def skip(self) -> Played:
        """End the next chapter, or the one in progress, without a match: history's facts are entered.

        The tide does not move. Raises `WarError` if none is left.
        """
        chapter = self.setup.chapter if self.setup else self.next_chapter
        if chapter is None:
            raise WarError("No chapter is left.")
        tide, self.facts = self.tide, chapter.history
        changes = apply_rows(chapter.after if chapter.history else (), self._books({}, {}, self.ledger))
        self._set_tide(tide)
        changes = [change for change in changes if change.into != self.campaign.victory.ledger]
        line = ChapterEnd(
            finished=chapter.key,
            how="skipped",
            record="",
            facts=dict(chapter.history),
            losses=[],
            ledger=dict(self.ledger),
        )
        self.setup = None
        return self._end_chapter(chapter, line, None, changes, None)

    def _pass_over(self, chapter: Chapter, instead: Substitute) -> None:
        self.facts, before = {}, self.tide
        changes = apply_rows(instead.after, self._books({}, {}, self.ledger))
        line = ChapterEnd(
            finished=chapter.key, how="passed over", record="", facts={}, losses=[], ledger=dict(self.ledger)
        )
        first, second = self.campaign.sides
        gained = self.tide - before
        winner = (first if gained > 0 else second) if gained else None
        self._end_chapter(chapter, line, None, changes, winner)

    def _end_chapter(
        self, chapter: Chapter, line: ChapterEnd, setup: Setup | None, changes: Sequence[Change], winner: str | None
    ) -> Played:
        played = Played(
            chapter,
            line.how,
            line.facts,
            line.losses,
            setup.changes if setup else [],
            changes,
            deepcopy(self.ledger),
            winner,
            setup.order if setup else None,
            setup.risk if setup else "",
        )
        self.played.append(played)
        self._add(line)
        if len(self.played) == len(self.campaign.chapter):
            self._close("played", "")
        return played

    def _set_tide(self, value: int) -> None:
        quantity = self.campaign.ledger[self.campaign.victory.ledger]
        self.ledger[self.campaign.victory.ledger] = clamp(value, quantity.low, quantity.high)

    # -- the end of the war ------------------------------------------------------------------------------------------

    @property
    def leader(self) -> str | None:
        """The side that wins if the war ends now; None if neither does."""
        first, second = self.campaign.sides
        if self.tide:
            return first if self.tide > 0 else second
        return next((one.winner for one in self.played if one.chapter.key == self.campaign.victory.tie), None)

    @property
    def ending(self) -> str:
        """The ending to which the tide points now."""
        return str(find_in(list(self.campaign.victory.endings), self.tide))

    def agree(self) -> Closed:
        """End the war by agreement of both sides, with the ending to which the tide points."""
        return self._leave("agreed", "")

    def leave(self, side: str) -> Closed:
        """End the war because a side leaves it: it loses by one ending more."""
        self.side(side)
        return self._leave("left", side)

    def _leave(self, how: How, side: str) -> Closed:
        if self.closed is not None:
            raise WarError("The war is over.")
        return self._close(how, side)

    def _close(self, how: How, side: str) -> Closed:
        winner, ending = self.leader, self.ending
        if how == "left":
            first, second = self.campaign.sides
            winner = second if side == first else first
            titles = [title for _, title in self.campaign.victory.endings]
            at = titles.index(ending) + (1 if winner == first else -1)
            ending = titles[max(0, min(at, len(titles) - 1))]
        self.setup = None
        self.closed = Closed(ending=ending, winner=winner, how=how, by=side or UNSET)
        self._add(self.closed)
        return self.closed

    # -- the record --------------------------------------------------------------------------------------------------

    def _add(self, line: ChapterStart | ChapterEnd | Closed) -> None:
        self.lines += chain_lines([line], hash_of(self.lines[-1]))

    def record_lines(self) -> list[str]:
        """Return the lines of the record: the campaign's own, and each match's record within its chapter."""
        lines: list[str] = []
        for number, line in enumerate(self.lines):
            lines += [*self.records.get(number, ()), line]
        return lines

    def record(self) -> str:
        """Return the record of the campaign and all its matches as one text."""
        return "\n".join([*self.record_lines(), ""])


def start_war(
    text: str,
    files: Mapping[str, str] | None = None,
    variants: Iterable[str] = (),
    seed: str | None = None,
    *,
    file: str = "campaign",
    check_all: bool = True,
) -> War:
    """Return a new campaign from the text of its file and of the scenario files next to it.

    Args:
        text: the campaign's file.
        files: the texts of scenario files by name.
        variants: the keys of the variants to play.
        seed: determines the dice of all chapters, for studies.
        file: the name of its file, for errors.
        check_all: also check the variants that are not played.

    Raises:
        InvalidData, UnknownVariant: the file is invalid, or has no such variant.
    """
    campaign = _read(text, file, tuple((files or {}).items()), (), check_all=check_all)
    header = WarHeader(
        readyroom=1, campaign=campaign.key, text=text, files=dict(files or {}), variants=list(variants), seed=seed
    )
    return War(header)


def shipped_war(name: str, variants: Iterable[str] = ()) -> War:
    """Return a new campaign that is shipped; raise `UnknownCampaign` or `UnknownVariant`."""
    shipped_campaign(name, variants := list(variants))
    return start_war(*campaign_text(name), variants)


def chapter_seed(war: War, chapter: str) -> str | None:
    """Return the seed of a chapter's match, if the war has one."""
    return None if war.header.seed is None else f"{war.header.seed}/{chapter}"


def without_rows(campaign: Campaign, chapter: str, part: str, number: int) -> Campaign:
    """Return a campaign without one of its rows, to measure what it does."""
    chapters = [
        replace(one, **{part: [row for at, row in enumerate(getattr(one, part)) if at != number]})
        if one.key == chapter
        else one
        for one in campaign.chapter
    ]
    return replace(campaign, chapter=chapters)
