"""Permanent redirects from addresses of version 1.0, kept for one release."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from litestar import Request
from litestar.response import Redirect

from readyroom.engine.errors import UnknownGame
from readyroom.engine.game import Game, load_game

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


_MOVED = [(re.compile(re.sub(r"\{(\w+):str\}", r"(?P<\1>[^/]+)", old)), new) for old, new in MOVED.items()]


def redirect_former_address(request: Request[Any, Any, Any]) -> Redirect | None:
    """Return the redirect of an address of version 1.0; None if it is none.

    They are looked up where no route fits, because each route takes a while to register.
    """
    for old, new in _MOVED:
        if match := old.fullmatch(request.url.path):
            return _moved(request, new.format_map(match.groupdict()), request.url.query)
    return None


def _moved(request: Request[Any, Any, Any], path: str, query: str) -> Redirect:
    return Redirect(f"{path}?{query}" if query else path, status_code=301 if request.method == "GET" else 308)


def redirect_former_game(request: Request[Any, Any, Any]) -> Redirect | None:
    """Return the redirect of an address with the former key of a game; None if it has none."""
    name = str(request.path_params.get("name") or request.query_params.get("game", ""))
    try:
        game = load_game(name, fits=partial(_has_what_is_wanted, request))
    except UnknownGame:
        return None
    if game.key == name:
        return None
    path = request.url.path.replace(f"/{name}", f"/{game.key}", 1)
    query = request.url.query.replace(f"game={name}", f"game={game.key}", 1)
    return _moved(request, path, query)


def _has_what_is_wanted(request: Request[Any, Any, Any], game: Game[Any, Any]) -> None:
    """Raise a `ReadyRoomError` if the game lacks what a request asks for."""
    path, query = request.path_params, request.query_params
    if "question" in query:
        game.question(query["question"])
    if "number" in path:
        game.rulebook.find(path["number"])
    if "file" in path:
        game.scenario(path["file"].removesuffix(".toml"))
    if request.url.path.startswith("/tutorial") and game.lesson is None:
        raise UnknownGame(game.key, ())
