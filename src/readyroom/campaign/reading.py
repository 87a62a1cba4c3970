"""Reading a campaign's file: an invalid one is rejected with file, line, and what was expected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from readyroom.campaign.config import ChapterConfig, config_of, content_of
from readyroom.campaign.rows import Books, InvalidRow, apply_row, clamp, find_field
from readyroom.campaign.schema import FACT, FAR, OPTION, Campaign, Chapter, Condition, Lookup, Quantity, Row, Substitute
from readyroom.engine.data import check_own, convert, parse
from readyroom.engine.errors import InvalidData, ReadyRoomError, Unknown
from readyroom.engine.facts import Fact, find_fact
from readyroom.engine.game import Scenario, find_seats, load_game
from readyroom.engine.toml import Where, line_of, toml_lines

TRIALS = 4_000
"""How often rows are carried out to check a campaign."""
LONGEST_NAME, NAMED = 60, 200
"""The longest names, and the most of them, that an error suggests."""
MOST = 30
"""The most chapters, and the most variants."""
MOST_OWN = 20
"""The most different own scenarios, each of which takes long to check."""


class UnknownVariant(Unknown):
    """The campaign has no variant of this name."""

    kind = "variant"


def read_campaign(
    text: bytes,
    file: str,
    files: Mapping[str, str],
    variants: Iterable[str] = (),
    *,
    check_all: bool = True,
    check: bool = True,
) -> Campaign:
    """Return the campaign of a file, with these variants.

    Args:
        text: the file.
        file: its name, for errors.
        files: the texts of the scenario files next to it, by name.
        variants: the keys of the variants to play.
        check_all: also check the variants that are not played.
        check: check what the file's format does not say; a campaign in progress was checked when it began.

    Raises:
        InvalidData: with file, line and key, what was expected, and what was found.
        UnknownVariant: the campaign has no such variant.
    """
    check_own(text, file)
    tables = parse(text, file)
    if isinstance(tables.get("ledger"), dict):
        tables["ledger"] = dict(_flat(tables["ledger"]))
    reader = _Reader(file, dict(toml_lines(text.decode())), dict(files))
    campaign = reader.convert(tables)
    variants = list(variants)
    if check:
        reader.check(campaign)
    for key in [key for key in campaign.variant if check and (check_all or key in variants)]:
        reader.in_variant = key
        reader.check(reader.convert(varied(tables, campaign, [key])))
    return reader.convert(varied(tables, campaign, variants)) if variants else campaign


def _flat(tables: dict[str, Any], around: str = "") -> Iterator[tuple[str, Any]]:
    """Yield ledger quantities with their names; `ship.hornet` may be written as a table `ship` with an entry."""
    for key, value in tables.items():
        if isinstance(value, dict) and "title" not in value and all(isinstance(one, dict) for one in value.values()):
            yield from _flat(value, f"{around}{key}.")
        else:
            yield f"{around}{key}", value


def varied(tables: dict[str, Any], campaign: Campaign, variants: Iterable[str]) -> dict[str, Any]:
    """Return the tables of a campaign as variants change them; raise `UnknownVariant`."""
    tables = deepcopy(tables)
    for key in variants:
        if key not in campaign.variant:
            raise UnknownVariant(key, campaign.variant, where=campaign.key)
        variant = campaign.variant[key]
        tables["chapter"] = [one for one in tables["chapter"] if one["key"] not in variant.without]
        for name, start in variant.start.items():
            tables["ledger"].setdefault(name, {})["start"] = start
        for chapter in tables["chapter"]:
            chapter |= deepcopy(variant.chapter.get(chapter["key"], {}))
    return tables


def _ends(values: list[Any]) -> list[Any]:
    """Return the least and the greatest of numbers, because those between fit if these do; all of other values."""
    numbers = [value for value in values if isinstance(value, int)]
    others = [value for value in values if not isinstance(value, int)]
    return [*others, *({min(numbers), max(numbers)} if numbers else ())]


class _Reader:
    """Checks a campaign; `lines` has the line of each entry of the file."""

    def __init__(self, file: str, lines: dict[Where, int], files: dict[str, str]) -> None:
        self.file, self.lines, self.files, self.in_variant = file, lines, files, ""
        self.keys, self.all_keys = list[str](), list[str]()
        self.trials = 0
        self.scenarios: dict[str, tuple[Scenario, dict[str, Any]]] = {}

    def error(self, where: Where, expected: str, actual: str) -> InvalidData:
        """Return an error at an entry."""
        if self.in_variant:
            where = self._in_variant_file(where)
        line, name = line_of(where, self.lines), _path(where)
        return InvalidData(self.file, f"line {line}, {name}" if line else name, expected, actual)

    def _in_variant_file(self, where: Where) -> Where:
        """Return where an entry of a campaign with a variant is in the file: in the variant's tables, or outside."""
        if where[:1] != ("chapter",) or not self.keys:
            return ("variant", self.in_variant, *where)
        key = self.keys[int(where[1])]
        own: Where = ("variant", self.in_variant, "chapter", key, *where[2:])
        return own if own[:5] in self.lines else ("chapter", self.all_keys.index(key), *where[2:])

    def unknown(self, where: Where, what: str, name: str, known: Iterable[str]) -> InvalidData:
        """Return an error for a name that does not exist."""
        short = [each for each in known if len(each) <= LONGEST_NAME][:NAMED]
        near = get_close_matches(name[:LONGEST_NAME], short, n=1)
        guess = f"; did you mean {near[0]!r}?" if near else ""
        return self.error(where, f"{what}: {', '.join(short) or 'there is none'}", f"{name!r}{guess}")

    def open_scenario(self, where: Where, config: ChapterConfig) -> tuple[Scenario, dict[str, Any]]:
        """Return the scenario of a chapter and its tables; each is checked once."""
        key = repr((config.game, config.scenario))
        if key not in self.scenarios:
            printed = config.printed(self.files)
            tables = content_of(printed)
            self.scenarios[key] = config.scenario_of(tables, {}), tables
            if sum(scenario.text is not None for scenario, _ in self.scenarios.values()) > MOST_OWN:
                raise self.error(where, f"at most {MOST_OWN} different own scenarios", "more")
        return self.scenarios[key]

    def convert(self, tables: dict[str, Any]) -> Campaign:
        """Return the tables as a campaign."""
        try:
            return convert(tables, Campaign, self.file)
        except InvalidData as error:
            raise self.error(_where(error.key), error.expected, error.actual) from error

    def check(self, campaign: Campaign) -> None:
        """Check everything that does not depend on play."""
        self.keys = [chapter.key for chapter in campaign.chapter]
        self.all_keys = self.all_keys or self.keys
        self._check_head(campaign)
        for name, table in campaign.table.items():
            self._check_table(("table", name), table)
        known: dict[str, Fact] = {}
        for at, chapter in enumerate(campaign.chapter):
            known = _Chapter(self, campaign, chapter, ("chapter", at), known).check()

    def _check_head(self, campaign: Campaign) -> None:
        if len(campaign.sides) != 2:
            raise self.error(("sides",), "two sides", str(len(campaign.sides)))
        keys = [chapter.key for chapter in campaign.chapter]
        for at, key in enumerate(keys):
            if key in keys[:at]:
                raise self.error(("chapter", at, "key"), "a key that no other chapter has", repr(key))
        if not keys:
            raise self.error(("chapter",), "at least one chapter", "none")
        for name, entries in (("chapter", keys), ("variant", campaign.variant)):
            if len(entries) > MOST:
                raise self.error((name,), f"at most {MOST} entries", str(len(entries)))
        self._check_starts(campaign)
        victory = campaign.victory
        if not isinstance(getattr(campaign.ledger.get(victory.ledger), "start", None), int):
            numbers = [name for name, one in campaign.ledger.items() if isinstance(one.start, int)]
            raise self.unknown(("victory", "ledger"), "a number of the ledger", victory.ledger, numbers)
        if victory.tie not in keys and not self.in_variant:
            raise self.unknown(("victory", "tie"), "a chapter", victory.tie, keys)
        self._check_table(("victory", "endings"), list(victory.endings))
        for key, variant in campaign.variant.items():
            self._check_variant(campaign, ("variant", key), variant.without, keys)
            self._check_variant(campaign, ("variant", key), variant.chapter, keys)
            self._check_variant(campaign, ("variant", key), variant.start, campaign.ledger)

    def _check_starts(self, campaign: Campaign) -> None:
        for name, quantity in campaign.ledger.items():
            low, high = self.limits(("ledger", name), quantity)
            if isinstance(quantity.start, int) and not low <= quantity.start <= high:
                expected = f"a number from {low} to {high}"
                raise self.error(("ledger", name, "start"), expected, str(quantity.start))

    def limits(self, where: Where, one: Quantity | Row) -> tuple[int, int]:
        """Return the least and the most of a quantity or a row; raise `InvalidData` if they are reversed."""
        low, high = _limits(one)
        if low > high:
            raise self.error((*where, "low"), f"a number up to `high`, which is {high}", str(low))
        return low, high

    def _check_variant(self, campaign: Campaign, where: Where, names: Iterable[str], known: Iterable[str]) -> None:
        for name in names:
            if name not in known and not self.in_variant:
                raise self.unknown(where, "a name of the campaign", name, known)

    def _check_table(self, where: Where, table: Lookup) -> None:
        if not table:
            raise self.error(where, "at least one row", "none")
        if isinstance(table, list):
            starts = [least for least, _ in table]
            if starts != sorted(set(starts)):
                raise self.error(where, "pairs [from, value] with growing numbers", str(starts))


def _limits(one: Quantity | Fact | Row) -> tuple[int, int]:
    return (-FAR if one.low is None else one.low), (FAR if one.high is None else one.high)


class _Chapter:
    """Checks one chapter; `earlier` are the facts that the chapter before reports."""

    def __init__(
        self, reader: _Reader, campaign: Campaign, chapter: Chapter, where: Where, earlier: Mapping[str, Fact]
    ) -> None:
        self.reader, self.campaign, self.chapter, self.where = reader, campaign, chapter, where
        self.earlier = earlier
        self.content: type[Any] = dict

    def check(self) -> dict[str, Fact]:
        """Check the chapter and its substitute; return the facts that its match reports."""
        chapter = self.chapter
        known = self._check_played((*self.where,), config_of(chapter, None), chapter.before, chapter.after)
        self._check_orders()
        for condition in chapter.exceptions:
            self._check_condition((*self.where, "unless"), condition, {})
        if chapter.exceptions and chapter.instead is None:
            raise self.reader.error((*self.where, "unless"), "an entry `instead`", "none")
        if chapter.instead is not None:
            known = {**self._check_instead(chapter.instead), **known}
        for key, value in chapter.history.items():
            where = (*self.where, "history", key)
            fact = self._fact(where, key, known)
            if not fact.fits(value):
                raise self.reader.error(where, f"a value of {fact.title!r}", repr(value))
        return known

    def _check_instead(self, instead: Substitute) -> dict[str, Fact]:
        where = (*self.where, "instead")
        if not (instead.game or instead.scenario):
            self._check_rows((*where, "after"), instead.after, {}, None, {})
            return {}
        return self._check_played(where, config_of(self.chapter, instead), instead.before, instead.after)

    def _check_orders(self) -> None:
        chapter = self.chapter
        if not chapter.order:
            return
        if chapter.ordered_by not in self.campaign.sides:
            where = (*self.where, "ordered_by")
            raise self.reader.unknown(where, "a side", chapter.ordered_by, self.campaign.sides)
        _, tables, options = self._opened(self.where, config_of(chapter, None))
        for at, order in enumerate(chapter.order):
            self._check_rows((*self.where, "order", at, "before"), order.before, {}, tables, options)

    def _opened(self, where: Where, config: ChapterConfig) -> tuple[Scenario, dict[str, Any], dict[str, str]]:
        """Return a scenario, its tables, and the game's options; raise `InvalidData` for unknown names."""
        for name, check in (("game", config.load), ("options", config.resolve)):
            try:
                check()
            except Unknown as error:
                raise self.reader.unknown((*where, name), f"a {error.kind}", error.name, error.known) from error
        try:
            scenario, tables = self.reader.open_scenario((*where, "scenario"), config)
            self.content = type(scenario.content)
            return scenario, tables, config.resolve()
        except Unknown as error:
            what, known = f"a {error.kind}", error.known
            if error.name.endswith(".toml"):
                what, known = "a scenario file next to the campaign's", list(self.reader.files)
            raise self.reader.unknown((*where, "scenario"), what, error.name, known) from error
        except InvalidData as error:
            raise self.reader.error((*where, "scenario", *_where(error.key)), error.expected, error.actual) from error

    def _check_played(
        self, where: Where, config: ChapterConfig, before: list[Row], after: list[Row]
    ) -> dict[str, Fact]:
        scenario, tables, options = self._opened(where, config)
        game = config.load()
        seats = game.rules.seats(scenario, options)
        for side, seat in config.seats.items():
            if side not in self.campaign.sides:
                raise self.reader.unknown((*where, "seats"), "a side", side, self.campaign.sides)
            try:
                find_seats(seats, seat)
            except Unknown as error:
                raise self.reader.unknown((*where, "seats", side), "a seat", seat, error.known) from error
        known = game.known_facts(seats)
        self._check_rows((*where, "before"), before, self.earlier, tables, options)
        self._check_rows((*where, "after"), after, known, None, {})
        return known

    def _check_rows(
        self,
        where: Where,
        rows: Iterable[Row],
        facts: Mapping[str, Fact],
        tables: dict[str, Any] | None,
        options: dict[str, str],
    ) -> None:
        for at, row in enumerate(rows):
            self._check_row((*where, at), row, facts, tables, options)

    def _check_row(
        self,
        where: Where,
        row: Row,
        facts: Mapping[str, Fact],
        tables: dict[str, Any] | None,
        options: dict[str, str],
    ) -> None:
        """Check names, that the table answers, and that the row can be carried out with the least and the most."""
        try:
            conditions = row.conditions
        except msgspec.ValidationError as error:
            expected = '[quantity, "is", "is not", "at least" or "at most", value], or a list of them'
            raise self.reader.error((*where, "when"), expected, repr(row.when)) from error
        for condition in conditions:
            self._check_condition((*where, "when"), condition, facts)
        self.reader.limits(where, row)
        for into in row.targets:
            self._check_target((*where, "into"), into, tables, options)
        try:
            samples = _ends(self._samples(where, row, facts))
        except TypeError as error:
            raise self.reader.error(where, "values that the table can look up", str(error)) from error
        self.reader.trials += len(samples) * (1 + len(repr(tables)) // 8_000)
        if self.reader.trials > TRIALS:
            expected = f"rows and tables that are checked with at most {TRIALS:,} values"
            raise self.reader.error(where, expected, "more")
        for sample in samples:
            books = Books(
                self.campaign.ledger,
                {},
                {name: one.start for name, one in self.campaign.ledger.items()},
                {"sample": sample},
                deepcopy(tables or {}),
                dict(options),
            )
            test = msgspec.structs.replace(row, take=f"{FACT}sample" if row.take else "", table="", when=[])
            try:
                changes = apply_row(test, books)
            except InvalidRow as error:
                raise self.reader.error(where, error.expected, error.actual) from error
            self._check_kinds(where, changes, books)
            self._check_fields(where, changes, books)

    def _check_kinds(self, where: Where, changes: Iterable[Any], books: Books) -> None:
        for change in changes:
            quantity = self.campaign.ledger.get(change.into)
            if quantity is not None and type(change.after) is not type(quantity.start):
                kind = {int: "a number", str: "a word", list: "a list"}[type(quantity.start)]
                raise self.reader.error(where, f"{kind} for {change.into}", repr(change.after))
            if change.into.startswith(OPTION):
                game = self.chapter.game
                try:
                    load_game(game).resolve(books.options)
                except Unknown as error:
                    raise self.reader.unknown(where, "an option's choice", error.name, error.known) from error

    def _check_fields(self, where: Where, changes: Iterable[Any], books: Books) -> None:
        """Check that the fields of the scenario that a row changes may have the values that it puts there."""
        fields = [one for one in changes if one.into not in books.quantities and not one.into.startswith(OPTION)]
        if not fields:
            return
        try:
            convert(books.scenario, self.content, self.reader.file)
        except InvalidData as error:
            raise self.reader.error(where, f"{error.expected} in {error.key}", error.actual) from error

    def _samples(self, where: Where, row: Row, facts: Mapping[str, Fact]) -> list[Any]:
        """Return the least and the most that a row may look up or take, or its words; check its table."""
        taken = self._taken(where, row, facts)
        if not row.table:
            return taken
        if row.table not in self.campaign.table:
            raise self.reader.unknown((*where, "table"), "a table", row.table, self.campaign.table)
        table = self.campaign.table[row.table]
        if isinstance(table, dict):
            missing = [word for word in taken if word not in table]
            if missing and missing != [""]:
                raise self.reader.error((*where, "table"), f"a value of table {row.table} for {missing[0]!r}", "none")
            return list(table.values())
        if not all(isinstance(one, int) for one in taken):
            raise self.reader.error((*where, "table"), "a table of words", f"{row.table}, a table of numbers")
        return [value for _, value in table]

    def _taken(self, where: Where, row: Row, facts: Mapping[str, Fact]) -> list[Any]:
        if not row.take:
            return [0]
        if row.take.startswith(FACT):
            fact = self._fact((*where, "take"), row.take.removeprefix(FACT), facts)
            if fact.is_number:
                return [clamp(limit, -99, 99) for limit in _limits(fact)]
            return [["x"]] if fact.names else (fact.words or [""])
        quantity = self._quantity((*where, "take"), row.take)
        if isinstance(quantity.start, int):
            return [clamp(limit, -99, 99) for limit in _limits(quantity)]
        return [quantity.start]

    def _check_condition(self, where: Where, condition: Condition, facts: Mapping[str, Fact]) -> None:
        name = condition[0]
        if name.startswith(FACT):
            self._fact(where, name.removeprefix(FACT), facts)
        else:
            self._quantity(where, name)

    def _fact(self, where: Where, key: str, facts: Mapping[str, Fact]) -> Fact:
        try:
            return find_fact(facts, key)
        except Unknown as error:
            raise self.reader.unknown(where, "a fact", key, facts) from error

    def _quantity(self, where: Where, name: str) -> Quantity:
        if name not in self.campaign.ledger:
            raise self.reader.unknown(where, 'a ledger quantity, or "fact" and a name', name, self.campaign.ledger)
        return self.campaign.ledger[name]

    def _check_target(self, where: Where, into: str, tables: dict[str, Any] | None, options: dict[str, str]) -> None:
        if into in self.campaign.ledger:
            return
        if tables is None:
            raise self.reader.unknown(where, "a ledger quantity", into, self.campaign.ledger)
        if into.startswith(OPTION):
            if into.removeprefix(OPTION) not in options:
                raise self.reader.unknown(where, "an option", into, [f"{OPTION}{key}" for key in options])
            return
        try:
            holder, at = find_field(tables, into)
        except InvalidRow as error:
            raise self.reader.error(where, f"a ledger quantity, or {error.expected}", repr(into)) from error
        if isinstance(holder, dict) and at not in holder and holder is tables:
            raise self.reader.unknown(where, "a ledger quantity or a field of the scenario", into, holder)


def _where(key: str) -> Where:
    """Return the path of a key such as `chapter[1].before[0].into`."""
    parts = filter(None, key.replace("[", ".").replace("]", "").split("."))
    return tuple(int(part) if part.isdecimal() else part for part in parts)


def _path(where: Where) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where)
    return text.removeprefix(".")


def read_file(path: Path, variants: Iterable[str] = ()) -> tuple[Campaign, str, dict[str, str]]:
    """Return the campaign of a file, its text, and the scenario files that it names; raise `InvalidData`."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ReadyRoomError(f"Cannot read {path}: {error.strerror or error}.") from error
    named = _named_files(parse(text, path.name))
    files: dict[str, str] = {}
    for name in named:
        own_files = path.parent / name
        if Path(name).name != name or not own_files.is_file():
            lines = [number for number, line in enumerate(text.decode().splitlines(), start=1) if f'"{name}"' in line]
            where = f"line {lines[0]}, scenario" if lines else "scenario"
            raise InvalidData(path.name, where, "a scenario file next to the campaign's", repr(name))
        files[name] = own_files.read_text(encoding="utf-8")
    return read_campaign(text, path.name, files, variants), text.decode(), files


def _named_files(tables: Any) -> list[str]:
    """Return the names of scenario files anywhere in a campaign's tables."""
    if isinstance(tables, dict):
        own = tables.get("scenario")
        named = [own] if isinstance(own, str) and own.endswith(".toml") else []
        return list(dict.fromkeys([*named, *(name for value in tables.values() for name in _named_files(value))]))
    if isinstance(tables, list):
        return list(dict.fromkeys(name for value in tables for name in _named_files(value)))
    return []
