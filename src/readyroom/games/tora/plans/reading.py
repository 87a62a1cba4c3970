"""Plans as files, TOML and CSV, and the check that plans were not changed.

An invalid file is rejected as a whole, with each line and rule.

TOML has the fields of `AmericanPlan` or `JapanesePlan`, after a line `side = "usa"` or `side = "japan"`; JSON has the
same entries. CSV has blocks, each under a header line, separated by empty lines; `HEADERS` lists them.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple, cast, get_args, get_origin, get_type_hints

import msgspec

from readyroom.engine.data import check_own, ready
from readyroom.engine.errors import InvalidData, InvalidPlan
from readyroom.engine.toml import line_of, toml_lines
from readyroom.engine.toml import write_toml as write_tables
from readyroom.games.tora.figures import CATEGORIES, JAPAN, SIDE_ADJECTIVES, SIDES, USA, Data, SideName
from readyroom.games.tora.plans import lock
from readyroom.games.tora.plans.data import AmericanPlan, JapanesePlan, Ordnance
from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.validation import Where, check, completed
from readyroom.games.tora.state import Tora

SHOWN = 12
"""More complaints than this are only counted."""
ORDNANCE = [each.value for each in Ordnance]
PLANS: dict[str, type[Plan]] = {USA: AmericanPlan, JAPAN: JapanesePlan}


class Complaint(NamedTuple):
    """What is wrong in a file: the line (0 for the whole), the rule ("" for syntax), and the reason."""

    line: int
    rule: str
    reason: str

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.reason}{f' [{self.rule}]' if self.rule else ''}"


class BadPlan(InvalidPlan):
    """An invalid plan file; `complaints` have the lines and rules."""

    def __init__(self, file: str, complaints: list[Complaint]) -> None:
        self.file, self.complaints = file, sorted(complaints)
        reasons = "; ".join(map(str, self.complaints[:SHOWN]))
        more = len(self.complaints) - SHOWN
        super().__init__(f"{file} is not a legal plan. {reasons}{f'; and {more} more.' if more > 0 else ''}")


class Draft(NamedTuple):
    """A parsed file: side, entries, and the line of each entry."""

    side: SideName
    tables: dict[str, Any]
    lines: dict[Where, int]

    def line(self, where: Where) -> int:
        """Return the line of an entry, or of the nearest enclosing one."""
        return line_of(where, self.lines)


def read(text: bytes, file: str, data: Data, waves_max: int | None = None) -> Plan:
    """Read a plan from the text of a file, TOML or CSV by the file's name.

    Raises:
        BadPlan: the text cannot be read, or the plan is not legal; with every line and rule.
    """
    return read_draft(text, file, data, waves_max)[0]


def read_draft(text: bytes, file: str, data: Data, waves_max: int | None = None) -> tuple[Plan, Draft]:
    """Read a plan together with its draft, which has the line of each entry."""
    plan, draft = read_unchecked(text, file, data)
    faults = check(plan, data, waves_max)
    if faults:
        raise BadPlan(file, [Complaint(draft.line(fault.where), fault.rule, fault.reason) for fault in faults])
    return plan, draft


def read_unchecked(text: bytes, file: str, data: Data) -> tuple[Plan, Draft]:
    """Read a plan that need not be legal, with its draft.

    Raises:
        BadPlan: the text cannot be read.
    """
    try:
        decoded = text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        raise BadPlan(file, [Complaint(line, "", "This is not UTF-8 text.")]) from error
    if file.lower().endswith(".csv"):
        draft = _from_csv(decoded, file, data)
    else:
        draft = _from_json(decoded, file) if file.lower().endswith(".json") else _from_toml(decoded, file)
    complaints = list[Complaint]()
    plan: Plan = _convert(draft.tables, PLANS[draft.side], (), draft, complaints)
    if complaints:
        raise BadPlan(file, complaints)
    return plan, draft


# -- entries as structs ----------------------------------------------------------------------------------------------


def _convert(value: Any, kind: Any, where: Where, draft: Draft, complaints: list[Complaint]) -> Any:
    """Convert a part of a plan entry by entry, with a complaint for each invalid one."""
    inner = get_args(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, dict):
        return _struct(value, kind, where, draft, complaints)
    if get_origin(kind) is tuple and isinstance(value, list) and _holds_structs(inner):
        return tuple(_convert(one, inner[0], (*where, at), draft, complaints) for at, one in enumerate(value))
    if get_origin(kind) is dict and isinstance(value, dict) and _holds_structs(inner[1:]):
        return {key: _convert(one, inner[1], (*where, key), draft, complaints) for key, one in value.items()}
    if kind is Ordnance and value not in ORDNANCE:
        reason = f"No ordnance {value!r}. Ordnance: {', '.join(ORDNANCE)}."
        complaints.append(Complaint(draft.line(where), "7.4", reason))
        return None
    try:
        return msgspec.convert(value, ready(kind))
    except msgspec.ValidationError as error:
        reason = str(error).partition(" - at ")[0]
        complaints.append(Complaint(draft.line(where), "", f"{_path(where)}: {reason}."))
        return None


def _holds_structs(inner: tuple[Any, ...]) -> bool:
    return bool(inner) and isinstance(inner[0], type) and issubclass(inner[0], msgspec.Struct)


def _struct(
    value: dict[str, Any], kind: type[msgspec.Struct], where: Where, draft: Draft, complaints: list[Complaint]
) -> Any:
    hints, before = get_type_hints(kind), len(complaints)
    for key in (key for key in value if key not in hints):
        reason = f"No entry {key!r}. Entries: {', '.join(hints)}."
        complaints.append(Complaint(draft.line((*where, key)), "", reason))
    fields = {
        key: _convert(value[key], hint, (*where, key), draft, complaints) for key, hint in hints.items() if key in value
    }
    missing = [field.name for field in msgspec.structs.fields(kind) if field.required and field.name not in value]
    complaints += [Complaint(draft.line(where), "", f"{_path(where)}: {name} is missing.") for name in missing]
    return kind(**fields) if len(complaints) == before else None


def _path(where: Where) -> str:
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in where) or "The plan"


# -- TOML ------------------------------------------------------------------------------------------------------------

_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")


def _from_toml(text: str, file: str) -> Draft:
    try:
        check_own(text.encode(), file)
        tables = tomllib.loads(text)
    except InvalidData as error:
        line = int(error.key.removeprefix("line ") or 0)
        raise BadPlan(file, [Complaint(line, "", f"Expected {error.expected}, found {error.actual}.")]) from error
    except tomllib.TOMLDecodeError as error:
        match = _AT_LINE.search(str(error))
        line = int(match[1]) if match else text.count("\n") + 1
        reason = _AT_LINE.sub("", str(error)).strip()
        raise BadPlan(file, [Complaint(line, "", f"Invalid TOML: {reason}.")]) from error
    except (ValueError, RecursionError) as error:
        lengths = [len(line) for line in text.splitlines()]
        reason = "Invalid TOML: a number or a list is too long."
        raise BadPlan(file, [Complaint(lengths.index(max(lengths)) + 1, "", reason)]) from error
    return Draft(_side_of(tables, file), tables, dict(toml_lines(text)))


def _side_of(tables: dict[str, Any], file: str) -> SideName:
    """Take the side out of the entries of a file."""
    side = tables.pop("side", None)
    if side not in SIDES:
        reason = f"The file must name its side, side = {' or '.join(map(repr, PLANS))}; it has {side!r}."
        raise BadPlan(file, [Complaint(1, "", reason)])
    return cast(SideName, side)


def _from_json(text: str, file: str) -> Draft:
    """Read the draft that the planning chart sends: the entries of a TOML file, as JSON."""
    try:
        tables = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadPlan(file, [Complaint(0, "", f"Invalid JSON: {error}.")]) from error
    return Draft(_side_of(tables, file), tables, {})


def write_toml(plan: Plan) -> str:
    """Return a plan as TOML."""
    side = USA if isinstance(plan, AmericanPlan) else JAPAN
    return write_tables({"side": side, **msgspec.to_builtins(plan)})


# -- CSV -------------------------------------------------------------------------------------------------------------

HEADERS: dict[str, tuple[str, ...]] = {
    "calendar": ("day", "airfield", "ship", "aaa", "radar", "pby", "lex_in_port", "ent_in_port"),
    "fields": ("field", "top", "under", "places"),
    "ships": ("ship", "x", "y", "lie", "dock"),
    "day": ("attack_day",),
    "waves": ("wave", "entry_turn", "sector", "type", "ordnance", "units"),
    "message": ("message", "cipher", "key"),
}
"""The blocks of a CSV file: the first three are American, the others Japanese."""
AMERICAN = {"calendar", "fields", "ships"}
_PORTS = {"lex_in_port": "lexington", "ent_in_port": "enterprise"}
_YES = ("x", "yes", "y", "1", "true")
_NO = ("", "no", "n", "0", "false", "-")
_ORDNANCE = {"torp": "torpedo", "": "none", "-": "none"}


class Row(NamedTuple):
    """A line of a block, by its columns."""

    line: int
    cells: dict[str, str]

    def number(self, column: str, complaints: list[Complaint]) -> int:
        """Return a cell as a number; add a complaint and return 0 if it is none."""
        cell = self.cells[column]
        if not re.fullmatch(r"-?\d{1,6}", cell):
            complaints.append(Complaint(self.line, "", f"{column} must be a number, not {cell!r}."))
            return 0
        return int(cell)


def _from_csv(text: str, file: str, data: Data) -> Draft:
    complaints: list[Complaint] = []
    blocks = _blocks(text, complaints)
    american = blocks.keys() & AMERICAN
    side: SideName = USA if american else JAPAN
    if american and blocks.keys() - AMERICAN:
        complaints.append(Complaint(0, "", "The file has American and Japanese blocks; a plan belongs to one side."))
    needed = "calendar" if side == USA else "waves"
    if needed not in blocks and not complaints:
        header = ",".join(HEADERS[needed])
        complaints.append(Complaint(0, "", f"The block with the header {header} is missing."))
    draft = Draft(side, {}, {})
    if not complaints:
        (_american if side == USA else _japanese)(blocks, draft, complaints)
    if complaints:
        raise BadPlan(file, complaints)
    return draft


def _blocks(text: str, complaints: list[Complaint]) -> dict[str, list[Row]]:
    """Return the lines of a file by header."""
    blocks: dict[str, list[Row]] = {}
    block, reader = "", csv.reader(io.StringIO(text, newline=None))
    for cells in _rows(reader, complaints):
        row = [cell.strip() for cell in cells]
        if not any(row) or row[0].startswith("#"):
            continue
        header = tuple(cell.lower() for cell in row)
        named = next((name for name, columns in HEADERS.items() if header == columns), None)
        if named:
            block = named
            blocks[block] = []
        elif not block:
            complaints.append(Complaint(reader.line_num, "", f"{','.join(row)!r} is not under a header."))
            break
        elif len(row) != len(HEADERS[block]):
            columns = HEADERS[block]
            reason = f"This line has {len(row)} cells; {','.join(columns)} has {len(columns)}."
            complaints.append(Complaint(reader.line_num, "", reason))
        else:
            blocks[block].append(Row(reader.line_num, dict(zip(HEADERS[block], row, strict=True))))
    return blocks


def _rows(reader: Any, complaints: list[Complaint]) -> Iterator[list[str]]:
    """Yield the readable rows; complain about the first that is not, and stop."""
    try:
        yield from reader
    except csv.Error as error:
        complaints.append(Complaint(reader.line_num, "", f"Invalid CSV: {error}."))


def _american(blocks: dict[str, list[Row]], draft: Draft, complaints: list[Complaint]) -> None:
    tables, lines = draft.tables, draft.lines
    calendar = blocks["calendar"]
    for at, row in enumerate(calendar):
        if row.number("day", complaints) != at + 1:
            complaints.append(Complaint(row.line, "", f"Day {at + 1} is expected here; days must be in order."))
        for column in (*CATEGORIES, "radar", "patrol"):
            lines[column, at] = row.line
    for category in CATEGORIES:
        tables[category] = [row.number(category, complaints) for row in calendar]
    for kind, column in (("radar", "radar"), ("patrol", "pby")):
        cells = [row.cells[column] for row in calendar]
        tables[kind] = ["" if cell in _NO else cell.upper().removeprefix("3") for cell in cells]
    tables["in_port"] = _ports(calendar, draft, complaints)
    if "fields" in blocks:
        tables["parked"] = [_parked(row, at, draft, complaints) for at, row in enumerate(blocks["fields"])]
    if "ships" in blocks:
        tables["berths"] = dict(_berth(row, draft, complaints) for row in blocks["ships"])


def _ports(calendar: list[Row], draft: Draft, complaints: list[Complaint]) -> dict[str, int]:
    """[5.13] Return the day marked for each carrier; complain about a second mark."""
    ports: dict[str, int] = {}
    for column, key in _PORTS.items():
        for at, row in enumerate(calendar):
            cell = row.cells[column].lower()
            if cell in _YES and key in ports:
                reason = f"{key.title()} is already in port on day {ports[key]}; she has one day in port."
                complaints.append(Complaint(row.line, "5.13", reason))
            elif cell in _YES:
                ports[key], draft.lines["in_port", key] = at + 1, row.line
            elif cell not in _NO:
                complaints.append(Complaint(row.line, "", f"{column} must be x or empty, not {cell!r}."))
    return ports


def _key(cell: str) -> str:
    """Return a name as a key: West Virginia is west-virginia."""
    return re.sub(r"[\s_]+", "-", cell.strip().lower())


def _type(cell: str) -> str:
    """Return an aircraft as a key: P-40 is p40."""
    return re.sub(r"[\s_-]+", "", cell.lower())


def _parked(row: Row, at: int, draft: Draft, complaints: list[Complaint]) -> dict[str, Any]:
    draft.lines["parked", at] = row.line
    top, under = _type(row.cells["top"]), _type(row.cells["under"])
    places = row.number("places", complaints)
    return {"field": _key(row.cells["field"]), "top": top, "under": under, "places": places}


def _berth(row: Row, draft: Draft, complaints: list[Complaint]) -> tuple[str, dict[str, Any]]:
    key = _key(row.cells["ship"])
    if ("berths", key) in draft.lines:
        complaints.append(Complaint(row.line, "5.14", f"{row.cells['ship']} already has a berth."))
    draft.lines["berths", key] = row.line
    berth = {"x": row.number("x", complaints), "y": row.number("y", complaints), "lie": row.cells["lie"].lower()}
    return key, {**berth, "dock": row.cells["dock"].lower() in _YES}


def _japanese(blocks: dict[str, list[Row]], draft: Draft, complaints: list[Complaint]) -> None:
    tables, days = draft.tables, blocks.get("day", [])
    if len(days) != 1:
        line = days[1].line if days else 0
        complaints.append(Complaint(line, "7.1", f"The plan must name one day of attack; it names {len(days)}."))
        return
    tables["day"], draft.lines["day",] = days[0].number("attack_day", complaints), days[0].line
    tables["wave"] = _waves(blocks["waves"], draft, complaints)
    for row in blocks.get("message", [])[:1]:
        tables |= {"message": row.cells["message"], "cipher": _key(row.cells["cipher"]), "key": row.cells["key"]}
        draft.lines.update({("message",): row.line, ("cipher",): row.line, ("key",): row.line})


def _waves(rows: list[Row], draft: Draft, complaints: list[Complaint]) -> list[dict[str, Any]]:
    """[7.3] Return the waves, each from its lines; they must be in order, with one entry turn each."""
    waves: list[dict[str, Any]] = []
    for row in rows:
        number, turn = row.number("wave", complaints), row.number("entry_turn", complaints)
        if number == len(waves) + 1:
            waves.append({"turn": turn, "group": []})
            draft.lines["wave", number - 1] = row.line
        if not waves or number != len(waves):
            reason = f"Wave {len(waves) + 1} is expected here, not wave {number}; waves must be in order."
            complaints.append(Complaint(row.line, "7.3", reason))
            continue
        if turn != waves[-1]["turn"]:
            reason = f"Wave {number} enters on turn {waves[-1]['turn']} above, but on turn {turn} here."
            complaints.append(Complaint(row.line, "7.3", reason))
        draft.lines["wave", number - 1, "group", len(waves[-1]["group"])] = row.line
        waves[-1]["group"].append(_group(row, complaints))
    return waves


def _group(row: Row, complaints: list[Complaint]) -> dict[str, Any]:
    sector, ordnance = row.cells["sector"].upper(), row.cells["ordnance"].lower()
    return {
        "sector": sector if sector.startswith("3") else f"3{sector}",
        "type": _type(row.cells["type"]),
        "ordnance": _ORDNANCE.get(ordnance, ordnance),
        "units": row.number("units", complaints),
    }


def write_csv(plan: Plan, data: Data) -> str:
    """Return a plan as CSV."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    rows = _american_rows(completed(plan, data)) if isinstance(plan, AmericanPlan) else _japanese_rows(plan)
    for name, block in rows:
        if written.tell():
            written.write("\n")
        writer.writerow(HEADERS[name])
        writer.writerows(block)
    return written.getvalue()


Block = tuple[str, list[list[object]]]


def _american_rows(plan: AmericanPlan) -> Iterator[Block]:
    ports = [plan.in_port.get(key) for key in _PORTS.values()]
    days = zip(plan.airfield, plan.ship, plan.aaa, plan.radar, plan.patrol, strict=True)
    yield (
        "calendar",
        [[day, *cells, *("x" if port == day else "" for port in ports)] for day, cells in enumerate(days, start=1)],
    )
    yield "fields", [[each.field, each.top, each.under, each.places] for each in plan.parked]
    berths = plan.berths.items()
    yield "ships", [[key, berth.x, berth.y, berth.lie, "x" if berth.dock else ""] for key, berth in berths]


def _japanese_rows(plan: JapanesePlan) -> Iterator[Block]:
    yield "day", [[plan.day]]
    yield (
        "waves",
        [
            [number, wave.turn, group.sector, group.type, group.ordnance.value, group.units]
            for number, wave in enumerate(plan.wave, start=1)
            for group in wave.group
        ],
    )
    if plan.message:
        yield "message", [[plan.message, plan.cipher, plan.key]]


# -- proof -----------------------------------------------------------------------------------------------------------


def prove(state: Tora) -> list[tuple[str, bool]]:
    """[2] Return for each side with a locked plan whether it matches its last fingerprint (T27)."""
    checks: list[tuple[str, bool]] = []
    for name in SIDES:
        side = state.side(name)
        if side.sealed:
            assert side.plan is not None
            sealed = side.sealed[-1]
            claim = f"The {SIDE_ADJECTIVES[name]} plan matches its published fingerprint {sealed.fingerprint}."
            checks.append((claim, lock.proved(side.plan, sealed)))
    return checks
