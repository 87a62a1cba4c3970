"""A designer's notebook: a study of changed rules, with notes, that is written and read as a study file.

Its cases are the published rules, the changed rules with the same players, and, where the game has policies, the
changed rules with the mixes of policies solved again.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from readyroom.bots import REGULAR, VETERAN, bot_names
from readyroom.engine.data import ready
from readyroom.engine.errors import InvalidData
from readyroom.engine.figures import Figure
from readyroom.engine.game import Game, Scenario, sides
from readyroom.study.changes import Change, changes_between
from readyroom.study.policies.known import SolvedMixes, has_policies, known_policies
from readyroom.study.studyfile import Study, checked, parse_study

PUBLISHED, CHANGED, SOLVED = "published rules", "changed rules", "changed rules, mixes re-solved"
"""The names of the cases."""
FILE = "study.toml"
SEED = "notebook"
MATCHES = 100
PAIR_MATCHES, FEWEST_OF_A_PAIR, MOST_OF_A_PAIR = 360, 4, 40
"""The matches of all pairs of policies together, and the fewest and most of a pair."""
MOST_FIGURES = 300
NOTES_LENGTH = 10_000
WIDTH = 200
"""The most characters of a line of notes in a file."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
"""A key of a TOML file that needs no quotes."""


class Notebook(msgspec.Struct, frozen=True, kw_only=True):
    """A notebook: what is changed of a game, and how it is measured.

    `solve` says that the mixes are solved again; `matches` is the number of matches of each case.
    """

    title: str
    game: str
    scenario: str
    notes: str = ""
    matches: int = MATCHES
    options: dict[str, str] = {}
    figures: dict[str, Figure] = {}
    solve: bool = True


def new_notebook(game: Game[Any, Any], scenario: Scenario, title: str) -> Notebook:
    """Return a notebook without changes."""
    return Notebook(title=title, game=game.key, scenario=scenario.key, solve=can_solve(game, scenario))


def can_solve(game: Game[Any, Any], scenario: Scenario) -> bool:
    """Return whether mixes can be solved in a scenario: there are policies, and more than one of a side."""
    options = game.resolve({})
    return has_policies(game, scenario, options) and any(
        len(policies) > 1 for policies in known_policies(game, scenario, options).values()
    )


def player_name(game: Game[Any, Any]) -> str:
    """Return the bots that play where mixes are not solved: the published mixes if there are any, else the default."""
    return VETERAN if VETERAN in bot_names(game) else REGULAR


def pair_matches(game: Game[Any, Any], notebook: Notebook) -> int:
    """Return the number of matches of each pair of policies."""
    pairs = 1
    for policies in known_policies(game, game.scenario(notebook.scenario), game.resolve(notebook.options)).values():
        pairs *= len(policies)
    return max(FEWEST_OF_A_PAIR, min(MOST_OF_A_PAIR, PAIR_MATCHES // pairs))


def check_notebook(game: Game[Any, Any], notebook: Notebook) -> Study:
    """Return the study of a notebook with everything checked.

    Raises:
        UnknownScenario, UnknownOption, UnknownFigure: what does not exist.
        InvalidData: figures that are not allowed or do not fit together, or too many.
    """
    if len(notebook.figures) > MOST_FIGURES:
        raise InvalidData(FILE, "figures", f"at most {MOST_FIGURES} changes", f"{len(notebook.figures):,}")
    return checked(parse_study(to_text(game, notebook).encode(), FILE), FILE)


def changes_of(game: Game[Any, Any], study: Study) -> list[Change]:
    """Return the changes of a notebook's study."""
    first, other, *_ = study.cases
    return changes_between(game, first.table, other.table)


# -- as a study file -------------------------------------------------------------------------------------------------


def to_text(game: Game[Any, Any], notebook: Notebook) -> str:
    """Return a notebook as a study file."""
    return "\n".join(_lines(game, notebook)) + "\n"


def _lines(game: Game[Any, Any], notebook: Notebook) -> Iterator[str]:
    yield f"title = {_quoted(notebook.title)}"
    yield f"game = {_quoted(notebook.game)}"
    yield f"scenario = {_quoted(notebook.scenario)}"
    yield f"matches = {notebook.matches}"
    solves = notebook.solve and can_solve(game, game.scenario(notebook.scenario))
    if solves:
        yield f"pair_matches = {pair_matches(game, notebook)}"
    yield f"seed = {_quoted(SEED)}"
    if notebook.notes:
        yield f"notes = {_block(notebook.notes)}"
    seats = game.rules.seats(game.scenario(notebook.scenario), game.resolve(notebook.options))
    yield from _table("bots", {side: player_name(game) for side in sides(seats)})
    yield from ("", "[[case]]", f"name = {_quoted(PUBLISHED)}")
    for name in (CHANGED, *([SOLVED] if solves else [])):
        yield from ("", "[[case]]", f"name = {_quoted(name)}")
        if name == SOLVED:
            yield 'mixes = "solved"'
        yield from _table("case.options", notebook.options)
        yield from _table("case.figures", notebook.figures)


def _table(name: str, values: Mapping[str, Figure]) -> Iterable[str]:
    """Return the lines of a table of single values; none if it is empty."""
    return ["", f"[{name}]", *(toml_line(key, value) for key, value in values.items())] if values else []


def toml_line(key: str, value: Figure) -> str:
    """Return the line of a study file that sets a key.

    >>> print(toml_line("combat/deck/points", 20))
    "combat/deck/points" = 20
    """
    text = str(value).lower() if isinstance(value, bool) else _quoted(value) if isinstance(value, str) else repr(value)
    return f"{key if _BARE.fullmatch(key) else _quoted(key)} = {text}"


def _quoted(text: str) -> str:
    """Return a text as a TOML string on one line."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _block(text: str) -> str:
    """Return a text as a TOML string of several lines; long ones are continued by a backslash."""
    lines = [_quoted(line)[1:-1] for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return '"""\n' + "\n".join(map(_folded, lines)) + '"""'


def _folded(line: str) -> str:
    """Return a line of a TOML string, folded where a word begins if it is long."""
    folded = []
    while len(line) > WIDTH:
        at = next((at for at in range(WIDTH, 0, -1) if line[at - 1] == " " and line[at] != " "), 0)
        unescaped = (at for at in range(WIDTH, 0, -1) if line[at] != " " and "\\" not in line[max(0, at - 6) : at])
        at = at or next(unescaped, 0)
        if not at:
            break
        folded.append(line[:at])
        line = line[at:]
    return "\\\n".join([*folded, line])


def from_text(text: str) -> Notebook:
    """Return the notebook of a study file that `to_text` has written; raise `InvalidData` for other files."""
    study = parse_study(text.encode(), FILE)
    names = [case.name for case in study.case]
    if names[:2] != [PUBLISHED, CHANGED] or names[2:] not in ([], [SOLVED]) or not isinstance(study.scenario, str):
        raise InvalidData(FILE, "case", f"the cases {PUBLISHED!r} and {CHANGED!r}", ", ".join(names) or "none")
    changed = study.case[1]
    return Notebook(
        title=study.title,
        game=study.game,
        scenario=study.scenario,
        notes=study.notes,
        matches=study.matches,
        options={key: str(choice) for key, choice in changed.options.items()},
        figures=dict(changed.figures),
        solve=len(names) == len((PUBLISHED, CHANGED, SOLVED)),
    )


# -- results ---------------------------------------------------------------------------------------------------------


class Effect(msgspec.Struct, frozen=True):
    """A case against the published rules, as texts: its value, the difference with its interval, and the p-value.

    `reading` is "differs", "same", "chance" (the interval excludes zero, but p is not small) or "open"; `more` says how
    many more matches would narrow the interval to what.
    """

    value: str
    change: str
    interval: str
    p: str
    reading: str
    more: str


class EffectRow(msgspec.Struct, frozen=True):
    """A measure: its title, its value under the published rules, and the effect in each other case.

    An effect is None if the measure is not counted there.
    """

    title: str
    published: str
    effects: list[Effect | None]


class NotebookReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a notebook's study: its study file, tables, sentences, and the full report as a page."""

    text: str
    cases: list[str]
    matches: int
    rows: list[EffectRow]
    sentences: list[str]
    changes: list[Change]
    mixes: list[SolvedMixes]
    page: str


def pack_report(report: NotebookReport) -> bytes:
    """Return a report as few bytes."""
    return zlib.compress(msgspec.json.encode(report), 9)


def unpack_report(data: bytes) -> NotebookReport:
    """Return a report that `pack_report` has written."""
    return msgspec.json.decode(zlib.decompress(data), type=ready(NotebookReport))
