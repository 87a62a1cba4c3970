"""The browser's table as one application: `create_app`, which any ASGI server can serve.

Handlers may take by name: `store`, `settings`, `player` (None: not signed in), `page` (`pages.Page`), `form` (the
fields of the form), `herald` (`broadcast.EventBroadcaster`), `watchers` (`open_pages.OpenPages`), `studying`
(`study_runner.StudyRunner`), `officer` (`analysis.AnalysisService`) and `metrics` (`metrics.Metrics`).
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from threading import Thread

from litestar import Litestar
from litestar.datastructures import FormMultiDict, State
from litestar.di import Provide
from litestar.exceptions import LitestarDeprecationWarning
from litestar.stores.memory import MemoryStore
from sqlalchemy import URL

from readyroom.engine.errors import ReadyRoomError
from readyroom.store import Store
from readyroom.store.database import FILE
from readyroom.web import (
    api,
    assets,
    game_pages,
    health,
    home,
    profile,
    redirects,
    replay,
    review_pages,
    security,
    studies,
    table,
    tools,
    tutorials,
)
from readyroom.web.admin_sync import AdminSync
from readyroom.web.analysis import AnalysisService
from readyroom.web.broadcast import EventBroadcaster, channels, shared
from readyroom.web.error_pages import LOGGER, error_response
from readyroom.web.metrics import Metrics
from readyroom.web.notifications import Notifier, check_smtp, no_other_process
from readyroom.web.open_pages import OpenPages
from readyroom.web.pages import Asking
from readyroom.web.presence import Presence
from readyroom.web.settings import Settings
from readyroom.web.study_runner import StudyRunner

PAGES = (health, home, profile, api, table, replay, review_pages, game_pages, tutorials, tools, studies, redirects)
SWEEP = 120.0
"""Seconds between two sweeps of what is no longer needed."""


class AppState:
    """Everything that lives as long as the application: the store, the channels, and who listens to them."""

    def __init__(self, settings: Settings, store: Store | None) -> None:
        self.settings, self._own = settings, store is None
        self.channels = channels(settings.database)
        self.watchers = OpenPages()
        self.studying = StudyRunner()
        self.officer = AnalysisService()
        self.presence = Presence(self.channels, self.watchers)
        self.herald = EventBroadcaster(self.channels)
        self.store = store or Store(settings.database or _file(settings))
        self.store.moved = self.herald
        elsewhere = self.presence if shared(settings.database) else no_other_process
        self.notices = Notifier(settings, self.store, self.watchers, elsewhere)
        self.herald.listeners.append(self.notices)
        self.metrics = Metrics(self, log_requests=settings.log_requests)
        self.herald.listeners.append(self.metrics.moved)
        self.keeper = AdminSync(self.store, self.herald, self.watchers)

    @asynccontextmanager
    async def open(self, app: Litestar) -> AsyncGenerator[None, None]:
        """While this lasts, requests are answered."""
        await self.herald.start()
        await self.presence.start()
        await self.keeper.start()
        self.notices.start()
        sweeping = asyncio.create_task(_sweep(app))
        staff = Thread(target=self._staff, name="staff", daemon=True)
        staff.start()
        try:
            yield
        finally:
            sweeping.cancel()
            self.studying.close()
            self.notices.stop()
            await self.keeper.stop()
            await self.presence.stop()
            await self.herald.stop()
            if self._own:
                self.store.close()

    def _staff(self) -> None:
        """Bots that were to answer when the server was closed do so now."""
        for match in self.store.matches_awaiting_bots():
            try:
                table.BOT_RUNNER.goes_on(self.store, match)
            except ReadyRoomError as refusal:
                LOGGER.warning("bots of match %s failed: %s", match, refusal)

    @property
    def dependencies(self) -> dict[str, Provide]:
        """What handlers may take by name."""
        return {
            "settings": Provide(lambda: self.settings, use_cache=True, sync_to_thread=False),
            "store": Provide(lambda: self.store, use_cache=True, sync_to_thread=False),
            "watchers": Provide(lambda: self.watchers, use_cache=True, sync_to_thread=False),
            "studying": Provide(lambda: self.studying, use_cache=True, sync_to_thread=False),
            "officer": Provide(lambda: self.officer, use_cache=True, sync_to_thread=False),
            "metrics": Provide(lambda: self.metrics, use_cache=True, sync_to_thread=False),
            "herald": Provide(lambda: self.herald, use_cache=True, sync_to_thread=False),
            "player": Provide(profile.provide_player),
            "page": Provide(profile.provide_page),
            "form": Provide(provide_form),
        }


def create_app(settings: Settings | None = None, store: Store | None = None) -> Litestar:
    """The application; without settings they come from the environment, and without a store it is opened by them."""
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
            before_send=[security.add_headers],
            csrf_config=security.forms(settings),
            compression_config=security.compression(),
            exception_handlers={Exception: error_response},
            request_max_body_size=security.BODY,
            openapi_config=api.openapi(),
            logging_config=None,
            state=State({"settings": settings, "site": state}),
            debug=False,
        )
    app.asgi_handler = security.HeadAsGet(state.metrics.around(app.asgi_handler))
    return app


async def _sweep(app: Litestar) -> None:
    """Forget from time to time who asked how often."""
    while True:
        await asyncio.sleep(SWEEP)
        counts = app.stores.get("rate_limit")
        if isinstance(counts, MemoryStore):
            await counts.delete_expired()


async def provide_form(request: Asking) -> FormMultiDict:
    """Return the fields of a form; empty for anything else."""
    return await request.form()


def _file(settings: Settings) -> URL:
    return URL.create("sqlite", database=str(settings.home / FILE))
