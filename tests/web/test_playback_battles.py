"""What boards play in every game: random matches, as each seat and a spectator see them.

A playback is compared with the match itself: its events are the lines that the viewer's log gained, each names only
what its line names, the first drawing is the server's board, and the last one is the board at the last line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from random import Random
from string import Formatter
from typing import Any, NamedTuple

import msgspec
import pytest
from tests.web.test_playback import unfolded

from readyroom import bots, games
from readyroom.engine.game import Game
from readyroom.engine.match import Match, Start
from readyroom.engine.record.format import parse
from readyroom.engine.record.playback import LAST_TURN, play_back
from readyroom.engine.record.positions import ReplayIndex, build_index
from readyroom.engine.rules.state import Piece, iter_pieces
from readyroom.engine.rules.table import LoggedEvent, LogLine, pieces_named
from readyroom.games.midway import GAME as MIDWAY
from readyroom.testing.playouts import play_on
from readyroom.testing.snapshots import lines, question, viewers
from readyroom.web.board_svg import drawing
from readyroom.web.formatting import FINGERPRINT
from readyroom.web.playback import MOST_EVENTS, RoomMeasure, playback

AnyGame = Game[Any, Any]
BATTLES = ("midway", "tora")
GAMES = (*BATTLES, "war", "pearl", "picket", "doolittle")
OPTIONS: dict[str, list[dict[str, str]]] = {
    "midway": [{}, {}, {"seats": "groups"}, {"sight": "open"}, {"turn_limit": "8"}],
    "tora": [{}, {}, {"usa_players": "2", "umpire": "yes"}, {"zone_trigger": "immediate"}, {"revise": "both"}],
    "war": [{}, {"codebreaking": "count"}],
    "doolittle": [{}, {}, {"players": "2"}],
}
SHAPES = ("wide", "narrow")
BATCHES = 3
"""The number of batches played of each random match and viewer, and the last one."""
MANY, PARTS = 500, 10
"""The number of matches of each game that a long test plays, and of its parts."""
BOX = re.compile(r'<(?:g|path|rect)[^>]*data-place="([^"]*)"[^>]*>(?:<title>.*?</title>)?(?:<(?:rect|path)[^>]*>)?')
"""A place on the board with its outline."""
LOOK = re.compile(r' class="[^"]*"|<title>.*?</title>')
KEY = re.compile(r'data-(?:key|place)="[^"]+"')
PIECE = re.compile(r'data-key="([^"]+)"')
VIEW_BOX = re.compile(r'<svg class="board-(?:wide|narrow)[^>]*viewBox="([^"]+)"')


class Reported(NamedTuple):
    """A line of the log, with the keys of the pieces that its text names, and of its target."""

    line: LogLine
    keys: frozenset[str]
    target: str


class Played(NamedTuple):
    """A finished match with its index, the lines that its decisions wrote, and how many there were at each revision."""

    match: Match[Any, Any]
    positions: ReplayIndex
    lines: Sequence[Reported]
    ends: Sequence[int]

    @property
    def game(self) -> AnyGame:
        return self.match.game

    def new_lines(self, viewer: str | None, since: int, upto: int) -> list[Reported]:
        """Return what the viewer's log gained from one revision to another."""
        return [each for each in self.lines[self.ends[since] : self.ends[upto]] if each.line.seen_by(viewer)]


@lru_cache(maxsize=4)
def played(key: str, seed: str) -> Played:
    """Return a random match."""
    game, random = games.load(key), Random(f"{key} {seed}")
    scenarios = [scenario.key for scenario in game.rules.scenarios(game.data)]
    known = {option.key: set(option.choices) for option in game.options}
    options = random.choice(OPTIONS.get(key, [{}]))
    options = {name: choice for name, choice in options.items() if choice in known.get(name, ())}
    match: Match[Any, Any] = Match(game, random.choice(scenarios), options, seed)
    reported, ends, first = list[Reported](), list[int](), len(match.full_log)

    def note(logged: LoggedEvent) -> None:
        target = logged.target.key if isinstance(logged.target, Piece) else logged.target or ""
        blanks = [name for _, name, _, _ in Formatter().parse(logged.line.template) if name is not None]
        assert not any(blanks), f"{logged.line.template} numbers its facts"
        shown = logged.facts[: len(blanks)]  # others are dice
        reported.append(Reported(logged.line, frozenset(pieces_named(shown)), target))

    match.listen(note)
    for _ in play_on(match, random):
        ends.append(len(reported))
    ends.append(len(reported))
    assert first + len(reported) == len(match.full_log)
    assert len(ends) == match.revision + 1
    return Played(match, build_index(parse(match.record()), game), reported, ends)


def batches(match: Match[Any, Any], random: Random, count: int) -> list[tuple[int, int]]:
    """Return some first and last revisions, of 1 to 12 decisions each, and the last ones of the match."""
    last = match.revision
    starts = [random.randrange(last) for _ in range(count)]
    return [(start, min(last, start + random.randint(1, 12))) for start in starts] + [(max(0, last - 8), last)]


def places(frame: list[str]) -> dict[str, str]:
    """Return the outline of each place of a drawing, without what is in it."""
    return {found[1]: LOOK.sub("", found[0]) for found in BOX.finditer("\n".join(frame))}


def pieces(frame: list[str]) -> dict[str, str]:
    """Return each piece of a drawing, as it is drawn."""
    return {found[1]: line for line in frame for found in PIECE.finditer(line)}


def room_of(game: AnyGame, views: list[Any]) -> Mapping[str, float]:
    """Return the room that the largest drawing needs."""
    measure = RoomMeasure(game)
    for view in views:
        measure.add(view)
    return measure.room()


def check_batch(found: Played, viewer: str | None, since: int, upto: int, shape: str) -> bool:
    """Check one playback of a match for a viewer; return whether it ends with the board that the viewer then has."""
    match, game = found.match, found.game
    data = playback(game, found.positions, lambda at: at.view(viewer), viewer, since, upto, shape)
    events, frames = data["events"], unfolded(data)
    looks = play_back(found.positions, game, viewer, since, upto, lambda at: at.view(viewer))
    where = f"{game.key}, {match.scenario.key}, seed {match.seed!r}, {viewer}, {since} to {upto}, {shape}"

    reported = found.new_lines(viewer, since, upto)
    assert len(events) == min(MOST_EVENTS, len(reported)), where
    assert len(events) + data["omitted"] == len(reported), where
    for event, each, before, after in zip(events, reported[data["omitted"] :], frames, frames[1:], strict=False):
        check_event(event, each, "\n".join([*before, *after]), where)
    check_moments(found, events, where)

    for frame in frames:
        twice = [key for key, count in Counter(KEY.findall("\n".join(frame))).items() if count > 1]
        if (game.key, shape) != ("doolittle", "narrow"):  # on a phone a site is in each zone from which it is reached
            assert not twice, f"{twice} are on the board more than once: {where}"
    if events:
        boxes, whole = [places(frame) for frame in frames], [tuple(VIEW_BOX.findall("\n".join(at))) for at in frames]
        assert all(whole), where
        if game.key != "tora" or shape == "wide":  # on a phone Tora spreads out crowds below the chart
            assert len({*whole}) == 1, f"the board changes its size: {where}"
        for one, other in pairwise(boxes):
            moved = [key for key in one.keys() & other.keys() if one[key] != other[key]]
            assert not moved or may_move(game, shape, moved), f"{moved} move or grow: {where}"

    views = [looks.before, *(event.frame for event in looks.events)]
    room = room_of(game, views)

    def drawn(view: Any) -> list[str]:
        drawn = drawing(game, view, None, shape, room)
        assert drawn is not None
        return drawn.svg.split("\n")

    first, last = (drawn(found.positions.match_at(at, game).view(viewer)) for at in (since, upto))
    assert data["omitted"] or frames[0] == first, f"the first drawing is not the server's board: {where}"
    assert frames[-1] == drawn(views[-1]), f"the last drawing is not the board at the last line: {where}"
    return pieces(frames[-1]) == pieces(last)


def check_event(event: Mapping[str, Any], reported: Reported, shown: str, where: str) -> None:
    """Check that an event names nothing but what its line names, and what the viewer's board shows."""
    line = reported.line
    assert event["text"] == FINGERPRINT.sub(r"\1", line.text), f"not the log of the seat: {event} in {where}"
    on_board = [*event["keys"], *([event["target"]] if event["target"] else [])]
    assert all(f'"{key}"' in shown for key in on_board), f"not on the board: {event} in {where}"
    assert event["kind"] or not on_board, f"effects.toml has no row for {event} in {where}"
    assert {*event["keys"]} <= reported.keys, f"not named by the line: {event} in {where}"
    assert event["target"] in ("", reported.target), f"{event} in {where}"


def check_moments(found: Played, events: Sequence[Mapping[str, Any]], where: str) -> None:
    """Check that moments name only pieces that the lines of what plays name, up to theirs."""
    names = {str(piece) for piece in iter_pieces(found.match.state) if type(piece).__name__ in ("Carrier", "Ship")}
    shown = ""
    for event in events:
        shown += f"{event['text']} "
        mentioned = {name for name in names if name in event["moment"]}
        assert all(line in shown for line in event.get("summary", "").split(". ")), f"{event} in {where}"
        assert all(name in event.get("summary", event["text"]) for name in mentioned), f"{event} in {where}"


def may_move(game: AnyGame, shape: str, keys: list[str]) -> bool:
    """Return whether these places may differ.

    Tora's harbor makes room where ships lie, and its panels below crowds; the boards of one player turn their pages.
    """
    panels = ("japan-plan", "usa-plan", "alerts") if shape == "narrow" else ()
    tora = game.key == "tora" and all(key[0] == "1" or key in panels for key in keys)
    return tora or game.key in ("picket", "doolittle")


def check_match(key: str, seed: str, count: int = BATCHES) -> Iterator[bool]:
    """Check some playbacks of a match for each viewer; yield whether each ends with the board that the viewer has."""
    found, random = played(key, seed), Random(seed)
    for viewer in viewers(found.match):
        for since, upto in batches(found.match, random, count):
            yield check_batch(found, viewer, since, upto, random.choice(SHAPES))


@pytest.mark.sample(1)
@pytest.mark.slow(seconds=2)
@pytest.mark.parametrize("key", BATTLES)
def test_events_fit_log_and_boards(key: str) -> None:
    assert any([*check_match(key, "two")])


@pytest.mark.torture(seconds=200)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("key", GAMES)
def test_events_fit_log_and_boards_of_five_hundred_matches(key: str, part: int) -> None:
    ends = [end for number in range(part, MANY, PARTS) for end in check_match(key, f"torture {number}", 1)]
    assert sum(ends) > len(ends) / 4  # in others pieces move after the last line: pages let them slide to their places


# -- secrets -----------------------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """An event as a seat gets it."""

    line: bytes
    view: bytes
    played: tuple[list[str], str, str]
    frame: str


def answered(match: Match[Any, Any], seat: str, answer: Sequence[str]) -> list[Seen]:
    """Give an answer and return the events that its seat then sees."""
    events = list[Seen]()

    def hear(logged: LoggedEvent) -> None:
        if not logged.line.seen_by(seat):
            return
        view = match.view(seat)
        drawn = drawing(match.game, view, None, "wide")
        assert drawn is not None
        target = logged.target.key if isinstance(logged.target, Piece) else logged.target or ""
        keys = [key for key in pieces_named(logged.facts) if f'"{key}"' in drawn.svg]
        shown = (keys, target if f'"{target}"' in drawn.svg else "", logged.moment)
        events.append(Seen(lines([logged.line]), msgspec.json.encode(view.table), shown, drawn.svg))

    match.listen(hear)
    match.decide(seat, answer)
    return events


def check_resampled(key: str, seed: str, tries: int) -> int:
    """Compare matches with others that look the same to a seat; return the number of events that were equal."""
    game, random, equal = games.load(key), Random(f"resampled {seed}"), 0
    match = Match(game, None, None, seed)
    every = max(1, played(key, seed).match.decision_count // tries)
    for number, (seat, _) in enumerate(play_on(match, Random(seed))):
        if number % every:
            continue
        state = match.snapshot().checkpoint.state
        resampled = game.rules.resample(game.decode(state), game.data, seat, random)
        true, other = (Match(game, None, None, seed, start=Start(each)) for each in (state, game.encode(resampled)))
        if seat not in true.pending or seat not in other.pending or seen_by(true, seat) != seen_by(other, seat):
            continue  # the rules continue with other questions
        for shape in SHAPES:
            boards = [drawing(game, one.view(seat), None, shape) for one in (true, other)]
            assert boards[0] == boards[1], f"{key}, seed {seed!r}, {seat}, after {number} decisions"
        answer = true.pending[seat].sample(random)
        for one, two in zip(answered(true, seat, answer), answered(other, seat, answer), strict=False):
            if (one.line, one.view) != (two.line, two.view):
                break  # what was hidden has been disclosed
            assert one == two, f"{key}, seed {seed!r}, {seat}, after {number} decisions"
            equal += 1
    return equal


def seen_by(match: Match[Any, Any], seat: str) -> bytes:
    return msgspec.json.encode(match.view(seat)) + question(match.pending[seat])


@pytest.mark.sample(1)
@pytest.mark.slow(seconds=2)
@pytest.mark.parametrize("key", BATTLES)
def test_what_a_seat_cannot_know_changes_no_event(key: str) -> None:
    assert check_resampled(key, "hidden", 4)


@pytest.mark.torture(seconds=600)
@pytest.mark.parametrize("key", BATTLES)
def test_what_a_seat_cannot_know_changes_no_event_of_many_matches(key: str) -> None:
    for number in range(100):
        check_resampled(key, f"torture {number}", 12)


def test_what_the_enemy_does_unseen_makes_no_event() -> None:
    """Japan launches and spots aircraft; the United States gets no event of it."""
    found = played("midway", "one")
    for since, upto in batches(found.match, Random("unseen"), 6):
        mine = play_back(found.positions, found.game, "usa", since, upto, lambda at: None).events
        hidden = {"13.1", "13.2", "14.1", "9.2"}
        assert not [event for event in mine if event.line.rule in hidden and event.line.phase.startswith("japan")]


# -- moments -----------------------------------------------------------------------------------------------------------


def moments(key: str, seed: str, viewer: str) -> list[str]:
    """Return the moments of a whole random match as a seat sees them."""
    found = played(key, seed)
    events = play_back(found.positions, found.game, viewer, 0, found.match.revision, lambda at: None).events
    return [event.moment for event in events if event.moment]


def test_midway_stops_at_its_moments() -> None:
    battle = Match(MIDWAY, "midway", {"turn_limit": "8"}, seed="a strike that cripples")
    players = {seat.key: bots.make_bot(MIDWAY, "doctrine", seat.key, Random(5)) for seat in battle.seats}
    while battle.outcome is None:
        for seat, decision in battle.pending.items():
            battle.decide(seat, players[seat](decision, partial(battle.view, seat)))
    index = build_index(parse(battle.record()), MIDWAY)
    events = play_back(index, MIDWAY, "usa", 0, battle.revision, lambda at: None).events
    seen = [event.moment for event in events if event.moment]
    seen += [moment for seed in ("one", "two") for moment in moments("midway", seed, "usa")]
    for words in ("Great raid on ", " crippled", " sunk", LAST_TURN):
        assert any(words in moment for moment in seen), f"{words} is not among {seen}"
    assert moments("midway", "one", "usa")[-1] in ("Japan wins", "United States wins", "Draw")


@pytest.mark.torture(2)
def test_tora_stops_at_its_moments() -> None:
    seen = [moment for seed in ("s1", "s3", "s5", "s36", "s57") for moment in moments("tora", seed, "usa")]
    wanted = (
        "Both plans are sealed",
        "The first wave arrives over Oahu",
        " sunk",
        " damaged",
        "Surprise is lost",
        "Complete surprise",
        "Magazine explosion: ",
        "The task force withdraws",
    )
    for words in wanted:
        assert any(words in moment for moment in seen), f"{words} is not among {seen}"
    assert not [moment for moment in moments("tora", "s1", "japan") if "urprise" in moment], "the alert is hidden"
    assert "victory" in moments("tora", "s1", "japan")[-1]


def test_last_turn_is_announced_only_if_a_decision_follows() -> None:
    announced = dict[bool, int]()
    for seed in range(12):
        battle = Match(MIDWAY, "duel", seed=f"duel {seed}")
        players = {seat.key: bots.make_bot(MIDWAY, "doctrine", seat.key, Random(seed)) for seat in battle.seats}
        while battle.outcome is None:
            seat, decision = next(iter(battle.pending.items()))
            battle.decide(seat, players[seat](decision, partial(battle.view, seat)))
        index = build_index(parse(battle.record()), MIDWAY)
        for viewer in ("japan", "usa"):
            steps = [
                play_back(index, MIDWAY, viewer, since, since + 1, lambda at: None).events
                for since in range(battle.revision)
            ]
            begins = next((at for at, events in enumerate(steps) if events and events[-1].line.turn == 4), None)
            if begins is not None:
                is_followed = begins < len(steps) - 1
                count = sum(event.moment == LAST_TURN for events in steps for event in events)
                assert count == is_followed, f"seed {seed}, {viewer}"
                announced[is_followed] = announced.get(is_followed, 0) + 1
    assert announced.keys() == {True, False}


def test_last_turn_is_announced_once() -> None:
    found = played("midway", "one")
    step, moments = 5, list[str]()
    for since in range(0, found.match.revision, step):
        upto = min(since + step, found.match.revision)
        moments += [
            e.moment for e in play_back(found.positions, found.game, "usa", since, upto, lambda at: None).events
        ]
    last = found.game.presentation.last_turn
    assert last is not None
    reached = found.match.state.at.turn == last(found.match.state, found.game.data)
    assert moments.count(LAST_TURN) <= reached
