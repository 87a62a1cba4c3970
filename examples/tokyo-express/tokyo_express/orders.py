"""The evening: the sky, the orders of both sides, the coast watchers, and where the cruisers go."""

from __future__ import annotations

from readyroom.authoring import Check, Choice, Option, Steps, with_sheet
from tokyo_express.state import HARBOUR, JAPAN, USA, Run, Ship, T


def draw_sky(table: T) -> None:
    """[2.1] Draw the sky of the night; last night's is discarded."""
    state = table.state
    state.past += state.above
    state.above = [table.draw(state.cup, "2.1", "sky")]
    table.log_line("2.1", "Night {} of {}: {}.", state.at.turn, state.nights, state.above[0].name)


def give_orders(table: T) -> Steps:
    """[2.2, 2.3] Ask both sides for orders in secret."""
    state, run = table.state, Run("", [], [], "")
    if not state.squadrons:
        state.run = yield from with_sheet(_plan_run(table, run), run)
        return
    chosen = yield from table.choose_in_secret({JAPAN: with_sheet(_plan_run(table, run), run), USA: _send_boats(table)})
    state.run = run
    run.boats = chosen[USA].boats


def _plan_run(table: T, run: Run) -> Choice[Run]:
    """[2.2] Plan the run: loads, escorts and passage. `run` is the sheet that is filled in."""
    loaded = yield from _load(table)
    run.loaded = [ship.key for ship in loaded]
    escorts = yield from _send_along(table, loaded)
    run.escorts = [ship.key for ship in escorts]
    passage = yield from table.choose(JAPAN, "2.2.3", "Which passage does the Express run?", passages(table))
    run.passage = passage.key
    return run


def _load(table: T) -> Choice[list[Ship]]:
    """[2.2.1] Choose the destroyers with drums."""
    question = "Which destroyers take drums on deck tonight?"
    return table.choose_some(JAPAN, "2.2.1", question, table.state.ready, at_most=table.state.sail)


def _send_along(table: T, loaded: list[Ship]) -> Choice[list[Ship]]:
    """[2.2.2] Choose the escorts: at least one if no destroyer is loaded."""
    rest = [ship for ship in table.state.ready if ship not in loaded]
    question = "Which sail with them as escorts, torpedoes ready?"
    return table.choose_some(
        JAPAN, "2.2.2", question, rest, at_least=0 if loaded else 1, at_most=table.state.sail - len(loaded)
    )


def _send_boats(table: T) -> Choice[Run]:
    """[2.3] Choose the passage of the torpedo boats."""
    passage = yield from table.choose(USA, "2.3", "Which passage do the torpedo boats watch?", passages(table))
    return Run("", [], [], passage.key)


def passages(table: T) -> list[Option]:
    """[1] Return the three passages as options."""
    return [Option(key, name) for key, name in table.data.figures.passages.items()]


def listen(table: T) -> None:
    """[3] Roll for the coast watchers; a report names the passage only."""
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
    """[3.1] Choose the passage of the cruisers, or the harbour."""
    where = yield from table.choose(
        USA, "3.1", "Where do the cruisers wait tonight?", [*passages(table), Option(HARBOUR, "in harbour")]
    )
    table.state.tonight.cruisers = where.key
