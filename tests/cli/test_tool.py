"""Tests of `readyroom tool`."""

from __future__ import annotations

from tests.cli.helpers import Shell


def test_tool_decrypts_message(shell: Shell) -> None:
    listed = shell.run("tool", "tora")
    assert "break: Break a message [15.2]" in listed.out
    assert "no tools" in shell.run("tool", "midway").out
    result = shell.run("tool", "tora", "break", "intercept=WZHOYH HLJKW")
    assert result.out.splitlines()[0] == "Caesar, 3: TWELVE EIGHT"
    assert '"text": "TWELVE EIGHT"' in shell.run("tool", "tora", "break", "intercept=WZHOYH HLJKW", "--json").out


def test_unknown_tool_is_rejected(shell: Shell) -> None:
    for texts in (("sextant",), ("break", "depth=3"), ("encipher", "key=x")):
        result = shell.run("tool", "tora", *texts)
        assert result.code == 2, texts
        assert result.err
