"""Error messages are sentences."""

from __future__ import annotations

import inspect
import pickle

import pytest

from readyroom import games
from readyroom.engine import errors
from readyroom.engine.errors import (
    IllegalChoice,
    InvalidData,
    InvalidRecord,
    MatchOver,
    NotYourDecision,
    ReadyRoomError,
    RuleError,
    StaleRevision,
    Unknown,
    UnknownGame,
    UnknownRule,
)

EXAMPLES: list[ReadyRoomError] = [
    Unknown("x", []),
    NotYourDecision("red", ["blue", "green"]),
    NotYourDecision("red", []),
    StaleRevision("red", 3, 5),
    IllegalChoice("4.1", "It has sunk.", ["a", "b"]),
    IllegalChoice("4.1", "It has sunk.", []),
    MatchOver("draw"),
    InvalidRecord(3, "it is cut off"),
    InvalidData("ships.toml", "", "int", "str"),
    RuleError("4.1", KeyError("oops"), "record"),
]


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_error_text_is_sentence(error: ReadyRoomError) -> None:
    text = str(error)
    assert text[0].isupper() or text.startswith("ships.toml")
    assert text.rstrip("'?").endswith((".", "none"))
    assert "  " not in text


def test_errors_share_base_and_have_docstrings() -> None:
    for _, kind in inspect.getmembers(errors, inspect.isclass):
        if kind.__module__ == errors.__name__:
            assert issubclass(kind, ReadyRoomError)
            assert kind.__doc__


def test_unknown_name_lists_known_and_nearest() -> None:
    with pytest.raises(UnknownGame, match=r"No game named 'midwy'. Known: .*midway.* Did you mean 'midway'\?"):
        games.load("midwy")
    far = UnknownRule("zzz", ["4.1", "4.2"])
    assert str(far) == "No rule named 'zzz'. Known: 4.1, 4.2."
    assert far.known == ["4.1", "4.2"]


def test_error_texts() -> None:
    assert str(EXAMPLES[1]) == "It is not red's turn. Waiting for blue and green."
    assert "Waiting for no one" in str(EXAMPLES[2])
    assert str(EXAMPLES[3]) == "The match has changed since you loaded it. Please choose again."
    assert str(EXAMPLES[5]) == "It has sunk. [4.1] Legal here: nothing."
    assert "Rule 4.1 failed (internal error: KeyError: 'oops')" in str(EXAMPLES[-1])


def test_rule_error_has_record() -> None:
    assert RuleError("4.1", KeyError("oops"), "the record").record == "the record"


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_errors_can_be_pickled(error: ReadyRoomError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
