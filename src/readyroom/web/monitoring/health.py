"""Health checks and metrics for monitoring."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from threading import Thread
from time import monotonic
from typing import Any

from litestar import Response, Router, get
from litestar.exceptions import NotFoundException
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from readyroom import __version__
from readyroom.engine.errors import ReadyRoomError
from readyroom.engine.text import count_noun
from readyroom.store import Store
from readyroom.web.jobs.backups import Backups
from readyroom.web.monitoring.metrics import Metrics, from_this_machine
from readyroom.web.rendering import AppRequest
from readyroom.web.settings import Settings

PATIENCE = 3.0
"""Seconds that the database may take to answer before the server is not ready."""
INTERVAL = 3.0
"""Seconds for which a result is used again."""
NOW = {"Cache-Control": "no-store"}


class HealthProbe:
    """Writes to the database from time to time, in a thread of its own, which waits for no request and no move."""

    def __init__(self, store: Store, backups: Backups) -> None:
        self._store, self._backups = store, backups
        self._result: Future[int] | None = None
        self._since = 0.0

    async def damaged(self) -> int:
        """Return the number of quarantined matches; raise `TimeoutError`, or as `Administration.probe`."""
        result = self._result
        if result is None or (result.done() and monotonic() - self._since > INTERVAL):
            self._result = result = Future[int]()
            self._since = monotonic()
            Thread(target=self._run, args=(result,), name="health", daemon=True).start()
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(result)), PATIENCE)

    def _run(self, result: Future[int]) -> None:
        try:
            result.set_result(self._store.integrity.probe())
        except BaseException as error:  # the request reports it
            result.set_exception(error)

    def warnings(self, damaged: int) -> list[str]:
        """Return what an admin should see to, although the server works."""
        found = [f"{count_noun(damaged, 'match is', 'matches are')} damaged and closed."] if damaged else []
        return [*found, self._backups.failure] if self._backups.failure else found


@get("/health/live", sync_to_thread=False)
def live() -> Response[dict[str, str]]:
    """Report that the process answers; restart it if it does not."""
    return Response({"status": "live", "version": __version__}, headers=NOW)


@get("/health")
async def ready(health_probe: HealthProbe) -> Response[dict[str, Any]]:
    """Report whether the server can work: 200, perhaps with warnings, or 503 with the reason."""
    try:
        damaged = await health_probe.damaged()
    except TimeoutError:
        why = f"The database did not answer within {PATIENCE:g} seconds."
    except ReadyRoomError as error:
        why = str(error)
    else:
        facts: dict[str, Any] = {"status": "ready", "version": __version__, "database": "answers"}
        return Response(facts | {"warnings": health_probe.warnings(damaged)}, headers=NOW)
    facts = {"status": "away", "version": __version__, "why": why}
    return Response(facts, status_code=503, headers={**NOW, "Retry-After": "5"})


@get("/metrics", sync_to_thread=True)
def figures(request: AppRequest, metrics: Metrics, settings: Settings) -> Response[bytes]:
    """Return the metrics for Prometheus to the clients that the settings allow; 404 for others."""
    local = settings.metrics == "local" and from_this_machine(request.scope)
    if not local and settings.metrics != "anywhere":
        raise NotFoundException
    return Response(generate_latest(metrics.registry), headers={**NOW, "Content-Type": CONTENT_TYPE_LATEST})


router = Router("/", route_handlers=[live, ready, figures], include_in_schema=False)
