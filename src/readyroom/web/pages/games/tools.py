"""Tools of a game, such as a cipher. Their input is not saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from litestar import Response, Router, get, post
from litestar.datastructures import FormMultiDict
from litestar.exceptions import NotFoundException

from readyroom.engine.errors import ReadyRoomError, UnknownTool
from readyroom.engine.rules.forms import Tool, ToolResult
from readyroom.web.pages.games.reader import reader
from readyroom.web.rendering import Page

LONGEST = 2000
"""The most characters of input."""


class ToolRun(NamedTuple):
    """A tool, its input, and its result or error."""

    name: str
    tool: Tool
    values: Mapping[str, str]
    answer: ToolResult | None = None
    wrong: str = ""


def _unused(tools: Mapping[str, Tool]) -> list[ToolRun]:
    return [ToolRun(name, tool, tool.values) for name, tool in tools.items()]


@get("/games/{name:str}/tools", sync_to_thread=True)
def tools_page(page: Page, name: str) -> Response[str]:
    """Show the tools of a game."""
    book = reader(name)
    tools = book.game.presentation.tools(book.game.data)
    if not tools:
        raise NotFoundException
    return page("tools.html", book=book, game=book.game, tab="tools", tools=_unused(tools))


@post("/games/{name:str}/tools", sync_to_thread=True, status_code=200)
def work(page: Page, form: FormMultiDict, name: str) -> Response[str]:
    """Run a tool. The input is posted so that no log has it."""
    book = reader(name)
    tools, wanted = book.game.presentation.tools(book.game.data), str(form.get("tool", ""))
    if wanted not in tools:
        raise UnknownTool(wanted, tools, where=name)
    done = _run(wanted, tools[wanted], form)
    layout = [done if one.name == wanted else one for one in _unused(tools)]
    status = 422 if done.wrong else 200
    return page("tools.html", status=status, secret=True, book=book, game=book.game, tab="tools", tools=layout)


def _run(name: str, tool: Tool, form: FormMultiDict) -> ToolRun:
    values = {key: str(form.get(key, default))[:LONGEST] for key, default in tool.values.items()}
    try:
        return ToolRun(name, tool, values, tool.run(values, where=name))
    except ReadyRoomError as error:
        return ToolRun(name, tool, values, wrong=str(error))


router = Router("/", route_handlers=[tools_page, work], include_in_schema=False)
