"""Nothing that others can get over HTTP shows them what they may not know.

Pairs of matches with the same dice differ in one answer. Every page, the API, the lobby and the events must be the same
for the other side and for spectators until their own view or log differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.guessing import Pairs
from tests.web.clients import FRIEND, ME, Guest, Site, open_site

from readyroom.engine.match import Match
from readyroom.engine.rules.decisions import Decision
from readyroom.store import SeatAssignment
from readyroom.testing.interference import Epoch, Known, Policy, comparable, outsiders
from readyroom.testing.playouts import PlayedAnswer
from readyroom.testing.snapshots import lines

PATHS = (
    "/m/{id}",
    "/m/{id}/table",
    "/m/{id}/seats",
    "/m/{id}/talk",
    "/m/{id}/presence",
    "/m/{id}/report",
    "/m/{id}/report.md",
    "/",
)
API = ("/api/v1/matches/{id}?since=0&view=true", "/api/v1/matches")
CHANGING = re.compile(r'name="_csrf_token" value="[^"]+"|"x-csrf-token": ?"[^"]+"|<time .*?</time>|nonce="[^"]+"')
"""What differs between two looks at the same page; times are those of the clock."""
GAMES = {"midway": ("midway", "usa", "japan"), "tora": ("sunday", "usa", "japan"), "war": (None, "allies", "axis")}
"""The scenario and the seats of the games in which both sides have secrets."""
ONWARD = 8


class Watched:
    """A match on the server, and what its viewers get."""

    def __init__(self, site: Site, game: str, options: Mapping[str, str], seed: str) -> None:
        scenario, mine, other = GAMES[game]
        self.site, self.guests = site, dict[str | None, Guest]()
        self.guests = {mine: site.guest("Nimitz"), other: site.guest("Yamamoto"), None: site.guest("A spectator")}
        seats: dict[str, SeatAssignment] = {mine: ME, other: FRIEND}
        opened = site.store.lobby.create(self.guests[mine].player, game, scenario, dict(options), seats, seed=seed)
        site.store.seats.join_by_link(opened.links[other], self.guests[other].player.id)
        self.id = opened.id
        self.events: list[tuple[str, Mapping[str, int]]] = []
        self.epochs: dict[str | None, list[Epoch]] = {viewer: [] for viewer in self.guests}
        site.app.state.site.broadcaster.listeners.append(self._moved)

    def _moved(self, id: str, what: str, revisions: Mapping[str, int]) -> None:
        if id == self.id:
            self.events.append((what, revisions))

    def decide(self, answer: PlayedAnswer) -> None:
        """Answer as a player's page does."""
        self.site.store.matches.answer(self.id, answer.seat, list(answer.keys), None)

    def next(self, policy: Policy) -> PlayedAnswer | None:
        """Return the policy's answer; None if the match is over."""
        with self.site.store.matches.open(self.id) as match:
            return policy.next(match) if match.outcome is None else None

    def decision(self, seat: str) -> tuple[Decision, list[str | None]]:
        """Return a seat's decision, and who may not know the answer."""
        with self.site.store.matches.open(self.id) as match:
            return match.pending[seat], outsiders(match, seat)

    def look(self) -> None:
        """Note all that each viewer gets now, if anything in it is different."""
        for viewer, guest in self.guests.items():
            with self.site.store.matches.open(self.id) as match:
                shown = _shown(match, viewer)
            signs: Any = (*self._responses(guest), tuple(self._heard(viewer)))
            epochs = self.epochs[viewer]
            if not epochs or epochs[-1].shown != shown:
                epochs.append(Epoch(shown, []))
            if not epochs[-1].signs or epochs[-1].signs[-1] != signs:
                epochs[-1].signs.append(signs)

    def _responses(self, guest: Guest) -> Iterator[tuple[int, int, str]]:
        signature = self.site.store.listings.summary(self.id).signature
        for path in (*PATHS, *API):
            response = guest.get(path.format(id=self.id))
            text = CHANGING.sub("", response.text.replace(self.id, "ID").replace(signature, "SIGNATURE"))
            if path in ("/", "/api/v1/matches"):
                text = "".join(part for part in re.split(r"(?=<article|\{\"id\")", text) if "ID" in part)
            yield response.status_code, len(text), blake2b(text.encode(), digest_size=6).hexdigest()

    def _heard(self, viewer: str | None) -> Iterator[tuple[str, int]]:
        """Yield the events that a viewer's stream carried."""
        key = viewer or ""
        yield from ((what, revisions[key]) for what, revisions in self.events if key in revisions)


def _shown(match: Match[Any, Any], viewer: str | None) -> Known:
    seen = match.view(viewer)
    return Known(msgspec.json.encode([seen.table, seen.sheets, seen.outcome]), lines(match.log(viewer)))


def different_answer(decision: Decision, keys: tuple[str, ...], random: Random) -> tuple[str, ...] | None:
    """Return another answer, best nothing instead of something."""
    if keys and not decision.at_least:
        return ()
    others = (decision.sample(random) for _ in range(8))
    return next((other for other in others if sorted(other) != sorted(keys)), None)


def play_pair(site: Site, game: str, options: Mapping[str, str], seed: str) -> Iterator[tuple[list[Any], list[Any]]]:
    """Play a pair; yield what each outsider got in both matches, that with the greater answer first."""
    random = Random(seed)
    one, other = (Watched(site, game, options, seed) for _ in range(2))
    policies = [Policy(seed), Policy(seed)]
    for _ in range(random.randint(0, 60)):
        answers = [watched.next(policy) for watched, policy in zip((one, other), policies, strict=True)]
        assert answers[0] == answers[1]
        if answers[0] is None:
            return
        one.decide(answers[0])
        other.decide(answers[0])
    taken = one.next(policies[0])
    if taken is None:
        return
    decision, watching = one.decision(taken.seat)
    different = different_answer(decision, tuple(taken.keys), random)
    if different is None:
        return
    for watched, keys in ((one, taken.keys), (other, different)):
        answer: PlayedAnswer | None = PlayedAnswer(taken.seat, keys)
        policy = Policy(f"{seed} onward")
        for _ in range(ONWARD):
            watched.look()
            if answer is None:
                break
            watched.decide(answer)
            answer = watched.next(policy)
    order = (one, other) if (len(taken.keys), taken.keys) > (len(different), different) else (other, one)
    for viewer in watching:
        left, right = comparable(*(watched.epochs[viewer] for watched in order))
        yield left, right
    site.app.state.site.broadcaster.listeners[-2:] = []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """An application for this module."""
    place: Path = tmp_path_factory.mktemp("pairs")
    with open_site(place) as site:
        yield site


@pytest.mark.torture(8)
@pytest.mark.parametrize("game", GAMES)
def test_responses_do_not_show_hidden_answers(site: Site, game: str) -> None:
    compared = 0
    for number in range(3):
        for left, right in play_pair(site, game, {}, f"pair {number}"):
            assert left == right, f"pair {number}"
            compared += bool(left)
    assert compared


@pytest.mark.torture(150)
@pytest.mark.parametrize("game", GAMES)
def test_responses_do_not_show_hidden_answers_in_many_pairs(site: Site, game: str) -> None:
    """A logistic regression over all responses of the pairs would find nothing, as they are equal to the byte."""
    found = Pairs()
    for number in range(12):
        for left, right in play_pair(site, game, {}, f"many {number}"):
            assert left == right, f"pair {number}"
            found.add(left, right)
    print(f"{game}: {found.accuracy()}")
