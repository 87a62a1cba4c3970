"""The browser's table as one application: `create_app`, which any ASGI server can serve.

Handlers may take by name: `store`, `settings`, `player` (None: not signed in), `page` (`rendering.Page`), `form` (the
fields of the form), `broadcaster` (`EventBroadcaster`), `open_pages` (`OpenPages`), `study_runner` (`StudyRunner`),
`analysis_service` (`AnalysisService`) and `metrics` (`Metrics`).
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from threading import Thread

from litestar import Litestar
from litestar.concurrency import sync_to_thread
from litestar.datastructures import FormMultiDict, State
from litestar.di import Provide
from litestar.exceptions import LitestarDeprecationWarning
from litestar.stores.memory import MemoryStore
from sqlalchemy import URL

from readyroom.engine.errors import ReadyRoomError
from readyroom.store import Store
from readyroom.store.database import FILE
from readyroom.web import api, assets, hosts, security
from readyroom.web.error_pages import LOGGER, error_response
from readyroom.web.jobs.analysis import AnalysisService
from readyroom.web.jobs.study_runner import StudyRunner
from readyroom.web.live.admin_sync import AdminSync
from readyroom.web.live.broadcast import EventBroadcaster, channels, shared
from readyroom.web.live.notifications import Notifier, check_smtp, no_other_process
from readyroom.web.live.open_pages import OpenPages
from readyroom.web.live.presence import Presence
from readyroom.web.monitoring import health
from readyroom.web.monitoring.metrics import Metrics
from readyroom.web.pages import (
    games,
    home,
    passkeys,
    profile,
    redirects,
    replay,
    review,
    studies,
    table,
    tools,
    tutorials,
)
from readyroom.web.rendering import AppRequest
from readyroom.web.settings import Settings

PAGES = (health, home, profile, passkeys, api, table, replay, review, games, tutorials, tools, studies, redirects)
EXPIRING = 86_400.0
"""Seconds between two deletions of what no one returns to."""
FIRST_EXPIRING = 600.0
"""Seconds from start to the first."""
SWEEP = 120.0
"""Seconds between two removals of expired rate-limit counts."""


class AppState:
    """Everything that lives as long as the application: the store, the channels and their listeners."""

    def __init__(self, settings: Settings, store: Store | None) -> None:
        self.settings, self._own = settings, store is None
        self.channels = channels(settings.database)
        self.open_pages = OpenPages()
        self.study_runner = StudyRunner()
        self.analysis_service = AnalysisService()
        self.presence = Presence(self.channels, self.open_pages)
        self.broadcaster = EventBroadcaster(self.channels)
        self.store = store or Store(settings.database or URL.create("sqlite", database=str(settings.home / FILE)))
        self.store.listen(self.broadcaster)
        self.store.expiry.days = settings.expire
        self.new_players = security.NewPlayerLimit(security.NEW_PLAYERS if settings.rate else 0)
        elsewhere = self.presence if shared(settings.database) else no_other_process
        self.notifier = Notifier(settings, self.store, self.open_pages, elsewhere)
        self.broadcaster.listeners.append(self.notifier)
        self.metrics = Metrics(self.store, self.broadcaster, log_requests=settings.log_requests)
        self.broadcaster.listeners.append(self.metrics.moved)
        self.admin_sync = AdminSync(self.store, self.broadcaster, self.open_pages)

    @asynccontextmanager
    async def open(self, app: Litestar) -> AsyncGenerator[None, None]:
        """Start the services, and stop them at the end."""
        await self.broadcaster.start()
        await self.presence.start()
        await self.admin_sync.start()
        self.notifier.start()
        sweeping = [asyncio.create_task(each) for each in (self._sweep(app), self._expire())]
        Thread(target=self._resume_bots, name="bots", daemon=True).start()
        try:
            yield
        finally:
            for each in sweeping:
                each.cancel()
            self.study_runner.close()
            self.notifier.stop()
            await self.admin_sync.stop()
            await self.presence.stop()
            await self.broadcaster.stop()
            if self._own:
                self.store.close()

    async def _sweep(self, app: Litestar) -> None:
        """Remove expired rate-limit counts from time to time."""
        while True:
            await asyncio.sleep(SWEEP)
            self.new_players.sweep()
            counts = app.stores.get("rate_limit")
            if isinstance(counts, MemoryStore):
                await counts.delete_expired()

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

    def _resume_bots(self) -> None:
        """Let bots act that were due when the server stopped."""
        for match in self.store.matches.awaiting_bots():
            try:
                table.BOT_RUNNER.run(self.store, match)
            except ReadyRoomError as error:
                LOGGER.warning("bots of match %s failed: %s", match, error)

    @property
    def dependencies(self) -> dict[str, Provide]:
        """The dependencies that handlers take by name."""
        names = ("settings", "store", "open_pages", "study_runner", "analysis_service", "metrics", "broadcaster")
        return {
            **{name: _provide(getattr(self, name)) for name in names},
            "player": Provide(profile.provide_player),
            "page": Provide(profile.provide_page),
            "form": Provide(provide_form),
        }


def create_app(settings: Settings | None = None, store: Store | None = None) -> Litestar:
    """Create the application; settings default to the environment, the store to the one they name."""
    settings = settings or Settings.from_environment()
    check_smtp(settings.smtp)
    security.keep_secrets_out_of_logs()
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
    app.asgi_handler = hosts.KnownHosts(security.HeadAsGet(state.metrics.around(app.asgi_handler)), settings)
    return app


async def provide_form(request: AppRequest) -> FormMultiDict:
    """Return the fields of the submitted form; empty for other requests."""
    return await request.form()


def _provide(value: object) -> Provide:
    return Provide(lambda: value, use_cache=True, sync_to_thread=False)
