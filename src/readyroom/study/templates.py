"""The templates of the pages that studies write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def environment(**filters: Callable[..., Any]) -> Environment:
    """Return the templates of this package; `filters` format the page's figures."""
    environment = Environment(
        loader=PackageLoader("readyroom.study", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= filters
    return environment
