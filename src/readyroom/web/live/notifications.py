"""Notify players who are away: by webhook, by mail (with SMTP) and by push (with a VAPID key).

A match that moved is checked a little later in a separate thread. Players who owe a decision and have not seen it are
notified: in real-time matches after a few minutes, in correspondence matches at once and again a day later. When
someone joins, offers or accepts a rematch, offers a draw or decides the match before its end, such as by resigning, the
others are notified at once, and so are the players of a tournament when their match begins, or when it is to be played
again. Choices that are due in the war room of a campaign, such as a sealed order, are like decisions in its matches.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import smtplib
import socket
import ssl
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from functools import partial
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.text import capitalize_first, join_list
from readyroom.store import MatchSummary, Player, Store
from readyroom.store.accounts.pushes import Subscription
from readyroom.store.admin.expiry import ExpiryStep
from readyroom.store.base import PlayerEvent
from readyroom.store.campaigns import CampaignSummary
from readyroom.store.cards import NO_NAME
from readyroom.store.errors import UnknownCampaignId, UnknownMatchId, UnknownPlayer, UnknownTournament
from readyroom.web.live.open_pages import LOOK, OpenPages
from readyroom.web.live.web_push import VapidKey, encrypt
from readyroom.web.settings import BadSetting, Settings

if TYPE_CHECKING:
    from httpx import URL

LOGGER = logging.getLogger("readyroom.web")

GRACE = 5.0
"""Seconds between a move and the check for notifications; long enough to reload a page."""
LIVE = 180.0
"""Seconds before a notification in a real-time match."""
REMIND = 86400.0
"""Seconds before the one reminder in a correspondence match."""
AGAIN_AFTER = 600.0
"""Seconds in which an absent player gets no second notification that it is their turn, or of someone who joins, in the
same match."""
OPENED_AGAIN = 3600.0
"""Seconds in which a player gets no second notification of someone who waits for an opponent."""
AFTER_START = 30.0
"""Seconds from start to the first check, so that open pages can reconnect."""
TIMEOUT = 10.0
LOOK_UP = 5.0
"""Seconds that looking up the address of a webhook may take."""
RETRIES = (15.0, 120.0, 900.0)
"""Seconds before the only retry of a failed notification."""
PUSH_TTL = 86_400
"""Seconds for which a push service keeps a notification for a browser that is off."""
REMEMBERED = 20_000
"""The number of players at matches whose last notification is remembered."""
NAT64 = ipaddress.ip_network("64:ff9b::/96")
MAIL = re.compile(r"[^\s@<>\"(),:;\\\[\]]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+")

_look_ups = ThreadPoolExecutor(4, "look-ups")


class BadAddress(ReadyRoomError):
    """An address that cannot be notified."""


class SubscriptionEnded(BadAddress):
    """A push service knows a subscription no more: the browser has ended it."""


# -- addresses -------------------------------------------------------------------------------------------------------


def check_hook(hook: str, settings: Settings) -> None:
    """Raise `BadAddress` unless this is empty or a webhook that may be called."""
    if hook:
        _resolve(hook, settings)


def check_push(endpoint: str, settings: Settings) -> None:
    """Raise `BadAddress` unless this is the address of a push service."""
    _resolve(endpoint, settings)


def _resolve(hook: str, settings: Settings) -> tuple[URL, str]:
    """Return a webhook, or a push service, and the address to call; raise `BadAddress` if it may not be called."""
    import httpx  # slow to load, and many servers send no notifications

    try:
        url = httpx.URL(hook)
        host, port = url.host, url.port
    except (httpx.InvalidURL, UnicodeError):
        host, port = "", None
    if not host or len(hook) > 500 or not hook.isprintable() or " " in hook:
        raise BadAddress("A webhook is an address such as https://discord.com/api/webhooks/…")
    if url.scheme != "https" and not (settings.hooks_anywhere and url.scheme == "http"):
        raise BadAddress("A webhook must start with https://.")
    if port is not None and not 0 < port < 65536:
        raise BadAddress("The port of a webhook is a number from 1 to 65535.")
    return url, host if settings.hooks_anywhere else public_address(host, port or 443)


def check_mail(mail: str, settings: Settings) -> None:
    """Raise `BadAddress` unless this is empty or looks like a mail address."""
    if mail and (len(mail) > 250 or not MAIL.fullmatch(mail)):
        raise BadAddress("An email address looks like name@example.org.")


def public_address(host: str, port: int) -> str:
    """Resolve a host to a public address; raise `BadAddress` if it has none, or a private one too.

    The error is the same in both cases: it must not show which names the server's network has.
    """
    looked_up = _look_ups.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        names = [str(info[4][0]) for info in looked_up.result(LOOK_UP)]
    except (OSError, UnicodeError):  # also a timeout
        names = []
        looked_up.cancel()
    if not names or not all(map(_is_public, names)):
        raise BadAddress(f"{host} cannot be found on the public internet. Check the address, or try again later.")
    return names[0]


def _is_public(text: str) -> bool:
    """Return whether an address is public; one that embeds an IPv4 address is judged by that."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        wrapped = ipaddress.IPv4Address(int(address) % 2**32) if address in NAT64 else None
        address = address.ipv4_mapped or address.sixtofour or wrapped or address
    inside = address.is_multicast or address.is_reserved or getattr(address, "is_site_local", False)
    return address.is_global and not inside


# -- sending ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Notification:
    """A notification: `text` names the match and the seat, `link` leads to the match.

    `waiting` is the number of matches that wait for the player.
    """

    player: Player
    title: str
    text: str
    link: str
    waiting: int = 0


def send_hook(word: Notification, settings: Settings) -> None:
    """Post a notification to a webhook in the format of Discord and many others."""
    # A player may be called anything: only our own link is one.
    text = f"{word.title}: {word.text}".replace("://", ": //").replace("](", "] (")
    content = f"{text[:1700]} {word.link}"
    body = {"content": content, "allowed_mentions": {"parse": []}}
    status = _post(word.player.hook, msgspec.json.encode(body), {"Content-Type": "application/json"}, settings)
    if not 200 <= status < 300:
        raise BadAddress(f"the webhook answered {status}")


def _post(to: str, body: bytes, headers: dict[str, str], settings: Settings) -> int:
    """Post to a webhook or a push service, and return the status of the answer; `BadAddress`."""
    import httpx

    url, address = _resolve(to, settings)
    headers, extensions = {"User-Agent": "Ready Room", **headers}, dict[str, str]()
    if not settings.hooks_anywhere:
        # The very address that was checked is called, whatever the name's next look-up would say.
        headers["Host"], extensions["sni_hostname"] = url.netloc.decode(), url.host
        url = url.copy_with(host=address)
    with (
        httpx.Client(timeout=TIMEOUT, follow_redirects=False, trust_env=False) as client,
        client.stream("POST", url, content=body, headers=headers, extensions=extensions) as answer,
    ):
        return answer.status_code


def send_push(browser: Subscription, word: Notification, settings: Settings) -> None:
    """Send a notification to a browser; raise `SubscriptionEnded` if it takes no more."""
    facts = {"title": word.title, "text": word.text[:500], "link": urlsplit(word.link).path, "waiting": word.waiting}
    contact = settings.url if settings.https else f"mailto:{settings.mail_from or 'readyroom@localhost'}"
    headers = {
        "Authorization": VapidKey(settings.push_key).authorization(browser.endpoint, contact),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(PUSH_TTL),
        "Urgency": "normal",
    }
    body = encrypt(msgspec.json.encode(facts), browser.p256dh, browser.auth)
    status = _post(browser.endpoint, body, headers, settings)
    if status in (404, 410):
        raise SubscriptionEnded("the subscription has ended")
    if not 200 <= status < 300:
        raise BadAddress(f"the push service answered {status}")


def send_mail(word: Notification, settings: Settings) -> None:
    """Send a notification by mail."""
    message = EmailMessage()
    message["From"] = settings.mail_from or "Ready Room <readyroom@localhost>"
    message["To"] = word.player.mail
    message["Subject"] = word.title
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain="readyroom.invalid")
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(
        f"{word.player.name},\n\n{word.text}\n\n{word.link}\n\n"
        "You can turn these notifications off on your profile at Ready Room.\n"
    )
    with _postman(settings.smtp) as postman:
        postman.send_message(message)


def _postman(text: str) -> smtplib.SMTP:
    """Connect to the mail server of the settings: smtp[s]://[user:password@]host[:port]."""
    parts = urlsplit(text)
    host, context = parts.hostname or "", ssl.create_default_context()
    if parts.scheme == "smtps":
        postman: smtplib.SMTP = smtplib.SMTP_SSL(host, parts.port or 465, timeout=TIMEOUT, context=context)
    else:
        postman = smtplib.SMTP(host, parts.port or 25, timeout=TIMEOUT)
        postman.ehlo()
        if postman.has_extn("starttls"):
            postman.starttls(context=context)
            postman.ehlo()
    if parts.username:
        postman.login(unquote(parts.username), unquote(parts.password or ""))
    return postman


def check_smtp(text: str) -> None:
    """Raise `BadSetting` unless the address of the mail server is valid."""
    try:
        parts = urlsplit(text)
        fine = parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        fine = False
    if text and not fine:
        raise BadSetting("READYROOM_SMTP", "such as smtp://user:password@mail.example:587")


def describe_event(event: PlayerEvent, summary: MatchSummary, fallback: str = "") -> tuple[str, str]:
    """Return the title and the text of a notification of an event.

    `fallback` is the name of the player if they have left the match in the meantime.
    """
    if event.kind == "opened":
        summary = summary.in_public()
    players = dict(one for seat in summary.seats for one in (*seat.players, *seat.previous_players))
    if event.kind == "opened":
        name = capitalize_first(players.get(event.player, NO_NAME))
        seats = join_list([seat.name for seat in summary.seats if seat.open])
        text = f"{name} waits for an opponent in {summary.scenario}, {summary.title}. Open: {seats}."
        return "Ready Room: an opponent waits", text
    if event.kind == "paired":
        return "Ready Room: tournament", f"Your tournament match has begun: {summary.scenario}, {summary.title}."
    if event.kind == "draw":
        return "Ready Room: draw offered", f"{summary.scenario}: {event.text} Open the match to accept or decline."
    if event.kind == "decided":
        return "Ready Room: match decided", f"{summary.scenario}: {event.text}"
    name = players.get(event.player, fallback)
    if event.kind == "challenged":
        return "Ready Room: challenge", f"{name} invites you to play {summary.scenario}, {summary.title}."
    if event.kind == "offered":
        how = ", with sides swapped" if event.swap else ""
        return "Ready Room: rematch", f"{name} offers a rematch of {summary.scenario}{how}."
    seats = join_list([seat.name for seat in summary.seats if seat.key in event.seats])
    empty = join_list([seat.name for seat in summary.seats if seat.vacant])
    title = "Ready Room: rematch accepted" if event.kind == "accepted" else f"Ready Room: {name} joins"
    text = f"{name} plays {seats} in {'the rematch of ' if event.kind == 'accepted' else ''}{summary.scenario}."
    more = " The match has started." if event.started else f" Not taken yet: {empty}." if empty else ""
    return title, text + more


# -- recipients and timing --------------------------------------------------------------------------------------------


def no_other_process(match_id: str) -> Collection[str]:
    """Return no players: there is only one process."""
    return ()


@dataclass
class PendingReminder:
    """A decision that a player owes: which, since when, and how often they were notified of it or saw it.

    `wrote` is the time of the last notification about this match, and `saw` whether the match was open at the check.
    """

    revision: int
    since: float
    wrote: float = 0.0
    times: int = 0
    saw: bool = False


class Notifier:
    """Listens to the store and sends notifications from its own threads.

    `elsewhere` returns who has a match open in other processes.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        open_pages: OpenPages,
        elsewhere: Callable[[str], Collection[str]] = no_other_process,
        grace: float = GRACE,
        retries: tuple[float, ...] = RETRIES,
    ) -> None:
        self.settings, self.store, self.open_pages, self.elsewhere = settings, store, open_pages, elsewhere
        self.grace, self.retries = grace, retries
        self.live, self.remind, self.again, self.after_start = LIVE, REMIND, AGAIN_AFTER, AFTER_START
        self._jobs: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()
        self._looks = dict[str, float]()
        self._saw = dict[str, frozenset[str]]()
        self._pending = dict[tuple[str, str], PendingReminder]()
        self._events = dict[str, list[PlayerEvent]]()
        self._joins = OrderedDict[tuple[str, str], float]()
        self._bell = Condition()
        self._open = False
        self._pool = ThreadPoolExecutor(4, "notices")

    def start(self) -> None:
        """Start the threads and schedule a check of the matches that were waiting before the start."""
        self._open = True
        Thread(target=self._work, name="notices", daemon=True).start()
        self._later(self.after_start, self._look_at_all)

    def _look_at_all(self) -> None:
        for match_id in self.store.matches.to_notify(self.remind):
            self._look_in(match_id, 0.0)
        for campaign_id in self.store.campaigns.to_notify():
            self._look_in(campaign_id, 0.0, self._look_at_campaign)

    def stop(self) -> None:
        """Stop; unsent notifications are dropped."""
        with self._bell:
            self._open = False
            self._jobs.clear()
            self._looks.clear()
            self._events.clear()
            self._bell.notify_all()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def __call__(self, match_id: str, what: str, revisions: Mapping[str, int]) -> None:
        """Handle a move: players with the match open have seen it; check the others in a moment."""
        if what == "campaign":
            self._look_in(match_id, self.grace, self._look_at_campaign)
        if what not in ("moved", "seats"):
            return
        with self._bell:
            self._saw[match_id] = self._saw.get(match_id, frozenset()) | self.open_pages.at(match_id)
        self._look_in(match_id, self.grace)

    def player_event(self, event: PlayerEvent) -> None:
        """Handle what a player has done: notify the others in a moment."""
        if event.kind == "invited":
            self._later(0.0, partial(self._invite, event))
            return
        with self._bell:
            self._events.setdefault(event.match, []).append(event)
        self(event.match, "seats", {})

    def _look_in(self, match_id: str, seconds: float, look: Callable[[str], None] | None = None) -> None:
        """Schedule a check of a match, or of a campaign, unless an earlier one is due."""
        due = time.monotonic() + seconds
        with self._bell:
            if self._looks.get(match_id, due + 1) <= due:
                return
            self._looks[match_id] = due
        self._later(seconds, lambda: self._look_once(match_id, due, look or self._look))

    def _look_once(self, match_id: str, due: float, look: Callable[[str], None]) -> None:
        with self._bell:
            if self._looks.get(match_id) != due:
                return
            del self._looks[match_id]
        look(match_id)

    def _later(self, seconds: float, job: Callable[[], None]) -> None:
        with self._bell:
            if self._open:
                mine = (time.monotonic() + seconds, next(self._number), job)
                heappush(self._jobs, mine)
                if self._jobs[0] is mine:
                    self._bell.notify()

    def _work(self) -> None:
        while True:
            with self._bell:
                while self._open and not (self._jobs and self._jobs[0][0] <= time.monotonic()):
                    self._bell.wait(self._jobs[0][0] - time.monotonic() if self._jobs else None)
                if not self._open:
                    return
                _, _, job = heappop(self._jobs)
            self._pool.submit(self._safely, job)

    def _safely(self, job: Callable[[], None]) -> None:
        try:
            job()
        except (UnknownCampaignId, UnknownMatchId, UnknownPlayer, UnknownTournament):
            return  # deleted in the meantime
        except Exception:
            LOGGER.exception("cannot process notifications")

    def _look(self, match_id: str) -> None:
        """Notify the players who are due and schedule the next check."""
        with self._bell:
            saw, events = self._saw.pop(match_id, frozenset()), self._events.pop(match_id, [])
        summary = self.store.listings.summary(match_id)
        owing = list(self._owing(summary)) if summary.started and summary.outcome is None and summary.waiting else []
        if not owing and not events:
            return
        here = saw | self.open_pages.at(match_id) | set(self.elsewhere(match_id))
        for event in events:
            self._notify_of(event, summary, here, {player.id: revision for player, _, revision in owing})
        waits = list[float]()
        for player, seat_name, revision in owing:
            seconds = self._wait(summary, player.id, revision, player.id in here)
            if seconds == 0.0:
                turn = f", turn {summary.turn}" if summary.turn else ""
                text = f"{seat_name}: your turn in {summary.scenario}{turn}."
                self._tell(player, "Ready Room: your turn", text, f"/m/{summary.id}")
                seconds = self._wait(summary, player.id, revision, False)
            if seconds is not None:
                waits.append(seconds)
        if waits:
            self._look_in(match_id, max(min(waits), self.grace))

    def _look_at_campaign(self, campaign_id: str) -> None:
        """Notify the players who are to decide something in the war room, and schedule the next check."""
        summary, due = self.store.campaigns.due(campaign_id)
        choices = dict[str, list[str]]()
        for choice in due:
            choices.setdefault(choice.player, []).append(choice.text)
        waits = list[float]()
        for player_id, texts in choices.items():
            player = self.store.players.get(player_id)
            if not self._is_reachable(player):
                continue
            looks = player_id in self.open_pages.at(campaign_id)
            seconds = self._wait(summary, player_id, summary.revision, looks)
            if seconds == 0.0:
                text = " ".join([f"{summary.title}.", *texts])
                self._tell(player, "Ready Room: your choice in a campaign", text, f"/campaigns/{campaign_id}")
                seconds = self._wait(summary, player_id, summary.revision, False)
            if seconds is not None:
                waits.append(seconds)
        if waits:
            self._look_in(campaign_id, max(min(waits), self.grace), self._look_at_campaign)

    def _owing(self, summary: MatchSummary) -> Iterator[tuple[Player, str, int]]:
        """Yield the players who owe a decision and want notifications, with the seat's name and the revision."""
        seats = [seat for seat in summary.seats if seat.key in summary.waiting]
        known = self.store.players.get_many([player_id for seat in seats for player_id, _ in seat.players])
        reachable = {player.id: player for player in known if self._is_reachable(player)}
        if not reachable:
            return
        with self.store.matches.open(summary.id) as match:
            revisions = {key: decision.revision for key, decision in match.pending.items()}
        for seat in seats:
            for player_id, _ in seat.players:
                if seat.key in revisions and player_id in reachable:
                    yield reachable[player_id], seat.name, revisions[seat.key]

    def _notify_of(
        self, event: PlayerEvent, summary: MatchSummary, here: Collection[str], owing: Mapping[str, int]
    ) -> None:
        """Notify the others of an event unless they see it; `owing` has the revisions of pending decisions.

        A notification of someone who joins also says that it is the player's turn, once.
        """
        if event.kind == "opened" and not any(seat.open for seat in summary.seats):
            return
        for player_id in event.others - set(here):
            player = self.store.players.get(player_id)
            if not self._is_reachable(player) or not self._may_hear(event, player_id):
                continue
            fallback = self.store.players.get(event.player).name if event.player else ""
            title, text = describe_event(event, summary, fallback)
            if player_id in owing:
                text += " It is your turn."
                now = time.monotonic()
                with self._bell:
                    self._pending[summary.id, player_id] = PendingReminder(owing[player_id], now, now, 1)
            self._tell(player, title, text, f"/m/{summary.id}")

    def _invite(self, event: PlayerEvent) -> None:
        """Notify the players of a tournament that someone wants to play it again."""
        title, name = self.store.tournaments.find(event.match).title, self.store.players.get(event.player).name
        for player in map(self.store.players.get, sorted(event.others)):
            if self._is_reachable(player):
                text = f"{name} invites you to play {title} again."
                self._tell(player, "Ready Room: tournament", text, f"/tournaments/{event.match}")

    def _may_hear(self, event: PlayerEvent, player_id: str) -> bool:
        """Return whether a player may be notified of an event: not of each who joins a lobby or opens a seat."""
        at, now = ("" if event.kind == "opened" else event.match, player_id), time.monotonic()
        with self._bell:
            last = self._joins.get(at)
            is_frequent = event.kind == "opened" or (event.kind == "joined" and not event.started)
            again = OPENED_AGAIN if event.kind == "opened" else self.again
            if is_frequent and last is not None and now < last + again:
                return False
            self._joins[at] = now
            self._joins.move_to_end(at)
            while len(self._joins) > REMEMBERED:
                self._joins.popitem(last=False)
        return True

    def _wait(
        self, summary: MatchSummary | CampaignSummary, player_id: str, revision: int, looks: bool
    ) -> float | None:
        """Return the seconds until a player is to be notified; 0 now, which is noted; None never.

        A player with the match open has seen the decision, unless the page was only left open.
        """
        at, now = (summary.id, player_id), time.monotonic()
        with self._bell:
            owed = self._pending.get(at)
            if owed is None or owed.revision != revision:
                owed = PendingReminder(revision, now, owed.wrote if owed is not None else 0.0)
                self._pending.pop(at, None)
                self._pending[at] = owed
                while len(self._pending) > REMEMBERED:
                    del self._pending[next(iter(self._pending))]
            if looks:
                owed.saw = True
                return LOOK
            last = self.open_pages.last(summary.id, player_id)
            if last > owed.since or (owed.saw and player_id not in self.open_pages.open_at(summary.id)):
                owed.times = max(owed.times, 1)
            owed.saw, due = False, self._due(summary, owed)
            if due is None:
                return None
            if owed.wrote > last:
                due = max(due, owed.wrote + self.again)
            if due <= now:
                owed.times, owed.wrote = owed.times + 1, now
            return max(0.0, due - now)

    def _due(self, summary: MatchSummary | CampaignSummary, owed: PendingReminder) -> float | None:
        """Return when a notification is due by the match's speed; None if no more are."""
        slow = summary.pace == "days"
        if not owed.times:
            return owed.since + (0.0 if slow else self.live)
        return owed.since + self.remind if slow and owed.times == 1 else None

    def announce(self, step: ExpiryStep) -> None:
        """Notify the players whose match, or whose player, is to be deleted."""
        if step.kind == "player":
            text = f"Your name and addresses will be deleted on {step.at:%Y-%m-%d}. Open your profile to keep them."
            self._tell(self.store.players.get(step.id), "Ready Room: your name will be deleted", text, "/me")
            return
        summary = self.store.listings.summary(step.id)
        text = f"Your match {summary.scenario} will be deleted on {step.at:%Y-%m-%d}. Open it to keep it."
        for player_id in summary.everyone:
            player = self.store.players.get(player_id)
            self._tell(player, "Ready Room: a match will be deleted", text, f"/m/{summary.id}")

    def _is_reachable(self, player: Player) -> bool:
        """Return whether a player wants notifications."""
        return bool(player.hook or player.mail or self._browsers(player))

    def _browsers(self, player: Player) -> list[Subscription]:
        """Return the browsers of a player that get push notifications; none without a key."""
        return self.store.pushes.of_player(player.id) if self.settings.push_key else []

    def _tell(self, player: Player, title: str, text: str, path: str) -> None:
        waiting = len(self.store.listings.waiting_for(player.id))
        word = Notification(player, title, text, f"{self.settings.url or self.settings.served}{path}", waiting)
        for browser in self._browsers(player):
            self._send(partial(send_push, browser), word, 0, browser.id)
        if player.hook:
            self._send(send_hook, word, 0)
        if player.mail and self.settings.smtp:
            self._send(send_mail, word, 0)

    def _send(
        self, way: Callable[[Notification, Settings], None], word: Notification, tries: int, push: str = ""
    ) -> None:
        """Send a notification, and again later if that fails; `push` is the id of the subscription, if it is one."""
        try:
            way(word, self.settings)
        except SubscriptionEnded:
            self.store.pushes.drop(push)
        except Exception as error:
            # The address itself may be a secret, as a webhook's is: only the kind of error is logged.
            kind = str(error) if isinstance(error, BadAddress) else type(error).__name__
            name = way.func.__name__ if isinstance(way, partial) else way.__name__
            LOGGER.warning("%s to player %s failed: %s", name, word.player.id, kind)
            if tries < len(self.retries):
                self._later(self.retries[tries], lambda: self._send(way, word, tries + 1, push))
