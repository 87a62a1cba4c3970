"""[13.4.9] Training to take off from a short deck: how many bombers may go aboard, and what it costs in bombers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.games.doolittle.names import count_in_words
from readyroom.games.doolittle.planning import accidents, blotter
from readyroom.games.doolittle.state import T

CRASH, DAMAGE = "c", "d"
FACES = range(1, 7)


def train_take_off(table: T) -> Steps:
    """[13.4.9] Choose whether to train short take-offs: a point rolls two dice, another point a third."""
    notes, figures = table.state.notes, table.data.training.short_take_off
    if notes.points < figures.cost:
        return
    note = OptionInfo("without extra training later, no bomber goes aboard and there is no raid")
    train = Option("train", "Train", True, _average_result(table))
    have = count_in_words(notes.points, "training point")
    question = f"Short take-off: train it? Cost {figures.cost}; you have {have}."
    options = [train, Option("leave", "Skip", False, note)]
    chosen = yield from table.choose(table.state.captain, "13.4.9", question, options)
    if not chosen.value:
        return
    notes.points -= figures.cost
    dice = table.roll_dice("13.4.9", "short-take-off", figures.dice)
    burden = figures.heavy if blotter.is_heavy(table.state, table.data) else 0
    total = sum(dice) + burden
    text = f"{' + '.join(map(str, dice))}{' − 1 for the weight' if burden else ''} is {total}"
    table.log_line("13.4.9", "Short take-off: {}.", text, target="short-take-off")
    yield from _move_marker(table, max(figures.space[0].space, total))
    yield from _adjust(table)


def _adjust(table: T) -> Steps:
    """[13.4.9] Choose whether another point rolls a third die, which moves the marker on."""
    notes, figures = table.state.notes, table.data.training.short_take_off
    if notes.points < figures.adjust_cost or space_above(table, 1) is None:
        return
    note = OptionInfo(f"costs {figures.adjust_cost}; {_expected_text(table, FACES)}")
    enough = f"{blotter.deck_capacity(table.state, table.data)} aboard are enough"
    options = [Option("enough", enough, False), Option("adjust", "Continue training", True, note)]
    question = f"Short take-off, with {count_in_words(notes.points, 'training point')} left: roll a third die?"
    chosen = yield from table.choose(table.state.captain, "13.4.9", question, options)
    if chosen.value:
        notes.points -= figures.adjust_cost
        die = sum(table.roll_dice("13.4.9", "adjustment", figures.adjust_dice))
        table.log_line("13.4.9", "Further training moves the marker {} spaces.", die, target="short-take-off")
        yield from climb(table, die)


def space_above(table: T, steps: int) -> int | None:
    """[13.4.9] Return the space a number of steps above the marker, the topmost if there are fewer; none at the top."""
    spaces = [one.space for one in table.data.training.short_take_off.space]
    higher = [space for space in spaces if space > table.state.notes.deck]
    return higher[min(steps, len(higher)) - 1] if higher else None


def climb(table: T, steps: int) -> Steps:
    """[13.4.9] Move the marker up, with all mishaps on the way."""
    space = space_above(table, steps)
    if space is not None:
        yield from _move_marker(table, space)


def passed_mishaps(table: T, space: int) -> str:
    """[13.4.9, DR55] Return the letters of all spaces that are entered or passed up to this one."""
    now = table.state.notes.deck
    return "".join(one.mishaps for one in table.data.training.short_take_off.space if now < one.space <= space)


def _move_marker(table: T, space: int) -> Steps:
    """[13.4.9] Move the marker to a space: bombers are damaged and wrecked, and a number of them may go aboard."""
    space = min(space, table.data.training.short_take_off.space[-1].space)
    letters = passed_mishaps(table, space)
    table.state.notes.deck = space
    count = blotter.deck_capacity(table.state, table.data)
    table.log_line("13.4.9", "Space {}: room for {} bombers aboard.", space, count, target=f"deck-space-{space}")
    yield from accidents.damage_bombers(table, letters.count(DAMAGE), "13.4.9", "training")
    yield from accidents.wreck_bombers(table, letters.count(CRASH), "13.4.9", "training")


def _average_result(table: T) -> OptionInfo:
    """[13.4.9] Return the average result of two dice."""
    figures = table.data.training.short_take_off
    burden = figures.heavy if blotter.is_heavy(table.state, table.data) else 0
    lowest, rolls = figures.space[0].space, product(FACES, repeat=figures.dice)
    return OptionInfo(_mean_text(table, [max(lowest, sum(faces) + burden) for faces in rolls]))


def _expected_text(table: T, steps: Sequence[int]) -> str:
    spaces = [space_above(table, one) for one in steps]
    return _mean_text(table, [space for space in spaces if space is not None])


def _mean_text(table: T, spaces: list[int]) -> str:
    """Return the given number of aboard, damaged and wrecked on average over these spaces."""
    by_space = {one.space: one.capacity for one in table.data.training.short_take_off.space}
    letters = [passed_mishaps(table, space) for space in spaces]
    aboard = Fraction(sum(by_space[space] for space in spaces), len(spaces))
    damaged = Fraction(sum(one.count(DAMAGE) for one in letters), len(spaces))
    wrecked = Fraction(sum(one.count(CRASH) for one in letters), len(spaces))
    return f"on average {float(aboard):.1f} aboard, {float(damaged):.1f} damaged and {float(wrecked):.1f} wrecked"


def extra_hint(table: T) -> OptionInfo:
    """[13.4.9] Return what one space more would mean."""
    return OptionInfo(_expected_text(table, [table.data.training.short_take_off.extra]))
