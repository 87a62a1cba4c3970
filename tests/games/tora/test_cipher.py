"""Tests of section 15.2: ciphers, and the date a message must contain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.tora.helpers import play

from readyroom.games.tora.plans import cipher

pytestmark = pytest.mark.rule("tora", "15.2")

TEXT = "CLIMB MOUNT NIITAKA TWELVE EIGHT"


@pytest.mark.parametrize(
    ("name", "key", "text"),
    [
        ("caesar", "3", "FOLPE PRXQW QLLWDND WZHOYH HLJKW"),
        ("atbash", "", "XORNY NLFMG MRRGZPZ GDVOEV VRTSG"),
        ("keyword", "TIGER", "GJDKI KMULS LDDSTHT SWRJVR RDBCS"),
        ("rail-fence", "2", "CIBONNIAAWLEIHLMMUTITKTEVEGT"),
        ("vigenere", "AKAGI", "CVISJ MYUTB NSIZIKK TCMLFE KQGRT"),
    ],
)
def test_known_message_in_each_cipher(name: str, key: str, text: str) -> None:
    assert cipher.encipher(name, key, TEXT) == text
    assert cipher.decipher(name, key, text).replace(" ", "") == TEXT.replace(" ", "")


@given(
    name=st.sampled_from(list(cipher.CIPHERS)),
    at=st.integers(0, 9),
    text=st.text(alphabet=cipher.ALPHABET + " ", max_size=80),
)
def test_enciphered_text_can_be_deciphered(name: str, at: int, text: str) -> None:
    keys = cipher.KEYS[name]
    key = keys[at % len(keys)]
    assert cipher.why_not_key(name, key) == ""
    plain = cipher.decipher(name, key, cipher.encipher(name, key, text))
    assert plain.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("name", "key"),
    [("caesar", "0"), ("caesar", "26"), ("caesar", "x"), ("atbash", "A"), ("keyword", ""), ("keyword", "Niitaka"),
     ("rail-fence", "1"), ("rail-fence", "7"), ("vigenere", "A B"), ("enigma", "A"), ("caesar", "²")],
)  # fmt: skip
def test_invalid_cipher_key_is_rejected_with_reason(name: str, key: str) -> None:
    assert cipher.why_not_key(name, key).endswith(".")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("December Tenth", [10]),
        ("Twelve Ten", [10]),
        ("Climb Mt. Niitaka Twelve Eight", [8]),
        ("december the first or Twelve, Two", [1, 2]),
        ("December 7", []),
        ("Twelve Eighty", []),
        ("Eight Twelve", []),
        ("", []),
    ],
)
def test_date_is_month_and_day_in_words(text: str, days: list[int]) -> None:
    assert cipher.spelled_dates(text) == days


def test_message_date_must_be_day_of_attack() -> None:
    assert cipher.why_not("Twelve Eight", 8) == ""
    assert "names December 8, but the attack is on December 7" in cipher.why_not("Twelve Eight", 7)
    assert "December Tenth or Twelve Ten" in cipher.why_not("soon", 7)
    for day in range(1, 11):
        assert all(cipher.spelled_dates(text) == [day] for text in cipher.plaintexts(day))


@pytest.mark.rule("tora", "T28")
def test_americans_get_only_ciphertext_before_planning() -> None:
    match = play("cipher", cipher="yes")
    plan = match.state.japan.plan
    assert plan is not None
    output = cipher.encipher(plan.cipher, plan.key, plan.message)
    assert match.view("usa").table.usa.message == output
    lines = [line for line in match.log("usa") if line.rule == "15.2" and line.phase == "plan"]
    assert [line.text for line in lines] == [f"Intercepted from Tokyo: {output}"]
    assert plan.message not in str(match.view("usa"))
    assert match.log("usa").index(lines[0]) < next(at for at, line in enumerate(match.log("usa")) if line.rule == "T27")
    assert cipher.why_not(plan.message, plan.day) == ""
