"""[ST] The calculator's table as a part of the game: one seat rolls an action as often as it likes."""

from __future__ import annotations

from random import Random
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from readyroom.engine.checks import signed
from readyroom.engine.decisions import Decision, Option
from readyroom.engine.errors import InvalidData, ReadyRoomError
from readyroom.engine.forms import CLOSE, THROW, OddsResult, fill_in
from readyroom.engine.game import Bot, MatchView, Phase, Seat, View, ViewFn
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

SEAT = Seat("staff", "Player", "staff")
MOST = 100
"""The number of rolls after which a match ends."""
LATEST = 12
"""The number of latest rolls shown."""


def start(data: Data, opening: StaffOpening) -> Staff:
    """[ST.2] Return the initial state; raise `InvalidData` for an unknown action or invalid inputs."""
    known = questions(data)
    if opening.question not in known:
        raise InvalidData("scenario", "question", f"one of {', '.join(known)}", repr(opening.question))
    question = known[opening.question]
    try:
        inputs = fill_in(question.form_fields, opening.told, where=f"the odds of {opening.question}")
        question.answer(inputs)
    except ReadyRoomError as error:
        raise InvalidData("scenario", "told", f"valid inputs of {opening.question}", str(error)) from error
    return Staff(question=opening.question, title=question.title, told=inputs)


def roll(table: T) -> Steps:
    """[ST.2] Roll the action's dice, or end the match."""
    staff = table.state.staff
    action = actions()[staff.question]
    options = [Option(THROW, "Roll the dice"), Option(CLOSE, "Finish")]
    chosen = yield from table.choose(SEAT.key, "ST.2", f"{action.title}: roll the dice?", options)
    if chosen.key == CLOSE:
        table.end_match(closed(staff))
    staff.thrown.append(action.roll(table, staff.told))


def closed(staff: Staff) -> Outcome:
    """[ST.2] Return the outcome: no winner, and the number of rolls."""
    count = len(staff.thrown)
    return Outcome(None, "closed", f"{staff.title}: {count_noun(count, 'throw')}.", {SEAT.key: count})


def next_phase(state: Strategic) -> At | Outcome:
    """[ST.2] Return the next roll's phase, or the outcome after the last one."""
    staff = state.staff
    return closed(staff) if len(staff.thrown) >= MOST else At(state.at.turn + 1, state.at.phase)


def view(state: Strategic, data: Data, seat: str | None) -> View:
    """[ST.2] Return everything: nothing is hidden."""
    staff = state.staff
    answer = questions(data)[staff.question].answer(staff.told)
    return {
        "question": staff.question,
        "title": staff.title,
        "rule": answer.rule,
        "subject": answer.title,
        "parts": [_part(part) for part in (answer, *answer.parts)],
        "expected": [[what, round(float(mean), 4)] for what, mean in answer.expected],
        "thrown": [list(results) for results in staff.thrown],
    }


def _part(answer: OddsResult) -> dict[str, Any]:
    return {
        "title": answer.title,
        "net": None if answer.net is None else [[what, value] for what, value in answer.net],
        "rows": [[what, round(float(chance), 6)] for what, chance in answer.rows],
    }


def board(view: MatchView[Any]) -> RenderableType:
    """Return the terminal board: the arithmetic, the expected values and the latest rolls."""
    lines: list[RenderableType] = [Text(view.table["subject"], "bold")]
    for part in view.table["parts"]:
        if part["net"] is not None:
            grid = Grid(title=part["title"], title_justify="left", box=None, show_header=False, pad_edge=False)
            for what, value in [*part["net"], ["net", sum(value for _, value in part["net"])]]:
                grid.add_row(what, signed(value))
            lines.append(grid)
    lines += [Text(f"Expected {what}: {mean:.2f}") for what, mean in view.table["expected"]]
    rolls = list(enumerate(view.table["thrown"], start=1))[-LATEST:]
    lines += [Text(f"Roll {number}: {'; '.join(results)}") for number, results in rolls]
    return Group(*lines)


def bot(seat: str, random: Random) -> Bot:
    """Return a bot that rolls once and finishes."""

    def answer(decision: Decision, look: ViewFn) -> list[str]:
        return [CLOSE if look().table["thrown"] else THROW]

    return answer


STAFF = Part(
    seats=(SEAT,),
    first="throw",
    start=start,
    phases=[Phase("throw", "dice roll", "ST.2", roll)],
    next_phase=next_phase,
    view=view,
    resample=lambda state, data, seat, random: state,
    board=board,
    layout=layout,
    drawing="staff/board.svg.j2",
    bots={"doctrine": bot},
)
