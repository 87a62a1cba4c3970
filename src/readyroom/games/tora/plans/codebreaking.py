"""[15.2] Codebreaking tools: write a message in one of the ciphers, or break an intercepted one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.rules.forms import FormField, Tool, ToolResult
from readyroom.games.tora.figures import Data
from readyroom.games.tora.plans import cipher

LONGEST = 400
"""The longest message, in letters."""
WAYS = {key: each.title for key, each in cipher.CIPHERS.items()}
ALL = "all"


def tools(data: Data) -> dict[str, Tool]:
    """Return the tools."""
    return {
        "encipher": Tool(
            "Write a message",
            "15.2",
            "The message must name the month and day in words. It is enciphered letter by letter.",
            {
                "message": FormField("The message", "CLIMB MOUNT NIITAKA TWELVE EIGHT", multiline=True),
                "cipher": FormField("Cipher", "caesar", WAYS),
                "key": FormField("Key: a number, a word, or nothing", "3"),
            },
            _write,
        ),
        "break": Tool(
            "Break a message",
            "15.2",
            "Ciphers with few keys are tried with every key, the others with the words you enter. Results that name a "
            "date are highlighted. The most common letters in English are E, T, A, O, I and N.",
            {
                "intercept": FormField("The intercepted message", "FOLPE PRXQW QLLWDND WZHOYH HLJKW", multiline=True),
                "cipher": FormField("Cipher", ALL, {ALL: "all", **WAYS}),
                "key": FormField("Words to try as keys", "TIGER AKAGI"),
            },
            _break,
        ),
    }


def _message_text(inputs: Mapping[str, str], name: str) -> str:
    text = " ".join(inputs[name].upper().split())
    if not text:
        raise InvalidQuery("Enter a message.")
    if len(text) > LONGEST:
        raise InvalidQuery(f"The message has {len(text)} letters; the limit is {LONGEST}.")
    return text


def _write(inputs: Mapping[str, str]) -> ToolResult:
    text, way, key = _message_text(inputs, "message"), inputs["cipher"], inputs["key"].strip().upper()
    wrong = cipher.why_not_key(way, key)
    if wrong:
        raise InvalidQuery(wrong)
    days = cipher.spelled_dates(text)
    named = f"It names December {' and '.join(map(str, days))}."
    note = named if days else "It does not name a month and day in words."
    return ToolResult([("Ciphertext", cipher.encipher(way, key, text), True), ("Plaintext", text, False)], note)


def _break(inputs: Mapping[str, str]) -> ToolResult:
    text, way = _message_text(inputs, "intercept"), inputs["cipher"]
    words = inputs["key"].upper().split()
    results = [
        (f"{cipher.CIPHERS[name].title}{f', {key}' if key else ''}", cipher.decipher(name, key, text))
        for name in (cipher.CIPHERS if way == ALL else (way,))
        for key in _keys(name, words)
    ]
    rows = [(what, plain, cipher.names_a_date(plain)) for what, plain in results]
    letters = Counter(letter for letter in text if letter in cipher.ALPHABET)
    frequent = ", ".join(f"{letter} {count}" for letter, count in letters.most_common(8))
    return ToolResult(sorted(rows, key=lambda row: not row[2]), f"Most frequent letters: {frequent}.")


def _keys(name: str, words: list[str]) -> Iterator[str]:
    """Yield the keys to try: all of them where there are few."""
    few = {"caesar": map(str, range(1, len(cipher.ALPHABET))), "atbash": [""], "rail-fence": map(str, cipher.RAILS)}
    for key in few.get(name, words):
        if not cipher.why_not_key(name, key):
            yield key
