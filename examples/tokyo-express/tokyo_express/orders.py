"""The evening: the sky, the orders of both sides, the coast watchers, and where the cruisers go."""

from __future__ import annotations

from readyroom.engine.checks import Check
from readyroom.engine.decisions import Option
from readyroom.engine.table import Choice, Steps, with_sheet
from tokyo_express.state import HARBOUR, JAPAN, USA, Run, Ship, T


def draw_sky(table: T) -> None:
    """[2.1] The sky of the night comes out of the cup; last night's is past."""
    state = table.state
    state.past += state.above
    state.above = [table.draw(state.cup, "2.1", "sky")]
    table.log_line("2.1", "Night {} of {}: {}.", state.at.turn, state.nights, state.above[0].name)


def give_orders(table: T) -> Steps:
    """[2.2, 2.3] Japan plans the run while the United States sends out its boats; neither sees the other's orders."""
    state, run = table.state, Run("", [], [], "")
    if not state.squadrons:
        state.run = yield from with_sheet(_plan_run(table, run), run)
        return
    chosen = yield from table.choose_in_secret({JAPAN: with_sheet(_plan_run(table, run), run), USA: _send_boats(table)})
    state.run = run
    run.boats = chosen[USA].boats


def _plan_run(table: T, run: Run) -> Choice[Run]:
    """[2.2] Who is loaded, who goes along, and which way; the run is the sheet that is filled in."""
    loaded = yield from _load(table)
    run.loaded = [ship.key for ship in loaded]
    escorts = yield from _send_along(table, loaded)
    run.escorts = [ship.key for ship in escorts]
    passage = yield from table.choose(JAPAN, "2.2.3", "Which passage does the Express run?", passages(table))
    run.passage = passage.key
    return run


def _load(table: T) -> Choice[list[Ship]]:
    """[2.2.1] Those with drums on deck."""
    question = "Which destroyers take drums on deck tonight?"
    return table.choose_some(JAPAN, "2.2.1", question, table.state.ready, at_most=table.state.sail)


def _send_along(table: T, loaded: list[Ship]) -> Choice[list[Ship]]:
    """[2.2.2] Those without; where nobody is loaded, at least one of them sails all the same."""
    rest = [ship for ship in table.state.ready if ship not in loaded]
    question = "Which sail with them as escorts, torpedoes ready?"
    return table.choose_some(
        JAPAN, "2.2.2", question, rest, at_least=0 if loaded else 1, at_most=table.state.sail - len(loaded)
    )


def _send_boats(table: T) -> Choice[Run]:
    """[2.3] The boats lie in one passage for the night."""
    passage = yield from table.choose(USA, "2.3", "In which passage do the torpedo boats lie?", passages(table))
    return Run("", [], [], passage.key)


def passages(table: T) -> list[Option]:
    """[1] The three ways to Guadalcanal."""
    return [Option(key, name) for key, name in table.data.figures.passages.items()]


def listen(table: T) -> None:
    """[3] The coast watchers' die; a report names the passage and nothing else."""
    figures, run = table.data.figures, table.state.tonight
    roll = table.roll(
        Check("3", "the coast watchers", at_least=figures.report_at, modifiers=[table.state.sky]), "watch"
    )
    run.reported = roll.passed
    if roll:
        table.reveal(
            "3", "The coast watchers report engines in {}: {}.", figures.passages[run.passage], roll, audience=[USA]
        )
    else:
        table.log_line("3", "The coast watchers hear nothing: {}.", roll, audience=[USA])


def send_cruisers(table: T) -> Steps:
    """[3.1] The cruisers go to one passage or stay where they are."""
    where = yield from table.choose(
        USA, "3.1", "Where do the cruisers lie tonight?", [*passages(table), Option(HARBOUR, "in harbour")]
    )
    table.state.tonight.cruisers = where.key
