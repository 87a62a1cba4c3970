"""Permanent redirects from addresses of version 1.0, kept for one release."""

from __future__ import annotations

from typing import Any

from litestar import Request, Router, route
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect

MOVED = {
    "/first-evening": "/tutorial",
    "/first-evening/{name:str}": "/tutorial/{name}",
    "/me/put-away": "/me/hidden",
    "/me/take-in": "/me/import",
    "/m/{id:str}/put-away": "/m/{id}/hide",
    "/m/{id:str}/stand-up": "/m/{id}/leave",
    "/m/{id:str}/take-again": "/m/{id}/reclaim",
    "/m/{id:str}/hand-over": "/m/{id}/assign-bot",
    "/m/{id:str}/ask-back": "/m/{id}/takeback",
    "/m/{id:str}/allow-back": "/m/{id}/takeback/answer",
    "/m/{id:str}/verdict": "/m/{id}/review",
    "/m/{id:str}/officer": "/m/{id}/analysis",
    "/m/{id:str}/paper/{file:str}": "/m/{id}/plan-template/{file}",
    "/games/{name:str}/desk": "/games/{name}/tools",
}
"""New addresses by old ones."""


def _redirect(old: str, new: str) -> HTTPRouteHandler:
    @route(old, http_method=["GET", "POST"], name=f"moved {old}", sync_to_thread=False, include_in_schema=False)
    def moved(request: Request[Any, Any, Any]) -> Redirect:
        query = request.url.query
        path = new.format_map(request.path_params) + (f"?{query}" if query else "")
        return Redirect(path, status_code=301 if request.method == "GET" else 308)

    return moved


router = Router("/", route_handlers=[_redirect(old, new) for old, new in MOVED.items()])
