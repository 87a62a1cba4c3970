"""[12.0.1] Tests of whole voyages: they end, lose no marker, reveal no back, and the doctrine captain arrives."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random

import msgspec
import pytest
from tests.games.doolittle.helpers import DATA, run, table
from tests.games.doolittle.voyage_helpers import at_sea, met_by, play_on, sea

from readyroom.engine.match import Match
from readyroom.engine.rules.state import iter_pieces
from readyroom.games.doolittle import GAME
from readyroom.games.doolittle.bots import voyage
from readyroom.games.doolittle.view import resample, view
from readyroom.games.doolittle.voyage.general_quarters import general_quarters

VARIANTS = ("printed", "variant", "second", "third")


@pytest.mark.rule("doolittle", "12.0", "12.0.1")
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_voyages_end_and_conserve_counters(variant: str) -> None:
    start = Counter(piece.key for piece in iter_pieces(Match(GAME, "carrier", options={"variant": variant}).state))
    for number in range(8):
        match = play_on("carrier", f"{variant} {number}", variant=variant, ending="told" if number % 2 else "short")
        assert Counter(piece.key for piece in iter_pieces(match.state)) == start


@pytest.mark.torture(1)
@pytest.mark.rule("doolittle", "12.0.1")
def test_random_voyages_have_varied_endings() -> None:
    ends = Counter[tuple[str, bool]]()
    for number in range(60):
        state = play_on("carrier", f"end {number}").state
        assert state.launched is not None
        ends[state.launched.how, any(bomber.fate == "ashore" for bomber in state.squad.values())] += 1
    assert ends["none", False] > 5
    assert ends["emergency", True] > 2
    assert ends["emergency", False] + ends["planned", False] + ends["airstrike", False] > 2


@pytest.mark.rule("doolittle", "12.3", "12.5.3")
def test_doctrine_bot_mostly_launches() -> None:
    launched = 0
    for number in range(6):
        match, random = Match(GAME, "carrier", seed=f"doctrine {number}"), Random(number)
        captain = GAME.analysis.bots["doctrine"]("captain", random)
        while match.outcome is None and match.state.segment == "naval":
            decision = match.pending["captain"]
            match.decide("captain", captain(decision, partial(match.view, "captain")))
        launched += match.state.launched is not None and match.state.launched.how != "none"
    assert launched >= 3


@pytest.mark.rule("doolittle", "12.1")
def test_doctrine_bot_answers_every_voyage_rule() -> None:
    known = voyage.answers()
    asked: set[str] = set()
    for number in range(20):
        match, random = Match(GAME, "carrier", seed=f"asked {number}"), Random(number)
        while match.outcome is None and match.state.segment == "naval":
            decision = match.pending["captain"]
            asked.add(decision.rule)
            keys = list(decision.sample(random))
            if keys == ["launch"]:
                keys = [next(key for key in decision.keys if key != "launch")]
            match.decide("captain", keys)
    assert {rule for rule in asked if rule.startswith("12.")} - set(known) <= {"12.3"}


@pytest.mark.rule("doolittle", "12.6.2", "12.6.3")
def test_voyage_view_shows_only_front_of_hidden_hazards() -> None:
    state = at_sea("midway", phase="sea-hazards")
    marker = met_by(state, "task-force", "boat")
    marker.shown = False
    data = view(state, DATA, "captain").sea
    hidden = {"at": "task-force-at-1", "cup": marker.cup}
    assert msgspec.to_builtins(data.hazards.assigned[0].markers) == [hidden]
    marker.shown = True
    data = view(state, DATA, "captain").sea
    assert data.hazards.assigned[0].markers[0].kind == "boat"


@pytest.mark.rule("doolittle", "12.6.2")
def test_hidden_sea_hazards_are_resampled() -> None:
    state = at_sea("midway", phase="sea-hazards")
    marker = met_by(state, "task-force", "boat", cup="west")
    marker.shown = False
    keys = sorted(piece.key for piece in iter_pieces(state))
    seen = set()
    for number in range(30):
        resample(state, DATA, "captain", Random(number))
        seen.add(sea(state).assigned["task-force"][0].key)
        assert sorted(piece.key for piece in iter_pieces(state)) == keys
    assert len(seen) > 5
    assert {key.rpartition("-")[0] for key in seen} == {"west"}


@pytest.mark.rule("doolittle", "9.5", "10.2", "12.1.3", "12.3")
def test_voyage_view_shows_ships_recon_submarines_and_deck() -> None:
    state = at_sea("midway", phase="general-quarters", met=True)
    run(general_quarters(table(state)))
    data = view(state, DATA, "captain").sea
    assert data.force == "TF-16"
    assert len(data.ships) == 16
    assert sum(len(space.ships) for space in data.layout) == 16
    assert {one.key for one in data.submarines} == {"thresher", "trout"}
    assert len(data.deck.aboard) == 16
    assert data.areas[4].patrols == ["task-force"]
    assert data.plan is not None
    assert data.plan.launch_area == "defense-west"
