"""[ST] The calculator: exact odds of each action, and matches in which one seat rolls it as often as it likes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from json import dumps
from random import Random
from typing import Any, TypeVar

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from readyroom.engine.errors import InvalidData, ReadyRoomError
from readyroom.engine.game import Bot, Game, MatchView, Phase, Scenario, Seat, ViewFn
from readyroom.engine.rules.checks import signed
from readyroom.engine.rules.decisions import Decision, Option
from readyroom.engine.rules.forms import CLOSE, ROLL, FilledQuery, OddsQuery, fill_in
from readyroom.engine.rules.state import At, Outcome, State
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import count_noun
from readyroom.games.strategic.tables.action import Action, Inputs, T
from readyroom.games.strategic.tables.calculator_drawing import layout
from readyroom.games.strategic.tables.calculator_view import CalculatorView, ResultView
from readyroom.games.strategic.tables.figures import Data, StaffOpening
from readyroom.games.strategic.tables.setup import BEFORE, rulings, scenarios
from readyroom.games.strategic.tables.state import Staff

Actions = Mapping[str, Action]
S = TypeVar("S", bound=State)
RULE = "ST.2"
SEAT = Seat("staff", "Player", "staff")
MOST = 100
"""The number of rolls after which a match ends."""
LATEST = 12
"""The number of latest rolls shown."""


def queries(actions: Actions, data: Data) -> Mapping[str, OddsQuery]:
    """[ST.1] Return the odds queries of actions."""
    return {
        name: OddsQuery(
            action.title,
            action.form_fields(data),
            partial(action.answer, data),
            about=action.about,
            rolled=partial(scenario_text, name, action),
        )
        for name, action in actions.items()
    }


def scenario_text(name: str, action: Action, inputs: Inputs) -> str:
    """[ST.2] Return a scenario that rolls one action."""
    summary = "Roll the dice for a calculated action."
    head = {"kind": "staff", "title": action.title, "summary": summary, "question": name}
    return "\n".join([*_lines(head), "", "[told]", *_lines(inputs), ""])


def _lines(values: Mapping[str, str]) -> list[str]:
    """Return TOML lines; their quoted strings are JSON strings."""
    return [f"{key} = {dumps(value)}" for key, value in values.items()]


def start(actions: Actions, data: Data, opening: StaffOpening) -> Staff:
    """[ST.2] Return the initial state; raise `InvalidData` for an unknown action or invalid inputs."""
    if opening.question not in actions:
        raise InvalidData("scenario", "question", f"one of {', '.join(actions)}", repr(opening.question))
    action = actions[opening.question]
    try:
        inputs = fill_in(action.form_fields(data), opening.inputs, where=f"the odds of {opening.question}")
        action.answer(data, inputs)
    except ReadyRoomError as error:
        raise InvalidData("scenario", "told", f"valid inputs of {opening.question}", str(error)) from error
    return Staff(question=opening.question, title=action.title, inputs=action.kept(data, inputs))


def roll(actions: Actions, table: T) -> Steps:
    """[ST.2] Roll the action's dice, or end the match."""
    staff: Staff = table.state.played
    action = actions[staff.question]
    options = [Option(ROLL, "Roll the dice"), Option(CLOSE, "Finish")]
    chosen = yield from table.choose(SEAT.key, RULE, f"{action.title}: roll the dice?", options)
    if chosen.key == CLOSE:
        table.end_match(closed(staff))
    staff.results.append(action.roll(table, action.complete(table.data, staff.inputs)))


def closed(staff: Staff) -> Outcome:
    """[ST.2] Return the outcome: no winner, and the number of rolls."""
    count = len(staff.results)
    return Outcome(None, "closed", f"{staff.title}: {count_noun(count, 'throw')}.", {SEAT.key: count})


def next_phase(state: Any) -> At | Outcome:
    """[ST.2] Return the next roll's phase, or the outcome after the last one."""
    return closed(state.played) if len(state.played.results) >= MOST else At(state.at.turn + 1, "throw")


def view(actions: Actions, state: Any, data: Data, seat: str | None) -> CalculatorView:
    """[ST.2] Return everything: nothing is hidden."""
    staff: Staff = state.played
    action = actions[staff.question]
    answer = action.answer(data, action.complete(data, staff.inputs))
    return CalculatorView(
        question=staff.question,
        title=staff.title,
        rule=answer.rule,
        subject=answer.title,
        parts=[
            ResultView(
                part.title,
                None if part.net is None else list(part.net),
                [(what, round(float(chance), 6)) for what, chance in part.rows],
            )
            for part in (answer, *answer.parts)
        ],
        expected=[(what, round(float(mean), 4)) for what, mean in answer.expected],
        results=[list(each) for each in staff.results],
    )


def board(view: MatchView[CalculatorView]) -> RenderableType:
    """Return the terminal board: the arithmetic, the expected values and the latest rolls."""
    lines: list[RenderableType] = [Text(view.table.subject, "bold")]
    for part in view.table.parts:
        if part.net is not None:
            grid = Grid(title=part.title, title_justify="left", box=None, show_header=False, pad_edge=False)
            for what, value in [*part.net, ("net", part.total)]:
                grid.add_row(what, signed(value))
            lines.append(grid)
    lines += [Text(f"Expected {what}: {mean:.2f}") for what, mean in view.table.expected]
    rolls = list(enumerate(view.table.results, start=1))[-LATEST:]
    lines += [Text(f"Roll {number}: {'; '.join(results)}") for number, results in rolls]
    return Group(*lines)


def _with_rolls(bot: Callable[[str, Random], Bot]) -> Callable[[str, Random], Bot]:
    """Return a bot that also plays calculator matches: it rolls once and finishes."""

    def roll_once(decision: Decision, look: ViewFn) -> list[str]:
        return [CLOSE if look().table.results else ROLL]

    return lambda seat, random: roll_once if seat == SEAT.key else bot(seat, random)


def with_calculator(game: Game[S, Data], actions: Actions) -> Game[S, Data]:
    """Return a game with odds queries for these actions, and with scenarios that roll them.

    In a calculator match the scenario's content is a `StaffOpening`, `played` in the state a `Staff`, and the view a
    `CalculatorView`.
    """
    phase: Phase[S, Data] = Phase("throw", "dice roll", RULE, partial(roll, actions))
    rules, shown, analysis = game.rules, game.presentation, game.analysis

    def either(own: Callable[..., Any] | None, other: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that calls the calculator's for its scenarios, states and views, else the game's own."""
        assert own is not None
        return lambda subject, *rest: (other if _is_calculator(subject) else own)(subject, *rest)

    def set_up(data: Data, scenario: Scenario, options: Mapping[str, str]) -> Any:
        if not _is_calculator(scenario):
            return rules.setup(data, scenario, options)
        made: Any = rules.state
        return made(at=BEFORE, rulings=rulings(options), played=start(actions, data, scenario.content))

    def all_scenarios(data: Data) -> list[Scenario]:
        rolled = (each for each in scenarios(StaffOpening, data) if each.content.question in actions)
        return [*rules.scenarios(data), *rolled]

    return replace(
        game,
        facts=either(game.facts, lambda state, data, scenario: {}),
        rules=replace(
            rules,
            scenario_type=rules.scenario_type | StaffOpening,
            scenarios=all_scenarios,
            seats=either(rules.seats, lambda scenario, options: (SEAT,)),
            setup=set_up,
            validate_scenario=lambda data, scenario: set_up(data, scenario, {}) and None,
            phases=[*rules.phases, phase],
            scenario_phases=either(lambda scenario: rules.phases, lambda scenario: [phase]),
            next_phase=either(rules.next_phase, next_phase),
            view=either(rules.view, partial(view, actions)),
            view_type=rules.view_type | CalculatorView,
            resample=either(rules.resample, lambda state, *rest: state),
        ),
        presentation=replace(
            shown,
            epilogue=either(shown.epilogue, lambda state, data: ()),
            losses=either(shown.losses, lambda state, data: ()),
            standing=either(shown.standing, lambda state, data: {}),
            scale=either(shown.scale, lambda state, data: None),
            board=either(shown.board, board),
            layout=either(shown.layout, layout),
            colours={**shown.colours, SEAT.side: "usa"},
        ),
        analysis=replace(
            analysis,
            bots={name: _with_rolls(bot) for name, bot in analysis.bots.items()},
            odds=partial(queries, actions),
            odds_now=lambda table, decision: (
                _odds_now(table) if _is_calculator(table.state) else analysis.odds_now(table, decision)
            ),
            match_stats=either(analysis.match_stats, lambda state, data: {}),
        ),
    )


def _odds_now(table: T) -> list[FilledQuery]:
    staff: Staff = table.state.played
    return [FilledQuery(staff.title, staff.question, staff.inputs)]


def _is_calculator(subject: Any) -> bool:
    """Return whether a scenario, a match's view or a state is the calculator's."""
    content = next(getattr(subject, name) for name in ("content", "table", "played") if hasattr(subject, name))
    return isinstance(content, StaffOpening | CalculatorView | Staff)
