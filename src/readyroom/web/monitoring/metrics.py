"""Prometheus metrics of the server, in a registry per application.

No metric names a match, a player or an address: requests are counted by route.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from functools import partial
from ipaddress import ip_address
from time import perf_counter
from typing import Any

from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.pool import QueuePool

from readyroom import __version__
from readyroom.engine.errors import ReadyRoomError
from readyroom.store import Store
from readyroom.web.jobs.workers import WorkerPool
from readyroom.web.live.broadcast import EventBroadcaster
from readyroom.web.monitoring.logs import MORE

REQUESTS = logging.getLogger("readyroom.requests")
VERBS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
NO_ROUTE = "none"
"""The route label of unknown addresses, and the label of unknown methods."""
WITHIN = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Buckets of response times in seconds."""
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")
"""Headers by which a reverse proxy names the client."""


class Metrics:
    """The metrics of one application: its requests, matches, connections and streams.

    With `log_requests` each request is logged as well.
    """

    def __init__(
        self, store: Store, broadcaster: EventBroadcaster, workers: WorkerPool, *, log_requests: bool = False
    ) -> None:
        self.registry, self._log_requests = CollectorRegistry(), log_requests
        counter, labels = partial(Counter, registry=self.registry), ["verb", "route", "status"]
        self.requests = counter("readyroom_requests", "Responses by method, route and status.", labels)
        self.faults = counter("readyroom_faults", "Responses with a server error.")
        self.moves = counter("readyroom_moves", "Decisions, plans and takebacks saved by this process.")
        text = "Seconds until a response started."
        self.seconds = Histogram("readyroom_request_seconds", text, ["route"], buckets=WITHIN, registry=self.registry)
        self.registry.register(LiveGauges(store, broadcaster, workers))
        ProcessCollector(registry=self.registry)

    def moved(self, match_id: str, what: str, revisions: Mapping[str, int]) -> None:
        """Count an event of the store."""
        if what == "moved":
            self.moves.inc()

    def around(self, app: ASGIApp) -> ASGIApp:
        """Wrap the application so that its responses are counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != ScopeType.HTTP:
                await app(scope, receive, send)
                return
            start = perf_counter()

            async def counting_send(message: Message) -> None:
                if message["type"] == "http.response.start":
                    self._count(scope, message["status"], perf_counter() - start)
                await send(message)

            await app(scope, receive, counting_send)

        return counted

    def _count(self, scope: Any, status: int, seconds: float) -> None:
        route = scope.get("path_template") or NO_ROUTE
        verb = scope["method"] if scope["method"] in VERBS else NO_ROUTE
        self.requests.labels(verb, route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)
        if status >= 500:
            self.faults.inc()
        if self._log_requests:
            facts = {"verb": verb, "route": route, "status": status, "ms": round(1000 * seconds, 1)}
            REQUESTS.info("answered", extra={MORE: facts})


class LiveGauges(Collector):
    """Gauges that are read when asked for: matches, streams, connections, and the database's state."""

    def __init__(self, store: Store, broadcaster: EventBroadcaster, workers: WorkerPool) -> None:
        self._store, self._broadcaster, self._workers = store, broadcaster, workers

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that nothing is read before it is asked for."""
        return []

    def collect(self) -> Iterable[Metric]:
        """Yield the current gauges."""
        yield _gauge("readyroom_info", "Version of the server.", {__version__: 1}, "version")
        yield _gauge("readyroom_streams", "Open event streams.", {"": self._broadcaster.listening})
        yield _gauge("readyroom_matches_held", "Matches in memory of this process.", {"": self._store.admin.live_count})
        yield _gauge("readyroom_database_connections", "Connections in the pool.", self._connections(), "state")
        yield from self._jobs()
        try:
            counts = {str(state): many for state, many in self._store.admin.counts().items()}
        except ReadyRoomError:
            counts = {}
        yield _gauge("readyroom_database_up", "Whether the database responds.", {"": int(bool(counts))})
        if counts:
            yield _gauge("readyroom_matches", "Matches in the database.", counts, "state")

    def _jobs(self) -> Iterable[Metric]:
        jobs = GaugeMetricFamily("readyroom_jobs", "Jobs of worker processes.", labels=["kind", "state"])
        for (kind, state), count in self._workers.counts().items():
            jobs.add_metric([kind, state], count)
        yield jobs
        text = "Jobs that were stopped or failed, by reason."
        killed = CounterMetricFamily("readyroom_jobs_killed", text, labels=["kind", "reason"])
        for (kind, reason), count in list(self._workers.killed.items()):
            killed.add_metric([kind, reason], count)
        yield killed

    def _connections(self) -> dict[str, float]:
        pools = [pool for pool in self._store.database.pools if isinstance(pool, QueuePool)]
        return {"in use": sum(pool.checkedout() for pool in pools), "idle": sum(pool.checkedin() for pool in pools)}


def _gauge(name: str, help: str, figures: dict[str, float] | dict[str, int], label: str = "") -> Metric:
    gauge = GaugeMetricFamily(name, help, labels=[label] if label else [])
    for value, figure in figures.items():
        gauge.add_metric([value] if label else [], figure)
    return gauge


def from_this_machine(scope: Any) -> bool:
    """Return whether a request comes from this machine and not through a reverse proxy."""
    headers, client = Headers.from_scope(scope), scope.get("client")
    if client is None or any(name in headers for name in FORWARDED):
        return False
    try:
        return ip_address(client[0].partition("%")[0]).is_loopback
    except ValueError:
        return False
