"""The browser's table as one application: `create_app`, which any ASGI server can serve.

Handlers may take by name: `store`, `settings`, `player` (None: not signed in), `page` (`rendering.Page`), `form` (the
fields of the form), `broadcaster` (`EventBroadcaster`), `open_pages` (`OpenPages`), `workers` (`WorkerPool`),
`analysis_service` (`AnalysisService`), `bot_turns` (`BotTurns`), `client_jobs` (`ClientJobs`), `client_tag` (that of
the client that asks), `replays` (`Replays`), `presence` (`Presence`), `passing` (`Passing`), `metrics` (`Metrics`) and
`health_probe` (`HealthProbe`).
"""

from __future__ import annotations

import asyncio
import ctypes
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

from litestar import Litestar
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict, State
from litestar.di import Provide
from litestar.exceptions import LitestarDeprecationWarning
from litestar.stores.memory import MemoryStore
from litestar.types import ASGIApp

from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.record.signature import Signer
from readyroom.store import Store
from readyroom.store.admin import archive
from readyroom.store.database import Database
from readyroom.store.lobby.bot_matches import BotMatchLimits
from readyroom.store.lobby.listings import LISTED_EACH
from readyroom.store.migrations import HEAD
from readyroom.store.tournaments.tournaments import PLAYERS_EACH
from readyroom.study.daily.keys import DayKeys
from readyroom.web import api, assets, hosts, security, threads
from readyroom.web.error_pages import LOGGER, error_response
from readyroom.web.jobs.analysis import AnalysisService
from readyroom.web.jobs.backups import Backups
from readyroom.web.jobs.bot_turns import BotTurns
from readyroom.web.jobs.client_jobs import ClientJobs
from readyroom.web.jobs.replays import Replays, SizedCache
from readyroom.web.jobs.workers import WorkerPool
from readyroom.web.live.admin_sync import AdminSync
from readyroom.web.live.broadcast import EventBroadcaster, channels, shared
from readyroom.web.live.notifications import Notifier, check_smtp, no_other_process
from readyroom.web.live.open_pages import OpenPages
from readyroom.web.live.passing import Passing
from readyroom.web.live.presence import Presence
from readyroom.web.monitoring import health
from readyroom.web.monitoring.metrics import Metrics
from readyroom.web.pages.campaigns import pages as campaigns
from readyroom.web.pages.games import games, notebooks, puzzles, scenarios, studies, tools, tutorials
from readyroom.web.pages.home import community, daily, home, opponents, tournaments, watch, weekly
from readyroom.web.pages.match import answering, chat, dice, ending, events, plans, playback, replay, review, table
from readyroom.web.pages.players import ladder, passkeys, profile
from readyroom.web.rendering import AppRequest
from readyroom.web.settings import SECRET_LENGTH, Settings

PAGES = (
    health,
    home,
    community,
    ladder,
    opponents,
    watch,
    weekly,
    daily,
    campaigns,
    tournaments,
    profile,
    passkeys,
    api,
    table,
    answering,
    plans,
    chat,
    events,
    playback,
    replay,
    ending,
    review,
    dice,
    games,
    tutorials,
    tools,
    studies,
    notebooks,
    scenarios,
    puzzles,
)
EXPIRING = 86_400.0
"""Seconds between two deletions of what no one returns to."""
FIRST_EXPIRING = 600.0
"""Seconds from start to the first."""
CATCHING_UP = 3600.0
"""Seconds between two looks for tournament matches that have waited too long."""
SEALED_PER_LINE = 100
"""Matches of version 1.0 that are sealed between two lines of the log."""
IMAGE_BYTES = 8 * 1024 * 1024
"""The most characters of drawn boards that are kept for lists of matches."""
SWEEP = 20.0
"""Seconds between two removals of expired rate-limit counts, after which freed memory is returned."""


class AppState:
    """Everything that lives as long as the application: the store, the channels and their listeners."""

    def __init__(self, settings: Settings, store: Store | None) -> None:
        self.settings, self._own = settings, store is None
        self.channels = channels(settings.database)
        self.open_pages = OpenPages()
        self.workers = WorkerPool(settings.workers)
        self.analysis_service = AnalysisService(self.workers)
        self.client_jobs = ClientJobs(self.workers)
        self.broadcaster = EventBroadcaster(self.channels)
        self.store = store or open_store(settings)
        self.presence = Presence(
            self.channels,
            self.open_pages,
            announce=self.broadcaster.announce_presence,
            note_seen=self.store.seats.note_seen,
            shared=shared(settings.database),
            key=settings.secret,
        )
        self.backups = Backups(settings, self.store)
        self.health_probe = health.HealthProbe(self.store, self.backups)
        self.store.listen(self.broadcaster)
        self.store.sign_with(Signer(settings.signing_key))
        self.store.expiry.days = settings.expire
        self.store.daily.keys = DayKeys(settings.challenge_secret)
        self.new_players = security.NewPlayerLimit(security.NEW_PLAYERS * settings.sharing if settings.rate else 0)
        self.replays = Replays(self.store, self.workers)
        self.board_images = SizedCache[str](IMAGE_BYTES)
        if settings.rate:
            self.store.bot_matches.limits = BotMatchLimits()
            self.store.listings.listed_each = LISTED_EACH * settings.sharing
            self.store.tournaments.players_each = PLAYERS_EACH * settings.sharing
        self.bot_turns = BotTurns(self.store, self.workers, self.broadcaster.is_watched)
        self.store.on_bots_due(self.bot_turns.request)
        self.passing = Passing(self.store)
        self.store.on_passes_due(self.passing.request)
        elsewhere = self.presence if shared(settings.database) else no_other_process
        self.notifier = Notifier(settings, self.store, self.open_pages, elsewhere)
        self.broadcaster.listeners.append(self.notifier)
        self.store.on_player_event(self.notifier.player_event)
        self.metrics = Metrics(self.store, self.broadcaster, self.workers, log_requests=settings.log_requests)
        self.broadcaster.listeners.append(self.metrics.moved)
        self.admin_sync = AdminSync(self.store, self.broadcaster, self.open_pages)

    @asynccontextmanager
    async def open(self, app: Litestar) -> AsyncGenerator[None, None]:
        """Start the services, and stop them at the end."""
        threads.reserve(limited=bool(self.settings.rate))
        await self.broadcaster.start()
        await self.presence.start()
        await self.admin_sync.start()
        self.notifier.start()
        sweeping = [asyncio.create_task(each) for each in (self._sweep(app), self._expire(), self._continue())]
        self.backups.start()
        Thread(target=self._catch_up, name="seals", daemon=True).start()
        self.bot_turns.start()
        self.passing.start()
        try:
            yield
        finally:
            for each in sweeping:
                each.cancel()
            self.backups.stop()
            await asyncio.to_thread(self.bot_turns.close)
            await asyncio.to_thread(self.workers.close)
            self.passing.stop()
            self.notifier.stop()
            await self.admin_sync.stop()
            await self.presence.stop()
            await self.broadcaster.stop()
            if self._own:
                self.store.close()

    def _catch_up(self) -> None:
        """Seal the matches of version 1.0, at the first start of this version, and rate those that just ended."""

        def progress(done: int, of: int) -> None:
            if done % SEALED_PER_LINE == 0 or done == of:
                LOGGER.info("sealed %d of %d matches of version 1.0", done, of)

        try:
            self.store.integrity.seal_older(progress)
            self.store.matches.resume_clocks()
            self.store.ladder.catch_up()
            self.store.campaigns.catch_up()
            self.store.tournaments.catch_up()
        except ReadyRoomError as error:
            LOGGER.warning("not all matches of version 1.0 were sealed; the next start continues: %s", error)

    async def _sweep(self, app: Litestar) -> None:
        """Remove expired rate-limit counts and return freed memory from time to time."""
        while True:
            await asyncio.sleep(SWEEP)
            self.new_players.sweep()
            counts = app.stores.get("rate_limit")
            if isinstance(counts, MemoryStore):
                await counts.delete_expired()
            await asyncio.to_thread(_return_memory)

    async def _continue(self) -> None:
        """Continue tournaments whose matches have waited too long, hourly."""
        while True:
            await asyncio.sleep(CATCHING_UP)
            await sync_to_thread(self._catch_up_tournaments)

    def _catch_up_tournaments(self) -> None:
        try:
            self.store.tournaments.catch_up()
        except ReadyRoomError as error:
            LOGGER.warning("tournaments could not continue: %s", error)

    async def _expire(self) -> None:
        """Announce and delete what no one returns to, daily."""
        await asyncio.sleep(FIRST_EXPIRING)
        while True:
            await sync_to_thread(self.expire)
            await asyncio.sleep(EXPIRING)

    def expire(self) -> None:
        """Announce and delete what no one returns to, and notify those concerned."""
        try:
            steps = self.store.expiry.sweep()
            for step in steps:
                if step.act == "announce":
                    self.notifier.announce(step)
        except ReadyRoomError as error:
            LOGGER.warning("expiry failed: %s", error)
            return
        if steps:
            announced = sum(step.act == "announce" for step in steps)
            LOGGER.info("expiry: %d announced, %d deleted", announced, len(steps) - announced)

    @property
    def dependencies(self) -> dict[str, Provide]:
        """The dependencies that handlers take by name."""
        names = (
            "settings",
            "store",
            "open_pages",
            "client_jobs",
            "analysis_service",
            "workers",
            "replays",
            "bot_turns",
            "metrics",
            "broadcaster",
            "presence",
            "passing",
        )
        return {
            **{name: _provide(getattr(self, name)) for name in (*names, "health_probe")},
            "player": Provide(profile.provide_player),
            "page": Provide(profile.provide_page),
            "form": Provide(provide_form),
            "client_tag": Provide(provide_client_tag, sync_to_thread=False),
        }


def create_app(settings: Settings | None = None, store: Store | None = None) -> Litestar:
    """Create the application; settings default to the environment, the store to the one they name."""
    settings = settings or Settings.from_environment()
    check_smtp(settings.smtp)
    security.keep_secrets_out_of_logs()
    if settings.key is not None and len(settings.key) < SECRET_LENGTH:
        LOGGER.warning("READYROOM_SECRET is shorter than %d characters and could be guessed", SECRET_LENGTH)
    state = AppState(settings, store)
    with warnings.catch_warnings():
        # Handlers are given what they name; Litestar 3 will want each marked.
        warnings.simplefilter("ignore", LitestarDeprecationWarning)
        app = Litestar(
            route_handlers=[*assets.handlers, *(module.router for module in PAGES)],
            plugins=[state.channels],
            lifespan=[state.open],
            dependencies=state.dependencies,
            middleware=[security.OwnSiteOnly(), *security.limits(settings)],
            before_request=daily.check_seal,
            before_send=[security.add_headers, profile.renew_session],
            csrf_config=security.forms(settings),
            compression_config=security.compression(),
            exception_handlers={Exception: error_response},
            request_max_body_size=security.BODY,
            openapi_config=api.openapi(),
            logging_config=None,
            state=State({"settings": settings, "site": state}),
            debug=False,
        )
    handler: ASGIApp = security.PlainCookies(
        security.FewFields(threads.name_clients(state.metrics.around(app.asgi_handler)))
    )
    if settings.rate:
        at_once = security.AT_ONCE * settings.sharing
        handler = security.ClientTurns(handler, security.ALL_REQUESTS * settings.rate, at_once)
    app.asgi_handler = hosts.KnownHosts(security.HeadAsGet(handler), settings)
    return app


def open_store(settings: Settings) -> Store:
    """Open the store of the settings, after a backup and a migration if its database is of an older version.

    Raises `DamagedDatabase` if its file proves to be damaged, or as `Store`.
    """
    database = Database(settings.database_url, upto=None, durability=settings.durability)
    try:
        _migrate(database, settings.backup or settings.home)
        store = Store(database, secret=settings.key)
        if not database.quick_check():
            LOGGER.warning("the database file is large: only a part of it was checked; `readyroom admin check` does it")
    except BaseException:
        database.close()
        raise
    return store


def _migrate(database: Database, folder: Path) -> None:
    """Create or migrate a database; back up an older one to the folder first."""
    revision = database.revision()
    if revision == HEAD:
        return
    if revision is not None:
        path = folder / f"before-upgrade-{revision}-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip"
        LOGGER.info("the database has revision %s: backing it up to %s before it is migrated", revision, path)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        archive.write(database, path)
    database.migrate()
    if revision is not None:
        LOGGER.info("the database was migrated from revision %s to %s", revision, HEAD)


async def provide_form(request: AppRequest) -> FormMultiDict:
    """Return the fields of the submitted form; empty for other requests."""
    return await request.form()


def provide_client_tag(request: AppRequest, settings: Settings) -> str:
    """Return the tag of the client that asks."""
    return security.client_tag(request, settings)


def _return_memory() -> None:
    """Return freed memory to the system, where the C library can; it keeps much of what an attack has used."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _provide(value: object) -> Provide:
    return Provide(lambda: value, use_cache=True, sync_to_thread=False)
