"""Straits, broken in one way at a time. Each function is one fault, as a hurried author might commit it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from dataclasses import replace
from random import Random
from typing import Any

from msgspec.structs import replace as replace_struct
from tests.toys import straits
from tests.toys.straits import GAME, Figures, Play, Straits, T, strength

from readyroom.engine.game import Game, MatchView, Scenario, View
from readyroom.engine.rules.decisions import BudgetGroup, Decision, DecisionKind, Option, OptionInfo, Unavailable
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import Steps
from readyroom.testing import Invariant

StraitsGame = Game[Straits, Figures]
BROKEN: dict[str, tuple[Invariant, Callable[[], StraitsGame]]] = {}


def breaks(promise: Invariant) -> Callable[[Callable[[], StraitsGame]], Callable[[], StraitsGame]]:
    """Enter a broken game in the list, with the promise that it breaks."""

    def enter(make: Callable[[], StraitsGame]) -> Callable[[], StraitsGame]:
        BROKEN[make.__name__] = (promise, make)
        return make

    return enter


def with_phase(name: str, play: Play) -> StraitsGame:
    """The game with another play of one phase."""
    phases = [replace(phase, play=play) if phase.name == name else phase for phase in straits.PHASES]
    return replace(GAME, rules=replace(GAME.rules, phases=phases))


def before(name: str, function: Callable[[T], None]) -> StraitsGame:
    """The game with something done before a phase is played."""
    whole = next(phase.play for phase in straits.PHASES if phase.name == name)

    def play(table: T) -> Steps:
        function(table)
        yield from whole(table) or ()

    return with_phase(name, play)


# -- secrets ---------------------------------------------------------------------------------------------------------


@breaks(Invariant.SECRETS)
def leaks_in_the_view() -> StraitsGame:
    def view(state: Straits, data: Figures, seat: str | None) -> View:
        payload = straits.view(state, data, seat)
        payload["alert"] = bool(state.red.ready)
        return payload

    return replace(GAME, rules=replace(GAME.rules, view=view))


@breaks(Invariant.SECRETS)
def leaks_to_spectators() -> StraitsGame:
    def view(state: Straits, data: Figures, seat: str | None) -> View:
        return straits.view(state, data, seat or "red")

    return replace(GAME, rules=replace(GAME.rules, view=view))


def _asked_first(name: str, ask: Callable[[T], Steps]) -> StraitsGame:
    whole = next(phase.play for phase in straits.PHASES if phase.name == name)

    def play(table: T) -> Steps:
        yield from ask(table)
        yield from whole(table) or ()

    return with_phase(name, play)


@breaks(Invariant.SECRETS)
def leaks_in_the_text_of_an_option() -> StraitsGame:
    def ask(table: T) -> Steps:
        threat = len(table.state.blue.ready)
        yield from table.choose("red", "2", "Lights?", straits.LANES, text=lambda o: f"{o.text} ({threat} coming)")

    return _asked_first("red-sail", ask)


@breaks(Invariant.SECRETS)
def leaks_in_a_hint() -> StraitsGame:
    def ask(table: T) -> Steps:
        chance = len(table.state.blue.ready) / 10
        yield from table.choose("red", "2", "Lights?", straits.LANES, info=lambda option: OptionInfo("danger", chance))

    return _asked_first("red-sail", ask)


@breaks(Invariant.SECRETS)
def leaks_in_a_refusal() -> StraitsGame:
    def refused(table: T) -> Iterator[Unavailable]:
        for ship in table.state.blue.ready:
            yield Unavailable(ship.key, ship.name, "2", "It is the enemy's.")

    def ask(table: T) -> Steps:
        yield from table.choose("red", "2", "Lights?", straits.LANES, unavailable=lambda: refused(table))

    return _asked_first("red-sail", ask)


@breaks(Invariant.SECRETS)
def leaks_in_the_options() -> StraitsGame:
    def ask(table: T) -> Steps:
        feared = [straits.LANES[0], *(Option(ship.key, ship.name) for ship in table.state.blue.ready)]
        yield from table.choose("red", "2", "Which ship do you fear?", feared)

    return _asked_first("red-sail", ask)


@breaks(Invariant.SECRETS)
def leaks_in_the_log() -> StraitsGame:
    def ask(table: T) -> Steps:
        table.log_line("1", "{} of Blue's ships are ready.", len(table.state.blue.ready))
        yield from table.choose("red", "2", "Lights?", straits.LANES)

    return _asked_first("red-sail", ask)


# -- options ---------------------------------------------------------------------------------------------------------


@breaks(Invariant.PLAYS)
def offers_what_a_rule_cannot_do() -> StraitsGame:
    def ask(table: T) -> Steps:
        state = table.state
        ships = [*state.red.ready, *state.red.harbour, *state.red.sea]
        ship = yield from table.choose("red", "3", "Which ship comes home?", ships, always=True)
        state.red.sea.remove(ship)
        state.red.harbour.append(ship)

    return _asked_first("weather", ask)


@breaks(Invariant.OPTIONS)
def offers_nothing() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "3", "Which lost ship is mourned?", table.state.red.lost)

    return _asked_first("weather", ask)


@breaks(Invariant.ACCEPTS)
def offers_what_nobody_can_pay() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose_some("red", "3", "Which are painted?", table.state.red.harbour, cost=strength, budget=3)

    return _asked_first("prepare", ask)


@breaks(Invariant.QUESTIONS)
def has_one_key_twice() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "3", "Which lane?", [*straits.LANES, Option("north", "the far north")])

    return _asked_first("weather", ask)


@breaks(Invariant.QUESTIONS)
def has_the_separator_in_a_key() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "3", "Which lane?", [*straits.LANES, Option("far|north", "the far north")])

    return _asked_first("weather", ask)


@breaks(Invariant.QUESTIONS)
def asks_for_more_than_there_is() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield Decision(DecisionKind.SOME, "red", "3", "Which three lanes?", straits.LANES, 1, 5)

    return _asked_first("weather", ask)


@breaks(Invariant.QUESTIONS)
def offers_an_option_for_which_there_is_no_room() -> StraitsGame:
    def ask(table: T) -> Steps:
        limit = {"north": 0}
        lanes = straits.LANES
        yield Decision(
            DecisionKind.SOME, "red", "3", "Which lanes?", lanes, 0, 2, limit=lambda lane: limit.get(lane.key, 1)
        )

    return _asked_first("weather", ask)


@breaks(Invariant.QUESTIONS)
def asks_for_more_times_than_there_is_room() -> StraitsGame:
    def ask(table: T) -> Steps:
        lanes = straits.LANES
        yield Decision(
            DecisionKind.SOME, "red", "3", "Which lanes?", lanes, 0, 2 * len(lanes) + 1, limit=lambda lane: 2
        )

    return _asked_first("weather", ask)


@breaks(Invariant.QUESTIONS)
def leaves_an_option_without_a_purse() -> StraitsGame:
    def ask(table: T) -> Steps:
        ships = table.state.red.harbour
        purses = [BudgetGroup("paint", "paint", ships[1:])]
        yield from table.choose_some("red", "3", "Painted?", ships, cost=lambda _: 1, budget=9, budget_groups=purses)

    return _asked_first("prepare", ask)


@breaks(Invariant.QUESTIONS)
def asks_somebody_who_is_not_there() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("green", "3", "Which lane?", straits.LANES)

    return _asked_first("weather", ask)


@breaks(Invariant.REFUSES)
def lists_an_option_as_refused() -> StraitsGame:
    def ask(table: T) -> Steps:
        refused = [Unavailable("north", "the north lane", "3", "It is mined.")]
        yield from table.choose("red", "3", "Which lane?", straits.LANES, unavailable=lambda: refused)

    return _asked_first("weather", ask)


# -- the sequence of play --------------------------------------------------------------------------------------------


def _nothing(table: T) -> Steps:
    return
    yield


@breaks(Invariant.ENDS)
def never_ends() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "6", "And now?", straits.LANES)

    return with_phase("end", ask)


@breaks(Invariant.ENDS)
def never_ends_and_never_asks() -> StraitsGame:
    return replace(GAME, rules=replace(GAME.rules, phases=[replace(phase, play=_nothing) for phase in straits.PHASES]))


@breaks(Invariant.PHASES)
def plays_a_phase_twice() -> StraitsGame:
    def next_phase(state: Straits) -> At | Outcome:
        again = state.at.phase == "red-fire" and len(state.drawn) == 1
        return At(state.at.turn, "weather") if again else straits.next_phase(state)

    return replace(GAME, rules=replace(GAME.rules, next_phase=next_phase))


@breaks(Invariant.PHASES)
def changes_the_state_between_phases() -> StraitsGame:
    def next_phase(state: Straits) -> At | Outcome:
        state.rough = not state.rough
        return straits.next_phase(state)

    return replace(GAME, rules=replace(GAME.rules, next_phase=next_phase))


@breaks(Invariant.OUTCOME)
def lets_nobody_of_the_table_win() -> StraitsGame:
    def end(table: T) -> Steps:
        if table.state.at.turn >= table.state.last:
            table.end_match(Outcome("green", "green wins", "It is over."))
        return
        yield

    return with_phase("end", end)


# -- counters --------------------------------------------------------------------------------------------------------


@breaks(Invariant.PIECES)
def loses_a_counter() -> StraitsGame:
    def action(table: T) -> None:
        table.state.red.lost.clear()
        table.state.blue.lost.clear()

    return before("end", action)


@breaks(Invariant.PIECES)
def has_a_counter_twice() -> StraitsGame:
    def action(table: T) -> None:
        fleet = table.state.red
        if fleet.sea and fleet.sea[0] not in fleet.lost:
            fleet.lost.append(fleet.sea[0])

    return before("red-fire", action)


@breaks(Invariant.PIECES)
def loses_a_counter_in_resampling() -> StraitsGame:
    def resample(state: Straits, data: Figures, seat: str, random: Random) -> Straits:
        enemy = state.enemy(seat)
        for ship in [*enemy.harbour[:-1], *enemy.ready[:-1]]:
            ship.key = enemy.harbour[0].key if enemy.harbour else ship.key
        return state

    return replace(GAME, rules=replace(GAME.rules, resample=resample))


@breaks(Invariant.PIECES)
def loses_a_counter_where_it_is_imagined() -> StraitsGame:
    """The rule continues with where the enemy was before the question, which only resampling could change."""

    def ask(table: T) -> Steps:
        blue = table.state.blue
        harbour = [*blue.harbour]
        yield from table.choose("red", "2", "Lights?", straits.LANES)
        blue.harbour = harbour

    return _asked_first("red-sail", ask)


# -- the same again --------------------------------------------------------------------------------------------------


@breaks(Invariant.SAME_AGAIN)
def has_luck_of_its_own() -> StraitsGame:
    def action(table: T) -> None:
        table.state.rough = random.random() < 0.5

    return before("weather", action)


@breaks(Invariant.SAME_AGAIN)
def remembers_earlier_matches() -> StraitsGame:
    seen = [0]

    def action(table: T) -> None:
        seen[0] += 1
        table.state.rough = seen[0] % 7 == 0

    return before("weather", action)


@breaks(Invariant.SAME_AGAIN)
def plays_otherwise_with_a_log() -> StraitsGame:
    def action(table: T) -> None:
        table.state.rough = table.log is None

    return before("weather", action)


class Forgetful(Straits, dict=True):
    """A state that keeps something outside its fields, where saving does not see it."""


@breaks(Invariant.SAVES)
def forgets_on_saving() -> StraitsGame:
    def setup(data: Figures, scenario: Scenario, options: Any) -> Straits:
        made = straits.setup(data, scenario, options)
        return Forgetful(*(getattr(made, name) for name in made.__struct_fields__))

    def action(table: T) -> None:
        storms = table.state.__dict__.get("storms", 0) + 1
        table.state.__dict__["storms"] = storms
        table.state.rough = storms >= 2

    game = before("weather", action)
    return replace(game, rules=replace(game.rules, state=Forgetful, setup=setup))


@breaks(Invariant.SAVES)
def lays_an_alias() -> StraitsGame:
    """Two fields share one list; after loading they are two."""

    def action(table: T) -> None:
        state = table.state
        if state.at.turn == 1:
            state.red.lost = state.drawn  # type: ignore[assignment]

    return before("red-fire", action)


# -- taking back -----------------------------------------------------------------------------------------------------


@breaks(Invariant.BARS)
def throws_behind_the_tables_back() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "2", "Lights?", straits.LANES)
        name = f"{table.state.at.turn}|own|2|lights|1"
        table.state.rough = table.dice.roll(name, 1)[0] > 3
        yield from table.choose("red", "2", "And the flags?", straits.LANES)

    return _asked_first("red-sail", ask)


@breaks(Invariant.BARS)
def discloses_without_revealing() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "2", "Where does the scout look?", straits.LANES)
        table.log_line("2", "The scout counts {} ships.", len(table.state.blue.ready), audience=("red",))
        yield from table.choose("red", "2", "And the flags?", straits.LANES)

    return _asked_first("red-sail", ask)


@breaks(Invariant.SAME_AGAIN)
def plays_on_its_own_checkpoints() -> StraitsGame:
    return replace(GAME, rules=replace(GAME.rules, copy_state=lambda state: state))


@breaks(Invariant.SAME_AGAIN)
def shares_its_fleets_with_its_checkpoints() -> StraitsGame:
    return replace(GAME, rules=replace(GAME.rules, copy_state=copy))


@breaks(Invariant.SAVES)
def shares_what_was_drawn_with_its_checkpoints() -> StraitsGame:
    def copied(state: Straits) -> Straits:
        other = deepcopy(state)
        other.drawn = state.drawn
        return other

    return replace(GAME, rules=replace(GAME.rules, copy_state=copied))


def _claiming_immutable_facts(game: StraitsGame) -> StraitsGame:
    return replace(game, rules=replace(game.rules, immutable_facts=True))


@breaks(Invariant.LOG)
def tells_the_log_of_a_box_that_changes() -> StraitsGame:
    def action(table: T) -> None:
        table.log_line("3", "Red has lost {}.", table.state.red.lost)

    return _claiming_immutable_facts(before("weather", action))


@breaks(Invariant.LOG)
def tells_the_log_of_a_counter_that_changes() -> StraitsGame:
    def action(table: T) -> None:
        for ship in (*table.state.red.ready, *table.state.blue.ready):
            table.log_line("3", "{} is dressed with flags.", ship)
            ship.name += " in flags"

    return _claiming_immutable_facts(before("weather", action))


@breaks(Invariant.FORKS)
def plans_with_a_common_memory() -> StraitsGame:
    """What was chosen is kept in the rules and not in the state, so that a copy's choices come through."""
    chosen = [0]

    def ask(table: T) -> Steps:
        lane = yield from table.choose("red", "2", "Lights?", straits.LANES, text=lambda o: f"{o.text} {chosen[0]}")
        chosen[0] = int(lane.value)

    return _asked_first("red-sail", ask)


# -- showing ---------------------------------------------------------------------------------------------------------


@breaks(Invariant.VIEWS)
def shows_what_is_no_data() -> StraitsGame:
    def view(state: Straits, data: Figures, seat: str | None) -> View:
        return straits.view(state, data, seat) | {"table": object()}

    return replace(GAME, rules=replace(GAME.rules, view=view))


@breaks(Invariant.VIEWS)
def changes_by_being_looked_at() -> StraitsGame:
    def view(state: Straits, data: Figures, seat: str | None) -> View:
        state.rough = not state.rough
        return straits.view(state, data, seat)

    return replace(GAME, rules=replace(GAME.rules, view=view))


@breaks(Invariant.LOG)
def tells_it_to_nobody() -> StraitsGame:
    def action(table: T) -> None:
        table.log_line("3", "The barometer falls.", audience=("admiral",))

    return before("weather", action)


# -- imagining, and what is brought ----------------------------------------------------------------------------------


@breaks(Invariant.IMAGINES)
def deals_anew_on_a_copy() -> StraitsGame:
    """What the rules hold in their hands stays as it was, so an imagined match shows the truth."""

    def resample(state: Straits, data: Figures, seat: str, random: Random) -> Straits:
        return straits.resample(deepcopy(state), data, seat, random)

    return replace(GAME, rules=replace(GAME.rules, resample=resample))


@breaks(Invariant.IMAGINES)
def cannot_be_imagined_in_the_midst_of_a_rule() -> StraitsGame:
    """The resampling is fit for phase boundaries only: it takes away what the open question offers."""

    def ask(table: T) -> Steps:
        table.state.rough = True
        ready = [lane for lane in straits.LANES if table.state.rough or lane.key == "north"]
        yield from table.choose("red", "2", "Lights?", ready, text=lambda lane: f"{lane} {table.state.rough}")
        table.state.rough = False

    def resample(state: Straits, data: Figures, seat: str, random: Random) -> Straits:
        state.rough = False
        return straits.resample(state, data, seat, random)

    game = _asked_first("red-sail", ask)
    return replace(game, rules=replace(game.rules, resample=resample))


@breaks(Invariant.BRINGS)
def names_a_rule_that_its_book_does_not_have() -> StraitsGame:
    return replace(GAME, options=[replace_struct(option, rule="7.7") for option in GAME.options])


@breaks(Invariant.BRINGS)
def wears_a_colour_that_nobody_has() -> StraitsGame:
    return replace(GAME, presentation=replace(GAME.presentation, colours={"red": "vermilion"}))


@breaks(Invariant.BRINGS)
def cannot_draw_its_board() -> StraitsGame:
    def layout(view: MatchView[Any]) -> dict[str, Any]:
        return {"ships": view.table["no such thing"]}

    return replace(GAME, presentation=replace(GAME.presentation, layout=layout))


@breaks(Invariant.BRINGS)
def is_worth_more_than_everything() -> StraitsGame:
    return replace(GAME, analysis=replace(GAME.analysis, utility=lambda outcome, side: 2.0))
