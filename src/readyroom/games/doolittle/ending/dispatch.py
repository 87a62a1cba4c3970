"""[1.9] The report to the Joint Chiefs: plan, launch, targets, losses, and reactions."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.text import capitalize_first
from readyroom.games.doolittle import names
from readyroom.games.doolittle.ending import campaign, endings, facts
from readyroom.games.doolittle.ending.story import Page, Sentence, Story, boxes_hit, in_box
from readyroom.games.doolittle.figures.planning import DIPLOMATS
from readyroom.games.doolittle.state import CALLED_OFF


def dispatch(teller: Story) -> Page:
    """Return the report, paragraph by paragraph."""
    title = teller.data.debriefing.tales.chiefs["title"]
    if teller.off:
        refs = teller.refs(CALLED_OFF)
        return Page("report", Sentence(title, refs), [[_say(teller, "off", *refs)]])
    paragraphs = [list(part(teller)) for part in (_report_plan, _report_launch, _report_targets, _report_losses)]
    paragraphs += [[one] for one in _report_views(teller)]
    return Page("report", Sentence(title, ["fact launched"]), [one for one in paragraphs if one])


def _say(teller: Story, key: str, *of: str, **texts: object) -> Sentence:
    text = teller.data.debriefing.tales.chiefs[key].format(**texts)
    return Sentence(capitalize_first(text), of)


def _report_plan(teller: Story) -> Iterator[Sentence]:
    """[13.0] Yield what had been prepared: talks, modifications, training."""
    state, data = teller.state, teller.data
    if state.blotter is None:
        return
    for key in DIPLOMATS:
        row = data.planning.calendar.row[key]
        result = "agreed" if key in state.talks.granted else "refused" if key in state.talks.denied else ""
        if result:
            yield _say(teller, "calendar", f"talks {key}", asks=row.asks, leader=row.leader or row.name, result=result)
        if row.leader.lower() in state.talks.briefed:
            yield _say(teller, "briefed", f"talks {key}", leader=row.leader)
    if state.blotter.site:
        number = names.number_word(len(state.blotter.modifications))
        site = data.training.sites.site[state.blotter.site].title
        yield _say(teller, "planning", "blotter", number=number, site=site)


def _report_launch(teller: Story) -> Iterator[Sentence]:
    """[12.0.1, 12.5.3, 6.1] Yield where and how the bombers were launched, and what Japan knew."""
    state, data = teller.state, teller.data
    kind = facts.launch_kind(state, data)
    if kind == "none" or not teller.flew():
        yield _say(teller, "launch-none", "fact launched")
    else:
        area = facts.launch_area(state, data)
        where = f"in the sea area {names.place_name(data, area)}" if area else "at sea"
        bombers = capitalize_first(names.count_in_words(teller.flew(), "bomber"))
        yield _say(teller, f"launch-{kind}", "launch", "fact launched", bombers=bombers, area=where)
    if state.voyage is not None:
        yield _say(teller, "met" if state.voyage.met else "apart", "fact rendezvous")
    failed, alert = str(state.security.failed), str(state.security.alert)
    yield _say(teller, "secrecy", "security", failed=failed, alert=alert)


def _report_targets(teller: Story) -> Iterator[Sentence]:
    """[4.9] Yield what was released on each city and what it did."""
    if not teller.flew():
        return
    for key, target in teller.state.targets.items():
        city = names.city_name(teller.data, key)
        if not target.tally:
            yield _say(teller, "untouched", f"city {key}", city=city)
            continue
        bombers = names.count_in_words(target.tally, "bomber")
        boxes = names.count_in_words(len(boxes_hit(target)), "target")
        areas = sum(area.blast for area in target.areas.values())
        texts = {"bombers": bombers, "box": in_box(target), "targets": boxes, "area": areas}
        yield _say(teller, "fell", f"city {key}", city=city, **texts)
    if teller.known["carriers-hit"]:
        yield _say(teller, "carrier", "fact carriers-hit")


def _report_losses(teller: Story) -> Iterator[Sentence]:
    """[1.3, 1.2] Yield bombers, crews and ships that were lost."""
    known = teller.known
    if teller.flew() and teller.told_to_the_end:
        refs = ("fact bombers-lost", "fact bombers-saved")
        yield _say(teller, "bombers", *refs, lost=known["bombers-lost"], saved=known["bombers-saved"])
        away = known["crews-captured"] + known["crews-killed"] + known["crews-interned"]
        crews = teller.flew() + len(facts.lost_on_ship(teller.state, facts.flown_bombers(teller.state)))
        texts = {"home": crews - away, "interned": known["crews-interned"]}
        texts |= {"captured": known["crews-captured"], "dead": known["crews-killed"]}
        refs = ("fact crews-interned", "fact crews-captured", "fact crews-killed", "fact launched")  # type: ignore[assignment]
        yield _say(teller, "crews", *refs, **texts)
    elif teller.flew():
        destroyed, good = known["bombers-destroyed"], known["good-landings-china"]
        refs = ("fact bombers-destroyed", "fact good-landings-china")
        yield _say(teller, "bombers-short", *refs, destroyed=destroyed, good=good)
        china, elsewhere = known["crews-china"], known["crews-ditched-elsewhere"]
        refs = ("fact crews-china", "fact crews-ditched-elsewhere")
        yield _say(teller, "crews-short", *refs, china=china, elsewhere=elsewhere)
    if teller.state.voyage is not None:
        yield _ships(teller)


def _ships(teller: Story) -> Sentence:
    known = teller.known
    sunk, damaged = known["carriers-sunk"] + known["ships-sunk"], known["carriers-damaged"] + known["ships-damaged"]
    enemy, boats = known["enemy-ships"], known["i-boats"]
    of = [f"fact {kind}-{how}" for kind in ("carriers", "ships") for how in ("sunk", "damaged")]
    of += ["fact enemy-ships", "fact i-boats"]
    if not (sunk or damaged or enemy or boats):
        return _say(teller, "no-ships", *of)
    return _say(teller, "ships", *of, sunk=sunk, damaged=damaged, enemy=enemy, boats=boats)


def _report_views(teller: Story) -> Iterator[Sentence]:
    """[1.3] Yield the reactions, the debriefing's rolls, and the verdict."""
    state, data = teller.state, teller.data
    if not teller.told_to_the_end:
        return
    for view in campaign.views(state, data):
        texts = {"title": view.title, "points": f"{view.points}".replace("-", "−")}
        yield _say(teller, "view", f"view {view.key}", band=view.band.title, text=view.band.text, **texts)
    for name, step in (state.ending.checks if state.ending else {}).items():
        figures = data.debriefing.checks[name]
        band = figures.band[step]
        yield _say(teller, "check", f"check {name}", title=figures.title, band=band.title, text=band.text)
    if dead := campaign.count_executed(state, data):
        executed = names.count_in_words(dead, "crew")
        yield _say(teller, "executed", "check prisoners", "fact crews-captured", executed=executed)
    _, band = campaign.overall_result(state, data)
    title, text = endings.describe(state, data, band.title, band.text)
    refs = [f"view {key}" for key in data.debriefing.perspectives]
    refs += [f"ship {key}" for key in facts.sunk_ships(state, data)]
    yield _say(teller, "verdict", *refs, title=title, text=text)
