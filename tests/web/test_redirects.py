"""Addresses of version 1.0 lead to the new ones."""

from __future__ import annotations

import re

import pytest
from tests.web.server import Browser, Site

from readyroom.web.redirects import MOVED


def filled(path: str) -> str:
    """Fill each parameter of a path with its own name."""
    return re.sub(r"\{(\w+)(?::\w+)?\}", r"\1", path)


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_old_address_redirects_permanently(browser: Browser, old: str, new: str) -> None:
    response = browser.get(f"{filled(old)}?seat=usa", follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (301, f"{filled(new)}?seat=usa")


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_old_form_address_keeps_the_method(browser: Browser, old: str, new: str) -> None:
    response = browser.form(filled(old), follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (308, filled(new))


def test_new_addresses_exist(site: Site) -> None:
    paths = {re.sub(r":\w+\}", "}", route.path) for route in site.app.routes}
    assert set(MOVED.values()) <= paths
