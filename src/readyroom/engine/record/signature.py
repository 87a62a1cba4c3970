"""Signatures of record headers: a server signs what determines the dice before the first decision.

Keys and signatures are Ed25519, in URL-safe base 64 without padding.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import UNSET
from msgspec.structs import replace

from readyroom.engine.errors import InvalidRecord
from readyroom.engine.record.format import Header

PREFIX = "Ready Room dice 1\n"
"""The start of each signed text, so that a signature counts for nothing else."""


def signed_text(header: Header) -> str:
    """Return the text that is signed: the header without its signature as JSON with sorted keys, after `PREFIX`.

    A custom scenario and a seed are replaced by their hashes, so that the text can be shown before the match is over.
    """
    shown = replace(header, own=_hash(header.own), seed=_hash(header.seed), signature=UNSET)
    return PREFIX + msgspec.json.encode(shown, order="sorted").decode()


def _hash(text: str | None) -> str | None:
    return None if text is None else blake2b(text.encode(), digest_size=16).hexdigest()


class Signer:
    """A server's signing key.

    Args:
        private: 32 random bytes in URL-safe base 64; raises `ValueError` for anything else.
    """

    def __init__(self, private: str) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(_decode(private))
        self.key = _encode(self._private.public_key().public_bytes_raw())
        """The public key."""

    def sign(self, header: Header, match: str) -> Header:
        """Return the header of the match with this id, signed."""
        header = replace(header, match=match, signer=self.key, signature=UNSET)
        return replace(header, signature=_encode(self._private.sign(signed_text(header).encode())))


def is_public_key(text: str) -> bool:
    """Return whether a text is a public key."""
    try:
        Ed25519PublicKey.from_public_bytes(_decode(text))
    except ValueError:
        return False
    return True


def check_signature(header: Header, key: str = "") -> str:
    """Return the public key that signed a header; empty if it is not signed.

    Args:
        header: the header of a record.
        key: the public key that must have signed it; empty for any.

    Raises:
        InvalidRecord: for line 1, if the signature is wrong, or not by this key.
    """
    match, signer, signature = header.match, header.signer, header.signature
    if match is UNSET and signer is UNSET and signature is UNSET:
        if key:
            raise InvalidRecord(1, f"it is not signed, so it does not come from the server with the key {key}")
        return ""
    if match is UNSET or signer is UNSET or signature is UNSET:
        raise InvalidRecord(1, "its signature is incomplete")
    try:
        public = Ed25519PublicKey.from_public_bytes(_decode(signer))
        public.verify(_decode(signature), signed_text(header).encode())
    except (ValueError, InvalidSignature) as error:
        raise InvalidRecord(1, "the server's signature does not fit the header, which was changed") from error
    if key and signer != key:
        raise InvalidRecord(1, f"it is signed with the key {signer}, not {key}")
    return signer


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    """Return the bytes of a text; raise `ValueError` unless it is exactly how they are encoded."""
    data = urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))
    if _encode(data) != text:
        raise ValueError("this is not URL-safe base 64")
    return data
