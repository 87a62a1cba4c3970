"""Read a player's answer as keys of options: numbers, keys, ranges, repeats, all, none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from readyroom.cli.play.question import on_enter
from readyroom.engine.errors import IllegalChoice
from readyroom.engine.rules.decisions import Decision, DecisionKind
from readyroom.web import formatting

_NUMBER = re.compile(r"^\d{1,6}$")
_RANGE = re.compile(r"^(\d{1,6})-(\d{1,6})$")
_REPEAT = re.compile(r"^(?P<what>.+?)[x×](?P<times>\d{1,6})$")
ALL, NONE = "all", "none"


def read(decision: Decision, line: str) -> list[str]:
    """Return the keys that a line selects, which may be illegal; raise `IllegalChoice` if a word names no option."""
    texts = line.replace(",", " ").split()
    if not texts:
        enter = on_enter(decision)
        if enter is None:
            raise _refused(decision, "Type numbers or keys, then Enter.")
        return enter
    only = texts[0].casefold() if len(texts) == 1 and texts[0] not in decision.keys else ""
    if only == NONE:
        return []
    if only == ALL:
        return _all(decision)
    return [key for word in texts for key in _keys(decision, word)]


def _all(decision: Decision) -> list[str]:
    options = decision.options
    if decision.kind is DecisionKind.ONE and len(options) > 1:
        raise _refused(decision, "You can choose only one.")
    if decision.kind is DecisionKind.ALLOCATE:
        return [option.key for option in options for _ in range(option.limit)][: decision.at_least]
    return formatting.everything(formatting.decision(decision))


def _keys(decision: Decision, word: str) -> Iterator[str]:
    if word in decision.keys:
        yield word
    elif span := _RANGE.match(word):
        low, high = sorted((_at(decision, span[1]), _at(decision, span[2])))
        yield from decision.keys[low : high + 1]
    elif _NUMBER.match(word):
        yield decision.keys[_at(decision, word)]
    elif repeat := _REPEAT.match(word):
        times = min(int(repeat["times"]), decision.at_most + 1)
        yield from [key for key in _keys(decision, repeat["what"]) for _ in range(times)]
    else:
        yield from _by_name(decision, word)


def _at(decision: Decision, number: str) -> int:
    at = int(number) - 1
    if not 0 <= at < len(decision.keys):
        raise _refused(decision, f"There is no option {number}.")
    return at


def _by_name(decision: Decision, word: str) -> list[str]:
    """Return the keys that match a pattern such as `hiryu*`, in any case; an unknown key is returned as it is."""
    wanted = word.casefold()
    names = [key for key in decision.keys if fnmatchcase(key.casefold(), wanted)]
    if not names and "*" in word:
        raise _refused(decision, f"No option matches {word}.")
    return names or [word]


def _refused(decision: Decision, reason: str) -> IllegalChoice:
    return IllegalChoice(decision.rule, reason, decision.keys)


def describe_refusal(decision: Decision, error: IllegalChoice) -> str:
    """Explain why an answer is illegal to someone who sees the numbered options."""
    last = len(decision.keys)
    span = "number 1" if last == 1 else f"numbers 1 to {last}"
    return f"{error.reason} [{error.rule}] Legal: {span}; {decision.instruction()}."
