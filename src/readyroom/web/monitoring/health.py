"""Health checks and metrics for monitoring."""

from __future__ import annotations

from litestar import Response, Router, get
from litestar.exceptions import NotFoundException
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from readyroom import __version__
from readyroom.engine.errors import ReadyRoomError
from readyroom.store import Store
from readyroom.web import threads
from readyroom.web.monitoring.metrics import Metrics, from_this_machine
from readyroom.web.rendering import AppRequest
from readyroom.web.settings import Settings

PATIENCE = 3.0
"""Seconds that the database may take to answer before the server is not ready."""
NOW = {"Cache-Control": "no-store"}


@get("/health/live", sync_to_thread=False)
def live() -> Response[dict[str, str]]:
    """Report that the process answers; restart it if it does not."""
    return Response({"status": "live", "version": __version__}, headers=NOW)


@get("/health")
async def ready(store: Store) -> Response[dict[str, str]]:
    """Report whether the server can work: 200, or 503 with the reason."""
    try:
        await threads.check(store.admin.check, PATIENCE)
    except TimeoutError:
        why = f"The database did not answer within {PATIENCE:g} seconds."
    except ReadyRoomError as error:
        why = str(error)
    else:
        return Response({"status": "ready", "version": __version__, "database": "answers"}, headers=NOW)
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
