"""Studies on other machines: the workers of a Dask scheduler play what the processes of this one would."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from readyroom.engine.errors import MissingLibrary, ReadyRoomError

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""
X = TypeVar("X")
Y = TypeVar("Y")


class NoCluster(ReadyRoomError):
    """There is no cluster to play on, or it was lost; what was finished is kept."""


@contextmanager
def joined(address: str) -> Iterator[Callable[[Callable[[X], Y], Sequence[X]], Generator[Y, None, None]]]:
    """Yield a function that maps over the workers of the scheduler at an address, such as tcp://10.0.0.5:8786.

    Raises `MissingLibrary` if Dask is not installed, `NoCluster` if the scheduler or all workers are unreachable.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingLibrary("Dask", "cluster") from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        example = "an address looks like tcp://10.0.0.5:8786"
        raise NoCluster(f"No Dask scheduler answers at {address!r}; {example}.") from error
    with client:
        yield partial(_work, client, address)


def _work(client: Client, address: str, work: Callable[[X], Y], tasks: Sequence[X]) -> Generator[Y, None, None]:
    """Yield the results of the tasks as they arrive."""
    from distributed import as_completed
    from distributed.client import FutureCancelledError
    from distributed.scheduler import KilledWorker

    futures = client.map(work, tasks, pure=False)
    try:
        for future in as_completed(futures, loop=client.loop):  # type: ignore[no-untyped-call]
            yield future.result()
    except (KilledWorker, FutureCancelledError, OSError) as error:
        text = f"Lost the cluster at {address}. Finished matches are kept; run the same command to continue."
        raise NoCluster(text) from error
    finally:
        with suppress(Exception):
            client.cancel(futures)  # type: ignore[no-untyped-call]
