"""The form of a scenario: fields drawn from the type of a game's scenarios, and the tables that they are read into.

Titles, explanations and ranges are those of the type: `msgspec.Meta(title=..., description=..., ge=..., le=...)`. What
a text may be can depend on the game's data: `GamePresentation.scenario_choices` has the choices by place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote, unquote

import msgspec
from msgspec import NODEFAULT, inspect

from readyroom.engine.data import ready
from readyroom.engine.errors import InvalidData
from readyroom.engine.figures import FigureRule
from readyroom.engine.text import capitalize_first

Path: TypeAlias = tuple[str, ...]
"""Where a value is: names of fields and keys, and indexes of lists."""
Choices: TypeAlias = Mapping[str, Mapping[str, str]]
"""Titles of choices by key, for places such as `carrier/side`: paths without the indexes of lists.

For tables `officers` has the keys, and `officers/*` the values."""
Tables: TypeAlias = dict[str, Any]
HIDDEN = ("order", "rule", "source", "origin")
"""Fields that say where figures come from, or in which order scenarios are listed: kept, and not shown."""
MOST_ITEMS = 100
"""The most entries of a list or a table that the form adds to."""
LONG = 80
"""The length from which a text has a field of several lines."""
TEXT_LENGTH = 500
LONG_GROUP, SHORT_GROUP = 16, 4
"""The numbers of fields of which a group is shown closed at first: an outer one with more, and one inside."""
UNBOUNDED = 1_000_000
"""The largest number of a field without limits."""
_NUMBERED = re.compile(r"^(.*?)(?:-([a-z]))?$")
_ABSENT: Any = object()


class FormField(NamedTuple):
    """A field: its text, what it may be, and whether it may be empty."""

    path: Path
    title: str
    help: str
    text: str
    rule: FigureRule
    choices: Mapping[str, str] = {}
    optional: bool = False
    hidden: bool = False
    longest: int = TEXT_LENGTH

    @property
    def name(self) -> str:
        """The name of the field in a form."""
        return name_of(self.path)

    @property
    def kind(self) -> str:
        """The kind of field."""
        return "choice" if self.choices else self.rule.kind

    @property
    def is_long(self) -> bool:
        """Whether the text needs several lines."""
        return self.kind == "text" and len(self.text) > LONG


class FormGroup(NamedTuple):
    """Fields that belong together, a list of such groups, or a table by keys.

    A group that is not `present` can be added. `extends`: entries can be added; `keys` are those that a table may get
    (None: any). `removable`: the group can be removed. `name_text` names an entry of a list.
    """

    path: Path
    title: str
    help: str
    kind: Literal["group", "list", "table"]
    parts: list[Any] = []
    present: bool = True
    extends: bool = False
    removable: bool = False
    keys: Mapping[str, str] | None = None
    name_text: str = ""
    has_removable_fields: bool = False

    @property
    def name(self) -> str:
        """The name of the group in a form."""
        return name_of(self.path)

    @property
    def is_open(self) -> bool:
        """Whether the group is shown open at first: the outer ones unless they are long, and short ones inside."""
        size = sum(isinstance(part, FormField) for part in self.walk())
        if len(self.path) == 1:
            return self.kind != "group" or size <= LONG_GROUP
        return not self.name_text and size <= SHORT_GROUP

    def has_error(self, errors: Mapping[str, str]) -> bool:
        """Return whether one of these names is in the group."""
        return any(name == self.name or name.startswith(f"{self.name}/") for name in errors)

    def walk(self) -> Iterator[FormField | FormGroup]:
        """Yield the group and everything in it."""
        yield self
        for part in self.parts:
            if isinstance(part, FormGroup):
                yield from part.walk()
            else:
                yield part


class _Shape(NamedTuple):
    """A type without its wrapping: whether it may be absent, and what `Meta` says of it."""

    kind: inspect.Type
    optional: bool = False
    title: str | None = None
    help: str = ""
    limits: Mapping[str, Any] = {}

    def limit(self, name: str, key: str) -> Any:
        """Return a limit: that of the type, or one for the form only, which `Meta(extra_json_schema=...)` has."""
        own = getattr(self.kind, name, None)
        return self.limits.get(key) if own is None else own


def name_of(path: Path) -> str:
    """Return a path as the name of a field.

    >>> name_of(("bands", "<=5"))
    'bands/%3C%3D5'
    """
    return "/".join(quote(part, safe="") for part in path)


def path_of(name: str) -> Path:
    """Return the path that a name stands for."""
    return tuple(unquote(part) for part in name.split("/"))


class ScenarioForm:
    """The form of a type of scenarios; of a union, the struct that fits the tables by its tag."""

    def __init__(self, type_: Any, choices: Choices, tables: Mapping[str, Any]) -> None:
        self.choices = choices
        kind = inspect.type_info(ready(type_))
        kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
        structs = [each for each in kinds if isinstance(each, inspect.StructType)]
        fits = (each for each in structs if each.tag_field is not None and tables.get(each.tag_field) == each.tag)
        self.kind = next(fits, structs[0])

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, tables: Mapping[str, Any]) -> FormGroup:
        """Return the form with these values."""
        return FormGroup((), "", "", "group", list(self._fields(self.kind, dict(tables), (), "")))

    def _fields(self, kind: inspect.StructType, tables: Any, path: Path, place: str) -> Iterator[FormField | FormGroup]:
        tables = tables if isinstance(tables, dict) else {}
        parts = [self._part(field, tables, path, place) for field in kind.fields]
        yield from sorted(parts, key=lambda part: isinstance(part, FormGroup))

    def _part(self, field: inspect.Field, tables: Tables, path: Path, place: str) -> FormField | FormGroup:
        name, shape = field.encode_name, _field_shape(field)
        value = tables.get(name, _ABSENT)
        if value is _ABSENT and not field.required:
            value = _default(field)
        title = shape.title or capitalize_first(name.replace("_", " "))
        part = self._node(shape, value, (*path, name), title, f"{place}/{name}" if place else name)
        return part._replace(hidden=True) if isinstance(part, FormField) and name in HIDDEN else part

    def _node(self, shape: _Shape, value: Any, path: Path, title: str, place: str, *, removable: bool = False) -> Any:
        kind, present = shape.kind, value is not None and value is not _ABSENT
        if not isinstance(kind, _CONTAINERS):
            return self._field(shape, value if present else None, path, title, self.choices.get(place, {}))
        text = shape.help
        present = present or not shape.optional
        group = FormGroup(path, title, text, "group", [], present, removable=removable or (shape.optional and present))
        if isinstance(kind, inspect.StructType):
            parts = list(self._fields(kind, value, path, place)) if present else []
            return group._replace(parts=parts, help=text or _first_sentence(kind.cls), name_text=_called(value))
        if isinstance(kind, inspect.TupleType):
            parts = [
                self._node(each, _at(value, at), (*path, str(at)), each.title or f"{at + 1}", place)
                for at, each in enumerate(map(_shape, kind.item_types))
            ]
            return group._replace(parts=parts if present else [])
        if isinstance(kind, inspect.DictType):
            return self._table(group, kind, value, place)
        item = _shape(kind.item_type)
        called = item.title or title.removesuffix("s") * isinstance(item.kind, _CONTAINERS)
        most, least = shape.limit("max_length", "maxItems") or MOST_ITEMS, shape.limit("min_length", "minItems") or 0
        items = value if isinstance(value, list | tuple) else []
        parts = [
            self._node(item, each, (*path, str(at)), f"{called} {at + 1}".strip(), place, removable=len(items) > least)
            for at, each in enumerate(items)
        ]
        return group._replace(
            kind="list",
            parts=parts if present else [],
            extends=present and len(items) < most,
            has_removable_fields=len(items) > least,
        )

    def _table(self, group: FormGroup, kind: inspect.DictType, value: Any, place: str) -> FormGroup:
        entries, shape = value if isinstance(value, dict) else {}, _shape(kind.value_type)
        known = self.choices.get(place) or _literal_choices(_shape(kind.key_type).kind) or None
        parts = [
            self._node(shape, each, (*group.path, key), (known or {}).get(key) or key, f"{place}/*", removable=True)
            for key, each in entries.items()
        ]
        left = None if known is None else {key: title for key, title in known.items() if key not in entries}
        extends = group.present and len(parts) < MOST_ITEMS and left != {}
        return group._replace(kind="table", parts=parts, keys=left, extends=extends, has_removable_fields=True)

    def _field(self, shape: _Shape, value: Any, path: Path, title: str, known: Mapping[str, str]) -> FormField:
        rule, choices = _rule(shape), dict(known) or _literal_choices(shape.kind)
        optional = shape.optional
        text = "" if value is None else ("no", "yes")[value] if isinstance(value, bool) else str(value)
        if rule.kind == "switch" and optional:
            choices = {"yes": "Yes", "no": "No"}
        if choices and text and text not in choices:
            choices = {**choices, text: text}
        if isinstance(shape.kind, inspect.StrType) and choices and "" not in choices:
            optional = optional or text == ""
        longest = getattr(shape.kind, "max_length", None) or TEXT_LENGTH
        return FormField(path, title, shape.help, text, rule, choices, optional, longest=longest)

    # -- reading -------------------------------------------------------------------------------------------------------

    def read(self, texts: Mapping[str, str], present: Iterable[str]) -> tuple[Tables, dict[str, str]]:
        """Return the tables of a submitted form, and what is wrong with single fields by name.

        `texts` are those of the fields by name; `present` are the names of the groups that the form had. What equals
        its default is left out. A text that is not allowed stays in the tables, so that the text of the file shows it.
        """
        reader = _Reader(texts, present)
        return reader.struct(self.kind, ()), reader.errors

    # -- adding and removing -------------------------------------------------------------------------------------------

    def change(self, tables: Mapping[str, Any], action: str, name: str, key: str = "") -> Tables:
        """Return tables with an entry added ("add", for tables with its key) or removed ("remove").

        Raises `InvalidData` if there is no such place, or the entry exists already.
        """
        path = path_of(name)
        result: Tables = msgspec.to_builtins(tables)
        shapes = list(self._shapes(path))
        holder: Any = result
        for part, shape in zip(path[:-1], shapes[:-1], strict=True):
            holder = _step(holder, part, shape)
        last, shape = path[-1], shapes[-1]
        if action == "remove":
            if isinstance(holder, list):
                holder.pop(_index(holder, last))
            else:
                holder.pop(last, None)
            return result
        value = _at(holder, last if isinstance(holder, dict) else _index(holder, last))
        if isinstance(shape.kind, inspect.DictType):
            value = value if isinstance(value, dict) else {}
            key = key.strip()
            if not key or key in value:
                raise InvalidData("scenario", name, "a new key", repr(key))
            value = {**value, key: _blank(_shape(shape.kind.value_type))}
        elif isinstance(shape.kind, _LISTS) and value is not _ABSENT and value is not None:
            value = [*value, _another(_shape(shape.kind.item_type), value)]
        elif isinstance(shape.kind, _LISTS) and not shape.optional:
            value = [_blank(_shape(shape.kind.item_type))]
        else:
            value = _blank(shape)
        if isinstance(holder, list):
            holder[_index(holder, last)] = value
        else:
            holder[last] = value
        return result

    def _shapes(self, path: Path) -> Iterator[_Shape]:
        """Yield the shape of every step of a path; raise `InvalidData` for places that do not exist."""
        kind: inspect.Type = self.kind
        for part in path:
            found: inspect.Type | None = None
            if isinstance(kind, inspect.StructType):
                found = next((field.type for field in kind.fields if field.encode_name == part), None)
            elif isinstance(kind, inspect.DictType):
                found = kind.value_type
            elif isinstance(kind, inspect.TupleType) and part.isdecimal() and int(part) < len(kind.item_types):
                found = kind.item_types[int(part)]
            elif isinstance(kind, _LISTS):
                found = kind.item_type
            if found is None:
                raise InvalidData("scenario", ".".join(path), "a place of the form", repr(part))
            shape = _shape(found)
            kind = shape.kind
            yield shape

    # -- errors --------------------------------------------------------------------------------------------------------

    def place_of(self, drawn: FormGroup, error: InvalidData) -> str:
        """Return the name of the field or group that an error is about, the nearest one around it; "" if unknown."""
        missing = re.fullmatch(r"the key `([^`]*)`", error.expected)
        path = tuple(part for part in (*re.split(r"[.\[\]]+", error.key), missing[1] if missing else "") if part)
        names = {part.path: part.name for part in drawn.walk() if part.path}
        return next((names[path[:size]] for size in range(len(path), 0, -1) if path[:size] in names), "")


_LISTS = (inspect.ListType, inspect.VarTupleType, inspect.SetType, inspect.FrozenSetType)
_CONTAINERS = (inspect.StructType, inspect.TupleType, inspect.DictType, *_LISTS)


def _shape(kind: inspect.Type, optional: bool = False, about: Mapping[str, Any] = {}) -> _Shape:
    """Return a type without its wrapping; `about` is what the wrapping says, the outer part first."""
    if isinstance(kind, inspect.Metadata):
        return _shape(kind.type, optional, {**(kind.extra_json_schema or {}), **about})
    if isinstance(kind, inspect.UnionType):
        inner = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
        return _shape(inner[0], optional or len(inner) < len(kind.types), about)
    return _Shape(kind, optional, about.get("title"), str(about.get("description", "")), about)


def _field_shape(field: inspect.Field) -> _Shape:
    """Return the type of a field; one that can be unset may be absent."""
    shape = _shape(field.type)
    unset = not field.required and field.default is NODEFAULT and field.default_factory is NODEFAULT
    return shape._replace(optional=shape.optional or unset or field.default is msgspec.UNSET)


def _default(field: inspect.Field) -> Any:
    """Return the default of a field as plain data; absent if it is unset or None."""
    if field.default_factory is not NODEFAULT:
        return msgspec.to_builtins(field.default_factory())
    if field.default is NODEFAULT or field.default is msgspec.UNSET or field.default is None:
        return _ABSENT
    return msgspec.to_builtins(field.default)


def _is_default(field: inspect.Field, shape: _Shape, value: Any) -> bool:
    """Return whether a value that was read is the default of its field; of a struct, defaults are left out in it."""
    default = _default(field)
    if value == {} and isinstance(shape.kind, inspect.StructType) and not shape.optional:
        return bool(default == msgspec.to_builtins(shape.kind.cls()))
    return bool(value == default)


def _literal_choices(kind: inspect.Type) -> dict[str, str]:
    """Return the choices of a type that has some."""
    values: Iterable[Any] = ()
    if isinstance(kind, inspect.LiteralType):
        values = kind.values
    elif isinstance(kind, inspect.EnumType):
        values = [each.value for each in kind.cls if isinstance(each, Enum)]
    return {str(value): capitalize_first(str(value).replace("-", " ")) or "None" for value in values}


def _rule(shape: _Shape) -> FigureRule:
    """Return what the text of a field may be."""
    kind = shape.kind
    if isinstance(kind, inspect.BoolType):
        return FigureRule("switch")
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        low, high = shape.limit("ge", "minimum"), shape.limit("le", "maximum")
        name = "whole" if isinstance(kind, inspect.IntType) else "number"
        return FigureRule(name, -UNBOUNDED if low is None else low, UNBOUNDED if high is None else high)
    if choices := _literal_choices(kind):
        return FigureRule("choice", choices=tuple(choices))
    return FigureRule("text", pattern=getattr(kind, "pattern", None) or "")


def _first_sentence(cls: type) -> str:
    """Return the first paragraph of a struct's docstring, without the number of its rule."""
    text = (cls.__doc__ or "").partition("\n\n")[0]
    return re.sub(r"^\[[^\]]*\] ", "", " ".join(text.split()).replace("`", ""))


def _called(value: Any) -> str:
    """Return what an entry of a list is called."""
    if not isinstance(value, dict):
        return ""
    return next((str(value[key]) for key in ("name", "title", "bomber", "key", "type", "site") if value.get(key)), "")


def _at(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        return value.get(key, _ABSENT)
    return value[key] if isinstance(value, list | tuple) and isinstance(key, int) and key < len(value) else _ABSENT


def _index(items: list[Any], part: str) -> int:
    if not part.isdecimal() or int(part) >= len(items):
        raise InvalidData("scenario", part, "an entry of the list", "none")
    return int(part)


def _step(holder: Any, part: str, shape: _Shape) -> Any:
    """Return what is at a place, after filling it if it is empty."""
    if isinstance(holder, list):
        return holder[_index(holder, part)]
    if part not in holder or not isinstance(holder[part], dict | list):
        holder[part] = [] if isinstance(shape.kind, (*_LISTS, inspect.TupleType)) else {}
    return holder[part]


# -- what is added -----------------------------------------------------------------------------------------------------


def _blank(shape: _Shape) -> Any:
    """Return the least value of a type."""
    kind = shape.kind
    if isinstance(kind, inspect.StructType):
        tag = {kind.tag_field: kind.tag} if kind.tag_field is not None else {}
        return tag | {
            field.encode_name: "reconstructed" if field.encode_name == "source" else _blank(_shape(field.type))
            for field in kind.fields
            if field.required
        }
    if isinstance(kind, inspect.TupleType):
        return [_blank(_shape(each)) for each in kind.item_types]
    if isinstance(kind, inspect.DictType):
        return {}
    if isinstance(kind, _LISTS):
        return [_blank(_shape(kind.item_type)) for _ in range(kind.min_length or 0)]
    if isinstance(kind, inspect.BoolType):
        return False
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        return max(0, kind.ge or 0) if kind.le is None or kind.le >= 0 else kind.le
    return next(iter(_literal_choices(kind)), "")


def _another(shape: _Shape, items: list[Any]) -> Any:
    """Return one more entry of a list: like the last one, with a key and a name of its own."""
    if not items:
        return _blank(shape)
    entry = msgspec.to_builtins(items[-1])
    if isinstance(entry, dict) and isinstance(entry.get("key"), str):
        taken = {each.get("key") for each in items if isinstance(each, dict)}
        match = _NUMBERED.match(entry["key"])
        stem = match[1] if match else entry["key"]
        letter = next((one for one in "bcdefghijklmnopqrstuvwxyz" if f"{stem}-{one}" not in taken), "")
        entry["key"] = f"{stem}-{letter}" if letter else ""
        if isinstance(entry.get("name"), str):
            entry["name"] = f"{re.sub(r' [B-Z]$', '', entry['name'])} {letter.upper()}".strip()
    return entry


# -- reading -----------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads the tables of a submitted form by its type."""

    def __init__(self, texts: Mapping[str, str], present: Iterable[str]) -> None:
        self.texts = {path_of(name): text for name, text in texts.items()}
        self.present = dict.fromkeys(path_of(name) for name in present)
        self.errors: dict[str, str] = {}

    @cached_property
    def _children(self) -> dict[Path, list[str]]:
        found: dict[Path, dict[str, None]] = {}
        for path in (*self.present, *self.texts):
            for size in range(len(path)):
                found.setdefault(path[:size], {})[path[size]] = None
        return {path: list(parts) for path, parts in found.items()}

    def struct(self, kind: inspect.StructType, path: Path) -> Tables:
        """Return the table of a struct."""
        tables: Tables = {} if kind.tag_field is None else {kind.tag_field: kind.tag}
        for field in kind.fields:
            shape = _field_shape(field)
            value = self.value(shape, (*path, field.encode_name))
            if value is not _ABSENT and (field.required or not _is_default(field, shape, value)):
                tables[field.encode_name] = value
        return tables

    def value(self, shape: _Shape, path: Path) -> Any:
        """Return the value at a place; absent if the form does not have it."""
        kind = shape.kind
        if isinstance(kind, _CONTAINERS) and shape.optional and path not in self.present:
            return _ABSENT
        if isinstance(kind, inspect.StructType):
            return self.struct(kind, path)
        if isinstance(kind, inspect.TupleType):
            return [self.value(_shape(each), (*path, str(at))) for at, each in enumerate(kind.item_types)]
        if isinstance(kind, inspect.DictType):
            inner = _shape(kind.value_type)
            return {key: self.value(inner, (*path, key)) for key in self._children.get(path, ())}
        if isinstance(kind, _LISTS):
            inner = _shape(kind.item_type)
            numbers = sorted(int(part) for part in self._children.get(path, ()) if part.isdecimal())
            return [self.value(inner, (*path, str(number))) for number in numbers]
        return self._scalar(shape, path)

    def _scalar(self, shape: _Shape, path: Path) -> Any:
        text = self.texts.get(path)
        if text is None:
            return _ABSENT
        if shape.optional and not text.strip():
            return _ABSENT
        rule = _rule(shape)
        if rule.kind in ("text", "choice"):
            return text.replace("\r\n", "\n")
        try:
            return rule.read(text)
        except ValueError:
            known = rule.low > -UNBOUNDED or rule.high < UNBOUNDED
            allowed = rule.allowed if known or rule.kind == "switch" else f"a {'whole ' * (rule.kind == 'whole')}number"
            self.errors[name_of(path)] = f"Enter {allowed}."
            return _number(text)


def _number(text: str) -> Any:
    """Return a text as a number if it is one of a size that files have, else as it is.

    >>> _number("70"), _number("many")
    (70, 'many')
    """
    return int(text) if re.fullmatch(r"-?\d{1,12}", text.strip()) else text
