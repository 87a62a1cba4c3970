"""[15.2] Tests of codebreaking."""

from __future__ import annotations

import pytest

from readyroom.engine.errors import InvalidQuery, UnknownOption
from readyroom.games.tora import GAME
from readyroom.games.tora.plans import cipher
from readyroom.games.tora.plans.codebreaking import LONGEST

pytestmark = pytest.mark.rule("tora", "15.2")
TOOLS = GAME.presentation.tools(GAME.data)


def worked(name: str, **data: str) -> list[tuple[str, str, bool]]:
    filled = {key: blank.value for key, blank in TOOLS[name].form_fields.items()} | data
    return list(TOOLS[name].run(filled, "the desk").rows)


@pytest.mark.parametrize("way", cipher.CIPHERS)
def test_sheet_options_can_all_be_violated(way: str) -> None:
    for key in cipher.KEYS[way]:
        (_, text, _), *_ = worked("encipher", message="Uncle comes home December Seventh", cipher=way, key=key)
        what, plain, stands_out = worked("break", intercept=text, key=f"NONSENSE {key}")[0]
        assert stands_out, (way, key, what)
        assert "DECEMBERSEVENTH" in plain.replace(" ", "")


def test_texts_without_date_are_not_marked() -> None:
    assert not any(out for _, _, out in worked("break", intercept="QQQQ"))
    note = TOOLS["encipher"].work({"message": "Nothing", "cipher": "atbash", "key": ""}).note
    assert note == "It does not name a month and day in words."


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("encipher", {"key": "x"}, "number from 1 to 25"),
        ("encipher", {"message": " "}, "Enter a message"),
        ("encipher", {"message": "A" * (LONGEST + 1)}, "the limit is 400"),
        ("break", {"cipher": "enigma"}, "No option named 'enigma'"),
    ],
)
def test_nonsensical_input_is_rejected(name: str, data: dict[str, str], reason: str) -> None:
    with pytest.raises((InvalidQuery, UnknownOption), match=reason):
        worked(name, **data)
