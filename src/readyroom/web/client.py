"""A client of the JSON API: the same decisions, answers and views as in a local match."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any
from urllib.parse import urlsplit
from weakref import finalize

import httpx

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.rules.decisions import BudgetGroup, Decision, DecisionKind, Option, OptionInfo, Unavailable

FACE = "/api/v1"
PATIENCE = httpx.Timeout(30.0)
"""Seconds that a server may take to answer a request."""
QUIET = httpx.Timeout(30.0, read=60.0)
"""The stream of events says something at least every twenty seconds."""


class ServerRejected(ReadyRoomError):
    """The server rejected a request; the message is the server's."""


class ServerUnreachable(ReadyRoomError):
    """No server answers at an address."""


def decision_of(data: Mapping[str, Any]) -> Decision:
    """Build a decision from the API's data, to sample answers from and check them."""
    options = [
        Option(
            key=payload["key"],
            text=payload["text"],
            info=None if payload["note"] is None else OptionInfo(payload["note"], payload["chance"]),
            cost=payload["cost"],
            budget_group=payload["purse"] or "",
            limit=payload["limit"],
            cell=tuple(payload["cell"]) if payload["cell"] else None,
            assigns=tuple(payload["assigns"]) if payload.get("assigns") else None,
        )
        for payload in data["options"]
    ]
    kind, refused = DecisionKind(data["kind"]), [Unavailable(**payload) for payload in data["refused"]]
    decision = Decision(
        kind,
        data["seat"],
        data["rule"],
        data["question"],
        options,
        data["at_least"],
        data["at_most"],
        piece_key=data["about"],
        info=attrgetter("info"),
        unavailable_options=lambda: refused,
        select_all_default=data["usual"],
        revision=data["revision"],
    )
    if data["budget"] is not None:
        decision.cost, decision.budget = attrgetter("cost"), data["budget"]
        decision.unit = data["unit"]
    if kind is DecisionKind.ALLOCATE or any(option.limit > 1 for option in options):
        decision.limit = attrgetter("limit")
    if all(option.assigns for option in options):
        decision.assigns = attrgetter("assigns")
    names = dict.fromkeys(option.budget_group for option in options if option.budget_group)
    decision.budget_groups = [
        BudgetGroup(name, name, [one for one in options if one.budget_group == name]) for name in names
    ]
    return decision


@cache
def trusted() -> ssl.SSLContext:
    """Return the TLS context; created once, as that takes longer than a request."""
    return httpx.create_ssl_context()


class RemoteSeat:
    """A seat in a match on a server, or a spectator without a secret.

    Methods return the API's plain data: see its schema at /api/schema/openapi.json.
    """

    def __init__(self, server: str, match: str = "", secret: str = "") -> None:
        self.server, self.match, self.secret = server.rstrip("/"), match, secret
        bearer = {"Authorization": f"Bearer {secret}"} if secret else {}
        self._http = httpx.Client(base_url=f"{self.server}{FACE}", headers=bearer, timeout=PATIENCE, verify=trusted())
        self._let_go = finalize(self, self._http.close)

    @classmethod
    def at_link(cls, link: str) -> RemoteSeat:
        """Return the seat of an invite link; raise `ServerUnreachable` or `ServerRejected`."""
        parts = urlsplit(link)
        if "/m/" in parts.path:
            raise ServerUnreachable(
                f"{link} is a match page for spectators. To play, use a seat's invite link, such as "
                f"{parts.scheme}://{parts.netloc}/s/…; the host has it, and the player in the seat can create one."
            )
        room, _, secret = parts.path.strip("/").rpartition("/")
        if parts.scheme not in ("http", "https") or not parts.netloc or room.rpartition("/")[2] != "s" or not secret:
            raise ServerUnreachable(f"{link} is not a seat link. A seat link looks like https://games.example/s/…")
        place = cls(f"{parts.scheme}://{parts.netloc}{parts.path[: -len(secret) - 3]}", secret=secret)
        place.match = place._ask("GET", "/seat")["id"]
        return place

    @classmethod
    def opened(cls, server: str, wanted: Mapping[str, Any]) -> dict[str, RemoteSeat]:
        """Create a match; return a remote seat for each secret that was returned."""
        data = cls(server)._ask("POST", "/matches", json=dict(wanted))
        return {seat: cls(server, data["id"], secret) for seat, secret in data["seats"].items()}

    @property
    def link(self) -> str:
        """The invite link of this seat."""
        return f"{self.server}/s/{self.secret}"

    def fetch(self, since: int | None = None, *, view: bool = False) -> dict[str, Any]:
        """Fetch the match status, with the log from line `since` on and, if asked for, the view."""
        return self._ask("GET", f"/matches/{self.match}", params=_wanted(since, view))

    def sit(self, text: str = "", name: str | None = None) -> dict[str, Any]:
        """Join the seat under a name (None: the server draws one); `text` is mixed into the dice key."""
        named = {"name": name} if name else {}
        return self._ask("POST", f"/matches/{self.match}/sit", json={"words": text, **named})

    def renewed(self, secret: str) -> RemoteSeat:
        """Replace the seat's secret by one that its sender does not know."""
        self._ask("POST", f"/matches/{self.match}/link", json={"secret": secret})
        return RemoteSeat(self.server, self.match, secret)

    def answer(
        self, keys: Sequence[str], revision: int, since: int | None = None, *, view: bool = False
    ) -> dict[str, Any]:
        """Answer the decision of this revision; raise `ServerRejected` if it is rejected."""
        data = {"keys": list(keys), "revision": revision}
        return self._ask("POST", f"/matches/{self.match}/decisions", json=data, params=_wanted(since, view))

    def analysis(self) -> dict[str, Any]:
        """Analyze the pending decision; raise `ServerRejected` while the server is busy."""
        return self._ask("GET", f"/matches/{self.match}/officer")

    def undo(self, since: int | None = None, *, view: bool = False) -> dict[str, Any]:
        """Undo the last decision; raise `ServerRejected` if that is not possible."""
        return self._ask("POST", f"/matches/{self.match}/undo", params=_wanted(since, view))

    def record(self) -> str:
        """Fetch the record of a finished match."""
        return self._answered("GET", f"/matches/{self.match}/record").text

    def events(self) -> Iterator[tuple[str, int]]:
        """Yield the events of the match: kind and revision, until the server closes the stream."""
        try:
            with self._http.stream("GET", f"/matches/{self.match}/events", timeout=QUIET) as stream:
                kind = ""
                for line in stream.iter_lines():
                    name, _, text = line.partition(": ")
                    if name == "event":
                        kind = text
                    elif name == "data" and kind:
                        yield kind, int(text)
        except httpx.HTTPError:
            return

    def close(self) -> None:
        """Close the connections; also done when the object is garbage-collected."""
        self._let_go()

    def _ask(self, verb: str, path: str, **what: Any) -> dict[str, Any]:
        data: dict[str, Any] = self._answered(verb, path, **what).json()
        return data

    def _answered(self, verb: str, path: str, **what: Any) -> httpx.Response:
        try:
            answer = self._http.request(verb, path, **what)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise ServerUnreachable(
                f"{self.server} is not a server address. An address looks like https://games.example."
            ) from error
        except httpx.HTTPError as error:
            raise ServerUnreachable(f"Cannot reach {self.server}: {error or type(error).__name__}") from error
        if answer.is_success:
            return answer
        raise ServerRejected(_sentence(answer))


def _wanted(since: int | None, view: bool) -> dict[str, Any]:
    return {**({} if since is None else {"since": since}), **({"view": True} if view else {})}


def _sentence(answer: httpx.Response) -> str:
    """Return the server's error message, or the status if the response is not from Ready Room."""
    try:
        return str(answer.json()["sentence"])
    except (ValueError, KeyError, TypeError):
        return f"{answer.url.host} answers {answer.status_code} {answer.reason_phrase}. Is that a Ready Room server?"
