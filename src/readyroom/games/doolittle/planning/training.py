"""[13.4.4 to 13.4.8] Training: points for five categories, and extra training."""

from __future__ import annotations

from itertools import accumulate

from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Steps
from readyroom.engine.text import count_noun
from readyroom.games.doolittle.figures.planning import Level, Track
from readyroom.games.doolittle.pieces import EliteMan
from readyroom.games.doolittle.planning import blotter, deck_training
from readyroom.games.doolittle.state import T


def train(table: T) -> Steps:
    """[13.4.4] Count the points and spend them; the short take-off comes first."""
    state, notes = table.state, table.state.notes
    notes.points = blotter.training_points(state, table.data)
    table.log_line("13.4.4", "Training points to spend: {}.", _points(notes.points))
    yield from deck_training.train_take_off(table)
    for key, track in usable_tracks(table).items():
        yield from _choose_levels(table, key, track)
    yield from _choose_extra(table)
    state.ratings = blotter.squadron_ratings(state, table.data)
    if blotter.deck_capacity(state, table.data) < table.data.planning.selection.least:
        table.log_line("13.4.9", "The crews have not learned short take-offs.")


def usable_tracks(table: T) -> dict[str, Track]:
    """[13.4.4, 13.4.5] Return the tracks that may be used: of the two of gunnery that of the guns that are there."""
    made = table.state.notes.modifications
    return {
        key: track
        for key, track in table.data.training.training.track.items()
        if (not track.needs or track.needs in made) and track.unless not in made
    }


def _choose_levels(table: T, key: str, track: Track) -> Steps:
    """[13.4.5, 13.4.6, 13.4.7, 13.4.8, DR78] Choose how far a category is trained, as the points allow."""
    notes = table.state.notes
    costs = list(accumulate(level.cost for level in track.level))
    options = [Option(f"{key}-0", "No training", 0, OptionInfo("free"))]
    for number, (level, cost) in enumerate(zip(track.level, costs, strict=True), start=1):
        if cost <= notes.points:
            note = OptionInfo(f"{level_words(track, level)}; costs {_points(cost)}")
            options.append(Option(f"{key}-{number}", f"Level {number}", number, note, cost))
    if len(options) == 1:
        return
    question = f"{track.title}, with {_points(notes.points)} left: train to which level?"
    chosen = yield from table.choose(table.state.captain, track.rule, question, options)
    if chosen.value:
        notes.points -= chosen.cost
        notes.training[key] = chosen.value
        points, target = _points(chosen.cost), f"{key}-{chosen.value}"
        table.log_line(track.rule, "{}: level {}, for {}.", track.title, chosen.value, points, target=target)


def level_words(track: Track, level: Level) -> str:
    """[13.4.5 to 13.4.8, DR77, DR79] Return what a level is worth, in words."""
    light = "by night" if track.category == "night" else "by day"
    named = [
        ("+{} gunnery die" if level.gunnery == 1 else "+{} gunnery dice", level.gunnery),
        ("evasion {}", level.evasion),
        ("+{} for elite pilots", level.elite_evasion),
        (f"+{{}} for searches and approaches {light}", level.navigation),
        ("+{} evasion by night", level.night_evasion),
    ]
    return ", ".join(text.format(value) for text, value in named if value)


def _points(number: int) -> str:
    return count_noun(number, "training point")


def _choose_extra(table: T) -> Steps:
    """[13.4.4, 13.4.9, DR137] Choose extra training, one category at a time, each after the last one's crewman."""
    figures = table.data.training.training
    risk = f"one more elite crewman, risk +{figures.extra_risk}, and a safer flight to the coast"
    while options := _extra_options(table):
        options.append(Option("extra-none", "No more extra training"))
        question = f"Which extra training? Each gives {risk}."
        chosen = yield from table.choose(table.state.captain, "13.4.4", question, options)
        if chosen.value is None:
            return
        yield from _train_extra(table, chosen)


def _extra_options(table: T) -> list[Option]:
    """[13.4.4, 13.4.9] Return the categories that can have extra training: each once, and none that is at its top."""
    notes, figures = table.state.notes, table.data.training.training
    options = list[Option]()
    for key, track in usable_tracks(table).items():
        level = notes.training.get(key, 0) + figures.extra_levels
        if level <= len(track.level) and key not in notes.extra:
            note = OptionInfo(level_words(track, track.level[level - 1]))
            options.append(Option(f"extra-{key}", track.title, key, note))
    steps = table.data.training.short_take_off.extra
    if deck_training.space_above(table, steps) is not None and blotter.DECK not in notes.extra:
        options.append(Option(f"extra-{blotter.DECK}", "Short take-off", blotter.DECK, deck_training.extra_hint(table)))
    return options


def _train_extra(table: T, option: Option) -> Steps:
    """[13.4.4, 13.4.9] Train one level or space more, and draw an elite crewman."""
    notes, figures = table.state.notes, table.data.training.training
    notes.extra.append(option.value)
    table.log_line("13.4.4", "Extra training: {}.", option.text)
    if option.value == blotter.DECK:
        yield from deck_training.climb(table, table.data.training.short_take_off.extra)
    else:
        notes.training[option.value] = notes.training.get(option.value, 0) + figures.extra_levels
    draw_elites(table, figures.extra_elites, "13.4.4")


def draw_elites(table: T, number: int, rule: str) -> None:
    """[2.3, 13.4.3, 13.4.4] Draw elite crewmen from their cup while there are any."""
    notes = table.state.notes
    for _ in range(min(number, len(notes.men.contents))):
        man = table.draw(notes.men, rule, "elite")
        notes.aside.append(man)
        table.reveal(rule, "{} joins.", KeyedText(elite_name(table, man), man.key), target=man)
        table.state.add_to_story("joined", man.key)


def elite_name(table: T, man: EliteMan) -> str:
    """[2.3] Return an elite crewman and his benefit."""
    card = table.data.bombers.crewmen[man.key]
    return f"{card.name}, {card.role} ({table.data.bombers.benefits[card.benefit].title.lower()}),"
