"""Decisions, log lines and phases as plain data: the same for the pages and for programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, sqrt
from typing import Any, TypeAlias

from readyroom.engine.game import Game, Scenario, Seat
from readyroom.engine.match import Match
from readyroom.engine.rules.checks import RolledDice, percent
from readyroom.engine.rules.decisions import CONTINUE, MANY, Decision, DecisionKind, Option
from readyroom.engine.rules.state import At
from readyroom.engine.rules.table import LogLine
from readyroom.engine.text import capitalize_first, count_noun, describe_times, join_items, join_list

Data: TypeAlias = dict[str, Any]
"""Plain, JSON-able data."""

FEW = 8
"""Up to this many options are one plain list; more are grouped."""
SHOWN_WHOLE = 5
"""A list of at most this many options is shown whole, without scrolling."""
LONG = 25
"""A list of more options has a field to find them."""
NAMED = 3
"""A button names at most this many options."""
SHORT = 24
"""The most characters of names that fit on the confirm button."""
PLACE = re.compile(r"(?:[,:]| \(| against | for | from | on | to | with ).*")
"""Where something goes or comes from, at the end of its name."""
MOST_PARTS = 6
"""A summary of an answer has at most this many parts."""
NORMAL = 1.96
"""Standard errors to each side of the mean of a 95 % interval."""
ARROW = " → "
"""What is between a piece and its place in the text of an option."""
FINGERPRINT = re.compile(r"\b([0-9a-f]{8})([0-9a-f]{24})\b")
"""A fingerprint in a line of the log: the digits that are shown, and the others."""
_LOWEST = re.compile(r"the (?P<count>\d+) lowest of ")
_CHECK = re.compile(
    r"(?:the (?P<lowest>\d+) lowest of )?\d+d\d+(?: \([^)]*\))?(?P<modifiers>(?: [+−] \d+ [^+−≥≤,]*)*)"
    r",? ?(?P<goal>[≥≤] -?\d+|[^:=≥≤]+): (?P<total>-?\d+), (?P<ended>passed|failed)"
)
_ROLLED = re.compile(
    r"(?P<lowest>the \d+ lowest of )?(?P<dice>\d+)d\d+(?P<why> \([^)]*\))?"
    r"(?:(?P<added>.*) = −?-?\d+(?:, column [^,]+)?|(?P<modifiers>(?: [+−] \d+ [^+−≥≤=,]*)*?))"
    r"(?:,? (?P<goal>[≥≤a-z0-9][^=]*))?"
)
"""The arithmetic of a roll, without its result."""
_DETAIL = re.compile(r"(?:, [^+−]*?| \([^)]*\))(?= [+−] |$)")
"""What the name of a modifier explains after a comma or in brackets."""
_SHOT = re.compile(
    r"\d+d\d+(?P<modifiers>.*) = (?P<total>-?\d+)(?:, column [^,]+)?, (?P<goal>[^:]* on [^:]*): (?P<cell>.+)"
)
_ROW = re.compile(r"(?:no row|row \d+(?:, row \d+)*)(?:, )?")
"""The rows of a table in which a roll is looked up, before what they can give."""
_BAND = re.compile(r"(?P<name>.+) on (?P<low>\d+)(?:–(?P<high>\d+))?(?P<end> or more| or less)?")
"""What comes of some sums of a roll: "near miss on 7–8"."""
_AGAIN = re.compile(r"(?:, (?P<best>\d+) hits? on \d+)?, (?P<face>\d+) rolled again(?: for (?P<hits>\d+) hits?)?")
_MISSES = ("miss", "no effect", "0")
_NUMBERED = re.compile(r"(?P<title>(?:[^\d(]*\s)?(?!(?:at|from|in|of|on|over|the|to|with)\s)[^\d(\s]*\S)\s+\d.*")
"""An option's name with its number; a place such as "to 2NW" is not a numbered name."""


# -- a decision ------------------------------------------------------------------------------------------------------


def pending(match: Match[Any, Any], seat: str | None) -> Data | None:
    """Return the pending decision of a seat, with its revision as the seat counts it; None if there is none."""
    asked = match.pending.get(seat) if seat is not None else None
    return decision(asked, match.revision_for(seat, asked.revision)) if asked is not None else None


def decision(asked: Decision, revision: int | None = None) -> Data:
    """Return a decision with all its options and its unavailable ones; `revision` is as its seat counts it.

    `budget` is None where nothing has a cost, and `unit` what it counts, in the singular. An option's `purse` is the
    name of the budget group that pays for it, or None if there is one budget for all.
    """
    names = {group.key: group.name for group in asked.budget_groups}
    return {
        "kind": asked.kind.value,
        "seat": asked.seat,
        "rule": asked.rule,
        "question": asked.question,
        "wanted": asked.instruction(),
        "at_least": asked.at_least,
        "at_most": asked.at_most,
        "budget": asked.budget if asked.cost is not None else None,
        "unit": asked.unit,
        "options": [_option(option, names.get(option.budget_group)) for option in asked.options],
        "refused": [
            {"key": unavailable.key, "text": unavailable.text, "rule": unavailable.rule, "reason": unavailable.reason}
            for unavailable in asked.unavailable
        ],
        "about": asked.piece_key,
        "usual": asked.select_all_default,
        "revision": asked.revision if revision is None else revision,
    }


def _option(option: Option, group: str | None) -> Data:
    hint = option.info
    return {
        "key": option.key,
        "text": option.text,
        "note": hint.note if hint else None,
        "chance": hint.chance if hint else None,
        "cost": option.cost,
        "limit": option.limit,
        "purse": group,
        "cell": list(option.cell) if option.cell else None,
        "assigns": list(option.assigns) if option.assigns else None,
    }


def everything(data: Data) -> list[str]:
    """Return all options, or as many from the top as the limits and the budget allow, one for each piece."""
    left: Counter[str | None] = Counter()
    assigned = set[str]()
    chosen: list[str] = []
    for option in [known for known in data["options"] for _ in range(known["limit"])]:
        spent = left[option["purse"]] + option["cost"]
        if len(chosen) == data["at_most"] or (data["budget"] is not None and spent > data["budget"]):
            continue
        if option["assigns"]:
            if option["assigns"][0] in assigned:
                continue
            assigned.add(option["assigns"][0])
        left[option["purse"]] = spent
        chosen.append(option["key"])
    return chosen


def common_note(data: Data) -> str | None:
    """Return the info that all options share, probability included, so that it is shown once."""
    notes = {(option["note"], option["chance"]) for option in data["options"]}
    if len(notes) != 1:
        return None
    note, chance = notes.pop()
    return None if note is None else note if chance is None else f"{note}: {percent(chance)}"


def counts(data: Data) -> bool:
    """Return whether options are repeated, and not only selected or not."""
    return data["kind"] == DecisionKind.ALLOCATE.value or any(option["limit"] > 1 for option in data["options"])


def is_assignment(data: Data) -> bool:
    """Return whether pieces are assigned to places, and some piece has several to choose from."""
    pieces = [option["assigns"][0] for option in data["options"] if option["assigns"]]
    return len(set(pieces)) < len(pieces)


def is_one_or_none(data: Data) -> bool:
    """Return whether one option is chosen or none, of a plain list."""
    is_optional = data["kind"] == DecisionKind.SOME.value and not data["at_least"] and data["at_most"] == 1
    return is_optional and data["budget"] is None and not (is_assignment(data) or counts(data) or sheet(data))


def sheet(data: Data) -> Data | None:
    """Return the options as a sheet of rows and columns; None where they are a list.

    `purse` is the title of the budget of a column, of a row, or of neither, and `note` the info that all options of a
    column share.
    """
    if not all(option["cell"] for option in data["options"]):
        return None
    at = {tuple(option["cell"]): option for option in data["options"]}
    rows, columns = (list(dict.fromkeys(cell[side] for cell in at)) for side in (0, 1))
    return {
        "columns": [
            {"title": column, "purse": _payer(at, 1, column), "note": _shared_note(at, column)} for column in columns
        ],
        "rows": [
            {"title": row, "purse": _payer(at, 0, row), "options": [at.get((row, column)) for column in columns]}
            for row in rows
        ],
    }


def _shared_note(at: Mapping[tuple[str, str], Data], column: str) -> str | None:
    """Return the info that the options of a column share, if there are several."""
    options = [option for cell, option in at.items() if cell[1] == column]
    return common_note({"options": options}) if len(options) > 1 and options[0].get("note") else None


def _payer(at: Mapping[tuple[str, str], Data], side: int, title: str) -> str | None:
    """Return the budget group of a row or column if it pays for this one only."""
    here = {option["purse"] for cell, option in at.items() if cell[side] == title}
    others = {option["purse"] for cell, option in at.items() if cell[side] != title}
    group = here.pop() if len(here) == 1 else None
    return group if group not in others else None


def groups(data: Data) -> list[Data]:
    """Return the options in titled groups in list order: by budget group, or many of them by their leading words.

    A group has `rows`, again with titles where a budget holds many. An option's `lead` is the part of its text that
    the titles say already, and `short` the rest; a list that is short enough is one row without titles.
    """
    options = [{**option, "lead": "", "short": option["text"]} for option in data["options"]]
    if any(option["purse"] for option in options):
        by_group = _gathered([_under(option["purse"] or "", option) for option in options])
        return [{"title": title, "rows": _rows(held)} for title, held in by_group.items()]
    if data["kind"] == DecisionKind.ONE.value:
        return [{"title": "", "rows": [{"title": "", "options": options}]}]
    return [{"title": row["title"], "rows": [{**row, "title": ""}]} for row in _rows(options)]


def _rows(options: list[Data]) -> list[Data]:
    """Group options by their leading words, or without the last of these if that leaves few titles."""
    if len(options) > FEW:
        for fewer in (0, 1):
            rows = _gathered([_under(_title(option["short"], fewer), option) for option in options])
            if 2 * len(rows) <= len(options) and "" not in rows:
                return [{"title": title, "options": held} for title, held in rows.items()]
    return [{"title": "", "options": options}]


def _title(text: str, fewer: int) -> str:
    texts = _leading_words(text, "").split(" ")
    return " ".join(texts[: len(texts) - fewer])


def _under(title: str, option: Data) -> tuple[str, Data]:
    """Return an option under a title, with the title removed from its text."""
    short: str = option["short"]
    if not title or not short.startswith(f"{title} "):
        return title, option
    return title, {**option, "lead": f"{option['lead']}{title} ", "short": short.removeprefix(f"{title} ")}


def _gathered(named: Iterable[tuple[str, Data]]) -> dict[str, list[Data]]:
    result: dict[str, list[Data]] = {}
    for title, option in named:
        result.setdefault(title, []).append(option)
    return result


def only_continues(data: Data) -> bool:
    """Return whether there is nothing to decide: the question only hides from others that there is none."""
    return [option.get("text") for option in data["options"]] == [CONTINUE.text]


def wanted(data: Data) -> str:
    """Return an instruction: how many options, at what cost, and what they have in common."""
    if only_continues(data):
        return "There is nothing to decide."
    if data["kind"] == DecisionKind.ONE.value:
        return "Choose one."
    if data["kind"] == DecisionKind.ALLOCATE.value:
        return f"Allocate all {data['at_least']}."
    least, most = data["at_least"], data["at_most"]
    if is_assignment(data):
        price = (
            f", within {count_noun(data['budget'], data['unit'])}{_payers(data)}" if data["budget"] is not None else ""
        )
        return f"Choose at most one for each{price}."
    count = f"{least}" if least == most else f"up to {most}" if not least else f"{least} to {most}"
    if data["budget"] is None:
        return "Choose one or none." if is_one_or_none(data) else f"Choose {count}."
    if not least and most == sum(option["limit"] for option in data["options"]):
        count = "any"
    prices = {option["cost"] for option in data["options"]}
    if data["budget"] == 1 and prices == {1} and count == "any":
        return f"Choose at most one{_payers(data)}."
    budget, payers = count_noun(data["budget"], data["unit"]), _payers(data)
    price = count_noun(prices.pop(), data["unit"]) if len(prices) == 1 else ""
    if price and payers:
        return f"Choose {count}. Each takes {price}, up to {budget}{payers}."
    return f"Choose {count}{f', {price} each' if price else ''}, within {budget}{payers}."


def _payers(data: Data) -> str:
    """Return who has a budget of their own: " for each of Enterprise, Hornet and Yorktown"."""
    names = list(dict.fromkeys(option["purse"] for option in data["options"] if option["purse"]))
    if not names:
        return ""
    if len(names) > MANY:
        return f" for each of {names[0]} to {names[-1]}"
    return f" for {'each of ' * (len(names) > 1)}{join_list(names)}"


def tally(data: Data, keys: Sequence[str]) -> str:
    """Summarize the selection: "3 selected, 15 of 20 points"."""
    if data["kind"] == DecisionKind.ONE.value:
        return ""
    if data["kind"] == DecisionKind.ALLOCATE.value:
        return f"{len(keys)} of {data['at_least']} allocated"
    costs = {option["key"]: option["cost"] for option in data["options"]}
    selected = f"{len(keys)} selected"
    if data["budget"] is None or any(option["purse"] for option in data["options"]):
        return selected
    return f"{selected}, {sum(costs.get(key, 0) for key in keys)} of {data['budget']} {data['unit']}s"


def confirm(data: Data, keys: Sequence[str]) -> str:
    """Return the label of the confirm button: "Confirm: Akagi", "Confirm: none".

    A long name has no places: "Confirm: 9 escort factors", or is counted: "Confirm: 9 selected".
    """
    if only_continues(data):
        return CONTINUE.text
    brief = [option | {"text": PLACE.sub("", option["text"])} for option in data["options"]]
    names = [named(data, keys), named(data | {"options": brief}, keys), f"{len(keys)} selected"]
    return f"Confirm: {next(name for name in names if len(name) <= SHORT)}"


def named(data: Data, keys: Sequence[str], most: int = NAMED) -> str:
    """Return the selected options as text: "Akagi", "Hornet DB 1 (5), Hornet DB 2 (5)", "4 × Hornet DB", "none".

    More than `most` different ones are counted instead: "6 selected".
    """
    texts = {option["key"]: option["text"] for option in data["options"]}
    lines = _counted([texts.get(key, key) for key in keys])
    if len(lines) >= NAMED and sheet(data) is None:
        lines = _counted([_leading_words(texts.get(key, key), texts.get(key, key)) for key in keys])
    return f"{len(keys)} selected" if len(lines) > most else join_items(lines) or "none"


def _counted(texts: Sequence[str]) -> list[str]:
    return [describe_times(count, text) for text, count in Counter(texts).items()]


def summarize(data: Data, keys: Sequence[str]) -> str:
    """Return the selected options in few words, with counts of what has the same name but for its number.

    Pieces that are assigned to places are counted for each: "all 4 Hiryu TB → Hiryu", "4 TB to each of Hiryu and Kaga".
    """
    texts = {option["key"]: option["text"] for option in data["options"]}
    every = Counter(_split_order(text) for text in texts.values())
    found = Counter(_split_order(texts.get(key, key)) for key in keys)
    if len(found) > NAMED and (each := _to_each(found)):
        return each
    parts = [
        f"{_all(count, every[name, place])}{name}{ARROW}{place}" if place else describe_times(count, name)
        for (name, place), count in found.items()
    ]
    if len(parts) <= MOST_PARTS:
        return join_items(parts) or "none"
    places = list(dict.fromkeys(place for _, place in found))
    if not any(places):
        return f"{join_items(parts[:NAMED])} and {len(parts) - NAMED} more"
    return ", ".join(f"{sum(n for (_, to), n in found.items() if to == place)}{ARROW}{place}" for place in places)


def _split_order(text: str) -> tuple[str, str]:
    """Return the words before the number of an option's piece, and the place that it is assigned to, if any."""
    piece, _, place = text.partition(ARROW)
    return _leading_words(piece, piece), place


def _all(count: int, every: int) -> str:
    return f"all {count} " if count == every > 1 else f"{count} " if count > 1 else ""


def _to_each(found: Mapping[tuple[str, str], int]) -> str:
    """Return the text if each place gets as many of the same kind; the place may be part of their name."""
    kinds = {(count, name.removeprefix(f"{place} ")) for (name, place), count in found.items()}
    places = [place for _, place in found]
    if len(kinds) != 1 or not all(places) or len(set(places)) != len(places):
        return ""
    ((count, kind),) = kinds
    return f"{count} {kind} to each of {join_list(places)}"


def _leading_words(text: str, otherwise: str) -> str:
    """Return the words before an option's number."""
    match = _NUMBERED.fullmatch(text)
    return match["title"] if match and not match["title"].endswith(",") else otherwise


# -- the log ---------------------------------------------------------------------------------------------------------


def line(line: LogLine, game: Game[Any, Any] | None = None, seats: Iterable[Seat] = ()) -> Data:
    """Return a log line; the game adds its phase's title and those of tables, the seats add the side of each roll."""
    name = next((phase.title for phase in game.rules.phases if phase.name == line.phase), None) if game else None
    title = name or line.phase
    names = side_names(seats)
    return {
        "turn": line.turn,
        "phase": line.phase,
        "title": title,
        "rule": line.rule,
        "text": line.text,
        "rolls": [
            {**roll(rolled), "name": _roll_name(rolled.name, game), "side": _thrower(rolled.name, title, names)}
            for rolled in line.rolls
        ],
    }


def _roll_name(name: str, game: Game[Any, Any] | None) -> str:
    """Return a roll's name; a table that has only a number has its title."""
    number = name.removeprefix("table ")
    return name if game is None or number == name else game.chart_titles.get(number, name)


def roll(rolled: RolledDice) -> Data:
    """Return a roll by rounds and dice; a `hit` is a die that counts: of "the 2 lowest" only these two."""
    few = _LOWEST.match(rolled.result)
    is_miss = not rolled.thresholds and rolled.result.rpartition(": ")[2] in _MISSES and ": " in rolled.result
    return {
        "name": rolled.name,
        "sides": rolled.sides,
        "rounds": [
            [
                {
                    "face": face,
                    "hit": not is_miss and face >= needed and (few is None or at in _lowest(faces, int(few["count"]))),
                }
                for at, face in enumerate(faces)
            ]
            for faces, needed in zip(rolled.faces, rolled.needed, strict=True)
        ],
        "result": rolled.result,
    }


def tally_dice(dice: Iterable[Data]) -> list[tuple[int, bool, int]]:
    """Return how often each face was rolled, and whether it counts, the highest face first.

    >>> tally_dice([{"face": 1, "hit": False}, {"face": 6, "hit": True}, {"face": 1, "hit": False}])
    [(6, True, 1), (1, False, 2)]
    """
    counted = Counter((die["face"], die["hit"]) for die in dice)
    return [(face, hit, count) for (face, hit), count in sorted(counted.items(), reverse=True)]


def _lowest(faces: Sequence[int], count: int) -> list[int]:
    """Return the places of the lowest faces, the first of equals."""
    return sorted(range(len(faces)), key=faces.__getitem__)[:count]


def is_settled(rolled: RolledDice) -> bool:
    """Return whether a roll leaves nothing to chance: it has no dice, or no die can change its result.

    >>> is_settled(RolledDice("flak", ((),), 6, "0d6, hit on 6: 0 hits", (6,)))
    True
    >>> [is_settled(RolledDice("repairs", ((3,),), 6, f"1d6 ≥ {least}: 3, failed")) for least in (6, 7)]
    [False, True]
    """
    faces = rolled.faces[0] if rolled.faces else ()
    if not faces or min(rolled.thresholds, default=0) > rolled.sides:
        return True
    check = _CHECK.fullmatch(rolled.result)
    if check is None or check["goal"][0] not in "≥≤":
        return False
    count, sign = int(check["lowest"] or len(faces)), 1 if check["goal"][0] == "≥" else -1
    shift = int(check["total"]) - sum(sorted(faces)[:count]) - int(check["goal"][2:])
    ends = [sign * (shift + count), sign * (shift + count * rolled.sides)]
    return min(ends) >= 0 or max(ends) < 0


def outcome(roll: Data, text: str) -> str:
    """Return the result of a roll in few words; the line's text says what a bare number counts.

    Of a check or a shot it has the sum: "2+5 +1 = 8 (needs 7), passed". Of others, the dice show how they come about.
    """
    result: str = roll["result"]
    check = _CHECK.fullmatch(result)
    if check:
        return _checked(check, [die["face"] for die in roll["rounds"][0]])
    shot = _SHOT.fullmatch(result)
    if shot:
        arithmetic = _add_up([die["face"] for die in roll["rounds"][0]], shot["modifiers"], shot["total"])
        least = re.search(r"\bhit on (\d+) or more$", shot["goal"])
        return f"{arithmetic}{f' (needs {least[1]})' if least else ''}, {shot['cell']}"
    before, _, short = result.rpartition(": ")
    short = short.rpartition(" = ")[2] if before else short.rpartition(" = ")[2].partition(", ")[0]
    unit = re.search(rf"(?<![\d/]){short} hits?\b", text) if short.isdigit() else None
    return (unit[0] if unit else short) + _by_round(roll, short)


def _by_round(roll: Data, total: str) -> str:
    """Return the hits of each round of a volley whose dice are rolled again: " (4 + 2 + 1)"; empty for others."""
    again = _AGAIN.search(roll["result"])
    first, *further = [sum(die["hit"] for die in dice) for dice in roll["rounds"]]
    while further and not further[-1]:
        further.pop()
    if not again or not further or not total.partition(" ")[0].isdigit():
        return ""
    each = int(again["hits"] or again["best"] or 1)
    scored = [each * count for count in further]
    return f" ({' + '.join(map(str, [int(total.partition(' ')[0]) - sum(scored), *scored]))})" if first else ""


def need(rolled: RolledDice) -> str:
    """Return what a roll needs, and with what dice and modifiers, as far as its arithmetic says so.

    >>> need(RolledDice("search", ((3, 4),), 6, "2d6 + 1 navigation − 1 haze ≥ 7: 7, passed"))
    'needs 7 or more with 2 dice + 1 navigation − 1 haze'
    >>> need(RolledDice("torpedoes", ((6, 4), (3,)), 6, "2d6, 2 hits on 6, 6 rolled again for 1 hit: 2", (6, 6)))
    '2 dice score 2 hits on 6; each 6 rolls again for 1 hit more'
    >>> need(RolledDice("dive", ((3, 4),), 6, "2d6 = 7, column damaged, miss on 7 or less, hit on 8 or more: miss"))
    '2 dice: miss on 7 or less, hit on 8 or more'
    """
    arithmetic = _ROLLED.fullmatch(rolled.result.rpartition(": ")[0] or rolled.result)
    if arithmetic is None:
        return ""
    goal = arithmetic["goal"] or ""
    goal = "" if goal.isdigit() else _ROW.sub("", goal, count=1)
    goal = _goal(goal) if _CHECK.fullmatch(rolled.result) else re.sub(r"(\d)\+", r"\1 or more", goal)
    added = arithmetic["added"] or arithmetic["modifiers"] or ""
    modifiers = _DETAIL.sub(lambda detail: " …" if " or " in detail[0] else "", added)
    count = count_noun(int(arithmetic["dice"]), "die", "dice")
    dice = f"{arithmetic['lowest'] or ''}{count}{arithmetic['why'] or ''}{modifiers}"
    if goal and rolled.thresholds:
        goal = _AGAIN.sub(_rolls_again, goal)
        ending = "s" if arithmetic["dice"] == "1" else ""
        return (
            f"{dice} {goal.replace('hit', f'hit{ending}', 1) if goal.startswith('hit ') else f'score{ending} {goal}'}"
        )
    if "," in goal or ";" in goal:
        return f"{dice}: {goal}"
    return f"{goal} with {dice}" if goal else dice if modifiers else ""


def _rolls_again(found: re.Match[str]) -> str:
    more = f" for {found['hits']} hit{'s' if found['hits'] != '1' else ''} more" if found["hits"] else ""
    best = f", {found['best']} hits on {found['face']}" if found["best"] else ""
    return f"{best}; each {found['face']} rolls again{more}"


def ask(name: str, need: str) -> str:
    """Return what a caption says of a roll before its dice land.

    >>> ask("Does it land safely?", "needs 5 or more with 2 dice"), ask("Approach", "needs 7 or more with 2 dice")
    ('Does it land safely? Needs 5 or more with 2 dice.', 'Approach: needs 7 or more with 2 dice.')
    """
    if not need:
        return name if name.endswith("?") else f"{name}." if "? " in name else f"{name}: rolling the dice."
    return f"{name} {capitalize_first(need)}." if name.endswith("?") else f"{name}: {need}."


def _goal(goal: str) -> str:
    signs = {"≥ ": "needs {} or more", "≤ ": "needs {} or less"}
    return goal if " on " in goal else signs.get(goal[:2], "needs " + goal).format(goal[2:])


def _checked(check: re.Match[str], faces: Sequence[int]) -> str:
    """Return the arithmetic of a check: "2+5 +1 = 8 (needs 7), passed", "2 (needs 6), failed"."""
    goal, count, ended = check["goal"], check["lowest"], check["ended"]
    if goal.startswith(("one ", "all ")) or goal in ("even", "odd"):
        return f"{ended} (needs {goal})"
    total, bands = int(check["total"]), map(_BAND.fullmatch, goal.split(", "))
    if named := next((band["name"] for band in bands if band and _is_within(total, band)), ""):
        return f"{_add_up(faces, check['modifiers'], check['total'])}, {named}"
    if count:
        faces = sorted(faces)[: int(count)]
    signs = {"≥ ": "needs {}", "≤ ": "needs {} or less"}
    needs = signs[goal[:2]].format(goal[2:]) if goal[:2] in signs else goal.partition(",")[0]
    return f"{_add_up(faces, check['modifiers'], check['total'])} ({needs}), {ended}"


def _is_within(total: int, band: re.Match[str]) -> bool:
    """Return whether a band of results has a total."""
    low, end = int(band["low"]), band["end"]
    return total >= low if end == " or more" else total <= low if end else low <= total <= int(band["high"] or low)


def _add_up(faces: Sequence[int], modifiers: str, total: str) -> str:
    """Return a sum: "2+5 +1 = 8"; of one die without modifiers "2"."""
    added = [f"{sign}{value}" for sign, value in re.findall(r"([+−]) (\d+) ", modifiers)]
    parts, total = " ".join(["+".join(map(str, faces)), *added]), total.replace("-", "−")
    return parts if parts == total else f"{parts} = {total}"


def side_names(seats: Iterable[Seat]) -> dict[str, str]:
    """Map the names of seats and sides to sides."""
    return {name: seat.side for seat in seats for name in (seat.name, seat.side.title())}


def _thrower(name: str, phase: str, names: Mapping[str, str]) -> str | None:
    """Return the side that rolls: the one the roll names, or the phase's if it names none."""
    text = name if not name.islower() else phase
    return next((side for known, side in names.items() if text.startswith(known)), None)


def luck(lines: Iterable[LogLine]) -> list[Data]:
    """Count the faces of each kind of die, with their mean, and from where to where it is in 95 % of matches.

    >>> [one] = luck([LogLine(1, "p", "1", "{}", [RolledDice("n", ((6, 4), (2,)), 6, "")])])
    >>> one["count"], one["mean"], round(one["low"], 2), round(one["high"], 2)
    (3, 4.0, 1.57, 5.43)
    """
    seen: dict[int, Counter[int]] = {}
    for rolled in (rolled for line in lines for rolled in line.rolls):
        seen.setdefault(rolled.sides, Counter()).update(face for faces in rolled.faces for face in faces)
    return [
        {
            "sides": sides,
            "count": faces.total(),
            "faces": [faces[face] for face in range(1, sides + 1)],
            "mean": sum(face * times for face, times in faces.items()) / faces.total(),
            "low": (sides + 1) / 2 - (error := NORMAL * sqrt((sides**2 - 1) / 12 / faces.total())),
            "high": (sides + 1) / 2 + error,
        }
        for sides, faces in sorted(seen.items())
        if faces
    ]


# -- the sequence of play --------------------------------------------------------------------------------------------


def phases(game: Game[Any, Any], scenario: Scenario, at: At) -> list[Data]:
    """Return the phases of a turn in order; `now` marks the current one.

    A group of phases is listed as one, unless one of its phases is the current one.
    """
    known = game.phases_of(scenario)
    opened = next((phase.group for phase in known if phase.name == at.phase), None)
    names = [phase.group.name if phase.group and phase.group != opened else phase.name for phase in known]
    shown = map(game.phase, dict.fromkeys(names))
    return [{"name": each.name, "title": each.title, "rule": each.rule, "now": each.name == at.phase} for each in shown]


def phases_around(game: Game[Any, Any], scenario: Scenario, at: At, before: int = 1, after: int = 3) -> list[Data]:
    """Return the current phase and those around it, the same number at the ends of a turn."""
    known = phases(game, scenario, at)
    now = next((number for number, phase in enumerate(known) if phase["now"]), 0)
    first = max(0, min(now - before, len(known) - 1 - before - after))
    return known[first : first + 1 + before + after]


def clock_text(seconds: float) -> str:
    """Return seconds as hours, minutes and seconds, as `clock.js` does; zero if they are over."""
    left = max(0, ceil(seconds))
    hours, minutes = left // 3600, left // 60 % 60
    return f"{hours}:{minutes:02}:{left % 60:02}" if hours else f"{minutes}:{left % 60:02}"
