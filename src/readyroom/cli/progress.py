"""How far a verb has come: a bar on the standard error, where someone watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TimeRemainingColumn


@contextmanager
def progress_bar(total: float | None = None, *, counts: bool = True) -> Iterator[Callable[..., None]]:
    """What moves the bar: it is called with how much is done, and of how much where that was not known before.

    The bar shows numbers, or where it `counts` nothing the share that is done.
    """
    columns = (BarColumn(), MofNCompleteColumn() if counts else TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=total)

        def moved(done: float, of: float | None = total) -> None:
            bar.update(task, completed=done, total=of)

        yield moved
