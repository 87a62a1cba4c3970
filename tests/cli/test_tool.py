"""`readyroom tool`."""

from __future__ import annotations

from tests.cli.helpers import Desk


def test_a_message_is_broken_in_the_terminal(desk: Desk) -> None:
    listed = desk.run("tool", "tora")
    assert "break: Break a message [15.2]" in listed.out
    assert "no tools" in desk.run("tool", "midway").out
    result = desk.run("tool", "tora", "break", "intercept=WZHOYH HLJKW")
    assert result.out.splitlines()[0] == "Caesar, 3: TWELVE EIGHT"
    assert '"text": "TWELVE EIGHT"' in desk.run("tool", "tora", "break", "intercept=WZHOYH HLJKW", "--json").out


def test_what_is_not_there_is_refused(desk: Desk) -> None:
    for texts in (("sextant",), ("break", "depth=3"), ("encipher", "key=x")):
        result = desk.run("tool", "tora", *texts)
        assert result.code == 2, texts
        assert result.err
