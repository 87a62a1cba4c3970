"""Signatures of record headers: forged ones are rejected, and records without one verify as before."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import UNSET
from msgspec.structs import replace
from tests.toys.straits import GAME

from readyroom import Match
from readyroom.engine.errors import InvalidRecord
from readyroom.engine.record.format import Header, first_line, next_lines, parse
from readyroom.engine.record.replay import verify
from readyroom.engine.record.signature import Signer, check_signature, is_public_key, signed_text
from readyroom.testing.playouts import AnyMatch, play_on

SIGNER, OTHER = Signer("A" * 43), Signer(f"{'B' * 42}A")


@pytest.fixture(scope="module")
def match() -> AnyMatch:
    """A finished match with a signed header."""
    match: AnyMatch = Match(GAME, "many", None, "known", nonces={"red": "mine", "blue": "yours"})
    match.continue_record(SIGNER.sign(replace(match.header, origin="seed"), "abc"))
    for _ in play_on(match, Random(4)):
        pass
    return match


def with_header(record: str, header: Header) -> str:
    """Return a record under another header, with a correct hash chain."""
    parsed = parse(record)
    assert parsed.ending is not None
    first = first_line(header)
    rest = next_lines([*(entry for _, entry in parsed.entries), parsed.ending], first)
    return "\n".join([first, *rest, ""])


def flipped(text: str, at: int = 0) -> str:
    return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]


def test_signed_record_verifies(match: AnyMatch) -> None:
    header = parse(match.record()).header
    assert check_signature(header) == check_signature(header, SIGNER.key) == SIGNER.key
    assert verify(match.record(), GAME).outcome == match.outcome


@dataclass(frozen=True)
class Forgery:
    """A change of one field of the header."""

    field: str
    value: Any


FORGERIES = [
    Forgery("fingerprint", "0" * 32),
    Forgery("seed", "another"),
    Forgery("seed", None),
    Forgery("nonces", {"red": "mine", "blue": "theirs"}),
    Forgery("nonces", {}),
    Forgery("options", {"turns": "8"}),
    Forgery("seats", ["blue", "red"]),
    Forgery("scenario", "even"),
    Forgery("own", "title = 'x'"),
    Forgery("game", "other"),
    Forgery("version", "0"),
    Forgery("data", "0" * 16),
    Forgery("dice", "told"),
    Forgery("origin", UNSET),
    Forgery("origin", "import"),
    Forgery("origin", "daily"),
    Forgery("day", "2026-03-14"),
    Forgery("before", "0" * 32),
    Forgery("sealed", "0" * 32),
    Forgery("match", "abd"),
    Forgery("match", UNSET),
    Forgery("signer", OTHER.key),
    Forgery("signer", "nonsense"),
    Forgery("signer", UNSET),
    Forgery("signature", UNSET),
    Forgery("signature", ""),
    Forgery("signature", "A" * 86),
    Forgery("signature", "é" * 86),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: f"{forgery.field}-{str(forgery.value)[:12]}")
def test_forged_header_is_rejected_naming_line(match: AnyMatch, forgery: Forgery) -> None:
    header = replace(parse(match.record()).header, **{forgery.field: forgery.value})
    with pytest.raises(InvalidRecord, match="signature") as error:
        verify(with_header(match.record(), header), GAME)
    assert error.value.line == 1


def test_every_header_field_is_signed(match: AnyMatch) -> None:
    names = {*Header.__struct_fields__} - {"readyroom", "signature"}
    assert {forgery.field for forgery in FORGERIES} >= names


def test_every_character_of_signature_counts(match: AnyMatch) -> None:
    header = match.header
    assert header.signature is not UNSET
    for at in range(len(header.signature)):
        with pytest.raises(InvalidRecord):
            check_signature(replace(header, signature=flipped(header.signature, at)))
    with pytest.raises(InvalidRecord):
        check_signature(replace(header, signature=f"{header.signature}="))


def test_unsigned_record_verifies_as_before(match: AnyMatch) -> None:
    header = replace(match.header, origin=UNSET, match=UNSET, signer=UNSET, signature=UNSET)
    assert verify(with_header(match.record(), header), GAME).outcome == match.outcome
    assert check_signature(header) == ""
    assert not {"origin", "match", "signer", "signature"} & json.loads(first_line(header)).keys()
    with pytest.raises(InvalidRecord, match="not signed"):
        check_signature(header, SIGNER.key)


def test_record_of_another_server_is_rejected_if_key_is_demanded(match: AnyMatch) -> None:
    forged = OTHER.sign(match.header, "abc")
    assert check_signature(forged) == OTHER.key
    with pytest.raises(InvalidRecord, match=f"signed with the key {OTHER.key}, not {SIGNER.key}"):
        check_signature(forged, SIGNER.key)


def test_signed_text_can_be_checked_without_our_code(match: AnyMatch) -> None:
    header = match.header
    assert header.signature is not UNSET
    fields = json.loads(signed_text(header).partition("\n")[2])
    again = "Ready Room dice 1\n" + json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    public = Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(f"{SIGNER.key}="))
    public.verify(urlsafe_b64decode(f"{header.signature}=="), again.encode())
    assert fields["nonces"] == {"red": "mine", "blue": "yours"}
    assert fields["match"] == "abc"


def test_signed_text_hides_custom_scenario_and_seed(match: AnyMatch) -> None:
    text = signed_text(replace(match.header, own="secret scenario", seed="secret seed"))
    assert "secret" not in text


@pytest.mark.parametrize("text", ["", "A" * 42, "A" * 44, "!" * 43, "é" * 43, "B" * 43])
def test_invalid_private_key_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"base|bytes|ascii"):
        Signer(text)
    assert not is_public_key(text)


def test_old_header_keeps_its_bytes() -> None:
    header = Match(GAME, "many", None, "s").header
    assert list(msgspec.json.decode(msgspec.json.encode(header))) == list(Header.__struct_fields__[:12])
