"""[13.4] March: the training field, security measures, morale and elite crewmen."""

from __future__ import annotations

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.games.doolittle.planning import blotter, incidents, training
from readyroom.games.doolittle.planning.blotter import liberty_words
from readyroom.games.doolittle.state import T, choose_exactly

LIBERTY, INFORM, KEEP = "liberty", "tell", "keep"


def march(table: T) -> Steps:
    """[13.4] Play March: incidents, field, measures, morale, elite crewmen and training."""
    if incidents.begin_month(table, "march"):
        return
    yield from choose_field(table)
    yield from choose_measures(table)
    yield from brief_squadron(table)
    yield from gain_elites(table)
    yield from training.train(table)


def choose_field(table: T) -> Steps:
    """[13.4.1] Choose Eglin or McClellan Field, with or without liberty."""
    figures = table.data.training.sites
    options = []
    for key, card in figures.site.items():
        note = f"dice of secrecy {card.secrecy}, training points {card.training}"
        options.append(Option(key, card.title, (key, False), OptionInfo(note)))
        cost = liberty_words(table.state, table.data, key)
        more = f"{note}; morale +{figures.liberty_morale}; in April {cost}"
        options.append(Option(f"{key}-{LIBERTY}", f"{card.title}, with liberty", (key, True), OptionInfo(more)))
    chosen = yield from table.choose(table.state.captain, "13.4.1", "Where do the crews train?", options)
    notes = table.state.notes
    notes.site, notes.liberty = chosen.value
    table.log_line("13.4.1", "The crews train at {}.", chosen.text, target=notes.site)
    table.state.add_to_story("trained-at", notes.site)


def choose_measures(table: T) -> Steps:
    """[13.4.2, DR81] Choose security measures, as many as morale allows with what can still raise it."""
    figures, state, options = table.data.training, table.state, []
    for key, card in figures.measures.measure.items():
        note = f"dice of secrecy +{card.secrecy}" + (f", morale −{-card.morale}" if card.morale else "")
        options.append(Option(key, card.title, key, OptionInfo(note), -card.morale))
    relief = figures.morale.briefed + (0 if state.notes.liberty else figures.sites.liberty_morale)
    budget, question = max(0, blotter.morale_shift(state, table.data) + relief), "Which security measures do you take?"
    chosen = yield from table.choose_some(
        state.captain, "13.4.2", question, options, cost=lambda option: option.cost, budget=budget
    )
    for option in chosen:
        state.notes.measures.append(option.value)
        table.log_line("13.4.2", "{}.", option.text, target=option.value)


def brief_squadron(table: T) -> Steps:
    """[13.4.3] Choose whether the squadron is informed; below low it must be, or get liberty."""
    if blotter.morale_shift(table.state, table.data) < 0:
        yield from _below_low(table)
    if not table.state.notes.squadron_briefed:
        note = OptionInfo(f"morale unchanged: {_box_words(table, 0)}")
        options = [Option(KEEP, "Do not inform the crews", KEEP, note), _inform_option(table)]
        chosen = yield from _ask_captain(table, "Do you inform the crews that they will bomb Japan?", options)
        if chosen == INFORM:
            _inform(table)
    table.log_line("13.4.3", "Morale: {}.", blotter.morale_box(table.state, table.data).title, target="morale")


def _below_low(table: T) -> Steps:
    """[13.4.3, DR81] Choose what keeps morale from falling below low."""
    notes, figures = table.state.notes, table.data.training.sites
    options = [_inform_option(table)]
    if not notes.liberty:
        cost = liberty_words(table.state, table.data, notes.site, settled=True)
        note = OptionInfo(f"morale +{figures.liberty_morale}; in April {cost}")
        options.append(Option(LIBERTY, "Grant liberty", LIBERTY, note))
    chosen = yield from _ask_captain(table, "Morale would fall below low. How do you raise it?", options)
    if chosen == INFORM:
        _inform(table)
    else:
        notes.liberty = True
        table.log_line("13.4.3", "The crews get liberty after all.", target="liberty")


def _ask_captain(table: T, question: str, options: list[Option]) -> Choice[str]:
    chosen = yield from table.choose(table.state.captain, "13.4.3", question, options)
    return str(chosen.value)


def _inform_option(table: T) -> Option:
    figures = table.data.training.morale
    risk = table.data.embarkation.risk.squadron_briefed
    after = _box_words(table, figures.briefed)
    return Option(INFORM, "Inform the crews", INFORM, OptionInfo(f"morale +{figures.briefed}: {after}; risk +{risk}"))


def _box_words(table: T, more: int) -> str:
    """[13.4.3] Return the effect of the box of morale a number of shifts on."""
    boxes = table.data.training.morale.box
    box = boxes[max(0, min(len(boxes) - 1, blotter.morale_shift(table.state, table.data) + more))]
    return f"{box.title}, {box.elites} elite crewmen and {box.training} training points"


def _inform(table: T) -> None:
    table.state.notes.squadron_briefed = True
    table.log_line("13.4.3", "Doolittle informs the crews that they will bomb Japan.", target="tell")
    table.state.add_to_story("told")


def gain_elites(table: T) -> Steps:
    """[13.4.3, 2.3, 2.3.1 to 2.3.7, DR80] Draw, or as an option choose, as many elite crewmen as morale allows."""
    number = blotter.morale_box(table.state, table.data).elites
    if table.state.rulings.elites == "drawn":
        training.draw_elites(table, number, "13.4.3")
        return
    cup, notes, options = table.state.notes.men, table.state.notes, []
    for man in cup.contents:
        card = table.data.bombers.crewmen[man.key]
        benefit = table.data.bombers.benefits[card.benefit]
        note = OptionInfo(f"{benefit.title}: {benefit.text}")
        options.append(Option(man.key, f"{card.name}, {card.role}", man.key, note))
    number = min(number, len(options))
    question = "Which elite crewman joins?" if number == 1 else f"Which {number} elite crewmen join?"
    picked = yield from choose_exactly(table, "13.4.3", question, options, number)
    for man in [man for man in cup.contents if man.key in picked]:
        cup.contents.remove(man)
        notes.aside.append(man)
        table.log_line("2.3", "{} joins.", KeyedText(training.elite_name(table, man), man.key), target=man)
        table.state.add_to_story("joined", man.key)
