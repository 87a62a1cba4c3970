"""[1.9, 9.2, 13.0] The time line from January to June 1942, up to now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from readyroom.engine.text import capitalize_first, en_dashes, join_list
from readyroom.games.doolittle import names
from readyroom.games.doolittle.ending import facts
from readyroom.games.doolittle.ending.story import Entry, Sentence, Story
from readyroom.games.doolittle.state import Happening

MONTHS = ("January", "February", "March", "April", "May", "June")
APRIL, MAY, JUNE = MONTHS[3:]
LATER = ("crew-", "saved", "wrecked", "interned", "seized", "close-call", "on-foot")
"""What belongs to May: the ways home."""
WEIGHED = ("prisoners", "reprisal", "alliances", "kept")
"""What belongs to June: what the debriefing has rolled for."""


def events_by_month(teller: Story) -> list[Entry]:
    """Return all events by month; those that happened to several at a time are one entry."""
    story = list(enumerate(teller.state.story))
    launched = max((at for at, one in story if one.segment in ("planning", "naval")), default=-1) + 0.5
    entries = [(launched, entry) for entry in _launch_entry(teller)]
    items = [(at, one) for at, one in story if _template(teller, one)]
    for (month, day, _, _), group in groupby(
        items, key=lambda each: (*date_text(teller, each[1]), each[1].what, each[1].where)
    ):
        identical = list(group)
        entries.append((identical[0][0], Entry(month, day, _sentence(teller, identical))))
    ordered = sorted(entries, key=lambda one: (MONTHS.index(one[1].month), one[0]))
    return [entry for _, entry in ordered]


def _template(teller: Story, one: Happening) -> str:
    """Return what is said of a happening; some words mean one thing in planning and another at the end."""
    known = teller.data.debriefing.tales.line
    name, _, step = one.what.rpartition("-")
    if name in teller.data.debriefing.checks and step.isdecimal():
        return known["check"]
    return known.get(f"{one.what}-{one.segment}", known.get(one.what, ""))


def date_text(teller: Story, one: Happening) -> tuple[str, str]:
    """[5.2] Return the month and the day, or the hour in Japan, of a happening."""
    if one.what.startswith(WEIGHED):
        return JUNE, ""
    if one.segment == "planning":
        return (one.when or "january").capitalize(), ""
    if one.segment == "naval" and one.when:
        return APRIL, turn_dates(teller, int(one.when))
    if one.segment == "denouement" and one.what.startswith(LATER):
        return MAY, ""
    hours = teller.data.flight.clock.box
    return APRIL, hours[int(one.when) % len(hours)].label if one.when.isdecimal() else ""


def turn_dates(teller: Story, number: int) -> str:
    """[9.2] Return the days of a naval turn."""
    days = teller.data.sea.turns.turn
    if not number:
        return ""
    return en_dashes(days[min(max(number, 1), len(days)) - 1]).removesuffix(f" {APRIL}")


def _sentence(teller: Story, items: Sequence[tuple[int, Happening]]) -> Sentence:
    """Return what is said of happenings: the result of a check; or who was concerned, and where, or by what."""
    data, one = teller.data, items[0][1]
    template, refs = _template(teller, one), [f"story {at}" for at, _ in items]
    name, _, step = one.what.rpartition("-")
    if name in data.debriefing.checks:
        figures = data.debriefing.checks[name]
        return Sentence(template.format(title=figures.title, band=figures.band[int(step)].title), refs)
    people = list(dict.fromkeys(names.name_of(data, each.who) for _, each in items if each.who))
    where = data.debriefing.tales.by.get(one.where) or names.place_names(data).get(one.where, one.where or names.SEA)
    return Sentence(capitalize_first(template.format(who=join_list(people), where=where)), refs)


def _launch_entry(teller: Story) -> Iterator[Entry]:
    """[12.0.1] Yield the launch, where and when it was."""
    state, data = teller.state, teller.data
    line = data.debriefing.tales.line
    if state.launched is not None:
        day = turn_dates(teller, state.launched.turn)
        yield Entry(APRIL, day, Sentence(line[f"launch-{state.launched.how}"], ["launch"]))
    elif state.voyage is None and state.air is not None:
        yield Entry(APRIL, "", Sentence(line[f"launch-{facts.launch_kind(state, data)}"], ["launch"]))
