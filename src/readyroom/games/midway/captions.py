"""Lines of the log in words for those who watch: "Hornet's torpedo squadron 3" for "Hornet TB 3 (5)"."""

from __future__ import annotations

import re

from readyroom.engine.text import agree, capitalize_first, count_noun, count_or_no, join_list

KINDS = {
    "TB": ("torpedo bombers", "torpedo squadron"),
    "DB": ("dive bombers", "dive-bomber squadron"),
    "F": ("fighters", "fighter squadron"),
}
SHIP = r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)*"
CODE = "F|TB|DB"
UNITS = rf"(?:\d+ (?:{CODE})|(?:{CODE}) \d+)\b(?: \([\d, ]+\))?"
LIST = re.compile(rf"(\bCAP \(|escorts \(|\()?({SHIP} {UNITS}(?:, (?:{SHIP} )?{UNITS})*)")
UNIT = re.compile(rf"(?:({SHIP}) )?(?:(\d+) ({CODE})|({CODE}) (\d+))\b")
LOSS = rf"({SHIP} {UNITS}(?:, (?:{SHIP} )?{UNITS})*) takes? (\d+) hits?(?: and (?:is|are) (destroyed)| \(\d+ left\))"
LOSSES = re.compile(rf"{LOSS}(?:, {LOSS}){{2,}}\.")
"""Losses of too many squadrons to name each."""
GUARD = {
    r"(\w+) CAP hits:": r"Hits by \1 fighters on guard:",
    r"(\w+) CAP \((.*?)\) (engage|score)s": r"\1 fighters on guard (\2) \3",
    r"\bon the CAP\b": "on the fighters on guard",
    r"\bnone fly CAP\b": "none are on guard",
    r"\b(fly|flies) CAP\b": r"\1 guard over the fleet",
    r"\bleave(s?) the CAP\b": r"leave\1 the guard over the fleet",
}
"""What is said of the combat air patrol, by the pattern of what the log says."""


def caption(text: str) -> str:
    """Return a line of the log in words.

    >>> caption("Hornet 1 TB, 1 DB, Yorktown 1 DB attack Hiryu.")
    'Torpedo bombers and dive bombers of Hornet and Yorktown (3 squadrons) attack Hiryu.'
    >>> caption("Hornet TB 3 takes 2 hits (3 left), Hornet TB 4 takes 1 hit (4 left).")
    "Hornet's torpedo squadron 3 takes 2 hits (3 left), Hornet's torpedo squadron 4 takes 1 hit (4 left)."
    >>> caption("Japanese CAP (Hiryu 4 F) engages American escorts (Hornet 1 F): 2 hits on the CAP.")
    'Japanese fighters on guard (Hiryu) engage American escorts (Hornet): 2 hits on the fighters on guard.'
    """
    if LOSSES.fullmatch(text):
        return _sum_up(text)
    words = LIST.sub(_describe, text)
    for pattern, replacement in GUARD.items():
        words = re.sub(pattern, replacement, words)
    return words if words == text else capitalize_first(words)


def _sum_up(text: str) -> str:
    """Return the losses of several squadrons as one.

    >>> destroyed = "Hornet TB 1 takes 2 hits (3 left), Hornet 3 DB take 15 hits and are destroyed"
    >>> _sum_up(f"{destroyed}, Kaga F 4 takes 1 hit (4 left).")
    'Torpedo bombers, dive bombers and fighters of Hornet and Kaga take 18 hits: 3 squadrons of 5 are destroyed.'
    """
    losses = re.findall(LOSS, text)
    named = LIST.sub(_describe, ", ".join(units for units, *_ in losses)).partition(" (")[0]
    counts = [sum(int(unit[2] or 1) for unit in UNIT.finditer(units)) for units, *_ in losses]
    lost = sum(count for count, (*_, is_lost) in zip(counts, losses, strict=True) if is_lost)
    fate = f"{count_or_no(lost, 'squadron')} of {sum(counts)} {agree(lost, 'is', 'are')} destroyed"
    return f"{capitalize_first(named)} take {sum(int(hits) for _, hits, _ in losses)} hits: {fate}."


def _describe(match: re.Match[str]) -> str:
    """Return squadrons by kind and ship; after "CAP" or "escorts" their ships only."""
    before, text = match[1] or "", match[2]
    ship, ships, squadrons = "", list[str](), dict[str, int]()
    units = list(UNIT.finditer(text))
    for unit in units:
        ship = unit[1] or ship
        if ship not in ships:
            ships.append(ship)
        squadrons[unit[3] or unit[4]] = squadrons.get(unit[3] or unit[4], 0) + int(unit[2] or 1)
    if before not in ("", "("):
        return before + join_list(ships)
    if len(units) == 1 and units[0][5]:
        return f"{before}{ship}'s {KINDS[units[0][4]][1]} {units[0][5]}"
    kinds = join_list([many for code, (many, _) in KINDS.items() if code in squadrons])
    number = "" if before else f" ({count_noun(sum(squadrons.values()), 'squadron')})"
    return f"{before}{kinds} of {join_list(ships)}{number}"
