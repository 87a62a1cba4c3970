"""`readyroom tool`."""

from __future__ import annotations

from tests.cli.helpers import Desk


def test_a_message_is_broken_in_the_terminal(desk: Desk) -> None:
    listed = desk.run("tool", "tora")
    assert "break: Break a message [15.2]" in listed.out
    assert "no tools" in desk.run("tool", "midway").out
    told = desk.run("tool", "tora", "break", "intercept=WZHOYH HLJKW")
    assert told.out.splitlines()[0] == "Caesar, 3: TWELVE EIGHT"
    assert '"text": "TWELVE EIGHT"' in desk.run("tool", "tora", "break", "intercept=WZHOYH HLJKW", "--json").out


def test_what_is_not_there_is_refused(desk: Desk) -> None:
    for words in (("sextant",), ("break", "depth=3"), ("encipher", "key=x")):
        told = desk.run("tool", "tora", *words)
        assert told.code == 2, words
        assert told.err
