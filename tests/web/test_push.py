"""Tests of push notifications: encryption, signatures, subscriptions and their end."""

from __future__ import annotations

import json
import threading
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.web.server import Site
from tests.web.test_notifications import MOMENT, answered, soon, started

from readyroom.web.live.web_push import (
    CURVE,
    LONGEST,
    InvalidKey,
    VapidKey,
    check_keys,
    encrypt,
    from_base64,
    to_base64,
)
from readyroom.web.settings import BadSetting, Settings

KEY = to_base64(bytes(range(1, 33)))


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(from_base64(text)), CURVE)


# -- the standards ---------------------------------------------------------------------------------------------------


def test_example_of_rfc_8291() -> None:
    message = encrypt(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        salt=from_base64("DGv6ra1nlYgDCS1FRnbzlw"),
        key=private_key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    )
    assert to_base64(message) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_vapid_header_is_signed_with_the_key() -> None:
    key = VapidKey(KEY)
    header = key.authorization("https://push.example:8443/send/abc?x=1", "https://games.example", at=1000)
    scheme, _, rest = header.partition(" ")
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, fields["k"]) == ("vapid", key.public)
    head, claims, signature = fields["t"].split(".")
    assert json.loads(from_base64(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(from_base64(claims)) == {
        "aud": "https://push.example:8443",
        "exp": 1000 + 12 * 3600,
        "sub": "https://games.example",
    }
    raw = from_base64(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_base64(key.public))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize("text", ["", "short", "AAAA+AAA", "ä" * 43, to_base64(bytes(32)), to_base64(b"\xff" * 32)])
def test_invalid_keys_are_refused(text: str) -> None:
    with pytest.raises(InvalidKey):
        VapidKey(text)
    with pytest.raises(InvalidKey):
        check_keys(text, "BTBZMqHH6r4Tts7J_aSIgg")


def test_long_messages_are_refused() -> None:
    with pytest.raises(ValueError, match="at most"):
        encrypt(bytes(LONGEST + 1), Receiver().p256dh, to_base64(bytes(16)))


def test_setting_is_checked() -> None:
    url = {"READYROOM_URL": "https://games.example"}
    assert Settings.from_environment({"READYROOM_PUSH_KEY": KEY, **url}).push_key == KEY
    with pytest.raises(BadSetting, match="READYROOM_URL"):
        Settings.from_environment({"READYROOM_PUSH_KEY": KEY})
    with pytest.raises(BadSetting, match="VAPID"):
        Settings.from_environment({"READYROOM_PUSH_KEY": "wrong", **url})


# -- a push service --------------------------------------------------------------------------------------------------


class Receiver:
    """A browser and its push service: it decrypts what it gets, and responds with the given statuses, then with 201."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(CURVE)
        self.auth = to_base64(bytes(range(16)))
        self.heard: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.statuses: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.heard.append(json.loads(receiver.decrypt(body)))
                receiver.headers.append(dict(self.headers.items()))
                self.send_response(receiver.statuses.pop(0) if receiver.statuses else 201)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/send/secret"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def p256dh(self) -> str:
        return to_base64(self.point)

    @property
    def form(self) -> dict[str, str]:
        return {"endpoint": self.url, "p256dh": self.p256dh, "auth": self.auth}

    def decrypt(self, body: bytes) -> bytes:
        salt, length = body[:16], body[20]
        sender, content = body[21 : 21 + length], body[21 + length :]
        public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        shared = self.key.exchange(ec.ECDH(), public)
        info = b"WebPush: info\0" + self.point + sender
        secret = HKDF(hashes.SHA256(), 32, urlsafe_b64decode(self.auth + "=="), info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        return AESGCM(key).decrypt(nonce, content, None).rstrip(b"\x02")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()


@pytest.fixture
def pushing(open_site: Callable[..., Site]) -> Site:
    site = open_site(hooks_anywhere=True, url="http://rr.example", push_key=KEY)
    site.app.state.site.notifier.grace = site.app.state.site.notifier.live = MOMENT
    site.app.state.site.notifier.retries = (MOMENT,)
    return site


def test_absent_player_is_pushed_until_the_browser_ends_it(pushing: Site, receiver: Receiver) -> None:
    with pushing.browser() as host, pushing.browser() as guest:
        guest.form("/me/name", {"name": "Spruance"})
        answer = guest.form("/me/push", receiver.form)
        assert answer.headers["location"] == "/me?done=notices"
        assert "data-subscribed" in guest.get("/me").text
        match = started(pushing, host, guest)
        answered(pushing, match)
        soon(lambda: receiver.heard)
        (heard,) = receiver.heard
        assert heard["title"] == "Ready Room: your turn"
        assert heard["text"].startswith("United States: your turn")
        assert (heard["link"], heard["waiting"]) == (f"/m/{match}", 1)
        headers = {name.lower(): value for name, value in receiver.headers[0].items()}
        assert headers["content-encoding"] == "aes128gcm"
        assert headers["ttl"] == "86400"
        assert headers["authorization"].startswith("vapid t=")
        receiver.statuses = [410]
        player = next(one.players[0][0] for one in pushing.store.listings.summary(match).seats if one.key == "usa")
        pushing.app.state.site.notifier._tell(pushing.store.players.get(player), "Hello", "You.", "/me")
        assert pushing.store.pushes.of_player(player) == []
        assert "data-subscribed" not in guest.get("/me").text


def test_failed_push_is_sent_again(pushing: Site, receiver: Receiver) -> None:
    with pushing.browser() as guest:
        guest.form("/me/push", receiver.form)
        receiver.statuses = [500]
        (person,) = [one for one in pushing.store.admin.players() if one.notices]
        pushing.app.state.site.notifier._tell(pushing.store.players.get(person.id), "Hello", "You.", "/me")
        soon(lambda: len(receiver.heard) == 2)
        assert len(pushing.store.pushes.of_player(person.id)) == 1


def test_subscription_is_removed_and_ends_with_the_session(pushing: Site, receiver: Receiver) -> None:
    with pushing.browser() as guest:
        guest.form("/me/push", receiver.form)
        (person,) = [one for one in pushing.store.admin.players() if one.notices]
        (device,) = pushing.store.pushes.devices(person.id)
        guest.form("/me/push/off", {"device": device})
        assert pushing.store.pushes.of_player(person.id) == []
        guest.form("/me/push", receiver.form)
        guest.form("/me/push/off")
        assert pushing.store.pushes.of_player(person.id) == []
        guest.form("/me/push", receiver.form)
        guest.form("/me/push", receiver.form)
        assert len(pushing.store.pushes.of_player(person.id)) == 1
        guest.form("/me/sign-out")
        assert pushing.store.pushes.of_player(person.id) == []


def test_invalid_subscriptions_are_explained(pushing: Site, open_site: Callable[..., Site], receiver: Receiver) -> None:
    with pushing.browser() as guest:
        for wrong in ({"p256dh": "x"}, {"auth": "AAAA"}, {"endpoint": "ftp://push.example"}):
            answer = guest.form("/me/push", {**receiver.form, **wrong})
            assert answer.status_code == 422
            assert 'class="wrong" id="wrong-push"' in answer.text
    with open_site(hooks_anywhere=True).browser() as guest:
        assert "no push notifications" in guest.form("/me/push", receiver.form).text
        assert "data-key" not in guest.get("/me").text


def test_private_addresses_are_no_push_services(open_site: Callable[..., Site], receiver: Receiver) -> None:
    site = open_site(url="http://rr.example", push_key=KEY)
    with site.browser() as guest:
        for url in (receiver.url, "https://127.0.0.1/send"):
            assert guest.form("/me/push", {**receiver.form, "endpoint": url}).status_code == 422
