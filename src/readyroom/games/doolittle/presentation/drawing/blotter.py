"""[13.0.1] The planner's blotter as papers on a desk: calendar, workshop, field, China, naval plan, squadron."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from readyroom.engine.checks import signed
from readyroom.engine.drawing import Frame, text_width
from readyroom.games.doolittle.figures.common import MONTHS
from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.planning.view import NO_PLAN, BlotterView, MoraleView, TalkView
from readyroom.games.doolittle.presentation.drawing.cells import (
    GAP,
    PAD,
    Cell,
    Panel,
    Sign,
    Text,
    fit,
    folded,
    papered,
    plain,
    row,
)
from readyroom.games.doolittle.presentation.scene import dice

LEFT = ("The talks", "Doolittle", "The workshop", "The field", "Secrecy")
"""The papers of the left column, where there are two."""
NAME = 96.0
"""The width of a diplomat's name in front of his row."""
BOX, TWO, THREE = 25.0, 33.0, 45.0
"""The height of a cell with one line, with two, and with three."""
SHORTER = {
    "Norden bombsight removed": "Norden removed",
    "Liaison radio removed": "Radio removed",
    "Propellers and carburetors": "Carburetors",
    "Wooden guns in the tail": "Wooden guns",
    "Ventral turret removed": "Ventral removed",
    "Ventral turret improved": "Ventral improved",
}
"""Modifications whose names are too long for their cells."""
MISHAPS = {"d": ("hit", ", damages a bomber"), "c": ("wreck", ", wrecks a bomber")}
"""[13.4.9] What happens on a space of the short take-off, short and long."""
FIRST = {
    "january": ("The talks", "Doolittle", "The squadron"),
    "february": ("The workshop", "The talks", "Fields in China"),
    "march": ("The field", "Training", "The short take-off", "Elite crewmen", "The talks", "Fields in China"),
    "april": ("The naval plan", "The crane", "The squadron", "Elite crewmen", "The talks", "Fields in China"),
}
"""The papers that each month is about, which lie on top where there is one column."""


def papers(blotter: BlotterView, width: float, *, narrow: bool) -> list[Panel]:
    """All papers, each of this width, in the order in which they are read."""
    makers = [_calendar, _doolittle, _workshop, _field, _training, _deck, _china, _plan, _crane]
    makers += [_crews, _squadron, _risk]
    panels = [make(blotter, width, narrow) for make in makers]
    if blotter.incidents.chits or blotter.incidents.cup:
        panels.append(_incidents(blotter, width))
    there = [panel for panel in panels if panel.cells]
    first = FIRST[blotter.month] if narrow else ()
    return sorted(there, key=lambda panel: first.index(panel.title) if panel.title in first else len(first))


def _under(width: float) -> Frame:
    """The room of a panel whose corner is the origin."""
    return Frame(PAD, 22, width - 2 * PAD, 0)


def _when(month: str, now: str) -> str:
    """Whether a month is over, or it is the present one."""
    if month == now:
        return "dl-now"
    return "dl-past" if MONTHS.index(month) < MONTHS.index(now) else ""


# -- the talks -------------------------------------------------------------------------------------------------------


def _calendar(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.1.1, 13.2] Three rows of talks and their four months."""
    top, cells = _under(width), list[Cell]()
    name = 84.0 if narrow else NAME
    each = (top.width - name) / len(MONTHS)
    y = top.y
    for at, month in enumerate(MONTHS):
        frame = Frame(top.x + name + at * each, y, each - GAP, 18)
        now = _when(month, blotter.month)
        title = f"{month.capitalize()}: risk +{blotter.month_risk[month]} for a diplomat informed then"
        text = f"{month.capitalize()[: 3 if narrow else 9]} +{blotter.month_risk[month]}"
        cells.append(Cell(frame, [], title, [Text(text, 5, 13)], style=now))
    y += 18 + GAP
    for talk in blotter.calendar:
        cells += _talk(blotter, talk, Frame(top.x, y, top.width, 46), name, each)
        y += 46 + GAP
    return papered("The talks", 0, 0, width, cells, f"{blotter.month.capitalize()} 1942")


def _talk(blotter: BlotterView, talk: TalkView, frame: Frame, name: float, each: float) -> Iterator[Cell]:
    """[13.1.1, 13.2.1] A row: who asks, its state, and the sum of each month."""
    state = talk.result
    style = f"dl-{state}" if state else ""
    items = [talk.name, state or (talk.leader and f"to {talk.leader}") or "to the Navy"]
    marks = [f"{talk.name} briefed"] if talk.briefed else []
    marks += [f"{talk.leader} briefed"] if talk.leader_briefed else []
    marks += [f"urgent ×{talk.urgent}"] if talk.urgent else []
    marks += [f"risk +{talk.risk}"] if talk.risk else []
    title = "; ".join([f"{talk.name} asks for {talk.asks}", *([state] if state else []), *marks])
    short = ["briefed"] * talk.briefed + [f"{talk.leader} b."] * talk.leader_briefed
    short += [f"urgent {talk.urgent}"] if talk.urgent else []
    head = Frame(frame.x, frame.y, name - GAP, frame.height)
    texts = [Text(items[0], 5, 15, "dl-goalname"), *plain(["", ""], name), Text(fit(items[1], name - 10), 5, 28)]
    texts += [Text(f"+{talk.risk}", name - GAP - 20, 15, "dl-muted")] if talk.risk else []
    texts += [Text(fit(", ".join(short), name - 10, 11), 5, 41, "dl-where")] if short else []
    yield Cell(head, [talk.key, f"{talk.key}-ask"], title, texts, style=style)
    for at, month in enumerate(MONTHS):
        cell = Frame(frame.x + name + at * each, frame.y, each - GAP, frame.height)
        number = talk.needs.get(month)
        here = talk.placed == month
        text = f"{talk.name}, {month.capitalize()}: " + (f"{number} or more" if number else "no talks")
        texts = [Text(str(number), 6, 18, "dl-stepname")] if number else [Text("–", 6, 18, "dl-muted")]
        signs = [Sign("pc-dl-envoy", cell.width - 17, 24, 1.0, f"{talk.name} is sent from here")] if here else []
        past = _when(month, blotter.month) == "dl-past"
        yield Cell(cell, [f"{talk.key}-{month}"], text, texts, signs, "dl-past" if past else "")


def _doolittle(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.1.1] Doolittle's boxes, and the telephone."""
    frames = row(_under(width), 5, 54 if narrow else 62, 2 if narrow else 5)
    cells = []
    for frame, month in zip(frames, MONTHS, strict=False):
        text = blotter.boxes[month]
        here = blotter.doolittle == month
        signs = [Sign("pc-dl-hat", frame.width - 14, 12, 1.0, "Doolittle")] if here else []
        place = text.split(":")[0]
        texts = [Text(month.capitalize(), 5, 15, "dl-goalname"), *_small(text.split(": ", 1)[-1], frame, 30)]
        cells.append(Cell(frame, [f"box-{month}"], f"{place}: {text}", texts, signs, "dl-on-box" if here else ""))
    here = blotter.doolittle == "telephone"
    signs = [Sign("pc-dl-hat", frames[4].width - 14, 12, 1.0, "Doolittle")] if here else []
    texts = [Text("Telephone", 5, 15, "dl-goalname"), *_small("All boxes in turn.", frames[4], 30)]
    cells.append(Cell(frames[4], ["=telephone"], "By telephone: every box in its month", texts, signs))
    return papered("Doolittle", 0, 0, width, cells)


def _small(text: str, frame: Frame, y: float, most: int = 3) -> list[Text]:
    """A sentence in small letters, in as many lines as it needs."""
    room = min(most, int((frame.height - y + 9) // 12))
    lines = folded(text, frame.width - 9, 11, room)
    return [Text(line, 5, y + at * 12, "dl-where") for at, line in enumerate(lines)]


# -- the bombers -----------------------------------------------------------------------------------------------------


def _called(title: str, width: float) -> str:
    """A modification's name, or a shorter one where there is no room for it."""
    return title if text_width(title, 12) <= width else fit(SHORTER.get(title, title), width)


def _workshop(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.3] The modifications by their boxes, and what they come to."""
    made = {one.key for one in blotter.modifications}
    across = 2 if narrow else 3
    catalogue = blotter.catalogue
    cells = []
    for frame, one in zip(row(_under(width), len(catalogue), TWO, across), catalogue, strict=True):
        here = one.key in made
        texts = [
            Text(one.box, 5, 14, "dl-muted"),
            Text(_called(one.title, frame.width - 38), 18, 14),
            Text(fit(one.effects or "", frame.width - 3, 11), 5, 27, "dl-where"),
        ]
        signs = [Sign("pc-dl-done", frame.width - 11, 12.5)] if here else []
        title = f"{one.box}: {one.title} ({one.effects or 'no figures'}). {one.text}{' Done.' if here else ''}"
        cells.append(Cell(frame, [f"={one.key}"], title, texts, signs, "dl-on-box" if here else ""))
    track = blotter.track
    weight = f"weight {track.weight}{', heavy' if track.heavy else ''}, guzzle {track.guzzle}"
    guns = f"{track.guns} gunnery dice, {track.fuel} fuel"
    if narrow:
        return papered("The workshop", 0, 0, width, cells, weight)
    return papered("The workshop", 0, 0, width, cells, f"{weight}, {guns}")


def _field(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.4.1, 13.4.2, 13.4.3] Where they train, what is secret, and their morale."""
    top = _under(width)
    sites = blotter.sites
    chosen, cells = blotter.site, list[Cell]()
    for frame, site in zip(row(top, len(sites), 34), sites, strict=True):
        here = chosen == site.title
        given = f"{site.secrecy} dice of secrecy" + (f", {count(site.training, 'point')}" if site.training else "")
        texts = [Text(site.title, 5, 14, "dl-goalname"), Text(fit(given, frame.width - 10, 11), 5, 28, "dl-where")]
        keys = [f"={site.key}", f"={site.key}-liberty"]
        cells.append(Cell(frame, keys, f"{site.title}: {given}", texts, style="dl-on-box" if here else ""))
    y = top.y + 34 + GAP
    measures = blotter.all_measures
    frames = row(top._replace(y=y), len(measures) + 2, TWO, 2 if narrow else 3)
    for frame, one in zip(frames, measures, strict=False):
        morale = f", morale {signed(one.morale)}" if one.morale else ""
        effects = f"{dice(one.secrecy)} of secrecy{morale}"
        cells.append(_checked(frame, [f"={one.key}"], one.title, effects, here=one.title in blotter.measures))
    cells.append(_checked(frames[-2], ["=liberty"], "Liberty", blotter.liberty_effects, here=blotter.liberty))
    cells.append(_checked(frames[-1], ["=tell"], "Inform them", blotter.told_effects, here=blotter.told))
    cells += _morale(blotter.morale, top._replace(y=frames[-1].bottom + GAP))
    return papered("The field", 0, 0, width, cells)


def _checked(frame: Frame, keys: Sequence[str], text: str, effects: str, *, here: bool) -> Cell:
    """A small box that is selected or not, with its effects."""
    signs = [Sign("pc-dl-done", frame.width - 11, 12)] if here else []
    texts = [Text(fit(text, frame.width - 22), 5, 14), Text(fit(effects, frame.width - 8, 11), 5, 27, "dl-where")]
    return Cell(frame, keys, f"{text}: {effects}", texts, signs, "dl-on-box" if here else "")


def _morale(morale: MoraleView, top: Frame) -> Iterator[Cell]:
    """[13.4.3] The track of morale: elite crewmen and training points of each box."""
    boxes = morale.boxes
    for at, (frame, (title, elites, points)) in enumerate(zip(row(top, len(boxes), 34), boxes, strict=True)):
        texts = [
            Text(fit(title, frame.width - 6, 11), 4, 13, "dl-where"),
            Text(f"★{elites} +{points}", 4, 28, "dl-figure"),
        ]
        text = f"Morale {title}: {elites} elite crewmen, {points} training points"
        yield Cell(frame, [], text, texts, style="dl-now" if at == morale.at else "")


def _training(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.4.4] The training tracks: their levels with their costs, and the marker on each."""
    top, cells, y = _under(width), list[Cell](), 22.0
    name = 128.0
    for track in blotter.training:
        if not track.used:
            continue
        frame = Frame(top.x, y, name, THREE)
        extra = " ★" if track.extra else ""
        text = f"{track.title}: level {track.level}{', extra training' if extra else ''}"
        texts = [Text(fit(track.title + extra, name - 8), 5, 17)]
        cells.append(Cell(frame, [f"=extra-{track.key}"], text, texts))
        room = Frame(top.x + name + GAP, y, top.width - name - GAP, 0)
        for at, place in enumerate(row(room, 4, THREE)):
            if at > len(track.levels):
                continue
            cost = count(track.levels[at - 1], "point") if at else "untrained"
            short = cost.split()[0] + " pt" if at and narrow else "none" if narrow else cost
            style = "dl-now" if at == track.level else "dl-past" if at < track.level else ""
            texts = [Text(str(at), 6, 17, "dl-figure"), Text(fit(short, place.width - 20, 11), 18, 17, "dl-where")]
            key = f"={track.key}-{at}"
            effect = f"; {track.effects[at - 1]}" if at else ""
            title = f"{track.title}, level {at}: {cost}{effect}"
            if at:
                lines = folded(track.short[at - 1], place.width - 8, 11, 2)
                texts += [Text(line, 6, 29 + n * 12, "dl-where") for n, line in enumerate(lines)]
            cells.append(Cell(place, [key], title, texts, style=style))
        y += THREE + GAP
    points = f"{blotter.points} points left" if blotter.points else ""
    return papered("Training", 0, 0, width, cells, points)


def _deck(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.4.9] The track of the short take-off: mishaps, and how many bombers it lets aboard."""
    deck = blotter.deck
    spaces = deck.spaces
    cells = []
    frames = row(_under(width), len(spaces), 36, -(-len(spaces) // 2) if narrow else None, gap=2)
    for frame, (space, mishaps, capacity) in zip(frames, spaces, strict=True):
        style = "dl-now" if space == deck.space else "dl-past" if space < deck.space else ""
        texts = [Text(str(capacity), 4, 15, "dl-figure"), Text(MISHAPS.get(mishaps, ("", ""))[0], 4, 30, "dl-where")]
        wreck = MISHAPS.get(mishaps, ("", ""))[1]
        keys = ["train", "adjust", "extra-short-take-off"] if space == max(deck.space, spaces[0][0]) else []
        cells.append(Cell(frame, keys, f"Space {space}: {capacity} bombers may come aboard{wreck}", texts, style=style))
    return papered("The short take-off", 0, 0, width, cells, f"room for {deck.capacity}")


# -- China, the sea, the squadron ------------------------------------------------------------------------------------


def _china(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.2.3] The landing sites in China, and what waits there."""
    sites = blotter.china
    cells = []
    for frame, site in zip(row(_under(width), len(sites), 52, 3 if narrow else 5), sites, strict=True):
        beacon = "beacon" if site.beacon else "taken" if site.taken else f"needs {site.stockpile}"
        signs = [Sign("pc-dl-beacon", frame.width - 11, 13)] if site.beacon else []
        signs += [Sign("pc-dl-drum", 11 + at % 8 * 10, 45) for at in range(min(site.fuel, 7))]
        signs += [Sign("pc-dl-wrench", frame.width - 11, 45)] if site.groundcrew else []
        more = f" +{site.fuel - 7}" if site.fuel > 7 else ""
        texts = [Text(site.name, 5, 15, "dl-goalname"), Text(beacon + more, 5, 30, "dl-where")]
        text = f"{site.name}: {beacon}, {site.fuel} fuel, {site.groundcrew} groundcrews"
        cells.append(Cell(frame, [site.key], text, texts, signs, "dl-past" if site.taken else ""))
    return papered("Fields in China", 0, 0, width, cells)


def _plan(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.5.1] The naval plan: sea areas from east to west, and the turns of April."""
    plan = blotter.plan or NO_PLAN
    areas, turns = blotter.areas, blotter.turns
    top, cells = _under(width), list[Cell]()
    across = 5
    frames = row(top, len(areas), 50 if narrow else 36, across)
    boats = plan.submarines or {}
    for frame, (key, name) in zip(frames, areas, strict=True):
        notes = ["meet"] if plan.rendezvous_area == key else []
        notes += ["launch"] if plan.launch_area == key else []
        notes += [boat.capitalize() for boat, area in boats.items() if area == key]
        lines = folded(name, frame.width - 6, 12, 2) if narrow else [fit(name, frame.width - 6)]
        texts = [Text(text, 4, 14 + at * 14) for at, text in enumerate(lines)]
        texts.append(Text(fit(", ".join(notes), frame.width - 6), 4, frame.height - 7, "dl-elite"))
        title = f"{name}{': ' + ', '.join(notes) if notes else ''}"
        keys = [key, *(f"=recall-{boat}" for boat, where in boats.items() if where == key)]
        cells.append(Cell(frame, keys, title, texts, style="dl-on-box" if notes else ""))
    low = frames[-1].bottom + GAP
    for at, (frame, label) in enumerate(zip(row(top._replace(y=low), len(turns), 22, 5), turns, strict=True), start=1):
        here = plan.rendezvous_turn == label
        text = label.removesuffix(" April")
        cells.append(
            Cell(
                frame,
                [f"turn-{at}"],
                f"Turn {at}, {label}{': meet' if here else ''}",
                [Text(text, 5, 15)],
                style="dl-now" if here else "",
            )
        )
    note = "delayed" if plan.delayed else "with the Enterprise" if plan.enterprise else ""
    return papered("The naval plan", 0, 0, width, cells, note)


def _crane(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.5.3] How diligent one is at the crane; in April."""
    if blotter.month != MONTHS[-1]:
        return papered("The crane", 0, 0, width, [])
    levels = range(blotter.diligence_most + 1)
    cells = []
    for frame, level in zip(row(_under(width), len(levels), 24, gap=2), levels, strict=True):
        style = "dl-now" if level == blotter.diligence else ""
        cells.append(Cell(frame, [f"=diligence-{level}"], f"Diligence {level}", [Text(str(level), 5, 16)], style=style))
    return papered("The crane", 0, 0, width, cells, f"diligence {blotter.diligence}")


def _squadron(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.1.2, 13.5.3] All bombers there are: chosen, aboard, damaged or gone."""
    bombers = blotter.bombers
    across = 4 if narrow else 6
    cells = []
    for frame, one in zip(row(_under(width), len(bombers), 32, across, gap=3), bombers, strict=True):
        style = {"chosen": "dl-on-box", "hangar": "dl-past", "lost": "dl-gone"}[one.state]
        signs = [Sign("pc-fire", frame.width - 10, 15, 0.5, "damaged")] if one.hits else []
        text = f"{one.pilot}: {one.condition}"
        texts = [
            Text(fit(one.pilot, frame.width - 18), 5, 14, "dl-note"),
            Text(fit(one.condition, frame.width - 8, 11), 5, 27, "dl-where"),
        ]
        cells.append(Cell(frame, [one.key], text, texts, signs, style))
    chosen = sum(one.state == "chosen" for one in bombers)
    return papered("The squadron", 0, 0, width, cells, f"{chosen} bombers")


def _crews(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[2.3, 13.5.3] Elite crewmen who have been drawn and fly with no one yet."""
    men = blotter.elites.aside
    cells = []
    for frame, man in zip(row(_under(width), len(men), 32, 2 if narrow else 4), men, strict=True):
        texts = [
            Text(f"★ {man.name}", 5, 14, "dl-elite"),
            Text(fit(f"{man.role}: {man.benefit.lower()}", frame.width - 8, 11), 5, 27, "dl-where"),
        ]
        cells.append(Cell(frame, [man.key], f"{man.name}, {man.role}: {man.text}", texts))
    return papered("Elite crewmen", 0, 0, width, cells)


def _risk(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.5.6] What is kept secret by how many dice, and what weighs against it."""
    top = _under(width)
    parts = [f"{name} {value:+d}" for name, value in blotter.risk if value]
    parts += [f"by dice in April: {', '.join(blotter.open_risk)}"] if blotter.open_risk else []
    lines = folded("; ".join(parts) or "nothing yet", top.width - 10, 12, 4)
    frame = Frame(top.x, top.y, top.width, 22 + 14 * len(lines))
    texts = [Text(f"Secrecy: {blotter.secrecy} dice", 5, 15, "dl-figure")]
    texts += [Text(line, 5, 31 + at * 14, "dl-note") for at, line in enumerate(lines)]
    total = sum(value for _, value in blotter.risk)
    return papered("Secrecy", 0, 0, width, [Cell(frame, [], "; ".join(parts), texts)], f"risk {total} for certain")


def _incidents(blotter: BlotterView, width: float) -> Panel:
    """[15.1] The chits that were drawn, in their order."""
    data = blotter.incidents
    cells = []
    for frame, (_, title, text) in zip(row(_under(width), len(data.chits), BOX, 4), data.chits, strict=True):
        cells.append(Cell(frame, [], f"{title}: {text}", [Text(fit(title, frame.width - 8), 5, 17)]))
    if not cells:
        frame = Frame(PAD, 22, width - 2 * PAD, BOX)
        cells = [Cell(frame, [], "No incident has been drawn", [Text("nothing so far", 5, 17, "dl-muted")])]
    return papered("Incidents", 0, 0, width, cells, f"{data.cup} in the cup")
