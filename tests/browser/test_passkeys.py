"""Tests of passkeys in the browser, with Chromium's virtual authenticator."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.server.running import Server

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def add_device(page: Page) -> None:
    """Give a page a virtual device with a lock."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})


@pytest.mark.slow(6)
@pytest.mark.torture(5)
def test_passkey_is_added_and_signs_in(visit: Visit, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Server(tmp_path, READYROOM_URL=f"http://localhost:{port}", READYROOM_ACCOUNTS="passkeys")
    server._port = str(port)
    with server:
        server.url = f"http://localhost:{port}"
        anna = visit("Anna", to=server)
        page = anna.go("/me")
        add_device(page)
        anna.press("Add passkey")
        expect(page.locator("#passkeys li")).to_have_count(1)
        anna.press("Sign out")
        anna.go("/me")
        anna.press("Sign in with a passkey")
        expect(page.locator("h1")).to_have_text("Anna")
        expect(page.locator("#passkeys")).to_contain_text("last used")
