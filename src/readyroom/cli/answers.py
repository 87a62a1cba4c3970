"""What a player types, as the keys of options: numbers, keys, ranges, repeats, all, none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from readyroom.cli.question import everything, on_enter
from readyroom.engine.decisions import Decision, DecisionKind
from readyroom.engine.errors import IllegalChoice

_NUMBER = re.compile(r"^\d{1,6}$")
_RANGE = re.compile(r"^(\d{1,6})-(\d{1,6})$")
_REPEAT = re.compile(r"^(?P<what>.+?)[x×](?P<times>\d{1,6})$")
ALL, NONE = "all", "none"


def read(decision: Decision, line: str) -> list[str]:
    """The keys that a line means. They may still be refused by the decision itself.

    Raises:
        IllegalChoice: a word names no option.
    """
    texts = line.replace(",", " ").split()
    if not texts:
        enter = on_enter(decision)
        if enter is None:
            raise _refused(decision, f"{decision.instruction().capitalize()}. Type numbers or keys, then Enter.")
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
        raise _refused(decision, "Only one may be chosen here.")
    if decision.kind is DecisionKind.ALLOT:
        return [option.key for option in options for _ in range(option.limit)][: decision.at_least]
    return everything(decision)


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
    """Keys that fit a pattern such as `hiryu*`, or this key in other letters; an unknown key the decision refuses."""
    wanted = word.casefold()
    names = [key for key in decision.keys if fnmatchcase(key.casefold(), wanted)]
    if not names and "*" in word:
        raise _refused(decision, f"No option's key is like {word}.")
    return names or [word]


def _refused(decision: Decision, reason: str) -> IllegalChoice:
    return IllegalChoice(decision.rule, reason, decision.keys)


def describe_refusal(decision: Decision, refusal: IllegalChoice) -> str:
    """A refusal for someone who sees the numbered options."""
    last = len(decision.keys)
    span = "number 1" if last == 1 else f"numbers 1 to {last}"
    return f"{refusal.reason} [{refusal.rule}] Legal here: {span}, and you {decision.instruction()}."
