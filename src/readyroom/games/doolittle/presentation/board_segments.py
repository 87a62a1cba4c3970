"""The board as a terminal draws it, before and after the flight: the blotter, the voyage, the ways home."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from readyroom.engine.game import View
from readyroom.games.doolittle.names import count
from readyroom.games.doolittle.presentation.drawing import roads
from readyroom.games.doolittle.presentation.sea import PLACES, draw_words, marker_words
from readyroom.games.doolittle.presentation.squadron import Plane

MONTHS = ("january", "february", "march", "april")
LATEST = 5
"""The number of the latest happenings that are listed."""
LEGEND = (
    "Sea areas from east to west. Meet is the rendezvous number; move is the sum to get under way, in weather that is "
    "not yet known for calm/gusty/gale/storm. ⚑ planned rendezvous, ▲ planned launch, ! a damaged ship. An icon in "
    "brackets says what a failed secrecy test brings. A submarine in contact is a patrol: hazards are drawn for it."
)
"""How to read the naval map; printed in the first turn."""


def _table(*columns: tuple[str, int]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, expand=True, header_style="dim")
    for name, ratio in columns:
        table.add_column(name, ratio=ratio)
    return table


def _line(name: str, text: str) -> Text:
    return Text.assemble((f"{name}: ", "bold"), text or "nothing")


def happened(line: Sequence[Sequence[str]]) -> Iterator[RenderableType]:
    """[1.9] The latest entries of the time line."""
    parts = [" ".join(filter(None, [month, day])) + f": {text}" for month, day, text in line[-LATEST:]]
    if parts:
        yield Text("\n".join(parts), "dim")


# -- the blotter -----------------------------------------------------------------------------------------------------


def blotter(data: View) -> Iterator[RenderableType]:
    """[13.0.1] The talks in a table; everything else in a line each."""
    months = ((f"{month.capitalize()} (+{data['month_risk'][month]})", 2) for month in MONTHS)
    table = _table(("Talks (+ risk)", 4), *months)
    for line in data["calendar"]:
        state = "agreed" if line["granted"] else "refused" if line["denied"] else ""
        marks = [
            state,
            "briefed" if line["briefed"] else "",
            f"{line['leader']} briefed" if line["leader_briefed"] else "",
        ]
        marks += [f"urgent ×{line['urgent']}"] if line["urgent"] else []
        marks += [f"risk +{line['risk']}"] if line["risk"] else []
        cells = [_need(line, month, data["month"]) for month in MONTHS]
        table.add_row(Text.assemble((line["name"], "bold"), f" {', '.join(filter(None, marks))}"), *cells)
    yield table
    doolittle = data["doolittle"]
    yield _line("Doolittle", doolittle.capitalize())
    yield from _bombers(data)
    yield _line("Fields in China", "; ".join(_site(site) for site in data["china"]))
    yield _line("Naval plan", _plan(data["plan"], dict(data["areas"])))
    yield _line("Secrecy", _secrecy(data))
    if data["incidents"]["chits"]:
        yield _line("Incidents", ", ".join(title for _, title, _ in data["incidents"]["chits"]))


def _secrecy(data: View) -> str:
    """[13.5.6] The dice of secrecy, the risk that is certain with its parts, and what dice will add in April."""
    risk = sum(value for _, value in data["risk"])
    parts = ", ".join(f"{name} {value}" for name, value in data["risk"])
    text = f"{data['secrecy']} dice, risk {risk} for certain{f' ({parts})' if parts else ''}"
    return f"{text}; by dice in April: {'; '.join(data['open_risk'])}" if data["open_risk"] else text


def _need(line: View, month: str, now: str) -> Text:
    """[13.2.1] The sum of a month, with a mark where the diplomat is sent from."""
    number = str(line["needs"].get(month, "–"))
    here = " ♟" if line["placed"] == month else ""
    return Text(f"{number}{here}", "bold" if month == now else "dim")


def _bombers(bombers: View) -> Iterator[RenderableType]:
    """[13.3, 13.4] Modifications, field, morale and training."""
    track = bombers["track"]
    made = ", ".join(one["title"].lower() for one in bombers["modifications"])
    weight = f"weight {track['weight']}{' (heavy)' if track['heavy'] else ''}, guzzle {track['guzzle']}"
    guns = f"{track['guns']} gunnery dice, {track['fuel']} fuel"
    yield _line("Workshop", f"{weight}, {guns}{f'; {made}' if made else ''}")
    box = bombers["morale"]["boxes"][bombers["morale"]["at"]]
    field = [
        bombers["site"],
        *bombers["measures"],
        f"morale {box[0]} ({box[1]} elite crewmen, {box[2]} training points)",
    ]
    field += ["liberty"] if bombers["liberty"] else []
    field += ["told"] if bombers["told"] else []
    yield _line("Field", ", ".join(filter(None, field)))
    levels = [f"{one['title'].lower()} {one['level']}" for one in bombers["training"] if one["used"]]
    yield _line("Training", f"{', '.join(levels)}; room for {bombers['deck']['capacity']} aboard")
    chosen = [one["pilot"] for one in bombers["bombers"] if one["state"] == "chosen"]
    yield _line(count(len(chosen), "bomber").capitalize(), ", ".join(chosen))


def _site(site: View) -> str:
    parts = ["lost"] if site["taken"] else ["beacon"] if site["beacon"] else [f"needs {site['stockpile']}"]
    parts += [f"{site['fuel']} fuel"] if site["fuel"] else []
    parts += ["groundcrew"] if site["groundcrew"] else []
    return f"{site['name']} ({', '.join(parts)})"


def _plan(plan: View | None, names: Mapping[str, str]) -> str:
    """[13.5.1] The naval plan in a few words."""
    plan = plan or {}
    parts = [f"meet in {names[plan['rendezvous_area']]}"] if plan.get("rendezvous_area") else []
    parts += [f"on {plan['rendezvous_turn']}"] if plan.get("rendezvous_turn") else []
    parts += [f"launch in {names[plan['launch_area']]}"] if plan.get("launch_area") else []
    parts += [f"{boat.capitalize()} in {names[area]}" for boat, area in plan.get("submarines", {}).items()]
    return ", ".join(parts)


# -- the voyage ------------------------------------------------------------------------------------------------------


def voyage(data: View, strike: View | None) -> Iterator[RenderableType]:
    """[9.0, 9.5] The sea areas with weather and patrols; the spaces with their ships; the airstrike."""
    table = _table(("Sea area", 5), ("Meet", 2), ("Weather, move", 5), ("Hazards drawn", 7), ("There", 6))
    for area in data["areas"]:
        cells = [str(area["rendezvous"]), _weather(area), draw_words(area["draws"]), ", ".join(_there(data, area))]
        table.add_row(_area(data, area), *cells)
    yield table
    yield _line("Plan", _sea_plan(data))
    if data["penalties"]:
        yield _line("Task force", ", ".join(data["penalties"]))
    ships = {ship["key"]: ship for ship in data["ships"]}
    for space in data["layout"]:
        if space["ships"]:
            yield _line(space["name"], ", ".join(_ship(ships[key]) for key in space["ships"]))
    yield _line("Recon", ", ".join(_recon(data, one) for one in data["recon"] if one["place"] not in ("away", "gone")))
    yield from _met(data)
    if strike is not None:
        waves = "; ".join(", ".join(wave) for wave in strike["waves"])
        yield Text.assemble(("Airstrike: ", "bold red"), waves or "not yet in sight")


def _weather(area: View) -> str:
    """[9.3, 12.5.1] The weather with its move number, or the move numbers of all weathers."""
    if area["weather"]:
        return f"{area['weather']}, {area['move'][area['weather']]}+"
    return "/".join(str(number) for number in area["move"].values())


def _sea_plan(data: View) -> str:
    """[9.2, 13.5.1] The planned rendezvous, its turn, and the planned launch point."""
    plan, names = data["plan"] or {}, {area["key"]: area["name"] for area in data["areas"]}
    if data["met"]:
        parts = ["the forces have met"]
    else:
        where, turn = names.get(plan.get("rendezvous_area", "")), plan.get("rendezvous_turn")
        parts = [" ".join(filter(None, ["meet", f"in {where} (⚑)" if where else "", f"on {turn}" if turn else ""]))]
    launch = names.get(plan.get("launch_area", ""))
    return ", ".join([*parts, *([f"launch in {launch} (▲)"] if launch else [])])


def _recon(data: View, recon: View) -> str:
    """[9.5.2, 10.2] A recon marker, where it is, and its mechanical distress."""
    names = {area["key"]: area["name"] for area in data["areas"]}
    text = f"{recon['name']} {PLACES.get(recon['place']) or names.get(recon['place'], recon['place'])}"
    return f"{text}{_markers(recon['markers'])}"


def _markers(markers: Sequence[View]) -> str:
    return f" [{', '.join(marker_words(one) for one in markers)}]" if markers else ""


def _met(data: View) -> Iterator[Text]:
    """[12.6.3, 12.6.4] The hazards that the patrols have still to meet, and those that they have met."""
    held = [
        f"{one['name']}: {', '.join(marker_words(marker) for marker in one['markers'])}"
        for one in data["hazards"]["assigned"]
        if one["markers"]
    ]
    if data["hazards"]["undealt"]:
        held.append(f"{len(data['hazards']['undealt'])} to be assigned")
    if held:
        yield _line("Hazards", "; ".join(held))
    if data["met_with"]:
        yield _line("Met this turn", ", ".join(data["met_with"]))


def _area(data: View, area: View) -> Text:
    plan = data["plan"] or {}
    marks = (" ⚑" if plan.get("rendezvous_area") == area["key"] else "") + (
        " ▲" if plan.get("launch_area") == area["key"] else ""
    )
    return Text(f"{area['name']}{marks}", "bold" if data["area"] == area["key"] else "")


def _there(data: View, area: View) -> Iterator[str]:
    """[12.6.2] Who is in a sea area."""
    if data["area"] == area["key"]:
        yield "task force" if data["fueled"] else "task force, low on fuel"
    for boat in data["submarines"]:
        if boat["area"] == area["key"] and not boat["lost"]:
            yield f"{boat['name']} {'in contact' if boat['contact'] else '(silent)'}"
    yield from (one["name"] for one in data["recon"] if one["area"] == area["key"])
    if area["signals"]:
        yield count(len(area["signals"]), "enemy signal")
    if area["groups"]:
        yield "ships on their way home"


def _ship(ship: View) -> str:
    marks = "!" if ship["hits"] else ""
    return f"{ship['name']}{marks}{' (slow)' if ship['slow'] else ''}{_markers(ship['markers'])}"


# -- the ways home ---------------------------------------------------------------------------------------------------


def ending(data: View, squad: Sequence[Plane]) -> Iterator[RenderableType]:
    """[14.0] Each crew: where it is, how it is, what became of it; and the fields in China."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    known = {crew["key"]: crew for crew in data["crews"]}
    for plane in squad:
        crew = known.get(plane.key)
        if crew is None:
            table.add_row(Text(f"{plane.number:>2} {plane.pilot}", "dim"), "", plane.status)
            continue
        men = ", ".join(man["name"] for man in crew["elites"])
        health = "fit" if crew["fit"] else "wounded"
        text = roads.FATES.get(crew["fate"]) or f"{crew['place']}, {health}"
        if plane.fate == "landed" and plane.at == crew["where"]:
            text += f"; bomber {plane.fuel} fuel{', damaged' if plane.hits else ''}"
        table.add_row(f"{plane.number:>2} {plane.pilot}", men, text)
    yield table
    yield from _routes(data)
    for field in data["fields"]:
        if field["bombers"] or field["stock"] or field["hands"]:
            planes = count(len(field["bombers"]), "bomber")
            yield _line(field["name"], f"{planes}, {field['stock']} fuel, groundcrews can repair {field['hands']}")


def _routes(result: View) -> Iterator[Text]:
    """[14.4.3] The routes from where crews wait: the fuel of a bomber, and the sum on foot."""
    waiting = [crew["where"] for crew in result["crews"] if not crew["fate"]]
    routes = [one for one in result["routes"] if one["start"] in waiting]
    for start in dict.fromkeys(one["from"] for one in routes):
        yield _line(f"From {start}", "; ".join(_route(one) for one in routes if one["from"] == start))


def _route(route: View) -> str:
    fuel = f"{route['fuel']} fuel or " if route["fuel"] is not None else ""
    return f"{route['to']} {fuel}{route['trek']}+ on foot"
