"""Tests of the events that the boards of both games play: targets and keys on the board, effects, moments, secrecy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from readyroom import Game, Match, bots
from readyroom.engine.rules.state import Piece
from readyroom.engine.rules.table import LoggedEvent, keys_of
from readyroom.games import strategic
from readyroom.games.strategic.pearl import GAME as PEARL
from readyroom.games.strategic.war import GAME as WAR
from readyroom.web.board_svg import drawing

SEATS: Mapping[str, tuple[str, ...]] = {"war": ("axis", "allies"), "pearl": ("japan", "usa")}
CASES = [
    (WAR, "atlantic"),
    pytest.param(WAR, "silent-service", marks=pytest.mark.torture(seconds=5)),
    pytest.param(WAR, "bomber-offensive", marks=pytest.mark.torture(seconds=5)),
    pytest.param(WAR, "strategic-war", marks=pytest.mark.torture(seconds=28)),
    (PEARL, "air-raid"),
    (PEARL, "air-raid-carriers-in"),
    (PEARL, "air-raid-late"),
]
LOGGED = re.compile(r'(?:log_line|reveal)\(\s*"([\w.]+)"|rule(?:, [\w.]+)? = "([\w.]+)"')


class Event(NamedTuple):
    """A line that a seat may read, as the page gets it, with the board before and after."""

    phase: str
    rule: str
    text: str
    rolls: int
    keys: tuple[str, ...]
    target: str
    moment: str
    before: str
    after: str


class EventRecorder:
    """Collects the events of a match for one seat."""

    def __init__(self, match: Match[Any, Any], seat: str | None, *, draws: bool = True) -> None:
        self.match, self.seat, self.draws = match, seat, draws
        self.events: list[Event] = []
        self.frame = self.draw()
        match.listen(self)

    def draw(self) -> str:
        drawn = drawing(self.match.game, self.match.view(self.seat), None, "wide") if self.draws else None
        return drawn.svg if drawn else ""

    def __call__(self, logged: LoggedEvent) -> None:
        line, target = logged.line, logged.target
        if line.seen_by(self.seat):
            key = target.key if isinstance(target, Piece) else target or ""
            before, self.frame = self.frame, self.draw()
            keys = keys_of(logged.facts)
            shown = (line.phase, line.rule, line.text, len(line.rolls), keys, key, logged.moment)
            self.events.append(Event(*shown, before, self.frame))


def play(match: Match[Any, Any], choose: Callable[[str, Any], list[str]]) -> None:
    """Play a match to its end, each answer by a function of seat and question."""
    while match.pending:
        seat = next(iter(match.pending))
        match.decide(seat, choose(seat, match.pending[seat]))


def played(game: Game[Any, Any], scenario: str, seat: str | None, seed: str) -> list[Event]:
    """Return the events of a random match as a seat sees them."""
    match, random = Match(game, scenario, seed=seed, checkpoints=False), Random(seed)
    recorder = EventRecorder(match, seat)
    play(match, lambda seat, decision: decision.sample(random))
    return recorder.events


def by_doctrine(game: Game[Any, Any], scenario: str, seat: str | None, seed: str, *, draws: bool = True) -> list[Event]:
    """Return the events of a match between two bots as a seat sees them."""
    match, random = Match(game, scenario, seed=seed, checkpoints=False), Random(seed)
    recorder = EventRecorder(match, seat, draws=draws)
    bots.play_to_end(match, {each: bots.make_bot(game, "doctrine", each, random) for each in SEATS[game.key]})
    return recorder.events


# -- effects ---------------------------------------------------------------------------------------------------------


def logged_rules(game: Game[Any, Any]) -> Iterator[str]:
    """Yield the rules under which the game's code writes log lines."""
    folder = Path(strategic.__file__).parent
    for file in [*(folder / game.key).glob("*.py")]:
        for found in LOGGED.finditer(file.read_text(encoding="utf-8")):
            yield found[1] or found[2]


@pytest.mark.parametrize("game", [WAR, PEARL], ids=lambda game: str(game.key))
def test_every_rule_that_logs_has_an_effect(game: Game[Any, Any]) -> None:
    rules = set(logged_rules(game))
    for scenario in (each.key for each in game.rules.scenarios(game.data)):
        match, random = Match(game, scenario, seed="rules", checkpoints=False), Random(1)
        for _ in range(200):
            if not match.pending:
                break
            seat = next(iter(match.pending))
            match.decide(seat, match.pending[seat].sample(random))
        rules |= {line.rule for line in match.full_log}
    assert rules - set(game.effects) == set()


@pytest.mark.parametrize("game", [WAR, PEARL], ids=lambda game: str(game.key))
def test_every_effect_of_a_hit_exists_in_the_browser(game: Game[Any, Any]) -> None:
    script = Path(strategic.__file__).parent / game.key / "static" / "effects.js"
    text = script.read_text(encoding="utf-8")
    exported = re.search(r"effects = \{([^}]+)\}", text)
    assert exported is not None
    names = {name.strip() for name in exported[1].split(",") if name.strip()}
    assert names == {effect.name for effect in game.effects.values()} - {""}


# -- targets and keys ------------------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.parametrize(("game", "scenario"), CASES)
def test_targets_and_keys_are_on_the_board(game: Game[Any, Any], scenario: str) -> None:
    for number, seat in enumerate((*SEATS[game.key], None)):
        events = played(game, scenario, seat, f"{scenario} {number}")
        assert events
        for event in events:
            shown = f"{event.before}\n{event.after}"
            assert event.target, event.text
            assert f'="{event.target}"' in shown, event
            if game is WAR:
                assert all(f'="{key}"' in shown for key in event.keys), event


def test_winter_in_the_atlantic_rolls_next_to_the_ocean() -> None:
    events = by_doctrine(WAR, "atlantic", "allies", "winter")
    start = next(at for at, event in enumerate(events) if event.text == "Winter 1942 begins.")
    end = next(at for at, event in enumerate(events) if event.text.startswith("Spring 1943 begins. The Axis has "))
    winter = events[start:end]
    battle = [event for event in winter if event.rule == "SW.8"]
    assert [event.keys for event in battle] == [
        ("german-atlantic", "merchants-atlantic"),
        ("escorts-atlantic", "german-atlantic"),
    ]
    assert all(event.target == "atlantic" and event.rolls == 1 for event in battle)
    assert any(event.rule == "SW.4" and event.target == "german-atlantic" for event in winter)


def test_raid_names_bombers_city_and_defenders() -> None:
    events = by_doctrine(WAR, "bomber-offensive", "axis", "raid")
    keys = {(event.rule, event.keys, event.target) for event in events}
    assert any(rule == "SW.10" and keys[0] == "bombers-germany" for rule, keys, _ in keys if keys)
    assert any(rule == "SW.10.3" and set(keys) >= {"interceptors-germany"} for rule, keys, _ in keys)
    assert {target for rule, _, target in keys if rule == "SW.11"} <= {
        aim.key for aim in Match(WAR, "bomber-offensive").state.war.targets
    }


# -- what is said is done --------------------------------------------------------------------------------------------


def test_board_shows_losses_at_the_line_that_reports_them() -> None:
    match, random = Match(WAR, "strategic-war", seed="done", checkpoints=False), Random(1)
    ships, boats, counted = {}, {}, 0

    def count(war: Any) -> None:
        ships.update({sea: (ocean.merchants, ocean.escorts) for sea, ocean in war.oceans.items()})
        boats.update({fleet: stack.ready for fleet, stack in war.submarines.items()})

    def listen(logged: LoggedEvent) -> None:
        nonlocal counted
        war, text, sea = match.state.war, logged.line.text, str(logged.target)
        if logged.line.rule == "SW.8" and " sink" in text:
            lost = {
                kind: int(n) for n, kind in re.findall(r"(\d+) (merchant|escort|submarine)", text.split(" sink")[1])
            }
            fleet = next(key for key in keys_of(logged.facts) if key in boats)
            if "submarine" in lost:
                assert war.submarines[fleet].ready <= boats[fleet] - lost["submarine"]
            else:
                ocean = war.oceans[sea]
                assert ships[sea] == (ocean.merchants + lost.get("merchant", 0), ocean.escorts + lost.get("escort", 0))
            counted += 1
        count(war)

    count(match.state.war)
    match.listen(listen)
    bots.play_to_end(match, {seat: bots.make_bot(WAR, "doctrine", seat, random) for seat in SEATS["war"]})
    assert counted > 20


def test_board_shows_hits_on_ships_at_their_line() -> None:
    for seed in ("hits", "more hits"):
        for event in by_doctrine(PEARL, "air-raid", "usa", seed):
            ending = re.search(r"she is (damaged|sunk)", event.text)
            if ending and event.rule in ("20.51", "PH.9"):
                piece = re.search(rf'class="[^"]*bd-{ending[1]}[^"]*" data-key="{event.target}"', event.after)
                assert piece, event.text


# -- moments ---------------------------------------------------------------------------------------------------------


def test_war_has_moments() -> None:
    moments = {
        event.moment
        for scenario, seed in (("strategic-war", "m1"), ("strategic-war", "m2"), ("bomber-offensive", "m3"))
        for event in by_doctrine(WAR, scenario, None, seed, draws=False)
    }
    assert "1944: the last year of the match" in moments
    assert "Ultra revealed" in moments
    assert any("Atlantic" in moment for moment in moments)
    assert any("ruins" in moment for moment in moments)


def test_raid_has_moments() -> None:
    seen = [event for seed in "abcdef" for event in by_doctrine(PEARL, "air-raid", None, seed, draws=False)]
    moments = {event.moment for event in seen}
    assert {"The first wave", "Magic revealed"} <= moments
    assert any(moment.endswith(" sunk") for moment in moments)
    last = [event for event in seen if event.rule == "PH.13" and event.moment]
    assert len(last) == 6
    assert all(event.moment in ("Japan wins", "The United States win", "Draw") for event in last)


# -- secrecy ---------------------------------------------------------------------------------------------------------


def as_bytes(events: list[Event]) -> bytes:
    """Return events as the page gets them."""
    return msgspec.json.encode(events)


def test_enemy_research_does_not_change_events() -> None:
    """Two matches differ only in what Germany studies, which the Allies cannot know until the end of the turn."""

    def events(project: str) -> list[Event]:
        match = Match(WAR, "atlantic", seed="twins", checkpoints=False)
        recorder = EventRecorder(match, "allies")

        def choose(seat: str, decision: Any) -> list[str]:
            own = decision.piece_key == "build-germany"
            return [f"research-{project}"] if own else decision.sample(Random(decision.piece_key))

        while match.pending and match.state.at.turn == 1:
            seat = next(iter(match.pending))
            match.decide(seat, choose(seat, match.pending[seat]))
        return [event for event in recorder.events if event.phase in ("war-planning", "war-axis-submarines")]

    first, second = events("torpedo"), events("air-range")
    assert any(event.rule == "SW.8" for event in first)
    assert as_bytes(first) == as_bytes(second)


@pytest.mark.torture(4)
def test_enemy_magic_does_not_change_events_if_the_view_is_the_same() -> None:
    same = 0
    for number in range(60):

        def events(cards: int, number: int = number) -> tuple[Any, list[Event]]:
            match = Match(PEARL, "air-raid", seed=f"magic {number}", checkpoints=False)
            recorder = EventRecorder(match, "japan")
            for seat in ("japan", "usa"):
                match.decide(seat, ["magic-1" if seat == "japan" else f"magic-{cards}"])
            return match.view("japan"), recorder.events

        (first_view, first), (second_view, second) = events(0), events(1)
        if first_view.table == second_view.table:
            same += 1
            assert as_bytes(first) == as_bytes(second)
    assert same
