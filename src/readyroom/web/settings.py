"""Server settings from optional environment variables."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args
from urllib.parse import urlsplit

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.home import data_folder
from readyroom.engine.record.signature import Signer, is_public_key
from readyroom.engine.text import join_list
from readyroom.store import Store
from readyroom.store.admin.expiry import DAYS, Kind
from readyroom.store.database import FILE, Database, Durability
from readyroom.store.secret_key import KEY_FILE, kept_secret
from readyroom.web.live.web_push import InvalidKey, VapidKey

IN_FILES = (
    "READYROOM_DATABASE",
    "READYROOM_SECRET",
    "READYROOM_SIGNING_KEY",
    "READYROOM_SMTP",
    "READYROOM_PUSH_KEY",
    "READYROOM_CHALLENGE_SECRET",
)
"""Settings that hold secrets, which may be given as files."""

NAMES = {
    *IN_FILES,
    *(f"{name}_FILE" for name in IN_FILES),
    "READYROOM_ACCOUNTS",
    "READYROOM_BACKUP",
    "READYROOM_BACKUP_HOURS",
    "READYROOM_BACKUP_KEEP",
    "READYROOM_DURABILITY",
    "READYROOM_EXPIRE",
    "READYROOM_FORMER_KEYS",
    "READYROOM_HOME",
    "READYROOM_HOOKS",
    "READYROOM_HOSTS",
    "READYROOM_LOG",
    "READYROOM_MAIL_FROM",
    "READYROOM_METRICS",
    "READYROOM_RATE",
    "READYROOM_URL",
    "READYROOM_WORKERS",
}
"""All settings of ours."""
SECRET_LENGTH = 32
"""The least characters of a secret: a shorter one could be guessed. READYROOM_SECRET may be shorter, with a warning."""
ShownTo: TypeAlias = Literal["off", "local", "anywhere"]
"""Who may read the metrics: no one, clients on this machine, or everyone."""
Accounts: TypeAlias = Literal["off", "passkeys"]
"""Whether players can add passkeys to sign in with."""


class BadSetting(ReadyRoomError):
    """An environment variable has an invalid value; without `text`, as for a secret, the message does not repeat it."""

    def __init__(self, name: str, expected: str, text: str = "") -> None:
        super().__init__(f"{name} must be {expected}{f', and is {text!r}' if text else ''}.")


@dataclass(frozen=True)
class Settings:
    """The settings of the web server.

    `database` is SQLAlchemy's address (None: in `home`); `url` the public address without a trailing slash
    (empty: the one the browser asked for), and `served` the one it listens on; `hosts` the names under which it is
    reached, as well as that of `url`; `accounts` whether players can add passkeys; `expire` the days after which
    lobbies, matches and players expire (None: never); `rate` the requests a minute and client;
    `hooks_anywhere` allows webhooks to private addresses and by plain http; `metrics` says who may read the metrics,
    and `log_requests` whether every request is logged; `workers` is the number of worker processes (0: by the cores).
    `secret` signs forms, and `key` seals matches: the same in production (None: see `Store`). `signing_key` signs the
    headers of matches, and `former_keys` are the public keys of earlier ones. `push_key` is the private VAPID key of
    push notifications (empty: there are none). `challenge_secret` determines the dice of the challenges of the day
    (empty: the shared ones). Backups go to the folder `backup` (None: there are none) every
    `backup_hours`, and the last `backup_keep` stay. `proxies` are the trusted reverse proxies.
    """

    database: str | None = field(default=None, repr=False)
    home: Path = field(default_factory=data_folder)
    url: str = ""
    served: str = ""
    smtp: str = field(default="", repr=False)
    mail_from: str = ""
    hosts: tuple[str, ...] = ()
    accounts: Accounts = "off"
    expire: Mapping[Kind, int] | None = field(default_factory=lambda: DAYS)
    rate: int = 600
    hooks_anywhere: bool = False
    metrics: ShownTo = "off"
    log_requests: bool = False
    workers: int = 0
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    signing_key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    former_keys: tuple[str, ...] = ()
    push_key: str = field(default="", repr=False)
    challenge_secret: str = field(default="", repr=False)
    key: str | None = field(default=None, repr=False)
    durability: Durability = "process"
    backup: Path | None = None
    backup_hours: int = 24
    backup_keep: int = 7
    proxies: str = ""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings of the environment; raise `BadSetting` for an invalid one."""
        inputs = variables_of(environ)
        home, secret = _home(inputs), secret_of(environ)
        return cls(
            database=_database("READYROOM_DATABASE", inputs.get("READYROOM_DATABASE", "")),
            home=home,
            url=_address("READYROOM_URL", inputs.get("READYROOM_URL", "")),
            smtp=inputs.get("READYROOM_SMTP", ""),
            mail_from=inputs.get("READYROOM_MAIL_FROM", ""),
            hosts=_hosts("READYROOM_HOSTS", inputs.get("READYROOM_HOSTS", "")),
            accounts=_accounts(inputs),
            expire=expiry_of(environ),
            rate=_count("READYROOM_RATE", inputs.get("READYROOM_RATE") or str(cls.rate)),
            hooks_anywhere=_choice(inputs, "READYROOM_HOOKS", ("public", "anywhere")) == "anywhere",
            metrics=cast(ShownTo, _choice(inputs, "READYROOM_METRICS", get_args(ShownTo))),
            log_requests=_choice(inputs, "READYROOM_LOG", ("quiet", "requests")) == "requests",
            workers=_workers("READYROOM_WORKERS", inputs.get("READYROOM_WORKERS") or "0"),
            secret=secret,
            key=secret,
            signing_key=_signing_key(inputs.get("READYROOM_SIGNING_KEY") or kept_secret(home / "signing.key")),
            former_keys=_public_keys("READYROOM_FORMER_KEYS", inputs.get("READYROOM_FORMER_KEYS", "")),
            push_key=_push_key(inputs),
            challenge_secret=_challenge_secret(inputs.get("READYROOM_CHALLENGE_SECRET", "")),
            durability=durability_of(environ),
            backup=Path(inputs["READYROOM_BACKUP"]) if inputs.get("READYROOM_BACKUP") else None,
            backup_hours=_positive("READYROOM_BACKUP_HOURS", inputs, cls.backup_hours),
            backup_keep=_positive("READYROOM_BACKUP_KEEP", inputs, cls.backup_keep),
            proxies=_networks("FORWARDED_ALLOW_IPS", environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")),
        )

    @property
    def database_url(self) -> str | URL:
        """The address of the database."""
        return self.database or URL.create("sqlite", database=str(self.home / FILE))

    @property
    def sharing(self) -> int:
        """By how much the other limits of a client are multiplied: `rate` is raised where many share an address."""
        return max(1, self.rate // Settings.rate)

    @property
    def https(self) -> bool:
        """Whether the server is reached by https, so that cookies may be restricted to it."""
        return self.url.startswith("https://")


def variables_of(environ: Mapping[str, str]) -> dict[str, str]:
    """Return our variables of the environment; secrets may be in files named by `READYROOM_..._FILE`."""
    inputs = {name: value.strip() for name, value in environ.items() if name.startswith("READYROOM_")}
    for name in IN_FILES:
        place = inputs.get(f"{name}_FILE")
        if place and not inputs.get(name):
            inputs[name] = _content(f"{name}_FILE", place)
    return inputs


def database_of(environ: Mapping[str, str]) -> str | None:
    """Return the database address of the environment; None for SQLite in the user's data folder."""
    return _database("READYROOM_DATABASE", variables_of(environ).get("READYROOM_DATABASE", ""))


def secret_of(environ: Mapping[str, str], *, create: bool = True) -> str:
    """Return the server's secret: READYROOM_SECRET, or that of the file in the data folder, created if needed."""
    inputs = variables_of(environ)
    return inputs.get("READYROOM_SECRET") or kept_secret(_home(inputs) / KEY_FILE, create=create)


def durability_of(environ: Mapping[str, str]) -> Durability:
    """Return what confirmed decisions survive on SQLite."""
    return cast(Durability, _choice(variables_of(environ), "READYROOM_DURABILITY", get_args(Durability)))


def store_of(environ: Mapping[str, str], *, accept: bool = False) -> Store:
    """Open the store of a server's environment, which must exist and be up to date; `accept` as for `Store`."""
    database = Database(database_of(environ), durability=durability_of(environ), create=False)
    try:
        return Store(database, secret=secret_of(environ, create=accept), accept=accept)
    except BaseException:
        database.close()
        raise


def _home(inputs: Mapping[str, str]) -> Path:
    return Path(inputs["READYROOM_HOME"]) if inputs.get("READYROOM_HOME") else data_folder()


def expiry_of(environ: Mapping[str, str]) -> Mapping[Kind, int] | None:
    """Return the days after which lobbies, matches and players expire; None for never."""
    name, text = "READYROOM_EXPIRE", variables_of(environ).get("READYROOM_EXPIRE", "")
    if text == "off":
        return None
    days = dict(DAYS)
    for part in filter(None, (part.strip() for part in text.split(","))):
        kind, _, number = part.partition("=")
        if kind not in DAYS or not number.isdecimal() or not int(number):
            raise BadSetting(name, "off, or days such as lobbies=30,matches=365,players=180", text)
        days[cast(Kind, kind)] = int(number)
    return days


def _hosts(name: str, text: str) -> tuple[str, ...]:
    """Return names of this server, separated by commas."""
    names = tuple(part.strip().lower() for part in text.split(",") if part.strip())
    if any(not re.fullmatch(r"[a-z0-9_.-]+|[0-9a-f:]+", part) for part in names):
        raise BadSetting(name, "names without ports, such as games.example,www.games.example", text)
    return names


def _networks(name: str, text: str) -> str:
    """Check addresses and networks, separated by commas, or a star for all."""
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            if part != "*":
                ip_network(part, strict=False)
        except ValueError as error:
            raise BadSetting(name, "addresses or networks such as 127.0.0.1,10.0.0.0/8, or *", text) from error
    return text


def unknown_settings(environ: Mapping[str, str]) -> list[str]:
    """Return the variables that look like settings of ours and are none, perhaps misspelt."""
    return sorted(name for name in environ if name.startswith("READYROOM_") and name not in NAMES)


def _accounts(inputs: Mapping[str, str]) -> Accounts:
    accounts = cast(Accounts, _choice(inputs, "READYROOM_ACCOUNTS", get_args(Accounts)))
    if accounts == "passkeys" and not inputs.get("READYROOM_URL"):
        raise BadSetting("READYROOM_ACCOUNTS", "off unless READYROOM_URL is set, which passkeys belong to", accounts)
    return accounts


def _content(name: str, place: str) -> str:
    try:
        return Path(place).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(name, "a readable text file", place) from error


def _address(name: str, text: str) -> str:
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment):
        raise BadSetting(name, "an address such as https://games.example", text)
    return text.rstrip("/")


def _database(name: str, text: str) -> str | None:
    """Return a database address with the driver that is installed here."""
    if not text:
        return None
    expected = "an address such as postgresql://user:password@host/name or sqlite:////folder/file"
    try:
        url = make_url(text)
    except ArgumentError as error:  # the text may hold a password, so it is not repeated
        raise BadSetting(name, expected) from error
    if url.get_backend_name() in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    elif url.get_backend_name() != "sqlite":
        raise BadSetting(name, expected, url.get_backend_name())
    return url.render_as_string(hide_password=False)


def _signing_key(text: str) -> str:
    try:
        Signer(text)
    except ValueError as error:
        expected = "32 random bytes in URL-safe base 64 (43 characters), as in the file signing.key"
        raise BadSetting("READYROOM_SIGNING_KEY", expected) from error
    return text


def _push_key(inputs: Mapping[str, str]) -> str:
    name, text = "READYROOM_PUSH_KEY", inputs.get("READYROOM_PUSH_KEY", "")
    if text and not inputs.get("READYROOM_URL"):
        raise BadSetting(name, "empty unless READYROOM_URL is set, which browsers subscribe to")
    try:
        if text:
            VapidKey(text)
    except InvalidKey as error:
        raise BadSetting(name, "a private VAPID key: 32 bytes in URL-safe base 64 (43 characters)") from error
    return text


def _challenge_secret(text: str) -> str:
    if text and len(text) < SECRET_LENGTH:
        expected = f"empty, or a secret of at least {SECRET_LENGTH} random characters"
        raise BadSetting("READYROOM_CHALLENGE_SECRET", expected)
    return text


def _public_keys(name: str, text: str) -> tuple[str, ...]:
    keys = tuple(key for part in text.split(",") if (key := part.strip()))
    for key in keys:
        if not is_public_key(key):
            raise BadSetting(name, "public keys of 43 characters, separated by commas", key)
    return keys


def _choice(inputs: Mapping[str, str], name: str, choices: Sequence[str]) -> str:
    """Return one of some values; the first by default."""
    text = inputs.get(name) or choices[0]
    if text not in choices:
        raise BadSetting(name, join_list(choices, "or"), text)
    return text


def _positive(name: str, inputs: Mapping[str, str], default: int) -> int:
    text = inputs.get(name) or str(default)
    if not text.isdecimal() or int(text) == 0:
        raise BadSetting(name, "a whole number, at least 1", text)
    return int(text)


def _workers(name: str, text: str) -> int:
    if not text.isdecimal() or int(text) == 1:
        raise BadSetting(name, "0, or a whole number of at least 2", text)
    return int(text)


def _count(name: str, text: str) -> int:
    if not text.isdecimal():
        raise BadSetting(name, "a whole number", text)
    return int(text)
