"""Campaigns: who plays their sides, their chapters one after the other, and what is decided between two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from random import SystemRandom
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, and_, exists, insert, or_, select, update

from readyroom.bots import default_bot, is_offered
from readyroom.campaign.format import ChapterEnd
from readyroom.campaign.playing import bot_for
from readyroom.campaign.record import restore_war, verify_war
from readyroom.campaign.schema import Chapter
from readyroom.campaign.war import War, WarError, chapter_seed
from readyroom.engine.data import parse_own
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.game import load_game
from readyroom.store.admin.deletion import delete_campaign_rows, delete_match_rows
from readyroom.store.base import (
    SeriesPart,
    Shared,
    bounded,
    clean_text,
    derived_id,
    hashed,
    new_id,
    new_secret,
    now,
)
from readyroom.store.cards import NO_NAME, MatchSummary, Pace, Player, SeatAssignment, from_timestamp
from readyroom.store.database import WriteConflict
from readyroom.store.errors import (
    CampaignRefused,
    ImportRejected,
    InvalidSeating,
    LinkAlreadyUsed,
    MatchDamaged,
    NotYourSeat,
    SeatTaken,
    UnknownCampaignId,
    UnknownLink,
)
from readyroom.store.limits import RECORD_LENGTH, TITLE_LENGTH, WORDS_LENGTH
from readyroom.store.lobby.lobby import ChapterMatch, Lobby
from readyroom.store.lobby.seats import Seats
from readyroom.store.matches.records import PreparedImport, Records, prepare_finished
from readyroom.store.names import distinguish
from readyroom.store.rows import AnyRow, all_cards, any_program, cards, one_card
from readyroom.store.tables import campaigns, matches, members, players

Offer = Literal["end", "bots", "skip"]
"""What a side may offer: to end the war now, to let bots play the chapter on, or to enter history's facts for it."""
OFFERS = {"end": "to end the war", "bots": "to let bots play the chapter on", "skip": "to skip the chapter"}
"""Each offer in words."""
TRIES = 20
"""So often another process may be faster before a change is refused."""
TEXT_LENGTH = 2_000
"""The most characters of any text in a campaign's file."""
LISTED = 30
"""The most campaigns in a list."""
DICE = SystemRandom()
"""Draws the sealed orders of bots."""
_CHAPTER_END = '{"finished":'
_encode = msgspec.json.Encoder().encode


class Choices(msgspec.Struct, frozen=True, omit_defaults=True):
    """What sides have decided: secret, except `risk` and `offer` with the side `by` that makes it.

    `order` is the key of the sealed order, and `salt` hides it while its chapter is in progress. `risk` is the side
    that calls calculated risk, empty if it was declined, None if it is still to decide. `bots_from` is the number of
    decisions after which bots have played on.
    """

    order: str = ""
    salt: str = ""
    risk: str | None = None
    offer: str = ""
    by: str = ""
    bots_from: int | None = None

    @property
    def sealed(self) -> tuple[str, str] | None:
        """The sealed order of the chapter in progress, and its salt."""
        return (self.order, self.salt) if self.salt else None


class Member(NamedTuple):
    """Who plays a side: a player by id and name, or a bot; `invited`: a link leads to the side, which waits."""

    side: str
    player: str
    name: str
    bot: str
    invited: bool
    on_ladder: bool

    @property
    def is_vacant(self) -> bool:
        """Whether no one plays the side yet."""
        return not (self.player or self.bot)


class CampaignSummary(NamedTuple):
    """What everybody may know of a campaign; `current` is the match in progress, `risk` and `offer` are public choices.

    `offer` is what the side `by` offers the other.
    """

    id: str
    title: str
    host: str
    members: tuple[Member, ...]
    pace: Pace
    public: bool
    created: datetime
    changed: datetime
    started: bool
    over: bool
    current: str
    revision: int
    risk: str | None
    offer: str
    by: str

    def sides_of(self, player_id: str) -> list[str]:
        """Return the sides of a player."""
        return [one.side for one in self.members if player_id and one.player == player_id]

    def has_player(self, player_id: str) -> bool:
        """Return whether this player hosts the campaign or plays a side."""
        return bool(player_id) and (player_id == self.host or bool(self.sides_of(player_id)))

    def member(self, side: str) -> Member:
        """Return who plays a side; raise `CampaignRefused` if there is no such side."""
        for one in self.members:
            if one.side == side:
                return one
        raise CampaignRefused(f"No side {side!r}; the sides are {', '.join(one.side for one in self.members)}.")

    def seen_by(self, viewer: str = "") -> CampaignSummary:
        """Return the summary as a player (an id) may know it: of a public campaign strangers see few names."""
        if not self.public or self.has_player(viewer):
            return self
        shown = (one if one.on_ladder or not one.player else one._replace(name=NO_NAME) for one in self.members)
        return self._replace(members=tuple(shown))


class DueChoice(NamedTuple):
    """What a player is to decide in the war room, as a sentence."""

    player: str
    text: str


class CreatedCampaign(NamedTuple):
    """A new campaign, and the secret of the link to each side that waits: returned once, stored only as a hash."""

    id: str
    links: dict[str, str]


class PreparedWar(NamedTuple):
    """A campaign from its record, verified: its title, its own lines, its sides, and its matches by chapter."""

    title: str
    lines: str
    sides: list[str]
    ended: bool
    matches: list[tuple[str, PreparedImport]]


class Campaigns(SeriesPart):
    """Campaigns. A chapter's match begins by itself, unless a side has a choice to make before it."""

    kind = "campaign"

    def __init__(self, shared: Shared, lobby: Lobby, seats: Seats, records: Records) -> None:
        super().__init__(shared)
        self._lobby, self._seats, self._records = lobby, seats, records
        self._wars: dict[str, tuple[int, War]] = {}

    # -- creating and joining ----------------------------------------------------------------------------------------

    def create(
        self,
        host: Player,
        war: War,
        sides: Mapping[str, SeatAssignment],
        *,
        pace: Pace = "live",
        listed: bool = False,
        words: str = "",
        client: str = "",
    ) -> CreatedCampaign:
        """Create a campaign; it begins at once if no side waits for a friend.

        Args:
            host: who opens it, and plays the sides of kind "me".
            war: the campaign, before its first chapter.
            sides: who plays which side; every side must be assigned, and a person must play one of them or wait.
            pace: whether the players are at the table together, or answer within days.
            listed: whether everybody finds it.
            words: what the host adds to the dice key of each match.
            client: as for `Lobby.create`.

        Raises:
            InvalidSeating, InvalidText.
        """
        bounded(words, WORDS_LENGTH, "Your text for the dice")
        check_texts(war)
        for side, side_name in war.campaign.sides.items():
            if side not in sides or sides[side].kind not in ("me", "bot", "friend"):
                raise InvalidSeating(f"No player is named for {side_name}: use me, a bot, or friend.")
            _check_bot(war, sides[side])
        if all(one.kind == "bot" for one in sides.values()):
            raise InvalidSeating("Bots would play this campaign alone. Take a side, or invite a friend.")
        opened = CreatedCampaign(
            new_id(), {side: new_secret() for side in war.campaign.sides if _has_link(sides[side])}
        )
        with self._shared.database.writing() as connection:
            connection.execute(
                insert(campaigns), _new_row(opened.id, host, war, pace=pace, listed=listed, client=client)
            )
            rows = [
                {
                    "campaign": opened.id,
                    "side": side,
                    "player": host.id if sides[side].kind == "me" else None,
                    "bot": sides[side].bot,
                    "link": hashed(opened.links[side]) if side in opened.links else None,
                    "words": words if sides[side].kind == "me" else "",
                }
                for side in war.campaign.sides
            ]
            connection.execute(insert(members), rows)
        try:
            self._begin_if_ready(opened.id)
        except Exception:
            with self._shared.database.writing() as connection:
                delete_campaign_rows(connection, opened.id)
            raise
        return opened

    def by_link(self, secret: str) -> tuple[CampaignSummary, str]:
        """Return the campaign and the side of a link; raise `UnknownLink`."""
        with self._shared.database.glance() as connection:
            row = _linked(connection, secret)
            return _summary(connection, _row(connection, row.campaign)), row.side

    def by_token(self, secret: str) -> tuple[CampaignSummary, str]:
        """Return the campaign and the side of a program's token; raise `UnknownLink`, or `LinkAlreadyUsed`.

        A link by which a person has joined, in a browser, is no token: the host who sent it knows it.
        """
        with self._shared.database.glance() as connection:
            row = _linked(connection, secret)
            if row.player is not None and not any_program(connection, [row.player]):
                raise LinkAlreadyUsed
            return _summary(connection, _row(connection, row.campaign)), row.side

    def join(self, secret: str, player_id: str, words: str = "") -> CampaignSummary:
        """Play a side by its link, which works for one player; the campaign begins if that was the last side.

        Raises `UnknownLink` or `LinkAlreadyUsed`.
        """
        bounded(words, WORDS_LENGTH, "Your text for the dice")
        with self._shared.database.writing() as connection:
            row = _linked(connection, secret)
            if row.player not in (None, player_id):
                raise LinkAlreadyUsed
            _change_member(connection, row.campaign, row.side, player=player_id, bot="", words=words)
        return self._seated(row.campaign)

    def new_link(self, id: str, side: str, player_id: str) -> str:
        """Return a new link to a side that waits, or to one of the player's own, to give it away; the host's only."""
        secret = new_secret()
        with self._shared.database.writing() as connection:
            summary = _summary(connection, _row(connection, id, lock=True))
            member = summary.member(side)
            own_twice = member.player == player_id and len(summary.sides_of(player_id)) > 1
            if player_id != summary.host:
                raise NotYourSeat("Only the host of the campaign can create a link to a side.")
            if not (member.is_vacant or own_twice):
                raise SeatTaken("This side is taken.")
            _change_member(connection, id, side, link=hashed(secret), player=None)
        self._notify(id)
        return secret

    def assign_bot(self, id: str, side: str, bot: str, player_id: str) -> CampaignSummary:
        """Let a bot play a side that waits, by its host, or the player's own; chapters to come are played by it."""
        with self._shared.database.writing() as connection:
            row = _row(connection, id, lock=True)
            summary = _summary(connection, row)
            member = summary.member(side)
            if player_id not in (member.player, summary.host if member.is_vacant else member.player):
                raise NotYourSeat("Only the player of a side can give it to a bot. The host can if it waits.")
            if sum(not one.bot for one in summary.members) < 2:
                raise InvalidSeating("Bots would play this campaign alone.")
            _check_bot(self._read(row), SeatAssignment("bot", bot))
            _change_member(connection, id, side, player=None, bot=bot, link=None)
        return self._seated(id)

    def _seated(self, id: str) -> CampaignSummary:
        self._begin_if_ready(id)
        self._notify(id)
        return self.summary(id)

    def _begin_if_ready(self, id: str) -> None:
        with self._shared.database.writing() as connection:
            summary = _summary(connection, _row(connection, id, lock=True))
            if summary.started or any(one.is_vacant for one in summary.members):
                return
            connection.execute(update(campaigns).where(campaigns.c.id == id).values(begun=True, changed=now()))
        self.advance(id)

    # -- reading -----------------------------------------------------------------------------------------------------

    def summary(self, id: str) -> CampaignSummary:
        """Return the public facts of a campaign; raise `UnknownCampaignId`."""
        with self._shared.database.reading() as connection:
            return _summary(connection, _row(connection, id))

    def of_player(self, player_id: str) -> list[CampaignSummary]:
        """Return the campaigns that a player plays or hosts, unfinished ones first."""
        plays = exists().where(members.c.campaign == campaigns.c.id, members.c.player == player_id)
        return self._listed(or_(campaigns.c.host == player_id, plays))

    def has_finished(self, player_id: str) -> bool:
        """Return whether a player plays a side of a campaign that is over, and of which nothing was imported."""
        imported = exists().where(matches.c.campaign == campaigns.c.id, matches.c.record.is_not(None))
        wanted = select(members.c.campaign).join(campaigns, campaigns.c.id == members.c.campaign)
        wanted = wanted.where(members.c.player == player_id, campaigns.c.ended, ~imported)
        with self._shared.database.glance() as connection:
            return connection.execute(wanted).first() is not None

    def public(self, viewer: str = "") -> list[CampaignSummary]:
        """Return the public campaigns that a player does not play, the last changed first."""
        plays = exists().where(members.c.campaign == campaigns.c.id, members.c.player == viewer)
        found = self._listed(
            and_(campaigns.c.listed, ~plays, or_(campaigns.c.host.is_(None), campaigns.c.host != viewer))
        )
        return [one.seen_by(viewer) for one in found]

    def _listed(self, which: Any) -> list[CampaignSummary]:
        wanted = select(campaigns).where(which).order_by(campaigns.c.ended, campaigns.c.changed.desc()).limit(LISTED)
        with self._shared.database.reading() as connection:
            return [_summary(connection, row) for row in connection.execute(wanted).all()]

    def war(self, id: str) -> War:
        """Return the campaign as it is, to be read only; raise `UnknownCampaignId`, or `MatchDamaged`."""
        with self._shared.database.glance() as connection:
            row = _row(connection, id)
        known = self._wars.get(id)
        if known is None or known[0] != row.revision:
            known = row.revision, self._read(row)
            self._wars = dict([*self._wars.items(), (id, known)][-50:])
        return known[1]

    def matches(self, id: str) -> dict[str, MatchSummary]:
        """Return the matches of a campaign by the key of their chapter."""
        wanted = cards.where(matches.c.campaign == id).order_by(matches.c.created)
        with self._shared.database.reading() as connection:
            return {one.chapter: one for one in all_cards(connection, connection.execute(wanted).all())}

    def order(self, id: str, player_id: str) -> str:
        """Return the sealed order that the player has given, for them alone; empty if there is none."""
        with self._shared.database.glance() as connection:
            row = _row(connection, id)
            summary, choices = _summary(connection, row), _choices(row)
        war = self.war(id)
        chapter = war.setup.chapter if war.setup else war.next_chapter
        return choices.order if chapter is not None and chapter.ordered_by in summary.sides_of(player_id) else ""

    def _read(self, row: AnyRow) -> War:
        try:
            return restore_war(row.record, _choices(row).sealed)
        except ReadyRoomError as error:
            raise MatchDamaged(row.id, f"its campaign cannot be read: {error}") from error

    def text(self, id: str) -> str:
        """Return the record of a campaign with all its matches, up to its last chapter that is over."""
        with self._shared.database.glance() as connection:
            row = _row(connection, id)
        war, by_chapter = self._read(row), self.matches(id)
        lines = list[str]()
        for line in war.lines[:-1] if war.setup or war.is_sealed else war.lines:
            if line.startswith(_CHAPTER_END):
                end = msgspec.json.decode(f"{line[:-43]}}}", type=ChapterEnd)
                if end.record and end.finished in by_chapter:
                    lines += self._records.text(by_chapter[end.finished].id).splitlines()
            lines.append(line)
        return "\n".join([*lines, ""])

    # -- what happens by itself -------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Continue the campaigns whose match ended when no server was there to notice."""
        alive = exists().where(matches.c.id == campaigns.c.current, matches.c.outcome.is_(None))
        wanted = select(campaigns.c.id).where(campaigns.c.begun, ~campaigns.c.ended, ~alive)
        with self._shared.database.glance() as connection:
            ids = list(connection.execute(wanted).scalars())
        self._advance_all(ids)

    def advance(self, id: str) -> None:
        """Do what is due: enter a match that is over, and begin the next chapter unless a side has a choice to make."""
        tries = 0
        while tries < TRIES:
            try:
                if not self._step(id):
                    return
            except WriteConflict:
                tries += 1
        raise CampaignRefused("The campaign changed several times while your request was processed. Try again.")

    def _step(self, id: str) -> bool:
        """Do one step; return whether another may be due."""
        with self._shared.database.reading() as connection:
            row = _row(connection, id)
            summary = _summary(connection, row)
        if not row.begun or row.ended:
            return False
        war, choices = self._read(row), _choices(row)
        if war.setup is not None:
            return self._finish(row, summary, war, choices)
        chapter = war.next_chapter
        if chapter is None or any(self.undecided(summary, war)):
            return False
        order = choices.order or (DICE.choice(chapter.order).key if chapter.order else "")
        setup = war.begin(order, choices.risk or "", new_secret())  # the seed of an imported war is public
        new = Choices(order=order, salt=setup.salt, risk=choices.risk) if setup else Choices()
        self._write(row, war, new, current=match_id(row.id, setup.before) if setup else None)
        return True

    def undecided(self, summary: CampaignSummary, war: War) -> tuple[str, str]:
        """Return the side that is to seal an order before the next chapter, and the one that may call calculated risk.

        Each is empty if there is none: bots do not wait, and have no risks.
        """
        chapter = war.next_chapter
        if chapter is None or not summary.started:
            return "", ""
        with self._shared.database.glance() as connection:
            choices = _choices(_row(connection, summary.id))
        orders = chapter.ordered_by if chapter.order and not choices.order else ""
        risks = (war.behind() or "") if choices.risk is None else ""
        people = {one.side for one in summary.members if one.player}
        return orders if orders in people else "", risks if risks in people else ""

    def due(self, id: str) -> tuple[CampaignSummary, list[DueChoice]]:
        """Return the summary, and what players are to decide in the war room: orders, risks, and answers to offers."""
        summary, war = self.summary(id), self.war(id)
        if not summary.started or summary.over:
            return summary, []
        due, next_title = list[DueChoice](), war.next_chapter.title if war.next_chapter is not None else ""
        order, risk = self.undecided(summary, war)
        for member in summary.members:
            name = war.campaign.sides[member.side]
            if member.player and member.side == order:
                due.append(DueChoice(member.player, f"{name}: seal an order before {next_title}."))
            if member.player and member.side == risk:
                due.append(DueChoice(member.player, f"{name}: call calculated risk before {next_title}, or do not."))
            if member.player and summary.offer and member.side != summary.by:
                due.append(DueChoice(member.player, f"{name}: accept or decline an offer {OFFERS[summary.offer]}."))
        return summary, due

    def to_notify(self) -> list[str]:
        """Return the campaigns that are in progress."""
        with self._shared.database.glance() as connection:
            wanted = select(campaigns.c.id).where(campaigns.c.begun, ~campaigns.c.ended)
            return list(connection.execute(wanted).scalars())

    def _finish(self, row: AnyRow, summary: CampaignSummary, war: War, choices: Choices) -> bool:
        """Enter the match of the chapter in progress if it is over, or create it if it is missing."""
        with self._shared.database.glance() as connection:
            match = connection.execute(select(matches).where(matches.c.id == row.current)).one_or_none()
        if match is None:
            self._create_match(row, summary, war)
            return False
        if match.outcome is None or match.damaged is not None:
            return False
        with self._shared.live.hold(match.id) as live:
            war.finish(live.match, choices.bots_from)
        self._write(row, war, Choices(), current=None)
        return True

    def _create_match(self, row: AnyRow, summary: CampaignSummary, war: War) -> None:
        """Create the match of the chapter in progress, with the same people in their seats."""
        setup = war.setup
        assert setup is not None
        game, host = setup.game, None
        with self._shared.database.reading() as connection:
            words = {one.side: one.words for one in connection.execute(_members(row.id))}
            known = connection.execute(select(players).where(players.c.id == row.host)).one_or_none()
        if known is not None:
            host = Player(known.id, known.name)
        wanted = dict[str, SeatAssignment]()
        for seat in game.rules.seats(setup.scenario, setup.options):
            side = setup.side_of(seat.key)
            member = summary.member(side) if side else None
            if member is None or not member.player:
                # A bot that looks ahead would know a sealed order.
                bot = bot_for(game, member.bot) if member and setup.sealed is None else default_bot(game)
                wanted[seat.key] = SeatAssignment("bot", bot)
            else:
                wanted[seat.key] = SeatAssignment("member", player=member.player, words=words[side or ""])
        with suppress(WriteConflict):  # another process was faster
            self._lobby.create(
                host,
                game.key,
                setup.scenario.key,
                setup.options,
                wanted,
                own=setup.scenario.text,
                pace=row.pace,
                listed=row.listed,
                help_agreed=True,
                seed=chapter_seed(war, setup.chapter.key),
                client=row.client,
                id=row.current,
                chapter=ChapterMatch(row.id, setup.chapter.key, setup.before, setup.salt),
            )

    def _write(self, row: AnyRow, war: War, choices: Choices, **more: object) -> None:
        """Write a campaign that has changed; raise `WriteConflict` if another process was faster."""
        values = {
            "record": "\n".join([*war.lines, ""]),
            "choices": _encode(choices).decode(),
            "revision": row.revision + 1,
            "changed": now(),
            "ended": war.closed is not None,
            **more,
        }
        here = campaigns.c.id == row.id, campaigns.c.revision == row.revision
        with self._shared.database.writing() as connection:
            if connection.execute(update(campaigns).where(*here).values(**values)).rowcount != 1:
                raise WriteConflict("another process was faster")
        self._notify(row.id)

    def _notify(self, id: str) -> None:
        self._shared.notify(id, "campaign", {"": 0})

    # -- what sides decide -------------------------------------------------------------------------------------------

    def give_order(self, id: str, key: str, player_id: str) -> None:
        """Seal an order before the next chapter. No one else learns it before the chapter is over.

        Raises `CampaignRefused` if there is no such order, or none is due.
        """

        def change(summary: CampaignSummary, war: War, choices: Choices) -> Choices:
            chapter = _to_come(war)
            if not chapter.order or choices.order:
                raise CampaignRefused("No order is to be sealed now.")
            _own_side(summary, player_id, chapter.ordered_by)
            if key not in {one.key for one in chapter.order}:
                raise CampaignRefused("There is no such order.")
            return replace(choices, order=key)

        self._choose(id, change)

    def answer_risk(self, id: str, player_id: str, *, call: bool) -> None:
        """Call calculated risk before the next chapter, so that it counts double, or do not; `CampaignRefused`."""

        def change(summary: CampaignSummary, war: War, choices: Choices) -> Choices:
            _to_come(war)
            side = war.behind()
            if side is None or choices.risk is not None:
                raise CampaignRefused("No side may call calculated risk now.")
            _own_side(summary, player_id, side)
            return replace(choices, risk=side if call else "")

        self._choose(id, change)

    def offer(self, id: str, kind: str, side: str, player_id: str) -> None:
        """Offer something to the other side. A bot accepts, except an end of a war that it would lose by it.

        Raises `CampaignRefused` if that is not possible now.
        """
        if kind not in get_args(Offer):
            raise CampaignRefused("There is no such offer.")

        def change(summary: CampaignSummary, war: War, choices: Choices) -> Choices:
            _own_side(summary, player_id, side)
            if choices.offer:
                raise CampaignRefused("An offer is open; answer it first.")
            if kind == "bots" and war.setup is None:
                raise CampaignRefused("No chapter is in progress.")
            others = [one for one in summary.members if one.side != side]
            if kind == "end" and any(one.bot for one in others) and war.leader not in (None, others[0].side):
                raise CampaignRefused("The bot plays on: it is behind.")
            return replace(choices, offer=kind, by=side)

        self._choose(id, change)
        summary = self.summary(id)
        others = [one for one in summary.members if one.side != side]
        if all(one.bot or one.player == player_id for one in others):
            self._carry_out(id, kind)

    def answer_offer(self, id: str, player_id: str, *, accept: bool) -> None:
        """Accept or decline what the other side offers; the side that offers may withdraw it. `CampaignRefused`."""
        summary, kind = self.summary(id), ""

        def change(summary: CampaignSummary, war: War, choices: Choices) -> Choices:
            nonlocal kind
            if not choices.offer:
                raise CampaignRefused("There is no offer.")
            own = summary.sides_of(player_id)
            if not own or (accept and own == [choices.by]):
                raise NotYourSeat("Only the other side can accept this.")
            kind = choices.offer
            return choices if accept else replace(choices, offer="", by="")

        self._choose(id, change)
        if accept:
            self._carry_out(summary.id, kind)

    def leave(self, id: str, side: str, player_id: str) -> None:
        """Leave the war with a side, which loses by one ending more; `CampaignRefused` if it is over."""
        self._change(id, lambda war: war.leave(side), lambda summary: _own_side(summary, player_id, side))

    def _carry_out(self, id: str, kind: str) -> None:
        if kind == "end":
            self._change(id, War.agree)
        elif kind == "skip":
            self._change(id, War.skip)
            self.advance(id)
        else:
            self._give_to_bots(id)

    def _give_to_bots(self, id: str) -> None:
        """Let bots play the chapter in progress on; the campaign's record says from which decision."""
        summary = self.summary(id)
        with self._shared.live.hold(summary.current) as live:
            at, game = live.match.decision_count, live.match.game

        def change(summary: CampaignSummary, war: War, choices: Choices) -> Choices:
            return replace(choices, offer="", by="", bots_from=at)

        self._choose(id, change)
        with self._shared.database.glance() as connection:
            people = [
                (seat.key, one) for seat in one_card(connection, summary.current).seats for one, _ in seat.players[:1]
            ]
        for seat, player_id in people:
            self._seats.assign_bot(summary.current, seat, default_bot(game), player_id)
        self.advance(id)

    def _change(
        self, id: str, act: Callable[[War], object], check: Callable[[CampaignSummary], object] = lambda summary: None
    ) -> None:
        """Change a war itself, unless it is over or has not begun."""
        for _ in range(TRIES):
            row, summary, war = self._at_work(id)
            check(summary)
            try:
                act(war)
            except WarError as error:
                raise CampaignRefused(str(error)) from error
            with suppress(WriteConflict):
                self._write(row, war, Choices(), current=None)
                self._delete_unfinished(row.current)
                return

    def _delete_unfinished(self, match: str | None) -> None:
        """Delete the match of a chapter that was in progress, as it is not part of the campaign."""
        here = matches.c.id == match, matches.c.outcome.is_(None)
        with self._shared.database.writing() as connection:
            if connection.execute(select(matches.c.id).where(*here).with_for_update()).first() is None:
                return
            revisions = one_card(connection, match or "").viewer_revisions()
            delete_match_rows(connection, match or "")
        self._shared.live.forget(match or "")
        self._shared.notify(match or "", "seats", revisions)

    def _choose(self, id: str, change: Callable[[CampaignSummary, War, Choices], Choices]) -> None:
        """Change what sides have decided, and continue if that was what the campaign waited for."""
        for _ in range(TRIES):
            row, summary, war = self._at_work(id)
            new = change(summary, war, _choices(row))
            with suppress(WriteConflict):
                self._write(row, war, new)
                break
        self.advance(id)

    def _at_work(self, id: str) -> tuple[AnyRow, CampaignSummary, War]:
        """Return a campaign in progress; raise `CampaignRefused` if it is not."""
        with self._shared.database.reading() as connection:
            row = _row(connection, id)
            summary = _summary(connection, row)
        if row.ended or not row.begun:
            raise CampaignRefused("The war is over." if row.ended else "The war has not begun.")
        return row, summary, self._read(row)

    # -- importing ---------------------------------------------------------------------------------------------------

    def write_import(self, prepared: PreparedWar, host: Player, *, client: str = "") -> str:
        """Write an imported campaign; return its id. The host plays all sides, and may make links to give them away."""
        new = new_id()
        row = _new_row(new, host, restore_war(prepared.lines), pace="live", listed=False, client=client)
        with self._shared.database.writing() as connection:
            connection.execute(
                insert(campaigns), row | {"record": prepared.lines, "begun": True, "ended": prepared.ended}
            )
            sides = [
                {"campaign": new, "side": side, "player": host.id, "bot": "", "words": ""} for side in prepared.sides
            ]
            connection.execute(insert(members), sides)
        for chapter, match in prepared.matches:
            match.match.update(campaign=new, chapter=chapter)
            self._records.write_import(match, host, client=client)
        self.advance(new)
        return new


def prepare_war(text: str, progress: Callable[[str], object] = lambda chapter: None) -> PreparedWar:
    """Verify the record of a campaign, and return what is to be written; it needs no database, and can take long.

    Raises:
        InvalidRecord: with the first line that differs.
        ImportRejected: a chapter is in progress, or the record exceeds a limit.
        InvalidText: see `check_texts`.
        ReadyRoomError: a game, scenario or option does not exist here.
    """
    if len(text) > RECORD_LENGTH:
        raise ImportRejected(f"The record has more than {RECORD_LENGTH:,} characters.")
    found = list[PreparedImport]()

    def prove(chapter: str, record: str) -> Any:
        match, prepared = prepare_finished(record)
        found.append(prepared)
        return match

    war = verify_war(text, progress, prove)
    check_texts(war)
    if war.setup is not None or war.is_sealed:
        raise ImportRejected("A chapter is in progress in this record. Export the campaign between two chapters.")
    ends = [
        msgspec.json.decode(f"{line[:-43]}}}", type=ChapterEnd) for line in war.lines if line.startswith(_CHAPTER_END)
    ]
    keys = [end.finished for end in ends if end.record]
    lines = "\n".join([*war.lines, ""])
    matches_of = list(zip(keys, found, strict=True))
    return PreparedWar(war.campaign.title, lines, list(war.campaign.sides), war.closed is not None, matches_of)


def check_texts(war: War) -> None:
    """Raise `InvalidText` for a text of a campaign or its scenario files that is too long, or that others misread."""
    campaign = war.campaign
    clean_text(campaign.title, TITLE_LENGTH, "The title of the campaign", lines=False)
    titles: dict[str, Iterable[str]] = {
        "side": campaign.sides.values(),
        "chapter": [chapter.title for chapter in campaign.chapter],
        "ending": [title for _, title in campaign.victory.endings],
        "variant": [variant.title for variant in campaign.variant.values()],
    }
    for what, texts in titles.items():
        for text in texts:
            bounded(text, TITLE_LENGTH, f"The title of the {what}", lines=False)
    for text in _texts_in(msgspec.to_builtins(campaign)):
        bounded(text, TEXT_LENGTH, "A text of the campaign")
    scenarios = [parse_own(text.encode(), name) for name, text in war.header.files.items()]
    for tables in [*scenarios, *(one.scenario for one in campaign.chapter if isinstance(one.scenario, dict))]:
        clean_text(str(tables.get("title", "")), TITLE_LENGTH, "The title of the scenario", lines=False)


def _texts_in(value: Any) -> Iterator[str]:
    """Yield the texts anywhere in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from _texts_in(each)


def match_id(campaign: str, before: str) -> str:
    """Return the id of the match of a chapter: it follows from the record up to it, so that it is created once."""
    return derived_id(f"chapter {before} of {campaign}")


def _check_bot(war: War, who: SeatAssignment) -> None:
    """Raise `InvalidSeating` unless a bot can play a game of the campaign; in its other games its default bot does."""
    games = [chapter.game for chapter in war.campaign.chapter]
    if who.kind == "bot" and not any(is_offered(load_game(one), who.bot) for one in games):
        raise InvalidSeating(f"There is no bot {who.bot!r} for this campaign.")


def _has_link(who: SeatAssignment) -> bool:
    return who.kind == "friend" or who.joins


def _new_row(id: str, host: Player, war: War, *, pace: Pace, listed: bool, client: str) -> dict[str, Any]:
    at = now()
    variants = [war.campaign.variant[key].title for key in war.header.variants]
    return {
        "id": id,
        "host": host.id,
        "title": ": ".join([war.campaign.title, *([", ".join(variants)] if variants else [])])[:TITLE_LENGTH],
        "pace": pace,
        "listed": listed,
        "created": at,
        "changed": at,
        "record": "\n".join([*war.lines, ""]),
        "revision": 0,
        "begun": False,
        "ended": False,
        "current": None,
        "choices": _encode(Choices()).decode(),
        "client": client,
    }


def _row(connection: Connection, id: str, *, lock: bool = False) -> AnyRow:
    wanted = select(campaigns).where(campaigns.c.id == id)
    is_id = id.isascii() and id.isalnum()
    row = connection.execute(wanted.with_for_update() if lock else wanted).one_or_none() if is_id else None
    if row is None:
        raise UnknownCampaignId(id)
    return row


def _members(id: str) -> Any:
    return (
        select(members, players.c.name, players.c.ladder)
        .outerjoin(players, players.c.id == members.c.player)
        .where(members.c.campaign == id)
    )


def _summary(connection: Connection, row: AnyRow) -> CampaignSummary:
    rows: Sequence[AnyRow] = connection.execute(_members(row.id)).all()
    names = distinguish((one.player, one.name) for one in rows if one.player is not None)
    known = [
        Member(
            one.side,
            one.player or "",
            names.get(one.player, "") if one.player else "",
            one.bot,
            one.link is not None and one.player is None,
            one.ladder is not None,
        )
        for one in rows
    ]
    choices = _choices(row)
    return CampaignSummary(
        id=row.id,
        title=row.title,
        host=row.host or "",
        members=tuple(sorted(known)),
        pace=row.pace,
        public=row.listed,
        created=from_timestamp(row.created),
        changed=from_timestamp(row.changed),
        started=row.begun,
        over=row.ended,
        current=row.current or "",
        revision=row.revision,
        risk=choices.risk,
        offer=choices.offer,
        by=choices.by,
    )


def _choices(row: AnyRow) -> Choices:
    return msgspec.json.decode(row.choices, type=Choices)


def _linked(connection: Connection, secret: str) -> AnyRow:
    row = connection.execute(select(members).where(members.c.link == hashed(secret))).one_or_none()
    if row is None:
        raise UnknownLink("link to a campaign")
    return row


def _change_member(connection: Connection, id: str, side: str, **values: object) -> None:
    connection.execute(update(members).where(members.c.campaign == id, members.c.side == side).values(**values))


def _to_come(war: War) -> Chapter:
    """Return the chapter that begins next; raise `CampaignRefused` if one has begun."""
    if war.next_chapter is None:
        raise CampaignRefused("A chapter is in progress.")
    return war.next_chapter


def _own_side(summary: CampaignSummary, player_id: str, side: str) -> None:
    if summary.member(side).player != player_id:
        raise NotYourSeat("Only the player of this side can do this.")
