"""[13.0.1] The planner's blotter as papers on a desk: calendar, workshop, field, China, naval plan, squadron."""

from __future__ import annotations

from collections.abc import Iterator

from readyroom.engine.drawing import Frame, text_width
from readyroom.engine.rules.checks import signed
from readyroom.engine.text import en_dashes
from readyroom.games.doolittle.figures.common import MONTHS
from readyroom.games.doolittle.names import count_text
from readyroom.games.doolittle.planning.view import NO_PLAN, BlotterView, MoraleView, TalkView
from readyroom.games.doolittle.presentation.drawing.cells import (
    GAP,
    SIZE,
    Cell,
    Panel,
    Sign,
    Text,
    fit_text,
    fold_text,
    pointed,
    room_under,
    row,
    size_panel,
    stage,
    two_lines,
)
from readyroom.games.doolittle.presentation.drawing.shapes import POINTED
from readyroom.games.doolittle.presentation.scene import dice_text

OPEN = {
    "january": (
        ("The talks", "The workshop"),
        ("Doolittle", "The squadron", "Fields in China", "Secrecy", "Incidents"),
    ),
    "february": (
        ("The workshop", "The talks"),
        ("Doolittle", "Fields in China", "The squadron", "Secrecy", "Incidents"),
    ),
    "march": (
        ("The field", "The talks", "Fields in China", "Secrecy", "Incidents"),
        ("Training", "The short take-off", "The squadron"),
    ),
    "april": (
        ("The naval plan", "The crane", "The talks", "Fields in China"),
        ("The squadron", "Elite crewmen", "Secrecy", "Incidents"),
    ),
}
"""The papers that are open in each month where there are two columns; the others are closed, with a summary."""
BRIEF = ("march", "april")
"""The months in which the talks are a row of cells, where there are two columns."""
NAME = 96.0
"""The width of a diplomat's name in front of his row."""
BOX, TWO, THREE = 25.0, 33.0, 45.0
"""The height of a cell with one line, with two, and with three."""
SHORTER = {
    "Norden bombsight removed": "Norden removed",
    "Liaison radio removed": "Radio removed",
    "Propellers and carburetors": "Carburetors",
    "Mark Twain bombsight": "Mark Twain sight",
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
    """Return all papers, each of this width, in the order in which they are read."""
    makers = [_calendar, _doolittle, _workshop, _field, _training, _deck, _china, _plan, _crane]
    makers += [_crews, _squadron, _risk, _incidents]
    panels = [make(blotter, width, narrow) for make in makers]
    if not narrow:
        return panels
    first = FIRST[blotter.month]
    order = {title: at for at, title in enumerate(first)}
    return sorted(panels, key=lambda panel: order.get(panel.title, len(order)))


# -- the talks -------------------------------------------------------------------------------------------------------


def _calendar(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.1.1, 13.2] Return three rows of talks and their four months."""
    if blotter.month in BRIEF and not narrow:
        frames = row(room_under(width), len(blotter.calendar), 62)
        brief = [_brief_talk(talk, blotter.month, frame) for talk, frame in zip(blotter.calendar, frames, strict=True)]
        return size_panel("The talks", width, brief, f"{blotter.month.capitalize()} 1942")
    top, cells, now = room_under(width), list[Cell](), MONTHS.index(blotter.month)
    name = 84.0 if narrow else NAME
    each = (top.width - name) / len(MONTHS)
    for at, month in enumerate(MONTHS):
        frame = Frame(top.x + name + at * each, top.y, each - GAP, 18)
        title = f"{month.capitalize()}: risk +{blotter.month_risk[month]} for a diplomat informed then"
        text = f"{month.capitalize()[: 3 if narrow else 9]} +{blotter.month_risk[month]}"
        cells.append(Cell(frame, [], title, [Text(text, 5, 13)], style=stage(at, now)))
    for at, talk in enumerate(blotter.calendar):
        cells += _talk(talk, now, Frame(top.x, top.y + 18 + GAP + at * (46 + GAP), top.width, 46), name, each)
    return size_panel("The talks", width, cells, f"{blotter.month.capitalize()} 1942")


def _diplomat(talk: TalkView, frame: Frame) -> Cell:
    """[13.1.1, 13.2.1] Return a diplomat: his question or its result, and his markers."""
    result = talk.result or (f"to {talk.leader}" if talk.leader else "to the Navy")
    marks = [talk.result] if talk.result else []
    marks += [f"{talk.name} briefed"] if talk.briefed else []
    marks += [f"{talk.leader} briefed"] if talk.leader_briefed else []
    marks += [f"urgent ×{talk.urgent}"] if talk.urgent else []
    marks += [f"risk +{talk.risk}"] if talk.risk else []
    title = "; ".join([f"{talk.name} asks for {talk.asks}", *marks])
    short = ["briefed"] * talk.briefed + [f"{talk.leader} b."] * talk.leader_briefed
    short += [f"urgent {talk.urgent}"] if talk.urgent else []
    texts = [Text(talk.name, 5, 15, "dl-goalname"), Text(fit_text(result, frame.width - 6), 5, 28)]
    texts += [Text(f"+{talk.risk}", frame.width - 20, 15, "dl-muted")] if talk.risk else []
    texts += [Text(fit_text(", ".join(short), frame.width - 6), 5, 41, "dl-where")] if short else []
    keys, style = [talk.key, f"{talk.key}-ask"], f"dl-{talk.result}" if talk.result else ""
    return Cell(frame, keys, title, texts, style=style)


def _brief_talk(talk: TalkView, month: str, frame: Frame) -> Cell:
    """[13.1.1, 13.2.1] Return a diplomat with the numbers that he needs from this month on."""
    cell = _diplomat(talk, frame)
    needs = [f"{one.capitalize()} {talk.needs[one]}+" for one in MONTHS[MONTHS.index(month) :] if one in talk.needs]
    texts = [] if talk.result else [Text(fit_text(", ".join(needs), frame.width - 10), 5, 55, "dl-where")]
    keys = [*cell.keys, *(f"{talk.key}-{one}" for one in MONTHS)]
    return cell._replace(keys=keys, title="; ".join([cell.title, *needs]), texts=[*cell.texts, *texts])


def _talk(talk: TalkView, now: int, frame: Frame, name: float, each: float) -> Iterator[Cell]:
    """[13.1.1, 13.2.1] Yield a row: the diplomat, the result, and the number needed in each month."""
    yield _diplomat(talk, frame._replace(width=name - GAP))
    for at, month in enumerate(MONTHS):
        cell = Frame(frame.x + name + at * each, frame.y, each - GAP, frame.height)
        number = talk.needs.get(month)
        text = f"{talk.name}, {month.capitalize()}: " + (f"{number} or more" if number else "no talks")
        texts = [Text(str(number), 6, 18, "dl-stepname")] if number else [Text("–", 6, 18, "dl-muted")]
        signs = [Sign("pc-dl-envoy", cell.width - 17, 24)] if talk.placed == month else []
        yield Cell(cell, [f"{talk.key}-{month}"], text, texts, signs, "dl-past" if at < now else "")


def _doolittle(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.1.1] Return Doolittle's boxes and the telephone."""
    frames = row(room_under(width), 5, 54 if narrow else 62, 2 if narrow else 5)
    boxes = [(month, f"box-{month}", text.split(": ", 1)[-1], text) for month, text in blotter.boxes.items()]
    boxes.append(("telephone", "=telephone", "All boxes in turn.", "By telephone: every box in its month"))
    cells = []
    for frame, (box, key, text, whole) in zip(frames, boxes, strict=True):
        here = blotter.doolittle == box
        signs = [Sign("pc-dl-hat", frame.width - 14, 12)] if here else []
        lines = fold_text(text, frame.width - 9, 12.4, min(3, int((frame.height - 21) // 12)))
        texts = [Text(box.capitalize(), 5, 15, "dl-goalname")]
        texts += [Text(line, 5, 30 + at * 12, "dl-where") for at, line in enumerate(lines)]
        title = whole if box == "telephone" else f"{whole.split(':')[0]}: {whole}"
        cells.append(Cell(frame, [key], title, texts, signs, "dl-on-box" if here and box != "telephone" else ""))
    return size_panel("Doolittle", width, cells, summary=_where(blotter))


def _where(blotter: BlotterView) -> str:
    """[13.1.1] Return the box that Doolittle is in, with what it says."""
    if not blotter.doolittle:
        return ""
    text = blotter.boxes.get(blotter.doolittle, "All boxes in turn.").split(": ", 1)[-1]
    return f"{blotter.doolittle.capitalize()}: {text}"


# -- the bombers -----------------------------------------------------------------------------------------------------


def _workshop(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.3] Return the modifications by their boxes, and the sums of their figures."""
    made, track = {one.key for one in blotter.modifications}, blotter.track
    frames = row(room_under(width), len(blotter.catalogue), pointed(TWO, narrow=narrow), 2 if narrow else 3)
    cells = []
    for frame, one in zip(frames, blotter.catalogue, strict=True):
        here, width_left = one.key in made, frame.width - 38
        name = one.title if text_width(one.title, SIZE) <= width_left else SHORTER.get(one.title, one.title)
        texts = [
            Text(one.box, 5, 14, "dl-muted"),
            Text(fit_text(name, width_left), 18, 14),
            *(
                Text(words, 5, 26 + 11.5 * at, "dl-where")
                for at, words in enumerate(fold_text(one.effects or "", frame.width - 5, most=1 if narrow else 2))
            ),
        ]
        signs = [Sign("pc-dl-done", frame.width - 11, 12.5)] if here else []
        title = f"{one.box}: {one.title} ({one.effects or 'no figures'}). {one.text}{' Done.' if here else ''}"
        cells.append(Cell(frame, [f"={one.key}"], title, texts, signs, "dl-on-box" if here else ""))
    note = f"weight {track.weight}{', heavy' if track.heavy else ''}, guzzle {track.guzzle}"
    note += "" if narrow else f", {track.guns} gunnery dice, {track.fuel} fuel"
    names = ", ".join(one.title for one in blotter.modifications)
    return size_panel("The workshop", width, cells, note, f"{note}{f': {names}' if names else ''}")


def _field(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.4.1, 13.4.2, 13.4.3] Return the training fields, the measures of secrecy, and morale."""
    top, cells, high = room_under(width), list[Cell](), pointed(34, narrow=narrow)
    for frame, site in zip(row(top, len(blotter.sites), high), blotter.sites, strict=True):
        given = f"{site.secrecy} dice of secrecy" + (f", {count_text(site.training, 'point')}" if site.training else "")
        texts = [Text(site.title, 5, 14, "dl-goalname"), Text(fit_text(given, frame.width - 10), 5, 28, "dl-where")]
        keys, style = [f"={site.key}", f"={site.key}-liberty"], "dl-on-box" if blotter.site == site.title else ""
        cells.append(Cell(frame, keys, f"{site.title}: {given}", texts, style=style))
    choices = []
    for one in blotter.all_measures:
        effects = f"{dice_text(one.secrecy)} of secrecy{f', morale {signed(one.morale)}' if one.morale else ''}"
        choices.append((one.key, one.title, effects, one.title in blotter.measures))
    choices.append(("liberty", "Liberty", blotter.liberty_effects, blotter.liberty))
    choices.append(("tell", "Inform them", blotter.told_effects, blotter.told))
    frames = row(top._replace(y=top.y + high + GAP), len(choices), pointed(TWO, narrow=narrow), 2 if narrow else 3)
    for frame, (key, title, effects, here) in zip(frames, choices, strict=True):
        signs = [Sign("pc-dl-done", frame.width - 11, 12)] if here else []
        texts = two_lines(frame, title, effects, 14, room=22)
        cells.append(Cell(frame, [f"={key}"], f"{title}: {effects}", texts, signs, "dl-on-box" if here else ""))
    cells += _morale(blotter.morale, top._replace(y=frames[-1].bottom + GAP))
    done = [title for _, title, _, here in choices if here]
    return size_panel("The field", width, cells, summary=", ".join([blotter.site, *done] if blotter.site else done))


def _morale(morale: MoraleView, top: Frame) -> Iterator[Cell]:
    """[13.4.3] Yield the track of morale: elite crewmen and training points of each box."""
    boxes = morale.boxes
    for at, (frame, (title, elites, points)) in enumerate(zip(row(top, len(boxes), 34), boxes, strict=True)):
        texts = [
            Text(fit_text(title, frame.width - 6), 4, 13, "dl-where"),
            Text(f"★{elites} +{points}", 4, 28, "dl-figure"),
        ]
        text = f"Morale {title}: {elites} elite crewmen, {points} training points"
        style, place = ("dl-now", "morale") if at == morale.at else ("", "")
        yield Cell(frame, [], text, texts, style=style, place=place)


def _training(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.4.4] Return the training tracks: their levels with their costs, and the marker on each."""
    top, cells, y = room_under(width), list[Cell](), 22.0
    name = 128.0
    for track in blotter.training:
        if not track.used:
            continue
        frame = Frame(top.x, y, name, THREE)
        extra = " ★" if track.extra else ""
        text = f"{track.title}: level {track.level}{', extra training' if extra else ''}"
        texts = [Text(fit_text(track.title + extra, name - 8), 5, 17)]
        cells.append(Cell(frame, [f"=extra-{track.key}"], text, texts))
        room = Frame(top.x + name + GAP, y, top.width - name - GAP, 0)
        for at, place in enumerate(row(room, 4, THREE)):
            if at > len(track.levels):
                continue
            cost = count_text(track.levels[at - 1], "point") if at else "untrained"
            short = cost.split()[0] + " pt" if at and narrow else "none" if narrow else cost
            texts = [Text(str(at), 6, 17, "dl-figure"), Text(fit_text(short, place.width - 20), 18, 17, "dl-where")]
            title = f"{track.title}, level {at}: {cost}{f'; {track.effects[at - 1]}' if at else ''}"
            lines = fold_text(track.short[at - 1], place.width - 8, 12.4, 2) if at else []
            texts += [Text(line, 6, 29 + n * 12, "dl-where") for n, line in enumerate(lines)]
            cells.append(Cell(place, [f"={track.key}-{at}"], title, texts, style=stage(at, track.level)))
        y += THREE + GAP
    points = f"{blotter.points} points left" if blotter.points else ""
    levels = ", ".join(f"{track.title} {track.level}" for track in blotter.training if track.used and track.level)
    return size_panel("Training", width, cells, points, levels)


def _deck(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.4.9] Return the track of the short take-off: mishaps and capacities."""
    deck, spaces, cells = blotter.deck, blotter.deck.spaces, []
    frames = row(room_under(width), len(spaces), pointed(36, narrow=narrow), -(-len(spaces) // 2), gap=2)
    for frame, (space, mishaps, capacity) in zip(frames, spaces, strict=True):
        short, wreck = MISHAPS.get(mishaps, ("", ""))
        texts = [Text(str(capacity), 4, 15, "dl-figure"), Text(short, 4, 30, "dl-where")]
        keys = ["train", "adjust", "extra-short-take-off"] if space == max(deck.space, spaces[0][0]) else []
        title = f"Space {space}: {capacity} bombers fit aboard{wreck}"
        cells.append(Cell(frame, keys, title, texts, style=stage(space, deck.space), place=f"deck-space-{space}"))
    return size_panel("The short take-off", width, cells, f"room for {deck.capacity}")


# -- China, the sea, the squadron ------------------------------------------------------------------------------------


def _china(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.2.3] Return the landing sites in China, and what waits there."""
    sites, cells = blotter.china, []
    for frame, site in zip(row(room_under(width), len(sites), 52, 3 if narrow else 5), sites, strict=True):
        beacon = "beacon" if site.beacon else "taken" if site.taken else f"needs {site.stockpile}"
        signs = [Sign("pc-dl-beacon", frame.width - 11, 13)] if site.beacon else []
        signs += [Sign("pc-dl-drum", 11 + at % 8 * 10, 45) for at in range(min(site.fuel, 7))]
        signs += [Sign("pc-dl-wrench", frame.width - 11, 45)] if site.groundcrew else []
        more = f" +{site.fuel - 7}" if site.fuel > 7 else ""
        texts = [Text(site.name, 5, 15, "dl-goalname"), Text(beacon + more, 5, 30, "dl-where")]
        text = f"{site.name}: {beacon}, {site.fuel} fuel, {site.groundcrew} groundcrews"
        cells.append(Cell(frame, [site.key], text, texts, signs, "dl-past" if site.taken else ""))
    return size_panel("Fields in China", width, cells)


def _plan(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.5.1] Return the naval plan: sea areas from east to west, and the turns of April."""
    plan, top, cells = blotter.plan or NO_PLAN, room_under(width), list[Cell]()
    boats = plan.submarines or {}
    frames = row(top, len(blotter.areas), 50 if narrow else POINTED, 5)
    for frame, (key, name) in zip(frames, blotter.areas, strict=True):
        notes = ["meet"] if plan.rendezvous_area == key else []
        notes += ["launch"] if plan.launch_area == key else []
        notes += [boat.capitalize() for boat, area in boats.items() if area == key]
        lines = fold_text(name, frame.width - 6, 12.4, 2) if narrow else [fit_text(name, frame.width - 6)]
        texts = [Text(text, 4, 14 + at * 14) for at, text in enumerate(lines)]
        texts.append(Text(fit_text(", ".join(notes), frame.width - 6), 4, frame.height - 7, "dl-elite"))
        title = f"{name}{': ' + ', '.join(notes) if notes else ''}"
        keys = [key, *(f"=recall-{boat}" for boat, where in boats.items() if where == key)]
        cells.append(Cell(frame, keys, title, texts, style="dl-on-box" if notes else ""))
    frames = row(top._replace(y=frames[-1].bottom + GAP), len(blotter.turns), pointed(22, narrow=narrow), 5)
    for at, (frame, label) in enumerate(zip(frames, blotter.turns, strict=True), start=1):
        here = plan.rendezvous_turn == label
        days = en_dashes(label)
        title, texts = f"Turn {at}, {days}{': meet' if here else ''}", [Text(days.removesuffix(" April"), 5, 15)]
        cells.append(Cell(frame, [f"turn-{at}"], title, texts, style="dl-now" if here else ""))
    note = "delayed" if plan.delayed else "with the Enterprise" if plan.enterprise else ""
    return size_panel("The naval plan", width, cells, note, note or ("made" if blotter.plan else "in April"))


def _crane(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.5.3] Return the levels of diligence at the crane; in April."""
    if blotter.month != MONTHS[-1]:
        return size_panel("The crane", width, [])
    cells = []
    for level, frame in enumerate(
        row(room_under(width), blotter.diligence_most + 1, pointed(24, narrow=narrow), None if narrow else 7, gap=2)
    ):
        style = "dl-now" if level == blotter.diligence else ""
        cells.append(Cell(frame, [f"=diligence-{level}"], f"Diligence {level}", [Text(str(level), 5, 16)], style=style))
    return size_panel("The crane", width, cells, f"diligence {blotter.diligence}")


def _squadron(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.1.2, 13.5.3] Return all bombers: chosen, in the hangar, damaged or lost."""
    bombers, cells = blotter.bombers, []
    for frame, one in zip(
        row(room_under(width), len(bombers), pointed(32, narrow=narrow), 4 if narrow else 6, gap=3),
        bombers,
        strict=True,
    ):
        style = {"chosen": "dl-on-box", "hangar": "dl-past", "lost": "dl-gone"}[one.state]
        signs = [Sign("pc-fire", frame.width - 10, 15, 0.5)] if one.hits else []
        state = "hangar" if one.state == "hangar" else one.condition
        texts = two_lines(frame, one.pilot, state, 14, room=18 if one.hits else 8)
        cells.append(Cell(frame, [one.key], f"{one.pilot}: {one.condition}", texts, signs, style))
    chosen = sum(one.state == "chosen" for one in bombers)
    return size_panel("The squadron", width, cells, f"{chosen} bombers")


def _crews(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[2.3, 13.5.3] Return the elite crewmen who have been drawn and fly with no one yet."""
    men, cells = blotter.elites.aside, []
    for frame, man in zip(
        row(room_under(width), len(men), pointed(32, narrow=narrow), 2 if narrow else 4), men, strict=True
    ):
        texts = [
            Text(f"★ {man.name}", 5, 14, "dl-elite"),
            Text(fit_text(f"{man.role}: {man.benefit.lower()}", frame.width - 8), 5, 27, "dl-where"),
        ]
        cells.append(Cell(frame, [man.key], f"{man.name}, {man.role}: {man.text}", texts))
    return size_panel("Elite crewmen", width, cells, summary=", ".join(man.name for man in men))


def _risk(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[13.5.6] Return the dice of secrecy, and the risk against them."""
    top = room_under(width)
    parts = [f"{name} {value:+d}" for name, value in blotter.risk if value]
    parts += [f"rolled in April: {', '.join(blotter.open_risk)}"] if blotter.open_risk else []
    lines = fold_text("; ".join(parts) or "no risk yet", top.width - 10, 12.4, 4)
    texts = [Text(line, 5, 15 + at * 14, "dl-note") for at, line in enumerate(lines)]
    total = sum(value for _, value in blotter.risk)
    cells = [Cell(top._replace(height=6 + 14 * len(lines)), [], "; ".join(parts), texts)]
    return size_panel("Secrecy", width, cells, f"{blotter.secrecy} dice against a risk of {total} for certain")


def _incidents(blotter: BlotterView, width: float, narrow: bool) -> Panel:
    """[15.1] Return the chits that were drawn, in their order; nothing where there are none."""
    chits, cup = blotter.incidents.chits, blotter.incidents.cup
    cells = []
    for frame, (_, title, text) in zip(row(room_under(width), len(chits), BOX, 4), chits, strict=True):
        cells.append(Cell(frame, [], f"{title}: {text}", [Text(fit_text(title, frame.width - 8), 5, 17)]))
    if cup and not chits:
        frame, texts = room_under(width)._replace(height=BOX), [Text("nothing so far", 5, 17, "dl-muted")]
        cells = [Cell(frame, [], "No incident has been drawn", texts)]
    return size_panel("Incidents", width, cells, f"{cup} in the cup")
