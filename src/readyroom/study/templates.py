"""The templates of the pages that studies write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def environment(**filters: Callable[..., Any]) -> Environment:
    """The templates that lie next to the studies; `filters` are how a page writes its figures."""
    environment = Environment(
        loader=PackageLoader("readyroom.study", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= filters
    return environment
