"""The board as a terminal draws it, before and after the flight: the blotter, the voyage, the ways home."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.engine.text import en_dashes
from readyroom.games.doolittle.denouement.view import DenouementView, StrikeView
from readyroom.games.doolittle.figures.common import MONTHS, Month
from readyroom.games.doolittle.names import count_text
from readyroom.games.doolittle.piece_views import MarkerView
from readyroom.games.doolittle.planning.view import NO_PLAN, BlotterView, FieldView, PlanView, TalkView
from readyroom.games.doolittle.presentation.drawing import roads
from readyroom.games.doolittle.presentation.scene import Plane
from readyroom.games.doolittle.view import Line
from readyroom.games.doolittle.voyage.view import SeaAreaView, VoyageView, draw_words

LATEST = 5
"""The number of the latest happenings that are listed."""
LEGEND = (
    "Sea areas from east to west. Meet is the rendezvous number; move is the sum to get under way, in weather that is "
    "not yet known for calm/gusty/gale/storm. ⚑ planned rendezvous, ▲ planned launch, ! a damaged ship. An icon in "
    "brackets says what a failed secrecy test brings. A submarine in contact is a patrol: hazards are drawn for it."
)
"""How to read the naval map; printed in the first turn."""
PLACES = {"hangar": "hangar", "local": "local recon", "low-cap": "low CAP", "high-cap": "high CAP", "force": "patrol"}
"""[9.5.2] The boxes of recon."""


def ratio_table(*columns: tuple[str, int | None]) -> Table:
    """Return an empty table of columns, each with its share of the width."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True, header_style="dim")
    for name, ratio in columns:
        table.add_column(name, ratio=ratio)
    return table


def _line(name: str, text: str) -> Text:
    return Text.assemble((f"{name}: ", "bold"), text or "nothing")


def latest_events(line: Sequence[Line]) -> Iterator[RenderableType]:
    """[1.9] Yield the latest entries of the time line."""
    parts = [" ".join(filter(None, [month, day])) + f": {text}" for month, day, text in line[-LATEST:]]
    if parts:
        yield Text("\n".join(parts), "dim")


# -- the blotter -----------------------------------------------------------------------------------------------------


def blotter_lines(blotter: BlotterView) -> Iterator[RenderableType]:
    """[13.0.1] Yield the talks in a table; everything else in a line each."""
    table = ratio_table(
        ("Talks (+ risk)", 4), *((f"{month.capitalize()} (+{blotter.month_risk[month]})", 2) for month in MONTHS)
    )
    for talk in blotter.calendar:
        marks = [talk.result, *["briefed"] * talk.briefed, *[f"{talk.leader} briefed"] * talk.leader_briefed]
        marks += [f"urgent ×{talk.urgent}"] if talk.urgent else []
        marks += [f"risk +{talk.risk}"] if talk.risk else []
        cells = [_need_text(talk, month, blotter.month) for month in MONTHS]
        table.add_row(Text.assemble((talk.name, "bold"), f" {', '.join(filter(None, marks))}"), *cells)
    yield table
    yield _line("Doolittle", blotter.doolittle.capitalize())
    yield from _bomber_lines(blotter)
    yield _line("Fields in China", "; ".join(_field_text(field) for field in blotter.china))
    yield _line("Naval plan", _plan_text(blotter.plan or NO_PLAN, dict(blotter.areas)))
    yield _line("Secrecy", _secrecy_text(blotter))
    if blotter.incidents.chits:
        yield _line("Incidents", ", ".join(title for _, title, _ in blotter.incidents.chits))


def _secrecy_text(blotter: BlotterView) -> str:
    """[13.5.6] Return the dice of secrecy, the risk that is certain with its parts, and what dice will add in April."""
    risk = sum(value for _, value in blotter.risk)
    parts = ", ".join(f"{name} {value}" for name, value in blotter.risk)
    text = f"{blotter.secrecy} dice, risk {risk} for certain{f' ({parts})' if parts else ''}"
    return f"{text}; rolled in April: {'; '.join(blotter.open_risk)}" if blotter.open_risk else text


def _need_text(talk: TalkView, month: Month, now: str) -> Text:
    """[13.2.1] Return the sum of a month, with a mark where the diplomat is sent from."""
    here = " ♟" if talk.placed == month else ""
    return Text(f"{talk.needs.get(month, '–')}{here}", "bold" if month == now else "dim")


def _bomber_lines(blotter: BlotterView) -> Iterator[RenderableType]:
    """[13.3, 13.4] Yield modifications, field, morale and training."""
    track, morale = blotter.track, blotter.morale
    made = ", ".join(one.title.lower() for one in blotter.modifications)
    weight = f"weight {track.weight}{' (heavy)' if track.heavy else ''}, guzzle {track.guzzle}"
    yield _line("Workshop", f"{weight}, {track.guns} gunnery dice, {track.fuel} fuel{f'; {made}' if made else ''}")
    title, elites, points = morale.boxes[morale.at]
    field = [
        *(blotter.site, *blotter.measures, f"morale {title} ({elites} elite crewmen, {points} training points)"),
        *("liberty" if blotter.liberty else "", "informed" if blotter.told else ""),
    ]
    yield _line("Field", ", ".join(filter(None, field)))
    levels = [f"{one.title.lower()} {one.level}" for one in blotter.training if one.used]
    yield _line("Training", f"{', '.join(levels)}; room for {blotter.deck.capacity} aboard")
    chosen = [one.pilot for one in blotter.bombers if one.state == "chosen"]
    yield _line(count_text(len(chosen), "bomber").capitalize(), ", ".join(chosen))


def _field_text(field: FieldView) -> str:
    parts = ["lost"] if field.taken else ["beacon"] if field.beacon else [f"needs {field.stockpile}"]
    parts += [f"{field.fuel} fuel"] if field.fuel else []
    parts += ["groundcrew"] if field.groundcrew else []
    return f"{field.name} ({', '.join(parts)})"


def _plan_text(plan: PlanView, names: Mapping[str, str]) -> str:
    """[13.5.1] Return the naval plan in a few words."""
    parts = [f"meet in {names[plan.rendezvous_area]}"] if plan.rendezvous_area else []
    parts += [f"on {en_dashes(plan.rendezvous_turn)}"] if plan.rendezvous_turn else []
    parts += [f"launch in {names[plan.launch_area]}"] if plan.launch_area else []
    parts += [f"{boat.capitalize()} in {names[area]}" for boat, area in (plan.submarines or {}).items()]
    return ", ".join(parts)


# -- the voyage ------------------------------------------------------------------------------------------------------


def voyage_lines(voyage: VoyageView, strike: StrikeView | None) -> Iterator[RenderableType]:
    """[9.0, 9.5] Yield the sea areas with weather and patrols; the spaces with their ships; the airstrike."""
    names, plan = {area.key: area.name for area in voyage.areas}, voyage.plan or NO_PLAN
    table = ratio_table(("Sea area", 5), ("Meet", 2), ("Weather, move", 5), ("Hazards drawn", 7), ("There", 6))
    for area in voyage.areas:
        marks = " ⚑" if plan.rendezvous_area == area.key else ""
        marks += " ▲" if plan.launch_area == area.key else ""
        name = Text(f"{area.name}{marks}", "bold" if voyage.area == area.key else "")
        there = ", ".join(_contents_text(voyage, area))
        table.add_row(name, str(area.rendezvous), _weather_text(area), draw_words(area.draws), there)
    yield table
    yield _line("Plan", _sea_plan_text(voyage, plan, names))
    if voyage.penalties:
        yield _line("Task force", ", ".join(voyage.penalties))
    ships = {
        ship.key: f"{ship.name}{'!' if ship.hits else ''}{' (slow)' if ship.slow else ''}{_markers(ship.markers)}"
        for ship in voyage.ships
    }
    for space in voyage.layout:
        if space.ships:
            yield _line(space.name, ", ".join(ships[key] for key in space.ships))
    recon = [
        f"{one.name} {PLACES.get(one.place) or names.get(one.place, one.place)}{_markers(one.markers)}"
        for one in voyage.recon
        if one.sails
    ]
    yield _line("Recon", ", ".join(recon))
    yield from _met_lines(voyage)
    if strike is not None:
        waves = "; ".join(", ".join(wave) for wave in strike.waves)
        yield Text.assemble(("Airstrike: ", "bold red"), waves or "not yet in sight")


def _weather_text(area: SeaAreaView) -> str:
    """[9.3, 12.5.1] Return the weather with its move number, or the move numbers of all weathers."""
    if area.weather:
        return f"{area.weather}, {area.move[area.weather]}+"
    return "/".join(str(number) for number in area.move.values())


def _sea_plan_text(voyage: VoyageView, plan: PlanView, names: Mapping[str, str]) -> str:
    """[9.2, 13.5.1] Return the planned rendezvous, its turn, and the planned launch point."""
    where, turn, launch = (
        names.get(plan.rendezvous_area),
        en_dashes(plan.rendezvous_turn),
        names.get(plan.launch_area),
    )
    meet = " ".join(filter(None, ["meet", f"in {where} (⚑)" if where else "", f"on {turn}" if turn else ""]))
    parts = ["the forces have met" if voyage.met else meet, *([f"launch in {launch} (▲)"] if launch else [])]
    return ", ".join(parts)


def _markers(markers: Sequence[MarkerView]) -> str:
    return f" [{', '.join(marker.at_sea for marker in markers)}]" if markers else ""


def _met_lines(voyage: VoyageView) -> Iterator[Text]:
    """[12.6.3, 12.6.4] Yield the hazards that the patrols have still to meet, and those that they have met."""
    hazards = voyage.hazards
    held = [
        f"{one.name}: {', '.join(marker.at_sea for marker in one.markers)}" for one in hazards.assigned if one.markers
    ]
    held += [f"{len(hazards.undealt)} to be assigned"] if hazards.undealt else []
    if held:
        yield _line("Hazards", "; ".join(held))
    if voyage.met_with:
        yield _line("Met this turn", ", ".join(voyage.met_with))


def _contents_text(voyage: VoyageView, area: SeaAreaView) -> Iterator[str]:
    """[12.6.2] Yield who is in a sea area."""
    if voyage.area == area.key:
        yield "task force" if voyage.fueled else "task force, low on fuel"
    for boat in voyage.submarines:
        if boat.area == area.key and not boat.lost:
            yield f"{boat.name} {'in contact' if boat.contact else '(silent)'}"
    yield from (one.name for one in voyage.recon if one.area == area.key)
    if area.signals:
        yield count_text(len(area.signals), "enemy signal")
    if area.groups:
        yield "ships on their way home"


# -- the ways home ---------------------------------------------------------------------------------------------------


def denouement_lines(ending: DenouementView, squad: Sequence[Plane]) -> Iterator[RenderableType]:
    """[14.0] Yield each crew: where it is, how it is, what became of it; and the fields in China."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    known = {crew.key: crew for crew in ending.crews}
    for plane in squad:
        crew = known.get(plane.key)
        if crew is None:
            table.add_row(Text(f"{plane.number:>2} {plane.pilot}", "dim"), "", plane.status)
            continue
        text = roads.FATES.get(crew.fate) or f"{crew.place}, {crew.health}"
        if plane.fate == "landed" and plane.at == crew.where:
            text += f"; bomber {plane.fuel} fuel{', damaged' if plane.hits else ''}"
        table.add_row(f"{plane.number:>2} {plane.pilot}", ", ".join(man.name for man in crew.elites), text)
    yield table
    yield from _route_lines(ending)
    for field in ending.fields:
        if field.bombers or field.stock or field.hands:
            planes = count_text(len(field.bombers), "bomber")
            yield _line(field.name, f"{planes}, {field.stock} fuel, groundcrews can repair {field.hands}")


def _route_lines(ending: DenouementView) -> Iterator[Text]:
    """[14.4.3] Yield the routes from where crews wait: the fuel of a bomber, and the number on foot."""
    waiting = {crew.where for crew in ending.crews if not crew.fate}
    ways: dict[str, list[str]] = {}
    for one in ending.routes:
        if one.start in waiting:
            fuel = f"{one.fuel} fuel or " if one.fuel is not None else ""
            ways.setdefault(one.from_, []).append(f"{one.to} {fuel}{one.trek}+ on foot")
    yield from (_line(f"From {start}", "; ".join(parts)) for start, parts in ways.items())
