"""A match on a server, played from the terminal: the same questions, boards and commands as at home."""

from __future__ import annotations

import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import msgspec

from readyroom.bots.analysis import DecisionAnalysis
from readyroom.bots.search import Limit
from readyroom.cli.play.saved_matches import HUMAN
from readyroom.cli.play.session import Session
from readyroom.cli.screen import Screen
from readyroom.engine.errors import CannotUndo, SaveError
from readyroom.engine.game import Game, MatchView, Seat, load_game
from readyroom.engine.home import data_folder
from readyroom.engine.rules.checks import RolledDice
from readyroom.engine.rules.decisions import Decision
from readyroom.engine.rules.state import Outcome
from readyroom.engine.rules.table import LogLine
from readyroom.store.secret_key import kept_secret
from readyroom.web.client import RemoteSeat, ServerRejected, ServerUnreachable, decision_of

PATIENCE = 2.0
"""Seconds until a server that does not answer is tried again."""
AWAY = "away"


class RemoteMatch:
    """What a session needs of a match, fetched from a server; `places` are the seats that are played from here."""

    seed = None

    def __init__(self, places: Mapping[str, RemoteSeat]) -> None:
        self.places = dict(places)
        self._told: dict[str, dict[str, Any]] = {}
        self._lines: dict[str, list[LogLine]] = {seat: [] for seat in places}
        self.refresh()
        self.game: Game[Any, Any] = load_game(self._any["game"])
        self.seats = [Seat(seat["key"], seat["name"], seat["side"]) for seat in self._any["seats"]]

    @property
    def _any(self) -> dict[str, Any]:
        return next(iter(self._told.values()))

    def refresh(self) -> None:
        """Fetch the status of the match and new log lines."""
        for seat, place in self.places.items():
            self._hear(seat, place.fetch(len(self._lines[seat]), view=True))

    def _hear(self, seat: str, data: dict[str, Any]) -> None:
        lines = self._lines[seat]
        if data["lines"] < len(lines) + len(data["log"]):
            lines.clear()
            data = self.places[seat].fetch(0, view=True)
        lines += [_line(line) for line in data["log"]]
        self._told[seat] = data

    @property
    def options(self) -> dict[str, str]:
        """Return the options of the match."""
        return dict(self._any["options"])

    @property
    def begun(self) -> bool:
        """Whether everybody has come."""
        return bool(self._any["begun"])

    @property
    def revision(self) -> int:
        """Return the number of answers and undos."""
        return int(self._any["revision"])

    decision_count = revision

    @property
    def pending(self) -> dict[str, Decision]:
        """Return the pending decisions of the seats played from here."""
        return {seat: decision_of(data["pending"]) for seat, data in self._told.items() if data["pending"] is not None}

    @property
    def waiting(self) -> list[str]:
        """Return all seats with a pending decision."""
        return list(self._any["waiting"])

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome, if the match is over."""
        data = self._any["outcome"]
        return None if data is None else Outcome(**data)

    @property
    def fingerprint(self) -> str:
        """Return the dice seed hash."""
        return str(self._any["fingerprint"])

    @property
    def published_secret(self) -> str | None:
        """Return the dice key, once the match is over."""
        name: str | None = self._any["secret"]
        return name

    def view(self, seat: str) -> MatchView[Any]:
        """Return a seat's view."""
        return msgspec.convert(self._told[seat]["view"], MatchView[self.game.rules.view_type])  # type: ignore[name-defined]

    def log_heading(self, turn: int, phase: str) -> tuple[str, str]:
        """Return the log's headings of a phase; a custom scenario has the default ones."""
        for scenario in self.game.rules.scenarios(self.game.data):
            if self._any["scenario"] in (scenario.key, scenario.title):
                return self.game.log_heading(scenario, turn, phase)
        return f"Turn {turn}", self.game.phase(phase).title

    def log(self, seat: str) -> list[LogLine]:
        """Return the log as a seat sees it."""
        return list(self._lines[seat])

    def decide(self, seat: str, keys: Sequence[str]) -> None:
        """Submit a seat's answer; an illegal one is rejected before it is sent."""
        decision = self.pending[seat]
        decision.accept(keys)
        self._hear(seat, self.places[seat].answer(keys, decision.revision, len(self._lines[seat]), view=True))
        if len(self.places) > 1:
            self.refresh()

    def can_undo(self, seat: str, *, shared: bool = False) -> bool:
        """Return whether a seat's last decision can be undone, as the server says."""
        return bool(self._told[seat]["can_undo"])

    def undo(self, seat: str) -> None:
        """Undo a seat's last decision."""
        try:
            self.places[seat].undo()
        except ServerRejected as error:
            raise CannotUndo(str(error)) from error
        self.refresh()


def _roll(data: Mapping[str, Any]) -> RolledDice:
    nothing = data["sides"] + 1
    return RolledDice(
        data["name"],
        tuple(tuple(die["face"] for die in dice) for dice in data["rounds"]),
        data["sides"],
        data["result"],
        tuple(min((die["face"] for die in dice if die["hit"]), default=nothing) for dice in data["rounds"]),
    )


def _line(data: Mapping[str, Any]) -> LogLine:
    rolls = [_roll(roll) for roll in data["rolls"]]
    return LogLine(data["turn"], data["phase"], data["rule"], "{0}", (data["text"], *rolls))


class SavedRemotely:
    """A match that someone else keeps: every decision is in the server's database before the next."""

    def __init__(self, match: RemoteMatch) -> None:
        self.match = match
        self.seats = {seat.key: HUMAN if seat.key in match.places else AWAY for seat in match.seats}
        self.path = Path(next(iter(match.places.values())).server)

    def keep(self) -> None:
        """Do nothing: the server has saved it."""

    def copy_to(self, path: Path) -> None:
        """Save the record, once the match is over; raise `SaveError` before."""
        try:
            text = next(iter(self.match.places.values())).record()
            path.write_text(text, encoding="utf-8")
        except ServerRejected as error:
            raise SaveError(str(error)) from error


class RemoteSession(Session):
    """A seat, or several, at a match on a server."""

    match: Any  # a RemoteMatch takes the place of a local Match

    def __init__(self, match: RemoteMatch, screen: Screen) -> None:
        super().__init__(SavedRemotely(match), screen)  # type: ignore[arg-type]
        self._said = ""

    def _bots(self, players: Mapping[str, str]) -> dict[str, Any]:
        return {}

    @property
    def people(self) -> list[str]:
        """Return the seats that are played from here."""
        return list(self.match.places)

    def _next(self) -> None:
        pending = self.match.pending
        if pending:
            self._said = ""
            seat = next(iter(pending))
            self._person(seat, pending[seat])
        else:
            self._wait()

    def _wait(self) -> None:
        """Wait until the match changes; retry while the server does not respond."""
        if self.match.begun:
            self.show_news(self.people[0])
        player = ", ".join(self.names[seat] for seat in self.match.waiting)
        self._say_once(f"Waiting for {player or 'a player'}. Ctrl+C leaves; the match stays.")
        revision = self.match.revision
        for kind, data in self.match.places[self.people[0]].events():
            if kind == "seats" or data != revision:
                break
        else:
            time.sleep(PATIENCE)
        try:
            self.match.refresh()
        except ServerUnreachable as trouble:
            self._say_once(f"{trouble} Trying again …")
            time.sleep(PATIENCE)

    def _say_once(self, sentence: str) -> None:
        if sentence != self._said:
            self.screen.print(sentence)
        self._said = sentence

    def log_of(self, seat: str | None) -> list[LogLine]:
        """Return the log as the seats played from here see it."""
        return self.match.log(seat or self.people[0])  # type: ignore[no-any-return]

    def advised(self, seat: str, limit: Limit) -> DecisionAnalysis:
        """Return the server's analysis; the server decides how long it takes."""
        return msgspec.convert(self.match.places[seat].analysis(), DecisionAnalysis)

    def takeback(self, seat: str) -> None:
        """Undo the last decision, unless the match has continued."""
        self.match.undo(seat)
        self.screen.print("Taken back.")

    def _leave(self) -> None:
        self.screen.print("")
        self.screen.print("The match stays on the server. Continue with:")
        for place in self.match.places.values():
            self.screen.verbatim(f"readyroom play --at {place.link}")

    def _afterwards(self) -> list[str]:
        place = self.match.places[self.people[0]]
        return [f"Replay:         {place.server}/m/{place.match}/replay"]


# -- joining a match -------------------------------------------------------------------------------------------------


def come_by_link(link: str, screen: Screen, words: str | None = None, name: str | None = None) -> RemoteSession:
    """Join the seat of a link under a name; `words` are mixed into the dice key, by default random ones."""
    place = _found(link)
    data = place.fetch()
    _print_label(data, screen)
    if not data["begun"]:
        data = place.sit(token_urlsafe(12) if words is None else words, name)
    elif words:
        screen.print("The match has started, so the dice are fixed; --words changes nothing.")
    if data["lent"]:
        place = place.renewed(_of_my_own(place.secret))
    return RemoteSession(RemoteMatch({data["seat"]: place}), screen)


def _print_label(data: Mapping[str, Any], screen: Screen) -> None:
    """Print why the dice may be known, if so; a server of version 1.0 does not say it."""
    label = data.get("dice", {}).get("label")
    if label:
        screen.print(label, "bold")


def _found(link: str) -> RemoteSeat:
    """Return the seat of a link, also if this machine has replaced its secret."""
    try:
        return RemoteSeat.at_link(link)
    except ServerRejected as error:
        before, _, secret = link.rpartition("/")
        try:
            return RemoteSeat.at_link(f"{before}/{_of_my_own(secret)}")
        except ServerRejected:
            raise error from None


def _of_my_own(secret: str) -> str:
    """Derive this machine's secret for a seat from the one in the link; it is always the same, so none is lost."""
    key = kept_secret(data_folder() / "terminal.key").encode()
    return urlsafe_b64encode(blake2b(secret.encode(), key=key[:64], digest_size=32).digest()).rstrip(b"=").decode()


def open_there(
    server: str, wanted: Mapping[str, Any], own: Sequence[str], screen: Screen, words: str | None = None
) -> RemoteSession:
    """Create a match on a server and join your own seats; friends get links. `words` are as in `come_by_link`."""
    places = RemoteSeat.opened(server, {**wanted, "words": token_urlsafe(12) if words is None else words})
    session = RemoteSession(RemoteMatch({seat: places[seat] for seat in own}), screen)
    for seat, place in places.items():
        if seat not in own:
            screen.print(f"Send this link to the player of {session.names[seat]}:")
            screen.verbatim(place.link)
    return session
