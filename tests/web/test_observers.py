"""What others get of a match does not depend on hidden decisions: pairs of matches that differ in one are compared."""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from tests.store.postgres import Postgres
from tests.web.clients import FRIEND, ME
from tests.web.server import PATIENCE, Browser, Site, opened

from readyroom import bots
from readyroom.engine.game import game_names, load_game
from readyroom.engine.match import Match
from readyroom.web.api.status import moving
from readyroom.web.client import decision_of
from readyroom.web.pages.players.profile import COOKIE

LAUNCH, CAP = "13.1", "13.2"
"""The rules by which a side launches squadrons, and says which fighters fly CAP.

With `separate` orders, as in matches of version 3, a side that has launched fighters decides once more.
"""
SEATS = ("japan", "usa")
PAGES = (
    *("", "/table", "/seats", "/talk", "/replay", "/replay?at=9", "/report", "/report.md"),
    *("?ask=staff", "?seat=usa", "/advice", "/record.jsonl"),
)
CHANGING = {
    r'(name="_csrf_token" value|content)="[\w.-]{40,}"': "",
    r'<time[^>]*>[^<]*</time>|"at":"[^"]*"': "",
    r"127\.0\.0\.1:\d+": "",
    r' data-hash="\w+"': "",
}
"""What differs from request to request."""
PRESENT = {
    r' is-here|(?<=: )(here|away|last seen [\w ]+)(?=[",])|(is (here|away)|here|last seen [\w ]+)(?=</span>)': "",
    r'<li class="muted">\d+ watching</li>| data-again="\d+"|<span class="seen"( aria-hidden="true")?></span>': "",
    r'\s*<span class="muted">\(\d+ (person has|people have) a match open\)</span>'
    r"| · \d+ watching": "",
    r"\s*\n\s*": "\n",
}
"""Who has a page open, which the process with their streams knows first."""


class Duel:
    """A match between Japan and the United States, and what Japan and a spectator get of it.

    `responses` has the distinct responses in order for each viewer and address, `events` those of each stream. What
    each match has of its own is replaced in the responses: its id, and its signature with the server's key.
    """

    def __init__(self, site: Site, orders: str) -> None:
        store = site.store
        usa, japan = (store.players.create(name) for name in ("Spruance", "Nagumo"))
        options, who = {"orders": orders}, {"usa": ME, "japan": FRIEND}
        made = store.lobby.create(usa.player, "midway", None, options, who, listed=True, seed="two")
        store.seats.join_by_link(made.links["japan"], japan.player.id)
        self.id, self.player = made.id, japan.player.id
        self.secret = store.seats.new_link(made.id, "japan", self.player)
        summary = store.listings.summary(made.id)
        self._own = {made.id: "MATCH", summary.signer: "SIGNER", summary.signature: "SIGNATURE"}
        self.clients = {"japan": site.browser(cookies={COOKIE: japan.session}), "spectator": site.browser()}
        self.responses = defaultdict[tuple[str, str], list[Any]](list)
        self.events = defaultdict[str, list[str]](list)
        self._bots: dict[str, Any] = {}
        self.changing = CHANGING

    # -- playing -----------------------------------------------------------------------------------------------------

    def asks(self, site: Site) -> tuple[str, str]:
        """Return the seat that is to decide, and the rule."""
        with site.store.matches.open(self.id) as match:
            ((seat, decision),) = match.pending.items()
            return seat, decision.rule

    def play(self, site: Site, without: str = "") -> None:
        """Let a bot decide, without any options whose keys contain this text."""
        with site.store.matches.open(self.id) as match:
            ((seat, decision),) = match.pending.items()
            if seat not in self._bots:
                self._bots[seat] = bots.make_bot(match.game, "doctrine", seat, Random(1))
            keys = [
                key for key in self._bots[seat](decision, match.bot_view(seat)) if not without or without not in key
            ]
        site.store.matches.answer(self.id, seat, keys, None)

    # -- watching ----------------------------------------------------------------------------------------------------

    def look(self, site: Site) -> None:
        """Fetch everything that Japan and a spectator can get."""
        for name, client in self.clients.items():
            for path in (*(f"/m/{self.id}{path}" for path in PAGES), "/"):
                self._note(name, path, client.get(f"{site.url}{path}"))
            for path in (
                f"/matches/{self.id}?since=0&view=true",
                "/matches",
                *self._api("ask-back", "advice", "record"),
            ):
                self._note(name, path, client.get(f"{site.url}/api/v1{path}", headers=self._headers(name)))

    def _api(self, *names: str) -> list[str]:
        return [f"/matches/{self.id}/{name}" for name in names]

    def _headers(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secret}"} if name == "japan" else {}

    def _note(self, name: str, path: str, response: httpx.Response) -> None:
        text = response.text
        for own, common in self._own.items():
            text = text.replace(own, common)
        for pattern, known in self.changing.items():
            text = re.sub(pattern, known, text)
        responses = self.responses[name, path.replace(self.id, "MATCH")]
        if not responses or responses[-1] != (response.status_code, text):
            responses.append((response.status_code, text))

    def listen(self, site: Site, stack: ExitStack) -> None:
        """Read the streams of events until a chat message comes."""
        ready = []
        for name, client in self.clients.items():
            for path in (f"/m/{self.id}/events?seat=japan", f"/api/v1/matches/{self.id}/events"):
                here = threading.Event()
                what = (f"{name} {path}".replace(self.id, "MATCH"), client, f"{site.url}{path}", self._headers(name))
                thread = threading.Thread(target=self._read, args=(*what, here))
                thread.start()
                stack.callback(thread.join, PATIENCE)
                ready.append(here)
        assert all(here.wait(PATIENCE) for here in ready)

    def _read(self, name: str, client: Browser, url: str, headers: Mapping[str, str], here: threading.Event) -> None:
        with client.stream("GET", url, headers=headers) as stream:
            for line in stream.iter_lines():
                here.set()
                self.events[name].append(line)
                if line == "event: talk":
                    return


def launched(
    sites: Sequence[Site], fighters: bool, between: Callable[[], Site] | None = None, *, orders: str = "separate"
) -> Duel:
    """Play until the United States have launched, with or without fighters, and Japan has planned; watch all along."""
    duel, site = Duel(sites[0], orders), sites[0]
    if len(sites) > 1:
        duel.changing = CHANGING | PRESENT
    while duel.asks(site) != ("usa", LAUNCH):
        duel.play(site)
    with ExitStack() as stack:
        if between is None:
            duel.listen(sites[-1], stack)
        duel.look(site)
        duel.play(site, without="" if fighters else "-f-")
        duel.look(sites[-1])
        asked_again = fighters and orders == "separate"
        assert duel.asks(site) == (("usa", CAP) if asked_again else ("japan", "14.1"))
        if asked_again:
            duel.play(site)
        duel.look(sites[-1])
        site = between() if between is not None else sites[-1]
        duel.play(site)
        duel.look(site)
        site.store.chat.post(duel.id, duel.player, "Ahoy", None)
    return duel


def without_arrivals(lines: list[str]) -> list[str]:
    """Return a stream without what it says of arrivals before the first move: its thread may be late for it."""
    start = lines.index("event: moved")
    before = re.sub(r"event: (presence|seats)\ndata: \w+\n\n", "", "".join(f"{line}\n" for line in lines[:start]))
    return [*before.splitlines(), *lines[start:]]


def check_identical(one: Duel, other: Duel) -> None:
    """Check that others could not distinguish the two matches."""
    assert one.responses.keys() == other.responses.keys()
    for at, responses in one.responses.items():
        assert responses == other.responses[at], at
    for events in (one.events, other.events):
        events.update({name: without_arrivals(lines) for name, lines in events.items()})
    assert one.events == other.events


@pytest.mark.slow(seconds=4)
@pytest.mark.parametrize("orders", ["together", pytest.param("separate", marks=pytest.mark.torture(5))])
def test_launch_of_fighters_leaves_no_trace(open_site: Callable[..., Site], orders: str) -> None:
    """Two sites, so that lists show one match each."""
    pair = [launched([open_site()], fighters, orders=orders) for fighters in (True, False)]
    check_identical(*pair)
    stream = pair[0].events["spectator /api/v1/matches/MATCH/events"]
    assert [line for line in stream if line.startswith("event")] == [
        "event: here",
        "event: moved",
        "event: moved",
        "event: talk",
    ]
    assert len(pair[0].responses["spectator", "/matches/MATCH?since=0&view=true"]) == 3


@pytest.mark.torture(5)
def test_restarted_server_continues_each_viewers_count(tmp_path: Path) -> None:
    pair = []
    for fighters in (True, False):
        home = tmp_path / str(fighters)
        home.mkdir()
        sites = [opened(home)]

        def restart(home: Path = home, sites: list[Site] = sites) -> Site:
            sites[-1].close()
            sites.append(opened(home))
            return sites[-1]

        pair.append(launched(sites[:1], fighters, restart))
        sites[-1].close()
    check_identical(*pair)


@pytest.mark.torture(6)
def test_other_process_leaves_no_trace_either(postgres: Postgres, tmp_path: Path) -> None:
    pair = []
    for fighters in (True, False):
        database = postgres.new_database()
        with ExitStack() as stack:
            sites = []
            for _ in range(2):
                sites.append(opened(tmp_path, database=database, secret="one"))
                stack.callback(sites[-1].close)
            pair.append(launched(sites, fighters))
    check_identical(*pair)


def test_hidden_answers_of_others_do_not_make_an_answer_stale(site: Site) -> None:
    """Japan's plan in Tora is answered with a revision read before the American plan continued."""
    store = site.store
    made = store.lobby.create(None, "tora", None, {}, {"japan": FRIEND, "usa": FRIEND})
    for seat in SEATS:
        store.seats.join_by_link(made.links[seat], None, program=True)
    programs = {seat: {"Authorization": f"Bearer {made.links[seat]}"} for seat in SEATS}
    with httpx.Client(base_url=f"{site.url}/api/v1/matches/{made.id}", timeout=PATIENCE) as program:

        def pending(seat: str) -> dict[str, Any]:
            data: dict[str, Any] = program.get("", headers=programs[seat]).json()
            return data

        def answer(seat: str, revision: int, random: Random) -> httpx.Response:
            keys = list(decision_of(pending(seat)["pending"]).sample(random))
            return program.post("/decisions", json={"keys": keys, "revision": revision}, headers=programs[seat])

        before = {seat: pending(seat) for seat in SEATS}
        for n in range(3):
            done = answer("usa", pending("usa")["pending"]["revision"], Random(n))
            assert done.status_code == 200, done.text
        assert pending("japan") == before["japan"]
        assert pending("usa")["revision"] == 3
        stale = answer("usa", before["usa"]["pending"]["revision"], Random(9))
        assert (stale.status_code, stale.json()["error"]) == (409, "MovedOn")
        assert answer("japan", before["japan"]["pending"]["revision"], Random(9)).status_code == 200


@pytest.mark.slow(seconds=2)
@pytest.mark.parametrize("game", game_names())
def test_status_changes_exactly_with_the_revision(game: str) -> None:
    """A viewer's status is the same after an entry if, and for other sides only if, the viewer could not notice it."""
    random = Random(game)
    match: Match[Any, Any] = Match(load_game(game), seed="status")
    match.observe({})
    sides: dict[str | None, str | None] = {None: None, **{seat.key: seat.side for seat in match.seats}}

    def status() -> dict[str | None, Any]:
        return {viewer: msgspec.json.encode({**moving(match, viewer, None, True), "revision": 0}) for viewer in sides}

    before = status()
    for n in range(1, 100):
        seat = random.choice(list(match.pending))
        if match.can_undo(seat) and random.random() < 0.2:
            match.undo(seat)
        else:
            match.decide(seat, match.pending[seat].sample(random))
        if match.outcome is not None:
            break
        after = status()
        for viewer, side in sides.items():
            unseen = (viewer or "") in match.unseen.get(n, ())
            assert not unseen or after[viewer] == before[viewer], (n, viewer)
            assert unseen or side == sides[seat] or after[viewer] != before[viewer], (n, viewer)
        before = after
