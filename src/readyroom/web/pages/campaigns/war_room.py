"""What the war room shows: the map, the tide, what changed, the next battle, names, and what a side may do now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from readyroom.campaign.page import HOW, Career, ChangeLine, describe_war, source_text
from readyroom.campaign.schema import Chapter, Order
from readyroom.campaign.war import War
from readyroom.engine.drawing import text_width
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.record.fact_moments import FactMoment
from readyroom.engine.rules.checks import signed
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.campaigns import CampaignSummary
from readyroom.web import catalog
from readyroom.web.jobs.replays import Replays
from readyroom.web.jobs.workers import Job
from readyroom.web.pages.campaigns.war_map import draw_war_map
from readyroom.web.pages.cards import shown_waiting

TIDE_WIDE, TIDE_HIGH = 400, 150
"""The size of the chart of the tide."""
TIDE_SIZE = 13
"""The size of the names in it."""


class Step(NamedTuple):
    """A chapter in the time line. `state` is "past", "now" or "later"; `points` are what it added to the tide."""

    number: int
    chapter: Chapter
    title: str
    game: str
    state: str
    note: str
    winner: str
    tide: int
    points: int
    match: MatchSummary | None


class Band(NamedTuple):
    """An ending in the chart of the tide, from `top` on for `height`; `side` is the side that it is good for."""

    title: str
    values: str
    top: float
    height: float
    side: str
    is_reached: bool


class TideChart(NamedTuple):
    """The tide over the chapters: the bands of the endings, the line, and a point for each chapter that is over.

    `zero` is the height of the line of 0, which ends at `zero_end`, before the name of its ending; `now` is where the
    present tide is.
    """

    wide: int
    high: int
    zero: float
    zero_end: float
    now: float
    bands: Sequence[Band]
    line: str
    points: Sequence[tuple[float, float, str, str]]


class Linked(NamedTuple):
    """A line with the moment of the replay from which it follows: its address and its name; empty if there is none."""

    line: ChangeLine
    link: str
    moment: str
    text: str


class Fate(NamedTuple):
    """What became of a ship or crew in a chapter, and the address of the moment; empty if it is not known."""

    chapter: str
    fate: str
    link: str


class MemberItem(NamedTuple):
    """Who plays a side, for its part of the page."""

    side: str
    name: str
    colour: str
    who: str
    is_mine: bool
    is_vacant: bool


def war_room_context(
    store: Store, replays: Replays, summary: CampaignSummary, player: Player | None, client: str
) -> dict[str, Any]:
    """Return the context of the war room for a player (None: a visitor)."""
    war, by_chapter = store.campaigns.war(summary.id), store.campaigns.matches(summary.id)
    so_far = describe_war(war)
    moments = Moments(store, replays, by_chapter, client)
    return {
        **campaign_context(war, summary, player),
        "war": so_far,
        "steps": (steps := list(time_line(war, by_chapter))),
        "map": draw_war_map(war),
        "tide": war.tide,
        "chart": tide_chart(war, steps),
        "changed": [moments.link(line) for line in so_far.changed],
        "next_battle": [moments.link(line) for line in so_far.next_battle],
        "next_chapter": war.setup.chapter if war.setup else war.next_chapter,
        "fates": [(one, moments.fates(one, war)) for one in so_far.careers],
        "ledger": [
            (one.title, _value(war.ledger[name]), source_text(one.source)) for name, one in war.campaign.ledger.items()
        ],
        "closed": war.closed,
        "winner": war.campaign.sides[war.closed.winner] if war.closed and war.closed.winner else "",
        "again": moments.is_waiting,
        **_actions(store, war, summary, by_chapter, player),
    }


def campaign_context(war: War, summary: CampaignSummary, player: Player | None) -> dict[str, Any]:
    """Return what all pages of a campaign show: its summary, its sides and who plays them."""
    me = player.id if player is not None else ""
    return {
        "campaign": summary.seen_by(me),
        "about_campaign": war.campaign.summary,
        "sides": war.campaign.sides,
        "colours": side_colours(war),
        "seated": members_of(war, summary.seen_by(me), me),
        "is_host": bool(me) and me == summary.host,
        "own_sides": summary.sides_of(me),
    }


def side_colours(war: War) -> dict[str, str]:
    """Return the palette role of each side: that of what it plays in the first chapter where it does."""
    colours = {}
    for side in war.campaign.sides:
        chapter = next((one for one in war.campaign.chapter if side in one.seats), None)
        game = catalog.games().get(chapter.game) if chapter else None
        colours[side] = catalog.colour(game, chapter.seats[side]) if game and chapter else "ink"
    return colours


def members_of(war: War, summary: CampaignSummary, me: str) -> list[MemberItem]:
    """Return who plays each side, in the order of the campaign's file."""
    colours, known = side_colours(war), {one.side: one for one in summary.members}
    items = []
    for side, name in war.campaign.sides.items():
        one = known[side]
        who = f"Bot ({one.bot})" if one.bot else one.name or ("invited" if one.invited else "no one yet")
        items.append(MemberItem(side, name, colours[side], who, bool(me) and one.player == me, one.is_vacant))
    return items


def time_line(war: War, by_chapter: Mapping[str, MatchSummary]) -> Iterable[Step]:
    """Yield the chapters in order."""
    before = war.campaign.ledger[war.campaign.victory.ledger].start
    assert isinstance(before, int)
    for number, chapter in enumerate(war.campaign.chapter, start=1):
        done = war.played[number - 1] if number <= len(war.played) else None
        game = catalog.games().get(chapter.game)
        title, match = chapter.title or chapter.key, by_chapter.get(chapter.key)
        name = match.title if match else game.title if game else chapter.game
        if done is None:
            is_now = number == len(war.played) + 1 and war.closed is None
            yield Step(number, chapter, title, name, "now" if is_now else "later", "", "", before, 0, match)
            continue
        after = done.ledger[war.campaign.victory.ledger]
        assert isinstance(after, int)
        notes = [HOW[done.how], f"order: {done.order.title}" if done.order else ""]
        notes += [f"calculated risk of {war.campaign.sides[done.risk]}" if done.risk else ""]
        note = "; ".join(filter(None, notes))
        yield Step(number, chapter, title, name, "past", note, done.winner or "", after, after - before, match)
        before = after


def tide_chart(war: War, steps: Sequence[Step]) -> TideChart:
    """Return the chart of the tide."""
    first, second = war.campaign.sides
    endings = list(war.campaign.victory.endings)
    quantity = war.campaign.ledger[war.campaign.victory.ledger]
    first_tide = quantity.start
    assert isinstance(first_tide, int)
    reach = [first_tide, *(step.tide for step in steps), *(least for least, _ in endings)]
    low = min(reach) if quantity.low is None else quantity.low
    high = max(reach) if quantity.high is None else quantity.high

    def y(value: float) -> float:
        return round(TIDE_HIGH * (high + 0.5 - value) / (high - low + 1), 1)

    bands, reached = list[Band](), war.closed.ending if war.closed else war.ending
    for number, (least, title) in enumerate(endings):
        start = low if number == 0 else least
        end = endings[number + 1][0] if number + 1 < len(endings) else high + 1
        side = first if start > 0 else second if end <= 0 else ""
        top = y(end - 0.5)
        values = signed(start) if end - start == 1 else f"{signed(start)} to {signed(end - 1)}"
        bands.append(Band(title, values, top, round(y(start - 0.5) - top, 1), side, title == reached))
    each = TIDE_WIDE / max(1, len(steps))
    done = [step for step in steps if step.state == "past"]
    line = f"M0 {y(first_tide)}" + "".join(f"L{round(each * (step.number - 0.5), 1)} {y(step.tide)}" for step in done)
    points = [(round(each * (step.number - 0.5), 1), y(step.tide), step.winner, str(step.number)) for step in done]
    at_zero = next((f"{band.title}: {band.values}" for band in bands if 0 < y(0) - band.top < band.height), "")
    zero_end = round(TIDE_WIDE - 20 - text_width(at_zero, TIDE_SIZE), 1)
    return TideChart(TIDE_WIDE, TIDE_HIGH, y(0), zero_end, y(war.tide), bands, line, points)


def _value(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


# -- moments ---------------------------------------------------------------------------------------------------------


class Moments:
    """The moments of the matches of a campaign from which changes follow; `is_waiting` while a worker finds some."""

    def __init__(self, store: Store, replays: Replays, by_chapter: Mapping[str, MatchSummary], client: str) -> None:
        self._store, self._replays, self._matches, self._client = store, replays, by_chapter, client
        self._known: dict[str, Mapping[str, FactMoment]] = {}
        self.is_waiting = False

    def link(self, line: ChangeLine) -> Linked:
        """Return a line with its moment."""
        if line.origin is None:
            return Linked(line, "", "", "")
        moments = self.of_chapter(line.origin.chapter)
        moment = moments.get(line.origin.fact) or moments.get("")
        if moment is None:
            return Linked(line, "", "", "")
        return Linked(line, self._address(line.origin.chapter, moment), moment_name(moment), moment.text)

    def fates(self, career: Career, war: War) -> list[Fate]:
        """Return what became of a ship or crew, with links."""
        keys = {one.title or one.key: one.key for one in war.campaign.chapter}
        name = career.name.casefold().replace(" ", "-")
        fates = []
        for title, fate in career.fates:
            chapter = keys.get(title, "")
            found = [one for key, one in self.of_chapter(chapter).items() if key.split()[-1:] == [name]]
            last = max(found, key=lambda one: one.number, default=None)
            fates.append(Fate(title, fate, self._address(chapter, last) if last else ""))
        return fates

    def _address(self, chapter: str, moment: FactMoment) -> str:
        return f"/m/{self._matches[chapter].id}/replay?at={moment.number - 1}&seat=all&play=step"

    def of_chapter(self, chapter: str) -> Mapping[str, FactMoment]:
        """Return the moments of the match of a chapter; none if there is no such match, or they are still found."""
        if chapter not in self._known:
            self._known[chapter] = self._find(chapter)
        return self._known[chapter]

    def _find(self, chapter: str) -> Mapping[str, FactMoment]:
        summary = self._matches.get(chapter)
        if summary is None or summary.outcome is None:
            return {}
        try:
            found = self._replays.fact_moments(summary, self._client)
        except ReadyRoomError:  # the record is damaged, or too many replays are being prepared
            return {}
        if isinstance(found, Job):
            self.is_waiting = True
            return {}
        return found


def moment_name(moment: FactMoment) -> str:
    """Return the turn and phase of a moment."""
    return ", ".join(filter(None, [f"turn {moment.turn}" if moment.turn else "", moment.phase]))


# -- what a side may do ----------------------------------------------------------------------------------------------


def _actions(
    store: Store, war: War, summary: CampaignSummary, by_chapter: Mapping[str, MatchSummary], player: Player | None
) -> dict[str, Any]:
    """Return what the player may do now, and who is to decide."""
    me = player.id if player is not None else ""
    own = summary.sides_of(me)
    ordering, risking = store.campaigns.undecided(summary, war)
    chapter = war.setup.chapter if war.setup else war.next_chapter
    current = by_chapter.get(chapter.key) if chapter is not None and war.setup else None
    order = store.campaigns.order(summary.id, me) if me else ""
    waits = current is not None and current.waits_for(me)
    return {
        "orders": _orders(chapter) if ordering in own else [],
        "ordering": ordering,
        "risking": risking,
        "may_risk": risking in own,
        "own_order": next((one.title for one in _orders(chapter) if one.key == order), ""),
        "current": current,
        "is_my_turn": waits,
        "my_seats": current.seats_of(me) if current is not None and me else [],
        "waiting_for": _names_waiting(current) if current is not None else [],
        "is_lost": war.setup is not None and current is None,
        "risk_of": war.setup.risk if war.setup else "",
        "may_answer": bool(summary.offer) and any(side != summary.by for side in own),
        "may_withdraw": bool(summary.offer) and summary.by in own,
        "offers": bool(own) and not summary.offer and war.closed is None and summary.started,
        "leader": war.leader or "",
    }


def _orders(chapter: Chapter | None) -> Sequence[Order]:
    return chapter.order if chapter is not None else ()


def _names_waiting(match: MatchSummary) -> list[str]:
    names = {seat.key: seat.name for seat in match.seats}
    return [names[key] for key in shown_waiting(match)] if match.outcome is None else []
