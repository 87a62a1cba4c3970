"""The war so far, as sentences: the tide, what changed, the next battle, and names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from readyroom.campaign.config import content_of
from readyroom.campaign.rows import Change, find_field
from readyroom.campaign.schema import FACT, OPTION
from readyroom.campaign.war import Played, Setup, War
from readyroom.engine.text import capitalize_first

HOW = {"played": "", "instead": "a substitute was played", "passed over": "not fought", "skipped": "as in history"}
"""What is added to a chapter that was not played as it stands in the file."""


class TideLine(NamedTuple):
    """A chapter: its title, date, how it came about, who won it, what it added to the tide, and the tide after it."""

    title: str
    date: str
    note: str
    winner: str
    gained: int
    tide: int


class Origin(NamedTuple):
    """The fact of a chapter's match from which a change follows."""

    chapter: str
    fact: str


class ChangeLine(NamedTuple):
    """A quantity or field before and after, why it changed, on what that stands, and the fact that it follows from."""

    title: str
    before: str
    after: str
    why: str
    source: str
    origin: Origin | None = None


class Career(NamedTuple):
    """A ship or a crew by name: her side, and what became of her in which chapter."""

    name: str
    side: str
    fates: list[tuple[str, str]]


class WarPage(NamedTuple):
    """Everything that players read between two chapters."""

    title: str
    tide: list[TideLine]
    changed: list[ChangeLine]
    next_title: str
    next_battle: list[ChangeLine]
    careers: list[Career]
    names: list[tuple[str, list[str]]]
    ending: str


def describe_war(war: War) -> WarPage:
    """Return the page of a campaign as it is now."""
    setup = war.setup or war.preview()
    hides_order = war.setup is not None and war.setup.order is not None
    chapter = war.setup.chapter if war.setup else war.next_chapter
    shown = _without_order(war, setup) if setup and hides_order else setup
    return WarPage(
        title=war.campaign.title,
        tide=list(_tide_lines(war)),
        changed=list(_changed(war, war.played[-1])) if war.played else [],
        next_title=chapter.title or chapter.key if chapter else "",
        next_battle=list(compare_setup(war, shown)) if shown else [],
        careers=careers(war),
        names=[(one.title, _names(war, name)) for name, one in war.campaign.ledger.items() if _names(war, name)],
        ending=war.closed.ending if war.closed else war.ending,
    )


def _without_order(war: War, setup: Setup) -> Setup:
    """Return a chapter in progress without what its sealed order changes."""
    assert setup.order is not None
    rows = setup.order.before
    changes = [change for change in setup.changes if change.row not in rows]
    tables = setup.config.tables(war.header.files)
    for change in changes:
        if change.into not in war.campaign.ledger and not change.into.startswith(OPTION):
            holder, at = find_field(tables, change.into)
            holder[at] = change.after
    return setup._replace(scenario=setup.config.written(tables), changes=changes, order=None)


def _names(war: War, name: str) -> list[str]:
    value = war.ledger[name]
    return value if isinstance(value, list) else []


def _tide_lines(war: War) -> Iterator[TideLine]:
    name = war.campaign.victory.ledger
    before = war.campaign.ledger[name].start
    for played in war.played:
        tide = played.ledger[name]
        assert isinstance(tide, int)
        assert isinstance(before, int)
        yield _tide_line(war, played, tide - before, tide)
        before = tide


def _tide_line(war: War, played: Played, gained: int, tide: int) -> TideLine:
    chapter = played.chapter
    notes = [HOW[played.how], f"order: {played.order.title}" if played.order else ""]
    notes += [f"{war.side(played.risk)} took a calculated risk" if played.risk else ""]
    winner = war.side(played.winner) if played.winner else ""
    return TideLine(chapter.title or chapter.key, chapter.date, "; ".join(filter(None, notes)), winner, gained, tide)


def source_text(source: str) -> str:
    """Return what players read of a source."""
    return "assumption" if source == "own" else source


def _changed(war: War, played: Played) -> Iterator[ChangeLine]:
    """Yield what the last chapter changed in the ledger: a line a quantity, without lists and rows that give no why."""
    shown: dict[str, list[Change]] = {}
    for change in [*played.prepared, *played.changes]:
        if change.into in war.campaign.ledger and change.row.why and not isinstance(change.after, list):
            shown.setdefault(change.into, []).append(change)
    known = find_origins(war)
    for into, changes in shown.items():
        pairs = [(change.row.why, source_text(change.row.source)) for change in changes]
        whys, stands = (list(dict.fromkeys(each)) for each in zip(*pairs, strict=True))
        before, after = _text(changes[0].before), _text(changes[-1].after)
        title, reasons, sources = war.campaign.ledger[into].title, "; ".join(whys), "; ".join(filter(None, stands))
        yield ChangeLine(title, before, after, reasons, sources, known.get(into))


def find_origins(war: War) -> dict[str, Origin]:
    """Return the fact from which each ledger quantity follows as it is now, by its last change."""
    origins: dict[str, Origin] = {}
    for played in war.played:
        for change in [*played.prepared, *played.changes]:
            origin = _origin_of(change, played.chapter.key, origins)
            if origin is not None and change.into in war.campaign.ledger:
                origins[change.into] = origin
    return origins


def _origin_of(change: Change, chapter: str, origins: Mapping[str, Origin]) -> Origin | None:
    """Return the fact that a row takes or depends on, or that of the ledger quantity which it takes."""
    names = [change.row.take, *(name for name, _, _ in change.row.conditions)]
    fact = next((name.removeprefix(FACT) for name in names if name.startswith(FACT)), "")
    return Origin(chapter, fact) if fact else next((origins[name] for name in names if name in origins), None)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return str(value.get("name") or value.get("key") or value)
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return "nothing" if value is None or value == "" else str(value)


# -- the next battle -------------------------------------------------------------------------------------------------


def compare_setup(war: War, setup: Setup) -> Iterator[ChangeLine]:
    """Yield every entry in which the set-up of a chapter differs from the scenario without its rows."""
    printed = setup.config.tables(war.header.files)
    now = content_of(setup.scenario)
    reasons, origins = dict(_reasons(setup.changes)), find_origins(war)

    def line(title: str, before: Any, after: Any, change: Change | None) -> ChangeLine:
        values = title, _text(before), _text(after)
        if change is None:
            return ChangeLine(*values, "", "")
        return ChangeLine(*values, change.row.why, source_text(change.row.source), _origin_of(change, "", origins))

    seen = set[ChangeLine]()
    for path, before, after in differences(printed, now):
        change = reasons.get(path)
        title = change.row.title if change and change.row.title else _title(path, now, printed)
        found = line(title, before, after, change)
        if found not in seen:  # such as the planes of two raids
            yield found
        seen.add(found)
    for change in setup.changes:
        if change.into.startswith(OPTION):
            key = change.into.removeprefix(OPTION)
            yield line(f"Option {key}", change.before, change.after, change)


def _reasons(changes: Iterable[Change]) -> Iterator[tuple[str, Change]]:
    """Yield the path of each entry that was changed, and the last change; lists are distinguished by their items."""
    for change in changes:
        yield change.into, change
        if isinstance(change.before, list) and isinstance(change.after, list):
            for path, _, _ in differences(change.before, change.after, change.into):
                yield path, change


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path of every entry that differs, and both values; items of lists are distinguished by their `key`.

    >>> list(differences({"a": [{"key": "x", "n": 1}]}, {"a": [{"key": "x", "n": 2}, {"key": "y", "n": 3}]}))
    [('a.x.n', 1, 2), ('a.y', None, {'key': 'y', 'n': 3})]
    """
    first, second = _entries(before), _entries(after)
    if first is None or second is None:
        if before != after:
            yield path, before, after
        return
    for key in [*first, *(key for key in second if key not in first)]:
        inner = f"{path}.{key}" if path else str(key)
        yield from differences(first.get(key), second.get(key), inner)


def _entries(value: Any) -> Mapping[Any, Any] | None:
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and value and all(isinstance(one, dict) and "key" in one for one in value):
        return {one["key"]: one for one in value}
    if isinstance(value, list):
        return dict(enumerate(value))
    return None


def _title(path: str, *tables: Any) -> str:
    """Return the path of an entry for readers; items of the tables are called by their name, if they have one.

    >>> _title("carrier.hornet.dive_bombers", {"carrier": [{"key": "hornet", "name": "USS Hornet"}]})
    'USS Hornet: dive bombers'
    >>> _title("raids.3.0"), _title("surface"), _title("carrier.wasp")
    ('Raids, 4: 1', 'Surface', 'Carrier: wasp')
    """
    parts = path.split(".")
    *around, last = (str(int(part) + 1) if part.isdecimal() else part.replace("_", " ") for part in parts)
    for number, part in enumerate(parts[1:3], start=1):
        items = (_find_item(table, parts[:number], part) for table in tables)
        name = next((item["name"] for item in items if isinstance(item, dict) and "name" in item), "")
        if name:
            around, last = [name, *around[number + 1 :]], last if number < len(parts) - 1 else parts[0]
            break
    return capitalize_first(f"{', '.join(around)}: {last}" if around else last)


def _find_item(table: Any, parts: Sequence[str], key: str) -> Any:
    for part in parts:
        table = table.get(part) if isinstance(table, dict) else None
    return next((one for one in table if _is_item(one, key)), None) if isinstance(table, list) else None


def _is_item(one: Any, key: str) -> bool:
    return isinstance(one, dict) and one.get("key") == key


# -- names -----------------------------------------------------------------------------------------------------------


def careers(war: War) -> list[Career]:
    """Return what became of every named ship and crew that was lost or hurt, in the order of events."""
    known: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for played in war.played:
        for loss in played.losses:
            if loss.count == 1 and loss.shape in ("carrier", "ship", "crew") and not loss.total:
                fates = known.setdefault((loss.name, loss.side), [])
                fates.append((played.chapter.title or played.chapter.key, loss.fate))
    return [Career(name, side, fates) for (name, side), fates in known.items()]


def page_lines(page: WarPage) -> Iterable[str]:
    """Yield the page as lines of Markdown."""
    yield from (f"# {page.title}", "", "## The tide", "")
    for line in page.tide:
        winner = f"{line.winner} won; " if line.winner else ""
        note = f" ({line.note})" if line.note else ""
        tide = f"{winner}tide {line.gained:+d}, now {line.tide:+d}{note}"
        yield f"- {line.title}{f', {line.date}' if line.date else ''}: {tide}."
    yield f"- {'The ending' if not page.next_title else 'The ending so far'}: {page.ending}."
    yield from _section("What changed", page.changed)
    yield from _section(f"The next battle: {page.next_title}" if page.next_title else "", page.next_battle)
    if page.careers or page.names:
        yield from ("", "## Names", "")
    for career in page.careers:
        yield f"- {career.name}: {'; '.join(f'{fate} ({chapter})' for chapter, fate in career.fates)}."
    for title, names in page.names:
        yield f"- {title}: {', '.join(names)}."


def _section(title: str, lines: Iterable[ChangeLine]) -> Iterator[str]:
    if not title:
        return
    yield from ("", f"## {title}", "")
    empty = True
    for line in lines:
        empty = False
        reasons = ", ".join(filter(None, [line.why, f"[{line.source}]" if line.source else ""]))
        yield f"- {line.title}: {line.after} instead of {line.before}{f': {reasons}' if reasons else ''}."
    if empty:
        yield "- As printed." if title.startswith("The next") else "- Nothing."
