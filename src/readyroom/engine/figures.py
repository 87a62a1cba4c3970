"""The figures of a game's data that can be changed: numbers, switches and the cells of charts, each with an address.

An address names the file, then every table and key down to the figure: `combat/dive/fire/at_least`, or
`tables/chart/naval-attack/rows/3/12+`, where the entries of a list are named by their key and the cells of a chart by
their column. Texts, keys and the shape of a chart cannot be changed, because rules rely on them.

A figure is called by the names of its fields, or by the titles that `msgspec.Meta(title="...")` gives them where they
are declared; an empty title leaves a field out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import inspect

from readyroom.engine.data import convert, ready
from readyroom.engine.errors import InvalidData, Unknown
from readyroom.engine.rules.charts import Chart
from readyroom.engine.text import capitalize_first

Figure: TypeAlias = bool | int | float | str
"""A figure; texts are cells of charts, and choices."""
Path: TypeAlias = tuple[str | int, ...]
LEAST_RANGE, FACTOR = 100, 10
"""A number may become this large, or this many times as large as the largest one like it."""
NAMES = ("key", "id", "name", "title")
"""The fields that name the entries of a list, the first that does."""
ABOUT = ("rule", "source", "origin")
"""The fields that say where figures come from."""
SINGLE = "value"
"""The column of single figures."""
MOST_EXAMPLES = 4
_NUMBER = re.compile(r"\d+")
_ESCAPES = (("~", "~0"), ("/", "~1"))


class UnknownFigure(Unknown):
    """The game has no figure with this address."""

    kind = "figure"


class FigureRule(NamedTuple):
    """What a figure may be: a number of a range, a switch, one of some texts, or a text of a pattern."""

    kind: str
    low: float = 0
    high: float = 0
    choices: Sequence[str] = ()
    pattern: str = ""
    examples: str = ""

    @property
    def allowed(self) -> str:
        """What is allowed, for people."""
        if self.kind in ("whole", "number"):
            return f"a {'whole ' if self.kind == 'whole' else ''}number from {self.low:g} to {self.high:g}"
        if self.kind == "switch":
            return "yes or no"
        return f"one of {', '.join(self.choices)}" if self.kind == "choice" else f"a result such as {self.examples}"

    @property
    def hint(self) -> str:
        """What is allowed, as short as it stands next to a field; nothing for what is chosen from a list."""
        if self.kind in ("whole", "number"):
            return f"{self.low:g} to {self.high:g}".replace("-", "−")
        return f"such as {self.examples}" if self.kind == "text" else ""

    def read(self, text: str) -> Figure:
        """Return the figure that a text from a form stands for; raise ValueError if it is not allowed."""
        text = text.strip().replace("−", "-")
        if self.kind == "switch":
            return {"yes": True, "no": False}[text] if text in ("yes", "no") else _reject(text)
        value: Figure = text
        if self.kind == "whole":
            value = int(text)
        elif self.kind == "number":
            value = float(text)
        return self.check(value)

    def check(self, value: Figure) -> Figure:
        """Return a figure as the data has it; raise ValueError if it is not allowed."""
        if self.kind == "switch":
            return value if isinstance(value, bool) else _reject(value)
        if self.kind in ("whole", "number"):
            fits = isinstance(value, int | float if self.kind == "number" else int) and not isinstance(value, bool)
            return value if fits and self.low <= float(value) <= self.high else _reject(value)
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(text, str):
            return _reject(value)
        fits = text in self.choices if self.kind == "choice" else re.fullmatch(self.pattern, text) is not None
        return text if fits else _reject(value)


def _reject(value: object) -> Figure:
    raise ValueError(f"{value!r} is not allowed")


class FigureCell(NamedTuple):
    """A figure: its address, where it is in the data, its value, and what it may be."""

    address: str
    path: Path
    value: Figure
    rule: FigureRule


class FigureRow(NamedTuple):
    """A row of figures, a cell or None for each column; `origin` says where they come from, if the table does not."""

    label: str
    cells: Sequence[FigureCell | None]
    origin: str = ""


class FigureTable(NamedTuple):
    """Figures as a table: those of a chart, of a list, or all single ones of a file."""

    key: str
    file: str
    title: str
    columns: Sequence[str]
    rows: Sequence[FigureRow]
    rule: str = ""
    source: str = ""
    origin: str = ""

    @property
    def cells(self) -> Iterator[FigureCell]:
        """All cells."""
        return (cell for row in self.rows for cell in row.cells if cell is not None)


class FigurePlace(NamedTuple):
    """Where a figure is: its table, row and column."""

    table: FigureTable
    row: FigureRow
    column: str
    cell: FigureCell

    @property
    def title(self) -> str:
        """What the figure is, in words."""
        single = len(self.table.columns) == 1 and self.column == SINGLE
        return f"{self.table.title}: {self.row.label}" + ("" if single else f", {self.column}")

    @property
    def origin(self) -> str:
        """Where the figure comes from."""
        return self.row.origin or self.table.origin


class Figures:
    """All figures of a game's data that can be changed, as tables."""

    def __init__(self, data: Any, type_: type[Any]) -> None:
        self._type = type_
        self._values: Any = msgspec.to_builtins(data)
        self.tables: Sequence[FigureTable] = list(_Reader(self._values).tables(ready(type_)))

    @cached_property
    def places(self) -> Mapping[str, FigurePlace]:
        """Where all figures are, by address."""
        return {
            cell.address: FigurePlace(table, row, column, cell)
            for table in self.tables
            for row in table.rows
            for column, cell in zip(table.columns, row.cells, strict=True)
            if cell is not None
        }

    def place(self, address: str) -> FigurePlace:
        """Return where the figure with this address is; raise `UnknownFigure`."""
        if address not in self.places:
            raise UnknownFigure(address, self.places)
        return self.places[address]

    def table(self, key: str) -> FigureTable | None:
        """Return the table with this key."""
        return next((table for table in self.tables if table.key == key), None)

    def changed(self, changes: Mapping[str, Figure], file: str) -> Any:
        """Return the data with these figures instead, by address; `file` is where they come from.

        Raises:
            UnknownFigure: an address does not exist.
            InvalidData: a figure is not allowed, or the data does not fit together any more.
        """
        values = _copy(self._values)
        for address, value in changes.items():
            cell = self.place(address).cell
            try:
                checked = cell.rule.check(value)
            except ValueError as error:
                raise InvalidData(file, address, cell.rule.allowed, repr(value)) from error
            *way, last = cell.path
            place = values
            for step in way:
                place = place[step]
            place[last] = checked
        return convert(values, self._type, file)


def _copy(value: Any) -> Any:
    """Return plain data with new containers."""
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list | tuple) else value


# -- from data to tables ---------------------------------------------------------------------------------------------


class _Leaf(NamedTuple):
    """A figure with its labels from the table's node on; `choices` if it is one of some texts, and its limits."""

    labels: tuple[str, ...]
    path: Path
    address: str
    value: Figure
    limits: tuple[float | None, float | None] = (None, None)
    choices: tuple[str, ...] = ()
    origin: str = ""


class _About(NamedTuple):
    rule: str = ""
    source: str = ""
    origin: str = ""

    def inside(self, node: Mapping[Any, Any]) -> _About:
        """Return where the figures of a table in it come from."""
        own = {key: node[key] for key in ABOUT if isinstance(node.get(key), str)}
        return self._replace(**own)


class _Reader:
    """Reads tables of figures from data and its type together."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def tables(self, type_: Any) -> Iterator[FigureTable]:
        """Yield the tables of all files."""
        kind = inspect.type_info(type_)
        assert isinstance(kind, inspect.StructType)
        for field in kind.fields:
            name = field.encode_name
            yield from self._tables(self.values[name], field.type, (name,), name, _title(name), _About())

    def _tables(
        self, node: Any, kind: inspect.Type, path: Path, address: str, title: str, about: _About
    ) -> Iterator[FigureTable]:
        """Yield the tables of a node: of its single figures, then of every list and chart in it."""
        kind = _kind_of(kind, node)
        if isinstance(kind, inspect.StructType) and kind.cls is Chart:
            yield _chart(node, path, address)
            return
        entries = list(_entries(node, kind))
        if isinstance(node, list | dict) and _is_collection(node, kind):
            yield from self._collection(entries, path, address, title, about)
            return
        about = about.inside(node)
        leaves, deeper = self._leaves(node, kind, path, address, ())
        if leaves:
            rows = [FigureRow(_row_label(leaf.labels), (cell,), leaf.origin) for leaf, cell in _cells(leaves)]
            yield FigureTable(address, str(path[0]), title, (SINGLE,), rows, *about)
        for labels, each, each_kind, each_path, each_address in deeper:
            name = f"{title}: {_words(labels)}" if len(path) == 1 else f"{title}, {_words(labels)}"
            yield from self._tables(each, each_kind, each_path, each_address, name, about)

    def _collection(
        self, entries: Sequence[_Entry], path: Path, address: str, title: str, about: _About
    ) -> Iterator[FigureTable]:
        """Yield the table of entries of one kind, a row for each, then the tables inside them."""
        found = []
        for entry in entries:
            kind = _kind_of(entry.kind, entry.value)
            if isinstance(kind, inspect.StructType) and kind.cls is Chart:
                yield _chart(entry.value, (*path, entry.key), _join(address, entry.name))
                continue
            found.append((entry, self._leaves(entry.value, kind, (*path, entry.key), _join(address, entry.name), ())))
        columns = list(dict.fromkeys(leaf.labels for _, (leaves, _) in found for leaf in leaves))
        if columns:
            yield _collection_table(found, columns, path, address, title, about)
        for entry, (_, deeper) in found:
            inner = about.inside(entry.value) if isinstance(entry.value, dict) else about
            for labels, each, kind, each_path, each_address in deeper:
                name = f"{title}, {entry.label}: {_words(labels)}"
                yield from self._tables(each, kind, each_path, each_address, name, inner)

    def _leaves(
        self, node: Any, kind: inspect.Type, path: Path, address: str, labels: tuple[str, ...]
    ) -> tuple[list[_Leaf], list[tuple[tuple[str, ...], Any, inspect.Type, Path, str]]]:
        """Return the single figures of a node, and what needs tables of its own."""
        leaves: list[_Leaf] = []
        deeper = []
        for entry in _entries(node, kind):
            inner_kind = _kind_of(entry.kind, entry.value)
            at, name = (*path, entry.key), _join(address, entry.name)
            inner = (*labels, entry.label)
            if isinstance(entry.value, list | dict):
                if _needs_table(entry.value, inner_kind):
                    deeper.append((inner, entry.value, inner_kind, at, name))
                    continue
                more, tables = self._leaves(entry.value, inner_kind, at, name, inner)
                origin = entry.value.get("origin", "") if isinstance(entry.value, dict) else ""
                leaves += [leaf._replace(origin=leaf.origin or origin) for leaf in more]
                deeper += tables
            elif (leaf := _leaf(entry, inner_kind, inner, at, name)) is not None:
                leaves.append(leaf)
        return leaves, deeper


class _Entry(NamedTuple):
    """A value in a container: its key or index, its name in addresses, its label, and its type."""

    key: str | int
    name: str
    label: str
    value: Any
    kind: inspect.Type


def _entries(node: Any, kind: inspect.Type) -> Iterator[_Entry]:
    """Yield what is in a struct, a dict or a list."""
    if isinstance(node, dict):
        known = kind.fields if isinstance(kind, inspect.StructType) else ()
        fields = {field.encode_name: field.type for field in known}
        inner = kind.value_type if isinstance(kind, inspect.DictType) else inspect.AnyType()
        for key, value in node.items():
            yield _Entry(key, str(key), _label(key, value, kind, fields.get(key)), value, fields.get(key, inner))
    elif isinstance(node, list | tuple):
        names = _names(node)
        for number, value in enumerate(node):
            yield _Entry(number, names[number][0], names[number][1], value, _item_kind(kind, number))


def _label(key: object, value: Any, kind: inspect.Type, field: inspect.Type | None) -> str:
    """Return what an entry is called: the title of its field, or of itself, or else its key."""
    if isinstance(field, inspect.Metadata) and "title" in (field.extra_json_schema or {}):
        return str((field.extra_json_schema or {})["title"])
    if isinstance(kind, inspect.DictType):
        return str(value.get("title") or key) if isinstance(value, dict) else str(key)
    return _words((str(key),))


def _item_kind(kind: inspect.Type, number: int) -> inspect.Type:
    if isinstance(kind, inspect.TupleType):
        return kind.item_types[number]
    item = getattr(kind, "item_type", None)
    return item if item is not None else inspect.AnyType()


def _names(node: Sequence[Any]) -> list[tuple[str, str]]:
    """Return the names of a list's entries in addresses, and their labels: by a field that names them, or by number."""
    numbers = [(str(number), str(number)) for number in range(1, len(node) + 1)]
    if not node or not all(isinstance(each, dict) for each in node):
        return numbers
    for field in NAMES:
        names = [each.get(field) for each in node]
        if all(isinstance(name, str) for name in names) and len(set(names)) == len(names):
            return [
                (str(name), str(next((each[key] for key in ("name", "title") if each.get(key)), name)))
                for name, each in zip(names, node, strict=True)
            ]
    return numbers


def _kind_of(kind: inspect.Type, value: Any) -> inspect.Type:
    """Return the type of a value: without metadata, and the fitting one of a union."""
    if isinstance(kind, inspect.Metadata):
        return _kind_of(kind.type, value)
    if not isinstance(kind, inspect.UnionType):
        return kind
    kinds = [_kind_of(each, value) for each in kind.types if not isinstance(each, inspect.NoneType)]
    structs = [each for each in kinds if isinstance(each, inspect.StructType)]
    if isinstance(value, dict) and structs:
        return max(structs, key=lambda each: _fit(each, value))
    if isinstance(value, bool):
        return next((each for each in kinds if isinstance(each, inspect.BoolType)), inspect.AnyType())
    if isinstance(value, list | dict):
        wanted = inspect.DictType if isinstance(value, dict) else (inspect.ListType, inspect.VarTupleType)
        return next((each for each in kinds if isinstance(each, wanted)), inspect.AnyType())
    return kinds[0] if len(kinds) == 1 else next((each for each in kinds if _is_scalar(each, value)), inspect.AnyType())


def _fit(kind: inspect.StructType, value: Mapping[str, Any]) -> int:
    """Return how well a struct type fits plain data."""
    names = {field.encode_name for field in kind.fields}
    tagged = kind.tag_field is not None and value.get(kind.tag_field) == kind.tag
    return 1000 * tagged + len(names & value.keys()) - len(value.keys() - names)


def _is_scalar(kind: inspect.Type, value: Any) -> bool:
    return (isinstance(value, int) and isinstance(kind, inspect.IntType)) or (
        isinstance(value, float) and isinstance(kind, inspect.FloatType)
    )


def _is_collection(node: Any, kind: inspect.Type) -> bool:
    """Return whether a container holds entries of one kind that are containers, so that each is a row."""
    values = list(node.values()) if isinstance(node, dict) else node
    plain = isinstance(kind, inspect.StructType)
    return not plain and bool(values) and all(isinstance(each, dict) for each in values)


def _needs_table(value: Any, kind: inspect.Type) -> bool:
    return (isinstance(kind, inspect.StructType) and kind.cls is Chart) or _is_collection(value, kind)


def _leaf(entry: _Entry, kind: inspect.Type, labels: tuple[str, ...], path: Path, address: str) -> _Leaf | None:
    """Return a figure, or None for what cannot be changed."""
    value = entry.value
    if isinstance(value, bool):
        return _Leaf(labels, path, address, value)
    if isinstance(value, int | float):
        if isinstance(value, int) and isinstance(kind, inspect.FloatType):
            value = float(value)
        return _Leaf(labels, path, address, value, _limits(entry.kind, kind))
    if isinstance(value, str) and isinstance(kind, inspect.LiteralType) and entry.key != "source":
        return _Leaf(labels, path, address, value, choices=tuple(map(str, kind.values)))
    return None


def _limits(field: inspect.Type, kind: inspect.Type) -> tuple[float | None, float | None]:
    """Return the least and the greatest value of a number: those of its type, or of the JSON schema of its field."""
    schema = (field.extra_json_schema or {}) if isinstance(field, inspect.Metadata) else {}
    least, greatest = getattr(kind, "ge", None), getattr(kind, "le", None)
    return schema.get("minimum") if least is None else least, schema.get("maximum") if greatest is None else greatest


def _cells(leaves: Sequence[_Leaf]) -> Iterator[tuple[_Leaf, FigureCell]]:
    """Yield figures as cells, each of which is judged by itself."""
    for leaf in leaves:
        yield leaf, _cell(leaf, [leaf.value])


def _cell(leaf: _Leaf, column_values: Sequence[Figure]) -> FigureCell:
    """Return a figure as a cell; `column_values` are the figures of its column."""
    return FigureCell(leaf.address, leaf.path, leaf.value, _rule(leaf, column_values))


def _rule(leaf: _Leaf, column_values: Sequence[Figure]) -> FigureRule:
    if isinstance(leaf.value, bool):
        return FigureRule("switch")
    if leaf.choices:
        return FigureRule("choice", choices=leaf.choices)
    numbers = [float(each) for each in column_values if isinstance(each, int | float)]
    most = max(LEAST_RANGE, FACTOR * max(map(abs, numbers), default=0))
    low, high = -most if min(numbers, default=0) < 0 else 0.0, most
    least, greatest = leaf.limits
    low, high = low if least is None else float(least), high if greatest is None else float(greatest)
    return FigureRule("whole" if isinstance(leaf.value, int) else "number", low, high)


def _collection_table(
    found: Sequence[tuple[_Entry, tuple[list[_Leaf], Any]]],
    columns: Sequence[tuple[str, ...]],
    path: Path,
    address: str,
    title: str,
    about: _About,
) -> FigureTable:
    """Return the table of entries of one kind."""
    column_values = {
        column: [leaf.value for _, (leaves, _) in found for leaf in leaves if leaf.labels == column]
        for column in columns
    }
    rows = []
    for entry, (leaves, _) in found:
        known = {leaf.labels: _cell(leaf, column_values[leaf.labels]) for leaf in leaves}
        if known:
            origin = entry.value.get("origin", "") if isinstance(entry.value, dict) else ""
            rows.append(FigureRow(capitalize_first(entry.label), [known.get(column) for column in columns], origin))
    return FigureTable(address, str(path[0]), title, [_words(column) for column in columns], rows, *about)


# -- charts ----------------------------------------------------------------------------------------------------------


def _chart(node: Mapping[str, Any], path: Path, address: str) -> FigureTable:
    """Return a chart as a table; what a cell may be follows from the cells of its column or chart."""
    columns = node["columns"]
    names = columns if len(set(columns)) == len(columns) else [str(n) for n in range(1, len(columns) + 1)]
    by_column = [[cells[at] for cells in node["rows"].values()] for at in range(len(columns))]
    whole = [cell for cells in by_column for cell in cells]
    is_grid = all({*map(_shape, cells)} & {*map(_shape, by_column[0])} for cells in by_column)
    rules = [_chart_rule(whole if is_grid else cells) for cells in by_column]
    rows = [
        FigureRow(
            str(label),
            [
                FigureCell(_join(address, "rows", str(label), name), (*path, "rows", label, at), cells[at], rules[at])
                for at, name in enumerate(names)
            ],
        )
        for label, cells in node["rows"].items()
    ]
    title, origin = node["title"], node["origin"]
    return FigureTable(address, str(path[0]), title, columns, rows, node["rule"], node["source"], origin)


def _shape(cell: str) -> str:
    """Return a cell with its numbers replaced, so that cells of one form are equal."""
    return _NUMBER.sub("#", cell)


def _chart_rule(cells: Sequence[str]) -> FigureRule:
    """Return what the cells of a chart may be: one of its texts, or a text that differs from them only in numbers."""
    known = list(dict.fromkeys(cells))
    shapes = list(dict.fromkeys(map(_shape, known)))
    if not any("#" in shape for shape in shapes):
        return FigureRule("choice", choices=tuple(known))
    digits = 1 + max(len(number) for cell in known for number in _NUMBER.findall(cell))
    patterns = [re.escape(shape).replace(r"\#", "#").replace("#", rf"\d{{1,{digits}}}") for shape in shapes]
    samples = [next(cell for cell in known if _shape(cell) == shape) for shape in shapes]
    extra = [cell for cell in known if cell not in samples]
    return FigureRule("text", pattern="|".join(patterns), examples=", ".join((samples + extra)[:MOST_EXAMPLES]))


# -- names -----------------------------------------------------------------------------------------------------------


def _join(address: str, *names: str) -> str:
    """Return an address with more parts; a slash in a name is escaped as in a JSON Pointer.

    >>> _join("tables", "rows", "1/2")
    'tables/rows/1~12'
    """
    for old, new in _ESCAPES:
        names = tuple(name.replace(old, new) for name in names)
    return "/".join((address, *names))


def _words(labels: Iterable[str]) -> str:
    """Return labels as words.

    >>> _words(("dive", "at_least"))
    'dive at least'
    """
    return " ".join(label.replace("_", " ") for label in labels if label)


def _row_label(labels: Iterable[str]) -> str:
    """Return the labels of a single figure as a title: first what it belongs to.

    >>> _row_label(("dive", "", "at_least"))
    'Dive, at least'
    """
    first, *others = filter(None, labels)
    return ", ".join(filter(None, (_title(first), _words(others))))


def _title(name: str) -> str:
    return capitalize_first(_words((name,)))
