"""Random matches with the events that a board plays: what each log line names, and the drawing at it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import msgspec

from readyroom.engine.game import Game, MatchView
from readyroom.engine.match import Match, Start
from readyroom.engine.rules.state import Piece
from readyroom.engine.rules.table import LoggedEvent, keys_of
from readyroom.testing.playouts import play_on
from readyroom.testing.snapshots import question
from readyroom.web.board_svg import drawing
from readyroom.web.playback import RoomMeasure

KEY = re.compile(r'data-(key|place)="([^"]+)"')
VIEW_BOX = re.compile(r'<svg class="board-\w+ bd-[^>]*viewBox="([^"]+)"')


class Event(NamedTuple):
    """A log line: its rule and text, the keys it names, what it happens to, its moment, and the view at it."""

    rule: str
    text: str
    keys: tuple[str, ...]
    target: str
    moment: str
    view: MatchView[Any]


@dataclass
class Batch:
    """The events of one decision, with the views before and after it; frames are drawn with room for all of them."""

    game: Game[Any, Any]
    before: MatchView[Any]
    after: MatchView[Any]
    events: list[Event]
    shape: str
    room: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find the room that the largest drawing needs."""
        measure = RoomMeasure(self.game)
        for view in (self.before, *(event.view for event in self.events), self.after):
            measure.add(view)
        self.room = measure.room()

    def draw(self, view: MatchView[Any]) -> str:
        """Return the drawing of a view as it is played."""
        drawn = drawing(self.game, view, None, self.shape, self.room)
        assert drawn is not None
        return drawn.svg

    @property
    def frames(self) -> list[str]:
        """The drawing before, and the one at each event."""
        return [self.draw(view) for view in (self.before, *(event.view for event in self.events))]


def batches(
    game: Game[Any, Any], scenario: str, seed: str, options: Mapping[str, str] | None = None, shape: str = "wide"
) -> Iterator[Batch]:
    """Yield what happens at each decision of a random match, as its first seat sees it."""
    match = Match(game, scenario, options, seed)
    seat = match.seats[0].key
    yield from _followed(match, seat, (None for _ in play_on(match, Random(seed))), shape)


def answered(match: Match[Any, Any], seat: str, answer: Sequence[str], shape: str = "wide") -> Batch:
    """Return what happens after one answer."""

    def answers() -> Iterator[None]:
        yield None
        match.decide(seat, answer)

    (batch,) = _followed(match, seat, answers(), shape)
    return batch


def _followed(match: Match[Any, Any], seat: str, answers: Iterator[None], shape: str) -> Iterator[Batch]:
    game, events = match.game, list[Event]()

    def note(logged: LoggedEvent) -> None:
        if logged.line.seen_by(seat):
            target = logged.target.key if isinstance(logged.target, Piece) else logged.target or ""
            events.append(
                Event(
                    logged.line.rule,
                    logged.line.text,
                    keys_of(logged.facts),
                    target,
                    logged.moment,
                    _copy(match.view(seat)),
                )
            )

    before = None
    for _ in answers:
        if before is not None:
            yield Batch(game, before, _copy(match.view(seat)), list(events), shape)
        before = _copy(match.view(seat))
        events.clear()
        match.listen(note)
    if before is not None:
        yield Batch(game, before, _copy(match.view(seat)), list(events), shape)


def _copy(view: MatchView[Any]) -> MatchView[Any]:
    """Return a view that does not change with the state."""
    table = msgspec.msgpack.decode(msgspec.msgpack.encode(view.table), type=type(view.table))
    return view._replace(table=table) if hasattr(view, "_replace") else msgspec.structs.replace(view, table=table)


def check(batch: Batch) -> Iterator[str]:
    """Yield what is wrong with the events of a decision: keys that are not drawn, drawings that jump."""
    frames = batch.frames
    for event, old, new in zip(batch.events, frames, frames[1:], strict=False):
        shown = {key for _, key in KEY.findall(old + new)}
        for key in (*event.keys, event.target):
            if key and key not in shown:
                yield f"{event.rule} {event.text}: {key} is not on the board"
    for frame in frames:
        twice = [key for key, count in Counter(KEY.findall(frame)).items() if count > 1]
        if twice:
            yield f"drawn more than once: {twice}"
    if len({tuple(VIEW_BOX.findall(frame)) for frame in frames}) > 1:
        yield "the size of the board changes"
    if batch.events and same(batch.events[-1].view, batch.after) and frames[-1] != batch.draw(batch.after):
        yield "the last drawing is not that of the end"


def same(one: MatchView[Any], other: MatchView[Any]) -> bool:
    """Return whether two views are equal."""
    return bool(msgspec.json.encode(one) == msgspec.json.encode(other))


def resampled(game: Game[Any, Any], scenario: str, seed: str, tries: int) -> tuple[int, list[str]]:
    """Compare matches with others that look the same to their first seat, for one answer each.

    Return how many events were equal, and what differed although the seat could not know it. The dice are the same, so
    events are compared until one discloses what was hidden.
    """
    random, equal, faults = Random(f"resampled {seed}"), 0, list[str]()
    match = Match(game, scenario, None, seed)
    count = sum(1 for _ in play_on(Match(game, scenario, None, seed), Random(seed)))
    for number, (seat, _) in enumerate(play_on(match, Random(seed))):
        if number % max(1, count // tries):
            continue
        state = match.snapshot().checkpoint.state
        other = game.rules.resample(game.decode(state), game.data, seat, random)
        one, two = (Match(game, scenario, None, seed, start=Start(each)) for each in (state, game.encode(other)))
        if seat not in one.pending or seat not in two.pending or not _asks_the_same(one, two, seat):
            continue  # the rules continue with other questions
        answer = one.pending[seat].sample(random)
        batch, twin = answered(one, seat, answer), answered(two, seat, answer)
        for event, same_event in zip(batch.events, twin.events, strict=False):
            if (event.rule, event.text) != (same_event.rule, same_event.text) or not same(event.view, same_event.view):
                break
            if event[:5] != same_event[:5] or batch.draw(event.view) != batch.draw(same_event.view):
                faults.append(f"{scenario}, seed {seed!r}, after {number} decisions: {event.text}")
            equal += 1
    return equal, faults


def _asks_the_same(one: Match[Any, Any], other: Match[Any, Any], seat: str) -> bool:
    return same(one.view(seat), other.view(seat)) and question(one.pending[seat]) == question(other.pending[seat])
