"""What happened on the board between two revisions, as data that pages animate: events, each with its drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Any, TypeAlias

from readyroom.engine.game import Game, MatchView, Seat
from readyroom.engine.match import Match
from readyroom.engine.record.playback import PlayedEvent, play_back
from readyroom.engine.record.positions import ReplayIndex
from readyroom.engine.text import capitalize_first, join_list
from readyroom.web import formatting
from readyroom.web.board_svg import drawing
from readyroom.web.formatting import Data

MOST_ENTRIES = 80
"""The most decisions and undos of one playback; of more, only the last are played."""
SHARED = ("sunk", "damaged")
"""The last words of big moments that several ships can share."""
MOST_EVENTS = 40
"""The most events of one playback; of more, only the last are played."""

Lines: TypeAlias = list[str]
Change: TypeAlias = tuple[int, int, Lines]
"""Lines of a drawing that replace others: where these start, how many they are, and the new ones."""


def playback(
    game: Game[Any, Any],
    index: ReplayIndex,
    view: Callable[[Match[Any, Any]], MatchView[Any]],
    reader: str | None,
    since: int,
    upto: int,
    shape: str = "",
) -> Data:
    """Return the events between two revisions, with the drawing before, and what each event changed in it.

    All drawings have the same layout, with room for the largest of them, so that only what moves moves.

    Args:
        game: the game.
        index: the record up to `upto` at least.
        view: returns what the board shows of the match.
        reader: the seat whose log lines are the events; None: a spectator's; `EVERYONE`: all lines.
        since: the true revision before the first event; negative: before what happens before the first decision.
        upto: the true revision after the last event.
        shape: as for `board_svg.draw`.

    Returns:
        `before`, the lines of the first drawing; `omitted`, the number of events left out at the start; `events`, with
        what the log says of each and its `caption`, the `keys` of the pieces that it names and the key of its `target`
        as far as they are on the board, its `kind`, `effect` and `moment`, whether it comes of the reader's `own`
        answer, and `frame`, the changed lines of the drawing. Of fingerprints the first digits are given, as the log
        shows them. Rolls that leave nothing to chance are left out: their event is a note.
    """
    since = max(since, upto - MOST_ENTRIES)
    measure, seats = RoomMeasure(game), list[Seat]()

    def look(match: Match[Any, Any]) -> None:
        measure.add(view(match))
        seats[:] = match.seats

    count = len(play_back(index, game, reader, since, upto, look).events)
    omitted = max(0, count - MOST_EVENTS)
    played = play_back(index, game, reader, since, upto, _Artist(view, shape, measure.room(), omitted))
    titles = {chart.id: chart.title for chart in game.presentation.charts(game.data)}
    frame = played.events[omitted - 1].frame if omitted else played.before
    before, events = frame, []
    for event in played.events[omitted:]:
        events.append(_event(game, seats, event, frame, titles))
        frame = event.frame
    _share_cards(events)
    return {"before": before, "omitted": omitted, "events": events, "colours": dict(game.presentation.colours)}


def _share_cards(events: Iterable[Data]) -> None:
    """Give ships that one volley sinks or damages one card, with the lines of all: the last of the attacks has it.

    >>> both = {"turn": 1, "phase": "p", "effect": "strike"}
    >>> volley = [{**both, "moment": f"{name} sunk", "text": f"{name} sinks."} for name in ("Utah", "Ogala")]
    >>> _share_cards(volley)
    >>> [attack["moment"] for attack in volley], volley[1]["summary"]
    (['', 'Utah and Ogala sunk'], 'Utah sinks. Ogala sinks.')
    """
    for _, volley in groupby(events, itemgetter("turn", "phase", "effect")):
        moments = [(*event["moment"].rpartition(" ")[::2], event) for event in volley if event["moment"]]
        for word, same in groupby(moments, itemgetter(1)):
            names, _, cards = zip(*same, strict=True)
            if word in SHARED and cards[1:]:
                for event in cards:
                    event["moment"] = ""
                cards[-1]["moment"] = f"{join_list(names)} {word}"
                cards[-1]["summary"] = " ".join(event["text"] for event in cards)


class RoomMeasure:
    """Finds the room that drawings of several views need so that they have one layout."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._needs = game.presentation.room
        self._views: dict[tuple[tuple[str, float], ...], MatchView[Any]] = {}

    def add(self, view: MatchView[Any]) -> None:
        """Add a view; of views that need the same room, one is kept."""
        if self._needs is not None:
            self._views.setdefault(tuple(sorted(self._needs(view, {}).items())), view)

    def room(self) -> dict[str, float]:
        """Return the room for all views.

        A board whose parts all get the most that any view needs can be larger than that of each view alone, so it is
        measured again with this room.
        """
        parts = _largest(map(dict, self._views))
        if self._needs is None or len(self._views) < 2:
            return parts
        return _largest([parts, *(self._needs(view, parts) for view in self._views.values())])


def _largest(rooms: Iterable[Mapping[str, float]]) -> dict[str, float]:
    most: dict[str, float] = {}
    for room in rooms:
        for key, size in room.items():
            most[key] = max(size, most.get(key, 0))
    return most


class _Artist:
    """Draws the board before the first event and at each; before those that are played it draws nothing."""

    def __init__(
        self, view: Callable[[Match[Any, Any]], MatchView[Any]], shape: str, room: Mapping[str, float], omitted: int
    ) -> None:
        self.view, self.shape, self.room, self.left = view, shape, room, omitted

    def __call__(self, match: Match[Any, Any]) -> Lines:
        self.left -= 1
        if self.left >= 0:
            return []
        drawn = drawing(match.game, self.view(match), None, self.shape, self.room)
        return drawn.svg.split("\n") if drawn is not None else []


def _event(
    game: Game[Any, Any], seats: Sequence[Seat], event: PlayedEvent[Lines], last: Lines, titles: Mapping[str, str]
) -> Data:
    """Return an event as data; its dice have titles that say more to a viewer than the names of rolls and charts."""
    kind, effect = game.effect_of(event.line, is_miss=event.is_miss)
    is_settled = bool(event.line.rolls) and all(map(formatting.is_settled, event.line.rolls))
    if is_settled:
        kind, effect = "note" if kind == "roll" else kind, ""
    shown = "\n".join([*last, *event.frame])
    line = formatting.line(event.line, game, seats)
    text = formatting.FINGERPRINT.sub(r"\1", line["text"])
    rolls = []
    for rolled, roll in zip(event.line.rolls, [] if is_settled else line["rolls"], strict=False):
        name = game.roll_title(line["rule"], titles.get(roll["name"].removeprefix("table "), roll["name"]))
        outcome = formatting.outcome(roll, line["text"])
        name, need = capitalize_first(name), formatting.need(rolled)
        rolls.append(roll | {"name": name, "need": need, "ask": formatting.ask(name, need), "outcome": outcome})
    return {
        **line,
        "text": text,
        "caption": game.presentation.caption(text),
        "rolls": rolls,
        "keys": [key for key in event.keys if f'="{key}"' in shown],
        "target": event.target if f'="{event.target}"' in shown else "",
        "kind": kind,
        "effect": effect,
        "moment": event.moment,
        "own": event.own,
        "frame": changes(last, event.frame),
    }


def changes(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """Return the lines that differ.

    >>> changes(["a", "b", "c"], ["a", "x", "c", "d"])
    [(1, 1, ['x']), (3, 0, ['d'])]
    """
    begin = _same(old, new)
    old, new = old[begin:], new[begin:]
    rest = _same(old[::-1], new[::-1])
    # A match is slow to find, and most events change a few neighbors.
    matcher = SequenceMatcher(None, old[: len(old) - rest], new[: len(new) - rest], autojunk=False)
    return [
        (begin + start, end - start, list(new[low:high]))
        for tag, start, end, low, high in matcher.get_opcodes()
        if tag != "equal"
    ]


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines are the same at the beginning of both."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
