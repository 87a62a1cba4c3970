"""`readyroom serve`: the table in a browser."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from readyroom.engine.errors import ReadyRoomError

if TYPE_CHECKING:
    from litestar import Litestar

GOODBYE = 3
"""Seconds that open pages have to disconnect when the server stops."""
COLLECTING = (10_000, 20, 10)
"""Thresholds of the garbage collector. A full collection takes a fifth of a second and finds little."""
SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread that computes lets another one run. A request changes threads often, so Python's five
milliseconds would be noticed.
"""


class CannotServe(ReadyRoomError):
    """The server cannot listen on the address."""


def serve(
    host: Annotated[
        str, typer.Option("--host", metavar="H", help="The address to listen on; 0.0.0.0 accepts other computers.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 chooses a free one.")
    ] = 8000,
    browser: Annotated[bool, typer.Option("--open", help="Also open a browser.")] = False,
) -> None:
    """Start the server; Ctrl+C stops it. Matches are saved in your data folder.

    To save them in another database, set READYROOM_DATABASE to its address, such as
    postgresql://user:password@host/name.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.disable()  # until the server listens: almost nothing that is loaded is freed
    from readyroom.store.server_lock import only_server
    from readyroom.web.app import create_app
    from readyroom.web.monitoring import logs
    from readyroom.web.settings import Settings, unknown_settings

    logs.set_up()
    place = _listen(host, port)
    address = _address(host, place.getsockname()[1])
    settings = replace(Settings.from_environment(), served=address)
    for name in unknown_settings(os.environ):
        logging.getLogger("readyroom.web").warning("%s is no setting; is it misspelt?", name)

    def opened() -> None:
        gc.collect()
        gc.freeze()  # what is loaded now stays, so the collector can skip it
        gc.set_threshold(*COLLECTING)
        gc.enable()
        typer.echo(f"Ready Room is running at {address} (Ctrl+C stops it).")
        if browser:
            webbrowser.open(address)

    with only_server(settings.database_url):
        _run(create_app(settings), place, opened)


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `CannotServe` if that fails."""
    try:
        family, kind, number, _, at = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        place = socket.socket(family, kind, number)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(at)
        place.listen(2048)
    except OSError as error:
        why = f"Cannot listen on {host}, port {port}: {(error.strerror or str(error)).lower()}."
        raise CannotServe(f"{why} Try another --port; 0 chooses a free one.") from error
    return place


def _address(host: str, port: int) -> str:
    named = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, host)
    return f"http://[{named}]:{port}" if ":" in named else f"http://{named}:{port}"


def _run(app: Litestar, place: socket.socket, opened: Callable[[], None]) -> None:
    """Serve until a signal; `opened` is called when the server is ready."""
    import uvicorn

    from readyroom.web.affinity import share_processor
    from readyroom.web.connections import CONNECTIONS, ConnectionLimits, limited, most_connections

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                opened()
                self.sharing = asyncio.create_task(share_processor())

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            logging.getLogger("readyroom.web").info("the server is stopping")
            site.broadcaster.close_streams()
            Thread(target=site.workers.close).start()
            super().handle_exit(sig, frame)

    site = app.state.site
    trusted = site.settings.proxies
    config = uvicorn.Config(
        app,
        http=limited(ConnectionLimits(trusted, CONNECTIONS * site.settings.sharing, most_connections())),
        forwarded_allow_ips=trusted,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GOODBYE,
        timeout_keep_alive=30,
        ws="none",
    )
    with suppress(KeyboardInterrupt):
        Server(config).run(sockets=[place])
