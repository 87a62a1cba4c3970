"""[13.3] February: the modifications of the bombers."""

from __future__ import annotations

from readyroom.engine.rules.decisions import BudgetGroup, Option, OptionInfo
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle.figures.planning import ModificationCard
from readyroom.games.doolittle.names import count_in_words
from readyroom.games.doolittle.planning import blotter, incidents
from readyroom.games.doolittle.state import T


def february(table: T) -> Steps:
    """[13.3] Play February: incidents, then the modifications."""
    if incidents.begin_month(table, "february"):
        return
    yield from modify(table)


def modify(table: T) -> Steps:
    """[13.3.1, 13.3.2, 13.3.3] Choose modifications for all bombers, at most one of each box."""
    ways, boxes = list[Option](), dict[str, list[Option]]()
    for card in table.data.modifications.modifications.modification:
        ways.append(_option(table, card))
        boxes.setdefault(card.box, []).append(ways[-1])
    groups = [BudgetGroup(f"box-{box}", f"box {box}", some) for box, some in boxes.items()]
    chosen = yield from table.choose_some(
        table.state.captain, "13.3.2", _question_text(table), ways, cost=lambda _: 1, budget=1, budget_groups=groups
    )
    for card in [table.data.modifications.cards[key] for option in chosen for key in option.value]:
        table.state.notes.modifications.append(card.key)
        table.log_line(f"13.3.3.{card.box}", "{}.", card.title, target=card.key)
    apply_modifications(table)


def _question_text(table: T) -> str:
    """[13.3.2, 13.4.9, 13.5.5] Return the question, with the weight now and what modifications change."""
    state, figures = table.state, table.data.modifications
    weight = blotter.bomber_weight(state, table.data)
    light = figures.factory.heavy_from - 1
    doolittle = blotter.has_doolittle(state, "february")
    late = "" if doolittle else " Each modification makes a delay more likely."
    value = f"Weight {weight}, guzzle number {figures.guzzle.at(weight)}: less is better"
    return f"How are the bombers modified? {value}; above weight {light} they are heavy for a short deck.{late}"


def modification_steps(table: T, card: ModificationCard) -> list[str]:
    """[13.3.2] Return the modifications that a way takes: what it needs, and itself; each counts."""
    before = modification_steps(table, table.data.modifications.cards[card.needs]) if card.needs else []
    return [*before, card.key]


def _option(table: T, card: ModificationCard) -> Option:
    """[13.3.3] Return a modification of the bombers: its effect, its weight, and its cost.

    The boxes are the radio [13.3.3.A], the bombsight [13.3.3.B], propellers and carburetors [13.3.3.C], the top turret
    [13.3.3.D], armor [13.3.3.E], fake guns [13.3.3.F], de-icers [13.3.3.G], tanks or ordnance [13.3.3.H], the ventral
    turret [13.3.3.I] and the guns [13.3.3.J].
    """
    taken = [table.data.modifications.cards[key] for key in modification_steps(table, card)]
    sums = [(name, sum(getattr(one, name) for one in taken)) for name in ("weight", "gunnery", "training", "morale")]
    texts = [f"{name} {value:+d}".replace("-", "−") for name, value in sums if value]
    if len(taken) > 1:
        texts.append(f"{len(taken)} modifications")
    note = f"{card.text} {', '.join(texts).capitalize()}." if texts else card.text
    return Option(card.key, card.title, tuple(one.key for one in taken), OptionInfo(note))


def apply_modifications(table: T) -> None:
    """[13.3.2, 13.3.3] Set ratings, weight, armor and turrets by the modifications."""
    state = table.state
    made = blotter.made_modifications(state, table.data)
    state.armour = next((card.armour for card in made if card.armour), "normal")
    state.turrets = sum(card.turret for card in made) == blotter.TURRETS
    state.ratings = blotter.squadron_ratings(state, table.data)
    weight, guzzle = blotter.bomber_weight(state, table.data), state.ratings.guzzle
    count = capitalize_first(count_in_words(len(made), "modification"))
    table.log_line("13.3.2", "{}: weight {}, guzzle number {}.", count, weight, guzzle, target="workshop")
    state.add_to_story("modified", " ".join(card.key for card in made))
