"""The forms of a notebook: its settings, and the figures of a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from readyroom.engine.errors import InvalidQuery
from readyroom.engine.figures import Figure, FigureCell, FigureTable
from readyroom.engine.game import GameOption
from readyroom.engine.text import capitalize_first
from readyroom.store.errors import InvalidText
from readyroom.store.notebooks import TITLE_LENGTH
from readyroom.study.changes import figure_text
from readyroom.study.notebooks import NOTES_LENGTH, Notebook, can_solve
from readyroom.web import catalog

AMOUNTS = (50, 100, 200)
"""The numbers of matches of each case to choose from."""
CELL = "cell:"
"""What the names of the fields of figures begin with."""


def read_settings(game: catalog.AnyGame, before: Notebook, form: Mapping[str, object]) -> Notebook:
    """Return a notebook with the settings of a form; raise `InvalidQuery` or `InvalidText` for what is not offered."""
    notes = str(form.get("notes", before.notes)).replace("\r\n", "\n").strip()
    if len(notes) > NOTES_LENGTH:
        raise InvalidText(f"The notes have {len(notes):,} characters; the maximum is {NOTES_LENGTH:,}.")
    scenario = str(form.get("scenario", before.scenario))
    if scenario not in {one.key for one in catalog.scenarios(game)}:
        raise InvalidQuery("Choose one of the offered scenarios.")
    matches = str(form.get("amount", before.matches))
    if matches not in {*map(str, AMOUNTS), str(before.matches)}:
        raise InvalidQuery("Choose one of the offered numbers of matches.")
    solve = form.get("solve") == "yes" if "settings" in form else before.solve
    return msgspec.structs.replace(
        before,
        title=" ".join(str(form.get("title", before.title)).split())[:TITLE_LENGTH],
        notes=notes,
        scenario=scenario,
        matches=int(matches),
        options=_options(game, before, form),
        solve=solve and can_solve(game, game.scenario(scenario)),
    )


def _options(game: catalog.AnyGame, before: Notebook, form: Mapping[str, object]) -> dict[str, str]:
    """Return the options that a form changes."""
    changed = {}
    for option in game.options:
        choice = str(form.get(f"option-{option.key}", before.options.get(option.key, option.default)))
        if choice not in option.choices:
            raise InvalidQuery(f"Choose one of the offered choices of “{option.title}”.")
        if choice != option.default:
            changed[option.key] = choice
    return changed


def offered_options(game: catalog.AnyGame, notebook: Notebook) -> list[GameOption]:
    """Return the options that can be changed: those for new matches, and those that the notebook changes already."""
    return [option for option in game.options if not option.retired or option.key in notebook.options]


# -- charts ----------------------------------------------------------------------------------------------------------


class CellField(NamedTuple):
    """The field of a figure: its text, that of the published figure, and what is wrong with it."""

    cell: FigureCell
    label: str
    text: str
    published: str
    wrong: str = ""

    @property
    def name(self) -> str:
        """The name of the field."""
        return CELL + self.cell.address

    @property
    def is_changed(self) -> bool:
        """Whether the figure differs from the published one."""
        return self.text != self.published

    @property
    def hint(self) -> str:
        """What is allowed, next to the field."""
        return self.cell.rule.hint

    @property
    def size(self) -> int:
        """The number of characters there is room for."""
        return max(3, len(self.published) + 1)


class RowFields(NamedTuple):
    """The fields of a row."""

    label: str
    fields: Sequence[CellField | None]
    origin: str


class ChartFields(NamedTuple):
    """A chart with a field for each figure that can be changed."""

    table: FigureTable
    rows: Sequence[RowFields]

    @property
    def wrong(self) -> list[CellField]:
        """The fields with an error."""
        return [field for row in self.rows for field in row.fields if field is not None and field.wrong]

    @property
    def hints(self) -> list[str]:
        """What is allowed in each of several columns; empty where it is next to each field, or chosen from a list."""
        if len(self.table.columns) == 1:
            return [""]
        columns = zip(*(row.cells for row in self.table.rows), strict=True)
        found = [{cell.rule.hint for cell in cells if cell} for cells in columns]
        return [hints.pop() if len(hints) == 1 else "" for hints in found]


def field_text(value: Figure) -> str:
    """Return a figure as the text of its field."""
    return figure_text(value).replace("−", "-")


def chart_fields(table: FigureTable, figures: Mapping[str, Figure], form: Mapping[str, object]) -> ChartFields:
    """Return the fields of a chart: with the figures of a notebook, or those of a form with their errors."""
    return ChartFields(
        table,
        [
            RowFields(
                row.label,
                [
                    None if cell is None else _field(table, row.label, column, cell, figures, form)
                    for column, cell in zip(table.columns, row.cells, strict=True)
                ],
                row.origin,
            )
            for row in table.rows
        ],
    )


def _field(
    table: FigureTable,
    row: str,
    column: str,
    cell: FigureCell,
    figures: Mapping[str, Figure],
    form: Mapping[str, object],
) -> CellField:
    label = row if len(table.columns) == 1 else f"{row}, {column}"
    published = field_text(cell.value)
    text = str(form.get(CELL + cell.address, field_text(figures.get(cell.address, cell.value)))).strip()
    try:
        cell.rule.read(text)
    except ValueError:
        return CellField(cell, label, text[:100], published, f"Enter {cell.rule.allowed}.")
    return CellField(cell, label, text, published)


def changed_figures(chart: ChartFields, figures: Mapping[str, Figure]) -> dict[str, Figure]:
    """Return the figures of a notebook with those of a chart's fields, which are valid."""
    result = dict(figures)
    for row in chart.rows:
        for field in row.fields:
            if field is None:
                continue
            value = field.cell.rule.read(field.text)
            if value == field.cell.value:
                result.pop(field.cell.address, None)
            else:
                result[field.cell.address] = value
    return result


class ChartLink(NamedTuple):
    """A chart in the list of those that can be changed, and how many of its figures are changed."""

    table: FigureTable
    changed: int


def chart_groups(game: catalog.AnyGame, notebook: Notebook) -> list[tuple[str, list[ChartLink]]]:
    """Return the charts of a game by group: the game's own first, then its scenarios."""
    groups: dict[str, list[ChartLink]] = {}
    for table in game.figures.tables:
        changed = sum(cell.address in notebook.figures for cell in table.cells)
        groups.setdefault(capitalize_first(table.file.replace("_", " ")), []).append(ChartLink(table, changed))
    return list(groups.items())
