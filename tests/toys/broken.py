"""Variants of Straits with one defect each, to test the conformance kit."""

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

from readyroom.engine.books import Step, Tutorial
from readyroom.engine.game import Game, MatchView, Phase, Scenario, View
from readyroom.engine.rules.decisions import BudgetGroup, Decision, DecisionKind, Option, OptionInfo, Unavailable
from readyroom.engine.rules.state import At, Outcome
from readyroom.engine.rules.table import Steps
from readyroom.testing import Invariant

StraitsGame = Game[Straits, Figures]
BROKEN: dict[str, tuple[Invariant, Callable[[], StraitsGame]]] = {}


def violates(invariant: Invariant) -> Callable[[Callable[[], StraitsGame]], Callable[[], StraitsGame]]:
    """Register a broken game with the invariant that it violates."""

    def enter(make: Callable[[], StraitsGame]) -> Callable[[], StraitsGame]:
        BROKEN[make.__name__] = (invariant, make)
        return make

    return enter


def with_phase(name: str, play: Play) -> StraitsGame:
    """Return the game with one phase replaced."""
    phases = [replace(phase, play=play) if phase.name == name else phase for phase in straits.PHASES]
    return replace(GAME, rules=replace(GAME.rules, phases=phases))


def before(name: str, function: Callable[[T], None]) -> StraitsGame:
    """Return the game with an action before a phase."""
    original = next(phase.play for phase in straits.PHASES if phase.name == name)

    def play(table: T) -> Steps:
        function(table)
        yield from original(table) or ()

    return with_phase(name, play)


# -- secrets -----------------------------------------------------------------------------------------------------------


@violates(Invariant.SECRETS)
def leak_in_view() -> StraitsGame:
    def view(state: Straits, data: Figures, seat: str | None) -> View:
        payload = straits.view(state, data, seat)
        payload["alert"] = bool(state.red.ready)
        return payload

    return replace(GAME, rules=replace(GAME.rules, view=view))


@violates(Invariant.SECRETS)
def leak_to_spectators() -> StraitsGame:
    def view(state: Straits, data: Figures, seat: str | None) -> View:
        return straits.view(state, data, seat or "red")

    return replace(GAME, rules=replace(GAME.rules, view=view))


def _ask_before(name: str, ask: Callable[[T], Steps]) -> StraitsGame:
    original = next(phase.play for phase in straits.PHASES if phase.name == name)

    def play(table: T) -> Steps:
        yield from ask(table)
        yield from original(table) or ()

    return with_phase(name, play)


@violates(Invariant.SECRETS)
def leak_in_option_text() -> StraitsGame:
    def ask(table: T) -> Steps:
        threat = len(table.state.blue.ready)
        yield from table.choose("red", "2", "Lights?", straits.LANES, text=lambda o: f"{o.text} ({threat} coming)")

    return _ask_before("red-sail", ask)


@violates(Invariant.SECRETS)
def leak_in_hint() -> StraitsGame:
    def ask(table: T) -> Steps:
        chance = len(table.state.blue.ready) / 10
        yield from table.choose("red", "2", "Lights?", straits.LANES, info=lambda option: OptionInfo("danger", chance))

    return _ask_before("red-sail", ask)


@violates(Invariant.SECRETS)
def leak_in_unavailable_reason() -> StraitsGame:
    def refused(table: T) -> Iterator[Unavailable]:
        for ship in table.state.blue.ready:
            yield Unavailable(ship.key, ship.name, "2", "It is the enemy's.")

    def ask(table: T) -> Steps:
        yield from table.choose("red", "2", "Lights?", straits.LANES, unavailable=lambda: refused(table))

    return _ask_before("red-sail", ask)


@violates(Invariant.SECRETS)
def leak_in_options() -> StraitsGame:
    def ask(table: T) -> Steps:
        feared = [straits.LANES[0], *(Option(ship.key, ship.name) for ship in table.state.blue.ready)]
        yield from table.choose("red", "2", "Which ship do you fear?", feared)

    return _ask_before("red-sail", ask)


@violates(Invariant.SECRETS)
def leak_in_log() -> StraitsGame:
    def ask(table: T) -> Steps:
        table.log_line("1", "{} of Blue's ships are ready.", len(table.state.blue.ready))
        yield from table.choose("red", "2", "Lights?", straits.LANES)

    return _ask_before("red-sail", ask)


# -- interference ------------------------------------------------------------------------------------------------------


def _has_strong(table: T) -> bool:
    """Return whether a strong ship of Blue is ready, which Red may not know."""
    return any(strength(ship) > 2 for ship in table.state.blue.ready)


@violates(Invariant.INTERFERES)
def question_only_if_secret() -> StraitsGame:
    """Blue is asked before Red sails, but only about a ship that Red may not know."""

    def ask(table: T) -> Steps:
        if _has_strong(table):
            yield from table.choose("blue", "2", "Signal lights?", straits.LANES)

    return _ask_before("red-sail", ask)


@violates(Invariant.INTERFERES)
def phase_name_tells() -> StraitsGame:
    """A phase for Blue alone is left out if Blue has no use for it; its question follows in the next phase anyway."""
    signals: Phase[Straits, Figures] = Phase("signals", "signals", "2", straits.sail("blue"))

    def next_phase(state: Straits) -> At | Outcome:
        at = straits.next_phase(state) if state.at.phase != "signals" else At(state.at.turn, "blue-sail")
        strong = any(strength(ship) > 2 for ship in state.blue.ready)
        leads = isinstance(at, At) and at.phase == "blue-sail" and state.at.phase == "red-sail" and strong
        return At(state.at.turn, "signals") if leads else at

    return replace(GAME, rules=replace(GAME.rules, phases=[*straits.PHASES, signals], next_phase=next_phase))


@violates(Invariant.INTERFERES)
def order_tells() -> StraitsGame:
    """The side that is asked first depends on what is ready."""

    def ask(table: T) -> Steps:
        for seat in ("blue", "red") if _has_strong(table) else ("red", "blue"):
            yield from table.choose(seat, "2", "Signal lights?", straits.LANES)

    return _ask_before("red-sail", ask)


@violates(Invariant.INTERFERES)
def moment_tells() -> StraitsGame:
    """What a board plays at a public line depends on ships that Red may not know."""

    def ask(table: T) -> Steps:
        table.log_line("2", "Red signals.", moment=f"{len(table.state.blue.ready)} ships near")
        yield from table.choose("red", "2", "Signal lights?", straits.LANES)

    return _ask_before("red-sail", ask)


# -- options -----------------------------------------------------------------------------------------------------------


@violates(Invariant.PLAYS)
def option_raises_in_rule() -> StraitsGame:
    def ask(table: T) -> Steps:
        state = table.state
        ships = [*state.red.ready, *state.red.harbour, *state.red.sea]
        ship = yield from table.choose("red", "3", "Which ship comes home?", ships, always=True)
        state.red.sea.remove(ship)
        state.red.harbour.append(ship)

    return _ask_before("weather", ask)


@violates(Invariant.OPTIONS)
def no_options() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "3", "Which lost ship is mourned?", table.state.red.lost)

    return _ask_before("weather", ask)


@violates(Invariant.ACCEPTS)
def unaffordable_option() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose_some("red", "3", "Which are painted?", table.state.red.harbour, cost=strength, budget=3)

    return _ask_before("prepare", ask)


@violates(Invariant.QUESTIONS)
def duplicate_option_key() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "3", "Which lane?", [*straits.LANES, Option("north", "the far north")])

    return _ask_before("weather", ask)


@violates(Invariant.QUESTIONS)
def separator_in_option_key() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "3", "Which lane?", [*straits.LANES, Option("far|north", "the far north")])

    return _ask_before("weather", ask)


@violates(Invariant.QUESTIONS)
def too_many_required() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield Decision(DecisionKind.SOME, "red", "3", "Which three lanes?", straits.LANES, 1, 5)

    return _ask_before("weather", ask)


@violates(Invariant.QUESTIONS)
def option_with_limit_zero() -> StraitsGame:
    def ask(table: T) -> Steps:
        limit = {"north": 0}
        lanes = straits.LANES
        yield Decision(
            DecisionKind.SOME, "red", "3", "Which lanes?", lanes, 0, 2, limit=lambda lane: limit.get(lane.key, 1)
        )

    return _ask_before("weather", ask)


@violates(Invariant.QUESTIONS)
def required_count_over_limits() -> StraitsGame:
    def ask(table: T) -> Steps:
        lanes = straits.LANES
        yield Decision(
            DecisionKind.SOME, "red", "3", "Which lanes?", lanes, 0, 2 * len(lanes) + 1, limit=lambda lane: 2
        )

    return _ask_before("weather", ask)


@violates(Invariant.QUESTIONS)
def option_without_budget_group() -> StraitsGame:
    def ask(table: T) -> Steps:
        ships = table.state.red.harbour
        purses = [BudgetGroup("paint", "paint", ships[1:])]
        yield from table.choose_some("red", "3", "Painted?", ships, cost=lambda _: 1, budget=9, budget_groups=purses)

    return _ask_before("prepare", ask)


@violates(Invariant.QUESTIONS)
def question_of_unknown_rule() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "2.9", "Which lane?", straits.LANES)

    return _ask_before("weather", ask)


@violates(Invariant.QUESTIONS)
def unknown_seat_decides() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("green", "3", "Which lane?", straits.LANES)

    return _ask_before("weather", ask)


@violates(Invariant.REFUSES)
def option_is_also_unavailable() -> StraitsGame:
    def ask(table: T) -> Steps:
        refused = [Unavailable("north", "the north lane", "3", "It is mined.")]
        yield from table.choose("red", "3", "Which lane?", straits.LANES, unavailable=lambda: refused)

    return _ask_before("weather", ask)


# -- sequence of play --------------------------------------------------------------------------------------------------


def _nothing(table: T) -> Steps:
    return
    yield


@violates(Invariant.ENDS)
def endless_decisions() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "6", "And now?", straits.LANES)

    return with_phase("end", ask)


@violates(Invariant.ENDS)
def endless_turns() -> StraitsGame:
    return replace(GAME, rules=replace(GAME.rules, phases=[replace(phase, play=_nothing) for phase in straits.PHASES]))


@violates(Invariant.PHASES)
def repeated_phase() -> StraitsGame:
    def next_phase(state: Straits) -> At | Outcome:
        repeated = state.at.phase == "red-fire" and len(state.drawn) == 1
        return At(state.at.turn, "weather") if repeated else straits.next_phase(state)

    return replace(GAME, rules=replace(GAME.rules, next_phase=next_phase))


@violates(Invariant.PHASES)
def next_phase_changes_state() -> StraitsGame:
    def next_phase(state: Straits) -> At | Outcome:
        state.rough = not state.rough
        return straits.next_phase(state)

    return replace(GAME, rules=replace(GAME.rules, next_phase=next_phase))


@violates(Invariant.OUTCOME)
def unknown_winner() -> StraitsGame:
    def end(table: T) -> Steps:
        if table.state.at.turn >= table.state.last:
            table.end_match(Outcome("green", "green wins", "It is over."))
        return
        yield

    return with_phase("end", end)


# -- counters ----------------------------------------------------------------------------------------------------------


@violates(Invariant.PIECES)
def lost_counter() -> StraitsGame:
    def action(table: T) -> None:
        table.state.red.lost.clear()
        table.state.blue.lost.clear()

    return before("end", action)


@violates(Invariant.PIECES)
def duplicate_counter() -> StraitsGame:
    def action(table: T) -> None:
        fleet = table.state.red
        if fleet.sea and fleet.sea[0] not in fleet.lost:
            fleet.lost.append(fleet.sea[0])

    return before("red-fire", action)


@violates(Invariant.PIECES)
def lost_counter_in_resample() -> StraitsGame:
    def resample(state: Straits, data: Figures, seat: str, random: Random) -> Straits:
        enemy = state.enemy(seat)
        for ship in [*enemy.harbour[:-1], *enemy.ready[:-1]]:
            ship.key = enemy.harbour[0].key if enemy.harbour else ship.key
        return state

    return replace(GAME, rules=replace(GAME.rules, resample=resample))


@violates(Invariant.PIECES)
def stale_position_when_imagined() -> StraitsGame:
    """The rule restores the enemy's position from before the decision, which resampling may have changed."""

    def ask(table: T) -> Steps:
        blue = table.state.blue
        harbour = [*blue.harbour]
        yield from table.choose("red", "2", "Lights?", straits.LANES)
        blue.harbour = harbour

    return _ask_before("red-sail", ask)


@violates(Invariant.LOSSES)
def loss_logged_before_it_happens() -> StraitsGame:
    def action(table: T) -> None:
        for fleet in (table.state.red, table.state.blue):
            for ship in fleet.sea[:1]:
                table.log_line("5", "{} loses {}.", fleet.seat, ship)
                fleet.sea.remove(ship)
                fleet.lost.append(ship)

    return before("end", action)


# -- reproducibility ---------------------------------------------------------------------------------------------------


@violates(Invariant.SAME_AGAIN)
def foreign_randomness() -> StraitsGame:
    def action(table: T) -> None:
        table.state.rough = random.random() < 0.5

    return before("weather", action)


@violates(Invariant.SAME_AGAIN)
def state_shared_between_matches() -> StraitsGame:
    seen = [0]

    def action(table: T) -> None:
        seen[0] += 1
        table.state.rough = seen[0] % 3 == 0

    return before("weather", action)


@violates(Invariant.SAME_AGAIN)
def rule_depends_on_log() -> StraitsGame:
    def action(table: T) -> None:
        table.state.rough = table.log is None

    return before("weather", action)


class StateWithHiddenAttribute(Straits, dict=True):
    """A state with an attribute outside its fields, which is not saved."""


@violates(Invariant.SAVES)
def attribute_lost_on_save() -> StraitsGame:
    def setup(data: Figures, scenario: Scenario, options: Any) -> Straits:
        made = straits.setup(data, scenario, options)
        return StateWithHiddenAttribute(*(getattr(made, name) for name in made.__struct_fields__))

    def action(table: T) -> None:
        storms = table.state.__dict__.get("storms", 0) + 1
        table.state.__dict__["storms"] = storms
        table.state.rough = storms >= 2

    game = before("weather", action)
    return replace(game, rules=replace(game.rules, state=StateWithHiddenAttribute, setup=setup))


@violates(Invariant.SAVES)
def aliased_lists() -> StraitsGame:
    """Two fields share one list; after loading they are separate."""

    def action(table: T) -> None:
        state = table.state
        if state.at.turn == 1:
            state.red.lost = state.drawn  # type: ignore[assignment]

    return before("red-fire", action)


# -- undo and copies ---------------------------------------------------------------------------------------------------


@violates(Invariant.BARS)
def hidden_dice_before_undo() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "2", "Lights?", straits.LANES)
        name = f"{table.state.at.turn}|own|2|lights|1"
        table.state.rough = table.dice.roll(name, 1)[0] > 3
        yield from table.choose("red", "2", "And the flags?", straits.LANES)

    return _ask_before("red-sail", ask)


@violates(Invariant.BARS)
def unmarked_disclosure() -> StraitsGame:
    def ask(table: T) -> Steps:
        yield from table.choose("red", "2", "Where does the scout look?", straits.LANES)
        table.log_line("2", "The scout counts {} ships.", len(table.state.blue.ready), audience=("red",))
        yield from table.choose("red", "2", "And the flags?", straits.LANES)

    return _ask_before("red-sail", ask)


@violates(Invariant.BARS)
def miss_before_undo() -> StraitsGame:
    """A search that finds nothing reveals that, too."""

    def ask(table: T) -> Steps:
        yield from table.choose("red", "2", "Where does the scout look?", straits.LANES)
        if len(table.state.blue.ready) > 1:
            table.reveal("2", "The scout finds ships.", audience=("red",))
        else:
            table.log_line("2", "The scout finds nothing.", audience=("red",))
        yield from table.choose("red", "2", "And the flags?", straits.LANES)

    return _ask_before("red-sail", ask)


@violates(Invariant.SAME_AGAIN)
def copy_shares_everything() -> StraitsGame:
    return replace(GAME, rules=replace(GAME.rules, copy_state=lambda state: state))


@violates(Invariant.SAME_AGAIN)
def copy_shares_fleets() -> StraitsGame:
    return replace(GAME, rules=replace(GAME.rules, copy_state=copy))


@violates(Invariant.SAVES)
def copy_shares_drawn_counters() -> StraitsGame:
    def copied(state: Straits) -> Straits:
        other = deepcopy(state)
        other.drawn = state.drawn
        return other

    return replace(GAME, rules=replace(GAME.rules, copy_state=copied))


def _claiming_immutable_facts(game: StraitsGame) -> StraitsGame:
    return replace(game, rules=replace(game.rules, immutable_facts=True))


@violates(Invariant.LOG)
def mutable_list_in_log() -> StraitsGame:
    def action(table: T) -> None:
        table.log_line("3", "Red has lost {}.", table.state.red.lost)

    return _claiming_immutable_facts(before("weather", action))


@violates(Invariant.LOG)
def mutable_counter_in_log() -> StraitsGame:
    def action(table: T) -> None:
        for ship in (*table.state.red.ready, *table.state.blue.ready):
            table.log_line("3", "{} is dressed with flags.", ship)
            ship.name += " in flags"

    return _claiming_immutable_facts(before("weather", action))


@violates(Invariant.FORKS)
def plan_kept_in_closure() -> StraitsGame:
    """The choice is stored in the rule and not in the state, so copies share it."""
    chosen = [0]

    def ask(table: T) -> Steps:
        lane = yield from table.choose("red", "2", "Lights?", straits.LANES, text=lambda o: f"{o.text} {chosen[0]}")
        chosen[0] = int(lane.value)

    return _ask_before("red-sail", ask)


# -- views -------------------------------------------------------------------------------------------------------------


@violates(Invariant.VIEWS)
def view_is_not_plain_data() -> StraitsGame:
    def view(state: Straits, data: Figures, seat: str | None) -> View:
        return straits.view(state, data, seat) | {"table": object()}

    return replace(GAME, rules=replace(GAME.rules, view=view))


@violates(Invariant.VIEWS)
def view_changes_state() -> StraitsGame:
    def view(state: Straits, data: Figures, seat: str | None) -> View:
        state.rough = not state.rough
        return straits.view(state, data, seat)

    return replace(GAME, rules=replace(GAME.rules, view=view))


@violates(Invariant.VIEWS)
def view_changes_later() -> StraitsGame:
    def view(state: Straits, data: Figures, seat: str | None) -> View:
        return straits.view(state, data, seat) | {"drawn": state.drawn}

    return replace(GAME, rules=replace(GAME.rules, view=view))


@violates(Invariant.LOG)
def log_line_of_unknown_rule() -> StraitsGame:
    return before("weather", lambda table: table.log_line("7", "The barometer falls."))


@violates(Invariant.LOG)
def log_line_to_unknown_seat() -> StraitsGame:
    def action(table: T) -> None:
        table.log_line("3", "The barometer falls.", audience=("admiral",))

    return before("weather", action)


# -- resampling and files ----------------------------------------------------------------------------------------------


@violates(Invariant.IMAGINES)
def resample_ignores_closure() -> StraitsGame:
    """Variables of running rules keep the true state, so an imagined match reveals it."""

    def resample(state: Straits, data: Figures, seat: str, random: Random) -> Straits:
        return straits.resample(deepcopy(state), data, seat, random)

    return replace(GAME, rules=replace(GAME.rules, resample=resample))


@violates(Invariant.IMAGINES)
def resample_breaks_pending_decision() -> StraitsGame:
    """Resampling works only at phase boundaries: it removes the pending decision's options."""

    def ask(table: T) -> Steps:
        table.state.rough = True
        ready = [lane for lane in straits.LANES if table.state.rough or lane.key == "north"]
        yield from table.choose("red", "2", "Lights?", ready, text=lambda lane: f"{lane} {table.state.rough}")
        table.state.rough = False

    def resample(state: Straits, data: Figures, seat: str, random: Random) -> Straits:
        state.rough = False
        return straits.resample(state, data, seat, random)

    game = _ask_before("red-sail", ask)
    return replace(game, rules=replace(game.rules, resample=resample))


@violates(Invariant.BRINGS)
def unknown_rule_number() -> StraitsGame:
    return replace(GAME, options=[replace_struct(option, rule="7.7") for option in GAME.options])


@violates(Invariant.BRINGS)
def unknown_colour() -> StraitsGame:
    return replace(GAME, presentation=replace(GAME.presentation, colours={"red": "vermilion"}))


@violates(Invariant.BRINGS)
def colour_of_misspelt_side() -> StraitsGame:
    return replace(GAME, presentation=replace(GAME.presentation, colours={"redd": "japan"}))


@violates(Invariant.BRINGS)
def rule_number_twice() -> StraitsGame:
    game = replace(GAME)
    vars(game)["rulebook"] = replace_struct(game.rulebook, rule=[*game.rulebook.rule, game.rulebook.rule[0]])
    return game


def _with_steps(**fields: Any) -> StraitsGame:
    """Return the game with a lesson that has such a step for every rule."""
    game = replace(GAME, presentation=replace(GAME.presentation, layout=lambda view: {"ships": []}))
    steps = [Step(rule.number, rule.title, "Sail.", **fields) for rule in game.rulebook.rule]
    scenario, bot = game.rules.scenarios(game.data)[0].key, next(iter(game.analysis.bots), "random")
    vars(game)["lesson"] = Tutorial("A lesson", "", "", "", "red", bot, scenario, "lesson", 5, "", steps)
    return game


@violates(Invariant.BRINGS)
def lesson_shows_what_is_not_there() -> StraitsGame:
    return _with_steps(show=["no-such-ship"])


@violates(Invariant.BRINGS)
def lesson_picks_what_is_no_option() -> StraitsGame:
    return _with_steps(pick={"no-such-lane-*": 1})


@violates(Invariant.BRINGS)
def board_raises() -> StraitsGame:
    def layout(view: MatchView[Any]) -> dict[str, Any]:
        return {"ships": view.table["no such thing"]}

    return replace(GAME, presentation=replace(GAME.presentation, layout=layout))


@violates(Invariant.BRINGS)
def board_template_names_unknown_variable() -> StraitsGame:
    return replace(GAME, presentation=replace(GAME.presentation, layout=lambda view: {"shops": []}))


@violates(Invariant.BRINGS)
def bot_answers_illegally() -> StraitsGame:
    return replace(GAME, analysis=replace(GAME.analysis, bots={"bold": lambda seat, random: lambda *_: ["x"]}))


@violates(Invariant.BRINGS)
def utility_out_of_range() -> StraitsGame:
    return replace(GAME, analysis=replace(GAME.analysis, utility=lambda outcome, side: 2.0))
