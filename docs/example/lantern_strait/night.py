"""The rules, in the order of play."""

from __future__ import annotations

from lantern_strait.state import GUARD, RUNNER, Boat, Data, Sky, Strait, T
from readyroom.authoring import At, Check, Choice, Option, Outcome, Phase, Steps


def night(table: T) -> Steps:
    """[2] Play a night: a boat sails, the sky is drawn, and the guard may meet her."""
    boat = yield from table.choose(
        RUNNER, "2.1", "Which boat sails tonight?", table.state.harbour, text=lambda b: f"{b.name} ({b.drums} drums)"
    )
    table.state.harbour.remove(boat)
    table.state.sailing.append(boat)
    takes, watches = yield from _choose_channels(table)
    sky, boat = _draw_sky(table), table.state.sailing.pop()
    caught = takes.key == watches.key and _meet(table, boat, sky)
    (table.state.caught if caught else table.state.landed).append(boat)
    if not caught:
        table.log_line("2.4", "The boat comes through.")


def _choose_channels(table: T) -> Choice[tuple[Option, Option]]:
    """[2.2] Ask both sides for a channel in secret."""
    channels = [Option(key, name) for key, name in table.data.figures.channels.items()]
    chosen = yield from table.choose_in_secret(
        {
            RUNNER: table.choose(RUNNER, "2.2", "Which channel does she take?", channels),
            GUARD: table.choose(GUARD, "2.2", "Which channel do you watch?", channels),
        }
    )
    return chosen[RUNNER], chosen[GUARD]


def _draw_sky(table: T) -> Sky:
    """[2.3] Draw the sky of the night; it does not go back into the cup."""
    sky = table.draw(table.state.cup, "2.3", "sky")
    table.state.past.append(sky)
    table.log_line("2.3", "Sky: {}.", sky.name)
    return sky


def _meet(table: T, boat: Boat, sky: Sky) -> bool:
    """[2.4] Return whether the guard catches the boat: one die, modified by the sky."""
    check = Check(
        "2.4", "the guard's lanterns", at_least=table.data.figures.catch_at, modifiers=[(sky.name, sky.modifier)]
    )
    roll = table.roll(check, boat.key)
    if roll:
        table.reveal("2.4", "The guard catches the {}.", boat, roll)
    else:
        table.log_line("2.4", "The guard does not find the boat.", roll)
    return roll.passed


def dawn(table: T) -> None:
    """[3] Count the drums after the last night."""
    state = table.state
    if state.at.turn == state.nights:
        drums = sum(boat.drums for boat in state.landed)
        enough = drums >= table.data.figures.drums_a_night * state.nights
        winner, title = (RUNNER, "the island eats") if enough else (GUARD, "the island goes hungry")
        table.log_line("3", "{} drums have come through.", drums)
        table.end_match(Outcome(winner, title, f"{drums} drums have come through.", {RUNNER: drums}))


PHASES: list[Phase[Strait, Data]] = [Phase("night", "a night", "2", night), Phase("dawn", "dawn", "3", dawn)]


def next_phase(state: Strait) -> At | Outcome:
    """[2, 3] Alternate night and dawn."""
    at = state.at
    return At(at.turn, "dawn") if at.phase == "night" else At(at.turn + 1, "night")
