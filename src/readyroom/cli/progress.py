"""The progress bar on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TimeRemainingColumn


@contextmanager
def progress_bar(total: float | None = None, *, counts: bool = True) -> Iterator[Callable[..., None]]:
    """Yield a function that moves the bar: it takes what is done, and the total if that was unknown before.

    The bar shows numbers, or only a percentage if `counts` is false.
    """
    columns = (BarColumn(), MofNCompleteColumn() if counts else TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=total)

        def moved(done: float, of: float | None = total) -> None:
            bar.update(task, completed=done, total=of)

        yield moved
