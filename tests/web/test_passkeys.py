"""Tests of passkeys, with an authenticator in software."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from tests.web.server import Browser, Site, opened
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from readyroom.web.pages.players import passkeys
from readyroom.web.pages.players.profile import COOKIE
from readyroom.web.settings import BadSetting, Settings

HOST, ORIGIN = "localhost", "http://localhost:8000"
PRESENT, VERIFIED, WITH_KEY = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """A device with one passkey."""

    origin: str = ORIGIN
    domain: str = HOST
    flags: int = PRESENT | VERIFIED
    count: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def id(self) -> str:
        return bytes_to_base64url(sha256(self._public).digest())

    @property
    def _public(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})

    def _client(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int) -> bytes:
        self.count += 1
        return sha256(self.domain.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def create(self, options: dict[str, Any]) -> str:
        """Return the credential that a browser makes for these options."""
        raw_id = base64url_to_bytes(self.id)
        data = self._data(self.flags | WITH_KEY) + bytes(16) + len(raw_id).to_bytes(2, "big") + raw_id + self._public
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential("webauthn.create", options, {"attestationObject": attested})

    def get(self, options: dict[str, Any]) -> str:
        """Return the proof that a browser gives for these options."""
        data = self._data(self.flags)
        client = self._client("webauthn.get", options["challenge"])
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._credential("webauthn.get", options, {"authenticatorData": data, "signature": signature})

    def _credential(self, kind: str, options: dict[str, Any], parts: dict[str, bytes]) -> str:
        parts |= {"clientDataJSON": self._client(kind, options["challenge"])}
        response = {name: bytes_to_base64url(value) for name, value in parts.items()}
        return json.dumps({"id": self.id, "rawId": self.id, "type": "public-key", "response": response})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server with passkeys per test module."""
    site = opened(tmp_path_factory.mktemp("passkeys"), url=ORIGIN, accounts="passkeys")
    yield site
    site.close()


def signed_in(browser: Browser) -> bool:
    return ">Profile<" not in browser.get("/").text


def added(browser: Browser, device: Authenticator, name: str = "Nimitz") -> None:
    """Create a player with a passkey on this device."""
    browser.form("/me/name", {"name": name})
    options = browser.form("/me/passkeys/options").json()
    answer = browser.form("/me/passkeys", {"credential": device.create(options)})
    assert answer.headers["location"] == "/me?done=passkey#passkeys", answer.text


def test_passkey_signs_in_on_another_device(site: Site) -> None:
    device = Authenticator()
    with site.browser() as browser, site.browser() as other:
        browser.headers["User-Agent"] = "Firefox on Linux"
        added(browser, device)
        assert 'value="Firefox on Linux"' in browser.get("/me").text
        assert "Sign in with a passkey" in other.get("/me").text
        options = other.form("/passkey/options").json()
        assert options["rpId"] == HOST
        assert not options.get("allowCredentials")
        answer = other.form("/passkey", {"credential": device.get(options)})
        assert answer.headers["location"] == "/me?done=recovered", answer.text
        assert signed_in(other)
        assert ">Nimitz</a>" in other.get("/").text
        assert re.search(r"last used \d{4}-", other.get("/me").text)


def test_answer_is_accepted_once(site: Site) -> None:
    device = Authenticator()
    with site.browser() as browser, site.browser() as other:
        added(browser, device)
        proof = device.get(other.form("/passkey/options").json())
        assert other.form("/passkey", {"credential": proof}).status_code == 303
        other.cookies.delete(COOKIE)
        again = other.form("/passkey", {"credential": proof})
        assert again.status_code == 403
        assert "sent twice" in again.text
        assert not signed_in(other)


def test_challenge_belongs_to_one_browser_and_purpose(site: Site) -> None:
    device = Authenticator()
    with site.browser() as browser, site.browser() as other:
        added(browser, device)
        options = browser.form("/passkey/options").json()
        assert other.form("/passkey", {"credential": device.get(options)}).status_code == 403
        options = other.form("/passkey/options").json()
        assert browser.form("/me/passkeys", {"credential": Authenticator().create(options)}).status_code == 403


def test_challenge_expires(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    device = Authenticator()
    with site.browser() as browser, site.browser() as other:
        added(browser, device)
        with monkeypatch.context() as patch:
            patch.setattr(passkeys, "CHALLENGE_SECONDS", -1)
            options = other.form("/passkey/options").json()
        late = other.form("/passkey", {"credential": device.get(options)})
        assert late.status_code == 403
        assert "too long" in late.text


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "https://evil.example"},
        {"origin": "https://localhost:8000"},
        {"domain": "evil.example"},
        {"flags": PRESENT},
        {"flags": VERIFIED},
        {"key": ec.generate_private_key(ec.SECP256R1())},
        {"count": 0},
    ],
    ids=["origin", "scheme", "domain", "unverified", "absent", "key", "counter"],
)
def test_wrong_proof_is_rejected(site: Site, change: dict[str, Any]) -> None:
    device = Authenticator(count=5)
    with site.browser() as browser, site.browser() as other:
        added(browser, device)
        known = device.id
        for name, value in change.items():
            setattr(device, name, value)
        proof = device.get(other.form("/passkey/options").json()).replace(device.id, known)
        answer = other.form("/passkey", {"credential": proof})
        assert answer.status_code == 403, answer.text
        assert not signed_in(other)


@pytest.mark.parametrize("change", [{"origin": "https://evil.example"}, {"domain": "evil.example"}, {"flags": PRESENT}])
def test_wrong_passkey_is_not_added(site: Site, change: dict[str, Any]) -> None:
    with site.browser() as browser:
        browser.form("/me/name", {"name": "Nimitz"})
        options = browser.form("/me/passkeys/options").json()
        answer = browser.form("/me/passkeys", {"credential": Authenticator(**change).create(options)})
        assert answer.status_code == 403
        assert "not used yet" not in browser.get("/me").text


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"response": 3}', '{"id": "x", "response": {"clientDataJSON": "e30"}}']
)
def test_garbage_is_rejected(site: Site, text: str) -> None:
    with site.browser() as browser:
        browser.form("/me/name", {"name": "Nimitz"})
        for path in ("/passkey", "/me/passkeys"):
            assert browser.form(path, {"credential": text}).status_code == 403


def test_passkey_is_renamed_and_removed_by_its_player_only(site: Site) -> None:
    device = Authenticator()
    with site.browser() as browser, site.browser() as other:
        added(browser, device)
        path = f"/me/passkeys/{device.id}"
        added(other, Authenticator(), "Skua")
        other.form(path, {"do": "remove"})
        other.form(path, {"name": "Mine"})
        assert browser.form(path, {"name": "  My   phone "}).status_code == 303
        assert 'value="My phone"' in browser.get("/me").text
        assert browser.form(path, {"name": ""}).status_code == 422
        browser.form(path, {"do": "remove"})
        assert device.id not in browser.get("/me").text
        other.cookies.delete(COOKIE)
        answer = other.form("/passkey", {"credential": device.get(other.form("/passkey/options").json())})
        assert answer.status_code == 403
        assert "may have been removed" in answer.text


def test_passkeys_are_off_by_default(open_site: Callable[..., Site]) -> None:
    with open_site().browser() as browser:
        browser.form("/me/name", {"name": "Nimitz"})
        assert "asskey" not in browser.get("/me").text
        for path in ("/passkey", "/passkey/options", "/me/passkeys", "/me/passkeys/options", "/me/passkeys/x"):
            assert browser.form(path).status_code == 404


def test_passkeys_need_the_address() -> None:
    known = {"READYROOM_ACCOUNTS": "passkeys", "READYROOM_SECRET": "x"}
    with pytest.raises(BadSetting, match="READYROOM_URL"):
        Settings.from_environment(known)
    assert Settings.from_environment({**known, "READYROOM_URL": ORIGIN}).accounts == "passkeys"
