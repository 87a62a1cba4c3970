"""[ST] The staff's table as a part of the game: one seat, which throws what it has reckoned as often as it likes."""

from __future__ import annotations

from random import Random
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from readyroom.engine.checks import signed
from readyroom.engine.decisions import Decision, Option
from readyroom.engine.errors import InvalidData, ReadyRoomError
from readyroom.engine.forms import CLOSE, THROW, OddsQuery, OddsResult, fill_in
from readyroom.engine.game import Bot, Phase, Seat, View, ViewFn
from readyroom.engine.state import At, Outcome
from readyroom.engine.table import Steps
from readyroom.engine.text import count_noun
from readyroom.games.strategic.figures import Data
from readyroom.games.strategic.part import Part
from readyroom.games.strategic.staff.drawing import layout
from readyroom.games.strategic.staff.opening import StaffOpening
from readyroom.games.strategic.staff.questions import actions, questions
from readyroom.games.strategic.staff.state import Staff
from readyroom.games.strategic.state import Strategic, T

SEAT = Seat("staff", "Staff", "staff")
MOST = 100
"""A table is closed after so many throws; another can be laid at once."""
SHOWN = 12
"""So many of the last throws are shown at the table."""


def asked(data: Data, name: str) -> OddsQuery:
    """The question of odds of this name; KeyError if there is none."""
    return questions(data)[name]


def start(data: Data, opening: StaffOpening) -> Staff:
    """[ST.2] The table as set up; `InvalidData` if the action is unknown or an input makes no sense."""
    known = questions(data)
    if opening.question not in known:
        raise InvalidData("scenario", "question", f"one of {', '.join(known)}", repr(opening.question))
    question = known[opening.question]
    try:
        told = fill_in(question.form_fields, opening.told, where=f"the odds of {opening.question}")
        question.answer(told)
    except ReadyRoomError as error:
        raise InvalidData("scenario", "told", f"what {opening.question} can be asked", str(error)) from error
    return Staff(question=opening.question, title=question.title, told=told)


def throw(table: T) -> Steps:
    """[ST.2] The staff throws, or closes the table."""
    staff = table.state.staff
    action = actions()[staff.question]
    options = [Option(THROW, "Throw the dice"), Option(CLOSE, "Close the table")]
    chosen = yield from table.choose(SEAT.key, "ST.2", f"{action.title}: throw?", options)
    if chosen.key == CLOSE:
        table.end_match(closed(staff))
    staff.thrown.append(action.throw(table, staff.told))


def closed(staff: Staff) -> Outcome:
    """[ST.2] What a table that was closed comes to: nobody wins, the throws stand in the log."""
    count = len(staff.thrown)
    return Outcome(None, "closed", f"{staff.title}: {count_noun(count, 'throw')}.", {SEAT.key: count})


def next_phase(state: Strategic) -> At | Outcome:
    """[ST.2] One throw after the other."""
    staff = state.staff
    return closed(staff) if len(staff.thrown) >= MOST else At(state.at.turn + 1, state.at.phase)


def view(state: Strategic, data: Data, seat: str | None) -> View:
    """[ST.2] Nothing is hidden here."""
    staff = state.staff
    answer = asked(data, staff.question).answer(staff.told)
    return {
        "question": staff.question,
        "title": staff.title,
        "rule": answer.rule,
        "subject": answer.title,
        "parts": [_part(part) for part in (answer, *answer.parts)],
        "expected": [[what, round(float(mean), 4)] for what, mean in answer.expected],
        "thrown": [list(one) for one in staff.thrown],
    }


def _part(answer: OddsResult) -> dict[str, Any]:
    return {
        "title": answer.title,
        "net": None if answer.net is None else [[what, value] for what, value in answer.net],
        "rows": [[what, round(float(chance), 6)] for what, chance in answer.rows],
    }


def board(view: View) -> RenderableType:
    """The table in words: the arithmetic, what is expected, and the last throws."""
    shown: list[RenderableType] = [Text(view["subject"], "bold")]
    for part in view["parts"]:
        if part["net"] is not None:
            grid = Grid(title=part["title"], title_justify="left", box=None, show_header=False, pad_edge=False)
            for what, value in [*part["net"], ["net", sum(value for _, value in part["net"])]]:
                grid.add_row(what, signed(value))
            shown.append(grid)
    shown += [Text(f"Expected {what}: {mean:.2f}") for what, mean in view["expected"]]
    thrown = list(enumerate(view["thrown"], start=1))[-SHOWN:]
    shown += [Text(f"Throw {number}: {'; '.join(said)}") for number, said in thrown]
    return Group(*shown)


def bot(seat: str, random: Random) -> Bot:
    """Throws once, and closes the table."""

    def answer(decision: Decision, look: ViewFn) -> list[str]:
        return [CLOSE if look()["table"]["thrown"] else THROW]

    return answer


STAFF = Part(
    seats=(SEAT,),
    first="throw",
    start=start,
    phases=[Phase("throw", "the throw", "ST.2", throw)],
    next_phase=next_phase,
    view=view,
    resample=lambda state, data, seat, random: state,
    board=board,
    layout=layout,
    drawing="staff/board.svg.j2",
    bots={"doctrine": bot},
)
