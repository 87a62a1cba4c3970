"""Web Push: messages that only the browser can read (RFC 8291), signed with the server's VAPID key (RFC 8292)."""

from __future__ import annotations

import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cached_property
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
RECORD = 4096
"""The bytes of a record; a message is one record."""
LONGEST = 2000
"""The most bytes of a message: push services take at least 4096, encrypted."""
HALF_A_DAY = 12 * 3600
_encode = msgspec.json.Encoder().encode


class InvalidKey(ValueError):
    """A key that is none of this kind."""


def to_base64(content: bytes) -> str:
    """Return bytes in URL-safe base 64 without padding."""
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    """Return the bytes of URL-safe base 64; raise `ValueError` for anything else."""
    if not text.isascii() or "+" in text or "/" in text:
        raise ValueError("this is not URL-safe base 64")
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def _bytes_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class VapidKey:
    """The key of a server, of 32 bytes in base64url; raises `InvalidKey`."""

    def __init__(self, text: str) -> None:
        try:
            content = from_base64(text)
            if len(content) != 32:
                raise InvalidKey("A private key has 32 bytes.")
            self._private = ec.derive_private_key(int.from_bytes(content), CURVE)
        except ValueError as error:
            raise InvalidKey("This is no private VAPID key.") from error

    @cached_property
    def public(self) -> str:
        """The public key, which browsers ask for."""
        return to_base64(_bytes_of(self._private.public_key()))

    def authorization(self, endpoint: str, contact: str, at: float | None = None) -> str:
        """Return the Authorization header for a push service; `contact` is an https or mailto address of the server."""
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(at or time.time()) + HALF_A_DAY,
            "sub": contact,
        }
        signed = ".".join(to_base64(_encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = decode_dss_signature(self._private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = to_base64(r.to_bytes(32) + s.to_bytes(32))
        return f"vapid t={signed}.{signature}, k={self.public}"


def encrypt(
    message: bytes, p256dh: str, auth: str, *, salt: bytes = b"", key: ec.EllipticCurvePrivateKey | None = None
) -> bytes:
    """Return a message that only the browser with these keys can read; raise `InvalidKey`, or `ValueError` if too long.

    `salt` and `key` are drawn, except in tests.
    """
    if len(message) > LONGEST:
        raise ValueError(f"A message has at most {LONGEST} bytes.")
    try:
        secret, theirs = from_base64(auth), from_base64(p256dh)
        if len(secret) != 16:
            raise InvalidKey("The secret of a subscription has 16 bytes.")
        public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs)
    except ValueError as error:
        raise InvalidKey("The keys of this browser are invalid.") from error
    salt, key = salt or os.urandom(16), key or ec.generate_private_key(CURVE)
    ours = _bytes_of(key.public_key())
    shared = _derive(key.exchange(ec.ECDH(), public), secret, b"WebPush: info\0" + theirs + ours, 32)
    content_key = _derive(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4) + bytes([len(ours)]) + ours
    return head + AESGCM(content_key).encrypt(nonce, message + b"\x02", None)


def check_keys(p256dh: str, auth: str) -> None:
    """Raise `InvalidKey` unless these are the keys of a browser."""
    encrypt(b"", p256dh, auth)


def _derive(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)
