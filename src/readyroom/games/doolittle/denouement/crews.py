"""[2.2, 14.0.1, 14.2, 14.4.4] Crews that have come down: their re-rolls, ditched ones, and the Japanese search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from readyroom.engine.rules.charts import Chart
from readyroom.engine.rules.checks import ChartRoll, Roll
from readyroom.engine.rules.decisions import Option, OptionInfo
from readyroom.engine.rules.state import KeyedText
from readyroom.engine.rules.table import Choice, Steps
from readyroom.engine.text import agree, capitalize_first, join_list
from readyroom.games.doolittle.bombers import has_benefit, use_crewman
from readyroom.games.doolittle.figures.common import label_of
from readyroom.games.doolittle.figures.data import Data
from readyroom.games.doolittle.names import number_word, pilot_name
from readyroom.games.doolittle.pieces import Bomber, Crew, EliteMan
from readyroom.games.doolittle.rolls import FaceCheck, Faces, Reroll, offer_rerolls
from readyroom.games.doolittle.state import Doolittle, T, seat_of


def add_crew(table: T, bomber: Bomber, where: str, *, fit: bool = True) -> Crew:
    """[14.0.1] Give a crew a marker of its own where its bomber came down; its elite crewman goes with it."""
    men = [bomber.elite] if bomber.elite else []
    bomber.elite = None
    crew = Crew(bomber.key, where, fit, men)
    table.state.crews.append(crew)
    return crew


def active_crews(state: Doolittle, where: str = "") -> list[Crew]:
    """[14.0.1] Return the crews without a final fate, all of them or those at a place."""
    return [crew for crew in state.crews if not crew.fate and where in ("", crew.where)]


def crew_name(table: T, crew: Crew) -> str:
    """Return a crew's name: that of its pilot."""
    return f"{pilot_name(table.data, crew.key)}'s crew"


def crew_names(table: T, crews: Sequence[Crew]) -> str:
    """Return the names of several crews: those of their pilots."""
    if len(crews) == 1:
        return crew_name(table, crews[0])
    return f"the crews of {join_list([pilot_name(table.data, crew.key) for crew in crews])}"


def health_info(table: T, crew: Crew) -> OptionInfo:
    """[14.0.1] Return a crew's health and its elite crewmen as option info."""
    men = [table.data.bombers.crewmen[man.key].name for man in crew.elites]
    return OptionInfo(", ".join(["fit" if crew.fit else "wounded", *men]))


def crew_key(crew: Crew) -> str:
    """Return the key of a crew on the board; its own is that of its bomber."""
    return f"crew-{crew.key}"


def crew_text(table: T, crews: Sequence[Crew]) -> KeyedText:
    """Return the names of crews for the log, with their keys."""
    return KeyedText(crew_names(table, crews), *map(crew_key, crews))


def record_fate(table: T, crew: Crew, fate: str, where: str = "") -> None:
    """[14.0.1] Record the final fate of a crew."""
    crew.fate = fate  # type: ignore[assignment]
    crew.where = where or crew.where
    table.state.add_to_story(f"crew-{fate}", crew.key, crew.where)


# -- elite crewmen ---------------------------------------------------------------------------------------------------


def roll_for_crews(table: T, check: FaceCheck, subject: str, crews: Sequence[Crew]) -> Choice[Roll]:
    """[2.3.7] Roll a check for crews; if it fails, an elite pilot among them may re-roll."""
    return (yield from offer_rerolls(table, check, table.roll(check, subject), subject, _pilot_rerolls(table, crews)))


def _pilot_rerolls(table: T, crews: Sequence[Crew]) -> Iterator[Reroll]:
    """[2.3.7] Yield the re-rolls of the elite pilots among some crews."""
    for crew in crews:
        for man in crew.elites:
            if has_benefit(table.data, man, "re-roll"):
                name, seat = table.data.bombers.crewmen[man.key].name, seat_of(table.state, crew.key)
                yield Reroll(name, "2.3.7", seat, crew.key, partial(use_crewman, table, man))


# -- charts ----------------------------------------------------------------------------------------------------------


class ChartCheck(FaceCheck, frozen=True, eq=False, kw_only=True):
    """Dice that are read on a chart; the check succeeds on a good cell."""

    at_least: int | None = 0
    chart: Chart
    column: str
    good: tuple[str, ...]

    def succeeds(self, faces: Faces) -> bool:
        """Return whether the dice give a good cell."""
        return self.chart.cell(sum(faces), self.column) in self.good

    def arithmetic(self) -> str:
        """Return the dice and the column."""
        return f"{self.chart.dice} on {self.chart.id}, {self.column}"


def chart_check(chart: Chart, column: str, good: Sequence[str]) -> ChartCheck:
    """Return a check of one column of a chart, which succeeds on a good cell."""
    dice, _ = chart.dice_pool()
    return ChartCheck(chart.rule, chart.title.lower(), dice, chart=chart, column=column, good=tuple(good))


def roll_on_chart(
    table: T, check: ChartCheck, subject: str, crews: Sequence[Crew], fair: Sequence[str] = ()
) -> Choice[ChartRoll[str]]:
    """[2.3.7] Roll on a chart for some crews; an elite pilot among them may re-roll the dice.

    After a roll worse than a `fair` cell, the re-roll succeeds on a fair cell as well.
    """
    chart, column = check.chart, check.column
    roll = table.roll(check, subject)
    if chart.cell(roll.total, column) not in (*check.good, *fair):
        check = chart_check(chart, column, (*check.good, *fair))
    roll = yield from offer_rerolls(table, check, check.read(roll.dice), subject, _pilot_rerolls(table, crews))
    return ChartRoll(chart.id, column, roll.dice, check.sides, (), roll.total, chart.cell(roll.total, column))


# -- ditched crews -----------------------------------------------------------------------------------------------------


MISSING, CAPTURED, MAYBE = "missing", "captured", "missing unless submarine"
HILLS = {"china wounded": False, "china fit": True}
"""[14.2.1] The results that put a crew on foot in China, and whether it is fit."""
HOPED = ("china fit",)
DITCHED_TEXT = {
    MISSING: "it is missing",
    CAPTURED: "it is captured",
    MAYBE: "it drifts at sea",
    "china wounded": "it is on foot in China, and some of its men are hurt",
    "china fit": "it is on foot in China",
}


def ditching(table: T) -> Steps:
    """[14.2, 14.0.1, 4.0.1] Check each crew that ditched; those that came down over a target are captured."""
    waiting = list[Crew]()
    for bomber in table.state.squad.values():
        if bomber.fate == "captured":
            record_fate(table, add_crew(table, bomber, bomber.where), CAPTURED)
        elif bomber.fate == "ditched":
            crew = add_crew(table, bomber, bomber.where)
            if bomber.where in table.data.flight.order:
                waiting.append(crew)
            else:
                record_fate(table, crew, "home")
                table.log_line("14.2", "The ships pick up {}.", crew_text(table, [crew]), target=crew_key(crew))
    while waiting:
        crew = yield from _next_crew(table, waiting)
        waiting.remove(crew)
        yield from ditched_check(table, crew, crew.where)


def _next_crew(table: T, waiting: Sequence[Crew]) -> Choice[Crew]:
    """[14.2.1, DR149] Choose which crew is checked next; the order matters if submarines cannot rescue them all."""
    chart = table.data.denouement.ditched
    adrift = [crew for crew in waiting if MAYBE in chart.odds(ditched_column(table, crew.where))]
    if not 0 < _rescue_capacity(table) < len(adrift):
        return waiting[0]
    options = [Option(f"check-{crew.key}", crew_name(table, crew), crew, health_info(table, crew)) for crew in waiting]
    question = f"Which ditched crew is checked next? Submarines can rescue {number_word(_rescue_capacity(table))}."
    return (yield from table.choose(table.state.captain, "14.2.1", question, options)).value  # type: ignore[no-any-return]


def ditched_column(table: T, zone: str) -> str:
    """[14.2.1, DR49] Return the column of a zone: east of Japan, Japan, or west of it."""
    order, columns = table.data.flight.order, table.data.denouement.ditched.columns
    japan = order.index(table.data.flight.zones.japan)
    at = order.index(zone)
    return columns[(at >= japan) + (at > japan)]


def ditched_check(table: T, crew: Crew, zone: str) -> Steps:
    """[14.2.1, 2.3.7] Roll one die for a crew, by where it came down; an elite pilot aboard may re-roll it."""
    good = (*HOPED, *((MAYBE,) if _rescue_capacity(table) else ()))
    check = chart_check(table.data.denouement.ditched, ditched_column(table, zone), good)
    roll = yield from roll_on_chart(table, check, crew.key, [crew], tuple(HILLS))
    rescued = roll.cell == MAYBE and bool(_rescue_capacity(table))
    moment = f"{crew_name(table, crew)} is captured" if roll.cell == CAPTURED else ""
    if roll.cell in HILLS:
        crew.fit, crew.where = HILLS[roll.cell], table.data.denouement.routes.on_foot
        table.state.add_to_story("on-foot", crew.key, zone)
    elif not rescued:
        record_fate(table, crew, CAPTURED if roll.cell == CAPTURED else MISSING)
    text, target = "{} ditched: {}.", crew_key(crew)
    what = DITCHED_TEXT[roll.cell]
    table.log_line("14.2.1", text, crew_text(table, [crew]), what, roll, target=target, moment=moment)
    if rescued:
        record_fate(table, crew, "rescued")
        text, moment = "A submarine off Japan takes {} aboard.", f"{crew_name(table, crew)} is saved"
        table.log_line("14.2.1", text, crew_text(table, [crew]), target=target, moment=moment)


def _rescue_capacity(table: T) -> int:
    """[14.2.1] Return how many crews submarines in contact off Japan can still take aboard."""
    rescued = sum(crew.fate == "rescued" for crew in table.state.crews)
    return table.state.sky.submarines * table.data.ships.submarines.rescues - rescued


# -- the Japanese search -----------------------------------------------------------------------------------------------


NONE, ALL, CLOSE = "0", "all", "close"
FIT, WOUNDED = "fit", "wounded"
SEARCH_TEXT = {NONE: "and find none of them", ALL: "and find all of them", CLOSE: "and come close"}
"""[14.4.4] What comes of a search, in words."""


def search_for_crews(table: T, party: Sequence[Crew], where: str) -> Steps:
    """[14.4.4] Search for a party in two groups, the fit and the wounded; crews that stay free have no fate yet."""
    fit, wounded = [crew for crew in party if crew.fit], [crew for crew in party if not crew.fit]
    for health, group in ((FIT, fit), (WOUNDED, wounded)):
        if group:
            yield from _search_group(table, group, health, where)


def search_column(table: T, group: Sequence[Crew], health: str) -> str:
    """[14.4.4, 2.3.3] Return the column for the number of crews; a doctor makes the wounded count as fit."""
    if any(has_benefit(table.data, man, "medic") for crew in group for man in crew.elites):
        health = FIT
    return capture_column(table.data, health, len(group))


def capture_column(data: Data, health: str, crews: int) -> str:
    """[14.4.4] Return the column for a number of crews of one health."""
    numbers = [one.partition(" ")[2] for one in data.denouement.capture.columns]
    return f"{health} {label_of(numbers, crews)}"


def _search_group(table: T, group: list[Crew], health: str, where: str) -> Steps:
    """[14.4.4] Roll one die for a group: some are captured, or one has a close call."""
    chart, column_ = table.data.denouement.capture, search_column(table, group, health)
    if health == WOUNDED and column_.startswith(FIT):
        text = "The doctor treats {}: they count as fit."
        table.log_line("2.3.3", text, crew_text(table, group), target=crew_key(group[0]))
    partly_free = [cell for cell in chart.odds(column_) if cell not in (NONE, ALL)]
    check, subject = chart_check(chart, column_, [NONE]), f"{group[0].key}-{health}"
    roll = yield from roll_on_chart(table, check, subject, group, partly_free)
    text = SEARCH_TEXT.get(roll.cell, "and find some of them")
    who, target = crew_text(table, group), crew_key(group[0])
    table.log_line("14.4.4", "The Japanese search for {} {}.", who, text, roll, target=target)
    if roll.cell == CLOSE:
        yield from _roll_close_call(table, group, where)
    elif roll.cell != NONE:
        count = len(group) if roll.cell == ALL else min(int(roll.cell), len(group))
        yield from _capture_crews(table, group, count, where)


def _capture_crews(table: T, group: list[Crew], count: int, where: str) -> Steps:
    """[14.4.4, DR94] Capture crews, and as many elite crewmen of the group; the captain chooses them."""
    seat = seat_of(table.state, group[0].key)
    options = [Option(f"taken-{crew.key}", crew_name(table, crew), crew) for crew in group]
    question = "Which crews are captured?" if count > 1 else "Which crew is captured?"
    chosen = yield from table.choose_some(seat, "14.4.4", question, options, at_least=count, at_most=count)
    taken = [option.value for option in chosen]
    yield from _capture_crewmen(table, group, taken)
    for crew in taken:
        record_fate(table, crew, "captured", where)
    who, many = crew_text(table, taken), len(taken) > 1
    moment = f"{capitalize_first(who)} {agree(len(taken), 'is', 'are')} captured"
    target = crew_key(taken[0]) if not many else where
    table.reveal("14.4.4", "The Japanese capture {}.", who, target=target, moment=moment)


def _capture_crewmen(table: T, group: Sequence[Crew], taken: Sequence[Crew]) -> Steps:
    """[14.4.4, DR94] Capture as many elite crewmen as crews; they and the free ones change crews."""
    men, cards = [man for crew in group for man in crew.elites], table.data.bombers.crewmen
    options = [Option(f"man-{man.key}", f"{cards[man.key].name}, {cards[man.key].role}", man) for man in men]
    seat, question = seat_of(table.state, group[0].key), "Which elite crewmen are captured?"
    count = min(len(taken), len(men))
    chosen = yield from table.choose_some(seat, "14.4.4", question, options, at_least=count, at_most=count)
    lost: list[EliteMan] = [option.value for option in chosen]
    free = [crew for crew in group if crew not in taken]
    for crew in group:
        crew.elites = [man for man in crew.elites if (man in lost) == (crew in taken)]
    for man in men:
        if not any(man in crew.elites for crew in group):
            into = taken if man in lost else free
            min(into, key=lambda crew: len(crew.elites)).elites.append(man)


def _roll_close_call(table: T, group: Sequence[Crew], where: str) -> Steps:
    """[14.4.4, DR93] Draw one crew of the group by lot and roll for its close call."""
    at = table.roll_dice("14.4.4", f"{group[0].key}-lot", sides=len(group))[0] if len(group) > 1 else 1
    crew, chart = group[at - 1], table.data.denouement.close_call
    if len(group) > 1:
        text = "{} is drawn for the close call ({} of {})."
        table.log_line("14.4.4", text, crew_text(table, [crew]), at, len(group), target=crew_key(crew))
    effect, story = chart.columns
    check = chart_check(chart, effect, ["none"])
    roll = yield from roll_on_chart(table, check, f"{crew.key}-close", [crew], ["wounded"])
    table.state.add_to_story("close-call", crew.key, str(roll.total))
    if roll.cell == "wounded":
        crew.fit = False
    elif roll.cell != "none":
        record_fate(table, crew, {"lost": "killed"}.get(roll.cell, roll.cell), where)
    text, tale = "{} has a close call. {}", chart.cell(roll.total, story)
    table.reveal("14.4.4", text, crew_text(table, [crew]), tale, roll, target=crew_key(crew))
